//! Tests that a simple reader of Arrow's layout finds the content of the rows in record batches.

use varvite::Cancel;
use varvite::arrow::{self, Array, DataType, Field, RecordBatch};
use varvite::pipeline::{ALL, Key, Options, Pipeline, PipelineError, edges, nodes};
use varvite::{Graph, Profile, Task};
use varvite_model::RandomGraph;
use varvite_testing::draft::Draft;

use super::generator::Generator;
use super::rows_with;

/// A value of an array, in the form of the tests' row texts. `None` if the value is null.
fn text_at(field: &Field, array: &Array, index: usize) -> Option<String> {
    let bytes = |buffer: usize| array.buffers()[buffer].as_ref().expect("a buffer").bytes();
    assert!(index < array.len());
    if let Some(validity) = &array.buffers()[0]
        && validity.bytes()[index / 8] >> (index % 8) & 1 == 0
    {
        assert!(array.null_count() > 0 && field.is_nullable, "{field:?}");
        return None;
    }
    fn at<const N: usize>(bytes: &[u8], index: usize) -> [u8; N] {
        bytes[N * index..N * index + N].try_into().unwrap()
    }
    let range = || {
        let offset = |index| usize::try_from(i64::from_ne_bytes(at(bytes(1), index))).unwrap();
        offset(index)..offset(index + 1)
    };
    let fields = |fields: &[Field]| -> Vec<Option<String>> {
        assert_eq!(array.children().len(), fields.len());
        fields.iter().zip(array.children()).map(|(field, part)| text_at(field, part, index)).collect()
    };
    Some(match &field.data_type {
        DataType::Boolean => (bytes(1)[index / 8] >> (index % 8) & 1 != 0).to_string(),
        DataType::Int8 => i8::from_ne_bytes(at(bytes(1), index)).to_string(),
        DataType::Int16 => i16::from_ne_bytes(at(bytes(1), index)).to_string(),
        DataType::Int32 => i32::from_ne_bytes(at(bytes(1), index)).to_string(),
        DataType::Int64 => i64::from_ne_bytes(at(bytes(1), index)).to_string(),
        DataType::UInt8 => bytes(1)[index].to_string(),
        DataType::UInt16 => u16::from_ne_bytes(at(bytes(1), index)).to_string(),
        DataType::UInt32 if field.name.starts_with("node") => {
            format!("#{}", u32::from_ne_bytes(at(bytes(1), index)))
        }
        DataType::UInt32 => u32::from_ne_bytes(at(bytes(1), index)).to_string(),
        DataType::UInt64 => u64::from_ne_bytes(at(bytes(1), index)).to_string(),
        DataType::Float32 => format!("f{:x}", u32::from_ne_bytes(at(bytes(1), index))),
        DataType::Float64 => format!("f{:x}", u64::from_ne_bytes(at(bytes(1), index))),
        DataType::LargeUtf8 => format!("{:?}", std::str::from_utf8(&bytes(2)[range()]).unwrap()),
        DataType::LargeBinary => format!("{:?}", &bytes(2)[range()]),
        DataType::Dictionary(values) => {
            let field = Field { name: String::new(), data_type: (**values).clone(), is_nullable: false };
            let code = u32::from_ne_bytes(at(bytes(1), index)) as usize;
            return text_at(&field, array.dictionary().unwrap(), code);
        }
        DataType::LargeList(item) => {
            let item = Field { name: field.name.clone(), ..(**item).clone() };
            let items = range().map(|index| text_at(&item, &array.children()[0], index));
            items.map(|item| item.unwrap_or("null".into())).collect::<Vec<_>>().join(" ")
        }
        DataType::Struct(parts) => match &fields(parts)[..] {
            // An element of a path.
            [Some(one), None] | [None, Some(one)] => one.clone(),
            [Some(label), Some(source), Some(target), rank] => {
                let rank = rank.clone().unwrap_or(u32::MAX.to_string());
                format!("{} {source}>{target} @{rank}", label.trim_matches('"'))
            }
            other => panic!("{other:?}"),
        },
    })
}

