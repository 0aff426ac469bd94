//! Computes the length of the text that results if all stacks are written out. This length grows with the
//! square of the depth of calls.

use thiserror::Error;
use varvite_codec::frame::Expansion;

use super::stored::HeapLayer;

/// Number of bytes that a step is assumed to take in a file. The length of the text of all stacks is compared
/// with the bytes that the steps take.
const WRITTEN_STEP_BYTES: u64 = 32;

impl HeapLayer {
    /// Checks that the text of all stacks, each written with the names of all its functions, would not be too
    /// long compared with the profile. The text's length grows with the square of the depth of calls.
    ///
    /// **Cost**: a pass over the tree.
    ///
    /// # Errors
    /// [`LongStacks`]
    pub fn check_stacks(&self, expansion: Expansion) -> Result<(), LongStacks> {
        let name_len = |place: u32| self.places[place as usize].function.len() as u64 + 1;
        let (mut lengths, mut bytes) = (Vec::with_capacity(self.tree.len()), 0u64);
        for (node, own) in (0..).zip(&self.tree.own) {
            let above = self.tree.parent(node).map_or(0, |above| lengths[above as usize]);
            let length: u64 = above + name_len(self.tree.place_of[node as usize]);
            lengths.push(length);
            bytes = bytes.saturating_add(if own.is_zero() { 0 } else { length });
        }
        let steps = self.tree.len() as u64;
        if bytes <= expansion.plain_len_max(steps * WRITTEN_STEP_BYTES) {
            return Ok(());
        }
        Err(LongStacks { bytes, steps, ratio_max: expansion.ratio() })
    }
}

/// The error if the stacks, written one by one, would be far longer than the tree of calls.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error(
    "the stacks of {steps} calls are so deep that their text would have {bytes} bytes, more than {ratio_max} \
     times the profile; raise the limit with --expansion N, or draw them as svg or html"
)]
pub struct LongStacks {
    /// The length of the text of all stacks in bytes.
    pub bytes: u64,
    /// The number of steps in the tree of calls.
    pub steps: u64,
    /// The allowed number of bytes of text for each byte of the profile.
    pub ratio_max: u64,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Limits, collapsed};

    #[test]
    fn a_chain_is_as_long_as_the_square_of_its_calls() {
        // The stack of call n has n names, and a separator after each name.
        let text: String = (1..=1000).map(|calls| format!("{} 1\n", vec!["f"; calls].join(";"))).collect();
        let profile = collapsed::read(text.as_bytes(), &Limits::default()).expect("it is a profile");
        let layer = HeapLayer::of_profile(&profile, &Limits::default()).expect("there is room");
        let bytes = 1000 * 1001;
        let error = layer.check_stacks(Expansion::new(1).with_free_len(bytes - 1)).unwrap_err();
        assert_eq!(error, LongStacks { bytes, steps: 1000, ratio_max: 1 });
        assert_eq!(layer.check_stacks(Expansion::new(1).with_free_len(bytes)), Ok(()));
        assert_eq!(layer.check_stacks(Expansion::new(32).with_free_len(0)), Ok(()));
        assert_eq!(layer.check_stacks(Expansion::default()), Ok(()));
    }
}
