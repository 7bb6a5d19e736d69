//! `kalahari serve`: the page.

use crate::{interrupt, output};
use anyhow::Context;
use clap::Args;
use kalahari_arena::Store;
use kalahari_web::{Limits, ServeOptions, Server};
use std::path::PathBuf;
use std::time::Duration;

/// Serve the page: play, analyse, review games and solve puzzles in a browser
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  kalahari serve --open
  kalahari serve --port 9000
  kalahari serve --store games.db

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
}

impl Serve {
    pub(crate) fn run(self) -> anyhow::Result<()> {
        if let Some(file) = &self.store {
            // Better now than when the first visitor asks.
            Store::open_existing(file)?;
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
