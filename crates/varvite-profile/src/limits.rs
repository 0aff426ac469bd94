//! [`Limits`]: the memory that reading may take, and how long compressed profiles may be.

use varvite::Budget;
use varvite::memory::OverBudget;
use varvite_codec::frame::Expansion;

use crate::ProfileError;

/// The roots above the outermost calls, for profiles with processes and threads.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Roots {
    /// Nothing: stacks of all threads are one tree.
    #[default]
    None,
    /// The process: its name and its number.
    Process,
    /// The process, and below it the thread.
    Thread,
}

/// Limits of reading a profile, and options.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Bytes of the profile in memory; a profile that needs more is an error.
    pub memory_bytes: usize,
    /// The largest ratio of plain to compressed bytes of a profile.
    pub expansion: Expansion,
    /// The roots above the outermost calls.
    pub roots: Roots,
}

impl Default for Limits {
    /// 1 GiB: some ten million distinct calls. 200 bytes for each byte of a compressed profile, beyond 64
    /// MiB.
    fn default() -> Self {
        Self { memory_bytes: 1 << 30, expansion: Expansion::default(), roots: Roots::None }
    }
}

impl Limits {
    /// The same, of a compressed profile that is so long in all, if that is known.
    pub(crate) fn of_len(self, stored_len: Option<u64>) -> Self {
        let expansion = stored_len.map_or(self.expansion, |len| self.expansion.of_len(len));
        Self { expansion, ..self }
    }
}

/// The bytes charged so far.
#[derive(Debug)]
pub(crate) struct LimitCharge {
    budget: Budget,
    bytes: usize,
}

impl LimitCharge {
    pub(crate) fn new(limits: &Limits) -> Self {
        Self { budget: Budget::new(limits.memory_bytes), bytes: 0 }
    }

    /// Takes memory for more items of a vector before it grows.
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
