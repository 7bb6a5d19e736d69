//! Analyses a position move by move, deeper and deeper.

use kalahari_agents::{AgentError, AgentKind, AgentSpec, AnyReport, Mind, NoAnswer, OptionKey};
use kalahari_agents::{Outlook, Player, ProofWork, Question};
use kalahari_games::{AnyGame, AnyMove, AnyPosition, Game, GameKind, Verdict};
use kalahari_terms::{Bounds, Failure, Limits, Score, Stop, Worth};
use std::time::Duration;

/// What is known of a legal move.
#[derive(Clone, Debug, PartialEq)]
pub struct MoveScore {
    /// The move.
    pub mv: AnyMove,
    /// Its score for the player who makes it.
    pub score: Score,
    /// How deep it has been searched, in plies, including the move itself.
    pub depth: u32,
    /// Best play, beginning with the move.
    pub line: Vec<AnyMove>,
    /// The progress of the move's proof, from the point of view of the player who makes it; `None` if there is no proof in progress.
    pub proof: Option<PartProof>,
}

/// The progress of a move's proof.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PartProof {
    /// The proven bounds of the final margin.
    pub bounds: Bounds,
    /// The estimated work of the whole proof.
    pub work: ProofWork,
}

/// The analysis of positions of a game by the engine. The engine keeps its tables, so one position helps with the next.
///
/// Every move is searched separately, so each has its own score, line and proof. If there are too many moves
/// for that, one search scores all of them.
pub struct Analysis {
    game: AnyGame,
    engine: Player,
    position: AnyPosition,
    /// The legal moves, in the game's order.
    legal: Vec<AnyMove>,
    /// What is known of the first of these moves; of all, once the first depth is finished.
    known: Vec<MoveScore>,
    /// The proven score of the position itself, if that is known before its moves are searched: where an opening book ends, it
    /// knows the position but none of its moves. No move is better than this.
    value: Option<Score>,
    /// The last depth that was finished for all moves.
    depth: u32,
    nodes: u64,
}

/// How an attempt to look deeper ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Deepened {
    /// Another depth is finished.
    Deeper,
    /// It was stopped, or the node limit was reached.
    Stopped,
    /// There is nothing left to search: every move is proven, there are no moves, or the greatest depth is reached.
    Finished,
}

/// The greatest depth, which no game reaches.
const DEEPEST: u32 = 120;
/// If there are more moves than this, searching each of them separately takes too long.
const MOST_MOVES: usize = 500;
/// The shortest time between two progress reports, except for finished depths.
const NEWS: Duration = Duration::from_millis(100);

impl Analysis {
    /// An analysis that begins at the game's start, with a transposition table of `hash` MiB.
    pub fn new(game: &AnyGame, hash: usize) -> Result<Self, AgentError> {
        let engine = AgentSpec::plain(AgentKind::Engine);
        let spec = engine.with(OptionKey::Hash, hash.max(1));
        Ok(Analysis::with_engine(game, Player::new(&spec, game, 1)?))
    }

    /// An analysis that begins at the game's start, by an engine for this game.
    pub fn with_engine(game: &AnyGame, engine: Player) -> Self {
        let start = game.start();
        Analysis {
            game: game.clone(),
            engine,
            position: start,
            legal: game.moves(&start).collect(),
            known: Vec::new(),
            value: None,
            depth: 0,
            nodes: 0,
        }
    }

    /// Turns to a position of the game. If it is the one that was analysed last, its results are kept.
    pub fn turn_to(&mut self, position: &AnyPosition) {
        if self.position != *position {
            self.position = *position;
            self.legal = self.game.moves(position).collect();
            self.known.clear();
            self.value = None;
            self.depth = 0;
        }
    }

    /// Forgets everything except the game, like a new analysis.
    pub fn forget(&mut self, stop: &Stop) {
        self.engine.begin_game(1, stop);
        self.position = self.game.start();
        self.legal = self.game.moves(&self.position).collect();
        self.known.clear();
        self.value = None;
        (self.depth, self.nodes) = (0, 0);
    }

    /// The total number of nodes so far.
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// What is known of every legal move, in the game's order; empty until each has been searched once.
    pub fn moves(&self) -> &[MoveScore] {
        match self.known.len() == self.legal.len() {
            true => &self.known,
            false => &[],
        }
    }

    /// The best move, the first of equals; `None` when the game is over or nothing is known yet.
    pub fn best(&self) -> Option<&MoveScore> {
        self.moves()
            .iter()
            .reduce(|best, next| match next.score.compare(best.score).is_gt() {
                true => next,
                false => best,
            })
    }

