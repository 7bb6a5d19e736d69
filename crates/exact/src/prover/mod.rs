//! The one place where proofs come from: opening books, tablebases and solvers of any game.
//!
//! A [`Prover`] is made for an [`AnyGame`] and asked about its positions, one after the other. It uses the cheapest source
//! that knows the answer: the opening book, the tablebase, then the solver. It makes its tables when a position needs them,
//! sized to the positions it is given, and keeps what it has proven for the next one.
//!
//! ```
//! use kalahari_exact::prover::{Prover, ProverOptions, Wanted};
//! use kalahari_games::{AnyGame, Game};
//! use kalahari_terms::Stop;
//!
//! let game = AnyGame::new("kalah:2x2".parse()?);
//! let mut prover = Prover::new(&game, ProverOptions::without_files());
//! let proof = prover.prove(&game.start(), &Wanted::LINE, &Stop::new())?;
//! assert_eq!(proof.bounds.exact(), Some(-2));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod files;
mod isolation;
mod kalah;
mod known;
mod making;
mod notice;
mod parts;
mod tables;

pub use files::{BookPlace, opening_book, proven_bounds};
pub use known::{KnownValues, Sources};
pub use making::{delete_table, game_is_under_way};
pub use notice::{Maker, Notice, listen_to_notices};
pub use parts::PartProofs;
pub use tables::{
    TablePolicy, TableSlot, automatic_seeds, set_table_policy, table_before_play, table_for_play,
    table_in_use, table_policy,
};

use crate::kalah::{Glimpse, SavedTableError, SolveError};
use crate::tablebase::BuildError;
use crate::{Bounds, Effort};
use kalahari_games::{AnyGame, AnyMove, AnyPosition, Game, GameSpec, Player, Typed, with_game};
use kalahari_storage::{FileError, data_home};
use kalahari_terms::{Limits, Score, Stop, Worth};
use std::fmt;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use thiserror::Error;

/// What a prover may use.
#[derive(Clone, Debug)]
pub struct ProverOptions {
    /// Threads, at least one. Isolation is solved by one.
    pub threads: usize,
    /// The table of proven bounds. The tablebase is not part of it.
    pub memory: TableMemory,
    /// Whether an opening book may answer.
    pub book: bool,
    /// The tablebase to be used; Kalah only.
    pub tablebase: TablebasePolicy,
    /// Whether a tablebase on disk is kept in memory at half its size: see [`Tablebase::halve`](crate::tablebase::Tablebase::halve).
    pub halved: bool,
    /// The directory where tablebases and books are looked for; `None` if no file may be used. Books that are part of the
    /// program need no file.
    pub home: Option<PathBuf>,
    /// The file that keeps the table of proven bounds: the prover writes it every ten minutes during a proof,
    /// and whenever [`save`](Prover::save) is called. Kalah only.
    pub save: Option<PathBuf>,
}

impl ProverOptions {
    /// One thread, no book, no file, and the tablebase in memory that suits the positions: the program computes every answer
    /// itself.
    pub fn without_files() -> Self {
        ProverOptions {
            threads: 1,
            memory: TableMemory::Suited,
            book: false,
            tablebase: TablebasePolicy::SUITED,
            halved: false,
            home: None,
            save: None,
        }
    }
}

impl Default for ProverOptions {
    /// One thread, and all books and tablebases on this machine.
    fn default() -> Self {
        ProverOptions {
            book: true,
            home: data_home(),
            ..ProverOptions::without_files()
        }
    }
}

/// How large the table of proven bounds is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TableMemory {
    /// As suits the positions to be proven.
    Suited,
    /// As suits them, but no more bytes than this.
    AtMost(u64),
    /// Exactly this many bytes.
    Bytes(u64),
}

impl TableMemory {
    fn bytes(self, suited: u64) -> u64 {
        match self {
            TableMemory::Suited => suited,
            TableMemory::AtMost(most) => suited.min(most),
            TableMemory::Bytes(bytes) => bytes,
        }
    }
}

/// Where the tablebase comes from. Tablebases are built in memory, starting from the one on disk if there is one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TablebasePolicy {
    /// None is used.
    None,
    /// The one on disk, if there is one.
    OnDisk,
    /// One of at least this many seeds.
    Seeds(usize),
    /// One that pays off for the positions to be proven, but none larger than this is built.
    Suited {
        /// The most positions of a tablebase that is built.
        most_positions: u64,
    },
}

