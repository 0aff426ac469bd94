//! Tests the cost of reading a whole graph. Memory must stay within a limit, and time must be proportional to
//! the length of the file, whatever counts the file claims.

use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use varvite::compare::Digest;
use varvite::pipeline::{Options, eq, nodes, regex, suffix};
use varvite::{Graph, GraphError, OpenOptions, Profile, Task};
use varvite_codec::{Codec, Filter};
use varvite_cpg::Facts;
use varvite_format::{
    Directory, EncodedColumn, EncodedSegment, Encoding, ErrorCode, LabelRow, LayerRow, NamesBuilder, Owner,
    PropertyRow,
};
use varvite_model::ModelGraph;
use varvite_store::{AccountId, IfExists, MemoryState, StoreWriter, prepare};
use varvite_testing::draft::{Draft, DraftLabel, open_bytes};
use varvite_testing::vfs::MemoryVfs;

const PATH: &str = "whole.varvite";

/// A column without children and segments.
fn leaf(encoding: Encoding, count: u64, base: i64) -> EncodedColumn {
    let set = varvite_format::encode_set(&[0], 1, Profile::Direct).unwrap();
    let row = varvite_format::ColumnRow { encoding, count, base, ..set.row };
    EncodedColumn { row, children: Vec::new(), segments: Vec::new() }
}

/// A column that has the numbers 0, 1, 2 and so on.
fn sequence(count: u64) -> EncodedColumn {
    let mut column = leaf(Encoding::Sequence, count, 0);
    column.row.step = 1;
    column
}

/// The file of a graph with one node and one property, with the string table `texts`.
fn of_texts(texts: EncodedColumn) -> Vec<u8> {
    of_nodes_with_texts(1, texts)
}

/// The file of a graph whose n-th node has the n-th text of the string table `texts`.
fn of_nodes_with_texts(nodes: u32, texts: EncodedColumn) -> Vec<u8> {
    let vfs = MemoryVfs::new();
    let store: Arc<dyn varvite_store::Vfs> = Arc::new(vfs.clone());
    let mut writer =
        StoreWriter::create(store, Path::new(PATH), IfExists::Replace, [7; 16], Profile::Direct).unwrap();
    let mut add = |column| writer.add(prepare(column, Codec::None).unwrap()).unwrap();
    let count = u64::from(nodes);
    let (all, zero) = (add(leaf(Encoding::AllSet, count, 0)), add(leaf(Encoding::Constant, count, 0)));
    let (values, strings) = (add(sequence(count)), add(texts));
    let mut names = NamesBuilder::default();
    let [layer, label, name] = ["code", "METHOD", "NAME"].map(|name| names.intern(name));
    let directory = Directory {
        nodes,
        codes: Some(zero),
        names: names.build(),
        layers: vec![LayerRow {
            name: layer,
            tool: layer,
            version: layer,
            nodes: None,
            time: 0,
            source: [0; 32],
        }],
        labels: vec![LabelRow { name: label, layer: 0, nodes: all, origin_count: nodes, origin: None }],
        label_sets: vec![1],
        properties: vec![PropertyRow {
            name,
            layer: 0,
            owner: Owner::Node,
            value_type: 11,
            cardinality: 0,
            default_kind: 0,
            default: 0,
            present: all,
            offsets: None,
            values,
            strings: Some(strings),
        }],
        ..Directory::default()
    };
    writer.finish(directory).unwrap();
    vfs.contents(PATH).unwrap()
}

fn open(bytes: &[u8]) -> Graph {
    let vfs = MemoryVfs::new();
    vfs.put(PATH, bytes);
    OpenOptions::new().buffered().open_in(&vfs, PATH).unwrap()
}

/// A table of a hundred thousand texts. They overlap: each is nearly the whole pool of 64 KB, so together
/// they have six billion bytes.
fn overlapping() -> EncodedColumn {
    let mut texts = leaf(Encoding::Slices, TEXTS, 0);
    texts.children = vec![leaf(Encoding::Constant, TEXTS, 0), leaf(Encoding::Constant, TEXTS, 60_000)];
    texts.segments = vec![EncodedSegment::new(vec![b'a'; 64 << 10], Filter::NONE)];
    texts
}

const TEXTS: u64 = 100_000;

#[test]
fn a_query_does_not_read_texts_that_overlap_without_end() {
    let file = of_nodes_with_texts(TEXTS as u32, overlapping());
    let searches = [regex("a.*b"), suffix("b"), eq("b".repeat(60_000).as_str())]
        .map(|condition| nodes("METHOD").has("NAME", condition));
    for search in searches.into_iter().chain([nodes("METHOD").order_by("NAME")]) {
        let graph = open(&file);
        let mut run = search.count().compile(&graph).unwrap().run(Options::default());
        let ended = loop {
            match run.next() {
                Ok(Some(_)) => {}
                Ok(None) => break graph.check().map_err(|error| error.to_string()),
                Err(error) => break Err(error.to_string()),
            }
        };
        let error = ended.expect_err("the texts are six billion bytes");
        assert!(error.contains("bytes of texts that overlap"), "{error}");
    }
}

#[test]
fn texts_that_overlap_without_end_are_not_read_to_the_end() {
    let graph = open(&of_texts(overlapping()));
    let too_much = |error: GraphError| {
        assert_eq!(error.code(), ErrorCode::TooLarge);
        assert!(error.to_string().contains("bytes of texts that overlap"), "{error}");
    };
    too_much(Digest::of(&graph, &Task::new().threads(1)).unwrap_err());
    too_much(Facts::of(&graph, &Task::new()).unwrap_err());
    let problems = graph.verify(&Task::new().threads(1)).unwrap().problems;
    assert!(problems.iter().any(|problem| problem.contains("bytes of texts that overlap")), "{problems:?}");
}

