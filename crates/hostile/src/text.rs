//! Readers of text.

use kalahari_agents::{AgentKind, AgentSpec, NamedAgent, Player};
use kalahari_arena::rate::Ladder;
use kalahari_arena::stats::Sprt;
use kalahari_arena::{GameRecord, Identity, MatchSpec, TimeControl};
use kalahari_dataset::{Range, Share};
use kalahari_exact::book::ProvenBounds;
use kalahari_exact::tablebase::TableSpec;
use kalahari_games::{AnyGame, AnyMove, Game, GameSpec};
use kalahari_kgp::Address;
use kalahari_protocol::kgp::{ClientCommand, Message, Said, ServerCommand};
use kalahari_protocol::ugi::{Answer, Command};
use kalahari_protocol::{Line, Lines};
use kalahari_prove::{Content, Exported};
use kalahari_search::mcts::Playout;
use kalahari_study::puzzle::{puzzles_text, read_puzzles};
use kalahari_terms::{format_duration, parse_duration};
use kalahari_tune::{Space, TuneSpec, read_lines};
use std::fmt::{Debug, Display};
use std::io;
use std::path::Path;
use std::str::FromStr;
use std::sync::OnceLock;

/// The bytes as text; invalid UTF-8 is replaced.
fn text(bytes: &[u8]) -> std::borrow::Cow<'_, str> {
    String::from_utf8_lossy(bytes)
}

/// Reads a text. The value must stay the same when it is written and read again.
fn read_twice<T: FromStr + Display + PartialEq + Debug>(text: &str) -> Option<T> {
    let read: T = text.parse().ok()?;
    let written = read.to_string();
    let again = written.parse::<T>().ok();
    assert_eq!(again.as_ref(), Some(&read), "{written:?}");
    Some(read)
}

/// Names of games, tablebases and moves.
pub(crate) fn game(bytes: &[u8]) {
    let text = text(bytes);
    read_twice::<GameSpec>(&text);
    read_twice::<TableSpec>(&text);
    read_twice::<AnyMove>(&text);
}

/// The game that the first line names, if it is of this kind, and the rest of the text; else the usual game and all of the text.
fn with_game<'a>(text: &'a str, kind: &'static str, usual: &AnyGame) -> (AnyGame, &'a str) {
    let named = text.split_once('\n').and_then(|(name, rest)| {
        let game: GameSpec = name.parse().ok().filter(|_| name.starts_with(kind))?;
        Some((AnyGame::new(game), rest))
    });
    named.unwrap_or_else(|| (usual.clone(), text))
}

/// Positions of Kalah. The first line may name a game; without it the game is 6x4.
pub(crate) fn kalah_position(bytes: &[u8]) {
    static USUAL: OnceLock<AnyGame> = OnceLock::new();
    position(bytes, "kalah", "kalah:6x4", &USUAL);
}

/// Positions of Isolation. The first line may name a game; without it the game is `isolation:5x5`.
pub(crate) fn isolation_position(bytes: &[u8]) {
    static USUAL: OnceLock<AnyGame> = OnceLock::new();
    position(bytes, "isolation", "isolation:5x5", &USUAL);
}

fn position(bytes: &[u8], kind: &'static str, usual: &str, made: &OnceLock<AnyGame>) {
    let text = text(bytes);
    let usual = made.get_or_init(|| AnyGame::new(usual.parse().unwrap_or_default()));
    let (game, text) = with_game(&text, kind, usual);
    let Ok(position) = game.parse_position(text) else {
        return;
    };
    let written = game.view(&position).to_string();
    let again = game.parse_position(&written);
    assert_eq!(again.ok(), Some(position), "{written}");
    // A position that was accepted can be played from.
    assert_eq!(game.outcome(&position).is_some(), game.is_over(&position));
    for mv in game.moves(&position).take(64) {
        assert_eq!(game.parse_move(&mv.to_string()).ok(), Some(mv));
        assert!(game.play(&position, mv).is_ok());
    }
}

/// Specs of agents. Specs of external programs are parsed, but the programs are not started.
pub(crate) fn agent(bytes: &[u8]) {
    static GAMES: OnceLock<[AnyGame; 2]> = OnceLock::new();
    let text = text(bytes);
    if let Some(named) = read_twice::<NamedAgent>(&text) {
        assert!(!named.label().is_empty());
    }
    let Some(spec) = read_twice::<AgentSpec>(&text) else {
        return;
    };
    if spec.kind().is_program() {
        return;
    }
    let games = GAMES.get_or_init(|| {
        ["kalah:3x2", "isolation:3x3"].map(|name| AnyGame::new(name.parse().unwrap_or_default()))
    });
    for game in games {
        if let Ok(player) = Player::new(&spec, game, 1) {
            for parameter in player.parameters() {
                assert!(parameter.value.is_finite(), "{}", parameter.name);
            }
        }
    }
}

