//! Tables as Parquet files, which pandas, polars and DuckDB open.
//!
//! One row group, snappy pages, dictionaries where they pay off. The footer carries our note (the shard's header as JSON) and a
//! checksum of the whole file: a Parquet library would read a file with a flipped bit without complaint.
//!
//! The library `parquet` writes; [`thrift`] and [`pages`] read. An attacker who crafts a file also fixes its checksum, and the library
//! panics on some such files and allocates any amount of memory for others. Our reader supports only the part of Parquet that we write.

mod pages;
mod thrift;

use crate::table::{Column, Field, Kind, Table};
use kalahari_terms::Program;
use pages::{Budget, Place, Shape, chunk};
use parquet::basic::{Compression, ConvertedType, LogicalType, Repetition, Type as Physical};
use parquet::column::writer::ColumnWriterImpl;
use parquet::data_type::{
    BoolType, ByteArray, ByteArrayType, DataType, FloatType, Int32Type, Int64Type,
};
use parquet::errors::ParquetError;
use parquet::file::metadata::KeyValue;
use parquet::file::properties::{EnabledStatistics, WriterProperties, WriterVersion};
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::types::{Type, TypePtr};
use std::ops::Range;
use std::sync::Arc;
use thrift::{Struct, Value};

/// The key of our note in the footer.
const NOTE: &str = "kalahari.dataset";
/// The key of the checksum in the footer.
const CHECKSUM: &str = "kalahari.crc32";
/// The mark before the eight digits of the checksum. The checksum is computed with zeros in place of these digits.
const MARK: &[u8] = b"kalahari-crc32:";
/// Stands in place of the digits while the checksum is computed.
const NO_DIGITS: &[u8; 8] = b"00000000";
/// The first and the last bytes of every Parquet file.
const MAGIC: &[u8] = b"PAR1";

/// What is wrong with a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Problem {
    /// It is not a Parquet file, or does not contain our note.
    Foreign,
    /// It ends too early.
    TooShort,
    /// The checksum does not match.
    Checksum,
    /// The checksum matches, but the content makes no sense.
    Nonsense(String),
}

/// The program in the form that the format requires: `kalahari version 0.2.0 (build 0123456789ab)`.
fn created_by(program: Program) -> String {
    let build = program.commit.map(|commit| format!(" (build {commit})"));
    format!(
        "kalahari version {}{}",
        program.version,
        build.unwrap_or_default()
    )
}

/// A table as the bytes of a file. The same table and note give the same bytes.
pub(crate) fn write(table: &Table, note: &str) -> Result<Vec<u8>, ParquetError> {
    let fields = table.iter().map(|(field, _)| Ok(Arc::new(schema(field)?)));
    let schema = Type::group_type_builder("row")
        .with_fields(fields.collect::<Result<_, ParquetError>>()?)
        .build()?;
    let note = KeyValue::new(NOTE.to_owned(), note.to_owned());
    let place = [MARK, NO_DIGITS].concat();
    let place = String::from_utf8_lossy(&place).into_owned();
    let checksum = KeyValue::new(CHECKSUM.to_owned(), place);
    let properties = WriterProperties::builder()
        .set_writer_version(WriterVersion::PARQUET_1_0)
        .set_compression(Compression::SNAPPY)
        .set_statistics_enabled(EnabledStatistics::Chunk)
        .set_created_by(created_by(Program::this()))
        .set_key_value_metadata(Some(vec![note, checksum]));
    let properties = Arc::new(properties.build());
    let mut bytes = Vec::new();
    let mut file = SerializedFileWriter::new(&mut bytes, Arc::new(schema), properties)?;
    let mut group = file.next_row_group()?;
    for (_, column) in table {
        let Some(mut writer) = group.next_column()? else {
            break;
        };
        match column {
            Column::Numbers(values) => {
                whole(writer.typed::<Int32Type>(), values)?;
            }
            Column::Longs(values) => {
                let values = values.iter().map(|value| value.map(|value| value as i64));
                maybe(writer.typed::<Int64Type>(), values)?;
            }
            Column::Reals(values) => maybe(writer.typed::<FloatType>(), values.iter().copied())?,
            Column::Flags(values) => whole(writer.typed::<BoolType>(), values)?,
            Column::Texts(values) => {
                let values: Vec<_> = values.iter().map(|text| text.as_str().into()).collect();
                whole(writer.typed::<ByteArrayType>(), &values)?;
            }
            Column::TextLists(values) => {
                let element = |text: &String| ByteArray::from(text.as_str());
                lists(writer.typed::<ByteArrayType>(), values, element)?;
            }
            Column::RealLists(values) => lists(writer.typed::<FloatType>(), values, |&real| real)?,
        }
        writer.close()?;
    }
    group.close()?;
    file.close()?;
    sign(&mut bytes);
    Ok(bytes)
}

