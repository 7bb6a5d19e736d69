//! Python files as players: the shapes that people hand in, and hostile ones.

use kalahari_agents::{AgentKind, AgentSpec, Player};
use kalahari_games::{AnyGame, Game};
use kalahari_terms::{Failure, Limits, Stop};
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

fn file(name: &str) -> PathBuf {
    let tests = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/python");
    tests.join(name)
}

fn spec(path: &Path) -> AgentSpec {
    format!("py:{}", path.display()).parse().expect("an agent")
}

/// Plays whole games of the file against itself and checks every move against the rules. Returns the number of moves.
fn plays(path: &Path, game: &str, games: u32) -> u32 {
    let game = AnyGame::new(game.parse().expect("a game"));
    let seat = |_| Player::new(&spec(path), &game, 1).expect("an agent");
    let mut players = [0, 1].map(seat);
    let limits = Limits::time(Duration::from_secs(20));
    let mut made = 0;
    for number in 0..games {
        for player in &mut players {
            player.begin_game(u64::from(number), &Stop::new());
        }
        let mut position = game.start();
        while !game.is_over(&position) {
            let player = &mut players[game.to_move(&position).index()];
            let report = player.think(&position, limits, &Stop::new(), false, &mut |_| {});
            let text = game.position_text(&position);
            let report = report.unwrap_or_else(|why| panic!("{}: {why} in {text}", path.display()));
            let best = report.best.expect("a move");
            position = game.play(&position, best).expect("legal");
            made += 1;
        }
    }
    made
}

#[test]
fn agents_of_the_kalah_course_play_unmodified() {
    for name in [
        "ai_plain.py",
        "ai_minimax.py",
        "ai_stateful.py",
        "ai_main.py",
        "ai_inherits.py",
        "ai_numpy.py",
        "ai_old.py",
        "ai_text.py",
        "ai_weights.py",
        "ai_encoded.py",
    ] {
        // In the second game, the same process makes a new object.
        assert!(plays(&file(name), "kalah:6x4", 2) > 8, "{name}");
    }
    let here = std::env::current_dir().expect("a directory");
    assert!(
        !here.join("time.txt").exists(),
        "the agent's files must not be in our directory"
    );
    assert!(
        !file("log.txt").exists(),
        "the agent's files must not be beside the agent"
    );
}

#[test]
fn functions_are_given_a_state() {
    for game in [
        "kalah:6x6",
        "kalah:3x2:empty-capture",
        "kalah:8x3:standard+majority",
    ] {
        assert!(plays(&file("choose_state.py"), game, 1) > 0);
    }
    for game in [
        "isolation:4x5:trail",
        "isolation:4x4:classic",
        "isolation:5x5:queen",
        "isolation:5x6:knight",
    ] {
        assert!(plays(&file("any_isolation.py"), game, 1) > 0);
    }
}

#[test]
fn agents_of_the_isolation_course_have_their_board() {
    assert!(plays(&file("custom_player.py"), "isolation:7x7:knight", 1) > 5);
    assert!(plays(&file("older_player.py"), "isolation:7x7:knight", 2) > 5);
}

#[test]
fn a_path_alone_is_a_python_file() {
    let spec: AgentSpec = "bots/my bot.py,memory=500".parse().expect("an agent");
    assert_eq!(spec.kind(), AgentKind::Python);
    assert_eq!(spec.to_string(), "py:bots/my bot.py,memory=500");
    assert_eq!(spec.to_string().parse::<AgentSpec>().expect("again"), spec);
    let game = AnyGame::new("kalah:6x4".parse().expect("a game"));
    let missing = Player::new(&spec, &game, 1)
        .err()
        .expect("no such file")
        .to_string();
    assert!(missing.contains("there is no file /"), "{missing}");
    assert!(missing.ends_with("bots/my bot.py"), "{missing}");
    let empty = Player::new(&"py".parse().expect("an agent"), &game, 1).err();
    assert!(empty.expect("no file").to_string().contains("py:mybot.py"));
}

/// The failure that is reported for a file that cannot play or will not.
fn failure(source: &str, millis: u64) -> Failure {
    let place = tempfile::tempdir().expect("a directory");
    let path = place.path().join("bot.py");
    fs::write(&path, source).expect("written");
    let game = AnyGame::new("kalah:6x4".parse().expect("a game"));
    let mut player = Player::new(&spec(&path), &game, 1).expect("an agent");
    let limits = Limits::time(Duration::from_millis(millis));
    player.begin_game(1, &Stop::new());
    let answer = player.think(&game.start(), limits, &Stop::new(), false, &mut |_| {});
    answer.expect_err("no move")
}

