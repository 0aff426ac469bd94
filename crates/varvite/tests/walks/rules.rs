//! Tests what walks promise apart from the order of their results: laziness, limits, errors, states, and
//! steps that the caller makes.

use std::time::Duration;

use varvite::Cancel;
use varvite::pipeline::ALL;
use varvite::walk::{
    Arena, Evaluation, Evaluator, Guide, Hop, Order, Plan, Steps, Uniqueness, Visit, Walk, WalkError, Within,
};
use varvite::{ErrorCode, Graph, GraphError, Profile, Task};
use varvite_model::{ModelGraph, NodeId, Value};
use varvite_testing::draft::Draft;

/// A graph of nodes `N` and edges `E`.
fn graph_of(nodes: usize, edges: &[(usize, usize)]) -> Graph {
    let mut model = ModelGraph::default();
    (0..nodes).for_each(|_| _ = model.add_node(&["N"]));
    for (source, target) in edges {
        model.add_edge(NodeId(*source), "E", NodeId(*target), None);
    }
    Draft::with_properties(&model, &[]).open(Profile::Direct)
}

fn nodes(plan: &Plan, starts: &[u32]) -> Vec<u32> {
    let (mut arena, mut nodes) = (Arena::default(), Vec::new());
    plan.run(&mut arena, starts).unwrap().for_each(|visit| nodes.push(visit.node())).unwrap();
    nodes
}

fn compiled(graph: &Graph, walk: Walk) -> Plan {
    walk.hop(Hop::out("E")).compile(graph).unwrap()
}

/// A graph with edges from 0 to 1 and 2, from 1 to 3, from 2 to 3 and 4, and from 3 to 0.
fn diamond() -> Graph {
    graph_of(5, &[(0, 1), (0, 2), (1, 3), (2, 3), (2, 4), (3, 0)])
}

#[test]
fn orders_are_those_of_the_books() {
    let graph = diamond();
    let order = |order| nodes(&compiled(&graph, Walk::in_order(order)), &[0]);
    assert_eq!(order(Order::DepthFirst), [0, 1, 3, 2, 4]);
    assert_eq!(order(Order::DepthFirstPost), [3, 1, 4, 2, 0]);
    assert_eq!(order(Order::BreadthFirst), [0, 1, 2, 3, 4]);
    assert_eq!(order(Order::BreadthFirstPost), [3, 4, 1, 2, 0]);
    assert_eq!(order(Order::BestFirst), [0, 1, 2, 3, 4]);
}

#[test]
fn a_walk_that_stops_early_has_looked_at_little() {
    let edges: Vec<(usize, usize)> = (1..5000).map(|target| (0, target)).collect();
    let graph = graph_of(5000, &edges);
    for order in [Order::DepthFirst, Order::BreadthFirst] {
        let (plan, mut arena) = (compiled(&graph, Walk::in_order(order)), Arena::default());
        let mut run = plan.run(&mut arena, &[0]).unwrap();
        assert_eq!(run.next().unwrap().map(|visit| visit.node()), Some(0));
        assert_eq!((run.counts().expansions, run.counts().edges), (0, 0), "{order:?}");
        assert_eq!(run.next().unwrap().map(|visit| visit.node()), Some(1));
        assert_eq!((run.counts().expansions, run.counts().edges), (1, 1), "{order:?}");
        drop(run);
        assert!(arena.budget().most() < 16 << 10, "{order:?}: {}", arena.budget().most());
    }
}

#[test]
fn long_lists_are_read_in_pieces_and_come_in_their_order() {
    // There are two hubs, which share half of their neighbours. Every third neighbour has an edge back to the
    // first hub.
    let mut edges: Vec<(usize, usize)> = (2..3002).rev().map(|target| (0, target)).collect();
    edges.extend((1502..4502).map(|target| (1, target)));
    edges.extend((2..4502).step_by(3).map(|source| (source, 0)));
    let graph = graph_of(4502, &edges);
    let expected: Vec<u32> = [0, 1].into_iter().chain((2..3002).rev()).chain(3002..4502).collect();
    assert_eq!(nodes(&compiled(&graph, Walk::breadth_first()), &[0, 1]), expected);
    assert_eq!(nodes(&compiled(&graph, Walk::best_first()), &[0, 1]), expected);
    let expected: Vec<u32> = [0].into_iter().chain((2..3002).rev()).chain([1]).chain(3002..4502).collect();
    assert_eq!(nodes(&compiled(&graph, Walk::depth_first()), &[0, 1]), expected);
    // A walk that identifies edges reads a whole list at once, and pairs in-lists with out-lists.
    let walk = || Walk::depth_first().unique(Uniqueness::Edges(Within::Walk));
    let mut found = nodes(&walk().hop(Hop::both("E")).compile(&graph).unwrap(), &[0]);
    assert_eq!(found.len(), edges.len() + 1, "each edge once, from either end");
    found.truncate(3);
    assert_eq!(found, [0, 3001, 1]);
}

