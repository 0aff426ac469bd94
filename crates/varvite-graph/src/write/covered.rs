//! Covered properties: properties of the graph whose name a layer has taken.
//!
//! Joern gives each FILE node the property CONTENT, usually with the value `<empty>`; a layer with the
//! sources of the program has a property CONTENT too. While the layer is there, readers must find its values
//! under that name, and once it is dropped, the graph must be as it was. So the older property stays in the
//! file under another name, `CONTENT/code`: its own name, a slash, and the name of its layer.

use std::collections::HashMap;

use varvite_format::{Directory, NameId, NamesBuilder, Owner, PropertyRow};

use crate::change_error::ChangeError;
use crate::error::Result;
use crate::name_kind::NameKind;
use crate::schema::{covered_name, name_before_cover};

/// Renames the node property `name`, so that a new property can have its name. Returns the row as it was;
/// `None` if there is no such property.
///
/// # Errors
/// [`ChangeError::Duplicate`] if `can_cover` forbids it, or the other name is taken too.
pub(super) fn cover(
    directory: &mut Directory,
    name: &str,
    can_cover: impl FnOnce(&PropertyRow) -> bool,
) -> Result<Option<PropertyRow>, ChangeError> {
    let Some(place) = place_of(directory, name) else { return Ok(None) };
    let row = directory.properties[place];
    let covered = covered_name(name, directory.names.get(directory.layers[row.layer as usize].name));
    if !can_cover(&row) || place_of(directory, &covered).is_some() {
        return Err(ChangeError::Duplicate { kind: NameKind::Property, name: name.to_owned() });
    }
    let mut names = NamesBuilder::from(&directory.names);
    directory.properties[place].name = names.intern(&covered);
    directory.names = names.build();
    Ok(Some(row))
}

/// Gives the properties that the layer number `layer` covers their own names again.
pub(super) fn uncover(directory: &mut Directory, layer: u32) {
    let names = &directory.names;
    let of_nodes = |row: &&PropertyRow| row.owner == Owner::Node;
    let own = directory.properties.iter().filter(of_nodes).filter(|row| row.layer == layer);
    let own: HashMap<&str, NameId> = own.map(|row| (names.get(row.name), row.name)).collect();
    let layer_names: Vec<&str> = directory.layers.iter().map(|row| names.get(row.name)).collect();
    let covered = |row: &&mut PropertyRow| row.owner == Owner::Node && row.layer != layer;
    for row in directory.properties.iter_mut().filter(covered) {
        let Some(of) = layer_names.get(row.layer as usize) else { continue };
        let before = name_before_cover(names.get(row.name), of);
        row.name = before.and_then(|before| own.get(before)).copied().unwrap_or(row.name);
    }
}

fn place_of(directory: &Directory, name: &str) -> Option<usize> {
    let is_it = |row: &PropertyRow| row.owner == Owner::Node && directory.names.get(row.name) == name;
    directory.properties.iter().position(is_it)
}
