//! Reconstructs games from the single questions that a host asks.
//!
//! A host asks about positions and says neither which game they belong to nor how the game ends. Some hosts send a game's id before a
//! question (`game:id`), and our own host also sends the result (`game:result`). In all other cases the tracker infers what happened:
//! it searches for the moves that lead from the last known position to the new one. South is always us; here we are player 0.

use super::share_positions;
use kalahari_agents::setup_of;
use kalahari_arena::{Ending, GameRecord, RecordedMove};
use kalahari_games::kalah::{CaptureRule, KalahSetup, KalahSpec, MAX_SEEDS};
use kalahari_games::{
    AnyGame, AnyMove, AnyPosition, Game, GameSpec, Outcome, Player, Verdict, View,
};
use kalahari_protocol::kgp::Board;
use kalahari_terms::Score;
use std::time::{Duration, Instant};

const US: Player = Player::First;
const THEM: Player = Player::Second;

/// A move of ours.
#[derive(Clone, Debug)]
pub struct Turn {
    /// The number of the game on this visit, from 1.
    pub game: u64,
    /// How many moves of it are known, including this one.
    pub ply: usize,
    /// The rules.
    pub spec: GameSpec,
    /// The opponent's name; empty if the host does not send it.
    pub opponent: String,
    /// The position before the move; we are player 0.
    pub before: View,
    /// The position after it.
    pub after: View,
    /// The move.
    pub mv: AnyMove,
    /// Our score of the position.
    pub score: Option<Score>,
    /// The last depth that was finished.
    pub depth: u32,
    /// How long the move took.
    pub took: Duration,
}

/// A game that is over.
#[derive(Clone, Debug)]
pub struct Ended {
    /// The number of the game on this visit, from 1.
    pub game: u64,
    /// The opponent's name; empty if the host does not send it.
    pub opponent: String,
    /// Our result; `None` if it is not known.
    pub verdict: Option<Verdict>,
    /// Whether we moved first.
    pub we_first: bool,
    /// The record of the game. The caller has to fill in its players and its match. Without a result it is unfinished.
    pub record: GameRecord,
}

/// A move that we have chosen.
#[derive(Clone, Copy, Debug)]
pub(super) struct Choice {
    pub(super) mv: AnyMove,
    pub(super) score: Option<Score>,
    pub(super) depth: u32,
}

/// All games that may still be in progress.
#[derive(Debug, Default)]
pub(super) struct Tracker {
    games: Vec<Tracked>,
    begun: u64,
    /// Whether the host has had two games at the same time.
    several: bool,
}

#[derive(Debug)]
struct Tracked {
    number: u64,
    told: Option<String>,
    opponent: String,
    game: AnyGame,
    spec: GameSpec,
    /// The first position, if it is not the game's own start.
    start: Option<View>,
    we_first: bool,
    moves: Vec<RecordedMove>,
    /// The position of the last question.
    asked: AnyPosition,
    begin: Instant,
    chosen: Option<(Choice, Duration)>,
}

/// The most positions that are searched for the moves between two positions.
const BUDGET: u32 = 20_000;
/// The most games that are tracked; if there are more, the oldest have ended long ago.
const MOST: usize = 128;

/// The game and the position of a question.
#[derive(Clone, Debug)]
pub(super) struct Place {
    pub(super) number: u64,
    pub(super) game: AnyGame,
    pub(super) position: AnyPosition,
}

/// The game and the position of a board; `None` if it is too large for our games.
fn position_of(board: &Board) -> Option<(AnyGame, GameSpec, AnyPosition)> {
    let setup = setup_of(board, US)?;
    let pits = board.pits();
    let seeds = u32::try_from(board.total()).ok()? / (2 * pits as u32);
    let spec = KalahSpec::new(pits, seeds.clamp(1, MAX_SEEDS), CaptureRule::Standard)?;
    let spec = GameSpec::Kalah(spec.with_majority(true));
    let exact = AnyGame::new(spec);
    let view = View::Kalah(setup);
    if let Ok(position) = exact.position(&view) {
        return Some((exact, spec, position));
    }
    let (game, position) = AnyGame::at_view(spec, &view).ok()?;
    Some((game, spec, position))
}

