//! [`SkippedNodes`]: nodes that a walk counts without a visit, because their label set and one bit show that
//! they are no results and have no neighbours.
//!
//! Most nodes of most trees are leaves. The table for leaves is on the stack, indexed by the byte of a label
//! set's code.

use super::evaluation::Evaluation;
use super::plan::Plan;
use varvite_graph::internal::CodeReader;

/// The number of codes of label sets in the table; nodes with other codes are visited.
const CODES_MAX: usize = 64;

/// Finds the nodes that a walk counts without a visit.
#[derive(Debug)]
pub(super) struct SkippedNodes<'a> {
    codes: &'a [u8],
    /// For each code of a label set, a bit for each node, which is set if the node has edges in the one label
    /// and direction that the walk follows from it. Empty if the walk visits all nodes of the set.
    owners: [&'a [u8]; CODES_MAX],
}

impl<'a> SkippedNodes<'a> {
    /// No nodes: the walk visits all nodes.
    pub(super) const NOBODY: Self = Self { codes: &[], owners: [&[]; CODES_MAX] };

    /// The leaves of a plan without functions of the caller and without uniqueness.
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

    /// The number of nodes at the start of `nodes` that the walk counts without a visit.
    #[inline(always)]
    pub(super) fn count(&self, nodes: &[u32]) -> usize {
        nodes.iter().position(|node| !self.has(*node)).unwrap_or(nodes.len())
    }

    /// Whether the walk counts a node without a visit, if the depth allows that.
    #[inline(always)]
    fn has(&self, node: u32) -> bool {
        let Some(byte) = self.codes.get(node as usize) else { return false };
        let Some(owners) = self.owners.get(*byte as usize) else { return false };
        owners.get(node as usize / 8).is_some_and(|byte| byte >> (node % 8) & 1 == 0)
    }
}
