//! How runs end: at once when asked to, with the results so far, and without leaving processes behind.

use crate::support::{PROGRAM, good, kalahari, spawn, text};
use std::fs;
use std::io::Read;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

/// Asks a process to end.
fn signal(child: &Child, name: &str) {
    let sent = Command::new("kill")
        .args([name, &child.id().to_string()])
        .status();
    assert!(sent.is_ok_and(|status| status.success()));
}

/// Lets a run work for a while, asks it to end, and returns its status, its output and how long it took to end.
fn interrupted(arguments: &[&str], name: &str) -> (Option<i32>, String, Duration) {
    let mut child = spawn(arguments);
    sleep(Duration::from_millis(1_500));
    assert!(
        child.try_wait().expect("a child").is_none(),
        "{arguments:?}"
    );
    let begin = Instant::now();
    signal(&child, name);
    let status = child.wait().expect("it ends");
    let took = begin.elapsed();
    let mut out = String::new();
    let mut from = child.stdout.take().expect("piped");
    from.read_to_string(&mut out).expect("text");
    (status.code(), out, took)
}

/// Much longer than ending takes, even on a busy machine, and less than the time an engine is given to get ready.
const AT_ONCE: Duration = Duration::from_secs(5);

#[test]
fn an_interrupted_perft_ends_at_once_and_prints_what_it_has() {
    let (status, out, took) =
        interrupted(&["perft", "kalah:6x4", "--depth", "200", "--json"], "-INT");
    assert_eq!(status, Some(130));
    assert!(took < AT_ONCE, "{took:?}");
    assert!(out.contains("[6,35,185,942,"), "{out}");
    // Counting in parts gives the same numbers.
    let out = good(&["perft", "isolation:4x4:queen", "--depth", "6", "--json"]);
    assert!(out.contains("\"perft\":[16,240,"), "{out}");
}

#[test]
fn an_interrupted_selftest_says_what_it_has_not_done() {
    let (status, out, took) = interrupted(&["selftest", "--long", "--only", "kalah:6x"], "-INT");
    assert_eq!(status, Some(130), "{out}");
    assert!(out.contains(" not done"), "{out}");
    assert!(took < AT_ONCE, "{took:?}");
}

#[test]
fn a_sample_of_a_tablebase_is_never_more_than_all_of_it() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("table");
    let ask = |what| ["tablebase", what, "kalah:3", "--file", text(&file)];
    good(&[&ask("build")[..], &["--seeds", "8"]].concat());
    let out = good(&[&ask("verify")[..], &["--sample", "1000000000", "--json"]].concat());
    assert!(out.contains("\"every_position\":true"), "{out}");

    let ask = |what| ["tablebase", what, "kalah:6", "--file", text(&file)];
    fs::remove_file(&file).expect("removed");
    good(&[&ask("build")[..], &["--seeds", "17"]].concat());
    let sample = [&ask("verify")[..], &["--sample", "1000000000000"]].concat();
    let mut child = spawn(&sample);
    sleep(Duration::from_millis(300));
    signal(&child, "-TERM");
    let begin = Instant::now();
    let status = child.wait().expect("it ends").code();
    assert!(begin.elapsed() < AT_ONCE);
    // It may have finished before the signal.
    assert!([Some(130), Some(0)].contains(&status), "{status:?}");
}

/// A program that prints nothing, reads nothing and ignores the hang-up signal. It writes its process number to a file.
fn silent_engine(folder: &Path) -> String {
    let script = folder.join("silent.py");
    let pid = folder.join("pid");
    let text = format!(
        "import os, signal, time\nsignal.signal(signal.SIGHUP, signal.SIG_IGN)\nopen({:?}, 'w').write(str(os.getpid()))\nwhile True:\n    time.sleep(1)\n",
        pid.display().to_string()
    );
    fs::write(&script, text).expect("written");
    format!("ugi:python3 {}", script.display())
}

#[test]
fn ctrl_c_does_not_wait_for_a_silent_engine() {
    let folder = tempfile::tempdir().expect("a folder");
    let engine = silent_engine(folder.path());
    for arguments in [
        &[
            "match",
            &engine,
            "random",
            "--game",
            "kalah:3x2",
            "--games",
            "2",
        ][..],
        &["analyze", "kalah:3x2", "--agent", &engine],
        &[
            "tune",
            "run",
            "mcts:playouts=10",
            "--params",
            "alpha=0..1",
            "--against",
            &engine,
            "--game",
            "kalah:3x2",
            "--games",
            "4",
        ],
    ] {
        let (status, _, took) = interrupted(arguments, "-INT");
        assert_eq!(status, Some(130), "{arguments:?}");
        assert!(took < AT_ONCE, "{arguments:?}: {took:?}");
    }
}

fn runs(pid: &str) -> bool {
    let state = fs::read_to_string(format!("/proc/{pid}/stat"));
    // A zombie, whose exit status has not been read yet, has ended, too.
    state.is_ok_and(|state| !state.contains(") Z "))
}

#[test]
fn engines_end_with_a_runner_that_is_killed() {
    let folder = tempfile::tempdir().expect("a folder");
    let engine = silent_engine(folder.path());
    let pid_file = folder.path().join("pid");
    let mut runner = Command::new(PROGRAM)
        .args([
            "match",
            &engine,
            "random",
            "--game",
            "kalah:3x2",
            "--games",
            "2",
        ])
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("it runs");
    let deadline = Instant::now() + Duration::from_secs(30);
    let pid = loop {
        match fs::read_to_string(&pid_file) {
            Ok(pid) if !pid.is_empty() => break pid,
            _ => assert!(Instant::now() < deadline, "the engine never started"),
        }
        sleep(Duration::from_millis(10));
    };
    assert!(runs(&pid));
    runner.kill().expect("killed");
    runner.wait().expect("a child");
    let deadline = Instant::now() + Duration::from_secs(5);
    while runs(&pid) {
        assert!(Instant::now() < deadline, "the engine still runs");
        sleep(Duration::from_millis(10));
    }
}

/// To the kernel a parent is a thread. Engines must outlive the threads that started them.
#[test]
fn engines_do_not_end_with_the_thread_that_started_them() {
    let ours = format!("ugi:{PROGRAM} ugi --agent random");
    let (status, out, err) = kalahari(&[
        "tournament",
        &ours,
        "random",
        "level:1",
        "--game",
        "kalah:3x2",
        "--games",
        "8",
        "--concurrency",
        "3",
        "--json",
    ]);
    assert_eq!(status, 0, "{err}");
    assert!(!out.contains("\"crash\":1"), "{out}");
    assert!(out.contains("\"left_out\":[]"), "{out}");
}
