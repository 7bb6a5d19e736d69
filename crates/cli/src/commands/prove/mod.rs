//! `kalahari prove`: long proofs in pieces, with a journal.

mod estimate;

use crate::arguments::{self, threads};
use crate::commands::tablebase::policy;
use crate::failure::CheckFailed;
use crate::progress::{ProofDisplay, Sampled, count};
use crate::{interrupt, output};
use anyhow::Context;
use clap::Args;
use kalahari_arena::{Hands, Identity};
use kalahari_exact::prover::{
    Prover, ProverOptions, TableMemory, TablePolicy, TablebasePolicy, table_policy,
};
use kalahari_games::{AnyGame, Game, GameSpec};
use kalahari_prove::{
    Answer, Event, Goal, Job, Journal, ProveError, Sample, Standing, TICKETS, Worker,
    WorkerOptions, check, export, import,
};
use kalahari_shards::{Claims, Task};
use kalahari_terms::parse_duration;
use serde::Serialize;
use serde_json::json;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Prove a bound on the value of a Kalah position by small jobs whose results are kept in a journal
#[derive(Clone, Debug, Args)]
#[command(after_help = "Examples:
  kalahari prove kalah:6x4 --value
  kalahari prove kalah:6x6 --at-least 4 --journal six.proof --nice 19 --memory 4G
  kalahari prove --check six.proof --sample 20
  kalahari prove kalah:6x6 --at-least 4 --journal six.proof --jobs 100
  kalahari prove kalah:6x5 --at-least 10 --estimate 20
  kalahari prove --journal six.proof --export six.txt

A run that was stopped or killed continues when it is started again, and several runs may share one journal.")]
pub(crate) struct Prove {
    /// The game, such as kalah:6x4
    #[arg(required_unless_present_any = ["check", "export", "import"])]
    game: Option<GameSpec>,

    /// The position instead of the start
    #[arg(long, value_name = "POS", requires = "game")]
    position: Option<String>,

    /// Is the final margin at least this, for the player to move?
    #[arg(long, value_name = "V", group = "goal", allow_negative_numbers = true)]
    at_least: Option<i32>,

    /// Is the final margin at most this, for the player to move?
    #[arg(long, value_name = "V", group = "goal", allow_negative_numbers = true)]
    at_most: Option<i32>,

    /// Prove the value
    #[arg(long, group = "goal")]
    value: bool,

    /// The journal; named after the game if left out
    #[arg(long, value_name = "FILE")]
    journal: Option<PathBuf>,

    /// Check this journal instead: does it prove what it says, and is a sample of its bounds true?
    #[arg(long, value_name = "FILE", conflicts_with_all = ["game", "goal", "journal"])]
    check: Option<PathBuf>,

    /// How many bounds a check proves again: a number, or `all`
    #[arg(long, value_name = "N", default_value = "20", value_parser = sample_size)]
    sample: SampleSize,

    /// Decides which bounds a check proves again, and where an estimate looks
    #[arg(long, value_name = "N", default_value_t = 1)]
    rng_seed: u64,

    /// List at most this many open jobs of the goal instead of working on them, as JSON lines; in shards of an experiment, how many
    /// jobs are shared out [default: 1000]
    #[arg(long, value_name = "N", requires = "goal")]
    jobs: Option<usize>,

    /// Estimate the cost of the goal by this many random walks, without a journal
    #[arg(long, value_name = "N", requires = "goal", conflicts_with_all = ["jobs", "journal"], value_parser = clap::value_parser!(u32).range(1..))]
    estimate: Option<u32>,

    /// Tickets of each walk of an estimate: more tickets make walks longer and more alike
    #[arg(long, value_name = "N", default_value_t = TICKETS, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    tickets: u32,

    /// Write the journal to this file as text
    #[arg(long, value_name = "FILE", conflicts_with_all = ["goal", "check"])]
    export: Option<PathBuf>,

    /// Take over what an exported journal has proven
    #[arg(long, value_name = "FILE", conflicts_with_all = ["goal", "check", "export"])]
    import: Option<PathBuf>,

    /// Nodes after which a job is given up and split into one job for each move
    #[arg(long, value_name = "N", default_value_t = 20_000_000, value_parser = clap::value_parser!(u64).range(1..))]
    job_nodes: u64,

    /// Memory for the table of proven bounds, such as 512M or 8G; sized to the position if left out
    #[arg(long, value_name = "SIZE", value_parser = arguments::bytes)]
    memory: Option<u64>,

    /// Threads to use; all cores if left out
    #[arg(long, value_name = "N", value_parser = arguments::thread_count)]
    threads: Option<usize>,

