//! `kalahari site`: the page without a server, as a folder.

use crate::output;
use anyhow::Context;
use clap::Args;
use kalahari_web::write_site;
use std::path::PathBuf;

/// Write the page without a server into a folder; `scripts/site` builds the module and calls this
#[derive(Debug, Args)]
#[command(after_help = "Example:
  kalahari site public --module kalahari_wasm.wasm")]
pub(crate) struct Site {
    /// The folder, which any web host can serve
    folder: PathBuf,

    /// The module of kalahari-wasm for browsers
    #[arg(long, value_name = "FILE")]
    module: PathBuf,
}

impl Site {
    pub(crate) fn run(self) -> anyhow::Result<()> {
        let module =
            std::fs::read(&self.module).with_context(|| self.module.display().to_string())?;
        anyhow::ensure!(
            module.starts_with(b"\0asm"),
            "{}: not a WebAssembly module; scripts/site builds it",
            self.module.display()
        );
        let files = write_site(&self.folder, &module)?;
        output::print(&format!(
            "{} files in {}\n",
            files.len(),
            self.folder.display()
        ))
    }
}
