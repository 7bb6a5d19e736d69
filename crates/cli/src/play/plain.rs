//! The game in lines: for pipes, scripts and screen readers.

use super::brain::Brain;
use super::seat::Seat;
use super::session::Session;
use super::waiting::Waiting;
use super::words::{self, Names};
use super::{HINT_TIME, adviser, agent_of, file, score_text};
use crate::{draw, failure};
use anyhow::Context;
use kalahari_agents::{AnyReport, NoAnswer, Question};
use kalahari_games::{IllegalMove, Player};
use kalahari_protocol::{Line, Lines};
use kalahari_terms::Limits;
use std::io::{self, Read, Write};
use std::path::Path;
use std::time::{Duration, Instant};

const HELP: &str = "\
A move is the number of one of your pits (Kalah), or a cell such as c4, with the cell to remove in classic: c4/e2 (Isolation).
  board         show the board again
  hint          a good move
  values        what every move is worth
  back          take your last move back
  save FILE     write the game to a file (save! FILE replaces one)
  resign        give up
  quit          leave
";

/// A game in lines.
pub(crate) struct Plain<R, W> {
    session: Session,
    agents: [Option<Brain>; 2],
    adviser: Option<Brain>,
    /// How long a board stays before an agent's move, when agents play each other.
    pause: Duration,
    input: Lines<R>,
    output: W,
}

/// What to do after a line has been read.
enum Next {
    /// Continue: the position may have changed.
    GoOn,
    /// Ask again.
    Ask,
    Leave,
}

impl<R: Read, W: Write> Plain<R, W> {
    pub(crate) fn new(session: Session, pause: Duration, input: R, output: W) -> Self {
        Plain {
            agents: Player::BOTH.map(|player| agent_of(&session, player)),
            adviser: None,
            session,
            pause,
            input: Lines::new(input),
            output,
        }
    }

    /// Plays until the game is over and done with, or the input ends.
    pub(crate) fn run(mut self) -> anyhow::Result<()> {
        let [first, second] = &self.session.seats;
        writeln!(
            self.output,
            "{}: {first} (player 0) against {second} (player 1), seed {}.",
            self.session.spec(),
            self.session.rng_seed
        )?;
        if self.session.seats.contains(&Seat::Person) {
            writeln!(self.output, "Type help for a list of commands.")?;
        }
        self.show_board()?;
        loop {
            if let Some(end) = self.session.end() {
                let result = words::result(&self.session, end);
                writeln!(self.output, "Game over. {result}")?;
                if !self.session.seats.contains(&Seat::Person) {
                    return Ok(self.output.flush()?);
                }
            } else if self.session.is_agents_turn() {
                self.agent_moves()?;
                continue;
            }
            if !self.ask()? {
                return Ok(self.output.flush()?);
            }
        }
    }

    fn show_board(&mut self) -> anyhow::Result<()> {
        let view = self.session.view();
        let board = draw::board_for(&view, self.session.pits_from);
        writeln!(self.output, "\n{board}\nPosition: {view}")?;
        Ok(())
    }

    fn agent_moves(&mut self) -> anyhow::Result<()> {
        let mover = self.session.mover();
        let name = self.session.seats[mover.index()].to_string();
        self.output.flush()?;
        let begin = Instant::now();
        let Some(agent) = &mut self.agents[mover.index()] else {
            anyhow::bail!("no agent plays for player {mover}");
        };
        let seat = self.session.seats[mover.index()].clone();
        let limits = seat.unattended_limits();
        agent.ask(Question::best(*self.session.now(), limits));
        let report =
            answer(agent, &mut self.output, &name)?.with_context(|| format!("{name} failed"))?;
        let took = begin.elapsed();
        std::thread::sleep(self.pause.saturating_sub(took));
        let no_move = || format!("{name} gave no move");
        let mv = report.best.with_context(no_move)?;
        self.session
            .play(mv, took, Some(report.score))
            .with_context(no_move)?;
        self.tell()?;
        if seat.is_cut_short(limits) && !report.score.is_proven() {
            let seconds = limits.move_time().unwrap_or_default().as_secs();
            writeln!(
                self.output,
                "({name} has not proven this move: here it has {seconds} s. For more: --vs perfect:time=1m)"
            )?;
        }
        Ok(())
    }

    /// Says what the last move did and shows the board.
    fn tell(&mut self) -> anyhow::Result<()> {
        let names = Names::of(&self.session);
        if let Some(ply) = self.session.plies().last() {
            writeln!(self.output, "\n{}", words::told(&ply.story, &names))?;
        }
        self.show_board()
    }

    /// Asks a person until something happens; false to leave.
    fn ask(&mut self) -> anyhow::Result<bool> {
        loop {
            match self.session.end() {
                Some(_) => writeln!(self.output, "back, save FILE or quit?")?,
                None => {
                    let names = Names::of(&self.session);
                    let allowed = words::allowed(&self.session);
                    let who = match self.session.only_person() {
                        Some(_) => "Your move".to_owned(),
                        None => format!("{}, your move", names.name(self.session.mover())),
                    };
                    writeln!(self.output, "{who} ({allowed}):")?;
                }
            }
            self.output.flush()?;
            let line = match self.input.next_line()? {
                Some(Line::Text(line)) => line,
                Some(Line::TooLong) => "(a very long line)".to_owned(),
                None => {
                    self.take_leave("The input has ended.")?;
                    return Ok(false);
                }
            };
            match self.answer(line.trim())? {
                Next::GoOn => return Ok(true),
                Next::Ask => {}
                Next::Leave => {
                    self.take_leave("Goodbye.")?;
                    return Ok(false);
                }
            }
        }
    }

