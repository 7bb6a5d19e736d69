//! A tuning run as pictures: its samples with the fitted function, and its estimate against games.

use crate::history::History;
use crate::space::Axis;
use kalahari_arena::pictures::canvas::{
    BLUE, Drawn, GRID, INK, ORANGE, Picture, TITLE, fitted, text, titled,
};
use plotters::coord::Shift;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, VPos};

pub use kalahari_arena::pictures::canvas::{png, svg};

const PLOT: u32 = 520;
const PANEL: u32 = 210;
/// The number of cells along each side of the surface.
const CELLS: usize = 60;
/// The number of bins for the results over one parameter.
const BINS: usize = 20;

/// The samples of a run and the function fitted to them: a curve over one parameter, or a surface over the
/// first two, with all others at their recommended values.
#[derive(Debug)]
pub struct Samples<'a>(pub &'a History);

/// The recommendation against the number of games, with a panel for every parameter.
#[derive(Debug)]
pub struct Track<'a>(pub &'a History);

impl Picture for Samples<'_> {
    fn height(&self) -> u32 {
        TITLE + PLOT
    }

    fn draw<DB: DrawingBackend>(&self, paper: &DrawingArea<DB, Shift>) -> Drawn
    where
        DB::ErrorType: 'static,
    {
        let History { title, points, .. } = self.0;
        let plot = titled(paper, &format!("{} samples of {title}", points.len()))?;
        match self.0.space.0.as_slice() {
            [axis] => self.curve(&plot, axis),
            [first, second, ..] => self.surface(&plot, [first, second]),
            [] => Ok(()),
        }
    }
}

/// The parameter's value at a scaled coordinate, as a label.
fn label(axis: &Axis, x: f64) -> String {
    short(axis.value(x))
}

/// A number with about three significant digits.
fn short(value: f64) -> String {
    let text = match value.abs() {
        size if size >= 100.0 || size == 0.0 => format!("{value:.0}"),
        size if size >= 10.0 => format!("{value:.1}"),
        size if size >= 1.0 => format!("{value:.2}"),
        _ => format!("{value:.3}"),
    };
    match text.contains('.') {
        true => text.trim_end_matches('0').trim_end_matches('.').to_owned(),
        false => text,
    }
}

/// From blue (nothing won) through white (half) to orange (everything won).
fn colour(score: f64) -> RGBColor {
    let strength = (2.0 * (score - 0.5)).clamp(-1.0, 1.0);
    let end = if strength < 0.0 { BLUE } else { ORANGE };
    let mix = |part: u8| (255.0 + (f64::from(part) - 255.0) * strength.abs()).round() as u8;
    RGBColor(mix(end.0), mix(end.1), mix(end.2))
}

