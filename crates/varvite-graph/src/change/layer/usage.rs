//! Finds out whether a remaining element refers to a dropped node, by an edge of another label or by a value
//! of another property.
//!
//! Columns that were written before the dropped nodes existed can't refer to these nodes and are not read. In
//! later columns, the lists of the dropped nodes and all reference values are read.

use varvite_format::{EdgeLabelId, NodeSet, Owner};
use varvite_store::Pinned;

use super::super::base::{BaseEdges, Reader};
use super::super::change_set::ChangeSet;
use super::super::sorted::contains;
use super::extent::Extent;
use crate::change_error::ChangeError;
use crate::cursor::adjacency::Direction;
use crate::cursor::value::ValueType;
use crate::error::Result;
use crate::layer_use::LayerUse;

/// A remaining element that refers to a node of `extent`, if there is one.
pub(super) fn usage(
    extent: &Extent,
    changes: &ChangeSet,
    reader: Reader<'_>,
) -> Result<Option<LayerUse>, ChangeError> {
    let Some((first, last)) = extent.ends() else { return Ok(None) };
    let usage = Usage { extent, changes, reader, first, last };
    for label in reader.graph.edge_label_ids().filter(|label| !extent.edge_labels.goes(label.index())) {
        if let Some(node) = usage.node_with_edge(label)? {
            let edge_label = reader.graph.edge_labels()[label.index()].name.clone();
            return Ok(Some(LayerUse::Edges { edge_label, node }));
        }
    }
    for (id, info) in reader.graph.property_ids().zip(reader.graph.properties()) {
        if extent.properties.goes(id.index()) || info.value_type != ValueType::Ref {
            continue;
        }
        if let Some((owner, node)) = usage.reference(id)? {
            let (property, edge_label) = (info.name.clone(), info.edge_label.clone());
            return Ok(Some(LayerUse::Value { property, edge_label, owner, node }));
        }
    }
    Ok(None)
}

struct Usage<'a> {
    extent: &'a Extent,
    changes: &'a ChangeSet,
    reader: Reader<'a>,
    first: u32,
    last: u32,
}

impl Usage<'_> {
    fn goes(&self, node: u32) -> bool {
        contains(&self.extent.nodes, node)
    }

    /// A dropped node that has an edge with this label.
    fn node_with_edge(&self, label: EdgeLabelId) -> Result<Option<u32>, ChangeError> {
        if let Some(changed) = self.changes.edges.get(&label) {
            let mut found = None;
            changed.ends.for_each(|number, source, target| {
                if found.is_none() && !changed.removed.contains(changed.first + number) {
                    found = [source, target].into_iter().find(|node| self.goes(*node));
                }
                Ok(())
            })?;
            if found.is_some() {
                return Ok(found);
            }
        }
        let directory = self.reader.graph.store().directory();
        let row = &directory.edge_labels[label.index()];
        if row.edges == 0 || directory.nodes_of_layer(row.layer) <= self.first {
            return Ok(None);
        }
        let owners: [Option<NodeSet<Pinned>>; 2] = match self.reader.edges(label)? {
            BaseEdges::Lists { out, in_ } => [out, in_].map(|lists| Some(lists.into_owners())),
            BaseEdges::Forest(_) => [None, None],
        };
        for (direction, owners) in [Direction::Out, Direction::In].into_iter().zip(owners) {
            let adjacency = self.reader.graph.adjacency(label, direction)?;
            let has_edge = |node: &u32| adjacency.first(*node).is_some();
            let found = match &owners {
                None => self.extent.nodes.iter().copied().find(has_edge),
                Some(owners) => {
                    let near = owners.iter_from(self.first).take_while(|node| *node <= self.last);
                    near.filter(|node| self.goes(*node)).find(has_edge)
                }
            };
            if found.is_some() {
                return Ok(found);
            }
        }
        self.reader.graph.check()?;
        Ok(None)
    }

    /// A remaining owner of a value of a reference property, and the dropped node that the value refers to.
    fn reference(&self, id: varvite_format::PropertyId) -> Result<Option<(u32, u32)>, ChangeError> {
        let directory = self.reader.graph.store().directory();
        let row = &directory.properties[id.index()];
        // The values of a dropped node are dropped too.
        let owner_goes = |owner: u32| row.owner == Owner::Node && self.goes(owner);
        let node = |value: i64| u32::try_from(value).ok().filter(|node| self.goes(*node));
        if directory.nodes_of_layer(row.layer) <= self.first {
            let Some(changed) = self.changes.properties.get(&id) else { return Ok(None) };
            let mut lists = changed.lists().filter(|(owner, _)| !owner_goes(*owner));
            return Ok(lists.find_map(|(owner, values)| {
                values.iter().find_map(|value| node(*value)).map(|node| (owner, node))
            }));
        }
        let (property, mut found) = (self.reader.graph.property_at(id)?, None);
        property.for_each(|owner, value| {
            if found.is_none() && !owner_goes(owner) {
                found = node(value).map(|node| (owner, node));
            }
        });
        self.reader.graph.check()?;
        Ok(found)
    }
}
