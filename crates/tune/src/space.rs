//! The box in which the search for the optimum takes place: `alpha=0..1,c=0.01..2:log,weight=1..100:int`.

use crate::error::{AxisProblem, SpaceError};
use crate::lines::Line;
use kalahari_agents::AgentSpec;
use kalahari_arena::text_in_json;
use kalahari_search::Parameter;
use std::fmt;
use std::str::FromStr;

/// A parameter and its range.
#[derive(Clone, Debug, PartialEq)]
pub struct Axis {
    /// The name in the agent's spec.
    pub name: String,
    /// The smallest value.
    pub low: f64,
    /// The largest value.
    pub high: f64,
    /// Whether only whole numbers are played.
    pub integer: bool,
    /// Whether the scale is logarithmic: equal ratios are equal distances.
    pub log: bool,
}

impl Axis {
    /// The value at a scaled coordinate from -1 to 1, as it is played: rounded to a whole number or to six digits.
    pub fn value(&self, x: f64) -> f64 {
        let share = (x.clamp(-1.0, 1.0) + 1.0) / 2.0;
        let value = match self.log {
            true => self.low * (self.high / self.low).powf(share),
            false => self.low + (self.high - self.low) * share,
        };
        self.played(value)
    }

    /// The nearest value that can be played.
    pub fn played(&self, value: f64) -> f64 {
        let value = match self.integer {
            true => value.round(),
            false => format!("{value:.5e}").parse().unwrap_or(value),
        };
        value.clamp(self.low, self.high)
    }

    /// The scaled coordinate of a value.
    pub fn place(&self, value: f64) -> f64 {
        let share = match self.log {
            true => (value / self.low).ln() / (self.high / self.low).ln(),
            false => (value - self.low) / (self.high - self.low),
        };
        (2.0 * share - 1.0).clamp(-1.0, 1.0)
    }
}

impl fmt::Display for Axis {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}={}..{}", self.name, self.low, self.high)?;
        f.write_str(if self.log { ":log" } else { "" })?;
        f.write_str(if self.integer { ":int" } else { "" })
    }
}

/// All parameters of a run.
#[derive(Clone, Debug, PartialEq)]
pub struct Space(pub Vec<Axis>);

impl FromStr for Space {
    type Err = SpaceError;

    fn from_str(text: &str) -> Result<Self, SpaceError> {
        let axis = |word: &str| axis(word.trim()).map_err(|problem| wrong(word.trim(), problem));
        let axes: Result<Vec<Axis>, _> = text.split(',').map(axis).collect();
        Space(axes?).without_twins()
    }
}

text_in_json!(Space);

fn wrong(axis: impl ToString, problem: impl Into<AxisProblem>) -> SpaceError {
    SpaceError::Axis {
        axis: axis.to_string(),
        problem: problem.into(),
    }
}

fn axis(word: &str) -> Result<Axis, AxisProblem> {
    let (name, range) = word.split_once('=').ok_or(AxisProblem::Form)?;
    let mut parts = range.split(':');
    let (low, high) = parts
        .next()
        .and_then(|range| range.split_once(".."))
        .ok_or(AxisProblem::Form)?;
    let number = |text: &str| match text.trim().parse::<f64>() {
        Ok(number) if number.is_finite() => Ok(number),
        _ => Err(AxisProblem::Number(text.to_owned())),
    };
    let mut axis = Axis {
        name: name.trim().to_owned(),
        low: number(low)?,
        high: number(high)?,
        integer: false,
        log: false,
    };
    for part in parts {
        match part {
            "int" => axis.integer = true,
            "log" => axis.log = true,
            _ => return Err(AxisProblem::Word(part.to_owned())),
        }
    }
    match axis.name.is_empty() {
        true => Err(AxisProblem::NoName),
        false => check(&axis).map(|()| axis),
    }
}

