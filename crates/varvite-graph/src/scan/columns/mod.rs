//! Reads whole columns from front to back, for scans of a whole graph: facts, digests and checks.
//!
//! Values are decoded in blocks and every number is checked, so a scan is both the fastest and the strictest
//! way to read a column. A scan ends at the first damage, which [`ListScan::finish`] returns. A scan takes
//! memory for one block of each column, even if a damaged file claims huge lengths.

use std::sync::Arc;

mod changed;

use varvite_format::{ColumnId, EdgeLabelId, Fault, FormatError, Ints, NodeSet, NodeSetIter, PropertyId};
use varvite_store::{Cancel, Pinned};

pub(crate) use self::changed::ScannedEntry;
use self::changed::{ChangedForm, ChangedScan, ToldBy};
use crate::cursor::adjacency::Direction;
use crate::cursor::bounds::Bounds;
use crate::cursor::columns::{adjacency_name, property_name};
use crate::cursor::ints_scan::IntsScan;
use crate::cursor::labels::Labels;
use crate::cursor::property::{Property, PropertyChange};
use crate::cursor::value::ValueType;
use crate::error::{GraphError, Result};
use crate::graph::Graph;
use crate::overlay::changed_counts::living_edges;
use crate::scan::graph_scan::GraphScan;

/// A scan checks whether it was cancelled after this number of lists, and (`CANCEL_TEXTS`) of texts; that is
/// a few hundred times a second.
const CANCEL_LISTS: u32 = 1 << 16;
pub(crate) const CANCEL_TEXTS: u32 = 1 << 10;

/// The columns of lists: the owners, the start of each list, and the entries.
pub struct ListColumns {
    /// The name of the lists in errors, such as `edges CFG in`.
    pub(crate) name: String,
    /// The number of entries in all lists.
    pub(crate) total: u64,
    /// The numbers that are valid entries, and the number that stands for null.
    bounds: Bounds,
    cancel: Cancel,
    form: ListForm,
}

/// The stored form of the lists.
#[expect(clippy::large_enum_variant, reason = "there is one of them at a time")]
enum ListForm {
    Columns {
        owners: NodeSet<Pinned>,
        offsets: Option<Ints<Pinned>>,
        values: Ints<Pinned>,
    },
    /// The out-lists of the forest edge label: children are computed from the subtree sizes of all nodes.
    Forest {
        sizes: Ints<Pinned>,
    },
    /// The in-lists of the forest edge label: the parent of a node is computed from the stored distance.
    Parents {
        distances: Ints<Pinned>,
    },
    /// The lists of an edge label with changes.
    Changed(Box<ChangedForm>),
    /// The values of a property with changes.
    Values(Box<ChangedValues>),
}

/// The lists of a property's values in the base, and the lists of changed values.
pub(crate) struct ChangedValues {
    pub(crate) base: ListColumns,
    pub(crate) later: Option<ListColumns>,
    pub(crate) change: Arc<PropertyChange>,
}

impl ListColumns {
    /// The lists of neighbours along an edge label, given by its id, in one direction.
    #[doc(hidden)]
    pub fn of_edges(graph: &Graph, edge_label: EdgeLabelId, direction: Direction) -> Result<Self> {
        let base = Self::of_base_edges(graph, edge_label, direction)?;
        let directory = graph.store().directory();
        let changes = directory.changes.as_ref().and_then(|changes| changes.of_edges(edge_label));
        let Some(changes) = changes else { return Ok(base) };
        let row = &directory.edge_labels[edge_label.index()];
        let columns = graph.change_columns(row, changes, direction)?;
        let told_by = match base.form {
            ListForm::Forest { .. } => ToldBy::Neighbor,
            ListForm::Parents { .. } => ToldBy::Owner,
            _ => ToldBy::Position,
        };
        let side = if direction == Direction::Out { changes.out } else { changes.in_ };
        let bounds = Bounds::nodes(directory.nodes);
        let appended = side.nodes.zip(side.offsets).zip(side.neighbors).map(|((owners, offsets), values)| {
            let form = ListForm::Columns {
                owners: NodeSet::open(graph.store(), owners, directory.nodes)?,
                offsets: Some(Ints::open(graph.store(), offsets)?),
                values: Ints::open(graph.store(), values)?,
            };
            let name = format!("appended {}", base.name);
            Ok::<Self, GraphError>(Self {
                name,
                total: changes.appended,
                bounds,
                cancel: Cancel::default(),
                form,
            })
        });
        let (name, total) = (base.name.clone(), living_edges(directory, edge_label, row));
        let form = ChangedForm { base, appended: appended.transpose()?, changes: columns, told_by };
        Ok(Self { name, total, bounds, cancel: Cancel::default(), form: ListForm::Changed(Box::new(form)) })
    }

