//! The board screen drawn: a title, the board, the moves, what happens, and the keys.

use super::animation::Mark;
use super::app::{App, Overlay};
use super::choice::must_pass;
use super::input::{Command, Hits, Target};
use super::table::Table;
use super::{board_isolation, board_kalah, overlay, panel, start_view, style};
use crate::play::words;
use kalahari_games::{Game, GameKind, GameSpec, Player, View};
use ratatui::Frame;
use ratatui::layout::{Alignment, Constraint, Layout, Rect};
use ratatui::text::{Line, Span};
use ratatui::widgets::{Paragraph, Wrap};
use std::time::Instant;

/// A board as it is to be drawn.
pub(crate) struct Scene<'a> {
    pub(crate) table: &'a Table,
    pub(crate) view: &'a View,
    pub(crate) marks: &'a [(usize, Mark)],
    /// Seeds in the hand.
    pub(crate) hand: u32,
    /// Whose move it is, or whose is being shown.
    pub(crate) mover: Player,
    /// Whether a person is choosing a move in this picture.
    pub(crate) choosing: bool,
}

impl Scene<'_> {
    pub(crate) fn mark(&self, place: usize) -> Option<Mark> {
        let found = self.marks.iter().find(|(marked, _)| *marked == place);
        found.map(|(_, mark)| *mark)
    }
}

/// Draws everything and notes what can be clicked.
pub(crate) fn draw(frame: &mut Frame<'_>, app: &App, hits: &mut Hits, now: Instant) {
    hits.clear();
    match &app.table {
        None => start_view::draw(frame, &app.menu, hits),
        Some(table) => draw_table(frame, table, hits, now),
    }
    if let Some(shown) = &app.overlay {
        hits.clear();
        overlay::draw(frame, shown, app.table.as_deref());
    }
    if matches!(app.overlay, Some(Overlay::Help)) {
        hits.add(frame.area(), Target::Key(Command::Cancel));
    }
}

/// With fewer columns than this, the list of moves is left out.
const PANEL_MIN: u16 = 18;
const PANEL_MAX: u16 = 34;

fn draw_table(frame: &mut Frame<'_>, table: &Table, hits: &mut Hits, now: Instant) {
    let area = frame.area();
    let need = match table.session.spec() {
        GameSpec::Kalah(spec) => board_kalah::least_size(spec),
        GameSpec::Isolation(spec) => board_isolation::least_size(spec),
    };
    /// The title, two lines of talk and the keys.
    const AROUND: u16 = 4;
    if area.width < need.0.max(36) || area.height < need.1 + AROUND {
        return too_small(frame, (need.0.max(36), need.1 + AROUND));
    }
    let talk_height = if area.height > need.1 + AROUND + 1 {
        3
    } else {
        2
    };
    let [title, body, talk, keys] = Layout::vertical([
        Constraint::Length(1),
        Constraint::Min(need.1),
        Constraint::Length(talk_height),
        Constraint::Length(1),
    ])
    .areas(area);

    draw_title(frame, title, table);
    let spare = body.width.saturating_sub(need.0 + 1);
    let panel_width = match spare {
        PANEL_MIN.. => spare.min(PANEL_MAX).min((body.width / 3).max(PANEL_MIN)),
        _ => 0,
    };
    let [board, side] =
        Layout::horizontal([Constraint::Min(need.0), Constraint::Length(panel_width)]).areas(body);
    draw_board(frame, board, table, hits);
    if panel_width > 0 {
        panel::draw(frame, side, table, hits);
    }
    draw_talk(frame, talk, table, now);
    draw_keys(frame, keys, table, hits);
}

fn draw_board(frame: &mut Frame<'_>, area: Rect, table: &Table, hits: &mut Hits) {
    let still = table.animation.as_ref().and_then(|film| film.still());
    let shown = table.session.game.view(table.shown());
    let scene = Scene {
        table,
        view: still.map_or(&shown, |still| &still.view),
        marks: still.map_or(&[], |still| &still.marks),
        hand: still.map_or(0, |still| still.hand),
        mover: match (still, table.session.plies().last()) {
            (Some(_), Some(ply)) => ply.mover,
            _ => shown.player(),
        },
        choosing: still.is_none() && table.can_choose(),
    };
    match scene.view {
        View::Kalah(setup) => board_kalah::draw(frame, area, &scene, setup, hits),
        View::Isolation(setup) => board_isolation::draw(frame, area, &scene, setup, hits),
    }
}

fn too_small(frame: &mut Frame<'_>, need: (u16, u16)) {
    let area = frame.area();
    let text = format!(
        "This board needs a terminal of {} x {}; this one is {} x {}. Enlarge it, or q to quit.",
        need.0, need.1, area.width, area.height
    );
    let words = Paragraph::new(text)
        .alignment(Alignment::Center)
        .wrap(Wrap { trim: true });
    frame.render_widget(words, area);
}

