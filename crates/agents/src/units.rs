//! Times as people write them: `100ms`, `2s`, `1.5s`, `1m`.

use std::time::Duration;

/// Reads a time. It needs a unit (`us`, `ms`, `s`, `m`, `h`), may have a fraction, and is at most a year.
pub fn parse_duration(text: &str) -> Result<Duration, String> {
    let wrong = || format!("'{text}' is not a time; times look like 100ms, 2s or 1.5m");
    let digits = text
        .find(|c: char| !(c.is_ascii_digit() || c == '.'))
        .ok_or_else(wrong)?;
    let (number, unit) = text.split_at(digits);
    let number: f64 = number.parse().map_err(|_| wrong())?;
    let seconds = match unit {
        "us" => number / 1e6,
        "ms" => number / 1e3,
        "s" => number,
        "m" | "min" => number * 60.0,
        "h" => number * 3_600.0,
        _ => return Err(wrong()),
    };
    if seconds > 365.0 * 86_400.0 {
        return Err(format!("'{text}' is more than a year"));
    }
    Duration::try_from_secs_f64(seconds).map_err(|_| wrong())
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