impl TablebasePolicy {
    /// The tablebase that pays off.
    pub const SUITED: TablebasePolicy = TablebasePolicy::Suited {
        most_positions: u64::MAX,
    };

    /// One that is built in a fraction of a second: for a player on the move.
    pub const QUICK: TablebasePolicy = TablebasePolicy::Suited {
        most_positions: 12_000_000,
    };
}

/// What is to be proven about a position besides its value, and what that may cost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Wanted {
    /// This many moves of a best line.
    pub plies: usize,
    /// The value of every move.
    pub moves: bool,
    /// What a proof may cost in time and nodes. At the limit, what is proven by then is returned.
    pub limits: Limits,
}

impl Wanted {
    /// Only the value.
    pub const VALUE: Wanted = Wanted {
        plies: 0,
        moves: false,
        limits: Limits::NONE,
    };
    /// The value and a best move.
    pub const MOVE: Wanted = Wanted {
        plies: 1,
        ..Wanted::VALUE
    };
    /// The value and a best line to the end.
    pub const LINE: Wanted = Wanted {
        plies: usize::MAX,
        ..Wanted::VALUE
    };
    /// The value, a best line to the end, and the value of every move.
    pub const ALL: Wanted = Wanted {
        moves: true,
        ..Wanted::LINE
    };

    /// The same within limits.
    #[must_use]
    pub const fn within(self, limits: Limits) -> Self {
        Wanted { limits, ..self }
    }
}

/// What is proven about a position. All values are as the mover sees them.
///
/// Kalah with the end by majority is solved under its base rule: the winner is the same, the final margin is not. So its
/// score is a result, and its bounds are those of the base rule.
#[derive(Clone, Debug, PartialEq)]
pub struct Proof {
    /// Proven bounds of the value.
    pub bounds: Bounds,
    /// The value, if it is known.
    pub score: Option<Score>,
    /// A best line, if the value is known: as many moves as were wanted; fewer if the game, the book that the line comes from,
    /// or the effort ends earlier.
    pub line: Vec<AnyMove>,
    /// Proven bounds of every legal move, in the order of the game's moves, if that was wanted and the value is known;
    /// otherwise empty.
    pub moves: Vec<(AnyMove, Bounds)>,
    /// The nodes searched.
    pub nodes: u64,
    /// Where the value comes from.
    pub source: Source,
}

impl Proof {
    /// A best move, if one was wanted and proven.
    pub fn best(&self) -> Option<AnyMove> {
        self.line.first().copied()
    }

    /// The value of every move, if all of them are known.
    pub fn exact_moves(&self) -> Option<Vec<(AnyMove, i32)>> {
        let exact = |&(mv, bounds): &(AnyMove, Bounds)| Some((mv, bounds.exact()?));
        self.moves.iter().map(exact).collect()
    }
}

/// The answer to whether a position reaches a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reached {
    /// Whether it does; `None` if that was not proven in time.
    pub holds: Option<bool>,
    /// The nodes searched.
    pub nodes: u64,
}

/// Where a value comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Source {
    /// The game is over.
    Rules,
    /// The opening book.
    Book,
    /// The tablebase.
    Tablebase,
    /// The solver.
    Solver,
}

impl Source {
    /// A word for it.
    pub const fn name(self) -> &'static str {
        match self {
            Source::Rules => "rules",
            Source::Book => "book",
            Source::Tablebase => "tablebase",
            Source::Solver => "solver",
        }
    }
}

/// The tables that positions need.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Plan {
    /// The most seeds in the pits of a position that has to be solved; 0 if none has to, and for Isolation.
    pub seeds: u32,
    /// The seeds of the tablebase; 0 for none.
    pub tablebase_seeds: usize,
    /// The most bytes of the table of proven bounds; 0 if there is nothing to solve.
    pub memory: u64,
}

