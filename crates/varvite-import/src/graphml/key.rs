//! [`Keys`]: the declarations of a document's keys.

use std::collections::HashMap;

use varvite::ValueType;
use varvite_graph::internal::Kind;

use super::value::{DataKind, DataValue};
use super::xml::Xml;
use crate::text::TextFault;

/// Largest number of keys with a default. A default adds a value to every node or edge that has none, so a
/// short document could take a great amount of memory.
const DEFAULTS_MAX: usize = 64;
/// Largest number of keys of a document.
const KEYS_MAX: usize = 16_384;

/// The name of the property for the captions of yEd's drawings, and the name used instead if a key of the
/// document has that name.
const CAPTION: &str = "caption";
const DRAWING_CAPTION: &str = "drawing_caption";
/// The suffix of the word by which yEd marks keys whose values are drawings.
const GRAPHICS: &str = "graphics";

/// The owners of a key's values: nodes or edges.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Of {
    Nodes,
    Edges,
}

/// The meaning of a key's values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Meaning {
    /// The values are labels of nodes, or the label of an edge.
    Labels,
    /// The values belong to the property with this number in the document.
    Property(usize),
    /// The values are drawings of yEd. The captions become values of the property with this number.
    Drawing(usize),
    /// The values are other drawings of yEd, such as those of ports.
    Graphics,
    /// The key is declared for other elements, such as the graph itself.
    OfOthers,
}

/// A key of a document.
#[derive(Clone, Debug)]
pub(super) struct Key {
    /// The meaning of the key's values at nodes, and of its values at edges.
    of_nodes: Meaning,
    of_edges: Meaning,
    pub(super) kind: DataKind,
    pub(super) default: Option<DataValue>,
}

/// A property of nodes or of edges; several keys may belong to one property.
#[derive(Clone, Debug)]
pub(super) struct Declared {
    pub(super) of: Of,
    pub(super) name: String,
    /// A type that can represent the values of all keys of the property.
    pub(super) kind: Kind,
}

/// The names of the keys whose values are labels.
#[derive(Clone, Debug)]
pub(super) struct LabelKeys {
    pub(super) of_nodes: Vec<String>,
    pub(super) of_edges: Vec<String>,
}

impl Default for LabelKeys {
    fn default() -> Self {
        let names = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
        Self { of_nodes: names(&["labels", "labelV", "label"]), of_edges: names(&["label", "labelE"]) }
    }
}

/// All keys of a document.
#[derive(Debug, Default)]
pub(super) struct Keys {
    keys: Vec<Key>,
    by_id: HashMap<String, usize>,
    pub(super) properties: Vec<Declared>,
    by_name: HashMap<(Of, String), usize>,
    /// The numbers of the properties for the captions of drawings. These properties get their names once all
    /// keys are known.
    captions: HashMap<Of, usize>,
}

impl Keys {
    /// Reads the rest of a key, whose start tag was just read.
    pub(super) fn add(&mut self, xml: &mut Xml, labels: &LabelKeys) -> Result<(), super::xml::XmlError> {
        let id = xml.attribute("id").map(str::to_owned);
        let id = id.ok_or(TextFault::NoAttribute { element: "key", attribute: "id" })?;
        let drawing = xml.attribute("yfiles.type").map(str::to_owned);
        let is_drawing = drawing.is_some();
        let name = xml.attribute("attr.name").unwrap_or(&id).to_owned();
        let for_ = xml.attribute("for").unwrap_or("all").to_owned();
        let kind = if is_drawing { DataKind::TEXT } else { DataKind::of_key(xml)? };
        if self.keys.len() >= KEYS_MAX {
            return Err(TextFault::TooMany { what: "keys", limit: KEYS_MAX }.into());
        }
        let default = read_default(xml, kind)?;
        let is_of = |element: &str| !is_drawing && (for_ == element || for_ == "all");
        if !matches!(
            &*for_,
            "all" | "node" | "edge" | "graph" | "graphml" | "hyperedge" | "port" | "endpoint"
        ) {
            let expected = "node, edge, graph or all";
            return Err(TextFault::Attribute { attribute: "for", found: for_, expected }.into());
        }
        let (is_of_nodes, is_of_edges) = (is_of("node"), is_of("edge"));
        let (of_nodes, of_edges) = match drawing.as_deref() {
            Some("nodegraphics") => (Meaning::Drawing(self.captions(Of::Nodes)), Meaning::Graphics),
            Some("edgegraphics") => (Meaning::Graphics, Meaning::Drawing(self.captions(Of::Edges))),
            Some(drawing) if drawing.ends_with(GRAPHICS) => (Meaning::Graphics, Meaning::Graphics),
            _ => (
                self.meaning(is_of_nodes, Of::Nodes, &name, kind, &labels.of_nodes)?,
                self.meaning(is_of_edges, Of::Edges, &name, kind, &labels.of_edges)?,
            ),
        };
        let key = Key { of_nodes, of_edges, kind, default };
        let is_new = self.by_id.insert(id.clone(), self.keys.len()).is_none();
        self.keys.push(key);
        if !is_new {
            return Err(TextFault::Twice { what: "key", key: id }.into());
        }
        if self.keys.iter().filter(|key| key.default.is_some()).count() > DEFAULTS_MAX {
            return Err(TextFault::TooMany { what: "keys with a default", limit: DEFAULTS_MAX }.into());
        }
        Ok(())
    }

