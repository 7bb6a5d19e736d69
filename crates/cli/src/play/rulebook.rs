//! A game whose board type is forgotten: positions and moves are text, boards are pictures.
//!
//! Screens need no speed but must be able to hold any game; the typed game is built when it is asked something.

use kalahari_games::isolation::IsolationSetup;
use kalahari_games::kalah::KalahSetup;
use kalahari_games::story::Step;
use kalahari_games::{GameSpec, Outcome, Player, Totals};
use kalahari_search::{SearchVisitor, Searchable};

/// The rules of a game.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Rulebook {
    spec: GameSpec,
    totals: Totals,
}

/// What lies on the board.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Picture {
    /// Houses of Kalah.
    Kalah(KalahSetup),
    /// Cells of Isolation.
    Isolation(IsolationSetup),
}

/// A position and all that people ask about it.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Situation {
    /// The position's text.
    pub(crate) text: String,
    pub(crate) picture: Picture,
    /// Who is to move; in a finished game, who would be.
    pub(crate) mover: Player,
    /// The legal moves, none when the game is over.
    pub(crate) moves: Vec<String>,
    /// How the game ended, if it did.
    pub(crate) outcome: Option<Outcome>,
}

impl Rulebook {
    /// The rules of a game that begins as usual, or with the position `start`.
    pub(crate) fn new(spec: GameSpec, start: Option<&str>) -> Self {
        let totals = start.map_or(Totals::Exact, Totals::any_for);
        Rulebook { spec, totals }
    }

    pub(crate) fn spec(&self) -> GameSpec {
        self.spec
    }

    /// Hands the typed game to `visitor`.
    pub(crate) fn visit<V: SearchVisitor>(&self, visitor: V) -> V::Output {
        kalahari_search::visit(self.spec, self.totals, visitor)
    }

    /// The position of a text, or the game's start.
    pub(crate) fn situation(&self, text: Option<&str>) -> Result<Situation, String> {
        struct Look<'a>(Option<&'a str>);
        impl SearchVisitor for Look<'_> {
            type Output = Result<Situation, String>;
            fn visit<G: Searchable>(self, game: G) -> Self::Output {
                let position = match self.0 {
                    None => game.start(),
                    Some(text) => game.parse_position(text).map_err(|e| e.to_string())?,
                };
                look(&game, &position)
            }
        }
        self.visit(Look(text))
    }

    /// The position after a move and what the move did, or why it may not be played.
    pub(crate) fn play(
        &self,
        before: &Situation,
        mv: &str,
    ) -> Result<(Situation, Vec<Step>), String> {
        struct Play<'a>(&'a Situation, &'a str);
        impl SearchVisitor for Play<'_> {
            type Output = Result<(Situation, Vec<Step>), String>;
            fn visit<G: Searchable>(self, game: G) -> Self::Output {
                let Play(before, mv) = self;
                let position = game
                    .parse_position(&before.text)
                    .map_err(|e| e.to_string())?;
                let mv: G::Move = mv
                    .parse()
                    .map_err(|e: kalahari_games::MoveTextError| e.to_string())?;
                let after = game.play(&position, mv).map_err(|e| e.to_string())?;
                Ok((look(&game, &after)?, game.story(&position, mv)))
            }
        }
        self.visit(Play(before, mv))
    }
}

fn look<G: Searchable>(game: &G, position: &G::Position) -> Result<Situation, String> {
    let text = game.position_text(position);
    let wrong = |e: kalahari_games::PositionError| e.to_string();
    let picture = match game.spec() {
        GameSpec::Kalah(_) => Picture::Kalah(text.parse().map_err(wrong)?),
        GameSpec::Isolation(_) => Picture::Isolation(text.parse().map_err(wrong)?),
    };
    Ok(Situation {
        picture,
        mover: game.to_move(position),
        moves: game.moves(position).map(|mv| mv.to_string()).collect(),
        outcome: game.outcome(position),
        text,
    })
}
