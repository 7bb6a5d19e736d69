//! A process with all its children, and how to end them.
//!
//! The process leads a process group of its own, and the whole group is killed. A child that leaves the group
//! still has the mark that its parent got in the environment; on Linux, all processes with the mark are found and killed,
//! too. On Linux the kernel also kills the process if this program is killed and cannot do it.

use rustix::process::{
    Pid, Signal, WaitId, WaitIdOptions, kill_process_group, test_kill_process, waitid,
};
use std::io;
use std::os::fd::AsFd;
use std::os::unix::process::CommandExt;
use std::process::{Child, Command};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// The environment variable with the mark of a process and those of the engines that started it.
const VARIABLE: &str = "KALAHARI_ENGINE_MARK";

/// All families that have not been ended.
static LIVE: Mutex<Vec<(Pid, String)>> = Mutex::new(Vec::new());

/// Puts a command into a process group of its own and marks it. Returns the mark.
pub(super) fn prepare(command: &mut Command) -> String {
    static COUNT: AtomicU64 = AtomicU64::new(0);
    let count = COUNT.fetch_add(1, Ordering::Relaxed);
    let clock = std::time::SystemTime::now()
        .duration_since(std::time::UNIX_EPOCH)
        .map_or(0, |time| time.as_nanos());
    let mark = format!("<{}.{count}.{clock}>", std::process::id());
    // An engine may be a runner itself: the engines that it starts have both marks.
    let inherited = std::env::var(VARIABLE).unwrap_or_default();
    command.env(VARIABLE, inherited + &mark);
    command.process_group(0);
    mark
}

/// Starts a command that has been [prepared](prepare).
#[cfg(not(target_os = "linux"))]
pub(super) fn spawn(mut command: Command) -> io::Result<Child> {
    command.spawn()
}

/// Starts a command that has been [prepared](prepare), so that it ends when this program does, however that happens.
///
/// For the kernel, the parent of a process is the *thread* that started it. Threads come and go with matches and searches, so
/// all processes are started by one thread that never ends.
#[cfg(target_os = "linux")]
pub(super) fn spawn(mut command: Command) -> io::Result<Child> {
    use std::sync::mpsc::{Sender, channel};
    type Order = (Command, Sender<io::Result<Child>>);
    // The sender is stored with the process id, because a fork of this process has the sender but not the thread.
    static STARTER: Mutex<Option<(u32, Sender<Order>)>> = Mutex::new(None);

    ends_with_us(&mut command);
    let gone = || io::Error::other("the thread that starts engines has ended");
    let (answer, answered) = channel();
    {
        let mut starter = STARTER.lock().unwrap_or_else(PoisonError::into_inner);
        let starter = match &mut *starter {
            Some((process, starter)) if *process == std::process::id() => starter,
            none => {
                let (orders, taken) = channel::<Order>();
                super::spawn("engine starter", move || {
                    for (mut command, answer) in taken {
                        // The caller waits for the answer, so this cannot fail.
                        let _ = answer.send(command.spawn());
                    }
                })?;
                &none.insert((std::process::id(), orders)).1
            }
        };
        starter.send((command, answer)).map_err(|_| gone())?;
    }
    answered.recv().unwrap_or_else(|_| Err(gone()))
}

/// Asks the kernel to kill a process when the thread that starts it ends.
#[cfg(target_os = "linux")]
fn ends_with_us(command: &mut Command) {
    use rustix::process::{getpid, getppid, set_parent_process_death_signal};
    let us = getpid();
    let ask = move || {
        set_parent_process_death_signal(Some(Signal::KILL))?;
        // If the parent has died already, the signal will never come.
        match getppid() == Some(us) {
            true => Ok(()),
            false => Err(io::ErrorKind::NotFound.into()),
        }
    };
    // SAFETY: between fork and exec, `ask` makes two system calls; it takes no lock and allocates no memory.
    unsafe { command.pre_exec(ask) };
}

/// Makes writes to a pipe fail instead of blocking.
pub(super) fn never_block(pipe: impl AsFd) -> io::Result<()> {
    Ok(rustix::io::ioctl_fionbio(pipe, true)?)
}

/// A child process and its descendants.
#[derive(Debug)]
pub(super) struct Family {
    leader: Option<Pid>,
    mark: String,
    ended: bool,
}

impl Family {
    /// The family of a child that was [prepared](prepare) with this mark.
    pub(super) fn new(child: &Child, mark: String) -> Self {
        let leader = i32::try_from(child.id()).ok().and_then(Pid::from_raw);
        if let Some(leader) = leader {
            let mut live = LIVE.lock().unwrap_or_else(PoisonError::into_inner);
            live.push((leader, mark.clone()));
        }
        Family {
            leader,
            mark,
            ended: false,
        }
    }

    /// Whether the leader has exited. It stays a zombie, so that its process id is not reused.
    pub(super) fn has_exited(&self) -> bool {
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
        let Some(leader) = self.leader else {
            return true;
        };
        // An error means that the child no longer exists.
        !matches!(waitid(WaitId::Pid(leader), options), Ok(None))
    }

    /// Limits the memory of the leader and of each process that it starts from now on.
    #[cfg(target_os = "linux")]
    pub(super) fn limit_memory(&self, bytes: u64) {
        use rustix::process::{Resource, Rlimit, prlimit};
        let limit = Rlimit {
            current: Some(bytes),
            maximum: Some(bytes),
        };
        if let Some(leader) = self.leader {
            // This fails if the leader has ended; then no limit is needed.
            let _ = prlimit(Some(leader), Resource::Data, limit);
        }
    }

    /// This platform cannot limit another process.
    #[cfg(not(target_os = "linux"))]
    pub(super) fn limit_memory(&self, _: u64) {}

