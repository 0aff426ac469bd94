//! Tests what algorithms promise apart from right answers: limits, errors, cancelling, and reads of changed
//! graphs.

use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use varvite::algorithms::{AlgorithmError, AlgorithmOptions, PageRank, Selection, Subgraph};
use varvite::change::{Diff, NodeRef};
use varvite::walk::Hop;
use varvite::write::GraphChange;
use varvite::{Cancel, ErrorCode, Graph, GraphError, OpenOptions, Profile, Task};
use varvite_model::{ModelGraph, NodeId, RandomGraph, SplitMix64};
use varvite_testing::draft::{Draft, PATH};
use varvite_testing::vfs::MemoryVfs;

use super::{WEIGHT, graph_of, open, plain_graph};

use crate::contradiction::Unchecked as _;

fn along(label: &str) -> Selection {
    Selection::along(Hop::out(label))
}

type Answer = fn(&Subgraph) -> Result<(), AlgorithmError>;

/// Every algorithm, with its name.
const ALGORITHMS: [(&str, Answer); 10] = [
    ("distances", |subgraph| subgraph.distances(&[0]).map(drop)),
    ("components", |subgraph| subgraph.components().map(drop)),
    ("strong components", |subgraph| subgraph.strong_components().map(drop)),
    ("page rank", |subgraph| subgraph.page_rank(&PageRank::default()).map(drop)),
    ("communities", |subgraph| subgraph.communities(10).map(drop)),
    ("clustering", |subgraph| subgraph.clustering().map(drop)),
    ("least costs", |subgraph| subgraph.least_costs(&[0]).map(drop)),
    ("costs by a function", |subgraph| subgraph.least_costs_by(&[0], |_, _| 1.0).map(drop)),
    ("dominators", |subgraph| subgraph.dominators(&[0]).map(drop)),
    ("tree", |subgraph| match subgraph.tree() {
        Err(AlgorithmError::NoTree { .. }) => Ok(()),
        other => other.map(drop),
    }),
];

#[test]
fn mistakes_are_typed_errors() {
    let graph = graph_of(3, &[(0, 1, Some(2.0)), (1, 2, None)]);
    let unknown = open(&graph, along("EE")).unwrap_err();
    assert!(unknown.to_string().contains("the nearest is \"E\""), "{unknown}");
    assert_eq!(open(&graph, along("E").nodes("M")).unwrap_err().code(), ErrorCode::Unknown);
    assert_eq!(open(&graph, along("E").cost("wait")).unwrap_err().code(), ErrorCode::Unknown);
    let subgraph = open(&graph, along("E").cost(WEIGHT)).unwrap();
    let error = subgraph.distances(&[1, 3]).unwrap_err();
    assert!(matches!(error, AlgorithmError::Graph(GraphError::NoSuchNode { node: 3, nodes: 3 })), "{error}");
    let error = subgraph.least_costs(&[0]).unwrap_err();
    assert!(matches!(&error, AlgorithmError::NoCost { node: 1, property } if property == WEIGHT), "{error}");
    for cost in [-0.5, f64::NAN] {
        let error = subgraph.least_costs_by(&[0], |source, _| if source == 1 { cost } else { 1.0 });
        let error = error.unwrap_err();
        assert!(matches!(error, AlgorithmError::NegativeCost { node: 1, .. }), "{error}");
        assert_eq!(error.code(), ErrorCode::Argument);
        let graph = graph_of(3, &[(0, 1, Some(2.0)), (1, 2, Some(cost))]);
        let error = open(&graph, along("E").cost(WEIGHT)).unwrap().least_costs(&[0]).unwrap_err();
        assert!(matches!(error, AlgorithmError::NegativeCost { node: 1, .. }), "{error}");
    }
    for damping in [-0.1, 1.0, f64::NAN] {
        let error = subgraph.page_rank(&PageRank { damping, ..PageRank::default() }).unwrap_err();
        assert!(matches!(error, AlgorithmError::Parameter { name: "damping", .. }), "{error}");
    }
    let error = subgraph.page_rank(&PageRank { tolerance: -1.0, ..PageRank::default() }).unwrap_err();
    assert!(matches!(error, AlgorithmError::Parameter { name: "tolerance", .. }), "{error}");
}

