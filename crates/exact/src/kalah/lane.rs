//! One search of a window that can be suspended whenever it would wait for memory.
//!
//! A node reads a few bytes at random places of tables far larger than any cache, and waits for them several times as long as
//! it computes. So a lane keeps its path down the tree in frames of its own instead of on the stack of a thread: it
//! prefetches what the next node needs, and its thread works on another lane until that has arrived.

use crate::effort::Account;
use crate::kalah::meter::{METERED, Meter};
use crate::kalah::ordering::{SEED, gain};
use crate::kalah::search::Shared;
use crate::kalah::table::{Known, NO_MOVE, Table};
use crate::tablebase::{Coded, Tablebase};
use kalahari_games::Game;
use kalahari_games::kalah::{Board, MAX_PITS, Pit, Side};
use std::cmp::Reverse;
use std::sync::atomic::Ordering;

/// With at least this many seeds more than the tablebase, all moves are looked up in the table before any is searched. Below
/// that, the lookups take longer than the few cutoffs save.
const EARLY: usize = 8;
/// A position with at least this many seeds more than the tablebase is worth marking as busy.
const WORTH_MARKING: usize = 8;

/// After every this many nodes, a lane checks whether other lanes have decided a node on its path.
const LOOK_ROUND_EVERY: u64 = 64;

// How far to look ahead for move ordering: not at all up to `LOOK_ABOVE` seeds above the tablebase, then one turn further
// for every `LOOK_STEP` seeds. Measured together with the two bonuses below on kalah:6x4.
const LOOK_ABOVE: i32 = 4;
const LOOK_STEP: i32 = 4;
/// Looking at this many positions ahead is at most the work of a node.
const LOOKS_A_NODE: u64 = 64;
/// The weight of a seed banked by a move. It is more than that of a guessed seed: fewer seeds on the board make shorter proofs.
const GAIN: i32 = 9 * SEED / 2;
/// The bonus for an extra turn, in addition to its guess.
const EXTRA_TURN: i32 = 200;

/// An unfinished position that neither the tablebase nor its number of seeds decides, and the question about it.
#[derive(Clone, Copy)]
pub(crate) struct Question<B> {
    pub(crate) position: B,
    pub(crate) seeds: i32,
    /// Is the future margin at least this?
    pub(crate) beta: i32,
}

/// The state of a lane after a step.
pub(crate) enum Progress {
    /// What it needs next is on its way from memory.
    Waiting,
    /// A bound of the future margin that answers the question: a lower bound if it is at least `beta`, otherwise an upper
    /// bound. `None` if the search was stopped.
    Done(Option<i32>),
}

/// What the tables know about a node.
enum Found {
    /// The search is over.
    Stopped,
    /// A bound that decides it.
    Value(i32),
    /// It has to be searched.
    Open,
}

/// What a node does next.
enum Next {
    /// All its moves are done.
    Value(i32),
    /// A move has to be searched: the one in `under_way`.
    Move,
}

/// A search of one window.
pub(crate) struct Lane<'a, B: Board, T: Table> {
    shared: &'a Shared<'a, B, T>,
    tablebase_seeds: usize,
    /// Whether other lanes work on the same window.
    parallel: bool,
    meter: Option<&'a Meter>,
    /// The nodes that it has searched.
    nodes: u64,
    /// The node count after which to check what other lanes have decided.
    look_round_after: u64,
    /// The path from the root: the first `depth` frames. The others are kept for reuse.
    frames: Vec<Frame<B, T::Key>>,
    depth: usize,
}

/// A node that is being searched.
#[derive(Clone, Copy)]
struct Frame<B, K> {
    key: K,
    seeds: i32,
    beta: i32,
    /// The best proven value of the moves done so far.
    best: i32,
    /// The lane's nodes when it was begun.
    begun: u64,
    /// The places in the tablebase of the positions after some moves, and what these moves gain.
    places: [Place; MAX_PITS],
    place_count: usize,
    /// The other moves that the number of seeds does not decide.
    open: [Child<B, K>; MAX_PITS],
    open_count: usize,
    /// The open moves that the table does not decide, in the order in which they are tried.
    order: [u8; MAX_PITS],
    order_count: usize,
    /// The next place in the order.
    turn: usize,
    /// Whether the first move in the order is the best one of an earlier window.
    has_first: bool,
    /// Whether this is the second pass, over the moves that other lanes were busy with.
    second_pass: bool,
    /// Moves left for the second pass, by their place in `open`.
    put_off: u32,
    /// The move under way.
    under_way: u8,
    /// Whether all moves are looked up in the table first.
    early: bool,
    /// Whether moves under way are marked as busy.
    marks: bool,
}

