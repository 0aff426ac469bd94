//! [`TextIndex`]: finds the nodes that have a text, without reading any other node.
//!
//! A hash table gives the code of the text, and the code gives its nodes, grouped by label set. So the nodes
//! with the label CALL and a given name are counted without reading any node. The index repeats data of the
//! property's columns. `verify` compares the index with these columns; reads here check only as much as
//! memory safety and the end of every loop require. The columns of the index belong to the base. For values
//! that changed since the base was written, [`IndexChange`] has the differences.

use std::iter::FusedIterator;
use std::ops::Range;
use std::sync::Arc;

use varvite_format::{ColumnId, Fault, FormatError, Ints, LabelId, Owner, PropertyId, Strings, TextIndexRow};
use varvite_store::{AccountId, MemoryState, Pinned};

use crate::cursor::columns::index_name;
use crate::cursor::damage::Damage;
use crate::cursor::texts::Texts;
use crate::cursor::value::ValueType;
use crate::error::Result;
use crate::graph::Graph;
use crate::overlay::index_change::IndexChange;
use crate::schema::PropertyInfo;

/// The index of a property of nodes. Cheap to clone, shared between threads.
///
/// # Example
/// ```no_run
/// # fn main() -> varvite::Result<()> {
/// let graph = varvite::Graph::open("code.varvite")?;
/// if let Some(names) = graph.text_index("NAME")? {
///     let calls = names.nodes_with("memcpy", graph.label("CALL")?);
///     println!("{} calls of memcpy", calls.len());
/// }
/// graph.check()
/// # }
/// ```
#[derive(Clone, Debug)]
pub struct TextIndex {
    strings: Texts,
    /// The changes since the base was written; `None` if there are none.
    change: Option<Arc<IndexChange>>,
    buckets: Ints<Pinned>,
    codes: Ints<Pinned>,
    groups: Ints<Pinned>,
    sets: Ints<Pinned>,
    starts: Ints<Pinned>,
    nodes: Ints<Pinned>,
    /// The masks of label sets; each has `words` words.
    masks: Arc<[u64]>,
    words: usize,
    node_count: u32,
    damage: Damage,
}

/// The nodes that have one text and one label set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct TextGroup {
    /// The code of the label set, as [`Labels::code`](crate::Labels::code) returns it.
    pub label_set: u32,
    /// The number of nodes, never 0.
    pub len: u32,
    /// The code of the text.
    code: u32,
    /// The position in the index of the first node of the group in the base.
    start: usize,
    /// The number of nodes of the group in the base.
    base_len: u32,
}

/// The number of nodes that are read at a time.
const CHUNK: usize = 1024;

impl Graph {
    /// The text index of a property of nodes; `None` if the file has none. The call takes a few microseconds.
    /// A look-up takes a few microseconds more if the pages that it needs are not in memory. If values of the
    /// property changed or nodes were removed, the first call reads and sorts these changes.
    ///
    /// # Errors
    /// [`GraphError::Unknown`](crate::GraphError::Unknown), or
    /// [`GraphError::Store`](crate::GraphError::Store) for a damaged index.
    pub fn text_index(&self, property: &str) -> Result<Option<TextIndex>> {
        let property = self.property_id(property)?;
        let rows = &self.store().directory().text_indexes;
        let Ok(place) = rows.binary_search_by_key(&property, |row| row.property) else { return Ok(None) };
        let index = TextIndex::open(self, &rows[place])?;
        index.with_change(self, property).map(Some)
    }

    /// The properties that have a text index, in the order of the schema.
    pub fn indexed_properties(&self) -> IndexedProperties<'_> {
        IndexedProperties { graph: self, rows: self.store().directory().text_indexes.iter() }
    }
}

