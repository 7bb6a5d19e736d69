//! Seeds of random choices, all derived from the match's seed: the same on every machine and in whatever order games are played.

use kalahari_search::splitmix64;

/// Mixes many numbers into one, by SplitMix64.
pub fn mix(numbers: impl IntoIterator<Item = u64>) -> u64 {
    let mut state = 0x6b61_6c61_6861_7269;
    for number in numbers {
        state ^= number;
        state = splitmix64(&mut state);
    }
    state
}

/// A number derived from a text.
pub fn of_text(text: &str) -> u64 {
    let chunks = text.as_bytes().chunks(8).map(|chunk| {
        let mut word = [0; 8];
        word[..chunk.len()].copy_from_slice(chunk);
        u64::from_le_bytes(word)
    });
    mix(chunks.chain([text.len() as u64]))
}

/// The seed of a player's random choices in a game, derived from the match's seed, the pair, the seating, the seat
/// and the agent's text.
pub(crate) fn of_player(rng_seed: u64, pair: u32, seating: u32, seat: usize, agent: &str) -> u64 {
    let numbers = [rng_seed, u64::from(pair), u64::from(seating), seat as u64];
    mix(numbers.into_iter().chain([of_text(agent)]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seeds_are_portable_and_differ() {
        // Computed by a program in Python. Another seed would change every recorded match.
        assert_eq!(of_player(1, 0, 0, 0, "random"), 0xdeb6_cdcf_5307_963c);
        let mut all = std::collections::HashSet::new();
        for seed in 0..4 {
            for pair in 0..10 {
                for seating in 0..2 {
                    for seat in 0..2 {
                        for agent in ["random", "level:0"] {
                            assert!(all.insert(of_player(seed, pair, seating, seat, agent)));
                        }
                    }
                }
            }
        }
        assert_ne!(of_text("a"), of_text("a\0"));
    }
}
