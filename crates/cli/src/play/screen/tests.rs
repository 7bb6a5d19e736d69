//! Screens as people see them, and what keys and clicks do to them.

use super::app::{App, Overlay};
use super::start::Menu;
use crate::play::pace::{Pace, Speed};
use crate::play::seat::Seat;
use crate::play::session::Session;
use kalahari_agents::AnyReport;
use kalahari_games::{AnyMove, GameSpec, Player, Verdict};
use kalahari_terms::{Score, Worth};
use ratatui::Terminal;
use ratatui::backend::TestBackend;
use ratatui::crossterm::event::{
    Event, KeyCode, KeyEvent, KeyModifiers, MouseButton, MouseEvent, MouseEventKind,
};
use std::time::{Duration, Instant};

const STILL: Pace = Pace {
    speed: Speed::Normal,
    animate: false,
};
const MOVING: Pace = Pace {
    speed: Speed::Normal,
    animate: true,
};

fn session(game: &str, seats: [&str; 2], moves: &[&str]) -> Session {
    let seats = seats.map(|name| name.parse::<Seat>().expect("a seat"));
    let spec = game.parse::<GameSpec>().expect("a game");
    let mut session = Session::at_start(spec, seats, 1);
    for mv in moves {
        let mv = mv.parse().expect("a move");
        session
            .play(mv, Duration::ZERO, None)
            .expect("a legal move");
    }
    session
}

/// Two people, so that no agent moves.
fn two_people(game: &str, moves: &[&str]) -> App {
    App::with_session(session(game, ["human", "human"], moves), STILL)
}

fn menu(game: &str) -> App {
    let seats = ["human", "level:3"].map(|name| name.parse().expect("a seat"));
    let spec = game.parse().expect("a game");
    App::with_menu(Menu::new(spec, &seats), STILL, 1)
}

fn picture(app: &mut App, width: u16, height: u16) -> String {
    let mut terminal = Terminal::new(TestBackend::new(width, height)).expect("a terminal");
    terminal
        .draw(|frame| app.draw(frame, Instant::now()))
        .expect("a picture");
    terminal.backend().to_string()
}

fn press(app: &mut App, code: KeyCode) {
    let key = KeyEvent::new(code, KeyModifiers::NONE);
    app.handle(&Event::Key(key), Instant::now());
}

fn write(app: &mut App, text: &str) {
    for letter in text.chars() {
        press(app, KeyCode::Char(letter));
    }
}

fn click(app: &mut App, column: u16, row: u16) {
    let mouse = MouseEvent {
        kind: MouseEventKind::Down(MouseButton::Left),
        column,
        row,
        modifiers: KeyModifiers::NONE,
    };
    app.handle(&Event::Mouse(mouse), Instant::now());
}

/// Where a text stands on the screen.
fn find(picture: &str, text: &str) -> (u16, u16) {
    for (row, line) in (0..).zip(picture.lines()) {
        if let Some(at) = line.find(text) {
            // The backend puts every line in quotes.
            return (line[..at].chars().count() as u16 - 1, row);
        }
    }
    panic!("no {text} in\n{picture}");
}

fn moves(app: &App) -> Vec<String> {
    let plies = app.table.as_ref().expect("a board").session.plies();
    plies.iter().map(|ply| ply.mv.to_string()).collect()
}

fn mv(text: &str) -> AnyMove {
    text.parse().expect("a move")
}

fn proven(worth: Worth) -> Score {
    Score::proven(Player::First, worth)
}

fn estimate(worth: Worth) -> Score {
    Score::estimate(Player::First, worth)
}

fn report(scores: &[(&str, Score)]) -> AnyReport {
    AnyReport {
        best: scores.first().map(|(text, _)| mv(text)),
        score: scores[0].1,
        moves: scores
            .iter()
            .map(|(text, score)| (mv(text), *score))
            .collect(),
        line: vec![mv("2"), mv("5")],
        depth: 15,
        nodes: 3_050_000,
        elapsed: Duration::from_millis(1_700),
        outlook: None,
    }
}

/// Shows given values, without a search.
fn show_values(app: &mut App, scores: &[(&str, Score)]) {
    let table = app.table.as_mut().expect("a board");
    table.adviser.analysis = true;
    table.adviser.report = Some(report(scores));
}

#[test]
fn menus() {
    insta::assert_snapshot!("menu_kalah", picture(&mut menu("kalah"), 80, 24));
    insta::assert_snapshot!(
        "menu_isolation",
        picture(&mut menu("isolation:queen"), 80, 24)
    );
    insta::assert_snapshot!("menu_small", picture(&mut menu("kalah"), 30, 8));
}

