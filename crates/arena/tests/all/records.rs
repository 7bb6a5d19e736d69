//! Records of games: writing and reading, replay, invalid texts.

use kalahari_arena::{Ending, GameRecord, RecordedMove, Who};
use kalahari_games::{AnyGame, Game, GameSpec, Player};
use kalahari_terms::{Score, Unit, Worth};
use proptest::prelude::*;

/// A score that a player may give a position, and whether it is proven.
fn any_worth() -> impl Strategy<Value = (Worth, bool)> {
    let unit = proptest::sample::select(Unit::ALL.to_vec());
    let worth = (unit, -1e9..1e9_f64).prop_map(|(unit, number)| {
        let amount = match unit {
            Unit::Margin => f64::from(number as i32 % 1_000),
            Unit::Result => f64::from(number as i32 % 2),
            Unit::Share => number.abs() / 1e9,
            _ => number,
        };
        unit.worth(amount).expect("an amount that exists")
    });
    (worth, any::<bool>())
}

/// The random choices for a move: which of the legal moves, its time, and its player's score.
type Draw = (usize, Option<u64>, Option<(Worth, bool)>);

fn any_draw() -> impl Strategy<Value = Draw> {
    (
        any::<usize>(),
        proptest::option::of(0..u64::MAX / 2_000),
        proptest::option::of(any_worth()),
    )
}

/// Plays the randomly chosen moves until the game is over.
fn played(game: &AnyGame, draws: &[Draw]) -> Vec<RecordedMove> {
    let mut position = game.start();
    let mut moves = Vec::new();
    for &(choice, micros, worth) in draws {
        let count = game.moves(&position).count();
        let Some(mv) = game.moves(&position).nth(choice % count.max(1)) else {
            break;
        };
        let player = game.to_move(&position);
        let score = worth.map(|(worth, proven)| match proven {
            true => Score::proven(player, worth),
            false => Score::estimate(player, worth),
        });
        position = game.play_unchecked(&position, mv);
        moves.push(RecordedMove { mv, micros, score });
    }
    moves
}

/// A player with or without a name.
fn any_player() -> impl Strategy<Value = Who> {
    let spec = "[a-z]{1,8}(:[a-z0-9=,./ -]{0,20}[a-z0-9])?";
    (spec, proptest::option::of("[a-z]{1,4}( [a-z0-9]{1,4})?")).prop_map(|(agent, name)| Who {
        name: name.unwrap_or_else(|| agent.clone()),
        agent,
    })
}

