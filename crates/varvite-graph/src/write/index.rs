//! Text indexes of a new file, which map the texts of a property to their nodes.
//!
//! An index is a hash table from texts to their codes, and for each code a list of nodes, grouped by label
//! set, so that "CALLs named memcpy" is found without a test of each node. The index is computed only from
//! the property's values and the label sets. So indexes of equal values have equal bytes, whether an index is
//! made together with the graph or added later.

use varvite_format::{Keys, PropertyId, Purpose, StringsInput, TextIndexRow};
use varvite_store::{PreparedColumn, StoreWriter};

use super::encoder::Encoder;
use super::input::text_twice;
use crate::change_error::ChangeError;
use crate::error::Result;

/// The columns of an index, ready to be written.
#[derive(Debug)]
pub struct PreparedIndex {
    pub(super) buckets: PreparedColumn,
    pub(super) codes: PreparedColumn,
    pub(super) groups: PreparedColumn,
    pub(super) sets: PreparedColumn,
    pub(super) starts: PreparedColumn,
    pub(super) nodes: PreparedColumn,
}

impl PreparedIndex {
    /// Writes the columns. Indexes come after all other columns, and share nothing with them or with each
    /// other. So an index has the same bytes at the same position, whatever was added and dropped before.
    pub(super) fn write(
        self,
        property: PropertyId,
        store: &mut StoreWriter,
    ) -> Result<TextIndexRow, ChangeError> {
        store.forget();
        Ok(TextIndexRow {
            property,
            buckets: store.add(self.buckets)?,
            codes: store.add(self.codes)?,
            groups: store.add(self.groups)?,
            sets: store.add(self.sets)?,
            starts: store.add(self.starts)?,
            nodes: store.add(self.nodes)?,
        })
    }
}

/// The values to be indexed, with their nodes, texts and label sets.
#[derive(Clone, Copy, Debug)]
pub(super) struct IndexInput<'a> {
    /// The start of each node's values, followed by the end of the last values: one more entry than there are
    /// nodes.
    pub(super) offsets: &'a [u32],
    /// For each value, the code of its text; for null, the number of texts.
    pub(super) codes: &'a [u32],
    /// The texts by their codes.
    pub(super) texts: StringsInput<'a>,
    /// The code of each node's label set. There may be more entries than nodes.
    pub(super) label_sets: &'a [u32],
}

/// The number of buckets for each text: with two, a search for a text of the table compares 1.2 texts on
/// average.
const BUCKETS_PER_TEXT: usize = 2;

impl Encoder {
    /// Encodes the columns of an index.
    ///
    /// # Errors
    /// The errors of [`Encoder::labels`]; also [`ChangeError::Input`] for a table that has a text twice.
    pub(super) fn text_index(&self, input: IndexInput<'_>) -> Result<PreparedIndex, ChangeError> {
        let table = HashTable::of(input.texts)?;
        let groups = Groups::of(input);
        Ok(PreparedIndex {
            buckets: self.offsets(&table.buckets)?,
            codes: self.ints(&table.codes, Keys::None, Purpose::Numbers)?,
            groups: self.offsets(&groups.groups)?,
            sets: self.codes(&groups.sets)?,
            starts: self.offsets(&groups.starts)?,
            nodes: self.ints(&groups.nodes, Keys::None, Purpose::Ids)?,
        })
    }
}

/// The codes of all texts, in buckets by the hash of the text.
struct HashTable {
    /// The start of each bucket, followed by the end of the last bucket.
    buckets: Vec<u32>,
    codes: Vec<u32>,
}

impl HashTable {
    fn of(texts: StringsInput<'_>) -> Result<Self, ChangeError> {
        let count = texts.count();
        let mut buckets = vec![0u32; (count * BUCKETS_PER_TEXT).clamp(1, u32::MAX as usize - 1) + 1];
        let last = buckets.len() as u64 - 1;
        let bucket_of = |code| TextIndexRow::bucket_of(texts.text(code), last) as usize;
        let mut order: Vec<(usize, u32)> = (0..count as u32).map(|code| (bucket_of(code), code)).collect();
        order.sort_unstable_by(|(bucket, code), (other_bucket, other)| {
            bucket.cmp(other_bucket).then_with(|| texts.text(*code).cmp(texts.text(*other)))
        });
        let is_same = |one: &(usize, u32), next: &(usize, u32)| {
            one.0 == next.0 && texts.text(one.1) == texts.text(next.1)
        };
        if let Some(pair) = order.windows(2).find(|pair| is_same(&pair[0], &pair[1])) {
            return Err(text_twice(pair[0].1).into());
        }
        order.iter().for_each(|(bucket, _)| buckets[bucket + 1] += 1);
        (1..buckets.len()).for_each(|bucket| buckets[bucket] += buckets[bucket - 1]);
        Ok(Self { buckets, codes: order.iter().map(|(_, code)| *code).collect() })
    }
}

