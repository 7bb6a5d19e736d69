//! A ladder: players of known strength in one game, the weakest first. It is a file that `kalahari rate --make-ladder` writes;
//! some ship with the program.

use crate::openings::Openings;
use crate::stats::Scale;
use kalahari_agents::AgentSpec;
use kalahari_games::GameSpec;
use serde::{Deserialize, Serialize};
use thiserror::Error;

/// A player on a ladder.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rung {
    /// The agent, with its own limits.
    pub agent: AgentSpec,
    /// Its rating on the ladder's scale.
    pub rating: f64,
    /// Half the width of the 95% interval of its rating relative to the average of the ladder, when it was made. The ladder is
    /// the scale, so an agent that is rated on it does not inherit this error.
    pub error: f64,
    /// The number of games behind the rating.
    pub games: u64,
}

/// Players of known strength in a game. The first agent of the scale, level 0, has the rating 0. A player rated 100 points
/// higher than another scores about 64% against it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Ladder {
    /// The name of the file format: [`FORM`](Ladder::FORM).
    pub form: String,
    /// The game.
    pub game: GameSpec,
    /// Where its games begin.
    pub openings: Openings,
    /// The seed of the openings and all random choices.
    #[serde(rename = "seed")]
    pub rng_seed: u64,
    /// How likely draws are: see [`Scale::draws`].
    pub draws: f64,
    /// The program that made it.
    pub program: String,
    /// The signature of that program's search.
    pub search: u64,
    /// The version of what the signature does not cover.
    pub proving: u32,
    /// The players, the weakest first.
    pub rungs: Vec<Rung>,
}

/// Why a text is not a ladder.
#[derive(Debug, Error)]
pub enum LadderError {
    /// It is not the JSON of a ladder.
    #[error("it cannot be read as a ladder: {0}")]
    Json(#[from] serde_json::Error),
    /// It is something else.
    #[error("it is not a ladder: its form is not '{form}'", form = Ladder::FORM)]
    Form,
    /// It has fewer than two players.
    #[error("a ladder needs at least two players")]
    Short,
    /// Its ratings are not valid numbers, or not in order.
    #[error("its ratings are not numbers that rise from player to player")]
    Ratings,
}

impl Ladder {
    /// The name of the file format.
    pub const FORM: &'static str = "kalahari-ladder 1";

    /// The ladders that ship with the program.
    const SHIPPED: [&'static str; 3] = [
        include_str!("../../ladders/kalah-6x6-standard.json"),
        include_str!("../../ladders/kalah-6x4-standard.json"),
        include_str!("../../ladders/isolation-8x8-trail.json"),
    ];

    /// Reads a ladder.
    pub fn read(text: &str) -> Result<Ladder, LadderError> {
        let ladder: Ladder = serde_json::from_str(text)?;
        if ladder.form != Ladder::FORM {
            return Err(LadderError::Form);
        }
        if ladder.rungs.len() < 2 {
            return Err(LadderError::Short);
        }
        let sound = |value: f64| value.is_finite() && value.abs() < 1e5;
        let numbers = ladder
            .rungs
            .iter()
            .all(|rung| sound(rung.rating) && sound(rung.error) && rung.error >= 0.0);
        let in_order = ladder.rungs.is_sorted_by(|a, b| a.rating <= b.rating);
        match numbers && in_order && sound(ladder.draws) && ladder.draws >= 0.0 {
            true => Ok(ladder),
            false => Err(LadderError::Ratings),
        }
    }

    /// The ladder as it is written to a file.
    pub fn text(&self) -> String {
        serde_json::to_string_pretty(self).unwrap_or_default() + "\n"
    }

    /// All ladders that ship with the program.
    pub fn shipped() -> Vec<Ladder> {
        let read = Ladder::SHIPPED.iter().map(|text| Ladder::read(text));
        read.filter_map(Result::ok).collect()
    }

    /// The ladder of a game that ships with the program.
    pub fn of_game(game: GameSpec) -> Option<Ladder> {
        let mut shipped = Ladder::shipped().into_iter();
        shipped.find(|ladder| ladder.game == game)
    }

    /// The scale, with its middle where the middle of the ladder is.
    pub fn scale(&self) -> Scale {
        Scale {
            draws: self.draws,
            middle: self.rungs[self.rungs.len() / 2].rating,
        }
    }

