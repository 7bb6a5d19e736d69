//! The options that specs may have.

/// An option `key=value` of a spec.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum OptionKey {
    /// A value without a key: a level, a file, a client's name.
    Bare,
    /// The time for a move.
    Time,
    /// The depth of the search.
    Depth,
    /// The maximum number of nodes of a search.
    Nodes,
    /// The maximum number of playouts of a search.
    Playouts,
    /// The seed of all random choices.
    RngSeed,
    /// The evaluation.
    Eval,
    /// How many plies of depth an extra turn costs.
    Extra,
    /// The weight of the heuristic value in MCTS.
    Alpha,
    /// How much MCTS explores.
    Exploration,
    /// Whether MCTS keeps its tree for the next move.
    Reuse,
    /// Whether MCTS proves results.
    Solver,
    /// How MCTS chooses the moves of a playout.
    Playout,
    /// The size of a transposition table, or of the tree of MCTS, in MiB.
    Hash,
    /// The number of threads.
    Threads,
    /// Whether the engine searches to whole depths only.
    ExactDepth,
    /// Half the width of the engine's first aspiration window.
    Window,
    /// The least depth for enhanced transposition cutoffs.
    EtcDepth,
    /// Enhanced transposition cutoffs.
    Etc,
    /// Whether the engine cuts subtrees whose remaining seeds cannot bring the value into the window.
    Range,
    /// Whether the engine plays on extra turns at leaves.
    Quiescence,
    /// Whether the engine computes the value of Isolation positions with separated pieces instead of searching them.
    Theory,
    /// Whether the engine searches only some of the moves at nodes that have many.
    Selective,
    /// Whether the engine plays for mistakes of the opponent in positions that cannot be won.
    Traps,
    /// Whether the engine uses tablebases.
    Tablebase,
    /// Whether the engine uses opening books.
    Book,
    /// Whether the engine spends a part of its time on proofs.
    Proofs,
    /// Whether the engine cuts by the results of shallower searches (ProbCut).
    ProbCut,
    /// How much the engine may risk to avoid a draw.
    Contempt,
    /// The memory limit of a Python agent's process, in MiB.
    Memory,
    /// The address at which a client connects.
    Listen,
    /// How long to wait for a client.
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

    /// The option with this name; `None` if there is none. Parameters of evaluations are not options.
    pub fn by_name(name: &str) -> Option<Self> {
        OptionKey::ALL.into_iter().find(|key| key.name() == name)
    }

    /// Its name in a spec.
    pub const fn name(self) -> &'static str {
        self.words().0
    }

    /// Its name and the form of its values, for help texts.
    pub fn usage(self) -> String {
        let (name, values) = self.words();
        format!("{name}{values}")
    }

    /// Its name and the form of its values.
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
