//! The score of the player who moves first from every opening.

use super::canvas::{
    BLUE, Drawn, GRID, INK, ORANGE, Picture, TITLE, WIDTH, fitted, text, titled, width,
};
use super::data::GameData;
use plotters::coord::Shift;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, VPos};

/// The openings of a game.
pub(super) struct Openings<'a>(pub(super) &'a GameData);

const ROW: u32 = 26;
const AXIS: u32 = 64;
const NUMBERS: u32 = 190;
const NAMES: u32 = 380;
/// More openings than this are drawn as columns without names.
const NAMED: usize = 30;
const COLUMNS_HEIGHT: u32 = 360;

impl Picture for Openings<'_> {
    fn height(&self) -> u32 {
        match self.0.openings.len() {
            0..=NAMED => TITLE + ROW * self.0.openings.len().max(1) as u32 + AXIS,
            _ => TITLE + COLUMNS_HEIGHT,
        }
    }

    fn draw<DB: DrawingBackend>(&self, paper: &DrawingArea<DB, Shift>) -> Drawn
    where
        DB::ErrorType: 'static,
    {
        let title = format!(
            "What the first player scores, by opening, in {}",
            self.0.game
        );
        let plot = titled(paper, &title)?;
        match self.0.openings.len() {
            0..=NAMED => self.rows(paper, &plot),
            _ => self.columns(&plot),
        }
    }
}

/// More than half is blue, less is orange.
fn colour(score: f64) -> RGBColor {
    if score >= 0.5 { BLUE } else { ORANGE }
}

impl Openings<'_> {
    fn rows<DB: DrawingBackend>(
        &self,
        paper: &DrawingArea<DB, Shift>,
        plot: &DrawingArea<DB, Shift>,
    ) -> Drawn
    where
        DB::ErrorType: 'static,
    {
        let openings = &self.0.openings;
        let name_style = text(14, HPos::Right, VPos::Center);
        let widest = openings
            .iter()
            .map(|opening| width(paper, &opening.name, &name_style))
            .max();
        let names = widest.unwrap_or(0).min(NAMES) + 32;
        let rows = openings.len().max(1) as f64;
        let mut chart = ChartBuilder::on(plot)
            .margin_left(names as i32)
            .margin_right(NUMBERS as i32)
            .x_label_area_size(AXIS as i32)
            .build_cartesian_2d(0.0..1.0, 0.0..rows)?;
        chart
            .configure_mesh()
            .disable_y_mesh()
            .y_labels(0)
            .x_labels(5)
            .light_line_style(WHITE)
            .bold_line_style(GRID)
            .axis_style(INK)
            .label_style(text(14, HPos::Center, VPos::Top))
            .x_label_formatter(&|score| format!("{:.0}%", score * 100.0))
            .x_desc("score of the player who moves first in the game")
            .axis_desc_style(text(15, HPos::Center, VPos::Bottom))
            .draw()?;
        for (row, opening) in openings.iter().enumerate() {
            let y = rows - row as f64 - 0.5;
            chart.draw_series([Rectangle::new(
                [(0.5, y - 0.32), (opening.score, y + 0.32)],
                colour(opening.score).filled(),
            )])?;
            let (x, middle) = chart.backend_coord(&(opening.score, y));
            if (opening.score - 0.5).abs() < 0.01 {
                // A bar of almost no length would be invisible.
                paper.draw(&Circle::new((x, middle), 5, BLUE.filled()))?;
            }
            let name = fitted(paper, &opening.name, &name_style, names - 32);
            paper.draw(&Text::new(
                name,
                (names as i32 - 14, middle),
                name_style.clone(),
            ))?;
            let word = if opening.games == 1 { "game" } else { "games" };
            let numbers = format!("{:.0}% of {} {word}", opening.score * 100.0, opening.games);
            let style = text(14, HPos::Right, VPos::Center);
            paper.draw(&Text::new(numbers, (WIDTH as i32 - 20, middle), style))?;
        }
        Ok(())
    }

    fn columns<DB: DrawingBackend>(&self, plot: &DrawingArea<DB, Shift>) -> Drawn
    where
        DB::ErrorType: 'static,
    {
        let openings = &self.0.openings;
        let mut chart = ChartBuilder::on(plot)
            .margin_left(20)
            .margin_right(24)
            .x_label_area_size(58)
            .y_label_area_size(84)
            .build_cartesian_2d(0.0..openings.len() as f64, 0.0..1.0)?;
        chart
            .configure_mesh()
            .disable_x_mesh()
            .y_labels(5)
            .light_line_style(WHITE)
            .bold_line_style(GRID)
            .axis_style(INK)
            .label_style(text(14, HPos::Center, VPos::Top))
            .y_label_style(text(14, HPos::Right, VPos::Center))
            .x_label_formatter(&|place| format!("{place:.0}"))
            .y_label_formatter(&|score| format!("{:.0}%", score * 100.0))
            .x_desc(format!(
                "{} openings, from the best to the worst",
                openings.len()
            ))
            .y_desc("score")
            .axis_desc_style(text(15, HPos::Center, VPos::Bottom))
            .draw()?;
        chart.draw_series(openings.iter().enumerate().map(|(place, opening)| {
            let x = place as f64;
            Rectangle::new(
                [(x + 0.1, 0.5), (x + 0.9, opening.score)],
                colour(opening.score).filled(),
            )
        }))?;
        // An even opening shows as a line in the middle.
        chart.draw_series(openings.iter().enumerate().map(|(place, opening)| {
            let x = place as f64;
            PathElement::new(
                [(x + 0.1, opening.score), (x + 0.9, opening.score)],
                colour(opening.score).stroke_width(2),
            )
        }))?;
        Ok(())
    }
}