    /// The number of the property for the captions of drawings.
    fn captions(&mut self, of: Of) -> usize {
        *self.captions.entry(of).or_insert_with(|| {
            self.properties.push(Declared { of, name: CAPTION.to_owned(), kind: DataKind::TEXT.kind() });
            self.properties.len() - 1
        })
    }

    /// Gives the property for captions a name that no key has, since a key of that name may have values of
    /// another type. Call this after the last key.
    pub(super) fn name_captions(&mut self) {
        for (of, number) in &self.captions {
            let is_free = |name: &String| !self.by_name.contains_key(&(*of, name.clone()));
            let others = (2..).map(|count| format!("{DRAWING_CAPTION}_{count}"));
            let mut names = [CAPTION, DRAWING_CAPTION].map(str::to_owned).into_iter().chain(others);
            if let Some(name) = names.find(is_free) {
                self.properties[*number].name = name;
            }
        }
    }

    fn meaning(
        &mut self,
        is_of: bool,
        of: Of,
        name: &str,
        kind: DataKind,
        labels: &[String],
    ) -> Result<Meaning, TextFault> {
        if !is_of {
            return Ok(Meaning::OfOthers);
        }
        if labels.iter().any(|label| label == name) {
            return Ok(Meaning::Labels);
        }
        if let Some(number) = self.by_name.get(&(of, name.to_owned())) {
            let declared = &mut self.properties[*number];
            declared.kind = kind.with(name, declared.kind)?;
            return Ok(Meaning::Property(*number));
        }
        self.properties.push(Declared { of, name: name.to_owned(), kind: kind.kind() });
        self.by_name.insert((of, name.to_owned()), self.properties.len() - 1);
        Ok(Meaning::Property(self.properties.len() - 1))
    }

    /// The number of the key with an id.
    pub(super) fn find(&self, id: &str) -> Result<usize, TextFault> {
        self.by_id.get(id).copied().ok_or_else(|| TextFault::NoSuchKey { key: id.to_owned() })
    }

    /// The key with a number.
    pub(super) fn key(&self, number: usize) -> &Key {
        &self.keys[number]
    }

    /// The defaults of properties, each with the number of its property.
    pub(super) fn defaults(&self, of: Of) -> impl Iterator<Item = (usize, &DataValue)> {
        self.keys.iter().filter_map(move |key| match key.meaning(of) {
            Meaning::Property(number) => key.default.as_ref().map(|default| (*number, default)),
            _ => None,
        })
    }
}

impl Meaning {
    /// The number of the property that stores the values; `None` if the values belong to no property.
    pub(super) fn property(self) -> Option<usize> {
        match self {
            Self::Property(number) | Self::Drawing(number) => Some(number),
            Self::Labels | Self::Graphics | Self::OfOthers => None,
        }
    }
}

impl Key {
    /// The meaning of the key's values for nodes or edges.
    pub(super) fn meaning(&self, of: Of) -> &Meaning {
        match of {
            Of::Nodes => &self.of_nodes,
            Of::Edges => &self.of_edges,
        }
    }
}

impl Declared {
    /// Whether the property has floats, so that whole numbers become floats.
    pub(super) fn is_float(&self) -> bool {
        matches!(self.kind.value_type, ValueType::F32 | ValueType::F64)
    }
}

/// Reads the element `default` inside a key as a value.
fn read_default(xml: &mut Xml, kind: DataKind) -> Result<Option<DataValue>, super::xml::XmlError> {
    let mut default = None;
    loop {
        match xml.next()? {
            super::xml::Next::Element if xml.name() == "default" => {
                let text = xml.text()?.unwrap_or_default();
                default = kind.read(&text)?;
            }
            super::xml::Next::Element => xml.skip()?,
            super::xml::Next::End => return Ok(default),
            super::xml::Next::Over => return Err(TextFault::NoGraph.into()),
        }
    }
}
