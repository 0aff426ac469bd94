//! Identities: the id of a new file, and the source hash of an added layer.
//!
//! The id of a file is a hash of the sources and options of its graph, and stays the same through all
//! commits. So equal imports give equal files. Files that differ only in indexes or layers have the same id
//! and different directories. A layer is identified by its content, not only by its name.

use varvite_codec::Codec;
use varvite_format::{FORMAT_VERSION, Profile};
use varvite_store::Identity;

use super::input::PropertyLayer;

/// The id of the file that a fold of the graph with the identity `old` writes, or an online compaction.
pub(crate) fn file_id_of_fold(old: &Identity) -> [u8; 16] {
    let mut hasher = blake3::Hasher::new();
    add(&mut hasher, b"fold");
    hasher.update(&old.to_bytes());
    std::array::from_fn(|byte| hasher.finalize().as_bytes()[byte])
}

/// The id of a file with this `identity`.
pub(super) fn new_file_id(identity: &[u8], profile: Profile, codec: Codec) -> [u8; 16] {
    let mut hasher = blake3::Hasher::new();
    hasher.update(&FORMAT_VERSION.to_le_bytes());
    hasher.update(profile.name().as_bytes());
    hasher.update(codec.name().as_bytes());
    hasher.update(identity);
    std::array::from_fn(|byte| hasher.finalize().as_bytes()[byte])
}

/// The source hash in the row of a layer. It covers the source given by the caller and every value, because a
/// tool may compute other values from the same source when it runs with other options.
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::write::{LayerSpec, NodeNumbers};

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
