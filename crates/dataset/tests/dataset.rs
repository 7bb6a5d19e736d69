//! Datasets: labels are compared with oracles, damaged files are found, and runs are reproducible to the last byte.

use kalahari_arena::{MatchSpec, Openings, Rules, Run, Store, run_match};
use kalahari_dataset::{
    Build, DatasetError, Format, LabelSource, Labels, MANIFEST_FILE, Manifest, News, Range, Recipe,
    Row, Shard, Source, build, key, left, merge, read_shards, shard_files, survey,
};
use kalahari_games::{AnyGame, AnyMove, Game, GameSpec, View};
use kalahari_oracle::{ArrayKalah, KalahNegamax, Negamax};
use kalahari_storage::Trouble;
use kalahari_terms::{Stop, Unit};
use std::collections::{HashMap, HashSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

fn range(text: &str) -> Range {
    text.parse().expect("a range")
}

fn random_exact(game: &str, left: &str, tablebase: usize) -> Recipe {
    Recipe {
        game: game.parse().expect("a game"),
        source: Source::Random,
        labels: Labels::Exact { tablebase },
        left: range(left),
        rows_per_shard: 60,
        rng_seed: 5,
        format: Format::Parquet,
    }
}

fn self_play(game: &str, agent: &str, moves: bool) -> Recipe {
    let agent: kalahari_agents::AgentSpec = agent.parse().expect("an agent");
    let game: GameSpec = game.parse().expect("a game");
    Recipe {
        game,
        source: Source::SelfPlay {
            player: agent.clone(),
            random: "25%".parse().expect("a share"),
            opening: 1,
        },
        labels: Labels::Search { agent, moves },
        left: Range::of_game(game),
        rows_per_shard: 60,
        rng_seed: 5,
        format: Format::Parquet,
    }
}

fn try_build(
    recipe: &Recipe,
    folder: &Path,
    rows: u64,
    threads: usize,
) -> Result<Manifest, DatasetError> {
    let built = Build {
        recipe: recipe.clone(),
        folder,
        rows: Some(rows),
        store: None,
        threads,
        mix: false,
    };
    build(&built, &Stop::new(), Arc::new(|_| ()))
}

fn rows_of(folder: &Path) -> (AnyGame, Vec<Row>) {
    let (mut rows, mut game) = (Vec::new(), None);
    read_shards(&[folder.to_owned()], |shard| {
        game = Some(shard.game);
        rows.extend(shard.rows);
        Ok(())
    })
    .expect("whole");
    (game.expect("a shard"), rows)
}

fn made(recipe: &Recipe, rows: u64) -> (AnyGame, Vec<Row>) {
    let folder = tempfile::tempdir().expect("a folder");
    try_build(recipe, folder.path(), rows, 2).expect("built");
    rows_of(folder.path())
}

/// The bytes of every file of a folder, by name.
fn files(folder: &Path) -> HashMap<String, Vec<u8>> {
    let entries = fs::read_dir(folder).expect("a folder");
    let names = entries.map(|entry| entry.expect("an entry").path());
    names
        .map(|path| {
            let name = path
                .file_name()
                .expect("a name")
                .to_string_lossy()
                .into_owned();
            (name, fs::read(&path).expect("a file"))
        })
        .collect()
}

#[test]
fn exact_labels_of_kalah_are_those_of_an_oracle() {
    for (game, left) in [
        ("kalah:3x3", "2..12"),
        ("kalah:3x3:empty-capture", "2..12"),
        ("kalah:2x6:pre-move-empty", "4..14"),
        // There are no tablebases for this many pits, and the second board is a wide one.
        ("kalah:7x1", "2..8"),
        ("kalah:8x1", "2..7"),
    ] {
        // The tablebase labels some of the positions, the solver all others.
        let (any, rows) = made(&random_exact(game, left, 5), 120);
        assert_eq!(rows.len(), 120, "{game}");
        let spec = any.spec().kalah().expect("Kalah");
        let mut oracle = KalahNegamax::default();
        let mut sources = HashSet::new();
        for row in &rows {
            let View::Kalah(setup) = any.view(&row.position) else {
                panic!("{game}: not Kalah");
            };
            let board = ArrayKalah::from_setup(spec, &setup);
            let label = &row.label;
            assert_eq!(
                label.value,
                oracle.final_margin(&board) as f32,
                "{game} {setup}"
            );
            assert!(label.proven && label.unit == Unit::Margin && label.nodes.is_none());
            let moves: Vec<(AnyMove, f32)> = any
                .moves(&row.position)
                .map(|mv| {
                    let AnyMove::Kalah(pit) = mv else {
                        panic!("{mv}");
                    };
                    (mv, oracle.margin_of_move(&board, pit.index()) as f32)
                })
                .collect();
            assert_eq!(label.moves, moves, "{game} {setup}");
            let best = moves.iter().find(|(_, value)| *value == label.value);
            assert_eq!(best.map(|(mv, _)| *mv), Some(label.best));
            sources.insert(label.source);
        }
        assert!(sources.contains(&LabelSource::Solver), "{game}");
        assert_eq!(sources.contains(&LabelSource::Tablebase), spec.pits() <= 6);
    }
}

#[test]
fn exact_labels_of_isolation_are_those_of_an_oracle() {
    for game in [
        "isolation:4x4:trail",
        "isolation:4x4:queen",
        "isolation:4x4:knight",
    ] {
        let (any, rows) = made(&random_exact(game, "2..6", 0), 50);
        assert_eq!(rows.len(), 50, "{game}");
        let oracle = Negamax {
            game: &any,
            eval: &|_, _| 0,
            finished: &|margin| margin,
            extra: 1,
        };
        for row in &rows {
            let value = oracle.value(&row.position, 100, false);
            assert_eq!(row.label.value, value as f32, "{game}");
            let moves = any.moves(&row.position);
            let moves = moves.map(|mv| (mv, oracle.move_value(&row.position, mv, 100) as f32));
            assert_eq!(row.label.moves, moves.collect::<Vec<_>>(), "{game}");
            let unit = match game.ends_with("trail") {
                true => Unit::Margin,
                false => Unit::Result,
            };
            assert_eq!(row.label.unit, unit);
        }
    }
}

#[test]
fn with_the_end_by_majority_results_are_labels_and_stores_are_in_the_key() {
    let (_, rows) = made(&random_exact("kalah:3x3:standard+majority", "2..10", 4), 40);
    for row in &rows {
        assert_eq!(row.label.unit, Unit::Result);
        assert!(row.label.moves.iter().all(|(_, value)| value.abs() <= 1.0));
    }
    let base = AnyGame::new("kalah:2x3".parse().expect("a game"));
    let majority = AnyGame::new("kalah:2x3:standard+majority".parse().expect("a game"));
    let keys = |game: &AnyGame, texts: [&str; 3]| {
        texts.map(|text| key(game, &game.parse_position(text).expect("a position")))
    };
    // The same pits with other stores, and the same as the second with the other player to move.
    let texts = ["1 2 3 3 1 2 0", "1 2 2 3 1 3 0", "3 1 3 1 2 2 1"];
    let [first, stores, turned] = keys(&base, texts);
    assert!(first == stores && first == turned);
    let [first, stores, turned] = keys(&majority, texts);
    assert!(first != stores && stores == turned);
}

#[test]
fn self_play_is_labelled_by_its_own_search() {
    let (any, rows) = made(&self_play("kalah:4x3", "engine:depth=4,hash=1", true), 150);
    assert_eq!(rows.len(), 150);
    assert_eq!((rows[0].game, rows[0].ply), (0, 0));
    assert_eq!(rows[0].position, any.start());
    for row in &rows {
        assert_eq!(row.label.source, LabelSource::Search);
        assert!(matches!(row.label.unit, Unit::Seeds | Unit::Margin));
        assert!(row.label.nodes.is_some());
        assert_eq!(row.label.moves.len(), any.moves(&row.position).count());
    }
    assert!(rows.windows(2).any(|pair| pair[1].game != pair[0].game));
    // The second shard begins with a new game.
    assert!(rows.iter().any(|row| row.game == 1 << 32));
    // In Isolation, estimates are in cells and proven values are margins; the unit distinguishes them.
    let (_, rows) = made(
        &self_play("isolation:5x5", "engine:depth=2,hash=1", false),
        60,
    );
    assert!(rows.iter().all(|row| row.label.moves.is_empty()));
    let units: HashSet<&str> = rows.iter().map(|row| row.label.unit.name()).collect();
    assert!(units.contains("margin"), "{units:?}");
}

#[test]
fn games_of_one_agent_can_be_labelled_by_another_or_by_proofs() {
    let player = "random";
    let mut recipe = self_play("kalah:4x3", player, false);
    recipe.labels = Labels::Search {
        agent: "engine:nodes=300,hash=1".parse().expect("an agent"),
        moves: true,
    };
    recipe.left = range("5..15");
    let (any, rows) = made(&recipe, 130);
    assert_eq!(rows.len(), 130);
    assert!(
        rows.iter()
            .all(|row| range("5..15").contains(left(&any, &row.position)))
    );
    assert!(rows.iter().all(|row| !row.label.moves.is_empty()));
    recipe.labels = Labels::Exact { tablebase: 8 };
    let (_, rows) = made(&recipe, 130);
    assert!(rows.iter().all(|row| row.label.proven));
}

#[test]
fn no_position_occurs_twice_in_a_shard() {
    let folder = tempfile::tempdir().expect("a folder");
    let recipe = self_play("kalah:3x2", "engine:depth=2,hash=1", false);
    try_build(&recipe, folder.path(), 120, 2).expect("built");
    for file in shard_files(&[folder.path().to_owned()]).expect("shards") {
        let rows = file.read().expect("whole").rows;
        let keys: HashSet<u64> = rows.iter().map(|row| row.key).collect();
        assert_eq!(keys.len(), rows.len());
    }
    let all = survey(&[folder.path().to_owned()]).expect("whole");
    assert_eq!((all.rows, all.shards), (120, 2));
    assert!(all.duplicates > 0, "the start position is in both shards");
    let to = folder.path().join("merged.parquet");
    let merged = merge(&[folder.path().to_owned()], &to).expect("merged");
    assert_eq!(
        (merged.rows, merged.duplicates),
        (all.rows - all.duplicates, all.duplicates)
    );
    let again = survey(&[to]).expect("whole");
    assert_eq!(
        (again.rows, again.duplicates, again.games),
        (merged.rows, 0, again.games)
    );
}

#[test]
fn the_same_recipe_gives_the_same_bytes_whatever_the_threads() {
    let mut csv = random_exact("kalah:3x3", "2..12", 5);
    csv.format = Format::Csv;
    for recipe in [
        csv,
        random_exact("isolation:4x4", "2..6", 0),
        self_play("kalah:4x3", "engine:nodes=500,hash=1", true),
        self_play("kalah:4x3", "mcts:playouts=50", false),
    ] {
        let folders = [1, 3].map(|threads| {
            let folder = tempfile::tempdir().expect("a folder");
            try_build(&recipe, folder.path(), 150, threads).expect("built");
            folder
        });
        let [one, three] = folders.each_ref().map(|folder| files(folder.path()));
        assert_eq!(one.len(), 3 + 1, "three shards and the manifest");
        assert!(one == three, "{recipe:?}");
    }
}

#[test]
fn both_kinds_of_files_keep_the_same_rows() {
    for mut recipe in [
        self_play("kalah:4x3", "engine:nodes=500,hash=1", true),
        self_play("isolation:4x4:classic", "engine:nodes=500,hash=1", true),
        random_exact("isolation:4x4", "2..6", 0),
    ] {
        let (_, parquet) = made(&recipe, 100);
        recipe.format = Format::Csv;
        let (_, csv) = made(&recipe, 100);
        assert_eq!(parquet, csv);
    }
}

#[test]
fn a_dataset_is_continued_where_it_ended() {
    let recipe = random_exact("kalah:3x3", "2..12", 5);
    let [whole, part] = [(); 2].map(|()| tempfile::tempdir().expect("a folder"));
    try_build(&recipe, whole.path(), 240, 2).expect("built");
    let expected = files(whole.path());
    let part = part.path();
    let path = |name: &str| part.join(name);
    let (second, third) = ("shard-00001.parquet", "shard-00002.parquet");
    // A run that was stopped at once leaves nothing.
    let stop = Stop::new();
    stop.request();
    let begun = Build {
        recipe: recipe.clone(),
        folder: part,
        rows: Some(240),
        store: None,
        threads: 1,
        mix: false,
    };
    let manifest = build(&begun, &stop, Arc::new(|_| ())).expect("stopped");
    assert_eq!((manifest.rows, path(MANIFEST_FILE).exists()), (0, false));
    // First fewer rows, with a short last shard; then all.
    try_build(&recipe, part, 100, 2).expect("built");
    assert_eq!(Manifest::read(part).expect("there").rows, 100);
    try_build(&recipe, part, 240, 2).expect("built");
    assert_eq!(files(part), expected);
    // Killed after writing a shard and before writing the manifest, with a temporary file left behind: complete shards are kept.
    let mut manifest = Manifest::read(part).expect("there");
    manifest.shards.retain(|entry| entry.number != 2);
    let text = serde_json::to_string(&manifest).expect("JSON");
    fs::write(path(MANIFEST_FILE), text).expect("written");
    fs::remove_file(path("shard-00003.parquet")).expect("removed");
    fs::write(path("shard-00003.parquet.kalahari-tmp"), "half").expect("written");
    assert_eq!(heard(&begun), ["kept 0", "kept 1", "kept 2", "made 3"]);
    assert_eq!(files(part), expected);
    // One shard damaged, one missing: both are made again, and a message names the damaged one.
    let mut bytes = expected[second].clone();
    bytes[100] ^= 1;
    fs::write(path(second), bytes).expect("written");
    fs::remove_file(path(third)).expect("removed");
    let news = heard(&begun);
    assert!(
        news[1].contains(second) && news[1].contains("checksum"),
        "{news:?}"
    );
    assert_eq!((&*news[2], &*news[3]), ("made 1", "made 2"));
    assert_eq!(files(part), expected);
    // The manifest is missing: all shards are recognised by their headers.
    fs::remove_file(path(MANIFEST_FILE)).expect("removed");
    assert_eq!(heard(&begun).len(), 4);
    let manifest = Manifest::read(part).expect("there");
    assert_eq!(
        manifest.shards,
        Manifest::read(whole.path()).expect("there").shards
    );
}

/// Builds a dataset; returns the news in words.
fn heard(of: &Build<'_>) -> Vec<String> {
    let heard = Arc::new(Mutex::new(Vec::new()));
    let listener = Arc::clone(&heard);
    let listen = move |news: &News<'_>| {
        let text = match news {
            News::Kept(entry) => format!("kept {}", entry.number),
            News::Made(entry) => format!("made {}", entry.number),
            News::Damaged(error) => error.to_string(),
            _ => return,
        };
        listener.lock().expect("a listener").push(text);
    };
    build(of, &Stop::new(), Arc::new(listen)).expect("built");
    heard.lock().expect("a listener").clone()
}

