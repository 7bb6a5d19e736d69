//! What a position or a move is worth, in words short enough for a pit.

use kalahari_games::Verdict;
use kalahari_terms::{Score, Worth};

/// In at most five characters: `+3`, `-1.5`, `win`, `55%`.
pub(crate) fn short(score: Score) -> String {
    match score.worth() {
        Worth::Margin(0) if score.is_proven() => "0".to_owned(),
        Worth::Margin(margin) if score.is_proven() => format!("{margin:+}"),
        Worth::Margin(margin) => verdict(Verdict::of_margin(margin)).to_owned(),
        Worth::Result(known) => verdict(known).to_owned(),
        Worth::Seeds(amount) | Worth::Cells(amount) | Worth::Points(amount) => match amount {
            _ if amount.abs() < 0.05 => "0".to_owned(),
            _ if amount.abs() < 9.95 && amount.fract() != 0.0 => format!("{amount:+.1}"),
            _ => format!("{amount:+.0}"),
        },
        Worth::Share(share) => format!("{:.0}%", 100.0 * share),
    }
}

fn verdict(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Win => "win",
        Verdict::Draw => "draw",
        Verdict::Loss => "loss",
    }
}

/// In at most `room` characters, if that can be done without saying something false.
pub(crate) fn within(score: Score, room: u16) -> String {
    let text = short(score);
    match score.worth() {
        Worth::Seeds(amount) | Worth::Cells(amount) | Worth::Points(amount)
            if text.len() > usize::from(room) =>
        {
            format!("{amount:+.0}")
        }
        _ => text,
    }
}

/// In words, for the score's player.
pub(crate) fn words(score: Score) -> String {
    let proven = score.is_proven();
    match score.worth() {
        Worth::Margin(0) | Worth::Result(Verdict::Draw) if proven => "a proven draw".to_owned(),
        Worth::Margin(margin @ 1..) if proven => format!("proven to win by {margin}"),
        Worth::Margin(margin) if proven => format!("proven to lose by {}", -margin),
        Worth::Result(Verdict::Win) if proven => "proven to win".to_owned(),
        Worth::Result(_) if proven => "proven to lose".to_owned(),
        Worth::Margin(margin) => looks(Verdict::of_margin(margin)).to_owned(),
        Worth::Result(verdict) => looks(verdict).to_owned(),
        Worth::Seeds(amount) if amount.abs() < 0.5 => "about even in the end".to_owned(),
        Worth::Seeds(amount) => {
            let side = if amount > 0.0 { "ahead" } else { "behind" };
            format!("about {:.0} {side} in the end", amount.abs())
        }
        Worth::Cells(_) | Worth::Points(_) => format!("estimate {}", short(score)),
        Worth::Share(_) => format!("wins {} of the time", short(score)),
    }
}

fn looks(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Win => "looks won",
        Verdict::Draw => "looks drawn",
        Verdict::Loss => "looks lost",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use kalahari_games::Player::First;

    #[test]
    fn values_are_short() {
        let proven = |worth| short(Score::proven(First, worth));
        let estimate = |worth| short(Score::estimate(First, worth));
        assert_eq!(proven(Worth::Margin(12)), "+12");
        assert_eq!(proven(Worth::Margin(3)), "+3");
        assert_eq!(proven(Worth::Margin(0)), "0");
        assert_eq!(estimate(Worth::Seeds(-2.5)), "-2.5");
        assert_eq!(estimate(Worth::Seeds(30.0)), "+30");
        assert_eq!(estimate(Worth::Share(0.551)), "55%");
        assert_eq!(estimate(Worth::Margin(4)), "win");
        assert_eq!(proven(Worth::Result(Verdict::Loss)), "loss");
        assert_eq!(estimate(Worth::Cells(7.0)), "+7");
        let narrow = Score::estimate(First, Worth::Seeds(-2.4));
        assert_eq!(within(narrow, 3), "-2");
    }

    #[test]
    fn words_say_what_is_proven() {
        let proven = |worth| words(Score::proven(First, worth));
        let estimate = |worth| words(Score::estimate(First, worth));
        assert_eq!(proven(Worth::Margin(-4)), "proven to lose by 4");
        assert_eq!(estimate(Worth::Margin(-4)), "looks lost");
        assert_eq!(proven(Worth::Result(Verdict::Draw)), "a proven draw");
        assert_eq!(estimate(Worth::Seeds(2.6)), "about 3 ahead in the end");
        assert_eq!(estimate(Worth::Cells(2.0)), "estimate +2");
    }
}
