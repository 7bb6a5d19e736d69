//! Balanced openings: random ones that the engine thinks even, kept in a file.
//!
//! A lopsided opening measures nothing: each side wins it once. For Kalah the value by `engine` at depth 10
//! has to lie within 2 seeds. For Isolation it is the average of depths 5 and 6 (evaluations flatter whoever
//! moves last; an odd and an even depth cancel that), at most 20,000 nodes each (`classic` has hundreds of
//! moves): in `trail` cells reached first, within an eighth of the board, elsewhere mobility, within 2 steps. In
//! Isolation a proven win is never even. In `trail`, where a draw is possible and most wins are by a cell or two that no
//! evaluation sees, what seems even is searched for a proof as well: of random openings of 8 moves on 8x8 nine in ten are
//! won, nearly all by the mover.

use crate::openings::{Candidates, Line, Maker};
use crate::{ArenaError, seeds};
use kalahari_agents::{AgentSpec, Player};
use kalahari_games::GameSpec;
use kalahari_search::eval::Evaluation;
use kalahari_search::{Limits, Report, Searchable};
use std::panic::resume_unwind;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

/// How far from even the seeds of Kalah or the steps of Isolation may be.
const WITHIN: f64 = 2.0;

/// After so many openings without an even one there are none.
const PATIENCE: usize = 400;

/// The same where few openings are even and judging one takes a millisecond.
const MORE_PATIENCE: usize = 4000;

/// Who judges the openings of a game, and how.
struct Bench {
    /// Their values are averaged.
    judges: &'static [&'static str],
    /// How far from even the average may be in points of the evaluation.
    within: f64,
    /// Looks for a proof that an opening is not even after all.
    prover: Option<&'static str>,
    /// How far from even a proven margin may be.
    proven_within: f64,
    /// How many openings in a row may be refused.
    patience: usize,
}

impl Bench {
    fn of<G: Searchable>(game: &G) -> Self {
        match game.spec() {
            GameSpec::Kalah(_) => Bench {
                judges: &["engine:depth=10,hash=8"],
                within: WITHIN * f64::from(G::Eval::of_choice().point()),
                prover: None,
                proven_within: WITHIN,
                patience: PATIENCE,
            },
            GameSpec::Isolation(spec) if game.has_margins() => Bench {
                judges: &[
                    "engine:depth=5,nodes=20000,hash=8,eval=reach",
                    "engine:depth=6,nodes=20000,hash=8,eval=reach",
                ],
                within: spec.cells() as f64 / 8.0,
                prover: Some("engine:nodes=400000,hash=16,eval=reach"),
                proven_within: 0.0,
                patience: MORE_PATIENCE,
            },
            GameSpec::Isolation(_) => Bench {
                judges: &[
                    "engine:depth=5,nodes=20000,hash=8,eval=mobility",
                    "engine:depth=6,nodes=20000,hash=8,eval=mobility",
                ],
                within: WITHIN,
                prover: None,
                proven_within: 0.0,
                patience: PATIENCE,
            },
        }
    }

    /// What decides the verdicts, but for the engine itself.
    fn signature(&self) -> impl Iterator<Item = u64> {
        let specs = self.judges.iter().copied().chain(self.prover);
        let bounds = [self.within.to_bits(), self.proven_within.to_bits()];
        specs.map(seeds::of_text).chain(bounds)
    }
}

/// A bench of judges at work.
struct Judge<G: Searchable> {
    bench: Bench,
    judges: Vec<Player<G>>,
    prover: Option<Player<G>>,
}

impl<G: Searchable> Judge<G> {
    fn new(game: &G) -> Result<Self, ArenaError> {
        let bench = Bench::of(game);
        let player = |text: &&str| -> Result<Player<G>, ArenaError> {
            Ok(Player::new(&text.parse::<AgentSpec>()?, game, 0)?)
        };
        Ok(Judge {
            judges: bench.judges.iter().map(player).collect::<Result<_, _>>()?,
            prover: bench.prover.as_ref().map(player).transpose()?,
            bench,
        })
    }

    fn reports(&mut self, position: G::Position, maker: &Maker<'_, G>) -> Vec<Report<G::Move>> {
        let think = |player: &mut Player<G>| report(player, position, maker);
        self.judges.iter_mut().map(think).collect()
    }

    fn is_even(&mut self, position: G::Position, maker: &Maker<'_, G>) -> bool {
        let reports = self.reports(position, maker);
        if let Some(truth) = reports.iter().find(|report| report.proven) {
            return truth.value.abs() <= self.bench.proven_within;
        }
        let sum: f64 = reports.iter().map(|report| report.value).sum();
        let seems_even = (sum / reports.len() as f64).abs() <= self.bench.within;
        match &mut self.prover {
            Some(prover) if seems_even => {
                let report = report(prover, position, maker);
                !report.proven || report.value.abs() <= self.bench.proven_within
            }
            _ => seems_even,
        }
    }
}

/// What a judge who knows nothing of other openings says of one.
fn report<G: Searchable>(
    judge: &mut Player<G>,
    position: G::Position,
    maker: &Maker<'_, G>,
) -> Report<G::Move> {
    judge.begin_game(0);
    judge.choose(position, Limits::default(), maker.stop)
}

