//! Compares text indexes with plain scans of the model. Also tests that adding and dropping an index leaves
//! the file as it was, and that `verify` finds an index that contradicts the graph.

use std::path::Path;
use std::sync::Arc;

use varvite::change::ChangeError;
use varvite::compare::Digest;
use varvite::inspect::Info;
use varvite::write::{IndexChange, change_indexes, compact};
use varvite::{Graph, GraphError, IfExists, OpenMode, OpenOptions, Profile, Task, TextIndex};
use varvite_cpg::Facts;
use varvite_format::Directory;
use varvite_model::{ModelGraph, RandomGraph, Value};
use varvite_store::vfs::RealVfs;
use varvite_store::{StoreWriter, Vfs};
use varvite_testing::draft::{Draft, PATH, open_bytes};
use varvite_testing::iterators::{check_exact, check_forward};
use varvite_testing::vfs::MemoryVfs;

use crate::model::{for_each_graph, random};

/// The string properties that random graphs have.
pub(crate) const STRINGS: [&str; 5] = ["NAME", "FULL_NAME", "CODE", "NOWHERE", "STRING_LIST"];

fn index(graph: &Graph, property: &str) -> TextIndex {
    graph.text_index(property).unwrap().unwrap()
}

/// The nodes of the model that have a text as a value of a property.
fn scan(model: &ModelGraph, property: &str, text: &str) -> Vec<u32> {
    let wanted = Value::string(text);
    let nodes = model.nodes().into_iter().filter(|node| model.values(*node, property).contains(&wanted));
    nodes.map(|node| node.0 as u32).collect()
}

fn texts(model: &ModelGraph, property: &str) -> Vec<String> {
    let values = model.nodes().into_iter().flat_map(|node| model.values(node, property).iter());
    let texts = values.filter_map(|value| match value {
        Value::String(text) => Some(text.clone()),
        _ => None,
    });
    let mut texts: Vec<String> = texts.collect();
    texts.sort();
    texts.dedup();
    texts
}

/// Checks that every search in an index gives what a scan of the model gives.
pub(crate) fn check(graph: &Graph, model: &ModelGraph) {
    for property in STRINGS {
        let index = index(graph, property);
        let known = texts(model, property);
        for text in &known {
            let expected = scan(model, property, text);
            let code = index.find(text).unwrap();
            assert_eq!(index.strings().reader().str(code), Some(text.as_str()));
            assert_eq!((index.nodes(text), index.count(code)), (expected.clone(), expected.len()));
            for (label_id, label) in graph.label_ids().zip(graph.labels()) {
                let has_it = |node: &u32| model.has_label(varvite_model::NodeId(*node as usize), &label.name);
                let with: Vec<u32> = expected.iter().copied().filter(has_it).collect();
                assert_eq!(index.count_with(code, label_id), with.len());
                assert_eq!(index.nodes_with(text, label_id), with);
            }
            let groups: Vec<varvite::cursor::TextGroup> = index.groups(code).collect();
            assert_eq!(groups.iter().map(|group| group.len as usize).sum::<usize>(), expected.len());
            check_forward(index.groups(code), &groups);
            assert_eq!(index.count_with(code, varvite::LabelId(u32::MAX)), 0);
        }
        for absent in ["nobody", "main\0", "\u{10ffff}"] {
            assert_eq!(index.nodes(absent), scan(model, property, absent));
        }
        for no_code in [index.strings().len(), index.strings().len() + 1, u32::MAX] {
            assert_eq!((index.count(no_code), index.groups(no_code).next()), (0, None));
        }
    }
    let indexed: Vec<&varvite::PropertyInfo> =
        graph.properties().iter().filter(|property| STRINGS.contains(&&*property.name)).collect();
    let names: Vec<&String> = indexed.iter().map(|property| &property.name).collect();
    check_exact(graph.indexed_properties().map(|property| &property.name), &names);
    graph.check().unwrap();
}

#[test]
fn every_text_leads_to_the_nodes_that_a_scan_finds() {
    for_each_graph(0..50, |model, profile| {
        let draft = Draft::of(model).indexed();
        check(&draft.open(profile), model);
        check(&draft.clone().turned().open(profile), model);
        check(&draft.with_shared_texts().open(profile), model);
    });
}

