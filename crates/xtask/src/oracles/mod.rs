//! Compares Varvite's answers with those of independent programs: flatgraph, Neo4j, Joern, and reference
//! libraries of formats.

mod difference;
pub(crate) mod differential;
pub(crate) mod differential_walks;
pub(crate) mod peers;
pub(crate) mod reference;
pub(crate) mod roundtrip;
