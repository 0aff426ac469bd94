//! Tests of the golden files in `conformance`, which must give the same answers in every language.
//!
//! The files were written once and are then only read. The expected answers come from the model. `make bless`
//! rewrites files and answers; review the changes afterwards. If a file can no longer be read, the format has
//! changed.

mod case;
mod cases;
mod changed;
mod damaged;
mod every_question;
mod graphs;
mod made;
mod model_answers;
mod rows;
mod sent;

use std::collections::BTreeSet;
use std::path::PathBuf;

use serde_json::{Map, Value as Json, json};
use varvite::{Adjacency, Graph, Profile, Property, Task, Value};
use varvite::{columns::WriteOptions, write::Codec};
use varvite_format::{ColumnRow, Encoding};
use varvite_model::{ModelGraph, RandomGraph, RandomProperty, SplitMix64};
use varvite_testing::draft::Draft;

use crate::history_files::{HistoryFile, history_file, layered_file, logged_file};

pub(crate) use case::value;

/// A graph, and the golden files that are made from it.
struct Golden {
    name: &'static str,
    purpose: &'static str,
    graph: ModelGraph,
    properties: Vec<RandomProperty>,
    /// The name, profile and codec of each file.
    files: &'static [(&'static str, Profile, Codec)],
}

/// The name of the file that has an index of every property that may have one.
const INDEXED: &str = "indexed";
const EVERY_PROFILE: [(&str, Profile, Codec); 5] = [
    ("direct", Profile::Direct, Codec::None),
    ("compact", Profile::Compact, Codec::None),
    (INDEXED, Profile::Direct, Codec::None),
    ("plain-archive", Profile::Archive, Codec::None),
    ("archive", Profile::Archive, Codec::Zstd),
];

fn goldens() -> [Golden; 2] {
    let awkward = Golden {
        name: "awkward",
        purpose: "every type of value, parallel edges, self-edges, in-lists in an order of their own, several labels",
        graph: graphs::awkward(),
        properties: RandomGraph::PROPERTIES.to_vec(),
        files: &EVERY_PROFILE,
    };
    let blocks = Golden {
        name: "blocks",
        purpose: "every encoding, over several blocks",
        graph: graphs::blocks(),
        properties: graphs::BLOCKS_PROPERTIES.to_vec(),
        files: &EVERY_PROFILE[..2],
    };
    [awkward, blocks]
}

fn folder(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../conformance").join(name)
}

fn read_json(path: &str) -> Json {
    serde_json::from_slice(&std::fs::read(folder(path)).unwrap()).unwrap()
}

/// The ids in a question, which are separated by commas.
fn ids_of(words: &str) -> Vec<u32> {
    words.split(',').map(|id| id.parse().unwrap()).collect()
}

fn text<'a>(json: &'a Json, key: &str) -> &'a str {
    json[key].as_str().unwrap()
}

