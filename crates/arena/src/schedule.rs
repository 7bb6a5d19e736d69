//! Who meets whom in a tournament.

use crate::named;

/// A way to pair many players.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Schedule {
    /// Every player meets every other.
    #[default]
    RoundRobin,
    /// The first player meets every other.
    Gauntlet,
    /// In rounds, players with similar points meet; rematches are avoided if possible.
    Swiss,
}

named!(
    Schedule,
    "schedules are round-robin, gauntlet and swiss",
    RoundRobin "round-robin",
    Gauntlet "gauntlet",
    Swiss "swiss",
);

impl Schedule {
    /// The number of rounds for this many players. `asked` is the number requested for a Swiss tournament; 0 means enough to find
    /// a winner.
    pub(crate) fn rounds(self, players: usize, asked: u32) -> u32 {
        match (self, asked) {
            (Schedule::RoundRobin | Schedule::Gauntlet, _) => 1,
            (Schedule::Swiss, 0) => players.next_power_of_two().trailing_zeros(),
            (Schedule::Swiss, rounds) => rounds,
        }
    }

    /// The number of meetings of a tournament with this many players.
    pub fn meetings(self, players: usize, rounds: u32) -> usize {
        match self {
            Schedule::Swiss => self.rounds(players, rounds) as usize * (players / 2),
            _ => first_rounds(self, players).len(),
        }
    }
}

/// All meetings of a schedule that needs no results.
pub(crate) fn first_rounds(schedule: Schedule, players: usize) -> Vec<(usize, usize)> {
    let firsts = match schedule {
        Schedule::Gauntlet => players.min(1),
        _ => players,
    };
    (0..firsts)
        .flat_map(|first| (first + 1..players).map(move |second| (first, second)))
        .collect()
}

/// A round of a Swiss tournament.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SwissRound {
    /// The pairs of players that meet.
    pub pairs: Vec<(usize, usize)>,
    /// The player without an opponent in this round.
    pub bye: Option<usize>,
}

/// How many pairings are tried before more rematches are allowed.
const TRIES: u32 = 100_000;

/// Pairs a round, given the `points` and `byes` of every player, and how often each two have `met`.
pub fn swiss_round(points: &[f64], met: &[Vec<u32>], byes: &[u32]) -> SwissRound {
    let mut order: Vec<usize> = (0..points.len()).collect();
    order.sort_by(|&a, &b| points[b].total_cmp(&points[a]).then(a.cmp(&b)));
    let mut bye = None;
    if order.len() % 2 == 1 {
        // The bye goes to the last player in order among those with the fewest byes.
        let fewest = byes.iter().min().copied().unwrap_or_default();
        let place = order.iter().rposition(|&player| byes[player] == fewest);
        bye = place.map(|place| order.remove(place));
    }
    let most = met.iter().flatten().max().copied().unwrap_or_default();
    for allowed in 0..=most {
        let (mut pairs, mut tries) = (Vec::new(), TRIES);
        if pair_up(&order, met, allowed, &mut pairs, &mut tries) {
            return SwissRound { pairs, bye };
        }
    }
    let pairs = order.chunks_exact(2).map(|two| (two[0], two[1])).collect();
    SwissRound { pairs, bye }
}

/// Pairs the best player left with the next best that it has met at most `allowed` times, and so on.
fn pair_up(
    left: &[usize],
    met: &[Vec<u32>],
    allowed: u32,
    pairs: &mut Vec<(usize, usize)>,
    tries: &mut u32,
) -> bool {
    let Some((&first, others)) = left.split_first() else {
        return true;
    };
    for (place, &second) in others.iter().enumerate() {
        if met[first][second] > allowed {
            continue;
        }
        let Some(fewer) = tries.checked_sub(1) else {
            return false;
        };
        *tries = fewer;
        pairs.push((first, second));
        let mut rest = others.to_vec();
        rest.remove(place);
        if pair_up(&rest, met, allowed, pairs, tries) {
            return true;
        }
        pairs.pop();
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_player_meets_every_other_once() {
        assert_eq!(first_rounds(Schedule::RoundRobin, 4).len(), 6);
        assert_eq!(
            first_rounds(Schedule::Gauntlet, 4),
            [(0, 1), (0, 2), (0, 3)]
        );
        assert!(first_rounds(Schedule::Gauntlet, 0).is_empty());
    }

    #[test]
    fn swiss_rounds_avoid_rematches_and_share_byes() {
        let players = 5;
        let mut points = vec![0.0; players];
        let mut met = vec![vec![0; players]; players];
        let mut byes = vec![0; players];
        for _ in 0..5 {
            let round = swiss_round(&points, &met, &byes);
            assert_eq!(round.pairs.len(), 2);
            let bye = round.bye.expect("an odd number of players");
            byes[bye] += 1;
            points[bye] += 2.0;
            for (a, b) in round.pairs {
                assert!(a != b && a != bye && b != bye);
                met[a][b] += 1;
                met[b][a] += 1;
                points[a.min(b)] += 2.0;
            }
        }
        assert_eq!(byes, [1; 5]);
    }

    #[test]
    fn equals_meet_and_rematches_come_last() {
        let points = [4.0, 4.0, 0.0, 0.0];
        let none = vec![vec![0; 4]; 4];
        assert_eq!(swiss_round(&points, &none, &[0; 4]).pairs, [(0, 1), (2, 3)]);
        let mut met = none;
        for (a, b) in [(0, 1), (1, 0)] {
            met[a][b] = 1;
        }
        assert_eq!(swiss_round(&points, &met, &[0; 4]).pairs, [(0, 2), (1, 3)]);
        let all = vec![vec![1; 4]; 4];
        assert_eq!(swiss_round(&points, &all, &[0; 4]).pairs, [(0, 1), (2, 3)]);
    }
}
