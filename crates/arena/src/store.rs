//! The store of games: one SQLite file.
//!
//! ```text
//! agents    id, spec
//! matches   id (16 hex digits), key, game, agent_a, agent_b, openings, seed, limits, adjudicate, created,
//!           spec, identity (JSON), mixed, checksum, name_a, name_b, names_checksum
//! openings  id, game, start, moves, position
//! runs      id, experiment (a file's text, empty without one), command, program, commit_id, machine, began, checksum
//! run_matches  run, match, began
//! games     match, place (from 0: pair = place / 2, seating = place % 2), number (from 1, as tables show it), opening, first, second,
//!           result, margin, score_a (0, 0.5, 1), margin_a, ending, detail,
//!           book, plies, moves, times, opinions, seconds, played, checksum
//! ```
//!
//! A game is one row and is written in one transaction, so a program that is killed leaves whole games only.
//! A match and a place name a game; writing it again changes nothing. `moves`, `times` and `opinions` are
//! lists separated by blanks, one entry a move, `-` for none: texts of moves, microseconds, values as in a
//! record. `margin` is the first player's, `margin_a` the match's first agent's. `checksum` is that of the row with the texts
//! of its agents and its opening's start, 0 where an older program wrote none; what does not fit it is refused on reading.
//!
//! `name_a` and `name_b` are what the agents were called when the match was last played, empty in what older programs wrote.
//! `spec` tells apart what was asked for, `identity` which program and which files played it (missing where an older program
//! began the match), `key` is both. A match that is `mixed` has games of other identities, too.

use crate::ArenaError;
use crate::game_row::{self, GameRow};
use crate::identity::{self, Identity};
use crate::origin::{Origin, StoredRun};
use crate::spec::MatchSpec;
use crate::sqlite::{FileKind, FileProblem, check_row, check_structure, checksum, now};
use kalahari_agents::{AgentSpec, NamedAgent, Version};
use kalahari_games::{Game, GameSpec};
use kalahari_record::{GameRecord, words};
use rusqlite::{Connection, OptionalExtension, Row, params};
use serde::Serialize;
use std::fmt::Display;
use std::path::{Path, PathBuf};
use std::str::FromStr;

/// A store that is open.
#[derive(Debug)]
pub struct Store {
    connection: Connection,
    file: String,
    /// The file that is made when the first match begins; until then the connection is to an empty store in memory.
    unmade: Option<PathBuf>,
    /// Who writes, and the number of their row once they have begun a match.
    writer: Option<(Origin, Option<i64>)>,
}

/// A match in a store.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct StoredMatch {
    /// Its name.
    pub id: String,
    /// The game.
    pub game: GameSpec,
    /// The agents, the one from whose side results are counted first.
    pub agents: [String; 2],
    /// What they are called.
    pub names: [String; 2],
    /// Which versions they are, if they are somebody else's.
    pub versions: [Option<Version>; 2],
    /// The openings.
    pub openings: String,
    /// The seed.
    #[serde(rename = "seed")]
    pub rng_seed: u64,
    /// What agents might spend.
    pub limits: String,
    /// How games were adjudicated.
    pub adjudicate: String,
    /// When it began, in seconds since 1970.
    pub created: i64,
    /// How many of its games are finished.
    pub games: u64,
    /// Games the first agent won, drew and lost.
    pub results: [u64; 3],
    /// Which program and which files played it; `None` if nobody wrote that down.
    pub identity: Option<Identity>,
    /// Whether games of other identities are among them.
    pub mixed: bool,
}

/// A match that is played on.
#[derive(Clone, Debug)]
pub struct Resumed {
    /// Its name.
    pub id: String,
    /// Its finished games, in order.
    pub games: Vec<GameRecord>,
    /// What the user should know: that it begins anew beside an earlier one, or goes on with one that is not the same.
    pub note: Option<String>,
}

