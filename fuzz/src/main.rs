//! The fuzzer. `FUZZ_TARGET` names the reader and `FUZZ_SEEDS` a folder for the good inputs that the program generates;
//! `scripts/fuzz` sets both.
#![no_main]

use kalahari_hostile::{TARGETS, Target, target_of};
use libfuzzer_sys::fuzz_target;
use std::sync::OnceLock;

static READER: OnceLock<fn(&[u8])> = OnceLock::new();

fn target() -> Target {
    let name = std::env::var("FUZZ_TARGET").unwrap_or_default();
    let known = TARGETS.map(|target| target.name).join(", ");
    target_of(&name).unwrap_or_else(|| panic!("FUZZ_TARGET must be one of {known}"))
}

/// Runs once, before the fuzzer starts: chooses the reader and writes its generated inputs.
fn begin() {
    let target = target();
    if let Some(folder) = std::env::var_os("FUZZ_SEEDS") {
        for (number, seed) in (target.seeds)().iter().enumerate() {
            let file = std::path::Path::new(&folder).join(format!("made-{number}"));
            std::fs::write(file, seed).expect("the folder of FUZZ_SEEDS is writable");
        }
    }
    READER.get_or_init(|| target.run);
}

fuzz_target!(init: begin(), |bytes: &[u8]| {
    let reader = READER.get().expect("begin() has run");
    reader(bytes);
});
