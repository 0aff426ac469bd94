//! [`zstd_run`]: a repeated byte, which takes four compressed bytes for each 128 KiB.

/// The largest number of plain bytes of a block.
const BLOCK: u32 = 128 << 10;
/// The head of a frame of unknown length, with a window as long as a block.
const HEAD: [u8; 6] = [0x28, 0xb5, 0x2f, 0xfd, 0, 7 << 3];
const RAW: u32 = 0;
const RUN: u32 = 1;

/// A frame of Zstandard that decodes to `begin`, two gigabytes of `byte`, and `end`. It is at most 65 kB
/// longer than `begin` and `end`.
pub(crate) fn zstd_run(begin: &[u8], byte: u8, end: &[u8]) -> Vec<u8> {
    let header = |is_last: bool, kind: u32, len: u32| {
        let [low, middle, high, _] = (u32::from(is_last) | kind << 1 | len << 3).to_le_bytes();
        [low, middle, high]
    };
    let [run_low, run_middle, run_high] = header(false, RUN, BLOCK);
    let run = [run_low, run_middle, run_high, byte].repeat(1 << 14);
    let raw = |is_last, bytes: &[u8]| [&header(is_last, RAW, bytes.len() as u32), bytes].concat();
    [&HEAD[..], &raw(false, begin), &run, &raw(true, end)].concat()
}

#[cfg(test)]
mod tests {
    use std::io::Read;

    use varvite_codec::frame::{Expansion, FrameOptions, FrameReader, Framing};

    use super::*;

    #[test]
    fn a_run_becomes_two_gigabytes() {
        let bomb = zstd_run(b"begin", b'x', b"end");
        assert!(bomb.len() < 66_000);
        let options = FrameOptions { expansion: Expansion::UNLIMITED, ..FrameOptions::default() };
        let mut reader = FrameReader::new(Framing::Zstd, &bomb[..], &options).unwrap();
        let mut begin = [0; 5];
        reader.read_exact(&mut begin).unwrap();
        let (mut piece, mut len, mut last) = (vec![0; 1 << 20], 0, Vec::new());
        loop {
            let read = reader.read(&mut piece).unwrap();
            if read == 0 {
                break;
            }
            len += read as u64;
            last.extend_from_slice(&piece[read.saturating_sub(3)..read]);
            last.drain(..last.len() - 3);
        }
        assert_eq!((&begin, &last[..], len), (b"begin", &b"end"[..], (2 << 30) + 3));
    }
}