#[test]
fn an_algorithm_starts_at_nodes_that_are_selected() {
    let mut model = ModelGraph::default();
    let (one, other) = (model.add_node(&["A"]), model.add_node(&["B"]));
    model.add_edge(one, "E", other, None);
    let graph = Draft::with_properties(&model, &[]).open(Profile::Direct);
    let subgraph = open(&graph, along("E").nodes("B")).unwrap();
    let error = subgraph.dominators(&[0]).unwrap_err();
    assert!(matches!(error, AlgorithmError::NotSelected { node: 0 }), "{error}");
    assert!(subgraph.distances(&[1]).unwrap().iter().eq([(1, 0)]));
    assert_eq!(subgraph.distances(&[1]).unwrap().get(0), None);
}

#[test]
fn an_empty_selection_has_empty_answers() {
    let graph = Draft::of(&ModelGraph::default()).open(Profile::Direct);
    let subgraph = open(&graph, Selection::along(Hop::both(varvite::pipeline::ALL))).unwrap();
    assert_eq!(subgraph.node_count(), 0);
    assert!(subgraph.components().unwrap().is_empty());
    assert!(subgraph.clustering().unwrap().is_empty());
    assert!(subgraph.strong_components().unwrap().is_empty());
    assert!(subgraph.distances(&[]).unwrap().is_empty());
    assert!(subgraph.dominators(&[]).unwrap().is_empty());
    assert!(subgraph.tree().unwrap().is_empty());
    let ranks = subgraph.page_rank(&PageRank::default()).unwrap();
    assert!(ranks.ranks.is_empty() && ranks.is_settled);
    assert!(subgraph.communities(3).unwrap().labels.is_empty());
}

#[test]
fn costs_come_from_a_property_of_edges_either_way_round() {
    let edges = [(0, 1, Some(5.0)), (0, 2, Some(1.0)), (2, 1, Some(2.5)), (1, 3, None), (1, 3, Some(9.0))];
    let graph = graph_of(5, &edges);
    let costs = |selection: Selection, source| {
        open(&graph, selection).unwrap().least_costs(&[source]).unwrap().values().to_vec()
    };
    let none = f64::INFINITY;
    assert_eq!(costs(along("E").cost_or(WEIGHT, 4.0), 0), [0.0, 3.5, 1.0, 7.5, none]);
    assert_eq!(costs(along("E").cost_or(WEIGHT, 4.0).reversed(), 3), [7.5, 4.0, 6.5, 0.0, none]);
    assert_eq!(costs(Selection::along(Hop::both("E")).cost_or(WEIGHT, 0.0), 2), [1.0, 2.5, 0.0, 2.5, none]);
    assert_eq!(costs(along("E"), 0), [0.0, 1.0, 1.0, 2.0, none]);
    // An edge that stands for two hops costs the sum of their costs.
    let twice = Selection::along(Hop::out("E")).then(Hop::out("E")).cost_or(WEIGHT, 4.0);
    assert_eq!(costs(twice, 0), [0.0, 3.5, none, 9.0, none]);
}