#[test]
fn a_limit_ends_a_walk_without_an_error() {
    let graph = diamond();
    assert_eq!(nodes(&compiled(&graph, Walk::breadth_first().limit(3)), &[0]), [0, 1, 2]);
    assert_eq!(nodes(&compiled(&graph, Walk::breadth_first().limit(0)), &[0]), [0; 0]);
}

#[test]
fn starts_count_as_visited_before_the_first_step() {
    let graph = diamond();
    assert_eq!(nodes(&compiled(&graph, Walk::depth_first()), &[0, 2, 0]), [0, 1, 3, 2, 4]);
    let paths = Walk::depth_first().unique(Uniqueness::Nodes(Within::Path)).evaluator(Evaluator::to_depth(1));
    assert_eq!(nodes(&compiled(&graph, paths), &[2, 2]), [2, 3, 4, 2, 3, 4]);
}

#[test]
fn an_arriving_edge_is_skipped_from_its_other_end_and_so_is_one_to_itself() {
    let graph = graph_of(3, &[(0, 1), (0, 1), (1, 2), (2, 2)]);
    let walk = |skips: bool| {
        let walk = Walk::depth_first().unique(Uniqueness::None).evaluator(Evaluator::to_depth(2));
        let walk = if skips { walk.skip_arriving_edge() } else { walk };
        nodes(&walk.hop(Hop::both("E")).compile(&graph).unwrap(), &[2])
    };
    // From node 2, the walk follows the edge to node 2 itself once, and the other edge to node 1.
    assert_eq!(walk(false), [2, 2, 2, 1, 1, 2, 0, 0]);
    assert_eq!(walk(true), [2, 2, 1, 1, 0, 0]);
}

#[test]
fn a_state_flows_along_each_branch() {
    /// A guide (the callbacks of a walk) whose state is the sum of the ids of the nodes on the branch. The
    /// walk continues up to a limit of this sum.
    struct Sum(u32);
    impl Guide for Sum {
        type State = u32;
        fn state(&mut self, visit: &Visit<'_>, before: &u32) -> u32 {
            before + visit.node()
        }
        fn evaluate(&mut self, _: &Visit<'_>, state: &u32) -> Evaluation {
            Evaluation::of(true, *state < self.0)
        }
    }
    let graph = diamond();
    for (order, expected) in [
        (Order::DepthFirst, [0, 1, 3, 0, 2, 2, 3, 4]),
        (Order::BreadthFirst, [0, 1, 2, 3, 3, 4, 0, 2]),
        (Order::BestFirst, [0, 1, 2, 3, 3, 4, 0, 2]),
    ] {
        let plan = compiled(&graph, Walk::in_order(order).unique(Uniqueness::Edges(Within::Path)));
        let (mut arena, mut found) = (Arena::new(1 << 20), Vec::new());
        let mut run = plan.run_guided(&mut arena, &[0], Sum(5)).unwrap();
        run.for_each(|visit| found.push(visit.node())).unwrap();
        assert_eq!(found, expected, "{order:?}");
    }
}

#[test]
fn a_function_of_the_caller_makes_the_steps() {
    /// A guide that follows the edges of nodes with even ids, and goes from a node with an odd id to the node
    /// with the next lower id.
    struct Stairs;
    impl Guide for Stairs {
        type State = ();
        const EXPANDS: bool = true;
        fn expand(&mut self, visit: &Visit<'_>, (): &(), steps: &mut Steps<'_>) -> Result<(), WalkError> {
            steps.go_to(u32::MAX)?;
            match visit.node() % 2 {
                0 => steps.follow(),
                _ => steps.go_to(visit.node() - 1),
            }
        }
    }
    let graph = diamond();
    let plan = compiled(&graph, Walk::breadth_first());
    let (mut arena, mut found) = (Arena::default(), Vec::new());
    let mut run = plan.run_guided(&mut arena, &[3], Stairs).unwrap();
    run.for_each(|visit| found.push((visit.node(), visit.edge().is_some()))).unwrap();
    assert_eq!(found, [(3, false), (2, false), (4, true)]);
}