/// Rewrites files and cases if the environment variable `BLESS` is set.
#[test]
fn bless() {
    if std::env::var_os("BLESS").is_none() {
        return;
    }
    for name in ["files/damaged", "files/changes", "files/sent", "cases"] {
        std::fs::create_dir_all(folder(name)).unwrap();
    }
    cases::bless();
    let mut graphs = Vec::new();
    for golden in goldens() {
        let case = case::of(&golden.graph, golden.purpose, &golden.properties);
        std::fs::write(folder(&format!("cases/{}.json", golden.name)), format!("{case}\n")).unwrap();
        let draft = Draft::with_properties(&golden.graph, &golden.properties);
        for (form, profile, codec) in golden.files {
            let options = WriteOptions { profile: *profile, codec: *codec, ..WriteOptions::default() };
            let file = format!("{}.{form}.varvite", golden.name);
            let draft = if *form == INDEXED { draft.clone().indexed() } else { draft.clone() };
            let mut row = keep(&file, &draft.bytes_with(&options));
            row["case"] = json!(format!("{}.json", golden.name));
            row["profile"] = json!(profile.name());
            row["codec"] = json!(codec.name());
            row["purpose"] = json!(golden.purpose);
            graphs.push(row);
        }
    }
    let keep_damaged =
        |damaged: &damaged::Damaged| keep(&format!("damaged/{}.varvite", damaged.name), &damaged.bytes);
    let damaged: Vec<Json> = damaged::files().iter().map(keep_damaged).collect();
    let checked = damaged::checked().each_ref().map(keep_damaged);
    let recovered = keep("recovered.varvite", &damaged::recovered());
    let whole = keep("whole.varvite", &damaged::small_bytes());
    let keep_changed = |changed: &changed::Changed| {
        let mut row = keep(&format!("changes/{}.varvite", changed.name), &changed.bytes);
        row["purpose"] = json!(changed.purpose);
        row
    };
    let changes = changed::files();
    let changes: Vec<Json> = changes.iter().map(keep_changed).chain(histories().map(keep_history)).collect();
    let keep_sent = |sent: &changed::Changed| {
        let mut row = keep(&format!("sent/{}.varvite", sent.name), &sent.bytes);
        row["purpose"] = json!(sent.purpose);
        row
    };
    let mut of_diff = keep("sent/every-operation.diff", &sent::diff_bytes());
    of_diff["purpose"] = json!("the diff of sent/after.varvite as it is sent");
    let sent: Vec<Json> = sent::files().iter().map(keep_sent).chain([of_diff]).collect();
    let catalogue = json!({
        "graphs": graphs, "recovered": [recovered], "whole": [whole], "damaged": damaged, "checked": checked,
        "changes": changes, "sent": sent,
    });
    std::fs::write(folder("files/made.txt"), made::lines()).unwrap();
    std::fs::write(folder("files/catalogue.json"), format!("{catalogue:#}\n")).unwrap();
    std::fs::write(folder("cases/checksums.json"), format!("{:#}\n", checksums())).unwrap();
}

/// The random histories whose files are golden files. They cover every profile that all languages read, with
/// and without a forest, indexes, layers and a log.
fn histories() -> impl Iterator<Item = HistoryFile> {
    let logged = [7, 17, 20, 60].into_iter().map(logged_file);
    let layered = [14, 39].into_iter().map(layered_file);
    [2, 3, 5, 6].into_iter().map(history_file).chain(logged).chain(layered)
}

fn keep_history(history: HistoryFile) -> Json {
    let mut row = keep(&format!("changes/{}", history.name), &history.bytes);
    let facts = format!("changes/{}", history.name).replace(".varvite", ".json");
    std::fs::write(folder("files").join(&facts), format!("{}\n", history.facts)).unwrap();
    row["facts"] = json!(facts);
    let what = if history.name.starts_with("layers") { "layers and diffs" } else { "diffs" };
    row["purpose"] = json!(format!("random {what} on a random graph, and what it must answer"));
    row
}

fn keep(file: &str, bytes: &[u8]) -> Json {
    std::fs::write(folder("files").join(file), bytes).unwrap();
    json!({ "file": file, "bytes": bytes.len(), "xxh3": format!("{:016x}", varvite_codec::hash(bytes, 0)) })
}

/// Hashes of byte sequences, for tests of other implementations of XXH3. The sequences have such lengths that
/// every branch of the algorithm is taken.
fn checksums() -> Json {
    let lengths = (0..260).chain([511, 512, 513, 1023, 1024, 1025, 1088, 2048, 65_535, 65_536, 65_537]);
    let mut random = SplitMix64::new(1);
    let rows = lengths.map(|length: usize| {
        let seed = if length.is_multiple_of(3) { 0 } else { random.next_u64() };
        let bytes: Vec<u8> = (0..length).map(|index: usize| (index * 167 + 13 + index / 251) as u8).collect();
        json!({ "length": length, "seed": format!("{seed:016x}"), "hash": format!("{:016x}", varvite_codec::hash(&bytes, seed)) })
    });
    json!({ "byte i": "(i * 167 + 13 + i / 251) mod 256", "hashes": rows.collect::<Vec<_>>() })
}

