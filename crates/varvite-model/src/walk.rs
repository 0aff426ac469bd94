//! Walks, written in the most naive way: every branch is stored as its whole path, and every question is
//! answered by a search through lists.

use crate::{ModelGraph, ModelHistory, NodeId};

/// The order in which a walk visits branches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names say what they are")]
pub enum WalkOrder {
    DepthFirst,
    DepthFirstPost,
    BreadthFirst,
    BreadthFirstPost,
    /// If costs depend on labels, an edge costs the number of letters in its label. Otherwise every edge
    /// costs 1.
    BestFirst,
}

/// The kind of elements that may occur only once in a scope.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names say what they are")]
pub enum WalkUniqueness {
    None,
    Nodes(WalkScope),
    Edges(WalkScope),
}

/// The scope in which elements may occur only once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names say what they are")]
pub enum WalkScope {
    Walk,
    Path,
    Recent(usize),
    Depth,
}

/// A description of edges that a walk follows.
#[derive(Clone, Debug)]
pub struct ModelHop {
    /// The labels of the edges; if empty, all of [`ModelWalk::edge_labels`].
    pub edge_labels: Vec<String>,
    /// The directions in which edges are followed: one of them, or both, in this order.
    pub directions: Vec<WalkDirection>,
    /// Edges are followed only from nodes with one of these labels, or from all nodes if the list is empty.
    pub from: Vec<String>,
    /// Edges are followed only to nodes with one of these labels, or to all nodes if the list is empty.
    pub to: Vec<String>,
}

/// The direction in which an edge is followed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[allow(missing_docs, reason = "the names say what they are")]
pub enum WalkDirection {
    Out,
    In,
}

/// A test of branches. A test with a condition has two evaluations: the first for branches that match, the
/// second for the rest. Each is a pair (includes, continues).
#[derive(Clone, Debug)]
#[allow(missing_docs, reason = "the names say what they are")]
pub enum ModelTest {
    ToDepth(usize),
    FromDepth(usize),
    AtDepth(usize),
    Depths(usize, usize),
    Labels(Vec<String>, (bool, bool), (bool, bool)),
    LastEdge(Vec<String>, (bool, bool), (bool, bool)),
    Ends(Vec<NodeId>, (bool, bool), (bool, bool)),
    EndsAtDepth(Vec<NodeId>, usize),
    ContainsAll(Vec<NodeId>),
    AnyOf(Vec<ModelTest>),
}

/// A walk.
#[derive(Clone, Debug)]
#[allow(missing_docs, reason = "the names say what they are")]
pub struct ModelWalk {
    /// All edge labels of the graph, in the order of its schema.
    pub edge_labels: Vec<String>,
    pub order: WalkOrder,
    pub uniqueness: WalkUniqueness,
    pub hops: Vec<ModelHop>,
    pub tests: Vec<ModelTest>,
    pub skips_arriving_edge: bool,
    pub keeps_direction: bool,
    pub costs_by_label: bool,
}

/// One step of a branch.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names say what they are")]
pub struct ModelStep {
    pub node: NodeId,
    /// The edge that led to the node; `None` at the start.
    pub edge: Option<ModelEdge>,
}

/// An edge that was followed: its label, the direction in which it was followed, its source, and its position
/// in the source's out-list.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[allow(missing_docs, reason = "the names say what they are")]
pub struct ModelEdge {
    pub label: String,
    pub direction: WalkDirection,
    pub source: NodeId,
    pub position: usize,
}

/// A branch as its path, which is never empty.
pub type ModelBranch = Vec<ModelStep>;

impl ModelEdge {
    /// Whether this and another followed edge are the same edge, even if they were followed in different
    /// directions.
    fn is_same(&self, other: &Self) -> bool {
        (&self.label, self.source, self.position) == (&other.label, other.source, other.position)
    }
}

/// The results of a walk, and whether they are complete.
#[derive(Clone, Debug, Default)]
#[allow(missing_docs, reason = "the names say what they are")]
pub struct ModelResults {
    pub branches: Vec<ModelBranch>,
    pub is_whole: bool,
}

/// The part of a graph that walks read.
pub trait ModelEdges {
    /// Whether a node has a label.
    fn has_label(&self, node: NodeId, label: &str) -> bool;

