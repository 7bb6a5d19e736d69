//! Keys and clicks, as the things they ask for.

use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyEventKind, KeyModifiers};
use ratatui::layout::{Position, Rect};

/// What a key or a click asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Command {
    Left,
    Right,
    Up,
    Down,
    Confirm,
    Cancel,
    /// Sow the own pit of this key: 0 to 9, then x and e.
    Pit(usize),
    Hint,
    Analysis,
    Flip,
    TakeBack,
    MoveNow,
    Pause,
    Faster,
    Slower,
    Animation,
    Earlier,
    Later,
    Earliest,
    Latest,
    Save,
    Load,
    Resign,
    New,
    Help,
    Quit,
    /// Leave at once.
    Leave,
}

/// What a key asks for at the board; letters in either case.
pub(crate) fn command(key: KeyEvent) -> Option<Command> {
    if key.kind == KeyEventKind::Release {
        return None;
    }
    if key.modifiers.contains(KeyModifiers::CONTROL) {
        return matches!(key.code, KeyCode::Char('c' | 'd')).then_some(Command::Leave);
    }
    Some(match key.code {
        KeyCode::Left => Command::Left,
        KeyCode::Right => Command::Right,
        KeyCode::Up => Command::Up,
        KeyCode::Down => Command::Down,
        KeyCode::Enter => Command::Confirm,
        KeyCode::Esc => Command::Cancel,
        KeyCode::Backspace => Command::TakeBack,
        KeyCode::PageUp => Command::Earlier,
        KeyCode::PageDown => Command::Later,
        KeyCode::Home => Command::Earliest,
        KeyCode::End => Command::Latest,
        KeyCode::Char(letter) => return of_letter(letter.to_ascii_lowercase()),
        _ => return None,
    })
}

fn of_letter(letter: char) -> Option<Command> {
    Some(match letter {
        '0'..='9' => Command::Pit(letter as usize - '0' as usize),
        'x' => Command::Pit(10),
        'e' => Command::Pit(11),
        ' ' => Command::Confirm,
        'h' => Command::Hint,
        'a' => Command::Analysis,
        'f' => Command::Flip,
        'u' => Command::TakeBack,
        'm' => Command::MoveNow,
        'p' => Command::Pause,
        '+' | '=' => Command::Faster,
        '-' => Command::Slower,
        'z' => Command::Animation,
        '[' | '<' => Command::Earlier,
        ']' | '>' => Command::Later,
        's' => Command::Save,
        'l' => Command::Load,
        'r' => Command::Resign,
        'n' => Command::New,
        '?' => Command::Help,
        'q' => Command::Quit,
        _ => return None,
    })
}

/// Something on the screen that can be clicked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Target {
    /// An own pit of the player to move.
    Pit(usize),
    /// A cell: row, column.
    Cell(usize, usize),
    /// The position after this many moves.
    Ply(usize),
    /// A line of the start screen; clicking changes it by this much.
    Field(usize, isize),
    /// A key.
    Key(Command),
}

/// Where everything that can be clicked was last drawn.
#[derive(Clone, Debug, Default)]
pub(crate) struct Hits(Vec<(Rect, Target)>);

impl Hits {
    pub(crate) fn add(&mut self, area: Rect, target: Target) {
        self.0.push((area, target));
    }

    /// What lies under the pointer; later things lie on top.
    pub(crate) fn at(&self, column: u16, row: u16) -> Option<Target> {
        let pointer = Position::new(column, row);
        let hit = self.0.iter().rev().find(|(area, _)| area.contains(pointer));
        hit.map(|(_, target)| *target)
    }

    pub(crate) fn clear(&mut self) {
        self.0.clear();
    }
}
