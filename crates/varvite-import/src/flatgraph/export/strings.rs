//! [`Strings`]: the one string pool of a flatgraph file, and the pool indexes of each property's strings.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::hash::{BuildHasher, RandomState};

use varvite::columns::in_order;
use varvite::{Graph, GraphError, Property, PropertyId, PropertyInfo, Task, ValueType};
use varvite_format::{Claim, Excess, Fault, FormatError};
use varvite_store::Charge;

use super::error::ExportError;
use crate::flatgraph::{FlatgraphError, StringPool};

/// Every distinct string of the graph, in the order of first use. Edge properties come first, as in
/// flatgraph.
pub(super) struct Strings {
    pool: StringPool,
    /// For each property: the pool index of each of its strings, by code.
    indexes: Vec<Indexes>,
    _held: Charge,
}

/// The pool index of each string of a property, by code; -1 for null, as in flatgraph.
#[derive(Clone, Default)]
pub(super) struct Indexes {
    /// The pool index of each text, then of null, then of the value that is written for a missing value (the
    /// default, or null).
    of_code: Vec<i32>,
}

const NULL: i32 = -1;

impl Indexes {
    /// The pool index of the string with a code; `None` if the property does not have the code.
    #[inline]
    pub(super) fn get(&self, code: i64) -> Option<i32> {
        self.of_code.get(usize::try_from(code).ok()?).copied()
    }

    /// The code that stands for a missing value.
    pub(super) fn absent(&self) -> i64 {
        self.of_code.len() as i64 - 1
    }
}

impl Strings {
    /// Numbers all strings. Reads every value of every text property: several threads find the first uses for
    /// each property, and one thread merges them.
    pub(super) fn read(
        graph: &Graph,
        properties: &[(PropertyId, PropertyInfo)],
        task: &Task<'_>,
    ) -> Result<Self, ExportError> {
        let infos = graph.properties();
        let texts = properties
            .iter()
            .map(|(id, _)| *id)
            .filter(|id| infos[id.index()].value_type == ValueType::String);
        let (of_edges, of_nodes): (Vec<PropertyId>, Vec<PropertyId>) =
            texts.partition(|id| infos[id.index()].edge_label.is_some());
        let jobs = [of_edges, of_nodes].concat();
        let mut indexes = vec![Indexes::default(); infos.len()];
        // Each text takes memory for its pool index and, while first uses are collected, for a flag and for
        // its entry in the list of first uses.
        let texts = texts_of(graph, &jobs)?;
        let _held = graph.scratch(texts * size_of::<i32>() as u64)?;
        let _seen = graph.scratch(texts * (1 + 2 * size_of::<u32>() as u64))?;
        let mut interner = Interner::new(graph.scratch(0)?, graph.store().superblock().file_len);
        let first_uses = |id: &PropertyId| {
            task.check()?;
            let property = graph.property_at(*id)?;
            let codes = first_uses(&property).ok_or_else(|| damaged(graph, &infos[id.index()].name))?;
            Ok((*id, property, codes))
        };
        let number = |(id, property, codes): (PropertyId, Property, Vec<u32>)| {
            let info = &infos[id.index()];
            let found = interner.number(graph, &property, &codes, task)?;
            let mut of_code = found.ok_or_else(|| damaged(graph, &info.name))?;
            let default = info.default.as_deref().filter(|_| info.edge_label.is_some());
            of_code.push(default.map_or(Ok(NULL), |text| interner.index_of(text))?);
            indexes[id.index()] = Indexes { of_code };
            Ok::<_, ExportError>(())
        };
        in_order(&jobs, task.thread_count(), first_uses, number)?;
        Ok(Self { pool: interner.pool, indexes, _held })
    }

    pub(super) fn pool(&self) -> &StringPool {
        &self.pool
    }

    /// The pool indexes of a property's strings.
    pub(super) fn of_property(&self, property: PropertyId) -> &Indexes {
        &self.indexes[property.index()]
    }
}

/// The number of texts of these properties, plus two special entries for each property.
fn texts_of(graph: &Graph, properties: &[PropertyId]) -> Result<u64, ExportError> {
    properties.iter().try_fold(0, |sum, id| {
        let property = graph.property_at(*id)?;
        Ok(sum + property.strings().map_or(0, |strings| u64::from(strings.len())) + 2)
    })
}

/// The codes of a text property in the order of their first use; `None` if a value has no text.
fn first_uses(property: &Property) -> Option<Vec<u32>> {
    let mut seen = vec![false; property.strings()?.len() as usize + 1];
    let (mut codes, mut fits) = (Vec::new(), true);
    property.for_each(|_, code| match usize::try_from(code).ok().and_then(|code| seen.get_mut(code)) {
        Some(true) => {}
        Some(seen) => {
            *seen = true;
            codes.push(code as u32);
        }
        None => fits = false,
    });
    fits.then_some(codes)
}

