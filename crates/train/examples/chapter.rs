//! Draws the pictures of `docs/training.md` from the figures kept beside them.
//!
//! ```sh
//! cargo run -p kalahari-train --example chapter -- docs/img
//! ```
//!
//! The folder has `training-steps.csv` (results of the nets of all steps against the first net) and `training-errors.csv` (held-out errors by
//! hidden units and seeds in play). Each becomes an SVG file of the same name there. With a second folder as argument, PNG files are written
//! there, too.

use kalahari_arena::pictures::canvas::{
    BLUE, Drawn, GRID, INK, ORANGE, Picture, TITLE, Trouble, png, signed, svg, text, titled,
};
use kalahari_storage::write_whole;
use plotters::coord::Shift;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, VPos};
use std::fs;
use std::path::Path;
use std::str::FromStr;

const PLOT: u32 = 440;

fn main() -> Result<(), Trouble> {
    let mut folders = std::env::args().skip(1);
    let folder = folders.next().unwrap_or_else(|| "docs/img".to_owned());
    let (folder, bitmaps) = (Path::new(&folder), folders.next());
    let bitmaps = bitmaps.as_deref().map(Path::new);
    keep(folder, bitmaps, "training-steps", &Steps::read(folder)?)?;
    keep(folder, bitmaps, "training-errors", &Errors::read(folder)?)
}

/// Writes a picture as SVG, and as PNG if there is a folder for it.
fn keep(folder: &Path, bitmaps: Option<&Path>, name: &str, picture: &impl Picture) -> Drawn {
    let vectors = folder.join(format!("{name}.svg"));
    write_whole(&vectors, svg(picture)?.as_bytes())?;
    if let Some(bitmaps) = bitmaps {
        write_whole(&bitmaps.join(format!("{name}.png")), &png(picture)?)?;
    }
    Ok(())
}

/// Reads the rows of a CSV file with `of`, without the header.
fn read<T>(path: &Path, of: impl Fn(&[&str]) -> Result<T, Trouble>) -> Result<Vec<T>, Trouble> {
    let text = fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))?;
    let cells = |line: &str| of(&line.split(',').collect::<Vec<_>>());
    text.lines().skip(1).map(cells).collect()
}

/// The number in a column of a row.
fn number<T: FromStr>(row: &[&str], column: usize) -> Result<T, Trouble> {
    let cell = row.get(column).and_then(|cell| cell.parse().ok());
    cell.ok_or_else(|| format!("no number in column {} of {row:?}", column + 1).into())
}

/// The net of one step.
struct Step {
    name: String,
    labels: String,
    elo: f64,
    error: f64,
    games: u32,
}

/// The nets of all steps, with their Elo against the first.
struct Steps(Vec<Step>);

impl Steps {
    fn read(folder: &Path) -> Result<Self, Trouble> {
        let steps = read(&folder.join("training-steps.csv"), |row| {
            Ok(Step {
                elo: number(row, 2)?,
                error: number(row, 3)?,
                games: number(row, 4)?,
                name: row[0].to_owned(),
                labels: row[1].to_owned(),
            })
        });
        steps.map(Steps)
    }
}

impl Picture for Steps {
    fn height(&self) -> u32 {
        TITLE + PLOT
    }

    fn draw<DB: DrawingBackend>(&self, paper: &DrawingArea<DB, Shift>) -> Drawn
    where
        DB::ErrorType: 'static,
    {
        let title = "kalah:6x6: the net of each step against the first, 20,000 nodes a move";
        let plot = titled(paper, title)?;
        let ends = || {
            self.0
                .iter()
                .flat_map(|step| [step.elo - step.error, step.elo + step.error])
        };
        let low = ends().fold(0.0, f64::min) - 20.0;
        let high = ends().fold(0.0, f64::max) + 20.0;
        let last = self.0.len() as f64 - 0.5;
        let mut chart = ChartBuilder::on(&plot)
            .margin_left(16)
            .margin_right(30)
            .x_label_area_size(64)
            .y_label_area_size(74)
            .build_cartesian_2d(-0.5..last, low..high)?;
        chart
            .configure_mesh()
            .disable_x_mesh()
            .x_labels(0)
            .light_line_style(WHITE)
            .bold_line_style(GRID)
            .axis_style(INK)
            .y_label_style(text(14, HPos::Right, VPos::Center))
            .y_label_formatter(&|elo| signed(*elo))
            .y_desc("Elo against the first net, with 95% errors")
            .axis_desc_style(text(15, HPos::Center, VPos::Bottom))
            .draw()?;
        let even = [(-0.5, 0.0), (last, 0.0)];
        chart.draw_series([PathElement::new(even, INK.stroke_width(1))])?;
        for (place, step) in self.0.iter().enumerate() {
            let at = |elo: f64| chart.backend_coord(&(place as f64, elo));
            // The net that is shipped with the program was made by other steps.
            let colour = match step.name.as_str() {
                "shipped" => ORANGE,
                _ => BLUE,
            };
            let (x, y) = at(step.elo);
            let (top, bottom) = (at(step.elo + step.error).1, at(step.elo - step.error).1);
            let line = |from, to| PathElement::new([from, to], colour.stroke_width(3));
            if step.games > 0 {
                paper.draw(&line((x, top), (x, bottom)))?;
                for y in [top, bottom] {
                    paper.draw(&line((x - 9, y), (x + 9, y)))?;
                }
                let said = format!("{} ± {:.0}", signed(step.elo), step.error);
                let style = text(16, HPos::Left, VPos::Center);
                paper.draw(&Text::new(said, (x + 18, y - 9), style))?;
                let said = format!("{} games", step.games);
                let style = text(13, HPos::Left, VPos::Center);
                paper.draw(&Text::new(said, (x + 18, y + 11), style))?;
            }
            paper.draw(&Circle::new((x, y), 8, colour.filled()))?;
            let (_, foot) = at(low);
            let style = text(16, HPos::Center, VPos::Top);
            paper.draw(&Text::new(step.name.clone(), (x, foot + 10), style))?;
            let said = format!("labels: {}", step.labels);
            let style = text(13, HPos::Center, VPos::Top);
            paper.draw(&Text::new(said, (x, foot + 34), style))?;
        }
        Ok(())
    }
}

