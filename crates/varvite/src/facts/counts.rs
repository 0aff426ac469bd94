//! Counts over whole columns: nodes by label, edges by the labels at their ends, values and the sum of their hashes.

use std::collections::{BTreeMap, HashMap};
use std::sync::OnceLock;

use super::PropertyFacts;
use super::text::{float_text, fnv64};
use crate::adjacency::Direction;
use crate::bounds::NULL_REF;
use crate::error::Result;
use crate::graph::Graph;
use crate::labels::Labels;
use crate::pass::{Pass, Scratch, ScratchVec};
use crate::property::Property;
use crate::scan::{Lists, for_each_text, label_codes};
use crate::value::{Hex, Value, ValueType};

/// The label set of every node, decoded. Sets are told apart by the names of their labels.
pub(super) struct NodeLabels<'p> {
    graph: &'p Graph,
    labels: Labels,
    /// By node: which of the sets it has.
    sets: ScratchVec<'p, u32>,
    /// A code of each set.
    codes: ScratchVec<'p, u32>,
    /// The hash of what a reference to a node of each set is called.
    ref_hashes: OnceLock<Vec<u64>>,
}

impl<'p> NodeLabels<'p> {
    pub(super) fn of(pass: &'p Pass<'_>) -> Result<Self> {
        let graph = pass.graph;
        let labels = graph.label_sets()?;
        let sets = ScratchVec::with_capacity(pass, graph.node_count() as usize)?;
        let codes = ScratchVec::with_capacity(pass, labels.code_count() as usize)?;
        let mut this = Self { graph, labels, sets, codes, ref_hashes: OnceLock::new() };
        let set_of_code = this.number_sets(pass)?;
        label_codes(graph, |code| this.sets.push(set_of_code[code as usize]))?;
        Ok(this)
    }

    /// Two codes may stand for labels of the same names.
    fn number_sets(&mut self, pass: &'p Pass<'_>) -> Result<ScratchVec<'p, u32>> {
        let count = self.labels.code_count();
        let _of_numbers = pass.scratch(count as usize * 2 * size_of::<([u8; 32], u32)>())?;
        let mut numbers: HashMap<[u8; 32], u32> = HashMap::new();
        let mut set_of_code = ScratchVec::with_capacity(pass, count as usize)?;
        for code in 0..count {
            let name = blake3::hash(self.text_of_code(code).as_bytes());
            let next = numbers.len() as u32;
            let set = *numbers.entry(*name.as_bytes()).or_insert(next);
            if set == next {
                self.codes.push(code)?;
            }
            set_of_code.push(set)?;
        }
        Ok(set_of_code)
    }

    /// The names of the labels that a code stands for, sorted.
    fn names(&self, code: u32) -> Vec<&str> {
        let labels = self.labels.of_code(code).filter_map(|label| self.graph.labels().get(label.0 as usize));
        let mut names: Vec<&str> = labels.map(|label| label.name.as_str()).collect();
        names.sort_unstable();
        names
    }

    fn text_of_code(&self, code: u32) -> String {
        self.names(code).join("&")
    }

    /// How many nodes carry each label.
    pub(super) fn counts(&self) -> BTreeMap<String, u64> {
        let mut of_sets = vec![0u64; self.codes.len()];
        self.sets.iter().for_each(|set| of_sets[*set as usize] += 1);
        let mut counts: BTreeMap<&str, u64> = BTreeMap::new();
        for (code, count) in self.codes.iter().zip(of_sets).filter(|(_, count)| *count > 0) {
            self.names(*code).into_iter().for_each(|name| *counts.entry(name).or_default() += count);
        }
        counts.into_iter().map(|(name, count)| (name.to_owned(), count)).collect()
    }

    /// How many sets there are.
    pub(super) fn set_count(&self) -> usize {
        self.codes.len()
    }

    /// Which set a node has.
    #[inline]
    pub(super) fn set(&self, node: u32) -> u32 {
        self.sets[node as usize]
    }

    /// The sets of all nodes.
    pub(super) fn sets(&self) -> &[u32] {
        &self.sets
    }

    /// What a node with this set is called.
    pub(super) fn text(&self, set: u32) -> String {
        self.text_of_code(self.codes[set as usize])
    }

    /// The hash of what a reference to a node of each set is called.
    fn ref_hashes(&self) -> &[u64] {
        let hash = |set| fnv64(format!("ref:{}", self.text(set)));
        self.ref_hashes.get_or_init(|| (0..self.codes.len() as u32).map(hash).collect())
    }

    /// All nodes that have a label of this name, rising.
    pub(super) fn nodes_with(&self, label: &str) -> impl Iterator<Item = u32> + '_ {
        let has_label = self.sets_with(label);
        (0..).zip(self.sets.iter()).filter(move |(_, set)| has_label[**set as usize]).map(|(node, _)| node)
    }

    /// For each set, whether it has a label of this name.
    pub(super) fn sets_with(&self, label: &str) -> Vec<bool> {
        self.codes.iter().map(|code| self.names(*code).contains(&label)).collect()
    }
}

