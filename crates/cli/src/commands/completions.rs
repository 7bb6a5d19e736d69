//! `kalahari completions`: lets a shell complete commands and options.

use clap::Args;
use clap_complete::Shell;

/// Print a script that lets a shell complete commands and options
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  kalahari completions bash > ~/.local/share/bash-completion/completions/kalahari
  kalahari completions zsh > ~/.zfunc/_kalahari
  kalahari completions fish > ~/.config/fish/completions/kalahari.fish
  kalahari completions powershell >> $PROFILE")]
pub(crate) struct Completions {
    /// The shell
    shell: Shell,
}

impl Completions {
    pub(crate) fn run(self) -> anyhow::Result<()> {
        let mut program = crate::help::program();
        let mut script = Vec::new();
        clap_complete::generate(self.shell, &mut program, "kalahari", &mut script);
        crate::output::print(&String::from_utf8(script)?)
    }
}
