//! Endgame tables that nobody has to ask for: found, or built once in the background and kept.

use super::ProverError;
use super::files::tablebase_on_disk;
use crate::Watch;
use crate::tablebase::{BuildError, TableSpec, Tablebase, position_count, table_path};
use kalahari_storage::open_alone;
use kalahari_terms::Stop;
use std::collections::HashMap;
use std::fs::{self, File, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU8, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// What this program does about endgame tables that nobody has asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum TablePolicy {
    /// Neither use nor build any.
    Never,
    /// Use those that are there.
    IfThere,
    /// Use those that are there, and build a small one where there is none.
    Build,
}

static POLICY: AtomicU8 = AtomicU8::new(TablePolicy::IfThere as u8);

/// Says what this program does about endgame tables from now on: [`TablePolicy::IfThere`] unless somebody says.
pub fn set_table_policy(policy: TablePolicy) {
    POLICY.store(policy as u8, Ordering::Relaxed);
}

/// What this program does about endgame tables.
pub fn table_policy() -> TablePolicy {
    match POLICY.load(Ordering::Relaxed) {
        0 => TablePolicy::Never,
        1 => TablePolicy::IfThere,
        _ => TablePolicy::Build,
    }
}

/// The most positions of a table that nobody asked for: 18 seeds on six pits, a second or two of two cores.
const MOST_POSITIONS: u64 = 90_000_000;
/// More seeds than this are of no use to small boards.
const MOST_SEEDS: usize = 36;

/// The seeds of the table that is built where nobody asks for one.
pub fn automatic_seeds(family: TableSpec) -> usize {
    let fits = |seeds: &usize| {
        position_count(family.pits(), *seeds).is_some_and(|count| count <= MOST_POSITIONS)
    };
    (1..=MOST_SEEDS).rev().find(fits).unwrap_or(1)
}

/// A tablebase that may come while a game is under way: everybody who waits for one of the same family sees it then.
#[derive(Clone, Debug, Default)]
pub struct TableSlot(Arc<OnceLock<Arc<Tablebase>>>);

impl TableSlot {
    /// The tablebase, once there is one.
    #[inline]
    pub fn get(&self) -> Option<&Arc<Tablebase>> {
        self.0.get()
    }

    /// The seeds of the tablebase; 0 before there is one.
    pub fn seeds(&self) -> usize {
        self.get().map_or(0, |table| table.seeds())
    }
}

impl From<Arc<Tablebase>> for TableSlot {
    fn from(table: Arc<Tablebase>) -> Self {
        let slot = TableSlot::default();
        let _ = slot.0.set(table);
        slot
    }
}

/// The slots of tables that were not there when they were asked for.
static WAITING: Mutex<Option<Waiting>> = Mutex::new(None);
type Waiting = HashMap<(Option<PathBuf>, TableSpec), Expected>;

/// A table that somebody waits for.
#[derive(Default)]
struct Expected {
    slot: TableSlot,
    /// Whether a thread is building it.
    is_begun: bool,
}

/// The tablebase of a family for players: the one on disk, or else one that is built in the background and comes later, as
/// the program's [policy](set_table_policy) says.
pub fn table_for_play(home: Option<&Path>, family: TableSpec) -> Result<TableSlot, ProverError> {
    let policy = table_policy();
    if policy == TablePolicy::Never {
        return Ok(TableSlot::default());
    }
    if let Some(home) = home
        && let Some(table) = tablebase_on_disk(home, family)?
    {
        return Ok(table.into());
    }
    let mut waiting = WAITING.lock().unwrap_or_else(PoisonError::into_inner);
    let key = (home.map(Path::to_owned), family);
    let expected = waiting.get_or_insert_default().entry(key).or_default();
    let slot = expected.slot.clone();
    if policy == TablePolicy::Build && !expected.is_begun && slot.get().is_none() {
        expected.is_begun = true;
        let (home, filled) = (home.map(Path::to_owned), slot.clone());
        let build = move || {
            let pace = Pace::default();
            let stop = Stop::new();
            let watch = Watch {
                stop: &stop,
                done: &|_| pace.rest(),
            };
            if let Some(table) = make(home.as_deref(), family, 1, watch) {
                let _ = filled.0.set(table);
            }
        };
        // Where there is no thread to be had, games go on without the table.
        let _ = thread::Builder::new()
            .name("tablebase".to_owned())
            .spawn(build);
    }
    Ok(slot)
}

