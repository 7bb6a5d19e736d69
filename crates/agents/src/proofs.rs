//! Where proven answers come from: opening books, tablebases on this machine, and solvers.

use crate::books::opening_book;
use kalahari_exact::book::Book;
use kalahari_exact::isolation::IsolationSolver;
use kalahari_exact::kalah::{Solver, SolverOptions, Techniques, suggested_memory};
use kalahari_exact::tablebase::{
    Progress, TableFileError, TableSpec, Tablebase, data_home, position_count, table_path,
};
use kalahari_games::isolation::{Bits, Isolation, IsolationMove, IsolationPosition};
use kalahari_games::kalah::{Board, Kalah, Pit};
use kalahari_games::{Game, KindVisitor};
use kalahari_search::{ExactSource, Searchable};
use std::any::Any;
use std::collections::HashMap;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, PoisonError};

/// Why proven answers cannot be had, in a line.
type Problem = String;

/// The tablebase on disk for a family of games; `None` if there is none. Each file is opened, and its
/// checksums compared, once.
fn tablebase_on_disk(spec: TableSpec) -> Result<Option<Arc<Tablebase>>, Problem> {
    static OPEN: Mutex<Option<HashMap<String, Arc<Tablebase>>>> = Mutex::new(None);
    let Some(home) = data_home() else {
        return Ok(None);
    };
    let path = table_path(&home, spec);
    let mut open = OPEN.lock().unwrap_or_else(PoisonError::into_inner);
    let open = open.get_or_insert_default();
    let key = path.display().to_string();
    if let Some(table) = open.get(&key) {
        return Ok(Some(Arc::clone(table)));
    }
    match Tablebase::open(&path, Some(spec)) {
        Ok(table) => {
            let table = Arc::new(table);
            open.insert(key, Arc::clone(&table));
            Ok(Some(table))
        }
        Err(TableFileError::Missing { .. }) => Ok(None),
        Err(error) => Err(format!("{error}; delete the file or build it again")),
    }
}

/// A tablebase as a search asks it.
#[derive(Debug)]
struct TablebaseSource(Arc<Tablebase>);

impl<B: Board> ExactSource<Kalah<B>> for TablebaseSource {
    #[inline]
    fn margin(&self, game: &Kalah<B>, position: &B) -> Option<i32> {
        if position.seeds_in_play() as usize > self.0.seeds() {
            return None;
        }
        self.0.final_margin(game, position)
    }

    fn for_root(&self, _: &Kalah<B>, _: &B) -> Option<&dyn ExactSource<Kalah<B>>> {
        Some(self)
    }
}

/// A book and perhaps a tablebase as a search asks them.
#[derive(Debug)]
struct BookSource {
    book: Arc<Book>,
    tablebase: Option<TablebaseSource>,
}

impl<B: Board> ExactSource<Kalah<B>> for BookSource {
    fn margin(&self, game: &Kalah<B>, position: &B) -> Option<i32> {
        let by_table = || self.tablebase.as_ref()?.margin(game, position);
        self.book.final_margin(game, position).or_else(by_table)
    }

    /// Where the book knows every move, a search is soon done. Elsewhere it would be asked in vain.
    fn for_root(&self, game: &Kalah<B>, root: &B) -> Option<&dyn ExactSource<Kalah<B>>> {
        if self.book.moves(game, root).is_some() {
            return Some(self);
        }
        let tablebase = self.tablebase.as_ref()?;
        Some(tablebase)
    }
}

/// Which sources of proven values a search may ask.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sources {
    pub(crate) tablebase: bool,
    pub(crate) book: bool,
}

impl Sources {
    /// All there are.
    pub(crate) const ALL: Sources = Sources {
        tablebase: true,
        book: true,
    };
}

