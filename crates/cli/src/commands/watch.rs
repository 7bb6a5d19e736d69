//! `kalahari watch`: two agents play, and people watch.

use super::play::ShowFlags;
use crate::interrupt;
use crate::play::{self, App, Seat, Session};
use clap::Args;
use kalahari_agents::NamedAgent;
use kalahari_games::GameSpec;

/// Watch two agents play a game
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  kalahari watch level:3 level:6
  kalahari watch engine:time=200ms mcts isolation:queen
  kalahari watch random level:1 kalah:6x4 --plain --seed 7
  kalahari watch level:3 level:5 --json | jq -r .words

With --json every move is a line with ply, player (0 moves first), agent, move, the position after it, took_ms and
words; the last line has result (1-0, 0-1 or 1/2-1/2), winner, margin (player 0's), game, agents, seed, moves and words.

For many games and figures see `kalahari match`.")]
pub(crate) struct Watch {
    /// Who moves first (see `kalahari agents`)
    #[arg(value_name = "A")]
    first: NamedAgent,

    /// Who moves second
    #[arg(value_name = "B")]
    second: NamedAgent,

    /// The game, such as kalah:6x4 or isolation:queen (see `kalahari games`)
    #[arg(default_value = "kalah:6x6:standard")]
    game: GameSpec,

    /// Print a line of JSON for every move and a last one with the result, without pauses between moves
    #[arg(long, conflicts_with_all = ["plain", "no_animation", "speed"])]
    json: bool,

    #[command(flatten)]
    show: ShowFlags,
}

impl Watch {
    pub(crate) fn run(self) -> anyhow::Result<()> {
        let seats = [Seat::Agent(self.first), Seat::Agent(self.second)];
        let mut session = Session::at_start(self.game, seats, self.show.rng_seed());
        play::check_seats(&session)?;
        if self.json {
            interrupt::end_at_once();
            return play::stream(session);
        }
        session.pits_from = self.show.pits_from();
        match self.show.is_plain() {
            true => self.show.run_plain(session),
            false => play::run(App::with_session(session, self.show.pace())),
        }
    }
}
