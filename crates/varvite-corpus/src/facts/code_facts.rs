//! [`CodeFacts`]: the functions of a graph, and the names that it uses from elsewhere.

use std::collections::HashSet;

use varvite::cursor::LabelTest;
use varvite::error::optional;
use varvite::{Adjacency, Budget, Graph, GraphError, LabelNodes, Property, Task};
use varvite_cpg::is_operator;

use super::content::{Content, Contents, contents_of};
use super::sketch::{Sketch, Sketches, sketches_of};
use super::storage_class::is_static;
use crate::error::FileError;
use crate::linkage::Linkage;

/// The mark in FULL_NAME of a METHOD that shares its name with another one of the same graph.
const DUPLICATE: &str = "<duplicate>";
/// Names of METHODs that stand for the code of a whole file.
const WHOLE_FILES: [&str; 2] = ["<global>", "<module>"];
/// CODE of a node that has no code, such as the BLOCK of a declaration.
const EMPTY: &str = "<empty>";
/// The number of METHODs between two looks at the clock.
const METHODS_AT_ONCE: usize = 1024;

/// The functions of a graph, and the names that it uses from elsewhere.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct CodeFacts {
    /// LANGUAGE of META_DATA; empty if the graph has none.
    pub language: String,
    /// The METHODs that have a body, in the order of their ids.
    pub functions: Vec<Function>,
    /// The METHODs without a body that are called, in the order of their ids.
    pub imports: Vec<Import>,
}

/// A METHOD with a body.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Function {
    /// The node in its graph.
    pub node: u32,
    /// NAME.
    pub name: String,
    /// FULL_NAME, without the mark of duplicates.
    pub full_name: String,
    /// SIGNATURE.
    pub signature: String,
    /// FILENAME: the file of source code.
    pub source: String,
    /// The first line, counted from 1.
    pub line: Option<i64>,
    /// The last line.
    pub line_end: Option<i64>,
    /// Whether other files can link to the function: in C, it is not `static`.
    pub is_exported: bool,
    /// The digest of its content. `None` if the syntax tree of the graph is not a range of ids.
    pub content: Option<Content>,
    /// The sketch of its tokens. `None` without a digest, and for a function of few tokens.
    pub sketch: Option<Sketch>,
}

/// A METHOD without a body that is called.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Import {
    /// The node in its graph.
    pub node: u32,
    /// NAME.
    pub name: String,
    /// FULL_NAME, without the mark of duplicates.
    pub full_name: String,
    /// SIGNATURE.
    pub signature: String,
    /// The number of CALLs that lead to the METHOD.
    pub calls: u64,
}

impl Function {
    /// The number of lines; 0 if a line is unknown.
    pub fn lines(&self) -> u64 {
        lines_of(self.line.zip(self.line_end))
    }
}

/// The number of lines from the first to the last; 0 if a line is unknown.
pub(crate) fn lines_of(ends: Option<(i64, i64)>) -> u64 {
    let lines = ends.and_then(|(first, last)| last.checked_sub(first)?.checked_add(1));
    lines.and_then(|lines| u64::try_from(lines).ok()).unwrap_or(0)
}

