//! Pixels as the bytes of a PNG file.
//!
//! A file is an eight-byte signature followed by chunks: a length, a name, data, and a checksum of name and data. Four chunks are
//! written: `IHDR` (the size; eight bits each of red, green and blue), `tEXt` (which program made it), `IDAT` (all rows,
//! compressed by zlib, each after a byte that names its filter, here always none) and `IEND`.

use flate2::Compression;
use flate2::write::ZlibEncoder;
use kalahari_terms::Program;
use std::io::{self, Write};

/// The bytes of a file with these pixels, each red, green and blue, row by row.
pub(super) fn encode(pixels: &[u8], width: u32) -> io::Result<Vec<u8>> {
    let row = 3 * width as usize;
    if row == 0 || pixels.is_empty() || !pixels.len().is_multiple_of(row) {
        return Err(io::ErrorKind::InvalidInput.into());
    }
    let height = (pixels.len() / row) as u32;
    let mut header = [width.to_be_bytes(), height.to_be_bytes()].concat();
    header.extend([DEPTH, COLOURS, 0, 0, 0]);
    let mut rows = ZlibEncoder::new(Vec::new(), Compression::default());
    for row in pixels.chunks_exact(row) {
        rows.write_all(&[NO_FILTER])?;
        rows.write_all(row)?;
    }
    let mut file = SIGNATURE.to_vec();
    chunk(&mut file, b"IHDR", &header);
    let maker = format!("Software\0{}", Program::maker());
    chunk(&mut file, b"tEXt", maker.as_bytes());
    chunk(&mut file, b"IDAT", &rows.finish()?);
    chunk(&mut file, b"IEND", &[]);
    Ok(file)
}

const SIGNATURE: [u8; 8] = *b"\x89PNG\r\n\x1a\n";
/// Bits per colour channel.
const DEPTH: u8 = 8;
/// The colour type of red, green and blue.
const COLOURS: u8 = 2;
const NO_FILTER: u8 = 0;

fn chunk(file: &mut Vec<u8>, name: &[u8; 4], data: &[u8]) {
    let length = data.len() as u32;
    let mut checksum = crc32fast::Hasher::new();
    checksum.update(name);
    checksum.update(data);
    file.extend(length.to_be_bytes());
    file.extend(name);
    file.extend(data);
    file.extend(checksum.finalize().to_be_bytes());
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Read;

    /// Decodes a file as the standard says: the width and height, and the pixels without the filter bytes.
    fn decode(file: &[u8]) -> (u32, u32, Vec<u8>) {
        let mut rest = file.strip_prefix(&SIGNATURE).expect("the signature");
        let mut chunks = Vec::new();
        while !rest.is_empty() {
            let number = |at: usize| u32::from_be_bytes(rest[at..at + 4].try_into().expect("four"));
            let end = 8 + number(0) as usize;
            assert_eq!(crc32fast::hash(&rest[4..end]), number(end));
            chunks.push((&rest[4..8], &rest[8..end]));
            rest = &rest[end + 4..];
        }
        let names: Vec<&[u8]> = chunks.iter().map(|chunk| chunk.0).collect();
        assert_eq!(names, [b"IHDR", b"tEXt", b"IDAT", b"IEND"]);
        let header = chunks[0].1;
        let size = |at: usize| u32::from_be_bytes(header[at..at + 4].try_into().expect("four"));
        assert_eq!(header[8..], [8, 2, 0, 0, 0]);
        let mut rows = Vec::new();
        let mut unpacked = flate2::read::ZlibDecoder::new(chunks[2].1);
        unpacked.read_to_end(&mut rows).expect("zlib");
        let (width, height) = (size(0), size(4));
        let row = 3 * width as usize + 1;
        assert_eq!(rows.len(), row * height as usize);
        let pixels = rows.chunks(row).flat_map(|row| {
            assert_eq!(row[0], 0);
            row[1..].iter().copied()
        });
        (width, height, pixels.collect())
    }

    #[test]
    fn what_is_packed_can_be_unpacked() {
        for (width, height) in [(1, 1), (2, 3), (1000, 40)] {
            let count = 3 * width * height;
            let pixels: Vec<u8> = (0..u64::from(count)).map(|i| (i * i % 251) as u8).collect();
            let file = encode(&pixels, width).expect("a picture");
            assert_eq!(decode(&file), (width, height, pixels));
        }
    }

    #[test]
    fn half_a_row_is_not_a_picture() {
        assert!(encode(&[0; 5], 1).is_err());
        assert!(encode(&[], 1).is_err());
        assert!(encode(&[0; 3], 0).is_err());
    }
}
