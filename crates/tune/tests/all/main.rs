//! Tests of tuning runs through the public interface.

mod desk;
mod identity;
