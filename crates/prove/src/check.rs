//! Checks whether a journal proves its goals, and whether its rows are true.
//!
//! The check does not trust the journal. The claims that a goal needs are derived from the rules; the splits only say how deep the tree is.
//! Every row must be a claim of this tree, every decided goal must follow from the rows, and the rows of a sample are solved again.

use crate::dice::Dice;
use crate::{Answer, Claim, Content, Goal, Journal, ProofTree, ProveError};
use kalahari_exact::prover::Prover;
use kalahari_terms::{Limits, Stop};
use std::collections::HashSet;
use thiserror::Error;

/// A fault that a check has found.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Fault {
    /// A row that the proof does not need.
    #[error("the bound '{0}' is not part of this proof")]
    NotAsked(Claim),
    /// A split that the proof does not need.
    #[error("the split of '{0}' is not part of this proof")]
    StraySplit(Content),
    /// The journal says that a goal is decided, but that does not follow from the rows.
    #[error(
        "the goal of {margin:+} is said to {}, but that does not follow from the bounds",
        if *.holds { "be reached" } else { "be out of reach" }
    )]
    DoesNotFollow {
        /// The goal's final margin.
        margin: i32,
        /// What the journal says.
        holds: bool,
    },
    /// A row is wrong.
    #[error("the bound '{claim}' is said to {}, but it {}",
        if *.holds { "hold" } else { "fail" }, if *.holds { "fails" } else { "holds" })]
    Wrong {
        /// The claim.
        claim: Claim,
        /// What the journal says of it.
        holds: bool,
    },
}

/// Which rows are solved again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sample {
    /// All of them.
    All,
    /// A random sample.
    Some {
        /// How many.
        rows: usize,
        /// The seed of the random choice.
        rng_seed: u64,
    },
}

/// The result of a check that found no fault.
#[derive(Clone, Debug, PartialEq)]
pub struct Checked {
    /// The goals. Those that are decided follow from the rows.
    pub goals: Vec<Goal>,
    /// The number of rows in the journal, and the nodes that their jobs took.
    pub rows: (usize, u64),
    /// The number of rows solved again, and the nodes that their jobs took originally.
    pub solved: (usize, u64),
    /// Whether all of the sample was solved; if not, the check was stopped.
    pub finished: bool,
}

/// Checks a journal: first its structure, then a sample of its rows with a prover that knows nothing from the journal. `each` is
/// called before every row of the sample is solved, with the number of rows solved so far and the size of the sample.
pub fn check(
    journal: &Journal,
    prover: &mut dyn FnMut() -> Result<Prover, ProveError>,
    sample: Sample,
    stop: &Stop,
    each: &mut dyn FnMut(&Answer, usize, usize),
) -> Result<Checked, ProveError> {
    let mut tree = ProofTree::new(journal, 0);
    tree.refresh(journal)?;
    let goals = journal.goals()?;
    let mut asked = HashSet::new();
    for goal in &goals {
        tree.asked(&journal.root_claim(goal.margin)?, &mut asked)?;
    }
    let answers = tree.answers();
    if let Some(stray) = answers.iter().find(|answer| !asked.contains(&answer.claim)) {
        return Err(Fault::NotAsked(stray.claim.clone()).into());
    }
    let positions: HashSet<&Content> = asked.iter().map(|claim| &claim.content).collect();
    let mut splits = tree.split_positions();
    if let Some(stray) = splits.find(|split| !positions.contains(split)) {
        return Err(Fault::StraySplit(stray.clone()).into());
    }
    for goal in &goals {
        let follows = tree.follows(&journal.root_claim(goal.margin)?)?;
        if let (Some(holds), true) = (goal.holds, follows != goal.holds) {
            let margin = goal.margin;
            return Err(Fault::DoesNotFollow { margin, holds }.into());
        }
    }
    let nodes = |rows: &[&Answer]| {
        let nodes = rows.iter().map(|answer| answer.nodes);
        nodes.fold(0, u64::saturating_add)
    };
    let all: Vec<&Answer> = answers.iter().collect();
    let chosen = chosen(&all, sample);
    let mut solved = Vec::new();
    if !chosen.is_empty() {
        let mut prover = prover()?;
        for answer in &chosen {
            each(answer, solved.len(), chosen.len());
            let position = journal.rules().position(&answer.claim.content)?;
            let limits = Limits::NONE;
            let found = prover.reaches(&position, answer.claim.margin, &limits, stop)?;
            let Some(holds) = found.holds else {
                break;
            };
            if holds != answer.holds {
                return Err(Fault::Wrong {
                    claim: answer.claim.clone(),
                    holds: answer.holds,
                }
                .into());
            }
            solved.push(*answer);
        }
    }
    Ok(Checked {
        goals,
        rows: (all.len(), nodes(&all)),
        solved: (solved.len(), nodes(&solved)),
        finished: solved.len() == chosen.len(),
    })
}