    /// The sum of the peak memory of the family's live processes, in bytes.
    pub(super) fn memory(&self) -> Option<u64> {
        memory_of_marked(&self.mark)
    }

    /// The processor time of the family's live processes and of the children that they have waited for.
    pub(super) fn processor_time(&self) -> Option<Duration> {
        processor_time_of_marked(&self.mark)
    }

    /// Waits for the leader's exit, but no longer than `patience`.
    pub(super) fn wait_for_exit(&self, patience: Duration) {
        let deadline = Instant::now() + patience;
        while !self.has_exited() && Instant::now() < deadline {
            std::thread::sleep(Duration::from_millis(1));
        }
    }

    /// Kills the whole family. Must be called before the leader is waited for.
    pub(super) fn end(&mut self) {
        if std::mem::replace(&mut self.ended, true) {
            return;
        }
        if let Some(leader) = self.leader {
            kill(leader, &self.mark);
            let mut live = LIVE.lock().unwrap_or_else(PoisonError::into_inner);
            live.retain(|(_, mark)| *mark != self.mark);
        }
    }
}

/// Whether a process is known to have ended: no process has this id.
pub(super) fn has_died(number: u32) -> bool {
    let pid = i32::try_from(number).ok().and_then(Pid::from_raw);
    pid.is_some_and(|pid| test_kill_process(pid) == Err(rustix::io::Errno::SRCH))
}

/// Ends every engine that is still running, with its children: for programs that are about to exit
/// without unwinding.
pub fn end_all() {
    let live = std::mem::take(&mut *LIVE.lock().unwrap_or_else(PoisonError::into_inner));
    for (leader, mark) in live {
        kill(leader, &mark);
    }
}

fn kill(leader: Pid, mark: &str) {
    // An error means that the group has no processes left.
    let _ = kill_process_group(leader, Signal::KILL);
    // Processes may fork while we search, so the search is repeated.
    const VISITS: usize = 20;
    for _ in 0..VISITS {
        if kill_marked(mark) == 0 {
            break;
        }
    }
}

/// Kills every process that has a mark. Returns how many there were.
#[cfg(target_os = "linux")]
fn kill_marked(mark: &str) -> usize {
    use rustix::process::{PidfdFlags, pidfd_open, pidfd_send_signal};
    let mut count = 0;
    for pid in all_processes() {
        // The handle is opened first, so that the signal cannot reach another process that reuses the id.
        let Ok(handle) = pidfd_open(pid, PidfdFlags::empty()) else {
            continue;
        };
        if carries(pid, mark) && pidfd_send_signal(handle, Signal::KILL).is_ok() {
            count += 1;
        }
    }
    count
}

/// All processes of the system.
#[cfg(target_os = "linux")]
fn all_processes() -> Vec<Pid> {
    let Ok(processes) = std::fs::read_dir("/proc") else {
        return Vec::new();
    };
    let number = |name: std::ffi::OsString| name.to_str()?.parse().ok();
    processes
        .flatten()
        .filter_map(|entry| number(entry.file_name()).and_then(Pid::from_raw))
        .collect()
}

/// Whether a process has a mark. The environment of another user's process, or of one that is exiting, cannot be read.
#[cfg(target_os = "linux")]
fn carries(pid: Pid, mark: &str) -> bool {
    let place = format!("/proc/{}/environ", pid.as_raw_nonzero());
    let Ok(environment) = std::fs::read(place) else {
        return false;
    };
    environment
        .split(|byte| *byte == 0)
        .filter_map(|entry| entry.strip_prefix(VARIABLE.as_bytes()))
        .any(|value| {
            value
                .windows(mark.len())
                .any(|part| part == mark.as_bytes())
        })
}

/// The sum of the peak memory of the processes with a mark, in bytes.
#[cfg(target_os = "linux")]
fn memory_of_marked(mark: &str) -> Option<u64> {
    let peak = |pid: Pid| {
        let status = format!("/proc/{}/status", pid.as_raw_nonzero());
        let status = std::fs::read_to_string(status).ok()?;
        let line = status
            .lines()
            .find_map(|line| line.strip_prefix("VmHWM:"))?;
        line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok()
    };
    let family = all_processes()
        .into_iter()
        .filter(|pid| carries(*pid, mark));
    let peaks: Vec<u64> = family.filter_map(peak).collect();
    (!peaks.is_empty()).then(|| peaks.iter().sum::<u64>() << 10)
}

/// The processor time of the processes with a mark.
#[cfg(target_os = "linux")]
fn processor_time_of_marked(mark: &str) -> Option<Duration> {
    /// Linux reports hundredths of a second here, whatever its internal clock.
    const TICK: Duration = Duration::from_millis(10);
    let ticks = |pid: Pid| {
        let stat = format!("/proc/{}/stat", pid.as_raw_nonzero());
        let stat = std::fs::read_to_string(stat).ok()?;
        // The name is in parentheses and may contain any character. After it, from the 12th word on, come the user and system
        // times of the process and of its children.
        let (_, words) = stat.rsplit_once(')')?;
        let times = words.split_whitespace().skip(11).take(4);
        times.map(|word| word.parse::<u32>().ok()).sum()
    };
    let family = all_processes()
        .into_iter()
        .filter(|pid| carries(*pid, mark));
    let ticks: Vec<u32> = family.filter_map(ticks).collect();
    (!ticks.is_empty()).then(|| TICK.saturating_mul(ticks.iter().sum()))
}

#[cfg(not(target_os = "linux"))]
fn processor_time_of_marked(_: &str) -> Option<Duration> {
    None
}

#[cfg(not(target_os = "linux"))]
fn kill_marked(_: &str) -> usize {
    0
}

#[cfg(not(target_os = "linux"))]
fn memory_of_marked(_: &str) -> Option<u64> {
    None
}
