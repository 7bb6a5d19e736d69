//! One game: moves, clocks, forfeits and adjudication.

use crate::openings::Line;
use crate::spec::{Adjudicate, Rules};
use kalahari_agents::Player as Agent;
use kalahari_games::{AnyGame, AnyMove, AnyPosition, Game, Outcome, Player, Verdict};
use kalahari_record::{Ending, RecordedMove};
use kalahari_terms::{Failure, Limits, Score, Stop};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

/// How a game went.
#[derive(Clone, Debug)]
pub(crate) struct Played {
    /// The moves after the opening.
    pub(crate) moves: Vec<RecordedMove>,
    pub(crate) winner: Option<Player>,
    /// The first player's margin, where it is known.
    pub(crate) margin: Option<i32>,
    pub(crate) ending: Ending,
    pub(crate) detail: String,
    /// The loser's failure, if that ended the game.
    pub(crate) failure: Option<Failure>,
}

/// How a game ended, and its margin if that is known.
pub(crate) struct End {
    pub(crate) winner: Option<Player>,
    pub(crate) margin: Option<i32>,
    pub(crate) ending: Ending,
    detail: String,
    failure: Option<Failure>,
}

impl End {
    fn of(outcome: Outcome, ending: Ending) -> Self {
        End {
            winner: outcome.winner(),
            margin: Some(outcome.margin(Player::First)),
            ending,
            detail: String::new(),
            failure: None,
        }
    }

    /// The end of a game that `loser` forfeits by a failure.
    fn forfeit(loser: Player, failure: Failure) -> Self {
        End {
            winner: Some(!loser),
            margin: None,
            ending: (&failure).into(),
            detail: one_line(failure.detail()),
            failure: Some(failure),
        }
    }
}

/// Plays a game. `agents` are in the order of their seats. `None` if the request to stop came first: a game
/// in which a search was cut short does not count.
pub(crate) fn play_game(
    game: &AnyGame,
    agents: [&mut Agent; 2],
    line: &Line,
    rules: &Rules,
    stop: &Stop,
) -> Option<Played> {
    let mut position = line.position;
    let mut clocks = [rules.clock.map(|clock| clock.base); 2];
    let mut proofs: [Option<Score>; 2] = [None; 2];
    let mut moves = Vec::with_capacity(64);
    let end = loop {
        if let Some(end) = early_end(game, &position, rules) {
            break end;
        }
        let mover = game.to_move(&position);
        let seat = mover.index();
        let agent = &mut *agents[seat];
        let asked = rules.asked_of(agent, clocks[seat]);
        let (elapsed, answer) = ask(game, agent, &position, asked, (rules.grace, stop));
        if stop.is_requested() {
            return None;
        }
        let Answer { mv, next, score } = match answer {
            Ok(answer) => answer,
            Err(failure) => break End::forfeit(mover, failure),
        };
        if let (Some(left), Some(control)) = (&mut clocks[seat], rules.clock) {
            *left = left.saturating_sub(elapsed) + control.increment;
        }
        moves.push(RecordedMove {
            mv,
            micros: Some(elapsed.as_micros() as u64),
            score: Some(score).filter(|score| score.amount().is_finite()),
        });
        position = next;
        proofs[seat] = Some(score);
        if !game.is_over(&position)
            && let Some(end) = proven_end(game, mover, proofs, rules)
        {
            break end;
        }
    };
    Some(Played {
        moves,
        winner: end.winner,
        margin: end.margin,
        ending: end.ending,
        detail: end.detail,
        failure: end.failure,
    })
}

/// A legal move.
pub(crate) struct Answer {
    pub(crate) mv: AnyMove,
    /// The position after it.
    pub(crate) next: AnyPosition,
    /// The score that the player to move gives the position before it.
    pub(crate) score: Score,
}

/// Asks an agent for a move within its limits ([`Rules::asked_of`]). Returns how long it took, and the move or the agent's failure.
/// After a request to stop the answer is meaningless.
pub(crate) fn ask(
    game: &AnyGame,
    agent: &mut Agent,
    position: &AnyPosition,
    asked: Limits,
    (grace, stop): (Duration, &Stop),
) -> (Duration, Result<Answer, Failure>) {
    let begin = Instant::now();
    let answer = catch_unwind(AssertUnwindSafe(|| agent.choose(position, asked, stop)));
    let elapsed = begin.elapsed();
    let panicked = |_| Err(Failure::Crashed("the agent panicked".to_owned()));
    let answer = answer.unwrap_or_else(panicked).and_then(|report| {
        in_time(&asked, elapsed, grace)?;
        let no_move = || Failure::Illegal("no move".to_owned());
        let mv = report.best.ok_or_else(no_move)?;
        let next = game.play(position, mv);
        let next = next.map_err(|error| Failure::Illegal(error.to_string()))?;
        let score = report.score.seen_by(game.to_move(position));
        Ok(Answer { mv, next, score })
    });
    (elapsed, answer)
}

