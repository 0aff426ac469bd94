//! [`GraphChange::set_indexes`]: adds and drops indexes.
//!
//! A new index is built from the columns of the graph and written after them. Other indexes are not touched,
//! and a dropped index is removed from the directory. The bytes of a compacted file do not depend on the
//! order in which indexes were added and dropped: the file equals an import with the same indexes.

use std::path::Path;
use std::sync::Arc;

use varvite_codec::Codec;
use varvite_format::{
    Claim, Directory, Excess, FormatError, InputError, Owner, PropertyId, Quantity, Source, StringsInput,
    TextIndexRow,
};
use varvite_store::{Task, Vfs};

use super::change::GraphChange;
use super::encoder::Encoder;
use super::index::{IndexInput, PreparedIndex};
use super::writer::check_indexable;
use crate::change_error::ChangeError;
use crate::cursor::columns::property_name;
use crate::cursor::texts::Texts;
use crate::error::{GraphError, Result};
use crate::graph::Graph;
use crate::scan::columns::{ListColumns, for_each_text, label_codes_at_first};
use crate::scan::graph_scan::GraphScan;
use crate::scan::parallel::in_order;

/// The properties that get an index, and those that lose their index.
#[derive(Clone, Copy, Debug, Default)]
pub struct IndexChange<'a> {
    /// The names of the node properties that get an index.
    pub add: &'a [String],
    /// The names of the node properties that lose their index.
    pub drop: &'a [String],
}

/// The result of a change of indexes.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct IndexesChanged {
    /// The size of the file in bytes.
    pub file_len: u64,
    /// The names of the properties that have an index now.
    pub indexed: Vec<String>,
}

/// Changes the indexes of the graph at `path`, with [`GraphChange::begin`] and [`GraphChange::set_indexes`].
///
/// # Errors
/// The errors of [`GraphChange::begin`] and [`GraphChange::set_indexes`].
pub fn change_indexes(
    vfs: Arc<dyn Vfs>,
    path: &Path,
    change: IndexChange<'_>,
    task: &Task<'_>,
) -> Result<IndexesChanged, ChangeError> {
    GraphChange::begin(vfs, path)?.set_indexes(change, task)
}

impl GraphChange {
    /// Changes the indexes of the graph. Reads and checks the properties that get an index, and builds each
    /// index on one of the task's threads. Progress is counted in indexes.
    ///
    /// # Errors
    /// [`GraphError::Unknown`], [`GraphError::WrongType`], [`ChangeError::HasIndex`] or
    /// [`ChangeError::NoIndex`] for a name that is unknown, or whose property cannot be changed in this way;
    /// damage; [`StoreError::Replaced`](varvite_store::StoreError::Replaced) if another program changed or
    /// replaced the file; [`GraphError::Cancelled`]; an error of the file system. The file is then unchanged.
    pub fn set_indexes(
        self,
        change: IndexChange<'_>,
        task: &Task<'_>,
    ) -> Result<IndexesChanged, ChangeError> {
        // An index is built from all values of a property. Without a check of the mapped file, damage would
        // become part of the index, under valid checksums.
        let opened = if change.add.is_empty() { self } else { self.checked()? };
        let graph = opened.graph();
        let header = graph.store().header();
        let mut new = graph.store().directory().clone();
        let before: Vec<PropertyId> = new.text_indexes.iter().map(|row| row.property).collect();
        let after = properties_after(graph, &before, change)?;
        // An index that is dropped and added in one change is built again.
        let goes = |row: &TextIndexRow| change.drop.contains(&graph.properties()[row.property.index()].name);
        new.text_indexes.retain(|row| !goes(row));
        let kept: Vec<PropertyId> = new.text_indexes.iter().map(|row| row.property).collect();
        let added: Vec<PropertyId> = after.iter().copied().filter(|it| !kept.contains(it)).collect();
        let mut writer = opened.begin_commit(&mut new, task)?;
        let encoder = Encoder::new(header.profile, codec_of(graph.store().directory()));
        let label_sets = if added.is_empty() { Vec::new() } else { label_sets(graph)? };
        let build = |property: &PropertyId| -> Result<(PropertyId, PreparedIndex), ChangeError> {
            let input = Indexed::read(graph, *property, task);
            // A read that was cancelled is incomplete and looks like damage, so cancellation is reported
            // first.
            task.check()?;
            let input = input?;
            let index =
                input.encode(&encoder, &label_sets).map_err(|error| match as_damage(graph, error) {
                    ChangeError::Graph(GraphError::Store(error)) => {
                        GraphError::Store(graph.store().located(error)).into()
                    }
                    other => other,
                })?;
            Ok((*property, index))
        };
        let take = |(property, index): (PropertyId, PreparedIndex)| -> Result<(), ChangeError> {
            new.text_indexes.push(index.write(property, &mut writer)?);
            let name = &graph.properties()[property.index()].name;
            task.step(name, new.text_indexes.len() - kept.len(), added.len());
            Ok(())
        };
        in_order(&added, task.thread_count(), build, take)?;
        task.check()?;
        new.text_indexes.sort_unstable_by_key(|row| row.property);
        let indexed = names(graph, &after).into_iter().map(str::to_owned).collect();
        Ok(IndexesChanged { file_len: opened.commit(writer, new)?, indexed })
    }
}

