//! Encodes a draft as columns: the edges of one label with their properties, and the properties of nodes.

use std::collections::BTreeSet;

use varvite_format::{EdgeLabelId, Owner, Quantity};

use super::content::{Draft, Element};
use super::keys::Keys;
use super::numbering::{Numbering, offsets_of};
use super::single::single_of_double;
use super::values::{DefaultValue, Values};
use crate::budget::Budget;
use crate::change_error::ChangeError;
use crate::cursor::bounds::NULL_REF;
use crate::cursor::value::ValueType;
use crate::error::Result;
use crate::write::order::subtree_sizes;
use crate::write::{
    Encoder, Heat, ListsInput, PreparedEdges, PreparedProperty, PropertyInput, PropertySpec, TextsInput,
    ValuesInput, pair_places,
};

/// The data shared by all jobs. A job encodes one edge label or one property.
pub(super) struct Columns<'a> {
    pub(super) draft: &'a Draft,
    pub(super) numbering: &'a Numbering,
    pub(super) encoder: &'a Encoder,
    /// For each node, by id, the code (the number) of its label set.
    pub(super) codes: &'a [u32],
    /// The edge label whose pre-order gives the ids of nodes; `None` if ids equal the numbers in the draft.
    pub(super) tree: Option<u32>,
    /// Properties that get an index.
    pub(super) indexes: &'a BTreeSet<String>,
}

/// The schema row and the columns of a property, ready to be written.
pub(super) type PropertyColumns = (PropertySpec, PreparedProperty);

impl Columns<'_> {
    /// The columns of the edges of a label.
    pub(super) fn edges(&self, label: u32) -> Result<PreparedEdges, ChangeError> {
        let lists = Lists::read(self, label)?;
        let properties = self.draft.properties.iter();
        let of_label = properties.filter(|(of, _)| *of == Element::Edge(label));
        let values: Vec<&Values> = of_label.map(|(_, values)| values).collect();
        let (out, in_) = (lists.out(), lists.in_());
        // A forest has no lists. Properties of edges are stored by the rank of the edge in the lists, so
        // edges with values need lists.
        let is_tree = self.tree == Some(label) && values.is_empty();
        let sizes = if is_tree { subtree_sizes(out.offsets, out.neighbors) } else { None };
        let listed = sizes.is_none();
        let encode = |lists| self.encoder.adjacency(lists, Heat::Hot);
        let places = match values.is_empty() {
            true => None,
            false => {
                let paired = pair_places(out, in_).expect("both lists hold the same edges");
                Some(self.encoder.places(in_, &paired)?)
            }
        };
        let ranks = if values.is_empty() { Vec::new() } else { lists.ranks(self, label)? };
        let owner = Owner::Edge(EdgeLabelId(label));
        let count = ranks.len() as u32;
        let properties = values.into_iter().map(|values| {
            let column = Column::gather(values, count, |edge| ranks[edge as usize])?;
            let is_everywhere = column.owners() == u64::from(count);
            column.encode(self, values, owner, is_everywhere)
        });
        Ok(PreparedEdges {
            count: lists.out_neighbors.len() as u64,
            is_tree: self.tree == Some(label),
            properties: properties.collect::<Result<_, ChangeError>>()?,
            out: listed.then(|| encode(lists.out())).transpose()?,
            in_: listed.then(|| encode(lists.in_())).transpose()?,
            places,
            forest: sizes.map(|sizes| self.encoder.forest(&sizes)).transpose()?,
        })
    }

    /// The columns of a property of nodes, by its number.
    pub(super) fn property(&self, property: usize) -> Result<PropertyColumns, ChangeError> {
        let values = &self.draft.properties[property].1;
        let column = Column::gather(values, self.numbering.nodes(), |node| self.numbering.id(node))?;
        let is_everywhere = self.is_everywhere(&column);
        column.encode(self, values, Owner::Node, is_everywhere)
    }

    /// Whether no label set contains both nodes with a value of the property and nodes without one. False if
    /// the graph has nodes, but no values of the property.
    fn is_everywhere(&self, column: &Column) -> bool {
        if column.numbers.is_empty() {
            return self.codes.is_empty();
        }
        let mut has = vec![[false; 2]; self.draft.label_sets.len()];
        for (code, ends) in self.codes.iter().zip(column.offsets.windows(2)) {
            has[*code as usize][usize::from(ends[0] < ends[1])] = true;
        }
        has.iter().all(|[without, with]| !(*without && *with))
    }
}

/// The edges of one label as lists, by node id.
struct Lists {
    out_offsets: Vec<u32>,
    out_neighbors: Vec<u32>,
    in_offsets: Vec<u32>,
    in_neighbors: Vec<u32>,
}

