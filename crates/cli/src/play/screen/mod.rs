//! The game on the whole terminal.
//!
//! `app` is what the screen knows, `view` draws it, `input` says what keys and clicks mean. Events and ticks change
//! `app`, drawing reads it, and neither waits for an agent.

mod adviser;
mod animation;
mod app;
mod board_isolation;
mod board_kalah;
mod choice;
mod input;
mod overlay;
mod panel;
mod start;
mod start_view;
mod style;
mod table;
mod terminal;
#[cfg(test)]
mod tests;
mod view;
mod watch;

pub(crate) use app::App;
pub(crate) use start::Menu;

use crate::{interrupt, output};
use ratatui::crossterm::event;
use std::time::{Duration, Instant};

/// Shows the screen until the user leaves; then says what was not saved.
pub(crate) fn run(mut app: App) -> anyhow::Result<()> {
    let stop = interrupt::stop();
    let mut screen = terminal::FullScreen::enter()?;
    let watch = watch::Watch::begin(stop.clone());
    let shown = (|| -> anyhow::Result<()> {
        while !app.is_done() && !stop.is_requested() {
            screen
                .terminal
                .draw(|frame| app.draw(frame, Instant::now()))?;
            if event::poll(app.quiet_time())? {
                // All events that have arrived are handled before the next picture.
                while !app.is_done() {
                    app.handle(&event::read()?, Instant::now());
                    if !event::poll(Duration::ZERO)? {
                        break;
                    }
                }
            }
            app.tick(Instant::now());
        }
        Ok(())
    })();
    drop(watch);
    drop(screen);
    kalahari_protocol::end_all();
    shown?;
    let words = app.last_words();
    match words.is_empty() {
        true => Ok(()),
        false => output::print(&format!("{}\n", words.trim_start())),
    }
}