#[test]
fn the_last_line_of_a_traceback_is_the_reason() {
    for (source, reason) in [
        (
            "def move(state):\n    return 1 // 0\n",
            "ZeroDivisionError: ",
        ),
        ("def move(state):\n    return 1 // 0\n", "(bot.py, line 2)"),
        ("def move(state):\n    retrun 3\n", "SyntaxError"),
        (
            "import nothing_like_this\n",
            "ModuleNotFoundError: No module named 'nothing_like_this'",
        ),
        ("class Player:\n    pass\n", "a function move(state)"),
        (
            "def move(a, b, c):\n    return 0\n",
            "it should take (state) or (state, limits)",
        ),
        (
            "def move(state):\n    return None\n",
            "it returned None, which is not a move",
        ),
        (
            "def move(state):\n    return 'two'\n",
            "it returned 'two', which is not a move",
        ),
        ("print(input('your name? '))\n", "EOFError"),
        ("import sys\nsys.exit(3)\n", "SystemExit: 3"),
    ] {
        let failure = failure(source, 20_000).to_string();
        assert!(failure.contains(reason), "{source}: {failure}");
    }
    let illegal = failure("def move(state):\n    return 17\n", 20_000);
    assert!(matches!(illegal, Failure::Illegal(_)), "{illegal}");
}

#[test]
fn hostile_files_only_forfeit() {
    let late = failure("def move(state):\n    while True: pass\n", 200);
    assert!(matches!(late, Failure::TimedOut(_)), "{late}");
    for (source, reason) in [
        (
            "import os, signal\ndef move(state):\n    os.kill(os.getppid(), signal.SIGKILL)\n    os.killpg(os.getpgid(0), signal.SIGKILL)\n",
            "",
        ),
        (
            "import os, signal\ndef move(state):\n    os.killpg(os.getpgid(os.getppid()), signal.SIGKILL)\n",
            "",
        ),
        (
            "def move(state):\n    return [0] * (4 << 30)\n",
            "MemoryError",
        ),
        (
            "import os\ndef move(state):\n    os.remove(__file__)\n    raise RuntimeError('gone')\n",
            "RuntimeError: gone",
        ),
        (
            "import os, signal\nfor number in range(1, 32):\n    if number not in (9, 19): signal.signal(number, signal.SIG_IGN)\ndef move(state):\n    os.kill(0, signal.SIGKILL)\n",
            "",
        ),
        (
            "def move(state):\n    sizes = []\n    while True:\n        sizes.append(bytearray(64 << 20))\n",
            "MemoryError",
        ),
        (
            "import os, shutil\ndef move(state):\n    shutil.rmtree(os.getcwd())\n    open('x', 'w')\n",
            "FileNotFoundError",
        ),
        (
            "import os\ndef move(state):\n    os.close(0); os.close(1); os.close(2)\n    os._exit(0)\n",
            "",
        ),
    ] {
        let failure = failure(source, 20_000);
        assert!(
            matches!(failure, Failure::Crashed(_)),
            "{source}: {failure}"
        );
        assert!(failure.to_string().contains(reason), "{source}: {failure}");
    }
}

#[test]
fn an_agent_that_ignores_signals_is_late_and_killed() {
    // Signals are ignored, exceptions are swallowed, and child processes live on.
    let source = "import os, signal, threading, time\n\
        signal.signal(signal.SIGTERM, signal.SIG_IGN)\n\
        signal.signal(signal.SIGINT, signal.SIG_IGN)\n\
        def move(state):\n\
        \x20   for _ in range(3):\n\
        \x20       if os.fork() == 0:\n\
        \x20           os.setsid()\n\
        \x20           time.sleep(1000)\n\
        \x20   threading.Thread(target=lambda: time.sleep(1000)).start()\n\
        \x20   while True:\n\
        \x20       try: time.sleep(1000)\n\
        \x20       except BaseException: pass\n";
    let late = failure(source, 200);
    assert!(matches!(late, Failure::TimedOut(_)), "{late}");
    // Whether it runs out of memory or of time first depends on the interpreter.
    let deep =
        "import sys\nsys.setrecursionlimit(10 ** 9)\ndef move(state):\n    return move(state)\n";
    assert!(!matches!(failure(deep, 200), Failure::Illegal(_)));
    // A file whose module code never ends does not get ready.
    let stuck = failure("while True: pass\ndef move(state): return 0\n", 200);
    assert!(matches!(stuck, Failure::Crashed(_)), "{stuck}");
    let words = stuck.to_string();
    assert!(words.contains("it did not start in"), "{stuck}");
    assert!(!words.contains("readyok"), "{stuck}");
}