/// The nodes of each text, grouped by their label sets.
#[derive(Default)]
struct Groups {
    /// The start of each text's groups, followed by the end of the last group.
    groups: Vec<u32>,
    /// The label set of each group.
    sets: Vec<u32>,
    /// The start of each group's nodes, followed by the end of the last group's nodes.
    starts: Vec<u32>,
    nodes: Vec<u32>,
}

impl Groups {
    fn of(input: IndexInput<'_>) -> Self {
        let mut lists = NodesOfTexts::of(input);
        let set_of = |node: &u32| input.label_sets[*node as usize];
        let mut groups = Self { groups: vec![0], ..Self::default() };
        groups.nodes.reserve_exact(lists.nodes.len());
        for text in 0..input.texts.count() {
            let list = lists.list(text);
            // The sort is stable, so nodes still ascend within a set.
            list.sort_by_key(set_of);
            for group in list.chunk_by(|one, next| set_of(one) == set_of(next)) {
                groups.sets.push(set_of(&group[0]));
                groups.starts.push(groups.nodes.len() as u32);
                groups.nodes.extend_from_slice(group);
            }
            groups.groups.push(groups.sets.len() as u32);
        }
        groups.starts.push(groups.nodes.len() as u32);
        groups
    }
}

/// The distinct nodes of each text, in ascending order.
struct NodesOfTexts {
    /// The start of each text's list; after the list there may be unused room.
    starts: Vec<u32>,
    ends: Vec<u32>,
    nodes: Vec<u32>,
}

impl NodesOfTexts {
    fn of(input: IndexInput<'_>) -> Self {
        let texts = input.texts.count();
        let mut starts = vec![0u32; texts + 1];
        for code in input.codes.iter().filter(|code| (**code as usize) < texts) {
            starts[*code as usize + 1] += 1;
        }
        for text in 0..texts {
            starts[text + 1] += starts[text];
        }
        let mut lists = Self { ends: starts.clone(), nodes: vec![0; starts[texts] as usize], starts };
        for (node, ends) in (0..).zip(input.offsets.windows(2)) {
            for code in &input.codes[ends[0] as usize..ends[1] as usize] {
                if (*code as usize) < texts {
                    lists.push(*code as usize, node);
                }
            }
        }
        lists
    }

    /// Adds a node to the list of a text, unless it is the last node of the list.
    fn push(&mut self, text: usize, node: u32) {
        if self.list(text).last() != Some(&node) {
            self.nodes[self.ends[text] as usize] = node;
            self.ends[text] += 1;
        }
    }

    fn list(&mut self, text: usize) -> &mut [u32] {
        &mut self.nodes[self.starts[text] as usize..self.ends[text] as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Node 0 has the texts `b a`, node 1 none, node 2 `b b null`, node 3 `a`. Nodes 0 and 2 have label set
    /// 1, the others 0.
    fn input() -> IndexInput<'static> {
        IndexInput {
            offsets: &[0, 2, 2, 5, 6],
            codes: &[1, 0, 1, 1, 2, 0],
            texts: StringsInput { pool: b"ab", starts: &[0, 1, 2], lengths: None, sorted: true },
            label_sets: &[1, 0, 1, 0],
        }
    }

    #[test]
    fn nodes_of_a_text_are_apart_by_label_set_and_there_once() {
        let groups = Groups::of(input());
        assert_eq!(groups.groups, [0, 2, 3]);
        assert_eq!(groups.sets, [0, 1, 1]);
        assert_eq!(groups.starts, [0, 1, 2, 4]);
        assert_eq!(groups.nodes, [3, 0, 0, 2]);
    }

    #[test]
    fn every_code_is_in_the_bucket_of_its_text() {
        let table = HashTable::of(input().texts).unwrap();
        assert_eq!(table.buckets.len(), 5);
        for (code, text) in [b"a", b"b"].into_iter().enumerate() {
            let bucket = TextIndexRow::bucket_of(text, 4) as usize;
            let codes = &table.codes[table.buckets[bucket] as usize..table.buckets[bucket + 1] as usize];
            assert!(codes.contains(&(code as u32)));
        }
    }

    #[test]
    fn a_table_of_no_texts_has_a_bucket() {
        let texts = StringsInput { pool: b"", starts: &[0], lengths: None, sorted: true };
        let table = HashTable::of(texts).unwrap();
        assert_eq!((table.buckets, table.codes), (vec![0, 0], vec![]));
    }

    #[test]
    fn a_text_that_is_there_twice_is_refused() {
        let texts = StringsInput { pool: b"aa", starts: &[0, 1, 2], lengths: None, sorted: false };
        assert!(HashTable::of(texts).is_err());
    }
}
