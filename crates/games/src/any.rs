//! Any game, with its type forgotten: what shells, records and protocols hold.
//!
//! [`AnyGame`] is one of the typed games, [`AnyPosition`] a position of it, [`AnyMove`] a move. It is a [`Game`] itself,
//! so whatever works for a typed game works for any of them; searches and solvers are made for the typed ones, which
//! [`with_game!`](crate::with_game) gives back. [`AnyGame::new`] is the one place where a name becomes a type.

use crate::isolation::{
    Isolation, IsolationMove, IsolationPosition, IsolationSetup, Moves, Wide256,
};
use crate::kalah::{Board, Kalah, KalahSetup, Packed, Pit, Wide};
use crate::story::Step;
use crate::text::serde_as_text;
use crate::{Game, GameSpec, IllegalMove, MoveTextError, Outcome, Player, PositionError};
use std::fmt;
use std::str::FromStr;

/// A game of any kind, over the fastest board that holds it.
#[derive(Clone, Debug)]
pub enum AnyGame {
    /// Kalah with up to 7 pits and 255 seeds.
    KalahPacked(Kalah<Packed>),
    /// Every other Kalah.
    KalahWide(Kalah<Wide>),
    /// Isolation with up to 64 cells.
    Isolation64(Isolation<u64>),
    /// Isolation with up to 128 cells.
    Isolation128(Isolation<u128>),
    /// Every other Isolation.
    Isolation256(Isolation<Wide256>),
}

/// A position of an [`AnyGame`]. It belongs to the game that made it; a game on another kind of board panics when it is
/// asked about it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum AnyPosition {
    /// Of [`AnyGame::KalahPacked`].
    KalahPacked(Packed),
    /// Of [`AnyGame::KalahWide`].
    KalahWide(Wide),
    /// Of [`AnyGame::Isolation64`].
    Isolation64(IsolationPosition<u64>),
    /// Of [`AnyGame::Isolation128`].
    Isolation128(IsolationPosition<u128>),
    /// Of [`AnyGame::Isolation256`].
    Isolation256(IsolationPosition<Wide256>),
}

/// A move of an [`AnyGame`]. When one is read without a game, its first character decides which game it belongs to;
/// [`Game::parse_move`] knows the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum AnyMove {
    /// Of Kalah.
    Kalah(Pit),
    /// Of Isolation.
    Isolation(IsolationMove),
}

/// What lies on the board and who is to move, as plain data: every drawing and every JSON is made from it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum View {
    /// The houses of Kalah.
    Kalah(KalahSetup),
    /// The cells of Isolation.
    Isolation(IsolationSetup),
}

/// A game whose type is known, and the way to and from the erased one.
pub trait Typed: Game {
    /// This game with its type forgotten.
    fn erase(self) -> AnyGame;

    /// A position of this game with its type forgotten.
    fn erase_position(position: Self::Position) -> AnyPosition;

    /// A move of this game with its type forgotten.
    fn erase_move(mv: Self::Move) -> AnyMove;

    /// The typed position, if it is of this kind of board.
    fn typed_position(position: &AnyPosition) -> Option<Self::Position>;

    /// The typed move, if it is of this kind of game.
    fn typed_move(mv: AnyMove) -> Option<Self::Move>;
}

/// Runs an expression with the typed game inside an [`AnyGame`]: one expression for all games, or one for each kind.
///
/// ```
/// use kalahari_games::{AnyGame, Game, perft, with_game};
///
/// let game = AnyGame::new("kalah:6x4".parse()?);
/// assert_eq!(with_game!(&game, g => perft(g, &g.start(), 2)), 35);
/// let pits = with_game!(&game, kalah g => g.pits(), isolation _g => 0);
/// assert_eq!(pits, 6);
/// # Ok::<(), kalahari_games::SpecError>(())
/// ```
#[macro_export]
macro_rules! with_game {
    ($any:expr, $game:ident => $work:expr) => {
        $crate::with_game!($any, kalah $game => $work, isolation $game => $work)
    };
    ($any:expr, kalah $kalah:ident => $kalah_work:expr, isolation $isolation:ident => $isolation_work:expr $(,)?) => {
        match $any {
            $crate::AnyGame::KalahPacked($kalah) => $kalah_work,
            $crate::AnyGame::KalahWide($kalah) => $kalah_work,
            $crate::AnyGame::Isolation64($isolation) => $isolation_work,
            $crate::AnyGame::Isolation128($isolation) => $isolation_work,
            $crate::AnyGame::Isolation256($isolation) => $isolation_work,
        }
    };
}

