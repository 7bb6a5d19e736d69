//! The fuzzer. `FUZZ_TARGET` names the reader; `scripts/fuzz` sets it.
#![no_main]

use kalahari_hostile::{TARGETS, target_of};
use libfuzzer_sys::fuzz_target;
use std::sync::OnceLock;

static READER: OnceLock<fn(&[u8])> = OnceLock::new();

fuzz_target!(|bytes: &[u8]| {
    let reader = READER.get_or_init(|| {
        let name = std::env::var("FUZZ_TARGET").unwrap_or_default();
        let known = TARGETS.map(|target| target.name).join(", ");
        let target = target_of(&name);
        let target = target.unwrap_or_else(|| panic!("FUZZ_TARGET is one of {known}"));
        // What the program makes itself is tried first.
        (target.seeds)().iter().for_each(|seed| (target.run)(seed));
        target.run
    });
    reader(bytes);
});
