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
use varvite_format::ErrorCode;

use crate::adjacency::{Adjacency, Direction};
use crate::error::{GraphError, Result as GraphResult};
use crate::graph::Graph;
use crate::labels::LabelNodes;
use crate::pipeline::Cancel;

/// Edges that a path may take: those of one label, one way round.
#[derive(Clone, Debug)]
pub struct PathWay {
    edge_label: u32,
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
        Ok(Self { edge_label: label as u32, direction, forward, backward, targets: None })
    }

    /// Of these edges only those whose target has a label.
    ///
    /// # Errors
    /// [`GraphError::Unknown`], with the nearest name, or [`GraphError::Store`].
    pub fn with_target(self, graph: &Graph, label: &str) -> GraphResult<Self> {
        Ok(Self { targets: Some(graph.nodes(label)?), ..self })
    }

    /// Makes `found` the nodes at the far ends of the edges at `node`, as a path goes or against it.
    fn find(&self, node: u32, towards: Towards, found: &mut Vec<u32>) {
        found.clear();
        let is_target = |node: u32| self.targets.as_ref().is_none_or(|targets| targets.contains(node));
        let leaves_source = (self.direction == Direction::Out) == (towards == Towards::Targets);
        if !leaves_source && !is_target(node) {
            return;
        }
        match towards {
            Towards::Targets => self.forward.append(node, found),
            Towards::Sources => self.backward.append(node, found),
        }
        if leaves_source && self.targets.is_some() {
            found.retain(|node| is_target(*node));
        }
    }
}

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
    /// Any length, 1 GiB.
    fn default() -> Self {
        Self { length_max: u32::MAX, memory_bytes: 1 << 30, cancel: Cancel::default() }
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

/// A node of a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct PathStep {
    /// The node.
    pub node: u32,
    /// The edge that leads to it from the node before: the index of its label in [`Graph::edge_labels`], and which way
    /// round it was taken. None for the first node.
    pub edge: Option<(u32, Direction)>,
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
}

/// Steps that may be next, the first one last.
#[derive(Debug)]
struct Choice {
    steps: Vec<PathStep>,
    /// Paths that were listed before any of these steps was taken.
    listed_before: u64,
}

impl ShortestPaths {
    /// Finds how long the shortest paths are; the iterator then lists them.
    ///
    /// Costs a look at each edge that either end meets, and 4 bytes for each node of the graph; memory for nodes that
    /// nobody meets is not touched.
    ///
    /// # Errors
    /// [`PathError`]. Ask [`Graph::check`] before calling the answer complete.
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
        let (marks, seen) = (search.marks, search.seen);
        let mut paths = Self { ways, marks, length, seen, path: Vec::new(), choices: Vec::new(), listed: 0 };
        let mut known = HashSet::new();
        let is_start = |node: &&u32| length.is_some_and(|left| paths.marks.is_left(**node, left));
        let starts = sources.iter().filter(is_start).filter(|node| known.insert(**node));
        let mut starts: Vec<PathStep> = starts.map(|node| PathStep { node: *node, edge: None }).collect();
        starts.reverse();
        paths.choices.push(Choice { steps: starts, listed_before: 0 });
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
        if let (Some(choice), Some(step)) = (choice, step)
            && choice.listed_before == self.listed
        {
            self.marks.forget(step.node);
        }
    }

    /// The steps from a node that go on along shortest paths, the first one last.
    fn successors(&self, node: u32, left: u32) -> Vec<PathStep> {
        let (mut steps, mut known, mut found) = (Vec::new(), HashSet::new(), Vec::new());
        for way in &self.ways {
            way.find(node, Towards::Targets, &mut found);
            let edge = Some((way.edge_label, way.direction));
            let ends = found.iter().filter(|node| self.marks.is_left(**node, left));
            steps.extend(ends.map(|node| PathStep { node: *node, edge }).filter(|step| known.insert(*step)));
        }
        steps.reverse();
        steps
    }
}

impl Iterator for ShortestPaths {
    /// The nodes of a path, from source to target.
    type Item = Vec<PathStep>;

