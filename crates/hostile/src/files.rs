//! Readers of files. Random bytes almost never have the right checksums, so the checksums are corrected first: the bugs to
//! find are in the code that runs after the checksums have been verified.

use kalahari_exact::book::{Book, shipped_books};
use kalahari_exact::prover::opening_book;
use kalahari_exact::prover::{Prover, ProverOptions, TableMemory, TablebasePolicy, Wanted};
use kalahari_exact::tablebase::Tablebase;
use kalahari_games::{AnyGame, Game};
use kalahari_net::NetFile;
use kalahari_terms::Stop;
use std::cell::RefCell;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

/// Writes a little-endian number at an offset, if the bytes are long enough.
pub(crate) fn put(bytes: &mut [u8], at: usize, number: u32) {
    if let Some(place) = bytes.get_mut(at..at + 4) {
        place.copy_from_slice(&number.to_le_bytes());
    }
}

fn number(bytes: &[u8], at: usize) -> Option<u32> {
    let word = bytes.get(at..at + 4)?;
    Some(u32::from_le_bytes(word.try_into().ok()?))
}

/// The most plies of a tested book: walking the positions of a deeper book takes too long for a test.
const PLIES: u32 = 4;

/// Opening books.
pub(crate) fn book(bytes: &[u8]) {
    let path = Path::new("a book");
    let _ = Book::read(path, bytes, None);
    let Some(mended) = with_book_sums(bytes) else {
        return;
    };
    if let Ok(book) = Book::read(path, &mended, None) {
        let again = Book::read(path, &book.to_bytes(), Some(book.game()));
        assert_eq!(again.ok().map(|book| book.to_bytes()), Some(mended));
    }
}

/// A book's bytes with the right checksums, and with a length that fits: eight bytes of magic, version, plies, length of
/// the frontier, length of the name, the name, a checksum, the values, a checksum.
fn with_book_sums(bytes: &[u8]) -> Option<Vec<u8>> {
    let mut bytes = bytes.to_vec();
    let plies = number(&bytes, 12)?;
    put(&mut bytes, 12, plies % (PLIES + 1));
    let start = 24_usize.checked_add(number(&bytes, 20)? as usize)?;
    let values = start.checked_add(4)?;
    let end = bytes.len().checked_sub(4).filter(|end| *end >= values)?;
    put(&mut bytes, 16, (end - values) as u32);
    let header = crc32fast::hash(&bytes[..start]);
    put(&mut bytes, start, header);
    let content = crc32fast::hash(&bytes[values..end]);
    put(&mut bytes, end, content);
    Some(bytes)
}

/// The smallest book that is built into the program.
pub(crate) fn books() -> Vec<Vec<u8>> {
    let all = shipped_books().filter_map(|game| opening_book(game, None).ok()?);
    all.map(|(book, _)| book.to_bytes())
        .min_by_key(Vec::len)
        .into_iter()
        .collect()
}

thread_local! {
    /// A folder for the files of this thread, in memory where the system has a folder for that.
    static FOLDER: RefCell<Option<TempDir>> = const { RefCell::new(None) };
}

/// Writes these bytes to a file in this thread's folder.
pub(crate) fn file(name: &str, bytes: &[u8]) -> Option<PathBuf> {
    FOLDER.with_borrow_mut(|folder| {
        if folder.is_none() {
            let memory = tempfile::tempdir_in("/dev/shm");
            *folder = memory.or_else(|_| tempfile::tempdir()).ok();
        }
        let path = folder.as_ref()?.path().join(name);
        std::fs::write(&path, bytes).ok()?;
        Some(path)
    })
}

/// Tablebases and saved tables of proven bounds.
pub(crate) fn table_files(bytes: &[u8]) {
    for bytes in [Some(bytes.to_vec()), with_tablebase_sums(bytes)] {
        let Some(path) = bytes.and_then(|bytes| file("table", &bytes)) else {
            continue;
        };
        let _ = Tablebase::file_info(&path);
        if let Ok(table) = Tablebase::open(&path, None) {
            let _ = table.distribution();
        }
    }
    for bytes in [Some(bytes.to_vec()), with_saved_sums(bytes)] {
        if let (Some(path), Some(mut prover)) = (
            bytes.and_then(|bytes| file("saved", &bytes)),
            small_prover(),
        ) {
            let _ = prover.resume(&path);
        }
    }
}