#[derive(Clone, Copy)]
struct Place {
    place: usize,
    gain: i32,
    again: bool,
    /// Whether the number of seeds left in the pits is odd.
    is_odd: bool,
}

/// Turns a bound of the position after a move into one of the move's value for its mover, who gains `gain` by the move itself
/// and may move again.
#[inline]
fn to_mover(gain: i32, again: bool, found: i32) -> i32 {
    match again {
        true => gain + found,
        false => gain - found,
    }
}

impl Place {
    /// Turns a bound of the position after the move into one for the mover.
    #[inline]
    fn value(&self, found: i32) -> i32 {
        to_mover(self.gain, self.again, found)
    }

    /// A bound of the move's value that decides whether it reaches `beta`, if the code of the position after it is enough for
    /// that.
    #[inline]
    fn bound(&self, coded: Coded, beta: i32) -> Option<i32> {
        let (value, is_least) = match coded {
            Coded::Exactly(margin) => return Some(self.value(margin)),
            Coded::AtLeast(margin) => (self.value(margin), self.again),
            Coded::AtMost(margin) => (self.value(margin), !self.again),
        };
        ((value >= beta) == is_least).then_some(value)
    }
}

/// A move that is still open.
#[derive(Clone, Copy)]
struct Child<B, K> {
    position: B,
    /// Set only where the table is looked up early or moves are marked.
    key: K,
    /// What the mover gains over the opponent by the move itself.
    gain: i32,
    seeds: i32,
    order: i32,
    pit: u8,
    again: bool,
    finished: bool,
}

impl<B: Copy, K> Child<B, K> {
    /// Turns a bound of the position after the move into one for the mover.
    #[inline]
    fn value(&self, found: i32) -> i32 {
        to_mover(self.gain, self.again, found)
    }

    /// The question about the position after the move that corresponds to `beta` for the mover.
    #[inline]
    fn question(&self, beta: i32) -> Question<B> {
        Question {
            position: self.position,
            seeds: self.seeds,
            beta: match self.again {
                true => beta - self.gain,
                // The opponent must not get more than gain - beta.
                false => self.gain - beta + 1,
            },
        }
    }
}

impl<B: Board, K: Copy + Default> Frame<B, K> {
    /// An unused frame. The position is only a placeholder.
    fn new(position: &B) -> Self {
        let child = Child {
            position: *position,
            key: K::default(),
            gain: 0,
            seeds: 0,
            order: 0,
            pit: 0,
            again: false,
            finished: false,
        };
        let place = Place {
            place: 0,
            gain: 0,
            again: false,
            is_odd: false,
        };
        Frame {
            key: K::default(),
            seeds: 0,
            beta: 0,
            best: 0,
            begun: 0,
            places: [place; MAX_PITS],
            place_count: 0,
            open: [child; MAX_PITS],
            open_count: 0,
            order: [0; MAX_PITS],
            order_count: 0,
            turn: 0,
            has_first: false,
            second_pass: false,
            put_off: 0,
            under_way: 0,
            early: false,
            marks: false,
        }
    }
}

impl<'a, B: Board, T: Table> Lane<'a, B, T> {
    /// A lane that is about to answer a question and reports its progress to the meter, if there is one. `parallel` says
    /// whether others work on the same window.
    pub(crate) fn new(
        shared: &'a Shared<'a, B, T>,
        question: &Question<B>,
        parallel: bool,
        meter: Option<&'a Meter>,
    ) -> (Self, Progress) {
        let mut lane = Lane {
            shared,
            tablebase_seeds: shared.tablebase.map_or(0, Tablebase::seeds),
            parallel,
            meter,
            nodes: 0,
            look_round_after: LOOK_ROUND_EVERY,
            frames: Vec::new(),
            depth: 0,
        };
        let progress = match lane.expand(question) {
            Some(value) => Progress::Done(Some(value)),
            None => Progress::Waiting,
        };
        (lane, progress)
    }

