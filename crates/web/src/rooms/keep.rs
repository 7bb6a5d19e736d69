//! What has to outlive the server: the invitation and the rooms, in one file, which is written whole or not at all.

use crate::rooms::clock::GameClock;
use crate::rooms::room::{Room, Seat, first_version};
use crate::token::{NoChance, Token};
use kalahari_games::{Game, Player};
use kalahari_storage::{Damage, FileError, FileKind, Foreign, Trouble, open_if_free, write_whole};
use kalahari_wire::line::WireLine;
use kalahari_wire::room::{ClockSetting, EndKind};
use serde::{Deserialize, Serialize};
use std::fs::{File, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Such a file, for errors.
static KIND: FileKind = FileKind {
    name: "file of invitations and rooms",
    if_missing: "name a folder that exists",
    if_bad: "delete it or name another one with --keep; the invitations and games in it are then lost",
};

/// What the file begins with.
const MARK: &str = "kalahari-hosting";
/// The form of the file.
const VERSION: u32 = 1;

/// A room that is read from the file begins at a version this much larger than the one in the file, because people who come and go
/// raise the version without a write. So pages that knew the room take its news, even if the system's clock was set back.
const UNKEPT: u64 = 1_000_000;
/// No version grows this large: JavaScript has to hold it exactly.
const MOST_VERSION: u64 = 1 << 52;

/// The file's content.
#[derive(Debug, Serialize, Deserialize)]
struct Content {
    mark: String,
    version: u32,
    invitation: String,
    owner: String,
    rooms: Vec<KeptRoom>,
}

#[derive(Debug, Serialize, Deserialize)]
struct KeptRoom {
    name: String,
    /// Older programs did not store one.
    #[serde(default)]
    version: u64,
    round: u32,
    line: WireLine,
    seats: [Option<KeptSeat>; 2],
    clock: Option<KeptClock>,
    end: Option<KeptEnd>,
    idle_ms: u64,
}

#[derive(Debug, Serialize, Deserialize)]
struct KeptSeat {
    token: String,
    name: String,
    won: u32,
}

#[derive(Debug, Serialize, Deserialize)]
struct KeptClock {
    setting: ClockSetting,
    left_ms: [u64; 2],
}

#[derive(Debug, Serialize, Deserialize)]
struct KeptEnd {
    kind: EndKind,
    winner: Option<usize>,
}

/// Why the file cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum KeepError {
    /// The file cannot be read or written.
    #[error(transparent)]
    File(#[from] FileError),
    /// Another server uses it.
    #[error(
        "another server keeps its invitations and games in {0}: end it, or name another file with --keep"
    )]
    Taken(PathBuf),
    /// The system gives no random numbers.
    #[error(transparent)]
    NoChance(#[from] NoChance),
}

/// The file, which one server at a time can use.
#[derive(Debug)]
pub(crate) struct Keep {
    path: PathBuf,
    /// Held as long as the server runs.
    _lock: File,
}

/// What was in the file.
#[derive(Debug)]
pub(crate) struct Kept {
    pub(crate) invitation: Token,
    pub(crate) owner: Token,
    pub(crate) rooms: Vec<Room>,
}