/// Such a file. The number says "KALA".
const KIND: FileKind = FileKind {
    name: "a store of games",
    application: 0x4b41_4c41,
    versions: &[
        "
CREATE TABLE agents (
    id INTEGER PRIMARY KEY,
    spec TEXT NOT NULL UNIQUE
) STRICT;
CREATE TABLE matches (
    id TEXT PRIMARY KEY,
    key TEXT NOT NULL UNIQUE,
    game TEXT NOT NULL,
    agent_a INTEGER NOT NULL REFERENCES agents,
    agent_b INTEGER NOT NULL REFERENCES agents,
    openings TEXT NOT NULL,
    seed TEXT NOT NULL,
    limits TEXT NOT NULL,
    adjudicate TEXT NOT NULL,
    created INTEGER NOT NULL
) STRICT;
CREATE TABLE openings (
    id INTEGER PRIMARY KEY,
    game TEXT NOT NULL,
    start TEXT NOT NULL,
    moves TEXT NOT NULL,
    position TEXT NOT NULL,
    UNIQUE (game, start, moves)
) STRICT;
CREATE TABLE games (
    match TEXT NOT NULL REFERENCES matches,
    number INTEGER NOT NULL,
    opening INTEGER NOT NULL REFERENCES openings,
    first INTEGER NOT NULL REFERENCES agents,
    second INTEGER NOT NULL REFERENCES agents,
    result TEXT NOT NULL,
    margin INTEGER,
    score_a REAL NOT NULL,
    margin_a INTEGER,
    ending TEXT NOT NULL,
    detail TEXT NOT NULL,
    book INTEGER NOT NULL,
    plies INTEGER NOT NULL,
    moves TEXT NOT NULL,
    times TEXT NOT NULL,
    opinions TEXT NOT NULL,
    seconds REAL NOT NULL,
    played INTEGER NOT NULL,
    PRIMARY KEY (match, number)
) STRICT, WITHOUT ROWID;
",
        "
ALTER TABLE matches ADD COLUMN spec TEXT NOT NULL DEFAULT '';
ALTER TABLE matches ADD COLUMN identity TEXT;
ALTER TABLE matches ADD COLUMN mixed INTEGER NOT NULL DEFAULT 0;
UPDATE matches SET spec = key;
",
        "
ALTER TABLE matches ADD COLUMN checksum INTEGER NOT NULL DEFAULT 0;
ALTER TABLE games ADD COLUMN checksum INTEGER NOT NULL DEFAULT 0;
",
        "
ALTER TABLE matches ADD COLUMN name_a TEXT NOT NULL DEFAULT '';
ALTER TABLE matches ADD COLUMN name_b TEXT NOT NULL DEFAULT '';
ALTER TABLE matches ADD COLUMN names_checksum INTEGER NOT NULL DEFAULT 0;
ALTER TABLE games RENAME COLUMN number TO place;
ALTER TABLE games ADD COLUMN number INTEGER GENERATED ALWAYS AS (place + 1) VIRTUAL;
CREATE TABLE runs (
    id INTEGER PRIMARY KEY,
    experiment TEXT NOT NULL,
    command TEXT NOT NULL,
    program TEXT NOT NULL,
    commit_id TEXT NOT NULL,
    machine TEXT NOT NULL,
    began INTEGER NOT NULL,
    checksum INTEGER NOT NULL
) STRICT;
CREATE TABLE run_matches (
    run INTEGER NOT NULL REFERENCES runs,
    match TEXT NOT NULL REFERENCES matches,
    began INTEGER NOT NULL,
    PRIMARY KEY (run, match)
) STRICT, WITHOUT ROWID;
",
    ],
};

impl Store {
    /// Opens a store; makes it if there is no such file.
    pub fn open(file: &Path) -> Result<Self, ArenaError> {
        Self::of(KIND.open(file), file)
    }

    /// Opens a store; if there is no such file, it is made when the first match begins, so that a match that never begins leaves
    /// none behind.
    pub fn open_for_matches(file: &Path) -> Result<Self, ArenaError> {
        let folder = match file.parent() {
            Some(folder) if !folder.as_os_str().is_empty() => folder,
            _ => Path::new("."),
        };
        // Where no file can be made, that is to be said at once.
        let can_wait = folder
            .metadata()
            .is_ok_and(|data| data.is_dir() && !data.permissions().readonly());
        if std::fs::symlink_metadata(file).is_ok() || !can_wait {
            return Self::open(file);
        }
        let mut store = Self::of(KIND.in_memory(), file)?;
        store.unmade = Some(file.to_owned());
        Ok(store)
    }

    /// Makes the file of a store that has none yet.
    fn make(&mut self) -> Result<(), ArenaError> {
        if let Some(file) = &self.unmade {
            self.connection = KIND.open(file).map_err(|e| self.trouble(e))?;
            self.unmade = None;
        }
        Ok(())
    }

    /// Opens a store that has to exist, to read it: it need not be writable.
    pub fn open_existing(file: &Path) -> Result<Self, ArenaError> {
        Self::of(KIND.open_existing(file), file)
    }

