//! [`Graph::verify`]: checks every byte of a file, then that the columns are valid and agree with each other.
//!
//! First the store checks by checksums that the bytes are those that were written. Only then are the values
//! in the columns checked, because it would be useless to check the values of damaged bytes. These checks are
//! independent of each other and run on all threads. Each check ends at its first problem, because later
//! problems often follow from it.

mod changes;
pub(crate) mod edge_hash;
mod edges;
mod indexes;
mod labels;
mod properties;
mod sets;

use std::collections::{BTreeMap, HashSet};
use std::fmt::Display;
use std::sync::atomic::{AtomicU64, Ordering};

use varvite_format::{AdjacencyRow, ColumnId, Directory, EdgeLabelId, LabelId, Owner, PropertyId, SegmentId};
use varvite_store::{StoreError, Task, VerifyReport};

use crate::cursor::adjacency::Direction;
use crate::cursor::columns::{adjacency_name, label_name, named_columns, property_name};
use crate::error::{GraphError, Result};
use crate::graph::Graph;
use crate::inspect::describe::Parts;
use crate::scan::graph_scan::GraphScan;
use crate::scan::parallel::in_order_within_memory;

use self::labels::Histogram;

impl Graph {
    /// Reads and checks everything in the file. Progress is counted in bytes. The bytes of a column count
    /// twice: when checksums are checked, and when values are checked.
    ///
    /// ```no_run
    /// use varvite::{Graph, Task};
    ///
    /// # fn main() -> varvite::Result<()> {
    /// let graph = Graph::open("zlib.varvite")?;
    /// let report = graph.verify(&Task::new().progress(|progress| eprintln!("{progress}")))?;
    /// assert!(report.problems.is_empty());
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// An error of the file system, or [`GraphError::Cancelled`]. Damage is not an error: it is a problem in
    /// the report.
    pub fn verify(&self, task: &Task<'_>) -> Result<VerifyReport> {
        let directory = self.store().directory();
        let checks = Check::all(directory);
        let stored: u64 = directory.segments.iter().map(|row| row.stored_len).sum();
        let total = stored + checks.iter().map(|(_, bytes)| bytes).sum::<u64>();
        let threads = task.thread_count();
        let blocks = Task::new().threads(threads).cancel(task.flag());
        let blocks = blocks.progress(|progress| task.bytes(progress.step, progress.done, total));
        let mut report = self.store().verify(&blocks)?;
        if !report.problems.is_empty() {
            let told = report.damaged_segments.len().min(VerifyReport::PROBLEMS_MAX);
            report.problems.extend(contents_of(directory, &report.damaged_segments[..told]));
            return Ok(report);
        }
        let graph_scan = GraphScan::of(self, task);
        let histogram = Histogram::of(self)?;
        let done = AtomicU64::new(stored);
        let work = |(check, bytes): &(Check, u64)| -> Result<Vec<String>> {
            let mut problems = Problems::default();
            let checked = check.run(&graph_scan, &histogram, &mut problems);
            // A check that was cancelled reports damage, because its scan ended early: return the
            // cancellation instead.
            task.check()?;
            checked?;
            task.bytes("columns", done.fetch_add(*bytes, Ordering::Relaxed) + bytes, total);
            Ok(problems.0)
        };
        let take = |problems| {
            report.problems.extend(problems);
            Ok(())
        };
        in_order_within_memory(&checks, threads, work, take)?;
        report.problems.truncate(VerifyReport::PROBLEMS_MAX);
        Ok(report)
    }
}

