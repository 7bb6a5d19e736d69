//! Regular files and nothing else: opening a pipe, or reading a device, might never end.

use std::fs;
use std::io;
use std::path::Path;

/// Refuses folders, pipes, sockets, devices and circular links. A path where nothing exists yet is fine.
pub fn refuse_non_files(path: &Path) -> io::Result<()> {
    let problem = match fs::metadata(path) {
        Ok(found) if found.is_file() => return Ok(()),
        Ok(found) if found.is_dir() => "it is a folder, not a file",
        Ok(_) => "it is a pipe, a socket or a device, not a file",
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(error),
    };
    Err(io::Error::new(io::ErrorKind::InvalidInput, problem))
}

/// The bytes of a file; anything that is not a file is refused.
pub fn read_file(path: &Path) -> io::Result<Vec<u8>> {
    refuse_non_files(path)?;
    fs::read(path)
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use crate::{FileBytes, open_alone, open_if_free};
    use std::fs::OpenOptions;
    use std::os::unix::fs::symlink;
    use std::os::unix::net::UnixListener;

    #[test]
    fn only_files_are_opened() {
        let folder = tempfile::tempdir().expect("a folder");
        let at = |name: &str| folder.path().join(name);
        let made = std::process::Command::new("mkfifo")
            .arg(at("pipe"))
            .status();
        assert!(made.expect("it runs").success());
        let _socket = UnixListener::bind(at("socket")).expect("a socket");
        symlink(at("round"), at("circle")).expect("linked");
        symlink(at("circle"), at("round")).expect("linked");
        symlink("/dev/zero", at("device")).expect("linked");
        fs::create_dir(at("folder")).expect("made");
        let mut options = OpenOptions::new();
        let options = options.create(true).write(true).truncate(false);
        for name in ["pipe", "socket", "circle", "device", "folder"] {
            let path = at(name);
            assert!(refuse_non_files(&path).is_err(), "{name}");
            assert!(read_file(&path).is_err(), "{name}");
            assert!(FileBytes::open(&path).is_err(), "{name}");
            assert!(open_alone(&path, options).is_err(), "{name}");
            assert!(open_if_free(&path, options).is_err(), "{name}");
        }
        refuse_non_files(&at("new")).expect("it can be made");
        let missing = read_file(&at("new")).expect_err("it is not there");
        assert_eq!(missing.kind(), io::ErrorKind::NotFound);
        fs::write(at("file"), "text").expect("written");
        symlink(at("file"), at("link")).expect("linked");
        assert_eq!(read_file(&at("link")).expect("a file"), b"text");
    }
}
