//! A journal as a small text, for a repository: whoever has it can go on from it.
//!
//! ```text
//! kalahari proof 1
//! game kalah:6x4:standard
//! position 4 4 4 4 4 4 0 4 4 4 4 4 4 0 0
//! goal 8 1                           a final margin; 1 reached, 0 out of reach, - open
//! split 4 4 4 4 4 4 4 4 4 4 4 4 *    a split position, a star, and the nodes spent on it in vain
//! bound 0 5 5 5 5 4 4 4 4 4 4 4 * -8 1 12345 1.5 22
//!                                    a position, a star, its claimed margin, 1 holds or 0 fails, nodes, seconds, tablebase
//! end 8c3f1a2b                       the CRC-32 of all lines before
//! ```

use crate::journal::{Answer, Read};
use crate::{Claim, Goal, Journal, ProveError};
use kalahari_games::Game;
use std::fmt::Write;
use std::path::Path;
use std::time::Duration;

const FIRST_LINE: &str = "kalahari proof 1";

/// The text of a journal.
pub fn export(journal: &Journal) -> Result<String, ProveError> {
    let game = journal.rules().game();
    let (answers, splits) = journal.news(&mut Read::default())?;
    let mut text = format!("{FIRST_LINE}\ngame {}\n", game.spec());
    text += &format!("position {}\n", game.position_text(journal.root()));
    for Goal { margin, holds } in journal.goals()? {
        let holds = holds.map_or("-".to_owned(), |holds| u8::from(holds).to_string());
        text += &format!("goal {margin} {holds}\n");
    }
    for content in splits {
        text += &format!("split {content} *\n");
    }
    for answer in answers {
        let Claim { content, margin } = &answer.claim;
        let (holds, nodes) = (u8::from(answer.holds), answer.nodes);
        let (seconds, tablebase) = (answer.time.as_secs_f64(), answer.tablebase_seeds);
        // Writing to a text cannot fail.
        let _ = writeln!(
            text,
            "bound {content} * {margin} {holds} {nodes} {seconds:.1} {tablebase}"
        );
    }
    let sum = crc32fast::hash(text.as_bytes());
    text += &format!("end {sum:08x}\n");
    Ok(text)
}

/// Makes a journal of a text, or adds what the text has to the journal of the same proof.
pub fn import(text: &str, name: &Path, file: &Path) -> Result<Journal, ProveError> {
    let damaged = |what: &str| ProveError::Damaged {
        file: name.display().to_string(),
        what: what.to_owned(),
    };
    let whole = text.strip_suffix('\n').unwrap_or(text);
    let (before, end) = whole.rsplit_once('\n').ok_or_else(|| damaged("its end"))?;
    let sum = crc32fast::hash(format!("{before}\n").as_bytes());
    if end != format!("end {sum:08x}") {
        return Err(damaged("its end"));
    }
    let mut lines = before.lines();
    let mut header = |word: &str| {
        let line = lines.next().and_then(|line| line.strip_prefix(word));
        line.ok_or_else(|| damaged("its beginning"))
    };
    header(FIRST_LINE)?;
    let (game, position) = (header("game ")?, header("position ")?);
    let spec = game.parse().map_err(|_| damaged("its game"))?;
    let journal = Journal::open(file, spec, position)?;
    for line in lines {
        add(&journal, line)?.ok_or_else(|| damaged(&format!("the line '{line}'")))?;
    }
    Ok(journal)
}

/// Adds what a line says; `None` if it makes no sense.
fn add(journal: &Journal, line: &str) -> Result<Option<()>, ProveError> {
    let Some((word, rest)) = line.split_once(' ') else {
        return Ok(None);
    };
    let flag = |text: &str| match text {
        "1" => Some(true),
        "0" => Some(false),
        _ => None,
    };
    match word {
        "goal" => {
            let Some((margin, holds)) = rest.split_once(' ') else {
                return Ok(None);
            };
            let Ok(margin) = margin.parse() else {
                return Ok(None);
            };
            let holds = flag(holds);
            journal.set_goal(Goal { margin, holds })?;
        }
        "split" | "bound" => {
            let Some((content, numbers)) = rest.split_once(" *") else {
                return Ok(None);
            };
            let Ok(content) = content.parse() else {
                return Ok(None);
            };
            if word == "split" {
                journal.split(&content, 0)?;
                return Ok(Some(()));
            }
            let numbers: Vec<&str> = numbers.split_whitespace().collect();
            let [margin, holds, nodes, seconds, tablebase] = numbers[..] else {
                return Ok(None);
            };
            let read = || {
                Some(Answer {
                    claim: Claim::new(content, margin.parse().ok()?),
                    holds: flag(holds)?,
                    nodes: nodes.parse().ok()?,
                    time: Duration::try_from_secs_f64(seconds.parse().ok()?).ok()?,
                    tablebase_seeds: tablebase.parse().ok()?,
                })
            };
            let Some(answer) = read() else {
                return Ok(None);
            };
            journal.add(&answer)?;
        }
        _ => return Ok(None),
    }
    Ok(Some(()))
}
