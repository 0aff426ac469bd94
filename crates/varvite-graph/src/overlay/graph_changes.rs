//! [`GraphChanges`]: lists, computed from the changes of a graph, that many of its readers need. Each list is
//! made on first use.
//!
//! The file stores neither the removed members of each set of the base, nor the appended nodes of each label.
//! Lists of these nodes take four bytes for each node in them. The lists are kept until
//! [`Graph::release`](crate::Graph::release) is called while no reader holds them.

use std::sync::Arc;

use varvite_format::{Directory, EdgeLabelId, PropertyId};
use varvite_store::Charge;

use crate::cursor::adjacency::{Direction, Touched};
use crate::cursor::member_change::MemberChange;
use crate::cursor::property::PropertyChange;
use crate::error::Result;
use crate::overlay::grown_tree::GrownTree;
use crate::overlay::index_change::IndexChange;
use crate::overlay::lazy::Lazy;

/// The lists made from the changes of an open graph.
#[derive(Debug)]
pub(crate) struct GraphChanges {
    /// The appended nodes, grouped by label set.
    pub(crate) appended: Lazy<Appended>,
    /// For each label, the change of its set of nodes.
    pub(crate) labels: Box<[Lazy<MemberChange>]>,
    /// For each property, the change of its values.
    pub(crate) properties: Box<[Lazy<PropertyChange>]>,
    /// For each property, the change of its text index.
    text_indexes: Box<[Lazy<IndexChange>]>,
    /// For each edge label and direction, the nodes with changed edges.
    touched: Box<[[Lazy<Touched>; 2]]>,
    /// The nodes that were removed, as a change of the set of all nodes.
    pub(crate) living: Lazy<MemberChange>,
    /// The appended nodes of the tree; `None` if the tree has other changes.
    pub(crate) grown: Lazy<Option<Arc<GrownTree>>>,
}

/// The appended nodes, grouped by label set.
#[derive(Debug)]
pub(crate) struct Appended {
    /// For each label set, the start of its nodes in `nodes`; the last entry is the end of the last group.
    pub(crate) starts: Vec<usize>,
    pub(crate) nodes: Vec<u32>,
    pub(crate) _charge: Charge,
}

impl GraphChanges {
    /// Places for the lists of a directory's changes; each list is made later, on first use. `None` if the
    /// directory has no changes.
    pub(crate) fn of(directory: &Directory) -> Option<Box<Self>> {
        directory.changes.as_ref()?;
        Some(Box::new(Self {
            appended: Lazy::default(),
            labels: directory.labels.iter().map(|_| Lazy::default()).collect(),
            properties: directory.properties.iter().map(|_| Lazy::default()).collect(),
            text_indexes: directory.properties.iter().map(|_| Lazy::default()).collect(),
            touched: directory.edge_labels.iter().map(|_| Default::default()).collect(),
            living: Lazy::default(),
            grown: Lazy::default(),
        }))
    }

    /// The change of a property's values, made by `make` on first use; `None` if no value changed.
    pub(crate) fn property(
        &self,
        id: PropertyId,
        make: impl FnOnce() -> Result<PropertyChange>,
    ) -> Result<Option<Arc<PropertyChange>>> {
        let Some(known) = self.properties.get(id.index()) else { return Ok(None) };
        Ok(Some(known.get(make)?).filter(|change| !change.is_empty()))
    }

    /// The change of a property's text index, made by `make` on first use.
    pub(crate) fn text_index(
        &self,
        id: PropertyId,
        make: impl FnOnce() -> Result<IndexChange>,
    ) -> Result<Option<Arc<IndexChange>>> {
        self.text_indexes.get(id.index()).map(|known| known.get(make)).transpose()
    }

    /// The nodes with changed edges of a label in one direction, to be made on first use.
    pub(crate) fn touched(&self, label: EdgeLabelId, direction: Direction) -> Option<&Lazy<Touched>> {
        Some(&self.touched.get(label.index())?[direction as usize])
    }

    /// Drops the lists that no reader holds.
    pub(crate) fn release(&self) {
        self.grown.release();
        self.properties.iter().for_each(Lazy::release);
        self.text_indexes.iter().for_each(Lazy::release);
        self.touched.iter().flatten().for_each(Lazy::release);
        self.labels.iter().for_each(Lazy::release);
        self.appended.release();
        self.living.release();
    }
}

impl Appended {
    pub(crate) fn of_code(&self, code: u32) -> &[u32] {
        let start = self.starts.get(code as usize).copied().unwrap_or(0);
        let end = self.starts.get(code as usize + 1).copied().unwrap_or(start);
        self.nodes.get(start..end).unwrap_or(&[])
    }
}
