//! The owners of names, identified by tokens that are stored as salted hashes.

use kalahari_kgp::{Gatekeeper, Refusal};
use kalahari_storage::write_whole;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::collections::hash_map::RandomState;
use std::hash::{BuildHasher, Hasher};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};
use thiserror::Error;

/// The names that have been claimed with a token. The first client that sends a token with a name claims the name; from then on
/// only this token can use it. Names that differ only in upper and lower case are the same.
#[derive(Debug)]
pub struct Names {
    file: Option<PathBuf>,
    /// Whether every client needs a token.
    strict: bool,
    known: Mutex<BTreeMap<String, Hash>>,
    claims: Mutex<Claims>,
}

/// Limits how fast names are claimed: a whole class can claim names at once, but the table cannot be filled within an hour.
#[derive(Debug)]
struct Claims {
    left: u32,
    counted: Instant,
}

impl Claims {
    fn new(now: Instant) -> Self {
        Claims {
            left: AT_ONCE,
            counted: now,
        }
    }

    /// Whether one more name may be claimed now. If so, it is counted.
    fn take(&mut self, now: Instant) -> bool {
        let passed = now.saturating_duration_since(self.counted).as_secs() / ANOTHER.as_secs();
        self.left = self.left.saturating_add(passed as u32).min(AT_ONCE);
        self.counted += ANOTHER * passed as u32;
        let has_one = self.left > 0;
        self.left = self.left.saturating_sub(1);
        has_one
    }
}

/// A token as it is stored: a salted hash, from which the token cannot be recovered.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Hash {
    salt: String,
    hash: String,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Content {
    version: u32,
    names: BTreeMap<String, Hash>,
}

/// Why a file of names cannot be used.
#[derive(Debug, Error)]
pub enum NamesError {
    /// The file cannot be read.
    #[error("{}: {source}", file.display())]
    Io {
        /// The file.
        file: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// It is not a file of names.
    #[error("{} is not a file of names: {problem}", file.display())]
    Foreign {
        /// The file.
        file: PathBuf,
        /// What is wrong with it.
        problem: String,
    },
}

const VERSION: u32 = 1;
/// How often a token is hashed, so that guessing takes time.
const ROUNDS: u32 = 10_000;
/// The most names that are stored.
const MOST: usize = 10_000;
/// How many names may be claimed at once.
const AT_ONCE: u32 = 500;
/// After this time, one more name may be claimed.
const ANOTHER: Duration = Duration::from_secs(10);

impl Hash {
    fn new(token: &str) -> Self {
        // The standard library seeds these from the system.
        let random = || RandomState::new().build_hasher().finish();
        let salt = format!("{:016x}{:016x}", random(), random());
        let hash = hashed(&salt, token);
        Hash { salt, hash }
    }

    fn fits(&self, token: &str) -> bool {
        hashed(&self.salt, token) == self.hash
    }
}

fn hashed(salt: &str, token: &str) -> String {
    let mut digest = Sha256::new()
        .chain_update(salt)
        .chain_update(token)
        .finalize();
    for _ in 0..ROUNDS {
        digest = Sha256::new()
            .chain_update(salt)
            .chain_update(digest)
            .finalize();
    }
    digest.iter().map(|byte| format!("{byte:02x}")).collect()
}

impl Names {
    /// The names of a file, which is created when the first name is claimed. Without a file, names are kept in memory only.
    pub fn open(file: Option<PathBuf>, strict: bool) -> Result<Self, NamesError> {
        if let Some(file) = &file {
            match std::fs::read(file) {
                Ok(bytes) => return Self::of_bytes(file, &bytes, strict),
                Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                Err(source) => {
                    let file = file.clone();
                    return Err(NamesError::Io { file, source });
                }
            }
        }
        Ok(Names {
            file,
            strict,
            known: Mutex::default(),
            claims: Mutex::new(Claims::new(Instant::now())),
        })
    }

    /// The names of a file with this content.
    pub fn of_bytes(file: &Path, bytes: &[u8], strict: bool) -> Result<Self, NamesError> {
        let known = read(bytes).map_err(|problem| NamesError::Foreign {
            file: file.to_owned(),
            problem,
        })?;
        Ok(Names {
            file: Some(file.to_owned()),
            strict,
            known: Mutex::new(known),
            claims: Mutex::new(Claims::new(Instant::now())),
        })
    }

