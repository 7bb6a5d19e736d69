//! Rows as columns: the schema of both file formats. `docs/data.md` describes it for users.

use crate::row::{Label, LabelSource, Row, key};
use kalahari_games::kalah::{Board, Pit, Side};
use kalahari_games::{AnyGame, AnyMove, AnyPosition, Game, GameSpec, with_game, with_position};
use kalahari_terms::Unit;
use std::collections::HashMap;

/// The type of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Integers of 16 bits: numbers of seeds and pits.
    Short,
    /// Integers of 32 bits.
    Number,
    /// Unsigned integers of 64 bits.
    Long,
    /// Unsigned integers of 64 bits, or nothing.
    MaybeLong,
    /// Floating-point numbers of 32 bits.
    Real,
    /// Floating-point numbers of 32 bits, or nothing.
    MaybeReal,
    /// Yes or no.
    Flag,
    /// Texts.
    Text,
    /// A list of texts in every row.
    Texts,
    /// A list of numbers in every row.
    Reals,
}

/// The values of a column, one per row.
#[derive(Clone, Debug, PartialEq)]
pub enum Column {
    /// Integers.
    Numbers(Vec<i32>),
    /// Unsigned integers; some columns have rows without one.
    Longs(Vec<Option<u64>>),
    /// Floating-point numbers; some columns have rows without one.
    Reals(Vec<Option<f32>>),
    /// Yes or no.
    Flags(Vec<bool>),
    /// Texts.
    Texts(Vec<String>),
    /// Lists of texts.
    TextLists(Vec<Vec<String>>),
    /// Lists of numbers.
    RealLists(Vec<Vec<f32>>),
}

impl Column {
    /// How many rows it has.
    pub(crate) fn len(&self) -> usize {
        match self {
            Column::Numbers(values) => values.len(),
            Column::Longs(values) => values.len(),
            Column::Reals(values) => values.len(),
            Column::Flags(values) => values.len(),
            Column::Texts(values) => values.len(),
            Column::TextLists(values) => values.len(),
            Column::RealLists(values) => values.len(),
        }
    }
}

/// A named column without values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Field {
    pub(crate) name: String,
    pub(crate) kind: Kind,
}

/// Rows as columns: every field with its values.
pub(crate) type Table = Vec<(Field, Column)>;

/// What is wrong with a table, in words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Wrong(pub(crate) String);

/// The columns of a game's rows.
pub(crate) fn fields(game: &AnyGame) -> Vec<Field> {
    let mut fields = Vec::new();
    let mut add = |name: &str, kind| {
        let name = name.to_owned();
        fields.push(Field { name, kind });
    };
    add("position", Kind::Text);
    with_game!(game,
        kalah game => {
            for side in ["own", "other"] {
                for pit in 0..game.pits() {
                    add(&format!("{side}_{pit}"), Kind::Short);
                }
                add(&format!("{side}_store"), Kind::Short);
            }
            add("value", Kind::Real);
            for pit in 0..game.pits() {
                add(&format!("value_{pit}"), Kind::MaybeReal);
            }
            add("best", Kind::Short);
        },
        isolation _game => {
            add("value", Kind::Real);
            add("moves", Kind::Texts);
            add("values", Kind::Reals);
            add("best", Kind::Text);
        },
    );
    add("unit", Kind::Text);
    add("label", Kind::Text);
    add("proven", Kind::Flag);
    add("nodes", Kind::MaybeLong);
    add("key", Kind::Long);
    add("game", Kind::Long);
    add("ply", Kind::Number);
    fields
}

/// The columns of these rows of a game.
pub(crate) fn table(game: &AnyGame, rows: &[Row]) -> Table {
    let fields = fields(game).into_iter();
    fields
        .map(|field| {
            let column = column(game, rows, &field.name);
            (field, column)
        })
        .collect()
}

