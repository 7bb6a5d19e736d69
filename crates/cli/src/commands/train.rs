//! `kalahari train`: a net from positions with labels.

use crate::failure::Trouble;
use crate::{interrupt, output};
use clap::Args;
use kalahari_net::{BUCKETS, MAX_HIDDEN, NetFile, Origin, Shape};
use kalahari_train::{
    Curve, Difference, Errors, Lesson, Round, Samples, Settings, Training, quantised, read, svg,
};
use serde::Serialize;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Instant;

/// The integers of a net may be this far from its floating point numbers, in seeds: on average, and at most.
const CLOSE: Difference = Difference {
    mean: 0.05,
    largest: 0.5,
};

/// Makes sure, before anything is learned, that a file can be written there. Its folder has to be there: a missing
/// one may be a typing error.
fn check_place(file: &Path) -> anyhow::Result<()> {
    let folder = file
        .parent()
        .filter(|folder| !folder.as_os_str().is_empty());
    if let Some(folder) = folder
        && !folder.exists()
    {
        let (file, folder) = (file.display(), folder.display());
        anyhow::bail!("{file}: there is no folder {folder}; make it first, or name another file");
    }
    output::check_place(file)
}

/// Makes sure, before anything is learned, that a net can be written there and replaces nothing but a net.
fn check_out(out: &Path) -> anyhow::Result<()> {
    if out.exists()
        && let Err(error) = NetFile::open(out)
        && !matches!(error.trouble, kalahari_storage::Trouble::Damaged(_))
    {
        anyhow::bail!(
            "{}: there is a file that is not a net; name another file",
            out.display()
        );
    }
    check_place(out)
}

/// Train a net on positions with labels, for `eval=net:FILE`
#[derive(Debug, Args)]
#[command(
    after_help = "`kalahari dataset` makes the shards; all must be of boards with the same pits and rule, but the seeds may differ. One game in twenty is
held out to see what was learned. However this command ends, the same command continues with the last finished round: it is kept in
FILE.training until the net is written. The same shards and options give the same net.

Examples:
  kalahari dataset build kalah:6x6 --out games --label engine:nodes=4000 --rows 800000
  kalahari train games --out my.net --picture curve.svg
  kalahari match engine:eval=net:my.net engine --nodes 20000 --games 200"
)]
pub(crate) struct Train {
    /// Folders of datasets, or files of rows
    #[arg(required = true, value_name = "PATH")]
    paths: Vec<PathBuf>,

    /// The net to write
    #[arg(long, value_name = "FILE")]
    out: PathBuf,

    /// Hidden units
    #[arg(long, value_name = "N", default_value_t = 64, value_parser = hidden)]
    hidden: usize,

    /// How often every position is seen (epochs)
    #[arg(long, value_name = "N", default_value_t = Settings::default().rounds, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    rounds: u32,

    /// Positions per step
    #[arg(long, value_name = "N", default_value_t = Settings::default().batch, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    batch: u32,

    /// The learning rate at the start
    #[arg(long, value_name = "X", default_value_t = Settings::default().rate, value_parser = rate)]
    rate: f32,

    /// The seed of all random choices
    #[arg(long = "seed", value_name = "SEED", default_value_t = Settings::default().rng_seed)]
    rng_seed: u64,

