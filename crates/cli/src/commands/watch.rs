//! `kalahari watch`: two agents play, and people look on.

use super::play::{ShowFlags, check_seats};
use crate::play::{self, App, Seat, Session};
use clap::Args;
use kalahari_agents::AgentSpec;
use kalahari_games::GameSpec;

/// Watch two agents play a game
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  kalahari watch level:3 level:6
  kalahari watch engine:time=200ms mcts isolation:queen
  kalahari watch random level:1 kalah:6x4 --plain --seed 7

For many games and figures see `kalahari match`.")]
pub(crate) struct Watch {
    /// Who moves first (see `kalahari agents`)
    #[arg(value_name = "A")]
    first: AgentSpec,

    /// Who moves second
    #[arg(value_name = "B")]
    second: AgentSpec,

    /// The game, such as kalah:6x4 or isolation:queen (see `kalahari games`)
    #[arg(default_value = "kalah:6x6:standard")]
    game: GameSpec,

    #[command(flatten)]
    show: ShowFlags,
}

impl Watch {
    pub(crate) fn run(self) -> anyhow::Result<()> {
        let seats = [Seat::Agent(self.first), Seat::Agent(self.second)];
        check_seats(&seats, self.game)?;
        let session =
            Session::new(self.game, None, seats, self.show.seed()).map_err(anyhow::Error::msg)?;
        match self.show.is_plain() {
            true => self.show.run_plain(session),
            false => play::run(App::with_session(session, self.show.pace())),
        }
    }
}
