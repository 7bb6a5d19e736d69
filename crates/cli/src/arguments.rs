//! Arguments that several commands share.

use anyhow::Context;
use clap::Args;
use kalahari_games::{AnyGame, AnyPosition, Game, GameSpec, PositionError, is_remark};
use kalahari_terms::{Limits, parse_duration};
use std::io::{BufRead, Read};
use std::path::Path;
use std::time::Duration;
use thiserror::Error;

/// A game and a position in it.
#[derive(Clone, Debug, Args)]
pub(crate) struct Place {
    /// The game, such as kalah:6x4:empty-capture or isolation:queen (see `kalahari games`)
    pub(crate) game: GameSpec,

    /// The position instead of the start: house numbers and player, a <...> literal, or rows and player
    #[arg(long, value_name = "POS", allow_hyphen_values = true)]
    pub(crate) position: Option<String>,

    /// Accept a Kalah position with more or fewer seeds than the game begins with
    #[arg(long)]
    pub(crate) any_total: bool,
}

impl Place {
    /// The game and the position.
    pub(crate) fn open(&self) -> Result<(AnyGame, AnyPosition), PositionError> {
        place(self.game, self.position.as_deref(), self.any_total)
    }
}

/// A game and a position of it, or its start. With `any_total` a position may have any number of seeds.
pub(crate) fn place(
    spec: GameSpec,
    position: Option<&str>,
    any_total: bool,
) -> Result<(AnyGame, AnyPosition), PositionError> {
    match position {
        Some(text) if !any_total => {
            let game = AnyGame::new(spec);
            let position = game.parse_position(text)?;
            Ok((game, position))
        }
        position => AnyGame::at_or_start(spec, position),
    }
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

    /// Search for at most this long, such as 100ms or 2s
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

/// Calls `each` for every line of a file, or of standard input for `-`. [Remarks](is_remark) are passed over; an error names
/// the line.
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
        if !is_remark(text) {
            each(text).map_err(|error| match crate::output::reader_is_gone(&error) {
                true => error,
                false => error.context(format!("line {number}")),
            })?;
        }
    }
    Ok(())
}

/// The position after the moves of a text, which blanks or commas separate.
pub(crate) fn play_text(
    game: &AnyGame,
    mut position: AnyPosition,
    moves: &str,
) -> anyhow::Result<AnyPosition> {
    let words = moves.split([' ', ',', '\t', '\n']);
    for (number, word) in (1..).zip(words.filter(|word| !word.is_empty())) {
        let mv = game.parse_move(word)?;
        position = game
            .play(&position, mv)
            .map_err(|error| anyhow::anyhow!("{error} (move number {number} of the list)"))?;
    }
    Ok(position)
}

/// Why a text is not a number of bytes.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error(
    "bad size '{0}': it must be a number of bytes, such as 1000000, or one with K, M or G, such as 8G"
)]
pub(crate) struct SizeError(String);

/// Reads a number of bytes such as `512M`, `8G` or `1000000`.
pub(crate) fn bytes(text: &str) -> Result<u64, SizeError> {
    let (digits, shift) = match text.char_indices().last() {
        Some((at, 'k' | 'K')) => (&text[..at], 10),
        Some((at, 'm' | 'M')) => (&text[..at], 20),
        Some((at, 'g' | 'G')) => (&text[..at], 30),
        _ => (text, 0),
    };
    let number: Option<u64> = digits.parse().ok();
    number
        .and_then(|number| number.checked_mul(1 << shift))
        .filter(|&size| size > 0)
        .ok_or_else(|| SizeError(text.to_owned()))
}

/// More threads than this only take memory.
const MOST_THREADS: usize = 1024;

/// Why a text is not a number of threads.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("bad number of threads '{0}': it must be from 1 to {MOST_THREADS}")]
pub(crate) struct ThreadsError(String);

/// Reads a number of threads.
pub(crate) fn thread_count(text: &str) -> Result<usize, ThreadsError> {
    let number = text.parse().ok();
    number
        .filter(|number| (1..=MOST_THREADS).contains(number))
        .ok_or_else(|| ThreadsError(text.to_owned()))
}

/// As many threads as the machine has cores, unless told otherwise.
pub(crate) fn threads(wanted: Option<usize>) -> usize {
    let cores = || std::thread::available_parallelism().map_or(1, usize::from);
    wanted.unwrap_or_else(cores)
}
