//! The second pass: a document's occurrences become nodes and edges.

use std::collections::HashMap;

use varvite::Task;
use varvite_graph::Reserved;
use varvite_graph::internal::DraftFault;

use super::call_site::{code_of, is_called, is_declared};
use super::class::Class;
use super::counts::ScipCounts;
use super::graph::{EdgeLabel, GraphDraft, Label, Property};
use super::locals::Locals;
use super::message::{Document, Information, Occurrence, Relationship};
use super::range::{Position, Range};
use super::scopes::{Scope, Scopes};
use super::source_text::{SourceText, Spot, TextCursor};
use super::symbol::{Symbol, is_local};
use super::symbols::{Definition, Symbols};

/// How many occurrences are added between two checks for cancellation.
const CHECK_EVERY: usize = 1 << 16;
/// Bytes of memory for each entry of a table of counters.
const COUNTER: usize = 32;

/// What the second pass adds to, and what it knows from the first one.
pub(super) struct SecondPass<'a> {
    pub(super) symbols: &'a Symbols,
    pub(super) graph: &'a mut GraphDraft,
    pub(super) counts: &'a mut ScipCounts,
    pub(super) task: &'a Task<'a>,
}

/// Adds the occurrences of one document to the graph.
struct DocumentGraph<'a, 'm> {
    document: &'a Document<'m>,
    number: u32,
    file: u32,
    source: Option<TextCursor<'m>>,
    symbols: &'a Symbols,
    graph: &'a mut GraphDraft,
    counts: &'a mut ScipCounts,
    locals: Locals<'m>,
    scopes: Scopes,
    /// Whether no definition of the document has an enclosing range.
    is_inferred: bool,
    /// The number of children of each node that has some, and of parameters of each METHOD.
    children: Counters,
    parameters: Counters,
    /// The start of the last definition.
    defined_at: Option<Position>,
}

/// The symbol of an occurrence.
#[derive(Clone, Copy)]
struct Target<'m> {
    node: u32,
    class: Class,
    /// The parts of a symbol that is known in all documents.
    symbol: Option<Symbol<'m>>,
    /// The name of a symbol of this document.
    local_name: &'m str,
    /// Whether this occurrence gives the symbol its place.
    is_place: bool,
}

impl Target<'_> {
    fn name(&self) -> std::borrow::Cow<'_, str> {
        self.symbol.as_ref().map_or_else(|| self.local_name.into(), Symbol::name)
    }

    /// The name in the graph's namespace of names: FULL_NAME of the symbol's node.
    fn full_name(&self) -> &str {
        self.symbol.as_ref().map_or(self.local_name, |symbol| symbol.descriptors)
    }
}

/// Adds a document to the graph.
pub(super) fn add_document<'m>(
    document: &Document<'m>,
    number: u32,
    source: Option<&'m SourceText<'m>>,
    pass: &mut SecondPass<'_>,
) -> Result<(), DraftFault> {
    let SecondPass { symbols, graph, counts, task } = pass;
    let (file, is_new) = graph.file(document.path)?;
    counts.repeated_documents += u64::from(!is_new);
    if is_new {
        graph.text(Property::Name, file, document.path)?;
    }
    let mut room = Reserved::nothing_of(graph.budget());
    let order = in_order(&document.occurrences, &mut room)?;
    let locals = Locals::of(document, &order, source.map(SourceText::cursor), graph)?;
    counts.local_symbols += locals.len() as u64;
    let mut adding = DocumentGraph {
        document,
        number,
        file,
        source: source.map(SourceText::cursor),
        symbols,
        children: Counters::within(Reserved::nothing_of(graph.budget())),
        parameters: Counters::within(Reserved::nothing_of(graph.budget())),
        graph,
        counts,
        locals,
        scopes: Scopes::of(Vec::new(), file),
        is_inferred: false,
        defined_at: None,
    };
    let scopes = adding.scopes(&mut room)?;
    adding.is_inferred = scopes.is_empty();
    adding.scopes = Scopes::of(scopes, file);
    for some in order.chunks(CHECK_EVERY) {
        task.check().map_err(|cancelled| DraftFault::Change(cancelled.into()))?;
        some.iter().try_for_each(|number| adding.add(*number))?;
    }
    let relate = |information| adding.relate(information);
    document.symbols.iter().try_for_each(relate)
}

