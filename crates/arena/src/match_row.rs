//! A match as a row of a store.

use crate::sqlite::{FileProblem, check_row, checksum};
use kalahari_agents::{AgentSpec, NamedAgent};
use rusqlite::{Connection, OptionalExtension, Row, params};
use std::fmt::Display;
use std::str::FromStr;

/// A row of the table of matches, with the texts of its agents.
pub(crate) struct MatchRow {
    pub(crate) id: String,
    pub(crate) key: String,
    pub(crate) game: String,
    pub(crate) agents: [String; 2],
    pub(crate) openings: String,
    pub(crate) seed: String,
    pub(crate) limits: String,
    pub(crate) adjudicate: String,
    pub(crate) created: i64,
    pub(crate) spec: String,
    pub(crate) identity: Option<String>,
    /// The names of the agents; empty if none were stored.
    pub(crate) names: [String; 2],
}

/// The columns that [`MatchRow::read`] reads, of the tables `m` (matches), `a` and `b` (its agents).
pub(crate) const COLUMNS: &str =
    "m.id, m.key, m.game, a.spec, b.spec, m.openings, m.seed, m.limits, m.adjudicate, m.created,
    m.spec, m.identity, m.checksum, m.name_a, m.name_b, m.names_checksum";

impl MatchRow {
    /// The number of columns.
    pub(crate) const WIDTH: usize = 16;

    /// The names of the agents; one without a name is labelled by its spec.
    pub(crate) fn labels(&self) -> [String; 2] {
        [0, 1].map(|side| match (&self.names[side], &self.agents[side]) {
            (name, agent) if name.is_empty() => match agent.parse::<AgentSpec>() {
                Ok(spec) => NamedAgent::from(spec).label(),
                Err(_) => agent.clone(),
            },
            (name, _) => name.clone(),
        })
    }

    /// All values except those that may change: names, and whether the match is mixed.
    fn with_values<T>(&self, of: impl FnOnce(&[&dyn Display]) -> T) -> T {
        let identity = self.identity.as_deref().unwrap_or_default();
        let [agent_a, agent_b] = &self.agents;
        of(&[
            &self.id,
            &self.key,
            &self.game,
            agent_a,
            agent_b,
            &self.openings,
            &self.seed,
            &self.limits,
            &self.adjudicate,
            &self.created,
            &self.spec,
            &identity,
        ])
    }

    pub(crate) fn insert(&self, connection: &Connection) -> rusqlite::Result<()> {
        let [a, b] = &self.agents;
        let (a, b) = (agent(connection, a)?, agent(connection, b)?);
        connection.execute(
            "INSERT INTO matches VALUES (?,?,?,?,?,?,?,?,?,?,?,?,0,?,'','',0)",
            params![
                self.id,
                self.key,
                self.game,
                a,
                b,
                self.openings,
                self.seed,
                self.limits,
                self.adjudicate,
                self.created,
                self.spec,
                self.identity,
                self.with_values(checksum),
            ],
        )?;
        Ok(())
    }

    /// Reads [`COLUMNS`] and compares the checksum.
    pub(crate) fn read(row: &Row<'_>) -> Result<Self, FileProblem> {
        let read = MatchRow {
            id: row.get(0)?,
            key: row.get(1)?,
            game: row.get(2)?,
            agents: [row.get(3)?, row.get(4)?],
            openings: row.get(5)?,
            seed: row.get(6)?,
            limits: row.get(7)?,
            adjudicate: row.get(8)?,
            created: row.get(9)?,
            spec: row.get(10)?,
            identity: row.get(11)?,
            names: [row.get(13)?, row.get(14)?],
        };
        let name = format!("match {}", read.id);
        read.with_values(|values| check_row(row.get(12)?, values, &name))?;
        let [name_a, name_b] = &read.names;
        check_row(row.get(15)?, &[&read.id, name_a, name_b], name)?;
        Ok(read)
    }

    pub(crate) fn damaged(&self, problem: impl Display) -> FileProblem {
        FileProblem::Damaged(format!("match {}: {problem}", self.id))
    }

    /// Parses the text of a column.
    pub(crate) fn parsed<T: FromStr<Err: Display>>(&self, text: &str) -> Result<T, FileProblem> {
        text.parse().map_err(|error| self.damaged(error))
    }
}

/// The number of an agent. A new agent is inserted.
pub(crate) fn agent(connection: &Connection, spec: &str) -> rusqlite::Result<i64> {
    let find = || {
        connection
            .prepare_cached("SELECT id FROM agents WHERE spec = ?")?
            .query_row([spec], |row| row.get(0))
            .optional()
    };
    if let Some(id) = find()? {
        return Ok(id);
    }
    connection.execute("INSERT INTO agents (spec) VALUES (?)", [spec])?;
    Ok(connection.last_insert_rowid())
}
