//! Whose names are whose: tokens, kept as salted hashes.

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

/// The names that somebody has claimed with a token. The first token that comes with a name claims it; from then on the name
/// is that token's. Names that differ in capitals only are the same.
#[derive(Debug)]
pub struct Names {
    file: Option<PathBuf>,
    /// Whether everybody needs a token.
    strict: bool,
    known: Mutex<BTreeMap<String, Hash>>,
    claims: Mutex<Claims>,
}

/// How many names may still be claimed: nobody fills the table in an hour, and a whole class comes in at once.
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

    /// Whether one more may be claimed now; it is counted.
    fn take(&mut self, now: Instant) -> bool {
        let passed = now.saturating_duration_since(self.counted).as_secs() / ANOTHER.as_secs();
        self.left = self.left.saturating_add(passed as u32).min(AT_ONCE);
        self.counted += ANOTHER * passed as u32;
        let has_one = self.left > 0;
        self.left = self.left.saturating_sub(1);
        has_one
    }
}

/// A token as it is kept: nobody can read it back.
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
    /// The system refuses.
    #[error("{}: {source}", file.display())]
    Io {
        /// The file.
        file: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// It is something else.
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
/// The most names that are kept.
const MOST: usize = 10_000;
/// So many may be claimed at once, and then one more after every such time.
const AT_ONCE: u32 = 500;
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
    /// The names of a file, which is made when the first name is claimed; without a file they are kept in memory only.
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

    /// The names of a file that has these bytes.
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
            return Err(Refusal(
                "this server knows too many names already".to_owned(),
            ));
        }
        if known.contains_key(&key) {
            // Somebody else was faster by milliseconds.
            return Err(Refusal("the name was just taken; try again".to_owned()));
        }
        let mut claims = self.claims.lock().unwrap_or_else(PoisonError::into_inner);
        if !claims.take(Instant::now()) {
            return Err(Refusal(
                "too many names were taken lately; try again later, or play without a token"
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
                    "the server cannot keep names: {}",
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
        other => Err(format!("it is of version {other}, not {VERSION}")),
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
                "set auth:token and info:name come before mode".to_owned(),
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
    fn names_are_claimed_by_a_class_and_not_by_a_flood() {
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
    fn a_name_is_the_first_tokens_for_ever() {
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
