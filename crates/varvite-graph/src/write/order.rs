//! The canonical order of nodes: pre-order of the tree label.
//!
//! Roots are the nodes without an incoming edge, in ascending order of their original numbers. The children
//! of a node follow it in the order of its list, each with its whole subtree. A node is numbered at the first
//! visit. Nodes that no root reaches, because of a cycle, follow in the same way.

use varvite_format::{Fault, InputError, check_list_ends};

/// A renumbering of nodes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NodeOrder {
    /// The new id of each node, by its old id; [`NodeOrder::NONE`] for nodes that are left out.
    pub new_of_old: Vec<u32>,
    /// The old id of each node, by its new id.
    pub old_of_new: Vec<u32>,
}

impl NodeOrder {
    /// The new id of a node that is left out.
    pub const NONE: u32 = u32::MAX;

    /// The pre-order of the graph with these out-lists, given as offsets and targets. Nodes for which
    /// `is_dead` holds are left out, and so are their edges. Takes linear time, and 9 bytes of working memory
    /// for each node.
    ///
    /// # Errors
    /// Offsets that do not ascend from 0 to the number of targets, or a target that is not a node.
    pub fn pre_order(
        offsets: &[u32],
        targets: &[u32],
        is_dead: impl Fn(u32) -> bool,
    ) -> Result<Self, InputError> {
        check_list_ends("offsets", offsets, None, targets.len())?;
        let nodes = offsets.len() - 1;
        let mut has_parent = vec![false; nodes];
        for node in 0..nodes {
            let (list, is_there) =
                (offsets[node] as usize..offsets[node + 1] as usize, !is_dead(node as u32));
            for at in list {
                let Some(has_parent) = has_parent.get_mut(targets[at] as usize) else {
                    let (most, found) = (nodes as i64 - 1, Some(targets[at].into()));
                    let fault = Fault::Number { what: "target", at: Some(at as u64), least: 0, most, found };
                    return Err(InputError::new("targets", fault));
                };
                *has_parent |= is_there;
            }
        }
        let mut order = Self { new_of_old: vec![Self::NONE; nodes], old_of_new: Vec::with_capacity(nodes) };
        let mut stack = Vec::new();
        for only_roots in [true, false] {
            for root in 0..nodes as u32 {
                if is_dead(root) || only_roots && has_parent[root as usize] {
                    continue;
                }
                stack.push(root);
                while let Some(node) = stack.pop() {
                    if order.new_of_old[node as usize] != Self::NONE || is_dead(node) {
                        continue;
                    }
                    order.new_of_old[node as usize] = order.old_of_new.len() as u32;
                    order.old_of_new.push(node);
                    let list = offsets[node as usize] as usize..offsets[node as usize + 1] as usize;
                    stack.extend(targets[list].iter().rev());
                }
            }
        }
        Ok(order)
    }
}

/// The number of descendants of each node, if the lists are a forest whose nodes are in pre-order; `None` for
/// other or invalid lists.
pub fn subtree_sizes(offsets: &[u32], targets: &[u32]) -> Option<Vec<u32>> {
    let nodes = offsets.len().checked_sub(1)?;
    let mut sizes = vec![0u32; nodes];
    for node in (0..nodes).rev() {
        let mut next = node as u32 + 1;
        for child in targets.get(offsets[node] as usize..offsets[node + 1] as usize)? {
            if *child != next {
                return None;
            }
            next = child + 1 + sizes.get(*child as usize)?;
        }
        sizes[node] = next - node as u32 - 1;
    }
    Some(sizes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn children_follow_their_parent_in_the_order_of_its_list() {
        // Edges: 0 -> 3, 0 -> 1, 3 -> 2; node 4 has no edge.
        let (offsets, targets) = ([0, 2, 2, 2, 3, 3], [3, 1, 2]);
        let order = NodeOrder::pre_order(&offsets, &targets, |_| false).unwrap();
        assert_eq!(order.old_of_new, [0, 3, 2, 1, 4]);
    }

    #[test]
    fn nodes_on_a_cycle_come_last() {
        // Edges: 0 -> 1, 1 -> 0; node 2 has no edge.
        let order = NodeOrder::pre_order(&[0, 1, 2, 2], &[1, 0], |_| false).unwrap();
        assert_eq!(order.old_of_new, [2, 0, 1]);
    }

    #[test]
    fn dead_nodes_get_no_number() {
        let order = NodeOrder::pre_order(&[0, 0, 0, 0], &[], |node| node == 1).unwrap();
        assert_eq!(order.new_of_old, [0, NodeOrder::NONE, 1]);
    }

    #[test]
    fn edges_of_dead_nodes_lead_nowhere() {
        // Edges: 0 -> 1, 1 -> 2; node 1 is left out.
        let order = NodeOrder::pre_order(&[0, 1, 2, 2], &[1, 2], |node| node == 1).unwrap();
        assert_eq!(order.new_of_old, [0, NodeOrder::NONE, 1]);
        assert_eq!(order.old_of_new, [0, 2]);
    }

    #[test]
    fn lists_that_can_not_be_have_no_order() {
        let told = |offsets: &[u32], targets: &[u32]| {
            assert_eq!(subtree_sizes(offsets, targets), None);
            NodeOrder::pre_order(offsets, targets, |_| false).unwrap_err().to_string()
        };
        assert_eq!(told(&[], &[]), "argument offsets: expected at least 1 ends of lists, found 0");
        assert_eq!(told(&[0, 1], &[1]), "argument targets: expected a target 0 of 0, found 1");
        assert_eq!(told(&[0, 2], &[1]), "argument offsets: expected 2 entries up to the last end, found 1");
    }

    #[test]
    fn sizes_count_everything_below() {
        let (offsets, targets) = ([0, 2, 3, 3, 3, 3], [1, 3, 2]);
        assert_eq!(subtree_sizes(&offsets, &targets), Some(vec![3, 1, 0, 0, 0]));
    }

    #[test]
    fn a_node_with_two_parents_is_no_forest() {
        assert_eq!(subtree_sizes(&[0, 1, 2, 2], &[2, 2]), None);
        assert_eq!(subtree_sizes(&[0, 2, 2], &[1, 1]), None);
    }
}
