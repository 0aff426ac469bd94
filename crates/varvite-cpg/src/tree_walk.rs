//! [`TreeWalk`]: visits the nodes of a subtree, with their depths.

use std::collections::HashSet;

use varvite::{Adjacency, Graph, GraphError, Subtree};

/// A walk over a node and its descendants, in pre-order. It ends on any graph, even if the "tree" has a
/// cycle.
#[derive(Debug)]
pub struct TreeWalk {
    below: Below,
    depth_max: usize,
}

#[derive(Debug)]
enum Below {
    /// Subtrees are ranges of ids. `ends` has the ends of the subtrees that contain `next`.
    Range { subtree: Subtree, next: u32, end: u32, ends: Vec<u32> },
    /// Subtrees are lists of children. `waiting` has the nodes to visit, each with its depth; `seen` has the
    /// visited nodes.
    Lists { children: Option<Box<Adjacency>>, waiting: Vec<(u32, usize)>, seen: HashSet<u32> },
}

impl TreeWalk {
    /// A walk from `root` down to the depth `depth_max`.
    ///
    /// # Errors
    /// Fails if the graph can't be read.
    pub fn new(graph: &Graph, root: u32, depth_max: usize) -> Result<Self, GraphError> {
        let below = match graph.subtree()? {
            Some(subtree) => {
                let end = subtree.descendants(root).end;
                Below::Range { subtree, next: root, end, ends: Vec::new() }
            }
            None => {
                let children = graph.tree_label().map(|label| graph.out(label)).transpose()?.map(Box::new);
                Below::Lists { children, waiting: vec![(root, 0)], seen: HashSet::new() }
            }
        };
        Ok(Self { below, depth_max })
    }
}

impl Iterator for TreeWalk {
    type Item = (u32, usize);

    fn next(&mut self) -> Option<(u32, usize)> {
        match &mut self.below {
            Below::Range { subtree, next, end, ends } => {
                let node = *next;
                if node >= *end {
                    return None;
                }
                while ends.last().is_some_and(|end| *end <= node) {
                    ends.pop();
                }
                let depth = ends.len();
                let after = subtree.descendants(node).end;
                if depth == self.depth_max {
                    *next = after;
                } else {
                    ends.push(after);
                    *next = node + 1;
                }
                Some((node, depth))
            }
            Below::Lists { children, waiting, seen } => {
                let (node, depth) = loop {
                    let (node, depth) = waiting.pop()?;
                    if seen.insert(node) {
                        break (node, depth);
                    }
                };
                if let Some(children) = children.as_ref().filter(|_| depth < self.depth_max) {
                    let first = waiting.len();
                    waiting.extend(children.neighbors(node).map(|child| (child, depth + 1)));
                    waiting[first..].reverse();
                }
                Some((node, depth))
            }
        }
    }
}
