//! Tests layers that have nodes and edges. Queries read these like all other nodes and edges. Dropping a
//! layer removes all of it, and changes nothing else.

use std::path::Path;
use std::sync::Arc;

use varvite::change::{
    Applied, ChangeError, ChangeFault, Diff, Durability, LogOptions, NewNode, NodeRef, NumberLists,
    PropertyOwner,
};
use varvite::compare::Digest;
use varvite::error::NameKind;
use varvite::inspect::LayerUse;
use varvite::{Cardinality, Direction, Graph, GraphError, OpenOptions, Profile, Task, ValueType};
use varvite::{
    columns::{LayerChange, change_layers},
    write::{GraphChange, IndexChange, LayerSpec, change_indexes, compact, drop_layers},
};
use varvite_testing::draft::{Draft, PATH};
use varvite_testing::vfs::{FaultPlan, FaultVfs, MemoryVfs};

use crate::fold::fold;
use crate::model::{for_each_graph, random};

const LAYER: &str = "heap";

/// A file in memory.
struct File(MemoryVfs);

impl File {
    fn of(draft: &Draft, profile: Profile) -> Self {
        let disk = MemoryVfs::new();
        disk.put(PATH, &draft.bytes(profile));
        Self(disk)
    }

    fn change(&self) -> GraphChange {
        GraphChange::begin(Arc::new(self.0.clone()), Path::new(PATH)).unwrap()
    }

    fn add(&self, name: &str, diff: &Diff) -> varvite::Result<Applied, ChangeError> {
        let layer = LayerSpec { name, tool: "test", version: "1", source: [1; 32] };
        self.change().add_layer(&layer, diff, &Task::new())
    }

    fn add_with(&self, diff: &Diff, lists: Vec<NumberLists>) -> varvite::Result<Applied, ChangeError> {
        let layer = LayerSpec { name: LAYER, tool: "test", version: "1", source: [1; 32] };
        self.change().add_layer_with(&layer, diff, lists, &Task::new())
    }

    fn apply(&self, diff: &Diff) -> Applied {
        self.change().apply_with(diff, &Task::new()).unwrap()
    }

    fn drop(&self, name: &str) -> varvite::Result<u64, ChangeError> {
        drop_layers(Arc::new(self.0.clone()), Path::new(PATH), &[name], &Task::new())
    }

    fn open(&self) -> Graph {
        let graph = OpenOptions::new().buffered().open_in(&self.0, PATH).unwrap();
        assert_eq!(graph.verify(&Task::new().threads(1)).unwrap().problems, [""; 0]);
        graph
    }

    fn bytes(&self) -> Vec<u8> {
        self.0.contents(PATH).unwrap()
    }

    fn compacted_digest(&self) -> Digest {
        let copy = MemoryVfs::new();
        copy.put(PATH, &self.bytes());
        compact(Arc::new(copy.clone()), Path::new(PATH), &Task::new()).unwrap();
        Digest::of(&Self(copy).open(), &Task::new()).unwrap()
    }
}

/// The diff that adds a layer of three SITEs in a chain. The second of them is a HOT_SITE. An edge AT leads
/// from each SITE to a node of the graph.
fn sites(places: [u32; 3]) -> Diff {
    let mut diff = Diff::new();
    declare(&mut diff);
    let sites = [&["SITE"][..], &["HOT_SITE", "SITE"], &["SITE"]].map(|labels| diff.add_node(labels));
    // The edges are not added in the order of their sources, so their ranks have another order than their
    // additions.
    for number in [2, 1, 0] {
        let (site, place) = (sites[number], places[number]);
        let edge = diff.add_edge("AT", site, place);
        diff.set(edge, "BYTES", [10 * number as u64]);
        diff.set(place, "CALLS", [number as u64 + 1]);
        diff.set(site, "FUNCTION", ["f", "g"].into_iter().take(number));
    }
    diff.add_edge("NEXT", sites[0], sites[1]);
    diff.add_edge("NEXT", sites[1], sites[2]);
    diff.set(sites[2], "FIRST", [sites[0]]);
    diff
}

