//! A small file with a column of every kind, and its expected content.

use std::path::Path;
use std::sync::Arc;

use varvite_codec::Codec;
use varvite_format::{
    ColumnId, Directory, Keys, LabelRow, LayerRow, NamesBuilder, Owner, Profile, PropertyRow, Purpose,
    StringsInput, encode_ints, encode_set, encode_strings,
};
use varvite_store::vfs::Vfs;
use varvite_store::{IfExists, OpenMode, Result, Store, StoreWriter, prepare};
use varvite_testing::vfs::MemoryVfs;

/// The path of sample files.
pub(crate) const PATH: &str = "code.varvite";
pub(crate) const FILE_ID: [u8; 16] = *b"sample file id 1";
/// The number of nodes of the sample.
pub(crate) const NODES: u32 = 200;
pub(crate) const TEXTS: [&str; 4] = ["", "main", "memcpy", "memcpy_s"];

/// The columns of the sample.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Columns {
    pub(crate) codes: ColumnId,
    pub(crate) set: ColumnId,
    pub(crate) texts: ColumnId,
}

/// The code of a node's text: mostly the same code, sometimes another.
pub(crate) fn code_of(node: u32) -> i64 {
    if node % 17 == 3 { i64::from(node % 4) } else { 2 }
}

/// Whether a node is a member of the sample's set.
pub(crate) fn is_member(node: u32) -> bool {
    node % 3 != 1
}

/// Writes the sample to `path`.
pub(crate) fn write(vfs: Arc<dyn Vfs>, path: &Path, codec: Codec, profile: Profile) -> Result<Columns> {
    write_as(FILE_ID, vfs, path, codec, profile)
}

fn write_as(
    file_id: [u8; 16],
    vfs: Arc<dyn Vfs>,
    path: &Path,
    codec: Codec,
    profile: Profile,
) -> Result<Columns> {
    let mut writer = StoreWriter::create(vfs, path, IfExists::Replace, file_id, profile)?;
    let columns = add_columns(&mut writer, codec, profile)?;
    writer.finish(directory(columns))?;
    Ok(columns)
}

pub(crate) fn add_columns(writer: &mut StoreWriter, codec: Codec, profile: Profile) -> Result<Columns> {
    let codes: Vec<i64> = (0..NODES).map(code_of).collect();
    let codes = encode_ints(&codes, Keys::None, Purpose::Numbers, profile).unwrap();
    let mut words = vec![0u64; NODES.div_ceil(64) as usize];
    (0..NODES).filter(|node| is_member(*node)).for_each(|node| words[node as usize / 64] |= 1 << (node % 64));
    let set = encode_set(&words, NODES, profile).unwrap();
    let pool = TEXTS.concat();
    let starts = [0, 0, 4, 10, 18];
    let texts = StringsInput { pool: pool.as_bytes(), starts: &starts, lengths: None, sorted: true };
    let texts = encode_strings(texts, profile).unwrap();
    Ok(Columns {
        codes: writer.add(prepare(codes, codec)?)?,
        set: writer.add(prepare(set, codec)?)?,
        texts: writer.add(prepare(texts, codec)?)?,
    })
}

/// The schema of the sample.
pub(crate) fn directory(columns: Columns) -> Directory {
    let mut names = NamesBuilder::default();
    let [layer, tool, version, label, property] =
        ["code", "test", "1", "METHOD", "NAME"].map(|name| names.intern(name));
    Directory {
        nodes: NODES,
        names: names.build(),
        layers: vec![LayerRow { name: layer, tool, version, nodes: None, time: 0, source: [0; 32] }],
        labels: vec![LabelRow {
            name: label,
            layer: 0,
            nodes: columns.set,
            origin_count: NODES,
            origin: None,
        }],
        properties: vec![PropertyRow {
            name: property,
            layer: 0,
            owner: Owner::Node,
            value_type: 0,
            cardinality: 0,
            default_kind: 0,
            default: 0,
            present: columns.set,
            offsets: None,
            values: columns.codes,
            strings: Some(columns.texts),
        }],
        label_sets: vec![0, 1],
        ..Directory::default()
    }
}

/// The bytes of the sample, with codec blocks.
pub(crate) fn bytes() -> Vec<u8> {
    bytes_of(FILE_ID)
}

/// The bytes of the sample with another file id.
pub(crate) fn bytes_of(file_id: [u8; 16]) -> Vec<u8> {
    let vfs = MemoryVfs::new();
    write_as(file_id, Arc::new(vfs.clone()), Path::new(PATH), Codec::Zstd, Profile::Archive).unwrap();
    vfs.contents(PATH).unwrap()
}

/// A new file in memory.
pub(crate) fn writer() -> StoreWriter {
    let vfs = Arc::new(MemoryVfs::new());
    StoreWriter::create(vfs, Path::new(PATH), IfExists::Refuse, FILE_ID, Profile::Direct).unwrap()
}

/// Opens bytes as a file in memory.
pub(crate) fn open(bytes: &[u8]) -> Result<Store> {
    let vfs = MemoryVfs::new();
    vfs.put(PATH, bytes);
    Store::open(&vfs, Path::new(PATH), OpenMode::Buffered)
}
