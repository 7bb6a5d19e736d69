//! What the rows of a journal prove about positions, as a book of bounds for players.

use crate::journal::Read;
use crate::{Answer, Content, Journal, ProveError, Rules};
use kalahari_exact::book::ProvenBounds;
use kalahari_games::{Game, GameSpec};
use kalahari_terms::Bounds;
use std::collections::{HashMap, HashSet, VecDeque};

/// The bounds of the positions about which the rows prove something: at most `most` of them, those the fewest moves from the root first.
pub fn bounds(journal: &Journal, most: usize) -> Result<ProvenBounds, ProveError> {
    let GameSpec::Kalah(spec) = journal.rules().game().spec() else {
        return Err(ProveError::NotKalah(journal.rules().game().spec()));
    };
    let (answers, splits) = journal.news(&mut Read::default())?;
    let splits: HashSet<Content> = splits.into_iter().collect();
    // What the rules alone prove, through the same splits.
    let mut without_rows = Known {
        rules: journal.rules(),
        rows: HashMap::new(),
        splits: splits.clone(),
        all: HashMap::new(),
    };
    let mut known = Known {
        rules: journal.rules(),
        rows: HashMap::new(),
        splits,
        all: HashMap::new(),
    };
    for answer in &answers {
        known.add(answer);
    }
    let mut book = ProvenBounds::new(spec)?;
    let (root, _) = journal.rules().content(journal.root())?;
    let mut met = HashSet::from([root.clone()]);
    let mut next = VecDeque::from([root]);
    while let Some(content) = next.pop_front()
        && book.positions() < most
    {
        let bounds = known.of(&content)?;
        if bounds != without_rows.of(&content)? {
            let added = book.add(content.pits(), bounds);
            added.map_err(|_| ProveError::Contradiction(content.clone()))?;
        }
        for after in known.after(&content)? {
            if let Some(content) = after.content
                && met.insert(content.clone())
            {
                next.push_back(content);
            }
        }
    }
    Ok(book)
}

/// What is proven about positions, by rows and by the moves of split positions.
struct Known<'a> {
    rules: &'a Rules,
    rows: HashMap<Content, Bounds>,
    splits: HashSet<Content>,
    all: HashMap<Content, Bounds>,
}

/// The result of a move.
struct After {
    /// The position; `None` if the game is over.
    content: Option<Content>,
    /// What the mover banked by the move, minus what the opponent banked.
    gain: i32,
    /// Whether it is the mover's turn again.
    again: bool,
}

/// The bounds of a future margin that follow from the number of seeds.
fn by_number(content: &Content) -> Bounds {
    let seeds = content.seeds();
    Bounds {
        lower: -seeds,
        upper: seeds,
    }
}

impl Known<'_> {
    fn add(&mut self, answer: &Answer) {
        let content = &answer.claim.content;
        let known = self.rows.entry(content.clone());
        let known = known.or_insert_with(|| by_number(content));
        match answer.holds {
            true => known.lower = known.lower.max(answer.claim.margin),
            // Margins have the same parity as the number of seeds.
            false => known.upper = known.upper.min(answer.claim.margin - 2),
        }
    }

    /// The proven bounds of a position's future margin.
    fn of(&mut self, content: &Content) -> Result<Bounds, ProveError> {
        if let Some(known) = self.all.get(content) {
            return Ok(*known);
        }
        let mut by_moves: Option<Bounds> = None;
        for After {
            content,
            gain,
            again,
        } in self.after(content)?
        {
            let future = match &content {
                Some(content) => self.of(content)?,
                None => Bounds::of(0),
            };
            let one = if again { future } else { future.turned() }.plus(gain);
            by_moves = Some(by_moves.map_or(one, |best| Bounds {
                lower: best.lower.max(one.lower),
                upper: best.upper.max(one.upper),
            }));
        }
        let row = self.rows.get(content).copied();
        let all = [row, by_moves].into_iter().flatten();
        let bounds = all.fold(by_number(content), Bounds::and);
        self.all.insert(content.clone(), bounds);
        Ok(bounds)
    }

    /// The results of all moves of a split position; empty if the position is not split.
    fn after(&self, content: &Content) -> Result<Vec<After>, ProveError> {
        if !self.splits.contains(content) {
            return Ok(Vec::new());
        }
        let game = self.rules.game();
        let before = self.rules.position(content)?;
        let after = |mv| {
            let position = game.play_unchecked(&before, mv);
            let (content, lead) = self.rules.content(&position)?;
            let again = game.to_move(&position) == game.to_move(&before);
            Ok(After {
                content: (!game.is_over(&position)).then_some(content),
                gain: if again { lead } else { -lead },
                again,
            })
        };
        game.moves(&before).map(after).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Worker, WorkerOptions};
    use kalahari_exact::prover::{Prover, ProverOptions, Wanted};
    use kalahari_games::View;
    use kalahari_games::kalah::KalahSetup;
    use kalahari_terms::Stop;

    /// The journal of a complete proof, with jobs so small that there are many splits: every bound is true, and the bounds of the
    /// root are its exact value.
    #[test]
    fn bounds_of_a_journal_are_true() {
        let folder = tempfile::tempdir().expect("a directory");
        let file = folder.path().join("small.proof");
        let spec: GameSpec = "kalah:4x3".parse().expect("a game");
        let rules = Rules::new(spec).expect("Kalah");
        let start = rules.game().position_text(&rules.game().start());
        let journal = Journal::open(&file, spec, &start).expect("a journal");
        let options = WorkerOptions {
            prover: ProverOptions::without_files(),
            job_nodes: 60,
            name: "one".to_owned(),
        };
        let stop = Stop::new();
        let worker = Worker::new(&file, journal, options, |_| (), &stop, &mut |_| ());
        let mut worker = worker.expect("a worker");
        let mut prover = Prover::new(rules.game(), ProverOptions::without_files());
        let proof = prover.prove(&rules.game().start(), &Wanted::VALUE, &stop);
        let value = proof.expect("proven").bounds.exact().expect("known");
        for (margin, holds) in [(value, true), (value + 2, false)] {
            let decided = worker.decide(margin, &stop, &mut |_| ()).expect("worked");
            assert_eq!(decided, Some(holds));
        }
        let book = bounds(worker.journal(), 10_000).expect("a book");
        assert!(book.positions() > 20, "{}", book.positions());
        let text = book.to_text();
        assert!(text.contains(&format!("3 3 3 3 3 3 3 3 * {value} {value}\n")));
        for line in text.lines().filter(|line| line.contains('*')) {
            let (pits, margins) = line.split_once(" * ").expect("a bound");
            let pits: Vec<u16> = pits.split(' ').flat_map(str::parse).collect();
            let margins: Vec<i32> = margins.split(' ').flat_map(str::parse).collect();
            let setup = KalahSetup {
                houses: [&pits[..4], &[0], &pits[4..], &[0]].concat(),
                player: kalahari_games::Player::First,
            };
            let position = rules.game().position(&View::Kalah(setup));
            let proof = prover.prove(&position.expect("fits"), &Wanted::VALUE, &stop);
            let value = proof.expect("proven").bounds.exact().expect("known");
            assert!((margins[0]..=margins[1]).contains(&value), "{line}");
        }
        let few = bounds(worker.journal(), 3).expect("a book");
        assert_eq!(few.positions(), 3);
    }
}
