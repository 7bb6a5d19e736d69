//! Makes puzzles: plays half-random games and keeps the positions where exactly one move wins.

use super::prove::{prover, steps};
use super::{Puzzle, Step};
use kalahari_agents::Player;
use kalahari_games::isolation::CellState;
use kalahari_games::{AnyGame, AnyPosition, Game, GameKind, View};
use kalahari_search::Rng;
use kalahari_terms::{Limits, Stop};
use std::collections::HashSet;

/// The puzzles to make for a game.
struct Order {
    game: &'static str,
    /// The number of puzzles.
    count: usize,
    /// The fewest seeds in the pits, or free cells.
    fewest: usize,
    /// The most seeds in the pits, or free cells.
    most: usize,
}

/// The puzzles of a file: two hundred for Kalah and a hundred for Isolation.
const ORDERS: [Order; 9] = [
    order("kalah:6x4:standard", 80, 10, 26),
    order("kalah:6x3:standard", 40, 10, 24),
    order("kalah:4x4:standard", 40, 8, 22),
    order("kalah:6x4:empty-capture", 20, 10, 24),
    order("kalah:5x5:standard", 20, 10, 24),
    order("isolation:5x5:queen", 35, 7, 15),
    order("isolation:6x6:trail", 25, 8, 18),
    order("isolation:5x5:knight", 20, 6, 16),
    order("isolation:4x4:classic", 20, 5, 9),
];

const fn order(game: &'static str, count: usize, fewest: usize, most: usize) -> Order {
    Order {
        game,
        count,
        fewest,
        most,
    }
}

/// Levels of difficulty.
const LEVELS: usize = 5;
/// The depth of the deepest plain search that tries to find the solution.
const DEEPEST: u32 = 10;
/// How many positions are tried per puzzle of a game before the search for rare levels ends.
const PATIENCE: usize = 400;

/// The progress of making puzzles.
#[derive(Clone, Copy, Debug)]
pub struct Progress {
    /// How many puzzles have been made.
    pub made: usize,
    /// How many puzzles are wanted.
    pub wanted: usize,
}

/// Makes puzzles. The same `rng_seed` makes the same ones. `news` is called after every puzzle. `None` if it was
/// stopped.
pub fn build(rng_seed: u64, stop: &Stop, news: &mut dyn FnMut(Progress)) -> Option<Vec<Puzzle>> {
    let wanted = ORDERS.iter().map(|order| order.count).sum();
    let mut all: Vec<Puzzle> = Vec::new();
    for (number, order) in (0..).zip(&ORDERS) {
        let game = AnyGame::new(order.game.parse().ok()?);
        let before = all.len();
        let maker = Maker {
            order,
            rng: Rng::new(rng_seed.wrapping_mul(1_000).wrapping_add(number)),
            stop,
            news: &mut |made| {
                news(Progress {
                    made: before + made,
                    wanted,
                });
            },
        };
        all.extend(maker.make(&game)?);
        if stop.is_requested() {
            return None;
        }
    }
    Some(named(all))
}

/// Orders puzzles of each game from easy to hard and gives them names: k001 ... for Kalah, i001 ... for Isolation.
fn named(puzzles: Vec<Puzzle>) -> Vec<Puzzle> {
    let (mut kalah, mut isolation): (Vec<Puzzle>, Vec<Puzzle>) = puzzles
        .into_iter()
        .partition(|puzzle| puzzle.game.kind() == GameKind::Kalah);
    for (letter, list) in [('k', &mut kalah), ('i', &mut isolation)] {
        list.sort_by_key(|puzzle| (puzzle.level, puzzle.depth, puzzle.steps.len()));
        for (number, puzzle) in (1..).zip(list.iter_mut()) {
            puzzle.id = format!("{letter}{number:03}");
        }
    }
    kalah.extend(isolation);
    kalah
}

struct Maker<'a> {
    order: &'a Order,
    rng: Rng,
    stop: &'a Stop,
    news: &'a mut dyn FnMut(usize),
}

