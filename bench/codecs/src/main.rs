//! The command behind `make bench-codecs`: measures every codec and checksum on real records, and the
//! recording of traces to disk.
//!
//! All input is made on this machine: a program of this repository runs under valgrind's lackey, which traces
//! it, and the columns come from a graph file. One thread runs everything. All candidates take turns in each
//! round, so that other load on the machine affects them alike; the figures are medians over the rounds.
#![forbid(unsafe_code)]

mod candidates;
mod options;
mod recording;
mod seeking;
mod streams;
mod table_crc;

use std::process::ExitCode;

use serde_json::json;
use varvite_bench::Failure;
use varvite_bench::record::figures::Unit;
use varvite_bench::record::machine;
use varvite_bench::record::results::{Results, Row, merge};
use varvite_bench::report::codecs::SIZE;
use varvite_bench::report::page::{keep, put_digest};

use crate::options::Options;
use crate::streams::Stream;

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    match Options::of(&words).and_then(|options| run(&options)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            eprintln!("{failure}");
            ExitCode::FAILURE
        }
    }
}

fn run(options: &Options) -> Result<(), Failure> {
    std::fs::create_dir_all(&options.scratch)?;
    let trace = streams::lackey(options)?;
    let streams = [
        Stream::new("lackey", "text of valgrind's lackey", trace.text),
        Stream::new("references", "the same as 12-byte records, as drmemtrace has them", trace.references),
        Stream::new(
            "neighbours",
            "neighbours of all edges of a graph, four bytes each",
            streams::neighbours(options)?,
        ),
        Stream::new("columns", "all columns of that graph in the direct profile", streams::columns(options)?),
    ];
    let mut circumstances = machine::circumstances(&options.root);
    let graph = options.graph.file_name().unwrap_or_default().to_string_lossy();
    let own = json!({
        "bench": "codecs",
        "name": "codecs",
        "command": format!("make bench-codecs GRAPH={graph}"),
        "rounds": options.rounds,
        "streams": streams.iter().map(|of| json!({"name": of.name, "title": of.title})).collect::<Vec<_>>(),
    });
    merge(&mut circumstances, own);
    let mut results = Results { circumstances, rows: Vec::new() };
    for stream in &streams {
        eprintln!("measuring {}", stream.name);
        candidates::measure(stream, options.rounds, &mut results)?;
    }
    eprintln!("recording");
    recording::measure(&streams[1], &options.scratch, options.rounds, &mut results)?;
    eprintln!("seeking");
    seeking::measure(&streams[1], &options.scratch, &mut results)?;
    put_digest(&results, &options.root)?;
    keep(&results, &options.root.join("bench/results"))
}

/// A row of times, with a second row for the plain and the stored bytes.
struct SizedRow<'r> {
    results: &'r mut Results,
    name: String,
    title: String,
}

impl<'r> SizedRow<'r> {
    /// The row `title` of a group of rows; the first sample adds it to the results.
    fn of(results: &'r mut Results, group: &str, title: &str) -> Self {
        Self { results, name: format!("{group}{title}"), title: title.to_owned() }
    }

    /// Adds a time in nanoseconds as a sample of `side`, a column of the row.
    fn add(&mut self, side: &str, ns: f64) {
        self.results.row_mut(&self.name, &self.title, Unit::Time).add(side, ns);
    }

    fn set_size(&mut self, plain_len: usize, stored_len: usize) {
        let row = self.results.row_mut(&format!("{SIZE}{}", self.name), &self.title, Unit::Size);
        *row = Row::new(&*row.name, &*row.title, row.unit);
        row.add("plain", plain_len as f64);
        row.add("stored", stored_len as f64);
    }
}
