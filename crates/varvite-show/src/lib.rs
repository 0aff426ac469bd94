//! Rows, nodes and paths of a graph as tables, JSON, JSON lines and CSV; and names to nodes.
//!
//! Modules in reading order, each needing only those before it: `error`; `output` for cells, columns and rows as text;
//! `label_names`; `layout` for the columns that rows about nodes can have, `listing` for which of them are shown, in which
//! order, and how many rows. `batch`, `paths`, `view`, `rendering`, `in_order` and `show` write the rows of a run. `names`
//! leads from words to nodes, and `condition` from words to predicates.
#![forbid(unsafe_code)]
#![deny(clippy::print_stdout, clippy::print_stderr)]

mod batch;
mod condition;
mod error;
mod in_order;
mod label_names;
mod layout;
mod listing;
mod names;
mod output;
mod paths;
mod rendering;
mod show;
mod view;

pub use condition::Condition;
pub use error::{Result, ShowError};
pub use label_names::{EdgeLabels, LabelNames};
pub use layout::{Field, Layout};
pub use listing::{Listing, Selection, Shown};
pub use names::{methods_at, node_at, nodes_at};
pub use output::{Cell, Column, Format, Rows, Sink, all_of, escaped, json_of, shortened};
pub use paths::{PathNode, layout as layout_of_paths};
pub use show::show;
pub use view::{View, layout_of_label};
