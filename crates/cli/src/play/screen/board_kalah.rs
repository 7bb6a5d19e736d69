//! The Kalah board drawn: pits with their seeds, stores at both ends.
//!
//! ```text
//!           5     4                     the upper player's own numbers
//! ╭──13╮╭───12╮╭───11╮        ╭───6╮    house numbers stand in the frames
//! │    ││ ••• ││ ••• │  ...   │    │    seeds as dots, and their number
//! ```

use super::animation::Mark;
use super::choice::sowing;
use super::input::{Hits, Target};
use super::style;
use super::view::Scene;
use crate::play::{PitsFrom, score_text};
use kalahari_games::kalah::{KalahSetup, KalahSpec};
use kalahari_games::{AnyMove, Game, Player};
use kalahari_terms::Score;
use ratatui::Frame;
use ratatui::buffer::Buffer;
use ratatui::layout::{Alignment, Rect};
use ratatui::style::Style;
use ratatui::text::Line;
use ratatui::widgets::{Block, BorderType, Widget};

/// The smallest pit: a frame around two digits and nothing else.
const PIT: (u16, u16) = (4, 3);
/// The largest pit that still looks like one.
const PIT_MAX: (u16, u16) = (10, 6);
/// The narrowest store.
const STORE: u16 = 6;
/// Numbers and values above and below, and the gap between the rows.
const LINES: u16 = 5;

/// The least columns and rows a board needs.
pub(crate) fn least_size(spec: KalahSpec) -> (u16, u16) {
    (2 * STORE + spec.pits() as u16 * PIT.0, 2 * PIT.1 + LINES)
}

/// Where things are.
struct Plan {
    area: Rect,
    pit: (u16, u16),
    store: u16,
    pits: usize,
}

impl Plan {
    /// The largest board that fits.
    fn new(area: Rect, pits: usize) -> Plan {
        let count = pits as u16;
        let pit = (
            ((area.width.saturating_sub(2 * STORE)) / count).clamp(PIT.0, PIT_MAX.0),
            (area.height.saturating_sub(LINES) / 2).clamp(PIT.1, PIT_MAX.1),
        );
        let store = ((area.width.saturating_sub(count * pit.0)) / 2).clamp(STORE, 10);
        let (width, height) = (2 * store + count * pit.0, 2 * pit.1 + LINES);
        let area = Rect {
            x: area.x + area.width.saturating_sub(width) / 2,
            y: area.y + area.height.saturating_sub(height) / 2,
            width: width.min(area.width),
            height: height.min(area.height),
        };
        Plan {
            area,
            pit,
            store,
            pits,
        }
    }

    /// A pit's frame; `lower` is the row at the bottom, whose pits run from left to right.
    fn pit(&self, lower: bool, pit: usize) -> Rect {
        let column = if lower { pit } else { self.pits - 1 - pit } as u16;
        Rect {
            x: self.area.x + self.store + column * self.pit.0,
            y: self.area.y + 2 + if lower { self.pit.1 + 1 } else { 0 },
            width: self.pit.0,
            height: self.pit.1,
        }
    }

    /// A store's frame: the lower player's on the right.
    fn store(&self, lower: bool) -> Rect {
        Rect {
            x: match lower {
                true => self.area.right() - self.store,
                false => self.area.x,
            },
            y: self.area.y + 2,
            width: self.store,
            height: 2 * self.pit.1 + 1,
        }
    }
}

/// Draws the board.
pub(crate) fn draw(
    frame: &mut Frame<'_>,
    area: Rect,
    scene: &Scene<'_>,
    setup: &KalahSetup,
    hits: &mut Hits,
) {
    let plan = Plan::new(area, setup.pits());
    let buffer = frame.buffer_mut();
    for player in Player::BOTH {
        let lower = player == scene.table.bottom;
        for pit in 0..plan.pits {
            draw_pit(buffer, &plan, scene, setup, player, pit);
            let of_mover = player == scene.table.session.mover();
            if of_mover {
                hits.add(plan.pit(lower, pit), Target::Pit(pit));
            }
        }
        draw_store(buffer, &plan, scene, setup, player);
    }
    draw_names(buffer, &plan, scene);
}

/// Whose store is where and whose turn it is, between the rows; and the seeds in the hand.
fn draw_names(buffer: &mut Buffer, plan: &Plan, scene: &Scene<'_>) {
    let first = plan.pit(false, plan.pits - 1);
    let (left, y) = (first.x, first.bottom());
    let width = plan.pits as u16 * plan.pit.0;
    let is_over = scene.table.session.game.is_over(scene.table.shown());
    for player in Player::BOTH {
        let lower = player == scene.table.bottom;
        // Two arrows, blanks, and where there is room, the seeds in the hand.
        let room = usize::from(width / 2).saturating_sub(if plan.pits > 3 { 6 } else { 3 });
        let name: String = scene.table.names.name(player).chars().take(room).collect();
        let text = match lower {
            true => format!(" {name} ▶"),
            false => format!("◀ {name} "),
        };
        let mut look = style::player(player);
        if !is_over && scene.mover == player {
            look = look.patch(style::BOLD).patch(style::CURSOR);
        }
        let x = match lower {
            true => left + width - text.chars().count() as u16,
            false => left,
        };
        buffer.set_string(x, y, &text, look);
    }
    if scene.hand > 0 {
        let text = format!("in hand: {}", scene.hand);
        centred(buffer, left, y, width, &text, style::BOLD);
    }
}

