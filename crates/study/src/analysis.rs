//! A position analysed move by move, deeper and deeper.

use crate::value::Value;
use kalahari_agents::{AgentError, AgentSpec, Player};
use kalahari_search::{Limits, Searchable, Stop};

/// What is known of a legal move.
#[derive(Clone, Debug, PartialEq)]
pub struct MoveValue<M> {
    /// The move.
    pub mv: M,
    /// What it is worth to the player who makes it.
    pub value: Value,
    /// How deep it has been looked at, in plies, itself included.
    pub depth: u32,
    /// Best play, beginning with the move.
    pub line: Vec<M>,
}

/// The analysis of a position by the engine. What it has learned about one position helps with the next.
pub struct Analysis<G: Searchable> {
    game: G,
    engine: Player<G>,
    position: G::Position,
    /// In the game's order; empty until every move has been looked at once.
    moves: Vec<MoveValue<G::Move>>,
    /// The last depth that was finished for all moves.
    depth: u32,
    nodes: u64,
}

/// Why an analysis went no deeper.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Deepened {
    /// It did: another depth is finished.
    Deeper,
    /// It was stopped.
    Stopped,
    /// There is nothing left to learn: every move is proven, or there is none.
    Finished,
}

/// Deeper than any game goes.
const DEEPEST: u32 = 120;

impl<G: Searchable> Analysis<G> {
    /// The analysis of a position, with a table of `hash` MiB.
    pub fn new(game: &G, position: G::Position, hash: usize) -> Result<Self, AgentError> {
        let spec: AgentSpec = format!("engine:hash={}", hash.max(1)).parse()?;
        Ok(Analysis {
            game: game.clone(),
            engine: Player::new(&spec, game, 1)?,
            position,
            moves: Vec::new(),
            depth: 0,
            nodes: 0,
        })
    }

    /// Turns to another position of the same game.
    pub fn turn_to(&mut self, position: G::Position) {
        self.position = position;
        self.moves.clear();
        self.depth = 0;
    }

    /// The position.
    pub fn position(&self) -> &G::Position {
        &self.position
    }

    /// What is known of every legal move, in the game's order; empty until the first depth is finished.
    pub fn moves(&self) -> &[MoveValue<G::Move>] {
        &self.moves
    }

    /// The last depth that was finished for all moves that are not proven, in plies.
    pub fn depth(&self) -> u32 {
        self.depth
    }

    /// Nodes searched, for earlier positions too.
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// The best move, the first of equals; `None` when the game is over or nothing is known yet.
    pub fn best(&self) -> Option<&MoveValue<G::Move>> {
        self.moves
            .iter()
            .reduce(|best, next| match next.value.compare(best.value).is_gt() {
                true => next,
                false => best,
            })
    }

    /// What the position is worth to the player to move. It is proven if no other move can change it any more.
    pub fn value(&self) -> Option<Value> {
        if let Some(outcome) = self.game.outcome(&self.position) {
            let report = kalahari_search::Report::of_finished(&self.game, &self.position)?;
            let margin = outcome.margin(self.game.to_move(&self.position));
            let value = Value::of_report(&self.game, &report);
            let amount = f64::from(margin);
            return Some(Value { amount, ..value });
        }
        let best = self.best()?.value;
        let all_proven = self.moves.iter().all(|mv| mv.value.proven);
        let nothing_better = !self.game.has_margins() && best.amount > 0.0;
        let proven = best.proven && (all_proven || nothing_better);
        Some(Value { proven, ..best })
    }

    /// Looks deeper at every move that is not proven. `news` hears of every move that is done, once all have been
    /// looked at.
    pub fn deepen(&mut self, stop: &Stop, news: &mut dyn FnMut(&Self)) -> Deepened {
        let moves: Vec<G::Move> = self.game.moves(&self.position).collect();
        let proven = |analysis: &Self| {
            !analysis.moves.is_empty() && analysis.moves.iter().all(|mv| mv.value.proven)
        };
        // Values of equal parity are alike, so every other depth is shown.
        let depth = self.depth + 2;
        if moves.is_empty() || proven(self) || depth > DEEPEST {
            return Deepened::Finished;
        }
        let mut first = Vec::new();
        for (place, &mv) in moves.iter().enumerate() {
            let known = self.moves.get(place);
            if known.is_some_and(|known| known.value.proven || known.depth >= depth) {
                continue;
            }
            let Some(found) = self.look(mv, depth, stop) else {
                return Deepened::Stopped;
            };
            match self.moves.get_mut(place) {
                Some(known) => {
                    *known = found;
                    news(self);
                }
                None => first.push(found),
            }
        }
        if !first.is_empty() {
            self.moves = first;
        }
        self.depth = depth;
        match proven(self) {
            true => Deepened::Finished,
            false => Deepened::Deeper,
        }
    }

    /// Looks at one move; `None` if it was stopped.
    fn look(&mut self, mv: G::Move, depth: u32, stop: &Stop) -> Option<MoveValue<G::Move>> {
        let child = self.game.play_unchecked(&self.position, mv);
        let limits = Limits {
            depth: Some(depth - 1),
            ..Limits::default()
        };
        let report = self.engine.choose(child, limits, stop);
        self.nodes += report.nodes.max(1);
        if !report.proven && report.depth < depth - 1 {
            return None;
        }
        let value = Value::of_report(&self.game, &report);
        let again = self.game.to_move(&child) == self.game.to_move(&self.position);
        let mut line = vec![mv];
        line.extend(report.line);
        Some(MoveValue {
            mv,
            value: if again { value } else { value.turned() },
            depth,
            line,
        })
    }
}