    /// Continues with what it has waited for, until it has to wait again. Its nodes are charged to the account of its thread.
    pub(crate) fn step(&mut self, account: &mut Account<'_>) -> Progress {
        let mut value = match self.look_up(account) {
            Found::Stopped => return Progress::Done(None),
            Found::Value(value) => Some(value),
            Found::Open => None,
        };
        if self.parallel && self.nodes >= self.look_round_after {
            self.look_round_after = self.nodes + LOOK_ROUND_EVERY;
            value = self.look_round().or(value);
        }
        // A node that has a value is the last frame; its parent takes the value over.
        loop {
            while let Some(found) = value {
                self.depth -= 1;
                if self.depth == 0 {
                    return Progress::Done(Some(found));
                }
                value = self.take(found);
            }
            match self.next(account) {
                Next::Value(found) => value = Some(found),
                Next::Move => {
                    let frame = &self.frames[self.depth - 1];
                    let child = &frame.open[usize::from(frame.under_way)];
                    match self.expand(&child.question(frame.beta)) {
                        // The number of seeds decides it without a frame: the last frame is its parent.
                        Some(found) => {
                            self.depth += 1;
                            value = Some(found);
                        }
                        None => return Progress::Waiting,
                    }
                }
            }
        }
    }

    /// Removes all its marks: the lane will not be continued.
    pub(crate) fn leave_all(&self) {
        self.leave(0);
    }

    /// Removes the marks of the moves under way from some frame on.
    fn leave(&self, begin: usize) {
        // The last frame has no move under way.
        let end = self.depth.saturating_sub(1);
        for frame in self.frames[begin..end].iter().filter(|frame| frame.marks) {
            let child = &frame.open[usize::from(frame.under_way)];
            self.shared.busy.leave(self.shared.table.word(child.key));
        }
    }

    /// Goes back to the first node on the path that another lane has decided meanwhile, and returns its bound.
    fn look_round(&mut self) -> Option<i32> {
        let others_work_at = |frame: &&Frame<B, T::Key>| frame.marks;
        let marked = self.frames[..self.depth].iter().take_while(others_work_at);
        let (frame, value) = marked.enumerate().find_map(|(i, frame)| {
            let known = self.shared.table.get(frame.key)?;
            let bound = match known.lower >= frame.beta {
                true => Some(known.lower),
                false => (known.upper < frame.beta).then_some(known.upper),
            };
            Some((i, bound?))
        })?;
        self.leave(frame);
        self.depth = frame + 1;
        Some(value)
    }

    /// Plays all moves of a position and prefetches what the tables know about it and them. Returns a bound if the number of
    /// seeds alone decides; otherwise adds a new frame.
    fn expand(&mut self, question: &Question<B>) -> Option<i32> {
        let shared = self.shared;
        let (position, seeds, beta) = (&question.position, question.seeds, question.beta);
        let key = shared.table.key(position);
        if self.depth == self.frames.len() {
            self.frames.push(Frame::new(position));
        }
        let frame = &mut self.frames[self.depth];
        let above = seeds as usize - self.tablebase_seeds;
        frame.marks = self.parallel && above >= WORTH_MARKING;
        frame.early = shared.techniques.early_cutoffs && above >= EARLY;
        let with_keys = frame.marks || frame.early;
        let mut best = -seeds;
        frame.place_count = 0;
        frame.open_count = 0;
        for pit in position.filled_pits() {
            let child = &mut frame.open[frame.open_count];
            play(shared, position, pit, child);
            if child.finished {
                if child.gain >= beta {
                    return Some(child.gain);
                }
                best = best.max(child.gain);
                continue;
            }
            if child.seeds as usize <= self.tablebase_seeds
                && let Some(place) = place(shared, &child.position)
            {
                frame.places[frame.place_count] = Place {
                    place,
                    gain: child.gain,
                    again: child.again,
                    is_odd: child.seeds % 2 == 1,
                };
                frame.place_count += 1;
                continue;
            }
            if shared.techniques.range_cuts {
                if child.gain - child.seeds >= beta {
                    return Some(child.gain - child.seeds);
                }
                if child.gain + child.seeds < beta {
                    best = best.max(child.gain + child.seeds);
                    continue;
                }
            }
            if with_keys {
                child.key = shared.table.key(&child.position);
            }
            frame.open_count += 1;
        }
        if shared.techniques.prefetch {
            // All at once: a prefetch may miss the TLB, but the misses of several overlap.
            shared.table.prefetch(key);
            let places = &frame.places[..frame.place_count];
            match shared.tablebase.map(|table| (table, table.halved())) {
                Some((_, Some(half))) => places.iter().for_each(|one| half.prefetch(one.place)),
                Some((table, None)) => places.iter().for_each(|one| table.prefetch(one.place)),
                None => {}
            }
            if frame.early {
                for child in &frame.open[..frame.open_count] {
                    shared.table.prefetch(child.key);
                }
            }
        }
        frame.key = key;
        frame.seeds = seeds;
        frame.beta = beta;
        frame.best = best;
        self.depth += 1;
        None
    }

