//! Pieces whose results are findings: jobs of a proof, games to judge.

use crate::support::*;
use kalahari_arena::{Identity, Run, Store, run_match};
use kalahari_exact::prover::{Prover, ProverOptions, TablebasePolicy, Wanted};
use kalahari_games::{Game, GameSpec};
use kalahari_prove::{Journal, Rules as ProofRules, Sample, Worker, WorkerOptions, check};
use kalahari_shards::{
    Claims, Finding, Found, GamesToReview, Judgements, MergeError, Place, Plan, Reviews, Targets,
    Task, file_name, merge, survey,
};
use kalahari_study::{GameToReview, ReviewSpec, review_games};
use kalahari_terms::Stop;
use std::fs;
use std::path::Path;
use std::time::Duration;

/// The jobs of a proof on a small board, and the value of its start position.
pub(crate) fn claims_task(journal: &Path, wanted: usize) -> (Task, i32) {
    let game: GameSpec = "kalah:4x3".parse().expect("a game");
    let rules = ProofRules::new(game).expect("Kalah");
    let start = rules.game().start();
    let mut prover = Prover::new(rules.game(), ProverOptions::without_files());
    let proof = prover.prove(&start, &Wanted::VALUE, &Stop::new());
    let value = proof.expect("proven").bounds.exact().expect("a value");
    let (spec, position) = (rules.game().spec(), rules.game().position_text(&start));
    let options = WorkerOptions {
        prover: ProverOptions {
            tablebase: TablebasePolicy::None,
            ..ProverOptions::without_files()
        },
        job_nodes: 2_000,
        name: "plan".to_owned(),
    };
    let stop = Stop::new();
    let opened = Journal::open(journal, spec, &position).expect("a journal");
    let mut worker = Worker::new(journal, opened, options, |_| (), &stop, &mut |_| ());
    let worker = worker.as_mut().expect("a worker");
    let list = worker.list_jobs(value, wanted).expect("jobs");
    let task = Task::Claims(Claims {
        game: spec,
        position,
        goal: value,
        job_nodes: 2_000,
        memory: 1 << 20,
        tablebase: 0,
        splits: list.splits,
        claims: list.claims,
        identity: Identity::of(&[], spec).expect("an identity"),
    });
    (task, value)
}

/// Several rounds of jobs prove the value. Pieces may be merged any number of times.
#[test]
fn pieces_of_a_proof_are_joined_in_its_journal() {
    let there = folder();
    let at = |name: &str| there.path().join(name);
    let journal = at("four.proof");
    let mut decided = None;
    for round in 0..40 {
        let (task, value) = claims_task(&journal, 12);
        let Task::Claims(claims) = &task else {
            unreachable!("claims");
        };
        if claims.claims.is_empty() {
            break;
        }
        let plan = Plan::new([task.clone()]).expect("a plan");
        let folder = at(&format!("round-{round}"));
        for place in Place::all(3) {
            make_at(&plan, place, &folder);
            assert!(make_at(&plan, place, &folder), "it already exists");
        }
        let path = |shard| folder.join(file_name(Place::new(shard, 3).expect("a place")));
        let join = |target: &Path| {
            let mut found = survey(std::slice::from_ref(&folder)).expect("a survey");
            let targets = Targets {
                journal: Some(target),
                ..Targets::default()
            };
            let merged = merge(&mut found, targets, &Stop::new(), &mut |_| ());
            merged.map(|merged| (merged, found))
        };
        if round == 0 {
            // A truncated piece is refused by name and the rest is joined; made again, it has the same findings.
            let sound = fs::read_to_string(path(1)).expect("a piece");
            fs::write(path(1), &sound[..sound.len() - 9]).expect("written");
            let (merged, found) = join(&journal).expect("merged");
            assert_eq!(
                (merged.shards, found.refused.len(), found.missing.len()),
                (2, 1, 1)
            );
            make_at(&plan, found.missing[0], &folder);
            let plain = |text: &str| -> Vec<(u64, Finding)> {
                let lines = text.lines().skip(2);
                let found = lines.filter_map(|line| serde_json::from_str::<Found>(line).ok());
                let found = found.map(|mut found| {
                    if let Finding::Claim(decided) = &mut found.finding {
                        decided.time = Duration::ZERO;
                    }
                    (found.part, found.finding)
                });
                found.collect()
            };
            let again = fs::read_to_string(path(1)).expect("a piece");
            assert!(!plain(&again).is_empty());
            assert_eq!(plain(&again), plain(&sound));
            // A piece that claims to have no findings is refused although its checksum is right.
            let (lines, _) = again.rsplit_once("sha256 ").expect("a checksum");
            let end = lines.match_indices('\n').nth(1).expect("a header").0;
            let count = lines[..end].rfind("\"found\":").expect("a count");
            let tail = &lines[count..end];
            let comma = tail.find(',').expect("more");
            let head = format!("{}\"found\":0{}\n", &lines[..count], &tail[comma..]);
            for forged in [head.clone(), format!("{head}{}", &lines[end + 1..])] {
                write_with_sum(&path(1), &forged);
                let (merged, found) = join(&at("forged.proof")).expect("merged");
                assert_eq!((merged.shards, found.missing.len()), (2, 1));
                assert!(found.refused[0].why.to_string().contains("0 findings"));
            }
            fs::write(path(1), &again).expect("written");
            // A journal of another proof is refused.
            let other = at("other.proof");
            let game = "kalah:4x4".parse().expect("a game");
            let start = "4 4 4 4 0 4 4 4 4 0 0";
            Journal::open(&other, game, start).expect("a journal");
            assert!(matches!(join(&other), Err(MergeError::Prove(_))));
        }
        let (merged, found) = join(&journal).expect("merged");
        assert!(found.missing.is_empty());
        assert_eq!(merged.claims, plan.parts());
        let (again, _) = join(&journal).expect("merged");
        assert_eq!(again.new_claims, 0, "nothing is new");
        let opened = Journal::open_existing(&journal).expect("a journal");
        let goals = opened.goals().expect("read");
        let goal = goals.iter().find(|goal| goal.margin == value);
        decided = goal.expect("the goal").holds;
        if decided.is_some() {
            break;
        }
    }
    assert_eq!(decided, Some(true));
    let opened = Journal::open_existing(&journal).expect("a journal");
    let mut prover = || {
        let game = opened.rules().game();
        Ok(Prover::new(game, ProverOptions::without_files()))
    };
    let checked = check(
        &opened,
        &mut prover,
        Sample::All,
        &Stop::new(),
        &mut |_, _, _| (),
    );
    assert!(checked.expect("right").finished);
}

