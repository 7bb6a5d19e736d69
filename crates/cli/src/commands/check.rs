//! `kalahari check`: what an agent would do wrong in a match.

use crate::arena_flags::{DEFAULT_GAME, GameFlags};
use crate::experiment::quote;
use crate::failure::CheckFailed;
use crate::progress::Spinner;
use crate::{interrupt, output};
use clap::Args;
use kalahari_agents::NamedAgent;
use kalahari_arena::{Examination, ExamineSpec, Fault, Oddity, Part, Phase, Speed, examine};
use kalahari_games::GameSpec;
use kalahari_terms::{Failure, format_duration, parse_duration};
use serde_json::{Value, json};
use std::fmt::Write;
use std::time::Duration;

/// Try an agent before it plays: does it start, answer legally and in time, and how fast is it?
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  kalahari check mybot.py
  kalahari check mybot.py --game isolation:7x7:knight --time 150ms
  kalahari check 'ugi:./my-agent --fast' --for 2m --json

It is asked for a first move, plays four games against `random`, and is asked about a few hundred odd positions: forced moves,
extra turns, laps round the board, ends. Exit status 1 says that it would lose games by its own fault.")]
pub(crate) struct Check {
    /// The agent: a spec (see `kalahari agents`), a Python file, or NAME=SPEC
    agent: NamedAgent,

    #[command(flatten)]
    flags: GameFlags,

