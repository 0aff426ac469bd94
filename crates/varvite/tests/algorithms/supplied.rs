//! Tests algorithms on random edges that the caller supplies, against the definitions of their results and
//! the model's answers.

use std::collections::BTreeSet;

use varvite::algorithms::{AlgorithmError, AlgorithmOptions, NodeLists, Subgraph, UNREACHED};
use varvite::walk::Hop;
use varvite::{Cancel, Task};
use varvite_model::{ModelLists, SplitMix64};

use super::{Selection, open, plain_graph};

fn node_lists(lists: &[Vec<usize>]) -> NodeLists {
    let mut found = NodeLists::default();
    for list in lists {
        list.iter().for_each(|node| found.push(*node as u32));
        found.end_list().unwrap();
    }
    found
}

fn subgraph(lists: &ModelLists) -> Subgraph {
    let (out, in_) = (node_lists(&lists.out), node_lists(&lists.reversed().out));
    Subgraph::of_lists(lists.out.len() as u32, out, Some(in_), &AlgorithmOptions::default()).unwrap()
}

/// Random lists, with loops, parallel edges and nodes without edges.
fn random_lists(random: &mut SplitMix64) -> ModelLists {
    let nodes = 1 + random.below(12);
    let mut out = vec![Vec::new(); nodes];
    (0..random.below(3 * nodes)).for_each(|_| out[random.below(nodes)].push(random.below(nodes)));
    ModelLists { out }
}

fn for_random_lists(check: impl Fn(&ModelLists, &Subgraph, usize)) {
    let mut random = SplitMix64::new(44);
    for _ in 0..400 {
        let lists = random_lists(&mut random);
        let start = random.below(lists.out.len());
        check(&lists, &subgraph(&lists), start);
    }
}

#[test]
fn algorithms_answer_for_supplied_edges_as_for_those_of_a_graph() {
    for_random_lists(|lists, subgraph, start| {
        let start = start as u32;
        let edges: Vec<_> = lists.edges();
        if edges.is_empty() {
            return; // A graph without edges has no label E to select.
        }
        let graph = plain_graph(lists.out.len(), &edges);
        let other = open(&graph, Selection::along(Hop::out("E"))).unwrap();
        assert_eq!(subgraph.components().unwrap().values(), other.components().unwrap().values());
        assert_eq!(
            subgraph.least_costs(&[start]).unwrap().values(),
            other.least_costs(&[start]).unwrap().values()
        );
        let back = other.reversed().distances(&[start]).unwrap();
        assert_eq!(subgraph.reversed().distances(&[start]).unwrap().values(), back.values());
        assert_eq!(subgraph.edge_count().unwrap(), edges.len());
    });
}

#[test]
fn a_search_finds_nodes_level_by_level_in_the_order_of_lists() {
    for_random_lists(|lists, subgraph, start| {
        let found = subgraph.breadth_first(&[start as u32], None).unwrap();
        let distances = lists.distances(&[start]);
        for (distance, level) in found.levels().iter().enumerate() {
            assert!(level.iter().all(|node| distances[*node as usize] == Some(distance)));
        }
        assert_eq!(found.nodes().len(), distances.iter().flatten().count());
        let mut before = None;
        for (place, node) in found.nodes().iter().enumerate().skip(1) {
            let parent = found.parent(place).unwrap();
            let rank =
                lists.out[found.nodes()[parent] as usize].iter().position(|next| *next == *node as usize);
            assert!(before < Some((parent, rank.unwrap())));
            before = Some((parent, rank.unwrap()));
        }
        let near = subgraph.breadth_first(&[start as u32], Some(1)).unwrap();
        assert_eq!(near.levels().len(), found.levels().len().min(2));
    });
}

#[test]
fn a_shortest_path_has_the_least_number_of_edges() {
    for_random_lists(|lists, subgraph, start| {
        for (end, distance) in lists.distances(&[start]).into_iter().enumerate() {
            let path = subgraph.shortest_path(start as u32, end as u32).unwrap();
            assert_eq!(path.as_ref().map(|path| path.len() - 1), distance);
            let Some(path) = path else { continue };
            assert!(path.windows(2).all(|pair| lists.out[pair[0] as usize].contains(&(pair[1] as usize))));
            assert_eq!((path[0], path[path.len() - 1]), (start as u32, end as u32));
        }
    });
}

#[test]
fn groups_are_the_components() {
    for_random_lists(|lists, subgraph, _| {
        let components = subgraph.component_groups().unwrap();
        for (weak, groups) in [(true, components), (false, subgraph.strong_component_groups().unwrap())] {
            let of_node = if weak { lists.components() } else { lists.strong_components() };
            let mut group_of = vec![usize::MAX; lists.out.len()];
            for (number, group) in groups.iter().enumerate() {
                let first = of_node[group[0] as usize];
                assert_eq!(group.len(), of_node.iter().filter(|component| **component == first).count());
                for node in group {
                    assert_eq!(of_node[*node as usize], first);
                    group_of[*node as usize] = number;
                }
            }
            let goes_back = |(source, target): (usize, usize)| group_of[target] <= group_of[source];
            assert!(lists.edges().into_iter().all(goes_back));
        }
    });
}