    /// The same as [`ListColumns::of_edges`], without the changes.
    pub(crate) fn of_base_edges(
        graph: &Graph,
        edge_label: EdgeLabelId,
        direction: Direction,
    ) -> Result<Self> {
        let (store, directory) = (graph.store(), graph.store().directory());
        let name = adjacency_name(directory, edge_label, direction);
        let missing =
            |what| store.damaged(FormatError::damaged(name.as_str(), Fault::Missing { what, number: None }));
        let row = directory.edge_labels.get(edge_label.index()).ok_or_else(|| missing("edge label"))?;
        let side = if direction == Direction::Out { row.out } else { row.in_ };
        let nodes = directory.nodes_of_layer(row.layer);
        let form = if let Some(owners) = side.nodes {
            ListForm::Columns {
                owners: NodeSet::open(store, owners, nodes)?,
                offsets: Some(Ints::open(store, side.offsets.ok_or_else(|| missing("column of offsets"))?)?),
                values: Ints::open(store, side.neighbors.ok_or_else(|| missing("column of neighbours"))?)?,
            }
        } else {
            let is_forest = directory.tree_label == Some(edge_label);
            let follows_from = |column: Option<ColumnId>| {
                let column = column.filter(|_| is_forest).ok_or_else(|| missing("column"))?;
                Ok::<Ints<Pinned>, GraphError>(Ints::open(store, column)?)
            };
            match direction {
                Direction::Out => ListForm::Forest { sizes: follows_from(directory.subtree)? },
                Direction::In => ListForm::Parents { distances: follows_from(directory.parents)? },
            }
        };
        let (total, bounds) = (row.edges, Bounds::nodes(nodes));
        Ok(Self { total, bounds, cancel: Cancel::default(), form, name })
    }

    /// The values of a property, given by its id, as stored numbers.
    #[doc(hidden)]
    #[inline]
    pub fn of_property(graph: &Graph, property: PropertyId) -> Result<Self> {
        let name = property_name(graph.store().directory(), property);
        let property = graph.property_at(property)?;
        let (total, bounds) = (property.value_count() as u64, property.bounds);
        let Some(change) = property.change.clone() else { return Ok(Self::of_stored(name, property)) };
        let form = ListForm::Values(Box::new(ChangedValues::of(&name, property, change)));
        Ok(Self { name, total, bounds, cancel: Cancel::default(), form })
    }

    /// The values in the columns of a property, without its change.
    pub(crate) fn of_stored(name: String, property: Property) -> Self {
        let Property { present: owners, offsets, values, stored_bounds: bounds, .. } = property;
        let total = values.len() as u64;
        let form = ListForm::Columns { owners, offsets, values };
        Self { name, total, bounds, cancel: Cancel::default(), form }
    }

    /// Makes scans of these lists end early once `cancel` is set. An early end looks like damage, so the
    /// caller has to check the flag before it reports damage.
    #[doc(hidden)]
    #[inline]
    pub fn until(self, cancel: &Cancel) -> Self {
        Self { cancel: cancel.clone(), ..self }
    }

    /// Begins a scan at the first list.
    #[doc(hidden)]
    pub fn scan(&self) -> ListScan<'_> {
        let source = match &self.form {
            ListForm::Columns { owners, offsets, values } => Source::Columns(ColumnScan {
                owners: owners.iter(),
                owners_left: owners.len(),
                last: None,
                offsets: offsets.as_ref().map(IntsScan::new),
                end: 0,
                values: IntsScan::new(values),
            }),
            ListForm::Forest { sizes } => Source::Forest(ForestScan { sizes, next: 0, child: 0, edges: 0 }),
            ListForm::Values(values) => Source::Values(Box::new(values.scan())),
            ListForm::Parents { distances } => {
                Source::Parents(ParentScan { distances: IntsScan::new(distances), parent: None })
            }
            ListForm::Changed(form) => Source::Changed(Box::new(ChangedScan::of(form))),
        };
        ListScan { lists: self, source, owner: 0, left: 0, read: 0, lists_read: 0, fault: None }
    }

    /// Checks that the lengths of the columns fit together.
    fn check_lengths(&self) -> Checked<()> {
        let ListForm::Columns { owners, offsets, values } = &self.form else { return Ok(()) };
        let starts = owners.len() as usize + 1;
        if let Some(offsets) = offsets.as_ref().filter(|offsets| offsets.len() != starts) {
            return Err(misplaced(
                "offsets",
                Fault::Count { what: "values", expected: starts as u64, found: offsets.len() as u64 },
            ));
        }
        if values.len() as u64 != self.total {
            let (expected, found) = (self.total, values.len() as u64);
            return Err(misplaced("entries", Fault::Count { what: "values", expected, found }));
        }
        Ok(())
    }
}

