//! The data that the pictures show, counted from a store.

use crate::ArenaError;
use crate::results::{Forfeits, without_repeats};
use crate::stats::{Encounter, fit_ratings, half_points};
use crate::store::{Store, StoredMatch};
use crate::who::Roster;
use kalahari_games::{Game, Player};
use kalahari_record::{Ending, GameRecord, words};
use serde::Serialize;
use std::cmp::Ordering;
use std::collections::{BTreeMap, VecDeque};

/// Everything a store holds about one game.
#[derive(Clone, Debug, PartialEq)]
pub struct GameData {
    /// The game.
    pub game: String,
    /// The players, the strongest first.
    pub players: Vec<PlayerData>,
    /// Whether the ratings needed half a win and half a loss more for every two players who met to be finite.
    pub padded: bool,
    /// Into how many groups the players fall that have not met; ratings of different groups cannot be compared.
    pub groups: usize,
    /// The results of the first of two players against the second, `[wins, draws, losses]`, by their indices in
    /// `players`; only pairs that met.
    pub meetings: BTreeMap<(usize, usize), [u64; 3]>,
    /// The openings, the best for the player who moves first in the game first.
    pub openings: Vec<OpeningData>,
    /// The number of moves of every game, its opening included.
    pub lengths: Vec<i64>,
    /// The margin of every game that has one, from the point of view of [`margin_of`](GameData::margin_of).
    pub margins: Vec<i64>,
    /// Whose margins those are: the stronger of two players, or the player who moves first if there are more.
    pub margin_of: String,
    /// The last games, in order, to be viewed move by move.
    pub shown: Vec<ShownGame>,
    /// How many games there are.
    pub games: u64,
    /// How many further games repeat one of these move for move and are not counted.
    pub repeats: u64,
    /// How many of the games were forfeited.
    pub forfeits: u64,
}

/// A player in a game.
#[derive(Clone, Debug, PartialEq)]
pub struct PlayerData {
    /// The agent, with its limits where they are needed to distinguish it from another one.
    pub name: String,
    /// Elo relative to the average of its group, usually all players.
    pub elo: f64,
    /// Half the width of the 95% interval.
    pub error: f64,
    /// Games won, drawn and lost.
    pub results: [u64; 3],
    /// The mean time for one of its moves, in milliseconds; `None` if no times were recorded.
    pub millis: Option<f64>,
    /// The agent's name and the number of this version, from 1; `None` if there is only one version.
    pub version: Option<(String, usize)>,
    /// The games it forfeited.
    pub forfeits: Forfeits,
    /// Which game it forfeited first, and why.
    pub first_forfeit: Option<String>,
}

/// A game that can be viewed move by move.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ShownGame {
    /// The match's id.
    pub match_id: String,
    /// The game's number in the match, from 1.
    pub number: u64,
    /// The player who moves first.
    pub first: String,
    /// The other player.
    pub second: String,
    /// The result: `1-0`, `0-1` or `1/2-1/2`.
    pub result: &'static str,
    /// Why the game ended.
    pub ending: &'static str,
    /// Details of the ending.
    pub detail: String,
    /// How many moves belong to the opening.
    pub opening: usize,
    /// The positions; there is one more than there are moves.
    pub positions: Vec<String>,
    /// The moves.
    pub moves: Vec<String>,
}

/// The most games of a [`GameData`] that can be viewed.
const SHOWN: usize = 200;

impl GameData {
    /// The games that one player won, drew and lost against another; `None` if they never met.
    pub fn meeting(&self, one: usize, two: usize) -> Option<[u64; 3]> {
        let [wins, draws, losses] = *self.meetings.get(&(one.min(two), one.max(two)))?;
        match one.cmp(&two) {
            Ordering::Less => Some([wins, draws, losses]),
            Ordering::Greater => Some([losses, draws, wins]),
            Ordering::Equal => None,
        }
    }

    /// The share of points that one player scored against another, 0 to 1; `None` if they never met.
    pub fn score(&self, one: usize, two: usize) -> Option<f64> {
        let [wins, draws, losses] = self.meeting(one, two)?;
        let games = wins + draws + losses;
        (games > 0).then(|| (wins as f64 + draws as f64 / 2.0) / games as f64)
    }
}

