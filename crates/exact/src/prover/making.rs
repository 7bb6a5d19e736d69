//! How an endgame table is built automatically: by one process at a time, saved to disk if possible, and continued if an
//! earlier program ended before it was done.
//!
//! ```text
//!    kalah-6-standard.tablebase    the table
//!    kalah-6-standard.building     locked by the process that builds it; holds the percentage done
//!    kalah-6-standard.part         the levels of a long build, for the next program if this one ends
//! ```

use super::files::{TableFile, table_file, tablebase_on_disk};
use super::notice::{Maker, Notice, tell, tell_of_home, tell_of_table};
use super::tables::automatic_seeds;
use crate::Watch;
use crate::tablebase::{BuildError, TableSpec, Tablebase, position_count, table_path};
use kalahari_storage::{open_if_free, remove_stale_drafts};
use kalahari_terms::Stop;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Seek, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// How often to check whether another process is done.
const LOOK_EVERY: Duration = Duration::from_millis(20);
/// How long another process is watched before it can be judged too slow.
const SHORTEST_WATCH: Duration = Duration::from_millis(100);
/// The levels filled to estimate how long the whole takes have at most one in this many of its positions.
const TRIAL: u64 = 32;
/// The levels so far are saved if the work since the last save took this long.
const KEEP_AFTER: Duration = Duration::from_secs(1);

/// A table that is wanted.
#[derive(Clone, Copy)]
pub(super) struct Job<'a> {
    pub(super) family: TableSpec,
    pub(super) threads: usize,
    pub(super) stop: &'a Stop,
    pub(super) haste: Haste<'a>,
}

/// How soon a table is wanted.
#[derive(Clone, Copy)]
pub(super) enum Haste<'a> {
    /// A caller waits for it, and the listener gets news of its progress.
    Now,
    /// It is built in the background.
    Beside(&'a Pace),
}

/// The outcome of an attempt to become the process that builds a table.
enum Turn {
    /// The table is there.
    Found(Arc<Tablebase>),
    /// This process may build it. The lock is released when the process ends, however it ends.
    Ours(File),
    /// Another process is building it, but more slowly than this one would.
    TooSlow,
    /// Nothing can be written.
    Nowhere(io::Error),
    /// There was a request to stop.
    Stopped,
}

/// Why a build ended early.
enum Ended {
    /// Another process was faster.
    Found(Arc<Tablebase>),
    /// There is no room in memory.
    NoRoom,
}

impl From<BuildError> for Ended {
    fn from(_: BuildError) -> Self {
        Ended::NoRoom
    }
}