    fn answer(&mut self, line: &str) -> anyhow::Result<Next> {
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let over = self.session.end().is_some();
        match (word, rest.trim()) {
            ("", _) => return Ok(Next::Ask),
            ("help" | "?", _) => write!(self.output, "{HELP}")?,
            ("board", _) => self.show_board()?,
            ("quit" | "exit", _) => return Ok(Next::Leave),
            ("back", _) => {
                return match self.session.take_back() {
                    None => {
                        writeln!(self.output, "There is no move of yours to take back.")?;
                        Ok(Next::Ask)
                    }
                    Some(moves) => {
                        writeln!(self.output, "{}", words::taken_back(moves))?;
                        self.show_board()?;
                        Ok(Next::GoOn)
                    }
                };
            }
            ("save" | "save!", "") => {
                writeln!(self.output, "save needs a file, as in: save game.txt")?
            }
            ("save", name) if Path::new(name).exists() => {
                writeln!(
                    self.output,
                    "{name} is there already; to replace it, type: save! {name}"
                )?;
            }
            ("save" | "save!", name) => match file::save(&mut self.session, Path::new(name)) {
                Ok(()) => writeln!(self.output, "Saved to {name}.")?,
                Err(error) => writeln!(self.output, "{}", failure::told(&error))?,
            },
            ("hint" | "values" | "resign", _) if over => {
                writeln!(self.output, "The game is over.")?;
            }
            ("hint", _) => self.hint()?,
            ("values", _) => self.values()?,
            ("resign", _) => {
                self.session.resign(self.session.mover());
                return Ok(Next::GoOn);
            }
            _ => return self.person_moves(line),
        }
        Ok(Next::Ask)
    }

    fn person_moves(&mut self, line: &str) -> anyhow::Result<Next> {
        let session = &mut self.session;
        let read = session.pits_from.read(&session.game, line);
        let played = read.and_then(|mv| {
            let played = session.play(mv, Duration::ZERO, None);
            played.map_err(|why| match why {
                // The number that was typed says which move it is.
                IllegalMove::Forbidden { why, .. } => why,
                IllegalMove::GameOver { .. } => "the game is over".to_owned(),
            })
        });
        match played {
            Ok(()) => {
                self.tell()?;
                Ok(Next::GoOn)
            }
            Err(why) => {
                writeln!(self.output, "That is not a move: {why}.")?;
                if self.session.end().is_none() {
                    let allowed = words::allowed(&self.session);
                    writeln!(self.output, "Choose from {allowed}; or type help or quit.")?;
                }
                Ok(Next::Ask)
            }
        }
    }

    /// What the engine says, if it says anything.
    fn advice(&mut self, question: Question) -> anyhow::Result<Option<AnyReport>> {
        let game = &self.session.game;
        let adviser = self.adviser.get_or_insert_with(|| adviser(game));
        adviser.ask(question);
        match answer(adviser, &mut self.output, "The engine")? {
            Ok(report) => Ok(Some(report)),
            Err(why) => {
                writeln!(self.output, "No answer: {why}.")?;
                Ok(None)
            }
        }
    }

    fn hint(&mut self) -> anyhow::Result<()> {
        let question = Question::best(*self.session.now(), Limits::time(HINT_TIME));
        if let Some(report) = self.advice(question)?
            && let Some(best) = report.best
        {
            let worth = score_text::words(report.score);
            let best = self.session.pits_from.name(best);
            writeln!(self.output, "Hint: {best}, {worth}.")?;
        }
        Ok(())
    }

    fn values(&mut self) -> anyhow::Result<()> {
        const SHOWN: usize = 20;
        let question = Question::all_moves(*self.session.now(), Limits::time(HINT_TIME));
        let Some(report) = self.advice(question)? else {
            return Ok(());
        };
        let mut moves = report.moves;
        moves.sort_by(|(_, one), (_, other)| other.compare(*one));
        for (mv, score) in moves.iter().take(SHOWN) {
            let mv = self.session.pits_from.name(*mv);
            let short = score_text::short(*score);
            writeln!(
                self.output,
                "{mv:<8} {short:>5}  {}",
                score_text::words(*score)
            )?;
        }
        if moves.len() > SHOWN {
            writeln!(self.output, "and {} more", moves.len() - SHOWN)?;
        }
        Ok(())
    }

    /// Says goodbye, with the moves of a game that was not saved.
    fn take_leave(&mut self, why: &str) -> anyhow::Result<()> {
        writeln!(self.output, "{why}{}", super::parting_words(&self.session))?;
        Ok(())
    }
}

/// Waits for an answer, and says so if that takes long. Progress is not part of the game, so it goes to standard error.
fn answer(
    brain: &mut Brain,
    output: &mut impl Write,
    name: &str,
) -> io::Result<Result<AnyReport, NoAnswer>> {
    const LONG: Duration = Duration::from_millis(500);
    let mut waiting = Waiting::new();
    if let Some(answer) = waiting.answer_within(brain, LONG) {
        return Ok(answer);
    }
    writeln!(output, "{name} is thinking...")?;
    output.flush()?;
    Ok(waiting.answer(brain, name))
}
