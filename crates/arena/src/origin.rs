//! Where results come from: the program, the machine, the experiment, and when.

use serde::Serialize;
use std::fmt;

/// The program, machine and command that produced results.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Origin {
    /// The program's version.
    pub program: String,
    /// The commit it was built from, if that is known.
    pub commit: Option<String>,
    /// A description of the machine.
    pub machine: String,
    /// The command.
    pub command: String,
    /// The file of the experiment, word for word, if there was one.
    pub experiment: Option<String>,
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "kalahari {}", self.program)?;
        if let Some(commit) = &self.commit {
            write!(f, " ({commit})")?;
        }
        write!(f, " on {}", self.machine)
    }
}

/// A run that a store remembers, with the matches that it began or continued.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct StoredRun {
    /// Where it came from.
    #[serde(flatten)]
    pub origin: Origin,
    /// When it began, in seconds since 1970.
    pub began: i64,
    /// When its last match ended, in seconds since 1970.
    pub ended: i64,
    /// The ids of its matches.
    pub matches: Vec<String>,
}

/// A time in seconds since 1970 as readable text: `2026-11-17 18:40 UTC`.
pub fn date_text(seconds: i64) -> String {
    let (days, second) = (seconds.div_euclid(86_400), seconds.rem_euclid(86_400));
    let (year, month, day) = calendar(days);
    let (hour, minute) = (second / 3_600, second / 60 % 60);
    format!("{year:04}-{month:02}-{day:02} {hour:02}:{minute:02} UTC")
}

/// The date of a day, counted from 1970-01-01. Years start in March here, so that a leap day comes last.
fn calendar(days: i64) -> (i64, i64, i64) {
    const ERA: i64 = 146_097;
    let shifted = days + 719_468;
    let (era, day) = (shifted.div_euclid(ERA), shifted.rem_euclid(ERA));
    let year = (day - day / 1_460 + day / 36_524 - day / (ERA - 1)) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let day = day - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    (year + 400 * era + i64::from(month <= 2), month, day)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_have_dates() {
        for (seconds, text) in [
            (0, "1970-01-01 00:00 UTC"),
            (951_782_400, "2000-02-29 00:00 UTC"),
            (951_868_799, "2000-02-29 23:59 UTC"),
            (1_709_164_800, "2024-02-29 00:00 UTC"),
            (4_107_542_400, "2100-03-01 00:00 UTC"),
            (-86_400, "1969-12-31 00:00 UTC"),
        ] {
            assert_eq!(date_text(seconds), text);
        }
        // Every date follows the previous one.
        let mut last = calendar(-1);
        for day in 0..60_000 {
            let now = calendar(day);
            let next = (last.0, last.1, last.2 + 1);
            let first = now.2 == 1 && last.2 >= 28;
            assert!(now == next || first, "{last:?} {now:?}");
            last = now;
        }
    }
}
