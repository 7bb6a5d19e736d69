//! Who may come in: connections are counted, in all and of every address.

use crate::app::Limits;
use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, PoisonError};

/// Counts connections, in all and of every address.
pub(crate) struct Doors {
    inside: Arc<Mutex<HashMap<IpAddr, usize>>>,
    most: usize,
    most_of_address: usize,
}

/// One connection that is counted as long as this lives.
#[derive(Debug)]
pub(crate) struct Pass {
    inside: Arc<Mutex<HashMap<IpAddr, usize>>>,
    address: IpAddr,
}

impl Doors {
    pub(crate) fn new(limits: &Limits) -> Self {
        Doors {
            inside: Arc::default(),
            most: limits.connections,
            most_of_address: limits.connections_per_address,
        }
    }

    /// A pass, unless there are too many already.
    pub(crate) fn enter(&self, address: IpAddr) -> Option<Pass> {
        let mut inside = self.inside.lock().unwrap_or_else(PoisonError::into_inner);
        let all: usize = inside.values().sum();
        let own = inside.get(&address).copied().unwrap_or(0);
        if all >= self.most || own >= self.most_of_address {
            return None;
        }
        inside.insert(address, own + 1);
        Some(Pass {
            inside: Arc::clone(&self.inside),
            address,
        })
    }
}

impl Pass {
    /// Where the connection comes from.
    pub(crate) fn address(&self) -> IpAddr {
        self.address
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