    /// Seeds of the tablebase to build in memory if there is none on disk; 0 for none
    #[arg(long, value_name = "N")]
    tablebase: Option<usize>,

    /// Keep the tablebase that is on disk at half its size in memory, which leaves room for two more seeds
    #[arg(long)]
    halved: bool,

    /// How much to give way to other programs, in the steps of nice(1): 0 (not at all) to 19
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = clap::value_parser!(i32).range(0..=19))]
    nice: i32,

    /// Stop after this time, such as 10m or 2h
    #[arg(long, value_name = "TIME", value_parser = parse_duration)]
    time: Option<Duration>,

    /// Print every event and the result as JSON, one per line
    #[arg(long)]
    json: bool,
}

/// The defaults of a proof in shards: how many jobs, and the memory of each job's table.
const SHARD_JOBS: usize = 1000;
const SHARD_MEMORY: u64 = 256 << 20;

/// How many rows a check proves again.
#[derive(Clone, Copy, Debug)]
enum SampleSize {
    All,
    Rows(usize),
}

fn sample_size(text: &str) -> Result<SampleSize, String> {
    match text {
        "all" => Ok(SampleSize::All),
        _ => {
            let rows = text.parse().map(SampleSize::Rows);
            rows.map_err(|_| format!("bad sample '{text}': a number, or all"))
        }
    }
}

/// What is printed at the end.
#[derive(Clone, Debug, Serialize)]
struct Outcome {
    game: GameSpec,
    position: String,
    /// The question in words, and its answer if it is decided.
    goal: String,
    proven: Option<bool>,
    /// What the journal proves of the final margin; null where nothing is proven.
    lower: Option<i32>,
    upper: Option<i32>,
    /// What all runs together have spent.
    bounds: usize,
    splits: usize,
    nodes: u64,
    job_seconds: f64,
    seconds: f64,
    /// A guess at the nodes that are left, and the factor by which the cost of one job is usually guessed wrong.
    nodes_left: Option<f64>,
    factor: f64,
}

impl Prove {
    pub(crate) fn run(self) -> anyhow::Result<()> {
        be_nice(self.nice)?;
        if let Some(file) = &self.check {
            return self.check_journal(file);
        }
        if let Some(text) = &self.export {
            let file = self.journal_file()?;
            output::not_over(&file, text)?;
            let journal = Journal::open_existing(&file)?;
            let exported = export(&journal)?;
            output::write_whole(text, exported.as_bytes())?;
            return output::print(&format!("{} bytes\n", exported.len()));
        }
        if let Some(text) = &self.import {
            let exported = std::fs::read_to_string(text)
                .with_context(|| format!("cannot read {}", text.display()))?;
            let file = self.journal.as_deref();
            let file = file.context("--import needs --journal FILE, to write to")?;
            let journal = import(&exported, text, file)?;
            return output::print(&format!("{}\n", bounds_text(&journal)?));
        }
        anyhow::ensure!(
            self.value || self.at_least.is_some() || self.at_most.is_some(),
            "what is to be proven? --at-least V, --at-most V or --value"
        );
        if let Some(walks) = self.estimate {
            return self.estimate(walks as usize);
        }
        let spec = self.spec()?;
        let (game, position) = AnyGame::at_or_start(spec, self.position.as_deref())?;
        let position = game.position_text(&position);
        let file = self.journal_file()?;
        let journal = Journal::open(&file, spec, &position)?;
        self.work(&file, journal)
    }

    /// The open jobs of the goal as work for many machines.
    pub(crate) fn task(&self, hands: &Hands<'_>) -> anyhow::Result<Task> {
        anyhow::ensure!(
            self.check.is_none()
                && self.export.is_none()
                && self.import.is_none()
                && self.estimate.is_none(),
            "only a proof itself can be done in shards"
        );
        let spec = self.spec()?;
        let (game, position) = AnyGame::at_or_start(spec, self.position.as_deref())?;
        let position = game.position_text(&position);
        let file = self.journal_file()?;
        let journal = Journal::open(&file, spec, &position)?;
        let no_tables = table_policy() == TablePolicy::Never;
        let options = WorkerOptions {
            prover: ProverOptions {
                threads: hands.threads,
                tablebase: if no_tables {
                    TablebasePolicy::None
                } else {
                    policy(self.tablebase)
                },
                ..self.options()
            },
            job_nodes: self.job_nodes,
            name: "plan".to_owned(),
        };
        let mut worker = Worker::new(&file, journal, options, |_| (), hands.stop, &mut |_| ())?;
        let goal = self.goal(&mut worker)?;
        let goal = worker.journal().goal_margin(goal)?;
        let jobs = worker.list_jobs(goal, self.jobs.unwrap_or(SHARD_JOBS))?;
        anyhow::ensure!(
            !jobs.claims.is_empty(),
            "{}: at least {goal:+} is decided already; `kalahari prove --check {0}` shows it",
            file.display()
        );
        Ok(Task::Claims(Claims {
            game: spec,
            position,
            goal,
            job_nodes: self.job_nodes,
            memory: self.memory.unwrap_or(SHARD_MEMORY),
            tablebase: worker.tree().tablebase_seeds(),
            splits: jobs.splits,
            claims: jobs.claims,
            identity: Identity::of(&[], spec)?,
        }))
    }