impl Tracker {
    /// Finds the game of a question. Also returns the games that must be over now. `None` if the board is too large for
    /// our games, or the game on it is over. Games whose numbers are in `open` still wait for our answer, so the question is not
    /// about them, unless the host has sent their id.
    pub(super) fn asked(
        &mut self,
        board: &Board,
        (told, opponent): (Option<&str>, &str),
        open: &[u64],
    ) -> Option<(Place, Vec<Ended>)> {
        let (game, spec, position) = position_of(board)?;
        if game.is_over(&position) {
            return None;
        }
        let now = Instant::now();
        let same = |tracked: &Tracked| {
            let alike = share_positions(&tracked.game, &game) && tracked.told.as_deref() == told;
            alike && (told.is_some() || !open.contains(&tracked.number))
        };
        let known = self
            .games
            .iter_mut()
            .rev()
            .filter(|tracked| same(tracked))
            .find_map(|tracked| tracked.goes_on_to(&position).then_some(tracked));
        if let Some(tracked) = known {
            tracked.asked = position;
            tracked.chosen = None;
            tracked.begin = now;
            let number = tracked.number;
            self.several |= number != self.begun && told.is_none();
            let place = Place {
                number,
                game,
                position,
            };
            return Some((place, Vec::new()));
        }
        let mut over = Vec::new();
        if told.is_none() && !self.several {
            over = self.end_all();
        }
        if told.is_some() {
            // An earlier game with this id cannot have led to this position.
            self.games.retain(|tracked| tracked.told.as_deref() != told);
        }
        while self.games.len() >= MOST {
            over.push(self.games.remove(0).ended(None));
        }
        self.begun += 1;
        let tracked = Tracked::new(self.begun, (game.clone(), spec), position, told, opponent);
        self.games.push(tracked);
        let place = Place {
            number: self.begun,
            game,
            position,
        };
        Some((place, over))
    }

    /// Notes that two questions were open at the same time.
    pub(super) fn saw_several(&mut self) {
        self.several = true;
    }

    /// The host has our final move. Returns the move, and the game if the move has ended it.
    pub(super) fn chosen(&mut self, number: u64, choice: Choice) -> Option<(Turn, Option<Ended>)> {
        let place = self
            .games
            .iter()
            .position(|tracked| tracked.number == number)?;
        let tracked = &mut self.games[place];
        let took = tracked.begin.elapsed();
        tracked.chosen = Some((choice, took));
        let after = tracked.game.play(&tracked.asked, choice.mv).ok()?;
        let turn = Turn {
            game: number,
            ply: tracked.moves.len() + 1,
            spec: tracked.spec,
            opponent: tracked.opponent.clone(),
            before: tracked.game.view(&tracked.asked),
            after: tracked.game.view(&after),
            mv: choice.mv,
            score: choice.score,
            depth: choice.depth,
            took,
        };
        let over = tracked.game.is_over(&after);
        Some((turn, over.then(|| self.games.remove(place).ended(None))))
    }

    /// The host has sent the result of a game.
    pub(super) fn told(&mut self, id: &str, verdict: Verdict) -> Option<Ended> {
        let told = |tracked: &Tracked| tracked.told.as_deref() == Some(id);
        let place = self.games.iter().position(told)?;
        Some(self.games.remove(place).ended(Some(verdict)))
    }

    /// Ends all games.
    pub(super) fn end_all(&mut self) -> Vec<Ended> {
        self.games
            .drain(..)
            .map(|tracked| tracked.ended(None))
            .collect()
    }
}

impl Tracked {
    fn new(
        number: u64,
        (game, spec): (AnyGame, GameSpec),
        position: AnyPosition,
        told: Option<&str>,
        opponent: &str,
    ) -> Self {
        let mut tracked = Tracked {
            number,
            told: told.map(str::to_owned),
            opponent: opponent.to_owned(),
            spec,
            start: None,
            we_first: true,
            moves: Vec::new(),
            asked: position,
            begin: Instant::now(),
            chosen: None,
            game,
        };
        let game = &tracked.game;
        if position == game.start() {
            return tracked;
        }
        let View::Kalah(setup) = game.view(&game.start()) else {
            return tracked;
        };
        let theirs = View::Kalah(KalahSetup {
            player: THEM,
            ..setup
        });
        let mut budget = BUDGET;
        let moves = game
            .position(&theirs)
            .ok()
            .and_then(|start| between(game, &start, &position, &mut budget));
        match moves {
            Some(moves) => {
                tracked.we_first = false;
                tracked.moves = moves.into_iter().map(RecordedMove::book).collect();
            }
            None => tracked.start = Some(game.view(&position)),
        }
        tracked
    }

    /// Whether a position can be the next one of this game. If so, adds the moves that lead to it.
    fn goes_on_to(&mut self, target: &AnyPosition) -> bool {
        if *target == self.asked {
            // The same question again. Without an id, it is another game with an equal position.
            return self.told.is_some();
        }
        let sent = self.chosen.map(|(choice, _)| choice.mv);
        let others = self.game.moves(&self.asked).filter(|mv| Some(*mv) != sent);
        // The host may not have played the move that we sent last.
        let tries: Vec<AnyMove> = sent.into_iter().chain(others).collect();
        for mv in tries {
            let mut budget = if Some(mv) == sent {
                BUDGET
            } else {
                BUDGET / 10
            };
            let after = self.game.play_unchecked(&self.asked, mv);
            if let Some(path) = between(&self.game, &after, target, &mut budget) {
                self.add_own(mv);
                self.moves.extend(path.into_iter().map(RecordedMove::book));
                return true;
            }
        }
        false
    }

