//! What a runner has told us so far: a game, a position in it, and a player, whose type only the session knows.

use crate::{AgentError, AgentSpec, Player};
use kalahari_games::{GameSpec, Totals};
use kalahari_protocol::ugi::{Answer, Go, Info, Query, Score, Start};
use kalahari_search::{Clock, Limits, Report, SearchVisitor, Searchable, Stop, Unit};
use std::thread::JoinHandle;
use std::time::Duration;

/// Where answers go; it may be called from any thread.
pub(super) type Say = std::sync::Arc<dyn Fn(&Answer) + Send + Sync>;

/// A game and what is going on in it.
pub(super) trait Session {
    /// Sets the position. After an error it is as before.
    fn set_position(&mut self, start: &Start, moves: &[String]) -> Result<(), String>;

    /// Answers a question about the position.
    fn query(&self, query: Query) -> &'static str;

    /// Begins a search and comes back at once. It ends with one `bestmove`.
    fn go(&mut self, go: &Go, say: &Say);

    /// Asks the search to end and waits for it; its `bestmove` is out then.
    fn finish(&mut self);

    /// Asks the search to end.
    fn stop(&self);

    /// Forgets the game.
    fn new_game(&mut self);
}

/// The session of an agent in a game, at its start.
pub(super) fn open(
    game: GameSpec,
    agent: &AgentSpec,
) -> Result<Box<dyn Session + Send>, AgentError> {
    struct Open<'a>(&'a AgentSpec);
    impl SearchVisitor for Open<'_> {
        type Output = Result<Box<dyn Session + Send>, AgentError>;
        fn visit<G: Searchable>(self, game: G) -> Self::Output {
            Ok(Box::new(Typed {
                player: Some(Player::new(self.0, &game, 1)?),
                agent: self.0.clone(),
                position: game.start(),
                game,
                search: None,
                stop: Stop::new(),
            }))
        }
    }
    kalahari_search::visit(game, Totals::Exact, Open(agent))
}

struct Typed<G: Searchable> {
    game: G,
    agent: AgentSpec,
    position: G::Position,
    /// `None` while it thinks.
    player: Option<Player<G>>,
    search: Option<JoinHandle<Option<Player<G>>>>,
    stop: Stop,
}

impl<G: Searchable> Session for Typed<G> {
    fn set_position(&mut self, start: &Start, moves: &[String]) -> Result<(), String> {
        let mut position = match start {
            Start::Startpos => self.game.start(),
            Start::Fen(text) => self
                .game
                .parse_position(text)
                .map_err(|error| error.to_string())?,
        };
        for (number, word) in (1..).zip(moves) {
            let at = |error: String| format!("{error} (move number {number} of the list)");
            let mv: G::Move = word.parse().map_err(|error| at(format!("{error}")))?;
            position = self
                .game
                .play(&position, mv)
                .map_err(|error| at(error.to_string()))?;
        }
        self.position = position;
        Ok(())
    }

    fn query(&self, query: Query) -> &'static str {
        let truth = |truth| if truth { "true" } else { "false" };
        match query {
            Query::P1Turn => {
                truth(self.game.to_move(&self.position) == kalahari_games::Player::First)
            }
            Query::GameOver => truth(self.game.is_over(&self.position)),
            Query::Result => match self.game.outcome(&self.position) {
                None => "none",
                Some(outcome) => match outcome.winner() {
                    Some(kalahari_games::Player::First) => "p1win",
                    Some(kalahari_games::Player::Second) => "p2win",
                    None => "draw",
                },
            },
        }
    }

    fn go(&mut self, go: &Go, say: &Say) {
        self.finish();
        let player = match self.player.take() {
            Some(player) => Ok(player),
            // The last search broke down.
            None => Player::new(&self.agent, &self.game, 1),
        };
        let mut player = match player {
            Ok(player) => player,
            Err(error) => return give_up(say, &error.to_string()),
        };
        self.stop = Stop::new();
        let limits = limits(go, self.game.to_move(&self.position));
        let (position, stop, infinite) = (self.position, self.stop.clone(), go.infinite);
        let over = self.game.is_over(&position);
        let speak = say.clone();
        let search = move || {
            let thought = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
                player.think_aloud(position, limits, &stop, &mut |report| {
                    speak(&Answer::Info(info(report)));
                })
            }));
            let Ok(report) = thought else {
                // The player is in no good state any more, but the runner gets its answer.
                give_up(
                    &speak,
                    "the search broke down; this is a mistake in the program",
                );
                return None;
            };
            while infinite && !stop.is_requested() {
                // An answer before `stop` would not be understood.
                std::thread::sleep(Duration::from_millis(2));
            }
            match (report.best, player.failure()) {
                (Some(best), _) => {
                    speak(&Answer::Info(info(&report)));
                    speak(&Answer::BestMove(best.to_string()));
                }
                (None, Some(why)) => give_up(&speak, &why),
                (None, None) if over => give_up(&speak, "the game is over"),
                (None, None) => give_up(&speak, "no move was found"),
            }
            Some(player)
        };
        match std::thread::Builder::new()
            .name("search".into())
            .spawn(search)
        {
            Ok(thread) => self.search = Some(thread),
            Err(error) => give_up(say, &format!("no thread can be started: {error}")),
        }
    }

    fn finish(&mut self) {
        self.stop.request();
        if let Some(search) = self.search.take() {
            self.player = search.join().ok().flatten();
        }
    }

    fn stop(&self) {
        self.stop.request();
    }

    fn new_game(&mut self) {
        self.finish();
        self.position = self.game.start();
        if let Some(player) = &mut self.player {
            player.begin_game(1);
        }
    }
}

/// The move of somebody who has none, so that nobody waits for it.
pub(super) fn give_up(say: &Say, why: &str) {
    say(&Answer::Info(Info::message(why)));
    say(&Answer::BestMove("none".to_owned()));
}

/// The limits of a `go`, for the player to move.
fn limits(go: &Go, mover: kalahari_games::Player) -> Limits {
    /// As good as for ever, but a limit all the same: without one, a player uses its own.
    const FOR_EVER: Duration = Duration::from_secs(365 * 24 * 3600);
    let time = |millis: u64| Duration::from_millis(millis).min(FOR_EVER);
    let mover = mover.index();
    Limits {
        depth: go.depth.map(|depth| depth.clamp(1, 1_000)),
        nodes: go.nodes,
        time: match go.infinite {
            true => Some(FOR_EVER),
            false => go.movetime.map(time),
        },
        clock: go.time[mover].filter(|_| !go.infinite).map(|left| Clock {
            remaining: time(left),
            increment: go.increment[mover].map_or(Duration::ZERO, time),
        }),
    }
}

/// A report as the interface writes it.
fn info<M: std::fmt::Display>(report: &Report<M>) -> Info {
    let score = match report.unit {
        Unit::WinShare => Score::PerMille((report.value.clamp(0.0, 1.0) * 1000.0).round() as u16),
        // Our own evaluation counts in hundredths already; proven values are whole.
        Unit::Eval => Score::Centi(report.value.round() as i64),
        Unit::Margin | Unit::Result => Score::Centi((report.value * 100.0).round() as i64),
    };
    Info {
        depth: Some(report.depth),
        score: Some(score),
        nodes: Some(report.nodes),
        millis: Some(u64::try_from(report.elapsed.as_millis()).unwrap_or(u64::MAX)),
        line: report.line.iter().map(M::to_string).collect(),
        text: None,
    }
}
