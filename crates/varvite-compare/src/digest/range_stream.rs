//! [`RangeStream`]: hashes the values or lists of owners, with one hash for each range of owners.

use super::column_tree::RangeHash;
use super::stream::Stream;

/// Makes a hash for each range of 2^`shift` possible owners that has any owner. Owners must be added in
/// ascending order.
pub(super) struct RangeStream {
    shift: u32,
    /// The content of the owners in the current range.
    pub(super) stream: Stream,
    number: Option<u32>,
    hashes: Vec<RangeHash>,
}

impl RangeStream {
    pub(super) fn new(shift: u32) -> Self {
        Self { shift, stream: Stream::default(), number: None, hashes: Vec::new() }
    }

    /// Whether an owner is in a different range than the previous owner.
    #[inline]
    pub(super) fn ends_before(&self, owner: u32) -> bool {
        self.number.is_some_and(|number| number != owner >> self.shift)
    }

    /// Starts the next owner; its data must follow in the stream.
    #[inline]
    pub(super) fn begin(&mut self, owner: u32) {
        let number = owner >> self.shift;
        if self.number != Some(number) {
            self.end_range();
            self.number = Some(number);
        }
    }

    fn end_range(&mut self) {
        if let Some(number) = self.number.take() {
            self.hashes.push(RangeHash { number, hash: self.stream.finish() });
        }
    }

    pub(super) fn finish(mut self) -> Vec<RangeHash> {
        self.end_range();
        self.hashes
    }
}
