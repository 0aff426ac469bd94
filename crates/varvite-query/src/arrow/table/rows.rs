//! [`RowSource`]: which nodes or edges are the rows of a table, and [`RowKeys`]: those of the next batches.

use std::ops::Range;

use varvite_format::{EdgeLabelId, LabelId};
use varvite_graph::internal::ListRest;
use varvite_graph::{Adjacency, Direction, Graph, LabelNodes, Result};

/// The rows of a table.
#[derive(Clone, Debug)]
pub(super) enum RowSource {
    /// All nodes, whose ids are below a limit.
    All(u32),
    Nodes(LabelNodes),
    /// The edges of a label, whose sources are below a limit.
    Edges(Box<Adjacency>, u32),
}

impl RowSource {
    pub(super) fn of_nodes(graph: &Graph, label: Option<LabelId>) -> Result<Self> {
        Ok(match (label, graph.living_nodes()?) {
            (Some(label), _) => Self::Nodes(graph.nodes_of(label)?),
            (None, Some(living)) => Self::Nodes(living),
            (None, None) => Self::All(graph.node_count()),
        })
    }

    pub(super) fn of_edges(graph: &Graph, label: EdgeLabelId) -> Result<Self> {
        let out = graph.adjacency(label, Direction::Out)?;
        Ok(Self::Edges(Box::new(out), graph.node_count()))
    }

    /// The names of the columns that say which node or edge a row is.
    pub(super) fn names(&self) -> &'static [&'static str] {
        match self {
            Self::All(_) | Self::Nodes(_) => &["id"],
            Self::Edges(out, _) if out.changes().is_some() => &["source", "target", "rank"],
            Self::Edges(..) => &["source", "target"],
        }
    }
}

/// The ids of the rows that were found and not yet put into a batch.
#[derive(Clone, Debug, Default)]
pub(super) struct RowKeys {
    /// The ids of nodes, or the ranks of edges: the owners of properties.
    pub(super) owners: Vec<u32>,
    /// For edges only.
    pub(super) sources: Vec<u32>,
    pub(super) targets: Vec<u32>,
}

impl RowKeys {
    /// The number of rows.
    pub(super) fn len(&self) -> usize {
        self.owners.len()
    }

    fn clear(&mut self) {
        [&mut self.owners, &mut self.sources, &mut self.targets].into_iter().for_each(Vec::clear);
    }
}

/// The rank of the first edge that starts at a node of a range. 0 if none does, and for edges that have
/// changed or have no lists, whose ranks are not counted. A node without edges has no place among the ranks.
fn first_rank(out: &Adjacency, mut sources: Range<u32>) -> usize {
    let first = sources.find(|source| out.degree(*source) > 0);
    first.and_then(|source| out.first_rank(source)).unwrap_or(0)
}

/// Reads the ids of a [`RowSource`] from front to back.
#[derive(Debug)]
pub(super) struct RowReader {
    source: RowSource,
    /// The node whose id, or whose out-list, is next.
    node: u32,
    /// The node at which the rows end.
    end: u32,
    /// The neighbours of `node` that are left.
    rest: ListRest,
    /// The number of edges so far.
    edges: u64,
}

impl RowReader {
    /// The rows of the nodes in a range, or of the edges that start at these nodes.
    pub(super) fn new(source: RowSource, nodes: Range<u32>) -> Self {
        let edges = match &source {
            RowSource::Edges(out, limit) => first_rank(out, nodes.start..nodes.end.min(*limit)),
            _ => 0,
        };
        Self { source, node: nodes.start, end: nodes.end, rest: ListRest::ALL, edges: edges as u64 }
    }

    /// Replaces `keys` by the next rows, at most `count`. None are left if `keys` is empty afterwards.
    pub(super) fn read(&mut self, count: usize, keys: &mut RowKeys) {
        keys.clear();
        let Self { source, node, end, rest, edges } = self;
        let end = *end;
        if *node >= end {
            return;
        }
        match source {
            RowSource::All(nodes) => {
                keys.owners.extend((*node..end.min(*nodes)).take(count));
                *node += keys.owners.len() as u32;
            }
            RowSource::Nodes(nodes) => {
                nodes.append_from(*node, count, &mut keys.owners);
                keys.owners.truncate(keys.owners.partition_point(|owner| *owner < end));
                *node = keys.owners.last().map_or(end, |last| last + 1);
            }
            RowSource::Edges(out, nodes) => {
                EdgeReader { out, nodes: end.min(*nodes), node, rest, edges, keys }.read(count)
            }
        }
    }
}

/// Reads out-lists, one node after the other.
struct EdgeReader<'a> {
    out: &'a Adjacency,
    nodes: u32,
    node: &'a mut u32,
    rest: &'a mut ListRest,
    edges: &'a mut u64,
    keys: &'a mut RowKeys,
}

impl EdgeReader<'_> {
    fn read(&mut self, count: usize) {
        let first = *self.edges;
        let is_plain = self.out.changes().is_none() && self.out.has_lists();
        while self.keys.targets.len() < count && self.find_node() {
            let has_more = if is_plain { self.append_list(count) } else { self.append_steps(count) };
            self.keys.sources.resize(self.keys.targets.len(), *self.node);
            if !has_more {
                *self.node += 1;
                *self.rest = ListRest::ALL;
            }
        }
        *self.edges += self.keys.targets.len() as u64;
        if is_plain {
            self.keys.owners.extend((first as u32..).take(self.keys.targets.len()));
        }
        self.refuse_more_edges();
    }

    /// Moves on to a node that may have neighbours. Returns false after the last node.
    fn find_node(&mut self) -> bool {
        let (bits, nodes) = (self.out.owner_bits(), self.nodes);
        while *self.node < nodes && !self.out.may_have(*self.node) {
            let is_empty = self.node.is_multiple_of(8) && bits.get(*self.node as usize / 8) == Some(&0);
            *self.node += if is_empty { 8 } else { 1 };
        }
        *self.node < nodes
    }

    fn append_list(&mut self, count: usize) -> bool {
        let room = count - self.keys.targets.len();
        self.out.append_rest(*self.node, self.rest, room, &mut self.keys.targets)
    }

    /// Appends neighbours with their ranks, one by one.
    fn append_steps(&mut self, count: usize) -> bool {
        while self.keys.targets.len() < count {
            let Some((target, at)) = self.out.step(*self.node, self.rest) else { return false };
            self.keys.targets.push(target);
            self.keys.owners.push(u32::try_from(at.number()).unwrap_or(u32::MAX));
        }
        true
    }

    /// Damaged sizes of subtrees could imply far more edges than the label has: then the reader records the
    /// damage, and ends.
    fn refuse_more_edges(&mut self) {
        if *self.edges > self.out.edge_count() {
            self.out.note_damage(*self.node);
            self.keys.clear();
            *self.node = self.nodes;
        }
    }
}
