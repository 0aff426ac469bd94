//! [`Functions`]: the size, the calls and the complexity of each METHOD with code.

use std::cmp::Reverse;

use varvite::error::optional;
use varvite::{Graph, Property};
use varvite_cpg::Codes;
use varvite_cpg::join::WHOLE_FILES;

use crate::code::Code;
use crate::error::Result;

/// The maximum number of in-edges CONTAINS of a node that are read to find its METHOD. Usually it has one.
const CONTAINERS_MAX: usize = 8;
/// The number of nodes between two looks at the task.
const NODES_BETWEEN_LOOKS: usize = 1 << 12;

/// The METHODs with code, ascending by node.
pub(crate) struct Functions {
    pub(crate) all: Vec<Function>,
    /// Whether the graph has the flow of control, from which the complexity follows.
    pub(crate) has_flow: bool,
    /// Whether the graph has calls: one without any does not tell which functions are called.
    pub(crate) has_calls: bool,
}

/// A METHOD with code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Function {
    pub(crate) node: u32,
    /// The lines from the first to the last; 0 if they are not known.
    pub(crate) lines: u64,
    /// The nodes of its syntax tree; 0 if the graph has no tree.
    pub(crate) nodes: u64,
    /// The calls in the code that may reach it.
    pub(crate) calls: u64,
    /// McCabe's cyclomatic number.
    pub(crate) complexity: u64,
}

impl Functions {
    /// Reads the METHODs of a graph. Macros, declarations and the code of a file outside of functions are
    /// left out.
    pub(crate) fn of(code: &Code<'_>) -> Result<Self> {
        let graph = code.graph;
        let (calls, columns) = (optional(graph.in_("CALL"))?, Columns::of(graph)?);
        let has_calls = calls.as_ref().is_some_and(|calls| calls.edge_count() > 0);
        let mut functions = Self { all: Vec::new(), has_flow: false, has_calls };
        let Some(methods) = optional(graph.nodes("METHOD"))? else { return Ok(functions) };
        let tree = graph.subtree()?;
        for node in methods.iter().filter(|node| columns.has_code(*node)) {
            code.budget.take(size_of::<Function>())?;
            functions.all.push(Function {
                node,
                lines: columns.lines(node),
                nodes: tree.as_ref().map_or(0, |tree| tree.size(node).into()),
                calls: calls.as_ref().map_or(0, |calls| calls.degree(node) as u64),
                complexity: 1,
            });
        }
        functions.add_branches(code)?;
        graph.check()?;
        Ok(functions)
    }

    /// Adds the successors of each node of the CFG, less one, to the METHOD of the node.
    fn add_branches(&mut self, code: &Code<'_>) -> Result<()> {
        let (flow, containers) = (optional(code.graph.out("CFG"))?, optional(code.graph.in_("CONTAINS"))?);
        let Some((flow, containers)) = flow.zip(containers) else { return Ok(()) };
        self.has_flow = flow.edge_count() > 0;
        for (number, node) in flow.sources().enumerate() {
            if number % NODES_BETWEEN_LOOKS == 0 {
                code.task.check()?;
            }
            let branches = flow.degree(node).saturating_sub(1) as u64;
            if branches > 0 {
                let mut containers = containers.neighbors(node).take(CONTAINERS_MAX);
                if let Some(index) = containers.find_map(|container| self.index(container)) {
                    self.all[index].complexity += branches;
                }
            }
        }
        Ok(())
    }

    fn index(&self, node: u32) -> Option<usize> {
        self.all.binary_search_by_key(&node, |function| function.node).ok()
    }

    /// The function of a METHOD.
    pub(crate) fn at(&self, node: u32) -> Option<&Function> {
        self.index(node).map(|index| &self.all[index])
    }

    /// The `count` functions with the largest numbers; none with zero.
    pub(crate) fn top(&self, count: usize, number: impl Fn(&Function) -> u64) -> Vec<&Function> {
        let mut sorted: Vec<&Function> = self.all.iter().filter(|function| number(function) > 0).collect();
        sorted.sort_by_key(|function| (Reverse(number(function)), function.node));
        sorted.truncate(count);
        sorted
    }
}

/// The properties of METHODs that tell what they are.
struct Columns {
    first: Option<Property>,
    last: Option<Property>,
    is_external: Option<Property>,
    whole_files: Option<Codes>,
}

impl Columns {
    fn of(graph: &Graph) -> Result<Self> {
        let property = |name| optional(graph.property(name));
        let names = optional(graph.texts("NAME"))?;
        Ok(Self {
            first: property("LINE_NUMBER")?,
            last: property("LINE_NUMBER_END")?,
            is_external: property("IS_EXTERNAL")?,
            whole_files: names.map(|names| Codes::of(&names, &WHOLE_FILES)),
        })
    }

    fn has_code(&self, node: u32) -> bool {
        let is_external = self.is_external.as_ref().and_then(|external| external.number(node)) == Some(1);
        !is_external && !self.whole_files.as_ref().is_some_and(|codes| codes.matches(node))
    }

    fn lines(&self, node: u32) -> u64 {
        let line = |lines: &Option<Property>| lines.as_ref().and_then(|lines| lines.number(node));
        let Some(first) = line(&self.first) else { return 0 };
        let last = line(&self.last).unwrap_or(first);
        u64::try_from(last.saturating_sub(first)).map_or(1, |more| more + 1)
    }
}
