//! [`Evaluator`]: a predefined test of branches, as part of a walk's description.

use std::ops::RangeInclusive;

use super::evaluation::Evaluation;
use varvite_graph::internal::Names;

/// A test of branches. A walk may have several evaluators: a branch is a result if all of them include it,
/// and the walk continues from the branch unless one of them ends it there. Branches of depth 0, which have
/// no edge, are tested too.
///
/// | here | in Neo4j's traversal framework |
/// |---|---|
/// | no evaluator | `all` |
/// | [`without_start`](Self::without_start) | `excludeStartPosition` |
/// | [`to_depth`](Self::to_depth), [`from_depth`](Self::from_depth), [`at_depth`](Self::at_depth), [`depths`](Self::depths) | `toDepth`, `fromDepth`, `atDepth`, `includingDepths` |
/// | [`last_edge`](Self::last_edge) | `lastRelationshipTypeIs` |
/// | [`include_last_edge`](Self::include_last_edge), [`prune_last_edge`](Self::prune_last_edge) | `includeWhereLastRelationshipTypeIs`, `pruneWhereLastRelationshipTypeIs` |
/// | [`ends_at`](Self::ends_at), [`include_ends`](Self::include_ends), [`prune_ends`](Self::prune_ends) | `endNodeIs`, `includeWhereEndNodeIs`, `pruneWhereEndNodeIs` |
/// | [`ends_at_depth`](Self::ends_at_depth) | `endNodeIsAtDepth` |
/// | [`contains_all`](Self::contains_all) | `includeIfContainsAll` |
/// | [`any_of`](Self::any_of) | `includeIfAcceptedByAny` |
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Evaluator(pub(super) Test);

/// The kind of test.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Test {
    Depths { least: u32, most: u32, continues_below: u32 },
    Labels { labels: Vec<String>, outcomes: Outcomes },
    LastEdge { edge_labels: Vec<String>, outcomes: Outcomes },
    Ends { nodes: Vec<u32>, outcomes: Outcomes },
    EndsAtDepth { nodes: Vec<u32>, depth: u32 },
    ContainsAll(Vec<u32>),
    Number { property: String, numbers: RangeInclusive<i64>, outcomes: Outcomes },
    AnyOf(Vec<Evaluator>),
}

/// The two results of a test: for branches that match, and for other branches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Outcomes {
    pub(super) matched: Evaluation,
    pub(super) other: Evaluation,
}

impl Outcomes {
    pub(super) fn of(self, is_matched: bool) -> Evaluation {
        if is_matched { self.matched } else { self.other }
    }

    pub(super) const INCLUDE: Self =
        Self { matched: Evaluation::INCLUDE_AND_CONTINUE, other: Evaluation::EXCLUDE_AND_CONTINUE };
    const INCLUDE_AND_END: Self =
        Self { matched: Evaluation::INCLUDE_AND_PRUNE, other: Evaluation::EXCLUDE_AND_CONTINUE };
}

/// Tests of the depth, which is the number of a branch's edges.
impl Evaluator {
    /// Includes all branches except those of depth 0, which are the starts.
    pub fn without_start() -> Self {
        Self::from_depth(1)
    }

    /// Includes branches of at most `most` edges; the walk goes no deeper.
    pub fn to_depth(most: u32) -> Self {
        Self::depths(0..=most)
    }

    /// Includes branches of at least `least` edges.
    pub fn from_depth(least: u32) -> Self {
        Self(Test::Depths { least, most: u32::MAX, continues_below: u32::MAX })
    }

    /// Includes branches of exactly `depth` edges; the walk goes no deeper.
    pub fn at_depth(depth: u32) -> Self {
        Self::depths(depth..=depth)
    }

    /// Includes branches whose number of edges is in this range; the walk goes no deeper.
    pub fn depths(depths: RangeInclusive<u32>) -> Self {
        let (least, most) = depths.into_inner();
        Self(Test::Depths { least, most, continues_below: most })
    }
}

/// Tests of labels. Each test is a table look-up.
impl Evaluator {
    /// Evaluates nodes with one of these labels as `matched`, and other nodes as `other`.
    pub fn labels(labels: impl Names, matched: Evaluation, other: Evaluation) -> Self {
        Self(Test::Labels { labels: labels.names(), outcomes: Outcomes { matched, other } })
    }