#[test]
fn foreign_files_are_left_alone_and_named() {
    let recipe = random_exact("kalah:3x3", "2..12", 5);
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    let refused = |recipe: &Recipe, name: &str| {
        let error = try_build(recipe, folder, 60, 1).expect_err("refused");
        let text = error.to_string();
        assert!(text.contains(name), "{text}");
        text
    };
    let shard = folder.join("shard-00000.parquet");
    fs::write(&shard, "my notes").expect("written");
    assert!(refused(&recipe, "shard-00000.parquet").contains("not a shard"));
    assert_eq!(fs::read(&shard).expect("there"), b"my notes");
    fs::remove_file(&shard).expect("removed");
    // A shard of another dataset.
    let mut other = recipe.clone();
    other.rng_seed += 1;
    let foreign = tempfile::tempdir().expect("a folder");
    try_build(&other, foreign.path(), 60, 1).expect("built");
    fs::copy(foreign.path().join("shard-00000.parquet"), &shard).expect("copied");
    assert!(refused(&recipe, "shard-00000.parquet").contains("another dataset"));
    fs::remove_file(&shard).expect("removed");
    // A folder with another dataset.
    try_build(&recipe, folder, 60, 1).expect("built");
    let text = refused(&other, "seed: 5 there, 6 wanted");
    assert!(text.contains("build into another folder"), "{text}");
    fs::write(folder.join(MANIFEST_FILE), "{}").expect("written");
    assert!(refused(&recipe, MANIFEST_FILE).contains("not a manifest"));
}