/// Adds the relationships of a symbol that is known in all documents.
pub(super) fn add_relationships(
    information: &Information<'_>,
    pass: &mut SecondPass<'_>,
) -> Result<(), DraftFault> {
    let SecondPass { symbols, graph, counts, .. } = pass;
    let find = |graph: &GraphDraft, symbol: &str| graph.find(symbol).map(|node| (node, symbols.class(node)));
    for relationship in information.relationships() {
        let ends = find(graph, information.symbol).zip(find(graph, relationship.symbol));
        add_relationship(&relationship, ends, graph, counts)?;
    }
    Ok(())
}

/// Adds an edge for each relation of two symbols.
fn add_relationship(
    relationship: &Relationship<'_>,
    ends: Option<((u32, Class), (u32, Class))>,
    graph: &mut GraphDraft,
    counts: &mut ScipCounts,
) -> Result<(), DraftFault> {
    let Some(((source, class), (target, target_class))) = ends else {
        counts.invalid_relationships += 1;
        return Ok(());
    };
    let implementation = match class == Class::Type && target_class == Class::Type {
        true => EdgeLabel::InheritsFrom,
        false => EdgeLabel::IsImplementation,
    };
    let edges = [
        (relationship.is_implementation, implementation),
        (relationship.is_type_definition, EdgeLabel::EvalType),
        (relationship.is_reference, EdgeLabel::IsReference),
        (relationship.is_definition, EdgeLabel::IsDefinition),
    ];
    let mut is_edge = false;
    for (_, label) in edges.iter().filter(|(is_so, _)| *is_so) {
        graph.edge(*label, source, target)?;
        is_edge = true;
    }
    match is_edge {
        true => counts.relationships += 1,
        false => counts.relationships_without_kind += 1,
    }
    Ok(())
}

