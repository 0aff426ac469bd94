//! [`ShortestPaths`]: the ways from some nodes to others that have the fewest edges.
//!
//! A search from both ends at once, breadth first: the smaller frontier takes the next level, until the two meet (Pohl,
//! 1971). A mark on each node says how far it is from the end that found it: four bytes for every node of the graph, and
//! nothing for an edge. Where the ends have met, the marks of the targets' side are carried on to the sources, but only
//! through nodes that are on a shortest path; so listing paths never enters a dead end, however many paths there are.
//!
//! Paths come in an order that does not depend on where the ends met: at each node in the order of the ways, then in the
//! order of the graph.

use std::collections::HashSet;

use thiserror::Error;
use varvite_format::{EdgeLabelId, ErrorCode};

use crate::adjacency::{Adjacency, Direction, ListRest};
use crate::budget::{Budget, OverBudget};
use crate::error::{GraphError, Result as GraphResult};
use crate::graph::Graph;
use crate::labels::LabelNodes;
use crate::walk::PathStep;
use varvite_store::Cancel;

/// Edges that a path may take: those of one label, one way round.
#[derive(Clone, Debug)]
pub struct PathWay {
    edge_label: EdgeLabelId,
    direction: Direction,
    forward: Adjacency,
    backward: Adjacency,
    /// Only edges whose target is one of these.
    targets: Option<LabelNodes>,
}

impl PathWay {
    /// The edges with a label. In the direction [`Direction::In`] a path takes them from target to source.
    ///
    /// # Errors
    /// [`GraphError::Unknown`], with the nearest name, or [`GraphError::Store`].
    pub fn along(graph: &Graph, edge_label: &str, direction: Direction) -> GraphResult<Self> {
        let label = graph.edge_label(edge_label)?;
        let (out, in_) = (graph.adjacency(label, Direction::Out)?, graph.adjacency(label, Direction::In)?);
        let (forward, backward) = match direction {
            Direction::Out => (out, in_),
            Direction::In => (in_, out),
        };
        Ok(Self { edge_label: label, direction, forward, backward, targets: None })
    }

    /// Of these edges only those whose target has a label.
    ///
    /// # Errors
    /// [`GraphError::Unknown`], with the nearest name, or [`GraphError::Store`].
    pub fn with_target(self, graph: &Graph, label: &str) -> GraphResult<Self> {
        Ok(Self { targets: Some(graph.nodes(label)?), ..self })
    }

    /// Makes `found` the next of the nodes at the far ends of the edges at `node`, as a path goes or against it; false if there
    /// are no more behind them. `rest` says which were found before.
    fn find(&self, node: u32, towards: Towards, rest: &mut ListRest, found: &mut Vec<u32>) -> bool {
        found.clear();
        let is_target = |node: u32| self.targets.as_ref().is_none_or(|targets| targets.contains(node));
        let leaves_source = (self.direction == Direction::Out) == (towards == Towards::Targets);
        if !leaves_source && !is_target(node) {
            return false;
        }
        let adjacency = match towards {
            Towards::Targets => &self.forward,
            Towards::Sources => &self.backward,
        };
        let more = adjacency.append_rest(node, rest, PIECE, found);
        if leaves_source && self.targets.is_some() {
            found.retain(|node| is_target(*node));
        }
        more
    }
}

/// Neighbours that are found at a time: a list may be as long as the graph is large.
const PIECE: usize = 1 << 12;

/// Limits of a search.
#[derive(Clone, Debug)]
pub struct PathOptions {
    /// Most edges of a path.
    pub length_max: u32,
    /// Most bytes that the search may hold.
    pub memory_bytes: usize,
    /// The flag that cancels.
    pub cancel: Cancel,
}

impl Default for PathOptions {
    /// Any length, a quarter of the machine's memory ([`Budget::default_bytes`]).
    fn default() -> Self {
        Self { length_max: u32::MAX, memory_bytes: Budget::default_bytes(), cancel: Cancel::default() }
    }
}

/// Why a search for paths stopped.
#[derive(Clone, Debug, Error)]
#[non_exhaustive]
pub enum PathError {
    /// A node that does not exist, or a file that can't be read.
    #[error(transparent)]
    Graph(#[from] GraphError),
    /// The search would need more memory than it may.
    #[error(
        "the search for a path needs {needed} bytes, and may use {limit}: follow fewer edge labels, or raise the budget"
    )]
    OverBudget {
        /// The budget in bytes.
        limit: usize,
        /// What would be needed at least.
        needed: usize,
    },
    /// The caller cancelled the search.
    #[error("the search for a path was cancelled")]
    Cancelled,
}

impl From<OverBudget> for PathError {
    fn from(OverBudget { limit, needed }: OverBudget) -> Self {
        Self::OverBudget { limit, needed }
    }
}

