//! A game of two agents for scripts: one line of JSON per move, and a last one with the result.

use super::agent_of;
use super::session::{End, Session};
use super::waiting::Waiting;
use super::words::{self, Names};
use crate::{output, values};
use anyhow::Context;
use kalahari_agents::Question;
use kalahari_games::{Game, Player};
use serde_json::json;
use std::time::Instant;

/// Plays a game of two agents to its end and prints it as it goes.
pub(crate) fn stream(mut session: Session) -> anyhow::Result<()> {
    let mut agents = Player::BOTH.map(|player| agent_of(&session, player));
    let names = Names::of(&session);
    let end = loop {
        if let Some(end) = session.end() {
            break end;
        }
        let mover = session.mover();
        let name = session.seats[mover.index()].to_string();
        let limits = session.seats[mover.index()].unattended_limits();
        let agent = agents[mover.index()].as_mut();
        let agent = agent.context("both sides have to be agents")?;
        let begin = Instant::now();
        agent.ask(Question::best(*session.now(), limits));
        let report = Waiting::new()
            .answer(agent, &name)
            .with_context(|| format!("{name} failed"))?;
        let took = begin.elapsed();
        let mv = report
            .best
            .with_context(|| format!("{name} gave no move"))?;
        session
            .play(mv, took, Some(report.score))
            .with_context(|| format!("{name} gave no move"))?;
        let story = session.plies().last().map(|ply| ply.story.as_slice());
        output::print_json(&json!({
            "ply": session.plies().len(),
            "player": mover.index(),
            "agent": name,
            "move": values::mv(mv),
            "position": session.game.position_text(session.now()),
            "took_ms": took.as_millis() as u64,
            "words": words::told(story.unwrap_or_default(), &names),
        }))?;
    };
    let (winner, margin) = match end {
        End::Rules(outcome) => (outcome.winner(), Some(outcome.margin(Player::First))),
        End::Resigned(player) => (Some(!player), None),
    };
    let plies = session.plies().iter();
    output::print_json(&json!({
        "result": match winner {
            Some(Player::First) => "1-0",
            Some(Player::Second) => "0-1",
            None => "1/2-1/2",
        },
        "winner": winner.map(Player::index),
        "margin": margin,
        "game": session.spec().to_string(),
        "agents": session.seats.each_ref().map(ToString::to_string),
        "seed": session.rng_seed,
        "moves": plies.map(|ply| values::mv(ply.mv)).collect::<Vec<_>>(),
        "words": words::result(&session, end),
    }))
}
