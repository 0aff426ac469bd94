//! Decodes the changed values of a property from the columns of a file into a temporary file, for properties
//! whose values may not fit in memory.

use std::sync::Arc;

use varvite_format::{Fault, Ints, NodeSet, PropertyChangeRow, Strings};
use varvite_store::{Pinned, Scratch};

use super::base::Reader;
use super::known_texts::KnownTexts;
use super::property_changes::NULL;
use super::value_runs::{RunValue, ValueEdit, ValueRuns};
use crate::cursor::bounds::Bounds;
use crate::cursor::texts::Texts;
use crate::cursor::value::ValueType;
use crate::error::{GraphError, Result};
use crate::write::check_claim;

const PART: &str = "changes";

/// Reads the changed values of a property; all owners must be below `limit`. Checks every number against its
/// own limit.
///
/// # Errors
/// Damage; an error of the file system.
pub(super) fn read_large(
    reader: Reader<'_>,
    row: &PropertyChangeRow,
    limit: u32,
    scratch: Option<&Arc<Scratch>>,
) -> Result<ValueRuns> {
    let store = reader.graph.store();
    let texts = read_texts(reader, row, scratch)?;
    let property = store.directory().properties[row.property.index()];
    let count = texts.as_ref().map_or(0, |texts| texts.base + texts.count());
    let nodes = store.directory().nodes;
    let value_type = ValueType::from_number(property.value_type);
    let bounds = value_type.map(|value_type| (value_type, Bounds::of(value_type, nodes, count)));
    let mut runs = ValueRuns::new(texts, scratch);
    for_each_list(reader, row, limit, |owner, values| {
        if let Some((value_type, bounds)) = &bounds {
            if !bounds.allow_all(values) {
                return Err(reader.impossible(PART, owner));
            }
            if value_type.is_text() {
                values.iter_mut().filter(|value| bounds.is_null(**value)).for_each(|value| *value = NULL);
            }
        }
        runs.push(owner, ValueEdit::Set, values.iter().copied().map(RunValue::Number))
    })?;
    Ok(runs)
}

/// Calls `visit` with each changed owner and its values, in a buffer that `visit` may modify.
fn for_each_list(
    reader: Reader<'_>,
    row: &PropertyChangeRow,
    limit: u32,
    mut visit: impl FnMut(u32, &mut [i64]) -> Result<()>,
) -> Result<()> {
    let (graph, store) = (reader.graph, reader.graph.store());
    let owners: NodeSet<Pinned> = NodeSet::open(store, row.owners, limit)?;
    let present: NodeSet<Pinned> = NodeSet::open(store, row.present, limit)?;
    let values: Ints<Pinned> = Ints::open(store, row.values)?;
    for count in [owners.len().into(), present.len().into(), values.len() as u64] {
        check_claim(graph, count)?;
    }
    let lists = present.len() as usize;
    let offsets = row.offsets.map(|column| graph.ints(Some(column), PART, lists + 1)).transpose()?;
    let (mut rank, mut end, mut last) = (0usize, 0usize, None);
    let (mut filled, mut list) = (present.iter().peekable(), Vec::new());
    for owner in owners.iter() {
        let impossible = || reader.impossible(PART, owner);
        if last.replace(owner).is_some_and(|last| last >= owner) {
            return Err(impossible());
        }
        list.clear();
        if filled.next_if_eq(&owner).is_some() {
            let start = end;
            end = next_end(offsets.as_ref(), rank, start, values.len()).ok_or_else(impossible)?;
            for position in start..end {
                list.push(values.get(position, 0).ok_or_else(impossible)?);
            }
            rank += 1;
        }
        visit(owner, &mut list)?;
    }
    // Damage: this owner has values in the changes, but is not among the changed owners.
    if let Some(owner) = filled.next() {
        return Err(reader.impossible(PART, owner));
    }
    graph.check_count(PART, "values", end, values.len())
}

/// The end of list number `rank`, which starts at `start`; `None` if the end is beyond the `values` values of
/// the column, or the list is invalid.
pub(super) fn next_end(
    offsets: Option<&Ints<Pinned>>,
    rank: usize,
    start: usize,
    values: usize,
) -> Option<usize> {
    let end = match offsets {
        None => start + 1,
        Some(offsets) => {
            let (from, to) = offsets.pair(rank)?;
            (from == start as u64 && to > from).then_some(usize::try_from(to).ok()?)?
        }
    };
    (end <= values).then_some(end)
}

fn read_texts(
    reader: Reader<'_>,
    row: &PropertyChangeRow,
    scratch: Option<&Arc<Scratch>>,
) -> Result<Option<KnownTexts>> {
    let Some(column) = row.strings else { return Ok(None) };
    let store = reader.graph.store();
    let strings: Strings<Pinned> = Strings::open(store, column)?;
    let (base, allowance) = (reader.texts(row.property)?.len(), Texts::allowance_of(store.file_len()));
    check_claim(reader.graph, strings.len().into())?;
    if base.checked_add(strings.len()).is_none() {
        let found = u64::from(base) + u64::from(strings.len());
        let fault = Fault::TooMany { what: "texts", most: u32::MAX.into(), found };
        return Err(reader.graph.damaged(PART, fault));
    }
    let (mut texts, mut reading) = (KnownTexts::new(base, scratch), strings.reader());
    for code in 0..strings.len() {
        let text = reading.bytes(code).ok_or_else(|| reader.impossible(PART, code))?;
        if !allowance.take(text.len()) {
            return Err::<_, GraphError>(store.damaged(allowance.error()).into());
        }
        texts.push(text)?;
    }
    texts.has_nulls = texts.has_new;
    Ok(Some(texts))
}
