//! How far a proof has come, and reports that agree with it.

use crate::Report;
use kalahari_terms::{Bounds, Score, Worth};
use std::time::Duration;

/// How far the proof of a position has come.
#[derive(Clone, Debug, PartialEq)]
pub struct Outlook<M> {
    /// Proven bounds of the position's final margin, as the player to move sees it.
    pub value: Bounds,
    /// The same for every legal move; empty if the proof has no bounds for single moves.
    pub moves: Vec<(M, Bounds)>,
    /// The work that the whole proof takes.
    pub work: ProofWork,
    /// The tablebase that has to be built before the proof continues, while it is being built.
    pub table: Option<TableUnderWay>,
}

/// Whether the proof may choose another best move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Choice {
    /// It may.
    Open,
    /// The best move was chosen for other reasons.
    Made,
}

/// What a proof takes, in nodes, and how much of it is done.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ProofWork {
    /// One proof in ten takes no more.
    pub least: u64,
    /// Nine proofs in ten take no more; 0 if unknown.
    pub most: u64,
    /// The nodes done by now.
    pub done: u64,
    /// Time that went into other work, which is over now.
    pub idle: Duration,
}

impl ProofWork {
    /// The work of both proofs, one after the other.
    #[must_use]
    pub fn and(self, other: ProofWork) -> Self {
        ProofWork {
            least: self.least.saturating_add(other.least),
            most: self.most.saturating_add(other.most),
            done: self.done.saturating_add(other.done),
            idle: self.idle + other.idle,
        }
    }

    /// How much longer it is likely to take after `elapsed`: at least and at most. `None` if that is unknown: too little is
    /// done, or more than nine in ten proofs take.
    fn time_left(self, elapsed: Duration) -> Option<(Duration, Duration)> {
        /// Until this many nodes and this much time are spent, the pace is not known.
        const PACE: (u64, Duration) = (10_000, Duration::from_millis(300));
        let time = elapsed.saturating_sub(self.idle);
        if self.done < PACE.0 || time < PACE.1 || self.done >= self.most {
            return None;
        }
        let pace = self.done as f64 / time.as_secs_f64();
        let left = |nodes: u64| {
            let left = nodes.saturating_sub(self.done) as f64;
            Duration::try_from_secs_f64(left / pace).ok()
        };
        Some((left(self.least)?, left(self.most)?))
    }
}

/// How far a tablebase under construction has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TableUnderWay {
    /// Its seeds.
    pub seeds: usize,
    /// How much of it is done.
    pub percent: u8,
}

impl<M: Copy + PartialEq> Outlook<M> {
    /// The proven bounds of a move.
    fn of(&self, mv: M) -> Option<Bounds> {
        let known = self.moves.iter().find(|(other, _)| *other == mv);
        known.map(|(_, bounds)| *bounds)
    }

    /// Makes the bounds of the position and of its moves agree: the position is worth as much as its best move.
    fn agree(&mut self) {
        for (_, bounds) in &mut self.moves {
            bounds.upper = bounds.upper.min(self.value.upper);
        }
        let all = || self.moves.iter().map(|(_, bounds)| bounds);
        if let (Some(lower), Some(upper)) = (
            all().map(|bounds| bounds.lower).max(),
            all().map(|bounds| bounds.upper).max(),
        ) {
            self.value = self.value.and(Bounds { lower, upper });
        }
    }
}

impl<M> Report<M> {
    /// Sets how far a proof has come, adds what the search itself has proven, and makes the report agree with it: values
    /// are clamped to their bounds, a value whose bounds are equal is proven, and a move that is proven to be better becomes
    /// the best one.
    pub fn set_outlook(&mut self, outlook: Option<Outlook<M>>, choice: Choice)
    where
        M: Copy + PartialEq,
    {
        self.outlook = outlook.map(|mut outlook| {
            if let Some(margin) = self.score.proven_margin() {
                outlook.value = Bounds::of(margin);
            }
            for (mv, bounds) in &mut outlook.moves {
                let searched = self.moves.iter().find(|(other, _)| other == mv);
                if let Some(margin) = searched.and_then(|(_, score)| score.proven_margin()) {
                    *bounds = Bounds::of(margin);
                }
            }
            outlook.agree();
            outlook
        });
        self.hold_to_outlook(choice);
    }