    /// Includes nodes with one of these labels; the walk continues everywhere.
    pub fn include_labels(labels: impl Names) -> Self {
        Self(Test::Labels { labels: labels.names(), outcomes: Outcomes::INCLUDE })
    }

    /// Includes nodes with one of these labels; the walk stops at them, and continues elsewhere.
    pub fn prune_labels(labels: impl Names) -> Self {
        Self(Test::Labels { labels: labels.names(), outcomes: Outcomes::INCLUDE_AND_END })
    }

    /// Evaluates branches whose last edge has one of these labels as `matched`, and others as `other`.
    pub fn last_edge(edge_labels: impl Names, matched: Evaluation, other: Evaluation) -> Self {
        Self(Test::LastEdge { edge_labels: edge_labels.names(), outcomes: Outcomes { matched, other } })
    }

    /// Includes branches whose last edge has one of these labels; the walk continues everywhere.
    pub fn include_last_edge(edge_labels: impl Names) -> Self {
        Self(Test::LastEdge { edge_labels: edge_labels.names(), outcomes: Outcomes::INCLUDE })
    }

    /// Includes branches whose last edge has one of these labels; the walk stops at them, and continues
    /// elsewhere.
    pub fn prune_last_edge(edge_labels: impl Names) -> Self {
        Self(Test::LastEdge { edge_labels: edge_labels.names(), outcomes: Outcomes::INCLUDE_AND_END })
    }
}

/// Tests of nodes.
impl Evaluator {
    /// Evaluates branches that end at one of these nodes as `matched`, and others as `other`.
    pub fn ends_at(nodes: impl Into<Vec<u32>>, matched: Evaluation, other: Evaluation) -> Self {
        Self(Test::Ends { nodes: nodes.into(), outcomes: Outcomes { matched, other } })
    }

    /// Includes branches that end at one of these nodes; the walk continues everywhere.
    pub fn include_ends(nodes: impl Into<Vec<u32>>) -> Self {
        Self(Test::Ends { nodes: nodes.into(), outcomes: Outcomes::INCLUDE })
    }

    /// Includes branches that end at one of these nodes; the walk stops at them, and continues elsewhere.
    pub fn prune_ends(nodes: impl Into<Vec<u32>>) -> Self {
        Self(Test::Ends { nodes: nodes.into(), outcomes: Outcomes::INCLUDE_AND_END })
    }

    /// Includes branches of exactly `depth` edges that end at one of these nodes; the walk goes no deeper.
    pub fn ends_at_depth(depth: u32, nodes: impl Into<Vec<u32>>) -> Self {
        Self(Test::EndsAtDepth { nodes: nodes.into(), depth })
    }

    /// Includes branches that contain all of these nodes; the walk continues everywhere. The test of a branch
    /// costs a pass over the edges of the branch for each of these nodes.
    pub fn contains_all(nodes: impl Into<Vec<u32>>) -> Self {
        Self(Test::ContainsAll(nodes.into()))
    }
}

/// Tests of property values, and combinations of tests.
impl Evaluator {
    /// Evaluates nodes whose value of this property is in a range of numbers as `matched`, and others as
    /// `other`. False is the number 0, true is 1. A value is read only if the other evaluators have not
    /// already decided the result.
    pub fn number(
        property: &str,
        numbers: RangeInclusive<i64>,
        matched: Evaluation,
        other: Evaluation,
    ) -> Self {
        Self(Test::Number { property: property.to_owned(), numbers, outcomes: Outcomes { matched, other } })
    }

    /// Includes nodes whose value of this property is in a range of numbers; the walk continues everywhere.
    pub fn include_number(property: &str, numbers: RangeInclusive<i64>) -> Self {
        Self(Test::Number { property: property.to_owned(), numbers, outcomes: Outcomes::INCLUDE })
    }

    /// Includes branches that any of these evaluators includes; the walk continues everywhere, even where one
    /// of these evaluators alone would stop it.
    pub fn any_of(evaluators: impl Into<Vec<Self>>) -> Self {
        Self(Test::AnyOf(evaluators.into()))
    }
}
