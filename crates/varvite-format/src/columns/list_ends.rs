//! [`ListEnds`]: a shortcut to columns of where lists start and end, for the loops that read two of them a
//! hop.

use std::ops::Deref;

use crate::Ints;
use crate::columns::two_level::TwoLevel;

/// The start of each of many lists, and the end of the last.
#[derive(Clone, Debug)]
pub struct ListEnds<B> {
    /// The values, if the column has that form and counts from zero; other values are read from the column.
    levels: Option<TwoLevel<B>>,
    ints: Ints<B>,
}

impl<B: Deref<Target = [u8]> + Clone> ListEnds<B> {
    /// The ends of lists that `ints` holds: of one list less than there are values.
    pub fn new(ints: Ints<B>) -> Self {
        Self { levels: ints.levels(), ints }
    }

    /// The column behind the shortcut.
    pub fn ints(&self) -> &Ints<B> {
        &self.ints
    }

    /// The start and end of list number `list`. None past the last, and if bytes are missing.
    ///
    /// Always inlined, and for one form alone: a pair returned from a call goes through memory, which doubles
    /// the time of a hop.
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
