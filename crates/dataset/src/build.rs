//! Makes a dataset, shard by shard.
//!
//! A shard is made in memory, written whole and then entered into the manifest. However the program ends, the folder holds a valid
//! dataset, and the same command continues with the first missing shard. A shard depends only on the recipe and its number.

use crate::csv_file;
use crate::error::{DatasetError, SHARD};
use crate::format::Format;
use crate::label::{Searcher, by_proof, by_search, exact_source};
use crate::manifest::{Entry, Manifest};
use crate::recipe::{Labels, Recipe, Source};
use crate::row::Row;
use crate::shard::{self, Header, Shard, VERSION, file_name};
use crate::source::{Candidate, SelfPlay, StoredGames, random};
use crate::table::{Column, fields, table};
use kalahari_agents::AgentSpec;
use kalahari_arena::{Identity, rng_seeds};
use kalahari_exact::prover::{self, Prover, ProverOptions, TablebasePolicy};
use kalahari_games::{AnyGame, AnyPosition};
use kalahari_storage::{FileError, Foreign, open_alone};
use kalahari_terms::{Program, Stop};
use std::collections::BTreeMap;
use std::fs::{self, File, OpenOptions};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The recipe of a dataset, and how to build it. Nothing besides the recipe and the store changes a row.
#[derive(Debug)]
pub struct Build<'a> {
    /// What decides the rows.
    pub recipe: Recipe,
    /// The folder to build into.
    pub folder: &'a Path,
    /// The total number of rows; `None` for all that a store has.
    pub rows: Option<u64>,
    /// The games, if the source is a store.
    pub store: Option<&'a StoredGames>,
    /// Threads to use.
    pub threads: usize,
    /// Whether to continue a dataset that was begun by another version of the program or with other tables.
    pub mix: bool,
}

