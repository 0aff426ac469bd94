//! Tests that tables of nodes and edges have the values that cursors read one by one.

use varvite::arrow::Table;
use varvite::cursor::Ranks;
use varvite::pipeline::{Cell, Options, PipelineError};
use varvite::{Cancel, Direction, Graph, LabelId, Profile, Property, PropertyId, Task};
use varvite_model::{ModelGraph, RandomGraph, Value};
use varvite_testing::draft::Draft;

use super::arrow::texts_of;
use super::cell_text;

/// The value of an owner in the form of the tests' row texts.
fn value_text(graph: &Graph, property: &Property, owner: u32) -> String {
    let texts = property.all(owner).map(|value| match value {
        varvite::Value::Ref(node) => node.map_or(String::new(), |node| node.to_string()),
        value => cell_text(graph, Cell::Value(value)),
    });
    let is_list = property.cardinality() == varvite::Cardinality::List;
    let texts: Vec<String> = texts.take(if is_list { usize::MAX } else { 1 }).collect();
    texts.join(" ").replace("null", "")
}

fn row_text(graph: &Graph, ids: &[u32], properties: &[Property], owner: u32) -> String {
    let ids = ids.iter().map(u32::to_string);
    let cells = ids.chain(properties.iter().map(|property| value_text(graph, property, owner)));
    let cells: Vec<String> = cells.collect();
    match cells.len() {
        1 => cells.concat(),
        _ => cells.iter().map(|cell| format!("[{cell}]")).collect::<Vec<_>>().join(" | "),
    }
}

#[track_caller]
fn check_table(table: &Table, expected: &[String]) {
    for batch_rows in [1, 5, 64, 1 << 16] {
        let options = Options { batch_rows, ..Options::default() };
        let batches: Vec<_> = table.batches(options).map(|batch| batch.unwrap()).collect();
        assert!(batches.iter().all(|batch| (1..=batch_rows).contains(&batch.len())));
        let found: Vec<_> = texts_of(&batches).into_iter().map(|text| text.replace("null", "")).collect();
        assert_eq!(found.len(), expected.len(), "batches of {batch_rows} rows");
        for (found, expected) in found.iter().zip(expected) {
            assert_eq!(found, expected, "batches of {batch_rows} rows");
        }
    }
    check_ranges(table, expected);
}

/// Tables of the nodes before a cut and of those after it have all rows together.
#[track_caller]
fn check_ranges(table: &Table, expected: &[String]) {
    for cut in [0, 1, 7, 20, 1000, u32::MAX] {
        let parts = [0..cut, cut..u32::MAX].map(|nodes| table.clone().within(nodes));
        let batches =
            parts.iter().flat_map(|part| part.batches(Options { batch_rows: 5, ..Options::default() }));
        let batches: Vec<_> = batches.map(|batch| batch.unwrap()).collect();
        let found: Vec<_> = texts_of(&batches).into_iter().map(|text| text.replace("null", "")).collect();
        assert_eq!(found, expected, "cut at node {cut}");
    }
}

/// The ids of the properties of nodes, or of the edges of a label, each with the property.
fn properties_of(graph: &Graph, edge_label: Option<&str>) -> (Vec<PropertyId>, Vec<Property>) {
    let infos = graph.property_ids().zip(graph.properties());
    let ids: Vec<_> =
        infos.filter(|(_, info)| info.edge_label.as_deref() == edge_label).map(|(id, _)| id).collect();
    let properties = ids.iter().map(|id| graph.property_at(*id).unwrap()).collect();
    (ids, properties)
}

fn check_nodes(graph: &Graph, label: Option<LabelId>) {
    let (ids, properties) = properties_of(graph, None);
    let nodes: Vec<u32> = match label {
        Some(label) => graph.nodes_of(label).unwrap().iter().collect(),
        None => (0..graph.node_count()).filter(|node| !graph.is_removed(*node).unwrap()).collect(),
    };
    let rows: Vec<_> = nodes.iter().map(|node| row_text(graph, &[*node], &properties, *node)).collect();
    check_table(&Table::of_nodes(graph, label, &ids).unwrap(), &rows);
}

