//! From a Varvite graph to a flatgraph file, one column at a time.
//!
//! Nodes get their places back first, and strings their numbers in the one pool that flatgraph has; then each edge label
//! in each direction, and each property, is taken apart by node kind and compressed, on all threads; a single thread
//! writes the results in a fixed order. Memory holds the places, the pool and a few columns at a time, never the graph.
//! Equal graphs give equal bytes, whatever profile they are stored in.
//!
//! What flatgraph cannot say is an error before anything has its final name; nothing is left out.

mod edges;
mod error;
mod nodes;
mod properties;
mod strings;
mod target;

use std::path::Path;
use std::sync::Arc;

use varvite::{Graph, IfExists, in_order};
use varvite_store::Vfs;

pub use error::ExportError;

use self::edges::encode_edges;
use self::nodes::Nodes;
use self::properties::{check_properties, encode_property};
use self::strings::Strings;
use self::target::Target;
use super::{Direction, EncodedColumn, FlatgraphWriter, Step};

/// How to export.
#[derive(Clone, Copy, Debug)]
pub struct ExportOptions {
    /// What to do if the target exists.
    pub if_exists: IfExists,
    /// Threads that read and compress.
    pub threads: usize,
}

/// What an export did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ExportReport {
    /// Nodes of the graph.
    pub nodes: u32,
    /// Its edges.
    pub edges: u64,
    /// Size of the new file in bytes.
    pub file_len: u64,
}

/// Steps before the first column: nodes, strings.
const STEPS_BEFORE: usize = 2;

/// Writes `graph` to a flatgraph file at `target`, such as Joern loads as `cpg.bin`. Equal graphs give equal bytes.
///
/// Every node takes the place within its kind that it had in the file it came from; places that nobody has become
/// deleted nodes. Edges keep the order of both directions. Unsigned integers become the next wider signed ones. An edge
/// without a value that others of its column have gets the default of the property.
///
/// # Errors
/// What the graph holds and flatgraph cannot say, damage of the graph, or what the file system says; then there is no
/// new file at `target`, and an old one is untouched.
pub fn export(
    vfs: Arc<dyn Vfs>,
    graph: &Graph,
    target: &Path,
    options: &ExportOptions,
    progress: &dyn Fn(Step<'_>),
) -> Result<ExportReport, ExportError> {
    let target = Target::create(vfs, target, options.if_exists)?;
    let written = write(graph, target, options.threads, progress);
    // Damage explains whatever else went wrong.
    graph.check()?;
    let file_len = written?.commit()?;
    Ok(ExportReport { nodes: graph.node_count(), edges: graph.edge_count(), file_len })
}

fn write(
    graph: &Graph,
    target: Target,
    threads: usize,
    progress: &dyn Fn(Step<'_>),
) -> Result<Target, ExportError> {
    let jobs = Job::all(graph);
    let total = STEPS_BEFORE + jobs.len();
    let step = |name: &str, done| progress(Step { name, done, total });
    step("nodes", 0);
    check_properties(graph)?;
    let nodes = Nodes::read(graph)?;
    step("strings", 1);
    let strings = Strings::read(graph, threads)?;
    let export = Export { graph, nodes, strings };
    let mut writer = FlatgraphWriter::create(target, export.nodes.kinds().to_vec())?;
    let mut steps = jobs.iter().zip(STEPS_BEFORE..);
    let append = |columns: Vec<EncodedColumn>| {
        steps.by_ref().take(1).for_each(|(job, done)| step(job.name(graph), done));
        columns.iter().try_for_each(|column| writer.append(column)).map_err(ExportError::from)
    };
    in_order(&jobs, threads, |job| export.encode(*job), append)?;
    let target = writer.finish(export.strings.pool())?;
    step("done", total);
    Ok(target)
}

/// What every column needs.
struct Export<'g> {
    graph: &'g Graph,
    nodes: Nodes,
    strings: Strings,
}

/// One unit of parallel work, by index in the schema.
#[derive(Clone, Copy)]
enum Job {
    Edges(usize, Direction),
    Property(usize),
}

impl Job {
    fn all(graph: &Graph) -> Vec<Self> {
        let labels = 0..graph.edge_labels().len();
        let edges =
            labels.flat_map(|label| [Self::Edges(label, Direction::In), Self::Edges(label, Direction::Out)]);
        let of_nodes = |index: &usize| graph.properties()[*index].edge_label.is_none();
        edges.chain((0..graph.properties().len()).filter(of_nodes).map(Self::Property)).collect()
    }

    fn name(self, graph: &Graph) -> &str {
        match self {
            Self::Edges(label, _) => &graph.edge_labels()[label].name,
            Self::Property(index) => &graph.properties()[index].name,
        }
    }
}

impl Export<'_> {
    fn encode(&self, job: Job) -> Result<Vec<EncodedColumn>, ExportError> {
        let _scratch = self.graph.scratch(self.bytes_of(job)?)?;
        match job {
            Job::Edges(label, direction) => encode_edges(self, label, direction),
            Job::Property(index) => encode_property(self, index),
        }
    }

    /// Memory for what a job reads: a number for each node and one or two for each entry, and their bytes in the file.
    fn bytes_of(&self, job: Job) -> Result<u64, ExportError> {
        let entries = match job {
            Job::Edges(label, _) => self.graph.edge_labels()[label].edges,
            Job::Property(index) => self.graph.property_at(index)?.value_count() as u64,
        };
        Ok(8 * u64::from(self.graph.node_count()) + 24 * entries)
    }
}