impl Job<'_> {
    /// Builds the table and saves it in a home directory if possible. If another process is building it, waits for that one.
    /// `None` if it was stopped or there is no room.
    pub(super) fn make(&self, home: Option<&Path>) -> Option<Arc<Tablebase>> {
        let Some(home) = home else {
            return self.build(None, None).ok();
        };
        let place = Place::new(home, self.family);
        if place.is_taken() {
            return self.build(None, None).ok();
        }
        // The levels filled to estimate the time are not filled twice.
        let mut first = None;
        let (lock, may_write) = match self.wait_for_turn(&place, &mut first) {
            Turn::Found(table) => return Some(table),
            Turn::Stopped => return None,
            Turn::Ours(lock) => (Some(Mutex::new(lock)), true),
            Turn::TooSlow => (None, true),
            Turn::Nowhere(problem) => {
                tell_of_home(home, &problem);
                (None, false)
            }
        };
        // Another process may have been faster.
        let made = match place.found() {
            Some(table) => Some(table),
            None => self.make_here(&place, lock.as_ref(), may_write, first),
        };
        if lock.is_some() {
            place.leave();
        }
        made
    }

    /// Builds the table, from the levels of an unfinished build if there are any, and saves it.
    fn make_here(
        &self,
        place: &Place<'_>,
        lock: Option<&Mutex<File>>,
        may_write: bool,
        first: Option<Tablebase>,
    ) -> Option<Arc<Tablebase>> {
        let left = Tablebase::open(&place.part, Some(self.family)).ok();
        let known = [first, left].into_iter().flatten();
        let known = known.max_by_key(Tablebase::seeds);
        let table = match self.build(known.as_ref(), lock.map(|lock| (place, lock))) {
            Ok(table) => table,
            Err(Ended::Found(table)) => return Some(table),
            Err(Ended::NoRoom) => return None,
        };
        if may_write && !place.is_taken() {
            match table.save(&place.table) {
                // Several programs that use the file share its memory.
                Ok(()) => return place.found().or(Some(table)),
                Err(error) => tell_of_table(place.home, self.family, &error, false),
            }
        }
        Some(table)
    }

    /// Waits until no other process is building the table. If a caller needs it at once, it waits no longer than it would take to
    /// build it here; the levels filled to estimate that are left in `first`.
    fn wait_for_turn(&self, place: &Place<'_>, first: &mut Option<Tablebase>) -> Turn {
        let mut watched: Option<Watched> = None;
        loop {
            if self.stop.look() {
                return Turn::Stopped;
            }
            match place.claim() {
                Ok(Some(lock)) => return Turn::Ours(lock),
                Ok(None) => {}
                Err(problem) => return Turn::Nowhere(problem),
            }
            if let Some(table) = place.found() {
                return Turn::Found(table);
            }
            if let Haste::Now = self.haste {
                let percent = place.percent();
                let watched = watched.get_or_insert_with(|| Watched {
                    patience: self.time_to_build(first),
                    begun: self.stop.now(),
                    first_percent: percent,
                });
                tell(&Notice::Making {
                    table: self.family,
                    maker: Maker::Another,
                    percent,
                });
                let waited = self.stop.now().saturating_sub(watched.begun);
                if watched.is_too_slow(waited, percent) {
                    return Turn::TooSlow;
                }
            }
            thread::sleep(match self.haste {
                Haste::Now => LOOK_EVERY,
                Haste::Beside(_) => 10 * LOOK_EVERY,
            });
        }
    }

    /// About how long it takes to build the table here and to write it. The first levels stay in `first`.
    fn time_to_build(&self, first: &mut Option<Tablebase>) -> Duration {
        let count = |seeds| position_count(self.family.pits(), seeds).unwrap_or(u64::MAX);
        let seeds = automatic_seeds(self.family);
        let few = (0..=seeds)
            .rev()
            .find(|&n| count(n) <= count(seeds) / TRIAL);
        let begun = self.stop.now();
        let built = self.build_to(few.unwrap_or(0), None, Watch::silent(self.stop), |_| Ok(()));
        let took = self
            .stop
            .now()
            .saturating_sub(begun)
            .max(Duration::from_millis(1));
        let whole = took.mul_f64(count(seeds) as f64 / count(few.unwrap_or(0)).max(1) as f64);
        *first = built.ok();
        // Writing takes about as long as building.
        2 * whole
    }

    /// Builds the table in memory, starting from what is known. With a place and its lock, other processes see its progress,
    /// and a long build is saved level by level.
    fn build(
        &self,
        known: Option<&Tablebase>,
        kept: Option<(&Place<'_>, &Mutex<File>)>,
    ) -> Result<Arc<Tablebase>, Ended> {
        let seeds = automatic_seeds(self.family);
        let all = position_count(self.family.pits(), seeds).unwrap_or(u64::MAX);
        let filled = AtomicU64::new(known.map_or(0, Tablebase::positions));
        let done = |positions| {
            let before = filled.fetch_add(positions, Ordering::Relaxed);
            let percent = |filled: u64| (100 * filled / all) as u8;
            let now = percent(before + positions);
            if now > percent(before) {
                self.tell_percent(now, kept);
            }
            if let Haste::Beside(pace) = self.haste {
                pace.rest();
            }
        };
        let watch = Watch {
            stop: self.stop,
            done: &done,
        };
        let mut saved = Instant::now();
        let finished = |table: &Tablebase| {
            if let Some((place, _)) = kept {
                if let Some(table) = place.found() {
                    return Err(Ended::Found(table));
                }
                if saved.elapsed() >= KEEP_AFTER && table.seeds() < seeds {
                    // If it cannot be saved, the next build only has to start over.
                    let _ = table.save(&place.part);
                    saved = Instant::now();
                    if let Haste::Beside(pace) = self.haste {
                        pace.resume();
                    }
                }
            }
            Ok(())
        };
        let table = self.build_to(seeds, known, watch, finished)?;
        match table.seeds() == seeds {
            true => Ok(Arc::new(table)),
            false => Err(Ended::NoRoom),
        }
    }

    fn build_to(
        &self,
        seeds: usize,
        known: Option<&Tablebase>,
        watch: Watch<'_>,
        finished: impl FnMut(&Tablebase) -> Result<(), Ended> + Send,
    ) -> Result<Tablebase, Ended> {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(self.threads);
        let pool = pool.build().map_err(|_| Ended::NoRoom)?;
        pool.install(|| Tablebase::extend(known, self.family, seeds, watch, finished))
    }

    fn tell_percent(&self, percent: u8, kept: Option<(&Place<'_>, &Mutex<File>)>) {
        if let Some((_, lock)) = kept {
            // Nothing depends on this, so errors are ignored.
            let _ = write_percent(
                &mut lock.lock().unwrap_or_else(PoisonError::into_inner),
                percent,
            );
        }
        if let Haste::Now = self.haste {
            tell(&Notice::Making {
                table: self.family,
                maker: Maker::Here,
                percent: Some(percent),
            });
        }
    }
}

/// Another process at work, as seen by one that waits for it.
struct Watched {
    /// How long to wait.
    patience: Duration,
    begun: Duration,
    /// How far it was then.
    first_percent: Option<u8>,
}

impl Watched {
    /// Whether it is not worth waiting any longer.
    fn is_too_slow(&self, waited: Duration, percent: Option<u8>) -> bool {
        if waited >= self.patience {
            return true;
        }
        if waited < SHORTEST_WATCH.max(self.patience / 8) {
            return false;
        }
        let (Some(first), Some(percent)) = (self.first_percent, percent) else {
            return false;
        };
        let (done, left) = (
            percent.saturating_sub(first),
            100_u8.saturating_sub(percent),
        );
        left > 0
            && waited.mul_f64(f64::from(left) / f64::from(done).max(0.5)) > self.patience - waited
    }
}

/// The files of a table in a home directory.
pub(super) struct Place<'a> {
    home: &'a Path,
    family: TableSpec,
    table: PathBuf,
    lock: PathBuf,
    part: PathBuf,
}

