//! A chart of a training: its errors, round by round.

use crate::Round;
use kalahari_arena::pictures::canvas::{
    BLUE, Drawn, GRID, INK, ORANGE, Picture, TITLE, text, titled,
};
use plotters::coord::Shift;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, VPos};

pub use kalahari_arena::pictures::canvas::{png, svg};

const PLOT: u32 = 460;

/// A chart of the errors of all rounds: orange for positions seen in training, blue for those held out.
#[derive(Debug)]
pub struct Curve<'a> {
    /// The title of the chart.
    pub title: String,
    /// The rounds.
    pub rounds: &'a [Round],
}

impl Picture for Curve<'_> {
    fn height(&self) -> u32 {
        TITLE + PLOT
    }

    fn draw<DB: DrawingBackend>(&self, paper: &DrawingArea<DB, Shift>) -> Drawn
    where
        DB::ErrorType: 'static,
    {
        let plot = titled(paper, &self.title)?;
        let errors = self.rounds.iter();
        let errors = errors.flat_map(|round| [round.seen.root_square, round.held_out.root_square]);
        let (least, most) = errors.fold((f32::MAX, 0.0_f32), |(least, most), error| {
            (least.min(error), most.max(error))
        });
        let last = self.rounds.len().max(2) as u32;
        let mut chart = ChartBuilder::on(&plot)
            .margin(16)
            .margin_right(40)
            .x_label_area_size(52)
            .y_label_area_size(70)
            .build_cartesian_2d(1..last, least.min(most) * 0.95..most * 1.02 + 0.01)?;
        chart
            .configure_mesh()
            .light_line_style(WHITE)
            .bold_line_style(GRID)
            .axis_style(INK)
            .label_style(text(14, HPos::Center, VPos::Top))
            .y_label_style(text(14, HPos::Right, VPos::Center))
            .y_label_formatter(&|error| format!("{error:.2}"))
            .x_desc("rounds (orange: positions seen, blue: games held out)")
            .y_desc("root mean square error in seeds")
            .axis_desc_style(text(15, HPos::Center, VPos::Bottom))
            .draw()?;
        for (colour, error) in [
            (
                ORANGE,
                (|round| round.seen.root_square) as fn(&Round) -> f32,
            ),
            (BLUE, |round| round.held_out.root_square),
        ] {
            let line = self.rounds.iter().map(|round| (round.number, error(round)));
            let line = PathElement::new(line.collect::<Vec<_>>(), colour.stroke_width(3));
            chart.draw_series([line])?;
        }
        Ok(())
    }
}
