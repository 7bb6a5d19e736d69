//! Limits the number of connections, in all and per address.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, PoisonError};

type Inside = Arc<Mutex<HashMap<IpAddr, usize>>>;

/// Counts the connections of a server that is open to anyone.
#[derive(Debug)]
pub struct Doors {
    inside: Inside,
    most: usize,
    most_of_address: usize,
}

/// An accepted connection. It is counted until this value is dropped.
#[derive(Debug)]
pub struct Pass {
    inside: Inside,
    address: IpAddr,
}

impl Doors {
    /// Doors for at most `most` connections in all, and `most_of_address` from each address.
    pub fn new(most: usize, most_of_address: usize) -> Self {
        Doors {
            inside: Arc::default(),
            most,
            most_of_address,
        }
    }

    /// A pass for a new connection; `None` if there are too many connections already.
    pub fn enter(&self, address: IpAddr) -> Option<Pass> {
        let mut inside = self.inside.lock().unwrap_or_else(PoisonError::into_inner);
        let all: usize = inside.values().sum();
        let own = inside.get(&address).copied().unwrap_or(0);
        // A refused connection must not leave an entry in the map.
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
    pub fn address(&self) -> IpAddr {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn refused_connections_leave_no_entry() {
        let doors = Doors::new(2, 1);
        let address = |last| IpAddr::from([127, 0, 0, last]);
        let first = doors.enter(address(1));
        assert!(first.is_some() && doors.enter(address(1)).is_none());
        let second = doors.enter(address(2));
        assert_eq!(second.as_ref().map(Pass::address), Some(address(2)));
        assert!((3..200).all(|last| doors.enter(address(last)).is_none()));
        let known = || doors.inside.lock().expect("no panic").len();
        assert_eq!(known(), 2);
        drop((first, second));
        assert_eq!(known(), 0);
        assert!(doors.enter(address(1)).is_some());
    }
}
