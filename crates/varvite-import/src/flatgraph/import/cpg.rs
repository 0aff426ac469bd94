//! What Joern's schema knows and a flatgraph file does not say: cardinalities, defaults, the name of the edge property.
//!
//! Source: the generated domain classes of the code property graph specification (Apache-2.0), version 1.7.
//! A property that is not listed is described by what the file holds.

use varvite::Cardinality;
use varvite::write::Heat;

use crate::flatgraph::Direction;

/// The edge label of the data-flow layer, the only one with a property.
pub(super) const DATAFLOW: &str = "REACHING_DEF";

/// How often queries follow an edge label. The AST is no question of heat: it follows from the forest.
pub(super) fn heat(edge_label: &str, direction: Direction) -> Heat {
    if edge_label == "CFG" && direction == Direction::Out { Heat::Hot } else { Heat::Cold }
}

/// Whether a property names the same things as others that do: methods and types, by their full names. Those share a
/// string table.
pub(super) fn shares_texts(property: &str) -> bool {
    property.ends_with("FULL_NAME")
}

/// The property of its edges.
pub(super) const VARIABLE: KnownProperty = KnownProperty::one("VARIABLE", "<empty>");

/// A property of Joern's schema.
#[derive(Clone, Copy, Debug)]
pub(super) struct KnownProperty {
    pub(super) name: &'static str,
    cardinality: Cardinality,
    pub(super) default: Option<&'static str>,
}

impl KnownProperty {
    const fn one(name: &'static str, default: &'static str) -> Self {
        Self { name, cardinality: Cardinality::One, default: Some(default) }
    }

    const fn optional(name: &'static str) -> Self {
        Self { name, cardinality: Cardinality::Optional, default: None }
    }

    const fn list(name: &'static str) -> Self {
        Self { name, cardinality: Cardinality::List, default: None }
    }

    /// The cardinality of the schema, unless the file holds more than that allows.
    pub(super) fn cardinality_with(self, found: Cardinality) -> Cardinality {
        if found == Cardinality::List { found } else { self.cardinality }
    }
}

/// What the schema says of a property of nodes.
pub(super) fn property(name: &str) -> Option<KnownProperty> {
    PROPERTIES.iter().find(|known| known.name == name).copied()
}

const PROPERTIES: &[KnownProperty] = &[
    KnownProperty::one("NAME", "<empty>"),
    KnownProperty::optional("LINE_NUMBER"),
    KnownProperty::list("OVERLAYS"),
];
