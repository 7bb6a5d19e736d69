//! The queue of answers from a process. It is bounded, and neither the process nor its reader ever waits for space in it.

use crate::ugi::{Answer, Info, LineError, shown};
use crate::{Dialect, Line, Lines};
use std::collections::VecDeque;
use std::io::Read;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

/// How many answers are kept; the oldest are dropped first.
const KEPT: usize = 64;

/// How many bytes a process may print between two questions; after that, its output is no longer read.
const MOST_BYTES: u64 = 16 << 20;

/// An item from a mailbox, or the reason why there is none.
#[derive(Debug)]
pub(crate) enum Letter {
    /// An answer other than an `info`.
    Answer(Answer),
    /// An `info`: what the process has found so far.
    Info(Info),
    /// There will be no more letters: the process closed its output.
    Closed,
    /// There will be no more letters: the process printed too much.
    Flooded,
    /// Nothing arrived in time.
    Nothing,
}

/// The answers of a process.
#[derive(Debug, Default)]
pub(crate) struct Mailbox {
    state: Mutex<State>,
    arrived: Condvar,
}

#[derive(Debug, Default)]
struct State {
    answers: VecDeque<Answer>,
    infos: VecDeque<Info>,
    /// The last line that was not an answer.
    junk: Option<String>,
    /// What the process calls itself.
    name: Option<String>,
    closed: bool,
    flooded: bool,
    /// How many bytes have arrived since the last question.
    heard: u64,
}

/// Reads a line. In the dialect of lines, a single word is a move.
fn read(text: &str, dialect: Dialect) -> Result<Answer, LineError> {
    if dialect == Dialect::Ugi {
        return text.parse();
    }
    let mut words = text.split_whitespace();
    match (words.next(), words.next(), words.next()) {
        (Some(word), None, _) | (Some("move" | "bestmove"), Some(word), None) => {
            Ok(Answer::BestMove(word.to_owned()))
        }
        _ => Err(LineError::new(text, "no move")),
    }
}

fn push<T>(queue: &mut VecDeque<T>, item: T) {
    if queue.len() == KEPT {
        queue.pop_front();
    }
    queue.push_back(item);
}

impl Mailbox {
    fn state(&self) -> MutexGuard<'_, State> {
        // Nothing panics while it holds the lock; even after a panic, the queues would be valid.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Reads a source until it ends or has sent too much. Runs in its own thread.
    pub(super) fn fill_from(&self, source: impl Read, dialect: Dialect) {
        let mut lines = Lines::new(source);
        let mut before = 0;
        loop {
            let line = lines.next_line();
            let answer = match &line {
                Ok(Some(Line::Text(text))) => read(text, dialect).map_err(|error| error.line),
                Ok(Some(Line::TooLong)) => Err("(a line of more than 64 KiB)".to_owned()),
                Ok(None) | Err(_) => break,
            };
            let mut state = self.state();
            state.heard += lines.bytes() - before;
            before = lines.bytes();
            state.flooded |= state.heard > MOST_BYTES;
            if state.flooded || state.closed {
                break;
            }
            match answer {
                Ok(Answer::Info(info)) => push(&mut state.infos, info),
                Ok(Answer::Name(name)) => state.name = Some(shown(&name)),
                // The engine's options are not used.
                Ok(Answer::Author(_) | Answer::Option(_)) => {}
                Ok(answer) => push(&mut state.answers, answer),
                Err(junk) => {
                    if !junk.is_empty() {
                        state.junk = Some(junk);
                    }
                    continue;
                }
            }
            drop(state);
            self.arrived.notify_one();
        }
        self.close();
    }

    /// Closes the mailbox: nothing more is accepted.
    pub(super) fn close(&self) {
        self.state().closed = true;
        self.arrived.notify_one();
    }

    /// Whether nothing more will arrive.
    pub(super) fn is_closed(&self) -> bool {
        self.state().closed
    }

