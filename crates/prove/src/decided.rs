//! One job: decides whether a claim holds, within a limit of nodes.

use crate::{Claim, ProveError, Rules};
use kalahari_exact::prover::Prover;
use kalahari_terms::{Limits, Stop};
use serde::{Deserialize, Serialize};
use std::time::{Duration, Instant};

/// The result of a job.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Decided {
    /// Whether the claim holds; `None` if the limit of nodes was too low to decide that.
    pub holds: Option<bool>,
    /// The nodes it took.
    pub nodes: u64,
    /// The time it took.
    #[serde(with = "seconds", rename = "seconds")]
    pub time: Duration,
    /// The seeds of the tablebase that it used.
    #[serde(rename = "tablebase")]
    pub tablebase_seeds: usize,
}

/// Decides a claim within this many nodes; `None` if it was stopped.
pub fn decide(
    rules: &Rules,
    prover: &mut Prover,
    claim: &Claim,
    nodes: u64,
    stop: &Stop,
) -> Result<Option<Decided>, ProveError> {
    let position = rules.position(&claim.content)?;
    let begin = Instant::now();
    let reached = prover.reaches(&position, claim.margin, &Limits::nodes(nodes), stop)?;
    if reached.holds.is_none() && stop.is_requested() {
        return Ok(None);
    }
    Ok(Some(Decided {
        holds: reached.holds,
        nodes: reached.nodes,
        time: begin.elapsed(),
        tablebase_seeds: prover.tablebase_seeds(),
    }))
}

/// A time as a number of seconds.
mod seconds {
    use serde::{Deserialize, Deserializer, Serializer, de::Error};
    use std::time::Duration;

    pub(super) fn serialize<S: Serializer>(time: &Duration, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_f64(time.as_secs_f64())
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Duration, D::Error> {
        Duration::try_from_secs_f64(f64::deserialize(from)?).map_err(D::Error::custom)
    }
}
