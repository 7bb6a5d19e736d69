//! What the documents promise: links lead somewhere, commands can be given, positions can be opened.
//!
//! The README, the book, the notes in `docs` and the other documents of the repository are read from their files. A packaged
//! crate has none of them and checks nothing.

use crate::Cli;
use clap::{CommandFactory, Parser};
use kalahari_games::{AnyGame, Game, GameSpec};
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Component, Path, PathBuf};

/// The repository's root, if this is the repository.
fn root() -> Option<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    root.join("book/src/SUMMARY.md").is_file().then_some(root)
}

/// Every document with its text. Names are relative to the root.
fn documents(root: &Path) -> BTreeMap<PathBuf, String> {
    let mut found = BTreeMap::new();
    for name in [
        "",
        "docs",
        "book/src",
        "book/src/players",
        "book/src/agents",
        "book/src/research",
    ]
    .into_iter()
    .chain(["python", "examples/agents", "examples/class", "crates/web"])
    {
        let folder =
            fs::read_dir(root.join(name)).unwrap_or_else(|error| panic!("{name}: {error}"));
        for entry in folder.flatten() {
            let path = entry.path();
            if path.extension().is_some_and(|ending| ending == "md") {
                let text = fs::read_to_string(&path).expect("a document");
                // A command may continue in the next line.
                let text = text.replace("\\\n", " ");
                found.insert(Path::new(name).join(entry.file_name()), text);
            }
        }
    }
    found
}

/// A line of a document: its number, its text, and the word behind the fence of the block it is in. Running text whose code goes on in
/// the next line is one line with it.
struct Line<'a> {
    number: usize,
    text: Cow<'a, str>,
    block: Option<&'a str>,
}

fn lines(text: &str) -> Vec<Line<'_>> {
    let mut block = None;
    let mut found: Vec<Line<'_>> = Vec::new();
    for (index, line) in text.lines().enumerate() {
        if let Some(word) = line.trim_start().strip_prefix("```") {
            block = match block {
                None => Some(word.trim()),
                Some(_) => None,
            };
            continue;
        }
        let is_open = |line: &Line<'_>| {
            line.block.is_none() && line.text.matches('`').count() % 2 == 1 && !line.text.is_empty()
        };
        match found.last_mut() {
            Some(last) if block.is_none() && is_open(last) => {
                last.text = format!("{} {line}", last.text).into();
            }
            _ => found.push(Line {
                number: index + 1,
                text: line.into(),
                block,
            }),
        }
    }
    found
}

/// The targets of all links of a line: the text between `](` and `)`.
fn links(line: &str) -> impl Iterator<Item = &str> {
    let behind = line.split("](").skip(1);
    behind.filter_map(|rest| rest.split_once(')').map(|(target, _)| target))
}

/// The anchors of a document's headings, as GitHub and mdBook make them.
fn anchors(text: &str) -> Vec<String> {
    let headings = lines(text).into_iter().filter(|line| line.block.is_none());
    let titles = headings.filter_map(|line| {
        let title = line.text.trim_start_matches('#');
        (title.len() < line.text.len()).then(|| title.trim().to_lowercase())
    });
    let slug = |title: String| -> String {
        let kept = title
            .chars()
            .filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_'));
        kept.map(|c| if c == ' ' { '-' } else { c }).collect()
    };
    titles.map(slug).collect()
}

/// A path without `.` and `..`.
fn plain(path: &Path) -> PathBuf {
    let mut found = PathBuf::new();
    for part in path.components() {
        match part {
            Component::ParentDir => {
                found.pop();
            }
            Component::CurDir => {}
            other => found.push(other),
        }
    }
    found
}

/// What is wrong with a link, if anything.
fn wrong_link(
    root: &Path,
    all: &BTreeMap<PathBuf, String>,
    from: &Path,
    target: &str,
) -> Option<String> {
    if let Some(line) = target.strip_prefix("http://localhost:8080/#/") {
        return wrong_line(line);
    }
    if target.contains("://") || target.starts_with("mailto:") {
        return None;
    }
    let (path, anchor) = target.split_once('#').unwrap_or((target, ""));
    let path = match path {
        "" => from.to_owned(),
        path => plain(&from.parent().unwrap_or(Path::new("")).join(path)),
    };
    if !root.join(&path).exists() {
        return Some(format!("there is no {}", path.display()));
    }
    let text = all.get(&path)?;
    let missing = !anchor.is_empty() && !anchors(text).iter().any(|known| known == anchor);
    missing.then(|| format!("{} has no heading #{anchor}", path.display()))
}

