//! The report of a match, in the wording that engine developers know.

use crate::named;
use crate::results::Counter;
use crate::run::{MatchResult, Stopped};
use crate::stats::{Decision, Elo, EloModel, Sprt, Tally, elo, los};
use kalahari_agents::NamedAgent;
use serde::Serialize;
use std::fmt::Write;

/// The wording of a report.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ReportStyle {
    /// That of fastchess.
    #[default]
    Fastchess,
    /// That of cutechess, for scripts that parse it.
    Cutechess,
}

named!(
    ReportStyle,
    "reports are fastchess or cutechess",
    Fastchess "fastchess",
    Cutechess "cutechess",
);

/// The state of a sequential test.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct SprtSummary {
    /// The log-likelihood ratio.
    pub llr: f64,
    /// H0 is accepted at or below this.
    pub lower: f64,
    /// H1 is accepted at or above this.
    pub upper: f64,
    /// The hypothesis that is accepted, if any.
    pub decision: Option<Decision>,
}

impl SprtSummary {
    /// The state of a test for these counts.
    pub fn new(sprt: &Sprt, tally: &Tally) -> Self {
        let llr = sprt.llr(tally);
        SprtSummary {
            llr,
            lower: sprt.lower(),
            upper: sprt.upper(),
            decision: sprt.decision(llr),
        }
    }
}

/// What the counts mean, from the first agent's point of view.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Summary {
    /// Games counted.
    pub games: u64,
    /// Games won.
    pub wins: u64,
    /// Games drawn.
    pub draws: u64,
    /// Games lost.
    pub losses: u64,
    /// The share of points, 0 to 1.
    pub score: f64,
    /// The difference in Elo; null at 0% and 100%.
    pub elo: Option<f64>,
    /// Half the width of its 95% interval; null if the difference is, and if all pairs had the same score.
    pub elo_error: Option<f64>,
    /// The likelihood of superiority.
    pub los: f64,
    /// Pairs by half points scored, from 0 to 4.
    pub pentanomial: [u64; 5],
    /// The sequential test, if there is one.
    pub sprt: Option<SprtSummary>,
    /// The Elo model used.
    pub model: EloModel,
}

impl Summary {
    /// The summary of counts.
    pub fn new(tally: &Tally, model: EloModel, sprt: Option<&Sprt>) -> Self {
        let Elo { value, error } = elo(tally, model);
        Summary {
            games: tally.games(),
            wins: tally.wins,
            draws: tally.draws,
            losses: tally.losses,
            score: tally.score(),
            elo: value,
            elo_error: error,
            los: los(tally),
            pentanomial: tally.pentanomial,
            sprt: sprt.map(|sprt| SprtSummary::new(sprt, tally)),
            model,
        }
    }
}

/// `12.34 +/- 5.67`, with `inf` where the difference is not finite, and with a word of the style's own where the games
/// tell no difference or no error.
fn elo_text(tally: &Tally, model: EloModel, style: ReportStyle) -> String {
    let Elo { value, error } = elo(tally, model);
    let score = tally.score();
    let fastchess = style == ReportStyle::Fastchess;
    let value = match value {
        Some(value) => format!("{:.2}", unsigned_zero(value, 2)),
        // All observations are equal, so that there is no deviation to measure in.
        None if fastchess && score > 0.0 && score < 1.0 => "unknown".to_owned(),
        None if score > 0.5 => "inf".to_owned(),
        None if score < 0.5 => "-inf".to_owned(),
        None => "0.00".to_owned(),
    };
    let no_error = if fastchess { "unknown" } else { "inf" };
    let error = error.map_or(no_error.to_owned(), |error| format!("{error:.2}"));
    format!("{value} +/- {error}")
}

/// Whether there is a single observation, which says nothing about how far others would stray.
fn is_single(tally: &Tally) -> bool {
    tally.sample().total() <= 1.0
}

/// Why the games tell no error, if they do not.
fn why_no_error(tally: &Tally) -> Option<&'static str> {
    /// So many games in a row are hardly won by chance.
    const MANY: u64 = 10;
    let in_pairs = tally.sample().games_each > 1.0;
    let games = tally.games();
    let (won, lost) = (tally.wins == games, tally.losses == games);
    match elo(tally, EloModel::Logistic) {
        Elo { error: Some(_), .. } => None,
        _ if is_single(tally) && in_pairs => {
            Some("there is only one pair of games, so no error can be computed")
        }
        _ if is_single(tally) => Some("there is only one game, so no error can be computed"),
        _ if (won || lost) && games < MANY => {
            Some("these are too few games to say how large the difference is")
        }
        _ if won => {
            Some("every game was won; that says that the difference is large, but not how large")
        }
        _ if lost => {
            Some("every game was lost; that says that the difference is large, but not how large")
        }
        _ if in_pairs => {
            Some("every pair of games had the same score, so no error can be computed")
        }
        _ => Some("every game had the same result, so no error can be computed"),
    }
}

