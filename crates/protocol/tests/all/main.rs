//! Tests of engines and protocols. They are one program, because compiling and linking many would take longer than running them.

mod hostile;
mod kgp;
mod text;
