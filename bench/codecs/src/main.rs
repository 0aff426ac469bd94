//! The command behind `make bench-codecs`: every codec and checksum on real records, and recordings to disk.
//!
//! All input is made from what is at hand: a program of this repository under valgrind's lackey, and a graph. One thread; medians of
//! rounds in which all candidates take turns, so that the noise of the machine meets all alike.
#![forbid(unsafe_code)]

mod candidates;
mod guide;
mod median;
mod page;
mod recording;
mod seeking;
mod streams;
mod table_crc;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use varvite_bench::Failure;

use crate::page::Page;
use crate::streams::Stream;

const HELP: &str = "\
usage: varvite-bench-codecs --root DIR --scratch DIR --frame PROGRAM --graph GRAPH.cpg.bin [--rounds N]

`make bench-codecs` gives all of them. FRAME is the example of varvite-codec, which is traced at its work.
";

/// What the command is told.
pub(crate) struct Options {
    pub(crate) root: PathBuf,
    pub(crate) scratch: PathBuf,
    pub(crate) frame: PathBuf,
    pub(crate) graph: PathBuf,
    pub(crate) rounds: usize,
}

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    match options(&words).and_then(|options| run(&options)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            eprintln!("{failure}");
            ExitCode::FAILURE
        }
    }
}

fn options(words: &[String]) -> Result<Options, Failure> {
    let value = |name: &str| {
        let at = words.iter().position(|word| word == name)?;
        words.get(at + 1)
    };
    let path = |name: &str| value(name).map(PathBuf::from).ok_or_else(|| Failure(HELP.trim_end().into()));
    let rounds = value("--rounds").map_or(Ok(5), |text| text.parse());
    Ok(Options {
        root: path("--root")?,
        scratch: path("--scratch")?,
        frame: path("--frame")?,
        graph: path("--graph")?,
        rounds: rounds.ok().filter(|rounds| *rounds > 0).ok_or_else(|| Failure(HELP.trim_end().into()))?,
    })
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

/// The samples, beside those of other benchmarks.
fn keep(page: &Page, folder: &Path) -> Result<(), Failure> {
    std::fs::create_dir_all(folder)?;
    let name = format!("{}-codecs.json", varvite_bench::machine::today());
    std::fs::write(folder.join(&name), serde_json::to_string_pretty(&page.json())? + "\n")?;
    eprintln!("written: bench/results/{name} and docs/guide/choosing-a-codec.md");
    Ok(())
}