/// Runs an expression with the typed game and the typed position inside an [`AnyGame`] and an [`AnyPosition`] of it, which
/// are given by reference. A position of another kind of board panics.
#[macro_export]
macro_rules! with_position {
    ($any:expr, $at:expr, ($game:ident, $position:ident) => $work:expr) => {
        $crate::with_position!($any, $at, kalah ($game, $position) => $work, isolation ($game, $position) => $work)
    };
    (
        $any:expr, $at:expr,
        kalah ($kalah:ident, $board:ident) => $kalah_work:expr,
        isolation ($isolation:ident, $cells:ident) => $isolation_work:expr $(,)?
    ) => {
        match ($any, $at) {
            ($crate::AnyGame::KalahPacked($kalah), $crate::AnyPosition::KalahPacked($board)) => $kalah_work,
            ($crate::AnyGame::KalahWide($kalah), $crate::AnyPosition::KalahWide($board)) => $kalah_work,
            ($crate::AnyGame::Isolation64($isolation), $crate::AnyPosition::Isolation64($cells)) => $isolation_work,
            ($crate::AnyGame::Isolation128($isolation), $crate::AnyPosition::Isolation128($cells)) => $isolation_work,
            ($crate::AnyGame::Isolation256($isolation), $crate::AnyPosition::Isolation256($cells)) => $isolation_work,
            (game, position) => panic!("{position:?} is not a position of {}", $crate::Game::spec(game)),
        }
    };
}

macro_rules! typed {
    ($variant:ident, $game:ty, $kind:ident) => {
        impl Typed for $game {
            fn erase(self) -> AnyGame {
                AnyGame::$variant(self)
            }
            #[inline]
            fn erase_position(position: Self::Position) -> AnyPosition {
                AnyPosition::$variant(position)
            }
            #[inline]
            fn erase_move(mv: Self::Move) -> AnyMove {
                AnyMove::$kind(mv)
            }
            #[inline]
            fn typed_position(position: &AnyPosition) -> Option<Self::Position> {
                match position {
                    AnyPosition::$variant(position) => Some(*position),
                    _ => None,
                }
            }
            #[inline]
            fn typed_move(mv: AnyMove) -> Option<Self::Move> {
                match mv {
                    AnyMove::$kind(mv) => Some(mv),
                    _ => None,
                }
            }
        }
    };
}

typed!(KalahPacked, Kalah<Packed>, Kalah);
typed!(KalahWide, Kalah<Wide>, Kalah);
typed!(Isolation64, Isolation<u64>, Isolation);
typed!(Isolation128, Isolation<u128>, Isolation);
typed!(Isolation256, Isolation<Wide256>, Isolation);

impl AnyGame {
    /// The game of a name, over the fastest board that holds it.
    pub fn new(spec: GameSpec) -> Self {
        match spec {
            GameSpec::Kalah(spec) => match Kalah::<Packed>::new(spec) {
                Ok(game) => AnyGame::KalahPacked(game),
                Err(_) => AnyGame::KalahWide(Kalah::<Wide>::wide(spec)),
            },
            GameSpec::Isolation(spec) => {
                if let Some(game) = Isolation::<u64>::new(spec) {
                    AnyGame::Isolation64(game)
                } else if let Some(game) = Isolation::<u128>::new(spec) {
                    AnyGame::Isolation128(game)
                } else {
                    AnyGame::Isolation256(Isolation::<Wide256>::largest(spec))
                }
            }
        }
    }

    /// The game of a name, accepting positions with any number of seeds, with room for at least this many. Isolation has no
    /// seeds, so nothing changes there.
    pub fn with_any_total(spec: GameSpec, at_least: u32) -> Self {
        match (AnyGame::new(spec), spec) {
            (AnyGame::KalahPacked(game), _) if at_least <= Packed::MAX_TOTAL => {
                AnyGame::KalahPacked(game.with_any_total())
            }
            (AnyGame::KalahPacked(_) | AnyGame::KalahWide(_), GameSpec::Kalah(spec)) => {
                AnyGame::KalahWide(Kalah::<Wide>::wide(spec).with_any_total())
            }
            (game, _) => game,
        }
    }

    /// The game of a name that accepts the position `text` whatever its number of seeds, and that position.
    pub fn at(spec: GameSpec, text: &str) -> Result<(Self, AnyPosition), PositionError> {
        let seeds = text
            .split(|c: char| !c.is_ascii_digit())
            .filter_map(|digits| digits.parse().ok())
            .fold(0, u32::saturating_add);
        let game = AnyGame::with_any_total(spec, seeds);
        let position = game.parse_position(text)?;
        Ok((game, position))
    }

