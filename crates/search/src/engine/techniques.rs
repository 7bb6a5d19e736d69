//! What the engine does beyond plain principal variation search.

use crate::parameters::ETC_DEPTH;

/// Which techniques are in use. All but plain principal variation search can be switched off.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Techniques {
    /// Values from the table are taken only at exactly the same depth, and nothing looks beyond the depth
    /// asked for: the value is plain minimax's.
    pub exact_depth: bool,
    /// Children are looked up in the table before any is searched.
    pub etc: bool,
    /// Looking up all children costs more than it saves with fewer plies than this to go.
    pub etc_depth: i32,
    /// Subtrees whose seeds cannot bring the value into the window are cut.
    pub range_cuts: bool,
    /// Leaves play on while the mover can earn extra turns.
    pub quiescence: bool,
    /// Positions that the game's theory knows are not searched.
    pub theory: bool,
    /// Where there are very many moves, only those that [`worth_trying`](crate::MoveOrdering::worth_trying) names are searched below the root.
    pub selective: bool,
    /// A position that cannot be won is played for mistakes of the opponent.
    pub traps: bool,
    /// Searches a few plies shallower cut off what they show to be far outside the window, where the evaluation says how far
    /// that is, and unless a depth is asked for. Then the engine proves next to nothing by itself.
    pub probcut: bool,
    /// Where there is a source of proofs, it is asked early.
    pub proofs_first: bool,
    /// How much worse than a proven draw a move may look that is played instead of it, in points of the evaluation.
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
    /// Only what keeps the value that of plain minimax at the same depth.
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