fn column(game: &AnyGame, rows: &[Row], name: &str) -> Column {
    let texts = |text: &dyn Fn(&Row) -> String| Column::Texts(rows.iter().map(text).collect());
    let longs =
        |number: &dyn Fn(&Row) -> Option<u64>| Column::Longs(rows.iter().map(number).collect());
    let is_kalah = game.spec().kalah().is_some();
    match name {
        "position" => texts(&|row| game.position_text(&row.position)),
        "value" => Column::Reals(rows.iter().map(|row| Some(row.label.value)).collect()),
        "best" if is_kalah => Column::Numbers(
            rows.iter()
                .map(|row| pit_of(row.label.best).map_or(-1, |pit| pit as i32))
                .collect(),
        ),
        "best" => texts(&|row| row.label.best.to_string()),
        "moves" => {
            let moves = |row: &Row| {
                let moves = row.label.moves.iter();
                moves.map(|(mv, _)| mv.to_string()).collect()
            };
            Column::TextLists(rows.iter().map(moves).collect())
        }
        "values" => {
            let values = |row: &Row| row.label.moves.iter().map(|&(_, value)| value).collect();
            Column::RealLists(rows.iter().map(values).collect())
        }
        "unit" => texts(&|row| row.label.unit.name().to_owned()),
        "label" => texts(&|row| row.label.source.name().to_owned()),
        "proven" => Column::Flags(rows.iter().map(|row| row.label.proven).collect()),
        "nodes" => longs(&|row| row.label.nodes),
        "key" => longs(&|row| Some(row.key)),
        "game" => longs(&|row| Some(row.game)),
        "ply" => Column::Numbers(rows.iter().map(|row| row.ply as i32).collect()),
        name => match name.split_once('_') {
            Some(("value", pit)) => {
                let pit = pit.parse().ok();
                let of_pit = |row: &Row| {
                    let moves = row.label.moves.iter();
                    let mut found = moves.filter(|(mv, _)| pit_of(*mv) == pit);
                    found.next().map(|&(_, value)| value)
                };
                Column::Reals(rows.iter().map(of_pit).collect())
            }
            Some((side, house)) => {
                let side = match side {
                    "own" => Side::Mover,
                    _ => Side::Opponent,
                };
                let house = house.parse().ok();
                let seeds = |row: &Row| seeds(game, &row.position, side, house) as i32;
                Column::Numbers(rows.iter().map(seeds).collect())
            }
            None => Column::Numbers(Vec::new()),
        },
    }
}

fn pit_of(mv: AnyMove) -> Option<usize> {
    match mv {
        AnyMove::Kalah(pit) => Some(pit.index()),
        AnyMove::Isolation(_) => None,
    }
}

/// The seeds in a pit, or in the store if no pit is given.
fn seeds(game: &AnyGame, position: &AnyPosition, side: Side, pit: Option<usize>) -> u32 {
    with_position!(game, position,
        kalah (_game, board) => match pit {
            Some(pit) => board.pit(side, pit),
            None => board.store(side),
        },
        isolation (_game, _cells) => 0,
    )
}

/// The rows of a table of a game.
///
/// The position is read from its text, and the game must not be over in it. Best moves and moves with values must be legal. Keys are
/// recomputed and compared.
pub(crate) fn rows(game: &AnyGame, table: Table) -> Result<Vec<Row>, Wrong> {
    let mut found: HashMap<String, Column> = table
        .into_iter()
        .map(|(field, column)| (field.name, column))
        .collect();
    let found = &mut found;
    let columns = Columns {
        game,
        positions: take(found, "position")?,
        values: take(found, "value")?,
        units: take(found, "unit")?,
        labels: take(found, "label")?,
        proven: take(found, "proven")?,
        nodes: take(found, "nodes")?,
        keys: take(found, "key")?,
        games: take(found, "game")?,
        plies: take(found, "ply")?,
        moves: match game.spec() {
            GameSpec::Kalah(kalah) => Moves::Kalah {
                best: take(found, "best")?,
                values: (0..kalah.pits())
                    .map(|pit| take(found, &format!("value_{pit}")))
                    .collect::<Result<_, _>>()?,
            },
            GameSpec::Isolation(_) => Moves::Isolation {
                best: take(found, "best")?,
                moves: take(found, "moves")?,
                values: take(found, "values")?,
            },
        },
    };
    let count = columns.positions.len();
    if columns.lengths().iter().any(|&length| length != count) {
        return Err(Wrong("columns of different lengths".to_owned()));
    }
    (0..count)
        .map(|row| {
            let read = columns.row(row);
            read.map_err(|Wrong(what)| Wrong(format!("row {row}: {what}")))
        })
        .collect()
}

/// The columns that are needed to read a row.
struct Columns<'a> {
    game: &'a AnyGame,
    positions: Vec<String>,
    values: Vec<Option<f32>>,
    units: Vec<String>,
    labels: Vec<String>,
    proven: Vec<bool>,
    nodes: Vec<Option<u64>>,
    keys: Vec<Option<u64>>,
    games: Vec<Option<u64>>,
    plies: Vec<i32>,
    moves: Moves,
}

enum Moves {
    Kalah {
        best: Vec<i32>,
        /// For every pit, the values of its move in all rows.
        values: Vec<Vec<Option<f32>>>,
    },
    Isolation {
        best: Vec<String>,
        moves: Vec<Vec<String>>,
        values: Vec<Vec<f32>>,
    },
}

/// Takes the values of a column out of a table.
fn take<T>(found: &mut HashMap<String, Column>, name: &str) -> Result<Vec<T>, Wrong>
where
    Vec<T>: TryFrom<Column>,
{
    let column = found.remove(name);
    let values = column.and_then(|column| Vec::try_from(column).ok());
    values.ok_or_else(|| Wrong(format!("no column '{name}'")))
}

