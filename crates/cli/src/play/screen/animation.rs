//! A move shown step by step.

use crate::play::session::Ply;
use crate::play::words::{Names, sentence};
use kalahari_games::isolation::{Cell, CellState};
use kalahari_games::story::{House, Step, Taken, seeds_of};
use kalahari_games::{Player, View};
use std::time::{Duration, Instant};

/// What draws the eye to a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mark {
    /// Seeds were lifted here, or a piece stood here.
    Left,
    /// A seed fell here, or a piece stands here now.
    Reached,
    /// What lies here is about to be taken.
    Taken,
    /// Seeds were banked here.
    Banked,
}

/// One picture of an animation.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Still {
    pub(crate) view: View,
    /// Marked places: houses in board order, or cells row by row.
    pub(crate) marks: Vec<(usize, Mark)>,
    /// What has happened so far, in words.
    pub(crate) caption: String,
    /// Seeds still in the hand.
    pub(crate) hand: u32,
    /// How many steps' time it stays.
    steps: u32,
}

/// A move that is being shown.
#[derive(Clone, Debug)]
pub(crate) struct Animation {
    stills: Vec<Still>,
    current: usize,
    step: Duration,
    since: Instant,
}

impl Animation {
    /// The move `ply`, which was played on the board `before`.
    pub(crate) fn new(
        before: View,
        ply: &Ply,
        names: &Names,
        step: Duration,
        now: Instant,
    ) -> Animation {
        let mut film = Film {
            view: before,
            caption: String::new(),
            hand: 0,
            stills: Vec::new(),
        };
        for step in &ply.story {
            film.shoot(step, names);
        }
        Animation {
            stills: film.stills,
            current: 0,
            step,
            since: now,
        }
    }

    /// What is to be seen; `None` when it is over.
    pub(crate) fn still(&self) -> Option<&Still> {
        self.stills.get(self.current)
    }

    /// Turns to the picture of this moment.
    pub(crate) fn advance(&mut self, now: Instant) {
        while let Some(still) = self.stills.get(self.current) {
            let length = self.step * still.steps;
            if now.saturating_duration_since(self.since) < length {
                return;
            }
            self.since += length;
            self.current += 1;
        }
    }
}

/// The board while the story is told.
struct Film {
    view: View,
    caption: String,
    hand: u32,
    stills: Vec<Still>,
}

/// How many steps' time things stay that are worth a longer look.
const LONG: u32 = 4;

impl Film {
    fn take(&mut self, marks: Vec<(usize, Mark)>, steps: u32) {
        self.stills.push(Still {
            view: self.view.clone(),
            marks,
            caption: self.caption.clone(),
            hand: self.hand,
            steps,
        });
    }

    fn shoot(&mut self, step: &Step, names: &Names) {
        if let Some(sentence) = sentence(step, names) {
            if !self.caption.is_empty() {
                self.caption.push(' ');
            }
            self.caption += &sentence;
        }
        match step {
            Step::Lift { player, pit, seeds } => {
                let place = self.place(*player, Some(*pit));
                self.set_seeds(place, 0);
                self.hand = *seeds;
                self.take(vec![(place, Mark::Left)], 2);
            }
            Step::Sow { house, now } => {
                let House { player, pit } = *house;
                let place = self.place(player, pit);
                self.set_seeds(place, *now);
                self.hand = self.hand.saturating_sub(1);
                self.take(vec![(place, Mark::Reached)], 1);
            }
            Step::Capture { player, from } | Step::Sweep { player, from } => {
                self.bank(*player, from);
            }
            Step::Again { player } => {
                let store = self.place(*player, None);
                self.take(vec![(store, Mark::Banked)], LONG);
            }
            Step::Go { player, from, to } => self.go(*player, *from, *to),
            Step::Block { .. } => {}
            Step::Remove { cell } => {
                let place = self.set_cell(*cell, CellState::Blocked);
                self.take(vec![(place, Mark::Taken)], LONG);
            }
            Step::Pass { .. } => self.take(Vec::new(), LONG),
        }
    }

    /// Shows the pits whose seeds are taken, then the store that gets them.
    fn bank(&mut self, player: Player, from: &[Taken]) {
        let places: Vec<usize> = from
            .iter()
            .map(|taken| self.place(taken.player, Some(taken.pit)))
            .collect();
        self.take(places.iter().map(|&p| (p, Mark::Taken)).collect(), LONG);
        for &place in &places {
            self.set_seeds(place, 0);
        }
        let store = self.place(player, None);
        let seeds = seeds_of(from);
        if let View::Kalah(setup) = &self.view {
            let held = u32::from(setup.houses[store]);
            self.set_seeds(store, held + seeds);
        }
        self.take(vec![(store, Mark::Banked)], LONG);
    }

    fn go(&mut self, player: Player, from: Option<Cell>, to: Cell) {
        let mut marks = Vec::new();
        if let Some(from) = from {
            marks.push((self.set_cell(from, CellState::Free), Mark::Left));
        }
        marks.push((self.set_cell(to, CellState::Piece(player)), Mark::Reached));
        self.take(marks, LONG);
    }

    /// A house in board order; `None` is the store.
    fn place(&self, player: Player, pit: Option<usize>) -> usize {
        let pits = match &self.view {
            View::Kalah(setup) => setup.pits(),
            View::Isolation(_) => 0,
        };
        player.index() * (pits + 1) + pit.unwrap_or(pits)
    }

    fn set_seeds(&mut self, place: usize, seeds: u32) {
        if let View::Kalah(setup) = &mut self.view {
            setup.houses[place] = seeds as u16;
        }
    }

    fn set_cell(&mut self, cell: Cell, state: CellState) -> usize {
        let View::Isolation(setup) = &mut self.view else {
            return 0;
        };
        setup.rows[cell.row()][cell.col()] = state;
        cell.row() * setup.rows[0].len() + cell.col()
    }
}