impl PathError {
    /// The number of this kind of error in every language.
    pub fn code(&self) -> ErrorCode {
        match self {
            Self::Graph(error) => error.code(),
            Self::OverBudget { .. } => ErrorCode::OverBudget,
            Self::Cancelled => ErrorCode::Cancelled,
        }
    }
}

/// The shortest paths from some nodes to others, one after another. Several edges of one label between the same nodes
/// make one path.
///
/// # Example
/// ```no_run
/// use varvite::{Direction, Graph, PathOptions, PathWay, ShortestPaths};
///
/// # fn main() -> Result<(), varvite::PathError> {
/// let graph = Graph::open("zlib.varvite")?;
/// let ways = vec![PathWay::along(&graph, "CFG", Direction::Out)?];
/// let mut paths = ShortestPaths::find(&graph, ways, &[17], &[42], &PathOptions::default())?;
/// if let Some(path) = paths.next() {
///     let path = path?;
///     println!("{} edges: {path:?}", path.len() - 1);
/// }
/// graph.check()?;
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct ShortestPaths {
    ways: Vec<PathWay>,
    /// Of every node on a shortest path how many edges are left, as [`Marks`] has it.
    marks: Marks,
    length: Option<u32>,
    seen: u64,
    path: Vec<PathStep>,
    /// For each step of the path those that may take its place; and those that may follow it.
    choices: Vec<Choice>,
    /// Paths that were listed.
    listed: u64,
    limits: Limits,
    found: Vec<u32>,
}

/// Steps that may be next, the first one last.
#[derive(Debug)]
struct Choice {
    steps: Vec<PathStep>,
    /// Paths that were listed before any of these steps was taken.
    listed_before: u64,
    /// Bytes of the steps in the budget.
    held: usize,
}

/// What a search may take.
#[derive(Debug)]
struct Limits {
    budget: Budget,
    cancel: Cancel,
    /// Nodes that were looked at since the last look at the flag.
    steps: usize,
}

impl Limits {
    /// So many nodes are looked at.
    #[inline]
    fn tick(&mut self, nodes: usize) -> Result<(), PathError> {
        self.steps += nodes;
        if self.steps >= PIECE {
            self.steps = 0;
            self.cancel.check().map_err(|_| PathError::Cancelled)?;
        }
        Ok(())
    }

    /// Makes room for more members of a set.
    fn make_room<T: Eq + std::hash::Hash>(
        &self,
        set: &mut HashSet<T>,
        more: usize,
        held: &mut usize,
    ) -> Result<(), PathError> {
        if set.capacity() - set.len() < more {
            let more = more.max(set.len());
            self.budget.hold(held, MEMBER_BYTES * size_of::<T>() * (set.len() + more))?;
            set.reserve(more);
        }
        Ok(())
    }
}

/// Times its size that a member of a set takes: tables are at most seven eighths full, and half of one more while they grow.
const MEMBER_BYTES: usize = 3;

impl ShortestPaths {
    /// Finds how long the shortest paths are; the iterator then lists them.
    ///
    /// Costs a look at each edge that either end meets, and 4 bytes for each node of the graph; memory for nodes that
    /// nobody meets is not touched.
    ///
    /// # Errors
    /// [`PathError`], of damage that the search met too. Paths are read from the graph once more as they are listed: ask
    /// [`Graph::check`] after the last.
    pub fn find(
        graph: &Graph,
        ways: Vec<PathWay>,
        sources: &[u32],
        targets: &[u32],
        options: &PathOptions,
    ) -> Result<Self, PathError> {
        let nodes = graph.node_count();
        if let Some(node) = sources.iter().chain(targets).find(|node| **node >= nodes) {
            return Err(GraphError::NoSuchNode { node: u64::from(*node), nodes }.into());
        }
        let mut search = Search::new(&ways, nodes, options)?;
        let length = search.meet(sources, targets)?;
        graph.check()?;
        let Search { marks, seen, limits, found, .. } = search;
        let (path, choices) = (Vec::new(), Vec::new());
        let mut paths = Self { ways, marks, length, seen, path, choices, listed: 0, limits, found };
        let mut known = HashSet::new();
        let is_start = |node: &&u32| length.is_some_and(|left| paths.marks.is_left(**node, left));
        let starts = sources.iter().filter(is_start).filter(|node| known.insert(**node));
        let mut starts: Vec<PathStep> = starts.map(|node| PathStep { node: *node, edge: None }).collect();
        starts.reverse();
        paths.choices.push(Choice { steps: starts, listed_before: 0, held: 0 });
        Ok(paths)
    }

    /// How many edges a shortest path has; none if there is no path.
    pub fn length(&self) -> Option<u32> {
        self.length
    }

