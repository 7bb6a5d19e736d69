//! Pieces made in any order, joined in any order, are the whole; what is not sound is refused by name.

mod books;
mod contradictions;
mod findings;
mod forged;
mod non_files;
mod support;
mod unsound;
mod whole;
