//! An opponent's move.

use crate::error::{ApiError, ApiResult};
use crate::socket::desk::{Tools, Work};
use crate::wire::socket::{Reason, Reply, Say};
use crate::{opponents, show, words};
use kalahari_agents::{AgentSpec, Player};
use kalahari_search::{Limits, Report, Searchable, Unit};
use kalahari_study::{Line, LineVisitor, Played, Value};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// How long `perfect` may try to prove a move, waiting included.
const PROOF: Duration = Duration::from_secs(4);
/// How long it tries before it lets others go ahead.
const TURN: Duration = Duration::from_millis(100);
/// The MiB of a table of `perfect`.
const PROOF_HASH: usize = 32;

/// The move of an opponent in a line's last position.
pub(crate) fn reply(line: &Line, agent: &str) -> ApiResult<Work> {
    if opponents::agent(agent, 1).is_none() {
        let shown: String = agent.chars().take(40).collect();
        let message = format!("there is no opponent '{shown}'; /api/v1/meta lists them");
        return Err(ApiError::bad("bad_agent", message).at("agent"));
    }
    let agent = agent.to_owned();
    line.visit(Answer { agent })?
}

struct Answer {
    agent: String,
}

impl LineVisitor for Answer {
    type Output = ApiResult<Work>;

    fn visit<G: Searchable>(self, game: G, mut played: Played<G>) -> ApiResult<Work> {
        let position = played.last();
        if game.is_over(&position) {
            return Err(ApiError::bad("game_over", "the game is over").at("line"));
        }
        Ok(Box::new(move |tools| {
            let report = self.think(&game, position, tools)?;
            let Some(mv) = report.best.filter(|mv| game.is_legal(&position, *mv)) else {
                return Err(ApiError::internal("the opponent has no answer"));
            };
            if tools.stop.is_requested() {
                return Ok(tools.reason());
            }
            played.positions.push(game.play_unchecked(&position, mv));
            played.moves.push(mv);
            let (value, unit) = opinion(&game, &report);
            tools.say(Say::Move(Box::new(Reply {
                id: tools.id,
                mv: mv.to_string(),
                value,
                proven: report.proven,
                unit,
                time_ms: tools.begin.elapsed().as_millis() as u64,
                state: show::state(&game, &played, played.moves.len()),
            })));
            Ok(Reason::Finished)
        }))
    }
}

impl Answer {
    fn think<G: Searchable>(
        &self,
        game: &G,
        position: G::Position,
        tools: &Tools,
    ) -> ApiResult<Report<G::Move>> {
        let spec = |name: &str, hash| {
            opponents::agent(name, hash).ok_or_else(|| ApiError::internal("there is no such agent"))
        };
        if self.agent == "perfect" {
            let proven = prove(game, position, &spec("perfect", PROOF_HASH)?, tools);
            if let Some(report) = proven {
                return report;
            }
            // Too many want proofs at once: the engine's move has to do.
            return choose(game, position, &spec("engine", tools.hash)?, tools);
        }
        choose(game, position, &spec(&self.agent, tools.hash)?, tools)
    }
}

fn choose<G: Searchable>(
    game: &G,
    position: G::Position,
    spec: &AgentSpec,
    tools: &Tools,
) -> ApiResult<Report<G::Move>> {
    // Whoever plays at random plays another game every time.
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    let seed = since.map_or(1, |time| time.as_nanos() as u64);
    let mut player = make(game, spec, seed)?;
    Ok(player.choose(position, Limits::default(), &tools.stop))
}

fn make<G: Searchable>(game: &G, spec: &AgentSpec, seed: u64) -> ApiResult<Player<G>> {
    Player::new(spec, game, seed).map_err(|error| ApiError::internal(error.to_string()))
}

/// Proves a move in turns, if a prover is to be had. What one turn has learned, the next one knows.
fn prove<G: Searchable>(
    game: &G,
    position: G::Position,
    spec: &AgentSpec,
    tools: &Tools,
) -> Option<ApiResult<Report<G::Move>>> {
    let name = game.spec().to_string();
    let limits = Limits {
        time: Some(TURN),
        ..Limits::default()
    };
    tools.shelf.with(
        &name,
        || make(game, spec, 1),
        |player: &mut Player<G>| loop {
            let report = player.choose(position, limits, &tools.stop);
            let late = tools.begin.elapsed() >= PROOF;
            if report.proven || late || tools.stop.is_requested() {
                return report;
            }
            tools.visitor.give_way();
        },
    )
}

/// What the opponent thinks of its move, as far as that can be compared with an analysis.
fn opinion<G: Searchable>(game: &G, report: &Report<G::Move>) -> (Option<f64>, &'static str) {
    if report.proven {
        let value = Value::of_report(game, report);
        return (Some(words::amount(value.amount)), value.measure.name());
    }
    match report.unit {
        Unit::WinShare => (Some((report.value * 1e3).round() / 1e3), "winshare"),
        _ => (None, "points"),
    }
}