/// The range of the checksum's digits.
fn digits(bytes: &[u8]) -> Option<Range<usize>> {
    let found = bytes
        .windows(MARK.len())
        .rposition(|window| window == MARK)?;
    let begin = found + MARK.len();
    let end = begin + NO_DIGITS.len();
    (end <= bytes.len()).then_some(begin..end)
}

fn sign(bytes: &mut [u8]) {
    if let Some(place) = digits(bytes) {
        let checksum = format!("{:08x}", crc32fast::hash(bytes));
        bytes[place].copy_from_slice(checksum.as_bytes());
    }
}

/// Checks that a file is complete and ours. Returns its bytes with zeros in place of the checksum.
fn check(mut bytes: Vec<u8>) -> Result<Vec<u8>, Problem> {
    if !bytes.starts_with(MAGIC) {
        return Err(Problem::Foreign);
    }
    if !bytes.ends_with(MAGIC) || bytes.len() < 12 {
        return Err(Problem::TooShort);
    }
    let place = digits(&bytes).ok_or(Problem::Foreign)?;
    let written: [u8; 8] = bytes[place.clone()].try_into().unwrap_or_default();
    bytes[place.clone()].copy_from_slice(NO_DIGITS);
    let found = format!("{:08x}", crc32fast::hash(&bytes));
    match written == found.as_bytes() {
        true => Ok(bytes),
        false => Err(Problem::Checksum),
    }
}

/// A file that has been checked.
pub(crate) struct ParquetFile {
    bytes: Vec<u8>,
    /// The range of the metadata.
    footer: Range<usize>,
    note: String,
}

/// A column as the file's metadata describes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Leaf<'a> {
    name: &'a [u8],
    /// Parquet's number of the physical type.
    physical: i64,
    shape: Shape,
}

fn unreadable() -> Problem {
    Problem::Nonsense("its metadata cannot be read".to_owned())
}

impl ParquetFile {
    pub(crate) fn open(bytes: Vec<u8>) -> Result<Self, Problem> {
        let bytes = check(bytes)?;
        let footer = footer(&bytes).ok_or_else(unreadable)?;
        let (description, _) = Struct::read(&bytes[footer.clone()]).ok_or_else(unreadable)?;
        let notes = description.list(5).into_iter().flatten();
        let mut notes = notes.filter_map(|entry| entry.structure());
        let note = notes.find(|entry| entry.bytes(1) == Some(NOTE.as_bytes()));
        let note = note.and_then(|entry| str::from_utf8(entry.bytes(2)?).ok());
        let note = note.ok_or(Problem::Foreign)?.to_owned();
        Ok(ParquetFile {
            bytes,
            footer,
            note,
        })
    }

    /// Our note in the footer.
    pub(crate) fn note(&self) -> &str {
        &self.note
    }

    /// The columns of these fields.
    pub(crate) fn table(&self, fields: Vec<Field>) -> Result<Table, Problem> {
        let (description, _) =
            Struct::read(&self.bytes[self.footer.clone()]).ok_or_else(unreadable)?;
        let leaves = description.list(2).and_then(leaves);
        let leaves = leaves.ok_or_else(unreadable)?;
        let rows = description.size(3).ok_or_else(unreadable)?;
        // Every row has its own position and key, so it takes more than a byte.
        if rows > self.bytes.len() {
            let what = format!("{rows} rows are more than the file can hold");
            return Err(Problem::Nonsense(what));
        }
        let groups = description.list(4).unwrap_or_default();
        let [group] = groups else {
            let what = format!("it has {} row groups instead of one", groups.len());
            return Err(Problem::Nonsense(what));
        };
        let columns = group.structure().and_then(|group| group.list(1));
        let columns = columns.ok_or_else(unreadable)?;
        let mut budget = Budget::of_file(self.bytes.len());
        let columns = fields.into_iter().map(|field| {
            let name = field.name.as_bytes();
            let number = leaves.iter().position(|leaf| leaf.name == name);
            let number =
                number.ok_or_else(|| Problem::Nonsense(format!("no column '{}'", field.name)))?;
            let (physical, shape) = leaf_of(field.kind);
            let expected = Leaf {
                name,
                physical,
                shape,
            };
            if leaves[number] != expected {
                let what = format!("column '{}' has the wrong type", field.name);
                return Err(Problem::Nonsense(what));
            }
            let column = columns.get(number).and_then(|column| column.structure());
            let place = column.and_then(|column| self.place(column.structure(3)?, expected));
            let column = place.and_then(|place| column_of(field.kind, place, &mut budget));
            let column = column.filter(|column| column.len() == rows);
            let column = column.ok_or_else(|| {
                Problem::Nonsense(format!("column '{}' cannot be read", field.name))
            })?;
            Ok((field, column))
        });
        columns.collect()
    }

