//! Whole graphs: reading all of any file returns a result or an error.

use varvite::compare::Digest;
use varvite::inspect::Info;
use varvite::walk::{
    Arena, Evaluator, Hop, Order, PathEdges, PathOptions, ShortestPaths, Uniqueness, Walk, Within,
};
use varvite::{Graph, OpenOptions, Task};
use varvite_cpg::Facts;

use crate::vfs::MemoryVfs;

const PATH: &str = "fuzz.varvite";

/// Opens the file as a graph, verifies it, and computes its facts, its digest and some paths.
pub fn read_graph(bytes: &[u8]) {
    let vfs = MemoryVfs::new();
    vfs.put(PATH, bytes);
    let Ok(graph) = OpenOptions::new().open_in(&vfs, PATH) else { return };
    let _ = Info::of(&graph).to_json();
    let is_sound = graph.verify(&Task::new().threads(1)).is_ok_and(|report| report.problems.is_empty());
    let (facts, digest) = (Facts::of(&graph, &Task::new()), Digest::of(&graph, &Task::new().threads(1)));
    follow_paths(&graph);
    walk(&graph);
    if is_sound {
        assert!(facts.is_ok() && digest.is_ok() && graph.check().is_ok(), "what verify lets pass is read");
    }
}

/// Searches paths between the first and the last node of the graph, and follows some.
fn follow_paths(graph: &Graph) {
    let hops = graph.edge_labels().iter().map(|label| Hop::out(label.name.as_str()));
    let hops = hops.filter(|hop| PathEdges::compile(graph, [hop.clone()]).is_ok());
    let Ok(edges) = PathEdges::compile(graph, hops) else { return };
    let last = graph.node_count().saturating_sub(1);
    for (source, target) in [(0, last), (last, 0), (last / 2, last / 3)] {
        let found = ShortestPaths::find(&edges, &[source], &[target], &PathOptions::default());
        let Ok(paths) = found else { continue };
        assert!(paths.take(100).flatten().all(|path| path[path.len() - 1].node == target));
    }
}

/// Walks along all edges in every order, with evaluators that distinguish nodes and edges.
fn walk(graph: &Graph) {
    let (nodes, mut arena) = (graph.node_count(), Arena::new(1 << 20));
    let orders = [Order::DepthFirst, Order::DepthFirstPost, Order::BreadthFirst, Order::BestFirst];
    for (order, within) in
        orders.into_iter().zip([Within::Walk, Within::Path, Within::Depth, Within::Recent(3)])
    {
        for uniqueness in [Uniqueness::Nodes(within), Uniqueness::Edges(within)] {
            let walk = Walk::in_order(order).unique(uniqueness).evaluator(Evaluator::to_depth(9)).limit(300);
            let Ok(plan) = walk.hop(Hop::both([] as [&str; 0])).compile(graph) else { continue };
            let Ok(mut run) = plan.run(&mut arena, &[nodes / 2]) else { continue };
            let _ = run.for_each(|visit| assert!(visit.node() < nodes && visit.depth() < 10));
        }
    }
}
