//! [`NodeSets`]: finds the nodes of a METHOD. [`NodeSet`]: some nodes as runs of ids.

use std::collections::HashSet;
use std::ops::Range;

use varvite::{Adjacency, Budget, Graph, GraphError, LabelNodes, Subtree};

/// The trees below METHODs.
#[derive(Debug)]
pub(super) struct NodeSets {
    methods: LabelNodes,
    tree: SyntaxTree,
}

#[derive(Debug)]
enum SyntaxTree {
    /// Subtrees are ranges of ids.
    Ranges(Subtree),
    /// The AST is stored in lists. `taken` has the nodes of earlier functions.
    Lists { children: Option<Box<Adjacency>>, taken: HashSet<u32> },
}

/// The approximate number of bytes that a member of a `HashSet` takes.
const TAKEN_BYTES: usize = 8;

/// Nodes as runs of ids.
#[derive(Debug, Default)]
pub(super) struct NodeSet {
    /// For each run: its first node, the node after its last, and the number of nodes in the runs before it.
    runs: Vec<(u32, u32, u32)>,
    len: u32,
}

impl NodeSets {
    pub(super) fn open(graph: &Graph, methods: LabelNodes) -> Result<Self, GraphError> {
        let tree = match graph.subtree()? {
            Some(subtree) => SyntaxTree::Ranges(subtree),
            None => {
                let children = graph.tree_label().map(|label| graph.out(label)).transpose()?.map(Box::new);
                SyntaxTree::Lists { children, taken: HashSet::new() }
            }
        };
        Ok(Self { methods, tree })
    }

    /// Replaces `set` by the nodes of a METHOD.
    pub(super) fn find(&mut self, method: u32, set: &mut NodeSet, budget: &Budget) -> Result<(), GraphError> {
        set.clear();
        let Self { methods, tree } = self;
        match tree {
            SyntaxTree::Ranges(subtree) => add_range(methods, subtree, method, set),
            SyntaxTree::Lists { children, taken } => {
                let mut nodes = below(methods, children.as_deref(), method, taken, budget)?;
                nodes.sort_unstable();
                nodes.into_iter().for_each(|node| set.push(node..node + 1));
            }
        }
        Ok(())
    }
}

/// Adds a METHOD with the nodes below it, and leaves out the subtrees of the METHODs among them.
fn add_range(methods: &LabelNodes, subtree: &Subtree, method: u32, set: &mut NodeSet) {
    let end = subtree.descendants(method).end;
    let mut start = method;
    let mut next = method + 1;
    while let Some(inner) = methods.first_from(next).filter(|inner| *inner < end) {
        set.push(start..inner);
        start = subtree.descendants(inner).end.max(inner + 1);
        next = start;
    }
    set.push(start..end.max(start));
}

/// A METHOD and the nodes below it that no earlier function has, without METHODs.
fn below(
    methods: &LabelNodes,
    children: Option<&Adjacency>,
    method: u32,
    taken: &mut HashSet<u32>,
    budget: &Budget,
) -> Result<Vec<u32>, GraphError> {
    let mut nodes = Vec::new();
    let mut waiting = vec![method];
    while let Some(node) = waiting.pop() {
        if !taken.insert(node) {
            continue;
        }
        budget.take(TAKEN_BYTES)?;
        nodes.push(node);
        let Some(children) = children else { continue };
        waiting.extend(children.neighbors(node).filter(|child| !methods.contains(*child)));
    }
    Ok(nodes)
}

impl NodeSet {
    fn clear(&mut self) {
        self.runs.clear();
        self.len = 0;
    }

    fn push(&mut self, nodes: Range<u32>) {
        if nodes.is_empty() {
            return;
        }
        match self.runs.last_mut() {
            Some((_, end, _)) if *end == nodes.start => *end = nodes.end,
            _ => self.runs.push((nodes.start, nodes.end, self.len)),
        }
        self.len += nodes.end - nodes.start;
    }

    pub(super) fn len(&self) -> usize {
        self.len as usize
    }

    /// The runs of ids, ascending.
    pub(super) fn runs(&self) -> impl Iterator<Item = Range<u32>> + '_ {
        self.runs.iter().map(|(start, end, _)| *start..*end)
    }

    /// The number of the nodes in this set that are before a node of it. `None` for other nodes.
    #[inline]
    pub(super) fn place(&self, node: u32) -> Option<u32> {
        let run = match self.runs.as_slice() {
            [run] => run,
            runs => runs.get(runs.partition_point(|(start, ..)| *start <= node).checked_sub(1)?)?,
        };
        (run.0..run.1).contains(&node).then(|| run.2 + (node - run.0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_count_the_nodes_of_all_runs() {
        let mut set = NodeSet::default();
        [3..5, 5..6, 9..9, 10..12].into_iter().for_each(|run| set.push(run));
        assert_eq!(set.runs().collect::<Vec<_>>(), [3..6, 10..12]);
        assert_eq!(set.len(), 5);
        let places: Vec<_> = (2..13).map(|node| set.place(node)).collect();
        let none = None;
        assert_eq!(places, [none, Some(0), Some(1), Some(2), none, none, none, none, Some(3), Some(4), none]);
    }
}