/// The rows of a sample: the first rows of a shuffle.
fn chosen<'a>(rows: &[&'a Answer], sample: Sample) -> Vec<&'a Answer> {
    let mut rows = rows.to_vec();
    if let Sample::Some {
        rows: count,
        rng_seed,
    } = sample
    {
        let mut dice = Dice::new(rng_seed);
        let count = count.min(rows.len());
        for i in 0..count {
            let other = i + dice.below(rows.len() - i);
            rows.swap(i, other);
        }
        rows.truncate(count);
    }
    rows
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Worker, WorkerOptions};
    use kalahari_exact::prover::{ProverOptions, TablebasePolicy, Wanted};
    use kalahari_games::Game;
    use std::path::Path;

    /// Options with a tablebase that is small enough to be built quickly.
    fn options() -> ProverOptions {
        ProverOptions {
            tablebase: TablebasePolicy::Seeds(9),
            ..ProverOptions::without_files()
        }
    }

    fn prover(journal: &Journal) -> Prover {
        Prover::new(journal.rules().game(), options())
    }

    /// Proves the value of a game's start position in small jobs, with a journal; returns the value.
    fn prove(file: &Path, game: &str, job_nodes: u64) -> i32 {
        let spec = game.parse().expect("a game");
        let any = kalahari_games::AnyGame::new(spec);
        let start = any.position_text(&any.start());
        let journal = Journal::open(file, spec, &start).expect("a journal");
        let options = WorkerOptions {
            prover: options(),
            job_nodes,
            name: "test".to_owned(),
        };
        let stop = Stop::new();
        let mut worker =
            Worker::new(file, journal, options, |_| (), &stop, &mut |_| ()).expect("a worker");
        let mut margin = worker.guess().expect("a guess");
        margin = worker.journal().goal_margin(margin).expect("a margin");
        let mut decide = |margin| worker.decide(margin, &stop, &mut |_| ()).expect("decided");
        if decide(margin) == Some(true) {
            while decide(margin + 2) == Some(true) {
                margin += 2;
            }
            margin
        } else {
            while decide(margin - 2) == Some(false) {
                margin -= 2;
            }
            margin - 2
        }
    }

    fn checked(file: &Path, sample: Sample) -> Result<Checked, ProveError> {
        let journal = Journal::open_existing(file).expect("a journal");
        let mut make = || Ok(prover(&journal));
        check(&journal, &mut make, sample, &Stop::new(), &mut |_, _, _| ())
    }

    /// Changes a row and corrects its checksum, as a forger would.
    fn alter(file: &Path, id: i64, holds: bool, margin: i32) {
        let journal = Journal::open_existing(file).expect("a journal");
        let connection = rusqlite::Connection::open(file).expect("a file");
        let content = "SELECT content FROM bounds WHERE id = ?";
        let content: String = connection
            .query_row(content, [id], |row| row.get(0))
            .expect("a row");
        let sum = journal.checksum(&format!("{content}|{margin}|{}", u8::from(holds)));
        connection
            .execute(
                "UPDATE bounds SET holds = ?, margin = ?, checksum = ? WHERE id = ?",
                rusqlite::params![holds, margin, sum, id],
            )
            .expect("altered");
    }

    fn is_fault(result: Result<Checked, ProveError>) -> bool {
        matches!(result, Err(ProveError::Fault(_)))
    }

    #[test]
    fn a_value_is_proven_in_pieces_and_checked() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("proof");
        let value = prove(&file, "kalah:6x3", 10_000);
        let journal = Journal::open_existing(&file).expect("a journal");
        let start = journal.rules().game().start();
        let proof = prover(&journal).prove(&start, &Wanted::VALUE, &Stop::new());
        assert_eq!(proof.expect("proven").bounds.exact(), Some(value));
        let all = checked(&file, Sample::All).expect("right");
        assert!(all.rows.0 > 20 && all.solved == all.rows && all.finished);
        // Proven again: nothing is left to do.
        assert_eq!(prove(&file, "kalah:6x3", 10_000), value);
        assert_eq!(checked(&file, Sample::All).expect("right").rows, all.rows);
    }

    #[test]
    fn every_altered_bound_is_found() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("proof");
        prove(&file, "kalah:6x3", 30_000);
        let rows = {
            let journal = Journal::open_existing(&file).expect("a journal");
            let mut tree = ProofTree::new(&journal, 0);
            tree.refresh(&journal).expect("read");
            tree.answers().to_vec()
        };
        let nothing = Sample::Some {
            rows: 0,
            rng_seed: 1,
        };
        let (mut at_once, mut in_sample) = (0, 0);
        for (id, row) in (1..).zip(&rows) {
            alter(&file, id, !row.holds, row.claim.margin);
            match is_fault(checked(&file, nothing)) {
                true => at_once += 1,
                false => {
                    in_sample += 1;
                    assert!(is_fault(checked(&file, Sample::All)), "bound {id}");
                }
            }
            alter(&file, id, row.holds, row.claim.margin);
        }
        assert!(
            at_once > 0,
            "{at_once} by the structure, {in_sample} by the sample"
        );
        assert!(checked(&file, nothing).is_ok());
        // A margin that the proof does not need.
        alter(&file, 1, rows[0].holds, rows[0].claim.margin + 14);
        assert!(is_fault(checked(&file, nothing)));
    }

    #[test]
    fn a_split_that_the_proof_does_not_need_is_found() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("proof");
        prove(&file, "kalah:4x3", 200);
        let journal = Journal::open_existing(&file).expect("a journal");
        let content: Content = "0 0 0 1 0 0 0 1".parse().expect("a position");
        drop(journal);
        let game: kalahari_games::GameSpec = "kalah:4x3".parse().expect("a game");
        let journal = Journal::open(&file, game, "3 3 3 3 0 3 3 3 3 0 0").expect("a journal");
        assert!(checked(&file, Sample::All).is_ok());
        journal.split(&content, 0).expect("written");
        assert!(is_fault(checked(&file, Sample::All)));
    }

    #[test]
    fn a_changed_row_without_its_checksum_is_damaged() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("proof");
        prove(&file, "kalah:4x2", 100);
        let connection = rusqlite::Connection::open(&file).expect("a file");
        let changed = connection.execute("UPDATE bounds SET holds = 1 - holds WHERE id = 1", []);
        assert_eq!(changed, Ok(1));
        drop(connection);
        let result = checked(&file, Sample::All);
        assert!(
            matches!(result, Err(ProveError::Damaged { .. })),
            "{result:?}"
        );
    }

    type Said = (Vec<Goal>, Vec<(crate::Claim, bool)>);

    /// The goals and answers of a journal.
    fn said(file: &Path) -> Result<Said, ProveError> {
        let journal = Journal::open_existing(file)?;
        let mut tree = ProofTree::new(&journal, 0);
        tree.refresh(&journal)?;
        let answers = tree.answers().iter();
        let answers = answers.map(|answer| (answer.claim.clone(), answer.holds));
        Ok((journal.goals()?, answers.collect()))
    }

    /// Single bits are flipped all over the file: the journal is refused, or gives no goal or answer that was not written.
    #[test]
    fn a_changed_bit_is_noticed() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("proof");
        prove(&file, "kalah:4x2", 100);
        let truth = said(&file).expect("a journal");
        let whole = std::fs::read(&file).expect("there");
        let damaged = folder.path().join("damaged");
        let mut refused = 0;
        for place in (0..8 * whole.len()).step_by((8 * whole.len() / 400) | 1) {
            let mut bytes = whole.clone();
            bytes[place / 8] ^= 1 << (place % 8);
            std::fs::write(&damaged, bytes).expect("written");
            match said(&damaged) {
                Ok(found) => {
                    assert_eq!(found.0, truth.0, "bit {place}");
                    // A row that SQLite now takes for deleted is missing. That makes the proof longer, but never wrong.
                    assert!(
                        found.1.iter().all(|row| truth.1.contains(row)),
                        "bit {place}"
                    );
                }
                Err(_) => refused += 1,
            }
            for left in ["damaged-wal", "damaged-shm"] {
                let _ = std::fs::remove_file(folder.path().join(left));
            }
        }
        assert!(refused > 10, "only {refused} changes were noticed");
    }

    #[test]
    fn an_export_is_the_same_proof() {
        let folder = tempfile::tempdir().expect("a folder");
        let (file, copy) = (folder.path().join("proof"), folder.path().join("copy"));
        prove(&file, "kalah:4x3", 200);
        let journal = Journal::open_existing(&file).expect("a journal");
        let text = crate::export(&journal).expect("a text");
        crate::import(&text, "text".as_ref(), &copy).expect("a journal");
        let (old, new) = (checked(&file, Sample::All), checked(&copy, Sample::All));
        assert_eq!(old.expect("right"), new.expect("right"));
        let copied = Journal::open_existing(&copy).expect("a journal");
        assert_eq!(crate::export(&copied).expect("a text"), text);
        // Nodes spent in vain are exported, too, and importing them twice does not count them twice.
        let spent = journal.spent().expect("an account").0;
        assert!(
            text.lines()
                .any(|line| line.starts_with("split ") && !line.ends_with('*'))
        );
        crate::import(&text, "text".as_ref(), &copy).expect("a journal");
        assert_eq!(copied.spent().expect("an account").0, spent);
        // The text names the program that wrote it. Older texts do not, and are read as well.
        let maker = format!("made_by {}\n", kalahari_terms::Program::maker());
        let (before, _) = text.rsplit_once("end ").expect("an end");
        assert!(before.contains(&maker), "{text}");
        let older = before.replace(&maker, "");
        let older = format!("{older}end {:08x}\n", crc32fast::hash(older.as_bytes()));
        let from_older = crate::import(&older, "text".as_ref(), &folder.path().join("older"));
        let from_older = from_older.expect("a journal");
        assert_eq!(crate::export(&from_older).expect("a text"), text);
        for bad in [
            text.replace("bound 0", "bound 1"),
            text[..text.len() / 2].to_owned(),
        ] {
            let other = folder.path().join("other");
            let result = crate::import(&bad, "text".as_ref(), &other);
            assert!(matches!(result, Err(ProveError::Damaged { .. })));
        }
    }

    #[test]
    fn an_invalid_text_changes_nothing() {
        let folder = tempfile::tempdir().expect("a folder");
        let (file, new) = (folder.path().join("proof"), folder.path().join("new"));
        prove(&file, "kalah:4x3", 200);
        let journal = Journal::open_existing(&file).expect("a journal");
        let text = crate::export(&journal).expect("a text");
        let (head, _) = text.rsplit_once("end ").expect("an end");
        let before = checked(&file, Sample::All).expect("right");
        for line in [
            "bound 1 1 * 2 1 1 1.0 1",
            "bound 3 3 3 3 3 3 3 3 * 2147483647 1 1 1.0 1",
            "bound 3 3 3 3 3 3 3 3 * 1 1 1 1.0 1",
            "bound 3 3 3 3 3 3 3 3 * 2 1 1 -1 1",
            "bound 3 3 3 3 3 3 3 99 * 2 1 1 1.0 1",
            "split 1 1 *",
            "split 3 3 3 3 3 3 3 3 * 7 7",
            "split 3 3 3 3 3 3 3 3 * -7",
            "goal 2147483647 0",
            "goal 3 0",
            "goal 2 yes",
            "remark",
            "made_by kalahari 0.2.0",
            "",
        ] {
            // The checksum is right, as a forger would make it.
            let bad = format!("{head}{line}\n");
            let bad = format!("{bad}end {:08x}\n", crc32fast::hash(bad.as_bytes()));
            for into in [&file, &new] {
                let result = crate::import(&bad, "text".as_ref(), into);
                let damaged = matches!(result, Err(ProveError::Damaged { .. }));
                assert!(damaged, "{line}: {:?}", result.err());
            }
            assert!(!new.exists(), "{line}");
        }
        // A message quotes only the beginning of a line, and nothing that a terminal obeys.
        let bad = format!("{head}\u{1b}[31m{}\n", "x".repeat(1_000_000));
        let bad = format!("{bad}end {:08x}\n", crc32fast::hash(bad.as_bytes()));
        let error = crate::import(&bad, "text".as_ref(), &new).err();
        let told = error.map_or(String::new(), |error| error.to_string());
        assert!(told.contains("[31mxxx") && told.len() < 200, "{told}");
        assert!(!told.contains(char::is_control), "{told}");
        assert_eq!(checked(&file, Sample::All).expect("right"), before);
    }
}
