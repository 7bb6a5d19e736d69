//! The page's files, which are part of the program. They are made ready once, when the server starts: scripts and
//! styles joined, everything compressed, what the page needs first put into it. A debug build reads them from the
//! source folder at that time.

mod book;
mod join;
mod site;

pub use join::JoinError;
pub use site::{SiteError, write_site};

use crate::access::Visitor;
use crate::app::Shared;
use crate::error::ApiError;
use axum::body::Bytes;
use axum::extract::{Extension, State};
use axum::http::{HeaderMap, HeaderValue, StatusCode, Uri, header};
use axum::response::{Html, IntoResponse, Redirect, Response};
use flate2::Compression;
use flate2::write::GzEncoder;
use kalahari_games::{AnyGame, Game};
use kalahari_study::Played;
use kalahari_wire::line::{self, LineAnswer};
use kalahari_wire::meta::Meta;
use serde::Serialize;
use std::borrow::Cow;
use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::Write;
use std::path::Path;

/// All files of the page by path, as they were when the program was built.
static FILES: &[(&str, &[u8])] = include!(concat!(env!("OUT_DIR"), "/page_files.rs"));

/// The source folder, which a debug build reads.
const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/page");

/// A file's content; in a debug build as it is in the source folder now.
fn content(path: &str) -> Option<Cow<'static, [u8]>> {
    if cfg!(debug_assertions)
        && let Ok(now) = std::fs::read(Path::new(FOLDER).join(path))
    {
        return Some(now.into());
    }
    let (_, built_in) = FILES.iter().find(|(name, _)| *name == path)?;
    Some(Cow::Borrowed(built_in))
}

/// What the page needs for its first view, so that it has to ask for nothing.
#[derive(Debug, Serialize)]
pub(crate) struct Given {
    meta: Meta,
    /// The first game's start.
    first: Option<LineAnswer>,
    /// Where there is no server: what replaces it.
    #[serde(skip_serializing_if = "Option::is_none")]
    site: Option<site::Site>,
}

impl Given {
    pub(crate) fn new(meta: Meta) -> Self {
        let game = meta.games.first().map(|game| game.default.parse());
        let first = game.and_then(Result::ok).map(|game| {
            let game = AnyGame::new(game);
            let start = game.start();
            line::answer(&Played::new(game, start), None, true)
        });
        Given {
            meta,
            first,
            site: None,
        }
    }
}

/// All files of the page, by path.
#[derive(Debug)]
pub(crate) struct Page {
    files: HashMap<String, File>,
    /// `index.html` for invited people.
    for_guests: Option<File>,
}

/// A file as it is sent.
#[derive(Debug)]
struct File {
    kind: &'static str,
    /// How long browsers may keep it.
    keep: &'static str,
    tag: String,
    plain: Bytes,
    packed: Bytes,
}

/// The browser asks again each time; most often the answer is that nothing has changed.
const ASK: &str = "no-cache";
/// The browser never asks again: when the content changes, so does the name.
const FOR_EVER: &str = "public, max-age=31536000, immutable";

impl Page {
    /// The page with the answers that it needs first, and the one for invited people with theirs.
    pub(crate) fn new(given: &Given, for_guests: Option<&Given>) -> Self {
        let mut files = HashMap::new();
        for (path, _) in FILES {
            if let (Some(kind), Some(content)) = (kind(path), content(path)) {
                let file = File::new(kind, ASK, content.into_owned());
                files.insert((*path).to_owned(), file);
            }
        }
        for (path, content) in book::files() {
            if let Some(kind) = kind(&path) {
                files.insert(path, File::new(kind, ASK, content));
            }
        }
        let mut page = Page {
            files,
            for_guests: None,
        };
        page.for_guests = for_guests.and_then(|given| {
            let index = page.first_file(given).into_bytes();
            Some(File::new(kind("index.html")?, ASK, index))
        });
        let index = page.first_file(given);
        page.put("index.html", ASK, index);
        page
    }

    fn put(&mut self, path: &str, keep: &'static str, text: String) {
        if let Some(kind) = kind(path) {
            let file = File::new(kind, keep, text.into_bytes());
            self.files.insert(path.to_owned(), file);
        }
    }

    /// `index.html` with one style, one script and what is given. If the scripts cannot be joined, it stays as it is.
    fn first_file(&mut self, given: &Given) -> String {
        let load = |script: &str| format!("<script type=\"module\" src=\"{script}\"></script>");
        let Ok(joined) = Joined::new(given, &load) else {
            return text("index.html").unwrap_or_default();
        };
        for (name, content) in [joined.script, joined.style] {
            self.put(&name, FOR_EVER, content);
        }
        joined.index
    }
}

/// The page's text in three files. The names of two of them change with their content.
struct Joined {
    index: String,
    script: (String, String),
    style: (String, String),
}

