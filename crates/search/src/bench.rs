//! Fixed work for the engine: its node count is a checksum of the search.

use crate::engine::{Engine, EngineOptions};
use crate::{Agent, Searchable, Task};
use kalahari_games::{AnyGame, GameSpec, with_game};
use kalahari_terms::{Limits, Stop};

/// What one position took.
#[derive(Clone, Copy, Debug)]
pub struct Row {
    /// The game.
    pub game: GameSpec,
    /// The depth searched.
    pub depth: u32,
    /// The nodes it took.
    pub nodes: u64,
    /// The time it took.
    pub seconds: f64,
}

/// The nodes that all the work takes: a checksum of the search. A change that is not meant to affect the search must keep
/// this number; one that is meant to puts the new number here.
pub const SIGNATURE: u64 = 12_567_758;

/// Games, positions (empty for the start) and depths. Both boards of Kalah, all its rules, all three
/// sizes of bit sets and all rules of Isolation are among them.
const WORK: &[(&str, &str, u32)] = &[
    ("kalah:6x6", "", 17),
    ("kalah:6x6", "7 2 15 0 1 0 5 0 5 7 6 1 14 9 0", 20),
    (
        "kalah:6x6:empty-capture",
        "11 0 2 2 2 3 9 1 0 2 12 2 12 14 1",
        20,
    ),
    (
        "kalah:6x6:pre-move-empty",
        "0 2 3 2 1 13 17 11 0 2 9 0 0 12 0",
        20,
    ),
    ("kalah:6x4", "", 21),
    (
        "kalah:6x6:standard+majority",
        "3 0 11 0 0 1 15 1 0 10 3 0 12 16 1",
        19,
    ),
    ("kalah:4x3", "", 30),
    ("kalah:7x5", "", 15),
    ("kalah:9x4", "", 13),
    ("isolation:8x8:trail", "", 22),
    (
        "isolation:7x7:queen",
        "......./......./..1..../......./....2../......./....... 0",
        5,
    ),
    (
        "isolation:9x11:knight",
        ".........../.........../.........../...1......./.........../.....2...../.........../.........../........... 0",
        6,
    ),
    ("isolation:5x5:classic", "", 3),
    ("isolation:12x12:trail", "", 16),
];

/// Searches every position of the work with a fresh engine and reports each to `each`.
pub fn run(each: &mut dyn FnMut(&Row)) {
    for &(game, position, depth) in WORK {
        let game: GameSpec = game.parse().expect("the work names games");
        let game = AnyGame::new(game);
        each(&with_game!(&game, game => search(game, position, depth)));
    }
}

fn search<G: Searchable>(game: &G, position: &str, depth: u32) -> Row {
    let position = match position {
        "" => game.start(),
        text => game
            .parse_position(text)
            .expect("the work has valid positions"),
    };
    let mut engine = Engine::new(game.clone(), EngineOptions::of_game(game));
    let report = engine
        .think(Task {
            position,
            limits: Limits::depth(depth),
            stop: &Stop::new(),
            all_moves: false,
            progress: &mut |_| {},
        })
        .expect("the engine never fails");
    Row {
        game: game.spec(),
        depth,
        nodes: report.nodes,
        seconds: report.elapsed.as_secs_f64(),
    }
}
