//! The program as those meet it who start it: one binary, so that it is linked once.

mod arena;
mod commands;
#[cfg(target_os = "linux")]
mod faults;
mod hostile;
mod play;
mod report;
mod support;
mod tune;
mod ugi;
