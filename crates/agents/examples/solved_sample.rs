//! Makes a sample of middle-game positions in which every move is solved: `solved_sample GAME FROM TO COUNT [SEED]`.
//!
//! Each position comes from a different game: a few random moves, then moves of a weak engine that sometimes errs, until the seeds
//! in play are down to a number drawn from `FROM..=TO`. Positions with a single legal move are skipped, because there is nothing to
//! choose. No other position is skipped, however long it takes to solve. A line is `GAME; POSITION; VALUES`, where `VALUES` has the
//! final margin of each pit from the mover's point of view, and `-` for an empty pit.

use kalahari_agents::{AgentSpec, Player};
use kalahari_exact::prover::{Prover, ProverOptions, TablebasePolicy, Wanted};
use kalahari_games::{AnyGame, AnyMove, AnyPosition, Game, View};
use kalahari_search::Rng;
use kalahari_terms::{Limits, Stop};
use std::error::Error;

/// The solver's tablebase, in seeds.
const TABLEBASE: usize = 22;
/// One in this many of the weak engine's moves is random.
const ERR_EVERY: usize = 6;

fn seeds_in_play(game: &AnyGame, position: &AnyPosition) -> usize {
    match game.view(position) {
        View::Kalah(setup) => {
            let sides = setup.houses.chunks(setup.pits() + 1);
            let pits = sides.flat_map(|side| &side[..setup.pits()]);
            pits.map(|&pit| usize::from(pit)).sum()
        }
        View::Isolation(_) => 0,
    }
}

fn random_move(game: &AnyGame, position: &AnyPosition, rng: &mut Rng) -> AnyMove {
    let moves: Vec<AnyMove> = game.moves(position).collect();
    moves[rng.below(moves.len())]
}

/// The first position with at most `most` seeds in play; `None` if it has fewer than `from` or a single move, or if the game ends first.
fn middle_game(
    game: &AnyGame,
    (from, most): (usize, usize),
    rng: &mut Rng,
) -> Result<Option<AnyPosition>, Box<dyn Error>> {
    let spec: AgentSpec = "engine:nodes=3000,tablebase=0,book=0".parse()?;
    let mut player = Player::new(&spec, game, 1)?;
    let mut position = game.start();
    let random = rng.below(9);
    for ply in 0.. {
        if game.is_over(&position) {
            return Ok(None);
        }
        let seeds = seeds_in_play(game, &position);
        if seeds <= most {
            let decides = game.count_moves(&position) > 1;
            return Ok((seeds >= from && decides).then_some(position));
        }
        let mv = match ply < random || rng.below(ERR_EVERY) == 0 {
            true => random_move(game, &position, rng),
            false => {
                let report = player.choose(&position, Limits::NONE, &Stop::new())?;
                report.best.ok_or("an unfinished game has a move")?
            }
        };
        position = game.play(&position, mv)?;
    }
    Ok(None)
}

fn main() -> Result<(), Box<dyn Error>> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [game, from, to, count, rest @ ..] = words.as_slice() else {
        return Err("solved_sample GAME FROM TO COUNT [SEED]".into());
    };
    let game = AnyGame::new(game.parse()?);
    let (from, to, count): (usize, usize, usize) = (from.parse()?, to.parse()?, count.parse()?);
    let rng_seed = rest.first().map_or(Ok(1), |seed| seed.parse())?;
    let mut rng = Rng::new(rng_seed);
    let mut positions = Vec::new();
    while positions.len() < count {
        let most = from + rng.below(to - from + 1);
        let found = middle_game(&game, (from, most), &mut rng)?;
        positions.extend(found.filter(|found| !positions.contains(found)));
    }
    let options = ProverOptions {
        tablebase: TablebasePolicy::Seeds(TABLEBASE),
        ..ProverOptions::without_files()
    };
    let mut prover = Prover::new(&game, options);
    let stop = Stop::new();
    prover.prepare(&positions, &Wanted::ALL, &stop)?;
    for position in &positions {
        let proof = prover.prove(position, &Wanted::ALL, &stop)?;
        let moves = proof.exact_moves().ok_or("not proven")?;
        let View::Kalah(setup) = game.view(position) else {
            return Err("Kalah only".into());
        };
        let mut values = vec!["-".to_owned(); setup.pits()];
        for (mv, value) in moves {
            if let Some(slot) = values.get_mut(mv.to_string().parse::<usize>()?) {
                *slot = value.to_string();
            }
        }
        println!(
            "{}; {}; {}",
            game.spec(),
            game.position_text(position),
            values.join(" ")
        );
    }
    Ok(())
}