fn draw_title(frame: &mut Frame<'_>, area: Rect, table: &Table) {
    let seat = |player: Player| {
        let who = &table.session.seats[player.index()];
        let name = match table.session.only_person() == Some(player) {
            true => "you".to_owned(),
            false => who.to_string(),
        };
        format!("{name} ({})", ["first", "second"][player.index()])
    };
    let left = format!(
        " Kalahari  {}   {} - {}",
        table.session.spec(),
        seat(Player::First),
        seat(Player::Second)
    );
    let right = match table.look {
        Some(look) => format!("move {look} of {} ", table.session.plies().len()),
        None => format!("move {} ", table.session.plies().len()),
    };
    frame.render_widget(Paragraph::new(left).style(style::BAR), area);
    let width = (right.chars().count() as u16).min(area.width);
    let corner = Rect {
        x: area.right() - width,
        width,
        ..area
    };
    frame.render_widget(Paragraph::new(right).style(style::BAR), corner);
}

/// What happened, and what is to be done.
fn draw_talk(frame: &mut Frame<'_>, area: Rect, table: &Table, now: Instant) {
    let told = match table.animation.as_ref().and_then(|film| film.still()) {
        Some(still) => still.caption.clone(),
        None => {
            let last = table.shown_plies().checked_sub(1);
            let ply = last.and_then(|last| table.session.plies().get(last));
            ply.map_or(String::new(), |ply| words::told(&ply.story, &table.names))
        }
    };
    let [above, below] = Layout::vertical([Constraint::Min(1), Constraint::Length(1)]).areas(area);
    let width = usize::from(area.width.saturating_sub(1));
    // A short text is shown right above the prompt.
    let lines = if told.chars().count() > width {
        above.height
    } else {
        1
    };
    let tale = Rect {
        x: above.x + 1,
        y: above.bottom() - lines,
        width: width as u16,
        height: lines,
    };
    frame.render_widget(Paragraph::new(told).wrap(Wrap { trim: true }), tale);
    frame.render_widget(Paragraph::new(prompt(table, width, now)), below);
}

/// What the player can do now, or what the game is waiting for.
fn prompt(table: &Table, width: usize, now: Instant) -> Line<'static> {
    let mover = table.session.mover();
    let name = table.names.name(mover);
    let turn = match table.session.only_person() == Some(mover) {
        true => "Your turn".to_owned(),
        false => format!("{name} to move"),
    };
    let say = |text: String, style| Line::from(Span::styled(format!(" {text}"), style));
    if let Some(look) = table.look {
        let moves = words::count(look as u32, "move");
        let text = format!("Looking at the board after {moves}. ] on, [ back, Esc to the game");
        return say(text, style::DIM);
    }
    if let Some(failure) = &table.failure {
        return say(
            format!("{name} failed: {failure} (m: ask again, n: new game)"),
            style::ALERT,
        );
    }
    if table.animation.is_some() {
        return say("(Enter skips)".to_owned(), style::DIM);
    }
    if let Some(end) = table.session.end() {
        let result = words::result(&table.session, end);
        return say(format!("Game over. {result}"), style::GOOD);
    }
    if let Some(notice) = &table.notice {
        return say(notice.clone(), style::GOOD);
    }
    let who = style::player(mover).patch(style::BOLD);
    if table.session.is_persons_turn() {
        let session = &table.session;
        let what = match session.spec().kind() {
            _ if must_pass(&session.game, session.now()) => {
                "nowhere to go, Enter passes".to_owned()
            }
            GameKind::Kalah => "choose a pit by number, arrows and Enter, or a click".to_owned(),
            GameKind::Isolation => match table.choice.step {
                Some(step) => format!("to {step}; now a cell to remove (Esc: another step)"),
                None => "choose a cell by the arrows and Enter, or a click".to_owned(),
            },
        };
        let text = format!("{turn}: {what}");
        return say(if text.len() > width { turn } else { text }, who);
    }
    if table.paused {
        return say("Paused: p resumes".to_owned(), style::ALERT);
    }
    match table.thinking(now) {
        Some(time) if time.as_secs() >= 1 => {
            let text = format!("{name} is thinking: {} s (m: move now)", time.as_secs());
            say(text, who)
        }
        _ => say(format!("{name} is thinking"), who),
    }
}

fn draw_keys(frame: &mut Frame<'_>, area: Rect, table: &Table, hits: &mut Hits) {
    let mut keys = vec![("?", "help", Command::Help)];
    if table.is_watching() {
        let pause = if table.paused { "resume" } else { "pause" };
        keys.extend([
            ("p", pause, Command::Pause),
            ("+", "faster", Command::Faster),
            ("-", "slower", Command::Slower),
        ]);
    } else {
        keys.extend([
            ("h", "hint", Command::Hint),
            ("u", "back", Command::TakeBack),
        ]);
    }
    keys.extend([
        ("a", "analysis", Command::Analysis),
        ("f", "flip", Command::Flip),
        ("s", "save", Command::Save),
        ("n", "new", Command::New),
        ("q", "quit", Command::Quit),
    ]);
    let mut spans = Vec::new();
    let mut x = area.x;
    for (key, what, command) in keys {
        let text = [format!(" {key} "), format!("{what} ")];
        let width = text.iter().map(String::len).sum::<usize>() as u16;
        if x + width > area.right() {
            break;
        }
        let [key, what] = text;
        spans.extend([Span::styled(key, style::CURSOR), Span::raw(what)]);
        hits.add(Rect { x, width, ..area }, Target::Key(command));
        x += width;
    }
    frame.render_widget(Paragraph::new(Line::from(spans)), area);
}
