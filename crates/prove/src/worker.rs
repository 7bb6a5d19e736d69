//! Takes open claims and answers them until a goal is decided.

use crate::decided::{Decided, decide};
use crate::journal::Answer;
use crate::{Claim, Content, Goal, Job, Journal, ProofTree, ProveError, Rules, Standing};
use kalahari_exact::prover::{News, Prover, ProverOptions, Wanted};
use kalahari_games::Game;
use kalahari_terms::Stop;
use std::path::{Path, PathBuf};
use std::sync::mpsc;
use std::time::Duration;

/// Options of a worker.
#[derive(Clone, Debug)]
pub struct WorkerOptions {
    /// Options of the prover. Opening books are not used.
    pub prover: ProverOptions,
    /// The nodes after which a job is given up and its position is split.
    pub job_nodes: u64,
    /// The name of this worker, unique among those that share the journal.
    pub name: String,
}

/// Progress of a worker.
#[derive(Clone, Debug)]
pub enum Event {
    /// The tables are built.
    Ready {
        /// The seeds of the tablebase.
        tablebase_seeds: usize,
    },
    /// A job begins.
    Begun(Job),
    /// A claim is answered.
    Answered(Answer),
    /// A claim was too expensive for one job, or looked like it: its position is split.
    Split {
        /// The claim.
        claim: Claim,
        /// The nodes that were spent on it.
        nodes: u64,
    },
    /// All open claims are taken by other workers.
    Waiting,
    /// How the goal stands after a job.
    Standing(Standing),
}

/// How long a lease of a claim lasts.
const LEASE: Duration = Duration::from_secs(15);
/// How often a lease is renewed.
const RENEW: Duration = Duration::from_secs(4);
/// How long to wait before looking again if other workers have leased all open claims.
const WAIT: Duration = Duration::from_millis(500);
/// A claim whose estimated cost is this many times that of a job is split without trying a job.
const TOO_EXPENSIVE: f64 = 16.0;

/// Jobs with fewer estimated nodes than this are not split to get more jobs.
const SMALL_JOB: f64 = 1000.0;

/// Jobs for many machines, with the splits that lead to them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JobList {
    /// Positions whose claims are decided by the claims after their moves.
    pub splits: Vec<Content>,
    /// The claims to be decided, the most important first.
    pub claims: Vec<Claim>,
}

/// Works on a journal.
pub struct Worker {
    journal: Journal,
    file: PathBuf,
    options: WorkerOptions,
    prover: Prover,
    tree: ProofTree,
}