/// At most `count` balanced openings of `length` moves.
pub(crate) fn make<G: Searchable>(
    maker: &Maker<'_, G>,
    length: u32,
    count: usize,
) -> Result<Vec<Line<G>>, ArenaError> {
    let threads = maker.threads.max(1);
    let judges: Result<Vec<_>, _> = (0..threads).map(|_| Judge::new(maker.game)).collect();
    let mut judges = judges?;
    let mut shelf = Shelf::open(maker, length, &mut judges[0]);
    let mut candidates = Candidates::new(maker, length);
    let mut even = Vec::new();
    let mut misses = 0;
    let patience = judges[0].bench.patience;
    while even.len() < count && misses < patience {
        let missing = count - even.len();
        let batch: Vec<(u64, Line<G>)> = std::iter::from_fn(|| candidates.next())
            .take((2 * missing).clamp(2 * threads, 32 * threads))
            .collect();
        if batch.is_empty() {
            break;
        }
        let verdicts = shelf.judge(maker, &mut judges, &batch);
        if maker.stop.is_requested() {
            return Err(ArenaError::Interrupted);
        }
        for ((_, line), verdict) in batch.into_iter().zip(verdicts) {
            match verdict {
                true => {
                    even.push(line);
                    misses = 0;
                }
                false => misses += 1,
            }
        }
    }
    even.truncate(count);
    shelf.save();
    Ok(even)
}

/// What is known of the openings of one game, length and seed: a `+` or `-` for every candidate's number. The
/// file's name has the judge's own signature in it, so that another engine does not read it.
struct Shelf {
    file: Option<PathBuf>,
    /// One byte a number: `+` even, `-` not, anything else unknown.
    known: Vec<u8>,
    changed: bool,
}

const UNKNOWN: u8 = b'.';

impl Shelf {
    fn open<G: Searchable>(maker: &Maker<'_, G>, length: u32, judge: &mut Judge<G>) -> Self {
        let spec = maker.game.spec();
        let file = maker.cache.as_deref().map(|folder| {
            let reports = judge.reports(maker.game.start(), maker);
            let signature = seeds::mix(
                reports
                    .iter()
                    .flat_map(|report| [report.nodes, report.value.to_bits()])
                    .chain(judge.bench.signature()),
            );
            let game = spec.to_string().replace(':', "-");
            folder.join(format!(
                "openings-{game}-{length}-seed{}-{signature:016x}.txt",
                maker.seed
            ))
        });
        let known = file
            .as_deref()
            .and_then(|file| std::fs::read(file).ok())
            .unwrap_or_default();
        Shelf {
            file,
            known,
            changed: false,
        }
    }

    /// Whether each candidate is even; those not known yet are judged on all threads.
    fn judge<G: Searchable>(
        &mut self,
        maker: &Maker<'_, G>,
        judges: &mut [Judge<G>],
        batch: &[(u64, Line<G>)],
    ) -> Vec<bool> {
        let known = |number: u64| self.known.get(number as usize).copied();
        let unknown: Vec<&(u64, Line<G>)> = batch
            .iter()
            .filter(|(number, _)| !matches!(known(*number), Some(b'+' | b'-')))
            .collect();
        let next = AtomicUsize::new(0);
        let work = |judge: &mut Judge<G>| {
            let mut own = Vec::new();
            while let Some((number, line)) = unknown.get(next.fetch_add(1, Ordering::Relaxed)) {
                if maker.stop.is_requested() {
                    break;
                }
                own.push((*number, judge.is_even(line.position, maker)));
            }
            own
        };
        let work = &work;
        let verdicts: Vec<(u64, bool)> = std::thread::scope(|scope| {
            let threads: Vec<_> = judges
                .iter_mut()
                .map(|judge| scope.spawn(move || work(judge)))
                .collect();
            threads
                .into_iter()
                .flat_map(|thread| thread.join().unwrap_or_else(|panic| resume_unwind(panic)))
                .collect()
        });
        if maker.stop.is_requested() {
            return Vec::new();
        }
        for (number, even) in verdicts {
            let number = number as usize;
            if self.known.len() <= number {
                self.known.resize(number + 1, UNKNOWN);
            }
            self.known[number] = if even { b'+' } else { b'-' };
            self.changed = true;
        }
        batch
            .iter()
            .map(|(number, _)| self.known.get(*number as usize) == Some(&b'+'))
            .collect()
    }

    /// Keeps what has been learnt. A cache that cannot be written is no harm.
    fn save(&self) {
        if let Some(file) = self.file.as_deref().filter(|_| self.changed) {
            let _ = write_whole(file, &self.known);
        }
    }
}

/// Writes a file so that a reader sees either the old one or the whole new one.
fn write_whole(file: &Path, content: &[u8]) -> std::io::Result<()> {
    if let Some(folder) = file.parent() {
        std::fs::create_dir_all(folder)?;
    }
    let draft = file.with_extension(format!("draft{}", std::process::id()));
    std::fs::write(&draft, content)?;
    std::fs::rename(&draft, file)
}
