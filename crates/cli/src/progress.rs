//! Live progress on a terminal.

use crate::notices::SOON_IN_A_PIPE;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressFinish, ProgressStyle};
use kalahari_agents::NamedAgent;
use kalahari_arena::stats::{EloModel, Sprt};
use kalahari_arena::{MatchNews, Progress, Summary, unsigned_zero};
use kalahari_exact::Bounds;
use kalahari_exact::kalah::{Glimpse, MoveState};
use kalahari_exact::prover::{News, Prover};
use std::fmt;
use std::io::IsTerminal;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// A bar on standard error; where that is not a terminal, a line every half minute.
pub(crate) struct Bar {
    bar: ProgressBar,
    model: EloModel,
    sprt: Option<Sprt>,
    /// When something was shown last; at the beginning that is long ago on a terminal, and now elsewhere.
    shown: Option<Instant>,
    /// Without a terminal: when the search for openings was last mentioned, and how long it is not mentioned again.
    looking: Option<(Instant, Duration)>,
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
            shown: bar.is_hidden().then(Instant::now),
            bar,
            model,
            sprt,
            looking: None,
        }
    }

    /// Shows what a match says.
    pub(crate) fn hear(&mut self, news: &MatchNews<'_>) {
        match news {
            MatchNews::Openings { found, wanted } => self.looking(*found, *wanted),
            MatchNews::Game(progress) => self.show(progress),
        }
    }

    fn looking(&mut self, found: usize, wanted: usize) {
        let line = format!("looking for balanced openings: {found} of {wanted} found");
        if !self.bar.is_hidden() {
            self.bar.set_message(line);
            self.bar.tick();
            return;
        }
        let now = Instant::now();
        let (last, quiet) = *self.looking.get_or_insert((now, SOON_IN_A_PIPE));
        if now - last >= quiet {
            eprintln!("kalahari: {line}");
            self.looking = Some((now, A_TICK_EVERY));
        }
    }

    /// Names what the next games are.
    pub(crate) fn begin(&mut self, title: &str) {
        self.bar.reset();
        self.bar.set_prefix(title.to_owned());
        if !self.bar.is_hidden() {
            self.shown = None;
        }
    }

    fn show(&mut self, progress: &Progress<'_>) {
        let every = match self.bar.is_hidden() {
            true => A_TICK_EVERY,
            false => EVERY,
        };
        if self.shown.is_some_and(|at| at.elapsed() < every) {
            return;
        }
        self.shown = Some(Instant::now());
        self.bar.set_length(u64::from(progress.games));
        self.bar.set_position(u64::from(progress.finished));
        let summary = Summary::new(progress.counter.tally(), self.model, self.sprt.as_ref());
        let title = self.bar.prefix();
        let line = match_text(&title, &summary, progress.time_left());
        match self.bar.is_hidden() {
            true => eprintln!(
                "kalahari: game {} of {}, {line}",
                progress.finished, progress.games
            ),
            false => self.bar.set_message(line),
        }
    }

    pub(crate) fn finish(&self) {
        self.bar.finish_and_clear();
    }
}

/// How a match stands; after a colon if it has a title.
fn match_text(title: &str, summary: &Summary, left: Option<Duration>) -> String {
    let elo = summary.elo.map(|elo| unsigned_zero(elo, 1));
    let elo = match (elo, summary.elo_error) {
        (Some(elo), Some(error)) => format!("{elo:+.1} +/- {error:.1}"),
        (Some(elo), None) => format!("{elo:+.1} +/- unknown"),
        _ if summary.score >= 1.0 => "inf".to_owned(),
        _ if summary.score <= 0.0 => "-inf".to_owned(),
        _ => "unknown".to_owned(),
    };
    let llr = summary.sprt.as_ref().map_or(String::new(), |sprt| {
        format!(
            ", LLR {:.2} ({:.2}, {:.2})",
            sprt.llr, sprt.lower, sprt.upper
        )
    });
    let left = left.map_or(String::new(), |left| format!(", {} s left", left.as_secs()));
    let title = match title {
        "" => String::new(),
        title => format!("{title}: "),
    };
    format!(
        "{title}+{} ={} -{} ({:.1}%), Elo {elo}, LOS {:.1}%, Ptnml {:?}{llr}{left}",
        summary.wins,
        summary.draws,
        summary.losses,
        100.0 * summary.score,
        100.0 * summary.los,
        summary.pentanomial
    )
}

