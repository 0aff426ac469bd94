//! The command behind `make bench-codecs`: every codec and checksum on real records, and recordings to disk.
//!
//! All input is made on this machine: from a run of a program of this repository under valgrind's lackey, and
//! from a graph. One thread runs everything. Figures are medians of rounds in which all candidates take
//! turns, so that other load on the machine affects all candidates alike.
#![forbid(unsafe_code)]

mod candidates;
mod guide;
mod median;
mod options;
mod page;
mod recording;
mod seeking;
mod streams;
mod table_crc;

use std::path::Path;
use std::process::ExitCode;

use varvite_bench::Failure;
use varvite_bench::record::results_file;

use crate::options::Options;
use crate::page::Page;
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
    let mut page = Page::new(options, &streams);
    for stream in &streams {
        eprintln!("measuring {}", stream.name);
        page.codecs.push(candidates::measure(stream, options.rounds)?);
    }
    eprintln!("recording");
    page.recordings = recording::measure(&streams[1], &options.scratch, options.rounds)?;
    eprintln!("seeking");
    page.seeks = seeking::measure(&streams[1], &options.scratch)?;
    let text = page.text();
    guide::put(&options.root.join("docs/guide/choosing-a-codec.md"), &text)?;
    keep(&page, &options.root.join("bench/results"))?;
    print!("{text}");
    Ok(())
}

/// Writes the samples to the folder that also has those of other benchmarks.
fn keep(page: &Page, folder: &Path) -> Result<(), Failure> {
    std::fs::create_dir_all(folder)?;
    let name = format!("{}-codecs.json", varvite_bench::record::machine::today());
    std::fs::write(folder.join(&name), results_file::text_of(&page.json()))?;
    eprintln!("written: bench/results/{name} and docs/guide/choosing-a-codec.md");
    Ok(())
}
