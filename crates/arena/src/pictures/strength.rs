//! Strength plotted against the time per move.

use super::canvas::{BLUE, Drawn, GRID, INK, Picture, TITLE, fitted, signed, text, titled};
use super::data::{GameData, PlayerData};
use plotters::coord::Shift;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, VPos};

/// The ratings of a game's players over their mean time for a move. The plot shows numbers, and a legend beside it
/// names the players, so that long names do not cover the plot.
pub(super) struct Strength<'a>(pub(super) &'a GameData);

const PLOT: u32 = 400;
const ROW: u32 = 26;
/// Where the names begin.
const NAMES: i32 = 640;
/// Shorter times are drawn as this one, in milliseconds.
const FASTEST: f64 = 0.001;

impl Picture for Strength<'_> {
    fn height(&self) -> u32 {
        TITLE + PLOT.max(ROW * self.0.players.len() as u32 + 40)
    }

    fn draw<DB: DrawingBackend>(&self, paper: &DrawingArea<DB, Shift>) -> Drawn
    where
        DB::ErrorType: 'static,
    {
        let title = format!("Strength against time for a move in {}", self.0.game);
        let plot = titled(paper, &title)?;
        let timed: Vec<(usize, f64, &PlayerData)> = (1..)
            .zip(&self.0.players)
            .filter_map(|(number, player)| Some((number, player.millis?.max(FASTEST), player)))
            .collect();
        let (mut left, mut right) = (f64::MAX, 0.0f64);
        let (mut low, mut high) = (0.0f64, 0.0f64);
        for (_, millis, player) in &timed {
            (left, right) = (left.min(*millis), right.max(*millis));
            let error = player.error.min(1000.0);
            (low, high) = (low.min(player.elo - error), high.max(player.elo + error));
        }
        if timed.is_empty() {
            (left, right) = (1.0, 1.0);
        }
        let room = ((high - low) * 0.06).max(10.0);
        let (low, high) = (low - room, high + room);
        let mut chart = ChartBuilder::on(&plot)
            .margin_left(20)
            .margin_right(1000 - NAMES + 30)
            .x_label_area_size(58)
            .y_label_area_size(90)
            .build_cartesian_2d((left / 3.0..right * 3.0).log_scale(), low..high)?;
        chart
            .configure_mesh()
            .x_labels(6)
            .y_labels(7)
            .light_line_style(WHITE)
            .bold_line_style(GRID)
            .axis_style(INK)
            .label_style(text(14, HPos::Center, VPos::Top))
            .y_label_style(text(14, HPos::Right, VPos::Center))
            .x_label_formatter(&|millis| time_text(*millis))
            .y_label_formatter(&|elo| signed(*elo))
            .x_desc("mean time for a move")
            .y_desc("Elo, with 95% intervals")
            .axis_desc_style(text(15, HPos::Center, VPos::Bottom))
            .draw()?;
        let mut taken: Vec<Spot> = Vec::new();
        let mut dots = Vec::new();
        for (number, millis, player) in &timed {
            let (from, to) = (
                (player.elo - player.error).max(low),
                (player.elo + player.error).min(high),
            );
            chart.draw_series([PathElement::new(
                [(*millis, from), (*millis, to)],
                BLUE.stroke_width(2),
            )])?;
            let (x, y) = chart.backend_coord(&(*millis, player.elo));
            let (_, top) = chart.backend_coord(&(*millis, to));
            let (_, bottom) = chart.backend_coord(&(*millis, from));
            for end in [top, bottom] {
                let line = [(x - 5, end), (x + 5, end)];
                paper.draw(&PathElement::new(line, BLUE.stroke_width(2)))?;
            }
            paper.draw(&Circle::new((x, y), 5, BLUE.filled()))?;
            taken.push(Spot { x, y, half: 6 });
            taken.extend((top..=bottom).step_by(8).map(|y| Spot { x, y, half: 4 }));
            dots.push((*number, x, y));
        }
        for (number, x, y) in dots {
            // The first free place beside the dot, or the first one if all are taken.
            let places = [
                (17, 0),
                (-17, 0),
                (17, -16),
                (-17, -16),
                (17, 16),
                (-17, 16),
            ];
            let free = places
                .iter()
                .map(|(dx, dy)| Spot {
                    x: x + dx,
                    y: y + dy,
                    half: 9,
                })
                .find(|spot| !taken.iter().any(|other| spot.meets(other)));
            let spot = free.unwrap_or(Spot {
                x: x + 17,
                y,
                half: 9,
            });
            let style = text(14, HPos::Center, VPos::Center);
            paper.draw(&Text::new(number.to_string(), (spot.x, spot.y), style))?;
            taken.push(spot);
        }
        for (number, player) in (1..).zip(&self.0.players) {
            let y = (TITLE + 20) as i32 + (number - 1) * ROW as i32;
            let style = text(14, HPos::Left, VPos::Center);
            let name = format!("{number}  {}", player.name);
            let time = player.millis.map_or("-".to_owned(), time_text);
            let name = fitted(paper, &name, &style, 260);
            paper.draw(&Text::new(name, (NAMES, y), style))?;
            let style = text(14, HPos::Right, VPos::Center);
            paper.draw(&Text::new(time, (980, y), style))?;
        }
        Ok(())
    }
}

/// A roughly square area that is occupied.
struct Spot {
    x: i32,
    y: i32,
    half: i32,
}

impl Spot {
    fn meets(&self, other: &Spot) -> bool {
        let reach = self.half + other.half;
        (self.x - other.x).abs() < reach && (self.y - other.y).abs() < reach
    }
}

/// A time in milliseconds as short text.
pub(super) fn time_text(millis: f64) -> String {
    let (number, unit) = match millis {
        _ if millis < 1.0 => (millis * 1e3, "µs"),
        _ if millis < 1e3 => (millis, "ms"),
        _ => (millis / 1e3, "s"),
    };
    match number {
        _ if number < 0.1 => format!("<0.1 {unit}"),
        _ if number < 10.0 && number.fract() != 0.0 => format!("{number:.1} {unit}"),
        _ => format!("{number:.0} {unit}"),
    }
}
