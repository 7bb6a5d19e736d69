//! Tests of specs and the players made of them. They are one program, because compiling and linking many would take longer than running them.

mod book;
mod guest;
mod identity;
mod kgp;
mod level;
mod limits;
mod options;
mod perfect;
mod proofs;
mod proven;
#[cfg(unix)]
mod python;
mod thinker;
mod ugi;
