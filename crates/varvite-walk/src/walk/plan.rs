//! [`Plan`]: a walk compiled for one graph. Names are resolved to numbers, and conditions on labels to tables
//! by label set.

use std::ops::Range;
use std::time::Duration;

use varvite_format::EdgeLabelId;

use super::branch::{Branch, NO_WAY};
use super::branch_test::{BranchTest, Depths};
use super::error::{WalkError, WalkResult};
use super::evaluation::Evaluation;
use super::order::Order;
use super::uniqueness::Uniqueness;
use super::way::DirectedEdges;
use varvite_graph::internal::Damage;
use varvite_graph::{Direction, Labels, Property, Value};

/// A walk compiled for one graph. A plan is immutable: threads may share it if each has its own
/// [`Arena`](super::Arena).
#[derive(Clone, Debug)]
pub struct Plan {
    pub(super) order: Order,
    pub(super) uniqueness: Uniqueness,
    pub(super) skips_arriving_edge: bool,
    pub(super) has_ranks: bool,
    /// Whether any way leads only to nodes of some label sets.
    pub(super) has_targets: bool,
    /// Whether any way leaves out edges from a node to itself, because another way follows them.
    pub(super) meets_loops_twice: bool,
    pub(super) results_max: u64,
    pub(super) time_max: Option<Duration>,
    pub(super) labels: Labels,
    pub(super) ways: Box<[DirectedEdges]>,
    /// The numbers of the ways of each hop.
    pub(super) hops: Box<[Box<[u16]>]>,
    /// Numbers of ways. Each rule refers to a range of this list.
    pub(super) way_numbers: Box<[u16]>,
    /// The rule of each label set. A walk that keeps its direction has three groups of rules: for starts,
    /// after out-edges, and after in-edges.
    pub(super) rules: Box<[Rule]>,
    pub(super) keeps_direction: bool,
    pub(super) depths: Depths,
    pub(super) tests: Box<[BranchTest]>,
    /// The bits of an evaluation that some test may clear; and, in `tests_always`, the bits that every test
    /// leaves set.
    pub(super) tests_decide: Evaluation,
    pub(super) tests_always: Evaluation,
    pub(super) costs: Costs,
    pub(super) nodes: u32,
    pub(super) damage: Damage,
}

/// The rule for nodes with a label set.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rule {
    pub(super) evaluation: Evaluation,
    /// The ways to follow, as a range of indexes in the numbers of ways.
    pub(super) ways: (u32, u32),
}

/// The costs of edges.
#[derive(Clone, Debug, Default)]
pub(super) struct Costs {
    /// For each way, the property that gives the costs of edges; `None` if the edge label has no such
    /// property.
    pub(super) properties: Box<[Option<Property>]>,
    pub(super) name: String,
    /// The cost of edges without a value.
    pub(super) default: Option<f64>,
}

impl Costs {
    /// The cost of an edge along a way, followed from `node`; 1 by default.
    pub(super) fn of(&self, way: u16, rank: u32, node: u32) -> WalkResult<f64> {
        if self.properties.is_empty() || way == NO_WAY {
            return Ok(self.default.unwrap_or(1.0));
        }
        let property = self.properties.get(way as usize).and_then(Option::as_ref);
        let listed = property.and_then(|property| match property.get(rank)? {
            Value::Bool(cost) => Some(f64::from(u8::from(cost))),
            Value::Int(cost) => Some(cost as f64),
            Value::Uint(cost) => Some(cost as f64),
            Value::F32(cost) => Some(f64::from(cost)),
            Value::F64(cost) => Some(cost),
            _ => None,
        });
        let no_cost = || Box::new(WalkError::NoCost { node, property: self.name.clone() });
        listed.or(self.default).ok_or_else(no_cost)
    }
}

impl Plan {
    /// The rule for nodes with a label set.
    #[inline]
    pub(super) fn rule(&self, code: u32) -> Option<&Rule> {
        self.rules.get(code as usize)
    }

    /// The ways to follow from a node with a label set, as a range of indexes in `way_numbers`.
    #[inline]
    pub(super) fn ways_from(&self, code: u32, arrived_by: u16) -> Range<u32> {
        let mut at = code as usize;
        if self.keeps_direction && arrived_by != NO_WAY {
            let is_in = self.ways[arrived_by as usize].direction == Direction::In;
            at += self.labels.code_count() as usize * (1 + usize::from(is_in));
        }
        self.rules.get(at).map_or(0..0, |rule| rule.ways.0..rule.ways.1)
    }

    /// Whether edges from a node to itself are followed along a way.
    #[inline]
    pub(super) fn follows_loops(&self, way: u16, node: u32) -> bool {
        !self.meets_loops_twice || self.ways[way as usize].follows_loop_of(self.labels.known_code(node))
    }

    /// Whether edges of a label are followed in both directions; an edge from a node to itself is then
    /// followed only as an out-edge.
    pub(super) fn meets_loops_out(&self, label: EdgeLabelId) -> bool {
        self.ways.iter().any(|way| way.edge_label == label && way.met_out.is_some())
    }

    /// If a way leaves out edges from `node` to itself, removes `node` from its neighbours at index `begin`
    /// and later.
    #[inline(never)]
    pub(super) fn drop_loops(&self, way: u16, node: u32, neighbors: &mut Vec<u32>, begin: usize) {
        if neighbors[begin..].contains(&node) && !self.follows_loops(way, node) {
            retain_from(neighbors, begin, |neighbor| neighbor != node);
        }
    }

    /// Whether a node may have edges along any of these ways. Returns false for most nodes without such
    /// edges, but not for all.
    #[inline(always)]
    pub(super) fn may_lead_on(&self, node: u32, ways: Range<u32>) -> bool {
        let numbers = self.way_numbers.get(ways.start as usize..ways.end as usize).unwrap_or(&[]);
        numbers.iter().any(|way| self.ways[*way as usize].adjacency.may_have(node))
    }

    /// The plan's evaluation of a branch. `known` is the part of the evaluation that follows from the
    /// branch's label set and depth.
    #[inline]
    pub(super) fn evaluate(
        &self,
        known: Evaluation,
        branch: &Branch,
        branches: &[Branch],
        reads: &mut u64,
    ) -> Evaluation {
        if known.and(self.tests_decide) == Evaluation::EXCLUDE_AND_PRUNE {
            return known.and(self.tests_always);
        }
        self.evaluate_tests(known, branch, branches, reads)
    }

    fn evaluate_tests(
        &self,
        known: Evaluation,
        branch: &Branch,
        branches: &[Branch],
        reads: &mut u64,
    ) -> Evaluation {
        self.tests.iter().fold(known, |known, test| {
            if known.and(test.decides()) == Evaluation::EXCLUDE_AND_PRUNE {
                return known.and(test.always());
            }
            known.and(test.evaluate(branch, branches, reads))
        })
    }

    /// The edge label and direction of a way.
    #[inline]
    pub(super) fn edge_of(&self, way: u16) -> Option<(EdgeLabelId, Direction)> {
        let way = self.ways.get(way as usize)?;
        Some((way.edge_label, way.direction))
    }

    /// The number of nodes of the graph; all ids are below it.
    pub fn node_count(&self) -> u32 {
        self.nodes
    }
}

/// Keeps only the items for which `is_kept` holds, among those at index `begin` and later.
pub(super) fn retain_from(items: &mut Vec<u32>, begin: usize, is_kept: impl Fn(u32) -> bool) {
    let mut kept = begin;
    for place in begin..items.len() {
        let item = items[place];
        if is_kept(item) {
            items[kept] = item;
            kept += 1;
        }
    }
    items.truncate(kept);
}
