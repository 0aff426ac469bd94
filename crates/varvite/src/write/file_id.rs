//! Ids of files: files of different content have different ones.
//!
//! The id of a new file hashes what it is made of, and how. That of a file with other indexes or layers follows from the id that it
//! had, its indexes and its layers, whatever the order in which these came and went: so the same steps give the same file,
//! and a layer is known by its content, not only by its name.

use super::input::PropertyLayer;
use varvite_format::Directory;

/// The id that a file of id `file_id`, without indexes, has with those of the properties `indexed`; and the other way round.
pub(super) fn file_id_with(file_id: [u8; 16], indexed: &[&str]) -> [u8; 16] {
    let mut names = indexed.to_vec();
    names.sort_unstable();
    let mut mark = [0; 16];
    if !names.is_empty() {
        let mut hasher = blake3::Hasher::new();
        names.iter().for_each(|name| add(&mut hasher, name.as_bytes()));
        mark.copy_from_slice(&hasher.finalize().as_bytes()[..16]);
    }
    mixed(file_id, mark)
}

/// The id of a file whose layers were those of `old`, and are those of `new`.
pub(super) fn file_id_of_layers(file_id: [u8; 16], old: &Directory, new: &Directory) -> [u8; 16] {
    mixed(mixed(file_id, layers_mark(old)), layers_mark(new))
}

/// Layers in their order, each with its tool and source.
fn layers_mark(directory: &Directory) -> [u8; 16] {
    let mut hasher = blake3::Hasher::new();
    add(&mut hasher, b"layers");
    for row in &directory.layers {
        for name in [row.name, row.tool, row.version] {
            add(&mut hasher, directory.names.get(name).as_bytes());
        }
        hasher.update(&row.source);
    }
    first_half(&hasher)
}

/// The source that the row of a layer has: its tool's, and every value, since a tool may find other values in the same source when it
/// is asked in another way.
pub(super) fn source_of(added: &PropertyLayer<'_>) -> [u8; 32] {
    let mut hasher = blake3::Hasher::new();
    add(&mut hasher, b"property layer");
    hasher.update(&added.layer.source);
    for property in added.properties {
        add(&mut hasher, property.name.as_bytes());
        hasher.update(&(property.values.len() as u64).to_le_bytes());
        for (node, value) in property.values {
            hasher.update(&node.to_le_bytes()).update(&value.to_le_bytes());
        }
    }
    *hasher.finalize().as_bytes()
}

fn add(hasher: &mut blake3::Hasher, text: &[u8]) {
    hasher.update(&(text.len() as u64).to_le_bytes()).update(text);
}

fn first_half(hasher: &blake3::Hasher) -> [u8; 16] {
    std::array::from_fn(|byte| hasher.finalize().as_bytes()[byte])
}

fn mixed(file_id: [u8; 16], mark: [u8; 16]) -> [u8; 16] {
    std::array::from_fn(|byte| file_id[byte] ^ mark[byte])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::write::{LayerSpec, NodeNumbers};

    #[test]
    fn file_ids_forget_the_order_in_which_indexes_came_and_went() {
        let bare = [7; 16];
        let both = file_id_with(bare, &["NAME", "CODE"]);
        assert_eq!(both, file_id_with(bare, &["CODE", "NAME"]));
        assert_eq!(file_id_with(both, &["NAME", "CODE"]), bare);
        assert_eq!(file_id_with(bare, &[]), bare);
        assert_ne!(file_id_with(bare, &["NAME"]), file_id_with(bare, &["NA", "ME"]));
    }

    #[test]
    fn every_value_of_a_layer_counts() {
        let source_of = |name, values: &[(u32, i64)]| {
            let layer = LayerSpec { name: "trace", tool: "test", version: "1", source: [1; 32] };
            source_of(&PropertyLayer { layer, properties: &[NodeNumbers { name, values }] })
        };
        let sources = [
            source_of("A", &[(0, 1), (1, 1)]),
            source_of("A", &[(0, 1), (2, 1)]),
            source_of("A", &[(0, 1), (1, 2)]),
            source_of("A", &[(0, 1)]),
            source_of("B", &[(0, 1), (1, 1)]),
        ];
        assert!((0..5).all(|number| !sources[..number].contains(&sources[number])));
    }
}
