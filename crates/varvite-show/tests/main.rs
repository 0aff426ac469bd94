//! Tests how rows, nodes and paths are written as text, through the crate's public interface.
#![allow(clippy::unwrap_used)] // Everything here is a test.

use std::io::{self, Write};

use varvite::pipeline::{ALL, Key, Options, Pipeline, edges, it, nodes};
use varvite::{Cancel, ErrorCode, Graph, Profile, Task};
use varvite_model::{ModelGraph, Presence, RandomProperty, Value, ValueType};
use varvite_show::{
    Answer, Cell, Column, Condition, Format, Rows, Selection, ShowError, Sink, methods_at, node_at,
    node_at_within, nodes_at,
};
use varvite_testing::draft::Draft;

/// A graph with a method `main`, two methods named `copy`, and calls.
fn graph() -> Graph {
    let mut model = ModelGraph::default();
    let names =
        [("METHOD", "main"), ("METHOD", "copy"), ("METHOD", "copy"), ("CALL", "copy"), ("CALL", "a,b")];
    let nodes = names.map(|(label, name)| {
        let node = model.add_node(&[label]);
        model.set_property(node, "NAME", vec![Value::string(name)]);
        node
    });
    for (number, node) in nodes.iter().enumerate().skip(1) {
        model.set_property(*node, "ORDER", vec![Value::I32(number as i32)]);
    }
    model.add_edge(nodes[0], "CONTAINS", nodes[3], None);
    model.add_edge(nodes[3], "CALL", nodes[1], None);
    Draft::of(&model).open(Profile::Direct)
}

fn written(graph: &Graph, pipeline: &Pipeline, selection: Selection<'_>) -> Result<String, ShowError> {
    let plan = pipeline.compile(graph)?;
    let answer = Answer::of_columns(graph, plan.columns(), selection.format)?;
    let mut text = Vec::new();
    let shown = answer.write(&mut plan.run(Options::default()), None, Sink::new(&mut text), selection)?;
    assert!(shown.has_all_places);
    Ok(String::from_utf8(text).unwrap())
}

#[track_caller]
fn check(pipeline: &Pipeline, format: Format, expected: &str) {
    let selection = Selection { format, ..Selection::default() };
    assert_eq!(written(&graph(), pipeline, selection).unwrap(), expected);
}

/// Checks the output of a pipeline's nodes with NAME as the only property.
#[track_caller]
fn check_names(pipeline: &Pipeline, format: Format, expected: &str) {
    let columns = ["NAME".to_owned()];
    let selection = Selection { format, columns: &columns, ..Selection::default() };
    assert_eq!(written(&graph(), pipeline, selection).unwrap(), expected);
}

#[test]
fn nodes_have_what_the_graph_knows_of_them() {
    let csv = "node,label,NAME,FULL_NAME,CODE,method\n3,CALL,copy,,,\n4,CALL,\"a,b\",,,\n";
    check(&nodes("CALL"), Format::Csv, csv);
    check_names(&nodes("CALL"), Format::Csv, "node,NAME\n3,copy\n4,\"a,b\"\n");
    let json = "[\n  {\"node\": 3, \"NAME\": \"copy\"},\n  {\"node\": 4, \"NAME\": \"a,b\"}\n]\n";
    check_names(&nodes("CALL"), Format::Json, json);
    check_names(&nodes("CALL"), Format::Table, "node  NAME\n   3  copy\n   4  a,b\n");
}

