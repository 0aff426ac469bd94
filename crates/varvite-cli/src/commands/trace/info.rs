//! `varvite trace info`: describes a trace from its index, without decoding any block.

use std::path::PathBuf;

use clap::Args;
use serde_json::{Value as Json, json};
use varvite_trace::{Clock, Ending, FileSource, IndexEntry, Module, Reader, Split};

use super::record_cells::hex;
use super::{cut, file_len, open};
use crate::arguments::OutputArgs;
use crate::failure::{Failure, Outcome};
use crate::output::{Column, Format, begin_rows, counted, shown, sized, write_document, write_line};

/// Arguments of `varvite trace info`.
#[derive(Debug, Args)]
pub(crate) struct InfoArgs {
    /// The trace, a .vtrace file
    file: PathBuf,
    #[command(flatten)]
    format: OutputArgs,
}

/// A thread, with the sums over its blocks.
struct Thread {
    thread: u64,
    blocks: u64,
    records: u64,
    first_time: u64,
    last_time: u64,
    stored_bytes: u64,
}

/// Describes the trace. Reads its index, but no blocks.
pub(crate) fn run(args: &InfoArgs) -> Outcome {
    let mut reader = open(&args.file)?;
    let threads = threads(reader.blocks().map_err(Failure::trace(&args.file))?);
    let modules = reader.modules().map_err(Failure::trace(&args.file))?.to_vec();
    let (ending, cut) = (reader.ending(), cut(&mut reader));
    match args.format.format {
        Format::Json | Format::Jsonl => {
            let document = args.document(&reader, &threads, &modules, ending);
            Ok(write_document(&format!("{document:#}"), args.format.format)?)
        }
        Format::Csv => write_threads(Format::Csv, &threads),
        Format::Table => {
            write_line(&args.sentence(&reader, &threads, cut))?;
            write_threads(Format::Table, &threads)?;
            write_modules(&modules)
        }
    }
}

impl InfoArgs {
    fn sentence(&self, reader: &Reader<FileSource>, threads: &[Thread], cut: Option<String>) -> String {
        let header = reader.header();
        let records = records(threads);
        let plain = plain_bytes(reader, records);
        let file_bytes = file_len(&self.file);
        let size = match plain {
            Some(plain) if records > 0 => {
                let a_record = file_bytes as f64 / records as f64;
                format!("{} ({} of records, {a_record:.3} bytes for each)", sized(file_bytes), sized(plain))
            }
            _ => sized(file_bytes),
        };
        let blocks = counted(threads.iter().map(|thread| thread.blocks).sum(), "block");
        let cut = cut.map_or_else(String::new, |cut| format!("\nThe trace {cut}."));
        format!(
            "{}: {}, {blocks} of up to {} bytes, {} of {:?}, {size}, split by {}{cut}\n",
            shown(&self.file),
            counted(records, "record"),
            header.block_len,
            counted(threads.len() as u64, "thread"),
            header.schema.content,
            split(header.schema.split),
        )
    }

    fn document(
        &self,
        reader: &Reader<FileSource>,
        threads: &[Thread],
        modules: &[Module],
        ending: Option<Ending>,
    ) -> Json {
        let header = reader.header();
        let fields = header.schema.fields.iter();
        let fields =
            fields.map(|field| json!({"name": field.name(), "bytes": field.width, "delta": field.delta}));
        let cut = match ending {
            Some(Ending::Cut { offset, partial_bytes }) => {
                let times = threads.iter().map(|thread| thread.last_time);
                json!({
                    "offset": offset, "partial_bytes": partial_bytes,
                    "last_record": records(threads).checked_sub(1), "last_time": times.max(),
                })
            }
            _ => Json::Null,
        };
        json!({
            "file": self.file.to_string_lossy(),
            "id": hex(&header.id),
            "format_version": header.version(),
            "content": header.schema.content,
            "fields": fields.collect::<Vec<_>>(),
            "record_bytes": header.schema.fixed_len(),
            "split": split(header.schema.split),
            "clock": clock(header.schema.clock),
            "block_bytes": header.block_len,
            "records": records(threads),
            "blocks": threads.iter().map(|thread| thread.blocks).sum::<u64>(),
            "file_bytes": file_len(&self.file),
            "plain_bytes": plain_bytes(reader, records(threads)),
            "complete": cut.is_null(),
            "cut": cut,
            "threads": threads.iter().map(Thread::document).collect::<Vec<_>>(),
            "modules": modules.iter().map(module_document).collect::<Vec<_>>(),
        })
    }
}

