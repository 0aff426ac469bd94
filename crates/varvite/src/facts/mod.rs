//! [`Facts`]: counts, sums and short walks that any two engines can be compared by.
//!
//! They are those that flatgraph was asked about the sample graphs, and `varvite-model` gives the same in plain loops.
//! Equal graphs have equal facts, whatever made them. Where a fact names the label of a node, a node with several goes
//! by all of them, sorted and joined by `&`.
//!
//! Walks are counted without being walked: how often a walk comes to a node is the sum of how often walks come to the
//! nodes above it. So a graph that no walk would ever finish costs no more than another.

mod counts;
mod json;
mod text;
mod walks;

use std::collections::BTreeMap;

use crate::error::Result;
use crate::graph::Graph;
use crate::parallel::in_order;
use crate::pass::Pass;

use self::counts::{NodeLabels, edge_triples, property_facts};
use self::walks::{ast_descendants, callee_full_name_chars, cfg_reachable, identifier_hops, top_call_names};

/// With fewer edges than this, starting threads takes longer than the work.
const FEW_EDGES: u64 = 100_000;

/// Everything that is compared.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Facts {
    /// The number of nodes.
    pub nodes: u64,
    /// The number of edges.
    pub edges: u64,
    /// How many nodes carry each label, without zeroes.
    pub labels: BTreeMap<String, u64>,
    /// How many edges there are of each `LABEL SOURCE_LABEL TARGET_LABEL`.
    pub edge_triples: BTreeMap<String, u64>,
    /// The properties of edges, by edge label, where at least one edge has one.
    pub edge_properties: BTreeMap<String, EdgePropertyFacts>,
    /// The properties of nodes, by name, where at least one node has a value.
    pub properties: BTreeMap<String, PropertyFacts>,
    /// What walks count.
    pub traversals: TraversalFacts,
}

/// About the properties of the edges of one label.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EdgePropertyFacts {
    /// How many edges have one.
    pub present: u64,
    /// The wrapping sum of FNV-1a 64 over the texts of the values.
    pub fnv64_sum: u64,
}

/// About one property of nodes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PropertyFacts {
    /// How many nodes have at least one value.
    pub nodes: u64,
    /// How many values they have together.
    pub values: u64,
    /// The wrapping sum of FNV-1a 64 over the texts of the values.
    pub fnv64_sum: u64,
}

/// About walks. Those along the AST are none where a walk does not end, because it comes to a cycle.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TraversalFacts {
    /// How many nodes walks down the AST visit, one walk from every METHOD, that METHOD included. A node counts
    /// once for each path that leads to it.
    pub ast_descendants_per_method_sum: Option<u64>,
    /// The same by label.
    pub ast_descendants_by_label: Option<BTreeMap<String, u64>>,
    /// How many nodes each METHOD reaches along CFG edges, itself included. None where METHODs share so much of the CFG
    /// that counting would take 16 steps for each of its nodes and edges, and more than 16 million.
    pub cfg_reachable_per_method_sum: Option<u64>,
    /// The sum of the lengths, in UTF-16 units, of FULL_NAME of the targets of CALL edges from CALL nodes.
    pub callee_full_name_chars: u64,
    /// How many steps up the first AST parent lead from every IDENTIFIER to a METHOD. Where there is none, the
    /// step that leaves the root counts as well.
    pub identifier_ast_up_to_method_hops: Option<u64>,
    /// The 15 most frequent values of NAME on CALL nodes with their counts; equally frequent ones in the order
    /// of their UTF-16 units. A CALL without NAME counts as the empty name.
    pub top_call_names: Vec<(String, u64)>,
}