/// One line that says what is under way: on a terminal it changes, elsewhere there is one every half minute.
pub(crate) struct Ticker {
    bar: ProgressBar,
    shown: Instant,
}

/// How often a [`Ticker`] says something where there is no terminal.
const A_TICK_EVERY: Duration = Duration::from_secs(30);

impl Ticker {
    pub(crate) fn new() -> Self {
        let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr());
        if let Ok(style) = ProgressStyle::with_template("{wide_msg}") {
            bar.set_style(style);
        }
        Ticker {
            bar,
            shown: Instant::now(),
        }
    }

    /// Shows a line, if it is time for one.
    pub(crate) fn show(&mut self, line: impl FnOnce() -> String) {
        let every = match self.bar.is_hidden() {
            true => A_TICK_EVERY,
            false => EVERY,
        };
        if self.shown.elapsed() < every {
            return;
        }
        self.shown = Instant::now();
        match self.bar.is_hidden() {
            true => eprintln!("kalahari: {}", line()),
            false => {
                self.bar.set_message(line());
                self.bar.tick();
            }
        }
    }

    pub(crate) fn clear(&self) {
        self.bar.finish_and_clear();
    }
}

/// A line that says that something is under way: on a terminal it changes, elsewhere there is one every ten seconds.
pub(crate) struct Spinner {
    bar: ProgressBar,
    title: String,
    told: Mutex<Instant>,
}

/// How often a line is printed where there is no terminal.
const PLAIN_EVERY: Duration = Duration::from_secs(10);

impl Spinner {
    pub(crate) fn new(title: &str) -> Self {
        let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr());
        if let Ok(style) = ProgressStyle::with_template("{spinner} {msg}") {
            bar.set_style(style);
        }
        bar.set_message(title.to_owned());
        bar.enable_steady_tick(EVERY);
        Spinner {
            bar,
            title: title.to_owned(),
            told: Mutex::new(Instant::now()),
        }
    }

    /// Shows the progress.
    pub(crate) fn show(&self, words: &str) {
        let line = format!("{}: {words}", self.title);
        let mut told = self.told.lock().unwrap_or_else(PoisonError::into_inner);
        if self.bar.is_hidden() && told.elapsed() >= PLAIN_EVERY {
            eprintln!("{line}");
            *told = Instant::now();
        }
        self.bar.set_message(line);
    }

    pub(crate) fn finish(&self) {
        self.bar.finish_and_clear();
    }
}

/// Says that programs are asked for a first move, until the first game is over; nothing if there are no programs.
pub(crate) struct Asking(Option<Spinner>);

impl Asking {
    pub(crate) fn new(agents: &[NamedAgent]) -> Self {
        let programs = agents.iter().filter(|agent| agent.spec.kind().is_program());
        Asking(match programs.count() {
            0 => None,
            1 => Some(Spinner::new("asking a program for a first move")),
            count => Some(Spinner::new(&format!(
                "asking {count} programs for a first move"
            ))),
        })
    }

    pub(crate) fn end(&mut self) {
        if let Some(spinner) = self.0.take() {
            spinner.finish();
        }
    }
}

/// A bar for this many positions, on standard error if that is a terminal.
pub(crate) fn positions_bar(positions: u64) -> ProgressBar {
    let bar = ProgressBar::new(positions).with_finish(ProgressFinish::AndClear);
    if let Ok(style) = ProgressStyle::with_template(
        "{msg} {wide_bar} {human_pos}/{human_len} positions  {per_sec}  {eta} left",
    ) {
        bar.set_style(style);
    }
    bar
}

/// Shows what a prover does: a bar while it builds a tablebase, then a line on what it has proven and how far it is. A terminal
/// has one line that changes; elsewhere there is a line a minute.
#[derive(Clone)]
pub(crate) struct ProofDisplay {
    bar: Arc<Mutex<Option<ProgressBar>>>,
    /// Whether values are shown, too.
    values: bool,
    /// Whether lines are JSON.
    json: bool,
    line: Arc<Mutex<Line>>,
}

