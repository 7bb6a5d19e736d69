//! Nets that judge Kalah positions: what they are, how they are computed in integers, and their files.
//!
//! A [`Net`] says how the seeds in play will be shared: the margin that the player to move can expect on top of the
//! stores. It has been learned; `kalahari-train` makes such nets. Here is only what a search needs.
//!
//! ```text
//!    every pit and its content  ->  a row of numbers, one for each hidden unit
//!    hidden unit                 =  bias + its numbers in the rows of all pits, clipped to 0..1
//!    value                       =  the hidden units, weighted by the seeds in play
//!                                   + one number for every pit and its content
//! ```

#![forbid(unsafe_code)]

mod file;
mod net;
mod shape;
mod shipped;

pub use file::{KIND, NetFile, Origin};
pub use net::{Lanes, Net, Unsound, Weights};
pub use shape::{BUCKETS, CONTENTS, LANES, MAX_HIDDEN, POINT, Places, Shape, bucket};
pub use shipped::{give_net, missing_net, shipped_files, shipped_net, shipped_nets};