#[test]
fn no_edge_leads_to_an_earlier_generation() {
    for_random_lists(|lists, subgraph, _| {
        let generations = subgraph.generations().unwrap();
        let mut generation_of = vec![usize::MAX; lists.out.len()];
        for (number, nodes) in generations.groups().iter().enumerate() {
            nodes.iter().for_each(|node| generation_of[*node as usize] = number);
        }
        for (node, generation) in
            generation_of.iter().enumerate().filter(|(_, number)| **number != usize::MAX)
        {
            let before = lists.reversed().out[node].iter().map(|source| generation_of[*source] + 1).max();
            assert_eq!(*generation, before.unwrap_or(0));
        }
        let components: BTreeSet<usize> = lists.strong_components().into_iter().collect();
        let has_loop = lists.edges().into_iter().any(|(source, target)| source == target);
        assert_eq!(generations.is_complete(), components.len() == lists.out.len() && !has_loop);
    });
}

#[test]
fn frontiers_begin_where_dominance_ends() {
    for_random_lists(|lists, subgraph, start| {
        let tree = subgraph.dominators(&[start as u32]).unwrap();
        let frontiers = subgraph.frontiers(&tree).unwrap();
        let dominators = lists.dominators(&[start]);
        let dominates = |one: usize, other: usize| {
            one == other || dominators[other].as_ref().is_some_and(|of_other| of_other.contains(&one))
        };
        for (node, frontier) in tree.nodes().zip(frontiers.iter()) {
            let node = node as usize;
            let is_reached = |edge: &(usize, usize)| dominators[edge.0].is_some();
            let leaves = |edge: &(usize, usize)| {
                dominates(node, edge.0) && (node == edge.1 || !dominates(node, edge.1))
            };
            let ends = lists.edges().into_iter().filter(is_reached).filter(leaves).map(|(_, target)| target);
            let found: Vec<usize> = frontier.iter().map(|node| *node as usize).collect();
            assert_eq!(found.iter().copied().collect::<BTreeSet<_>>(), ends.collect());
            assert_eq!(found.len(), found.iter().collect::<BTreeSet<_>>().len());
        }
    });
}

#[test]
fn the_nodes_of_a_core_keep_so_many_edges_in_it() {
    for_random_lists(|lists, subgraph, _| {
        let cores = subgraph.core_numbers().unwrap();
        let both = lists.both_ways();
        let kept = |number: u32, least: u32| {
            let mut nodes: BTreeSet<usize> = (0..both.out.len()).collect();
            loop {
                let degree =
                    |node: &usize| both.out[*node].iter().filter(|next| nodes.contains(next)).count();
                let next: BTreeSet<usize> =
                    nodes.iter().copied().filter(|node| degree(node) as u32 >= number.max(least)).collect();
                if next == nodes {
                    return nodes;
                }
                nodes = next;
            }
        };
        for (node, number) in
            cores.iter().filter(|(node, _)| !lists.out[*node as usize].contains(&(*node as usize)))
        {
            let has_loop = lists.edges().into_iter().any(|(source, target)| source == target);
            assert!(has_loop || kept(number, 0).contains(&(node as usize)));
            assert!(has_loop || !kept(number, number + 1).contains(&(node as usize)));
        }
    });
}

#[test]
fn only_the_first_of_parallel_edges_counts_if_edges_are_distinct() {
    let graph = plain_graph(3, &[(0, 2), (0, 1), (0, 2), (1, 1), (1, 1), (2, 0)]);
    let distinct = |hop: Hop| open(&graph, Selection::along(hop).distinct()).unwrap();
    let targets = |subgraph: &Subgraph, node| subgraph.targets(node).unwrap().collect::<Vec<_>>();
    let out = distinct(Hop::out("E"));
    assert_eq!((targets(&out, 0), targets(&out, 1), out.edge_count().unwrap()), (vec![2, 1], vec![1], 4));
    assert_eq!(targets(&out.reversed(), 2), [0]);
    assert_eq!(targets(&distinct(Hop::both("E")), 0), [2, 1]);
    let no_room = AlgorithmOptions { list_bytes: Some(0), ..AlgorithmOptions::default() };
    let without = Selection::along(Hop::out("E")).distinct().open(&graph, &no_room).unwrap();
    assert!(matches!(without.components(), Err(AlgorithmError::OverBudget { .. })));
}

#[test]
fn supplied_lists_are_checked() {
    let options = AlgorithmOptions::default();
    let with = |lists: &[Vec<usize>]| Subgraph::of_lists(2, node_lists(lists), None, &options);
    assert!(matches!(with(&[vec![]]), Err(AlgorithmError::Parameter { .. })));
    assert!(matches!(with(&[vec![2], vec![]]), Err(AlgorithmError::NotSelected { node: 2 })));
    let both = with(&[vec![1], vec![0]]).unwrap();
    assert_eq!(both.distances(&[1]).unwrap().values(), [1, 0]);
    assert_eq!(with(&[vec![], vec![]]).unwrap().distances(&[1]).unwrap().values(), [UNREACHED, 0]);
}

#[test]
fn another_task_has_a_flag_of_its_own() {
    let whole = subgraph(&ModelLists { out: vec![vec![1], vec![]] });
    let cancel = Cancel::default();
    cancel.cancel();
    let cancelled = whole.with_task(&Task::new().cancel(&cancel));
    assert!(matches!(cancelled.breadth_first(&[0], None), Err(AlgorithmError::Cancelled)));
    assert_eq!(whole.breadth_first(&[0], None).unwrap().nodes(), [0, 1]);
}
