//! Reads the facts of files from the graph of an index.

use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;

use varvite::{Budget, Graph, GraphError, OpenOptions, Property, Task};

use super::entry::FileFacts;
use super::schema::*;
use crate::error::{CorpusError, Result};
use crate::facts::{CodeFacts, Content, Function, Import, Sketch, lines_of};

/// The facts of files in an index, by the identity of the file.
pub(super) type Known = HashMap<String, Arc<FileFacts>>;

/// Opens an index.
///
/// # Errors
/// [`CorpusError::NotAnIndex`] for any other graph.
pub(super) fn open(path: &Path) -> Result<Graph> {
    let graph = OpenOptions::new().checked().open(path)?;
    match graph.label(CORPUS).and(graph.property(VERSION_NAME)) {
        Ok(_) => Ok(graph),
        Err(GraphError::Unknown { .. }) => Err(CorpusError::NotAnIndex { path: path.to_owned() }),
        Err(error) => Err(error.into()),
    }
}

/// The version of an index.
pub(super) fn version_of(graph: &Graph) -> Result<Option<i64>> {
    let version = graph.property(VERSION_NAME)?;
    Ok(graph.nodes(CORPUS)?.iter().next().and_then(|node| version.number(node)))
}

/// Reads the facts of all files of an index; none if the index has another version.
pub(super) fn read(graph: &Graph, task: &Task<'_>, budget: &Budget) -> Result<Known> {
    let mut known = Known::new();
    if version_of(graph)? != Some(VERSION) {
        return Ok(known);
    }
    let reader = Reader::open(graph)?;
    let (defines, uses) = (graph.out(DEFINES)?, graph.out(USES)?);
    for file in graph.nodes(FILE)?.iter() {
        task.check()?;
        let Some(identity) = reader.identity.str(file).map(String::from) else { continue };
        let functions = defines.neighbors(file).filter_map(|method| reader.function(method)).collect();
        let imports = uses.neighbors(file).filter_map(|method| reader.import(method)).collect();
        let code = CodeFacts { language: text(&reader.language, file), functions, imports };
        budget.take(code.bytes()).map_err(GraphError::from)?;
        let nodes = number(&reader.nodes, file).unwrap_or(0);
        known.insert(identity.clone(), Arc::new(FileFacts { identity, nodes, code }));
    }
    graph.check()?;
    Ok(known)
}

/// The columns of an index.
pub(super) struct Reader {
    identity: Property,
    language: Property,
    nodes: Property,
    name: Property,
    full_name: Property,
    signature: Property,
    source: Property,
    line: Property,
    line_end: Property,
    node: Property,
    linkage: Property,
    content: Property,
    sketch: Property,
    calls: Property,
    graph: Property,
}

impl Reader {
    pub(super) fn open(graph: &Graph) -> Result<Self> {
        let property = |name| graph.property(name);
        Ok(Self {
            identity: property(IDENTITY)?,
            language: property(LANGUAGE)?,
            nodes: property(NODES)?,
            name: property(NAME)?,
            full_name: property(FULL_NAME)?,
            signature: property(SIGNATURE)?,
            source: property(FILENAME)?,
            line: property(LINE_NUMBER)?,
            line_end: property(LINE_NUMBER_END)?,
            node: property(NODE)?,
            linkage: property(LINKAGE)?,
            content: property(CONTENT)?,
            sketch: property(SKETCH)?,
            calls: property(CALLS)?,
            graph: property(GRAPH)?,
        })
    }

    pub(super) fn function(&self, method: u32) -> Option<Function> {
        Some(Function {
            node: number(&self.node, method)?,
            name: text(&self.name, method),
            full_name: text(&self.full_name, method),
            signature: text(&self.signature, method),
            source: text(&self.source, method),
            line: self.line.number(method),
            line_end: self.line_end.number(method),
            is_exported: self.linkage.str(method).is_some_and(|linkage| *linkage == *EXPORTED),
            content: self.content(method),
            sketch: self.sketch(method),
        })
    }

    /// The number of lines of a function; 0 if a line is unknown.
    pub(super) fn lines(&self, method: u32) -> u64 {
        let lines = self.line.number(method).zip(self.line_end.number(method));
        lines_of(lines)
    }

    /// The digest of a function; `None` for a use.
    pub(super) fn content(&self, method: u32) -> Option<Content> {
        self.content.str(method).and_then(|digits| Content::parse(&digits))
    }

    /// The sketch of a function that has one.
    pub(super) fn sketch(&self, method: u32) -> Option<Sketch> {
        self.sketch.str(method).and_then(|digits| Sketch::parse(&digits))
    }

    /// The path of the graph that a function is in.
    pub(super) fn graph(&self, method: u32) -> String {
        text(&self.graph, method)
    }

    fn import(&self, method: u32) -> Option<Import> {
        Some(Import {
            node: number(&self.node, method)?,
            name: text(&self.name, method),
            full_name: text(&self.full_name, method),
            signature: text(&self.signature, method),
            calls: self.calls.number(method).and_then(|calls| u64::try_from(calls).ok())?,
        })
    }
}

fn number(property: &Property, node: u32) -> Option<u32> {
    property.number(node).and_then(|number| u32::try_from(number).ok())
}

fn text(property: &Property, node: u32) -> String {
    property.str(node).map(String::from).unwrap_or_default()
}
