//! [`ChangeSet`]: everything that was changed since the columns of a graph were written.
//!
//! Plain vectors, so that a million edges take eight megabytes, or a disk for edges that have no room in memory. What is the same whatever the history, such as the owners
//! of changed values, rises; appended edges keep the order in which they came, because their ranks follow from it.

use std::collections::hash_map::Entry;
use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use varvite_codec::hash;
use varvite_format::{EdgeLabelId, PropertyId};
use varvite_store::{Scratch, StoreError};

use super::ends::Ends;
use crate::error::Result;

/// The code of a value that is there and is nothing, where values are texts.
pub(super) const NULL: i64 = i64::MIN;

/// Everything that was changed since the columns of a graph were written.
#[derive(Clone, Debug, Default)]
pub(crate) struct ChangeSet {
    /// Nodes of the base; appended ones follow.
    pub(crate) base_nodes: u32,
    /// The code of the label set of each appended node.
    pub(crate) codes: Vec<u32>,
    /// Removed nodes, rising.
    pub(crate) removed: Vec<u32>,
    /// What was changed of the edges of each label.
    pub(crate) edges: BTreeMap<EdgeLabelId, EdgeChanges>,
    /// What was changed of the values of each property.
    pub(crate) properties: BTreeMap<PropertyId, PropertyChanges>,
    /// Where edges go that memory has no room for.
    pub(super) scratch: Option<Arc<Scratch>>,
}

/// What was changed of the edges of one label.
#[derive(Clone, Debug, Default)]
pub(crate) struct EdgeChanges {
    /// The number of the first appended edge: the edges of the base, or its nodes where the base has a forest.
    pub(crate) first: u32,
    /// The appended edges.
    pub(crate) ends: Ends,
    /// The numbers of removed edges, rising.
    pub(crate) removed: Vec<u32>,
    /// The positions of removed entries in the in-lists of the base, rising.
    pub(crate) removed_in: Vec<u32>,
}

/// What was changed of the values of one property.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct PropertyChanges {
    /// Whose values are here and not in the base, rising.
    pub(crate) owners: Vec<u32>,
    /// Where the values of each of them end; there may be none.
    pub(crate) ends: Vec<u32>,
    /// The values. Texts have codes: those of the base, then those of `texts`, and [`NULL`].
    pub(crate) values: Vec<i64>,
    /// The texts that the base does not have; none if values are no texts.
    pub(crate) texts: Option<NewTexts>,
}

/// Texts that the table of the base does not have.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct NewTexts {
    /// How many texts the base has.
    pub(super) base: u32,
    /// All texts, end to end.
    pub(super) pool: Vec<u8>,
    /// Where each ends.
    pub(super) ends: Vec<u32>,
    /// Whether the owners of the base that have null among their values are among the changes.
    pub(super) has_nulls: bool,
    pub(super) numbers: TextNumbers,
}

/// The numbers of texts by their hashes: as far as somebody looked for few among many.
#[derive(Clone, Debug, Default)]
pub(super) struct TextNumbers {
    /// By the hash with the first seed that no other text has.
    by_hash: HashMap<u64, u32>,
    /// How many are in it.
    count: u32,
}

/// It follows from the texts.
impl PartialEq for TextNumbers {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Eq for TextNumbers {}

/// How much there was before a diff: what it only appends to can be cut off again.
#[derive(Debug)]
pub(super) struct Mark {
    codes: usize,
    edges: Vec<(EdgeLabelId, u32)>,
}

impl Mark {
    pub(super) fn of(changes: &ChangeSet) -> Self {
        let edges = changes.edges.iter().map(|(label, changed)| (*label, changed.ends.len()));
        Self { codes: changes.codes.len(), edges: edges.collect() }
    }
}

impl ChangeSet {
    /// Undoes what a diff did that removes nothing, before it gave values.
    pub(super) fn back_to(&mut self, mark: &Mark) {
        self.codes.truncate(mark.codes);
        self.edges.retain(|label, changed| {
            let known = mark.edges.iter().find(|(known, _)| known == label);
            known.is_some_and(|(_, edges)| {
                changed.ends.truncate(*edges);
                true
            })
        });
    }

