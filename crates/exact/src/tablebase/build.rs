//! Builds tablebases in memory, level by level.

use crate::tablebase::fill::Filler;
use crate::tablebase::layout::Layout;
use crate::tablebase::lookup::Bytes;
use crate::tablebase::numbering::Numbering;
use crate::tablebase::plan::Plans;
use crate::tablebase::{MAX_TABLE_SEEDS, TableSpec, Tablebase, position_count};
use memmap2::MmapMut;
use std::io;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
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
    #[error("no memory for a tablebase of {bytes} bytes: {source}")]
    Memory {
        /// What was asked for.
        bytes: u64,
        /// What the system says.
        source: io::Error,
    },
}

/// How far a build has come; shared between the builder and who watches it.
#[derive(Debug, Default)]
pub struct Progress {
    filled: AtomicU64,
    stop: AtomicBool,
}

impl Progress {
    /// Positions filled so far by this build.
    pub fn filled(&self) -> u64 {
        self.filled.load(Ordering::Relaxed)
    }

    /// Asks the build to stop. It keeps the levels that are finished.
    pub fn stop(&self) {
        self.stop.store(true, Ordering::Relaxed);
    }

    /// Whether the build has been asked to stop.
    pub fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }
}

/// The bytes of memory a build takes at its peak, table and helpers; `None` when absurd.
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
    /// If `progress` is told to stop, the table holds the levels finished by then.
    pub fn build(spec: TableSpec, seeds: usize, progress: &Progress) -> Result<Self, BuildError> {
        Self::extend(None, spec, seeds, progress, |_| Ok(()))
    }

    /// Builds on from the levels of `known`, a smaller table of the same family, if there is one.
    ///
    /// After every level `finished` is given the table so far; what it returns as an error ends the build.
    pub fn extend<E: From<BuildError>>(
        known: Option<&Tablebase>,
        spec: TableSpec,
        seeds: usize,
        progress: &Progress,
        mut finished: impl FnMut(&Tablebase) -> Result<(), E>,
    ) -> Result<Self, E> {
        let known = known.filter(|known| known.spec == spec);
        let positions = match position_count(spec.pits(), seeds) {
            Some(positions) if seeds <= MAX_TABLE_SEEDS => positions,
            _ => return Err(BuildError::TooManySeeds { seeds }.into()),
        };
        let memory = |source| BuildError::Memory {
            bytes: positions,
            source,
        };
        let too_large = |_| memory(io::ErrorKind::OutOfMemory.into());
        let length = usize::try_from(positions).map_err(too_large)?;
        let mut map = MmapMut::map_anon(length).map_err(memory)?;
        // Large pages make the first touch and random reads faster; without them all works as well.
        #[cfg(target_os = "linux")]
        let _ = map.advise(memmap2::Advice::HugePage);

        let numbering = Numbering::new(spec.pits(), seeds);
        let layout = Layout::new(&numbering);
        let start = match known {
            Some(known) => {
                let level = known.seeds.min(seeds);
                let bytes = layout.level(level + 1);
                map[..bytes].copy_from_slice(&known.bytes.as_slice()[..bytes]);
                level + 1
            }
            None => 0,
        };
        let mut table = Tablebase {
            spec,
            seeds: start.saturating_sub(1),
            numbering,
            layout,
            bytes: Bytes::Memory(map),
        };
        let plans = Plans::new(&table.numbering, spec.rule());
        for n in start..=seeds {
            let filler = Filler {
                numbering: &table.numbering,
                layout: &table.layout,
                plans: &plans,
                rule: spec.rule(),
                stop: &progress.stop,
                filled: &progress.filled,
            };
            if let Bytes::Memory(map) = &mut table.bytes {
                let (lower, rest) = map.split_at_mut(table.layout.level(n));
                let length = table.layout.level(n + 1) - table.layout.level(n);
                filler.level(n, lower, &mut rest[..length]);
            }
            // A level counts only when no part of it was left out.
            if progress.is_stopped() && n > 0 {
                break;
            }
            table.seeds = n;
            finished(&table)?;
        }
        Ok(table)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use kalahari_games::kalah::CaptureRule;

    #[test]
    fn a_stopped_build_keeps_whole_levels_and_can_go_on() {
        let spec = TableSpec::new(4, CaptureRule::Standard).expect("a family");
        let progress = Progress::default();
        let stopped = Tablebase::extend::<BuildError>(None, spec, 12, &progress, |table| {
            if table.seeds() == 7 {
                progress.stop();
            }
            Ok(())
        });
        let stopped = stopped.expect("a table");
        assert_eq!(stopped.seeds(), 7);
        let done = |_: &Tablebase| Ok::<(), BuildError>(());
        let extended =
            Tablebase::extend(Some(&stopped), spec, 12, &Progress::default(), done).expect("built");
        let whole = Tablebase::build(spec, 12, &Progress::default()).expect("built");
        assert_eq!(extended.bytes(), whole.bytes());
    }
}
