//! Builds tablebases in memory, level by level.

use crate::Watch;
use crate::tablebase::fill::Filler;
use crate::tablebase::layout::Layout;
use crate::tablebase::lookup::Bytes;
use crate::tablebase::numbering::Numbering;
use crate::tablebase::plan::Plans;
use crate::tablebase::{MAX_TABLE_SEEDS, TableSpec, Tablebase, position_count};
use kalahari_storage::Pages;
use kalahari_terms::Stop;
use std::io;
use std::sync::OnceLock;
use thiserror::Error;

/// Why a tablebase was not built.
#[derive(Debug, Error)]
pub enum BuildError {
    /// More seeds than a tablebase can cover.
    #[error("a tablebase covers at most {MAX_TABLE_SEEDS} seeds, not {seeds}")]
    TooManySeeds {
        /// The seeds asked for.
        seeds: usize,
    },
    /// There is no room in memory.
    #[error("not enough memory for a tablebase of {bytes} bytes: {problem}")]
    Memory {
        /// What was asked for.
        bytes: u64,
        /// What the system says.
        problem: io::Error,
    },
}

/// The bytes of memory that a build takes at its peak, auxiliary tables included; `None` if absurdly many.
pub fn building_memory(spec: TableSpec, seeds: usize) -> Option<u64> {
    let pits = spec.pits();
    let sides = crate::choose::choose(seeds + pits, pits)?;
    let helpers = u64::try_from(sides)
        .ok()?
        .checked_mul(16 + 28 * pits as u64)?;
    position_count(pits, seeds)?.checked_add(helpers)
}

impl Tablebase {
    /// Builds a tablebase in memory, on the threads of the current rayon pool.
    ///
    /// If stopped, it returns a table of the levels finished by then.
    pub fn build(spec: TableSpec, seeds: usize, stop: &Stop) -> Result<Self, BuildError> {
        Self::extend(None, spec, seeds, Watch::silent(stop), |_| Ok(()))
    }

    /// Continues from the levels of `known`, a smaller table of the same family, if there is one.
    ///
    /// After every level `finished` is called with the table so far; an error that it returns ends the build.
    pub fn extend<E: From<BuildError>>(
        known: Option<&Tablebase>,
        spec: TableSpec,
        seeds: usize,
        watch: Watch<'_>,
        mut finished: impl FnMut(&Tablebase) -> Result<(), E>,
    ) -> Result<Self, E> {
        let known = known.filter(|known| known.spec == spec);
        let positions = match position_count(spec.pits(), seeds) {
            Some(positions) if seeds <= MAX_TABLE_SEEDS => positions,
            _ => return Err(BuildError::TooManySeeds { seeds }.into()),
        };
        let memory = |problem| BuildError::Memory {
            bytes: positions,
            problem,
        };
        let too_large = |_| memory(io::ErrorKind::OutOfMemory.into());
        let length = usize::try_from(positions).map_err(too_large)?;
        let mut pages = Pages::try_new(length).map_err(memory)?;
        let begin = known.map_or(0, |known| known.seeds.min(seeds));
        let numbering = Numbering::new(spec.pits(), begin);
        let layout = Layout::new(&numbering);
        let start = match known {
            Some(known) => {
                let bytes = layout.level(begin + 1);
                pages[..bytes].copy_from_slice(&known.bytes.as_slice()[..bytes]);
                begin + 1
            }
            None => 0,
        };
        let mut table = Tablebase {
            spec,
            seeds: start.saturating_sub(1),
            numbering,
            layout,
            bytes: Bytes::Memory(pages),
            halved: OnceLock::new(),
        };
        let mut plans = Plans::new(spec.pits(), spec.rule());
        for n in start..=seeds {
            if n > 0 && watch.stop.look() {
                break;
            }
            if n > table.numbering.seeds() {
                table.numbering.grow();
                table.layout.grow(&table.numbering);
            }
            plans.grow(&table.numbering);
            let filler = Filler {
                numbering: &table.numbering,
                layout: &table.layout,
                plans: &plans,
                rule: spec.rule(),
                watch,
            };
            if let Bytes::Memory(pages) = &mut table.bytes {
                let (lower, rest) = pages.split_at_mut(table.layout.level(n));
                let length = table.layout.level(n + 1) - table.layout.level(n);
                filler.level(n, lower, &mut rest[..length]);
            }
            // A level counts only if it is complete.
            if watch.stop.is_requested() && n > 0 {
                break;
            }
            table.seeds = n;
            finished(&table)?;
            // A halved copy would lack the next level.
            table.halved.take();
        }
        Ok(table)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use kalahari_games::kalah::CaptureRule;
    use std::sync::atomic::{AtomicU64, Ordering};
    use std::time::{Duration, Instant};

    #[test]
    fn a_stopped_build_keeps_whole_levels_and_can_go_on() {
        let spec = TableSpec::new(4, CaptureRule::Standard).expect("a family");
        let stop = Stop::new();
        let watch = Watch::silent(&stop);
        let stopped = Tablebase::extend::<BuildError>(None, spec, 12, watch, |table| {
            if table.seeds() == 7 {
                stop.request();
            }
            Ok(())
        });
        let stopped = stopped.expect("a table");
        assert_eq!(stopped.seeds(), 7);
        let done = |_: &Tablebase| Ok::<(), BuildError>(());
        let (go_on, filled) = (Stop::new(), AtomicU64::new(0));
        let watch = Watch {
            stop: &go_on,
            done: &|positions| {
                filled.fetch_add(positions, Ordering::Relaxed);
            },
        };
        let extended = Tablebase::extend(Some(&stopped), spec, 12, watch, done).expect("built");
        let whole = Tablebase::build(spec, 12, &go_on).expect("built");
        let added = whole.positions() - stopped.positions();
        assert_eq!(filled.load(Ordering::Relaxed), added);
        assert_eq!(extended.bytes(), whole.bytes());
    }

    /// Threads write side by side into one level.
    #[test]
    fn a_table_does_not_depend_on_who_fills_it() {
        let spec = TableSpec::new(2, CaptureRule::Standard).expect("a family");
        let build = |threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
            let pool = pool.build().expect("threads");
            let table = pool.install(|| Tablebase::build(spec, 6, &Stop::new()));
            table.expect("built").bytes().to_vec()
        };
        assert_eq!(build(1), build(3));
    }

    #[test]
    fn a_deadline_ends_a_build() {
        let spec = TableSpec::new(6, CaptureRule::Standard).expect("a family");
        let begin = Instant::now();
        let stop = Stop::new().within(Duration::from_millis(50));
        let table = Tablebase::build(spec, 20, &stop).expect("a part of it");
        assert!(table.seeds() < 20 && begin.elapsed() < Duration::from_secs(1));
    }
}
