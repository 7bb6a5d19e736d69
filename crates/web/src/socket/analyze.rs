//! Analysis of a position, and hints.

use crate::error::ApiResult;
use crate::socket::desk::{Tools, Work};
use crate::socket::players;
use kalahari_agents::{AnyReport, MakeMind, Mind, NoAnswer, Question};
use kalahari_study::{Line, Played};
use kalahari_terms::Limits;
use kalahari_wire::frames::{Reason, Say};
use kalahari_wire::{WireResult, found, show};
use std::sync::Arc;
use std::time::Duration;

/// How long a hint is thought about, not counting the time it waits.
const HINT: Duration = Duration::from_millis(300);

/// The analysis of a line's last position.
pub(crate) fn analyze(line: &Line, depth: Option<u32>) -> WireResult<Box<dyn Work>> {
    let played = line.play()?;
    Ok(Box::new(Analyze { played, depth }))
}

/// Makes the analysis of a line's positions.
pub(super) fn analysis(played: &Played, tools: &Arc<Tools>) -> MakeMind {
    let (game, hash) = (played.game.clone(), tools.hash);
    Box::new(move || -> Result<Box<dyn Mind>, NoAnswer> {
        Ok(Box::new(players::analysis(&game, hash)?))
    })
}

struct Analyze {
    played: Played,
    depth: Option<u32>,
}

impl Work for Analyze {
    fn question(&self) -> Question {
        let limits = self.depth.map_or(Limits::NONE, Limits::depth);
        Question::all_moves(self.played.last(), limits)
    }

    fn mind(&self, tools: &Arc<Tools>) -> MakeMind {
        analysis(&self.played, tools)
    }

    fn news(&mut self, report: &AnyReport, tools: &Tools) {
        let info = found::info(tools.id, &self.played, report, tools.spent());
        tools.say(Say::Info(Box::new(info)));
    }

    fn answer(&mut self, report: &AnyReport, tools: &Tools) -> ApiResult<Reason> {
        if found::has_looked(report) {
            self.news(report, tools);
        }
        let scores = report.moves.iter().map(|(_, score)| score);
        let settled = scores.chain([&report.score]).all(|score| score.is_proven());
        let deep = self.depth.is_some_and(|most| report.depth >= most);
        Ok(match tools.ended() {
            _ if settled => Reason::Finished,
            Some(reason) => reason,
            None if deep => Reason::Limit,
            None => Reason::Finished,
        })
    }
}

/// A good move in a line's last position.
pub(crate) fn hint(line: &Line) -> WireResult<Box<dyn Work>> {
    let played = line.play()?;
    show::going_on(&played)?;
    Ok(Box::new(GiveHint { played, depth: 0 }))
}

struct GiveHint {
    played: Played,
    /// The last depth that was finished.
    depth: u32,
}

impl Work for GiveHint {
    fn question(&self) -> Question {
        Question::all_moves(self.played.last(), Limits::NONE)
    }

    fn mind(&self, tools: &Arc<Tools>) -> MakeMind {
        analysis(&self.played, tools)
    }

    fn news(&mut self, report: &AnyReport, tools: &Tools) {
        // The next depth would take several times as long as all before it.
        if report.depth > self.depth && tools.visitor.ran() * 3 >= HINT {
            tools.enough.request();
        }
        self.depth = report.depth;
    }

    fn answer(&mut self, report: &AnyReport, tools: &Tools) -> ApiResult<Reason> {
        let ended = tools.ended();
        if matches!(ended, None | Some(Reason::Limit))
            && let Some(hint) = found::hint(tools.id, &self.played, report)
        {
            tools.say(Say::Hint(Box::new(hint)));
        }
        Ok(ended.unwrap_or(Reason::Finished))
    }
}
