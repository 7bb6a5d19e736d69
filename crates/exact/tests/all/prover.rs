//! The prover of any game: checked against a full negamax, kept within its limits, and with tables sized to its positions.

use kalahari_exact::Watch;
use kalahari_exact::book::{BookBuild, ProvenBounds, Walk, book_path, bounds_path};
use kalahari_exact::prover::{
    KnownValues, News, Plan, Proof, Prover, ProverError, ProverOptions, Source, Sources,
    TableMemory, TablebasePolicy, Wanted,
};
use kalahari_exact::tablebase::{Tablebase, table_path};
use kalahari_games::kalah::{Kalah, KalahSpec, Packed};
use kalahari_games::{AnyGame, AnyPosition, Game, Player};
use kalahari_oracle::{Negamax, is_small};
use kalahari_terms::{Bounds, Limits, Stop, Unit};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

fn game(name: &str) -> AnyGame {
    AnyGame::new(name.parse().expect("a game"))
}

fn prover(game: &AnyGame) -> Prover {
    Prover::new(game, ProverOptions::without_files())
}

/// A prover with a small tablebase, so that there is something left to search.
fn searching_prover(game: &AnyGame) -> Prover {
    let options = ProverOptions {
        tablebase: TablebasePolicy::Seeds(8),
        ..ProverOptions::without_files()
    };
    Prover::new(game, options)
}

fn prove(prover: &mut Prover, position: &AnyPosition, wanted: &Wanted) -> Proof {
    prover
        .prove(position, wanted, &Stop::new())
        .expect("nothing fails")
}

/// A small, portable generator (xorshift64*).
struct Random(u64);

impl Random {
    fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 33) as usize % end
    }

    /// A position this many random moves after the start; fewer if the game ends earlier.
    fn position(&mut self, game: &AnyGame, moves: usize) -> AnyPosition {
        let mut position = game.start();
        for _ in 0..moves {
            let moves: Vec<_> = game.moves(&position).collect();
            if moves.is_empty() {
                break;
            }
            position = game.play_unchecked(&position, moves[self.below(moves.len())]);
        }
        position
    }
}

/// Compares everything in a proof with a negamax to the end of the game.
fn check(game: &AnyGame, position: &AnyPosition, proof: &Proof) {
    let text = format!("{} {}", game.spec(), game.position_text(position));
    let oracle = Negamax {
        game,
        eval: &|_, _| unreachable!("it looks to the end"),
        finished: &|margin| margin,
        extra: 0,
    };
    let value = oracle.value(position, i32::MAX, false);
    assert_eq!(proof.bounds.exact(), Some(value), "{text}");
    let score = proof.score.expect("known");
    let worth = if game.has_margins() {
        value
    } else {
        value.signum()
    };
    assert_eq!(score.amount() as i32, worth, "{text}");
    assert!(score.is_proven() && score.player() == game.to_move(position));
    let expected: Vec<_> = game
        .moves(position)
        .map(|mv| (mv, oracle.move_value(position, mv, i32::MAX)))
        .collect();
    assert_eq!(proof.exact_moves(), Some(expected), "{text}");
    let mut end = *position;
    for &mv in &proof.line {
        end = game.play(&end, mv).expect("a legal line");
    }
    let outcome = game.outcome(&end).expect("a line to the end");
    assert_eq!(outcome.margin(game.to_move(position)), value, "{text}");
}

#[test]
fn proofs_are_those_of_a_plain_negamax() {
    let mut random = Random(7);
    for (name, least) in [
        ("kalah:3x2:standard", 3),
        ("kalah:4x2:empty-capture", 6),
        ("kalah:2x3:pre-move-empty", 2),
        ("kalah:9x1", 9),
        ("isolation:3x3:trail", 1),
        ("isolation:3x4:queen", 4),
        ("isolation:4x3:knight", 3),
        ("isolation:3x3:classic", 3),
        ("isolation:9x8:trail", 50),
        ("isolation:12x12:queen", 36),
    ] {
        let game = game(name);
        let mut prover = prover(&game);
        let mut checked = 0;
        for _ in 0..200 {
            let moves = least + random.below(12);
            let position = random.position(&game, moves);
            if checked < 20 && is_small(&game, &position, 20_000) {
                let proof = prove(&mut prover, &position, &Wanted::ALL);
                check(&game, &position, &proof);
                let over = game.is_over(&position);
                assert_eq!(proof.source == Source::Rules, over);
                checked += usize::from(!over);
            }
        }
        assert!(checked > 0, "{name}: {checked}");
    }
}

