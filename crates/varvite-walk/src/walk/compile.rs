//! Compiles a [`Walk`] to a [`Plan`]: names become numbers, and conditions on labels become tables.

use std::collections::HashMap;
use std::sync::Arc;

use varvite_format::EdgeLabelId;

use super::branch_test::{BranchTest, Depths};
use super::description::Walk;
use super::error::WalkError;
use super::evaluation::Evaluation;
use super::evaluator::{Evaluator, Outcomes, Test};
use super::hop::Hop;
use super::plan::{Costs, Plan, Rule};
use super::way::{DirectedEdges, EdgeRanks, MetOut};
use varvite_graph::Result as GraphResult;
use varvite_graph::{Direction, Graph, GraphError, Labels, optional};

impl Walk {
    /// Compiles the walk for a graph. Opens the columns that the walk needs, and allocates tables with an
    /// entry for each label set.
    ///
    /// # Errors
    /// [`WalkError::Graph`] for a name that the graph does not have, with the nearest name;
    /// [`WalkError::Contradiction`] for evaluators that together allow no depth.
    pub fn compile(&self, graph: &Graph) -> Result<Plan, WalkError> {
        let labels = graph.label_sets()?;
        let mut ways = Ways { graph, labels: &labels, ways: Vec::new(), has_ranks: self.has_ranks() };
        let hops: Vec<ResolvedHop> =
            self.hops.iter().map(|hop| ways.resolve(hop)).collect::<Result<_, WalkError>>()?;
        let of_hops = hops.iter().map(|hop| ways.of_hop(hop)).collect::<Result<_, WalkError>>()?;
        let Rules { ranges, numbers } = ways.rules(&hops, self.keeps_direction)?;
        let ways = ways.ways;
        let mut evaluators = Evaluators::new(graph, &labels, &ways);
        self.evaluators.iter().try_for_each(|evaluator| evaluators.add(evaluator))?;
        let Evaluators { depths, of_code, tests, .. } = evaluators;
        if depths.least > depths.most.min(depths.continues_below) {
            let most = depths.most.min(depths.continues_below);
            return Err(WalkError::Contradiction { least: depths.least, most });
        }
        let codes = labels.code_count() as usize;
        let evaluation = |place: usize| of_code.get(place % codes.max(1)).copied().unwrap_or_default();
        let rules = ranges.into_iter().enumerate();
        let rules = rules.map(|(place, ways)| Rule { evaluation: evaluation(place), ways }).collect();
        Ok(Plan {
            order: self.order,
            uniqueness: self.uniqueness,
            skips_arriving_edge: self.skips_arriving_edge,
            has_ranks: self.has_ranks(),
            has_targets: ways.iter().any(|way| way.targets.is_some()),
            meets_loops_twice: ways.iter().any(|way| way.met_out.is_some()),
            results_max: self.results_max.unwrap_or(u64::MAX),
            time_max: self.time_max,
            costs: self.costs(graph, &ways)?,
            ways: ways.into(),
            hops: of_hops,
            way_numbers: numbers.into(),
            rules,
            keeps_direction: self.keeps_direction,
            depths,
            tests_decide: tests
                .iter()
                .map(BranchTest::decides)
                .fold(Evaluation::EXCLUDE_AND_PRUNE, Evaluation::or),
            tests_always: tests.iter().map(BranchTest::always).fold(Evaluation::default(), Evaluation::and),
            tests: tests.into(),
            nodes: graph.node_count(),
            damage: graph.damage().clone(),
            labels,
        })
    }

    fn has_ranks(&self) -> bool {
        self.has_ranks || self.skips_arriving_edge || self.uniqueness.is_of_edges() || self.cost.is_some()
    }

    fn costs(&self, graph: &Graph, ways: &[DirectedEdges]) -> GraphResult<Costs> {
        let Some(cost) = &self.cost else { return Ok(Costs::default()) };
        let mut is_known = false;
        let mut property = |way: &DirectedEdges| {
            let label = &graph.edge_labels()[way.edge_label.index()].name;
            let found = optional(graph.edge_property(label, Some(&cost.property)))?;
            is_known |= found.is_some();
            Ok(found)
        };
        let properties = ways.iter().map(&mut property).collect::<GraphResult<_>>()?;
        match ways.first() {
            Some(way) if !is_known => {
                let label = &graph.edge_labels()[way.edge_label.index()].name;
                Err(graph
                    .edge_property(label, Some(&cost.property))
                    .err()
                    .unwrap_or_else(|| graph.missing("costs", "property")))
            }
            _ => Ok(Costs { properties, name: cost.property.clone(), default: cost.default }),
        }
    }
}

/// The edges of a label in one direction.
type Along = (EdgeLabelId, Direction);

/// A hop whose names are resolved to numbers.
struct ResolvedHop {
    along: Vec<Along>,
    /// For each label set, whether edges are followed from its nodes, and, in `to`, whether they are followed
    /// to its nodes. `None` stands for all label sets.
    from: Option<Arc<[bool]>>,
    to: Option<Arc<[bool]>>,
}