    fn add_own(&mut self, mv: AnyMove) {
        let sent = self.chosen.filter(|(choice, _)| choice.mv == mv);
        self.moves.push(RecordedMove {
            mv,
            micros: sent.map(|(_, took)| took.as_micros() as u64),
            score: sent.and_then(|(choice, _)| choice.score),
        });
    }

    /// Ends the game and infers how it ended, if possible. `told` is our result if the host has sent it.
    fn ended(mut self, told: Option<Verdict>) -> Ended {
        let mut ends = Vec::new();
        if let Some((choice, _)) = self.chosen {
            let after = self.game.play_unchecked(&self.asked, choice.mv);
            self.add_own(choice.mv);
            let mut budget = BUDGET;
            all_ends(&self.game, &after, &mut Vec::new(), &mut ends, &mut budget);
            if budget == 0 {
                ends.clear();
            }
        }
        let fits =
            |end: &(Vec<AnyMove>, Outcome)| told.is_none_or(|told| end.1.verdict(US) == told);
        ends.retain(fits);
        let verdicts: Vec<Verdict> = ends
            .iter()
            .map(|(_, outcome)| outcome.verdict(US))
            .collect();
        let agreed = verdicts
            .first()
            .filter(|first| verdicts.iter().all(|other| other == *first));
        let verdict = told.or(agreed.copied());
        let (ending, detail, margin) = match (ends.as_slice(), verdict) {
            (_, None) => (Ending::Unfinished, "the host asks no more", None),
            ([(moves, outcome)], Some(_)) => {
                self.moves
                    .extend(moves.iter().map(|&mv| RecordedMove::book(mv)));
                let told_or_ours = told.is_some() || moves.is_empty();
                let detail = if told_or_ours {
                    ""
                } else {
                    "the end is inferred: the host asks no more"
                };
                (Ending::Rules, detail, Some(outcome.margin(US)))
            }
            ([], Some(_)) => (Ending::Crash, "the loser failed or left", None),
            (_, Some(_)) if told.is_some() => (Ending::Rules, "the last moves are not known", None),
            (_, Some(_)) => (
                Ending::Rules,
                "the end is inferred: the host asks no more",
                None,
            ),
        };
        let winner = match verdict {
            Some(Verdict::Win) => Some(US),
            Some(Verdict::Loss) => Some(THEM),
            Some(Verdict::Draw) | None => None,
        };
        // In a record, the player that moved first is player 0.
        let turned = |player: Player| if self.we_first { player } else { !player };
        let record = GameRecord {
            game: self.spec,
            players: ["", ""].map(Into::into),
            start: self.start,
            book: 0,
            moves: self.moves,
            winner: winner.map(turned),
            margin: margin.map(|margin| if self.we_first { margin } else { -margin }),
            ending,
            detail: detail.to_owned(),
            match_id: String::new(),
            number: 0,
            rng_seed: 0,
        };
        Ended {
            game: self.number,
            opponent: self.opponent,
            verdict,
            we_first: self.we_first,
            record,
        }
    }
}

/// The moves that the host may play without asking us: the opponent's moves, or our only move. Empty if we have a choice.
fn without_us(game: &AnyGame, position: &AnyPosition) -> Vec<AnyMove> {
    match game.to_move(position) == US && game.count_moves(position) != 1 {
        true => Vec::new(),
        false => game.moves(position).collect(),
    }
}

fn stores(game: &AnyGame, position: &AnyPosition) -> [u16; 2] {
    match game.view(position) {
        View::Kalah(setup) => {
            let pits = setup.pits();
            [setup.houses[pits], setup.houses[2 * pits + 1]]
        }
        View::Isolation(_) => [0; 2],
    }
}

/// The moves of the opponent, and those of ours that are forced, that lead from one position to another.
fn between(
    game: &AnyGame,
    from: &AnyPosition,
    target: &AnyPosition,
    budget: &mut u32,
) -> Option<Vec<AnyMove>> {
    let mut path = Vec::new();
    let most = stores(game, target);
    find(game, from, (target, most), &mut path, budget).then_some(path)
}

fn find(
    game: &AnyGame,
    position: &AnyPosition,
    (target, most): (&AnyPosition, [u16; 2]),
    path: &mut Vec<AnyMove>,
    budget: &mut u32,
) -> bool {
    if position == target {
        return true;
    }
    *budget = budget.saturating_sub(1);
    let stores = stores(game, position);
    // Stores never lose seeds, so the target cannot be reached if a store is too full.
    if *budget == 0 || stores[0] > most[0] || stores[1] > most[1] {
        return false;
    }
    for mv in without_us(game, position) {
        path.push(mv);
        let next = game.play_unchecked(position, mv);
        if find(game, &next, (target, most), path, budget) {
            return true;
        }
        path.pop();
    }
    false
}