#[test]
fn kalah_boards() {
    let mut app = two_people("kalah:6x4", &["2", "5", "0", "1"]);
    insta::assert_snapshot!("kalah_80x24", picture(&mut app, 80, 24));
    insta::assert_snapshot!("kalah_120x40", picture(&mut app, 120, 40));
    insta::assert_snapshot!("kalah_least", picture(&mut app, 36, 15));
    insta::assert_snapshot!("kalah_too_small", picture(&mut app, 35, 15));
    let mut app = two_people("kalah:12x20", &["0"]);
    insta::assert_snapshot!("kalah_12_pits", picture(&mut app, 80, 24));
}

#[test]
fn isolation_boards() {
    let mut app = two_people("isolation", &["b1", "h7", "b2", "g7"]);
    insta::assert_snapshot!("isolation_80x24", picture(&mut app, 80, 24));
    let mut app = two_people("isolation:classic", &["d2/d4", "d6/c3"]);
    press(&mut app, KeyCode::Down);
    press(&mut app, KeyCode::Enter);
    insta::assert_snapshot!("isolation_classic_step", picture(&mut app, 80, 24));
    let mut app = two_people("isolation:16x16:queen", &["a1", "p16"]);
    insta::assert_snapshot!("isolation_16x16", picture(&mut app, 80, 24));
}

#[test]
fn analysis_and_help() {
    let mut app = two_people("kalah:6x4", &[]);
    let values = [
        ("2", estimate(Worth::Seeds(2.5))),
        ("0", estimate(Worth::Seeds(-1.0))),
        ("5", estimate(Worth::Seeds(0.0))),
    ];
    show_values(&mut app, &values);
    insta::assert_snapshot!("analysis_kalah", picture(&mut app, 80, 24));
    let all_proven = [
        ("2", proven(Worth::Margin(10))),
        ("0", proven(Worth::Margin(0))),
    ];
    show_values(&mut app, &all_proven);
    insta::assert_snapshot!("analysis_proven", picture(&mut app, 80, 24));
    // Each move has a proof of its own, or none.
    let values = [
        ("2", proven(Worth::Margin(4))),
        ("0", estimate(Worth::Seeds(1.5))),
    ];
    show_values(&mut app, &values);
    let mixed = picture(&mut app, 80, 24);
    assert!(mixed.contains("+4✓") && mixed.contains("+1.5 "), "{mixed}");
    show_values(&mut app, &all_proven);
    press(&mut app, KeyCode::Char('?'));
    insta::assert_snapshot!("help", picture(&mut app, 80, 24));

    let mut app = two_people("isolation:classic:".trim_end_matches(':'), &[]);
    let values = [
        ("d2/d4", estimate(Worth::Cells(6.0))),
        ("c1/d4", estimate(Worth::Result(Verdict::Loss))),
    ];
    show_values(&mut app, &values);
    insta::assert_snapshot!("analysis_isolation", picture(&mut app, 80, 24));
}

#[test]
fn a_finished_game() {
    let mut app = two_people("kalah:1x1", &["0"]);
    insta::assert_snapshot!("finished", picture(&mut app, 60, 18));
}

#[test]
fn no_size_panics() {
    for game in [
        "kalah:1x1",
        "kalah:12x20",
        "isolation:1x2",
        "isolation:16x16:classic",
    ] {
        let mut app = two_people(game, &[]);
        for overlay in [None, Some(Overlay::Help), Some(Overlay::Quit)] {
            app.overlay = overlay;
            for (width, height) in [(1, 1), (3, 40), (36, 15), (60, 15), (80, 24), (250, 90)] {
                picture(&mut app, width, height);
            }
        }
        picture(&mut menu(game), 1, 1);
    }
}

#[test]
fn sowing_is_shown_seed_by_seed() {
    let mut app = App::with_session(session("kalah:6x4", ["human", "human"], &[]), MOVING);
    let begin = Instant::now();
    let key = KeyEvent::new(KeyCode::Char('2'), KeyModifiers::NONE);
    app.handle(&Event::Key(key), begin);
    // At once, without any tick: the pit is empty and the seeds are in the hand.
    assert!(picture(&mut app, 80, 24).contains("in hand: 4"));
    let step = MOVING.step();
    for (steps, words) in [
        (2, "in hand: 3"),
        (3, "in hand: 2"),
        (4, "in hand: 1"),
        (6, "First player moves again!"),
    ] {
        app.tick(begin + steps * step + Duration::from_millis(1));
        // Wide enough for all words in one line.
        let picture = picture(&mut app, 100, 24);
        assert!(picture.contains(words), "{words} in {picture}");
    }
    app.tick(begin + 20 * step);
    assert!(picture(&mut app, 80, 24).contains("First player to move"));
    assert!(
        app.table
            .as_ref()
            .is_some_and(|table| table.animation.is_none())
    );
}

