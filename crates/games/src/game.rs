//! What every game can do.

use crate::story::Step;
use crate::{GameSpec, IllegalMove, MoveTextError, Outcome, Player, PositionError, View};
use std::fmt::{Debug, Display};
use std::hash::Hash;
use std::str::FromStr;

/// A rule set: it knows the start, the legal moves, what a move does and when the game is over.
///
/// A value of this type is cheap to clone and shared freely between threads. It is also the only
/// maker of its positions, so a position in hand is always valid for the game that made it.
pub trait Game: Clone + Debug + Send + Sync + 'static {
    /// A position. `Eq` and `Hash` cover everything that can affect the rest of the game.
    type Position: Copy + Debug + Eq + Hash + Send + Sync + 'static;

    /// A move. Its text needs no position: `Display` and `FromStr` are those of `book/src/players/rules.md`.
    type Move: Copy
        + Debug
        + Display
        + Eq
        + Hash
        + Ord
        + FromStr<Err = MoveTextError>
        + Send
        + Sync
        + 'static;

    /// The legal moves of a position, in a fixed order (lowest pit or cell first).
    type Moves<'a>: Iterator<Item = Self::Move>
    where
        Self: 'a;

    /// The name of this rule set.
    fn spec(&self) -> GameSpec;

    /// The position a game begins with.
    fn start(&self) -> Self::Position;

    /// Who is to move. In a finished game: who would be.
    fn to_move(&self, position: &Self::Position) -> Player;

    /// The legal moves; none exactly when the game is over.
    fn moves(&self, position: &Self::Position) -> Self::Moves<'_>;

    /// How many legal moves there are, without listing them.
    fn count_moves(&self, position: &Self::Position) -> u64;

    /// Whether the game is over.
    fn is_over(&self, position: &Self::Position) -> bool;

    /// How the game ended, or `None` if it is not over.
    fn outcome(&self, position: &Self::Position) -> Option<Outcome>;

    /// Whether a margin tells more than who won.
    fn has_margins(&self) -> bool;

    /// The smallest and the largest final margin that the mover can still reach.
    fn reachable(&self, position: &Self::Position) -> (i32, i32);

    /// Whether `mv` may be played here. Any `mv` at all may be asked about.
    fn is_legal(&self, position: &Self::Position, mv: Self::Move) -> bool;

    /// The position after a move that is known to be legal. An illegal move gives an unspecified
    /// position or a panic, never undefined behaviour.
    fn play_unchecked(&self, position: &Self::Position, mv: Self::Move) -> Self::Position;

    /// The same as [`play_unchecked`](Game::play_unchecked), for callers that go from one position to an unrelated one, where
    /// the processor cannot predict branches.
    #[inline]
    fn play_branchless(&self, position: &Self::Position, mv: Self::Move) -> Self::Position {
        self.play_unchecked(position, mv)
    }

    /// The position after a move, or why the move is not allowed.
    fn play(
        &self,
        position: &Self::Position,
        mv: Self::Move,
    ) -> Result<Self::Position, IllegalMove> {
        if self.is_legal(position, mv) {
            Ok(self.play_unchecked(position, mv))
        } else {
            Err(self.why_illegal(position, mv))
        }
    }

    /// What a legal move does, one thing after the other, for people to watch. Any other move gives an
    /// unspecified story or a panic.
    fn story(&self, position: &Self::Position, mv: Self::Move) -> Vec<Step>;

    /// Why a move that [`is_legal`](Game::is_legal) refuses is refused.
    fn why_illegal(&self, position: &Self::Position, mv: Self::Move) -> IllegalMove;

    /// Reads a move. It need not be legal anywhere.
    fn parse_move(&self, text: &str) -> Result<Self::Move, MoveTextError> {
        text.parse()
    }

    /// Reads a position in any of its text forms.
    fn parse_position(&self, text: &str) -> Result<Self::Position, PositionError>;

    /// The text of a position; [`parse_position`](Game::parse_position) reads it back to an equal one.
    fn position_text(&self, position: &Self::Position) -> String {
        self.view(position).to_string()
    }

    /// What lies on the board and who is to move, as plain data.
    fn view(&self, position: &Self::Position) -> View;
}
