//! A child process that is spoken to in lines and cannot hurt us.
//!
//! What it prints is read by a thread that keeps a bounded number of answers and never waits for us.
//! What we write never waits for it longer than a moment. When it ends, its children end too.

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

/// How long a process may leave our words unread once its pipe is full.
const WRITE_PATIENCE: Duration = Duration::from_millis(500);

/// How long a process may take to end by itself when it is asked to.
const LEAVE: Duration = Duration::from_millis(100);

/// How long what it complained of last may be on its way to us.
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

/// What a program finds around it.
#[derive(Default)]
pub(crate) struct Setting<'a> {
    /// Added to its environment.
    pub(crate) variables: &'a [(&'a str, &'a str)],
    /// How much memory it may have, in bytes, where that can be limited.
    pub(crate) memory: Option<u64>,
    /// Where it runs, if not where we do.
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
        // Whoever drops this ends the process, also when a thread could not be started.
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

    /// The most memory that it and its children have had, in bytes; `None` where that is not known.
    pub(crate) fn memory(&self) -> Option<u64> {
        self.family.memory()
    }

    /// How long it and its children have kept processors busy; `None` where that is not known.
    pub(crate) fn processor_time(&self) -> Option<Duration> {
        self.family.processor_time()
    }

    /// Whether it is still running.
    pub(crate) fn is_alive(&self) -> bool {
        !self.family.has_exited() && !self.mail.is_closed()
    }

    /// Writes a line. An error says that the process has gone or does not read.
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

    /// Ends the process and says how it ended and what it complained of last.
    pub(crate) fn last_words(mut self) -> String {
        // It closed its output, so it is about to end by itself; the errors arrive a little later.
        self.family.wait_for_exit(LEAVE);
        let exited = self.family.has_exited();
        self.family.end();
        let how = match (exited, self.child.wait()) {
            (true, Ok(status)) => status.to_string(),
            (true, Err(error)) => error.to_string(),
            (false, _) => "it closed its output".to_owned(),
        };
        match self.tail.last_line(LAST_WORDS) {
            Some(line) => format!("{how}; it said '{line}'"),
            None => how,
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        if !self.family.has_exited() {
            // A polite engine saves its work and goes.
            // To others the end of their input says the same.
            let polite = self.dialect == Dialect::Lines || self.write_line("quit").is_ok();
            self.stdin = None;
            if polite {
                self.family.wait_for_exit(LEAVE);
            }
        }
        self.family.end();
        // After SIGKILL there is nothing to wait for but the kernel.
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