    /// The pages of a column.
    fn place(&self, column: &Struct<'_>, leaf: Leaf<'_>) -> Option<Place<'_>> {
        const SNAPPY: i64 = 1;
        if (column.number(1)?, column.number(4)?) != (leaf.physical, SNAPPY) {
            return None;
        }
        let first = column.size(11).or(column.size(9))?;
        let length = column.size(7)?;
        Some(Place {
            pages: self.bytes.get(first..first.checked_add(length)?)?,
            count: column.size(5)?,
            shape: leaf.shape,
        })
    }
}

/// The range of the file's metadata: before its length and the last four bytes.
fn footer(bytes: &[u8]) -> Option<Range<usize>> {
    let end = bytes.len().checked_sub(MAGIC.len() + 4)?;
    let length = bytes.get(end..end + 4)?;
    let length = u32::from_le_bytes(length.try_into().ok()?);
    let begin = end.checked_sub(usize::try_from(length).ok()?)?;
    Some(begin..end)
}

/// The columns of a schema: plain values and lists.
fn leaves<'a>(schema: &[Value<'a>]) -> Option<Vec<Leaf<'a>>> {
    const CHILDREN: i64 = 5;
    let repetition = |element: &Struct<'_>| element.number(3);
    let (_row, mut rest) = schema.split_first()?;
    let mut leaves = Vec::new();
    while let Some((first, more)) = rest.split_first() {
        let first = first.structure()?;
        let name = first.bytes(4)?;
        rest = more;
        let (leaf, shape) = match (first.number(CHILDREN), repetition(first)?) {
            (None, REQUIRED) => (first, Shape::Whole),
            (None, OPTIONAL) => (first, Shape::Maybe),
            (Some(1), REQUIRED) => {
                let ([list, element], more) = more.split_first_chunk()?;
                let (list, element) = (list.structure()?, element.structure()?);
                rest = more;
                if (list.number(CHILDREN), repetition(list)) != (Some(1), Some(REPEATED))
                    || (element.number(CHILDREN), repetition(element)) != (None, Some(REQUIRED))
                {
                    return None;
                }
                (element, Shape::List)
            }
            _ => return None,
        };
        leaves.push(Leaf {
            name,
            physical: leaf.number(1)?,
            shape,
        });
    }
    Some(leaves)
}

/// Parquet's numbers of the repetition types.
const REQUIRED: i64 = 0;
const OPTIONAL: i64 = 1;
const REPEATED: i64 = 2;

/// Parquet's number of the physical type of a field, and how many values a row has.
fn leaf_of(kind: Kind) -> (i64, Shape) {
    let physical = |physical: Physical| physical as i64;
    match kind {
        Kind::Short | Kind::Number => (physical(Physical::INT32), Shape::Whole),
        Kind::Long => (physical(Physical::INT64), Shape::Whole),
        Kind::MaybeLong => (physical(Physical::INT64), Shape::Maybe),
        Kind::Real => (physical(Physical::FLOAT), Shape::Whole),
        Kind::MaybeReal => (physical(Physical::FLOAT), Shape::Maybe),
        Kind::Flag => (physical(Physical::BOOLEAN), Shape::Whole),
        Kind::Text => (physical(Physical::BYTE_ARRAY), Shape::Whole),
        Kind::Texts => (physical(Physical::BYTE_ARRAY), Shape::List),
        Kind::Reals => (physical(Physical::FLOAT), Shape::List),
    }
}

