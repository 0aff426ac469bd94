//! Sums the allocations of a run by size class.

use varvite::Graph;

use super::read_error::LayerReadError;
use super::stored::HeapLayer;
use super::stored_events::StoredEvents;
use crate::events::{Event, EventKind};

/// The allocations of a size class. A class ends at a power of two, and begins after the end of the previous
/// class.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SizeRow {
    /// The smallest size of the class, in bytes.
    pub from_bytes: i64,
    /// The largest size of the class, in bytes.
    pub to_bytes: i64,
    /// The number of allocations.
    pub calls: i64,
    /// The number of allocations that were freed before the next allocation.
    pub temporary: i64,
    /// The total number of allocated bytes.
    pub bytes: i64,
    /// The number of allocations that were never freed.
    pub live_blocks: i64,
    /// The number of bytes that were never freed.
    pub live_bytes: i64,
}

/// The largest size of the first class, which is eight bytes, as an exponent of two.
const FIRST: u32 = 3;
/// Number of classes for all 63-bit sizes.
const CLASSES: usize = (i64::BITS - FIRST) as usize;

impl HeapLayer {
    /// The allocations of the run by size class, smallest sizes first. Empty classes are left out.
    ///
    /// **Cost**: linear in the number of events of the run.
    ///
    /// # Errors
    /// [`LayerReadError::NoEvents`] if the layer was imported without events; an error for damage, and for
    /// cancellation.
    pub fn sizes(&self, graph: &Graph) -> Result<Vec<SizeRow>, LayerReadError> {
        let events = StoredEvents::open(graph, &self.names, self.tree.len(), &self.budget)?;
        let mut classes = [SizeRow::default(); CLASSES];
        for stretch in 0..events.stretch_count() {
            graph.check()?;
            events.for_each(stretch, u64::MAX, |_, event, kind| {
                classes[class_of(kind.bytes)].add(event, kind);
            })?;
        }
        let classes =
            classes.into_iter().enumerate().filter(|(_, row)| row.calls > 0 || row.live_blocks != 0);
        Ok(classes.map(|(class, row)| row.of_class(class)).collect())
    }
}

/// The number of the size class for a number of bytes. Negative numbers are in the first class.
fn class_of(bytes: i64) -> usize {
    let size = u64::try_from(bytes).unwrap_or(0).max(1);
    (size.next_power_of_two().ilog2().saturating_sub(FIRST) as usize).min(CLASSES - 1)
}

impl SizeRow {
    fn add(&mut self, event: Event, EventKind { bytes, .. }: EventKind) {
        let sign = if event.gives_back { -1 } else { 1 };
        self.live_blocks += sign;
        self.live_bytes = self.live_bytes.saturating_add(bytes.saturating_mul(sign));
        if !event.gives_back {
            self.calls += 1;
            self.bytes = self.bytes.saturating_add(bytes);
        }
        self.temporary += i64::from(event.is_temporary);
    }

    fn of_class(self, class: usize) -> Self {
        let end =
            |class: usize| 1i64.checked_shl(class as u32 + FIRST).filter(|end| *end > 0).unwrap_or(i64::MAX);
        let from_bytes = class.checked_sub(1).map_or(0, |before| end(before).saturating_add(1));
        Self { from_bytes, to_bytes: end(class), ..self }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes_end_with_powers_of_two() {
        for (bytes, from, to) in [
            (-1, 0, 8),
            (0, 0, 8),
            (8, 0, 8),
            (9, 9, 16),
            (1024, 513, 1024),
            (1025, 1025, 2048),
            (i64::MAX, (1 << 62) + 1, i64::MAX),
        ] {
            let row = SizeRow::default().of_class(class_of(bytes));
            assert_eq!((row.from_bytes, row.to_bytes), (from, to), "{bytes}");
        }
    }
}
