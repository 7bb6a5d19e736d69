//! A tuning run whose samples are played elsewhere: points are handed out while others are pending, and results come back in any order.

use crate::TuneError;
use crate::run::{Recommendation, openings_of, play};
use crate::spec::{TuneSpec, Tuner};
use crate::store::{StoredSample, TuneStore};
use kalahari_agents::tables_before_play;
use kalahari_arena::{Hands, PairSpec, Pairs};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::path::Path;

/// A sample to be played.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SampleTask {
    /// Its number in the run.
    pub number: u32,
    /// The values that play.
    pub points: Vec<Vec<f64>>,
}

/// Hands out the samples of a run and learns from what comes back.
#[derive(Debug)]
pub struct Desk {
    spec: TuneSpec,
    tuner: Tuner,
    store: Option<(TuneStore, i64)>,
    /// Samples that nobody has been given, by number.
    todo: BTreeSet<u32>,
    finished: u32,
    notes: Vec<String>,
}

impl Desk {
    /// A run whose spec is [checked](TuneSpec::checked). With a store it goes on where an earlier one ended.
    pub fn open(spec: TuneSpec, file: Option<&Path>) -> Result<Self, TuneError> {
        let mut desk = Desk {
            tuner: spec.tuner(),
            todo: (0..spec.samples()).collect(),
            store: None,
            finished: 0,
            notes: Vec::new(),
            spec,
        };
        if let Some(file) = file {
            let mut store = TuneStore::open(file)?;
            let (id, note) = store.enter(&desk.spec, &desk.spec.identity()?, false)?;
            desk.notes.extend(note);
            for sample in store.samples(id)? {
                desk.learn(&sample);
            }
            desk.store = Some((store, id));
        }
        Ok(desk)
    }

    fn learn(&mut self, sample: &StoredSample) {
        self.todo.remove(&sample.number);
        self.tuner.learn(&self.spec.space, sample);
        self.finished += 1;
    }

    /// The run.
    pub fn spec(&self) -> &TuneSpec {
        &self.spec
    }

    /// What the user should know.
    pub fn notes(&self) -> &[String] {
        &self.notes
    }

    /// How many samples are finished.
    pub fn finished(&self) -> u32 {
        self.finished
    }

    /// The next sample, chosen by all results so far; `None` if all are handed out.
    pub fn next_sample(&mut self) -> Option<SampleTask> {
        let number = self.todo.pop_first()?;
        let points = self.tuner.points(&self.spec.space, number);
        Some(SampleTask { number, points })
    }

    /// Takes the results of a sample that was handed out: games won, drawn and lost in each of its meetings.
    pub fn finish(&mut self, task: SampleTask, results: Vec<[u32; 3]>) -> Result<(), TuneError> {
        let sample = StoredSample {
            number: task.number,
            points: task.points,
            results,
        };
        if let Some((store, id)) = &mut self.store {
            store.add(*id, self.finished, &sample)?;
        }
        self.learn(&sample);
        Ok(())
    }

    /// What is recommended by all samples so far.
    pub fn recommend(&mut self) -> Option<Recommendation> {
        match self.finished {
            0 => None,
            _ => self.tuner.recommend(&self.spec.space, false),
        }
    }
}

/// Plays a sample of a run: a function of the spec and the task alone, where limits are nodes or depths. `None` if it was stopped.
pub fn play_sample(
    spec: &TuneSpec,
    task: &SampleTask,
    hands: &Hands<'_>,
) -> Result<Option<Vec<[u32; 3]>>, TuneError> {
    let agents = spec.opponents.iter().chain([&spec.agent]);
    tables_before_play(agents, spec.game, hands.stop);
    let pairs = PairSpec {
        game: spec.game,
        openings: spec.openings.clone(),
        rng_seed: spec.rng_seed,
        rules: spec.rules,
    };
    let pairs = Pairs::new(pairs, openings_of(spec), hands)?;
    play(
        spec,
        &mut pairs.seat(),
        task.number,
        &task.points,
        hands.stop,
    )
}
