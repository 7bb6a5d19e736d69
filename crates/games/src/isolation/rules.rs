//! The game of Isolation over any set of bits.

use crate::isolation::geometry::Geometry;
use crate::isolation::{
    Bits, Cell, CellState, IsolationMove, IsolationPosition, IsolationRule, IsolationSetup,
    IsolationSpec, Moves, NOWHERE, Symmetries, Wide256,
};
use crate::story::Step;
use crate::text::{Trouble, located};
use crate::{Game, GameSpec, IllegalMove, Outcome, Player, PositionError, View};
use std::sync::Arc;

/// An Isolation rule set over the bit sets `B`.
#[derive(Clone, Debug)]
pub struct Isolation<B: Bits> {
    spec: IsolationSpec,
    geometry: Arc<Geometry<B>>,
    start: IsolationPosition<B>,
    /// What a step adds to the mover's lead: 1 in `trail`, elsewhere 0.
    step_lead: i16,
}

impl<B: Bits> Isolation<B> {
    /// The game of this name, or `None` if its board has more cells than `B` has bits.
    pub fn new(spec: IsolationSpec) -> Option<Self> {
        (spec.cells() <= B::CAPACITY).then(|| Self::fitting(spec))
    }

    /// The game of a name whose board is known to fit.
    fn fitting(spec: IsolationSpec) -> Self {
        let geometry = Geometry::new(spec);
        let last = spec.cells() - 1;
        let at = match spec.rule() {
            IsolationRule::Trail => [0, last as u16],
            IsolationRule::Classic => {
                let middle = spec.cols() / 2;
                [middle as u16, (last + 1 - spec.cols() + middle) as u16]
            }
            IsolationRule::Queen | IsolationRule::Knight => [NOWHERE; 2],
        };
        let mut free = geometry.board();
        for index in at.into_iter().filter(|&index| index != NOWHERE) {
            free = free & !B::one(index.into());
        }
        Isolation {
            spec,
            geometry: Arc::new(geometry),
            step_lead: i16::from(spec.rule() == IsolationRule::Trail),
            start: IsolationPosition {
                free,
                left: B::EMPTY,
                other_left: B::EMPTY,
                at: at[0],
                other_at: at[1],
                lead: 0,
                player: Player::First,
            },
        }
    }

    /// The game's name.
    pub fn isolation_spec(&self) -> IsolationSpec {
        self.spec
    }

    /// The cells `player`'s piece could go to if it were their turn: steps, slides, jumps or
    /// placements. Passes and removals are not counted.
    #[inline(always)]
    pub fn destinations(&self, position: &IsolationPosition<B>, player: Player) -> B {
        let at = position.at_of(player);
        if at == NOWHERE {
            return position.free;
        }
        self.geometry.going(at.into(), position.free)
    }

    /// The free cells that a piece on `from` could go to in one move: steps, slides or jumps.
    #[inline]
    pub fn steps_from(&self, from: usize, free: B) -> B {
        self.geometry.going(from, free)
    }

    /// The free cells that pieces on `from` could go to in one move: the union of their steps, slides or jumps.
    #[inline]
    pub fn spread(&self, from: B, free: B) -> B {
        self.geometry.spreading(from, free)
    }

    /// The turns and reflections of the board.
    #[inline]
    pub fn symmetries(&self) -> &Symmetries {
        self.geometry.symmetries()
    }

    /// A position as it looks after one of the [`symmetries`](Self::symmetries).
    pub fn image(&self, position: &IsolationPosition<B>, symmetry: usize) -> IsolationPosition<B> {
        let symmetries = self.symmetries();
        let set = |cells| symmetries.set(symmetry, cells);
        IsolationPosition {
            free: set(position.free),
            left: set(position.left),
            other_left: set(position.other_left),
            at: symmetries.cell(symmetry, position.at),
            other_at: symmetries.cell(symmetry, position.other_at),
            ..*position
        }
    }

    /// A move as it looks after one of the [`symmetries`](Self::symmetries).
    pub fn image_of_move(&self, mv: IsolationMove, symmetry: usize) -> IsolationMove {
        let cell = |cell: Cell| match self.geometry.index(cell) {
            Some(index) => {
                let image = self.symmetries().cell(symmetry, index as u16);
                self.geometry.cell(image.into())
            }
            None => cell,
        };
        match mv {
            IsolationMove::To(to) => IsolationMove::To(cell(to)),
            IsolationMove::ToRemoving(to, removed) => {
                IsolationMove::ToRemoving(cell(to), cell(removed))
            }
            IsolationMove::Pass => IsolationMove::Pass,
        }
    }

    /// The cells that a move may remove: the free ones and the one that the piece leaves. The caller takes out the cell
    /// that the piece steps onto.
    #[inline]
    fn removable(&self, position: &IsolationPosition<B>) -> B {
        position.free | B::one(position.at.into())
    }

    /// The position of a setup, if it is one of this game's.
    pub fn position(&self, setup: &IsolationSetup) -> Result<IsolationPosition<B>, PositionError> {
        let text = setup.to_string();
        self.build(setup)
            .map_err(|problem| located!(PositionError, &text, Trouble::new(&text, problem)))
    }

