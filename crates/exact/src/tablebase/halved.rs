//! A tablebase at half its size, for searches that only ask "is it at least this?" and seldom need the exact margin.
//!
//! ```text
//!    byte     | odd place: 4 bits | even place: 4 bits |
//!    code     0        1   ...   14    15
//!    odd n    <= -15   -13 ...   +13   >= +15        n seeds in the pits: margins have their parity
//!    even n   <= -14   -12 ...   +14   >= +16
//! ```
//!
//! A code in the middle is the exact future margin, one at an end a bound of it. Where a bound does not answer a question, the
//! whole table is asked, which should stay in its file, where it takes no memory.

use crate::tablebase::Tablebase;
use kalahari_storage::{Pages, prefetch};
use std::io;

/// The codes of all positions of a tablebase.
#[derive(Debug)]
pub(crate) struct Halved(Pages);

/// What a code says about a future margin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Coded {
    /// It is this.
    Exactly(i32),
    /// It is this or less.
    AtMost(i32),
    /// It is this or more.
    AtLeast(i32),
}

/// What code 0 stands for.
const fn lowest(is_odd: bool) -> i32 {
    if is_odd { -15 } else { -14 }
}

const LAST: i32 = 15;

impl Halved {
    /// The codes of a tablebase; an error if there is no room for them.
    pub(crate) fn new(table: &Tablebase) -> io::Result<Self> {
        let bytes = table.bytes();
        let mut pages = Pages::try_new(bytes.len().div_ceil(2))?;
        for seeds in 0..=table.seeds() {
            let lowest = lowest(seeds % 2 == 1);
            let level = table.layout.level(seeds)..table.layout.level(seeds + 1);
            for place in level {
                let margin = i32::from(bytes[place] as i8);
                let code = ((margin - lowest) >> 1).clamp(0, LAST) as u8;
                pages[place / 2] |= code << (place % 2 * 4);
            }
        }
        Ok(Halved(pages))
    }

    /// Starts to load the code of a place into the cache.
    #[inline]
    pub(crate) fn prefetch(&self, place: usize) {
        prefetch(&self.0[place / 2]);
    }

    /// What the code of a place says; `is_odd` tells whether the number of seeds in the pits is odd.
    #[inline]
    pub(crate) fn at(&self, place: usize, is_odd: bool) -> Coded {
        let code = i32::from(self.0[place / 2] >> (place % 2 * 4) & 15);
        let margin = lowest(is_odd) + 2 * code;
        match code {
            0 => Coded::AtMost(margin),
            LAST => Coded::AtLeast(margin),
            _ => Coded::Exactly(margin),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tablebase::TableSpec;
    use kalahari_games::kalah::KalahSpec;
    use kalahari_terms::Stop;

    #[test]
    fn codes_say_what_the_bytes_say() {
        let game: KalahSpec = "kalah:3x6".parse().expect("a game");
        let family = TableSpec::of_game(game).expect("a table");
        let table = Tablebase::build(family, 24, &Stop::new()).expect("room");
        let halved = Halved::new(&table).expect("room");
        let (mut exact, mut bounds) = (0, 0);
        for seeds in 0..=24 {
            for place in table.layout.level(seeds)..table.layout.level(seeds + 1) {
                let margin = table.margin_at(place);
                if (margin + seeds as i32) % 2 != 0 {
                    // A finished game, which is never looked up.
                    assert_eq!(margin, 0);
                    continue;
                }
                match halved.at(place, seeds % 2 == 1) {
                    Coded::Exactly(found) => {
                        assert_eq!(found, margin);
                        exact += 1;
                    }
                    Coded::AtMost(most) => {
                        assert!(margin <= most);
                        bounds += 1;
                    }
                    Coded::AtLeast(least) => {
                        assert!(margin >= least);
                        bounds += 1;
                    }
                }
            }
        }
        assert!(bounds > 0 && exact > bounds, "{exact} {bounds}");
    }
}