    /// Draw the errors of all rounds into this SVG file
    #[arg(long, value_name = "FILE")]
    picture: Option<PathBuf>,

    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

fn hidden(text: &str) -> Result<usize, String> {
    let number = text.parse().ok().filter(|n| (1..=MAX_HIDDEN).contains(n));
    number.ok_or_else(|| format!("--hidden takes a number from 1 to {MAX_HIDDEN}"))
}

fn rate(text: &str) -> Result<f32, String> {
    let number = text.parse().ok().filter(|x| *x > 0.0 && *x <= 1.0);
    number.ok_or_else(|| "--rate takes a number above 0, at most 1".to_owned())
}

/// What `--json` prints.
#[derive(Serialize)]
struct Trained {
    net: String,
    pits: usize,
    rule: String,
    seeds: u32,
    hidden: usize,
    rows: usize,
    positions: usize,
    held_out: usize,
    bytes: usize,
    quantised_mean: f64,
    quantised_largest: f64,
    rounds: Vec<RoundRow>,
    /// The round with the smallest error on games held out. The net is that of the last round.
    best_round: u32,
    by_seeds: Vec<SeedsRow>,
    finished: bool,
}

#[derive(Serialize)]
struct RoundRow {
    round: u32,
    seen: f32,
    held_out: f32,
    held_out_mean: f32,
}

#[derive(Serialize)]
struct SeedsRow {
    least: usize,
    most: usize,
    positions: usize,
    error: f32,
}

impl Train {
    pub(crate) fn run(self) -> anyhow::Result<()> {
        check_out(&self.out)?;
        if let Some(picture) = &self.picture {
            check_place(picture)?;
        }
        let lesson = read(&self.paths)?;
        let Lesson {
            pits, rule, seeds, ..
        } = lesson;
        let shape = Shape::new(pits, rule, seeds, self.hidden);
        let shape = shape.ok_or_else(|| anyhow::anyhow!("no net has such a board"))?;
        let settings = Settings {
            rounds: self.rounds,
            batch: self.batch,
            rate: self.rate,
            rng_seed: self.rng_seed,
        };
        let fingerprint = lesson.samples.fingerprint();
        let kept = kept_beside(&self.out);
        let begun = Training::resume(&kept, shape, settings, fingerprint)?;
        let mut training = begun.unwrap_or_else(|| Training::new(shape, settings));
        self.say(&format!(
            "{} positions of {} rows to learn from, {} of other games held out; {shape}, {} hidden units",
            lesson.samples.seen.len(),
            lesson.rows,
            lesson.samples.held_out.len(),
            shape.hidden()
        ))?;
        if let Some(round) = training.history().last() {
            self.say(&format!("continuing after round {}", round.number))?;
        }
        let stop = interrupt::stop();
        let mut begin = Instant::now();
        while !training.is_finished() {
            let mut give_up = || stop.is_requested();
            let Some(round) = training.round(&lesson.samples, &mut give_up) else {
                self.say("stopped; the same command continues from there")?;
                return Ok(());
            };
            training.save(&kept, fingerprint)?;
            self.say(&said(&round, self.rounds, begin.elapsed().as_secs_f64()))?;
            begin = Instant::now();
        }
        self.finish(&lesson, &training)?;
        // The net is written, so the saved training is not needed any more.
        let _ = fs::remove_file(&kept);
        Ok(())
    }

    /// Writes the net and the picture, and says how good the net is, even if the files cannot be written.
    fn finish(&self, lesson: &Lesson, training: &Training) -> anyhow::Result<()> {
        let net = quantised(training.net()).map_err(|error| Trouble(error.to_string()))?;
        let difference = Difference::between(training.net(), &net, &lesson.samples);
        let is_close = difference.mean <= CLOSE.mean && difference.largest <= CLOSE.largest;
        anyhow::ensure!(
            is_close,
            Trouble(format!(
                "the integers are {:.3} seeds from the net on average and {:.2} at most; try a smaller --rate",
                difference.mean, difference.largest
            ))
        );
        let rounds = training.history();
        let error = rounds.last().map_or(0.0, |round| round.held_out.mean);
        let file = NetFile {
            origin: Origin {
                positions: lesson.samples.seen.len() as u32,
                rounds: rounds.len() as u32,
                error: (1_000.0 * error).round() as u32,
            },
            net,
        };
        let written = self.write(&file, training);
        let by_seeds = by_seeds(lesson, training);
        if self.json {
            output::print_json(&self.trained(lesson, training, &file, difference, by_seeds))?;
            return written;
        }
        let mut text = String::from("held-out error by seeds in play\n");
        for row in by_seeds {
            text += &format!(
                "{:>5} to {:<4} {:>8} positions  {:.2} seeds\n",
                row.least, row.most, row.positions, row.error
            );
        }
        text += &format!(
            "{}: {} bytes; integers differ by {:.3} seeds on average, by {:.2} at most\n",
            self.out.display(),
            file.to_bytes().len(),
            difference.mean,
            difference.largest
        );
        if let Some(warning) = learned_by_heart(training) {
            text += &format!("{warning}\n");
        }
        output::print(&text)?;
        written
    }

