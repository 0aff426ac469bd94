//! [`SkippedNodes`]: nodes that a walk counts without a visit, because their label set and one bit show that
//! they are not results and have no neighbours.
//!
//! This makes walks over trees faster, because most nodes of most trees are leaves. The table that identifies
//! leaves is on the stack. It is indexed by the byte in which the column of labels stores the code of a
//! node's label set.

use super::evaluation::Evaluation;
use super::plan::Plan;
use varvite_graph::internal::CodeReader;

/// The number of entries of the table, one for each code of a label set. Nodes with other codes are visited.
const CODES_MAX: usize = 64;

/// Finds the nodes that a walk counts without a visit.
#[derive(Debug)]
pub(super) struct SkippedNodes<'a> {
    codes: &'a [u8],
    /// For each code of a label set, a bitmap with a bit for each node. The bit is set if the node has edges
    /// along the only way that the walk follows from nodes with this set. Empty if the walk visits all nodes
    /// with the set.
    owners: [&'a [u8]; CODES_MAX],
}

impl<'a> SkippedNodes<'a> {
    /// No nodes: the walk visits all nodes.
    pub(super) const NOBODY: Self = Self { codes: &[], owners: [&[]; CODES_MAX] };

    /// The leaves that a walk of this plan need not visit, if it has neither a guide nor a rule of
    /// uniqueness.
    pub(super) fn of(plan: &'a Plan, codes: &CodeReader<'a>) -> Self {
        let (bytes, offset) = codes.bytes();
        let mut passed = Self { codes: bytes, ..Self::NOBODY };
        for (byte, owners) in passed.owners.iter_mut().enumerate() {
            let Some(rule) = plan.rule(offset + byte as u32) else { break };
            let is_open = rule.evaluation.and(plan.tests_decide) != Evaluation::EXCLUDE_AND_PRUNE;
            let left = rule.evaluation.and(plan.tests_always);
            if is_open || left != Evaluation::EXCLUDE_AND_CONTINUE {
                continue;
            }
            let (begin, end) = (rule.ways.0 as usize, rule.ways.1 as usize);
            if let Some([way]) = plan.way_numbers.get(begin..end) {
                *owners = plan.ways[*way as usize].adjacency.owner_bits();
            }
        }
        passed
    }

    /// The number of nodes that the walk counts without a visit at the start of `nodes`, before the first one
    /// that it visits.
    #[inline(always)]
    pub(super) fn count(&self, nodes: &[u32]) -> usize {
        nodes.iter().position(|node| !self.has(*node)).unwrap_or(nodes.len())
    }

    /// Whether the walk counts a node without a visit. The caller must have checked that the branch's depth
    /// allows this.
    #[inline(always)]
    fn has(&self, node: u32) -> bool {
        let Some(byte) = self.codes.get(node as usize) else { return false };
        let Some(owners) = self.owners.get(*byte as usize) else { return false };
        owners.get(node as usize / 8).is_some_and(|byte| byte >> (node % 8) & 1 == 0)
    }
}
