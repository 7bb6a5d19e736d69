//! The program as clap knows it, with whole paragraphs in its help.
//!
//! The text after a command's options has line breaks where lines of the source end. Terminals have other widths, so here the lines of a
//! paragraph become one again, and clap breaks it to fit the terminal.

use crate::Cli;
use clap::{Command, CommandFactory};

/// The whole program.
pub(crate) fn program() -> Command {
    with_paragraphs(Cli::command())
}

fn with_paragraphs(command: Command) -> Command {
    let after = command.get_after_help().map(ToString::to_string);
    let command = match after {
        Some(text) => command.after_help(paragraphs(&text)),
        None => command,
    };
    command.mut_subcommands(with_paragraphs)
}

/// The same text with each paragraph in one line. Indented lines, such as examples, stay as they are, and so do titles above them.
fn paragraphs(text: &str) -> String {
    let mut joined = String::new();
    let mut goes_on = false;
    for line in text.lines() {
        let is_prose = !line.is_empty() && !line.starts_with(' ');
        if !joined.is_empty() {
            joined.push(if goes_on && is_prose { ' ' } else { '\n' });
        }
        joined.push_str(line);
        goes_on = is_prose && !line.ends_with(':');
    }
    joined
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paragraphs_are_joined_and_examples_are_not() {
        let text = "Examples:\n  kalahari play\n  kalahari games\n\nOne sentence\nin two lines.\n\nAnother.";
        let joined = "Examples:\n  kalahari play\n  kalahari games\n\nOne sentence in two lines.\n\nAnother.";
        assert_eq!(paragraphs(text), joined);
        assert_eq!(paragraphs(joined), joined);
    }
}