#[test]
fn cases_are_what_the_model_answers() {
    for golden in goldens() {
        let case = case::of(&golden.graph, golden.purpose, &golden.properties);
        assert!(read_json(&format!("cases/{}.json", golden.name)) == case, "make bless: {}", golden.name);
    }
    assert_eq!(read_json("cases/checksums.json"), checksums());
    assert_eq!(
        std::fs::read_to_string(folder("files/made.txt")).unwrap(),
        made::lines(),
        "make bless: made.txt"
    );
}

#[test]
fn golden_files_are_the_bytes_of_the_catalogue() {
    let catalogue = read_json("files/catalogue.json");
    let kinds = ["graphs", "recovered", "whole", "damaged", "checked", "changes", "sent"];
    for row in kinds.iter().flat_map(|kind| catalogue[kind].as_array().unwrap()) {
        let bytes = std::fs::read(folder("files").join(text(row, "file"))).unwrap();
        let hash = format!("{:016x}", varvite_codec::hash(&bytes, 0));
        assert_eq!((bytes.len() as u64, hash.as_str()), (row["bytes"].as_u64().unwrap(), text(row, "xxh3")));
    }
}

#[test]
fn golden_files_of_several_commits_are_what_writers_write() {
    for changed in changed::files() {
        let file = format!("changes/{}.varvite", changed.name);
        assert!(std::fs::read(folder("files").join(&file)).unwrap() == changed.bytes, "make bless: {file}");
    }
    for sent in sent::files() {
        let file = format!("sent/{}.varvite", sent.name);
        assert!(std::fs::read(folder("files").join(&file)).unwrap() == sent.bytes, "make bless: {file}");
    }
    let sent = std::fs::read(folder("files/sent/every-operation.diff")).unwrap();
    assert!(sent == sent::diff_bytes(), "make bless: sent/every-operation.diff");
    for history in histories() {
        let file = format!("changes/{}", history.name);
        assert!(std::fs::read(folder("files").join(&file)).unwrap() == history.bytes, "make bless: {file}");
        let facts = file.replace(".varvite", ".json");
        assert_eq!(read_json(&format!("files/{facts}")), history.facts, "make bless: {facts}");
    }
}

#[test]
fn golden_files_answer_as_the_model_does() {
    for row in read_json("files/catalogue.json")["graphs"].as_array().unwrap() {
        let graph = Graph::open(folder("files").join(text(row, "file"))).unwrap();
        check_case(&graph, &read_json(&format!("cases/{}", text(row, "case"))), text(row, "file"));
        assert_eq!(graph.verify(&Task::new().threads(2)).unwrap().problems, [""; 0]);
    }
}

#[test]
fn every_encoding_is_in_a_golden_file() {
    let mut seen = BTreeSet::new();
    for row in read_json("files/catalogue.json")["graphs"].as_array().unwrap() {
        let graph = Graph::open(folder("files").join(text(row, "file"))).unwrap();
        seen.extend(graph.store().directory().columns.iter().map(shape));
    }
    for encoding in Encoding::ALL {
        assert!(seen.iter().any(|seen| seen.starts_with(encoding.name())), "{}", encoding.name());
    }
    let plain = ["1 unsigned", "1 signed", "2 unsigned", "2 signed", "4 unsigned", "4 signed", "8 signed"];
    let plain = plain.map(|width| format!("plain {width}"));
    let others = ["two-level 1", "two-level 2", "packed sloped", "packed relative", "local relative"];
    let others = others.into_iter().chain(["capped relative", "entries sorted", "bitmap unranked"]);
    for wanted in plain.into_iter().chain(others.map(str::to_owned)) {
        assert!(seen.iter().any(|seen| seen.starts_with(&wanted)), "{wanted} is not among {seen:?}");
    }
}

