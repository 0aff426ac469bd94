//! The index of an export: `_varvite.json`.

use std::collections::HashSet;
use std::io::{BufReader, Read};

use serde::Deserialize;
use serde_json::{Value as Json, json};
use varvite::Graph;
use varvite_store::FolderShape;

use super::file::Written;
use super::plan::{ENDING, FOLDERS, TablePlan};

/// The folder of an export.
pub(super) const SHAPE: FolderShape =
    FolderShape { index: "_varvite.json", folders: &FOLDERS, ending: ENDING, files_of };

/// The name of the format in an index.
const FORMAT: &str = "varvite-parquet";
/// The version of the layout of folder and index.
const VERSION: u32 = 1;

/// The parts of an index that name its files.
#[derive(Deserialize)]
struct Index {
    format: String,
    tables: Vec<IndexTable>,
}

#[derive(Deserialize)]
struct IndexTable {
    file: String,
}

/// The files that an index lists. `None` if no export wrote the text. Holds the paths alone.
fn files_of(text: &mut dyn Read) -> Option<HashSet<String>> {
    let index: Index = serde_json::from_reader(BufReader::new(text)).ok()?;
    (index.format == FORMAT).then(|| index.tables.into_iter().map(|table| table.file).collect())
}

/// The index of the files. Equal graphs give equal bytes.
pub(super) fn index_of(graph: &Graph, tables: &[(TablePlan, Written)], unlabelled: u64) -> String {
    let identity: String = graph.identity().to_bytes().iter().map(|byte| format!("{byte:02x}")).collect();
    let index = json!({
        "format": FORMAT,
        "version": VERSION,
        "source": { "identity": identity },
        "nodes": graph.live_node_count(),
        "edges": graph.edge_count(),
        "nodes_without_label": unlabelled,
        "tables": tables.iter().map(table).collect::<Vec<Json>>(),
    });
    format!("{index:#}\n")
}

fn table((plan, written): &(TablePlan, Written)) -> Json {
    json!({
        "file": format!("{}/{}", plan.rows.folder(), plan.file),
        "kind": plan.rows.folder(),
        "label": plan.label,
        "rows": written.rows,
        "bytes": written.bytes,
        "columns": written.columns,
    })
}