impl CodeFacts {
    /// Reads the facts of a graph. A graph without METHODs has none.
    ///
    /// **Cost**: two passes over the graph for digests and sketches, and a few texts of each METHOD.
    ///
    /// # Errors
    /// Fails if the graph can't be read, if the task is cancelled, or if the facts need more memory than the
    /// task has.
    pub fn of(graph: &Graph, task: &Task<'_>) -> Result<Self, FileError> {
        let Some(methods) = optional(graph.nodes("METHOD"))? else { return Ok(Self::default()) };
        let budget = Budget::of(task);
        let language = language_of(graph)?;
        let reader = Reader::open(graph, &language)?;
        let with_body: HashSet<u32> = reader.with_body(&methods, task, &budget)?;
        let contents = contents_of(graph, task, &budget, |node| with_body.contains(&node))?;
        let sketches = sketches_of(graph, task, &budget, |node| with_body.contains(&node))?;
        let mut facts = Self { language, ..Self::default() };
        for (count, node) in methods.iter().enumerate() {
            if count % METHODS_AT_ONCE == 0 {
                task.check().map_err(GraphError::from)?;
            }
            if with_body.contains(&node) {
                let function = reader.function(node, contents.as_ref(), &sketches);
                budget.take(function.as_ref().map_or(0, Function::bytes)).map_err(GraphError::from)?;
                facts.functions.extend(function);
            } else {
                let import = reader.import(node);
                budget.take(import.as_ref().map_or(0, Import::bytes)).map_err(GraphError::from)?;
                facts.imports.extend(import);
            }
        }
        facts.drop_own_names();
        Ok(facts)
    }

    /// The approximate number of bytes of all facts.
    pub(crate) fn bytes(&self) -> usize {
        self.functions.iter().map(Function::bytes).sum::<usize>()
            + self.imports.iter().map(Import::bytes).sum::<usize>()
    }

    /// Drops declarations of functions that the graph itself defines.
    fn drop_own_names(&mut self) {
        let own: HashSet<&str> = self.functions.iter().map(|function| &*function.full_name).collect();
        self.imports.retain(|import| !own.contains(&*import.full_name));
    }
}

impl Function {
    /// The approximate number of bytes of the function.
    pub(crate) fn bytes(&self) -> usize {
        let texts = [&self.name, &self.full_name, &self.signature, &self.source];
        size_of::<Self>() + texts.iter().map(|text| text.len()).sum::<usize>()
    }
}

impl Import {
    fn bytes(&self) -> usize {
        size_of::<Self>() + self.name.len() + self.full_name.len() + self.signature.len()
    }
}

fn language_of(graph: &Graph) -> Result<String, GraphError> {
    let (found, language) = (optional(graph.nodes("META_DATA"))?, optional(graph.property("LANGUAGE"))?);
    let text = found.zip(language).and_then(|(nodes, language)| {
        nodes.iter().next().and_then(|node| language.str(node).map(String::from))
    });
    Ok(text.unwrap_or_default())
}

/// The columns that describe METHODs. A graph may lack each of them.
struct Reader {
    name: Option<Property>,
    full_name: Option<Property>,
    signature: Option<Property>,
    source: Option<Property>,
    line: Option<Property>,
    line_end: Option<Property>,
    is_external: Option<Property>,
    code: Option<Property>,
    modifier: Option<Property>,
    children: Option<Adjacency>,
    calls: Option<Adjacency>,
    is_block: Option<LabelTest>,
    /// Whether `static` hides a function from other files.
    has_static: bool,
}

impl Reader {
    fn open(graph: &Graph, language: &str) -> Result<Self, GraphError> {
        let property = |name| optional(graph.property(name));
        let labels = graph.label_sets()?;
        Ok(Self {
            name: property("NAME")?,
            full_name: property("FULL_NAME")?,
            signature: property("SIGNATURE")?,
            source: property("FILENAME")?,
            line: property("LINE_NUMBER")?,
            line_end: property("LINE_NUMBER_END")?,
            is_external: property("IS_EXTERNAL")?,
            code: property("CODE")?,
            modifier: property("MODIFIER_TYPE")?,
            children: optional(graph.out("AST"))?,
            calls: optional(graph.in_("CALL"))?,
            is_block: optional(graph.label("BLOCK"))?.map(|label| labels.test(label)),
            has_static: Linkage::of(language) == Linkage::C,
        })
    }

    /// The METHODs that have a body.
    fn with_body(
        &self,
        methods: &LabelNodes,
        task: &Task<'_>,
        budget: &Budget,
    ) -> Result<HashSet<u32>, FileError> {
        let mut found = HashSet::new();
        for (count, node) in methods.iter().enumerate() {
            if count % METHODS_AT_ONCE == 0 {
                task.check().map_err(GraphError::from)?;
            }
            if self.has_body(node) {
                budget.take(2 * size_of::<u32>()).map_err(GraphError::from)?;
                found.insert(node);
            }
        }
        Ok(found)
    }

