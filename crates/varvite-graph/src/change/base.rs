//! Reads the columns of the base alone: edge lists by position, values by owner, and the code of a text (its
//! number in its table) by its bytes.
//!
//! The cursors of a graph merge these columns with the changes. Code that makes changes needs the values of
//! the base alone.

use std::collections::HashMap;
use std::ops::{ControlFlow, Range};

use varvite_format::{
    AdjacencyRow, EdgeLabelId, Fault, Ints, NodeSet, Owner, PropertyId, PropertyRow, Strings,
};
use varvite_store::{AccountId, MemoryState, Pinned, Task};

use super::text_codes::{CodesByHash, Searched, TextCodes};
use crate::cursor::texts::{BYTES_AT_ONCE, Texts};
use crate::cursor::value::ValueType;
use crate::error::{GraphError, Result};
use crate::graph::Graph;
use crate::open::index::TextIndex;
use crate::write::check_claim;

/// If a property has more than this many texts for each wanted text, and texts were searched before, the
/// wanted texts are looked up by hash.
const MANY: usize = 2;

/// The edges of one label in the base.
#[derive(Debug)]
#[expect(clippy::large_enum_variant, reason = "there is one for each label that a diff names")]
pub(super) enum BaseEdges {
    /// Lists in both directions.
    Lists { out: BaseLists, in_: BaseLists },
    /// A forest: children and parents follow from the order of nodes.
    Forest(BaseForest),
}

/// The lists of a label in one direction.
#[derive(Debug)]
pub(super) struct BaseLists {
    owners: NodeSet<Pinned>,
    offsets: Option<Ints<Pinned>>,
    neighbors: Ints<Pinned>,
    nodes: u32,
}

#[derive(Debug)]
pub(super) struct BaseForest {
    sizes: Ints<Pinned>,
    parents: Ints<Pinned>,
    nodes: u32,
}

/// Reads the columns of a graph's base, and reports damage in them.
#[derive(Clone, Copy, Debug)]
pub(super) struct Reader<'g> {
    pub(super) graph: &'g Graph,
}

impl Reader<'_> {
    /// The error for an owner whose values cannot be read.
    pub(super) fn impossible(&self, part: &'static str, owner: u32) -> GraphError {
        self.graph.damaged(part, Fault::Impossible { owner })
    }

    /// The lists in one direction of a label that has `edges` edges, in a graph that has `nodes` nodes.
    pub(super) fn lists(&self, side: AdjacencyRow, edges: u64, nodes: u32) -> Result<BaseLists> {
        let part = "adjacency";
        let missing = |what| self.graph.missing(part, what);
        let owners = side.nodes.ok_or_else(|| missing("set of nodes"))?;
        let owners: NodeSet<Pinned> = NodeSet::open(self.graph.store(), owners, nodes)?;
        let offsets = side.offsets.ok_or_else(|| missing("column of offsets"))?;
        let offsets: Ints<Pinned> = Ints::open(self.graph.store(), offsets)?;
        self.graph.check_count(part, "offsets", owners.len() as usize + 1, offsets.len())?;
        let offsets = (!offsets.is_identity()).then_some(offsets);
        let neighbors = self.graph.ints(side.neighbors, part, edges as usize)?;
        if offsets.is_none() {
            self.graph.check_count(part, "values", owners.len() as usize, neighbors.len())?;
        }
        Ok(BaseLists { owners, offsets, neighbors, nodes })
    }

    /// The edges of a label of the base.
    pub(super) fn edges(&self, edge_label: EdgeLabelId) -> Result<BaseEdges> {
        let directory = self.graph.store().directory();
        let row = directory.edge_labels[edge_label.index()];
        let nodes = directory.nodes_of_layer(row.layer);
        if row.out.nodes.is_some() {
            let out = self.lists(row.out, row.edges, nodes)?;
            return Ok(BaseEdges::Lists { out, in_: self.lists(row.in_, row.edges, nodes)? });
        }
        let is_forest = directory.tree_label == Some(edge_label) && row.in_.nodes.is_none();
        if !is_forest {
            return Err(self.graph.missing("adjacency", "lists"));
        }
        let sizes = self.graph.ints(directory.subtree, "subtree", nodes as usize)?;
        let parents = self.graph.ints(directory.parents, "parents", nodes as usize)?;
        Ok(BaseEdges::Forest(BaseForest { sizes, parents, nodes }))
    }

    /// The values of a property in the base.
    pub(super) fn values(&self, property: PropertyId) -> Result<BaseValues> {
        let store = self.graph.store();
        let directory = store.directory();
        let row = directory.properties[property.index()];
        let limit = match row.owner {
            Owner::Node => directory.nodes_of_layer(row.layer),
            Owner::Edge(label) => self.edge_count(label)?,
        };
        let present: NodeSet<Pinned> = NodeSet::open(store, row.present, limit)?;
        let values: Ints<Pinned> = Ints::open(store, row.values)?;
        let offsets: Option<Ints<Pinned>> =
            row.offsets.map(|column| Ints::open(store, column)).transpose()?;
        let owners = present.len() as usize;
        match &offsets {
            Some(offsets) => self.graph.check_count("property", "offsets", owners + 1, offsets.len())?,
            None => self.graph.check_count("property", "values", owners, values.len())?,
        }
        Ok(BaseValues { present, offsets, values })
    }

    /// The number of edges of a label in the base.
    pub(super) fn edge_count(&self, edge_label: EdgeLabelId) -> Result<u32> {
        let edges = self.graph.store().directory().edge_labels[edge_label.index()].edges;
        u32::try_from(edges).map_err(|_| {
            let fault = Fault::TooMany { what: "edges", most: u32::MAX.into(), found: edges };
            self.graph.damaged("edges", fault)
        })
    }
}

