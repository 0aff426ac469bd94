//! The index of an export: `_varvite.json`.

use serde_json::{Value as Json, json};
use varvite::Graph;
use varvite_store::FolderShape;

use super::file::Written;
use super::plan::{ENDING, FOLDERS, TablePlan};

/// The folder of an export.
pub(super) const SHAPE: FolderShape =
    FolderShape { index: "_varvite.json", folders: &FOLDERS, ending: ENDING };

/// The version of the layout of folder and index.
const VERSION: u32 = 1;

/// The index of the files. Equal graphs give equal bytes.
pub(super) fn index_of(graph: &Graph, tables: &[(TablePlan, Written)], unlabelled: u64) -> String {
    let identity: String = graph.identity().to_bytes().iter().map(|byte| format!("{byte:02x}")).collect();
    let index = json!({
        "format": "varvite-parquet",
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