impl TextIndex {
    /// Opens the columns of an index, without its changes.
    pub(crate) fn open(graph: &Graph, row: &TextIndexRow) -> Result<Self> {
        let (store, directory) = (graph.store(), graph.store().directory());
        let damaged = |fault| {
            let part = index_name(directory, row.property);
            store.damaged(FormatError::damaged(part, fault))
        };
        let property = directory.properties[row.property.index()];
        let is_string = ValueType::from_number(property.value_type) == Some(ValueType::String);
        let strings = property.strings.filter(|_| is_string && property.owner == Owner::Node);
        let strings =
            strings.ok_or_else(|| damaged(Fault::Missing { what: "string table of nodes", number: None }))?;
        let ints = |column: ColumnId| Ints::open(store, column);
        let index = Self {
            strings: graph.table_of_texts(Strings::open(store, strings)?, row.property),
            change: None,
            buckets: ints(row.buckets)?,
            codes: ints(row.codes)?,
            groups: ints(row.groups)?,
            sets: ints(row.sets)?,
            starts: ints(row.starts)?,
            nodes: ints(row.nodes)?,
            masks: graph.masks(),
            words: directory.mask_words(),
            node_count: directory.nodes,
            damage: graph.damage().clone(),
        };
        match index.misfit() {
            None => Ok(index),
            Some(fault) => Err(damaged(fault).into()),
        }
    }

    /// This index with the changes since the base was written.
    fn with_change(self, graph: &Graph, property: PropertyId) -> Result<Self> {
        let Some((_, known)) = graph.changes() else { return Ok(self) };
        let property_now = graph.property_at(property)?;
        let Some(change) = &property_now.change else { return Ok(self) };
        let strings = property_now.strings().unwrap_or(&self.strings).clone();
        let make = || {
            let account = graph.ledger().account(AccountId::ENGINE);
            let bytes = IndexChange::bytes(&property_now, change);
            let charge = graph.store().charge(&account, MemoryState::Tables, bytes)?;
            let labels = [graph.label_sets_at_first()?, graph.label_sets()?];
            Ok(IndexChange::of(&property_now, change, &labels, charge))
        };
        let change = known.text_index(property, make)?;
        Ok(Self { strings, change, ..self })
    }

    /// The fault of a column whose length does not fit the lengths of the others; `None` if all lengths fit.
    fn misfit(&self) -> Option<Fault> {
        let texts = self.strings.base_len() as usize;
        let lengths = [
            ("values of codes", texts, self.codes.len()),
            ("values of groups", texts + 1, self.groups.len()),
            ("values of starts", self.sets.len() + 1, self.starts.len()),
            ("values of buckets", self.buckets.len().max(2), self.buckets.len()),
        ];
        let (what, expected, found) = lengths.into_iter().find(|(_, expected, found)| expected != found)?;
        Some(Fault::Count { what, expected: expected as u64, found: found as u64 })
    }

    /// The texts that codes stand for.
    pub fn strings(&self) -> &Texts {
        &self.strings
    }

    /// The code of a text (its number in the property's table of texts); `None` if no text of the property
    /// equals it. Costs a hash and one or two comparisons, whatever the number of texts.
    pub fn find(&self, text: &str) -> Option<u32> {
        self.search(text.as_bytes()).unwrap_or_else(|| {
            self.note();
            None
        })
    }

    /// The code of a text, or `Some(None)` if no text of the property equals it. `None` if the index is
    /// invalid.
    pub(crate) fn search(&self, text: &[u8]) -> Option<Option<u32>> {
        let in_base = self.search_base(text)?;
        Some(in_base.or_else(|| self.change.as_ref()?.find(&self.strings, text)))
    }

    fn search_base(&self, text: &[u8]) -> Option<Option<u32>> {
        let bucket = TextIndexRow::bucket_of(text, self.buckets.len() as u64 - 1);
        let Range { start: mut low, end: mut high } = range_in(&self.buckets, bucket as usize, &self.codes)?;
        let mut reader = self.strings.reader();
        // A bucket of a valid index has one or two codes. Binary search limits the cost if a damaged index
        // has a bucket with millions of codes.
        while low < high {
            let middle = low + (high - low) / 2;
            let code = self.codes.get_u32(middle, 0)?;
            match reader.bytes(code)?.cmp(text) {
                std::cmp::Ordering::Equal => return Some(Some(code)),
                std::cmp::Ordering::Less => low = middle + 1,
                std::cmp::Ordering::Greater => high = middle,
            }
        }
        Some(None)
    }

