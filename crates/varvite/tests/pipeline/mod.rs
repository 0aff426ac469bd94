//! Tests of pipelines. Hand-written and random pipelines are compared with plain loops; errors for bad input,
//! budgets and cancelling are tested too.

mod arrow;
mod cancelling;
mod choices;
mod columns;
mod document;
pub(crate) mod generator;
mod hops;
mod limits;
pub(crate) mod oracle;
mod oracle_functions;
mod parameters;
pub(crate) mod random;
mod refusals;
mod semantics;
mod side;
pub(crate) mod tables;
mod threads;
mod windows;

use varvite::Graph;
use varvite::Value;
use varvite::pipeline::{Cell, Column, Options, Pipeline, Rows};
use varvite_testing::iterators::{check_both_ends, check_exact};

/// The rows of a pipeline, as texts.
pub(crate) fn rows_of(graph: &Graph, pipeline: &Pipeline) -> Vec<String> {
    rows_with(graph, pipeline, Options::default())
}

/// The rows of a pipeline that runs with `options`, as texts.
pub(crate) fn rows_with(graph: &Graph, pipeline: &Pipeline, options: Options) -> Vec<String> {
    let plan = pipeline.compile(graph).unwrap();
    let mut run = plan.run(options);
    let mut all = Vec::new();
    while let Some(rows) = run.next().unwrap() {
        assert!(!rows.is_empty(), "a batch has rows");
        all.extend(batch_texts(graph, rows));
    }
    all
}

/// The rows of a batch, as texts.
pub(crate) fn batch_texts(graph: &Graph, rows: Rows<'_>) -> Vec<String> {
    (0..rows.len()).map(|row| row_text(graph, rows, row)).collect()
}

fn row_text(graph: &Graph, rows: Rows<'_>, row: usize) -> String {
    if let Some(nodes) = rows.nodes() {
        return format!("#{}", nodes[row]);
    }
    let names: Vec<&str> = (0..rows.width()).map(|index| rows.column(index).unwrap().name()).collect();
    check_exact(rows.columns().map(|column| column.name()), &names);
    let is_table = rows.width() > 1 || rows.column(0).unwrap().is_list();
    let cells = |column: Column<'_>| {
        let texts: Vec<String> = column.list(row).map(|cell| cell_text(graph, cell)).collect();
        check_both_ends(column.list(row).map(|cell| cell_text(graph, cell)), &texts);
        if is_table { format!("[{}]", texts.join(" ")) } else { texts.concat() }
    };
    rows.columns().map(cells).collect::<Vec<_>>().join(" | ")
}

fn cell_text(graph: &Graph, cell: Cell<'_>) -> String {
    match cell {
        Cell::Node(node) => format!("#{node}"),
        Cell::Edge(edge) => {
            let label = &graph.edge_labels()[edge.label.index()].name;
            format!("{label} {}>{} @{}", edge.source, edge.target, edge.rank)
        }
        Cell::Label(label) => format!("{label:?}"),
        Cell::Value(value) => match value {
            Value::F32(value) => format!("f{:x}", value.to_bits()),
            Value::F64(value) => format!("f{:x}", value.to_bits()),
            Value::Str(text) => format!("{:?}", text.to_string()),
            Value::Bytes(bytes) => format!("{:?}", bytes.to_vec()),
            Value::Ref(node) => format!("{node:?}"),
            other => other.to_string(),
        },
        other => panic!("{other:?}"),
    }
}
