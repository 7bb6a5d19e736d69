//! Reads the values of a column from its pages.
//!
//! Only what our own writer makes is supported: pages of version 1, compressed by snappy, with plain values or with a dictionary.
//! Every count is compared with the bytes that exist, and memory for decoded values comes out of a [`Budget`], since a few bytes
//! can stand for any number of equal values.

use super::thrift::{Struct, take, varint};

/// How many bytes of memory the rest of a file may still take.
pub(crate) struct Budget(usize);

impl Budget {
    /// The budget of a file of this many bytes: several times what our own files need at most.
    pub(crate) fn of_file(length: usize) -> Self {
        Budget(length.saturating_mul(128).saturating_add(64 << 20))
    }

    fn spend(&mut self, count: usize, each: usize) -> Option<()> {
        self.0 = self.0.checked_sub(count.checked_mul(each)?)?;
        Some(())
    }
}

/// How many values a column has in a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Shape {
    /// Exactly one.
    Whole,
    /// One or none.
    Maybe,
    /// Any number.
    List,
}

/// The pages of a column in a file.
pub(crate) struct Place<'a> {
    /// Its pages, and whatever comes after them.
    pub(crate) pages: &'a [u8],
    /// The number of values; a missing value and an empty list count as one each.
    pub(crate) count: usize,
    pub(crate) shape: Shape,
}

/// The values of a column, and which rows they belong to.
#[derive(Debug, PartialEq)]
pub(crate) struct Chunk<V> {
    pub(crate) values: Vec<V>,
    /// Whether a value is present; empty if the column has a value in every row.
    pub(crate) defined: Vec<bool>,
    /// Whether a value belongs to the same row as the one before it; empty if the column has no lists.
    pub(crate) repeated: Vec<bool>,
}

/// A value that can be read in the plain encoding, without a dictionary.
pub(crate) trait Plain: Clone {
    /// Reads this many values.
    fn read_all(bytes: &[u8], count: usize, budget: &mut Budget) -> Option<Vec<Self>>;

    /// The bytes that it allocates besides its own size.
    fn more(&self) -> usize {
        0
    }
}

macro_rules! numbers {
    ($($of:ty),*) => {$(
        impl Plain for $of {
            fn read_all(bytes: &[u8], count: usize, budget: &mut Budget) -> Option<Vec<Self>> {
                const SIZE: usize = size_of::<$of>();
                let bytes = bytes.get(..count.checked_mul(SIZE)?)?;
                budget.spend(count, SIZE)?;
                let (words, _) = bytes.as_chunks::<SIZE>();
                Some(words.iter().map(|&word| <$of>::from_le_bytes(word)).collect())
            }
        }
    )*};
}

numbers!(i32, i64, f32);

impl Plain for bool {
    fn read_all(bytes: &[u8], count: usize, budget: &mut Budget) -> Option<Vec<Self>> {
        let bytes = bytes.get(..count.div_ceil(8))?;
        budget.spend(count, 1)?;
        let bits = bytes
            .iter()
            .flat_map(|byte| (0..8).map(move |bit| byte >> bit & 1 == 1));
        Some(bits.take(count).collect())
    }
}

impl Plain for String {
    fn read_all(bytes: &[u8], count: usize, budget: &mut Budget) -> Option<Vec<Self>> {
        let mut rest = bytes;
        if count > rest.len() / 4 {
            return None;
        }
        budget.spend(count, size_of::<String>())?;
        (0..count)
            .map(|_| {
                let text = sized(&mut rest)?;
                budget.spend(text.len(), 1)?;
                Some(str::from_utf8(text).ok()?.to_owned())
            })
            .collect()
    }

    fn more(&self) -> usize {
        self.len()
    }
}

/// Reads bytes that are preceded by their length.
fn sized<'a>(rest: &mut &'a [u8]) -> Option<&'a [u8]> {
    let length = take(rest, 4)?;
    let length = u32::from_le_bytes(length.try_into().ok()?);
    take(rest, length.try_into().ok()?)
}

/// Reads numbers of `bits` bits each, in runs of equal numbers and in bit-packed groups of eight.
fn packed(mut rest: &[u8], bits: u32, count: usize, budget: &mut Budget) -> Option<Vec<u32>> {
    if bits > 32 {
        return None;
    }
    budget.spend(count, size_of::<u32>())?;
    let mut numbers: Vec<u32> = Vec::with_capacity(count);
    while numbers.len() < count {
        let head = varint(&mut rest)?;
        let length = usize::try_from(head >> 1).ok()?;
        let missing = count - numbers.len();
        if head & 1 == 0 {
            let mut word = [0; 4];
            let bytes = take(&mut rest, bits.div_ceil(8) as usize)?;
            word[..bytes.len()].copy_from_slice(bytes);
            let number = u32::from_le_bytes(word);
            numbers.extend(std::iter::repeat_n(number, length.min(missing)));
            continue;
        }
        let groups = take(&mut rest, length.checked_mul(bits as usize)?)?;
        let (mut held, mut fill) = (0_u64, 0);
        let mut bytes = groups.iter();
        for _ in 0..missing.min(length.checked_mul(8)?) {
            while fill < bits {
                held |= u64::from(*bytes.next()?) << fill;
                fill += 8;
            }
            numbers.push((held & ((1 << bits) - 1)) as u32);
            held >>= bits;
            fill -= bits;
        }
    }
    Some(numbers)
}

/// Reads definition or repetition levels, which are 0 or 1.
fn levels(rest: &mut &[u8], count: usize, budget: &mut Budget) -> Option<Vec<bool>> {
    let levels = packed(sized(rest)?, 1, count, budget)?;
    levels
        .into_iter()
        .map(|level| match level {
            0 => Some(false),
            1 => Some(true),
            _ => None,
        })
        .collect()
}