    /// Whether a METHOD has a body: it has a BLOCK, and does not stand for a function elsewhere.
    fn has_body(&self, node: u32) -> bool {
        let is_external = self.is_external.as_ref().and_then(|external| external.number(node)) == Some(1);
        let is_body = |child| self.is_block(child) && !self.is_declared(child);
        !is_external && !self.is_whole_file(node) && self.children(node).any(is_body)
    }

    /// Whether a BLOCK is that of a declaration in C, such as one in a header. The body `{}` has this CODE.
    fn is_declared(&self, block: u32) -> bool {
        let code = self.code.as_ref().and_then(|code| code.str(block));
        self.has_static && code.is_some_and(|code| *code == *EMPTY) && self.children(block).next().is_none()
    }

    fn is_whole_file(&self, node: u32) -> bool {
        let name = self.name.as_ref().and_then(|name| name.str(node));
        name.is_some_and(|name| WHOLE_FILES.contains(&&*name))
    }

    fn is_block(&self, node: u32) -> bool {
        self.is_block.as_ref().is_some_and(|test| test.matches(node))
    }

    fn children(&self, node: u32) -> impl Iterator<Item = u32> + '_ {
        self.children.iter().flat_map(move |children| children.neighbors(node))
    }

    /// A function, if it has a name.
    fn function(&self, node: u32, contents: Option<&Contents>, sketches: &Sketches) -> Option<Function> {
        let name = text(&self.name, node);
        let full_name = self.full_name(node, &name);
        (!name.is_empty()).then(|| Function {
            node,
            // A static member of a class can be linked to.
            is_exported: !self.has_static || full_name.contains('.') || !self.is_static(node),
            full_name,
            signature: text(&self.signature, node),
            source: text(&self.source, node),
            line: self.line.as_ref().and_then(|line| line.number(node)),
            line_end: self.line_end.as_ref().and_then(|line| line.number(node)),
            content: contents.and_then(|contents| contents.get(&node)).copied(),
            sketch: sketches.get(&node).copied(),
            name,
        })
    }

    /// A METHOD without a body, if it is called and is no operator of the language.
    fn import(&self, node: u32) -> Option<Import> {
        let calls = self.calls.as_ref().map_or(0, |calls| calls.neighbors(node).count() as u64);
        let name = text(&self.name, node);
        let is_import =
            calls > 0 && !name.is_empty() && !is_operator(&name) && !WHOLE_FILES.contains(&&*name);
        is_import.then(|| Import {
            node,
            full_name: self.full_name(node, &name),
            signature: text(&self.signature, node),
            calls,
            name,
        })
    }

    /// FULL_NAME without the mark of duplicates, or NAME.
    fn full_name(&self, node: u32, name: &str) -> String {
        let full_name = text(&self.full_name, node);
        match full_name.split_once(DUPLICATE) {
            Some((base, _)) => base.to_owned(),
            None if full_name.is_empty() => name.to_owned(),
            None => full_name,
        }
    }

    /// Whether a function is `static` in the sense of C: by a MODIFIER, or by its CODE.
    fn is_static(&self, node: u32) -> bool {
        let is_modifier = |child| {
            self.modifier.as_ref().and_then(|kind| kind.str(child)).is_some_and(|kind| *kind == *"STATIC")
        };
        if self.children(node).any(is_modifier) {
            return true;
        }
        let code = self.code.as_ref().and_then(|code| code.str(node));
        code.is_some_and(|code| is_static(&code))
    }
}

fn text(property: &Option<Property>, node: u32) -> String {
    property.as_ref().and_then(|texts| texts.str(node)).map(String::from).unwrap_or_default()
}
