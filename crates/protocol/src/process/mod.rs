//! A child process that exchanges lines with us and cannot block us.
//!
//! A thread reads what it prints, keeps a bounded number of answers and never waits for us.
//! A write waits at most [`WRITE_PATIENCE`] for the process to read. When the process ends, its children end, too.

#[cfg(unix)]
mod family;
#[cfg(not(unix))]
#[path = "family_elsewhere.rs"]
mod family;
mod mailbox;
mod scratch;
mod tail;

pub(crate) use mailbox::{Letter, Mailbox};
pub(crate) use scratch::{Scratch, from_anywhere};

pub use family::end_all;

use crate::Dialect;
use family::Family;
use std::io::{self, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};
use tail::Tail;

/// How long a process may leave its input unread once the pipe is full.
const WRITE_PATIENCE: Duration = Duration::from_millis(500);

/// How long a process may take to exit when it is asked to.
const LEAVE: Duration = Duration::from_millis(100);

/// How long to wait for the end of its standard error after it has ended.
const LAST_WORDS: Duration = Duration::from_secs(1);

/// A running program.
pub(crate) struct Process {
    child: Child,
    /// `None` once the process has been asked to leave.
    stdin: Option<ChildStdin>,
    family: Family,
    mail: Arc<Mailbox>,
    tail: Arc<Tail>,
    dialect: Dialect,
}

/// The environment of a program.
#[derive(Default)]
pub(crate) struct Setting<'a> {
    /// Added to its environment variables.
    pub(crate) variables: &'a [(&'a str, &'a str)],
    /// Its memory limit in bytes, on platforms that can set one.
    pub(crate) memory: Option<u64>,
    /// Its working directory, if it is not ours.
    pub(crate) folder: Option<&'a Path>,
}

impl Process {
    /// Starts a program. The first word is its name.
    pub(crate) fn start(
        command: &[String],
        dialect: Dialect,
        setting: &Setting<'_>,
    ) -> io::Result<Self> {
        scratch::remove_stale();
        let (program, arguments) = command
            .split_first()
            .ok_or_else(|| io::Error::from(io::ErrorKind::InvalidInput))?;
        let mut command = Command::new(program);
        command
            .args(arguments)
            .envs(setting.variables.iter().copied())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        if let Some(folder) = setting.folder {
            command.current_dir(folder);
        }
        let mark = family::prepare(&mut command);
        let mut child = family::spawn(command)?;
        let family = Family::new(&child, mark);
        if let Some(memory) = setting.memory {
            family.limit_memory(memory);
        }
        let (mail, tail) = (Arc::new(Mailbox::default()), Arc::new(Tail::default()));
        let stdin = child.stdin.take();
        let made = (|| {
            if let Some(stdin) = &stdin {
                family::never_block(stdin)?;
            }
            if let Some(stdout) = child.stdout.take() {
                let mail = Arc::clone(&mail);
                spawn("engine output", move || mail.fill_from(stdout, dialect))?;
            }
            if let Some(stderr) = child.stderr.take() {
                let tail = Arc::clone(&tail);
                spawn("engine errors", move || tail.fill_from(stderr))?;
            }
            Ok(())
        })();
        // Dropping this ends the process, also if a thread could not be started.
        let process = Process {
            child,
            stdin,
            family,
            mail,
            tail,
            dialect,
        };
        made.map(|()| process)
    }

    /// Where its answers arrive.
    pub(crate) fn mail(&self) -> &Mailbox {
        &self.mail
    }

    /// The peak memory of the process and its children, in bytes; `None` if it is not known.
    pub(crate) fn memory(&self) -> Option<u64> {
        self.family.memory()
    }

    /// The processor time of the process and its children; `None` if it is not known.
    pub(crate) fn processor_time(&self) -> Option<Duration> {
        self.family.processor_time()
    }

    /// Whether it is still running.
    pub(crate) fn is_alive(&self) -> bool {
        !self.family.has_exited() && !self.mail.is_closed()
    }

    /// Writes a line. Fails if the process has ended or does not read its input.
    pub(crate) fn write_line(&mut self, line: &str) -> io::Result<()> {
        let stdin = self.stdin.as_mut().ok_or(io::ErrorKind::BrokenPipe)?;
        let text = format!("{line}\n");
        let mut bytes = text.as_bytes();
        let deadline = Instant::now() + WRITE_PATIENCE;
        while !bytes.is_empty() {
            match stdin.write(bytes) {
                Ok(count) => bytes = &bytes[count..],
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {
                    if Instant::now() >= deadline {
                        return Err(io::ErrorKind::TimedOut.into());
                    }
                    std::thread::sleep(Duration::from_millis(1));
                }
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }

    /// Ends the process. Returns how it ended and the last line that it wrote to standard error.
    pub(crate) fn last_words(mut self) -> String {
        // It closed its output, so it is probably about to exit. Its errors may arrive a little later.
        self.family.wait_for_exit(LEAVE);
        let exited = self.family.has_exited();
        self.family.end();
        let how = match (exited, self.child.wait()) {
            (true, Ok(status)) => status.to_string(),
            (true, Err(error)) => error.to_string(),
            (false, _) => "it closed its output".to_owned(),
        };
        match self.tail.last_line(LAST_WORDS) {
            Some(line) => format!("{how}; it said \"{line}\""),
            None => how,
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        if !self.family.has_exited() {
            // A cooperative engine saves its work and exits after `quit`.
            // For a program that reads lines, the end of its input means the same.
            let polite = self.dialect == Dialect::Lines || self.write_line("quit").is_ok();
            self.stdin = None;
            if polite {
                self.family.wait_for_exit(LEAVE);
            }
        }
        self.family.end();
        // After SIGKILL this returns as soon as the kernel has ended the process.
        let _ = self.child.wait();
        self.mail.close();
    }
}

fn spawn(name: &str, work: impl FnOnce() + Send + 'static) -> io::Result<()> {
    std::thread::Builder::new()
        .name(name.to_owned())
        .spawn(work)
        .map(drop)
}
