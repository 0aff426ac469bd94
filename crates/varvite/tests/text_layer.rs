//! Tests layers that are written piece by piece: texts and lists of numbers of nodes, and older properties
//! that a layer covers.

use std::path::Path;
use std::sync::Arc;

use varvite::change::{ChangeError, Diff};
use varvite::columns::NewLayer;
use varvite::compare::Digest;
use varvite::write::Codec;
use varvite::write::{GraphChange, LayerSpec, compact, drop_layers};
use varvite::{Cardinality, Graph, OpenOptions, Profile, Task};
use varvite_testing::draft::{Draft, PATH};
use varvite_testing::vfs::MemoryVfs;

use crate::model::{for_each_graph, random};

/// A file in memory.
struct File(MemoryVfs);

impl File {
    fn of(draft: &Draft, profile: Profile) -> Self {
        let vfs = MemoryVfs::new();
        vfs.put(PATH, &draft.bytes(profile));
        Self(vfs)
    }

    fn vfs(&self) -> Arc<MemoryVfs> {
        Arc::new(self.0.clone())
    }

    fn change(&self) -> GraphChange {
        GraphChange::begin(self.vfs(), Path::new(PATH)).unwrap()
    }

    fn begin(&self) -> NewLayer {
        let spec = LayerSpec { name: "texts", tool: "test", version: "1", source: [7; 32] };
        self.change().begin_layer(spec, &Task::new()).unwrap()
    }

    /// Adds a layer with a property of texts.
    fn put(&self, name: &str, texts: &[(u32, &str)]) -> varvite::Result<u64, ChangeError> {
        let mut layer = self.begin();
        let mut new = layer.begin_texts(name)?;
        texts.iter().try_for_each(|(node, text)| new.push(*node, text).map(drop))?;
        new.finish()?;
        layer.commit(&Task::new())
    }

    fn drop(&self) {
        drop_layers(self.vfs(), Path::new(PATH), &["texts"], &Task::new()).unwrap();
    }

    fn compact(&self) {
        compact(self.vfs(), Path::new(PATH), &Task::new()).unwrap();
    }

    fn bytes(&self) -> Vec<u8> {
        self.0.contents(PATH).unwrap()
    }

    /// Opens and verifies the graph.
    fn open(&self) -> Graph {
        let graph = OpenOptions::new().buffered().open_in(&self.0, PATH).unwrap();
        assert_eq!(graph.verify(&Task::new().threads(1)).unwrap().problems, [""; 0]);
        graph
    }
}

fn text(graph: &Graph, name: &str, node: u32) -> Option<String> {
    graph.texts(name).unwrap().str(node).map(|text| text.to_string())
}

fn digest(graph: &Graph) -> Digest {
    Digest::of(graph, &Task::new().threads(1)).unwrap()
}

/// A text of several blocks.
fn long() -> String {
    (0..100_000).map(|line| format!("line {line}\n")).collect()
}

#[test]
fn a_dropped_layer_of_texts_leaves_no_trace() {
    for_each_graph(0..9, |model, profile| {
        let file = File::of(&Draft::of(model).indexed(), profile);
        let bare = file.open();
        let last = bare.node_count().saturating_sub(1);
        if last < 2 {
            return;
        }
        file.put("NOTE", &[(0, "one"), (last, "two")]).unwrap();
        let graph = file.open();
        assert_eq!(text(&graph, "NOTE", 0).as_deref(), Some("one"));
        assert_eq!((text(&graph, "NOTE", 1), text(&graph, "NOTE", last).as_deref()), (None, Some("two")));
        file.drop();
        assert_eq!(digest(&file.open()), digest(&bare));
        assert_eq!(file.open().properties(), bare.properties());
    });
}

#[test]
fn texts_are_compressed_in_every_profile_and_equal_ones_are_stored_once() {
    for profile in Profile::ALL {
        let file = File::of(&Draft::of(&random(2)), profile);
        let before = file.bytes().len();
        let long = long();
        file.put("NOTE", &[(0, &long), (1, "short"), (2, &long)]).unwrap();
        let graph = file.open();
        for node in [0, 2] {
            assert!(text(&graph, "NOTE", node).unwrap() == long);
        }
        let directory = graph.store().directory();
        let row = directory.segments.iter().find(|row| row.plain_len as usize == long.len() + 5).unwrap();
        assert_eq!(row.codec, Codec::Zstd);
        assert!(file.bytes().len() - before < long.len() / 2);
        // A graph with changes is written anew by a compaction.
        let mut diff = Diff::new();
        diff.set(0, "I64", [-5]);
        file.change().apply(&diff).unwrap();
        file.compact();
        let graph = file.open();
        let directory = graph.store().directory();
        let row = directory.segments.iter().find(|row| row.plain_len as usize == long.len() + 5).unwrap();
        assert_eq!(row.codec, Codec::Zstd);
        assert_eq!(text(&graph, "NOTE", 1).as_deref(), Some("short"));
    }
}

#[test]
fn part_of_a_text_is_read_across_blocks() {
    let file = File::of(&Draft::of(&random(2)), Profile::Direct);
    let long = long();
    file.put("NOTE", &[(0, "first"), (1, &long)]).unwrap();
    let graph = file.open();
    let note = graph.texts("NOTE").unwrap();
    let (texts, code) = (note.strings().unwrap(), note.number(1).unwrap() as u32);
    assert_eq!(texts.text_len(code), Some(long.len()));
    for part in [0..0, 0..9, 262_130..262_160, 200_000..600_000, long.len() - 3..long.len()] {
        assert!(*texts.part_of(code, part.clone()).unwrap() == long.as_bytes()[part]);
    }
    assert!(texts.part_of(code, 0..long.len() + 1).is_none());
    assert!(texts.part_of(texts.len(), 0..0).is_none());
    graph.check().unwrap();
}