#[test]
fn pits_are_sown_by_number_arrows_and_clicks() {
    let mut app = two_people("kalah:6x4", &[]);
    write(&mut app, "2");
    assert_eq!(moves(&app), ["2"]);
    // An empty pit and a pit that does not exist are not moves.
    write(&mut app, "29xe");
    assert_eq!(moves(&app), ["2"]);
    assert!(picture(&mut app, 80, 24).contains("Not allowed. Choose from pits 0 1 3 4 5."));
    press(&mut app, KeyCode::Right);
    press(&mut app, KeyCode::Right);
    press(&mut app, KeyCode::Enter);
    assert_eq!(moves(&app).len(), 2);
    let before = moves(&app).len();
    let shown = picture(&mut app, 80, 24);
    // Player 1's pit 5 is house 12.
    let (column, row) = find(&shown, "12╮");
    click(&mut app, column, row + 1);
    assert_eq!(moves(&app).len(), before + 1);
    assert_eq!(moves(&app).last().map(String::as_str), Some("5"));
    click(&mut app, 0, 0);
    assert_eq!(moves(&app).len(), before + 1);
    write(&mut app, "u");
    assert_eq!(moves(&app).len(), before);
}

#[test]
fn cells_are_chosen_by_arrows_and_clicks() {
    let mut app = two_people("isolation:classic", &[]);
    press(&mut app, KeyCode::Down);
    press(&mut app, KeyCode::Enter);
    assert!(moves(&app).is_empty());
    assert!(picture(&mut app, 80, 24).contains("to d2; now a cell to remove"));
    press(&mut app, KeyCode::Esc);
    press(&mut app, KeyCode::Enter);
    press(&mut app, KeyCode::Down);
    press(&mut app, KeyCode::Enter);
    assert_eq!(moves(&app), ["d2/d3"]);
    let shown = picture(&mut app, 80, 24);
    let (column, row) = find(&shown, "2]");
    let [step, removed] = [(column, row - 2), (column, row)];
    // The cells are two lines high: one up is the step, the cell left is removed.
    click(&mut app, step.0, step.1);
    click(&mut app, removed.0, removed.1);
    assert_eq!(moves(&app), ["d2/d3", "d6/d7"]);
}

#[test]
fn earlier_positions_can_be_looked_at() {
    let mut app = two_people("kalah:6x4", &["2", "5", "0"]);
    write(&mut app, "[[");
    assert!(picture(&mut app, 80, 24).contains("Looking at the board after 1 move"));
    // No move can be made in an earlier position.
    write(&mut app, "0");
    assert_eq!(moves(&app).len(), 3);
    press(&mut app, KeyCode::End);
    assert!(picture(&mut app, 80, 24).contains("First player to move"));
    let shown = picture(&mut app, 80, 24);
    let (column, row) = find(&shown, "0: 2");
    click(&mut app, column, row);
    assert!(picture(&mut app, 80, 24).contains("after 1 move"));
    press(&mut app, KeyCode::Esc);
    assert!(picture(&mut app, 80, 24).contains("move 3"));
}

#[test]
fn leaving_asks_when_something_would_be_lost() {
    let mut app = two_people("kalah:6x4", &[]);
    write(&mut app, "q");
    assert!(app.is_done(), "nothing was played");

    let mut app = two_people("kalah:6x4", &["2"]);
    write(&mut app, "q");
    assert!(!app.is_done());
    insta::assert_snapshot!("quit", picture(&mut app, 80, 24));
    press(&mut app, KeyCode::Esc);
    assert!(app.overlay.is_none());
    write(&mut app, "qq");
    assert!(app.is_done());
    assert!(app.last_words().contains("--moves \"2\""));

    let mut app = two_people("kalah:6x4", &["2"]);
    write(&mut app, "s");
    let key = KeyEvent::new(KeyCode::Char('c'), KeyModifiers::CONTROL);
    app.handle(&Event::Key(key), Instant::now());
    assert!(app.is_done(), "Ctrl-C works everywhere");
}

