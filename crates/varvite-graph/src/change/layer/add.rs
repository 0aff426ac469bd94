//! [`GraphChange::add_layer`]: writes a diff as a layer.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::Arc;

use varvite_format::{
    Directory, EdgeLabelId, EdgeLabelRow, LayerRow, NamesBuilder, Owner, PropertyId, PropertyRow,
};
use varvite_store::{Scratch, StoreWriter, Task};

use super::super::addition::Numbers;
use super::super::apply::Applied;
use super::super::change_set::{ChangeSet, EdgeChanges};
use super::super::decode::decode_within;
use super::super::diff::Diff;
use super::super::encode::encode;
use super::super::large_values::write_large_values;
use super::super::new_ranks::NewRanks;
use super::super::new_rows::{LAYER, NewRows};
use super::super::number_lists::NumberLists;
use super::super::property_changes::{PropertyChanges, ValueColumns};
use super::super::resolve::resolve;
use super::super::schema::{Additions, SchemaNames};
use super::super::sorted_values::SortedValues;
use super::columns::LayerColumns;
use super::rules::check;
use crate::change_error::ChangeError;
use crate::change_fault::ChangeFault;
use crate::cursor::value::{Cardinality, ValueType};
use crate::error::Result;
use crate::graph::Graph;
use crate::name_kind::NameKind;
use crate::write::{Encoder, GraphChange, LayerSpec, MANY_OF_LAYER, codec_of};

impl GraphChange {
    /// Adds the nodes, edges and values of a diff as a layer. The diff must declare all labels, edge labels
    /// and properties that it uses; its edges may connect any nodes, old or new. An existing layer of the
    /// same name is [dropped](Self::set_layers) in the same commit. Costs in proportion to the diff and to
    /// the set of changes; later commits do not write the layer again. The memory, besides that of the diff,
    /// is for one edge label at a time (some 32 bytes for each edge), and for one property at a time: all its
    /// values, or none if the property has two million numbers or more.
    ///
    /// # Errors
    /// [`ChangeError::Operation`] with an operation that is invalid, or not allowed in a layer;
    /// [`ChangeError::LayerOfMore`] and [`ChangeError::LayerInUse`] if the existing layer of the same name
    /// cannot be dropped; the errors of [`GraphChange::apply`]. The file is then unchanged.
    ///
    /// # Example
    /// ```no_run
    /// use varvite::change::{Diff, PropertyOwner};
    /// use varvite::write::{GraphChange, LayerSpec};
    /// use varvite::{Cardinality, Task, ValueType};
    ///
    /// # fn main() -> Result<(), varvite::change::ChangeError> {
    /// let mut diff = Diff::new();
    /// diff.declare_label("SITE");
    /// diff.declare_edge_label("AT");
    /// diff.declare_property("BYTES", PropertyOwner::Nodes, ValueType::U64, Cardinality::Optional);
    /// let site = diff.add_node(&["SITE"]);
    /// diff.set(site, "BYTES", [4096u64]);
    /// diff.add_edge("AT", site, 7);
    /// let layer = LayerSpec { name: "heap", tool: "profiler", version: "1", source: [0; 32] };
    /// let change = GraphChange::open("code.varvite")?;
    /// change.add_layer(&layer, &diff, &Task::new())?;
    /// # Ok(())
    /// # }
    /// ```
    pub fn add_layer(
        self,
        layer: &LayerSpec<'_>,
        diff: &Diff,
        task: &Task<'_>,
    ) -> Result<Applied, ChangeError> {
        self.add_layer_with(layer, diff, Vec::new(), task)
    }

    /// The same as [`GraphChange::add_layer`], with lists of numbers for new nodes. The lists were created by
    /// [`Diff::number_lists`] of this diff. No operation may give values to the properties of these lists.
    ///
    /// # Errors
    /// The errors of [`GraphChange::add_layer`]. If lists belong to another diff, or to a property that
    /// operations give values to, the error's operation number follows those of the diff's operations.
    pub fn add_layer_with(
        self,
        layer: &LayerSpec<'_>,
        diff: &Diff,
        lists: Vec<NumberLists>,
        task: &Task<'_>,
    ) -> Result<Applied, ChangeError> {
        let before = *self.graph().store().superblock();
        layer.check()?;
        if layer.name == LAYER {
            return Err(ChangeError::LayerOfMore { name: layer.name.to_owned() });
        }
        let change = self.without_layers(&[layer.name], task)?;
        let graph = change.graph();
        let known = SchemaNames::of(graph);
        check(graph, &known, diff)?;
        let mut changes = decode_within(graph, diff.scratch.as_ref())?;
        let resolved = resolve(graph, &known, &mut changes, diff, task)?;
        let (additions, numbers) = (resolved.additions, resolved.numbers);
        let of_layer = (layer, source_of(layer, diff, &lists)?);
        let mut contents = Contents::take(graph, &mut changes, diff);
        contents.take_lists(lists, (graph, &additions, &numbers), diff)?;
        let mut directory = Directory { changes: None, ..graph.store().directory().clone() };
        let mut writer = change.begin_commit(&mut directory, task)?;
        let generation = writer.generation();
        directory.nodes = changes.nodes();
        let encoder = Encoder::new(graph.store().header().profile, codec_of(graph.store().directory()));
        let encoder = encoder.until(task.flag());
        let what = (&additions, &contents);
        let ranks = add_rows(graph, &mut directory, of_layer, what, (&encoder, &mut writer), task)?;
        if !changes.is_empty() {
            directory.changes = Some(encode(&changes, &directory, &encoder, &mut writer, None, task)?);
        }
        task.check()?;
        let file_len = change.commit(writer, directory)?;
        let ranks = ranks_of(&numbers.ranks, &ranks);
        let Numbers { first_node, nodes, .. } = numbers;
        let (nodes, written) = (first_node..first_node + nodes, file_len.saturating_sub(before.file_len));
        Ok(Applied { nodes, file_len, written, generation, record: 0, ranks })
    }
}