    /// The nodes that have the text with this code, grouped by label set, in ascending order of label set
    /// codes. Empty if no text has the code.
    pub fn groups(&self, code: u32) -> TextGroups<'_> {
        let is_of_base = code < self.strings.base_len();
        let groups = is_of_base.then(|| range_in(&self.groups, code as usize, &self.sets)).flatten();
        let groups = groups.unwrap_or_else(|| {
            if is_of_base {
                self.note();
            }
            0..0
        });
        let change = self.change.as_deref().filter(|change| change.is_of(code));
        TextGroups { index: self, code, groups, least: 0, change }
    }

    /// Group number `group` of the base, which belongs to the text with this code; `None` if the group is
    /// invalid.
    #[inline]
    fn group(&self, code: u32, group: usize) -> Option<TextGroup> {
        let label_set = self.sets.get_u32(group, 0)?;
        let nodes = range_in(&self.starts, group, &self.nodes)?;
        let len = u32::try_from(nodes.len()).ok().filter(|len| (1..=self.node_count).contains(len))?;
        let is_known = (label_set as usize) < self.masks.len() / self.words;
        is_known.then_some(TextGroup { label_set, len, code, start: nodes.start, base_len: len })
    }

    /// Each column of offsets: its name, the column itself, and the number of values that its offsets divide
    /// into lists.
    pub(crate) fn lists(&self) -> [(&'static str, &Ints<Pinned>, usize); 3] {
        [
            ("buckets", &self.buckets, self.codes.len()),
            ("groups", &self.groups, self.sets.len()),
            ("starts", &self.starts, self.nodes.len()),
        ]
    }

    /// Records as damage that the index is invalid.
    fn note(&self) {
        self.damage.note("text index", 0);
    }

    /// The number of nodes with the text that has the given code. Reads only the sizes of groups, no nodes.
    pub fn count(&self, code: u32) -> usize {
        self.groups(code).map(|group| group.len as usize).sum()
    }

    /// The number of nodes with the given label and the text that has the given code. Reads only the sizes of
    /// groups, no nodes.
    pub fn count_with(&self, code: u32, label: LabelId) -> usize {
        let groups = self.groups(code).filter(|group| self.set_has(group.label_set, label));
        groups.map(|group| group.len as usize).sum()
    }

    /// Whether the label set with the code `label_set` contains a label.
    #[inline]
    pub fn set_has(&self, label_set: u32, label: LabelId) -> bool {
        let word = label_set as usize * self.words + label.0 as usize / 64;
        let is_label = (label.0 as usize) < self.words * 64;
        is_label && self.masks.get(word).is_some_and(|word| word >> (label.0 % 64) & 1 != 0)
    }

    /// Appends the nodes that have the text with this code, and whose label set passes the test `wanted`;
    /// ascending, each once.
    pub fn append(&self, code: u32, wanted: impl Fn(u32) -> bool, output: &mut Vec<u32>) {
        let (first, mut groups) = (output.len(), 0);
        for group in self.groups(code).filter(|group| wanted(group.label_set)) {
            self.append_group(&group, output);
            groups += 1;
        }
        if groups > 1 {
            // The output consists of ascending runs, which this sort merges.
            output[first..].sort();
        }
    }

    /// Appends the nodes of a group, ascending, each once.
    pub fn append_group(&self, group: &TextGroup, output: &mut Vec<u32>) {
        let first = output.len();
        let mut nodes = group.start..group.start + group.base_len as usize;
        while !nodes.is_empty() {
            let chunk = nodes.start..nodes.end.min(nodes.start + CHUNK);
            let checked = output.len().saturating_sub(1).max(first);
            nodes.start = chunk.end;
            let read = self.nodes.append_u32(chunk, 0, self.node_count, output);
            if read.is_none() || !output[checked..].is_sorted_by(|one, next| one < next) {
                output.truncate(first);
                self.note();
                return;
            }
        }
        if let Some(change) = &self.change {
            change.patch(group.code, group.label_set, first, output);
        }
    }

    /// The nodes that have the given text, ascending.
    pub fn nodes(&self, text: &str) -> Vec<u32> {
        self.nodes_where(text, |_| true)
    }

    /// The nodes that have the given text and the given label, ascending.
    pub fn nodes_with(&self, text: &str, label: LabelId) -> Vec<u32> {
        self.nodes_where(text, |label_set| self.set_has(label_set, label))
    }

    fn nodes_where(&self, text: &str, wanted: impl Fn(u32) -> bool) -> Vec<u32> {
        let mut nodes = Vec::new();
        if let Some(code) = self.find(text) {
            self.append(code, wanted, &mut nodes);
        }
        nodes
    }
}

