//! The history of a stored run: its samples, how its estimate changed, and the last fit.

use crate::clop::{Clop, LocalFit};
use crate::error::RunError;
use crate::run::Recommendation;
use crate::spec::{Method, Tuner};
use crate::spsa::Spsa;
use crate::store::{StoredRun, StoredSample};
use crate::{Space, TuneError, read_lines};

/// The course of a run.
#[derive(Clone, Debug)]
pub struct History {
    /// A description of the run, on one line.
    pub title: String,
    /// The parameters.
    pub space: Space,
    /// The points played, scaled to -1 to 1, with the score there, 0 to 1.
    pub points: Vec<(Vec<f64>, f64)>,
    /// What was recommended, by the number of games played.
    pub track: Vec<(u32, Recommendation)>,
    /// CLOP's last fit.
    pub fit: Option<LocalFit>,
}

/// The approximate number of recommendations computed for the track.
const LOOKS: usize = 60;

/// Repeats the learning of a run from its samples.
pub fn history(run: &StoredRun, samples: &[StoredSample]) -> Result<History, TuneError> {
    let space: Space = run.space.parse()?;
    let method: Method = run.method.parse().map_err(RunError::from)?;
    let rng_seed = run.seed.parse().unwrap_or_default();
    let games_of = |sample: &StoredSample| sample.results.iter().flatten().sum::<u32>();
    let games_of_sample = samples.first().map_or(2, games_of).max(1);
    let mut tuner = match method {
        Method::Clop => Tuner::Clop(Clop::new(space.0.len(), rng_seed)),
        Method::Spsa => {
            let iterations = run.games.div_ceil(games_of_sample);
            Tuner::Spsa(Spsa::new(read_lines(&run.lines)?, iterations, rng_seed))
        }
    };
    let every = samples.len().div_ceil(LOOKS).max(1);
    let (mut games, mut track, mut points) = (0, Vec::new(), Vec::new());
    for (place, sample) in (1..).zip(samples) {
        if sample
            .points
            .iter()
            .any(|values| values.len() != space.0.len())
        {
            return Err(RunError::OtherParameters(sample.number).into());
        }
        tuner.learn(&space, sample);
        games += games_of(sample);
        for (values, [wins, draws, losses]) in sample.points.iter().zip(&sample.results) {
            let score =
                f64::from(2 * wins + draws) / f64::from((2 * (wins + draws + losses)).max(1));
            points.push((space.places(values), score));
        }
        if place % every == 0 || place == samples.len() {
            let now = tuner.recommend(&space, false);
            track.extend(now.map(|recommendation| (games, recommendation)));
        }
    }
    let fit = match &tuner {
        Tuner::Clop(clop) if !samples.is_empty() => {
            Some(LocalFit::new(space.0.len(), clop.samples()))
        }
        _ => None,
    };
    let against = match run.opponents.is_empty() {
        true => "itself",
        false => &run.opponents,
    };
    let title = format!("{} against {against} in {}, {method}", run.agent, run.game);
    Ok(History {
        title,
        space,
        points,
        track,
        fit,
    })
}
