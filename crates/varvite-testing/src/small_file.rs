//! A small valid file, which tests edit.

use std::path::Path;
use std::sync::Arc;

use varvite_codec::Codec;
use varvite_format::{
    ColumnId, Directory, EncodedColumn, Keys, LayerRow, NamesBuilder, Owner, Profile, PropertyId,
    PropertyRow, Purpose, StringsInput, TextIndexRow, encode_ints, encode_set, encode_strings,
};
use varvite_store::{IfExists, StoreWriter, prepare};

use crate::vfs::MemoryVfs;

const PATH: &str = "small.varvite";
const NODES: u32 = 300;

/// The bytes of a file with columns of most encodings, plain and compressed, and a text index in its
/// directory.
pub fn small_file() -> Vec<u8> {
    let vfs = MemoryVfs::new();
    let target = Path::new(PATH);
    let writer =
        StoreWriter::create(Arc::new(vfs.clone()), target, IfExists::Refuse, [7; 16], Profile::Compact);
    let mut writer = writer.expect("memory takes files");
    for profile in Profile::ALL {
        let codec = if profile == Profile::Archive { Codec::Zstd } else { Codec::None };
        for column in columns(profile) {
            writer.add(prepare(column, codec).expect("blocks compress")).expect("memory takes bytes");
        }
    }
    writer.finish(directory()).expect("its rows name rows that exist");
    vfs.contents(PATH).expect("it was written")
}

/// A directory with a property and an index of it; the columns need not be of the right kind.
fn directory() -> Directory {
    let mut names = NamesBuilder::default();
    let name = names.intern("NAME");
    let column = ColumnId(0);
    let property = PropertyRow {
        name,
        layer: 0,
        owner: Owner::Node,
        value_type: 11,
        cardinality: 1,
        default_kind: 0,
        default: 0,
        present: column,
        offsets: None,
        values: column,
        strings: Some(column),
    };
    let [buckets, codes, groups, sets, starts, nodes] = [0, 1, 2, 0, 1, 2].map(ColumnId);
    Directory {
        nodes: NODES,
        names: names.build(),
        layers: vec![LayerRow { name, tool: name, version: name, nodes: None, time: 0, source: [0; 32] }],
        properties: vec![property],
        text_indexes: vec![TextIndexRow {
            property: PropertyId(0),
            buckets,
            codes,
            groups,
            sets,
            starts,
            nodes,
        }],
        ..Directory::default()
    }
}

fn columns(profile: Profile) -> Vec<EncodedColumn> {
    let scattered: Vec<i64> = (0..i64::from(NODES)).map(|index| index * index % 211 * 40).collect();
    let rising: Vec<i64> = (0..i64::from(NODES)).map(|index| index * 3 + index * index % 7).collect();
    let words: Vec<u64> = vec![0x0f0f_1234, 0, u64::MAX, 5, 0x8000_0001];
    let few: Vec<u64> = vec![0, 0x100, 0, 1, 0];
    let text = StringsInput {
        pool: b"int main(void)",
        starts: &[0, 4, 9],
        lengths: Some(&[3, 4, 4]),
        sorted: false,
    };
    let columns = [
        encode_ints(&scattered, Keys::None, Purpose::Numbers, profile),
        encode_ints(&rising, Keys::Index, Purpose::Offsets, profile),
        encode_ints(&[4i64; 300], Keys::None, Purpose::Ids, profile),
        encode_set(&words, NODES, profile),
        encode_set(&few, NODES, profile),
        encode_strings(text, profile),
    ];
    columns.into_iter().map(|column| column.expect("small columns have no limits")).collect()
}
