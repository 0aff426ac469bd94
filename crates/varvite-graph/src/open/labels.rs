//! Opens the nodes of labels, and label sets, in a graph with changes.
//!
//! Lists of appended nodes are made for each label. Before that, their total length is checked against the
//! length of the file.

use std::sync::Arc;

use varvite_format::{Changes, Claim, Excess, Fault, LabelId, NodeSet, SmallInts};
use varvite_store::{AccountId, Charge, MemoryState, Pinned};

use crate::cursor::label_change::LabelChange;
use crate::cursor::labels::{LabelNodes, Labels};
use crate::cursor::member_change::{Added, MemberChange};
use crate::error::Result;
use crate::graph::Graph;
use crate::overlay::graph_changes::{Appended, GraphChanges};

/// The largest total length of the lists of appended nodes of all labels, for each byte of the file.
const VALUES_OF_BYTE: u64 = 1024;

impl Graph {
    /// The changes in the directory, and the values computed from them on first use; `None` if the graph has
    /// no changes.
    pub(crate) fn changes(&self) -> Option<(&Changes, &GraphChanges)> {
        self.store().directory().changes.as_ref().zip(self.known_changes())
    }

    /// The number of nodes that were not removed.
    pub fn live_node_count(&self) -> u32 {
        let directory = self.store().directory();
        let removed = directory.changes.as_ref().and_then(|changes| changes.removed);
        let removed = removed.and_then(|column| directory.columns.get(column.index()));
        let removed = removed.map_or(0, |row| u32::try_from(row.count).unwrap_or(u32::MAX));
        self.node_count().saturating_sub(removed)
    }

    /// Whether a node was removed. The id of a removed node is not used again.
    ///
    /// # Errors
    /// [`GraphError::Store`](crate::GraphError::Store), if the column is damaged.
    pub fn is_removed(&self, node: u32) -> Result<bool> {
        Ok(self.removed_nodes()?.is_some_and(|removed| removed.contains(node)))
    }

    /// The set of removed nodes; `None` if no node was removed.
    #[doc(hidden)]
    #[inline]
    pub fn removed_nodes(&self) -> Result<Option<NodeSet<Pinned>>> {
        let column = self.store().directory().changes.as_ref().and_then(|changes| changes.removed);
        column.map(|column| self.set(column, self.node_count())).transpose()
    }

    /// The nodes that were not removed; `None` if no node was removed.
    #[doc(hidden)]
    pub fn living_nodes(&self) -> Result<Option<LabelNodes>> {
        let (Some((_, known)), Some(removed)) = (self.changes(), self.removed_nodes()?) else {
            return Ok(None);
        };
        if removed.is_empty() {
            return Ok(None);
        }
        let set = NodeSet::all(self.node_count());
        let change = known.living.get(|| {
            let (hidden, _charge) = self.list(u64::from(removed.len()), removed.iter())?;
            Ok(MemberChange { hidden, added: Added::List(Vec::new()), _charge })
        })?;
        Ok(Some(LabelNodes { set, change: Some(change) }))
    }

    /// `labels`, the label sets of the base, together with the label sets of appended and removed nodes.
    pub(crate) fn with_label_change(&self, labels: Labels) -> Result<Labels> {
        self.with_appended_labels(labels, self.removed_nodes()?)
    }

    /// The label sets that nodes had when they were added, before removals. A text index groups the nodes of
    /// the base by these label sets.
    pub(crate) fn label_sets_at_first(&self) -> Result<Labels> {
        self.with_appended_labels(self.base_label_sets()?, None)
    }

    fn with_appended_labels(&self, labels: Labels, removed: Option<NodeSet<Pinned>>) -> Result<Labels> {
        let Some((changes, _)) = self.changes() else { return Ok(labels) };
        let base_nodes = changes.base_nodes;
        let appended = (self.node_count() - base_nodes) as usize;
        if appended == 0 && removed.is_none() {
            return Ok(labels);
        }
        let codes = match appended {
            0 => None,
            _ => Some(SmallInts::new(self.ints(changes.codes, "appended labels", appended)?)),
        };
        let words = self.store().directory().mask_words();
        let is_empty = |mask: &[u64]| mask.iter().all(|word| *word == 0);
        let no_labels = self.masks().chunks(words).position(is_empty);
        let count = labels.code_count();
        let no_labels = no_labels.map_or(count, |code| code as u32);
        let limit = codes.as_ref().map_or_else(|| labels.limit_of(count), |codes| codes.limit(count));
        Ok(labels.with_change(LabelChange { base_nodes, codes, removed, no_labels, limit }))
    }