impl Thread {
    fn document(&self) -> Json {
        json!({
            "thread": self.thread, "records": self.records, "blocks": self.blocks,
            "stored_bytes": self.stored_bytes, "first_time": self.first_time, "last_time": self.last_time,
        })
    }
}

fn module_document(module: &Module) -> Json {
    json!({
        "path": String::from_utf8_lossy(&module.path), "build_id": hex(&module.build_id), "address": module.address,
        "bytes": module.len, "file_offset": module.file_offset, "code": module.is_code,
    })
}

/// Writes the files that were mapped in the recorded program, with their executable ranges. Writes nothing if
/// the trace has no modules.
fn write_modules(modules: &[Module]) -> Outcome {
    if modules.is_empty() {
        return Ok(());
    }
    write_line("\nCode in memory")?;
    let titles =
        [Column::text("address"), Column::number("bytes"), Column::text("file"), Column::text("build id")];
    let mut rows = begin_rows(Format::Table, titles.into())?;
    for module in modules.iter().filter(|module| module.is_code) {
        let path = match &*module.path {
            [] => "no file any more".into(),
            path => String::from_utf8_lossy(path),
        };
        let address = format!("{:#x}", module.address);
        rows.push(vec![
            address.into(),
            module.len.into(),
            path.into_owned().into(),
            hex(&module.build_id).into(),
        ])?;
    }
    Ok(rows.finish()?)
}

fn records(threads: &[Thread]) -> u64 {
    threads.iter().map(|thread| thread.records).sum()
}

fn plain_bytes(reader: &Reader<FileSource>, records: u64) -> Option<u64> {
    reader.header().schema.fixed_len().map(|len| len as u64 * records)
}

fn threads(blocks: &[IndexEntry]) -> Vec<Thread> {
    let mut threads = std::collections::BTreeMap::new();
    for block in blocks {
        let IndexEntry { first_time, last_time, .. } = *block;
        let new =
            Thread { thread: block.thread, blocks: 0, records: 0, first_time, last_time, stored_bytes: 0 };
        let thread = threads.entry(block.thread).or_insert(new);
        thread.blocks += 1;
        thread.records += u64::from(block.records);
        thread.stored_bytes += u64::from(block.stored_len);
        thread.last_time = last_time;
    }
    threads.into_values().collect()
}

fn write_threads(format: Format, threads: &[Thread]) -> Outcome {
    let columns = ["thread", "records", "blocks", "stored bytes", "first time", "last time"];
    let mut rows = begin_rows(format, columns.map(Column::number).into())?;
    for thread in threads {
        let cells = [
            thread.thread,
            thread.records,
            thread.blocks,
            thread.stored_bytes,
            thread.first_time,
            thread.last_time,
        ];
        rows.push(cells.map(Json::from).into())?;
    }
    Ok(rows.finish()?)
}

fn split(split: Split) -> &'static str {
    match split {
        Split::Fields => "fields",
        Split::References { .. } => "references",
        _ => "none",
    }
}

fn clock(clock: Clock) -> &'static str {
    match clock {
        Clock::Ticks => "ticks",
        Clock::UnixNanoseconds => "unix_ns",
        Clock::UnixMicroseconds => "unix_us",
    }
}
