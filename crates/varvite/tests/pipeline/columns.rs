//! Tests the columns of a plan, which a caller can read before the run.

use varvite::Graph;
use varvite::Profile;
use varvite::arrow::DataType;
use varvite::pipeline::{
    ALL, Cell, Column, ColumnKind, Key, Options, Pipeline, PlanColumns, RowKind, Summary, edges, nodes,
};
use varvite_model::{ModelGraph, RandomGraph, Value};
use varvite_testing::draft::Draft;

use super::generator::Generator;

fn words(columns: PlanColumns<'_>) -> Vec<String> {
    let word = |column: varvite::pipeline::PlanColumn<'_>| {
        let list = if column.is_list() { " list" } else { "" };
        let null = if column.is_nullable() { " or null" } else { "" };
        match column.kind() {
            ColumnKind::Value(value_type) => format!("{}: {}{list}{null}", column.name(), value_type.name()),
            kind => format!("{}: {kind:?}{list}{null}", column.name()),
        }
    };
    columns.map(word).collect()
}

#[track_caller]
fn check(graph: &Graph, pipeline: &Pipeline, row_kind: RowKind, expected: &[&str]) {
    let plan = pipeline.compile(graph).unwrap();
    assert_eq!(plan.columns().len(), expected.len());
    assert_eq!(
        (plan.columns().row_kind(), words(plan.columns())),
        (row_kind, expected.iter().map(|word| (*word).to_owned()).collect())
    );
}

fn random() -> Graph {
    let options = RandomGraph { nodes: 600, edges: 2000, ..RandomGraph::new(5) };
    Draft::of(&options.build().in_canonical_order()).open(Profile::Compact)
}

#[test]
fn a_plan_tells_names_types_and_nulls_of_its_columns() {
    let graph = random();
    check(&graph, &nodes(ALL), RowKind::Nodes, &["node: Node"]);
    check(&graph, &edges(ALL), RowKind::Edges, &["edge: Edge"]);
    check(&graph, &nodes(ALL).values("NAME"), RowKind::Values, &["NAME: string or null"]);
    check(&graph, &nodes(ALL).count(), RowKind::Values, &["count: u64"]);
    check(&graph, &nodes(ALL).out(ALL).path(), RowKind::Columns, &["path: Element list"]);
    check(
        &graph,
        &nodes(ALL).columns([Key::Itself, Key::Label, Key::from("STRING_LIST"), Key::from("EVIDENCE")]),
        RowKind::Columns,
        &["node: Node", "label: Label or null", "STRING_LIST: string list", "EVIDENCE: ref or null"],
    );
    check(&graph, &nodes(ALL).group("NAME"), RowKind::Columns, &["NAME: string or null", "nodes: Node list"]);
    check(
        &graph,
        &nodes(ALL).summarize(Key::Label, [Summary::Count, Summary::sum("ORDER"), Summary::min("ORDER")]),
        RowKind::Columns,
        &["label: Label or null", "count: u64", "sum_ORDER: i64", "min_ORDER: i32 or null"],
    );
}

#[test]
fn a_side_tells_its_columns_too() {
    let graph = random();
    let plan = nodes(ALL).side("here").values("NAME").count().compile(&graph).unwrap();
    assert_eq!(words(plan.side_columns("here").unwrap()), ["node: Node"]);
    assert!(plan.side_columns("there").is_none());
}

/// The parts of a column's description that a batch has as well as a plan.
fn of_batch(column: &Column<'_>) -> (String, Option<varvite::ValueType>, bool) {
    (column.name().to_owned(), column.value_type(), column.is_list())
}

#[test]
fn columns_of_random_plans_are_those_of_their_rows() {
    let mut compared = 0;
    for seed in 0..60 {
        let model = RandomGraph::any(seed).build().in_canonical_order();
        let graph = Draft::of(&model).open(Profile::Compact);
        for number in 0..25 {
            let pipeline = Generator::new(700_000 + seed * 1000 + number, &model).pipeline();
            let Ok(plan) = pipeline.compile(&graph) else { continue };
            let told: Vec<_> =
                plan.columns().map(|it| (it.name().to_owned(), it.value_type(), it.is_list())).collect();
            let mut run = plan.run(Options::default());
            let Ok(batch) = run.next() else { continue };
            let Some(rows) = batch else { continue };
            assert_eq!(told, rows.columns().map(|column| of_batch(&column)).collect::<Vec<_>>());
            for (column, told) in rows.columns().zip(plan.columns()) {
                let is_absent = |row| !column.is_list() && column.get(row).is_none();
                let is_null = (0..rows.len()).any(is_absent);
                assert!(told.is_nullable() || !is_null, "{told:?} of {}", pipeline.to_json());
            }
            compared += 1;
        }
    }
    assert!(compared > 300, "{compared}");
}

/// An aggregate of no values is null, so its field must be declared nullable: readers of Arrow refuse a null
/// in a field that is not.
#[test]
fn an_aggregate_of_no_values_is_a_null_that_its_field_allows() {
    let mut model = ModelGraph::default();
    for order in [Some(3), None] {
        let node = model.add_node(&[if order.is_some() { "CALL" } else { "BLOCK" }]);
        model.set_property(node, "ORDER", order.map(Value::I32).into_iter().collect());
    }
    let graph = Draft::of(&model.in_canonical_order()).open(Profile::Direct);
    let of = [Summary::sum("ORDER"), Summary::min("ORDER"), Summary::max("ORDER"), Summary::mean("ORDER")];
    let plan = nodes(ALL).summarize(Key::Label, of).compile(&graph).unwrap();
    let batch = plan.run_arrow(Options::default()).next().unwrap().unwrap();
    let found: Vec<_> = batch
        .fields()
        .iter()
        .zip(batch.columns())
        .skip(1)
        .map(|(field, array)| {
            assert_ne!(field.data_type, DataType::LargeUtf8);
            (field.is_nullable, array.null_count())
        })
        .collect();
    assert_eq!(found, [(false, 0), (true, 1), (true, 1), (true, 1)]);
}

#[test]
fn the_numbers_of_labels_are_indexes_of_names() {
    let graph = random();
    let plan = nodes(ALL).map(Key::Label).compile(&graph).unwrap();
    let mut run = plan.run(Options::default());
    let mut rows = 0;
    while let Some(batch) = run.next().unwrap() {
        let (column, numbers) = (batch.column(0).unwrap(), batch.numbers().unwrap());
        let names = column.names().unwrap();
        for (row, number) in numbers.iter().enumerate() {
            assert_eq!(column.get(row), Some(Cell::Label(&names[*number as usize])));
        }
        rows += numbers.len();
    }
    assert_eq!(rows, 600);
    let texts = nodes(ALL).values("NAME").compile(&graph).unwrap();
    let mut run = texts.run(Options::default());
    assert!(run.next().unwrap().unwrap().column(0).unwrap().names().is_none());
}