#[test]
fn indexes_of_many_blocks_are_read_alike() {
    let options = RandomGraph { nodes: 6000, edges: 100, several_labels: true, ..RandomGraph::new(3) };
    let mut model = options.build().in_canonical_order();
    for node in model.nodes() {
        model.set_property(node, "CODE", vec![Value::String(format!("text {}", node.0 % 5000))]);
        model.set_property(node, "NAME", vec![Value::string(if node.0 % 7 == 0 { "seventh" } else { "i" })]);
    }
    for profile in Profile::ALL {
        let graph = Draft::of(&model).indexed().open(profile);
        let names = index(&graph, "NAME");
        assert_eq!(names.nodes("i"), scan(&model, "NAME", "i"));
        let codes = index(&graph, "CODE");
        for text in texts(&model, "CODE").iter().step_by(97) {
            assert_eq!(codes.nodes(text), scan(&model, "CODE", text));
        }
        assert_eq!(graph.verify(&Task::new().threads(2)).unwrap().problems, [""; 0]);
    }
}

#[test]
fn a_property_without_an_index_has_none() {
    let graph = Draft::of(&random(1)).open(Profile::Compact);
    assert!(graph.text_index("NAME").unwrap().is_none());
    let error = graph.text_index("NAMES").unwrap_err();
    assert!(matches!(error, GraphError::Unknown { nearest: Some(name), .. } if name == "NAME"));
}

/// A file in memory whose indexes a test changes.
struct File(MemoryVfs);

impl File {
    fn of(draft: &Draft, profile: Profile) -> Self {
        let vfs = MemoryVfs::new();
        vfs.put(PATH, &draft.bytes(profile));
        Self(vfs)
    }

    fn change(&self, add: &[&str], drop: &[&str]) -> varvite::Result<u64, ChangeError> {
        let owned = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>();
        let (add, drop) = (owned(add), owned(drop));
        let change = IndexChange { add: &add, drop: &drop };
        Ok(change_indexes(Arc::new(self.0.clone()), Path::new(PATH), change, &Task::new().threads(2))?
            .file_len)
    }

    fn bytes(&self) -> Vec<u8> {
        self.0.contents(PATH).unwrap()
    }

    fn compacted(&self) -> Vec<u8> {
        compacted(&self.bytes())
    }
}

/// The bytes of the file after a compaction, which removes garbage.
fn compacted(bytes: &[u8]) -> Vec<u8> {
    let vfs = MemoryVfs::new();
    vfs.put(PATH, bytes);
    compact(Arc::new(vfs.clone()), Path::new(PATH), &Task::new()).unwrap();
    vfs.contents(PATH).unwrap()
}

#[test]
fn whenever_indexes_come_and_go_the_compacted_file_is_the_same() {
    for_each_graph(0..12, |model, profile| {
        for draft in [Draft::of(model), Draft::of(model).with_shared_texts()] {
            let bare = compacted(&draft.bytes(profile));
            assert_eq!(compacted(&bare), bare);
            let file = File::of(&draft, profile);
            let length = file.change(&STRINGS, &[]).unwrap();
            assert_eq!(length, file.bytes().len() as u64);
            let made_with = draft.clone().indexed().bytes(profile);
            assert_eq!(file.compacted(), compacted(&made_with), "made with the graph, or added");
            file.change(&[], &["CODE", "NAME"]).unwrap();
            let (some, one_by_one) = (file.compacted(), File::of(&draft, profile));
            for name in ["STRING_LIST", "FULL_NAME", "NOWHERE"] {
                one_by_one.change(&[name], &[]).unwrap();
            }
            assert_eq!(one_by_one.compacted(), some, "in another order");
            file.change(&[], &["STRING_LIST", "FULL_NAME", "NOWHERE"]).unwrap();
            assert_eq!(file.compacted(), bare, "and nothing stays behind");
        }
    });
}

#[test]
fn files_that_differ_in_their_indexes_have_different_identities() {
    let draft = Draft::of(&random(2));
    let id = |graph: &Graph| graph.identity();
    let with = |names: &[&str]| {
        let indexed = names.iter().map(|name| (*name).to_owned()).collect();
        id(&Draft { indexed, ..draft.clone() }.open(Profile::Direct))
    };
    let ids = [with(&[]), with(&["NAME"]), with(&["CODE"]), with(&["NAME", "CODE"])];
    assert!(ids.iter().enumerate().all(|(number, id)| !ids[..number].contains(id)));
}