/// What the line says.
struct Line {
    begin: Instant,
    /// When a line was last printed, where there is no terminal.
    told: Instant,
    /// What is proven of the value so far.
    proven: Option<Bounds>,
    /// The window under way, and when it began.
    window: Option<(i32, Instant)>,
    /// The nodes at the last look, and when that was.
    last: (u64, Instant),
    /// How much of a sample is done, if bounds of a journal are proven again.
    sampled: Option<Sampled>,
}

/// How much of a sample of a journal's bounds is proven again.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sampled {
    pub(crate) done: usize,
    pub(crate) of: usize,
    /// The nodes that the next bound took the first time.
    pub(crate) nodes: u64,
}

impl fmt::Display for Sampled {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} of {} bounds proven again", self.done, self.of)
    }
}

/// How often a line is printed where there is no terminal.
const A_LINE_EVERY: Duration = Duration::from_secs(60);

impl ProofDisplay {
    /// Shows all of this prover's work from now on; as JSON if that is wanted.
    pub(crate) fn of(prover: &mut Prover, json: bool) -> Self {
        let display = ProofDisplay::new(true, json);
        let shown = display.clone();
        prover.listen(move |news| shown.show(news));
        display
    }

    /// Shows only how it builds its tablebase.
    pub(crate) fn of_tablebase(prover: &mut Prover) -> Self {
        let display = ProofDisplay::of_tablebases();
        let shown = display.clone();
        prover.listen(move |news| shown.show(news));
        display
    }

    /// Shows how tablebases are built by a prover whose news the caller hands on.
    pub(crate) fn of_tablebases() -> Self {
        ProofDisplay::new(false, false)
    }

    /// Shows the news of a prover that works on one job after the other; the caller hands them on.
    pub(crate) fn of_jobs(json: bool) -> Self {
        ProofDisplay::new(true, json)
    }

    fn new(values: bool, json: bool) -> Self {
        let now = Instant::now();
        ProofDisplay {
            bar: Arc::default(),
            values,
            json,
            line: Arc::new(Mutex::new(Line {
                begin: now,
                told: now,
                proven: None,
                window: None,
                last: (0, now),
                sampled: None,
            })),
        }
    }

    /// Leaves the terminal to others until there is news.
    pub(crate) fn clear(&self) {
        let mut bar = self.bar.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(bar) = bar.take() {
            bar.finish_and_clear();
        }
        if std::io::stderr().is_terminal() {
            eprint!("\r\x1b[K");
        }
    }

    /// Shows what a prover says.
    pub(crate) fn show(&self, news: &News<'_>) {
        match news {
            News::Filled {
                seeds,
                of,
                positions,
            } => {
                let mut bar = self.bar.lock().unwrap_or_else(PoisonError::into_inner);
                let bar = bar.get_or_insert_with(|| {
                    let bar = positions_bar(*of);
                    bar.set_message(format!("tablebase of {seeds} seeds"));
                    bar
                });
                bar.inc(*positions);
                if bar.position() >= *of {
                    bar.finish_and_clear();
                }
            }
            News::Value { bounds, nodes } => {
                self.line().proven = Some(*bounds);
                self.on_terminal(&format!("value {}", range(*bounds)), *nodes);
            }
            News::Move { mv, bounds, nodes } => {
                self.on_terminal(&format!("move {mv} {}", range(*bounds)), *nodes);
            }
            News::Working {
                glimpse,
                nodes,
                table_use,
            } => self.working(glimpse, *nodes, *table_use),
            News::NotSaved(error) => eprintln!("kalahari: {error}"),
            _ => {}
        }
    }

    /// Says how much of a sample is done. From now on the prover's news are about the next bound of it.
    pub(crate) fn sample(&self, sampled: Sampled) {
        let terminal = std::io::stderr().is_terminal();
        let now = Instant::now();
        let mut line = self.line();
        line.sampled = Some(sampled);
        line.last = (0, now);
        let due = now - line.told >= A_LINE_EVERY;
        if due && !terminal {
            line.told = now;
        }
        let seconds = (now - line.begin).as_secs_f64();
        drop(line);
        if self.json {
            if due && !terminal {
                let Sampled { done, of, .. } = sampled;
                eprintln!(
                    "{}",
                    serde_json::json!({"proven_again": done, "of": of, "seconds": seconds})
                );
            }
        } else if terminal || due {
            self.tell(terminal, &format!("{sampled}  {}", seconds_text(seconds)));
        }
    }