fn damaged(graph: &Graph, property: &str) -> ExportError {
    let part = format!("strings of property {property}");
    let fault = Fault::Missing { what: "text for every value", number: None };
    graph.store().damaged(FormatError::damaged(part, fault)).into()
}

/// Number of texts between two checks for cancellation.
const CANCEL_TEXTS: usize = 1 << 10;

/// A string pool that can find the strings it already contains.
struct Interner {
    pool: StringPool,
    /// The charged memory of the pool.
    held: Charge,
    /// The number of bytes of texts that may still be read. In a hostile file texts may overlap, so that
    /// their total length exceeds that of any pool.
    texts_left: u64,
    hasher: RandomState,
    /// The pool index of a string by its hash, or by the next free number if hashes collide.
    index_of_hash: HashMap<u64, i32>,
}

impl Interner {
    /// Largest number of bytes of text for each byte of the file; the same limit applies to other scans of a
    /// whole graph.
    const TEXT_OF_BYTE: u64 = 1024;

    fn new(held: Charge, file_len: u64) -> Self {
        let (pool, hasher, index_of_hash) = Default::default();
        let texts_left = file_len.saturating_mul(Self::TEXT_OF_BYTE);
        Self { pool, held, texts_left, hasher, index_of_hash }
    }

    /// The pool index of each used code; -1 for null and for unused codes. `None` if a code has no text.
    fn number(
        &mut self,
        graph: &Graph,
        property: &Property,
        codes: &[u32],
        task: &Task<'_>,
    ) -> Result<Option<Vec<i32>>, ExportError> {
        let Some(strings) = property.strings() else { return Ok(None) };
        let (null, mut reader) = (strings.len(), strings.reader());
        let mut indexes = vec![NULL; null as usize + 1];
        for (number, code) in codes.iter().copied().enumerate().filter(|(_, code)| *code != null) {
            if number.is_multiple_of(CANCEL_TEXTS) {
                task.check()?;
            }
            let Some(text) = reader.str(code) else { return Ok(None) };
            self.count(graph, text)?;
            indexes[code as usize] = self.index_of(text)?;
            self.check_memory(graph)?;
        }
        Ok(Some(indexes))
    }

    fn count(&mut self, graph: &Graph, text: &str) -> Result<(), GraphError> {
        let left = self.texts_left.checked_sub(text.len() as u64);
        self.texts_left = left.ok_or_else(|| {
            let file_len = graph.store().superblock().file_len;
            let limit = file_len.saturating_mul(Self::TEXT_OF_BYTE);
            let excess = Excess { claim: Claim::OverlappingTexts, found: limit + 1, limit, file_len };
            graph.store().damaged(excess.refusal())
        })?;
        Ok(())
    }

    /// Checks that the pool is within the memory limit of the graph.
    fn check_memory(&mut self, graph: &Graph) -> Result<(), GraphError> {
        // The bytes are counted twice because vectors grow by doubling. A string also takes an offset and a
        // hash.
        let bytes = 2 * (self.pool.text().len() + 16 * self.pool.len()) as u64;
        if bytes > self.held.bytes() {
            self.held.resize(bytes + (1 << 20));
            graph.store().check_memory()?;
        }
        Ok(())
    }

    fn index_of(&mut self, text: &str) -> Result<i32, FlatgraphError> {
        let mut hash = self.hasher.hash_one(text);
        loop {
            match self.index_of_hash.entry(hash) {
                Entry::Vacant(entry) => return Ok(*entry.insert(self.pool.push(text)?)),
                Entry::Occupied(entry) if self.pool.get(*entry.get() as usize) == Some(text) => {
                    return Ok(*entry.get());
                }
                Entry::Occupied(_) => hash = hash.wrapping_add(1),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use varvite_store::{AccountId, Ledger, MemoryState};

    fn interner() -> Interner {
        Interner::new(Ledger::new().charge(AccountId::ENGINE, MemoryState::Scratch, 0), 0)
    }

    #[test]
    fn equal_strings_have_one_index_in_order_of_first_use() {
        let mut interner = interner();
        let indexes = ["b", "a", "b", "", "a"].map(|text| interner.index_of(text).unwrap());
        assert_eq!(indexes, [0, 1, 0, 2, 1]);
        assert!(interner.pool.iter().eq(["b", "a", ""]));
    }

    #[test]
    fn strings_whose_hashes_collide_are_told_apart() {
        let mut interner = interner();
        let hash = interner.hasher.hash_one("b");
        let other = interner.pool.push("a").unwrap();
        interner.index_of_hash.insert(hash, other);
        assert_eq!([interner.index_of("b").unwrap(), interner.index_of("b").unwrap()], [1, 1]);
    }
}
