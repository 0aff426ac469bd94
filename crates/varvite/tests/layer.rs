//! Tests layers of properties. Queries read a layer's properties like all other properties, and a layer that
//! was added and dropped leaves no trace.

use std::path::Path;
use std::sync::Arc;

use varvite::change::{ChangeError, Diff};
use varvite::compare::Digest;
use varvite::error::StoreError;
use varvite::inspect::Info;
use varvite::{Graph, GraphError, OpenOptions, Profile, Task};
use varvite::{
    columns::{LayerChange, NodeNumbers, PropertyLayer, change_layers},
    write::{GraphChange, IndexChange, LayerSpec, change_indexes, compact},
};
use varvite_testing::draft::{Draft, PATH, open_bytes};
use varvite_testing::vfs::MemoryVfs;

use crate::model::{for_each_graph, random};

/// A file in memory whose layers a test changes.
struct File(MemoryVfs);

impl File {
    fn of(draft: &Draft, profile: Profile) -> Self {
        let vfs = MemoryVfs::new();
        vfs.put(PATH, &draft.bytes(profile));
        Self(vfs)
    }

    fn put(&self, name: &str, run: u8, properties: &[NodeNumbers<'_>]) -> varvite::Result<u64, ChangeError> {
        let layer = LayerSpec { name, tool: "test", version: "1", source: [run; 32] };
        let add = Some(PropertyLayer { layer, properties });
        change_layers(self.vfs(), Path::new(PATH), LayerChange { add, drop: &[] }, &Task::new())
    }

    fn drop(&self, names: &[&str]) -> varvite::Result<u64, ChangeError> {
        change_layers(self.vfs(), Path::new(PATH), LayerChange { add: None, drop: names }, &Task::new())
    }

    fn index(&self, add: &[String], drop: &[String]) {
        change_indexes(self.vfs(), Path::new(PATH), IndexChange { add, drop }, &Task::new()).unwrap();
    }

    /// The bytes of the file after a compaction, which removes garbage.
    fn compacted(&self) -> Vec<u8> {
        let copy = MemoryVfs::new();
        copy.put(PATH, &self.bytes());
        let length = compact(Arc::new(copy.clone()), Path::new(PATH), &Task::new()).unwrap();
        let bytes = copy.contents(PATH).unwrap();
        assert_eq!(length, bytes.len() as u64);
        bytes
    }

    fn vfs(&self) -> Arc<MemoryVfs> {
        Arc::new(self.0.clone())
    }

    fn bytes(&self) -> Vec<u8> {
        self.0.contents(PATH).unwrap()
    }

    fn open(&self) -> Graph {
        OpenOptions::new().buffered().open_in(&self.0, PATH).unwrap()
    }
}

fn numbers<'a>(name: &'a str, values: &'a [(u32, i64)]) -> NodeNumbers<'a> {
    NodeNumbers { name, values }
}

/// The values of a property, each with its node.
fn values(graph: &Graph, name: &str) -> Vec<(u32, i64)> {
    let property = graph.property(name).unwrap();
    let mut values = Vec::new();
    property.for_each(|node, value| values.push((node, value)));
    values
}

#[test]
fn a_layer_is_there_and_the_rest_is_what_it_was() {
    for_each_graph(0..12, |model, profile| {
        let (file, bare) = (File::of(&Draft::of(model).indexed(), profile), Draft::of(model).open(profile));
        let last = bare.node_count().saturating_sub(1);
        let hot: Vec<(u32, i64)> = if last > 0 { vec![(0, i64::MAX), (last, 3)] } else { Vec::new() };
        let length = file.put("run/1", 1, &[numbers("HOT", &hot), numbers("COLD", &[])]).unwrap();
        assert_eq!(length, file.bytes().len() as u64);
        let graph = file.open();
        assert_eq!((values(&graph, "HOT"), values(&graph, "COLD")), (hot, vec![]));
        assert_eq!(graph.layers().last().unwrap().name, "run/1");
        assert_eq!(graph.verify(&Task::new().threads(2)).unwrap().problems, [""; 0]);
        file.drop(&["run/1", "nowhere"]).unwrap();
        let after = open_bytes(&file.bytes()).unwrap();
        assert_eq!(
            Digest::of(&after, &Task::new().threads(1)).unwrap(),
            Digest::of(&bare, &Task::new().threads(1)).unwrap()
        );
        assert_eq!(after.properties(), bare.properties());
    });
}

#[test]
fn a_layer_of_the_same_name_is_replaced_and_others_stay() {
    let file = File::of(&Draft::of(&random(1)), Profile::Compact);
    file.put("one", 1, &[numbers("A", &[(0, 1)]), numbers("B", &[(1, 2)])]).unwrap();
    file.put("two", 2, &[numbers("C", &[(2, 3)])]).unwrap();
    file.put("one", 3, &[numbers("A", &[(1, 7)])]).unwrap();
    let graph = file.open();
    assert_eq!((values(&graph, "A"), values(&graph, "C")), (vec![(1, 7)], vec![(2, 3)]));
    assert!(matches!(graph.property("B"), Err(GraphError::Unknown { .. })));
    let info = Info::of(&graph);
    let layer_of = |name: &str| {
        let property = graph.properties().iter().find(|property| property.name == name).unwrap();
        info.layers[property.layer as usize].name.clone()
    };
    assert_eq!([layer_of("A"), layer_of("C"), layer_of("NAME")], ["one", "two", "code"]);
}

#[test]
fn a_compacted_file_is_the_same_whether_a_layer_or_an_index_came_first() {
    let draft = Draft::of(&random(2));
    let names = ["NAME".to_owned()];
    for profile in Profile::ALL {
        let (one, other) = (File::of(&draft, profile), File::of(&draft, profile));
        one.index(&names, &[]);
        one.put("run", 1, &[numbers("HOT", &[(0, 1)])]).unwrap();
        other.put("run", 1, &[numbers("HOT", &[(0, 1)])]).unwrap();
        other.index(&names, &[]);
        assert_ne!(one.bytes(), other.bytes());
        let bytes = one.compacted();
        assert_eq!(bytes, other.compacted());
        let graph = open_bytes(&bytes).unwrap();
        assert_eq!((values(&graph, "HOT"), graph.store().superblock().generation), (vec![(0, 1)], 1));
        assert_eq!(graph.verify(&Task::new().threads(1)).unwrap().problems, [""; 0]);
        one.put("run", 1, &[numbers("HOT", &[(0, 1)])]).unwrap();
        assert_eq!(one.compacted(), bytes, "the same again");
        one.put("run", 2, &[numbers("HOT", &[(0, 1)])]).unwrap();
        assert_ne!(open_bytes(&one.compacted()).unwrap().identity(), graph.identity());
    }
}

/// The name of a layer, and the name and the values of its only property.
type OneProperty<'a> = (&'a str, &'a str, &'a [(u32, i64)]);

