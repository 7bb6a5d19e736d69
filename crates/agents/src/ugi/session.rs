//! The state of a session with a runner: a game, a position in it, and the player that thinks about it.

use crate::{AgentError, AgentSpec, AnyReport, Mind, NoAnswer, Player, Question, Thinker, Thought};
use kalahari_games::{AnyGame, AnyPosition, Game, IllegalMove, MoveTextError, PositionError};
use kalahari_games::{GameSpec, Player as Side, Verdict};
use kalahari_protocol::ugi::{self, Answer, Go, Info, Query, Start};
use kalahari_terms::{GameClock, Limits, Score, Stop, Worth};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use thiserror::Error;

/// Sends an answer to the runner; it may be called from any thread.
pub(super) type Say = Arc<dyn Fn(&Answer) + Send + Sync>;

/// Why a position cannot be set.
#[derive(Debug, Error)]
pub(super) enum BadPosition {
    #[error(transparent)]
    Start(#[from] PositionError),
    #[error("{0} (move number {1} of the list)")]
    Move(MoveTextError, usize),
    #[error("{0} (move number {1} of the list)")]
    Illegal(IllegalMove, usize),
}

/// A game, the current position and the search.
pub(super) struct Session {
    game: AnyGame,
    agent: AgentSpec,
    position: AnyPosition,
    thinker: Option<Thinker>,
    /// The player that a new thinker begins with.
    player: Option<Player>,
    search: Arc<Mutex<Search>>,
    say: Say,
}

/// The current search, if any. An answer to `go infinite` must not be sent before `stop`, so it is held back.
#[derive(Default)]
struct Search {
    holds_back: bool,
    answer: Option<Vec<Answer>>,
}

fn lock(search: &Mutex<Search>) -> MutexGuard<'_, Search> {
    search.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Session {
    /// The session of an agent in a game, at the starting position.
    pub(super) fn new(game: GameSpec, agent: &AgentSpec, say: &Say) -> Result<Self, AgentError> {
        let game = AnyGame::new(game);
        Ok(Session {
            player: Some(Player::new(agent, &game, RNG_SEED)?),
            agent: agent.clone(),
            position: game.start(),
            game,
            thinker: None,
            search: Arc::default(),
            say: Arc::clone(say),
        })
    }

    /// Sets the position. An error leaves it unchanged.
    pub(super) fn set_position(
        &mut self,
        start: &Start,
        moves: &[String],
    ) -> Result<(), BadPosition> {
        let mut position = match start {
            Start::Startpos => self.game.start(),
            Start::Fen(text) => self.game.parse_position(text)?,
        };
        for (number, word) in (1..).zip(moves) {
            let mv = self.game.parse_move(word);
            let mv = mv.map_err(|error| BadPosition::Move(error, number))?;
            let next = self.game.play(&position, mv);
            position = next.map_err(|error| BadPosition::Illegal(error, number))?;
        }
        self.position = position;
        Ok(())
    }

    /// Answers a question about the position.
    pub(super) fn query(&self, query: Query) -> &'static str {
        let truth = |truth| if truth { "true" } else { "false" };
        match query {
            Query::P1Turn => truth(self.game.to_move(&self.position) == Side::First),
            Query::GameOver => truth(self.game.is_over(&self.position)),
            Query::Result => match self.game.outcome(&self.position) {
                None => "none",
                Some(outcome) => match outcome.winner() {
                    Some(Side::First) => "p1win",
                    Some(Side::Second) => "p2win",
                    None => "draw",
                },
            },
        }
    }

    /// Begins a search and returns at once. The search ends with one `bestmove`.
    pub(super) fn go(&mut self, go: &Go) {
        self.stop();
        let mut thinker = match self.thinker.take() {
            Some(thinker) => thinker,
            None => match Thinker::new(self.maker()) {
                Ok(thinker) => thinker,
                Err(error) => return self.give_up(&error),
            },
        };
        let search = Arc::new(Mutex::new(Search {
            holds_back: go.infinite,
            answer: None,
        }));
        self.search = Arc::clone(&search);
        let limits = limits(go, self.game.to_move(&self.position));
        let over = self.game.is_over(&self.position);
        let say = Arc::clone(&self.say);
        let listener = Box::new(move |thought| match thought {
            Thought::Partial(report) => say(&Answer::Info(info(&report))),
            Thought::Answer(answer) => {
                let answers = last_words(answer, over);
                let mut search = lock(&search);
                match search.holds_back {
                    true => search.answer = Some(answers),
                    false => answers.iter().for_each(|answer| say(answer)),
                }
            }
        });
        let question = Question::best(self.position, limits);
        thinker.ask(question, &Stop::new(), listener);
        self.thinker = Some(thinker);
    }

