//! Writes random histories as files, each with its expected answers, for readers that are not written in
//! Rust.
//!
//! The environment variable `VARVITE_HISTORIES` sets the folder. Without it, the test writes a few histories
//! to a temporary folder and reads their files there.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde_json::{Map, Value as Json, json};
use varvite::change::Durability;
use varvite::write::{IndexChange, change_indexes};
use varvite::{Graph, Profile};
use varvite_model::{AST, ModelHistory, NodeId, RandomGraph, RandomLayer, SplitMix64};
use varvite_testing::draft::{Draft, PATH};

use crate::conformance::value;
use crate::histories::{History, check, diff_of};
use crate::layer_histories::{LAYERS, add, change, compact, drop_layer, has};
use crate::log::{TASK, begin};
use crate::model::random;

/// The number of histories, unless `VARVITE_HISTORY_COUNT` sets another number.
const SEEDS: u64 = 4;
const DIFFS: u64 = 3;
const OPERATIONS: usize = 30;
/// The number of commits in a history with a log. Some of them may be large commits, which are not in the
/// log.
const RECORDS: usize = 5;
/// The maximum number of steps of a history with layers. A step adds, replaces, changes or drops a layer,
/// changes the graph, or compacts it.
const LAYER_STEPS: u64 = 6;
/// The number of operations in each diff between steps that change layers. It is low: a layer can be dropped
/// only if nothing outside it refers to its nodes.
const FEW: usize = 2;

/// A file, and its expected answers.
pub(crate) struct HistoryFile {
    pub(crate) name: String,
    pub(crate) bytes: Vec<u8>,
    pub(crate) facts: Json,
    model: ModelHistory,
}

/// The file of a seed. The seed determines the profile, the indexes and the form of the forest.
pub(crate) fn history_file(seed: u64) -> HistoryFile {
    let (history, _) = history(seed);
    file("history", seed, history, 0)
}

/// The file of [`history_file`] after further commits. It has a log if at least one of these is a small
/// commit.
pub(crate) fn logged_file(seed: u64) -> HistoryFile {
    let (mut history, mut numbers) = history(seed);
    let log = begin(&history.disk, PATH);
    for _ in 0..RECORDS {
        let operations = history.model.random_diff(&mut numbers, OPERATIONS / 2);
        let (diff, _) = diff_of(&operations, history.model.slot_count() as u32);
        log.commit(&diff, Durability::Buffered, &TASK()).unwrap();
        history.model.apply(&operations);
    }
    file("logged", seed, history, log.records())
}

/// The file of a history with layers. For some seeds, it has a log that changes the layers too.
pub(crate) fn layered_file(seed: u64) -> HistoryFile {
    let mut random = SplitMix64::new(seed);
    let mut history = start(seed);
    LAYERS.iter().for_each(|layer| add(&mut history, layer, &mut random));
    if seed.is_multiple_of(2) {
        let texts = [RandomLayer::named(LAYERS[0]).texts];
        let change = IndexChange { add: &texts, drop: &[] };
        change_indexes(Arc::new(history.disk.clone()), Path::new(PATH), change, &TASK()).unwrap();
    }
    for _ in 0..seed % (LAYER_STEPS + 1) {
        let layer = random.pick(&LAYERS);
        match random.below(6) {
            0 => add(&mut history, layer, &mut random),
            1 | 2 => change(&mut history, layer, &mut random),
            3 => drop_layer(&mut history, layer),
            4 => {
                let operations = history.model.random_diff(&mut random, FEW);
                history.step(&operations);
            }
            _ => compact(&mut history),
        }
    }
    if seed % 5 < 2 {
        let operations = history.model.random_diff(&mut random, OPERATIONS);
        history.step(&operations);
    }
    let records = if seed.is_multiple_of(3) { log_of_layers(&mut history, &mut random) } else { 0 };
    file("layers", seed, history, records)
}

/// Makes small commits, which change the graph and its layers by turns. Returns the number of records that
/// are then in the log.
fn log_of_layers(history: &mut History, random: &mut SplitMix64) -> u64 {
    let log = begin(&history.disk, PATH);
    for number in 0..RECORDS {
        let layer = LAYERS[number / 2 % LAYERS.len()];
        let operations = if number % 2 == 0 && has(&history.model, layer) {
            RandomLayer::named(layer).operations(&history.model, random, OPERATIONS / 2, true)
        } else {
            history.model.random_diff(random, OPERATIONS / 2)
        };
        let (diff, _) = diff_of(&operations, history.model.slot_count() as u32);
        log.commit(&diff, Durability::Buffered, &TASK()).unwrap();
        history.model.apply(&operations);
    }
    log.records()
}

