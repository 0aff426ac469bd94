//! [`KnownTexts`]: texts as they were written before, by their codes, since names and most short texts come
//! again and again.

/// Texts that are remembered. A power of two.
const SLOTS: usize = 1 << 12;
/// Bytes of the longest, so that a slot is a line of a processor's cache.
const BYTES_MAX: usize = 59;

/// Written texts of one column, each in the one slot that its code has: a newer one takes the place of an
/// older.
#[derive(Debug, Default)]
pub(crate) struct KnownTexts {
    /// Nothing before the first text.
    slots: Vec<Slot>,
}

#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
struct Slot {
    code: u32,
    /// None are in an empty slot: every text that is written has a byte at least.
    len: u8,
    text: [u8; BYTES_MAX],
}

const _: () = assert!(size_of::<Slot>() == 64);

const EMPTY: Slot = Slot { code: 0, len: 0, text: [0; BYTES_MAX] };

impl KnownTexts {
    /// Appends the text of a code, if it is known.
    #[inline]
    fn push(&self, out: &mut Vec<u8>, code: u32) -> bool {
        let Some(slot) = self.slots.get(code as usize % SLOTS) else { return false };
        if slot.code != code || slot.len == 0 {
            return false;
        }
        let end = out.len() + usize::from(slot.len);
        // All of it, since a copy of fixed size is no call.
        out.extend_from_slice(&slot.text);
        out.truncate(end);
        true
    }

    /// Appends the text of a code: from the cache, else by `write`, which returns whether it could read it.
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
        if written.len() > BYTES_MAX {
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