/// The owner and the length of a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct List {
    #[doc(hidden)]
    pub owner: u32,
    #[doc(hidden)]
    pub len: u64,
}

/// Reads lists one after the other: call [`ListScan::next_list`], then [`ListScan::next_entry`] for each
/// entry of the list.
pub struct ListScan<'a> {
    lists: &'a ListColumns,
    source: Source<'a>,
    owner: u32,
    /// The number of entries of the current list that were not read yet.
    left: u64,
    /// The number of entries read so far, in all lists.
    read: u64,
    lists_read: u32,
    fault: Option<Misplaced>,
}

enum Source<'a> {
    Columns(ColumnScan<'a>),
    Forest(ForestScan<'a>),
    Parents(ParentScan<'a>),
    Changed(Box<ChangedScan<'a>>),
    Values(Box<ValueScan<'a>>),
}

/// Reads the lists of the base and the lists of changed values, in the order of their owners.
pub(crate) struct ValueScan<'a> {
    pub(crate) change: &'a PropertyChange,
    pub(crate) base: ListScan<'a>,
    pub(crate) later: Option<ListScan<'a>>,
    /// The next list of the base, and (`next_later`) of the changed values, if it was read but not returned
    /// yet.
    pub(crate) next_of_base: Option<List>,
    pub(crate) next_later: Option<List>,
    /// Whether the list that was returned last holds changed values.
    pub(crate) is_later: bool,
}

/// The name of a damaged column, and the fault.
type Misplaced = Box<(&'static str, Fault)>;

/// A checked result, or the fault that was found.
type Checked<T> = std::result::Result<T, Misplaced>;

#[cold]
fn misplaced(column: &'static str, fault: Fault) -> Misplaced {
    Box::new((column, fault))
}

impl ListScan<'_> {
    /// The next list that has entries. `None` at the end, if damage is found, after a cancellation, or if the
    /// caller did not read all entries of the last list.
    #[inline]
    #[doc(hidden)]
    pub fn next_list(&mut self) -> Option<List> {
        self.lists_read = self.lists_read.wrapping_add(1);
        if self.lists_read.is_multiple_of(CANCEL_LISTS) && self.lists.cancel.check().is_err() {
            return None;
        }
        while self.left == 0 && self.fault.is_none() {
            let list = match &mut self.source {
                Source::Columns(columns) => columns.next_list(self.lists),
                Source::Forest(forest) => forest.next_list(self.lists),
                Source::Parents(parents) => parents.next_list(),
                Source::Changed(changed) => Ok(changed.next_list()),
                Source::Values(values) => Ok(values.next_list()),
            };
            match list {
                Ok(list) => {
                    let list = list?;
                    (self.owner, self.left) = (list.owner, list.len);
                    if list.len > 0 {
                        return Some(list);
                    }
                }
                Err(fault) => self.fault = Some(fault),
            }
        }
        None
    }

    /// The next entry of the current list; `None` at the end of the list or if damage is found.
    #[inline]
    #[doc(hidden)]
    pub fn next_entry(&mut self) -> Option<i64> {
        if self.left == 0 {
            return None;
        }
        let entry = match &mut self.source {
            Source::Columns(columns) => columns.values.next(u64::from(self.owner)),
            Source::Forest(forest) => forest.next_child().map(i64::from),
            Source::Parents(parents) => parents.parent.take().map(i64::from),
            Source::Changed(changed) => changed.next_entry(),
            Source::Values(values) => values.next_entry(),
        };
        let Some(entry) = entry.filter(|entry| self.lists.bounds.allow(*entry)) else {
            self.note_entry(entry);
            return None;
        };
        self.left -= 1;
        self.read += 1;
        Some(entry)
    }

    /// The same as [`ListScan::next_entry`], with the entry as a node id. Only for the lists of an edge
    /// label.
    #[inline]
    #[doc(hidden)]
    pub fn next_neighbor(&mut self) -> Option<u32> {
        self.next_entry().map(|entry| entry as u32)
    }

    /// The edge of the entry that was returned last; `None` unless these are the lists of an edge label with
    /// changes.
    #[inline]
    pub(crate) fn scanned_entry(&self) -> Option<ScannedEntry> {
        match &self.source {
            Source::Changed(changed) => changed.entry(),
            _ => None,
        }
    }

    /// The entries of the current list that were not read yet; empty unless these are the out-lists of a
    /// forest.
    pub(crate) fn children(&self) -> impl Iterator<Item = u32> {
        let mut forest = match &self.source {
            Source::Forest(forest) => Some(*forest),
            _ => None,
        };
        let left = self.left;
        (0..left).map_while(move |_| forest.as_mut()?.next_child())
    }

    #[cold]
    fn note_entry(&mut self, found: Option<i64>) {
        let (least, most) = self.lists.bounds.ends();
        let (entry, owner) = (self.read, self.owner);
        self.fault = Some(misplaced("entries", Fault::Entry { entry, owner, least, most, found }));
    }

    /// Checks that all lists were read and no fault was found.
    ///
    /// # Errors
    /// The first fault, with the name of the column.
    #[doc(hidden)]
    pub fn finish(self) -> std::result::Result<(), FormatError> {
        match self.source {
            Source::Changed(changed) => changed.finish()?,
            Source::Values(values) => values.finish()?,
            Source::Columns(_) | Source::Forest(_) | Source::Parents(_) => {}
        }
        let read_all = || match self.read == self.lists.total {
            true => Ok(()),
            false => {
                let (expected, found) = (self.lists.total, self.read);
                Err(misplaced("entries", Fault::Count { what: "in lists", expected, found }))
            }
        };
        let checked = self
            .fault
            .map_or(Ok(()), Err)
            .and_then(|()| self.lists.check_lengths())
            .and_then(|()| read_all());
        checked.map_err(|misplaced| {
            let (column, fault) = *misplaced;
            FormatError::damaged(format!("{} {column}", self.lists.name), fault)
        })
    }
}

/// Lists whose owners, offsets and values are columns.
struct ColumnScan<'a> {
    owners: NodeSetIter<'a, Pinned>,
    owners_left: u32,
    last: Option<u32>,
    /// The ends of the lists; `None` if each list has one entry.
    offsets: Option<IntsScan<'a>>,
    end: u64,
    values: IntsScan<'a>,
}

impl ColumnScan<'_> {
    #[inline]
    fn next_list(&mut self, lists: &ListColumns) -> Checked<Option<List>> {
        if self.owners_left == 0 {
            return Ok(None);
        }
        let owner = self.owners.next().filter(|owner| self.last.is_none_or(|last| last < *owner));
        let owner = owner.ok_or_else(|| {
            let at = self.last.map_or(0, u64::from);
            misplaced("owners", Fault::Order { what: "more rising members", at })
        })?;
        self.owners_left -= 1;
        self.last = Some(owner);
        let end = self.next_end();
        let end = end.filter(|end| (self.end..=lists.total).contains(end)).ok_or_else(|| {
            let (what, at) = ("offset behind node or edge", Some(owner.into()));
            let (least, most, found) = (self.end as i64, lists.total as i64, end.map(|end| end as i64));
            misplaced("offsets", Fault::Number { what, at, least, most, found })
        })?;
        let len = end - self.end;
        self.end = end;
        Ok(Some(List { owner, len }))
    }

    /// The end of the next list.
    #[inline]
    fn next_end(&mut self) -> Option<u64> {
        let Some(offsets) = &mut self.offsets else { return Some(self.end + 1) };
        if offsets.position() == 0 {
            offsets.next(0).filter(|first| *first == 0)?;
        }
        let end = offsets.next(offsets.position() as u64)?;
        u64::try_from(end).ok()
    }
}

/// Lists with one parent each, computed from distances.
struct ParentScan<'a> {
    distances: IntsScan<'a>,
    parent: Option<u32>,
}

