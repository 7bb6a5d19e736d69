//! The whole screen's state: the menu or a board, and what lies over it.

use super::input::{Command, Hits, Target, command};
use super::start::{Chosen, Menu};
use super::table::Table;
use super::view;
use crate::failure;
use crate::play::pace::Pace;
use crate::play::pits::PitsFrom;
use crate::play::session::Session;
use crate::play::{file, parting_words};
use ratatui::Frame;
use ratatui::crossterm::event::{
    Event, KeyCode, KeyEvent, KeyEventKind, MouseButton, MouseEventKind,
};
use std::path::Path;
use std::time::{Duration, Instant};

/// The whole screen.
pub(crate) struct App {
    pub(crate) menu: Menu,
    /// The board; `None` while the menu is shown.
    pub(crate) table: Option<Box<Table>>,
    pub(crate) overlay: Option<Overlay>,
    hits: Hits,
    pace: Pace,
    rng_seed: u64,
    pits_from: PitsFrom,
    done: bool,
}

/// What lies over the board and takes the keys.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Overlay {
    Help,
    /// Whether to leave a game that is not saved.
    Quit,
    /// Whether to begin a new game though this one is not saved.
    New,
    Resign,
    /// The name of a file, as far as it is typed.
    File {
        saving: bool,
        name: String,
        problem: Option<String>,
        /// A file that is there already is replaced only if Enter is pressed again.
        warned: bool,
        /// Quit when it is saved.
        then_quit: bool,
    },
}

impl App {
    /// A screen that shows the menu.
    pub(crate) fn with_menu(menu: Menu, pace: Pace, rng_seed: u64) -> App {
        App {
            menu,
            table: None,
            overlay: None,
            hits: Hits::default(),
            pace,
            rng_seed,
            pits_from: PitsFrom::default(),
            done: false,
        }
    }

    /// A screen that shows a board.
    pub(crate) fn with_session(session: Session, pace: Pace) -> App {
        let menu = Menu::new(session.spec(), &session.seats);
        let mut app = App::with_menu(menu, pace, session.rng_seed).counting(session.pits_from);
        app.sit_down(session);
        app
    }

    /// The same, with pits numbered in this way.
    pub(crate) fn counting(mut self, pits_from: PitsFrom) -> App {
        self.pits_from = pits_from;
        self
    }

    fn sit_down(&mut self, mut session: Session) {
        session.pits_from = self.pits_from;
        self.menu = Menu::new(session.spec(), &session.seats);
        self.table = Some(Box::new(Table::new(session, self.pace, Instant::now())));
        self.overlay = None;
    }

    pub(crate) fn is_done(&self) -> bool {
        self.done
    }

    /// What is printed after the screen is closed.
    pub(crate) fn last_words(&self) -> String {
        let words = self
            .table
            .as_ref()
            .map(|table| parting_words(&table.session));
        words.unwrap_or_default()
    }

    /// How long the screen stays the same without input.
    pub(crate) fn quiet_time(&self) -> Duration {
        let busy = self.table.as_ref().is_some_and(|table| table.is_busy());
        Duration::from_millis(if busy { 15 } else { 200 })
    }

    pub(crate) fn tick(&mut self, now: Instant) {
        let held = self.overlay.is_some();
        if let Some(table) = &mut self.table {
            table.tick(now, held);
        }
    }

    /// Draws the screen, and notes where things are that can be clicked.
    pub(crate) fn draw(&mut self, frame: &mut Frame<'_>, now: Instant) {
        let mut hits = std::mem::take(&mut self.hits);
        view::draw(frame, self, &mut hits, now);
        self.hits = hits;
    }

    pub(crate) fn handle(&mut self, event: &Event, now: Instant) {
        match event {
            Event::Key(key) if key.kind != KeyEventKind::Release => self.key(*key, now),
            Event::Mouse(mouse) if mouse.kind == MouseEventKind::Down(MouseButton::Left) => {
                if let Some(target) = self.hits.at(mouse.column, mouse.row) {
                    self.click(target, now);
                }
            }
            _ => {}
        }
    }

    fn key(&mut self, key: KeyEvent, now: Instant) {
        let asked = command(key);
        if asked == Some(Command::Leave) {
            self.done = true;
        } else if let Some(Overlay::File { .. }) = self.overlay {
            self.type_name(key);
        } else if let Some(command) = asked {
            self.obey(command, now);
        }
    }

    fn click(&mut self, target: Target, now: Instant) {
        match (target, &mut self.table) {
            (Target::Key(command), _) => self.obey(command, now),
            (Target::Field(line, by), None) => {
                let chosen = self.menu.click(line, by);
                self.chosen(chosen);
            }
            (target, Some(table)) if self.overlay.is_none() => table.choose(target, now),
            _ => {}
        }
    }

