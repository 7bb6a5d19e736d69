//! What answers a client's questions: players and analyses with what this server keeps for them.

use crate::socket::desk::Tools;
use crate::socket::players::{analysis, player};
use kalahari_agents::{AgentKind, AgentSpec, AnyReport, MakeMind, Mind, NoAnswer, Question};
use kalahari_games::AnyGame;
use kalahari_terms::Stop;
use kalahari_wire::opponents;
use kalahari_wire::work::{Answer, Reviewer, Work, proving_time, with_table};
use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

/// The MiB of a table of `perfect`.
const PROOF_HASH: usize = 32;

/// Makes what thinks about some work.
pub(super) fn mind(work: &Work, tools: &Arc<Tools>) -> MakeMind {
    let (work, tools) = (work.clone(), Arc::clone(tools));
    Box::new(move || -> Result<Box<dyn Mind>, NoAnswer> {
        let game = &work.played().game;
        Ok(match &work {
            Work::Reply(answer) => opponent(answer, game, &tools)?,
            Work::Analyze(_) | Work::Hint(_) => Box::new(analysis(game, tools.hash)?),
            Work::Review(judge) => {
                let (analysis, outbox) = (analysis(game, tools.hash)?, Arc::clone(&tools));
                let say = move |frame| outbox.say(frame);
                Box::new(Reviewer::new(tools.id, judge.clone(), analysis, say))
            }
        })
    })
}

fn opponent(
    answer: &Answer,
    game: &AnyGame,
    tools: &Arc<Tools>,
) -> Result<Box<dyn Mind>, NoAnswer> {
    let (agent, game, tools) = (answer.agent.clone(), game.clone(), Arc::clone(tools));
    Ok(match agent.kind() {
        AgentKind::Perfect => Box::new(Proving {
            agent: with_table(&agent, PROOF_HASH),
            game,
            tools,
        }),
        AgentKind::Level => Box::new(player(&agent, &game, any_seed())?),
        _ => Box::new(Keeping { agent, game, tools }),
    })
}

/// A seed of chance, so that random players play another game every time.
fn any_seed() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    since.map_or(1, |time| time.as_nanos() as u64)
}

/// `perfect` with what it has learned in earlier moves; the engine, if too many proofs are wanted at once.
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
        let question = Question {
            limits: proving_time(self.tools.begin.elapsed()),
            ..*question
        };
        let report = proving.answer(&question, stop, tell)?;
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
