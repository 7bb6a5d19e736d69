//! `kalahari records`: the games in a store.

use crate::csv::csv_line;
use crate::output;
use anyhow::Context;
use clap::{Args, Subcommand, ValueEnum};
use kalahari_arena::{ArenaError, GameRecord, RecordedMove, Store, StoredMatch};
use kalahari_games::{Game, View};
use kalahari_terms::Score;
use serde_json::{Value, json};
use std::path::PathBuf;

/// List, show and export the games that matches have kept
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  kalahari records list --db games.db
  kalahari records list --db games.db --match 1f3a
  kalahari records show --db games.db --match 1f3a --game 7 > game.txt
  kalahari show --record game.txt --ply 12
  kalahari records export --db games.db --format csv --out games.csv

A match is named by its id or the beginning of it. Games are numbered from 1.")]
pub(crate) struct Records {
    #[command(subcommand)]
    what: What,
}

#[derive(Debug, Subcommand)]
enum What {
    /// The matches of a store, or the games of a match
    List {
        #[command(flatten)]
        source: Source,
        /// Print one JSON object
        #[arg(long)]
        json: bool,
    },
    /// One game as a text record
    Show {
        #[command(flatten)]
        source: Source,
        /// The game's number in its match, from 1
        #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
        game: u32,
        /// Print one JSON object
        #[arg(long)]
        json: bool,
    },
    /// All games as text records, CSV or JSON lines
    Export {
        #[command(flatten)]
        source: Source,
        /// The form
        #[arg(long, value_enum, default_value = "text")]
        format: Format,
        /// The file to write instead of standard output
        #[arg(long, value_name = "FILE")]
        out: Option<PathBuf>,
    },
}

#[derive(Debug, Args)]
struct Source {
    /// The SQLite file
    #[arg(long, value_name = "FILE")]
    db: PathBuf,

