//! Engines that misbehave in every way we could think of: none of them blocks us or fills our memory, and no
//! process is left behind.

use kalahari_protocol::ugi::{Go, Info};
use kalahari_protocol::{Answered, Dialect, Engine, EngineError, Question};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

const HANDSHAKE: Duration = Duration::from_secs(5);
const GRACE: Duration = Duration::from_millis(300);

fn engine(arguments: &[&str]) -> Engine {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/engines/hostile.py");
    let mut command = vec!["python3".to_owned(), script.display().to_string()];
    command.extend(arguments.iter().map(|&word| word.to_owned()));
    Engine::start(command, "kalah:6x6:standard", Dialect::Ugi)
        .expect("python3 is installed")
        .with_patience(HANDSHAKE, GRACE)
}

fn ask_with(
    engine: &mut Engine,
    wants_stop: &dyn Fn() -> bool,
    patience: Duration,
    progress: &mut dyn FnMut(&Info),
) -> Result<Answered, EngineError> {
    engine.ask(Question {
        position: "6 6 6 6 6 6 0 6 6 6 6 6 6 0 0",
        go: Go {
            movetime: Some(100),
            ..Go::default()
        },
        patience,
        wants_stop,
        is_move: &|_| true,
        progress,
    })
}

/// Asks for a move within 100 ms, plus the grace period.
fn ask(engine: &mut Engine) -> Result<String, EngineError> {
    let answer = ask_with(engine, &|| false, Duration::from_millis(100), &mut |_| {});
    answer.map(|answered| answered.mv)
}

/// The failure of an engine. Checks that it was reported in time.
fn failure(arguments: &[&str]) -> String {
    let mut engine = engine(arguments);
    engine.begin_game(&|| false);
    let begin = Instant::now();
    let error = ask(&mut engine).expect_err("no move");
    assert!(begin.elapsed() < Duration::from_secs(4), "{error}");
    error.to_string()
}

/// A directory for the files of one test; it is emptied first.
fn place(name: &str) -> PathBuf {
    let place = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&place);
    std::fs::create_dir_all(&place).expect("a directory");
    place
}

#[test]
fn a_program_that_does_not_exist_is_refused() {
    let error = Engine::start(vec!["./no such program".into()], "kalah", Dialect::Ugi).err();
    let Some(EngineError::Start { program, .. }) = error else {
        panic!("{error:?}");
    };
    assert_eq!(program, "./no such program");
}

#[test]
fn an_engine_that_never_answers_does_not_start() {
    let mut engine = engine(&["mute"]).with_patience(Duration::from_millis(300), GRACE);
    let begin = Instant::now();
    let error = ask(&mut engine).expect_err("no move").to_string();
    assert!(error.contains("it did not start in"), "{error}");
    assert!(begin.elapsed() < Duration::from_secs(3));
}

#[test]
fn an_engine_that_is_silent_after_go_is_late() {
    let error = failure(&["ignores"]);
    assert!(error.contains("no move within 0.4"), "{error}");
}

#[test]
fn an_engine_that_ignores_stop_is_late() {
    let mut engine = engine(&["ignores"]);
    engine.begin_game(&|| false);
    let begin = Instant::now();
    let answer = ask_with(
        &mut engine,
        &|| true,
        Duration::from_secs(3600),
        &mut |_| {},
    );
    assert!(
        matches!(answer, Err(EngineError::Late { .. })),
        "{answer:?}"
    );
    assert!(begin.elapsed() < Duration::from_secs(2));
}

#[test]
fn an_engine_that_obeys_stop_answers() {
    let mut engine = engine(&["stoppable"]);
    engine.begin_game(&|| false);
    let begin = Instant::now();
    let wants_stop = || begin.elapsed() > Duration::from_millis(50);
    let answer = ask_with(&mut engine, &wants_stop, Duration::MAX, &mut |_| {});
    assert_eq!(answer.expect("a move").mv, "4");
}

#[test]
fn garbage_is_not_a_move() {
    let error = failure(&["garbage"]);
    assert!(error.contains("no move within"), "{error}");
    assert!(error.contains("it said \"bestmove\""), "{error}");
}

#[test]
fn megabytes_of_output_are_skipped() {
    let mut engine = engine(&["megabytes"]);
    let mut heard = 0;
    for _ in 0..2 {
        let answer = ask_with(&mut engine, &|| false, Duration::from_secs(20), &mut |_| {
            heard += 1;
        });
        assert_eq!(answer.expect("a move").mv, "3");
    }
    assert!(heard > 0);
}

