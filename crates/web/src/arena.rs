//! The operator's store of matches, read again when games have been added.

use crate::error::{ApiError, ApiResult};
use crate::wire::arena::{
    ArenaAnswer, ArenaGame, ArenaMatch, ArenaMeeting, ArenaPlayer, ArenaPlot, ArenaRecord,
    GamesAnswer, GamesQuery,
};
use kalahari_arena::pictures::{Drawing, GameData, draw, gather};
use kalahari_arena::stats::EloModel;
use kalahari_arena::{ArenaError, GameRecord, Store, StoredMatch, Summary};
use kalahari_games::View;
use kalahari_wire::line::WireLine;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// A store that may be looked at.
#[derive(Debug)]
pub(crate) struct Arena {
    file: PathBuf,
    last: Mutex<Option<Look>>,
}

/// What was seen when the store was last looked at.
#[derive(Debug)]
struct Look {
    at: Instant,
    seen: Arc<Seen>,
}

/// A store as it was.
#[derive(Debug)]
pub(crate) struct Seen {
    pub(crate) answer: ArenaAnswer,
    plots: Vec<Drawing>,
}

impl Seen {
    /// The picture of a name, as SVG.
    pub(crate) fn plot(&self, name: &str) -> Option<&str> {
        let plot = self.plots.iter().find(|plot| plot.name == name)?;
        Some(&plot.svg)
    }
}

/// A store is looked at no more often than this.
const FRESH: Duration = Duration::from_secs(2);
/// The most games of a match in one answer.
const MOST_GAMES: usize = 200;

impl Arena {
    pub(crate) fn new(file: PathBuf) -> Self {
        Arena {
            file,
            last: Mutex::default(),
        }
    }

    fn open(&self) -> ApiResult<Store> {
        Store::open_existing(&self.file).map_err(trouble)
    }

    /// The store as it is now, or was a moment ago. It reads files, so it must not be called by a thread that must not wait.
    pub(crate) fn look(&self) -> ApiResult<Arc<Seen>> {
        let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(look) = &*last
            && look.at.elapsed() < FRESH
        {
            return Ok(Arc::clone(&look.seen));
        }
        let store = self.open()?;
        let matches = store.matches().map_err(trouble)?;
        let stamp = stamp(&matches);
        let seen = match &*last {
            Some(look) if look.seen.answer.stamp == stamp => Arc::clone(&look.seen),
            _ => Arc::new(see(&store, &matches, stamp)?),
        };
        *last = Some(Look {
            at: Instant::now(),
            seen: Arc::clone(&seen),
        });
        Ok(seen)
    }

    /// Some games of a match.
    pub(crate) fn games(&self, id: &str, query: GamesQuery) -> ApiResult<GamesAnswer> {
        let store = self.open()?;
        let known = store.matches().map_err(trouble)?;
        if !known.iter().any(|entry| entry.id == id) {
            return Err(ApiError::not_found("there is no such match"));
        }
        let records = store.games(id).map_err(trouble)?;
        let wanted = records
            .iter()
            .skip(query.from)
            .take(query.count.min(MOST_GAMES));
        Ok(GamesAnswer {
            id: id.to_owned(),
            total: records.len(),
            games: wanted.map(record).collect(),
        })
    }
}

/// A store that cannot be read is reported to the operator; the client does not learn its path.
fn trouble(error: ArenaError) -> ApiError {
    eprintln!("kalahari: {error}");
    ApiError::internal("the store cannot be read; the server's terminal says why")
}

fn stamp(matches: &[StoredMatch]) -> String {
    let games: u64 = matches.iter().map(|entry| entry.games).sum();
    format!("{}-{games}", matches.len())
}

fn see(store: &Store, matches: &[StoredMatch], stamp: String) -> ApiResult<Seen> {
    let mut games = Vec::new();
    let mut plots = Vec::new();
    for data in gather(store).map_err(trouble)? {
        let drawn = draw(&data).map_err(trouble)?;
        games.push(game(&data, &drawn));
        plots.extend(drawn);
    }
    let answer = ArenaAnswer {
        games,
        matches: matches.iter().rev().map(one_match).collect(),
        stamp,
    };
    Ok(Seen { answer, plots })
}

fn game(data: &GameData, plots: &[Drawing]) -> ArenaGame {
    let player = |player: &kalahari_arena::pictures::PlayerData| {
        let [wins, draws, losses] = player.results;
        ArenaPlayer {
            name: player.name.clone(),
            elo: player.elo,
            error: Some(player.error).filter(|error| error.is_finite()),
            wins,
            draws,
            losses,
            millis: player.millis,
        }
    };
    let meetings = data.meetings.iter();
    let meetings = meetings.map(|(&(a, b), &[wins, draws, losses])| ArenaMeeting {
        a,
        b,
        wins,
        draws,
        losses,
    });
    let plots = plots.iter().map(|plot| ArenaPlot {
        name: plot.name.clone(),
        kind: plot.name.rsplit('-').next().unwrap_or_default().to_owned(),
        url: format!("/api/v1/arena/plots/{}.svg", plot.name),
    });
    ArenaGame {
        game: data.game.clone(),
        games: data.games,
        forfeits: data.forfeits,
        players: data.players.iter().map(player).collect(),
        meetings: meetings.collect(),
        plots: plots.collect(),
    }
}

fn one_match(entry: &StoredMatch) -> ArenaMatch {
    let [wins, draws, losses] = entry.results;
    let summary = Summary::new(&entry.tally(), EloModel::default(), None);
    let [a, b] = entry.names.clone();
    let agents = entry.agents.clone();
    ArenaMatch {
        id: entry.id.clone(),
        game: entry.game.to_string(),
        a,
        b,
        agents,
        openings: entry.openings.clone(),
        seed: entry.rng_seed.to_string(),
        limits: entry.limits.clone(),
        created: entry.created,
        games: entry.games,
        wins,
        draws,
        losses,
        elo: summary.elo.filter(|elo| elo.is_finite()),
        elo_error: summary.elo_error.filter(|error| error.is_finite()),
        los: summary.los,
    }
}

fn record(record: &GameRecord) -> ArenaRecord {
    let [first, second] = record.players.each_ref().map(ToString::to_string);
    ArenaRecord {
        number: record.number + 1,
        first,
        second,
        result: record.result_text(),
        margin: record.margin,
        ending: record.ending.name(),
        plies: record.moves.len(),
        opening: record.book,
        line: WireLine {
            game: record.game.to_string(),
            start: record.start.as_ref().map(View::to_string),
            moves: record.moves.iter().map(|mv| mv.mv.to_string()).collect(),
        },
    }
}
