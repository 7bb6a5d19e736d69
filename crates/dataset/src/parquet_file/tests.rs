//! Files that the library writes are read back unchanged, and crafted files are read or refused, without a panic.

use super::*;
use kalahari_search::Rng;

const KINDS: [Kind; 10] = [
    Kind::Short,
    Kind::Number,
    Kind::Long,
    Kind::MaybeLong,
    Kind::Real,
    Kind::MaybeReal,
    Kind::Flag,
    Kind::Text,
    Kind::Texts,
    Kind::Reals,
];

fn fields() -> Vec<Field> {
    let field = |kind| Field {
        name: format!("{kind:?}").to_lowercase(),
        kind,
    };
    KINDS.map(field).into()
}

/// A table of random values with at most `different` different ones; all values of the first column differ.
fn table(rows: usize, different: usize, rng: &mut Rng) -> Table {
    let columns = fields().into_iter().map(|field| {
        let mut number = || rng.below(different) as u64;
        let column = match field.kind {
            Kind::Short => Column::Numbers((0..rows as i32).collect()),
            Kind::Number => Column::Numbers((0..rows).map(|_| number() as i32 - 3).collect()),
            Kind::Long => Column::Longs((0..rows).map(|_| Some(u64::MAX - number())).collect()),
            Kind::MaybeLong => Column::Longs(
                (0..rows)
                    .map(|_| Some(number()).filter(|number| number % 3 > 0))
                    .collect(),
            ),
            Kind::Real => Column::Reals((0..rows).map(|_| Some(number() as f32 / 7.)).collect()),
            Kind::MaybeReal => Column::Reals(
                (0..rows)
                    .map(|_| Some(number() as f32).filter(|number| *number < 5.))
                    .collect(),
            ),
            Kind::Flag => Column::Flags((0..rows).map(|_| number() % 2 == 0).collect()),
            Kind::Text => {
                Column::Texts((0..rows).map(|_| format!("t\u{e9}{}", number())).collect())
            }
            Kind::Texts => {
                let mut list = || (0..number() % 5).map(|place| format!("m{place}")).collect();
                Column::TextLists((0..rows).map(|_| list()).collect())
            }
            Kind::Reals => {
                let mut list = || (0..number() % 5).map(|place| place as f32).collect();
                Column::RealLists((0..rows).map(|_| list()).collect())
            }
        };
        (field, column)
    });
    columns.collect()
}

#[test]
fn what_the_library_writes_is_read_back_unchanged() {
    let mut rng = Rng::new(1);
    // The last ones have many pages, and more values than a dictionary holds.
    for (rows, different) in [
        (0, 1),
        (1, 1),
        (1, 9),
        (7, 2),
        (8, 9),
        (200, 1),
        (300, 17),
        (50_000, 3),
        (250_000, 1 << 30),
    ] {
        let table = table(rows, different, &mut rng);
        let bytes = write(&table, "a note").expect("written");
        let file = ParquetFile::open(bytes).expect("ours");
        assert_eq!(file.note(), "a note");
        let read = file.table(fields()).expect("whole");
        for ((field, column), (_, expected)) in read.iter().zip(&table) {
            assert!(column == expected, "{rows} {different} {}", field.name);
        }
    }
}

/// An attacker who changes a file also fixes its checksum. The library panicked on some of these files.
#[test]
fn crafted_files_are_read_or_refused() {
    let mut rng = Rng::new(2);
    for different in [1, 20] {
        let table = table(40, different, &mut rng);
        let whole = write(&table, "a note").expect("written");
        let (mut good, mut bad) = (0, 0);
        for _ in 0..30_000 {
            let mut bytes = whole.clone();
            let digits = digits(&bytes).expect("digits");
            for _ in 0..=rng.below(3) {
                let place = rng.below(bytes.len());
                bytes[place] = match rng.below(3) {
                    0 => bytes[place] ^ 1 << rng.below(8),
                    1 => 0xff,
                    _ => rng.below(256) as u8,
                };
            }
            bytes[digits].copy_from_slice(NO_DIGITS);
            sign(&mut bytes);
            match ParquetFile::open(bytes).and_then(|file| file.table(fields())) {
                Ok(_) => good += 1,
                Err(_) => bad += 1,
            }
        }
        // Some changes are in bytes that are never read, or only change a value.
        assert!(good > 300 && bad > 3000, "{good} {bad}");
    }
}

#[test]
fn absurd_numbers_of_rows_are_refused_before_memory_is_allocated() {
    let table = table(40, 1, &mut Rng::new(3));
    let whole = write(&table, "a note").expect("written");
    let end = whole.len() - 8;
    // The number of rows is 40, which is 80 in zigzag encoding, in the third field of the metadata.
    let begin = footer(&whole).expect("a footer").start;
    let place = (begin..end).find(|&place| whole[place..].starts_with(&[0x16, 80, 0x19]));
    let place = place.expect("the number of rows");
    let mut bytes = whole[..place + 1].to_vec();
    bytes.extend([0x80, 0x80, 0x80, 0x80, 0x80, 0x01]);
    bytes.extend(&whole[place + 2..end]);
    let length = bytes.len() - begin;
    bytes.extend((length as u32).to_le_bytes());
    bytes.extend(MAGIC);
    let digits = digits(&bytes).expect("digits");
    bytes[digits].copy_from_slice(NO_DIGITS);
    sign(&mut bytes);
    let file = ParquetFile::open(bytes).expect("ours");
    let Err(Problem::Nonsense(what)) = file.table(fields()) else {
        panic!("it was read");
    };
    assert_eq!(what, "17179869184 rows are more than the file can hold");
}
