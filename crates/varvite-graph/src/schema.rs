//! The schema of a graph: its labels, edge labels, properties and layers.

use std::sync::Arc;

use varvite_format::{Directory, EdgeLabelId, Owner};

use crate::cursor::value::{Cardinality, ValueType};
use crate::overlay::changed_counts::living_edges;

/// A node label.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Label {
    /// Name of the label.
    pub name: String,
    /// Index of the layer that added the label.
    pub layer: u32,
    /// The number of the label's nodes in the imported file, deleted nodes included; 0 if the graph was not
    /// imported.
    pub origin_count: u32,
}

/// An edge label.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct EdgeLabel {
    /// Name of the edge label.
    pub name: String,
    /// Index of the layer that added the edge label.
    pub layer: u32,
    /// The number of edges of the label.
    pub edges: u64,
}

/// A property of nodes or edges.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct PropertyInfo {
    /// Name of the property.
    pub name: String,
    /// The edge label whose edges have the property; `None` for a property of nodes.
    pub edge_label: Option<String>,
    /// Index of the layer that added the property.
    pub layer: u32,
    /// Type of the property's values.
    pub value_type: ValueType,
    /// The number of values that an owner may have.
    pub cardinality: Cardinality,
    /// The default value, as text: the value of owners for which no value is stored.
    pub default: Option<String>,
}

/// The name of a node property of the layer `layer` while another layer covers it, which means that the other
/// layer has a property of the same name.
pub(crate) fn covered_name(property: &str, layer: &str) -> String {
    format!("{property}/{layer}")
}

/// The name that a property of the layer `layer` had before another layer covered it. `None` if `name` is not
/// a name that [`covered_name`] makes.
pub(crate) fn name_before_cover<'n>(name: &'n str, layer: &str) -> Option<&'n str> {
    name.strip_suffix(layer)?.strip_suffix('/')
}

/// A named set of nodes, edges and properties, with their origin.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Layer {
    /// Name of the layer, such as `code` or `code/dataflow`.
    pub name: String,
    /// Name of the tool that made the layer.
    pub tool: String,
    /// Version of the tool that made the layer.
    pub version: String,
    /// Time when the layer was made, in seconds since 1970; 0 if unknown.
    pub time: i64,
    /// BLAKE3 hash of the source that the layer was made from; zeros if unknown.
    pub source: [u8; 32],
}

/// The schema of an open graph.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Schema {
    pub(crate) labels: Vec<Label>,
    pub(crate) edge_labels: Vec<EdgeLabel>,
    pub(crate) properties: Vec<PropertyInfo>,
    pub(crate) layers: Vec<Layer>,
    /// The masks of all label sets, shared with the cursors that read label sets.
    pub(crate) masks: Arc<[u64]>,
}

impl Schema {
    /// Bytes that the schema's vectors and strings take in memory.
    pub(crate) fn heap_bytes(&self) -> usize {
        let text = |text: &String| text.capacity();
        let any = |text: &Option<String>| text.as_ref().map_or(0, String::capacity);
        let labels: usize = self.labels.iter().map(|row| text(&row.name) + size_of::<Label>()).sum();
        let edges: usize = self.edge_labels.iter().map(|row| text(&row.name) + size_of::<EdgeLabel>()).sum();
        let properties = self.properties.iter().map(|row| {
            text(&row.name) + any(&row.edge_label) + any(&row.default) + size_of::<PropertyInfo>()
        });
        let layers = self
            .layers
            .iter()
            .map(|row| text(&row.name) + text(&row.tool) + text(&row.version) + size_of::<Layer>());
        let masks = size_of_val(&*self.masks);
        masks + labels + edges + properties.sum::<usize>() + layers.sum::<usize>()
    }

