//! What the engine does beyond plain principal variation search.

use crate::parameters::ETC_DEPTH;

/// Which techniques are in use. All but plain principal variation search can be switched off.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Techniques {
    /// Values from the table are used only at exactly the same depth, and nothing is searched beyond the depth
    /// asked for: the value is that of plain minimax.
    pub exact_depth: bool,
    /// Children are looked up in the table before any is searched.
    pub etc: bool,
    /// With fewer plies to go than this, looking up all children costs more than it saves.
    pub etc_depth: i32,
    /// Subtrees are cut if the seeds left in them cannot bring the value into the window.
    pub range_cuts: bool,
    /// Leaves play on while the mover can earn extra turns.
    pub quiescence: bool,
    /// Positions whose value the game's theory knows are not searched.
    pub theory: bool,
    /// Below the root, a node with very many moves searches only those that
    /// [`worth_trying`](crate::MoveOrdering::worth_trying) names.
    pub selective: bool,
    /// In a position that cannot be won, the engine sets traps for the opponent.
    pub traps: bool,
    /// ProbCut: shallower searches cut off subtrees that they show to be far outside the window. Used only where the evaluation
    /// says how far that is, and not if a depth is asked for. With it the engine itself proves next to nothing.
    pub probcut: bool,
    /// Where there is a source of proofs, it is asked early.
    pub proofs_first: bool,
    /// How much worse than a proven draw a move may look and still be preferred to it, in points of the evaluation.
    pub contempt: i32,
}

impl Default for Techniques {
    fn default() -> Self {
        Techniques {
            exact_depth: false,
            etc: true,
            etc_depth: ETC_DEPTH.value as i32,
            range_cuts: true,
            quiescence: true,
            theory: true,
            selective: true,
            traps: true,
            probcut: false,
            proofs_first: false,
            contempt: 0,
        }
    }
}

impl Techniques {
    /// Only the techniques that keep the value of plain minimax at the same depth.
    pub fn exact_depth() -> Self {
        Techniques {
            exact_depth: true,
            range_cuts: false,
            quiescence: false,
            theory: false,
            selective: false,
            traps: false,
            ..Techniques::default()
        }
    }
}
