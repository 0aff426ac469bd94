//! [`PreparedEdges`]: all columns of an edge label, for a new graph or one that is written anew.

use varvite_format::EdgeLabelId;

use super::{
    EdgeLabelSpec, GraphWriter, PreparedAdjacency, PreparedForest, PreparedPlaces, PreparedProperty,
    PropertySpec,
};
use crate::change_error::ChangeError;
use crate::error::Result;

/// The columns of the edges of a label and of their properties, ready to be written.
pub(crate) struct PreparedEdges {
    pub(crate) count: u64,
    pub(crate) is_tree: bool,
    pub(crate) out: Option<PreparedAdjacency>,
    pub(crate) in_: Option<PreparedAdjacency>,
    pub(crate) places: Option<PreparedPlaces>,
    pub(crate) forest: Option<PreparedForest>,
    pub(crate) properties: Vec<(PropertySpec, PreparedProperty)>,
}

impl PreparedEdges {
    /// Writes the columns. The label gets this number, name and layer.
    pub(crate) fn write(
        self,
        label: EdgeLabelId,
        (name, layer): (&str, u32),
        writer: &mut GraphWriter,
    ) -> Result<(), ChangeError> {
        let Self { count, is_tree, out, in_, places, forest, properties } = self;
        if is_tree {
            writer.set_tree_label(label);
        }
        if let Some(forest) = forest {
            writer.set_forest(forest, label)?;
        }
        writer.add_edge_label(EdgeLabelSpec { name, layer, edges: count, out, in_, places })?;
        properties.into_iter().try_for_each(|(spec, columns)| writer.add_property(&spec, columns))
    }
}
