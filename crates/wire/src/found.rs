//! What searches have found, as frames.

use crate::figures::{bar, rounded};
use crate::frames::{
    Hint, Info, Judged, MoveInfo, MoveWorth, Outlook, PlayerReview, Reply, Reviewed, Reviewing,
    TableUnderWay,
};
use crate::{Figure, Problem, Unit, Who, WireResult, show};
use kalahari_agents::AnyReport;
use kalahari_games::{AnyMove, Game, GameKind, Player};
use kalahari_study::{Figures, JudgedMove, Judgement, Played, Review};
use kalahari_terms::{Score, Worth};
use std::time::Duration;

/// The most moves that an answer values; where a cell is removed as well there may be thousands.
const MOST_MOVES: usize = 100;

/// The time that a search has taken.
#[derive(Clone, Copy, Debug)]
pub struct Spent {
    /// The time since it was asked for.
    pub since: Duration,
    /// The time that it ran, without waiting for its turn.
    pub ran: Duration,
}

/// Whether there was time to look at the moves.
pub fn has_looked(report: &AnyReport) -> bool {
    report.best.is_none() || !report.moves.is_empty()
}

/// What an analysis of a line's last position knows so far.
pub fn info(id: u64, played: &Played, report: &AnyReport, spent: Spent) -> Info {
    let kind = played.game.spec().kind();
    let ran = spent.ran.as_secs_f64().max(1e-4);
    let moves = the_best(&report.moves).into_iter();
    Info {
        id,
        depth: report.depth,
        nodes: report.nodes,
        nps: (report.nodes as f64 / ran) as u64,
        time_ms: millis(spent.since),
        value: Figure::new(report.score, kind),
        outlook: outlook(report),
        bar: bar(report.score),
        best: report.best.map(|best| best.to_string()),
        pv: texts(&report.line),
        pv_players: movers(played, &report.line),
        moves: moves
            .map(|(mv, score)| MoveInfo {
                mv: mv.to_string(),
                value: Figure::new(score, kind),
                depth: report.depth,
            })
            .collect(),
    }
}

/// A good move in a line's last position; `None` if there was no time to look for one.
pub fn hint(id: u64, played: &Played, report: &AnyReport) -> Option<Hint> {
    let best = report.best.filter(|_| has_looked(report))?;
    let story = played.game.story(&played.last(), best);
    Some(Hint {
        id,
        mv: best.to_string(),
        value: Figure::new(report.score, played.game.spec().kind()),
        steps: story.iter().map(Into::into).collect(),
        pv: texts(&report.line),
    })
}

/// An opponent's move in a line's last position, and the position after it.
pub fn reply(
    id: u64,
    played: &mut Played,
    report: &AnyReport,
    since: Duration,
) -> WireResult<Reply> {
    let none = || Problem::new("internal", "the opponent has no answer");
    let mv = report.best.ok_or_else(none)?;
    played.play(mv).map_err(|_| none())?;
    let (value, unit) = opinion(report.score, played.game.spec().kind());
    Ok(Reply {
        id,
        mv: mv.to_string(),
        value,
        unit,
        proven: report.score.is_proven(),
        depth: report.depth,
        nodes: report.nodes,
        time_ms: millis(since),
        state: show::state(played, played.moves.len()),
    })
}

/// A move that has been judged.
pub fn reviewed(id: u64, judged: &JudgedMove, game: GameKind) -> Reviewed {
    let worth = |mv: AnyMove, score| MoveWorth {
        mv: mv.to_string(),
        value: Figure::new(score, game),
    };
    Reviewed {
        id,
        ply: judged.ply,
        player: judged.player.into(),
        judgement: match judged.judgement {
            Judgement::Best => Judged::Best,
            Judgement::Inaccuracy => Judged::Inaccuracy,
            Judgement::Mistake => Judged::Mistake,
            Judgement::Blunder => Judged::Blunder,
        },
        played: worth(judged.played, judged.played_score),
        best: worth(judged.best, judged.best_score),
        loss: Figure::of_loss(judged.loss, judged.is_proven(), game),
        bar: bar(judged.best_score),
    }
}

/// A whole game of `plies` plies that has been judged.
pub fn reviewing(id: u64, review: Review, plies: usize) -> Reviewing {
    let players = Player::BOTH.map(|player| of_player(&review.moves, player));
    Reviewing {
        id,
        plies,
        players: players.to_vec(),
        turning_points: review.turning_points,
        bars: review.prospects,
    }
}

fn of_player(moves: &[JudgedMove], player: Player) -> PlayerReview {
    let own = || moves.iter().filter(|judged| judged.player == player);
    let count = |judgement| own().filter(|judged| judged.judgement == judgement).count();
    let loss: f64 = own().map(|judged| judged.loss.amount()).sum();
    PlayerReview {
        player: player.into(),
        best: count(Judgement::Best),
        inaccuracy: count(Judgement::Inaccuracy),
        mistake: count(Judgement::Mistake),
        blunder: count(Judgement::Blunder),
        loss: rounded(loss),
        accuracy: Figures::of(own()).accuracy().unwrap_or(1.0),
    }
}

/// What the opponent thinks of its move, as far as that can be compared with an analysis.
fn opinion(score: Score, game: GameKind) -> (Option<f64>, Unit) {
    let shown = Figure::new(score, game);
    match score.worth() {
        _ if score.is_proven() => (Some(shown.value), shown.unit),
        Worth::Share(_) => (Some(shown.value), shown.unit),
        _ => (None, Unit::Points),
    }
}

fn outlook(report: &AnyReport) -> Option<Outlook> {
    let outlook = report.outlook.as_ref();
    let outlook = outlook.filter(|_| !report.score.is_proven())?;
    let proven = outlook.moves.iter();
    let proven = proven.filter(|(_, bounds)| bounds.exact().is_some());
    Some(Outlook {
        lower: outlook.value.lower,
        upper: outlook.value.upper,
        proven: proven.count(),
        moves: outlook.moves.len(),
        seconds: report
            .time_left()
            .map(|(least, most)| [least.as_secs(), most.as_secs()]),
        table: outlook.table.map(|table| TableUnderWay {
            seeds: table.seeds,
            percent: table.percent,
        }),
    })
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

/// Who makes each of the moves after a line's last position.
fn movers(played: &Played, line: &[AnyMove]) -> Vec<Who> {
    let game = &played.game;
    let mut position = Some(played.last());
    let mover = |mv: &AnyMove| {
        let now = position?;
        position = game.play(&now, *mv).ok();
        Some(game.to_move(&now).into())
    };
    line.iter().map_while(mover).collect()
}

fn texts(moves: &[AnyMove]) -> Vec<String> {
    moves.iter().map(ToString::to_string).collect()
}

fn millis(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}
