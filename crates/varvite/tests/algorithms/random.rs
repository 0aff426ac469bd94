//! Tests algorithms on random selections of random graphs, some of which have changes. Every algorithm must
//! give the model's answer. The answers must be equal bit for bit on one thread and on several, and with and
//! without decoded lists.

use varvite::algorithms::{AlgorithmOptions, PageRank, Selection, Subgraph, Tree, UNREACHED};
use varvite::walk::Hop;
use varvite::{Direction, Graph, Profile, Task};
use varvite_model::{
    ModelGraph, ModelHistory, ModelHop, ModelLists, NodeId, RandomGraph, SplitMix64, WalkDirection,
};
use varvite_testing::draft::Draft;

use super::is_near;
use crate::histories::History;

/// A graph that answers questions about nodes and edges without the engine.
trait Plain {
    fn nodes(&self) -> Vec<NodeId>;
    fn has_label(&self, node: NodeId, label: &str) -> bool;
    fn ends(&self, node: NodeId, label: &str, direction: WalkDirection) -> Vec<NodeId>;
}

impl Plain for ModelGraph {
    fn nodes(&self) -> Vec<NodeId> {
        self.nodes()
    }

    fn has_label(&self, node: NodeId, label: &str) -> bool {
        self.has_label(node, label)
    }

    fn ends(&self, node: NodeId, label: &str, direction: WalkDirection) -> Vec<NodeId> {
        match direction {
            WalkDirection::Out => self.targets(node, label),
            WalkDirection::In => self.sources(node, label).to_vec(),
        }
    }
}

impl Plain for ModelHistory {
    fn nodes(&self) -> Vec<NodeId> {
        self.nodes()
    }

    fn has_label(&self, node: NodeId, label: &str) -> bool {
        self.labels(node).contains(label)
    }

    fn ends(&self, node: NodeId, label: &str, direction: WalkDirection) -> Vec<NodeId> {
        let edges = match direction {
            WalkDirection::Out => self.out(node, label),
            WalkDirection::In => self.in_(node, label),
        };
        edges.into_iter().map(|(end, _)| end).collect()
    }
}

/// A selection in the engine's form and in a plain form.
#[derive(Debug)]
struct Case {
    selection: Selection,
    stages: Vec<Vec<ModelHop>>,
    labels: Vec<String>,
}

struct Maker<'a> {
    random: &'a mut SplitMix64,
    labels: Vec<String>,
    edge_labels: Vec<String>,
}

impl<'a> Maker<'a> {
    fn of(graph: &Graph, random: &'a mut SplitMix64) -> Self {
        let labels = graph.labels().iter().map(|label| label.name.clone()).collect();
        let edge_labels = graph.edge_labels().iter().map(|label| label.name.clone()).collect();
        Self { random, labels, edge_labels }
    }

    fn some(&mut self, names: &[String], count: usize) -> Vec<String> {
        (0..count).map(|_| self.random.pick(names)).collect()
    }

    fn hop(&mut self) -> (Hop, ModelHop) {
        let count = self.random.below(4);
        let (labels, edge_labels) = (self.labels.clone(), self.edge_labels.clone());
        let edge_labels = self.some(&edge_labels, count);
        let from = if self.random.chance(20) { self.some(&labels, 3) } else { Vec::new() };
        let to = if self.random.chance(20) { self.some(&labels, 3) } else { Vec::new() };
        let (hop, directions) = match self.random.below(3) {
            0 => (Hop::out(&edge_labels[..]), vec![WalkDirection::Out]),
            1 => (Hop::in_(&edge_labels[..]), vec![WalkDirection::In]),
            _ => (Hop::both(&edge_labels[..]), vec![WalkDirection::Out, WalkDirection::In]),
        };
        (hop.from(&from[..]).to(&to[..]), ModelHop { edge_labels, directions, from, to })
    }