impl Keep {
    /// Opens the file, or begins one; `renew` makes a new invitation, so that old links lead nowhere.
    pub(crate) fn open(path: &Path, renew: bool, now: Duration) -> Result<(Self, Kept), KeepError> {
        if let Some(folder) = path.parent() {
            std::fs::create_dir_all(folder).map_err(|error| KIND.unwritable(path, error))?;
        }
        match std::fs::metadata(path) {
            Ok(found) if !found.is_file() => {
                let error = io::Error::other("it is not a file: name a file with --keep");
                return Err(KIND.unwritable(path, error).into());
            }
            _ => {}
        }
        // Anyone who can read it can come in, so it is private; a file that is replaced keeps its mode.
        private()
            .open(path)
            .map_err(|error| KIND.unwritable(path, error))?;
        // All names of a file share one lock.
        let path = &std::fs::canonicalize(path).map_err(|error| KIND.unreadable(path, error))?;
        let mut lock = path.clone().into_os_string();
        lock.push(".lock");
        let lock = PathBuf::from(lock);
        let lock = open_if_free(&lock, &private())
            .map_err(|error| KIND.unwritable(&lock, error))?
            .ok_or_else(|| KeepError::Taken(path.to_owned()))?;
        let mut kept = match std::fs::read(path) {
            Ok(bytes) if !bytes.is_empty() => {
                read(&bytes, now).map_err(|trouble| KIND.error(path, trouble))?
            }
            Err(error) if error.kind() != io::ErrorKind::NotFound => {
                return Err(KIND.unreadable(path, error).into());
            }
            // The file is new or empty.
            _ => Kept {
                invitation: Token::new()?,
                owner: Token::new()?,
                rooms: Vec::new(),
            },
        };
        if renew {
            kept.invitation = Token::new()?;
        }
        let keep = Keep {
            path: path.to_owned(),
            _lock: lock,
        };
        keep.write(&kept.text(now))
            .map_err(|error| KIND.unwritable(path, error))?;
        Ok((keep, kept))
    }

    /// Writes the file whole.
    pub(crate) fn write(&self, text: &str) -> io::Result<()> {
        write_whole(&self.path, text.as_bytes())
    }
}

/// Opens or creates a file that only its owner may read.
fn private() -> OpenOptions {
    let mut options = OpenOptions::new();
    options.create(true).append(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options
}

impl Kept {
    fn text(&self, now: Duration) -> String {
        content(&[self.invitation, self.owner], self.rooms.iter(), now)
    }
}

/// The file's text.
pub(crate) fn content<'a>(
    [invitation, owner]: &[Token; 2],
    rooms: impl Iterator<Item = &'a Room>,
    now: Duration,
) -> String {
    let content = Content {
        mark: MARK.to_owned(),
        version: VERSION,
        invitation: invitation.text().to_owned(),
        owner: owner.text().to_owned(),
        rooms: rooms.map(|room| keep_room(room, now)).collect(),
    };
    serde_json::to_string(&content).unwrap_or_default()
}

fn keep_room(room: &Room, now: Duration) -> KeptRoom {
    let seat = |seat: &Seat| KeptSeat {
        token: seat.token.text().to_owned(),
        name: seat.name.clone(),
        won: seat.won,
    };
    KeptRoom {
        name: room.name.clone(),
        version: room.version,
        round: room.round,
        line: WireLine {
            game: room.played.game.spec().to_string(),
            start: None,
            moves: room.played.moves.iter().map(ToString::to_string).collect(),
        },
        seats: room.seats.each_ref().map(|one| one.as_ref().map(seat)),
        clock: room.clock.as_ref().map(|clock| KeptClock {
            setting: clock.setting(),
            left_ms: clock.left(now).map(|left| left.as_millis() as u64),
        }),
        end: room.end.map(|(kind, winner)| KeptEnd {
            kind,
            winner: winner.map(Player::index),
        }),
        idle_ms: now.saturating_sub(room.touched).as_millis() as u64,
    }
}

