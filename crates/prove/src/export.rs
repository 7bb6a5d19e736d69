//! A journal as a small text, for example for a repository. A proof can be continued from it.
//!
//! ```text
//! kalahari proof 1
//! game kalah:6x4:standard
//! position 4 4 4 4 4 4 0 4 4 4 4 4 4 0 0
//! made_by kalahari 0.2.0 (0123456789ab)   the program that wrote the text; missing in older ones
//! goal 8 1                           a final margin; 1 reached, 0 out of reach, - open
//! split 4 4 4 4 4 4 4 4 4 4 4 4 * 99 a split position, a star, and the nodes spent on it in vain, if any
//! bound 0 5 5 5 5 4 4 4 4 4 4 4 * -8 1 12345 1.5 22
//!                                    a position, a star, its claimed margin, 1 holds or 0 fails, nodes, seconds, tablebase
//! end 8c3f1a2b                       the CRC-32 of all lines before
//! ```

use crate::journal::{Answer, Finding, Read};
use crate::{Claim, Content, Goal, Journal, ProveError, Rules};
use kalahari_games::{AnyPosition, Game};
use kalahari_terms::Program;
use std::fmt::Write;
use std::path::Path;
use std::time::Duration;

const FIRST_LINE: &str = "kalahari proof 1";
const MADE_BY: &str = "made_by ";

/// The text of a journal.
pub fn export(journal: &Journal) -> Result<String, ProveError> {
    let game = journal.rules().game();
    let (answers, splits) = journal.news(&mut Read::default())?;
    let mut text = format!("{FIRST_LINE}\ngame {}\n", game.spec());
    text += &format!("position {}\n", game.position_text(journal.root()));
    text += &format!("{MADE_BY}{}\n", Program::maker());
    for Goal { margin, holds } in journal.goals()? {
        let holds = holds.map_or("-".to_owned(), |holds| u8::from(holds).to_string());
        text += &format!("goal {margin} {holds}\n");
    }
    let spent = journal.spent_on_splits()?;
    for content in splits {
        let content = content.to_string();
        let nodes = spent.get(&content);
        let nodes = nodes.map_or(String::new(), |nodes| format!(" {nodes}"));
        text += &format!("split {content} *{nodes}\n");
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

/// The content of a text. It is well-formed, but not checked to be true.
#[derive(Clone, Debug)]
pub struct Exported {
    rules: Rules,
    root: AnyPosition,
    findings: Vec<Finding>,
}

/// Makes a journal from a text, or adds the text to a journal of the same proof: all of it or nothing.
pub fn import(text: &str, name: &Path, file: &Path) -> Result<Journal, ProveError> {
    Exported::read(text, name)?.add_to(file)
}

/// A line as a message quotes it: shortened, without control characters.
fn shown(line: &str) -> String {
    line.chars().filter(|c| !c.is_control()).take(80).collect()
}

impl Exported {
    /// Reads a text. The name is used in errors only.
    pub fn read(text: &str, name: &Path) -> Result<Self, ProveError> {
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
        let mut lines = before.split('\n').peekable();
        let mut header = |word: &str| {
            let line = lines.next().and_then(|line| line.strip_prefix(word));
            line.ok_or_else(|| damaged("its beginning"))
        };
        if !header(FIRST_LINE)?.is_empty() {
            return Err(damaged("its beginning"));
        }
        let (game, position) = (header("game ")?, header("position ")?);
        let rules = Rules::new(game.parse().map_err(|_| damaged("its game"))?)?;
        let root = rules.game().parse_position(position);
        let root = root.map_err(|_| damaged("its position"))?;
        // Who wrote a text makes no difference to what it says, and older texts do not tell.
        let _ = lines.next_if(|line| line.starts_with(MADE_BY));
        let findings = lines.map(|line| {
            let finding = finding(&rules, &root, line);
            finding.ok_or_else(|| damaged(&format!("the line '{}'", shown(line))))
        });
        let findings = findings.collect::<Result<_, _>>()?;
        Ok(Exported {
            rules,
            root,
            findings,
        })
    }

    /// Adds everything to a journal of the same proof, which is created if it does not exist.
    fn add_to(&self, file: &Path) -> Result<Journal, ProveError> {
        let game = self.rules.game();
        let journal = Journal::open(file, game.spec(), &game.position_text(&self.root))?;
        journal.add_all(&self.findings)?;
        Ok(journal)
    }
}

/// Reads a line; `None` if it makes no sense in this game.
fn finding(rules: &Rules, root: &AnyPosition, line: &str) -> Option<Finding> {
    let (word, rest) = line.split_once(' ')?;
    if word == "goal" {
        let (margin, holds) = rest.split_once(' ')?;
        let margin: i32 = margin.parse().ok()?;
        let is_margin = rules.goal_margin(root, margin).ok()? == margin;
        let holds = match holds {
            "-" => None,
            decided => Some(flag(decided)?),
        };
        return is_margin.then_some(Finding::Goal(Goal { margin, holds }));
    }
    let (content, numbers) = rest.split_once(" *")?;
    let content: Content = content.parse().ok()?;
    rules.position(&content).ok()?;
    // Seeds leave the pits and never come back, so no position of the proof has more than the root.
    let (of_root, _) = rules.content(root).ok()?;
    if content.seeds() > of_root.seeds() {
        return None;
    }
    match word {
        "split" => {
            let nodes = match numbers.trim() {
                "" => 0,
                nodes => nodes.parse().ok()?,
            };
            Some(Finding::Split(content, nodes))
        }
        "bound" => {
            let numbers: Vec<&str> = numbers.split_whitespace().collect();
            let [margin, holds, nodes, seconds, tablebase] = numbers[..] else {
                return None;
            };
            let margin: i32 = margin.parse().ok()?;
            let claim = Claim::new(content, margin);
            let is_margin = claim.margin == margin;
            let answer = Answer {
                claim,
                holds: flag(holds)?,
                nodes: nodes.parse().ok()?,
                time: Duration::try_from_secs_f64(seconds.parse().ok()?).ok()?,
                tablebase_seeds: tablebase.parse().ok()?,
            };
            is_margin.then_some(Finding::Bound(answer))
        }
        _ => None,
    }
}

fn flag(text: &str) -> Option<bool> {
    match text {
        "1" => Some(true),
        "0" => Some(false),
        _ => None,
    }
}
