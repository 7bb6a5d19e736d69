//! Balanced openings: random ones that the engine thinks even, kept in a file.
//!
//! A lopsided opening measures nothing: each side wins it once. For Kalah the value by `engine` at depth 10
//! has to lie within 2 seeds; a proven margin within 2 is even, too. In `trail` one cell decides the game, and the
//! engine sees most of it: 100,000 nodes have to find a draw, or to think the sides at most a cell apart. For
//! the other rules of Isolation it is the average of depths 5 and 6 (evaluations flatter whoever moves last; an odd and an even depth
//! cancel that) in steps by mobility, within 2, at most 20,000 nodes each (`classic` has hundreds of moves); a proven
//! win is never even.

use crate::openings::{Candidates, Line, Maker};
use crate::{ArenaError, seeds};
use kalahari_agents::{AgentSpec, Player};
use kalahari_games::GameSpec;
use kalahari_search::eval::Evaluation;
use kalahari_search::{Limits, Report, Searchable, Unit};
use std::panic::resume_unwind;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

/// How far from even a proven margin, seeds or steps may be.
const WITHIN: f64 = 2.0;

/// After so many openings without an even one there are none.
const PATIENCE: usize = 400;

/// The judges of a game's openings, whose values are averaged, and how far from even that may be in points of
/// the evaluation.
fn bench<G: Searchable>(game: &G) -> (&'static [&'static str], f64) {
    match game.spec() {
        GameSpec::Kalah(_) => {
            let point = f64::from(G::Eval::of_choice().point());
            (&["engine:depth=10,hash=8"], WITHIN * point)
        }
        GameSpec::Isolation(_) if game.has_margins() => (
            &["engine:nodes=100000,hash=8,eval=reach,traps=0,contempt=0"],
            1.0,
        ),
        GameSpec::Isolation(_) => (
            &[
                "engine:depth=5,nodes=20000,hash=8,eval=mobility",
                "engine:depth=6,nodes=20000,hash=8,eval=mobility",
            ],
            WITHIN,
        ),
    }
}

/// A bench of judges at work.
struct Judge<G: Searchable> {
    players: Vec<Player<G>>,
    within: f64,
    /// A point's lead is as good as many.
    small_leads_count: bool,
}

impl<G: Searchable> Judge<G> {
    fn new(game: &G) -> Result<Self, ArenaError> {
        let (specs, within) = bench(game);
        let players: Result<Vec<_>, ArenaError> = specs
            .iter()
            .map(|text| Ok(Player::new(&text.parse::<AgentSpec>()?, game, 0)?))
            .collect();
        Ok(Judge {
            players: players?,
            within,
            small_leads_count: matches!(game.spec(), GameSpec::Isolation(_)),
        })
    }

    fn reports(&mut self, position: G::Position, maker: &Maker<'_, G>) -> Vec<Report<G::Move>> {
        let think = |player: &mut Player<G>| {
            player.begin_game(0);
            player.choose(position, Limits::default(), maker.stop)
        };
        self.players.iter_mut().map(think).collect()
    }

    fn is_even(&mut self, position: G::Position, maker: &Maker<'_, G>) -> bool {
        let reports = self.reports(position, maker);
        if let Some(truth) = reports.iter().find(|report| report.proven) {
            return match truth.unit {
                Unit::Margin if self.small_leads_count => truth.value == 0.0,
                Unit::Margin => truth.value.abs() <= WITHIN,
                _ => truth.value == 0.0,
            };
        }
        let sum: f64 = reports.iter().map(|report| report.value).sum();
        (sum / reports.len() as f64).abs() <= self.within
    }
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
    while even.len() < count && misses < PATIENCE {
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
                    .chain(bench(maker.game).0.iter().map(|spec| seeds::of_text(spec)))
                    .chain([judge.within.to_bits()]),
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
