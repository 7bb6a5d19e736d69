//! A tuning run from beginning to end: resume, play samples on all cores, store them, stop.

use crate::clop::Clop;
use crate::lines::Line;
use crate::regression::Sample;
use crate::spec::{TuneSpec, Tuner};
use crate::store::{StoredSample, TuneStore};
use crate::{Space, TuneError};
use kalahari_agents::{AgentSpec, tables_before_play};
use kalahari_arena::stats::half_points;
use kalahari_arena::{Hands, Openings, PairSpec, Pairs, Seat};
use kalahari_terms::Stop;
use std::collections::HashSet;
use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// The most distinct openings of a run; later pairs start over with the first.
const OPENINGS: usize = 500;

/// How many openings the samples of a run need.
pub(crate) fn openings_of(spec: &TuneSpec) -> usize {
    let opponents = spec.opponents.len().max(1);
    (spec.samples() as usize).div_ceil(opponents).min(OPENINGS)
}

/// How a run is executed; none of this changes how its games go.
#[derive(Debug)]
pub struct TuneRun<'a> {
    /// How many samples are played at once. With one, the same seed gives the same run.
    pub concurrency: usize,
    /// The store for samples.
    pub store: Option<&'a mut TuneStore>,
    /// Whether to continue a run of the store even if another program or other files have played it.
    pub mix: bool,
    /// The folder in which verdicts on balanced openings are cached.
    pub cache: Option<PathBuf>,
    /// The request to stop.
    pub stop: &'a Stop,
}

/// What a run recommends.
#[derive(Clone, Debug, PartialEq)]
pub struct Recommendation {
    /// The values, in the order of the space.
    pub values: Vec<f64>,
    /// CLOP: the range of values in which it still searches, one standard deviation to either side.
    pub ranges: Vec<[f64; 2]>,
    /// CLOP: the expected score there and half the width of its 95% interval.
    pub score: Option<[f64; 2]>,
    /// SPSA: the lines to continue with.
    pub lines: Vec<Line>,
}

/// The progress of a run.
#[derive(Debug)]
pub struct TuneProgress {
    /// Games finished, including those of earlier runs.
    pub games: u32,
    /// What is recommended so far.
    pub recommendation: Option<Recommendation>,
    /// How long the rest will take at this pace.
    pub time_left: Option<Duration>,
}

/// A run that has ended, or was interrupted.
#[derive(Clone, Debug)]
pub struct TuneResult {
    /// The run.
    pub spec: TuneSpec,
    /// What it recommends; `None` if no sample is finished.
    pub recommendation: Option<Recommendation>,
    /// All finished samples, including those of earlier runs.
    pub samples: u32,
    /// Samples that an earlier run had finished.
    pub resumed: u32,
    /// Games won, drawn and lost in all samples (SPSA: by both sides).
    pub results: [u32; 3],
    /// Whether it was interrupted before all samples were finished.
    pub interrupted: bool,
    /// How long this run played.
    pub elapsed: Duration,
    /// Notes for the user.
    pub notes: Vec<String>,
}

impl Tuner {
    /// The points of a sample, as values.
    pub(crate) fn points(&mut self, space: &Space, number: u32) -> Vec<Vec<f64>> {
        match self {
            Tuner::Clop(clop) => vec![space.values(&clop.propose(u64::from(number)))],
            Tuner::Spsa(spsa) => spsa.sides(number).to_vec(),
        }
    }

    /// Learns from a finished sample.
    pub(crate) fn learn(&mut self, space: &Space, sample: &StoredSample) {
        let balance = |counts: &[u32; 3]| f64::from(counts[0]) - f64::from(counts[2]);
        match (self, sample.results.as_slice(), sample.points.first()) {
            (Tuner::Clop(clop), [[wins, draws, losses]], Some(values)) => clop.add(Sample {
                x: space.places(values),
                wins: *wins,
                draws: *draws,
                losses: *losses,
            }),
            // The two sides played each other: a win is 1, a loss -1.
            (Tuner::Spsa(spsa), [both], _) => spsa.follow(sample.number, balance(both)),
            // The two sides played an opponent: half the difference is on the same scale.
            (Tuner::Spsa(spsa), [plus, minus], _) => {
                let result = (balance(plus) - balance(minus)) / 2.0;
                spsa.follow(sample.number, result);
            }
            _ => {}
        }
    }

