//! Evaluations by name, with options, from files; and evaluations from outside the crate.

use kalahari_games::isolation::Isolation;
use kalahari_games::kalah::{CaptureRule, Kalah, KalahSpec, Packed};
use kalahari_games::{AnyGame, Game, with_game};
use kalahari_net::NetFile;
use kalahari_oracle::Negamax;
use kalahari_search::engine::{Engine, EngineOptions, Techniques};
use kalahari_search::eval::{
    EvalError, Evaluation, FileProblem, IsolationEval, KalahEval, Registry, Scale,
};
use kalahari_search::mcts::{Mcts, MctsOptions, Playout};
use kalahari_search::parameters::{alpha, exploration};
use kalahari_search::plain::{Plain, Pruning};
use kalahari_search::{Agent, ParameterError, Report, Rng, Searchable, Task};
use kalahari_storage::{Foreign, Trouble};
use kalahari_terms::{Limits, Stop, Unit, Worth};
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

const GAMES: [&str; 5] = [
    "kalah:6x6",
    "kalah:9x4",
    "isolation:8x8:trail",
    "isolation:9x11:queen",
    "isolation:12x12:classic",
];

fn kalah() -> Kalah<Packed> {
    Kalah::default()
}

fn think<G: Searchable>(
    agent: &mut dyn Agent<G>,
    position: G::Position,
    limits: Limits,
    all_moves: bool,
) -> Report<G::Move> {
    let task = Task {
        position,
        limits,
        stop: &Stop::new(),
        all_moves,
        progress: &mut |_| {},
    };
    agent.think(task).expect("our own agents never fail")
}

/// Every named evaluation can be made and lists its parameters, and every change of a parameter is kept.
fn every_name<G: Searchable>(game: &G) {
    for kind in G::Eval::kinds() {
        let name = kind.name;
        let plain = match G::Eval::new(name, game, &[]) {
            // Not every board has a net.
            Err(EvalError::NoNet { .. }) => continue,
            plain => plain.expect(name),
        };
        assert_eq!(plain.name(), name);
        let parameters = G::Eval::parameters(name, game);
        assert_eq!(plain.current(), parameters);
        for parameter in &parameters {
            for value in [parameter.min, parameter.max] {
                let text = value.to_string();
                let changed = G::Eval::new(name, game, &[(parameter.name, &text)]).expect(&text);
                let found = changed.current();
                let found = found.iter().find(|other| other.name == parameter.name);
                assert_eq!(found, Some(&parameter.with_value(value)), "{name}");
            }
        }
    }
    assert_eq!(G::Eval::parameters("nonsense", game), []);
    let options = EngineOptions::of_game(game);
    let mut expected = options.eval.current();
    expected.extend([
        kalahari_search::parameters::WINDOW,
        kalahari_search::parameters::ETC_DEPTH,
    ]);
    assert_eq!(options.parameters(), expected);
}

#[test]
fn every_name_makes_an_evaluation_that_keeps_its_options() {
    for spec in GAMES {
        let game = AnyGame::new(spec.parse().expect("a game"));
        with_game!(&game, game => every_name(game));
    }
}

#[test]
fn games_have_a_choice_and_a_plainest_evaluation() {
    fn names<G: Searchable>(game: &G) -> [&'static str; 2] {
        [G::Eval::of_choice(game), G::Eval::plainest(game)].map(|eval| eval.name())
    }
    for (spec, expected) in [
        ("kalah", ["net", "stores"]),
        ("kalah:7x4:empty-capture", ["kalahari", "stores"]),
        ("kalah:9x4", ["stores", "stores"]),
        ("isolation:queen", ["reach", "mobility"]),
    ] {
        let game = AnyGame::new(spec.parse().expect("a game"));
        assert_eq!(with_game!(&game, game => names(game)), expected);
    }
}

#[test]
fn defaults_are_those_of_the_rule() {
    let ties = |spec: &str| -> Vec<f64> {
        let game = Isolation::<u64>::new(spec.parse().expect("a game")).expect("small");
        let parameters = IsolationEval::parameters("reach", &game);
        parameters.iter().map(|parameter| parameter.value).collect()
    };
    assert_eq!(ties("isolation:8x8:trail"), [0.0, 0.0]);
    assert_eq!(ties("isolation:7x7:queen"), [1.0, 0.0]);
    assert_eq!(ties("isolation:7x7:classic"), [1.0, 2.0]);
}

