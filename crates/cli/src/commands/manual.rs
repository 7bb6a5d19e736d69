//! `kalahari manual`: the description of every command, made from the program itself so that it cannot go stale.

use crate::output;
use anyhow::Context;
use clap::{Arg, Args, Command};
use kalahari_terms::Program;
use std::fmt::Write;
use std::path::PathBuf;

/// Print the manual of all commands, or write man pages
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  kalahari manual
  kalahari manual --markdown > commands.md
  kalahari manual --man ~/.local/share/man/man1")]
pub(crate) struct Manual {
    /// Print Markdown, as in the chapter of the book, instead of plain text
    #[arg(long, conflicts_with = "man")]
    markdown: bool,

    /// Write a man page for every command into this folder, which is made if needed
    #[arg(long, value_name = "FOLDER")]
    man: Option<PathBuf>,
}

impl Manual {
    pub(crate) fn run(self) -> anyhow::Result<()> {
        match self.man {
            Some(folder) => man_pages(program(), &folder),
            None if self.markdown => output::print(&chapter()),
            None => output::print(&plain(program())),
        }
    }
}

/// The chapter of the book.
pub(crate) fn chapter() -> String {
    markdown(&program())
}

/// The whole program, with everything that clap adds when it runs.
fn program() -> Command {
    let mut program = crate::help::program();
    program.build();
    program
}

/// A command's subcommands, without the `help` that clap puts beside them.
fn subcommands(command: &Command) -> impl Iterator<Item = &Command> {
    let shown = |command: &&Command| !command.is_hide_set() && command.get_name() != "help";
    command.get_subcommands().filter(shown)
}

/// A command and everything below it, with their full names, in the order of the help.
fn all<'a>(command: &'a Command, name: &str, found: &mut Vec<(String, &'a Command)>) {
    found.push((name.to_owned(), command));
    for below in subcommands(command) {
        all(below, &format!("{name} {}", below.get_name()), found);
    }
}

fn man_pages(program: Command, folder: &std::path::Path) -> anyhow::Result<()> {
    std::fs::create_dir_all(folder)
        .with_context(|| format!("cannot make the folder {}", folder.display()))?;
    let mut found = Vec::new();
    all(&program, program.get_name(), &mut found);
    for (name, command) in &found {
        let name = name.replace(' ', "-");
        let page = man_page(command, &name)?;
        output::write_whole(&folder.join(format!("{name}.1")), &page)?;
    }
    output::print(&format!("{} pages in {}\n", found.len(), folder.display()))
}

/// A man page with the usual sections. For the text after the options clap_mangen has only a section called EXTRA, so its
/// sections are put together here.
fn man_page(command: &Command, name: &str) -> std::io::Result<Vec<u8>> {
    let man = clap_mangen::Man::new(Command::clone(command))
        .title(name)
        .source(Program::maker());
    let mut page = Vec::new();
    man.render_title(&mut page)?;
    man.render_name_section(&mut page)?;
    man.render_synopsis_section(&mut page)?;
    man.render_description_section(&mut page)?;
    if command
        .get_arguments()
        .any(|argument| !argument.is_hide_set())
    {
        man.render_options_section(&mut page)?;
    }
    if subcommands(command).next().is_some() {
        man.render_subcommands_section(&mut page)?;
    }
    if let Some(after) = command.get_after_help() {
        page.extend(man_sections(&after.to_string()).into_bytes());
    }
    if command.get_version().is_some() {
        man.render_version_section(&mut page)?;
    }
    Ok(page)
}

