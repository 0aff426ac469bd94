//! Tests that random walks on random graphs, in every order and with every uniqueness, give the model's
//! results in the same sequence.

use std::cell::RefCell;

use varvite::walk::{
    Arena, Evaluation, Evaluator, Guide, Hop, Order, OwnedRun, PathStep, Run, Uniqueness, Visit, Walk, Within,
};
use varvite::{Cancel, Direction, EdgeLabelId, Graph, Profile};
use varvite_model::{
    ModelBranch, ModelEdges, ModelGraph, ModelHop, ModelTest, ModelWalk, NodeId, RandomGraph, SplitMix64,
    WalkDirection, WalkOrder, WalkScope, WalkUniqueness,
};
use varvite_testing::draft::Draft;

use crate::histories::for_each_history;

pub(super) const ORDERS: [(Order, WalkOrder); 5] = [
    (Order::DepthFirst, WalkOrder::DepthFirst),
    (Order::DepthFirstPost, WalkOrder::DepthFirstPost),
    (Order::BreadthFirst, WalkOrder::BreadthFirst),
    (Order::BreadthFirstPost, WalkOrder::BreadthFirstPost),
    (Order::BestFirst, WalkOrder::BestFirst),
];

/// The maximum number of branches of a walk. If a walk has more, only its first results are compared.
const BRANCHES_MAX: usize = 2000;

/// A cost function: the cost of an edge is the number of letters in its label.
struct ByLabel(Vec<f64>);

impl ByLabel {
    fn of(graph: &Graph) -> Self {
        Self(graph.edge_labels().iter().map(|label| label.name.len() as f64).collect())
    }
}

impl Guide for ByLabel {
    type State = ();

    fn cost(&mut self, _: &Visit<'_>, step: PathStep, _: f64) -> f64 {
        self.0[step.edge.unwrap().0.index()]
    }
}

/// A walk in the engine's form and in the model's form.
pub(super) struct Case {
    pub(super) walk: Walk,
    pub(super) model: ModelWalk,
}

/// Makes random walks for a graph.
pub(super) struct Maker {
    pub(super) random: SplitMix64,
    labels: Vec<String>,
    edge_labels: Vec<String>,
    /// The nodes at which walks may start or end.
    nodes: Vec<u32>,
}

impl Maker {
    pub(super) fn of(graph: &Graph, nodes: Vec<u32>, seed: u64) -> Self {
        let labels = graph.labels().iter().map(|label| label.name.clone()).collect();
        let edge_labels = graph.edge_labels().iter().map(|label| label.name.clone()).collect();
        Self { random: SplitMix64::new(seed), labels, edge_labels, nodes }
    }

    fn some(&mut self, names: &[String], count: usize) -> Vec<String> {
        (0..count).map(|_| self.random.pick(names)).collect()
    }

    fn hop(&mut self) -> (Hop, ModelHop) {
        let count = self.random.below(4);
        let edge_labels = self.some(&self.edge_labels.clone(), count);
        let labels = self.labels.clone();
        let from = if self.random.chance(30) { self.some(&labels, 2) } else { Vec::new() };
        let to = if self.random.chance(30) { self.some(&labels, 3) } else { Vec::new() };
        let (hop, directions) = match self.random.below(3) {
            0 => (Hop::out(&edge_labels[..]), vec![WalkDirection::Out]),
            1 => (Hop::in_(&edge_labels[..]), vec![WalkDirection::In]),
            _ => (Hop::both(&edge_labels[..]), vec![WalkDirection::Out, WalkDirection::In]),
        };
        (hop.from(&from[..]).to(&to[..]), ModelHop { edge_labels, directions, from, to })
    }

    pub(super) fn nodes(&mut self, count: usize) -> (Vec<u32>, Vec<NodeId>) {
        let nodes: Vec<u32> = (0..count).map(|_| self.random.pick(&self.nodes)).collect();
        let model = nodes.iter().map(|node| NodeId(*node as usize)).collect();
        (nodes, model)
    }

    fn outcome(&mut self) -> (bool, bool) {
        (self.random.chance(70), self.random.chance(80))
    }

