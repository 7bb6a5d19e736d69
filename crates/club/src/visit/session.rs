//! One connection to a host.
//!
//! Hosts have faults. This is how the known ones are handled:
//!
//! - An answer that comes within milliseconds may be refused (`No state associated with id`) or lost silently. So moves are sent
//!   again until `stop`: soon after a refusal, and from time to time anyway.
//! - If a `yield` arrived but the move before it was lost, we would lose the turn. So `yield` waits until answers are safe, and the move
//!   is sent once more right before it.
//! - The host may never say how much time there is. So the first move is sent at once, and better moves follow.
//! - It may ask about several games at the same time, and it may send `stop` twice or late.
//! - It may forget us: see `VisitOptions::quiet`.

use super::minds::{Minds, question};
use super::tracker::{Choice, Place, Tracker};
use super::{VisitEvent, VisitOptions};
use kalahari_agents::{Thinker, Thought};
use kalahari_games::{AnyGame, AnyMove, Game, Verdict};
use kalahari_kgp::{Heard, LineReader, LineWriter};
use kalahari_protocol::kgp::{
    Argument, Board, ClientCommand, Said, ServerCommand, Setting, VERSION,
};
use kalahari_terms::{GameClock, Limits, Stop};
use std::collections::HashMap;
use std::io;
use std::time::{Duration, Instant};
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};

/// Why a connection ended, and whether the host asked for any move.
pub(super) struct Parting {
    pub(super) reason: String,
    pub(super) played: bool,
}

/// How often timeouts are checked.
const TICK: Duration = Duration::from_millis(10);
/// How long a host may take to greet us, or to receive a line.
const PATIENCE: Duration = Duration::from_secs(20);
/// Better moves are not sent before this time after the question, because the first results come in a burst.
const SETTLE: Duration = Duration::from_millis(30);
/// A move is sent again this long after a refusal.
const AFTER_REFUSAL: Duration = Duration::from_millis(10);
/// Without a refusal, a move is sent again after this pause. The pause doubles every time, up to `SELDOM`.
const AFTER_SENDING: Duration = Duration::from_millis(40);
const SELDOM: Duration = Duration::from_secs(1);
/// How long after a question, and after a refusal, answers may be lost. A host that sends `game:id` is assumed not to lose answers
/// after a question.
const CALM: Duration = Duration::from_millis(120);
/// An answered question that is never stopped is forgotten after this time.
const FORGOTTEN: Duration = Duration::from_secs(60);

/// An open question.
struct Open {
    /// Its number, if the host has given it one.
    id: Option<u64>,
    serial: u64,
    game: u64,
    /// What its thinker was lent for.
    rules: Option<AnyGame>,
    since: Instant,
    /// The best move so far, and the one that was sent.
    best: Option<Choice>,
    sent: Option<AnyMove>,
    /// The answer for a board that is too large for our games: a pit, counted from 1.
    blind: Option<u32>,
    finished: bool,
    yielded: bool,
    /// From this time on, answers are assumed not to be lost.
    calm: Instant,
    again: Instant,
    pause: Duration,
    thinker: Option<Thinker>,
}

/// A thought about the question with this serial number.
type Numbered = (u64, Thought);

pub(super) struct Session<'a> {
    options: &'a VisitOptions,
    minds: &'a mut Minds,
    writer: LineWriter,
    tell: &'a mut dyn FnMut(VisitEvent),
    tracker: Tracker,
    open: Vec<Open>,
    pondering: HashMap<u64, (AnyGame, Thinker)>,
    thoughts: (UnboundedSender<Numbered>, UnboundedReceiver<Numbered>),
    serial: u64,
    next_id: u64,
    /// For each of our lines that answers a question: the serial number of the question.
    answers: HashMap<u64, u64>,
    told_game: Option<String>,
    opponent: String,
    /// Whether the host's clock is for the whole game.
    absolute: bool,
    clock: Option<Duration>,
    greeted: bool,
    asked: Instant,
    played: bool,
}

/// Why a session ends.
enum End {
    Reason(String),
    Broken(io::Error),
}

