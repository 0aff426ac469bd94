//! [`copy_graph`]: copies the columns of a graph to another file, in an order that does not depend on earlier
//! additions and removals.
//!
//! The order is: the imported graph, then layers of properties, then indexes.

use crate::change_error::ChangeError;
use crate::error::Result;
use varvite_format::{Directory, PropertyRow, TextIndexRow};
use varvite_store::{CopiedColumns, Store, StoreWriter, Task};

/// Copies all columns that `directory` names. The directory may have been changed since it was read from
/// `source`. First come the columns of the graph in their current order, then those of each layer of
/// properties and of each index in the order of their rows.
///
/// Layers and indexes share no columns, so that the bytes of each do not depend on the others.
pub(super) fn copy_graph(
    source: &Store,
    directory: &mut Directory,
    writer: &mut StoreWriter,
    task: &Task<'_>,
) -> Result<(), ChangeError> {
    let layers = layers_of_properties(directory);
    let mut rest = Rest::take(directory, &layers);
    let copied = writer.copy(source, directory.roots(), task)?;
    renumber(directory, &copied);
    for layer in layers {
        let of_layer = rest.properties.iter_mut().filter(|(_, row)| row.layer == layer);
        let (places, rows): (Vec<usize>, Vec<PropertyRow>) =
            of_layer.map(|(place, row)| (*place, *row)).unzip();
        let mut part = Directory { properties: rows, ..Directory::default() };
        copy_part(source, &mut part, writer, task)?;
        rest.copied.extend(places.into_iter().zip(part.properties));
    }
    for row in std::mem::take(&mut rest.indexes) {
        let mut part = Directory { text_indexes: vec![row], ..Directory::default() };
        copy_part(source, &mut part, writer, task)?;
        rest.indexes.append(&mut part.text_indexes);
    }
    rest.put_back(directory);
    Ok(())
}

fn copy_part(
    source: &Store,
    part: &mut Directory,
    writer: &mut StoreWriter,
    task: &Task<'_>,
) -> Result<(), ChangeError> {
    let copied = writer.copy_in_order(source, part.roots(), task)?;
    renumber(part, &copied);
    Ok(())
}

fn renumber(part: &mut Directory, copied: &CopiedColumns) {
    part.renumber(|column| copied.number(column).expect("every root was copied"));
}

/// The numbers of the layers that hold only properties. Such layers can be added and dropped.
fn layers_of_properties(directory: &Directory) -> Vec<u32> {
    let has_more = |layer: u32| {
        directory.labels.iter().any(|row| row.layer == layer)
            || directory.edge_labels.iter().any(|row| row.layer == layer)
    };
    (0..directory.layers.len() as u32).filter(|layer| !has_more(*layer)).collect()
}

/// The rows of the parts that are copied after the graph.
struct Rest {
    /// The properties of layers that hold only properties, each with its index in the table of properties.
    properties: Vec<(usize, PropertyRow)>,
    /// The properties of the field `properties`, after their columns were copied.
    copied: Vec<(usize, PropertyRow)>,
    indexes: Vec<TextIndexRow>,
}

impl Rest {
    /// Removes these rows from the tables.
    fn take(directory: &mut Directory, layers: &[u32]) -> Self {
        let rows = std::mem::take(&mut directory.properties).into_iter().enumerate();
        let (properties, stay): (Vec<_>, Vec<_>) = rows.partition(|(_, row)| layers.contains(&row.layer));
        directory.properties = stay.iter().map(|(_, row)| *row).collect();
        let indexes = std::mem::take(&mut directory.text_indexes);
        Self { properties, copied: Vec::new(), indexes }
    }

    /// Puts the rows back into the tables, each property at its old index.
    fn put_back(self, directory: &mut Directory) {
        let mut copied = self.copied;
        copied.sort_unstable_by_key(|(place, _)| *place);
        copied.into_iter().for_each(|(place, row)| directory.properties.insert(place, row));
        directory.text_indexes = self.indexes;
    }
}
