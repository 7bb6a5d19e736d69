//! Books of bounds: what long proofs have shown about single positions whose exact value is not known yet.
//!
//! ```text
//! kalahari bounds 1
//! game kalah:6x6:standard
//! 0 7 7 7 7 7 7 6 6 6 6 6 * -69 -1     the mover's pits, the opponent's, a star, least and greatest future margin of the mover
//! end 8c3f1a2b                         the CRC-32 of all lines before
//! ```
//!
//! Stores and the player's name are left out, as in every book. Lines are sorted by their text, so the same bounds always
//! make the same file.

use super::walk::{Walk, WalkError, code};
use kalahari_games::kalah::{Board, Kalah, KalahSetup, KalahSpec, Packed, Pit};
use kalahari_games::{Game, Player};
use kalahari_storage::{Damage, FileBytes, FileError, FileKind, Foreign, write_whole};
use kalahari_terms::Bounds;
use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};
use thiserror::Error;

const FIRST_LINE: &str = "kalahari bounds 1";

/// How errors describe these files.
static KIND: FileKind = FileKind {
    name: "book of bounds",
    if_missing: "make it with `kalahari book bounds JOURNAL`",
    if_bad: "name another file, or delete this one",
};

/// The file of a game's bounds under a home directory.
pub fn bounds_path(home: &Path, game: KalahSpec) -> PathBuf {
    super::book_path(home, game).with_extension("bounds")
}

/// Why bounds do not belong in a book.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum NoSuchBound {
    /// The pits are not those of a position of the game.
    #[error("these are not the pits of a position of the game")]
    Position,
    /// The number of seeds rules one of them out, or no margin lies between them and within the bounds known already.
    #[error("these are not possible bounds of a future margin")]
    Margins,
}

/// Two books say things about a position that cannot both be true.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("two books contradict each other about the position {pits}")]
pub struct Contradiction {
    /// The mover's pits, then the opponent's.
    pub pits: String,
}

/// Proven bounds of the future margins of single positions of a game.
#[derive(Clone, Debug)]
pub struct ProvenBounds {
    game: Kalah<Packed>,
    /// By code, for lookups.
    by_code: HashMap<u64, Bounds>,
    /// By text, for the file.
    by_pits: BTreeMap<String, Bounds>,
}

impl ProvenBounds {
    /// A book without any bounds.
    pub fn new(game: KalahSpec) -> Result<Self, WalkError> {
        let game = Walk::new(game)?.game().clone();
        Ok(ProvenBounds {
            game: game.with_any_total(),
            by_code: HashMap::new(),
            by_pits: BTreeMap::new(),
        })
    }

    /// The game; never with the end by majority.
    pub fn game(&self) -> KalahSpec {
        self.game.kalah_spec()
    }

    /// The number of positions that have bounds.
    pub fn positions(&self) -> usize {
        self.by_pits.len()
    }

    /// The number of positions whose exact value is known.
    pub fn values(&self) -> usize {
        let known = self.by_pits.values();
        known.filter(|bounds| bounds.exact().is_some()).count()
    }

    /// Adds proven bounds of a position's future margin. `pits` are the mover's in sowing order, then the opponent's.
    pub fn add(&mut self, pits: &[u16], bounds: Bounds) -> Result<(), NoSuchBound> {
        let (mover, opponent) = pits.split_at(pits.len() / 2);
        let setup = KalahSetup {
            houses: [mover, &[0], opponent, &[0]].concat(),
            player: Player::First,
        };
        let position = self.game.position(&setup);
        let position = position.map_err(|_| NoSuchBound::Position)?;
        let seeds = position.seeds_in_play();
        if self.game.is_over(&position) || seeds > self.game().total() {
            return Err(NoSuchBound::Position);
        }
        let seeds = seeds as i32;
        let is_margin = |m: i32| (-seeds..=seeds).contains(&m) && (m + seeds) % 2 == 0;
        let code = code(&self.game, &position);
        let known = self.by_code.get(&code).copied();
        let both = known.map_or(bounds, |known| known.and(bounds));
        if !is_margin(bounds.lower) || !is_margin(bounds.upper) || both.lower > both.upper {
            return Err(NoSuchBound::Margins);
        }
        let text: Vec<String> = pits.iter().map(u16::to_string).collect();
        self.by_code.insert(code, both);
        self.by_pits.insert(text.join(" "), both);
        Ok(())
    }

    /// Adds everything that another book of the same game knows. Where the two contradict each other, this one stays as it
    /// is, and the first such position is returned as the error.
    pub fn add_all(&mut self, other: &ProvenBounds) -> Result<(), Contradiction> {
        let mut result = Ok(());
        for (pits, bounds) in &other.by_pits {
            let numbers: Vec<u16> = pits.split(' ').flat_map(str::parse).collect();
            if self.add(&numbers, *bounds).is_err() && result.is_ok() {
                result = Err(Contradiction { pits: pits.clone() });
            }
        }
        result
    }

