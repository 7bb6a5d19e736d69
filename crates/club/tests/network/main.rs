//! Both sides of the protocol over real connections: our host with Python clients, some of them hostile; our agents with
//! a faulty Python server; and our two sides with each other.

mod practice;
mod siege;
mod support;
mod tournaments;
mod visits;