/// The rows of batches as texts in the form of `rows_with`. A null cell is an empty text.
pub(super) fn texts_of(batches: &[RecordBatch]) -> Vec<String> {
    let row = |batch: &RecordBatch, row: usize| {
        let columns = batch.fields().iter().zip(batch.columns());
        let is_table =
            batch.columns().len() > 1 || matches!(batch.fields()[0].data_type, DataType::LargeList(_));
        let cells = columns.map(|(field, column)| {
            assert_eq!(column.len(), batch.len());
            let text = text_at(field, column, row).unwrap_or_default();
            if is_table { format!("[{text}]") } else { text }
        });
        cells.collect::<Vec<_>>().join(" | ")
    };
    batches.iter().flat_map(|batch| (0..batch.len()).map(|index| row(batch, index))).collect()
}

fn batches_of(graph: &Graph, pipeline: &Pipeline, options: Options) -> Vec<RecordBatch> {
    let batches = pipeline.compile(graph).unwrap().run_arrow(options);
    batches.map(|batch| batch.unwrap()).collect()
}

#[track_caller]
fn check(graph: &Graph, pipeline: &Pipeline) {
    for batch_rows in [2048, 3] {
        let options = || Options { batch_rows, ..Options::default() };
        let batches = batches_of(graph, pipeline, options());
        for (number, batch) in batches.iter().enumerate() {
            let is_last = number + 1 == batches.len();
            assert!(batch.len() == batch_rows || is_last && (1..batch_rows).contains(&batch.len()));
            assert_eq!(batch.fields(), batches[0].fields());
        }
        let nothing = |text: String| text.replace("[null]", "[]");
        let rows = rows_with(graph, pipeline, options()).into_iter().map(nothing);
        let rows: Vec<String> = rows.map(|row| if row == "null" { String::new() } else { row }).collect();
        let found: Vec<String> = texts_of(&batches).into_iter().map(nothing).collect();
        assert_eq!(found, rows, "{}", pipeline.to_json());
    }
}

#[test]
fn batches_of_random_pipelines_hold_what_rows_hold() {
    for seed in 0..40 {
        let model = RandomGraph::any(seed).build().in_canonical_order();
        let graph = Draft::of(&model).open(Profile::ALL[seed as usize % Profile::ALL.len()]);
        for number in 0..25 {
            let pipeline = Generator::new(900_000 + seed * 1000 + number, &model).pipeline();
            if super::oracle::rows_of(&model, &pipeline).is_ok() && pipeline.compile(&graph).is_ok() {
                check(&graph, &pipeline);
            }
        }
    }
}

fn graph() -> Graph {
    let options = RandomGraph { nodes: 600, edges: 2000, ..RandomGraph::new(5) };
    Draft::of(&options.build().in_canonical_order()).open(Profile::Compact)
}

#[test]
fn every_type_has_a_column() {
    let graph = graph();
    for property in graph.properties().iter().filter(|property| property.edge_label.is_none()) {
        let name = property.name.as_str();
        if property.value_type != varvite::ValueType::Ref {
            check(&graph, &nodes(ALL).columns([Key::Itself, Key::Label, Key::from(name)]));
            check(&graph, &nodes(ALL).values(name));
        }
    }
    check(&graph, &edges(ALL).columns([Key::Itself, Key::Label]));
    check(&graph, &nodes(ALL).in_edges(ALL).source().path());
    check(&graph, &nodes(ALL).group("NAME").order_by_descending(Key::column("nodes")));
    check(&graph, &nodes(ALL).values("ORDER").mean());
}

