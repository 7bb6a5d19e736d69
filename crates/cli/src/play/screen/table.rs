//! The board screen's state: a game under way, agents thinking, a move being shown, a move being chosen.
//!
//! Nothing here waits: `tick` takes what the agents have found and what the clock has brought.

use super::adviser::Adviser;
use super::animation::Animation;
use super::choice::{Choice, Chosen};
use super::input::{Command, Target};
use crate::play::pace::Pace;
use crate::play::rulebook::Situation;
use crate::play::seat::Seat;
use crate::play::session::Session;
use crate::play::thinker::{Finding, Question, Thinker, Thought};
use crate::play::thinker_of;
use crate::play::words::{Names, allowed, taken_back};
use kalahari_games::{GameSpec, Player};
use std::time::{Duration, Instant};

/// A game on the screen.
pub(crate) struct Table {
    pub(crate) session: Session,
    pub(crate) names: Names,
    thinkers: [Option<Thinker>; 2],
    pub(crate) adviser: Adviser,
    pub(crate) animation: Option<Animation>,
    pub(crate) pace: Pace,
    /// The player whose side lies at the bottom.
    pub(crate) bottom: Player,
    pub(crate) choice: Choice,
    /// How many moves of the game are shown, if not all.
    pub(crate) look: Option<usize>,
    /// Something to be said until the next move.
    pub(crate) notice: Option<String>,
    pub(crate) paused: bool,
    /// Why the agent to move has no move.
    pub(crate) failure: Option<String>,
    turn_began: Instant,
    /// Before this nobody but a person moves.
    rest_until: Instant,
    /// An agent's move that waits for its time.
    reply: Option<(Finding, Duration)>,
}

impl Table {
    pub(crate) fn new(session: Session, pace: Pace, now: Instant) -> Table {
        Table {
            names: Names::of(&session),
            thinkers: Player::BOTH.map(|player| thinker_of(&session, player)),
            adviser: Adviser::new(session.rules),
            animation: None,
            pace,
            bottom: match session.rules.spec() {
                GameSpec::Kalah(_) => session.only_person().unwrap_or(Player::First),
                // Rows and columns are read best as they are numbered.
                GameSpec::Isolation(_) => Player::First,
            },
            choice: Choice::new(session.now()),
            look: None,
            notice: None,
            paused: false,
            failure: None,
            turn_began: now,
            rest_until: now,
            reply: None,
            session,
        }
    }

    /// How many moves are shown.
    pub(crate) fn shown_plies(&self) -> usize {
        self.look.unwrap_or(self.session.plies().len())
    }

    /// The position shown, once nothing moves any more.
    pub(crate) fn shown(&self) -> &Situation {
        self.session.after(self.shown_plies())
    }

    /// Whether a person can choose a move now.
    pub(crate) fn can_choose(&self) -> bool {
        self.look.is_none() && self.session.is_persons_turn()
    }

    /// Whether two agents play.
    pub(crate) fn is_watching(&self) -> bool {
        !self.session.seats.contains(&Seat::Person)
    }

    /// Whether the agent to move is thinking, and for how long.
    pub(crate) fn thinking(&self, now: Instant) -> Option<Duration> {
        let thinker = self.thinkers[self.session.now().mover.index()].as_ref()?;
        let since = now.saturating_duration_since(self.turn_began);
        (thinker.is_busy() && self.session.end().is_none()).then_some(since)
    }

    /// Whether the screen may change without anybody doing anything.
    pub(crate) fn is_busy(&self) -> bool {
        let agents_turn = self.session.end().is_none() && !self.session.is_persons_turn();
        self.animation.is_some() || self.adviser.is_busy() || (agents_turn && !self.paused)
    }

    /// Takes what time and agents have brought. `held` keeps agents from moving, not from thinking.
    pub(crate) fn tick(&mut self, now: Instant, held: bool) {
        if let Some(animation) = &mut self.animation {
            animation.advance(now);
            if animation.still().is_none() {
                self.end_animation(now);
            }
        }
        if let Some(said) = self.adviser.hear() {
            self.notice = Some(said);
        }
        let agents_turn = self.session.end().is_none() && !self.session.is_persons_turn();
        if !agents_turn || self.failure.is_some() || self.paused {
            return;
        }
        self.hear_agent(now);
        let ready = self.animation.is_none() && now >= self.rest_until;
        if ready
            && !held
            && self.look.is_none()
            && let Some((finding, took)) = self.reply.take()
        {
            let mv = finding.best.clone().unwrap_or_default();
            if let Err(why) = self.play(&mv, took, Some(finding.value), now) {
                self.failure = Some(why);
            }
        }
    }

    fn hear_agent(&mut self, now: Instant) {
        let position = &self.session.now().text;
        let Some(thinker) = &mut self.thinkers[self.session.now().mover.index()] else {
            return;
        };
        if self.reply.is_some() {
            return;
        }
        if !thinker.is_busy() {
            thinker.ask(position, Question::Move);
        }
        match thinker.poll() {
            Some(Thought::Done(finding)) => {
                let took = now.saturating_duration_since(self.turn_began);
                self.reply = Some((finding, took));
            }
            Some(Thought::Failed(why)) => self.failure = Some(why),
            Some(Thought::Partial(_)) | None => {}
        }
    }

    fn end_animation(&mut self, now: Instant) {
        self.animation = None;
        self.rest_until = now + self.pace.pause(self.is_watching());
    }

