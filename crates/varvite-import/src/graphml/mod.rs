//! GraphML, as NetworkX, igraph, Apache TinkerPop and Neo4j's APOC write it, in and out.
//!
//! Keys declare properties, with a type; nodes and edges have values of them. Labels are values of keys named
//! `labels`, `labelV`, `labelE` or `label`, or attributes of these names. No entity of XML is expanded, no
//! other file is read, and elements that a graph can't have (nested graphs, hyperedges, ports) are an error
//! with its line.
//!
//! Reading order, each importing only those before it: `bounded`, `xml`: bytes become elements; `key`,
//! `value`: declarations of keys; `document`: elements become nodes and edges; `import`. `escaped`, `export`:
//! the way back, which needs none of those before.

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
