//! Every text parser: what it reads, what it refuses and how it says so; and that nothing makes it panic.

use kalahari_games::isolation::{IsolationMove, IsolationSetup, IsolationSpec};
use kalahari_games::kalah::{KalahSetup, KalahSpec, Pit};
use kalahari_games::{AnyGame, Game, GameSpec, PositionError};
use proptest::prelude::*;
use std::fmt::Display;
use std::str::FromStr;
use std::sync::LazyLock;

fn full_form(text: &str) -> String {
    text.parse::<GameSpec>().expect("a spec").to_string()
}

#[test]
fn short_forms_are_filled_in() {
    assert_eq!(full_form("kalah"), "kalah:6x6:standard");
    assert_eq!(full_form("kalah:6x4"), "kalah:6x4:standard");
    assert_eq!(full_form("kalah:empty-capture"), "kalah:6x6:empty-capture");
    assert_eq!(
        full_form("kalah:standard+majority"),
        "kalah:6x6:standard+majority"
    );
    assert_eq!(full_form("isolation"), "isolation:8x8:trail");
    assert_eq!(full_form("isolation:queen"), "isolation:7x7:queen");
    assert_eq!(full_form("isolation:classic"), "isolation:7x7:classic");
    assert_eq!(full_form("isolation:knight"), "isolation:9x11:knight");
    assert_eq!(full_form("isolation:5x5"), "isolation:5x5:trail");
    assert_eq!(full_form("isolation:1x2:queen"), "isolation:1x2:queen");
}

#[test]
fn bad_specs_say_what_and_where() {
    for (text, at, problem) in [
        ("", 1, "unknown game"),
        ("chess", 1, "unknown game"),
        ("kalahx", 1, "unknown game"),
        ("kalah:", 7, "must follow the colon"),
        ("kalah:0x4", 7, "from 1 to 12"),
        ("kalah:6x", 9, "number of seeds is missing"),
        ("kalah:6x0", 9, "from 1 to 20"),
        ("kalah:6x21", 9, "more than 20"),
        ("kalah:99x1", 7, "more than 12"),
        ("kalah:-1x4", 7, "must not be negative"),
        ("kalah:6x99999999999999999999", 9, "more than 20"),
        ("kalah:6", 7, "a size looks like"),
        ("kalah:6x4x2", 9, "whole number"),
        ("kalah:6x4:foo", 11, "unknown rule"),
        ("kalah:6x4:standard+foo", 20, "unknown option"),
        ("kalah:4x3+majority", 11, "follows a rule"),
        ("kalah:4x3:majority", 11, "follows a rule"),
        ("kalah:6x4:standard:more", 20, "nothing may follow"),
        ("kalah:standard:6x4", 16, "nothing may follow"),
        ("isolation:17x2", 11, "more than 16"),
        ("isolation:1x1", 11, "at least 2 cells"),
        ("isolation:1x5:classic", 11, "at least 2 rows"),
        ("isolation:standard", 11, "unknown rule"),
    ] {
        let error = text.parse::<GameSpec>().expect_err(text);
        assert_eq!(error.at, at, "{error}");
        assert!(error.problem.contains(problem), "{error}");
        assert_eq!(error.to_string().lines().count(), 1);
    }
}

fn read(spec: &str, text: &str) -> Result<String, PositionError> {
    let game = AnyGame::new(spec.parse().expect("a spec"));
    game.parse_position(text)
        .map(|position| game.position_text(&position))
}

fn read_any_total(spec: &str, text: &str) -> Result<String, PositionError> {
    AnyGame::at(spec.parse().expect("a spec"), text)
        .map(|(game, position)| game.position_text(&position))
}

#[test]
fn kalah_positions_are_read_in_every_form() {
    let start = "4 4 4 4 4 4 0 4 4 4 4 4 4 0 0";
    assert_eq!(read("kalah:6x4", start).as_deref(), Ok(start));
    for text in [
        "4,4,4,4,4,4,0,4,4,4,4,4,4,0,0",
        " 4, 4 4 4 4\t4 0, 4 4 4 4 4 4 0 0\n",
        "<6,0,0,4,4,4,4,4,4,4,4,4,4,4,4>",
        "<6, 0, 0, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4>",
    ] {
        assert_eq!(read("kalah:6x4", text).as_deref(), Ok(start), "{text}");
    }
    assert_eq!(
        read("kalah:2x2", "<2,1,2,0,3,1,1>").as_deref(),
        Ok("0 3 1 1 1 2 0"),
        "south store, north store, south pits, north pits"
    );
    assert_eq!(
        read("kalah:2x2", "0 0 3 2 1 2 1").as_deref(),
        Ok("0 0 3 0 0 5 1"),
        "one side empty: the rest is banked"
    );
}

