//! Tuning runs as others use them.

mod desk;
mod identity;