    /// How many nodes were met on the way.
    pub fn seen(&self) -> u64 {
        self.seen
    }

    /// Leaves a node whose steps were all taken. If none of them led anywhere, the lists of a file contradict each other, and
    /// nobody comes here again: a file can cost a look at its edges, and no more.
    fn go_back(&mut self) {
        let (choice, step) = (self.choices.pop(), self.path.pop());
        let Some(choice) = choice else { return };
        self.limits.budget.give_back(choice.held);
        if let Some(step) = step.filter(|_| choice.listed_before == self.listed) {
            self.marks.forget(step.node);
        }
    }

    /// The steps from a node that go on along shortest paths, the first one last.
    fn successors(&mut self, node: u32, left: u32) -> Result<Choice, PathError> {
        let Self { ways, marks, limits, found, .. } = self;
        let mut choice = Choice { steps: Vec::new(), listed_before: self.listed, held: 0 };
        let (mut known, mut known_held) = (HashSet::new(), 0);
        for way in &*ways {
            let edge = Some((way.edge_label, way.direction));
            let (mut rest, mut more) = (ListRest::default(), true);
            while more {
                more = way.find(node, Towards::Targets, &mut rest, found);
                limits.tick(1 + found.len())?;
                found.retain(|node| marks.is_left(*node, left));
                limits.make_room(&mut known, found.len(), &mut known_held)?;
                limits.budget.make_room(&mut choice.steps, found.len(), &mut choice.held)?;
                let steps = found.iter().map(|node| PathStep { node: *node, edge });
                choice.steps.extend(steps.filter(|step| known.insert(*step)));
            }
        }
        limits.budget.give_back(known_held);
        choice.steps.reverse();
        Ok(choice)
    }

    /// The next path; none at the end.
    fn advance(&mut self) -> Result<Option<Vec<PathStep>>, PathError> {
        let Some(length) = self.length else { return Ok(None) };
        loop {
            self.limits.tick(1)?;
            let Some(choice) = self.choices.last_mut() else { return Ok(None) };
            let Some(step) = choice.steps.pop() else {
                self.go_back();
                continue;
            };
            self.path.push(step);
            let left = length - (self.path.len() as u32 - 1);
            if left == 0 {
                let path = self.path.clone();
                self.path.pop();
                self.listed += 1;
                return Ok(Some(path));
            }
            let choice = self.successors(step.node, left - 1)?;
            self.choices.push(choice);
        }
    }
}

impl Iterator for ShortestPaths {
    /// The nodes of a path, from source to target; or why there are no more: the budget, or the flag that cancels.
    type Item = Result<Vec<PathStep>, PathError>;

    fn next(&mut self) -> Option<Self::Item> {
        let next = self.advance();
        if next.is_err() {
            self.choices.clear();
        }
        next.transpose()
    }
}

/// From which end a level is looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Towards {
    Targets,
    Sources,
}

/// How far each node is from the end that found it: 0 for nodes that nobody met, above 0 one more than the distance from the
/// sources, below 0 one more than the distance to the targets, negated.
#[derive(Debug)]
struct Marks(Vec<i32>);

impl Marks {
    fn get(&self, node: u32) -> i32 {
        self.0[node as usize]
    }

    fn set(&mut self, node: u32, towards: Towards, distance: u32) {
        let mark = distance as i32 + 1;
        self.0[node as usize] = if towards == Towards::Targets { mark } else { -mark };
    }

    fn forget(&mut self, node: u32) {
        self.0[node as usize] = 0;
    }

    /// Whether so many edges are left from a node to a target.
    fn is_left(&self, node: u32, distance: u32) -> bool {
        self.get(node) == -(distance as i32) - 1
    }
}

/// Nodes at one distance from an end.
struct Frontier {
    towards: Towards,
    nodes: Vec<u32>,
    distance: u32,
}

struct Search<'a> {
    ways: &'a [PathWay],
    marks: Marks,
    seen: u64,
    limits: Limits,
    length_max: u32,
    /// Bytes of frontiers in the budget, and of the nodes where they met.
    held: usize,
    both_held: usize,
    /// Some neighbours of one node.
    found: Vec<u32>,
}

/// Distances fit into marks.
const LENGTH_MAX: u32 = i32::MAX as u32 - 2;

impl<'a> Search<'a> {
    fn new(ways: &'a [PathWay], nodes: u32, options: &'a PathOptions) -> Result<Self, PathError> {
        options.cancel.check().map_err(|_| PathError::Cancelled)?;
        let budget = Budget::new(options.memory_bytes);
        budget.take(size_of::<i32>() * nodes as usize)?;
        Ok(Self {
            ways,
            marks: Marks(vec![0; nodes as usize]),
            seen: 0,
            limits: Limits { budget, cancel: options.cancel.clone(), steps: 0 },
            length_max: options.length_max.min(LENGTH_MAX),
            held: 0,
            both_held: 0,
            found: Vec::new(),
        })
    }

