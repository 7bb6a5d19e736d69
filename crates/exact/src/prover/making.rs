//! How an endgame table is made that nobody asked for: by one process at a time, kept on disk if that is possible, and taken
//! up where a program ended too early.
//!
//! ```text
//!    kalah-6-standard.tablebase    the table
//!    kalah-6-standard.building     locked by whoever builds it; says how many percent are done
//!    kalah-6-standard.part         the levels of a build that takes long, for the next program if this one ends
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

/// How often to look whether another process is done.
const LOOK_EVERY: Duration = Duration::from_millis(20);
/// How long another process is watched before it may be found too slow.
const SHORTEST_WATCH: Duration = Duration::from_millis(100);
/// The levels that are filled to learn how long the whole takes have at most this part of its positions.
const TRIAL: u64 = 32;
/// The levels so far are kept if the work since they were kept last took this long.
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
    /// Somebody waits for it, and hears how far it is.
    Now,
    /// It is made beside something else.
    Beside(&'a Pace),
}

/// What comes of an attempt to be the one who makes a table.
enum Turn {
    /// It is there.
    Found(Arc<Tablebase>),
    /// Nobody else makes it. The lock ends with the process, whatever ends that.
    Ours(File),
    /// Another process makes it, but more slowly than this one would.
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
    /// Makes the table and keeps it in a home directory if that is possible. If another process is making it, waits for that
    /// one. `None` if it was stopped, or there is no room.
    pub(super) fn make(&self, home: Option<&Path>) -> Option<Arc<Tablebase>> {
        let Some(home) = home else {
            return self.build(None, None).ok();
        };
        let place = Place::new(home, self.family);
        if place.is_taken() {
            return self.build(None, None).ok();
        }
        // What is filled to learn how long it takes is not filled twice.
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
        // Somebody may have been faster.
        let made = match place.found() {
            Some(table) => Some(table),
            None => self.make_here(&place, lock.as_ref(), may_write, first),
        };
        if lock.is_some() {
            place.leave();
        }
        made
    }

    /// Builds the table, from levels that somebody has left if there are any, and keeps it.
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
                // The file takes no memory of its own where several programs use it.
                Ok(()) => return place.found().or(Some(table)),
                Err(error) => tell_of_table(place.home, self.family, &error, false),
            }
        }
        Some(table)
    }

    /// Waits until nobody else makes the table. Whoever is in haste waits no longer than it would take to build it here;
    /// what has been filled to learn that is left in `first`.
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
        // Writing takes about as long.
        2 * whole
    }

    /// Builds the table in memory, on from what is known. With a place and its lock, others see how far it is, and a build
    /// that takes long is kept level by level.
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
                    // Where it cannot be kept, it is only begun anew the next time.
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
            // Nothing depends on it.
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

/// Another process at work, as somebody sees it who waits.
struct Watched {
    /// How long to wait.
    patience: Duration,
    begun: Duration,
    /// How far it was then.
    first_percent: Option<u8>,
}

impl Watched {
    /// Whether it is not worth while to wait any longer.
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

    /// Whether there is something in the table's place that cannot be used, but may be of use to its owner.
    fn is_taken(&self) -> bool {
        match table_file(self.home, self.family) {
            Some(TableFile::Whole(_) | TableFile::Replaceable) => false,
            Some(TableFile::Kept) => true,
            // A link that leads nowhere is somebody's, too.
            None => fs::symlink_metadata(&self.table).is_ok(),
        }
    }

    /// The right to build the table; `None` if somebody else has it.
    fn claim(&self) -> io::Result<Option<File>> {
        if let Some(folder) = self.lock.parent() {
            fs::create_dir_all(folder)?;
        }
        let mut options = OpenOptions::new();
        open_if_free(&self.lock, options.create(true).truncate(false).write(true))
    }

    /// How far somebody else is.
    fn percent(&self) -> Option<u8> {
        let text = fs::read_to_string(&self.lock).ok()?;
        text.trim().parse().ok().filter(|percent| *percent <= 100)
    }

    /// Gives back the right to build the table, which whoever calls this has. Once the table is there, nobody needs a part.
    fn leave(&self) {
        if self.found().is_some() {
            let _ = fs::remove_file(&self.part);
        }
        let _ = fs::remove_file(&self.lock);
    }

    /// Removes what killed programs have left of builds that nobody is at.
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

/// Removes everything of a table from a home directory, and what unfinished builds of it have left. Says whether there was a
/// table. A build that is under way is not disturbed.
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

/// Says that a game is under way, from where on a table in the making takes next to nothing of the machine.
pub fn game_is_under_way() {
    UNDER_WAY.store(true, Ordering::Relaxed);
}

static UNDER_WAY: AtomicBool = AtomicBool::new(false);

/// Lets a build in the background take no more than a twentieth of a core while a game is under way.
#[derive(Debug)]
pub(super) struct Pace(Mutex<Instant>);

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
        let mut resumed = self.resumed();
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

    /// Work begins now: what was before it was waiting for the disk.
    fn resume(&self) {
        *self.resumed() = Instant::now();
    }

    fn resumed(&self) -> std::sync::MutexGuard<'_, Instant> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