impl BaseLists {
    /// The positions of the entries in the list of `node`; `None` if the file is damaged.
    pub(super) fn range(&self, node: u32) -> Option<Range<usize>> {
        if node >= self.nodes {
            return Some(0..0);
        }
        self.owners.member_rank(node).map_or(Some(0..0), |list| self.range_of(list))
    }

    fn range_of(&self, list: usize) -> Option<Range<usize>> {
        let Some(offsets) = &self.offsets else { return Some(list..list + 1) };
        let (start, end) = offsets.pair(list)?;
        (start <= end && end <= self.neighbors.len() as u64).then_some(start as usize..end as usize)
    }

    /// The neighbour at a position in the list of `node`.
    pub(super) fn neighbor(&self, position: usize, node: u32) -> Option<u32> {
        self.neighbors.get_u32(position, node).filter(|neighbor| *neighbor < self.nodes)
    }

    /// The owner of the list that contains a position.
    pub(super) fn owner_at(&self, position: usize) -> Option<u32> {
        let Some(offsets) = &self.offsets else { return self.owners.select(position) };
        let (mut low, mut high) = (0, self.owners.len() as usize);
        while high - low > 1 {
            let middle = (low + high) / 2;
            if offsets.get(middle, middle as u64)? <= position as i64 {
                low = middle;
            } else {
                high = middle;
            }
        }
        // Several lists start at the same position if some of them are empty. Only the last of these lists
        // can contain the position.
        self.range_of(low).filter(|range| range.contains(&position))?;
        self.owners.select(low)
    }

    /// The set of nodes that have lists.
    pub(super) fn into_owners(self) -> NodeSet<Pinned> {
        self.owners
    }

    /// The nodes that have lists.
    pub(super) fn owners(&self) -> impl Iterator<Item = u32> + '_ {
        self.owners.iter()
    }
}

impl BaseForest {
    /// The parent of `node`: `Some(None)` if it has none; `None` if the file is damaged.
    pub(super) fn parent(&self, node: u32) -> Option<Option<u32>> {
        match self.parents.get_u32(node as usize, 0)? {
            0 => Some(None),
            distance => node.checked_sub(distance).map(Some),
        }
    }

    /// Calls `visit` with the children of `node`; returns `None` if the file is damaged.
    pub(super) fn for_each_child(&self, node: u32, mut visit: impl FnMut(u32)) -> Option<()> {
        let size = |node: u32| self.sizes.get_u32(node as usize, 0).filter(|size| *size < self.nodes - node);
        let end = node + 1 + size(node)?;
        let mut child = node + 1;
        while child < end {
            visit(child);
            child += 1 + size(child)?;
        }
        Some(())
    }
}

/// The values of a property in the base.
#[derive(Debug)]
pub(super) struct BaseValues {
    present: NodeSet<Pinned>,
    offsets: Option<Ints<Pinned>>,
    values: Ints<Pinned>,
}

impl BaseValues {
    /// Whether an owner has values.
    pub(super) fn has(&self, owner: u32) -> bool {
        self.present.contains(owner)
    }

    /// Appends the values of an owner to `output`; returns `None` if the file is damaged.
    pub(super) fn append(&self, owner: u32, output: &mut Vec<i64>) -> Option<()> {
        let Some(rank) = self.present.member_rank(owner) else { return Some(()) };
        let (start, end) = match &self.offsets {
            None => (rank as u64, rank as u64 + 1),
            Some(offsets) => offsets.pair(rank)?,
        };
        if start > end || end > self.values.len() as u64 {
            return None;
        }
        for position in start..end {
            output.push(self.values.get(position as usize, u64::from(owner))?);
        }
        Some(())
    }
}

