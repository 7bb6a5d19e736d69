//! Hostile input for readers of text and files.
//!
//! A [`Target`] is a reader as the program uses it. It is given arbitrary bytes: it may refuse them, but it must not panic,
//! hang or use up memory, and whatever it accepts must round-trip. The ordinary tests give it ten thousand
//! [mutations](Mutator) of good inputs; the fuzzer in `fuzz/` gives it any number, guided by coverage.

#![forbid(unsafe_code)]

mod data;
mod files;
mod mutator;
mod text;

pub use mutator::Mutator;

/// A reader and the good inputs to start from.
#[derive(Clone, Copy, Debug)]
pub struct Target {
    /// Its name, which is also the name of its folder in `fuzz/corpus`.
    pub name: &'static str,
    /// Reads any bytes. A panic is a finding.
    pub run: fn(&[u8]),
    /// Good inputs besides those of the corpus: files that the program generates.
    pub seeds: fn() -> Vec<Vec<u8>>,
}

fn none() -> Vec<Vec<u8>> {
    Vec::new()
}

const fn target(name: &'static str, run: fn(&[u8])) -> Target {
    Target {
        name,
        run,
        seeds: none,
    }
}

/// Every reader.
pub const TARGETS: [Target; 26] = [
    target("game", text::game),
    target("kalah-position", text::kalah_position),
    target("isolation-position", text::isolation_position),
    target("agent", text::agent),
    target("ugi-command", text::ugi_command),
    target("ugi-answer", text::ugi_answer),
    target("ugi-session", text::ugi_session),
    target("kgp", text::kgp),
    target("record", text::record),
    target("flags", text::flags),
    target("parameters", text::parameters),
    target("specs", text::specs),
    target("puzzles", text::puzzles),
    target("proof", text::proof),
    target("wire", kalahari_web::read_anything),
    Target {
        seeds: files::books,
        ..target("book", files::book)
    },
    Target {
        seeds: files::tables,
        ..target("table-files", files::table_files)
    },
    Target {
        seeds: files::nets,
        ..target("net", files::net)
    },
    target("shard", data::shard),
    target("shard-csv", data::shard_csv),
    target("manifest", data::manifest),
    Target {
        seeds: data::trainings,
        ..target("training", data::training)
    },
    target("pieces", data::pieces),
    target("names", data::names),
    target("openings", data::openings),
    target("weights", data::weights),
];

/// The reader with this name.
pub fn target_of(name: &str) -> Option<Target> {
    TARGETS.into_iter().find(|target| target.name == name)
}
