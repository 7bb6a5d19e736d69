//! Experiments in shards: any number of machines, in any order, get the same results as one machine.

mod games;
mod kinds;
mod place;
mod plans;
mod slurm;
mod tables;
