//! Times as people write them: `100ms`, `2s`, `1.5s`, `1m`.

use std::time::Duration;
use thiserror::Error;

/// Why a text is not a time.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum DurationError {
    /// It has no unit or is not a number.
    #[error("'{0}' is not a time; times look like 100ms, 2s or 1.5m")]
    Malformed(String),
    /// It is longer than a year.
    #[error("'{0}' is more than a year")]
    TooLong(String),
}

/// Reads a time. It needs a unit (`us`, `ms`, `s`, `m`, `h`), may have a fraction, and is at most a year. It is rounded to
/// whole microseconds, so that it can be written exactly.
pub fn parse_duration(text: &str) -> Result<Duration, DurationError> {
    let wrong = || DurationError::Malformed(text.chars().take(40).collect());
    let digits = text
        .find(|c: char| !(c.is_ascii_digit() || c == '.'))
        .ok_or_else(wrong)?;
    let (number, unit) = text.split_at(digits);
    let number: f64 = number.parse().map_err(|_| wrong())?;
    let micros = match unit {
        "us" => number,
        "ms" => number * 1e3,
        "s" => number * 1e6,
        "m" | "min" => number * 60e6,
        "h" => number * 3_600e6,
        _ => return Err(wrong()),
    };
    if micros > 365.0 * 86_400e6 {
        return Err(DurationError::TooLong(text.chars().take(40).collect()));
    }
    Ok(Duration::from_micros(micros.round() as u64))
}

/// Writes a time so that [`parse_duration`] reads it back.
pub fn format_duration(time: Duration) -> String {
    let micros = time.as_micros();
    if micros.is_multiple_of(1_000_000) {
        format!("{}s", micros / 1_000_000)
    } else if micros.is_multiple_of(1_000) {
        format!("{}ms", micros / 1_000)
    } else {
        format!("{micros}us")
    }
}

/// Times as text in JSON: `#[serde(with = "duration_text")]`.
pub mod duration_text {
    use super::{format_duration, parse_duration};
    use serde::{Deserialize, Deserializer, Serializer, de::Error};
    use std::time::Duration;

    /// Writes a time.
    pub fn serialize<S: Serializer>(time: &Duration, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(&format_duration(*time))
    }

    /// Reads a time.
    pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Duration, D::Error> {
        parse_duration(&String::deserialize(from)?).map_err(Error::custom)
    }

    /// The same for a time that may be missing.
    pub mod option {
        use super::*;

        /// Writes a time, or nothing.
        pub fn serialize<S: Serializer>(time: &Option<Duration>, to: S) -> Result<S::Ok, S::Error> {
            match time {
                Some(time) => super::serialize(time, to),
                None => to.serialize_none(),
            }
        }

        /// Reads a time, or nothing.
        pub fn deserialize<'de, D: Deserializer<'de>>(
            from: D,
        ) -> Result<Option<Duration>, D::Error> {
            let text = Option::<String>::deserialize(from)?;
            text.map(|text| parse_duration(&text).map_err(Error::custom))
                .transpose()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_read_and_written() {
        for (text, micros) in [
            ("100ms", 100_000),
            ("2s", 2_000_000),
            ("1.5s", 1_500_000),
            ("0ms", 0),
            ("250us", 250),
            ("1m", 60_000_000),
            ("1.551us", 2),
            ("0.1234567s", 123_457),
        ] {
            let time = parse_duration(text).expect(text);
            assert_eq!(time.as_micros(), micros);
            assert_eq!(parse_duration(&format_duration(time)), Ok(time));
        }
        for text in [
            "",
            "5",
            "ms",
            "-1s",
            "1 s",
            "1x",
            "1.2.3s",
            "99999999999h",
            "inf",
            "nans",
        ] {
            assert!(parse_duration(text).is_err(), "{text}");
        }
    }
}