    /// The neighbours of a node along edges with a label. Each comes with its edge's position in the out-list
    /// of the edge's source or, in a history, with its edge's number.
    fn neighbors(&self, node: NodeId, label: &str, direction: WalkDirection) -> Vec<(NodeId, usize)>;
}

impl ModelEdges for ModelGraph {
    fn has_label(&self, node: NodeId, label: &str) -> bool {
        self.has_label(node, label)
    }

    fn neighbors(&self, node: NodeId, label: &str, direction: WalkDirection) -> Vec<(NodeId, usize)> {
        match direction {
            WalkDirection::Out => {
                self.out_edges(node, label).iter().map(|edge| (edge.target, edge.position)).collect()
            }
            WalkDirection::In => {
                self.in_edges(node, label).iter().map(|edge| (edge.source, edge.position)).collect()
            }
        }
    }
}

impl ModelEdges for ModelHistory {
    fn has_label(&self, node: NodeId, label: &str) -> bool {
        self.labels(node).contains(label)
    }

    fn neighbors(&self, node: NodeId, label: &str, direction: WalkDirection) -> Vec<(NodeId, usize)> {
        match direction {
            WalkDirection::Out => self.out(node, label),
            WalkDirection::In => self.in_(node, label),
        }
    }
}

impl ModelWalk {
    /// The results of a walk from some nodes. The walk gives up after `branches_max` branches.
    pub fn run(&self, graph: &dyn ModelEdges, starts: &[NodeId], branches_max: usize) -> ModelResults {
        let mut walker =
            Walker { walk: self, graph, visited: Vec::new(), come_to: 0, branches_max, results: Vec::new() };
        let starts: Vec<ModelBranch> = starts
            .iter()
            .map(|node| vec![ModelStep { node: *node, edge: None }])
            .filter(|branch| walker.admits_start(branch))
            .collect();
        let end = match self.order {
            WalkOrder::DepthFirst | WalkOrder::DepthFirstPost => {
                starts.into_iter().try_for_each(|start| walker.descend(start))
            }
            WalkOrder::BreadthFirst | WalkOrder::BreadthFirstPost => walker.spread(starts),
            WalkOrder::BestFirst => walker.pay(starts),
        };
        ModelResults { branches: walker.results, is_whole: end.is_ok() }
    }

    /// The possible next steps of a branch: the edges to follow, and the nodes to which they lead.
    fn steps(&self, graph: &dyn ModelEdges, branch: &ModelBranch) -> Vec<ModelStep> {
        let here = branch[branch.len() - 1].node;
        let has_any = |node: NodeId, labels: &[String]| {
            labels.is_empty() || labels.iter().any(|label| graph.has_label(node, label))
        };
        let hops: Vec<&ModelHop> = self.hops.iter().filter(|hop| has_any(here, &hop.from)).collect();
        let kept = branch.get(1).and_then(|step| step.edge.as_ref()).map(|edge| edge.direction);
        let (mut followed, mut steps) = (Vec::new(), Vec::new());
        for hop in &hops {
            for label in self.labels_of(hop) {
                for direction in &hop.directions {
                    let along = (label.clone(), *direction);
                    if followed.contains(&along)
                        || self.keeps_direction && kept.is_some_and(|kept| kept != *direction)
                    {
                        continue;
                    }
                    for step in steps_along(graph, here, label, *direction) {
                        let allows = |hop: &&ModelHop| {
                            self.labels_of(hop).contains(label)
                                && hop.directions.contains(direction)
                                && has_any(step.node, &hop.to)
                        };
                        // An edge from a node to itself is followed only once: as an out-edge if any hop
                        // allows that, otherwise as an in-edge.
                        let allows_out = |hop: &&ModelHop| {
                            self.labels_of(hop).contains(label)
                                && hop.directions.contains(&WalkDirection::Out)
                                && has_any(here, &hop.to)
                        };
                        let is_kept_in = self.keeps_direction && kept == Some(WalkDirection::In);
                        let is_met_out = step.node == here
                            && *direction == WalkDirection::In
                            && !is_kept_in
                            && hops.iter().any(allows_out);
                        if hops.iter().any(allows) && !is_met_out {
                            steps.push(step);
                        }
                    }
                    followed.push(along);
                }
            }
        }
        let arrived = branch[branch.len() - 1].edge.as_ref().filter(|_| self.skips_arriving_edge);
        let is_arriving = |step: &ModelStep| {
            arrived.zip(step.edge.as_ref()).is_some_and(|(arrived, edge)| arrived.is_same(edge))
        };
        steps.retain(|step| !is_arriving(step));
        steps
    }

