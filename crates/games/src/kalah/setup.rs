//! Kalah positions as text, not yet checked against a game.

use crate::kalah::{MAX_PITS, MAX_TOTAL};
use crate::text::{Trouble, located, number, serde_as_text};
use crate::{Player, PositionError};
use std::fmt;
use std::str::FromStr;

/// The houses in board order and the player to move: what a Kalah position says, not yet checked
/// against a game.
///
/// Reads both text forms: `2P+2` house numbers and the player, or the Kalah Game Protocol literal
/// `<P,south store,north store,south pits,north pits>`. Writes the first.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct KalahSetup {
    /// Player 0's pits, their store, player 1's pits, their store: 4 to 26 numbers, an even count.
    pub houses: Vec<u16>,
    /// Who is to move.
    pub player: Player,
}

impl KalahSetup {
    /// Pits a side.
    pub fn pits(&self) -> usize {
        self.houses.len() / 2 - 1
    }

    /// All seeds in pits and stores.
    pub fn total(&self) -> u32 {
        self.houses.iter().map(|&n| u32::from(n)).sum()
    }

    /// The position as a Kalah Game Protocol literal, with the player to move as south.
    pub fn protocol_literal(&self) -> String {
        let half = self.houses.len() / 2;
        let (first, second) = self.houses.split_at(half);
        let (south, north) = match self.player {
            Player::First => (first, second),
            Player::Second => (second, first),
        };
        let (south, north) = (south.split_at(half - 1), north.split_at(half - 1));
        let numbers = [&[half as u16 - 1], south.1, north.1, south.0, north.0].concat();
        let words: Vec<String> = numbers.iter().map(u16::to_string).collect();
        format!("<{}>", words.join(","))
    }
}

impl fmt::Display for KalahSetup {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for house in &self.houses {
            write!(f, "{house} ")?;
        }
        self.player.fmt(f)
    }
}

impl FromStr for KalahSetup {
    type Err = PositionError;

    fn from_str(text: &str) -> Result<Self, PositionError> {
        let trimmed = text.trim();
        let read = match trimmed.strip_prefix('<') {
            Some(literal) => read_literal(literal),
            None => read_houses(trimmed),
        };
        read.map_err(|trouble| located!(PositionError, text, trouble))
    }
}

/// The words between commas and blanks. Two commas in a row have an empty word between them.
fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(',').flat_map(|part| {
        let trimmed = part.trim();
        let blank_part = trimmed.is_empty().then_some(trimmed);
        blank_part.into_iter().chain(trimmed.split_whitespace())
    })
}

fn read_houses(text: &str) -> Result<KalahSetup, Trouble<'_>> {
    if text.is_empty() {
        return Err(Trouble::new(text, "the position is empty"));
    }
    /// The longest position: two full sides, two stores and the player.
    const MOST: usize = 2 * MAX_PITS + 3;
    let mut numbers = Vec::with_capacity(MOST);
    for word in words(text) {
        if numbers.len() == MOST {
            let problem = format!("more than {MOST} numbers");
            return Err(Trouble::new(word, problem));
        }
        numbers.push((word, number(word, "a house", MAX_TOTAL)?));
    }
    if numbers.len() < 5 || numbers.len().is_multiple_of(2) {
        let count = numbers.len();
        let problem = format!(
            "{count} numbers; a position has 2P+3: the 2P+2 houses in board order, then the player"
        );
        return Err(Trouble::at_end(text, problem));
    }
    let player = match numbers.pop() {
        Some((_, 0)) => Player::First,
        Some((_, 1)) => Player::Second,
        Some((word, _)) => {
            return Err(Trouble::new(
                word,
                "the player (the last number) must be 0 or 1",
            ));
        }
        None => return Err(Trouble::at_end(text, "the player is missing")),
    };
    Ok(KalahSetup {
        houses: numbers.into_iter().map(|(_, n)| n as u16).collect(),
        player,
    })
}

fn read_literal(text: &str) -> Result<KalahSetup, Trouble<'_>> {
    let Some(inside) = text.strip_suffix('>') else {
        return Err(Trouble::at_end(text, "a literal ends with '>'"));
    };
    let mut words = words(inside);
    let first = words.next().unwrap_or(inside);
    let pits = number(first, "the number of pits", MAX_PITS as u32)? as usize;
    if pits == 0 {
        return Err(Trouble::new(first, "the number of pits is 0"));
    }
    let mut houses = vec![0; 2 * pits + 2];
    // The literal names the stores first; these are the places of its numbers in board order.
    let places = [pits, 2 * pits + 1]
        .into_iter()
        .chain(0..pits)
        .chain(pits + 1..=2 * pits);
    for place in places {
        let Some(word) = words.next() else {
            let problem = format!("a literal of {pits} pits has {} numbers", 2 * pits + 3);
            return Err(Trouble::at_end(inside, problem));
        };
        houses[place] = number(word, "a house", MAX_TOTAL)? as u16;
    }
    match words.next() {
        Some(extra) => {
            let problem = format!("a literal of {pits} pits has {} numbers", 2 * pits + 3);
            Err(Trouble::new(extra, problem))
        }
        None => Ok(KalahSetup {
            houses,
            player: Player::First,
        }),
    }
}

serde_as_text!(KalahSetup);
