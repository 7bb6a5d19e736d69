//! `kalahari merge`: joins the pieces of an experiment.

use super::{counted, run_command};
use crate::failure::CheckFailed;
use crate::{interrupt, output, progress};
use anyhow::Context;
use clap::Args;
use kalahari_arena::Store;
use kalahari_shards::{
    Merged, Place, PlanFile, Survey, Targets, Task, merge, numbers_text, survey_of, unfair,
};
use serde_json::json;
use std::path::{Path, PathBuf};

/// Join the shards of an experiment: games into a store, rows into a dataset, jobs into the journal of a proof, positions into a book
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  kalahari merge shards --db games.db
  kalahari merge node1/shards node2/shards --db games.db
  kalahari merge shards --out rows
  kalahari merge shards --journal six.proof
  kalahari merge shards --judged games.judged
  kalahari merge shards --book six.book

Any number of shards, in any order, any number of times: a game that is there is not added again. Files that are damaged, incomplete or
belong to another experiment are named and left out; the rest is joined. At the end it says what is missing, with the command
that makes it; the exit status is then 1. `kalahari run EXPERIMENT` afterwards finds all games in the store, and reports.")]
pub(crate) struct Merge {
    /// Folders of shards, or single files
    #[arg(required = true, value_name = "DIR")]
    paths: Vec<PathBuf>,

    /// The store of games
    #[arg(long, value_name = "FILE")]
    db: Option<PathBuf>,

    /// The folder of the dataset
    #[arg(long, value_name = "FOLDER")]
    out: Option<PathBuf>,

    /// The journal of the proof
    #[arg(long, value_name = "FILE")]
    journal: Option<PathBuf>,

    /// The file of judged games, which `kalahari review --judged FILE` shows
    #[arg(long, value_name = "FILE")]
    judged: Option<PathBuf>,

    /// The opening book; it is written when all its positions are there
    #[arg(long, value_name = "FILE")]
    book: Option<PathBuf>,

    /// How many shards there should be, if no shard is there to say so
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    shards: Option<u32>,

    /// The command that submits shards again; the missing numbers are appended to it
    #[arg(long, value_name = "COMMAND")]
    resubmit: Option<String>,

    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// The shards in folders, and the plan that one of the folders has.
pub(super) fn look(
    paths: &[PathBuf],
    shards: Option<u32>,
) -> anyhow::Result<(Survey, Option<PlanFile>)> {
    let mut wanted = None;
    for path in paths {
        let found = path.metadata();
        found.with_context(|| format!("there is no {}", path.display()))?;
        if wanted.is_none() && path.is_dir() {
            wanted = PlanFile::read(path)?;
        }
    }
    let mut found = survey_of(paths, wanted.as_ref().map(|wanted| &wanted.plan))?;
    if let Some(shards) = shards.filter(|_| found.files.is_empty()) {
        found.missing = Place::all(shards).collect();
    }
    Ok((found, wanted))
}

impl Merge {
    pub(crate) fn run(self) -> anyhow::Result<()> {
        let (mut found, wanted) = look(&self.paths, self.shards)?;
        let mut merged = Merged::default();
        if !found.files.is_empty() {
            let tasks = found.plan.as_ref().map_or(&[][..], |plan| plan.tasks());
            let has_games = tasks.iter().any(|task| matches!(task, Task::Games(_)));
            // Without games no store is made.
            let db = self.db.as_deref().filter(|_| has_games);
            let mut store = db.map(Store::open).transpose()?;
            let targets = Targets {
                store: store.as_mut(),
                rows: self.out.as_deref(),
                journal: self.journal.as_deref(),
                judged: self.judged.as_deref(),
                book: self.book.as_deref(),
            };
            let mut ticker = progress::Ticker::new();
            let all = found.files.len();
            let mut before = 0;
            let joined = merge(&mut found, targets, interrupt::stop(), &mut |done| {
                before = done;
                ticker.show(|| format!("{done} of {all} shards joined"));
            });
            ticker.clear();
            merged = match before {
                0 => joined?,
                _ => joined.with_context(|| {
                    format!("{before} of {all} shards were joined before this and stay joined; once the problem is fixed, the same command joins the rest")
                })?,
            };
        }
        tell_survey(
            &found,
            &Told {
                wanted: wanted.as_ref(),
                folder: &self.paths[0],
                merged: Some(&merged),
                resubmit: self.resubmit.as_deref(),
                json: self.json,
            },
        )
    }
}

/// What is needed to describe a survey.
pub(super) struct Told<'a> {
    /// The plan beside the pieces.
    pub(super) wanted: Option<&'a PlanFile>,
    /// Where missing pieces go.
    pub(super) folder: &'a Path,
    /// What was joined, if joining was asked for.
    pub(super) merged: Option<&'a Merged>,
    /// The command that submits pieces again.
    pub(super) resubmit: Option<&'a str>,
    pub(super) json: bool,
}