    fn of(opened: Result<Connection, FileProblem>, file: &Path) -> Result<Self, ArenaError> {
        let file = file.display().to_string();
        match opened {
            Ok(connection) => Ok(Store {
                connection,
                file,
                unmade: None,
                writer: None,
            }),
            Err(problem) => Err(ArenaError::Store { file, problem }),
        }
    }

    fn trouble(&self, problem: impl Into<FileProblem>) -> ArenaError {
        ArenaError::Store {
            file: self.file.clone(),
            problem: problem.into(),
        }
    }

    /// Makes sure that no row has been lost or doubled by damage. Reads the whole file: for whoever shows all of it.
    pub fn check(&self) -> Result<(), ArenaError> {
        check_structure(&self.connection).map_err(|e| self.trouble(e))
    }

    /// Finds the match that a run goes on with, or begins a new one. A match of the same spec whose identity was another is
    /// left alone, unless `mix` says that the last of those goes on.
    pub fn resume(
        &mut self,
        spec: &MatchSpec,
        identity: &Identity,
        mix: bool,
    ) -> Result<Resumed, ArenaError> {
        self.make()?;
        let entered = self.enter(spec, identity, mix);
        let (id, note) = entered.map_err(|e| self.trouble(e))?;
        let games = self.games(&id)?;
        Ok(Resumed { id, games, note })
    }

    fn enter(
        &mut self,
        spec: &MatchSpec,
        identity: &Identity,
        mix: bool,
    ) -> rusqlite::Result<(String, Option<String>)> {
        let transaction = self.connection.transaction()?;
        let key = spec.key();
        let (kept, note) =
            identity::resume(&transaction, ("matches", "match"), &key, identity, mix)?;
        let id = match kept {
            Some(id) => id,
            None => {
                let id = spec.id(identity);
                let agents = spec.agents.each_ref().map(|agent| agent.spec.to_string());
                let row = MatchRow {
                    id: id.clone(),
                    key: identity.key_with(&key),
                    game: spec.game.to_string(),
                    openings: spec.openings.to_string(),
                    seed: spec.rng_seed.to_string(),
                    limits: spec.limits_text(),
                    adjudicate: spec.rules.adjudicate.name().to_owned(),
                    created: now(),
                    spec: key,
                    identity: Some(identity.text()),
                    agents,
                    names: Default::default(),
                };
                row.insert(&transaction)?;
                id
            }
        };
        let [name_a, name_b] = spec.agents.each_ref().map(NamedAgent::label);
        transaction.execute(
            "UPDATE matches SET name_a = ?1, name_b = ?2, names_checksum = ?3
             WHERE id = ?4 AND (name_a, name_b) <> (?1, ?2)",
            params![name_a, name_b, checksum(&[&id, &name_a, &name_b]), id],
        )?;
        if let Some((origin, run)) = &mut self.writer {
            let run = match *run {
                Some(run) => run,
                None => *run.insert(begin_run(&transaction, origin)?),
            };
            transaction.execute(
                "INSERT OR IGNORE INTO run_matches VALUES (?,?,?)",
                params![run, id, now()],
            )?;
        }
        transaction.commit()?;
        Ok((id, note))
    }

    /// From now on matches that are begun or gone on with are this one's.
    #[must_use]
    pub fn signed(mut self, origin: Origin) -> Self {
        self.writer = Some((origin, None));
        self
    }

    /// Writes down that a run, somewhere else, has played games of these matches. Once is enough: again it changes nothing.
    pub fn credit(&mut self, origin: &Origin, matches: &[String]) -> Result<(), ArenaError> {
        let credited = self.try_credit(origin, matches);
        credited.map_err(|e| self.trouble(e))
    }