fn declare(diff: &mut Diff) {
    ["SITE", "HOT_SITE"].into_iter().for_each(|label| diff.declare_label(label));
    ["AT", "NEXT"].into_iter().for_each(|label| diff.declare_edge_label(label));
    for (owner, name, value_type, cardinality) in [
        (PropertyOwner::Edges("AT"), "BYTES", ValueType::U64, Cardinality::Optional),
        (PropertyOwner::Nodes, "CALLS", ValueType::U64, Cardinality::Optional),
        (PropertyOwner::Nodes, "FUNCTION", ValueType::String, Cardinality::List),
        (PropertyOwner::Nodes, "FIRST", ValueType::Ref, Cardinality::Optional),
    ] {
        diff.declare_property(name, owner, value_type, cardinality);
    }
}

/// Checks the layer of [`sites`], whose first node is `first`.
fn check(graph: &Graph, first: u32, places: [u32; 3]) {
    let nodes = |label| graph.nodes(label).unwrap().iter().collect::<Vec<u32>>();
    assert_eq!((nodes("SITE"), nodes("HOT_SITE")), (vec![first, first + 1, first + 2], vec![first + 1]));
    let (at, next) = (graph.out("AT").unwrap(), graph.out("NEXT").unwrap());
    let (is_at, back) = (graph.in_("AT").unwrap(), graph.in_("NEXT").unwrap());
    let bytes = graph.edge_property("AT", None).unwrap();
    let ranks = graph.ranks(graph.edge_label("AT").unwrap(), Direction::In).unwrap().unwrap();
    for (number, place) in (0..3).zip(places) {
        assert_eq!(at.neighbors(first + number).collect::<Vec<_>>(), [place]);
        assert!(is_at.neighbors(place).any(|site| site == first + number));
        let rank = at.first_rank(first + number).unwrap() as u32;
        assert_eq!(bytes.number(rank), Some(10 * i64::from(number)));
        assert!(ranks.of(place).any(|found| found == (first + number, rank)));
        assert_eq!(graph.property("CALLS").unwrap().number(place), Some(i64::from(number) + 1));
        let function = graph.property("FUNCTION").unwrap();
        let texts: Vec<String> = function.all(first + number).map(|text| text.to_string()).collect();
        assert_eq!(texts.len(), number as usize);
        assert!(next.neighbors(first + number).eq((number < 2).then_some(first + number + 1)));
        assert!(back.neighbors(first + number).eq((number > 0).then(|| first + number - 1)));
    }
    assert_eq!(graph.property("FIRST").unwrap().number(first + 2), Some(first.into()));
    graph.check().unwrap();
}

#[test]
fn a_layer_of_nodes_is_there_and_goes_without_a_trace() {
    for_each_graph(0..12, |model, profile| {
        let draft = Draft::of(model).indexed();
        let bare = draft.open(profile);
        let count = bare.node_count();
        if count < 3 {
            return;
        }
        let (file, places) = (File::of(&draft, profile), [0, count / 2, count - 1]);
        let applied = file.add(LAYER, &sites(places)).unwrap();
        assert_eq!(applied.nodes, count..count + 3);
        assert_eq!(applied.file_len, file.bytes().len() as u64);
        let graph = file.open();
        check(&graph, count, places);
        let layer = graph.layers().last().unwrap();
        assert_eq!((layer.name.as_str(), layer.tool.as_str()), (LAYER, "test"));
        file.drop(LAYER).unwrap();
        let after = file.open();
        assert_eq!((after.node_count(), after.live_node_count()), (count + 3, count));
        assert_eq!(after.layers(), bare.layers());
        assert_eq!((after.labels(), after.edge_labels()), (bare.labels(), bare.edge_labels()));
        assert_eq!(after.properties(), bare.properties());
        assert_eq!(file.compacted_digest(), Digest::of(&bare, &Task::new()).unwrap());
    });
}

#[test]
fn the_ranks_of_its_edges_are_told() {
    let file = File::of(&Draft::of(&random(3)), Profile::Compact);
    let mut diff = Diff::new();
    diff.declare_label("SITE");
    diff.declare_edge_label("AT");
    diff.declare_property("BYTES", PropertyOwner::Edges("AT"), ValueType::U8, Cardinality::Optional);
    let sites = [(); 3].map(|()| diff.add_node(&["SITE"]));
    let edges = [2, 0, 2, 1].map(|site: usize| diff.add_edge("AT", sites[site], 0));
    edges.into_iter().zip(0..).for_each(|(edge, bytes)| diff.set(edge, "BYTES", [bytes]));
    let applied = file.add(LAYER, &diff).unwrap();
    let ranks = edges.map(|edge| applied.edge(edge).unwrap());
    assert_eq!(ranks, [2, 0, 3, 1]);
    let bytes = file.open().edge_property("AT", None).unwrap();
    assert_eq!(ranks.map(|rank| bytes.number(rank)), [0, 1, 2, 3].map(Some));
}

