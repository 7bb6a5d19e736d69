//! How many seeds an agent gives away on solved positions: `give_away FILE AGENT nodes=N|time=T|cpu=T`.
//!
//! The file has lines of `GAME; POSITION; VALUES` as `solved_sample` writes them. The agent starts every position with empty tables.
//! Printed for each game and for all of them together: the seeds given away per move, the share of best moves, the share of positions
//! reported as proven, the mean number of nodes, and the time of the slowest answer. With `DETAILS` in the environment, every position
//! is printed, too. A score that is reported as proven but is wrong ends the program. `cpu` limits processor time, which does not
//! depend on how busy the machine is; it needs an agent that uses a single thread.

use kalahari_agents::{AgentSpec, Player};
use kalahari_games::{AnyGame, AnyPosition, Game};
use kalahari_terms::{Clock, Limits, Stop, Worth, parse_duration};
use std::collections::BTreeMap;
use std::error::Error;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// A clock that shows the processor time of this thread.
#[derive(Debug)]
struct ProcessorClock;

impl Clock for ProcessorClock {
    fn now(&self) -> Duration {
        let now = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
        Duration::new(now.tv_sec as u64, now.tv_nsec as u32)
    }
}

/// A solved position.
struct Solved {
    game: AnyGame,
    position: AnyPosition,
    /// The final margin after each move, by pit; `None` for an empty pit.
    values: Vec<Option<i32>>,
}

fn read(line: &str) -> Result<Solved, Box<dyn Error>> {
    let mut parts = line.split(';').map(str::trim);
    let mut part = || parts.next().ok_or("too few parts");
    let (game, position) = AnyGame::at(part()?.parse()?, part()?)?;
    let value = |word: &str| match word {
        "-" => Ok(None),
        word => word.parse().map(Some),
    };
    let values = part()?.split(' ').map(value).collect::<Result<_, _>>()?;
    Ok(Solved {
        game,
        position,
        values,
    })
}

/// Totals of an agent's answers.
#[derive(Default)]
struct Tally {
    positions: u32,
    given_away: i32,
    best: u32,
    proven: u32,
    nodes: u64,
    longest: Duration,
}

impl Tally {
    fn add(&mut self, given_away: i32, proven: bool, nodes: u64, time: Duration) {
        self.positions += 1;
        self.given_away += given_away;
        self.best += u32::from(given_away == 0);
        self.proven += u32::from(proven);
        self.nodes += nodes;
        self.longest = self.longest.max(time);
    }

    fn show(&self, name: &str) {
        let count = f64::from(self.positions.max(1));
        println!(
            "{name:<26} {:>5} positions  {:.4} seeds a move  {:>5.1}% best  {:>5.1}% proven  {:>9.0} nodes  longest {:.1} ms",
            self.positions,
            f64::from(self.given_away) / count,
            100.0 * f64::from(self.best) / count,
            100.0 * f64::from(self.proven) / count,
            self.nodes as f64 / count,
            1000.0 * self.longest.as_secs_f64(),
        );
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [file, agent, limit] = words.as_slice() else {
        return Err("give_away FILE AGENT nodes=N|time=T|cpu=T".into());
    };
    let agent: AgentSpec = agent.parse()?;
    let (kind, amount) = limit.split_once('=').ok_or("nodes=N, time=T or cpu=T")?;
    let limits = match kind {
        "nodes" => Limits::nodes(amount.parse()?),
        "time" | "cpu" => Limits::time(parse_duration(amount)?),
        _ => return Err("nodes=N, time=T or cpu=T".into()),
    };
    let details = std::env::var_os("DETAILS").is_some();
    let mut players: BTreeMap<String, Player> = BTreeMap::new();
    let mut tallies: BTreeMap<String, Tally> = BTreeMap::new();
    let mut all = Tally::default();
    for line in std::fs::read_to_string(file)?.lines() {
        let Solved {
            game,
            position,
            values,
        } = read(line)?;
        let name = game.spec().to_string();
        let player = match players.remove(&name) {
            Some(player) => player,
            None => Player::new(&agent, &game, 1)?,
        };
        let player = players.entry(name.clone()).or_insert(player);
        let stop = match kind {
            "cpu" => Stop::with_clock(Arc::new(ProcessorClock)),
            _ => Stop::new(),
        };
        player.begin_game(1, &stop);
        let begin = Instant::now();
        let report = player.choose(&position, limits, &stop)?;
        let time = match kind {
            "cpu" => report.elapsed,
            _ => begin.elapsed(),
        };
        let truth = values.iter().flatten().max().copied().ok_or("no move")?;
        let pit: usize = report.best.ok_or("no move")?.to_string().parse()?;
        let value = values.get(pit).copied().flatten().ok_or("an empty pit")?;
        let proven = report.score.is_proven();
        if proven && report.score.worth() != Worth::Margin(truth) {
            return Err(format!("{line}: {:?} is not {truth}", report.score).into());
        }
        if proven && value != truth {
            return Err(format!(
                "{line}: {pit} is not a best move, though {truth} is reported as proven"
            )
            .into());
        }
        if details {
            let (said, milliseconds) = (report.score.worth(), 1000.0 * time.as_secs_f64());
            println!(
                "{line}; {pit}; {}; {said:?}; {} nodes; {milliseconds:.1} ms",
                truth - value,
                report.nodes
            );
        }
        let tally = tallies.entry(name).or_default();
        tally.add(truth - value, proven, report.nodes, time);
        all.add(truth - value, proven, report.nodes, time);
    }
    for (name, tally) in &tallies {
        tally.show(name);
    }
    all.show("all");
    Ok(())
}
