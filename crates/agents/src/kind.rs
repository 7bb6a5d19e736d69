//! The registry of all agents: their names, options, limits and help.

use crate::OptionKey;
use kalahari_terms::Limits;
use std::time::Duration;

/// A kind of agent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum AgentKind {
    /// Random legal moves.
    Random,
    /// The levels of the web page and of a course: random moves at level 0, else plain alpha-beta to a fixed depth.
    Level,
    /// Plain minimax.
    Minimax,
    /// Plain alpha-beta.
    AlphaBeta,
    /// Monte Carlo tree search.
    Mcts,
    /// Principal variation search.
    Engine,
    /// Proven moves.
    Perfect,
    /// The player of a course project.
    Course(CourseProject),
    /// An external program that speaks the universal game interface.
    Ugi,
    /// An external program that reads positions and prints moves.
    Exe,
    /// A Python file.
    Python,
    /// A client of the Kalah Game Protocol, which connects to us.
    Kgp,
    /// An agent that the host program provides: see [`Guest`](crate::Guest). It cannot be named in a spec that is read from text.
    Guest,
}

/// The course projects whose players are built in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum CourseProject {
    /// Project 000.
    P000,
    /// Project 001.
    P001,
    /// Project 002.
    P002,
    /// Project 003.
    P003,
    /// Project 004.
    P004,
}

/// The highest level.
pub const LEVELS: u32 = 12;

/// How long a level may think when a person waits for its move. A level by itself only sets a depth, and on large boards a
/// search to that depth may take practically forever.
pub const LEVEL_PATIENCE: Duration = Duration::from_secs(4);

/// The depth of a plain search that has no other limit.
const PLAIN_DEPTH: u32 = 6;

impl AgentKind {
    /// Every kind of agent that a spec can name.
    pub const ALL: [AgentKind; 16] = [
        AgentKind::Random,
        AgentKind::Level,
        AgentKind::Minimax,
        AgentKind::AlphaBeta,
        AgentKind::Mcts,
        AgentKind::Engine,
        AgentKind::Perfect,
        AgentKind::Course(CourseProject::P000),
        AgentKind::Course(CourseProject::P001),
        AgentKind::Course(CourseProject::P002),
        AgentKind::Course(CourseProject::P003),
        AgentKind::Course(CourseProject::P004),
        AgentKind::Python,
        AgentKind::Exe,
        AgentKind::Ugi,
        AgentKind::Kgp,
    ];

    /// The kind with this name.
    pub fn by_name(name: &str) -> Option<Self> {
        AgentKind::ALL.into_iter().find(|kind| kind.name() == name)
    }

