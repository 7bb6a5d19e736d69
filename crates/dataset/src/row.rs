//! A row: a position, the game that it comes from, and its label.

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
    /// The number of the game it comes from. Rows of one game are similar, so a test set should hold out whole games.
    /// A position that comes from no game has a number of its own.
    pub game: u64,
    /// How many moves of that game were made before it.
    pub ply: u32,
    /// The position; the game is not over in it.
    pub position: AnyPosition,
    /// The same for equivalent positions: see [`key`].
    pub key: u64,
    /// Its value, and the values of its moves.
    pub label: Label,
}

/// The value of a position. All values are from the view of the player to move, and include the stores.
#[derive(Clone, Debug, PartialEq)]
pub struct Label {
    /// Its value, in `unit`.
    pub value: f32,
    /// What the values measure.
    pub unit: Unit,
    /// Whether `value` is proven.
    pub proven: bool,
    /// A best move; of several equally good ones that are proven, the first.
    pub best: AnyMove,
    /// The values of moves, in the order of the game's moves: of every legal move if the label is exact, otherwise of those that
    /// the search evaluated in this unit.
    pub moves: Vec<(AnyMove, f32)>,
    /// What labelled the position.
    pub source: LabelSource,
    /// The nodes that the search visited; `None` for exact labels.
    pub nodes: Option<u64>,
}

/// What labelled a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum LabelSource {
    /// Exact; the position has no more seeds than the tablebase that the recipe names.
    Tablebase,
    /// Exact; all other positions, whatever proved them.
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
    /// The label from a search; `None` if it has no best move, because the game is over.
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

/// Whether values of two units can be in one row: an estimate in seeds is an estimate of the margin in seeds.
fn alike(a: Unit, b: Unit) -> bool {
    let one = |unit| match unit {
        Unit::Margin => Unit::Seeds,
        unit => unit,
    };
    // A margin in cells never occurs together with an estimate in seeds: a game has only one of them.
    one(a) == one(b)
}

/// A number that is the same for positions that differ only in what is already banked, and different for all others.
///
/// - Kalah: depends on the pits of the player to move and of the opponent, but not on the stores or on which player is to move: the *future*
///   margin, value - (`own_store` - `other_store`), is the same. If the pits have at most 2^64 possible contents, each has its own
///   number; on larger boards two contents share a number with a probability of 1 in 2^64.
/// - Kalah with the end by majority, where stores decide when the game ends: depends on the stores, too.
/// - Isolation: depends on the whole position.
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
