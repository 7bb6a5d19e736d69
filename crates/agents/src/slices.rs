//! Thinking in slices, for platforms without threads: a web worker has to handle messages in between.

use crate::{AnyReport, Mind, NoAnswer, Question};
use kalahari_terms::{Limits, Stop};
use std::time::Duration;

/// A question that is answered slice by slice. Transposition tables and trees are kept from slice to slice. If a slice gets no deeper
/// than the one before, the next slice is twice as long.
///
/// If the depth or the nodes are limited but the time is not, the question is answered in a single slice, because such an answer
/// must not depend on how fast the machine is.
#[derive(Debug)]
pub struct Slices {
    question: Question,
    slice: Duration,
    used: Duration,
    nodes: u64,
    best: Option<AnyReport>,
}

/// How far a sliced search has got.
#[derive(Clone, Debug, PartialEq)]
pub enum Slice {
    /// The result so far; the search is not finished.
    More(AnyReport),
    /// The answer.
    Done(AnyReport),
}

impl Slices {
    /// Prepares to answer a question in slices of about this duration.
    pub fn new(question: Question, slice: Duration) -> Self {
        Slices {
            question,
            slice,
            used: Duration::ZERO,
            nodes: 0,
            best: None,
        }
    }

    /// Thinks for one slice. Pass the same mind every time. `tell` is called with intermediate results that are at least as deep
    /// as that of the slice before.
    pub fn step(
        &mut self,
        mind: &mut dyn Mind,
        stop: &Stop,
        tell: &mut dyn FnMut(&AnyReport),
    ) -> Result<Slice, NoAnswer> {
        let limits = mind.limits(self.question.limits);
        let whole = limits.move_time();
        let in_one = whole.is_none() && (limits.nodes.is_some() || limits.depth.is_some());
        let left = whole.map(|whole| whole.saturating_sub(self.used));
        let slice = match in_one {
            true => None,
            false => Some(left.unwrap_or(Duration::MAX).min(self.slice)),
        };
        let question = Question {
            limits: limits.and(Limits {
                time: slice,
                nodes: limits
                    .nodes
                    .map(|nodes| nodes.saturating_sub(self.nodes).max(1)),
                ..Limits::NONE
            }),
            ..self.question
        };
        let begin = stop.now();
        let (nodes, used, deepest) = (
            self.nodes,
            self.used,
            self.best.as_ref().map_or(0, |best| best.depth),
        );
        let mut on_the_way = |report: &AnyReport| {
            if report.depth >= deepest {
                tell(&AnyReport {
                    nodes: nodes + report.nodes,
                    elapsed: used + report.elapsed,
                    ..report.clone()
                });
            }
        };
        let mut report = mind.answer(&question, stop, &mut on_the_way)?;
        self.used += stop.now().saturating_sub(begin);
        self.nodes += report.nodes;
        report.nodes = self.nodes;
        report.elapsed = self.used;
        if let Some(best) = self.best.take() {
            if report.depth <= best.depth && !report.score.is_proven() {
                self.slice = self.slice.saturating_mul(2);
            }
            // A slice that was too short to reach the earlier depth again: keep the earlier result.
            if report.depth < best.depth && !report.score.is_proven() {
                report = AnyReport {
                    nodes: self.nodes,
                    elapsed: self.used,
                    ..best
                };
            }
        }
        self.best = Some(report.clone());
        let settled = match self.question.all_moves {
            true => report.moves.iter().all(|(_, score)| score.is_proven()),
            false => true,
        };
        let done = in_one
            || stop.is_requested()
            || (report.score.is_proven() && settled)
            || whole.is_some_and(|whole| self.used >= whole)
            || limits.depth.is_some_and(|depth| report.depth >= depth)
            || limits.nodes.is_some_and(|nodes| self.nodes >= nodes);
        Ok(match done {
            true => Slice::Done(report),
            false => Slice::More(report),
        })
    }
}
