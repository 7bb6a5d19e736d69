//! Tests of analysis, review and puzzles. They are one program: compiling and linking many takes longer than running them.

mod analysis;
mod judgement;
mod puzzles;
mod turnstile;
