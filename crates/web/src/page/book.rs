//! The book of Kalahari, a folder of the page, if it was built: read once when the server starts, so that no client names a file.

use kalahari_storage::data_home;
use std::fs;
use std::path::Path;

/// A limit that the book itself does not reach: the folder may contain anything.
const MOST_FILES: usize = 2_000;
const MOST_BYTES: u64 = 64 << 20;

/// The page shown if the book was not built.
const MISSING: &str = "<!doctype html>
<html lang=\"en\"><head><meta charset=\"utf-8\"><title>The book of Kalahari</title></head>
<body><h1>The book of Kalahari</h1>
<p>The book has not been built yet. Run <code>./scripts/book</code> in the source folder of Kalahari, then start
<code>kalahari serve</code> or <code>./scripts/site</code> again. You can also read it as plain text: it begins in <code>book/src/introduction.md</code>.</p>
</body></html>
";

/// The answer to an address below `/book/` that leads nowhere.
pub(super) const NO_PAGE: &str = "<!doctype html>
<html lang=\"en\"><head><meta charset=\"utf-8\"><title>The book of Kalahari</title></head>
<body><h1>The book of Kalahari</h1>
<p>There is no such page. <a href=\"/book/\">The book begins here.</a></p>
</body></html>
";

/// The files of the book with their addresses.
pub(super) fn files() -> Vec<(String, Vec<u8>)> {
    let built = data_home()
        .map(|home| read(&home.join("book")))
        .unwrap_or_default();
    match built.iter().any(|(name, _)| name == "book/index.html") {
        true => built,
        false => vec![("book/index.html".to_owned(), MISSING.as_bytes().to_vec())],
    }
}

fn read(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let mut found = Vec::new();
    let mut left = MOST_BYTES;
    let mut open = vec![(folder.to_owned(), "book".to_owned())];
    while let Some((folder, address)) = open.pop() {
        for entry in fs::read_dir(&folder).into_iter().flatten().flatten() {
            let address = format!("{address}/{}", entry.file_name().to_string_lossy());
            // Links are not followed: they may lead anywhere.
            let Ok(about) = entry.metadata() else {
                continue;
            };
            if about.is_dir() {
                open.push((entry.path(), address));
            } else if about.is_file() && about.len() <= left && found.len() < MOST_FILES {
                left -= about.len();
                found.extend(
                    fs::read(entry.path())
                        .ok()
                        .map(|content| (address, content)),
                );
            }
        }
    }
    found
}
