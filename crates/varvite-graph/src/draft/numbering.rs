//! [`Numbering`]: the ids that nodes get in the file.

use crate::budget::Budget;
use crate::budget::Reserved;
use crate::change::Ends;
use crate::change_error::ChangeError;
use crate::error::Result;
use crate::write::order::NodeOrder;

/// The ids of nodes, indexed by their numbers in the draft.
#[derive(Debug)]
pub(super) struct Numbering {
    /// The new ids; `None` if ids equal the numbers in the draft.
    new_of_old: Option<Vec<u32>>,
    /// The parent of each node, by id; `NodeOrder::NONE` if it has none. Empty without a tree label.
    parents: Vec<u32>,
    nodes: u32,
    _room: Reserved,
}

/// Bytes that the numbering takes for each node while ids are computed: for the lists, the maps between old
/// and new ids, and the parents.
const NODE: usize = 24;
/// Bytes that the numbering takes for each edge of the tree label.
const EDGE: usize = 4;

impl Numbering {
    /// A numbering in which ids equal the numbers in the draft.
    pub(super) fn as_read(nodes: u32, budget: &Budget) -> Self {
        Self { new_of_old: None, parents: Vec::new(), nodes, _room: Reserved::nothing_of(budget) }
    }

    /// A numbering in pre-order along the edges of the tree label.
    pub(super) fn pre_order(nodes: u32, tree: &Ends, budget: &Budget) -> Result<Self, ChangeError> {
        let mut room = Reserved::nothing_of(budget);
        room.take(nodes as usize * NODE + tree.len() as usize * EDGE)?;
        let (offsets, targets) = lists(nodes, tree)?;
        let NodeOrder { new_of_old, old_of_new } = NodeOrder::pre_order(&offsets, &targets, |_| false)?;
        let mut parents = vec![NodeOrder::NONE; nodes as usize];
        for (id, old) in (0..).zip(&old_of_new) {
            let list = offsets[*old as usize] as usize..offsets[*old as usize + 1] as usize;
            targets[list].iter().for_each(|child| parents[new_of_old[*child as usize] as usize] = id);
        }
        Ok(Self { new_of_old: Some(new_of_old), parents, nodes, _room: room })
    }

    /// Whether ids equal the numbers in the draft.
    pub(super) fn is_as_read(&self) -> bool {
        self.new_of_old.is_none()
    }

    /// The number of nodes.
    pub(super) fn nodes(&self) -> u32 {
        self.nodes
    }

    /// The id of a node.
    #[inline]
    pub(super) fn id(&self, old: u32) -> u32 {
        self.new_of_old.as_ref().map_or(old, |new_of_old| new_of_old[old as usize])
    }

    /// The parent of each node, by id; empty without a tree label.
    pub(super) fn parents(&self) -> &[u32] {
        &self.parents
    }

    /// Reorders values of nodes from the order of the draft to the order of ids.
    pub(super) fn in_order(&self, of_old: &[u32]) -> Vec<u32> {
        let Some(new_of_old) = &self.new_of_old else { return of_old.to_vec() };
        let mut of_new = vec![0; of_old.len()];
        of_old.iter().zip(new_of_old).for_each(|(value, new)| of_new[*new as usize] = *value);
        of_new
    }
}

/// The out-lists of `edges`, with nodes given by their numbers in the draft.
fn lists(nodes: u32, edges: &Ends) -> Result<(Vec<u32>, Vec<u32>), ChangeError> {
    let mut lengths = vec![0u32; nodes as usize];
    edges.for_each(|_, source, _| {
        lengths[source as usize] += 1;
        Ok(())
    })?;
    let offsets = offsets_of(&lengths);
    let (mut next, mut targets) = (lengths, vec![0; edges.len() as usize]);
    next.copy_from_slice(&offsets[..nodes as usize]);
    edges.for_each(|_, source, target| {
        let at = &mut next[source as usize];
        targets[*at as usize] = target;
        *at += 1;
        Ok(())
    })?;
    Ok((offsets, targets))
}

/// The start of each list, followed by the end of the last list, computed from the lengths of the lists.
pub(super) fn offsets_of(lengths: &[u32]) -> Vec<u32> {
    let mut end = 0;
    let ends = lengths.iter().map(|length| {
        end += length;
        end
    });
    std::iter::once(0).chain(ends).collect()
}