    fn claim(&self, key: String, hash: Hash) -> Result<bool, Refusal> {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if known.len() >= MOST {
            return Err(Refusal("this server has too many names already".to_owned()));
        }
        if known.contains_key(&key) {
            // Another client has claimed it in the meantime.
            return Err(Refusal("the name was just taken; try again".to_owned()));
        }
        let mut claims = self.claims.lock().unwrap_or_else(PoisonError::into_inner);
        if !claims.take(Instant::now()) {
            return Err(Refusal(
                "too many names were claimed recently; try again later, or play without a token"
                    .to_owned(),
            ));
        }
        known.insert(key.clone(), hash);
        if let Some(file) = &self.file {
            let content = Content {
                version: VERSION,
                names: known.clone(),
            };
            let text = serde_json::to_vec_pretty(&content).unwrap_or_default();
            if let Err(error) = write_whole(file, &text) {
                known.remove(&key);
                return Err(Refusal(format!(
                    "the server cannot store names: {}",
                    error.kind()
                )));
            }
        }
        Ok(true)
    }
}

fn read(bytes: &[u8]) -> Result<BTreeMap<String, Hash>, String> {
    let content: Content = serde_json::from_slice(bytes).map_err(|error| error.to_string())?;
    match content.version {
        VERSION => Ok(content.names),
        other => Err(format!("its version is {other}, not {VERSION}")),
    }
}

impl Gatekeeper for Names {
    fn admit(&self, name: &str, token: Option<&str>) -> Result<bool, Refusal> {
        let key = name.to_lowercase();
        let known = self
            .known
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .get(&key)
            .cloned();
        match (known, token) {
            (Some(hash), Some(token)) if hash.fits(token) => Ok(true),
            (Some(_), _) => Err(Refusal(format!("the name {name} belongs to another token"))),
            (None, Some(_)) if key == "anonymous" => Ok(false),
            (None, Some(token)) => self.claim(key, Hash::new(token)),
            (None, None) if self.strict => Err(Refusal(
                "this server needs a token: set info:name and auth:token before mode".to_owned(),
            )),
            (None, None) => Ok(false),
        }
    }

    fn is_owned(&self, name: &str) -> bool {
        let known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        known.contains_key(&name.to_lowercase())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn many_names_can_be_claimed_at_once_but_not_endlessly() {
        let begin = Instant::now();
        let mut claims = Claims::new(begin);
        assert!((0..AT_ONCE).all(|_| claims.take(begin)));
        assert!(!claims.take(begin));
        let later = begin + 2 * ANOTHER + ANOTHER / 2;
        assert!(claims.take(later) && claims.take(later) && !claims.take(later));
        let much_later = later + 10_000 * ANOTHER;
        assert!((0..AT_ONCE).all(|_| claims.take(much_later)));
        assert!(!claims.take(much_later));
    }

    #[test]
    fn a_name_belongs_to_its_first_token_forever() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("names.json");
        let names = Names::open(Some(file.clone()), false).expect("nothing there");
        assert_eq!(names.admit("Ada", None), Ok(false));
        assert!(!names.is_owned("Ada"));
        assert_eq!(names.admit("Ada", Some("secret")), Ok(true));
        assert!(names.is_owned("aDA") && !names.is_owned("Ada-2"));
        for names in [
            &names,
            &Names::open(Some(file.clone()), true).expect("read"),
        ] {
            assert_eq!(names.admit("ada", Some("secret")), Ok(true));
            assert!(names.admit("ADA", Some("other")).is_err());
            assert!(names.admit("Ada", None).is_err());
        }
        let text = std::fs::read_to_string(&file).expect("written");
        assert!(text.contains("ada") && !text.contains("secret"), "{text}");
        let strict = Names::open(None, true).expect("no file");
        assert!(strict.admit("Bob", None).is_err());
        std::fs::write(&file, "{}").expect("written");
        assert!(matches!(
            Names::open(Some(file), false),
            Err(NamesError::Foreign { .. })
        ));
    }
}
