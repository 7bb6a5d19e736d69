//! Estimates the cost of a proof before it starts, by random walks through its tree (Knuth's method).
//!
//! A walk estimates the nodes that it takes to decide a claim, with jobs and splits like those of a [`Worker`](crate::Worker):
//!
//! ```text
//!    a job can decide it     the nodes of that job
//!    it looks true           its moves one after the other, the most promising first, until one reaches the claim
//!    it looks false          some of its moves, each drawn with a probability p: the nodes of each, divided by p
//! ```
//!
//! A walk has a few *tickets*. A claim that looks false shares its tickets among its moves. Each move gets its share, rounded up or
//! down by one random number for all (systematic sampling); moves without a ticket are left out. So a walk of many tickets
//! spreads evenly over the expensive parts of the tree at every ply, and walks vary far less than the same number of single-ticket walks.
//!
//! The mean of many walks estimates the cost of the whole tree, as far as moves that were not drawn are like those that were. Work
//! that two branches share through the table of proven bounds is counted for each, so a real run may be cheaper. Probabilities
//! are proportional to the estimated costs, since an expensive move contributes more than a cheap one.

use crate::cost::Experience;
use crate::dice::Dice;
use crate::{Claim, CostModel, ProveError, Rules, Step};
use kalahari_exact::prover::{Prover, Wanted};
use kalahari_games::AnyPosition;
use kalahari_terms::{Limits, Stop};
use std::time::{Duration, Instant};

/// Makes a prover with empty tables.
pub type MakeProver = Box<dyn FnMut() -> Prover>;

/// Walks through the tree of a claim. Every walk has a new prover: with the bounds that an earlier walk has proven it would be too cheap.
pub struct Estimator {
    rules: Rules,
    make: MakeProver,
    /// The prover of the current walk, or of the next one if it has not been used.
    prover: Prover,
    is_used: bool,
    root: Claim,
    job_nodes: u64,
    /// The tickets of a walk.
    tickets: u32,
    dice: Dice,
    /// The decided jobs of all walks.
    experience: Vec<Experience>,
    model: CostModel,
    /// For every job that was tried: the seeds above the tablebase, and whether it decided its claim.
    tries: Vec<(i32, bool)>,
    /// The time of all jobs, without the time to build tables.
    searched: Duration,
}

/// The estimate from one walk.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Walk {
    /// The nodes that the proof takes.
    pub nodes: f64,
    /// The jobs that it takes.
    pub jobs: f64,
    /// Whether the claim holds, assuming that moves that were not drawn are like those that were.
    pub holds: bool,
    /// The nodes that the walk itself took.
    pub spent: u64,
}

/// The estimate from all walks.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    /// The mean of the nodes.
    pub nodes: f64,
    /// The standard error of that mean; infinite for a single walk.
    pub error: f64,
    /// The median of the nodes.
    pub median: f64,
    /// The mean of the jobs.
    pub jobs: f64,
    /// The share of walks in which the claim holds.
    pub holds: f64,
}

/// The outcome of a job.
enum Attempt {
    Decided { holds: bool, nodes: u64 },
    GivenUp { nodes: u64 },
    Stopped,
}

/// The default number of tickets of a walk. With one ticket, 160 walks through "6x3 at least +2" in jobs of 4,000 nodes estimated
/// 0.29 +/- 0.08 of the true cost: they missed rare, expensive branches. Ten walks of 16 tickets took no more nodes and estimated
/// 1.06 +/- 0.29.
pub const TICKETS: u32 = 16;

/// A claim is split without trying a job once the similar jobs that were given up are at least this many times one plus the decided ones.
const PATIENCE: usize = 3;

impl Estimator {
    /// An estimator for the claim that the player to move in `position` reaches a final margin. Builds the tables.
    pub fn new(
        rules: Rules,
        mut make: MakeProver,
        position: &AnyPosition,
        margin: i32,
        job_nodes: u64,
        rng_seed: u64,
        stop: &Stop,
    ) -> Result<Self, ProveError> {
        let (content, lead) = rules.content(position)?;
        let root = Claim::new(content, margin.saturating_sub(lead));
        let prover = prepared(&rules, &mut make, &root, stop)?;
        Ok(Estimator {
            root,
            rules,
            make,
            prover,
            is_used: false,
            job_nodes,
            tickets: TICKETS,
            dice: Dice::new(rng_seed),
            experience: Vec::new(),
            model: CostModel::learned([]),
            tries: Vec::new(),
            searched: Duration::ZERO,
        })
    }