impl From<io::Error> for End {
    fn from(error: io::Error) -> Self {
        End::Broken(error)
    }
}

fn ended(reason: &str) -> End {
    End::Reason(reason.to_owned())
}

impl<'a> Session<'a> {
    pub(super) fn new(
        options: &'a VisitOptions,
        minds: &'a mut Minds,
        writer: LineWriter,
        tell: &'a mut dyn FnMut(VisitEvent),
    ) -> Self {
        Session {
            options,
            minds,
            writer,
            tell,
            tracker: Tracker::default(),
            open: Vec::new(),
            pondering: HashMap::new(),
            thoughts: unbounded_channel(),
            serial: 0,
            next_id: 1,
            answers: HashMap::new(),
            told_game: None,
            opponent: String::new(),
            absolute: false,
            clock: None,
            greeted: false,
            asked: Instant::now(),
            played: false,
        }
    }

    /// Plays until the connection ends or a stop is requested.
    pub(super) async fn run(mut self, mut reader: LineReader, stop: &Stop) -> Parting {
        let end = self.listen(&mut reader, stop).await;
        let reason = match end {
            End::Reason(reason) => reason,
            End::Broken(error) => format!("the connection was lost: {error}"),
        };
        // This fails if the connection is gone, which does not matter.
        let _ = self.say(None, ClientCommand::Goodbye).await;
        let _ = tokio::time::timeout(Duration::from_secs(1), self.writer.close()).await;
        for mut open in std::mem::take(&mut self.open) {
            self.let_go(&mut open);
        }
        for (_, (rules, thinker)) in std::mem::take(&mut self.pondering) {
            self.minds.give_back(rules, thinker);
        }
        for ended in self.tracker.end_all() {
            (self.tell)(VisitEvent::Ended(Box::new(ended)));
        }
        Parting {
            reason,
            played: self.played,
        }
    }

    async fn listen(&mut self, reader: &mut LineReader, stop: &Stop) -> End {
        let mut tick = tokio::time::interval(TICK);
        tick.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
        loop {
            let result = tokio::select! {
                heard = reader.next() => match heard {
                    Ok(Heard::Line(line)) => self.hear(&line).await,
                    Ok(Heard::TooLong) => Ok(()),
                    Ok(Heard::End) => Err(ended("the host has closed the connection")),
                    Err(error) => Err(error.into()),
                },
                thought = self.thoughts.1.recv() => match thought {
                    Some((serial, thought)) => self.think(serial, thought).await,
                    None => Ok(()),
                },
                _ = tick.tick() => match stop.look() {
                    true => Err(ended("we leave")),
                    false => self.look_at_clock().await,
                },
            };
            if let Err(end) = result {
                return end;
            }
        }
    }

    /// Sends a command. Returns the line's number.
    async fn say(&mut self, reference: Option<u64>, command: ClientCommand) -> io::Result<u64> {
        let id = self.next_id;
        self.next_id += 2;
        let said = Said {
            id: Some(id),
            reference,
            command,
        };
        let line = said.to_string();
        let sent = self.writer.line(&line);
        match tokio::time::timeout(PATIENCE, sent).await {
            Ok(sent) => sent.map(|()| id),
            Err(_) => Err(io::Error::other("the host does not read our lines")),
        }
    }

    async fn hear(&mut self, line: &str) -> Result<(), End> {
        // Unknown lines are ignored; they may belong to a newer version.
        let Ok(said) = line.parse::<Said<ServerCommand>>() else {
            return Ok(());
        };
        let Said {
            id,
            reference,
            command,
        } = said;
        match command {
            ServerCommand::Kgp(version) => return self.greet(id, version).await,
            ServerCommand::State(board) => return self.ask(id, &board).await,
            ServerCommand::Stop => self.stopped(reference),
            ServerCommand::Ping(what) => {
                self.say(id, ClientCommand::Pong(what)).await?;
            }
            ServerCommand::Error(problem) => self.refused(reference, problem),
            ServerCommand::Goodbye => return Err(ended("the host says goodbye")),
            ServerCommand::Set(setting) => self.set(setting),
            ServerCommand::Ok(_) => {}
        }
        Ok(())
    }

