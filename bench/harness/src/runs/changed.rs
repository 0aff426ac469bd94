//! Measures the cost of reading a graph with changes: asks a graph and a changed copy of it the same
//! questions, in pairs.
//!
//! - `edges`: 1 % of the CFG, REF and ARGUMENT edges are removed and appended again. For each, a source is
//!   drawn at random, then one of its edges. The answers stay the same.
//! - `leaves`: 1 % more nodes are appended, which have no children. Each gets the labels of an old node
//!   without children, and a parent drawn at random from the nodes that have children.
//!
//! All random draws use a fixed seed. Each pair opens both files again, because the times depend by some
//! percent on the addresses at which files are mapped. Each question runs once before it is timed. Times are
//! compared per step of a question, because a changed graph may have 1 % more steps.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use varvite::change::Diff;
use varvite::write::GraphChange;
use varvite::{Adjacency, Direction, Graph, Task};
use varvite_store::vfs::RealVfs;

use crate::Failure;
use crate::record::figures::{Figures, Unit};
use crate::record::results::{CHANGE, CHANGED, COMPACT, Row};
use crate::workloads::plan;
use crate::workloads::question::Question;

/// The names of the questions: first walks, then pipelines.
const ASKED: [&str; 12] = [
    "ast_dfs",
    "ast_up",
    "identifier_up",
    "cfg_reachability",
    "callee_names",
    "callee_names_pipeline",
    "descendants_by_label",
    "identifier_method",
    "call_flow",
    "call_arguments",
    "identifier_references",
    "query_truncated_lengths",
];

const EDGE_LABELS: [&str; 3] = ["CFG", "REF", "ARGUMENT"];
const TREE: &str = "AST";
/// One of this many edges or nodes is changed or added: 1 %.
const SHARE: usize = 100;
const SEED: u64 = 36;
/// The time of a turn, in nanoseconds.
const TURN_NS: u64 = 25_000_000;

/// The kind of change in a copy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// Edges are removed and appended again.
    Edges,
    /// Nodes without children are appended.
    Leaves,
}

impl Kind {
    /// All kinds.
    const ALL: [Self; 2] = [Self::Edges, Self::Leaves];

    /// The name of the kind in tables and file names.
    fn name(self) -> &'static str {
        match self {
            Self::Edges => "edges",
            Self::Leaves => "leaves",
        }
    }

    /// The path of the changed copy of a graph in a folder.
    fn copy_in(self, folder: &Path) -> PathBuf {
        folder.join(format!("changed-{}.varvite", self.name()))
    }

    fn title(self) -> &'static str {
        match self {
            Self::Edges => "1 % of CFG, REF and ARGUMENT edges moved",
            Self::Leaves => "1 % new leaves of the tree",
        }
    }

    fn diff(self, graph: &Graph) -> Result<Diff, Failure> {
        let (mut diff, mut random) = (Diff::new(), Random(SEED));
        match self {
            Self::Edges => {
                let known = |label: &&&str| graph.edge_label(label).is_ok();
                EDGE_LABELS
                    .iter()
                    .filter(known)
                    .try_for_each(|label| move_edges(graph, label, &mut random, &mut diff))?;
            }
            Self::Leaves => append_leaves(graph, &mut random, &mut diff)?,
        }
        Ok(diff)
    }
}

/// Measures reads of changed copies of a graph, and returns the rows for the page of a run. The copies are
/// made in the folder `scratch`, and are removed afterwards.
///
/// # Errors
/// Faults of the graph, and errors of the file system.
pub fn time_reading(graph: &Path, scratch: &Path, pairs: u32) -> Result<Vec<Row>, Failure> {
    let mut rows = Vec::new();
    measure(graph, scratch, pairs, "", |row| rows.push(row))?;
    Kind::ALL.iter().try_for_each(|kind| std::fs::remove_file(kind.copy_in(scratch)))?;
    Ok(rows)
}

