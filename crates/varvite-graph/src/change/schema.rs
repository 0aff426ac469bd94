//! The labels and properties that a diff may refer to: those of the graph, and those that the diff declares.

use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::OnceLock;

use varvite_format::{EdgeLabelId, LabelId, Owner, PropertyId, check_name};

use super::diff::Diff;
use super::operation::{Kind, Name, Operation};
use super::refusal::ChangeResult;
use super::text_codes::TextCodes;
use crate::change_error::ChangeError;
use crate::change_fault::ChangeFault;
use crate::cursor::value::{Cardinality, ValueType};
use crate::error::Result;
use crate::graph::Graph;
use crate::name_kind::NameKind;
use crate::schema::nearest;

/// The names that a diff declares and that the graph does not have yet, in the order of their numbers. These
/// numbers come after those of the graph's names.
#[derive(Clone, Debug, Default)]
pub(super) struct Additions {
    pub(super) labels: Vec<String>,
    pub(super) edge_labels: Vec<String>,
    pub(super) properties: Vec<(String, PropertyKind)>,
    /// Label sets that no node has yet; the label ids of each set ascend.
    pub(super) label_sets: Vec<Vec<LabelId>>,
}

impl Additions {
    /// Whether the diff declares nothing new.
    pub(super) fn is_empty(&self) -> bool {
        let Self { labels, edge_labels, properties, label_sets } = self;
        labels.is_empty() && edge_labels.is_empty() && properties.is_empty() && label_sets.is_empty()
    }
}

/// The owner, type and cardinality of a property.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct PropertyKind {
    pub(super) owner: Owner,
    /// The type; `None` for a type that this program does not support.
    pub(super) value_type: Option<ValueType>,
    pub(super) cardinality: Cardinality,
}

/// The labels, edge labels and properties of a graph by name. One table serves any number of diffs.
#[derive(Clone, Debug)]
pub(super) struct SchemaNames {
    labels: HashMap<String, LabelId>,
    edge_labels: HashMap<String, EdgeLabelId>,
    properties: HashMap<(Owner, String), PropertyId>,
    kinds: Vec<PropertyKind>,
    /// The code (number) of each label set, by its labels in ascending order. If several codes stand for the
    /// same set, the table has the last of them. The table is computed on first use.
    label_sets: OnceLock<HashMap<Vec<LabelId>, u32>>,
    /// The codes (numbers) of the base's texts, for the properties in which earlier diffs searched texts.
    text_codes: TextCodes,
}

impl SchemaNames {
    pub(super) fn of(graph: &Graph) -> Self {
        let directory = graph.store().directory();
        let labels = graph.labels().iter().map(|label| label.name.clone()).zip((0..).map(LabelId));
        let edge_labels =
            graph.edge_labels().iter().map(|label| label.name.clone()).zip((0..).map(EdgeLabelId));
        let rows = directory.properties.iter().zip(graph.properties());
        let properties = rows.zip((0..).map(PropertyId));
        let kinds = directory.properties.iter().map(|row| PropertyKind {
            owner: row.owner,
            value_type: ValueType::from_number(row.value_type),
            cardinality: Cardinality::from_number(row.cardinality).unwrap_or(Cardinality::List),
        });
        Self {
            labels: labels.collect(),
            edge_labels: edge_labels.collect(),
            properties: properties.map(|((row, info), id)| ((row.owner, info.name.clone()), id)).collect(),
            kinds: kinds.collect(),
            label_sets: OnceLock::new(),
            text_codes: TextCodes::default(),
        }
    }

    /// Moves the accounting of cached texts to the ledger of another graph that has the same names and
    /// columns.
    pub(super) fn move_to(&self, graph: &Graph) {
        self.text_codes.move_to(graph.ledger());
    }

    fn label_sets(&self, graph: &Graph) -> &HashMap<Vec<LabelId>, u32> {
        self.label_sets.get_or_init(|| {
            let directory = graph.store().directory();
            let sets = directory.label_sets.chunks_exact(directory.mask_words());
            let labels = |mask: &[u64]| varvite_format::members(mask).map(LabelId).collect();
            sets.map(labels).zip(0..).collect()
        })
    }
}

/// Checks that a new label, edge label or property may have this name.
fn check_new_name(kind: NameKind, name: &str) -> ChangeResult<()> {
    check_name(kind.to_string(), name).map_err(|error| ChangeFault::NotAName {
        kind,
        name: name.to_owned(),
        fault: Box::new(error.fault),
    })
}

