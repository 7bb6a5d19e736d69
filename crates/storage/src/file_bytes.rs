//! A file's content as a slice.

use crate::regular::refuse_non_files;
use crate::shortened::InUse;
use memmap2::Mmap;
use std::fs::File;
use std::io::{self, Read};
use std::ops::Deref;
use std::path::Path;

/// The content of a file that is never changed in place, only replaced whole, as [`replace`](crate::replace) does.
/// It stays as it was when it was opened. Parts that are never used are never read from disk.
#[derive(Debug)]
pub struct FileBytes(Content);

#[derive(Debug)]
enum Content {
    Mapped {
        _in_use: InUse,
        map: Mmap,
    },
    /// The bytes, where files cannot be mapped.
    Read(Vec<u8>),
}

impl FileBytes {
    /// Opens a file.
    pub fn open(path: &Path) -> io::Result<Self> {
        refuse_non_files(path)?;
        let mut file = File::open(path)?;
        // SAFETY: such files are never changed in place, only replaced by renaming; the map keeps the old file.
        if let Ok(map) = unsafe { Mmap::map(&file) } {
            let _in_use = InUse::note(path, &map);
            return Ok(FileBytes(Content::Mapped { _in_use, map }));
        }
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes)?;
        Ok(FileBytes(Content::Read(bytes)))
    }
}

impl Deref for FileBytes {
    type Target = [u8];

    #[inline]
    fn deref(&self) -> &[u8] {
        match &self.0 {
            Content::Mapped { map, .. } => map,
            Content::Read(bytes) => bytes,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_those_of_the_file_that_was_opened() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("file");
        assert!(FileBytes::open(&path).is_err());
        assert!(FileBytes::open(folder.path()).is_err());
        #[cfg(unix)]
        assert!(FileBytes::open(Path::new("/dev/zero")).is_err());
        crate::write_whole(&path, b"").expect("written");
        assert!(FileBytes::open(&path).expect("there").is_empty());
        crate::write_whole(&path, b"old").expect("written");
        let bytes = FileBytes::open(&path).expect("there");
        crate::write_whole(&path, b"new and longer").expect("written");
        assert_eq!(&*bytes, b"old");
    }
}