#[test]
fn settled_ranks_and_communities_are_told_from_others() {
    let graph = plain_graph(4, &[(0, 1), (1, 2), (2, 0), (3, 0)]);
    let subgraph = open(&graph, along("E")).unwrap();
    let few = subgraph.page_rank(&PageRank { iterations_max: 3, ..PageRank::default() }).unwrap();
    assert!(!few.is_settled && few.iterations == 3 && few.change > 1e-8);
    let options = PageRank { iterations_max: 1000, ..PageRank::default() };
    let all = subgraph.page_rank(&options).unwrap();
    assert!(all.is_settled && all.iterations < 1000 && all.change <= 1e-8);
    assert!((all.ranks.values().iter().sum::<f64>() - 1.0).abs() < 1e-12);
    // Two nodes that take each other's label never settle.
    let pair = plain_graph(2, &[(0, 1)]);
    let pair = open(&pair, along("E")).unwrap().communities(7).unwrap();
    assert_eq!((pair.labels.values(), pair.iterations, pair.is_settled), (&[1, 0][..], 7, false));
    let alone = plain_graph(3, &[(1, 1)]);
    let alone = open(&alone, along("E")).unwrap().communities(7).unwrap();
    assert_eq!((alone.iterations, alone.is_settled), (1, true));
}

#[test]
fn sums_take_up_what_is_below() {
    let graph = plain_graph(6, &[(0, 1), (0, 2), (2, 3), (2, 4)]);
    let tree = open(&graph, along("E")).unwrap().tree().unwrap();
    assert_eq!(tree.sums(u64::from).unwrap().values(), [10, 1, 9, 3, 4, 5]);
    assert_eq!(tree.sums(|_| u64::MAX).unwrap().values()[0], u64::MAX);
    let deepest = tree.folds(0, |_| 1, |above, below| *above = below.max(*above - 1) + 1);
    assert_eq!(deepest.unwrap().values(), [3, 1, 2, 1, 1, 1]);
    assert!(tree.ancestors(4).eq([2, 0]));
    assert_eq!(tree.nodes().collect::<Vec<_>>(), [0, 5, 1, 2, 3, 4]);
    for (edges, node) in [(&[(0, 2), (1, 2)][..], 2), (&[(0, 1), (1, 2), (2, 1)], 1), (&[(1, 1)], 1)] {
        let error = open(&plain_graph(3, edges), along("E")).unwrap().tree().unwrap_err();
        assert!(matches!(error, AlgorithmError::NoTree { node: found } if found == node), "{error}");
    }
}

/// A random graph that is large enough for an algorithm to take some time.
fn large(nodes: usize, edges: usize) -> Graph {
    let mut random = SplitMix64::new(1);
    let mut model = ModelGraph::default();
    (0..nodes).for_each(|_| _ = model.add_node(&["N"]));
    for _ in 0..edges {
        model.add_edge(NodeId(random.below(nodes)), "E", NodeId(random.below(nodes)), None);
    }
    Draft::with_properties(&model, &[]).open(Profile::Compact)
}

#[test]
fn memory_beyond_the_budget_is_an_error_and_is_given_back() {
    let graph = large(2000, 8000);
    for (name, answer) in ALGORITHMS {
        let mut is_refused = false;
        for memory_bytes in (0..20).map(|bits| 1 << bits) {
            let options = AlgorithmOptions::from(Task::new().memory(memory_bytes).threads(2));
            let subgraph = along("E").open(&graph, &options).unwrap();
            match answer(&subgraph) {
                Err(AlgorithmError::OverBudget { limit, needed }) => {
                    assert!(limit <= memory_bytes && needed > limit, "{name}: {needed} of {limit}");
                    is_refused = true;
                }
                other => other.unwrap(),
            }
            // A repeated call has the same outcome: an algorithm that failed fails again, and one that gave
            // an answer gives one again.
            let again = answer(&subgraph);
            assert_eq!(again.is_ok(), answer(&subgraph).is_ok(), "{name} in {memory_bytes}");
        }
        assert!(is_refused, "{name} takes less than a byte");
        answer(&open(&graph, along("E")).unwrap()).unwrap();
    }
}

