//! Hostile files: each leads to an error of its own, after few allocations. Also unusual files that are
//! valid.

use serde_json::{Value, json};
use varvite_import::flatgraph::{
    BlobRole, Direction, ElementType, FlatgraphError as E, FlatgraphFile, Limits, NodeRef, Part, Values,
};
use varvite_import::{Expanded, Expansion, Import, ImportError};

use super::content::Content;
use super::draft::Draft;

fn decode(change: fn(&mut Draft)) -> Result<Content, E> {
    let mut draft = Draft::new();
    change(&mut draft);
    Content::decode(&FlatgraphFile::from_bytes(draft.into_bytes())?)
}

/// Checks that a change to the valid draft gives the expected error.
macro_rules! check {
    ($change:expr, $expected:pat $(if $guard:expr)?) => {
        match decode($change).expect_err("the file is damaged") {
            $expected $(if $guard)? => {}
            other => panic!("expected {}, found {other:?}", stringify!($expected)),
        }
    };
}

#[test]
fn the_draft_is_sound() {
    let content = decode(|_| ()).unwrap();
    assert_eq!(content.edges[0].neighbors, [NodeRef::new(1, 0); 2]);
    assert_eq!(content.properties[0].values, Values::String(vec![0, 1]));
    assert_eq!(content.strings.iter().collect::<Vec<_>>(), ["ö", "k"]);
}

#[test]
fn a_header_that_lies() {
    check!(|d| d.magic = *b"FLT GRAF", E::NotFlatgraph { found } if found == *b"FLT GRAF");
    check!(|d| d.magic = 0xdead_beef_dead_beef_u64.to_le_bytes(), E::PreviewFlatgraph);
    check!(|d| d.magic = *b"H:2,bloc", E::Overflowdb);
    check!(|d| d.magic = *b"PK\x03\x04\x14\0\0\0", E::ProtoZip);
    check!(|d| d.manifest_offset = Some(1 << 40), E::ManifestOffset { found, .. } if found == 1 << 40);
    check!(|d| d.manifest_offset = Some(15), E::ManifestOffset { found: 15, .. });
    check!(|d| d.manifest_offset = Some(-1), E::ManifestOffset { found: -1, .. });
    check!(|d| d.manifest_offset = Some(16), E::ManifestJson { offset: 16, .. });
}

#[test]
fn a_manifest_that_is_none() {
    check!(|d| d.manifest_text = Some(b"\n\nnone".to_vec()), E::ManifestJson { .. });
    check!(|d| d.manifest_text = Some(b"{\"version\":0}".to_vec()), E::ManifestJson { .. });
    check!(|d| d.manifest_text = Some("[".repeat(100_000).into_bytes()), E::ManifestJson { .. });
    check!(|d| d.manifest["nodes"][0]["nnodes"] = json!(1.5), E::ManifestJson { .. });
    check!(|d| d.manifest["nodes"][0]["nnodes"] = json!(-1), E::ManifestJson { .. });
    check!(|d| d.manifest["nodes"][0]["nnodes"] = json!("3"), E::ManifestJson { .. });
    check!(|d| d.manifest["edges"][0]["neighbors"] = Value::Null, E::ManifestJson { .. });
    check!(
        |d| d.manifest_text = Some([d.manifest.to_string().as_bytes(), b"{}"].concat()),
        E::ManifestJson { .. }
    );
    check!(|d| d.manifest["version"] = json!(1), E::UnsupportedVersion { found: 1 });
}

#[test]
fn kinds_that_cannot_be() {
    check!(|d| d.manifest["nodes"][1]["nodeLabel"] = json!("A"), E::DuplicateKind { label } if &*label == "A");
    check!(
        |d| d.manifest["nodes"][0]["nnodes"] = json!(1_u64 << 31),
        E::NodeCount { found: 0x8000_0000, .. }
    );
    check!(|d| d.manifest["nodes"][0]["nnodes"] = json!(i32::MAX), E::Limit { what: "nodes", .. });
    check!(|d| d.manifest["nodes"][0]["deletions"] = json!([3]), E::Deletion { seq: 3, node_count: 3, .. });
    check!(|d| d.manifest["nodes"][0]["deletions"] = json!([2, 0, 2]), E::Deletion { seq: 2, .. });
}