    fn case(&mut self) -> Case {
        let (hop, model) = self.hop();
        let (mut selection, mut stages) = (Selection::along(hop), vec![vec![model]]);
        while self.random.chance(30) {
            let (hop, model) = self.hop();
            if stages.len() < 3 && self.random.chance(50) {
                (selection, _) = (selection.then(hop), stages.push(vec![model]));
            } else {
                selection = selection.hop(hop);
                stages.last_mut().unwrap().push(model);
            }
        }
        let labels = self.labels.clone();
        let labels = if self.random.chance(30) { self.some(&labels, 4) } else { Vec::new() };
        Case { selection: selection.nodes(&labels[..]), stages, labels }
    }

    fn places(&mut self, count: usize, most: usize) -> Vec<usize> {
        (0..self.random.below(most + 1)).map(|_| self.random.below(count)).collect()
    }
}

/// The nodes that a case selects, and the selected edges; an edge refers to nodes by their positions among
/// the selected nodes.
fn plain(graph: &impl Plain, case: &Case, edge_labels: &[String]) -> (Vec<NodeId>, ModelLists) {
    let has_any = |node: NodeId, labels: &[String]| {
        labels.is_empty() || labels.iter().any(|label| graph.has_label(node, label))
    };
    let nodes: Vec<NodeId> = graph.nodes().into_iter().filter(|node| has_any(*node, &case.labels)).collect();
    let step = |stage: &[ModelHop], node: NodeId| {
        let mut ends = Vec::new();
        for label in edge_labels {
            for direction in [WalkDirection::Out, WalkDirection::In] {
                let allows = |hop: &ModelHop, end: NodeId| {
                    (hop.edge_labels.is_empty() || hop.edge_labels.contains(label))
                        && hop.directions.contains(&direction)
                        && has_any(node, &hop.from)
                        && has_any(end, &hop.to)
                };
                let all = graph.ends(node, label, direction).into_iter();
                ends.extend(all.filter(|end| stage.iter().any(|hop| allows(hop, *end))));
            }
        }
        ends
    };
    let behind = |node: NodeId| {
        let mut level = vec![node];
        for stage in &case.stages {
            level = level.into_iter().flat_map(|node| step(stage, node)).collect();
        }
        level.into_iter().filter_map(|node| nodes.binary_search(&node).ok()).collect()
    };
    let out = nodes.iter().map(|node| behind(*node)).collect();
    (nodes, ModelLists { out })
}

/// The answers of all algorithms about a subgraph, as bits.
#[derive(Debug, PartialEq)]
struct Said {
    distances: Vec<u32>,
    components: Vec<u32>,
    ranks: Vec<u64>,
    communities: Vec<u32>,
    clustering: Vec<u64>,
    costs: Vec<u64>,
    without_in_edges: Vec<u32>,
}

fn cost(source: u32, target: u32) -> f64 {
    f64::from((source * 7 + target * 3) % 5) + 0.25
}

const ITERATIONS: u32 = 7;

fn said(subgraph: &Subgraph, sources: &[u32]) -> Said {
    let bits = |values: &[f64]| values.iter().map(|value| value.to_bits()).collect();
    let options = PageRank { damping: 0.85, iterations_max: ITERATIONS, tolerance: 0.0 };
    Said {
        distances: subgraph.distances(sources).unwrap().values().to_vec(),
        components: subgraph.components().unwrap().values().to_vec(),
        ranks: bits(subgraph.page_rank(&options).unwrap().ranks.values()),
        communities: subgraph.communities(ITERATIONS).unwrap().labels.values().to_vec(),
        clustering: bits(subgraph.clustering().unwrap().values()),
        costs: bits(subgraph.least_costs_by(sources, cost).unwrap().values()),
        without_in_edges: subgraph.nodes_without_in_edges().unwrap(),
    }
}