#[test]
fn protocol_literals_show_the_mover_as_south() {
    let setup: KalahSetup = "1 2 3 4 5 6 1".parse().expect("a setup");
    assert_eq!(setup.protocol_literal(), "<2,6,3,4,5,1,2>");
    let setup: KalahSetup = "1 2 3 4 5 6 0".parse().expect("a setup");
    assert_eq!(setup.protocol_literal(), "<2,3,6,1,2,4,5>");
    assert_eq!(setup.protocol_literal().parse(), Ok(setup));
}

#[test]
fn bad_kalah_positions_say_what_and_where() {
    for (text, at, problem) in [
        ("", 1, "is empty"),
        ("4 4 4 4 4 4 0 4 4 4 4 4 0", 1, "15 numbers"),
        ("4 4 4 4 4 4 0 4 4 4 4 4 4 0", 28, "14 numbers"),
        ("4 4 4 4 4 4 0 4 4 4 4 4 4 0 2", 29, "0 or 1"),
        ("4 4 4 4 4 4 0 4 4 4 4 4 4 1 0", 1, "49 seeds"),
        ("-4 4 4 4 4 4 8 4 4 4 4 4 4 0 0", 1, "negative"),
        (
            "4 4 99999999999999999999 4 4 4 0 4 4 4 4 4 4 0 0",
            5,
            "more than 480",
        ),
        ("4 4 4 x 4 4 0 4 4 4 4 4 4 0 0", 7, "whole number"),
        ("4,4,,4,4,4,0,4,4,4,4,4,4,0,0", 5, "missing"),
        ("<6,0,0,4,4,4,4,4,4,4,4,4,4,4,4", 31, "ends with '>'"),
        ("<6,0,0,4>", 9, "15 numbers"),
        ("<7,0,0,4,4,4,4,4,4,4,4,4,4,4,4,0,0>", 1, "for 6 pits"),
        ("<0,0,0>", 2, "pits is 0"),
        ("<13,0,0>", 2, "more than 12"),
    ] {
        let error = read("kalah:6x4", text).expect_err(text);
        assert_eq!(error.at, at, "{error}");
        assert!(error.problem.contains(problem), "{error}");
        assert_eq!(error.to_string().lines().count(), 1);
    }
}

#[test]
fn any_total_is_allowed_on_request_only() {
    let one_more = "5 4 4 4 4 4 0 4 4 4 4 4 4 0 0";
    assert!(read("kalah:6x4", one_more).is_err());
    assert_eq!(
        read_any_total("kalah:6x4", one_more).as_deref(),
        Ok(one_more)
    );
    let many = "200 4 4 4 4 4 200 4 4 4 4 4 4 0 0";
    assert_eq!(read_any_total("kalah:6x4", many).as_deref(), Ok(many));
    let too_many = "400 4 4 4 4 4 400 4 4 4 4 4 4 0 0";
    assert!(read_any_total("kalah:6x4", too_many).is_err());
}

#[test]
fn bad_isolation_positions_say_what_and_where() {
    for (text, at, problem) in [
        ("", 1, "player to move"),
        ("1../..2", 8, "player to move"),
        ("1../..2 2", 9, "0 or 1"),
        ("1../.x 0", 5, "a row of 2 cells below a row of 3"),
        ("1../..? 0", 7, "one of . 1 2 x o #"),
        ("1..//..2 0", 5, "empty"),
        ("1.../...2 0", 1, "2 rows by 4 columns"),
        ("1.1/..2 0", 1, "twice"),
        ("1../... 0", 1, "piece 2 is missing"),
        (".../..2 0", 1, "piece 1 is missing"),
        ("1................ 0", 17, "more than 16 cells"),
        (
            "1/2/./././././././././././././././. 0",
            33,
            "more than 16 rows",
        ),
    ] {
        let error = read("isolation:2x3", text).expect_err(text);
        assert_eq!(error.at, at, "{error}");
        assert!(error.problem.contains(problem), "{error}");
    }
    for text in ["1../... 0", ".../..2 1", ".../... 1"] {
        assert!(read("isolation:2x3:queen", text).is_err(), "{text}");
    }
    for text in ["1../... 1", ".../... 0", "1../..2 1", ".#./... 0"] {
        assert_eq!(read("isolation:2x3:queen", text).as_deref(), Ok(text));
    }
}