    /// Looks up the last frame and its moves in the tables, and removes decided moves from the list.
    fn look_up(&mut self, account: &mut Account<'_>) -> Found {
        let shared = self.shared;
        let frame = &mut self.frames[self.depth - 1];
        let beta = frame.beta;
        let known = shared.table.get(frame.key);
        match known {
            Some(known) if known.lower >= beta => return Found::Value(known.lower),
            Some(known) if known.upper < beta => return Found::Value(known.upper),
            _ => {}
        }
        if account.count_node() || shared.answered.load(Ordering::Relaxed) {
            return Found::Stopped;
        }
        self.nodes += 1;
        frame.begun = self.nodes;
        // The tablebase comes first, since it decides the most moves.
        if let Some(tablebase) = shared.tablebase {
            let halved = tablebase.halved();
            for place in &frame.places[..frame.place_count] {
                let value = match halved {
                    None => place.value(tablebase.margin_at(place.place)),
                    Some(halved) => {
                        let coded = halved.at(place.place, place.is_odd);
                        let found = place.bound(coded, beta);
                        found.unwrap_or_else(|| place.value(tablebase.margin_at(place.place)))
                    }
                };
                if value >= beta {
                    return Found::Value(value);
                }
                frame.best = frame.best.max(value);
            }
        }
        frame.order_count = 0;
        for i in 0..frame.open_count {
            if frame.early {
                let child = &frame.open[i];
                let (low, high) = bounds(shared, child);
                if low >= beta {
                    let pit = child.pit;
                    self.put(low, pit);
                    return Found::Value(low);
                }
                if high < beta {
                    frame.best = frame.best.max(high);
                    continue;
                }
            }
            frame.order[frame.order_count] = i as u8;
            frame.order_count += 1;
        }
        // The best move of an earlier window is tried first: the others are ordered only if it fails.
        let first = known.map_or(NO_MOVE, |known| known.best);
        let (open, order) = (&frame.open, &mut frame.order[..frame.order_count]);
        let place = order
            .iter()
            .position(|&i| open[usize::from(i)].pit == first);
        if let Some(place) = place {
            order.swap(0, place);
        }
        frame.has_first = place.is_some();
        frame.turn = 0;
        frame.second_pass = false;
        frame.put_off = 0;
        Found::Open
    }

    /// The next move of the last frame to be searched, or the frame's value if there is none left.
    fn next(&mut self, account: &mut Account<'_>) -> Next {
        let shared = self.shared;
        loop {
            let frame = &mut self.frames[self.depth - 1];
            let turn = frame.turn;
            if turn == frame.order_count {
                if !frame.second_pass && frame.put_off != 0 {
                    frame.second_pass = true;
                    frame.turn = 0;
                    continue;
                }
                let best = frame.best;
                self.put(best, NO_MOVE);
                return Next::Value(best);
            }
            frame.turn += 1;
            if !frame.second_pass && turn == usize::from(frame.has_first) {
                self.arrange(turn, account);
            }
            let frame = &mut self.frames[self.depth - 1];
            let i = frame.order[turn];
            if frame.second_pass && frame.put_off & (1 << i) == 0 {
                continue;
            }
            let child = &frame.open[usize::from(i)];
            if frame.marks {
                let word = shared.table.word(child.key);
                if !frame.second_pass && turn > 0 && shared.busy.is_busy(word) {
                    frame.put_off |= 1 << i;
                    continue;
                }
                shared.busy.enter(word);
            }
            frame.under_way = i;
            if let (Some(meter), true) = (self.meter, self.depth <= METERED) {
                let order = &frame.order[..frame.order_count];
                if self.depth == 1 {
                    meter.root(order.iter().map(|&i| frame.open[usize::from(i)].pit));
                }
                meter.at(self.depth - 1, turn, order.len());
            }
            return Next::Move;
        }
    }

