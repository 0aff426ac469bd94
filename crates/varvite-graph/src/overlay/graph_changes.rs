//! Lists from the changes of an open graph that many readers need, each made on first use.
//!
//! The file has no set of removed nodes for each set of the base, and no sets by label of appended nodes.
//! Lists of both take four bytes for each node that has changed, and stay until the graph is released and no
//! reader holds them.

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

/// Lists of an open graph with changes.
#[derive(Debug)]
pub(crate) struct GraphChanges {
    /// Appended nodes by their label sets.
    pub(crate) appended: Lazy<Appended>,
    /// The changes of each label's nodes.
    pub(crate) labels: Box<[Lazy<MemberChange>]>,
    /// The same of properties.
    pub(crate) properties: Box<[Lazy<PropertyChange>]>,
    /// The same of their text indexes.
    text_indexes: Box<[Lazy<IndexChange>]>,
    /// The nodes with changed edges, of each edge label in both directions.
    touched: Box<[[Lazy<Touched>; 2]]>,
    /// The nodes that were not removed.
    pub(crate) living: Lazy<MemberChange>,
    /// The appended nodes of the tree, if it has no other changes.
    pub(crate) grown: Lazy<Option<Arc<GrownTree>>>,
}

/// Appended nodes, by their label sets.
#[derive(Debug)]
pub(crate) struct Appended {
    /// The start of each label set's nodes, and one more.
    pub(crate) starts: Vec<usize>,
    pub(crate) nodes: Vec<u32>,
    pub(crate) _charge: Charge,
}

impl GraphChanges {
    /// The changes of a directory, if it has any.
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

    /// The changes of a property; none if there are none.
    pub(crate) fn property(
        &self,
        id: PropertyId,
        make: impl FnOnce() -> Result<PropertyChange>,
    ) -> Result<Option<Arc<PropertyChange>>> {
        let Some(known) = self.properties.get(id.index()) else { return Ok(None) };
        Ok(Some(known.get(make)?).filter(|change| !change.is_empty()))
    }

    /// The changes of a property's text index.
    pub(crate) fn text_index(
        &self,
        id: PropertyId,
        make: impl FnOnce() -> Result<IndexChange>,
    ) -> Result<Option<Arc<IndexChange>>> {
        self.text_indexes.get(id.index()).map(|known| known.get(make)).transpose()
    }

    /// The nodes with changed edges of a label, in one direction.
    pub(crate) fn touched(&self, label: EdgeLabelId, direction: Direction) -> Option<&Lazy<Touched>> {
        Some(&self.touched.get(label.index())?[direction as usize])
    }

    /// Releases the parts that no reader holds.
    pub(crate) fn release(&self) {
        // It holds nodes with changed edges.
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