/// Reads a file's bytes. The clocks of unfinished games are stopped; the caller that opens the rooms starts them.
pub(crate) fn read(bytes: &[u8], now: Duration) -> Result<Kept, Trouble> {
    let nonsense = |what: &str| Trouble::from(Damage::nonsense(what));
    let content: Content = match serde_json::from_slice(bytes) {
        Ok(content) => content,
        Err(error) if error.is_eof() => return Err(Damage::TooShort.into()),
        Err(error) => return Err(nonsense(&error.to_string())),
    };
    if content.mark != MARK {
        return Err(Foreign::Kind.into());
    }
    if content.version != VERSION {
        let (found, known) = (content.version, VERSION);
        return Err(Foreign::Version { found, known }.into());
    }
    let token = |text: &str| Token::read(text).ok_or_else(|| nonsense("a secret is not valid"));
    let mut rooms = Vec::new();
    for kept in content.rooms {
        if kept.version > MOST_VERSION {
            return Err(nonsense("a version is not valid"));
        }
        let line = kept
            .line
            .checked()
            .map_err(|problem| nonsense(&problem.message))?;
        let played = line
            .play()
            .map_err(|problem| nonsense(&problem.to_string()))?;
        let mut seats = [None, None];
        for (seat, kept) in seats.iter_mut().zip(kept.seats) {
            if let Some(kept) = kept {
                let mut made = Seat::new(token(&kept.token)?, &kept.name);
                made.won = kept.won;
                *seat = Some(made);
            }
        }
        let winner = |winner: usize| {
            Player::BOTH
                .get(winner)
                .copied()
                .ok_or_else(|| nonsense("a winner is not valid"))
        };
        let end = match kept.end {
            Some(KeptEnd { kind, winner: who }) => Some((kind, who.map(winner).transpose()?)),
            None if played.game.is_over(&played.last()) => {
                return Err(nonsense("a finished game is marked as running"));
            }
            None => None,
        };
        rooms.push(Room {
            name: kept.name,
            version: first_version().max(kept.version + UNKEPT),
            round: kept.round,
            played,
            seats,
            clock: kept.clock.map(|clock| {
                GameClock::with(clock.setting, clock.left_ms.map(Duration::from_millis))
            }),
            offer: None,
            end,
            touched: now.saturating_sub(Duration::from_millis(kept.idle_ms)),
        });
    }
    Ok(Kept {
        invitation: token(&content.invitation)?,
        owner: token(&content.owner)?,
        rooms,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rooms::room::Deed;
    use kalahari_wire::room::OfferKind;

    /// A room of this version in which both seats are taken.
    fn kept(version: u64, round: u32, won: u32) -> (String, [Token; 2]) {
        let now = Duration::ZERO;
        let game = kalahari_wire::line::game("kalah:6x4").expect("a game");
        let mut room = Room::new("room".to_owned(), game, None, now);
        let tokens = [(); 2].map(|()| Token::new().expect("a token"));
        for token in tokens {
            let mut seat = Seat::new(token, "");
            seat.won = won;
            room.sit(None, seat, now).expect("a seat");
        }
        (room.version, room.round) = (version, round);
        (content(&tokens, [&room].into_iter(), now), tokens)
    }

    #[test]
    fn counts_that_cannot_grow_stay() {
        let now = Duration::ZERO;
        let (text, tokens) = kept(1, u32::MAX, u32::MAX);
        let mut room = read(text.as_bytes(), now).expect("a file").rooms.remove(0);
        let [first, second] = tokens.each_ref().map(Token::text);
        assert!(room.act(first, u32::MAX, Deed::Resign, now).is_ok());
        let rematch = Deed::Offer(OfferKind::Rematch);
        for seat in [first, second] {
            assert!(room.act(seat, u32::MAX, rematch, now).is_ok());
        }
        assert!(room.is_going_on());
        assert_eq!(room.round, u32::MAX);
    }

    #[test]
    fn a_version_rises_whatever_the_clock_says() {
        let ahead = first_version() + 1_000_000_000_000;
        let (text, _) = kept(ahead, 1, 0);
        let kept_rooms = read(text.as_bytes(), Duration::ZERO).expect("a file").rooms;
        assert!(kept_rooms[0].version > ahead);
        let (text, _) = kept(u64::MAX, 1, 0);
        assert!(read(text.as_bytes(), Duration::ZERO).is_err());
        // A file of an older program.
        let (text, _) = kept(5, 1, 0);
        let text = text.replace(r#""version":5,"#, "");
        assert!(read(text.as_bytes(), Duration::ZERO).is_ok());
    }
}
