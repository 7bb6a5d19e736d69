//! Rows of tables as CSV.

use std::fmt::Display;

/// A row: values with commas between them, in quotes where they need some.
pub(crate) fn csv_line(values: &[&dyn Display]) -> String {
    let quoted = values.iter().map(|value| {
        let text = value.to_string();
        match text.contains([',', '"', '\n', '\r']) {
            true => format!("\"{}\"", text.replace('"', "\"\"")),
            false => text,
        }
    });
    quoted.collect::<Vec<_>>().join(",") + "\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn odd_values_stand_in_quotes() {
        assert_eq!(
            csv_line(&[&1, &"a b", &"c,d", &"e\"f"]),
            "1,a b,\"c,d\",\"e\"\"f\"\n"
        );
    }
}
