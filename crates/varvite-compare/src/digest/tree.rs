//! [`DigestTree`]: a digest that also has hashes of ranges of each column's owners.
//!
//! Two graphs are compared from the top down: first the roots, then the columns, then the ranges of a
//! differing column, then the owners of a differing range. So a machine that has only one of the graphs
//! requests only a small part of the other graph's tree: the ranges that differ.

use std::ops::Range;

use varvite_store::Task;

use super::column_tree::{ALL_OWNERS, ColumnTree, RangeHashes, RangeShift};
use super::part::Part;
use super::ranges::hashes_within;
use super::stream::Stream;
use super::{ColumnDigest, ContentHash, Digest};
use varvite_graph::{Graph, GraphError, GraphScan, NameKind, Result, in_order_within_memory, nearest};

/// A digest with hashes of ranges below its columns: the whole tree, or a requested part of it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct DigestTree {
    /// The identity of the file and commit ([`Identity::to_bytes`](varvite_graph::Identity::to_bytes)).
    pub identity: [u8; 32],
    /// The number of nodes of the graph.
    pub nodes: u32,
    /// The hash over all columns; `None` if only some columns were read.
    pub root: Option<ContentHash>,
    /// Whether the digest has every column of the graph.
    pub is_complete: bool,
    /// Columns, sorted by name.
    pub columns: Vec<ColumnTree>,
}

impl DigestTree {
    /// The whole tree of a graph. Costs as much as [`Digest::of`], plus 36 bytes of memory for each 65,536
    /// owners of a column. Progress counts columns.
    ///
    /// # Errors
    /// The errors of [`Digest::of`].
    pub fn of(graph: &Graph, task: &Task<'_>) -> Result<Self> {
        let columns = trees(graph, task, Part::all(graph))?;
        let (identity, nodes) = (graph.identity().to_bytes(), graph.node_count());
        Ok(Self { identity, nodes, root: Some(root_of(&columns)), is_complete: true, columns })
    }

    /// The trees of the columns with these names. Names that the graph does not have are ignored. The root of
    /// the result is unknown.
    ///
    /// # Errors
    /// The errors of [`Digest::of`].
    pub fn of_columns(graph: &Graph, task: &Task<'_>, names: &[&str]) -> Result<Self> {
        let mut parts = Part::all(graph);
        parts.retain(|part| names.contains(&part.name(graph).as_str()));
        let columns = trees(graph, task, parts)?;
        let (identity, nodes) = (graph.identity().to_bytes(), graph.node_count());
        Ok(Self { identity, nodes, root: None, is_complete: false, columns })
    }

    /// The hash of one column of a graph, and the hashes of ranges of the requested owners. Reads the whole
    /// column once.
    ///
    /// # Errors
    /// [`GraphError::Unknown`] for an unknown column; damage; an exceeded memory budget.
    pub fn of_ranges(
        graph: &Graph,
        task: &Task<'_>,
        name: &str,
        owners: Range<u64>,
        shift: RangeShift,
    ) -> Result<ColumnTree> {
        let part = Part::named(graph, name).ok_or_else(|| {
            let names: Vec<String> = Part::all(graph).iter().map(|part| part.name(graph)).collect();
            let nearest = nearest(name, names.iter());
            GraphError::Unknown { kind: NameKind::Column, name: name.to_owned(), nearest }
        })?;
        let graph_scan = GraphScan::of(graph, task);
        let mut column = part.tree(&graph_scan)?;
        task.check()?;
        if let (Some(below), true) = (&mut column.below, shift != RangeShift::Leaf) {
            let owners = owners.start..owners.end.min(ALL_OWNERS.end).max(owners.start);
            let hashes = hashes_within(&graph_scan, part, owners.clone(), shift.bits())?;
            below.ranges = RangeHashes { owners, shift: shift.bits(), hashes };
        }
        graph.check()?;
        Ok(column)
    }

    /// The digest without the hashes below its columns. `None` if the root is not known.
    pub fn digest(&self) -> Option<Digest> {
        let column = |column: &ColumnTree| ColumnDigest { name: column.name.clone(), hash: column.hash };
        Some(Digest { root: self.root?, columns: self.columns.iter().map(column).collect() })
    }

    /// The same digest without the hashes below its columns, to be sent first.
    #[must_use]
    pub fn brief(mut self) -> Self {
        self.columns.iter_mut().for_each(|column| column.below = None);
        self
    }

    /// The same digest with only one column, to be sent if that column differs. `None` if there is no such
    /// column.
    #[must_use]
    pub fn only(mut self, name: &str) -> Option<Self> {
        self.columns.retain(|column| column.name == name);
        self.is_complete = false;
        (!self.columns.is_empty()).then_some(self)
    }

    /// The column with this name.
    pub fn column(&self, name: &str) -> Option<&ColumnTree> {
        self.columns.iter().find(|column| column.name == name)
    }
}

/// The trees of some parts, sorted by name.
fn trees(graph: &Graph, task: &Task<'_>, parts: Vec<Part>) -> Result<Vec<ColumnTree>> {
    let (graph_scan, mut columns) = (GraphScan::of(graph, task), Vec::new());
    let hash = |part: &Part| {
        let tree = part.tree(&graph_scan);
        // A cancelled scan ends early, which looks like damage, so cancellation is reported first.
        task.check()?;
        tree
    };
    let take = |column: ColumnTree| {
        columns.push(column);
        task.step(&columns[columns.len() - 1].name, columns.len(), parts.len());
        Ok(())
    };
    in_order_within_memory(&parts, task.thread_count(), hash, take)?;
    graph.check()?;
    columns.sort_by(|a, b| (&a.name, a.hash).cmp(&(&b.name, b.hash)));
    Ok(columns)
}

/// The hash over all columns.
pub(super) fn root_of(columns: &[ColumnTree]) -> ContentHash {
    let mut root = Stream::default();
    for column in columns {
        root.text(column.name.as_bytes());
        root.hash(&column.hash);
    }
    root.finish()
}
