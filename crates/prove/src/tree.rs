//! The proof tree: what the rows of a journal prove, what is still open, and its estimated cost.
//!
//! It works like proof-number search, with estimated nodes instead of numbers of leaves:
//!
//! ```text
//!    pro(claim) = minimum over the moves of the cost to reach it by that move
//!    con(claim) = sum over the moves of the cost to show that the move does not reach it
//! ```
//!
//! When the turn passes to the opponent, the two are swapped. The next job is the leaf found by following the least `pro` from the root down.

use crate::cost::Experience;
use crate::journal::{Answer, Read};
use crate::{Claim, Content, CostModel, Journal, ProveError, Rules, Step};
use std::collections::{HashMap, HashSet};

/// What is proven about a position's future margin.
#[derive(Clone, Copy, Debug)]
struct Proven {
    /// The largest margin that is reached.
    lower: i32,
    /// The smallest margin that is not reached.
    beyond: i32,
}

/// Whether a claim is proven, and the estimated cost to decide it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Standing {
    /// Whether it holds, if that is proven.
    pub holds: Option<bool>,
    /// The estimated nodes to prove it; infinite if it does not hold.
    pub pro: f64,
    /// The estimated nodes to disprove it; infinite if it holds.
    pub con: f64,
}

impl Standing {
    const HOLDS: Standing = Standing {
        holds: Some(true),
        pro: 0.0,
        con: f64::INFINITY,
    };
    const FAILS: Standing = Standing {
        holds: Some(false),
        pro: f64::INFINITY,
        con: 0.0,
    };

    fn of(holds: bool) -> Self {
        if holds { Self::HOLDS } else { Self::FAILS }
    }

    fn turned(self) -> Self {
        Standing {
            holds: self.holds.map(|holds| !holds),
            pro: self.con,
            con: self.pro,
        }
    }

    /// The estimated nodes to decide it: the smaller of `pro` and `con`.
    pub fn left(&self) -> f64 {
        match self.holds {
            Some(_) => 0.0,
            None => self.pro.min(self.con),
        }
    }
}

/// An open claim, with its estimated cost.
#[derive(Clone, Debug, PartialEq)]
pub struct Job {
    /// The claim.
    pub claim: Claim,
    /// The estimated nodes to decide it.
    pub nodes: f64,
    /// The probability that it holds.
    pub chance: f64,
}

/// The tree of a journal's claims.
#[derive(Debug)]
pub struct ProofTree {
    rules: Rules,
    tablebase_seeds: i32,
    read: Read,
    proven: HashMap<Content, Proven>,
    answers: Vec<Answer>,
    splits: HashSet<Content>,
    /// The guessed future margins of positions.
    guesses: HashMap<Content, i32>,
    model: CostModel,
    /// The number of answers when the model was learned.
    learned: usize,
    /// The standings computed since the last change.
    known: HashMap<Claim, Standing>,
}

/// Costs are learned from this many of the latest answers.
const LESSONS: usize = 1000;

/// The guessed margin of a position; `guess` is called once per position.
fn guessed(
    guesses: &mut HashMap<Content, i32>,
    content: &Content,
    guess: Guesser<'_>,
) -> Result<i32, ProveError> {
    if let Some(guessed) = guesses.get(content) {
        return Ok(*guessed);
    }
    let guessed = guess(content)?;
    guesses.insert(content.clone(), guessed);
    Ok(guessed)
}

/// Guesses the future margin of a position.
pub(crate) type Guesser<'a> = &'a mut dyn FnMut(&Content) -> Result<i32, ProveError>;

impl ProofTree {
    /// The tree of a journal whose claims are solved with a tablebase of this many seeds. It is empty until [`ProofTree::refresh`].
    pub fn new(journal: &Journal, tablebase_seeds: usize) -> Self {
        ProofTree {
            rules: journal.rules().clone(),
            tablebase_seeds: tablebase_seeds as i32,
            read: Read::default(),
            proven: HashMap::new(),
            answers: Vec::new(),
            splits: HashSet::new(),
            guesses: HashMap::new(),
            model: CostModel::learned([]),
            learned: 0,
            known: HashMap::new(),
        }
    }

