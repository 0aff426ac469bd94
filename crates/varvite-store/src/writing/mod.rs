//! The one way to change a file: open it, lock it, find it as it was opened, publish.
//!
//! - `locked_file`, `change`: a file that gets a commit; `append`, `staged`, `replacement`: where columns go.
//! - `prepared`, `writer`, `copy`: columns, new or copied; `scratch`, `tape`: a temporary file for data
//!   beyond memory.

pub(crate) mod append;
pub(crate) mod change;
pub(crate) mod copy;
pub(crate) mod locked_file;
pub(crate) mod prepared;
pub(crate) mod replacement;
pub(crate) mod scratch;
pub(crate) mod staged;
pub(crate) mod tape;
pub(crate) mod writer;