    /// The same with this many tickets per walk, at least one. The default is [`TICKETS`].
    #[must_use]
    pub fn with_tickets(self, tickets: u32) -> Self {
        Estimator {
            tickets: tickets.max(1),
            ..self
        }
    }

    /// The seeds of the tablebase in use.
    pub fn tablebase_seeds(&self) -> usize {
        self.prover.tablebase_seeds()
    }

    /// The time that the jobs of all walks took.
    pub const fn searched(&self) -> Duration {
        self.searched
    }

    /// One walk; `None` if it was stopped.
    pub fn walk(&mut self, stop: &Stop) -> Result<Option<Walk>, ProveError> {
        let root = self.root.clone();
        if self.is_used {
            self.prover = prepared(&self.rules, &mut self.make, &root, stop)?;
        }
        self.is_used = true;
        self.decide(&root, self.tickets, stop)
    }

    fn decide(
        &mut self,
        claim: &Claim,
        tickets: u32,
        stop: &Stop,
    ) -> Result<Option<Walk>, ProveError> {
        if let Some(holds) = claim.is_trivial() {
            return Ok(Some(Walk::free(holds)));
        }
        let beyond = self.beyond(claim)?;
        let tried = match self.attempt(claim, beyond, stop)? {
            Attempt::Stopped => return Ok(None),
            Attempt::GivenUp { nodes } => nodes,
            Attempt::Decided { holds, nodes } => {
                return Ok(Some(Walk {
                    nodes: nodes as f64,
                    jobs: 1.0,
                    holds,
                    spent: nodes,
                }));
            }
        };
        let walk = match beyond <= 0 {
            true => self.look_for_one(claim, tickets, stop)?,
            false => self.refute_all(claim, tickets, stop)?,
        };
        Ok(walk.map(|walk| Walk {
            nodes: walk.nodes + tried as f64,
            spent: walk.spent + tried,
            ..walk
        }))
    }

    /// Tries to decide a claim by one job, unless it looks too expensive for that.
    fn attempt(&mut self, claim: &Claim, beyond: i32, stop: &Stop) -> Result<Attempt, ProveError> {
        let in_tablebase = self.above(claim) <= 0;
        if !in_tablebase && self.looks_hopeless(claim) {
            return Ok(Attempt::GivenUp { nodes: 0 });
        }
        let position = self.rules.position(&claim.content)?;
        let limits = Limits::nodes(self.job_nodes);
        let begin = Instant::now();
        let reached = self
            .prover
            .reaches(&position, claim.margin, &limits, stop)?;
        self.searched += begin.elapsed();
        let nodes = reached.nodes;
        if reached.holds.is_none() && stop.is_requested() {
            return Ok(Attempt::Stopped);
        }
        self.tries
            .push((self.above(claim), reached.holds.is_some()));
        if reached.holds.is_some() {
            self.learn(claim, beyond, nodes);
        }
        Ok(match reached.holds {
            Some(holds) => Attempt::Decided { holds, nodes },
            None => Attempt::GivenUp { nodes },
        })
    }

    /// For a claim that looks true: tries its moves one after the other, until one reaches it.
    fn look_for_one(
        &mut self,
        claim: &Claim,
        tickets: u32,
        stop: &Stop,
    ) -> Result<Option<Walk>, ProveError> {
        let mut all = Walk::free(false);
        for step in self.promising_steps(claim)? {
            let Some(walk) = self.step(&step, tickets, stop)? else {
                return Ok(None);
            };
            all = all.and(walk);
            if walk.holds {
                break;
            }
        }
        Ok(Some(all))
    }