#[test]
fn games_are_saved_and_loaded_by_keys() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("game.txt");
    let name = file.to_str().expect("a name");
    let mut app = two_people("kalah:6x4", &["2", "5"]);
    write(&mut app, "s");
    for _ in 0..60 {
        press(&mut app, KeyCode::Backspace);
    }
    press(&mut app, KeyCode::Enter);
    assert!(picture(&mut app, 80, 24).contains("a name is missing"));
    write(&mut app, name);
    press(&mut app, KeyCode::Enter);
    assert!(app.overlay.is_none());
    assert!(file.exists());
    // Saved: nothing to ask.
    write(&mut app, "n");
    assert!(app.table.is_none());
    write(&mut app, "l");
    write(&mut app, name);
    press(&mut app, KeyCode::Enter);
    assert_eq!(moves(&app), ["2", "5"]);
    // A file that is there is replaced only on purpose.
    write(&mut app, "s");
    for _ in 0..60 {
        press(&mut app, KeyCode::Backspace);
    }
    write(&mut app, name);
    press(&mut app, KeyCode::Enter);
    assert!(picture(&mut app, 120, 24).contains("there already"));
    press(&mut app, KeyCode::Enter);
    assert!(app.overlay.is_none());
    write(&mut app, "l");
    write(&mut app, "/no/such/file");
    press(&mut app, KeyCode::Enter);
    assert!(picture(&mut app, 120, 24).contains("cannot read"));
}

#[test]
fn resigning_asks_first() {
    let mut app = two_people("kalah:6x4", &["2"]);
    write(&mut app, "r");
    press(&mut app, KeyCode::Esc);
    assert!(
        app.table
            .as_ref()
            .is_some_and(|table| table.session.end().is_none())
    );
    write(&mut app, "rr");
    assert!(picture(&mut app, 80, 24).contains("First player resigns. Second player wins."));
    write(&mut app, "u");
    assert!(
        app.table
            .as_ref()
            .is_some_and(|table| table.session.end().is_none())
    );
}

#[test]
fn the_menu_makes_games() {
    let mut app = menu("kalah");
    press(&mut app, KeyCode::Down);
    press(&mut app, KeyCode::Right);
    assert_eq!(
        app.menu.game(),
        "isolation".parse::<GameSpec>().expect("a game")
    );
    press(&mut app, KeyCode::Down);
    press(&mut app, KeyCode::Right);
    assert_eq!(
        app.menu.game(),
        "isolation:classic".parse::<GameSpec>().expect("a game")
    );
    let shown = picture(&mut app, 80, 24);
    let (column, row) = find(&shown, "▶");
    click(&mut app, column, row);
    assert!(picture(&mut app, 80, 24).contains("Kalah  ▶"));
    let shown = picture(&mut app, 80, 24);
    let (column, row) = find(&shown, "Play");
    click(&mut app, column, row);
    assert!(app.table.is_some());
}

#[test]
fn every_size_of_the_menu_exists() {
    for game in ["kalah", "isolation:classic"] {
        let mut app = menu(game);
        for line in 0..12 {
            for key in [KeyCode::Left, KeyCode::Right] {
                for _ in 0..25 {
                    press(&mut app, key);
                    let again: GameSpec = app.menu.game().to_string().parse().expect("a game");
                    assert_eq!(again, app.menu.game());
                }
            }
            press(&mut app, KeyCode::Down);
            assert!(line < 12);
        }
    }
}

#[test]
fn an_agent_answers_while_the_screen_goes_on() {
    let session = session("kalah:6x4", ["human", "level:2"], &[]);
    let mut app = App::with_session(session, STILL);
    write(&mut app, "5");
    // The person's move is there before any agent has thought.
    assert_eq!(moves(&app), ["5"]);
    let begin = Instant::now();
    while app
        .table
        .as_ref()
        .is_some_and(|table| !table.session.is_persons_turn())
    {
        app.tick(Instant::now());
        assert!(begin.elapsed() < Duration::from_secs(20), "no answer");
        std::thread::sleep(Duration::from_millis(1));
    }
    assert!(moves(&app).len() > 1);
    let table = app.table.as_ref().expect("a board");
    assert_eq!(table.session.plies()[1].mover, Player::Second);
}

#[test]
fn hints_and_values_come_from_the_engine() {
    let mut app = two_people("kalah:3x2", &[]);
    write(&mut app, "h");
    let wait = |app: &mut App, words: &str| {
        let begin = Instant::now();
        while !picture(app, 80, 24).contains(words) {
            app.tick(Instant::now());
            assert!(begin.elapsed() < Duration::from_secs(30), "no {words}");
            std::thread::sleep(Duration::from_millis(2));
        }
    };
    wait(&mut app, "Hint: ");
    write(&mut app, "a");
    wait(&mut app, "✓");
    wait(&mut app, "proven");
}

#[test]
fn an_agent_that_cannot_be_had_is_said() {
    let session = session("kalah:6x4", ["engine:eval=phased", "human"], &[]);
    let mut app = App::with_session(session, STILL);
    let begin = Instant::now();
    while !picture(&mut app, 120, 24).contains("failed: bad agent 'engine:eval=phased'") {
        app.tick(Instant::now());
        assert!(begin.elapsed() < Duration::from_secs(20));
        std::thread::sleep(Duration::from_millis(1));
    }
}
