//! Balanced openings: random ones that the engine judges to be even. The verdicts are cached in a file.
//!
//! A lopsided opening measures nothing: each agent wins it once. For Kalah the score of `engine` at depth 10 has to lie within
//! 2 seeds. For Isolation it is the average of depths 5 and 6 (evaluations favour the side that made the last move of a line; an
//! odd and an even depth cancel that), with at most 20,000 nodes each (`classic` has hundreds of moves). In `trail` the
//! evaluation counts the cells reached first, and the average has to lie within an eighth of the board; elsewhere it is mobility,
//! within 2 steps. In Isolation a proven win is never even. In `trail`, where a draw is possible and most wins are by a cell or two
//! that no evaluation sees, an opening that seems even is also searched for a proof: nine in ten random openings of 8 moves on
//! 8x8 are won, nearly all by the side to move.

use crate::openings::{Candidates, Found, Line, Maker};
use crate::{ArenaError, rng_seeds};
use kalahari_agents::{AgentSpec, AnyReport, Player};
use kalahari_games::{AnyGame, AnyPosition, Game, GameSpec};
use kalahari_storage::{read_file, refuse_non_files, write_whole};
use kalahari_terms::{Failure, Limits, Score, Worth};
use std::panic::resume_unwind;
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;

/// How far from even an opening may be, in seeds of Kalah or steps of Isolation.
const WITHIN: f64 = 2.0;

/// After this many openings in a row without an even one the search gives up.
const PATIENCE: usize = 400;

/// The same for games where few openings are even and judging one takes about a millisecond.
const MORE_PATIENCE: usize = 4000;

/// The agents that judge the openings of a game, and their bounds.
struct Bench {
    /// The agents whose scores are averaged.
    judges: &'static [&'static str],
    /// How far from even the average may be, in seeds, cells or steps.
    within: f64,
    /// The agent that looks for a proof that an opening is not even after all.
    prover: Option<&'static str>,
    /// How far from even a proven margin may be.
    proven_within: i32,
    /// How many openings in a row may be rejected.
    patience: usize,
}

impl Bench {
    /// The judges of a game. They do not use the tablebases and books that happen to be on this disk.
    fn of(game: &AnyGame) -> Self {
        match game.spec() {
            GameSpec::Kalah(_) => Bench {
                judges: &["engine:depth=10,hash=8,tablebase=0,book=0,proofs=0"],
                within: WITHIN,
                prover: None,
                proven_within: WITHIN as i32,
                patience: PATIENCE,
            },
            GameSpec::Isolation(spec) if game.has_margins() => Bench {
                judges: &[
                    "engine:depth=5,nodes=20000,hash=8,eval=reach,tablebase=0,book=0",
                    "engine:depth=6,nodes=20000,hash=8,eval=reach,tablebase=0,book=0",
                ],
                within: spec.cells() as f64 / 8.0,
                prover: Some("engine:nodes=400000,hash=16,eval=reach,tablebase=0,book=0"),
                proven_within: 0,
                patience: MORE_PATIENCE,
            },
            GameSpec::Isolation(_) => Bench {
                judges: &[
                    "engine:depth=5,nodes=20000,hash=8,eval=mobility,tablebase=0,book=0",
                    "engine:depth=6,nodes=20000,hash=8,eval=mobility,tablebase=0,book=0",
                ],
                within: WITHIN,
                prover: None,
                proven_within: 0,
                patience: PATIENCE,
            },
        }
    }

    /// Everything that decides the verdicts, except the engine itself.
    fn signature(&self) -> impl Iterator<Item = u64> {
        let specs = self.judges.iter().copied().chain(self.prover);
        let bounds = [self.within.to_bits(), self.proven_within as u64];
        specs.map(rng_seeds::of_text).chain(bounds)
    }

    /// Whether a proven score is even; `None` if the score is not proven.
    fn proof_of_even(&self, score: Score) -> Option<bool> {
        let verdict = score.proven_verdict()?;
        let margin = score.proven_margin().unwrap_or(verdict.sign());
        Some(margin.abs() <= self.proven_within)
    }
}

/// How far from even an estimate is. A game won or lost at the end of the line counts as further away than any heuristic value.
fn distance(score: Score) -> f64 {
    const END: i32 = 100_000_000;
    match score.worth() {
        Worth::Margin(margin) => f64::from(margin.signum() * END + margin),
        Worth::Result(verdict) => f64::from(verdict.sign() * END + verdict.sign()),
        _ => score.amount(),
    }
}

/// A bench of judges at work.
struct Judge {
    bench: Bench,
    judges: Vec<Player>,
    prover: Option<Player>,
}