    async fn greet(&mut self, id: Option<u64>, version: [u32; 3]) -> Result<(), End> {
        if version[0] != VERSION[0] {
            let problem = ClientCommand::Error("protocol not supported".to_owned());
            self.say(id, problem).await?;
            let [major, minor, patch] = version;
            return Err(End::Reason(format!(
                "the host speaks version {major}.{minor}.{patch} of the protocol"
            )));
        }
        if self.greeted {
            return Ok(());
        }
        self.greeted = true;
        self.asked = Instant::now();
        // Some hosts mistake the name for the token if it comes first.
        let settings = [
            ("auth:token", &self.options.token),
            ("info:name", &self.options.name),
        ];
        for (option, value) in settings {
            if let Some(value) = value {
                let setting = Setting::text(option, value);
                self.say(None, ClientCommand::Set(setting)).await?;
            }
        }
        self.say(None, ClientCommand::Mode("freeplay".to_owned()))
            .await?;
        (self.tell)(VisitEvent::Connected);
        Ok(())
    }

    fn set(&mut self, Setting { option, value }: Setting) {
        match option.as_str() {
            "game:id" => self.told_game = Some(value.plain()).filter(|id| !id.is_empty()),
            "game:opponent" => self.opponent = value.plain(),
            "game:result" => {
                let verdict = match value.plain().as_str() {
                    "won" => Verdict::Win,
                    "drawn" => Verdict::Draw,
                    "lost" => Verdict::Loss,
                    _ => return,
                };
                let id = self.told_game.clone().unwrap_or_default();
                if let Some(ended) = self.tracker.told(&id, verdict) {
                    self.stop_pondering(ended.game);
                    (self.tell)(VisitEvent::Ended(Box::new(ended)));
                }
            }
            "time:mode" => self.absolute = value.plain() == "absolute",
            "time:clock" => {
                self.clock = match value {
                    Argument::Integer(seconds) => {
                        u64::try_from(seconds).ok().map(Duration::from_secs)
                    }
                    _ => None,
                }
            }
            _ => {}
        }
    }

    /// Handles a question.
    async fn ask(&mut self, id: Option<u64>, board: &Board) -> Result<(), End> {
        let now = Instant::now();
        self.asked = now;
        self.played = true;
        if id.is_some() && self.open.iter().any(|open| open.id == id) {
            return Ok(());
        }
        if !self.open.is_empty() {
            self.tracker.saw_several();
        }
        let open: Vec<u64> = self.open.iter().map(|open| open.game).collect();
        let about = (self.told_game.as_deref(), self.opponent.as_str());
        let asked = self.tracker.asked(board, about, &open);
        self.serial += 1;
        let mut open = Open {
            id,
            serial: self.serial,
            game: 0,
            rules: None,
            since: now,
            best: None,
            sent: None,
            blind: None,
            finished: false,
            yielded: false,
            calm: match self.told_game {
                Some(_) => now,
                None => now + CALM,
            },
            again: now + AFTER_SENDING,
            pause: AFTER_SENDING,
            thinker: None,
        };
        match asked {
            Some((place, over)) => {
                for ended in over {
                    self.stop_pondering(ended.game);
                    (self.tell)(VisitEvent::Ended(Box::new(ended)));
                }
                // An older question of the same game is obsolete.
                self.forget(|open| open.game == place.number);
                self.begin(&mut open, &place);
            }
            None => {
                // Any pit with seeds is a legal move on every board.
                let pit = board.south().iter().position(|&seeds| seeds > 0);
                open.blind = pit.and_then(|pit| u32::try_from(pit + 1).ok());
                open.finished = true;
            }
        }
        self.open.push(open);
        self.send(self.open.len() - 1).await
    }

