//! The store of games: one SQLite file, whose tables `schema.rs` describes.

use crate::ArenaError;
use crate::game_row::{self, GameRow};
use crate::game_rows::{GameRows, ReadyRow};
use crate::identity::{self, Identity};
use crate::match_row::{COLUMNS, MatchRow, agent};
use crate::origin::{Origin, StoredRun};
use crate::run_rows;
use crate::schema::KIND;
use crate::spec::MatchSpec;
use crate::sqlite::{FileProblem, check_structure, checksum, now};
use crate::stats::Tally;
use kalahari_agents::{AgentSpec, NamedAgent, Version};
use kalahari_games::GameSpec;
use kalahari_record::GameRecord;
use rusqlite::{Connection, OptionalExtension, params};
use serde::Serialize;
use std::collections::HashMap;
use std::path::{Path, PathBuf};

/// An open store.
#[derive(Debug)]
pub struct Store {
    connection: Connection,
    file: String,
    /// The file that is created when the first match begins; until then the connection is to an empty store in memory.
    unmade: Option<PathBuf>,
    /// The run that writes, and the number of its row once it has begun a match.
    writer: Option<(Origin, Option<i64>)>,
}

/// A match in a store.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct StoredMatch {
    /// Its id.
    pub id: String,
    /// The game.
    pub game: GameSpec,
    /// The agents. Results are counted from the first one's point of view.
    pub agents: [String; 2],
    /// Their names.
    pub names: [String; 2],
    /// Their versions, if they are external programs.
    pub versions: [Option<Version>; 2],
    /// The openings.
    pub openings: String,
    /// The seed.
    #[serde(rename = "seed")]
    pub rng_seed: u64,
    /// The agents' limits.
    pub limits: String,
    /// How games were adjudicated.
    pub adjudicate: String,
    /// When it began, in seconds since 1970.
    pub created: i64,
    /// How many of its games are finished.
    pub games: u64,
    /// Games the first agent won, drew and lost.
    pub results: [u64; 3],
    /// Complete pairs by the first agent's half points, 0 to 4.
    pub pairs: [u64; 5],
    /// Which program and files played it; `None` if that was not recorded.
    pub identity: Option<Identity>,
    /// Whether games of other identities are among them.
    pub mixed: bool,
}

impl StoredMatch {
    /// Its games and pairs, from the first agent's point of view.
    pub fn tally(&self) -> Tally {
        let [wins, draws, losses] = self.results;
        Tally {
            pentanomial: self.pairs,
            ..Tally::of_games(wins, draws, losses)
        }
    }
}

/// A match that is continued or begun.
#[derive(Clone, Debug)]
pub struct Resumed {
    /// Its id.
    pub id: String,
    /// Its finished games, in order.
    pub games: Vec<GameRecord>,
    /// A note for the user: that a new match begins beside an earlier one, or that a match with another identity is continued.
    pub note: Option<String>,
}

impl Store {
    /// Opens a store. Creates the file if it does not exist.
    pub fn open(file: &Path) -> Result<Self, ArenaError> {
        Self::of(KIND.open(file), file)
    }

