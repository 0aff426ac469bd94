//! [`Facts`]: counts and sums by which the graphs of any two engines can be compared.
//!
//! Equal graphs have equal facts, whatever program wrote them and whatever the order of their schemas. If a
//! node has several labels, facts name all of them, sorted and joined by `&`. `varvite-cpg` adds counts of
//! walks in code property graphs. `varvite-model` computes both kinds of counts with plain loops.

mod census;
mod counts;
mod json;
mod text;

use std::collections::BTreeMap;

use varvite_format::{EdgeLabelId, PropertyId};
use varvite_store::Task;

use crate::error::Result;
use crate::graph::Graph;
use crate::scan::graph_scan::GraphScan;
use crate::scan::node_labels::NodeLabels;
use crate::scan::parallel::in_order_within_memory;

pub use self::census::{Census, EdgeEnds, PropertyUse};
use self::counts::{edge_triples, property_facts};

/// The number of edges below which starting threads would take longer than the work.
const FEW_EDGES: u64 = 100_000;

/// The counts and sums of a graph.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Facts {
    /// The number of nodes, removed nodes excluded.
    pub nodes: u64,
    /// The number of edges.
    pub edges: u64,
    /// The number of nodes of each label that has nodes.
    pub labels: BTreeMap<String, u64>,
    /// The number of edges for each combination of edge label, source label and target label. The key is
    /// `LABEL SOURCE_LABEL TARGET_LABEL`.
    pub edge_triples: BTreeMap<String, u64>,
    /// Counts of edge properties, by edge label, for labels with at least one value.
    pub edge_properties: BTreeMap<String, EdgePropertyFacts>,
    /// Counts of node properties, by name, for properties with at least one value.
    pub properties: BTreeMap<String, PropertyFacts>,
}

/// Counts of all properties of the edges of one label together.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EdgePropertyFacts {
    /// The number of edges that have a value, summed over the properties.
    pub present: u64,
    /// The wrapping sum of FNV-1a 64 over the texts of the values.
    pub fnv64_sum: u64,
}

/// Counts of one property of nodes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PropertyFacts {
    /// The number of nodes that have at least one value.
    pub nodes: u64,
    /// The number of values of all nodes together.
    pub values: u64,
    /// The wrapping sum of FNV-1a 64 over the texts of the values.
    pub fnv64_sum: u64,
}

impl Facts {
    /// Computes the facts of a graph. Reads every column once. Takes about twelve bytes of memory for each
    /// node, within the limit of [`Graph::limit_memory`]. Progress is counted in columns.
    ///
    /// # Errors
    /// The first damage that is found, because facts of a damaged graph would be wrong.
    /// [`GraphError::OverBudget`](crate::GraphError) or [`GraphError::Cancelled`](crate::GraphError).
    pub fn of(graph: &Graph, task: &Task<'_>) -> Result<Self> {
        let threads = match graph.edge_count() {
            0..FEW_EDGES => 1,
            _ => task.thread_count(),
        };
        let graph_scan = GraphScan::of(graph, task);
        let labels = NodeLabels::of(&graph_scan)?;
        let mut facts = Self {
            nodes: u64::from(graph.live_node_count()),
            edges: graph.edge_count(),
            labels: labels.counts(),
            ..Self::default()
        };
        let (jobs, mut done) = (Job::all(graph), 0);
        let work = |job: &Job| {
            let part = job.work(&graph_scan, &labels);
            // A cancelled scan ends early, which looks like damage, so cancellation is checked before the
            // result.
            task.check()?;
            part
        };
        let take = |part| {
            task.step(jobs[done].name(graph), done + 1, jobs.len());
            done += 1;
            facts.add(graph, part);
            Ok(())
        };
        in_order_within_memory(&jobs, threads, work, take)?;
        graph.check()?;
        Ok(facts)
    }

    fn add(&mut self, graph: &Graph, part: Found) {
        match part {
            Found::Edges(triples) => {
                for (triple, count) in triples {
                    *self.edge_triples.entry(triple).or_default() += count;
                }
            }
            Found::Property(property, found) => self.add_property(graph, property, found),
        }
    }

    fn add_property(&mut self, graph: &Graph, property: PropertyId, found: PropertyFacts) {
        if found.nodes == 0 {
            return;
        }
        let info = &graph.properties()[property.index()];
        let Some(label) = &info.edge_label else {
            self.properties.insert(info.name.clone(), found);
            return;
        };
        let facts = self.edge_properties.entry(label.clone()).or_default();
        facts.present += found.nodes;
        facts.fnv64_sum = facts.fnv64_sum.wrapping_add(found.fnv64_sum);
    }
}

/// A job of one thread: the counts of one edge label or one property.
#[derive(Clone, Copy, Debug)]
enum Job {
    Edges(EdgeLabelId),
    Property(PropertyId),
}

enum Found {
    Edges(BTreeMap<String, u64>),
    Property(PropertyId, PropertyFacts),
}

impl Job {
    fn all(graph: &Graph) -> Vec<Self> {
        let edges = graph.edge_label_ids().map(Self::Edges);
        edges.chain(graph.property_ids().map(Self::Property)).collect()
    }

    /// The name of the edge label or property that the job reads, for progress.
    fn name(self, graph: &Graph) -> &str {
        match self {
            Self::Edges(label) => &graph.edge_labels()[label.index()].name,
            Self::Property(property) => &graph.properties()[property.index()].name,
        }
    }

    fn work(self, graph_scan: &GraphScan<'_>, labels: &NodeLabels<'_>) -> Result<Found> {
        Ok(match self {
            Self::Edges(label) => Found::Edges(edge_triples(graph_scan, label, labels)?),
            Self::Property(property) => {
                Found::Property(property, property_facts(graph_scan, property, labels)?)
            }
        })
    }
}
