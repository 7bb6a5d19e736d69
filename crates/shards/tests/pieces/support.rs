//! What the tests of pieces share.

use kalahari_arena::{GameRecord, Hands, MatchSpec, Openings, Rules, Store, plan_match};
use kalahari_dataset::{Format, Labels, Range, Recipe, Source};
use kalahari_shards::{
    Games, Inspector, Machine, Place, Plan, Rows, Source as File, Targets, Task, Work, make, merge,
    survey,
};
use kalahari_terms::{Limits, Stop};
use std::fs;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

pub(crate) fn folder() -> TempDir {
    tempfile::tempdir().expect("a folder")
}

pub(crate) fn spec() -> MatchSpec {
    MatchSpec {
        agents: ["engine:hash=1", "mcts"].map(|agent| agent.parse().expect("an agent")),
        game: "kalah:4x3".parse().expect("a game"),
        openings: Openings::Random(3),
        rng_seed: 5,
        rules: Rules {
            limits: Limits {
                nodes: Some(60),
                ..Limits::NONE
            },
            ..Rules::default()
        },
    }
}

pub(crate) fn hands(stop: &Stop) -> Hands<'_> {
    Hands {
        threads: 2,
        cache: None,
        stop,
    }
}

pub(crate) fn games_task(spec: MatchSpec, games: u32) -> Task {
    let stop = Stop::new();
    let planned = plan_match(spec, games, &hands(&stop)).expect("a plan");
    let identity = planned.spec.identity().expect("an identity");
    Task::Games(Games {
        spec: planned.spec,
        identity,
        games: planned.games,
    })
}

pub(crate) fn rows_task(rows: u64) -> Task {
    let recipe = Recipe {
        game: "kalah:4x3".parse().expect("a game"),
        source: Source::Random,
        labels: Labels::Exact { tablebase: 6 },
        left: "2..6".parse::<Range>().expect("a range"),
        rows_per_shard: 20,
        rng_seed: 3,
        format: Format::Parquet,
    };
    let identity = kalahari_dataset::identity(&recipe).expect("an identity");
    Task::Rows(Rows {
        recipe,
        identity,
        rows,
    })
}

pub(crate) fn make_at(plan: &Plan, place: Place, folder: &Path) -> bool {
    let stop = Stop::new();
    let work = Work {
        inspector: &Inspector::new(plan, [folder]),
        source: &File::default(),
        machine: &Machine::this(None),
        place,
        folder,
        hands: &hands(&stop),
    };
    make(&work, &mut |_| ()).expect("made").was_there
}

/// The games of a store without their times.
pub(crate) fn kept(file: &Path) -> Vec<GameRecord> {
    let store = Store::open_existing(file).expect("a store");
    let mut all = Vec::new();
    for one in store.matches().expect("matches") {
        all.extend(store.games(&one.id).expect("games"));
    }
    for game in &mut all {
        for mv in &mut game.moves {
            mv.micros = mv.micros.map(|_| 0);
        }
    }
    all.sort_by_key(|game| (game.match_id.clone(), game.number));
    all
}

pub(crate) fn merged(
    paths: &[PathBuf],
    db: &Path,
) -> (kalahari_shards::Merged, kalahari_shards::Survey) {
    let mut found = survey(paths).expect("a survey");
    let mut store = Store::open(db).expect("a store");
    let targets = Targets {
        store: Some(&mut store),
        ..Targets::default()
    };
    let merged = merge(&mut found, targets, &Stop::new(), &mut |_| ()).expect("merged");
    (merged, found)
}

/// Writes the lines of a piece with the right checksum.
pub(crate) fn write_with_sum(path: &Path, lines: &str) {
    use sha2::{Digest, Sha256};
    let sum = Sha256::digest(lines.as_bytes());
    let sum: String = sum.iter().map(|byte| format!("{byte:02x}")).collect();
    fs::write(path, format!("{lines}sha256 {sum}\n")).expect("written");
}

/// Changes the lines of a piece, and corrects its checksum.
pub(crate) fn craft(path: &Path, change: impl FnOnce(&str) -> String) {
    let sound = fs::read_to_string(path).expect("a piece");
    let (lines, _) = sound.rsplit_once("sha256 ").expect("a checksum");
    let changed = change(lines);
    assert_ne!(changed, lines);
    write_with_sum(path, &changed);
}

/// The messages about the refused files.
pub(crate) fn refusals(found: &kalahari_shards::Survey) -> Vec<String> {
    let refused = found.refused.iter();
    refused.map(|refused| refused.why.to_string()).collect()
}