    /// Opens a store. If the file does not exist, it is created when the first match begins, so that a match that never begins
    /// leaves no file behind.
    pub fn open_for_matches(file: &Path) -> Result<Self, ArenaError> {
        let folder = match file.parent() {
            Some(folder) if !folder.as_os_str().is_empty() => folder,
            _ => Path::new("."),
        };
        // If the file cannot be created, the error should come at once.
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

    /// Creates the file of a store that has none yet.
    fn make(&mut self) -> Result<(), ArenaError> {
        if let Some(file) = &self.unmade {
            self.connection = KIND.open(file).map_err(|e| self.trouble(e))?;
            self.unmade = None;
        }
        Ok(())
    }

    /// Opens an existing store for reading. It need not be writable.
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

    /// Checks that no row has been lost or duplicated by damage. This reads the whole file, so it is for callers that show all
    /// of it.
    pub fn check(&self) -> Result<(), ArenaError> {
        check_structure(&self.connection).map_err(|e| self.trouble(e))
    }

    /// Finds the match that a run continues, or begins a new one. A match of the same spec with another identity is
    /// left alone, unless `mix` asks to continue the latest of those.
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
                None => *run.insert(run_rows::begin(&transaction, origin)?),
            };
            run_rows::join(&transaction, run, &id)?;
        }
        transaction.commit()?;
        Ok((id, note))
    }

    /// From now on matches that are begun or continued are credited to this origin.
    #[must_use]
    pub fn signed(mut self, origin: Origin) -> Self {
        self.writer = Some((origin, None));
        self
    }

    /// Records that a run elsewhere has played games of these matches. Calling it again changes nothing.
    pub fn credit(&mut self, origin: &Origin, matches: &[String]) -> Result<(), ArenaError> {
        let credited = run_rows::credit(&mut self.connection, origin, matches);
        credited.map_err(|e| self.trouble(e))
    }

    /// The runs that have begun or continued matches, the oldest first.
    pub fn runs(&self) -> Result<Vec<StoredRun>, ArenaError> {
        run_rows::read_all(&self.connection).map_err(|e| self.trouble(e))
    }

    /// Inserts a match, so that games can be added, and returns its id. If the same match with the same identity exists, it is
    /// continued.
    pub fn begin(&mut self, spec: &MatchSpec, identity: &Identity) -> Result<String, ArenaError> {
        self.make()?;
        let entered = self.enter(spec, identity, false);
        let (id, _) = entered.map_err(|e| self.trouble(e))?;
        Ok(id)
    }

    /// Writes a finished game of a match that has been begun. A game that is already there stays as it is; an unfinished one is an
    /// error, since every game of a store counts.
    pub fn add(&mut self, record: &GameRecord) -> Result<(), ArenaError> {
        self.add_all(std::slice::from_ref(record)).map(|_| ())
    }

    /// Writes many games, all or none, as [`add`](Store::add) writes one. Returns how many were new.
    pub fn add_all(&mut self, records: &[GameRecord]) -> Result<u64, ArenaError> {
        self.add_rows(&GameRows::new(records)?)
    }

    /// Like [`add_all`](Store::add_all), for games that are ready to be written.
    pub fn add_rows(&mut self, rows: &GameRows) -> Result<u64, ArenaError> {
        self.make()?;
        self.insert(&rows.0).map_err(|e| self.trouble(e))
    }

    fn insert(&mut self, rows: &[ReadyRow]) -> rusqlite::Result<u64> {
        let transaction = self.connection.transaction()?;
        let mut insert = transaction.prepare_cached(
            "INSERT OR IGNORE INTO games VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)",
        )?;
        let mut new = 0;
        for ready in rows {
            let row = &ready.row;
            let numbers = [
                opening(&transaction, ready)?,
                agent(&transaction, &row.first)?,
                agent(&transaction, &row.second)?,
            ];
            let checksum = ready.checksum;
            new += row.with_params(numbers, checksum, |values| insert.execute(values))? as u64;
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
        let mut pairs = self.pairs()?;
        let mut query = self.connection.prepare(&format!(
            "SELECT {COLUMNS}, m.mixed,
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
                pairs: pairs.remove(&found.id).unwrap_or_default(),
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

    /// The complete pairs of every match by their half points, 0 to 4.
    fn pairs(&self) -> Result<HashMap<String, [u64; 5]>, FileProblem> {
        let mut query = self.connection.prepare(
            "SELECT match, points, count(*) FROM
                 (SELECT match, CAST(2 * sum(score_a) AS INTEGER) AS points FROM games
                  GROUP BY match, place / 2 HAVING count(*) = 2)
             GROUP BY match, points",
        )?;
        let mut rows = query.query([])?;
        let mut pairs: HashMap<String, [u64; 5]> = HashMap::new();
        while let Some(row) = rows.next()? {
            let points = usize::try_from(row.get::<_, i64>(1)?).unwrap_or(usize::MAX);
            if let Some(slot) = pairs.entry(row.get(0)?).or_default().get_mut(points) {
                *slot = row.get::<_, i64>(2)? as u64;
            }
        }
        Ok(pairs)
    }

    /// The finished games of a match, in order. A game that is not as it was written is an error.
    pub fn games(&self, match_id: &str) -> Result<Vec<GameRecord>, ArenaError> {
        self.try_games(match_id).map_err(|e| self.trouble(e))
    }

    fn try_games(&self, match_id: &str) -> Result<Vec<GameRecord>, FileProblem> {
        let found = self
            .connection
            .prepare(&format!(
                "SELECT {COLUMNS} FROM matches m
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

/// The number of a game's opening. A new opening is inserted.
fn opening(connection: &Connection, ready: &ReadyRow) -> rusqlite::Result<i64> {
    let ReadyRow {
        row,
        game,
        opening: moves,
        position,
        ..
    } = ready;
    let found = connection
        .prepare_cached("SELECT id FROM openings WHERE game = ? AND start = ? AND moves = ?")?
        .query_row([game, &row.start, moves], |row| row.get(0))
        .optional()?;
    if let Some(id) = found {
        return Ok(id);
    }
    connection.execute(
        "INSERT INTO openings (game, start, moves, position) VALUES (?,?,?,?)",
        [game, &row.start, moves, position],
    )?;
    Ok(connection.last_insert_rowid())
}
