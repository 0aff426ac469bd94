//! Changes of files: open the file, lock it, check that it has not changed since it was opened, publish.
//!
//! - `locked_file`, `change`: a file that gets a commit; `append`, `staged`, `replacement`: the commit in
//!   place, the new file, and the file that replaces another.
//! - `staged_folder`: a folder of new files, which appears whole.
//! - `prepared`, `writer`, `copy`: writing new columns and copying old ones; `coded_segment`: a segment that
//!   is compressed as it is written; `scratch`, `tape`: a temporary file for data beyond memory.

pub(crate) mod append;
pub(crate) mod change;
pub(crate) mod coded_segment;
pub(crate) mod copy;
pub(crate) mod locked_file;
pub(crate) mod prepared;
pub(crate) mod replacement;
pub(crate) mod scratch;
pub(crate) mod staged;
pub(crate) mod staged_folder;
pub(crate) mod tape;
pub(crate) mod writer;
