//! The names of an index.
//!
//! ```text
//! CORPUS   the first node: VERSION, and the counts FILES, FAILED, UNREADABLE (folders), FUNCTIONS,
//!          WITHOUT_CONTENT (functions), IMPORTS, LINKED, AMBIGUOUS, UNKNOWN
//! FILE     a graph: NAME (path), IDENTITY, LANGUAGE, NODES; FAULT if it could not be read
//! METHOD   a function or a use of one, named and placed as in its graph, with GRAPH (path) and NODE (id
//!          there). LINKAGE: exported, internal or imported. A function has CONTENT (its digest) and, unless
//!          it is short, SKETCH (its tokens), if no edges of its syntax tree were added or removed; a use has
//!          CALLS, and CANDIDATES, the number of its definitions in other files
//!
//! FILE -DEFINES-> METHOD      FILE -USES-> METHOD      FILE -COPY_OF-> FILE, if both have one identity
//! METHOD -LINKS-> METHOD      from a use to its only definition
//! ```

/// The version of these names, of digests and sketches, and of the rules for LINKAGE. An index of another
/// version is made anew.
pub(super) const VERSION: i64 = 3;

pub(super) const CORPUS: &str = "CORPUS";
pub(super) const FILE: &str = "FILE";
pub(super) const METHOD: &str = "METHOD";

pub(super) const DEFINES: &str = "DEFINES";
pub(super) const USES: &str = "USES";
pub(super) const COPY_OF: &str = "COPY_OF";
pub(super) const LINKS: &str = "LINKS";

pub(super) const NAME: &str = "NAME";
pub(super) const FULL_NAME: &str = "FULL_NAME";
pub(super) const SIGNATURE: &str = "SIGNATURE";
pub(super) const FILENAME: &str = "FILENAME";
pub(super) const LINE_NUMBER: &str = "LINE_NUMBER";
pub(super) const LINE_NUMBER_END: &str = "LINE_NUMBER_END";
pub(super) const IS_EXTERNAL: &str = "IS_EXTERNAL";

pub(super) const IDENTITY: &str = "IDENTITY";
pub(super) const LANGUAGE: &str = "LANGUAGE";
pub(super) const NODES: &str = "NODES";
pub(super) const FAULT: &str = "FAULT";
pub(super) const GRAPH: &str = "GRAPH";
pub(super) const NODE: &str = "NODE";
pub(super) const LINKAGE: &str = "LINKAGE";
pub(super) const CONTENT: &str = "CONTENT";
pub(super) const SKETCH: &str = "SKETCH";
pub(super) const CALLS: &str = "CALLS";
pub(super) const CANDIDATES: &str = "CANDIDATES";

pub(super) const VERSION_NAME: &str = "VERSION";
pub(super) const FAILED: &str = "FAILED";
pub(super) const UNREADABLE: &str = "UNREADABLE";
pub(super) const WITHOUT_CONTENT: &str = "WITHOUT_CONTENT";

/// The values of LINKAGE.
pub(super) const EXPORTED: &str = "exported";
pub(super) const INTERNAL: &str = "internal";
pub(super) const IMPORTED: &str = "imported";
