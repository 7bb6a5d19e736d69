//! An opponent's move.

use crate::found::{self, Spent};
use crate::frames::{Reason, Say};
use crate::opponents::{self, OwnAgents, PROOF_MS};
use crate::{Problem, WireResult, show};
use kalahari_agents::{AgentSpec, AnyReport, Question};
use kalahari_study::{Line, Played};
use kalahari_terms::Limits;
use std::time::Duration;

/// How long `perfect` may try to prove a move, waiting included.
pub const PROOF: Duration = Duration::from_millis(PROOF_MS);
/// How long it may try, no matter how long it has waited.
const SHORTEST_PROOF: Duration = Duration::from_millis(100);
/// How long a foreign program may think.
const FOREIGN: Duration = Duration::from_secs(5);

/// What `perfect` may still spend if it was asked this long ago.
pub fn proving_time(since: Duration) -> Limits {
    Limits::time(PROOF.saturating_sub(since).max(SHORTEST_PROOF))
}

/// The move of an opponent in a line's last position.
#[derive(Clone, Debug)]
pub struct Answer {
    /// Who.
    pub agent: AgentSpec,
    pub(super) played: Played,
}

impl Answer {
    /// The move of the opponent of this name.
    pub fn new(line: &Line, agent: &str, own: &OwnAgents) -> WireResult<Self> {
        let Some(agent) = opponents::agent(agent).or_else(|| own.agent(agent)) else {
            let shown: String = agent.chars().take(40).collect();
            let message = format!("there is no opponent '{shown}'; /api/v1/meta lists them");
            let refusal = Problem::new("bad_agent", message);
            return Err(refusal.at("agent").of(shown));
        };
        let played = line.play()?;
        show::going_on(&played)?;
        Ok(Answer { agent, played })
    }

    pub(super) fn question(&self) -> Question {
        let kind = self.agent.kind();
        // Without limits a foreign program could think forever, so it gets as long as a person waits.
        let limits = match kind.is_foreign() {
            true => Limits::time(FOREIGN),
            false => kind.unattended_limits(),
        };
        Question::best(self.played.last(), limits)
    }

    pub(super) fn answer(
        &mut self,
        id: u64,
        report: &AnyReport,
        spent: Spent,
        ended: Option<Reason>,
    ) -> WireResult<(Option<Say>, Reason)> {
        if let Some(reason) = ended {
            return Ok((None, reason));
        }
        let reply = found::reply(id, &mut self.played, report, spent.since)?;
        Ok((Some(Say::Move(Box::new(reply))), Reason::Finished))
    }
}