/// An opening in a game.
#[derive(Clone, Debug, PartialEq)]
pub struct OpeningData {
    /// Its moves, or its position.
    pub name: String,
    /// The score from it of the player who moves first in the game, 0 to 1.
    pub score: f64,
    /// The number of games.
    pub games: u64,
}

/// Running counts for a player.
#[derive(Default)]
struct Count {
    results: [u64; 3],
    micros: u64,
    moves: u64,
    forfeits: Forfeits,
    first_forfeit: Option<String>,
}

impl Count {
    /// Counts a game that the player forfeited.
    fn forfeit(&mut self, record: &GameRecord) {
        match record.ending {
            Ending::Time => self.forfeits.time += 1,
            Ending::Illegal => self.forfeits.illegal += 1,
            _ => self.forfeits.crash += 1,
        }
        self.first_forfeit.get_or_insert_with(|| {
            let number = u64::from(record.number) + 1;
            let ending = record.ending.name();
            format!(
                "game {number} of {}: {ending}: {}",
                record.match_id, record.detail
            )
        });
    }
}

/// Counts the games of a store. There is one entry for each board game that was played.
pub fn gather(store: &Store) -> Result<Vec<GameData>, ArenaError> {
    let matches = store.matches()?;
    let mut by_game: BTreeMap<String, Vec<&StoredMatch>> = BTreeMap::new();
    for entry in &matches {
        by_game
            .entry(entry.game.to_string())
            .or_default()
            .push(entry);
    }
    let mut all = Vec::new();
    for (game, matches) in by_game {
        let (mut records, mut repeats) = (Vec::new(), 0);
        for entry in &matches {
            let (games, repeated) = without_repeats(store.games(&entry.id)?);
            repeats += repeated;
            records.extend(games.into_iter().map(|record| (record, *entry)));
        }
        if !records.is_empty() {
            let counted = count(game, &matches, &records);
            all.push(GameData { repeats, ..counted });
        }
    }
    Ok(all)
}