    fn try_credit(&mut self, origin: &Origin, matches: &[String]) -> rusqlite::Result<()> {
        let transaction = self.connection.transaction()?;
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
            None => begin_run(&transaction, origin)?,
        };
        for id in matches {
            transaction.execute(
                "INSERT OR IGNORE INTO run_matches VALUES (?,?,?)",
                params![run, id, now()],
            )?;
        }
        transaction.commit()
    }

    /// The runs that have begun matches or gone on with them, the oldest first.
    pub fn runs(&self) -> Result<Vec<StoredRun>, ArenaError> {
        self.try_runs().map_err(|e| self.trouble(e))
    }

    fn try_runs(&self) -> Result<Vec<StoredRun>, FileProblem> {
        let mut query = self.connection.prepare(
            "SELECT id, experiment, command, program, commit_id, machine, began, checksum,
                    (SELECT max(g.played) FROM games g JOIN run_matches m ON m.match = g.match WHERE m.run = runs.id)
             FROM runs ORDER BY id",
        )?;
        let mut of_run = self
            .connection
            .prepare("SELECT match FROM run_matches WHERE run = ? ORDER BY began, match")?;
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

    /// Enters a match, so that games can be added, and gives its name. The same match of the same identity is gone on with.
    pub fn begin(&mut self, spec: &MatchSpec, identity: &Identity) -> Result<String, ArenaError> {
        self.make()?;
        let entered = self.enter(spec, identity, false);
        let (id, _) = entered.map_err(|e| self.trouble(e))?;
        Ok(id)
    }

    /// Writes a finished game of a match that has been entered. A game that is there already stays as it is; one that is not
    /// finished is refused, since every game of a store counts.
    pub fn add(&mut self, record: &GameRecord) -> Result<(), ArenaError> {
        self.add_all(std::slice::from_ref(record)).map(|_| ())
    }

    /// Writes many games, all or none, as [`add`](Store::add) writes one. Gives how many were not there before.
    pub fn add_all(&mut self, records: &[GameRecord]) -> Result<u64, ArenaError> {
        let mut rows = Vec::with_capacity(records.len());
        for record in records {
            let verdict = record.verdict(record.seat_of_a());
            let verdict = verdict.ok_or(ArenaError::Unfinished)?;
            let (game, positions) = record.replay()?;
            let position = positions[record.opening().len()];
            let position = game.position_text(&position);
            rows.push((GameRow::new(record, verdict), record, position));
        }
        self.make()?;
        self.insert(&rows).map_err(|e| self.trouble(e))
    }

    /// Writes rows with their games and the positions after their openings.
    fn insert(&mut self, rows: &[(GameRow, &GameRecord, String)]) -> rusqlite::Result<u64> {
        let transaction = self.connection.transaction()?;
        let mut insert = transaction.prepare_cached(
            "INSERT OR IGNORE INTO games VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)",
        )?;
        let mut new = 0;
        for (row, record, position) in rows {
            let numbers = [
                opening(&transaction, row, record, position)?,
                agent(&transaction, &row.first)?,
                agent(&transaction, &row.second)?,
            ];
            new += row.with_params(numbers, |values| insert.execute(values))? as u64;
        }
        drop(insert);
        transaction.commit()?;
        Ok(new)
    }

    /// All matches, the oldest first.
    pub fn matches(&self) -> Result<Vec<StoredMatch>, ArenaError> {
        self.try_matches().map_err(|e| self.trouble(e))
    }

    fn try_matches(&self) -> Result<Vec<StoredMatch>, FileProblem> {
        let mut query = self.connection.prepare(&format!(
            "SELECT {MATCH_COLUMNS}, m.mixed,
                    count(g.place), coalesce(sum(g.score_a = 1), 0),
                    coalesce(sum(g.score_a = 0.5), 0), coalesce(sum(g.score_a = 0), 0)
             FROM matches m LEFT JOIN agents a ON a.id = m.agent_a LEFT JOIN agents b ON b.id = m.agent_b
                  LEFT JOIN games g ON g.match = m.id
             GROUP BY m.id ORDER BY m.created, m.rowid",
        ))?;
        let mut rows = query.query([])?;
        let mut matches = Vec::new();
        while let Some(row) = rows.next()? {
            let found = MatchRow::read(row)?;
            let count = |column| row.get::<_, i64>(column).map(|count| count as u64);
            let identity: Option<Identity> = match &found.identity {
                Some(text) => {
                    let read = serde_json::from_str(text);
                    Some(read.map_err(|error| found.damaged(error))?)
                }
                None => None,
            };
            let version = |agent: &String| {
                let files = &identity.as_ref()?.files;
                files.version_of(&agent.parse::<AgentSpec>().ok()?)
            };
            matches.push(StoredMatch {
                game: found.parsed(&found.game)?,
                rng_seed: found.parsed(&found.seed)?,
                names: found.labels(),
                versions: found.agents.each_ref().map(version),
                identity,
                mixed: row.get(MatchRow::WIDTH)?,
                games: count(MatchRow::WIDTH + 1)?,
                results: [
                    count(MatchRow::WIDTH + 2)?,
                    count(MatchRow::WIDTH + 3)?,
                    count(MatchRow::WIDTH + 4)?,
                ],
                id: found.id,
                agents: found.agents,
                openings: found.openings,
                limits: found.limits,
                adjudicate: found.adjudicate,
                created: found.created,
            });
        }
        Ok(matches)
    }

    /// The finished games of a match, in order. One that is not as it was written is an error.
    pub fn games(&self, match_id: &str) -> Result<Vec<GameRecord>, ArenaError> {
        self.try_games(match_id).map_err(|e| self.trouble(e))
    }

    fn try_games(&self, match_id: &str) -> Result<Vec<GameRecord>, FileProblem> {
        let found = self
            .connection
            .prepare(&format!(
                "SELECT {MATCH_COLUMNS} FROM matches m
                 LEFT JOIN agents a ON a.id = m.agent_a LEFT JOIN agents b ON b.id = m.agent_b WHERE m.id = ?"
            ))?
            .query_row([match_id], |row| Ok(MatchRow::read(row)))
            .optional()?;
        let Some(found) = found.transpose()? else {
            return Ok(Vec::new());
        };
        let (game, rng_seed) = (found.parsed(&found.game)?, found.parsed(&found.seed)?);
        let names = found.labels();
        let mut query = self.connection.prepare(&format!(
            "SELECT {} FROM games g LEFT JOIN openings o ON o.id = g.opening
                  LEFT JOIN agents f ON f.id = g.first LEFT JOIN agents s ON s.id = g.second
             WHERE g.match = ? ORDER BY g.place",
            game_row::COLUMNS
        ))?;
        let mut rows = query.query([match_id])?;
        let mut games = Vec::new();
        while let Some(row) = rows.next()? {
            games.push(GameRow::read(row)?.record(game, rng_seed, &names)?);
        }
        Ok(games)
    }
}