/// The final report, with a line on why the match stopped.
pub fn report(
    result: &MatchResult,
    style: ReportStyle,
    model: EloModel,
    sprt: Option<&Sprt>,
) -> String {
    let [a, b] = result.spec.agents.each_ref().map(NamedAgent::label);
    let counter = &result.counter;
    let mut text = match style {
        ReportStyle::Fastchess => {
            let place = format!(
                "{}, limits: {}, openings: {}, seed {}",
                result.spec.game,
                result.spec.limits_text(),
                result.spec.openings,
                result.spec.rng_seed
            );
            fastchess(
                &format!("{a} vs {b} ({place})"),
                counter.tally(),
                model,
                sprt,
            )
        }
        ReportStyle::Cutechess => cutechess(&format!("{a} vs {b}"), counter.tally(), model, sprt),
    };
    text += &margins(counter);
    for (number, agent) in result.spec.agents.iter().enumerate() {
        let forfeits = counter.forfeits()[number];
        if forfeits.total() > 0 {
            let _ = writeln!(
                text,
                "Forfeits of {}: {} on time, {} by illegal moves, {} by crashes (first: {})",
                agent.label(),
                forfeits.time,
                forfeits.illegal,
                forfeits.crash,
                counter.first_reason(number).unwrap_or_default()
            );
            if forfeits.time > 0 {
                let _ = writeln!(text, "{}", late_advice(&agent.label()));
            }
        }
    }
    for note in &result.notes {
        let _ = writeln!(text, "Note: {note}");
    }
    let _ = writeln!(text, "{}", stopped_text(result, sprt));
    text
}

/// Advice for an agent that is late.
pub fn late_advice(name: &str) -> String {
    format!("{name} was late; give it more time, such as --time 5s, or let it think less")
}

/// A number that will be printed with so many decimals; one that would be printed as -0 becomes 0.
pub fn unsigned_zero(value: f64, decimals: i32) -> f64 {
    match (value * 10f64.powi(decimals)).abs() < 0.5 {
        true => 0.0,
        false => value,
    }
}

fn margins(counter: &Counter) -> String {
    counter.average_margin().map_or(String::new(), |margin| {
        let games = counter.tally().games().max(1) as f64;
        format!(
            "Margin: {:+.2} a game, {:.1} moves a game\n",
            unsigned_zero(margin, 2),
            counter.plies() as f64 / games
        )
    })
}

fn stopped_text(result: &MatchResult, sprt: Option<&Sprt>) -> String {
    let games = result.tally().games();
    let why = match (result.stopped, sprt) {
        (Stopped::Finished, None) => "Finished: all games are played".to_owned(),
        (Stopped::Finished, Some(_)) => {
            "Finished: all games are played, the SPRT has not decided".to_owned()
        }
        (Stopped::Decided(decision), sprt) => {
            let (elo0, elo1) = sprt.map_or((0.0, 0.0), Sprt::hypotheses);
            let elo = match decision {
                Decision::H0 => elo0,
                Decision::H1 => elo1,
            };
            format!(
                "Stopped: the SPRT accepts {decision} (a difference of {elo} Elo) after {games} games"
            )
        }
        (Stopped::Interrupted, _) => format!("Interrupted after {games} games"),
    };
    let resumed = match result.resumed {
        0 => String::new(),
        resumed => format!("; {resumed} games are from earlier runs"),
    };
    format!(
        "{why}{resumed}; match {}, {} games in {:.1} s now, {:.1}% of it outside agents",
        result.id,
        result.played,
        result.elapsed.as_secs_f64(),
        100.0 * result.overhead
    )
}