fn draw_pit(
    buffer: &mut Buffer,
    plan: &Plan,
    scene: &Scene<'_>,
    setup: &KalahSetup,
    player: Player,
    pit: usize,
) {
    let lower = player == scene.table.bottom;
    let area = plan.pit(lower, pit);
    let place = player.index() * (plan.pits + 1) + pit;
    let seeds = setup.houses[place];
    let own = scene.choosing && player == setup.player;
    let at = own && scene.table.choice.pit == pit;
    let hinted = player == setup.player && scene.table.adviser.hint == Some(sowing(pit));

    let mut border = style::player(player);
    let mut kind = BorderType::Rounded;
    if own && seeds == 0 {
        border = style::DIM;
    }
    if at {
        (border, kind) = (border.patch(style::BOLD), BorderType::Thick);
    }
    if hinted {
        border = style::GOOD;
    }
    let mut count = style::BOLD;
    match scene.mark(place) {
        Some(Mark::Left) => (border, kind) = (style::BOLD, BorderType::Double),
        Some(Mark::Reached) => count = count.patch(style::CURSOR),
        Some(Mark::Taken) => {
            (border, kind, count) = (style::ALERT, BorderType::Double, style::ALERT)
        }
        Some(Mark::Banked) => border = style::GOOD,
        None => {}
    }
    if seeds == 0 {
        count = count.patch(style::DIM);
    }
    let title = house_number(scene, place);
    draw_house(buffer, area, title, (border, kind), (seeds, count));

    // The own number, and what a move is worth, stand outside: above the upper row, below the lower one.
    let (number, value) = match lower {
        true => (area.bottom(), area.bottom() + 1),
        false => (area.y - 1, area.y - 2),
    };
    let label = match own && seeds > 0 {
        true => style::player(player).patch(style::BOLD),
        false => style::DIM,
    };
    let own_number = scene.table.session.pits_from.number(pit).to_string();
    centred(buffer, area.x, number, area.width, &own_number, label);
    if player == scene.table.shown_mover()
        && let Some((score, best)) = score_of(scene, sowing(pit))
    {
        let text = match score.is_proven() {
            true => format!("{}✓", score_text::short(score)),
            false => score_text::within(score, area.width - 1),
        };
        let look = if best { style::GOOD } else { style::PLAIN };
        centred(buffer, area.x, value, area.width, &text, look);
    }
}

/// The number of a house, where pits are counted as houses are.
fn house_number(scene: &Scene<'_>, place: usize) -> Line<'static> {
    let number = match scene.table.session.pits_from {
        PitsFrom::Zero => place.to_string(),
        PitsFrom::One => String::new(),
    };
    Line::styled(number, style::DIM).alignment(Alignment::Right)
}

/// What a move is worth, and whether none is worth more; if values are shown at all.
fn score_of(scene: &Scene<'_>, mv: AnyMove) -> Option<(Score, bool)> {
    let moves = &scene.table.adviser.values()?.moves;
    let (_, score) = moves.iter().find(|(known, _)| *known == mv)?;
    let best = moves.iter().all(|(_, other)| score.compare(*other).is_ge());
    Some((*score, best))
}

fn draw_store(
    buffer: &mut Buffer,
    plan: &Plan,
    scene: &Scene<'_>,
    setup: &KalahSetup,
    player: Player,
) {
    let lower = player == scene.table.bottom;
    let area = plan.store(lower);
    let place = player.index() * (plan.pits + 1) + plan.pits;
    let seeds = setup.houses[place];
    let (mut border, mut kind, mut count) =
        (style::player(player), BorderType::Rounded, style::BOLD);
    match scene.mark(place) {
        Some(Mark::Banked) => {
            (border, kind, count) = (style::GOOD, BorderType::Double, style::GOOD)
        }
        Some(_) => count = count.patch(style::CURSOR),
        None => {}
    }
    let title = house_number(scene, place);
    draw_house(buffer, area, title, (border, kind), (seeds, count));
}

/// A house: its border, its seeds, and their number.
fn draw_house(
    buffer: &mut Buffer,
    area: Rect,
    title: Line<'static>,
    (border, kind): (Style, BorderType),
    (seeds, count): (u16, Style),
) {
    Block::bordered()
        .border_type(kind)
        .border_style(border)
        .title(title)
        .render(area, buffer);
    let inner = Rect::new(area.x + 1, area.y + 1, area.width - 2, area.height - 2);
    draw_seeds(buffer, inner, seeds);
    let text = seeds.to_string();
    centred(
        buffer,
        inner.x,
        inner.bottom() - 1,
        inner.width,
        &text,
        count,
    );
}

/// Seeds as dots, line by line, each line in the middle; the last line is left to their number.
fn draw_seeds(buffer: &mut Buffer, area: Rect, seeds: u16) {
    let mut left = seeds;
    for y in area.y..area.bottom().saturating_sub(1) {
        let here = left.min(area.width);
        centred(
            buffer,
            area.x,
            y,
            area.width,
            &"•".repeat(here.into()),
            style::PLAIN,
        );
        left -= here;
    }
}

/// Writes a text in the middle of a piece of a line.
fn centred(buffer: &mut Buffer, x: u16, y: u16, width: u16, text: &str, look: Style) {
    let length = text.chars().count() as u16;
    let left = width.saturating_sub(length) / 2;
    buffer.set_stringn(x + left, y, text, width as usize, look);
}