    /// Begins to think about a question, unless there is only one answer.
    fn begin(&mut self, open: &mut Open, place: &Place) {
        let Place {
            number,
            game,
            position,
        } = place;
        open.game = *number;
        open.rules = Some(game.clone());
        let legal = game.moves(position).next();
        if game.count_moves(position) == 1 {
            open.best = legal.map(plain_choice);
            open.finished = true;
            return;
        }
        let thinker = match self.pondering.remove(number) {
            Some((_, thinker)) => Some(thinker),
            None => self.minds.lend(game),
        };
        let Some(mut thinker) = thinker else {
            open.best = legal.map(plain_choice);
            open.finished = true;
            return;
        };
        let limits = match (self.absolute, self.clock) {
            (true, Some(remaining)) => Limits {
                clock: Some(GameClock {
                    remaining,
                    increment: Duration::ZERO,
                }),
                ..Limits::NONE
            },
            // With a time per move, the host sends `stop` at its end.
            _ => Limits::NONE,
        };
        let (serial, sender) = (open.serial, self.thoughts.0.clone());
        let listener = move |thought| {
            // This fails after the end of the session.
            let _ = sender.send((serial, thought));
        };
        thinker.ask(
            question(*position, limits),
            &Stop::new(),
            Box::new(listener),
        );
        open.thinker = Some(thinker);
    }

    async fn think(&mut self, serial: u64, thought: Thought) -> Result<(), End> {
        let Some(place) = self.open.iter().position(|open| open.serial == serial) else {
            return Ok(());
        };
        let open = &mut self.open[place];
        let report = match thought {
            Thought::Partial(report) => Some(report),
            Thought::Answer(answer) => {
                open.finished = true;
                match answer {
                    Ok(report) => Some(report),
                    Err(problem) => {
                        (self.tell)(VisitEvent::Complaint(format!(
                            "our agent failed: {problem}"
                        )));
                        None
                    }
                }
            }
        };
        if let Some(report) = report
            && let Some(mv) = report.best
        {
            open.best = Some(Choice {
                mv,
                score: Some(report.score).filter(|score| score.amount().is_finite()),
                depth: report.depth,
            });
        }
        self.send(place).await
    }

    /// Sends a better move if there is one, and `yield` once the search is finished.
    async fn send(&mut self, place: usize) -> Result<(), End> {
        let open = &self.open[place];
        let best = open.best.map(|choice| choice.mv);
        let settled = open.finished || open.sent.is_none() || open.since.elapsed() >= SETTLE;
        if settled && best.is_some() && best != open.sent {
            self.send_move(place).await?;
        }
        let open = &self.open[place];
        if open.finished && !open.yielded && Instant::now() >= open.calm {
            if open.blind.is_some() || open.calm > open.since {
                self.send_move(place).await?;
            }
            self.send_yield(place).await?;
        }
        Ok(())
    }

    async fn send_move(&mut self, place: usize) -> Result<(), End> {
        let open = &mut self.open[place];
        open.sent = open.best.map(|choice| choice.mv);
        let pit = match open.sent {
            Some(AnyMove::Kalah(pit)) => Some(u32::from(pit.0) + 1),
            _ => open.blind,
        };
        let Some(pit) = pit else {
            return Ok(());
        };
        let (reference, serial) = (open.id, open.serial);
        let id = self.say(reference, ClientCommand::Move(pit)).await?;
        self.answers.insert(id, serial);
        Ok(())
    }

    async fn send_yield(&mut self, place: usize) -> Result<(), End> {
        let open = &mut self.open[place];
        open.yielded = true;
        let (reference, serial) = (open.id, open.serial);
        let id = self.say(reference, ClientCommand::Yield).await?;
        self.answers.insert(id, serial);
        Ok(())
    }

    /// The host has refused a line. If that was an answer to an open question, the host did not know its own question yet.
    fn refused(&mut self, reference: Option<u64>, problem: String) {
        let now = Instant::now();
        let serial = reference.map(|id| self.answers.get(&id).copied());
        let mut known = false;
        for open in &mut self.open {
            // Without a reference it may concern any of them.
            if serial.is_none_or(|serial| serial == Some(open.serial)) {
                known = true;
                open.again = open.again.min(now + AFTER_REFUSAL);
                open.calm = now + CALM;
            }
        }
        // Errors about answers to closed questions are ignored.
        if !known && serial.is_none_or(|serial| serial.is_none()) {
            (self.tell)(VisitEvent::Complaint(problem));
        }
    }

