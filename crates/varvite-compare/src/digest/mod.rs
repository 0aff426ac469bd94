//! [`Digest`]: a hash of the *meaning* of each column of a graph, not of its bytes, and a root over these
//! hashes.
//!
//! Equal graphs have equal digests: a file's profile, encodings, layout, and order of dictionaries and of
//! schema rows have no effect. If graphs differ, the names of the differing columns show where, and the tree
//! of hashes below a column ([`DigestTree`]) leads to the owners that differ.
//!
//! A hash is the BLAKE3 hash of a stream. Numbers in a stream are little-endian; a text is its length as u64,
//! then its bytes. A column has a header, which is its row in the schema, and owners, which are nodes or
//! edges (numbered by rank). A *leaf* is the hash of the content of the owners from `65536 * n` to `65536 * n
//! + 65535`; there is no leaf if these owners have no content.
//!
//! | column | header | for each owner with content, in ascending order |
//! |---|---|---|
//! | `node labels` | | u32: the index of the node's label set, in the order of first use in the leaf; after the last node of a leaf, the hash of each set: of the count of its labels as u64 and their names, sorted |
//! | `label L` | name of the layer; the number of nodes of the label in the imported file as u32 | node u32, its number in that file u32 |
//! | `edges L` | name of the layer; edges u64 | |
//! | `edges L out`, `edges L in` | | node u32, entries u64, neighbours u32 |
//! | `edges L places`, if the file has them | | node u32, entries of its in-list u64; for each entry, the place of its edge in the out-list u32 |
//! | `property P`, `property L.P` | name of the layer, type, cardinality; 0 or 1 u64 and the default | owner u32, values u64, values |
//! | `layers` | names, sorted | |
//!
//! An integer, a Boolean, the bits of a float or a node's id (2^32 - 1 for no node) is hashed as u64. A
//! string or bytes is hashed as the BLAKE3 hash of its bytes; null as 32 zeros.
//!
//! A *group* is the hash of up to 256 leaves, those from `256 * n` to `256 * n + 255`. It covers, for each of
//! these leaves that exists, the leaf's number as u32 and its hash. The hash of a column covers the hash of
//! its header, followed by, for each group that exists, the group's number as u32 and its hash. `root` is the
//! hash over all columns in the order of their names. It covers, for each column, its name as a text and its
//! hash.

mod column_tree;
mod compare;
mod file;
mod label_stream;
mod part;
mod range_stream;
mod ranges;
mod stream;
mod tree;

use std::fmt;

use serde_json::{Map, Value as Json, json};
use varvite_store::Task;

pub use column_tree::{Below, ColumnTree, RangeHash, RangeHashes, RangeShift};
pub use compare::{ColumnDifference, Comparison, DifferingOwners, OwnerDifference, Side, odd_one_out};
pub use tree::DigestTree;

use varvite_graph::internal::Hex;
use varvite_graph::{Graph, Result};

/// The hash of a column or of a graph. Displayed as 64 hexadecimal digits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ContentHash(pub [u8; 32]);

impl fmt::Display for ContentHash {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        Hex(&self.0).fmt(formatter)
    }
}

/// The hash of one column's content.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub struct ColumnDigest {
    /// The name of the column, such as `edges CFG out` or `property NAME`.
    pub name: String,
    /// The hash of the column.
    pub hash: ContentHash,
}

/// The hashes of a graph's meaning.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Digest {
    /// The hash over all columns. Equal graphs have equal roots.
    pub root: ContentHash,
    /// Every column, sorted by name.
    pub columns: Vec<ColumnDigest>,
}

impl Digest {
    /// The digest of a graph. Reads every column once. Takes 32 bytes of memory for each text of the
    /// properties that are being read, within the limit of [`Graph::limit_memory`]. Progress counts columns.
    ///
    /// # Errors
    /// The first damage that is found. [`GraphError::OverBudget`](varvite_graph::GraphError) or
    /// [`GraphError::Cancelled`](varvite_graph::GraphError).
    pub fn of(graph: &Graph, task: &Task<'_>) -> Result<Self> {
        let tree = DigestTree::of(graph, task)?;
        let column = |column: ColumnTree| ColumnDigest { name: column.name, hash: column.hash };
        let root = tree.root.unwrap_or(ContentHash([0; 32]));
        Ok(Self { root, columns: tree.columns.into_iter().map(column).collect() })
    }

    /// The digest as JSON: `root`, and `columns` by name. Hashes are hexadecimal digits.
    pub fn to_json(&self) -> String {
        let columns =
            self.columns.iter().map(|column| (column.name.clone(), Json::from(column.hash.to_string())));
        let digest = json!({ "root": self.root.to_string(), "columns": columns.collect::<Map<_, _>>() });
        format!("{digest:#}\n")
    }
}