    fn hold_to_outlook(&mut self, choice: Choice)
    where
        M: Copy + PartialEq,
    {
        let (Some(outlook), Some(best)) = (&self.outlook, self.best) else {
            return;
        };
        for (mv, score) in &mut self.moves {
            *score = outlook
                .of(*mv)
                .map_or(*score, |bounds| score.within(bounds));
        }
        if self.score.is_proven() {
            return;
        }
        let Some(own) = outlook.of(best) else {
            self.score = self.score.within(outlook.value);
            return;
        };
        let mut chosen = (best, self.score.within(own));
        if choice == Choice::Made {
            // The choice was made for other reasons and stays.
        } else if self.moves.is_empty() {
            // The other moves have no scores, but their proven bounds are used.
            let surest = outlook.moves.iter().max_by_key(|(_, bounds)| bounds.lower);
            if let Some(&(mv, bounds)) = surest
                && bounds.lower > own.lower
                && (bounds.lower >= own.upper
                    || chosen
                        .1
                        .seeds()
                        .is_some_and(|seeds| f64::from(bounds.lower) > seeds))
            {
                let sure = Worth::Seeds(bounds.lower.into());
                chosen = (
                    mv,
                    Score::estimate(self.score.player(), sure).within(bounds),
                );
            }
        } else {
            let value = |mv: M| self.moves.iter().find(|(other, _)| *other == mv);
            chosen.1 = value(best).map_or(chosen.1, |(_, score)| *score);
            for &(mv, score) in &self.moves {
                if let (Some(more), Some(less)) = (score.seeds(), chosen.1.seeds())
                    && more > less
                {
                    chosen = (mv, score);
                }
            }
        }
        let (mv, score) = chosen;
        // A proven move does not yet prove the position.
        let is_best = outlook
            .of(mv)
            .is_some_and(|bounds| bounds.lower >= outlook.value.upper);
        self.score = match score.seeds() {
            _ if is_best => score.within(outlook.value),
            Some(seeds) => {
                let Bounds { lower, upper } = outlook.value;
                let seeds = seeds.max(lower.into()).min(upper.into());
                Score::estimate(score.player(), Worth::Seeds(seeds))
            }
            None => score,
        };
        if mv != best {
            self.best = Some(mv);
            self.line = vec![mv];
        }
    }

    /// How much longer the current proof is likely to take, at least and at most; `None` if there is none or that is unknown.
    pub fn time_left(&self) -> Option<(Duration, Duration)> {
        let outlook = self.outlook.as_ref().filter(|_| !self.score.is_proven())?;
        outlook.work.time_left(self.elapsed)
    }

    /// How far the current proof has come, in a few words; `None` if there is none.
    pub fn outlook_words(&self) -> Option<String> {
        /// For proofs that are likely to take longer than this, no time is given.
        const FAR_OFF: Duration = Duration::from_secs(86_400);
        let outlook = self.outlook.as_ref().filter(|_| !self.score.is_proven())?;
        let Bounds { lower, upper } = outlook.value;
        let done = outlook
            .moves
            .iter()
            .filter(|(_, bounds)| bounds.exact().is_some());
        let moves = match outlook.moves.len() {
            0 => String::new(),
            all => format!(", {} of {all} moves", done.count()),
        };

        let rest = match (outlook.table, self.time_left()) {
            (Some(TableUnderWay { seeds, percent }), _) => {
                format!("; first a tablebase of {seeds} seeds is built: {percent}%")
            }
            (None, Some((least, _))) if least >= FAR_OFF => {
                "; the rest will take more than a day".to_owned()
            }
            (None, Some((least, most))) if least < Duration::from_secs(1) => {
                format!("; the rest most likely within {}", roughly(most))
            }
            (None, Some((least, most))) => {
                format!(
                    "; the rest most likely in {} to {}",
                    roughly(least),
                    roughly(most)
                )
            }
            (None, None) => String::new(),
        };
        Some(format!("proven {lower:+} to {upper:+}{moves}{rest}"))
    }
}