#[test]
fn a_deadline_ends_a_proof_in_time() {
    let long = Duration::from_secs(2);
    for name in [
        "kalah:6x6",
        "kalah:12x6",
        "isolation:8x8:trail",
        "isolation:7x7:classic",
        "isolation:12x12:queen",
    ] {
        let game = game(name);
        for threads in [1, 2] {
            let options = ProverOptions {
                threads,
                memory: TableMemory::AtMost(16 << 20),
                tablebase: TablebasePolicy::Seeds(24),
                ..ProverOptions::without_files()
            };
            let mut prover = Prover::new(&game, options);
            let time = Duration::from_millis(60);
            let begin = Instant::now();
            let stop = Stop::new();
            let proof = prover.prove(&game.start(), &Wanted::ALL, &stop.within(time));
            let proof = proof.expect("being stopped is not an error");
            assert!(proof.score.is_none() && proof.line.is_empty() && proof.moves.is_empty());
            assert!(proof.bounds.lower < proof.bounds.upper);
            let within = Wanted::ALL.within(Limits::time(time));
            let again = prover
                .prove(&game.start(), &within, &stop)
                .expect("as well");
            assert!(again.score.is_none() && !stop.is_requested());
            // Generous, because machines are busy; without a deadline it would take hours.
            assert!(begin.elapsed() < long, "{name}: {:?}", begin.elapsed());
        }
    }
}

#[test]
fn a_limit_of_nodes_repeats() {
    for name in ["kalah:6x4", "isolation:7x7:queen"] {
        let game = game(name);
        let wanted = Wanted::ALL.within(Limits::nodes(3_000));
        let proofs = [(); 2].map(|()| prove(&mut searching_prover(&game), &game.start(), &wanted));
        assert_eq!(proofs[0], proofs[1]);
        assert_eq!(proofs[0].nodes, 3_000);
    }
}

#[test]
fn a_stopped_proof_continues_later() {
    let game = game("kalah:4x4");
    let mut prover = searching_prover(&game);
    let wanted = Wanted::VALUE.within(Limits::nodes(200));
    let mut rounds = 0;
    let value = loop {
        rounds += 1;
        let proof = prove(&mut prover, &game.start(), &wanted);
        if let Some(value) = proof.bounds.exact() {
            break value;
        }
        assert!(rounds < 10_000);
    };
    assert_eq!(value, 2);
    assert!(rounds > 1);
}

#[test]
fn tables_are_sized_to_the_positions() {
    let game = game("kalah:6x6");
    let mut prover = prover(&game);
    let position = |text: &str| game.parse_position(text).expect("a position");
    let few = position("0 0 2 0 1 3 30 1 0 0 4 0 1 30 0");
    let more = position("1 2 2 0 1 3 26 1 0 3 4 2 1 26 1");
    let over = position("0 0 0 0 0 0 36 0 0 0 0 0 0 36 0");
    let mut plan =
        |positions: &[AnyPosition]| prover.plan(positions, &Wanted::ALL).expect("a plan");
    let nothing = Plan {
        seeds: 0,
        tablebase_seeds: 0,
        memory: 0,
    };
    assert_eq!(plan(&[]), nothing);
    assert_eq!(plan(&[over]), nothing);
    let small = plan(&[few, over, few]);
    assert_eq!((small.seeds, small.memory), (12, 16 << 20));
    assert!(small.tablebase_seeds <= 6, "{small:?}");
    let larger = plan(&[few, more]);
    assert_eq!((larger.seeds, larger.memory), (20, 16 << 20));
    let whole = plan(&[game.start(), few]);
    assert_eq!((whole.seeds, whole.tablebase_seeds), (72, 27));
    assert_eq!(whole.memory, 4 << 30);

    // No table is larger than planned, and tables grow only when they have to.
    assert_eq!(prover.tablebase_seeds(), 0);
    prove(&mut prover, &few, &Wanted::VALUE);
    assert_eq!(prover.tablebase_seeds(), small.tablebase_seeds);
    prove(&mut prover, &more, &Wanted::VALUE);
    assert_eq!(prover.tablebase_seeds(), larger.tablebase_seeds);
    prove(&mut prover, &few, &Wanted::VALUE);
    assert_eq!(prover.tablebase_seeds(), larger.tablebase_seeds);
}