impl Lists {
    fn read(columns: &Columns<'_>, label: u32) -> Result<Self, ChangeError> {
        let nodes = columns.numbering.nodes() as usize;
        let (mut out_lengths, mut in_lengths) = (vec![0u32; nodes], vec![0u32; nodes]);
        columns.each_edge(label, |source, target| {
            out_lengths[source as usize] += 1;
            in_lengths[target as usize] += 1;
        })?;
        let (out_offsets, in_offsets) = (offsets_of(&out_lengths), offsets_of(&in_lengths));
        let (mut out_next, mut in_next) = (out_lengths, in_lengths);
        out_next.copy_from_slice(&out_offsets[..nodes]);
        in_next.copy_from_slice(&in_offsets[..nodes]);
        let edges = out_offsets[nodes] as usize;
        let (mut out_neighbors, mut in_neighbors) = (vec![0; edges], vec![0; edges]);
        columns.each_edge(label, |source, target| {
            out_neighbors[post_increment(&mut out_next[source as usize])] = target;
            in_neighbors[post_increment(&mut in_next[target as usize])] = source;
        })?;
        Ok(Self { out_offsets, out_neighbors, in_offsets, in_neighbors })
    }

    fn out(&self) -> ListsInput<'_> {
        ListsInput { offsets: &self.out_offsets, neighbors: &self.out_neighbors }
    }

    fn in_(&self) -> ListsInput<'_> {
        ListsInput { offsets: &self.in_offsets, neighbors: &self.in_neighbors }
    }

    /// The position of each edge in the concatenated out-lists, in the order in which edges were read.
    fn ranks(&self, columns: &Columns<'_>, label: u32) -> Result<Vec<u32>, ChangeError> {
        let mut next = self.out_offsets.clone();
        let mut ranks = Vec::with_capacity(self.out_neighbors.len());
        columns
            .each_edge(label, |source, _| ranks.push(post_increment(&mut next[source as usize]) as u32))?;
        Ok(ranks)
    }
}

impl Columns<'_> {
    /// Calls `take` with the ids of source and target of each edge of a label, in the order in which edges
    /// were read.
    fn each_edge(&self, label: u32, mut take: impl FnMut(u32, u32)) -> Result<(), ChangeError> {
        Ok(self.draft.edges[label as usize].for_each(|_, source, target| {
            take(self.numbering.id(source), self.numbering.id(target));
            Ok(())
        })?)
    }
}

fn post_increment(next: &mut u32) -> usize {
    *next += 1;
    *next as usize - 1
}

/// Stands for null where texts are represented by their numbers.
const NULL: i64 = -1;

/// Calls `take` with every value and its owner, in the order in which values were read. A text is passed as
/// its number in `keys`, and null as [`NULL`].
fn each(values: &Values, keys: &mut Keys, mut take: impl FnMut(u32, i64)) -> Result<(), ChangeError> {
    if values.is_text() {
        let mut texts = values.texts();
        while let Some((owner, text)) = texts.next()? {
            take(
                owner,
                text.map_or(Ok(NULL), |text| keys.insert(text).map(|(number, _)| i64::from(number)))?,
            );
        }
        return Ok(());
    }
    let mut numbers = values.numbers();
    while let Some((owner, number)) = numbers.next()? {
        take(owner, number);
    }
    Ok(())
}

/// The values of a property, sorted by owner.
struct Column {
    /// The start of each owner's values, followed by the end of the last values.
    offsets: Vec<u32>,
    /// The numbers in their stored form; for texts, their numbers in `keys`.
    numbers: Vec<i64>,
    /// The distinct texts, numbered in the order in which they were read.
    keys: Keys,
}

impl Column {
    /// Reads `values`; `id` maps the number of a draft's node or edge to its id or rank below `owners`.
    fn gather(values: &Values, owners: u32, id: impl Fn(u32) -> u32) -> Result<Self, ChangeError> {
        if values.is_empty() {
            let keys = Keys::within(&Budget::new(0));
            return Ok(Self { offsets: vec![0; owners as usize + 1], numbers: Vec::new(), keys });
        }
        let mut lengths = vec![0u32; owners as usize];
        // `effort_within` has already taken this memory into account, so no budget is needed here.
        let mut keys = Keys::within(&Budget::new(usize::MAX));
        let mut found = 0u64;
        each(values, &mut keys, |owner, _| {
            let length = &mut lengths[id(owner) as usize];
            if !values.is_single || *length == 0 {
                // A length that reaches the maximum of `u32` is never used, because so many values are
                // refused before any is stored.
                *length = length.saturating_add(1);
                found += 1;
            }
        })?;
        let default = match &values.default {
            None => None,
            Some(DefaultValue::Number(number)) => Some(*number),
            Some(DefaultValue::Text(text)) => Some(i64::from(keys.insert(text.as_bytes())?.0)),
        };
        if default.is_some() {
            for length in lengths.iter_mut().filter(|length| **length == 0) {
                *length = 1;
                found += 1;
            }
        }
        let (what, limit) = (Quantity::Values, u64::from(u32::MAX));
        if found > limit {
            return Err(ChangeError::TooLarge { what, found, limit });
        }
        let offsets = offsets_of(&lengths);
        // Owners without a value get the default.
        let (mut next, mut numbers) = (lengths, vec![default.unwrap_or(0); found as usize]);
        next.copy_from_slice(&offsets[..owners as usize]);
        each(values, &mut keys, |owner, number| {
            let next = &mut next[id(owner) as usize];
            // If `is_single` is set, the last of several values for one owner is kept.
            let place = if values.is_single { *next as usize } else { post_increment(next) };
            numbers[place] = number;
        })?;
        Ok(Self { offsets, numbers, keys })
    }