    /// The host has sent `stop` for a question.
    fn stopped(&mut self, reference: Option<u64>) {
        let place = match reference {
            Some(_) => self.open.iter().position(|open| open.id == reference),
            None if self.open.len() == 1 => Some(0),
            None => None,
        };
        let Some(place) = place else {
            return;
        };
        let mut open = self.open.remove(place);
        self.answers.retain(|_, serial| *serial != open.serial);
        let choice = open.best.filter(|choice| Some(choice.mv) == open.sent);
        let choice = choice.or(open.sent.map(plain_choice));
        let chosen = choice.and_then(|choice| self.tracker.chosen(open.game, choice));
        let over = chosen.as_ref().is_some_and(|(_, ended)| ended.is_some());
        if self.options.ponder && !over {
            self.ponder(&mut open, chosen.as_ref().map(|(turn, _)| &turn.after));
        }
        self.let_go(&mut open);
        if let Some((turn, ended)) = chosen {
            (self.tell)(VisitEvent::Moved(Box::new(turn)));
            if let Some(ended) = ended {
                (self.tell)(VisitEvent::Ended(Box::new(ended)));
            }
        }
    }

    /// Thinks about the position after our move, to fill the tables for the next one.
    fn ponder(&mut self, open: &mut Open, after: Option<&kalahari_games::View>) {
        if let (Some(after), Some(rules), Some(mut thinker)) =
            (after, open.rules.clone(), open.thinker.take())
        {
            if let Ok(position) = rules.position(after) {
                let quietly = Box::new(|_| {});
                thinker.ask(question(position, Limits::NONE), &Stop::new(), quietly);
            }
            // If a thinker already ponders on this game, it is stopped.
            self.stop_pondering(open.game);
            self.pondering.insert(open.game, (rules, thinker));
        }
    }

    fn stop_pondering(&mut self, game: u64) {
        if let Some((rules, thinker)) = self.pondering.remove(&game) {
            self.minds.give_back(rules, thinker);
        }
    }

    fn let_go(&mut self, open: &mut Open) {
        if let (Some(rules), Some(thinker)) = (open.rules.take(), open.thinker.take()) {
            self.minds.give_back(rules, thinker);
        }
    }

    fn forget(&mut self, which: impl Fn(&Open) -> bool) {
        let (gone, left) = std::mem::take(&mut self.open).into_iter().partition(which);
        self.open = left;
        let gone: Vec<Open> = gone;
        for mut open in gone {
            self.answers.retain(|_, serial| *serial != open.serial);
            self.let_go(&mut open);
        }
    }

    /// Sends again what may have been lost. Fails if the host does not greet us or has forgotten us.
    async fn look_at_clock(&mut self) -> Result<(), End> {
        let now = Instant::now();
        if !self.greeted && self.asked.elapsed() > PATIENCE {
            return Err(ended("the host has sent no greeting"));
        }
        if self.open.is_empty() && self.asked.elapsed() > self.options.quiet {
            return Err(ended("the host has stopped asking for moves"));
        }
        for place in 0..self.open.len() {
            self.send(place).await?;
            let open = &mut self.open[place];
            if now < open.again || (open.sent.is_none() && open.blind.is_none()) {
                continue;
            }
            open.pause = (open.pause * 2).min(SELDOM);
            open.again = now + open.pause;
            let yielded = open.yielded;
            self.send_move(place).await?;
            if yielded {
                self.send_yield(place).await?;
            }
        }
        self.forget(|open| open.finished && open.since.elapsed() > FORGOTTEN);
        Ok(())
    }
}

fn plain_choice(mv: AnyMove) -> Choice {
    Choice {
        mv,
        score: None,
        depth: 0,
    }
}
