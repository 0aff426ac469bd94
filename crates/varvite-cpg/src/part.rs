//! [`Part`]: a part of a code graph that a person can look at: a syntax tree, the flow of control or of
//! values, dominators, or calls.

use std::collections::{BTreeMap, BTreeSet};

use varvite::cursor::Ranks;
use varvite::error::optional;
use varvite::{Adjacency, Budget, Cancel, Direction, Graph, GraphError, Property, Str};

use crate::call_graph::is_operator;
use crate::error::Result;
use crate::tree_walk::TreeWalk;

/// Nodes of a graph, and edges between them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Part {
    /// The nodes, ascending.
    pub nodes: Vec<u32>,
    /// The edges, sorted. Both ends of each are in `nodes`.
    pub edges: Vec<PartEdge>,
    /// The number of nodes that the limit leaves out.
    pub cut: usize,
}

/// An edge of a part, or several edges of one label from one node to another.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct PartEdge {
    /// The node at the start.
    pub source: u32,
    /// The node at the end.
    pub target: u32,
    /// The label of the edge; for calls of METHODs, CALL.
    pub label: String,
    /// The number of edges, or of calls.
    pub count: u64,
    /// The variables whose values flow along the edges, sorted: the VARIABLEs of REACHING_DEF edges.
    pub variables: Vec<String>,
}

/// A kind of parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PartKind {
    /// The syntax tree below nodes.
    Ast,
    /// The flow of control between the nodes below METHODs.
    Cfg,
    /// The data dependences between the nodes below METHODs: the flow of values from definitions to uses.
    Ddg,
    /// The control dependences and the data dependences between the nodes below METHODs.
    Pdg,
    /// The immediate dominators of the nodes below METHODs.
    Dominators,
    /// The METHODs that METHODs call, without operators.
    Calls,
}

impl PartKind {
    /// The labels of the edges of such a part in the graph.
    pub fn labels(self) -> &'static [&'static str] {
        match self {
            Self::Ast => &["AST"],
            Self::Cfg => &["CFG"],
            Self::Ddg => &[DATA],
            Self::Pdg => &["CDG", DATA],
            Self::Dominators => &["DOMINATE"],
            Self::Calls => &["CONTAINS", "CALL"],
        }
    }
}

/// The label of data dependences.
const DATA: &str = "REACHING_DEF";
/// At most this number of variables is stored for an edge of a part.
const VARIABLES_MAX: usize = 4;

/// The limits of a part.
#[derive(Clone, Copy, Debug)]
pub struct PartLimits<'a> {
    /// The most nodes.
    pub nodes: usize,
    /// The memory.
    pub budget: &'a Budget,
    /// Ends the work soon after it was set.
    pub cancel: &'a Cancel,
}

impl Part {
    /// The part of a kind that belongs to `roots`, with the nodes of the lowest ids, or for calls the callers
    /// first.
    ///
    /// **Cost**: visits the nodes below `roots`.
    ///
    /// # Errors
    /// Fails if the graph lacks the edges or can't be read, if the memory is too small, or if the work was
    /// cancelled.
    pub fn of(graph: &Graph, kind: PartKind, roots: &[u32], limits: PartLimits<'_>) -> Result<Self> {
        match kind {
            PartKind::Calls => Self::calls(graph, roots, limits),
            PartKind::Ast => Self::among(graph, below(graph, roots, limits)?, kind.labels(), limits),
            _ => {
                let mut nodes = below(graph, roots, limits)?;
                keep_connected(graph, &mut nodes, kind.labels(), limits)?;
                Self::among(graph, nodes, kind.labels(), limits)
            }
        }
    }

    /// The first of some nodes, and the edges between them that have one of these labels.
    ///
    /// # Errors
    /// The errors of [`Part::of`].
    pub fn among(
        graph: &Graph,
        mut nodes: Vec<u32>,
        labels: &[&str],
        limits: PartLimits<'_>,
    ) -> Result<Self> {
        nodes.sort_unstable();
        nodes.dedup();
        let cut = nodes.len().saturating_sub(limits.nodes);
        nodes.truncate(limits.nodes);
        let (mut edges, mut steps, budget) = (BTreeMap::new(), limits.steps(), limits.budget);
        for label in labels {
            let targets = Targets::open(graph, label)?;
            for source in nodes.iter().copied() {
                steps.step()?;
                for (target, variable) in targets.of(source) {
                    steps.step()?;
                    if nodes.binary_search(&target).is_ok() {
                        add(&mut edges, (source, target, *label), variable, budget)?;
                    }
                }
            }
        }
        graph.check()?;
        Ok(Self { nodes, edges: listed(edges), cut })
    }

