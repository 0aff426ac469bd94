//! The canonical order of a graph: pre-order along AST edges, so that in a forest every subtree is a range.
//!
//! The roots are the nodes without an incoming AST edge, in ascending order. After each root come its
//! descendants, with children in the order of the out-list. A node with several parents is listed only at its
//! first visit. Nodes that no root reaches are on AST cycles or below them; they follow as further roots,
//! also in ascending order.

use std::collections::BTreeSet;

use crate::{ModelGraph, NodeId};

/// The edge label along which nodes are ordered.
pub const AST: &str = "AST";

impl ModelGraph {
    /// All nodes in canonical order.
    pub fn canonical_order(&self) -> Vec<NodeId> {
        let mut order = Vec::new();
        let mut seen = BTreeSet::new();
        for root in self.ast_roots().into_iter().chain(self.nodes()) {
            order.extend(self.first_visits(root, &mut seen));
        }
        order
    }

    /// A copy of this graph whose nodes are numbered in canonical order.
    pub fn in_canonical_order(&self) -> ModelGraph {
        self.renumbered(&self.canonical_order())
    }

    /// Whether the AST is a forest: no node has two incoming AST edges (not even from the same parent), and
    /// no node is on a cycle.
    pub fn is_forest(&self) -> bool {
        let one_parent = self.nodes().iter().all(|node| self.sources(*node, AST).len() <= 1);
        let below_roots: usize = self.ast_roots().iter().map(|root| self.subtree(*root).len()).sum();
        one_parent && below_roots == self.node_count()
    }

    /// The nodes without an incoming AST edge, in ascending order.
    pub fn ast_roots(&self) -> Vec<NodeId> {
        self.nodes().into_iter().filter(|node| self.sources(*node, AST).is_empty()).collect()
    }

    /// The node and its descendants, each once, in pre-order of their first visits.
    pub fn subtree(&self, root: NodeId) -> Vec<NodeId> {
        self.first_visits(root, &mut BTreeSet::new())
    }

    /// The number of nodes in the subtree of each node, including the node itself, by id; 0 for a hole.
    pub fn subtree_sizes(&self) -> Vec<usize> {
        let size = |node| if self.contains(node) { self.subtree(node).len() } else { 0 };
        (0..self.slot_count()).map(NodeId).map(size).collect()
    }

    /// The node's first AST parent, that parent's first AST parent, and so on. On a cycle, the list ends
    /// before it would repeat an ancestor or reach the node itself.
    pub fn ancestors(&self, node: NodeId) -> Vec<NodeId> {
        let mut path = vec![node];
        let mut lowest = node;
        while let Some(parent) = self.sources(lowest, AST).first().filter(|parent| !path.contains(parent)) {
            path.push(*parent);
            lowest = *parent;
        }
        path.split_off(1)
    }

    /// The nodes that a walk from `root` visits, without those that were `seen` before, in pre-order.
    fn first_visits(&self, root: NodeId, seen: &mut BTreeSet<NodeId>) -> Vec<NodeId> {
        let mut visits = Vec::new();
        let mut stack = vec![root];
        while let Some(node) = stack.pop() {
            if seen.insert(node) {
                visits.push(node);
                stack.extend(self.targets(node, AST).into_iter().rev());
            }
        }
        visits
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn graph_of(nodes: usize, ast: &[(usize, usize)]) -> ModelGraph {
        let mut graph = ModelGraph::default();
        for _ in 0..nodes {
            graph.add_node(&["BLOCK"]);
        }
        for (parent, child) in ast {
            graph.add_edge(NodeId(*parent), AST, NodeId(*child), None);
        }
        graph
    }

    fn check_order(nodes: usize, ast: &[(usize, usize)], expected: &[usize]) {
        let order: Vec<usize> = graph_of(nodes, ast).canonical_order().iter().map(|node| node.0).collect();
        assert_eq!(order, expected);
    }

    #[test]
    fn a_root_is_followed_by_its_descendants_in_list_order() {
        check_order(6, &[(4, 3), (4, 0), (3, 5)], &[1, 2, 4, 3, 5, 0]);
    }

    #[test]
    fn a_node_with_two_parents_is_numbered_at_its_first_visit() {
        check_order(4, &[(0, 1), (0, 2), (1, 3), (3, 2)], &[0, 1, 3, 2]);
    }

    #[test]
    fn nodes_on_cycles_follow_as_further_roots() {
        check_order(5, &[(0, 3), (3, 0), (3, 1), (4, 4)], &[2, 0, 3, 1, 4]);
        check_order(3, &[(1, 2), (2, 2)], &[0, 1, 2]);
    }

    #[test]
    fn holes_are_left_out() {
        let mut graph = graph_of(3, &[(2, 0), (0, 1)]);
        graph.remove_node(NodeId(0));
        assert_eq!(graph.canonical_order(), [NodeId(1), NodeId(2)]);
    }

    #[test]
    fn a_forest_has_one_parent_each_and_no_cycle() {
        assert!(graph_of(0, &[]).is_forest());
        assert!(graph_of(4, &[(3, 0), (3, 1)]).is_forest());
        assert!(!graph_of(3, &[(0, 2), (1, 2)]).is_forest());
        assert!(!graph_of(2, &[(0, 1), (0, 1)]).is_forest());
        assert!(!graph_of(2, &[(0, 1), (1, 0)]).is_forest());
        assert!(!graph_of(1, &[(0, 0)]).is_forest());
    }

    #[test]
    fn in_canonical_order_a_subtree_of_a_forest_is_a_range() {
        let graph = graph_of(6, &[(4, 3), (4, 0), (3, 5)]).in_canonical_order();
        assert_eq!(graph.subtree_sizes(), [1, 1, 4, 2, 1, 1]);
        assert_eq!(graph.subtree(NodeId(2)), [2, 3, 4, 5].map(NodeId));
    }

    #[test]
    fn ancestors_go_up_first_parents_and_end_on_a_cycle() {
        let graph = graph_of(5, &[(0, 1), (4, 1), (1, 2), (3, 3)]);
        assert_eq!(graph.ancestors(NodeId(2)), [1, 0].map(NodeId));
        assert_eq!(graph.ancestors(NodeId(3)), []);
    }
}
