//! Runs as rows of a store: which program played which matches, and on which machine.

use crate::origin::{Origin, StoredRun};
use crate::sqlite::{FileProblem, check_row, checksum, now};
use rusqlite::{Connection, OptionalExtension, params};
use std::fmt::Display;

/// Inserts a run and returns its number.
pub(crate) fn begin(connection: &Connection, origin: &Origin) -> rusqlite::Result<i64> {
    let began = now();
    connection.execute(
        "INSERT INTO runs (experiment, command, program, commit_id, machine, began, checksum) VALUES (?,?,?,?,?,?,?)",
        params![
            origin.experiment.as_deref().unwrap_or_default(),
            origin.command,
            origin.program,
            origin.commit.as_deref().unwrap_or_default(),
            origin.machine,
            began,
            checksum(&run_values(origin, &began)),
        ],
    )?;
    Ok(connection.last_insert_rowid())
}

/// Records that a run has begun or continued a match.
pub(crate) fn join(connection: &Connection, run: i64, match_id: &str) -> rusqlite::Result<()> {
    connection.execute(
        "INSERT OR IGNORE INTO run_matches VALUES (?,?,?)",
        params![run, match_id, now()],
    )?;
    Ok(())
}

/// Records that a run has played games of these matches. Calling it again changes nothing.
pub(crate) fn credit(
    connection: &mut Connection,
    origin: &Origin,
    matches: &[String],
) -> rusqlite::Result<()> {
    let transaction = connection.transaction()?;
    let known = transaction
        .query_row(
            "SELECT id FROM runs
             WHERE (experiment, command, program, commit_id, machine) = (?,?,?,?,?)",
            params![
                origin.experiment.as_deref().unwrap_or_default(),
                origin.command,
                origin.program,
                origin.commit.as_deref().unwrap_or_default(),
                origin.machine,
            ],
            |row| row.get(0),
        )
        .optional()?;
    let run: i64 = match known {
        Some(run) => run,
        None => begin(&transaction, origin)?,
    };
    for id in matches {
        join(&transaction, run, id)?;
    }
    transaction.commit()
}

/// All runs, the oldest first.
pub(crate) fn read_all(connection: &Connection) -> Result<Vec<StoredRun>, FileProblem> {
    let mut query = connection.prepare(
        "SELECT id, experiment, command, program, commit_id, machine, began, checksum,
                (SELECT max(g.played) FROM games g JOIN run_matches m ON m.match = g.match WHERE m.run = runs.id)
         FROM runs ORDER BY id",
    )?;
    let mut of_run =
        connection.prepare("SELECT match FROM run_matches WHERE run = ? ORDER BY began, match")?;
    let mut rows = query.query([])?;
    let mut runs = Vec::new();
    while let Some(row) = rows.next()? {
        let id: i64 = row.get(0)?;
        let text = |column: usize| row.get::<_, String>(column);
        let some = |text: String| Some(text).filter(|text| !text.is_empty());
        let (origin, began) = (
            Origin {
                experiment: some(text(1)?),
                command: text(2)?,
                program: text(3)?,
                commit: some(text(4)?),
                machine: text(5)?,
            },
            row.get(6)?,
        );
        let name = format!("run {id}");
        check_row(row.get(7)?, &run_values(&origin, &began), name)?;
        let matches = of_run.query_map([id], |row| row.get(0))?;
        runs.push(StoredRun {
            origin,
            began,
            ended: row.get::<_, Option<i64>>(8)?.unwrap_or(began),
            matches: matches.collect::<Result<_, _>>()?,
        });
    }
    Ok(runs)
}

/// All values of a run that its checksum covers.
fn run_values<'a>(origin: &'a Origin, began: &'a i64) -> [&'a dyn Display; 6] {
    const NONE: &&str = &"";
    [
        match &origin.experiment {
            Some(text) => text,
            None => NONE,
        },
        &origin.command,
        &origin.program,
        match &origin.commit {
            Some(commit) => commit,
            None => NONE,
        },
        &origin.machine,
        began,
    ]
}
