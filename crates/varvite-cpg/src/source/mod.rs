//! Sources: the texts of a program's files, in the graph of the program.
//!
//! [`add_sources`] reads files from a folder into the layer [`LAYER`], which gives FILE nodes the property
//! CONTENT, as Joern's frontends do with `--enable-file-content`. [`Sources`] reads lines of these texts;
//! only the blocks that contain the lines are decoded.
//!
//! - `folder`: the path of a FILE in the folder. Names come from the graph, and must not lead out of the
//!   folder.
//! - `text`: the bytes of a file as text, and the offsets of its lines.
//! - `methods`: the METHODs of each file, which show whether the files belong to the graph.
//! - `graph_files`: the FILEs of a graph. `found_files`: the files to which their names lead.
//! - `content`: the values of CONTENT that a graph has without the layer.
//! - `add`, `report`, `error`: the import. `reader`: lines of a text in the graph.

mod add;
mod content;
mod error;
mod folder;
mod found_files;
mod graph_files;
mod methods;
mod reader;
mod report;
mod text;

pub use add::{SourceOptions, add_sources};
pub use error::SourceError;
pub use reader::{Line, SourceLines, Sources};
pub use report::SourceReport;

/// The name of the layer with the sources.
pub const LAYER: &str = "source";
/// The property of FILE nodes with the text of the file.
pub const CONTENT: &str = "CONTENT";
/// The property of FILE nodes with the offsets of some lines: of every [`LINES_OF_MARK`]th line, from the
/// first. Of FILEs with equal texts, all but the first have the first offset alone.
pub const CONTENT_LINES: &str = "CONTENT_LINES";
/// The number of lines from one offset in [`CONTENT_LINES`] to the next.
pub const LINES_OF_MARK: u64 = 64;
