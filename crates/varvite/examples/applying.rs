//! Applies diffs of random edges to a graph, and tells what each costs: how long it took, what was written, and the most
//! memory that the process held. The file is changed: give a copy of one.
//!
//! ```text
//! cargo run --release --example applying -- copy.varvite CFG 1 1000 1000000
//! ```
//!
//! A copy on a disk in memory leaves out what syncing costs.

use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use varvite::change::Diff;
use varvite::vfs::RealVfs;
use varvite::write::GraphChange;
use varvite::{Graph, Task};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut words = std::env::args().skip(1);
    let (file, label) = words.next().zip(words.next()).ok_or("a file and an edge label")?;
    let mut random = 1u64;
    for count in words {
        let count: usize = count.parse()?;
        let diff = edges(&label, Graph::open(&file)?.node_count(), count, &mut random);
        let before = peak();
        let began = Instant::now();
        let change = GraphChange::begin(Arc::new(RealVfs), Path::new(&file))?;
        let applied = change.apply(&diff, &Task::new())?;
        let seconds = began.elapsed().as_secs_f64();
        println!(
            "{count} edges: {seconds:.4} s, {} bytes written, diff of {} bytes, peak of the process {} -> {} kB",
            applied.written,
            diff.heap_bytes(),
            before,
            peak()
        );
    }
    Ok(())
}

/// Edges as control flow has them: most go a few nodes on, some farther.
fn edges(label: &str, nodes: u32, count: usize, random: &mut u64) -> Diff {
    let mut diff = Diff::new();
    let mut below = |end: u32| {
        *random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((*random >> 33) % u64::from(end)) as u32
    };
    for _ in 0..count {
        let source = below(nodes);
        let far = if below(10) == 0 { 1000 } else { 8 };
        let target = (source + 1 + below(far)).min(nodes - 1);
        diff.add_edge(label, source, target);
    }
    diff
}

/// The most memory that was resident, in kB; 0 where the system does not tell.
fn peak() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.and_then(|line| line.split_whitespace().next()?.parse().ok()).unwrap_or(0)
}
