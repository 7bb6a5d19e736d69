//! The game of Kalah over any board.

use crate::kalah::board::{Shelf, empty_shelf};
use crate::kalah::{Board, KalahSetup, KalahSpec, Packed, Pit, Ranking, Side, Wide};
use crate::story::Step;
use crate::text::{Trouble, located};
use crate::{Game, GameSpec, IllegalMove, Outcome, Player, PositionError, SpecError, View};
use std::sync::Arc;

/// The numberings made so far.
static RANKINGS: Shelf<Ranking> = empty_shelf();

/// A Kalah rule set over the board layout `B`.
#[derive(Clone, Debug)]
pub struct Kalah<B: Board> {
    spec: KalahSpec,
    any_total: bool,
    tables: Arc<B::Tables>,
    ranking: Arc<Ranking>,
    start: B,
}

/// What a move does besides sowing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Effect {
    /// The last seed falls into the mover's store: the same player moves again (unless the game is over).
    pub extra_turn: bool,
    /// Seeds taken by a capture, the capturing ones included; 0 for no capture.
    pub captured: u32,
}

impl<B: Board> Kalah<B> {
    /// The game of this name, or an error if it does not fit the board layout.
    pub fn new(spec: KalahSpec) -> Result<Self, SpecError> {
        if spec.pits() > B::MAX_PITS || spec.total() > B::MAX_TOTAL {
            let text = spec.to_string();
            let problem = format!(
                "this board holds at most {} pits a side and {} seeds",
                B::MAX_PITS,
                B::MAX_TOTAL
            );
            return Err(located!(SpecError, &text, Trouble::new(&text, problem)));
        }
        Ok(Self::fitting(spec))
    }

    /// The game of a name that is known to fit the board layout.
    fn fitting(spec: KalahSpec) -> Self {
        let mut houses = vec![spec.seeds() as u16; 2 * spec.pits() + 2];
        houses[spec.pits()] = 0;
        houses[2 * spec.pits() + 1] = 0;
        let player = Player::First;
        let pits = spec.pits();
        let tables = B::shelf()[pits].get_or_init(|| Arc::new(B::tables(pits)));
        let ranking = RANKINGS[pits].get_or_init(|| Arc::new(Ranking::new(pits)));
        Kalah {
            spec,
            any_total: false,
            tables: Arc::clone(tables),
            ranking: Arc::clone(ranking),
            start: B::from_setup(&KalahSetup { houses, player }),
        }
    }

    /// The same game, accepting positions with any number of seeds that the board can hold.
    pub fn with_any_total(self) -> Self {
        Kalah {
            any_total: true,
            ..self
        }
    }

    /// The game's name.
    #[inline]
    pub fn kalah_spec(&self) -> KalahSpec {
        self.spec
    }

    /// Pits a side.
    #[inline]
    pub fn pits(&self) -> usize {
        self.spec.pits()
    }

    /// What playing a legal move would do besides sowing.
    #[inline]
    pub fn effect(&self, position: &B, pit: Pit) -> Effect {
        position.effect(&self.tables, self.spec.rule(), pit)
    }

    /// The legal moves that end in the mover's store, lowest pit first.
    #[inline]
    pub fn extra_turn_pits(&self, position: &B) -> B::Pits {
        if self.spec.majority() && self.has_majority(position) {
            return B::Pits::default();
        }
        position.extra_turn_pits(&self.tables)
    }

    /// The store difference as the player to move sees it.
    #[inline]
    pub fn store_margin(&self, position: &B) -> i32 {
        position.store(Side::Mover) as i32 - position.store(Side::Opponent) as i32
    }

    /// The number of a position among all with the same number of pits and no more seeds in play;
    /// stores and the player's name are left out. See [`Ranking`].
    #[inline]
    pub fn rank(&self, position: &B) -> u128 {
        position.rank(&self.ranking)
    }

    /// The numbering behind [`rank`](Kalah::rank).
    pub fn ranking(&self) -> &Ranking {
        &self.ranking
    }

    /// The position of a setup, if it is one of this game's.
    pub fn position(&self, setup: &KalahSetup) -> Result<B, PositionError> {
        let text = setup.to_string();
        self.check(setup)
            .map_err(|problem| located!(PositionError, &text, Trouble::new(&text, problem)))?;
        Ok(B::from_setup(setup))
    }

