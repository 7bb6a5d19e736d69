//! Thrift's compact protocol, in which Parquet files describe themselves, read with suspicion: what is read takes no more than a
//! small multiple of its bytes, and nothing is followed deeper than such a description goes.

/// How deep structures and lists may be inside each other; those of a Parquet file go to 8.
const DEEPEST: u32 = 16;

/// A value.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Value<'a> {
    /// A whole number of any size.
    Number(i64),
    /// Bytes, or a text.
    Bytes(&'a [u8]),
    /// A list or a set.
    List(Vec<Value<'a>>),
    /// A structure.
    Struct(Struct<'a>),
    /// What nobody here asks for: flags and numbers with a fraction.
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

/// A structure: its fields by their numbers.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Struct<'a>(Vec<(i64, Value<'a>)>);

impl<'a> Struct<'a> {
    /// The structure at the beginning of some bytes, and what comes after it.
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

    /// A number from 0 on.
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

/// The first bytes of a rest, which they leave.
pub(crate) fn take<'a>(rest: &mut &'a [u8], count: usize) -> Option<&'a [u8]> {
    let (taken, left) = rest.split_at_checked(count)?;
    *rest = left;
    Some(taken)
}

fn byte(rest: &mut &[u8]) -> Option<u8> {
    take(rest, 1).map(|bytes| bytes[0])
}

/// A number of seven bits a byte, the lowest first.
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

/// A number with a sign, which is in its lowest bit.
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
            // A flag is in the type.
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
    // Every value takes a byte at least, so a count that lies ends soon.
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
    fn structures_are_read_and_what_ends_too_early_is_not() {
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
    fn nothing_is_followed_for_ever() {
        // Lists of a single list, and a list of 2^60 flags.
        assert_eq!(Struct::read(&[0x19; 1000]), None);
        let many = [&[0x19, 0xf1][..], &[0x80; 8], &[0x10, 1, 1, 0]].concat();
        assert_eq!(Struct::read(&many), None);
        assert_eq!(Struct::read(&[0x1c; 1000]), None);
    }
}