/// The labels and properties that the names of a diff refer to.
#[derive(Debug)]
pub(super) struct Schema<'a> {
    diff: &'a Diff,
    graph: &'a Graph,
    /// The names of the graph; once the diff has declared a new name, a copy of these names with the declared
    /// ones.
    known: Cow<'a, SchemaNames>,
    /// For each name in the diff, the edge label with that name. It is looked up once, because every edge
    /// needs it.
    edge_label_of: Vec<Option<EdgeLabelId>>,
    pub(super) additions: Additions,
}

impl<'a> Schema<'a> {
    /// The names of the graph, together with those that operations of the diff declare.
    pub(super) fn of(graph: &'a Graph, known: &'a SchemaNames, diff: &'a Diff) -> Result<Self, ChangeError> {
        let mut schema = Self {
            diff,
            graph,
            known: Cow::Borrowed(known),
            edge_label_of: Vec::new(),
            additions: Additions::default(),
        };
        // Labels are declared first, because the edge label of a property may be declared after the property.
        for declare in [Self::declare_any_label, Self::declare_any_property] {
            diff.for_each(&Kind::DECLARATIONS, |number, operation, _| {
                let declared = declare(&mut schema, &operation);
                declared.map_err(|fault| ChangeError::Operation { operation: number, fault })
            })?;
        }
        let names = diff.names.all().iter();
        schema.edge_label_of = names.map(|name| schema.known.edge_labels.get(name).copied()).collect();
        Ok(schema)
    }

    fn declare_any_label(&mut self, operation: &Operation<'_>) -> ChangeResult<()> {
        match *operation {
            Operation::DeclareLabel { name } => self.declare_label(self.name(name)),
            Operation::DeclareEdgeLabel { name } => self.declare_edge_label(self.name(name)),
            _ => Ok(()),
        }
    }

    fn declare_any_property(&mut self, operation: &Operation<'_>) -> ChangeResult<()> {
        let Operation::DeclareProperty { name, edge_label, value_type, cardinality } = *operation else {
            return Ok(());
        };
        let owner = match edge_label {
            None => Owner::Node,
            Some(label) => Owner::Edge(self.find_edge_label(self.name(label))?),
        };
        let value_type = Some(value_type);
        self.declare_property(self.name(name), PropertyKind { owner, value_type, cardinality })
    }

    fn declare_label(&mut self, name: &str) -> ChangeResult<()> {
        let next = LabelId::from_index(self.known.labels.len());
        if !self.known.labels.contains_key(name) {
            check_new_name(NameKind::Label, name)?;
            self.known.to_mut().labels.insert(name.to_owned(), next);
            self.additions.labels.push(name.to_owned());
        }
        Ok(())
    }

    fn declare_edge_label(&mut self, name: &str) -> ChangeResult<()> {
        let next = EdgeLabelId::from_index(self.known.edge_labels.len());
        if !self.known.edge_labels.contains_key(name) {
            check_new_name(NameKind::EdgeLabel, name)?;
            self.known.to_mut().edge_labels.insert(name.to_owned(), next);
            self.additions.edge_labels.push(name.to_owned());
        }
        Ok(())
    }

    fn declare_property(&mut self, name: &str, kind: PropertyKind) -> ChangeResult<()> {
        if let Some(known) = self.known.properties.get(&(kind.owner, name.to_owned())) {
            let known = self.known.kinds[known.index()];
            let value_type = known.value_type.map_or("of an unknown type", ValueType::name);
            let found = format!("{value_type}, {}", known.cardinality.name());
            let same = known == kind;
            return same
                .then_some(())
                .ok_or_else(|| ChangeFault::Declared { property: name.to_owned(), found });
        }
        if let Owner::Edge(label) = kind.owner
            && self.is_forest(label)
        {
            return Err(ChangeFault::WithoutRanks { edge_label: self.edge_label_name(label).to_owned() });
        }
        check_new_name(NameKind::Property, name)?;
        let known = self.known.to_mut();
        known.properties.insert((kind.owner, name.to_owned()), PropertyId::from_index(known.kinds.len()));
        known.kinds.push(kind);
        self.additions.properties.push((name.to_owned(), kind));
        Ok(())
    }