#[test]
fn errors_have_a_type_and_a_message() {
    let fails = |name: &str, options: &[(&str, &str)]| {
        KalahEval::new(name, &kalah(), options).expect_err("wrong")
    };
    let error = fails("reach", &[]);
    assert_eq!(
        error.to_string(),
        "no evaluation 'reach' for this game; there are net, kalahari, stores, weighted, again, hash"
    );
    assert!(matches!(error, EvalError::Unknown { name, .. } if name == "reach"));
    for (options, expected, sentence) in [
        (
            ("bonus", "x"),
            ParameterError::NoNumber {
                name: "bonus",
                text: "x".to_owned(),
            },
            "bonus must be a number, not 'x'",
        ),
        (
            ("bonus", "101"),
            ParameterError::OutOfRange {
                name: "bonus",
                min: -100.0,
                max: 100.0,
                value: 101.0,
            },
            "bonus must be from -100 to 100, not 101",
        ),
        (
            ("bonus", "1.5"),
            ParameterError::NotWhole {
                name: "bonus",
                value: 1.5,
            },
            "bonus must be a whole number, not 1.5",
        ),
        (
            ("weight", "3"),
            ParameterError::Unknown {
                name: "weight".to_owned(),
                known: vec!["bonus"],
            },
            "no parameter 'weight'; there are: bonus",
        ),
    ] {
        let error = fails("again", &[options]);
        assert_eq!(error.to_string(), sentence);
        assert!(matches!(error, EvalError::Parameter(found) if found == expected));
    }
    for text in ["nan", "inf", "-inf", ""] {
        fails("weighted", &[("weight", text)]);
    }
    assert_eq!(
        fails("stores", &[("bonus", "1")]).to_string(),
        "no parameter 'bonus'; there are: none"
    );
}

#[test]
fn weights_come_from_a_file() {
    let game = kalah();
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("weights.txt");
    let path = path.to_str().expect("a plain path");
    let made = |text: &str| {
        std::fs::write(path, text).expect("written");
        KalahEval::new("kalahari", &game, &[("weights", path), ("tempo.few", "7")])
    };
    let wrong = |text: &str| match made(text) {
        Err(EvalError::File {
            path: named,
            problem,
        }) => {
            assert_eq!(named, path);
            problem
        }
        other => panic!("{other:?}"),
    };
    let shipped = include_str!("../../params/kalahari.txt");
    let [one, other] = [
        made(shipped).expect("the shipped weights"),
        KalahEval::new("kalahari", &game, &[("tempo.few", "7")]).expect("an option"),
    ];
    let values = |eval: &KalahEval| eval.evaluate(&game, &game.start(), false);
    let currents = [&one, &other].map(Registry::<Kalah<Packed>>::current);
    assert_eq!(values(&one), values(&other));
    assert_eq!(currents[0], currents[1]);

    let doubled = shipped.replace("row1 ", "row1 0 0\n#row1 ");
    let doubled = made(&doubled).expect("other weights");
    assert_ne!(Registry::<Kalah<Packed>>::current(&doubled), currents[0]);
    let without = |name: &str| {
        let lines = shipped.lines().filter(|line| !line.starts_with(name));
        lines.collect::<Vec<_>>().join("\n")
    };
    assert_eq!(wrong(&without("tempo")), FileProblem::Missing("tempo"));
    for line in [
        "tempo 1",
        "tempo 1 2 3",
        "tempo 1 x",
        "tempo 1 1e9",
        "tmp 1 2",
    ] {
        let problem = wrong(&format!("{line}\n{shipped}"));
        assert_eq!(problem, FileProblem::Line { line: 1 }, "{line}");
    }
    let nowhere = KalahEval::new("kalahari", &game, &[("weights", "no/such/file")]);
    let missing = FileProblem::Unreadable(io::ErrorKind::NotFound);
    assert!(matches!(nowhere, Err(EvalError::File { problem, .. }) if problem == missing));
    let kinds = <KalahEval as Registry<Kalah<Packed>>>::kinds();
    let files = kinds.iter().map(|kind| kind.files.len()).sum::<usize>();
    assert_eq!((kinds[0].files, files), (["weights"].as_slice(), 2));
}