/// Runs the questions whose names begin with `only` on a graph and on changed copies, which stay in the
/// folder `scratch`. Calls `tell` with each finished row.
///
/// # Errors
/// Faults of the graph, and errors of the file system.
pub fn measure(
    graph: &Path,
    scratch: &Path,
    pairs: u32,
    only: &str,
    mut tell: impl FnMut(Row),
) -> Result<(), Failure> {
    for kind in Kind::ALL {
        let copy = kind.copy_in(scratch);
        change(graph, &copy, kind)?;
        for name in ASKED.iter().filter(|name| name.starts_with(only)) {
            let asked = plan::ASKED.iter().find(|asked| asked.name == *name);
            let title = format!("{}: {}", kind.title(), asked.map_or(*name, |asked| asked.title));
            let mut row = Row::new(format!("{CHANGE}{}_{name}", kind.name()), title, Unit::Time);
            pair(name, [graph, &copy], pairs, &mut row)?;
            tell(row);
        }
    }
    Ok(())
}

/// Copies a graph to `target` and changes the copy.
///
/// # Errors
/// Faults of the graph, and errors of the file system.
fn change(graph: &Path, target: &Path, kind: Kind) -> Result<(), Failure> {
    std::fs::copy(graph, target)?;
    let diff = kind.diff(&Graph::open(graph)?)?;
    GraphChange::begin(Arc::new(RealVfs), target)?.apply_with(&diff, &Task::new())?;
    Ok(())
}

fn move_edges(graph: &Graph, label: &str, random: &mut Random, diff: &mut Diff) -> Result<(), Failure> {
    let out = graph.out(label)?;
    let ranks = graph.ranks(graph.edge_label(label)?, Direction::Out)?;
    let ranks = ranks.ok_or_else(|| Failure(format!("edges of {label} have no ranks")))?;
    let sources: Vec<u32> = out.sources().collect();
    let mut moved = HashSet::new();
    while moved.len() < out.edge_count() as usize / SHARE {
        let source = sources[random.below(sources.len())];
        let place = random.below(out.degree(source));
        let (target, rank) = ranks.of(source).nth(place).ok_or(Failure(format!("a list of {label}")))?;
        if moved.insert(rank) {
            diff.remove_edge(label, rank);
            diff.add_edge(label, source, target);
        }
    }
    Ok(())
}

fn append_leaves(graph: &Graph, random: &mut Random, diff: &mut Diff) -> Result<(), Failure> {
    let (children, parents, labels) = (graph.out(TREE)?, graph.in_(TREE)?, graph.label_sets()?);
    let has = |adjacency: &Adjacency, node: u32| adjacency.first(node).is_some();
    let (above, leaves): (Vec<u32>, Vec<u32>) = (0..graph.node_count())
        .filter(|node| has(&children, *node) || has(&parents, *node))
        .partition(|node| has(&children, *node));
    for _ in 0..graph.node_count() as usize / SHARE {
        let (parent, like) = (above[random.below(above.len())], leaves[random.below(leaves.len())]);
        let names = labels.of(like).map(|label| graph.labels()[label.index()].name.as_str());
        let leaf = diff.add_node(&names.collect::<Vec<_>>());
        diff.add_edge(TREE, parent, leaf);
    }
    Ok(())
}

/// The pseudo-random generator SplitMix64.
struct Random(u64);

impl Random {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ mixed >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((mixed ^ mixed >> 31) % end as u64) as usize
    }
}

/// Measures the time per step of one question in pairs of turns, one on the original and one on the changed
/// copy.
///
/// # Errors
/// Faults of a file.
fn pair(name: &str, files: [&Path; 2], pairs: u32, row: &mut Row) -> Result<(), Failure> {
    for pair in 0..pairs {
        let mut turns = files.map(|file| Turn::new(name, file));
        let order = if pair % 2 == 0 { [0, 1] } else { [1, 0] };
        for at in order {
            let step = turns[at].as_mut().map_err(|failure| Failure(failure.0.clone()))?.take()?;
            row.add([COMPACT, CHANGED][at], step);
        }
    }
    Ok(())
}

struct Turn(Question);

impl Turn {
    fn new(name: &str, file: &Path) -> Result<Self, Failure> {
        let mut question = Question::prepare(name, file)?;
        question.ask()?;
        Ok(Self(question))
    }

    /// Takes a turn, and returns the median time per step.
    fn take(&mut self) -> Result<f64, Failure> {
        let (mut steps, mut sum) = (Figures::default(), 0);
        while sum < TURN_NS {
            let asked = self.0.ask()?;
            sum += asked.ns;
            steps.samples.push(asked.ns as f64 / asked.answer.operations.max(1) as f64);
        }
        Ok(steps.median().unwrap_or_default())
    }
}
