//! Tests of algorithms on whole graphs. Their answers are compared with published answers, with those of
//! other libraries, and with those of the model. Limits, errors and other promises are tested too.

mod answers;
mod graphalytics;
mod random;
mod rules;
mod supplied;

use varvite::algorithms::{AlgorithmError, AlgorithmOptions, Selection, Subgraph};
use varvite::{Graph, Profile};
use varvite_model::{CaseGraph, CaseProperty, NodeId, Value, ValueType};
use varvite_testing::draft::Draft;

/// The property of edges `E` that holds their weight.
const WEIGHT: &str = "weight";

/// A graph of nodes `N` and edges `E`, some of which have a weight.
fn graph_of(nodes: usize, edges: &[(usize, usize, Option<f64>)]) -> Graph {
    let mut case = CaseGraph::default();
    (0..nodes).for_each(|_| _ = case.graph.add_node(&["N"]));
    for (source, target, weight) in edges {
        case.graph.add_edge(NodeId(*source), "E", NodeId(*target), weight.map(Value::F64));
    }
    let weight = CaseProperty { name: WEIGHT.to_owned(), value_type: ValueType::F64, is_list: false };
    case.edge_properties.insert("E".to_owned(), weight);
    Draft::of_case(&case, "algorithms").open(Profile::Direct)
}

/// A graph like that of [`graph_of`], in which every edge has the weight 1.
fn plain_graph(nodes: usize, edges: &[(usize, usize)]) -> Graph {
    graph_of(nodes, &edges.iter().map(|(source, target)| (*source, *target, Some(1.0))).collect::<Vec<_>>())
}

fn open(graph: &Graph, selection: Selection) -> Result<Subgraph, AlgorithmError> {
    selection.open(graph, &AlgorithmOptions::default())
}

/// Whether two numbers differ by at most one part in `parts`.
fn is_near(one: f64, other: f64, parts: f64) -> bool {
    one == other || (one - other).abs() <= other.abs() / parts
}