/// What happens while a dataset is made.
#[derive(Debug)]
#[non_exhaustive]
pub enum News<'a> {
    /// A shard already exists.
    Kept(&'a Entry),
    /// A shard exists but is damaged; it is made again.
    Damaged(&'a FileError),
    /// Games are being played to find positions.
    Found {
        /// How many positions of this shard have been found so far.
        positions: usize,
    },
    /// Rows of the current shard have been labelled.
    Labelled {
        /// How many so far.
        rows: usize,
    },
    /// A message of the prover.
    Prover(&'a prover::News<'a>),
    /// A shard is finished.
    Made(&'a Entry),
}

/// Receives news, from any thread.
pub type Listener = Arc<dyn Fn(&News<'_>) + Send + Sync>;

/// Makes every missing shard and returns the manifest. When `stop` is requested, the current shard is abandoned and the manifest lists the
/// finished ones.
pub fn build(build: &Build<'_>, stop: &Stop, news: Listener) -> Result<Manifest, DatasetError> {
    let (game, identity) = checked(&build.recipe)?;
    let _alone = Alone::in_folder(build.folder)?;
    let mut work = Work::new(build, &game, begin(build, identity)?, news);
    for number in 0..work.count() {
        if stop.is_requested() || !work.shard(number, stop)? {
            break;
        }
    }
    if work.manifest.rows == 0 && !stop.is_requested() {
        return Err(nothing());
    }
    Ok(work.manifest)
}

/// Makes the missing files with these numbers, in a folder that other processes may use at the same time. Writes no manifest: returns the
/// entries for one, for a [`Collection`](crate::Collection) to put together. `None` if it was stopped. `known` are the entries of files made
/// before: a damaged one is made again.
pub fn build_files(
    build: &Build<'_>,
    numbers: Range<u32>,
    known: Vec<Entry>,
    stop: &Stop,
    news: Listener,
) -> Result<Option<Vec<Entry>>, DatasetError> {
    let (game, identity) = checked(&build.recipe)?;
    let manifest = Manifest {
        shards: known,
        ..fresh(&build.recipe, identity)
    };
    let mut work = Work::new(build, &game, manifest, news);
    let mut entries = Vec::new();
    for number in numbers {
        match work.file(number, stop)? {
            Some(entry) if !stop.is_requested() => entries.push(entry),
            _ => return Ok(None),
        }
    }
    Ok(Some(entries))
}

/// What the rows of a recipe depend on besides the recipe, as it is on this machine now: the program and its files.
pub fn identity(recipe: &Recipe) -> Result<Identity, DatasetError> {
    checked(recipe).map(|(_, identity)| identity)
}

/// The rows that [`build`] would write, in their order, as named columns. They are made in memory; the folder is not used.
/// When `stop` is requested, only the rows of finished shards are returned.
pub fn collect(
    build: &Build<'_>,
    stop: &Stop,
    news: Listener,
) -> Result<Vec<(String, Column)>, DatasetError> {
    let (game, identity) = checked(&build.recipe)?;
    let mut work = Work::new(build, &game, fresh(&build.recipe, identity), news);
    let mut rows = Vec::new();
    for number in 0..work.count() {
        let wanted = work.wanted(number);
        match work.rows(number, wanted, stop)? {
            Some(more) => rows.extend(more),
            None => break,
        }
    }
    if rows.is_empty() && !stop.is_requested() {
        return Err(nothing());
    }
    let columns = table(&game, &rows).into_iter();
    Ok(columns
        .map(|(field, column)| (field.name, column))
        .collect())
}

/// Checks a recipe; returns its game, and what its rows depend on besides the recipe.
fn checked(recipe: &Recipe) -> Result<(AnyGame, Identity), DatasetError> {
    recipe.check()?;
    let game = AnyGame::new(recipe.game);
    for agent in recipe.searchers() {
        Searcher::new(&game, agent)?;
    }
    let identity = Identity::of(&recipe.agents(), recipe.game)?;
    Ok((game, identity))
}

fn nothing() -> DatasetError {
    let text =
        "no position matches the request; allow more seeds or cells, or choose another source";
    DatasetError::Empty(text.to_owned())
}

/// The manifest of a dataset without shards.
pub(crate) fn fresh(recipe: &Recipe, identity: Identity) -> Manifest {
    Manifest {
        version: VERSION,
        recipe: recipe.clone(),
        identity,
        made_by: Program::maker(),
        rows: 0,
        labels: BTreeMap::new(),
        shards: Vec::new(),
    }
}

/// A lock on a folder, so that no other process builds into it: each would overwrite the other's manifest.
pub(crate) struct Alone {
    path: PathBuf,
    _file: File,
}

impl Alone {
    pub(crate) fn in_folder(folder: &Path) -> Result<Self, FileError> {
        let path = folder.join("_lock");
        let open = || {
            fs::create_dir_all(folder)?;
            open_alone(&path, OpenOptions::new().create(true).write(true))
        };
        match open() {
            Ok(_file) => Ok(Alone { path, _file }),
            Err(error) => Err(SHARD.unwritable(&path, error)),
        }
    }
}

impl Drop for Alone {
    fn drop(&mut self) {
        // If the file stays, it does no harm: the lock itself ends with the process.
        let _ = fs::remove_file(&self.path);
    }
}

/// The manifest to continue with.
fn begin(build: &Build<'_>, identity: Identity) -> Result<Manifest, DatasetError> {
    let Build { recipe, folder, .. } = build;
    let other = |changes, hint| DatasetError::Other {
        folder: folder.to_path_buf(),
        changes,
        hint,
    };
    let mut known = match Manifest::read(folder) {
        Err(error) if error.is_missing() => return Ok(fresh(recipe, identity)),
        known => known?,
    };
    if known.recipe != *recipe {
        return Err(other(differences(&known.recipe, recipe), ""));
    }
    let changes = identity.changes(&known.identity);
    if !changes.is_empty() && !build.mix {
        return Err(other(
            changes.join(", "),
            ", or continue this one with --mix",
        ));
    }
    known.identity = identity;
    Ok(known)
}

/// How two recipes differ, in words.
pub(crate) fn differences(there: &Recipe, wanted: &Recipe) -> String {
    let parts = |recipe: &Recipe| match serde_json::to_value(recipe) {
        Ok(serde_json::Value::Object(parts)) => parts,
        _ => serde_json::Map::new(),
    };
    let (there, wanted) = (parts(there), parts(wanted));
    let changed = there.iter().filter_map(|(name, there)| {
        let wanted = wanted.get(name)?;
        (there != wanted).then(|| format!("{name}: {there} there, {wanted} wanted"))
    });
    changed.collect::<Vec<_>>().join("; ")
}

fn exact_prover(
    recipe: &Recipe,
    game: &AnyGame,
    threads: usize,
    news: &Listener,
) -> Option<Prover> {
    let Labels::Exact { tablebase } = recipe.labels else {
        return None;
    };
    let options = ProverOptions {
        threads,
        tablebase: match tablebase {
            0 => TablebasePolicy::OnDisk,
            seeds => TablebasePolicy::Seeds(seeds),
        },
        ..ProverOptions::default()
    };
    let mut prover = Prover::new(game, options);
    let news = Arc::clone(news);
    prover.listen(move |of_prover| news(&News::Prover(of_prover)));
    Some(prover)
}

struct Work<'a> {
    build: &'a Build<'a>,
    game: &'a AnyGame,
    manifest: Manifest,
    prover: Option<Prover>,
    /// The positions of each shard, if the source is a store.
    stored: Vec<Vec<Candidate>>,
    news: Listener,
}

impl<'a> Work<'a> {
    fn new(build: &'a Build<'a>, game: &'a AnyGame, manifest: Manifest, news: Listener) -> Self {
        let recipe = &build.recipe;
        let stored = match (&recipe.source, build.store) {
            (Source::Store { .. }, Some(store)) => {
                let rows = build.rows.unwrap_or(u64::MAX);
                store.shards(recipe.left, recipe.rows_per_shard, rows)
            }
            _ => Vec::new(),
        };
        Work {
            manifest,
            build,
            prover: exact_prover(recipe, game, build.threads, &news),
            game,
            stored,
            news,
        }
    }

    /// How many shards there will be.
    fn count(&self) -> u32 {
        let recipe = &self.build.recipe;
        let count = match &recipe.source {
            Source::Store { .. } => self.stored.len() as u64,
            _ => self.build.rows.unwrap_or(0).div_ceil(recipe.rows_per_shard),
        };
        u32::try_from(count).unwrap_or(u32::MAX)
    }

    /// The number of rows that a shard should have.
    fn wanted(&self, number: u32) -> u64 {
        let per_shard = self.build.recipe.rows_per_shard;
        match self.stored.get(number as usize) {
            Some(stored) => stored.len() as u64,
            None => {
                let before = u64::from(number) * per_shard;
                let rows = self.build.rows.unwrap_or(0);
                rows.saturating_sub(before).min(per_shard)
            }
        }
    }

    /// Makes a shard and enters it into the manifest, unless it exists. Returns whether it exists now.
    fn shard(&mut self, number: u32, stop: &Stop) -> Result<bool, DatasetError> {
        let Some(entry) = self.file(number, stop)? else {
            return Ok(false);
        };
        if !self.manifest.shards.contains(&entry) {
            self.manifest.enter(entry);
            self.manifest.write(self.build.folder)?;
        }
        Ok(true)
    }

    /// Makes the file of a shard, unless it exists. `None` if it was stopped.
    fn file(&mut self, number: u32, stop: &Stop) -> Result<Option<Entry>, DatasetError> {
        let recipe = &self.build.recipe;
        let wanted = self.wanted(number);
        let file = file_name(number, recipe.format);
        let path = self.build.folder.join(&file);
        if let Some(entry) = self.there(number, wanted, &path)? {
            (self.news)(&News::Kept(&entry));
            return Ok(Some(entry));
        }
        let Some(rows) = self.rows(number, wanted, stop)? else {
            return Ok(None);
        };
        let header = Header {
            version: VERSION,
            game: recipe.game,
            shard: Some(number),
            recipe: Some(recipe.clone()),
        };
        let written = shard::write(&path, recipe.format, &header, self.game, &rows)?;
        let entry = Entry {
            number,
            file,
            rows: rows.len() as u64,
            wanted,
            labels: counts(&rows),
            bytes: written.bytes,
            crc32: format!("{:08x}", written.crc32),
        };
        (self.news)(&News::Made(&entry));
        Ok(Some(entry))
    }

    /// The entry of a shard that exists undamaged with the wanted number of rows; `None` if it has to be made. A file that is not a shard of
    /// this dataset is an error.
    fn there(&self, number: u32, wanted: u64, path: &Path) -> Result<Option<Entry>, DatasetError> {
        let bytes = match SHARD.read(path) {
            Err(error) if error.is_missing() => return Ok(None),
            read => read?,
        };
        let mut known = self.manifest.shards.iter();
        if let Some(entry) = known.find(|entry| entry.number == number) {
            return Ok(match entry.check(path, &bytes) {
                Ok(()) => Some(entry.clone()).filter(|entry| entry.wanted == wanted),
                Err(error) => {
                    (self.news)(&News::Damaged(&error));
                    None
                }
            });
        }
        // The program ended after writing the file and before writing the manifest, or the file comes from elsewhere.
        shard::check_content(path, &bytes)?;
        match self.build.recipe.format {
            Format::Csv => {
                let text = String::from_utf8_lossy(&bytes);
                match csv_file::has_header(&text, &fields(self.game)) {
                    true => Ok(None),
                    false => Err(SHARD.error(path, Foreign::Kind).into()),
                }
            }
            Format::Parquet => self.adopted(number, wanted, path, bytes),
        }
    }

    /// The entry of a Parquet file that the manifest does not list; `None` if it belongs to this dataset but has to be made again.
    fn adopted(
        &self,
        number: u32,
        wanted: u64,
        path: &Path,
        bytes: Vec<u8>,
    ) -> Result<Option<Entry>, DatasetError> {
        let written = (bytes.len() as u64, crc32fast::hash(&bytes));
        let (_, header) = shard::open_parquet(path, bytes)?;
        if header.recipe.as_ref() != Some(&self.build.recipe) || header.shard != Some(number) {
            return Err(shard::other(path, "another dataset".to_owned(), "this one").into());
        }
        let rows = Shard::read(path)?.rows;
        let entry = Entry {
            number,
            file: file_name(number, self.build.recipe.format),
            rows: rows.len() as u64,
            wanted,
            labels: counts(&rows),
            bytes: written.0,
            crc32: format!("{:08x}", written.1),
        };
        Ok(Some(entry).filter(|entry| entry.rows == wanted))
    }

    /// The rows of a shard; `None` if it was stopped.
    fn rows(
        &mut self,
        number: u32,
        wanted: u64,
        stop: &Stop,
    ) -> Result<Option<Vec<Row>>, DatasetError> {
        let Some(candidates) = self.candidates(number, wanted, stop)? else {
            return Ok(None);
        };
        let has_label = |candidate: &Candidate| candidate.label.is_some();
        let labels = match candidates.iter().all(has_label) {
            true => None,
            false => {
                let positions: Vec<AnyPosition> = candidates
                    .iter()
                    .map(|candidate| candidate.position)
                    .collect();
                match self.labels(number, &positions, stop)? {
                    Some(labels) => Some(labels),
                    None => return Ok(None),
                }
            }
        };
        let mut labels = labels.into_iter().flatten();
        let rows = candidates.into_iter().filter_map(|candidate| {
            Some(Row {
                game: candidate.game,
                ply: candidate.ply,
                position: candidate.position,
                key: candidate.key,
                label: candidate.label.or_else(|| labels.next())?,
            })
        });
        Ok(Some(rows.collect()))
    }

    fn candidates(
        &self,
        number: u32,
        wanted: u64,
        stop: &Stop,
    ) -> Result<Option<Vec<Candidate>>, DatasetError> {
        let recipe = &self.build.recipe;
        match &recipe.source {
            Source::Store { .. } => Ok(self.stored.get(number as usize).cloned()),
            Source::Random => Ok(random(
                self.game,
                recipe.left,
                recipe.rng_seed,
                number,
                wanted,
                stop,
            )),
            Source::SelfPlay {
                player,
                random,
                opening,
            } => {
                let own = |agent: &AgentSpec| agent == player;
                let self_play = SelfPlay {
                    game: self.game,
                    player,
                    random: *random,
                    opening: *opening,
                    range: recipe.left,
                    rng_seed: recipe.rng_seed,
                    labels: match &recipe.labels {
                        Labels::Search { agent, moves } if own(agent) => Some(*moves),
                        _ => None,
                    },
                };
                let is_labelled = self_play.labels.is_some();
                let found = |positions| match is_labelled {
                    true => (self.news)(&News::Labelled { rows: positions }),
                    false => (self.news)(&News::Found { positions }),
                };
                self_play.shard(number, wanted, self.build.threads, stop, &found)
            }
        }
    }

    fn labels(
        &mut self,
        number: u32,
        positions: &[AnyPosition],
        stop: &Stop,
    ) -> Result<Option<Vec<crate::row::Label>>, DatasetError> {
        let (recipe, threads) = (&self.build.recipe, self.build.threads);
        let news = Arc::clone(&self.news);
        let done = |rows| news(&News::Labelled { rows });
        match (&recipe.labels, &mut self.prover) {
            (Labels::Search { agent, moves }, _) => {
                let rng_seed = rng_seeds::mix([recipe.rng_seed, u64::from(number)]);
                let asked = (agent, *moves);
                by_search(self.game, asked, positions, rng_seed, threads, stop, &done)
            }
            (&Labels::Exact { tablebase }, Some(prover)) => {
                let source = |position: &AnyPosition| exact_source(self.game, tablebase, position);
                by_proof(prover, &source, positions, threads, stop, &done)
            }
            (Labels::Exact { .. }, None) => Ok(None),
        }
    }
}

/// The number of rows of each kind of label.
fn counts(rows: &[Row]) -> BTreeMap<String, u64> {
    let mut counts = BTreeMap::new();
    for row in rows {
        let name = row.label.source.name().to_owned();
        *counts.entry(name).or_default() += 1;
    }
    counts
}