#[test]
fn answers_to_other_questions_know_nothing_of_indexes() {
    for_each_graph(0..20, |model, profile| {
        let (bare, indexed) = (Draft::of(model).open(profile), Draft::of(model).indexed().open(profile));
        assert_eq!(
            Digest::of(&bare, &Task::new().threads(2)).unwrap(),
            Digest::of(&indexed, &Task::new().threads(2)).unwrap()
        );
        assert_eq!(Facts::of(&bare, &Task::new()).unwrap(), Facts::of(&indexed, &Task::new()).unwrap());
        assert_eq!(bare.properties(), indexed.properties());
        assert_eq!(indexed.verify(&Task::new().threads(2)).unwrap().problems, [""; 0]);
    });
}

#[test]
fn info_lists_the_columns_of_an_index() {
    let graph = Draft::of(&random(4)).indexed().open(Profile::Compact);
    let info = Info::of(&graph);
    let columns = info.columns.iter().filter(|column| column.name.starts_with("index NAME "));
    assert_eq!(columns.count(), 6);
}

#[test]
fn whoever_has_the_file_open_keeps_the_old_one() {
    let (folder, model) = (tempfile::tempdir().unwrap(), random(5));
    let path = folder.path().join(PATH);
    Draft::of(&model).write(Arc::new(RealVfs), &path, Profile::Compact).unwrap();
    let old = Graph::open(&path).unwrap();
    let names = ["NAME".to_owned()];
    let change = IndexChange { add: &names, drop: &[] };
    change_indexes(Arc::new(RealVfs), &path, change, &Task::new()).unwrap();
    assert!(old.text_index("NAME").unwrap().is_none());
    Digest::of(&old, &Task::new().threads(1)).unwrap();
    for mode in [OpenMode::Mapped, OpenMode::Buffered] {
        let new = OpenOptions::new().mode(mode).open(&path).unwrap();
        for text in texts(&model, "NAME") {
            assert_eq!(index(&new, "NAME").nodes(&text), scan(&model, "NAME", &text));
        }
    }
    let names = std::fs::read_dir(folder.path()).unwrap().count();
    assert_eq!(names, 1, "nothing else is left in the folder");
}

#[test]
fn names_that_make_no_sense_change_nothing() {
    let file = File::of(&Draft::of(&random(6)), Profile::Compact);
    file.change(&["NAME"], &[]).unwrap();
    let before = file.bytes();
    let refused = |add: &[&str], drop: &[&str], expected: &str| {
        let error = file.change(add, drop).unwrap_err().to_string();
        assert_eq!(error, expected);
        assert_eq!(file.bytes(), before);
        assert_eq!(file.0.paths(), [Path::new(PATH)]);
    };
    let unknown = "there is no property \"CODES\" in this graph; the nearest is \"CODE\"";
    refused(&["CODES"], &[], unknown);
    refused(&[], &["CODES"], unknown);
    refused(&["ORDER"], &[], "property ORDER holds i32, not string");
    refused(&["BYTES"], &[], "property BYTES holds bytes, not string");
    refused(&["NAME"], &[], "property NAME has an index already");
    refused(&["CODE", "CODE"], &[], "property CODE has an index already");
    refused(&[], &["CODE"], "property CODE has no index; only NAME has one");
    refused(&[], &["NAME", "NAME"], "property NAME has no index; only NAME has one");
    file.change(&[], &["NAME"]).unwrap();
    let error = file.change(&[], &["NAME"]).unwrap_err().to_string();
    assert_eq!(error, "property NAME has no index; no property of this graph has one");
}

/// The file of an indexed graph, whose directory `change` changed after the file was written.
fn changed(draft: &Draft, profile: Profile, change: impl FnOnce(&mut Directory)) -> MemoryVfs {
    let source = draft.open(profile);
    let vfs = MemoryVfs::new();
    let target: Arc<dyn Vfs> = Arc::new(vfs.clone());
    let id = source.store().header().file_id;
    let mut writer = StoreWriter::create(target, Path::new(PATH), IfExists::Refuse, id, profile).unwrap();
    let mut directory = source.store().directory().clone();
    let copied = writer.copy(source.store(), directory.roots(), &Task::new()).unwrap();
    directory.renumber(|column| copied.number(column).unwrap());
    change(&mut directory);
    writer.finish(directory).unwrap();
    vfs
}