/// The proven values that a search of this game can ask for on this machine.
pub(crate) fn exact_source<G: Searchable>(
    game: &G,
    wanted: Sources,
) -> Result<Option<Arc<dyn ExactSource<G>>>, Problem> {
    struct Open(Sources);
    impl KindVisitor for Open {
        type Output = Result<Box<dyn Any>, Problem>;

        fn kalah<B: Board>(self, game: Kalah<B>) -> Self::Output {
            type Source<B> = Option<Arc<dyn ExactSource<Kalah<B>>>>;
            let spec = game.kalah_spec();
            if spec.majority() {
                // With the end by majority final margins are others than a tablebase's.
                return Ok(Box::new(Source::<B>::None));
            }
            let table = TableSpec::of_game(spec).filter(|_| self.0.tablebase);
            let table = table.map(tablebase_on_disk).transpose()?.flatten();
            let tablebase = table.map(TablebaseSource);
            let book = match self.0.book {
                true => opening_book(spec)?,
                false => None,
            };
            let source: Source<B> = match (book, tablebase) {
                (Some((book, _)), tablebase) => Some(Arc::new(BookSource { book, tablebase })),
                (None, Some(tablebase)) => Some(Arc::new(tablebase)),
                (None, None) => None,
            };
            Ok(Box::new(source))
        }

        fn isolation<B: Bits>(self, _: Isolation<B>) -> Self::Output {
            Ok(Box::new(None::<Arc<dyn ExactSource<Isolation<B>>>>))
        }
    }
    Ok(of_this_game(game.visit_kind(Open(wanted))?))
}

/// What a visitor of kinds has made for the very game that was visited.
fn of_this_game<T: 'static>(made: Box<dyn Any>) -> T {
    *made
        .downcast()
        .expect("a visitor makes things for the game it visits")
}

/// A proven value and what comes with it.
pub(crate) struct Proof<M> {
    /// The final margin, or +1 or -1, for the player to move.
    pub(crate) value: i32,
    /// A best line; empty if there was no time left to find one.
    pub(crate) line: Vec<M>,
    /// The value of every move, where they were wanted and proven in time; otherwise empty.
    pub(crate) moves: Vec<(M, i32)>,
}

/// A solver of one game.
pub(crate) trait Prover<G: Game>: Send {
    /// Proves the value of a position of a game that is not over; `None` if `stop` came first.
    fn prove(
        &mut self,
        position: &G::Position,
        all_moves: bool,
        stop: &AtomicBool,
    ) -> Result<Option<Proof<G::Move>>, Problem>;

    /// Positions looked into so far.
    fn nodes(&self) -> u64;
}

/// The solver of a game, with a table of at most `hash` MiB.
pub(crate) fn prover<G: Searchable>(
    game: &G,
    threads: usize,
    hash: Option<usize>,
) -> Result<Box<dyn Prover<G>>, Problem> {
    struct Make {
        threads: usize,
        most_memory: u64,
    }
    impl KindVisitor for Make {
        type Output = Result<Box<dyn Any>, Problem>;

        fn kalah<B: Board>(self, game: Kalah<B>) -> Self::Output {
            let Make {
                threads,
                most_memory,
            } = self;
            let on_disk = match TableSpec::of_game(game.kalah_spec().with_majority(false)) {
                Some(spec) => tablebase_on_disk(spec)?,
                None => None,
            };
            let book = opening_book(game.kalah_spec())?.map(|(book, _)| book);
            let prover: Box<dyn Prover<Kalah<B>>> = Box::new(KalahProver {
                game,
                book,
                threads,
                most_memory,
                tablebase: on_disk,
                solver: None,
            });
            Ok(Box::new(prover))
        }

        fn isolation<B: Bits>(self, game: Isolation<B>) -> Self::Output {
            /// Enough for every board that can be solved in seconds.
            const MEMORY: u64 = 256 << 20;
            let prover: Box<dyn Prover<Isolation<B>>> =
                Box::new(IsolationSolver::new(&game, MEMORY.min(self.most_memory)));
            Ok(Box::new(prover))
        }
    }
    let most_memory = hash.map_or(1 << 30, |mib| (mib as u64) << 20);
    Ok(of_this_game(game.visit_kind(Make {
        threads,
        most_memory,
    })?))
}

/// The Kalah solver, made when it is first needed and made again for positions with more seeds.
struct KalahProver<B: Board> {
    game: Kalah<B>,
    book: Option<Arc<Book>>,
    threads: usize,
    most_memory: u64,
    tablebase: Option<Arc<Tablebase>>,
    solver: Option<(u32, Solver<B>)>,
}

