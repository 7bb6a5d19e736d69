//! Makes small random changes to good inputs.

use kalahari_search::Rng;

/// Makes inputs from good ones by small changes. The same seed always gives the same inputs.
#[derive(Debug)]
pub struct Mutator {
    good: Vec<Vec<u8>>,
    rng: Rng,
}

/// Texts that often cause trouble.
const STRANGE: [&[u8]; 20] = [
    b"0",
    b"-1",
    b"99999999999999999999",
    b"65536",
    b"4294967296",
    b"1e999",
    b"NaN",
    b" ",
    b"\n",
    b"\r\n",
    b"\t",
    b"\0",
    b":",
    b",",
    b"/",
    b"=",
    b"#",
    b"\"",
    b"\xff\xfe",
    "\u{e9}\u{10348}".as_bytes(),
];

/// The most bytes of an input.
const LONGEST: usize = 1 << 13;

impl Mutator {
    /// A mutator of these inputs and of the empty input.
    pub fn new(good: Vec<Vec<u8>>, rng_seed: u64) -> Self {
        let mut good = good;
        good.push(Vec::new());
        Mutator {
            good,
            rng: Rng::new(rng_seed),
        }
    }

    /// The next input.
    pub fn next_input(&mut self) -> Vec<u8> {
        let which = self.rng.below(self.good.len());
        let mut input = self.good[which].clone();
        for _ in 0..=self.rng.below(4) {
            self.spoil(&mut input);
        }
        input.truncate(LONGEST);
        input
    }

    fn spoil(&mut self, input: &mut Vec<u8>) {
        let at = self.rng.below(input.len() + 1);
        let rest = input.len() - at;
        let length = self.rng.below(rest.min(16) + 1);
        match self.rng.below(8) {
            0 if rest > 0 => input[at] ^= 1 << self.rng.below(8),
            1 if rest > 0 => input[at] = self.rng.below(256) as u8,
            2 => drop(input.drain(at..at + length)),
            3 => {
                let copy = input[at..at + length].to_vec();
                let to = self.rng.below(input.len() + 1);
                drop(input.splice(to..to, copy));
            }
            4 => input.truncate(at),
            5 => {
                // The rest is replaced by the end of another input.
                let other = self.rng.below(self.good.len());
                let other = &self.good[other];
                let from = self.rng.below(other.len() + 1);
                input.truncate(at);
                input.extend(&other[from..]);
            }
            6 => {
                let strange = STRANGE[self.rng.below(STRANGE.len())];
                drop(input.splice(at..at + length, strange.iter().copied()));
            }
            _ => {
                let strange = STRANGE[self.rng.below(STRANGE.len())];
                drop(input.splice(at..at, strange.iter().copied()));
            }
        }
    }
}
