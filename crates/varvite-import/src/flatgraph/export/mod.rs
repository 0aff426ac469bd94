//! Converts a Varvite graph to a flatgraph file, one column at a time.
//!
//! First, each node gets a number within its kind (the same as in the imported file, if there was one), and
//! each string gets an index in the file's single string pool. Then all threads split the data of each edge
//! label and direction, and of each property, by node kind, and compress the parts; a single thread writes
//! the results in a fixed order. Memory contains the numbers, the pool and a few columns at a time, never the
//! whole graph. Equal graphs give equal bytes, whatever their profile.
//!
//! Content that flatgraph can't express is never left out: it makes the export fail before the file gets its
//! final name.

mod edges;
mod error;
mod nodes;
mod properties;
mod strings;
mod target;

use std::path::Path;

use varvite::columns::in_order;
use varvite::{EdgeLabelId, Graph, PropertyId, PropertyInfo, Task};

pub use error::ExportError;

use self::edges::encode_edges;
use self::nodes::Nodes;
use self::properties::{check_properties, encode_property};
use self::strings::Strings;
use self::target::Target;
use super::{Direction, EncodedColumn, FlatgraphWriter};
use crate::export_settings::{ExportReport, ExportSettings};
use varvite_graph::internal::threads_within;

/// An export of a graph to a flatgraph file, which Joern loads as `cpg.bin`. Uses all processors by default.
///
/// ```no_run
/// use varvite::{Graph, Task};
/// use varvite_import::{Export, ExportSettings};
///
/// let graph = Graph::open("code.varvite")?;
/// let task = Task::new().progress(|progress| eprintln!("{progress}"));
/// Export::new(&graph).settings(ExportSettings::new().task(task)).write_to("cpg.bin")?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
#[must_use = "an export begins with `write_to`"]
pub struct Export<'a> {
    graph: &'a Graph,
    settings: ExportSettings<'a>,
}

impl<'a> Export<'a> {
    /// An export of `graph`.
    pub fn new(graph: &'a Graph) -> Self {
        Self { graph, settings: ExportSettings::new() }
    }

    /// Sets the properties to leave out, and the limits of the export. Progress counts a step for nodes,
    /// one for strings, one for each edge label in each direction, and one for each property.
    pub fn settings(self, settings: ExportSettings<'a>) -> Self {
        Self { settings, ..self }
    }

    /// Writes a flatgraph file at `target`. Equal graphs give equal bytes.
    ///
    /// A node gets the number within its kind that it had in the file it was imported from; unused numbers
    /// become deleted nodes. Edges keep their order in both directions. Unsigned integers become signed
    /// integers of the next width. An edge without a value gets the property's default if other edges of the
    /// same column have values.
    ///
    /// # Errors
    /// Content that flatgraph can't express, damage of the graph, an error of the file system, or
    /// [`ExportError::Cancelled`]. After an error there is no new file at `target`, and an existing one is
    /// unchanged.
    pub fn write_to(&self, target: impl AsRef<Path>) -> Result<ExportReport, ExportError> {
        let target = Target::over(self.settings.create(target.as_ref())?);
        let properties = self.settings.properties(self.graph);
        let task = &self.settings.task;
        let written = write(self.graph, properties, target, task);
        // Damage is reported before other errors, since it may be their cause.
        self.graph.check()?;
        let written = written?;
        task.check()?;
        let (nodes, edges) = (self.graph.node_count(), self.graph.edge_count());
        Ok(ExportReport { nodes, edges, file_len: written.commit()? })
    }
}

/// Number of steps before the first column: one for nodes, one for strings.
const STEPS_BEFORE: usize = 2;

fn write(
    graph: &Graph,
    properties: Vec<(PropertyId, PropertyInfo)>,
    target: Target,
    task: &Task<'_>,
) -> Result<Target, ExportError> {
    let jobs = Job::all(graph, &properties);
    let total = STEPS_BEFORE + jobs.len();
    task.step("nodes", 0, total);
    check_properties(&properties)?;
    let nodes = Nodes::read(graph, task)?;
    task.step("strings", 1, total);
    let strings = Strings::read(graph, &properties, task)?;
    let run = ExportRun { graph, properties, nodes, strings, task };
    let mut writer = FlatgraphWriter::create(target, run.nodes.kinds().to_vec())?;
    let mut steps = jobs.iter().zip(STEPS_BEFORE..);
    let append = |columns: Vec<EncodedColumn>| {
        steps.by_ref().take(1).for_each(|(job, done)| task.step(job.name(graph), done, total));
        columns.iter().try_for_each(|column| {
            task.check()?;
            Ok(writer.append(column)?)
        })
    };
    in_order(&jobs, run.threads(&jobs)?, |job| run.encode(*job), append)?;
    task.check()?;
    let target = writer.finish(run.strings.pool())?;
    task.step("done", total, total);
    Ok(target)
}

/// The inputs that every column needs.
struct ExportRun<'g> {
    graph: &'g Graph,
    /// The exported properties.
    properties: Vec<(PropertyId, PropertyInfo)>,
    nodes: Nodes,
    strings: Strings,
    task: &'g Task<'g>,
}

/// A unit of parallel work.
#[derive(Clone, Copy)]
enum Job {
    Edges(EdgeLabelId, Direction),
    Property(PropertyId),
}

impl Job {
    fn all(graph: &Graph, properties: &[(PropertyId, PropertyInfo)]) -> Vec<Self> {
        let edges = graph
            .edge_label_ids()
            .flat_map(|label| [Self::Edges(label, Direction::In), Self::Edges(label, Direction::Out)]);
        let of_nodes = properties.iter().filter(|(_, info)| info.edge_label.is_none());
        edges.chain(of_nodes.map(|(id, _)| Self::Property(*id))).collect()
    }

    fn name(self, graph: &Graph) -> &str {
        match self {
            Self::Edges(label, _) => &graph.edge_labels()[label.index()].name,
            Self::Property(id) => &graph.properties()[id.index()].name,
        }
    }
}

impl ExportRun<'_> {
    /// The number of threads that the free memory allows, but at least one. If memory is too little even for
    /// one thread, its job fails with an error that states how much memory is missing.
    fn threads(&self, jobs: &[Job]) -> Result<usize, ExportError> {
        let room = self.graph.store().memory_max().saturating_sub(self.graph.ledger().anonymous());
        let bytes = jobs.iter().map(|job| self.bytes_of(*job)).collect::<Result<Vec<u64>, _>>()?;
        Ok(threads_within(bytes, room, self.task.thread_count()).unwrap_or(1))
    }

    fn encode(&self, job: Job) -> Result<Vec<EncodedColumn>, ExportError> {
        let _scratch = self.graph.scratch(self.bytes_of(job)?)?;
        match job {
            Job::Edges(label, direction) => encode_edges(self, label, direction),
            Job::Property(id) => encode_property(self, id),
        }
    }

    /// The memory of a job: one number for each node, one or two for each entry, and the encoded bytes.
    fn bytes_of(&self, job: Job) -> Result<u64, ExportError> {
        let entries = match job {
            Job::Edges(label, _) => self.graph.edge_labels()[label.index()].edges,
            Job::Property(id) => self.graph.property_at(id)?.value_count() as u64,
        };
        Ok(8 * u64::from(self.graph.node_count()) + 24 * entries)
    }
}