/// The numbers of the properties that will have an index, in ascending order.
fn properties_after(
    graph: &Graph,
    before: &[PropertyId],
    change: IndexChange<'_>,
) -> Result<Vec<PropertyId>, ChangeError> {
    let mut after = before.to_vec();
    for name in change.drop {
        let property = graph.property_id(name)?;
        let place = after.iter().position(|known| *known == property);
        let indexed = || names(graph, before).into_iter().map(str::to_owned).collect();
        let place = place.ok_or_else(|| ChangeError::NoIndex { name: name.clone(), indexed: indexed() })?;
        after.remove(place);
    }
    for name in change.add {
        let property = graph.property_id(name)?;
        check_indexable(name, Owner::Node, graph.properties()[property.index()].value_type)?;
        if after.contains(&property) {
            return Err(ChangeError::HasIndex { name: name.clone() });
        }
        after.push(property);
    }
    after.sort_unstable();
    Ok(after)
}

fn names<'g>(graph: &'g Graph, properties: &[PropertyId]) -> Vec<&'g str> {
    properties.iter().map(|property| graph.properties()[property.index()].name.as_str()).collect()
}

/// The error for content of a file that the writer refuses. The file is then damaged.
pub(super) fn as_damage(graph: &Graph, error: ChangeError) -> ChangeError {
    match error {
        ChangeError::Input(error) => {
            let InputError { argument, fault } = *error;
            graph.store().damaged(FormatError::damaged(argument, fault)).into()
        }
        error => error,
    }
}

/// The codec of the compressed blocks of a file; zstd if no block is compressed.
pub(crate) fn codec_of(directory: &Directory) -> Codec {
    let mut codecs = directory.segments.iter().map(|row| row.codec).filter(|codec| *codec != Codec::None);
    codecs.next().unwrap_or(Codec::Zstd)
}

/// The values in a property's columns, without later changes, copied to memory.
struct Indexed {
    offsets: Vec<u32>,
    codes: Vec<u32>,
    pool: Vec<u8>,
    starts: Vec<u32>,
}

impl Indexed {
    fn read(graph: &Graph, property: PropertyId, task: &Task<'_>) -> Result<Self, ChangeError> {
        let directory = graph.store().directory();
        let name = property_name(directory, property);
        let nodes = directory.nodes_of_layer(directory.properties[property.index()].layer);
        let stored = graph.property_at(property)?.without_change();
        let text_count = stored.strings().map_or(0, Texts::base_len);
        let lists = ListColumns::of_stored(name, stored).until(task.flag());
        check_claim(graph, lists.total)?;
        let (mut offsets, mut codes) = (vec![0u32], Vec::new());
        let mut scan = lists.scan();
        while let Some(list) = scan.next_list() {
            offsets.resize(list.owner as usize + 1, codes.len() as u32);
            while let Some(code) = scan.next_entry() {
                codes.push(code as u32);
            }
            offsets.push(codes.len() as u32);
        }
        scan.finish().map_err(|error| graph.store().damaged(error))?;
        offsets.resize(nodes as usize + 1, codes.len() as u32);
        let (mut pool, mut starts, mut total) = (Vec::new(), vec![0u32], 0u64);
        let limit = claim_max(graph).min(u32::MAX.into());
        for_each_text(&GraphScan::of(graph, task), property, |text| {
            total += text.len() as u64;
            if total <= limit && starts.len() <= text_count as usize {
                pool.extend_from_slice(text);
                starts.push(pool.len() as u32);
            }
            Ok(())
        })?;
        if total > limit {
            let what = Quantity::TextsOf(graph.properties()[property.index()].name.clone());
            return Err(ChangeError::TooLarge { what, found: total, limit });
        }
        Ok(Self { offsets, codes, pool, starts })
    }

    fn encode(&self, encoder: &Encoder, label_sets: &[u32]) -> Result<PreparedIndex, ChangeError> {
        let Self { offsets, codes, pool, starts } = self;
        let texts = StringsInput { pool, starts, lengths: None, sorted: false };
        encoder.text_index(IndexInput { offsets, codes, texts, label_sets })
    }
}

/// For each node, the code (the number) of the label set that it had when it was added.
fn label_sets(graph: &Graph) -> Result<Vec<u32>> {
    check_claim(graph, graph.node_count().into())?;
    let mut sets = Vec::new();
    label_codes_at_first(graph, |set| {
        sets.push(set);
        Ok(())
    })?;
    Ok(sets)
}

/// The number of nodes, values or bytes of text that a file may claim for each of its bytes.
const CLAIM_FACTOR: u64 = 64;
/// The number of nodes, values or bytes of text that any file may claim, however short.
const CLAIM_FREE: u64 = 1 << 26;

/// Checks a count before memory is reserved for that many numbers. Fails if a file of this size cannot hold
/// so many.
pub(crate) fn check_claim(graph: &Graph, count: u64) -> Result<()> {
    let limit = claim_max(graph);
    if count > limit {
        let file_len = graph.store().file_len();
        let excess = Excess { claim: Claim::Values, found: count, limit, file_len };
        return Err(graph.store().damaged(excess.damage()).into());
    }
    Ok(())
}

fn claim_max(graph: &Graph) -> u64 {
    graph.store().file_len().saturating_mul(CLAIM_FACTOR).max(CLAIM_FREE)
}
