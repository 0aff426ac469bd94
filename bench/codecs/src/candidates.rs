//! Measures every codec at the levels that users may choose, and every checksum, block by block.

use std::hint::black_box;
use std::time::Instant;

use varvite_bench::Failure;
use varvite_bench::record::results::Results;
use varvite_codec::{Allocator, BlockCodec, Checksum, Codec};

use crate::streams::Stream;
use crate::{SizedRow, table_crc};

/// The uncompressed size of a block in bytes: the default block length of a trace.
pub(crate) const BLOCK_LEN: usize = 256 << 10;

const CANDIDATES: [(Codec, i32); 15] = [
    (Codec::None, 0),
    (Codec::Lz4, -8),
    (Codec::Lz4, -1),
    (Codec::Lz4, 0),
    (Codec::Lz4, 3),
    (Codec::Lz4, 9),
    (Codec::Snappy, 0),
    (Codec::Zlib, 1),
    (Codec::Zlib, 6),
    (Codec::Gzip, 1),
    (Codec::Gzip, 6),
    (Codec::Zstd, -5),
    (Codec::Zstd, 1),
    (Codec::Zstd, 3),
    (Codec::Zstd, 9),
];

/// Measures all codecs on one stream. Each codec gets a row with the times of compression, decompression and
/// each checksum.
pub(crate) fn measure(stream: &Stream, rounds: usize, results: &mut Results) -> Result<(), Failure> {
    let plain = stream.pass();
    for _ in 0..rounds {
        for (codec, level) in CANDIDATES {
            let title = title_of(codec, level);
            let mut row = SizedRow::of(results, &format!("{}/", stream.name), &title);
            let stored_len = round(codec, level, plain, &mut row)?;
            row.set_size(plain.len(), stored_len);
        }
    }
    Ok(())
}

fn title_of(codec: Codec, level: i32) -> String {
    match codec {
        Codec::None | Codec::Snappy => codec.name().into(),
        _ => format!("{codec} {level}"),
    }
}

/// Compresses and decompresses every block, and adds the time of each part to `row`. Returns the number of
/// stored bytes.
fn round(codec: Codec, level: i32, plain: &[u8], row: &mut SizedRow) -> Result<usize, Failure> {
    let mut coder = BlockCodec::allocate(codec, level, BLOCK_LEN, &Allocator::global())?;
    let mut stored = vec![0; codec.stored_len_max(BLOCK_LEN)];
    let (mut back, mut stored_len) = (vec![0; BLOCK_LEN], 0);
    let [mut compress, mut decompress] = [0.0; 2];
    let [mut xxh3, mut crc32c, mut crc32c_plain, mut table_plain] = [0.0; 4];
    for block in plain.chunks(BLOCK_LEN) {
        let len = timed(&mut compress, || coder.compress(block, &mut stored))?;
        let stored = &stored[..len];
        timed(&mut xxh3, || black_box(Checksum::Xxh3.of(stored, 1)));
        timed(&mut crc32c, || black_box(Checksum::Crc32c.of(stored, 1)));
        timed(&mut crc32c_plain, || black_box(Checksum::Crc32c.of(block, 1)));
        timed(&mut table_plain, || black_box(table_crc::crc32c(block)));
        let back = &mut back[..block.len()];
        timed(&mut decompress, || coder.decompress(stored, back))?;
        if back != block {
            return Err(Failure(format!("{codec} {level} does not come back")));
        }
        stored_len += len;
    }
    for (side, ns) in [
        ("compress", compress),
        ("decompress", decompress),
        ("xxh3_stored", xxh3),
        ("crc32c_stored", crc32c),
        ("crc32c_plain", crc32c_plain),
        ("table_crc32c_plain", table_plain),
    ] {
        row.add(side, ns);
    }
    Ok(stored_len)
}

/// Adds the nanoseconds of `work` to `total`.
fn timed<T>(total: &mut f64, work: impl FnOnce() -> T) -> T {
    let start = Instant::now();
    let result = work();
    *total += start.elapsed().as_nanos() as f64;
    result
}