/// How many edges of one label there are between each two label sets, as facts name them.
pub(super) fn edge_triples(
    pass: &Pass<'_>,
    edge_label: usize,
    labels: &NodeLabels<'_>,
) -> Result<BTreeMap<String, u64>> {
    let graph = pass.graph;
    let lists = Lists::of_edges(graph, edge_label, Direction::Out)?;
    let mut pairs = Pairs::new(pass, labels.set_count(), lists.total)?;
    let mut scan = lists.scan();
    while let Some(list) = scan.next_list() {
        let source = labels.set(list.owner);
        while let Some(target) = scan.next_neighbor() {
            pairs.add(source, labels.set(target))?;
        }
    }
    scan.finish().map_err(|error| graph.store().damaged(error))?;
    let label = &graph.edge_labels()[edge_label].name;
    let mut triples = BTreeMap::new();
    pairs.for_each(|source, target, count| {
        let triple = format!("{label} {} {}", labels.text(source), labels.text(target));
        pass.keep(triple.len() + size_of::<(String, u64)>())?;
        triples.insert(triple, count);
        Ok(())
    })?;
    Ok(triples)
}

/// Counts of pairs of sets: a matrix, unless there are more pairs than edges would pay for.
enum Pairs<'p> {
    Matrix { counts: ScratchVec<'p, u64>, sets: usize },
    Map { counts: HashMap<(u32, u32), u64>, scratch: Scratch<'p> },
}

impl<'p> Pairs<'p> {
    const MATRIX_MAX: usize = 1 << 20;
    /// A matrix of so many pairs is made for no edge at all.
    const FEW: usize = 1 << 10;
    /// Bytes that an entry of the map takes, with the room that it leaves.
    const OF_ENTRY: usize = 2 * size_of::<((u32, u32), u64)>();

    fn new(pass: &'p Pass<'_>, sets: usize, edges: u64) -> Result<Self> {
        let few = usize::try_from(edges).unwrap_or(usize::MAX).clamp(Self::FEW, Self::MATRIX_MAX);
        Ok(match sets.checked_mul(sets).filter(|pairs| *pairs <= few) {
            Some(pairs) => Self::Matrix { counts: ScratchVec::filled(pass, 0, pairs)?, sets },
            None => Self::Map { counts: HashMap::new(), scratch: pass.scratch(0)? },
        })
    }

    #[inline]
    fn add(&mut self, source: u32, target: u32) -> Result<()> {
        match self {
            Self::Matrix { counts, sets } => counts[source as usize * *sets + target as usize] += 1,
            Self::Map { counts, scratch } => {
                if counts.len() == counts.capacity() {
                    scratch.resize((counts.len().max(8) * 2) * Self::OF_ENTRY)?;
                }
                *counts.entry((source, target)).or_default() += 1;
            }
        }
        Ok(())
    }

    /// Calls `visit` with each pair that there is, and how often.
    fn for_each(&self, mut visit: impl FnMut(u32, u32, u64) -> Result<()>) -> Result<()> {
        match self {
            Self::Matrix { counts, sets } => {
                let found = counts.iter().enumerate().filter(|(_, count)| **count > 0);
                found.into_iter().try_for_each(|(index, count)| {
                    visit((index / sets) as u32, (index % sets) as u32, *count)
                })
            }
            Self::Map { counts, .. } => {
                counts.iter().try_for_each(|((source, target), count)| visit(*source, *target, *count))
            }
        }
    }
}

/// How many owners and values a property has, and the sum of the values' hashes.
pub(super) fn property_facts(
    pass: &Pass<'_>,
    index: usize,
    labels: &NodeLabels<'_>,
) -> Result<PropertyFacts> {
    let graph = pass.graph;
    let lists = Lists::of_property(graph, index)?;
    let mut hashes = Hashes::of(pass, index, lists.total, labels)?;
    let mut facts = PropertyFacts::default();
    let mut scan = lists.scan();
    while scan.next_list().is_some() {
        facts.nodes += 1;
        while let Some(value) = scan.next_entry() {
            facts.values += 1;
            facts.fnv64_sum = facts.fnv64_sum.wrapping_add(hashes.of_value(value));
        }
    }
    scan.finish().map_err(|error| graph.store().damaged(error))?;
    Ok(facts)
}

/// The hash of the text of each value of a property.
enum Hashes<'a> {
    /// By code; the last is that of null.
    Texts(ScratchVec<'a, u64>),
    /// By label set of the node.
    Refs(&'a NodeLabels<'a>),
    /// The hash of the last number with the same low bits: most properties hold few different numbers.
    Numbers { last: Vec<(i64, u64)>, property: Box<Property> },
}

impl<'a> Hashes<'a> {
    /// A power of two.
    const NUMBERS: usize = 1 << 14;

    fn of(pass: &'a Pass<'_>, index: usize, values: u64, labels: &'a NodeLabels<'_>) -> Result<Self> {
        let property = pass.graph.property_at(index)?;
        Ok(match property.value_type() {
            ValueType::String | ValueType::Bytes => Self::Texts(text_hashes(pass, index, &property)?),
            ValueType::Ref => Self::Refs(labels),
            _ => {
                let count = Self::NUMBERS.min((values as usize).next_power_of_two().max(2));
                // The complement of an index has other low bits, of which there is at least one, so that no entry is taken
                // for one that was made.
                let last = (0..count as i64).map(|index| (!index, 0)).collect();
                Self::Numbers { last, property: Box::new(property) }
            }
        })
    }

    #[inline]
    fn of_value(&mut self, value: i64) -> u64 {
        match self {
            Self::Texts(hashes) => hashes[value as usize],
            Self::Refs(_) if value == NULL_REF => fnv64("null"),
            Self::Refs(labels) => labels.ref_hashes()[labels.set(value as u32) as usize],
            Self::Numbers { last, property } => {
                let place = value as usize % last.len();
                let entry = &mut last[place];
                if entry.0 != value {
                    *entry = (value, fnv64(text_of(property.value_of(value, 0))));
                }
                entry.1
            }
        }
    }
}

fn text_hashes<'p>(pass: &'p Pass<'_>, index: usize, property: &Property) -> Result<ScratchVec<'p, u64>> {
    let is_string = property.value_type() == ValueType::String;
    let texts = property.strings().map_or(0, |strings| strings.len() as usize);
    let mut hashes = ScratchVec::with_capacity(pass, texts + 1)?;
    for_each_text(pass, index, |text| {
        hashes.push(if is_string { fnv64(text) } else { fnv64(Hex(text).to_string()) })
    })?;
    hashes.push(fnv64("null"))?;
    Ok(hashes)
}

fn text_of(value: Value<'_>) -> String {
    match value {
        Value::F32(number) => float_text(number),
        Value::F64(number) => float_text(number),
        other => other.to_string(),
    }
}
