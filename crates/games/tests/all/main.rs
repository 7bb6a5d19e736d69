//! Tests of the rules. They are one program: compiling and linking many takes longer than running them.

mod any;
mod conformance;
mod oracles;
mod story;
mod text;
mod vectors;