/// Properties may have the names of columns, and columns may be requested twice; even so, the values of a row
/// have distinct keys.
#[test]
fn keys_of_rows_are_their_own() {
    let mut model = ModelGraph::default();
    let nodes = [("a", 5), ("b", 7)].map(|(name, count)| {
        let node = model.add_node(&["A"]);
        model.set_property(node, "node", vec![Value::string(name)]);
        model.set_property(node, "count", vec![Value::I64(count)]);
        model.set_property(node, "label", vec![Value::string("own")]);
        node
    });
    model.add_edge(nodes[0], "E", nodes[1], None);
    let property =
        |name, value_type| RandomProperty { name, value_type, list: false, presence: Presence::All };
    let properties = [
        property("node", ValueType::String),
        property("count", ValueType::I64),
        property("label", ValueType::String),
    ];
    let graph = Draft::with_properties(&model, &properties).open(Profile::Direct);
    let shown = |pipeline: &Pipeline, columns: &[&str]| {
        let columns: Vec<String> = columns.iter().map(|it| (*it).to_owned()).collect();
        let selection = Selection { format: Format::Jsonl, columns: &columns, ..Selection::default() };
        written(&graph, pipeline, selection).unwrap().lines().next().unwrap().to_owned()
    };
    let columns = [Key::Itself, Key::from("node"), Key::Label, Key::from("label"), Key::Itself];
    assert_eq!(
        shown(&nodes_of_all().columns(columns), &[]),
        r#"{"node": 0, "node_2": "a", "label": "A", "label_2": "own", "node_3": 0}"#
    );
    assert_eq!(shown(&nodes_of_all().group_count(Key::from("count")), &[]), r#"{"count": 5, "count_2": 1}"#);
    assert_eq!(
        shown(&nodes_of_all(), &["count", "node", "count", "property:node", "property:label"]),
        r#"{"node": 0, "count": 5, "node_2": "a", "label": "own"}"#
    );
    assert_eq!(shown(&nodes_of_all(), &["label"]), r#"{"node": 0, "label": "A"}"#);
    let by_column = nodes_of_all().group_count(Key::from("count")).order_by(Key::column("count_2"));
    assert_eq!(shown(&by_column, &[]), r#"{"count": 5, "count_2": 1}"#);
}

fn nodes_of_all() -> Pipeline {
    nodes(ALL)
}

#[test]
fn edges_have_both_ends() {
    check(
        &edges("CALL"),
        Format::Jsonl,
        "{\"edge\": \"CALL\", \"source\": 3, \"target\": 1, \"source_method\": null, \"target_method\": null}\n",
    );
}

#[test]
fn columns_have_titles_though_there_are_no_rows() {
    let columns = nodes(ALL).columns([Key::Itself, Key::from("ORDER")]);
    check(&columns.clone().limit(0), Format::Csv, "node,ORDER,method\n");
    check(&columns.limit(2), Format::Csv, "node,ORDER,method\n0,,\n1,1,\n");
}

#[test]
fn a_path_is_an_object_for_programs() {
    let path = nodes("METHOD").has("NAME", varvite::pipeline::eq("main")).out("CONTAINS").path();
    let text = written(&graph(), &path, Selection { format: Format::Jsonl, ..Selection::default() }).unwrap();
    let row: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert_eq!(row["path"], serde_json::json!([0, 3]));
    assert_eq!(row["nodes"][1]["name"], "copy");
}

#[test]
fn a_side_is_shown_by_its_own_columns() {
    let (graph, mut text) = (graph(), Vec::new());
    let plan = nodes("CALL").side("calls").count().compile(&graph).unwrap();
    let answer = Answer::of_columns(&graph, plan.side_columns("calls").unwrap(), Format::Csv).unwrap();
    let selection = Selection { format: Format::Csv, ..Selection::default() };
    answer.write(&mut plan.run(Options::default()), Some("calls"), Sink::new(&mut text), selection).unwrap();
    assert_eq!(text, b"node,label,NAME,FULL_NAME,CODE,method\n3,CALL,copy,,,\n4,CALL,\"a,b\",,,\n");
}

#[test]
fn rows_are_chosen_sorted_and_cut() {
    let (columns, order_by) = (["ORDER".to_owned()], ["ORDER".to_owned()]);
    let selection = Selection {
        format: Format::Csv,
        columns: &columns,
        order_by: &order_by,
        descending: true,
        limit: Some(2),
        ..Selection::default()
    };
    assert_eq!(written(&graph(), &nodes(ALL), selection).unwrap(), "node,ORDER\n4,4\n3,3\n");
}

#[test]
fn a_table_fits_the_width_that_it_is_given_and_is_plain_elsewhere() {
    let table = |sink: fn(Sink<'_>) -> Sink<'_>| {
        let mut text = Vec::new();
        let mut rows =
            Rows::begin(sink(Sink::new(&mut text)), Format::Table, vec![Column::text("name")]).unwrap();
        rows.push(vec!["a name that is longer than the width".into()]).unwrap();
        rows.finish().unwrap();
        String::from_utf8(text).unwrap()
    };
    assert!(table(|sink| sink).contains("the width"));
    let fitted = table(|sink| sink.with_width(12));
    assert!(fitted.lines().all(|line| line.chars().count() <= 12) && !fitted.contains('\u{1b}'), "{fitted}");
    assert!(table(|sink| sink.with_width(12).with_bold_titles()).contains("\u{1b}[1m"));
}

#[test]
fn a_row_of_another_width_is_refused() {
    let mut text = Vec::new();
    let mut rows = Rows::begin(Sink::new(&mut text), Format::Csv, vec![Column::text("name")]).unwrap();
    rows.put(&Cell::Null).unwrap();
    rows.put(&Cell::Null).unwrap();
    assert_eq!(rows.end_row().unwrap_err().kind(), io::ErrorKind::InvalidInput);
}

#[test]
fn words_lead_to_nodes() {
    let graph = graph();
    assert_eq!(nodes_at(&graph, "copy").unwrap(), [1, 2]);
    assert_eq!(nodes_at(&graph, "CALL:copy").unwrap(), [3]);
    assert_eq!((node_at(&graph, "#4").unwrap(), node_at(&graph, "main").unwrap()), (4, 0));
}

#[test]
fn errors_have_fields() {
    let graph = graph();
    match node_at(&graph, "copy").unwrap_err() {
        ShowError::Several { count: 2, candidates, .. } => assert_eq!(candidates[1].node, 2),
        error => panic!("{error}"),
    }
    match nodes_at(&graph, "coppy").unwrap_err() {
        ShowError::NoName { nearest, .. } => assert_eq!(nearest.as_deref(), Some("copy")),
        error => panic!("{error}"),
    }
    let error = methods_at(&graph, "CALL:copy").unwrap_err();
    assert!(matches!(error, ShowError::NotAMethod { node: 3, .. }), "{error}");
    assert_eq!(nodes_at(&graph, "17").unwrap_err().code(), ErrorCode::NoSuchNode);
    let error = Condition::parse(&graph, "ORDER=many").unwrap_err();
    assert!(matches!(error, ShowError::WrongValue { .. }), "{error}");
    let columns = ["NAMES".to_owned()];
    let error = written(&graph, &nodes(ALL), Selection { columns: &columns, ..Selection::default() });
    assert_eq!(error.unwrap_err().code(), ErrorCode::Unknown);
    let sorted = Selection { order_by: &columns, ..Selection::default() };
    let error = written(&graph, &nodes(ALL).out(ALL).path(), sorted).unwrap_err();
    assert!(matches!(error, ShowError::SortedPaths), "{error}");
}

#[test]
fn a_writer_that_fails_ends_the_rows() {
    struct Full;
    impl Write for Full {
        fn write(&mut self, _: &[u8]) -> io::Result<usize> {
            Err(io::ErrorKind::StorageFull.into())
        }
        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }
    let graph = graph();
    let plan = nodes(ALL).where_(it().out("CALL")).compile(&graph).unwrap();
    for format in Format::ALL {
        let answer = Answer::of_columns(&graph, plan.columns(), format).unwrap();
        let selection = Selection { format, ..Selection::default() };
        let error = answer.write(&mut plan.run(Options::default()), None, Sink::new(Full), selection);
        assert!(matches!(error, Err(ShowError::Write(error)) if error.kind() == io::ErrorKind::StorageFull));
    }
}

#[test]
fn a_search_for_a_node_ends_if_it_is_cancelled() {
    let (graph, cancel) = (graph(), Cancel::default());
    let task = Task::new().cancel(&cancel);
    assert_eq!(node_at_within(&graph, "main", &task).unwrap(), node_at(&graph, "main").unwrap());
    cancel.cancel();
    for words in ["main", "~m.*", "mian", "CALL:main", "main.c:7"] {
        let error = node_at_within(&graph, words, &task).unwrap_err();
        assert_eq!(error.code(), ErrorCode::Cancelled, "{words}: {error}");
    }
}