#[test]
fn a_reader_of_a_folder_accepts_only_the_files_that_the_manifest_lists() {
    for format in [Format::Parquet, Format::Csv] {
        let mut recipe = random_exact("kalah:3x3", "2..12", 5);
        recipe.format = format;
        let mut other = recipe.clone();
        other.rng_seed += 1;
        let [ours, theirs] = [(); 2].map(|()| tempfile::tempdir().expect("a folder"));
        let (ours, theirs) = (ours.path(), theirs.path());
        try_build(&recipe, ours, 120, 2).expect("built");
        try_build(&other, theirs, 60, 2).expect("built");
        let name = |number: u32| format!("shard-0000{number}.{}", format.extension());
        let second = ours.join(name(1));
        let whole = fs::read(&second).expect("there");
        let refused = |bytes: &[u8], what: &str| {
            fs::write(&second, bytes).expect("written");
            let paths = [ours.to_owned()];
            let merged = merge(&paths, &theirs.join("merged.parquet"));
            for error in [survey(&paths).map(|_| ()), merged.map(|_| ())] {
                let text = error.expect_err(what).to_string();
                assert!(text.contains(&name(1)) && text.contains(what), "{text}");
            }
        };
        let first = fs::read(ours.join(name(0))).expect("there");
        refused(&first, "this dataset, number 0, not of number 1");
        refused(b"", "the file is empty");
        let foreign = fs::read(theirs.join(name(0))).expect("there");
        // A CSV file does not say which dataset it belongs to.
        match format {
            Format::Parquet => {
                refused(&foreign, "another dataset (seed: 6 there, 5 wanted)");
                refused(b"my notes", "not a shard");
            }
            Format::Csv => {
                refused(&foreign, "");
                refused(b"my notes", "8 bytes instead of");
            }
        }
        fs::write(&second, &whole).expect("written");
        assert_eq!(survey(&[ours.to_owned()]).expect("whole").rows, 120);
        // A file that is named directly is not compared with the manifest, if its format does not need one.
        if format == Format::Parquet {
            fs::write(&second, &foreign).expect("written");
            assert_eq!(survey(&[second]).expect("whole").rows, 60);
        }
    }
}