    /// The final margin that is asked for.
    fn goal(&self, worker: &mut Worker) -> anyhow::Result<i32> {
        match (self.at_least, self.at_most) {
            (Some(margin), _) => Ok(margin),
            (_, Some(margin)) => Ok(margin.saturating_add(1)),
            _ => self.first_goal(worker),
        }
    }

    /// The game without the end by majority, as proofs treat it.
    fn spec(&self) -> anyhow::Result<GameSpec> {
        match self.game {
            Some(GameSpec::Kalah(spec)) => Ok(GameSpec::Kalah(spec.with_majority(false))),
            Some(other) => Err(ProveError::NotKalah(other).into()),
            None => anyhow::bail!("which game?"),
        }
    }

    fn journal_file(&self) -> anyhow::Result<PathBuf> {
        match &self.journal {
            Some(file) => Ok(file.clone()),
            None => {
                let name = self.spec()?.to_string().replace(':', "-");
                Ok(PathBuf::from(format!("{name}.proof")))
            }
        }
    }

    fn options(&self) -> ProverOptions {
        ProverOptions {
            threads: threads(self.threads),
            memory: self.memory.map_or(TableMemory::Suited, TableMemory::Bytes),
            book: false,
            tablebase: policy(self.tablebase),
            halved: self.halved,
            ..ProverOptions::default()
        }
    }

    fn work(&self, file: &Path, journal: Journal) -> anyhow::Result<()> {
        let begin = Instant::now();
        let stop = match self.time {
            Some(time) => interrupt::stop().within(time),
            None => interrupt::stop().child(),
        };
        let options = WorkerOptions {
            prover: self.options(),
            job_nodes: self.job_nodes,
            name: format!("{}-{}", std::process::id(), kalahari_arena::sqlite::now()),
        };
        let mut show = Show::new(self.json);
        let display = ProofDisplay::of_jobs(self.json);
        let listener = display.clone();
        let mut worker = Worker::new(
            file,
            journal,
            options,
            move |news| listener.show(news),
            &stop,
            &mut |event| show.event(&event),
        )?;
        if let Some(most) = self.jobs {
            return self.list_jobs(&mut worker, most);
        }
        let mut goal = self.goal(&mut worker)?;
        let holds = loop {
            let holds = worker.decide(goal, &stop, &mut |event| show.event(&event))?;
            display.clear();
            show.decided(goal, holds)?;
            let decided = proven(&worker.journal().proven_goals()?);
            match holds {
                Some(holds) if self.value => match decided {
                    (Some(lower), Some(upper)) if lower >= upper => break Some(true),
                    _ if holds => goal += 2,
                    _ => goal -= 2,
                },
                Some(holds) => break Some(holds == self.at_least.is_some()),
                None => break None,
            }
        };
        let standing = match holds {
            Some(_) => None,
            None => Some(worker.standing(goal)?),
        };
        let outcome = self.outcome(&worker, holds, standing, begin)?;
        output::show(self.json, &outcome.text(), &outcome)
    }

    /// Where the proof of the value begins: beside what is proven, or at a guess.
    fn first_goal(&self, worker: &mut Worker) -> anyhow::Result<i32> {
        let goals = worker.journal().proven_goals()?;
        let open = goals.iter().find(|goal| goal.holds.is_none());
        let margin = match (proven(&goals), open) {
            ((None, None), Some(open)) => open.margin,
            ((Some(lower), _), _) => lower + 2,
            ((None, Some(upper)), _) => upper,
            ((None, None), None) => worker.guess()?,
        };
        Ok(worker.journal().goal_margin(margin)?)
    }

    fn list_jobs(&self, worker: &mut Worker, most: usize) -> anyhow::Result<()> {
        let goal = self.goal(worker)?;
        for job in worker.open_jobs(goal, most)? {
            output::print_json(&job_value(&job))?;
        }
        Ok(())
    }

