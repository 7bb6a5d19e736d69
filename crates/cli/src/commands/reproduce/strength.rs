//! Timed matches: the published one, the bonus for moving again, and our engine against all other agents.

use super::table;
use crate::arena_flags::cache_folder;
use kalahari_agents::NamedAgent;
use kalahari_arena::stats::{EloModel, Tally, elo};
use kalahari_arena::{MatchResult, MatchSpec, Openings, Rules, Run, run_match};
use kalahari_search::Rng;
use kalahari_terms::Stop;
use serde_json::Value;

fn play(
    agents: [&str; 2],
    game: &str,
    openings: Openings,
    games: u32,
    rng_seed: u64,
    stop: &Stop,
) -> anyhow::Result<MatchResult> {
    let [first, second] = agents.map(str::parse::<NamedAgent>);
    let spec = MatchSpec {
        agents: [first?, second?],
        game: game.parse()?,
        openings,
        rng_seed,
        rules: Rules::default(),
    };
    eprintln!("{} against {}, {games} games ...", agents[0], agents[1]);
    let run = Run {
        games,
        concurrency: std::thread::available_parallelism().map_or(1, usize::from),
        sprt: None,
        store: None,
        mix: false,
        cache: cache_folder(),
        stop,
    };
    Ok(run_match(spec, run, &mut |_| {})?)
}

/// The cells that every match has: games, wins, draws, losses, score and Elo.
fn cells(tally: &Tally) -> Vec<String> {
    let rating = elo(tally, EloModel::Logistic);
    let elo = match (rating.value, rating.error) {
        (Some(value), Some(error)) => format!("{value:+.0} +/- {error:.0}"),
        (Some(value), None) => format!("{value:+.0} +/- unknown"),
        _ if tally.score() > 0.5 => "inf".to_owned(),
        _ => "-inf".to_owned(),
    };
    vec![
        tally.games().to_string(),
        format!("+{} ={} -{}", tally.wins, tally.draws, tally.losses),
        format!("{:.1}%", 100.0 * tally.score()),
        elo,
    ]
}

/// Boards where each of 72 seeds falls into a random pit.
fn scattered(count: usize, rng_seed: u64) -> Openings {
    let mut rng = Rng::new(rng_seed);
    let lines = (0..count).map(|_| {
        let mut houses = [0; 14];
        for _ in 0..72 {
            let pit = rng.below(12);
            houses[pit + pit / 6] += 1;
        }
        let words: Vec<String> = houses.iter().map(u32::to_string).collect();
        words.join(" ") + " 0"
    });
    Openings::Lines {
        name: "scattered".to_owned(),
        lines: lines.collect(),
    }
}

/// `pairs` openings, each with both seatings, with `time` for a move of the tree search.
pub(super) fn mcts_table(
    published: &Value,
    (pairs, time): (usize, &str),
    rng_seed: u64,
    stop: &Stop,
) -> anyhow::Result<String> {
    let mcts = format!("mcts:eval=none,alpha=0.975,c=0.5,time={time}");
    let agents = [mcts.as_str(), "alphabeta:depth=10,eval=stores"];
    let result = play(
        agents,
        "kalah:6x6:empty-capture",
        scattered(pairs, rng_seed),
        2 * pairs as u32,
        rng_seed,
        stop,
    )?;
    let counts = result.tally().pentanomial;
    let (lost, won) = (counts[0] + counts[1], counts[3] + counts[4]);
    let theirs = &published["seed_001_tuning_games"];
    let (their_wins, their_losses) = (
        theirs["won"].as_f64().unwrap_or(0.0),
        theirs["lost"].as_f64().unwrap_or(0.0),
    );
    let share = |won: f64, lost: f64| format!("{:.1}%", 100.0 * won / (won + lost).max(1.0));
    let rows = [
        vec![
            "published: pairs that one side won".to_owned(),
            format!("{their_wins} : {their_losses}"),
            share(their_wins, their_losses),
        ],
        vec![
            format!("here, {time} a move: pairs that one side won"),
            format!("{won} : {lost} of {pairs}"),
            share(won as f64, lost as f64),
        ],
        vec![
            format!("here, {time} a move: all games"),
            format!(
                "+{} ={} -{}",
                result.tally().wins,
                result.tally().draws,
                result.tally().losses
            ),
            format!("{:.1}%", 100.0 * result.tally().score()),
        ],
    ];
    Ok(format!(
        "\n## Monte Carlo tree search against alpha-beta (course project 001)\n\n`{}` against `{}` on `kalah:6x6:empty-capture`; each of 72 seeds falls into a random pit. The published figure is from a tuning run with many settings (C from 0 to 2, alpha from 0.8 to 1) against depths 10 and 11.\n\n{}",
        agents[0],
        agents[1],
        table(&["what", "result", "share"], &rows)
    ))
}