    /// Writes the net and the picture.
    fn write(&self, file: &NetFile, training: &Training) -> anyhow::Result<()> {
        file.save(&self.out)?;
        let Some(picture) = &self.picture else {
            return Ok(());
        };
        let shape = training.net().shape();
        let title = format!("A net for {shape}, {} hidden units", shape.hidden());
        let rounds = training.history();
        let drawn = svg(&Curve { title, rounds });
        let drawn = drawn.map_err(|error| Trouble(format!("cannot draw: {error}")))?;
        output::write_whole(picture, drawn.as_bytes())
    }

    fn trained(
        &self,
        lesson: &Lesson,
        training: &Training,
        file: &NetFile,
        difference: Difference,
        by_seeds: Vec<SeedsRow>,
    ) -> Trained {
        let rounds = training.history().iter().map(|round| RoundRow {
            round: round.number,
            seen: round.seen.root_square,
            held_out: round.held_out.root_square,
            held_out_mean: round.held_out.mean,
        });
        Trained {
            net: self.out.display().to_string(),
            pits: lesson.pits,
            rule: lesson.rule.to_string(),
            seeds: lesson.seeds,
            hidden: self.hidden,
            rows: lesson.rows,
            positions: lesson.samples.seen.len(),
            held_out: lesson.samples.held_out.len(),
            bytes: file.to_bytes().len(),
            quantised_mean: difference.mean,
            quantised_largest: difference.largest,
            rounds: rounds.collect(),
            best_round: training.best().map_or(0, |round| round.number),
            by_seeds,
            finished: training.is_finished(),
        }
    }

    /// A line for people who watch.
    fn say(&self, line: &str) -> anyhow::Result<()> {
        match self.json {
            true => Ok(()),
            false => output::print(&format!("{line}\n")),
        }
    }
}

fn said(round: &Round, all: u32, seconds: f64) -> String {
    let Round {
        number,
        seen,
        held_out,
    } = round;
    format!(
        "round {number:>3} of {all}: error {:.3} seen, {:.3} held out (mean {:.3}), {seconds:.1} s",
        seen.root_square, held_out.root_square, held_out.mean
    )
}

/// An earlier round is mentioned if its error is smaller by more than this share.
const BETTER: f32 = 0.01;

/// What to say if an earlier round was better on games held out than the last one, whose net is written.
fn learned_by_heart(training: &Training) -> Option<String> {
    let (best, last) = (training.best()?, training.history().last()?);
    let (least, error) = (best.held_out.root_square, last.held_out.root_square);
    (error > least * (1.0 + BETTER)).then(|| {
        format!(
            "the net is that of the last round, with an error of {error:.3} on games held out; after round {} it was {least:.3}. \
             Since then the net has learned positions by heart (overfitting): make more rows, or try --rounds {}",
            best.number, best.number
        )
    })
}

/// Held-out errors by seeds in play, as far as there are any. No row names more seeds than a position has.
fn by_seeds(lesson: &Lesson, training: &Training) -> Vec<SeedsRow> {
    let errors = Errors::by_bucket(training.net(), &lesson.samples.held_out);
    let Samples { seen, held_out } = &lesson.samples;
    let most = seen.iter().chain(held_out).map(|sample| sample.seeds);
    let most = usize::from(most.max().unwrap_or(0));
    let rows = errors.into_iter().enumerate();
    let rows = rows.filter(|(_, (_, count))| *count > 0);
    rows.map(|(bucket, (errors, positions))| SeedsRow {
        least: bucket * bucket,
        most: match bucket + 1 {
            BUCKETS => most,
            next => most.min(next * next - 1),
        },
        positions,
        error: errors.root_square,
    })
    .collect()
}

/// Where the state of a training is kept until its net is written.
fn kept_beside(net: &Path) -> PathBuf {
    let mut name: OsString = net.as_os_str().to_owned();
    name.push(".training");
    name.into()
}
