//! Arguments that several commands share.

use anyhow::Context;
use clap::Args;
use kalahari_agents::parse_duration;
use kalahari_games::{Game, GameSpec, Totals};
use kalahari_search::{Limits, SearchVisitor, Searchable};
use std::io::{BufRead, Read};
use std::path::Path;
use std::time::Duration;

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
    fn visit<G: Searchable>(self, game: G, position: G::Position) -> anyhow::Result<Self::Output>;
}

impl Place {
    /// Reads the position and hands it to `visitor` with its game.
    pub(crate) fn visit<V: PlaceVisitor>(&self, visitor: V) -> anyhow::Result<V::Output> {
        visit_position(self.game, self.position.as_deref(), self.any_total, visitor)
    }
}

/// Reads a position of a game, or takes its start, and hands both to `visitor`.
pub(crate) fn visit_position<V: PlaceVisitor>(
    game: GameSpec,
    position: Option<&str>,
    any_total: bool,
    visitor: V,
) -> anyhow::Result<V::Output> {
    struct Opened<'a, V>(Option<&'a str>, V);
    impl<V: PlaceVisitor> SearchVisitor for Opened<'_, V> {
        type Output = anyhow::Result<V::Output>;

        fn visit<G: Searchable>(self, game: G) -> Self::Output {
            let position = match self.0 {
                Some(text) => game.parse_position(text)?,
                None => game.start(),
            };
            self.1.visit(game, position)
        }
    }
    let totals = match (any_total, position) {
        (true, Some(text)) => Totals::any_for(text),
        _ => Totals::Exact,
    };
    kalahari_search::visit(game, totals, Opened(position, visitor))
}

/// What a search may spend.
#[derive(Clone, Copy, Debug, Args)]
pub(crate) struct LimitFlags {
    /// Search at most this many plies
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1000))]
    depth: Option<u32>,

    /// Search at most this many nodes (or playouts)
    #[arg(long, value_name = "N")]
    nodes: Option<u64>,

    /// Search at most this long, such as 100ms or 2s
    #[arg(long, value_name = "TIME", value_parser = parse_duration)]
    time: Option<Duration>,
}

impl LimitFlags {
    pub(crate) fn limits(self) -> Limits {
        Limits {
            depth: self.depth,
            nodes: self.nodes,
            time: self.time,
            clock: None,
        }
    }
}

/// The longest line that a position could need, many times over.
const LONGEST_LINE: u64 = 1 << 16;

/// Calls `each` for every line of a file, or of standard input for `-`. Blank lines and lines that
/// begin with `#` are passed over; an error names the line.
pub(crate) fn each_line(
    file: &Path,
    mut each: impl FnMut(&str) -> anyhow::Result<()>,
) -> anyhow::Result<()> {
    let mut lines: Box<dyn BufRead> = if file == Path::new("-") {
        Box::new(std::io::stdin().lock())
    } else {
        let open = std::fs::File::open(file);
        let file = open.with_context(|| format!("cannot open {}", file.display()))?;
        Box::new(std::io::BufReader::new(file))
    };
    let mut line = String::new();
    for number in 1.. {
        line.clear();
        let read = (&mut lines).take(LONGEST_LINE).read_line(&mut line);
        match read.with_context(|| format!("line {number} cannot be read"))? as u64 {
            0 => break,
            LONGEST_LINE => anyhow::bail!("line {number} is longer than {LONGEST_LINE} bytes"),
            _ => {}
        }
        let text = line.trim();
        if !text.is_empty() && !text.starts_with('#') {
            each(text).map_err(|error| match crate::output::reader_is_gone(&error) {
                true => error,
                false => error.context(format!("line {number}")),
            })?;
        }
    }
    Ok(())
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
