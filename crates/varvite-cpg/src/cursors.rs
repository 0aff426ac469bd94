//! [`Cursors`]: hops from one node at a time, for questions that need a closure instead of a pipeline.
//!
//! A question that compares two nodes, such as two nodes with equal names, can't be a pipeline. Instead, a
//! pipeline finds candidates, and a closure reads each of them with these cursors. A hop allocates nothing.
//! Texts are compared by their codes, which are equal for equal texts of one property.

use varvite::cursor::LabelTest;
use varvite::{Adjacency, Graph, Property, Subtree};

use crate::error::Result;

/// Cursors over the columns that most closures read.
#[derive(Debug)]
pub struct Cursors {
    /// In-edges of AST: a node's parents.
    pub parents: Adjacency,
    /// Out-edges of AST: a node's children.
    pub children: Adjacency,
    /// Out-edges of ARGUMENT: a CALL's arguments.
    pub arguments: Adjacency,
    /// In-edges of CONTAINS: the METHOD that contains a node.
    pub containers: Adjacency,
    /// The property ARGUMENT_INDEX.
    pub argument_index: Property,
    /// The property NAME.
    pub name: Property,
    /// The property CODE.
    pub code: Property,
    subtree: Option<Subtree>,
    method: LabelTest,
    nodes: u32,
}

impl Cursors {
    /// Opens the columns.
    ///
    /// # Errors
    /// Fails if the graph lacks one of the names, or can't be read.
    pub fn open(graph: &Graph) -> Result<Self> {
        Ok(Self {
            parents: graph.in_("AST")?,
            children: graph.out("AST")?,
            arguments: graph.out("ARGUMENT")?,
            containers: graph.in_("CONTAINS")?,
            argument_index: graph.property("ARGUMENT_INDEX")?,
            name: graph.property("NAME")?,
            code: graph.property("CODE")?,
            subtree: graph.subtree()?,
            method: label_test(graph, "METHOD")?,
            nodes: graph.node_count(),
        })
    }

    /// The argument of a CALL with this ARGUMENT_INDEX.
    pub fn argument(&self, call: u32, index: i64) -> Option<u32> {
        self.arguments.neighbors(call).find(|node| self.argument_index.number(*node) == Some(index))
    }

    /// The ancestors of a node in the syntax tree, the nearest first.
    pub fn above(&self, node: u32) -> impl Iterator<Item = u32> + '_ {
        // A node in a tree has fewer ancestors than the graph has nodes, so this limit only ends walks on a
        // cycle, which a damaged file may have.
        let up = |node: &u32| self.parents.first(*node);
        std::iter::successors(self.parents.first(node), up).take(self.nodes as usize)
    }

    /// Appends a node and its descendants in the syntax tree to `below`, in pre-order.
    pub fn ast(&self, node: u32, below: &mut Vec<u32>) {
        if let Some(subtree) = &self.subtree {
            below.push(node);
            below.extend(subtree.descendants(node));
            return;
        }
        let mut stack = vec![node];
        while let Some(node) = stack.pop() {
            below.push(node);
            let first = stack.len();
            self.children.append(node, &mut stack);
            stack[first..].reverse();
            if below.len() > self.nodes as usize {
                return;
            }
        }
    }

    /// The nodes among `nodes` that are descendants of `node` in the syntax tree. `nodes` must be in
    /// ascending order.
    ///
    /// Costs a binary search for the first descendant. In a graph without a subtree index, it costs a walk up
    /// from each of `nodes`.
    pub fn among_descendants<'n>(&'n self, node: u32, nodes: &'n [u32]) -> impl Iterator<Item = u32> + 'n {
        let range = self.subtree.as_ref().map_or(0..self.nodes, |subtree| subtree.descendants(node));
        let first = nodes.partition_point(|below| *below < range.start);
        let within = nodes[first..].iter().copied().take_while(move |below| *below < range.end);
        within.filter(move |below| self.subtree.is_some() || self.above(*below).any(|above| above == node))
    }

    /// Whether a node or any of its descendants in the syntax tree passes the test. Stops at the first node
    /// that passes.
    ///
    /// Allocates only in a graph without a subtree index.
    pub fn any_in_ast(&self, node: u32, mut is: impl FnMut(u32) -> bool) -> bool {
        if let Some(subtree) = &self.subtree {
            return is(node) || subtree.descendants(node).any(is);
        }
        let mut below = Vec::new();
        self.ast(node, &mut below);
        below.into_iter().any(is)
    }

    /// The METHOD that contains an expression, found along its edge CONTAINS.
    pub fn method(&self, node: u32) -> Option<u32> {
        self.containers.first(node).filter(|above| self.method.matches(*above))
    }
}

/// The codes that some texts have in one property, for testing whether a node has one of these texts.
#[derive(Clone, Debug)]
pub struct Codes {
    property: Property,
    /// The codes, in ascending order.
    codes: Vec<i64>,
}

impl Codes {
    /// The codes of those `texts` that the property has. Searches the property's table of texts once.
    pub fn of(property: &Property, texts: &[&str]) -> Self {
        let found = property.strings().map_or(Vec::new(), |strings| strings.find_each(texts));
        let mut codes: Vec<i64> = found.into_iter().flatten().map(i64::from).collect();
        codes.sort_unstable();
        Self { property: property.clone(), codes }
    }

    /// Whether a node has one of the texts. Always inlined, because in a loop over nodes the call would cost
    /// as much as the look-up.
    #[inline(always)]
    pub fn matches(&self, node: u32) -> bool {
        self.property.number(node).is_some_and(|code| self.codes.binary_search(&code).is_ok())
    }
}

/// A test whether a node has the label with this name.
///
/// # Errors
/// Fails if the graph lacks the label, or can't be read.
pub fn label_test(graph: &Graph, label: &str) -> Result<LabelTest> {
    let id = graph.label(label)?;
    Ok(graph.label_sets()?.test(id))
}
