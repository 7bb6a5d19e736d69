//! Tests of the program from outside. They are one binary, so that it is linked only once.

mod about;
mod arena;
mod commands;
mod dataset;
#[cfg(target_os = "linux")]
mod ends;
#[cfg(unix)]
mod examples;
#[cfg(target_os = "linux")]
mod faults;
mod hostile;
#[cfg(target_os = "linux")]
mod kept;
mod kgp;
#[cfg(target_os = "linux")]
mod kills;
#[cfg(target_os = "linux")]
mod memory;
mod play;
mod prove;
mod rarely;
mod rate;
mod report;
mod review;
mod shards;
mod status;
mod student;
mod support;
mod tables;
mod train;
mod tune;
mod ugi;