fn history(seed: u64) -> (History, SplitMix64) {
    let mut history = start(seed);
    let mut numbers = SplitMix64::new(seed);
    for _ in 0..=seed % DIFFS {
        let operations = history.model.random_diff(&mut numbers, OPERATIONS);
        history.step(&operations);
    }
    (history, numbers)
}

/// The graph with which a history begins.
fn start(seed: u64) -> History {
    let graph = random(seed);
    let draft = Draft::of(&graph);
    let draft = if seed.is_multiple_of(3) { draft.indexed() } else { draft };
    let draft = Draft { is_forest_listed: seed % 4 == 1, ..draft };
    History::of(&graph, &draft, profile(seed))
}

fn profile(seed: u64) -> Profile {
    if seed.is_multiple_of(2) { Profile::Compact } else { Profile::Direct }
}

fn file(kind: &str, seed: u64, history: History, records: u64) -> HistoryFile {
    let bytes = history.disk.contents(PATH).unwrap();
    let name = format!("{kind}-{seed}.{}.varvite", profile(seed).name());
    let mut facts = facts(&history.model);
    facts["records"] = json!(records);
    HistoryFile { name, bytes, facts, model: history.model }
}

/// The expected answers of a graph: the labels and the lists of each node, the edges with their numbers, and
/// the values of each owner.
fn facts(model: &ModelHistory) -> Json {
    let ids = || (0..model.slot_count()).map(NodeId);
    let labels: Vec<Vec<String>> = ids().map(|id| model.labels(id).into_iter().collect()).collect();
    let edges: Map<String, Json> =
        model.edge_labels().into_iter().map(|label| (label.clone(), edges(model, &label))).collect();
    let of_graph = RandomGraph::PROPERTIES.iter().map(|property| property.name);
    let of_layers = model.layers().flat_map(|(_, names)| names.properties.iter().map(String::as_str));
    let properties: Map<String, Json> = of_graph
        .chain(of_layers)
        .map(|name| {
            let values = ids().map(|id| model.values(id, name).iter().map(value).collect());
            (name.to_owned(), Json::Array(values.collect()))
        })
        .collect();
    let removed: Vec<usize> = ids().filter(|id| !model.contains(*id)).map(|id| id.0).collect();
    json!({
        "nodes": model.slot_count(), "removed": removed, "labels": labels, "edges": edges,
        "properties": properties, "tree": AST,
    })
}

fn edges(model: &ModelHistory, label: &str) -> Json {
    let ids = || (0..model.slot_count()).map(NodeId);
    let pairs = |edges: Vec<(NodeId, usize)>| -> Json {
        edges.iter().map(|(node, number)| json!([node.0, number])).collect()
    };
    let out: Json = ids().map(|id| pairs(model.out(id, label))).collect();
    let in_: Json = ids().map(|id| pairs(model.in_(id, label))).collect();
    let mut json = json!({ "count": model.edge_count(label), "out": out, "in": in_ });
    if let Some(name) = property_of(label) {
        let of_rank = |rank| model.edge_values(label, rank, &name);
        let values: Json = (0..model.edge_numbers(label))
            .map(|rank| of_rank(rank).iter().map(value).collect::<Json>())
            .collect();
        json["property"] = json!(name);
        json["values"] = values;
    }
    json
}

/// The property of the edges of a label.
fn property_of(label: &str) -> Option<String> {
    let names = || LAYERS.iter().map(|layer| RandomLayer::named(layer));
    let of_layer = names().find(|names| names.edge_labels[0] == label).map(|names| names.weight);
    let is_of_graph = label == RandomGraph::EDGE_PROPERTY_LABEL;
    of_layer.or_else(|| is_of_graph.then(|| RandomGraph::EDGE_PROPERTY_NAME.to_owned()))
}

fn write(folder: &Path, file: &HistoryFile) {
    fs::write(folder.join(&file.name), &file.bytes).unwrap();
    let facts = folder.join(&file.name).with_extension("json");
    fs::write(facts, format!("{}\n", file.facts)).unwrap();
}

#[test]
fn histories_are_written_for_readers_in_other_languages() {
    let asked = std::env::var_os("VARVITE_HISTORIES").map(PathBuf::from);
    let count = std::env::var("VARVITE_HISTORY_COUNT").map_or(SEEDS, |count| count.parse().unwrap());
    let temporary = tempfile::tempdir().unwrap();
    let folder = asked.as_deref().unwrap_or(temporary.path());
    fs::create_dir_all(folder).unwrap();
    for file in (0..count).flat_map(|seed| [history_file(seed), logged_file(seed), layered_file(seed)]) {
        write(folder, &file);
        let graph = Graph::open(folder.join(&file.name)).unwrap();
        assert_eq!(file.facts["records"], graph.store().log().records());
        check(&graph, &file.model);
    }
}
