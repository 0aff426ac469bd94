//! [`Comparison`]: the columns and owners in which graphs differ, found by descending from the roots of their
//! hash trees.
//!
//! A side is one of the compared graphs. If the graph is on another machine, only its digest is available. In
//! a differing column, the comparison descends as far as every side has hashes: to a leaf of 65,536 owners,
//! to a range of 256 owners, to one owner, and, if the graphs are available, to the first entry that differs.
//! From a graph, only the owners of a differing range are read.

use std::collections::BTreeMap;
use std::ops::Range;

use varvite_store::Task;

use super::ContentHash;
use super::column_tree::{ALL_OWNERS, ColumnTree, RangeHash, RangeShift};
use super::part::Part;
use super::ranges::{entry_keys, entry_words, hashes_within, node_of};
use super::stream::Stream;
use super::tree::DigestTree;
use varvite_graph::{Graph, GraphScan, Result};

/// One of the graphs that are compared.
#[derive(Clone, Copy, Debug)]
pub struct Side<'a> {
    /// The digest of the graph, or a part of it.
    pub digest: &'a DigestTree,
    /// The graph itself, if it is available.
    pub graph: Option<&'a Graph>,
}

/// The differences of two or more graphs.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Comparison {
    /// Groups of equal sides, given by the sides' numbers. There is one group if all sides are equal. If any
    /// digest has no root, two sides are taken to be equal if the columns that both have are equal.
    pub groups: Vec<Vec<usize>>,
    /// The columns that differ, in the order of their names.
    pub columns: Vec<ColumnDifference>,
}

/// A column that differs between the sides whose digests cover it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ColumnDifference {
    /// The name of the column.
    pub name: String,
    /// Groups of sides whose columns are equal. Sides without the column form the last group.
    pub groups: Vec<Vec<usize>>,
    /// The sides without the column.
    pub missing: Vec<usize>,
    /// If the sides' schemas describe the column differently, each side's description. An item is `None` if
    /// the side's graph is not available.
    pub headers: Option<Vec<Option<String>>>,
    /// The first owners at which the column differs; `None` if no owner differs, or if a side lacks the
    /// hashes to find them.
    pub place: Option<DifferingOwners>,
}

/// The first owners of a column at which sides differ.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct DifferingOwners {
    /// Nodes by their ids, or edges by their ranks. This is the narrowest range for which all sides have
    /// hashes: of 65,536 owners, of 256 or of one.
    pub owners: Range<u64>,
    /// Whether the owners are edges.
    pub are_edges: bool,
    /// Groups of sides with equal content in this range.
    pub groups: Vec<Vec<usize>>,
    /// If the range has only one owner, the content of this owner. `None` otherwise, or if no graph is
    /// available.
    pub owner: Option<OwnerDifference>,
}

/// The content of one owner on each side.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct OwnerDifference {
    /// On each side, the node that is the owner, or the source of the edge that is the owner. `None` if the
    /// side lacks this node or edge, or its graph is not available.
    pub nodes: Vec<Option<u32>>,
    /// On each side, the number of entries: values, neighbours or labels. `None` for a side whose graph is
    /// not available.
    pub counts: Vec<Option<u64>>,
    /// The number of the first entry that differs, from 0.
    pub position: u64,
    /// On each side, the differing entry: a text in quotes, a node as `#12`. `None` for a side without such
    /// an entry.
    pub entries: Vec<Option<String>>,
}

/// The side that differs from all others, if there are three or more sides and all others are equal.
pub fn odd_one_out(groups: &[Vec<usize>]) -> Option<usize> {
    match groups {
        [a, b] if a.len() + b.len() > 2 => match (&a[..], &b[..]) {
            ([odd], _) | (_, [odd]) => Some(*odd),
            _ => None,
        },
        _ => None,
    }
}