    /// The METHODs `callers`, those that they call, and an edge for each pair.
    fn calls(graph: &Graph, callers: &[u32], limits: PartLimits<'_>) -> Result<Self> {
        let (limit, mut steps) = (limits.nodes, limits.steps());
        let (contents, targets) = (graph.out("CONTAINS")?, graph.out("CALL")?);
        let names = optional(graph.property("FULL_NAME"))?;
        let is_operator = |method: u32| {
            names.as_ref().and_then(|names| names.str(method)).is_some_and(|name| is_operator(&name))
        };
        let mut all: BTreeSet<u32> = callers.iter().copied().collect();
        let mut kept: BTreeSet<u32> = all.iter().copied().take(limit).collect();
        let mut edges = BTreeMap::new();
        for caller in callers.iter().copied().filter(|caller| all.contains(caller)).collect::<BTreeSet<u32>>()
        {
            for call in contents.neighbors(caller) {
                steps.step()?;
                for callee in targets.neighbors(call) {
                    steps.step()?;
                    if is_operator(callee) {
                        continue;
                    }
                    if all.insert(callee) && kept.len() < limit {
                        kept.insert(callee);
                    }
                    if kept.contains(&caller) && kept.contains(&callee) {
                        add(&mut edges, (caller, callee, "CALL"), None, limits.budget)?;
                    }
                }
            }
        }
        graph.check()?;
        Ok(Self { cut: all.len() - kept.len(), nodes: kept.into_iter().collect(), edges: listed(edges) })
    }
}

/// The targets of edges of one label.
struct Targets {
    all: Adjacency,
    /// The positions of the edges, and the variable of each edge.
    variables: Option<(Ranks, Property)>,
}

impl Targets {
    fn open(graph: &Graph, label: &str) -> Result<Self> {
        let variables = match label {
            DATA => optional(graph.edge_property(label, Some("VARIABLE")))?,
            _ => None,
        };
        let ranks = graph.ranks(graph.edge_label(label)?, Direction::Out)?;
        Ok(Self { all: graph.out(label)?, variables: ranks.zip(variables) })
    }

    /// The targets of a node, each with the variable of the edge.
    fn of(&self, source: u32) -> Box<dyn Iterator<Item = (u32, Option<Str<'_>>)> + '_> {
        match &self.variables {
            None => Box::new(self.all.neighbors(source).map(|target| (target, None))),
            Some((ranks, variables)) => {
                Box::new(ranks.of(source).map(|(target, rank)| (target, variables.str(rank))))
            }
        }
    }
}

/// Edges by source, target and label.
type Counted<'l> = BTreeMap<(u32, u32, &'l str), Counts>;

/// The number of edges, and their variables.
#[derive(Default)]
struct Counts {
    edges: u64,
    variables: BTreeSet<String>,
}

fn add<'l>(
    edges: &mut Counted<'l>,
    edge: (u32, u32, &'l str),
    variable: Option<Str<'_>>,
    budget: &Budget,
) -> Result<()> {
    let counts = edges.entry(edge).or_default();
    if counts.edges == 0 {
        let bytes = size_of::<PartEdge>() + edge.2.len() + 2 * size_of_val(&edge) + size_of::<Counts>();
        budget.take(bytes).map_err(GraphError::from)?;
    }
    counts.edges += 1;
    if let Some(variable) = variable.filter(|variable| !variable.is_empty())
        && counts.variables.len() < VARIABLES_MAX
        && counts.variables.insert(variable.to_string())
    {
        budget.take(2 * variable.len()).map_err(GraphError::from)?;
    }
    Ok(())
}

fn listed(edges: Counted<'_>) -> Vec<PartEdge> {
    let edge = |((source, target, label), counts): ((u32, u32, &str), Counts)| PartEdge {
        source,
        target,
        label: label.to_owned(),
        count: counts.edges,
        variables: counts.variables.into_iter().collect(),
    };
    edges.into_iter().map(edge).collect()
}

impl<'a> PartLimits<'a> {
    fn steps(self) -> Steps<'a> {
        Steps { cancel: self.cancel, count: 0 }
    }
}

/// Counts the steps of a loop, and looks at the flag and the clock now and then.
struct Steps<'a> {
    cancel: &'a Cancel,
    count: usize,
}

impl Steps<'_> {
    const OF_LOOK: usize = 4096;

    fn step(&mut self) -> Result<()> {
        if self.count.is_multiple_of(Self::OF_LOOK) {
            self.cancel.check().map_err(GraphError::from)?;
        }
        self.count += 1;
        Ok(())
    }
}

/// Removes the nodes that have no edge with one of these labels.
fn keep_connected(
    graph: &Graph,
    nodes: &mut Vec<u32>,
    labels: &[&str],
    limits: PartLimits<'_>,
) -> Result<()> {
    let mut all = Vec::new();
    for label in labels {
        all.extend([graph.out(label)?, graph.in_(label)?]);
    }
    let (mut steps, mut outcome) = (limits.steps(), Ok(()));
    nodes.retain(|node| {
        if outcome.is_ok() {
            outcome = steps.step();
        }
        outcome.is_ok() && all.iter().any(|edges| edges.first(*node).is_some())
    });
    outcome
}

/// The nodes of the syntax trees of `roots`.
fn below(graph: &Graph, roots: &[u32], limits: PartLimits<'_>) -> Result<Vec<u32>> {
    let (mut nodes, mut steps) = (Vec::new(), limits.steps());
    for root in roots {
        for (node, _) in TreeWalk::new(graph, *root, usize::MAX)? {
            steps.step()?;
            limits.budget.take(size_of::<u32>()).map_err(GraphError::from)?;
            nodes.push(node);
        }
    }
    Ok(nodes)
}
