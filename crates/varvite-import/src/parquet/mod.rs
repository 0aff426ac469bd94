//! Export to Apache Parquet: a file for each label of nodes, and one for each label of edges.
//!
//! | file | columns |
//! |---|---|
//! | `nodes/METHOD.parquet` | `id`, and the properties that any node of the label has |
//! | `edges/CALL.parquet` | `source`, `target`, and the properties of the edges |
//! | `_varvite.json` | the graph's identity, and each file with its label, rows and columns |
//!
//! A node with several labels is in the file of each. Texts keep their dictionaries, lists are lists, and
//! every row group has statistics. Rows come from the engine's own batches in Arrow's layout, so no library
//! of Arrow is needed (note 133).
//!
//! Reading order: `taken_names` and `file_name` (labels become names of files), `uses`, `plan` and `columns`
//! (which files and columns), `levels` and `values` (an array becomes a column), `file` (batches become row
//! groups), `index`, `export`.

mod columns;
mod error;
mod export;
mod file;
mod file_name;
mod index;
mod levels;
mod plan;
mod schema;
mod taken_names;
mod uses;
mod values;

pub use error::ParquetExportError;
pub use export::{ParquetExport, ParquetReport};
