//! [`DirectedEdges`]: the edges of one label that a walk follows in one direction.

use std::sync::Arc;

use varvite_format::EdgeLabelId;

use varvite_graph::{Adjacency, Direction, Graph, Ranks, Result};

/// The edges of one label in one direction, to nodes with some label sets.
#[derive(Clone, Debug)]
pub(super) struct DirectedEdges {
    pub(super) edge_label: EdgeLabelId,
    pub(super) direction: Direction,
    pub(super) adjacency: Adjacency,
    /// The ranks of edges, if the walk identifies edges.
    pub(super) ranks: Option<EdgeRanks>,
    /// For each label set, whether edges to its nodes are followed; `None` if all edges are followed.
    pub(super) targets: Option<Arc<[bool]>>,
    /// For a way of in-edges, if another way follows the same edges out: the label sets for which that way
    /// already follows an edge from a node to itself.
    pub(super) met_out: Option<MetOut>,
}

/// The label sets to which the way of out-edges leads; `None` for all label sets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct MetOut(pub(super) Option<Arc<[bool]>>);

impl DirectedEdges {
    pub(super) fn open(graph: &Graph, edge_label: EdgeLabelId, direction: Direction) -> Result<Self> {
        let adjacency = graph.adjacency(edge_label, direction)?;
        Ok(Self { edge_label, direction, adjacency, ranks: None, targets: None, met_out: None })
    }

    /// Whether an edge from a node to itself is followed along this way. It is not if the way of out-edges
    /// follows it.
    #[inline]
    pub(super) fn follows_loop_of(&self, code: Option<u32>) -> bool {
        let Some(MetOut(targets)) = &self.met_out else { return true };
        let Some(targets) = targets else { return false };
        code.is_none_or(|code| targets.get(code as usize) != Some(&true))
    }

    /// Whether edges to nodes with a label set are followed.
    #[inline]
    pub(super) fn leads_to(&self, code: u32) -> bool {
        self.targets.as_ref().is_none_or(|targets| targets.get(code as usize) == Some(&true))
    }
}

/// The rank of each list entry's edge.
#[derive(Clone, Debug)]
pub(super) enum EdgeRanks {
    Known(Box<Ranks>),
    /// For in-lists of a label without a column of places (an edge's number in its source's out-list). If a
    /// source occurs several times in the list of a target, its k-th entry belongs to the k-th edge to this
    /// target in the source's out-list.
    Paired(Box<PairedLists>),
}

/// The in-lists of a label, and the ranks of its out-lists.
#[derive(Clone, Debug)]
pub(super) struct PairedLists {
    pub(super) in_: Adjacency,
    out: Ranks,
}

impl EdgeRanks {
    pub(super) fn open(graph: &Graph, edge_label: EdgeLabelId, direction: Direction) -> Result<Self> {
        if let Some(ranks) = graph.ranks(edge_label, direction)? {
            return Ok(Self::Known(Box::new(ranks)));
        }
        let out = graph.ranks(edge_label, Direction::Out)?;
        let out = out.ok_or_else(|| graph.missing("adjacency", "out-lists"))?;
        let in_ = graph.adjacency(edge_label, Direction::In)?;
        Ok(Self::Paired(Box::new(PairedLists { in_, out })))
    }

    /// Calls `visit` with the neighbours of a node and the ranks of their edges, until `visit` fails.
    ///
    /// Paired entries cost a read of the out-lists of all neighbours; `sorted` is memory for these entries.
    pub(super) fn try_each<E>(
        &self,
        node: u32,
        sorted: &mut PairedEntries,
        mut visit: impl FnMut(u32, u32) -> std::result::Result<(), E>,
    ) -> std::result::Result<(), E> {
        match self {
            Self::Known(ranks) => ranks.of(node).try_for_each(|(neighbor, rank)| visit(neighbor, rank)),
            Self::Paired(lists) => {
                sorted.pair(lists, node);
                sorted.by_place.iter().try_for_each(|(_, source, rank)| visit(*source, *rank))
            }
        }
    }
}

/// Entries of one in-list that are paired with entries of out-lists.
#[derive(Debug, Default)]
pub(super) struct PairedEntries {
    /// For each entry, its position in the list, its source, and the rank of its edge.
    by_place: Vec<(u32, u32, u32)>,
}

impl PairedEntries {
    /// Bytes of memory that a list of `entries` entries takes.
    pub(super) fn bytes(entries: usize) -> usize {
        entries * size_of::<(u32, u32, u32)>()
    }

    fn pair(&mut self, PairedLists { in_, out }: &PairedLists, node: u32) {
        let entries = &mut self.by_place;
        entries.clear();
        entries.extend((0..).zip(in_.neighbors(node)).map(|(place, source)| (place, source, u32::MAX)));
        entries.sort_unstable_by_key(|(place, source, _)| (*source, *place));
        for of_source in entries.chunk_by_mut(|(_, one, _), (_, other, _)| one == other) {
            let ranks = out.of(of_source[0].1).filter(|(target, _)| *target == node);
            of_source.iter_mut().zip(ranks).for_each(|(entry, (_, rank))| entry.2 = rank);
        }
        // If an in-entry has no out-entry of the same edge, the lists contradict each other.
        if entries.iter().any(|(.., rank)| *rank == u32::MAX) {
            in_.note_damage(node);
            entries.retain(|(.., rank)| *rank != u32::MAX);
        }
        entries.sort_unstable_by_key(|(place, ..)| *place);
    }
}