macro_rules! values {
    ($($variant:ident($of:ty)),*) => {$(
        impl TryFrom<Column> for Vec<$of> {
            type Error = ();
            fn try_from(column: Column) -> Result<Self, ()> {
                match column {
                    Column::$variant(values) => Ok(values),
                    _ => Err(()),
                }
            }
        }
    )*};
}

values!(
    Numbers(i32),
    Longs(Option<u64>),
    Reals(Option<f32>),
    Flags(bool),
    Texts(String),
    TextLists(Vec<String>),
    RealLists(Vec<f32>)
);

impl Columns<'_> {
    fn lengths(&self) -> Vec<usize> {
        let mut all = vec![
            self.values.len(),
            self.units.len(),
            self.labels.len(),
            self.proven.len(),
            self.nodes.len(),
            self.keys.len(),
            self.games.len(),
            self.plies.len(),
        ];
        match &self.moves {
            Moves::Kalah { best, values } => {
                all.push(best.len());
                all.extend(values.iter().map(Vec::len));
            }
            Moves::Isolation {
                best,
                moves,
                values,
            } => all.extend([best.len(), moves.len(), values.len()]),
        }
        all
    }

    fn row(&self, row: usize) -> Result<Row, Wrong> {
        let text = &self.positions[row];
        let position = self.game.parse_position(text);
        let position = position.map_err(|error| Wrong(error.to_string()))?;
        if self.game.is_over(&position) {
            return Err(Wrong(format!("the game is over in {text}")));
        }
        let key = key(self.game, &position);
        if self.keys[row] != Some(key) {
            return Err(Wrong(format!("the key does not belong to {text}")));
        }
        Ok(Row {
            game: self.games[row].ok_or_else(|| missing("game"))?,
            ply: u32::try_from(self.plies[row]).map_err(|_| missing("ply"))?,
            position,
            key,
            label: self.label(row, &position)?,
        })
    }

    fn label(&self, row: usize, position: &AnyPosition) -> Result<Label, Wrong> {
        let (best, moves) = self.moves(row, position)?;
        if let Some((mv, value)) = moves.iter().find(|(_, value)| !value.is_finite()) {
            return Err(Wrong(format!("{value} is not a valid value of {mv}")));
        }
        let value = self.values[row].filter(|value| value.is_finite());
        let (unit, source) = (&self.units[row], &self.labels[row]);
        let known_unit = |one: &Unit| one.name() == unit;
        let known_source = |one: &LabelSource| one.name() == source;
        Ok(Label {
            value: value.ok_or_else(|| missing("value"))?,
            unit: Unit::ALL
                .into_iter()
                .find(known_unit)
                .ok_or_else(|| Wrong(format!("unknown unit '{unit}'")))?,
            proven: self.proven[row],
            best,
            moves,
            source: LabelSource::ALL
                .into_iter()
                .find(known_source)
                .ok_or_else(|| Wrong(format!("unknown label '{source}'")))?,
            nodes: self.nodes[row],
        })
    }

    /// The best move and the values of moves. Moves are checked to be legal; values are not checked.
    fn moves(&self, row: usize, position: &AnyPosition) -> Result<ValuedMoves, Wrong> {
        let legal = |mv: AnyMove| match self.game.is_legal(position, mv) {
            true => Ok(mv),
            false => Err(Wrong(format!("{mv} is not a legal move"))),
        };
        let read = |text: &String| {
            let mv = self.game.parse_move(text);
            legal(mv.map_err(|error| Wrong(error.to_string()))?)
        };
        match &self.moves {
            Moves::Kalah { best, values } => {
                let pit = |pit| legal(AnyMove::Kalah(Pit(pit)));
                let valued = (0..).zip(values).filter_map(|(pit, values)| {
                    let value = values[row]?;
                    Some((pit, value))
                });
                let moves = valued.map(|(number, value)| Ok((pit(number)?, value)));
                let best = u8::try_from(best[row]).map_err(|_| missing("best"))?;
                Ok((pit(best)?, moves.collect::<Result<_, Wrong>>()?))
            }
            Moves::Isolation {
                best,
                moves,
                values,
            } => {
                let (moves, values) = (&moves[row], &values[row]);
                if moves.len() != values.len() {
                    return Err(Wrong("there must be as many values as moves".to_owned()));
                }
                let moves = moves.iter().zip(values);
                let moves = moves.map(|(mv, &value)| Ok((read(mv)?, value)));
                Ok((read(&best[row])?, moves.collect::<Result<_, Wrong>>()?))
            }
        }
    }
}

type ValuedMoves = (AnyMove, Vec<(AnyMove, f32)>);

fn missing(name: &str) -> Wrong {
    Wrong(format!("'{name}' is missing"))
}
