//! Streams of any bytes, read and written in every framing; and zip files of any bytes.
//!
//! | offset | size | field |
//! |---|---|---|
//! | 0 | 1 | number of the framing; the number after the last stands for zip |
//! | 1 | 1 | use of the bytes: with 0 they are the stream; else they overwrite a part of a valid stream of the framing, this number of 64ths after its start |
//! | 2 | .. | bytes |

use std::io::{Cursor, Read};

use varvite_codec::frame::{FrameOptions, FrameReader, FrameWriter, Framing, ZipReader, ZipWriter};

/// The largest number of plain bytes, and of bytes in a buffer, for any read.
const LEN_MAX: usize = 1 << 20;

/// Reads the stream up to its first error. Then writes the same bytes in the framing, and checks that reading
/// restores them.
pub fn read_frames(bytes: &[u8]) {
    let Some((&[framing, place], bytes)) = bytes.split_first_chunk() else { return };
    let framing = Framing::ALL.get(usize::from(framing) % (Framing::ALL.len() + 1)).copied();
    let plain = [bytes, &bytes.repeat(20), bytes].concat();
    let good = write(framing, &plain);
    assert_eq!(read(framing, &good, usize::MAX), Some(plain), "{framing:?}");
    let data = if place == 0 { bytes.to_vec() } else { laid_over(good, bytes, place) };
    if let Some(plain) = read(framing, &data, LEN_MAX) {
        assert!(plain.len() <= LEN_MAX, "{framing:?} passed its limit");
    }
}

fn laid_over(mut good: Vec<u8>, bytes: &[u8], place: u8) -> Vec<u8> {
    let at = good.len() * usize::from(place % 64) / 64;
    let len = bytes.len().min(good.len() - at).min(8);
    good[at..at + len].copy_from_slice(&bytes[..len]);
    good
}

fn write(framing: Option<Framing>, plain: &[u8]) -> Vec<u8> {
    let options = FrameOptions::default();
    let written = match framing {
        Some(framing) => FrameWriter::new(framing, framing.codec().default_level(), Vec::new(), &options)
            .and_then(|mut writer| {
                writer.write_plain(plain)?;
                writer.finish()
            }),
        None => ZipWriter::new(Vec::new(), 1, &options).and_then(|mut zip| {
            let mut component = zip.component("chunk")?;
            component.write_plain(plain)?;
            component.finish()?;
            zip.finish()
        }),
    };
    written.expect("a Vec takes all")
}

/// Reads all plain bytes; `None` after an error.
fn read(framing: Option<Framing>, data: &[u8], len_max: usize) -> Option<Vec<u8>> {
    let options =
        FrameOptions { plain_len_max: len_max as u64, buffer_len_max: LEN_MAX, ..FrameOptions::default() };
    let mut plain = Vec::new();
    match framing {
        Some(framing) => {
            FrameReader::new(framing, data, &options).ok()?.read_to_end(&mut plain).ok()?;
        }
        None => {
            let zip = ZipReader::open(Cursor::new(data), &options).ok()?;
            for index in 0..zip.components().len() {
                let left = (len_max - plain.len().min(len_max)) as u64;
                zip.component(index).ok()??.take(left).read_to_end(&mut plain).ok()?;
            }
        }
    }
    Some(plain)
}