#[test]
fn nodes_that_were_added_later_have_texts_and_lists_too() {
    for profile in Profile::ALL {
        let file = File::of(&Draft::of(&random(3)), profile);
        let nodes = file.open().node_count();
        let mut diff = Diff::new();
        let _ = [diff.add_node(&[]), diff.add_node(&[])];
        file.change().apply(&diff).unwrap();
        let mut layer = file.begin();
        let mut texts = layer.begin_texts("NOTE").unwrap();
        for (node, text) in [(0, "old"), (nodes, "new"), (nodes + 1, "old")] {
            texts.push(node, text).unwrap();
        }
        texts.finish().unwrap();
        layer.add_lists("PLACES", &[(0, vec![1, 2, 3]), (2, vec![]), (nodes + 1, vec![9])]).unwrap();
        layer.commit(&Task::new()).unwrap();
        let check = || {
            let graph = file.open();
            assert_eq!(text(&graph, "NOTE", 0).as_deref(), Some("old"));
            assert_eq!(text(&graph, "NOTE", nodes).as_deref(), Some("new"));
            assert_eq!(text(&graph, "NOTE", nodes + 1).as_deref(), Some("old"));
            let places = graph.numbers("PLACES").unwrap();
            assert_eq!(places.cardinality(), Cardinality::List);
            assert_eq!(places.numbers(0).collect::<Vec<_>>(), [1, 2, 3]);
            assert_eq!(places.numbers(nodes + 1).collect::<Vec<_>>(), [9]);
        };
        check();
        file.compact();
        check();
    }
}

#[test]
fn a_covered_property_has_another_name_until_the_layer_is_dropped() {
    let file = File::of(&Draft::of(&random(1)), Profile::Compact);
    let bare = file.open();
    let names = bare.texts("NAME").unwrap();
    let node = (0..bare.node_count()).find(|node| names.str(*node).is_some()).unwrap();
    let (name, bytes) = (text(&bare, "NAME", node), file.bytes());
    for _ in 0..2 {
        file.put("NAME", &[(0, "mine")]).unwrap();
        let graph = file.open();
        assert_eq!(text(&graph, "NAME", 0).as_deref(), Some("mine"));
        assert_eq!(text(&graph, "NAME/code", node), name);
        let info = |name: &str| graph.properties().iter().find(|info| info.name == name).unwrap().clone();
        assert_eq!(info("NAME").default, info("NAME/code").default);
        let names = |without: &[&str]| -> Vec<String> {
            graph.properties_without(without).into_iter().map(|(_, info)| info.name).collect()
        };
        let before: Vec<String> = bare.properties().iter().map(|info| info.name.clone()).collect();
        assert_eq!(names(&["texts"]), before);
        assert!(names(&[]).contains(&"NAME".to_owned()) && !names(&[]).contains(&"NAME/code".to_owned()));
    }
    file.drop();
    assert_eq!(digest(&file.open()), digest(&bare));
    file.compact();
    assert!(file.bytes() == bytes);
}

#[test]
fn a_node_may_repeat_the_text_of_an_earlier_one() {
    for profile in Profile::ALL {
        let (pushed, repeated) =
            (File::of(&Draft::of(&random(3)), profile), File::of(&Draft::of(&random(3)), profile));
        let nodes = pushed.open().node_count();
        for file in [&pushed, &repeated] {
            let mut diff = Diff::new();
            let _ = [diff.add_node(&[]), diff.add_node(&[])];
            file.change().apply(&diff).unwrap();
        }
        let owners = [(0, "old"), (2, "old"), (nodes, "new"), (nodes + 1, "old")];
        pushed.put("NOTE", &owners).unwrap();
        let mut layer = repeated.begin();
        let mut texts = layer.begin_texts("NOTE").unwrap();
        assert!(texts.push(0, "old").unwrap());
        assert!(texts.repeat(2, 1).is_err());
        texts.repeat(2, 0).unwrap();
        assert!(texts.push(nodes, "new").unwrap());
        texts.repeat(nodes + 1, 2).unwrap();
        texts.finish().unwrap();
        layer.commit(&Task::new()).unwrap();
        assert!(repeated.bytes() == pushed.bytes());
    }
}

#[test]
fn what_makes_no_sense_changes_nothing() {
    let file = File::of(&Draft::of(&random(3)), Profile::Direct);
    let nodes = file.open().node_count();
    let refused = |result: varvite::Result<u64, ChangeError>, expected: &str| {
        assert_eq!(result.unwrap_err().to_string(), expected);
        assert!(file.open().layers().iter().all(|layer| layer.name != "texts"));
    };
    let no_node = |node| format!("there is no node {node}: ids are 0 to {}", nodes - 1);
    refused(file.put("NOTE", &[(nodes, "x")]), &no_node(nodes));
    refused(file.put("NOTE", &[(1, "x"), (1, "y")]), &no_node(1));
    refused(
        file.put("I64", &[(0, "x")]),
        "property \"I64\" is in this graph already: give the second one another name",
    );
    assert!(file.put("", &[]).is_err());
    // A layer that is not committed leaves the file as it was.
    let mut layer = file.begin();
    let mut texts = layer.begin_texts("NOTE").unwrap();
    texts.push(0, &long()).unwrap();
    drop(layer);
    assert_eq!(digest(&file.open()), digest(&File::of(&Draft::of(&random(3)), Profile::Direct).open()));
    file.put("NOTE", &[(0, "x")]).unwrap();
    assert_eq!(text(&file.open(), "NOTE", 0).as_deref(), Some("x"));
}
