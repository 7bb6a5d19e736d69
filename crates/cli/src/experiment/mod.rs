//! One file per experiment: TOML in, commands out.
//!
//! A file has a table for every step (`[match]`, `[tournament]`, ...), whose keys are the options of that command by their names,
//! and `[agents]`, a list of names and specs. Several steps of a kind are `[[match]]`, each with its own table; they are done one
//! after the other, at the place of the first. Keys above the tables apply to every step that has such an option. So every option
//! has one reader, that of the command line, and an experiment can use every option that a command has.
//!
//! ```toml
//! title = "Does the deeper one win?"
//! game = "kalah:6x4"
//! db = "games.db"
//! out = "results"
//!
//! [agents]
//! deep = "engine:depth=8"
//! flat = "engine:depth=4"
//!
//! [match]
//! agents = ["deep", "flat"]
//! pairs = 100
//! ```

mod options;
mod templates;

pub(crate) use templates::Template;

use kalahari_agents::NamedAgent;
use kalahari_arena::named;
use options::Options;
use std::path::{Path, PathBuf};
use thiserror::Error;
use toml::{Table, Value};

/// What a step does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum StepKind {
    /// Two agents.
    Match,
    /// Many agents.
    Tournament,
    /// How strong an agent is.
    Rate,
    /// What agents give away.
    Review,
    /// Search for the best values of parameters.
    Tune,
    /// Make positions with labels.
    Dataset,
    /// Prove a bound.
    Prove,
    /// Build an opening book.
    Book,
    /// Draw a store.
    Report,
}

/// Which steps there are, for messages.
const STEPS: &str =
    "steps are match, tournament, rate, review, tune, dataset, prove, book and report";

named!(
    StepKind,
    "steps are match, tournament, rate, review, tune, dataset, prove, book and report",
    Match "match",
    Tournament "tournament",
    Rate "rate",
    Review "review",
    Tune "tune",
    Dataset "dataset",
    Prove "prove",
    Book "book",
    Report "report",
);

impl StepKind {
    /// The words that name the command.
    pub(crate) fn command(self) -> &'static [&'static str] {
        match self {
            StepKind::Match => &["match"],
            StepKind::Tournament => &["tournament"],
            StepKind::Rate => &["rate"],
            StepKind::Review => &["review"],
            StepKind::Tune => &["tune", "run"],
            StepKind::Dataset => &["dataset", "build"],
            StepKind::Prove => &["prove"],
            StepKind::Book => &["book", "build"],
            StepKind::Report => &["report"],
        }
    }

    /// Whether its command takes `NAME=SPEC` for an agent.
    pub(crate) fn takes_names(self) -> bool {
        self.plays_games() || self == StepKind::Rate
    }

    /// Whether its command plays agents against each other, and can say what it would do.
    pub(crate) fn plays_games(self) -> bool {
        matches!(self, StepKind::Match | StepKind::Tournament)
    }
}

/// A step: a command and its arguments.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Step {
    pub(crate) kind: StepKind,
    /// Everything behind the name of the program.
    pub(crate) arguments: Vec<String>,
}

/// An experiment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Experiment {
    /// What it is called; may be empty.
    pub(crate) title: String,
    /// The folder for what its steps find, if it wants one.
    pub(crate) out: Option<PathBuf>,
    /// The steps in the order of the file.
    pub(crate) steps: Vec<Step>,
    /// The file, word for word.
    pub(crate) text: String,
}

