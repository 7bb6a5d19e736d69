//! Which files an agent's play depends on: tablebases, books, weights, and external programs.

use crate::{AgentError, AgentKind, AgentProblem, AgentSpec, OptionKey, courses};
use kalahari_exact::prover::{ProverError, Sources, opening_book, proven_bounds, table_in_use};
use kalahari_exact::tablebase::TableSpec;
use kalahari_games::kalah::KalahSpec;
use kalahari_games::{AnyGame, Game, GameSpec};
use kalahari_protocol::split_command;
use kalahari_search::eval::{IsolationEval, KalahEval, Registry, name_and_file};
use kalahari_storage::data_home;
use serde::{Deserialize, Serialize, Serializer};
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::fmt;
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

/// The files that an agent's play depends on: their names and checksums.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Fingerprint(BTreeMap<String, String>);

impl Fingerprint {
    /// Adds a file.
    pub fn insert(&mut self, name: impl Into<String>, checksum: impl Into<String>) {
        self.0.insert(name.into(), checksum.into());
    }

    /// Adds the files of another fingerprint.
    pub fn extend(&mut self, other: Fingerprint) {
        self.0.extend(other.0);
    }

    /// Names and checksums.
    pub fn files(&self) -> impl Iterator<Item = (&str, &str)> {
        let files = self.0.iter();
        files.map(|(name, checksum)| (name.as_str(), checksum.as_str()))
    }

    /// The differences from an earlier fingerprint, in words.
    pub fn changes(&self, earlier: &Fingerprint) -> Vec<String> {
        let now = self
            .0
            .iter()
            .filter_map(|(name, checksum)| match earlier.0.get(name) {
                None => Some(format!("{name} is used now")),
                Some(before) if before != checksum => Some(format!("{name} has changed")),
                Some(_) => None,
            });
        let gone = earlier.0.keys().filter(|name| !self.0.contains_key(*name));
        now.chain(gone.map(|name| format!("{name} is not used any more")))
            .collect()
    }

    /// Which version of an external agent this is, by the content of its own files; `None` if it has no files or is built in.
    pub fn version_of(&self, spec: &AgentSpec) -> Option<Version> {
        let names: Vec<String> = match spec.kind() {
            AgentKind::Exe | AgentKind::Ugi => split_command(spec.arguments())?,
            AgentKind::Python => {
                let file = crate::python::file(spec)?;
                let (own, other) = (file.to_owned(), with(file, ""));
                let others = self.0.keys().filter(|name| name.starts_with(&other));
                [own].into_iter().chain(others.cloned()).collect()
            }
            AgentKind::Guest => vec![spec.to_string()],
            _ => return None,
        };
        let found = names.iter().filter_map(|name| self.0.get(name));
        let found: Vec<&str> = found.map(String::as_str).collect();
        if found.is_empty() {
            return None;
        }
        let digest = Sha256::digest(found.join(" ").as_bytes());
        Some(Version(
            digest
                .iter()
                .take(4)
                .fold(0, |sum, byte| sum << 8 | u32::from(*byte)),
        ))
    }

    /// Adds a file with the checksum of its content.
    fn insert_content(&mut self, name: &str, file: &Path) {
        // A program may be executable but not readable; then only its name counts.
        let checksum = File::open(file).and_then(|mut file| sha256(&mut file));
        let checksum = checksum.unwrap_or_else(|_| "unreadable".to_owned());
        self.insert(name, checksum);
    }
}

/// A version of an external agent: equal for equal files. Its text form is eight hexadecimal digits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Version(u32);

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:08x}", self.0)
    }
}

impl Serialize for Version {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_str(self)
    }
}

