//! The function that answers all requests.

use crate::desk::Desk;
use crate::request::{Heard, Request};
use kalahari_games::{AnyGame, Game};
use kalahari_terms::{Clock, Stop};
use kalahari_wire::{Problem, line};
use std::fmt::Debug;
use std::sync::Arc;
use std::time::Duration;

/// What the module needs from outside: a clock, and a receiver of frames.
pub trait Outside: Clock {
    /// Receives a frame at once, even in the middle of a long call.
    fn hear(&self, frame: &Heard);
}

/// Where requests are answered. It remembers what it thinks about.
#[derive(Debug)]
pub struct Room {
    outside: Arc<dyn Outside>,
    desk: Desk,
}

/// The clock of what is outside.
#[derive(Debug)]
struct Time(Arc<dyn Outside>);

impl Clock for Time {
    fn now(&self) -> Duration {
        self.0.now()
    }
}

impl Room {
    /// A room in which no thinking has begun.
    pub fn new(outside: Arc<dyn Outside>) -> Self {
        let clock = Arc::new(Time(Arc::clone(&outside)));
        Room {
            desk: Desk::new(Stop::with_clock(clock), Arc::clone(&outside)),
            outside,
        }
    }

    /// Answers a request in JSON. Every answer goes outside; so does the refusal of a text that is not a request.
    pub fn hear(&mut self, text: &[u8]) {
        match serde_json::from_slice(text) {
            Ok(request) => self.answer(request),
            Err(error) => {
                let problem = Problem::new("bad_json", error.to_string());
                self.outside.hear(&Heard::Refused(problem));
            }
        }
    }

    /// Answers a request.
    pub fn answer(&mut self, request: Request) {
        let heard = match request {
            Request::Question(question) => match question.answer() {
                Ok(answer) => Heard::Answer(answer),
                Err(problem) => Heard::Refused(problem),
            },
            Request::Think(ask) => Heard::Thinking {
                more: self.desk.ask(ask),
            },
            Request::Step { resting } => Heard::Thinking {
                more: self.desk.step(resting),
            },
            Request::Memory { mib } => {
                self.desk.set_memory(mib);
                return;
            }
            Request::Needs { game } => Heard::Needs { file: needs(&game) },
            Request::Bench {} => {
                let mut signature = 0;
                kalahari_search::bench::run(&mut |row| signature += row.nodes);
                Heard::Bench { signature }
            }
        };
        self.outside.hear(&heard);
    }

    /// Takes a file that [`Request::Needs`] has named; false if it is not what its name says.
    pub fn take(&mut self, name: &str, content: &[u8]) -> bool {
        kalahari_net::give_net(name, content).is_ok()
    }
}

/// The file that a game needs and that was not given yet.
fn needs(game: &str) -> Option<&'static str> {
    let game = AnyGame::new(line::game(game).ok()?);
    kalahari_net::missing_net(game.spec().kalah()?)
}