    fn line(&self) -> MutexGuard<'_, Line> {
        self.line.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn working(&self, glimpse: &Glimpse, nodes: u64, table_use: Option<f64>) {
        let terminal = std::io::stderr().is_terminal();
        let now = Instant::now();
        let mut line = self.line();
        let due = now - line.told >= A_LINE_EVERY;
        // Also when no line is due, so that the start of a window is known when one is.
        let begun = match line.window {
            Some((window, begun)) if window == glimpse.window => begun,
            _ => now,
        };
        line.window = Some((glimpse.window, begun));
        if !self.values || !(terminal || due) {
            return;
        }
        let (before, then) = line.last;
        let rate = nodes.saturating_sub(before) as f64 / (now - then).as_secs_f64().max(1e-3);
        line.last = (nodes, now);
        let (share, in_window) = (glimpse.share, (now - begun).as_secs_f64());
        let left = (share > 0.001).then(|| in_window * (1.0 - share) / share);
        if due && !terminal {
            line.told = now;
        }
        let seconds = (now - line.begin).as_secs_f64();
        let (proven, sampled) = (line.proven, line.sampled);
        drop(line);
        if self.json {
            let moves = glimpse.moves.iter();
            let moves: serde_json::Map<String, serde_json::Value> = moves
                .map(|(pit, state)| (pit.to_string(), state.name().into()))
                .collect();
            let mut text = serde_json::json!({
                "window": glimpse.window, "lower": proven.map(|bounds| bounds.lower),
                "upper": proven.map(|bounds| bounds.upper), "nodes": nodes, "nodes_per_second": rate.round(),
                "table_use": table_use, "moves": moves, "share": share, "seconds": seconds,
                "seconds_left_in_window": left.map(f64::round),
            });
            if let Some(Sampled { done, of, .. }) = sampled {
                text["proven_again"] = done.into();
                text["of"] = of.into();
            }
            if due || !terminal {
                eprintln!("{text}");
            }
            return;
        }
        if let Some(sampled) = sampled {
            // How many nodes the bound took the first time says more about what is left than the moves of its position. It took
            // none if the table of that run knew it already.
            let then = match sampled.nodes {
                0 => String::new(),
                nodes => format!(" ({} the first time)", count(nodes as f64)),
            };
            let text = format!(
                "{sampled}; at the next: {} nodes{then}, {}/s  {}",
                count(nodes as f64),
                count(rate),
                seconds_text(seconds)
            );
            return self.tell(terminal, &text);
        }
        let mut text = glimpse_text(glimpse, proven, left);
        text += &format!("  {} nodes, {}/s", count(nodes as f64), count(rate));
        if let Some(used) = table_use {
            text += &format!("  table {:.0}%", 100.0 * used);
        }
        text += &format!("  {}", seconds_text(seconds));
        self.tell(terminal, &text);
    }

    fn on_terminal(&self, text: &str, nodes: u64) {
        if !self.values || !std::io::stderr().is_terminal() {
            return;
        }
        let line = self.line();
        // Of a sample it is enough to know how far it is.
        if line.sampled.is_some() {
            return;
        }
        let seconds = line.begin.elapsed().as_secs_f64();
        drop(line);
        let text = format!(
            "{text}  {} nodes  {}",
            count(nodes as f64),
            seconds_text(seconds)
        );
        self.tell(true, &text);
    }

    /// Shows a line: on a terminal in place of the last one.
    fn tell(&self, terminal: bool, text: &str) {
        match terminal {
            true => {
                self.clear();
                eprint!("{text}");
            }
            false => eprintln!("kalahari: {text}"),
        }
    }
}

/// The question under way, what is proven, what has become of the moves, and the seconds left in this window.
fn glimpse_text(glimpse: &Glimpse, proven: Option<Bounds>, left: Option<f64>) -> String {
    let moves = glimpse.moves.iter();
    let states: Vec<String> = moves
        .map(|(pit, state)| {
            let mark = match state {
                MoveState::Open => "",
                MoveState::UnderWay => "*",
                MoveState::Below => "-",
            };
            format!("{pit}{mark}")
        })
        .collect();
    let mut text = format!("at least {:+}?", glimpse.window);
    if let Some(bounds) = proven {
        text += &format!("  proven {}", range(bounds));
    }
    let share = 100.0 * glimpse.share;
    text += &format!("  moves {}  {share:.1}% done", states.join(" "));
    if let Some(left) = left {
        text += &format!(", about {} left", seconds_text(left));
    }
    text
}