fn check(graph: &Graph, plain_graph: &impl Plain, case: &Case, maker: &mut Maker<'_>) -> usize {
    let (nodes, lists) = plain(plain_graph, case, &maker.edge_labels);
    let count = nodes.len();
    if count == 0 {
        return 0;
    }
    let (sources, roots) = (maker.places(count, 3), maker.places(count, 3));
    let ids = |places: &[usize]| places.iter().map(|place| nodes[*place].0 as u32).collect::<Vec<u32>>();
    let open = |list_bytes, threads| {
        let options = AlgorithmOptions { task: Task::new().threads(threads), list_bytes };
        case.selection.open(graph, &options).unwrap()
    };
    let subgraph = open(None, 1);
    assert!(subgraph.nodes().eq(ids(&(0..count).collect::<Vec<_>>())), "{case:?}");
    let found = said(&subgraph, &ids(&sources));
    for (list_bytes, threads) in [(None, 3), (Some(0), 1), (Some(0), 2)] {
        let other = open(list_bytes, threads);
        assert_eq!(other.decode().unwrap(), list_bytes.is_none());
        assert_eq!(said(&other, &ids(&sources)), found, "{list_bytes:?} on {threads}: {case:?}");
    }
    let distance = |distance: Option<usize>| distance.map_or(UNREACHED, |distance| distance as u32);
    let expected: Vec<u32> = lists.distances(&sources).into_iter().map(distance).collect();
    assert_eq!(found.distances, expected, "{case:?} from {sources:?}");
    assert_eq!(found.components, ids(&lists.components()), "{case:?}");
    for (rank, expected) in found.ranks.iter().zip(lists.page_rank(0.85, ITERATIONS as usize)) {
        assert!(is_near(f64::from_bits(*rank), expected, 1e9), "{case:?}");
    }
    assert_eq!(found.communities, ids(&lists.communities(ITERATIONS as usize)), "{case:?}");
    for (found, expected) in found.clustering.iter().zip(lists.clustering()) {
        assert!(is_near(f64::from_bits(*found), expected, 1e12), "{case:?}");
    }
    let plain_cost = |source: usize, target: usize| cost(nodes[source].0 as u32, nodes[target].0 as u32);
    let expected = lists.least_costs(&sources, plain_cost);
    assert!(found.costs.iter().map(|bits| f64::from_bits(*bits)).eq(expected), "{case:?} from {sources:?}");
    let no_in: Vec<usize> = lists
        .reversed()
        .out
        .iter()
        .enumerate()
        .filter(|(_, in_)| in_.is_empty())
        .map(|(node, _)| node)
        .collect();
    assert_eq!(found.without_in_edges, ids(&no_in), "{case:?}");
    let strong = subgraph.strong_components().unwrap();
    assert_eq!(strong.values(), ids(&lists.strong_components()), "{case:?}");
    check_dominators(&subgraph.dominators(&ids(&roots)).unwrap(), &nodes, &lists, &roots);
    check_tree(&subgraph, &nodes, &lists);
    lists.edges().len()
}

fn check_dominators(tree: &Tree, nodes: &[NodeId], lists: &ModelLists, roots: &[usize]) {
    let of_node = lists.immediate_dominators(roots);
    let reached = lists.reached(roots, None);
    let id = |place: usize| nodes[place].0 as u32;
    for (place, above) in of_node.iter().enumerate() {
        assert_eq!(tree.parent(id(place)), above.map(id), "{lists:?} from {roots:?}");
        assert_eq!(tree.contains(id(place)), reached[place]);
        let mut dominators: Vec<u32> = tree.ancestors(id(place)).collect();
        dominators.sort_unstable();
        let expected = lists.dominators(roots)[place].clone().unwrap_or_default();
        assert_eq!(dominators, expected.into_iter().map(id).collect::<Vec<_>>());
    }
    assert_eq!(tree.len(), reached.iter().filter(|reached| **reached).count());
    // A node dominates itself and all nodes that can be reached only through it.
    let sums = tree.sums(|node| u64::from(node) + 1).unwrap();
    for place in (0..nodes.len()).filter(|place| reached[*place]) {
        let left = lists.reached(roots, Some(place));
        let lost = (0..nodes.len()).filter(|other| reached[*other] && !left[*other]);
        assert_eq!(sums.get(id(place)), Some(lost.map(|place| u64::from(id(place)) + 1).sum()));
    }
}

