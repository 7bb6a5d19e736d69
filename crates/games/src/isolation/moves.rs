//! Isolation's moves and the list of them.

use crate::MoveTextError;
use crate::isolation::geometry::Geometry;
use crate::isolation::{Bits, Cell, Ones};
use crate::text::serde_as_text;
use std::fmt;
use std::str::FromStr;

/// A move of Isolation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum IsolationMove {
    /// Step, slide, jump or be placed onto a cell: `c4`.
    To(Cell),
    /// Step onto the first cell, then remove the second: `c4/e2`.
    ToRemoving(Cell, Cell),
    /// Stay, because there is nowhere to go: `pass`.
    Pass,
}

impl fmt::Display for IsolationMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            IsolationMove::To(to) => to.fmt(f),
            IsolationMove::ToRemoving(to, removed) => write!(f, "{to}/{removed}"),
            IsolationMove::Pass => f.write_str("pass"),
        }
    }
}

impl FromStr for IsolationMove {
    type Err = MoveTextError;

    fn from_str(text: &str) -> Result<Self, MoveTextError> {
        if text == "pass" {
            return Ok(IsolationMove::Pass);
        }
        match text.split_once('/') {
            None => Ok(IsolationMove::To(Cell::read(text, text)?)),
            Some((to, removed)) => Ok(IsolationMove::ToRemoving(
                Cell::read(text, to)?,
                Cell::read(text, removed)?,
            )),
        }
    }
}

serde_as_text!(IsolationMove);

/// The legal moves of a position, lowest destination first.
#[derive(Clone, Debug)]
pub struct Moves<'a, B: Bits> {
    geometry: &'a Geometry<B>,
    /// Destinations not yet begun.
    to: Ones<B>,
    /// Cells that may be removed, before the destination is taken out. Empty where nothing is removed.
    removable: B,
    /// The current destination and the removals left for it.
    removing: (usize, Ones<B>),
    /// Whether there is a pass left.
    pass: bool,
}

impl<'a, B: Bits> Moves<'a, B> {
    /// A move to each of the cells, each with a removal of another of the `removable` ones, if there are any.
    #[inline]
    pub(crate) fn new(geometry: &'a Geometry<B>, to: B, removable: B) -> Self {
        Moves {
            geometry,
            to: to.ones(),
            removable,
            removing: (0, B::EMPTY.ones()),
            pass: false,
        }
    }

    /// Only a pass.
    pub(crate) fn pass(geometry: &'a Geometry<B>) -> Self {
        let pass = true;
        Moves {
            pass,
            ..Moves::new(geometry, B::EMPTY, B::EMPTY)
        }
    }

    fn next_removing(&mut self) -> Option<IsolationMove> {
        loop {
            let (to, removals) = &mut self.removing;
            if let Some(removed) = removals.next() {
                let (to, removed) = (self.geometry.cell(*to), self.geometry.cell(removed));
                return Some(IsolationMove::ToRemoving(to, removed));
            }
            let to = self.to.next()?;
            self.removing = (to, (self.removable & !B::one(to)).ones());
        }
    }
}

impl<B: Bits> Iterator for Moves<'_, B> {
    type Item = IsolationMove;

    #[inline]
    fn next(&mut self) -> Option<IsolationMove> {
        if !self.removable.is_empty() {
            return self.next_removing();
        }
        match self.to.next() {
            Some(to) => Some(IsolationMove::To(self.geometry.cell(to))),
            None => std::mem::take(&mut self.pass).then_some(IsolationMove::Pass),
        }
    }
}
