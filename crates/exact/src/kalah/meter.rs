//! The progress of a window, for people who watch a long proof.
//!
//! One of its threads notes which move it is searching in each of the first plies. Each finished move of a ply counts as an
//! equal share of the move above it. Moves are not equally expensive, and a cutoff saves all others, so this is a rough
//! measure; but it never decreases within a window.

use kalahari_games::kalah::{MAX_PITS, Pit};
use std::sync::atomic::{AtomicI32, AtomicU8, AtomicU32, Ordering};

/// The number of plies that are noted.
pub(crate) const METERED: usize = 4;

/// What has become of a move of the root in a window.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MoveState {
    /// It has not been searched yet.
    Open,
    /// It is being searched.
    UnderWay,
    /// It does not reach the window.
    Below,
}

impl MoveState {
    /// A word for it.
    pub const fn name(self) -> &'static str {
        match self {
            MoveState::Open => "open",
            MoveState::UnderWay => "under way",
            MoveState::Below => "below",
        }
    }
}

/// The state of a window.
#[derive(Clone, Debug, PartialEq)]
pub struct Glimpse {
    /// The question: is the *final* margin at least this?
    pub window: i32,
    /// The moves of the root that are not decided by tables, and what has become of them.
    pub moves: Vec<(Pit, MoveState)>,
    /// The share of the frontier that is done, 0 to 1.
    pub share: f64,
}

/// What the watched thread notes.
#[derive(Debug, Default)]
pub(crate) struct Meter {
    window: AtomicI32,
    /// The moves done and all moves, by ply.
    plies: [(AtomicU8, AtomicU8); METERED],
    /// The pits of the root's moves, in their order.
    order: [AtomicU8; MAX_PITS],
    /// The number of windows begun.
    windows: AtomicU32,
}

impl Meter {
    /// A window begins.
    pub(crate) fn begin(&self, window: i32) {
        self.window.store(window, Ordering::Relaxed);
        for (done, of) in &self.plies {
            done.store(0, Ordering::Relaxed);
            of.store(0, Ordering::Relaxed);
        }
        self.windows.fetch_add(1, Ordering::Relaxed);
    }

    /// The watched thread begins a move of a ply: `done` of `of` moves are finished.
    pub(crate) fn at(&self, ply: usize, done: usize, of: usize) {
        self.plies[ply].0.store(done as u8, Ordering::Relaxed);
        self.plies[ply].1.store(of as u8, Ordering::Relaxed);
        for (_, of) in &self.plies[ply + 1..] {
            of.store(0, Ordering::Relaxed);
        }
    }

    /// The order of the root's moves.
    pub(crate) fn root(&self, pits: impl Iterator<Item = u8>) {
        for (place, pit) in self.order.iter().zip(pits) {
            place.store(pit, Ordering::Relaxed);
        }
    }

    /// The state of the current window; `None` before the first one.
    pub(crate) fn glimpse(&self) -> Option<Glimpse> {
        if self.windows.load(Ordering::Relaxed) == 0 {
            return None;
        }
        let (mut share, mut part) = (0.0, 1.0);
        for (done, of) in &self.plies {
            let of = f64::from(of.load(Ordering::Relaxed));
            if of == 0.0 {
                break;
            }
            part /= of;
            share += part * f64::from(done.load(Ordering::Relaxed));
        }
        let (done, of) = &self.plies[0];
        let (done, of) = (done.load(Ordering::Relaxed), of.load(Ordering::Relaxed));
        let state = |turn: u8| match turn {
            _ if turn < done => MoveState::Below,
            _ if turn == done => MoveState::UnderWay,
            _ => MoveState::Open,
        };
        let moves = (0..of)
            .zip(&self.order)
            .map(|(turn, pit)| (Pit(pit.load(Ordering::Relaxed)), state(turn)))
            .collect();
        Some(Glimpse {
            window: self.window.load(Ordering::Relaxed),
            moves,
            share: share.min(1.0),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_grow_with_moves_and_plies() {
        let meter = Meter::default();
        assert_eq!(meter.glimpse(), None);
        meter.begin(4);
        meter.root([3, 5].into_iter());
        meter.at(0, 0, 2);
        meter.at(1, 1, 4);
        let glimpse = meter.glimpse().expect("begun");
        assert_eq!((glimpse.window, glimpse.share), (4, 0.125));
        assert_eq!(
            glimpse.moves,
            [(Pit(3), MoveState::UnderWay), (Pit(5), MoveState::Open)]
        );
        meter.at(0, 1, 2);
        let glimpse = meter.glimpse().expect("begun");
        assert_eq!(glimpse.share, 0.5);
        assert_eq!(glimpse.moves[0].1, MoveState::Below);
    }
}
