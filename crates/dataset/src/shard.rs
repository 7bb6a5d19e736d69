//! A file of rows: written whole or not at all, and checked completely when it is read.

use crate::build::differences;
use crate::csv_file;
use crate::error::{DatasetError, EMPTY_SHARD, OTHER_SHARD, SHARD};
use crate::format::Format;
use crate::manifest::{Entry, Manifest};
use crate::parquet_file::{self, ParquetFile, Problem};
use crate::recipe::Recipe;
use crate::row::Row;
use crate::table::{self, Wrong};
use kalahari_games::{AnyGame, Game, GameSpec};
use kalahari_storage::{Damage, FileError, Foreign};
use serde::{Deserialize, Serialize};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The version of the files.
pub(crate) const VERSION: u32 = 1;

/// The header of a Parquet file: our note in its footer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Header {
    pub(crate) version: u32,
    pub(crate) game: GameSpec,
    /// The shard's number in its dataset; `None` in a file that was merged from several.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) shard: Option<u32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) recipe: Option<Recipe>,
}

/// The part of a header that every version has.
#[derive(Deserialize)]
struct AnyHeader {
    version: u32,
}

/// The rows of a file.
#[derive(Clone, Debug)]
pub struct Shard {
    /// The file.
    pub path: PathBuf,
    /// The game.
    pub game: AnyGame,
    /// How it was made; `None` if it was merged from others.
    pub recipe: Option<Recipe>,
    /// The rows. No two have the same key.
    pub rows: Vec<Row>,
}

/// The name of a shard's file.
pub(crate) fn file_name(number: u32, format: Format) -> String {
    format!("shard-{number:05}.{}", format.extension())
}

/// The length and the checksum of a written file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Written {
    pub(crate) bytes: u64,
    pub(crate) crc32: u32,
}

/// Writes rows to a file, whole or not at all. The same rows and header give the same bytes.
pub(crate) fn write(
    path: &Path,
    format: Format,
    header: &Header,
    game: &AnyGame,
    rows: &[Row],
) -> Result<Written, FileError> {
    let table = table::table(game, rows);
    let unwritable = |error| SHARD.unwritable(path, error);
    let bytes = match format {
        Format::Csv => csv_file::write(&table).into_bytes(),
        Format::Parquet => {
            let note = serde_json::to_string(header);
            let note = note.map_err(|error| unwritable(error.into()))?;
            let bytes = parquet_file::write(&table, &note);
            bytes.map_err(|error| unwritable(io::Error::other(error)))?
        }
    };
    SHARD.write(path, &bytes)?;
    Ok(Written {
        bytes: bytes.len() as u64,
        crc32: crc32fast::hash(&bytes),
    })
}

impl Shard {
    /// Reads a file and checks all of it: its checksum, and every row against the rules of the game.
    ///
    /// A CSV file does not name its game; the manifest beside it does.
    pub fn read(path: &Path) -> Result<Shard, FileError> {
        let format = Format::of_path(path);
        let bytes = SHARD.read(path)?;
        check_content(path, &bytes)?;
        match format {
            Some(Format::Parquet) => Shard::of_parquet(path, bytes),
            Some(Format::Csv) => read_csv(path, &bytes),
            None => Err(SHARD.error(path, Foreign::Kind)),
        }
    }

    /// The same as [`Shard::read`] for the bytes of a Parquet file. The path is used in errors only.
    pub fn of_parquet(path: &Path, bytes: Vec<u8>) -> Result<Shard, FileError> {
        let (file, header) = open_parquet(path, bytes)?;
        Shard::of_file(path, &file, header)
    }

    fn of_file(path: &Path, file: &ParquetFile, header: Header) -> Result<Shard, FileError> {
        let game = AnyGame::new(header.game);
        let table = file.table(table::fields(&game));
        let table = table.map_err(|problem| problem_of(path, problem))?;
        let rows = table::rows(&game, table).map_err(|Wrong(what)| nonsense(path, what))?;
        Ok(Shard {
            path: path.to_owned(),
            game,
            recipe: header.recipe,
            rows,
        })
    }

