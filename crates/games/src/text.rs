//! Small helpers to read text and to say where it went wrong.

/// The longest text an error repeats in full.
const SHOWN: usize = 80;

/// The text as an error repeats it: on one line and not longer than [`SHOWN`] characters.
pub(crate) fn shown(text: &str) -> String {
    let mut out: String = text
        .chars()
        .take(SHOWN)
        .map(|c| if c.is_control() { ' ' } else { c })
        .collect();
    if text.chars().nth(SHOWN).is_some() {
        out.push_str("...");
    }
    out
}

/// The place of `part`, a slice of `whole`, counted in characters from 1.
pub(crate) fn place(whole: &str, part: &str) -> usize {
    let bytes = (part.as_ptr() as usize).saturating_sub(whole.as_ptr() as usize);
    whole
        .char_indices()
        .take_while(|(i, _)| *i < bytes.min(whole.len()))
        .count()
        + 1
}

/// What is wrong with a text, and at which slice of it.
pub(crate) struct Trouble<'a> {
    pub(crate) part: &'a str,
    pub(crate) problem: String,
}

impl<'a> Trouble<'a> {
    pub(crate) fn new(part: &'a str, problem: impl Into<String>) -> Self {
        Trouble {
            part,
            problem: problem.into(),
        }
    }

    /// The trouble "after the end of the text".
    pub(crate) fn at_end(whole: &'a str, problem: impl Into<String>) -> Self {
        Trouble::new(&whole[whole.len()..], problem)
    }
}

/// Turns a [`Trouble`] into one of the public error types, which all have the same three fields.
macro_rules! located {
    ($error:ident, $whole:expr, $trouble:expr) => {{
        let trouble: $crate::text::Trouble<'_> = $trouble;
        $crate::$error {
            text: $crate::text::shown($whole),
            at: $crate::text::place($whole, trouble.part),
            problem: trouble.problem,
        }
    }};
}
pub(crate) use located;

/// A whole number of plain digits that is at most `max`, or what is wrong with it.
pub(crate) fn number<'a>(part: &'a str, what: &str, max: u32) -> Result<u32, Trouble<'a>> {
    if part.is_empty() {
        return Err(Trouble::new(part, format!("{what} is missing")));
    }
    if let Some(digits) = part.strip_prefix('-')
        && !digits.is_empty()
        && digits.bytes().all(|b| b.is_ascii_digit())
    {
        return Err(Trouble::new(part, format!("{what} must not be negative")));
    }
    if !part.bytes().all(|b| b.is_ascii_digit()) {
        return Err(Trouble::new(
            part,
            format!("{what} must be a whole number, not '{}'", shown(part)),
        ));
    }
    match part.parse::<u32>() {
        Ok(n) if n <= max => Ok(n),
        _ => Err(Trouble::new(part, format!("{what} is more than {max}"))),
    }
}

/// Implements serde by way of `Display` and `FromStr`.
macro_rules! serde_as_text {
    ($type:ty) => {
        impl serde::Serialize for $type {
            fn serialize<S: serde::Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
                to.collect_str(self)
            }
        }

        impl<'de> serde::Deserialize<'de> for $type {
            fn deserialize<D: serde::Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
                let text = <std::borrow::Cow<'de, str> as serde::Deserialize>::deserialize(from)?;
                text.parse().map_err(serde::de::Error::custom)
            }
        }
    };
}
pub(crate) use serde_as_text;

/// Whether a trimmed line of a list of positions or moves is to be skipped: it is empty, or it is a comment, `#` alone or
/// followed by a blank. A `#` followed by anything else begins a position of Isolation whose first cell is blocked.
pub fn is_remark(line: &str) -> bool {
    match line.strip_prefix('#') {
        Some(rest) => rest.is_empty() || rest.starts_with(char::is_whitespace),
        None => line.is_empty(),
    }
}
