//! Lists the files of the page, so that they become part of the program.

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

fn main() -> io::Result<()> {
    let variable = |name| env::var_os(name).map(PathBuf::from);
    let (Some(here), Some(out)) = (variable("CARGO_MANIFEST_DIR"), variable("OUT_DIR")) else {
        return Err(io::Error::other("to be run by cargo"));
    };
    println!("cargo::rerun-if-changed=page");
    let folder = here.join("page");
    let mut files = Vec::new();
    find(&folder, &mut files)?;
    files.sort();
    let mut list = String::from("&[\n");
    for file in &files {
        let name = file.strip_prefix(&folder).map_err(io::Error::other)?;
        let name = name.to_string_lossy().replace('\\', "/");
        writeln!(list, "    ({name:?}, include_bytes!({file:?})),").map_err(io::Error::other)?;
    }
    list.push_str("]\n");
    fs::write(out.join("page_files.rs"), list)
}

/// All files of a folder and of the folders in it.
fn find(folder: &Path, files: &mut Vec<PathBuf>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        match path.is_dir() {
            true => find(&path, files)?,
            false => files.push(path),
        }
    }
    Ok(())
}
