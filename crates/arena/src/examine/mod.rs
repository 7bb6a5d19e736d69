//! Checks of an agent before a match: what it would do wrong there.
//!
//! An agent is asked for a first move, plays games against `random`, and is asked for a move in odd positions, each as the first
//! position of a new game, in some of them twice. Everything is judged as in a match.

mod positions;

pub use positions::{Oddity, Phase};

use crate::ArenaError;
use crate::openings::Line;
use crate::play::{ask, play_game};
use crate::spec::Rules;
use kalahari_agents::{AgentKind, AgentSpec, NamedAgent, Player};
use kalahari_games::{AnyGame, AnyMove, AnyPosition, Game, GameSpec, Player as Side};
use kalahari_record::Ending;
use kalahari_terms::{Failure, Limits, Stop};
use positions::{Probe, probes};
use std::collections::BTreeMap;
use std::time::{Duration, Instant};

/// What is examined, and for how long.
#[derive(Clone, Debug)]
pub struct ExamineSpec {
    /// The agent.
    pub agent: NamedAgent,
    /// The game.
    pub game: GameSpec,
    /// The limits and the grace time of the matches to come.
    pub rules: Rules,
    /// After this time no further position is asked about.
    pub budget: Duration,
}

/// Where an agent failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Part {
    /// The first move.
    FirstMove,
    /// Games against `random`.
    Games,
    /// A position of this kind.
    Position(Oddity),
}

/// A failure that would have lost a game.
#[derive(Clone, Debug)]
pub struct Fault {
    /// The part of the examination.
    pub part: Part,
    /// The position, as text.
    pub position: String,
    /// What happened.
    pub failure: Failure,
}

/// How long moves took.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Speed {
    /// The number of moves.
    pub moves: u32,
    /// The total time.
    pub total: Duration,
    /// The slowest move.
    pub slowest: Duration,
}

impl Speed {
    fn add(&mut self, took: Duration) {
        self.moves += 1;
        self.total += took;
        self.slowest = self.slowest.max(took);
    }

    /// The mean time of a move.
    pub fn mean(&self) -> Duration {
        self.total.checked_div(self.moves).unwrap_or_default()
    }
}

/// Whether the agent gives the same answer again.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Repeats {
    /// Positions that were asked about twice.
    pub asked: u32,
    /// Those with two different answers.
    pub differed: u32,
}

/// The findings about an agent.
#[derive(Clone, Debug)]
pub struct Examination {
    /// The agent, with its name.
    pub agent: NamedAgent,
    /// The limits that it had for a move.
    pub limits: Limits,
    /// How long it took to start and to accept the game.
    pub start: Duration,
    /// Games against `random` that it finished.
    pub games: u32,
    /// Those it won.
    pub won: u32,
    /// Positions asked about, by kind.
    pub asked: BTreeMap<Oddity, u32>,
    /// The number of positions available.
    pub positions: u32,
    /// Everything that would have lost a game.
    pub faults: Vec<Fault>,
    /// How long moves took, by phase.
    pub speed: BTreeMap<Phase, Speed>,
    /// Whether it gave the same answers again.
    pub repeats: Repeats,
    /// The peak memory of its processes, in bytes; `None` where it cannot be measured.
    pub memory: Option<u64>,
}

impl Examination {
    /// Whether it would have lost a game by its own fault.
    pub fn forfeits(&self) -> bool {
        !self.faults.is_empty()
    }

    /// The slowest move of all.
    pub fn slowest(&self) -> Duration {
        let all = self.speed.values().map(|speed| speed.slowest);
        all.max().unwrap_or_default()
    }

    /// Failures grouped by part and kind: how many there were, and the first one.
    pub fn grouped(&self) -> Vec<(u32, &Fault)> {
        let mut groups: BTreeMap<(Part, &str), (u32, &Fault)> = BTreeMap::new();
        for fault in &self.faults {
            let key = (fault.part, Ending::from(&fault.failure).name());
            groups.entry(key).or_insert((0, fault)).0 += 1;
        }
        groups.into_values().collect()
    }
}

/// Games against `random`; the agent moves first in half of them.
const GAMES: u32 = 4;

/// Positions that are asked about twice.
const TWICE: u32 = 10;

/// After this many failures no further positions are tried.
const ENOUGH: usize = 10;

/// The progress of an examination.
#[derive(Clone, Copy, Debug)]
pub struct ExamineProgress {
    /// Questions asked.
    pub asked: u32,
    /// Failures among the answers.
    pub faults: usize,
    /// The fraction of the time budget that is used, 0 to 1.
    pub used: f64,
}

/// Examines an agent. An agent that cannot be created is an error; one that does not answer is not.
pub fn examine(
    spec: &ExamineSpec,
    stop: &Stop,
    progress: &mut dyn FnMut(ExamineProgress),
) -> Result<Examination, ArenaError> {
    let game = AnyGame::new(spec.game);
    let player = Player::new(&spec.agent.spec, &game, 0)?;
    let asked = spec.rules.asked_of(&player, None);
    let mut work = Work {
        spec,
        begin: Instant::now(),
        asked,
        stop,
        progress,
        questions: 0,
        found: Examination {
            agent: spec.agent.clone(),
            limits: player.limits(asked),
            start: Duration::ZERO,
            games: 0,
            won: 0,
            asked: BTreeMap::new(),
            positions: 0,
            faults: Vec::new(),
            speed: BTreeMap::new(),
            repeats: Repeats::default(),
            memory: None,
        },
        player,
        game,
    };
    work.first_move()?;
    if !work.found.forfeits() {
        work.games()?;
        work.positions()?;
    }
    match stop.is_requested() {
        true => Err(ArenaError::Interrupted),
        false => Ok(work.found),
    }
}