#[test]
fn columns_that_cannot_be() {
    check!(|d| d.manifest["edges"][0]["nodeLabel"] = json!("C"), E::UnknownKindLabel { .. });
    check!(|d| d.manifest["properties"][0]["nodeLabel"] = json!("C"), E::UnknownKindLabel { .. });
    check!(|d| d.manifest["edges"][0]["inout"] = json!(2), E::UnknownDirection { found: 2, .. });
    check!(
        |d| {
            d.manifest["edges"][1]["nodeLabel"] = json!("A");
            d.manifest["edges"][1]["inout"] = json!(1);
        },
        E::DuplicateColumn { part: Part::Edges { direction: Direction::Out, .. } }
    );
    check!(|d| d.manifest["properties"][1]["propertyLabel"] = json!("NAME"), E::DuplicateColumn { .. });
    check!(
        |d| d.manifest["properties"][1]["property"]["type"] = json!("char"),
        E::UnknownElementType { found, .. } if &*found == "char"
    );
    check!(
        |d| d.manifest["edges"][0]["qty"]["type"] = json!("long"),
        E::ElementTypeMismatch { expected: ElementType::Int, found: ElementType::Long, .. }
    );
    check!(
        |d| d.manifest["edges"][0]["neighbors"]["type"] = json!("long"),
        E::ElementTypeMismatch { expected: ElementType::Ref, .. }
    );
    check!(
        |d| d.manifest["stringPoolBytes"]["type"] = json!("bool"),
        E::ElementTypeMismatch { part: Part::StringBytes, .. }
    );
}

#[test]
fn blobs_that_lie_elsewhere() {
    check!(|d| d.manifest["edges"][0]["qty"]["startOffset"] = json!(15), E::BlobOutOfFile { start: 15, .. });
    check!(|d| d.manifest["edges"][0]["qty"]["startOffset"] = json!(1_u64 << 53), E::BlobOutOfFile { .. });
    check!(
        |d| d.manifest["stringPoolBytes"]["compressedLength"] = json!(100),
        E::BlobOutOfFile { len: 100, .. }
    );
    check!(
        |d| d.manifest["edges"][0]["qty"]["compressedLength"] = json!(1_u64 << 31),
        E::LengthTooLarge { found: 0x8000_0000, .. }
    );
    check!(
        |d| d.manifest["edges"][0]["qty"]["decompressedLength"] = json!(1_u64 << 31),
        E::LengthTooLarge { found: 0x8000_0000, .. }
    );
    check!(
        |d| d.manifest["edges"][0]["neighbors"] = d.manifest["edges"][1]["neighbors"].clone(),
        E::BlobOverlap { .. }
    );
}

#[test]
fn lengths_that_lie() {
    check!(
        |d| d.manifest["edges"][0]["qty"]["decompressedLength"] = json!(15),
        E::RaggedBlob { width: 4, .. }
    );
    check!(
        |d| d.manifest["edges"][0]["qty"]["decompressedLength"] = json!(12),
        E::PlainLength { expected: 12, found: Some(16), .. }
    );
    check!(
        |d| d.manifest["edges"][0]["qty"]["decompressedLength"] = json!(0x7fff_fffc),
        E::ImpossibleRatio { plain_len: 0x7fff_fffc, .. }
    );
    check!(
        |d| {
            let frame = zstd::stream::encode_all(&[0; 16][..], 3).unwrap();
            d.manifest["edges"][0]["qty"] = d.frame("int", &frame, 16);
        },
        E::PlainLength { expected: 16, found: None, .. }
    );
    check!(|d| d.manifest["edges"][0]["qty"] = d.frame("int", b"no frame at all", 16), E::Zstd { .. });
    check!(|d| d.manifest["edges"][0]["qty"] = d.frame("int", b"", 0), E::Zstd { .. });
    check!(
        |d| {
            let mut frame = zstd::bulk::compress(&[0; 16], 3).unwrap();
            frame.extend_from_slice(b"more");
            d.manifest["edges"][0]["qty"] = d.frame("int", &frame, 16);
        },
        E::FrameLength { .. }
    );
    check!(
        |d| {
            let mut frame = zstd::bulk::compress(&[0; 16], 3).unwrap();
            frame.pop();
            d.manifest["edges"][0]["qty"] = d.frame("int", &frame, 16);
        },
        E::Zstd { reason: "the frame goes on after its last byte", .. }
    );
}