    /// The schema in a directory. A property of an unknown type is read as bytes, and a property of an
    /// unknown cardinality as lists, because these can represent any value.
    pub(crate) fn of(directory: &Directory) -> Self {
        let name = |id| directory.names.get(id).to_owned();
        let labels = directory.labels.iter().map(|row| Label {
            name: name(row.name),
            layer: row.layer,
            origin_count: row.origin_count,
        });
        let edge_labels = (0..).map(EdgeLabelId).zip(&directory.edge_labels).map(|(id, row)| EdgeLabel {
            name: name(row.name),
            layer: row.layer,
            edges: living_edges(directory, id, row),
        });
        let edge_labels: Vec<EdgeLabel> = edge_labels.collect();
        let properties = directory.properties.iter().map(|row| PropertyInfo {
            name: name(row.name),
            edge_label: match row.owner {
                Owner::Node => None,
                Owner::Edge(label) => edge_labels.get(label.index()).map(|label| label.name.clone()),
            },
            layer: row.layer,
            value_type: ValueType::from_number(row.value_type).unwrap_or(ValueType::Bytes),
            cardinality: Cardinality::from_number(row.cardinality).unwrap_or(Cardinality::List),
            default: match row.default_kind {
                1 => Some(row.default.to_string()),
                2 => u32::try_from(row.default).ok().map(|id| name(varvite_format::NameId(id))),
                _ => None,
            },
        });
        let layers = directory.layers.iter().map(|row| Layer {
            name: name(row.name),
            tool: name(row.tool),
            version: name(row.version),
            time: row.time,
            source: row.source,
        });
        Self {
            labels: labels.collect(),
            properties: properties.collect(),
            layers: layers.collect(),
            edge_labels,
            masks: masks_of(directory),
        }
    }
}

/// The masks of a directory's label sets. If nodes were removed, an empty mask is added: removed nodes have
/// the empty label set.
fn masks_of(directory: &Directory) -> Arc<[u64]> {
    let (mut masks, words) = (directory.label_sets.clone(), directory.mask_words());
    let has_removed = directory.changes.as_ref().is_some_and(|changes| changes.removed.is_some());
    let is_empty = |mask: &[u64]| mask.iter().all(|word| *word == 0);
    if has_removed && !masks.chunks(words).any(is_empty) {
        masks.resize(masks.len() + words, 0);
    }
    masks.into()
}

/// The name most like `wanted`, for error messages; `None` if every name differs in more than a quarter of
/// the letters of `wanted` (at least one letter, at most four).
pub fn nearest<T: AsRef<str>>(wanted: &str, names: impl Iterator<Item = T>) -> Option<String> {
    let distance_of = |name: &T| edit_distance(&wanted.to_uppercase(), &name.as_ref().to_uppercase());
    let scored = names.map(|name| (distance_of(&name), name));
    let (distance, name) =
        scored.min_by(|(a, one), (b, other)| (a, one.as_ref()).cmp(&(b, other.as_ref())))?;
    (distance <= (wanted.chars().count() / 4).clamp(1, 4)).then(|| name.as_ref().to_owned())
}

/// The least number of insertions, deletions and replacements that turn one word into the other (Wagner and
/// Fischer, 1974).
fn edit_distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (index, from) in a.chars().enumerate() {
        let mut diagonal = std::mem::replace(&mut row[0], index + 1);
        for (column, to) in b.iter().enumerate() {
            let replaced = diagonal + usize::from(from != *to);
            diagonal = row[column + 1];
            row[column + 1] = replaced.min(row[column] + 1).min(diagonal + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_misspelt_name_finds_its_neighbour() {
        let names = ["METHOD", "CALL", "IDENTIFIER"];
        assert_eq!(nearest("METHODS", names.into_iter()).as_deref(), Some("METHOD"));
        assert_eq!(nearest("call", names.into_iter()).as_deref(), Some("CALL"));
        assert_eq!(nearest("qqqqqqq", names.into_iter()), None);
    }

    #[test]
    fn names_of_which_much_differs_are_not_like_each_other() {
        let is_like = |wanted, name| nearest(wanted, std::iter::once(name)).is_some();
        assert!(is_like("NAM", "NAME") && !is_like("NAM", "CODES"));
        assert!(is_like("LINENUMBER", "LINE_NUMBER") && !is_like("LINE_NUMBER", "COLUMN_NUMBER"));
        assert!(is_like("METHOD_PARAMETER_INPUT", "METHOD_PARAMETER_IN"));
        assert!(!is_like("METHOD_PARAMETER_INPUTS_", "METHOD_PARAMETER_OUT"));
    }
}
