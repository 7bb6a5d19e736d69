//! A folder with an experiment in it, and what a store has kept.

use crate::support::{good, kalahari};
use kalahari_arena::{GameRecord, Store, StoredMatch};
use serde_json::Value;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

pub(crate) const EXPERIMENT: &str = r#"
title = "both kinds of games"
game = "kalah:4x3"
seed = 7
openings = "random:3"
nodes = 60
db = "games.db"

[agents]
first = "engine:hash=1"
second = "mcts"

[match]
agents = ["first", "second"]
pairs = 6

[tournament]
agents = ["second", "level:1", "random"]
games = 5
"#;

/// A folder with an experiment in it.
pub(crate) struct Place {
    folder: TempDir,
}

impl Place {
    pub(crate) fn with(experiment: &str) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        fs::write(folder.path().join("experiment.toml"), experiment).expect("written");
        Place { folder }
    }

    pub(crate) fn at(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub(crate) fn name(&self, name: &str) -> String {
        self.at(name).display().to_string()
    }

    /// Runs shards, given as text such as `3,7-9`.
    pub(crate) fn shard(&self, which: &str, shards: u32, folder: &str) -> String {
        good(&[
            "run",
            &self.name("experiment.toml"),
            "--shards",
            &shards.to_string(),
            "--shard",
            which,
            "--out",
            &self.name(folder),
            "--threads",
            "1",
        ])
    }

    /// Merges folders; returns the exit status and the output of `--json`.
    pub(crate) fn merge(&self, folders: &[&str], target: &[&str]) -> (i32, Value) {
        let mut words = vec!["merge".to_owned()];
        words.extend(folders.iter().map(|folder| self.name(folder)));
        words.push(target[0].to_owned());
        words.push(self.name(target[1]));
        words.push("--json".to_owned());
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let (status, out, _) = kalahari(&words);
        (status, serde_json::from_str(&out).expect("JSON"))
    }
}

/// The content of a store without times and dates.
pub(crate) fn kept(file: &Path) -> (Vec<StoredMatch>, Vec<GameRecord>, BTreeSet<Option<String>>) {
    let store = Store::open_existing(file).expect("a store");
    let mut matches = store.matches().expect("matches");
    let mut games = Vec::new();
    for one in &mut matches {
        one.created = 0;
        games.extend(store.games(&one.id).expect("games"));
    }
    for game in &mut games {
        for mv in &mut game.moves {
            mv.micros = mv.micros.map(|_| 0);
        }
    }
    matches.sort_by(|a, b| a.id.cmp(&b.id));
    games.sort_by_key(|game| (game.match_id.clone(), game.number));
    let runs = store.runs().expect("runs");
    let experiments = runs.into_iter().map(|run| run.origin.experiment);
    (matches, games, experiments.collect())
}