#[test]
fn what_costs_least_comes_first() {
    let mut model = ModelGraph::default();
    (0..4).for_each(|_| _ = model.add_node(&["N"]));
    for (source, target, cost) in [(0, 1, Some("7")), (0, 2, Some("1")), (2, 1, Some("2")), (1, 3, None)] {
        model.add_edge(NodeId(source), "REACHING_DEF", NodeId(target), cost.map(Value::string));
    }
    let graph = Draft::with_properties(&model, &[]).open(Profile::Direct);
    /// A guide whose costs depend on the source and the target of an edge.
    struct Costs(f64);
    impl Guide for Costs {
        type State = ();
        fn cost(&mut self, from: &Visit<'_>, step: varvite::walk::PathStep, _: f64) -> f64 {
            match (from.node(), step.node) {
                (0, 1) => 7.0,
                (0, 2) => 1.0,
                (2, 1) => 2.0,
                _ => self.0,
            }
        }
    }
    let plan = Walk::best_first().hop(Hop::out(ALL)).compile(&graph).unwrap();
    let (mut arena, mut found) = (Arena::default(), Vec::new());
    let mut run = plan.run_guided(&mut arena, &[0], Costs(0.5)).unwrap();
    run.for_each(|visit| found.push((visit.node(), visit.cost(), visit.depth()))).unwrap();
    assert_eq!(found, [(0, 0.0, 0), (2, 1.0, 1), (1, 3.0, 2), (3, 3.5, 3)]);
    for cost in [-1.0, f64::NAN] {
        let error = plan.run_guided(&mut arena, &[0], Costs(cost)).unwrap().count().unwrap_err();
        assert!(matches!(error, WalkError::NegativeCost { node: 1, .. }), "{error}");
    }
}

#[test]
fn mistakes_are_told_before_a_walk_begins() {
    let graph = diamond();
    let error = |walk: Walk| walk.compile(&graph).unwrap_err();
    let unknown = error(Walk::depth_first().hop(Hop::out("EE")));
    assert!(unknown.to_string().contains("the nearest is \"E\""), "{unknown}");
    assert_eq!(error(Walk::depth_first().hop(Hop::out("E").to("M"))).code(), ErrorCode::Unknown);
    let walk = Walk::depth_first().hop(Hop::out("E")).evaluator(Evaluator::from_depth(3));
    let contradiction = error(walk.evaluator(Evaluator::to_depth(2)));
    assert!(matches!(contradiction, WalkError::Contradiction { least: 3, most: 2 }), "{contradiction}");
    let error = error(Walk::depth_first().hop(Hop::out("E")).evaluator(Evaluator::include_ends([5])));
    assert!(matches!(error, WalkError::Graph(GraphError::NoSuchNode { node: 5, nodes: 5 })), "{error}");
    let (plan, mut arena) = (compiled(&graph, Walk::depth_first()), Arena::default());
    let error = plan.run(&mut arena, &[1, 7]).unwrap_err();
    assert!(matches!(error, WalkError::Graph(GraphError::NoSuchNode { node: 7, nodes: 5 })), "{error}");
    let plan = Walk::depth_first().compile(&graph).unwrap();
    assert!(matches!(plan.run(&mut arena, &[0]), Err(WalkError::NoHop)));
}

#[test]
fn a_walk_without_an_end_is_ended_by_time_or_by_a_flag() {
    let graph = diamond();
    for order in [Order::DepthFirst, Order::DepthFirstPost, Order::BreadthFirst, Order::BestFirst] {
        let endless =
            || Walk::in_order(order).unique(Uniqueness::None).evaluator(Evaluator::include_labels("NOBODY"));
        let mut arena = Arena::new(64 << 20);
        let plan = compiled(&graph, endless().time_limit(Duration::from_millis(20)));
        let begin = std::time::Instant::now();
        let error = plan.run(&mut arena, &[0]).unwrap().next().map(drop).unwrap_err();
        let is_full = matches!(error, WalkError::OverBudget { .. });
        assert!(is_full || matches!(error, WalkError::TimedOut { .. }), "{order:?}: {error}");
        assert!(begin.elapsed() < Duration::from_secs(2));
        let (plan, cancel) = (compiled(&graph, endless()), Cancel::default());
        cancel.cancel();
        let mut run = plan.run(&mut arena, &[0]).unwrap().task(&Task::new().cancel(&cancel));
        assert!(matches!(run.next().map(drop), Err(WalkError::Cancelled)), "{order:?}");
        let mut run = plan.run(&mut arena, &[0]).unwrap().task(&Task::new().time_max(Duration::ZERO));
        assert!(matches!(run.next().map(drop), Err(WalkError::Cancelled)), "{order:?}");
        let mut run = plan.run(&mut arena, &[0]).unwrap().task(&Task::new().cancel(&cancel));
        assert!(matches!(run.next().map(drop), Err(WalkError::Cancelled)), "{order:?}");
        assert!(run.next().unwrap().is_none());
        let mut run = plan.run(&mut arena, &[0]).unwrap().task(&Task::new().cancel(&cancel)).allow_part();
        assert!(run.next().unwrap().is_none());
        assert!(matches!(run.stopped_by(), Some(WalkError::Cancelled)));
        assert!(run.counts().branches < 10_000, "{order:?}");
    }
}

#[test]
fn a_reversed_walk_goes_the_same_edges_back() {
    let graph = diamond();
    let walk = Walk::breadth_first().hop(Hop::out("E")).reversed();
    assert_eq!(nodes(&walk.compile(&graph).unwrap(), &[4]), [4, 2, 0, 3, 1]);
}
