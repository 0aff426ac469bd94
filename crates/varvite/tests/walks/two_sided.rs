//! Tests that walks from both ends give the same paths as the model's walk, which begins at the start only.

use std::collections::BTreeSet;

use varvite::walk::{
    Evaluator, Hop, Meet, Meeting, PathEdges, PathOptions, PathStep, ShortestPaths, TwoSided, TwoSidedArena,
    Uniqueness, Walk, WalkError, Within,
};
use varvite::{Direction, Graph, Profile};
use varvite_model::{
    ModelHop, ModelTest, ModelWalk, NodeId, RandomGraph, SplitMix64, WalkDirection, WalkOrder, WalkScope,
    WalkUniqueness,
};
use varvite_testing::draft::Draft;

const LABELS: [&str; 4] = ["CFG", "REF", "ARGUMENT", "AST"];
const LENGTH_MAX: usize = 5;

/// A path: its nodes, each with the edge that leads to it: the edge's label, and whether the edge was
/// followed from its target to its source.
type Path = Vec<(u32, Option<(String, bool)>)>;

fn path_of(graph: &Graph, steps: &[PathStep]) -> Path {
    let name = |label: varvite::EdgeLabelId| graph.edge_labels()[label.index()].name.clone();
    let step = |step: &PathStep| {
        (step.node, step.edge.map(|(label, direction)| (name(label), direction == Direction::In)))
    };
    steps.iter().map(step).collect()
}

/// The paths that the uniqueness allows, up to a certain length, found by a walk from the start only. If
/// several paths have the same nodes and labels, each of them is listed.
fn expected(model: &varvite_model::ModelGraph, unique: WalkUniqueness, start: u32, end: u32) -> Vec<Path> {
    let walk = ModelWalk {
        edge_labels: Vec::new(),
        order: WalkOrder::BreadthFirst,
        uniqueness: unique,
        hops: vec![
            ModelHop {
                edge_labels: LABELS[..3].iter().map(ToString::to_string).collect(),
                directions: vec![WalkDirection::Out, WalkDirection::In],
                from: Vec::new(),
                to: vec!["CALL".to_owned(), "BLOCK".to_owned()],
            },
            ModelHop {
                edge_labels: vec![LABELS[3].to_owned()],
                directions: vec![WalkDirection::Out],
                from: vec!["METHOD".to_owned(), "BLOCK".to_owned()],
                to: Vec::new(),
            },
        ],
        tests: vec![
            ModelTest::ToDepth(LENGTH_MAX),
            ModelTest::Ends(vec![NodeId(end as usize)], (true, true), (false, true)),
        ],
        skips_arriving_edge: false,
        keeps_direction: false,
        costs_by_label: false,
    };
    let results = walk.run(model, &[NodeId(start as usize)], 1_000_000);
    assert!(results.is_whole);
    let step = |step: &varvite_model::ModelStep| {
        let edge = step.edge.as_ref().map(|edge| (edge.label.clone(), edge.direction == WalkDirection::In));
        (step.node.0 as u32, edge)
    };
    results.branches.iter().map(|branch| branch.iter().map(step).collect()).collect()
}

fn walk() -> Walk {
    Walk::default()
        .hop(Hop::both(&LABELS[..3]).to(["CALL", "BLOCK"]))
        .hop(Hop::out(LABELS[3]).from(["METHOD", "BLOCK"]))
}

fn found(graph: &Graph, walk: &TwoSided, arena: &mut TwoSidedArena, start: u32, end: u32) -> Vec<Path> {
    let plan = walk.compile(graph).unwrap();
    let (mut steps, mut paths) = (Vec::new(), Vec::new());
    let mut run = plan.run(arena, &[start], &[end]).unwrap();
    while let Some(meeting) = run.next().unwrap() {
        meeting.path(&mut steps);
        assert_eq!(meeting.length() as usize, steps.len() - 1);
        assert_eq!(steps[(steps.len()) / 2].node, meeting.node());
        paths.push(path_of(graph, &steps));
    }
    assert!(paths.is_sorted_by_key(Vec::len), "shorter paths come first");
    paths
}

fn sorted(mut paths: Vec<Path>) -> Vec<Path> {
    paths.sort();
    paths
}

