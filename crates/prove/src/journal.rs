//! The journal of a proof: one SQLite file that many processes may share.
//!
//! ```text
//! about    game, position, created, made_by    what the proof is about: one row
//! goals    margin, holds, checksum             final margins: can the player to move reach them? holds is set once decided
//! bounds   id, content, margin, holds, nodes, seconds, tablebase, proven, checksum     an answered claim
//! splits   id, content, nodes, checksum        positions whose claims are decided by the claims after their moves
//! leases   content, margin, worker, until      claims that a worker is working on
//! ```
//!
//! A row is written in one transaction and synced, so a process that is killed leaves only complete rows. Answers are the same whichever
//! process finds them, so writing one twice changes nothing. Checksums find rows that the disk has damaged; to find out whether rows
//! are *true*, let [`check`](crate::check()) solve them again.

use crate::decided::Decided;
use crate::{Claim, Content, ProofTree, ProveError, Rules};
use kalahari_arena::sqlite::{FileKind, FileProblem, now};
use kalahari_games::{AnyPosition, Game, GameSpec};
use kalahari_terms::Program;
use rusqlite::{Connection, OptionalExtension, params};
use std::collections::HashMap;
use std::path::Path;
use std::time::Duration;

/// The kind of file. The application number is "KALP" in ASCII.
const KIND: FileKind = FileKind {
    name: "a journal of a proof",
    application: 0x4b41_4c50,
    versions: &[
        "
CREATE TABLE about (
    game TEXT NOT NULL,
    position TEXT NOT NULL,
    created INTEGER NOT NULL
) STRICT;
CREATE TABLE goals (
    margin INTEGER PRIMARY KEY,
    holds INTEGER,
    checksum INTEGER NOT NULL
) STRICT;
CREATE TABLE bounds (
    id INTEGER PRIMARY KEY,
    content TEXT NOT NULL,
    margin INTEGER NOT NULL,
    holds INTEGER NOT NULL,
    nodes INTEGER NOT NULL,
    seconds REAL NOT NULL,
    tablebase INTEGER NOT NULL,
    proven INTEGER NOT NULL,
    checksum INTEGER NOT NULL,
    UNIQUE (content, margin)
) STRICT;
CREATE TABLE splits (
    id INTEGER PRIMARY KEY,
    content TEXT NOT NULL UNIQUE,
    nodes INTEGER NOT NULL,
    checksum INTEGER NOT NULL
) STRICT;
CREATE TABLE leases (
    content TEXT NOT NULL,
    margin INTEGER NOT NULL,
    worker TEXT NOT NULL,
    until INTEGER NOT NULL,
    PRIMARY KEY (content, margin)
) STRICT, WITHOUT ROWID;
",
        "
ALTER TABLE about ADD COLUMN made_by TEXT NOT NULL DEFAULT '';
",
    ],
};

/// An answered claim.
#[derive(Clone, Debug, PartialEq)]
pub struct Answer {
    /// The claim.
    pub claim: Claim,
    /// Whether it holds.
    pub holds: bool,
    /// The nodes that its job searched.
    pub nodes: u64,
    /// The time that its job took.
    pub time: Duration,
    /// The seeds of the tablebase that its job used.
    pub tablebase_seeds: usize,
}

/// A final margin. The question is whether the player to move can reach it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Goal {
    /// The margin.
    pub margin: i32,
    /// Whether it can be reached, according to the journal; `None` while that is open.
    pub holds: Option<bool>,
}

/// A row for a journal.
#[derive(Clone, Debug)]
pub(crate) enum Finding {
    Goal(Goal),
    /// A position whose claims are decided by the claims after its moves, with the nodes that were spent on it in vain.
    Split(Content, u64),
    Bound(Answer),
}

/// How far a journal has been read: the id of the last row of each kind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Read {
    bounds: i64,
    splits: i64,
}

/// An open journal.
#[derive(Debug)]
pub struct Journal {
    connection: Connection,
    file: String,
    rules: Rules,
    root: AnyPosition,
}