    fn build(&self, setup: &IsolationSetup) -> Result<IsolationPosition<B>, String> {
        let (rows, cols) = (self.spec.rows(), self.spec.cols());
        if setup.rows.len() != rows || setup.rows.iter().any(|row| row.len() != cols) {
            let width = setup.rows.first().map_or(0, Vec::len);
            let height = setup.rows.len();
            return Err(format!(
                "a board of {height} rows by {width} columns, but {} has {rows} by {cols}",
                self.spec
            ));
        }
        let mut free = B::EMPTY;
        let mut left = [B::EMPTY; 2];
        let mut at = [NOWHERE; 2];
        for (index, &state) in setup.rows.iter().flatten().enumerate() {
            match state {
                CellState::Free => free = free | B::one(index),
                CellState::Blocked => {}
                CellState::Left(owner) => {
                    left[owner.index()] = left[owner.index()] | B::one(index);
                }
                CellState::Piece(owner) if at[owner.index()] == NOWHERE => {
                    at[owner.index()] = index as u16;
                }
                CellState::Piece(owner) => {
                    return Err(format!("piece {} appears twice", owner.index() + 1));
                }
            }
        }
        self.check_pieces(at.map(|at| at != NOWHERE), setup.player)?;
        let lead = left[0].count() as i16 - left[1].count() as i16;
        let seen_by_first = IsolationPosition {
            free,
            left: left[0],
            other_left: left[1],
            at: at[0],
            other_at: at[1],
            lead: self.step_lead * lead,
            player: Player::First,
        };
        Ok(match setup.player {
            Player::First => seen_by_first,
            Player::Second => seen_by_first.turned(),
        })
    }

    fn check_pieces(&self, placed: [bool; 2], player: Player) -> Result<(), String> {
        let rule = self.spec.rule();
        match (placed, player) {
            ([true, true], _) => Ok(()),
            ([first, _], _) if !rule.places_pieces() => Err(format!(
                "piece {} is missing; {rule} begins with both pieces on the board",
                if first { 2 } else { 1 }
            )),
            ([false, true], _) => Err("piece 2 is on the board without piece 1".to_owned()),
            ([false, false], Player::First) | ([true, false], Player::Second) => Ok(()),
            ([false, false], Player::Second) => {
                Err("piece 1 is placed first, by player 0, but player 1 is to move".to_owned())
            }
            ([true, false], Player::First) => {
                Err("piece 2 is to be placed by player 1, but player 0 is to move".to_owned())
            }
        }
    }

    /// What is on every cell of a position.
    pub fn setup(&self, position: &IsolationPosition<B>) -> IsolationSetup {
        let state = |index: usize| {
            let owner = |test: &dyn Fn(Player) -> bool| Player::BOTH.into_iter().find(|&p| test(p));
            if let Some(owner) = owner(&|p| position.piece(p) == Some(index)) {
                CellState::Piece(owner)
            } else if position.free.has(index) {
                CellState::Free
            } else if let Some(owner) = owner(&|p| position.left_by(p).has(index)) {
                CellState::Left(owner)
            } else {
                CellState::Blocked
            }
        };
        let (rows, cols) = (self.spec.rows(), self.spec.cols());
        IsolationSetup {
            rows: (0..rows)
                .map(|row| (0..cols).map(|col| state(row * cols + col)).collect())
                .collect(),
            player: position.player,
        }
    }

    #[inline]
    fn must_pass(&self, position: &IsolationPosition<B>) -> bool {
        self.spec.rule() == IsolationRule::Trail
            && !self.destinations(position, !position.player).is_empty()
    }
}

impl Isolation<Wide256> {
    /// The game on the largest bit sets, which hold every board there is.
    pub fn largest(spec: IsolationSpec) -> Self {
        Self::fitting(spec)
    }
}

impl<B: Bits> Game for Isolation<B> {
    type Position = IsolationPosition<B>;
    type Move = IsolationMove;
    type Moves<'a> = Moves<'a, B>;

    fn spec(&self) -> GameSpec {
        GameSpec::Isolation(self.spec)
    }

    #[inline]
    fn start(&self) -> IsolationPosition<B> {
        self.start
    }

    #[inline]
    fn to_move(&self, position: &IsolationPosition<B>) -> Player {
        position.player
    }