#[test]
fn output_on_standard_error_is_skipped() {
    let mut engine = engine(&["complains"]);
    let answer = ask_with(&mut engine, &|| false, Duration::from_secs(20), &mut |_| {});
    assert_eq!(answer.expect("a move").mv, "3");
}

#[test]
fn endless_output_is_cut_off() {
    let mut engine = engine(&["flood"]);
    let begin = Instant::now();
    let answer = ask_with(&mut engine, &|| false, Duration::from_secs(2), &mut |_| {});
    assert!(
        matches!(answer, Err(EngineError::Flooded | EngineError::Late { .. })),
        "{answer:?}"
    );
    assert!(begin.elapsed() < Duration::from_secs(6));
}

#[test]
fn endless_output_without_line_ends_is_cut_off() {
    let mut engine = engine(&["noise"]).with_patience(Duration::from_secs(2), GRACE);
    let error = ask(&mut engine).expect_err("no move");
    assert!(
        matches!(error, EngineError::Flooded | EngineError::NotStarted { .. }),
        "{error:?}"
    );
}

#[test]
fn the_last_error_of_an_engine_that_dies_at_once_is_reported() {
    let error = failure(&["dead"]);
    assert!(error.contains("exit status: 1"), "{error}");
    assert!(error.contains("no licence found"), "{error}");
}

#[test]
fn the_last_error_of_an_engine_that_dies_in_a_search_is_reported() {
    let error = failure(&["dies"]);
    assert!(error.contains("ValueError: pit out of range"), "{error}");
}

#[test]
fn an_engine_that_closes_its_output_has_crashed() {
    assert!(failure(&["closes"]).contains("it closed its output"));
}

#[test]
fn an_engine_that_dies_is_restarted() {
    let file = place("dies-once").join("died");
    let mut engine = engine(&["dies-once", &file.display().to_string()]);
    assert!(matches!(ask(&mut engine), Err(EngineError::Crashed { .. })));
    assert_eq!(ask(&mut engine).expect("a move of the second process"), "3");
}

#[test]
fn an_engine_that_dies_between_two_questions_is_restarted_at_once() {
    let mut engine = engine(&["dies-after"]);
    for _ in 0..3 {
        assert_eq!(ask(&mut engine).expect("a move"), "3");
    }
}

#[test]
fn an_engine_that_reads_nothing_is_noticed() {
    let mut engine = engine(&["deaf"]).with_patience(Duration::from_millis(500), GRACE);
    let begin = Instant::now();
    assert!(ask(&mut engine).is_err());
    assert!(ask(&mut engine).is_err());
    assert!(begin.elapsed() < Duration::from_secs(6));
}

#[test]
fn a_surplus_answer_is_not_taken_for_the_next_answer() {
    let mut engine = engine(&["twice"]);
    for _ in 0..3 {
        assert_eq!(ask(&mut engine).expect("a move"), "1");
    }
}

#[test]
fn an_engine_that_does_not_quit_is_killed() {
    let mut engine = engine(&["stays"]);
    assert_eq!(ask(&mut engine).expect("a move"), "3");
    let begin = Instant::now();
    drop(engine);
    assert!(begin.elapsed() < Duration::from_secs(2));
}

/// Whether a process is running. A zombie is not.
#[cfg(target_os = "linux")]
fn runs(pid: &str) -> bool {
    let status = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    let state = status.rsplit(')').next().unwrap_or_default().trim();
    !state.is_empty() && !state.starts_with(['Z', 'X'])
}

#[test]
#[cfg(target_os = "linux")]
fn children_end_with_their_parent() {
    let place = place("children");
    let children = || -> Vec<String> {
        let files = std::fs::read_dir(&place).expect("our directory").flatten();
        files
            .map(|file| file.file_name().to_string_lossy().into_owned())
            .collect()
    };
    let mut engine = engine(&["children", &place.display().to_string()]);
    assert_eq!(ask(&mut engine).expect("a move"), "3");
    let begin = Instant::now();
    while children().len() < 3 && begin.elapsed() < Duration::from_secs(5) {
        std::thread::sleep(Duration::from_millis(10));
    }
    let children = children();
    assert_eq!(children.len(), 3);
    assert!(children.iter().all(|pid| runs(pid)));
    drop(engine);
    std::thread::sleep(Duration::from_millis(50));
    assert!(!children.iter().any(|pid| runs(pid)), "{children:?}");
}
