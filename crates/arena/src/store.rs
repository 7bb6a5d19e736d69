//! The store of games: one SQLite file.
//!
//! ```text
//! agents    id, spec
//! matches   id (16 hex digits), key, game, agent_a, agent_b, openings, seed, limits, adjudicate, created
//! openings  id, game, start, moves, position
//! games     match, number (pair = number / 2, seating = number % 2), opening, first, second,
//!           result, margin, score_a (0, 0.5, 1), margin_a, ending, detail,
//!           book, plies, moves, times, opinions, seconds, played
//! ```
//!
//! A game is one row and is written in one transaction, so a program that is killed leaves whole games only.
//! A match and a number name a game; writing it again changes nothing. `moves`, `times` and `opinions` are
//! lists separated by blanks, one entry a move, `-` for none: texts of moves, microseconds, values as in a
//! record. `margin` is the first player's, `margin_a` the match's first agent's.

use crate::ArenaError;
use crate::record::{GameRecord, RecordedMove, read_value, value_text};
use crate::spec::MatchSpec;
use crate::sqlite::{FileKind, now};
use kalahari_games::{GameSpec, Player};
use rusqlite::{Connection, OptionalExtension, Row, params};
use serde::Serialize;
use std::path::Path;

/// A store that is open.
#[derive(Debug)]
pub struct Store {
    connection: Connection,
    file: String,
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
    /// The openings.
    pub openings: String,
    /// The seed.
    pub seed: u64,
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
}

/// Such a file. The number says "KALA".
const KIND: FileKind = FileKind {
    name: "a store of games",
    application: 0x4b41_4c41,
    version: 1,
    tables: "
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
};

impl Store {
    /// Opens a store; makes it if there is no such file.
    pub fn open(file: &Path) -> Result<Self, ArenaError> {
        Self::of(KIND.open(file), file)
    }

    /// Opens a store that has to exist.
    pub fn open_existing(file: &Path) -> Result<Self, ArenaError> {
        Self::of(KIND.open_existing(file), file)
    }

    fn of(opened: Result<Connection, String>, file: &Path) -> Result<Self, ArenaError> {
        let file = file.display().to_string();
        match opened {
            Ok(connection) => Ok(Store { connection, file }),
            Err(problem) => Err(ArenaError::Store { file, problem }),
        }
    }

    fn trouble(&self, error: rusqlite::Error) -> ArenaError {
        ArenaError::Store {
            file: self.file.clone(),
            problem: error.to_string(),
        }
    }

    /// Makes sure that a match is known and gives its finished games below `games`, in order.
    pub fn resume(&mut self, spec: &MatchSpec, games: u32) -> Result<Vec<GameRecord>, ArenaError> {
        self.enter(spec).map_err(|e| self.trouble(e))?;
        let mut records = self.games(&spec.id())?;
        records.retain(|record| record.number < games);
        Ok(records)
    }

    fn enter(&mut self, spec: &MatchSpec) -> rusqlite::Result<()> {
        let transaction = self.connection.transaction()?;
        let a = agent(&transaction, &spec.agents[0].to_string())?;
        let b = agent(&transaction, &spec.agents[1].to_string())?;
        transaction.execute(
            "INSERT OR IGNORE INTO matches VALUES (?,?,?,?,?,?,?,?,?,?)",
            params![
                spec.id(),
                spec.key(),
                spec.game.to_string(),
                a,
                b,
                spec.openings.to_string(),
                spec.seed.to_string(),
                spec.limits_text(),
                spec.rules.adjudicate.name(),
                now()
            ],
        )?;
        transaction.commit()
    }

    /// Writes a finished game of a match that has been entered. A game that is there already stays as it is.
    pub fn add(&mut self, record: &GameRecord, position: &str) -> Result<(), ArenaError> {
        self.insert(record, position).map_err(|e| self.trouble(e))
    }

    fn insert(&mut self, record: &GameRecord, position: &str) -> rusqlite::Result<()> {
        let transaction = self.connection.transaction()?;
        let [first, second] = [0, 1].map(|seat: usize| agent(&transaction, &record.players[seat]));
        let opening = opening(&transaction, record, position)?;
        let list = |entry: fn(&RecordedMove) -> String| -> String {
            record.moves.iter().map(entry).collect::<Vec<_>>().join(" ")
        };
        let seat = record.seat_of_a();
        transaction
            .prepare_cached(
                "INSERT OR IGNORE INTO games VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)",
            )?
            .execute(params![
                record.match_id,
                record.number,
                opening,
                first?,
                second?,
                record.result_text(),
                record.margin,
                f64::from(record.score(seat).half_points()) / 2.0,
                record.margin.map(|margin| margin * seat.sign()),
                record.ending.name(),
                record.detail,
                record.book as i64,
                record.moves.len() as i64,
                list(|mv| mv.mv.clone()),
                list(|mv| mv
                    .micros
                    .map_or("-".to_owned(), |micros| micros.to_string())),
                list(|mv| mv.value.as_ref().map_or("-".to_owned(), value_text)),
                record.seconds(),
                now()
            ])?;
        transaction.commit()
    }

