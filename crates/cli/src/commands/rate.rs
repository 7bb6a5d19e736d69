//! `kalahari rate`: how strong an agent is, on a scale that people know.

use crate::arena_flags::cache_folder;
use crate::arguments::{LimitFlags, thread_count, threads};
use crate::origin::origin;
use crate::progress::Ticker;
use crate::{interrupt, output};
use anyhow::Context;
use clap::Args;
use kalahari_agents::{AgentSpec, NamedAgent};
use kalahari_arena::rate::{
    Ladder, LadderProgress, LadderSpec, Likeness, MadeLadder, RateProgress, RateSpec, Rated,
    RatingEnded, make_ladder, rate,
};
use kalahari_arena::{Hands, MatchSpec, Progress, Rules, Store, TournamentRun, plan_match};
use kalahari_games::GameSpec;
use kalahari_shards::{Games, Task};
use kalahari_storage::data_home;
use kalahari_terms::parse_duration;
use serde_json::{Value, json};
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The file in the data directory that keeps the games, unless the user names another one.
pub(crate) const RATINGS: &str = "ratings.db";

/// Say how strong an agent is: it plays a ladder of known players until the error is small
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  kalahari rate mybot.py
  kalahari rate mybot.py --game isolation --time 200ms --error 60
  kalahari rate engine:nodes=1000 --json
  kalahari rate --make-ladder my.json --game kalah:6x5
  kalahari rate mybot.py --game kalah:6x5 --ladder my.json

Level 0, which plays any legal move, has 0 points; 100 points more mean a score of about 64%. Games
are kept, so the same command continues where it was stopped. Ladders come with the program for kalah:6x6, kalah:6x4 and
isolation; their players have limits of nodes or depth, so they play alike on every machine.")]
pub(crate) struct Rate {
    /// The agent (see `kalahari agents`)
    #[arg(value_name = "AGENT", required_unless_present = "make_ladder")]
    agent: Option<NamedAgent>,

    /// The game
    #[arg(long, value_name = "GAME", default_value = "kalah:6x6:standard")]
    game: GameSpec,

    #[command(flatten)]
    limits: LimitFlags,

    /// How late a move may come before it loses the game
    #[arg(long, value_name = "TIME", value_parser = parse_duration, default_value = "200ms")]
    grace: Duration,

    /// Stop when the error is this small, in points
    #[arg(long, value_name = "POINTS", default_value_t = 40, value_parser = clap::value_parser!(u16).range(5..=1000))]
    error: u16,

    /// Stop after this many games in any case; with --make-ladder, the games of two neighbours in a round [default: 600, or 20]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(2..=1_000_000))]
    games: Option<u32>,

    /// A ladder of your own instead of the one that ships
    #[arg(long, value_name = "FILE")]
    ladder: Option<PathBuf>,

    /// Make a ladder for the game and write it to this file; takes minutes to hours
    #[arg(long, value_name = "FILE", conflicts_with_all = ["agent", "ladder"])]
    make_ladder: Option<PathBuf>,

    /// How many games are played at once [default: one per core]
    #[arg(long, value_name = "N", value_parser = thread_count)]
    concurrency: Option<usize>,

    /// The SQLite file that keeps the games [default: ratings.db in the data directory]
    #[arg(long, value_name = "FILE")]
    db: Option<PathBuf>,

    /// Continue with the games in the file even if another version of the program or the agent has played them
    #[arg(long)]
    mix: bool,

    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

impl Rate {
    pub(crate) fn run(self) -> anyhow::Result<()> {
        match (&self.make_ladder, &self.agent) {
            (Some(file), _) => self.make(file),
            (None, Some(agent)) => self.rate(agent.clone()),
            (None, None) => anyhow::bail!("name an agent, such as mybot.py"),
        }
    }

