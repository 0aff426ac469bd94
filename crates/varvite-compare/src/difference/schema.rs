//! [`SharedSchema`]: the labels, edge labels and properties that two graphs have in common, matched by name,
//! and those that only one graph has.

use std::collections::BTreeMap;

use varvite_format::{EdgeLabelId, PropertyId};

use varvite_graph::internal::for_each_text;
use varvite_graph::{Cardinality, Graph, GraphScan, Result, ScratchVec, ValueType};

/// The names in the schemas of both graphs: those that both graphs have, and those that only one of them has.
pub(super) struct SharedSchema<'p> {
    /// For each graph, the number of the label set of each code. Equal label sets have equal numbers in both
    /// graphs.
    label_sets: [Vec<u32>; 2],
    /// The names of the labels of each set, sorted.
    pub(super) set_names: Vec<Vec<String>>,
    /// Properties of nodes first, then properties of edges, each of the two groups sorted by name.
    pub(super) properties: Vec<SharedProperty<'p>>,
    pub(super) edge_labels: Vec<SharedEdgeLabel>,
}

/// A property that one or both graphs have. Two properties with the same name but different types or
/// cardinalities are separate.
#[derive(Debug)]
pub struct SharedProperty<'p> {
    /// The name of the property.
    pub name: String,
    /// The label of the edges that have the property; `None` for a property of nodes.
    pub edge_label: Option<String>,
    /// The number of the property in each graph that has it.
    pub ids: [Option<PropertyId>; 2],
    /// The type of the values.
    pub value_type: ValueType,
    /// The number of values that an owner may have.
    pub cardinality: Cardinality,
    /// Whether the first graph lacks this property but has one with the same name and a different type or
    /// cardinality.
    pub(super) is_declared_otherwise: bool,
    /// For each graph, the number of the text of each code. Equal texts have equal numbers in both graphs,
    /// and null has the number [`NULL_TEXT`].
    texts: Option<[ScratchVec<'p, u32>; 2]>,
}

/// An edge label that one or both graphs have.
#[derive(Debug)]
pub struct SharedEdgeLabel {
    /// The name of the edge label.
    pub name: String,
    /// The number of the edge label in each graph that has it.
    pub ids: [Option<EdgeLabelId>; 2],
    /// The properties of the edges, by their indexes in [`SharedSchema::properties`].
    pub(super) properties: Vec<usize>,
}

const NULL_TEXT: i64 = -1;

impl<'p> SharedSchema<'p> {
    pub(super) fn of(passes: [&'p GraphScan<'_>; 2]) -> Result<Self> {
        let graphs = passes.map(GraphScan::graph);
        let LabelSets { numbers, names } = LabelSets::of(graphs)?;
        let properties = shared_properties(graphs);
        let edge_labels = edge_labels(graphs, &properties);
        Ok(Self { label_sets: numbers, set_names: names, properties, edge_labels })
    }

    /// Numbers the texts of the property at `index`, which both graphs have.
    pub(super) fn numbered_texts(
        &self,
        passes: [&'p GraphScan<'_>; 2],
        index: usize,
    ) -> Result<Option<[ScratchVec<'p, u32>; 2]>> {
        let property = &self.properties[index];
        match property.ids {
            [Some(first), Some(second)] if property.value_type.is_text() => {
                number_texts(passes, [first, second]).map(Some)
            }
            _ => Ok(None),
        }
    }

    pub(super) fn set_texts(&mut self, index: usize, texts: Option<[ScratchVec<'p, u32>; 2]>) {
        self.properties[index].texts = texts;
    }

    /// The number of the label set that has a code in graph `side`.
    #[inline]
    pub(super) fn label_set(&self, side: usize, code: u32) -> u32 {
        self.label_sets[side].get(code as usize).copied().unwrap_or(u32::MAX)
    }
}

impl SharedProperty<'_> {
    pub(super) fn is_of_both(&self) -> bool {
        self.ids.iter().all(Option::is_some)
    }

    /// Converts a stored number of graph `side` to a number that is the same in both graphs for equal values.
    /// Not to be called for references.
    #[inline]
    pub(super) fn common(&self, side: usize, number: i64) -> i64 {
        let Some(texts) = &self.texts else { return number };
        let text = usize::try_from(number).ok().and_then(|code| texts[side].get(code));
        text.map_or(NULL_TEXT, |text| (*text).into())
    }
}

