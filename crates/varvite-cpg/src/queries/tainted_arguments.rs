//! Arguments that may contain values from outside the program.
//!
//! Starts from CALLs whose METHOD_FULL_NAME is in a row of [`SINKS`], and takes their arguments at the index
//! of that row. From each argument, a walk goes backwards along REACHING_DEF and stops at CALLs with a
//! METHOD_FULL_NAME in [`SOURCES`]. The walk from one argument visits a node at most once. The answers are
//! pairs: an argument, and a source that reaches it. The walk stays inside a function, since data flow
//! between functions needs a solver.

use varvite::Graph;
use varvite::pipeline::{Cell, Options, Pipeline, Plan, it, nodes, one_of};

use super::{Query, Question, compile};
use crate::{Calls, Result};

/// The dangerous arguments: their ARGUMENT_INDEX, and the METHOD_FULL_NAMEs of their CALLs.
pub const SINKS: [(i64, &[&str]); 2] = [
    (1, &["kmalloc", "kzalloc", "malloc", "sqlite3_malloc", "sqlite3_malloc64", "vmalloc"]),
    (3, &["copy_from_user", "copy_to_user", "memcpy", "memmove", "memset", "zmemcpy"]),
];

/// Functions whose results come from outside the program.
pub const SOURCES: [&str; 12] = [
    "be16_to_cpu",
    "be32_to_cpu",
    "get_unaligned_le16",
    "le16_to_cpu",
    "le32_to_cpu",
    "ntohl",
    "ntohs",
    "read",
    "readl",
    "recv",
    "sqlite3Strlen30",
    "strlen",
];

pub(super) const QUERY: Query =
    Query { name: "tainted_arguments", follows: "xss-servlet, sql-injection", prepare };

fn prepare(graph: &Graph) -> Result<Question> {
    let plans = compile(graph, SINKS.map(|(index, names)| reached(index, names).path()))?;
    Ok(Box::new(move || ends_of_paths(&plans)))
}

fn reached(index: i64, names: &[&str]) -> Pipeline {
    let sinks = nodes("CALL").has("METHOD_FULL_NAME", one_of(names.iter().copied())).argument(index);
    let source = it().has("METHOD_FULL_NAME", one_of(SOURCES));
    sinks.repeat(it().in_("REACHING_DEF"), |walk| walk.until(source).dedup())
}

/// For each path, its second node, which is the sink, and its last node, which is the source.
fn ends_of_paths(plans: &[Plan]) -> Result<Vec<u32>> {
    let mut ends = Vec::new();
    for plan in plans {
        let mut run = plan.run(Options::default());
        while let Some(rows) = run.next()? {
            let Some(paths) = rows.column(0) else { continue };
            for row in 0..rows.len() {
                let mut path = paths.list(row).filter_map(|cell| match cell {
                    Cell::Node(node) => Some(node),
                    _ => None,
                });
                let sink = path.nth(1);
                ends.extend(sink.into_iter().chain(path.next_back()));
            }
        }
    }
    Ok(ends)
}
