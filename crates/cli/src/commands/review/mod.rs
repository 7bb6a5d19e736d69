//! `kalahari review`: games judged move by move: what each agent gives away, and where.

mod page;
mod tables;
mod text;

use crate::arguments::{thread_count, threads};
use crate::play::PitsFrom;
use crate::progress::Ticker;
use crate::{interrupt, output};
use clap::Args;
use kalahari_arena::GameRecord;
use kalahari_games::GameKind;
use kalahari_shards::{GamesToReview, Judgements, Reviews, Task};
use kalahari_study::{
    GameToReview, JudgedMove, Loss, PlayerReview, ReviewIdentity, ReviewSpec, ReviewedGame,
    player_reviews, review_games,
};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Judge games move by move: what each agent gives away, when, against whom, and its worst moves
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  kalahari review --db games.db
  kalahari review --db games.db --agent mybot --html review.html --csv moves.csv
  kalahari review game.txt --nodes 200000
  kalahari review --db games.db --match 1f3a --json

The engine looks at every position with a fixed number of nodes, so the same games are judged alike every
time. The moves of a match's given opening are not judged, because no agent chose them. The row `opening` is the
phase in which more than two thirds of the seeds are in pits, or of the cells free; the `end` begins when at most
one third is. What is proven is marked; the rest is as good as the engine's estimate, and more nodes make it better.")]
pub(crate) struct Review {
    /// Files with records of games; - is standard input
    #[arg(value_name = "RECORD")]
    records: Vec<PathBuf>,

    /// A store: all its games are judged
    #[arg(long, value_name = "FILE", conflicts_with = "records")]
    db: Option<PathBuf>,

    /// Only this match of the store
    #[arg(long = "match", value_name = "ID", requires = "db")]
    id: Option<String>,

    /// Only show agents whose name contains this
    #[arg(long, value_name = "NAME")]
    agent: Option<String>,

    /// Nodes for every position [default: 50000, or those of --judged]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,

    /// Let the engine ask the endgame table and the book of this machine; the report names them
    #[arg(long)]
    tables: bool,

    /// Games that were judged in shards on other machines, as `kalahari merge --judged FILE` has joined them
    #[arg(long, value_name = "FILE")]
    judged: Option<PathBuf>,

    /// Threads; the result is the same with any number [default: one per core]
    #[arg(long, value_name = "N", value_parser = thread_count)]
    threads: Option<usize>,

    /// How many of an agent's worst moves are shown
    #[arg(long, value_name = "N", default_value_t = 10)]
    worst: usize,

    /// The number of the first pit in the text and on the page (CSV and JSON always count from 0)
    #[arg(long, value_enum, value_name = "0|1", default_value = "1")]
    pits_from: PitsFrom,

    /// Write every judged move of all agents to this file, as CSV
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,

    /// Write a page with the worst moves and their boards to this file
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,

    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// Everything that is shown.
pub(super) struct Judged {
    pub(super) spec: ReviewSpec,
    pub(super) identity: ReviewIdentity,
    pub(super) records: Vec<GameRecord>,
    pub(super) games: Vec<GameToReview>,
    pub(super) reviewed: Vec<ReviewedGame>,
    /// Those that are to be shown, the most accurate first.
    pub(super) players: Vec<PlayerReview>,
    /// How many of the worst moves of each are shown.
    pub(super) worst: usize,
    /// How pits are numbered.
    pub(super) pits_from: PitsFrom,
    /// Where the games come from.
    pub(super) source: GamesToReview,
}

impl Judged {
    /// What a game is called: its number, and its match where there is one.
    pub(super) fn game_name(&self, game: usize) -> String {
        let record = &self.records[game];
        let number = u64::from(record.number) + 1;
        match record.match_id.as_str() {
            "" => format!("game {number}"),
            id => format!("game {number} of match {}", id.get(..8).unwrap_or(id)),
        }
    }

    /// Whether all games count seeds; otherwise only shares of the result can be compared.
    pub(super) fn counts_seeds(&self) -> bool {
        let mut records = self.records.iter();
        records.all(|record| record.game.kind() == GameKind::Kalah)
    }

    /// How pits are numbered, if there are any.
    pub(super) fn about_pits(&self) -> &'static str {
        let kalah = |record: &GameRecord| record.game.kind() == GameKind::Kalah;
        match (self.records.iter().any(kalah), self.pits_from) {
            (true, PitsFrom::Zero) => " Pits are numbered from 0, as in agents and records.",
            (true, PitsFrom::One) => {
                " Pits are numbered from 1, as on the page; --pits-from 0 numbers them as agents and records do."
            }
            (false, _) => "",
        }
    }

    /// "6 seeds", or "40% of the result".
    pub(super) fn given_away(&self, judged: &JudgedMove) -> String {
        let noun = if self.counts_seeds() { "seed" } else { "cell" };
        let about = if judged.is_proven() { "" } else { "about " };
        match judged.loss {
            Loss::Margin(amount) => {
                let plural = if amount == 1.0 { "" } else { "s" };
                let amount = match amount.fract() == 0.0 {
                    true => format!("{amount:.0}"),
                    false => format!("{amount:.1}"),
                };
                format!("{about}{amount} {noun}{plural}")
            }
            Loss::Points(_) | Loss::Result(_) => {
                format!("{about}{:.0}% of the result", 50.0 * judged.swing())
            }
        }
    }
}

