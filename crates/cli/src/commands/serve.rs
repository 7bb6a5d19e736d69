//! `kalahari serve`: the page.

use crate::{interrupt, output};
use anyhow::Context;
use clap::Args;
use kalahari_agents::{AgentSpec, Player};
use kalahari_arena::Store;
use kalahari_games::AnyGame;
use kalahari_storage::data_home;
use kalahari_web::{Hosting, Limits, PublicName, QrCode, ServeOptions, Server};
use std::io::IsTerminal;
use std::net::{IpAddr, Ipv4Addr};
use std::path::PathBuf;
use std::time::Duration;

/// Serve the page: play, analyse, review games and solve puzzles in a browser
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  kalahari serve --open
  kalahari serve --port 9000
  kalahari serve --db games.db
  kalahari serve --agent py:my_agent.py
  kalahari serve --host 0.0.0.0
  kalahari serve --name kalah.example.org

Only this machine can reach the server, unless --host or --name is given. Then people who have the invitation's link can
play, also against each other, analyse and solve puzzles, but see no store, start no programs of yours and read no files.
The book's chapter on hosting has more. Ctrl-C ends the server.")]
pub(crate) struct Serve {
    /// The port; 0 is any free one
    #[arg(long, value_name = "P", default_value_t = 8080)]
    port: u16,

    /// Open the page in a browser
    #[arg(long)]
    open: bool,

    /// Show the matches of this store as well (see `kalahari match --db`)
    #[arg(long = "db", alias = "store", value_name = "FILE")]
    store: Option<PathBuf>,

    /// An agent of your own to play against, such as py:agent.py or ugi:./engine; can be given several times
    #[arg(long = "agent", value_name = "AGENT")]
    agents: Vec<AgentSpec>,

    /// Accept invited people at this address of this machine; 0.0.0.0 means all its addresses
    #[arg(long, value_name = "ADDRESS", value_parser = address)]
    host: Option<IpAddr>,

    /// The name under which others reach the server, such as kalah.example.org behind a proxy; can be given several times
    #[arg(long = "name", value_name = "HOST")]
    names: Vec<PublicName>,

    /// Where the invitation and the games of people are kept [default: hosting.json in the data directory]
    #[arg(long, value_name = "FILE")]
    keep: Option<PathBuf>,

    /// Make a new invitation; the old links stop working
    #[arg(long)]
    new_invitation: bool,
}

/// Reads an address of this machine.
fn address(text: &str) -> Result<IpAddr, String> {
    text.parse().map_err(|_| {
        let shown: String = text.chars().take(40).collect();
        format!("--host is an IP address of this machine, such as 192.168.1.5, or 0.0.0.0 for all of them, not '{shown}'")
    })
}

impl Serve {
    pub(crate) fn run(self) -> anyhow::Result<()> {
        if let Some(file) = &self.store {
            // A bad store is better found now than when the first visitor asks.
            Store::open_existing(file)?;
        }
        for agent in &self.agents {
            check(agent)?;
        }
        let hosting = self.hosting()?;
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(2)
            .enable_all()
            .build()
            .context("cannot start")?;
        let options = ServeOptions {
            port: self.port,
            store: self.store,
            live: None,
            agents: self.agents,
            limits: Limits::default(),
            hosting,
        };
        let served = runtime.block_on(async {
            let server = Server::bind(options).await?;
            let address = server.owner_link();
            let invitation = server.invitation().map(|link| invite(&link));
            let invitation = invitation.unwrap_or_default();
            // All at once: a reader may close the pipe after the first line, and the server continues.
            output::print(&format!(
                "The page is at {address}\n{invitation}Ctrl-C ends the server\n"
            ))?;
            if self.open {
                open_browser(&address);
            }
            let stop = interrupt::meant_to_end();
            let interrupted = async {
                while !stop.is_requested() {
                    tokio::time::sleep(Duration::from_millis(50)).await;
                }
            };
            server.run(interrupted).await?;
            anyhow::Ok(())
        });
        runtime.shutdown_timeout(Duration::from_secs(2));
        served
    }
}

impl Serve {
    /// Whether and how people elsewhere can use the server.
    fn hosting(&self) -> anyhow::Result<Option<Hosting>> {
        if self.host.is_none() && self.names.is_empty() {
            if self.keep.is_some() || self.new_invitation {
                anyhow::bail!("--keep and --new-invitation are for servers with --host or --name");
            }
            return Ok(None);
        }
        let keep = match &self.keep {
            Some(keep) => keep.clone(),
            None => data_home()
                .context(
                    "there is no data directory: name a file with --keep, or set KALAHARI_HOME",
                )?
                .join("hosting.json"),
        };
        Ok(Some(Hosting {
            host: self.host.unwrap_or(Ipv4Addr::LOCALHOST.into()),
            names: self.names.clone(),
            keep,
            renew: self.new_invitation,
        }))
    }
}

/// The text about an invitation; on a terminal, with its QR code.
fn invite(link: &str) -> String {
    let code = match std::io::stdout().is_terminal() {
        true => QrCode::new(link).map(|code| code.text()),
        false => None,
    };
    let code = code.unwrap_or_default();
    let plain = match link.starts_with("http://") {
        true => {
            "Without a certificate, others on the same network could read everything that is sent: see the chapter on hosting in the book\n"
        }
        false => "",
    };
    format!("Anyone with this link can join: {link}\n{code}{plain}")
}

/// Refuses an agent that can play neither game: better now than in the middle of one.
fn check(agent: &AgentSpec) -> anyhow::Result<()> {
    let made = |game: &str| -> anyhow::Result<()> {
        Player::new(agent, &AnyGame::new(game.parse()?), 0)?;
        Ok(())
    };
    made("kalah").or_else(|refused| made("isolation").map_err(|_| refused))
}

/// Asks the system to show an address. If it cannot, the address has been printed.
fn open_browser(address: &str) {
    let (program, arguments): (&str, &[&str]) = if cfg!(target_os = "macos") {
        ("open", &[])
    } else if cfg!(windows) {
        ("cmd", &["/c", "start", ""])
    } else {
        ("xdg-open", &[])
    };
    let opened = std::process::Command::new(program)
        .args(arguments)
        .arg(address)
        .stdout(std::process::Stdio::null())
        .stderr(std::process::Stdio::null())
        .spawn();
    if opened.is_err() {
        eprintln!("kalahari: cannot open a browser; open the address by hand");
    }
}