    fn next(&mut self) -> Option<Vec<PathStep>> {
        let length = self.length?;
        loop {
            let Some(step) = self.choices.last_mut()?.steps.pop() else {
                self.go_back();
                continue;
            };
            self.path.push(step);
            let left = length - (self.path.len() as u32 - 1);
            if left == 0 {
                let path = self.path.clone();
                self.path.pop();
                self.listed += 1;
                return Some(path);
            }
            let steps = self.successors(step.node, left - 1);
            self.choices.push(Choice { steps, listed_before: self.listed });
        }
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
    options: &'a PathOptions,
    /// The neighbours of one node.
    found: Vec<u32>,
}

/// Distances fit into marks.
const LENGTH_MAX: u32 = i32::MAX as u32 - 2;

impl<'a> Search<'a> {
    fn new(ways: &'a [PathWay], nodes: u32, options: &'a PathOptions) -> Result<Self, PathError> {
        let mut search = Self { ways, marks: Marks(Vec::new()), seen: 0, options, found: Vec::new() };
        search.check(size_of::<i32>() * nodes as usize)?;
        search.marks.0 = vec![0; nodes as usize];
        Ok(search)
    }

    /// The length of the shortest paths, with marks on all their nodes that say how much of it is left.
    fn meet(&mut self, sources: &[u32], targets: &[u32]) -> Result<Option<u32>, PathError> {
        let frontier = |towards| Frontier { towards, nodes: Vec::new(), distance: 0 };
        let (mut near, mut far) = (frontier(Towards::Targets), frontier(Towards::Sources));
        let mut both = HashSet::new();
        sources.iter().for_each(|node| self.reach(*node, &mut near, 0, &mut both));
        targets.iter().for_each(|node| self.reach(*node, &mut far, 0, &mut both));
        while both.is_empty() {
            let length = near.distance + far.distance;
            if near.nodes.is_empty()
                || far.nodes.is_empty()
                || length >= self.options.length_max.min(LENGTH_MAX)
            {
                return Ok(None);
            }
            let smaller = if near.nodes.len() <= far.nodes.len() { &mut near } else { &mut far };
            self.advance(smaller, &mut both)?;
        }
        let mut both: Vec<u32> = both.into_iter().collect();
        both.sort_unstable();
        self.carry_on(both, near.distance, far.distance)?;
        Ok(Some(near.distance + far.distance))
    }

    /// Makes a frontier the next level, and finds which of it the other end has met.
    fn advance(&mut self, frontier: &mut Frontier, both: &mut HashSet<u32>) -> Result<(), PathError> {
        let distance = frontier.distance + 1;
        let nodes = std::mem::take(&mut frontier.nodes);
        let mut found = std::mem::take(&mut self.found);
        for node in &nodes {
            for way in self.ways {
                way.find(*node, frontier.towards, &mut found);
                found.iter().for_each(|node| self.reach(*node, frontier, distance, both));
            }
            self.check(size_of::<u32>() * (nodes.capacity() + frontier.nodes.capacity() + found.capacity()))?;
        }
        (self.found, frontier.distance) = (found, distance);
        Ok(())
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
                    way.find(*node, Towards::Sources, &mut found);
                    for node in &found {
                        if self.marks.get(*node) == before as i32 + 1 {
                            self.marks.set(*node, Towards::Sources, left);
                            above.push(*node);
                        }
                    }
                }
                self.check(size_of::<u32>() * (level.capacity() + above.capacity() + found.capacity()))?;
            }
            level = above;
        }
        self.found = found;
        Ok(())
    }

    /// Whether the search may go on, if it holds some bytes beside the marks.
    fn check(&self, bytes: usize) -> Result<(), PathError> {
        let needed = bytes.saturating_add(size_of::<i32>() * self.marks.0.len());
        let limit = self.options.memory_bytes;
        match self.options.cancel.is_cancelled() {
            true => Err(PathError::Cancelled),
            false if needed > limit => Err(PathError::OverBudget { limit, needed }),
            false => Ok(()),
        }
    }
}
