//! The menu before a game: what, against whom, on which side.

use super::input::Command;
use crate::play::seat::Seat;
use kalahari_agents::{AgentKind, AgentSpec, LEVELS};
use kalahari_games::isolation::{IsolationRule, IsolationSpec, MAX_SIDE};
use kalahari_games::kalah::{CaptureRule, KalahSpec, MAX_PITS, MAX_SEEDS};
use kalahari_games::{GameKind, GameSpec};

/// The menu and what is chosen in it.
#[derive(Clone, Debug)]
pub(crate) struct Menu {
    game: GameKind,
    pub(crate) kalah: KalahSpec,
    pub(crate) isolation: IsolationSpec,
    opponent: Opponent,
    level: u32,
    person_second: bool,
    /// The line the keys are at.
    pub(crate) line: usize,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Opponent {
    Level,
    /// An agent without options, one of [`PLAIN`].
    Plain(AgentKind),
    Person,
    /// The player that the command line named.
    Named(Seat),
}

/// The agents of the menu besides the levels, and their descriptions.
const PLAIN: [(AgentKind, &str); 3] = [
    (AgentKind::Engine, "engine, the strongest"),
    (AgentKind::Mcts, "mcts, by random playouts"),
    (AgentKind::Perfect, "perfect, if it can prove it"),
];

/// A line of the menu.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Field {
    Game,
    Pits,
    Seeds,
    Rows,
    Columns,
    Capture,
    Majority,
    Rule,
    Opponent,
    Level,
    Side,
    Start,
}

/// What a key did in the menu.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Chosen {
    Nothing,
    Play,
}

/// The neighbour of an entry in a list that is a circle.
fn beside<T: Clone + PartialEq>(list: &[T], entry: &T, by: isize) -> T {
    let place = list.iter().position(|other| other == entry).unwrap_or(0) as isize;
    list[(place + by).rem_euclid(list.len() as isize) as usize].clone()
}

impl Menu {
    /// A menu with a game and two players filled in.
    pub(crate) fn new(game: GameSpec, seats: &[Seat; 2]) -> Menu {
        let person_second = seats[0] != Seat::Person && seats[1] == Seat::Person;
        let other = &seats[usize::from(!person_second)];
        let mut level = 3;
        let opponent = match other {
            Seat::Person => Opponent::Person,
            Seat::Agent(agent) if agent.name.is_some() => Opponent::Named(other.clone()),
            Seat::Agent(agent) => {
                let spec = &agent.spec;
                let is = |(kind, _): &&(AgentKind, _)| AgentSpec::plain(*kind) == *spec;
                match (spec.level(), PLAIN.iter().find(is)) {
                    (Some(asked), _) if AgentSpec::of_level(asked) == *spec => {
                        level = asked;
                        Opponent::Level
                    }
                    (_, Some((kind, _))) => Opponent::Plain(*kind),
                    _ => Opponent::Named(other.clone()),
                }
            }
        };
        let mut menu = Menu {
            game: game.kind(),
            kalah: KalahSpec::default(),
            isolation: IsolationSpec::default(),
            opponent,
            level,
            person_second,
            line: 0,
        };
        match game {
            GameSpec::Kalah(spec) => menu.kalah = spec,
            GameSpec::Isolation(spec) => menu.isolation = spec,
        }
        menu.line = menu.fields().len() - 1;
        menu
    }

    pub(crate) fn game(&self) -> GameSpec {
        match self.game {
            GameKind::Kalah => GameSpec::Kalah(self.kalah),
            GameKind::Isolation => GameSpec::Isolation(self.isolation),
        }
    }

    /// The opponent's spec.
    fn other(&self) -> Seat {
        match &self.opponent {
            Opponent::Level => Seat::Agent(AgentSpec::of_level(self.level).into()),
            Opponent::Plain(kind) => Seat::Agent(AgentSpec::plain(*kind).into()),
            Opponent::Person => Seat::Person,
            Opponent::Named(seat) => seat.clone(),
        }
    }

    pub(crate) fn seats(&self) -> [Seat; 2] {
        match self.person_second {
            false => [Seat::Person, self.other()],
            true => [self.other(), Seat::Person],
        }
    }

    /// The same game by command.
    pub(crate) fn as_command(&self) -> String {
        let side = match self.person_second && self.opponent != Opponent::Person {
            true => " --side second",
            false => "",
        };
        format!("kalahari play {} --vs {}{side}", self.game(), self.other())
    }

    fn fields(&self) -> Vec<Field> {
        let mut fields = vec![Field::Game];
        fields.extend(match self.game {
            GameKind::Kalah => [Field::Pits, Field::Seeds, Field::Capture, Field::Majority].iter(),
            GameKind::Isolation => [Field::Rule, Field::Rows, Field::Columns].iter(),
        });
        fields.push(Field::Opponent);
        if self.opponent == Opponent::Level {
            fields.push(Field::Level);
        }
        if self.opponent != Opponent::Person {
            fields.push(Field::Side);
        }
        fields.push(Field::Start);
        fields
    }