/// A tablebase's bytes with the right checksums: a header of 64 bytes whose last word is its own checksum, zeros to the end
/// of the page, the values, a checksum for each MiB of them.
fn with_tablebase_sums(bytes: &[u8]) -> Option<Vec<u8>> {
    const HEADER: usize = 64;
    const VALUES: usize = 4096;
    let mut bytes = bytes.to_vec();
    let end = bytes.len().checked_sub(4).filter(|end| *end >= VALUES)?;
    bytes[HEADER..VALUES].fill(0);
    let values = crc32fast::hash(&bytes[VALUES..end]);
    put(&mut bytes, end, values);
    let list = crc32fast::hash(&bytes[end..]);
    put(&mut bytes, 28, list);
    let header = crc32fast::hash(&bytes[..60]);
    put(&mut bytes, 60, header);
    Some(bytes)
}

/// A saved table's bytes with the right checksums: magic, version, length of the name, the name, four numbers, a checksum,
/// the entries, a checksum.
fn with_saved_sums(bytes: &[u8]) -> Option<Vec<u8>> {
    let mut bytes = bytes.to_vec();
    let header = 32_usize.checked_add(number(&bytes, 12)? as usize)?;
    let entries = header.checked_add(4)?;
    let end = bytes.len().checked_sub(4).filter(|end| *end >= entries)?;
    let sum = crc32fast::hash(&bytes[..header]);
    put(&mut bytes, header, sum);
    let sum = crc32fast::hash(&bytes[entries..end]);
    put(&mut bytes, end, sum);
    Some(bytes)
}

/// A prover with a small table.
fn small_prover() -> Option<Prover> {
    let game = AnyGame::new("kalah:2x2".parse().ok()?);
    let options = ProverOptions {
        memory: TableMemory::Bytes(2048),
        tablebase: TablebasePolicy::None,
        ..ProverOptions::without_files()
    };
    let mut prover = Prover::new(&game, options);
    let ready = prover.prepare(&[game.start()], &Wanted::VALUE, &Stop::new());
    ready.ok().map(|_| prover)
}

/// A small tablebase and a small saved table.
pub(crate) fn tables() -> Vec<Vec<u8>> {
    let tablebase = || {
        let built = Tablebase::build("kalah:2".parse().ok()?, 3, &Stop::new()).ok()?;
        let path = file("seed", &[])?;
        built.save(&path).ok()?;
        std::fs::read(path).ok()
    };
    let saved = || {
        let mut prover = small_prover()?;
        let start = prover.game().start();
        prover.prove(&start, &Wanted::VALUE, &Stop::new()).ok()?;
        let path = file("seed", &[])?;
        prover.save(&path).ok()?;
        std::fs::read(path).ok()
    };
    [tablebase(), saved()].into_iter().flatten().collect()
}

/// Nets: the bytes as they are, then with the checksum corrected.
pub(crate) fn net(bytes: &[u8]) {
    let path = Path::new("a net");
    let _ = NetFile::read(path, bytes);
    let mut bytes = bytes.to_vec();
    let Some(end) = bytes.len().checked_sub(4) else {
        return;
    };
    let sum = crc32fast::hash(&bytes[..end]);
    put(&mut bytes, end, sum);
    if let Ok(net) = NetFile::read(path, &bytes) {
        assert_eq!(net.to_bytes(), bytes);
    }
}

/// The smallest net of two pits: magic, version, pits, rule, seeds, hidden units, shift, three numbers of its origin, then
/// the numbers of one hidden unit, all zero, and a checksum.
pub(crate) fn nets() -> Vec<Vec<u8>> {
    const NUMBERS: usize = 2 * (128 + 2 + 20) + 4 * (128 + 20);
    let mut bytes = b"KALAHNN\n".to_vec();
    for word in [1_u32, 2, 0, 8, 1, 8, 0, 0, 0] {
        bytes.extend(word.to_le_bytes());
    }
    bytes.resize(bytes.len() + NUMBERS, 0);
    bytes.extend(crc32fast::hash(&bytes).to_le_bytes());
    assert!(NetFile::read(Path::new("a net"), &bytes).is_ok());
    vec![bytes]
}