fn check_tree(subgraph: &Subgraph, nodes: &[NodeId], lists: &ModelLists) {
    let parents = lists.reversed().out;
    let strong = lists.strong_components();
    let is_alone = |node: usize| strong.iter().filter(|root| **root == strong[node]).count() == 1;
    let is_tree = parents
        .iter()
        .enumerate()
        .all(|(node, parents)| parents.len() <= 1 && is_alone(node) && !parents.contains(&node));
    let tree = subgraph.tree();
    assert_eq!(tree.is_ok(), is_tree, "{lists:?}");
    let Ok(tree) = tree else { return };
    for (place, parents) in parents.iter().enumerate() {
        assert_eq!(tree.parent(nodes[place].0 as u32), parents.first().map(|parent| nodes[*parent].0 as u32));
    }
    assert_eq!(tree.len(), nodes.len());
    let counts = tree.sums(|_| 1).unwrap();
    for (place, count) in counts.values().iter().enumerate() {
        assert_eq!(*count, lists.reached(&[place], None).iter().filter(|is| **is).count() as u64);
    }
}

#[test]
fn algorithms_on_random_selections_say_what_the_model_says() {
    let mut edges = 0;
    for seed in 0..40 {
        let options = RandomGraph {
            nodes: 30,
            edges: 15 + 25 * (seed as usize % 4),
            several_labels: seed % 2 == 1,
            ..RandomGraph::any(seed)
        };
        let model = options.build().in_canonical_order();
        let graph = Draft::of(&model).open(Profile::ALL[seed as usize % Profile::ALL.len()]);
        let mut random = SplitMix64::new(seed);
        let mut maker = Maker::of(&graph, &mut random);
        for _ in 0..12 {
            let case = maker.case();
            edges += check(&graph, &model, &case, &mut maker);
        }
    }
    assert!(edges > 10_000, "{edges}");
}

#[test]
fn algorithms_on_changed_graphs_say_what_the_model_says() {
    let (mut edges, mut removed) = (0, 0);
    for seed in 0..24 {
        let options = RandomGraph { nodes: 25, edges: 40, ..RandomGraph::any(seed) };
        let model = options.build().in_canonical_order();
        let profile = Profile::ALL[seed as usize % Profile::ALL.len()];
        let mut history = History::of(&model, &Draft::of(&model), profile);
        let mut random = SplitMix64::new(seed);
        for _ in 0..3 {
            let operations = history.model.random_diff(&mut random, 30);
            history.step(&operations);
            let graph = history.open();
            removed += graph.node_count() as usize - history.model.nodes().len();
            let mut maker = Maker::of(&graph, &mut random);
            for _ in 0..5 {
                let case = maker.case();
                edges += check(&graph, &history.model, &case, &mut maker);
            }
        }
    }
    assert!(edges > 8000 && removed > 50, "{edges} {removed}");
}

#[test]
fn an_edge_label_alone_reads_as_its_adjacency() {
    let model = RandomGraph { nodes: 200, edges: 900, ..RandomGraph::any(3) }.build().in_canonical_order();
    let graph = Draft::of(&model).open(Profile::Compact);
    let id = graph.edge_label("CFG").unwrap();
    let in_ = graph.adjacency(id, Direction::In).unwrap();
    let alone = (0..graph.node_count()).filter(|node| in_.degree(*node) == 0);
    let subgraph = Selection::along(Hop::out("CFG")).open(&graph, &AlgorithmOptions::default()).unwrap();
    assert!(alone.eq(subgraph.nodes_without_in_edges().unwrap()));
}
