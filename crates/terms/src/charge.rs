//! Which account work is charged to.

use crate::{Budget, Stop};

/// The account to which helper work is charged: that of a search, or only its request to stop.
pub trait Charge {
    /// Charges one node and returns whether to give up. Once this is true, it stays true.
    fn charge_node(&mut self) -> bool;
}

impl Charge for Budget {
    #[inline]
    fn charge_node(&mut self) -> bool {
        self.count_node()
    }
}

/// Nodes are free; only the request ends the work.
impl Charge for Stop {
    #[inline]
    fn charge_node(&mut self) -> bool {
        self.look()
    }
}