    /// Every line: what it is called and what is chosen.
    pub(crate) fn lines(&self) -> Vec<(&'static str, String)> {
        let (kalah, isolation) = (self.kalah, self.isolation);
        self.fields()
            .into_iter()
            .map(|field| match field {
                Field::Game => (
                    "Game",
                    match self.game {
                        GameKind::Kalah => "Kalah".to_owned(),
                        GameKind::Isolation => "Isolation".to_owned(),
                    },
                ),
                Field::Pits => ("Pits per side", kalah.pits().to_string()),
                Field::Seeds => ("Seeds per pit", kalah.seeds().to_string()),
                Field::Capture => ("Captures", kalah.rule().to_string()),
                Field::Majority => (
                    "Ends early",
                    match kalah.majority() {
                        true => "by majority".to_owned(),
                        false => "no".to_owned(),
                    },
                ),
                Field::Rule => ("Rule", isolation.rule().to_string()),
                Field::Rows => ("Rows", isolation.rows().to_string()),
                Field::Columns => ("Columns", isolation.cols().to_string()),
                Field::Opponent => ("Opponent", self.opponent_text()),
                Field::Level => (
                    "Level",
                    match self.level {
                        0 => "0 (random)".to_owned(),
                        level => level.to_string(),
                    },
                ),
                Field::Side => (
                    "You move",
                    if self.person_second {
                        "second"
                    } else {
                        "first"
                    }
                    .to_owned(),
                ),
                Field::Start => ("Play", String::new()),
            })
            .collect()
    }

    fn opponent_text(&self) -> String {
        match &self.opponent {
            Opponent::Level => format!("a level from 0 to {LEVELS}"),
            Opponent::Plain(kind) => {
                let said = PLAIN.iter().find(|(plain, _)| plain == kind);
                said.map_or(kind.name(), |(_, about)| about).to_owned()
            }
            Opponent::Person => "another person here".to_owned(),
            Opponent::Named(seat) => seat.to_string(),
        }
    }

    /// What the line the keys are at is about.
    pub(crate) fn about(&self) -> &'static str {
        match self.fields()[self.line.min(self.fields().len() - 1)] {
            Field::Capture => self.kalah.rule().summary(),
            Field::Rule => self.isolation.rule().summary(),
            Field::Majority => {
                "the game may end as soon as a store holds more than half of all seeds"
            }
            Field::Level => "0 plays at random, each further level looks a move deeper",
            Field::Opponent => {
                "left and right change it; --vs takes any agent of `kalahari agents`"
            }
            Field::Pits => "1 to 12",
            Field::Seeds => "1 to 20",
            Field::Rows | Field::Columns => "1 to 16",
            Field::Game => match self.game {
                GameKind::Kalah => "sow seeds, bank more than the other",
                GameKind::Isolation => "walk, leave no floor behind, move last",
            },
            Field::Side | Field::Start => "",
        }
    }

    /// Obeys a key.
    pub(crate) fn act(&mut self, command: Command) -> Chosen {
        let lines = self.fields().len();
        match command {
            Command::Up => self.line = (self.line + lines - 1) % lines,
            Command::Down => self.line = (self.line + 1) % lines,
            Command::Left => self.change(self.line, -1),
            Command::Right => self.change(self.line, 1),
            Command::Confirm if self.fields()[self.line] == Field::Start => return Chosen::Play,
            Command::Confirm => self.line = (self.line + 1) % lines,
            _ => {}
        }
        Chosen::Nothing
    }

    /// Obeys a click on a line.
    pub(crate) fn click(&mut self, line: usize, by: isize) -> Chosen {
        if line >= self.fields().len() {
            return Chosen::Nothing;
        }
        self.line = line;
        if self.fields()[line] == Field::Start {
            return Chosen::Play;
        }
        self.change(line, by);
        Chosen::Nothing
    }

    fn change(&mut self, line: usize, by: isize) {
        let step = |value: usize, most: usize| {
            let next = value.saturating_add_signed(by);
            next.clamp(1, most)
        };
        let (kalah, isolation) = (self.kalah, self.isolation);
        let (rows, cols) = (isolation.rows(), isolation.cols());
        let field = self.fields()[line];
        match field {
            Field::Game => {
                self.game = beside(&[GameKind::Kalah, GameKind::Isolation], &self.game, by)
            }
            Field::Pits => {
                self.set_kalah(step(kalah.pits(), MAX_PITS), kalah.seeds(), kalah.rule())
            }
            Field::Seeds => {
                let seeds = step(kalah.seeds() as usize, MAX_SEEDS as usize) as u32;
                self.set_kalah(kalah.pits(), seeds, kalah.rule());
            }
            Field::Capture => {
                let rule = beside(&CaptureRule::ALL, &kalah.rule(), by);
                self.set_kalah(kalah.pits(), kalah.seeds(), rule);
            }
            Field::Majority => self.kalah = kalah.with_majority(!kalah.majority()),
            Field::Rule => {
                self.isolation = beside(&IsolationRule::ALL, &isolation.rule(), by).into();
            }
            Field::Rows => self.set_isolation(step(rows, MAX_SIDE), cols),
            Field::Columns => self.set_isolation(rows, step(cols, MAX_SIDE)),
            Field::Opponent => {
                let mut list = vec![Opponent::Level];
                list.extend(PLAIN.map(|(kind, _)| Opponent::Plain(kind)));
                list.push(Opponent::Person);
                if let Opponent::Named(_) = &self.opponent {
                    list.push(self.opponent.clone());
                }
                self.opponent = beside(&list, &self.opponent, by);
            }
            Field::Level => {
                self.level = self
                    .level
                    .saturating_add_signed(by.signum() as i32)
                    .min(LEVELS);
            }
            Field::Side => self.person_second = !self.person_second,
            Field::Start => {}
        }
        // The line stays where it is, though lines above it may have come or gone.
        let place = self.fields().iter().position(|&other| other == field);
        self.line = place.unwrap_or(self.line);
    }

    fn set_kalah(&mut self, pits: usize, seeds: u32, rule: CaptureRule) {
        if let Some(spec) = KalahSpec::new(pits, seeds, rule) {
            self.kalah = spec.with_majority(self.kalah.majority());
        }
    }

    fn set_isolation(&mut self, rows: usize, cols: usize) {
        // Sizes that do not exist are passed over.
        if let Some(spec) = IsolationSpec::new(rows, cols, self.isolation.rule()) {
            self.isolation = spec;
        }
    }
}