/// An examination in progress.
struct Work<'a> {
    spec: &'a ExamineSpec,
    begin: Instant,
    asked: Limits,
    stop: &'a Stop,
    progress: &'a mut dyn FnMut(ExamineProgress),
    questions: u32,
    found: Examination,
    player: Player,
    game: AnyGame,
}

impl Work<'_> {
    /// Starts the agent and asks for the first move.
    fn first_move(&mut self) -> Result<(), ArenaError> {
        let begin = Instant::now();
        self.player.begin_game(0, self.stop);
        self.found.start = begin.elapsed();
        let start = self.game.start();
        self.ask(&start, Part::FirstMove, Phase::Opening)?;
        let own = self.player.own_name();
        NamedAgent::settle(std::slice::from_mut(&mut self.found.agent), &[own]);
        // The time budget begins now, however long the agent took to start.
        self.begin = Instant::now();
        Ok(())
    }

    /// Whole games: an agent may keep state from move to move.
    fn games(&mut self) -> Result<(), ArenaError> {
        let mut random = Player::new(&AgentSpec::plain(AgentKind::Random), &self.game, 0)?;
        let line = Line {
            start: None,
            moves: Vec::new(),
            position: self.game.start(),
        };
        // The other half of the time is for positions.
        let half = (self.spec.budget / 2).saturating_sub(self.begin.elapsed());
        let until = self.stop.within(half);
        for number in 0..GAMES {
            if until.look() {
                return Ok(());
            }
            let seat = Side::BOTH[(number % 2) as usize];
            self.player.begin_game(u64::from(number), self.stop);
            random.begin_game(u64::from(number), self.stop);
            let agents = match seat {
                Side::First => [&mut self.player, &mut random],
                Side::Second => [&mut random, &mut self.player],
            };
            let rules = &self.spec.rules;
            let Some(played) = play_game(&self.game, agents, &line, rules, &until) else {
                return Ok(());
            };
            let mut position = line.position;
            let length = played.moves.len().max(1);
            for (ply, mv) in played.moves.iter().enumerate() {
                if self.game.to_move(&position) == seat {
                    self.questions += 1;
                    let phase = Phase::ALL[3 * ply / length];
                    let took = Duration::from_micros(mv.micros.unwrap_or(0));
                    self.found.speed.entry(phase).or_default().add(took);
                }
                position = self.game.play_unchecked(&position, mv.mv);
            }
            match played.failure {
                Some(failure) if played.winner == Some(!seat) => {
                    self.fault(Part::Games, self.game.position_text(&position), failure)?;
                }
                _ => {
                    self.found.games += 1;
                    self.found.won += u32::from(played.winner == Some(seat));
                }
            }
            self.tell();
        }
        Ok(())
    }

    /// Odd positions, and some of them twice.
    fn positions(&mut self) -> Result<(), ArenaError> {
        let probes = probes(&self.game);
        self.found.positions = probes.len() as u32;
        for (number, probe) in probes.iter().enumerate() {
            if self.is_over() || self.found.faults.len() >= ENOUGH {
                break;
            }
            let Probe {
                position,
                oddity,
                phase,
            } = probe;
            *self.found.asked.entry(*oddity).or_default() += 1;
            self.player.begin_game(number as u64, self.stop);
            let first = self.ask(position, Part::Position(*oddity), *phase)?;
            let is_choice = self.game.count_moves(position) > 1;
            if let Some(first) = first
                && is_choice
                && self.found.repeats.asked < TWICE
            {
                self.player.begin_game(number as u64 + 1, self.stop);
                if let Some(second) = self.ask(position, Part::Position(*oddity), *phase)? {
                    self.found.repeats.asked += 1;
                    self.found.repeats.differed += u32::from(first != second);
                }
            }
            self.tell();
        }
        Ok(())
    }

    /// Asks for a move; `None` if the agent failed.
    fn ask(
        &mut self,
        position: &AnyPosition,
        part: Part,
        phase: Phase,
    ) -> Result<Option<AnyMove>, ArenaError> {
        let judge = (self.spec.rules.grace, self.stop);
        let (took, answer) = ask(&self.game, &mut self.player, position, self.asked, judge);
        if self.stop.is_requested() {
            return Ok(None);
        }
        self.questions += 1;
        self.found.speed.entry(phase).or_default().add(took);
        let memory = self.player.memory();
        self.found.memory = self.found.memory.max(memory);
        match answer {
            Ok(answer) => Ok(Some(answer.mv)),
            Err(failure) => {
                self.fault(part, self.game.position_text(position), failure)?;
                Ok(None)
            }
        }
    }

    /// Notes a failure and creates the agent anew, as a match does.
    fn fault(&mut self, part: Part, position: String, failure: Failure) -> Result<(), ArenaError> {
        self.found.faults.push(Fault {
            part,
            position,
            failure,
        });
        self.player = Player::new(&self.spec.agent.spec, &self.game, 0)?;
        Ok(())
    }

    fn is_over(&self) -> bool {
        self.stop.is_requested() || self.begin.elapsed() >= self.spec.budget
    }

    fn tell(&mut self) {
        let budget = self.spec.budget.as_secs_f64().max(1e-3);
        (self.progress)(ExamineProgress {
            asked: self.questions,
            faults: self.found.faults.len(),
            used: (self.begin.elapsed().as_secs_f64() / budget).min(1.0),
        });
    }
}
