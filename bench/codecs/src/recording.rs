//! Measures how long it takes to record a trace to disk: the same records with each codec and file form. The
//! time ends when the last byte is on the disk.

use std::fs::File;
use std::io::{self, Write};
use std::path::Path;
use std::time::Instant;

use varvite_bench::Failure;
use varvite_bench::record::results::Results;
use varvite_bench::report::codecs::RECORDING;
use varvite_codec::frame::{FrameOptions, FrameWriter, Framing};
use varvite_codec::{Allocator, BlockCodec, Checksum, Codec};
use varvite_trace::{Options, Reader, Recorder, Schema, Split, StreamSource};

use crate::candidates::BLOCK_LEN;
use crate::streams::{INSTRUCTION, Stream};
use crate::{SizedRow, table_crc};

#[derive(Clone, Copy)]
enum Way {
    Blocks(Codec, i32, Checksum),
    Framed(Framing, i32),
    SnappyByTable,
    Trace(Codec, i32, Split),
}

/// The default split of memory traces: the recorder predicts each record, and stores only the differences
/// from the prediction.
const SPLIT: Split = Split::References { anchors: 1 << INSTRUCTION };

const WAYS: [(&str, Way); 14] = [
    ("none", Way::Blocks(Codec::None, 0, Checksum::None)),
    ("none, XXH3", Way::Blocks(Codec::None, 0, Checksum::Xxh3)),
    ("lz4", Way::Blocks(Codec::Lz4, 0, Checksum::None)),
    ("lz4, XXH3", Way::Blocks(Codec::Lz4, 0, Checksum::Xxh3)),
    ("lz4, CRC-32C", Way::Blocks(Codec::Lz4, 0, Checksum::Crc32c)),
    ("snappy framed, no checksum (DynamoRIO's)", Way::Framed(Framing::SnappyUnchecked, 0)),
    ("snappy framed, CRC-32C by the processor", Way::Framed(Framing::Snappy, 0)),
    ("snappy, CRC-32C by one table", Way::SnappyByTable),
    ("zlib 1", Way::Framed(Framing::Zlib, 1)),
    ("gzip 1", Way::Framed(Framing::Gzip, 1)),
    ("zstd 1, XXH3", Way::Blocks(Codec::Zstd, 1, Checksum::Xxh3)),
    ("Varvite trace, lz4: XXH3, index, not split", Way::Trace(Codec::Lz4, 0, Split::None)),
    ("Varvite trace, lz4: XXH3, index, split", Way::Trace(Codec::Lz4, 0, SPLIT)),
    ("Varvite trace, zstd 3: XXH3, index, split", Way::Trace(Codec::Zstd, 3, SPLIT)),
];

/// Measures all ways to record. Each gets a row with the time of recording and, for Varvite traces, the time
/// of reading the file back from the page cache.
pub(crate) fn measure(
    stream: &Stream,
    scratch: &Path,
    rounds: usize,
    results: &mut Results,
) -> Result<(), Failure> {
    let path = scratch.join("recording");
    for _ in 0..rounds {
        for (title, way) in WAYS {
            round(way, &stream.bytes, &path, SizedRow::of(results, RECORDING, title))?;
        }
    }
    Ok(std::fs::remove_file(&path)?)
}

fn round(way: Way, plain: &[u8], path: &Path, mut row: SizedRow) -> Result<(), Failure> {
    let _ = std::fs::remove_file(path);
    let start = Instant::now();
    let file = File::create(path)?;
    match way {
        Way::Blocks(codec, level, checksum) => blocks(plain, &file, codec, level, checksum)?,
        Way::Framed(framing, level) => {
            let mut writer = FrameWriter::new(framing, level, &file, &FrameOptions::default())?;
            plain.chunks(BLOCK_LEN).try_for_each(|block| writer.write_plain(block))?;
            writer.finish()?;
        }
        Way::SnappyByTable => snappy_by_table(plain, &file)?,
        Way::Trace(codec, level, split) => trace(plain, &file, codec, level, split)?,
    }
    file.sync_data()?;
    row.add("record", start.elapsed().as_nanos() as f64);
    row.set_size(plain.len(), file.metadata()?.len() as usize);
    if matches!(way, Way::Trace(..)) {
        let start = Instant::now();
        read_trace(path, plain.len())?;
        row.add("read", start.elapsed().as_nanos() as f64);
    }
    Ok(())
}

fn blocks(
    plain: &[u8],
    mut file: &File,
    codec: Codec,
    level: i32,
    checksum: Checksum,
) -> Result<(), Failure> {
    let mut coder = BlockCodec::allocate(codec, level, BLOCK_LEN, &Allocator::global())?;
    let mut output = vec![0; 16 + codec.stored_len_max(BLOCK_LEN)];
    for block in plain.chunks(BLOCK_LEN) {
        let len = coder.compress(block, &mut output[16..])?;
        let sum = checksum.of(&output[16..16 + len], 1);
        output[..8].copy_from_slice(&(len as u64).to_le_bytes());
        output[8..16].copy_from_slice(&sum.to_le_bytes());
        file.write_all(&output[..16 + len])?;
    }
    Ok(())
}

fn snappy_by_table(plain: &[u8], mut file: &File) -> Result<(), Failure> {
    const CHUNK_LEN: usize = 64 << 10;
    let mut coder = BlockCodec::allocate(Codec::Snappy, 0, CHUNK_LEN, &Allocator::global())?;
    let mut output = vec![0; 8 + Codec::Snappy.stored_len_max(CHUNK_LEN)];
    for chunk in plain.chunks(CHUNK_LEN) {
        let len = coder.compress(chunk, &mut output[8..])?;
        output[..4].copy_from_slice(&(len as u32).to_le_bytes());
        output[4..8].copy_from_slice(&table_crc::crc32c(chunk).to_le_bytes());
        file.write_all(&output[..8 + len])?;
    }
    Ok(())
}

fn trace(plain: &[u8], file: &File, codec: Codec, level: i32, split: Split) -> Result<(), Failure> {
    let schema = Schema { split, ..Schema::of_references("drmemtrace", 1 << INSTRUCTION) };
    let options = Options { codec, level, ..Options::new(schema, [7; 16]) };
    let recorder = Recorder::create(Unowned(file), &options)?;
    let mut stream = recorder.stream(1)?;
    stream.push_all(plain)?;
    stream.finish()?;
    recorder.finish()?;
    Ok(())
}

fn read_trace(path: &Path, plain_len: usize) -> Result<(), Failure> {
    let mut reader = Reader::open(StreamSource::new(File::open(path)?))?;
    let mut len = 0;
    while let Some(block) = reader.next_block()? {
        len += block.bytes().len();
    }
    if len == plain_len { Ok(()) } else { Err(Failure(format!("{len} of {plain_len} bytes came back"))) }
}

/// Writes to a borrowed file, and does not close it.
struct Unowned<'f>(&'f File);

impl Write for Unowned<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}