impl Journal {
    /// Opens the journal of a proof about a position; creates it if there is no such file.
    pub fn open(file: &Path, spec: GameSpec, position: &str) -> Result<Self, ProveError> {
        let rules = Rules::new(spec)?;
        let spec = rules.game().spec();
        let connection = KIND.open(file);
        let connection = connection.map_err(|problem| problem_of(file, problem))?;
        let enter = || -> rusqlite::Result<(String, String)> {
            connection.pragma_update(None, "synchronous", "FULL")?;
            connection.execute(
                "INSERT INTO about (game, position, created, made_by)
                 SELECT ?, ?, ?, ? WHERE NOT EXISTS (SELECT 1 FROM about)",
                params![spec.to_string(), position, now(), Program::maker()],
            )?;
            connection.query_row("SELECT game, position FROM about", [], |row| {
                Ok((row.get(0)?, row.get(1)?))
            })
        };
        let (game, root) = enter().map_err(|error| problem_of(file, error.into()))?;
        if (game.as_str(), root.as_str()) != (spec.to_string().as_str(), position) {
            return Err(ProveError::OtherGame {
                file: file.display().to_string(),
                found: format!("{game} at {root}"),
                wanted: format!("{spec} at {position}"),
            });
        }
        Self::of(connection, file, rules, &root)
    }

    /// Opens an existing journal, whatever its game and position.
    pub fn open_existing(file: &Path) -> Result<Self, ProveError> {
        let connection = KIND.open_existing(file);
        let connection = connection.map_err(|problem| problem_of(file, problem))?;
        let about: rusqlite::Result<Option<(String, String)>> = connection
            .query_row("SELECT game, position FROM about", [], |row| {
                Ok((row.get(0)?, row.get(1)?))
            })
            .optional();
        let about = about.map_err(|error| problem_of(file, error.into()))?;
        let damaged = || ProveError::Damaged {
            file: file.display().to_string(),
            what: "the description of its game and position".to_owned(),
        };
        let (game, root) = about.ok_or_else(damaged)?;
        let rules = Rules::new(game.parse().map_err(|_| damaged())?)?;
        Self::of(connection, file, rules, &root)
    }

    fn of(
        connection: Connection,
        file: &Path,
        rules: Rules,
        root: &str,
    ) -> Result<Self, ProveError> {
        let root = rules.game().parse_position(root)?;
        Ok(Journal {
            connection,
            file: file.display().to_string(),
            rules,
            root,
        })
    }

    /// The rules of the game.
    pub fn rules(&self) -> &Rules {
        &self.rules
    }

    /// The position that the proof is about.
    pub fn root(&self) -> &AnyPosition {
        &self.root
    }

    /// The file.
    pub fn file(&self) -> &str {
        &self.file
    }

    /// The claim that the player to move at the root reaches a final margin.
    pub fn root_claim(&self, margin: i32) -> Result<Claim, ProveError> {
        let (content, lead) = self.rules.content(&self.root)?;
        Ok(Claim::new(content, margin.saturating_sub(lead)))
    }

    /// Rounds a final margin of the root up to a possible one: see [`Rules::goal_margin`].
    pub fn goal_margin(&self, margin: i32) -> Result<i32, ProveError> {
        self.rules.goal_margin(&self.root, margin)
    }

    fn try_to<T>(
        &self,
        work: impl FnOnce(&Connection) -> rusqlite::Result<T>,
    ) -> Result<T, ProveError> {
        work(&self.connection).map_err(|error| ProveError::File {
            file: self.file.clone(),
            problem: error.into(),
        })
    }

    pub(crate) fn damaged(&self, what: impl Into<String>) -> ProveError {
        ProveError::Damaged {
            file: self.file.clone(),
            what: what.into(),
        }
    }

    /// Adds a goal, or records that a goal is decided. An undecided goal does not overwrite an existing one.
    pub fn set_goal(&self, goal: Goal) -> Result<(), ProveError> {
        self.try_to(|connection| self.goal_row(connection, goal))
    }

    fn goal_row(&self, connection: &Connection, goal: Goal) -> rusqlite::Result<()> {
        connection.execute(
            "INSERT INTO goals VALUES (?1, ?2, ?3) ON CONFLICT (margin) DO UPDATE
             SET holds = ?2, checksum = ?3 WHERE ?2 IS NOT NULL",
            params![goal.margin, goal.holds, self.goal_checksum(&goal)],
        )?;
        Ok(())
    }

    /// All goals, the lowest first.
    pub fn goals(&self) -> Result<Vec<Goal>, ProveError> {
        let rows: Vec<(Goal, i64)> = self.try_to(|connection| {
            let mut query =
                connection.prepare("SELECT margin, holds, checksum FROM goals ORDER BY margin")?;
            let rows = query.query_map([], |row| {
                let goal = Goal {
                    margin: row.get(0)?,
                    holds: row.get(1)?,
                };
                Ok((goal, row.get(2)?))
            })?;
            rows.collect()
        })?;
        let check = |(goal, sum): (Goal, i64)| {
            let is_margin = self.goal_margin(goal.margin)? == goal.margin;
            match is_margin && sum == self.goal_checksum(&goal) {
                true => Ok(goal),
                false => Err(self.damaged(format!("goal {:+}", goal.margin))),
            }
        };
        rows.into_iter().map(check).collect()
    }