/// The end of a game in a position, by its rules or by those of the match.
pub(crate) fn early_end(game: &AnyGame, position: &AnyPosition, rules: &Rules) -> Option<End> {
    if let Some(outcome) = game.outcome(position) {
        return Some(End::of(outcome, Ending::Rules));
    }
    if rules.adjudicate != Adjudicate::Majority {
        return None;
    }
    let (least, most) = game.reachable(position);
    (least > 0 || most < 0).then(|| {
        // The points still in play extend the range equally to both sides, so its middle is the current lead.
        let outcome = Outcome::from_margin(game.to_move(position), (least + most) / 2);
        End::of(outcome, Ending::Majority)
    })
}

/// The end of a game that is not over by its rules but whose result both players have proven, if the match allows that. The margin
/// is the one proven by the player who has just moved, if it has proven a margin and not only the winner; the other's proof is
/// older than the last move. A draw has only one margin.
pub(crate) fn proven_end(
    game: &AnyGame,
    mover: Player,
    proofs: [Option<Score>; 2],
    rules: &Rules,
) -> Option<End> {
    if rules.adjudicate != Adjudicate::Proven {
        return None;
    }
    let [own, other] = [mover, !mover].map(|player| proofs[player.index()]);
    let (own, other) = (own?.seen_by(Player::First), other?.seen_by(Player::First));
    let verdict = own.proven_verdict()?;
    if other.proven_verdict()? != verdict {
        return None;
    }
    let margin = match verdict == Verdict::Draw || !game.has_margins() {
        true => Some(verdict.sign()),
        false => own.proven_margin(),
    };
    Some(End {
        winner: Outcome::from_margin(Player::First, verdict.sign()).winner(),
        margin,
        ending: Ending::Proven,
        detail: String::new(),
        failure: None,
    })
}

/// Whether an answer came in time.
fn in_time(allowed: &Limits, elapsed: Duration, grace: Duration) -> Result<(), Failure> {
    match allowed.latest() {
        Some(latest) if elapsed > latest.saturating_add(grace) => {
            let (took, left) = (elapsed.as_secs_f64(), latest.as_secs_f64());
            let detail = format!("{took:.3} s for a move, {left:.3} s were left");
            Err(Failure::TimedOut(detail))
        }
        _ => Ok(()),
    }
}

