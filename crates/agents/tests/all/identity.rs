//! The files that an agent's play depends on.

use kalahari_agents::{Fingerprint, fingerprint};
use kalahari_games::AnyGame;

fn of(spec: &str, game: &str) -> Fingerprint {
    let game = AnyGame::new(game.parse().expect("a game"));
    fingerprint(&spec.parse().expect("an agent"), &game).expect("an agent")
}

#[test]
fn an_edited_program_is_another_one() {
    let folder = tempfile::tempdir().expect("a folder");
    let bot = folder.path().join("my bot.sh");
    std::fs::write(&bot, "echo").expect("written");
    let spec = format!("ugi:sh '{}' --level 3", bot.display());
    let before = of(&spec, "kalah:6x4");
    assert_eq!(before, of(&spec, "kalah:6x4"));
    let names: Vec<&str> = before.files().map(|(name, _)| name).collect();
    assert_eq!(names.len(), 2);
    assert!(names.contains(&"sh") && names.iter().any(|name| name.ends_with("my bot.sh")));
    assert!(
        before
            .files()
            .all(|(_, sum)| sum.len() == "sha256:".len() + 64)
    );
    std::fs::write(&bot, "echo x").expect("written");
    let changes = of(&spec, "kalah:6x4").changes(&before);
    assert_eq!(changes.len(), 1);
    assert!(changes[0].ends_with("my bot.sh has changed"), "{changes:?}");
    std::fs::remove_file(&bot).expect("removed");
    let changes = of(&spec, "kalah:6x4").changes(&before);
    assert!(changes[0].ends_with("is not used any more"), "{changes:?}");
}

#[test]
fn agents_without_files_have_none() {
    for (spec, game) in [
        ("random", "kalah:6x4"),
        ("level:3", "isolation:queen"),
        ("mcts:playouts=3", "kalah:6x4"),
        ("seed000", "kalah:6x4"),
        ("engine:tablebase=0,book=0", "kalah:6x4"),
        ("engine", "isolation:queen"),
    ] {
        assert_eq!(of(spec, game), Fingerprint::default(), "{spec}");
    }
}

#[test]
fn a_book_that_is_used_is_named() {
    for (spec, game, named) in [
        ("engine:tablebase=0", "kalah:6x4", true),
        ("engine:tablebase=0", "kalah:6x4:standard+majority", false),
        ("perfect", "kalah:6x4:standard+majority", true),
    ] {
        let files = of(spec, game);
        let mut names = files.files().map(|(name, _)| name);
        let found = names.any(|name| name == "the book of kalah:6x4:standard");
        assert_eq!(found, named, "{spec} {game}");
    }
}

#[test]
fn weights_of_an_evaluation_are_a_file() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("weights.txt");
    std::fs::write(&file, "x").expect("written");
    let spec = format!("engine:tablebase=0,book=0,weights={}", file.display());
    assert_eq!(of(&spec, "kalah:6x4").files().count(), 1);
    let spec = format!("engine:tablebase=0,book=0,eval=net:{}", file.display());
    assert_eq!(of(&spec, "kalah:6x4").files().count(), 1);
}