    /// Reads what was added to the journal by any process.
    pub fn refresh(&mut self, journal: &Journal) -> Result<(), ProveError> {
        let (answers, splits) = journal.news(&mut self.read)?;
        if answers.is_empty() && splits.is_empty() {
            return Ok(());
        }
        self.known.clear();
        self.splits.extend(splits);
        for answer in answers {
            let Claim { content, margin } = &answer.claim;
            let seeds = content.seeds();
            let proven = self.proven.entry(content.clone()).or_insert(Proven {
                lower: -seeds,
                beyond: seeds + 1,
            });
            match answer.holds {
                true => proven.lower = proven.lower.max(*margin),
                false => proven.beyond = proven.beyond.min(*margin),
            }
            self.answers.push(answer);
        }
        Ok(())
    }

    /// Refuses rows that contradict each other about a position.
    pub(crate) fn check_rows(&self) -> Result<(), ProveError> {
        let contradicts = |(_, proven): &(&Content, &Proven)| proven.lower >= proven.beyond;
        match self.proven.iter().find(contradicts) {
            Some((content, _)) => Err(ProveError::Contradiction(content.clone())),
            None => Ok(()),
        }
    }

    /// Treats a position as split, whatever the journal says. Returns whether it was not split before.
    pub(crate) fn suppose_split(&mut self, content: &Content) -> bool {
        self.known.clear();
        self.splits.insert(content.clone())
    }

    /// Updates the cost model from the latest answers.
    pub(crate) fn learn(&mut self, guess: Guesser<'_>) -> Result<(), ProveError> {
        if self.learned == self.answers.len() {
            return Ok(());
        }
        self.learned = self.answers.len();
        self.known.clear();
        let mut experience = Vec::new();
        for answer in self.answers.iter().rev().take(LESSONS) {
            let content = &answer.claim.content;
            let guessed = guessed(&mut self.guesses, content, guess)?;
            experience.push(Experience {
                above: content.seeds() - answer.tablebase_seeds as i32,
                beyond: answer.claim.margin - guessed,
                nodes: answer.nodes,
            });
        }
        self.model = CostModel::learned(experience);
        Ok(())
    }

    /// The answers, in the order in which they were found.
    pub fn answers(&self) -> &[Answer] {
        &self.answers
    }

    /// The seeds of the tablebase that its claims are solved with.
    pub fn tablebase_seeds(&self) -> usize {
        usize::try_from(self.tablebase_seeds).unwrap_or(0)
    }

    /// How many positions are split.
    pub fn splits(&self) -> usize {
        self.splits.len()
    }

    /// The positions that are split.
    pub(crate) fn split_positions(&self) -> impl Iterator<Item = &Content> {
        self.splits.iter()
    }

    /// The cost model.
    pub fn model(&self) -> &CostModel {
        &self.model
    }

    /// Whether a claim holds, if the number of seeds or the rows of the position itself decide it.
    fn settled(&self, claim: &Claim) -> Option<bool> {
        claim.is_trivial().or_else(|| {
            let proven = self.proven.get(&claim.content)?;
            match claim.margin {
                margin if margin <= proven.lower => Some(true),
                margin if margin >= proven.beyond => Some(false),
                _ => None,
            }
        })
    }

    /// Whether a claim follows from the rows, by the rules.
    pub fn follows(&self, claim: &Claim) -> Result<Option<bool>, ProveError> {
        self.follows_from(claim, &mut HashMap::new())
    }

    fn follows_from(
        &self,
        claim: &Claim,
        known: &mut HashMap<Claim, Option<bool>>,
    ) -> Result<Option<bool>, ProveError> {
        if let Some(known) = known.get(claim) {
            return Ok(*known);
        }
        let mut holds = self.settled(claim);
        if holds.is_none() && self.splits.contains(&claim.content) {
            let mut all_fail = true;
            for (_, step) in self.rules.steps(claim)? {
                let reached = match step {
                    Step::Over(reached) => Some(reached),
                    Step::IfHolds(next) => self.follows_from(&next, known)?,
                    Step::Unless(next) => self.follows_from(&next, known)?.map(|holds| !holds),
                };
                if reached == Some(true) {
                    holds = Some(true);
                    break;
                }
                all_fail &= reached == Some(false);
            }
            if holds.is_none() && all_fail {
                holds = Some(false);
            }
        }
        known.insert(claim.clone(), holds);
        Ok(holds)
    }