pub(super) fn again_table(games: u32, rng_seed: u64, stop: &Stop) -> anyhow::Result<String> {
    let mut rows = Vec::new();
    for depth in [5, 7] {
        let agents = ["again", "stores"].map(|eval| format!("alphabeta:depth={depth},eval={eval}"));
        let result = play(
            [&agents[0], &agents[1]],
            "kalah:6x6",
            Openings::Random(6),
            games,
            rng_seed,
            stop,
        )?;
        let mut row = vec![format!("depth {depth}")];
        row.extend(cells(result.tally()));
        rows.push(row);
    }
    Ok(format!(
        "\n## The bonus for moving again (course project 004)\n\n`again` against `stores`, plain alpha-beta on `kalah:6x6`, random openings of 6 moves, both seatings. The project gives no figures; its author saw chains of 3 to 5 moves in one turn.\n\n{}",
        table(&["search", "games", "result", "score", "Elo"], &rows)
    ))
}

/// An agent without its time, and its milliseconds a move; `None` if it is limited by its depth.
type Timed = (&'static str, Option<u32>);

/// Our players, their opponents, and whether openings are balanced.
const STRENGTH: &[(Timed, Timed, bool)] = &[
    (("engine:", Some(20)), ("level:6", None), true),
    (
        ("engine:", Some(20)),
        ("alphabeta:depth=9,eval=again", None),
        true,
    ),
    (
        ("engine:", Some(20)),
        ("alphabeta:depth=6,eval=weighted", None),
        true,
    ),
    (("engine:", Some(20)), ("mcts:", Some(200)), true),
    (("engine:", Some(20)), ("mcts:eval=none,", Some(200)), true),
    (("mcts:", Some(100)), ("random", None), false),
    (("mcts:", Some(100)), ("mcts:eval=none,", Some(100)), true),
    (
        ("mcts:eval=none,", Some(100)),
        ("mcts:eval=none,alpha=0,", Some(100)),
        true,
    ),
];

/// The spec of an agent with its time, divided by `hurry`.
fn timed((agent, time): Timed, hurry: u32) -> String {
    match time {
        Some(time) => format!("{agent}time={}ms", time / hurry),
        None => agent.to_owned(),
    }
}

/// `games` games in every match. All times are divided by `hurry`, which is 1 in published tables.
pub(super) fn engine_table(
    games: u32,
    hurry: u32,
    rng_seed: u64,
    stop: &Stop,
) -> anyhow::Result<String> {
    let mut rows = Vec::new();
    for &(ours, theirs, balanced) in STRENGTH {
        let agents = [ours, theirs].map(|agent| timed(agent, hurry));
        let openings = match balanced {
            true => Openings::Balanced(6),
            false => Openings::Start,
        };
        let [ours, theirs] = agents.each_ref().map(String::as_str);
        let result = play([ours, theirs], "kalah:6x6", openings, games, rng_seed, stop)?;
        let mut row = vec![format!("`{ours}`"), format!("`{theirs}`")];
        row.extend(cells(result.tally()));
        rows.push(row);
    }
    Ok(format!(
        "\n## Our players\n\n`kalah:6x6`, balanced openings of 6 moves (the start against `random`), both seatings.\n\n{}",
        table(
            &["player", "opponent", "games", "result", "score", "Elo"],
            &rows
        )
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elo_has_a_sign_even_without_limits() {
        let elo = |wins, losses| cells(&Tally::of_games(wins, 0, losses)).pop();
        assert_eq!(elo(4, 0).as_deref(), Some("inf"));
        assert_eq!(elo(0, 4).as_deref(), Some("-inf"));
        assert!(elo(3, 1).is_some_and(|text| text.starts_with("+191 ")));
    }
}
