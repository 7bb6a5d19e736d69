//! What people call themselves, as it may be shown to others.

/// The longest name of a person, in characters.
const LONGEST: usize = 24;

/// A name of at most 24 characters on one line; characters that cannot be seen, or that disturb the text around them, are left out. Empty if
/// nothing is left.
pub(crate) fn shown_name(name: &str) -> String {
    let plain = |c: char| if is_blank(c) { ' ' } else { c };
    let kept = name.chars().map(plain).filter(|&c| !is_unseen(c));
    let name: String = kept.take(LONGEST).collect();
    name.trim().to_owned()
}

fn is_blank(c: char) -> bool {
    // Letters that look like a space: the fillers of Hangul and an empty cell of Braille.
    c.is_whitespace()
        || matches!(
            c,
            '\u{115f}' | '\u{1160}' | '\u{2800}' | '\u{3164}' | '\u{ffa0}'
        )
}

/// Control characters, marks of direction, joiners, selectors and tags.
fn is_unseen(c: char) -> bool {
    c.is_control()
        || matches!(c,
            '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{17b4}' | '\u{17b5}' | '\u{180b}'..='\u{180f}'
            | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}'
            | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{fff0}'..='\u{fffb}'
            | '\u{1bca0}'..='\u{1bca3}' | '\u{1d173}'..='\u{1d17a}' | '\u{e0000}'..='\u{e0fff}')
}

#[cfg(test)]
mod tests {
    use super::shown_name;

    #[test]
    fn a_name_is_what_can_be_seen_of_it() {
        for unseen in [
            "",
            " \t\n",
            "\u{200b}\u{200d}",
            "\u{ad}\u{ad}",
            "\u{3164}",
            "\u{2800} \u{115f}",
            "\u{fe0f}\u{e0041}",
            "\u{202e}\u{1}",
        ] {
            assert_eq!(shown_name(unseen), "", "{unseen:?}");
        }
        assert_eq!(shown_name(" Ada\u{202e}\nL\u{200b}. "), "Ada L.");
        assert_eq!(shown_name("林小姐"), "林小姐");
        assert_eq!(shown_name(&"é".repeat(30)).chars().count(), 24);
    }
}