#[test]
fn quantities_that_do_not_add_up() {
    check!(
        |d| d.manifest["edges"][0]["qty"] = d.ints(&[1, -1, 2, 0]),
        E::NegativeQuantity { seq: 1, found: -1, .. }
    );
    check!(
        |d| d.manifest["edges"][0]["qty"] = d.ints(&[1, 0, 2, 0]),
        E::TooFewValues { part: Part::Edges { role: BlobRole::Neighbors, .. }, expected: 3, found: 2 }
    );
    check!(
        |d| d.manifest["edges"][0]["qty"] = d.ints(&[i32::MAX, i32::MAX, i32::MAX, 0]),
        E::TooFewValues { expected: 0x1_7fff_fffd, .. }
    );
    check!(|d| d.manifest["edges"][0]["qty"] = d.ints(&[1, 0, 1, 1]), E::QuantityWithoutNode { seq: 3, .. });
    check!(
        |d| d.manifest["edges"][0]["qty"] = d.ints(&[1, 0, 1, 0, 0]),
        E::QuantityWithoutNode { seq: 4, .. }
    );
    check!(
        |d| d.manifest["edges"][0]["property"] = d.strings(&[0]),
        E::TooFewValues { part: Part::Edges { role: BlobRole::Values, .. }, expected: 2, found: 1 }
    );
    check!(|d| d.manifest["properties"][0]["qty"] = d.ints(&[3, 0, 0]), E::TooFewValues { expected: 3, .. });
}

#[test]
fn values_that_cannot_be() {
    check!(
        |d| d.manifest["edges"][0]["neighbors"] = d.refs(&[1 << 32, 2 << 32]),
        E::RefToUnknownKind { slot: 1, found: 2, kinds: 2, .. }
    );
    check!(
        |d| d.manifest["edges"][0]["neighbors"] = d.refs(&[1 << 32, 1 << 32 | 1]),
        E::RefToUnknownNode { slot: 1, found: 1, node_count: 1, .. }
    );
    check!(
        |d| d.manifest["edges"][0]["neighbors"] = d.refs(&[NodeRef::NULL.bits(), 0]),
        E::NullNeighbor { slot: 0, .. }
    );
    check!(|d| d.manifest["properties"][2]["property"] = d.refs(&[3]), E::RefToUnknownNode { found: 3, .. });
    check!(
        |d| d.manifest["properties"][1]["property"] = d.blob("bool", &[2]),
        E::NotBool { slot: 0, found: 2, .. }
    );
    check!(
        |d| d.manifest["properties"][0]["property"] = d.strings(&[0, 2]),
        E::StringOutOfPool { slot: 1, found: 2, strings: 2, .. }
    );
    check!(
        |d| d.manifest["properties"][0]["property"] = d.strings(&[-2, 0]),
        E::StringOutOfPool { found: -2, .. }
    );
}

#[test]
fn strings_that_cannot_be() {
    check!(
        |d| d.manifest["stringPoolLength"] = d.ints(&[2, 2]),
        E::StringPoolTooShort { index: 1, expected: 4, found: 3 }
    );
    check!(
        |d| d.manifest["stringPoolLength"] = d.ints(&[4, -1]),
        E::NegativeStringLength { index: 1, found: -1 }
    );
    check!(
        |d| d.manifest["stringPoolBytes"] = d.blob("byte", b"ab\xff"),
        E::StringNotUtf8 { index: 1, offset: 2 }
    );
    check!(|d| d.manifest["stringPoolLength"] = d.ints(&[1, 2]), E::StringNotUtf8 { index: 1, offset: 1 });
}

