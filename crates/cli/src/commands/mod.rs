//! One file a command.

pub(crate) mod agents;
pub(crate) mod analyze;
pub(crate) mod bench;
pub(crate) mod book;
pub(crate) mod eval;
pub(crate) mod games;
pub(crate) mod matches;
pub(crate) mod nodes;
pub(crate) mod params;
pub(crate) mod perft;
pub(crate) mod play;
pub(crate) mod puzzles;
pub(crate) mod records;
pub(crate) mod report;
pub(crate) mod reproduce;
pub(crate) mod selftest;
pub(crate) mod serve;
pub(crate) mod show;
pub(crate) mod solve;
pub(crate) mod solved;
pub(crate) mod sprt;
pub(crate) mod tablebase;
pub(crate) mod tournament;
pub(crate) mod tune;
pub(crate) mod ugi;
pub(crate) mod watch;
