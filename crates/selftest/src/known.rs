//! Reads the known answers.

use crate::{Check, ExactRow, PUBLISHED, Part, Question, Value};
use kalahari_exact::tablebase::TableSpec;
use kalahari_games::GameSpec;
use kalahari_games::kalah::{CaptureRule, KalahSpec, Pit};
use kalahari_search::bench::SIGNATURE;
use serde::Deserialize;
use std::collections::BTreeMap;

const KALAH_PERFT: &str = include_str!("../data/kalah-perft.jsonl");
const KALAH_EXACT: &str = include_str!("../data/kalah-exact.jsonl");
const ISOLATION: &str = include_str!("../data/isolation.json");

/// Why the data of this crate can be unwrapped.
const OUR_OWN: &str = "the data is part of the program and read by its tests";

#[derive(Deserialize)]
struct KalahPerft {
    rule: String,
    pits: usize,
    seeds: u32,
    perft: Vec<u64>,
}

#[derive(Deserialize)]
struct KalahExact {
    rule: String,
    #[serde(flatten)]
    row: ExactRow,
}

#[derive(Deserialize)]
struct IsolationPerft {
    rule: String,
    rows: usize,
    cols: usize,
    perft: Vec<u64>,
}

#[derive(Deserialize)]
struct Isolation {
    perft: Vec<IsolationPerft>,
    trail_margin_for_first_player: BTreeMap<String, i32>,
    first_player_wins: BTreeMap<String, BTreeMap<String, bool>>,
}

/// Rows by pits: an entry for 1, 2, ... seeds.
type Table<T> = BTreeMap<String, T>;

#[derive(Deserialize)]
struct Published {
    irving_2000_empty_capture_margin_for_first_player: Table<Vec<Option<i32>>>,
    irving_2000_empty_capture_result_for_first_player: Table<String>,
    standard_margin_for_first_player: Table<Vec<Option<i32>>>,
    first_move_margins: BTreeMap<String, serde_json::Value>,
}

/// All checks: quick ones first, and games from small to large.
pub fn checks() -> Vec<Check> {
    let mut checks = rules();
    checks.extend(positions());
    checks.extend(tablebases());
    checks.push(Check {
        part: Part::Signature,
        name: "the engine's search".to_owned(),
        long: false,
        question: Question::Signature { nodes: SIGNATURE },
    });
    checks.extend(isolation_games());
    checks.extend(kalah_games());
    // The sort is stable, so checks of the same part stay together.
    checks.sort_by_key(Check::is_long);
    checks
}

fn rules() -> Vec<Check> {
    let kalah = KALAH_PERFT.lines().map(|line| {
        let row: KalahPerft = serde_json::from_str(line).expect(OUR_OWN);
        let game = format!("kalah:{}x{}:{}", row.pits, row.seeds, row.rule);
        (game, row.perft)
    });
    let isolation: Isolation = serde_json::from_str(ISOLATION).expect(OUR_OWN);
    let isolation = isolation.perft.into_iter().map(|row| {
        let game = format!("isolation:{}x{}:{}", row.rows, row.cols, row.rule);
        (game, row.perft)
    });
    let check = |(name, counts): (String, Vec<u64>)| Check {
        part: Part::Rules,
        long: false,
        question: Question::Perft {
            game: name.parse().expect(OUR_OWN),
            counts,
        },
        name,
    };
    kalah.chain(isolation).map(check).collect()
}

fn rule(name: &str) -> CaptureRule {
    let mut rules = CaptureRule::ALL.into_iter();
    rules.find(|rule| rule.name() == name).expect(OUR_OWN)
}

fn positions() -> Vec<Check> {
    let mut groups: BTreeMap<(usize, CaptureRule), Vec<ExactRow>> = BTreeMap::new();
    for line in KALAH_EXACT.lines() {
        let known: KalahExact = serde_json::from_str(line).expect(OUR_OWN);
        let pits = known.row.houses.len() / 2 - 1;
        let group = groups.entry((pits, rule(&known.rule))).or_default();
        group.push(known.row);
    }
    let check = |((pits, rule), rows): (_, Vec<ExactRow>)| Check {
        part: Part::Positions,
        name: format!("{} positions of kalah:{pits}:{rule}", rows.len()),
        long: false,
        question: Question::Positions { pits, rule, rows },
    };
    groups.into_iter().map(check).collect()
}