#[test]
#[cfg(unix)]
fn programs_that_read_lines_play() {
    let place = tempfile::tempdir().expect("a directory");
    let play = |name: &str, source: &str| {
        let path = place.path().join(name);
        fs::write(&path, source).expect("written");
        let spec = format!("exe:python3 '{}'", path.display());
        let game = AnyGame::new("kalah:6x4".parse().expect("a game"));
        let spec: AgentSpec = spec.parse().expect("an agent");
        let mut player = Player::new(&spec, &game, 1).expect("an agent");
        let mut position = game.start();
        let limits = Limits::time(Duration::from_secs(20));
        while !game.is_over(&position) {
            let report = player.think(&position, limits, &Stop::new(), false, &mut |_| {})?;
            position = game
                .play(&position, report.best.expect("a move"))
                .expect("legal");
        }
        Ok(())
    };
    // They run in a scratch directory, with copies of the files beside them.
    fs::write(place.path().join("weights.txt"), "7").expect("written");
    let body = "import os, sys\nassert os.environ['KALAHARI_GAME'] == 'kalah:6x4:standard'\n\
        open('time.txt', 'w').write(open('weights.txt').read())\n\
        def best(line):\n\
        \x20   n = [int(w) for w in line.replace(',', ' ').split()]\n\
        \x20   own = n[:6] if n[-1] == 0 else n[7:13]\n\
        \x20   return next(i for i in range(6) if own[i])\n";
    let talks = format!(
        "{body}for line in sys.stdin:\n    print('hm, let me think')\n    print('move', best(line), flush=True)\n"
    );
    let once = format!("{body}print(best(input()))\n");
    for (name, source) in [("talks.py", &talks), ("once.py", &once)] {
        assert!(!place.path().join("time.txt").exists());
        let played: Result<(), Failure> = play(name, source);
        assert!(played.is_ok(), "{name}: {played:?}");
    }
    let crash = play("crash.py", "input()\nraise ValueError('no idea')\n");
    let crash = crash.expect_err("no move").to_string();
    assert!(crash.contains("ValueError: no idea"), "{crash}");
    let illegal = play(
        "illegal.py",
        "input()\nprint(5)\ninput()\nprint(5)\ninput()\n",
    );
    assert!(matches!(illegal, Err(Failure::Illegal(_))), "{illegal:?}");
}

#[test]
fn unusual_shapes_are_understood() {
    let place = tempfile::tempdir().expect("a directory");
    let sources = [
        "class ai:\n    @staticmethod\n    def move(a, b, a_fin, b_fin, t):\n        return next(i for i in range(6) if a[i])\n",
        "class ai:\n    @classmethod\n    def move(cls, a, b, a_fin, b_fin, t):\n        return next(i for i in range(6) if a[i])\n",
        "class ai:\n    def move(self, *args):\n        return next(i for i in range(6) if args[0][i])\n",
        "from player_of_mine import ai\n",
        "from .player_of_mine import ai\n",
    ];
    fs::write(place.path().join("player_of_mine.py"), sources[0]).expect("written");
    for (number, source) in sources.iter().enumerate() {
        let path = place.path().join(format!("shape{number}.py"));
        fs::write(&path, source).expect("written");
        assert!(plays(&path, "kalah:6x1", 1) > 0, "{source}");
    }
    let awaited = failure("async def move(state):\n    return 0\n", 20_000).to_string();
    assert!(awaited.contains("a coroutine"), "{awaited}");
}

#[test]
fn an_agent_that_prints_or_forks_can_play() {
    let place = tempfile::tempdir().expect("a directory");
    let source = "import os, sys\n\
        def move(state):\n\
        \x20   print('x' * 1_000_000)\n\
        \x20   os.write(1, b'bestmove 99\\n')\n\
        \x20   os.system('echo bestmove 98')\n\
        \x20   os.fork()\n\
        \x20   return state.legal[0]\n";
    let path = place.path().join("loud.py");
    fs::write(&path, source).expect("written");
    assert!(plays(&path, "kalah:4x2", 1) > 3);
}
