//! Writes random walks that Neo4j's traversal framework can run too, with the answers of the engine and the
//! model. The environment variable `VARVITE_NEO4J` sets the folder of the files, and `VARVITE_NEO4J_GRAPHS`
//! the number of graphs. `bench/peers/walks` reads the files.
//!
//! In a file, fields are separated by tabs, and names and numbers in lists by commas. `-` stands for an empty
//! list:
//!
//! ```text
//! edge_labels  NAMES                          those of the graph, in its order
//! node         LABELS                         in the order of ids
//! edge         LABEL SOURCE TARGET            numbered from 0
//! list         NODE LABEL out|in EDGES        in the order of the graph
//! walk         ORDER UNIQUENESS HOPS TESTS STARTS all|some RESULTS
//! ```
//!
//! Hops are separated by `;`. A hop consists of edge labels, a direction, the labels of nodes from which it
//! leads, and the labels of nodes to which it leads, separated by `/`. Tests are separated by `;`, and the
//! tests inside an `any_of` by `|`. Results are separated by `;`. A result is a path: its first node, and
//! then, each after a space, the other nodes, each with the edge that leads to it, written as `>` or `<` and
//! the edge's label. For an edge from a node to itself, `=` is written instead, because Neo4j does not report
//! the direction of such edges.

use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

use varvite::walk::{Arena, PathStep, WalkError};
use varvite::{Adjacency, Direction, EdgeLabelId, Graph, Profile};
use varvite_model::{
    ModelHop, ModelTest, ModelWalk, NodeId, WalkDirection, WalkOrder, WalkScope, WalkUniqueness,
};

use super::random::{Case, Maker, ORDERS, Path as Branch, graph_of, path_of_model};

const WALKS: usize = 80;
/// The maximum number of branches of a walk. If a walk has more, only its first results are written.
const BRANCHES_MAX: usize = 400;
/// The number of orders that both engines have: depth-first and breadth-first, each in pre-order and in
/// post-order.
const ORDERS_OF_BOTH: usize = 4;

fn names<T: ToString>(items: &[T]) -> String {
    match items {
        [] => "-".to_owned(),
        items => items.iter().map(T::to_string).collect::<Vec<_>>().join(","),
    }
}

fn numbers(nodes: &[NodeId]) -> String {
    names(&nodes.iter().map(|node| node.0).collect::<Vec<_>>())
}

/// The lines of a graph: nodes, edges, and the lists of every node.
fn graph_lines(graph: &Graph) -> String {
    let edge_labels: Vec<&String> = graph.edge_labels().iter().map(|label| &label.name).collect();
    let mut lines = format!("edge_labels\t{}\n", names(&edge_labels));
    let labels = graph.label_sets().unwrap();
    for node in 0..graph.node_count() {
        let of_node: Vec<&String> =
            labels.of(node).map(|label| &graph.labels()[label.index()].name).collect();
        writeln!(lines, "node\t{}", names(&of_node)).unwrap();
    }
    let mut first = 0;
    for id in graph.edge_label_ids() {
        let sides = Direction::BOTH.map(|direction| graph.adjacency(id, direction).unwrap());
        first = label_lines(&mut lines, graph, id, &sides, first);
    }
    lines
}

/// Appends the lines of the edges of a label. The edges are numbered from a given number on. Returns the next
/// free number.
fn label_lines(
    lines: &mut String,
    graph: &Graph,
    label: EdgeLabelId,
    [out, in_]: &[Adjacency; 2],
    first: usize,
) -> usize {
    let name = &graph.edge_labels()[label.index()].name;
    let mut edges: Vec<(u32, u32)> = Vec::new();
    let mut lists = String::new();
    for node in 0..graph.node_count() {
        let begin = first + edges.len();
        edges.extend(out.neighbors(node).map(|target| (node, target)));
        let of_node: Vec<usize> = (begin..first + edges.len()).collect();
        writeln!(lists, "list\t{node}\t{name}\tout\t{}", names(&of_node)).unwrap();
    }
    for node in 0..graph.node_count() {
        // The k-th of several parallel edges in the out-list is also the k-th of them in the in-list.
        let mut taken = Vec::new();
        for source in in_.neighbors(node) {
            let mut same = (0..edges.len()).filter(|at| edges[*at] == (source, node));
            taken.push(same.find(|at| !taken.contains(at)).unwrap());
        }
        taken.iter_mut().for_each(|at| *at += first);
        writeln!(lists, "list\t{node}\t{name}\tin\t{}", names(&taken)).unwrap();
    }
    for (source, target) in &edges {
        writeln!(lines, "edge\t{name}\t{source}\t{target}").unwrap();
    }
    lines.push_str(&lists);
    first + edges.len()
}