impl<'m> DocumentGraph<'_, 'm> {
    /// The definitions that enclose other occurrences. `room` pays for their list.
    fn scopes(&self, room: &mut Reserved) -> Result<Vec<Scope>, DraftFault> {
        let mut scopes = Vec::new();
        for (number, occurrence) in (0..).zip(&self.document.occurrences) {
            let Some(range) = occurrence.enclosing.filter(|_| occurrence.roles.is_definition()) else {
                continue;
            };
            if let Some(target) = self.target(number, occurrence).filter(|target| target.class.is_scope()) {
                room.make_room(&mut scopes, 1)?;
                scopes.push(self.scope(range, &target));
            }
        }
        // The stack of the scopes around a position.
        room.take(scopes.len() * size_of::<Scope>())?;
        Ok(scopes)
    }

    /// The scope of a definition. If the symbol's place is in another document, its METHOD contains nothing
    /// here, because a METHOD has one file.
    fn scope(&self, range: Range, target: &Target<'m>) -> Scope {
        let (node, is_here) = (target.node, self.is_here(target.node));
        Scope {
            range,
            node,
            parent: if is_here { node } else { self.file },
            is_method: is_here && target.class == Class::Method,
            is_local: target.symbol.is_none(),
        }
    }

    /// Whether a symbol's place is in this document.
    fn is_here(&self, node: u32) -> bool {
        match self.symbols.nodes().contains(&node) {
            true => self.symbols.definition(node).is_some_and(|found| found.document == self.number),
            false => true,
        }
    }

    /// The symbol of an occurrence. `None` if it has no valid symbol.
    fn target(&self, number: u32, occurrence: &Occurrence<'m>) -> Option<Target<'m>> {
        if is_local(occurrence.symbol) {
            let local = self.locals.get(occurrence.symbol)?;
            let is_place = local.definition == Some(number);
            let (node, class) = (local.node, local.class);
            return Some(Target { node, class, symbol: None, local_name: local.name, is_place });
        }
        let node = self.graph.find(occurrence.symbol)?;
        let here = Definition { document: self.number, occurrence: number };
        Some(Target {
            node,
            class: self.symbols.class(node),
            symbol: Symbol::of(occurrence.symbol),
            local_name: "",
            is_place: self.symbols.definition(node) == Some(here),
        })
    }

    fn add(&mut self, number: u32) -> Result<(), DraftFault> {
        let occurrence = self.document.occurrences[number as usize];
        self.counts.occurrences += 1;
        self.scopes.move_to(occurrence.range.start);
        if occurrence.symbol.is_empty() {
            self.counts.without_symbol += 1;
            return Ok(());
        }
        let Some(target) = self.target(number, &occurrence) else {
            self.counts.invalid += 1;
            return Ok(());
        };
        if occurrence.roles.is_definition() {
            self.defined_at = Some(occurrence.range.start);
            if self.is_inferred && matches!(target.class, Class::Method | Class::Type) {
                let range = Range { end: Position::END, ..occurrence.range };
                self.scopes.replace(self.scope(range, &target));
            }
        }
        if target.is_place {
            self.counts.definitions += 1;
            return self.define(&target, &occurrence);
        }
        match occurrence.roles.is_definition() {
            true => self.counts.further_definitions += 1,
            false => self.counts.references += 1,
        }
        self.refer(&target, &occurrence)
    }

    /// Gives the node of a symbol its place in the source and in the tree.
    fn define(&mut self, target: &Target<'m>, occurrence: &Occurrence<'m>) -> Result<(), DraftFault> {
        let (node, parent) = (target.node, self.parent_of(target));
        self.below(parent, node, occurrence)?;
        if let Some(Range { end, .. }) = occurrence.enclosing {
            self.graph.number(Property::LineNumberEnd, node, end.line + 1)?;
            self.graph.number(Property::ColumnNumberEnd, node, end.column)?;
        }
        if target.class == Class::Parameter {
            let index = self.parameters.next(parent)?;
            self.graph.number(Property::Index, node, index)?;
        }
        if target.class.is_scope() {
            self.graph.text(Property::FileName, node, self.document.path)?;
            self.graph.edge(EdgeLabel::SourceFile, node, self.file)?;
        }
        if target.symbol.is_none() && target.class == Class::Method {
            self.graph.text(Property::FullName, node, target.local_name)?;
        }
        Ok(())
    }

    /// The parent of a definition: for a symbol that is known in all documents, the symbol of its descriptors
    /// without the last one, if that one is defined in this document. So no symbol is below itself.
    fn parent_of(&self, target: &Target<'m>) -> u32 {
        match &target.symbol {
            None if target.class.is_scope() => self.scopes.global_parent(),
            None => self.scopes.parent(),
            Some(symbol) => {
                self.graph.find(symbol.parent).filter(|parent| self.is_here(*parent)).unwrap_or(self.file)
            }
        }
    }

    /// Adds the node of a reference.
    fn refer(&mut self, target: &Target<'m>, occurrence: &Occurrence<'m>) -> Result<(), DraftFault> {
        let call = self.call(target, occurrence);
        let label = match call {
            _ if occurrence.roles.is_import() => Label::Import,
            Some(_) => Label::Call,
            None => target.class.reference(),
        };
        let node = self.graph.node(label)?;
        self.below(self.scopes.parent(), node, occurrence)?;
        let method = self.scopes.method();
        if let Some(method) = method {
            self.graph.edge(EdgeLabel::Contains, method, node)?;
        }
        self.name(label, node, target)?;
        let Some(spot) = call else {
            let is_reference = !occurrence.roles.is_definition();
            self.counts.method_refs += u64::from(target.class == Class::Method && is_reference);
            return self.graph.edge(EdgeLabel::Ref, node, target.node);
        };
        self.counts.calls += 1;
        self.counts.calls_outside += u64::from(method.is_none());
        self.counts.inferred_methods += u64::from(method.is_some() && self.is_inferred);
        self.graph.text(Property::Code, node, code_of(spot.text, spot.name().len()))?;
        self.graph.edge(EdgeLabel::Call, node, target.node)
    }

    /// The place of a call in the source. `None` if a reference is not to a method, or if the source does not
    /// show a call there.
    fn call(&mut self, target: &Target<'m>, occurrence: &Occurrence<'m>) -> Option<Spot<'m>> {
        let roles = occurrence.roles;
        if target.class != Class::Method || roles.is_import() || roles.is_definition() || roles.is_forward() {
            return None;
        }
        let Some(spot) = self.source.as_mut()?.spot(occurrence.range) else {
            self.counts.sources.misplaced += 1;
            return None;
        };
        // The name of a method that is defined here, and that overrides the target, is not a call of it.
        let is_definition = self.defined_at == Some(occurrence.range.start) || is_declared(spot.before);
        (!is_definition && is_called(spot.behind(), self.document.language)).then_some(spot)
    }

    fn name(&mut self, label: Label, node: u32, target: &Target<'m>) -> Result<(), DraftFault> {
        let graph = &mut *self.graph;
        match label {
            Label::Call => {
                graph.text(Property::Name, node, &target.name())?;
                graph.text(Property::MethodFullName, node, target.full_name())
            }
            Label::MethodRef => graph.text(Property::MethodFullName, node, target.full_name()),
            Label::TypeRef => graph.text(Property::TypeFullName, node, target.full_name()),
            Label::FieldIdentifier => graph.text(Property::CanonicalName, node, &target.name()),
            Label::Import => graph.text(Property::ImportedEntity, node, target.full_name()),
            _ => graph.text(Property::Name, node, &target.name()),
        }
    }

    /// Puts a node below another one, with its place in the source.
    fn below(&mut self, parent: u32, node: u32, occurrence: &Occurrence<'m>) -> Result<(), DraftFault> {
        let order = self.children.next(parent)?;
        let start = occurrence.range.start;
        self.graph.edge(EdgeLabel::Ast, parent, node)?;
        self.graph.number(Property::Order, node, order)?;
        self.graph.number(Property::LineNumber, node, start.line + 1)?;
        self.graph.number(Property::ColumnNumber, node, start.column + 1)?;
        let roles = u32::try_from(occurrence.roles.0).unwrap_or(0);
        match roles {
            0 => Ok(()),
            _ => self.graph.number(Property::SymbolRoles, node, roles),
        }
    }

    /// Adds the relationships of a symbol.
    fn relate(&mut self, information: &Information<'m>) -> Result<(), DraftFault> {
        for relationship in information.relationships() {
            let ends = self.class_of(information.symbol).zip(self.class_of(relationship.symbol));
            add_relationship(&relationship, ends, self.graph, self.counts)?;
        }
        Ok(())
    }

    fn class_of(&self, symbol: &str) -> Option<(u32, Class)> {
        if is_local(symbol) {
            return self.locals.get(symbol).map(|local| (local.node, local.class));
        }
        self.graph.find(symbol).map(|node| (node, self.symbols.class(node)))
    }
}

/// The numbers of occurrences, by their start; at one start, definitions come first.
fn in_order(occurrences: &[Occurrence<'_>], room: &mut Reserved) -> Result<Vec<u32>, DraftFault> {
    let mut order = Vec::new();
    room.make_room(&mut order, occurrences.len())?;
    order.extend(0..occurrences.len() as u32);
    order.sort_unstable_by_key(|number| {
        let occurrence = &occurrences[*number as usize];
        (occurrence.range.start, !occurrence.roles.is_definition(), *number)
    });
    Ok(order)
}

/// Counts from 1 for each node.
struct Counters {
    of_node: HashMap<u32, u32>,
    room: Reserved,
}

impl Counters {
    fn within(room: Reserved) -> Self {
        Self { of_node: HashMap::new(), room }
    }

    fn next(&mut self, node: u32) -> Result<u32, DraftFault> {
        if !self.of_node.contains_key(&node) {
            self.room.take(COUNTER)?;
        }
        let count = self.of_node.entry(node).or_default();
        *count += 1;
        Ok(*count)
    }
}
