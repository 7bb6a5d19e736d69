//! Tables as Parquet files, which pandas, polars and DuckDB open.
//!
//! One row group, snappy pages, dictionaries where they pay off. The footer carries a note of ours (the shard's header as JSON) and a
//! checksum of the whole file: the library would read a file with a flipped bit without a word.

use crate::table::{Column, Field, Kind, Table};
use bytes::Bytes;
use parquet::basic::{Compression, ConvertedType, LogicalType, Repetition, Type as Physical};
use parquet::column::reader::{ColumnReader, ColumnReaderImpl};
use parquet::column::writer::ColumnWriterImpl;
use parquet::data_type::{
    BoolType, ByteArray, ByteArrayType, DataType, FloatType, Int32Type, Int64Type,
};
use parquet::errors::ParquetError;
use parquet::file::metadata::KeyValue;
use parquet::file::properties::{EnabledStatistics, WriterProperties};
use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::types::{Type, TypePtr};
use std::sync::Arc;

/// The key of our note in the footer.
const NOTE: &str = "kalahari.dataset";
/// The key of the checksum in the footer.
const CHECKSUM: &str = "kalahari.crc32";
/// What stands before the eight digits of the checksum. The checksum is that of the file with zeros in their place.
const MARK: &[u8] = b"kalahari-crc32:";
/// In the place of the digits.
const NO_DIGITS: &[u8; 8] = b"00000000";
/// The first and the last bytes of every Parquet file.
const MAGIC: &[u8] = b"PAR1";

/// What is wrong with a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Problem {
    /// It is no Parquet file, or nobody has left our note in it.
    Foreign,
    /// It ends too early.
    TooShort,
    /// The checksum does not fit.
    Checksum,
    /// The checksum fits, but what is in it makes no sense.
    Nonsense(String),
}

impl From<ParquetError> for Problem {
    fn from(error: ParquetError) -> Self {
        Problem::Nonsense(error.to_string())
    }
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
        .set_compression(Compression::SNAPPY)
        .set_statistics_enabled(EnabledStatistics::Chunk)
        .set_created_by(concat!("kalahari ", env!("CARGO_PKG_VERSION")).to_owned())
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

/// The place of the checksum's digits.
fn digits(bytes: &[u8]) -> Option<std::ops::Range<usize>> {
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

/// Whether a file is whole and ours.
fn check(mut bytes: Vec<u8>) -> Result<Bytes, Problem> {
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
        true => Ok(bytes.into()),
        false => Err(Problem::Checksum),
    }
}

/// A file that has been checked.
pub(crate) struct ParquetFile {
    reader: SerializedFileReader<Bytes>,
    note: String,
}

impl ParquetFile {
    pub(crate) fn open(bytes: Vec<u8>) -> Result<Self, Problem> {
        let reader = SerializedFileReader::new(check(bytes)?)?;
        let notes = reader.metadata().file_metadata().key_value_metadata();
        let mut notes = notes.into_iter().flatten();
        let note = notes.find(|entry| entry.key == NOTE);
        let note = note.and_then(|entry| entry.value.clone());
        let note = note.ok_or(Problem::Foreign)?;
        Ok(ParquetFile { reader, note })
    }

    /// What was written into the footer.
    pub(crate) fn note(&self) -> &str {
        &self.note
    }

