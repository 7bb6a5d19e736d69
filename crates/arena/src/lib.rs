//! Matches between agents: who is better, and by how much.

pub mod stats;