/// Makes sure that the tablebase of a family is there before a match begins, if the program builds any: with all cores, or by
/// waiting for whoever is building it.
pub fn table_before_play(
    home: Option<&Path>,
    family: TableSpec,
    stop: &Stop,
) -> Result<(), ProverError> {
    if table_policy() != TablePolicy::Build {
        return Ok(());
    }
    if let Some(home) = home
        && tablebase_on_disk(home, family)?.is_some()
    {
        return Ok(());
    }
    let slot = {
        let mut waiting = WAITING.lock().unwrap_or_else(PoisonError::into_inner);
        let key = (home.map(Path::to_owned), family);
        let expected = waiting.get_or_insert_default().entry(key).or_default();
        // Nobody else in this program has to begin now.
        expected.is_begun = true;
        expected.slot.clone()
    };
    if slot.get().is_none() {
        let cores = thread::available_parallelism().map_or(1, usize::from);
        if let Some(table) = make(home, family, cores, Watch::silent(stop)) {
            let _ = slot.0.set(table);
        }
    }
    Ok(())
}

/// The seeds and the [checksum](Tablebase::checksum) of the tablebase that players of a family use now, if there is one.
pub fn table_in_use(
    home: Option<&Path>,
    family: TableSpec,
) -> Result<Option<(usize, u32)>, ProverError> {
    if table_policy() == TablePolicy::Never {
        return Ok(None);
    }
    if let Some(home) = home {
        match Tablebase::file_info(&table_path(home, family)) {
            Ok(info) => return Ok(Some((info.seeds, info.checksum))),
            Err(error) if error.is_missing() => {}
            Err(error) => return Err(error.into()),
        }
    }
    let waiting = WAITING.lock().unwrap_or_else(PoisonError::into_inner);
    let key = (home.map(Path::to_owned), family);
    let expected = waiting.as_ref().and_then(|waiting| waiting.get(&key));
    let table = expected.and_then(|expected| expected.slot.get());
    Ok(table.map(|table| (table.seeds(), table.checksum())))
}

/// Says that a game is under way, from where on a table in the making takes next to nothing of the machine.
pub fn game_is_under_way() {
    UNDER_WAY.store(true, Ordering::Relaxed);
}

static UNDER_WAY: AtomicBool = AtomicBool::new(false);

/// Lets a build in the background take no more than a twentieth of a core while a game is under way.
#[derive(Debug)]
struct Pace(Mutex<Instant>);

impl Default for Pace {
    fn default() -> Self {
        Pace(Mutex::new(Instant::now()))
    }
}

/// The rest after work: so many times as long.
const REST: u32 = 19;

impl Pace {
    /// Rests after some work, if a game is under way.
    fn rest(&self) {
        let mut resumed = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let worked = resumed.elapsed();
        // Short parts of the work are put together: a thread cannot sleep for a microsecond.
        if worked < Duration::from_millis(2) {
            return;
        }
        if UNDER_WAY.load(Ordering::Relaxed) {
            thread::sleep(worked * REST);
        }
        *resumed = Instant::now();
    }
}

/// Builds a table and keeps it on disk if that is possible. If another process is building it, waits for that one. `None` if
/// it was stopped, or there is no room.
fn make(
    home: Option<&Path>,
    family: TableSpec,
    threads: usize,
    watch: Watch<'_>,
) -> Option<Arc<Tablebase>> {
    let Some(home) = home else {
        return build(family, threads, watch);
    };
    let found = || tablebase_on_disk(home, family).ok().flatten();
    let path = table_path(home, family);
    let lock = loop {
        if watch.stop.look() {
            return None;
        }
        match claim(&path) {
            Ok(lock) => break Some(lock),
            Err(error) if error.kind() == io::ErrorKind::ResourceBusy => {}
            // Nothing can be written there: the table stays in memory.
            Err(_) => break None,
        }
        if let Some(table) = found() {
            return Some(table);
        }
    };
    // Somebody may have been faster.
    let table = match found() {
        Some(table) => table,
        None => {
            let table = build(family, threads, watch)?;
            let saved = lock.is_some() && table.save(&path).is_ok();
            // The file takes no memory of its own where several programs use it.
            saved.then(found).flatten().unwrap_or(table)
        }
    };
    if lock.is_some() {
        let _ = fs::remove_file(lock_name(&path));
    }
    Some(table)
}

/// The right to build the table of a file. It ends with the process, whatever ends that.
fn claim(path: &Path) -> io::Result<File> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    let mut options = OpenOptions::new();
    open_alone(&lock_name(path), options.create(true).append(true))
}

fn lock_name(path: &Path) -> PathBuf {
    path.with_extension("building")
}

fn build(family: TableSpec, threads: usize, watch: Watch<'_>) -> Option<Arc<Tablebase>> {
    let seeds = automatic_seeds(family);
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(threads)
        .build()
        .ok()?;
    let build = || Tablebase::extend::<BuildError>(None, family, seeds, watch, |_| Ok(()));
    let table = pool.install(build).ok()?;
    (table.seeds() == seeds).then(|| Arc::new(table))
}
