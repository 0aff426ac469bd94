//! [`Sites`]: the location of nodes in the source: METHOD, file and line.
//!
//! A node is in the METHOD that CONTAINS it or, if there is none, in its nearest ancestor that is a METHOD.
//! Its file is the FILENAME of the node itself or of its nearest ancestor that has one, such as a METHOD. The
//! file of a FILE node is its NAME. Placeholders of frontends (`<empty>`, `<unknown>`, `<includes>`) are not
//! files, and the search continues with the ancestors. If a graph lacks a column, only the part of the result
//! that comes from it is missing: without FILENAME, there are still line numbers.

use varvite::cursor::LabelTest;
use varvite::error::optional;
use varvite::{Adjacency, Graph, Property, Str};

use crate::cursors::Codes;
use crate::error::Result;

/// The maximum number of in-edges CONTAINS of a node that are read to find the METHOD of the node. Usually a
/// node has only one such edge.
const CONTAINERS_MAX: usize = 8;
/// The number of nodes whose places a cursor remembers. A power of two.
const REMEMBERED: usize = 1 << 10;
/// The number of steps up the tree that a cursor may take even in a small graph.
const STEPS_FREE: u64 = 1 << 20;
/// The number of additional steps allowed for each node of the graph.
const STEPS_OF_NODE: u64 = 16;
/// The number of additional steps allowed for each search of a node's ancestors.
const STEPS_OF_QUESTION: u64 = 64;

/// The columns that give the locations of nodes in the source. They are opened once for a graph, and read
/// through [`Sites::cursor`].
#[derive(Clone, Debug)]
pub struct Sites {
    is_method: Option<LabelTest>,
    is_file: Option<LabelTest>,
    containers: Option<Adjacency>,
    parents: Option<Adjacency>,
    name: Option<Property>,
    full_name: Option<Property>,
    file_name: Option<Property>,
    line: Option<Property>,
    /// The codes of the placeholders in the property FILENAME, and in the property NAME.
    no_files: Option<Codes>,
    no_names: Option<Codes>,
    nodes: u32,
}

/// Texts by which frontends mark that there is no file.
const NO_FILES: [&str; 4] = ["<empty>", "<unknown>", "<includes>", ""];

/// The location of a node in the source. Parts that the graph lacks are `None`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Site<'c> {
    /// The name of the file, exactly as in the graph.
    pub file: Option<&'c str>,
    /// The line in the file, counted from 1.
    pub line: Option<i64>,
    /// The METHOD that contains the node, or the node itself if it is a METHOD.
    pub method: Option<u32>,
    /// The FULL_NAME of `method` or, in a graph without FULL_NAME, its NAME.
    pub method_name: Option<&'c str>,
}

impl Sites {
    /// Opens the columns.
    ///
    /// # Errors
    /// Fails if the graph can't be read. Missing labels, edge labels and properties are not errors.
    pub fn open(graph: &Graph) -> Result<Self> {
        let (file_name, name) = (optional(graph.property("FILENAME"))?, optional(graph.property("NAME"))?);
        let no_files = |names: &Option<Property>| names.as_ref().map(|names| Codes::of(names, &NO_FILES));
        Ok(Self {
            no_files: no_files(&file_name),
            no_names: no_files(&name),
            is_method: label_test(graph, "METHOD")?,
            is_file: label_test(graph, "FILE")?,
            containers: optional(graph.in_("CONTAINS"))?,
            parents: optional(graph.in_("AST"))?,
            name,
            full_name: optional(graph.property("FULL_NAME"))?,
            file_name,
            line: optional(graph.property("LINE_NUMBER"))?,
            nodes: graph.node_count(),
        })
    }

    /// Whether the graph has the names of files.
    pub fn has_files(&self) -> bool {
        self.file_name.is_some() || self.is_file.is_some()
    }

    /// Whether the graph has line numbers.
    pub fn has_lines(&self) -> bool {
        self.line.is_some()
    }

    /// Whether the graph has the label METHOD.
    pub fn has_methods(&self) -> bool {
        self.is_method.is_some()
    }

    /// Makes a reader for many nodes.
    pub fn cursor(&self) -> SiteCursor<'_> {
        SiteCursor {
            sites: self,
            remembered: Vec::new(),
            trail: Vec::new(),
            steps: STEPS_FREE + STEPS_OF_NODE * u64::from(self.nodes),
            is_complete: true,
            last: None,
            last_method: None,
            file: Cached::default(),
            method_name: Cached::default(),
        }
    }

    fn is_method(&self, node: u32) -> bool {
        self.is_method.as_ref().is_some_and(|test| test.matches(node))
    }

    /// Whether a node has the name of its file, or is a file.
    fn has_file(&self, node: u32) -> bool {
        let is_none = |codes: &Option<Codes>| codes.as_ref().is_some_and(|codes| codes.matches(node));
        if self.is_file.as_ref().is_some_and(|test| test.matches(node)) {
            return !is_none(&self.no_names);
        }
        self.file_name.as_ref().is_some_and(|names| names.is_present(node)) && !is_none(&self.no_files)
    }

    /// The METHOD that contains a node, found along its edge CONTAINS.
    fn container(&self, node: u32) -> Option<u32> {
        let mut containers = self.containers.as_ref()?.neighbors(node).take(CONTAINERS_MAX);
        containers.find(|container| self.is_method(*container))
    }

    fn file_of(&self, owner: u32) -> Option<Str<'_>> {
        let is_file = self.is_file.as_ref().is_some_and(|test| test.matches(owner));
        if is_file { self.name.as_ref()?.str(owner) } else { self.file_name.as_ref()?.str(owner) }
    }

    fn name_of(&self, method: u32) -> Option<Str<'_>> {
        self.full_name.as_ref().or(self.name.as_ref())?.str(method)
    }
}

