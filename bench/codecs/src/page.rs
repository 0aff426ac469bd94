//! The measured values, as tables and as JSON.

use std::fmt::Write;

use serde_json::{Value, json};
use varvite_bench::record::machine;
use varvite_bench::report::prose::wrapped;
use varvite_codec::Codec;

use crate::candidates::{self, Measured};
use crate::median::Samples;
use crate::options::Options;
use crate::recording;
use crate::seeking;
use crate::streams::Stream;

pub(crate) struct Page {
    circumstances: Value,
    /// Name, number of bytes, and description of each stream.
    streams: Vec<(&'static str, usize)>,
    pub(crate) codecs: Vec<Measured>,
    pub(crate) recordings: Vec<recording::Row>,
    pub(crate) seeks: Vec<seeking::Row>,
}

impl Page {
    pub(crate) fn new(options: &Options, streams: &[Stream]) -> Self {
        let graph = options.graph.file_name().unwrap_or_default().to_string_lossy();
        let circumstances = json!({
            "date": machine::today(),
            "command": format!("make bench-codecs GRAPH={graph}"),
            "rounds": options.rounds,
            "machine": machine::machine(),
            "commit": machine::commit(&options.root),
            "rustc": machine::rustc_version(),
        });
        let streams = streams.iter().map(|stream| (stream.name, stream.bytes.len())).collect();
        Self { circumstances, streams, codecs: Vec::new(), recordings: Vec::new(), seeks: Vec::new() }
    }

    pub(crate) fn json(&self) -> Value {
        let streams = self.codecs.iter().map(|measured| {
            let rows: Vec<Value> = measured.rows.iter().map(candidates::Row::json).collect();
            json!({"name": measured.name, "title": measured.title, "plain_bytes": measured.plain_len, "rows": rows})
        });
        json!({
            "circumstances": self.circumstances,
            "streams": streams.collect::<Vec<_>>(),
            "seeking": self.seeks.iter().map(seeking::Row::json).collect::<Vec<_>>(),
            "recording": self.recordings.iter().map(recording::Row::json).collect::<Vec<_>>(),
        })
    }

    /// The tables in Markdown.
    pub(crate) fn text(&self) -> String {
        let mut text = self.head();
        text.push_str(&self.recording_table());
        text.push_str(&seek_table(&self.seeks));
        for measured in &self.codecs {
            text.push_str(&codec_table(measured));
        }
        text
    }

    fn head(&self) -> String {
        let said = |pointer: &str| self.circumstances.pointer(pointer).cloned().unwrap_or_default();
        let word = |pointer: &str| said(pointer).as_str().unwrap_or("unknown").to_owned();
        let words = format!(
            "Measured on {} with `{}` at commit {}{}: {}, Linux {}, {}; one thread, medians of {} rounds, load {} at the start.",
            word("/date"),
            word("/command"),
            word("/commit/hash"),
            if said("/commit/has_changes") == true { " with changes" } else { "" },
            word("/machine/processor"),
            word("/machine/kernel"),
            word("/rustc"),
            said("/rounds"),
            said("/machine/load"),
        );
        format!("{}\n\n", wrapped(&words))
    }

    fn recording_table(&self) -> String {
        let Some(none) = self.recordings.first().map(|row| row.record.median()) else { return String::new() };
        let plain_len = self.streams[1].1;
        let unchecked = self.recordings.iter().find(|row| row.title.contains("DynamoRIO"));
        let unchecked = unchecked.map_or(none, |row| row.record.median());
        let mut text = format!(
            "### Recording to disk\n\n{} of 12-byte records ({} million), from memory to a file and synced.\n\n",
            megabytes(plain_len),
            plain_len / 12 / 1_000_000,
        );
        text.push_str("| recorded as | time | against none | against snappy without checksum | times smaller | bytes a record | read back |\n");
        text.push_str("|---|---:|---:|---:|---:|---:|---:|\n");
        for row in &self.recordings {
            let time = row.record.median();
            let read = if row.read.median() > 0.0 { speed(plain_len, &row.read) } else { String::new() };
            let _ = writeln!(
                text,
                "| {} | {:.2} s ±{:.0} % | {:.2} | {:.2} | {:.1} | {:.2} | {read} |",
                row.title,
                time,
                row.record.spread() * 100.0,
                time / none,
                time / unchecked,
                plain_len as f64 / row.file_len.max(1) as f64,
                row.file_len as f64 * 12.0 / plain_len as f64,
            );
        }
        text.push('\n');
        text
    }
}

fn seek_table(seeks: &[seeking::Row]) -> String {
    let mut text = String::from(
        "### Seeking\n\nThe same records again and again in one Varvite trace; a seek reads and decodes one block of 256 KiB. The file is in\n\
         the page cache.\n\n",
    );
    text.push_str("| trace | records | size | open, read the index, first seek | seek | longest of 1000 |\n|---|---:|---:|---:|---:|---:|\n");
    for row in seeks {
        let milliseconds = |seconds: f64| format!("{:.2} ms", seconds * 1e3);
        let _ = writeln!(
            text,
            "| {} | {} million | {} | {} | {} | {} |",
            row.title,
            row.records / 1_000_000,
            megabytes(row.file_len as usize),
            milliseconds(row.first.median()),
            milliseconds(row.seek.median()),
            milliseconds(row.seek.longest()),
        );
    }
    text.push('\n');
    text
}

fn codec_table(measured: &Measured) -> String {
    let mut text = format!(
        "### {}: {}\n\n{} in blocks of 256 KiB. Shares are of the time to compress and to compute the checksum.\n\n",
        measured.name,
        measured.title,
        megabytes(measured.plain_len),
    );
    text.push_str("| codec | times smaller | compress MB/s | decompress MB/s | XXH3 of stored | CRC-32C of stored | CRC-32C of plain | by one table |\n");
    text.push_str("|---|---:|---:|---:|---:|---:|---:|---:|\n");
    for row in &measured.rows {
        let share = |sum: &Samples| {
            let (sum, work) = (sum.median(), row.compress.median());
            format!("{:.1} %", 100.0 * sum / (sum + work))
        };
        let _ = writeln!(
            text,
            "| {} | {:.2} | {} | {} | {} | {} | {} | {} |",
            name(row.codec, row.level),
            measured.plain_len as f64 / row.stored_len.max(1) as f64,
            speed(measured.plain_len, &row.compress),
            speed(measured.plain_len, &row.decompress),
            share(&row.sums.xxh3),
            share(&row.sums.crc32c),
            share(&row.sums.crc32c_plain),
            share(&row.sums.table_plain),
        );
    }
    text.push('\n');
    text
}

fn name(codec: Codec, level: i32) -> String {
    match codec {
        Codec::None | Codec::Snappy => codec.name().into(),
        _ => format!("{codec} {level}"),
    }
}

fn speed(len: usize, time: &Samples) -> String {
    format!("{:.0}", len as f64 / 1e6 / time.median().max(1e-9))
}

fn megabytes(len: usize) -> String {
    format!("{:.1} MB", len as f64 / 1e6)
}
