//! Lines of bounded length from any source of bytes.

use std::io::{self, Read};

/// The longest line that is read, in bytes.
pub const MAX_LINE: usize = 64 * 1024;

/// A line without its end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Line {
    /// A line of at most [`MAX_LINE`] bytes. Bytes that are not UTF-8 are replaced.
    Text(String),
    /// A part of a longer line, which has been skipped. It is returned again for every further
    /// [`MAX_LINE`] bytes of that line.
    TooLong,
}

/// Reads lines. Never holds more than one line of bounded length in memory.
#[derive(Debug)]
pub struct Lines<R> {
    source: R,
    chunk: Box<[u8]>,
    /// The bytes of `chunk` that have not been used yet.
    unread: std::ops::Range<usize>,
    line: Vec<u8>,
    /// Within a line that is too long: the bytes skipped since `TooLong` was last returned.
    skipped: Option<usize>,
    total: u64,
}

impl<R: Read> Lines<R> {
    /// The lines of a source.
    pub fn new(source: R) -> Self {
        Lines {
            source,
            chunk: vec![0; 8 * 1024].into_boxed_slice(),
            unread: 0..0,
            line: Vec::new(),
            skipped: None,
            total: 0,
        }
    }

    /// How many bytes have been read from the source.
    pub fn bytes(&self) -> u64 {
        self.total
    }

    /// The next line, or `None` at the end of the source. A last line needs no line end.
    pub fn next_line(&mut self) -> io::Result<Option<Line>> {
        loop {
            if self.unread.is_empty() {
                let count = match self.source.read(&mut self.chunk) {
                    Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                    result => result?,
                };
                if count == 0 {
                    self.skipped = None;
                    return Ok((!self.line.is_empty()).then(|| self.take()));
                }
                self.total = self.total.saturating_add(count as u64);
                self.unread = 0..count;
            }
            let bytes = &self.chunk[self.unread.clone()];
            let end = bytes.iter().position(|byte| *byte == b'\n');
            let part = &bytes[..end.unwrap_or(bytes.len())];
            self.unread.start += part.len() + usize::from(end.is_some());
            if let Some(skipped) = &mut self.skipped {
                *skipped += part.len();
                if end.is_some() {
                    self.skipped = None;
                } else if *skipped > MAX_LINE {
                    *skipped = 0;
                    return Ok(Some(Line::TooLong));
                }
            } else if self.line.len() + part.len() > MAX_LINE {
                self.line.clear();
                self.skipped = end.is_none().then_some(0);
                return Ok(Some(Line::TooLong));
            } else {
                self.line.extend_from_slice(part);
                if end.is_some() {
                    return Ok(Some(self.take()));
                }
            }
        }
    }

    fn take(&mut self) -> Line {
        let text = String::from_utf8_lossy(&self.line);
        let line = Line::Text(text.trim_end_matches('\r').to_owned());
        self.line.clear();
        line
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(bytes: &[u8]) -> Vec<Line> {
        let mut lines = Lines::new(bytes);
        std::iter::from_fn(|| lines.next_line().expect("a slice is readable")).collect()
    }

    fn text(text: &str) -> Line {
        Line::Text(text.to_owned())
    }

    #[test]
    fn all_line_ends_are_accepted() {
        assert_eq!(all(b""), []);
        assert_eq!(all(b"a\r\n\nb"), [text("a"), text(""), text("b")]);
        assert_eq!(all(b"\xff\n"), [text("\u{fffd}")]);
    }

    #[test]
    fn long_lines_are_skipped() {
        let mut bytes = vec![b'x'; MAX_LINE + MAX_LINE / 2];
        bytes.extend(b"\nnext\n");
        assert_eq!(all(&bytes), [Line::TooLong, text("next")]);
        bytes.splice(0..0, [b'x'; 4 * MAX_LINE]);
        let lines = all(&bytes);
        assert_eq!(lines.last(), Some(&text("next")));
        assert!((4..=6).contains(&lines.len()));
        assert_eq!(all(&vec![b'x'; MAX_LINE + 1]), [Line::TooLong]);
        assert_eq!(all(&vec![b'x'; MAX_LINE]).len(), 1);
        assert_ne!(all(&vec![b'x'; MAX_LINE]), [Line::TooLong]);
    }
}