/// Decompresses a page.
fn unpacked(bytes: &[u8], length: usize, budget: &mut Budget) -> Option<Vec<u8>> {
    // At best, snappy compresses 64 bytes to 3.
    if length / 22 > bytes.len() || snap::raw::decompress_len(bytes).ok()? != length {
        return None;
    }
    budget.spend(length, 1)?;
    let unpacked = snap::raw::Decoder::new().decompress_vec(bytes);
    unpacked.ok().filter(|bytes| bytes.len() == length)
}

/// Parquet's numbers of page types and encodings.
const DATA_PAGE: i64 = 0;
const DICTIONARY_PAGE: i64 = 2;
const PLAIN: i64 = 0;
const LEVELS: i64 = 3;
const BY_DICTIONARY: i64 = 8;

/// All values of a column; `None` if its pages make no sense or need more memory than the budget allows.
pub(crate) fn chunk<V: Plain>(place: Place<'_>, budget: &mut Budget) -> Option<Chunk<V>> {
    let mut all = Chunk {
        values: Vec::new(),
        defined: Vec::new(),
        repeated: Vec::new(),
    };
    let (mut found, mut rest) = (0, place.pages);
    let mut dictionary: Option<Vec<V>> = None;
    while found < place.count {
        let (header, bytes) = Struct::read(rest)?;
        rest = bytes;
        let bytes = take(&mut rest, header.size(3)?)?;
        let bytes = unpacked(bytes, header.size(2)?, budget)?;
        match header.number(1)? {
            DICTIONARY_PAGE if dictionary.is_none() && found == 0 => {
                let header = header.structure(7)?;
                if ![PLAIN, 2].contains(&header.number(2)?) {
                    return None;
                }
                dictionary = Some(V::read_all(&bytes, header.size(1)?, budget)?);
            }
            DATA_PAGE => {
                let header = header.structure(5)?;
                let count = header.size(1)?;
                if count > place.count - found {
                    return None;
                }
                if [header.number(3)?, header.number(4)?] != [LEVELS; 2] {
                    return None;
                }
                found += count;
                let dictionary = dictionary.as_deref();
                page(
                    &bytes,
                    (count, header.number(2)?),
                    place.shape,
                    dictionary,
                    budget,
                    &mut all,
                )?;
            }
            _ => return None,
        }
    }
    Some(all)
}

fn page<V: Plain>(
    bytes: &[u8],
    (count, encoding): (usize, i64),
    shape: Shape,
    dictionary: Option<&[V]>,
    budget: &mut Budget,
    all: &mut Chunk<V>,
) -> Option<()> {
    let mut rest = bytes;
    if shape == Shape::List {
        all.repeated.extend(levels(&mut rest, count, budget)?);
    }
    let mut present = count;
    if shape != Shape::Whole {
        let defined = levels(&mut rest, count, budget)?;
        present = defined.iter().filter(|&&defined| defined).count();
        all.defined.extend(defined);
    }
    match encoding {
        PLAIN => all.values.extend(V::read_all(rest, present, budget)?),
        BY_DICTIONARY => {
            let dictionary = dictionary?;
            let bits = take(&mut rest, 1)?[0];
            let numbers = packed(rest, bits.into(), present, budget)?;
            budget.spend(present, size_of::<V>())?;
            for number in numbers {
                let value = dictionary.get(usize::try_from(number).ok()?)?;
                budget.spend(value.more(), 1)?;
                all.values.push(value.clone());
            }
        }
        _ => return None,
    }
    Some(())
}

impl<V> Chunk<V> {
    /// One value or none per row.
    pub(crate) fn optional(self) -> Vec<Option<V>> {
        if self.defined.is_empty() {
            return self.values.into_iter().map(Some).collect();
        }
        let mut values = self.values.into_iter();
        let value = |defined: bool| defined.then(|| values.next()).flatten();
        self.defined.into_iter().map(value).collect()
    }

    /// One list per row; `None` if the first value belongs to no row, or if values are missing.
    pub(crate) fn lists(self) -> Option<Vec<Vec<V>>> {
        let mut lists: Vec<Vec<V>> = Vec::new();
        let mut values = self.values.into_iter();
        for (defined, repeated) in self.defined.into_iter().zip(self.repeated) {
            if !repeated {
                lists.push(Vec::new());
            }
            let list = lists.last_mut()?;
            if defined {
                list.push(values.next()?);
            }
        }
        Some(lists)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packed_numbers_and_runs_are_read() {
        let budget = &mut Budget(1000);
        // Three times 5, then eight numbers of three bits: 0 to 7, of which the last three are not requested.
        let bytes = [6, 5, 3, 0b1000_1000, 0b1100_0110, 0b1111_1010];
        let numbers = packed(&bytes, 3, 8, budget).expect("numbers");
        assert_eq!(numbers, [5, 5, 5, 0, 1, 2, 3, 4]);
        assert_eq!(packed(&bytes, 3, 12, budget), None, "too few");
        assert_eq!(packed(&bytes, 33, 1, budget), None, "too wide");
        assert_eq!(
            packed(&[2, 9, 0, 0, 0x80], 32, 1, budget),
            Some(vec![0x8000_0009])
        );
    }

    #[test]
    fn a_run_that_would_fill_the_memory_is_refused() {
        // A run of 2^41 equal numbers, in eight bytes.
        let bytes = [0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x01, 0];
        assert_eq!(packed(&bytes, 1, 1 << 40, &mut Budget::of_file(8)), None);
        assert!(packed(&bytes, 1, 1 << 10, &mut Budget::of_file(8)).is_some());
    }
}