fn check(axis: &Axis) -> Result<(), AxisProblem> {
    if axis.low == axis.high {
        Err(AxisProblem::Empty)
    } else if axis.low > axis.high {
        Err(AxisProblem::Reversed)
    } else if axis.log && axis.low <= 0.0 {
        Err(AxisProblem::Log)
    } else if axis.integer && (axis.low.fract() != 0.0 || axis.high.fract() != 0.0) {
        Err(AxisProblem::Whole)
    } else {
        Ok(())
    }
}

impl Space {
    /// The box of parameter lines.
    pub fn of_lines(lines: &[Line]) -> Result<Self, SpaceError> {
        let axes = lines.iter().map(|line| Axis {
            name: line.name.clone(),
            low: line.min,
            high: line.max,
            integer: line.integer,
            log: false,
        });
        Space(axes.collect()).without_twins()
    }

    fn without_twins(self) -> Result<Self, SpaceError> {
        for (i, axis) in self.0.iter().enumerate() {
            if self.0[..i].iter().any(|other| other.name == axis.name) {
                return Err(SpaceError::Twice(axis.name.clone()));
            }
        }
        match self.0.len() {
            0 => Err(SpaceError::None),
            1..=MOST => Ok(self),
            _ => Err(SpaceError::TooMany(MOST)),
        }
    }

    /// Checks that an agent with these parameters accepts every value of the box.
    pub fn checked(mut self, agent: &AgentSpec, known: &[Parameter]) -> Result<Self, SpaceError> {
        for axis in &mut self.0 {
            let found = known.iter().find(|parameter| parameter.name == axis.name);
            let parameter = found.ok_or_else(|| SpaceError::Unknown {
                agent: agent.clone(),
                name: axis.name.clone(),
                known: known.iter().map(|parameter| parameter.name).collect(),
            })?;
            axis.integer |= parameter.integer;
            check(axis).map_err(|problem| wrong(&axis, problem))?;
            for value in [axis.low, axis.high] {
                let checked = parameter.check(value);
                checked.map_err(|problem| wrong(&axis, problem))?;
            }
        }
        Ok(self)
    }

    /// The values at a scaled point.
    pub fn values(&self, x: &[f64]) -> Vec<f64> {
        self.0
            .iter()
            .zip(x)
            .map(|(axis, x)| axis.value(*x))
            .collect()
    }

    /// The scaled point of values.
    pub fn places(&self, values: &[f64]) -> Vec<f64> {
        let each = self.0.iter().zip(values);
        each.map(|(axis, value)| axis.place(*value)).collect()
    }
}

/// The most parameters that a full quadratic function can sensibly have.
const MOST: usize = 30;

impl fmt::Display for Space {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let axes: Vec<String> = self.0.iter().map(Axis::to_string).collect();
        f.write_str(&axes.join(","))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spaces_are_read_and_written() {
        let text = "alpha=0..1,c=0.01..4:log,weight=1..100:int";
        let space: Space = text.parse().expect("a space");
        assert_eq!(space.to_string(), text);
        assert_eq!(space.values(&[-1.0, 0.0, 1.0]), [0.0, 0.2, 100.0]);
        assert_eq!(space.0[2].value(0.0), 51.0);
        for x in [-1.0, -0.3, 0.0, 0.9] {
            let place = space.0[1].place(space.0[1].value(x));
            assert!((place - x).abs() < 1e-4);
        }
    }

    #[test]
    fn bad_spaces_are_refused() {
        for (text, reason) in [
            ("", "name=low..high"),
            ("c", "name=low..high"),
            ("c=1", "name=low..high"),
            ("c=1..1", "empty"),
            ("c=2..1", "reversed"),
            ("c=0..1:log", "above 0"),
            ("c=0.5..1:int", "whole"),
            ("c=0..x", "not a number"),
            ("c=0..inf", "not a number"),
            ("c=0..1:big", "neither"),
            ("=0..1", "missing"),
            ("c=0..1,c=0..2", "twice"),
        ] {
            let error = text.parse::<Space>().expect_err(text).to_string();
            assert!(error.contains(reason), "{text}: {error}");
        }
    }
}