impl Comparison {
    /// Compares two or more sides. If graphs are available, reads at most 65,536 owners of each differing
    /// column.
    ///
    /// Digests that lack columns ([`DigestTree::is_complete`]) are compared by the columns that they have.
    ///
    /// # Errors
    /// Damage to a graph; an exceeded memory budget of a graph;
    /// [`GraphError::Cancelled`](varvite_graph::GraphError::Cancelled).
    pub fn of(sides: &[Side<'_>], task: &Task<'_>) -> Result<Self> {
        let are_roots_known = sides.iter().all(|side| side.digest.root.is_some());
        let root = |side: usize| sides[side].digest.root;
        let groups = groups_among(&(0..sides.len()).collect::<Vec<_>>(), root);
        let mut comparison = Self { groups, columns: Vec::new() };
        if are_roots_known && comparison.groups.len() <= 1 {
            return Ok(comparison);
        }
        let names = names_of(sides);
        for (done, ((name, _), columns)) in names.iter().enumerate() {
            task.check()?;
            comparison.columns.extend(difference(sides, name, columns, task)?);
            task.step(name, done + 1, names.len());
        }
        for side in sides {
            side.graph.map_or(Ok(()), Graph::check)?;
        }
        if !are_roots_known {
            comparison.groups = groups_by_columns(sides, &names);
        }
        Ok(comparison)
    }

    /// Whether no difference was found.
    pub fn is_equal(&self) -> bool {
        self.groups.len() <= 1 && self.columns.is_empty()
    }
}

type Columns<'a> = Vec<Option<&'a ColumnTree>>;

/// The columns of all sides, by their names. A damaged schema may have two columns with the same name.
fn names_of<'a>(sides: &[Side<'a>]) -> BTreeMap<(&'a str, usize), Columns<'a>> {
    let mut names: BTreeMap<(&str, usize), Columns<'_>> = BTreeMap::new();
    for (number, side) in sides.iter().enumerate() {
        let mut before = (None, 0);
        for column in &side.digest.columns {
            let name = column.name.as_str();
            before = if before.0 == Some(name) { (before.0, before.1 + 1) } else { (Some(name), 0) };
            names.entry((name, before.1)).or_insert_with(|| vec![None; sides.len()])[number] = Some(column);
        }
    }
    names
}

fn difference(
    sides: &[Side<'_>],
    name: &str,
    columns: &Columns<'_>,
    task: &Task<'_>,
) -> Result<Option<ColumnDifference>> {
    // If a digest is incomplete, its graph may have a column that the digest lacks.
    let is_unknown = |side: usize| columns[side].is_none() && !sides[side].digest.is_complete;
    let known: Vec<usize> = (0..sides.len()).filter(|side| !is_unknown(*side)).collect();
    let groups = groups_among(&known, |side| columns[side].map(|column| column.hash));
    if groups.len() <= 1 {
        return Ok(None);
    }
    let missing: Vec<usize> = known.iter().copied().filter(|side| columns[*side].is_none()).collect();
    let mut found = ColumnDifference { name: name.to_owned(), groups, missing, headers: None, place: None };
    if !found.missing.is_empty() {
        return Ok(Some(found));
    }
    let column = Column::new(sides, name, columns, known);
    let is_header_known = column.known.iter().all(|side| column.header(*side).is_some());
    if is_header_known && groups_among(&column.known, |side| column.header(side)).len() > 1 {
        let words = |(side, part): (&Side<'_>, &Option<Part>)| Some(part.as_ref()?.header_words(side.graph?));
        found.headers = Some(sides.iter().zip(&column.parts).map(words).collect());
    }
    found.place = column.place(task)?;
    Ok(Some(found))
}

/// A column that is being compared, with the sides whose digests cover it.
struct Column<'a> {
    sides: &'a [Side<'a>],
    columns: &'a Columns<'a>,
    known: Vec<usize>,
    /// The part of the graph that the column covers, on each side.
    parts: Vec<Option<Part>>,
}

impl<'a> Column<'a> {
    fn new(sides: &'a [Side<'a>], name: &str, columns: &'a Columns<'a>, known: Vec<usize>) -> Self {
        let parts = sides.iter().map(|side| Part::named(side.graph?, name)).collect();
        Self { sides, columns, known, parts }
    }

    fn header(&self, side: usize) -> Option<ContentHash> {
        Some(self.columns[side]?.below.as_ref()?.header)
    }

    /// The first owners at which the column differs.
    fn place(&self, task: &Task<'_>) -> Result<Option<DifferingOwners>> {
        let mut place: Option<DifferingOwners> = None;
        for shift in [RangeShift::Leaf, RangeShift::Part, RangeShift::Owner] {
            let owners = place.as_ref().map_or(ALL_OWNERS, |place| place.owners.clone());
            let Some(owners) = self.owners_known(owners, shift) else { continue };
            let hashes = |side: &usize| self.hashes(*side, owners.clone(), shift, task);
            let hashes: Vec<Vec<RangeHash>> = self.known.iter().map(hashes).collect::<Result<_>>()?;
            let Some(number) = first_difference(&hashes) else { continue };
            let hash = |side| {
                let at = self.known.iter().position(|known| *known == side)?;
                hashes[at].iter().find(|range| range.number == number).map(|range| range.hash)
            };
            let start = u64::from(number) << shift.bits();
            let owners = start..start + (1 << shift.bits());
            let groups = groups_among(&self.known, hash);
            place = Some(DifferingOwners { owners, are_edges: self.are_edges(), groups, owner: None });
        }
        if let Some(place) = &mut place
            && place.owners.end - place.owners.start == 1
        {
            place.owner = self.owner(place.owners.start as u32, task)?;
        }
        Ok(place)
    }

    fn are_edges(&self) -> bool {
        let below = |column: &Option<&'a ColumnTree>| column.as_ref()?.below.as_ref();
        self.columns.iter().find_map(below).is_some_and(|below| below.are_edges)
    }

    /// Those of `owners` for which every side has hashes of ranges of this length. If a side's graph is
    /// available, hashes of any range can be computed from it, but at most one leaf is read.
    fn owners_known(&self, mut owners: Range<u64>, shift: RangeShift) -> Option<Range<u64>> {
        for side in &self.known {
            let ranges =
                self.columns[*side].and_then(|column| column.below.as_ref()).map(|below| &below.ranges);
            let known = ranges.filter(|ranges| ranges.shift == shift.bits());
            match (known, self.parts[*side]) {
                (Some(known), _) => {
                    owners = owners.start.max(known.owners.start)..owners.end.min(known.owners.end);
                }
                (None, Some(_)) if shift != RangeShift::Leaf => {}
                _ => return None,
            }
        }
        let is_small = owners.end.saturating_sub(owners.start) <= 1 << RangeShift::Leaf.bits();
        (owners.start < owners.end && (is_small || shift == RangeShift::Leaf)).then_some(owners)
    }

    fn hashes(
        &self,
        side: usize,
        owners: Range<u64>,
        shift: RangeShift,
        task: &Task<'_>,
    ) -> Result<Vec<RangeHash>> {
        let ranges = self.columns[side].and_then(|column| column.below.as_ref()).map(|below| &below.ranges);
        if let Some(ranges) = ranges.filter(|ranges| ranges.shift == shift.bits()) {
            let first = |range: &RangeHash| u64::from(range.number) << shift.bits();
            let is_in = |range: &&RangeHash| owners.contains(&first(range));
            return Ok(ranges.hashes.iter().filter(is_in).copied().collect());
        }
        match (self.sides[side].graph, self.parts[side]) {
            (Some(graph), Some(part)) => {
                hashes_within(&GraphScan::of(graph, task), part, owners, shift.bits())
            }
            _ => Ok(Vec::new()),
        }
    }

    /// The content of one owner, if graphs are available.
    fn owner(&self, owner: u32, task: &Task<'_>) -> Result<Option<OwnerDifference>> {
        let graphs: Vec<(usize, GraphScan<'_>, Part)> = self
            .known
            .iter()
            .filter_map(|side| {
                Some((*side, GraphScan::of(self.sides[*side].graph?, task), self.parts[*side]?))
            })
            .collect();
        let keys = graphs.iter().map(|(_, graph_scan, part)| entry_keys(graph_scan, *part, owner));
        let keys = keys.collect::<Result<Vec<_>>>()?;
        let Some(longest) = keys.iter().map(|keys| keys.len()).max() else { return Ok(None) };
        let differs =
            |position: &usize| keys.iter().any(|other| other.get(*position) != keys[0].get(*position));
        let position = (0..longest).find(differs).unwrap_or(0);
        let mut found = OwnerDifference {
            nodes: vec![None; self.sides.len()],
            counts: vec![None; self.sides.len()],
            position: position as u64,
            entries: vec![None; self.sides.len()],
        };
        for ((side, graph_scan, part), keys) in graphs.iter().zip(&keys) {
            found.nodes[*side] = node_of(graph_scan.graph, *part, owner)?;
            found.counts[*side] = Some(keys.len() as u64);
            if let Some(key) = keys.get(position) {
                found.entries[*side] = Some(entry_words(graph_scan.graph, *part, owner, position, *key)?);
            }
        }
        Ok(Some(found))
    }
}

/// The number of the first range whose hash is not the same on all sides.
fn first_difference(sides: &[Vec<RangeHash>]) -> Option<u32> {
    let mut ats = vec![0; sides.len()];
    loop {
        let heads: Vec<Option<&RangeHash>> = sides.iter().zip(&ats).map(|(side, at)| side.get(*at)).collect();
        let least = heads.iter().flatten().map(|head| head.number).min()?;
        if heads.iter().any(|head| *head != heads[0]) {
            return Some(least);
        }
        ats.iter_mut().for_each(|at| *at += 1);
    }
}

/// Groups of equal sides, compared by only the columns that all sides know.
fn groups_by_columns(sides: &[Side<'_>], names: &BTreeMap<(&str, usize), Columns<'_>>) -> Vec<Vec<usize>> {
    let is_known = |columns: &&Columns<'_>| {
        sides.iter().zip(*columns).all(|(side, column)| column.is_some() || side.digest.is_complete)
    };
    let mut streams: Vec<Stream> = sides.iter().map(|_| Stream::default()).collect();
    for columns in names.values().filter(is_known) {
        let none = ContentHash([0; 32]);
        let hashes = columns.iter().map(|column| column.map_or(none, |column| column.hash));
        streams.iter_mut().zip(hashes).for_each(|(stream, hash)| stream.hash(&hash));
    }
    let hashes: Vec<ContentHash> = streams.iter_mut().map(Stream::finish).collect();
    groups_among(&(0..sides.len()).collect::<Vec<_>>(), |side| Some(hashes[side]))
}

/// Groups of sides with equal hashes, in the order of the first side of each; sides without a hash form the
/// last group.
fn groups_among(sides: &[usize], hash: impl Fn(usize) -> Option<ContentHash>) -> Vec<Vec<usize>> {
    let mut groups: Vec<(Option<ContentHash>, Vec<usize>)> = Vec::new();
    for side in sides {
        let hash = hash(*side);
        match groups.iter_mut().find(|(of, _)| *of == hash) {
            Some((_, group)) => group.push(*side),
            None => groups.push((hash, vec![*side])),
        }
    }
    groups.sort_by_key(|(hash, _)| hash.is_none());
    groups.into_iter().map(|(_, sides)| sides).collect()
}
