//! The games of a store, or of records, judged move by move. Each part is one game.

use crate::error::{GAMES_FILE, ShardError};
use crate::found::Finding;
use crate::judged::KeptGame;
use kalahari_arena::{ArenaError, GameRecord, Hands, Identity, Roster, Store};
use kalahari_games::GameSpec;
use kalahari_storage::Foreign;
use kalahari_study::{GameToReview, Played, ReviewSpec, review_games};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::ops::Range;
use std::path::PathBuf;

/// Where the games to be judged are.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GamesToReview {
    /// A store.
    pub db: Option<PathBuf>,
    /// If given, only the match of the store whose id begins with this.
    #[serde(rename = "match")]
    pub id: Option<String>,
    /// Files with records.
    pub records: Vec<PathBuf>,
}

impl GamesToReview {
    /// All games, in their order.
    pub fn read(&self) -> Result<Vec<(GameRecord, GameToReview)>, ShardError> {
        let mut games = Vec::new();
        if let Some(file) = &self.db {
            let store = Store::open_existing(file)?;
            let mut matches = store.matches()?;
            // The roster is made from all matches: different versions of an edited bot count as different players, whichever match is chosen.
            let roster = Roster::new(&matches);
            if let Some(id) = &self.id {
                matches.retain(|found| found.id.starts_with(id.as_str()));
                if matches.len() != 1 {
                    return Err(ShardError::NotOneMatch {
                        id: id.clone(),
                        file: file.display().to_string(),
                        found: matches.len(),
                    });
                }
            }
            for found in matches {
                let names = [0, 1].map(|side| roster.label(&found, side));
                for record in store.games(&found.id)? {
                    let first = record.seat_of_a().index();
                    let players = [first, 1 - first].map(|side| names[side].clone());
                    games.push(to_review(record, players)?);
                }
            }
            if games.is_empty() {
                let file = file.display().to_string();
                return Err(ShardError::NoGames { file });
            }
        }
        for file in &self.records {
            let text = match file.as_os_str() == "-" {
                true => std::io::read_to_string(std::io::stdin()),
                false => std::fs::read_to_string(file),
            };
            let text = text.map_err(|error| GAMES_FILE.unreadable(file, error))?;
            let read = GameRecord::read_all(&text).map_err(|error| ShardError::Record {
                file: file.display().to_string(),
                error: Box::new(error),
            })?;
            for record in read {
                let players = record.players.each_ref().map(ToString::to_string);
                games.push(to_review(record, players)?);
            }
        }
        Ok(games)
    }
}

fn to_review(
    record: GameRecord,
    players: [String; 2],
) -> Result<(GameRecord, GameToReview), ArenaError> {
    let (game, positions) = record.replay()?;
    let to_review = GameToReview {
        played: Played {
            game,
            positions,
            moves: record.moves.iter().map(|mv| mv.mv).collect(),
        },
        opening: record.book,
        players,
    };
    Ok((record, to_review))
}

/// Judgements of the games of a store, or of records.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Reviews {
    /// Where the games are. Paths are relative to the folder of the experiment.
    pub games: GamesToReview,
    /// How many there are.
    pub count: u64,
    /// The checksum of their moves.
    pub checksum: String,
    /// The nodes for every position.
    pub nodes: u64,
    /// Whether tables and books of the machine are used.
    pub tables: bool,
    /// What judgements depend on besides the games: the program and its files.
    pub identity: Identity,
}

impl Reviews {
    /// A review of these games, with the program and the files of this machine.
    pub fn planned(games: GamesToReview, spec: ReviewSpec) -> Result<Self, ShardError> {
        let read = games.read()?;
        Ok(Reviews {
            count: read.len() as u64,
            checksum: checksum(&read),
            nodes: spec.nodes,
            tables: spec.tables,
            identity: identity(spec, &read)?,
            games,
        })
    }

    /// How games are judged.
    pub fn spec(&self) -> ReviewSpec {
        ReviewSpec {
            nodes: self.nodes,
            tables: self.tables,
        }
    }

    /// Reads the games, and refuses games other than those that the plan was made for.
    pub fn read(&self) -> Result<Vec<(GameRecord, GameToReview)>, ShardError> {
        let read = self.games.read()?;
        match read.len() as u64 == self.count && checksum(&read) == self.checksum {
            true => Ok(read),
            false => {
                let file = self.games.db.clone();
                let file = file.or(self.games.records.first().cloned());
                let (found, wanted) = (
                    format!("{} games, some of them different", read.len()),
                    format!("the {} games that the plan was made for", self.count),
                );
                let error = Foreign::Subject { found, wanted };
                Err(GAMES_FILE.error(&file.unwrap_or_default(), error).into())
            }
        }
    }

    pub(crate) fn identity_here(&self) -> Result<Identity, ShardError> {
        identity(self.spec(), &self.read()?)
    }

    /// Judges some games and passes the findings to `each`.
    pub(crate) fn find(
        &self,
        parts: &Range<u64>,
        hands: &Hands<'_>,
        each: &mut dyn FnMut(u64, Finding),
    ) -> Result<(), ShardError> {
        let games = self.read()?.into_iter().map(|(_, game)| game);
        let games = games.skip(parts.start as usize);
        let games: Vec<GameToReview> = games.take((parts.end - parts.start) as usize).collect();
        let reviewed = review_games(&self.spec(), &games, hands.threads, hands.stop, &mut |_| ())?;
        for game in reviewed {
            let kept = KeptGame::new(&game.moves);
            each(parts.start + game.game as u64, Finding::Game(kept));
        }
        Ok(())
    }
}

fn identity(
    spec: ReviewSpec,
    games: &[(GameRecord, GameToReview)],
) -> Result<Identity, ShardError> {
    let mut specs: Vec<GameSpec> = games.iter().map(|(record, _)| record.game).collect();
    specs.sort_by_key(ToString::to_string);
    specs.dedup();
    let engine = [spec.engine()];
    let mut all: Option<Identity> = None;
    for game in specs {
        let one = Identity::of(&engine, game)?;
        match &mut all {
            Some(all) => all.files.extend(one.files),
            None => all = Some(one),
        }
    }
    all.ok_or(ShardError::NoGames {
        file: "the list of records".to_owned(),
    })
}

fn checksum(games: &[(GameRecord, GameToReview)]) -> String {
    let mut sum = Sha256::new();
    for (record, game) in games {
        sum.update(format!("{} {}", record.game, record.book));
        if let Some(start) = game.played.positions.first() {
            sum.update(format!("{start:?}"));
        }
        for mv in &game.played.moves {
            sum.update(format!(" {mv}"));
        }
        sum.update(format!(" {:?}\n", game.players));
    }
    let sum = sum.finalize();
    sum.iter()
        .take(8)
        .map(|byte| format!("{byte:02x}"))
        .collect()
}
