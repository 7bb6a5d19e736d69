//! A tuning run whose samples are played elsewhere: points are handed out while other samples are pending, and results come back
//! in any order.

use crate::TuneError;
use crate::run::{Recommendation, openings_of, play};
use crate::spec::{TuneSpec, Tuner};
use crate::store::{StoredSample, TuneStore};
use kalahari_agents::tables_before_play;
use kalahari_arena::{Hands, Identity, PairSpec, Pairs};
use kalahari_terms::Stop;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::path::Path;

/// A sample to be played.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SampleTask {
    /// Its number in the run.
    pub number: u32,
    /// The values to play with: one point, or SPSA's two sides.
    pub points: Vec<Vec<f64>>,
}

/// What a machine needs to play samples of a run, and the identity of the machine that began the run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Assignment {
    /// The run.
    pub spec: TuneSpec,
    /// Its identity on that machine; the machine that plays has to have the same.
    pub identity: Identity,
}

/// Hands out the samples of a run and learns from their results.
#[derive(Debug)]
pub struct Desk {
    assignment: Assignment,
    tuner: Tuner,
    store: Option<(TuneStore, i64)>,
    /// Samples that have not been handed out, by number.
    todo: BTreeSet<u32>,
    /// Samples that are being played.
    pending: BTreeSet<u32>,
    finished: u32,
    notes: Vec<String>,
}

impl Desk {
    /// A run whose spec is [checked](TuneSpec::checked). With a store it continues where an earlier one ended.
    pub fn open(spec: TuneSpec, file: Option<&Path>, stop: &Stop) -> Result<Self, TuneError> {
        // Tables that this program builds have to exist before the identity is computed.
        let agents = spec.opponents.iter().chain([&spec.agent]);
        tables_before_play(agents, spec.game, stop);
        let assignment = Assignment {
            identity: spec.identity()?,
            spec,
        };
        let Assignment { spec, identity } = &assignment;
        let mut desk = Desk {
            tuner: spec.tuner(),
            todo: (0..spec.samples()).collect(),
            pending: BTreeSet::new(),
            store: None,
            finished: 0,
            notes: Vec::new(),
            assignment: assignment.clone(),
        };
        if let Some(file) = file {
            let mut store = TuneStore::open(file)?;
            let (id, note) = store.enter(spec, identity, false)?;
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
        self.tuner.learn(&self.assignment.spec.space, sample);
        self.finished += 1;
    }

    /// The run.
    pub fn spec(&self) -> &TuneSpec {
        &self.assignment.spec
    }

    /// What a machine needs to play its samples.
    pub fn assignment(&self) -> &Assignment {
        &self.assignment
    }

    /// Notes for the user.
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
        self.pending.insert(number);
        let points = self.tuner.points(&self.assignment.spec.space, number);
        Some(SampleTask { number, points })
    }

    /// Takes the results of a sample that was handed out: games won, drawn and lost in each of its meetings. Results that come a
    /// second time are ignored.
    pub fn finish(&mut self, task: SampleTask, results: Vec<[u32; 3]>) -> Result<(), TuneError> {
        if !self.pending.remove(&task.number) {
            return Ok(());
        }
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

    /// What all samples so far recommend; `None` if there are none.
    pub fn recommend(&mut self) -> Option<Recommendation> {
        match self.finished {
            0 => None,
            _ => self.tuner.recommend(&self.assignment.spec.space, false),
        }
    }
}

/// Plays a sample of a run. If limits are nodes or depths, the results depend only on the assignment and the task. `None` if it was
/// stopped. It is an error if this machine has another program or other files than the assignment.
pub fn play_sample(
    assignment: &Assignment,
    task: &SampleTask,
    hands: &Hands<'_>,
) -> Result<Option<Vec<[u32; 3]>>, TuneError> {
    let spec = &assignment.spec;
    let agents = spec.opponents.iter().chain([&spec.agent]);
    tables_before_play(agents, spec.game, hands.stop);
    let here = spec.identity()?;
    if here != assignment.identity {
        let changes = here.changes(&assignment.identity).join(", ");
        return Err(TuneError::OtherIdentity { changes });
    }
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