    fn outcome(
        &self,
        worker: &Worker,
        holds: Option<bool>,
        standing: Option<Standing>,
        begin: Instant,
    ) -> anyhow::Result<Outcome> {
        let journal = worker.journal();
        let (lower, upper) = proven(&journal.proven_goals()?);
        let (nodes, job_seconds) = journal.spent()?;
        let game = journal.rules().game();
        let goal = match (self.at_least, self.at_most) {
            (Some(margin), _) => format!("at least {margin:+}"),
            (_, Some(margin)) => format!("at most {margin:+}"),
            _ => "the value".to_owned(),
        };
        Ok(Outcome {
            game: game.spec(),
            position: game.position_text(journal.root()),
            goal,
            proven: holds,
            lower,
            upper,
            bounds: worker.tree().answers().len(),
            splits: worker.tree().splits(),
            nodes,
            job_seconds,
            seconds: begin.elapsed().as_secs_f64(),
            nodes_left: standing.map(|standing| standing.left()),
            factor: worker.tree().model().error().0,
        })
    }

    fn check_journal(&self, file: &Path) -> anyhow::Result<()> {
        let journal = Journal::open_existing(file)?;
        let sample = match self.sample {
            SampleSize::All => Sample::All,
            SampleSize::Rows(rows) => Sample::Some {
                rows,
                rng_seed: self.rng_seed,
            },
        };
        let stop = interrupt::stop();
        let display = ProofDisplay::of_jobs(self.json);
        let mut prover = || {
            // Nothing on disk is trusted: the tablebase is built again.
            let options = ProverOptions {
                home: None,
                ..self.options()
            };
            let mut prover = Prover::new(journal.rules().game(), options);
            let listener = display.clone();
            prover.listen(move |news| listener.show(news));
            Ok(prover)
        };
        let mut each = |next: &Answer, done, of| {
            display.sample(Sampled {
                done,
                of,
                nodes: next.nodes,
            });
        };
        let checked = check(&journal, &mut prover, sample, stop, &mut each);
        display.clear();
        let checked = checked.map_err(|error| match error {
            ProveError::Damaged { .. } => CheckFailed(error.to_string()).into(),
            other => anyhow::Error::from(other),
        })?;
        let share = |(part, all): (f64, f64)| if all > 0.0 { part / all } else { 1.0 };
        let rows = share((checked.solved.0 as f64, checked.rows.0 as f64));
        let nodes = share((checked.solved.1 as f64, checked.rows.1 as f64));
        if self.json {
            let goals = checked.goals.iter();
            let goals = goals.map(|goal| json!({"margin": goal.margin, "reached": goal.holds}));
            return output::print_json(&json!({
                "bounds": checked.rows.0, "proven_again": checked.solved.0, "share": rows,
                "share_of_nodes": nodes, "finished": checked.finished, "goals": goals.collect::<Vec<_>>(),
            }));
        }
        let mut text = format!("{}\n", bounds_text(&journal)?);
        text += &format!(
            "{} of {} bounds proven again: {:.1}% of them, {:.1}% of their nodes\n",
            checked.solved.0,
            checked.rows.0,
            100.0 * rows,
            100.0 * nodes
        );
        text += match checked.finished {
            true => "right\n",
            false => "stopped; right so far\n",
        };
        output::print(&text)
    }
}

/// What goals prove of the final margin.
fn proven(goals: &[Goal]) -> (Option<i32>, Option<i32>) {
    let decided = |wanted| {
        goals
            .iter()
            .filter(move |goal| goal.holds == Some(wanted))
            .map(|goal| goal.margin)
    };
    (
        decided(true).max(),
        decided(false).min().map(|margin| margin - 2),
    )
}

/// A line about what a journal proves.
fn bounds_text(journal: &Journal) -> anyhow::Result<String> {
    let game = journal.rules().game().spec();
    Ok(format!(
        "{game}: {}",
        range_text(proven(&journal.proven_goals()?))
    ))
}

fn range_text(range: (Option<i32>, Option<i32>)) -> String {
    match range {
        (Some(lower), Some(upper)) if lower >= upper => format!("the value is {lower:+}"),
        (Some(lower), Some(upper)) => format!("between {lower:+} and {upper:+}"),
        (Some(lower), None) => format!("at least {lower:+}"),
        (None, Some(upper)) => format!("at most {upper:+}"),
        (None, None) => "nothing is proven yet".to_owned(),
    }
}