fn problems_with(draft: &Draft, profile: Profile, change: impl FnOnce(&mut Directory)) -> Vec<String> {
    problems(&changed(draft, profile, change))
}

fn problems(vfs: &MemoryVfs) -> Vec<String> {
    open_bytes(&vfs.contents(PATH).unwrap()).unwrap().verify(&Task::new().threads(2)).unwrap().problems
}

/// The number of the index of a property in a file.
fn index_of(directory: &Directory, name: &str) -> usize {
    let is_it = |index: &varvite_format::TextIndexRow| {
        let property = directory.properties[index.property.index()];
        directory.names.get(property.name) == name
    };
    directory.text_indexes.iter().position(is_it).unwrap()
}

#[test]
fn an_index_that_goes_and_comes_in_one_change_is_built_anew() {
    let draft = contradictable();
    for profile in Profile::ALL {
        let stale = changed(&draft, profile, |directory| {
            let from = directory.text_indexes[index_of(directory, "FULL_NAME")];
            let place = index_of(directory, "NAME");
            let to = &mut directory.text_indexes[place];
            (to.groups, to.sets, to.starts, to.nodes) = (from.groups, from.sets, from.starts, from.nodes);
        });
        let file = File(stale);
        assert!(!problems(&file.0).is_empty());
        file.change(&["NAME"], &["NAME", "CODE"]).unwrap();
        assert_eq!(problems(&file.0), [""; 0]);
        file.change(&["CODE"], &[]).unwrap();
        assert_eq!(file.compacted(), compacted(&draft.bytes(profile)));
    }
}

/// A graph of eight nodes. Those with even ids are CALLs. NAME and FULL_NAME have the same texts, but on
/// different nodes. There are as many texts as nodes.
fn contradictable() -> Draft {
    let mut model = ModelGraph::default();
    for number in 0..8 {
        let node = model.add_node(&[["CALL", "METHOD"][number % 2]]);
        let text = |number: usize| vec![Value::string(["a", "b", "c"][number % 3])];
        model.set_property(node, "NAME", text(number));
        model.set_property(node, "FULL_NAME", text(number / 2));
        if number > 2 {
            model.set_property(node, "CODE", vec![Value::String(format!("code {number}"))]);
        }
    }
    Draft::of(&model).with_shared_texts().indexed()
}

#[test]
fn an_index_that_contradicts_the_graph_is_found() {
    let draft = contradictable();
    type Change = fn(&mut Directory, usize, usize);
    let changes: [(&str, Change); 6] = [
        ("nodes that have text", |directory, name, full| {
            let (from, to) = (directory.text_indexes[full], &mut directory.text_indexes[name]);
            (to.groups, to.sets, to.starts, to.nodes) = (from.groups, from.sets, from.starts, from.nodes);
        }),
        ("values that rise from 0 to", |directory, name, _| {
            directory.text_indexes[name].nodes = directory.text_indexes[name].sets;
        }),
        ("values of groups", |directory, name, _| {
            directory.text_indexes[name].groups = directory.text_indexes[name].codes;
        }),
        ("in its bucket", |directory, name, full| {
            directory.text_indexes[name].codes = directory.properties[full].values;
        }),
        ("a string table of nodes, found none", |directory, name, _| {
            directory.text_indexes[name].property = varvite::PropertyId(0);
        }),
        ("an encoding of integers", |directory, name, _| {
            directory.text_indexes[name].buckets = directory.labels[0].nodes;
        }),
    ];
    for profile in Profile::ALL {
        assert_eq!(problems_with(&draft, profile, |_| {}), [""; 0]);
        for (expected, change) in changes {
            let problems = problems_with(&draft, profile, |directory| {
                let (name, full) = (index_of(directory, "NAME"), index_of(directory, "FULL_NAME"));
                change(directory, name, full);
            });
            let is_found = problems.iter().any(|problem| problem.contains(expected));
            assert!(is_found, "{}, {expected}: {problems:?}", profile.name());
        }
    }
}