impl<B: Board> KalahProver<B> {
    fn solver(&mut self, seeds: u32) -> Result<&Solver<B>, Problem> {
        if self.solver.as_ref().is_none_or(|(most, _)| *most < seeds) {
            self.solver = None;
            let pits = self.game.pits();
            if self.tablebase.is_none() {
                self.tablebase = small_tablebase(&self.game, seeds);
            }
            let options = SolverOptions {
                memory: suggested_memory(pits, seeds).min(self.most_memory),
                threads: self.threads,
                tablebase: self.tablebase.clone(),
                techniques: Techniques::default(),
            };
            let solver = Solver::new(&self.game, seeds, options).map_err(|e| e.to_string())?;
            self.solver = Some((seeds, solver));
        }
        match &self.solver {
            Some((_, solver)) => Ok(solver),
            None => Err("there is no solver".to_owned()),
        }
    }
}

impl<B: Board> KalahProver<B> {
    /// What the book knows, if it knows every move. The line ends with the book.
    fn book_proof(&self, position: &B, all_moves: bool) -> Option<Proof<Pit>> {
        let book = self.book.as_ref()?;
        let mut line = Vec::new();
        let mut position_now = *position;
        while let Some(best) = best_of(book.moves(&self.game, &position_now)) {
            line.push(best.0);
            position_now = self.game.play_unchecked(&position_now, best.0);
        }
        let moves = book.moves(&self.game, position)?;
        let (_, value) = best_of(Some(moves.clone()))?;
        Some(Proof {
            value,
            line,
            moves: if all_moves { moves } else { Vec::new() },
        })
    }
}

/// The best of some moves; of equals the one nearest to the store.
fn best_of(moves: Option<Vec<(Pit, i32)>>) -> Option<(Pit, i32)> {
    moves?.into_iter().max_by_key(|(_, value)| *value)
}

/// A tablebase in memory that is filled in a small part of a second.
fn small_tablebase<B: Board>(game: &Kalah<B>, seeds: u32) -> Option<Arc<Tablebase>> {
    const POSITIONS: u64 = 12_000_000;
    let spec = TableSpec::of_game(game.kalah_spec().with_majority(false))?;
    let fits = |n: &usize| position_count(spec.pits(), *n).is_some_and(|count| count < POSITIONS);
    let most = (1..=seeds as usize).take_while(fits).last()?;
    Tablebase::build(spec, most, &Progress::default())
        .ok()
        .map(Arc::new)
}

impl<B: Board> Prover<Kalah<B>> for KalahProver<B> {
    fn prove(
        &mut self,
        position: &B,
        all_moves: bool,
        stop: &AtomicBool,
    ) -> Result<Option<Proof<Pit>>, Problem> {
        if let Some(proof) = self.book_proof(position, all_moves) {
            return Ok(Some(proof));
        }
        let known = self.book.as_ref();
        let known = known.and_then(|book| book.final_margin(&self.game, position));
        let solver = self.solver(position.seeds_in_play())?;
        let solved = || solver.margin(position, stop, &mut |_| ()).exact();
        let Some(value) = known.or_else(solved) else {
            return Ok(None);
        };
        let line = solver.line(position, value, stop);
        let mut moves = Vec::new();
        if all_moves {
            let bounds = solver.moves(position, value, stop, &mut |_, _| ());
            let pits = (0..).map(Pit).zip(bounds);
            let legal = pits.filter_map(|(pit, bounds)| Some((pit, bounds?)));
            let exact = legal.map(|(pit, bounds)| Some((pit, bounds.exact()?)));
            moves = exact.collect::<Option<_>>().unwrap_or_default();
        }
        Ok(Some(Proof { value, line, moves }))
    }

    fn nodes(&self) -> u64 {
        self.solver.as_ref().map_or(0, |(_, solver)| solver.nodes())
    }
}

impl<B: Bits> Prover<Isolation<B>> for IsolationSolver<B> {
    fn prove(
        &mut self,
        position: &IsolationPosition<B>,
        all_moves: bool,
        stop: &AtomicBool,
    ) -> Result<Option<Proof<IsolationMove>>, Problem> {
        let Some(value) = self.value(position, stop).exact() else {
            return Ok(None);
        };
        let line = self.line(position, value, stop);
        let mut moves = Vec::new();
        if all_moves {
            let bounds = IsolationSolver::moves(self, position, stop).into_iter();
            let exact = bounds.map(|(mv, bounds)| Some((mv, bounds.exact()?)));
            moves = exact.collect::<Option<_>>().unwrap_or_default();
        }
        Ok(Some(Proof { value, line, moves }))
    }

    fn nodes(&self) -> u64 {
        IsolationSolver::nodes(self)
    }
}