#[test]
fn lists_that_have_no_room_are_read_from_columns() {
    let graph = large(500, 4000);
    let options = |list_bytes| AlgorithmOptions { list_bytes, ..AlgorithmOptions::default() };
    for (name, answer) in ALGORITHMS {
        let subgraph = along("E").open(&graph, &options(Some(1000))).unwrap();
        let needs_lists = ["strong components", "dominators"].contains(&name);
        match answer(&subgraph) {
            Err(AlgorithmError::OverBudget { limit: 1000, .. }) => assert!(needs_lists, "{name}"),
            other => assert!(other.is_ok() && !needs_lists, "{name}: {other:?}"),
        }
    }
}

#[test]
fn ranks_of_a_large_graph_are_the_same_with_a_copy_of_its_lists_and_without() {
    // In a graph of at least 2^17 nodes, the lists are copied if there is enough memory.
    let graph = large(1 << 17, 300_000);
    let ranks = |list_bytes, threads| {
        let options = AlgorithmOptions { task: Task::new().threads(threads), list_bytes };
        let subgraph = along("E").open(&graph, &options).unwrap();
        let options = PageRank { iterations_max: 12, tolerance: 0.0, ..PageRank::default() };
        let ranks = subgraph.page_rank(&options).unwrap().ranks;
        ranks.values().iter().map(|rank| rank.to_bits()).collect::<Vec<u64>>()
    };
    let with_copy = ranks(None, 2);
    // Enough memory for the lists of both directions, but not for a third copy.
    let lists = 2 * 4 * (300_000 + (1 << 17) + 1) + (300 << 10);
    assert!(ranks(Some(lists), 1) == with_copy && ranks(Some(0), 2) == with_copy);
    let sum: f64 = with_copy.iter().map(|bits| f64::from_bits(*bits)).sum();
    assert!((sum - 1.0).abs() < 1e-9, "{sum}");
}

#[test]
fn a_flag_that_is_set_ends_every_algorithm() {
    let graph = large(500, 2000);
    for (name, answer) in ALGORITHMS {
        let cancel = Cancel::default();
        let options = AlgorithmOptions::from(Task::new().cancel(&cancel));
        let subgraph = along("E").open(&graph, &options).unwrap();
        cancel.cancel();
        assert!(matches!(answer(&subgraph), Err(AlgorithmError::Cancelled)), "{name}");
        let out_of_time = along("E").open(&graph, &Task::new().time_max(Duration::ZERO).into());
        let answered = out_of_time.and_then(|subgraph| answer(&subgraph));
        assert!(matches!(answered, Err(AlgorithmError::Cancelled)), "{name}");
    }
}

#[test]
fn an_algorithm_that_is_cancelled_on_its_way_ends_soon() {
    let graph = large(20_000, 200_000);
    for (name, answer) in ALGORITHMS {
        for list_bytes in [None, Some(0)] {
            // In each turn, the flag is set at a later check, until the algorithm ends before that check.
            for looks in (0..).map(|n| 3 * n * n) {
                let left = std::sync::atomic::AtomicUsize::new(looks);
                let order = std::sync::atomic::Ordering::Relaxed;
                let begin = Arc::new(std::sync::Mutex::new(None::<Instant>));
                let cancelled = Arc::clone(&begin);
                let cancel = Cancel::when(move || {
                    let is_over = left.fetch_update(order, order, |left| left.checked_sub(1)).is_err();
                    if is_over {
                        cancelled.lock().unwrap().get_or_insert_with(Instant::now);
                    }
                    is_over
                });
                let options = AlgorithmOptions { task: Task::new().cancel(&cancel).threads(2), list_bytes };
                let answer = along("E").open(&graph, &options).and_then(|subgraph| answer(&subgraph));
                let took = begin.lock().unwrap().map(|begin| begin.elapsed());
                match answer {
                    Err(AlgorithmError::Cancelled) => {
                        let took = took.expect("somebody was told");
                        assert!(took < Duration::from_millis(500), "{name} went on for {took:?}");
                    }
                    Err(AlgorithmError::OverBudget { .. }) if list_bytes.is_some() => break,
                    other => {
                        other.unwrap();
                        break;
                    }
                }
            }
        }
    }
}