/// What is wrong with a position that the page is asked to show: `analysis?game=...&start=...&moves=...`.
fn wrong_line(link: &str) -> Option<String> {
    let query = link.split_once('?').map_or("", |(_, query)| query);
    let of = |name: &str| {
        let mut pairs = query.split('&').filter_map(|pair| pair.split_once('='));
        pairs
            .find(|(key, _)| *key == name)
            .map(|(_, value)| value.replace("%23", "#"))
    };
    let game = of("game").and_then(|game| game.parse::<GameSpec>().ok());
    let Some(game) = game.map(AnyGame::new) else {
        return Some("no such game".to_owned());
    };
    let mut position = match of("start") {
        None => game.start(),
        Some(start) => match game.parse_position(&start.replace(',', " ")) {
            Ok(position) => position,
            Err(error) => return Some(error.to_string()),
        },
    };
    for text in of("moves").iter().flat_map(|moves| moves.split('.')) {
        let Some(found) = game.moves(&position).find(|mv| mv.to_string() == text) else {
            return Some(format!("{text} is not a legal move"));
        };
        position = game.play_unchecked(&position, found);
    }
    None
}

/// What is wrong with a line of a shell, wherever it calls this program.
fn wrong_command(line: &str) -> Option<String> {
    // `parallel` puts a number in the place of {}.
    let line = line
        .replace("cargo run --release -- ", "kalahari ")
        .replace(" {} ", " 0 ");
    let Some(words) = shlex::split(&line) else {
        return line
            .starts_with("kalahari ")
            .then(|| "a quote is not closed".to_owned());
    };
    let is_next = |word: &String| matches!(word.as_str(), "|" | "&&" | "||" | "&" | ";");
    words.split(is_next).find_map(wrong_call)
}

/// What is wrong with one command of a line, if it calls this program: directly, behind variables, or by way of another program.
fn wrong_call(words: &[String]) -> Option<String> {
    let is_before = |word: &&String| {
        word.contains('=') || matches!(word.as_str(), "env" | "nice" | "parallel" | "srun" | "time")
    };
    let is_end = |word: &&String| matches!(word.as_str(), "<" | ">" | ">>" | ":::");
    let call = words.iter().skip_while(is_before);
    let words: Vec<&String> = call.take_while(|word| !is_end(word)).collect();
    if *words.first()? != "kalahari" {
        return None;
    }
    let shown = [
        clap::error::ErrorKind::DisplayHelp,
        clap::error::ErrorKind::DisplayVersion,
    ];
    match Cli::try_parse_from(words) {
        Err(error) if !shown.contains(&error.kind()) => Some(error.to_string()),
        _ => None,
    }
}

/// What is wrong with a command that is named in running text, such as `kalahari solve GAME --json`. It may leave things out or have
/// names in place of values, but the command and its options must exist.
fn wrong_named(program: &clap::Command, words: &str) -> Option<String> {
    let is_name = |word: &str| {
        word.bytes()
            .all(|byte| byte.is_ascii_lowercase() || byte == b'-')
    };
    let mut words = words.split_whitespace().peekable();
    let mut command = program;
    while let Some(word) = words.next_if(|word| is_name(word) && !word.starts_with('-')) {
        match command.find_subcommand(word) {
            Some(found) => command = found,
            None if command.has_subcommands() => {
                return Some(format!("there is no command {word}"));
            }
            None => break,
        }
    }
    let known = |name: &str| {
        let own = command.get_arguments().chain(program.get_arguments());
        let mut names = own.filter_map(|argument| argument.get_long_and_visible_aliases());
        matches!(name, "help" | "version") || names.any(|names| names.contains(&name))
    };
    let options = words.filter_map(|word| word.strip_prefix("--"));
    let mut names = options.map(|option| option.split('=').next().unwrap_or_default());
    let missing = names.find(|name| !name.is_empty() && is_name(name) && !known(name))?;
    Some(format!("{} has no option --{missing}", command.get_name()))
}

/// The parts of running text between backticks.
fn codes(line: &str) -> impl Iterator<Item = &str> {
    line.split('`').skip(1).step_by(2)
}

/// What is wrong with a script of the repository that a line names, if anything.
fn wrong_script(root: &Path, line: &str) -> Option<String> {
    let named = line.split(|c: char| c.is_whitespace() || matches!(c, '`' | '(' | ')' | ',' | ';'));
    let mut scripts = named.filter_map(|word| {
        let word = word.strip_prefix("./").unwrap_or(word);
        word.strip_prefix("scripts/")
    });
    let missing = scripts.find(|name| {
        let is_name = !name.is_empty() && name.bytes().all(|b| b.is_ascii_lowercase() || b == b'-');
        is_name && !root.join("scripts").join(name).is_file()
    })?;
    Some(format!("there is no scripts/{missing}"))
}

