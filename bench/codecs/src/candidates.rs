//! Measures every codec at the levels that users may choose, block by block, and every checksum of the
//! blocks.

use std::hint::black_box;
use std::time::Duration;

use serde_json::{Value, json};
use varvite_bench::Failure;
use varvite_codec::{Allocator, BlockCodec, Checksum, Codec};

use crate::median::{Samples, timed};
use crate::streams::Stream;
use crate::table_crc;

/// Plain bytes of a block: the default block length of a trace.
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

/// Seconds of a pass by each checksum, over the bytes that it covers.
#[derive(Clone, Debug, Default)]
pub(crate) struct Sums {
    /// XXH3 over stored bytes, as in a Varvite trace.
    pub(crate) xxh3: Samples,
    /// Over stored bytes.
    pub(crate) crc32c: Samples,
    /// CRC-32C over plain bytes, as Snappy's framing requires.
    pub(crate) crc32c_plain: Samples,
    /// CRC-32C over plain bytes, computed with one table.
    pub(crate) table_plain: Samples,
}

/// The results of one codec for a stream.
pub(crate) struct Row {
    pub(crate) codec: Codec,
    pub(crate) level: i32,
    pub(crate) stored_len: usize,
    pub(crate) compress: Samples,
    pub(crate) decompress: Samples,
    pub(crate) sums: Sums,
}

/// The results of all codecs for a stream.
pub(crate) struct Measured {
    pub(crate) name: &'static str,
    pub(crate) title: &'static str,
    pub(crate) plain_len: usize,
    pub(crate) rows: Vec<Row>,
}

pub(crate) fn measure(stream: &Stream, rounds: usize) -> Result<Measured, Failure> {
    let plain = stream.pass();
    let new = |(codec, level)| Row {
        codec,
        level,
        stored_len: 0,
        compress: Samples::default(),
        decompress: Samples::default(),
        sums: Sums::default(),
    };
    let mut rows: Vec<Row> = CANDIDATES.into_iter().map(new).collect();
    for _ in 0..rounds {
        for row in &mut rows {
            round(row, plain)?;
        }
    }
    Ok(Measured { name: stream.name, title: stream.title, plain_len: plain.len(), rows })
}

/// Compresses and decompresses every block, and measures the time of each part separately.
fn round(row: &mut Row, plain: &[u8]) -> Result<(), Failure> {
    let mut coder = BlockCodec::allocate(row.codec, row.level, BLOCK_LEN, &Allocator::global())?;
    let mut stored = vec![0; row.codec.stored_len_max(BLOCK_LEN)];
    let mut back = vec![0; BLOCK_LEN];
    let [mut compress, mut decompress] = [Duration::ZERO; 2];
    let [mut xxh3, mut crc32c, mut crc32c_plain, mut table_plain] = [Duration::ZERO; 4];
    row.stored_len = 0;
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
            return Err(Failure(format!("{} {} does not come back", row.codec, row.level)));
        }
        row.stored_len += len;
    }
    row.compress.add(compress);
    row.decompress.add(decompress);
    let sums = &mut row.sums;
    for (samples, time) in [
        (&mut sums.xxh3, xxh3),
        (&mut sums.crc32c, crc32c),
        (&mut sums.crc32c_plain, crc32c_plain),
        (&mut sums.table_plain, table_plain),
    ] {
        samples.add(time);
    }
    Ok(())
}

impl Row {
    pub(crate) fn json(&self) -> Value {
        json!({
            "codec": self.codec.name(), "level": self.level, "stored_bytes": self.stored_len,
            "compress_s": self.compress.json(), "decompress_s": self.decompress.json(),
            "xxh3_stored_s": self.sums.xxh3.json(), "crc32c_stored_s": self.sums.crc32c.json(),
            "crc32c_plain_s": self.sums.crc32c_plain.json(), "table_crc32c_plain_s": self.sums.table_plain.json(),
        })
    }
}