fn uniqueness(uniqueness: &WalkUniqueness) -> String {
    let (of, scope) = match uniqueness {
        WalkUniqueness::None => return "none".to_owned(),
        WalkUniqueness::Nodes(scope) => ("node", scope),
        WalkUniqueness::Edges(scope) => ("edge", scope),
    };
    match scope {
        WalkScope::Walk => format!("{of} walk"),
        WalkScope::Path => format!("{of} path"),
        WalkScope::Recent(count) => format!("{of} recent {count}"),
        WalkScope::Depth => format!("{of} depth"),
    }
}

fn hop(hop: &ModelHop) -> String {
    let direction = match hop.directions[..] {
        [WalkDirection::Out] => "out",
        [WalkDirection::In] => "in",
        _ => "both",
    };
    format!("{}/{direction}/{}/{}", names(&hop.edge_labels), names(&hop.from), names(&hop.to))
}

/// The two evaluations of a test, each as two bits: include, continue.
fn bits((matched, other): (&(bool, bool), &(bool, bool))) -> String {
    let of =
        |(includes, continues): &(bool, bool)| format!("{}{}", u8::from(*includes), u8::from(*continues));
    format!("{} {}", of(matched), of(other))
}

fn test(test: &ModelTest) -> String {
    match test {
        ModelTest::ToDepth(depth) => format!("to_depth {depth}"),
        ModelTest::FromDepth(depth) => format!("from_depth {depth}"),
        ModelTest::AtDepth(depth) => format!("depths {depth} {depth}"),
        ModelTest::Depths(least, most) => format!("depths {least} {most}"),
        ModelTest::Labels(labels, matched, other) => {
            format!("labels {} {}", names(labels), bits((matched, other)))
        }
        ModelTest::LastEdge(labels, matched, other) => {
            format!("last_edge {} {}", names(labels), bits((matched, other)))
        }
        ModelTest::Ends(nodes, matched, other) => {
            format!("ends {} {}", numbers(nodes), bits((matched, other)))
        }
        ModelTest::EndsAtDepth(nodes, depth) => format!("ends_at_depth {} {depth}", numbers(nodes)),
        ModelTest::ContainsAll(nodes) => format!("contains_all {}", numbers(nodes)),
        ModelTest::AnyOf(tests) => {
            format!("any_of {}", tests.iter().map(self::test).collect::<Vec<_>>().join("|"))
        }
    }
}

fn shown(path: &Branch) -> String {
    let mut shown = path[0].0.to_string();
    for steps in path.windows(2) {
        let (node, edge) = &steps[1];
        let (label, direction) = edge.as_ref().unwrap();
        let sign = match direction {
            _ if steps[0].0 == *node => '=',
            Direction::Out => '>',
            Direction::In => '<',
        };
        write!(shown, " {node}{sign}{label}").unwrap();
    }
    shown
}

fn joined(parts: impl Iterator<Item = String>) -> String {
    let joined = parts.collect::<Vec<_>>().join(";");
    if joined.is_empty() { "-".to_owned() } else { joined }
}

