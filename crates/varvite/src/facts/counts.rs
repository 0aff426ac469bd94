//! Counts over whole columns: nodes by label, edges by the labels at their ends, values and the sum of their hashes.

use std::collections::{BTreeMap, HashMap};

use super::PropertyFacts;
use super::text::{float_text, fnv64};
use crate::adjacency::Direction;
use crate::error::Result;
use crate::graph::Graph;
use crate::property::Property;
use crate::scan::{Lists, NULL_REF, for_each_text, label_codes};
use crate::value::{Hex, Value, ValueType};

/// The label set of every node, decoded.
pub(super) struct NodeLabels {
    /// By node.
    codes: Vec<u32>,
    /// The names of the labels in each set, sorted, by code.
    names: Vec<Vec<String>>,
}

impl NodeLabels {
    pub(super) fn of(graph: &Graph) -> Result<Self> {
        let labels = graph.label_sets()?;
        let names = (0..labels.code_count()).map(|code| {
            let of_code = labels.of_code(code);
            let names = of_code.filter_map(|label| graph.labels().get(label.0 as usize));
            let mut names: Vec<String> = names.map(|label| label.name.clone()).collect();
            names.sort();
            names
        });
        let names = names.collect();
        let mut codes = Vec::new();
        label_codes(graph, |code| codes.push(code))?;
        Ok(Self { codes, names })
    }

    /// How many nodes carry each label.
    pub(super) fn counts(&self) -> BTreeMap<String, u64> {
        let mut of_codes = vec![0u64; self.names.len()];
        self.codes.iter().for_each(|code| of_codes[*code as usize] += 1);
        let mut counts = BTreeMap::new();
        for (names, count) in self.names.iter().zip(of_codes).filter(|(_, count)| *count > 0) {
            names.iter().for_each(|name| *counts.entry(name.clone()).or_default() += count);
        }
        counts
    }

    /// How many label sets there are; codes are below it.
    pub(super) fn code_count(&self) -> usize {
        self.names.len()
    }

    /// The code of a node's label set.
    #[inline]
    pub(super) fn code(&self, node: u32) -> u32 {
        self.codes[node as usize]
    }

    /// The codes of all nodes.
    pub(super) fn codes(&self) -> &[u32] {
        &self.codes
    }

    /// What a node with this label set is called.
    pub(super) fn text(&self, code: u32) -> String {
        self.names[code as usize].join("&")
    }

    /// All nodes that have a label of this name, rising.
    pub(super) fn nodes_with(&self, label: &str) -> impl Iterator<Item = u32> + '_ {
        let has_label = self.sets_with(label);
        (0..).zip(&self.codes).filter(move |(_, code)| has_label[**code as usize]).map(|(node, _)| node)
    }

    /// For each code, whether its label set has a label of this name.
    pub(super) fn sets_with(&self, label: &str) -> Vec<bool> {
        self.names.iter().map(|names| names.iter().any(|name| name == label)).collect()
    }
}

/// How many edges of one label there are between each two label sets, as facts name them.
pub(super) fn edge_triples(
    graph: &Graph,
    edge_label: usize,
    labels: &NodeLabels,
) -> Result<BTreeMap<String, u64>> {
    let lists = Lists::of_edges(graph, edge_label, Direction::Out)?;
    let mut pairs = Pairs::new(labels.code_count());
    let mut scan = lists.scan();
    while let Some(list) = scan.next_list() {
        let source = labels.code(list.owner);
        while let Some(target) = scan.next_neighbor() {
            pairs.add(source, labels.code(target));
        }
    }
    scan.finish().map_err(|error| graph.store().damaged(error))?;
    let label = &graph.edge_labels()[edge_label].name;
    let mut triples = BTreeMap::new();
    for ((source, target), count) in pairs.counts() {
        let triple = format!("{label} {} {}", labels.text(source), labels.text(target));
        *triples.entry(triple).or_default() += count;
    }
    Ok(triples)
}