fn count(
    game: String,
    matches: &[&StoredMatch],
    records: &[(GameRecord, &StoredMatch)],
) -> GameData {
    let roster = Roster::new(matches.iter().copied());
    let mut names: Vec<String> = Vec::new();
    let mut counts: Vec<Count> = Vec::new();
    let mut versions: Vec<Option<(String, usize)>> = Vec::new();
    let mut met: BTreeMap<(usize, usize), [u64; 3]> = BTreeMap::new();
    let mut openings: BTreeMap<String, (u32, u64)> = BTreeMap::new();
    let mut recent: VecDeque<(&GameRecord, [usize; 2])> = VecDeque::new();
    let (mut lengths, mut margins, mut games, mut forfeits) = (Vec::new(), Vec::new(), 0, 0);
    for (record, entry) in records {
        let Some(verdict) = record.verdict(Player::First) else {
            continue;
        };
        let seats = [0, 1].map(|seat: usize| {
            let side = seat ^ record.seat_of_a().index();
            let name = roster.label(entry, side);
            names
                .iter()
                .position(|known| *known == name)
                .unwrap_or_else(|| {
                    names.push(name);
                    counts.push(Count::default());
                    let version = roster.version_number(entry, side);
                    versions.push(version.map(|number| (entry.names[side].clone(), number)));
                    names.len() - 1
                })
        });
        if recent.len() == SHOWN {
            recent.pop_front();
        }
        recent.push_back((record, seats));
        let halves = half_points(verdict);
        let place = match halves {
            2 => 0,
            1 => 1,
            _ => 2,
        };
        counts[seats[0]].results[place] += 1;
        counts[seats[1]].results[2 - place] += 1;
        let (key, place) = match seats[0] <= seats[1] {
            true => ((seats[0], seats[1]), place),
            false => ((seats[1], seats[0]), 2 - place),
        };
        met.entry(key).or_default()[place] += 1;
        let opening = openings.entry(opening_name(record)).or_default();
        opening.0 += u32::from(halves);
        opening.1 += 1;
        lengths.push(record.moves.len() as i64);
        games += 1;
        if record.ending.is_forfeit() {
            forfeits += 1;
            let loser = if halves == 0 { 0 } else { 1 };
            counts[seats[loser]].forfeit(record);
        }
        if let Some(margin) = record.margin {
            margins.push((i64::from(margin), seats));
        }
        for (mover, micros) in thinking(record) {
            let player = &mut counts[seats[mover.index()]];
            player.micros += micros;
            player.moves += 1;
        }
    }
    let shown = recent.iter().filter_map(|(record, seats)| {
        let players = seats.map(|seat| names[seat].as_str());
        shown(record, players)
    });
    let shown: Vec<ShownGame> = shown.collect();
    let encounters: Vec<Encounter> = met
        .iter()
        .map(|(&(first, second), &[wins, draws, losses])| Encounter {
            first,
            second,
            wins,
            draws,
            losses,
        })
        .collect();
    let fit = fit_ratings(names.len(), &encounters);
    // The strongest first.
    let mut order: Vec<usize> = (0..names.len()).collect();
    order.sort_by(|a, b| fit.ratings[*b].elo.total_cmp(&fit.ratings[*a].elo));
    let place_of = |player: usize| order.iter().position(|p| *p == player).unwrap_or(player);
    let players: Vec<PlayerData> = order
        .iter()
        .map(|&player| PlayerData {
            name: names[player].clone(),
            elo: fit.ratings[player].elo,
            error: fit.ratings[player].error,
            results: counts[player].results,
            millis: (counts[player].moves > 0)
                .then(|| counts[player].micros as f64 / counts[player].moves as f64 / 1e3),
            version: versions[player].clone(),
            forfeits: counts[player].forfeits,
            first_forfeit: counts[player].first_forfeit.clone(),
        })
        .collect();
    let meetings = met
        .iter()
        .map(
            |(&(a, b), &[wins, draws, losses])| match place_of(a) <= place_of(b) {
                true => ((place_of(a), place_of(b)), [wins, draws, losses]),
                false => ((place_of(b), place_of(a)), [losses, draws, wins]),
            },
        )
        .collect();
    let two = players.len() == 2;
    let margins = margins
        .into_iter()
        .map(|(margin, seats)| match two && place_of(seats[0]) == 1 {
            true => -margin,
            false => margin,
        })
        .collect();
    let mut openings: Vec<OpeningData> = openings
        .into_iter()
        .map(|(name, (halves, games))| OpeningData {
            name,
            score: f64::from(halves) / 2.0 / games as f64,
            games,
        })
        .collect();
    openings.sort_by(|a, b| b.score.total_cmp(&a.score));
    GameData {
        game,
        padded: fit.padded,
        groups: fit.groups,
        meetings,
        openings,
        lengths,
        margins,
        margin_of: match two {
            true => players[0].name.clone(),
            false => "the player who moves first".to_owned(),
        },
        players,
        shown,
        games,
        repeats: 0,
        forfeits,
    }
}

/// A game as a page shows it; `None` for a record that breaks the rules.
fn shown(record: &GameRecord, [first, second]: [&str; 2]) -> Option<ShownGame> {
    let (game, positions) = record.replay().ok()?;
    Some(ShownGame {
        match_id: record.match_id.clone(),
        number: u64::from(record.number) + 1,
        first: first.to_owned(),
        second: second.to_owned(),
        result: record.result_text(),
        ending: record.ending.name(),
        detail: record.detail.clone(),
        opening: record.book,
        positions: positions
            .iter()
            .map(|at| game.view(at).to_string())
            .collect(),
        moves: record.moves.iter().map(|mv| mv.mv.to_string()).collect(),
    })
}

fn opening_name(record: &GameRecord) -> String {
    let moves = words(record.opening(), |mv| Some(mv.mv));
    match (&record.start, moves.is_empty()) {
        (None, true) => "the start".to_owned(),
        (None, false) => moves,
        (Some(start), true) => start.to_string(),
        (Some(start), false) => format!("{start}: {moves}"),
    }
}

/// The player and the time in microseconds of every move with a recorded time. Empty for a record that breaks the
/// rules.
fn thinking(record: &GameRecord) -> Vec<(Player, u64)> {
    let Ok((game, positions)) = record.replay() else {
        return Vec::new();
    };
    let moves = positions.iter().zip(&record.moves);
    moves
        .filter_map(|(position, mv)| Some((game.to_move(position), mv.micros?)))
        .collect()
}
