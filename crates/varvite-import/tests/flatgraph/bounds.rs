//! Small files whose graph would be large, because its size is the product of two counts: of kinds and nodes,
//! of properties and strings, or of columns and nodes.

use std::path::Path;

use serde_json::{Value, json};
use varvite::{Graph, Task};
use varvite_import::flatgraph::FlatgraphError;
use varvite_import::{Import, ImportError, ImportReport};

use super::draft::Draft;

fn import_file(
    source: &Path,
    configure: impl Fn(Import<'static>) -> Import<'static>,
) -> Result<(ImportReport, Graph), ImportError> {
    let target = source.with_extension("varvite");
    let report = configure(Import::new(source)).write_to(&target)?;
    Ok((report, Graph::open(&target).unwrap()))
}

fn import_draft(change: impl FnOnce(&mut Draft)) -> Result<(ImportReport, Graph), ImportError> {
    let mut draft = Draft::new();
    draft.manifest["nodes"] = json!([{ "nodeLabel": "A", "nnodes": 1 }]);
    draft.manifest["edges"] = json!([]);
    draft.manifest["properties"] = json!([]);
    change(&mut draft);
    let folder = tempfile::tempdir().unwrap();
    let source = folder.path().join("draft.cpg.bin");
    std::fs::write(&source, draft.into_bytes()).unwrap();
    import_file(&source, |import| import.task(Task::new().threads(2)))
}

/// The name of the items whose number exceeds the limit, as in the error.
#[track_caller]
fn too_many(result: Result<(ImportReport, Graph), ImportError>) -> &'static str {
    match result.map(|(report, _)| report) {
        Err(ImportError::Source { error: FlatgraphError::Limit { what, .. }, .. }) => what,
        other => panic!("{other:?}"),
    }
}

fn kinds(count: usize, nodes: u64) -> Value {
    (0..count).map(|number| json!({ "nodeLabel": format!("K{number}"), "nnodes": nodes })).collect()
}

/// Columns with one value each, for the node of kind A.
fn properties(draft: &mut Draft, count: usize, string: i32) -> Value {
    let property = |number| {
        json!({
            "nodeLabel": "A", "propertyLabel": format!("P{number}"), "qty": draft.ints(&[1, 0]), "property": draft.strings(&[string]),
        })
    };
    (0..count).map(property).collect()
}

#[test]
fn six_thousand_kinds_take_no_bitmap_each() {
    let (report, graph) = import_draft(|draft| draft.manifest["nodes"] = kinds(6000, 20)).unwrap();
    assert_eq!((report.nodes, graph.nodes("K5999").unwrap().len()), (120_000, 20));
    assert_eq!(graph.verify(&Task::new().threads(1)).unwrap().problems, [""; 0]);
}

#[test]
fn kinds_and_nodes_are_limited_by_their_product() {
    assert_eq!(too_many(import_draft(|draft| draft.manifest["nodes"] = kinds(6000, 170))), "cells");
    assert_eq!(too_many(import_draft(|draft| draft.manifest["nodes"] = kinds(20_000, 1))), "node kinds");
    assert_eq!(too_many(import_draft(|draft| draft.manifest["nodes"] = kinds(10, 1 << 20))), "nodes");
}

#[test]
fn properties_and_nodes_are_limited_by_their_product() {
    let result = import_draft(|draft| {
        draft.manifest["nodes"] = json!([{ "nodeLabel": "A", "nnodes": 1 << 20 }]);
        draft.manifest["properties"] = properties(draft, 100, 0);
    });
    assert_eq!(too_many(result), "cells");
}

#[test]
fn a_long_string_that_many_properties_have_is_limited() {
    let result = import_draft(|draft| {
        draft.manifest["properties"] = properties(draft, 100, 0);
        draft.manifest["stringPoolLength"] = draft.ints(&[1 << 20]);
        draft.manifest["stringPoolBytes"] = draft.blob("byte", &vec![b'a'; 1 << 20]);
    });
    assert_eq!(too_many(result), "bytes of texts");
}

#[test]
fn properties_that_use_few_strings_of_many_have_the_right_ones() {
    let (_, graph) = import_draft(|draft| {
        draft.manifest["properties"] = properties(draft, 50, 70_000);
        let strings: Vec<String> = (0..100_000).map(|number| format!("{number:06}")).collect();
        draft.manifest["stringPoolLength"] = draft.ints(&vec![6; 100_000]);
        draft.manifest["stringPoolBytes"] = draft.blob("byte", strings.concat().as_bytes());
    })
    .unwrap();
    for name in ["P0", "P49"] {
        assert_eq!(graph.property(name).unwrap().str(0).unwrap().to_string(), "070000");
    }
}

#[test]
fn an_import_that_would_take_more_than_it_may_is_refused_before_it_starts() {
    let zlib = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/data/zlib.cpg.bin");
    let folder = tempfile::tempdir().unwrap();
    let source = folder.path().join("zlib.cpg.bin");
    std::fs::copy(zlib, &source).unwrap();
    let refused = import_file(&source, |import| import.task(Task::new().threads(8).memory(8 << 20)))
        .map(|(report, _)| report);
    let Err(ImportError::Source { error: FlatgraphError::OverBudget { needed, limit }, .. }) = refused else {
        panic!("{refused:?}")
    };
    assert!(needed > limit && limit == 8 << 20);
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1, "nothing was written");
    // If the memory limit is enough for one thread, it is also enough for an import that may use eight.
    let (report, _) =
        import_file(&source, |import| import.task(Task::new().threads(8).memory(needed as usize))).unwrap();
    assert_eq!(report.nodes, 44_073);
}