fn fastchess(title: &str, tally: &Tally, model: EloModel, sprt: Option<&Sprt>) -> String {
    let pairs = tally.pairs();
    let ptnml = tally.pentanomial;
    let mut text = format!("Results of {title}:\n");
    if tally.games() == 0 {
        text += "Games: 0; no game has ended, so nothing is known\n";
        return text;
    }
    let names = match model {
        EloModel::Logistic => (EloModel::Logistic, "Elo", EloModel::Normalized, "nElo"),
        EloModel::Normalized => (EloModel::Normalized, "nElo", EloModel::Logistic, "Elo"),
    };
    let _ = writeln!(
        text,
        "{}: {}, {}: {} (model {model})",
        names.1,
        elo_text(tally, names.0, ReportStyle::Fastchess),
        names.3,
        elo_text(tally, names.2, ReportStyle::Fastchess)
    );
    if let Some(why) = why_no_error(tally) {
        let _ = writeln!(text, "Note: {why}");
    }
    // As in fastchess: the share of pairs that ended level.
    let draw_ratio = match pairs {
        0 => tally.draws as f64 / tally.games().max(1) as f64,
        pairs => ptnml[2] as f64 / pairs as f64,
    };
    let los = match is_single(tally) {
        true => "unknown".to_owned(),
        false => format!("{:.2} %", 100.0 * los(tally)),
    };
    let _ = write!(text, "LOS: {los}, DrawRatio: {:.2} %", 100.0 * draw_ratio);
    let (won, lost) = (ptnml[3] + ptnml[4], ptnml[0] + ptnml[1]);
    if won + lost > 0 {
        let ratio = won as f64 / lost as f64;
        let _ = write!(text, ", PairsRatio: {ratio:.2}");
    }
    let _ = writeln!(
        text,
        "\nGames: {}, Wins: {}, Losses: {}, Draws: {}, Points: {:.1} ({:.2} %)",
        tally.games(),
        tally.wins,
        tally.losses,
        tally.draws,
        tally.points(),
        100.0 * tally.score()
    );
    let _ = writeln!(text, "Ptnml(0-2): {ptnml:?}");
    if let Some(sprt) = sprt {
        let (elo0, elo1) = sprt.hypotheses();
        let _ = writeln!(
            text,
            "LLR: {:.2} ({:.2}, {:.2}) [{elo0:.2}, {elo1:.2}]",
            sprt.llr(tally),
            sprt.lower(),
            sprt.upper()
        );
    }
    text
}

fn cutechess(title: &str, tally: &Tally, model: EloModel, sprt: Option<&Sprt>) -> String {
    let games = tally.games();
    let mut text = format!(
        "Score of {title}: {} - {} - {}  [{:.3}] {games}\n",
        tally.wins,
        tally.losses,
        tally.draws,
        tally.score()
    );
    let _ = writeln!(
        text,
        "Elo difference: {}, LOS: {:.1} %, DrawRatio: {:.1} %",
        elo_text(tally, model, ReportStyle::Cutechess),
        100.0 * los(tally),
        100.0 * tally.draws as f64 / games.max(1) as f64
    );
    if let Some(sprt) = sprt {
        let llr = sprt.llr(tally);
        let bound = if llr < 0.0 {
            sprt.lower()
        } else {
            sprt.upper()
        };
        let accepted = match sprt.decision(llr) {
            None => String::new(),
            Some(decision) => format!(" - {decision} was accepted"),
        };
        let _ = writeln!(
            text,
            "SPRT: llr {llr:.3} ({:.1}%), lbound {:.3}, ubound {:.3}{accepted}",
            100.0 * llr / bound,
            sprt.lower(),
            sprt.upper()
        );
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn zero_has_no_sign() {
        let text = |value| format!("{:+.1}", unsigned_zero(value, 1));
        let texts = [-0.04, -0.0, 0.04, -0.06, 0.06].map(text);
        assert_eq!(texts, ["+0.0", "+0.0", "+0.0", "-0.1", "+0.1"]);
    }

    /// A pair of one win and one loss, and a single lost game.
    #[test]
    fn one_pair_tells_no_error() {
        let tally = Tally {
            pentanomial: [0, 0, 1, 0, 0],
            ..Tally::of_games(1, 0, 2)
        };
        let text = fastchess("a vs b", &tally, EloModel::Logistic, None);
        for words in [
            "nElo: unknown +/- unknown",
            "Note: there is only one pair",
            "LOS: unknown",
        ] {
            assert!(text.contains(words), "{text}");
        }
        assert!(!text.contains("inf"), "{text}");
        // Observations that are all alike, but not level: there is no deviation to measure in.
        let alike = Tally {
            pentanomial: [0, 0, 0, 5, 0],
            ..Tally::of_games(5, 5, 0)
        };
        let text = fastchess("a vs b", &alike, EloModel::Logistic, None);
        assert!(text.contains("nElo: unknown +/- unknown"), "{text}");
        assert!(text.contains("Note: every pair of games"), "{text}");
    }
}
