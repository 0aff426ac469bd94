//! Adds nodes and edges: new nodes get the ids after those of all existing nodes, and new edges get the ranks
//! after those of the existing edges of their label.

use std::collections::{BTreeMap, HashMap};

use varvite_format::{EdgeLabelId, LabelId};

use super::base::Reader;
use super::change_set::ChangeSet;
use super::diff::Diff;
use super::element::{NewNode, NodeRef};
use super::new_ranks::{LEFT_OUT, NewRanks};
use super::operation::{Kind, Name, Operation};
use super::refusal::ChangeResult;
use super::removal::{Removals, check_node};
use super::schema::Schema;
use crate::change_error::ChangeError;
use crate::change_fault::ChangeFault;
use crate::error::Result;

/// The maximum number of nodes in a graph, and of edges with one label. The exclusive end of the range of
/// numbers must also fit in 32 bits.
pub(super) const IDS_MAX: u32 = u32::MAX - 1;

/// The ids and ranks of a diff's new nodes and edges.
#[derive(Debug, Default)]
pub(super) struct Numbers {
    /// The id of the first new node.
    pub(super) first_node: u32,
    /// The number of new nodes.
    pub(super) nodes: u32,
    /// The label of each new edge, and its rank or [`LEFT_OUT`].
    pub(super) ranks: NewRanks,
}

impl Numbers {
    /// The id of a node. Existing nodes have lower ids than the nodes that the diff adds.
    pub(super) fn node(&self, node: NodeRef) -> ChangeResult<u32> {
        match node {
            NodeRef::Node(node) if node < self.first_node => Ok(node),
            NodeRef::Node(node) => Err(ChangeFault::NoSuchNode { node, nodes: self.first_node }),
            NodeRef::New(NewNode(number)) if number < self.nodes => Ok(self.first_node + number),
            NodeRef::New(NewNode(number)) => Err(ChangeFault::NoSuchNew { number, count: self.nodes }),
        }
    }
}

/// Adds the nodes of a diff.
pub(super) fn add_nodes(
    diff: &Diff,
    changes: &mut ChangeSet,
    schema: &mut Schema<'_>,
) -> Result<Numbers, ChangeError> {
    let first_node = changes.nodes();
    let mut sets: HashMap<Vec<Name>, u32> = HashMap::new();
    let mut masks = Masks::default();
    diff.for_each(&[Kind::AddNode], |number, operation, _| {
        let Operation::AddNode { labels } = operation else { return Ok::<(), ChangeError>(()) };
        let error = |fault| ChangeError::Operation { operation: number, fault };
        if changes.nodes() >= IDS_MAX {
            Err(error(ChangeFault::TooMany { what: "nodes", most: IDS_MAX.into() }))?;
        }
        let code = match sets.get(labels) {
            Some(known) => *known,
            None => {
                let code = masks.code(labels, schema).map_err(error)?;
                sets.insert(labels.to_vec(), code);
                code
            }
        };
        Ok(changes.codes.push(code)?)
    })?;
    let nodes = changes.nodes() - first_node;
    Ok(Numbers { first_node, nodes, ..Numbers::default() })
}

/// The codes of label sets that the graph does not have yet.
#[derive(Default)]
struct Masks {
    /// The code of each label set; the label ids of a set ascend.
    codes: HashMap<Vec<LabelId>, u32>,
}

impl Masks {
    fn code(&mut self, labels: &[Name], schema: &mut Schema<'_>) -> ChangeResult<u32> {
        let mut set = labels.iter().map(|label| schema.label(*label)).collect::<ChangeResult<Vec<_>>>()?;
        set.sort_unstable();
        set.dedup();
        schema.check_layers_of(&set)?;
        if let Some(known) = schema.code_of(&set) {
            return Ok(known);
        }
        let next = schema.label_set_count() + self.codes.len() as u32;
        Ok(*self.codes.entry(set).or_insert_with_key(|set| {
            schema.additions.label_sets.push(set.clone());
            next
        }))
    }
}

/// Adds the edges of a diff, except edges to or from nodes that the diff removes.
pub(super) fn add_edges(
    diff: &Diff,
    changes: &mut ChangeSet,
    schema: &Schema<'_>,
    removals: &Removals,
    numbers: &mut Numbers,
    reader: Reader<'_>,
) -> Result<(), ChangeError> {
    let mut counts: BTreeMap<EdgeLabelId, u32> = BTreeMap::new();
    diff.for_each(&[Kind::AddEdge], |_, operation, _| {
        if let Operation::AddEdge { label, .. } = operation
            && let Ok(label) = schema.edge_label(label)
        {
            *counts.entry(label).or_default() += 1;
        }
        Ok::<(), ChangeError>(())
    })?;
    for (label, count) in counts {
        changes.edge_changes(label, reader)?.ends.reserve(count);
    }
    diff.for_each(&[Kind::AddEdge], |number, operation, _| {
        let Operation::AddEdge { label, from, to } = operation else { return Ok::<(), ChangeError>(()) };
        let error = |fault| ChangeError::Operation { operation: number, fault };
        let label = schema.edge_label(label).map_err(error)?;
        let mut are_left_out = false;
        let mut ends = [0; 2];
        for (end, node) in ends.iter_mut().zip([from, to]) {
            *end = numbers.node(node).map_err(error)?;
            match check_node(*end, changes) {
                Ok(()) => {}
                Err(_) if removals.nodes.contains(*end) => are_left_out = true,
                Err(fault) => Err(error(fault))?,
            }
        }
        if are_left_out {
            numbers.ranks.push(label, LEFT_OUT);
            return Ok(());
        }
        let changed = changes.edge_changes(label, reader)?;
        let rank = u64::from(changed.first) + u64::from(changed.ends.len());
        if rank >= u64::from(IDS_MAX) {
            Err(error(ChangeFault::TooMany { what: "edges", most: IDS_MAX.into() }))?;
        }
        changed.ends.push(ends[0], ends[1])?;
        numbers.ranks.push(label, rank as u32);
        Ok(())
    })?;
    // Drops labels without a change: all their new edges were left out.
    changes.edges.retain(|_, changed| !changed.ends.is_empty() || !changed.removed.is_empty());
    Ok(())
}