/// The ranks of the edges of each label, in the order in which the edges were added.
type Ranks = BTreeMap<EdgeLabelId, Vec<u32>>;

/// The edges and values of a layer. All their edge labels and properties are new to the graph.
struct Contents {
    edges: BTreeMap<EdgeLabelId, EdgeChanges>,
    properties: BTreeMap<PropertyId, PropertyChanges>,
    /// The values of properties that do not fit in memory.
    sorted: BTreeMap<PropertyId, SortedValues>,
    scratch: Option<Arc<Scratch>>,
}

impl Contents {
    /// Moves the layer's edges and values out of the changes of a graph.
    fn take(graph: &Graph, changes: &mut ChangeSet, diff: &Diff) -> Self {
        let first = PropertyId::from_index(graph.properties().len());
        Self {
            edges: changes.edges.split_off(&EdgeLabelId::from_index(graph.edge_labels().len())),
            properties: changes.properties.split_off(&first),
            sorted: changes.sorted.split_off(&first),
            scratch: diff.scratch.clone(),
        }
    }

    /// Adds the lists of numbers that the caller passed together with the diff.
    fn take_lists(
        &mut self,
        lists: Vec<NumberLists>,
        (graph, additions, numbers): (&Graph, &Additions, &Numbers),
        diff: &Diff,
    ) -> Result<(), ChangeError> {
        let first = graph.properties().len();
        for lists in lists {
            let fault = |fault| ChangeError::Operation { operation: diff.len() as u64, fault };
            let place = additions.properties.iter().position(|(name, kind)| {
                let is_list =
                    kind.cardinality == Cardinality::List && kind.value_type == Some(ValueType::I64);
                kind.owner == Owner::Node && is_list && name == lists.property()
            });
            let Some(place) = place else { return Err(fault(unknown_lists(&lists))) };
            lists.check(numbers.nodes).map_err(fault)?;
            let property = PropertyId::from_index(first + place);
            if self.properties.contains_key(&property) || self.sorted.contains_key(&property) {
                return Err(fault(given_twice(&lists)));
            }
            let sorted = lists.into_sorted(numbers.first_node)?;
            if !sorted.is_empty() {
                self.sorted.insert(property, sorted);
            }
        }
        Ok(())
    }

    /// The values of a number property with so many values that they are packed; `None` for other properties,
    /// for which several encodings are tried.
    fn large_numbers(&self, property: PropertyId) -> Result<Option<Cow<'_, SortedValues>>, ChangeError> {
        Ok(match (self.sorted.get(&property), self.properties.get(&property)) {
            (Some(sorted), _) if sorted.texts.is_none() && sorted.value_count() as usize >= MANY_OF_LAYER => {
                Some(Cow::Borrowed(sorted))
            }
            (None, Some(changes)) if changes.texts.is_none() && changes.values.len() >= MANY_OF_LAYER => {
                Some(Cow::Owned(SortedValues::of(changes)?))
            }
            _ => None,
        })
    }

    /// The values of a property.
    fn values(
        &self,
        property: PropertyId,
        value_type: ValueType,
    ) -> Result<Cow<'_, PropertyChanges>, ChangeError> {
        Ok(match (self.properties.get(&property), self.sorted.get(&property)) {
            (Some(changes), _) => Cow::Borrowed(changes),
            (None, Some(sorted)) => Cow::Owned(sorted.load()?),
            (None, None) => Cow::Owned(PropertyChanges::of_nothing(value_type)),
        })
    }
}

/// Adds the rows of a layer to a directory.
struct Rows<'a> {
    graph: &'a Graph,
    layer: u32,
    names: NamesBuilder,
    directory: &'a mut Directory,
    columns: LayerColumns<'a>,
    additions: &'a Additions,
    contents: &'a Contents,
}