    /// Adds an answer and frees the lease of its claim. An existing answer is kept.
    pub fn add(&self, answer: &Answer) -> Result<(), ProveError> {
        self.in_one(|connection| self.answer_row(connection, answer))
    }

    fn answer_row(&self, connection: &Connection, answer: &Answer) -> rusqlite::Result<()> {
        let Claim { content, margin } = &answer.claim;
        let content = content.to_string();
        let sum = self.checksum(&format!("{content}|{margin}|{}", u8::from(answer.holds)));
        connection.execute(
            "INSERT OR IGNORE INTO bounds (content, margin, holds, nodes, seconds, tablebase, proven, checksum)
             VALUES (?,?,?,?,?,?,?,?)",
            params![
                content,
                margin,
                answer.holds,
                i64::try_from(answer.nodes).unwrap_or(i64::MAX),
                answer.time.as_secs_f64(),
                answer.tablebase_seeds as i64,
                now(),
                sum
            ],
        )?;
        let free = "DELETE FROM leases WHERE content = ? AND margin = ?";
        connection.execute(free, params![content, margin])?;
        Ok(())
    }

    /// Splits a position: from now on its claims are decided by the claims after its moves. `nodes` were spent on it in vain.
    pub fn split(&self, content: &Content, nodes: u64) -> Result<(), ProveError> {
        self.in_one(|connection| self.split_row(connection, content, nodes))
    }

    fn split_row(
        &self,
        connection: &Connection,
        content: &Content,
        nodes: u64,
    ) -> rusqlite::Result<()> {
        let content = content.to_string();
        let sum = self.checksum(&format!("{content}|split"));
        connection.execute(
            "INSERT INTO splits (content, nodes, checksum) VALUES (?1, ?2, ?3)
             ON CONFLICT (content) DO UPDATE SET nodes = nodes + ?2",
            params![content, i64::try_from(nodes).unwrap_or(i64::MAX), sum],
        )?;
        connection.execute("DELETE FROM leases WHERE content = ?", [content])?;
        Ok(())
    }

    /// Like [`split_row`](Self::split_row) for a split from elsewhere: adding it twice does not count its nodes twice.
    fn spent_row(
        &self,
        connection: &Connection,
        content: &Content,
        nodes: u64,
    ) -> rusqlite::Result<()> {
        self.split_row(connection, content, 0)?;
        let spent = "UPDATE splits SET nodes = max(nodes, ?) WHERE content = ?";
        let nodes = i64::try_from(nodes).unwrap_or(i64::MAX);
        connection.execute(spent, params![nodes, content.to_string()])?;
        Ok(())
    }

    /// The nodes that were spent in vain on positions before they were split.
    pub(crate) fn spent_on_splits(&self) -> Result<HashMap<String, u64>, ProveError> {
        let rows: Vec<(String, i64)> = self.try_to(|connection| {
            let mut query =
                connection.prepare("SELECT content, nodes FROM splits WHERE nodes > 0")?;
            let rows = query.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?;
            rows.collect()
        })?;
        let rows = rows.into_iter();
        Ok(rows
            .map(|(content, nodes)| (content, nodes.unsigned_abs()))
            .collect())
    }

    /// Adds the results of jobs of a [list](crate::JobList), with its splits and its goal: all of it or nothing. Doing it twice changes
    /// nothing. Returns how many answers and splits of the jobs were new. Claims and splits that are not positions of the game are refused.
    pub fn join(
        &self,
        goal: i32,
        splits: &[Content],
        decided: &[(Claim, Decided)],
    ) -> Result<u64, ProveError> {
        let margin = self.goal_margin(goal)?;
        for content in splits
            .iter()
            .chain(decided.iter().map(|(claim, _)| &claim.content))
        {
            self.rules.position(content)?;
        }
        let count = |connection: &Connection| -> rusqlite::Result<i64> {
            let count = "SELECT (SELECT count(*) FROM bounds) + (SELECT count(*) FROM splits)";
            connection.query_row(count, [], |row| row.get(0))
        };
        let mut added = 0;
        self.in_one(|connection| {
            let goal = Goal {
                margin,
                holds: None,
            };
            self.goal_row(connection, goal)?;
            for content in splits {
                self.split_row(connection, content, 0)?;
            }
            let before = count(connection)?;
            for (claim, found) in decided {
                match found.holds {
                    Some(holds) => {
                        let answer = Answer {
                            claim: claim.clone(),
                            holds,
                            nodes: found.nodes,
                            time: found.time,
                            tablebase_seeds: found.tablebase_seeds,
                        };
                        self.answer_row(connection, &answer)?;
                    }
                    None => self.spent_row(connection, &claim.content, found.nodes)?,
                }
            }
            added = count(connection)? - before;
            Ok(())
        })?;
        Ok(u64::try_from(added).unwrap_or(0))
    }

