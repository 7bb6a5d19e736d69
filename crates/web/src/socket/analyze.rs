//! Analysis of a position, and hints.

use crate::error::ApiResult;
use crate::socket::desk::{Tools, Work};
use crate::socket::players;
use crate::wire::socket::{Hint, Info, MoveInfo, Reason, Say};
use crate::words::Shown;
use crate::{show, words};
use kalahari_agents::{AnyReport, MakeMind, Mind, NoAnswer, Question};
use kalahari_games::{AnyMove, Game};
use kalahari_study::{Line, Played};
use kalahari_terms::{Limits, Score};
use std::sync::Arc;
use std::time::Duration;

/// The most moves that an answer values; where a cell is removed as well there may be thousands.
const MOST_MOVES: usize = 100;
/// How long a hint is thought about, not counting the time it waits.
const HINT: Duration = Duration::from_millis(300);

/// The analysis of a line's last position.
pub(crate) fn analyze(line: &Line, depth: Option<u32>) -> ApiResult<Box<dyn Work>> {
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

/// Whether there was time to look at the moves.
fn has_looked(report: &AnyReport) -> bool {
    report.best.is_none() || !report.moves.is_empty()
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
        tools.say(Say::Info(Box::new(self.info(report, tools))));
    }

    fn answer(&mut self, report: &AnyReport, tools: &Tools) -> ApiResult<Reason> {
        if has_looked(report) {
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

impl Analyze {
    /// What is known so far.
    fn info(&self, report: &AnyReport, tools: &Tools) -> Info {
        let kind = self.played.game.spec().kind();
        let ran = tools.visitor.ran().as_secs_f64().max(1e-4);
        let shown = Shown::new(report.score, kind);
        let moves = the_best(&report.moves).into_iter();
        Info {
            id: tools.id,
            depth: report.depth,
            nodes: report.nodes,
            nps: (report.nodes as f64 / ran) as u64,
            time_ms: tools.begin.elapsed().as_millis() as u64,
            value: shown.value,
            proven: shown.proven,
            outlook: report.outlook_words(),
            unit: shown.unit.name(),
            words: words::of_position(report.score, kind),
            bar: words::bar(report.score),
            best: report.best.map(|best| best.to_string()),
            pv: report.line.iter().map(ToString::to_string).collect(),
            pv_words: words::of_line(&self.played, &report.line),
            moves: moves
                .map(|(mv, score)| {
                    let shown = Shown::new(score, kind);
                    MoveInfo {
                        mv: mv.to_string(),
                        value: shown.value,
                        proven: shown.proven,
                        unit: shown.unit.name(),
                        depth: report.depth,
                        words: shown.of_move(),
                    }
                })
                .collect(),
        }
    }
}

/// All moves, or the best of very many.
fn the_best(moves: &[(AnyMove, Score)]) -> Vec<(AnyMove, Score)> {
    let mut best = moves.to_vec();
    if best.len() > MOST_MOVES {
        best.sort_by(|(_, a), (_, b)| b.compare(*a));
        best.truncate(MOST_MOVES);
    }
    best
}

/// A good move in a line's last position.
pub(crate) fn hint(line: &Line) -> ApiResult<Box<dyn Work>> {
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
        let wanted = matches!(ended, None | Some(Reason::Limit));
        if let Some(best) = report.best.filter(|_| wanted && has_looked(report)) {
            let played = &self.played;
            let shown = Shown::new(report.score, played.game.spec().kind());
            let words = show::move_words(&played.game.story(&played.last(), best));
            tools.say(Say::Hint(Box::new(Hint {
                id: tools.id,
                mv: best.to_string(),
                value: shown.value,
                proven: shown.proven,
                unit: shown.unit.name(),
                words: format!("{}: {}.", words::capital(&words), shown.of_move()),
                pv: report.line.iter().map(ToString::to_string).collect(),
            })));
        }
        Ok(ended.unwrap_or(Reason::Finished))
    }
}