#[test]
fn paths_from_both_ends_are_those_from_one() {
    let (mut many, mut none) = (0, 0);
    let mut arena = TwoSidedArena::default();
    for seed in 0..40 {
        let options =
            RandomGraph { nodes: 24, edges: 140, several_labels: seed % 2 == 0, ..RandomGraph::new(seed) };
        let model = options.build().in_canonical_order();
        let graph = Draft::of_no_file(&model).open(Profile::ALL[seed as usize % Profile::ALL.len()]);
        let mut random = SplitMix64::new(seed);
        for _ in 0..10 {
            let (start, end) = (random.below(24) as u32, random.below(24) as u32);
            let levels = [
                (Uniqueness::None, WalkUniqueness::None),
                (Uniqueness::Nodes(Within::Path), WalkUniqueness::Nodes(WalkScope::Path)),
                (Uniqueness::Edges(Within::Path), WalkUniqueness::Edges(WalkScope::Path)),
            ];
            for (unique, of_model) in levels {
                let expected = sorted(expected(&model, of_model, start, end));
                let every = TwoSided::mirrored(walk().unique(unique)).meet(Meet::Every);
                let paths = found(&graph, &every.clone().lengths(0..=5), &mut arena, start, end);
                assert_eq!(sorted(paths), expected, "seed {seed}: {unique:?} from {start} to {end}");
                let shortest = expected.iter().map(Vec::len).min().unwrap_or(0);
                let expected: Vec<Path> =
                    expected.into_iter().filter(|path| path.len() == shortest).collect();
                let of_shortest = every.meet(Meet::Shortest).lengths(0..=5);
                let paths = found(&graph, &of_shortest, &mut arena, start, end);
                assert_eq!(sorted(paths), expected, "seed {seed}: {unique:?} from {start} to {end}");
                many += usize::from(expected.len() > 1);
                none += usize::from(expected.is_empty());
            }
            let simple = expected(&model, WalkUniqueness::Nodes(WalkScope::Path), start, end);
            let of_length: Vec<Path> = simple.into_iter().filter(|path| path.len() == 4).collect();
            let paths = found(&graph, &TwoSided::paths_with_length(walk(), 3), &mut arena, start, end);
            assert_eq!(sorted(paths), sorted(of_length));
        }
    }
    assert!(many > 100 && none > 20, "{many} {none}");
}

#[test]
fn the_default_gives_an_answer_and_a_shortest_one() {
    let mut arena = TwoSidedArena::default();
    let mut lengths = BTreeSet::new();
    for seed in 0..30 {
        let options = RandomGraph { nodes: 200, edges: 1200, ..RandomGraph::new(seed) };
        let graph = Draft::of(&options.build().in_canonical_order()).open(Profile::Compact);
        let plan = TwoSided::mirrored(Walk::default().hop(Hop::out(["CFG", "REF"]))).compile(&graph).unwrap();
        let edges = PathEdges::compile(&graph, [Hop::out(["CFG", "REF"])]).unwrap();
        let mut random = SplitMix64::new(seed);
        for _ in 0..20 {
            let (start, end) = (random.below(200) as u32, random.below(200) as u32);
            let shortest = ShortestPaths::find(&edges, &[start], &[end], &PathOptions::default()).unwrap();
            let mut run = plan.run(&mut arena, &[start], &[end]).unwrap();
            let found = run.next().unwrap().as_ref().map(Meeting::length);
            assert_eq!(found, shortest.length(), "seed {seed} from {start} to {end}");
            lengths.extend(found);
        }
    }
    assert!(lengths.len() > 6, "{lengths:?}");
}

#[test]
fn lengths_and_depths_that_leave_nothing_are_refused() {
    let graph = Draft::of(&RandomGraph::new(1).build().in_canonical_order()).open(Profile::Direct);
    let walk = || Walk::default().hop(Hop::out("CFG"));
    #[expect(clippy::reversed_empty_ranges, reason = "it is what is refused")]
    let error = TwoSided::mirrored(walk()).lengths(3..=2).compile(&graph).unwrap_err();
    assert!(matches!(error, WalkError::Contradiction { least: 3, most: 2 }));
    let walk = walk().evaluator(Evaluator::from_depth(2)).evaluator(Evaluator::at_depth(1));
    let error = TwoSided::mirrored(walk).compile(&graph).unwrap_err();
    assert!(matches!(error, WalkError::Contradiction { least: 2, most: 1 }));
}