#[test]
fn a_small_file_of_many_texts_is_stopped_by_the_memory_limit() {
    let mut texts = leaf(Encoding::Entries, 1_000_000, 0);
    texts.children = vec![leaf(Encoding::Constant, 1_000_001, 0)];
    texts.segments = vec![EncodedSegment::new(vec![0], Filter::NONE)];
    let graph = open(&of_texts(texts));
    graph.limit_memory(1 << 20);
    for error in [
        Digest::of(&graph, &Task::new().threads(1)).unwrap_err(),
        Facts::of(&graph, &Task::new()).unwrap_err(),
    ] {
        assert_eq!(error.code(), ErrorCode::OverBudget, "{error}");
    }
    let error = graph.verify(&Task::new().threads(1)).unwrap_err();
    assert_eq!(error.code(), ErrorCode::OverBudget, "{error}");
    assert_eq!(graph.ledger().total(MemoryState::Scratch), 0, "all of it went back");
    graph.limit_memory(256 << 20);
    Digest::of(&graph, &Task::new().threads(1)).unwrap();
    let error = Digest::of(&graph, &Task::new().threads(1).memory(1 << 10)).unwrap_err();
    assert_eq!(error.code(), ErrorCode::OverBudget, "{error}");
}

#[test]
fn a_column_is_not_decoded_beyond_the_memory_limit() {
    let mut texts = leaf(Encoding::Slices, 1000, 0);
    texts.children = vec![sequence(1000), leaf(Encoding::Constant, 1000, 1)];
    texts.segments = vec![EncodedSegment::new((0..=255).cycle().take(1 << 16).collect(), Filter::NONE)];
    let graph = open(&of_texts(texts));
    let tables = graph.ledger().total(MemoryState::Tables);
    assert!(tables > 0);
    assert!(graph.ledger().snapshot().iter().any(|row| row.account == AccountId::DIRECTORY));
    graph.limit_memory(tables + (1 << 16) - 1);
    assert_eq!(graph.property("NAME").unwrap_err().code(), ErrorCode::OverBudget);
    graph.limit_memory(tables + (1 << 16));
    let name = graph.property("NAME").unwrap();
    graph.release();
    assert_eq!(graph.ledger().total(MemoryState::Decoded), 1 << 16, "what is pinned stays");
    drop(name);
}

#[test]
fn a_task_has_the_memory_that_decoded_columns_and_the_process_leave() {
    let mut texts = leaf(Encoding::Slices, 1000, 0);
    texts.children = vec![sequence(1000), leaf(Encoding::Constant, 1000, 1)];
    texts.segments = vec![EncodedSegment::new((0..=255).cycle().take(1 << 16).collect(), Filter::NONE)];
    let graph = open(&of_texts(texts));
    let left = |bytes| graph.task_beside(Task::new().memory(bytes)).memory_bytes();
    assert_eq!(left(1 << 20), 1 << 20);
    let name = graph.property("NAME").unwrap();
    assert_eq!((left(1 << 20), left(1 << 15)), ((1 << 20) - (1 << 16), 0));
    // The limit is for the whole process. The program itself takes up a part of it, and the texts take up
    // another part.
    let bytes = 256 << 20;
    let most = bytes - (1 << 16) - bytes / 16;
    assert!((most / 2..=most).contains(&left(bytes)), "{} of {bytes}", left(bytes));
    drop(name);
}

/// A graph of METHODs in one long chain along CFG edges, so that each reaches all METHODs after it.
fn methods_in_a_row(count: usize) -> Graph {
    let mut graph = ModelGraph::default();
    let nodes: Vec<_> = (0..count).map(|_| graph.add_node(&["METHOD"])).collect();
    nodes.windows(2).for_each(|pair| graph.add_edge(pair[0], "CFG", pair[1], None));
    Draft::of(&graph).open(Profile::Direct)
}

#[test]
fn flows_that_all_methods_share_are_not_walked_from_each() {
    let reachable = |count| {
        Facts::of(&methods_in_a_row(count), &Task::new()).unwrap().traversals.cfg_reachable_per_method_sum
    };
    assert_eq!(reachable(1000), Some(1000 * 1001 / 2));
    assert_eq!(reachable(10_000), None);
}

#[test]
fn labels_by_the_ten_thousand_are_verified_in_no_time() {
    const LABELS: usize = 40_000;
    let mut model = ModelGraph::default();
    model.add_node(&["METHOD"]);
    let mut draft = Draft::of(&model);
    let label =
        |number| DraftLabel { name: format!("L{number}"), nodes: Vec::new(), origin_count: 0, origin: None };
    draft.labels.extend((0..LABELS).map(label));
    // The only node has the first label set; no node has the others.
    let words = draft.labels.len().div_ceil(64);
    let mask = draft.masks[0];
    draft.masks = vec![0; words * 1500];
    draft.masks[0] = mask;
    let (bytes, began) = (draft.bytes(Profile::Direct), Instant::now());
    assert_eq!(open_bytes(&bytes).unwrap().verify(&Task::new().threads(1)).unwrap().problems, [""; 0]);
    let spent = began.elapsed();
    assert!(spent < Duration::from_secs(30), "{spent:?}, as if each label copied 7.5 MB of label sets");
}
