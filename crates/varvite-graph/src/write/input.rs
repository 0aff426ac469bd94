//! The input of a writer: properties with their values, texts, and layers.

use varvite_format::{Fault, InputError, Owner, check_list_ends, check_name, check_text};

use crate::cursor::value::{Cardinality, ValueType};

/// The texts of a property: each distinct text once, and a code for each value.
#[derive(Clone, Copy, Debug)]
pub struct TextsInput<'a> {
    /// The bytes that contain the texts.
    pub bytes: &'a [u8],
    /// The start and length of each text, in the order of first use.
    pub texts: &'a [(u32, u32)],
    /// For each value, the index of its text; for null, the number of texts.
    pub codes: &'a [u32],
    /// Whether the texts are already sorted by their bytes. Sorted texts are stored in this order, and a
    /// table that several properties share is stored once.
    pub sorted: bool,
    /// The parent of each node along the tree label, `u32::MAX` if it has none; empty if owners are not
    /// nodes.
    pub parents: &'a [u32],
}

/// A property in the schema.
#[derive(Clone, Debug)]
pub struct PropertySpec {
    /// The name of the property.
    pub name: String,
    /// The owners of the property: nodes, or the edges of a label.
    pub owner: Owner,
    /// The layer of the property.
    pub layer: u32,
    /// The type of the values.
    pub value_type: ValueType,
    /// The number of values that an owner may have.
    pub cardinality: Cardinality,
    /// The default, as text: the value of owners that have none.
    pub default: Option<String>,
}

/// The values of a property, in the order of their owners.
#[derive(Clone, Copy, Debug)]
pub struct PropertyInput<'a> {
    /// The start of each owner's values, followed by the end of the last values: one more entry than there
    /// are owners.
    pub offsets: &'a [u32],
    /// The values, in the order of their owners.
    pub values: ValuesInput<'a>,
}

/// Values of one type.
#[derive(Clone, Copy, Debug)]
pub enum ValuesInput<'a> {
    /// Integers, node ids, the bits of floats, or Booleans that are encoded like integers.
    Numbers(&'a [i64]),
    /// Booleans.
    Truth(&'a [i64]),
    /// Texts: a table, and the codes of the values.
    Texts(TextsInput<'a>),
}

/// Two properties, where texts of the second are parts of texts of the first: for example the content of
/// files, and the code of nodes in these files.
#[derive(Clone, Copy, Debug)]
pub struct CutInput<'a> {
    /// The start of the values of each owner of the longer texts, followed by the end of the last values.
    pub source_offsets: &'a [u32],
    /// The longer texts, of the first property.
    pub source: TextsInput<'a>,
    /// The start of the values of each owner of the parts, followed by the end of the last values.
    pub offsets: &'a [u32],
    /// The parts, of the second property.
    pub parts: TextsInput<'a>,
    /// For each owner of parts, the offset at which its text may start in the concatenation of the longer
    /// texts, in the order of their codes; `u32::MAX` if no offset is known.
    pub places: &'a [u32],
}

/// A change of the layers of a graph.
#[derive(Clone, Debug, Default)]
pub struct LayerChange<'a> {
    /// The names of layers to drop; unknown names are ignored.
    pub drop: &'a [&'a str],
    /// A layer to add. An existing layer of the same name is dropped.
    pub add: Option<PropertyLayer<'a>>,
}

/// A layer of properties of nodes.
#[derive(Clone, Debug)]
pub struct PropertyLayer<'a> {
    /// The name of the layer, and its origin.
    pub layer: LayerSpec<'a>,
    /// The properties of the layer.
    pub properties: &'a [NodeNumbers<'a>],
}

/// A property with one integer for each of some nodes.
#[derive(Clone, Copy, Debug)]
pub struct NodeNumbers<'a> {
    /// The name of the property.
    pub name: &'a str,
    /// Nodes and their values, in ascending order of nodes, each node once.
    pub values: &'a [(u32, i64)],
}

/// The origin of a layer: its tool and source.
#[derive(Clone, Debug)]
pub struct LayerSpec<'a> {
    /// The name of the layer, such as `code`.
    pub name: &'a str,
    /// The tool that made the layer.
    pub tool: &'a str,
    /// The version of that tool.
    pub version: &'a str,
    /// BLAKE3 of the source; zeros if unknown.
    pub source: [u8; 32],
}

impl LayerSpec<'_> {
    /// Checks that a layer can have this name and origin.
    ///
    /// # Errors
    /// An empty name, or a text that contains NUL.
    pub(crate) fn check(&self) -> Result<(), InputError> {
        check_name("name of layer", self.name)?;
        check_text("tool of layer", self.tool)?;
        check_text("version of layer", self.version)
    }
}

/// The lists of one edge label in one direction.
#[derive(Clone, Copy, Debug)]
pub struct ListsInput<'a> {
    /// The start of each node's list, followed by the end of the last list: one more entry than there are
    /// nodes.
    pub offsets: &'a [u32],
    /// The neighbours in all lists, concatenated.
    pub neighbors: &'a [u32],
}

impl ListsInput<'_> {
    /// The number of lists, after a check that the lists are contiguous.
    ///
    /// # Errors
    /// An error for the first invalid end of a list.
    pub(super) fn check(&self) -> std::result::Result<u32, InputError> {
        check_list_ends("offsets", self.offsets, None, self.neighbors.len())?;
        let found = self.offsets.len() as u64 - 1;
        u32::try_from(found).map_err(|_| {
            let fault = Fault::TooMany { what: "lists", most: u32::MAX.into(), found };
            InputError::new("offsets", fault)
        })
    }

    /// The error for the first neighbour that is not one of `nodes` nodes.
    pub(super) fn first_beyond(&self, nodes: u32) -> InputError {
        let at = self.neighbors.iter().position(|neighbor| *neighbor >= nodes).unwrap_or(0);
        let found = self.neighbors.get(at).map(|neighbor| i64::from(*neighbor));
        let (most, at) = (i64::from(nodes) - 1, Some(at as u64));
        InputError::new("neighbors", Fault::Number { what: "neighbor", at, least: 0, most, found })
    }
}

/// The error for a text that occurs twice.
pub(super) fn text_twice(code: u32) -> InputError {
    InputError::new("texts", Fault::Twice { what: "text", which: format!("text {code}") })
}