    /// Collects every claim that the proof of a claim may need: the claim itself, and those after all moves of split positions.
    pub(crate) fn asked(
        &self,
        claim: &Claim,
        asked: &mut HashSet<Claim>,
    ) -> Result<(), ProveError> {
        if !asked.insert(claim.clone()) || !self.splits.contains(&claim.content) {
            return Ok(());
        }
        for (_, step) in self.rules.steps(claim)? {
            match step {
                Step::Over(_) => {}
                Step::IfHolds(next) | Step::Unless(next) => self.asked(&next, asked)?,
            }
        }
        Ok(())
    }

    /// Whether a claim is proven, and the estimated cost to decide it.
    pub fn standing(&mut self, claim: &Claim, guess: Guesser<'_>) -> Result<Standing, ProveError> {
        if let Some(known) = self.known.get(claim) {
            return Ok(*known);
        }
        let standing = match self.settled(claim) {
            Some(holds) => Standing::of(holds),
            None if self.splits.contains(&claim.content) => {
                let steps = self.rules.steps(claim)?;
                let mut all = Standing::FAILS;
                for (_, step) in &steps {
                    let one = self.step_standing(step, guess)?;
                    if one.holds == Some(true) {
                        all = Standing::HOLDS;
                        break;
                    }
                    if one.holds.is_none() {
                        all.holds = None;
                        all.pro = all.pro.min(one.pro);
                        all.con += one.con;
                    }
                }
                all
            }
            None => {
                let job = self.job(claim, guess)?;
                Standing {
                    holds: None,
                    pro: job.nodes / job.chance,
                    con: job.nodes / (1.0 - job.chance),
                }
            }
        };
        self.known.insert(claim.clone(), standing);
        Ok(standing)
    }

    fn step_standing(&mut self, step: &Step, guess: Guesser<'_>) -> Result<Standing, ProveError> {
        Ok(match step {
            Step::Over(reached) => Standing::of(*reached),
            Step::IfHolds(next) => self.standing(next, guess)?,
            Step::Unless(next) => self.standing(next, guess)?.turned(),
        })
    }

    /// A claim as a job, with its estimated cost.
    pub fn job(&mut self, claim: &Claim, guess: Guesser<'_>) -> Result<Job, ProveError> {
        let guessed = guessed(&mut self.guesses, &claim.content, guess)?;
        let above = claim.content.seeds() - self.tablebase_seeds;
        let beyond = claim.margin - guessed;
        Ok(Job {
            nodes: self.model.nodes(above, beyond),
            chance: CostModel::chance(beyond),
            claim: claim.clone(),
        })
    }

    /// Passes the open leaves of a claim to `take`, the next one to be worked on first, until it returns `false`.
    pub fn jobs(
        &mut self,
        claim: &Claim,
        guess: Guesser<'_>,
        take: &mut dyn FnMut(Job) -> bool,
    ) -> Result<(), ProveError> {
        self.visit(claim, guess, &mut HashSet::new(), take)?;
        Ok(())
    }

    /// Does the work of [`jobs`](Self::jobs); returns `false` once `take` has.
    fn visit(
        &mut self,
        claim: &Claim,
        guess: Guesser<'_>,
        seen: &mut HashSet<Claim>,
        take: &mut dyn FnMut(Job) -> bool,
    ) -> Result<bool, ProveError> {
        if self.standing(claim, guess)?.holds.is_some() || !seen.insert(claim.clone()) {
            return Ok(true);
        }
        if !self.splits.contains(&claim.content) {
            return Ok(take(self.job(claim, guess)?));
        }
        let mut steps = Vec::new();
        for (_, step) in self.rules.steps(claim)? {
            let standing = self.step_standing(&step, guess)?;
            if let (None, Step::IfHolds(next) | Step::Unless(next)) = (standing.holds, step) {
                steps.push((standing.pro, next));
            }
        }
        steps.sort_by(|a, b| a.0.total_cmp(&b.0));
        for (_, next) in steps {
            if !self.visit(&next, guess, seen, take)? {
                return Ok(false);
            }
        }
        Ok(true)
    }
}
