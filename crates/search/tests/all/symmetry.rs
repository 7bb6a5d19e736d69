//! Rotations and reflections of the board change nothing but the names of cells.

use kalahari_games::Game;
use kalahari_games::isolation::{Bits, Isolation, IsolationMove, IsolationSpec};
use kalahari_search::eval::{Evaluation, IsolationEval, Registry};
use kalahari_search::{Rng, TableKeys};

const GAMES: [&str; 6] = [
    "isolation:4x4:trail",
    "isolation:8x8:trail",
    "isolation:5x5:classic",
    "isolation:6x6:queen",
    "isolation:5x7:queen",
    "isolation:6x6:knight",
];

/// Checks every position of random games under every symmetry.
fn look_at<B: Bits>(game: &Isolation<B>, rng: &mut Rng) {
    let spec = game.isolation_spec();
    let symmetries = if spec.rows() == spec.cols() { 8 } else { 4 };
    let kinds = <IsolationEval as Registry<Isolation<B>>>::kinds();
    let evals: Vec<IsolationEval> = kinds
        .iter()
        .map(|kind| IsolationEval::new(kind.name, game, &[]).expect("listed"))
        .collect();
    for _ in 0..20 {
        let mut position = game.start();
        while !game.is_over(&position) {
            let moves: Vec<IsolationMove> = game.moves(&position).collect();
            let folded = game.fold(&position).map(|(folded, _)| folded);
            for symmetry in 0..symmetries {
                let image = game.image(&position, symmetry);
                let mut expected: Vec<IsolationMove> = moves
                    .iter()
                    .map(|&mv| game.image_of_move(mv, symmetry))
                    .collect();
                expected.sort();
                let mut found: Vec<IsolationMove> = game.moves(&image).collect();
                found.sort();
                let text = game.position_text(&position);
                assert_eq!(found, expected, "{spec} {text} {symmetry}");
                assert_eq!(game.fold(&image).map(|(folded, _)| folded), folded);
                for eval in &evals {
                    if Evaluation::<Isolation<B>>::scale(eval).is_symmetric {
                        let [here, there] =
                            [&position, &image].map(|at| eval.evaluate(game, at, false));
                        assert_eq!(here, there, "{spec} {text} {symmetry} {eval:?}");
                    }
                }
            }
            let mv = moves[rng.below(moves.len())];
            position = game.play_unchecked(&position, mv);
        }
    }
}

#[test]
fn symmetric_images_have_the_images_of_moves_and_equal_values() {
    let mut rng = Rng::new(3);
    for text in GAMES {
        let spec: IsolationSpec = text.parse().expect("a game");
        look_at(&Isolation::<u64>::new(spec).expect("fits"), &mut rng);
    }
}
