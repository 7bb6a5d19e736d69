//! `kalahari check`: what an agent would do wrong in a match.

use crate::arena_flags::{DEFAULT_GAME, GameFlags};
use crate::experiment::agent_word;
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

/// Test an agent before it plays: whether it starts, answers legally and in time, and how fast it is
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  kalahari check mybot.py
  kalahari check mybot.py --game isolation:7x7:knight --time 150ms
  kalahari check 'ugi:./my-agent --fast' --for 2m --json

It is asked for a first move, plays four games against `random`, and is asked about a few hundred odd positions: forced moves,
extra turns, laps round the board, ends. Exit status 1 means that it would lose games through its own fault.")]
pub(crate) struct Check {
    /// The agent: a spec (see `kalahari agents`), a Python file, the folder of one, or NAME=SPEC
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
            Some(_) => {
                Err(CheckFailed(format!("{name} would lose games through its own fault")).into())
            }
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
        None => "no time limit".to_owned(),
    };
    let mut text = format!(
        "{} ({}), {}, {limits}\n",
        agent.label(),
        agent.spec,
        spec.game
    );
    let faults = found.grouped();
    let mut line = |mark: Mark, words: String| {
        let _ = writeln!(text, "{}  {words}", mark.word());
    };
    // Faults come first; if there are any, no other line is marked good.
    for (count, fault) in &faults {
        line(Mark::Wrong, fault_line(*count, fault));
    }
    let good = match faults.is_empty() {
        true => Mark::Good,
        false => Mark::Note,
    };
    let (late, speed) = time_advice(found, limit);
    if late {
        line(Mark::Wrong, speed.clone());
    }
    if !faults
        .iter()
        .any(|(_, fault)| fault.part == Part::FirstMove)
    {
        let seconds = found.start.as_secs_f64();
        line(
            good,
            format!("it was ready {seconds:.2} s after its start and gave a first move"),
        );
    }
    if found.games > 0 {
        let (games, won) = (found.games, found.won);
        line(
            good,
            format!("it finished {games} games against random and won {won}"),
        );
    }
    for (oddity, asked) in &found.asked {
        let faulty = found
            .faults
            .iter()
            .filter(|fault| fault.part == Part::Position(*oddity));
        let right = *asked - (faulty.count() as u32).min(*asked);
        line(
            good,
            format!("{right} of {asked} positions {}", oddity.words()),
        );
    }
    if !late && !speed.is_empty() {
        line(good, speed);
    }
    if found.repeats.asked > 0 {
        let (asked, differed) = (found.repeats.asked, found.repeats.differed);
        let words = match differed {
            0 => format!("asked twice, it gave the same answers ({asked} positions)"),
            _ => format!(
                "asked twice, it gave another answer in {differed} of {asked} positions: its moves depend on chance or the clock, so games cannot be repeated"
            ),
        };
        line(if differed == 0 { good } else { Mark::Note }, words);
    }
    if let Some(memory) = found.memory {
        line(Mark::Note, format!("memory: {} MiB at most", memory >> 20));
    }
    let asked: u32 = found.asked.values().sum();
    if asked < found.positions {
        let all = found.positions;
        let longer = format_duration(spec.budget * 4);
        let short = match faults.is_empty() {
            true => {
                format!("there was time for {asked} of {all} positions; for more: --for {longer}")
            }
            false => format!("it was asked about {asked} of {all} positions"),
        };
        line(Mark::Note, short);
    }
    text + &next(found, spec)
}

/// What a line of the report is.
#[derive(Clone, Copy)]
enum Mark {
    Good,
    /// Neither good nor wrong; also for good lines if something else is wrong.
    Note,
    /// It loses games.
    Wrong,
}

impl Mark {
    fn word(self) -> &'static str {
        match self {
            Mark::Good => "good ",
            Mark::Note => "note ",
            Mark::Wrong => "WRONG",
        }
    }
}

fn fault_line(count: u32, fault: &Fault) -> String {
    let times = match count {
        1 => String::new(),
        count => format!("{count} times, first "),
    };
    let (place, position) = (place(fault.part), &fault.position);
    let words = match &fault.failure {
        Failure::Illegal(why) => format!("it made an illegal move: {why}"),
        Failure::TimedOut(why) => format!("it was late: {why}"),
        Failure::Crashed(why) => format!("it failed: {why}"),
    };
    format!("{place}: {words} ({times}in '{position}')")
}

/// Whether it is too slow, and what its speed means; no text if no move was timed.
fn time_advice(found: &Examination, limit: Option<Duration>) -> (bool, String) {
    let phases: Vec<String> = Phase::ALL
        .iter()
        .filter_map(|phase| found.speed.get(phase).map(|speed| (phase, speed)))
        .filter(|(_, speed)| speed.moves > 0)
        .map(|(phase, speed)| format!("{phase} {}", speed_text(speed)))
        .collect();
    if phases.is_empty() {
        return (false, String::new());
    }
    let slowest = found.slowest();
    let late = found
        .faults
        .iter()
        .any(|fault| matches!(fault.failure, Failure::TimedOut(_)));
    let advice = match limit {
        _ if late => "; give it more, such as --time 5s, or let it think less".to_owned(),
        Some(limit) if slowest > limit => {
            "; the slowest move was late, but within the grace: let it think a little less"
                .to_owned()
        }
        Some(limit) if slowest * 10 < limit && found.faults.is_empty() => {
            format!("; it has {} and could think deeper", format_duration(limit))
        }
        _ => String::new(),
    };
    (
        late,
        format!("time per move: {}{advice}", phases.join(", ")),
    )
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

/// What to do next.
fn next(found: &Examination, spec: &ExamineSpec) -> String {
    let agent = agent_word(&spec.agent);
    let game = match spec.game.to_string() == DEFAULT_GAME {
        true => String::new(),
        false => format!(" --game {}", spec.game),
    };
    let name = found.agent.label();
    match found.forfeits() {
        true => format!(
            "{name} would lose games through its own fault. Fix what is WRONG and check it again: kalahari check {agent}{game}\n"
        ),
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
