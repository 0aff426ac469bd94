//! Tests operations that write whole columns into a new file, or read whole columns for other programs. If an
//! id, code or rank refers to an element that does not exist, these operations must end with an error and
//! leave no file. The damaged data has correct checksums, as if it had been damaged before the file was
//! written.

use std::path::Path;
use std::sync::Arc;

use varvite::change::{ChangeError, CompactOptions, Diff, compact_online};
use varvite::columns::GraphScan;
use varvite::compare::{Difference, Digest};
use varvite::write::{GraphChange, IndexChange, change_indexes, compact, compact_to};
use varvite::{ErrorCode, IfExists, OpenOptions, Profile, Task};
use varvite_import::graphml::GraphmlExport;
use varvite_import::{Export, ExportError, ExportSettings};
use varvite_model::RandomGraph;
use varvite_testing::draft::{Draft, PATH};
use varvite_testing::vfs::MemoryVfs;

use crate::contradiction::Unchecked as _;
use crate::verify::sample;

const NEW: &str = "new";

/// The result of one operation. An error is given by its code and its text.
type Said = Result<(), (ErrorCode, String)>;

fn said<T>(result: varvite::Result<T, impl Into<ChangeError>>) -> Said {
    result.map(drop).map_err(Into::into).map_err(|error| (error.code(), error.to_string()))
}

fn task() -> Task<'static> {
    Task::new().threads(1)
}

fn shared(disk: &MemoryVfs) -> Arc<MemoryVfs> {
    Arc::new(disk.clone())
}

/// Commits a change of a value that has nothing to do with the damage.
fn change(disk: &MemoryVfs) {
    let mut diff = Diff::new();
    diff.set(0, "NOWHERE_ELSE", [1i64]);
    diff.declare_property(
        "NOWHERE_ELSE",
        varvite::change::PropertyOwner::Nodes,
        varvite::ValueType::I64,
        varvite::Cardinality::Optional,
    );
    GraphChange::begin(shared(disk), Path::new(PATH)).unwrap().apply_with(&diff, &task()).unwrap();
}

fn open(disk: &MemoryVfs) -> varvite::Result<varvite::Graph> {
    OpenOptions::new().checked().open_in(disk, PATH)
}

/// An operation on a whole graph, with its name.
type Way = (&'static str, fn(&MemoryVfs) -> Said);

const COMPACT: Way = ("compact", |disk| said(compact(shared(disk), Path::new(PATH), &task())));
const COMPACT_TO: Way = ("compact to", |disk| {
    said(compact_to(shared(disk), Path::new(PATH), Path::new(NEW), IfExists::Refuse, &task()))
});
const FOLD: Way = ("compact with changes", |disk| {
    change(disk);
    said(compact(shared(disk), Path::new(PATH), &task()))
});
const ONLINE: Way = ("compact online", |disk| {
    change(disk);
    said(compact_online(shared(disk), Path::new(PATH), &CompactOptions::default(), &task()))
});
const INDEX: Way = ("index", |disk| {
    let add = ["NAME".to_owned()];
    said(change_indexes(shared(disk), Path::new(PATH), IndexChange { add: &add, drop: &[] }, &task()))
});
const DIGEST: Way = ("digest", |disk| said(open(disk).and_then(|graph| Digest::of(&graph, &task()))));
const DIFF: Way = ("diff", |disk| {
    let sound = exportable().open(Profile::Compact);
    said(open(disk).and_then(|graph| {
        let task = task();
        let passes = [GraphScan::of(&sound, &task), GraphScan::of(&graph, &task)];
        Difference::of([&passes[0], &passes[1]], &task)?.to_diff(&task)
    }))
});
const FLATGRAPH: Way = ("flatgraph", |disk| {
    let graph = open(disk).unwrap();
    let settings = ExportSettings::new().vfs(shared(disk)).task(Task::new().threads(1));
    let exported = Export::new(&graph).settings(settings).write_to(NEW);
    exported.map(drop).map_err(|error| match &error {
        ExportError::Graph(inner) => (inner.code(), error.to_string()),
        _ => (ErrorCode::Foreign, error.to_string()),
    })
});
const GRAPHML: Way = ("GraphML", |disk| {
    let graph = open(disk).unwrap();
    let settings = ExportSettings::new().vfs(shared(disk));
    let exported = GraphmlExport::new(&graph).settings(settings).write_to(NEW);
    exported.map(drop).map_err(|error| (error.code(), error.to_string()))
});

/// A small graph that every export format can represent.
fn exportable() -> Draft {
    const KEPT: [&str; 5] = ["NAME", "ORDER", "EVIDENCE", "STRING_LIST", RandomGraph::EDGE_PROPERTY_NAME];
    let mut draft = Draft::of(&sample());
    draft.properties.retain(|property| KEPT.contains(&property.spec.name.as_str()));
    draft
}

/// Checks that each operation reports that the graph is damaged, and writes nothing.
#[track_caller]
fn check(contradict: impl Fn(&mut Draft), ways: &[Way]) {
    for profile in Profile::ALL {
        let mut draft = exportable();
        contradict(&mut draft);
        let bytes = draft.bytes_unchecked(profile);
        let mut wrong = Vec::new();
        for (name, way) in ways {
            let disk = MemoryVfs::new();
            disk.put(PATH, &bytes);
            let said = way(&disk);
            let is_damaged = matches!(&said, Err((ErrorCode::Damaged, _)));
            // Before it commits, a change only appends bytes, so the old bytes must be unchanged.
            let still = disk.contents(PATH).unwrap();
            let is_untouched = still.get(3 * PAGE..bytes.len()) == bytes.get(3 * PAGE..);
            let is_left = disk.paths().iter().any(|path| path.to_string_lossy().contains("partial"));
            if !is_damaged || !is_untouched || is_left || disk.contents(NEW).is_some() {
                wrong.push(format!("{name}, {}: {said:?}", profile.name()));
            }
        }
        assert!(wrong.is_empty(), "{wrong:#?}");
    }
}

/// The size of a page in bytes. The header and the superblocks take up three pages.
const PAGE: usize = 4096;

const NEW_FILES: [Way; 4] = [COMPACT, COMPACT_TO, FOLD, ONLINE];

fn edges<'d>(draft: &'d mut Draft, name: &str) -> &'d mut varvite_testing::draft::DraftEdges {
    draft.edges.iter_mut().find(|edges| edges.name == name).unwrap()
}

