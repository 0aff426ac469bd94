//! [`Symbols`]: the symbols of a whole index, which the first pass collects: their nodes, classes and places.
//!
//! Symbols that belong to a single document are not among them.

use varvite_graph::Reserved;
use varvite_graph::internal::DraftFault;

use super::class::Class;
use super::graph::{GraphDraft, Property};
use super::message::{Document, Information, Roles};
use super::symbol::{Symbol, is_local};

/// The symbols of an index, by the number of their node.
pub(super) struct Symbols {
    declared: Vec<Declared>,
    room: Reserved,
}

/// What the first pass knows of a symbol.
#[derive(Clone, Copy, Debug)]
struct Declared {
    class: Class,
    /// Whether the class comes from SCIP's kind.
    is_of_kind: bool,
    place: Place,
}

/// The definition that gives a symbol its place in the source.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    Nowhere,
    /// A forward definition, which counts unless the index has a definition.
    Forward(Definition),
    Defined(Definition),
}

/// An occurrence, by the numbers of its document and of itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Definition {
    pub(super) document: u32,
    pub(super) occurrence: u32,
}

impl Symbols {
    pub(super) fn within(room: Reserved) -> Self {
        Self { declared: Vec::new(), room }
    }

    /// Collects the symbols of a document.
    pub(super) fn add_document(
        &mut self,
        document: &Document<'_>,
        number: u32,
        graph: &mut GraphDraft,
    ) -> Result<(), DraftFault> {
        for information in &document.symbols {
            self.add_information(information, graph)?;
        }
        for (occurrence, found) in (0..).zip(&document.occurrences) {
            if let Some(node) = self.add(found.symbol, graph)? {
                self.place(node, found.roles, Definition { document: number, occurrence });
            }
        }
        Ok(())
    }

    /// Collects a symbol and the symbols to which it is related.
    pub(super) fn add_information(
        &mut self,
        information: &Information<'_>,
        graph: &mut GraphDraft,
    ) -> Result<(), DraftFault> {
        for relationship in information.relationships() {
            self.add(relationship.symbol, graph)?;
        }
        let Some(node) = self.add(information.symbol, graph)? else { return Ok(()) };
        let declared = &mut self.declared[node as usize];
        if information.kind == 0 || declared.is_of_kind {
            return Ok(());
        }
        declared.is_of_kind = true;
        if let Some(symbol) = Symbol::of(information.symbol) {
            declared.class = Class::of(&symbol, information.kind);
            graph.set_label(node, declared.class.label())?;
        }
        Ok(())
    }

    pub(super) fn class(&self, node: u32) -> Class {
        self.declared.get(node as usize).map_or(Class::Unknown, |declared| declared.class)
    }

    /// The occurrence that gives a symbol its place; `None` for symbols of other projects.
    pub(super) fn definition(&self, node: u32) -> Option<Definition> {
        match self.declared.get(node as usize)?.place {
            Place::Nowhere => None,
            Place::Forward(definition) | Place::Defined(definition) => Some(definition),
        }
    }

    /// The numbers of all nodes up to the last symbol's. Some of them are files.
    pub(super) fn nodes(&self) -> std::ops::Range<u32> {
        0..self.declared.len() as u32
    }

    /// The node of a symbol, which is added if it is new. `None` if the text is not a symbol that all
    /// documents know.
    fn add(&mut self, text: &str, graph: &mut GraphDraft) -> Result<Option<u32>, DraftFault> {
        if text.is_empty() || is_local(text) {
            return Ok(None);
        }
        if let Some(node) = graph.find(text) {
            return Ok(Some(node));
        }
        let Some(symbol) = Symbol::of(text) else { return Ok(None) };
        let class = Class::of(&symbol, 0);
        let node = graph.symbol(text, class.label())?;
        graph.text(Property::Name, node, &symbol.name())?;
        graph.text(Property::FullName, node, symbol.descriptors)?;
        graph.text(Property::Package, node, symbol.package)?;
        let more = (node as usize + 1).saturating_sub(self.declared.len());
        self.room.make_room(&mut self.declared, more)?;
        // Nodes of files, which are among the symbols' nodes, get an entry too.
        let entry = Declared { class: Class::Unknown, is_of_kind: true, place: Place::Nowhere };
        self.declared.resize(node as usize, entry);
        self.declared.push(Declared { class, is_of_kind: false, place: Place::Nowhere });
        Ok(Some(node))
    }

    /// Notes that a symbol has an occurrence. The first definition gives the symbol its place.
    fn place(&mut self, node: u32, roles: Roles, definition: Definition) {
        let place = &mut self.declared[node as usize].place;
        match (roles.is_definition(), *place) {
            (true, Place::Nowhere | Place::Forward(_)) => *place = Place::Defined(definition),
            (false, Place::Nowhere) if roles.is_forward() => *place = Place::Forward(definition),
            _ => {}
        }
    }
}
