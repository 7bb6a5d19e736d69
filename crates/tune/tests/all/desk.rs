//! A run whose samples are played elsewhere equals the run that one machine plays.

use kalahari_arena::{Hands, Openings, Rules};
use kalahari_terms::{Limits, Stop};
use kalahari_tune::{
    Desk, Method, SampleTask, TuneError, TuneRun, TuneSpec, TuneStore, play_sample, run,
};
use std::path::Path;

fn spec(method: Method, stop: &Stop) -> TuneSpec {
    let spec = TuneSpec {
        agent: "mcts:playouts=20".parse().expect("an agent"),
        space: "alpha=0..1,c=0.01..2".parse().expect("a box"),
        lines: Vec::new(),
        method,
        opponents: vec!["level:1".parse().expect("an agent")],
        game: "kalah:4x3".parse().expect("a game"),
        openings: Openings::Random(3),
        rng_seed: 7,
        rules: Rules {
            limits: Limits {
                nodes: Some(200),
                ..Limits::NONE
            },
            ..Rules::default()
        },
        games: 40,
    };
    spec.checked(stop).expect("a run")
}

fn hands(stop: &Stop) -> Hands<'_> {
    Hands {
        threads: 1,
        cache: None,
        stop,
    }
}

/// Plays samples, with up to `pending` of them handed out at a time, until there are none left or `finished` of them are finished.
fn play(desk: &mut Desk, pending: usize, finished: u32, stop: &Stop) {
    let mut out: Vec<SampleTask> = Vec::new();
    while desk.finished() < finished {
        while out.len() < pending
            && let Some(task) = desk.next_sample()
        {
            out.push(task);
        }
        // The last one is finished first: the order of results does not matter.
        let Some(task) = out.pop() else { return };
        let results = play_sample(desk.assignment(), &task, &hands(stop));
        let results = results.expect("played").expect("not stopped");
        desk.finish(task.clone(), results.clone()).expect("kept");
        // Results that come twice, such as from a worker that was presumed dead, count once.
        desk.finish(task, results).expect("ignored");
    }
}

fn samples(file: &Path) -> Vec<kalahari_tune::StoredSample> {
    let store = TuneStore::open_existing(file).expect("a store");
    let run = store.runs().expect("runs")[0].id;
    store.samples(run).expect("samples")
}

#[test]
fn with_one_pending_it_is_the_run_of_one_thread() {
    let there = tempfile::tempdir().expect("a folder");
    let stop = Stop::new();
    for method in [Method::Clop, Method::Spsa] {
        let at = |name: &str| there.path().join(format!("{name}-{}.db", method.name()));
        let mut store = TuneStore::open(&at("alone")).expect("a store");
        let alone = TuneRun {
            concurrency: 1,
            store: Some(&mut store),
            mix: false,
            cache: None,
            stop: &stop,
        };
        let alone = run(spec(method, &stop), alone, &mut |_| ()).expect("played");
        let file = at("desk");
        // A run that is stopped in the middle continues.
        for finished in [3, u32::MAX] {
            let desk = Desk::open(spec(method, &stop), Some(&file), &stop);
            let mut desk = desk.expect("a desk");
            play(&mut desk, 1, finished, &stop);
            if finished == u32::MAX {
                assert_eq!(desk.finished(), alone.samples);
                assert_eq!(desk.recommend(), alone.recommendation);
            }
        }
        assert_eq!(samples(&file), samples(&at("alone")));
    }
}

#[test]
fn points_are_handed_out_while_others_are_pending() {
    let stop = Stop::new();
    for method in [Method::Clop, Method::Spsa] {
        let desk = Desk::open(spec(method, &stop), None, &stop);
        let mut desk = desk.expect("a desk");
        play(&mut desk, 5, u32::MAX, &stop);
        assert_eq!(desk.finished(), desk.spec().samples());
        assert!(desk.recommend().is_some());
    }
}

#[test]
fn a_machine_with_another_program_plays_nothing() {
    let stop = Stop::new();
    let mut desk = Desk::open(spec(Method::Clop, &stop), None, &stop).expect("a desk");
    let task = desk.next_sample().expect("a sample");
    let mut assignment = desk.assignment().clone();
    assignment.identity.program = "0.0.0".to_owned();
    let refused = play_sample(&assignment, &task, &hands(&stop));
    assert!(matches!(refused, Err(TuneError::OtherIdentity { .. })));
}
