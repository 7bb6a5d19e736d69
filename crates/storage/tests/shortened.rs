//! A file that is shortened in place while it is used.
#![cfg(unix)]

use kalahari_storage::{FileBytes, name_shortened_files};
use std::fs::{self, OpenOptions};
use std::path::Path;
use std::process::Command;

/// The environment variable that names the file to the child process, which runs this test again and is ended by the shortened file.
const FILE: &str = "KALAHARI_SHORTENED_FILE";

fn use_a_file_that_shrinks(path: &Path) {
    name_shortened_files(3);
    let bytes = FileBytes::open(path).expect("there");
    assert_eq!(bytes[1 << 20], 7);
    let file = OpenOptions::new().write(true).open(path).expect("there");
    file.set_len(4096).expect("shortened");
    println!("{}", bytes[1 << 20]);
}

#[test]
fn a_shortened_file_is_named() {
    if let Some(path) = std::env::var_os(FILE) {
        use_a_file_that_shrinks(path.as_ref());
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("a table");
    fs::write(&path, vec![7; 2 << 20]).expect("written");
    let ended = Command::new(std::env::current_exe().expect("a test"))
        .args(["--exact", "a_shortened_file_is_named", "--nocapture"])
        .env(FILE, &path)
        .output()
        .expect("a program");
    let said = String::from_utf8_lossy(&ended.stderr);
    assert_eq!(ended.status.code(), Some(3), "{said}");
    let sentence = format!("kalahari: {}: another program shortened", path.display());
    assert!(said.contains(&sentence), "{said}");
}