    fn test(&mut self, may_nest: bool) -> (Evaluator, ModelTest) {
        let of = |(includes, continues)| Evaluation::of(includes, continues);
        match self.random.below(if may_nest { 9 } else { 8 }) {
            0 => {
                let depth = self.random.below(6);
                (Evaluator::to_depth(depth as u32), ModelTest::ToDepth(depth))
            }
            1 => {
                let depth = self.random.below(3);
                (Evaluator::from_depth(depth as u32), ModelTest::FromDepth(depth))
            }
            2 => {
                let (labels, matched, other) =
                    (self.some(&self.labels.clone(), 2), self.outcome(), self.outcome());
                let test = Evaluator::labels(&labels[..], of(matched), of(other));
                (test, ModelTest::Labels(labels, matched, other))
            }
            3 => {
                let labels = self.some(&self.edge_labels.clone(), 2);
                let (matched, other) = (self.outcome(), self.outcome());
                let test = Evaluator::last_edge(&labels[..], of(matched), of(other));
                (test, ModelTest::LastEdge(labels, matched, other))
            }
            4 => {
                let ((nodes, model), matched, other) = (self.nodes(10), self.outcome(), self.outcome());
                (Evaluator::ends_at(nodes, of(matched), of(other)), ModelTest::Ends(model, matched, other))
            }
            5 => {
                let (nodes, model) = self.nodes(10);
                let depth = 1 + self.random.below(3);
                (Evaluator::ends_at_depth(depth as u32, nodes), ModelTest::EndsAtDepth(model, depth))
            }
            6 => {
                let (nodes, model) = self.nodes(1);
                (Evaluator::contains_all(nodes), ModelTest::ContainsAll(model))
            }
            7 => {
                let (least, more) = (self.random.below(3), self.random.below(4));
                let depths = least as u32..=(least + more) as u32;
                (Evaluator::depths(depths), ModelTest::Depths(least, least + more))
            }
            _ => {
                let (tests, models) = (0..2).map(|_| self.test(false)).unzip::<_, _, Vec<_>, Vec<_>>();
                (Evaluator::any_of(tests), ModelTest::AnyOf(models))
            }
        }
    }

    fn uniqueness(&mut self) -> (Uniqueness, WalkUniqueness) {
        let (within, scope) = match self.random.below(4) {
            0 => (Within::Walk, WalkScope::Walk),
            1 => (Within::Path, WalkScope::Path),
            2 => {
                let count = self.random.below(6);
                (Within::Recent(count as u32), WalkScope::Recent(count))
            }
            _ => (Within::Depth, WalkScope::Depth),
        };
        match self.random.below(9) {
            0 => (Uniqueness::None, WalkUniqueness::None),
            1..5 => (Uniqueness::Nodes(within), WalkUniqueness::Nodes(scope)),
            _ => (Uniqueness::Edges(within), WalkUniqueness::Edges(scope)),
        }
    }

    pub(super) fn case(&mut self, (order, model_order): (Order, WalkOrder)) -> Case {
        let (uniqueness, model_uniqueness) = self.uniqueness();
        let hops: Vec<(Hop, ModelHop)> = (0..1 + self.random.below(3)).map(|_| self.hop()).collect();
        let mut tests: Vec<(Evaluator, ModelTest)> = Vec::new();
        if self.random.chance(60) {
            tests.push(self.test(true));
        }
        if self.random.chance(30) {
            tests.push(self.test(true));
        }
        // A walk that does not end and gives no results would search for a result forever.
        let is_endless = !matches!(
            model_uniqueness,
            WalkUniqueness::Nodes(WalkScope::Walk | WalkScope::Path)
                | WalkUniqueness::Edges(WalkScope::Walk | WalkScope::Path)
        );
        if is_endless || self.random.chance(30) {
            let depth = 3 + self.random.below(3);
            tests.push((Evaluator::to_depth(depth as u32), ModelTest::ToDepth(depth)));
        }
        let (skips_arriving_edge, keeps_direction) = (self.random.chance(30), self.random.chance(20));
        let mut walk = Walk::in_order(order).unique(uniqueness);
        if skips_arriving_edge {
            walk = walk.skip_arriving_edge();
        }
        if keeps_direction {
            walk = walk.keep_direction();
        }
        let walk = hops.iter().fold(walk, |walk, (hop, _)| walk.hop(hop.clone()));
        let walk = tests.iter().fold(walk, |walk, (test, _)| walk.evaluator(test.clone()));
        let model = ModelWalk {
            edge_labels: self.edge_labels.clone(),
            order: model_order,
            uniqueness: model_uniqueness,
            hops: hops.into_iter().map(|(_, hop)| hop).collect(),
            tests: tests.into_iter().map(|(_, test)| test).collect(),
            skips_arriving_edge,
            keeps_direction,
            costs_by_label: true,
        };
        Case { walk, model }
    }
}

