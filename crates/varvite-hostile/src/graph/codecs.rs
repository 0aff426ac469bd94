//! Segments of compressed blocks that expand enormously, or can't be decoded.

use varvite_codec::{Codec, Workspace};
use varvite_format::{ColumnRow, Encoding};

use super::sketch::{Sketch, of_segment};
use crate::HostileFile;
use crate::file::Made;

/// The largest number of plain bytes of a block.
const BLOCK: u32 = 16 << 20;

pub(super) fn all() -> Vec<HostileFile> {
    let files: [Made<Sketch>; 18] = [
        ("zstd-bomb-of-16-megabytes", || bomb(Codec::Zstd, 1)),
        ("zstd-bomb-of-2-gigabytes", || bomb(Codec::Zstd, 128)),
        ("zstd-bomb-of-8-gigabytes", || bomb(Codec::Zstd, 512)),
        ("lz4-bomb-of-16-megabytes", || bomb(Codec::Lz4, 1)),
        ("lz4-bomb-of-1-gigabyte", || bomb(Codec::Lz4, 64)),
        ("zstd-bomb-of-texts", || text_bomb(Codec::Zstd, 64)),
        ("lz4-bomb-of-texts", || text_bomb(Codec::Lz4, 32)),
        ("zstd-bomb-of-label-codes", label_codes_bomb),
        ("zstd-bomb-of-one-byte-blocks", one_byte_blocks),
        ("zstd-blocks-of-less-than-they-say", || wrong_length(Codec::Zstd)),
        ("lz4-blocks-of-less-than-they-say", || wrong_length(Codec::Lz4)),
        ("zstd-frame-of-a-window-of-2-gigabytes", || {
            numbers(Codec::Zstd, vec![vec![0x28, 0xb5, 0x2f, 0xfd, 0x00, 0xa8, 0x01, 0x00, 0x00]])
        }),
        ("zstd-frame-of-2^64-bytes", zstd_frame_of_2_64_bytes),
        ("zstd-frame-that-is-skipped", || {
            numbers(Codec::Zstd, vec![vec![0x50, 0x2a, 0x4d, 0x18, 0xff, 0xff, 0xff, 0x7f]])
        }),
        ("zstd-frame-of-a-dictionary", || {
            numbers(
                Codec::Zstd,
                vec![vec![0x28, 0xb5, 0x2f, 0xfd, 0x23, 0xff, 0xff, 0xff, 0xff, 0x10, 0x01, 0x00, 0x00]],
            )
        }),
        ("zstd-blocks-of-nothing", || numbers(Codec::Zstd, vec![vec![]; 4])),
        ("lz4-blocks-that-point-before-themselves", || {
            numbers(Codec::Lz4, vec![[&[0x1f, b'x', 0xff, 0xff][..], &[0xff; 600]].concat()])
        }),
        ("lz4-blocks-that-never-end-a-length", || numbers(Codec::Lz4, vec![vec![0xff; 5000]])),
    ];
    files.into_iter().map(|(name, make)| HostileFile::graph(name, make().finish())).collect()
}

/// A compressed block of `BLOCK` zeros.
fn zeros(codec: Codec) -> Vec<u8> {
    compressed(codec, &vec![0; BLOCK as usize])
}

fn compressed(codec: Codec, plain: &[u8]) -> Vec<u8> {
    let mut stored = Vec::new();
    Workspace::new().compress(codec, plain, &mut stored).expect("zeros compress");
    stored
}

/// A graph in which ORDER and the CALL edges are each `blocks` blocks of zeros.
fn bomb(codec: Codec, blocks: usize) -> Sketch {
    let mut sketch = Sketch::code(10);
    let plain = u64::from(BLOCK) * blocks as u64;
    let segment = sketch.coded(codec, plain, BLOCK, vec![zeros(codec); blocks]);
    let values = sketch.column(ColumnRow { width: 4, ..of_segment(Encoding::Plain, plain / 4, segment) });
    let present = sketch.all();
    let offsets = sketch.sequence(11, 0, (plain / 40) as i64);
    sketch.property("ORDER", present, Some(offsets), values, None);
    let lists = sketch.lists(present, offsets, values);
    sketch.edges("CALL", plain / 4, lists);
    sketch
}

/// A graph with texts in a pool of `blocks` blocks of zeros, one text for each byte of the first block.
fn text_bomb(codec: Codec, blocks: usize) -> Sketch {
    let mut sketch = Sketch::code(1000);
    let plain = u64::from(BLOCK) * blocks as u64;
    let pool = sketch.coded(codec, plain, BLOCK, vec![zeros(codec); blocks]);
    let starts = sketch.sequence(1000, 0, (plain / 1000) as i64);
    let lengths = sketch.constant(1000, (plain / 1000) as i64);
    let (texts, codes) = (sketch.slices(1000, starts, lengths, pool), sketch.sequence(1000, 0, 1));
    sketch.text_property("FULL_NAME", 1000, codes, texts);
    sketch
}

fn label_codes_bomb() -> Sketch {
    let mut sketch = Sketch::code(BLOCK);
    let segment = sketch.coded(Codec::Zstd, u64::from(BLOCK), BLOCK, vec![zeros(Codec::Zstd)]);
    let codes = ColumnRow { width: 1, ..of_segment(Encoding::Plain, u64::from(BLOCK), segment) };
    sketch.directory.codes = Some(sketch.column(codes));
    sketch
}

/// A graph with a column that has a block for each value.
fn one_byte_blocks() -> Sketch {
    const COUNT: usize = 30_000;
    let mut sketch = Sketch::code(COUNT as u32);
    let blocks = vec![compressed(Codec::Zstd, &[7]); COUNT];
    let segment = sketch.coded(Codec::Zstd, COUNT as u64, 1, blocks);
    let values = ColumnRow { width: 1, ..of_segment(Encoding::Plain, COUNT as u64, segment) };
    let (present, values) = (sketch.all(), sketch.column(values));
    sketch.property("ORDER", present, None, values, None);
    sketch
}

fn wrong_length(codec: Codec) -> Sketch {
    numbers(codec, vec![compressed(codec, &[0; 1000]); 2])
}

fn zstd_frame_of_2_64_bytes() -> Sketch {
    let header = [0x28, 0xb5, 0x2f, 0xfd, 0xe0];
    numbers(Codec::Zstd, vec![[&header[..], &[0xff; 8], &[0x01, 0x00, 0x00]].concat()])
}

/// A graph with the property ORDER in compressed blocks, each of which claims 4,096 plain bytes.
fn numbers(codec: Codec, blocks: Vec<Vec<u8>>) -> Sketch {
    let count = blocks.len() as u64 * 4096;
    let mut sketch = Sketch::code(count as u32);
    let segment = sketch.coded(codec, count, 4096, blocks);
    let values = sketch.column(ColumnRow { width: 1, ..of_segment(Encoding::Plain, count, segment) });
    let present = sketch.all();
    sketch.property("ORDER", present, None, values, None);
    sketch
}