impl Outcome {
    fn text(&self) -> String {
        let mut text = format!("{}\n", self.game);
        text += &match self.proven {
            Some(true) if self.goal == "the value" => String::new(),
            Some(true) => format!("{}: proven\n", self.goal),
            Some(false) => format!("{}: disproven\n", self.goal),
            None => format!(
                "{}: not decided yet; start it again to continue\n",
                self.goal
            ),
        };
        text += &format!("{}\n", range_text((self.lower, self.upper)));
        text += &format!(
            "{} bounds, {} positions split, {} nodes, {:.1} s this time",
            self.bounds, self.splits, self.nodes, self.seconds
        );
        if let Some(left) = self.nodes_left {
            text += &format!(", about {} nodes left", count(left));
        }
        text + "\n"
    }
}

/// A job for people and programs.
fn job_value(job: &Job) -> serde_json::Value {
    json!({
        "content": job.claim.content.to_string(), "at_least": job.claim.margin,
        "nodes": job.nodes.round(), "chance": (job.chance * 1000.0).round() / 1000.0,
    })
}

/// Shows the events of a run.
struct Show {
    json: bool,
    left: f64,
    done: u64,
    told: Option<Instant>,
}

/// How often a run in a pipe reports its progress.
const TELL_EVERY: Duration = Duration::from_secs(60);

impl Show {
    fn new(json: bool) -> Self {
        Show {
            json,
            left: f64::INFINITY,
            done: 0,
            told: None,
        }
    }

    fn event(&mut self, event: &Event) {
        if let Event::Standing(standing) = event {
            self.left = standing.left();
        }
        if let Event::Answered(_) = event {
            self.done += 1;
        }
        if self.json {
            // If the reader has closed the pipe, the event is dropped.
            let _ = output::print_json(&event_value(event));
            return;
        }
        let line = match event {
            Event::Ready { tablebase_seeds } => format!("tablebase of {tablebase_seeds} seeds"),
            Event::Answered(answer) => {
                let holds = if answer.holds { "holds" } else { "fails" };
                let (claim, nodes) = (&answer.claim, count(answer.nodes as f64));
                format!("{claim} {holds}, {nodes} nodes")
            }
            Event::Split { claim, nodes } => format!("{claim} split after {nodes} nodes"),
            Event::Waiting => "waiting for other workers".to_owned(),
            Event::Begun(_) | Event::Standing(_) => return,
        };
        let now = Instant::now();
        if self.told.is_none_or(|told| now - told >= TELL_EVERY) {
            self.told = Some(now);
            let left = match self.left.is_finite() {
                true => format!(
                    "; {} jobs done, about {} nodes left",
                    self.done,
                    count(self.left)
                ),
                false => String::new(),
            };
            eprintln!("kalahari: {line}{left}");
        }
    }

    fn decided(&self, goal: i32, holds: Option<bool>) -> anyhow::Result<()> {
        match (self.json, holds) {
            (true, _) => {
                output::print_json(&json!({"event": "goal", "margin": goal, "reached": holds}))
            }
            (false, Some(true)) => {
                eprintln!("kalahari: at least {goal:+} is proven");
                Ok(())
            }
            (false, Some(false)) => {
                eprintln!("kalahari: less than {goal:+} is proven");
                Ok(())
            }
            (false, None) => Ok(()),
        }
    }
}

fn event_value(event: &Event) -> serde_json::Value {
    match event {
        Event::Ready { tablebase_seeds } => {
            json!({"event": "ready", "tablebase_seeds": tablebase_seeds})
        }
        Event::Begun(job) => json!({"event": "job", "job": job_value(job)}),
        Event::Answered(answer) => json!({
            "event": "bound", "content": answer.claim.content.to_string(), "at_least": answer.claim.margin,
            "holds": answer.holds, "nodes": answer.nodes, "seconds": answer.time.as_secs_f64(),
        }),
        Event::Split { claim, nodes } => json!({
            "event": "split", "content": claim.content.to_string(), "at_least": claim.margin, "nodes": nodes,
        }),
        Event::Waiting => json!({"event": "waiting"}),
        Event::Standing(standing) => {
            json!({"event": "standing", "nodes_left": finite(standing.left())})
        }
    }
}

fn finite(number: f64) -> Option<f64> {
    number.is_finite().then_some(number.round())
}

/// Gives way to other programs.
fn be_nice(nice: i32) -> anyhow::Result<()> {
    #[cfg(unix)]
    if nice > 0 {
        rustix::process::nice(nice).context("the system refused to lower the priority")?;
    }
    #[cfg(not(unix))]
    anyhow::ensure!(nice == 0, "--nice works on Unix only");
    Ok(())
}
