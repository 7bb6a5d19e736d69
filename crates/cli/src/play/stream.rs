//! A game of two agents for scripts: one line of JSON a move, and a last one with the result.

use super::session::{End, Session};
use super::thinker::{Question, Thought};
use super::words::{self, Names};
use super::{Thinker, thinker_of};
use crate::{output, values};
use anyhow::Context;
use kalahari_games::Player;
use serde_json::json;
use std::time::{Duration, Instant};

/// Plays a game of two agents to its end and prints it as it goes.
pub(crate) fn stream(mut session: Session) -> anyhow::Result<()> {
    let mut thinkers = Player::BOTH.map(|player| thinker_of(&session, player));
    let spec = session.rules.spec();
    let names = Names::of(&session);
    let end = loop {
        if let Some(end) = session.end() {
            break end;
        }
        let mover = session.now().mover;
        let agent = session.seats[mover.index()].to_string();
        let thinker = thinkers[mover.index()].as_mut();
        let thinker = thinker.context("both sides have to be agents")?;
        let begin = Instant::now();
        thinker.ask(&session.now().text, Question::Move);
        let finding = match wait(thinker) {
            Thought::Done(finding) | Thought::Partial(finding) => finding,
            Thought::Failed(why) => anyhow::bail!("{agent} failed: {why}"),
        };
        let mv = finding.best.unwrap_or_default();
        let took = begin.elapsed();
        session
            .play(&mv, took, Some(finding.value))
            .map_err(|why| anyhow::anyhow!("{agent} gave no move: {why}"))?;
        let story = session.plies().last().map(|ply| ply.story.as_slice());
        output::print_json(&json!({
            "ply": session.plies().len(),
            "player": mover.index(),
            "agent": agent,
            "move": values::mv(spec, &mv),
            "position": session.now().text,
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
        "game": spec.to_string(),
        "agents": session.seats.each_ref().map(ToString::to_string),
        "seed": session.seed,
        "moves": plies.map(|ply| values::mv(spec, &ply.mv)).collect::<Vec<_>>(),
        "words": words::result(&session, end),
    }))
}

fn wait(thinker: &mut Thinker) -> Thought {
    loop {
        if let Some(thought) = thinker.wait(Duration::from_secs(60)) {
            return thought;
        }
    }
}
