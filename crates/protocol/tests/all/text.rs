//! Every command and answer is unchanged after it is written and read again, and no line causes a panic.

use kalahari_protocol::ugi::{Answer, Command, Declaration, Go, Info, Query, Start, WireScore};
use proptest::option::of;
use proptest::prelude::*;

/// A word that means nothing to the interface.
fn word() -> impl Strategy<Value = String> {
    "[a-z0-9/.#<>,:+-]{1,12}".prop_map(|word| format!("w{word}"))
}

fn words(most: usize) -> impl Strategy<Value = Vec<String>> {
    prop::collection::vec(word(), 0..=most)
}

fn text() -> impl Strategy<Value = String> {
    prop::collection::vec(word(), 1..5).prop_map(|words| words.join(" "))
}

fn go() -> impl Strategy<Value = Go> {
    (
        [of(any::<u64>()), of(any::<u64>())],
        [of(any::<u64>()), of(any::<u64>())],
        of(any::<u64>()),
        of(any::<u32>()),
        of(any::<u64>()),
        any::<bool>(),
    )
        .prop_map(|(time, increment, movetime, depth, nodes, infinite)| Go {
            time,
            increment,
            movetime,
            depth,
            nodes,
            infinite,
        })
}

fn command() -> impl Strategy<Value = Command> {
    let start = prop_oneof![Just(Start::Startpos), text().prop_map(Start::Fen)];
    prop_oneof![
        Just(Command::Ugi),
        Just(Command::IsReady),
        Just(Command::NewGame),
        Just(Command::Stop),
        Just(Command::Quit),
        Just(Command::Query(Query::P1Turn)),
        Just(Command::Query(Query::GameOver)),
        Just(Command::Query(Query::Result)),
        (text(), of(text())).prop_map(|(name, value)| Command::SetOption { name, value }),
        (start, words(40)).prop_map(|(start, moves)| Command::Position { start, moves }),
        go().prop_map(Command::Go),
    ]
}

fn info() -> impl Strategy<Value = Info> {
    let score = prop_oneof![
        any::<i64>().prop_map(WireScore::Centi),
        (0..=1000u16).prop_map(WireScore::PerMille),
        any::<i64>().prop_map(WireScore::Points),
    ];
    (
        of(any::<u32>()),
        of(score),
        of(any::<u64>()),
        of(any::<u64>()),
        prop_oneof![
            words(20).prop_map(|line| (line, None)),
            text().prop_map(|text| (Vec::new(), Some(text))),
        ],
    )
        .prop_map(|(depth, score, nodes, millis, (line, text))| Info {
            depth,
            score,
            nodes,
            millis,
            line,
            text,
        })
}

fn answer() -> impl Strategy<Value = Answer> {
    prop_oneof![
        Just(Answer::UgiOk),
        Just(Answer::ReadyOk),
        text().prop_map(Answer::Name),
        text().prop_map(Answer::Author),
        (text(), text()).prop_map(|(name, kind)| Answer::Option(Declaration { name, kind })),
        info().prop_map(Answer::Info),
        word().prop_map(Answer::BestMove),
        word().prop_map(Answer::Response),
    ]
}

/// Lines that look a little like the interface.
fn nearly() -> impl Strategy<Value = String> {
    let word = prop_oneof![
        prop::sample::select(vec![
            "ugi",
            "go",
            "position",
            "fen",
            "startpos",
            "moves",
            "setoption",
            "name",
            "value",
            "info",
            "score",
            "cp",
            "permille",
            "pv",
            "string",
            "depth",
            "nodes",
            "time",
            "option",
            "type",
            "bestmove",
            "response",
            "query",
            "id",
            "movetime",
            "p1time",
            "infinite",
            "-1",
            "99999999999999999999999",
            "0",
        ])
        .prop_map(str::to_owned),
        any::<String>(),
    ];
    prop::collection::vec(word, 0..12).prop_map(|words| words.join(" "))
}

proptest! {
    #[test]
    fn commands_survive(command in command()) {
        let text = command.to_string();
        prop_assert!(!text.contains('\n'));
        prop_assert_eq!(text.parse::<Command>(), Ok(command));
    }

    #[test]
    fn answers_survive(answer in answer()) {
        let text = answer.to_string();
        prop_assert!(!text.contains('\n'));
        prop_assert_eq!(text.parse::<Answer>(), Ok(answer));
    }

    /// If a line can be read, what is read can be written and read again without a change.
    #[test]
    fn any_line_is_read_or_refused(line in nearly()) {
        if let Ok(command) = line.parse::<Command>() {
            prop_assert_eq!(command.to_string().parse::<Command>(), Ok(command));
        }
        if let Ok(answer) = line.parse::<Answer>() {
            prop_assert_eq!(answer.to_string().parse::<Answer>(), Ok(answer));
        }
    }

    #[test]
    fn any_bytes_are_read_or_refused(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        let line = String::from_utf8_lossy(&bytes);
        let _ = (line.parse::<Command>(), line.parse::<Answer>());
        let _ = kalahari_protocol::split_command(&line);
    }
}

#[test]
fn the_examples_of_the_description_are_understood() {
    let line = "info depth 2 seldepth 2 score cp 200 time 0 nodes 50 tthits 1 hashfull 0 pv f1 b1";
    let Ok(Answer::Info(info)) = line.parse() else {
        panic!("an info");
    };
    assert_eq!(
        info,
        Info {
            depth: Some(2),
            score: Some(WireScore::Centi(200)),
            nodes: Some(50),
            millis: Some(0),
            line: vec!["f1".into(), "b1".into()],
            text: None,
        }
    );
    assert_eq!(
        "bestmove f1 ponder b1".parse(),
        Ok(Answer::BestMove("f1".into()))
    );
    assert_eq!(
        "go p1time -20 p2time 100".parse(),
        Ok(Command::Go(Go {
            time: [Some(0), Some(100)],
            ..Go::default()
        }))
    );
    for line in [
        "",
        "go depth",
        "go depth x",
        "position",
        "position fen",
        "query",
        "hello",
    ] {
        assert!(line.parse::<Command>().is_err(), "{line}");
    }
    for line in ["", "bestmove", "response", "option name x", "id", "ugi"] {
        assert!(line.parse::<Answer>().is_err(), "{line}");
    }
}
