//! The agents there are, for lists and for error messages.

/// A kind of agent.
#[derive(Clone, Copy, Debug)]
pub struct Kind {
    /// Its name in a spec.
    pub name: &'static str,
    /// What it is, in a line.
    pub about: &'static str,
    /// Its options, in a line.
    pub options: &'static str,
}

/// Every kind of agent.
pub const KINDS: &[Kind] = &[
    Kind {
        name: "random",
        about: "any legal move",
        options: "seed",
    },
    Kind {
        name: "level",
        about: "level:0 to level:12: 0 is random, k is alpha-beta to depth k on stores or mobility; an extra turn costs 2 plies",
        options: "seed, time (after which the deepest finished search decides)",
    },
    Kind {
        name: "minimax",
        about: "plain minimax, left to right, no table",
        options: "depth, nodes, time, eval, extra=1|2, the evaluation's parameters",
    },
    Kind {
        name: "alphabeta",
        about: "plain alpha-beta, left to right, no table",
        options: "depth, nodes, time, eval, extra=1|2, the evaluation's parameters",
    },
    Kind {
        name: "mcts",
        about: "Monte Carlo tree search with implicit minimax backups",
        options: "time, playouts, alpha, c, reuse=0|1, solver=0|1, playout=random|greedy|cut:K, hash (MiB), seed",
    },
    Kind {
        name: "engine",
        about: "the strongest player: principal variation search with a lossless table",
        options: "depth, nodes, time, eval, threads, hash (MiB), exact-depth=0|1, the evaluation's parameters, window, etc-depth, etc, range, quiescence, theory, selective, traps, tablebase, book (0|1), contempt=0..1000",
    },
    Kind {
        name: "perfect",
        about: "a proven best move by book, tablebase and solver; an unproven one, and it says so, when the time (10s) is too short",
        options: "time, threads, hash (MiB)",
    },
    Kind {
        name: "seed000",
        about: "a course's Kalah player: alpha-beta to depth 6 on `weighted`",
        options: "depth, time, nodes",
    },
    Kind {
        name: "seed001",
        about: "a course's Kalah player: Monte Carlo tree search as it was shipped, 2 s a move",
        options: "time, playouts, depth (no effect)",
    },
    Kind {
        name: "seed002",
        about: "a course's Isolation player: alpha-beta deeper and deeper on `phased`, 500 ms a move",
        options: "depth, time, nodes",
    },
    Kind {
        name: "seed003",
        about: "a course's Kalah player: level 5",
        options: "depth, time, nodes",
    },
    Kind {
        name: "seed004",
        about: "a course's Kalah player: alpha-beta to depth 9 on `again`",
        options: "depth, time, nodes",
    },
    Kind {
        name: "ugi",
        about: "ugi:COMMAND: any program that speaks the universal game interface; limits come from the command's flags",
        options: "none; everything to the end is the command, split like a shell does",
    },
];