impl<'a> Place<'a> {
    pub(super) fn new(home: &'a Path, family: TableSpec) -> Self {
        let table = table_path(home, family);
        Place {
            home,
            family,
            lock: table.with_extension("building"),
            part: table.with_extension("part"),
            table,
        }
    }

    /// The table, if it is there and can be used.
    fn found(&self) -> Option<Arc<Tablebase>> {
        tablebase_on_disk(self.home, self.family)
    }

    /// Whether there is something in the table's place that cannot be used, but that its owner may still want.
    fn is_taken(&self) -> bool {
        match table_file(self.home, self.family) {
            Some(TableFile::Whole(_) | TableFile::Replaceable) => false,
            Some(TableFile::Kept) => true,
            // A dangling link has an owner, too.
            None => fs::symlink_metadata(&self.table).is_ok(),
        }
    }

    /// The right to build the table; `None` if another process has it.
    fn claim(&self) -> io::Result<Option<File>> {
        if let Some(folder) = self.lock.parent() {
            fs::create_dir_all(folder)?;
        }
        let mut options = OpenOptions::new();
        open_if_free(&self.lock, options.create(true).truncate(false).write(true))
    }

    /// How far another process has come.
    fn percent(&self) -> Option<u8> {
        let text = fs::read_to_string(&self.lock).ok()?;
        text.trim().parse().ok().filter(|percent| *percent <= 100)
    }

    /// Gives up the right to build the table, which the caller must hold. Once the table is there, its part file is not needed.
    fn leave(&self) {
        if self.found().is_some() {
            let _ = fs::remove_file(&self.part);
        }
        let _ = fs::remove_file(&self.lock);
    }

    /// Removes what killed programs have left behind, except where a build is running.
    pub(super) fn clear_up(&self) {
        let Some(folder) = self.table.parent() else {
            return;
        };
        remove_stale_drafts(folder);
        let is_left = |path: &Path| fs::symlink_metadata(path).is_ok();
        if (is_left(&self.part) || is_left(&self.lock))
            && let Ok(Some(_lock)) = self.claim()
        {
            let _ = fs::remove_file(&self.part);
            let _ = fs::remove_file(&self.lock);
        }
    }
}

/// Removes a table from a home directory, and what unfinished builds of it have left. Returns whether there was a table. A
/// build that is under way is not disturbed.
pub fn delete_table(home: &Path, family: TableSpec) -> io::Result<bool> {
    let place = Place::new(home, family);
    let there_was = match fs::remove_file(&place.table) {
        Ok(()) => true,
        Err(error) if error.kind() == io::ErrorKind::NotFound => false,
        Err(error) => return Err(error),
    };
    if fs::metadata(home).is_ok() {
        place.clear_up();
    }
    Ok(there_was)
}

fn write_percent(lock: &mut File, percent: u8) -> io::Result<()> {
    lock.rewind()?;
    write!(lock, "{percent:>3}")
}

/// Reports that a game has begun: from now on, building a table in the background takes next to no processor time.
pub fn game_is_under_way() {
    UNDER_WAY.store(true, Ordering::Relaxed);
}

static UNDER_WAY: AtomicBool = AtomicBool::new(false);

/// Limits a build in the background to a twentieth of a core during a game.
#[derive(Debug)]
pub(super) struct Pace(Mutex<Instant>);

impl Default for Pace {
    fn default() -> Self {
        Pace(Mutex::new(Instant::now()))
    }
}

/// The rest after some work is this many times as long as the work.
const REST: u32 = 19;

impl Pace {
    /// Rests after some work, if a game is being played.
    fn rest(&self) {
        let mut resumed = self.resumed();
        let worked = resumed.elapsed();
        // Short stretches of work are added up: a thread cannot sleep for a microsecond.
        if worked < Duration::from_millis(2) {
            return;
        }
        if UNDER_WAY.load(Ordering::Relaxed) {
            thread::sleep(worked * REST);
        }
        *resumed = Instant::now();
    }

    /// Work begins now: the time before it was spent waiting for the disk.
    fn resume(&self) {
        *self.resumed() = Instant::now();
    }

    fn resumed(&self) -> std::sync::MutexGuard<'_, Instant> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
