//! A complete small agent for every game of Kalahari: a search and the universal game interface.
//!
//! ```text
//! cargo build --release -p kalahari-example-agent
//! kalahari analyze kalah:6x4 --agent ugi:target/release/example-agent --time 1s
//! ```
//!
//! Copy it and change [`evaluate`] or [`Search`]; the rest can stay as it is. The rules come from the
//! crate `kalahari-games`, so it plays Isolation as well. It thinks in the thread that reads, so it
//! sees `stop` only after its answer: it keeps to its limits by itself, and takes a second if it
//! is given none.

use kalahari_games::{AnyGame, Game, GameSpec, Player, View, with_game};
use std::io::{self, BufRead, Write};
use std::time::{Duration, Instant};

/// What a position is worth to the player to move: the final margin, or a guess while the game goes on.
/// Improve me!
fn evaluate<G: Game>(game: &G, position: &G::Position) -> i32 {
    match game.outcome(position) {
        Some(outcome) => 1000 * outcome.margin(game.to_move(position)),
        None => heuristic(game, position),
    }
}

/// For Kalah 1000 times the difference of the stores; for Isolation the number of legal moves.
fn heuristic<G: Game>(game: &G, position: &G::Position) -> i32 {
    match game.view(position) {
        View::Kalah(board) => {
            let store = |player: Player| {
                let house = board.pits() + player.index() * (board.pits() + 1);
                i32::from(board.houses[house])
            };
            1000 * (store(board.player) - store(!board.player))
        }
        View::Isolation(_) => game.count_moves(position) as i32,
    }
}

/// Alpha-beta, one ply deeper at a time until the limits are reached.
struct Search<'a, G: Game> {
    game: &'a G,
    deadline: Option<Instant>,
    max_depth: u32,
    max_nodes: u64,
    nodes: u64,
}

/// The search has to end now.
struct OutOfTime;

impl<G: Game> Search<'_, G> {
    /// The value for the player to move, if it lies between `alpha` and `beta`.
    fn value(
        &mut self,
        position: &G::Position,
        depth: u32,
        mut alpha: i32,
        beta: i32,
    ) -> Result<i32, OutOfTime> {
        self.nodes += 1;
        let late = |deadline| self.nodes.is_multiple_of(64) && Instant::now() >= deadline;
        if self.nodes > self.max_nodes || self.deadline.is_some_and(late) {
            return Err(OutOfTime);
        }
        if depth == 0 || self.game.is_over(position) {
            return Ok(evaluate(self.game, position));
        }
        for mv in self.game.moves(position) {
            let child = self.game.play_unchecked(position, mv);
            // The same player may move again, so look at whose turn it is and never assume it.
            let value = if self.game.to_move(&child) == self.game.to_move(position) {
                self.value(&child, depth - 1, alpha, beta)?
            } else {
                -self.value(&child, depth - 1, -beta, -alpha)?
            };
            alpha = alpha.max(value);
            if alpha >= beta {
                break;
            }
        }
        Ok(alpha)
    }

    /// The best move, or `None` when the game is over. Reports every depth.
    fn best_move(&mut self, position: &G::Position) -> Option<G::Move> {
        const INFINITY: i32 = 1_000_000_000;
        let mut best = self.game.moves(position).next();
        for depth in 1..=self.max_depth {
            let mut found = (-INFINITY, None);
            for mv in self.game.moves(position) {
                let child = self.game.play_unchecked(position, mv);
                let again = self.game.to_move(&child) == self.game.to_move(position);
                let value = match again {
                    true => self.value(&child, depth - 1, found.0, INFINITY),
                    false => self
                        .value(&child, depth - 1, -INFINITY, -found.0)
                        .map(|value| -value),
                };
                let Ok(value) = value else {
                    return best;
                };
                if value > found.0 {
                    found = (value, Some(mv));
                }
            }
            best = found.1.or(best);
            if let Some(mv) = best {
                let (score, nodes) = (found.0 / 10, self.nodes);
                say(&format!(
                    "info depth {depth} score cp {score} nodes {nodes} pv {mv}"
                ));
            }
        }
        best
    }
}