    #[inline]
    fn moves(&self, position: &IsolationPosition<B>) -> Moves<'_, B> {
        let to = self.destinations(position, position.player);
        if to.is_empty() && self.must_pass(position) {
            Moves::pass(&self.geometry)
        } else if self.spec.rule() == IsolationRule::Classic {
            Moves::new(&self.geometry, to, self.removable(position))
        } else {
            Moves::new(&self.geometry, to, B::EMPTY)
        }
    }

    #[inline]
    fn count_moves(&self, position: &IsolationPosition<B>) -> u64 {
        let steps = u64::from(self.destinations(position, position.player).count());
        match self.spec.rule() {
            // A step frees the cell left and takes the cell entered: the number of free cells stays the same.
            IsolationRule::Classic => steps * u64::from(position.free.count()),
            _ if steps == 0 => u64::from(self.must_pass(position)),
            _ => steps,
        }
    }

    #[inline]
    fn is_over(&self, position: &IsolationPosition<B>) -> bool {
        self.destinations(position, position.player).is_empty() && !self.must_pass(position)
    }

    fn outcome(&self, position: &IsolationPosition<B>) -> Option<Outcome> {
        self.is_over(position).then(|| match self.spec.rule() {
            IsolationRule::Trail => Outcome::from_margin(position.player, position.lead.into()),
            _ => Outcome::from_margin(position.player, -1),
        })
    }

    fn is_legal(&self, position: &IsolationPosition<B>, mv: IsolationMove) -> bool {
        let classic = self.spec.rule() == IsolationRule::Classic;
        let to = self.destinations(position, position.player);
        match mv {
            IsolationMove::To(cell) => {
                !classic && self.geometry.index(cell).is_some_and(|index| to.has(index))
            }
            IsolationMove::ToRemoving(cell, removed) => {
                classic
                    && cell != removed
                    && self.geometry.index(cell).is_some_and(|index| to.has(index))
                    && self
                        .geometry
                        .index(removed)
                        .is_some_and(|index| self.removable(position).has(index))
            }
            IsolationMove::Pass => to.is_empty() && self.must_pass(position),
        }
    }

    #[inline]
    fn play_unchecked(
        &self,
        position: &IsolationPosition<B>,
        mv: IsolationMove,
    ) -> IsolationPosition<B> {
        let (cell, removed) = match mv {
            IsolationMove::Pass => return position.turned(),
            IsolationMove::To(cell) => (cell, None),
            IsolationMove::ToRemoving(cell, removed) => (cell, Some(removed)),
        };
        let index = |cell| {
            self.geometry
                .index(cell)
                .expect("a legal move stays on the board")
        };
        let to = index(cell);
        let mut free = position.free & !B::one(to);
        let mut left = position.left;
        let mut lead = position.lead;
        if let Some(removed) = removed {
            free = (free | B::one(position.at.into())) & !B::one(index(removed));
        } else if position.at != NOWHERE {
            left = left | B::one(position.at.into());
            lead += self.step_lead;
        }
        IsolationPosition {
            free,
            left: position.other_left,
            other_left: left,
            at: position.other_at,
            other_at: to as u16,
            lead: -lead,
            player: !position.player,
        }
    }

    fn story(&self, position: &IsolationPosition<B>, mv: IsolationMove) -> Vec<Step> {
        super::story::story(self, position, mv)
    }

    fn why_illegal(&self, position: &IsolationPosition<B>, mv: IsolationMove) -> IllegalMove {
        let text = mv.to_string();
        if self.is_over(position) {
            return IllegalMove::GameOver { mv: text };
        }
        let classic = self.spec.rule() == IsolationRule::Classic;
        let to = self.destinations(position, position.player);
        let reaches = |cell| self.geometry.index(cell).is_some_and(|index| to.has(index));
        let on_board = |cell| self.geometry.index(cell).is_some();
        let why = match mv {
            IsolationMove::Pass => "a pass is only for a player with nowhere to go".to_owned(),
            _ if to.is_empty() => "nowhere to go: the only move is 'pass'".to_owned(),
            IsolationMove::To(cell) | IsolationMove::ToRemoving(cell, _) if !on_board(cell) => {
                format!("{cell} is not on the board")
            }
            IsolationMove::To(cell) if classic => {
                format!("the removed cell is missing, as in {cell}/e2")
            }
            IsolationMove::ToRemoving(..) if !classic => {
                format!("no cell is removed in {}", self.spec.rule())
            }
            IsolationMove::To(cell) | IsolationMove::ToRemoving(cell, _) if !reaches(cell) => {
                format!("the piece cannot go to {cell}")
            }
            IsolationMove::To(cell) => format!("{cell} is not free"),
            IsolationMove::ToRemoving(_, removed) => {
                format!("{removed} cannot be removed: it is not a free cell after the step")
            }
        };
        IllegalMove::Forbidden {
            mv: text,
            player: position.player,
            why,
        }
    }

    fn parse_position(&self, text: &str) -> Result<IsolationPosition<B>, PositionError> {
        let setup: IsolationSetup = text.parse()?;
        self.build(&setup).map_err(|problem| {
            let trimmed = text.trim_start();
            located!(PositionError, text, Trouble::new(trimmed, problem))
        })
    }

    fn view(&self, position: &IsolationPosition<B>) -> View {
        View::Isolation(self.setup(position))
    }

    fn has_margins(&self) -> bool {
        self.spec.rule() == IsolationRule::Trail
    }

    #[inline]
    fn reachable(&self, position: &IsolationPosition<B>) -> (i32, i32) {
        if self.has_margins() {
            let free = position.free().count() as i32;
            (position.lead() - free, position.lead() + free)
        } else {
            (-1, 1)
        }
    }
}