#[test]
fn damage_is_an_error_and_no_answer() {
    let model = RandomGraph { nodes: 60, edges: 300, ..RandomGraph::any(2) }.build().in_canonical_order();
    let mut draft = Draft::of(&model);
    let lists = draft.edges.iter_mut().find(|edges| edges.name == "CFG").unwrap();
    let place = lists.out.neighbors.len() / 2;
    lists.out.neighbors[place] = 1_000_000;
    for profile in Profile::ALL {
        for list_bytes in [None, Some(0)] {
            let graph = draft.open_unchecked(profile);
            let options = AlgorithmOptions { list_bytes, ..AlgorithmOptions::default() };
            let subgraph = Selection::along(Hop::both("CFG")).open(&graph, &options).unwrap();
            for (name, answer) in ALGORITHMS {
                // An algorithm that starts at a node might never reach the damage, and an algorithm on a tree
                // may first find that the edges do not form a tree.
                let others = ["distances", "least costs", "costs by a function", "tree"];
                let is_everywhere = !others.contains(&name);
                match answer(&subgraph) {
                    Err(AlgorithmError::Graph(error)) => assert_eq!(error.code(), ErrorCode::Damaged),
                    Err(AlgorithmError::OverBudget { .. }) if list_bytes.is_some() => {}
                    other => assert!(other.is_ok() && !is_everywhere, "{name}: {other:?}"),
                }
            }
        }
    }
}

#[test]
fn lists_that_contradict_each_other_end_with_some_answer() {
    let mut random = SplitMix64::new(9);
    for seed in 0..20 {
        let model =
            RandomGraph { nodes: 40, edges: 200, ..RandomGraph::any(seed) }.build().in_canonical_order();
        let mut draft = Draft::of(&model);
        for edges in &mut draft.edges {
            let nodes = draft.nodes;
            edges.in_.neighbors.iter_mut().for_each(|source| *source = random.below(nodes as usize) as u32);
        }
        let graph = draft.open_unchecked(Profile::Direct);
        for hop in [Hop::out("CFG"), Hop::both("CFG"), Hop::in_(["CFG", "REF"])] {
            let Ok(subgraph) = open(&graph, Selection::along(hop)) else { continue };
            ALGORITHMS.iter().for_each(|(_, answer)| _ = answer(&subgraph));
        }
    }
}

#[test]
fn appended_and_removed_edges_count_and_keep_their_costs() {
    let vfs = MemoryVfs::new();
    let mut model = ModelGraph::default();
    (0..4).for_each(|_| _ = model.add_node(&["N"]));
    model.add_edge(NodeId(0), "E", NodeId(1), None);
    model.add_edge(NodeId(1), "E", NodeId(2), None);
    vfs.put(PATH, &Draft::with_properties(&model, &[]).bytes(Profile::Compact));
    let mut diff = Diff::new();
    diff.remove_edge("E", 1);
    diff.add_edge("E", NodeRef::Node(0), NodeRef::Node(3));
    let new = diff.add_node(&["N"]);
    diff.add_edge("E", NodeRef::Node(3), NodeRef::New(new));
    let change = GraphChange::begin(Arc::new(vfs.clone()), Path::new(PATH)).unwrap();
    change.apply_with(&diff, &Task::new()).unwrap();
    let graph = OpenOptions::new().open_in(&vfs, PATH).unwrap();
    let subgraph = open(&graph, along("E").nodes("N")).unwrap();
    let unreached = varvite::algorithms::UNREACHED;
    assert_eq!(subgraph.distances(&[0]).unwrap().values(), [0, 1, unreached, 1, 2]);
    assert_eq!(subgraph.components().unwrap().values(), [0, 0, 2, 0, 0]);
    assert_eq!(subgraph.dominators(&[0]).unwrap().parent(4), Some(3));
    assert_eq!(subgraph.least_costs_by(&[0], |_, target| f64::from(target)).unwrap().get(4), Some(7.0));
}