    /// The number of owners that have a value.
    fn owners(&self) -> u64 {
        self.offsets.windows(2).filter(|ends| ends[0] < ends[1]).count() as u64
    }

    fn encode(
        mut self,
        columns: &Columns<'_>,
        values: &Values,
        owner: Owner,
        is_everywhere: bool,
    ) -> Result<PropertyColumns, ChangeError> {
        let has_list = || self.offsets.windows(2).any(|ends| ends[1] - ends[0] > 1);
        let is_list = values.kind.is_list || !self.numbers.is_empty() && has_list();
        let value_type = values.kind.value_type;
        let spec = values.spec(owner, is_list, is_everywhere);
        let prepared = match value_type {
            ValueType::String | ValueType::Bytes => self.encode_texts(columns, values, owner)?,
            ValueType::Ref => {
                let id = |node: &mut i64| {
                    if *node != NULL_REF {
                        *node = columns.numbering.id(*node as u32).into();
                    }
                };
                self.numbers.iter_mut().for_each(id);
                self.encode_numbers(columns, ValuesInput::Numbers(&self.numbers))?
            }
            ValueType::Bool => self.encode_numbers(columns, ValuesInput::Truth(&self.numbers))?,
            ValueType::F32 => {
                let bits = |number: &i64| i64::from(single_of_double(*number as u64));
                self.numbers = self.numbers.iter().map(bits).collect();
                self.encode_numbers(columns, ValuesInput::Numbers(&self.numbers))?
            }
            _ => self.encode_numbers(columns, ValuesInput::Numbers(&self.numbers))?,
        };
        Ok((spec, prepared))
    }

    fn encode_numbers(
        &self,
        columns: &Columns<'_>,
        values: ValuesInput<'_>,
    ) -> Result<PreparedProperty, ChangeError> {
        columns.encoder.property(PropertyInput { offsets: &self.offsets, values })
    }

    fn encode_texts(
        &self,
        columns: &Columns<'_>,
        values: &Values,
        owner: Owner,
    ) -> Result<PreparedProperty, ChangeError> {
        let (found, limit) = (self.keys.bytes().len() as u64, u64::from(u32::MAX));
        if found > limit {
            let what = Quantity::TextsOf(values.name.clone());
            return Err(ChangeError::TooLarge { what, found, limit });
        }
        let (texts, codes) = self.in_order_of_use();
        let is_node = owner == Owner::Node;
        let parents = if is_node { columns.numbering.parents() } else { &[] };
        let texts =
            TextsInput { bytes: self.keys.bytes(), texts: &texts, codes: &codes, sorted: false, parents };
        let input = PropertyInput { offsets: &self.offsets, values: ValuesInput::Texts(texts) };
        match is_node && columns.indexes.contains(&values.name) {
            true => columns.encoder.indexed_property(input, columns.codes),
            false => columns.encoder.property(input),
        }
    }

    /// The texts in the order in which owners first use them, and the code of each value.
    fn in_order_of_use(&self) -> (Vec<(u32, u32)>, Vec<u32>) {
        let mut new_of_old = vec![u32::MAX; self.keys.len()];
        let mut texts = Vec::with_capacity(self.keys.len());
        let codes = self.numbers.iter().map(|old| {
            if *old == NULL {
                return u32::MAX;
            }
            let new = &mut new_of_old[*old as usize];
            if *new == u32::MAX {
                *new = texts.len() as u32;
                let (start, end) = self.keys.range(*old as u32);
                texts.push((start as u32, (end - start) as u32));
            }
            *new
        });
        let mut codes: Vec<u32> = codes.collect();
        // The code of null follows the code of the last text.
        codes.iter_mut().filter(|code| **code == u32::MAX).for_each(|code| *code = texts.len() as u32);
        (texts, codes)
    }
}
