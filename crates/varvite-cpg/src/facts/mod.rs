//! [`Facts`]: counts of a code property graph that any engine can compute, so that two engines can be
//! compared.
//!
//! They have the same two parts as flatgraph's answers for the sample graphs: counts and sums
//! ([`varvite::columns::Facts`]), and counts of walks. Walks along the AST are counted without following each
//! walk: the number of walks to a node is the sum of the numbers of walks to its parents. So even a graph
//! with endless walks costs no more than other graphs.

mod json;
mod walks;

use std::collections::BTreeMap;

use varvite::columns::{GraphScan, in_order_within_memory};
use varvite::{Graph, NodeLabels, Result, Task};

use self::walks::{ast_descendants, callee_full_name_chars, cfg_reachable, identifier_hops, top_call_names};

/// With fewer edges than this, starting threads takes longer than the work.
const FEW_EDGES: u64 = 100_000;

/// All facts of a graph that are compared.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Facts {
    /// Counts that any graph has.
    pub counts: varvite::columns::Facts,
    /// Counts of walks.
    pub traversals: TraversalFacts,
}

/// Counts of walks. Counts of walks along the AST are `None` if a walk never ends because of a cycle.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct TraversalFacts {
    /// The number of visits in walks down the AST, with one walk from every METHOD. The walk visits the
    /// METHOD first. A node counts once for each path that leads to it.
    pub ast_descendants_per_method_sum: Option<u64>,
    /// The number of these visits for each label.
    pub ast_descendants_by_label: Option<BTreeMap<String, u64>>,
    /// The sum, over all METHODs, of the number of nodes that the METHOD reaches along CFG edges, itself
    /// included. `None` if METHODs share so much of the CFG that counting would take more than 16 million
    /// steps and more than 16 steps for each node and edge.
    pub cfg_reachable_per_method_sum: Option<u64>,
    /// The sum of the lengths, in UTF-16 units, of the FULL_NAMEs of the targets of CALL edges from CALL
    /// nodes.
    pub callee_full_name_chars: u64,
    /// The number of steps from every IDENTIFIER up to a METHOD, where each step leads to the first AST
    /// parent. If no ancestor is a METHOD, the walk ends above the root, and this last step counts too.
    pub identifier_ast_up_to_method_hops: Option<u64>,
    /// The 15 most frequent values of NAME on CALL nodes, with their counts. Equally frequent values are in
    /// the order of their UTF-16 units. A CALL without NAME counts as the empty name.
    pub top_call_names: Vec<(String, u64)>,
}

impl Facts {
    /// Computes the facts about a graph. Reads every column. Takes about twelve bytes of memory per node,
    /// within the limit of [`Graph::limit_memory`]. Progress counts walks, then columns.
    ///
    /// # Errors
    /// The first damage found, because facts about a damaged graph would be wrong.
    /// [`GraphError::OverBudget`](varvite::GraphError::OverBudget) or
    /// [`GraphError::Cancelled`](varvite::GraphError::Cancelled).
    pub fn of(graph: &Graph, task: &Task<'_>) -> Result<Self> {
        let facts = Self {
            traversals: TraversalFacts::of(graph, task)?,
            counts: varvite::columns::Facts::of(graph, task)?,
        };
        graph.check()?;
        Ok(facts)
    }
}

impl TraversalFacts {
    fn of(graph: &Graph, task: &Task<'_>) -> Result<Self> {
        let threads = if graph.edge_count() < FEW_EDGES { 1 } else { task.thread_count() };
        let graph_scan = GraphScan::of(graph, task);
        let labels = NodeLabels::of(&graph_scan)?;
        let mut facts = Self::default();
        let mut done = 0;
        let take = |part| {
            task.step(Job::ALL[done].name(), done + 1, Job::ALL.len());
            done += 1;
            facts.add(part);
            Ok(())
        };
        let work = |job: &Job| {
            graph_scan.check()?;
            job.work(&graph_scan, &labels)
        };
        in_order_within_memory(&Job::ALL, threads, work, take)?;
        Ok(facts)
    }

    fn add(&mut self, part: Found) {
        match part {
            Found::AstDescendants(counts) => {
                self.ast_descendants_per_method_sum = counts.as_ref().map(|counts| counts.values().sum());
                self.ast_descendants_by_label = counts;
            }
            Found::CfgReachable(count) => self.cfg_reachable_per_method_sum = count,
            Found::CalleeFullNames(chars) => self.callee_full_name_chars = chars,
            Found::IdentifierHops(hops) => self.identifier_ast_up_to_method_hops = hops,
            Found::TopCallNames(names) => self.top_call_names = names,
        }
    }
}

/// A job for a thread: one of the counts.
#[derive(Clone, Copy, Debug)]
enum Job {
    CfgReachable,
    AstDescendants,
    CalleeFullNames,
    IdentifierHops,
    TopCallNames,
}

enum Found {
    CfgReachable(Option<u64>),
    AstDescendants(Option<BTreeMap<String, u64>>),
    CalleeFullNames(u64),
    IdentifierHops(Option<u64>),
    TopCallNames(Vec<(String, u64)>),
}

impl Job {
    /// All jobs, the longest first, so that the threads end at about the same time.
    const ALL: [Self; 5] = [
        Self::CfgReachable,
        Self::AstDescendants,
        Self::CalleeFullNames,
        Self::IdentifierHops,
        Self::TopCallNames,
    ];

    /// The name of the job in reports of progress.
    fn name(self) -> &'static str {
        match self {
            Self::CfgReachable => "CFG",
            Self::AstDescendants => "AST",
            Self::CalleeFullNames => "CALL",
            Self::IdentifierHops => "AST upwards",
            Self::TopCallNames => "names of CALLs",
        }
    }

    fn work(self, graph_scan: &GraphScan<'_>, labels: &NodeLabels<'_>) -> Result<Found> {
        Ok(match self {
            Self::CfgReachable => Found::CfgReachable(cfg_reachable(graph_scan, labels)?),
            Self::AstDescendants => Found::AstDescendants(ast_descendants(graph_scan, labels)?),
            Self::CalleeFullNames => Found::CalleeFullNames(callee_full_name_chars(graph_scan, labels)?),
            Self::IdentifierHops => Found::IdentifierHops(identifier_hops(graph_scan, labels)?),
            Self::TopCallNames => Found::TopCallNames(top_call_names(graph_scan, labels)?),
        })
    }
}