#[test]
fn layers_of_different_content_give_different_identities_and_dropping_them_gives_the_graph_back() {
    let draft = Draft::of(&random(4)).indexed();
    for profile in Profile::ALL {
        let with = |layers: &[OneProperty<'_>]| {
            let file = File::of(&draft, profile);
            for (layer, name, values) in layers {
                file.put(layer, 1, &[numbers(name, values)]).unwrap();
            }
            file
        };
        let files = [
            with(&[]),
            with(&[("run", "A", &[(0, 1)])]),
            with(&[("run", "A", &[(0, 2)])]),
            with(&[("run", "A", &[(1, 1)])]),
            with(&[("run", "B", &[(0, 1)])]),
            with(&[("one", "A", &[(0, 1)]), ("two", "B", &[(0, 1)])]),
            with(&[("two", "B", &[(0, 1)]), ("one", "A", &[(0, 1)])]),
        ];
        let of_compacted = |file: &File| open_bytes(&file.compacted()).unwrap().identity();
        for identity_of in [of_compacted, |file: &File| file.open().identity()] {
            let ids: Vec<_> = files.iter().map(identity_of).collect();
            assert!((0..ids.len()).all(|number| !ids[..number].contains(&ids[number])), "{ids:?}");
        }
        let bare = files[0].compacted();
        for file in &files {
            file.drop(&["one", "run"]).unwrap();
            file.drop(&["two"]).unwrap();
            assert!(file.compacted() == bare, "nothing of a layer stays behind");
        }
        let (last, both) =
            (with(&[("two", "B", &[(0, 1)])]), with(&[("one", "A", &[(0, 1)]), ("two", "B", &[(0, 1)])]));
        both.drop(&["one"]).unwrap();
        assert!(both.compacted() == last.compacted(), "as if the first had never been");
    }
}

#[test]
fn a_second_change_is_refused_while_one_is_made() {
    let file = File::of(&Draft::of(&random(5)), Profile::Compact);
    let change = GraphChange::begin(file.vfs(), Path::new(PATH)).unwrap();
    let error = file.put("run", 1, &[numbers("A", &[(0, 1)])]).unwrap_err();
    assert!(
        matches!(error, ChangeError::Graph(GraphError::Store(StoreError::Busy { holder: Some(_), .. }))),
        "{error}"
    );
    let names = ["NAME".to_owned()];
    change.set_indexes(IndexChange { add: &names, drop: &[] }, &Task::new()).unwrap();
    file.put("run", 1, &[numbers("A", &[(0, 1)])]).unwrap();
    assert!(file.open().text_index("NAME").unwrap().is_some());
}

