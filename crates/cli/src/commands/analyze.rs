//! `kalahari analyze`: what an agent thinks of a position and of every move.

use crate::arguments::{LimitFlags, Place, each_line, place, play_text};
use crate::csv::csv_line;
use crate::{interrupt, output, values};
use anyhow::Context;
use clap::Args;
use kalahari_agents::{AgentKind, AgentSpec, AnyReport, Player};
use kalahari_games::{AnyGame, AnyMove, AnyPosition, Game, GameSpec};
use kalahari_terms::{Score, Stop};
use serde_json::{Value, json};
use std::fmt::Display;
use std::path::PathBuf;

/// Analyse a position: a line per finished depth, then a value for every legal move
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  kalahari analyze kalah:6x4 --time 1s
  kalahari analyze kalah --moves \"0 5\" --depth 12 --json
  kalahari analyze isolation:queen --agent mcts:playouts=20000
  kalahari analyze kalah:6x4 --positions positions.txt --nodes 100000
  kalahari analyze kalah:6x6 --position \"0 5 1 6 0 2 20 1 4 0 3 7 2 21 0\" --until-proven

With --json the last line is one object: best, value, moves (a value for every pit, null where it may
not be played; for Isolation an object), scores (as moves, but value, unit and proven of each), pv, depth, nodes,
seconds, proven, unit (margin, result, seeds, cells, points or winshare). Values are for the player to move. Where a
proof is under way, bounds has the least and the most that is proven of the value, move_bounds the same of every move, and
seconds_left the shortest and the longest time left (right in eight cases of ten), null if it is not known.")]
pub(crate) struct Analyze {
    #[command(flatten)]
    place: Place,

    /// Moves to play first, separated by blanks or commas
    #[arg(
        long,
        value_name = "MOVES",
        default_value = "",
        hide_default_value = true,
        allow_hyphen_values = true
    )]
    moves: String,

    /// The agent that analyses (see `kalahari agents`)
    #[arg(long, value_name = "A", default_value = "engine")]
    agent: AgentSpec,

    #[command(flatten)]
    limits: LimitFlags,

    /// Think until the value of every move is proven, however long it takes; Ctrl-C shows what is proven by then
    #[arg(long, conflicts_with_all = ["depth", "nodes", "time", "agent"])]
    until_proven: bool,

    /// Analyse every position of a file (- for standard input), a JSON line each
    #[arg(long, value_name = "FILE", conflicts_with_all = ["position", "moves"])]
    positions: Option<PathBuf>,

    /// The seed of random choices
    #[arg(long = "seed", value_name = "S", default_value_t = 1)]
    rng_seed: u64,

    /// Print JSON
    #[arg(long)]
    json: bool,

    /// Print CSV, a row for every move
    #[arg(long, conflicts_with = "json")]
    csv: bool,
}

impl Analyze {
    pub(crate) fn run(self) -> anyhow::Result<()> {
        let stop = interrupt::stop();
        if let (AgentKind::Perfect, GameSpec::Kalah(spec)) = (self.agent.kind(), self.place.game)
            && spec.majority()
        {
            output::say_base_rule(spec);
        }
        if self.csv {
            output::print("position,move,value,best,unit,proven\n")?;
        }
        let Some(file) = &self.positions else {
            let (game, start) = self.place.open()?;
            let position = play_text(&game, start, &self.moves)?;
            return self.think(&game, &position, self.json || self.csv, stop);
        };
        each_line(file, |line| {
            anyhow::ensure!(!stop.is_requested(), "interrupted");
            let (game, position) = place(self.place.game, Some(line), self.place.any_total)?;
            self.think(&game, &position, true, stop)
        })
    }

    /// Analyses one position. If `quiet`, a line of JSON is all that is printed.
    fn think(
        &self,
        game: &AnyGame,
        position: &AnyPosition,
        quiet: bool,
        stop: &Stop,
    ) -> anyhow::Result<()> {
        let agent = match self.until_proven {
            true => &AgentSpec::plain(AgentKind::Perfect),
            false => &self.agent,
        };
        let mut player = Player::new(agent, game, self.rng_seed)?;
        if !quiet {
            output::print(&format!(
                "{} by {agent}\n{}\ndepth       value          nodes  nodes/s  line\n",
                game.spec(),
                game.position_text(position)
            ))?;
        }
        let mut printed = Ok(());
        let mut progress = |report: &AnyReport| {
            if !quiet && printed.is_ok() {
                printed = output::print(&progress_line(report));
            }
        };
        let report = player
            .think(position, self.limits.limits(), stop, true, &mut progress)
            .with_context(|| agent.to_string())?;
        printed?;
        match quiet {
            _ if self.csv => output::print(&rows(&game.position_text(position), &report)),
            true => output::print_json(&to_json(game.spec(), &report)),
            false => output::print(&summary(game.spec(), &report)),
        }
    }
}

