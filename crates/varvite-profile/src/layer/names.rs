//! [`Names`]: the names of a profile's labels and properties in a graph.

use crate::measure::{Kind, Measures};

/// The names in the layer of a profile: `HEAP_CALLS` and so on; for a profile named `before`,
/// `HEAP_BEFORE_CALLS`; for a profile that does not measure memory, `CPU_SAMPLES`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Names {
    prefix: String,
    /// The kind of the profile.
    pub kind: Kind,
    /// The name of the profile; empty if it has none.
    pub name: String,
    /// The name of the layer: `heap`, or `heap/before`.
    pub layer: String,
}

impl Names {
    /// The names for a profile; `name` is empty if the profile has no name.
    pub fn of(kind: Kind, name: &str) -> Self {
        let (layer, owned) = (kind.layer(), name.to_owned());
        let prefix = layer.to_uppercase();
        match name {
            "" => Self { prefix, kind, name: owned, layer: layer.to_owned() },
            name => Self {
                prefix: format!("{prefix}_{}", name.to_uppercase()),
                kind,
                name: owned,
                layer: format!("{layer}/{name}"),
            },
        }
    }

    /// The names in a layer; `None` if the layer was not made from a profile.
    pub fn of_layer(layer: &str) -> Option<Self> {
        Kind::ALL.into_iter().find_map(|kind| match layer.strip_prefix(kind.layer())? {
            "" => Some(Self::of(kind, "")),
            rest => rest.strip_prefix('/').map(|name| Self::of(kind, name)),
        })
    }

    /// The name of the label or property with this suffix. `PROFILE`, `STEP` and `PLACE` are node labels;
    /// `AT`, `CALLED_AT` and so on are edge labels.
    pub fn name(&self, end: &str) -> String {
        format!("{}_{end}", self.prefix)
    }

    /// The names of the properties with the own counts of a METHOD, CALL or step (without callees), by slot.
    pub fn own(&self, measures: &Measures) -> Vec<String> {
        measures.names().map(|name| self.name(&name.to_uppercase())).collect()
    }

    /// The names of the properties with counts that include all direct and indirect callees, by slot.
    pub fn all(&self, measures: &Measures) -> Vec<String> {
        self.sums("ALL", measures)
    }

    /// The names of the properties with the counts of the whole run, by slot.
    pub(super) fn totals(&self, measures: &Measures) -> Vec<String> {
        self.sums("TOTAL", measures)
    }

    fn sums(&self, of: &str, measures: &Measures) -> Vec<String> {
        measures.names().map(|name| self.name(&format!("{of}_{}", name.to_uppercase()))).collect()
    }

    /// The label of the edge from a step to the CALL to which the step's own counts are added: a CALL that
    /// allocates, or a CALL that spent time in code outside the graph.
    pub(super) fn own_at(&self) -> String {
        self.name(match self.kind {
            Kind::Heap => "ALLOCATES_AT",
            Kind::Cpu => "SPENT_AT",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_layer_is_named_by_what_it_is_about() {
        for (layer, property) in [
            ("heap", "HEAP_X"),
            ("cpu", "CPU_X"),
            ("heap/before", "HEAP_BEFORE_X"),
            ("cpu/heap", "CPU_HEAP_X"),
        ] {
            let names = Names::of_layer(layer).expect("it is one of a profile");
            assert_eq!((names.layer.as_str(), names.name("X").as_str()), (layer, property));
            assert_eq!(Names::of(names.kind, &names.name), names);
        }
        assert!(Names::of_layer("trace").is_none() && Names::of_layer("heaps").is_none());
    }
}
