//! Handles nulls among the values of the base, for properties that get new texts.
//!
//! In the columns of the base, the code of null follows the code of the last text. The first new text gets
//! this same code. So each owner with a null among its values in the base is moved to the changes, with all
//! its values.

use std::ops::ControlFlow;

use varvite_format::{Owner, PropertyId};

use super::base::Reader;
use super::change_set::ChangeSet;
use super::patch::Patch;
use super::property_changes::NULL;
use super::value_runs::ValueEdit;
use crate::error::Result;

/// Moves the owners that have null to the changes, for each property that got its first new text. Reads the
/// values of each such property once.
pub(super) fn take_up_nulls(changes: &mut ChangeSet, reader: Reader<'_>) -> Result<()> {
    let properties: Vec<PropertyId> = changes
        .properties
        .iter()
        .filter(|(_, changed)| {
            changed.texts.as_ref().is_some_and(|texts| texts.len() > 0 && !texts.has_nulls)
        })
        .map(|(property, _)| *property)
        .collect();
    for property in properties {
        // Making room for an earlier property may have moved this one to disk.
        if !changes.properties.contains_key(&property) {
            continue;
        }
        if reader.graph.properties().get(property.index()).is_some() && !take_up(property, changes, reader)? {
            changes.put_on_disk(property)?;
        }
        let texts = changes.properties.get_mut(&property).and_then(|changed| changed.texts.as_mut());
        texts.into_iter().for_each(|texts| texts.has_nulls = true);
        changes.make_room()?;
    }
    take_up_on_disk(changes, reader)
}

/// The same as [`take_up_nulls`], for properties whose changes are on disk.
fn take_up_on_disk(changes: &mut ChangeSet, reader: Reader<'_>) -> Result<()> {
    let ChangeSet { runs, removed, .. } = changes;
    for (property, runs) in runs {
        let needs_nulls = runs.texts.as_ref().is_some_and(|texts| texts.has_new && !texts.has_nulls);
        let Some(row) = reader.graph.store().directory().properties.get(property.index()) else { continue };
        if needs_nulls {
            let is_of_nodes = row.owner == Owner::Node;
            let mut pushed = Ok(());
            for_each_null_owner(*property, reader, |owner| {
                if !(is_of_nodes && removed.contains(owner)) {
                    pushed = runs.push(owner, ValueEdit::Keep, []);
                }
                if pushed.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
            })?;
            pushed?;
        }
    }
    Ok(())
}

/// Moves the owners that have null in one property to the changes. Returns false if there are too many owners
/// for the memory.
fn take_up(property: PropertyId, changes: &mut ChangeSet, reader: Reader<'_>) -> Result<bool> {
    let room = changes.room_for_values() / size_of::<i64>();
    let Some(owners) = null_owners(property, room, reader)? else { return Ok(false) };
    if owners.is_empty() {
        return Ok(true);
    }
    let is_of_nodes = reader.graph.store().directory().properties[property.index()].owner == Owner::Node;
    let base = reader.values(property)?;
    let null = changes.properties.get(&property).and_then(|changed| changed.texts.as_ref());
    let null = null.map_or(NULL, |texts| i64::from(texts.base));
    let (mut patch, mut values) = (Patch::default(), Vec::new());
    for owner in owners {
        let is_known = changes.properties.get(&property).is_some_and(|changed| changed.of(owner).is_some());
        if is_known || is_of_nodes && changes.removed.contains(owner) {
            continue;
        }
        values.clear();
        base.append(owner, &mut values).ok_or_else(|| reader.impossible("property", owner))?;
        values.iter_mut().filter(|value| **value == null).for_each(|value| *value = NULL);
        patch.push(owner, &values);
    }
    changes.patch(property, &patch, Some(&base), reader)?;
    Ok(true)
}

/// The owners of the base with null among their values, in ascending order; `None` if there are more than
/// `most`.
fn null_owners(property: PropertyId, most: usize, reader: Reader<'_>) -> Result<Option<Vec<u32>>> {
    let mut owners: Vec<u32> = Vec::new();
    for_each_null_owner(property, reader, |owner| {
        if owners.last() != Some(&owner) {
            owners.push(owner);
        }
        if owners.len() <= most { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    })?;
    Ok((owners.len() <= most).then_some(owners))
}

/// Calls `visit` with each owner that has null in the base, once for each null.
fn for_each_null_owner(
    property: PropertyId,
    reader: Reader<'_>,
    visit: impl FnMut(u32) -> ControlFlow<()>,
) -> Result<()> {
    let property = reader.graph.property_at(property)?;
    let Some(null) = property.stored_bounds.null() else { return Ok(()) };
    reader.graph.watch(|| property.find_in_base(null, visit))
}