#[test]
fn what_is_not_of_the_layer_is_refused_with_its_number() {
    let file = File::of(&Draft::of(&random(3)), Profile::Compact);
    let before = file.bytes();
    let refused = |make: &dyn Fn(&mut Diff)| {
        let mut diff = sites([0, 1, 2]);
        let number = diff.len() as u64;
        make(&mut diff);
        match file.add(LAYER, &diff) {
            Err(ChangeError::Operation { operation, fault }) => {
                assert_eq!(operation, number, "{fault}");
                assert!(file.bytes() == before);
                fault
            }
            other => panic!("{other:?}"),
        }
    };
    let not_own = |fault: ChangeFault, expected: NameKind| {
        assert!(matches!(fault, ChangeFault::NotOfLayer { kind, .. } if kind == expected), "{fault}");
    };
    not_own(refused(&|diff| _ = diff.add_node(&["SITE", "CALL"])), NameKind::Label);
    not_own(refused(&|diff| _ = diff.add_edge("AST", 0, 1)), NameKind::EdgeLabel);
    not_own(refused(&|diff| diff.set(0, "NAME", ["x"])), NameKind::Property);
    not_own(refused(&|diff| diff.declare_label("CALL")), NameKind::Label);
    let declared = refused(&|diff| {
        diff.declare_property("X", PropertyOwner::Edges("NEVER"), ValueType::U8, Cardinality::Optional);
    });
    not_own(declared, NameKind::EdgeLabel);
    assert_eq!(refused(&|diff| _ = diff.add_node(&[])), ChangeFault::NoLabel);
    assert_eq!(refused(&|diff| diff.remove_node(0)), ChangeFault::RemovedByLayer);
    let unknown = refused(&|diff| _ = diff.add_edge("ATT", 0, 1));
    assert!(matches!(unknown, ChangeFault::Unknown { .. }), "{unknown}");
}

#[test]
fn an_index_of_its_property_is_used_and_goes_with_it() {
    for profile in Profile::ALL {
        let file = File::of(&Draft::of(&random(3)).indexed(), profile);
        let mut first = file.add(LAYER, &sites([0, 1, 2])).unwrap().nodes.start;
        let names = ["FUNCTION".to_owned()];
        let add = IndexChange { add: &names, drop: &[] };
        change_indexes(Arc::new(file.0.clone()), Path::new(PATH), add, &Task::new()).unwrap();
        for _ in 0..2 {
            let graph = file.open();
            assert!(graph.indexed_properties().any(|property| property.name == "FUNCTION"));
            check(&graph, first, [0, 1, 2]);
            let (_, _, folded) = fold(&file.0);
            first = folded.new_of_old[first as usize];
        }
        file.drop(LAYER).unwrap();
        assert!(!file.open().indexed_properties().any(|property| property.name == "FUNCTION"));
    }
}

