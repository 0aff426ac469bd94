//! [`TextCodes`]: the codes of texts (their numbers in the base's table of texts), kept for later diffs.
//!
//! A text that may be new must be compared with all texts of its property, unless these have an index or are
//! sorted. The first search reads all texts, which costs less than sorting them. The second search sorts the
//! texts by hash, and later searches read only one or two texts for each text that they look for.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use varvite_codec::hash;
use varvite_format::PropertyId;
use varvite_store::{AccountId, Charge, Ledger, MemoryState};

/// For each property that was searched before, the codes of its texts, if they were sorted by hash. Clones
/// share one table.
#[derive(Clone, Debug, Default)]
pub(super) struct TextCodes(Arc<Mutex<BTreeMap<PropertyId, Option<Arc<CodesByHash>>>>>);

/// How often the texts of a property were searched before.
#[derive(Clone, Debug)]
pub(super) enum Searched {
    /// The property was not searched before.
    Never,
    Once,
    ByHash(Arc<CodesByHash>),
}

/// The codes of all texts of a property, by the hashes of the texts.
#[derive(Debug)]
pub(super) struct CodesByHash {
    /// One number for each text: its upper half is the upper half of the text's hash, its lower half is the
    /// text's code. In ascending order.
    entries: Arc<[u64]>,
    _charge: Charge,
}

impl TextCodes {
    /// How often the texts of a property were searched before. Also counts the search that now begins.
    pub(super) fn search(&self, property: PropertyId) -> Searched {
        let mut properties = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        match properties.get(&property) {
            Some(Some(codes)) => Searched::ByHash(Arc::clone(codes)),
            Some(None) => Searched::Once,
            None => {
                properties.insert(property, None);
                Searched::Never
            }
        }
    }

    /// Keeps the table of a property's codes for later searches.
    pub(super) fn keep(&self, property: PropertyId, codes: CodesByHash) -> Arc<CodesByHash> {
        let codes = Arc::new(codes);
        let mut properties = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        properties.insert(property, Some(Arc::clone(&codes)));
        codes
    }

    /// Charges the bytes of the tables to the ledger of another graph that has the same columns.
    pub(super) fn move_to(&self, ledger: &Ledger) {
        let mut properties = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        for codes in properties.values_mut().flatten() {
            let bytes = size_of_val(&*codes.entries) as u64;
            let _charge = ledger.charge(AccountId::ENGINE, MemoryState::Tables, bytes);
            *codes = Arc::new(CodesByHash { entries: Arc::clone(&codes.entries), _charge });
        }
    }
}

impl CodesByHash {
    /// Bytes of memory that the codes of `texts` texts take.
    pub(super) fn bytes(texts: u32) -> u64 {
        u64::from(texts) * size_of::<u64>() as u64
    }

    /// The codes of texts with these [entries](Self::entry).
    pub(super) fn of(mut entries: Vec<u64>, charge: Charge) -> Self {
        entries.sort_unstable();
        Self { entries: entries.into(), _charge: charge }
    }

    /// The entry of a text.
    pub(super) fn entry(text: &[u8], code: u32) -> u64 {
        hash(text, 0) & !u64::from(u32::MAX) | u64::from(code)
    }

    /// The codes of texts that may equal `text`, because they have the same upper half of the hash, in
    /// ascending order.
    pub(super) fn candidates(&self, text: &[u8]) -> impl Iterator<Item = u32> {
        let first = Self::entry(text, 0);
        let start = self.entries.partition_point(|entry| *entry < first);
        let same = self.entries[start..].iter().take_while(move |entry| **entry >> 32 == first >> 32);
        same.map(|entry| *entry as u32)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_found_by_their_hashes_and_the_first_of_equal_ones_first() {
        let texts: Vec<String> = (0..1_000).map(|number| format!("text {}", number % 900)).collect();
        let entries = (0..).zip(&texts).map(|(code, text)| CodesByHash::entry(text.as_bytes(), code));
        let charge = || Ledger::new().charge(AccountId::ENGINE, MemoryState::Tables, 0);
        let codes = CodesByHash::of(entries.collect(), charge());
        for (code, text) in (0..).zip(&texts) {
            let is_same = |found: &u32| texts[*found as usize] == *text;
            assert_eq!(codes.candidates(text.as_bytes()).find(is_same), Some(code % 900));
        }
        assert!(codes.candidates(b"no text").all(|code| texts[code as usize] != "no text"));
        let (known, property) = (TextCodes::default(), PropertyId(3));
        assert!(matches!(known.search(property), Searched::Never));
        assert!(matches!(known.search(property), Searched::Once));
        known.keep(property, codes);
        let ledger = Ledger::new();
        known.move_to(&ledger);
        assert_eq!(ledger.anonymous(), 8_000);
        assert!(matches!(known.clone().search(property), Searched::ByHash(_)));
    }
}
