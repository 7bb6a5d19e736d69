//! A row: a position, where it comes from, and what it is worth.

use kalahari_agents::AnyReport;
use kalahari_arena::rng_seeds;
use kalahari_games::isolation::Bits;
use kalahari_games::kalah::{Board, Side};
use kalahari_games::{AnyGame, AnyMove, AnyPosition, Game, with_position};
use kalahari_terms::{Score, Unit};
use std::fmt;

/// A position with a label.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// The number of the game it comes from. Rows of one game are alike, so whoever holds rows out holds out whole games.
    /// A position that comes from no game has a number of its own.
    pub game: u64,
    /// How many moves of that game were made before.
    pub ply: u32,
    /// The position; its game goes on.
    pub position: AnyPosition,
    /// The same for positions that are worth the same: see [`key`].
    pub key: u64,
    /// What it is worth.
    pub label: Label,
}

/// What a position is worth. All values are the mover's, stores included.
#[derive(Clone, Debug, PartialEq)]
pub struct Label {
    /// Its value, in `unit`.
    pub value: f32,
    /// What values count.
    pub unit: Unit,
    /// Whether `value` is the truth.
    pub proven: bool,
    /// A best move; of several equally good ones that are proven, the first.
    pub best: AnyMove,
    /// The values of moves, in the order of the game's moves: of every legal one if the label is exact, otherwise of those that
    /// the search has valued in this unit.
    pub moves: Vec<(AnyMove, f32)>,
    /// Who says so.
    pub source: LabelSource,
    /// The nodes that a search took; `None` for exact labels.
    pub nodes: Option<u64>,
}

/// Who labelled a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum LabelSource {
    /// Exact, and with no more seeds than the tablebase that the recipe names.
    Tablebase,
    /// Exact, by whatever proof.
    Solver,
    /// A search: an estimate, unless the row says that it is proven.
    Search,
}

impl LabelSource {
    /// All of them.
    pub const ALL: [LabelSource; 3] = [
        LabelSource::Tablebase,
        LabelSource::Solver,
        LabelSource::Search,
    ];

    /// The word in the column `label`.
    pub const fn name(self) -> &'static str {
        match self {
            LabelSource::Tablebase => "tablebase",
            LabelSource::Solver => "solver",
            LabelSource::Search => "search",
        }
    }
}

impl fmt::Display for LabelSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl Label {
    /// The label that a search gives; `None` of a finished game.
    pub(crate) fn of_report(report: &AnyReport) -> Option<Self> {
        let unit = report.score.worth().unit();
        let value = |score: Score| {
            let found = score.worth().unit();
            alike(found, unit).then_some(score.amount() as f32)
        };
        let mut moves: Vec<(AnyMove, f32)> = report
            .moves
            .iter()
            .filter_map(|&(mv, score)| Some((mv, value(score)?)))
            .collect();
        moves.sort_by_key(|&(mv, _)| mv);
        Some(Label {
            value: report.score.amount() as f32,
            unit,
            proven: report.score.is_proven(),
            best: report.best?,
            moves,
            source: LabelSource::Search,
            nodes: Some(report.nodes),
        })
    }
}

/// Whether values of two units can stand in one row: a margin in seeds is what an estimate in seeds is about.
fn alike(a: Unit, b: Unit) -> bool {
    let one = |unit| match unit {
        Unit::Margin => Unit::Seeds,
        unit => unit,
    };
    // A margin in cells never meets an estimate in seeds: a game has one or the other.
    one(a) == one(b)
}

/// A number that is the same for positions that are worth the same but for what is banked already, and different for all others.
///
/// - Kalah: of the mover's pits and of the opponent's. Stores, and who the mover is, play no part: the *future* margin, value -
///   (`own_store` - `other_store`), is the same. Boards of up to 2^64 contents of the pits have a number for each; larger ones
///   share one only by an accident of 1 in 2^64.
/// - Kalah with the end by majority, where stores decide when the game ends: of the stores, too.
/// - Isolation: of the whole position.
pub fn key(game: &AnyGame, position: &AnyPosition) -> u64 {
    with_position!(game, position,
        kalah (game, board) => {
            let rank = game.rank(board);
            let numbers = [rank as u64, (rank >> 64) as u64];
            match (game.kalah_spec().majority(), numbers) {
                (true, [low, high]) => {
                    let stores = [Side::Mover, Side::Opponent].map(|side| u64::from(board.store(side)));
                    rng_seeds::mix([low, high, stores[0], stores[1]])
                }
                (false, [rank, 0]) => rank,
                (false, numbers) => rng_seeds::mix(numbers),
            }
        },
        isolation (game, cells) => rng_seeds::of_text(&game.position_text(cells)),
    )
}

/// What is left to play for: the seeds in the pits, or the free cells.
pub fn left(game: &AnyGame, position: &AnyPosition) -> u32 {
    with_position!(game, position,
        kalah (_game, board) => board.seeds_in_play(),
        isolation (_game, cells) => cells.free().count(),
    )
}
