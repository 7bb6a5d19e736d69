//! Folders as agents: a folder that holds one bot, and a folder that stands for a list of bots.

use crate::named::COMMON;
use crate::{AgentError, AgentKind, AgentProblem, AgentSpec, NamedAgent};
use std::io;
use std::path::{Path, PathBuf};

/// Reads a list of agents. Each text is a spec, `NAME=SPEC`, or a folder, which stands for every bot in it. A folder that has a bot
/// with a common name, such as `ai.py`, and no Python file that this bot does not use, is a single bot.
pub fn agents_of(texts: &[String]) -> Result<Vec<NamedAgent>, AgentError> {
    let mut agents = Vec::new();
    for text in texts {
        match Path::new(text).is_dir() && !is_one_bot(Path::new(text)) {
            true => agents.extend(bots(text)?),
            false => agents.push(text.parse()?),
        }
    }
    Ok(agents)
}

/// The single bot in a folder: a Python file with a common name, or the only Python file.
pub(crate) fn bot_in(folder: &str) -> Result<AgentSpec, AgentProblem> {
    let path = Path::new(folder);
    let found = entries(path).map_err(|source| AgentProblem::Folder {
        folder: path.to_owned(),
        source,
    })?;
    let some = found.iter().any(|path| path.is_dir() || is_python(path));
    match bot_of(found) {
        Some(file) => {
            Ok(AgentSpec::plain(AgentKind::Python).with_arguments(&file.to_string_lossy()))
        }
        None if some => Err(AgentProblem::ManyBots),
        None => Err(AgentProblem::NoBots),
    }
}

/// Whether a folder holds a bot with a common name, the files that belong to it, and no other bots.
fn is_one_bot(folder: &Path) -> bool {
    let Ok(found) = entries(folder) else {
        return false;
    };
    let Some(bot) = common_bot(&found) else {
        return false;
    };
    let companions = crate::python::companions(bot);
    let belongs = |path: &PathBuf| {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        path == bot || companions.contains(&name.into_owned())
    };
    let python: Vec<&PathBuf> = found.iter().filter(|path| is_python(path)).collect();
    let with_bots = |path: &PathBuf| entries(path).is_ok_and(|inner| bot_of(inner).is_some());
    python.into_iter().all(belongs) && !found.iter().any(with_bots)
}

/// The bots of a folder, sorted by name: every Python file in it, and the single bot of each subfolder that has one. Names that
/// begin with a dot or an underscore are skipped.
fn bots(folder: &str) -> Result<Vec<NamedAgent>, AgentError> {
    let wrong = |problem| AgentError {
        spec: folder.to_owned(),
        problem,
    };
    let read = |path: &Path| {
        entries(path).map_err(|source| {
            wrong(AgentProblem::Folder {
                folder: path.to_owned(),
                source,
            })
        })
    };
    let mut files = Vec::new();
    for path in read(Path::new(folder))? {
        if path.is_dir() {
            files.extend(bot_of(read(&path)?));
        } else if is_python(&path) {
            files.push(path);
        }
    }
    if files.is_empty() {
        return Err(wrong(AgentProblem::NoBots));
    }
    let python = AgentSpec::plain(AgentKind::Python);
    let named = |file: &PathBuf| NamedAgent::from(python.with_arguments(&file.to_string_lossy()));
    Ok(files.iter().map(named).collect())
}

/// The single bot among the files of a folder: a Python file with a common name, or the only Python file.
fn bot_of(paths: Vec<PathBuf>) -> Option<PathBuf> {
    match common_bot(&paths) {
        Some(file) => Some(file.clone()),
        None => {
            let files: Vec<PathBuf> = paths.into_iter().filter(|path| is_python(path)).collect();
            <[PathBuf; 1]>::try_from(files).ok().map(|[file]| file)
        }
    }
}

/// The Python file with a common name; if there are several, the one whose name comes first in [`COMMON`].
fn common_bot(paths: &[PathBuf]) -> Option<&PathBuf> {
    let called = |name: &&str, path: &&PathBuf| {
        is_python(path) && path.file_stem() == Some((*name).as_ref())
    };
    let mut names = COMMON.iter();
    names.find_map(|name| paths.iter().find(|path| called(name, path)))
}

fn is_python(path: &Path) -> bool {
    path.is_file() && path.extension().is_some_and(|extension| extension == "py")
}

/// The entries of a folder, sorted by name, without those that begin with a dot or an underscore.
fn entries(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut paths = Vec::new();
    for entry in std::fs::read_dir(folder)? {
        let entry = entry?;
        let name = entry.file_name();
        if !name.to_string_lossy().starts_with(['.', '_']) {
            paths.push(entry.path());
        }
    }
    paths.sort();
    Ok(paths)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_is_a_list_of_agents() {
        let place = tempfile::tempdir().expect("a folder");
        let folder = place.path();
        let write = |name: &str| {
            let file = folder.join(name);
            std::fs::create_dir_all(file.parent().expect("a folder")).expect("made");
            std::fs::write(file, "").expect("written");
        };
        for name in [
            "zoe.py",
            "anna.py",
            "_helper.py",
            "notes.txt",
            "bob/ai.py",
            "bob/util.py",
            "carl/carl.py",
            "dora/a.py",
            "dora/b.py",
            "__pycache__/anna.py",
        ] {
            write(name);
        }
        let texts = ["level:1".to_owned(), folder.display().to_string()];
        let mut agents = agents_of(&texts).expect("agents");
        NamedAgent::settle(&mut agents, &[]);
        let labels: Vec<String> = agents.iter().map(NamedAgent::label).collect();
        assert_eq!(labels, ["level:1", "anna", "bob", "carl", "zoe"]);
        // The folder of a single bot can be used wherever an agent is named.
        std::fs::write(folder.join("bob/ai.py"), "from util import *").expect("written");
        for (name, file) in [("bob", "bob/ai.py"), ("carl", "carl/carl.py")] {
            let bot = folder.join(name).display().to_string();
            let expected = format!("py:{}", folder.join(file).display());
            let one = agents_of(std::slice::from_ref(&bot)).expect("a bot");
            assert_eq!(one.len(), 1, "{bot}");
            assert_eq!(one[0].spec.to_string(), expected);
            for text in [&bot, &format!("py:{bot}"), &format!("x={bot}/")] {
                let agent: NamedAgent = text.parse().expect("an agent");
                assert_eq!(agent.spec.to_string(), expected, "{text}");
            }
        }
        for name in ["dora", "."] {
            let many = folder.join(name).display().to_string();
            let error = many.parse::<NamedAgent>().expect_err("several bots");
            assert!(error.to_string().contains("name one of them"), "{error}");
        }
        let empty = folder.join("empty");
        std::fs::create_dir(&empty).expect("made");
        let error = agents_of(&[empty.display().to_string()]).expect_err("no bot");
        assert!(
            error.to_string().contains("there is no bot in it"),
            "{error}"
        );
    }
}
