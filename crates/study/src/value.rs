//! What a position or a move is worth, and in what.

use kalahari_search::eval::Evaluation;
use kalahari_search::{Report, Searchable};
use std::cmp::Ordering;

/// What an amount counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Measure {
    /// Kalah: seeds of the final margin.
    Seeds,
    /// `trail` Isolation: cells of the final margin.
    Cells,
    /// Other Isolation: a win is 1, a loss -1.
    Result,
    /// Isolation: an evaluation, which says little about the margin.
    Points,
}

impl Measure {
    /// Its name.
    pub const fn name(self) -> &'static str {
        match self {
            Measure::Seeds => "seeds",
            Measure::Cells => "cells",
            Measure::Result => "result",
            Measure::Points => "points",
        }
    }
}

/// What something is worth to a player, who has to be named where it is used.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Value {
    /// How much; positive is good.
    pub amount: f64,
    /// In what.
    pub measure: Measure,
    /// Whether it is the truth rather than an estimate.
    pub proven: bool,
}

/// An evaluation that looks this large is the value of a finished game.
const DECIDED: f64 = 50_000_000.0;

impl Value {
    /// The value that a report gives to the player to move.
    pub fn of_report<G: Searchable>(game: &G, report: &Report<G::Move>) -> Self {
        let eval = G::Eval::of_choice();
        let final_measure = match (eval.point(), game.has_margins()) {
            (1.., _) => Measure::Seeds,
            (_, true) => Measure::Cells,
            (_, false) => Measure::Result,
        };
        let (amount, measure) = match (report.proven, final_measure) {
            (true, measure) => (report.value, measure),
            (false, Measure::Seeds) => (report.value / f64::from(eval.point()), Measure::Seeds),
            (false, measure) if report.value.abs() >= DECIDED => {
                let margin = eval.margin(report.value as i32);
                (f64::from(margin), measure)
            }
            (false, _) => (report.value, Measure::Points),
        };
        Value {
            amount,
            measure,
            proven: report.proven,
        }
    }

    /// The same for the other player.
    pub fn turned(self) -> Self {
        Value {
            amount: -self.amount,
            ..self
        }
    }

    /// How good it is, from -1 (lost) to 1 (won): to draw it, and to compare different measures.
    pub fn prospect(self) -> f64 {
        /// Estimates this large are most likely right about the winner.
        const CLEAR: f64 = 8.0;
        let sign = match self.amount.total_cmp(&0.0) {
            _ if self.amount == 0.0 => 0.0,
            Ordering::Less => -1.0,
            _ => 1.0,
        };
        match (self.proven, self.measure) {
            (true, _) => sign,
            (false, Measure::Cells | Measure::Result) => 0.99 * sign,
            (false, Measure::Seeds | Measure::Points) => 0.98 * (self.amount / CLEAR).tanh(),
        }
    }

    /// Compares two values of the same player: the larger is the better one.
    pub fn compare(self, other: Value) -> Ordering {
        if self.measure == other.measure {
            return self.amount.total_cmp(&other.amount);
        }
        self.prospect().total_cmp(&other.prospect())
    }
}