/// The same shard of the same recipe, but not the listed one: it was made for fewer rows.
#[test]
fn a_shard_of_another_run_is_refused_and_named() {
    let recipe = random_exact("kalah:3x3", "2..12", 5);
    let [long, short] = [(); 2].map(|()| tempfile::tempdir().expect("a folder"));
    try_build(&recipe, long.path(), 60, 1).expect("built");
    try_build(&recipe, short.path(), 30, 1).expect("built");
    let name = "shard-00000.parquet";
    fs::copy(short.path().join(name), long.path().join(name)).expect("copied");
    let text = survey(&[long.path().to_owned()])
        .expect_err("another")
        .to_string();
    assert!(
        text.contains(name) && text.contains("another run"),
        "{text}"
    );
}

#[test]
fn every_damage_is_found_and_named() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    for format in [Format::Parquet, Format::Csv] {
        let mut recipe = self_play("isolation:4x4", "engine:nodes=200,hash=1", true);
        recipe.format = format;
        recipe.rows_per_shard = 25;
        let folder = folder.join(format.extension());
        try_build(&recipe, &folder, 25, 1).expect("built");
        let path = folder.join(format!("shard-00000.{}", format.extension()));
        let whole = fs::read(&path).expect("there");
        let check = |bytes: &[u8], what: &str| {
            fs::write(&path, bytes).expect("written");
            let error = Shard::read(&path).expect_err(what).to_string();
            assert!(error.contains("shard-00000"), "{error}");
        };
        for end in (0..whole.len()).step_by(7).chain([whole.len() - 1]) {
            check(&whole[..end], "truncated");
        }
        for place in (0..whole.len()).step_by(5) {
            for bit in [0, 3, 7] {
                let mut bytes = whole.clone();
                bytes[place] ^= 1 << bit;
                check(&bytes, "a flipped bit");
            }
        }
        fs::write(&path, b"").expect("written");
        let empty = Shard::read(&path).expect_err("empty");
        assert!(matches!(empty.trouble, Trouble::Foreign(_)), "{empty:?}");
        assert!(empty.to_string().contains("the file is empty"), "{empty}");
        let longer = [&whole[..], b"more"].concat();
        check(&longer, "lengthened");
        fs::write(&path, &whole).expect("written");
        assert_eq!(Shard::read(&path).expect("whole").rows.len(), 25);
    }
    let missing = Shard::read(&folder.join("none.parquet")).expect_err("missing");
    assert!(missing.is_missing() && missing.to_string().contains("dataset build"));
    let error = Shard::read(&folder.join("x.txt")).expect_err("missing");
    assert!(error.is_missing());
    let empty: [PathBuf; 0] = [];
    assert!(matches!(shard_files(&empty), Err(DatasetError::Empty(_))));
}

