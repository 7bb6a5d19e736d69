//! The score of every player against every other, as colours.

use super::canvas::{
    BLUE, Drawn, GRID, INK, ORANGE, Picture, TITLE, WIDTH, fitted, text, titled, width,
};
use super::data::GameData;
use plotters::coord::Shift;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, VPos};

/// The meetings of a game's players: rows against columns.
pub(super) struct Heat<'a>(pub(super) &'a GameData);

const ROW: u32 = 32;
const HEAD: u32 = 30;
const FOOT: u32 = 34;
/// The most space for names on the left.
const NAMES: u32 = 380;
/// The widest column.
const COLUMN: u32 = 80;

impl Picture for Heat<'_> {
    fn height(&self) -> u32 {
        TITLE + HEAD + ROW * self.0.players.len().max(1) as u32 + FOOT
    }

    fn draw<DB: DrawingBackend>(&self, paper: &DrawingArea<DB, Shift>) -> Drawn
    where
        DB::ErrorType: 'static,
    {
        let GameData { game, players, .. } = self.0;
        titled(paper, &format!("Scores against each opponent in {game}"))?;
        let names = text(15, HPos::Right, VPos::Center);
        let numbered = |(place, player): (usize, &super::data::PlayerData)| {
            format!("{}  {}", player.name, place + 1)
        };
        let labels: Vec<String> = players.iter().enumerate().map(numbered).collect();
        let widest = labels.iter().map(|label| width(paper, label, &names)).max();
        let left = widest.unwrap_or(0).min(NAMES) + 32;
        let column = ((WIDTH - left - 20) / players.len().max(1) as u32).min(COLUMN);
        let top = TITLE + HEAD;
        for (row, label) in labels.iter().enumerate() {
            let y = (top + ROW * row as u32) as i32;
            let middle = y + ROW as i32 / 2;
            let label = fitted(paper, label, &names, left - 32);
            paper.draw(&Text::new(label, (left as i32 - 12, middle), names.clone()))?;
            for other in 0..players.len() {
                let x = (left + column * other as u32) as i32;
                let corners = [(x, y), (x + column as i32, y + ROW as i32)];
                let score = self.0.score(row, other);
                let fill = score.map_or(WHITE, colour);
                paper.draw(&Rectangle::new(corners, fill.filled()))?;
                paper.draw(&Rectangle::new(corners, GRID.stroke_width(1)))?;
                let percent = score.map(|score| format!("{:.0}", 100.0 * score));
                let ink = match score {
                    Some(score) if (score - 0.5).abs() > 0.33 => WHITE,
                    _ => INK,
                };
                // Narrow columns have space for colours only.
                if let Some(percent) = percent.filter(|_| column >= 26) {
                    let style = text(14, HPos::Center, VPos::Center).color(&ink);
                    let place = (x + column as i32 / 2, middle);
                    paper.draw(&Text::new(percent, place, style))?;
                }
            }
        }
        for place in 0..players.len() {
            let x = (left + column * place as u32 + column / 2) as i32;
            let style = text(14, HPos::Center, VPos::Center);
            let number = (place + 1).to_string();
            paper.draw(&Text::new(number, (x, (top - 12) as i32), style))?;
        }
        let foot =
            "Percent of the points that the player of a row scored against the player of a column";
        let style = text(14, HPos::Left, VPos::Center);
        let y = self.height() as i32 - FOOT as i32 / 2;
        paper.draw(&Text::new(foot, (20, y), style))?;
        Ok(())
    }
}

/// White is even, blue is better, orange is worse.
fn colour(score: f64) -> RGBColor {
    let far = (2.0 * (score - 0.5)).clamp(-1.0, 1.0);
    let RGBColor(red, green, blue) = if far >= 0.0 { BLUE } else { ORANGE };
    let mixed = |part: u8| (255.0 + (f64::from(part) - 255.0) * far.abs()).round() as u8;
    RGBColor(mixed(red), mixed(green), mixed(blue))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn even_is_white_and_the_ends_are_pure() {
        assert_eq!(colour(0.5), RGBColor(255, 255, 255));
        assert_eq!(colour(1.0), BLUE);
        assert_eq!(colour(0.0), ORANGE);
    }
}