/// The limits after `go` that this agent understands.
fn search<'a, G: Game>(game: &'a G, mover: Player, words: &[&str]) -> Search<'a, G> {
    let number = |key: &str| -> Option<u64> {
        let at = words.iter().position(|word| *word == key)?;
        words.get(at + 1)?.parse().ok()
    };
    let (time, increment) = match mover {
        Player::First => (number("p1time"), number("p1inc")),
        Player::Second => (number("p2time"), number("p2inc")),
    };
    let from_clock = time.map(|time| time / 20 + increment.unwrap_or(0) / 2);
    let (depth, nodes) = (number("depth"), number("nodes"));
    let nothing = (depth.is_none() && nodes.is_none()).then_some(1000);
    let millis = number("movetime").or(from_clock).or(nothing);
    Search {
        game,
        // A little less than allowed, because the answer takes time to arrive.
        deadline: millis.map(|millis| Instant::now() + Duration::from_millis(millis / 10 * 9)),
        max_depth: depth.map_or(60, |depth| depth.min(60) as u32),
        max_nodes: nodes.unwrap_or(u64::MAX),
        nodes: 0,
    }
}

/// The position after the word `position`, with its moves played.
fn read_position<G: Game>(game: &G, words: &[&str]) -> Result<G::Position, String> {
    let end = words.iter().position(|word| *word == "moves");
    let (start, moves) = words.split_at(end.unwrap_or(words.len()));
    let mut position = match start {
        ["startpos"] => game.start(),
        ["fen", fen @ ..] => game
            .parse_position(&fen.join(" "))
            .map_err(|error| error.to_string())?,
        _ => return Err("position is followed by startpos or fen".to_owned()),
    };
    for word in moves.iter().skip(1) {
        let mv = game.parse_move(word).map_err(|error| error.to_string())?;
        position = game
            .play(&position, mv)
            .map_err(|error| error.to_string())?;
    }
    Ok(position)
}

fn query<G: Game>(game: &G, position: &G::Position, what: &str) -> &'static str {
    let truth = |truth| if truth { "true" } else { "false" };
    match what {
        "p1turn" => truth(game.to_move(position) == Player::First),
        "gameover" => truth(game.is_over(position)),
        _ => match game.outcome(position).map(|outcome| outcome.winner()) {
            None => "none",
            Some(Some(Player::First)) => "p1win",
            Some(Some(Player::Second)) => "p2win",
            Some(None) => "draw",
        },
    }
}

fn say(text: &str) {
    let mut out = io::stdout().lock();
    // A reader that has gone also closes our input, which ends the program.
    let _ = writeln!(out, "{text}").and_then(|()| out.flush());
}

/// Talks about one game until another is named, which it returns, or the input ends.
fn talk<G: Game>(game: &G, lines: &mut impl Iterator<Item = String>) -> Option<GameSpec> {
    let mut position = game.start();
    for line in lines {
        let words: Vec<&str> = line.split_whitespace().collect();
        match words[..] {
            ["ugi", ..] => {
                say("id name Small Rust agent");
                say("option name game type string default kalah:6x6:standard");
                say("ugiok");
            }
            ["isready", ..] => say("readyok"),
            ["setoption", "name", "game", "value", name] => match name.parse() {
                Ok(spec) => return Some(spec),
                Err(error) => say(&format!("info string {error}")),
            },
            ["position", ref words @ ..] => match read_position(game, words) {
                Ok(new) => position = new,
                Err(problem) => say(&format!("info string {problem}")),
            },
            ["go", ref words @ ..] => {
                let mut search = search(game, game.to_move(&position), words);
                match search.best_move(&position) {
                    Some(mv) => say(&format!("bestmove {mv}")),
                    None => say("bestmove none"),
                }
            }
            ["query", what, ..] => {
                say(&format!("response {}", query(game, &position, what)));
            }
            ["quit", ..] => return None,
            _ => {}
        }
    }
    None
}

fn main() {
    let mut lines = io::stdin().lock().lines().map_while(Result::ok);
    let mut next = Some(GameSpec::default());
    while let Some(spec) = next {
        // The search is compiled for each type of board, at its full speed.
        next = with_game!(&AnyGame::new(spec), game => talk(game, &mut lines));
    }
}