/// Enters a run and gives its number.
fn begin_run(connection: &Connection, origin: &Origin) -> rusqlite::Result<i64> {
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

/// Everything of a run that a checksum covers.
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

/// A row of the table of matches, with the texts of its agents.
struct MatchRow {
    id: String,
    key: String,
    game: String,
    agents: [String; 2],
    openings: String,
    seed: String,
    limits: String,
    adjudicate: String,
    created: i64,
    spec: String,
    identity: Option<String>,
    /// What the agents are called; empty if nobody wrote that down.
    names: [String; 2],
}

/// The columns that [`MatchRow::read`] reads, of the tables `m` (matches), `a` and `b` (its agents).
const MATCH_COLUMNS: &str =
    "m.id, m.key, m.game, a.spec, b.spec, m.openings, m.seed, m.limits, m.adjudicate, m.created,
    m.spec, m.identity, m.checksum, m.name_a, m.name_b, m.names_checksum";

impl MatchRow {
    /// How many columns it has.
    const WIDTH: usize = 16;

    /// What the agents are called.
    fn labels(&self) -> [String; 2] {
        [0, 1].map(|side| match (&self.names[side], &self.agents[side]) {
            (name, agent) if name.is_empty() => match agent.parse::<AgentSpec>() {
                Ok(spec) => NamedAgent::from(spec).label(),
                Err(_) => agent.clone(),
            },
            (name, _) => name.clone(),
        })
    }

    /// Everything but what may change: names, and whether the match is mixed.
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

    fn insert(&self, connection: &Connection) -> rusqlite::Result<()> {
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

    /// Reads [`MATCH_COLUMNS`] and compares the checksum.
    fn read(row: &Row<'_>) -> Result<Self, FileProblem> {
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

    fn damaged(&self, problem: impl Display) -> FileProblem {
        FileProblem::Damaged(format!("match {}: {problem}", self.id))
    }

    /// A column that holds the text of something.
    fn parsed<T: FromStr<Err: Display>>(&self, text: &str) -> Result<T, FileProblem> {
        text.parse().map_err(|error| self.damaged(error))
    }
}

/// The number of an agent, which is entered if it is new.
fn agent(connection: &Connection, spec: &str) -> rusqlite::Result<i64> {
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

/// The number of a game's opening, which is entered if it is new.
fn opening(
    connection: &Connection,
    row: &GameRow,
    record: &GameRecord,
    position: &str,
) -> rusqlite::Result<i64> {
    let moves = words(record.opening(), |mv| Some(mv.mv));
    let game = record.game.to_string();
    let found = connection
        .prepare_cached("SELECT id FROM openings WHERE game = ? AND start = ? AND moves = ?")?
        .query_row([&game, &row.start, &moves], |row| row.get(0))
        .optional()?;
    if let Some(id) = found {
        return Ok(id);
    }
    connection.execute(
        "INSERT INTO openings (game, start, moves, position) VALUES (?,?,?,?)",
        [&game, &row.start, &moves, position],
    )?;
    Ok(connection.last_insert_rowid())
}
