//! The properties that get an index in an import, and the label sets that indexes need.

use std::collections::BTreeSet;

use varvite::GraphError;
use varvite::change::ChangeError;
use varvite::error::{NameKind, nearest};

use super::numbering::Numbering;
use crate::flatgraph::{ElementType, FlatgraphFile};

/// The properties that get an index, and the label sets of nodes.
#[derive(Debug, Default)]
pub(super) struct Indexes {
    names: BTreeSet<String>,
    /// The code of each node's label set; empty if there are no indexes.
    label_sets: Vec<u32>,
}

impl Indexes {
    /// Checks the names of the properties. An import, which may take long, calls this at its start.
    pub(super) fn check(file: &FlatgraphFile, wanted: &[String]) -> Result<Self, ChangeError> {
        let mut names = BTreeSet::new();
        for name in wanted {
            let columns = file.property_columns().iter();
            let elements =
                columns.filter(|column| *column.name == **name).map(|column| column.values.element());
            let elements: Vec<ElementType> = elements.collect();
            if elements.is_empty() {
                let known = file.property_columns().iter().map(|column| &*column.name);
                let nearest = nearest(name, known);
                return Err(
                    GraphError::Unknown { kind: NameKind::Property, name: name.clone(), nearest }.into()
                );
            }
            if let Some(other) = elements.iter().find(|element| **element != ElementType::String) {
                let name = name.clone();
                return Err(GraphError::WrongType { name, expected: "string", found: other.name() }.into());
            }
            if !names.insert(name.clone()) {
                return Err(ChangeError::HasIndex { name: name.clone() });
            }
        }
        Ok(Self { names, label_sets: Vec::new() })
    }

    /// Adds the label sets, once nodes have their ids.
    pub(super) fn with_label_sets(mut self, numbering: &Numbering) -> Self {
        if !self.names.is_empty() {
            self.label_sets = numbering.kinds_in_order().collect();
        }
        self
    }

    /// The code of each node's label set; `None` if the property gets no index.
    pub(super) fn label_sets_for(&self, property: &str) -> Option<&[u32]> {
        self.names.contains(property).then_some(&self.label_sets[..])
    }
}