#[test]
fn memory_and_tablebases_follow_the_options() {
    let game = game("kalah:6x4");
    let start = [game.start()];
    let plan = |memory, tablebase| {
        let options = ProverOptions {
            memory,
            tablebase,
            ..ProverOptions::without_files()
        };
        let plan = Prover::new(&game, options).plan(&start, &Wanted::VALUE);
        let plan = plan.expect("a plan");
        (plan.memory >> 20, plan.tablebase_seeds)
    };
    use TableMemory::{AtMost, Bytes, Suited};
    assert_eq!(plan(Suited, TablebasePolicy::SUITED), (128, 19));
    assert_eq!(plan(AtMost(1 << 30), TablebasePolicy::QUICK), (128, 14));
    assert_eq!(plan(AtMost(1 << 20), TablebasePolicy::Seeds(5)), (1, 5));
    assert_eq!(plan(Bytes(1 << 30), TablebasePolicy::OnDisk), (1024, 0));
    assert_eq!(plan(Suited, TablebasePolicy::None), (128, 0));
}

/// Whether `works` succeeds within one of several growing times; a busy machine may need one of the longer ones.
fn in_some_time(works: impl Fn(&Wanted) -> bool) -> bool {
    let times = [600, 2_400, 9_600].map(Duration::from_millis);
    times
        .into_iter()
        .any(|time| works(&Wanted::ALL.within(Limits::time(time))))
}

#[test]
fn little_time_is_not_all_spent_on_tables() {
    let game = game("kalah:6x6");
    // The tablebase that suits this position takes minutes.
    assert!(in_some_time(|wanted| {
        let mut prover = prover(&game);
        let proof = prove(&mut prover, &game.start(), wanted);
        let seeds = prover.tablebase_seeds();
        // The tables that were built are kept.
        let again = prove(&mut prover, &game.start(), wanted);
        assert!(prover.tablebase_seeds() >= seeds);
        proof.nodes > 0 && seeds > 0 && again.nodes > 0
    }));
    // Nor is the time spent on filling a table whose size suits searches of hours.
    let plan = |wanted| {
        let mut prover = Prover::new(&game, ProverOptions::without_files());
        prover.plan(&[game.start()], &wanted).expect("a plan")
    };
    let short = plan(Wanted::ALL.within(Limits::time(Duration::from_millis(600))));
    let long = plan(Wanted::ALL);
    assert!(short.memory <= 512 << 20 && short.memory < long.memory);
    let all = [game.start(), game.start()];
    assert!(in_some_time(|wanted| {
        let mut nodes = 0;
        let mut each = |_, proof: Proof| {
            nodes += proof.nodes;
            std::ops::ControlFlow::Continue(())
        };
        let mut fresh = Prover::new(&game, ProverOptions::without_files());
        let proven = fresh.prove_all(&all, 1, wanted, &Stop::new(), &mut each);
        proven.expect("nothing fails");
        nodes > 0 && fresh.tablebase_seeds() > 0
    }));
}

/// A home with a book of three plies of `kalah:4x3` and a tablebase of five seeds.
fn furnished_home() -> tempfile::TempDir {
    let home = tempfile::tempdir().expect("a directory");
    let AnyGame::KalahPacked(typed) = game("kalah:4x3") else {
        unreachable!("a small game");
    };
    let spec = typed.kalah_spec();
    let walk = Walk::of(spec, 3).expect("small");
    let mut build = BookBuild::begin(walk, &book_path(home.path(), spec)).expect("begun");
    let mut solver = prover(&game("kalah:4x3"));
    let watch = Stop::new();
    assert!(
        build
            .run(&mut solver, 2, Watch::silent(&watch))
            .expect("solved")
    );
    build.finish().expect("written");
    let family = "kalah:4".parse().expect("a family");
    let table = Tablebase::build(family, 5, &Stop::new()).expect("built");
    table.save(&table_path(home.path(), family)).expect("saved");
    home
}

