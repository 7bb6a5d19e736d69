//! The `kalahari` program: arguments in; boards, tables and JSON out.
//!
//! Nothing is decided here: rules, searches and statistics live in the libraries.

mod arena_flags;
mod arguments;
mod commands;
mod draw;
mod interrupt;
mod output;
mod play;
mod progress;
mod values;

use clap::error::ErrorKind;
use clap::{Parser, Subcommand};
use std::process::ExitCode;

/// A laboratory for Kalah and Isolation.
#[derive(Debug, Parser)]
#[command(name = "kalahari", version, about, arg_required_else_help = true)]
#[command(after_help = "Examples:
  kalahari play
  kalahari games
  kalahari show kalah:6x4 --moves \"2 5\"
  kalahari perft isolation:queen --depth 4
  kalahari analyze kalah:6x4 --time 1s
  kalahari analyze isolation --agent mcts:playouts=10000
  kalahari solve kalah:6x4 --value-only
  kalahari tablebase build kalah:6:standard --seeds 20
  kalahari match engine level:6 --time 20ms --games 100")]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    Play(commands::play::Play),
    Watch(commands::watch::Watch),
    Games(commands::games::Games),
    Show(commands::show::Show),
    Perft(commands::perft::Perft),
    Agents(commands::agents::Agents),
    Params(commands::params::Params),
    Analyze(commands::analyze::Analyze),
    Eval(commands::eval::Eval),
    Nodes(commands::nodes::Nodes),
    Bench(commands::bench::Bench),
    Selftest(commands::selftest::Selftest),
    Solve(commands::solve::Solve),
    Solved(commands::solved::Solved),
    Tablebase(commands::tablebase::Tablebase),
    Book(commands::book::Book),
    Match(commands::matches::Match),
    Tournament(commands::tournament::Tournament),
    Sprt(commands::sprt::Sprt),
    Records(commands::records::Records),
    Tune(commands::tune::Tune),
    Report(commands::report::Report),
    Ugi(commands::ugi::Ugi),
    Serve(commands::serve::Serve),
    Puzzles(commands::puzzles::Puzzles),
    Reproduce(commands::reproduce::Reproduce),
}

impl Command {
    fn run(self) -> anyhow::Result<()> {
        match self {
            Command::Play(command) => command.run(),
            Command::Watch(command) => command.run(),
            Command::Games(command) => command.run(),
            Command::Show(command) => command.run(),
            Command::Perft(command) => command.run(),
            Command::Agents(command) => command.run(),
            Command::Params(command) => command.run(),
            Command::Analyze(command) => command.run(),
            Command::Eval(command) => command.run(),
            Command::Nodes(command) => command.run(),
            Command::Bench(command) => command.run(),
            Command::Selftest(command) => command.run(),
            Command::Solve(command) => command.run(),
            Command::Solved(command) => command.run(),
            Command::Tablebase(command) => command.run(),
            Command::Book(command) => command.run(),
            Command::Match(command) => command.run(),
            Command::Tournament(command) => command.run(),
            Command::Sprt(command) => command.run(),
            Command::Records(command) => command.run(),
            Command::Tune(command) => command.run(),
            Command::Report(command) => command.run(),
            Command::Ugi(command) => command.run(),
            Command::Serve(command) => command.run(),
            Command::Puzzles(command) => command.run(),
            Command::Reproduce(command) => command.run(),
        }
    }
}

/// The exit status of a run that was asked for something it cannot do.
const BAD_INPUT: u8 = 2;

fn main() -> ExitCode {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => return explain(&error),
    };
    match cli.command.run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) if output::reader_is_gone(&error) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("kalahari: {error:#}");
            ExitCode::from(BAD_INPUT)
        }
    }
}

/// Prints help as it is, and a mistake in the arguments as one line.
fn explain(error: &clap::Error) -> ExitCode {
    if matches!(
        error.kind(),
        ErrorKind::DisplayHelp
            | ErrorKind::DisplayVersion
            | ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand
    ) {
        // A reader that closed the pipe has seen enough of the help.
        let _ = error.print();
        return match error.kind() {
            ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => ExitCode::from(BAD_INPUT),
            _ => ExitCode::SUCCESS,
        };
    }
    // A value that our own readers refused: their reason says all.
    if let Some(reason) = std::error::Error::source(error)
        && error.kind() == ErrorKind::ValueValidation
    {
        eprintln!("kalahari: {reason}");
        return ExitCode::from(BAD_INPUT);
    }
    let text = error.to_string();
    let lines = text
        .lines()
        .map(str::trim)
        .take_while(|line| !line.is_empty());
    let line = lines.collect::<Vec<_>>().join(" ");
    let line = line.strip_prefix("error: ").unwrap_or(&line);
    eprintln!("kalahari: {line} (see --help)");
    ExitCode::from(BAD_INPUT)
}
