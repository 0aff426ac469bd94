//! [`Exported`]: the part of a graph that an export writes.

use varvite::{Graph, PropertyId, PropertyInfo};

/// The layers and properties that an export leaves out.
#[derive(Clone, Debug, Default)]
pub(crate) struct Exported {
    /// The names of layers of properties.
    pub(crate) without_layers: Vec<String>,
    /// The names of properties of nodes.
    pub(crate) without_properties: Vec<String>,
}

impl Exported {
    /// The properties to export, with their ids.
    pub(crate) fn properties(&self, graph: &Graph) -> Vec<(PropertyId, PropertyInfo)> {
        let layers: Vec<&str> = self.without_layers.iter().map(String::as_str).collect();
        let is_out =
            |info: &PropertyInfo| info.edge_label.is_none() && self.without_properties.contains(&info.name);
        let mut properties = graph.properties_without(&layers);
        properties.retain(|(_, info)| !is_out(info));
        properties
    }
}