/// The properties of a graph that have an index, in the order of the schema.
#[derive(Clone, Debug)]
pub struct IndexedProperties<'a> {
    graph: &'a Graph,
    rows: std::slice::Iter<'a, TextIndexRow>,
}

impl<'a> IndexedProperties<'a> {
    fn property(&self, row: &TextIndexRow) -> &'a PropertyInfo {
        &self.graph.properties()[row.property.index()]
    }
}

impl<'a> Iterator for IndexedProperties<'a> {
    type Item = &'a PropertyInfo;

    fn next(&mut self) -> Option<&'a PropertyInfo> {
        self.rows.next().map(|row| self.property(row))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.rows.size_hint()
    }
}

impl DoubleEndedIterator for IndexedProperties<'_> {
    fn next_back(&mut self) -> Option<Self::Item> {
        self.rows.next_back().map(|row| self.property(row))
    }
}

impl ExactSizeIterator for IndexedProperties<'_> {}

impl FusedIterator for IndexedProperties<'_> {}

/// The groups of nodes that have one text, in ascending order of label sets. Ends before a damaged group.
#[derive(Clone, Debug)]
pub struct TextGroups<'a> {
    index: &'a TextIndex,
    code: u32,
    /// The numbers of the base's groups that were not returned yet.
    groups: Range<usize>,
    /// The smallest code of a label set that the next group may have.
    least: u32,
    /// The changes of the index; `None` if no node gained or lost this text.
    change: Option<&'a IndexChange>,
}

impl TextGroups<'_> {
    /// The next group of the base. Records damage and ends the groups of the base if the group is invalid.
    #[inline]
    fn next_of_base(&mut self) -> Option<TextGroup> {
        let group = self.index.group(self.code, self.groups.next()?);
        let group = group.filter(|group| group.label_set >= self.least);
        match group {
            Some(group) => self.least = group.label_set + 1,
            None => {
                self.groups = 0..0;
                self.index.note();
            }
        }
        group
    }

    /// The next group of a text with changes: a group of the base with its changes, or a group whose nodes
    /// are all added.
    #[inline(never)]
    fn next_changed(&mut self, change: &IndexChange) -> Option<TextGroup> {
        loop {
            let later = change.next_label_set(self.code, self.least);
            let before = self.clone();
            let group = match (self.next_of_base(), later) {
                (Some(group), Some(later)) if later < group.label_set => {
                    *self = before;
                    self.later_group(later)
                }
                (Some(group), _) => group,
                (None, later) => self.later_group(later?),
            };
            let (hidden, added) = change.counts(self.code, group.label_set);
            match (group.base_len.checked_sub(hidden)).and_then(|len| len.checked_add(added)) {
                Some(0) => {}
                Some(len) => return Some(TextGroup { len, ..group }),
                None => {
                    self.index.note();
                    return None;
                }
            }
        }
    }

    /// The group of this text and a label set that have no common nodes in the base.
    fn later_group(&mut self, label_set: u32) -> TextGroup {
        self.least = label_set + 1;
        TextGroup { label_set, len: 0, code: self.code, start: 0, base_len: 0 }
    }
}

impl Iterator for TextGroups<'_> {
    type Item = TextGroup;

    #[inline]
    fn next(&mut self) -> Option<TextGroup> {
        match self.change {
            None => self.next_of_base(),
            Some(change) => self.next_changed(change),
        }
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (0, self.change.is_none().then_some(self.groups.len()))
    }
}

impl FusedIterator for TextGroups<'_> {}

/// The positions in `values` of list number `list`, from its offsets. `None` if the list does not exist or is
/// not within `values`.
fn range_in(offsets: &Ints<Pinned>, list: usize, values: &Ints<Pinned>) -> Option<Range<usize>> {
    let (start, end) = offsets.pair(list)?;
    (start <= end && end <= values.len() as u64).then_some(start as usize..end as usize)
}