    /// The rows of a CSV file's text. The text is not compared with a manifest. The path is used in errors only.
    pub fn rows_of_csv(path: &Path, game: &AnyGame, text: &str) -> Result<Vec<Row>, FileError> {
        let table = csv_file::read(text, table::fields(game));
        let rows = table.and_then(|table| table::rows(game, table));
        rows.map_err(|Wrong(what)| nonsense(path, what))
    }
}

/// Refuses an empty file. It does not count as a damaged shard: there is no way to tell what it was meant to be.
pub(crate) fn check_content(path: &Path, bytes: &[u8]) -> Result<(), FileError> {
    match bytes.is_empty() {
        true => Err(EMPTY_SHARD.error(path, Foreign::Kind)),
        false => Ok(()),
    }
}

fn nonsense(path: &Path, what: String) -> FileError {
    SHARD.error(path, Damage::nonsense(what))
}

/// Opens a Parquet file of ours and reads its header; checks the checksum.
pub(crate) fn open_parquet(
    path: &Path,
    bytes: Vec<u8>,
) -> Result<(ParquetFile, Header), FileError> {
    let file = ParquetFile::open(bytes).map_err(|problem| problem_of(path, problem))?;
    let any: AnyHeader =
        serde_json::from_str(file.note()).map_err(|_| SHARD.error(path, Foreign::Kind))?;
    if any.version != VERSION {
        let (found, known) = (any.version, VERSION);
        return Err(SHARD.error(path, Foreign::Version { found, known }));
    }
    let header = serde_json::from_str(file.note());
    let header = header.map_err(|error| nonsense(path, format!("its header: {error}")))?;
    Ok((file, header))
}

fn problem_of(path: &Path, problem: Problem) -> FileError {
    match problem {
        Problem::Foreign => SHARD.error(path, Foreign::Kind),
        Problem::TooShort => SHARD.error(path, Damage::TooShort),
        Problem::Checksum => SHARD.error(path, Damage::checksum("the file")),
        Problem::Nonsense(what) => nonsense(path, what),
    }
}

fn read_csv(path: &Path, bytes: &[u8]) -> Result<Shard, FileError> {
    let folder = path.parent().unwrap_or(Path::new(""));
    let manifest = Manifest::read(folder)?;
    let name = path.file_name().unwrap_or_default();
    let entry = manifest.shards.iter().find(|shard| *name == *shard.file);
    let Some(entry) = entry else {
        return Err(other(
            path,
            "another dataset".to_owned(),
            "the manifest beside it",
        ));
    };
    entry.check(path, bytes)?;
    csv_of_manifest(path, &manifest, bytes)
}

/// The rows of a CSV file that has been compared with its manifest.
fn csv_of_manifest(path: &Path, manifest: &Manifest, bytes: &[u8]) -> Result<Shard, FileError> {
    let game = AnyGame::new(manifest.recipe.game);
    let text = String::from_utf8_lossy(bytes);
    Ok(Shard {
        path: path.to_owned(),
        rows: Shard::rows_of_csv(path, &game, &text)?,
        game,
        recipe: Some(manifest.recipe.clone()),
    })
}

/// The error for a shard that is not the expected one.
pub(crate) fn other(path: &Path, found: String, wanted: &str) -> FileError {
    let wanted = wanted.to_owned();
    OTHER_SHARD.error(path, Foreign::Subject { found, wanted })
}

/// A file of rows that the caller named, directly or by its folder.
#[derive(Clone, Debug)]
pub struct ShardFile {
    /// The file.
    pub path: PathBuf,
    /// The manifest that lists it, and its index there; `None` if the file was named directly.
    listed: Option<(Arc<Manifest>, usize)>,
}

