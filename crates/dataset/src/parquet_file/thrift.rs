//! A reader of Thrift's compact protocol, in which the metadata of Parquet files is written. It is safe for untrusted input: the result
//! takes at most a small multiple of the memory of the bytes, and the depth of nesting is limited.

/// How deep structures and lists may be nested; in Parquet files the depth is at most 8.
const DEEPEST: u32 = 16;

/// A value.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Value<'a> {
    /// An integer of any size.
    Number(i64),
    /// Bytes, or a text.
    Bytes(&'a [u8]),
    /// A list or a set.
    List(Vec<Value<'a>>),
    /// A structure.
    Struct(Struct<'a>),
    /// A value that this crate does not need: a flag, a single byte or a floating-point number.
    Other,
}

impl<'a> Value<'a> {
    /// The structure, if it is one.
    pub(crate) fn structure(&self) -> Option<&Struct<'a>> {
        match self {
            Value::Struct(fields) => Some(fields),
            _ => None,
        }
    }
}

/// A structure: the numbers of its fields, with their values.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Struct<'a>(Vec<(i64, Value<'a>)>);

impl<'a> Struct<'a> {
    /// The structure at the beginning of these bytes, and the bytes after it.
    pub(crate) fn read(bytes: &'a [u8]) -> Option<(Self, &'a [u8])> {
        let mut rest = bytes;
        let fields = structure(&mut rest, DEEPEST)?;
        Some((fields, rest))
    }

    fn get(&self, number: i64) -> Option<&Value<'a>> {
        let mut fields = self.0.iter();
        fields
            .find(|(found, _)| *found == number)
            .map(|(_, value)| value)
    }

    pub(crate) fn number(&self, number: i64) -> Option<i64> {
        match self.get(number)? {
            Value::Number(value) => Some(*value),
            _ => None,
        }
    }

    /// A number that is not negative.
    pub(crate) fn size(&self, number: i64) -> Option<usize> {
        usize::try_from(self.number(number)?).ok()
    }

    pub(crate) fn bytes(&self, number: i64) -> Option<&'a [u8]> {
        match self.get(number)? {
            Value::Bytes(bytes) => Some(bytes),
            _ => None,
        }
    }

    pub(crate) fn list(&self, number: i64) -> Option<&[Value<'a>]> {
        match self.get(number)? {
            Value::List(values) => Some(values),
            _ => None,
        }
    }

    pub(crate) fn structure(&self, number: i64) -> Option<&Struct<'a>> {
        self.get(number)?.structure()
    }
}

/// Takes the first bytes off the rest.
pub(crate) fn take<'a>(rest: &mut &'a [u8], count: usize) -> Option<&'a [u8]> {
    let (taken, left) = rest.split_at_checked(count)?;
    *rest = left;
    Some(taken)
}

fn byte(rest: &mut &[u8]) -> Option<u8> {
    take(rest, 1).map(|bytes| bytes[0])
}

/// Reads a number with seven bits per byte, the lowest first.
pub(crate) fn varint(rest: &mut &[u8]) -> Option<u64> {
    let mut number = 0;
    for shift in (0..64).step_by(7) {
        let next = byte(rest)?;
        number |= u64::from(next & 0x7f) << shift;
        if next < 0x80 {
            return Some(number);
        }
    }
    None
}

/// Reads a signed number in zigzag encoding: the sign is in the lowest bit.
fn signed(rest: &mut &[u8]) -> Option<i64> {
    let number = varint(rest)?;
    Some((number >> 1) as i64 ^ -((number & 1) as i64))
}

fn structure<'a>(rest: &mut &'a [u8], depth: u32) -> Option<Struct<'a>> {
    let depth = depth.checked_sub(1)?;
    let mut fields = Vec::new();
    let mut last = 0_i64;
    loop {
        let head = byte(rest)?;
        if head == 0 {
            return Some(Struct(fields));
        }
        last = match head >> 4 {
            0 => signed(rest)?,
            step => last.checked_add(step.into())?,
        };
        let value = match head & 15 {
            // The value of a flag is part of the type, so no bytes follow.
            1 | 2 => Value::Other,
            kind => value(rest, kind, depth)?,
        };
        fields.push((last, value));
    }
}

fn value<'a>(rest: &mut &'a [u8], kind: u8, depth: u32) -> Option<Value<'a>> {
    Some(match kind {
        1..=3 => {
            byte(rest)?;
            Value::Other
        }
        4..=6 => Value::Number(signed(rest)?),
        7 => {
            take(rest, 8)?;
            Value::Other
        }
        8 => {
            let length = usize::try_from(varint(rest)?).ok()?;
            Value::Bytes(take(rest, length)?)
        }
        9 | 10 => Value::List(list(rest, depth)?),
        12 => Value::Struct(structure(rest, depth)?),
        _ => return None,
    })
}

fn list<'a>(rest: &mut &'a [u8], depth: u32) -> Option<Vec<Value<'a>>> {
    let depth = depth.checked_sub(1)?;
    let head = byte(rest)?;
    let count = match head >> 4 {
        15 => usize::try_from(varint(rest)?).ok()?,
        count => count.into(),
    };
    // Every value takes at least one byte, so a false count ends with the input.
    let mut values = Vec::new();
    for _ in 0..count {
        values.push(value(rest, head & 15, depth)?);
    }
    Some(values)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn structures_are_read_and_truncated_ones_are_refused() {
        // Field 1: 300; field 2: "ab"; field 5: [-1, 1]; field 6: {3: 7}; field 40: true.
        let bytes = [
            0x15, 0xd8, 0x04, 0x18, 2, b'a', b'b', 0x39, 0x25, 1, 2, 0x1c, 0x35, 14, 0, 0x01, 80, 0,
        ];
        let (read, rest) = Struct::read(&bytes).expect("a structure");
        assert!(rest.is_empty());
        assert_eq!(read.number(1), Some(300));
        assert_eq!(read.bytes(2), Some(&b"ab"[..]));
        let numbers = [Value::Number(-1), Value::Number(1)];
        assert_eq!(read.list(5), Some(&numbers[..]));
        assert_eq!(read.structure(6).and_then(|inner| inner.size(3)), Some(7));
        assert_eq!(read.get(40), Some(&Value::Other));
        for end in 0..bytes.len() {
            assert_eq!(Struct::read(&bytes[..end]), None, "{end}");
        }
    }

    #[test]
    fn deep_nesting_and_false_counts_are_refused() {
        // Lists nested in lists, a list that claims 2^60 flags, and structures nested in structures.
        assert_eq!(Struct::read(&[0x19; 1000]), None);
        let many = [&[0x19, 0xf1][..], &[0x80; 8], &[0x10, 1, 1, 0]].concat();
        assert_eq!(Struct::read(&many), None);
        assert_eq!(Struct::read(&[0x1c; 1000]), None);
    }
}