#[test]
fn a_net_comes_from_the_program_or_from_a_file_that_fits() {
    let game = kalah();
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("some.net");
    let name = format!("net:{}", path.display());
    let made = |game: &Kalah<Packed>| <KalahEval as Registry<Kalah<Packed>>>::new(&name, game, &[]);
    let trouble = |game: &Kalah<Packed>| match made(game) {
        Err(EvalError::Net(error)) => error.trouble,
        other => panic!("{other:?}"),
    };
    assert!(matches!(trouble(&game), Trouble::Missing));
    std::fs::write(&path, "no net").expect("written");
    assert!(matches!(trouble(&game), Trouble::Foreign(Foreign::Kind)));

    let net = kalahari_net::shipped_net(game.kalah_spec()).expect("shipped");
    let origin = Default::default();
    let file = NetFile {
        net: (*net).clone(),
        origin,
    };
    file.save(&path).expect("written");
    let own = made(&game).expect("it fits");
    let shipped = KalahEval::of_choice(&game);
    let mut position = game.start();
    while !game.is_over(&position) {
        let value = own.evaluate(&game, &position, false);
        assert_eq!(value, shipped.evaluate(&game, &position, false));
        let (least, most) = game.reachable(&position);
        assert!((100 * least..=100 * most).contains(&value), "{value}");
        let mv = game.moves(&position).next_back().expect("a move");
        position = game.play_unchecked(&position, mv);
    }
    for other in ["kalah:7x6", "kalah:6x6:empty-capture", "kalah:6x20"] {
        let other = Kalah::new(other.parse().expect("a game")).expect("small");
        assert!(matches!(
            trouble(&other),
            Trouble::Foreign(Foreign::Subject { .. })
        ));
    }
    let bytes = std::fs::read(&path).expect("bytes");
    std::fs::write(&path, &bytes[..bytes.len() / 2]).expect("written");
    assert!(matches!(trouble(&game), Trouble::Damaged(_)));
    let none = KalahEval::new("net", &game, &[("tempo", "1")]);
    assert!(matches!(none, Err(EvalError::Parameter(_))));
    let large = Kalah::new("kalah:6x20".parse().expect("a game")).expect("small");
    let none = <KalahEval as Registry<Kalah<Packed>>>::new("net", &large, &[]);
    assert!(matches!(none, Err(EvalError::NoNet { .. })));
}

/// An evaluation that is not part of the crate: the number of legal moves. It counts how often it is asked.
#[derive(Clone, Debug, Default)]
struct Choices {
    asked: Arc<AtomicUsize>,
}

impl<G: Game> Evaluation<G> for Choices {
    fn evaluate(&self, game: &G, position: &G::Position, again: bool) -> i32 {
        self.asked.fetch_add(1, Ordering::Relaxed);
        3 * game.count_moves(position) as i32 + i32::from(again)
    }

    fn scale(&self) -> Scale {
        Scale {
            uses_again: true,
            ..Scale::points(20)
        }
    }
}

/// Every search accepts such an evaluation and returns the value of plain negamax.
fn outsiders<G: Searchable>(game: &G) {
    let eval = Choices::default();
    let options = EngineOptions {
        hash: 1,
        techniques: Techniques::exact_depth(),
        ..EngineOptions::of_game(game)
    };
    let options = options.with_eval(eval.clone());
    let mut agents: [Box<dyn Agent<G>>; 2] = [
        Box::new(Engine::new(game.clone(), options)),
        Box::new(Plain::new(
            game.clone(),
            eval.clone(),
            Pruning::AlphaBeta,
            1,
        )),
    ];
    let scale = Evaluation::<G>::scale(&eval);
    let negamax = Negamax {
        game,
        eval: &|position, again| Evaluation::<G>::evaluate(&eval, game, position, again),
        finished: &|margin| scale.finished(margin),
        extra: 1,
    };
    for agent in &mut agents {
        let report = think(agent.as_mut(), game.start(), Limits::depth(2), true);
        let expected = negamax.value(&game.start(), 2, false);
        assert_eq!(report.score.worth(), Worth::Points(f64::from(expected)));
        for (mv, score) in report.moves {
            let expected = negamax.move_value(&game.start(), mv, 2);
            assert_eq!(score.worth(), Worth::Points(f64::from(expected)), "{mv}");
        }
    }
    assert!(eval.asked.swap(0, Ordering::Relaxed) > 0);
    let defaults = MctsOptions::of_game(game);
    let options = MctsOptions {
        eval: Some(eval.clone()),
        alpha: defaults.alpha,
        c: defaults.c,
        reuse: true,
        solver: true,
        playout: Playout::Cut(2),
        hash: 1,
    };
    let mut mcts = Mcts::new(game.clone(), options, 1);
    let report = think(&mut mcts, game.start(), Limits::nodes(50), true);
    assert!(report.best.is_some() && report.score.worth().unit() == Unit::Share);
    assert!(eval.asked.load(Ordering::Relaxed) > 50);
}

