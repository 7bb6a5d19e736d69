//! Values that independent programs found or that were published. `kalahari selftest` runs the same checks.

use kalahari_selftest::{Check, Part, Tools, Verdict, checks};
use kalahari_terms::Stop;

fn run(wanted: impl Fn(&Check) -> bool) {
    let go_on = Stop::new();
    let mut tools = Tools::new(2);
    let mut count = 0;
    for check in checks().iter().filter(|check| wanted(check)) {
        let verdict = check.run(&mut tools, &go_on);
        let name = check.name();
        assert!(matches!(verdict, Verdict::Right), "{name}: {verdict:?}");
        count += 1;
    }
    assert!(count > 0);
}

#[test]
fn positions() {
    run(|check| check.part() == Part::Positions);
}

#[test]
fn small_games() {
    run(|check| check.part() == Part::Games && !check.is_long());
}

/// Boards of 50 and 60 seeds.
fn is_large(check: &Check) -> bool {
    check.name().contains("x5") || check.name().contains("x6")
}

#[test]
#[ignore = "long: minutes"]
fn published_games() {
    run(|check| check.is_long() && !is_large(check));
}

#[test]
#[ignore = "very long: boards of 50 and 60 seeds, tens of minutes and gigabytes"]
fn published_games_of_many_seeds() {
    run(|check| check.is_long() && is_large(check));
}