    /// Discards everything that has arrived, before a new question.
    pub(crate) fn clear(&self) {
        let mut state = self.state();
        state.answers.clear();
        state.infos.clear();
        state.junk = None;
        state.heard = 0;
    }

    /// What the process calls itself, if it has said so.
    pub(crate) fn name(&self) -> Option<String> {
        self.state().name.clone()
    }

    /// Stores a line that turned out not to be an answer.
    pub(crate) fn set_junk(&self, line: String) {
        self.state().junk = Some(line);
    }

    /// The last line since [`clear`](Mailbox::clear) that was not an answer.
    pub(crate) fn junk(&self) -> Option<String> {
        self.state().junk.clone().map(|junk| shown(&junk))
    }

    /// The next letter, waiting for it until `deadline`. Infos come before answers.
    pub(crate) fn take(&self, deadline: Instant) -> Letter {
        let mut state = self.state();
        loop {
            if let Some(info) = state.infos.pop_front() {
                return Letter::Info(info);
            }
            if let Some(answer) = state.answers.pop_front() {
                return Letter::Answer(answer);
            }
            if state.flooded {
                return Letter::Flooded;
            }
            if state.closed {
                return Letter::Closed;
            }
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Letter::Nothing;
            }
            let waited = self.arrived.wait_timeout(state, left);
            state = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn the_newest_answers_are_kept() {
        let mail = Mailbox::default();
        let text: String = (0..1000).map(|i| format!("bestmove {i}\n")).collect();
        mail.fill_from(text.as_bytes(), Dialect::Ugi);
        let deadline = Instant::now();
        let Letter::Answer(first) = mail.take(deadline) else {
            panic!("an answer is there");
        };
        assert_eq!(first, Answer::BestMove((1000 - KEPT).to_string()));
        for _ in 1..KEPT {
            assert!(matches!(mail.take(deadline), Letter::Answer(_)));
        }
        assert!(matches!(mail.take(deadline), Letter::Closed));
    }

    #[test]
    fn a_single_word_is_a_move_in_the_dialect_of_lines() {
        let mail = Mailbox::default();
        mail.fill_from(&b"I think so\n3\nmove d4\n"[..], Dialect::Lines);
        let deadline = Instant::now();
        for wanted in ["3", "d4"] {
            let Letter::Answer(answer) = mail.take(deadline) else {
                panic!("an answer is there");
            };
            assert_eq!(answer, Answer::BestMove(wanted.to_owned()));
        }
        assert_eq!(mail.junk().as_deref(), Some("I think so"));
    }

    #[test]
    fn infos_do_not_displace_answers() {
        let mail = Mailbox::default();
        let text = "bestmove 3\n".to_owned() + &"info depth 1\n".repeat(1000) + "what?\n\n";
        mail.fill_from(text.as_bytes(), Dialect::Ugi);
        let deadline = Instant::now();
        for _ in 0..KEPT {
            assert!(matches!(mail.take(deadline), Letter::Info(_)));
        }
        assert!(matches!(mail.take(deadline), Letter::Answer(_)));
        assert_eq!(mail.junk().as_deref(), Some("what?"));
    }

    #[test]
    fn too_much_output_is_reported() {
        for text in ["hello\n".repeat(1 << 10), "x".to_owned()] {
            let mail = Mailbox::default();
            mail.fill_from(Repeat(text.as_bytes().repeat(8)), Dialect::Ugi);
            assert!(matches!(mail.take(Instant::now()), Letter::Flooded));
        }
    }

    #[test]
    fn waiting_ends_at_the_deadline() {
        let mail = Mailbox::default();
        let begin = Instant::now();
        let letter = mail.take(begin + Duration::from_millis(20));
        assert!(matches!(letter, Letter::Nothing));
        assert!(begin.elapsed() >= Duration::from_millis(20));
    }

    /// A reader that repeats a text forever.
    struct Repeat(Vec<u8>);

    impl Read for Repeat {
        fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
            let count = buffer.len().min(self.0.len());
            buffer[..count].copy_from_slice(&self.0[..count]);
            Ok(count)
        }
    }
}