    /// Only this match
    #[arg(long = "match", value_name = "ID")]
    id: Option<String>,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Format {
    Text,
    Csv,
    Json,
}

impl Source {
    /// The store and the chosen matches.
    fn open(&self) -> anyhow::Result<(Store, Vec<StoredMatch>)> {
        let store = Store::open_existing(&self.db)?;
        let mut matches = store.matches()?;
        if let Some(id) = &self.id {
            matches.retain(|found| found.id.starts_with(id.as_str()));
            anyhow::ensure!(
                !matches.is_empty(),
                "no match '{id}' in {}",
                self.db.display()
            );
            anyhow::ensure!(
                matches.len() == 1,
                "{} matches have an id that begins with '{id}'",
                matches.len()
            );
        }
        Ok((store, matches))
    }
}

impl Records {
    pub(crate) fn run(self) -> anyhow::Result<()> {
        match self.what {
            What::List { source, json } => list(&source, json),
            What::Show { source, game, json } => show(&source, game, json),
            What::Export {
                source,
                format,
                out,
            } => {
                if let Some(file) = &out {
                    output::not_over(&source.db, file)?;
                }
                let text = export(&source, format)?;
                match out {
                    None => output::print(&text),
                    Some(file) => output::write_or_print(&file, &text),
                }
            }
        }
    }
}

fn list(source: &Source, json: bool) -> anyhow::Result<()> {
    let (store, matches) = source.open()?;
    if source.id.is_some() {
        let games = store.games(&matches[0].id)?;
        if json {
            let games: Result<Vec<Value>, _> = games.iter().map(record_json).collect();
            return output::print_json_list(&games?);
        }
        let mut text = "game pair result   margin moves  ending    first vs second\n".to_owned();
        for game in &games {
            let margin = game
                .margin
                .map_or("-".to_owned(), |margin| margin.to_string());
            text += &format!(
                "{:>4} {:>4} {:<8} {margin:>6} {:>5}  {:<8}  {} vs {}\n",
                game.number + 1,
                game.pair() + 1,
                game.result_text(),
                game.moves.len(),
                game.ending.name(),
                game.players[0],
                game.players[1]
            );
        }
        return output::print(&text);
    }
    if json {
        return output::print_json_list(&matches);
    }
    let mut text = "match            games   won drawn  lost  agents, game, openings\n".to_owned();
    for found in &matches {
        let [won, drawn, lost] = found.results;
        text += &format!(
            "{} {:>5} {won:>5} {drawn:>5} {lost:>5}  {} vs {}, {}, {}, {}, seed {}\n",
            found.id,
            found.games,
            found.names[0],
            found.names[1],
            found.game,
            found.openings,
            found.limits,
            found.rng_seed
        );
    }
    output::print(&text)
}

fn show(source: &Source, number: u32, json: bool) -> anyhow::Result<()> {
    let (store, matches) = source.open()?;
    anyhow::ensure!(
        matches.len() == 1,
        "the store has {} matches: name one with --match",
        matches.len()
    );
    let games = store.games(&matches[0].id)?;
    let game = games
        .iter()
        .find(|game| game.number == number - 1)
        .with_context(|| format!("match {} has no game {number}", matches[0].id))?;
    match json {
        true => output::print_json(&record_json(game)?),
        false => output::print(&game.to_string()),
    }
}

fn export(source: &Source, format: Format) -> anyhow::Result<String> {
    let (store, matches) = source.open()?;
    store.check()?;
    let mut text = match format {
        Format::Csv => CSV_HEADER.to_owned(),
        _ => String::new(),
    };
    for found in matches {
        for game in store.games(&found.id)? {
            match format {
                Format::Text => text += &format!("{game}\n"),
                Format::Json => text += &(output::signed_json(&record_json(&game)?)? + "\n"),
                Format::Csv => text += &csv(&game)?,
            }
        }
    }
    Ok(text)
}

const CSV_HEADER: &str = "match,number,pair,game,first,second,result,margin,ending,detail,start,book,plies,seconds,seed,moves,first_agent,second_agent,positions\n";

/// A row of CSV, the fields of the header.
fn csv(game: &GameRecord) -> Result<String, ArenaError> {
    let fields = [
        game.match_id.clone(),
        (game.number + 1).to_string(),
        (game.pair() + 1).to_string(),
        game.game.to_string(),
        game.players[0].name.clone(),
        game.players[1].name.clone(),
        game.result_text().to_owned(),
        game.margin
            .map_or(String::new(), |margin| margin.to_string()),
        game.ending.name().to_owned(),
        game.detail.clone(),
        game.start.as_ref().map_or(String::new(), View::to_string),
        game.book.to_string(),
        game.moves.len().to_string(),
        game.seconds().to_string(),
        game.rng_seed.to_string(),
        game.moves_text(),
        game.players[0].agent.clone(),
        game.players[1].agent.clone(),
        positions(game)?.join("|"),
    ];
    Ok(csv_line(&fields))
}

/// The position before every move, and the last one.
fn positions(game: &GameRecord) -> Result<Vec<String>, ArenaError> {
    let (rules, positions) = game.replay()?;
    let positions = positions.iter();
    Ok(positions
        .map(|position| rules.position_text(position))
        .collect())
}

/// A game as JSON. Positions are those before every move, and the last one. Times are in microseconds, null in the opening; values are for the player who moved.
fn record_json(game: &GameRecord) -> Result<Value, ArenaError> {
    let each = |about: &dyn Fn(&RecordedMove) -> Value| -> Vec<Value> {
        game.moves.iter().map(about).collect()
    };
    Ok(json!({
        "match": game.match_id,
        "number": game.number + 1,
        "pair": game.pair() + 1,
        "game": game.game,
        "first": game.players[0].name,
        "second": game.players[1].name,
        "agents": [&game.players[0].agent, &game.players[1].agent],
        "result": game.result_text(),
        "margin": game.margin,
        "ending": game.ending.name(),
        "detail": game.detail,
        "start": game.start.as_ref().map(View::to_string),
        "book": game.book,
        "seed": game.rng_seed,
        "moves": each(&|mv| json!(mv.mv)),
        "micros": each(&|mv| json!(mv.micros)),
        "values": each(&|mv| json!(mv.score.map(Score::amount))),
        "units": each(&|mv| json!(mv.score.map(|score| score.worth().unit().name()))),
        "proven": each(&|mv| json!(mv.score.map(Score::is_proven))),
        "positions": positions(game)?,
    }))
}
