//! The moves of the root: their order, their windows, and what is proven about them.

use super::found::{Found, LOWEST};
use super::order::{Candidate, pick};
use super::search::Searcher;
use crate::eval::Evaluation;
use crate::{Aim, Searchable};
use kalahari_terms::Bounds;

/// Values of the root's moves at a finished depth; the best first.
pub(super) struct Iteration<G: Searchable> {
    pub(super) best: Found,
    pub(super) values: Vec<(G::Move, Found)>,
}

/// The root's moves, best guess first.
pub(super) struct Root<G: Searchable> {
    pub(super) candidates: Vec<Candidate<G>>,
    /// Proven bounds of the moves' final margins, as the player to move sees them; empty if there is no source of proofs.
    pub(super) bounds: Vec<(G::Move, Bounds)>,
}

impl<G: Searchable> Root<G> {
    pub(super) fn new(game: &G, position: G::Position) -> Self {
        let mover = game.to_move(&position);
        let mut candidates: Vec<Candidate<G>> = (0_u16..)
            .zip(game.moves(&position))
            .map(|(number, mv)| {
                let child = game.play_unchecked(&position, mv);
                Candidate {
                    number,
                    mv,
                    child,
                    place: None,
                    again: game.to_move(&child) == mover,
                    score: game.promise(&position, mv, &child),
                }
            })
            .collect();
        for i in 0..candidates.len() {
            pick(&mut candidates, i);
        }
        Root {
            candidates,
            bounds: Vec::new(),
        }
    }

    /// The value of a move within a window. It always stays within the proven bounds of the move, whatever the search says.
    fn move_value<E: Evaluation<G>>(
        &self,
        searcher: &mut Searcher<'_, G, E>,
        candidate: &Candidate<G>,
        depth: i32,
        alpha: i32,
        beta: i32,
    ) -> Found {
        let (least, most) = self.proven_range(searcher, candidate);
        if least == most || most <= alpha {
            return Found::proven(most);
        }
        if least >= beta {
            return Found::proven(least);
        }
        let (alpha, beta) = (alpha.max(least - 1), beta.min(most + 1));
        let child = &candidate.child;
        let found = if candidate.again {
            searcher.value(child, None, depth - 1, alpha, beta, true)
        } else {
            searcher
                .value(child, None, depth - 1, -beta, -alpha, false)
                .negated()
        };
        Found {
            value: found.value.clamp(least, most),
            ..found
        }
    }

    /// The proven range of a move's value.
    fn proven_range<E: Evaluation<G>>(
        &self,
        searcher: &Searcher<'_, G, E>,
        candidate: &Candidate<G>,
    ) -> (i32, i32) {
        let known = self.bounds.iter().find(|(mv, _)| *mv == candidate.mv);
        known.map_or((LOWEST, -LOWEST), |(_, bounds)| {
            searcher.finished_range(*bounds)
        })
    }

    /// Begins to keep proven bounds of the moves: at first only those that follow from the rules.
    pub(super) fn keep_bounds(&mut self, game: &G) {
        let bounds = |candidate: &Candidate<G>| {
            let (lower, upper) = game.reachable(&candidate.child);
            let bounds = Bounds { lower, upper };
            let bounds = if candidate.again {
                bounds
            } else {
                bounds.turned()
            };
            (candidate.mv, bounds)
        };
        self.bounds = self.candidates.iter().map(bounds).collect();
    }

    /// The proven bounds of the moves, the best-looking move first.
    pub(super) fn bounds_in_order(&mut self) -> &mut [(G::Move, Bounds)] {
        let candidates = &self.candidates;
        let place = |mv: G::Move| candidates.iter().position(|candidate| candidate.mv == mv);
        self.bounds.sort_by_key(|(mv, _)| place(*mv));
        &mut self.bounds
    }

    /// The result of the proofs, if they are complete: the value of the root and a move that keeps it, or, if they are wanted,
    /// the values of all moves.
    pub(super) fn by_proofs<E: Evaluation<G>>(
        &mut self,
        searcher: &Searcher<'_, G, E>,
        aim: Aim,
    ) -> Option<Iteration<G>> {
        let all = || self.bounds.iter().map(|(_, bounds)| bounds);
        let best = all().map(|bounds| bounds.lower).max()?;
        let is_settled = match aim {
            Aim::Value => all().all(|bounds| bounds.upper <= best),
            Aim::EveryMove => all().all(|bounds| bounds.lower == bounds.upper),
        };
        if !is_settled {
            return None;
        }
        let keeps = |&(mv, bounds): &(G::Move, Bounds)| (bounds.lower == best).then_some(mv);
        let mut mvs = self.candidates.iter().map(|candidate| candidate.mv);
        let holder = mvs.find(|mv| self.bounds.iter().filter_map(keeps).any(|kept| kept == *mv))?;
        let found = |&(mv, bounds): &(G::Move, Bounds)| {
            // For the other moves an upper bound is known, which may be equal to the value.
            let (least, most) = searcher.finished_range(bounds);
            (mv, Found::proven(if mv == holder { least } else { most }))
        };
        let mut values: Vec<_> = self.bounds.iter().map(found).collect();
        let place = values.iter().position(|(mv, _)| *mv == holder)?;
        values[..=place].rotate_right(1);
        self.finish(values, true)
    }

    /// The value of the root and the moves that keep it, if the game's theory knows them; with `all`, of all moves.
    pub(super) fn by_theory<E: Evaluation<G>>(
        &mut self,
        searcher: &mut Searcher<'_, G, E>,
        position: &G::Position,
        all: bool,
    ) -> Option<Iteration<G>> {
        if !searcher.techniques.theory {
            return None;
        }
        let best = searcher.exact_by_theory(position)?;
        let mut values = Vec::new();
        for candidate in &self.candidates {
            let found = searcher.exact_by_theory(&candidate.child)?;
            let value = match candidate.again {
                true => found.value,
                false => -found.value,
            };
            values.push((candidate.mv, Found { value, ..found }));
            if value == best.value && !all {
                break;
            }
        }
        self.finish(values, true)
    }