    /// Takes over the result of the last frame's move under way. Returns the frame's value if that decides it.
    fn take(&mut self, found: i32) -> Option<i32> {
        let frame = &mut self.frames[self.depth - 1];
        let child = &frame.open[usize::from(frame.under_way)];
        if frame.marks {
            self.shared.busy.leave(self.shared.table.word(child.key));
        }
        let value = child.value(found);
        if value >= frame.beta {
            let pit = child.pit;
            self.put(value, pit);
            return Some(value);
        }
        frame.best = frame.best.max(value);
        None
    }

    /// Orders the moves of the last frame from `begin` on.
    fn arrange(&mut self, begin: usize, account: &mut Account<'_>) {
        let frame = &mut self.frames[self.depth - 1];
        let order = &mut frame.order[begin..frame.order_count];
        if order.len() < 2 {
            return;
        }
        let shared = self.shared;
        let techniques = shared.techniques;
        let above = frame.seeds - self.tablebase_seeds as i32;
        let turns = ((above - LOOK_ABOVE) / LOOK_STEP).max(0) as u32;
        let turns = turns.min(techniques.longest_look);
        let looked_at = (shared.game.pits() as u64).pow(turns);
        account.is_work_of(looked_at / LOOKS_A_NODE);
        let mut best = i32::MIN / 4;
        for &i in &*order {
            let child = &mut frame.open[usize::from(i)];
            child.order = if !techniques.ordering {
                child.pit.into()
            } else if !techniques.look_ahead {
                let again = if child.again { 100 } else { 0 };
                again + 20 * child.gain + i32::from(child.pit)
            } else {
                // For a move worse than the best so far, the exact guess does not matter.
                let sure = GAIN * child.gain + if child.again { EXTRA_TURN } else { 0 };
                let least = best - sure;
                let (low, high) = match child.again {
                    true => (least, i32::MAX / 4),
                    false => (i32::MIN / 4, -least),
                };
                let ahead = shared
                    .guess
                    .ahead(shared.game, &child.position, turns, low, high);
                sure + if child.again { ahead } else { -ahead }
            };
            best = best.max(child.order);
        }
        let open = &frame.open;
        order.sort_unstable_by_key(|&i| Reverse(open[usize::from(i)].order));
    }

    /// Stores a bound of the last frame's position in the table, with the move that proves it.
    #[inline]
    fn put(&self, value: i32, best: u8) {
        let frame = &self.frames[self.depth - 1];
        let work = self.nodes - frame.begun;
        let weight = (64 - work.leading_zeros()).clamp(1, 15) as u8;
        let (lowest, highest) = outer(self.shared, frame.seeds);
        let (lower, upper) = match value >= frame.beta {
            true => (value, highest),
            false => (lowest, value),
        };
        let known = Known { lower, upper, best };
        self.shared.table.put(frame.key, known, weight);
    }
}

/// Plays a move. Its key and its place in the order are set later.
#[inline]
fn play<B: Board, T: Table>(
    shared: &Shared<'_, B, T>,
    position: &B,
    pit: Pit,
    child: &mut Child<B, T::Key>,
) {
    let after = shared.game.play_unchecked(position, pit);
    child.position = after;
    child.again = after.player() == position.player();
    child.gain = gain(shared.game, position, &after, child.again);
    child.seeds = after.seeds_in_play() as i32;
    child.pit = pit.0;
    child.finished = after.is_finished();
}

/// The place of a position in the tablebase.
#[inline]
fn place<B: Board, T: Table>(shared: &Shared<'_, B, T>, position: &B) -> Option<usize> {
    let pits = shared.game.pits();
    let mover = position.pit_bytes(Side::Mover, pits)?;
    let opponent = position.pit_bytes(Side::Opponent, pits)?;
    shared.tablebase?.place(mover, opponent)
}

/// What the table knows about the value of a move, as the mover sees it.
#[inline]
fn bounds<B: Board, T: Table>(shared: &Shared<'_, B, T>, child: &Child<B, T::Key>) -> (i32, i32) {
    let (low, high) = match shared.table.get(child.key) {
        Some(known) => (known.lower, known.upper),
        None => outer(shared, child.seeds),
    };
    match child.again {
        true => (child.gain + low, child.gain + high),
        false => (child.gain - high, child.gain - low),
    }
}

/// Bounds of a future margin by the number of seeds alone; if that is switched off, whatever an entry can hold.
#[inline]
fn outer<B: Board, T: Table>(shared: &Shared<'_, B, T>, seeds: i32) -> (i32, i32) {
    match shared.techniques.range_cuts {
        true => (-seeds, seeds),
        false => (-T::WIDEST, T::WIDEST),
    }
}