/// The labels of nodes beside their ids.
fn check_labels(graph: &Graph) {
    let labels = graph.label_sets().unwrap();
    let living = (0..graph.node_count()).filter(|node| !graph.is_removed(*node).unwrap());
    let row = |node| {
        let names: Vec<_> =
            labels.of(node).map(|label| graph.labels()[label.index()].name.as_str()).collect();
        format!("[{node}] | [{:?}]", names.join("&"))
    };
    check_table(&Table::of_labelled_nodes(graph, &[]).unwrap(), &living.map(row).collect::<Vec<_>>());
}

fn check_edges(graph: &Graph, label: &str) {
    let (ids, properties) = properties_of(graph, Some(label));
    let id = graph.edge_label(label).unwrap();
    let out = graph.adjacency(id, Direction::Out).unwrap();
    let (is_changed, ranks) = (out.changes().is_some(), Ranks::new(out.clone(), None));
    let mut rows = Vec::new();
    for source in out.sources() {
        for (target, rank) in ranks.of(source) {
            let ids = &[source, target, rank][..if is_changed { 3 } else { 2 }];
            rows.push(row_text(graph, ids, &properties, rank));
        }
    }
    check_table(&Table::of_edges(graph, id, &ids).unwrap(), &rows);
}

/// Compares all tables of a graph with its cursors.
pub(crate) fn check(graph: &Graph) {
    check_nodes(graph, None);
    check_labels(graph);
    graph.label_ids().for_each(|label| check_nodes(graph, Some(label)));
    graph.edge_labels().iter().for_each(|label| check_edges(graph, &label.name));
}

#[test]
fn tables_have_the_values_of_cursors() {
    for seed in 0..20 {
        let model = RandomGraph::any(seed).build().in_canonical_order();
        for profile in Profile::ALL {
            check(&Draft::of(&model).open(profile));
        }
    }
}

fn graph_of_names(names: &[String]) -> Graph {
    let mut model = ModelGraph::default();
    for name in names {
        let node = model.add_node(&["BLOCK"]);
        model.set_property(node, "NAME", vec![Value::string(name)]);
    }
    Draft::of(&model.in_canonical_order()).open(Profile::Direct)
}

fn names_of(graph: &Graph) -> Table {
    Table::of_nodes(graph, None, &[graph.property_id("NAME").unwrap()]).unwrap()
}

#[test]
fn long_texts_end_a_batch_of_a_table() {
    let names: Vec<String> = (0..40).map(|number| format!("{number:02}{}", "x".repeat(1 << 20))).collect();
    let graph = graph_of_names(&names);
    let batches: Vec<_> = names_of(&graph).batches(Options::default()).map(|batch| batch.unwrap()).collect();
    let rows: Vec<usize> = batches.iter().map(|batch| batch.len()).collect();
    assert_eq!(rows, [10, 15, 15]);
}

#[test]
fn a_text_longer_than_a_batch_has_a_batch_of_its_own() {
    let graph = graph_of_names(&["a".to_owned(), "x".repeat(40 << 20), "b".to_owned()]);
    let rows = names_of(&graph).batches(Options::default()).map(|batch| batch.unwrap().len());
    assert_eq!(rows.collect::<Vec<_>>(), [1, 1, 1]);
}

#[test]
fn batches_shrink_to_the_memory_of_the_task() {
    let graph = graph_of_names(&(0..3000).map(|number| format!("name {number}")).collect::<Vec<_>>());
    let within = |bytes| Options { batch_rows: 3000, ..Options::from(Task::new().memory(bytes)) };
    let rows: Vec<usize> =
        names_of(&graph).batches(within(40_000)).map(|batch| batch.unwrap().len()).collect();
    assert!(rows.len() > 1 && rows.iter().sum::<usize>() == 3000, "{rows:?}");
    let mut batches = names_of(&graph).batches(within(1000));
    assert!(matches!(batches.next(), Some(Err(PipelineError::OverBudget { .. }))));
    assert!(batches.next().is_none());
}

#[test]
fn a_cancelled_table_ends_with_an_error() {
    let (cancel, graph) = (Cancel::default(), graph_of_names(&["a".to_owned(), "b".to_owned()]));
    let options = Options { batch_rows: 1, ..Options::from(Task::new().cancel(&cancel)) };
    let mut batches = names_of(&graph).batches(options);
    assert!(batches.next().unwrap().is_ok());
    cancel.cancel();
    assert!(matches!(batches.next(), Some(Err(PipelineError::Cancelled { .. }))));
    assert!(batches.next().is_none());
}
