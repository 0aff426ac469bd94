//! Compares the answers for small graphs with those of igraph and NetworkX, which `answers.py` wrote to
//! `answers.json`.

use serde_json::Value as Json;
use varvite::algorithms::{PageRank, Selection, UNREACHED};
use varvite::walk::Hop;

use super::{WEIGHT, graph_of, is_near, open};

const ANSWERS: &str = include_str!("answers.json");
/// The ranks that igraph and NetworkX compute differ by at most one part in `PARTS`.
const PARTS: f64 = 1e7;

fn number(json: &Json) -> u32 {
    json.as_u64().unwrap() as u32
}

#[test]
fn answers_are_those_of_igraph_and_networkx() {
    let cases: Vec<Json> = serde_json::from_str(ANSWERS).unwrap();
    assert_eq!(cases.len(), 6);
    for case in &cases {
        let name = &case["name"];
        let edge = |edge: &Json| (number(&edge[0]) as usize, number(&edge[1]) as usize, edge[2].as_f64());
        let edges: Vec<_> = case["edges"].as_array().unwrap().iter().map(edge).collect();
        let graph = graph_of(number(&case["nodes"]) as usize, &edges);
        let answer = |question: &str| case["answers"][question].as_array().unwrap().clone();
        let numbers = |question: &str| answer(question).iter().map(number).collect::<Vec<_>>();
        let directed = open(&graph, Selection::along(Hop::out("E")).cost(WEIGHT)).unwrap();
        let undirected = open(&graph, Selection::along(Hop::both("E"))).unwrap();

        let distances = directed.distances(&[0]).unwrap();
        let expected = answer("distances");
        let expected = expected.iter().map(|json| json.as_f64().map_or(UNREACHED, |number| number as u32));
        assert!(distances.values().iter().copied().eq(expected), "distances in {name}");
        assert_eq!(directed.components().unwrap().values(), numbers("components"), "{name}");
        assert_eq!(directed.strong_components().unwrap().values(), numbers("strong_components"), "{name}");
        let costs = directed.least_costs(&[0]).unwrap();
        let expected = answer("least_costs");
        let expected = expected.iter().map(|json| json.as_f64().unwrap_or(f64::INFINITY));
        assert!(costs.values().iter().copied().eq(expected), "costs in {name}");

        let settled = PageRank { iterations_max: 1000, tolerance: 1e-14, ..PageRank::default() };
        for (subgraph, question) in [(&directed, "page_rank"), (&undirected, "page_rank_undirected")] {
            let found = subgraph.page_rank(&settled).unwrap();
            for (rank, expected) in found.ranks.values().iter().zip(answer(question)) {
                assert!(is_near(*rank, expected.as_f64().unwrap(), PARTS), "{question} in {name}");
            }
        }
        let tree = directed.dominators(&[0]).unwrap();
        for (node, (above, is_in)) in (0..).zip(answer("dominators").iter().zip(answer("is_dominated"))) {
            assert_eq!(tree.parent(node), above.as_u64().map(|node| node as u32), "above {node} in {name}");
            assert_eq!(tree.contains(node), is_in.as_bool().unwrap(), "{node} in {name}");
        }
        if case["asked"].as_array().unwrap().len() > 1 {
            let found = undirected.clustering().unwrap();
            for (coefficient, expected) in found.values().iter().zip(answer("clustering")) {
                assert!(is_near(*coefficient, expected.as_f64().unwrap(), 1e12), "clustering in {name}");
            }
        }
    }
}