    /// The meetings as work for many machines. All players of the ladder get the same number of pairs, or one more, up to the wanted
    /// number of games: which meetings would tell the most is not known before the games.
    pub(crate) fn tasks(&self, hands: &Hands<'_>) -> anyhow::Result<Vec<Task>> {
        let agent = self.agent.clone();
        let agent =
            agent.context("only the rating of an agent can be done in shards, not a new ladder")?;
        let ladder = self.ladder()?;
        anyhow::ensure!(
            ladder.game == self.game,
            "the ladder is of {}, not of {}",
            ladder.game,
            self.game
        );
        let games = self.games.unwrap_or(RateSpec::usual_games());
        let (pairs, rungs) = (u64::from(games / 2), ladder.rungs.len() as u64);
        let before = |rung: u64| (pairs * rung + rungs / 2) / rungs;
        let met = ladder.rungs.iter().zip(0_u64..);
        let met = met.map(|(rung, number)| (rung, before(number + 1) - before(number)));
        let tasks = met.filter(|(_, pairs)| *pairs > 0).map(|(rung, pairs)| {
            let each = u32::try_from(2 * pairs)?;
            let spec = MatchSpec {
                agents: [agent.clone(), rung.agent.clone().into()],
                game: self.game,
                openings: ladder.openings.clone(),
                rng_seed: ladder.rng_seed,
                rules: self.rules(),
            };
            Ok(Games::planned(plan_match(spec, each, hands)?)?.into())
        });
        tasks.collect()
    }

    fn rules(&self) -> Rules {
        Rules {
            limits: self.limits.limits(),
            grace: self.grace,
            ..Rules::default()
        }
    }

    fn rate(&self, agent: NamedAgent) -> anyhow::Result<()> {
        let ladder = self.ladder()?;
        let spec = RateSpec {
            agent,
            game: self.game,
            rules: self.rules(),
            error: f64::from(self.error),
            games: self.games.unwrap_or(RateSpec::usual_games()),
        };
        let mut store = self.store()?;
        let mut ticker = Ticker::new();
        let rated = rate(&spec, &ladder, self.how(store.as_mut()), &mut |at, game| {
            ticker.show(|| rate_line(at, game));
        });
        ticker.clear();
        let rated = rated?;
        let (text, value) = (
            verdict(&spec, &ladder, &rated),
            to_json(&spec, &ladder, &rated),
        );
        output::show(self.json, &text, &value)
    }

    /// The ladder of the game.
    fn ladder(&self) -> anyhow::Result<Ladder> {
        if let Some(file) = &self.ladder {
            let name = file.display();
            let text = std::fs::read_to_string(file);
            let text = text.with_context(|| format!("cannot read {name}"))?;
            return Ladder::read(&text).with_context(|| name.to_string());
        }
        Ladder::of_game(self.game).with_context(|| {
            let shipped = Ladder::shipped().into_iter();
            let games: Vec<String> = shipped.map(|ladder| ladder.game.to_string()).collect();
            format!(
                "there is no ladder for {0}, only for {1}; make one with `kalahari rate --make-ladder my.json --game {0}`, then add `--ladder my.json`",
                self.game,
                games.join(", ")
            )
        })
    }

    /// Where games are kept. The user did not ask for the usual place, so a problem there is not an error: the games are then not kept.
    fn store(&self) -> anyhow::Result<Option<Store>> {
        if let Some(file) = &self.db {
            return Ok(Some(Store::open_for_matches(file)?.signed(origin())));
        }
        let Some(home) = data_home() else {
            return Ok(None);
        };
        let opened = std::fs::create_dir_all(&home)
            .map_err(anyhow::Error::new)
            .and_then(|()| Ok(Store::open_for_matches(&home.join(RATINGS))?));
        match opened {
            Ok(store) => Ok(Some(store.signed(origin()))),
            Err(error) => {
                eprintln!(
                    "kalahari: games are not kept ({}); --db FILE keeps them elsewhere",
                    crate::failure::told(&error)
                );
                Ok(None)
            }
        }
    }