    /// Ask about no more positions after this time
    #[arg(long = "for", value_name = "TIME", value_parser = parse_duration, default_value = "30s")]
    budget: Duration,

    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

impl Check {
    pub(crate) fn run(self) -> anyhow::Result<()> {
        let spec = ExamineSpec {
            agent: self.agent,
            game: self.flags.game,
            rules: self.flags.rules(),
            budget: self.budget,
        };
        let spinner = Spinner::new(&format!("asking {}", spec.agent.label()));
        let found = examine(&spec, interrupt::stop(), &mut |now| {
            let (asked, faults) = (now.asked, now.faults);
            spinner.show(&format!("{asked} moves, {faults} of them would lose"));
        });
        spinner.finish();
        let found = found?;
        match self.json {
            true => output::print_json(&to_json(&found, spec.game))?,
            false => output::print(&report(&found, &spec))?,
        }
        let name = found.agent.label();
        match found.faults.first() {
            None => Ok(()),
            Some(_) => Err(CheckFailed(format!("{name} would lose games by its own fault")).into()),
        }
    }
}

/// Where something went wrong, in words.
fn place(part: Part) -> String {
    match part {
        Part::FirstMove => "the first move".to_owned(),
        Part::Games => "games against random".to_owned(),
        Part::Position(oddity) => format!("positions {}", oddity.words()),
    }
}

/// One line a finding.
fn report(found: &Examination, spec: &ExamineSpec) -> String {
    let agent = &found.agent;
    let limit = found.limits.latest();
    let limits = match limit {
        Some(time) => format!("{} a move", format_duration(time)),
        None => "no limit of time".to_owned(),
    };
    let mut text = format!(
        "{} ({}), {}, {limits}\n",
        agent.label(),
        agent.spec,
        spec.game
    );
    let mut line = |good: bool, words: String| {
        let mark = if good { "good " } else { "WRONG" };
        let _ = writeln!(text, "{mark}  {words}");
    };
    let faults = found.grouped();
    let failed = |part: Part| faults.iter().any(|(_, fault)| fault.part == part);
    if !failed(Part::FirstMove) {
        let seconds = found.start.as_secs_f64();
        line(
            true,
            format!("it is ready {seconds:.2} s after its start and gives a first move"),
        );
    }
    if found.games > 0 {
        let (games, won) = (found.games, found.won);
        line(
            true,
            format!("it played {games} games against random to their end and won {won}"),
        );
    }
    for (oddity, asked) in &found.asked {
        let faulty = found
            .faults
            .iter()
            .filter(|fault| fault.part == Part::Position(*oddity));
        let right = *asked - (faulty.count() as u32).min(*asked);
        if right > 0 {
            line(
                true,
                format!("{right} of {asked} positions {}", oddity.words()),
            );
        }
    }
    for (count, fault) in &faults {
        line(false, fault_line(*count, fault));
    }
    if let Some(advice) = time_advice(found, limit) {
        line(advice.0, advice.1);
    }
    if found.repeats.asked > 0 {
        let (asked, differed) = (found.repeats.asked, found.repeats.differed);
        line(
            true,
            match differed {
                0 => format!("asked twice, it answered alike ({asked} positions)"),
                _ => format!(
                    "asked twice, it answered differently in {differed} of {asked} positions: chance or the clock decides, so games cannot be repeated"
                ),
            },
        );
    }
    if let Some(memory) = found.memory {
        line(true, format!("memory: {} MiB at most", memory >> 20));
    }
    let asked: u32 = found.asked.values().sum();
    if asked < found.positions && faults.is_empty() {
        let all = found.positions;
        let longer = format_duration(spec.budget * 4);
        line(
            true,
            format!("{asked} of {all} positions in the time; for more: --for {longer}"),
        );
    }
    text + &next(found, spec)
}

fn fault_line(count: u32, fault: &Fault) -> String {
    let times = match count {
        1 => String::new(),
        count => format!("{count} times, first "),
    };
    let (place, position) = (place(fault.part), &fault.position);
    let words = match &fault.failure {
        Failure::Illegal(why) => format!("it moved where no move is: {why}"),
        Failure::TimedOut(why) => format!("it was late: {why}"),
        Failure::Crashed(why) => format!("it failed: {why}"),
    };
    format!("{place}: {words} ({times}in '{position}')")
}

/// What its speed means.
fn time_advice(found: &Examination, limit: Option<Duration>) -> Option<(bool, String)> {
    let phases: Vec<String> = Phase::ALL
        .iter()
        .filter_map(|phase| found.speed.get(phase).map(|speed| (phase, speed)))
        .filter(|(_, speed)| speed.moves > 0)
        .map(|(phase, speed)| format!("{phase} {}", speed_text(speed)))
        .collect();
    if phases.is_empty() {
        return None;
    }
    let phases = phases.join(", ");
    let slowest = found.slowest();
    let late = found
        .faults
        .iter()
        .any(|fault| matches!(fault.failure, Failure::TimedOut(_)));
    Some(match limit {
        _ if late => (
            false,
            format!("time a move: {phases}; give it more, such as --time 5s, or let it think less"),
        ),
        Some(limit) if slowest > limit => (
            true,
            format!(
                "time a move: {phases}; the slowest came after its time and within the grace: think a little less"
            ),
        ),
        Some(limit) if slowest * 10 < limit => (
            true,
            format!(
                "time a move: {phases}; it has {} and could think deeper",
                format_duration(limit)
            ),
        ),
        _ => (true, format!("time a move: {phases}")),
    })
}

fn speed_text(speed: &Speed) -> String {
    let (mean, slowest) = (speed.mean().as_secs_f64(), speed.slowest.as_secs_f64());
    format!("{} (slowest {})", seconds(mean), seconds(slowest))
}

fn seconds(seconds: f64) -> String {
    match seconds < 1.0 {
        true => format!("{:.1} ms", 1e3 * seconds),
        false => format!("{seconds:.2} s"),
    }
}

/// What somebody does next.
fn next(found: &Examination, spec: &ExamineSpec) -> String {
    let text = spec.agent.to_string();
    // A path alone says the same.
    let path = text
        .strip_prefix("py:")
        .filter(|path| path.ends_with(".py") && !path.contains('='));
    let agent = quote(path.unwrap_or(&text));
    let game = match spec.game.to_string() == DEFAULT_GAME {
        true => String::new(),
        false => format!(" --game {}", spec.game),
    };
    let name = found.agent.label();
    match found.forfeits() {
        true => format!("Mend it and check it again: kalahari check {agent}{game}\n"),
        false => format!(
            "{name} can play. Next: kalahari match {agent} level:2{game} --games 20 --db games.db\n"
        ),
    }
}

fn to_json(found: &Examination, game: GameSpec) -> Value {
    let faults = found.grouped();
    let faults = faults.iter().map(|(count, fault)| {
        json!({
            "where": place(fault.part),
            "times": count,
            "position": fault.position,
            "ending": kalahari_arena::Ending::from(&fault.failure).name(),
            "reason": fault.failure.detail(),
        })
    });
    let speed = found.speed.iter().map(|(phase, speed)| {
        let value = json!({
            "moves": speed.moves,
            "mean_ms": 1e3 * speed.mean().as_secs_f64(),
            "slowest_ms": 1e3 * speed.slowest.as_secs_f64(),
        });
        (phase.name().to_owned(), value)
    });
    let asked = found.asked.iter();
    let asked = asked.map(|(oddity, count): (&Oddity, _)| (oddity.name().to_owned(), json!(count)));
    json!({
        "name": found.agent.label(),
        "agent": found.agent.spec,
        "game": game,
        "can_play": !found.forfeits(),
        "start_ms": 1e3 * found.start.as_secs_f64(),
        "games": found.games,
        "won": found.won,
        "positions": asked.collect::<serde_json::Map<String, Value>>(),
        "faults": faults.collect::<Vec<Value>>(),
        "speed": speed.collect::<serde_json::Map<String, Value>>(),
        "asked_twice": found.repeats.asked,
        "answered_differently": found.repeats.differed,
        "memory": found.memory,
    })
}
