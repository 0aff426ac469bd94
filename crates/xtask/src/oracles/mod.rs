//! Compares answers with those of independent programs: flatgraph, Neo4j, the column engines, the reference
//! framings.

mod difference;
pub(crate) mod differential;
pub(crate) mod differential_walks;
pub(crate) mod peers;
pub(crate) mod reference;
pub(crate) mod roundtrip;