impl Graph {
    /// Checks that all node ids, label sets, ranks and text codes in the columns exist, and that columns
    /// agree with each other. This check is for callers that copy stored columns without decoding them. Such
    /// callers check the checksums of blocks while they copy. Reads all columns except those of texts.
    ///
    /// # Errors
    /// [`GraphError::Unsound`] with the problems; an error of the file system; [`GraphError::Cancelled`].
    pub(crate) fn check_ids(&self, task: &Task<'_>) -> Result<()> {
        let mut checks = Check::all(self.store().directory());
        checks.retain(|(check, _)| !matches!(check, Check::Schema | Check::Texts(_)));
        let quiet = Task::new().threads(task.thread_count()).cancel(task.flag());
        let graph_scan = GraphScan::of(self, &quiet);
        let histogram = Histogram::of(self)?;
        let work = |(check, _): &(Check, u64)| -> Result<Vec<String>> {
            let mut problems = Problems::default();
            let checked = check.run(&graph_scan, &histogram, &mut problems);
            // A check that was cancelled reports damage, because its scan ended early: return the
            // cancellation instead.
            task.check()?;
            checked?;
            Ok(problems.0)
        };
        let mut problems = Vec::new();
        let take = |found| {
            problems.extend(found);
            Ok(())
        };
        in_order_within_memory(&checks, task.thread_count(), work, take)?;
        problems.truncate(VerifyReport::PROBLEMS_MAX);
        match problems.is_empty() {
            true => Ok(()),
            false => Err(GraphError::Unsound { path: self.store().path().to_owned(), problems }),
        }
    }
}

/// The largest number of columns that a message names for one segment.
const NAMED_MAX: usize = 8;

/// A line for each damaged segment, with the names of the columns that contain the segment.
fn contents_of(directory: &Directory, segments: &[SegmentId]) -> impl Iterator<Item = String> {
    let mut held: BTreeMap<SegmentId, (Vec<String>, usize)> =
        segments.iter().map(|segment| (*segment, Default::default())).collect();
    for column in named_columns(directory) {
        for segment in Parts::of(directory, column.id).segments {
            let Some((names, more)) = held.get_mut(&segment) else { continue };
            match names.len() < NAMED_MAX {
                true => names.push(column.name.clone()),
                false => *more += 1,
            }
        }
    }
    held.into_iter().map(|(segment, (names, more))| {
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        format!("segment {} holds {}{more}", segment.0, names.join(", "))
    })
}

/// The problems that were found, one line each.
#[derive(Default)]
struct Problems(Vec<String>);

impl Problems {
    fn add(&mut self, part: impl Display, expected: impl Display, found: impl Display) {
        self.0.push(format!("damaged {part}: expected {expected}, found {found}"));
    }

    /// Returns the result of a read. If the read found damage, adds it to the problems and returns `None`.
    ///
    /// # Errors
    /// An error of the file system.
    fn undamaged<T>(&mut self, name: &str, read: Result<T>) -> Result<Option<T>> {
        match read {
            Ok(read) => Ok(Some(read)),
            Err(GraphError::Store(StoreError::Format { source, .. })) => {
                self.0.push(format!("{name}: {source}"));
                Ok(None)
            }
            Err(error) => Err(error),
        }
    }
}

/// A check, independent of all other checks.
#[derive(Clone, Debug)]
enum Check {
    Schema,
    NodeLabels,
    Label(LabelId),
    Forest,
    Set {
        name: String,
        column: ColumnId,
        universe: u32,
    },
    Edges(EdgeLabelId),
    Property(PropertyId),
    /// The texts of a property.
    Texts(PropertyId),
    Index(usize),
}

impl Check {
    /// All checks, each with the bytes of the columns that it reads.
    fn all(directory: &Directory) -> Vec<(Self, u64)> {
        let mut checks = vec![
            (Self::Schema, 0),
            (Self::NodeLabels, bytes(directory, [directory.codes])),
            (Self::Forest, bytes(directory, [directory.subtree, directory.parents])),
        ];
        for (label, row) in (0..).map(LabelId).zip(&directory.labels) {
            checks.push((Self::Label(label), bytes(directory, [Some(row.nodes), row.origin])));
        }
        for (label, row) in (0..).map(EdgeLabelId).zip(&directory.edge_labels) {
            let side = |side: AdjacencyRow| bytes(directory, [side.nodes, side.offsets, side.neighbors]);
            let places = bytes(directory, [row.places]);
            checks.push((Self::Edges(label), side(row.out) + side(row.in_) + places));
        }
        for (property, row) in (0..).map(PropertyId).zip(&directory.properties) {
            let columns = [Some(row.present), row.offsets, Some(row.values)];
            checks.push((Self::Property(property), bytes(directory, columns)));
        }
        // A string table that several properties share is checked once.
        let mut known = HashSet::new();
        for (property, row) in (0..).map(PropertyId).zip(&directory.properties) {
            if row.strings.is_some() && known.insert((row.strings, row.value_type)) {
                checks.push((Self::Texts(property), bytes(directory, [row.strings])));
            }
        }
        for (number, row) in directory.text_indexes.iter().enumerate() {
            checks.push((Self::Index(number), bytes(directory, row.columns().map(Some))));
        }
        checks.extend(sets(directory));
        checks
    }