/// A gigabyte of zeros takes 33 KB: the file is refused before any of them is decoded.
#[test]
fn a_bomb_is_refused_unless_asked_for() {
    let mut draft = Draft::new();
    let zeros = vec![0; 80 << 20];
    draft.manifest["properties"][1]["property"] = draft.blob("bool", &zeros);
    let bytes = draft.into_bytes();
    let error = FlatgraphFile::from_bytes(bytes.clone()).unwrap_err();
    let E::Expanded(Expanded { stored_len, ratio_max, .. }) = error else { panic!("{error}") };
    assert_eq!((stored_len, ratio_max), (bytes.len() as u64, 200));
    assert!(error.to_string().ends_with("raise it with --expansion N"), "{error}");

    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("bomb.fg");
    std::fs::write(&path, bytes).unwrap();
    assert!(FlatgraphFile::open_with_limits(&path, Limits::NONE).is_ok());
    assert!(FlatgraphFile::open_expanding(&path, Expansion::new(100_000)).is_ok());
    let target = folder.path().join("g");
    assert!(matches!(
        Import::new(&path).write_to(&target),
        Err(ImportError::Source { error: E::Expanded(_), .. })
    ));
    assert_eq!(Import::new(&path).expansion(Expansion::new(100_000)).write_to(&target).unwrap().nodes, 3);
}

/// A column of equal values shrinks thousandfold, but all columns of the file together do not.
#[test]
fn a_column_may_shrink_as_much_as_it_likes_where_the_whole_file_does_not() {
    let mut draft = Draft::new();
    draft.manifest["properties"][1]["property"] = draft.blob("bool", &vec![0; 70 << 20]);
    let mut state = 1_u64;
    let mut noise = |_| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 32) as u8 & 0x7f
    };
    let text: Vec<u8> = (0..1 << 20).map(&mut noise).collect();
    draft.manifest["stringPoolBytes"] = draft.blob("byte", &text);
    assert!(draft.blobs.len() * 200 > 72 << 20, "{}", draft.blobs.len());
    assert!(FlatgraphFile::from_bytes(draft.into_bytes()).is_ok());
}

#[test]
fn a_message_names_the_part_and_the_next_step() {
    let error = decode(|d| d.manifest["edges"][0]["qty"]["decompressedLength"] = json!(12)).unwrap_err();
    assert_eq!(
        error.to_string(),
        "damaged the quantities of outgoing E edges of A at byte 16: the manifest says 12 bytes, \
         the compressed data say 16; copy or create the file again"
    );
}

#[test]
fn numbers_may_be_printed_as_fractions() {
    let text = Draft::new().manifest.to_string();
    assert!(text.contains("\"nnodes\":3"));
    let mut draft = Draft::new();
    draft.manifest_text = Some(text.replace("\"nnodes\":3", "\"nnodes\":3.0E0").into_bytes());
    assert_eq!(FlatgraphFile::from_bytes(draft.into_bytes()).unwrap().kinds()[0].node_count, 3);
}

#[test]
fn slack_is_not_looked_at() {
    let content = decode(|d| {
        d.manifest["edges"][0]["neighbors"] = d.refs(&[1 << 32, 1 << 32, u64::MAX]);
        d.manifest["edges"][0]["property"] = d.strings(&[0, -1, 99]);
        d.manifest["properties"][1]["property"] = d.blob("bool", &[1, 7]);
    });
    assert_eq!(content.unwrap(), decode(|_| ()).unwrap());
}

#[test]
fn nodes_after_the_last_quantity_have_none() {
    let content = decode(|d| d.manifest["edges"][0]["qty"] = d.ints(&[2])).unwrap();
    assert_eq!(content.edges[0].quantities, [2]);
    assert_eq!(content.edges[0].neighbors.len(), 2);
}

#[test]
fn a_column_without_quantities_is_empty() {
    let content = decode(|d| d.manifest["properties"][0]["qty"] = Value::Null).unwrap();
    assert!(content.properties[0].quantities.is_empty());
    assert_eq!(content.properties[0].values, Values::String(vec![]));
}

#[test]
fn a_graph_without_columns_is_a_graph() {
    let content = decode(|d| {
        d.manifest["nodes"][0] = json!({ "nodeLabel": "A", "nnodes": 0 });
        d.manifest["edges"] = json!([]);
        d.manifest["properties"] = json!([]);
        d.manifest["stringPoolLength"] = d.ints(&[]);
        d.manifest["stringPoolBytes"] = d.blob("byte", b"");
    });
    let content = content.unwrap();
    assert_eq!((content.kinds[0].node_count, content.strings.len()), (0, 0));
}

#[test]
fn null_is_a_value_of_properties() {
    let content =
        decode(|d| d.manifest["properties"][2]["property"] = d.refs(&[NodeRef::NULL.bits()])).unwrap();
    assert_eq!(content.properties[2].values, Values::Ref(vec![NodeRef::NULL]));
}