#[test]
fn bad_moves_say_what_and_where() {
    for text in ["", "12", "-1", "x", "1 2", "+1", "99999999999999999999"] {
        text.parse::<Pit>().expect_err(text);
    }
    for (text, at) in [
        ("", 1),
        ("q1", 1),
        ("a0", 2),
        ("a17", 2),
        ("a1/", 4),
        ("a1/b", 5),
        ("a1/b1/c1", 5),
        ("PASS", 1),
    ] {
        let error = text.parse::<IsolationMove>().expect_err(text);
        assert_eq!(error.at, at, "{error}");
    }
}

#[test]
fn long_texts_are_not_repeated_in_full() {
    let long = "kalah:".repeat(10_000);
    assert!(
        long.parse::<GameSpec>()
            .expect_err("nonsense")
            .to_string()
            .len()
            < 300
    );
    let long = "1 ".repeat(100_000);
    assert!(
        long.parse::<KalahSetup>()
            .expect_err("nonsense")
            .to_string()
            .len()
            < 300
    );
}

#[test]
fn serde_writes_the_text_forms() {
    let spec: GameSpec = "kalah".parse().expect("a spec");
    assert_eq!(
        serde_json::to_string(&spec).expect("JSON"),
        r#""kalah:6x6:standard""#
    );
    assert_eq!(
        serde_json::from_str::<GameSpec>(r#""kalah""#).expect("a spec"),
        spec
    );
    assert!(serde_json::from_str::<GameSpec>(r#""chess""#).is_err());
    assert_eq!(serde_json::to_string(&Pit(3)).expect("JSON"), r#""3""#);
    let setup: IsolationSetup = serde_json::from_str(r#""1x/o2 1""#).expect("a position");
    assert_eq!(serde_json::to_string(&setup).expect("JSON"), r#""1x/o2 1""#);
}

/// Any text that can be read is written in a form that reads back to the same value.
fn round_trips<T: FromStr + Display + PartialEq>(text: &str) {
    if let Ok(value) = text.parse::<T>() {
        let written = value.to_string();
        assert!(
            written.parse::<T>().is_ok_and(|again| again == value),
            "{text:?}"
        );
    }
}

fn read_everything(text: &str) {
    round_trips::<GameSpec>(text);
    round_trips::<KalahSpec>(text);
    round_trips::<IsolationSpec>(text);
    round_trips::<KalahSetup>(text);
    round_trips::<IsolationSetup>(text);
    round_trips::<Pit>(text);
    round_trips::<IsolationMove>(text);
    for (spec, game) in &*READERS {
        if let Err(error) = game.parse_position(text) {
            assert_eq!(error.to_string().lines().count(), 1);
        }
        let _ = read_any_total(spec, text);
    }
}

/// Games of all kinds that read positions.
static READERS: LazyLock<[(&str, AnyGame); 5]> = LazyLock::new(|| {
    [
        "kalah:2x2",
        "kalah:12x20",
        "isolation:2x3",
        "isolation:2x3:queen",
        "isolation:16x16:classic",
    ]
    .map(|spec| (spec, AnyGame::new(spec.parse().expect("a spec"))))
});

proptest! {
    #![proptest_config(ProptestConfig::with_cases(5_000))]

    #[test]
    fn any_text(text in any::<String>()) {
        read_everything(&text);
    }

    #[test]
    fn texts_like_specs(text in "(kalah|isolation)?:?[0-9x]{0,5}:?(standard|queen|trail|classic)?[+:]?(majority)?") {
        read_everything(&text);
    }

    #[test]
    fn texts_like_kalah_positions(text in "<?([0-9]{1,3}[ ,]{1,2}){0,28}[0-9]?>?") {
        read_everything(&text);
    }

    #[test]
    fn texts_like_isolation_positions(text in "([.12xo#]{1,4}/?){0,18} ?[012]?") {
        read_everything(&text);
    }

    #[test]
    fn texts_like_moves(text in "[a-q]?[0-9]{0,3}/?[a-q]?[0-9]{0,3}") {
        read_everything(&text);
    }
}
