//! Input of a writer: properties with their values, texts, and layers.

use varvite_format::{Fault, InputError, Owner, check_list_ends, check_name, check_text};

use crate::cursor::value::{Cardinality, ValueType};

/// Texts of a property: each distinct one once, and a code for each value.
#[derive(Clone, Copy, Debug)]
pub struct TextsInput<'a> {
    /// Bytes that the texts are cut out of.
    pub bytes: &'a [u8],
    /// Start and length of each text, in the order of first use.
    pub texts: &'a [(u32, u32)],
    /// For each value the index of its text; the number of texts for null.
    pub codes: &'a [u32],
    /// The texts rise in the order of their bytes already: they are stored as they come, and a table that
    /// several properties are given is stored once.
    pub sorted: bool,
    /// The node above each node along the forest edge label, `u32::MAX` for none; empty if owners are not
    /// nodes.
    pub parents: &'a [u32],
}

/// A property in the schema.
#[derive(Clone, Debug)]
pub struct PropertySpec {
    /// Its name.
    pub name: String,
    /// The owners.
    pub owner: Owner,
    /// Layer that added it.
    pub layer: u32,
    /// Type of its values.
    pub value_type: ValueType,
    /// The number of values of an owner.
    pub cardinality: Cardinality,
    /// The value of owners without one, as text.
    pub default: Option<String>,
}

/// The values of a property, in the order of their owners.
#[derive(Clone, Copy, Debug)]
pub struct PropertyInput<'a> {
    /// The start of each owner's values, and the end of the last: one more than there are owners.
    pub offsets: &'a [u32],
    /// The values.
    pub values: ValuesInput<'a>,
}

/// Values of one type.
#[derive(Clone, Copy, Debug)]
pub enum ValuesInput<'a> {
    /// Truth values, integers, node ids, or the bits of floats.
    Numbers(&'a [i64]),
    /// Truth values.
    Truth(&'a [i64]),
    /// Texts.
    Texts(TextsInput<'a>),
}

/// Two properties, where texts of the second are parts of texts of the first: files, and the code in them.
#[derive(Clone, Copy, Debug)]
pub struct CutInput<'a> {
    /// The start of the values of each owner of the longer texts, and the end of the last.
    pub source_offsets: &'a [u32],
    /// The longer texts.
    pub source: TextsInput<'a>,
    /// The start of the values of each owner of the parts, and the end of the last.
    pub offsets: &'a [u32],
    /// The parts.
    pub parts: TextsInput<'a>,
    /// For each owner of parts where in the longer texts, laid end to end in the order of their codes, its
    /// text may start; `u32::MAX` for nowhere.
    pub places: &'a [u32],
}

/// A change of the layers of a file.
#[derive(Clone, Debug, Default)]
pub struct LayerChange<'a> {
    /// Names of layers that go, if they are there.
    pub drop: &'a [&'a str],
    /// A layer that comes. One of the same name goes.
    pub add: Option<PropertyLayer<'a>>,
}

/// A layer of properties of nodes.
#[derive(Clone, Debug)]
pub struct PropertyLayer<'a> {
    /// Its name, and where it comes from.
    pub layer: LayerSpec<'a>,
    /// Its properties.
    pub properties: &'a [NodeNumbers<'a>],
}

/// A property of some nodes: an integer for each.
#[derive(Clone, Copy, Debug)]
pub struct NodeNumbers<'a> {
    /// Its name.
    pub name: &'a str,
    /// Nodes and their values, rising by node, each node once.
    pub values: &'a [(u32, i64)],
}

/// The origin of a layer: its tool and source.
#[derive(Clone, Debug)]
pub struct LayerSpec<'a> {
    /// Its name, such as `code`.
    pub name: &'a str,
    /// The tool that made it.
    pub tool: &'a str,
    /// The version of that tool.
    pub version: &'a str,
    /// BLAKE3 of the source; zeros if unknown.
    pub source: [u8; 32],
}

impl LayerSpec<'_> {
    /// Passes if a layer can have this name, and come from there.
    ///
    /// # Errors
    /// A name that is empty, or a NUL.
    pub(crate) fn check(&self) -> Result<(), InputError> {
        check_name("name of layer", self.name)?;
        check_text("tool of layer", self.tool)?;
        check_text("version of layer", self.version)
    }
}

/// The lists of one edge label in one direction.
#[derive(Clone, Copy, Debug)]
pub struct ListsInput<'a> {
    /// The start of each node's list, and the end of the last: one more than there are nodes.
    pub offsets: &'a [u32],
    /// The neighbours.
    pub neighbors: &'a [u32],
}

impl ListsInput<'_> {
    /// The number of owners of lists, if these lie end to end.
    ///
    /// # Errors
    /// The first end that can't be.
    pub(super) fn check(&self) -> std::result::Result<u32, InputError> {
        check_list_ends("offsets", self.offsets, None, self.neighbors.len())?;
        let found = self.offsets.len() as u64 - 1;
        u32::try_from(found).map_err(|_| {
            let fault = Fault::TooMany { what: "lists", most: u32::MAX.into(), found };
            InputError::new("offsets", fault)
        })
    }

    /// The error for the first neighbour that is none of `nodes` nodes.
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