    /// What is recommended: from all samples, or `quickly` from the last fit.
    pub(crate) fn recommend(&mut self, space: &Space, quickly: bool) -> Option<Recommendation> {
        match self {
            Tuner::Clop(clop) => recommend(clop, space, quickly),
            Tuner::Spsa(spsa) => {
                let each = space.0.iter().zip(spsa.theta());
                Some(Recommendation {
                    values: each.map(|(axis, theta)| axis.played(*theta)).collect(),
                    ranges: Vec::new(),
                    score: None,
                    lines: spsa.lines(),
                })
            }
        }
    }
}

fn recommend(clop: &mut Clop, space: &Space, quickly: bool) -> Option<Recommendation> {
    let estimate = match quickly {
        true => clop.current_estimate(),
        false => clop.estimate(),
    }?;
    let spread = estimate.point.iter().zip(&estimate.spread);
    let ranges = space.0.iter().zip(spread);
    Some(Recommendation {
        values: space.values(&estimate.point),
        ranges: ranges
            .map(|(axis, (x, s))| [axis.value(x - s), axis.value(x + s)])
            .collect(),
        score: Some(estimate.score),
        lines: Vec::new(),
    })
}

/// What all threads share.
struct Shared<'a> {
    tuner: Tuner,
    store: Option<(&'a mut TuneStore, i64)>,
    /// Samples to play, the next one last.
    todo: Vec<u32>,
    finished: u32,
    played: u32,
    results: [u32; 3],
    trouble: Option<TuneError>,
    progress: &'a mut (dyn FnMut(&mut dyn FnMut() -> TuneProgress) + Send),
}

impl Shared<'_> {
    fn add(&mut self, spec: &TuneSpec, sample: &StoredSample) {
        for counts in &sample.results {
            for (sum, count) in self.results.iter_mut().zip(counts) {
                *sum += count;
            }
        }
        self.tuner.learn(&spec.space, sample);
        self.finished += 1;
    }

    /// Stores a sample that has just been played and learns from it.
    fn finish(
        &mut self,
        spec: &TuneSpec,
        sample: &StoredSample,
        begin: Instant,
    ) -> Result<(), TuneError> {
        if let Some((store, id)) = &mut self.store {
            store.add(*id, self.finished, sample)?;
        }
        self.add(spec, sample);
        self.played += 1;
        let (tuner, games) = (&mut self.tuner, self.finished * spec.games_of_sample());
        let left = f64::from(self.todo.len() as u32) / f64::from(self.played);
        (self.progress)(&mut || TuneProgress {
            games,
            recommendation: tuner.recommend(&spec.space, true),
            time_left: Some(begin.elapsed().mul_f64(left)),
        });
        Ok(())
    }
}

