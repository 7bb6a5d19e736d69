//! A board as the protocol writes it: `<n,south store,north store,south pits,north pits>`.

use std::fmt;

/// A Kalah board. South is the client that is asked for a move. Each side's pits are in its own sowing order. Both sides have the same
/// number of pits.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Board {
    /// The seeds in the stores, south's first.
    pub stores: [u32; 2],
    south: Vec<u32>,
    north: Vec<u32>,
}

impl Board {
    /// A board; `None` if the sides are not equally long or have no pits.
    pub fn new(stores: [u32; 2], south: Vec<u32>, north: Vec<u32>) -> Option<Self> {
        let fits = !south.is_empty() && south.len() == north.len();
        fits.then_some(Board {
            stores,
            south,
            north,
        })
    }

    /// The number of pits per side.
    pub fn pits(&self) -> usize {
        self.south.len()
    }

    /// South's pits.
    pub fn south(&self) -> &[u32] {
        &self.south
    }

    /// North's pits.
    pub fn north(&self) -> &[u32] {
        &self.north
    }

    /// The number of all seeds.
    pub fn total(&self) -> u64 {
        let all = self.stores.iter().chain(&self.south).chain(&self.north);
        all.map(|&seeds| u64::from(seeds)).sum()
    }

    /// Reads the text between the angle brackets.
    pub(super) fn read(inside: &str) -> Result<Self, &'static str> {
        let mut numbers = Vec::new();
        for word in inside.split(',') {
            let word = word.trim();
            if word.is_empty() || !word.bytes().all(|byte| byte.is_ascii_digit()) {
                return Err("a board is a list of whole numbers separated by commas");
            }
            let number = word.parse::<u32>();
            numbers.push(number.map_err(|_| "a number of the board is too large")?);
        }
        const COUNT: &str =
            "a board with n pits a side has 2n+3 numbers, and the first of them is n";
        let [pits, south_store, north_store, houses @ ..] = numbers.as_slice() else {
            return Err(COUNT);
        };
        let pits = usize::try_from(*pits).map_err(|_| COUNT)?;
        if pits == 0 || pits.checked_mul(2) != Some(houses.len()) {
            return Err(COUNT);
        }
        let (south, north) = houses.split_at(pits);
        Board::new([*south_store, *north_store], south.to_vec(), north.to_vec()).ok_or(COUNT)
    }
}

impl fmt::Display for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "<{}", self.pits())?;
        let houses = self.stores.iter().chain(&self.south).chain(&self.north);
        for seeds in houses {
            write!(f, ",{seeds}")?;
        }
        f.write_str(">")
    }
}
