//! An opponent's move.

use crate::error::{ApiError, ApiResult};
use crate::socket::desk::{Tools, Work};
use crate::socket::players::{player, with_table};
use crate::wire::socket::{Reason, Reply, Say};
use crate::words::{Shown, Unit};
use crate::{opponents, show};
use kalahari_agents::{AgentKind, AgentSpec, AnyReport, MakeMind, Mind, NoAnswer, Question};
use kalahari_games::{AnyGame, Game};
use kalahari_study::{Line, Played};
use kalahari_terms::{Limits, Score, Stop, Worth};
use std::sync::Arc;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// How long `perfect` may try to prove a move, waiting included.
const PROOF: Duration = Duration::from_secs(4);
/// How long it may try however long it has waited.
const SHORTEST_PROOF: Duration = Duration::from_millis(100);
/// The MiB of a table of `perfect`.
const PROOF_HASH: usize = 32;

/// The move of an opponent in a line's last position.
pub(crate) fn reply(line: &Line, agent: &str) -> ApiResult<Box<dyn Work>> {
    let Some(agent) = opponents::agent(agent) else {
        let shown: String = agent.chars().take(40).collect();
        let message = format!("there is no opponent '{shown}'; /api/v1/meta lists them");
        return Err(ApiError::bad("bad_agent", message).at("agent"));
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
        let limits = self.agent.kind().unattended_limits();
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
                _ => {
                    let agent = with_table(&agent, tools.hash);
                    Box::new(player(&agent, &game, any_seed())?)
                }
            })
        })
    }

    fn answer(&mut self, report: &AnyReport, tools: &Tools) -> ApiResult<Reason> {
        if let Some(reason) = tools.ended() {
            return Ok(reason);
        }
        let none = || ApiError::internal("the opponent has no answer");
        let mv = report.best.ok_or_else(none)?;
        self.played.play(mv).map_err(|_| none())?;
        let (value, unit) = opinion(report.score, &self.played.game);
        tools.say(Say::Move(Box::new(Reply {
            id: tools.id,
            mv: mv.to_string(),
            value,
            proven: report.score.is_proven(),
            unit: unit.name(),
            time_ms: tools.begin.elapsed().as_millis() as u64,
            state: show::state(&self.played, self.played.moves.len()),
        })));
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

/// What the opponent thinks of its move, as far as that can be compared with an analysis.
fn opinion(score: Score, game: &AnyGame) -> (Option<f64>, Unit) {
    let shown = Shown::new(score, game.spec().kind());
    match score.worth() {
        _ if score.is_proven() => (Some(shown.value), shown.unit),
        Worth::Share(_) => (Some(shown.value), shown.unit),
        _ => (None, Unit::Points),
    }
}