/// A time in the unit that suits it.
fn roughly(time: Duration) -> String {
    match time.as_secs() {
        0 => "1 s".to_owned(),
        seconds @ 1..120 => format!("{seconds} s"),
        seconds @ 120..7_200 => format!("{} min", seconds / 60),
        seconds => format!("{} h", seconds / 3_600),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use kalahari_games::Player;

    #[test]
    fn what_is_proven_has_no_loose_bounds_beside_it() {
        let margin = |margin| Score::proven(Player::First, Worth::Margin(margin));
        let guess = Score::estimate(Player::First, Worth::Seeds(2.0));
        let loose = Bounds {
            lower: -8,
            upper: 8,
        };
        let mut report = Report {
            best: Some(1),
            score: margin(2),
            line: vec![1],
            moves: vec![(1, margin(2)), (2, guess)],
            depth: 3,
            nodes: 10,
            elapsed: Duration::ZERO,
            outlook: None,
        };
        let outlook = Outlook {
            value: loose,
            moves: vec![(1, loose), (2, loose), (3, loose)],
            work: ProofWork::default(),
            table: None,
        };
        report.set_outlook(Some(outlook.clone()), Choice::Open);
        let told = report.outlook.clone().expect("an outlook");
        assert_eq!(told.value, Bounds::of(2));
        // No move is worth more than the position.
        let less = Bounds { upper: 2, ..loose };
        assert_eq!(told.moves, [(1, Bounds::of(2)), (2, less), (3, less)]);
        report.score = guess;
        report.set_outlook(Some(outlook), Choice::Open);
        let sure = Bounds { lower: 2, ..loose };
        assert_eq!(report.outlook.map(|told| told.value), Some(sure));
    }

    /// A report of move 1 with an estimate, and proven bounds of some moves.
    fn half_proven(estimate: f64, moves: &[(i32, i32, i32)]) -> Report<i32> {
        let mut report = Report {
            best: Some(1),
            score: Score::estimate(Player::First, Worth::Seeds(estimate)),
            line: vec![1, 7],
            moves: Vec::new(),
            depth: 3,
            nodes: 10,
            elapsed: Duration::ZERO,
            outlook: None,
        };
        let bounds = |lower, upper| Bounds { lower, upper };
        let outlook = Outlook {
            value: bounds(-20, 20),
            moves: moves.iter().map(|&(mv, l, u)| (mv, bounds(l, u))).collect(),
            work: ProofWork::default(),
            table: None,
        };
        report.set_outlook(Some(outlook), Choice::Open);
        report
    }

    #[test]
    fn what_is_half_proven_chooses() {
        let chosen = |report: Report<i32>| (report.best, report.score.amount(), report.line.len());
        // Nothing proven speaks against it.
        let report = half_proven(4.5, &[(1, -20, 20), (2, 2, 20)]);
        assert_eq!(chosen(report), (Some(1), 4.5, 2));
        // It is worth less than it seemed, but may still be worth more than what is certain of another move.
        let report = half_proven(4.5, &[(1, -20, 4), (2, 2, 20)]);
        assert_eq!(chosen(report), (Some(1), 4.0, 2));
        // Another move is certainly no worse; then, another is certainly better than this one seems.
        let report = half_proven(4.5, &[(1, -20, 2), (2, 2, 20)]);
        assert_eq!(chosen(report), (Some(2), 2.0, 1));
        let report = half_proven(1.5, &[(1, -20, 20), (2, 2, 20)]);
        assert_eq!(chosen(report), (Some(2), 2.0, 1));
        // No move can be better than the second.
        let report = half_proven(4.5, &[(1, -20, 2), (2, 2, 2), (3, -4, 0)]);
        assert!(report.score.is_proven());
        assert_eq!(chosen(report), (Some(2), 2.0, 1));
        // The value of the first is known, but the third may be better.
        let report = half_proven(4.5, &[(1, 2, 2), (3, -4, 6)]);
        assert!(!report.score.is_proven());
        assert_eq!(chosen(report), (Some(1), 2.0, 2));
    }

    #[test]
    fn a_forecast_is_a_range_or_nothing() {
        let mut report = half_proven(0.0, &[(1, -20, 20)]);
        let mut forecast = |done, seconds, most| {
            report.elapsed = Duration::from_secs(seconds);
            report.outlook.as_mut().expect("an outlook").work = ProofWork {
                least: 100_000,
                most,
                done,
                idle: Duration::from_secs(5),
            };
            let words = report.outlook_words().expect("a proof is under way");
            let (_, rest) = words.split_once("+20, 0 of 1 moves").expect("bounds first");
            rest.to_owned()
        };
        // Half of the least work in ten seconds, after five seconds of other work.
        let rest = forecast(50_000, 15, 1_000_000);
        assert_eq!(rest, "; the rest most likely in 10 s to 3 min");
        let rest = forecast(150_000, 15, 1_000_000);
        assert_eq!(rest, "; the rest most likely within 56 s");
        // Too early to know the pace (twice), and longer than nearly all proofs.
        assert_eq!(forecast(500, 15, 1_000_000), "");
        assert_eq!(forecast(50_000, 5, 1_000_000), "");
        assert_eq!(forecast(2_000_000, 60, 1_000_000), "");
    }
}
