//! The schema of a graph, and its sizes.

use pyo3::prelude::*;

use super::open::Graph;

/// A property: its name, the label of the edges that have it, the name of its type, whether it is a list, its
/// default, and the name of its layer.
type PropertyRow = (String, Option<String>, &'static str, bool, Option<String>, String);

#[pymethods]
impl Graph {
    /// The number of nodes; removed nodes are not counted.
    fn node_count(&self) -> PyResult<u32> {
        Ok(self.open()?.graph.live_node_count())
    }

    /// The identity of the file's state: 64 hexadecimal digits.
    fn identity(&self) -> PyResult<String> {
        let bytes = self.open()?.graph.identity().to_bytes();
        Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
    }

    /// The exclusive upper limit of ids.
    fn id_limit(&self) -> PyResult<u32> {
        Ok(self.open()?.graph.node_count())
    }

    /// The number of edges.
    fn edge_count(&self) -> PyResult<u64> {
        Ok(self.open()?.graph.edge_count())
    }

    /// The names of all node labels.
    fn labels(&self) -> PyResult<Vec<String>> {
        Ok(self.open()?.graph.labels().iter().map(|label| label.name.clone()).collect())
    }

    /// The names of all edge labels, each with the number of its edges.
    fn edge_labels(&self) -> PyResult<Vec<(String, u64)>> {
        let open = self.open()?;
        Ok(open.graph.edge_labels().iter().map(|label| (label.name.clone(), label.edges)).collect())
    }

    /// All properties.
    fn properties(&self) -> PyResult<Vec<PropertyRow>> {
        let open = self.open()?;
        let layers = open.graph.layers();
        let row = |property: &varvite::PropertyInfo| {
            let layer = layers.get(property.layer as usize).map_or(String::new(), |layer| layer.name.clone());
            let is_list = property.cardinality == varvite::Cardinality::List;
            let (name, label) = (property.name.clone(), property.edge_label.clone());
            (name, label, property.value_type.name(), is_list, property.default.clone(), layer)
        };
        Ok(open.graph.properties().iter().map(row).collect())
    }

    /// The layers: name, tool and version of the tool.
    fn layers(&self) -> PyResult<Vec<(String, String, String)>> {
        let open = self.open()?;
        let row =
            |layer: &varvite::inspect::Layer| (layer.name.clone(), layer.tool.clone(), layer.version.clone());
        Ok(open.graph.layers().iter().map(row).collect())
    }

    /// Whether the file was recovered: a reader passed over its newest commit, which is damaged.
    fn recovered(&self) -> PyResult<bool> {
        Ok(self.open()?.graph.is_recovered())
    }

    /// Raises an error if any read of this graph has met damage.
    fn check(&self) -> PyResult<()> {
        Ok(self.open()?.graph.check().map_err(crate::failure::Failure::from)?)
    }
}
