//! How an agent's rating changed from version to version.

use super::canvas::{BLUE, Drawn, GRID, INK, ORANGE, Picture, TITLE, signed, text, titled};
use super::data::{GameData, PlayerData};
use plotters::coord::Shift;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, VPos};
use std::collections::BTreeMap;

/// The ratings of all agents of a game that have more than one version.
pub(super) struct Versions<'a>(pub(super) &'a GameData);

impl<'a> Versions<'a> {
    /// The versions of every such agent, the oldest first.
    pub(super) fn lines(&self) -> BTreeMap<&'a str, Vec<(usize, &'a PlayerData)>> {
        let mut lines: BTreeMap<&str, Vec<(usize, &PlayerData)>> = BTreeMap::new();
        for player in &self.0.players {
            if let Some((name, number)) = &player.version {
                lines.entry(name).or_default().push((*number, player));
            }
        }
        for line in lines.values_mut() {
            line.sort_by_key(|(number, _)| *number);
        }
        lines.retain(|_, line| line.len() > 1);
        lines
    }
}

/// The colours of lines, used in turn.
const COLOURS: [RGBColor; 5] = [
    BLUE,
    ORANGE,
    RGBColor(42, 138, 74),
    RGBColor(140, 70, 150),
    RGBColor(110, 110, 110),
];

impl Picture for Versions<'_> {
    fn height(&self) -> u32 {
        TITLE + 360
    }

    fn draw<DB: DrawingBackend>(&self, paper: &DrawingArea<DB, Shift>) -> Drawn
    where
        DB::ErrorType: 'static,
    {
        let plot = titled(paper, &format!("Rating by version in {}", self.0.game))?;
        let lines = self.lines();
        let all = || lines.values().flatten();
        let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
        for (_, player) in all() {
            // An infinite error would leave no space for the others.
            let error = player.error.min(1000.0);
            low = low.min(player.elo - error);
            high = high.max(player.elo + error);
        }
        if lines.is_empty() {
            (low, high) = (0.0, 1.0);
        }
        let room = ((high - low) * 0.06).max(10.0);
        let last = all().map(|(number, _)| *number).max().unwrap_or(1) as f64;
        let mut chart = ChartBuilder::on(&plot)
            .margin_left(10)
            .margin_right(230)
            .x_label_area_size(56)
            .y_label_area_size(70)
            .build_cartesian_2d(0.5..last + 0.5, low - room..high + room)?;
        chart
            .configure_mesh()
            .disable_x_mesh()
            .x_labels(last.min(20.0) as usize + 2)
            .y_labels(8)
            .light_line_style(WHITE)
            .bold_line_style(GRID)
            .axis_style(INK)
            .label_style(text(14, HPos::Center, VPos::Top))
            .x_label_formatter(&|number| match (number.fract() == 0.0, *number >= 1.0) {
                (true, true) => format!("{number:.0}"),
                _ => String::new(),
            })
            .y_label_formatter(&|elo| signed(*elo))
            .x_desc("version, the oldest first")
            .y_desc("Elo against the average of all")
            .axis_desc_style(text(15, HPos::Center, VPos::Bottom))
            .draw()?;
        let mut taken: Vec<i32> = Vec::new();
        for ((name, line), colour) in lines.iter().zip(COLOURS.iter().cycle()) {
            let points = line
                .iter()
                .map(|(number, player)| (*number as f64, player.elo));
            chart.draw_series([PathElement::new(
                points.collect::<Vec<_>>(),
                colour.stroke_width(2),
            )])?;
            for (number, player) in line {
                let x = *number as f64;
                let error = player.error.min(1000.0);
                let ends = [(x, player.elo - error), (x, player.elo + error)];
                chart.draw_series([PathElement::new(ends, colour.stroke_width(2))])?;
                let place = chart.backend_coord(&(x, player.elo));
                paper.draw(&Circle::new(place, 5, colour.filled()))?;
            }
            if let Some((number, player)) = line.last() {
                let (x, mut y) = chart.backend_coord(&(*number as f64, player.elo));
                while taken.iter().any(|other| (other - y).abs() < 18) {
                    y += 18;
                }
                taken.push(y);
                let style = text(15, HPos::Left, VPos::Center).color(colour);
                let name = super::canvas::fitted(paper, name, &style, 200);
                paper.draw(&Text::new(name, (x + 14, y), style))?;
            }
        }
        Ok(())
    }
}
