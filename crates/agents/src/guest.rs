//! Agents that a host program brings along, such as a function written in Python.

use kalahari_games::AnyGame;
use kalahari_search::Agent;
use kalahari_terms::Failure;
use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

/// Somebody from outside who plays like one of ours.
pub trait Guest: Send + Sync {
    /// A fresh agent for a game, or why there is none.
    fn agent(&self, game: &AnyGame) -> Result<Box<dyn Agent<AnyGame>>, Failure>;

    /// What tells this guest from every other of the same name, such as a checksum of its source: matches of equal guests go
    /// on with each other. Whoever does not know must answer something that nobody else does.
    fn checksum(&self) -> &str;
}

/// A guest as a part of a spec: equal if the checksums are.
#[derive(Clone)]
pub(crate) struct Invited(pub(crate) Arc<dyn Guest>);

impl fmt::Debug for Invited {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Guest({})", self.0.checksum())
    }
}

impl PartialEq for Invited {
    fn eq(&self, other: &Self) -> bool {
        self.0.checksum() == other.0.checksum()
    }
}

impl Eq for Invited {}

impl Hash for Invited {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.0.checksum().hash(state);
    }
}

impl PartialOrd for Invited {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Invited {
    fn cmp(&self, other: &Self) -> Ordering {
        self.0.checksum().cmp(other.0.checksum())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{AgentSpec, Player, fingerprint};
    use kalahari_games::Game;
    use kalahari_terms::{Limits, Stop};

    struct Friend(&'static str);

    impl Guest for Friend {
        fn agent(&self, game: &AnyGame) -> Result<Box<dyn Agent<AnyGame>>, Failure> {
            match game.has_margins() {
                true => Ok(Box::new(Erased(game.clone()))),
                false => Err(Failure::Crashed("knows no such game".to_owned())),
            }
        }

        fn checksum(&self) -> &str {
            self.0
        }
    }

    /// Plays the first legal move.
    struct Erased(AnyGame);

    impl Agent<AnyGame> for Erased {
        fn think(
            &mut self,
            task: kalahari_search::Task<'_, AnyGame>,
        ) -> Result<crate::AnyReport, kalahari_terms::Failure> {
            let best = self.0.moves(&task.position).next();
            Ok(crate::AnyReport {
                best,
                score: kalahari_terms::Score::unknown(self.0.to_move(&task.position)),
                line: best.into_iter().collect(),
                moves: Vec::new(),
                depth: 0,
                nodes: 0,
                outlook: None,
                elapsed: std::time::Duration::ZERO,
            })
        }

        fn forget(&mut self, _: u64) {}

        fn is_deterministic(&self) -> bool {
            true
        }
    }

    #[test]
    fn a_guest_plays_and_is_told_apart() {
        let guest = |sum| AgentSpec::guest("friend", Arc::new(Friend(sum))).expect("a guest");
        let (one, two) = (guest("1"), guest("2"));
        assert_eq!(one.to_string(), "guest:friend");
        assert_eq!(one, guest("1"));
        assert_ne!(one, two);
        assert!(one < two);
        let kalah = AnyGame::new("kalah:6x4".parse().expect("a game"));
        let mut player = Player::new(&one, &kalah, 1).expect("a player");
        let report = player.choose(&kalah.start(), Limits::NONE, &Stop::new());
        assert!(report.expect("a move").best.is_some());
        let files = |spec| fingerprint(spec, &kalah).expect("known");
        assert_eq!(
            files(&two).changes(&files(&one)),
            ["guest:friend has changed"]
        );
        let queen = AnyGame::new("isolation:queen".parse().expect("a game"));
        let refused = Player::new(&one, &queen, 1).map(|_| ()).expect_err("none");
        assert!(
            refused
                .to_string()
                .contains("guest:friend': knows no such game")
        );
        // Only the host can make one.
        assert!("guest:friend".parse::<AgentSpec>().is_err());
        assert!(AgentSpec::guest("a\nb", Arc::new(Friend("1"))).is_err());
    }
}