fn any_record() -> impl Strategy<Value = GameRecord> {
    let games = [
        "kalah:6x4",
        "kalah:3x2:empty-capture",
        "isolation:queen",
        "isolation:5x5",
    ];
    let specs = games.map(|game| game.parse::<GameSpec>().expect("a game"));
    (
        proptest::sample::select(specs.to_vec()),
        [any_player(), any_player()],
        (any::<bool>(), proptest::collection::vec(any_draw(), 0..40)),
        (
            any::<u8>(),
            0..3_u8,
            proptest::option::of(any::<i32>()),
            proptest::sample::select(Ending::ALL.to_vec()),
        ),
        ("([a-z:]{1,9}( [a-z]{1,9}){0,3})?", "([0-9a-f]{16})?"),
        (any::<u32>(), any::<u64>()),
    )
        .prop_map(
            |(
                spec,
                players,
                (set_up, draws),
                (book, winner, margin, ending),
                texts,
                (number, rng_seed),
            )| {
                let winner = [None, Some(Player::First), Some(Player::Second)][usize::from(winner)];
                let game = AnyGame::new(spec);
                let moves = played(&game, &draws);
                GameRecord {
                    game: spec,
                    players,
                    start: set_up.then(|| game.view(&game.start())),
                    book: usize::from(book) % (moves.len() + 1),
                    moves,
                    winner: winner.filter(|_| ending != Ending::Unfinished),
                    margin,
                    ending,
                    detail: texts.0,
                    match_id: texts.1,
                    number,
                    rng_seed,
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

const RECORD: &str = "kalahari-record 1\nGame: kalah:6x4\nFirst: a\nSecond: b\nResult: 1-0\nMargin: 3\nEnding: rules\nBook: 1\n\n2\n5 0.250ms eval:1.5\n";

/// Some editors put a byte order mark before a text; files with one can be joined.
#[test]
fn a_byte_order_mark_is_skipped() {
    let marked = format!("\u{feff}{RECORD}");
    let plain = GameRecord::read_all(RECORD).expect("a record");
    assert_eq!(GameRecord::read_all(&marked).expect("a record"), plain);
    let joined = GameRecord::read_all(&format!("{marked}\n{marked}")).expect("two records");
    assert_eq!(joined, [&plain[..], &plain].concat());
}

#[test]
fn a_record_is_replayed() {
    let record = &GameRecord::read_all(RECORD).expect("a record")[0];
    assert_eq!(record.moves[1].micros, Some(250));
    let (game, positions) = record.replay().expect("legal moves");
    assert_eq!(positions.len(), 3);
    assert_eq!(
        game.position_text(&positions[1]),
        "4 4 0 5 5 5 1 4 4 4 4 4 4 0 0"
    );
    // The text of an illegal move is refused at its line, a record with one when it is replayed.
    let error = GameRecord::read_all(&RECORD.replace("\n5 0.250ms", "\n2 0.250ms"));
    let error = error.expect_err("pit 2 is empty").to_string();
    assert!(error.contains("line 11"), "{error}");
    let mut illegal = record.clone();
    illegal.moves[1] = illegal.moves[0];
    let error = illegal.replay().expect_err("pit 2 is empty");
    assert!(error.to_string().contains("move 2"));
}

#[test]
fn scores_survive_writing_and_reading() {
    let score = |text: &str| {
        let text = RECORD.replace("eval:1.5", text);
        let record = GameRecord::read_all(&text).ok()?.remove(0);
        let written = record.to_string();
        let read = GameRecord::read_all(&written).expect("our own text");
        assert_eq!(read, std::slice::from_ref(&record));
        record.moves[1].score
    };
    // The first move gave an extra turn, so player 0 is to move again.
    let first = |worth| Some(Score::estimate(Player::First, worth));
    assert_eq!(score("eval:1.5"), first(Worth::Points(1.5)));
    assert_eq!(score("seeds:-2.25"), first(Worth::Seeds(-2.25)));
    assert_eq!(score("margin:4"), first(Worth::Margin(4)));
    assert_eq!(
        score("margin:4!"),
        Some(Score::proven(Player::First, Worth::Margin(4)))
    );
    for wrong in [
        "margin:4.5",
        "result:2",
        "winshare:1.5",
        "seeds:nan",
        "ells:1",
        "seeds:1 seeds:2",
    ] {
        assert_eq!(score(wrong), None, "{wrong}");
    }
}

#[test]
fn a_start_may_have_any_number_of_seeds() {
    let text = RECORD.replace("\n\n2\n5", "\nStart: 0 0 1 0 0 9 0 0 0 0 0 0 7 0 0\n\n2\n5");
    let record = GameRecord::read_all(&text).expect("a record").remove(0);
    let (game, positions) = record.replay().expect("legal moves");
    assert_eq!(positions.len(), 3);
    assert_eq!(record.start, Some(game.view(&positions[0])));
    let wrong = text.replace("Start: 0 0", "Start: 0");
    let error = GameRecord::read_all(&wrong).expect_err("no position");
    assert!(error.to_string().contains("line 9"), "{error}");
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

#[test]
fn a_header_stands_only_once() {
    let text =
        "kalahari-record 1\nGame: kalah:6x4\nFirst: a\nSecond: b\nResult: 0-1\nEnding: rules\n";
    for header in ["Result: 1-0", "Result: 0-1", "Game: kalah:6x6", "Second: c"] {
        let (key, _) = header.split_once(':').expect("a header");
        let first = text.lines().position(|line| line.starts_with(key));
        let first = first.expect("a header") + 1;
        let error = GameRecord::read_all(&format!("{text}{header}\n\n3\n"));
        let error = error.expect_err("a second header").to_string();
        assert_eq!(
            error,
            format!(
                "bad record, line 7: the header '{key}' stands twice; the first one is in line {first}"
            )
        );
    }
    // What we do not know, we ignore. Every record of a file has its own headers.
    let twice = format!("{text}Remark: one\nRemark: two\n\n3\n{text}\n3\n");
    assert_eq!(GameRecord::read_all(&twice).expect("records").len(), 2);
}