#[test]
fn a_graph_that_is_replaced_meanwhile_gets_no_layer_of_another() {
    let file = File::of(&Draft::of(&random(6)), Profile::Compact);
    let change = GraphChange::begin(file.vfs(), Path::new(PATH)).unwrap();
    let other = Draft::of(&random(7)).bytes(Profile::Compact);
    file.0.put(PATH, &other);
    let layer = LayerSpec { name: "run", tool: "test", version: "1", source: [1; 32] };
    let add = Some(PropertyLayer { layer, properties: &[numbers("A", &[(0, 1)])] });
    let error = change.set_layers(LayerChange { add, drop: &[] }, &Task::new()).unwrap_err();
    assert!(matches!(error, ChangeError::Graph(GraphError::Store(StoreError::Replaced { .. }))), "{error}");
    assert!(file.bytes() == other);
    assert_eq!(file.0.paths(), [Path::new(PATH)]);
}

#[test]
fn what_makes_no_sense_changes_nothing() {
    let file = File::of(&Draft::of(&random(3)), Profile::Direct);
    file.put("one", 1, &[numbers("A", &[(0, 1)])]).unwrap();
    let before = file.bytes();
    let nodes = file.open().node_count();
    let refused = |result: varvite::Result<u64, ChangeError>, expected: &str| {
        assert_eq!(result.unwrap_err().to_string(), expected);
        assert_eq!((file.bytes(), file.0.paths().len()), (before.clone(), 1));
    };
    refused(
        file.put("two", 1, &[numbers("A", &[])]),
        "property \"A\" is in this graph already: give the second one another name",
    );
    let twice = [numbers("B", &[]), numbers("B", &[])];
    refused(
        file.put("two", 1, &twice),
        "property \"B\" is in this graph already: give the second one another name",
    );
    refused(
        file.put("two", 1, &[numbers("B", &[(nodes, 1)])]),
        &format!("there is no node {nodes}: ids are 0 to {}", nodes - 1),
    );
    refused(
        file.put("two", 1, &[numbers("B", &[(1, 1), (0, 1)])]),
        &format!("there is no node 0: ids are 0 to {}", nodes - 1),
    );
    refused(file.drop(&["code"]), "layer code belongs to the graph itself and cannot be dropped or replaced");
}

#[test]
fn layers_come_and_go_in_a_graph_with_changes() {
    let file = File::of(&Draft::of(&random(3)), Profile::Compact);
    file.put("first", 1, &[NodeNumbers { name: "COLD", values: &[(0, 1)] }]).unwrap();
    let nodes = file.open().node_count();
    let mut diff = Diff::new();
    let [new, _] = [diff.add_node(&[]), diff.add_node(&[])];
    diff.set(new, "COLD", [7]);
    diff.set(0, "I64", [-5]);
    diff.remove_node(1);
    let apply = |diff: &Diff| {
        GraphChange::begin(file.vfs(), Path::new(PATH)).unwrap().apply_with(diff, &Task::new()).unwrap();
    };
    apply(&diff);
    let values = [(0, 3), (nodes, 4), (nodes + 1, 5)];
    file.put("run", 1, &[NodeNumbers { name: "HOT", values: &values }]).unwrap();
    let check = |cold: Option<i64>| {
        let graph = file.open();
        let number = |name: &str, node: u32| graph.property(name).unwrap().number(node);
        assert_eq!(
            [0, 2, nodes, nodes + 1].map(|node| number("HOT", node)),
            [Some(3), None, Some(4), Some(5)]
        );
        assert_eq!(number("I64", 0), Some(-5));
        assert_eq!(graph.property("COLD").ok().map(|cold| cold.number(nodes)), cold.map(Some));
        assert_eq!(graph.verify(&Task::new().threads(1)).unwrap().problems, [""; 0]);
    };
    check(Some(7));
    // Dropping the layer changes the numbers of later properties.
    file.drop(&["first"]).unwrap();
    check(None);
    let removed = file.put("more", 1, &[NodeNumbers { name: "GONE", values: &[(1, 1)] }]);
    assert!(
        matches!(removed, Err(ChangeError::Graph(GraphError::NoSuchNode { node: 1, .. }))),
        "{removed:?}"
    );
    let names = ["I64", "NAME", "CODE"].map(str::to_owned);
    let mut diff = Diff::new();
    diff.set(0, "NAME", ["another name"]);
    apply(&diff);
    let index = |add: &[String]| {
        change_indexes(file.vfs(), Path::new(PATH), IndexChange { add, drop: &[] }, &Task::new())
    };
    index(&names[1..2]).unwrap();
    assert_eq!(file.open().text_index("NAME").unwrap().unwrap().nodes("another name"), [0]);
    apply(&diff);
    check(None);
}
