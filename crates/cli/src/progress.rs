//! Live progress on a terminal.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use kalahari_arena::stats::{EloModel, Sprt};
use kalahari_arena::{Progress, Summary};
use std::time::{Duration, Instant};

/// A bar on standard error; nothing where that is not a terminal.
pub(crate) struct Bar {
    bar: ProgressBar,
    model: EloModel,
    sprt: Option<Sprt>,
    shown: Option<Instant>,
}

/// Statistics are worked out at most this often.
const EVERY: Duration = Duration::from_millis(100);

impl Bar {
    pub(crate) fn new(games: u32, model: EloModel, sprt: Option<Sprt>) -> Self {
        let bar =
            ProgressBar::with_draw_target(Some(u64::from(games)), ProgressDrawTarget::stderr());
        if let Ok(style) = ProgressStyle::with_template("{wide_bar} {pos}/{len}\n{msg}") {
            bar.set_style(style);
        }
        Bar {
            bar,
            model,
            sprt,
            shown: None,
        }
    }

    /// Names what the next games are.
    pub(crate) fn begin(&mut self, title: &str) {
        self.bar.reset();
        self.bar.set_prefix(title.to_owned());
        self.shown = None;
    }

    pub(crate) fn show(&mut self, progress: &Progress<'_>) {
        if self.bar.is_hidden() || self.shown.is_some_and(|at| at.elapsed() < EVERY) {
            return;
        }
        self.shown = Some(Instant::now());
        self.bar.set_length(u64::from(progress.games));
        self.bar.set_position(u64::from(progress.finished));
        let summary = Summary::new(progress.counter.tally(), self.model, self.sprt.as_ref());
        let elo = match (summary.elo, summary.elo_error) {
            (Some(elo), Some(error)) => format!("{elo:+.1} +/- {error:.1}"),
            _ if summary.score > 0.5 => "inf".to_owned(),
            _ => "-inf".to_owned(),
        };
        let llr = summary.sprt.map_or(String::new(), |sprt| {
            format!(
                ", LLR {:.2} ({:.2}, {:.2})",
                sprt.llr, sprt.lower, sprt.upper
            )
        });
        let left = progress
            .time_left()
            .map_or(String::new(), |left| format!(", {} s left", left.as_secs()));
        let title = match self.bar.prefix() {
            title if title.is_empty() => title,
            title => format!("{title}: "),
        };
        self.bar.set_message(format!(
            "{title}+{} ={} -{} ({:.1}%), Elo {elo}, LOS {:.1}%, Ptnml {:?}{llr}{left}",
            summary.wins,
            summary.draws,
            summary.losses,
            100.0 * summary.score,
            100.0 * summary.los,
            summary.pentanomial
        ));
    }

    pub(crate) fn finish(&self) {
        self.bar.finish_and_clear();
    }
}
