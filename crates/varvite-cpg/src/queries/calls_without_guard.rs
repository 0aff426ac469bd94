//! CALLs that may be reached without another CALL that must come before them.
//!
//! For each row of [`GUARDS`], finds the CALLs that may reach a METHOD whose NAME matches the first
//! expression, except those that are dominated by a CALL whose NAME matches the second.

use varvite::pipeline::{Pipeline, it, nodes, regex};

use super::{Query, pipelines};
use crate::{Calls, Flow, Kinds};

/// Pairs of regular expressions. The first matches the names of METHODs, and the second the names of METHODs
/// that must be called before them on every path.
pub const GUARDS: [(&str, &str); 3] = [
    ("(?i)set(res|re|e|)uid", "set(res|re|e)?gid"),
    ("sqlite3_mutex_leave|mutex_unlock|spin_unlock.*", "sqlite3_mutex_enter|mutex_lock.*|spin_lock.*"),
    ("close", "open"),
];

pub(super) const QUERY: Query = Query {
    name: "calls_without_guard",
    follows: "setuid-without-setgid",
    prepare: |graph| pipelines(graph, GUARDS.map(|(called, guard)| unguarded(called, guard))),
};

fn unguarded(called: &str, guard: &str) -> Pipeline {
    let calls = nodes("METHOD").has("NAME", regex(called)).call_in();
    calls.where_not(it().dominated_by().is_call().has("NAME", regex(guard)))
}