    fn labels_of<'a>(&'a self, hop: &'a ModelHop) -> &'a [String] {
        if hop.edge_labels.is_empty() { &self.edge_labels } else { &hop.edge_labels }
    }

    fn cost(&self, branch: &ModelBranch) -> usize {
        let cost = |edge: &ModelEdge| if self.costs_by_label { edge.label.len() } else { 1 };
        branch.iter().filter_map(|step| step.edge.as_ref()).map(cost).sum()
    }

    /// Whether a branch is included, and whether the walk continues after it.
    fn evaluate(&self, graph: &dyn ModelEdges, branch: &ModelBranch) -> (bool, bool) {
        let all = self.tests.iter().map(|test| test.evaluate(graph, branch));
        all.fold((true, true), |(includes, continues), (one, other)| (includes && one, continues && other))
    }
}

fn steps_along(
    graph: &dyn ModelEdges,
    here: NodeId,
    label: &str,
    direction: WalkDirection,
) -> Vec<ModelStep> {
    let step = |(node, position): (NodeId, usize)| {
        let source = if direction == WalkDirection::Out { here } else { node };
        ModelStep { node, edge: Some(ModelEdge { label: label.to_owned(), direction, source, position }) }
    };
    graph.neighbors(here, label, direction).into_iter().map(step).collect()
}

impl ModelTest {
    fn evaluate(&self, graph: &dyn ModelEdges, branch: &ModelBranch) -> (bool, bool) {
        let (depth, last) = (branch.len() - 1, &branch[branch.len() - 1]);
        match self {
            Self::ToDepth(most) => (depth <= *most, depth < *most),
            Self::FromDepth(least) => (depth >= *least, true),
            Self::AtDepth(at) => (depth == *at, depth < *at),
            Self::Depths(least, most) => (*least <= depth && depth <= *most, depth < *most),
            Self::Labels(labels, matched, other) => {
                if labels.iter().any(|label| graph.has_label(last.node, label)) { *matched } else { *other }
            }
            Self::LastEdge(labels, matched, other) => {
                let is_matched = last.edge.as_ref().is_some_and(|edge| labels.contains(&edge.label));
                if is_matched { *matched } else { *other }
            }
            Self::Ends(nodes, matched, other) => {
                if nodes.contains(&last.node) {
                    *matched
                } else {
                    *other
                }
            }
            Self::EndsAtDepth(nodes, at) => (depth == *at && nodes.contains(&last.node), depth < *at),
            Self::ContainsAll(nodes) => {
                let is_on = |node: &NodeId| branch.iter().any(|step| step.node == *node);
                (nodes.iter().all(is_on), true)
            }
            Self::AnyOf(tests) => (tests.iter().any(|test| test.evaluate(graph, branch).0), true),
        }
    }
}

/// The state of a walk.
struct Walker<'a> {
    walk: &'a ModelWalk,
    graph: &'a dyn ModelEdges,
    /// The node, the edge and the depth of each visit, in order.
    visited: Vec<(NodeId, Option<ModelEdge>, usize)>,
    come_to: usize,
    branches_max: usize,
    results: Vec<ModelBranch>,
}

/// The error of a walk that came to too many branches.
struct GaveUp;