/// Counts of pairs of codes: a matrix, unless there are very many codes.
enum Pairs {
    Matrix { counts: Vec<u64>, codes: usize },
    Map(HashMap<(u32, u32), u64>),
}

impl Pairs {
    const MATRIX_MAX: usize = 1 << 20;

    fn new(codes: usize) -> Self {
        match codes.checked_mul(codes).filter(|pairs| *pairs <= Self::MATRIX_MAX) {
            Some(pairs) => Self::Matrix { counts: vec![0; pairs], codes },
            None => Self::Map(HashMap::new()),
        }
    }

    #[inline]
    fn add(&mut self, source: u32, target: u32) {
        match self {
            Self::Matrix { counts, codes } => counts[source as usize * *codes + target as usize] += 1,
            Self::Map(counts) => *counts.entry((source, target)).or_default() += 1,
        }
    }

    fn counts(self) -> Vec<((u32, u32), u64)> {
        let pairs: Vec<_> = match self {
            Self::Matrix { counts, codes } => {
                let pair = |index: usize| ((index / codes) as u32, (index % codes) as u32);
                counts.into_iter().enumerate().map(|(index, count)| (pair(index), count)).collect()
            }
            Self::Map(counts) => counts.into_iter().collect(),
        };
        pairs.into_iter().filter(|(_, count)| *count > 0).collect()
    }
}

/// How many owners and values a property has, and the sum of the values' hashes.
pub(super) fn property_facts(graph: &Graph, index: usize, labels: &NodeLabels) -> Result<PropertyFacts> {
    let lists = Lists::of_property(graph, index)?;
    let mut hashes = Hashes::of(graph, index, labels)?;
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
    Texts(Vec<u64>),
    /// By label set of the node.
    Refs { of_codes: Vec<u64>, labels: &'a NodeLabels },
    /// The hash of the last number with the same low bits: most properties hold few different numbers.
    Numbers { last: Vec<(i64, u64)>, property: Box<Property> },
}

impl<'a> Hashes<'a> {
    /// A power of two.
    const NUMBERS: usize = 1 << 14;

    fn of(graph: &Graph, index: usize, labels: &'a NodeLabels) -> Result<Self> {
        let value_type = graph.properties()[index].value_type;
        Ok(match value_type {
            ValueType::String | ValueType::Bytes => {
                let mut hashes = Vec::new();
                for_each_text(graph, index, |text| {
                    hashes.push(match value_type {
                        ValueType::String => fnv64(text),
                        _ => fnv64(Hex(text).to_string()),
                    });
                })?;
                hashes.push(fnv64("null"));
                Self::Texts(hashes)
            }
            ValueType::Ref => {
                let codes = 0..labels.code_count() as u32;
                let of_codes = codes.map(|code| fnv64(format!("ref:{}", labels.text(code)))).collect();
                Self::Refs { of_codes, labels }
            }
            _ => {
                // The complement of an index has other low bits, so that no entry is taken for one that was made.
                let last = (0..Self::NUMBERS as i64).map(|index| (!index, 0)).collect();
                Self::Numbers { last, property: Box::new(graph.property_at(index)?) }
            }
        })
    }

    #[inline]
    fn of_value(&mut self, value: i64) -> u64 {
        match self {
            Self::Texts(hashes) => hashes[value as usize],
            Self::Refs { .. } if value == NULL_REF => fnv64("null"),
            Self::Refs { of_codes, labels } => of_codes[labels.code(value as u32) as usize],
            Self::Numbers { last, property } => {
                let entry = &mut last[value as usize % Self::NUMBERS];
                if entry.0 != value {
                    *entry = (value, fnv64(text_of(property.value_of(value, 0))));
                }
                entry.1
            }
        }
    }
}

fn text_of(value: Value<'_>) -> String {
    match value {
        Value::F32(number) => float_text(number),
        Value::F64(number) => float_text(number),
        other => other.to_string(),
    }
}
