//! How many connections there may be, in all and of every address.

use super::HostLimits;
use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, PoisonError};

type Inside = Arc<Mutex<HashMap<IpAddr, usize>>>;

/// Counts connections.
pub(super) struct Doors {
    inside: Inside,
    most: usize,
    most_of_address: usize,
}

/// A connection that is counted as long as this lives.
pub(super) struct Pass {
    inside: Inside,
    address: IpAddr,
}

impl Doors {
    pub(super) fn new(limits: &HostLimits) -> Self {
        Doors {
            inside: Arc::default(),
            most: limits.connections,
            most_of_address: limits.connections_per_address,
        }
    }

    /// A pass, unless there are too many already.
    pub(super) fn enter(&self, address: IpAddr) -> Option<Pass> {
        let mut inside = self.inside.lock().unwrap_or_else(PoisonError::into_inner);
        let all: usize = inside.values().sum();
        let own = inside.entry(address).or_default();
        if all >= self.most || *own >= self.most_of_address {
            return None;
        }
        *own += 1;
        Some(Pass {
            inside: Arc::clone(&self.inside),
            address,
        })
    }
}

impl Drop for Pass {
    fn drop(&mut self) {
        let mut inside = self.inside.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(own) = inside.get_mut(&self.address) {
            *own -= 1;
            if *own == 0 {
                inside.remove(&self.address);
            }
        }
    }
}
