//! Compares [`Census`] with plain loops over the model's maps.

use std::collections::{BTreeMap, BTreeSet};

use varvite::columns::Census;
use varvite::{Graph, GraphError, Task};
use varvite_model::{ModelGraph, RandomGraph, Value};
use varvite_testing::draft::Draft;

use crate::model::for_each_graph;

/// A value as a text. Two floats have equal texts if and only if their bits are equal.
fn told(value: &Value) -> String {
    match value {
        Value::F32(number) => format!("{:x}", number.to_bits()),
        Value::F64(number) => format!("{:x}", number.to_bits()),
        other => format!("{other:?}"),
    }
}

/// A label set; the number of nodes with this set; a property; its numbers of owners, of values and of
/// distinct values; its first owner, and the first owner with a different value.
type Use = (String, u64, String, u64, u64, u64, u32, u32);

fn expected_uses(model: &ModelGraph) -> BTreeSet<Use> {
    let mut of_labels: BTreeMap<String, Vec<varvite_model::NodeId>> = BTreeMap::new();
    for node in model.nodes() {
        of_labels.entry(model.label_text(node)).or_default().push(node);
    }
    let mut uses = BTreeSet::new();
    for (label, nodes) in &of_labels {
        for property in &RandomGraph::PROPERTIES {
            let lists = nodes.iter().map(|node| (node.0 as u32, model.values(*node, property.name)));
            let lists: Vec<_> = lists.filter(|(_, values)| !values.is_empty()).collect();
            let all: Vec<String> = lists.iter().flat_map(|(_, values)| values.iter().map(told)).collect();
            let Some((first, values)) = lists.first() else { continue };
            let first_value = told(&values[0]);
            let second = lists.iter().find(|(_, values)| told(&values[0]) != first_value);
            let distinct = all.iter().collect::<BTreeSet<_>>().len();
            uses.insert((
                label.clone(),
                nodes.len() as u64,
                property.name.to_owned(),
                lists.len() as u64,
                all.len() as u64,
                distinct as u64,
                *first,
                second.map_or(*first, |(node, _)| *node),
            ));
        }
    }
    uses
}

fn uses(graph: &Graph, census: &Census) -> BTreeSet<Use> {
    let of_nodes =
        census.properties.iter().filter(|row| graph.properties()[row.property.index()].edge_label.is_none());
    let row = |row: &varvite::columns::PropertyUse| {
        let name = graph.properties()[row.property.index()].name.clone();
        (row.label.clone(), row.of, name, row.owners, row.values, row.distinct, row.first, row.second)
    };
    of_nodes.map(row).collect()
}

#[test]
fn every_label_has_what_its_nodes_have() {
    for_each_graph(0..60, |model, profile| {
        let graph = Draft::of(model).open(profile);
        let census = Census::of(&graph, &Task::new().threads(2)).unwrap();
        assert_eq!(uses(&graph, &census), expected_uses(model));
        assert_eq!(census, Census::of(&graph, &Task::new().threads(1)).unwrap());
    });
}

#[test]
fn edges_are_counted_by_the_labels_at_their_ends() {
    for_each_graph(0..60, |model, profile| {
        let graph = Draft::of(model).open(profile);
        let census = Census::of(&graph, &Task::new().threads(2)).unwrap();
        let mut expected: BTreeMap<(String, String, String), u64> = BTreeMap::new();
        let mut with_value = BTreeMap::new();
        for edge in model.edges() {
            let ends = (model.label_text(edge.source), model.label_text(edge.target));
            *expected.entry((edge.label.to_owned(), ends.0, ends.1)).or_default() += 1;
            if let Some(value) = edge.property {
                with_value.entry(edge.label.to_owned()).or_insert_with(Vec::new).push(told(value));
            }
        }
        let name = |id: varvite::EdgeLabelId| graph.edge_labels()[id.index()].name.clone();
        let found = census.edges.iter();
        let found =
            found.map(|row| ((name(row.edge_label), row.source.clone(), row.target.clone()), row.edges));
        assert_eq!(found.collect::<BTreeMap<_, _>>(), expected);
        let of_edges = census.properties.iter();
        let of_edges: Vec<_> =
            of_edges.filter(|row| graph.properties()[row.property.index()].edge_label.is_some()).collect();
        assert_eq!(of_edges.len(), with_value.len());
        for row in of_edges {
            let values = &with_value[&row.label];
            let distinct: BTreeSet<&String> = values.iter().collect();
            assert_eq!((row.owners, row.distinct), (values.len() as u64, distinct.len() as u64));
            assert_eq!(row.of, model.edges().iter().filter(|edge| edge.label == row.label).count() as u64);
        }
    });
}

#[test]
fn labels_are_counted() {
    for_each_graph(0..20, |model, profile| {
        let mut expected: BTreeMap<String, u64> = BTreeMap::new();
        model.nodes().iter().for_each(|node| *expected.entry(model.label_text(*node)).or_default() += 1);
        let census = Census::of(&Draft::of(model).open(profile), &Task::new()).unwrap();
        assert_eq!(census.labels, expected.into_iter().collect::<Vec<_>>());
    });
}

#[test]
fn a_census_stays_within_the_memory_of_its_graph() {
    let model = RandomGraph { nodes: 2500, edges: 5000, ..RandomGraph::new(3) }.build().in_canonical_order();
    let graph = Draft::of(&model).open(varvite::Profile::Direct);
    graph.limit_memory(10_000);
    let refused = Census::of(&graph, &Task::new().threads(2)).unwrap_err();
    assert!(matches!(refused, GraphError::OverBudget(_) | GraphError::Store(_)), "{refused}");
    graph.limit_memory(100 << 20);
    assert!(!Census::of(&graph, &Task::new().threads(2)).unwrap().properties.is_empty());
}
