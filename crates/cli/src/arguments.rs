//! Arguments that several commands share.

use clap::Args;
use kalahari_games::{Game, GameSpec, GameVisitor, Totals};

/// A game and a position in it.
#[derive(Clone, Debug, Args)]
pub(crate) struct Place {
    /// The game, such as kalah:6x4:empty-capture or isolation:queen (see `kalahari games`)
    pub(crate) game: GameSpec,

    /// The position instead of the start: house numbers and player, a <...> literal, or rows and player
    #[arg(long, value_name = "POS", allow_hyphen_values = true)]
    pub(crate) position: Option<String>,

    /// Accept a Kalah position whose number of seeds is not the game's
    #[arg(long)]
    pub(crate) any_total: bool,
}

/// Work on a typed game and a position of it.
pub(crate) trait PlaceVisitor {
    /// What the work gives.
    type Output;

    /// Does the work.
    fn visit<G: Game>(self, game: G, position: G::Position) -> anyhow::Result<Self::Output>;
}

impl Place {
    /// Reads the position and hands it to `visitor` with its game.
    pub(crate) fn visit<V: PlaceVisitor>(&self, visitor: V) -> anyhow::Result<V::Output> {
        struct Opened<'a, V>(Option<&'a str>, V);
        impl<V: PlaceVisitor> GameVisitor for Opened<'_, V> {
            type Output = anyhow::Result<V::Output>;

            fn visit<G: Game>(self, game: G) -> Self::Output {
                let position = match self.0 {
                    Some(text) => game.parse_position(text)?,
                    None => game.start(),
                };
                self.1.visit(game, position)
            }
        }
        let text = self.position.as_deref();
        let totals = match (self.any_total, text) {
            (true, Some(text)) => Totals::any_for(text),
            _ => Totals::Exact,
        };
        self.game.visit(totals, Opened(text, visitor))
    }
}

/// Plays the moves of a text, separated by blanks or commas.
pub(crate) fn play_text<G: Game>(
    game: &G,
    mut position: G::Position,
    moves: &str,
) -> anyhow::Result<(G::Position, Vec<G::Move>)> {
    let mut played = Vec::new();
    for word in moves
        .split([' ', ',', '\t', '\n'])
        .filter(|w| !w.is_empty())
    {
        let mv: G::Move = word.parse()?;
        position = game.play(&position, mv).map_err(|error| {
            anyhow::anyhow!("{error} (move number {} of the list)", played.len() + 1)
        })?;
        played.push(mv);
    }
    Ok((position, played))
}

/// Reads a number of bytes such as `512M`, `8G` or `1000000`.
pub(crate) fn bytes(text: &str) -> Result<u64, String> {
    let problem = || format!("bad size '{text}': a number of bytes, or with K, M or G, such as 8G");
    let (digits, shift) = match text.char_indices().last() {
        Some((at, 'k' | 'K')) => (&text[..at], 10),
        Some((at, 'm' | 'M')) => (&text[..at], 20),
        Some((at, 'g' | 'G')) => (&text[..at], 30),
        _ => (text, 0),
    };
    let number: u64 = digits.parse().map_err(|_| problem())?;
    number
        .checked_mul(1 << shift)
        .filter(|&size| size > 0)
        .ok_or_else(problem)
}

/// As many threads as the machine has cores, unless told otherwise.
pub(crate) fn threads(wanted: Option<usize>) -> usize {
    let cores = || std::thread::available_parallelism().map_or(1, usize::from);
    wanted.unwrap_or_else(cores).max(1)
}