    /// The score of the position for the player to move; `None` if nothing is known yet. It is proven if no move can change it
    /// any more.
    pub fn score(&self) -> Option<Score> {
        if let Some(over) = AnyReport::of_finished(&self.game, &self.position) {
            return Some(over.score);
        }
        let best = self.best()?.score;
        if let Some(value) = self.value {
            return Some(value);
        }
        let wins = best.worth() == Worth::Result(Verdict::Win);
        let nothing_better = wins || self.all_proven();
        // Otherwise the proven score is certain, but there may be a better move.
        Some(match best.is_proven() && nothing_better {
            true => best,
            false => self.guessed(best),
        })
    }

    /// The same score as an estimate.
    fn guessed(&self, score: Score) -> Score {
        match score.worth() {
            Worth::Margin(margin) if self.game.spec().kind() == GameKind::Kalah => {
                Score::estimate(score.player(), Worth::Seeds(margin.into()))
            }
            _ => score.unproven(),
        }
    }

    /// Everything that is known, as a report; `None` until every move has been searched once. Its nodes include those of earlier
    /// positions, and its time is zero.
    fn report(&self) -> Option<AnyReport> {
        let best = self.best();
        Some(AnyReport {
            best: best.map(|best| best.mv),
            score: self.score()?,
            line: best.map_or_else(Vec::new, |best| best.line.clone()),
            moves: self.moves().iter().map(|one| (one.mv, one.score)).collect(),
            depth: self.depth,
            nodes: self.nodes,
            elapsed: Duration::ZERO,
            outlook: self.outlook(),
        })
    }

    /// The progress of the proof of all moves; `None` if there is a move about which nothing is proven.
    fn outlook(&self) -> Option<Outlook<AnyMove>> {
        let part = |one: &MoveScore| match (one.score.worth(), one.proof) {
            (Worth::Margin(margin), proof) if one.score.is_proven() => {
                // Once the move is proven, earlier estimates of the work do not count.
                let done = proof.map_or(0, |proof| proof.work.done);
                let work = ProofWork {
                    least: done,
                    most: done,
                    done,
                    ..ProofWork::default()
                };
                Some((Bounds::of(margin), work))
            }
            (_, proof) => proof.map(|proof| (proof.bounds, proof.work)),
        };
        let parts: Vec<_> = self.moves().iter().map(part).collect::<Option<_>>()?;
        let bounds = || parts.iter().map(|(bounds, _)| bounds);
        Some(Outlook {
            value: Bounds {
                lower: bounds().map(|bounds| bounds.lower).max()?,
                upper: bounds().map(|bounds| bounds.upper).max()?,
            },
            moves: self
                .moves()
                .iter()
                .zip(bounds())
                .map(|(one, bounds)| (one.mv, *bounds))
                .collect(),
            work: parts
                .iter()
                .fold(ProofWork::default(), |sum, (_, work)| sum.and(*work)),
            table: None,
        })
    }

    fn all_proven(&self) -> bool {
        self.known.len() == self.legal.len() && self.known.iter().all(|mv| mv.score.is_proven())
    }

    /// Searches every move that is not proven two plies deeper, with at most `nodes` nodes, if that is limited. Once the first
    /// depth is finished, `news` is called after every move.
    pub fn deepen(
        &mut self,
        nodes: Option<u64>,
        stop: &Stop,
        news: &mut dyn FnMut(&Self),
    ) -> Result<Deepened, Failure> {
        // Scores at depths of equal parity are comparable, so only every other depth is searched.
        let depth = self.depth + 2;
        if self.all_proven() || depth > DEEPEST {
            return Ok(Deepened::Finished);
        }
        if self.known.is_empty() && self.game.spec().kind() == GameKind::Kalah {
            let report = self.engine.choose(&self.position, Limits::depth(1), stop)?;
            self.value = Some(report.score).filter(|score| score.is_proven());
        }
        let most = nodes.map(|nodes| self.nodes.saturating_add(nodes));
        if self.legal.len() > MOST_MOVES {
            return self.deepen_at_once(depth, most, stop);
        }
        for place in 0..self.legal.len() {
            let known = self.known.get(place);
            if known.is_some_and(|known| known.score.is_proven() || known.depth >= depth) {
                continue;
            }
            let earlier = known.and_then(|known| known.proof);
            let earlier = earlier.map_or(0, |proof| proof.work.done);
            let Some(found) = self.look(self.legal[place], earlier, (depth, most), stop)? else {
                return Ok(Deepened::Stopped);
            };
            match self.known.get_mut(place) {
                Some(known) => *known = found,
                None => self.known.push(found),
            }
            if self.depth > 0 {
                news(self);
            }
        }
        self.depth = depth;
        Ok(match self.all_proven() {
            true => Deepened::Finished,
            false => Deepened::Deeper,
        })
    }