/// A path in a form that is the same for the engine and the model: edges are given by label and direction.
pub(super) type Path = Vec<(u32, Option<(String, Direction)>)>;

pub(super) fn path_of_model(branch: &ModelBranch) -> Path {
    let step = |step: &varvite_model::ModelStep| {
        let direction = |direction| match direction {
            WalkDirection::Out => Direction::Out,
            WalkDirection::In => Direction::In,
        };
        let edge = step.edge.as_ref().map(|edge| (edge.label.clone(), direction(edge.direction)));
        (step.node.0 as u32, edge)
    };
    branch.iter().map(step).collect()
}

fn paths<G: Guide>(graph: &Graph, run: &mut Run<'_, G>, count: usize) -> Vec<Path> {
    let name = |label: EdgeLabelId| graph.edge_labels()[label.index()].name.clone();
    let (mut paths, mut steps) = (Vec::new(), Vec::new());
    while paths.len() < count
        && let Some(visit) = run.next().unwrap()
    {
        visit.path(&mut steps);
        let path = named(graph, &steps);
        assert_eq!((visit.node(), visit.depth() as usize), (path[path.len() - 1].0, path.len() - 1));
        assert_eq!(visit.parent(), path.len().checked_sub(2).map(|before| path[before].0));
        assert_eq!(visit.edge().map(|(label, direction)| (name(label), direction)), path[path.len() - 1].1);
        paths.push(path);
    }
    paths
}

/// Reads a run in batches of `batch` results. Returns the path of the last result of each full batch.
fn in_batches(graph: &Graph, run: &mut OwnedRun, starts: &[u32], batch: usize) -> Vec<Path> {
    let (mut paths, mut steps) = (Vec::new(), Vec::new());
    run.begin(starts, &Cancel::default()).unwrap();
    loop {
        let mut left = batch;
        let given = run.next_some(|_| {
            left -= 1;
            left > 0
        });
        if given.unwrap() == 0 {
            assert!(!run.path(&mut steps));
            return paths;
        }
        if left == 0 {
            assert!(run.path(&mut steps));
            paths.push(named(graph, &steps));
        }
    }
}

/// A path with names of edge labels.
fn named(graph: &Graph, steps: &[PathStep]) -> Path {
    let name = |label: EdgeLabelId| graph.edge_labels()[label.index()].name.clone();
    let step = |step: &PathStep| (step.node, step.edge.map(|(label, direction)| (name(label), direction)));
    steps.iter().map(step).collect()
}

pub(super) fn graph_of(seed: u64) -> (ModelGraph, Draft) {
    let options = RandomGraph {
        nodes: 30,
        edges: 20 + 30 * (seed as usize % 3),
        several_labels: seed % 2 == 1,
        ..RandomGraph::any(seed)
    };
    let model = options.build().in_canonical_order();
    let draft = Draft::of(&model);
    (model, draft)
}

/// Counts of the comparisons.
#[derive(Default)]
struct Compared {
    results: usize,
    whole: usize,
    deep: usize,
}

