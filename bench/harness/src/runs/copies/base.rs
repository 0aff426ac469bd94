//! [`Base`]: a graph that is copied, with its functions and the stubs of functions that it calls.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use varvite::error::optional;
use varvite::{Graph, LabelNodes, Property, Subtree};

use crate::Failure;

/// Labels of nodes without children whose CODE is part of a function's content.
const LEAVES: [&str; 2] = ["LITERAL", "IDENTIFIER"];
/// The beginnings of names that stand for whole files and for operators.
const NO_FUNCTIONS: char = '<';
/// The mark in FULL_NAME of a METHOD that shares its name with another one.
const DUPLICATE: &str = "<duplicate>";

/// A graph that is copied.
pub(super) struct Base {
    pub(super) path: PathBuf,
    /// The METHODs with a body, in the order of their ids.
    pub(super) functions: Vec<Function>,
    /// The METHODs that stand for functions of other files, in the order of their ids.
    pub(super) stubs: Vec<u32>,
    pub(super) nodes: u32,
    pub(super) edges: u64,
}

/// A METHOD with a body.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Function {
    pub(super) node: u32,
    pub(super) name: String,
    pub(super) full_name: String,
    pub(super) signature: String,
    pub(super) lines: i64,
    /// A leaf of the function's syntax tree, and its CODE.
    pub(super) leaf: Option<(u32, String)>,
    /// Whether other files can call the function by its name.
    pub(super) is_visible: bool,
    /// Whether the function is inside of another one, or shares its name: copies of it are not counted.
    pub(super) is_odd: bool,
}

impl Base {
    pub(super) fn read(path: &Path) -> Result<Self, Failure> {
        Self::of(path).map_err(|failure| Failure(format!("{}: {failure}", path.display())))
    }

    fn of(path: &Path) -> Result<Self, Failure> {
        let graph = Graph::open(path)?;
        let (reader, methods) = (Reader::open(&graph)?, graph.nodes("METHOD")?);
        let (mut functions, mut stubs, mut end) = (Vec::new(), Vec::new(), 0);
        for node in methods.iter().filter(|node| !reader.text(&reader.name, *node).starts_with(NO_FUNCTIONS))
        {
            if reader.is_stub(node) {
                stubs.extend((reader.calls.neighbors(node).next().is_some()).then_some(node));
                continue;
            }
            functions.push(reader.function(node, node < end));
            end = end.max(reader.subtree.descendants(node).end);
        }
        graph.check()?;
        mark_duplicates(&mut functions);
        let (nodes, edges) = (graph.node_count(), graph.edge_count());
        Ok(Self { path: path.to_owned(), functions, stubs, nodes, edges })
    }

    /// The functions that other files can call.
    pub(super) fn visible(&self) -> Vec<&Function> {
        self.functions.iter().filter(|function| function.is_visible && !function.is_odd).collect()
    }
}

/// Marks functions that share their name with others.
fn mark_duplicates(functions: &mut [Function]) {
    let name = |function: &Function| function.full_name.split(DUPLICATE).next().map(str::to_owned);
    let mut counts: HashMap<Option<String>, usize> = HashMap::new();
    functions.iter().for_each(|function| *counts.entry(name(function)).or_default() += 1);
    for function in functions {
        function.is_odd |= counts.get(&name(function)).is_some_and(|count| *count > 1);
    }
}

/// The columns that describe METHODs.
struct Reader {
    name: Property,
    full_name: Property,
    signature: Property,
    code: Property,
    line: Property,
    line_end: Property,
    is_external: Property,
    modifier: Option<Property>,
    leaves: Vec<LabelNodes>,
    subtree: Subtree,
    calls: varvite::Adjacency,
}

impl Reader {
    fn open(graph: &Graph) -> Result<Self, Failure> {
        let leaves = LEAVES.iter().filter_map(|label| optional(graph.nodes(label)).transpose());
        let subtree = graph.subtree()?;
        Ok(Self {
            name: graph.texts("NAME")?,
            full_name: graph.texts("FULL_NAME")?,
            signature: graph.texts("SIGNATURE")?,
            code: graph.texts("CODE")?,
            line: graph.property("LINE_NUMBER")?,
            line_end: graph.property("LINE_NUMBER_END")?,
            is_external: graph.property("IS_EXTERNAL")?,
            modifier: optional(graph.texts("MODIFIER_TYPE"))?,
            leaves: leaves.collect::<Result<_, _>>()?,
            subtree: subtree.ok_or_else(|| Failure("the syntax tree is not a range of ids".into()))?,
            calls: graph.in_("CALL")?,
        })
    }

    fn text(&self, texts: &Property, node: u32) -> String {
        texts.str(node).map(String::from).unwrap_or_default()
    }

    fn is_stub(&self, node: u32) -> bool {
        self.is_external.number(node) == Some(1)
    }

    fn function(&self, node: u32, is_nested: bool) -> Function {
        let full_name = self.text(&self.full_name, node);
        let lines = self.line.number(node).zip(self.line_end.number(node));
        Function {
            node,
            name: self.text(&self.name, node),
            signature: self.text(&self.signature, node),
            lines: lines.map_or(0, |(first, last)| last - first + 1),
            leaf: self.leaf(node),
            is_visible: !self.is_static(node),
            is_odd: is_nested,
            full_name,
        }
    }

    /// The first leaf below a METHOD.
    fn leaf(&self, method: u32) -> Option<(u32, String)> {
        let is_leaf = |node: &u32| {
            self.leaves.iter().any(|leaves| leaves.contains(*node))
                && self.subtree.descendants(*node).end == node + 1
        };
        let node = self.subtree.descendants(method).find(is_leaf)?;
        Some((node, self.text(&self.code, node)))
    }

    /// Whether a function is `static`, by a MODIFIER below it or by the words before its parameters.
    fn is_static(&self, method: u32) -> bool {
        let is_modifier = |node| {
            let kind = self.modifier.as_ref().and_then(|modifier| modifier.str(node));
            kind.is_some_and(|kind| *kind == *"STATIC")
        };
        let code = self.text(&self.code, method);
        let head = code.split('(').next().unwrap_or_default();
        self.subtree.descendants(method).any(is_modifier)
            || head.split_whitespace().any(|word| word == "static")
    }
}