/// Says what is there, refused and missing, and how to make it. Fails if not all is there and sound.
pub(super) fn tell_survey(found: &Survey, told: &Told<'_>) -> anyhow::Result<()> {
    let source = found.files.first().map(|(_, file)| &file.source);
    let source = source.or(told.wanted.map(|wanted| &wanted.source));
    let name = source.map_or("", |source| &source.file);
    let again = (!found.missing.is_empty()).then(|| match told.resubmit {
        Some(command) => format!("{command} {}", numbers_text(&found.missing)),
        None => run_command(name, &found.missing, told.folder),
    });
    let refused: Vec<String> = found
        .refused
        .iter()
        .map(|one| one.why.to_string())
        .collect();
    let shards = found.shards();
    let (alike, others) = found.counted(shards.unwrap_or_default());
    if told.json {
        let mut value = json!({
            "experiment": found.plan.as_ref().map(|plan| plan.id()), "shards": shards, "sound": alike,
            "of_other_cuts": others, "doubled": found.doubled, "refused": refused, "missing": numbers_text(&found.missing),
            "missing_shards": found.missing.len(), "command": again,
        });
        if let Some(merged) = told.merged {
            value["games"] = merged.games.into();
            value["new_games"] = merged.new_games.into();
            value["files"] = merged.files.into();
            value["rows"] = merged.rows.into();
            value["claims"] = merged.claims.into();
            value["new_claims"] = merged.new_claims.into();
            value["judged"] = merged.judged.into();
            value["positions"] = merged.positions.into();
            value["new_positions"] = merged.new_positions.into();
        }
        output::print_json(&value)?;
    } else {
        output::print(&text(found, told, &refused, shards, again.as_deref()))?;
    }
    if interrupt::was_requested() {
        return Ok(());
    }
    let why = match (found.missing.len(), refused.len(), found.files.len()) {
        (0, 0, 0) => anyhow::bail!("there is no shard in {}", told.folder.display()),
        (0, 0, _) => return Ok(()),
        (0, refused, 0) => format!("no shard is sound: {refused} refused"),
        (0, refused, _) => format!("all shards are there, but {refused} more refused"),
        (missing, 0, _) => format!("not all is there: {missing} missing"),
        (missing, refused, _) => {
            format!("not all is there: {missing} missing, {refused} refused")
        }
    };
    Err(CheckFailed(why).into())
}

fn text(
    found: &Survey,
    told: &Told<'_>,
    refused: &[String],
    shards: Option<u32>,
    again: Option<&str>,
) -> String {
    let mut text = String::new();
    if let Some(plan) = &found.plan {
        let (there, others) = found.counted(shards.unwrap_or_default());
        let all = shards.map_or(String::new(), |shards| format!(" of {shards}"));
        text += &format!(
            "experiment {}: {there}{all} shards are there and sound\n",
            plan.id()
        );
        if others > 0 {
            text += &format!("and {others} that were cut into another number of shards\n");
        }
    }
    if let Some(merged) = told.merged.filter(|merged| merged.games > 0) {
        text += &format!(
            "{}, {} of them new\n",
            counted(merged.games, "game"),
            merged.new_games
        );
    }
    if let Some(merged) = told.merged.filter(|merged| merged.files > 0) {
        text += &format!(
            "{} in {}\n",
            counted(merged.rows, "row"),
            counted(merged.files, "file")
        );
    }
    if let Some(merged) = told.merged.filter(|merged| merged.claims > 0) {
        text += &format!(
            "{} of a proof, {} of them new\n",
            counted(merged.claims, "job"),
            merged.new_claims
        );
    }
    if let Some(merged) = told.merged.filter(|merged| merged.judged > 0) {
        text += &format!("{} judged\n", counted(merged.judged, "game"));
    }
    if let Some(merged) = told.merged.filter(|merged| merged.positions > 0) {
        text += &format!(
            "{} of a book, {} of them new\n",
            counted(merged.positions, "position"),
            merged.new_positions
        );
    }
    if !found.files.is_empty() && !found.has_games_of_reviews() {
        text += "Warning: the games of the review are not here, so judgements were not compared with them; run this where they are\n";
    }
    if let Some(warning) = clocks(found) {
        text += &format!("Warning: {warning}\n");
    }
    if found.doubled > 0 {
        text += &format!("there more than once, and used once: {}\n", found.doubled);
    }
    for why in refused {
        text += &format!("refused: {why}\n");
    }
    if let Some(again) = again {
        text += &format!(
            "missing: {} ({})\nmake them with: {again}\n",
            counted(found.missing.len() as u64, "shard"),
            numbers_text(&found.missing)
        );
    }
    text
}

/// A warning if machines of different speeds have played games with time limits that were not scaled.
fn clocks(found: &Survey) -> Option<String> {
    let plan = found.plan.as_ref()?;
    if !plan.has_clocks() || plan.reference().is_some() {
        return None;
    }
    unfair(found.files.iter().map(|(_, file)| &file.machine))
}