fn tablebases() -> Vec<Check> {
    let check = |(pits, rule, seeds)| {
        let table = TableSpec::new(pits, rule).expect(OUR_OWN);
        Check {
            part: Part::Tablebases,
            name: format!("{table} with {seeds} seeds"),
            long: false,
            question: Question::Tablebase { table, seeds },
        }
    };
    let sizes = CaptureRule::ALL.into_iter().flat_map(|rule| {
        let sizes = [(6, 12), (3, 20)].into_iter();
        sizes.map(move |(pits, seeds)| (pits, rule, seeds))
    });
    sizes.map(check).collect()
}

fn isolation_games() -> Vec<Check> {
    let known: Isolation = serde_json::from_str(ISOLATION).expect(OUR_OWN);
    let trail = known.trail_margin_for_first_player.into_iter();
    let trail = trail.map(|(size, margin)| (size, "trail".to_owned(), Value::Margin(margin)));
    let others = known.first_player_wins.into_iter();
    let others = others.flat_map(|(rule, sizes)| {
        let sizes = sizes.into_iter();
        sizes.map(move |(size, wins)| {
            let sign = if wins { 1 } else { -1 };
            (size, rule.clone(), Value::Sign(sign))
        })
    });
    let check = |(size, rule, value): (String, String, Value)| {
        let name = format!("isolation:{size}:{rule}");
        Check {
            part: Part::Games,
            long: false,
            question: Question::Game {
                game: name.parse().expect(OUR_OWN),
                moves: Vec::new(),
                value,
            },
            name,
        }
    };
    trail.chain(others).map(check).collect()
}

/// Boards that are solved within a moment.
fn is_small(game: KalahSpec) -> bool {
    game.pits() as u32 * game.seeds() <= 12 || game.pits() < 4
}

fn kalah(game: KalahSpec, moves: &str, value: Value) -> Check {
    let pit = |number: &str| Pit(number.parse::<u8>().expect(OUR_OWN) - 1);
    let played = match moves {
        "" => String::new(),
        moves => format!(" after {moves}"),
    };
    Check {
        part: Part::Games,
        name: format!("{game}{played}"),
        long: !is_small(game),
        question: Question::Game {
            game: game.into(),
            moves: moves
                .split('-')
                .filter(|m| !m.is_empty())
                .map(pit)
                .collect(),
            value,
        },
    }
}

fn kalah_games() -> Vec<Check> {
    let published: Published = serde_json::from_str(PUBLISHED).expect(OUR_OWN);
    let mut checks = Vec::new();
    let mut add = |rule, pits: &str, values: Vec<Option<Value>>| {
        for (seeds, value) in (1..).zip(values) {
            let game = KalahSpec::new(pits.parse().expect(OUR_OWN), seeds, rule).expect(OUR_OWN);
            checks.extend(value.map(|value| kalah(game, "", value)));
        }
    };
    let margins = |row: Vec<Option<i32>>| row.into_iter().map(|m| m.map(Value::Margin)).collect();
    for (pits, row) in published.standard_margin_for_first_player {
        add(CaptureRule::Standard, &pits, margins(row));
    }
    let irving = &published.irving_2000_empty_capture_margin_for_first_player;
    for (pits, row) in published.irving_2000_empty_capture_result_for_first_player {
        if irving.contains_key(&pits) {
            continue;
        }
        let sign = |letter| match letter {
            'W' => Some(Value::Sign(1)),
            'D' => Some(Value::Sign(0)),
            'L' => Some(Value::Sign(-1)),
            _ => None,
        };
        add(
            CaptureRule::EmptyCapture,
            &pits,
            row.chars().map(sign).collect(),
        );
    }
    for (pits, row) in published.irving_2000_empty_capture_margin_for_first_player {
        add(CaptureRule::EmptyCapture, &pits, margins(row));
    }
    // The first moves of a game follow its start, so that they can use what was proven for it.
    for (name, moves) in &published.first_move_margins {
        let (Ok(game), Some(moves)) = (name.parse::<KalahSpec>(), moves.as_object()) else {
            continue;
        };
        let values = moves.iter().map(|(moves, margin)| {
            let margin = margin.as_i64().expect(OUR_OWN) as i32;
            kalah(game, moves, Value::Margin(margin))
        });
        let after = |check: &Check| check.name == game.to_string();
        let place = checks
            .iter()
            .position(after)
            .map_or(checks.len(), |at| at + 1);
        let tail = checks.split_off(place);
        checks.extend(values);
        checks.extend(tail);
    }
    // From few seeds to many.
    checks.sort_by_key(|check| match &check.question {
        Question::Game {
            game: GameSpec::Kalah(game),
            ..
        } => (game.total(), game.pits(), game.rule()),
        _ => (0, 0, CaptureRule::Standard),
    });
    checks
}