#[test]
fn links_and_commands_of_all_documents_work() {
    let Some(root) = root() else { return };
    let all = documents(&root);
    let program = Cli::command();
    let mut wrong = Vec::new();
    for (name, text) in &all {
        for line in lines(text) {
            let mut complain = |problem: String| {
                wrong.push(format!("{}:{}: {problem}", name.display(), line.number));
            };
            wrong_script(&root, &line.text)
                .into_iter()
                .for_each(&mut complain);
            match line.block {
                Some("sh" | "bash" | "shell" | "console" | "") => {
                    let typed = line.text.strip_prefix("$ ").unwrap_or(&line.text);
                    wrong_command(typed).into_iter().for_each(&mut complain);
                }
                // In a log, commands follow a prompt.
                Some("text") => {
                    let typed = line.text.strip_prefix("$ ");
                    let problem = typed.and_then(wrong_command);
                    problem.into_iter().for_each(&mut complain);
                }
                Some(_) => {}
                // An indented block.
                None if line.text.starts_with("    kalahari ") => {
                    let typed = line.text.trim_start();
                    wrong_command(typed).into_iter().for_each(&mut complain);
                }
                None => {
                    for target in links(&line.text) {
                        if let Some(problem) = wrong_link(&root, &all, name, target) {
                            complain(format!("link {target}: {problem}"));
                        }
                    }
                    let named = codes(&line.text).filter_map(|code| code.strip_prefix("kalahari "));
                    for problem in named.filter_map(|words| wrong_named(&program, words)) {
                        complain(problem);
                    }
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The README's first commands are `cargo run --release -- ...`: of several programs, cargo has to know which one is meant.
#[test]
fn cargo_run_starts_this_program() {
    let Some(root) = root() else { return };
    let output = std::process::Command::new(env!("CARGO"))
        .args([
            "metadata",
            "--no-deps",
            "--offline",
            "--format-version",
            "1",
        ])
        .current_dir(root)
        .output()
        .expect("cargo runs");
    let found: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let packages = found["packages"].as_array().expect("packages");
    let named: Vec<&str> = packages
        .iter()
        .filter_map(|package| package["default_run"].as_str())
        .collect();
    assert_eq!(named, ["kalahari"]);
}

#[test]
fn every_chapter_is_in_the_table_of_contents() {
    let Some(root) = root() else { return };
    let all = documents(&root);
    let book = Path::new("book/src");
    let summary = &all[&book.join("SUMMARY.md")];
    let listed: Vec<PathBuf> = summary
        .lines()
        .flat_map(links)
        .map(|link| book.join(link))
        .collect();
    for name in all.keys().filter(|name| name.starts_with(book)) {
        let is_listed = listed.contains(name) || name.ends_with("SUMMARY.md");
        assert!(is_listed, "{} is not in SUMMARY.md", name.display());
    }
}

#[test]
fn the_chapter_of_all_commands_is_the_programs_own() {
    let Some(root) = root() else { return };
    let text = fs::read_to_string(root.join("book/src/commands.md")).expect("a chapter");
    let own = crate::commands::manual::chapter();
    assert!(
        text == own,
        "book/src/commands.md is out of date: scripts/book --commands"
    );
}

#[test]
fn what_is_wrong_is_found() {
    assert!(wrong_command("kalahari solve").is_some());
    assert!(wrong_command("kalahari nothing").is_some());
    assert_eq!(
        wrong_command("kalahari sprt --wins 3 --draws 1 --losses 2 > file"),
        None
    );
    assert_eq!(wrong_command("cargo build"), None);
    for wrong in [
        "kalahari show 'kalah",
        "seq 3 | kalahari nothing",
        "cargo build && kalahari nothing",
        "WEIGHT=1 kalahari nothing",
        "parallel kalahari nothing ::: 1 2",
    ] {
        assert!(wrong_command(wrong).is_some(), "{wrong}");
    }
    let broken = lines("run `kalahari\nnothing` now");
    assert_eq!(broken.len(), 1);
    assert!(codes(&broken[0].text).any(|code| code == "kalahari nothing"));
    let program = Cli::command();
    for right in [
        "solve GAME --position POS",
        "tune run",
        "tablebase build kalah:6 --seeds=20",
        "COMMAND --help",
        "-V",
    ] {
        assert_eq!(wrong_named(&program, right), None, "{right}");
    }
    for wrong in ["nothing", "tune nothing", "solve GAME --nothing N"] {
        assert!(wrong_named(&program, wrong).is_some(), "{wrong}");
    }
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    assert!(wrong_script(&root, "run `./scripts/nothing`").is_some());
    assert!(wrong_line("analysis?game=kalah:6x4&moves=9").is_some());
    assert_eq!(wrong_line("analysis?game=kalah:6x4&moves=2.5"), None);
    assert!(wrong_line("analysis?game=isolation:5x5:queen&start=..1,0").is_some());
    assert_eq!(anchors("# The `a-b` of it: 1, 2"), ["the-a-b-of-it-1-2"]);
}