    /// The length of the shortest paths, with marks on all their nodes that say how much of it is left.
    fn meet(&mut self, sources: &[u32], targets: &[u32]) -> Result<Option<u32>, PathError> {
        let frontier = |towards| Frontier { towards, nodes: Vec::new(), distance: 0 };
        let (mut near, mut far) = (frontier(Towards::Targets), frontier(Towards::Sources));
        let mut both = HashSet::new();
        self.reach_all(sources, &mut near, 0, &mut both)?;
        self.reach_all(targets, &mut far, 0, &mut both)?;
        while both.is_empty() {
            let length = near.distance + far.distance;
            if near.nodes.is_empty() || far.nodes.is_empty() || length >= self.length_max {
                return Ok(None);
            }
            let smaller = if near.nodes.len() <= far.nodes.len() { &mut near } else { &mut far };
            self.advance(smaller, &mut both)?;
        }
        let mut met = Vec::new();
        self.limits.budget.make_room(&mut met, both.len(), &mut self.held)?;
        met.extend(both);
        self.give_back(std::mem::take(&mut near.nodes));
        self.give_back(std::mem::take(&mut far.nodes));
        self.limits.budget.hold(&mut self.both_held, 0)?;
        self.carry_on(met, near.distance, far.distance)?;
        Ok(Some(near.distance + far.distance))
    }

    /// Makes a frontier the next level, and finds which of it the other end has met.
    fn advance(&mut self, frontier: &mut Frontier, both: &mut HashSet<u32>) -> Result<(), PathError> {
        let distance = frontier.distance + 1;
        let nodes = std::mem::take(&mut frontier.nodes);
        let mut found = std::mem::take(&mut self.found);
        for node in &nodes {
            for way in self.ways {
                let (mut rest, mut more) = (ListRest::default(), true);
                while more {
                    more = way.find(*node, frontier.towards, &mut rest, &mut found);
                    self.reach_all(&found, frontier, distance, both)?;
                }
            }
        }
        self.give_back(nodes);
        (self.found, frontier.distance) = (found, distance);
        Ok(())
    }

    fn reach_all(
        &mut self,
        nodes: &[u32],
        frontier: &mut Frontier,
        distance: u32,
        both: &mut HashSet<u32>,
    ) -> Result<(), PathError> {
        self.limits.tick(1 + nodes.len())?;
        self.limits.budget.make_room(&mut frontier.nodes, nodes.len(), &mut self.held)?;
        self.limits.make_room(both, nodes.len(), &mut self.both_held)?;
        nodes.iter().for_each(|node| self.reach(*node, frontier, distance, both));
        Ok(())
    }

    /// Drops a level that was left.
    fn give_back(&mut self, mut nodes: Vec<u32>) {
        self.limits.budget.give_back_items(&mut nodes, &mut self.held);
    }

    /// Marks a node that a frontier has come to, or finds that the other end was there before.
    #[inline]
    fn reach(&mut self, node: u32, frontier: &mut Frontier, distance: u32, both: &mut HashSet<u32>) {
        let mark = self.marks.get(node);
        if mark == 0 {
            self.marks.set(node, frontier.towards, distance);
            frontier.nodes.push(node);
            self.seen += 1;
        } else if (mark > 0) != (frontier.towards == Towards::Targets) {
            both.insert(node);
        }
    }

    /// Carries the marks of the targets' side on from where the ends met, which is `near` edges from the sources and `far`
    /// from the targets.
    fn carry_on(&mut self, both: Vec<u32>, near: u32, far: u32) -> Result<(), PathError> {
        let mut level = both;
        level.iter().for_each(|node| self.marks.set(*node, Towards::Sources, far));
        let mut found = std::mem::take(&mut self.found);
        for (before, left) in (0..near).rev().zip(far + 1..) {
            let mut above = Vec::new();
            for node in &level {
                for way in self.ways {
                    let (mut rest, mut more) = (ListRest::default(), true);
                    while more {
                        more = way.find(*node, Towards::Sources, &mut rest, &mut found);
                        self.limits.tick(1 + found.len())?;
                        self.limits.budget.make_room(&mut above, found.len(), &mut self.held)?;
                        for node in &found {
                            if self.marks.get(*node) == before as i32 + 1 {
                                self.marks.set(*node, Towards::Sources, left);
                                above.push(*node);
                            }
                        }
                    }
                }
            }
            self.give_back(std::mem::replace(&mut level, above));
        }
        self.give_back(level);
        self.found = found;
        Ok(())
    }
}