impl Facts {
    /// The facts about a graph. Reads every column once, on all processors; takes about twelve bytes of memory for
    /// each node, within what [`Graph::limit_memory`] allows.
    ///
    /// # Errors
    /// The first damage that is met: facts of a damaged graph would be wrong. [`GraphError::OverBudget`](crate::GraphError).
    pub fn of(graph: &Graph) -> Result<Self> {
        let threads = match graph.edge_count() {
            0..FEW_EDGES => 1,
            _ => crate::parallel::cores(),
        };
        let pass = Pass::new(graph);
        let labels = NodeLabels::of(&pass)?;
        let mut facts = Self {
            nodes: u64::from(graph.node_count()),
            edges: graph.edge_count(),
            labels: labels.counts(),
            ..Self::default()
        };
        let take = |part| {
            facts.add(graph, part);
            Ok(())
        };
        in_order(&Job::all(graph), threads, |job| job.work(&pass, &labels), take)?;
        graph.check()?;
        Ok(facts)
    }

    fn add(&mut self, graph: &Graph, part: Part) {
        let walks = &mut self.traversals;
        match part {
            Part::Edges(triples) => {
                for (triple, count) in triples {
                    *self.edge_triples.entry(triple).or_default() += count;
                }
            }
            Part::Property(index, found) => self.add_property(graph, index, found),
            Part::AstDescendants(counts) => {
                walks.ast_descendants_per_method_sum = counts.as_ref().map(|counts| counts.values().sum());
                walks.ast_descendants_by_label = counts;
            }
            Part::CfgReachable(count) => walks.cfg_reachable_per_method_sum = count,
            Part::CalleeFullNames(chars) => walks.callee_full_name_chars = chars,
            Part::IdentifierHops(hops) => walks.identifier_ast_up_to_method_hops = hops,
            Part::TopCallNames(names) => walks.top_call_names = names,
        }
    }

    fn add_property(&mut self, graph: &Graph, index: usize, found: PropertyFacts) {
        if found.nodes == 0 {
            return;
        }
        let info = &graph.properties()[index];
        let Some(label) = &info.edge_label else {
            self.properties.insert(info.name.clone(), found);
            return;
        };
        let facts = self.edge_properties.entry(label.clone()).or_default();
        facts.present += found.nodes;
        facts.fnv64_sum = facts.fnv64_sum.wrapping_add(found.fnv64_sum);
    }
}

/// What one thread finds out at a time.
#[derive(Clone, Copy, Debug)]
enum Job {
    AstDescendants,
    CfgReachable,
    CalleeFullNames,
    IdentifierHops,
    TopCallNames,
    Edges(usize),
    Property(usize),
}

enum Part {
    AstDescendants(Option<BTreeMap<String, u64>>),
    CfgReachable(Option<u64>),
    CalleeFullNames(u64),
    IdentifierHops(Option<u64>),
    TopCallNames(Vec<(String, u64)>),
    Edges(BTreeMap<String, u64>),
    Property(usize, PropertyFacts),
}

impl Job {
    /// The longest ones first, so that threads end together.
    fn all(graph: &Graph) -> Vec<Self> {
        let walks = [Self::CalleeFullNames, Self::IdentifierHops, Self::TopCallNames];
        let edges = (0..graph.edge_labels().len()).map(Self::Edges);
        let properties = (0..graph.properties().len()).map(Self::Property);
        let mut jobs = vec![Self::CfgReachable, Self::AstDescendants];
        jobs.extend(walks);
        jobs.extend(edges);
        jobs.extend(properties);
        jobs
    }

    fn work(self, pass: &Pass<'_>, labels: &NodeLabels<'_>) -> Result<Part> {
        Ok(match self {
            Self::AstDescendants => Part::AstDescendants(ast_descendants(pass, labels)?),
            Self::CfgReachable => Part::CfgReachable(cfg_reachable(pass, labels)?),
            Self::CalleeFullNames => Part::CalleeFullNames(callee_full_name_chars(pass, labels)?),
            Self::IdentifierHops => Part::IdentifierHops(identifier_hops(pass, labels)?),
            Self::TopCallNames => Part::TopCallNames(top_call_names(pass, labels)?),
            Self::Edges(label) => Part::Edges(edge_triples(pass, label, labels)?),
            Self::Property(index) => Part::Property(index, property_facts(pass, index, labels)?),
        })
    }
}