/// For each label set, the ways to follow from its nodes.
struct Rules {
    /// For each label set, a range of indexes in `numbers`.
    ranges: Vec<(u32, u32)>,
    numbers: Vec<u16>,
}

/// The ways of a plan that is being compiled.
struct Ways<'a> {
    graph: &'a Graph,
    labels: &'a Labels,
    ways: Vec<DirectedEdges>,
    has_ranks: bool,
}

impl Ways<'_> {
    fn resolve(&self, hop: &Hop) -> Result<ResolvedHop, WalkError> {
        let labels: Vec<EdgeLabelId> = match &hop.edge_labels[..] {
            [] => self.graph.edge_label_ids().collect(),
            names => names.iter().map(|name| self.graph.edge_label(name)).collect::<GraphResult<_>>()?,
        };
        let directions = hop.direction.as_ref().map_or(&Direction::BOTH[..], std::slice::from_ref);
        let along = labels.iter().flat_map(|label| directions.iter().map(|direction| (*label, *direction)));
        let along = along.collect();
        let sets = |names: &[String]| match names {
            [] => Ok(None),
            names => sets_with(self.graph, self.labels, names).map(Some),
        };
        Ok(ResolvedHop { along, from: sets(&hop.from)?, to: sets(&hop.to)? })
    }

    fn of_hop(&mut self, hop: &ResolvedHop) -> Result<Box<[u16]>, WalkError> {
        let number = |along: &Along| self.number(*along, hop.to.as_ref(), met_out(*along, [hop].into_iter()));
        hop.along.iter().map(number).collect()
    }

    /// Finds or adds the way along an edge label and direction, to nodes with some label sets. Returns the
    /// number of the way.
    fn number(
        &mut self,
        (label, direction): Along,
        targets: Option<&Arc<[bool]>>,
        met_out: Option<MetOut>,
    ) -> Result<u16, WalkError> {
        let is_same = |way: &DirectedEdges| {
            (way.edge_label, way.direction) == (label, direction)
                && way.targets.as_ref() == targets
                && way.met_out == met_out
        };
        if let Some(known) = self.ways.iter().position(is_same) {
            return Ok(known as u16);
        }
        let number = u16::try_from(self.ways.len()).ok().filter(|number| *number < u16::MAX);
        let number = number.ok_or(WalkError::TooManyWays { limit: usize::from(u16::MAX) })?;
        let mut way = DirectedEdges::open(self.graph, label, direction)?;
        way.targets = targets.cloned();
        way.met_out = met_out;
        if self.has_ranks {
            way.ranks = Some(EdgeRanks::open(self.graph, label, direction)?);
        }
        self.ways.push(way);
        Ok(number)
    }

    /// Finds the ways to follow from the nodes of each label set.
    fn rules(&mut self, hops: &[ResolvedHop], keeps_direction: bool) -> Result<Rules, WalkError> {
        let (mut ranges, mut numbers, mut known) = (Vec::new(), Vec::new(), HashMap::new());
        let kept: &[Option<Direction>] = match keeps_direction {
            false => &[None],
            true => &[None, Some(Direction::Out), Some(Direction::In)],
        };
        for kept in kept {
            for code in 0..self.labels.code_count() as usize {
                let leads = |hop: &ResolvedHop| hop.from.as_ref().is_none_or(|from| from[code]);
                let leading: Vec<usize> =
                    (0..).zip(hops).filter(|(_, hop)| leads(hop)).map(|(place, _)| place).collect();
                let range = match known.get(&(*kept, leading.clone())) {
                    Some(range) => *range,
                    None => {
                        let begin = numbers.len() as u32;
                        self.add_ways(hops, &leading, *kept, &mut numbers)?;
                        let range = (begin, numbers.len() as u32);
                        known.insert((*kept, leading), range);
                        range
                    }
                };
                ranges.push(range);
            }
        }
        Ok(Rules { ranges, numbers })
    }

    /// Adds the ways of some hops. Each edge label and direction is added once, with all target nodes that
    /// any of these hops allows.
    fn add_ways(
        &mut self,
        hops: &[ResolvedHop],
        leading: &[usize],
        kept: Option<Direction>,
        numbers: &mut Vec<u16>,
    ) -> Result<(), WalkError> {
        let mut added: Vec<Along> = Vec::new();
        for along in leading.iter().flat_map(|hop| &hops[*hop].along) {
            if kept.is_some_and(|kept| kept != along.1) || added.contains(along) {
                continue;
            }
            added.push(*along);
            let leading = || leading.iter().map(|hop| &hops[*hop]);
            let targets = targets_along(*along, leading()).flatten();
            let met_out = if kept.is_none() { met_out(*along, leading()) } else { None };
            numbers.push(self.number(*along, targets.as_ref(), met_out)?);
        }
        Ok(())
    }
}

/// The label sets to which at least one of the hops follows these edges. `None` if no hop follows them;
/// `Some(None)` for all label sets.
fn targets_along<'h>(
    along: Along,
    hops: impl Iterator<Item = &'h ResolvedHop>,
) -> Option<Option<Arc<[bool]>>> {
    hops.filter(|hop| hop.along.contains(&along)).map(|hop| hop.to.clone()).reduce(either)
}