#[test]
fn references_are_ids_and_null() {
    let graph = graph();
    let batches =
        batches_of(&graph, &nodes(ALL).columns([Key::Itself, Key::from("EVIDENCE")]), Options::default());
    let property = graph.property("EVIDENCE").unwrap();
    let expected = (0..graph.node_count()).map(|node| match property.get(node) {
        Some(varvite::Value::Ref(Some(target))) => format!("[#{node}] | [{target}]"),
        _ => format!("[#{node}] | []"),
    });
    assert_eq!(texts_of(&batches), expected.collect::<Vec<_>>());
}

#[test]
fn a_run_without_rows_has_fields_and_no_batch() {
    let mut batches = nodes("METHOD").limit(0).compile(&graph()).unwrap().run_arrow(Options::default());
    assert_eq!((batches.fields()[0].name.as_str(), batches.fields()[0].is_nullable), ("node", false));
    assert!(batches.next().is_none() && batches.next().is_none());
}

#[test]
fn no_more_is_read_than_a_batch_needs() {
    let options = Options { batch_rows: 8, profile: true, ..Options::default() };
    let mut batches = nodes(ALL).out("AST").compile(&graph()).unwrap().run_arrow(options);
    assert_eq!(batches.next().unwrap().unwrap().len(), 8);
    let first = batches.run().profile().lines[0].measured.unwrap();
    assert!(first.rows <= 64, "{first:?}");
}

#[test]
fn long_texts_end_a_batch() {
    let text = "x".repeat(1 << 20);
    let mut model = varvite_model::ModelGraph::default();
    for _ in 0..40 {
        let node = model.add_node(&["BLOCK"]);
        model.set_property(node, "NAME", vec![varvite_model::Value::string(&text)]);
    }
    let graph = Draft::of(&model.in_canonical_order()).open(Profile::Direct);
    let batches = batches_of(&graph, &nodes(ALL).values("NAME"), Options::default());
    let rows: Vec<usize> = batches.iter().map(RecordBatch::len).collect();
    assert_eq!(rows, [16, 16, 8]);
}

#[test]
fn an_error_ends_the_batches() {
    let cancel = Cancel::default();
    let options = Options { task: Task::new().cancel(&cancel), batch_rows: 8, ..Options::default() };
    let mut batches = nodes(ALL).out(ALL).compile(&graph()).unwrap().run_arrow(options);
    assert!(batches.next().unwrap().is_ok());
    cancel.cancel();
    let mut left = batches.by_ref().skip_while(Result::is_ok);
    assert!(matches!(left.next(), Some(Err(PipelineError::Cancelled { .. }))));
    assert!(batches.next().is_none());
}

#[test]
fn parts_of_a_graph_are_batches() {
    let graph = graph();
    let labels = arrow::labels(&graph).unwrap();
    let expected = rows_with(&graph, &nodes(ALL).columns([Key::Itself, Key::Label]), Options::default());
    let split = |row: &String| {
        let (node, labels) = row.split_once(" | ").unwrap();
        let labels = labels.trim_matches(['[', ']', '"']).to_owned();
        labels.split('&').map(|label| format!("{node} | [\"{label}\"]")).collect::<Vec<_>>()
    };
    assert_eq!(texts_of(&[labels]), expected.iter().flat_map(split).collect::<Vec<_>>());
    let label = graph.edge_label("CFG").unwrap();
    let flow = arrow::edges(&graph, label).unwrap();
    let expected = rows_with(&graph, &edges("CFG"), Options::default());
    let expected = expected.iter().map(|row| {
        let (source, target) =
            row.trim_start_matches("CFG ").split(' ').next().unwrap().split_once('>').unwrap();
        format!("[{source}] | [{target}]")
    });
    assert_eq!(texts_of(&[flow]), expected.collect::<Vec<_>>());
    let property = graph.property_id("NAME").unwrap();
    let names = arrow::property(&graph, property).unwrap();
    let with_name = nodes(ALL).has_any("NAME").columns([Key::Itself, Key::from("NAME")]);
    let expected = rows_with(&graph, &with_name, Options::default());
    assert_eq!(texts_of(&[names]), expected);
}