#[test]
fn layers_share_no_names() {
    let file = File::of(&Draft::of(&random(3)), Profile::Compact);
    file.add(LAYER, &sites([0, 1, 2])).unwrap();
    match file.add("other", &sites([0, 1, 2])) {
        Err(error @ ChangeError::Operation { .. }) => assert_eq!(
            error.to_string(),
            "operation 0: label SITE belongs to layer heap: a layer may only use names that it declares itself"
        ),
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_layer_of_the_same_name_is_replaced_in_one_commit() {
    let (file, count) = (File::of(&Draft::of(&random(3)), Profile::Compact), 3);
    let first = file.add(LAYER, &sites([0, 1, 2])).unwrap();
    let second = file.add(LAYER, &sites([2, 0, 1])).unwrap();
    assert_eq!(second.generation, first.generation + 1);
    assert_eq!(second.nodes.start, first.nodes.end);
    let graph = file.open();
    check(&graph, second.nodes.start, [2, 0, 1]);
    assert_eq!(graph.layers().iter().filter(|layer| layer.name == LAYER).count(), 1);
    assert_eq!(graph.live_node_count(), first.nodes.start + count);
}

#[test]
fn what_is_part_of_the_graph_is_no_layer_that_goes() {
    let file = File::of(&Draft::of(&random(3)), Profile::Compact);
    for name in ["code", "diff"] {
        let added = file.add(name, &sites([0, 1, 2]));
        assert!(matches!(added, Err(ChangeError::LayerOfMore { .. })), "{added:?}");
    }
    let dropped = file.drop("code");
    assert!(matches!(dropped, Err(ChangeError::LayerOfMore { name }) if name == "code"));
    let nothing = LayerChange { add: None, drop: &["nowhere"] };
    change_layers(Arc::new(file.0.clone()), Path::new(PATH), nothing, &Task::new()).unwrap();
}

/// Tries to drop the layer, which must fail. Returns the use of the layer that the error names.
fn used_by(file: &File) -> LayerUse {
    let before = file.bytes();
    match file.drop(LAYER) {
        Err(ChangeError::LayerInUse { name, used_by }) => {
            assert_eq!(name, LAYER);
            assert!(file.bytes() == before);
            used_by
        }
        other => panic!("{other:?}"),
    }
}

/// Folds a file. Returns the new id of the node `old`.
fn folded(file: &File, old: u32) -> u32 {
    let (_, _, folded) = fold(&file.0);
    folded.new_of_old[old as usize]
}

#[test]
fn a_layer_whose_nodes_have_edges_of_others_stays() {
    for profile in Profile::ALL {
        let file = File::of(&Draft::of(&random(3)), profile);
        let site = file.add(LAYER, &sites([0, 1, 2])).unwrap().nodes.start;
        let mut diff = Diff::new();
        let edge = diff.add_edge("NEVER", 0, site);
        let rank = file.apply(&diff).edge(edge).unwrap();
        assert_eq!(used_by(&file), LayerUse::Edges { edge_label: "NEVER".to_owned(), node: site });
        let copy = File(MemoryVfs::new());
        copy.0.put(PATH, &file.bytes());
        let site = folded(&copy, site);
        assert_eq!(used_by(&copy), LayerUse::Edges { edge_label: "NEVER".to_owned(), node: site });
        let mut diff = Diff::new();
        diff.remove_edge("NEVER", rank);
        file.apply(&diff);
        file.drop(LAYER).unwrap();
        file.open();
    }
}

#[test]
fn a_layer_whose_nodes_are_values_of_others_stays() {
    let file = File::of(&Draft::of(&random(3)), Profile::Compact);
    let site = file.add(LAYER, &sites([0, 1, 2])).unwrap().nodes.start;
    let mut diff = Diff::new();
    diff.declare_property("SITE_OF", PropertyOwner::Nodes, ValueType::Ref, Cardinality::List);
    diff.set(1, "SITE_OF", [0, site].map(NodeRef::Node));
    file.apply(&diff);
    let expected =
        |owner, node| LayerUse::Value { property: "SITE_OF".to_owned(), edge_label: None, owner, node };
    assert_eq!(used_by(&file), expected(1, site));
    let (_, _, folded) = fold(&file.0);
    let [owner, site] = [1, site].map(|old| folded.new_of_old[old as usize]);
    assert_eq!(used_by(&file), expected(owner, site));
    let mut diff = Diff::new();
    diff.set(owner, "SITE_OF", [NodeRef::Node(0)]);
    file.apply(&diff);
    file.drop(LAYER).unwrap();
    file.open();
}

#[test]
fn later_diffs_change_what_a_layer_holds() {
    for profile in Profile::ALL {
        let draft = Draft::of(&random(3));
        let file = File::of(&draft, profile);
        let first = file.add(LAYER, &sites([0, 1, 2])).unwrap().nodes.start;
        let mut diff = Diff::new();
        let site = diff.add_node(&["SITE"]);
        diff.add_edge("NEXT", first + 2, site);
        diff.remove_node(first + 1);
        diff.set(first, "CALLS", [7u64]);
        diff.set(first, "NAME", ["of the layer"]);
        diff.append(first + 2, "FUNCTION", ["h"]);
        let site = file.apply(&diff).nodes.start;
        let graph = file.open();
        let next = graph.out("NEXT").unwrap();
        assert_eq!((next.degree(first), next.first(first + 2)), (0, Some(site)));
        assert_eq!(graph.in_("NEXT").unwrap().first(site), Some(first + 2));
        assert_eq!(graph.nodes("SITE").unwrap().iter().collect::<Vec<_>>(), [first, first + 2, site]);
        assert_eq!(graph.property("CALLS").unwrap().number(first), Some(7));
        assert_eq!(graph.property("FUNCTION").unwrap().all(first + 2).count(), 3);
        let mut mixed = Diff::new();
        mixed.add_node(&["SITE", "CALL"]);
        let refused = file.change().apply_with(&mixed, &Task::new());
        assert!(
            matches!(
                &refused,
                Err(ChangeError::Operation { fault: ChangeFault::MixedLabels { layer, .. }, .. }) if layer == LAYER
            ),
            "{refused:?}"
        );
        file.drop(LAYER).unwrap();
        let bare = draft.open(profile);
        assert_eq!(file.open().live_node_count(), bare.node_count());
        assert_eq!(file.compacted_digest(), Digest::of(&bare, &Task::new()).unwrap());
    }
}

#[test]
fn a_layer_stays_one_when_the_file_is_compacted() {
    for_each_graph(0..12, |model, profile| {
        let draft = Draft::of(model).indexed();
        let bare = draft.open(profile);
        let count = bare.node_count();
        if count < 3 {
            return;
        }
        let file = File::of(&draft, profile);
        let mut diff = Diff::new();
        diff.declare_label("LATER");
        diff.declare_edge_label("LEADS");
        let places = [0, count / 2, count - 1];
        file.add(LAYER, &sites(places)).unwrap();
        // Folding gives the layer's nodes the last ids, so a node that was added to the graph after the layer
        // then comes before the layer's nodes.
        let later = diff.add_node(&["LATER"]);
        diff.add_edge("LEADS", 0, later);
        let later = file.apply(&diff).nodes.start;
        let (_, after, moved) = fold(&file.0);
        let new = |old: u32| moved.new_of_old[old as usize];
        assert_eq!((new(count), new(later)), (count + 1, after.out("LEADS").unwrap().first(new(0)).unwrap()));
        assert!(new(later) <= count);
        check(&file.open(), count + 1, places.map(new));
        let again = file.add(LAYER, &sites(places.map(new))).unwrap();
        check(&file.open(), again.nodes.start, places.map(new));
        file.drop(LAYER).unwrap();
        assert_eq!(file.open().live_node_count(), count + 1);
        let mut diff = Diff::new();
        diff.remove_node(new(later));
        file.apply(&diff);
        let copy = file.compacted_digest();
        // The schema still has the names that the diff declared.
        let mut declared = Diff::new();
        declared.declare_label("LATER");
        declared.declare_edge_label("LEADS");
        let bare = File::of(&draft, profile);
        bare.apply(&declared);
        assert_eq!(copy, bare.compacted_digest());
    });
}

#[test]
fn a_layer_on_a_graph_with_a_log_is_added_and_dropped() {
    let file = File::of(&Draft::of(&random(3)), Profile::Compact);
    let log_a_value = || {
        let log = file.change().log(LogOptions::default(), &Task::new()).unwrap();
        let mut diff = Diff::new();
        diff.set(0, "NAME", ["logged"]);
        log.commit(&diff, Durability::Sync, &Task::new()).unwrap();
    };
    log_a_value();
    let first = file.add(LAYER, &sites([0, 1, 2])).unwrap().nodes.start;
    log_a_value();
    check(&file.open(), first, [0, 1, 2]);
    let again = file.add(LAYER, &sites([1, 0, 2])).unwrap().nodes.start;
    check(&file.open(), again, [1, 0, 2]);
    log_a_value();
    file.drop(LAYER).unwrap();
    let graph = file.open();
    assert_eq!(graph.property("NAME").unwrap().str(0).as_deref(), Some("logged"));
    assert_eq!(graph.live_node_count(), first);
}

/// The lists of three nodes, which have a few numbers, no numbers, and many numbers.
fn numbers() -> [Vec<i64>; 3] {
    [vec![7, -1, i64::MAX], Vec::new(), (0..20_000).map(|number| number * 7919 % 1000).collect()]
}

/// A diff that adds three nodes, the lists of numbers for these nodes (not yet added to the diff), and the
/// nodes.
fn lists(mut diff: Diff) -> (Diff, NumberLists, [NewNode; 3]) {
    diff.declare_label("RUN");
    let mut lists = diff.number_lists("NUMBERS");
    let nodes = [(); 3].map(|()| diff.add_node(&["RUN"]));
    nodes.into_iter().zip(numbers()).for_each(|(node, numbers)| lists.push(node, numbers));
    (diff, lists, nodes)
}

#[test]
fn lists_beside_a_diff_are_what_operations_make_of_them() {
    for profile in Profile::ALL {
        let draft = Draft::of(&random(3));
        let by_operations = File::of(&draft, profile);
        let (mut diff, _, nodes) = lists(Diff::new());
        nodes.into_iter().zip(numbers()).for_each(|(node, numbers)| diff.set(node, "NUMBERS", numbers));
        let first = by_operations.add(LAYER, &diff).unwrap().nodes.start;
        let digest = |file: &File| Digest::of(&file.open(), &Task::new()).unwrap();
        for memory in [None, Some(1)] {
            let file = File::of(&draft, profile);
            let on_disk =
                |bytes| Diff::with_memory(bytes, Arc::new(file.0.clone()), Path::new(PATH)).unwrap();
            let (diff, lists, _) = lists(memory.map_or_else(Diff::new, on_disk));
            assert_eq!(file.add_with(&diff, vec![lists]).unwrap().nodes, first..first + 3);
            let numbers_of = file.open().property("NUMBERS").unwrap();
            for (node, expected) in (first..).zip(numbers()) {
                assert_eq!(numbers_of.numbers(node).collect::<Vec<_>>(), expected);
            }
            assert_eq!(digest(&file), digest(&by_operations));
        }
    }
}

#[test]
fn lists_that_are_not_of_the_diff_or_given_twice_are_refused() {
    let file = File::of(&Draft::of(&random(3)), Profile::Compact);
    let before = file.bytes();
    let refused = |diff: &Diff, lists: Vec<NumberLists>| match file.add_with(diff, lists) {
        Err(ChangeError::Operation { operation, fault }) => {
            assert_eq!((operation, &file.bytes()), (diff.len() as u64, &before));
            fault
        }
        result => panic!("{result:?}"),
    };
    let (diff, of_other, _) = lists(Diff::new());
    let mut other = Diff::new();
    other.declare_label("RUN");
    other.add_node(&["RUN"]);
    assert!(
        matches!(refused(&other, vec![of_other]), ChangeFault::Unknown { name, .. } if name == "NUMBERS")
    );
    let (_, of_three, _) = lists(Diff::new());
    let mut fewer = Diff::new();
    fewer.declare_label("RUN");
    let _ = (fewer.number_lists("NUMBERS"), fewer.add_node(&["RUN"]));
    let fault = refused(&fewer, vec![of_three]);
    assert_eq!(fault, ChangeFault::NoSuchNew { number: 2, count: 1 });
    let twice = [(); 2].map(|()| lists(Diff::new()).1).into();
    assert!(matches!(refused(&diff, twice), ChangeFault::Declared { property, .. } if property == "NUMBERS"));
    let (mut both, of_both, nodes) = lists(Diff::new());
    both.set(nodes[1], "NUMBERS", [1]);
    assert!(matches!(refused(&both, vec![of_both]), ChangeFault::Declared { .. }));
}

#[test]
fn lists_that_find_no_room_on_the_disk_are_no_layer() {
    let file = File::of(&Draft::of(&random(3)), Profile::Compact);
    let before = file.bytes();
    let full = FaultVfs::new(Arc::new(file.0.clone()), FaultPlan::disk_full_after(1000));
    let (diff, lists, _) = lists(Diff::with_memory(1 << 20, Arc::new(full), Path::new(PATH)).unwrap());
    let result = file.add_with(&diff, vec![lists]);
    assert!(matches!(result, Err(ChangeError::Graph(GraphError::Store(_)))), "{result:?}");
    assert_eq!(file.bytes(), before);
}
