//! `kalahari selftest`: known answers, found again on this machine.

use crate::arguments::{self, threads};
use crate::failure::CheckFailed;
use crate::{interrupt, output};
use clap::Args;
use kalahari_selftest::{Check, Tools, Verdict, checks};
use serde_json::json;
use std::io::IsTerminal;
use std::time::Instant;

/// Compare this program with known answers: rules, exact positions, tablebases, the engine's signature, solved games
#[derive(Debug, Args)]
#[command(
    after_help = "Without --long it takes seconds. With it, whole games up to 60 seeds are solved, which takes long and up to
5 GB of memory; use --only to continue where an earlier run was stopped. No file on this machine is used.

Examples:
  kalahari selftest
  kalahari selftest --long --only kalah:6x4
  kalahari selftest --long --only \"kalah:6x5:standard after 2-3\" --json"
)]
pub(crate) struct Selftest {
    /// Run the slow checks, too: published values of games and of their first moves
    #[arg(long)]
    long: bool,

    /// Only checks whose name contains this text
    #[arg(long, value_name = "TEXT")]
    only: Option<String>,

    /// List the checks without running them
    #[arg(long)]
    list: bool,

    /// Threads to use; all cores if left out
    #[arg(long, value_name = "N", value_parser = arguments::thread_count)]
    threads: Option<usize>,

    /// Print one JSON object per check, and one for all
    #[arg(long)]
    json: bool,
}

impl Selftest {
    pub(crate) fn run(self) -> anyhow::Result<()> {
        let wanted = |check: &Check| {
            let named = self.only.as_ref();
            (self.long || !check.is_long()) && named.is_none_or(|text| check.name().contains(text))
        };
        let checks: Vec<Check> = checks().into_iter().filter(wanted).collect();
        anyhow::ensure!(
            !checks.is_empty(),
            "no check has this text in its name; see `kalahari selftest --long --list`"
        );
        let mut tools = Tools::new(threads(self.threads));
        let begin = Instant::now();
        let (mut right, mut wrong) = (0, 0);
        for check in &checks {
            if self.list {
                output::print(&format!("{:<10} {}\n", check.part().name(), check.name()))?;
                continue;
            }
            let verdict = self.one(check, &mut tools)?;
            match verdict {
                Verdict::Right => right += 1,
                Verdict::Wrong(_) => wrong += 1,
                Verdict::Stopped => break,
            }
        }
        if self.list {
            return Ok(());
        }
        let (all, seconds) = (checks.len(), begin.elapsed().as_secs_f64());
        let left = all - right - wrong;
        match self.json {
            true => output::print_json(&json!({
                "right": right, "wrong": wrong, "left": left, "seconds": seconds,
            }))?,
            false => {
                let left = match left {
                    0 => String::new(),
                    left => format!(", {left} not done"),
                };
                output::print(&format!(
                    "{right} right, {wrong} wrong{left}, {seconds:.1} s\n"
                ))?;
            }
        }
        if wrong > 0 {
            let problem = format!("{wrong} of {all} checks are wrong");
            return Err(CheckFailed(problem).into());
        }
        Ok(())
    }

    /// Runs a check and prints its line.
    fn one(&self, check: &Check, tools: &mut Tools) -> anyhow::Result<Verdict> {
        let (part, name) = (check.part().name(), check.name());
        let live = std::io::stderr().is_terminal();
        if live {
            eprint!("\r\x1b[K... {part:<10} {name}");
        }
        let begin = Instant::now();
        let verdict = check.run(tools, interrupt::stop());
        let seconds = begin.elapsed().as_secs_f64();
        if live {
            eprint!("\r\x1b[K");
        }
        let (word, detail) = match &verdict {
            Verdict::Right => ("right", None),
            Verdict::Wrong(difference) => ("wrong", Some(difference.to_string())),
            Verdict::Stopped => ("stopped", None),
        };
        match self.json {
            true => output::print_json(&json!({
                "part": part, "name": name, "verdict": word, "difference": detail, "seconds": seconds,
            }))?,
            false => {
                let detail = detail.map_or(String::new(), |detail| format!("  {detail}"));
                output::print(&format!(
                    "{word:<8} {part:<10} {name:<44} {seconds:>8.2} s{detail}\n"
                ))?;
            }
        }
        Ok(verdict)
    }
}