    /// Asks the search to end, and sends an answer that was held back.
    pub(super) fn stop(&self) {
        if let Some(thinker) = &self.thinker {
            thinker.stop();
        }
        let mut search = lock(&self.search);
        search.holds_back = false;
        for answer in search.answer.take().into_iter().flatten() {
            (self.say)(&answer);
        }
    }

    /// Asks the search to end and waits until its `bestmove` has been sent.
    pub(super) fn finish(&mut self) {
        self.stop();
        if let Some(thinker) = self.thinker.take() {
            thinker.finish();
        }
    }

    /// Ends the search, drops the player and returns to the starting position.
    pub(super) fn new_game(&mut self) {
        self.finish();
        self.position = self.game.start();
    }

    /// Makes players. The first one exists already; others are needed after a failure.
    fn maker(&mut self) -> crate::MakeMind {
        let (agent, game) = (self.agent.clone(), self.game.clone());
        let mut first = self.player.take();
        Box::new(move || -> Result<Box<dyn Mind>, NoAnswer> {
            Ok(Box::new(match first.take() {
                Some(player) => player,
                None => Player::new(&agent, &game, RNG_SEED)?,
            }))
        })
    }

    fn give_up(&self, why: &NoAnswer) {
        for answer in none(&why.to_string()) {
            (self.say)(&answer);
        }
    }
}

/// The seed of random choices.
const RNG_SEED: u64 = 1;

/// The final answers of a search: an `info` with its result, and the move.
fn last_words(answer: Result<AnyReport, NoAnswer>, over: bool) -> Vec<Answer> {
    match answer {
        Ok(report) => match report.best {
            Some(best) => vec![
                Answer::Info(info(&report)),
                Answer::BestMove(best.to_string()),
            ],
            None if over => none("the game is over"),
            None => none("no move was found"),
        },
        Err(error) => none(&error.to_string()),
    }
}

/// The answers if there is no move: a message, and `bestmove none`, so that the runner does not wait for a move.
fn none(why: &str) -> Vec<Answer> {
    vec![
        Answer::Info(Info::message(why)),
        Answer::BestMove("none".to_owned()),
    ]
}

/// The limits of a `go`, for the player to move.
fn limits(go: &Go, mover: Side) -> Limits {
    /// Practically forever, but still a limit: without any, a player uses its default.
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
        clock: go.time[mover]
            .filter(|_| !go.infinite)
            .map(|left| GameClock {
                remaining: time(left),
                increment: go.increment[mover].map_or(Duration::ZERO, time),
            }),
    }
}

/// A score as the interface writes it: hundredths of a seed or a cell, a share of wins, or points. A result without a margin is
/// written as a share: 1 for a win, 1/2 for a draw, 0 for a loss.
fn written(score: Score) -> ugi::WireScore {
    match score.worth() {
        Worth::Share(share) => {
            ugi::WireScore::PerMille((share.clamp(0.0, 1.0) * 1000.0).round() as u16)
        }
        Worth::Result(Verdict::Win) => ugi::WireScore::PerMille(1000),
        Worth::Result(Verdict::Draw) => ugi::WireScore::PerMille(500),
        Worth::Result(Verdict::Loss) => ugi::WireScore::PerMille(0),
        Worth::Points(points) => ugi::WireScore::Points(points.round() as i64),
        Worth::Margin(margin) => ugi::WireScore::Centi(i64::from(margin) * 100),
        Worth::Seeds(amount) | Worth::Cells(amount) => {
            ugi::WireScore::Centi((amount * 100.0).round() as i64)
        }
    }
}

/// A report as the interface writes it.
fn info(report: &AnyReport) -> Info {
    Info {
        depth: Some(report.depth),
        score: Some(written(report.score)),
        nodes: Some(report.nodes),
        millis: Some(u64::try_from(report.elapsed.as_millis()).unwrap_or(u64::MAX)),
        line: report.line.iter().map(ToString::to_string).collect(),
        text: None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_say_what_they_count() {
        let worth = |worth| written(Score::estimate(Side::First, worth));
        assert_eq!(worth(Worth::Seeds(2.5)), ugi::WireScore::Centi(250));
        assert_eq!(worth(Worth::Margin(-3)), ugi::WireScore::Centi(-300));
        assert_eq!(worth(Worth::Cells(0.5)), ugi::WireScore::Centi(50));
        assert_eq!(worth(Worth::Share(0.25)), ugi::WireScore::PerMille(250));
        assert_eq!(worth(Worth::Points(18.0)), ugi::WireScore::Points(18));
        // A win that is proven without a margin is not written as a win by one seed.
        let won = Worth::Result(Verdict::Win);
        assert_eq!(worth(won), ugi::WireScore::PerMille(1000));
    }
}
