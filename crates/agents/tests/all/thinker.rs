//! Thinking in a thread, and in slices without one.

use kalahari_agents::{
    AgentSpec, AnyReport, MakeMind, Mind, NoAnswer, Player, Question, Slice, Slices, Thinker,
    Thought, Turn,
};
use kalahari_games::{AnyGame, Game};
use kalahari_terms::{Limits, Stop};
use std::sync::mpsc::{Receiver, channel};
use std::sync::{Arc, Mutex};
use std::time::Duration;

fn game() -> AnyGame {
    AnyGame::new("kalah:6x6".parse().expect("a game"))
}

fn maker(agent: &str) -> MakeMind {
    let spec: AgentSpec = agent.parse().expect("a spec");
    Box::new(move || Ok(Box::new(Player::new(&spec, &game(), 1)?)))
}

fn ask(thinker: &mut Thinker, question: Question, stop: &Stop) -> Receiver<Thought> {
    let (send, receive) = channel();
    let listener = Box::new(move |thought| {
        let _ = send.send(thought);
    });
    thinker.ask(question, stop, listener);
    receive
}

/// Receives all reports and returns the answer, which must come last.
fn answer(thoughts: &Receiver<Thought>) -> Result<AnyReport, NoAnswer> {
    let mut answers: Vec<Thought> = thoughts.iter().collect();
    match answers.pop() {
        Some(Thought::Answer(answer)) => {
            assert!(
                answers
                    .iter()
                    .all(|thought| matches!(thought, Thought::Partial(_)))
            );
            answer
        }
        other => panic!("no answer but {other:?}"),
    }
}

#[test]
fn an_answer_comes_after_reports() {
    let mut thinker = Thinker::new(maker("engine:book=0,tablebase=0")).expect("a thread");
    let question = Question::best(game().start(), Limits::depth(9));
    let thoughts = ask(&mut thinker, question, &Stop::new());
    let report = answer(&thoughts).expect("an answer");
    assert!(report.best.is_some());
    assert_eq!(report.depth, 9);
}

#[test]
fn a_search_without_end_is_stopped_and_answers() {
    let mut thinker = Thinker::new(maker("engine:book=0,tablebase=0")).expect("a thread");
    let for_ever = Limits::time(Duration::from_secs(10_000));
    let question = Question::best(game().start(), for_ever);
    let first = ask(&mut thinker, question, &Stop::new());
    // A new question ends the search for the one before, which is still answered.
    let outside = Stop::new();
    let second = ask(&mut thinker, question, &outside);
    assert!(answer(&first).expect("an answer").best.is_some());
    outside.request();
    assert!(answer(&second).expect("an answer").best.is_some());
    let third = ask(&mut thinker, question, &Stop::new());
    thinker.finish();
    assert!(answer(&third).expect("an answer").best.is_some());
}

#[test]
fn an_agent_that_cannot_be_made_is_reported_to_the_listener() {
    let mut thinker = Thinker::new(maker("engine:nonsense=1")).expect("a thread");
    let question = Question::best(game().start(), Limits::NONE);
    for _ in 0..2 {
        let thoughts = ask(&mut thinker, question, &Stop::new());
        assert!(matches!(answer(&thoughts), Err(NoAnswer::Agent(_))));
    }
}

/// Panics at the first question.
struct Fragile(bool);

impl Mind for Fragile {
    fn answer(
        &mut self,
        question: &Question,
        stop: &Stop,
        tell: &mut dyn FnMut(&AnyReport),
    ) -> Result<AnyReport, NoAnswer> {
        assert!(!self.0, "on purpose");
        let spec: AgentSpec = "random".parse().expect("a spec");
        Player::new(&spec, &game(), 1)?.answer(question, stop, tell)
    }
}

#[test]
fn a_mind_that_panics_is_replaced() {
    let mut first = true;
    let maker: MakeMind = Box::new(move || Ok(Box::new(Fragile(std::mem::take(&mut first)))));
    let mut thinker = Thinker::new(maker).expect("a thread");
    let question = Question::best(game().start(), Limits::NONE);
    let thoughts = ask(&mut thinker, question, &Stop::new());
    assert!(matches!(answer(&thoughts), Err(NoAnswer::Panicked)));
    let thoughts = ask(&mut thinker, question, &Stop::new());
    assert!(answer(&thoughts).expect("an answer").best.is_some());
}

/// Records the calls of `enter` and `leave`.
#[derive(Default)]
struct Gate(Mutex<Vec<&'static str>>);

impl Turn for Gate {
    fn enter(&self) {
        self.0.lock().expect("no panic").push("in");
    }

    fn leave(&self) {
        self.0.lock().expect("no panic").push("out");
    }
}

#[test]
fn a_turn_is_taken_and_given_back() {
    let gate = Arc::new(Gate::default());
    let mut thinker = Thinker::new(maker("level:1")).expect("a thread");
    let (send, receive) = channel();
    let question = Question::best(game().start(), Limits::NONE);
    let listener = Box::new(move |thought| {
        let _ = send.send(thought);
    });
    thinker.ask_in_turn(question, &Stop::new(), Some(gate.clone()), listener);
    answer(&receive).expect("an answer");
    assert_eq!(*gate.0.lock().expect("no panic"), ["in", "out"]);
}

/// Thinks in slices to the end. Returns the answer and the number of slices.
fn in_slices(agent: &str, limits: Limits) -> (AnyReport, usize) {
    let mut mind = maker(agent)().expect("an agent");
    let question = Question::best(game().start(), limits);
    let mut slices = Slices::new(question, Duration::from_millis(5));
    let mut count = 0;
    let mut deepest = 0;
    loop {
        count += 1;
        match slices
            .step(&mut *mind, &Stop::new(), &mut |_| {})
            .expect("an answer")
        {
            Slice::More(report) => {
                assert!(
                    report.depth >= deepest,
                    "a slice must not be shallower than the one before"
                );
                deepest = report.depth;
            }
            Slice::Done(report) => return (report, count),
        }
    }
}

#[test]
fn slices_end_in_time_and_never_get_shallower() {
    let limits = Limits::time(Duration::from_millis(120));
    let (report, count) = in_slices("engine:book=0,tablebase=0", limits);
    assert!(report.best.is_some());
    assert!(count > 1, "{count} slices");
    assert!(report.elapsed >= Duration::from_millis(100), "{report:?}");
}

#[test]
fn slices_change_nothing_if_the_time_is_not_limited() {
    let agent = "engine:book=0,tablebase=0";
    for limits in [Limits::depth(11), Limits::nodes(20_000)] {
        let (sliced, count) = in_slices(agent, limits);
        let mut whole = maker(agent)().expect("an agent");
        let question = Question::best(game().start(), limits);
        let whole = whole
            .answer(&question, &Stop::new(), &mut |_| {})
            .expect("an answer");
        assert_eq!(
            (sliced.best, sliced.nodes, count),
            (whole.best, whole.nodes, 1)
        );
    }
}
