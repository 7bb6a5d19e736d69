//! The puzzles that come with the program are proven again, and tries are judged.

use kalahari_study::puzzle::{
    Fault, Puzzle, TryError, Verdict, build, puzzles, puzzles_text, read_puzzles,
};
use kalahari_terms::Stop;
use std::collections::HashSet;

#[test]
fn a_few_hundred_puzzles_come_with_the_program() {
    let text = include_str!("../../data/puzzles.txt");
    let read = read_puzzles(text).expect("the file is in order");
    assert_eq!(read, puzzles());
    assert_eq!(puzzles_text(&read), text);
    let count = |letter: char| read.iter().filter(|p| p.id.starts_with(letter)).count();
    assert!(count('k') >= 190, "{} of Kalah", count('k'));
    assert!(count('i') >= 90, "{} of Isolation", count('i'));
    let ids: HashSet<&str> = read.iter().map(|puzzle| puzzle.id.as_str()).collect();
    assert_eq!(ids.len(), read.len());
    let places: HashSet<(String, &str)> = read
        .iter()
        .map(|puzzle| (puzzle.game.to_string(), puzzle.start.as_str()))
        .collect();
    assert_eq!(places.len(), read.len());
    for puzzle in &read {
        assert!((1..=5).contains(&puzzle.level));
        for step in &puzzle.steps {
            let winning = step.moves.iter().filter(|known| known.value > 0);
            assert_eq!(winning.count(), 1, "{}", puzzle.id);
            assert!(step.solution().value > 0);
        }
    }
}

#[test]
fn what_is_shipped_can_be_made_again() {
    let made = build(1, &Stop::new(), &mut |_| {}).expect("it is not stopped");
    let (text, shipped) = (puzzles_text(&made), puzzles_text(puzzles()));
    let differs = text.lines().zip(shipped.lines()).find(|(a, b)| a != b);
    assert_eq!(differs, None, "kalahari puzzles build --seed 1");
    assert_eq!(text, shipped);
}

#[test]
fn a_sample_is_proven_again() {
    for puzzle in puzzles().iter().step_by(29) {
        puzzle.prove().expect("a true puzzle");
    }
}

#[test]
#[ignore = "proves every puzzle: about a minute"]
fn all_are_proven_again() {
    for puzzle in puzzles() {
        puzzle.prove().expect("a true puzzle");
    }
}

#[test]
fn a_false_puzzle_is_detected() {
    let mut puzzle = puzzles()[0].clone();
    puzzle.steps[0].moves[0].value += 2;
    puzzle.prove().expect_err("another value");
}

/// `k028` with another best reply than the one the solver finds first, and the steps after it.
const OTHER_REPLY: &str = "kalahari-puzzles 1\n\
    k028\tkalah:6x4:standard\t1 0 1 2 0 6 14 5 0 1 0 1 5 12 0\t1\t1\t\
    0>5 0=2@2 2=-6@5 3=-2@5 5=-8@4\t3>- 0=-2@2 1=-4@2 2=-2@0 3=2 5=-2@0\n";

fn fault(text: &str) -> Fault {
    let puzzles = read_puzzles(text).expect("puzzles");
    puzzles[0].prove().expect_err("a false puzzle").fault
}

#[test]
fn faults_after_another_reply_are_detected() {
    let puzzles = read_puzzles(OTHER_REPLY).expect("puzzles");
    puzzles[0].prove().expect("a true puzzle");
    let wrong_value = OTHER_REPLY.replace("5=-2@0", "5=-4@0");
    assert_eq!(fault(&wrong_value), Fault::Values { step: 2 });
    let wrong_answer = OTHER_REPLY.replace("5=-2@0", "5=-2@1");
    let mv = "5".to_owned();
    assert_eq!(fault(&wrong_answer), Fault::Answer { step: 2, mv });
    // Pit 0 can be sown, but gives seeds away; pit 1 is empty.
    for reply in ["0", "1"] {
        let wrong_reply = OTHER_REPLY.replace("0>5 ", &format!("0>{reply} "));
        let reply = reply.to_owned();
        assert_eq!(fault(&wrong_reply), Fault::Reply { step: 1, reply });
    }
}

/// A puzzle may have more seeds than its game: the solver has to be created for that number.
#[test]
fn a_puzzle_of_many_seeds_is_proven() {
    let text = "kalahari-puzzles 1\n\
        k1\tkalah:2x1:standard\t3 10 0 7 4 0 0\t1\t1\t1>- 0=-6@1 1=4@0\n";
    let puzzles = read_puzzles(text).expect("puzzles");
    puzzles[0].prove().expect("a true puzzle");
}

#[test]
fn tries_are_judged() {
    for puzzle in puzzles() {
        let mut moves: Vec<String> = Vec::new();
        for (number, step) in (1..).zip(&puzzle.steps) {
            for known in &step.moves {
                let mut tried = moves.clone();
                tried.push(known.mv.clone());
                let attempt = puzzle.attempt(&tried).expect("a legal try");
                let expected = match (known.value > 0, number == puzzle.steps.len()) {
                    (false, _) => Verdict::Wrong,
                    (true, true) => Verdict::Solved,
                    (true, false) => Verdict::Right,
                };
                assert_eq!(attempt.verdict, expected, "{}", puzzle.id);
            }
            moves.push(step.solution().mv.clone());
            moves.extend(step.replies.iter().cloned());
        }
        assert_eq!(moves, puzzle.solution());
        assert_eq!(puzzle.attempt(&[]), Err(TryError::Nothing));
        moves.extend(["0".to_owned(), "0".to_owned()]);
        assert!(puzzle.attempt(&moves).is_err());
    }
}

#[test]
fn text_is_read_and_nonsense_refused() {
    let text = "kalahari-puzzles 1\n\
        k001\tkalah:6x4:standard\t1 2 0 0\t1\t3\t3>5,1 0=-2@4 3=4@5\t2>- 2=1\n";
    let puzzles: Vec<Puzzle> = read_puzzles(text).expect("puzzles");
    assert_eq!(puzzles[0].steps[0].replies, ["5", "1"]);
    assert_eq!(puzzles[0].steps[1].solution().answer, None);
    assert_eq!(puzzles_text(&puzzles), text);
    for text in [
        "",
        "kalahari-puzzles 2",
        "kalahari-puzzles 1\nk1",
        "kalahari-puzzles 1\nk1\tkalah\tx\t1\t1",
        "kalahari-puzzles 1\nk1\tkalah\tx\t1\t1\t3",
        "kalahari-puzzles 1\nk1\tkalah\tx\t1\t1\t3>- 2=1",
        "kalahari-puzzles 1\nk1\tkalah\tx\t1\t1\t3>- 3=a",
        "kalahari-puzzles 1\nk1\tkalah\tx\t1\t1\t3>- 3=1@2\r",
    ] {
        assert!(read_puzzles(text).is_err(), "{text}");
    }
}