impl Judge {
    fn new(game: &AnyGame) -> Result<Self, ArenaError> {
        let bench = Bench::of(game);
        let player = |text: &&str| -> Result<Player, ArenaError> {
            Ok(Player::new(&text.parse::<AgentSpec>()?, game, 0)?)
        };
        Ok(Judge {
            judges: bench.judges.iter().map(player).collect::<Result<_, _>>()?,
            prover: bench.prover.as_ref().map(player).transpose()?,
            bench,
        })
    }

    fn reports(
        &mut self,
        position: &AnyPosition,
        maker: &Maker<'_>,
    ) -> Result<Vec<AnyReport>, Failure> {
        let judges = self.judges.iter_mut();
        judges.map(|judge| report(judge, position, maker)).collect()
    }

    fn is_even(&mut self, position: &AnyPosition, maker: &Maker<'_>) -> Result<bool, Failure> {
        let reports = self.reports(position, maker)?;
        let proof = |report: &AnyReport| self.bench.proof_of_even(report.score);
        if let Some(even) = reports.iter().find_map(proof) {
            return Ok(even);
        }
        let sum: f64 = reports.iter().map(|report| distance(report.score)).sum();
        let seems_even = (sum / reports.len() as f64).abs() <= self.bench.within;
        match &mut self.prover {
            Some(prover) if seems_even => {
                let report = report(prover, position, maker)?;
                Ok(self.bench.proof_of_even(report.score).unwrap_or(true))
            }
            _ => Ok(seems_even),
        }
    }
}

/// A judge's report on an opening. The judge begins a new game, so earlier openings do not influence it.
fn report(
    judge: &mut Player,
    position: &AnyPosition,
    maker: &Maker<'_>,
) -> Result<AnyReport, Failure> {
    judge.begin_game(0, maker.hands.stop);
    judge.choose(position, Limits::NONE, maker.hands.stop)
}

/// At most `count` balanced openings of `length` moves. The number of threads does not change the result. `found` is called after
/// each candidate that had to be judged, with the number of openings found so far.
pub(crate) fn make(
    maker: &Maker<'_>,
    length: u32,
    count: usize,
    found: Found<'_>,
) -> Result<Vec<Line>, ArenaError> {
    let threads = maker.hands.threads.max(1);
    let judges: Result<Vec<_>, _> = (0..threads).map(|_| Judge::new(maker.game)).collect();
    let mut judges = judges?;
    let mut shelf = Shelf::open(maker, length, &mut judges[0])?;
    let mut candidates = Candidates::new(maker, length);
    let mut even = Vec::new();
    let mut misses = 0;
    let patience = judges[0].bench.patience;
    while even.len() < count && misses < patience {
        let missing = count - even.len();
        let batch: Vec<(u64, Line)> = std::iter::from_fn(|| candidates.next())
            .take((2 * missing).clamp(2 * threads, 32 * threads))
            .collect();
        if batch.is_empty() {
            break;
        }
        let before = even.len();
        let mut judged = |more: usize| found(count.min(before + more));
        let verdicts = shelf.judge(maker, &mut judges, &batch, &mut judged)?;
        if maker.hands.stop.is_requested() {
            return Err(ArenaError::Interrupted);
        }
        for ((_, line), verdict) in batch.into_iter().zip(verdicts) {
            if verdict {
                even.push(line);
                misses = 0;
            } else {
                misses += 1;
                if misses == patience {
                    break;
                }
            }
        }
    }
    even.truncate(count);
    shelf.save();
    Ok(even)
}

/// The same openings, if the cache has all verdicts that are needed; `None` if a candidate would have to be judged.
pub(crate) fn recall(
    maker: &Maker<'_>,
    length: u32,
    count: usize,
) -> Result<Option<Vec<Line>>, ArenaError> {
    let mut judge = Judge::new(maker.game)?;
    let shelf = Shelf::open(maker, length, &mut judge)?;
    let mut candidates = Candidates::new(maker, length);
    let (mut even, mut misses) = (Vec::new(), 0);
    while even.len() < count
        && misses < judge.bench.patience
        && let Some((number, line)) = candidates.next()
    {
        match shelf.known.get(number as usize) {
            Some(b'+') => {
                even.push(line);
                misses = 0;
            }
            Some(b'-') => misses += 1,
            _ => return Ok(None),
        }
    }
    Ok(Some(even))
}

/// The known verdicts on the openings of one game, length and seed: a `+` or `-` for every candidate's number. The
/// file name contains the judges' signature, so that another engine does not use the file.
struct Shelf {
    file: Option<PathBuf>,
    /// One byte per number: `+` even, `-` not even, anything else unknown.
    known: Vec<u8>,
    changed: bool,
}

const UNKNOWN: u8 = b'.';

