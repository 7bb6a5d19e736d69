//! Text files whose first line says what they are, and whose last line is a checksum of everything before it.

use kalahari_storage::{Damage, FileError, FileKind, Foreign};
use sha2::{Digest, Sha256};
use std::path::Path;

/// How the last line begins.
const CHECKSUM: &str = "sha256 ";

/// The format of one kind of such files.
pub(crate) struct Frame {
    pub(crate) kind: &'static FileKind,
    /// How the first line begins; the version follows.
    pub(crate) magic: &'static str,
    pub(crate) version: u32,
}

fn checksum(parts: &[&[u8]]) -> String {
    let mut sum = Sha256::new();
    for part in parts {
        sum.update(part);
    }
    let sum = sum.finalize();
    sum.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Writes a text between the first line and the last, whole or not at all. The text must end with a line break.
pub(crate) fn write_checked(frame: &Frame, path: &Path, text: &str) -> Result<(), FileError> {
    let first = format!("{}{}\n", frame.magic, frame.version);
    let sum = checksum(&[first.as_bytes(), text.as_bytes()]);
    let whole = format!("{first}{text}{CHECKSUM}{sum}\n");
    frame.kind.write(path, whole.as_bytes())
}

/// Reads a file, checks its first and last lines, and returns the text between them.
pub(crate) fn read_checked(frame: &Frame, path: &Path) -> Result<String, FileError> {
    check(frame, path, frame.kind.read(path)?)
}

/// The same as [`read_checked`] for the bytes of a file. The path is used in errors only.
pub(crate) fn check(frame: &Frame, path: &Path, bytes: Vec<u8>) -> Result<String, FileError> {
    let Frame {
        kind,
        magic,
        version,
    } = frame;
    if !bytes.starts_with(magic.as_bytes()) {
        let is_short = magic.as_bytes().starts_with(&bytes);
        return Err(match is_short {
            true => kind.error(path, Damage::TooShort),
            false => kind.error(path, Foreign::Kind),
        });
    }
    let damaged = || kind.error(path, Damage::checksum("the file"));
    let mut text = String::from_utf8(bytes).map_err(|_| damaged())?;
    let first = text.lines().next().unwrap_or_default();
    match first[magic.len()..].parse::<u32>() {
        Ok(found) if found == *version => {}
        Ok(found) => {
            let known = *version;
            return Err(kind.error(path, Foreign::Version { found, known }));
        }
        Err(_) => return Err(damaged()),
    }
    let behind = first.len() + 1;
    let Some(whole) = text.strip_suffix('\n') else {
        return Err(kind.error(path, Damage::TooShort));
    };
    let end = whole.rfind('\n').map_or(0, |end| end + 1);
    let Some(kept) = whole[end..].strip_prefix(CHECKSUM) else {
        return Err(kind.error(path, Damage::TooShort));
    };
    match kept == checksum(&[&text.as_bytes()[..end]]) {
        true => {
            text.truncate(end);
            Ok(text.split_off(behind.min(text.len())))
        }
        false => Err(damaged()),
    }
}
