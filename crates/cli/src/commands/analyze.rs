//! `kalahari analyze`: what an agent thinks of a position and of every move.

use crate::arguments::{LimitFlags, Place, PlaceVisitor, each_line, visit_position};
use crate::{interrupt, output, values};
use clap::Args;
use kalahari_agents::{AgentSpec, Player};
use kalahari_search::{Report, Searchable, Stop};
use serde_json::{Value, json};
use std::path::PathBuf;

/// Analyse a position: a line per finished depth, then a value for every legal move
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  kalahari analyze kalah:6x4 --time 1s
  kalahari analyze kalah --moves \"0 5\" --depth 12 --json
  kalahari analyze isolation:queen --agent mcts:playouts=20000
  kalahari analyze kalah:6x4 --positions positions.txt --nodes 100000

With --json the last line is one object: best, value, moves (a value for every pit, null where it may
not be sown; for Isolation an object), pv, depth, nodes, seconds, proven, unit (margin, result, eval or
winshare). Values are for the player to move.")]
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

    /// Who thinks (see `kalahari agents`)
    #[arg(long, value_name = "A", default_value = "engine")]
    agent: AgentSpec,

    #[command(flatten)]
    limits: LimitFlags,

    /// Analyse every position of a file (- for standard input), a JSON line each
    #[arg(long, value_name = "FILE", conflicts_with_all = ["position", "moves"])]
    positions: Option<PathBuf>,

    /// The seed of random choices
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

impl Analyze {
    pub(crate) fn run(self) -> anyhow::Result<()> {
        let stop = interrupt::stop();
        let Some(file) = &self.positions else {
            return self.place.visit(Think {
                command: &self,
                stop,
                many: false,
            });
        };
        each_line(file, |line| {
            anyhow::ensure!(!stop.is_requested(), "interrupted");
            let think = Think {
                command: &self,
                stop,
                many: true,
            };
            visit_position(self.place.game, Some(line), self.place.any_total, think)
        })
    }
}

struct Think<'a> {
    command: &'a Analyze,
    stop: &'a Stop,
    /// One of many positions: only a JSON line is wanted.
    many: bool,
}

impl PlaceVisitor for Think<'_> {
    type Output = ();

    fn visit<G: Searchable>(self, game: G, position: G::Position) -> anyhow::Result<()> {
        let Analyze {
            moves,
            agent,
            limits,
            seed,
            json,
            ..
        } = self.command;
        let (position, _) = crate::arguments::play_text(&game, position, moves)?;
        let mut player = Player::new(agent, &game, *seed)?;
        let quiet = *json || self.many;
        if !quiet {
            output::print(&format!(
                "{} by {agent}\n{}\ndepth       value          nodes  nodes/s  line\n",
                game.spec(),
                game.position_text(&position)
            ))?;
        }
        let mut printed = Ok(());
        let report = player.analyse(position, limits.limits(), self.stop, &mut |report| {
            if !quiet && printed.is_ok() {
                printed = output::print(&progress_line(report));
            }
        });
        printed?;
        if let Some(why) = player.failure() {
            anyhow::bail!("{agent}: {why}");
        }
        if quiet {
            return output::print_json(&to_json(&game, &report));
        }
        output::print(&summary(&game, &report))
    }
}

/// What `--json` prints.
fn to_json<G: Searchable>(game: &G, report: &Report<G::Move>) -> Value {
    let spec = game.spec();
    json!({
        "best": report.best.map(|mv| values::mv(spec, mv)),
        "value": values::number(report.value),
        "moves": values::moves(spec, &report.moves),
        "pv": report.line.iter().map(|mv| values::mv(spec, mv)).collect::<Vec<_>>(),
        "depth": report.depth,
        "nodes": report.nodes,
        "seconds": report.elapsed.as_secs_f64(),
        "proven": report.proven,
        "unit": report.unit.name(),
    })
}

fn progress_line<M: std::fmt::Display>(report: &Report<M>) -> String {
    let line: Vec<String> = report.line.iter().take(16).map(M::to_string).collect();
    let proven = if report.proven { "  (proven)" } else { "" };
    format!(
        "{:>5} {:>11} {:>14} {:>7.1}M  {}{proven}\n",
        report.depth,
        values::number(report.value).to_string(),
        report.nodes,
        report.speed() / 1e6,
        line.join(" ")
    )
}

fn summary<G: Searchable>(game: &G, report: &Report<G::Move>) -> String {
    let unit = match (report.unit.name(), report.proven) {
        (unit, true) => format!("{unit}, proven"),
        (unit, false) => unit.to_owned(),
    };
    let Some(best) = report.best else {
        return format!(
            "\nThe game is over: {} for the player to move ({unit})\n",
            values::number(report.value)
        );
    };
    let mut text = format!("\nmove        value ({unit})\n");
    let mut moves: Vec<_> = report.moves.iter().collect();
    moves.sort_by(|a, b| b.1.total_cmp(&a.1));
    const SHOWN: usize = 20;
    for (mv, value) in moves.iter().take(SHOWN) {
        let mark = if *mv == best { "  best" } else { "" };
        text += &format!(
            "{:<8} {:>8}{mark}\n",
            mv.to_string(),
            values::number(*value).to_string()
        );
    }
    if moves.len() > SHOWN {
        text += &format!("and {} more\n", moves.len() - SHOWN);
    }
    let line: Vec<String> = report.line.iter().map(G::Move::to_string).collect();
    text += &format!(
        "\nBest move {best} of {}, best line: {}\n{} nodes in {:.3} s\n",
        game.spec(),
        line.join(" "),
        report.nodes,
        report.elapsed.as_secs_f64()
    );
    text
}