impl ShardFile {
    /// Reads it and checks all of it. A file that was named by its folder must be the one that the manifest lists.
    pub fn read(&self) -> Result<Shard, FileError> {
        let listed = self.listed.as_ref();
        let listed =
            listed.and_then(|(manifest, place)| Some((manifest, manifest.shards.get(*place)?)));
        let Some((manifest, entry)) = listed else {
            return Shard::read(&self.path);
        };
        let path = &self.path;
        entry.check_name(path)?;
        let bytes = SHARD.read(path)?;
        check_content(path, &bytes)?;
        let checked = entry.check(path, &bytes);
        match Format::of_path(path) {
            None => Err(SHARD.error(path, Foreign::Kind)),
            Some(Format::Csv) => {
                checked.map_err(|error| {
                    let mut shards = manifest.shards.iter();
                    match shards.find(|shard| shard.check(path, &bytes).is_ok()) {
                        Some(found) => misnumbered(path, found.number, entry),
                        None => error,
                    }
                })?;
                csv_of_manifest(path, manifest, &bytes)
            }
            Some(Format::Parquet) => {
                // A damaged file, or one that is not a shard, gives a more precise error here than `checked` does.
                let (file, header) = open_parquet(path, bytes)?;
                let is_ours = header.recipe.as_ref() == Some(&manifest.recipe)
                    && header.shard == Some(entry.number);
                match is_ours && checked.is_ok() {
                    true => Shard::of_file(path, &file, header),
                    false => Err(misplaced(path, &header, manifest, entry)),
                }
            }
        }
    }
}

/// The error for an undamaged Parquet file that is not the one that the manifest lists under its name.
fn misplaced(path: &Path, header: &Header, manifest: &Manifest, entry: &Entry) -> FileError {
    match (&header.recipe, header.shard) {
        (Some(recipe), Some(number)) if *recipe == manifest.recipe => {
            match number == entry.number {
                true => other(
                    path,
                    "another run of this dataset".to_owned(),
                    "the run that the manifest lists",
                ),
                false => misnumbered(path, number, entry),
            }
        }
        (Some(recipe), _) => {
            let changes = differences(recipe, &manifest.recipe);
            other(path, format!("another dataset ({changes})"), "this one")
        }
        (None, _) => other(path, "rows that were merged".to_owned(), "this dataset"),
    }
}

/// The error for a shard of the dataset under the name of another one.
fn misnumbered(path: &Path, found: u32, entry: &Entry) -> FileError {
    let found = format!("this dataset, number {found}");
    other(path, found, &format!("number {}", entry.number))
}

/// The files of rows that paths name: for a file the file itself, for a folder the shards that its manifest lists.
pub fn shard_files(paths: &[PathBuf]) -> Result<Vec<ShardFile>, DatasetError> {
    let mut files = Vec::new();
    for path in paths {
        match path.is_dir() {
            true => {
                let manifest = Arc::new(Manifest::read(path)?);
                let places = manifest.shards.iter().enumerate();
                files.extend(places.map(|(place, shard)| ShardFile {
                    path: path.join(&shard.file),
                    listed: Some((Arc::clone(&manifest), place)),
                }));
            }
            false => files.push(ShardFile {
                path: path.clone(),
                listed: None,
            }),
        }
    }
    match files.is_empty() {
        true => Err(DatasetError::Empty("no shard was named".to_owned())),
        false => Ok(files),
    }
}

/// Reads files one after the other and passes each to `each`. All must be of one game.
pub fn read_shards(
    paths: &[PathBuf],
    mut each: impl FnMut(Shard) -> Result<(), DatasetError>,
) -> Result<(), DatasetError> {
    let mut first = None;
    for file in shard_files(paths)? {
        let shard = file.read()?;
        let found = shard.game.spec();
        let wanted = *first.get_or_insert(found);
        if found != wanted {
            return Err(DatasetError::OtherGame {
                path: file.path,
                found,
                wanted,
            });
        }
        each(shard)?;
    }
    Ok(())
}
