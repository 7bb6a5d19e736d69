//! The other files of a Python agent: those in the same folder that it imports or names.

use std::collections::BTreeSet;
use std::path::Path;

/// At most this many files count as an agent's; a folder with more of them is a library.
const MOST: usize = 64;

/// The longest file, in bytes, that is searched for the names of others.
const LONGEST: u64 = 1 << 20;

/// The names of the files beside a Python file that it, or one of them, imports or names in its text, sorted. The file is not run,
/// so names that are made up at run time are not found.
pub(crate) fn companions(file: &Path) -> Vec<String> {
    let folder = match file.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    let Ok(entries) = std::fs::read_dir(folder) else {
        return Vec::new();
    };
    let own = file
        .file_name()
        .map(|name| name.to_string_lossy().into_owned());
    let beside: Vec<String> = entries
        .flatten()
        .filter(|entry| entry.path().is_file())
        .map(|entry| entry.file_name().to_string_lossy().into_owned())
        .filter(|name| Some(name) != own.as_ref() && !name.starts_with('.'))
        .collect();
    let mut found = BTreeSet::new();
    let mut texts = vec![text(file)];
    while let Some(text) = texts.pop() {
        for name in &beside {
            if found.len() < MOST && !found.contains(name) && names(&text, name) {
                found.insert(name.clone());
                if name.ends_with(".py") {
                    texts.push(self::text(&folder.join(name)));
                }
            }
        }
    }
    found.into_iter().collect()
}

fn text(file: &Path) -> String {
    let short = std::fs::metadata(file).is_ok_and(|data| data.len() <= LONGEST);
    let bytes = if short {
        std::fs::read(file)
    } else {
        Ok(Vec::new())
    };
    String::from_utf8_lossy(&bytes.unwrap_or_default()).into_owned()
}

/// Whether a text imports the module of this Python file, or contains the name of this file if it is of another kind.
fn names(text: &str, file: &str) -> bool {
    let Some(module) = file.strip_suffix(".py") else {
        return text.contains(file);
    };
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    text.lines()
        .map(str::trim_start)
        .filter(|line| line.starts_with("import ") || line.starts_with("from "))
        .any(|line| line.split(|c| !is_part(c)).any(|word| word == module))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn imported_and_named_files_belong_to_an_agent() {
        let place = tempfile::tempdir().expect("a folder");
        let write = |name: &str, text: &str| {
            std::fs::write(place.path().join(name), text).expect("written");
        };
        write(
            "ai.py",
            "import os, helper\nopen('weights.json')\n# import other\n",
        );
        write("helper.py", "  from .deep import x\n");
        write("deep.py", "import ai\n");
        write("other.py", "");
        write("weights.json", "");
        write("more.json", "");
        let found = companions(&place.path().join("ai.py"));
        assert_eq!(found, ["deep.py", "helper.py", "weights.json"]);
        assert!(companions(&place.path().join("nothing.py")).is_empty());
    }
}