#[test]
fn searches_take_evaluations_from_outside() {
    for spec in ["isolation:4x4:trail", "isolation:5x5:queen"] {
        let game = AnyGame::new(spec.parse().expect("a game"));
        with_game!(&game, game => outsiders(game));
    }
}

/// With a good evaluation, a search of few playouts beats the same search without one.
#[test]
fn a_good_evaluation_helps_monte_carlo_tree_search() {
    let game = kalah();
    let with = |eval: Option<KalahEval>, rng_seed| {
        let options = MctsOptions {
            hash: 4,
            ..MctsOptions::judged_by(&game, eval)
        };
        Mcts::new(game.clone(), options, rng_seed)
    };
    let mut points = 0;
    for round in 0..20_u64 {
        let mut players = [
            with(Some(KalahEval::of_choice(&game)), round),
            with(None, round),
        ];
        let mut rng = Rng::new(round / 2);
        let mut position = game.start();
        let mut moves = 0;
        while !game.is_over(&position) {
            let seat = game.to_move(&position).index() ^ (round % 2) as usize;
            let mv = match moves {
                // Both play every opening from both sides.
                0..4 => {
                    let count = game.count_moves(&position) as usize;
                    game.moves(&position).nth(rng.below(count))
                }
                _ => think(&mut players[seat], position, Limits::nodes(150), false).best,
            };
            position = game.play_unchecked(&position, mv.expect("a move"));
            moves += 1;
        }
        let outcome = game.outcome(&position).expect("over");
        let first = if round % 2 == 0 { 1 } else { -1 };
        points += first * outcome.margin(kalahari_games::Player::First).signum();
    }
    assert!(points > 0, "{points} of 20");
}

#[test]
fn mcts_lists_the_numbers_of_its_evaluation_first() {
    let game = kalah();
    let options = MctsOptions {
        eval: Some(KalahEval::new("again", &game, &[("bonus", "3")]).expect("an option")),
        ..MctsOptions::of_game(&game)
    };
    let kind = game.spec().kind();
    let parameters = options.parameters(&game);
    let names: Vec<_> = parameters.iter().map(|parameter| parameter.name).collect();
    assert_eq!(names, ["bonus", alpha(kind).name, exploration(kind).name]);
    assert_eq!(parameters[0].value, 3.0);
}

#[test]
fn monte_carlo_tree_search_with_a_net_needs_no_playouts() {
    let game = kalah();
    let options = MctsOptions::of_game(&game);
    assert!(matches!(options.eval, Some(KalahEval::Net(_))));
    assert_eq!(options.playout, Playout::Cut(0));
    let plain = MctsOptions::judged_by(&game, None);
    assert_eq!(plain.playout, Playout::Random);
    let stores = MctsOptions::judged_by(&game, Some(KalahEval::plainest(&game)));
    assert_eq!(stores.playout, Playout::Random);
    // A game without a net is played with random playouts.
    let other = KalahSpec::new(3, 6, CaptureRule::Standard).expect("a game");
    let other = Kalah::<Packed>::new(other).expect("it fits");
    let options = MctsOptions::of_game(&other);
    assert!(options.eval.is_none() && options.playout == Playout::Random);
    // Nothing random is left: two players agree whatever their seeds.
    let ask = |rng_seed| {
        let mut mcts = Mcts::new(game.clone(), MctsOptions::of_game(&game), rng_seed);
        assert!(Agent::<_>::is_deterministic(&mcts));
        think(&mut mcts, game.start(), Limits::nodes(500), true).moves
    };
    assert_eq!(ask(1), ask(2));
}