    /// Its name in a spec.
    pub const fn name(self) -> &'static str {
        match self {
            AgentKind::Random => "random",
            AgentKind::Level => "level",
            AgentKind::Minimax => "minimax",
            AgentKind::AlphaBeta => "alphabeta",
            AgentKind::Mcts => "mcts",
            AgentKind::Engine => "engine",
            AgentKind::Perfect => "perfect",
            AgentKind::Course(CourseProject::P000) => "seed000",
            AgentKind::Course(CourseProject::P001) => "seed001",
            AgentKind::Course(CourseProject::P002) => "seed002",
            AgentKind::Course(CourseProject::P003) => "seed003",
            AgentKind::Course(CourseProject::P004) => "seed004",
            AgentKind::Python => "py",
            AgentKind::Exe => "exe",
            AgentKind::Ugi => "ugi",
            AgentKind::Kgp => "kgp",
            AgentKind::Guest => "guest",
        }
    }

    /// A one-line description.
    pub const fn about(self) -> &'static str {
        match self {
            AgentKind::Random => "random legal moves",
            AgentKind::Level => {
                "level:0 to level:12: 0 is random, k is alpha-beta to depth k on stores or mobility; an extra turn costs 2 plies"
            }
            AgentKind::Minimax => "plain minimax, left to right, no table",
            AgentKind::AlphaBeta => "plain alpha-beta, left to right, no table",
            AgentKind::Mcts => {
                "Monte Carlo tree search with implicit minimax backups; a neural network replaces playouts in games that come with one"
            }
            AgentKind::Engine => {
                "the strongest player: principal variation search with a lossless table"
            }
            AgentKind::Perfect => {
                "a proven best move by book, tablebase and solver, however long it takes; with a time limit, the engine with proofs first, which says so if it has to play an unproven move"
            }
            AgentKind::Course(CourseProject::P000) => {
                "a course's Kalah player: alpha-beta to depth 6 on `weighted`"
            }
            AgentKind::Course(CourseProject::P001) => {
                "a course's Kalah player: Monte Carlo tree search with its original settings, 2 s a move"
            }
            AgentKind::Course(CourseProject::P002) => {
                "a course's Isolation player: alpha-beta with iterative deepening on `phased`, 500 ms a move"
            }
            AgentKind::Course(CourseProject::P003) => "a course's Kalah player: level 5",
            AgentKind::Course(CourseProject::P004) => {
                "a course's Kalah player: alpha-beta to depth 9 on `again`"
            }
            AgentKind::Python => {
                "py:FILE, or just a path that ends in .py, or a folder with an ai.py: a Python file with a function move(state), a class ai or a class CustomPlayer"
            }
            AgentKind::Exe => {
                "exe:COMMAND: any program that reads one position per line, as `kalahari show` prints it, and prints one move per line; it runs in a scratch directory with copies of the small files from its own directory"
            }
            AgentKind::Ugi => {
                "ugi:COMMAND: any program that speaks the universal game interface; limits come from the command's flags"
            }
            AgentKind::Kgp => {
                "kgp:NAME: a client of the Kalah Game Protocol that connects to this program under this name; `standard` Kalah only"
            }
            AgentKind::Guest => {
                "an agent that the host program provides, such as one written in Python"
            }
        }
    }

    /// The options that its spec may have, besides the parameters of its evaluation. All others are refused.
    pub const fn keys(self) -> &'static [OptionKey] {
        use OptionKey as Key;
        match self {
            AgentKind::Random => &[Key::RngSeed],
            AgentKind::Level => &[Key::Bare, Key::RngSeed, Key::Time],
            AgentKind::Minimax | AgentKind::AlphaBeta => {
                &[Key::Depth, Key::Nodes, Key::Time, Key::Eval, Key::Extra]
            }
            AgentKind::Mcts => &[
                Key::Time,
                Key::Playouts,
                Key::Depth,
                Key::Alpha,
                Key::Exploration,
                Key::Eval,
                Key::Reuse,
                Key::Solver,
                Key::Playout,
                Key::Hash,
                Key::RngSeed,
            ],
            AgentKind::Engine => &[
                Key::Depth,
                Key::Nodes,
                Key::Time,
                Key::Eval,
                Key::Threads,
                Key::Hash,
                Key::ExactDepth,
                Key::Window,
                Key::EtcDepth,
                Key::Etc,
                Key::Range,
                Key::Quiescence,
                Key::Theory,
                Key::Selective,
                Key::Traps,
                Key::Tablebase,
                Key::Book,
                Key::Proofs,
                Key::ProbCut,
                Key::Contempt,
            ],
            AgentKind::Perfect => &[Key::Time, Key::Nodes, Key::Depth, Key::Threads, Key::Hash],
            AgentKind::Course(CourseProject::P001) => &[Key::Time, Key::Playouts, Key::Depth],
            AgentKind::Course(_) => &[Key::Depth, Key::Time, Key::Nodes],
            AgentKind::Python => &[Key::Bare, Key::Memory],
            // Everything after the colon is a command or a name.
            AgentKind::Exe | AgentKind::Ugi | AgentKind::Guest => &[],
            AgentKind::Kgp => &[Key::Bare, Key::Listen, Key::Wait],
        }
    }

    /// Its options, in one line.
    pub fn options(self) -> String {
        let named = self.keys().iter().filter(|key| **key != OptionKey::Bare);
        let mut words: Vec<String> = named.map(|key| key.usage()).collect();
        if self.keys().contains(&OptionKey::Eval) {
            words.push("the evaluation's parameters".to_owned());
        }
        match self {
            AgentKind::Exe | AgentKind::Ugi => {
                "none; everything after the colon is the command, split into words as a shell does"
                    .to_owned()
            }
            AgentKind::Guest => "none; what follows the colon is its name".to_owned(),
            _ => words.join(", "),
        }
    }

    /// Its limits if neither its spec nor the caller names any.
    pub const fn default_limits(self) -> Limits {
        match self {
            AgentKind::Minimax | AgentKind::AlphaBeta => Limits::depth(PLAIN_DEPTH),
            AgentKind::Mcts
            | AgentKind::Engine
            | AgentKind::Python
            | AgentKind::Exe
            | AgentKind::Ugi => Limits::time(Duration::from_secs(1)),
            AgentKind::Kgp => Limits::time(Duration::from_secs(5)),
            AgentKind::Perfect
            | AgentKind::Random
            | AgentKind::Level
            | AgentKind::Course(_)
            | AgentKind::Guest => Limits::NONE,
        }
    }

    /// Its default limits if no person is there to stop it, as in a match.
    pub const fn unattended_limits(self) -> Limits {
        match self {
            AgentKind::Perfect => Limits::time(Duration::from_secs(10)),
            kind => kind.default_limits(),
        }
    }

    /// Whether it is an external program that we start.
    pub const fn is_program(self) -> bool {
        matches!(self, AgentKind::Python | AgentKind::Exe | AgentKind::Ugi)
    }

    /// Whether the caller's limits for a move change how it plays.
    pub const fn takes_limits(self) -> bool {
        match self {
            AgentKind::Random | AgentKind::Level | AgentKind::Course(_) => false,
            AgentKind::Minimax
            | AgentKind::AlphaBeta
            | AgentKind::Mcts
            | AgentKind::Engine
            | AgentKind::Perfect
            | AgentKind::Python
            | AgentKind::Exe
            | AgentKind::Ugi
            | AgentKind::Kgp
            | AgentKind::Guest => true,
        }
    }

    /// Whether it is not built in: what follows its name are not options of a search, and it may fail.
    pub const fn is_foreign(self) -> bool {
        self.is_program() || matches!(self, AgentKind::Kgp | AgentKind::Guest)
    }
}
