//! Runs work that recurses over the nested pipelines of a plan, on a stack with enough room.
//!
//! A plan may be nested 256 pipelines deep and have 100,000 steps in a row, and each operator calls the one
//! before it. A stack overflow would end the process. So only a plan of usual depth runs on the caller's
//! stack. A deeper plan gets its own thread, with a stack proportional to its depth, which is charged to the
//! budget.

use std::panic::resume_unwind;
use std::thread::{Builder, scope};

use super::nested::Extent;
use varvite_graph::{Budget, OverBudget};

/// The depth of nested calls that fits on any stack.
const LEVELS_PLAIN: usize = 100;
/// The depth of nested pipelines that fits on any stack. Each nested pipeline takes several nested calls.
const DEPTH_PLAIN: usize = 20;
/// Bytes of stack for one call of a run, and for the work on one nested pipeline. Both were measured with the
/// most calls and the deepest nesting. Without optimization, stack frames are several times as large.
const LEVEL_BYTES: usize = if cfg!(debug_assertions) { 4 << 10 } else { 1 << 10 };
const DEPTH_BYTES: usize = if cfg!(debug_assertions) { 64 << 10 } else { 32 << 10 };
/// Bytes of stack that every plan needs, whatever its depth.
const BASE_BYTES: usize = 1 << 20;

/// The size in bytes of the stack that a plan of this extent needs. `None` if the caller's stack suffices.
pub(crate) fn stack_bytes(extent: Extent) -> Option<usize> {
    let is_plain = extent.levels <= LEVELS_PLAIN && extent.depth <= DEPTH_PLAIN;
    (!is_plain).then(|| BASE_BYTES + LEVEL_BYTES * extent.levels + DEPTH_BYTES * extent.depth)
}

/// Runs `work` on a stack of `bytes` bytes, which are charged to the budget until `work` returns. If `bytes`
/// is `None`, runs it on the caller's stack.
///
/// # Errors
/// [`OverBudget`], also if the system has no memory for the stack.
///
/// # Panics
/// Panics if `work` panics.
pub(crate) fn on_stack<T: Send>(
    bytes: Option<usize>,
    budget: &Budget,
    work: impl FnOnce() -> T + Send,
) -> Result<T, OverBudget> {
    let Some(bytes) = bytes else { return Ok(work()) };
    let _stack = budget.reserve(bytes)?;
    scope(|scope| {
        let thread = Builder::new().name("varvite deep plan".to_owned()).stack_size(bytes);
        let thread = thread.spawn_scoped(scope, work);
        let thread = thread.map_err(|_| OverBudget { limit: budget.limit(), needed: bytes })?;
        Ok(thread.join().unwrap_or_else(|panic| resume_unwind(panic)))
    })
}
