//! Makes a graph with random edges, node by node, and prints the time and the peak memory of the process.
//!
//! ```text
//! cargo run --release --example making -- made.varvite 10000000 100000000 --memory 536870912
//! cargo run --release --example making -- made.varvite 1000000 10000000 --values
//! ```
//!
//! With `--values`, each node has a number and a text. `--memory` limits the memory of the graph to that many
//! bytes. The peak memory is that of private pages, read every millisecond, and does not include the
//! temporary file's pages in the system's cache.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use varvite::write::{NewGraphOptions, NewGraphReport};
use varvite::{IfExists, NewGraph, Task};

type Outcome<T> = Result<T, Box<dyn std::error::Error>>;

fn main() -> Outcome<()> {
    let mut words: Vec<String> = std::env::args().skip(1).collect();
    let memory = option(&mut words, "--memory")?;
    let has_values = words.iter().any(|word| word == "--values");
    words.retain(|word| word != "--values");
    let [path, nodes, edges] = &words[..] else { return Err("a path, and how many nodes and edges".into()) };
    let (nodes, edges) = (nodes.parse()?, edges.parse()?);
    let mut options = NewGraphOptions::new().if_exists(IfExists::Replace);
    if let Some(memory) = memory {
        options = options.task(Task::new().memory(memory));
    }
    let began = Instant::now();
    let ((added, report), peak) = peak_during(|| {
        let mut graph = options.create(path)?;
        fill(&mut graph, nodes, edges, has_values)?;
        Ok((began.elapsed(), graph.finish()?))
    })?;
    let NewGraphReport { file_len, .. } = report;
    println!(
        "{nodes} nodes, {edges} edges: added in {:.1} s, {:.1} s in all, {file_len} bytes, peak {peak} kB",
        added.as_secs_f64(),
        began.elapsed().as_secs_f64(),
    );
    Ok(())
}

fn fill(graph: &mut NewGraph<'_>, nodes: u32, edges: u64, has_values: bool) -> Outcome<()> {
    let mut random = 1u64;
    let mut below = |end: u32| {
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((random >> 33) % u64::from(end)) as u32
    };
    for _ in 0..nodes {
        let node = graph.add_node(&["CRATE"])?;
        if has_values {
            graph.set(node, "DOWNLOADS", below(1_000_000))?;
            graph.set(node, "NAME", format!("crate-{node}").as_str())?;
        }
    }
    for _ in 0..edges {
        graph.add_edge("DEPENDS_ON", below(nodes), below(nodes))?;
    }
    Ok(())
}

/// Removes an option and the number after it from the arguments, and returns the number.
fn option(words: &mut Vec<String>, name: &str) -> Outcome<Option<usize>> {
    let Some(at) = words.iter().position(|word| word == name) else { return Ok(None) };
    let number = words.get(at + 1).ok_or("an option needs a value")?.parse()?;
    words.drain(at..at + 2);
    Ok(Some(number))
}

/// The result of `work`, and the most memory in private pages that the process held while `work` ran, in kB.
fn peak_during<T>(work: impl FnOnce() -> Outcome<T>) -> Outcome<(T, u64)> {
    let (is_done, peak) = (AtomicBool::new(false), AtomicU64::new(0));
    let done = std::thread::scope(|scope| {
        scope.spawn(|| {
            while !is_done.load(Ordering::Relaxed) {
                peak.fetch_max(private_kb(), Ordering::Relaxed);
                std::thread::sleep(Duration::from_millis(1));
            }
        });
        let done = work();
        is_done.store(true, Ordering::Relaxed);
        done
    });
    Ok((done?, peak.into_inner()))
}

/// The memory in resident private pages of this process, in kB; 0 if the system does not report it.
fn private_kb() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("RssAnon:"));
    line.and_then(|line| line.split_whitespace().next()?.parse().ok()).unwrap_or(0)
}
