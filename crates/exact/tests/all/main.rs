//! Tests of proofs. They are one program: compiling and linking many takes longer than running them.

mod book;
mod files;
mod isolation;
mod narrow;
mod prover;
mod solver;
mod tablebase;