    /// The nodes that a label gained and lost since the base was written; `None` if its set of nodes did not
    /// change.
    pub(crate) fn label_change(
        &self,
        label: LabelId,
        base: &NodeSet<Pinned>,
    ) -> Result<Option<Arc<MemberChange>>> {
        let Some((changes, known)) = self.changes() else { return Ok(None) };
        let Some(known_label) = known.labels.get(label.index()) else { return Ok(None) };
        let change = known_label.get(|| {
            let hidden = self.common(base, &[self.removed_nodes()?])?;
            let appended = match self.node_count() - changes.base_nodes {
                0 => Vec::new(),
                _ => self.appended_with(label, &*self.appended(known)?)?,
            };
            let (added, mut _charge) = self.list(appended.len() as u64, appended)?;
            _charge.resize(_charge.bytes() + 4 * hidden.len() as u64);
            Ok(MemberChange { hidden, added: Added::List(added), _charge })
        })?;
        Ok(Some(change).filter(|change| !change.is_empty()))
    }

    /// The members of `base` that are in any of the sets `others`, ascending. Takes time in proportion to the
    /// number of members of `base`, or of all `others` together, whichever is less.
    pub(crate) fn common(
        &self,
        base: &NodeSet<Pinned>,
        others: &[Option<NodeSet<Pinned>>],
    ) -> Result<Vec<u32>> {
        let others: Vec<&NodeSet<Pinned>> = others.iter().flatten().collect();
        let sum: u64 = others.iter().map(|set| u64::from(set.len())).sum();
        let _scratch = self.scratch(4 * sum.min(base.len().into()))?;
        if u64::from(base.len()) < sum {
            let is_common = |member: &u32| others.iter().any(|set| set.contains(*member));
            return Ok(base.iter().filter(is_common).collect());
        }
        let of_others = others.iter().flat_map(|set| set.iter());
        let mut common: Vec<u32> = of_others.filter(|member| base.contains(*member)).collect();
        common.sort();
        common.dedup();
        Ok(common)
    }

    /// Makes a list of `len` ids, and charges its memory to the ledger.
    fn list(&self, len: u64, ids: impl IntoIterator<Item = u32>) -> Result<(Vec<u32>, Charge)> {
        let account = self.ledger().account(AccountId::ENGINE);
        let charge = self.store().charge(&account, MemoryState::Tables, 4 * len)?;
        let mut list = Vec::with_capacity(usize::try_from(len).unwrap_or(0));
        list.extend(ids);
        Ok((list, charge))
    }

    /// Charges the memory of a property's list of hidden owners to the ledger.
    pub(crate) fn charge_for(&self, hidden: &[u32]) -> Result<Charge> {
        let account = self.ledger().account(AccountId::ENGINE);
        Ok(self.store().charge(&account, MemoryState::Tables, size_of_val(hidden) as u64)?)
    }

    /// The appended nodes that have a label, ascending.
    fn appended_with(&self, label: LabelId, appended: &Appended) -> Result<Vec<u32>> {
        let labels = self.label_sets()?;
        let codes = (0..labels.code_count()).filter(|code| labels.code_has(*code, label));
        let mut nodes = Vec::new();
        for code in codes {
            nodes.extend_from_slice(appended.of_code(code));
        }
        // The list consists of ascending runs, which this sort merges.
        nodes.sort();
        Ok(nodes)
    }

    fn appended(&self, known: &GraphChanges) -> Result<Arc<Appended>> {
        known.appended.get(|| {
            let labels = self.label_sets()?;
            let base_nodes = self.store().directory().base_nodes();
            let nodes = base_nodes..self.node_count();
            let mut counts = Vec::new();
            labels.count_codes(nodes.clone(), &mut counts);
            self.check_lists_of_labels(&labels, &counts)?;
            let total: u64 = counts.iter().sum();
            let account = self.ledger().account(AccountId::ENGINE);
            let _charge = self.store().charge(&account, MemoryState::Tables, 4 * total)?;
            let mut starts = vec![0];
            starts.extend(counts.iter().scan(0, |sum, count| {
                *sum += *count as usize;
                Some(*sum)
            }));
            let (mut next, mut list) = (starts.clone(), vec![0; total as usize]);
            for node in nodes {
                let slot = labels.known_code(node).and_then(|code| next.get_mut(code as usize));
                // A mapped file may change between two scans; entries that no longer fit are left out.
                if let Some(slot) = slot
                    && let Some(place) = list.get_mut(*slot)
                {
                    *place = node;
                    *slot += 1;
                }
            }
            self.check()?;
            Ok(Appended { starts, nodes: list, _charge })
        })
    }

    /// Checks that the lists of appended nodes of all labels together are not too long for the length of the
    /// file.
    fn check_lists_of_labels(&self, labels: &Labels, counts: &[u64]) -> Result<()> {
        let of_code = |(code, count): (u32, &u64)| match count {
            0 => 0,
            _ => count.saturating_mul(labels.of_code(code).len() as u64),
        };
        let found = (0..).zip(counts).map(of_code).fold(0, u64::saturating_add);
        let file_len = self.store().file_len();
        let limit = file_len.saturating_mul(VALUES_OF_BYTE);
        if found <= limit {
            return Ok(());
        }
        let excess = Excess { claim: Claim::Values, found, limit, file_len };
        Err(self.damaged("labels of appended nodes", Fault::Excess(excess)))
    }
}
