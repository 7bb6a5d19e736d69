//! All modules of the page as one script. A browser asks for six files at a time, so sixty small ones take many
//! times as long as one that holds them all.
//!
//! A module becomes a function that returns what the module exports, called where it is first needed:
//!
//! ```js
//! const module_0 = (() => {
//! function twice(x) { return 2 * x; }
//! return { twice };
//! })();
//! ```
//!
//! That is enough for modules written like ours: every import is one line of names, every export is a declaration,
//! there are no import cycles and no texts over several lines. Anything else is refused. Comments are left out.

use std::collections::HashMap;
use thiserror::Error;

/// Why modules cannot be joined.
#[derive(Debug, Error)]
pub enum JoinError {
    /// A module that is not there.
    #[error("{0} is imported, but is not there")]
    Missing(String),
    /// A module that needs itself.
    #[error("{0} imports itself through other modules")]
    Circle(String),
    /// A line that is written in another way.
    #[error("{module}: not understood: {line}")]
    Form {
        /// Where.
        module: String,
        /// The line.
        line: String,
    },
}

/// The script of a module with all that it imports; `read` gives the text of a module by its path.
pub(super) fn join(
    entry: &str,
    read: &dyn Fn(&str) -> Option<String>,
) -> Result<String, JoinError> {
    let mut joiner = Joiner {
        read,
        numbers: HashMap::new(),
        script: String::new(),
    };
    joiner.number(entry)?;
    Ok(joiner.script)
}

struct Joiner<'a> {
    read: &'a dyn Fn(&str) -> Option<String>,
    /// The modules met so far; `None` while one is being read.
    numbers: HashMap<String, Option<usize>>,
    script: String,
}

impl Joiner<'_> {
    /// The number of a module, after adding it to the script behind all that it imports.
    fn number(&mut self, module: &str) -> Result<usize, JoinError> {
        match self.numbers.get(module) {
            Some(Some(number)) => return Ok(*number),
            Some(None) => return Err(JoinError::Circle(module.to_owned())),
            None => self.numbers.insert(module.to_owned(), None),
        };
        let source = (self.read)(module).ok_or_else(|| JoinError::Missing(module.to_owned()))?;
        let mut body = String::new();
        let mut exports = Vec::new();
        let mut remarks = Remarks::default();
        for line in source.lines().filter(|line| !remarks.take(line)) {
            let form = || JoinError::Form {
                module: module.to_owned(),
                line: line.to_owned(),
            };
            if line.starts_with("import ") {
                let (names, from) = imported(line).ok_or_else(form)?;
                let number = self.number(&beside(module, from))?;
                let names = names.replace(" as ", ": ");
                body += &format!("const {{ {names} }} = module_{number};");
            } else if let Some(declaration) = line.strip_prefix("export ") {
                exports.push(declared(declaration).ok_or_else(form)?);
                body += declaration;
            } else {
                body += line;
            }
            body += "\n";
        }
        let number = self.numbers.values().flatten().count();
        self.numbers.insert(module.to_owned(), Some(number));
        let exports = exports.join(", ");
        self.script += &format!(
            "// {module}\nconst module_{number} = (() => {{\n{body}return {{ {exports} }};\n}})();\n"
        );
        Ok(number)
    }
}

/// Lines that are nothing but a comment, which no browser needs.
#[derive(Default)]
struct Remarks {
    /// Whether the comment of an earlier line continues.
    open: bool,
}

impl Remarks {
    /// Whether a line is nothing but a comment.
    fn take(&mut self, line: &str) -> bool {
        let line = line.trim();
        if !self.open && line.starts_with("//") {
            return true;
        }
        if !self.open && !line.starts_with("/*") {
            return false;
        }
        let end = line.find("*/");
        let begun = !self.open;
        self.open = end.is_none();
        // A comment about a type may come before its code in the same line.
        !(begun && end.is_some_and(|end| end + 2 < line.len()))
    }
}

/// The names and the path in `import { a, b as c } from "./path.js";`.
fn imported(line: &str) -> Option<(&str, &str)> {
    let inner = line.strip_prefix("import { ")?.strip_suffix("\";")?;
    inner.split_once(" } from \"")
}

/// The name that is declared in `function name(…`, `class Name {` or `const name = …`.
fn declared(declaration: &str) -> Option<String> {
    let declaration = declaration.strip_prefix("async ").unwrap_or(declaration);
    let (kind, rest) = declaration.split_once(' ')?;
    let end = rest.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_' || c == '$'))?;
    (["function", "class", "const"].contains(&kind) && end > 0).then(|| rest[..end].to_owned())
}

/// The path of what a module calls `from`.
fn beside(module: &str, from: &str) -> String {
    let mut folders: Vec<&str> = module.split('/').collect();
    folders.pop();
    for part in from.split('/') {
        match part {
            "." => {}
            ".." => {
                folders.pop();
            }
            part => folders.push(part),
        }
    }
    folders.join("/")
}
