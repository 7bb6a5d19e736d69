//! Tests of matches, records and the store. They are one program: compiling and linking many takes longer than running them.

mod identity;
mod matches;
mod records;
mod simulation;
mod store;
