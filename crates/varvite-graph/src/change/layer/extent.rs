//! [`Extent`]: the labels, edge labels and properties of some layers, and their removal from the directory.

use varvite_format::{Directory, EdgeLabelId, Owner, PropertyId};

use super::super::change_set::ChangeSet;
use crate::change_error::ChangeError;
use crate::error::Result;
use crate::graph::Graph;

/// The labels, edge labels and properties of some layers.
pub(super) struct Extent {
    pub(super) layers: Staying,
    pub(super) labels: Staying,
    pub(super) edge_labels: Staying,
    /// The properties of the layers, and the properties of the removed edge labels.
    pub(super) properties: Staying,
    /// The nodes of the layers, which are the nodes with labels of these layers, in ascending order.
    pub(super) nodes: Vec<u32>,
}

/// The remaining rows of a table, with their new numbers.
pub(super) struct Staying {
    /// The new number of each row; `None` if the row is removed.
    numbers: Vec<Option<u32>>,
}

impl Staying {
    fn of(stay: impl Iterator<Item = bool>) -> Self {
        let mut next = 0..;
        Self { numbers: stay.map(|stays| if stays { next.next() } else { None }).collect() }
    }

    /// The new number of the row with the number `old`; `None` if the row is removed.
    pub(super) fn number(&self, old: usize) -> Option<u32> {
        self.numbers.get(old).copied().flatten()
    }

    pub(super) fn goes(&self, old: usize) -> bool {
        self.number(old).is_none()
    }

    /// Keeps only the remaining rows of a table.
    fn keep<T>(&self, rows: &mut Vec<T>) {
        let mut numbers = self.numbers.iter();
        rows.retain(|_| numbers.next().is_some_and(Option::is_some));
    }
}

impl Extent {
    /// The extent of the layers with these names; unknown names are ignored. `None` if there is no such
    /// layer.
    pub(super) fn of(graph: &Graph, names: &[&str]) -> Result<Option<Self>, ChangeError> {
        let directory = graph.store().directory();
        let goes = |layer: usize| names.contains(&graph.layers()[layer].name.as_str());
        let layers = Staying::of((0..directory.layers.len()).map(|layer| !goes(layer)));
        let stays = |layer: u32| !layers.goes(layer as usize);
        let labels = Staying::of(directory.labels.iter().map(|row| stays(row.layer)));
        let edge_labels = Staying::of(directory.edge_labels.iter().map(|row| stays(row.layer)));
        let properties = Staying::of(directory.properties.iter().map(|row| {
            let owner_stays = match row.owner {
                Owner::Node => true,
                Owner::Edge(label) => !edge_labels.goes(label.index()),
            };
            owner_stays && stays(row.layer)
        }));
        let mut extent = Self { layers, labels, edge_labels, properties, nodes: Vec::new() };
        if !(0..directory.layers.len()).any(|layer| extent.layers.goes(layer)) {
            return Ok(None);
        }
        extent.check_apart(graph)?;
        for label in graph.label_ids().filter(|label| extent.labels.goes(label.index())) {
            extent.nodes.extend(graph.nodes_of(label)?.iter());
        }
        graph.check()?;
        extent.nodes.sort_unstable();
        extent.nodes.dedup();
        Ok(Some(extent))
    }

    /// Checks that the layers can be dropped: a layer with labels or edge labels must have been added as one
    /// that can be dropped.
    fn check_apart(&self, graph: &Graph) -> Result<(), ChangeError> {
        let directory = graph.store().directory();
        let of_labels = directory.labels.iter().map(|row| row.layer);
        let mut layers = of_labels.chain(directory.edge_labels.iter().map(|row| row.layer));
        let is_part = |layer: &u32| {
            self.layers.goes(*layer as usize) && directory.layers[*layer as usize].nodes.is_none()
        };
        match layers.find(is_part) {
            None => Ok(()),
            Some(layer) => {
                Err(ChangeError::LayerOfMore { name: graph.layers()[layer as usize].name.clone() })
            }
        }
    }

    /// The first and the last node of the layers.
    pub(super) fn ends(&self) -> Option<(u32, u32)> {
        self.nodes.first().copied().zip(self.nodes.last().copied())
    }

    /// Removes the rows of the extent from a directory.
    pub(super) fn take_out(&self, directory: &mut Directory) {
        let words = directory.mask_words();
        self.labels.keep(&mut directory.labels);
        let wide = std::mem::take(&mut directory.label_sets);
        let new_words = directory.mask_words();
        for mask in wide.chunks_exact(words) {
            let first = directory.label_sets.len();
            directory.label_sets.resize(first + new_words, 0);
            let new = &mut directory.label_sets[first..];
            let staying =
                varvite_format::members(mask).filter_map(|label| self.labels.number(label as usize));
            staying.for_each(|label| new[label as usize / 64] |= 1 << (label % 64));
        }
        self.edge_labels.keep(&mut directory.edge_labels);
        self.properties.keep(&mut directory.properties);
        for row in &mut directory.properties {
            if let Owner::Edge(label) = &mut row.owner {
                *label = self.edge_label(*label).expect("a property of edges that go goes with them");
            }
        }
        directory.text_indexes.retain_mut(|row| {
            let number = self.property(row.property);
            row.property = number.unwrap_or(row.property);
            number.is_some()
        });
        directory.tree_label = directory.tree_label.and_then(|label| self.edge_label(label));
        if directory.tree_label.is_none() {
            (directory.subtree, directory.parents) = (None, None);
        }
        self.layers.keep(&mut directory.layers);
        let layers = directory.labels.iter_mut().map(|row| &mut row.layer);
        let layers = layers.chain(directory.edge_labels.iter_mut().map(|row| &mut row.layer));
        let layers = layers.chain(directory.properties.iter_mut().map(|row| &mut row.layer));
        layers.for_each(|layer| *layer = self.layers.number(*layer as usize).unwrap_or(*layer));
    }

    /// Removes the changes to dropped labels and properties from a change set.
    pub(super) fn take_out_changes(&self, changes: &mut ChangeSet) {
        let edges = std::mem::take(&mut changes.edges).into_iter();
        changes.edges =
            edges.filter_map(|(label, changed)| Some((self.edge_label(label)?, changed))).collect();
        let properties = std::mem::take(&mut changes.properties).into_iter();
        changes.properties =
            properties.filter_map(|(property, changed)| Some((self.property(property)?, changed))).collect();
    }

    fn edge_label(&self, old: EdgeLabelId) -> Option<EdgeLabelId> {
        self.edge_labels.number(old.index()).map(EdgeLabelId)
    }

    fn property(&self, old: PropertyId) -> Option<PropertyId> {
        self.properties.number(old.index()).map(PropertyId)
    }
}