impl Shelf {
    fn open(maker: &Maker<'_>, length: u32, judge: &mut Judge) -> Result<Self, Failure> {
        let mut shelf = Shelf {
            file: None,
            known: Vec::new(),
            changed: false,
        };
        if let Some(folder) = &maker.hands.cache {
            let reports = judge.reports(&maker.game.start(), maker)?;
            let signature = rng_seeds::mix(
                reports
                    .iter()
                    .flat_map(|report| [report.nodes, report.score.amount().to_bits()])
                    .chain(judge.bench.signature()),
            );
            let game = maker.game.spec().to_string().replace(':', "-");
            let rng_seed = maker.rng_seed;
            let name = format!("openings-{game}-{length}-seed{rng_seed}-{signature:016x}.txt");
            let file = folder.join(name);
            shelf.known = read_file(&file).unwrap_or_default();
            shelf.file = Some(file);
        }
        Ok(shelf)
    }

    /// Whether each candidate is even; those not known yet are judged on all threads. Empty if it was stopped.
    fn judge(
        &mut self,
        maker: &Maker<'_>,
        judges: &mut [Judge],
        batch: &[(u64, Line)],
        judged: Found<'_>,
    ) -> Result<Vec<bool>, Failure> {
        let stop = maker.hands.stop;
        let known = |number: u64| self.known.get(number as usize).copied();
        let unknown: Vec<&(u64, Line)> = batch
            .iter()
            .filter(|(number, _)| !matches!(known(*number), Some(b'+' | b'-')))
            .collect();
        let next = AtomicUsize::new(0);
        let work = |judge: &mut Judge, sender: mpsc::Sender<(u64, bool)>| -> Result<(), Failure> {
            while let Some((number, line)) = unknown.get(next.fetch_add(1, Ordering::Relaxed)) {
                if stop.is_requested() {
                    break;
                }
                let verdict = judge.is_even(&line.position, maker)?;
                // The receiver lives until all threads are done.
                let _ = sender.send((*number, verdict));
            }
            Ok(())
        };
        let work = &work;
        let mut verdicts = Vec::with_capacity(unknown.len());
        std::thread::scope(|scope| {
            let (sender, receiver) = mpsc::channel();
            let threads: Vec<_> = judges
                .iter_mut()
                .map(|judge| {
                    let sender = sender.clone();
                    scope.spawn(move || work(judge, sender))
                })
                .collect();
            drop(sender);
            for verdict in receiver {
                verdicts.push(verdict);
                judged(verdicts.iter().filter(|(_, even)| *even).count());
            }
            threads
                .into_iter()
                .try_for_each(|thread| thread.join().unwrap_or_else(|panic| resume_unwind(panic)))
        })?;
        if stop.is_requested() {
            return Ok(Vec::new());
        }
        for (number, even) in verdicts {
            let number = number as usize;
            if self.known.len() <= number {
                self.known.resize(number + 1, UNKNOWN);
            }
            self.known[number] = if even { b'+' } else { b'-' };
            self.changed = true;
        }
        Ok(batch
            .iter()
            .map(|(number, _)| self.known.get(*number as usize) == Some(&b'+'))
            .collect())
    }

    /// Saves the verdicts. Failing to write the cache does no harm.
    fn save(&self) {
        if let Some(file) = self.file.as_deref().filter(|_| self.changed) {
            let _ = refuse_non_files(file).and_then(|()| write_whole(file, &self.known));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use kalahari_agents::{Fingerprint, fingerprint};
    use kalahari_games::{Player as Side, Verdict};

    #[test]
    fn judges_use_no_files() {
        // The program has a book for the first of these games.
        for game in ["kalah:6x4", "isolation:5x5:trail", "isolation:queen"] {
            let game = AnyGame::new(game.parse().expect("a game"));
            let bench = Bench::of(&game);
            for judge in bench.judges.iter().chain(&bench.prover) {
                let judge = judge.parse().expect("an agent");
                let files = fingerprint(&judge, &game).expect("an agent");
                assert_eq!(files, Fingerprint::default());
            }
        }
    }

    #[test]
    fn ends_of_games_outweigh_guesses() {
        let of = |worth| distance(Score::estimate(Side::First, worth));
        assert_eq!(of(Worth::Cells(-3.0)), -3.0);
        assert_eq!(of(Worth::Margin(0)), 0.0);
        assert_eq!(of(Worth::Margin(-2)), -100_000_002.0);
        assert_eq!(of(Worth::Result(Verdict::Win)), 100_000_001.0);
        let bench = Bench::of(&AnyGame::new("kalah:6x4".parse().expect("a game")));
        let proof = |worth| bench.proof_of_even(Score::proven(Side::First, worth));
        assert_eq!(proof(Worth::Margin(-2)), Some(true));
        assert_eq!(proof(Worth::Margin(3)), Some(false));
        let guess = Score::estimate(Side::First, Worth::Margin(3));
        assert_eq!(bench.proof_of_even(guess), None);
    }
}