    /// Searches all moves with full windows.
    pub(super) fn all_values<E: Evaluation<G>>(
        &mut self,
        searcher: &mut Searcher<'_, G, E>,
        depth: i32,
    ) -> Option<Iteration<G>> {
        let mut values = Vec::new();
        for candidate in &self.candidates {
            let found = self.move_value(searcher, candidate, depth, LOWEST, -LOWEST);
            if searcher.budget.is_spent() {
                return None;
            }
            values.push((candidate.mv, found));
        }
        self.finish(values, true)
    }

    /// Searches for the best move with an aspiration window around `guess` that widens as needed.
    ///
    /// If the budget runs out, the moves searched so far still count if a new best one is among them.
    pub(super) fn best_value<E: Evaluation<G>>(
        &mut self,
        searcher: &mut Searcher<'_, G, E>,
        depth: i32,
        guess: Option<i32>,
        width: i32,
    ) -> Option<Iteration<G>> {
        let mut width = width;
        let (mut low, mut high) = match guess {
            Some(guess) => (
                guess.saturating_sub(width).max(LOWEST),
                guess.saturating_add(width),
            ),
            None => (LOWEST, -LOWEST),
        };
        loop {
            let mut alpha = low;
            let mut values: Vec<(G::Move, Found)> = Vec::new();
            for (i, candidate) in self.candidates.iter().enumerate() {
                let mut found = None;
                if i > 0 && alpha > LOWEST {
                    let quick = self.move_value(searcher, candidate, depth, alpha, alpha + 1);
                    if quick.value <= alpha {
                        found = Some(quick);
                    }
                }
                let found = match found {
                    Some(found) => found,
                    None if searcher.budget.is_spent() => Found {
                        value: LOWEST,
                        complete: false,
                    },
                    None => self.move_value(searcher, candidate, depth, alpha, high),
                };
                if searcher.budget.is_spent() {
                    // A move better than the last depth's best is worth keeping.
                    return (values.len() > 1 && alpha > low)
                        .then(|| self.finish(values, false))?;
                }
                values.push((candidate.mv, found));
                alpha = alpha.max(found.value);
                if alpha >= high {
                    break;
                }
            }
            let best = values.iter().map(|(_, found)| found.value).max()?;
            width = width.saturating_mul(4);
            if best <= low && low > LOWEST {
                low = if width > 1 << 20 {
                    LOWEST
                } else {
                    best.saturating_sub(width).max(LOWEST)
                };
            } else if best >= high && high < -LOWEST {
                // Try the move that failed high first.
                self.bring_forward(&values);
                high = if width > 1 << 20 {
                    -LOWEST
                } else {
                    best.saturating_add(width)
                };
            } else {
                return self.finish(values, true);
            }
        }
    }

    fn bring_forward(&mut self, values: &[(G::Move, Found)]) {
        if let Some((mv, _)) = values.iter().max_by_key(|(_, found)| found.value)
            && let Some(place) = self.candidates.iter().position(|c| c.mv == *mv)
        {
            self.candidates[..=place].rotate_right(1);
        }
    }

    /// Contempt: if the best move is proven to draw, a move that is not proven and looks hardly worse takes its place.
    ///
    /// This only chooses among the root's moves: values and proofs stay as they are.
    pub(super) fn rather_than_a_draw<E: Evaluation<G>>(
        &self,
        searcher: &mut Searcher<'_, G, E>,
        iteration: &mut Iteration<G>,
        depth: i32,
    ) {
        let (contempt, draw) = (searcher.techniques.contempt, searcher.scale.finished(0));
        let best = iteration.values.first().map(|&(_, found)| found);
        if contempt == 0 || best != Some(Found::proven(draw)) {
            return;
        }
        let mut least = draw - contempt;
        let mut chosen = None;
        for (place, &(mv, known)) in iteration.values.iter().enumerate() {
            let candidate = self.candidates.iter().find(|candidate| candidate.mv == mv);
            let Some(candidate) = candidate.filter(|_| !known.complete) else {
                continue;
            };
            // A move that is proven to lose is worse than any draw.
            let hope = self.move_value(searcher, candidate, depth, draw - 1, draw);
            if hope.complete && hope.value < draw {
                continue;
            }
            let found = self.move_value(searcher, candidate, depth, least, draw + 1);
            if searcher.budget.is_spent() {
                break;
            }
            if found.value > least && !found.complete {
                least = found.value;
                chosen = Some((place, found));
            }
        }
        if let Some((place, found)) = chosen {
            iteration.values[..=place].rotate_right(1);
            iteration.values[0].1 = found;
            iteration.best = found;
        }
    }

    /// Orders the root by what was found: the best move first, the others as they were.
    fn finish(&mut self, values: Vec<(G::Move, Found)>, whole: bool) -> Option<Iteration<G>> {
        let top = values.iter().map(|(_, found)| found.value).max()?;
        // The first of equals: later ones may only be bounds.
        let best = values.iter().position(|(_, found)| found.value == top)?;
        let mut values = values;
        let complete = whole && values.iter().all(|(_, found)| found.complete);
        values[..=best].rotate_right(1);
        if let Some(place) = self.candidates.iter().position(|c| c.mv == values[0].0) {
            self.candidates[..=place].rotate_right(1);
        }
        Some(Iteration {
            best: Found {
                value: top,
                complete,
            },
            values,
        })
    }
}