    /// For a claim that looks false: walks through the moves that get a ticket, as a sample of all moves.
    fn refute_all(
        &mut self,
        claim: &Claim,
        tickets: u32,
        stop: &Stop,
    ) -> Result<Option<Walk>, ProveError> {
        let open = self.open_steps(claim)?;
        let sum: f64 = open.iter().map(|(.., nodes)| nodes).sum();
        let shares = open.iter().map(|(.., nodes)| nodes / sum);
        let shares: Vec<f64> = shares.collect();
        let drawn = share_out(tickets, &shares, self.dice.unit());
        let mut all = Walk::free(false);
        let mut found: Option<Walk> = None;
        for (((step, ..), share), own) in open.iter().zip(&shares).zip(drawn) {
            if own == 0 {
                continue;
            }
            let Some(walk) = self.step(step, own, stop)? else {
                return Ok(None);
            };
            // The weight of the move: its tickets divided by the expected number of its tickets.
            let times = f64::from(own) / (f64::from(tickets) * share);
            all.nodes += walk.nodes * times;
            all.jobs += walk.jobs * times;
            all.spent += walk.spent;
            if walk.holds {
                found = Some(walk);
            }
        }
        // If a move reaches the claim after all, we assume that it is found after half of the moves.
        if let Some(found) = found {
            all.nodes = all.nodes.midpoint(found.nodes);
            all.jobs = all.jobs.midpoint(found.jobs);
            all.holds = true;
        }
        Ok(Some(all))
    }

    /// The cost of one step, and whether it reaches the claim that it belongs to.
    fn step(&mut self, step: &Step, tickets: u32, stop: &Stop) -> Result<Option<Walk>, ProveError> {
        Ok(match step {
            Step::Over(reached) => Some(Walk::free(*reached)),
            Step::IfHolds(next) => self.decide(next, tickets, stop)?,
            Step::Unless(next) => self.decide(next, tickets, stop)?.map(|walk| Walk {
                holds: !walk.holds,
                ..walk
            }),
        })
    }

    /// The undecided steps, each with the distance of its claim from the guessed margin and its estimated nodes; or only the one step that
    /// reaches the claim immediately, if there is one.
    fn open_steps(&mut self, claim: &Claim) -> Result<Vec<(Step, i32, f64)>, ProveError> {
        let mut open = Vec::new();
        for (_, step) in self.rules.steps(claim)? {
            let (settled, next) = match &step {
                Step::Over(reached) => (Some(*reached), None),
                Step::IfHolds(next) => (next.is_trivial(), Some(next)),
                Step::Unless(next) => (next.is_trivial().map(|holds| !holds), Some(next)),
            };
            match (settled, next) {
                (Some(true), _) => return Ok(vec![(step, 0, 1.0)]),
                (None, Some(next)) => {
                    let beyond = self.beyond(next)?;
                    let nodes = self.nodes(next, beyond).max(1.0);
                    open.push((step, beyond, nodes));
                }
                _ => {}
            }
        }
        Ok(open)
    }

    /// The undecided steps, the most promising first.
    fn promising_steps(&mut self, claim: &Claim) -> Result<Vec<Step>, ProveError> {
        let mut open = self.open_steps(claim)?;
        // The more the guessed margin speaks for a step, the more promising it is.
        open.sort_by_key(|(step, beyond, _)| match step {
            Step::Unless(_) => -beyond,
            _ => *beyond,
        });
        Ok(open.into_iter().map(|(step, ..)| step).collect())
    }

    /// The claimed margin minus the guessed one.
    fn beyond(&mut self, claim: &Claim) -> Result<i32, ProveError> {
        let position = self.rules.position(&claim.content)?;
        Ok(claim.margin - self.prover.guess(&position)?)
    }

    fn nodes(&self, claim: &Claim, beyond: i32) -> f64 {
        self.model.nodes(self.above(claim), beyond)
    }

    fn above(&self, claim: &Claim) -> i32 {
        claim.content.seeds() - self.prover.tablebase_seeds() as i32
    }

    /// Whether many jobs with at most as many seeds as this claim were given up, and few with at least as many were decided.
    fn looks_hopeless(&self, claim: &Claim) -> bool {
        let above = self.above(claim);
        let given_up = self
            .tries
            .iter()
            .filter(|(other, decided)| !decided && *other <= above);
        let decided = self
            .tries
            .iter()
            .filter(|(other, decided)| *decided && *other >= above);
        given_up.count() >= PATIENCE * (1 + decided.count())
    }

    fn learn(&mut self, claim: &Claim, beyond: i32, nodes: u64) {
        self.experience.push(Experience {
            above: self.above(claim),
            beyond,
            nodes,
        });
        self.model = CostModel::learned(self.experience.iter().copied());
    }
}