/// All ends that the game can have reached without a question to us.
fn all_ends(
    game: &AnyGame,
    position: &AnyPosition,
    path: &mut Vec<AnyMove>,
    ends: &mut Vec<(Vec<AnyMove>, Outcome)>,
    budget: &mut u32,
) {
    *budget = budget.saturating_sub(1);
    if *budget == 0 {
        return;
    }
    if let Some(outcome) = game.outcome(position) {
        ends.push((path.clone(), outcome));
        return;
    }
    for mv in without_us(game, position) {
        path.push(mv);
        let next = game.play_unchecked(position, mv);
        all_ends(game, &next, path, ends, budget);
        path.pop();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use kalahari_agents::board_of;
    use kalahari_search::Rng;

    fn board(game: &AnyGame, position: &AnyPosition) -> Board {
        let View::Kalah(setup) = game.view(position) else {
            panic!("Kalah");
        };
        board_of(&setup).expect("a board")
    }

    /// Plays random games, shows the tracker only the host's questions, and checks what it infers.
    #[test]
    fn games_are_reconstructed_from_single_questions() {
        let mut rng = Rng::new(5);
        for spec in ["kalah:6x4:standard+majority", "kalah:8x8:standard+majority"] {
            let game = AnyGame::new(spec.parse().expect("a game"));
            for (round, told) in [None, Some("7")].into_iter().cycle().take(24).enumerate() {
                let me = Player::BOTH[(round / 2) % 2];
                let mut tracker = Tracker::default();
                let mut position = game.start();
                let mut moves = Vec::new();
                let mut last = None;
                while !game.is_over(&position) {
                    let count = game.count_moves(&position);
                    let legal: Vec<AnyMove> = game.moves(&position).collect();
                    let mv = legal[(rng.next_u64() % count) as usize];
                    if game.to_move(&position) == me && count > 1 {
                        let asked = tracker.asked(&board(&game, &position), (told, ""), &[]);
                        let (place, over) = asked.expect("a position");
                        assert!(over.is_empty());
                        assert_eq!(place.number, 1, "{spec} {round}");
                        let choice = Choice {
                            mv,
                            score: None,
                            depth: 0,
                        };
                        let (_, ended) = tracker.chosen(1, choice).expect("the game is known");
                        last = ended;
                    }
                    moves.push(mv);
                    position = game.play_unchecked(&position, mv);
                }
                let outcome = game.outcome(&position).expect("over");
                let ended = last.or_else(|| match told {
                    Some(id) => tracker.told(id, outcome.verdict(me)),
                    None => tracker.end_all().pop(),
                });
                let ended = ended.expect("it has ended");
                if told.is_some() {
                    assert_eq!(ended.verdict, Some(outcome.verdict(me)));
                }
                assert_eq!(ended.we_first, me == Player::First);
                let found: Vec<AnyMove> = ended.record.moves.iter().map(|mv| mv.mv).collect();
                assert_eq!(found, moves[..found.len()], "{spec} {round}");
                if ended.record.margin.is_some() && told.is_some() {
                    assert_eq!(found, moves);
                    assert_eq!(ended.record.margin, Some(outcome.margin(Player::First)));
                    assert_eq!(ended.record.winner, outcome.winner());
                }
            }
        }
    }

    #[test]
    fn games_with_equal_positions_are_not_confused() {
        let game = AnyGame::new("kalah:6x4:standard+majority".parse().expect("a game"));
        let start = board(&game, &game.start());
        let mut tracker = Tracker::default();
        let mut number = |open: &[u64]| {
            let asked = tracker.asked(&start, (None, ""), open);
            tracker.saw_several();
            asked.expect("a position").0.number
        };
        assert_eq!([number(&[]), number(&[1]), number(&[1, 2])], [1, 2, 3]);
    }

    #[test]
    fn boards_that_are_too_large_are_refused() {
        let mut tracker = Tracker::default();
        for (stores, pits, seeds) in [
            ([0, 0], 13, 4),
            ([0, 0], 6, 70_000),
            ([0, 0], 12, 41),
            ([1, 1], 3, 0),
        ] {
            let board = Board::new(stores, vec![seeds; pits], vec![seeds; pits]).expect("a board");
            assert!(tracker.asked(&board, (None, ""), &[]).is_none());
        }
        let odd = Board::new([3, 0], vec![1, 2, 0], vec![0, 0, 9]).expect("a board");
        assert!(tracker.asked(&odd, (None, ""), &[]).is_some());
    }
}
