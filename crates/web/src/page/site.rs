//! The page without a server, as a folder for any web host: the same page, and instead of the server a module for the
//! browser's workers.

use super::join::{JoinError, join};
use super::{Given, Joined, book, content, tag, text};
use kalahari_net::shipped_files;
use kalahari_storage::write_whole;
use kalahari_wire::meta::Meta;
use serde::Serialize;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::{fs, io};
use thiserror::Error;

/// The files that replace a server, by their addresses.
#[derive(Debug, Serialize)]
pub(super) struct Site {
    module: String,
    worker: String,
    nets: BTreeMap<&'static str, String>,
}

/// Why a site cannot be written.
#[derive(Debug, Error)]
pub enum SiteError {
    /// The page's scripts cannot be joined.
    #[error("the page's scripts: {0}")]
    Join(#[from] JoinError),
    /// Something of the page is not part of this program.
    #[error("{0} is missing in this program")]
    Missing(&'static str),
    /// A file cannot be written.
    #[error("{}: {error}", .path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// The reason.
        error: io::Error,
    },
}

/// Files that are copied as they are; the browser shows them where the page is installed.
const COPIED: [(&str, &str); 4] = [
    ("icon.svg", "icon.svg"),
    ("site/icon-192.png", "icon-192.png"),
    ("site/icon-512.png", "icon-512.png"),
    ("site/manifest.webmanifest", "manifest.webmanifest"),
];
const SERVICE: &str = "site/service-worker.js";

/// What is loaded before the page runs, besides the script. A script that is not a module also runs when the page is opened from a
/// file, where it can say why nothing else runs.
const HEAD: &str = "<link rel=\"manifest\" href=\"manifest.webmanifest\">
  <link rel=\"apple-touch-icon\" href=\"icon-192.png\">
  <meta name=\"theme-color\" content=\"#b4572a\">";

/// Writes the page into a folder, with the compiled module and the book, if it was built. Files of an earlier site stay: browsers may still ask for them. The
/// file that names all others is written last, so what is there is whole at any time.
pub fn write_site(folder: &Path, module: &[u8]) -> Result<Vec<PathBuf>, SiteError> {
    let worker = format!("\"use strict\";\n{}", join("js/backend/worker.js", &text)?);
    let mut files: Vec<(String, Vec<u8>)> = Vec::new();
    let mut add = |name: String, content: Vec<u8>| {
        files.push((name.clone(), content));
        name
    };
    let mut given = Given::new(Meta::alone());
    given.site = Some(Site {
        module: add(format!("kalahari-{}.wasm", tag(module)), module.to_vec()),
        worker: add(
            format!("worker-{}.js", tag(worker.as_bytes())),
            worker.into_bytes(),
        ),
        nets: shipped_files()
            .map(|(name, bytes)| {
                let stem = name.trim_end_matches(".net");
                let address = format!("nets/{stem}-{}.net", tag(bytes));
                (name, add(address, bytes.to_vec()))
            })
            .collect(),
    });
    let load = |script: &str| format!("{HEAD}\n  <script defer src=\"{script}\"></script>");
    let joined = Joined::new(&given, &load)?;
    let (script_name, script) = joined.script;
    add(
        script_name,
        format!("\"use strict\";\n{script}").into_bytes(),
    );
    let (style_name, style) = joined.style;
    add(style_name, style.into_bytes());
    for (from, to) in COPIED {
        let content = content(from).ok_or(SiteError::Missing(from))?;
        add(to.to_owned(), content.into_owned());
    }
    add("index.html".to_owned(), joined.index.into_bytes());
    let service = service(&files)?;
    // Tells GitHub Pages not to leave out files because of their names.
    files.insert(0, (".nojekyll".to_owned(), Vec::new()));
    // The book is not needed without a network, so the service worker does not keep it.
    files.extend(book::files());
    files.push(("service-worker.js".to_owned(), service.into_bytes()));
    files.iter().map(|file| write(folder, file)).collect()
}

/// The service worker, which keeps a version's files: those of the first load from the beginning, nets when they were needed.
fn service(files: &[(String, Vec<u8>)]) -> Result<String, SiteError> {
    let source = text(SERVICE).ok_or(SiteError::Missing(SERVICE))?;
    let names = || files.iter().map(|(name, _)| name.as_str());
    let first: Vec<&str> = names().filter(|name| !name.starts_with("nets/")).collect();
    let contents: Vec<String> = files.iter().map(|(_, content)| tag(content)).collect();
    let version = tag([source.clone(), contents.join(" ")].join(" ").as_bytes());
    let list = serde_json::to_string(&first).unwrap_or_default();
    let source = source.replace("\"VERSION\"", &format!("\"{version}\""));
    Ok(source.replace("[\"FILES\"]", &list))
}

fn write(folder: &Path, (name, content): &(String, Vec<u8>)) -> Result<PathBuf, SiteError> {
    let path = folder.join(name);
    let written = match path.parent() {
        Some(parent) => fs::create_dir_all(parent),
        None => Ok(()),
    };
    match written.and_then(|()| write_whole(&path, content)) {
        Ok(()) => Ok(path),
        Err(error) => Err(SiteError::Write { path, error }),
    }
}