    /// Checks a label set: if one of its labels belongs to a layer that can be dropped, all its labels must
    /// belong to that layer.
    pub(super) fn check_layers_of(&self, labels: &[LabelId]) -> ChangeResult<()> {
        let layer_of = |label: &LabelId| self.graph.labels().get(label.index()).map(|known| known.layer);
        let is_apart = |layer: u32| {
            let row = self.graph.store().directory().layers.get(layer as usize);
            row.is_some_and(|row| row.nodes.is_some())
        };
        let of_layer =
            labels.iter().find_map(|label| Some((label, layer_of(label).filter(|it| is_apart(*it))?)));
        let Some((label, layer)) = of_layer else { return Ok(()) };
        let other = labels.iter().find(|label| layer_of(label) != Some(layer));
        let Some(other) = other else { return Ok(()) };
        Err(ChangeFault::MixedLabels {
            label: self.label_name(*label).to_owned(),
            layer: self.graph.layers()[layer as usize].name.clone(),
            other: self.label_name(*other).to_owned(),
        })
    }

    fn label_name(&self, label: LabelId) -> &str {
        match self.graph.labels().get(label.index()) {
            Some(known) => &known.name,
            None => &self.additions.labels[label.index() - self.graph.labels().len()],
        }
    }

    /// The code of a label set of the graph.
    pub(super) fn code_of(&self, labels: &[LabelId]) -> Option<u32> {
        self.known.label_sets(self.graph).get(labels).copied()
    }

    /// The codes (numbers) of the base's texts, for the properties in which earlier diffs searched texts.
    pub(super) fn text_codes(&self) -> &TextCodes {
        &self.known.text_codes
    }

    /// The number of label sets of the graph.
    pub(super) fn label_set_count(&self) -> u32 {
        let directory = self.graph.store().directory();
        (directory.label_sets.len() / directory.mask_words()) as u32
    }

    /// The text of a name in the diff.
    pub(super) fn name(&self, name: Name) -> &'a str {
        self.diff.names.get(name)
    }

    pub(super) fn label(&self, name: Name) -> ChangeResult<LabelId> {
        let text = self.name(name);
        let found = self.known.labels.get(text).copied();
        found.ok_or_else(|| unknown(NameKind::Label, text, self.known.labels.keys()))
    }

    pub(super) fn edge_label(&self, name: Name) -> ChangeResult<EdgeLabelId> {
        match self.edge_label_of[name as usize] {
            Some(label) => Ok(label),
            None => self.find_edge_label(self.name(name)),
        }
    }

    fn find_edge_label(&self, text: &str) -> ChangeResult<EdgeLabelId> {
        let found = self.known.edge_labels.get(text).copied();
        found.ok_or_else(|| unknown(NameKind::EdgeLabel, text, self.known.edge_labels.keys()))
    }

    pub(super) fn property(&self, owner: Owner, name: Name) -> ChangeResult<PropertyId> {
        let text = self.name(name).to_owned();
        let key = (owner, text);
        if let Some(found) = self.known.properties.get(&key) {
            return Ok(*found);
        }
        let kind = if owner == Owner::Node { NameKind::Property } else { NameKind::EdgeProperty };
        let names = self.known.properties.keys().filter(|(known, _)| *known == owner).map(|(_, name)| name);
        Err(unknown(kind, &key.1, names))
    }

    /// The owner, type and cardinality of a property.
    pub(super) fn kind(&self, property: PropertyId) -> PropertyKind {
        self.known.kinds[property.index()]
    }

    /// The properties of nodes, or of the edges of a label.
    pub(super) fn properties_of(&self, owner: Owner) -> impl Iterator<Item = PropertyId> + '_ {
        let all = (0..).map(PropertyId).zip(&self.known.kinds);
        all.filter(move |(_, kind)| kind.owner == owner).map(|(property, _)| property)
    }

    /// Whether the graph already has the property; otherwise only the diff declares it.
    pub(super) fn is_of_graph(&self, property: PropertyId) -> bool {
        property.index() < self.graph.properties().len()
    }

    pub(super) fn edge_label_name(&self, label: EdgeLabelId) -> &str {
        match self.graph.edge_labels().get(label.index()) {
            Some(known) => &known.name,
            None => &self.additions.edge_labels[label.index() - self.graph.edge_labels().len()],
        }
    }

    /// Whether the base stores the edges of a label by the order of its nodes.
    pub(super) fn is_forest(&self, label: EdgeLabelId) -> bool {
        let directory = self.graph.store().directory();
        directory.edge_labels.get(label.index()).is_some_and(|row| row.out.nodes.is_none())
    }
}

fn unknown<'n>(kind: NameKind, name: &str, known: impl Iterator<Item = &'n String>) -> ChangeFault {
    let mut known: Vec<&str> = known.map(String::as_str).collect();
    known.sort_unstable();
    ChangeFault::Unknown { kind, name: name.to_owned(), nearest: nearest(name, known.into_iter()) }
}
