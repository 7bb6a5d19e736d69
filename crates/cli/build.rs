//! Tells the program which commit it was built from, if that can be known.

use std::process::Command;

fn main() {
    println!("cargo:rerun-if-env-changed=KALAHARI_COMMIT");
    let named = std::env::var("KALAHARI_COMMIT").ok();
    // Without git, or outside of a clone, nothing is known, and that is fine.
    let commit = named.or_else(|| git(&["rev-parse", "--short=12", "HEAD"]));
    for file in ["HEAD", "logs/HEAD"] {
        if let Some(path) = git(&["rev-parse", "--path-format=absolute", "--git-path", file])
            && std::path::Path::new(&path).exists()
        {
            println!("cargo:rerun-if-changed={path}");
        }
    }
    println!("cargo:rerun-if-changed=build.rs");
    println!(
        "cargo:rustc-env=KALAHARI_COMMIT={}",
        commit.unwrap_or_default()
    );
}

/// The first line that git prints; `None` if it cannot be run or fails.
fn git(arguments: &[&str]) -> Option<String> {
    let output = Command::new("git").args(arguments).output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    let line = text.lines().next()?.trim().to_owned();
    (output.status.success() && !line.is_empty()).then_some(line)
}