/// What happens during a proof, for a listener.
#[derive(Debug)]
#[non_exhaustive]
pub enum News<'a> {
    /// A part of the tablebase is filled.
    Filled {
        /// The seeds of the whole tablebase.
        seeds: usize,
        /// The number of positions that had to be filled when the build began.
        of: u64,
        /// The positions of this part.
        positions: u64,
    },
    /// A proof is running; sent every second.
    Working {
        /// The state of the window.
        glimpse: Glimpse,
        /// The nodes searched.
        nodes: u64,
        /// The share of the table of proven bounds that is used, if it is known.
        table_use: Option<f64>,
    },
    /// The bounds of the value have become narrower.
    Value {
        /// What is proven.
        bounds: Bounds,
        /// The nodes searched.
        nodes: u64,
    },
    /// A move is done.
    Move {
        /// The move.
        mv: AnyMove,
        /// Its proven bounds.
        bounds: Bounds,
        /// The nodes searched.
        nodes: u64,
    },
    /// The table of proven bounds could not be saved; the next attempt is in ten minutes.
    NotSaved(&'a SavedTableError),
}

/// Why nothing could be proven. Being stopped is not an error.
#[derive(Debug, Error)]
pub enum ProverError {
    /// An opening book on disk is not usable.
    #[error(transparent)]
    File(#[from] FileError),
    /// There is no room for a tablebase.
    #[error(transparent)]
    Build(#[from] BuildError),
    /// There is no room for the table of proven bounds.
    #[error(transparent)]
    Solver(#[from] SolveError),
    /// The table of proven bounds cannot be saved to a file or loaded from one.
    #[error(transparent)]
    Saved(#[from] SavedTableError),
    /// The position is not one of this game.
    #[error("a position of another game than {0}")]
    OtherGame(GameSpec),
}

/// Receives news.
type Listener = Arc<dyn Fn(&News<'_>) + Send + Sync>;

/// Proves values of positions of one game.
pub struct Prover {
    game: AnyGame,
    threads: usize,
    inner: Box<dyn Proves>,
}

impl Prover {
    /// A prover of positions of `game`. Nothing is opened or built before a position needs it.
    pub fn new(game: &AnyGame, options: ProverOptions) -> Self {
        let threads = options.threads.max(1);
        let inner: Box<dyn Proves> = with_game!(
            game,
            kalah game => Box::new(kalah::KalahProver::new(game, options)),
            isolation game => Box::new(isolation::IsolationProver::new(game, options)),
        );
        Prover {
            game: game.clone(),
            threads,
            inner,
        }
    }

    /// The game whose positions are proven.
    pub fn game(&self) -> &AnyGame {
        &self.game
    }

    /// From now on `listener` is called with all news, from any thread.
    pub fn listen(&mut self, listener: impl Fn(&News<'_>) + Send + Sync + 'static) {
        self.inner.listen(Arc::new(listener));
    }

    /// The tables that these positions need. This may open files on disk; nothing is built.
    pub fn plan(
        &mut self,
        positions: &[AnyPosition],
        wanted: &Wanted,
    ) -> Result<Plan, ProverError> {
        self.inner.plan(positions, wanted)
    }

    /// Makes the tables that these positions need, all at once. Otherwise tables are made for the first position that is
    /// proven, and made again for the first one that needs larger ones.
    pub fn prepare(
        &mut self,
        positions: &[AnyPosition],
        wanted: &Wanted,
        stop: &Stop,
    ) -> Result<Plan, ProverError> {
        let plan = self.inner.plan(positions, wanted)?;
        self.inner.ready(&plan, stop)?;
        Ok(plan)
    }

    /// Proves the value of a position, and whatever else is wanted. If `stop` or the limits end it early, it returns what is
    /// proven by then.
    pub fn prove(
        &mut self,
        position: &AnyPosition,
        wanted: &Wanted,
        stop: &Stop,
    ) -> Result<Proof, ProverError> {
        let effort = Effort::new(&wanted.limits, stop).with_threads(self.threads);
        self.inner.prove(position, wanted, &effort)
    }

    /// Proves many positions, `at_once` of them at the same time with one thread each, all with the same tables. `each` is
    /// called for every proof in the order in which they are finished, with the position's place in the list; it may end the
    /// work. When `stop` is requested, proofs under way are returned unfinished, and no other is begun.
    pub fn prove_all(
        &mut self,
        positions: &[AnyPosition],
        at_once: usize,
        wanted: &Wanted,
        stop: &Stop,
        each: &mut dyn FnMut(usize, Proof) -> ControlFlow<()>,
    ) -> Result<(), ProverError> {
        self.inner
            .prove_all(positions, at_once.max(1), wanted, stop, each)
    }

    /// Whether the value of a position is at least `value`, as its mover sees it: one window, cheaper than the value itself.
    pub fn reaches(
        &mut self,
        position: &AnyPosition,
        value: i32,
        limits: &Limits,
        stop: &Stop,
    ) -> Result<Reached, ProverError> {
        let effort = Effort::new(limits, stop).with_threads(self.threads);
        let holds = self.inner.reaches(position, value, &effort)?;
        let nodes = effort.nodes();
        Ok(Reached { holds, nodes })
    }

    /// A guess at the value of a position, as its mover sees it: a starting point for windows. It proves nothing.
    pub fn guess(&mut self, position: &AnyPosition) -> Result<i32, ProverError> {
        self.inner.guess(position)
    }

    /// The seeds of the tablebase in use; 0 without one.
    pub fn tablebase_seeds(&self) -> usize {
        self.inner.tablebase_seeds()
    }

    /// Writes all proven bounds to a file, whole or not at all. Kalah only.
    pub fn save(&mut self, path: &Path) -> Result<(), ProverError> {
        self.inner.save(path)
    }

    /// Loads the bounds that a prover of the same game saved. Its tables must have been [made](Prover::prepare) for the same
    /// number of seeds and the same memory. Kalah only.
    pub fn resume(&mut self, path: &Path) -> Result<(), ProverError> {
        self.inner.resume(path)
    }
}

impl fmt::Debug for Prover {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Prover")
            .field("game", &self.game.spec())
            .finish_non_exhaustive()
    }
}

/// A prover behind the erased types.
trait Proves: Send {
    fn listen(&mut self, listener: Listener);

    fn plan(&mut self, positions: &[AnyPosition], wanted: &Wanted) -> Result<Plan, ProverError>;

    /// Makes the planned tables, unless there are tables as large already.
    fn ready(&mut self, plan: &Plan, stop: &Stop) -> Result<(), ProverError>;

    fn prove(
        &mut self,
        position: &AnyPosition,
        wanted: &Wanted,
        effort: &Effort,
    ) -> Result<Proof, ProverError>;

    fn prove_all(
        &mut self,
        positions: &[AnyPosition],
        at_once: usize,
        wanted: &Wanted,
        stop: &Stop,
        each: &mut dyn FnMut(usize, Proof) -> ControlFlow<()>,
    ) -> Result<(), ProverError>;

    fn reaches(
        &mut self,
        position: &AnyPosition,
        value: i32,
        effort: &Effort,
    ) -> Result<Option<bool>, ProverError>;

    fn guess(&mut self, position: &AnyPosition) -> Result<i32, ProverError>;

    fn tablebase_seeds(&self) -> usize;

    fn save(&mut self, path: &Path) -> Result<(), ProverError>;

    fn resume(&mut self, path: &Path) -> Result<(), ProverError>;
}

/// The typed position, if it is one of this game.
fn typed<G: Typed>(game: &G, position: &AnyPosition) -> Result<G::Position, ProverError> {
    G::typed_position(position).ok_or_else(|| ProverError::OtherGame(game.spec()))
}

/// Moves with their type forgotten.
fn erased<G: Typed>(moves: impl IntoIterator<Item = G::Move>) -> Vec<AnyMove> {
    moves.into_iter().map(G::erase_move).collect()
}

impl Proof {
    /// A proof with only the bounds of a position's value.
    fn of_value(player: Player, bounds: Bounds, has_margins: bool, source: Source) -> Self {
        let worth = |value| Worth::of_end(value, has_margins);
        Proof {
            bounds,
            score: bounds
                .exact()
                .map(|value| Score::proven(player, worth(value))),
            line: Vec::new(),
            moves: Vec::new(),
            nodes: 0,
            source,
        }
    }

    /// The proof of a finished game.
    fn of_finished<G: Game>(game: &G, position: &G::Position) -> Option<Self> {
        let player = game.to_move(position);
        let bounds = Bounds::of(game.outcome(position)?.margin(player));
        let has_margins = game.has_margins();
        Some(Proof::of_value(player, bounds, has_margins, Source::Rules))
    }
}