/// The files that an agent's play in a game depends on, as they are on this machine now. For an external program:
/// the program itself and every argument that is a file. Files that those load are not known here.
pub fn fingerprint(spec: &AgentSpec, game: &AnyGame) -> Result<Fingerprint, AgentError> {
    let mut files = Fingerprint::default();
    match spec.kind() {
        AgentKind::Exe | AgentKind::Ugi => {
            let words = split_command(spec.arguments());
            let words = words.ok_or_else(|| spec.error(AgentProblem::NoCommand))?;
            for (place, word) in words.iter().enumerate() {
                match if place == 0 {
                    program(word)
                } else {
                    file(word)
                } {
                    Some(path) => files.insert_content(word, &path),
                    None if place == 0 => files.insert(word, "not found"),
                    None => {}
                }
            }
        }
        AgentKind::Python => {
            let interpreter = crate::python::interpreter();
            if let Some(path) = program(&interpreter) {
                files.insert_content(&interpreter, &path);
            }
            if let Some(name) = crate::python::file(spec) {
                let file = Path::new(name);
                files.insert_content(name, file);
                for other in crate::python::companions(file) {
                    files.insert_content(&with(name, &other), &file.with_file_name(&other));
                }
            }
        }
        AgentKind::Guest => {
            if let Some(guest) = spec.invited() {
                files.insert(spec.to_string(), guest.checksum());
            }
        }
        AgentKind::Course(project) => return fingerprint(&courses::expand(spec, project)?, game),
        AgentKind::Engine | AgentKind::Perfect => {
            if let GameSpec::Kalah(kalah) = game.spec() {
                let found = proven_answers(kalah, sources(spec, kalah), &mut files);
                found.map_err(|error| spec.error(error))?;
            }
        }
        // The program at the other end of a network connection is not known here; the others use no files.
        AgentKind::Kgp
        | AgentKind::Random
        | AgentKind::Level
        | AgentKind::Minimax
        | AgentKind::AlphaBeta
        | AgentKind::Mcts => {}
    }
    if !spec.kind().is_foreign() {
        let named = evaluation_files(game.spec());
        for (key, value) in spec.options() {
            let file = match key {
                _ if OptionKey::by_name(key) == Some(OptionKey::Eval) => name_and_file(value).1,
                _ => named.contains(&key).then_some(value),
            };
            if let Some(name) = file {
                files.insert_content(name, Path::new(name));
            }
        }
    }
    Ok(files)
}

/// The name in a fingerprint of a file that another file needs.
fn with(file: &str, other: &str) -> String {
    format!("{file} with {other}")
}

/// The options that name a file from which an evaluation is made.
fn evaluation_files(game: GameSpec) -> Vec<&'static str> {
    use kalahari_games::isolation::Isolation;
    use kalahari_games::kalah::{Kalah, Packed};
    let kinds = match game {
        GameSpec::Kalah(_) => <KalahEval as Registry<Kalah<Packed>>>::kinds(),
        GameSpec::Isolation(_) => <IsolationEval as Registry<Isolation<u64>>>::kinds(),
    };
    kinds.iter().flat_map(|kind| kind.files).copied().collect()
}

/// Which proven answers a built-in agent asks for. In games with the end by majority, the engine asks for none.
fn sources(spec: &AgentSpec, game: KalahSpec) -> Sources {
    let on = |key| {
        let off = spec.is_off(key);
        let none = spec.kind() == AgentKind::Engine && game.majority();
        !off && !none
    };
    Sources {
        tablebase: on(OptionKey::Tablebase),
        book: on(OptionKey::Book),
    }
}

/// Adds the tablebase, the book and the proven bounds that a built-in agent finds for a game.
fn proven_answers(
    game: KalahSpec,
    sources: Sources,
    files: &mut Fingerprint,
) -> Result<(), ProverError> {
    let game = game.with_majority(false);
    let home = data_home();
    if sources.tablebase
        && let Some(family) = TableSpec::of_game(game)
        && let Some((seeds, checksum)) = table_in_use(home.as_deref(), family)
    {
        let content = format!("{seeds} seeds, crc32:{checksum:08x}");
        files.insert(format!("the tablebase of {family}"), content);
    }
    if sources.book {
        if let Some((book, _)) = opening_book(game, home.as_deref())? {
            let checksum = sha256(&mut book.to_bytes().as_slice());
            files.insert(format!("the book of {game}"), checksum.unwrap_or_default());
        }
        if let Some(bounds) = proven_bounds(game, home.as_deref())? {
            let checksum = sha256(&mut bounds.to_text().as_bytes());
            let name = format!("the bounds of {game}");
            files.insert(name, checksum.unwrap_or_default());
        }
    }
    Ok(())
}

/// The file that the system starts for the first word of a command.
fn program(word: &str) -> Option<PathBuf> {
    if word.contains('/') {
        return file(word);
    }
    let path = std::env::var_os("PATH")?;
    let places = std::env::split_paths(&path);
    places
        .map(|place| place.join(word))
        .find(|file| file.is_file())
}

fn file(word: &str) -> Option<PathBuf> {
    Some(PathBuf::from(word)).filter(|file| file.is_file())
}

/// The checksum of everything that the reader returns.
fn sha256(from: &mut impl Read) -> io::Result<String> {
    let mut digest = Sha256::new();
    let mut buffer = vec![0; 1 << 16];
    loop {
        let count = from.read(&mut buffer)?;
        if count == 0 {
            break;
        }
        digest.update(&buffer[..count]);
    }
    let digest = digest.finalize();
    let digits: String = digest.iter().map(|byte| format!("{byte:02x}")).collect();
    Ok(format!("sha256:{digits}"))
}
