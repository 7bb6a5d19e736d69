//! Tables as CSV files: a line of names, then a line for each row.
//!
//! A missing value is an empty cell, flags are `true` and `false`, and the elements of a list are separated by blanks. No value of ours
//! contains a comma, a quote or a line break, so nothing is quoted.

use crate::table::{Column, Field, Kind, Table, Wrong};

/// A table as text. The same table gives the same text.
pub(crate) fn write(table: &Table) -> String {
    let names: Vec<&str> = table.iter().map(|(field, _)| field.name.as_str()).collect();
    let rows = table.first().map_or(0, |(_, column)| column.len());
    let mut text = names.join(",") + "\n";
    for row in 0..rows {
        for (place, (_, column)) in table.iter().enumerate() {
            if place > 0 {
                text.push(',');
            }
            text += &cell(column, row);
        }
        text.push('\n');
    }
    text
}

fn cell(column: &Column, row: usize) -> String {
    fn join<T: ToString>(list: &[T]) -> String {
        let words: Vec<String> = list.iter().map(T::to_string).collect();
        words.join(" ")
    }
    match column {
        Column::Numbers(values) => values[row].to_string(),
        Column::Longs(values) => values[row].map_or(String::new(), |value| value.to_string()),
        Column::Reals(values) => values[row].map_or(String::new(), |value| value.to_string()),
        Column::Flags(values) => values[row].to_string(),
        Column::Texts(values) => values[row].clone(),
        Column::TextLists(values) => join(&values[row]),
        Column::RealLists(values) => join(&values[row]),
    }
}

/// Whether the first line of a text is the names of these fields.
pub(crate) fn has_header(text: &str, fields: &[Field]) -> bool {
    let names = text.lines().next().unwrap_or_default().split(',');
    names.eq(fields.iter().map(|field| field.name.as_str()))
}

/// The table of a text that was written with these fields.
pub(crate) fn read(text: &str, fields: Vec<Field>) -> Result<Table, Wrong> {
    if !has_header(text, &fields) {
        return Err(Wrong(
            "the first line does not name the expected columns".to_owned(),
        ));
    }
    if !text.ends_with('\n') {
        return Err(Wrong("the last line is incomplete".to_owned()));
    }
    let mut cells: Vec<Vec<&str>> = fields.iter().map(|_| Vec::new()).collect();
    for (number, line) in (1..).zip(text.lines()).skip(1) {
        let mut words = line.split(',');
        let mut rest = words.clone().count() == cells.len();
        for column in &mut cells {
            match words.next() {
                Some(word) => column.push(word),
                None => rest = false,
            }
        }
        if !rest {
            let count = cells.len();
            return Err(Wrong(format!("line {number} does not have {count} values")));
        }
    }
    let columns = fields.into_iter().zip(cells).map(|(field, cells)| {
        let column = column(field.kind, &cells);
        let column = column.ok_or_else(|| Wrong(format!("bad value in '{}'", field.name)))?;
        Ok((field, column))
    });
    columns.collect()
}

fn column(kind: Kind, cells: &[&str]) -> Option<Column> {
    /// The value of a cell, `Some(None)` if the cell is empty, `None` if it cannot be read.
    fn maybe<T: std::str::FromStr>(cell: &str) -> Option<Option<T>> {
        match cell {
            "" => Some(None),
            cell => cell.parse().ok().map(Some),
        }
    }
    fn list<T: std::str::FromStr>(cell: &str) -> Option<Vec<T>> {
        let words = cell.split(' ').filter(|word| !word.is_empty());
        words.map(|word| word.parse().ok()).collect()
    }
    let cells = cells.iter().copied();
    Some(match kind {
        Kind::Short | Kind::Number => {
            Column::Numbers(cells.map(|cell| cell.parse().ok()).collect::<Option<_>>()?)
        }
        Kind::Long | Kind::MaybeLong => Column::Longs(cells.map(maybe).collect::<Option<_>>()?),
        Kind::Real | Kind::MaybeReal => Column::Reals(cells.map(maybe).collect::<Option<_>>()?),
        Kind::Flag => Column::Flags(cells.map(|cell| cell.parse().ok()).collect::<Option<_>>()?),
        Kind::Text => Column::Texts(cells.map(str::to_owned).collect()),
        Kind::Texts => Column::TextLists(cells.map(list).collect::<Option<_>>()?),
        Kind::Reals => Column::RealLists(cells.map(list).collect::<Option<_>>()?),
    })
}