    /// The player of the ladder that a player of this rating is most like. Levels are preferred.
    pub fn like(&self, rating: f64) -> Likeness {
        let far = |rung: &&Rung| (rung.rating - rating).abs();
        let nearest = |a: &&Rung, b: &&Rung| far(a).total_cmp(&far(b));
        let levels = || {
            let levels = self.rungs.iter();
            levels.filter(|rung| rung.agent.level().is_some())
        };
        let (lowest, highest) = (&self.rungs[0], &self.rungs[self.rungs.len() - 1]);
        let strongest_level = levels().max_by(|a, b| a.rating.total_cmp(&b.rating));
        if rating > highest.rating + BEYOND {
            return Likeness::Above(highest.agent.clone());
        }
        if rating < lowest.rating - BEYOND {
            return Likeness::Below(lowest.agent.clone());
        }
        let above_levels = strongest_level.is_none_or(|level| rating > level.rating + BEYOND);
        let rung = match above_levels {
            true => self.rungs.iter().min_by(nearest),
            false => levels().min_by(nearest),
        };
        Likeness::Like(rung.unwrap_or(highest).agent.clone())
    }
}

/// A player rated further than this above the strongest, or below the weakest, is not like them.
const BEYOND: f64 = 60.0;

/// Which player of a ladder an agent is most like.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Likeness {
    /// This player of the ladder.
    Like(AgentSpec),
    /// None of them: even this one, the strongest, is weaker.
    Above(AgentSpec),
    /// None of them: even this one, the weakest, is stronger.
    Below(AgentSpec),
}

#[cfg(test)]
mod tests {
    use super::*;

    pub(crate) fn ladder(ratings: &[(&str, f64)]) -> Ladder {
        let rungs = ratings.iter().map(|(agent, rating)| Rung {
            agent: agent.parse().expect("an agent"),
            rating: *rating,
            error: 10.0,
            games: 100,
        });
        Ladder {
            form: Ladder::FORM.to_owned(),
            game: "kalah:4x3".parse().expect("a game"),
            openings: Openings::Random(3),
            rng_seed: 1,
            draws: 0.2,
            program: "0".to_owned(),
            search: 1,
            proving: 1,
            rungs: rungs.collect(),
        }
    }

    #[test]
    fn shipped_ladders_are_good_and_named_once() {
        let shipped = Ladder::shipped();
        assert_eq!(shipped.len(), Ladder::SHIPPED.len());
        for ladder in &shipped {
            assert_eq!(Ladder::of_game(ladder.game).as_ref(), Some(ladder));
            let levels = ladder.rungs.iter().filter_map(|rung| rung.agent.level());
            assert_eq!(levels.count(), 13, "{}", ladder.game);
            let zero = ladder
                .rungs
                .iter()
                .find(|rung| rung.agent.level() == Some(0));
            assert_eq!(zero.map(|rung| rung.rating), Some(0.0));
        }
    }

    #[test]
    fn spoiled_ladders_are_refused() {
        let good = ladder(&[("level:0", 0.0), ("level:1", 200.0)]);
        let text = good.text();
        assert_eq!(Ladder::read(&text).expect("good"), good);
        for (from, to) in [
            ("kalahari-ladder 1", "kalahari-ladder 2"),
            ("200.0", "-200.0"),
            ("200.0", "1e300"),
            ("\"error\": 10.0", "\"error\": -1"),
            ("level:1", "levl:1"),
            ("kalah:4x3", "kalah:4y3"),
            ("\"draws\"", "\"drawn\""),
        ] {
            let spoiled = text.replace(from, to);
            assert_ne!(spoiled, text, "{from}");
            assert!(Ladder::read(&spoiled).is_err(), "{to}");
        }
        assert!(Ladder::read(&ladder(&[("level:0", 0.0)]).text()).is_err());
    }

    #[test]
    fn every_rating_is_like_a_rung_or_beyond_the_ladder() {
        let ladder = ladder(&[
            ("level:0", 0.0),
            ("level:1", 300.0),
            ("seed000", 420.0),
            ("level:2", 450.0),
            ("engine:nodes=1000", 900.0),
        ]);
        let like = |rating, expected: &str| match ladder.like(rating) {
            Likeness::Like(agent) => assert_eq!(agent.to_string(), expected, "{rating}"),
            other => panic!("{rating}: {other:?}"),
        };
        like(-20.0, "level:0");
        like(140.0, "level:0");
        like(160.0, "level:1");
        // Levels are preferred to other players.
        like(415.0, "level:2");
        like(700.0, "engine:nodes=1000");
        assert!(matches!(ladder.like(1000.0), Likeness::Above(_)));
        assert!(matches!(ladder.like(-100.0), Likeness::Below(_)));
    }
}