    /// Known bounds of the final margin of a position as its mover sees it, from the position itself or from its moves; `None`
    /// if the book has neither. Stores do not matter, nor does the number of seeds that the game began with.
    pub fn of<B: Board>(&self, game: &Kalah<B>, position: &B) -> Option<Bounds> {
        let own = self.itself(game, position);
        let afters = || {
            game.moves(position)
                .map(|pit| game.play_unchecked(position, pit))
        };
        if own.is_none() && !afters().any(|after| self.itself(game, &after).is_some()) {
            return None;
        }
        let moves = game.moves(position);
        let moves = moves.map(|pit| self.of_move(game, position, pit));
        let best = moves.reduce(|best, bounds| Bounds {
            lower: best.lower.max(bounds.lower),
            upper: best.upper.max(bounds.upper),
        });
        let both = own.into_iter().chain(best).reduce(Bounds::and)?;
        (both.lower <= both.upper).then_some(both)
    }

    /// Known bounds of the final margin of a move, as the mover sees it; if nothing else, those given by the number of seeds.
    pub fn of_move<B: Board>(&self, game: &Kalah<B>, position: &B, pit: Pit) -> Bounds {
        let after = game.play_unchecked(position, pit);
        let lead = game.store_margin(&after);
        let bounds = if after.is_finished() {
            Bounds::of(lead)
        } else {
            let seeds = after.seeds_in_play() as i32;
            let by_number = Bounds {
                lower: lead - seeds,
                upper: lead + seeds,
            };
            self.itself(game, &after).unwrap_or(by_number)
        };
        match after.player() == position.player() {
            true => bounds,
            false => bounds.turned(),
        }
    }

    /// What the book says about the position itself.
    fn itself<B: Board>(&self, game: &Kalah<B>, position: &B) -> Option<Bounds> {
        let (spec, own) = (game.kalah_spec(), self.game());
        let of_family = spec.pits() == own.pits() && spec.rule() == own.rule();
        if !of_family || position.seeds_in_play() > own.total() {
            return None;
        }
        let future = self.by_code.get(&code(game, position))?;
        Some(future.plus(game.store_margin(position)))
    }

    /// The content of the book's file.
    pub fn to_text(&self) -> String {
        let mut text = format!("{FIRST_LINE}\ngame {}\n", self.game());
        for (pits, Bounds { lower, upper }) in &self.by_pits {
            text += &format!("{pits} * {lower} {upper}\n");
        }
        let sum = crc32fast::hash(text.as_bytes());
        text + &format!("end {sum:08x}\n")
    }

    /// Reads a book from a file.
    pub fn open(path: &Path, wanted: Option<KalahSpec>) -> Result<Self, FileError> {
        // This refuses a pipe, which might never end.
        let text = FileBytes::open(path).map_err(|error| KIND.unreadable(path, error))?;
        Self::read(path, &text, wanted)
    }

    /// Reads a book from the content of a file. The path is used only in errors.
    pub fn read(path: &Path, bytes: &[u8], wanted: Option<KalahSpec>) -> Result<Self, FileError> {
        let nonsense = |what: &str| KIND.error(path, Damage::nonsense(what));
        let text = std::str::from_utf8(bytes).map_err(|_| KIND.error(path, Foreign::Kind))?;
        let Some(rest) = text.strip_prefix(FIRST_LINE) else {
            return Err(KIND.error(path, Foreign::Kind));
        };
        let whole = rest
            .strip_suffix('\n')
            .and_then(|rest| rest.rsplit_once('\n'));
        let (before, end) = whole.ok_or_else(|| nonsense("its end is missing"))?;
        let summed = &bytes[..FIRST_LINE.len() + before.len() + 1];
        if end != format!("end {:08x}", crc32fast::hash(summed)) {
            return Err(KIND.error(path, Damage::checksum("the bounds")));
        }
        let mut lines = before.split('\n').skip(1);
        let game = lines.next().and_then(|line| line.strip_prefix("game "));
        let game: Option<KalahSpec> = game.and_then(|game| game.parse().ok());
        let game = game.ok_or_else(|| nonsense("it names no game"))?;
        if let Some(wanted) = wanted.map(|wanted| wanted.with_majority(false))
            && wanted != game
        {
            let subject = Foreign::Subject {
                found: game.to_string(),
                wanted: wanted.to_string(),
            };
            return Err(KIND.error(path, subject));
        }
        let mut book = Self::new(game).map_err(|error| nonsense(&error.to_string()))?;
        for line in lines {
            let added = line_of(line).map(|(pits, bounds)| book.add(&pits, bounds));
            if !matches!(added, Some(Ok(()))) {
                return Err(nonsense(&format!("the line '{line}' makes no sense")));
            }
        }
        Ok(book)
    }

    /// Writes the book to a file, whole or not at all.
    pub fn save(&self, path: &Path) -> Result<(), FileError> {
        write_whole(path, self.to_text().as_bytes()).map_err(|error| KIND.unwritable(path, error))
    }
}