    /// What is wrong with a setup, if anything.
    fn check(&self, setup: &KalahSetup) -> Result<(), String> {
        let (pits, total) = (setup.pits(), setup.total());
        if setup.houses.len() % 2 == 1 || pits != self.pits() {
            return Err(format!(
                "a position of {} has {} numbers for {} pits a side, not {}",
                self.spec,
                2 * self.pits() + 3,
                self.pits(),
                setup.houses.len() + 1
            ));
        }
        if !self.any_total && total != self.spec.total() {
            return Err(format!(
                "{total} seeds in all, but {} has {} (any total is allowed with --any-total)",
                self.spec,
                self.spec.total()
            ));
        }
        if total > B::MAX_TOTAL {
            return Err(format!(
                "{total} seeds in all, more than the {} allowed",
                B::MAX_TOTAL
            ));
        }
        Ok(())
    }

    /// The houses of a position in board order.
    pub fn setup(&self, position: &B) -> KalahSetup {
        let player = position.player();
        let side_of = |owner| match owner == player {
            true => Side::Mover,
            false => Side::Opponent,
        };
        let houses = Player::BOTH
            .into_iter()
            .flat_map(|owner| {
                let side = side_of(owner);
                (0..self.pits())
                    .map(move |pit| position.pit(side, pit))
                    .chain([position.store(side)])
            })
            .map(|seeds| seeds as u16)
            .collect();
        KalahSetup { houses, player }
    }

    #[inline]
    fn has_majority(&self, position: &B) -> bool {
        let most = position
            .store(Side::Mover)
            .max(position.store(Side::Opponent));
        2 * most > position.total()
    }
}

impl Kalah<Wide> {
    /// The game on the wide board, which holds every game there is.
    pub fn wide(spec: KalahSpec) -> Self {
        Self::fitting(spec)
    }
}

impl Default for Kalah<Packed> {
    /// `kalah:6x6:standard`.
    fn default() -> Self {
        Self::fitting(KalahSpec::default())
    }
}

impl<B: Board> Game for Kalah<B> {
    type Position = B;
    type Move = Pit;
    type Moves<'a> = B::Pits;

    fn spec(&self) -> GameSpec {
        GameSpec::Kalah(self.spec)
    }

    #[inline]
    fn start(&self) -> B {
        self.start
    }

    #[inline]
    fn to_move(&self, position: &B) -> Player {
        position.player()
    }

    #[inline]
    fn moves(&self, position: &B) -> B::Pits {
        if self.spec.majority() && self.has_majority(position) {
            return B::Pits::default();
        }
        position.filled_pits()
    }

    #[inline]
    fn count_moves(&self, position: &B) -> u64 {
        if self.spec.majority() && self.has_majority(position) {
            return 0;
        }
        u64::from(position.count_filled_pits())
    }

    #[inline]
    fn is_over(&self, position: &B) -> bool {
        position.is_finished() || (self.spec.majority() && self.has_majority(position))
    }

    #[inline]
    fn outcome(&self, position: &B) -> Option<Outcome> {
        self.is_over(position)
            .then(|| Outcome::from_margin(position.player(), self.store_margin(position)))
    }

    #[inline]
    fn is_legal(&self, position: &B, pit: Pit) -> bool {
        pit.index() < self.pits()
            && position.pit(Side::Mover, pit.index()) > 0
            && !self.is_over(position)
    }

    #[inline]
    fn play_unchecked(&self, position: &B, pit: Pit) -> B {
        position.sow(&self.tables, self.spec.rule(), pit)
    }

    #[inline]
    fn play_branchless(&self, position: &B, pit: Pit) -> B {
        position.sow_branchless(&self.tables, self.spec.rule(), pit)
    }

    fn story(&self, position: &B, pit: Pit) -> Vec<Step> {
        super::story::story(self, position, pit)
    }

    fn why_illegal(&self, position: &B, pit: Pit) -> IllegalMove {
        let mv = pit.to_string();
        if self.is_over(position) {
            return IllegalMove::GameOver { mv };
        }
        let why = if pit.index() >= self.pits() {
            format!("pits are numbered 0 to {}", self.pits() - 1)
        } else {
            "that pit is empty".to_owned()
        };
        let player = position.player();
        IllegalMove::Forbidden { mv, player, why }
    }

    fn parse_position(&self, text: &str) -> Result<B, PositionError> {
        let setup: KalahSetup = text.parse()?;
        self.check(&setup).map_err(|problem| {
            let trimmed = text.trim_start();
            located!(PositionError, text, Trouble::new(trimmed, problem))
        })?;
        Ok(B::from_setup(&setup))
    }

    fn view(&self, position: &B) -> View {
        View::Kalah(self.setup(position))
    }

    fn has_margins(&self) -> bool {
        true
    }

    #[inline]
    fn reachable(&self, position: &B) -> (i32, i32) {
        let margin = self.store_margin(position);
        let seeds = position.seeds_in_play() as i32;
        (margin - seeds, margin + seeds)
    }
}