/// The numbers of a property's texts in both graphs: equal texts have equal numbers.
fn number_texts<'p>(
    passes: [&'p GraphScan<'_>; 2],
    ids: [PropertyId; 2],
) -> Result<[ScratchVec<'p, u32>; 2]> {
    let mut known: std::collections::HashMap<[u8; 16], u32> = std::collections::HashMap::new();
    let mut scratch = passes[0].scratch(0)?;
    let mut numbers = [ScratchVec::new(passes[0])?, ScratchVec::new(passes[1])?];
    for side in 0..2 {
        for_each_text(passes[side], ids[side], |text| {
            if known.len() == known.capacity() {
                // While the table grows, the old table and the new one, twice as large, are both in memory.
                scratch.resize(3 * ENTRY_BYTES * known.capacity().max(64))?;
                known.reserve(known.len().max(64));
            }
            let next = known.len() as u32;
            let hash = blake3::hash(text);
            let (key, _) = hash.as_bytes().split_first_chunk().expect("a hash has 32 bytes");
            numbers[side].push(*known.entry(*key).or_insert(next))
        })?;
    }
    Ok(numbers)
}

/// Bytes of a text's entry in a table: the hash, the number, and one byte for the table itself.
const ENTRY_BYTES: usize = 24;

/// The label sets of both graphs.
struct LabelSets {
    /// For each graph, the number of the label set of each code.
    numbers: [Vec<u32>; 2],
    names: Vec<Vec<String>>,
}

impl LabelSets {
    fn of(graphs: [&Graph; 2]) -> Result<Self> {
        let mut known: BTreeMap<Vec<String>, u32> = BTreeMap::new();
        let mut sets = Self { numbers: [Vec::new(), Vec::new()], names: Vec::new() };
        for (graph, numbers) in graphs.into_iter().zip(&mut sets.numbers) {
            let labels = graph.label_sets()?;
            for code in 0..labels.code_count() {
                let of_code = labels.of_code(code).filter_map(|label| graph.labels().get(label.index()));
                let mut set: Vec<String> = of_code.map(|label| label.name.clone()).collect();
                set.sort_unstable();
                let next = known.len() as u32;
                numbers.push(*known.entry(set).or_insert_with_key(|set| {
                    sets.names.push(set.clone());
                    next
                }));
            }
        }
        Ok(sets)
    }
}

/// The numbers of a property in the graphs that have it.
type PropertyIds = [Option<PropertyId>; 2];

/// The properties of the two graphs, by edge label and name.
fn shared_properties<'p>(graphs: [&Graph; 2]) -> Vec<SharedProperty<'p>> {
    let info = |side: usize, id: PropertyId| &graphs[side].properties()[id.index()];
    let mut known: BTreeMap<(Option<&str>, &str), Vec<PropertyIds>> = BTreeMap::new();
    for id in graphs[0].property_ids() {
        let name = (info(0, id).edge_label.as_deref(), info(0, id).name.as_str());
        known.entry(name).or_default().push([Some(id), None]);
    }
    for id in graphs[1].property_ids() {
        let second = info(1, id);
        let rows = known.entry((second.edge_label.as_deref(), second.name.as_str())).or_default();
        let is_same = |ids: &&mut PropertyIds| {
            let first = ids[0].filter(|_| ids[1].is_none()).map(|first| info(0, first));
            first.is_some_and(|first| {
                (first.value_type, first.cardinality) == (second.value_type, second.cardinality)
            })
        };
        match rows.iter_mut().find(is_same) {
            Some(ids) => ids[1] = Some(id),
            None => rows.push([None, Some(id)]),
        }
    }
    let mut properties = Vec::new();
    for ((edge_label, name), rows) in known {
        let is_of_first = rows.iter().any(|ids| ids[0].is_some());
        properties.extend(rows.into_iter().filter_map(|ids| {
            let [first, second] = ids;
            let info = first.map(|id| info(0, id)).or(second.map(|id| info(1, id)))?;
            Some(SharedProperty {
                name: name.to_owned(),
                edge_label: edge_label.map(str::to_owned),
                ids,
                value_type: info.value_type,
                cardinality: info.cardinality,
                is_declared_otherwise: first.is_none() && is_of_first,
                texts: None,
            })
        }));
    }
    properties
}

fn edge_labels(graphs: [&Graph; 2], properties: &[SharedProperty<'_>]) -> Vec<SharedEdgeLabel> {
    let mut known: BTreeMap<&str, [Option<EdgeLabelId>; 2]> = BTreeMap::new();
    for (side, graph) in graphs.into_iter().enumerate() {
        for (id, label) in graph.edge_label_ids().zip(graph.edge_labels()) {
            known.entry(&label.name).or_default()[side] = Some(id);
        }
    }
    let mut of_label: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for (index, property) in properties.iter().enumerate() {
        if let Some(label) = &property.edge_label {
            of_label.entry(label).or_default().push(index);
        }
    }
    let shared = known.into_iter().map(|(name, ids)| {
        let properties = of_label.remove(name).unwrap_or_default();
        SharedEdgeLabel { name: name.to_owned(), ids, properties }
    });
    shared.collect()
}
