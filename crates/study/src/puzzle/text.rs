//! Puzzles as text: one per line, fields separated by tabs.
//!
//! ```text
//! kalahari-puzzles 1
//! k001  kalah:6x4:standard  0 1 ... 0  1  2  3>5,1 0=-2@4 3=4@5 5=0
//! ```
//!
//! id, game, position, level, depth, then a field for every step: the solution, `>`, the replies separated by
//! commas (or `-`), and after blanks every legal move with its value and, after an @, the opponent's best answer.

use super::{Known, Puzzle, Step};
use std::fmt::Write;
use thiserror::Error;

/// Why a text is not a file of puzzles.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("line {line} of the puzzles: {problem}")]
pub struct PuzzleError {
    /// The line, from 1.
    pub line: usize,
    /// What is wrong with it.
    pub problem: &'static str,
}

const FIRST_LINE: &str = "kalahari-puzzles 1";

pub(super) fn write(puzzles: &[Puzzle]) -> String {
    let mut text = format!("{FIRST_LINE}\n");
    for puzzle in puzzles {
        // Writing to a string does not fail.
        let _ = write_one(&mut text, puzzle);
    }
    text
}

fn write_one(text: &mut String, puzzle: &Puzzle) -> std::fmt::Result {
    let Puzzle {
        id,
        game,
        start,
        level,
        depth,
        steps,
    } = puzzle;
    write!(text, "{id}\t{game}\t{start}\t{level}\t{depth}")?;
    for step in steps {
        let replies = match step.replies.is_empty() {
            true => "-".to_owned(),
            false => step.replies.join(","),
        };
        write!(text, "\t{}>{replies}", step.solution().mv)?;
        for Known { mv, value, answer } in &step.moves {
            write!(text, " {mv}={value}")?;
            if let Some(answer) = answer {
                write!(text, "@{answer}")?;
            }
        }
    }
    writeln!(text)
}

pub(super) fn read(text: &str) -> Result<Vec<Puzzle>, PuzzleError> {
    let mut lines = (1..).zip(text.lines());
    if lines
        .next()
        .is_none_or(|(_, line)| line.trim() != FIRST_LINE)
    {
        let problem = "the first line has to be 'kalahari-puzzles 1'";
        return Err(PuzzleError { line: 1, problem });
    }
    lines
        .filter(|(_, line)| !line.trim().is_empty())
        .map(|(line, text)| read_one(text).map_err(|problem| PuzzleError { line, problem }))
        .collect()
}

fn read_one(line: &str) -> Result<Puzzle, &'static str> {
    if line.contains(|c: char| c.is_control() && c != '\t') {
        return Err("it contains a control character");
    }
    let mut fields = line.split('\t');
    let mut field = || fields.next().ok_or("a field is missing");
    let id = field()?.to_owned();
    let game = field()?.parse().map_err(|_| "there is no such game")?;
    let start = field()?.to_owned();
    let level = field()?.parse().map_err(|_| "the level is not a number")?;
    let depth = field()?.parse().map_err(|_| "the depth is not a number")?;
    let steps = fields.map(read_step).collect::<Result<Vec<_>, _>>()?;
    if steps.is_empty() {
        return Err("there is no move to find");
    }
    Ok(Puzzle {
        id,
        game,
        start,
        level,
        depth,
        steps,
    })
}

fn read_step(text: &str) -> Result<Step, &'static str> {
    let mut words = text.split(' ');
    let first = words.next().and_then(|word| word.split_once('>'));
    let (solution, replies) = first.ok_or("a step begins with the solution and '>'")?;
    let replies = match replies {
        "-" => Vec::new(),
        list => list.split(',').map(str::to_owned).collect(),
    };
    let moves = words.map(read_move).collect::<Result<Vec<_>, _>>()?;
    let solution = moves
        .iter()
        .position(|known| known.mv == solution)
        .ok_or("the solution is not among the moves")?;
    Ok(Step {
        solution,
        moves,
        replies,
    })
}

fn read_move(word: &str) -> Result<Known, &'static str> {
    let (mv, rest) = word.split_once('=').ok_or("a move looks like 3=-2@4")?;
    let (value, answer) = match rest.split_once('@') {
        Some((value, answer)) => (value, Some(answer.to_owned())),
        None => (rest, None),
    };
    Ok(Known {
        mv: mv.to_owned(),
        value: value.parse().map_err(|_| "a value is not a number")?,
        answer,
    })
}