/// Values that are not finite are refused even if the checksums are right.
#[test]
fn values_of_moves_are_finite() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut recipe = random_exact("kalah:3x3", "2..9", 4);
    recipe.format = Format::Csv;
    let mut manifest = try_build(&recipe, folder.path(), 30, 1).expect("built");
    let path = folder.path().join(&manifest.shards[0].file);
    let whole = fs::read_to_string(&path).expect("there");
    let mut lines = whole.lines();
    let names: Vec<&str> = lines.next().expect("names").split(',').collect();
    let first: Vec<&str> = lines.next().expect("a row").split(',').collect();
    let is_value = |place: &usize| names[*place].starts_with("value_") && !first[*place].is_empty();
    let place = (0..names.len()).find(is_value).expect("a move");
    for strange in ["NaN", "inf", "-inf", "1e39"] {
        let mut row = first.clone();
        row[place] = strange;
        let text = whole.replacen(&first.join(","), &row.join(","), 1);
        let entry = &mut manifest.shards[0];
        entry.bytes = text.len() as u64;
        entry.crc32 = format!("{:08x}", crc32fast::hash(text.as_bytes()));
        fs::write(&path, text).expect("written");
        let said = serde_json::to_string(&manifest).expect("a manifest");
        fs::write(folder.path().join(MANIFEST_FILE), said).expect("written");
        let error = Shard::read(&path).expect_err(strange).to_string();
        assert!(error.contains("is not a valid value of"), "{error}");
    }
}