    fn how<'a>(&self, store: Option<&'a mut Store>) -> TournamentRun<'a> {
        TournamentRun {
            concurrency: threads(self.concurrency),
            store,
            mix: self.mix,
            cache: cache_folder(),
            stop: interrupt::stop(),
        }
    }

    fn make(&self, file: &Path) -> anyhow::Result<()> {
        output::check_place(file)?;
        let mut spec = LadderSpec::usual(self.game);
        spec.games = self.games.unwrap_or(spec.games);
        let mut store = self.store()?;
        let mut ticker = Ticker::new();
        let made = make_ladder(&spec, self.how(store.as_mut()), &mut |at, game| {
            ticker.show(|| ladder_line(&spec, at, game));
        });
        ticker.clear();
        let MadeLadder {
            ladder,
            whole,
            notes,
        } = made?;
        let ladder = match ladder {
            Some(ladder) if whole => ladder,
            _ => anyhow::bail!("not all games have been played; the same command continues"),
        };
        output::write_whole(file, ladder.text().as_bytes())?;
        output::show(self.json, &ladder_table(&ladder, &notes), &ladder)
    }
}

/// A line about the progress of a rating.
fn rate_line(at: &RateProgress<'_>, game: Option<&Progress<'_>>) -> String {
    let played = game.map_or(0, |progress| u64::from(progress.played));
    let so_far = match at.games {
        0 => String::new(),
        _ => format!(", {:.0} +/- {:.0} so far", at.rating.elo, at.rating.error),
    };
    format!(
        "{} games{so_far}; now against {}",
        at.games + played,
        at.opponent.agent
    )
}

fn ladder_line(spec: &LadderSpec, at: &LadderProgress<'_>, game: Option<&Progress<'_>>) -> String {
    let (meeting, of) = at.meeting;
    let games = game.map_or(String::new(), |news| {
        format!(", game {} of {}", news.finished, news.games)
    });
    format!(
        "round {} of {}, meeting {} of {of}: {} vs {}{games}",
        at.round + 1,
        spec.rounds,
        meeting + 1,
        at.agents[0],
        at.agents[1]
    )
}

fn ladder_table(ladder: &Ladder, notes: &[String]) -> String {
    let mut text = format!("{}\n\n  rating   +/-  games  player\n", ladder.game);
    for rung in &ladder.rungs {
        let _ = writeln!(
            text,
            "{:>8.0} {:>5.0} {:>6}  {}",
            rung.rating, rung.error, rung.games, rung.agent
        );
    }
    for note in notes {
        let _ = writeln!(text, "Note: {note}");
    }
    text
}

/// "level 4", or the spec of an agent that is not a level.
fn called(agent: &AgentSpec) -> String {
    agent
        .level()
        .map_or_else(|| agent.to_string(), |level| format!("level {level}"))
}

/// "plays like level 4".
fn likeness(like: &Likeness) -> String {
    match like {
        Likeness::Like(agent) => format!("plays like {}", called(agent)),
        Likeness::Above(agent) => format!(
            "plays better than every player of the ladder (the strongest is {})",
            called(agent)
        ),
        Likeness::Below(agent) => format!(
            "plays worse than every player of the ladder (the weakest is {})",
            called(agent)
        ),
    }
}

/// With a larger error no player is named, because the true rating may be several levels away.
const NO_LIKENESS: f64 = 250.0;

