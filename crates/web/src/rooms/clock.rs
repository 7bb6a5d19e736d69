//! The clocks of a game: a time for all moves, and an increment for every move.

use kalahari_games::Player;
use kalahari_wire::room::{ClockSetting, ClockView};
use std::time::Duration;

/// Two clocks, of which at most one runs. Times are those of a [`kalahari_terms::Clock`].
#[derive(Clone, Debug)]
pub(crate) struct GameClock {
    setting: ClockSetting,
    left: [Duration; 2],
    /// Whose clock runs, and since when.
    running: Option<(Player, Duration)>,
}

impl GameClock {
    pub(crate) fn new(setting: ClockSetting) -> Self {
        let all = Duration::from_secs(60 * u64::from(setting.minutes));
        GameClock::with(setting, [all, all])
    }

    /// Clocks that have run before.
    pub(crate) fn with(setting: ClockSetting, left: [Duration; 2]) -> Self {
        GameClock {
            setting,
            left,
            running: None,
        }
    }

    pub(crate) fn setting(&self) -> ClockSetting {
        self.setting
    }

    /// What is left to both.
    pub(crate) fn left(&self, now: Duration) -> [Duration; 2] {
        let mut left = self.left;
        if let Some((player, since)) = self.running {
            let own = &mut left[player.index()];
            *own = own.saturating_sub(now.saturating_sub(since));
        }
        left
    }

    /// Starts a player's clock at a moment, which may be in the future, and stops the other one.
    pub(crate) fn run(&mut self, player: Player, now: Duration, from: Duration) {
        self.stop(now);
        self.running = Some((player, from));
    }

    /// If a player's clock has not started yet, it starts now.
    pub(crate) fn wait_no_longer(&mut self, player: Player, now: Duration) {
        if let Some((running, since)) = &mut self.running
            && *running == player
        {
            *since = (*since).min(now);
        }
    }

    /// The player whose clock runs has moved: the clock stops and the increment is added.
    pub(crate) fn moved(&mut self, now: Duration) {
        let mover = self.running;
        self.stop(now);
        if let Some((player, _)) = mover {
            self.left[player.index()] += Duration::from_secs(self.setting.increment.into());
        }
    }

    /// Stops both clocks.
    pub(crate) fn stop(&mut self, now: Duration) {
        self.left = self.left(now);
        self.running = None;
    }

    /// The player whose time is up, if any.
    pub(crate) fn late(&self, now: Duration) -> Option<Player> {
        let (player, _) = self.running?;
        self.left(now)[player.index()].is_zero().then_some(player)
    }

    pub(crate) fn view(&self, now: Duration) -> ClockView {
        ClockView {
            setting: self.setting,
            left_ms: self.left(now).map(|left| left.as_millis() as u64),
            running: self.running.map(|(player, _)| player.into()),
        }
    }
}
