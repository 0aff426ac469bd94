//! [`KnownTexts`]: a cache that maps the code of a text (its number in the string table) to its rendered
//! form. Names and most short texts occur repeatedly.

/// The number of cached texts. A power of two.
const SLOTS: usize = 1 << 12;
/// The maximum length in bytes of a cached text, chosen so that a slot fills one cache line of the processor.
const BYTES_MAX: usize = 59;

/// A cache of the rendered texts of one column. The code of a text determines its slot; a text replaces the
/// one that was in its slot before.
#[derive(Debug, Default)]
pub(crate) struct KnownTexts {
    /// The slots. Empty until the first text is cached.
    slots: Vec<Slot>,
}

#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
struct Slot {
    code: u32,
    /// The length of the text. 0 marks an empty slot; a text that is rendered as nothing is not cached.
    len: u8,
    text: [u8; BYTES_MAX],
}

const _: () = assert!(size_of::<Slot>() == 64);

const EMPTY: Slot = Slot { code: 0, len: 0, text: [0; BYTES_MAX] };

impl KnownTexts {
    /// Appends the text of a code if it is cached. Returns false otherwise.
    #[inline]
    fn push(&self, out: &mut Vec<u8>, code: u32) -> bool {
        let Some(slot) = self.slots.get(code as usize % SLOTS) else { return false };
        if slot.code != code || slot.len == 0 {
            return false;
        }
        let end = out.len() + usize::from(slot.len);
        // The whole slot is copied and then truncated, since a copy of fixed size needs no function call.
        out.extend_from_slice(&slot.text);
        out.truncate(end);
        true
    }

    /// Appends the text of a code: from the cache or, if the text is not there, by a call of `write`. Returns
    /// false if `write` returns false, because it could not read the text.
    #[inline]
    pub(crate) fn push_or(
        &mut self,
        out: &mut Vec<u8>,
        code: u32,
        write: impl FnOnce(&mut Vec<u8>) -> bool,
    ) -> bool {
        if self.push(out, code) {
            return true;
        }
        let start = out.len();
        let is_written = write(out);
        if is_written {
            self.remember(code, &out[start..]);
        }
        is_written
    }

    fn remember(&mut self, code: u32, written: &[u8]) {
        if written.is_empty() || written.len() > BYTES_MAX {
            return;
        }
        if self.slots.is_empty() {
            self.slots.resize(SLOTS, EMPTY);
        }
        let slot = &mut self.slots[code as usize % SLOTS];
        (slot.code, slot.len) = (code, written.len() as u8);
        slot.text[..written.len()].copy_from_slice(written);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_known_until_another_takes_its_place() {
        let (mut texts, slots) = (KnownTexts::default(), SLOTS as u32);
        let found = |texts: &KnownTexts, code| {
            let mut out = b"before ".to_vec();
            texts.push(&mut out, code).then(|| String::from_utf8(out).unwrap())
        };
        assert_eq!(found(&texts, 0), None);
        texts.remember(7, b"seven");
        assert_eq!(
            [0, 7, 7 + slots].map(|code| found(&texts, code)),
            [None, Some("before seven".into()), None]
        );
        texts.remember(7 + slots, b"later");
        assert_eq!([7, 7 + slots].map(|code| found(&texts, code)), [None, Some("before later".into())]);
        texts.remember(8, &[b'x'; BYTES_MAX + 1]);
        assert_eq!(found(&texts, 8), None);
    }
}
