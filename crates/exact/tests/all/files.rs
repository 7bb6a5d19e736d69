//! Tablebase files that are damaged, of another kind, cut short, or that do not fit on the disk.

use kalahari_exact::Watch;
use kalahari_exact::tablebase::{TableSpec, Tablebase};
use kalahari_storage::{Damage, FileError, Trouble};
use kalahari_terms::Stop;
use std::fs;
use std::path::Path;

fn table(name: &str, seeds: usize) -> Tablebase {
    let spec: TableSpec = name.parse().expect("a name");
    Tablebase::build(spec, seeds, &Stop::new()).expect("built")
}

fn refused(path: &Path, wanted: &str) -> Trouble {
    let spec = wanted.parse().expect("a name");
    let error: FileError = Tablebase::open(path, Some(spec)).expect_err("refused");
    let name = path
        .file_name()
        .and_then(|name| name.to_str())
        .expect("a name");
    assert!(error.to_string().contains(name), "{error}");
    error.trouble
}

#[test]
fn a_file_holds_what_was_built() {
    let directory = tempfile::tempdir().expect("a directory");
    let path = directory.path().join("new").join("four.tablebase");
    let built = table("kalah:4:empty-capture", 14);
    built.save(&path).expect("saved");
    let read = Tablebase::open(&path, None).expect("whole");
    assert_eq!((read.spec(), read.seeds()), (built.spec(), 14));
    assert_eq!(read.distribution(), built.distribution());
    assert!(read.is_on_disk() && !built.is_on_disk());
    let stop = Stop::new();
    let watch = Watch::silent(&stop);
    let sample = read.verify_sample(2000, 3, watch).expect("right");
    assert_eq!(sample.positions, 2000);
    let checked = read.verify(watch).expect("right");
    assert_eq!(checked.positions, read.positions());
    let longer = Tablebase::extend(Some(&read), read.spec(), 16, watch, |_| {
        Ok::<_, kalahari_exact::tablebase::BuildError>(())
    });
    let whole = table("kalah:4:empty-capture", 16);
    assert_eq!(longer.expect("built").distribution(), whole.distribution());
}

#[test]
fn bad_files_are_told_apart() {
    let directory = tempfile::tempdir().expect("a directory");
    let path = directory.path().join("three.tablebase");
    assert!(matches!(refused(&path, "kalah:3"), Trouble::Missing));
    table("kalah:3", 24).save(&path).expect("saved");
    let whole = fs::read(&path).expect("there");
    assert!(matches!(
        refused(&path, "kalah:3:empty-capture"),
        Trouble::Foreign(_)
    ));
    assert!(matches!(refused(&path, "kalah:4"), Trouble::Foreign(_)));

    for length in [0, 10, 4096, whole.len() / 2, whole.len() - 1] {
        fs::write(&path, &whole[..length]).expect("written");
        assert!(
            matches!(
                refused(&path, "kalah:3"),
                Trouble::Damaged(Damage::Length { .. })
            ),
            "{length}"
        );
    }
    fs::write(&path, [&whole[..], &[0]].concat()).expect("written");
    assert!(matches!(
        refused(&path, "kalah:3"),
        Trouble::Damaged(Damage::Length { .. })
    ));

    for place in [
        8,
        13,
        14,
        20,
        63,
        4096,
        5000,
        whole.len() - 5,
        whole.len() - 1,
    ] {
        let mut flipped = whole.clone();
        flipped[place] ^= 4;
        fs::write(&path, flipped).expect("written");
        assert!(
            matches!(
                refused(&path, "kalah:3"),
                Trouble::Damaged(Damage::Checksum { .. })
            ),
            "{place}"
        );
    }
    fs::write(&path, vec![b'x'; 5000]).expect("written");
    assert!(matches!(refused(&path, "kalah:3"), Trouble::Foreign(_)));
    fs::create_dir(directory.path().join("folder")).expect("made");
    let folder = directory.path().join("folder");
    assert!(!matches!(refused(&folder, "kalah:3"), Trouble::Missing));
}

#[test]
fn a_wrong_byte_with_a_right_checksum_is_found() {
    // What a bug in the builder would look like: the checksums are right, a value is not.
    let directory = tempfile::tempdir().expect("a directory");
    let path = directory.path().join("two.tablebase");
    table("kalah:2", 6).save(&path).expect("saved");
    let mut bytes = fs::read(&path).expect("there");
    let positions = bytes.len() - 4096 - 4;
    bytes[4096 + positions / 2] ^= 2;
    let checksum = crc32(&bytes[4096..4096 + positions]);
    let end = bytes.len();
    bytes[end - 4..].copy_from_slice(&checksum.to_le_bytes());
    let list = crc32(&bytes[end - 4..]);
    bytes[28..32].copy_from_slice(&list.to_le_bytes());
    let header = crc32(&bytes[..60]);
    bytes[60..64].copy_from_slice(&header.to_le_bytes());
    fs::write(&path, bytes).expect("written");
    let table = Tablebase::open(&path, None).expect("checksums are right");
    let stop = Stop::new();
    let error = table.verify(Watch::silent(&stop)).expect_err("found");
    assert!(error.to_string().contains("its successors say"), "{error}");
}

/// A textbook CRC-32.
fn crc32(bytes: &[u8]) -> u32 {
    !bytes.iter().fold(!0, |crc, &byte| {
        (0..8).fold(crc ^ u32::from(byte), |crc, _| {
            (crc >> 1) ^ (0xEDB8_8320 * (crc & 1))
        })
    })
}

#[test]
#[cfg(target_os = "linux")]
fn a_full_disk_is_an_error() {
    let directory = tempfile::tempdir().expect("a directory");
    let path = directory.path().join("three.tablebase");
    // The path is a link to a device that is always full.
    std::os::unix::fs::symlink("/dev/full", &path).expect("linked");
    let error = table("kalah:3", 12).save(&path).expect_err("no room");
    let full = |error: &std::io::Error| error.kind() == std::io::ErrorKind::StorageFull;
    assert!(
        matches!(&error.trouble, Trouble::Io(error) if full(error)),
        "{error}"
    );
    assert!(error.to_string().contains("three.tablebase"), "{error}");
    assert!(path.is_symlink());
}

/// A table can be sent through a pipe.
#[test]
#[cfg(unix)]
fn a_pipe_gets_the_bytes_of_the_file() {
    let directory = tempfile::tempdir().expect("a directory");
    let (path, pipe) = (directory.path().join("file"), directory.path().join("pipe"));
    let made = std::process::Command::new("mkfifo").arg(&pipe).status();
    assert!(made.expect("it runs").success());
    let table = table("kalah:3", 12);
    table.save(&path).expect("saved");
    let sent = std::thread::scope(|scope| {
        let reader = scope.spawn(|| fs::read(&pipe));
        table.save(&pipe).expect("saved");
        reader.join().expect("no panic").expect("read")
    });
    assert_eq!(sent, fs::read(&path).expect("there"));
}