    /// A claim about the same position whose answer contradicts this one: if this claim holds, a claim of the same or a smaller margin that
    /// fails; if it fails, a claim of the same or a larger margin that holds.
    pub fn contradiction(&self, claim: &Claim, holds: bool) -> Result<Option<Claim>, ProveError> {
        let margin: Option<i32> = self.try_to(|connection| {
            let mut query = connection.prepare_cached(match holds {
                true => "SELECT min(margin) FROM bounds WHERE content = ?1 AND NOT holds AND margin <= ?2",
                false => "SELECT max(margin) FROM bounds WHERE content = ?1 AND holds AND margin >= ?2",
            })?;
            let content = claim.content.to_string();
            query.query_row(params![content, claim.margin], |row| row.get(0))
        })?;
        Ok(margin.map(|margin| Claim {
            content: claim.content.clone(),
            margin,
        }))
    }

    /// The goals, each decided only if that follows from the rows. What the file says about goals is not trusted: it may have been edited.
    pub fn proven_goals(&self) -> Result<Vec<Goal>, ProveError> {
        let mut tree = ProofTree::new(self, 0);
        tree.refresh(self)?;
        tree.check_rows()?;
        let follows = |goal: Goal| {
            let holds = tree.follows(&self.root_claim(goal.margin)?)?;
            Ok(Goal { holds, ..goal })
        };
        self.goals()?.into_iter().map(follows).collect()
    }

    /// Marks a goal as decided if the rows prove it. Returns whether it holds, if they do.
    pub fn conclude(&self, goal: i32) -> Result<Option<bool>, ProveError> {
        let margin = self.goal_margin(goal)?;
        let mut tree = ProofTree::new(self, 0);
        tree.refresh(self)?;
        let holds = tree.follows(&self.root_claim(margin)?)?;
        if holds.is_some() {
            self.set_goal(Goal { margin, holds })?;
        }
        Ok(holds)
    }

    /// Adds all of these findings from elsewhere, or none.
    pub(crate) fn add_all(&self, findings: &[Finding]) -> Result<(), ProveError> {
        self.in_one(|connection| {
            for finding in findings {
                match finding {
                    Finding::Goal(goal) => self.goal_row(connection, *goal)?,
                    Finding::Split(content, nodes) => {
                        self.spent_row(connection, content, *nodes)?
                    }
                    Finding::Bound(answer) => self.answer_row(connection, answer)?,
                }
            }
            Ok(())
        })
    }

    /// Writes in one transaction: all of it or nothing.
    fn in_one(
        &self,
        write: impl FnOnce(&Connection) -> rusqlite::Result<()>,
    ) -> Result<(), ProveError> {
        self.try_to(|connection| {
            let transaction = connection.unchecked_transaction()?;
            write(&transaction)?;
            transaction.commit()
        })
    }