    /// All matches, the oldest first.
    pub fn matches(&self) -> Result<Vec<StoredMatch>, ArenaError> {
        let read = || -> rusqlite::Result<Vec<StoredMatch>> {
            let mut query = self.connection.prepare(
                "SELECT m.id, m.game, a.spec, b.spec, m.openings, m.seed, m.limits, m.adjudicate, m.created,
                        count(g.number), coalesce(sum(g.score_a = 1), 0),
                        coalesce(sum(g.score_a = 0.5), 0), coalesce(sum(g.score_a = 0), 0)
                 FROM matches m JOIN agents a ON a.id = m.agent_a JOIN agents b ON b.id = m.agent_b
                      LEFT JOIN games g ON g.match = m.id
                 GROUP BY m.id ORDER BY m.created, m.rowid",
            )?;
            let rows = query.query_map([], |row| {
                Ok(StoredMatch {
                    id: row.get(0)?,
                    game: parsed(row, 1)?,
                    agents: [row.get(2)?, row.get(3)?],
                    openings: row.get(4)?,
                    seed: parsed(row, 5)?,
                    limits: row.get(6)?,
                    adjudicate: row.get(7)?,
                    created: row.get(8)?,
                    games: row.get::<_, i64>(9)? as u64,
                    results: [
                        row.get::<_, i64>(10)? as u64,
                        row.get::<_, i64>(11)? as u64,
                        row.get::<_, i64>(12)? as u64,
                    ],
                })
            })?;
            rows.collect()
        };
        read().map_err(|e| self.trouble(e))
    }

    /// The finished games of a match, in order.
    pub fn games(&self, match_id: &str) -> Result<Vec<GameRecord>, ArenaError> {
        let read = || -> rusqlite::Result<Vec<GameRecord>> {
            let mut query = self.connection.prepare(
                "SELECT m.game, f.spec, s.spec, o.start, g.book, g.result, g.margin, g.ending, g.detail,
                        g.match, g.number, m.seed, g.moves, g.times, g.opinions
                 FROM games g JOIN matches m ON m.id = g.match JOIN openings o ON o.id = g.opening
                      JOIN agents f ON f.id = g.first JOIN agents s ON s.id = g.second
                 WHERE g.match = ? ORDER BY g.number",
            )?;
            query.query_map([match_id], record)?.collect()
        };
        read().map_err(|e| self.trouble(e))
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
fn opening(connection: &Connection, record: &GameRecord, position: &str) -> rusqlite::Result<i64> {
    let start = record.start.as_deref().unwrap_or_default();
    let moves: Vec<&str> = record.moves[..record.book.min(record.moves.len())]
        .iter()
        .map(|mv| mv.mv.as_str())
        .collect();
    let (game, moves) = (record.game.to_string(), moves.join(" "));
    let found = connection
        .prepare_cached("SELECT id FROM openings WHERE game = ? AND start = ? AND moves = ?")?
        .query_row([&game, start, &moves], |row| row.get(0))
        .optional()?;
    if let Some(id) = found {
        return Ok(id);
    }
    connection.execute(
        "INSERT INTO openings (game, start, moves, position) VALUES (?,?,?,?)",
        [&game, start, &moves, position],
    )?;
    Ok(connection.last_insert_rowid())
}

/// A column that holds the text of something.
fn parsed<T: std::str::FromStr<Err: std::fmt::Display>>(
    row: &Row<'_>,
    column: usize,
) -> rusqlite::Result<T> {
    let text: String = row.get(column)?;
    text.parse()
        .map_err(|error: T::Err| damaged(column, error.to_string()))
}

fn damaged(column: usize, problem: String) -> rusqlite::Error {
    rusqlite::Error::FromSqlConversionFailure(column, rusqlite::types::Type::Text, problem.into())
}

/// Reads a game's row.
fn record(row: &Row<'_>) -> rusqlite::Result<GameRecord> {
    let start: String = row.get(3)?;
    let result: String = row.get(5)?;
    let (moves, times, opinions): (String, String, String) =
        (row.get(12)?, row.get(13)?, row.get(14)?);
    let mut times = times.split(' ');
    let mut opinions = opinions.split(' ');
    let moves: Vec<RecordedMove> = moves
        .split(' ')
        .filter(|mv| !mv.is_empty())
        .map(|mv| RecordedMove {
            mv: mv.to_owned(),
            micros: times.next().and_then(|time| time.parse().ok()),
            value: opinions.next().and_then(read_value),
        })
        .collect();
    Ok(GameRecord {
        game: parsed(row, 0)?,
        players: [row.get(1)?, row.get(2)?],
        start: (!start.is_empty()).then_some(start),
        book: (row.get::<_, i64>(4)?.max(0) as usize).min(moves.len()),
        moves,
        winner: match result.as_str() {
            "1-0" => Some(Player::First),
            "0-1" => Some(Player::Second),
            "1/2-1/2" => None,
            _ => return Err(damaged(5, format!("no result '{result}'"))),
        },
        margin: row.get(6)?,
        ending: parsed(row, 7)?,
        detail: row.get(8)?,
        match_id: row.get(9)?,
        number: row.get(10)?,
        seed: parsed(row, 11)?,
    })
}
