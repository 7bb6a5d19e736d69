//! What all pictures share: the built-in font, colours, and texts that fit their space.

use kalahari_terms::Program;
use plotters::coord::Shift;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};
use plotters::style::{FontStyle, register_font};
use std::error::Error;
use std::sync::Once;

/// An error from drawing or writing a picture.
pub type Trouble = Box<dyn Error + Send + Sync>;

/// The result of drawing.
pub type Drawn = Result<(), Trouble>;

/// The width of every picture.
pub const WIDTH: u32 = 1000;
/// The height of the title line.
pub const TITLE: u32 = 56;
/// The colour of texts, lines and marks.
pub const INK: RGBColor = RGBColor(38, 38, 38);
/// The colour of the faint grid lines.
pub const GRID: RGBColor = RGBColor(222, 222, 222);
/// The colour of measured values.
pub const BLUE: RGBColor = RGBColor(35, 110, 170);
/// The colour of the opposite: worse than even, or negative.
pub const ORANGE: RGBColor = RGBColor(205, 105, 35);

/// Something that can be drawn with any backend.
pub trait Picture {
    /// The height; the width is [`WIDTH`].
    fn height(&self) -> u32;

    /// Draws it on white paper of its size.
    fn draw<DB: DrawingBackend>(&self, paper: &DrawingArea<DB, Shift>) -> Drawn
    where
        DB::ErrorType: 'static;
}

/// The picture as the text of an SVG file.
pub fn svg(picture: &impl Picture) -> Result<String, Trouble> {
    make_font_known();
    let mut text = String::new();
    {
        let size = (WIDTH, picture.height());
        let paper = SVGBackend::with_string(&mut text, size).into_drawing_area();
        paper.fill(&WHITE)?;
        picture.draw(&paper)?;
        paper.present()?;
    }
    let maker = format!("<metadata>{}</metadata>\n</svg>", Program::maker());
    Ok(text.replacen("</svg>", &maker, 1))
}

/// The picture as the bytes of a PNG file.
pub fn png(picture: &impl Picture) -> Result<Vec<u8>, Trouble> {
    make_font_known();
    let (width, height) = (WIDTH, picture.height());
    let mut pixels = vec![0; 3 * width as usize * height as usize];
    {
        let backend = BitMapBackend::with_buffer(&mut pixels, (width, height));
        let paper = backend.into_drawing_area();
        paper.fill(&WHITE)?;
        picture.draw(&paper)?;
        paper.present()?;
    }
    Ok(super::png::encode(&pixels, width)?)
}

/// Registers the built-in font, with which texts are measured and drawn, so that no font has to be installed.
fn make_font_known() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        // The font is part of the program, so registering it does not fail; without it texts would be missing.
        let _ = register_font("sans-serif", FontStyle::Normal, dejavu::sans::regular());
    });
}

/// A style of text.
pub fn text(size: u32, h: HPos, v: VPos) -> TextStyle<'static> {
    ("sans-serif", size)
        .into_font()
        .color(&INK)
        .pos(Pos::new(h, v))
}

/// Writes a title and returns the area below it.
pub fn titled<DB: DrawingBackend>(
    paper: &DrawingArea<DB, Shift>,
    title: &str,
) -> Result<DrawingArea<DB, Shift>, Trouble>
where
    DB::ErrorType: 'static,
{
    let style = text(21, HPos::Left, VPos::Center);
    let room = WIDTH - 40;
    let title = fitted(paper, title, &style, room);
    paper.draw(&Text::new(title, (20, TITLE as i32 / 2 + 2), style))?;
    Ok(paper.margin(TITLE, 0, 0, 0))
}

/// The width of a text.
pub fn width<DB: DrawingBackend>(
    paper: &DrawingArea<DB, Shift>,
    text: &str,
    style: &TextStyle<'_>,
) -> u32 {
    paper
        .estimate_text_size(text, style)
        .map_or(0, |size| size.0)
}

/// A rating with its sign.
pub fn signed(elo: f64) -> String {
    match elo.abs() < 0.5 {
        true => "0".to_owned(),
        false => format!("{elo:+.0}"),
    }
}

/// The error of a rating. It is infinite if the games do not tell it: if a player has met no other one.
pub fn error_text(error: f64) -> String {
    match error.is_finite() {
        true => format!("{error:.0}"),
        false => "unknown".to_owned(),
    }
}

/// The text, or as much of its beginning and end as fits.
pub fn fitted<DB: DrawingBackend>(
    paper: &DrawingArea<DB, Shift>,
    text: &str,
    style: &TextStyle<'_>,
    room: u32,
) -> String {
    if width(paper, text, style) <= room {
        return text.to_owned();
    }
    let chars: Vec<char> = text.chars().collect();
    for kept in (2..chars.len()).rev() {
        let (head, tail) = (kept - kept / 3, kept / 3);
        let mut short: String = chars[..head].iter().collect();
        short.push('…');
        short.extend(&chars[chars.len() - tail..]);
        if width(paper, &short, style) <= room {
            return short;
        }
    }
    "…".to_owned()
}