    fn obey(&mut self, command: Command, now: Instant) {
        if command == Command::Leave {
            self.done = true;
        } else if self.overlay.is_some() {
            self.answer(command, now);
        } else if self.table.is_some() {
            self.at_the_board(command, now);
        } else {
            match command {
                Command::Quit => self.done = true,
                Command::Help => self.overlay = Some(Overlay::Help),
                Command::Load => self.ask_file(false, false),
                command => {
                    let chosen = self.menu.act(command);
                    self.chosen(chosen);
                }
            }
        }
    }

    /// Begins the game of the menu, if that was chosen.
    fn chosen(&mut self, chosen: Chosen) {
        if chosen != Chosen::Play {
            return;
        }
        let (game, seats) = (self.menu.game(), self.menu.seats());
        self.rng_seed = self.rng_seed.wrapping_add(2);
        self.sit_down(Session::at_start(game, seats, self.rng_seed));
    }

    fn at_the_board(&mut self, command: Command, now: Instant) {
        let Some(table) = &mut self.table else {
            return;
        };
        let unsaved = table.session.is_unsaved() && table.session.end().is_none();
        match command {
            Command::Quit if unsaved => self.overlay = Some(Overlay::Quit),
            Command::Quit => self.done = true,
            Command::New if unsaved => self.overlay = Some(Overlay::New),
            Command::New => self.show_menu(),
            Command::Help => self.overlay = Some(Overlay::Help),
            Command::Save => self.ask_file(true, false),
            Command::Load => self.ask_file(false, false),
            Command::Resign if table.session.end().is_none() && !table.is_watching() => {
                self.overlay = Some(Overlay::Resign);
            }
            command => {
                table.act(command, now);
                // The next game keeps the pace of this one.
                self.pace = table.pace;
            }
        }
    }

    fn show_menu(&mut self) {
        self.table = None;
        self.overlay = None;
    }

    /// Takes the answer to what lies over the board.
    fn answer(&mut self, command: Command, now: Instant) {
        let Some(overlay) = self.overlay.take() else {
            return;
        };
        match (overlay, command) {
            (Overlay::Quit, Command::Quit | Command::Confirm) => self.done = true,
            (Overlay::Quit, Command::Save) => self.ask_file(true, true),
            (Overlay::New, Command::New | Command::Confirm) => self.show_menu(),
            (Overlay::New, Command::Save) => self.ask_file(true, false),
            (Overlay::Resign, Command::Resign | Command::Confirm) => {
                if let Some(table) = &mut self.table {
                    table.resign(now);
                }
            }
            // Any other key only closes it; the wish to quit is always obeyed.
            (_, Command::Quit) => self.obey(Command::Quit, now),
            _ => {}
        }
    }

    fn ask_file(&mut self, saving: bool, then_quit: bool) {
        let name = match (saving, &self.table) {
            (true, Some(table)) => {
                let game = table.session.spec().to_string().replace(':', "-");
                format!("{game}.txt")
            }
            _ => String::new(),
        };
        self.overlay = Some(Overlay::File {
            saving,
            name,
            problem: None,
            warned: false,
            then_quit,
        });
    }

    /// A key while a file's name is typed.
    fn type_name(&mut self, key: KeyEvent) {
        let Some(Overlay::File {
            name,
            problem,
            warned,
            ..
        }) = &mut self.overlay
        else {
            return;
        };
        match key.code {
            KeyCode::Esc => return self.overlay = None,
            KeyCode::Enter => return self.use_file(),
            KeyCode::Backspace => {
                name.pop();
            }
            KeyCode::Char(letter) if !letter.is_control() => name.push(letter),
            _ => return,
        }
        (*problem, *warned) = (None, false);
    }

    fn use_file(&mut self) {
        let Some(Overlay::File {
            saving,
            name,
            problem,
            warned,
            then_quit,
        }) = &mut self.overlay
        else {
            return;
        };
        if name.trim().is_empty() {
            *problem = Some("a name is missing".to_owned());
            return;
        }
        let path = Path::new(name.trim());
        if *saving && !*warned && path.exists() {
            *warned = true;
            *problem = Some("this file is there already: Enter again replaces it".to_owned());
        } else if *saving {
            let Some(table) = &mut self.table else {
                return;
            };
            match file::save(&mut table.session, path) {
                Ok(()) => {
                    table.notice = Some(format!("Saved to {}.", path.display()));
                    self.done = *then_quit;
                    self.overlay = None;
                }
                Err(error) => *problem = Some(failure::told(&error)),
            }
        } else {
            match file::load(path, &self.menu.seats()) {
                Ok(session) => self.sit_down(session),
                Err(error) => *problem = Some(failure::told(&error)),
            }
        }
    }
}