impl Maker<'_> {
    /// The puzzles of a game; `None` if it was stopped.
    fn make(mut self, game: &AnyGame) -> Option<Vec<Puzzle>> {
        let mut prover = prover(game);
        let mut players = players(game)?;
        let mut seen = HashSet::new();
        let mut kept: Vec<Puzzle> = Vec::new();
        let mut spare: Vec<Puzzle> = Vec::new();
        let share = self.order.count.div_ceil(LEVELS);
        let mut looked_at = 0;
        while kept.len() < self.order.count && looked_at < self.order.count * PATIENCE {
            looked_at += 1;
            if self.stop.is_requested() {
                return None;
            }
            let Some(position) = self.position(game, &mut players[2]) else {
                continue;
            };
            let text = game.position_text(&position);
            if !seen.insert(text.clone()) || game.count_moves(&position) < 3 {
                continue;
            }
            let Some(steps) = steps(game, &mut prover, &position).filter(|s| !s.is_empty()) else {
                continue;
            };
            let depth = depth(&position, &steps[0], &mut players);
            let level = level(depth);
            let puzzle = Puzzle {
                id: String::new(),
                game: game.spec(),
                start: text,
                level,
                depth,
                steps,
            };
            let of_level = kept.iter().filter(|other| other.level == level).count();
            match of_level < share {
                true => {
                    kept.push(puzzle);
                    (self.news)(kept.len());
                }
                false => spare.push(puzzle),
            }
        }
        // If there are too few puzzles of a rare level, others take their place, the hardest first.
        spare.sort_by_key(|puzzle| std::cmp::Reverse((puzzle.level, puzzle.steps.len())));
        kept.extend(spare);
        kept.truncate(self.order.count);
        (self.news)(kept.len());
        Some(kept)
    }

    /// A position from a half-random game, with a size that the order allows.
    fn position(&mut self, game: &AnyGame, sensible: &mut Player) -> Option<AnyPosition> {
        let span = self.order.most - self.order.fewest + 1;
        let wanted = self.order.fewest + self.rng.below(span);
        let mut position = game.start();
        while size(game, &position) > wanted {
            let count = game.count_moves(&position) as usize;
            let any = game.moves(&position).nth(self.rng.below(count))?;
            let mv = match self.rng.below(2) {
                0 => any,
                _ => {
                    let report = sensible.choose(&position, Limits::NONE, self.stop);
                    report.ok()?.best?
                }
            };
            position = game.play_unchecked(&position, mv);
        }
        (!game.is_over(&position) && size(game, &position) >= self.order.fewest).then_some(position)
    }
}

/// Seeds in the pits, or free cells.
fn size(game: &AnyGame, position: &AnyPosition) -> usize {
    match game.view(position) {
        View::Kalah(setup) => {
            let pits = setup.pits();
            let sides = setup.houses.chunks(pits + 1);
            let seeds = sides.flat_map(|side| &side[..pits]);
            seeds.map(|&seeds| usize::from(seeds)).sum()
        }
        View::Isolation(setup) => {
            let cells = setup.rows.iter().flatten();
            cells.filter(|cell| **cell == CellState::Free).count()
        }
    }
}

/// Plain searches of every depth, the shallowest first.
fn players(game: &AnyGame) -> Option<Vec<Player>> {
    (1..=DEEPEST)
        .map(|depth| {
            let spec = format!("level:{depth}").parse().ok()?;
            Player::new(&spec, game, 1).ok()
        })
        .collect()
}

/// The smallest depth from which on every plain search finds the solution; one more than the deepest search if that one
/// does not find it.
fn depth(position: &AnyPosition, step: &Step, players: &mut [Player]) -> u32 {
    let stop = Stop::new();
    let found = |player: &mut Player| {
        let best = player.choose(position, Limits::NONE, &stop);
        let best = best.ok().and_then(|report| report.best);
        best.is_some_and(|mv| mv.to_string() == step.solution().mv)
    };
    let mut depth = DEEPEST + 1;
    for player in players.iter_mut().rev() {
        if !found(player) {
            break;
        }
        depth -= 1;
    }
    depth
}

/// The level of a depth.
fn level(depth: u32) -> u8 {
    match depth {
        0..=2 => 1,
        3..=4 => 2,
        5..=6 => 3,
        7..=8 => 4,
        _ => 5,
    }
}