#[test]
fn book_and_solver_agree() {
    let home = furnished_home();
    let game = game("kalah:4x3");
    let with = |book| ProverOptions {
        book,
        tablebase: TablebasePolicy::OnDisk,
        home: Some(home.path().to_owned()),
        ..ProverOptions::without_files()
    };
    let (mut by_book, mut anew) = (
        Prover::new(&game, with(true)),
        Prover::new(&game, with(false)),
    );
    let mut frontier = vec![game.start()];
    for plies in 0..4 {
        for position in &frontier {
            let wanted = if plies < 3 {
                Wanted::ALL
            } else {
                Wanted::VALUE
            };
            let known = prove(&mut by_book, position, &wanted);
            let solved = prove(&mut anew, position, &wanted);
            assert_eq!((known.source, known.nodes), (Source::Book, 0));
            assert_eq!(solved.source, Source::Solver);
            assert_eq!((known.bounds, known.score), (solved.bounds, solved.score));
            assert_eq!(known.moves, solved.moves);
            let best = known.line.first().copied();
            assert_eq!(best.is_some(), plies < 3);
            let is_best = |mv| known.moves.contains(&(mv, known.bounds));
            assert!(best.is_none_or(is_best));
        }
        frontier = frontier
            .iter()
            .flat_map(|at| game.moves(at).map(|mv| game.play_unchecked(at, mv)))
            .collect();
    }
    // Nothing but the book was needed.
    assert_eq!(by_book.tablebase_seeds(), 0);
    assert_eq!(anew.tablebase_seeds(), 5);
    let plan = by_book.plan(&[game.start()], &Wanted::ALL).expect("a plan");
    assert_eq!(plan.seeds, 0);
    // Beyond the book, the solver finds everything.
    let last = prove(&mut by_book, &frontier[0], &Wanted::ALL);
    check_sources(&game, &frontier[0], &last);
}

/// Checks the proof of a position beyond the book: nothing may come from the book.
fn check_sources(game: &AnyGame, position: &AnyPosition, proof: &Proof) {
    let mut end = *position;
    for &mv in &proof.line {
        end = game.play(&end, mv).expect("a legal line");
    }
    let outcome = game.outcome(&end).expect("a line to the end");
    let mover = game.to_move(position);
    assert_eq!(proof.bounds.exact(), Some(outcome.margin(mover)));
    assert_eq!(proof.source, Source::Solver);
}

#[test]
fn the_program_has_books_of_its_own() {
    let game = game("kalah:6x4");
    let options = ProverOptions {
        book: true,
        ..ProverOptions::without_files()
    };
    let mut prover = Prover::new(&game, options);
    let proof = prove(&mut prover, &game.start(), &Wanted::ALL);
    assert_eq!((proof.source, proof.nodes), (Source::Book, 0));
    let values: Vec<i32> = proof.moves.iter().filter_map(|(_, b)| b.exact()).collect();
    assert_eq!(values, [-14, -10, 8, -2, -8, 4]);
    assert_eq!(proof.line.len(), 5);
}

#[test]
fn majority_is_proven_as_its_base_rule() {
    let (majority, base) = (game("kalah:3x3:standard+majority"), game("kalah:3x3"));
    let mut random = Random(3);
    let (mut one, mut other) = (prover(&majority), prover(&base));
    for _ in 0..60 {
        let moves = random.below(12);
        let position = random.position(&majority, moves);
        let proof = prove(&mut one, &position, &Wanted::ALL);
        let score = proof.score.expect("known");
        let mut end = position;
        for &mv in &proof.line {
            end = majority.play(&end, mv).expect("no move after the end");
        }
        let outcome = majority.outcome(&end).expect("a line to the end");
        let mover = majority.to_move(&position);
        assert_eq!(score.proven_verdict(), Some(outcome.verdict(mover)));
        if !majority.is_over(&position) {
            assert_eq!(score.worth().unit(), Unit::Result);
            let base_proof = prove(&mut other, &position, &Wanted::ALL);
            assert_eq!(proof.bounds, base_proof.bounds);
            assert_eq!(proof.moves, base_proof.moves);
        }
    }
}

