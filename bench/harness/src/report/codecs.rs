//! The tables in the guide to codecs: recordings, seeks, and codecs with checksums.

use crate::record::results::{Results, Row};
use crate::report::prose::wrapped;
use crate::report::section::{circumstances, section};
use crate::report::table::{Column, exact};

/// The beginning of the names of rows about recordings.
pub const RECORDING: &str = "recording/";
/// The beginning of the names of rows about seeks in a trace.
pub const SEEKING: &str = "seeking/";
/// The beginning of the names of rows about uncompressed (plain) and stored bytes. The rest of the name is
/// that of the row with the times.
pub const SIZE: &str = "size/";
/// The size of a record in bytes.
const RECORD_LEN: f64 = 12.0;

/// The tables of the guide.
pub(super) fn digest(results: &Results, link: &str) -> String {
    let words = format!(
        "Measured on {}: {} One thread, medians of {} rounds. [All samples]({link}).",
        results.word("/date"),
        circumstances(results),
        results.word("/rounds"),
    );
    let streams = results.circumstances["streams"].as_array().into_iter().flatten();
    let streams = streams.filter_map(|of| Some((of["name"].as_str()?, of["title"].as_str()?)));
    let parts = [recordings(results), seeks(results)];
    let parts = parts.into_iter().chain(streams.map(|(name, title)| codecs(results, name, title)));
    let parts: Vec<String> = parts.flatten().collect();
    format!("\n{}\n\n{}\n", wrapped(&words), parts.join("\n"))
}

/// The plain or stored bytes of a row, by `side`; at least 1.
fn bytes(results: &Results, row: &Row, side: &str) -> f64 {
    let size = results.row(&format!("{SIZE}{}", row.name)).and_then(|size| size.median(side));
    size.unwrap_or_default().max(1.0)
}

fn smaller(results: &Results, row: &Row) -> f64 {
    bytes(results, row, "plain") / bytes(results, row, "stored")
}

/// The speed in uncompressed megabytes per second.
fn speed(results: &Results, row: &Row, side: &str) -> String {
    let median = row.median(side).map(|ns| bytes(results, row, "plain") * 1e3 / ns.max(1.0));
    median.map_or_else(String::new, |speed| format!("{speed:.0}"))
}

fn megabytes(bytes: f64) -> String {
    format!("{:.1} MB", bytes / 1e6)
}

fn recordings(results: &Results) -> Option<String> {
    let rows = || results.named(RECORDING);
    let time = |row: &Row| row.median("record").unwrap_or_default();
    let first = rows().next()?;
    let none = time(first);
    let unchecked = rows().find(|row| row.title.contains("DynamoRIO")).map_or(none, time);
    let plain = bytes(results, first, "plain");
    let millions = (plain / RECORD_LEN / 1e6).floor();
    let words = format!(
        "{} of 12-byte records ({millions} million), from memory to a file and synced.",
        megabytes(plain)
    );
    let columns = [
        Column::side("time", "record"),
        Column::new("against none", |row| exact(time(row) / none)),
        Column::new("against snappy without checksum", |row| exact(time(row) / unchecked)),
        Column::new("times smaller", |row| format!("{:.1}", smaller(results, row))),
        Column::new("bytes a record", |row| exact(RECORD_LEN / smaller(results, row))),
        Column::new("read back MB/s", |row| speed(results, row, "read")),
    ];
    section("### Recording to disk", &words, rows(), &columns)
}

fn seeks(results: &Results) -> Option<String> {
    let words = "The same records again and again in one Varvite trace; a seek reads and decodes one block of 256 KiB. The \
                 file is in the page cache.";
    let records =
        |row: &Row| format!("{} million", (bytes(results, row, "plain") / RECORD_LEN / 1e6).floor());
    let columns = [
        Column::new("records", records),
        Column::new("size", |row| megabytes(bytes(results, row, "stored"))),
        Column::side("open, read the index, first seek", "first"),
        Column::side("seek (least-longest of 1000)", "seek"),
    ];
    section("### Seeking", words, results.named(SEEKING), &columns)
}

/// The table of all codecs on one input, `name`.
fn codecs(results: &Results, name: &str, title: &str) -> Option<String> {
    let prefix = format!("{name}/");
    let plain = bytes(results, results.named(&prefix).next()?, "plain");
    let words = format!(
        "{} in blocks of 256 KiB. Shares are of the time to compress and to compute the checksum.",
        megabytes(plain)
    );
    let share = |title, side: &'static str| {
        Column::new(title, move |row: &Row| match row.median(side).zip(row.median("compress")) {
            Some((sum, work)) => format!("{:.1} %", 100.0 * sum / (sum + work)),
            None => "-".into(),
        })
    };
    let columns = [
        Column::new("times smaller", |row| exact(smaller(results, row))),
        Column::new("compress MB/s", |row| speed(results, row, "compress")),
        Column::new("decompress MB/s", |row| speed(results, row, "decompress")),
        share("XXH3 of stored", "xxh3_stored"),
        share("CRC-32C of stored", "crc32c_stored"),
        share("CRC-32C of plain", "crc32c_plain"),
        share("by one table", "table_crc32c_plain"),
    ];
    section(&format!("### {name}: {title}"), &words, results.named(&prefix), &columns)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::figures::Unit;
    use serde_json::json;

    #[test]
    fn speeds_and_shares_are_of_plain_bytes() {
        let circumstances = json!({"streams": [{"name": "s", "title": "a stream"}]});
        let mut results = Results { circumstances, rows: Vec::new() };
        for (name, sides) in [
            ("s/lz4 0", [("compress", 3e6), ("xxh3_stored", 1e6)]),
            ("recording/lz4", [("record", 4e6), ("read", 2e6)]),
        ] {
            sides.into_iter().for_each(|(side, ns)| results.row_mut(name, "lz4", Unit::Time).add(side, ns));
            let sizes = [("plain", 12e6), ("stored", 3e6)];
            sizes.into_iter().for_each(|(side, len)| {
                results.row_mut(&format!("{SIZE}{name}"), "lz4", Unit::Size).add(side, len)
            });
        }
        let text = digest(&results, "a.json");
        assert!(text.contains("| lz4 | 4.00 | 4000 |  | 25.0 % | - | - | - |"), "{text}");
        assert!(text.contains("| lz4 | 4.00 ms | 1.00 | 1.00 | 4.0 | 3.00 | 6000 |"), "{text}");
        assert!(text.contains("### s: a stream") && text.contains("12.0 MB in blocks"), "{text}");
    }
}
