//! Tests of the searching players. They are one program: compiling and linking many takes longer than running them.

mod agreement;
mod evaluations;
mod limits;
mod published;
mod separation;
mod symmetry;
