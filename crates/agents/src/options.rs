//! Reads options one by one and complains about those nobody asked for.

use crate::{AgentError, AgentSpec, parse_duration};
use kalahari_search::eval::Evaluation;
use kalahari_search::{Limits, Parameter};
use std::fmt::Display;
use std::str::FromStr;
use std::time::Duration;

/// The options of a spec that have not been used yet.
pub(crate) struct Options<'a> {
    spec: &'a AgentSpec,
    left: Vec<(&'a str, &'a str)>,
}

impl<'a> Options<'a> {
    pub(crate) fn new(spec: &'a AgentSpec) -> Result<Self, AgentError> {
        let left: Vec<_> = spec.options().collect();
        for (i, (key, _)) in left.iter().enumerate() {
            if !key.is_empty() && left[..i].iter().any(|(earlier, _)| earlier == key) {
                return Err(spec.error(format!("'{key}' is given twice")));
            }
        }
        Ok(Options { spec, left })
    }

    /// Takes an option's text. The key of a value without one is empty.
    pub(crate) fn text(&mut self, key: &str) -> Option<&'a str> {
        let place = self.left.iter().position(|(name, _)| *name == key)?;
        Some(self.left.remove(place).1)
    }

    /// Takes an option of some type.
    pub(crate) fn take<T: FromStr<Err: Display>>(
        &mut self,
        key: &str,
    ) -> Result<Option<T>, AgentError> {
        let Some(text) = self.text(key) else {
            return Ok(None);
        };
        text.parse()
            .map(Some)
            .map_err(|error: T::Err| self.spec.error(format!("{key}={text}: {error}")))
    }

    /// Takes a number that has to lie in a range.
    pub(crate) fn number<T>(
        &mut self,
        key: &str,
        least: T,
        most: T,
    ) -> Result<Option<T>, AgentError>
    where
        T: FromStr<Err: Display> + PartialOrd + Display + Copy,
    {
        match self.take(key)? {
            Some(number) if !(number >= least && number <= most) => Err(self
                .spec
                .error(format!("{key} is from {least} to {most}, not {number}"))),
            number => Ok(number),
        }
    }

    /// Takes a number that may be tuned; its default if it is not there.
    pub(crate) fn parameter(&mut self, parameter: &Parameter) -> Result<f64, AgentError> {
        let Some(value) = self.take::<f64>(parameter.name)? else {
            return Ok(parameter.value);
        };
        let good = parameter.check(value).map(|()| value);
        good.map_err(|problem| self.spec.error(problem))
    }

    /// Takes a switch, `0` or `1`.
    pub(crate) fn switch(&mut self, key: &str) -> Result<Option<bool>, AgentError> {
        match self.text(key) {
            None => Ok(None),
            Some("0") => Ok(Some(false)),
            Some("1") => Ok(Some(true)),
            Some(text) => Err(self.spec.error(format!("{key} is 0 or 1, not '{text}'"))),
        }
    }

    /// Takes the time for a move.
    pub(crate) fn time(&mut self) -> Result<Option<Duration>, AgentError> {
        let time = self.text("time").map(parse_duration).transpose();
        time.map_err(|problem| self.spec.error(problem))
    }

    /// Takes the limits a search may have; `nodes` is the name of its unit of work.
    pub(crate) fn limits(&mut self, nodes: &str) -> Result<Limits, AgentError> {
        let time = self.time()?;
        Ok(Limits {
            depth: self.number("depth", 1, 1_000)?,
            nodes: self.take(nodes)?,
            time,
            clock: None,
        })
    }

    /// Takes `eval`, or gives the default, and then its parameters.
    pub(crate) fn eval<G: kalahari_search::Searchable>(
        &mut self,
        game: &G,
        default: &str,
    ) -> Result<G::Eval, AgentError> {
        let name = self.text("eval").unwrap_or(default);
        let eval = G::Eval::by_name(name).ok_or_else(|| {
            let known: Vec<_> = G::Eval::list().iter().map(|(name, _)| *name).collect();
            let problem = format!(
                "no evaluation '{name}' for this game; there are {}",
                known.join(", ")
            );
            self.spec.error(problem)
        })?;
        let mut eval = eval.suited_to(game);
        for parameter in eval.parameters() {
            let value = self.parameter(&parameter)?;
            if value != parameter.value {
                eval.set(parameter.name, value);
            }
        }
        Ok(eval)
    }

    /// Makes sure that nothing is left over.
    pub(crate) fn finish(self) -> Result<(), AgentError> {
        match self.left.first() {
            None => Ok(()),
            Some(("", value)) => Err(self.spec.error(format!(
                "'{value}' is not an option; options look like key=value"
            ))),
            Some((key, _)) => {
                let kind = crate::KINDS
                    .iter()
                    .find(|kind| kind.name == self.spec.name());
                let known = kind.map_or("none", |kind| kind.options);
                Err(self
                    .spec
                    .error(format!("unknown option '{key}'; there are: {known}")))
            }
        }
    }
}
