//! A fixed list of a proof's jobs. Each part is one claim.

use crate::error::ShardError;
use crate::found::{Finding, Found};
use crate::tables::prover_options;
use kalahari_arena::{Hands, Identity};
use kalahari_exact::prover::{Prover, TableMemory};
use kalahari_games::GameSpec;
use kalahari_prove::{Claim, Content, Decided, Rules, decide};
use serde::{Deserialize, Serialize};
use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc;

/// The jobs of a proof that were open when the plan was made. The result of a job depends only on what is written here: every claim is
/// decided by one thread, with empty tables of its own.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Claims {
    /// The game.
    pub game: GameSpec,
    /// The position that the proof is about.
    pub position: String,
    /// The question is whether the player to move reaches this final margin.
    pub goal: i32,
    /// The nodes after which a job is given up.
    pub job_nodes: u64,
    /// The most bytes of a job's table of proven bounds.
    pub memory: u64,
    /// The seeds of the tablebase below all claims.
    pub tablebase: usize,
    /// The splits that lead to the claims.
    pub splits: Vec<Content>,
    /// The claims.
    pub claims: Vec<Claim>,
    /// The program.
    pub identity: Identity,
}

impl Claims {
    pub(crate) fn identity_here(&self) -> Result<Identity, ShardError> {
        // A proven value does not depend on files; the tablebase is made as large as the plan says.
        Ok(Identity::of(&[], self.game)?)
    }

    /// What a finding says of one of these claims.
    pub(crate) fn answer(&self, found: &Found) -> Option<(Claim, Decided)> {
        match found.finding {
            Finding::Claim(decided) => {
                let claim = self.claims.get(found.part as usize)?;
                Some((claim.clone(), decided))
            }
            _ => None,
        }
    }

    /// Decides some claims and passes each finding to `each` as soon as it is there.
    pub(crate) fn find(
        &self,
        parts: &Range<u64>,
        hands: &Hands<'_>,
        each: &mut dyn FnMut(u64, Finding),
    ) -> Result<(), ShardError> {
        let rules = Rules::new(self.game)?;
        let memory = TableMemory::AtMost(self.memory);
        let options = prover_options(self.game, self.tablebase, memory, hands)?;
        let next = AtomicU64::new(parts.start);
        let work = |done: mpsc::Sender<Result<(u64, Decided), ShardError>>| {
            while !hands.stop.is_requested()
                && let part = next.fetch_add(1, Ordering::Relaxed)
                && part < parts.end
                && let Some(claim) = self.claims.get(part as usize)
            {
                // A new prover for every claim: entries that another claim left in its tables would change the number of nodes.
                let mut prover = Prover::new(rules.game(), options.clone());
                let decided = decide(&rules, &mut prover, claim, self.job_nodes, hands.stop);
                let news = match decided {
                    Ok(Some(decided)) => Ok((part, decided)),
                    Ok(None) => return,
                    Err(error) => Err(error.into()),
                };
                if done.send(news).is_err() {
                    return;
                }
            }
        };
        let mut trouble = None;
        std::thread::scope(|scope| {
            let (done, found) = mpsc::channel();
            for _ in 0..hands.threads.max(1) {
                let done = done.clone();
                scope.spawn(|| work(done));
            }
            drop(done);
            for news in found {
                match news {
                    Ok((part, decided)) => each(part, Finding::Claim(decided)),
                    Err(error) => {
                        next.store(parts.end, Ordering::Relaxed);
                        trouble.get_or_insert(error);
                    }
                }
            }
        });
        trouble.map_or(Ok(()), Err)
    }
}
