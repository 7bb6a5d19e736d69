//! Experiments to begin with: files with remarks that `kalahari init` writes.

use kalahari_arena::named;

/// A file to begin with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Template {
    /// All bots of a class against each other.
    ClassTournament,
    /// Is this version better than that one?
    Match,
    /// Good values for parameters.
    Tune,
    /// Positions with labels.
    Dataset,
    /// A proof.
    Prove,
    /// An opening book.
    Book,
}

named!(
    Template,
    "there are class-tournament, match, tune, dataset, prove and book",
    ClassTournament "class-tournament",
    Match "match",
    Tune "tune",
    Dataset "dataset",
    Prove "prove",
    Book "book",
);

impl Template {
    /// The file.
    pub(crate) const fn text(self) -> &'static str {
        match self {
            Template::ClassTournament => include_str!("templates/class-tournament.toml"),
            Template::Match => include_str!("templates/match.toml"),
            Template::Tune => include_str!("templates/tune.toml"),
            Template::Dataset => include_str!("templates/dataset.toml"),
            Template::Prove => include_str!("templates/prove.toml"),
            Template::Book => include_str!("templates/book.toml"),
        }
    }

    /// What to do before running it.
    pub(crate) const fn advice(self) -> &'static str {
        match self {
            Template::ClassTournament => {
                "Put the bots into the folder bots beside it: a Python file each, or a folder each with an ai.py."
            }
            _ => "Change what you like; comments explain the lines.",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Cli;
    use crate::experiment::Experiment;
    use clap::Parser;

    #[test]
    fn every_template_is_an_experiment() {
        for template in Template::ALL {
            let read = Experiment::read(template.text());
            let read = read.unwrap_or_else(|error| panic!("{template}: {error}"));
            for step in &read.steps {
                let words = ["kalahari"]
                    .into_iter()
                    .chain(step.arguments.iter().map(String::as_str));
                if let Err(error) = Cli::try_parse_from(words) {
                    panic!("{template}: {error}");
                }
            }
        }
    }
}