/// The pits and bounds of a line.
fn line_of(line: &str) -> Option<(Vec<u16>, Bounds)> {
    let (pits, bounds) = line.split_once(" * ")?;
    let pits: Result<Vec<u16>, _> = pits.split(' ').map(str::parse).collect();
    let (lower, upper) = bounds.split_once(' ')?;
    let bounds = Bounds {
        lower: lower.parse().ok()?,
        upper: upper.parse().ok()?,
    };
    Some((pits.ok()?, bounds))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::prover::{Prover, ProverOptions, Wanted};
    use kalahari_games::{AnyGame, View};
    use kalahari_terms::Stop;

    fn spec() -> KalahSpec {
        "kalah:3x2".parse().expect("a game")
    }

    fn bounds(lower: i32, upper: i32) -> Bounds {
        Bounds { lower, upper }
    }

    #[test]
    fn a_book_is_read_as_it_was_written() {
        let mut book = ProvenBounds::new(spec()).expect("small");
        book.add(&[2, 2, 2, 2, 2, 2], bounds(-2, 12))
            .expect("a bound");
        book.add(&[2, 2, 2, 2, 2, 2], bounds(-12, 4))
            .expect("another");
        book.add(&[0, 3, 3, 2, 2, 2], bounds(0, 12))
            .expect("a bound");
        let text = book.to_text();
        assert!(text.contains("\n2 2 2 2 2 2 * -2 4\n"), "{text}");
        let read = ProvenBounds::read(Path::new("x"), text.as_bytes(), Some(spec()));
        let read = read.expect("whole");
        assert_eq!(
            (read.to_text(), read.positions(), read.values()),
            (text, 2, 0)
        );
    }

    #[test]
    fn what_cannot_be_is_refused() {
        let mut book = ProvenBounds::new(spec()).expect("small");
        let start = [2, 2, 2, 2, 2, 2];
        for (pits, lower, upper) in [
            (&start[..], 4, 2),
            (&start, -13, 0),
            (&start, 1, 3),
            (&start, -14, 0),
            (&start, i32::MIN, i32::MAX - 1),
            (&[3, 2, 2, 2, 2, 2], 0, 1),
            (&[2, 2, 2, 2], 0, 0),
            (&[2, 2, 2, 2, 2], 0, 0),
            (&[], 0, 0),
            (&[0, 0, 0, 2, 2, 2], 0, 0),
            (&[u16::MAX; 6], 0, 0),
        ] {
            assert!(book.add(pits, bounds(lower, upper)).is_err(), "{pits:?}");
        }
        book.add(&start, bounds(2, 12)).expect("a bound");
        let contradiction = book.add(&start, bounds(-12, 0));
        assert_eq!(contradiction, Err(NoSuchBound::Margins));
    }

    #[test]
    fn any_change_of_a_file_is_noticed() {
        let mut book = ProvenBounds::new(spec()).expect("small");
        book.add(&[2, 2, 2, 2, 2, 2], bounds(-2, 12))
            .expect("a bound");
        let text = book.to_text().into_bytes();
        for place in 0..text.len() {
            let mut changed = text.clone();
            changed[place] ^= 1;
            let read = ProvenBounds::read(Path::new("x"), &changed, None);
            assert!(read.is_err(), "byte {place}");
            let cut = ProvenBounds::read(Path::new("x"), &text[..place], None);
            assert!(cut.is_err(), "cut at {place}");
        }
    }

    /// The true values of all positions after one move give the value of the start; those of some give a bound.
    #[test]
    fn bounds_follow_by_way_of_moves() {
        let any = AnyGame::new(spec().into());
        let game = Kalah::<Packed>::new(spec()).expect("a game");
        let mut prover = Prover::new(&any, ProverOptions::without_files());
        let proof = prover.prove(&any.start(), &Wanted::ALL, &Stop::new());
        let proof = proof.expect("proven");
        let (mut book, start) = (ProvenBounds::new(spec()).expect("small"), game.start());
        assert_eq!(book.of(&game, &start), None);
        let moves = proof.exact_moves().expect("all known");
        for (mv, value) in &moves {
            let after = any.play_unchecked(&any.start(), *mv);
            let View::Kalah(setup) = any.view(&after) else {
                unreachable!("a game of Kalah");
            };
            let (first, second) = setup.houses.split_at(4);
            let again = setup.player == Player::First;
            let (own, other) = if again {
                (first, second)
            } else {
                (second, first)
            };
            let lead = i32::from(own[3]) - i32::from(other[3]);
            let future = if again { *value } else { -*value } - lead;
            let pits = [&own[..3], &other[..3]].concat();
            book.add(&pits, Bounds::of(future)).expect("a value");
        }
        let value = proof.bounds.exact().expect("known");
        assert_eq!(book.of(&game, &start), Some(Bounds::of(value)));
        for pit in game.moves(&start) {
            let (_, value) = moves[pit.index()];
            assert_eq!(book.of_move(&game, &start, pit), Bounds::of(value));
        }
    }
}