/// How many of the tickets each share gets: its part rounded up or down, by one random number for all, `throw`, from 0 to 1.
fn share_out(tickets: u32, shares: &[f64], throw: f64) -> Vec<u32> {
    let mut end = 0.0;
    let mut before = 0;
    let last = shares.len().saturating_sub(1);
    let share = |(i, share): (usize, &f64)| {
        end += share * f64::from(tickets);
        // The number of tickets at throw, throw + 1, ... below the end.
        let up_to = match i == last {
            true => tickets,
            false => ((end - throw).ceil().max(0.0) as u32).clamp(before, tickets),
        };
        let own = up_to - before;
        before = up_to;
        own
    };
    shares.iter().enumerate().map(share).collect()
}

/// A new prover with its tables built for a claim.
fn prepared(
    rules: &Rules,
    make: &mut MakeProver,
    claim: &Claim,
    stop: &Stop,
) -> Result<Prover, ProveError> {
    let mut prover = make();
    let bare = rules.position(&claim.content)?;
    prover.prepare(&[bare], &Wanted::VALUE, stop)?;
    Ok(prover)
}

impl std::fmt::Debug for Estimator {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Estimator")
            .field("root", &self.root)
            .field("job_nodes", &self.job_nodes)
            .finish_non_exhaustive()
    }
}

impl Walk {
    /// A walk that costs nothing, because the result is known.
    const fn free(holds: bool) -> Self {
        Walk {
            nodes: 0.0,
            jobs: 0.0,
            holds,
            spent: 0,
        }
    }

    /// The sum of both costs, with the result of the other walk.
    fn and(self, other: Walk) -> Self {
        Walk {
            nodes: self.nodes + other.nodes,
            jobs: self.jobs + other.jobs,
            holds: other.holds,
            spent: self.spent + other.spent,
        }
    }
}