    /// The answers and splits that were added since the last call with this `read`.
    pub(crate) fn news(&self, read: &mut Read) -> Result<(Vec<Answer>, Vec<Content>), ProveError> {
        type Row = (i64, String, i32, bool, i64, f64, i64, i64);
        let after = *read;
        let bounds: Vec<Row> = self.try_to(|connection| {
            let mut query = connection.prepare_cached(
                "SELECT id, content, margin, holds, nodes, seconds, tablebase, checksum FROM bounds
                 WHERE id > ? ORDER BY id",
            )?;
            let rows = query.query_map([after.bounds], |row| {
                let numbers = (row.get(4)?, row.get(5)?, row.get(6)?, row.get(7)?);
                let (nodes, seconds, tablebase, sum) = numbers;
                let claim = (row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?);
                let (id, content, margin, holds) = claim;
                Ok((id, content, margin, holds, nodes, seconds, tablebase, sum))
            })?;
            rows.collect()
        })?;
        let splits: Vec<(i64, String, i64)> = self.try_to(|connection| {
            let mut query = connection.prepare_cached(
                "SELECT id, content, checksum FROM splits WHERE id > ? ORDER BY id",
            )?;
            let rows = query.query_map([after.splits], |row| {
                Ok((row.get(0)?, row.get(1)?, row.get(2)?))
            })?;
            rows.collect()
        })?;
        let mut answers = Vec::with_capacity(bounds.len());
        for (id, content, margin, holds, nodes, seconds, tablebase, sum) in bounds {
            let damaged = || self.damaged(format!("bound {id}"));
            let expected = self.checksum(&format!("{content}|{margin}|{}", u8::from(holds)));
            let time = Duration::try_from_secs_f64(seconds).map_err(|_| damaged())?;
            let content: Content = content.parse().map_err(|_| damaged())?;
            self.rules.position(&content).map_err(|_| damaged())?;
            let claim = Claim::new(content, margin);
            if sum != expected || claim.margin != margin {
                return Err(damaged());
            }
            answers.push(Answer {
                claim,
                holds,
                nodes: u64::try_from(nodes).map_err(|_| damaged())?,
                time,
                tablebase_seeds: usize::try_from(tablebase).map_err(|_| damaged())?,
            });
            read.bounds = id;
        }
        let mut contents = Vec::with_capacity(splits.len());
        for (id, content, sum) in splits {
            let damaged = || self.damaged(format!("split {id}"));
            let expected = self.checksum(&format!("{content}|split"));
            let content: Content = content.parse().map_err(|_| damaged())?;
            self.rules.position(&content).map_err(|_| damaged())?;
            if sum != expected {
                return Err(damaged());
            }
            contents.push(content);
            read.splits = id;
        }
        Ok((answers, contents))
    }

    /// The cost of all jobs: the nodes, including those of jobs that were given up, and the seconds of the answered ones.
    pub fn spent(&self) -> Result<(u64, f64), ProveError> {
        self.try_to(|connection| {
            // `sum` of integers could overflow in SQLite; `total` adds floating-point numbers.
            let sum =
                "SELECT (SELECT total(nodes) FROM bounds) + (SELECT total(nodes) FROM splits),
                       (SELECT total(seconds) FROM bounds)";
            connection.query_row(sum, [], |row| {
                let nodes: f64 = row.get(0)?;
                Ok((nodes as u64, row.get(1)?))
            })
        })
    }

    /// Leases a claim to a worker for this long, unless another worker has it. A worker that already has it renews its lease. Returns whether
    /// the worker has it now.
    pub fn lease(&self, claim: &Claim, worker: &str, time: Duration) -> Result<bool, ProveError> {
        let until = now() + time.as_secs() as i64;
        let content = claim.content.to_string();
        let taken = self.try_to(|connection| {
            connection.execute(
                "INSERT INTO leases VALUES (?1, ?2, ?3, ?4) ON CONFLICT (content, margin) DO UPDATE
                 SET worker = ?3, until = ?4 WHERE worker = ?3 OR until < ?5",
                params![content, claim.margin, worker, until, now()],
            )
        })?;
        Ok(taken == 1)
    }

    /// Ends all leases of a worker.
    pub fn release(&self, worker: &str) -> Result<(), ProveError> {
        self.try_to(|connection| {
            connection.execute("DELETE FROM leases WHERE worker = ?", [worker])
        })?;
        Ok(())
    }

    /// The claims that other workers are working on.
    pub(crate) fn leases(&self, worker: &str) -> Result<Vec<(String, i32)>, ProveError> {
        self.try_to(|connection| {
            let mut query = connection.prepare_cached(
                "SELECT content, margin FROM leases WHERE until >= ? AND worker <> ?",
            )?;
            let rows =
                query.query_map(params![now(), worker], |row| Ok((row.get(0)?, row.get(1)?)))?;
            rows.collect()
        })
    }

    fn goal_checksum(&self, goal: &Goal) -> i64 {
        self.checksum(&format!("goal|{}|{:?}", goal.margin, goal.holds))
    }

    /// The checksum of a row, which also covers the game and the position.
    pub(crate) fn checksum(&self, row: &str) -> i64 {
        let (game, root) = (self.rules.game(), &self.root);
        let text = format!("{}|{}|{row}", game.spec(), game.position_text(root));
        i64::from(crc32fast::hash(text.as_bytes()))
    }
}

fn problem_of(file: &Path, problem: FileProblem) -> ProveError {
    ProveError::File {
        file: file.display().to_string(),
        problem,
    }
}