fn verdict(spec: &RateSpec, ladder: &Ladder, rated: &Rated) -> String {
    let (forfeits, reason) = rated.forfeits();
    let name = rated.agent.label();
    let mut text = match (rated.ended, rated.games()) {
        (_, 0) => format!("{name}: no game is finished\n"),
        (RatingEnded::Forfeits, games) => {
            format!(
                "{name} has forfeited all {games} games, so nothing can be said about its play\n"
            )
        }
        (_, games) if rated.rating.error > NO_LIKENESS => format!(
            "{name} has played too few games to say whom it plays like: {:.0} +/- {:.0} on our scale, in {} after {games} games\n",
            rated.rating.elo, rated.rating.error, spec.game
        ),
        (_, games) => format!(
            "{name} {}: {:.0} +/- {:.0} on our scale, in {} after {games} games\n",
            likeness(&rated.like),
            rated.rating.elo,
            rated.rating.error,
            spec.game
        ),
    };
    if !rated.met.is_empty() {
        text += "\n  rating  games   won drawn  lost  score  against\n";
    }
    // The strongest first, as in other tables.
    for met in rated.met.iter().rev() {
        let tally = met.counter.tally();
        let rung = &ladder.rungs[met.rung];
        let _ = writeln!(
            text,
            "{:>8.0} {:>6} {:>5} {:>5} {:>5} {:>5.0}%  {}",
            rung.rating,
            tally.games(),
            tally.wins,
            tally.draws,
            tally.losses,
            100.0 * tally.score(),
            rung.agent
        );
    }
    text.push('\n');
    if forfeits.total() > 0 {
        let _ = writeln!(
            text,
            "Forfeits of {name}: {} on time, {} by illegal moves, {} by crashes (first: {})",
            forfeits.time,
            forfeits.illegal,
            forfeits.crash,
            reason.unwrap_or("no reason known")
        );
    }
    let ended = match rated.ended {
        RatingEnded::Precise => None,
        RatingEnded::Games => Some(format!(
            "All games have been played, but the error is still above {:.0}; --games N plays more",
            spec.error
        )),
        RatingEnded::Forfeits => Some("Fix that, then rate it again".to_owned()),
        RatingEnded::Interrupted => Some("Interrupted; the same command continues".to_owned()),
    };
    text += &ended.map_or(String::new(), |ended| ended + "\n");
    if rated.resumed > 0 {
        let _ = writeln!(text, "{} games are from earlier runs", rated.resumed);
    }
    for note in &rated.notes {
        let _ = writeln!(text, "Note: {note}");
    }
    if rated.games() > 0 {
        let _ = writeln!(
            text,
            "The error is that of these games; the ladder's own players are known to +/- {:.0}.",
            rated.ladder_error(ladder)
        );
    }
    text += "Our scale: level 0, which plays any legal move, has 0 points; 100 points more mean a score of about 64%.\n";
    text
}

fn to_json(spec: &RateSpec, ladder: &Ladder, rated: &Rated) -> Value {
    let (forfeits, reason) = rated.forfeits();
    let met: Vec<Value> = rated
        .met
        .iter()
        .map(|met| {
            let rung = &ladder.rungs[met.rung];
            let tally = met.counter.tally();
            json!({
                "agent": rung.agent, "rating": rung.rating, "match": met.match_id, "games": tally.games(),
                "wins": tally.wins, "draws": tally.draws, "losses": tally.losses,
                "pentanomial": tally.pentanomial, "score": tally.score(),
            })
        })
        .collect();
    let (like, place) = match &rated.like {
        Likeness::Like(agent) => (agent, "like"),
        Likeness::Above(agent) => (agent, "above"),
        Likeness::Below(agent) => (agent, "below"),
    };
    json!({
        "name": rated.agent.label(),
        "agent": spec.agent.spec,
        "game": spec.game,
        "rating": (rated.rating.elo * 10.0).round() / 10.0,
        "error": (rated.rating.error * 10.0).round() / 10.0,
        "ladder_error": (rated.ladder_error(ladder) * 10.0).round() / 10.0,
        "place": place,
        "like": like,
        "level": like.level(),
        "games": rated.games(),
        "ended": rated.ended.name(),
        "resumed": rated.resumed,
        "met": met,
        "forfeits": forfeits,
        "first_forfeit": reason,
        "notes": rated.notes,
    })
}