/// A large number for people.
pub(crate) fn count(number: f64) -> String {
    const NAMES: [(f64, &str); 4] = [
        (1e12, " trillion"),
        (1e9, " billion"),
        (1e6, " million"),
        (1e3, " thousand"),
    ];
    let name = NAMES.iter().find(|(size, _)| number >= *size);
    name.map_or(format!("{number:.0}"), |(size, name)| {
        format!("{:.1}{name}", number / size)
    })
}

/// A time for people.
fn seconds_text(seconds: f64) -> String {
    match seconds {
        _ if seconds < 100.0 => format!("{seconds:.1} s"),
        _ if seconds < 6000.0 => format!("{:.0} min", seconds / 60.0),
        _ if seconds < 360_000.0 => format!("{:.1} h", seconds / 3600.0),
        _ => format!("{:.1} days", seconds / 86_400.0),
    }
}

fn range(bounds: Bounds) -> String {
    match bounds.exact() {
        Some(value) => format!("{value:+}"),
        None => format!("{:+} to {:+}", bounds.lower, bounds.upper),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use kalahari_arena::stats::Tally;
    use kalahari_games::kalah::Pit;

    #[test]
    fn a_match_says_how_it_stands() {
        let text = |tally: &Tally, title: &str, left| {
            let summary = Summary::new(tally, EloModel::Logistic, None);
            match_text(title, &summary, left)
        };
        let mut tally = Tally::of_games(3, 2, 1);
        tally.pentanomial = [0, 1, 0, 1, 1];
        let told = text(&tally, "a vs b", Some(Duration::from_secs(75)));
        assert!(
            told.starts_with("a vs b: +3 =2 -1 (66.7%), Elo +"),
            "{told}"
        );
        assert!(told.ends_with("Ptnml [0, 1, 0, 1, 1], 75 s left"), "{told}");
        let told = text(&Tally::of_games(2, 0, 0), "", None);
        assert!(told.starts_with("+2 =0 -0 (100.0%), Elo inf, "), "{told}");
        let told = text(&Tally::of_games(0, 0, 2), "", None);
        assert!(told.starts_with("+0 =0 -2 (0.0%), Elo -inf, "), "{told}");
        let sprt = "elo0=0,elo1=10,alpha=0.05,beta=0.05".parse();
        let sprt: Sprt = sprt.expect("a test");
        let summary = Summary::new(&tally, EloModel::Logistic, Some(&sprt));
        let told = match_text("", &summary, None);
        assert!(
            told.contains(", LLR ") && told.ends_with("(-2.94, 2.94)"),
            "{told}"
        );
    }

    #[test]
    fn a_proof_says_how_far_it_is() {
        let glimpse = Glimpse {
            window: 4,
            moves: vec![
                (Pit(0), MoveState::Below),
                (Pit(2), MoveState::UnderWay),
                (Pit(5), MoveState::Open),
            ],
            share: 0.125,
        };
        assert_eq!(
            glimpse_text(&glimpse, None, None),
            "at least +4?  moves 0- 2* 5  12.5% done"
        );
        let between = Bounds {
            lower: -2,
            upper: 70,
        };
        assert_eq!(
            glimpse_text(&glimpse, Some(between), Some(7200.0)),
            "at least +4?  proven -2 to +70  moves 0- 2* 5  12.5% done, about 2.0 h left"
        );
        assert_eq!(range(Bounds { lower: 6, upper: 6 }), "+6");
    }

    #[test]
    fn large_numbers_and_long_times_are_short() {
        let numbers = [999.0, 1000.0, 2_500_000.0, 7.04e9, 3e12].map(count);
        let words = [
            "999",
            "1.0 thousand",
            "2.5 million",
            "7.0 billion",
            "3.0 trillion",
        ];
        assert_eq!(numbers, words);
        let times = [0.0, 99.9, 600.0, 7200.0, 864_000.0].map(seconds_text);
        assert_eq!(times, ["0.0 s", "99.9 s", "10 min", "2.0 h", "10.0 days"]);
    }
}