/// The line of a walk with the model's results. Checks that the engine gives the same results. `None` if
/// evaluators contradict each other.
fn walk_line(
    graph: &Graph,
    Case { walk, model: plain }: &Case,
    starts: &[u32],
    branches: &[Branch],
    is_whole: bool,
) -> Option<String> {
    let plan = match walk.compile(graph) {
        Err(WalkError::Contradiction { .. }) => return None,
        plan => plan.unwrap(),
    };
    let (mut arena, mut steps): (Arena, Vec<PathStep>) = (Arena::default(), Vec::new());
    let mut run = plan.run(&mut arena, starts).unwrap();
    for branch in branches {
        run.next().unwrap().unwrap().path(&mut steps);
        assert!(steps.iter().map(|step| step.node).eq(branch.iter().map(|(node, _)| *node)), "{plain:?}");
    }
    assert!(!is_whole || run.next().unwrap().is_none());
    let ModelWalk { order, hops, tests, .. } = plain;
    Some(format!(
        "walk\t{order:?}\t{}\t{}\t{}\t{}\t{}\t{}\n",
        uniqueness(&plain.uniqueness),
        joined(hops.iter().map(hop)),
        joined(tests.iter().map(test)),
        names(starts),
        if is_whole { "all" } else { "some" },
        joined(branches.iter().map(shown)),
    ))
}

/// Whether Neo4j has the same semantics for this walk. The semantics differ in three cases. For uniqueness
/// among recent nodes or edges, Neo4j uses a cache that keeps those that are used often. If a node is given
/// twice as a start, Neo4j walks from it only once. In breadth-first post-order, it forgets all starts except
/// the first.
fn is_alike(walk: &ModelWalk, starts: &[u32]) -> bool {
    let is_recent = matches!(
        walk.uniqueness,
        WalkUniqueness::Nodes(WalkScope::Recent(_)) | WalkUniqueness::Edges(WalkScope::Recent(_))
    );
    let are_distinct = (1..starts.len()).all(|at| !starts[..at].contains(&starts[at]));
    let forgets = walk.order == WalkOrder::BreadthFirstPost && starts.len() > 1;
    !is_recent && are_distinct && !forgets
}

/// Writes a graph and walks on it. Returns the number of results.
fn write(folder: &Path, seed: u64) -> usize {
    let (model, draft) = graph_of(seed);
    if draft.nodes == 0 {
        return 0;
    }
    let graph = draft.open(Profile::ALL[seed as usize % Profile::ALL.len()]);
    let labels = graph.labels().iter().map(|label| &label.name);
    let mut all_names = labels.chain(graph.edge_labels().iter().map(|label| &label.name));
    assert!(all_names.all(|name| !name.contains(['\t', ' ', ',', ';', '/', '|', '<', '>', '='])));
    let mut maker = Maker::of(&graph, (0..graph.node_count()).collect(), seed);
    let (mut lines, mut results) = (graph_lines(&graph), 0);
    for number in 0..WALKS {
        let Case { walk, model: mut plain } = maker.case(ORDERS[number % ORDERS_OF_BOTH]);
        let starts = 1 + maker.random.below(3);
        let (starts, model_starts) = maker.nodes(starts);
        if plain.keeps_direction || !is_alike(&plain, &starts) {
            continue;
        }
        // Neo4j always skips the arriving edge.
        plain.skips_arriving_edge = true;
        let case = Case { walk: walk.skip_arriving_edge(), model: plain };
        let expected = case.model.run(&model, &model_starts, BRANCHES_MAX);
        let branches: Vec<Branch> = expected.branches.iter().map(path_of_model).collect();
        if let Some(line) = walk_line(&graph, &case, &starts, &branches, expected.is_whole) {
            lines += &line;
            results += branches.len();
        }
    }
    fs::write(folder.join(format!("random-{seed}.walks")), lines).unwrap();
    results
}

#[test]
fn walks_are_written_for_neo4j() {
    let asked = std::env::var_os("VARVITE_NEO4J").map(PathBuf::from);
    let temporary = tempfile::tempdir().unwrap();
    let folder = asked.as_deref().unwrap_or(temporary.path());
    fs::create_dir_all(folder).unwrap();
    let graphs = std::env::var("VARVITE_NEO4J_GRAPHS").map_or(4, |graphs| graphs.parse().unwrap());
    let results: usize = (0..graphs).map(|seed| write(folder, seed)).sum();
    assert!(results > 200 * graphs as usize, "{results}");
}