#[test]
fn shards_of_two_games_are_not_mixed() {
    let folders = ["kalah:3x3", "kalah:3x3:empty-capture"].map(|game| {
        let folder = tempfile::tempdir().expect("a folder");
        try_build(&random_exact(game, "2..9", 4), folder.path(), 30, 1).expect("built");
        folder
    });
    let paths = folders.each_ref().map(|folder| folder.path().to_owned());
    let error = survey(&paths).expect_err("two games").to_string();
    assert!(error.contains("kalah:3x3:empty-capture"), "{error}");
}

#[test]
fn recipes_that_cannot_be_made_say_why() {
    let folder = tempfile::tempdir().expect("a folder");
    let why = |recipe: &Recipe| {
        let error = try_build(recipe, folder.path(), 60, 1).expect_err("refused");
        error.to_string()
    };
    let too_many = random_exact("kalah:3x3", "2..19", 5);
    assert!(
        why(&too_many).contains("2 to 18 seeds"),
        "{}",
        why(&too_many)
    );
    let clock = self_play("kalah:3x3", "engine:time=10ms", false);
    assert!(why(&clock).contains("nodes="), "{}", why(&clock));
    let unlimited = self_play("kalah:3x3", "engine", false);
    assert!(why(&unlimited).contains("nodes="), "{}", why(&unlimited));
    let threads = self_play("kalah:3x3", "engine:nodes=100,threads=2", false);
    assert!(why(&threads).contains("threads="), "{}", why(&threads));
    let mut none = random_exact("kalah:3x3", "2..4", 5);
    none.rows_per_shard = 0;
    assert!(why(&none).contains("rows"), "{}", why(&none));
    for text in ["", "0..3", "5..4", "a..b", "3..", "1..99999999999"] {
        assert!(text.parse::<Range>().is_err(), "{text}");
    }
    assert_eq!(range("7"), range("7..=7"));
    for text in ["", "-1", "101%", "nan", "1.5"] {
        assert!(text.parse::<kalahari_dataset::Share>().is_err(), "{text}");
    }
}

