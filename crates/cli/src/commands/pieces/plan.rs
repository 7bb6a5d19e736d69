//! From an experiment's file to its plan.

use crate::commands::run::parsed;
use crate::experiment::{Experiment, Step, StepKind};
use crate::{Command, progress};
use anyhow::Context;
use kalahari_arena::Hands;
use kalahari_shards::{Machine, Plan, PlanError, PlanFile, Source, Task};
use kalahari_storage::data_home;
use std::path::{Path, PathBuf};

/// An experiment's file that has been read. From now on the working directory is the folder of the file, since its paths are relative to it.
pub(super) struct Opened {
    source: Source,
    experiment: Experiment,
}

impl Opened {
    /// Reads a file.
    pub(super) fn open(file: &Path) -> anyhow::Result<Self> {
        let name = file.display().to_string();
        let text = std::fs::read_to_string(file)
            .with_context(|| format!("cannot read {name}; `kalahari init match` writes one"))?;
        let experiment = Experiment::read(&text).with_context(|| name.clone())?;
        if let Some(folder) = file.parent().filter(|folder| *folder != Path::new("")) {
            std::env::set_current_dir(folder)
                .with_context(|| format!("cannot go to {}", folder.display()))?;
        }
        Ok(Opened {
            source: Source { file: name, text },
            experiment,
        })
    }

    /// The plan of the experiment: the one beside its pieces, or a new one, which is saved there.
    pub(super) fn plan(
        &self,
        folder: Option<&Path>,
        hands: &Hands<'_>,
        scale_time: bool,
    ) -> anyhow::Result<PlanFile> {
        if let Some(folder) = folder
            && let Some(there) = PlanFile::read(folder)?
        {
            // The same file may have another name elsewhere.
            anyhow::ensure!(
                there.source.text == self.source.text,
                PlanFile::foreign(folder, &there.source, &self.source)
            );
            anyhow::ensure!(
                !scale_time || there.plan.reference().is_some(),
                "the plan in {} was made without --scale-time; name another folder with --out",
                folder.display()
            );
            self.each_step(|_, _| Ok(()))?;
            return Ok(there);
        }
        let mut tasks = Vec::new();
        self.each_step(|step, command| {
            tasks.extend(self.tasks_of(step, command, hands)?);
            Ok(())
        })?;
        let mut plan = Plan::new(tasks).with_context(|| self.source.file.clone())?;
        if scale_time {
            let speed = Machine::measured(data_home().as_deref()).speed;
            plan = plan.scaled_to(speed.unwrap_or_default());
        }
        let made = PlanFile {
            source: self.source.clone(),
            plan,
        };
        if let Some(folder) = folder {
            std::fs::create_dir_all(folder)
                .with_context(|| format!("cannot make {}", folder.display()))?;
            made.write(folder)?;
        }
        Ok(made)
    }

    /// Calls `each` with every step's command, as `run` would give it.
    fn each_step(
        &self,
        mut each: impl FnMut(&Step, Command) -> anyhow::Result<()>,
    ) -> anyhow::Result<()> {
        for step in &self.experiment.steps {
            let place = || format!("{}, [{}]", self.source.file, step.kind);
            let cli = parsed(step, false, false).with_context(place)?;
            cli.set_table_policy();
            each(step, cli.command).with_context(place)?;
        }
        Ok(())
    }

    /// The work of a step whose parts have numbers. Steps that only look at what others have made have none.
    fn tasks_of(
        &self,
        step: &Step,
        command: Command,
        hands: &Hands<'_>,
    ) -> anyhow::Result<Vec<Task>> {
        let plays = |step: &Step| step.kind.plays_games() || step.kind == StepKind::Rate;
        Ok(match command {
            Command::Match(command) => vec![command.task(hands)?],
            Command::Tournament(command) => command.tasks(hands)?,
            Command::Rate(command) => command.tasks(hands)?,
            Command::Dataset(command) => vec![command.task()?],
            Command::Prove(command) => vec![command.task(hands)?],
            // The games that it judges are not there yet.
            Command::Review(_) if self.experiment.steps.iter().any(plays) => Vec::new(),
            Command::Review(command) => vec![command.task()?],
            Command::Book(command) => vec![command.task(hands)?],
            Command::Report(_) => Vec::new(),
            _ => return Err(not_in_shards(step)),
        })
    }

    /// Refuses steps that cannot be read or cannot be done in shards. Asks no bot for a move and looks for no openings.
    pub(super) fn check(&self) -> anyhow::Result<()> {
        let mut has_work = false;
        self.each_step(|step, command| {
            match command {
                Command::Report(_) => return Ok(()),
                Command::Tournament(command) => command.check_for_shards()?,
                Command::Dataset(command) => {
                    command.task()?;
                }
                Command::Match(_)
                | Command::Rate(_)
                | Command::Prove(_)
                | Command::Review(_)
                | Command::Book(_) => {}
                _ => return Err(not_in_shards(step)),
            }
            has_work = true;
            Ok(())
        })?;
        anyhow::ensure!(has_work, "{}: {}", self.source.file, PlanError::Nothing);
        Ok(())
    }

    /// The experiment.
    pub(super) fn experiment(&self) -> &Experiment {
        &self.experiment
    }
}

fn not_in_shards(step: &Step) -> anyhow::Error {
    match step.kind {
        StepKind::Tune => anyhow::anyhow!(
            "a [tune] is not done in shards, because the next values depend on the games so far; kalahari.cluster.tune of the Python \
             package hands out its games"
        ),
        kind => anyhow::anyhow!(
            "a [{kind}] is not done in shards; [match], [tournament], [rate], [review], [dataset], [prove] and [book] are, so put \
             this step into a separate file"
        ),
    }
}

/// A path that stays the same when the program goes to another folder.
pub(super) fn absolute(path: &Path) -> anyhow::Result<PathBuf> {
    std::path::absolute(path).with_context(|| format!("cannot use the path {}", path.display()))
}

/// Says that a plan is being made, until it is dropped.
pub(super) struct Planning(progress::Spinner);

impl Planning {
    pub(super) fn new() -> Self {
        Planning(progress::Spinner::new(
            "planning: asking bots for a move, looking for openings",
        ))
    }
}

impl Drop for Planning {
    fn drop(&mut self) {
        self.0.finish();
    }
}
