//! A file of rows, written whole or not at all, and read with suspicion.

use crate::csv_file;
use crate::error::{DatasetError, SHARD};
use crate::format::Format;
use crate::manifest::Manifest;
use crate::parquet_file::{self, ParquetFile, Problem};
use crate::recipe::Recipe;
use crate::row::Row;
use crate::table::{self, Wrong};
use kalahari_games::{AnyGame, Game, GameSpec};
use kalahari_storage::{Damage, FileError, Foreign, write_whole};
use serde::{Deserialize, Serialize};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// The version of the files.
pub(crate) const VERSION: u32 = 1;

/// What a Parquet file says of itself.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Header {
    pub(crate) version: u32,
    pub(crate) game: GameSpec,
    /// The shard's number in its dataset; nothing in a file that was merged from several.
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

/// What was written.
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
    write_whole(path, &bytes).map_err(unwritable)?;
    Ok(Written {
        bytes: bytes.len() as u64,
        crc32: crc32fast::hash(&bytes),
    })
}

impl Shard {
    /// Reads a file and checks all of it: its checksum, and every row against the rules of the game.
    ///
    /// A CSV file does not say what game it is about; the manifest beside it does.
    pub fn read(path: &Path) -> Result<Shard, FileError> {
        let format = Format::of_path(path);
        let bytes = fs::read(path).map_err(|error| SHARD.unreadable(path, error))?;
        match format {
            Some(Format::Parquet) => Shard::of_parquet(path, bytes),
            Some(Format::Csv) => read_csv(path, &bytes),
            None => Err(SHARD.error(path, Foreign::Kind)),
        }
    }

    /// The same of the bytes of a Parquet file. The path is only what errors call it by.
    pub fn of_parquet(path: &Path, bytes: Vec<u8>) -> Result<Shard, FileError> {
        let (file, header) = open_parquet(path, bytes)?;
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

    /// The rows of a CSV file's text, which has been compared with its manifest. The path is only what errors call it by.
    pub fn rows_of_csv(path: &Path, game: &AnyGame, text: &str) -> Result<Vec<Row>, FileError> {
        let table = csv_file::read(text, table::fields(game));
        let rows = table.and_then(|table| table::rows(game, table));
        rows.map_err(|Wrong(what)| nonsense(path, what))
    }
}

fn nonsense(path: &Path, what: String) -> FileError {
    SHARD.error(path, Damage::nonsense(what))
}

/// The header of a Parquet file of ours that is whole.
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
        let (found, wanted) = (
            "another dataset".to_owned(),
            "the manifest beside it".to_owned(),
        );
        return Err(SHARD.error(path, Foreign::Subject { found, wanted }));
    };
    entry.check(path, bytes)?;
    let game = AnyGame::new(manifest.recipe.game);
    let text = String::from_utf8_lossy(bytes);
    Ok(Shard {
        path: path.to_owned(),
        rows: Shard::rows_of_csv(path, &game, &text)?,
        game,
        recipe: Some(manifest.recipe),
    })
}

/// The files of rows that paths mean: a file itself, and of a folder the shards that its manifest lists.
pub fn shard_files(paths: &[PathBuf]) -> Result<Vec<PathBuf>, DatasetError> {
    let mut files = Vec::new();
    for path in paths {
        match path.is_dir() {
            true => {
                let manifest = Manifest::read(path)?;
                files.extend(manifest.shards.iter().map(|shard| path.join(&shard.file)));
            }
            false => files.push(path.clone()),
        }
    }
    match files.is_empty() {
        true => Err(DatasetError::Empty("no shard is named".to_owned())),
        false => Ok(files),
    }
}

/// Reads files one after the other, all of one game, and gives each to `each`.
pub fn read_shards(
    paths: &[PathBuf],
    mut each: impl FnMut(Shard) -> Result<(), DatasetError>,
) -> Result<(), DatasetError> {
    let mut first = None;
    for path in shard_files(paths)? {
        let shard = Shard::read(&path)?;
        let found = shard.game.spec();
        let wanted = *first.get_or_insert(found);
        if found != wanted {
            return Err(DatasetError::OtherGame {
                path,
                found,
                wanted,
            });
        }
        each(shard)?;
    }
    Ok(())
}