/// The texts of a property in the base.
pub(super) struct BaseTexts<'g> {
    reader: Reader<'g>,
    property: PropertyId,
    row: PropertyRow,
    strings: Strings<Pinned>,
}

impl<'g> Reader<'g> {
    pub(super) fn texts(self, property: PropertyId) -> Result<BaseTexts<'g>> {
        let row = self.graph.store().directory().properties[property.index()];
        let missing = || self.graph.missing("property", "string table");
        let strings = Strings::open(self.graph.store(), row.strings.ok_or_else(missing)?)?;
        Ok(BaseTexts { reader: self, property, row, strings })
    }
}

impl BaseTexts<'_> {
    /// The number of texts.
    pub(super) fn len(&self) -> u32 {
        self.strings.len()
    }

    /// Fills in the code of each wanted text that the base has. The texts are found through the property's
    /// index, by binary search in a sorted table, in one pass over all texts, or through the hashes in
    /// `known`, which come from earlier searches.
    pub(super) fn find(
        &self,
        wanted: &mut HashMap<&[u8], Option<i64>>,
        known: &TextCodes,
        task: &Task<'_>,
    ) -> Result<()> {
        let damaged = || self.reader.impossible("string table", 0);
        if wanted.is_empty() || self.len() == 0 {
            return Ok(());
        }
        if let Some(index) = self.index()? {
            for (text, code) in wanted {
                *code = index.search(text).ok_or_else(damaged)?.map(i64::from);
            }
            return Ok(());
        }
        if self.strings.is_sorted() {
            for (text, code) in wanted {
                *code = self.strings.find_sorted(text).ok_or_else(damaged)?.map(i64::from);
            }
            return Ok(());
        }
        if wanted.len() >= self.len() as usize / MANY {
            return self.find_all(wanted, task);
        }
        let codes = match known.search(self.property) {
            Searched::Never => return self.find_all(wanted, task),
            Searched::ByHash(codes) => codes,
            Searched::Once => match self.codes_by_hash(task)? {
                Some(codes) => known.keep(self.property, codes),
                None => return self.find_all(wanted, task),
            },
        };
        let mut reader = self.strings.reader();
        for (text, code) in wanted {
            let mut candidates = codes.candidates(text);
            *code = candidates.find(|code| reader.bytes(*code) == Some(*text)).map(i64::from);
        }
        Ok(())
    }

    /// A table of all texts' codes by the hashes of the texts; `None` if there is no memory for the table.
    fn codes_by_hash(&self, task: &Task<'_>) -> Result<Option<CodesByHash>> {
        let store = self.reader.graph.store();
        let (account, bytes) = (store.ledger().account(AccountId::ENGINE), CodesByHash::bytes(self.len()));
        let Ok(charge) = store.charge(&account, MemoryState::Tables, bytes) else { return Ok(None) };
        check_claim(self.reader.graph, self.len().into())?;
        let mut entries = Vec::with_capacity(self.len() as usize);
        self.for_each(task, |code, text| {
            entries.push(CodesByHash::entry(text, code));
            ControlFlow::Continue(())
        })?;
        Ok(Some(CodesByHash::of(entries, charge)))
    }

    fn index(&self) -> Result<Option<TextIndex>> {
        let rows = &self.reader.graph.store().directory().text_indexes;
        let row = rows.iter().find(|row| row.property == self.property);
        let is_string = self.row.value_type == ValueType::String as u8 && self.row.owner == Owner::Node;
        row.filter(|_| is_string).map(|row| TextIndex::open(self.reader.graph, row)).transpose()
    }

    fn find_all(&self, wanted: &mut HashMap<&[u8], Option<i64>>, task: &Task<'_>) -> Result<()> {
        let mut missing = wanted.len();
        self.for_each(task, |code, text| {
            if let Some(found) = wanted.get_mut(text)
                && found.is_none()
            {
                *found = Some(code.into());
                missing -= 1;
            }
            if missing == 0 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        })
    }

    /// Calls `visit` with each text and its code.
    fn for_each(&self, task: &Task<'_>, mut visit: impl FnMut(u32, &[u8]) -> ControlFlow<()>) -> Result<()> {
        let store = self.reader.graph.store();
        let allowance = Texts::allowance_of(store.file_len());
        let (mut reader, mut bytes) = (self.strings.reader(), 0);
        for code in 0..self.len() {
            let text = reader.bytes(code).ok_or_else(|| self.reader.impossible("string table", code))?;
            bytes += text.len();
            if visit(code, text).is_break() {
                return Ok(());
            }
            if bytes >= BYTES_AT_ONCE || code.is_multiple_of(1024) {
                task.check()?;
                if !allowance.take(std::mem::take(&mut bytes)) {
                    return Err(store.damaged(allowance.error()).into());
                }
            }
        }
        Ok(())
    }
}