impl Walker<'_> {
    /// Whether the walk's uniqueness admits a start. The starts count as visited before the first step.
    fn admits_start(&mut self, branch: &ModelBranch) -> bool {
        match self.walk.uniqueness {
            WalkUniqueness::Nodes(WalkScope::Path) | WalkUniqueness::None | WalkUniqueness::Edges(_) => true,
            WalkUniqueness::Nodes(_) => self.admits_in_scope(branch),
        }
    }

    fn admits(&mut self, branch: &ModelBranch) -> bool {
        branch.len() == 1 || self.admits_in_scope(branch)
    }

    fn admits_in_scope(&mut self, branch: &ModelBranch) -> bool {
        let (before, last) = (&branch[..branch.len() - 1], &branch[branch.len() - 1]);
        let depth = before.len();
        let is_same_node = |node: NodeId| node == last.node;
        let is_same_edge = |edge: &Option<ModelEdge>| {
            edge.as_ref().zip(last.edge.as_ref()).is_some_and(|(one, other)| one.is_same(other))
        };
        let is_same = |(node, edge, _): &(NodeId, Option<ModelEdge>, usize)| match self.walk.uniqueness {
            WalkUniqueness::Nodes(_) => is_same_node(*node),
            _ => is_same_edge(edge),
        };
        let scope = match self.walk.uniqueness {
            WalkUniqueness::None => return true,
            WalkUniqueness::Nodes(scope) | WalkUniqueness::Edges(scope) => scope,
        };
        let visited = &self.visited;
        let is_taken = match scope {
            WalkScope::Walk => visited.iter().any(is_same),
            WalkScope::Path => before.iter().any(|step| is_same(&(step.node, step.edge.clone(), 0))),
            WalkScope::Recent(count) => visited.iter().rev().take(count).any(is_same),
            WalkScope::Depth => visited.iter().filter(|(.., at)| *at == depth).any(is_same),
        };
        if !is_taken {
            self.visited.push((last.node, last.edge.clone(), depth));
        }
        !is_taken
    }

    /// Counts a visited branch.
    fn count(&mut self) -> Result<(), GaveUp> {
        self.come_to += 1;
        if self.come_to > self.branches_max { Err(GaveUp) } else { Ok(()) }
    }

    fn descend(&mut self, branch: ModelBranch) -> Result<(), GaveUp> {
        self.count()?;
        let (includes, continues) = self.walk.evaluate(self.graph, &branch);
        let is_post = self.walk.order == WalkOrder::DepthFirstPost;
        if includes && !is_post {
            self.results.push(branch.clone());
        }
        let steps = if continues { self.walk.steps(self.graph, &branch) } else { Vec::new() };
        for step in steps {
            let longer = [&branch[..], &[step]].concat();
            if self.admits(&longer) {
                self.descend(longer)?;
            }
        }
        if includes && is_post {
            self.results.push(branch);
        }
        Ok(())
    }

    fn spread(&mut self, starts: Vec<ModelBranch>) -> Result<(), GaveUp> {
        let is_post = self.walk.order == WalkOrder::BreadthFirstPost;
        let mut levels: Vec<Vec<ModelBranch>> = Vec::new();
        let mut level = starts;
        while !level.is_empty() {
            let (mut included, mut next) = (Vec::new(), Vec::new());
            // The walk visits a whole level before it expands any branch of the level.
            let mut continued = Vec::new();
            for branch in level {
                self.count().inspect_err(|_| {
                    if !is_post {
                        self.results.append(&mut included)
                    }
                })?;
                let (includes, continues) = self.walk.evaluate(self.graph, &branch);
                if includes {
                    included.push(branch.clone());
                }
                if continues {
                    continued.push(branch);
                }
            }
            if is_post {
                levels.push(included);
            } else {
                self.results.append(&mut included);
            }
            for branch in continued {
                for step in self.walk.steps(self.graph, &branch) {
                    let longer = [&branch[..], &[step]].concat();
                    if self.admits(&longer) {
                        next.push(longer);
                    }
                }
                if next.len() > self.branches_max {
                    return Err(GaveUp);
                }
            }
            level = next;
        }
        self.results.extend(levels.into_iter().rev().flatten());
        Ok(())
    }

    fn pay(&mut self, starts: Vec<ModelBranch>) -> Result<(), GaveUp> {
        let mut found = starts;
        while !found.is_empty() {
            let costs: Vec<usize> = found.iter().map(|branch| self.walk.cost(branch)).collect();
            let least = costs.iter().min().expect("there are some");
            let place = costs.iter().position(|cost| cost == least).expect("it is one of them");
            let branch = found.remove(place);
            if !self.admits(&branch) {
                continue;
            }
            self.count()?;
            let (includes, continues) = self.walk.evaluate(self.graph, &branch);
            if continues {
                let steps = self.walk.steps(self.graph, &branch);
                found.extend(steps.into_iter().map(|step| [&branch[..], &[step]].concat()));
            }
            if includes {
                self.results.push(branch);
            }
            if found.len() > 4 * self.branches_max {
                return Err(GaveUp);
            }
        }
        Ok(())
    }
}
