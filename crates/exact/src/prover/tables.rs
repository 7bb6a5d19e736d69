//! Automatic endgame tables: found on disk, or built once in the background and saved.

use super::files::tablebase_on_disk;
use super::making::{Haste, Job, Pace, Place};
use super::notice::{Notice, tell};
use crate::tablebase::{TableSpec, Tablebase, position_count, table_path};
use kalahari_terms::Stop;
use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU8, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::thread;

/// What this program does about automatic endgame tables.
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

/// Sets what this program does about endgame tables from now on. The default is [`TablePolicy::IfThere`].
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

/// The most positions of an automatic table: 18 seeds on six pits, a second or two on two cores.
const MOST_POSITIONS: u64 = 90_000_000;
/// More seeds than this are of no use to small boards.
const MOST_SEEDS: usize = 36;

/// The number of seeds of an automatic table.
pub fn automatic_seeds(family: TableSpec) -> usize {
    let fits = |seeds: &usize| {
        position_count(family.pits(), *seeds).is_some_and(|count| count <= MOST_POSITIONS)
    };
    (1..=MOST_SEEDS).rev().find(fits).unwrap_or(1)
}

/// A tablebase that may become available during a game: all slots of the same family then hold it.
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

/// A table that was asked for and is not there yet.
#[derive(Default)]
struct Expected {
    slot: TableSlot,
    /// Whether a thread is building it.
    is_begun: bool,
}

/// The tablebase of a family for players: the one on disk, or else, if the program's [policy](set_table_policy) says so, one
/// that is built in the background and becomes available later.
pub fn table_for_play(home: Option<&Path>, family: TableSpec) -> TableSlot {
    let policy = table_policy();
    if policy == TablePolicy::Never {
        return TableSlot::default();
    }
    if let Some(table) = on_disk(home, family) {
        return table.into();
    }
    let mut waiting = WAITING.lock().unwrap_or_else(PoisonError::into_inner);
    let key = (home.map(Path::to_owned), family);
    let expected = waiting.get_or_insert_default().entry(key).or_default();
    let slot = expected.slot.clone();
    if policy == TablePolicy::Build && !expected.is_begun && slot.get().is_none() {
        expected.is_begun = true;
        let (home, filled) = (home.map(Path::to_owned), slot.clone());
        let build = move || {
            let job = Job {
                family,
                threads: 1,
                stop: &Stop::new(),
                haste: Haste::Beside(&Pace::default()),
            };
            if let Some(table) = job.make(home.as_deref()) {
                let _ = filled.0.set(table);
            }
        };
        // If no thread can be started, games continue without the table.
        let _ = thread::Builder::new()
            .name("tablebase".to_owned())
            .spawn(build);
    }
    slot
}

/// Makes sure that the tablebase of a family is there before a match begins, if the program builds any: by building it on all
/// cores, or by waiting for another process that is building it, but no longer than building it here would take.
pub fn table_before_play(home: Option<&Path>, family: TableSpec, stop: &Stop) {
    if table_policy() != TablePolicy::Build || on_disk(home, family).is_some() {
        return;
    }
    let slot = {
        let mut waiting = WAITING.lock().unwrap_or_else(PoisonError::into_inner);
        let key = (home.map(Path::to_owned), family);
        let expected = waiting.get_or_insert_default().entry(key).or_default();
        // No other thread of this program should start building it now.
        expected.is_begun = true;
        expected.slot.clone()
    };
    if slot.get().is_none() {
        let job = Job {
            family,
            threads: thread::available_parallelism().map_or(1, usize::from),
            stop,
            haste: Haste::Now,
        };
        if let Some(table) = job.make(home) {
            let _ = slot.0.set(table);
        }
        tell(&Notice::Made);
    }
}

/// The seeds and the [checksum](Tablebase::checksum) of the tablebase that players of a family use now, if there is one.
pub fn table_in_use(home: Option<&Path>, family: TableSpec) -> Option<(usize, u32)> {
    if table_policy() == TablePolicy::Never {
        return None;
    }
    let waited_for = || {
        let waiting = WAITING.lock().unwrap_or_else(PoisonError::into_inner);
        let key = (home.map(Path::to_owned), family);
        let expected = waiting.as_ref()?.get(&key)?;
        expected.slot.get().cloned()
    };
    if let (Some(home), Some(table)) = (home, on_disk(home, family)) {
        // The checksum is in the file's header, too.
        let info = Tablebase::file_info(&table_path(home, family)).ok();
        let checksum = info.map_or_else(|| table.checksum(), |info| info.checksum);
        return Some((table.seeds(), checksum));
    }
    let table = waited_for()?;
    Some((table.seeds(), table.checksum()))
}

/// The tablebase on disk. A program that builds tables also cleans up next to it, once.
fn on_disk(home: Option<&Path>, family: TableSpec) -> Option<Arc<Tablebase>> {
    static CLEARED: Mutex<Option<HashSet<(PathBuf, TableSpec)>>> = Mutex::new(None);
    let home = home?;
    let table = tablebase_on_disk(home, family)?;
    if table_policy() == TablePolicy::Build {
        let mut cleared = CLEARED.lock().unwrap_or_else(PoisonError::into_inner);
        let key = (home.to_owned(), family);
        if cleared.get_or_insert_default().insert(key) {
            Place::new(home, family).clear_up();
        }
    }
    Some(table)
}