impl Joined {
    /// Joins the page; `load` makes the lines of `index.html` that load the script of a name.
    fn new(given: &impl Serialize, load: &dyn Fn(&str) -> String) -> Result<Self, JoinError> {
        let index = text("index.html").unwrap_or_default();
        let script = join::join("js/main.js", &text)?;
        let script_name = format!("page-{}.js", tag(script.as_bytes()));
        let styles = index.lines().filter_map(style);
        let style_text: String = styles.filter_map(text).collect();
        let style_name = format!("page-{}.css", tag(style_text.as_bytes()));
        let mut joined = String::new();
        for line in index.lines() {
            if style(line).is_some() {
                continue;
            }
            if line.contains("src=\"js/main.js\"") {
                // In a script, "<" could be taken for its end.
                let given = serde_json::to_string(given).unwrap_or_default();
                let given = given.replace('<', "\\u003c");
                joined += &format!(
                    "  <link rel=\"stylesheet\" href=\"{style_name}\">\n  {}\n  \
                     <script type=\"application/json\" id=\"given\">{given}</script>\n",
                    load(&script_name)
                );
                continue;
            }
            joined += line;
            joined += "\n";
        }
        Ok(Joined {
            index: joined,
            script: (script_name, script),
            style: (style_name, style_text),
        })
    }
}

impl File {
    fn new(kind: &'static str, keep: &'static str, content: Vec<u8>) -> Self {
        // Writing into memory does not fail; if it did, the packed form would not be sent.
        let mut packer = GzEncoder::new(Vec::new(), Compression::best());
        let packed = packer.write_all(&content).and_then(|()| packer.finish());
        File {
            kind,
            keep,
            tag: format!("\"{}\"", tag(&content)),
            packed: packed.unwrap_or_default().into(),
            plain: content.into(),
        }
    }
}

/// The text of a file of the page.
fn text(path: &str) -> Option<String> {
    String::from_utf8(content(path)?.into_owned()).ok()
}

/// The path of the style that a line of `index.html` asks for.
fn style(line: &str) -> Option<&str> {
    let (_, rest) = line.split_once("<link rel=\"stylesheet\" href=\"")?;
    Some(rest.split_once('"')?.0)
}

/// A short text that identifies a content.
fn tag(content: &[u8]) -> String {
    let mut hasher = DefaultHasher::new();
    content.hash(&mut hasher);
    format!("{:016x}", hasher.finish())
}

/// The file of an address; `/` is `index.html`.
pub(crate) async fn file(
    State(app): State<Shared>,
    Extension(visitor): Extension<Visitor>,
    uri: Uri,
    headers: HeaderMap,
) -> Response {
    let path = match uri.path() {
        "/" => "index.html",
        // Its links are relative to the folder.
        "/book" => return Redirect::permanent("/book/").into_response(),
        "/book/" => "book/index.html",
        path => path.trim_start_matches('/'),
    };
    let file = match path {
        "index.html" if !visitor.owner => app.page.for_guests.as_ref(),
        path => app.page.files.get(path),
    };
    let Some(file) = file else {
        if path.starts_with("book/") {
            return (StatusCode::NOT_FOUND, Html(book::NO_PAGE)).into_response();
        }
        return ApiError::not_found("there is nothing here").into_response();
    };
    let fixed = [
        (header::CONTENT_TYPE, file.kind),
        (header::CACHE_CONTROL, file.keep),
        (header::ETAG, file.tag.as_str()),
        (header::VARY, "accept-encoding"),
    ];
    let known = headers.get(header::IF_NONE_MATCH);
    if known.is_some_and(|known| known.as_bytes() == file.tag.as_bytes()) {
        return (StatusCode::NOT_MODIFIED, fixed).into_response();
    }
    if !file.packed.is_empty() && headers.get(header::ACCEPT_ENCODING).is_some_and(takes_gzip) {
        let packed = [(header::CONTENT_ENCODING, "gzip")];
        return (fixed, packed, file.packed.clone()).into_response();
    }
    (fixed, file.plain.clone()).into_response()
}

/// Whether gzip is among the encodings that a client takes, and not refused by `q=0`.
fn takes_gzip(accepted: &HeaderValue) -> bool {
    let accepted = accepted.to_str().unwrap_or_default();
    accepted.split(',').any(|one| {
        let (name, quality) = one.split_once(';').unwrap_or((one, ""));
        name.trim().eq_ignore_ascii_case("gzip") && !matches!(quality.trim(), "q=0" | "q=0.0")
    })
}

/// The content type of a file by its name; `None` for files that are not part of the page.
fn kind(path: &str) -> Option<&'static str> {
    Some(match path.rsplit_once('.')?.1 {
        "html" => "text/html; charset=utf-8",
        "js" | "mjs" => "text/javascript; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "svg" => "image/svg+xml",
        "png" => "image/png",
        "webp" => "image/webp",
        "ico" => "image/x-icon",
        "json" => "application/json",
        "webmanifest" => "application/manifest+json",
        "woff2" => "font/woff2",
        // The book's examples, to be read.
        "py" | "txt" | "cff" | "yaml" => "text/plain; charset=utf-8",
        _ => return None,
    })
}
