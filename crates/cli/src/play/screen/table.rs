//! The board screen's state: a game in progress, agents thinking, a move being shown, a move being chosen.
//!
//! Nothing here waits: `tick` takes what the agents have found and what the clock has brought.

use super::adviser::Adviser;
use super::animation::Animation;
use super::choice::{Choice, Chosen};
use super::input::{Command, Target};
use crate::play::agent_of;
use crate::play::brain::Brain;
use crate::play::pace::Pace;
use crate::play::seat::Seat;
use crate::play::session::Session;
use crate::play::words::{Names, allowed, taken_back};
use kalahari_agents::{AnyReport, Question, Thought};
use kalahari_games::{AnyMove, AnyPosition, Game, GameKind, IllegalMove, Player};
use kalahari_terms::{Limits, Score};
use std::time::{Duration, Instant};

/// A game on the screen.
pub(crate) struct Table {
    pub(crate) session: Session,
    pub(crate) names: Names,
    agents: [Option<Brain>; 2],
    pub(crate) adviser: Adviser,
    pub(crate) animation: Option<Animation>,
    pub(crate) pace: Pace,
    /// The player whose side lies at the bottom.
    pub(crate) bottom: Player,
    pub(crate) choice: Choice,
    /// How many moves of the game are shown, if not all.
    pub(crate) look: Option<usize>,
    /// A message shown until the next move.
    pub(crate) notice: Option<String>,
    pub(crate) paused: bool,
    /// Why the agent to move has no move.
    pub(crate) failure: Option<String>,
    turn_began: Instant,
    /// Until then only a person can move.
    rest_until: Instant,
    /// An agent's move that waits for its time.
    reply: Option<(AnyReport, Duration)>,
}

impl Table {
    pub(crate) fn new(session: Session, pace: Pace, now: Instant) -> Table {
        Table {
            names: Names::of(&session),
            agents: Player::BOTH.map(|player| agent_of(&session, player)),
            adviser: Adviser::new(session.game.clone(), session.pits_from),
            animation: None,
            pace,
            bottom: match session.spec().kind() {
                GameKind::Kalah => session.only_person().unwrap_or(Player::First),
                // Rows and columns are read best as they are numbered.
                GameKind::Isolation => Player::First,
            },
            choice: Choice::new(&session.game, session.now()),
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
    pub(crate) fn shown(&self) -> &AnyPosition {
        self.session.after(self.shown_plies())
    }

    /// Who is to move in the position shown.
    pub(crate) fn shown_mover(&self) -> Player {
        self.session.game.to_move(self.shown())
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
        let agent = self.agents[self.session.mover().index()].as_ref()?;
        let since = now.saturating_duration_since(self.turn_began);
        (agent.is_busy() && self.session.end().is_none()).then_some(since)
    }

    /// Whether the screen may change without input.
    pub(crate) fn is_busy(&self) -> bool {
        let agents_turn = self.session.is_agents_turn();
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
        if !self.session.is_agents_turn() || self.failure.is_some() || self.paused {
            return;
        }
        self.hear_agent(now);
        let ready = self.animation.is_none() && now >= self.rest_until;
        if ready
            && !held
            && self.look.is_none()
            && let Some((report, took)) = self.reply.take()
        {
            let played = match report.best {
                Some(mv) => self.play(mv, took, Some(report.score), now),
                None => return self.failure = Some("it gave no move".to_owned()),
            };
            if let Err(why) = played {
                self.failure = Some(why.to_string());
            }
        }
    }

    fn hear_agent(&mut self, now: Instant) {
        let Some(agent) = &mut self.agents[self.session.mover().index()] else {
            return;
        };
        if self.reply.is_some() {
            return;
        }
        if !agent.is_busy() {
            let question = Question::best(*self.session.now(), Limits::NONE);
            agent.ask(question);
        }
        match agent.poll() {
            Some(Thought::Answer(Ok(report))) => {
                let took = now.saturating_duration_since(self.turn_began);
                self.reply = Some((report, took));
            }
            Some(Thought::Answer(Err(why))) => self.failure = Some(why.to_string()),
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
        mv: AnyMove,
        took: Duration,
        score: Option<Score>,
        now: Instant,
    ) -> Result<(), IllegalMove> {
        let before = self.session.view();
        self.session.play(mv, took, score)?;
        self.end_animation(now);
        if self.pace.animate
            && let Some(ply) = self.session.plies().last()
        {
            let step = self.pace.step();
            self.animation = Some(Animation::new(before, ply, &self.names, step, now));
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
        for agent in self.agents.iter_mut().flatten() {
            agent.cancel();
        }
        self.choice.begin(&self.session.game, self.session.now());
        self.new_view();
    }

    /// Another position is shown: advice is about this one.
    fn new_view(&mut self) {
        let shown = *self.shown();
        self.adviser.look_at(&shown);
    }

    /// Obeys a key that is about the game.
    pub(crate) fn act(&mut self, command: Command, now: Instant) {
        match command {
            Command::Left => self.shift((-1, 0)),
            Command::Right => self.shift((1, 0)),
            Command::Up => self.shift((0, -1)),
            Command::Down => self.shift((0, 1)),
            Command::Confirm if self.animation.is_some() => self.end_animation(now),
            Command::Confirm if self.can_choose() => {
                let (game, position) = (&self.session.game, self.session.now());
                let chosen = self.choice.confirm(game, position);
                self.chosen(chosen, now);
            }
            Command::Pit(key) => {
                let pit = self.session.pits_from.of_key(key);
                self.choose(Target::Pit(pit), now);
            }
            Command::Cancel if self.look.is_some() => self.look_at(None),
            Command::Cancel => self.choice.step = None,
            Command::Hint => {
                let shown = *self.shown();
                self.notice = self.adviser.want_hint(&shown);
            }
            Command::Analysis => {
                let shown = *self.shown();
                self.adviser.switch(&shown);
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
        let (game, position) = (&self.session.game, self.session.now());
        let chosen = match target {
            Target::Pit(pit) => self.choice.choose_pit(pit, game, position),
            Target::Cell(row, col) => self.choice.choose_cell((row, col), game, position),
            _ => return,
        };
        self.chosen(chosen, now);
    }

    fn chosen(&mut self, chosen: Chosen, now: Instant) {
        match chosen {
            Chosen::Move(mv) => {
                let took = now.saturating_duration_since(self.turn_began);
                if let Err(why) = self.play(mv, took, None, now) {
                    self.notice = Some(why.to_string());
                }
            }
            Chosen::Step => self.notice = None,
            Chosen::Nothing => {
                let allowed = allowed(&self.session);
                self.notice = Some(format!("Not allowed. Choose from {allowed}."));
            }
        }
    }

    /// Moves the keys' place by columns and rows, or to another move of the game.
    fn shift(&mut self, by: (isize, isize)) {
        if self.can_choose() {
            let (game, position) = (&self.session.game, self.session.now());
            self.choice.shift(by, game, position, self.bottom);
        } else if self.look.is_some() || self.is_watching() {
            let at = self.shown_plies().saturating_add_signed(by.0);
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
        if let Some(agent) = &self.agents[self.session.mover().index()] {
            agent.hurry();
        }
    }

    /// The only person gives up, or of two people the one to move; nothing happens if two agents play.
    pub(crate) fn resign(&mut self, now: Instant) {
        let mover = self.session.mover();
        if !self.is_watching() {
            self.session
                .resign(self.session.only_person().unwrap_or(mover));
            self.animation = None;
            self.new_position(now);
        }
    }

    /// Shows the position after this many moves, or the game as it stands.
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
