//! The `kalahari` program: arguments in; boards, tables and JSON out.
//!
//! Nothing is decided here: rules, searches and statistics live in the libraries.

#![forbid(unsafe_code)]

/// Prints to standard error. The standard macro panics if nobody can read that, and a full log must not end long work.
macro_rules! eprintln {
    ($($words:tt)*) => {{
        use std::io::Write as _;
        let _ = writeln!(std::io::stderr(), $($words)*);
    }};
}

/// As `eprintln`, without the end of the line.
macro_rules! eprint {
    ($($words:tt)*) => {{
        use std::io::Write as _;
        let _ = write!(std::io::stderr(), $($words)*);
    }};
}

mod arena_flags;
mod arguments;
mod commands;
mod csv;
#[cfg(test)]
mod documents;
mod draw;
mod experiment;
mod failure;
mod help;
mod interrupt;
mod notices;
mod origin;
mod output;
mod play;
mod progress;
mod rehearsal;
mod values;

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{FromArgMatches, Parser, Subcommand};
use failure::Status;
use kalahari_exact::prover::{TablePolicy, set_table_policy};
use std::io::{self, Write};
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};

/// A laboratory for Kalah and Isolation.
#[derive(Debug, Parser)]
#[command(name = "kalahari", arg_required_else_help = true)]
#[command(version = env!("KALAHARI_PROGRAM"))]
#[command(long_version = concat!(env!("KALAHARI_PROGRAM"), "\n", env!("KALAHARI_BUILD")))]
#[command(after_help = "Examples:
  kalahari play
  kalahari games
  kalahari show kalah:6x4 --moves \"2 5\"
  kalahari perft isolation:queen --depth 4
  kalahari analyze kalah:6x4 --time 1s
  kalahari analyze isolation --agent mcts:playouts=10000
  kalahari solve kalah:6x4 --value-only
  kalahari tablebase build kalah:6:standard --seeds 20
  kalahari match engine level:6 --time 20ms --games 100

Exit status: 0 done; 1 a check failed; 2 bad input; 3 trouble with the disk, memory, the network or an agent;
130 ended by Ctrl-C")]
struct Cli {
    /// Use no endgame tables on disk, and build none; the same as KALAHARI_NO_TABLES=1 in the environment
    #[arg(long, global = true)]
    no_tables: bool,

    #[command(subcommand)]
    command: Command,
}

impl Cli {
    /// Decides what is done about endgame tables.
    fn set_table_policy(&self) {
        /// Whether the whole run must not use any, regardless of its steps.
        static NONE: AtomicBool = AtomicBool::new(false);
        let asked = std::env::var_os("KALAHARI_NO_TABLES").is_some_and(|value| !value.is_empty());
        NONE.fetch_or(self.no_tables || asked, Ordering::Relaxed);
        set_table_policy(match NONE.load(Ordering::Relaxed) {
            true => TablePolicy::Never,
            false => self.command.table_policy(),
        });
    }
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
    Prove(commands::prove::Prove),
    Tablebase(commands::tablebase::Tablebase),
    Book(commands::book::Book),
    Match(commands::matches::Match),
    Tournament(commands::tournament::Tournament),
    Rate(commands::rate::Rate),
    Review(commands::review::Review),
    Check(commands::check::Check),
    Run(commands::run::Run),
    Init(commands::init::Init),
    Merge(commands::pieces::merge::Merge),
    Shards(commands::pieces::status::Shards),
    Slurm(commands::pieces::slurm::Slurm),
    Sprt(commands::sprt::Sprt),
    Records(commands::records::Records),
    Tune(commands::tune::Tune),
    Dataset(commands::dataset::Dataset),
    Train(commands::train::Train),
    Report(commands::report::Report),
    Ugi(commands::ugi::Ugi),
    Kgp(commands::kgp::Kgp),
    Serve(commands::serve::Serve),
    #[command(hide = true)]
    Site(commands::site::Site),
    Puzzles(commands::puzzles::Puzzles),
    Reproduce(commands::reproduce::Reproduce),
    Doctor(commands::doctor::Doctor),
    Manual(commands::manual::Manual),
    Completions(commands::completions::Completions),
}

