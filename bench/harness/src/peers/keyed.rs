//! Writes a graph file of keys and values, so that look-ups by key can be compared with key-value stores.
//!
//! Node `i` has a KEY of 16 bytes, with an index, and a VALUE of random bytes that no codec can compress. The
//! order of the keys is unrelated to the order of the nodes. Equal arguments give equal files.
//!
//! With the profile `archive` the values are random hexadecimal digits instead. A codec compresses them to
//! half their size, so the file stores them compressed and readers must decode blocks.

use std::path::Path;
use std::sync::Arc;

use varvite::{Cardinality, IfExists, Profile, ValueType};
use varvite::{
    columns::{GraphWriter, LabelSpec, PropertyInput, PropertySpec, TextsInput, ValuesInput, WriteOptions},
    write::LayerSpec,
};
use varvite_store::vfs::RealVfs;

use crate::Failure;

const KEY_LEN: usize = 16;

/// Writes `count` values of `size` bytes each.
///
/// # Errors
/// An error of the file system, or more bytes of values than a string table can hold.
pub fn write(target: &Path, count: u32, size: u32, profile: Profile) -> Result<(), Failure> {
    let total = u64::from(count) * u64::from(size.max(KEY_LEN as u32));
    if total > u64::from(u32::MAX) {
        return Err(Failure(format!("{count} values of {size} bytes are more than 4 GiB: ask for fewer")));
    }
    let options = WriteOptions { profile, if_exists: IfExists::Replace, ..WriteOptions::default() };
    let encoder = GraphWriter::encoder(&options);
    let identity = format!("keyed {count} {size}");
    let vfs = Arc::new(RealVfs);
    let mut writer = GraphWriter::create(vfs, target, count, identity.as_bytes(), &options)?;
    writer.add_layer(&LayerSpec { name: "keyed", tool: "varvite-bench", version: "1", source: [0; 32] });
    let label_sets = vec![0u32; count as usize];
    writer.set_label_codes(encoder.labels(&label_sets)?, vec![1])?;
    let mut everyone = vec![u64::MAX; count.div_ceil(64) as usize];
    if let Some(last) = everyone.last_mut().filter(|_| !count.is_multiple_of(64)) {
        *last = (1 << (count % 64)) - 1;
    }
    let nodes = encoder.set(&everyone, count)?;
    writer.add_label(LabelSpec { name: "ENTRY", layer: 0, nodes, origin_count: 0, origin: None })?;
    let keys: Vec<u8> = (0..count).flat_map(|number| key(number).into_bytes()).collect();
    let columns = input(&keys, count, KEY_LEN as u32, |input| encoder.indexed_property(input, &label_sets))?;
    writer.add_property(&spec("KEY", ValueType::String), columns)?;
    let mut values = random_bytes(count as usize * size as usize);
    if profile == Profile::Archive {
        values.iter_mut().for_each(|byte| *byte = b"0123456789abcdef"[usize::from(*byte & 15)]);
    }
    let columns = input(&values, count, size, |input| encoder.property(input))?;
    writer.add_property(&spec("VALUE", ValueType::Bytes), columns)?;
    writer.finish()?;
    Ok(())
}

fn spec(name: &str, value_type: ValueType) -> PropertySpec {
    PropertySpec {
        name: name.to_owned(),
        owner: varvite::columns::Owner::Node,
        layer: 0,
        value_type,
        cardinality: Cardinality::One,
        default: None,
    }
}

/// Calls `encode` with a property whose value at node `i` is the `i`th text of `len` bytes in `bytes`.
fn input<T>(bytes: &[u8], count: u32, len: u32, encode: impl FnOnce(PropertyInput<'_>) -> T) -> T {
    let offsets: Vec<u32> = (0..=count).collect();
    let codes: Vec<u32> = (0..count).collect();
    let texts: Vec<(u32, u32)> = (0..count).map(|number| (number * len, len)).collect();
    let texts = TextsInput { bytes, texts: &texts, codes: &codes, sorted: false, parents: &[] };
    encode(PropertyInput { offsets: &offsets, values: ValuesInput::Texts(texts) })
}

/// The key of node `number`: sixteen hexadecimal digits. Different numbers have different keys, because the
/// mixer of SplitMix64 is a bijection.
fn key(number: u32) -> String {
    format!("{:016x}", mixed(u64::from(number)))
}

fn random_bytes(len: usize) -> Vec<u8> {
    let words = (0..len.div_ceil(8) as u64).map(|number| mixed(!number));
    let mut bytes: Vec<u8> = words.flat_map(u64::to_le_bytes).collect();
    bytes.truncate(len);
    bytes
}

fn mixed(number: u64) -> u64 {
    let mut bits = number.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    bits ^ (bits >> 31)
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use varvite::{Graph, Value};

    use super::*;

    #[test]
    fn each_key_leads_to_a_value_of_its_own() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("keyed.varvite");
        write(&path, 300, 24, Profile::Direct).unwrap();
        let graph = Graph::open(&path).unwrap();
        let (index, values) = (graph.text_index("KEY").unwrap().unwrap(), graph.property("VALUE").unwrap());
        let expected = random_bytes(300 * 24);
        for number in 0..300u32 {
            assert_eq!(index.nodes(&key(number)), [number]);
            let Some(Value::Bytes(value)) = values.get(number) else { panic!("no value of {number}") };
            assert_eq!(value[..], expected[number as usize * 24..][..24]);
        }
        assert_eq!(graph.verify(&varvite::Task::new().threads(1)).unwrap().problems, [""; 0]);
    }

    #[test]
    fn more_than_a_table_holds_is_refused() {
        assert!(write(Path::new("never.varvite"), u32::MAX, 64, Profile::Direct).is_err());
    }
}
