//! Records of games: text and back, replay, nonsense.

use kalahari_arena::{Ending, GameRecord, RecordedMove};
use kalahari_games::{GameSpec, Player};
use kalahari_search::Unit;
use proptest::prelude::*;

fn any_move() -> impl Strategy<Value = RecordedMove> {
    let unit = prop_oneof![
        Just(Unit::Margin),
        Just(Unit::Result),
        Just(Unit::Eval),
        Just(Unit::WinShare)
    ];
    (
        "[a-p0-9][0-9/a-p]{0,5}",
        proptest::option::of(0..u64::MAX / 2_000),
        proptest::option::of((-1e9..1e9_f64, unit)),
    )
        .prop_map(|(mv, micros, value)| RecordedMove { mv, micros, value })
}

fn any_record() -> impl Strategy<Value = GameRecord> {
    let games = [
        "kalah:6x4",
        "kalah:3x2:empty-capture",
        "isolation:queen",
        "isolation:5x5",
    ];
    let specs = games.map(|game| game.parse::<GameSpec>().expect("a game"));
    let name = "[a-z]{1,8}(:[a-z0-9=,./ -]{0,20}[a-z0-9])?";
    (
        proptest::sample::select(specs.to_vec()),
        [name, name],
        proptest::option::of("[0-9]{1,3}( [0-9]{1,3}){0,6}"),
        proptest::collection::vec(any_move(), 0..40),
        (
            any::<u8>(),
            0..3_u8,
            proptest::option::of(any::<i32>()),
            0..8_usize,
        ),
        ("([a-z:]{1,9}( [a-z]{1,9}){0,3})?", "([0-9a-f]{16})?"),
        (any::<u32>(), any::<u64>()),
    )
        .prop_map(
            |(
                game,
                players,
                start,
                moves,
                (book, winner, margin, ending),
                texts,
                (number, seed),
            )| {
                let ending = [
                    Ending::Rules,
                    Ending::Majority,
                    Ending::Proven,
                    Ending::Time,
                    Ending::Illegal,
                    Ending::Crash,
                    Ending::Resigned,
                    Ending::Unfinished,
                ][ending];
                let winner = [None, Some(Player::First), Some(Player::Second)][usize::from(winner)];
                GameRecord {
                    game,
                    players,
                    start,
                    book: usize::from(book) % (moves.len() + 1),
                    moves,
                    winner: winner.filter(|_| ending != Ending::Unfinished),
                    margin,
                    ending,
                    detail: texts.0,
                    match_id: texts.1,
                    number,
                    seed,
                }
            },
        )
}

proptest! {
    #[test]
    fn text_and_back(records in proptest::collection::vec(any_record(), 1..4)) {
        let text: String = records.iter().map(|record| format!("{record}\n")).collect();
        prop_assert_eq!(GameRecord::read_all(&text).expect("our own text"), records);
    }

    #[test]
    fn nothing_panics(text in "(kalahari-record 1\n)?([A-Z][a-z]{2,5}: ?[ -~]{0,12}\n){0,5}(\n[ -~]{0,9}){0,4}") {
        if let Ok(records) = GameRecord::read_all(&text) {
            for record in records {
                let _ = record.replay();
            }
        }
    }

    #[test]
    fn no_bytes_panic(text in "\\PC{0,200}") {
        prop_assert!(GameRecord::read_all(&text).is_err());
    }
}

#[test]
fn a_record_is_replayed() {
    let text = "kalahari-record 1\nGame: kalah:6x4\nFirst: a\nSecond: b\nResult: 1-0\nMargin: 3\nEnding: rules\nBook: 1\n\n2\n5 0.250ms eval:1.5\n";
    let record = &GameRecord::read_all(text).expect("a record")[0];
    assert_eq!(record.moves[1].micros, Some(250));
    let positions = record.replay().expect("legal moves");
    assert_eq!(positions.len(), 3);
    assert_eq!(positions[1], "4 4 0 5 5 5 1 4 4 4 4 4 4 0 0");
    let illegal = text.replace("\n5 0.250ms", "\n2 0.250ms");
    let error = GameRecord::read_all(&illegal).expect("a record")[0].replay();
    assert!(
        error
            .expect_err("pit 2 is empty")
            .to_string()
            .contains("move 2")
    );
}

#[test]
fn errors_name_the_line() {
    let text =
        "kalahari-record 1\nGame: kalah:6x4\nFirst: a\nSecond: b\nResult: 2-0\nEnding: rules\n\n";
    let error = GameRecord::read_all(text)
        .expect_err("no such result")
        .to_string();
    assert!(error.contains("line 5"), "{error}");
    let bad = text.replace("2-0", "0-1") + "3 x\n";
    let error = GameRecord::read_all(&bad)
        .expect_err("no such word")
        .to_string();
    assert!(error.contains("line 8"), "{error}");
}
