//! Games at the terminal as records in files.

use super::seat::Seat;
use super::session::{End, Session};
use crate::output::write_whole;
use anyhow::Context;
use kalahari_arena::{Ending, GameRecord, RecordedMove, ReplayError};
use kalahari_games::{AnyGame, Player};
use std::path::Path;
use std::time::Duration;

/// The record of a game as it stands.
pub(crate) fn to_record(session: &Session) -> GameRecord {
    let (winner, margin, ending) = match session.end() {
        None => (None, None, Ending::Unfinished),
        Some(End::Resigned(player)) => (Some(!player), None, Ending::Resigned),
        Some(End::Rules(outcome)) => {
            let margin = outcome.margin(Player::First);
            (outcome.winner(), Some(margin), Ending::Rules)
        }
    };
    let moves = session.plies().iter().map(|ply| RecordedMove {
        mv: ply.mv,
        micros: u64::try_from(ply.took.as_micros()).ok(),
        score: ply.score,
    });
    GameRecord {
        game: session.spec(),
        players: session.seats.each_ref().map(Seat::who),
        start: session.set_up_start(),
        book: 0,
        moves: moves.collect(),
        winner,
        margin,
        ending,
        detail: String::new(),
        match_id: String::new(),
        number: 0,
        rng_seed: session.rng_seed,
    }
}

/// Writes the game to a file, whole or not at all.
pub(crate) fn save(session: &mut Session, file: &Path) -> anyhow::Result<()> {
    write_whole(file, to_record(session).to_string().as_bytes())?;
    session.mark_saved();
    Ok(())
}

/// The longest file that is read; the longest game takes a small part of it.
const LONGEST: u64 = 1 << 20;

/// Reads the first game of a file. Players that the record names sit down again, unless that would start a
/// program; `fallback` takes the seats that stay free.
pub(crate) fn load(file: &Path, fallback: &[Seat; 2]) -> anyhow::Result<Session> {
    let cannot = || format!("cannot read {}", file.display());
    let size = std::fs::metadata(file).with_context(cannot)?.len();
    anyhow::ensure!(size <= LONGEST, "{} is too long for a game", file.display());
    let text = std::fs::read_to_string(file).with_context(cannot)?;
    let records = GameRecord::read_all(&text).with_context(cannot)?;
    let record = records.into_iter().next().with_context(cannot)?;
    from_record(&record, fallback).with_context(cannot)
}

fn from_record(record: &GameRecord, fallback: &[Seat; 2]) -> Result<Session, ReplayError> {
    let named = [0, 1].map(|seat| Seat::from_record(&record.players[seat].agent));
    let seats = match named {
        // Only a game with a person at the terminal can be continued with its own players.
        [Some(first), Some(second)] if [&first, &second].contains(&&Seat::Person) => {
            [first, second]
        }
        _ => fallback.clone(),
    };
    let (game, start) = match &record.start {
        Some(view) => AnyGame::at_view(record.game, view)?,
        None => AnyGame::at_or_start(record.game, None)?,
    };
    let mut session = Session::new(game, start, seats, record.rng_seed);
    for (number, mv) in (1..).zip(&record.moves) {
        let took = Duration::from_micros(mv.micros.unwrap_or(0));
        session
            .play(mv.mv, took, mv.score)
            .map_err(|problem| ReplayError::Move { number, problem })?;
    }
    if record.ending == Ending::Resigned
        && let Some(winner) = record.winner
    {
        session.resign(!winner);
    }
    session.mark_saved();
    Ok(session)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn session(moves: &[&str]) -> Session {
        let spec = "kalah:6x4".parse().expect("a game");
        let seats = ["human", "level:2"].map(|name| name.parse().expect("a seat"));
        let mut session = Session::at_start(spec, seats, 7);
        for mv in moves {
            let mv = mv.parse().expect("a move");
            session
                .play(mv, Duration::from_micros(1500), None)
                .expect("a legal move");
        }
        session
    }

    #[test]
    fn a_game_is_saved_and_loaded() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("game.txt");
        let mut played = session(&["2", "5", "0"]);
        assert!(played.is_unsaved());
        save(&mut played, &file).expect("saved");
        assert!(!played.is_unsaved());
        let loaded = load(&file, &[Seat::Person, Seat::Person]).expect("loaded");
        assert_eq!(to_record(&loaded), to_record(&played));
        assert_eq!(to_record(&loaded).ending, Ending::Unfinished);

        played.resign(Player::First);
        save(&mut played, &file).expect("saved");
        let loaded = load(&file, &[Seat::Person, Seat::Person]).expect("loaded");
        assert_eq!(loaded.end(), Some(End::Resigned(Player::First)));
    }

    #[test]
    fn bad_files_are_refused_with_a_reason() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("game.txt");
        let reason = |text: &str| {
            std::fs::write(&file, text).expect("written");
            let error = load(&file, &[Seat::Person, Seat::Person]).expect_err("a bad file");
            format!("{error:#}")
        };
        assert!(reason("").contains("begins with the line"));
        let good = to_record(&session(&["2", "5"])).to_string();
        assert!(reason(&good.replace("\n5 ", "\n9 ")).contains("move 9 is illegal"));
        assert!(reason(&good.replace("Result: *", "Result: 1-0")).contains("unfinished"));
        assert!(reason(&"x".repeat(2 << 20)).contains("too long"));
        let error = load(Path::new("/no/such/file"), &[Seat::Person, Seat::Person]);
        assert!(format!("{:#}", error.expect_err("no file")).contains("cannot read"));
    }

    #[test]
    fn strangers_do_not_sit_down() {
        let mut record = to_record(&session(&["2"]));
        record.players[1] = "ugi:reboot".into();
        let fallback = ["human", "level:3"].map(|name| name.parse().expect("a seat"));
        let loaded = from_record(&record, &fallback).expect("a game");
        assert_eq!(loaded.seats, fallback);
    }

    #[test]
    fn moves_are_taken_back_to_the_persons_turn() {
        let mut game = session(&["2", "5", "0"]);
        // 2 gave another turn, 5 did not; the agent answered 0.
        assert!(game.is_persons_turn());
        assert_eq!(game.take_back(), Some(2));
        assert_eq!(game.plies().len(), 1);
        assert!(game.is_persons_turn());
        game.resign(Player::First);
        assert_eq!(game.take_back(), Some(0));
        assert_eq!(game.take_back(), Some(1));
        assert_eq!(game.take_back(), None);
    }
}
