//! What happens at the board, in words.

use super::pits::PitsFrom;
use super::seat::Seat;
use super::session::{End, Session};
use crate::draw;
use kalahari_games::isolation::{CellState, IsolationRule, IsolationSetup};
use kalahari_games::story::{Step, seeds_of};
use kalahari_games::{AnyGame, AnyPosition, Game, GameSpec, Player, View};

/// What the two players are called in sentences.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Names {
    names: [String; 2],
    /// The player who is spoken to, if there is exactly one person.
    you: Option<Player>,
    pits_from: PitsFrom,
}

impl Names {
    /// "You" for the only person, an agent's name for an only agent, otherwise by their order.
    pub(crate) fn of(session: &Session) -> Names {
        let you = session.only_person();
        let name = |player: Player| match &session.seats[player.index()] {
            Seat::Person if you.is_some() => "You".to_owned(),
            Seat::Agent(agent) if session.seats[0] != session.seats[1] => agent.label(),
            _ => ["First player", "Second player"][player.index()].to_owned(),
        };
        Names {
            names: Player::BOTH.map(name),
            you,
            pits_from: session.pits_from,
        }
    }

    /// A player's name at the beginning of a sentence.
    pub(crate) fn name(&self, player: Player) -> &str {
        &self.names[player.index()]
    }

    /// A player and what they do, such as "You sow" or "level:3 sows".
    fn does(&self, player: Player, verb: &str) -> String {
        let ending = match self.you == Some(player) {
            true => "",
            false if verb.ends_with("ss") || verb.ends_with('o') => "es",
            false => "s",
        };
        format!("{} {verb}{ending}", self.name(player))
    }
}

/// A number of things, in words.
pub(crate) fn count(number: u32, thing: &str) -> String {
    match number {
        1 => format!("1 {thing}"),
        _ => format!("{number} {thing}s"),
    }
}

/// A move told in a sentence or two.
pub(crate) fn told(story: &[Step], names: &Names) -> String {
    let sentences: Vec<String> = story
        .iter()
        .filter_map(|step| sentence(step, names))
        .collect();
    sentences.join(" ")
}

/// What a step adds to the telling of a move.
pub(crate) fn sentence(step: &Step, names: &Names) -> Option<String> {
    Some(match step {
        Step::Lift { player, pit, seeds } => {
            let sower = names.does(*player, "sow");
            let pit = names.pits_from.number(*pit);
            format!("{sower} pit {pit} ({}).", count(*seeds, "seed"))
        }
        Step::Capture { player, from } => {
            let taker = names.does(*player, "capture");
            format!("{taker} {}!", count(seeds_of(from), "seed"))
        }
        Step::Sweep { player, from } => {
            let keeper = names.does(*player, "bank");
            let left = count(seeds_of(from), "seed");
            format!("A side is empty. {keeper} the last {left}.")
        }
        Step::Again { player } => {
            let mover = names.does(*player, "move");
            format!("Last seed in the store. {mover} again!")
        }
        Step::Go {
            player,
            from: None,
            to,
        } => format!("{} on {to}.", names.does(*player, "begin")),
        Step::Go {
            player,
            from: Some(from),
            to,
        } => {
            let goer = names.does(*player, "go");
            format!("{goer} from {from} to {to}.")
        }
        Step::Remove { cell } => format!("{cell} is removed."),
        Step::Pass { player } => {
            let passer = names.does(*player, "pass");
            format!("{passer}, with nowhere to go.")
        }
        Step::Sow { .. } | Step::Block { .. } => return None,
    })
}

/// A move's note for a list: what is special about it.
pub(crate) fn note(story: &[Step]) -> String {
    let notes: Vec<String> = story
        .iter()
        .filter_map(|step| match step {
            Step::Capture { from, .. } => Some(format!("takes {}", seeds_of(from))),
            Step::Again { .. } => Some("again".to_owned()),
            Step::Sweep { .. } => Some("ends".to_owned()),
            _ => None,
        })
        .collect();
    notes.join(", ")
}

/// How many moves were taken back.
pub(crate) fn taken_back(moves: usize) -> String {
    match moves {
        0 => "The game continues.".to_owned(),
        1 => "One move taken back.".to_owned(),
        _ => format!("{moves} moves taken back."),
    }
}

/// How the game ended.
pub(crate) fn result(session: &Session, end: End) -> String {
    let names = Names::of(session);
    match end {
        End::Resigned(player) => {
            let (loser, winner) = (names.does(player, "resign"), names.does(!player, "win"));
            format!("{loser}. {winner}.")
        }
        End::Rules(outcome) => {
            let points = points(&session.game, session.now());
            let points = points.map_or(String::new(), |[first, second]| match outcome.winner() {
                Some(Player::Second) => format!(", {second} to {first}"),
                _ => format!(", {first} to {second}"),
            });
            match outcome.winner() {
                None => format!("A draw{points}."),
                Some(winner) => format!("{}{points}.", names.does(winner, "win")),
            }
        }
    }
}

/// Seeds in the stores or cells visited, where these decide.
pub(crate) fn points(game: &AnyGame, position: &AnyPosition) -> Option<[i32; 2]> {
    match (game.spec(), game.view(position)) {
        (_, View::Kalah(setup)) => {
            let pits = setup.pits();
            Some([pits, 2 * pits + 1].map(|store| i32::from(setup.houses[store])))
        }
        (GameSpec::Isolation(spec), View::Isolation(setup))
            if spec.rule() == IsolationRule::Trail =>
        {
            Some(Player::BOTH.map(|player| visited(&setup, player)))
        }
        _ => None,
    }
}

/// The cells a player has visited: those left and the one stood on.
fn visited(setup: &IsolationSetup, player: Player) -> i32 {
    let is_theirs =
        |cell: &&CellState| **cell == CellState::Left(player) || **cell == CellState::Piece(player);
    setup.rows.iter().flatten().filter(is_theirs).count() as i32
}

/// What may be played.
pub(crate) fn allowed(session: &Session) -> String {
    let (game, position) = (&session.game, session.now());
    let what = match game.spec() {
        GameSpec::Kalah(_) => "pits",
        GameSpec::Isolation(_) => "moves",
    };
    let (moves, more) = draw::legal_moves(game, position, |mv| session.pits_from.name(mv));
    let more = match more {
        0 => String::new(),
        more => format!(" and {more} more (a cell to step to, a slash, a free cell to remove)"),
    };
    format!("{what} {moves}{more}")
}
