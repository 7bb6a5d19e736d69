//! Claims about positions, and what they require of the positions after each move.
//!
//! Everything here follows from the rules of the game. A position is identified by its [`Content`]: seeds in the stores are
//! banked and no longer matter, and neither does which player is called the first. Values are *future* margins: what the
//! player to move will bank from now on minus what the opponent will bank.

use crate::ProveError;
use kalahari_games::kalah::KalahSetup;
use kalahari_games::{AnyGame, AnyMove, AnyPosition, Game, GameSpec, Player, View};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// The seeds in the pits: those of the player to move, then the opponent's, each in their own order of sowing.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Content(Vec<u16>);

impl Content {
    /// All seeds in the pits.
    pub fn seeds(&self) -> i32 {
        let seeds = self.0.iter().map(|&seeds| i32::from(seeds));
        // Untrusted input may have more pits than any board.
        seeds.fold(0, |sum, seeds| sum.saturating_add(seeds).min(i32::MAX / 4))
    }

    /// The seeds in the pits, one after the other.
    pub fn pits(&self) -> &[u16] {
        &self.0
    }

    /// The position with empty stores; the first player is to move.
    fn setup(&self) -> KalahSetup {
        let (mover, opponent) = self.0.split_at(self.0.len() / 2);
        KalahSetup {
            houses: [mover, &[0], opponent, &[0]].concat(),
            player: Player::First,
        }
    }

    /// The content of a position's pits.
    fn of(setup: &KalahSetup) -> Self {
        let half = setup.houses.len() / 2;
        let (first, second) = setup.houses.split_at(half);
        let (mover, opponent) = match setup.player {
            Player::First => (first, second),
            Player::Second => (second, first),
        };
        Content([&mover[..half - 1], &opponent[..half - 1]].concat())
    }
}

impl fmt::Display for Content {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, seeds) in self.0.iter().enumerate() {
            let between = if i == 0 { "" } else { " " };
            write!(f, "{between}{seeds}")?;
        }
        Ok(())
    }
}

impl FromStr for Content {
    type Err = NotContent;

    fn from_str(text: &str) -> Result<Self, NotContent> {
        let numbers: Option<Vec<u16>> = text.split(' ').map(|word| word.parse().ok()).collect();
        numbers
            .map(Content)
            .filter(|content| content.0.len() >= 2 && content.0.len().is_multiple_of(2))
            .filter(|content| content.to_string() == text)
            .ok_or(NotContent)
    }
}

impl From<Content> for String {
    fn from(content: Content) -> Self {
        content.to_string()
    }
}

impl TryFrom<String> for Content {
    type Error = NotContent;

    fn try_from(text: String) -> Result<Self, NotContent> {
        text.parse()
    }
}

/// A text does not describe the content of pits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("not the content of a board's pits")]
pub struct NotContent;

/// The claim that the future margin of a position is at least some number.
///
/// Margins have the same parity as the number of seeds in the pits, so a claim is rounded up to the next margin with that parity. Of all
/// claims that the number of seeds alone decides, only two are used: the lowest that cannot hold, and the highest that cannot fail.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Claim {
    /// The position.
    pub content: Content,
    /// The future margin that the player to move is claimed to reach.
    pub margin: i32,
}

impl Claim {
    /// The claim that the player to move reaches at least `margin`.
    pub fn new(content: Content, margin: i32) -> Self {
        let seeds = content.seeds();
        let margin = margin.clamp(-seeds, seeds + 2);
        let margin = margin + (margin + seeds).rem_euclid(2);
        Claim { content, margin }
    }

    /// Whether the claim holds, if the number of seeds alone decides it.
    pub fn is_trivial(&self) -> Option<bool> {
        let seeds = self.content.seeds();
        if self.margin <= -seeds {
            Some(true)
        } else if self.margin > seeds {
            Some(false)
        } else {
            None
        }
    }
}

impl fmt::Display for Claim {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} at least {:+}", self.content, self.margin)
    }
}

/// What a claim requires after one of the moves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    /// The game is over; whether the mover has reached the claim.
    Over(bool),
    /// The mover moves again, and reaches the claim if this one holds.
    IfHolds(Claim),
    /// It is the opponent's turn, and the mover reaches the claim unless this one holds.
    Unless(Claim),
}

/// The rules of a Kalah game, as far as proofs need them.
#[derive(Clone, Debug)]
pub struct Rules {
    game: AnyGame,
}

impl Rules {
    /// The rules of a game. The end by majority is ignored, which does not change who wins.
    pub fn new(spec: GameSpec) -> Result<Self, ProveError> {
        match spec {
            GameSpec::Kalah(kalah) => {
                let spec = GameSpec::Kalah(kalah.with_majority(false));
                let game = AnyGame::with_any_total(spec, kalah.total());
                Ok(Rules { game })
            }
            GameSpec::Isolation(_) => Err(ProveError::NotKalah(spec)),
        }
    }

