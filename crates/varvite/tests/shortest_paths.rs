//! Compares shortest paths with a plain search over the model.

use std::time::Duration;

use varvite::Cancel;
use varvite::walk::{Hop, PathEdges, PathOptions, PathStep, ShortestPaths, WalkError};
use varvite::{Direction, Graph, GraphError, Profile, Task};
use varvite_model::{ModelGraph, NodeId, RandomGraph, SplitMix64};
use varvite_testing::draft::Draft;

use crate::contradiction::Unchecked as _;

/// A way in the model: an edge label, a direction and, if paths may follow these edges only to nodes with a
/// certain label, this label.
type Way = (&'static str, Direction, Option<&'static str>);

fn edges(graph: &Graph, ways: &[Way]) -> PathEdges {
    let hop = |(label, direction, target): &Way| {
        let hop = Hop::out(*label);
        let hop = target.map_or(hop.clone(), |target| hop.to(target));
        if *direction == Direction::In { hop.reversed() } else { hop }
    };
    // A random graph may lack a label.
    let hops = ways.iter().map(hop).filter(|hop| PathEdges::compile(graph, [hop.clone()]).is_ok());
    PathEdges::compile(graph, hops).unwrap()
}

/// The steps from a node: first those along the first way, then those along the next way, and so on; along
/// each way, in the order of the graph.
fn steps(model: &ModelGraph, graph: &Graph, ways: &[Way], node: u32) -> Vec<PathStep> {
    let mut steps = Vec::new();
    for (label, direction, target_label) in ways {
        let Ok(id) = graph.edge_label(label) else { continue };
        if target_label.is_some_and(|label| graph.label(label).is_err()) {
            continue;
        }
        let is_target = |node: NodeId| target_label.is_none_or(|label| model.has_label(node, label));
        let here = NodeId(node as usize);
        let ends: Vec<NodeId> = match direction {
            Direction::Out => model.targets(here, label).into_iter().filter(|end| is_target(*end)).collect(),
            Direction::In if is_target(here) => model.sources(here, label).to_vec(),
            Direction::In => Vec::new(),
        };
        for end in ends {
            let step = PathStep { node: end.0 as u32, edge: Some((id, *direction)) };
            if !steps.contains(&step) {
                steps.push(step);
            }
        }
    }
    steps
}

/// Finds all shortest paths by trying every path of length 0, then every path of length 1, and so on.
fn plain(model: &ModelGraph, graph: &Graph, along: &[Way], source: u32, target: u32) -> Vec<Vec<PathStep>> {
    let all: Vec<Vec<PathStep>> =
        (0..graph.node_count()).map(|node| steps(model, graph, along, node)).collect();
    let mut left = vec![None; all.len()];
    left[target as usize] = Some(0);
    for _ in 0..all.len() {
        for node in 0..all.len() {
            let next = all[node].iter().filter_map(|step| left[step.node as usize]).min();
            if let Some(next) = next.filter(|next: &usize| left[node].is_none_or(|known| next + 1 < known)) {
                left[node] = Some(next + 1);
            }
        }
    }
    let mut paths = vec![vec![PathStep { node: source, edge: None }]];
    let Some(length) = left[source as usize] else { return Vec::new() };
    for rest in (0..length).rev() {
        let longer = |path: Vec<PathStep>| {
            let ends = all[path.last().unwrap().node as usize].iter();
            let ends = ends.filter(|step| left[step.node as usize] == Some(rest)).copied();
            ends.map(|step| [&path[..], &[step]].concat()).collect::<Vec<_>>()
        };
        paths = paths.into_iter().flat_map(longer).collect();
    }
    paths
}

#[test]
fn all_shortest_paths_are_found_in_their_order() {
    use Direction::{In, Out};
    let along: [&[Way]; 5] = [
        &[("CFG", Out, None)],
        &[("AST", Out, None), ("CALL", Out, None), ("CFG", Out, None), ("REF", Out, None)],
        &[("AST", In, None), ("REF", Out, None), ("CFG", Out, Some("CALL")), ("CONTAINS", Out, None)],
        &[("CFG", Out, None), ("CFG", In, None), ("ARGUMENT", In, Some("BLOCK")), ("CFG", Out, Some("CALL"))],
        &[("CONTAINS", In, Some("CALL")), ("CALL", In, None), ("AST", In, None), ("AST", Out, None)],
    ];
    let (mut found, mut several) = (0, 0);
    for seed in 0..30 {
        let options =
            RandomGraph { nodes: 40, edges: 100 + 50 * (seed as usize % 7), ..RandomGraph::any(seed) };
        let model = options.build().in_canonical_order();
        let graph = Draft::of(&model).open(Profile::ALL[seed as usize % Profile::ALL.len()]);
        let mut random = SplitMix64::new(seed);
        for along in along.iter().cycle().take(20) {
            let mut node = || random.below(graph.node_count() as usize) as u32;
            let (source, target) = (node(), node());
            let expected = plain(&model, &graph, along, source, target);
            let options = PathOptions::default();
            let edges = edges(&graph, along);
            let paths = ShortestPaths::find(&edges, &[source], &[target], &options).unwrap();
            assert_eq!(paths.length(), expected.first().map(|path| path.len() as u32 - 1));
            assert_eq!(
                paths.map(Result::unwrap).collect::<Vec<_>>(),
                expected,
                "seed {seed}, {along:?} from {source} to {target}"
            );
            found += usize::from(!expected.is_empty());
            several += usize::from(expected.len() > 1);
        }
    }
    assert!(found > 200 && several > 50, "{found} {several}");
}

