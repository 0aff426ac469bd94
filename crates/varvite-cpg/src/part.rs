//! [`Part`]: a part of a code graph that a person can look at: a syntax tree, a flow of control, or calls.

use std::collections::{BTreeMap, BTreeSet};

use varvite::error::optional;
use varvite::{Budget, Graph, GraphError};

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
}

/// A kind of parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PartKind {
    /// The syntax tree below nodes.
    Ast,
    /// The flow of control between the nodes below METHODs.
    Cfg,
    /// The METHODs that METHODs call, without operators.
    Calls,
}

impl Part {
    /// The part of a kind that belongs to `roots`, with at most `limit` nodes: those with the lowest ids, or
    /// for calls the callers first.
    ///
    /// **Cost**: visits the nodes below `roots`.
    ///
    /// # Errors
    /// Fails if the graph lacks the edges, can't be read, or needs more memory than `budget`.
    pub fn of(graph: &Graph, kind: PartKind, roots: &[u32], limit: usize, budget: &Budget) -> Result<Self> {
        match kind {
            PartKind::Ast => Self::among(graph, below(graph, roots, budget)?, limit, &["AST"], budget),
            PartKind::Cfg => {
                let (to, from) = (graph.out("CFG")?, graph.in_("CFG")?);
                let mut nodes = below(graph, roots, budget)?;
                let is_in = |node: u32| to.first(node).is_some() || from.first(node).is_some();
                nodes.retain(|node| is_in(*node));
                Self::among(graph, nodes, limit, &["CFG"], budget)
            }
            PartKind::Calls => Self::calls(graph, roots, limit, budget),
        }
    }

    /// The first `limit` of some nodes, and the edges between them that have one of these labels.
    ///
    /// # Errors
    /// The errors of [`Part::of`].
    pub fn among(
        graph: &Graph,
        mut nodes: Vec<u32>,
        limit: usize,
        labels: &[&str],
        budget: &Budget,
    ) -> Result<Self> {
        nodes.sort_unstable();
        nodes.dedup();
        let cut = nodes.len().saturating_sub(limit);
        nodes.truncate(limit);
        let mut edges = BTreeMap::new();
        for label in labels {
            let targets = graph.out(label)?;
            for source in nodes.iter().copied() {
                let inside = targets.neighbors(source).filter(|target| nodes.binary_search(target).is_ok());
                for target in inside {
                    add(&mut edges, (source, target, *label), budget)?;
                }
            }
        }
        graph.check()?;
        Ok(Self { nodes, edges: listed(edges), cut })
    }

    /// The METHODs `callers`, those that they call, and an edge for each pair.
    fn calls(graph: &Graph, callers: &[u32], limit: usize, budget: &Budget) -> Result<Self> {
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
            for callee in contents.neighbors(caller).flat_map(|call| targets.neighbors(call)) {
                if is_operator(callee) {
                    continue;
                }
                if all.insert(callee) && kept.len() < limit {
                    kept.insert(callee);
                }
                if kept.contains(&caller) && kept.contains(&callee) {
                    add(&mut edges, (caller, callee, "CALL"), budget)?;
                }
            }
        }
        graph.check()?;
        Ok(Self { cut: all.len() - kept.len(), nodes: kept.into_iter().collect(), edges: listed(edges) })
    }
}

/// Edges by source, target and label, each with its count.
type Counted<'l> = BTreeMap<(u32, u32, &'l str), u64>;

fn add<'l>(edges: &mut Counted<'l>, edge: (u32, u32, &'l str), budget: &Budget) -> Result<()> {
    let count = edges.entry(edge).or_default();
    if *count == 0 {
        budget
            .take(size_of::<PartEdge>() + edge.2.len() + 2 * size_of_val(&edge))
            .map_err(GraphError::from)?;
    }
    *count += 1;
    Ok(())
}

fn listed(edges: Counted<'_>) -> Vec<PartEdge> {
    let edge = |((source, target, label), count): ((u32, u32, &str), u64)| PartEdge {
        source,
        target,
        label: label.to_owned(),
        count,
    };
    edges.into_iter().map(edge).collect()
}

/// The nodes of the syntax trees of `roots`.
fn below(graph: &Graph, roots: &[u32], budget: &Budget) -> Result<Vec<u32>> {
    let mut nodes = Vec::new();
    for root in roots {
        for (node, _) in TreeWalk::new(graph, *root, usize::MAX)? {
            budget.take(size_of::<u32>()).map_err(GraphError::from)?;
            nodes.push(node);
        }
    }
    Ok(nodes)
}
