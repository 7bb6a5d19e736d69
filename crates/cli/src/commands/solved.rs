//! `kalahari solved`: the result of every Isolation board that can be solved in a given time.

use crate::arguments;
use crate::interrupt;
use crate::output;
use clap::Args;
use kalahari_exact::isolation::{Surveyed, survey};
use kalahari_games::isolation::IsolationRule;
use kalahari_terms::{format_duration, parse_duration};
use serde_json::json;
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// Solve Isolation boards of every rule, smallest first, and print who wins
#[derive(Debug, Args)]
#[command(
    after_help = "Every rule gets an equal share of the time that is left. A board that is not finished in its own time is given up, and so
is every board that is at least as large in both directions. Ctrl-C prints what is solved so far.

Examples:
  kalahari solved --time 20s
  kalahari solved --time 1h --out docs/isolation.md
  kalahari solved --rule trail --time 1m --json"
)]
pub(crate) struct Solved {
    /// The time for all boards together
    #[arg(long, value_name = "TIME", default_value = "1m", value_parser = parse_duration)]
    time: Duration,

    /// The time for one board; a tenth of its rule's share if left out
    #[arg(long, value_name = "TIME", value_parser = parse_duration)]
    board_time: Option<Duration>,

    /// Only this rule
    #[arg(long, value_name = "RULE", value_parser = rule)]
    rule: Option<IsolationRule>,

    /// Memory for the table of proven bounds, such as 512M or 2G
    #[arg(long, value_name = "SIZE", default_value = "1G", value_parser = arguments::bytes)]
    memory: u64,

    /// Write the page to this file, too
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,

    /// Print one JSON object per board instead of the page
    #[arg(long)]
    json: bool,
}

fn rule(text: &str) -> Result<IsolationRule, String> {
    let all = IsolationRule::ALL;
    let known = || all.map(IsolationRule::name).join(", ");
    let named = all.into_iter().find(|rule| rule.name() == text);
    named.ok_or_else(|| format!("unknown rule '{text}'; Isolation has {}", known()))
}

impl Solved {
    pub(crate) fn run(self) -> anyhow::Result<()> {
        let begin = Instant::now();
        let stop = interrupt::stop();
        if let Some(path) = &self.out {
            output::check_place(path)?;
        }
        let rules: Vec<IsolationRule> = match self.rule {
            Some(rule) => vec![rule],
            None => IsolationRule::ALL.to_vec(),
        };
        let mut page = format!(
            "# Isolation boards that are solved

Made by `kalahari solved --time {}`: first-player results under best play, proven by searching every game to its end.
Rows are the board's rows, columns its columns. A board rotated by 90 degrees has the same value and is left out (but not in `classic`, whose
pieces start in the first and last row); `?` was tried and not finished, an empty field was not tried.
",
            format_duration(self.time)
        );
        for (n, &rule) in rules.iter().enumerate() {
            let left = self.time.saturating_sub(begin.elapsed());
            let share = left / (rules.len() - n) as u32;
            let for_one = self.board_time.unwrap_or(share / 10);
            let mut trouble = None;
            let boards = survey(rule, (for_one, share), self.memory, stop, &mut |board| {
                let told = self.tell(board);
                trouble = trouble.take().or(told.err());
            })?;
            if let Some(error) = trouble {
                return Err(error);
            }
            page += &section(rule, &boards);
            if stop.is_requested() {
                page += "\nStopped before the end.\n";
                break;
            }
        }
        if !self.json {
            output::print(&page)?;
        }
        match &self.out {
            Some(path) => output::write_whole(path, page.as_bytes()),
            None => Ok(()),
        }
    }

    /// A line about a board: JSON on standard output; for people on standard error, because the page goes to standard output.
    fn tell(&self, board: &Surveyed) -> anyhow::Result<()> {
        let Surveyed {
            spec,
            bounds,
            nodes,
            time,
        } = board;
        let seconds = time.as_secs_f64();
        if self.json {
            return output::print_json(&json!({
                "game": spec, "value": bounds.exact(), "lower": bounds.lower, "upper": bounds.upper,
                "nodes": nodes, "seconds": seconds,
            }));
        }
        if seconds > 1.0 {
            let value = match bounds.exact() {
                Some(value) => format!("{value:+}"),
                None => format!("between {:+} and {:+}", bounds.lower, bounds.upper),
            };
            eprintln!("{spec}: {value}, {nodes} nodes, {seconds:.1} s");
        }
        Ok(())
    }
}

/// The part of the page about one rule.
fn section(rule: IsolationRule, boards: &[Surveyed]) -> String {
    let meaning = match rule {
        IsolationRule::Trail => "the first player's margin",
        _ => "who wins, the first player (1) or the second (2)",
    };
    let mut text = format!("\n## `{rule}`: {meaning}\n\n");
    let most = |side: fn(&Surveyed) -> usize| boards.iter().map(side).max().unwrap_or(0);
    let (rows, cols) = (
        most(|board| board.spec.rows()),
        most(|board| board.spec.cols()),
    );
    let line = |cells: Vec<String>| format!("| {} |\n", cells.join(" | "));
    let numbers = (1..=cols).map(|col| col.to_string());
    text += &line(std::iter::once(String::new()).chain(numbers).collect());
    text += &format!("|{}\n", "---|".repeat(cols + 1));
    for row in 1..=rows {
        let field = |col: usize| {
            let is_it = |board: &&Surveyed| (board.spec.rows(), board.spec.cols()) == (row, col);
            match boards.iter().find(is_it).map(|board| board.bounds.exact()) {
                None => String::new(),
                Some(None) => "?".to_owned(),
                Some(Some(margin)) if rule == IsolationRule::Trail => margin.to_string(),
                Some(Some(value)) => if value > 0 { "1" } else { "2" }.to_owned(),
            }
        };
        let fields = (1..=cols).map(field);
        text += &line(
            std::iter::once(format!("**{row}**"))
                .chain(fields)
                .collect(),
        );
    }
    let solved = boards.iter().filter(|board| board.bounds.exact().is_some());
    let (mut count, mut nodes, mut hardest) = (0, 0, None::<&Surveyed>);
    for board in solved {
        count += 1;
        nodes += board.nodes;
        hardest = hardest
            .filter(|other| other.nodes >= board.nodes)
            .or(Some(board));
    }
    text += &format!("\n{count} boards solved, {nodes} positions searched");
    if let Some(board) = hardest {
        let (rows, cols) = (board.spec.rows(), board.spec.cols());
        text += &format!(", {} of them for {rows}x{cols}", board.nodes);
    }
    text + ".\n"
}
