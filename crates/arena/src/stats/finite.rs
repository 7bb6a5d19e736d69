//! Whether the games of many players give finite ratings in Davidson's model (see [`super::ratings`]), and which players
//! are linked by games at all.

use super::ratings::Encounter;

/// The group of every player, named by its first player. Players are in one group if a chain of games links them.
pub(super) fn group_of(players: usize, encounters: &[Encounter]) -> Vec<usize> {
    let mut group_of: Vec<usize> = (0..players).collect();
    for e in encounters {
        let (one, two) = (group_of[e.first], group_of[e.second]);
        let (low, high) = (one.min(two), one.max(two));
        for group in group_of.iter_mut().filter(|group| **group == high) {
            *group = low;
        }
    }
    group_of
}

/// Whether the log-likelihood has its maximum at a finite point.
///
/// It has none if and only if it can be followed for ever without loss: strengths change by d and ln v by c. The chance of a win
/// of i over j keeps up if d_i - d_j >= max(2c, 0), that of a draw if |d_i - d_j| <= 2c. So c < 0 would need a fit without
/// draws, where v is 0 and no parameter. With c = 0 a player's d is at least that of everyone it won or drew against: all d
/// of a group are equal if and only if it [is bound](is_bound). And c > 0 is possible if and only if the conditions [can be
/// met](can_spread) with 2c = 1, by all groups at once, since v is the same for all.
pub(super) fn is_finite(group_of: &[usize], encounters: &[Encounter]) -> bool {
    let with_draws = encounters.iter().any(|e| e.draws > 0);
    is_bound(group_of, encounters) && !(with_draws && can_spread(group_of.len(), encounters))
}

/// Whether, within every group, each player is linked to each other one by a chain of "won or drew against".
fn is_bound(group_of: &[usize], encounters: &[Encounter]) -> bool {
    let players = group_of.len();
    let mut scored = vec![Vec::new(); players];
    let mut was_scored = vec![Vec::new(); players];
    for e in encounters {
        for (from, to, wins) in [(e.first, e.second, e.wins), (e.second, e.first, e.losses)] {
            if wins + e.draws > 0 {
                scored[from].push(to);
                was_scored[to].push(from);
            }
        }
    }
    [scored, was_scored].iter().all(|edges| {
        let mut seen = vec![false; players];
        let mut open: Vec<usize> = (0..players).filter(|p| group_of[*p] == *p).collect();
        while let Some(player) = open.pop() {
            if !std::mem::replace(&mut seen[player], true) {
                open.extend(&edges[player]);
            }
        }
        seen.iter().all(|seen| *seen)
    })
}

/// Whether there are numbers d with d_i - d_j >= 1 for every win of i over j and |d_i - d_j| <= 1 for every draw. By the
/// method of Bellman and Ford: there are none if and only if going round a cycle of these bounds makes a number smaller.
fn can_spread(players: usize, encounters: &[Encounter]) -> bool {
    // (i, j, bound): d_j - d_i is at most the bound.
    let bounds: Vec<(usize, usize, i64)> = encounters
        .iter()
        .flat_map(|e| {
            let ways = [(e.first, e.second, e.wins), (e.second, e.first, e.losses)];
            ways.into_iter().flat_map(move |(i, j, wins)| {
                let won = (wins > 0).then_some((i, j, -1));
                let drawn = (e.draws > 0).then_some((i, j, 1));
                won.into_iter().chain(drawn)
            })
        })
        .collect();
    let mut least = vec![0_i64; players];
    for _ in 0..=players {
        let mut settled = true;
        for &(i, j, bound) in &bounds {
            if least[i] + bound < least[j] {
                least[j] = least[i] + bound;
                settled = false;
            }
        }
        if settled {
            return true;
        }
    }
    false
}
