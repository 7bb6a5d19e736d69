//! Pieces made in any order and joined in any order give the whole result; invalid files are refused by name.

mod books;
mod contradictions;
mod findings;
mod forged;
mod non_files;
mod support;
mod unsound;
mod whole;
