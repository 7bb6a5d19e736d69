//! How much other programs slow down a test that measures time: `/proc` says which processes used the processors meanwhile.

use std::collections::HashMap;
use std::fs;

/// The time of all processors since the system started, in ticks.
#[derive(Clone, Copy, Default)]
struct Processors {
    all: u64,
    idle: u64,
    /// What the host of a virtual machine gave to other machines.
    stolen: u64,
}

/// Watches which processes use the processors. It underestimates the others, so the test stays strict: a process that ends between
/// two looks is not seen, and a process with a higher nice value than ours is not counted, though both take a little.
pub(crate) struct Others {
    begin: Processors,
    now: Processors,
    /// The ticks of each process at the last look, by its number and start time.
    ticks: HashMap<(u32, u64), u64>,
    /// Ticks of other processes with our priority or a higher one.
    taken: u64,
    /// The load average at every look.
    loads: Vec<f64>,
}

impl Others {
    /// Starts to watch.
    pub(crate) fn new() -> Self {
        let begin = processors().unwrap_or_default();
        let mut others = Others {
            begin,
            now: begin,
            ticks: HashMap::new(),
            taken: 0,
            loads: Vec::new(),
        };
        others.look();
        (others.taken, others.loads) = (0, Vec::new());
        others
    }

    /// Looks at all processes; to be called every second or so.
    pub(crate) fn look(&mut self) {
        let us = std::process::id();
        let all = processes();
        let our_nice = all.iter().find(|one| one.number == us);
        let our_nice = our_nice.map_or(0, |one| one.nice);
        let before = std::mem::take(&mut self.ticks);
        for one in &all {
            let name = (one.number, one.began);
            if one.number != us && one.nice <= our_nice {
                // A process that is new started after our last look, so all its ticks are new.
                let known = before.get(&name).copied().unwrap_or(0);
                self.taken += one.ticks.saturating_sub(known);
            }
            self.ticks.insert(name, one.ticks);
        }
        self.now = processors().unwrap_or(self.now);
        let load = fs::read_to_string("/proc/loadavg").unwrap_or_default();
        let load: Option<f64> = load.split(' ').next().and_then(|word| word.parse().ok());
        self.loads.extend(load);
    }

    /// The share of all processors' time that other processes took, and the share that was idle.
    fn shares(&self) -> (f64, f64) {
        let all = self.now.all.saturating_sub(self.begin.all).max(1) as f64;
        let stolen = self.now.stolen.saturating_sub(self.begin.stolen);
        let idle = self.now.idle.saturating_sub(self.begin.idle);
        ((self.taken + stolen) as f64 / all, idle as f64 / all)
    }

    /// How many times longer our work takes than on a machine without other programs: 1 if the others took no more than was idle.
    pub(crate) fn slowness(&self) -> f64 {
        let (taken, idle) = self.shares();
        slowness(taken, idle)
    }

    /// The same in words.
    pub(crate) fn told(&self) -> String {
        let (taken, idle) = self.shares();
        let mut loads = self.loads.clone();
        loads.sort_by(f64::total_cmp);
        let at = |part: usize| loads.get(part * loads.len().saturating_sub(1) / 2);
        let [least, middle, most] = [0, 1, 2].map(|part| at(part).copied().unwrap_or(0.0));
        format!(
            "others took {:.0}% of the processors, {:.0}% were idle; load {least:.1}, mostly {middle:.1}, at most {most:.1}; slower by {:.2}",
            100.0 * taken,
            100.0 * idle,
            self.slowness()
        )
    }
}

fn slowness(taken: f64, idle: f64) -> f64 {
    let missed = (taken - idle).clamp(0.0, 0.95);
    1.0 / (1.0 - missed)
}

/// The line `cpu` of `/proc/stat`: user, nice, system, idle, waiting for disks, two kinds of interrupts, stolen.
fn processors() -> Option<Processors> {
    let text = fs::read_to_string("/proc/stat").ok()?;
    let words = text.lines().next()?.split_whitespace().skip(1);
    let ticks: Vec<u64> = words.filter_map(|word| word.parse().ok()).collect();
    let [.., stolen] = *ticks.get(..8)? else {
        return None;
    };
    Some(Processors {
        all: ticks[..8].iter().sum(),
        idle: ticks[3] + ticks[4],
        stolen,
    })
}

struct Process {
    number: u32,
    /// When it started, in ticks.
    began: u64,
    nice: i64,
    ticks: u64,
}

fn processes() -> Vec<Process> {
    let entries = fs::read_dir("/proc").into_iter().flatten().flatten();
    let one = |entry: fs::DirEntry| {
        let number = entry.file_name().to_str()?.parse().ok()?;
        process(number, &fs::read_to_string(entry.path().join("stat")).ok()?)
    };
    entries.filter_map(one).collect()
}

/// Reads the line of a process in `/proc`. After its name in brackets come 50 fields.
fn process(number: u32, line: &str) -> Option<Process> {
    let (_, rest) = line.rsplit_once(')')?;
    let words: Vec<&str> = rest.split_whitespace().collect();
    let word = |place: usize| words.get(place).and_then(|word| word.parse::<i64>().ok());
    Some(Process {
        number,
        began: word(19)?.unsigned_abs(),
        nice: word(16)?,
        ticks: (word(11)? + word(12)?).unsigned_abs(),
    })
}

#[test]
fn a_quiet_machine_is_not_slower() {
    assert_eq!(slowness(0.0, 0.3), 1.0);
    assert_eq!(slowness(0.2, 0.3), 1.0);
    assert_eq!(slowness(0.5, 0.0), 2.0);
    assert!(slowness(1.2, 0.0) <= 20.0 + 1e-9);
}

#[test]
fn lines_of_processes_with_odd_names_are_read() {
    let line = "7 (a) b (c) S 1 7 7 0 -1 4194560 1 2 3 4 50 60 9 9 20 -5 1 0 1234 5 6";
    let one = process(7, line).expect("a line");
    assert_eq!((one.ticks, one.nice, one.began), (110, -5, 1234));
}

/// A program that works all the time is seen.
#[test]
#[cfg(target_os = "linux")]
fn a_busy_process_is_seen() {
    let mut others = Others::new();
    let mut busy = std::process::Command::new("sh")
        .args(["-c", "while :; do :; done"])
        .spawn()
        .expect("a shell");
    let number = busy.id();
    let ticks = |others: &Others| {
        let mut all = others.ticks.iter();
        all.find(|((one, _), _)| *one == number)
            .map_or(0, |(_, ticks)| *ticks)
    };
    let begin = std::time::Instant::now();
    while ticks(&others) < 5 && begin.elapsed().as_secs() < 20 {
        std::thread::sleep(std::time::Duration::from_millis(100));
        others.look();
    }
    let (own, taken) = (ticks(&others), others.taken);
    busy.kill().and_then(|()| busy.wait()).expect("ended");
    assert!(own >= 5 && taken >= own, "{own} of {taken}");
    assert!(others.shares().0 > 0.0, "{}", others.told());
}
