//! An opponent's move.

use crate::error::ApiResult;
use crate::socket::desk::{Tools, Work};
use crate::socket::players::{player, with_table};
use kalahari_agents::{AgentKind, AgentSpec, AnyReport, MakeMind, Mind, NoAnswer, Question};
use kalahari_games::AnyGame;
use kalahari_study::{Line, Played};
use kalahari_terms::{Limits, Stop};
use kalahari_wire::frames::{Reason, Say};
use kalahari_wire::opponents::{self, OwnAgents, PROOF_MS};
use kalahari_wire::{Problem, WireResult, found, show};
use std::sync::Arc;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// How long `perfect` may try to prove a move, waiting included.
const PROOF: Duration = Duration::from_millis(PROOF_MS);
/// How long a program of somebody else's may think.
const FOREIGN: Duration = Duration::from_secs(5);
/// How long it may try however long it has waited.
const SHORTEST_PROOF: Duration = Duration::from_millis(100);
/// The MiB of a table of `perfect`.
const PROOF_HASH: usize = 32;

/// The move of an opponent in a line's last position.
pub(crate) fn reply(line: &Line, agent: &str, own: &OwnAgents) -> WireResult<Box<dyn Work>> {
    let Some(agent) = opponents::agent(agent).or_else(|| own.agent(agent)) else {
        let shown: String = agent.chars().take(40).collect();
        let message = format!("there is no opponent '{shown}'; /api/v1/meta lists them");
        let refusal = Problem::new("bad_agent", message);
        return Err(refusal.at("agent").of(shown));
    };
    let played = line.play()?;
    show::going_on(&played)?;
    Ok(Box::new(Answer { agent, played }))
}

struct Answer {
    agent: AgentSpec,
    played: Played,
}

impl Work for Answer {
    fn question(&self) -> Question {
        let kind = self.agent.kind();
        // Nobody can be stopped who is asked for nothing: a foreign program gets as long as a person waits.
        let limits = match kind.is_foreign() {
            true => Limits::time(FOREIGN),
            false => kind.unattended_limits(),
        };
        Question::best(self.played.last(), limits)
    }

    fn mind(&self, tools: &Arc<Tools>) -> MakeMind {
        let (agent, game, tools) = (self.agent.clone(), self.played.game.clone(), tools.clone());
        Box::new(move || -> Result<Box<dyn Mind>, NoAnswer> {
            Ok(match agent.kind() {
                AgentKind::Perfect => Box::new(Proving {
                    agent: with_table(&agent, PROOF_HASH),
                    game: game.clone(),
                    tools: tools.clone(),
                }),
                AgentKind::Level => Box::new(player(&agent, &game, any_seed())?),
                _ => Box::new(Keeping {
                    agent: agent.clone(),
                    game: game.clone(),
                    tools: tools.clone(),
                }),
            })
        })
    }

    fn answer(&mut self, report: &AnyReport, tools: &Tools) -> ApiResult<Reason> {
        if let Some(reason) = tools.ended() {
            return Ok(reason);
        }
        let reply = found::reply(tools.id, &mut self.played, report, tools.begin.elapsed())?;
        tools.say(Say::Move(Box::new(reply)));
        Ok(Reason::Finished)
    }
}

/// Whoever plays at random plays another game every time.
fn any_seed() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    since.map_or(1, |time| time.as_nanos() as u64)
}

/// `perfect` with what it has learned in earlier moves; the engine, if too many want proofs at once.
struct Proving {
    agent: AgentSpec,
    game: AnyGame,
    tools: Arc<Tools>,
}

impl Mind for Proving {
    fn answer(
        &mut self,
        question: &Question,
        stop: &Stop,
        tell: &mut dyn FnMut(&AnyReport),
    ) -> Result<AnyReport, NoAnswer> {
        let Some(mut lent) = self.tools.shelf.lend(&self.game) else {
            let engine = with_table(&opponents::engine(), self.tools.hash);
            return player(&engine, &self.game, 1)?.answer(question, stop, tell);
        };
        let mut proving = match lent.player.take() {
            Some(kept) => kept,
            None => player(&self.agent, &self.game, 1)?,
        };
        let left = PROOF.saturating_sub(self.tools.begin.elapsed());
        let limits = Limits::time(left.max(SHORTEST_PROOF));
        let report = proving.answer(
            &Question {
                limits,
                ..*question
            },
            stop,
            tell,
        )?;
        lent.give_back(proving);
        Ok(report)
    }
}

/// A player with the table of the client's last move.
struct Keeping {
    agent: AgentSpec,
    game: AnyGame,
    tools: Arc<Tools>,
}

impl Mind for Keeping {
    fn answer(
        &mut self,
        question: &Question,
        stop: &Stop,
        tell: &mut dyn FnMut(&AnyReport),
    ) -> Result<AnyReport, NoAnswer> {
        let Tools { shelf, client, .. } = &*self.tools;
        let mut playing = match shelf.take(*client, &self.agent, &self.game) {
            Some(kept) => kept,
            None => {
                let foreign = self.agent.kind().is_foreign();
                let agent = match foreign {
                    true => self.agent.clone(),
                    false => with_table(&self.agent, self.tools.hash),
                };
                let mut made = player(&agent, &self.game, any_seed())?;
                if foreign {
                    made.begin_game(any_seed(), stop);
                }
                made
            }
        };
        let report = playing.answer(question, stop, tell)?;
        shelf.keep(*client, &self.agent, &self.game, playing);
        Ok(report)
    }
}