impl ParentScan<'_> {
    fn next_list(&mut self) -> Checked<Option<List>> {
        while self.distances.position() < self.distances.value_count() {
            let node = self.distances.position() as u32;
            let distance = self.distances.next(0).and_then(|distance| u32::try_from(distance).ok());
            let parent = distance.and_then(|distance| node.checked_sub(distance));
            let parent = parent.ok_or_else(|| {
                let (what, at) = ("distance of node", Some(node.into()));
                let found = distance.map(i64::from);
                misplaced("distances", Fault::Number { what, at, least: 0, most: node.into(), found })
            })?;
            if parent != node {
                self.parent = Some(parent);
                return Ok(Some(List { owner: node, len: 1 }));
            }
        }
        Ok(None)
    }
}

/// Lists of children, computed from subtree sizes.
#[derive(Clone, Copy)]
struct ForestScan<'a> {
    sizes: &'a Ints<Pinned>,
    /// The owner of the next list.
    next: u32,
    /// The next child of the owner before `next`.
    child: u32,
    edges: u64,
}

impl ForestScan<'_> {
    fn next_list(&mut self, lists: &ListColumns) -> Checked<Option<List>> {
        let owner = self.next;
        if owner as usize >= self.sizes.len() {
            return Ok(None);
        }
        let fault = || misplaced("subtree sizes", Fault::Nesting { node: owner, edges: lists.total });
        let end = self.end_of(owner).ok_or_else(fault)?;
        let mut child = owner + 1;
        let mut len = 0;
        while child < end {
            child = self.end_of(child).filter(|child| *child <= end).ok_or_else(fault)?;
            len += 1;
            if self.edges + len > lists.total {
                return Err(fault());
            }
        }
        (self.next, self.child) = (owner + 1, owner + 1);
        self.edges += len;
        Ok(Some(List { owner, len }))
    }

    fn next_child(&mut self) -> Option<u32> {
        let child = self.child;
        self.child = self.end_of(child)?;
        Some(child)
    }

    /// The first node after the subtree of `node`; `None` if the size is invalid.
    fn end_of(&self, node: u32) -> Option<u32> {
        let size = self.sizes.get_u32(node as usize, 0)?;
        let end = node.checked_add(1)?.checked_add(size)?;
        (end as usize <= self.sizes.len()).then_some(end)
    }
}

