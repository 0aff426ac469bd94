//! GraphML, as NetworkX, igraph, Apache TinkerPop and Neo4j's APOC write it, in and out.
//!
//! Keys declare properties, with a type; nodes and edges have values of them. Labels are values of keys that
//! are called `labels`, `labelV`, `labelE` or `label`, or attributes of these names. Nothing of XML is
//! expanded, nothing is read from elsewhere, and what a graph does not have (nested graphs, hyperedges,
//! ports) is an error with its line.
//!
//! Reading order, each importing only those before it: `bounded`, `xml`: bytes become elements; `key`,
//! `value`: what keys declare; `document`: elements become nodes and edges; `import`. `export`: the way back,
//! which needs none of them.

mod bounded;
mod document;
mod export;
mod import;
mod key;
mod value;
mod xml;

pub use export::{GraphmlExport, GraphmlExportError, GraphmlExportReport};
pub use import::{GraphmlImport, GraphmlReport};