/// A held-out error.
struct Held {
    hidden: u32,
    least: u32,
    most: u32,
    error: f64,
}

/// Held-out errors by hidden units and seeds in play.
struct Errors(Vec<Held>);

impl Errors {
    fn read(folder: &Path) -> Result<Self, Trouble> {
        let errors = read(&folder.join("training-errors.csv"), |row| {
            Ok(Held {
                hidden: number(row, 0)?,
                least: number(row, 1)?,
                most: number(row, 2)?,
                error: number(row, 3)?,
            })
        });
        errors.map(Errors)
    }
}

/// The colours of the lines, from few hidden units to many: the more, the darker.
const SHADES: [RGBColor; 4] = [RGBColor(232, 178, 90), ORANGE, BLUE, RGBColor(18, 44, 84)];

impl Picture for Errors {
    fn height(&self) -> u32 {
        TITLE + PLOT
    }

    fn draw<DB: DrawingBackend>(&self, paper: &DrawingArea<DB, Shift>) -> Drawn
    where
        DB::ErrorType: 'static,
    {
        let title = "kalah:6x6: error on games held out, by seeds in play and hidden units";
        let plot = titled(paper, title)?;
        let mut sizes: Vec<u32> = self.0.iter().map(|held| held.hidden).collect();
        sizes.dedup();
        let mut bins: Vec<(u32, u32)> = self.0.iter().map(|held| (held.least, held.most)).collect();
        bins.sort_unstable();
        bins.dedup();
        let errors = || self.0.iter().map(|held| held.error);
        let low = errors().fold(f64::MAX, f64::min).floor();
        let high = errors().fold(0.0, f64::max) * 1.04;
        let last = bins.len() as f64 - 0.5;
        let mut chart = ChartBuilder::on(&plot)
            .margin_left(16)
            .margin_right(30)
            .x_label_area_size(64)
            .y_label_area_size(74)
            .build_cartesian_2d(-0.5..last, low..high)?;
        chart
            .configure_mesh()
            .disable_x_mesh()
            .x_labels(0)
            .light_line_style(WHITE)
            .bold_line_style(GRID)
            .axis_style(INK)
            .y_label_style(text(14, HPos::Right, VPos::Center))
            .y_label_formatter(&|error| format!("{error:.1}"))
            .y_desc("root mean square error in seeds")
            .axis_desc_style(text(15, HPos::Center, VPos::Bottom))
            .draw()?;
        for (place, (least, most)) in bins.iter().enumerate() {
            let (x, foot) = chart.backend_coord(&(place as f64, low));
            let said = format!("{least} to {most}");
            let style = text(14, HPos::Center, VPos::Top);
            paper.draw(&Text::new(said, (x, foot + 10), style))?;
        }
        let (middle, foot) = chart.backend_coord(&(last / 2.0 - 0.25, low));
        let style = text(15, HPos::Center, VPos::Top);
        paper.draw(&Text::new("seeds in play", (middle, foot + 36), style))?;
        for (&hidden, colour) in sizes.iter().zip(SHADES.iter().cycle()) {
            let of_size = self.0.iter().filter(|held| held.hidden == hidden);
            let points: Vec<(f64, f64)> = of_size
                .filter_map(|held| {
                    let place = bins.binary_search(&(held.least, held.most)).ok()?;
                    Some((place as f64, held.error))
                })
                .collect();
            let line = PathElement::new(points.clone(), colour.stroke_width(3));
            chart
                .draw_series([line])?
                .label(format!("{hidden} hidden units"))
                .legend(move |(x, y)| {
                    PathElement::new([(x, y), (x + 26, y)], colour.stroke_width(4))
                });
            let marks = points.iter().map(|&at| Circle::new(at, 5, colour.filled()));
            chart.draw_series(marks)?;
        }
        chart
            .configure_series_labels()
            .position(SeriesLabelPosition::LowerRight)
            .margin(24)
            .legend_area_size(36)
            .background_style(WHITE)
            .border_style(GRID)
            .label_font(text(15, HPos::Left, VPos::Top))
            .draw()?;
        Ok(())
    }
}
