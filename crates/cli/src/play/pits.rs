//! How pits are numbered for people. Moves, records and arguments count them from 0.

use clap::ValueEnum;
use kalahari_games::{AnyGame, AnyMove, Game};

/// The number of the first pit, as people say it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum PitsFrom {
    /// As moves and records count.
    #[default]
    #[value(name = "0")]
    Zero,
    /// As people count.
    #[value(name = "1")]
    One,
}

impl PitsFrom {
    /// What the first pit is called.
    pub(crate) const fn first(self) -> usize {
        match self {
            PitsFrom::Zero => 0,
            PitsFrom::One => 1,
        }
    }

    /// What a pit is called.
    pub(crate) const fn number(self, pit: usize) -> usize {
        pit + self.first()
    }

    /// What a move is called.
    pub(crate) fn name(self, mv: AnyMove) -> String {
        match mv {
            AnyMove::Kalah(pit) => self.number(pit.index()).to_string(),
            AnyMove::Isolation(mv) => mv.to_string(),
        }
    }

    /// What a move is called in a sentence: "pit 3", or the move itself in games without pits.
    pub(crate) fn words(self, mv: AnyMove) -> String {
        match mv {
            AnyMove::Kalah(_) => format!("pit {}", self.name(mv)),
            AnyMove::Isolation(_) => self.name(mv),
        }
    }

    /// The pit of a key: 1 to 9, then 0, x and e if the first pit is 1; otherwise 0 to 9, x and e.
    pub(crate) const fn of_key(self, key: usize) -> usize {
        match (self, key) {
            (PitsFrom::Zero, key) => key,
            (PitsFrom::One, 0) => 9,
            (PitsFrom::One, 1..=9) => key - 1,
            (PitsFrom::One, key) => key,
        }
    }

    /// Reads a move as people write it, or says what is wrong.
    pub(crate) fn read(self, game: &AnyGame, text: &str) -> Result<AnyMove, String> {
        let number = match game.spec().kalah() {
            Some(spec) if self == PitsFrom::One => {
                let number = text.parse::<usize>().ok();
                let pit = number.and_then(|number| number.checked_sub(self.first()));
                let pits = spec.pits();
                Some(pit.filter(|pit| *pit < pits).ok_or_else(|| {
                    let shown: String = text.chars().take(20).collect();
                    format!("'{shown}' is not a pit; pits are numbered from 1 to {pits}")
                })?)
            }
            _ => None,
        };
        let moved = number.map(|pit| pit.to_string());
        let text = moved.as_deref().unwrap_or(text);
        game.parse_move(text).map_err(|why| why.to_string())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn people_count_from_one() {
        let game = AnyGame::new("kalah:6x4".parse().expect("a game"));
        let read = |text| PitsFrom::One.read(&game, text);
        let first: AnyMove = "0".parse().expect("a move");
        assert_eq!(read("1"), Ok(first));
        assert_eq!(PitsFrom::One.name(first), "1");
        assert_eq!(PitsFrom::Zero.read(&game, "0"), Ok(first));
        for wrong in ["0", "7", "-1", "x", "", "99999999999999999999"] {
            assert!(read(wrong).is_err(), "{wrong}");
        }
        assert_eq!(PitsFrom::One.of_key(1), 0);
        assert_eq!(PitsFrom::One.of_key(0), 9);
        let isolation = AnyGame::new("isolation".parse().expect("a game"));
        assert!(PitsFrom::One.read(&isolation, "a1").is_ok());
    }
}
