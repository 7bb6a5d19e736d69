//! The game in lines: for pipes, scripts and screen readers.

use super::file;
use super::rulebook::Picture;
use super::seat::Seat;
use super::session::Session;
use super::thinker::{Finding, Question, Thinker, Thought};
use super::words::{self, Names};
use super::{ANALYST, HINT_TIME, thinker_of};
use crate::draw;
use kalahari_games::Player;
use kalahari_protocol::{Line, Lines};
use std::io::{self, Read, Write};
use std::path::Path;
use std::time::{Duration, Instant};

const HELP: &str = "\
A move is an own pit's number (Kalah), or a cell such as c4, with the cell to remove in classic: c4/e2 (Isolation).
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
    thinkers: [Option<Thinker>; 2],
    analyst: Option<Thinker>,
    /// How long a board stays before an agent's move, when agents play each other.
    pause: Duration,
    input: Lines<R>,
    output: W,
}

/// What to do after a line has been read.
enum Next {
    /// Go on: the position may have changed.
    GoOn,
    /// Ask again.
    Ask,
    Leave,
}

impl<R: Read, W: Write> Plain<R, W> {
    pub(crate) fn new(session: Session, pause: Duration, input: R, output: W) -> Self {
        Plain {
            thinkers: Player::BOTH.map(|player| thinker_of(&session, player)),
            analyst: None,
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
            self.session.rules.spec(),
            self.session.seed
        )?;
        if self.session.seats.contains(&Seat::Person) {
            writeln!(self.output, "Say help for what can be said.")?;
        }
        self.show_board()?;
        loop {
            if let Some(end) = self.session.end() {
                let result = words::result(&self.session, end);
                writeln!(self.output, "Game over. {result}")?;
                if !self.session.seats.contains(&Seat::Person) {
                    return Ok(self.output.flush()?);
                }
            } else if !self.session.is_persons_turn() {
                self.agent_moves()?;
                continue;
            }
            if !self.ask()? {
                return Ok(self.output.flush()?);
            }
        }
    }

    fn show_board(&mut self) -> anyhow::Result<()> {
        let situation = self.session.now();
        let board = match &situation.picture {
            Picture::Kalah(setup) => draw::kalah(setup),
            Picture::Isolation(setup) => draw::isolation(setup),
        };
        writeln!(
            self.output,
            "\n{board}\nPosition: {}",
            self.session.now().text
        )?;
        Ok(())
    }

    fn agent_moves(&mut self) -> anyhow::Result<()> {
        let mover = self.session.now().mover;
        let name = self.session.seats[mover.index()].to_string();
        self.output.flush()?;
        let begin = Instant::now();
        let Some(thinker) = &mut self.thinkers[mover.index()] else {
            anyhow::bail!("nobody plays for player {mover}");
        };
        thinker.ask(&self.session.now().text, Question::Move);
        let finding = answer(thinker, &mut self.output, &name)?
            .map_err(|why| anyhow::anyhow!("{name} failed: {why}"))?;
        let took = begin.elapsed();
        std::thread::sleep(self.pause.saturating_sub(took));
        let mv = finding.best.unwrap_or_default();
        self.session
            .play(&mv, took, Some(finding.value))
            .map_err(|why| anyhow::anyhow!("{name} gave no move: {why}"))?;
        self.tell()
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
                    let allowed = words::allowed(self.session.rules.spec(), self.session.now());
                    let who = match self.session.only_person() {
                        Some(_) => "Your move".to_owned(),
                        None => format!("{}, your move", names.name(self.session.now().mover)),
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
                    "{name} is there already; to replace it say: save! {name}"
                )?;
            }
            ("save" | "save!", name) => match file::save(&mut self.session, Path::new(name)) {
                Ok(()) => writeln!(self.output, "Saved to {name}.")?,
                Err(error) => writeln!(self.output, "{error:#}")?,
            },
            ("hint" | "values" | "resign", _) if over => {
                writeln!(self.output, "The game is over.")?;
            }
            ("hint", _) => self.hint()?,
            ("values", _) => self.values()?,
            ("resign", _) => {
                self.session.resign(self.session.now().mover);
                return Ok(Next::GoOn);
            }
            _ => return self.person_moves(line),
        }
        Ok(Next::Ask)
    }

    fn person_moves(&mut self, line: &str) -> anyhow::Result<Next> {
        match self.session.play(line, Duration::ZERO, None) {
            Ok(()) => {
                self.tell()?;
                Ok(Next::GoOn)
            }
            Err(why) => {
                writeln!(self.output, "That is not a move: {why}.")?;
                if self.session.end().is_none() {
                    let allowed = words::allowed(self.session.rules.spec(), self.session.now());
                    writeln!(self.output, "Allowed are {allowed}; or help, quit.")?;
                }
                Ok(Next::Ask)
            }
        }
    }

    fn analysis(&mut self, question: Question) -> anyhow::Result<Option<Finding>> {
        let session = &self.session;
        let analyst = self
            .analyst
            .get_or_insert_with(|| Thinker::new(ANALYST.clone(), session.rules, session.seed));
        analyst.ask(&session.now().text, question);
        match answer(analyst, &mut self.output, "The engine")? {
            Ok(finding) => Ok(Some(finding)),
            Err(why) => {
                writeln!(self.output, "No answer: {why}.")?;
                Ok(None)
            }
        }
    }

    fn hint(&mut self) -> anyhow::Result<()> {
        if let Some(finding) = self.analysis(Question::Best(HINT_TIME))?
            && let Some(best) = &finding.best
        {
            writeln!(self.output, "Hint: {best}, {}.", finding.worth.words())?;
        }
        Ok(())
    }

    fn values(&mut self) -> anyhow::Result<()> {
        const SHOWN: usize = 20;
        let Some(finding) = self.analysis(Question::Values(HINT_TIME))? else {
            return Ok(());
        };
        let mut moves = finding.moves;
        moves.sort_by(|a, b| b.1.order().total_cmp(&a.1.order()));
        for (mv, worth) in moves.iter().take(SHOWN) {
            writeln!(
                self.output,
                "{mv:<8} {:>5}  {}",
                worth.short(),
                worth.words()
            )?;
        }
        if moves.len() > SHOWN {
            writeln!(self.output, "and {} more", moves.len() - SHOWN)?;
        }
        Ok(())
    }

    /// The last words: nothing that was played is lost without a trace.
    fn take_leave(&mut self, why: &str) -> anyhow::Result<()> {
        writeln!(self.output, "{why}{}", super::parting_words(&self.session))?;
        Ok(())
    }
}

/// Waits for an answer, and says so if that takes long.
fn answer(
    thinker: &mut Thinker,
    output: &mut impl Write,
    name: &str,
) -> io::Result<Result<Finding, String>> {
    const LONG: Duration = Duration::from_millis(500);
    let mut thought = thinker.wait(LONG);
    if thought.is_none() {
        writeln!(output, "{name} is thinking...")?;
        output.flush()?;
    }
    loop {
        match thought {
            Some(Thought::Done(finding) | Thought::Partial(finding)) => return Ok(Ok(finding)),
            Some(Thought::Failed(why)) => return Ok(Err(why)),
            None => thought = thinker.wait(Duration::from_secs(60)),
        }
    }
}