fn shape(row: &ColumnRow) -> String {
    let detail = match row.encoding {
        Encoding::Plain if row.signed => format!("{} signed", row.width),
        Encoding::Plain => format!("{} unsigned", row.width),
        Encoding::TwoLevel => row.width.to_string(),
        Encoding::Packed if row.sloped => "sloped".to_owned(),
        Encoding::BitmapSet if row.segments[1].is_none() => "unranked".to_owned(),
        _ if row.relative => "relative".to_owned(),
        _ if row.sorted => "sorted".to_owned(),
        _ => String::new(),
    };
    format!("{} {detail}", row.encoding.name())
}

#[test]
fn a_file_whose_newest_commit_is_damaged_opens_and_says_so() {
    let graph = Graph::open(folder("files/recovered.varvite")).unwrap();
    assert!(graph.store().is_recovered());
    assert_eq!(graph.nodes("METHOD").unwrap().len(), 12);
}

fn check_case(graph: &Graph, case: &Json, file: &str) {
    assert_eq!(graph.node_count(), case["nodes"].as_u64().unwrap() as u32);
    assert_eq!(labels(graph), case["labels"], "labels of {file}");
    assert_eq!(json!(graph.forest_label()), case["forest"], "forest of {file}");
    assert_eq!(json!(subtree(graph)), case["subtree"], "subtrees of {file}");
    for (label, expected) in case["edges"].as_object().unwrap() {
        check_edges(graph, label, expected, file);
    }
    for (name, expected) in case["properties"].as_object().unwrap() {
        let property = graph.property(name).unwrap();
        assert_eq!(property.value_type().name(), text(expected, "type"));
        assert!(values(&property, graph.node_count()) == expected["values"], "{name} of {file}");
    }
    graph.check().unwrap();
}

fn labels(graph: &Graph) -> Json {
    let nodes = |name: &str| graph.nodes(name).unwrap().iter().collect::<Vec<u32>>();
    let labels = graph.labels().iter().map(|label| (label.name.clone(), nodes(&label.name)));
    labels
        .filter(|(_, nodes)| !nodes.is_empty())
        .map(|(name, nodes)| (name, json!(nodes)))
        .collect::<Map<_, _>>()
        .into()
}

fn subtree(graph: &Graph) -> Option<Vec<u32>> {
    let subtree = graph.subtree().unwrap()?;
    Some((0..graph.node_count()).map(|node| subtree.size(node)).collect())
}

fn check_edges(graph: &Graph, label: &str, expected: &Json, file: &str) {
    let (out, in_) = (graph.out(label).unwrap(), graph.in_(label).unwrap());
    let lists = |adjacency: &Adjacency| -> Json {
        (0..graph.node_count()).map(|node| adjacency.neighbors(node).collect::<Vec<u32>>()).collect()
    };
    assert_eq!(out.edge_count(), expected["count"].as_u64().unwrap());
    assert!(lists(&out) == expected["out"], "{label} of {file}, out");
    assert!(lists(&in_) == expected["in"], "{label} of {file}, in");
    if let Some(places) = graph.places(graph.edge_label(label).unwrap()).unwrap() {
        let found: Vec<_> = (0..out.edge_count() as usize).map(|position| places.place(position)).collect();
        assert_eq!(json!(found), expected["places"]);
        let property = graph.edge_property(label, expected["property"].as_str()).unwrap();
        assert!(
            values(&property, out.edge_count() as u32) == expected["values"],
            "{label} of {file}, values"
        );
    }
}

fn values(property: &Property, owners: u32) -> Json {
    (0..owners).map(|owner| property.all(owner).map(|value| json_of(&value)).collect::<Json>()).collect()
}

/// A value as JSON, in the same form as [`case::value`] writes it.
fn json_of(value: &Value<'_>) -> Json {
    match value {
        Value::Bool(value) => json!(value),
        Value::Int(value) => json!(value),
        Value::Uint(value) => json!(value),
        Value::F32(value) => json!(format!("{:08x}", value.to_bits())),
        Value::F64(value) => json!(format!("{:016x}", value.to_bits())),
        Value::Str(value) => json!(value.to_string()),
        Value::Bytes(value) => json!(value.iter().map(|byte| format!("{byte:02x}")).collect::<String>()),
        Value::Ref(node) => json!(node),
        Value::Null => Json::Null,
    }
}