/// For a way of in-edges: the label sets to which hops follow the out-edges of the same label; `None` if no
/// hop does. At nodes with these label sets, this way leaves out an edge from a node to itself, because the
/// way of out-edges follows it.
fn met_out<'h>((label, direction): Along, hops: impl Iterator<Item = &'h ResolvedHop>) -> Option<MetOut> {
    match direction {
        Direction::Out => None,
        Direction::In => targets_along((label, Direction::Out), hops).map(MetOut),
    }
}

/// The union of two sets of label sets. `None` stands for all label sets.
fn either(one: Option<Arc<[bool]>>, other: Option<Arc<[bool]>>) -> Option<Arc<[bool]>> {
    let (one, other) = one.zip(other)?;
    Some(one.iter().zip(&*other).map(|(one, other)| *one || *other).collect())
}

/// For each label set, whether it has at least one of these labels.
fn sets_with(graph: &Graph, labels: &Labels, names: &[String]) -> Result<Arc<[bool]>, WalkError> {
    let ids = names.iter().map(|name| graph.label(name)).collect::<GraphResult<Vec<_>>>()?;
    let has_any = |code: u32| ids.iter().any(|label| labels.code_has(code, *label));
    Ok((0..labels.code_count()).map(has_any).collect())
}

/// The evaluators of a plan that is being compiled.
struct Evaluators<'a> {
    graph: &'a Graph,
    labels: &'a Labels,
    ways: &'a [DirectedEdges],
    depths: Depths,
    of_code: Vec<Evaluation>,
    tests: Vec<BranchTest>,
}

impl<'a> Evaluators<'a> {
    fn new(graph: &'a Graph, labels: &'a Labels, ways: &'a [DirectedEdges]) -> Self {
        let of_code = vec![Evaluation::default(); labels.code_count() as usize];
        Self { graph, labels, ways, depths: Depths::ANY, of_code, tests: Vec::new() }
    }

    fn add(&mut self, evaluator: &Evaluator) -> Result<(), WalkError> {
        match self.test(evaluator)? {
            BranchTest::Depths(depths) => self.depths = self.depths.and(depths),
            BranchTest::Labels(of_code) => {
                self.of_code.iter_mut().zip(&of_code).for_each(|(all, one)| *all = all.and(*one));
            }
            BranchTest::EndsAtDepth(nodes, depth) => {
                let at_depth = Depths { least: depth, most: depth, continues_below: depth };
                self.depths = self.depths.and(at_depth);
                self.tests.push(BranchTest::Ends(nodes, Outcomes::INCLUDE));
            }
            test => self.tests.push(test),
        }
        Ok(())
    }

    fn test(&self, evaluator: &Evaluator) -> Result<BranchTest, WalkError> {
        Ok(match &evaluator.0 {
            Test::Depths { least, most, continues_below } => {
                if least > most {
                    return Err(WalkError::Contradiction { least: *least, most: *most });
                }
                let (least, most, continues_below) = (*least, *most, *continues_below);
                BranchTest::Depths(Depths { least, most, continues_below })
            }
            Test::Labels { labels, outcomes } => {
                let sets = sets_with(self.graph, self.labels, labels)?;
                BranchTest::Labels(sets.iter().map(|has| outcomes.of(*has)).collect())
            }
            Test::LastEdge { edge_labels, outcomes } => {
                let ids = edge_labels.iter().map(|name| self.graph.edge_label(name));
                let ids = ids.collect::<GraphResult<Vec<_>>>()?;
                let of_way = self.ways.iter().map(|way| outcomes.of(ids.contains(&way.edge_label)));
                BranchTest::LastEdge(of_way.collect(), outcomes.other)
            }
            Test::Ends { nodes, outcomes } => BranchTest::Ends(self.rising(nodes)?, *outcomes),
            Test::EndsAtDepth { nodes, depth } => BranchTest::EndsAtDepth(self.rising(nodes)?, *depth),
            Test::ContainsAll(nodes) => BranchTest::ContainsAll(self.rising(nodes)?),
            Test::Number { property, numbers, outcomes } => {
                BranchTest::Number(Box::new(self.graph.property(property)?), numbers.clone(), *outcomes)
            }
            Test::AnyOf(evaluators) => {
                let tests = evaluators.iter().map(|evaluator| self.test(evaluator));
                BranchTest::AnyOf(tests.collect::<Result<_, _>>()?)
            }
        })
    }

    /// Sorts nodes in ascending order and removes repetitions. Fails for a node that the graph does not have.
    fn rising(&self, nodes: &[u32]) -> Result<Box<[u32]>, WalkError> {
        let count = self.graph.node_count();
        if let Some(node) = nodes.iter().find(|node| **node >= count) {
            return Err(GraphError::NoSuchNode { node: u64::from(*node), nodes: count }.into());
        }
        let mut nodes = nodes.to_vec();
        nodes.sort_unstable();
        nodes.dedup();
        Ok(nodes.into())
    }
}
