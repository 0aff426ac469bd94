//! CALLs whose format string is not a constant.
//!
//! For each row of [`FORMATS`], finds the CALLs that may reach a METHOD with one of the row's names, except
//! those whose argument at the row's index is a LITERAL.

use varvite::pipeline::{Pipeline, it, nodes, one_of};

use super::{Query, pipelines};
use crate::{Calls, Kinds};

/// Functions with a format string: the ARGUMENT_INDEX of the format string, and the names of the functions.
pub const FORMATS: [(i64, &[&str]); 3] = [
    (1, &["printf", "printk", "sqlite3_mprintf", "vprintf"]),
    (2, &["dev_err", "dev_info", "dev_warn", "fprintf", "gzprintf", "sprintf", "sqlite3MPrintf", "vsprintf"]),
    (3, &["scnprintf", "snprintf", "sqlite3_snprintf", "vsnprintf"]),
];

pub(super) const QUERY: Query = Query {
    name: "format_strings",
    follows: "format-controlled-printf",
    prepare: |graph| pipelines(graph, FORMATS.map(|(index, names)| row(index, names))),
};

fn row(index: i64, names: &[&str]) -> Pipeline {
    let callers = nodes("METHOD").has("NAME", one_of(names.iter().copied())).call_in();
    callers.where_not(it().argument(index).is_literal())
}