    /// Plays a move and begins to show it.
    fn play(
        &mut self,
        mv: &str,
        took: Duration,
        value: Option<(f64, kalahari_search::Unit)>,
        now: Instant,
    ) -> Result<(), String> {
        let before = self.session.now().picture.clone();
        self.session.play(mv, took, value)?;
        self.end_animation(now);
        if self.pace.animate
            && let Some(ply) = self.session.plies().last()
        {
            let step = self.pace.step();
            self.animation = Some(Animation::new(&before, ply, &self.names, step, now));
        }
        self.new_position(now);
        Ok(())
    }

    /// Forgets all that belonged to another position.
    fn new_position(&mut self, now: Instant) {
        self.turn_began = now;
        self.reply = None;
        self.failure = None;
        self.notice = None;
        self.look = None;
        for thinker in self.thinkers.iter_mut().flatten() {
            thinker.cancel();
        }
        self.choice.begin(self.session.now());
        self.new_view();
    }

    /// Another position is shown: advice is about this one.
    fn new_view(&mut self) {
        let plies = self.shown_plies();
        self.adviser.look_at(self.session.after(plies));
    }

    /// Obeys a key that is about the game.
    pub(crate) fn act(&mut self, command: Command, now: Instant) {
        match command {
            Command::Left => self.shift(-1, 0),
            Command::Right => self.shift(1, 0),
            Command::Up => self.shift(0, -1),
            Command::Down => self.shift(0, 1),
            Command::Confirm if self.animation.is_some() => self.end_animation(now),
            Command::Confirm if self.can_choose() => {
                let chosen = self.choice.confirm(self.session.now());
                self.chosen(chosen, now);
            }
            Command::Pit(pit) => self.choose(Target::Pit(pit), now),
            Command::Cancel if self.look.is_some() => self.look_at(None),
            Command::Cancel => self.choice.step = None,
            Command::Hint => {
                let plies = self.shown_plies();
                self.notice = self.adviser.want_hint(self.session.after(plies));
            }
            Command::Analysis => {
                let plies = self.shown_plies();
                self.adviser.switch(self.session.after(plies));
            }
            Command::Flip => self.bottom = !self.bottom,
            Command::TakeBack => self.take_back(now),
            Command::MoveNow => self.move_now(),
            Command::Pause if self.is_watching() => self.paused = !self.paused,
            Command::Faster => self.pace.speed = self.pace.speed.beside(1),
            Command::Slower => self.pace.speed = self.pace.speed.beside(-1),
            Command::Animation => {
                self.pace.animate = !self.pace.animate;
                self.animation = None;
            }
            Command::Earlier => self.look_at(Some(self.shown_plies().saturating_sub(1))),
            Command::Later => self.look_at(Some(self.shown_plies() + 1)),
            Command::Earliest => self.look_at(Some(0)),
            Command::Latest => self.look_at(None),
            _ => {}
        }
        if matches!(
            command,
            Command::Faster | Command::Slower | Command::Animation
        ) {
            let how = match self.pace.animate {
                true => "moves are shown step by step",
                false => "moves are shown at once",
            };
            self.notice = Some(format!("Speed: {}; {how}.", self.pace.speed.name()));
        }
    }

    /// Obeys a click on the board or the list of moves.
    pub(crate) fn choose(&mut self, target: Target, now: Instant) {
        if let Target::Ply(ply) = target {
            return self.look_at(Some(ply));
        }
        if !self.can_choose() {
            return;
        }
        let chosen = match target {
            Target::Pit(pit) => self.choice.choose_pit(pit, self.session.now()),
            Target::Cell(row, col) => self.choice.choose_cell(row, col, self.session.now()),
            _ => return,
        };
        self.chosen(chosen, now);
    }

    fn chosen(&mut self, chosen: Chosen, now: Instant) {
        match chosen {
            Chosen::Move(mv) => {
                let took = now.saturating_duration_since(self.turn_began);
                if let Err(why) = self.play(&mv, took, None, now) {
                    self.notice = Some(why);
                }
            }
            Chosen::Step => self.notice = None,
            Chosen::Nothing => {
                let spec = self.session.rules.spec();
                let allowed = allowed(spec, self.session.now());
                self.notice = Some(format!("Not allowed. There are {allowed}."));
            }
        }
    }

    fn shift(&mut self, columns: isize, rows: isize) {
        if self.can_choose() {
            let (now, bottom) = (self.session.now(), self.bottom);
            self.choice.shift(columns, rows, now, bottom);
        } else if self.look.is_some() || !self.session.seats.contains(&Seat::Person) {
            let at = self.shown_plies().saturating_add_signed(columns);
            self.look_at(Some(at));
        }
    }

    fn take_back(&mut self, now: Instant) {
        if self.is_watching() {
            self.notice = Some("There is nothing of yours to take back.".to_owned());
            return;
        }
        match self.session.take_back() {
            None => self.notice = Some("There is no move of yours to take back.".to_owned()),
            Some(moves) => {
                self.animation = None;
                self.new_position(now);
                self.notice = Some(taken_back(moves));
            }
        }
    }

    /// Makes the agent answer at once, or try again after a failure.
    fn move_now(&mut self) {
        self.failure = None;
        if let Some(thinker) = &self.thinkers[self.session.now().mover.index()] {
            thinker.hurry();
        }
    }

    /// The person to move gives up; of two agents, nobody does.
    pub(crate) fn resign(&mut self, now: Instant) {
        let mover = self.session.now().mover;
        if !self.is_watching() {
            self.session
                .resign(self.session.only_person().unwrap_or(mover));
            self.animation = None;
            self.new_position(now);
        }
    }

    /// Shows the position after so many moves, or the game as it stands.
    fn look_at(&mut self, plies: Option<usize>) {
        let last = self.session.plies().len();
        let look = plies.filter(|&plies| plies < last);
        if look != self.look {
            self.look = look;
            self.animation = None;
            self.new_view();
        }
    }
}