impl Samples<'_> {
    /// The scaled point that is recommended.
    fn recommended(&self) -> Vec<f64> {
        let History { space, track, .. } = self.0;
        track.last().map_or_else(
            || vec![0.0; space.0.len()],
            |(_, recommendation)| space.places(&recommendation.values),
        )
    }

    fn curve<DB: DrawingBackend>(&self, plot: &DrawingArea<DB, Shift>, axis: &Axis) -> Drawn
    where
        DB::ErrorType: 'static,
    {
        let mut chart = ChartBuilder::on(plot)
            .margin(16)
            .x_label_area_size(56)
            .y_label_area_size(70)
            .build_cartesian_2d(-1.03..1.03, 0.0..1.0)?;
        chart
            .configure_mesh()
            .light_line_style(WHITE)
            .bold_line_style(GRID)
            .axis_style(INK)
            .label_style(text(14, HPos::Center, VPos::Top))
            .y_label_style(text(14, HPos::Right, VPos::Center))
            .x_label_formatter(&|x| label(axis, *x))
            .y_label_formatter(&|score| format!("{:.0}%", 100.0 * score))
            .x_desc(format!(
                "{} (circles: mean of nearby samples, larger for more samples)",
                axis.name
            ))
            .y_desc("score")
            .axis_desc_style(text(15, HPos::Center, VPos::Bottom))
            .draw()?;
        let mut bins = [(0.0, 0.0, 0.0); BINS];
        for (x, score) in &self.0.points {
            let bin = ((x[0] + 1.0) / 2.0 * BINS as f64) as usize;
            let bin = &mut bins[bin.min(BINS - 1)];
            *bin = (bin.0 + x[0], bin.1 + score, bin.2 + 1.0);
        }
        let most = bins.iter().map(|bin| bin.2).fold(1.0, f64::max);
        chart.draw_series(
            bins.iter()
                .filter(|bin| bin.2 > 0.0)
                .map(|(x, score, count)| {
                    let size = 3.0 + 9.0 * (count / most).sqrt();
                    Circle::new(
                        (x / count, score / count),
                        size as i32,
                        BLUE.mix(0.5).filled(),
                    )
                }),
        )?;
        if let Some(quadratic) = self.0.fit.as_ref().and_then(|fit| fit.quadratic()) {
            let line = (-100..=100).map(|i| {
                let x = f64::from(i) / 100.0;
                (x, quadratic.score(&[x]))
            });
            chart.draw_series([PathElement::new(
                line.collect::<Vec<_>>(),
                ORANGE.stroke_width(3),
            )])?;
        }
        let best = self.recommended()[0];
        chart.draw_series([PathElement::new(
            [(best, 0.0), (best, 1.0)],
            INK.stroke_width(2),
        )])?;
        Ok(())
    }

    fn surface<DB: DrawingBackend>(&self, plot: &DrawingArea<DB, Shift>, axes: [&Axis; 2]) -> Drawn
    where
        DB::ErrorType: 'static,
    {
        let [first, second] = axes;
        let best = self.recommended();
        let mut chart = ChartBuilder::on(plot)
            .margin(16)
            .margin_right(150)
            .x_label_area_size(56)
            .y_label_area_size(80)
            .build_cartesian_2d(-1.0..1.0, -1.0..1.0)?;
        if let Some(quadratic) = self.0.fit.as_ref().and_then(|fit| fit.quadratic()) {
            let step = 2.0 / CELLS as f64;
            let cells = (0..CELLS * CELLS).map(|cell| {
                let (i, j) = (cell % CELLS, cell / CELLS);
                let corner = |i: usize| -1.0 + step * i as f64;
                let mut x = best.clone();
                (x[0], x[1]) = (corner(i) + step / 2.0, corner(j) + step / 2.0);
                let area = [(corner(i), corner(j)), (corner(i + 1), corner(j + 1))];
                Rectangle::new(area, colour(quadratic.score(&x)).filled())
            });
            chart.draw_series(cells)?;
        }
        chart
            .configure_mesh()
            .disable_mesh()
            .axis_style(INK)
            .label_style(text(14, HPos::Center, VPos::Top))
            .y_label_style(text(14, HPos::Right, VPos::Center))
            .x_label_formatter(&|x| label(first, *x))
            .y_label_formatter(&|y| label(second, *y))
            .x_desc(first.name.as_str())
            .y_desc(second.name.as_str())
            .axis_desc_style(text(15, HPos::Center, VPos::Bottom))
            .draw()?;
        for (x, score) in &self.0.points {
            let dot = Circle::new((x[0], x[1]), 3, colour(*score).filled());
            chart.draw_series([dot])?;
            chart.draw_series([Circle::new((x[0], x[1]), 3, INK.mix(0.5))])?;
        }
        chart.draw_series([Cross::new((best[0], best[1]), 9, INK.stroke_width(4))])?;
        let left = (
            chart.plotting_area().get_pixel_range().0.end + 22,
            TITLE as i32 + 16,
        );
        for (row, score) in [1.0, 0.75, 0.5, 0.25, 0.0].into_iter().enumerate() {
            let y = left.1 - TITLE as i32 + 26 * row as i32;
            let box_ = [(left.0, y), (left.0 + 20, y + 20)];
            plot.draw(&Rectangle::new(box_, colour(score).filled()))?;
            plot.draw(&Rectangle::new(box_, INK))?;
            let style = text(14, HPos::Left, VPos::Center);
            let words = format!("{:.0}%", 100.0 * score);
            plot.draw(&Text::new(words, (left.0 + 28, y + 10), style))?;
        }
        let style = text(14, HPos::Left, VPos::Center);
        let y = left.1 - TITLE as i32 + 150;
        plot.draw(&Cross::new((left.0 + 10, y), 7, INK.stroke_width(3)))?;
        plot.draw(&Text::new("estimate".to_owned(), (left.0 + 28, y), style))?;
        Ok(())
    }
}

impl Picture for Track<'_> {
    fn height(&self) -> u32 {
        TITLE + PANEL * self.0.space.0.len().max(1) as u32 + 20
    }

    fn draw<DB: DrawingBackend>(&self, paper: &DrawingArea<DB, Shift>) -> Drawn
    where
        DB::ErrorType: 'static,
    {
        let History { title, track, .. } = self.0;
        let plot = titled(paper, &format!("Estimate of {title}"))?;
        let most = track.last().map_or(1, |(games, _)| *games).max(1);
        let panels = plot.split_evenly((self.0.space.0.len().max(1), 1));
        for (i, (axis, panel)) in self.0.space.0.iter().zip(&panels).enumerate() {
            let mut chart = ChartBuilder::on(panel)
                .margin(10)
                .margin_right(30)
                .x_label_area_size(44)
                .y_label_area_size(80)
                .build_cartesian_2d(0..most, -1.03..1.03)?;
            let style = text(15, HPos::Center, VPos::Bottom);
            chart
                .configure_mesh()
                .light_line_style(WHITE)
                .bold_line_style(GRID)
                .axis_style(INK)
                .x_labels(8)
                .y_labels(5)
                .label_style(text(13, HPos::Center, VPos::Top))
                .y_label_style(text(13, HPos::Right, VPos::Center))
                .y_label_formatter(&|x| label(axis, *x))
                .x_desc("games")
                .y_desc(fitted(panel, &axis.name, &style, PANEL - 60))
                .axis_desc_style(style)
                .draw()?;
            let band = |end: usize| {
                let limits = track.iter().filter_map(move |(games, now)| {
                    let range = now.ranges.get(i)?;
                    Some((*games, axis.place(range[end])))
                });
                limits.collect::<Vec<_>>()
            };
            let mut border = band(0);
            border.extend(band(1).into_iter().rev());
            if !border.is_empty() {
                chart.draw_series([Polygon::new(border, BLUE.mix(0.2))])?;
            }
            let line = track
                .iter()
                .filter_map(|(games, now)| Some((*games, axis.place(*now.values.get(i)?))));
            chart.draw_series([PathElement::new(
                line.collect::<Vec<_>>(),
                BLUE.stroke_width(3),
            )])?;
        }
        Ok(())
    }
}
