//! The names of a graph's schema as C strings, kept for as long as the graph is open.

use varvite::inspect::Layer;
use varvite::{Graph, PropertyInfo};

use crate::c_type::Char;
use crate::pointer::OutAddress;

/// All names of a graph's schema, with a zero after each name so that C can print it.
#[derive(Default)]
pub(crate) struct Names {
    pub(crate) labels: Vec<Name>,
    pub(crate) edge_labels: Vec<Name>,
    pub(crate) properties: Vec<(Name, Option<Name>)>,
    pub(crate) layers: Vec<[Name; 3]>,
}

/// A name followed by a zero; the zero does not count in the name's length.
pub(crate) struct Name(Box<[u8]>);

impl Name {
    fn of(text: &str) -> Self {
        Self(text.bytes().chain([0]).collect())
    }

    pub(crate) fn text(&self) -> OutAddress<Char> {
        OutAddress::text(&self.0)
    }

    pub(crate) fn len(&self) -> u64 {
        self.0.len() as u64 - 1
    }
}

impl Names {
    pub(crate) fn of(graph: &Graph) -> Self {
        let property = |info: &PropertyInfo| (Name::of(&info.name), info.default.as_deref().map(Name::of));
        let layer = |layer: &Layer| [&layer.name, &layer.tool, &layer.version].map(|text| Name::of(text));
        Self {
            labels: graph.labels().iter().map(|label| Name::of(&label.name)).collect(),
            edge_labels: graph.edge_labels().iter().map(|label| Name::of(&label.name)).collect(),
            properties: graph.properties().iter().map(property).collect(),
            layers: graph.layers().iter().map(layer).collect(),
        }
    }
}