/// A text on one line that is not too long for a record.
fn one_line(text: &str) -> String {
    let clean: String = text
        .chars()
        .take(200)
        .map(|c| if c.is_control() { ' ' } else { c })
        .collect();
    clean.trim().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::spec::TimeControl;
    use kalahari_agents::AnyReport;
    use kalahari_games::kalah::Pit;
    use kalahari_search::{Agent as Thinker, Report, Task};
    use kalahari_terms::Worth;

    fn kalah() -> AnyGame {
        AnyGame::new("kalah:6x4".parse().expect("a game"))
    }

    /// How an agent behaves.
    #[derive(Clone, Copy)]
    enum Manner {
        Illegal,
        Silent,
        Panics,
        Fails,
        Sleeps,
        /// It plays the first legal move and claims to have proven this.
        Proves(Worth),
    }

    struct Odd(Manner, AnyGame);

    impl Thinker<AnyGame> for Odd {
        fn think(&mut self, task: Task<'_, AnyGame>) -> Result<AnyReport, Failure> {
            let player = self.1.to_move(&task.position);
            let legal = self.1.moves(&task.position).next();
            let mut score = Score::estimate(player, Worth::Points(f64::NAN));
            let best = match self.0 {
                Manner::Illegal => Some(AnyMove::Kalah(Pit(11))),
                Manner::Silent => None,
                Manner::Panics => panic!("on purpose"),
                Manner::Fails => return Err(Failure::Crashed("it\ndied".to_owned())),
                Manner::Sleeps => {
                    std::thread::sleep(Duration::from_millis(30));
                    legal
                }
                Manner::Proves(worth) => {
                    score = Score::proven(player, worth);
                    legal
                }
            };
            Ok(Report {
                best,
                score,
                line: Vec::new(),
                moves: Vec::new(),
                depth: 0,
                nodes: 0,
                elapsed: Duration::ZERO,
                outlook: None,
            })
        }

        fn forget(&mut self, _: u64) {}

        fn is_deterministic(&self) -> bool {
            false
        }
    }

    fn odd(game: &AnyGame, manner: Manner) -> Agent {
        let spec = "random".parse().expect("an agent");
        Agent::with_agent(spec, Box::new(Odd(manner, game.clone())))
    }

    fn game_of(
        game: &AnyGame,
        agents: [&mut Agent; 2],
        rules: &Rules,
        stop: &Stop,
    ) -> Option<Played> {
        let line = Line {
            start: None,
            moves: Vec::new(),
            position: game.start(),
        };
        play_game(game, agents, &line, rules, stop)
    }

    fn against(manner: Manner, rules: &Rules, stop: &Stop) -> Option<Played> {
        let game = kalah();
        let spec = "random".parse().expect("an agent");
        let mut random = Agent::new(&spec, &game, 1).expect("an agent");
        game_of(&game, [&mut odd(&game, manner), &mut random], rules, stop)
    }

    #[test]
    fn hostile_agents_lose() {
        let tight = Rules {
            limits: Limits::time(Duration::from_millis(1)),
            grace: Duration::from_millis(1),
            ..Rules::default()
        };
        let clock = Rules {
            clock: Some(TimeControl {
                base: Duration::from_millis(5),
                increment: Duration::ZERO,
            }),
            grace: Duration::from_millis(1),
            ..Rules::default()
        };
        for (manner, rules, ending) in [
            (Manner::Illegal, Rules::default(), Ending::Illegal),
            (Manner::Silent, Rules::default(), Ending::Illegal),
            (Manner::Panics, Rules::default(), Ending::Crash),
            (Manner::Fails, Rules::default(), Ending::Crash),
            (Manner::Sleeps, tight, Ending::Time),
            (Manner::Sleeps, clock, Ending::Time),
        ] {
            let played = against(manner, &rules, &Stop::new()).expect("a game");
            assert_eq!(played.ending, ending);
            assert_eq!(played.winner, Some(Player::Second));
            assert_eq!(played.margin, None);
            assert!(!played.detail.contains('\n') && !played.detail.is_empty());
        }
    }

    #[test]
    fn a_stopped_game_does_not_count() {
        let stop = Stop::new();
        stop.request();
        assert!(against(Manner::Sleeps, &Rules::default(), &stop).is_none());
    }

    #[test]
    fn slow_but_within_grace_is_fine() {
        let played = against(Manner::Sleeps, &Rules::default(), &Stop::new()).expect("a game");
        assert_eq!(played.ending, Ending::Rules);
        assert!(
            played
                .moves
                .iter()
                .any(|mv| mv.micros.is_some_and(|micros| micros >= 30_000))
        );
        assert!(played.moves.iter().any(|mv| mv.score.is_none()));
    }

    #[test]
    fn a_proven_result_has_a_margin_only_if_the_mover_has_proven_one() {
        let rules = Rules {
            adjudicate: Adjudicate::Proven,
            ..Rules::default()
        };
        let (won, lost) = (Worth::Result(Verdict::Win), Worth::Result(Verdict::Loss));
        let drawn = Worth::Result(Verdict::Draw);
        let queen = AnyGame::new("isolation:queen".parse().expect("a game"));
        for (game, first, second, winner, margin) in [
            (kalah(), won, lost, Some(Player::First), None),
            (kalah(), lost, won, Some(Player::Second), None),
            // The second player agrees last; the first one's proof is from before a move that may have lost points.
            (kalah(), Worth::Margin(6), lost, Some(Player::First), None),
            (
                kalah(),
                lost,
                Worth::Margin(6),
                Some(Player::Second),
                Some(-6),
            ),
            (kalah(), drawn, drawn, None, Some(0)),
            (queen, won, lost, Some(Player::First), Some(1)),
        ] {
            let [mut one, mut two] = [first, second].map(|worth| odd(&game, Manner::Proves(worth)));
            let played = game_of(&game, [&mut one, &mut two], &rules, &Stop::new());
            let played = played.expect("a game");
            assert_eq!(played.ending, Ending::Proven);
            assert_eq!((played.winner, played.margin), (winner, margin));
        }
        // The proofs contradict each other, so the game continues.
        let game = kalah();
        let [mut one, mut two] = [won, won].map(|worth| odd(&game, Manner::Proves(worth)));
        let played = game_of(&game, [&mut one, &mut two], &rules, &Stop::new());
        assert_eq!(played.expect("a game").ending, Ending::Rules);
    }
}