/// Reads the locations of nodes, one after another.
///
/// A look-up costs a hop along CONTAINS, or a short walk up the tree. Texts are read only if the file or the
/// METHOD is not the same as for the preceding node. The cursor allocates only for its first walk.
#[derive(Debug)]
pub struct SiteCursor<'s> {
    sites: &'s Sites,
    /// The places of nodes that walks have passed, indexed by the low bits of their ids.
    remembered: Vec<Option<(u32, Place)>>,
    /// The nodes of the current walk.
    trail: Vec<u32>,
    /// The number of remaining steps up the tree.
    steps: u64,
    is_complete: bool,
    /// The last result, since the next look-up is often for the same node.
    last: Option<(u32, Place)>,
    /// The last METHOD whose file was looked up, and the node that has the name of that file.
    last_method: Option<(u32, Option<u32>)>,
    file: Cached<'s>,
    method_name: Cached<'s>,
}

/// The nodes that give a node's location.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Place {
    /// The METHOD of the node.
    method: Option<u32>,
    /// The node that has the name of the file.
    owner: Option<u32>,
}

/// The text of the node that was looked up last.
#[derive(Debug, Default)]
struct Cached<'s> {
    node: Option<u32>,
    text: Option<Str<'s>>,
}

impl<'s> Cached<'s> {
    fn of(&mut self, node: Option<u32>, read: impl FnOnce(u32) -> Option<Str<'s>>) {
        if self.node != node {
            self.text = node.and_then(read);
            self.node = node;
        }
    }
}

impl SiteCursor<'_> {
    /// The location of a node in the source.
    pub fn at(&mut self, node: u32) -> Site<'_> {
        let sites = self.sites;
        let Place { method, owner } = self.place(node);
        self.file.of(owner, |owner| sites.file_of(owner));
        self.method_name.of(method, |method| sites.name_of(method));
        Site {
            file: self.file.text.as_deref(),
            line: sites.line.as_ref().and_then(|lines| lines.number(node)),
            method,
            method_name: self.method_name.text.as_deref(),
        }
    }

    /// The METHOD that contains a node, or the node itself if it is a METHOD.
    pub fn method(&mut self, node: u32) -> Option<u32> {
        self.place(node).method
    }

    /// Whether every walk was completed. A cursor takes a limited number of steps, so that a tree that is one
    /// long chain costs no more than other trees. If a walk was given up, the node gets neither a METHOD nor
    /// a file.
    pub fn is_complete(&self) -> bool {
        self.is_complete
    }

    fn place(&mut self, node: u32) -> Place {
        match self.last {
            Some((last, place)) if last == node => place,
            _ => {
                let place = self.find(node);
                self.last = Some((node, place));
                place
            }
        }
    }

    fn find(&mut self, node: u32) -> Place {
        let sites = self.sites;
        let own = sites.has_file(node).then_some(node);
        if sites.is_method(node) {
            return Place { method: Some(node), owner: own.or_else(|| self.owner_of_method(node)) };
        }
        if let Some(method) = sites.container(node) {
            return Place { method: Some(method), owner: own.or_else(|| self.owner_of_method(method)) };
        }
        let above = self.above(node);
        let place = Place { owner: own.or(above.owner), ..above };
        self.remember(node, place);
        place
    }

    /// The node that has the file name of a METHOD: the METHOD itself, as in most graphs, or an ancestor.
    fn owner_of_method(&mut self, method: u32) -> Option<u32> {
        match self.last_method {
            Some((last, owner)) if last == method => owner,
            _ => {
                let owner = if self.sites.has_file(method) { Some(method) } else { self.above(method).owner };
                self.last_method = Some((method, owner));
                owner
            }
        }
    }

    /// The [`Place`] of a node, found by a walk through its ancestors.
    fn above(&mut self, node: u32) -> Place {
        let sites = self.sites;
        let Some(parents) = &sites.parents else { return Place::default() };
        self.steps = self.steps.saturating_add(STEPS_OF_QUESTION);
        self.trail.clear();
        let (mut at, mut place) = (node, Place::default());
        while let Some(parent) = parents.first(at) {
            if self.steps == 0 {
                self.is_complete = false;
                return place;
            }
            self.steps -= 1;
            if let Some(known) = self.remembered(parent) {
                place = Place { method: place.method.or(known.method), owner: place.owner.or(known.owner) };
                break;
            }
            // Above the owner or the METHOD, ancestors may have a different place, so this place is not
            // remembered for them.
            if place == Place::default() && self.trail.len() < REMEMBERED {
                self.trail.push(parent);
            }
            place.owner = place.owner.or_else(|| sites.has_file(parent).then_some(parent));
            if place.method.is_none() && sites.is_method(parent) {
                place.method = Some(parent);
            }
            // Above the METHOD, the search only looks for the file name.
            if place.method.is_some() && (place.owner.is_some() || !sites.has_files()) {
                break;
            }
            at = parent;
        }
        while let Some(node) = self.trail.pop() {
            self.remember(node, place);
        }
        place
    }

    fn remembered(&self, node: u32) -> Option<Place> {
        let entry = self.remembered.get(node as usize % REMEMBERED)?.as_ref();
        entry.filter(|(known, _)| *known == node).map(|(_, place)| *place)
    }

    fn remember(&mut self, node: u32, place: Place) {
        self.remembered.resize(REMEMBERED, None);
        self.remembered[node as usize % REMEMBERED] = Some((node, place));
    }
}

fn label_test(graph: &Graph, label: &str) -> Result<Option<LabelTest>> {
    let Some(id) = optional(graph.label(label))? else { return Ok(None) };
    Ok(Some(graph.label_sets()?.test(id)))
}
