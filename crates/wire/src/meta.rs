//! What can be asked for: games, opponents, caps.

use crate::figures::{self, AxisMark};
use crate::line::MOST_MOVES;
use crate::opponents::{self, Opponent, OwnAgents};
use crate::work::Most;
use kalahari_games::GameKind as Kind;
use kalahari_games::isolation::{IsolationRule, MAX_SIDE};
use kalahari_games::kalah::{CaptureRule, MAX_PITS, MAX_SEEDS};
use kalahari_terms::Program;
use serde::Serialize;
use utoipa::ToSchema;

/// What can be asked for.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Meta {
    /// The version of the program, with its commit if that is known.
    pub version: String,
    /// The version of this interface.
    pub api: u32,
    /// What can be played.
    pub games: Vec<GameKind>,
    /// Who can be played against, the weakest first.
    pub opponents: Vec<Opponent>,
    /// What a client may ask for.
    pub caps: Caps,
    /// Where estimated leads are drawn on a bar.
    pub axis: Vec<AxisMark>,
    /// Whether there is a store of matches to look at.
    pub arena: bool,
    /// Whether there are games to watch as they are played.
    pub live: bool,
    /// Whether two people can play here from two devices.
    pub rooms: bool,
    /// Whether the reader runs this server; others are invited.
    pub owner: bool,
}

/// What a back end has besides games and opponents.
#[derive(Clone, Copy, Debug, Default)]
pub struct Extras {
    /// A store of matches.
    pub arena: bool,
    /// Games to watch as they are played.
    pub live: bool,
    /// Rooms for two people.
    pub rooms: bool,
}

impl Meta {
    /// What a back end with these caps and own agents can do.
    pub fn new(caps: Caps, own: &OwnAgents, extras: Extras, owner: bool) -> Self {
        let Extras { arena, live, rooms } = extras;
        let opponents = opponents::all().into_iter().chain(own.opponents());
        Meta {
            version: Program::this().to_string(),
            api: 2,
            games: games(),
            opponents: opponents.collect(),
            caps,
            axis: figures::axis(),
            arena,
            live,
            rooms,
            owner,
        }
    }

    /// What a page without a server can do. No other client shares its machine, so the limits of a server do not apply there.
    pub fn alone() -> Self {
        let caps = Caps {
            moves: MOST_MOVES,
            body_bytes: u32::MAX as usize,
            frame_bytes: u32::MAX as usize,
            connections_per_address: 1,
            requests_per_second: u32::MAX,
            analysis_ms: Most::ALONE.analysis.as_millis() as u64,
            review_ms_per_move: Most::ALONE.review_per_move.as_millis() as u64,
        };
        Meta::new(caps, &OwnAgents::default(), Extras::default(), true)
    }
}

/// One of the two games.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct GameKind {
    /// `kalah` or `isolation`.
    pub kind: BoardKind,
    /// The game to begin with.
    pub default: String,
    /// Games worth offering by name.
    pub presets: Vec<String>,
    /// Its rules.
    pub rules: Vec<Rule>,
    /// Whether `+majority` can be added to a rule.
    pub majority: bool,
    /// Its sizes.
    pub limits: SizeLimits,
}

/// A rule of a game.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Rule {
    /// As in a game's name.
    pub name: &'static str,
    /// Rows of the usual board.
    pub rows: Option<usize>,
    /// Columns of the usual board.
    pub cols: Option<usize>,
}

/// The smallest and largest sizes.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct SizeLimits {
    /// Kalah: pits per side.
    #[schema(min_items = 2, max_items = 2)]
    pub pits: Option<[usize; 2]>,
    /// Kalah: seeds per pit.
    #[schema(min_items = 2, max_items = 2)]
    pub seeds: Option<[usize; 2]>,
    /// Isolation.
    #[schema(min_items = 2, max_items = 2)]
    pub rows: Option<[usize; 2]>,
    /// Isolation.
    #[schema(min_items = 2, max_items = 2)]
    pub cols: Option<[usize; 2]>,
}

/// What a client may ask for.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Caps {
    /// Moves of a line.
    pub moves: usize,
    /// Bytes of a request.
    pub body_bytes: usize,
    /// Bytes of a frame.
    pub frame_bytes: usize,
    /// Connections of one address.
    pub connections_per_address: usize,
    /// Requests of one address.
    pub requests_per_second: u32,
    /// The longest analysis of one position.
    pub analysis_ms: u64,
    /// The longest that a review thinks about one move.
    pub review_ms_per_move: u64,
}

/// Which of the two boards.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum BoardKind {
    /// Pits and seeds.
    Kalah,
    /// Cells and two pieces.
    Isolation,
}

impl From<Kind> for BoardKind {
    fn from(kind: Kind) -> Self {
        match kind {
            Kind::Kalah => BoardKind::Kalah,
            Kind::Isolation => BoardKind::Isolation,
        }
    }
}

/// Both games.
fn games() -> Vec<GameKind> {
    vec![kalah(), isolation()]
}

fn kalah() -> GameKind {
    let presets = [
        "kalah:6x4:standard",
        "kalah:6x6:standard",
        "kalah:6x3:standard",
        "kalah:4x4:standard",
        "kalah:6x4:empty-capture",
    ];
    let rule = |rule: CaptureRule| Rule {
        name: rule.name(),
        rows: None,
        cols: None,
    };
    GameKind {
        kind: BoardKind::Kalah,
        default: presets[0].to_owned(),
        presets: presets.map(str::to_owned).to_vec(),
        rules: CaptureRule::ALL.map(rule).to_vec(),
        majority: true,
        limits: SizeLimits {
            pits: Some([1, MAX_PITS]),
            seeds: Some([1, MAX_SEEDS as usize]),
            rows: None,
            cols: None,
        },
    }
}

fn isolation() -> GameKind {
    let presets = [
        "isolation:7x7:queen",
        "isolation:8x8:trail",
        "isolation:7x7:classic",
        "isolation:9x11:knight",
        "isolation:5x5:queen",
    ];
    let rule = |rule: IsolationRule| Rule {
        name: rule.name(),
        rows: Some(rule.default_size().0),
        cols: Some(rule.default_size().1),
    };
    GameKind {
        kind: BoardKind::Isolation,
        default: presets[0].to_owned(),
        presets: presets.map(str::to_owned).to_vec(),
        rules: IsolationRule::ALL.map(rule).to_vec(),
        majority: false,
        limits: SizeLimits {
            pits: None,
            seeds: None,
            rows: Some([1, MAX_SIDE]),
            cols: Some([1, MAX_SIDE]),
        },
    }
}
