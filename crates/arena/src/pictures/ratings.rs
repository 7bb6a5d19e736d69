//! Ratings with their errors, the strongest at the top.

use super::canvas::{
    BLUE, Drawn, GRID, INK, Picture, TITLE, WIDTH, error_text, fitted, signed, text, titled, width,
};
use super::data::GameData;
use plotters::coord::Shift;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, VPos};

/// The ratings of a game's players.
pub(super) struct Ratings<'a>(pub(super) &'a GameData);

const ROW: u32 = 34;
const AXIS: u32 = 64;
/// The space for numbers on the right.
const NUMBERS: u32 = 170;
/// The most space for names on the left.
const NAMES: u32 = 420;

impl Picture for Ratings<'_> {
    fn height(&self) -> u32 {
        TITLE + ROW * self.0.players.len().max(1) as u32 + AXIS
    }

    fn draw<DB: DrawingBackend>(&self, paper: &DrawingArea<DB, Shift>) -> Drawn
    where
        DB::ErrorType: 'static,
    {
        let GameData { game, players, .. } = self.0;
        let plot = titled(paper, &format!("Ratings in {game}"))?;
        let name_style = text(15, HPos::Right, VPos::Center);
        let widest = players
            .iter()
            .map(|player| width(paper, &player.name, &name_style))
            .max();
        let names = widest.unwrap_or(0).min(NAMES) + 32;
        let (mut low, mut high) = (0.0f64, 0.0f64);
        for player in players {
            // An infinite error would leave no space for the others.
            let error = player.error.min(1000.0);
            low = low.min(player.elo - error);
            high = high.max(player.elo + error);
        }
        let room = ((high - low) * 0.04).max(5.0);
        let (low, high) = (low - room, high + room);
        let rows = players.len().max(1) as f64;
        let mut chart = ChartBuilder::on(&plot)
            .margin_left(names as i32)
            .margin_right(NUMBERS as i32)
            .x_label_area_size(AXIS as i32)
            .build_cartesian_2d(low..high, 0.0..rows)?;
        chart
            .configure_mesh()
            .disable_y_mesh()
            .y_labels(0)
            .x_labels(8)
            .light_line_style(WHITE)
            .bold_line_style(GRID)
            .axis_style(INK)
            .label_style(text(14, HPos::Center, VPos::Top))
            .x_label_formatter(&|elo| signed(*elo))
            .x_desc("Elo against the average of all players, with 95% intervals")
            .axis_desc_style(text(15, HPos::Center, VPos::Bottom))
            .draw()?;
        for (row, player) in players.iter().enumerate() {
            let y = rows - row as f64 - 0.5;
            let (from, to) = (
                (player.elo - player.error).max(low),
                (player.elo + player.error).min(high),
            );
            chart.draw_series([PathElement::new([(from, y), (to, y)], BLUE.stroke_width(2))])?;
            for end in [from, to] {
                let (x, y) = chart.backend_coord(&(end, y));
                paper.draw(&PathElement::new(
                    [(x, y - 6), (x, y + 6)],
                    BLUE.stroke_width(2),
                ))?;
            }
            let (x, middle) = chart.backend_coord(&(player.elo, y));
            paper.draw(&Circle::new((x, middle), 6, BLUE.filled()))?;
            let name = fitted(paper, &player.name, &name_style, names - 32);
            paper.draw(&Text::new(
                name,
                (names as i32 - 14, middle),
                name_style.clone(),
            ))?;
            let numbers = format!("{} ± {}", signed(player.elo), error_text(player.error));
            let style = text(15, HPos::Right, VPos::Center);
            paper.draw(&Text::new(numbers, (WIDTH as i32 - 20, middle), style))?;
        }
        Ok(())
    }
}