#[test]
fn a_tablebase_answers_what_it_knows() {
    let home = furnished_home();
    let game = AnyGame::with_any_total("kalah:4x3".parse().expect("a game"), 24);
    let options = ProverOptions {
        tablebase: TablebasePolicy::OnDisk,
        home: Some(home.path().to_owned()),
        ..ProverOptions::without_files()
    };
    let mut prover = Prover::new(&game, options);
    let position = game
        .parse_position("0 1 0 2 9 1 0 1 0 3 1")
        .expect("a position");
    let proof = prove(&mut prover, &position, &Wanted::ALL);
    assert_eq!(proof.source, Source::Tablebase);
    check(&game, &position, &proof);
}

#[test]
fn books_and_tablebases_answer_without_a_search() {
    let home = furnished_home();
    let typed = Kalah::<Packed>::new("kalah:4x3".parse().expect("a game")).expect("fits");
    let spec = typed.kalah_spec();
    let open = |sources| KnownValues::open(spec, sources, Some(home.path())).expect("good files");
    let all = open(Sources::ALL).expect("both");
    let mut solver = prover(&game("kalah:4x3"));
    let start = typed.start();
    let erased = game("kalah:4x3").start();
    let value = prove(&mut solver, &erased, &Wanted::VALUE).bounds.exact();
    assert_eq!(all.margin(&typed, &start), value);
    assert!(all.knows_below(&typed, &start));
    let tablebase = all.without_book();
    assert_eq!(tablebase.margin(&typed, &start), None);
    assert!(tablebase.knows_below(&typed, &start));
    let late = typed.with_any_total();
    let late_position = late
        .parse_position("0 1 0 2 9 1 0 1 0 3 1")
        .expect("a position");
    assert!(tablebase.margin(&late, &late_position).is_some());
    assert!(!all.knows_below(&late, &late_position));
    let neither = Sources {
        tablebase: false,
        book: false,
    };
    assert!(open(neither).is_none());
    let majority = "kalah:4x3:standard+majority".parse().expect("a game");
    let known = KnownValues::open(majority, Sources::ALL, Some(home.path()));
    assert!(known.expect("good files").is_none());
}

#[test]
fn proven_values_can_be_saved() {
    let home = tempfile::tempdir().expect("a directory");
    let path = home.path().join("bounds");
    let game = game("kalah:4x4");
    let start = [game.start()];
    let ready = || {
        let mut prover = searching_prover(&game);
        prover
            .prepare(&start, &Wanted::VALUE, &Stop::new())
            .expect("room");
        prover
    };
    let mut first = ready();
    let begun = prove(&mut first, &start[0], &Wanted::VALUE);
    first.save(&path).expect("saved");
    let mut second = ready();
    second.resume(&path).expect("the same game and size");
    let resumed = prove(&mut second, &start[0], &Wanted::VALUE);
    assert_eq!(resumed.bounds, begun.bounds);
    assert!(resumed.nodes * 10 < begun.nodes);
    // Tables of another size are refused, and so are those of Isolation.
    assert!(searching_prover(&game).resume(&path).is_err());
    let mut isolation = prover(&AnyGame::new("isolation:3x3".parse().expect("a game")));
    assert!(isolation.save(&path).is_err());
}

#[test]
fn proving_many_at_once_equals_one_by_one() {
    let game = game("kalah:4x3");
    let mut random = Random(11);
    let positions: Vec<AnyPosition> = (0..30).map(|_| random.position(&game, 4)).collect();
    let mut one_by_one = prover(&game);
    let expected: Vec<_> = positions
        .iter()
        .map(|position| prove(&mut one_by_one, position, &Wanted::ALL).moves)
        .collect();
    let mut found = vec![None; positions.len()];
    let mut each = |place: usize, proof: Proof| {
        found[place] = Some(proof.moves);
        std::ops::ControlFlow::Continue(())
    };
    let mut at_once = prover(&game);
    let proven = at_once.prove_all(&positions, 3, &Wanted::ALL, &Stop::new(), &mut each);
    proven.expect("nothing fails");
    let found: Option<Vec<_>> = found.into_iter().collect();
    assert_eq!(found, Some(expected));
}

