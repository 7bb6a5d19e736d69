//! The options that specs may have: each is named once, here.

/// An option `key=value` of a spec.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum OptionKey {
    /// A value without a key: a level, a file, a client's name.
    Bare,
    /// The time for a move.
    Time,
    /// The deepest search.
    Depth,
    /// The most nodes of a search.
    Nodes,
    /// The most playouts of a search.
    Playouts,
    /// The seed of all random choices.
    RngSeed,
    /// The evaluation.
    Eval,
    /// What an extra turn takes off the depth.
    Extra,
    /// The share of the heuristic in MCTS.
    Alpha,
    /// How much MCTS explores.
    Exploration,
    /// Whether MCTS keeps its tree.
    Reuse,
    /// Whether MCTS proves results.
    Solver,
    /// How MCTS plays out.
    Playout,
    /// MiB of a table.
    Hash,
    /// Threads.
    Threads,
    /// Whether the engine searches to whole depths only.
    ExactDepth,
    /// The engine's first window.
    Window,
    /// The least depth for enhanced transposition cutoffs.
    EtcDepth,
    /// Enhanced transposition cutoffs.
    Etc,
    /// Cuts by what is left to win.
    Range,
    /// Leaves play extra turns on.
    Quiescence,
    /// Separated Isolation pieces are worked out.
    Theory,
    /// Crowded nodes look at few moves.
    Selective,
    /// Lost games are played for mistakes.
    Traps,
    /// Whether tablebases are asked.
    Tablebase,
    /// Whether books are asked.
    Book,
    /// Whether a part of the time goes to proofs.
    Proofs,
    /// Cuts by shallower searches.
    ProbCut,
    /// What may be risked to avoid a draw.
    Contempt,
    /// MiB of a Python file's process.
    Memory,
    /// Where a client connects.
    Listen,
    /// How long a client is waited for.
    Wait,
}

impl OptionKey {
    /// All of them.
    pub const ALL: [OptionKey; 32] = [
        OptionKey::Bare,
        OptionKey::Time,
        OptionKey::Depth,
        OptionKey::Nodes,
        OptionKey::Playouts,
        OptionKey::RngSeed,
        OptionKey::Eval,
        OptionKey::Extra,
        OptionKey::Alpha,
        OptionKey::Exploration,
        OptionKey::Reuse,
        OptionKey::Solver,
        OptionKey::Playout,
        OptionKey::Hash,
        OptionKey::Threads,
        OptionKey::ExactDepth,
        OptionKey::Window,
        OptionKey::EtcDepth,
        OptionKey::Etc,
        OptionKey::Range,
        OptionKey::Quiescence,
        OptionKey::Theory,
        OptionKey::Selective,
        OptionKey::Traps,
        OptionKey::Tablebase,
        OptionKey::Book,
        OptionKey::Proofs,
        OptionKey::ProbCut,
        OptionKey::Contempt,
        OptionKey::Memory,
        OptionKey::Listen,
        OptionKey::Wait,
    ];

    /// The option of a name; `None` if there is none, as of a parameter of an evaluation.
    pub fn by_name(name: &str) -> Option<Self> {
        OptionKey::ALL.into_iter().find(|key| key.name() == name)
    }

    /// Its name in a spec.
    pub const fn name(self) -> &'static str {
        self.words().0
    }

    /// How help writes it: its name, and what its values look like.
    pub fn usage(self) -> String {
        let (name, values) = self.words();
        format!("{name}{values}")
    }

    /// Its name, and what its values look like.
    const fn words(self) -> (&'static str, &'static str) {
        match self {
            OptionKey::Bare => ("", ""),
            OptionKey::Time => ("time", ""),
            OptionKey::Depth => ("depth", ""),
            OptionKey::Nodes => ("nodes", ""),
            OptionKey::Playouts => ("playouts", ""),
            OptionKey::RngSeed => ("seed", ""),
            OptionKey::Eval => ("eval", ""),
            OptionKey::Extra => ("extra", "=1|2"),
            OptionKey::Alpha => ("alpha", ""),
            OptionKey::Exploration => ("c", ""),
            OptionKey::Reuse => ("reuse", "=0|1"),
            OptionKey::Solver => ("solver", "=0|1"),
            OptionKey::Playout => ("playout", "=random|greedy|cut:K"),
            OptionKey::Hash => ("hash", " (MiB)"),
            OptionKey::Threads => ("threads", ""),
            OptionKey::ExactDepth => ("exact-depth", "=0|1"),
            OptionKey::Window => ("window", ""),
            OptionKey::EtcDepth => ("etc-depth", ""),
            OptionKey::Etc => ("etc", "=0|1"),
            OptionKey::Range => ("range", "=0|1"),
            OptionKey::Quiescence => ("quiescence", "=0|1"),
            OptionKey::Theory => ("theory", "=0|1"),
            OptionKey::Selective => ("selective", "=0|1"),
            OptionKey::Traps => ("traps", "=0|1"),
            OptionKey::Tablebase => ("tablebase", "=0|1"),
            OptionKey::Book => ("book", "=0|1"),
            OptionKey::Proofs => ("proofs", "=0|1"),
            OptionKey::ProbCut => ("probcut", "=0|1"),
            OptionKey::Contempt => ("contempt", "=0..1000"),
            OptionKey::Memory => ("memory", " (MiB; 2048 if left out)"),
            OptionKey::Listen => ("listen", "=ADDRESS:PORT (127.0.0.1:2671 if left out)"),
            OptionKey::Wait => ("wait", "=TIME (60s if left out)"),
        }
    }

    /// Whether it limits a move.
    pub const fn is_limit(self) -> bool {
        matches!(
            self,
            OptionKey::Time | OptionKey::Depth | OptionKey::Nodes | OptionKey::Playouts
        )
    }
}
