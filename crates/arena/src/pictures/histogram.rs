//! Histograms.

use super::canvas::{BLUE, Drawn, GRID, INK, ORANGE, Picture, TITLE, text, titled};
use plotters::coord::Shift;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, VPos};
use std::collections::BTreeMap;

/// A histogram of integers. Columns below zero have another colour.
pub(super) struct Histogram<'a> {
    /// The title.
    pub(super) title: String,
    /// The label of the horizontal axis.
    pub(super) axis: &'a str,
    /// The values.
    pub(super) values: &'a [i64],
}

/// The approximate maximum number of columns.
const COLUMNS: i64 = 40;

/// The width of a column: 1, 2, 5, 10, 20, 50, ...
fn column_width(values: &[i64]) -> i64 {
    let (low, high) = (values.iter().min(), values.iter().max());
    let span = high
        .copied()
        .unwrap_or(0)
        .saturating_sub(low.copied().unwrap_or(0));
    let mut width = 1i64;
    for step in [2, 5, 10].into_iter().cycle() {
        if span / width < COLUMNS || width > i64::MAX / 100 {
            break;
        }
        let decade = 10i64.pow(width.ilog10());
        width = decade * step;
    }
    width
}

/// The number of values in every column, by the column's middle.
fn columns(values: &[i64], width: i64) -> BTreeMap<i64, u64> {
    let mut columns = BTreeMap::new();
    for value in values {
        let middle = value
            .saturating_add(width / 2)
            .div_euclid(width)
            .saturating_mul(width);
        *columns.entry(middle).or_default() += 1;
    }
    columns
}

impl Picture for Histogram<'_> {
    fn height(&self) -> u32 {
        TITLE + 340
    }

    fn draw<DB: DrawingBackend>(&self, paper: &DrawingArea<DB, Shift>) -> Drawn
    where
        DB::ErrorType: 'static,
    {
        let plot = titled(paper, &self.title)?;
        let width = column_width(self.values);
        let columns = columns(self.values, width);
        let half = width as f64 / 2.0;
        let ends = (columns.keys().next(), columns.keys().next_back());
        let (low, high) = match ends {
            (Some(low), Some(high)) => (*low as f64 - half, *high as f64 + half),
            _ => (-0.5, 0.5),
        };
        // Without this margin a single column would be as wide as the picture.
        let room = ((10.0 * width as f64 - (high - low)) / 2.0).max(half);
        let most = columns.values().max().copied().unwrap_or(1) as f64;
        let mut chart = ChartBuilder::on(&plot)
            .margin_left(20)
            .margin_right(24)
            .x_label_area_size(58)
            .y_label_area_size(84)
            .build_cartesian_2d(low - room..high + room, 0.0..most * 1.06)?;
        chart
            .configure_mesh()
            .disable_x_mesh()
            .x_labels(12)
            .y_labels(6)
            .light_line_style(WHITE)
            .bold_line_style(GRID)
            .axis_style(INK)
            .label_style(text(14, HPos::Center, VPos::Top))
            .y_label_style(text(14, HPos::Right, VPos::Center))
            .x_label_formatter(&|x| format!("{x:.0}"))
            .y_label_formatter(&|games| match games.fract() == 0.0 {
                true => format!("{games:.0}"),
                false => String::new(),
            })
            .x_desc(match width {
                1 => self.axis.to_owned(),
                _ => format!("{}, {width} per column", self.axis),
            })
            .y_desc("games")
            .axis_desc_style(text(15, HPos::Center, VPos::Bottom))
            .draw()?;
        chart.draw_series(columns.iter().map(|(middle, games)| {
            let x = *middle as f64;
            let colour = if *middle < 0 { ORANGE } else { BLUE };
            Rectangle::new(
                [
                    (x - 0.42 * width as f64, 0.0),
                    (x + 0.42 * width as f64, *games as f64),
                ],
                colour.filled(),
            )
        }))?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_of_round_widths_and_hold_everything() {
        assert_eq!(column_width(&[]), 1);
        assert_eq!(column_width(&[3]), 1);
        assert_eq!(column_width(&[0, 39]), 1);
        assert_eq!(column_width(&[0, 40]), 2);
        assert_eq!(column_width(&[0, 100]), 5);
        assert_eq!(column_width(&[-72, 72]), 5);
        assert_eq!(column_width(&[0, 1000]), 50);
        assert!(column_width(&[i64::MIN, i64::MAX]) > 0);
        let columns = columns(&[-3, -1, 0, 1, 2, 3], 5);
        assert_eq!(
            columns.into_iter().collect::<Vec<_>>(),
            [(-5, 1), (0, 4), (5, 1)]
        );
    }
}
