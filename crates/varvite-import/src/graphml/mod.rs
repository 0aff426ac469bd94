//! Import and export of GraphML, in the forms of NetworkX, igraph, Apache TinkerPop and Neo4j's APOC.
//!
//! Keys declare properties with a type; nodes and edges have values for these keys. Labels are values of keys
//! named `labels`, `labelV`, `labelE` or `label`, or attributes of these names. No entity of XML is expanded,
//! no other file is read, and an element that a graph can't represent (a nested graph, hyperedge or port)
//! gives an error that states its line.
//!
//! Reading order, each importing only those before it: `bounded` and `xml` (bytes become elements), `key` and
//! `value` (declarations of keys), `document` (elements become nodes and edges), `import`. The export, in
//! `escaped` and `export`, uses none of these.

mod bounded;
mod document;
mod escaped;
mod export;
mod import;
mod key;
mod value;
mod xml;

pub use export::{GraphmlExport, GraphmlExportError};
pub use import::{GraphmlImport, GraphmlReport};
