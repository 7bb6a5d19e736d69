//! Every line of the Kalah Game Protocol is unchanged after it is written and read again, and no line causes a panic.

use kalahari_protocol::kgp::{
    Argument, Board, ClientCommand, Message, Said, ServerCommand, Setting,
};
use proptest::option::of;
use proptest::prelude::*;

fn board() -> impl Strategy<Value = Board> {
    (1..=20usize).prop_flat_map(|pits| {
        let side = prop::collection::vec(any::<u32>(), pits);
        ([any::<u32>(), any::<u32>()], side.clone(), side)
            .prop_map(|(stores, south, north)| Board::new(stores, south, north).expect("a board"))
    })
}

fn word() -> impl Strategy<Value = String> {
    "[a-z][a-zA-Z0-9:_-]{0,12}"
}

fn argument() -> impl Strategy<Value = Argument> {
    prop_oneof![
        any::<i64>().prop_map(Argument::Integer),
        prop::num::f64::NORMAL.prop_map(Argument::Real),
        word().prop_map(Argument::Word),
        any::<String>().prop_map(Argument::Text),
        board().prop_map(Argument::Board),
    ]
}

fn setting() -> impl Strategy<Value = Setting> {
    let option = prop_oneof![word(), any::<String>()];
    (option, argument()).prop_map(|(option, value)| Setting { option, value })
}

fn said<C: std::fmt::Debug>(command: impl Strategy<Value = C>) -> impl Strategy<Value = Said<C>> {
    (of(any::<u64>()), of(any::<u64>()), command).prop_map(|(id, reference, command)| Said {
        id,
        reference,
        command,
    })
}

fn server() -> impl Strategy<Value = Said<ServerCommand>> {
    said(prop_oneof![
        any::<[u32; 3]>().prop_map(ServerCommand::Kgp),
        board().prop_map(ServerCommand::State),
        Just(ServerCommand::Stop),
        of(argument()).prop_map(ServerCommand::Ping),
        of(any::<String>()).prop_map(ServerCommand::Ok),
        any::<String>().prop_map(ServerCommand::Error),
        Just(ServerCommand::Goodbye),
        setting().prop_map(ServerCommand::Set),
    ])
}

fn client() -> impl Strategy<Value = Said<ClientCommand>> {
    said(prop_oneof![
        any::<String>().prop_map(ClientCommand::Mode),
        any::<u32>().prop_map(ClientCommand::Move),
        Just(ClientCommand::Yield),
        of(argument()).prop_map(ClientCommand::Pong),
        of(any::<String>()).prop_map(ClientCommand::Ok),
        any::<String>().prop_map(ClientCommand::Error),
        Just(ClientCommand::Goodbye),
        setting().prop_map(ClientCommand::Set),
    ])
}

/// Lines that look a little like the protocol.
fn nearly() -> impl Strategy<Value = String> {
    let word = prop_oneof![
        prop::sample::select(vec![
            "kgp",
            "state",
            "stop",
            "ping",
            "pong",
            "ok",
            "error",
            "goodbye",
            "set",
            "mode",
            "move",
            "yield",
            "freeplay",
            "info:name",
            "auth:token",
            "\"",
            "\\",
            "\"a b\"",
            "<",
            ">",
            "<3,10,2,1,2,3,4,2,0>",
            "<1,2",
            "<99999999999,1>",
            "<0,0,0>",
            "<,>",
            "1",
            "-1",
            "+.5",
            "1.",
            "@",
            "4@2",
            "@4",
            "99999999999999999999999",
            "1e9",
            "\t",
        ])
        .prop_map(str::to_owned),
        any::<String>(),
    ];
    let blank = prop::sample::select(vec![" ", "", "  "]);
    prop::collection::vec((word, blank), 0..10).prop_map(|words| {
        words
            .into_iter()
            .map(|(word, blank)| word + blank)
            .collect()
    })
}

fn again<T>(line: &str) -> Result<(), TestCaseError>
where
    T: std::str::FromStr + std::fmt::Display + std::fmt::Debug + PartialEq,
{
    if let Ok(read) = line.parse::<T>() {
        let written = read.to_string();
        prop_assert!(!written.contains(['\n', '\r']));
        prop_assert_eq!(written.parse::<T>().ok(), Some(read));
    }
    Ok(())
}

proptest! {
    #[test]
    fn what_a_server_says_survives(said in server()) {
        let text = said.to_string();
        prop_assert!(!text.contains(['\n', '\r']));
        prop_assert_eq!(text.parse::<Said<ServerCommand>>(), Ok(said));
    }

    #[test]
    fn what_a_client_says_survives(said in client()) {
        let text = said.to_string();
        prop_assert!(!text.contains(['\n', '\r']));
        prop_assert_eq!(text.parse::<Said<ClientCommand>>(), Ok(said));
    }

    /// If a line can be read, what is read can be written and read again without a change.
    #[test]
    fn any_line_is_read_or_refused(line in nearly()) {
        again::<Message>(&line)?;
        again::<Said<ServerCommand>>(&line)?;
        again::<Said<ClientCommand>>(&line)?;
    }

    #[test]
    fn any_bytes_are_read_or_refused(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        again::<Message>(&String::from_utf8_lossy(&bytes))?;
    }
}

#[test]
fn lines_as_servers_and_clients_write_them_are_understood() {
    let server = |line: &str| line.parse::<Said<ServerCommand>>().expect(line);
    let client = |line: &str| line.parse::<Said<ClientCommand>>().expect(line);
    let board = Board::new([10, 2], vec![1, 2, 3], vec![4, 2, 0]).expect("a board");
    assert_eq!(
        server("4 state <3,10,2,1,2,3,4,2,0>\r\n"),
        Said {
            id: Some(4),
            reference: None,
            command: ServerCommand::State(board.clone()),
        }
    );
    assert_eq!(board.total(), 24);
    assert_eq!(server("6@4 stop").to_string(), "6@4 stop");
    assert_eq!(server("kgp 1 0 1").command, ServerCommand::Kgp([1, 0, 1]));
    assert_eq!(
        server("8@3 error \"Unsupported mode %q\" \"x\"").command,
        ServerCommand::Error("Unsupported mode %q x".to_owned())
    );
    let name = ClientCommand::Set(Setting::text("info:name", "an \"agent\""));
    assert_eq!(client(r#"3 set "info:name" "an \"agent\"""#).command, name);
    assert_eq!(client(r#"set info:name "an \"agent\"""#).command, name);
    assert_eq!(
        client("@4 move 1"),
        Said {
            id: None,
            reference: Some(4),
            command: ClientCommand::Move(1),
        }
    );
    for line in ["mode freeplay", "mode \"freeplay\""] {
        let mode = ClientCommand::Mode("freeplay".to_owned());
        assert_eq!(client(line).command, mode);
    }
    for line in [
        "",
        " ",
        "4",
        "4@ stop",
        "@ stop",
        "x@4 stop",
        "kgp",
        "kgp 1 0",
        "kgp 1 0 -1",
        "state",
        "state <3,1>",
        "state <0,0,0>",
        "state <1,0,0,1,1",
        "state 3",
        "stop now",
        "set x",
        "jump",
        "error \"open",
        "99999999999999999999 stop",
    ] {
        assert!(line.parse::<Said<ServerCommand>>().is_err(), "{line}");
    }
    for line in [
        "move",
        "move x",
        "move -1",
        "move 1 2",
        "mode",
        "mode 3",
        "state <1,0,0,1,1>",
    ] {
        assert!(line.parse::<Said<ClientCommand>>().is_err(), "{line}");
    }
}
