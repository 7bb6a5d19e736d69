//! One null window: is the future margin of a position at least `beta`?
//!
//! All values here are future margins, stores left out. With `n` seeds in the pits a future margin lies in
//! `-n..=n` and has the parity of `n`.

use crate::effort::Effort;
use crate::kalah::Techniques;
use crate::kalah::busy::Busy;
use crate::kalah::lane::{Lane, Progress, Question};
use crate::kalah::meter::Meter;
use crate::kalah::ordering::Guess;
use crate::kalah::table::Table;
use crate::tablebase::Tablebase;
use kalahari_games::kalah::{Board, Kalah};
use std::sync::atomic::{AtomicBool, Ordering};

/// What all lanes that search a window share.
pub(crate) struct Shared<'a, B: Board, T: Table> {
    pub(crate) game: &'a Kalah<B>,
    pub(crate) table: &'a T,
    pub(crate) tablebase: Option<&'a Tablebase>,
    pub(crate) techniques: Techniques,
    pub(crate) guess: &'a Guess,
    /// What the proof may spend and how much it has spent.
    pub(crate) effort: &'a Effort,
    /// Set by the lane that has the answer: the others can give up this window.
    pub(crate) answered: AtomicBool,
    pub(crate) busy: &'a Busy,
}

/// The next lane joins after the others have made this many steps: small windows are done by then.
const STEPS_ALONE: usize = 64;

/// A bound of the future margin: a lower bound if it is at least `beta`, otherwise an upper bound. `None` if the search was
/// stopped. `parallel` says whether other threads work on the same window; only one thread has the meter.
pub(crate) fn window<B: Board, T: Table>(
    shared: &Shared<'_, B, T>,
    position: &B,
    beta: i32,
    parallel: bool,
    meter: Option<&Meter>,
) -> Option<i32> {
    let seeds = position.seeds_in_play() as i32;
    if position.is_finished() {
        return Some(0);
    }
    if beta <= -seeds {
        return Some(-seeds);
    }
    if beta > seeds {
        return Some(seeds);
    }
    let tablebase = shared.tablebase;
    if let Some(exact) = tablebase.and_then(|table| table.future_margin(shared.game, position)) {
        return Some(exact);
    }
    let question = Question {
        position: *position,
        seeds,
        beta,
    };
    run(shared, &question, parallel, meter)
}

/// Lets the lanes of a thread take turns until one of them has the answer or all are stopped.
fn run<B: Board, T: Table>(
    shared: &Shared<'_, B, T>,
    question: &Question<B>,
    parallel: bool,
    meter: Option<&Meter>,
) -> Option<i32> {
    let most = shared.techniques.lanes.max(1);
    let parallel = parallel || most > 1;
    let mut account = shared.effort.account();
    let mut lanes: Vec<Lane<'_, B, T>> = Vec::with_capacity(most);
    let mut steps = 0;
    let found = 'turns: loop {
        if lanes.len() < most && steps >= STEPS_ALONE * lanes.len() {
            let meter = meter.filter(|_| lanes.is_empty());
            let (lane, progress) = Lane::new(shared, question, parallel, meter);
            if let Progress::Done(found) = progress {
                break found;
            }
            lanes.push(lane);
        }
        for lane in &mut lanes {
            steps += 1;
            // If one is stopped, so are all others.
            if let Progress::Done(found) = lane.step(&mut account) {
                break 'turns found;
            }
        }
    };
    if found.is_some() {
        shared.answered.store(true, Ordering::Relaxed);
    }
    for lane in &lanes {
        lane.leave_all();
    }
    found
}