/// The text after the options as sections of a man page: examples, the exit status, and notes.
fn man_sections(after: &str) -> String {
    let mut text = String::new();
    let mut section = "";
    let mut in_block = false;
    for line in after.trim().lines().filter(|line| !line.is_empty()) {
        let is_indented = line.starts_with(' ');
        if in_block && !is_indented {
            text.push_str(".fi\n.RE\n");
        }
        let (title, line) = match line.strip_prefix("Exit status: ") {
            Some(rest) => ("EXIT STATUS", rest),
            None if line == "Examples:" => ("EXAMPLES", ""),
            None if is_indented => (section, line.trim()),
            None => ("NOTES", line),
        };
        if title != section {
            let _ = writeln!(text, ".SH \"{title}\"");
        } else if !is_indented {
            text.push_str(".PP\n");
        }
        if is_indented && !in_block {
            text.push_str(".RS 4\n.nf\n");
        }
        if !line.is_empty() {
            let _ = writeln!(text, "{}", roff(line));
        }
        (section, in_block) = (title, is_indented);
    }
    if in_block {
        text.push_str(".fi\n.RE\n");
    }
    text
}

/// A line of text for roff: nothing in it is taken for a command, and dashes stay what they are.
fn roff(line: &str) -> String {
    let text = line.replace('\\', "\\e").replace('-', "\\-");
    match text.starts_with(['.', '\'']) {
        true => format!("\\&{text}"),
        false => text,
    }
}

fn plain(program: Command) -> String {
    let mut found = Vec::new();
    all(&program, program.get_name(), &mut found);
    let mut text = String::new();
    for (name, command) in found {
        let help = Command::clone(command).render_long_help();
        let _ = writeln!(text, "== {name}\n\n{help}");
    }
    text
}

fn markdown(program: &Command) -> String {
    let mut text = format!(
        "# The commands\n\nMade by `kalahari manual --markdown` of version {}. `kalahari COMMAND --help` says the same in the terminal.\n\n\
         | command | what it does |\n|---|---|\n",
        kalahari_terms::VERSION,
    );
    for command in subcommands(program) {
        let name = command.get_name();
        let _ = writeln!(
            text,
            "| [`kalahari {name}`](#kalahari-{name}) | {} |",
            about(command)
        );
    }
    let mut found = Vec::new();
    all(program, program.get_name(), &mut found);
    for (name, command) in found.into_iter().skip(1) {
        section(&mut text, &name, command);
    }
    text
}

fn section(text: &mut String, name: &str, command: &Command) {
    let level = if name.matches(' ').count() > 1 {
        "###"
    } else {
        "##"
    };
    let _ = writeln!(text, "\n{level} {name}\n\n{}.\n", about(command));
    let usage = Command::clone(command).render_usage().to_string();
    let usage = usage.trim_start_matches("Usage:").trim();
    let _ = writeln!(text, "```text\n{usage}\n```");
    let shown = |argument: &&Arg| {
        !argument.is_hide_set() && !argument.is_global_set() && argument.get_id() != "help"
    };
    let arguments: Vec<&Arg> = command.get_arguments().filter(shown).collect();
    if !arguments.is_empty() {
        text.push_str("\n| argument | meaning |\n|---|---|\n");
    }
    for argument in arguments {
        let _ = writeln!(text, "| `{}` | {} |", spelled(argument), meaning(argument));
    }
    if let Some(after) = command.get_after_help() {
        after_options(text, &after.to_string());
    }
}

/// The text after the options: paragraphs as they are, indented lines as commands of a shell.
fn after_options(text: &mut String, after: &str) {
    let mut in_block = false;
    for line in after.trim().lines() {
        let is_indented = line.starts_with(' ');
        if is_indented != in_block {
            text.push_str(if is_indented { "\n```sh\n" } else { "```\n" });
            in_block = is_indented;
        }
        match is_indented {
            true => _ = writeln!(text, "{}", line.trim_start()),
            false if line.is_empty() => {}
            false => _ = writeln!(text, "\n{line}"),
        }
    }
    if in_block {
        text.push_str("```\n");
    }
}

fn about(command: &Command) -> String {
    let about = command.get_about().map(ToString::to_string);
    cell(&about.unwrap_or_default())
}