    /// As [`at`](AnyGame::at) if there is a text; otherwise the unchanged game and its start.
    pub fn at_or_start(
        spec: GameSpec,
        text: Option<&str>,
    ) -> Result<(Self, AnyPosition), PositionError> {
        match text {
            Some(text) => AnyGame::at(spec, text),
            None => {
                let game = AnyGame::new(spec);
                let start = game.start();
                Ok((game, start))
            }
        }
    }

    /// As [`at`](AnyGame::at), from a view.
    pub fn at_view(spec: GameSpec, view: &View) -> Result<(Self, AnyPosition), PositionError> {
        let seeds = match view {
            View::Kalah(setup) => setup.total(),
            View::Isolation(_) => 0,
        };
        let game = AnyGame::with_any_total(spec, seeds);
        let position = game.position(view)?;
        Ok((game, position))
    }

    /// The position of a view, if it is one of this game's.
    pub fn position(&self, view: &View) -> Result<AnyPosition, PositionError> {
        match view {
            View::Kalah(setup) => match self {
                AnyGame::KalahPacked(game) => game.position(setup).map(AnyPosition::KalahPacked),
                AnyGame::KalahWide(game) => game.position(setup).map(AnyPosition::KalahWide),
                _ => self.parse_position(&setup.to_string()),
            },
            View::Isolation(setup) => match self {
                AnyGame::Isolation64(game) => game.position(setup).map(AnyPosition::Isolation64),
                AnyGame::Isolation128(game) => game.position(setup).map(AnyPosition::Isolation128),
                AnyGame::Isolation256(game) => game.position(setup).map(AnyPosition::Isolation256),
                _ => self.parse_position(&setup.to_string()),
            },
        }
    }

    /// The number of move sequences of exactly `depth` moves, counted at the speed of the typed game.
    pub fn perft(&self, position: &AnyPosition, depth: u32) -> u64 {
        with_position!(self, position, (game, position) => crate::perft(game, position, depth))
    }
}

