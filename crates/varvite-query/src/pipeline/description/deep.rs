//! Work that recurses over nested pipelines of a plan, on a stack that has room for it.
//!
//! A plan may be nested 256 pipelines deep and have 100,000 steps in a row, and operators call the ones
//! before them. A usual plan runs on the caller's stack. A deeper one gets a thread of its own, whose stack
//! is as large as the plan is deep and is a part of the budget: a stack that overflows would end the process.

use std::panic::resume_unwind;
use std::thread::{Builder, scope};

use super::nested::Extent;
use varvite_graph::{Budget, OverBudget};

/// Calls inside of each other for which every stack has room.
const LEVELS_PLAIN: usize = 100;
/// The same for pipelines; each takes several calls.
const DEPTH_PLAIN: usize = 20;
/// Bytes of stack of one call of a run, and of the work for each pipeline inside of a step. Measured with as
/// many of each as there may be; without optimization frames are several times as large.
const LEVEL_BYTES: usize = if cfg!(debug_assertions) { 4 << 10 } else { 1 << 10 };
const DEPTH_BYTES: usize = if cfg!(debug_assertions) { 64 << 10 } else { 32 << 10 };
/// Bytes of stack beside these.
const BASE_BYTES: usize = 1 << 20;

/// Bytes of the stack that a plan of some extent needs; none where the caller's will do.
pub(crate) fn stack_bytes(extent: Extent) -> Option<usize> {
    let is_plain = extent.levels <= LEVELS_PLAIN && extent.depth <= DEPTH_PLAIN;
    (!is_plain).then(|| BASE_BYTES + LEVEL_BYTES * extent.levels + DEPTH_BYTES * extent.depth)
}

/// Runs `work` on a stack of `bytes`, which are charged to the budget meanwhile; on the caller's stack for 0.
///
/// # Errors
/// [`OverBudget`], also where the system has no room for the stack.
///
/// # Panics
/// Panics if `work` does.
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
