//! Null among the values of the base, where there are texts that the base does not have.
//!
//! In the columns of the base null has the code behind its texts, which is that of the first text that came later. So
//! owners of the base with null among their values are taken up by the changes, with all of their values.

use std::ops::ControlFlow;

use varvite_format::{Owner, PropertyId};

use super::base::Reader;
use super::change_set::{ChangeSet, NULL};
use super::patch::Patch;
use super::sorted::contains;
use crate::error::Result;

/// Takes up the owners of null of all properties that got their first new texts. Reads the values of these once.
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
        if reader.graph.properties().get(property.index()).is_some() {
            take_up(property, changes, reader)?;
        }
        let texts = changes.properties.get_mut(&property).and_then(|changed| changed.texts.as_mut());
        texts.into_iter().for_each(|texts| texts.has_nulls = true);
    }
    Ok(())
}

fn take_up(property: PropertyId, changes: &mut ChangeSet, reader: Reader<'_>) -> Result<()> {
    let owners = null_owners(property, reader)?;
    if owners.is_empty() {
        return Ok(());
    }
    let is_of_nodes = reader.graph.store().directory().properties[property.index()].owner == Owner::Node;
    let base = reader.values(property)?;
    let null = changes.properties.get(&property).and_then(|changed| changed.texts.as_ref());
    let null = null.map_or(NULL, |texts| i64::from(texts.base));
    let (mut patch, mut values) = (Patch::default(), Vec::new());
    for owner in owners {
        let is_known = changes.properties.get(&property).is_some_and(|changed| changed.of(owner).is_some());
        if is_known || is_of_nodes && contains(&changes.removed, owner) {
            continue;
        }
        values.clear();
        base.append(owner, &mut values).ok_or_else(|| reader.impossible("property", owner))?;
        values.iter_mut().filter(|value| **value == null).for_each(|value| *value = NULL);
        patch.push(owner, &values);
    }
    changes.patch(property, &patch, Some(&base), reader)
}

/// The owners of the base that have null among their values, rising.
fn null_owners(property: PropertyId, reader: Reader<'_>) -> Result<Vec<u32>> {
    let graph = reader.graph;
    let property = graph.property_at(property)?;
    let mut owners = Vec::new();
    if let Some(null) = property.stored_bounds.null() {
        graph.watch(|| {
            property.find_in_base(null, |owner| {
                owners.push(owner);
                ControlFlow::Continue(())
            });
        })?;
    }
    owners.dedup();
    Ok(owners)
}