impl Review {
    pub(crate) fn run(self) -> anyhow::Result<()> {
        if self.db.is_none() && self.records.is_empty() {
            anyhow::bail!(
                "name the games: --db games.db for a store that `kalahari match --db games.db` has filled, or files with records"
            );
        }
        for file in [&self.csv, &self.html].into_iter().flatten() {
            output::check_place(file)?;
            for input in self.db.iter().chain(&self.records) {
                output::not_over(input, file)?;
            }
        }
        let stop = interrupt::stop();
        let (records, games): (Vec<GameRecord>, Vec<GameToReview>) =
            self.games().read()?.into_iter().unzip();
        let (kept, spec) = self.kept()?;
        let identity = spec.identity(&games)?;
        if self.tables && identity.files.files().next().is_none() {
            eprintln!(
                "kalahari: there is no endgame table and no book of these games on this machine; `kalahari tablebase build` makes one"
            );
        }
        let known = self.known(kept, spec, &games)?;
        let left: Vec<usize> = (0..games.len())
            .filter(|game| !known.contains_key(game))
            .collect();
        let to_judge: Vec<GameToReview> = left.iter().map(|&game| games[game].clone()).collect();
        let mut ticker = Ticker::new();
        let all = to_judge.len();
        let reviewed = review_games(&spec, &to_judge, threads(self.threads), stop, &mut |done| {
            ticker.show(|| format!("{done} of {all} games judged"));
        });
        ticker.clear();
        let known = known
            .into_iter()
            .map(|(game, moves)| ReviewedGame { game, moves });
        let reviewed = reviewed?.into_iter().map(|judged| ReviewedGame {
            game: left[judged.game],
            ..judged
        });
        let mut reviewed: Vec<ReviewedGame> = known.chain(reviewed).collect();
        reviewed.sort_by_key(|judged| judged.game);
        let named = reviewed
            .iter()
            .map(|game| (game.game, &games[game.game].players, &game.moves[..]));
        let mut players = player_reviews(named);
        if let Some(name) = &self.agent {
            players.retain(|player| player.name.contains(name.as_str()));
            anyhow::ensure!(
                !players.is_empty() || stop.is_requested(),
                "no agent in these games has '{name}' in its name"
            );
        }
        let judged = Judged {
            spec,
            identity,
            records,
            games,
            reviewed,
            players,
            worst: self.worst,
            pits_from: self.pits_from,
            source: self.games(),
        };
        if let Some(file) = &self.csv {
            output::write_whole(file, tables::csv(&judged).as_bytes())?;
        }
        if let Some(file) = &self.html {
            output::write_whole(file, page::page(&judged).as_bytes())?;
        }
        output::show(self.json, &text::text(&judged), &tables::json(&judged))
    }

    /// The chosen games.
    fn games(&self) -> GamesToReview {
        GamesToReview {
            db: self.db.clone(),
            id: self.id.clone(),
            records: self.records.clone(),
        }
    }

    fn spec(&self) -> ReviewSpec {
        ReviewSpec {
            nodes: self.nodes.unwrap_or(ReviewSpec::default().nodes),
            tables: self.tables,
        }
    }

    /// What others have judged, if a file is named, and how games are judged: as in that file, unless the user says otherwise.
    fn kept(&self) -> anyhow::Result<(Option<Judgements>, ReviewSpec)> {
        let kept = self.judged.as_deref().map(Judgements::read).transpose()?;
        let Some(kept) = kept else {
            return Ok((None, self.spec()));
        };
        let there = kept.reviews.spec();
        let here = ReviewSpec {
            nodes: self.nodes.unwrap_or(there.nodes),
            tables: self.tables || there.tables,
        };
        anyhow::ensure!(
            here == there,
            "{} was judged with {} nodes a position{}, not with {}; leave --nodes and --tables out to show it",
            self.judged.as_deref().unwrap_or(Path::new("")).display(),
            there.nodes,
            if there.tables {
                ""
            } else {
                " and without --tables"
            },
            here.nodes
        );
        Ok((Some(kept), here))
    }

    /// The games as work for many machines.
    pub(crate) fn task(&self) -> anyhow::Result<Task> {
        Ok(Task::Reviews(Reviews::planned(self.games(), self.spec())?))
    }

    /// Games that others have judged in the same way, by their number.
    fn known(
        &self,
        kept: Option<Judgements>,
        spec: ReviewSpec,
        games: &[GameToReview],
    ) -> anyhow::Result<BTreeMap<usize, Vec<JudgedMove>>> {
        let mut known = BTreeMap::new();
        let (Some(file), Some(found)) = (&self.judged, kept) else {
            return Ok(known);
        };
        // Seen from another folder the same games have another path.
        let reviews = Reviews {
            games: found.reviews.games,
            ..Reviews::planned(self.games(), spec)?
        };
        let found = Judgements::open(file, &reviews)?;
        for (number, kept) in found.games {
            let number = usize::try_from(number).unwrap_or(usize::MAX);
            if let Some(game) = games.get(number) {
                match kept.moves(game) {
                    Ok(moves) => drop(known.insert(number, moves)),
                    Err(error) => eprintln!(
                        "kalahari: {}, game {}: {error}; it is judged again here",
                        file.display(),
                        number + 1
                    ),
                }
            }
        }
        Ok(known)
    }
}

/// Moves separated by blanks.
pub(super) fn line(moves: &[kalahari_games::AnyMove], pits_from: PitsFrom) -> String {
    let words: Vec<String> = moves.iter().map(|&mv| pits_from.name(mv)).collect();
    words.join(" ")
}
