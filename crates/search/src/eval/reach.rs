//! `reach`: who gets to each cell first.
//!
//! Two floods run at once from the two pieces. A cell belongs to the player whose flood reaches it first. How to count cells
//! that both reach in the same number of moves depends on the rule, and was found by playing (`docs/tuning.md`):
//!
//! - in `trail` they belong to neither, and both floods continue from them;
//! - elsewhere the mover is a half-step ahead: they are the mover's, count `tie` less each, and stop the opponent's flood.
//!
//! Each move available to a piece counts `steps`. In `trail` the lead in cells visited is added, so the value estimates the
//! margin.

use super::registry::Named;
use super::{EvalError, Evaluation, Scale};
use crate::parameters::{Parameter, steps, tie};
use kalahari_games::GameSpec;
use kalahari_games::isolation::{Bits, Isolation, IsolationPosition, IsolationRule};

/// Cells the mover gets to first minus cells the opponent gets to first, and the lead.
#[derive(Clone, Copy, Debug)]
pub struct Reach {
    tie: i32,
    steps: i32,
}

impl<B: Bits> Evaluation<Isolation<B>> for Reach {
    #[inline]
    fn evaluate(&self, game: &Isolation<B>, position: &IsolationPosition<B>, _: bool) -> i32 {
        let mover = position.player();
        let (Some(at), Some(other_at)) = (position.piece(mover), position.piece(!mover)) else {
            return 0;
        };
        let (own, other) = (B::one(at), B::one(other_at));
        let cells = match game.isolation_spec().rule() {
            IsolationRule::Trail => position.lead() + shared(game, own, other, position.free()),
            _ => mover_first(game, own, other, position.free(), self.tie),
        };
        if self.steps == 0 {
            return cells;
        }
        let onward = |player| game.destinations(position, player).count() as i32;
        cells + self.steps * (onward(mover) - onward(!mover))
    }

    fn scale(&self) -> Scale {
        Scale {
            is_symmetric: true,
            ..Scale::cells()
        }
    }
}

/// Names and ranges of parameters are the same for all rules.
const ANY: IsolationRule = IsolationRule::Trail;

impl Reach {
    /// With the best parameters for a game's rule.
    pub(super) fn of_rule(spec: GameSpec) -> Self {
        let rule = spec.isolation().map_or(ANY, |spec| spec.rule());
        Reach {
            tie: tie(rule).value as i32,
            steps: steps(rule).value as i32,
        }
    }
}

impl Named for Reach {
    fn of_game(spec: GameSpec) -> Result<Self, EvalError> {
        Ok(Reach::of_rule(spec))
    }

    fn current(&self) -> Vec<Parameter> {
        vec![
            tie(ANY).with_value(f64::from(self.tie)),
            steps(ANY).with_value(f64::from(self.steps)),
        ]
    }

    fn set(&mut self, name: &str, value: f64) {
        let number = match name == tie(ANY).name {
            true => &mut self.tie,
            false => &mut self.steps,
        };
        *number = value as i32;
    }
}

/// Floods that continue from cells that both reach at the same time; such cells count for neither player.
#[inline]
fn shared<B: Bits>(game: &Isolation<B>, mut own: B, mut other: B, mut free: B) -> i32 {
    let mut ahead = 0;
    while !(own.is_empty() && other.is_empty()) {
        (own, other) = (game.spread(own, free), game.spread(other, free));
        free = free & !(own | other);
        ahead += own.count() as i32 - other.count() as i32;
    }
    ahead
}

/// Floods of which the mover's is a half-step ahead. Cells that the opponent would reach in the same number of moves count
/// `tie` less.
#[inline]
fn mover_first<B: Bits>(
    game: &Isolation<B>,
    mut own: B,
    mut other: B,
    mut free: B,
    tie: i32,
) -> i32 {
    let mut ahead = 0;
    while !(own.is_empty() && other.is_empty()) {
        own = game.spread(own, free);
        if tie != 0 {
            ahead -= tie * (game.spread(other, free) & own).count() as i32;
        }
        free = free & !own;
        other = game.spread(other, free);
        free = free & !other;
        ahead += own.count() as i32 - other.count() as i32;
    }
    ahead
}