/// Executes a tuning run whose spec is [checked](TuneSpec::checked). `progress` is called after every finished sample; its
/// argument is a function that computes the progress.
pub fn run(
    spec: TuneSpec,
    run: TuneRun<'_>,
    progress: &mut (dyn FnMut(&mut dyn FnMut() -> TuneProgress) + Send),
) -> Result<TuneResult, TuneError> {
    let samples = spec.samples();
    // An agent that cannot play is reported before anything else is done.
    let quick = PairSpec {
        game: spec.game,
        openings: Openings::Start,
        rng_seed: spec.rng_seed,
        rules: spec.rules,
    };
    let stop = run.stop.child();
    let hands = Hands {
        threads: run.concurrency,
        cache: run.cache,
        stop: &stop,
    };
    let agents = spec.opponents.iter().chain([&spec.agent]);
    tables_before_play(agents, spec.game, &stop);
    let hall = Pairs::new(quick.clone(), 1, &hands)?;
    for agent in spec.opponents.iter().chain([&spec.agent]) {
        hall.check(agent)?;
    }
    let mut store = None;
    let mut kept = Vec::new();
    let mut notes = Vec::new();
    if let Some(file) = run.store {
        let (id, note) = file.enter(&spec, &spec.identity()?, run.mix)?;
        notes.extend(note);
        kept = file.samples(id)?;
        store = Some((file, id));
    }
    let pairs = PairSpec {
        openings: spec.openings.clone(),
        ..quick
    };
    let pairs = Pairs::new(pairs, openings_of(&spec), &hands)?;
    notes.extend(pairs.notes.iter().cloned());
    let known: HashSet<u32> = kept.iter().map(|sample| sample.number).collect();
    let mut shared = Shared {
        tuner: spec.tuner(),
        store,
        todo: (0..samples).rev().filter(|n| !known.contains(n)).collect(),
        finished: 0,
        played: 0,
        results: [0; 3],
        trouble: None,
        progress,
    };
    for sample in &kept {
        shared.add(&spec, sample);
    }
    let begin = Instant::now();
    let threads = run.concurrency.clamp(1, shared.todo.len().max(1));
    let shared = Mutex::new(shared);
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| work(&spec, &pairs, &shared, &stop, begin));
        }
    });
    let mut shared = shared.into_inner().unwrap_or_else(PoisonError::into_inner);
    if let Some(trouble) = shared.trouble {
        return Err(trouble);
    }
    let recommendation = match shared.finished {
        0 => None,
        _ => shared.tuner.recommend(&spec.space, false),
    };
    Ok(TuneResult {
        recommendation,
        samples: shared.finished,
        resumed: kept.len() as u32,
        results: shared.results,
        interrupted: shared.finished < samples,
        elapsed: begin.elapsed(),
        notes,
        spec,
    })
}

/// The work of a thread: it plays the next sample until there is none left.
fn work(spec: &TuneSpec, pairs: &Pairs, shared: &Mutex<Shared<'_>>, stop: &Stop, begin: Instant) {
    let lock =
        || -> MutexGuard<'_, Shared<'_>> { shared.lock().unwrap_or_else(PoisonError::into_inner) };
    let mut seat = pairs.seat();
    while !stop.is_requested() {
        let (number, points) = {
            let mut shared = lock();
            let Some(number) = shared.todo.pop() else {
                return;
            };
            (number, shared.tuner.points(&spec.space, number))
        };
        let done = match play(spec, &mut seat, number, &points, stop) {
            Ok(Some(results)) => {
                let sample = StoredSample {
                    number,
                    points,
                    results,
                };
                lock().finish(spec, &sample, begin)
            }
            Ok(None) => return,
            Err(error) => Err(error),
        };
        if let Err(error) = done {
            lock().trouble.get_or_insert(error);
            stop.request();
        }
    }
}

/// Plays the pairs of a sample; `None` if it was stopped.
pub(crate) fn play(
    spec: &TuneSpec,
    seat: &mut Seat<'_>,
    number: u32,
    points: &[Vec<f64>],
    stop: &Stop,
) -> Result<Option<Vec<[u32; 3]>>, TuneError> {
    let agents: Vec<AgentSpec> = points.iter().map(|point| spec.agent_at(point)).collect();
    let count = spec.opponents.len() as u32;
    // Every opponent gets the same openings.
    let pair = number / count.max(1);
    let matches: Vec<[AgentSpec; 2]> = match count {
        0 => agents
            .try_into()
            .map(|sides| vec![sides])
            .unwrap_or_default(),
        _ => {
            let opponent = &spec.opponents[(number % count) as usize];
            let against = |agent| [agent, opponent.clone()];
            agents.into_iter().map(against).collect()
        }
    };
    let mut results = Vec::new();
    for agents in &matches {
        let Some(records) = seat.play(agents, pair, stop)? else {
            return Ok(None);
        };
        let mut counts = [0; 3];
        for verdict in records.iter().filter_map(|r| r.verdict(r.seat_of_a())) {
            counts[2 - usize::from(half_points(verdict))] += 1;
        }
        results.push(counts);
    }
    Ok(Some(results))
}
