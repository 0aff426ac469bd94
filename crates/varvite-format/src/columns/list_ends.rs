//! [`ListEnds`]: a fast reader of the starts and ends of lists, for loops that read one start and one end in
//! every hop.

use std::ops::Deref;

use crate::Ints;
use crate::columns::two_level::TwoLevel;

/// Reads a column that contains the start of each list, and then the end of the last list.
#[derive(Clone, Debug)]
pub struct ListEnds<B> {
    /// The reader of a two-level column with base 0; `None` for other columns, which are read through `ints`.
    levels: Option<TwoLevel<B>>,
    ints: Ints<B>,
}

impl<B: Deref<Target = [u8]> + Clone> ListEnds<B> {
    /// A reader of the list starts in `ints`. The number of lists is one less than the number of values.
    pub fn new(ints: Ints<B>) -> Self {
        Self { levels: ints.levels(), ints }
    }

    /// A general reader of the same column.
    pub fn ints(&self) -> &Ints<B> {
        &self.ints
    }

    /// The start and end of list number `list`. `None` past the last list, and if bytes are missing.
    ///
    /// This method is always inlined, and includes the code for only one encoding. Without inlining, the pair
    /// would be returned through memory, which doubles the time of a hop.
    #[inline(always)]
    pub fn of(&self, list: usize) -> Option<(u64, u64)> {
        match &self.levels {
            Some(levels) if list < self.ints.len().saturating_sub(1) => {
                levels.pair(list).map(|(start, end)| (start.into(), end.into()))
            }
            _ => self.of_other_forms(list),
        }
    }

    fn of_other_forms(&self, list: usize) -> Option<(u64, u64)> {
        if let Some(values) = self.ints.as_u32_slice()
            && let Some([start, end]) = values.get(list..).and_then(|ends| ends.first_chunk())
        {
            return Some(((*start).into(), (*end).into()));
        }
        self.ints.pair(list)
    }
}
