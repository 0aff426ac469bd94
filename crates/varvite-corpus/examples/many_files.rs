//! Measures a corpus of many small graphs: the time until every file was opened and asked, and the memory of
//! the process.
//!
//! ```text
//! cargo run --release -p varvite-corpus --example many_files -- FOLDER 10000 [GRAPHS THAT STAY OPEN]
//! ```
//!
//! Makes the graphs in FOLDER unless it exists; each has a few functions of its own.

use std::error::Error;
use std::fs;
use std::io::{self, Write};
use std::ops::ControlFlow;
use std::path::Path;
use std::time::Instant;

use varvite::{GraphError, Task};
use varvite_corpus::{CorpusOptions, Event, IndexOptions, Send, Visit, clones, index};
use varvite_testing::code_graph::{CodeFunction, CodeGraph};

/// The number of functions of each graph.
const FUNCTIONS: usize = 40;

fn main() -> Result<(), Box<dyn Error>> {
    let mut words = std::env::args().skip(1);
    let folder = words.next().ok_or("usage: many_files FOLDER FILES [OPEN]")?;
    let files: usize = words.next().ok_or("how many files?")?.parse()?;
    let open_max = words.next().map_or(Ok(64), |word| word.parse())?;
    let folder = Path::new(&folder);
    if !folder.exists() {
        make(folder, files)?;
    }
    let mut out = io::stdout().lock();
    let began = Instant::now();
    let corpus = CorpusOptions::new().open_max(open_max).open(folder)?;
    let known = began.elapsed().as_secs_f64();
    writeln!(out, "{} files known in {known:.3} s; {}", corpus.files().len(), memory())?;
    for round in ["first", "second"] {
        let (began, mut methods) = (Instant::now(), 0);
        corpus
            .visit(&Task::new(), count_methods, |_, event| {
                if let Event::Result(count) = event {
                    methods += u64::from(count);
                }
                ControlFlow::Continue(())
            })
            .map_err(|_| "cancelled")?;
        let seconds = began.elapsed().as_secs_f64();
        writeln!(
            out,
            "{round} question: {methods} METHODs in {seconds:.3} s, {} open; {}",
            corpus.open_count(),
            memory()
        )?;
    }
    measure_index(&corpus, &folder.join("../many_files_index.varvite"), &mut out)
}

fn measure_index(
    corpus: &varvite_corpus::Corpus,
    output: &Path,
    out: &mut impl Write,
) -> Result<(), Box<dyn Error>> {
    let _ = fs::remove_file(output);
    for round in ["first", "second"] {
        let began = Instant::now();
        let report = index(corpus, output, &IndexOptions::default())?;
        let seconds = began.elapsed().as_secs_f64();
        let (read, linked) = (report.read, report.linked);
        writeln!(out, "{round} index: {read} files read, {linked} links in {seconds:.3} s; {}", memory())?;
    }
    let began = Instant::now();
    let groups = clones(output, 5, &Task::new())?.groups.len();
    writeln!(out, "{groups} groups of clones in {:.3} s; {}", began.elapsed().as_secs_f64(), memory())?;
    Ok(fs::remove_file(output)?)
}

fn count_methods(visit: &Visit<'_>, send: Send<'_, u32>) -> Result<(), GraphError> {
    send(visit.graph.nodes("METHOD")?.len());
    Ok(())
}

fn make(folder: &Path, files: usize) -> io::Result<()> {
    fs::create_dir_all(folder)?;
    for file in 0..files {
        let names: Vec<String> = (0..FUNCTIONS).map(|number| format!("f_{file}_{number}")).collect();
        let other = format!("f_{}_{}", (file + 1) % files, file % FUNCTIONS);
        let literal = file.to_string();
        let calls = [(other.as_str(), literal.as_str()), ("memcpy", "n"), ("free", "p")];
        let functions: Vec<CodeFunction<'_>> = names
            .iter()
            .enumerate()
            .map(|(number, name)| CodeFunction {
                name,
                line: 6 * number as i64,
                calls: &calls,
                ..CodeFunction::default()
            })
            .collect();
        let path = folder.join(format!("{:02}/{file:05}.varvite", file % 100));
        fs::create_dir_all(path.parent().unwrap_or(folder))?;
        CodeGraph { language: "NEWC", source: "own.c", functions: &functions }.write(&path);
    }
    Ok(())
}

/// The resident memory of the process, and its maximum so far.
fn memory() -> String {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let lines = status.lines().filter(|line| line.starts_with("VmRSS") || line.starts_with("VmHWM"));
    lines.map(|line| line.split_whitespace().collect::<Vec<_>>().join(" ")).collect::<Vec<_>>().join(", ")
}
