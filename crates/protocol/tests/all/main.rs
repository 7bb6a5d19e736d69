//! Tests of engines and what they say. They are one program: compiling and linking many takes longer than running them.

mod hostile;
mod kgp;
mod text;
