//! [`BranchTest`]: an evaluator in the form that a walk calls, with names resolved to numbers.
//!
//! Most evaluators of depths or labels do not become separate tests: the compiler merges them into one
//! [`Depths`] and one table by label set.

use std::ops::RangeInclusive;

use super::branch::{Branch, back_from};
use super::evaluation::Evaluation;
use super::evaluator::Outcomes;
use varvite_graph::Property;

/// The intersection of the depth ranges of all evaluators.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Depths {
    pub(super) least: u32,
    pub(super) most: u32,
    pub(super) continues_below: u32,
}

impl Depths {
    pub(super) const ANY: Self = Self { least: 0, most: u32::MAX, continues_below: u32::MAX };

    pub(super) fn and(self, other: Self) -> Self {
        Self {
            least: self.least.max(other.least),
            most: self.most.min(other.most),
            continues_below: self.continues_below.min(other.continues_below),
        }
    }

    #[inline]
    pub(super) fn evaluate(self, depth: u32) -> Evaluation {
        Evaluation::of(self.least <= depth && depth <= self.most, depth < self.continues_below)
    }
}

/// A test that evaluates branches.
#[derive(Clone, Debug)]
pub(super) enum BranchTest {
    Depths(Depths),
    /// The evaluation for each label set.
    Labels(Box<[Evaluation]>),
    /// For each way, the evaluation of branches whose last edge belongs to the way; and the evaluation of
    /// branches without an edge.
    LastEdge(Box<[Evaluation]>, Evaluation),
    /// Nodes at which branches end, in ascending order.
    Ends(Box<[u32]>, Outcomes),
    EndsAtDepth(Box<[u32]>, u32),
    ContainsAll(Box<[u32]>),
    Number(Box<Property>, RangeInclusive<i64>, Outcomes),
    AnyOf(Box<[BranchTest]>),
}

impl BranchTest {
    /// The test's evaluation of a branch. Adds the number of property values that were read to `reads`.
    pub(super) fn evaluate(&self, branch: &Branch, branches: &[Branch], reads: &mut u64) -> Evaluation {
        match self {
            Self::Depths(depths) => depths.evaluate(branch.depth),
            Self::Labels(of_code) => of_code.get(branch.code as usize).copied().unwrap_or_default(),
            Self::LastEdge(of_way, other) => of_way.get(branch.way as usize).copied().unwrap_or(*other),
            Self::Ends(nodes, outcomes) => outcomes.of(nodes.binary_search(&branch.node).is_ok()),
            Self::EndsAtDepth(nodes, depth) => {
                let is_there = branch.depth == *depth && nodes.binary_search(&branch.node).is_ok();
                Evaluation::of(is_there, branch.depth < *depth)
            }
            Self::ContainsAll(nodes) => {
                let is_on_path = |node: &u32| {
                    *node == branch.node
                        || back_from(branches, branch.parent).any(|before| before.node == *node)
                };
                Evaluation::of(nodes.iter().all(is_on_path), true)
            }
            Self::Number(property, numbers, outcomes) => {
                *reads += 1;
                if let Some(bit) = property.bit(branch.node) {
                    return outcomes.of(numbers.contains(&i64::from(bit)));
                }
                let matches = match property.is_list() {
                    true => property.numbers(branch.node).any(|number| numbers.contains(&number)),
                    false => property.number(branch.node).is_some_and(|number| numbers.contains(&number)),
                };
                outcomes.of(matches)
            }
            Self::AnyOf(tests) => {
                let mut evaluations = tests.iter().map(|test| test.evaluate(branch, branches, reads));
                Evaluation::of(evaluations.any(Evaluation::includes), true)
            }
        }
    }

    /// The bits of the result that depend on the branch. If earlier tests have cleared all of these bits, the
    /// test is skipped.
    pub(super) fn decides(&self) -> Evaluation {
        match self {
            Self::Ends(_, outcomes) | Self::Number(_, _, outcomes) => {
                outcomes.matched.differs(outcomes.other)
            }
            Self::ContainsAll(_) | Self::AnyOf(_) => Evaluation::INCLUDE_AND_PRUNE,
            _ => Evaluation::INCLUDE_AND_CONTINUE,
        }
    }

    /// The bits that are set in every result of the test.
    pub(super) fn always(&self) -> Evaluation {
        match self {
            Self::Ends(_, outcomes) | Self::Number(_, _, outcomes) => outcomes.matched.and(outcomes.other),
            Self::ContainsAll(_) | Self::AnyOf(_) => Evaluation::EXCLUDE_AND_CONTINUE,
            _ => Evaluation::EXCLUDE_AND_PRUNE,
        }
    }
}