/// A graph of levels that have two nodes each. Each node has edges to both nodes of the next level, so each
/// level doubles the number of paths.
fn ladder(levels: usize) -> Draft {
    let mut model = ModelGraph::default();
    (0..2 * levels).for_each(|_| {
        model.add_node(&["BLOCK"]);
    });
    for node in 0..2 * (levels - 1) {
        let next = node / 2 * 2 + 2;
        model.add_edge(NodeId(node), "CFG", NodeId(next), None);
        model.add_edge(NodeId(node), "CFG", NodeId(next + 1), None);
    }
    Draft::of(&model.in_canonical_order())
}

fn find(
    graph: &Graph,
    sources: &[u32],
    targets: &[u32],
    options: &PathOptions,
) -> Result<ShortestPaths, WalkError> {
    ShortestPaths::find(&edges(graph, &[("CFG", Direction::Out, None)]), sources, targets, options)
}

#[test]
fn paths_are_listed_one_by_one_however_many_there_are() {
    let graph = ladder(60).open(Profile::Direct);
    let mut paths = find(&graph, &[0], &[118], &PathOptions::default()).unwrap();
    assert_eq!(paths.length(), Some(59));
    let first: Vec<u32> = paths.next().unwrap().unwrap().iter().map(|step| step.node).collect();
    assert_eq!(first, (0..60).map(|level| 2 * level).collect::<Vec<u32>>());
    assert!(paths.take(1000).map(Result::unwrap).all(|path| path.len() == 60 && path[59].node == 118));
}

#[test]
fn a_path_begins_at_any_source_and_ends_at_any_target() {
    let graph = ladder(5).open(Profile::Direct);
    let nodes = |sources: &[u32], targets: &[u32]| -> Vec<Vec<u32>> {
        let paths = find(&graph, sources, targets, &PathOptions::default()).unwrap();
        paths.map(|path| path.unwrap().iter().map(|step| step.node).collect()).collect()
    };
    assert_eq!(nodes(&[1, 2, 0, 2], &[8, 5, 5]), [[2, 5]]);
    assert_eq!(nodes(&[4, 7], &[7, 4]), [[4], [7]]);
    assert_eq!(nodes(&[8], &[0]), Vec::<Vec<u32>>::new());
    assert_eq!(nodes(&[], &[0]), Vec::<Vec<u32>>::new());
}

#[test]
fn limits_hold() {
    let graph = ladder(60).open(Profile::Direct);
    let length = |length_max| {
        let options = PathOptions { length_max, ..PathOptions::default() };
        find(&graph, &[0], &[20], &options).unwrap().length()
    };
    assert_eq!([9, 10, 11].map(length), [None, Some(10), Some(10)]);
    let options = PathOptions::from(Task::new().memory(4 * 120 - 1));
    let error = find(&graph, &[0], &[118], &options).unwrap_err();
    assert!(matches!(error, WalkError::OverBudget { limit: 479, needed: 480 }), "{error}");
    let options = PathOptions::from(Task::new().memory(4 * 120));
    assert!(matches!(find(&graph, &[0], &[118], &options), Err(WalkError::OverBudget { limit: 480, .. })));
    let (cancel, nodes) = (Cancel::default(), graph.node_count());
    cancel.cancel();
    for task in [Task::new().cancel(&cancel), Task::new().time_max(Duration::ZERO)] {
        assert!(matches!(find(&graph, &[0], &[118], &task.into()), Err(WalkError::Cancelled)));
    }
    let error = find(&graph, &[0], &[nodes], &PathOptions::default()).unwrap_err();
    assert!(matches!(error, WalkError::Graph(GraphError::NoSuchNode { node: 120, nodes: 120 })), "{error}");
}

#[test]
fn lists_that_contradict_each_other_cost_a_look_and_no_more() {
    let mut draft = ladder(60);
    // Damages the file: the out-lists of the last level but one lead back to the start, while according to
    // the in-lists, 2^58 paths to the end pass through this level.
    let neighbors = &mut draft.edges.iter_mut().find(|edges| edges.name == "CFG").unwrap().out.neighbors;
    let last = neighbors.len() - 4;
    neighbors[last..].fill(0);
    let graph = draft.open_unchecked(Profile::Direct);
    let mut paths = find(&graph, &[0], &[118], &PathOptions::default()).unwrap();
    assert_eq!(paths.length(), Some(59));
    assert!(paths.next().is_none());
}