impl Compared {
    /// Compares random walks with those of the model.
    fn compare(&mut self, graph: &Graph, model: &dyn ModelEdges, maker: &mut Maker, walks: usize) {
        let mut arena = Arena::default();
        for number in 0..walks {
            let Case { walk, model: plain } = maker.case(ORDERS[number % ORDERS.len()]);
            let (starts, model_starts) = {
                let count = 1 + maker.random.below(3);
                maker.nodes(count)
            };
            let expected = plain.run(model, &model_starts, BRANCHES_MAX);
            let plan = match walk.compile(graph) {
                Ok(plan) => plan,
                Err(varvite::walk::WalkError::Contradiction { .. }) => {
                    assert!(expected.branches.is_empty(), "walk {number}: {plain:?}");
                    continue;
                }
                Err(error) => panic!("{error}"),
            };
            let mut run = plan.run_guided(&mut arena, &starts, ByLabel::of(graph)).unwrap();
            let count = if expected.is_whole { usize::MAX } else { expected.branches.len() };
            let found = paths(graph, &mut run, count);
            let expected_paths: Vec<Path> = expected.branches.iter().map(path_of_model).collect();
            assert_eq!(found, expected_paths, "walk {number} from {starts:?}: {plain:?}");
            if expected.is_whole {
                let counts = run.counts();
                drop(run);
                let mut run = plan.run_guided(&mut arena, &starts, ByLabel::of(graph)).unwrap();
                let mut steps = Vec::new();
                let mut all_at_once: Vec<Vec<u32>> = Vec::new();
                run.for_each(|visit| {
                    visit.path(&mut steps);
                    all_at_once.push(steps.iter().map(|step| step.node).collect());
                })
                .unwrap();
                let nodes = |path: &Path| path.iter().map(|(node, _)| *node).collect::<Vec<u32>>();
                assert_eq!(
                    all_at_once,
                    found.iter().map(nodes).collect::<Vec<_>>(),
                    "walk {number}: {plain:?}"
                );
                assert_eq!(run.counts(), counts, "walk {number}: {plain:?}");
                drop(run);
                // Best-first walks are left out, because an owned run has no function for the costs of edges.
                if plain.order != WalkOrder::BestFirst {
                    let mut run = OwnedRun::new(plan, 64 << 20);
                    for batch in [1, 3] {
                        let in_batches = in_batches(graph, &mut run, &starts, batch);
                        let given = found.chunks_exact(batch).map(|batch| &batch[batch.len() - 1]);
                        assert!(in_batches.iter().eq(given), "walk {number}, batches of {batch}: {plain:?}");
                        assert_eq!(run.counts(), counts, "walk {number}: {plain:?}");
                    }
                }
            }
            self.results += found.len();
            self.whole += usize::from(expected.is_whole);
            self.deep += usize::from(found.iter().any(|path| path.len() > 4));
        }
    }
}

#[test]
fn random_walks_give_what_the_model_gives_in_the_same_sequence() {
    let mut compared = Compared::default();
    for seed in 0..60 {
        let (model, draft) = graph_of(seed);
        let graph = draft.open(Profile::ALL[seed as usize % Profile::ALL.len()]);
        if graph.node_count() > 0 {
            let mut maker = Maker::of(&graph, (0..graph.node_count()).collect(), seed);
            compared.compare(&graph, &model, &mut maker, 100);
        }
    }
    let Compared { results, whole, deep } = compared;
    assert!(results > 100_000 && whole > 3000 && deep > 800, "{results} {whole} {deep}");
}

#[test]
fn walks_of_a_changed_graph_give_what_the_model_gives_in_the_same_sequence() {
    let compared = RefCell::new(Compared::default());
    for_each_history(20, |history, random| {
        for seed in 0..2 {
            let operations = history.model.random_diff_of_all_kinds(random, 30);
            history.step(&operations);
            let nodes: Vec<u32> = history.model.nodes().iter().map(|node| node.0 as u32).collect();
            if !nodes.is_empty() {
                let graph = history.open();
                let mut maker = Maker::of(&graph, nodes, seed);
                compared.borrow_mut().compare(&graph, &history.model, &mut maker, 30);
            }
        }
    });
    let Compared { results, whole, deep } = compared.into_inner();
    assert!(results > 20_000 && whole > 1000 && deep > 100, "{results} {whole} {deep}");
}
