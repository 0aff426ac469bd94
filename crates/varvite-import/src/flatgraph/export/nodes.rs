//! [`Nodes`]: the number that each node has within its kind in a flatgraph file.

use varvite::cursor::Labels;
use varvite::{Graph, Label, LabelId, Task};
use varvite_format::{Fault, FormatError};
use varvite_store::Charge;

use super::error::ExportError;
use crate::flatgraph::{NodeKind, NodeRef};

/// Maps ids to nodes of the file and back.
pub(super) struct Nodes {
    kinds: Vec<NodeKind>,
    /// For each kind, the id of the node with each number; [`NOBODY`] if the node was deleted.
    ids: Vec<Vec<u32>>,
    /// For each id, the reference to the node in the file.
    refs: Vec<NodeRef>,
    _held: Charge,
}

const NOBODY: u32 = u32::MAX;
/// Largest number of kinds: flatgraph numbers kinds with signed 16-bit integers.
const KINDS_MAX: u64 = i16::MAX as u64;
/// Largest number of nodes of a kind. A column has one quantity more than the kind has nodes, and all its
/// quantities, at four bytes each, must fit in one Java array.
const NODES_MAX: u64 = i32::MAX as u64 / 4 - 1;

impl Nodes {
    /// Numbers the nodes of each label as in the file from which they were imported, or otherwise in the
    /// order of ids.
    pub(super) fn read(graph: &Graph, task: &Task<'_>) -> Result<Self, ExportError> {
        let labels = graph.labels();
        check_limit("node labels", labels.len() as u64, KINDS_MAX)?;
        let numbers: u64 = labels.iter().map(|label| u64::from(label.origin_count)).sum();
        let nodes = u64::from(graph.node_count());
        // The list of ids and the list of deleted nodes may each have an entry for every number. A node gets
        // a number even if `origin_count` of its label is zero.
        let bytes = nodes * size_of::<NodeRef>() as u64 + 2 * (numbers + nodes) * size_of::<u32>() as u64;
        let _held = graph.scratch(bytes)?;
        let refs = vec![NodeRef::NULL; nodes as usize];
        let mut nodes = Self { kinds: Vec::new(), ids: Vec::new(), refs, _held };
        let sets = graph.label_sets()?;
        for (label, kind) in labels.iter().zip(0..) {
            task.check()?;
            let ids = nodes.read_kind(graph, &sets, label, kind)?;
            let deletions =
                (0..).zip(&ids).filter(|(_, id)| **id == NOBODY).map(|(number, _)| number).collect();
            nodes.kinds.push(NodeKind::with_deletions(&label.name, ids.len() as u32, deletions));
            nodes.ids.push(ids);
        }
        match nodes.refs.iter().position(|node| node.is_null()) {
            Some(node) => Err(wrong_labels(graph, node as u32)),
            None => Ok(nodes),
        }
    }

    fn read_kind(
        &mut self,
        graph: &Graph,
        sets: &Labels,
        label: &Label,
        kind: u32,
    ) -> Result<Vec<u32>, ExportError> {
        let (members, origin) = (graph.nodes_of(LabelId(kind))?, graph.origin(LabelId(kind))?);
        let count = label.origin_count.max(members.len());
        check_limit(&format!("nodes of label {}", label.name), count.into(), NODES_MAX)?;
        let mut ids = vec![NOBODY; count as usize];
        for (rank, id) in (0..).zip(members.iter()) {
            let number = origin.as_ref().map_or(Some(rank), |origin| origin.number(rank));
            let free = number.and_then(|number| Some((number, ids.get_mut(number as usize)?)));
            let Some((number, owner)) = free.filter(|(_, owner)| **owner == NOBODY) else {
                return Err(wrong_number(graph, label, id));
            };
            *owner = id;
            // A code without a label set is damage, which the cursor records.
            if !sets.has(id, LabelId(kind)) {
                return Err(wrong_labels(graph, id));
            }
            match self.refs.get_mut(id as usize) {
                Some(node) if node.is_null() => *node = NodeRef::new(kind, number),
                _ => return Err(wrong_labels(graph, id)),
            }
        }
        Ok(ids)
    }

    pub(super) fn kinds(&self) -> &[NodeKind] {
        &self.kinds
    }

    /// The kinds, each with the ids of its nodes in the order of their numbers; `None` for a deleted node.
    pub(super) fn by_kind(
        &self,
    ) -> impl Iterator<Item = (&NodeKind, impl Iterator<Item = Option<u32>> + '_)> {
        let node = |id: &u32| (*id != NOBODY).then_some(*id);
        self.kinds.iter().zip(self.ids.iter().map(move |ids| ids.iter().map(node)))
    }

    /// The reference to a node in the file.
    #[inline]
    pub(super) fn node_ref(&self, id: u32) -> Option<NodeRef> {
        self.refs.get(id as usize).copied()
    }
}

fn check_limit(what: &str, found: u64, limit: u64) -> Result<(), ExportError> {
    if found > limit {
        return Err(ExportError::TooLarge { what: what.to_owned(), found, limit });
    }
    Ok(())
}

fn wrong_labels(graph: &Graph, node: u32) -> ExportError {
    let names = |labels: Labels| {
        let names = labels.of(node).filter_map(|label| graph.labels().get(label.0 as usize));
        names.map(|label| label.name.clone()).collect()
    };
    match graph.label_sets() {
        Ok(labels) => ExportError::Labels { node, labels: names(labels) },
        Err(error) => error.into(),
    }
}

fn wrong_number(graph: &Graph, label: &Label, node: u32) -> ExportError {
    let part = format!("origin of label {}", label.name);
    graph.store().damaged(FormatError::damaged(part, Fault::Impossible { owner: node })).into()
}
