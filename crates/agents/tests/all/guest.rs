//! Agents that the host program provides.

use kalahari_agents::{AgentSpec, AnyReport, Guest, Player, fingerprint};
use kalahari_games::{AnyGame, Game};
use kalahari_search::Agent;
use kalahari_terms::{Failure, Limits, Stop};
use std::sync::Arc;

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
    ) -> Result<AnyReport, kalahari_terms::Failure> {
        let best = self.0.moves(&task.position).next();
        Ok(AnyReport {
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
fn guests_play_and_are_distinguished_by_their_checksums() {
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
    // Only the host program can make one.
    assert!("guest:friend".parse::<AgentSpec>().is_err());
    assert!(AgentSpec::guest("a\nb", Arc::new(Friend("1"))).is_err());
}