#[test]
fn games_of_a_store_are_a_source() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("games.db");
    let spec: GameSpec = "kalah:3x2".parse().expect("a game");
    let missing = kalahari_dataset::StoredGames::read(&file, spec).expect_err("missing");
    assert!(missing.to_string().contains("games.db"), "{missing}");
    play_into(&file, spec);
    let none = kalahari_dataset::StoredGames::read(&file, "kalah:4x4".parse().expect("a game"));
    assert!(
        none.expect_err("none")
            .to_string()
            .contains("no games of kalah:4x4")
    );
    let store = kalahari_dataset::StoredGames::read(&file, spec).expect("games");
    let mut recipe = random_exact("kalah:3x2", "2..12", 6);
    recipe.source = store.source().clone();
    recipe.rows_per_shard = 10;
    let out = folder.path().join("out");
    let built = Build {
        recipe,
        folder: &out,
        rows: None,
        store: Some(&store),
        threads: 2,
        mix: false,
    };
    let manifest = build(&built, &Stop::new(), Arc::new(|_| ())).expect("built");
    assert!(manifest.shards.len() > 1);
    let (game, rows) = rows_of(&out);
    assert_eq!(rows[0].position, game.start());
    let games: HashSet<u64> = rows.iter().map(|row| row.game).collect();
    assert!(
        games.len() > 1 && games.iter().all(|&game| game < 6),
        "{games:?}"
    );
    let only = Build {
        rows: Some(13),
        folder: &folder.path().join("few"),
        ..built
    };
    assert_eq!(
        build(&only, &Stop::new(), Arc::new(|_| ()))
            .expect("built")
            .rows,
        13
    );
}

/// Plays six games between random players into a new store.
fn play_into(file: &Path, game: GameSpec) {
    let random: kalahari_agents::AgentSpec = "random".parse().expect("an agent");
    let spec = MatchSpec {
        agents: [random.clone().into(), random.into()],
        game,
        openings: Openings::Start,
        rng_seed: 7,
        rules: Rules::default(),
    };
    let mut store = Store::open(file).expect("a store");
    let stop = Stop::new();
    let run = Run {
        games: 6,
        concurrency: 1,
        sprt: None,
        store: Some(&mut store),
        mix: false,
        cache: None,
        stop: &stop,
    };
    run_match(spec, run, &mut |_| {}).expect("a match");
}
