//! [`Limits`]: the maximum memory for reading, and the allowed expansion of compressed profiles.

use varvite::Budget;
use varvite::memory::OverBudget;
use varvite_codec::frame::Expansion;

use crate::ProfileError;

/// The roots under which outermost calls are placed, in profiles with processes and threads.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Roots {
    /// No roots: the stacks of all threads form one tree.
    #[default]
    None,
    /// A root for each process, with its name and number.
    Process,
    /// A root for each process, with a child for each thread.
    Thread,
}

/// Limits and options for reading a profile.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// The maximum memory for the profile in bytes. If a profile needs more, reading it fails.
    pub memory_bytes: usize,
    /// The maximum ratio of plain to compressed bytes of a profile.
    pub expansion: Expansion,
    /// The roots under which outermost calls are placed.
    pub roots: Roots,
}

impl Default for Limits {
    /// 1 GiB of memory, which is enough for about ten million distinct calls. For compressed profiles, 64 MiB
    /// of plain bytes or, if that is more, 200 plain bytes for each compressed byte.
    fn default() -> Self {
        Self { memory_bytes: 1 << 30, expansion: Expansion::default(), roots: Roots::None }
    }
}

impl Limits {
    /// The limits for a compressed profile of `stored_len` bytes, if the length is known.
    pub(crate) fn of_len(self, stored_len: Option<u64>) -> Self {
        let expansion = stored_len.map_or(self.expansion, |len| self.expansion.of_len(len));
        Self { expansion, ..self }
    }
}

/// The memory that was counted towards the limit so far.
#[derive(Debug)]
pub(crate) struct LimitCharge {
    budget: Budget,
    bytes: usize,
}

impl LimitCharge {
    pub(crate) fn new(limits: &Limits) -> Self {
        Self { budget: Budget::new(limits.memory_bytes), bytes: 0 }
    }

    /// Charges memory for `more` items of a vector before it grows.
    #[inline]
    pub(crate) fn make_room<T>(&mut self, items: &mut Vec<T>, more: usize) -> Result<(), ProfileError> {
        Ok(self.budget.make_room(items, more, &mut self.bytes)?)
    }

    pub(crate) fn take(&mut self, bytes: usize) -> Result<(), ProfileError> {
        Ok(self.budget.take(bytes)?)
    }
}

impl From<OverBudget> for ProfileError {
    fn from(full: OverBudget) -> Self {
        Self::OverBudget { limit: full.limit }
    }
}