/// Lines that a UGI runner sends.
pub(crate) fn ugi_command(bytes: &[u8]) {
    read_twice::<Command>(&text(bytes));
}

/// Lines that a UGI engine sends.
pub(crate) fn ugi_answer(bytes: &[u8]) {
    let mut lines = Lines::new(bytes);
    while let Ok(Some(line)) = lines.next_line() {
        if let Line::Text(line) = line {
            read_twice::<Answer>(&line);
        }
    }
}

/// A whole UGI session with `kalahari ugi random`.
pub(crate) fn ugi_session(bytes: &[u8]) {
    let random = AgentSpec::plain(AgentKind::Random);
    assert!(kalahari_agents::serve(random, bytes, io::sink()).is_ok());
}

/// Lines that servers and clients of the Kalah Game Protocol send, and addresses of servers.
pub(crate) fn kgp(bytes: &[u8]) {
    for line in text(bytes).lines() {
        read_twice::<Message>(line);
        read_twice::<Said<ServerCommand>>(line);
        read_twice::<Said<ClientCommand>>(line);
        read_twice::<Address>(line);
    }
}

/// Exported proofs and books of bounds, as they are and with the checksum corrected; and contents of pits.
pub(crate) fn proof(bytes: &[u8]) {
    let text = text(bytes);
    read_twice::<Content>(&text);
    let _ = Exported::read(&text, "a proof".as_ref());
    let lines = text.rsplit_once("end ").map_or(&*text, |(lines, _)| lines);
    let sum = crc32fast::hash(lines.as_bytes());
    let mended = format!("{lines}end {sum:08x}\n");
    let _ = Exported::read(&mended, "a proof".as_ref());
    let path = Path::new("a book of bounds");
    let _ = ProvenBounds::read(path, text.as_bytes(), None);
    if let Ok(book) = ProvenBounds::read(path, mended.as_bytes(), None) {
        let written = book.to_text();
        let again = ProvenBounds::read(path, written.as_bytes(), Some(book.game()));
        assert_eq!(again.ok().map(|book| book.to_text()), Some(written));
    }
}

/// Records of games.
pub(crate) fn record(bytes: &[u8]) {
    let Ok(records) = GameRecord::read_all(&text(bytes)) else {
        return;
    };
    for record in records {
        let written = record.to_string();
        let again = GameRecord::read_all(&written);
        let again = again.unwrap_or_else(|error| panic!("{error}\n{written}"));
        assert_eq!(again.len(), 1, "{written}");
        assert_eq!(again[0].to_string(), written);
        let _ = record.replay();
    }
}

/// Values of flags.
pub(crate) fn flags(bytes: &[u8]) {
    let text = text(bytes);
    read_twice::<TimeControl>(&text);
    if let Ok(duration) = parse_duration(&text) {
        let written = format_duration(duration);
        assert_eq!(parse_duration(&written).ok(), Some(duration), "{written}");
    }
    read_twice::<Range>(&text);
    let _ = text.parse::<Share>();
    let _ = text.parse::<Sprt>();
    let _ = text.parse::<Playout>();
}

/// Parameters of a tuning run.
pub(crate) fn parameters(bytes: &[u8]) {
    let text = text(bytes);
    read_twice::<Space>(&text);
    if let Ok(lines) = read_lines(&text) {
        let _ = Space::of_lines(&lines);
    }
}

/// Matches, tuning runs and identities as stores keep them; and ladders.
pub(crate) fn specs(bytes: &[u8]) {
    if let Ok(spec) = serde_json::from_slice::<MatchSpec>(bytes) {
        let again = serde_json::to_vec(&spec).map(|text| serde_json::from_slice(&text).ok());
        assert_eq!(again.ok().flatten(), Some(spec));
    }
    if let Ok(spec) = serde_json::from_slice::<TuneSpec>(bytes) {
        let again = serde_json::to_vec(&spec).map(|text| serde_json::from_slice(&text).ok());
        assert_eq!(again.ok().flatten(), Some(spec));
    }
    if let Ok(identity) = serde_json::from_slice::<Identity>(bytes) {
        let again = serde_json::to_vec(&identity).map(|text| serde_json::from_slice(&text).ok());
        assert_eq!(again.ok().flatten(), Some(identity));
    }
    if let Ok(ladder) = Ladder::read(&text(bytes)) {
        let written = ladder.text();
        assert_eq!(Ladder::read(&written).ok(), Some(ladder), "{written}");
    }
}

/// Files of puzzles.
pub(crate) fn puzzles(bytes: &[u8]) {
    if let Ok(puzzles) = read_puzzles(&text(bytes)) {
        let written = puzzles_text(&puzzles);
        let again = read_puzzles(&written);
        assert_eq!(again.ok(), Some(puzzles), "{written}");
    }
}