/// What is wrong with an experiment's file.
#[derive(Debug, Error)]
pub(crate) enum ExperimentError {
    /// It is not TOML.
    #[error("{0}")]
    Toml(String),
    /// Nothing to do.
    #[error("there is no step in it; {STEPS}, such as [match]")]
    NoStep,
    /// A table that is not a step.
    #[error("there is no [{0}]; {STEPS}, and [agents] has names and specs")]
    NoSuchStep(String),
    /// A key that a step's command does not have.
    #[error("[{step}] has no key '{key}'; it has {known}")]
    NoSuchKey {
        step: &'static str,
        key: String,
        known: String,
    },
    /// A key above all tables that no step has.
    #[error("no step of this experiment has a key '{0}'")]
    Unused(String),
    /// A value of the wrong type.
    #[error("{key} is {wanted}")]
    Value { key: String, wanted: &'static str },
    /// No agents are named.
    #[error("[{step}] needs {wanted}")]
    Missing {
        step: &'static str,
        wanted: &'static str,
    },
    /// Two keys that say the same.
    #[error("[{0}] has games or pairs, not both")]
    GamesAndPairs(&'static str),
}

impl ExperimentError {
    fn value(key: &str, wanted: &'static str) -> Self {
        let key = key.to_owned();
        ExperimentError::Value { key, wanted }
    }
}

impl Experiment {
    /// Reads a file's text. The values of options are read when a step begins.
    pub(crate) fn read(text: &str) -> Result<Self, ExperimentError> {
        let table: Table = text.parse().map_err(|error: toml::de::Error| {
            let lines = error.to_string();
            // The first line says where, the last line what; the lines between repeat the text.
            let lines: Vec<&str> = lines.lines().map(str::trim).collect();
            let (first, last) = (lines.first(), lines.last());
            let words = [first, last.filter(|_| lines.len() > 1)];
            let words: Vec<&str> = words.into_iter().flatten().copied().collect();
            ExperimentError::Toml(words.join(": "))
        })?;
        let mut experiment = Experiment {
            title: String::new(),
            out: None,
            steps: Vec::new(),
            text: text.to_owned(),
        };
        let (mut agents, mut shared, mut steps) = (Table::new(), Table::new(), Vec::new());
        for (key, value) in table {
            match (key.as_str(), value) {
                ("title", value) => experiment.title = string(&key, value)?,
                ("out", Value::String(text)) if text.trim().is_empty() => {
                    return Err(ExperimentError::value(&key, "the name of a folder"));
                }
                ("out", value) => experiment.out = Some(string(&key, value)?.into()),
                ("agents", Value::Table(list)) => agents = list,
                (name, value) if is_step(&value) => {
                    let kind = name.parse::<StepKind>();
                    let kind = kind.map_err(|_| ExperimentError::NoSuchStep(key.clone()))?;
                    steps.extend(tables(value).map(|own| (kind, own)));
                }
                (_, value) => {
                    shared.insert(key, value);
                }
            }
        }
        if steps.is_empty() {
            return Err(ExperimentError::NoStep);
        }
        let mut unused: Vec<String> = shared.keys().cloned().collect();
        for (kind, own) in steps {
            let options = Options::of(kind);
            for (key, _) in &shared {
                if options.has(key) {
                    unused.retain(|unused| unused != key);
                }
            }
            let arguments = options.arguments(&agents, &shared, own)?;
            experiment.steps.push(Step { kind, arguments });
        }
        match unused.into_iter().next() {
            Some(key) => Err(ExperimentError::Unused(key)),
            None => Ok(experiment),
        }
    }

    /// How messages name a step: `[match]`, or `[[match]] 2` for the second of several.
    pub(crate) fn step_name(&self, number: usize) -> String {
        let kind = self.steps[number].kind;
        let alike = |steps: &[Step]| steps.iter().filter(|step| step.kind == kind).count();
        match alike(&self.steps) {
            1 => format!("[{kind}]"),
            _ => format!("[[{kind}]] {}", alike(&self.steps[..=number])),
        }
    }

    /// What a step's results are called in the folder `out`, without an extension.
    pub(crate) fn result_file(out: &Path, number: usize, step: &Step) -> PathBuf {
        out.join(format!("{}-{}", number + 1, step.kind))
    }
}

/// Whether a value is a table, or a list of tables: `[match]` or `[[match]]`.
fn is_step(value: &Value) -> bool {
    match value {
        Value::Table(_) => true,
        Value::Array(list) => !list.is_empty() && list.iter().all(Value::is_table),
        _ => false,
    }
}

/// The tables of a step, with the keys as the command line writes them.
fn tables(value: Value) -> impl Iterator<Item = Table> {
    let list = match value {
        Value::Array(list) => list,
        one => vec![one],
    };
    list.into_iter().map(|value| {
        let own = match value {
            Value::Table(own) => own,
            _ => Table::new(),
        };
        let own = own.into_iter();
        own.map(|(key, value)| (key.replace('_', "-"), value))
            .collect()
    })
}

/// A text, or what is wrong.
fn string(key: &str, value: Value) -> Result<String, ExperimentError> {
    match value {
        Value::String(text) => Ok(text),
        _ => Err(ExperimentError::value(key, "a text in quotes")),
    }
}

impl Step {
    /// The command line that does the same.
    pub(crate) fn command_line(&self) -> String {
        let quoted = self.arguments.iter().map(|word| quote(word));
        format!("kalahari {}", quoted.collect::<Vec<_>>().join(" "))
    }
}

/// An agent as a user would type it: for a Python file, the path is enough.
pub(crate) fn agent_word(agent: &NamedAgent) -> String {
    let text = agent.to_string();
    let path = text
        .strip_prefix("py:")
        .filter(|path| path.ends_with(".py") && !path.contains('='));
    quote(path.unwrap_or(&text))
}

/// A word as a shell reads it back.
pub(crate) fn quote(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_=:,./+%@".contains(c);
    match !word.is_empty() && word.chars().all(plain) {
        true => word.to_owned(),
        false => format!("'{}'", word.replace('\'', "'\\''")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<Vec<String>> {
        let read = Experiment::read(text).expect("an experiment");
        let steps = read.steps.into_iter();
        steps.map(|step| step.arguments).collect()
    }

    #[test]
    fn steps_are_commands() {
        let steps = words(
            r#"
title = "x"
game = "kalah:6x4"
seed = 7
db = "games.db"

[agents]
deep = "engine:depth=8"
"my bot" = "bots/x.py"

[tournament]
agents = ["deep", "my bot", "level:3"]
pairs = 10

[match]
agents = ["my bot", "random"]
time = "100ms"
sprt = "elo0=0,elo1=10"
db = "other.db"
mix = true

[prove]
at-least = -2
value = false
"#,
        );
        assert_eq!(
            steps[0],
            [
                "tournament",
                "--game=kalah:6x4",
                "--seed=7",
                "--db=games.db",
                "--games=20",
                "--",
                "deep=engine:depth=8",
                "my bot=bots/x.py",
                "level:3"
            ]
        );
        assert_eq!(
            steps[1],
            [
                "match",
                "--game=kalah:6x4",
                "--seed=7",
                "--db=other.db",
                "--time=100ms",
                "--sprt=elo0=0,elo1=10",
                "--mix",
                "--",
                "my bot=bots/x.py",
                "random"
            ]
        );
        assert_eq!(steps[2], ["prove", "--at-least=-2", "--", "kalah:6x4"]);
    }

    #[test]
    fn there_may_be_several_steps_of_a_kind() {
        let text = r#"
game = "kalah:6x4"
[agents]
mine = "x.py"
[[match]]
agents = ["mine", "level:1"]
[report]
db = "x.db"
out = "pictures"
[[match]]
agents = ["mine", "level:2"]
game = "kalah:4x3"
[[rate]]
agent = "mine"
"#;
        let steps = words(text);
        assert_eq!(
            steps[..2],
            [
                vec!["match", "--game=kalah:6x4", "--", "mine=x.py", "level:1"],
                vec!["match", "--game=kalah:4x3", "--", "mine=x.py", "level:2"],
            ]
        );
        let read = Experiment::read(text).expect("an experiment");
        let names: Vec<String> = (0..4).map(|number| read.step_name(number)).collect();
        assert_eq!(names, ["[[match]] 1", "[[match]] 2", "[report]", "[rate]"]);
        let files: Vec<PathBuf> = (0..2)
            .map(|number| Experiment::result_file(Path::new("out"), number, &read.steps[number]))
            .collect();
        assert_ne!(files[0], files[1]);
    }

    #[test]
    fn mistakes_are_named() {
        for (text, word) in [
            ("", "there is no step"),
            ("x = [", "TOML parse error at line 1"),
            ("[mach]\n", "there is no [mach]"),
            ("[[mach]]\n", "there is no [mach]"),
            (
                "[match]\nagents = [\"random\"]\n",
                "[match] needs two agents, such as agents = [\"mybot.py\", \"level:2\"]",
            ),
            ("[match]\n", "[match] needs two agents"),
            ("[tournament]\n", "[tournament] needs agents"),
            ("[rate]\n", "[rate] needs an agent"),
            (
                "[match]\ngamez = 3\n",
                "[match] has no key 'gamez'; it has agents, ",
            ),
            ("[match]\njson = true\n", "no key 'json'"),
            ("[match]\ngames = 3\npairs = 2\n", "games or pairs"),
            ("[match]\ngames = 1979-05-27\n", "games is a text, a number"),
            ("title = 3\n[match]\n", "title is a text"),
            ("[match]\nmix = \"yes\"\n", "mix is true or false"),
            ("[match]\nmix = 1\n", "mix is true or false"),
            ("mix = \"yes\"\n[match]\n", "mix is true or false"),
            ("[match]\npairs = \"3\"\n", "pairs is a whole number"),
            ("[match]\nseed = []\n", "seed is an empty list"),
            (
                "nonsense = 3\n[match]\nagents = [\"random\", \"level:1\"]\n",
                "no step of this experiment has a key 'nonsense'",
            ),
            (
                "out = \"\"\n[match]\nagents = [\"random\", \"level:1\"]\n",
                "the name of a folder",
            ),
            (
                "[agents]\nx = 3\n[match]\nagents=[\"x\", \"x\"]",
                "x is a text",
            ),
        ] {
            let error = Experiment::read(text).expect_err(text).to_string();
            assert!(error.contains(word), "{text}: {error}");
        }
    }

    #[test]
    fn every_step_has_its_command() {
        for kind in StepKind::ALL {
            assert!(
                ["out", "game", "db"]
                    .iter()
                    .any(|key| Options::of(*kind).has(key)),
                "{kind}"
            );
        }
    }

    #[test]
    fn words_are_quoted_for_a_shell() {
        assert_eq!(quote("engine:depth=8"), "engine:depth=8");
        assert_eq!(quote("my bot=x.py"), "'my bot=x.py'");
        assert_eq!(quote("it's"), "'it'\\''s'");
    }
}