impl Worker {
    /// A worker on a journal. Builds the tables. `listener` gets the messages of the prover.
    pub fn new(
        file: &Path,
        journal: Journal,
        options: WorkerOptions,
        listener: impl Fn(&News<'_>) + Send + Sync + 'static,
        stop: &Stop,
        news: &mut dyn FnMut(Event),
    ) -> Result<Self, ProveError> {
        let mut prover = Prover::new(
            journal.rules().game(),
            ProverOptions {
                book: false,
                save: None,
                ..options.prover.clone()
            },
        );
        prover.listen(listener);
        let (content, _) = journal.rules().content(journal.root())?;
        let root = journal.rules().position(&content)?;
        prover.prepare(&[root], &Wanted::VALUE, stop)?;
        let tablebase_seeds = prover.tablebase_seeds();
        news(Event::Ready { tablebase_seeds });
        let tree = ProofTree::new(&journal, tablebase_seeds);
        Ok(Worker {
            file: file.to_owned(),
            journal,
            options,
            prover,
            tree,
        })
    }

    /// The journal.
    pub fn journal(&self) -> &Journal {
        &self.journal
    }

    /// The tree as it was after the last job.
    pub fn tree(&self) -> &ProofTree {
        &self.tree
    }

    /// A guess at the final margin of the root, as a first goal.
    pub fn guess(&mut self) -> Result<i32, ProveError> {
        let (content, lead) = self.journal.rules().content(self.journal.root())?;
        Ok(guess(self.journal.rules(), &mut self.prover, &content)? + lead)
    }

    /// Decides whether the player to move at the root reaches a final margin. `None` if it was stopped.
    pub fn decide(
        &mut self,
        margin: i32,
        stop: &Stop,
        news: &mut dyn FnMut(Event),
    ) -> Result<Option<bool>, ProveError> {
        let root = self.journal.root_claim(margin)?;
        let margin = self.journal.goal_margin(margin)?;
        self.journal.set_goal(Goal {
            margin,
            holds: None,
        })?;
        let result = self.work(&root, stop, news);
        self.journal.release(&self.options.name)?;
        let holds = result?;
        if holds.is_some() {
            self.journal.set_goal(Goal { margin, holds })?;
        }
        Ok(holds)
    }

    fn work(
        &mut self,
        root: &Claim,
        stop: &Stop,
        news: &mut dyn FnMut(Event),
    ) -> Result<Option<bool>, ProveError> {
        loop {
            self.tree.refresh(&self.journal)?;
            self.tree.check_rows()?;
            if let Some(holds) = self.tree.follows(root)? {
                return Ok(Some(holds));
            }
            if stop.is_requested() {
                return Ok(None);
            }
            let (rules, prover) = (self.journal.rules(), &mut self.prover);
            let guesser = &mut |content: &Content| guess(rules, prover, content);
            self.tree.learn(guesser)?;
            news(Event::Standing(self.tree.standing(root, guesser)?));
            match self.next(root)? {
                Some(job) => self.run(&job, stop, news)?,
                None => {
                    news(Event::Waiting);
                    std::thread::sleep(WAIT);
                }
            }
        }
    }

    /// The open claims of a goal, at most this many, the next one to be worked on first.
    pub fn open_jobs(&mut self, margin: i32, most: usize) -> Result<Vec<Job>, ProveError> {
        let root = self.journal.root_claim(margin)?;
        self.tree.refresh(&self.journal)?;
        let (rules, prover) = (self.journal.rules(), &mut self.prover);
        let guesser = &mut |content: &Content| guess(rules, prover, content);
        self.tree.learn(guesser)?;
        let mut jobs = Vec::new();
        self.tree.jobs(&root, guesser, &mut |job| {
            jobs.push(job);
            jobs.len() < most
        })?;
        Ok(jobs)
    }

    /// A fixed list of jobs for a goal: its open claims, after splitting positions until there are about `wanted` claims and none is far too
    /// expensive. Nothing is written to the journal: the list has the splits, and they are added together with the answers.
    pub fn list_jobs(&mut self, margin: i32, wanted: usize) -> Result<JobList, ProveError> {
        let root = self.journal.root_claim(margin)?;
        self.tree.refresh(&self.journal)?;
        let (rules, prover) = (self.journal.rules(), &mut self.prover);
        let guesser = &mut |content: &Content| guess(rules, prover, content);
        self.tree.learn(guesser)?;
        let mut splits = Vec::new();
        loop {
            let mut jobs = Vec::new();
            self.tree.jobs(&root, guesser, &mut |job| {
                jobs.push(job);
                true
            })?;
            let too_many_nodes = TOO_EXPENSIVE * self.options.job_nodes as f64;
            let mut large: Vec<&Job> = jobs.iter().filter(|job| job.nodes > SMALL_JOB).collect();
            large.sort_by(|a, b| b.nodes.total_cmp(&a.nodes));
            let is_too_large = large.first().is_some_and(|job| job.nodes > too_many_nodes);
            let has_enough = jobs.len() >= wanted && !(is_too_large && jobs.len() < 4 * wanted);
            if has_enough || large.is_empty() {
                let claims = jobs.into_iter().map(|job| job.claim).collect();
                return Ok(JobList { splits, claims });
            }
            // A position has several moves, so each split adds a few claims to the list.
            let some = (wanted.saturating_sub(jobs.len()) / 8).max(1);
            for content in large.iter().take(some).map(|job| &job.claim.content) {
                if self.tree.suppose_split(content) {
                    splits.push(content.clone());
                }
            }
        }
    }

    /// Whether a goal is proven, and the estimated cost to decide it.
    pub fn standing(&mut self, margin: i32) -> Result<Standing, ProveError> {
        let root = self.journal.root_claim(margin)?;
        self.tree.refresh(&self.journal)?;
        let (rules, prover) = (self.journal.rules(), &mut self.prover);
        let guesser = &mut |content: &Content| guess(rules, prover, content);
        self.tree.learn(guesser)?;
        self.tree.standing(&root, guesser)
    }

    /// Leases the best open claim that no other worker has; `None` if there is none.
    fn next(&mut self, root: &Claim) -> Result<Option<Job>, ProveError> {
        let taken = self.journal.leases(&self.options.name)?;
        let is_taken = |claim: &Claim| {
            let content = claim.content.to_string();
            taken
                .iter()
                .any(|(other, margin)| *other == content && *margin == claim.margin)
        };
        let (rules, prover) = (self.journal.rules(), &mut self.prover);
        let guesser = &mut |content: &Content| guess(rules, prover, content);
        let mut free = Vec::new();
        self.tree.jobs(root, guesser, &mut |job| {
            if !is_taken(&job.claim) {
                free.push(job);
            }
            free.len() < 8
        })?;
        for job in free {
            if self.journal.lease(&job.claim, &self.options.name, LEASE)? {
                return Ok(Some(job));
            }
        }
        Ok(None)
    }

    fn run(
        &mut self,
        job: &Job,
        stop: &Stop,
        news: &mut dyn FnMut(Event),
    ) -> Result<(), ProveError> {
        let claim = &job.claim;
        // A job that is far too expensive is not worth a try.
        if job.nodes > TOO_EXPENSIVE * self.options.job_nodes as f64 {
            self.journal.split(&claim.content, 0)?;
            news(Event::Split {
                claim: claim.clone(),
                nodes: 0,
            });
            return Ok(());
        }
        news(Event::Begun(job.clone()));
        let (file, name) = (&self.file, &self.options.name);
        let (rules, nodes) = (self.journal.rules(), self.options.job_nodes);
        let game = rules.game();
        let (spec, root) = (game.spec(), game.position_text(self.journal.root()));
        let prover = &mut self.prover;
        let decided = std::thread::scope(|scope| {
            let (end, waiting) = mpsc::channel::<()>();
            scope.spawn(move || {
                // If a lease cannot be renewed, other workers may do the same work; nothing worse happens.
                let Ok(journal) = Journal::open(file, spec, &root) else {
                    return;
                };
                while waiting.recv_timeout(RENEW) == Err(mpsc::RecvTimeoutError::Timeout) {
                    if journal.lease(claim, name, LEASE).is_err() {
                        return;
                    }
                }
            });
            let decided = decide(rules, prover, claim, nodes, stop);
            drop(end);
            decided
        })?;
        match decided {
            Some(Decided {
                holds: Some(holds),
                nodes,
                time,
                tablebase_seeds,
            }) => {
                let answer = Answer {
                    claim: claim.clone(),
                    holds,
                    nodes,
                    time,
                    tablebase_seeds,
                };
                self.journal.add(&answer)?;
                news(Event::Answered(answer));
            }
            None => {}
            Some(Decided { nodes, .. }) => {
                self.journal.split(&claim.content, nodes)?;
                news(Event::Split {
                    claim: claim.clone(),
                    nodes,
                });
            }
        }
        Ok(())
    }
}

/// A guess at the future margin of a position.
fn guess(rules: &Rules, prover: &mut Prover, content: &Content) -> Result<i32, ProveError> {
    let position = rules.position(content)?;
    Ok(prover.guess(&position)?)
}

impl std::fmt::Debug for Worker {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Worker")
            .field("journal", &self.journal)
            .field("options", &self.options)
            .finish_non_exhaustive()
    }
}