    /// Searches one move. `earlier` nodes of its proof have been searched before. `None` if there was no time to finish.
    fn look(
        &mut self,
        mv: AnyMove,
        earlier: u64,
        (depth, most): (u32, Option<u64>),
        stop: &Stop,
    ) -> Result<Option<MoveScore>, Failure> {
        let child = self.game.play_unchecked(&self.position, mv);
        let limits = self.limits_to(depth - 1, most);
        let report = self.engine.choose(&child, limits, stop)?;
        self.nodes += report.nodes.max(1);
        if !report.score.is_proven() && report.depth < depth - 1 {
            return Ok(None);
        }
        let mut line = vec![mv];
        line.extend(report.line);
        let score = report.score.seen_by(self.game.to_move(&self.position));
        let too_good = |value: &Score| !score.is_proven() && score.compare(*value).is_gt();
        Ok(Some(MoveScore {
            mv,
            score: match self.value.filter(too_good) {
                Some(value) => self.guessed(value),
                None => score,
            },
            depth,
            line,
            proof: report.outlook.map(|outlook| {
                let again = self.game.to_move(&child) == self.game.to_move(&self.position);
                PartProof {
                    bounds: match again {
                        true => outlook.value,
                        false => outlook.value.turned(),
                    },
                    work: ProofWork {
                        done: earlier.saturating_add(outlook.work.done),
                        ..outlook.work
                    },
                }
            }),
        }))
    }

    /// Scores all moves in one search.
    fn deepen_at_once(
        &mut self,
        depth: u32,
        most: Option<u64>,
        stop: &Stop,
    ) -> Result<Deepened, Failure> {
        let limits = self.limits_to(depth, most);
        let report = self
            .engine
            .think(&self.position, limits, stop, true, &mut |_| {})?;
        self.nodes += report.nodes.max(1);
        let settled = report.score.is_proven();
        if !settled && report.depth < depth {
            return Ok(Deepened::Stopped);
        }
        let known = |(mv, score): (AnyMove, Score)| MoveScore {
            mv,
            score,
            depth,
            line: match report.best == Some(mv) {
                true => report.line.clone(),
                false => vec![mv],
            },
            proof: None,
        };
        self.known = report.moves.iter().copied().map(known).collect();
        self.depth = depth;
        // The search ends when the best move is proven.
        Ok(match settled {
            true => Deepened::Finished,
            false => Deepened::Deeper,
        })
    }

    fn limits_to(&self, depth: u32, most: Option<u64>) -> Limits {
        Limits {
            nodes: most.map(|most| most.saturating_sub(self.nodes)),
            ..Limits::depth(depth)
        }
    }
}

impl Mind for Analysis {
    /// Searches every move, deeper and deeper, until everything is proven or a limit is reached. `tell` is called after every
    /// finished depth, and in between at most every 100 ms. If there was no time to search each move once, the
    /// answer is a guess.
    ///
    /// If only the best move is wanted, a single search is used, which searches deeper in the same time.
    fn answer(
        &mut self,
        question: &Question,
        stop: &Stop,
        tell: &mut dyn FnMut(&AnyReport),
    ) -> Result<AnyReport, NoAnswer> {
        let limits = question.limits;
        if !question.all_moves {
            let position = &question.position;
            return Ok(self.engine.think(position, limits, stop, false, tell)?);
        }
        let (begin, earlier) = (stop.now(), self.nodes);
        let stop = match limits.move_time() {
            Some(time) => stop.within(time),
            None => stop.clone(),
        };
        let elapsed = || stop.now().saturating_sub(begin);
        let found = |analysis: &Analysis| {
            let report = analysis.report()?;
            Some(AnyReport {
                nodes: report.nodes - earlier,
                elapsed: elapsed(),
                ..report
            })
        };
        let mut told = begin;
        self.turn_to(&question.position);
        for proof in self.known.iter_mut().filter_map(|one| one.proof.as_mut()) {
            // Work for earlier questions must not count towards the speed of this one.
            proof.work.done = 0;
        }
        while limits.depth.is_none_or(|most| self.depth < most) {
            let left = limits
                .nodes
                .map(|most| most.saturating_sub(self.nodes - earlier));
            let mut news = |analysis: &Analysis| {
                if stop.now().saturating_sub(told) >= NEWS {
                    told = stop.now();
                    found(analysis).iter().for_each(&mut *tell);
                }
            };
            if self.deepen(left, &stop, &mut news)? != Deepened::Deeper {
                break;
            }
            told = stop.now();
            found(self).iter().for_each(&mut *tell);
        }
        if let Some(report) = found(self) {
            return Ok(report);
        }
        let hurry = stop.child();
        hurry.request();
        let position = &question.position;
        Ok(self
            .engine
            .think(position, Limits::NONE, &hurry, true, &mut |_| {})?)
    }
}
