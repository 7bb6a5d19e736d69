//! A folder of bots is a list of agents.

use crate::{AgentError, AgentKind, AgentProblem, AgentSpec, NamedAgent};
use std::io;
use std::path::{Path, PathBuf};

/// What a folder of its own may call a bot, the likeliest first.
const USUAL: [&str; 6] = [
    "ai.py",
    "agent.py",
    "bot.py",
    "player.py",
    "my_agent.py",
    "main.py",
];

/// The agents that some texts name: each a spec, `NAME=SPEC`, or a folder, which stands for every bot in it.
pub fn agents_of(texts: &[String]) -> Result<Vec<NamedAgent>, AgentError> {
    let mut agents = Vec::new();
    for text in texts {
        match Path::new(text).is_dir() {
            true => agents.extend(bots(text)?),
            false => agents.push(text.parse()?),
        }
    }
    Ok(agents)
}

/// The bots of a folder in the order of their names: every Python file in it, and one of every folder in it that has any. Whatever
/// begins with a dot or an underscore is passed over.
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

/// The bot among the files of a folder of its own: one of a usual name, or the only Python file there is.
fn bot_of(paths: Vec<PathBuf>) -> Option<PathBuf> {
    let files: Vec<PathBuf> = paths.into_iter().filter(|path| is_python(path)).collect();
    let named = |usual: &&str| {
        files
            .iter()
            .find(|file| file.file_name() == Some((*usual).as_ref()))
    };
    match USUAL.iter().find_map(named) {
        Some(file) => Some(file.clone()),
        None => <[PathBuf; 1]>::try_from(files).ok().map(|[file]| file),
    }
}

fn is_python(path: &Path) -> bool {
    path.is_file() && path.extension().is_some_and(|extension| extension == "py")
}

/// What is in a folder, in the order of the names, without what is hidden.
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
        assert_eq!(labels, ["level:1", "anna", "ai", "carl", "zoe"]);
        let empty = folder.join("empty");
        std::fs::create_dir(&empty).expect("made");
        let error = agents_of(&[empty.display().to_string()]).expect_err("nobody");
        assert!(
            error.to_string().contains("there is no bot in it"),
            "{error}"
        );
    }
}