/// How an argument is written on the command line.
fn spelled(argument: &Arg) -> String {
    let values = argument.get_value_names().unwrap_or_default();
    let takes = argument.get_action().takes_values();
    let value = match (takes, values) {
        (false, _) => String::new(),
        (true, []) => argument.get_id().to_string().to_uppercase(),
        (true, names) => names
            .iter()
            .map(|name| name.as_str())
            .collect::<Vec<_>>()
            .join(" "),
    };
    let flag = match (argument.get_short(), argument.get_long()) {
        (Some(short), Some(long)) => format!("-{short}, --{long}"),
        (None, Some(long)) => format!("--{long}"),
        (Some(short), None) => format!("-{short}"),
        (None, None) => return cell(&value),
    };
    cell(format!("{flag} {value}").trim())
}

/// The help of an argument with what is possible and what is usual.
fn meaning(argument: &Arg) -> String {
    let mut text = argument
        .get_help()
        .map(ToString::to_string)
        .unwrap_or_default();
    let possible = argument.get_possible_values();
    let takes = argument.get_action().takes_values();
    if takes && !possible.is_empty() && !argument.is_hide_possible_values_set() {
        let names: Vec<&str> = possible.iter().map(|value| value.get_name()).collect();
        let _ = write!(text, " (one of {})", names.join(", "));
    }
    let defaults = argument.get_default_values();
    if takes && !defaults.is_empty() && !argument.is_hide_default_value_set() {
        let names: Vec<_> = defaults
            .iter()
            .map(|value| value.to_string_lossy())
            .collect();
        let _ = write!(text, " [default: {}]", names.join(" "));
    }
    cell(&text)
}

/// A text as one cell of a table.
fn cell(text: &str) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    line.replace('|', "\\|")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_command_has_a_section_and_every_section_says_something() {
        let program = program();
        let text = markdown(&program);
        for command in subcommands(&program) {
            let name = command.get_name();
            assert!(
                text.contains(&format!("\n## kalahari {name}\n\n")),
                "{name}"
            );
            assert!(about(command).len() > 10, "{name}");
        }
        assert!(!text.contains("\n\n.\n"), "a command without a description");
    }

    #[test]
    fn man_pages_are_written() {
        let folder = tempfile::tempdir().expect("a folder");
        man_pages(program(), folder.path()).expect("written");
        let page = std::fs::read_to_string(folder.path().join("kalahari-tune-run.1"));
        let page = page.expect("a page");
        let head = page.lines().find(|line| line.starts_with(".TH"));
        let version = Program::this().to_string();
        let is_named = |head: &str| head.contains("kalahari-tune-run") && head.contains(&version);
        assert!(head.is_some_and(is_named), "{page}");
        let titles = |name: &str| -> Vec<String> {
            let page = std::fs::read_to_string(folder.path().join(name)).expect("a page");
            let titles = page.lines().filter_map(|line| line.strip_prefix(".SH "));
            titles
                .map(|title| title.trim_matches('"').to_owned())
                .collect()
        };
        let usual = ["NAME", "SYNOPSIS", "DESCRIPTION", "OPTIONS"];
        assert_eq!(titles("kalahari-tune-run.1")[..4], usual);
        assert_eq!(
            titles("kalahari-match.1"),
            [&usual[..], &["EXAMPLES", "NOTES"]].concat()
        );
        let last = ["SUBCOMMANDS", "EXAMPLES", "EXIT STATUS", "VERSION"];
        assert_eq!(titles("kalahari.1"), [&usual[..], &last].concat());
    }

    #[test]
    fn the_text_after_the_options_becomes_sections() {
        let after = "Examples:\n  kalahari show --ply 2\n  .x \\n\n\nOne. Two.\n\nThree.\n\nExit status: 0 done";
        let page = [
            ".SH \"EXAMPLES\"",
            ".RS 4",
            ".nf",
            "kalahari show \\-\\-ply 2",
            "\\&.x \\en",
            ".fi",
            ".RE",
            ".SH \"NOTES\"",
            "One. Two.",
            ".PP",
            "Three.",
            ".SH \"EXIT STATUS\"",
            "0 done",
        ];
        let page: String = page.iter().map(|line| format!("{line}\n")).collect();
        assert_eq!(man_sections(after), page);
    }
}