    /// The game.
    pub fn game(&self) -> &AnyGame {
        &self.game
    }

    /// The content of a position, and the lead of the player to move in the stores.
    pub fn content(&self, position: &AnyPosition) -> Result<(Content, i32), ProveError> {
        let View::Kalah(setup) = self.game.view(position) else {
            return Err(ProveError::NotKalah(self.game.spec()));
        };
        let half = setup.houses.len() / 2;
        let lead = i32::from(setup.houses[half - 1]) - i32::from(setup.houses[2 * half - 1]);
        Ok((Content::of(&setup), lead * setup.player.sign()))
    }

    /// Rounds a final margin up to the next one that is possible for the player to move, given the parity of the seeds. Margins beyond all
    /// seeds become the nearest margin that is certain, or impossible, to reach.
    pub fn goal_margin(&self, position: &AnyPosition, margin: i32) -> Result<i32, ProveError> {
        let (content, lead) = self.content(position)?;
        Ok(Claim::new(content, margin.saturating_sub(lead)).margin + lead)
    }

    /// The position with this content and empty stores; an error if it does not fit the board.
    pub fn position(&self, content: &Content) -> Result<AnyPosition, ProveError> {
        Ok(self.game.position(&View::Kalah(content.setup()))?)
    }

    /// What a claim requires after each move, in the order of the moves. Empty if the game is over.
    pub fn steps(&self, claim: &Claim) -> Result<Vec<(AnyMove, Step)>, ProveError> {
        let game = &self.game;
        let before = self.position(&claim.content)?;
        let step = |mv| {
            let after = game.play_unchecked(&before, mv);
            let (content, lead) = self.content(&after)?;
            let again = game.to_move(&after) == game.to_move(&before);
            let gain = if again { lead } else { -lead };
            Ok((
                mv,
                step_of(game.is_over(&after), claim, content, gain, again),
            ))
        };
        game.moves(&before).map(step).collect()
    }
}

fn step_of(over: bool, claim: &Claim, content: Content, gain: i32, again: bool) -> Step {
    if over {
        return Step::Over(gain >= claim.margin);
    }
    match again {
        true => Step::IfHolds(Claim::new(content, claim.margin - gain)),
        // The opponent must not get more than gain - margin.
        false => Step::Unless(Claim::new(content, gain - claim.margin + 1)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rules(game: &str) -> Rules {
        Rules::new(game.parse().expect("a game")).expect("Kalah")
    }

    #[test]
    fn contents_are_read_as_they_are_written() {
        let content: Content = "1 0 3 4".parse().expect("a content");
        assert_eq!(
            (content.to_string().as_str(), content.seeds()),
            ("1 0 3 4", 8)
        );
        for bad in [
            "",
            "1",
            "1 2 3",
            "1  2",
            "01 2",
            "a 2",
            "-1 2",
            "99999999 1",
        ] {
            assert_eq!(bad.parse::<Content>(), Err(NotContent), "{bad}");
        }
    }

    #[test]
    fn no_margin_is_too_large_to_be_claimed() {
        let content: Content = "1 0 3 4".parse().expect("a content");
        for (asked, claimed, holds) in [
            (i32::MIN, -8, Some(true)),
            (-9, -8, Some(true)),
            (-7, -6, None),
            (7, 8, None),
            (8, 8, None),
            (9, 10, Some(false)),
            (i32::MAX, 10, Some(false)),
        ] {
            let claim = Claim::new(content.clone(), asked);
            assert_eq!(
                (claim.margin, claim.is_trivial()),
                (claimed, holds),
                "{asked}"
            );
        }
        let many = "65535 ".repeat(100_000) + "1 1";
        let many: Content = many.parse().expect("a content");
        assert_eq!(Claim::new(many, i32::MAX).is_trivial(), Some(false));
    }

    #[test]
    fn steps_follow_the_rules() {
        let rules = rules("kalah:2x2");
        let start = rules.game().start();
        let (content, lead) = rules.content(&start).expect("Kalah");
        assert_eq!((content.to_string().as_str(), lead), ("2 2 2 2", 0));
        let steps = rules.steps(&Claim::new(content, 1)).expect("a position");
        let texts: Vec<String> = steps.iter().map(|(_, step)| format!("{step:?}")).collect();
        // Pit 0 ends in the store: another turn, one seed banked. Pit 1 banks one and sows one beyond.
        assert!(texts[0].starts_with("IfHolds"), "{texts:?}");
        assert!(texts[1].starts_with("Unless"), "{texts:?}");
        let Step::IfHolds(claim) = &steps[0].1 else {
            panic!("{texts:?}")
        };
        assert_eq!(claim.to_string(), "0 3 2 2 at least +1");
        let Step::Unless(claim) = &steps[1].1 else {
            panic!("{texts:?}")
        };
        assert_eq!(claim.to_string(), "3 2 2 0 at least +1");
    }
}