#[test]
fn progress_is_reported_during_a_proof() {
    let game = game("kalah:4x4");
    let mut prover = searching_prover(&game);
    let (filled, told) = (
        Arc::new(AtomicU64::new(0)),
        Arc::new(Mutex::new(Vec::new())),
    );
    let (counter, list) = (Arc::clone(&filled), Arc::clone(&told));
    prover.listen(move |news| match news {
        News::Filled { of, positions, .. } => {
            assert!(counter.fetch_add(*positions, Ordering::Relaxed) < *of);
        }
        News::Value { bounds, .. } => list.lock().expect("no panic").push((None, *bounds)),
        News::Move { mv, bounds, .. } => list.lock().expect("no panic").push((Some(*mv), *bounds)),
        _ => {}
    });
    let proof = prove(&mut prover, &game.start(), &Wanted::ALL);
    let told = told.lock().expect("no panic");
    assert!(filled.load(Ordering::Relaxed) > 1000);
    assert!(told.contains(&(None, proof.bounds)));
    assert!(
        proof
            .moves
            .iter()
            .all(|&(mv, bounds)| told.contains(&(Some(mv), bounds)))
    );
}

#[test]
fn a_position_of_another_game_is_refused() {
    let (kalah, isolation) = (game("kalah:4x4"), game("isolation:3x3"));
    let error = prover(&kalah).prove(&isolation.start(), &Wanted::VALUE, &Stop::new());
    assert!(matches!(error, Err(ProverError::OtherGame(_))));
    let error = prover(&isolation).plan(&[kalah.start()], &Wanted::VALUE);
    assert!(matches!(error, Err(ProverError::OtherGame(_))));
}

#[test]
fn scores_are_from_the_movers_view() {
    let game = AnyGame::with_any_total("kalah:2x2".parse().expect("a game"), 9);
    let mut prover = prover(&game);
    // Player 1 is to move and takes the last seed; six against two.
    let position = game.parse_position("0 1 2 0 1 5 1").expect("a position");
    let proof = prove(&mut prover, &position, &Wanted::VALUE);
    let score = proof.score.expect("known");
    assert_eq!(score.player(), Player::Second);
    let first = score.seen_by(Player::First).proven_margin();
    assert_eq!(first, proof.bounds.exact().map(|value| -value));
}

/// A proof starts from what a book of bounds knows: nothing is left to do if that is the value, and less if it is a bound.
#[test]
fn proofs_begin_with_known_bounds() {
    let game = game("kalah:5x3");
    let home = tempfile::tempdir().expect("a directory");
    let spec: KalahSpec = "kalah:5x3".parse().expect("a game");
    let with = |book| ProverOptions {
        book,
        home: Some(home.path().to_owned()),
        ..ProverOptions::without_files()
    };
    let anew = prove(
        &mut Prover::new(&game, with(false)),
        &game.start(),
        &Wanted::VALUE,
    );
    let value = anew.bounds.exact().expect("known");
    let path = bounds_path(home.path(), spec);
    std::fs::create_dir_all(path.parent().expect("a folder")).expect("made");
    for (lower, upper) in [(value - 2, value + 2), (value, value)] {
        let mut bounds = ProvenBounds::new(spec).expect("small");
        let added = bounds.add(&[3; 10], Bounds { lower, upper });
        added.expect("a bound");
        bounds.save(&path).expect("written");
        let known = prove(
            &mut Prover::new(&game, with(true)),
            &game.start(),
            &Wanted::VALUE,
        );
        assert_eq!(known.bounds, anew.bounds);
        assert_eq!(known.source == Source::Book, lower == upper);
        assert!(known.nodes <= anew.nodes, "{} {}", known.nodes, anew.nodes);
    }
}
