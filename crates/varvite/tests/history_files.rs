//! Random histories as files beside what they must answer, for readers that are not written in Rust.
//!
//! `VARVITE_HISTORIES` names the folder; without it a few are written to a temporary one, and read as they lie there.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Map, Value as Json, json};
use varvite::change::Durability;
use varvite::{Graph, Profile};
use varvite_model::{AST, ModelHistory, NodeId, RandomGraph, SplitMix64};

use crate::conformance::value;
use crate::draft::{Draft, PATH};
use crate::histories::{History, check, diff_of};
use crate::log::{TASK, begin};
use crate::model::random;

/// Histories that are written unless `VARVITE_HISTORY_COUNT` says otherwise.
const SEEDS: u64 = 4;
const DIFFS: u64 = 3;
const OPERATIONS: usize = 30;
/// Small commits of a history with a log, of which some may be large.
const RECORDS: usize = 5;

/// A file, and what it must answer.
pub(crate) struct HistoryFile {
    pub(crate) name: String,
    pub(crate) bytes: Vec<u8>,
    pub(crate) facts: Json,
    model: ModelHistory,
}

/// The file of a seed. Profiles, indexes and how the forest is kept go with it.
pub(crate) fn history_file(seed: u64) -> HistoryFile {
    let (history, _) = history(seed);
    file("history", seed, history, 0)
}

/// The same with a log behind it, if one of the diffs that follow is a small commit.
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

fn history(seed: u64) -> (History, SplitMix64) {
    let graph = random(seed);
    let draft = Draft::of(&graph);
    let draft = if seed.is_multiple_of(3) { draft.indexed() } else { draft };
    let draft = Draft { is_forest_listed: seed % 4 == 1, ..draft };
    let mut history = History::of(&graph, &draft, profile(seed));
    let mut numbers = SplitMix64::new(seed);
    for _ in 0..=seed % DIFFS {
        let operations = history.model.random_diff(&mut numbers, OPERATIONS);
        history.step(&operations);
    }
    (history, numbers)
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

/// What a graph must answer: labels and lists by node, edges with their numbers, and values by owner.
fn facts(model: &ModelHistory) -> Json {
    let ids = || (0..model.slot_count()).map(NodeId);
    let labels: Vec<Vec<String>> = ids().map(|id| model.labels(id).into_iter().collect()).collect();
    let edges: Map<String, Json> =
        model.edge_labels().into_iter().map(|label| (label.clone(), edges(model, &label))).collect();
    let properties: Map<String, Json> = RandomGraph::PROPERTIES
        .iter()
        .map(|property| {
            let values = ids().map(|id| model.values(id, property.name).iter().map(value).collect());
            (property.name.to_owned(), Json::Array(values.collect()))
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
    if label == RandomGraph::EDGE_PROPERTY_LABEL {
        let of_rank = |rank| model.edge_values(label, rank, RandomGraph::EDGE_PROPERTY_NAME);
        let values: Json = (0..model.edge_numbers(label))
            .map(|rank| of_rank(rank).iter().map(value).collect::<Json>())
            .collect();
        json["property"] = json!(RandomGraph::EDGE_PROPERTY_NAME);
        json["values"] = values;
    }
    json
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
    for file in (0..count).flat_map(|seed| [history_file(seed), logged_file(seed)]) {
        write(folder, &file);
        let graph = Graph::open(folder.join(&file.name)).unwrap();
        assert_eq!(file.facts["records"], graph.store().log().records());
        check(&graph, &file.model);
    }
}