impl Command {
    /// What the command does about endgame tables. Commands whose figures must be the same on every machine use none;
    /// commands that run for a while may build one.
    fn table_policy(&self) -> TablePolicy {
        match self {
            Command::Bench(_) | Command::Selftest(_) | Command::Reproduce(_) => TablePolicy::Never,
            Command::Play(_)
            | Command::Serve(_)
            | Command::Match(_)
            | Command::Tournament(_)
            | Command::Rate(_)
            | Command::Tune(_)
            | Command::Ugi(_) => TablePolicy::Build,
            _ => TablePolicy::IfThere,
        }
    }

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
            Command::Prove(command) => command.run(),
            Command::Tablebase(command) => command.run(),
            Command::Book(command) => command.run(),
            Command::Match(command) => command.run(),
            Command::Tournament(command) => command.run(),
            Command::Rate(command) => command.run(),
            Command::Review(command) => command.run(),
            Command::Check(command) => command.run(),
            Command::Run(command) => command.run(),
            Command::Init(command) => command.run(),
            Command::Merge(command) => command.run(),
            Command::Shards(command) => command.run(),
            Command::Slurm(command) => command.run(),
            Command::Sprt(command) => command.run(),
            Command::Records(command) => command.run(),
            Command::Tune(command) => command.run(),
            Command::Dataset(command) => command.run(),
            Command::Train(command) => command.run(),
            Command::Report(command) => command.run(),
            Command::Ugi(command) => command.run(),
            Command::Kgp(command) => command.run(),
            Command::Serve(command) => command.run(),
            Command::Site(command) => command.run(),
            Command::Puzzles(command) => command.run(),
            Command::Reproduce(command) => command.run(),
            Command::Doctor(command) => command.run(),
            Command::Manual(command) => command.run(),
            Command::Completions(command) => command.run(),
        }
    }
}

fn main() -> ExitCode {
    if let Err(old) = kalahari_storage::check_processor() {
        eprintln!("kalahari: {old}");
        return Status::Trouble.into();
    }
    run()
}

/// Everything else. It is a separate function, so that none of it runs before the processor has been checked.
#[inline(never)]
fn run() -> ExitCode {
    kalahari_terms::Program::set_commit(env!("KALAHARI_COMMIT"));
    let matches = help::program().try_get_matches();
    let cli = match matches.and_then(|matches| Cli::from_arg_matches(&matches)) {
        Ok(cli) => cli,
        Err(error) => return explain(&error),
    };
    cli.set_table_policy();
    notices::show_all();
    interrupt::let_files_be_too_large();
    interrupt::name_shortened_files();
    let failure = match cli.command.run() {
        Ok(()) => None,
        Err(error) if output::reader_is_gone(&error) => None,
        Err(error) => {
            eprintln!("kalahari: {}", failure::told(&error));
            Some(Status::of(&error))
        }
    };
    Status::of_run(failure).map_or(ExitCode::SUCCESS, ExitCode::from)
}

/// Prints help as it is, and a mistake in the arguments as one line.
fn explain(error: &clap::Error) -> ExitCode {
    if matches!(
        error.kind(),
        ErrorKind::DisplayHelp
            | ErrorKind::DisplayVersion
            | ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand
    ) {
        let printed = print_whole(error);
        // This goes to standard error, where a failure cannot be told.
        if error.kind() == ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand {
            return Status::BadInput.into();
        }
        return match printed {
            Ok(()) => ExitCode::SUCCESS,
            Err(problem) => {
                eprintln!("kalahari: {problem}");
                Status::Trouble.into()
            }
        };
    }
    eprintln!("kalahari: {}", reason(error));
    Status::BadInput.into()
}

/// Prints the help or the version. A reader that closed the pipe has seen enough of it.
fn print_whole(help: &clap::Error) -> io::Result<()> {
    let printed = help.print().and_then(|()| io::stdout().flush());
    match printed {
        Err(problem) if problem.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        printed => printed,
    }
}

/// What is wrong with arguments, in one line.
fn reason(error: &clap::Error) -> String {
    // A value that our own readers refused. Their reason is enough, except for a number out of range, which does not name its option.
    if let Some(reason) = std::error::Error::source(error)
        && error.kind() == ErrorKind::ValueValidation
    {
        let reason = reason.to_string();
        let value = error.get(ContextKind::InvalidValue);
        return match (error.get(ContextKind::InvalidArg), value) {
            (Some(argument), _) if reason.contains(" is not in ") => {
                format!("{argument}: {reason}")
            }
            (Some(argument), Some(value)) if reason.contains("invalid digit") => {
                format!("{argument}: '{value}' is not a whole number")
            }
            _ => reason,
        };
    }
    let text = error.to_string();
    let lines = text
        .lines()
        .map(str::trim)
        .take_while(|line| !line.is_empty());
    let line = lines.collect::<Vec<_>>().join(" ");
    let line = line.strip_prefix("error: ").unwrap_or(&line);
    match similar(error) {
        Some(known) => format!("{line}; did you mean '{known}'? (see --help)"),
        None => format!("{line} (see --help)"),
    }
}

/// The known word that a mistyped one is most like.
fn similar(error: &clap::Error) -> Option<&str> {
    let kinds = [
        ContextKind::SuggestedSubcommand,
        ContextKind::SuggestedArg,
        ContextKind::SuggestedValue,
    ];
    let found = kinds.into_iter().find_map(|kind| error.get(kind));
    match found? {
        ContextValue::String(word) => Some(word),
        // The likeliest comes last.
        ContextValue::Strings(words) => words.last().map(String::as_str),
        _ => None,
    }
}