/// Calls `visit` with the code of every node's label set, and checks every code.
///
/// # Errors
/// Damage: a code that stands for no label set.
pub fn label_codes(graph: &Graph, visit: impl FnMut(u32) -> Result<()>) -> Result<()> {
    codes_of(graph, &graph.label_sets()?, graph.node_count(), visit)
}

/// The same as [`label_codes`], for the label sets that nodes had when they were added, before removals.
pub(crate) fn label_codes_at_first(graph: &Graph, visit: impl FnMut(u32) -> Result<()>) -> Result<()> {
    codes_of(graph, &graph.label_sets_at_first()?, graph.node_count(), visit)
}

fn codes_of(
    graph: &Graph,
    labels: &Labels,
    nodes: u32,
    mut visit: impl FnMut(u32) -> Result<()>,
) -> Result<()> {
    let (mut scan, is_changed) = (IntsScan::new(labels.codes()), labels.is_changed());
    for node in 0..nodes {
        let found = if is_changed { labels.known_code(node).map(i64::from) } else { scan.next(0) };
        let code = found.and_then(|code| u32::try_from(code).ok()).filter(|code| *code < labels.code_count());
        let code = code.ok_or_else(|| {
            let (what, at) = ("label set of node", Some(node.into()));
            let most = i64::from(labels.code_count()) - 1;
            let fault = Fault::Number { what, at, least: 0, most, found };
            graph.store().damaged(FormatError::damaged("node labels", fault))
        })?;
        visit(code)?;
    }
    Ok(())
}

/// Calls `visit` with the bytes of every text of a property, given by its id, and checks every text.
///
/// # Errors
/// Damage: a text that is outside the pool, a text that has to be UTF-8 and is not, or more bytes of texts
/// than a valid file of this length can have.
pub fn for_each_text(
    graph_scan: &GraphScan<'_>,
    id: PropertyId,
    mut visit: impl FnMut(&[u8]) -> Result<()>,
) -> Result<()> {
    let graph = graph_scan.graph;
    let property = graph.property_at(id)?;
    let Some(strings) = property.strings() else { return Ok(()) };
    let mut reader = strings.reader();
    for code in 0..strings.len() {
        if code.is_multiple_of(CANCEL_TEXTS) {
            graph_scan.flag().check()?;
        }
        let is_text =
            |bytes: &&[u8]| property.value_type() == ValueType::Bytes || std::str::from_utf8(bytes).is_ok();
        let bytes = reader.bytes(code).filter(is_text).ok_or_else(|| {
            let part = format!("{} strings", property_name(graph.store().directory(), id));
            let fault = Fault::NotText { number: Some(code.into()) };
            graph.store().damaged(FormatError::damaged(part, fault))
        })?;
        graph_scan.add_text(bytes)?;
        visit(bytes)?;
    }
    Ok(())
}