/// Reads a column; `None` if it makes no sense.
fn column_of(kind: Kind, place: Place<'_>, budget: &mut Budget) -> Option<Column> {
    Some(match kind {
        Kind::Short | Kind::Number => Column::Numbers(chunk::<i32>(place, budget)?.values),
        Kind::Long | Kind::MaybeLong => {
            let values = chunk::<i64>(place, budget)?.optional().into_iter();
            Column::Longs(
                values
                    .map(|value| value.map(|value| value as u64))
                    .collect(),
            )
        }
        Kind::Real | Kind::MaybeReal => Column::Reals(chunk::<f32>(place, budget)?.optional()),
        Kind::Flag => Column::Flags(chunk::<bool>(place, budget)?.values),
        Kind::Text => Column::Texts(chunk::<String>(place, budget)?.values),
        Kind::Texts => Column::TextLists(chunk::<String>(place, budget)?.lists()?),
        Kind::Reals => Column::RealLists(chunk::<f32>(place, budget)?.lists()?),
    })
}

/// The type of a field in the file's schema.
fn schema(field: &Field) -> Result<Type, ParquetError> {
    let integer = |bit_width, is_signed| LogicalType::integer(bit_width, is_signed);
    let leaf = |name: &str, physical, logical, repetition| {
        Type::primitive_type_builder(name, physical)
            .with_logical_type(logical)
            .with_repetition(repetition)
            .build()
    };
    let text = || Some(LogicalType::String);
    let (name, required) = (field.name.as_str(), Repetition::REQUIRED);
    let long = || Some(integer(64, false));
    match field.kind {
        Kind::Short => leaf(name, Physical::INT32, Some(integer(16, true)), required),
        Kind::Number => leaf(name, Physical::INT32, None, required),
        Kind::Long => leaf(name, Physical::INT64, long(), required),
        Kind::MaybeLong => leaf(name, Physical::INT64, long(), Repetition::OPTIONAL),
        Kind::Real => leaf(name, Physical::FLOAT, None, required),
        Kind::MaybeReal => leaf(name, Physical::FLOAT, None, Repetition::OPTIONAL),
        Kind::Flag => leaf(name, Physical::BOOLEAN, None, required),
        Kind::Text => leaf(name, Physical::BYTE_ARRAY, text(), required),
        Kind::Texts => list(
            name,
            leaf("element", Physical::BYTE_ARRAY, text(), required)?,
        ),
        Kind::Reals => list(name, leaf("element", Physical::FLOAT, None, required)?),
    }
}

/// A list that is never missing but may be empty.
fn list(name: &str, element: Type) -> Result<Type, ParquetError> {
    let repeated = Type::group_type_builder("list")
        .with_repetition(Repetition::REPEATED)
        .with_fields(vec![Arc::new(element)])
        .build()?;
    Type::group_type_builder(name)
        .with_repetition(Repetition::REQUIRED)
        .with_logical_type(Some(LogicalType::List))
        .with_converted_type(ConvertedType::LIST)
        .with_fields(vec![Arc::new(repeated) as TypePtr])
        .build()
}

fn whole<T: DataType>(
    writer: &mut ColumnWriterImpl<'_, T>,
    values: &[T::T],
) -> Result<(), ParquetError> {
    writer.write_batch(values, None, None)?;
    Ok(())
}

/// Values that may be missing. If the schema says that none is missing, the writer ignores the levels.
fn maybe<T: DataType>(
    writer: &mut ColumnWriterImpl<'_, T>,
    values: impl Iterator<Item = Option<T::T>>,
) -> Result<(), ParquetError> {
    let values: Vec<Option<T::T>> = values.collect();
    let levels: Vec<i16> = values.iter().map(|value| value.is_some().into()).collect();
    let present: Vec<T::T> = values.into_iter().flatten().collect();
    writer.write_batch(&present, Some(&levels), None)?;
    Ok(())
}

/// One list per row. Every element has definition level 1, and every element except the first of a row has repetition level 1.
fn lists<T: DataType, V>(
    writer: &mut ColumnWriterImpl<'_, T>,
    rows: &[Vec<V>],
    element: impl Fn(&V) -> T::T,
) -> Result<(), ParquetError> {
    let (mut defined, mut repeated, mut values) = (Vec::new(), Vec::new(), Vec::new());
    for row in rows {
        if row.is_empty() {
            defined.push(0);
            repeated.push(0);
        }
        for (place, value) in row.iter().enumerate() {
            defined.push(1);
            repeated.push(i16::from(place > 0));
            values.push(element(value));
        }
    }
    writer.write_batch(&values, Some(&defined), Some(&repeated))?;
    Ok(())
}

#[cfg(test)]
mod tests;
