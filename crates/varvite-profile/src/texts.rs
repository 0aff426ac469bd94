//! [`Texts`]: the texts of a profile, in one buffer.

use crate::ProfileError;
use crate::limits::LimitCharge;

/// The number of a text in a profile, from 1; 0 means no text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TextId(pub u32);

impl TextId {
    /// The id that means no text.
    pub const NONE: Self = Self(0);

    /// Whether this is the id of a text, and not [`TextId::NONE`].
    pub fn is_some(self) -> bool {
        self != Self::NONE
    }
}

/// The texts of a profile.
#[derive(Clone, Debug, Default)]
pub struct Texts {
    bytes: String,
    ends: Vec<usize>,
}

impl Texts {
    /// Adds a text. Bytes that are not UTF-8 are replaced by the replacement character.
    pub(crate) fn push(&mut self, bytes: &[u8], held: &mut LimitCharge) -> Result<TextId, ProfileError> {
        let text = String::from_utf8_lossy(bytes);
        let number = u32::try_from(self.ends.len() + 1)
            .map_err(|_| ProfileError::TooMany { what: "texts", limit: u32::MAX.into() })?;
        if self.bytes.capacity() - self.bytes.len() < text.len() {
            let more = self.bytes.capacity().max(text.len()).max(1 << 10);
            held.take(more)?;
            self.bytes.reserve_exact(self.bytes.capacity() - self.bytes.len() + more);
        }
        held.make_room(&mut self.ends, 1)?;
        self.bytes.push_str(&text);
        self.ends.push(self.bytes.len());
        Ok(TextId(number))
    }

    /// The number of texts.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there are no texts.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// The text with an id; `None` for [`TextId::NONE`] and for ids that do not exist.
    pub fn get(&self, id: TextId) -> Option<&str> {
        let number = (id.0 as usize).checked_sub(1)?;
        let end = *self.ends.get(number)?;
        let start = number.checked_sub(1).map_or(0, |before| self.ends[before]);
        self.bytes.get(start..end)
    }
}