/// Adds the rows of a layer to the directory, and writes its columns.
fn add_rows(
    graph: &Graph,
    directory: &mut Directory,
    (layer, source): (&LayerSpec<'_>, [u8; 32]),
    (additions, contents): (&Additions, &Contents),
    (encoder, writer): (&Encoder, &mut StoreWriter),
    task: &Task<'_>,
) -> Result<Ranks, ChangeError> {
    let mut names = NamesBuilder::from(&directory.names);
    let number = directory.layers.len() as u32;
    let [name, tool, version] = [layer.name, layer.tool, layer.version].map(|text| names.intern(text));
    let nodes = Some(directory.nodes);
    directory.layers.push(LayerRow { name, tool, version, nodes, time: 0, source });
    let mut labels = NewRows { graph, directory, encoder, writer };
    labels.add_labels(&additions.labels, number, &mut names)?;
    labels.add_label_sets(&additions.label_sets);
    let columns = LayerColumns { encoder, writer, nodes: directory.nodes };
    let mut rows = Rows { graph, layer: number, names, directory, columns, additions, contents };
    let ranks = rows.add_edges(task)?;
    rows.add_properties(&ranks, task)?;
    rows.directory.names = rows.names.build();
    Ok(ranks)
}

impl Rows<'_> {
    fn total(&self) -> usize {
        self.additions.edge_labels.len() + self.additions.properties.len()
    }

    fn add_edges(&mut self, task: &Task<'_>) -> Result<Ranks, ChangeError> {
        let (mut ranks, none) = (Ranks::new(), EdgeChanges::default());
        let labels = (self.graph.edge_labels().len()..).map(EdgeLabelId::from_index);
        for (label, name) in labels.zip(&self.additions.edge_labels) {
            task.check()?;
            let changed = self.contents.edges.get(&label).unwrap_or(&none);
            let mut properties = self.additions.properties.iter();
            let has_values = properties.any(|(_, kind)| kind.owner == Owner::Edge(label));
            let columns = self.columns.edges(changed, has_values, task)?;
            self.directory.edge_labels.push(EdgeLabelRow {
                name: self.names.intern(name),
                layer: self.layer,
                edges: columns.ranks.len() as u64,
                out: columns.out,
                in_: columns.in_,
                places: columns.places,
            });
            ranks.insert(label, columns.ranks);
            task.step(name, ranks.len(), self.total());
        }
        Ok(ranks)
    }

    fn large_numbers(
        &mut self,
        numbers: &SortedValues,
        task: &Task<'_>,
    ) -> Result<ValueColumns, ChangeError> {
        let LayerColumns { encoder, writer, nodes } = &mut self.columns;
        let scratch = self.contents.scratch.as_ref();
        write_large_values(numbers, *nodes, scratch, encoder, writer, task)
    }

    fn add_properties(&mut self, ranks: &Ranks, task: &Task<'_>) -> Result<(), ChangeError> {
        let properties = (self.graph.properties().len()..).map(PropertyId::from_index);
        let properties = properties.zip(&self.additions.properties);
        for (done, (property, (name, kind))) in (ranks.len() + 1..).zip(properties) {
            task.check()?;
            let value_type = kind.value_type.expect("only known types are declared");
            let values = || self.contents.values(property, value_type);
            let columns = match (kind.owner, self.contents.large_numbers(property)?) {
                (Owner::Node, Some(numbers)) => self.large_numbers(&numbers, task)?,
                (Owner::Node, None) => self.columns.values_of_nodes(&*values()?, value_type)?,
                (Owner::Edge(label), _) => {
                    self.columns.values_of_edges(&*values()?, value_type, &ranks[&label])?
                }
            };
            self.directory.properties.push(PropertyRow {
                name: self.names.intern(name),
                layer: self.layer,
                owner: kind.owner,
                value_type: value_type as u8,
                cardinality: kind.cardinality as u8,
                default_kind: 0,
                default: 0,
                present: columns.present,
                offsets: columns.offsets,
                values: columns.values,
                strings: columns.strings,
            });
            task.step(name, done, self.total());
        }
        Ok(())
    }
}

/// The rank of each edge that the diff adds, in the order of its operations. The diff of a layer removes no
/// nodes, so no edge was left out.
fn ranks_of(came: &NewRanks, ranks: &Ranks) -> NewRanks {
    let mut found = NewRanks::default();
    for edge in 0..came.len() {
        let label = came.label(edge).expect("there are so many edges");
        found.push(label, ranks[&label][came.get(edge) as usize]);
    }
    found
}

/// The fault for lists of a property that the diff does not declare.
fn unknown_lists(lists: &NumberLists) -> ChangeFault {
    let name = lists.property().to_owned();
    ChangeFault::Unknown { kind: NameKind::Property, name, nearest: None }
}

/// The fault for lists of a property that already has values or other lists.
fn given_twice(lists: &NumberLists) -> ChangeFault {
    let found = "given values otherwise".to_owned();
    ChangeFault::Declared { property: lists.property().to_owned(), found }
}

/// The source hash in the row of a layer. It covers the source given by the caller, all operations of the
/// diff, and the lists beside it.
fn source_of(layer: &LayerSpec<'_>, diff: &Diff, lists: &[NumberLists]) -> Result<[u8; 32], ChangeError> {
    let mut hasher = blake3::Hasher::new();
    hasher.update(b"layer of a diff").update(&layer.source).update(&diff.hash()?);
    lists.iter().for_each(|lists| lists.hash_into(&mut hasher));
    Ok(*hasher.finalize().as_bytes())
}