    fn run(&self, graph_scan: &GraphScan<'_>, histogram: &Histogram, problems: &mut Problems) -> Result<()> {
        let graph = graph_scan.graph;
        match self {
            Self::Schema => {
                check_names(graph, problems);
                Ok(())
            }
            Self::NodeLabels => {
                histogram.check(problems);
                Ok(())
            }
            Self::Label(label) => labels::check_label(graph_scan, *label, histogram, problems),
            Self::Forest => edges::check_forest(graph_scan, problems),
            Self::Set { name, column, universe } => {
                sets::check_set(graph, name, *column, *universe, problems)
            }
            Self::Edges(label) => edges::check_edges(graph_scan, *label, problems),
            Self::Property(property) => properties::check_property(graph_scan, *property, problems),
            Self::Texts(property) => properties::check_texts(graph_scan, *property, problems),
            Self::Index(number) => indexes::check_index(graph_scan, *number, problems),
        }
    }
}

/// Checks that names are unique: among labels, among edge labels, among the properties of nodes, and among
/// the properties of each edge label.
fn check_names(graph: &Graph, problems: &mut Problems) {
    let labels = graph.labels().iter().map(|label| format!("label {}", label.name));
    let edge_labels = graph.edge_labels().iter().map(|label| format!("edges {}", label.name));
    let properties = graph.property_ids().map(|property| property_name(graph.store().directory(), property));
    let mut known = HashSet::new();
    for name in labels.chain(edge_labels).chain(properties) {
        if known.contains(&name) {
            problems.add("schema", "each name once", &name);
        }
        known.insert(name);
    }
}

/// A check for each set of nodes or edges. A set that is stored once and used several times is checked once.
fn sets(directory: &Directory) -> impl Iterator<Item = (Check, u64)> + '_ {
    let (base, mut sets) = (directory.base_nodes(), changes::sets(directory));
    for (label, row) in (0..).map(LabelId).zip(&directory.labels) {
        sets.push((format!("{} nodes", label_name(directory, label)), row.nodes, base));
    }
    for (label, row) in (0..).map(EdgeLabelId).zip(&directory.edge_labels) {
        for (direction, side) in [(Direction::Out, row.out), (Direction::In, row.in_)] {
            let name = format!("{} nodes", adjacency_name(directory, label, direction));
            let nodes = directory.nodes_of_layer(row.layer);
            sets.extend(side.nodes.map(|column| (name, column, nodes)));
        }
    }
    for (property, row) in (0..).map(PropertyId).zip(&directory.properties) {
        let name = format!("{} owners", property_name(directory, property));
        let universe = match row.owner {
            Owner::Node => Some(directory.nodes_of_layer(row.layer)),
            Owner::Edge(label) => {
                let edges = directory.edge_labels.get(label.index()).map(|row| row.edges);
                edges.and_then(|edges| u32::try_from(edges).ok())
            }
        };
        sets.extend(universe.map(|universe| (name, row.present, universe)));
    }
    let mut known = HashSet::new();
    sets.retain(|(_, column, universe)| known.insert((*column, *universe)));
    sets.into_iter().map(|(name, column, universe)| {
        (Check::Set { name, column, universe }, bytes(directory, [Some(column)]))
    })
}

fn bytes(directory: &Directory, columns: impl IntoIterator<Item = Option<ColumnId>>) -> u64 {
    columns.into_iter().flatten().map(|column| Parts::of(directory, column).bytes).sum()
}
