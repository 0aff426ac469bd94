//! Opens a graph, queries it, evicts its columns, queries it again and closes it, over and over, and checks
//! that the memory of the process does not grow.
//!
//! ```text
//! cargo run --example soaking -- zlib.varvite 10000
//! ```
//!
//! After a warm-up of a tenth of the cycles, the program notes the private memory of the process (`RssAnon`)
//! after each cycle, not counting memory that the allocator happens to keep. The line that fits these values
//! best (by least squares) must rise by less than 8 bytes per cycle, and no mapping and no descriptor of the
//! file may be left. A short run allows more, because an allocator takes memory in whole pages and arenas.

use std::fs;
use std::path::Path;
use std::time::Instant;

use varvite::memory::{ProcessMemory, trim_heap};
use varvite::pipeline::{Options, Pipeline, contains, nodes};
use varvite::{Graph, OpenOptions, Task};

type Outcome<T = ()> = Result<T, Box<dyn std::error::Error>>;

/// The maximum number of bytes by which memory may grow per cycle.
const SLOPE_MAX: f64 = 8.0;
/// Runs of fewer cycles are short. [`NOISE_BYTES`] has the number of bytes by which the allocator's memory
/// may grow in a short run, and in a longer one; if a run has few cycles, this is more per cycle than
/// [`SLOPE_MAX`]. So a short run finds a leak of ten kilobytes per cycle, and a longer run a leak of a
/// hundred bytes per cycle.
const SHORT: usize = 1000;
const NOISE_BYTES: [f64; 2] = [1024.0 * 1024.0, 64.0 * 1024.0];
/// The memory limit of a graph.
const MEMORY_MAX: u64 = 64 << 20;
/// The memory limit of the process. It is less than the process uses, so that each cycle also gives back
/// pages.
const PROCESS_MAX: u64 = 1 << 20;

fn main() -> Outcome {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [file, cycles] = &words[..] else { return Err("a file, and how many cycles".into()) };
    let (file, cycles) = (Path::new(file), cycles.parse::<usize>()?.max(10));
    let (begin, mut found) = (Instant::now(), 0);
    for _ in 0..cycles.div_ceil(10) {
        found = cycle(file)?;
    }
    let mut private = Vec::with_capacity(cycles);
    for _ in 0..cycles {
        if cycle(file)? != found {
            return Err("two cycles have different answers".into());
        }
        trim_heap();
        private.push(ProcessMemory::read().ok_or("the system reports no memory of the process")?.anonymous);
    }
    let (slope, left) = (slope_of(&private), left_of(file)?);
    println!(
        "soak: {cycles} cycles in {:.0} s, {} KiB private at the end, {slope:+.2} bytes a cycle, {left} maps and descriptors left",
        begin.elapsed().as_secs_f64(),
        private.last().unwrap_or(&0) >> 10
    );
    let slope_max = SLOPE_MAX.max(NOISE_BYTES[usize::from(cycles >= SHORT)] / cycles as f64);
    if slope >= slope_max || left > 0 {
        return Err(format!(
            "memory grows: fewer than {slope_max:.0} bytes a cycle and nothing left are right"
        )
        .into());
    }
    Ok(())
}

/// Opens the graph, queries it, evicts its columns, queries it again and closes it. Returns the number of
/// results.
fn cycle(file: &Path) -> Outcome<usize> {
    let graph = OpenOptions::new().memory_max(MEMORY_MAX).process_max(PROCESS_MAX).open(file)?;
    let before = ask(&graph)?;
    graph.release();
    let after = ask(&graph)?;
    graph.check()?;
    if before == after { Ok(before) } else { Err("what was evicted reads otherwise".into()) }
}

/// Searches for a text, sorts, and visits values; one of these runs on two threads. Returns the number of
/// results.
fn ask(graph: &Graph) -> Outcome<usize> {
    let calls = || nodes("CALL").has("CODE", contains("mem"));
    let code = graph.property("CODE")?;
    let texts: usize = graph.nodes("METHOD")?.iter().filter_map(|node| Some(code.str(node)?.len())).sum();
    Ok(texts
        + rows(graph, &calls().order_by("NAME").limit(100), 1)?
        + rows(graph, &nodes("METHOD").out("AST").dedup(), 2)?)
}

fn rows(graph: &Graph, pipeline: &Pipeline, threads: usize) -> Outcome<usize> {
    let options = Options {
        task: Task::new().threads(threads).memory(16 << 20),
        eager_threads: threads > 1,
        ..Options::default()
    };
    let mut run = pipeline.compile(graph)?.run(options);
    let mut rows = 0;
    while let Some(batch) = run.next()? {
        rows += batch.len();
    }
    Ok(rows)
}

/// The slope of the line that best fits the values at positions 0, 1, …, by least squares.
fn slope_of(values: &[u64]) -> f64 {
    let count = values.len() as f64;
    let (middle, mean) = ((count - 1.0) / 2.0, values.iter().map(|value| *value as f64).sum::<f64>() / count);
    let (mut above, mut below) = (0.0, 0.0);
    for (place, value) in values.iter().enumerate() {
        let distance = place as f64 - middle;
        above += distance * (*value as f64 - mean);
        below += distance * distance;
    }
    above / below
}

/// The number of mappings and descriptors of a file that this process has.
fn left_of(file: &Path) -> Outcome<usize> {
    let file = fs::canonicalize(file)?;
    let maps = fs::read_to_string("/proc/self/maps")?;
    let maps = maps.lines().filter(|line| line.ends_with(&*file.to_string_lossy())).count();
    let descriptors =
        fs::read_dir("/proc/self/fd")?.filter_map(|entry| fs::read_link(entry.ok()?.path()).ok());
    Ok(maps + descriptors.filter(|target| *target == file).count())
}