/// A review of six games.
pub(crate) fn reviews_of(db: &Path) -> Reviews {
    let mut store = Store::open(db).expect("a store");
    let stop = Stop::new();
    let run = Run {
        games: 6,
        concurrency: 2,
        sprt: None,
        store: Some(&mut store),
        mix: false,
        cache: None,
        stop: &stop,
    };
    run_match(spec(), run, &mut |_| ()).expect("played");
    drop(store);
    let games = GamesToReview {
        db: Some(db.to_owned()),
        ..GamesToReview::default()
    };
    let how = ReviewSpec {
        nodes: 300,
        tables: false,
    };
    Reviews::planned(games, how).expect("a plan")
}

/// Games judged in pieces are judged as by one machine.
#[test]
fn pieces_of_a_review_are_the_whole() {
    let there = folder();
    let at = |name: &str| there.path().join(name);
    let reviews = reviews_of(&at("games.db"));
    let (how, stop) = (reviews.spec(), Stop::new());
    let read = reviews.read().expect("games");
    let to_judge: Vec<GameToReview> = read.into_iter().map(|(_, game)| game).collect();
    let whole = review_games(&how, &to_judge, 1, &stop, &mut |_| ()).expect("judged");
    let plan = Plan::new([Task::Reviews(reviews.clone())]).expect("a plan");
    for place in Place::all(4) {
        make_at(&plan, place, &at("a"));
    }
    let file = at("games.judged");
    let join = || {
        let mut found = survey(&[at("a")]).expect("a survey");
        let targets = Targets {
            judged: Some(&file),
            ..Targets::default()
        };
        merge(&mut found, targets, &Stop::new(), &mut |_| ()).expect("merged")
    };
    assert_eq!(join().judged, 6);
    assert_eq!(join().judged, 6, "and again");
    let joined = Judgements::open(&file, &reviews).expect("judged games");
    assert_eq!(joined.games.len(), 6);
    for game in whole {
        let kept = &joined.games[&(game.game as u64)];
        let moves = kept.moves(&to_judge[game.game]).expect("its moves");
        assert_eq!(moves, game.moves);
    }
    // A review with other settings is another review.
    let other = Reviews {
        nodes: 301,
        ..reviews
    };
    assert!(Judgements::open(&file, &other).is_err());
    let text = fs::read_to_string(&file).expect("a file");
    fs::write(&file, &text[..text.len() / 2]).expect("written");
    assert!(Judgements::read(&file).is_err());
}