/// The legal moves of an [`AnyGame`].
#[derive(Clone, Debug)]
#[allow(missing_docs)]
pub enum AnyMoves<'a> {
    KalahPacked(<Packed as Board>::Pits),
    KalahWide(<Wide as Board>::Pits),
    Isolation64(Moves<'a, u64>),
    Isolation128(Moves<'a, u128>),
    Isolation256(Moves<'a, Wide256>),
}

impl Iterator for AnyMoves<'_> {
    type Item = AnyMove;

    fn next(&mut self) -> Option<AnyMove> {
        match self {
            AnyMoves::KalahPacked(moves) => moves.next().map(AnyMove::Kalah),
            AnyMoves::KalahWide(moves) => moves.next().map(AnyMove::Kalah),
            AnyMoves::Isolation64(moves) => moves.next().map(AnyMove::Isolation),
            AnyMoves::Isolation128(moves) => moves.next().map(AnyMove::Isolation),
            AnyMoves::Isolation256(moves) => moves.next().map(AnyMove::Isolation),
        }
    }
}

/// The answer of a typed game about a move. A move of the other kind of game is refused.
fn about_move<G: Typed, T>(
    mv: AnyMove,
    known: impl FnOnce(G::Move) -> T,
    other: impl FnOnce() -> T,
) -> T {
    match G::typed_move(mv) {
        Some(mv) => known(mv),
        None => other(),
    }
}

fn legal<G: Typed>(game: &G, position: &G::Position, mv: AnyMove) -> bool {
    about_move::<G, _>(mv, |mv| game.is_legal(position, mv), || false)
}

fn played<G: Typed>(game: &G, position: &G::Position, mv: AnyMove) -> AnyPosition {
    let wrong = || panic!("{mv} is not a move of {}", game.spec());
    let after = about_move::<G, _>(mv, |mv| game.play_unchecked(position, mv), wrong);
    G::erase_position(after)
}

fn told<G: Typed>(game: &G, position: &G::Position, mv: AnyMove) -> Vec<Step> {
    about_move::<G, _>(mv, |mv| game.story(position, mv), Vec::new)
}

fn refused<G: Typed>(game: &G, position: &G::Position, mv: AnyMove) -> IllegalMove {
    let of_another_game = || IllegalMove::Forbidden {
        mv: mv.to_string(),
        player: game.to_move(position),
        why: format!("it is not a move of {}", game.spec()),
    };
    about_move::<G, _>(mv, |mv| game.why_illegal(position, mv), of_another_game)
}

fn parsed<G: Typed>(game: &G, text: &str) -> Result<AnyPosition, PositionError> {
    game.parse_position(text).map(G::erase_position)
}

fn start_of<G: Typed>(game: &G) -> AnyPosition {
    G::erase_position(game.start())
}

fn move_of<G: Typed>(game: &G, text: &str) -> Result<AnyMove, MoveTextError> {
    game.parse_move(text).map(G::erase_move)
}

impl Game for AnyGame {
    type Position = AnyPosition;
    type Move = AnyMove;
    type Moves<'a> = AnyMoves<'a>;

    fn spec(&self) -> GameSpec {
        with_game!(self, game => game.spec())
    }

    fn start(&self) -> AnyPosition {
        with_game!(self, game => start_of(game))
    }

    fn to_move(&self, position: &AnyPosition) -> Player {
        with_position!(self, position, (game, position) => game.to_move(position))
    }

    fn moves(&self, position: &AnyPosition) -> AnyMoves<'_> {
        match (self, position) {
            (AnyGame::KalahPacked(game), AnyPosition::KalahPacked(position)) => {
                AnyMoves::KalahPacked(game.moves(position))
            }
            (AnyGame::KalahWide(game), AnyPosition::KalahWide(position)) => {
                AnyMoves::KalahWide(game.moves(position))
            }
            (AnyGame::Isolation64(game), AnyPosition::Isolation64(position)) => {
                AnyMoves::Isolation64(game.moves(position))
            }
            (AnyGame::Isolation128(game), AnyPosition::Isolation128(position)) => {
                AnyMoves::Isolation128(game.moves(position))
            }
            (AnyGame::Isolation256(game), AnyPosition::Isolation256(position)) => {
                AnyMoves::Isolation256(game.moves(position))
            }
            (game, position) => panic!("{position:?} is not a position of {}", game.spec()),
        }
    }

    fn count_moves(&self, position: &AnyPosition) -> u64 {
        with_position!(self, position, (game, position) => game.count_moves(position))
    }

    fn is_over(&self, position: &AnyPosition) -> bool {
        with_position!(self, position, (game, position) => game.is_over(position))
    }

    fn outcome(&self, position: &AnyPosition) -> Option<Outcome> {
        with_position!(self, position, (game, position) => game.outcome(position))
    }

    fn has_margins(&self) -> bool {
        with_game!(self, game => game.has_margins())
    }

    fn reachable(&self, position: &AnyPosition) -> (i32, i32) {
        with_position!(self, position, (game, position) => game.reachable(position))
    }

    fn is_legal(&self, position: &AnyPosition, mv: AnyMove) -> bool {
        with_position!(self, position, (game, position) => legal(game, position, mv))
    }

    fn play_unchecked(&self, position: &AnyPosition, mv: AnyMove) -> AnyPosition {
        with_position!(self, position, (game, position) => played(game, position, mv))
    }

    fn story(&self, position: &AnyPosition, mv: AnyMove) -> Vec<Step> {
        with_position!(self, position, (game, position) => told(game, position, mv))
    }

    fn why_illegal(&self, position: &AnyPosition, mv: AnyMove) -> IllegalMove {
        with_position!(self, position, (game, position) => refused(game, position, mv))
    }

    fn parse_move(&self, text: &str) -> Result<AnyMove, MoveTextError> {
        with_game!(self, game => move_of(game, text))
    }

    fn parse_position(&self, text: &str) -> Result<AnyPosition, PositionError> {
        with_game!(self, game => parsed(game, text))
    }

    fn view(&self, position: &AnyPosition) -> View {
        with_position!(self, position, (game, position) => game.view(position))
    }
}

impl View {
    /// Who is to move; in a finished game, who would be.
    pub fn player(&self) -> Player {
        match self {
            View::Kalah(setup) => setup.player,
            View::Isolation(setup) => setup.player,
        }
    }
}

impl fmt::Display for View {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            View::Kalah(setup) => setup.fmt(f),
            View::Isolation(setup) => setup.fmt(f),
        }
    }
}

impl fmt::Display for AnyMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            AnyMove::Kalah(pit) => pit.fmt(f),
            AnyMove::Isolation(mv) => mv.fmt(f),
        }
    }
}

impl FromStr for AnyMove {
    type Err = MoveTextError;

    fn from_str(text: &str) -> Result<Self, MoveTextError> {
        match text.starts_with(|c: char| c.is_ascii_alphabetic()) {
            true => text.parse().map(AnyMove::Isolation),
            false => text.parse().map(AnyMove::Kalah),
        }
    }
}

serde_as_text!(AnyMove);
