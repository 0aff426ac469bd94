//! Import and export of GraphML, in the forms of NetworkX, igraph, Apache TinkerPop and Neo4j's APOC.
//!
//! Keys declare properties with a type; nodes and edges have values for these keys. Labels are values of keys
//! named `labels`, `labelV`, `labelE` or `label`, or attributes of these names. No entity of XML is expanded,
//! no other file is read, and an element that a graph can't represent (a nested graph, hyperedge or port) is
//! an error with its line.
//!
//! Reading order, each importing only those before it: `bounded`, `xml`: bytes become elements; `key`,
//! `value`: declarations of keys; `document`: elements become nodes and edges; `import`. The export is in
//! `escaped` and `export`, and needs none of the others.

mod bounded;
mod document;
mod escaped;
mod export;
mod import;
mod key;
mod value;
mod xml;

pub use export::{GraphmlExport, GraphmlExportError, GraphmlExportReport};
pub use import::{GraphmlImport, GraphmlReport};