    /// Whether the graph is the base.
    pub(super) fn is_empty(&self) -> bool {
        let Self { base_nodes: _, codes, removed, edges, properties, scratch: _ } = self;
        codes.is_empty() && removed.is_empty() && edges.is_empty() && properties.is_empty()
    }

    /// Passes if what can't go to a disk is within the memory that work may use.
    pub(super) fn check_memory(&self) -> Result<()> {
        let Some(scratch) = &self.scratch else { return Ok(()) };
        let (limit, needed) = (scratch.memory() as u64, self.kept_bytes() as u64);
        if needed > limit { Err(StoreError::OverBudget { limit, needed }.into()) } else { Ok(()) }
    }

    /// Bytes of everything but appended edges.
    fn kept_bytes(&self) -> usize {
        let removed =
            |changed: &EdgeChanges| size_of_val(&*changed.removed) + size_of_val(&*changed.removed_in);
        let texts = |texts: &NewTexts| texts.pool.len() + size_of_val(&*texts.ends);
        let values = |changed: &PropertyChanges| {
            let numbers = size_of_val(&*changed.owners) + size_of_val(&*changed.ends);
            numbers + size_of_val(&*changed.values) + changed.texts.as_ref().map_or(0, texts)
        };
        size_of_val(&*self.codes)
            + size_of_val(&*self.removed)
            + self.edges.values().map(removed).sum::<usize>()
            + self.properties.values().map(values).sum::<usize>()
    }

    /// How many nodes there are, appended and removed ones included.
    pub(super) fn nodes(&self) -> u32 {
        self.base_nodes + self.codes.len() as u32
    }
}

impl EdgeChanges {
    /// The number behind those of all edges.
    pub(super) fn end(&self) -> u32 {
        self.first + self.ends.len()
    }
}

impl PropertyChanges {
    /// Each owner, and its values.
    pub(super) fn lists(&self) -> impl Iterator<Item = (u32, &[i64])> {
        lists(&self.owners, &self.ends, &self.values)
    }

    /// The values of an owner; none if they are those of the base.
    pub(super) fn of(&self, owner: u32) -> Option<&[i64]> {
        let index = self.owners.binary_search(&owner).ok()?;
        let start = index.checked_sub(1).map_or(0, |before| self.ends[before]);
        Some(&self.values[start as usize..self.ends[index] as usize])
    }
}

/// Each owner, and its values, which end where `ends` says.
pub(super) fn lists<'a>(
    owners: &'a [u32],
    ends: &'a [u32],
    values: &'a [i64],
) -> impl Iterator<Item = (u32, &'a [i64])> {
    let starts = std::iter::once(&0).chain(ends);
    let lists = starts.zip(ends).map(|(start, end)| &values[*start as usize..*end as usize]);
    owners.iter().copied().zip(lists)
}

impl NewTexts {
    /// How many there are.
    pub(super) fn len(&self) -> u32 {
        self.ends.len() as u32
    }

    /// The index of a text that is among these. Costs the texts that came since it was asked for the last time.
    pub(super) fn find_one(&mut self, text: &[u8]) -> Option<u32> {
        let mut numbers = std::mem::take(&mut self.numbers);
        for number in numbers.count..self.len() {
            let of = (0..).find_map(|seed| match numbers.by_hash.entry(hash(self.get(number), seed)) {
                Entry::Vacant(place) => Some(*place.insert(number)),
                Entry::Occupied(other) => (self.get(*other.get()) == self.get(number)).then_some(number),
            });
            debug_assert_eq!(of, Some(number));
        }
        numbers.count = self.len();
        let found = (0..).map_while(|seed| numbers.by_hash.get(&hash(text, seed)));
        let found = found.copied().find(|number| self.get(*number) == text);
        self.numbers = numbers;
        found
    }

    /// A text by its index, without those of the base.
    pub(super) fn get(&self, index: u32) -> &[u8] {
        let start = index.checked_sub(1).map_or(0, |before| self.ends[before as usize]);
        &self.pool[start as usize..self.ends[index as usize] as usize]
    }
}
