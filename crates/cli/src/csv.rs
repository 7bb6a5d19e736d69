//! Rows of tables as CSV.

use std::fmt::Display;

/// A row: values with commas between them, in quotes where they need them.
pub(crate) fn csv_line<T: Display>(values: &[T]) -> String {
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
            csv_line::<&dyn Display>(&[&1, &"a b", &"c,d", &"e\"f"]),
            "1,a b,\"c,d\",\"e\"\"f\"\n"
        );
    }
}