/// A row of CSV for every move that has a value.
fn rows(position: &str, report: &AnyReport) -> String {
    let row = |(mv, score): &(AnyMove, Score)| {
        let best = u8::from(report.best == Some(*mv));
        let (value, unit) = (values::amount(*score), score.worth().unit().name());
        csv_line::<&dyn Display>(&[
            &position,
            mv,
            &value,
            &best,
            &unit,
            &u8::from(score.is_proven()),
        ])
    };
    report.moves.iter().map(row).collect()
}

/// What `--json` prints.
fn to_json(spec: GameSpec, report: &AnyReport) -> Value {
    let pv = report.line.iter().copied().map(values::mv);
    json!({
        "best": report.best.map(values::mv),
        "value": values::amount(report.score),
        "moves": values::moves(spec, &report.moves, values::amount),
        "scores": values::moves(spec, &report.moves, values::score),
        "pv": pv.collect::<Vec<_>>(),
        "depth": report.depth,
        "nodes": report.nodes,
        "seconds": report.elapsed.as_secs_f64(),
        "proven": report.score.is_proven(),
        "unit": report.score.worth().unit().name(),
        "bounds": report.outlook.as_ref().map(|outlook| values::bounds(outlook.value)),
        "move_bounds": report.outlook.as_ref().map(|outlook| {
            values::moves(spec, &outlook.moves, values::bounds)
        }),
        "seconds_left": report.time_left().map(|(least, most)| {
            [least.as_secs_f64(), most.as_secs_f64()]
        }),
    })
}

fn line_text(moves: &[AnyMove]) -> String {
    let words: Vec<String> = moves.iter().map(ToString::to_string).collect();
    words.join(" ")
}

fn progress_line(report: &AnyReport) -> String {
    let proven = match report.outlook_words() {
        _ if report.score.is_proven() => "  (proven)".to_owned(),
        Some(outlook) => format!("  ({outlook})"),
        None => String::new(),
    };
    format!(
        "{:>5} {:>11} {:>14} {:>7.1}M  {}{proven}\n",
        report.depth,
        values::amount(report.score).to_string(),
        report.nodes,
        report.speed() / 1e6,
        line_text(&report.line[..report.line.len().min(16)])
    )
}

/// The unit of a score, and whether it is proven.
fn kind(score: Score) -> String {
    let unit = score.worth().unit().name();
    match score.is_proven() {
        true => format!("{unit}, proven"),
        false => unit.to_owned(),
    }
}

fn summary(spec: GameSpec, report: &AnyReport) -> String {
    let usual = kind(report.score);
    let Some(best) = report.best else {
        return format!(
            "\nThe game is over: {} for the player to move ({usual})\n",
            values::amount(report.score)
        );
    };
    if report.nodes == 0 && report.moves.is_empty() && !report.score.is_proven() {
        return format!("\nNothing was searched. Move {best} is a guess.\n");
    }
    let mut text = format!("\nmove        value ({usual})\n");
    let mut moves = report.moves.clone();
    moves.sort_by(|(_, one), (_, other)| other.compare(*one));
    const SHOWN: usize = 20;
    for (mv, score) in moves.iter().take(SHOWN) {
        let mark = if *mv == best { "  best" } else { "" };
        let differs = match kind(*score) {
            kind if kind == usual => String::new(),
            kind => format!("  ({kind})"),
        };
        text += &format!(
            "{:<8} {:>8}{differs}{mark}\n",
            mv.to_string(),
            values::amount(*score).to_string()
        );
    }
    if moves.len() > SHOWN {
        text += &format!("and {} more\n", moves.len() - SHOWN);
    }
    if let Some(outlook) = report.outlook_words() {
        text += &format!("\nThe proof: {outlook}\n");
    }
    text += &format!(
        "\nBest move {best} of {spec}, best line: {}\n{} nodes in {:.3} s\n",
        line_text(&report.line),
        report.nodes,
        report.elapsed.as_secs_f64()
    );
    text
}
