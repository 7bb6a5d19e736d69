//! `kalahari serve`: the page.

use crate::{interrupt, output};
use anyhow::Context;
use clap::Args;
use kalahari_agents::{AgentSpec, Player};
use kalahari_arena::Store;
use kalahari_games::AnyGame;
use kalahari_web::{Limits, ServeOptions, Server};
use std::path::PathBuf;
use std::time::Duration;

/// Serve the page: play, analyse, review games and solve puzzles in a browser
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  kalahari serve --open
  kalahari serve --port 9000
  kalahari serve --store games.db
  kalahari serve --agent py:my_agent.py

Only this machine can reach the server. Ctrl-C ends it.")]
pub(crate) struct Serve {
    /// The port; 0 is any free one
    #[arg(long, value_name = "P", default_value_t = 8080)]
    port: u16,

    /// Open the page in a browser
    #[arg(long)]
    open: bool,

    /// Show the matches of this store as well (see `kalahari match --db`)
    #[arg(long, value_name = "FILE")]
    store: Option<PathBuf>,

    /// An agent of your own to play against, such as py:agent.py or ugi:./engine; can be given several times
    #[arg(long = "agent", value_name = "AGENT")]
    agents: Vec<AgentSpec>,
}

impl Serve {
    pub(crate) fn run(self) -> anyhow::Result<()> {
        if let Some(file) = &self.store {
            // Better now than when the first visitor asks.
            Store::open_existing(file)?;
        }
        for agent in &self.agents {
            check(agent)?;
        }
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
        };
        let served = runtime.block_on(async {
            let server = Server::bind(options).await?;
            let address = format!("http://{}/", server.address());
            output::print(&format!(
                "The page is at {address}\nCtrl-C ends the server\n"
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