impl Estimate {
    /// The estimate from these walks; `None` if there are none.
    pub fn of(walks: &[Walk]) -> Option<Self> {
        let count = walks.len() as f64;
        let mean = |of: fn(&Walk) -> f64| walks.iter().map(of).sum::<f64>() / count;
        let nodes = mean(|walk| walk.nodes);
        let squares = walks.iter().map(|walk| (walk.nodes - nodes).powi(2));
        let error = match walks.len() {
            0 => return None,
            1 => f64::INFINITY,
            _ => (squares.sum::<f64>() / (count - 1.0) / count).sqrt(),
        };
        let mut all: Vec<f64> = walks.iter().map(|walk| walk.nodes).collect();
        all.sort_by(f64::total_cmp);
        Some(Estimate {
            nodes,
            error,
            median: all[all.len() / 2],
            jobs: mean(|walk| walk.jobs),
            holds: mean(|walk| f64::from(u8::from(walk.holds))),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use kalahari_exact::prover::{ProverOptions, TablebasePolicy};
    use kalahari_games::Game;

    fn estimator(game: &str, margin: i32, job_nodes: u64, rng_seed: u64) -> Estimator {
        let rules = Rules::new(game.parse().expect("a game")).expect("Kalah");
        let options = ProverOptions {
            tablebase: TablebasePolicy::Seeds(9),
            ..ProverOptions::without_files()
        };
        let game = rules.game().clone();
        let make = Box::new(move || Prover::new(&game, options.clone()));
        let start = rules.game().start();
        let stop = Stop::new();
        Estimator::new(rules, make, &start, margin, job_nodes, rng_seed, &stop)
            .expect("an estimator")
    }

    #[test]
    fn what_one_job_decides_costs_that_job() {
        // The value of kalah:3x3 is +2.
        for (margin, holds) in [(2, true), (4, false)] {
            let mut estimator = estimator("kalah:3x3", margin, 1_000_000, 1);
            let walk = estimator.walk(&Stop::new()).expect("a prover");
            let walk = walk.expect("not stopped");
            assert_eq!((walk.jobs, walk.holds), (1.0, holds), "{margin}");
            assert_eq!(walk.nodes, walk.spent as f64);
        }
    }

    #[test]
    fn tickets_are_distributed_in_proportion_to_the_shares() {
        let shares = [0.5, 0.25, 0.125, 0.125];
        let mut got = [0; 4];
        for throw in 0..1000 {
            let one = share_out(3, &shares, f64::from(throw) / 1000.0);
            assert_eq!(one.iter().sum::<u32>(), 3);
            for ((got, own), share) in got.iter_mut().zip(one).zip(shares) {
                let part = 3.0 * share;
                assert!((part.floor()..=part.ceil()).contains(&f64::from(own)));
                *got += own;
            }
        }
        for (got, share) in got.iter().zip(shares) {
            assert!((f64::from(*got) - 3000.0 * share).abs() <= 3.0, "{got:?}");
        }
        assert_eq!(share_out(4, &[], 0.5), Vec::<u32>::new());
    }

    #[test]
    fn many_walks_find_what_all_jobs_cost() {
        let (holds, truth) = spread("kalah:4x4", 2, 1500, TICKETS, 20);
        assert_eq!(holds > 0.5, truth);
    }

    #[test]
    #[ignore = "takes a minute: shows how far walks of few and of many tickets are from the true cost"]
    fn more_tickets_make_walks_vary_less() {
        for (game, margin, job_nodes) in [
            ("kalah:4x4", 2, 400),
            ("kalah:4x4", 8, 400),
            ("kalah:5x3", 2, 400),
            ("kalah:6x3", 2, 4000),
        ] {
            for (tickets, walks) in [(1, 160), (4, 40), (16, 10)] {
                spread(game, margin, job_nodes, tickets, walks);
            }
        }
    }

    /// Compares many walks with the true cost. Returns the share of walks in which the claim holds, and whether it does.
    fn spread(game: &str, margin: i32, job_nodes: u64, tickets: u32, count: u64) -> (f64, bool) {
        let mut walks = Vec::new();
        for rng_seed in 0..count {
            // Each with empty tables, so that no walk uses the results of another.
            let estimator = estimator(game, margin, job_nodes, rng_seed);
            let mut estimator = estimator.with_tickets(tickets);
            walks.extend(estimator.walk(&Stop::new()).expect("a prover"));
        }
        let estimate = Estimate::of(&walks).expect("walks");
        let mut whole = estimator(game, margin, job_nodes, 0);
        let root = whole.root.clone();
        let (real, holds) = everything(&mut whole, &root);
        let ratio = estimate.nodes / real as f64;
        let error = estimate.error / real as f64;
        let spent = walks.iter().map(|walk| walk.spent).sum::<u64>() as f64 / real as f64;
        println!(
            "{game} at least {margin}, jobs of {job_nodes}, {count} walks of {tickets}: {ratio:.2} +/- {error:.2} of {real}, spent {spent:.1} of it, {:.2} hold ({holds})",
            estimate.holds
        );
        assert!((0.25..4.0).contains(&ratio), "{estimate:?}, really {real}");
        (estimate.holds, holds)
    }

    /// The true cost: the nodes of all jobs, with every move of a claim that looks false. Also whether the claim holds.
    fn everything(estimator: &mut Estimator, claim: &Claim) -> (u64, bool) {
        if let Some(holds) = claim.is_trivial() {
            return (0, holds);
        }
        let beyond = estimator.beyond(claim).expect("a guess");
        let attempt = estimator.attempt(claim, beyond, &Stop::new());
        let mut nodes = match attempt.expect("a prover") {
            Attempt::Decided { holds, nodes } => return (nodes, holds),
            Attempt::GivenUp { nodes } => nodes,
            Attempt::Stopped => panic!("no stop was requested"),
        };
        for step in estimator.promising_steps(claim).expect("a position") {
            let (more, holds) = match &step {
                Step::Over(reached) => (0, *reached),
                Step::IfHolds(next) => everything(estimator, next),
                Step::Unless(next) => {
                    let (nodes, holds) = everything(estimator, next);
                    (nodes, !holds)
                }
            };
            nodes += more;
            if holds {
                return (nodes, true);
            }
        }
        (nodes, false)
    }

    #[test]
    fn an_estimate_is_a_mean_with_its_error() {
        let walk = |nodes: f64| Walk {
            nodes,
            jobs: 2.0,
            holds: nodes > 2.0,
            spent: 1,
        };
        let all = Estimate::of(&[walk(1.0), walk(2.0), walk(6.0)]).expect("walks");
        assert_eq!((all.nodes, all.median, all.jobs), (3.0, 2.0, 2.0));
        assert!((all.error - (7.0_f64 / 3.0).sqrt()).abs() < 1e-9, "{all:?}");
        assert!((all.holds - 1.0 / 3.0).abs() < 1e-9);
        assert_eq!(Estimate::of(&[]), None);
    }
}