    /// The columns of these fields.
    pub(crate) fn table(&self, fields: Vec<Field>) -> Result<Table, Problem> {
        let metadata = self.reader.metadata();
        let schema = metadata.file_metadata().schema_descr();
        let columns = fields.into_iter().map(|field| {
            let number = schema
                .columns()
                .iter()
                .position(|column| column.path().parts().first() == Some(&field.name))
                .ok_or_else(|| Problem::Nonsense(format!("no column '{}'", field.name)))?;
            let expected = schema_of_leaf(&field)?;
            let physical = schema.column(number).physical_type();
            let levels = (
                schema.column(number).max_def_level(),
                schema.column(number).max_rep_level(),
            );
            if (physical, levels) != expected {
                let what = format!("column '{}' is of another type", field.name);
                return Err(Problem::Nonsense(what));
            }
            let mut column = empty(field.kind);
            for group in 0..metadata.num_row_groups() {
                let group = self.reader.get_row_group(group)?;
                let rows = usize::try_from(group.metadata().num_rows()).unwrap_or(0);
                read(group.get_column_reader(number)?, rows, &mut column)?;
            }
            Ok((field, column))
        });
        columns.collect()
    }
}

/// The physical type of a field's values and the levels they have.
fn schema_of_leaf(field: &Field) -> Result<(Physical, (i16, i16)), Problem> {
    Ok(match field.kind {
        Kind::Short | Kind::Number => (Physical::INT32, (0, 0)),
        Kind::Long => (Physical::INT64, (0, 0)),
        Kind::MaybeLong => (Physical::INT64, (1, 0)),
        Kind::Real => (Physical::FLOAT, (0, 0)),
        Kind::MaybeReal => (Physical::FLOAT, (1, 0)),
        Kind::Flag => (Physical::BOOLEAN, (0, 0)),
        Kind::Text => (Physical::BYTE_ARRAY, (0, 0)),
        Kind::Texts => (Physical::BYTE_ARRAY, (1, 1)),
        Kind::Reals => (Physical::FLOAT, (1, 1)),
    })
}

fn empty(kind: Kind) -> Column {
    match kind {
        Kind::Short | Kind::Number => Column::Numbers(Vec::new()),
        Kind::Long | Kind::MaybeLong => Column::Longs(Vec::new()),
        Kind::Real | Kind::MaybeReal => Column::Reals(Vec::new()),
        Kind::Flag => Column::Flags(Vec::new()),
        Kind::Text => Column::Texts(Vec::new()),
        Kind::Texts => Column::TextLists(Vec::new()),
        Kind::Reals => Column::RealLists(Vec::new()),
    }
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

/// A list that is always there and may be empty.
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

/// Values that may be missing. Where the schema says that none is, their levels are not written.
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

/// A list a row: an element is defined, and every one but a row's first is repeated.
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

/// Reads a column chunk of so many rows.
fn read(reader: ColumnReader, rows: usize, column: &mut Column) -> Result<(), Problem> {
    let texts = |values: Vec<ByteArray>| -> Result<Vec<String>, Problem> {
        let text = |value: ByteArray| Ok(value.as_utf8()?.to_owned());
        values.into_iter().map(text).collect()
    };
    match (reader, column) {
        (ColumnReader::Int32ColumnReader(reader), Column::Numbers(all)) => {
            all.extend(chunk(reader, rows)?.values);
        }
        (ColumnReader::BoolColumnReader(reader), Column::Flags(all)) => {
            all.extend(chunk(reader, rows)?.values);
        }
        (ColumnReader::Int64ColumnReader(reader), Column::Longs(all)) => {
            let values = chunk(reader, rows)?.optional();
            all.extend(values.map(|value| value.map(|value| value as u64)));
        }
        (ColumnReader::FloatColumnReader(reader), Column::Reals(all)) => {
            all.extend(chunk(reader, rows)?.optional());
        }
        (ColumnReader::FloatColumnReader(reader), Column::RealLists(all)) => {
            all.extend(chunk(reader, rows)?.lists());
        }
        (ColumnReader::ByteArrayColumnReader(reader), Column::Texts(all)) => {
            all.extend(texts(chunk(reader, rows)?.values)?);
        }
        (ColumnReader::ByteArrayColumnReader(reader), Column::TextLists(all)) => {
            for list in chunk(reader, rows)?.lists() {
                all.push(texts(list)?);
            }
        }
        _ => return Err(Problem::Nonsense("a column of another type".to_owned())),
    }
    Ok(())
}

/// The values of a column chunk and their levels.
struct Chunk<V> {
    values: Vec<V>,
    /// Empty where none can be missing.
    defined: Vec<i16>,
    /// Empty where there are no lists.
    repeated: Vec<i16>,
}

fn chunk<T: DataType>(
    mut reader: ColumnReaderImpl<T>,
    rows: usize,
) -> Result<Chunk<T::T>, Problem> {
    let (mut values, mut defined, mut repeated) = (Vec::new(), Vec::new(), Vec::new());
    let mut found = 0;
    while found < rows {
        let (defined, repeated) = (Some(&mut defined), Some(&mut repeated));
        let (records, _, levels) =
            reader.read_records(rows - found, defined, repeated, &mut values)?;
        if records == 0 && levels == 0 {
            return Err(Problem::Nonsense("a column is too short".to_owned()));
        }
        found += records;
    }
    Ok(Chunk {
        values,
        defined,
        repeated,
    })
}

impl<V> Chunk<V> {
    fn optional(self) -> impl Iterator<Item = Option<V>> {
        let levels = match self.defined.is_empty() {
            true => vec![1; self.values.len()],
            false => self.defined,
        };
        let mut values = self.values.into_iter();
        levels
            .into_iter()
            .map(move |level| (level > 0).then(|| values.next()).flatten())
    }

    fn lists(self) -> Vec<Vec<V>> {
        let mut lists: Vec<Vec<V>> = Vec::new();
        let mut values = self.values.into_iter();
        for (defined, repeated) in self.defined.into_iter().zip(self.repeated) {
            if repeated == 0 {
                lists.push(Vec::new());
            }
            if defined > 0
                && let (Some(list), Some(value)) = (lists.last_mut(), values.next())
            {
                list.push(value);
            }
        }
        lists
    }
}