fn numbers<'d>(draft: &'d mut Draft, name: &str) -> &'d mut Vec<i64> {
    let property = draft.properties.iter_mut().find(|property| property.spec.name == name).unwrap();
    match &mut property.values {
        varvite_testing::draft::DraftValues::Numbers(numbers) => numbers,
        varvite_testing::draft::DraftValues::Texts { .. } => panic!("{name} holds texts"),
    }
}

#[test]
fn a_sound_graph_is_refused_by_none() {
    let bytes = exportable().bytes_unchecked(Profile::Compact);
    for (name, way) in NEW_FILES.into_iter().chain([INDEX, DIGEST, DIFF, FLATGRAPH, GRAPHML]) {
        let disk = MemoryVfs::new();
        disk.put(PATH, &bytes);
        way(&disk).map_err(|(_, error)| error).expect(name);
    }
}

#[test]
fn neighbours_that_do_not_exist_are_copied_by_nothing() {
    let beyond = |draft: &mut Draft| edges(draft, "CALL").out.neighbors[0] = 99;
    check(beyond, &NEW_FILES);
    check(beyond, &[DIGEST, DIFF, FLATGRAPH, GRAPHML]);
    let beyond = |draft: &mut Draft| edges(draft, "CALL").in_.neighbors[7] = 12;
    check(beyond, &NEW_FILES);
    check(beyond, &[DIFF, FLATGRAPH]);
}

#[test]
fn directions_of_other_edges_are_copied_by_nothing() {
    check(|draft| edges(draft, "CALL").in_.neighbors[0] = 5, &[COMPACT, COMPACT_TO]);
    check(|draft| edges(draft, "REACHING_DEF").in_.neighbors[0] = 5, &NEW_FILES);
}

#[test]
fn references_to_nodes_that_do_not_exist_are_copied_by_nothing() {
    let beyond = |draft: &mut Draft| numbers(draft, "EVIDENCE")[2] = 12;
    check(beyond, &NEW_FILES);
    check(beyond, &[DIGEST, DIFF, FLATGRAPH, GRAPHML]);
}

#[test]
fn label_codes_of_no_label_set_are_copied_by_nothing() {
    let beyond = |draft: &mut Draft| draft.codes[3] = 3;
    check(beyond, &NEW_FILES);
    check(beyond, &[INDEX, DIGEST, DIFF, FLATGRAPH, GRAPHML]);
}

#[test]
fn label_sets_that_labels_contradict_are_copied_by_nothing() {
    check(|draft| draft.codes.swap(3, 4), &NEW_FILES);
}

#[test]
fn codes_of_no_text_are_copied_by_nothing() {
    let beyond = |draft: &mut Draft| {
        let property = draft.properties.iter_mut().find(|property| property.spec.name == "NAME").unwrap();
        if let varvite_testing::draft::DraftValues::Texts { codes, .. } = &mut property.values {
            codes[3] = 99;
        }
    };
    check(beyond, &NEW_FILES);
    check(beyond, &[INDEX, DIGEST, DIFF, FLATGRAPH, GRAPHML]);
}

#[test]
fn numbers_of_another_file_that_it_does_not_have_are_copied_by_nothing() {
    let beyond = |draft: &mut Draft| {
        let label = draft.labels.iter_mut().find(|label| label.name == "CALL").unwrap();
        label.origin = Some(vec![5, 4, 3, 6]);
    };
    check(beyond, &NEW_FILES);
    check(beyond, &[FLATGRAPH]);
}

#[test]
fn places_of_no_edge_are_copied_by_nothing() {
    const LABEL: &str = RandomGraph::EDGE_PROPERTY_LABEL;
    check(|draft| edges(draft, LABEL).places.as_mut().unwrap()[0] = 77, &[COMPACT, COMPACT_TO]);
}

#[test]
fn subtrees_that_overlap_are_copied_by_nothing() {
    let overlap = |draft: &mut Draft| draft.subtree.as_mut().unwrap()[2] = 3;
    check(overlap, &NEW_FILES);
}
