//! Tests the problems that `verify` reports: none for a graph that a writer wrote. For a graph that
//! contradicts itself, the report must name the column and the position.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

use varvite::change::ChangeError;
use varvite::columns::{Census, Facts};
use varvite::compare::Digest;
use varvite::inspect::ProgressUnit;
use varvite::{Cancel, Cardinality, GraphError, Profile, Task};
use varvite_format::NameId;
use varvite_model::{AST, ModelGraph, NodeId, RandomGraph, Value};
use varvite_testing::draft::{Draft, DraftEdges, DraftLabel, DraftProperty, DraftValues, PATH, open_bytes};
use varvite_testing::repair::{BEFORE_SEGMENTS, DIRECTORY_FIXED, repair};
use varvite_testing::vfs::MemoryVfs;

use crate::contradiction::Unchecked as _;
use crate::model::for_each_graph;

fn problems(draft: &Draft, profile: Profile) -> Vec<String> {
    draft.open(profile).verify(&Task::new().threads(2)).unwrap().problems
}

#[test]
fn nothing_is_wrong_with_what_the_engine_writes() {
    for_each_graph(0..250, |model, profile| {
        let draft = Draft::of(model);
        assert_eq!(problems(&draft, profile), [""; 0]);
        assert_eq!(problems(&draft.clone().with_shared_texts(), profile), [""; 0]);
        assert_eq!(problems(&draft.turned(), profile), [""; 0]);
    });
}

#[test]
fn progress_reaches_its_end_and_never_passes_it() {
    let graph = Draft::of(&sample()).open(Profile::Compact);
    let (most, end) = (AtomicU64::new(0), AtomicU64::new(0));
    let task = Task::new().threads(2).progress(|progress| {
        assert!(progress.done <= progress.total && progress.unit == ProgressUnit::Bytes);
        most.fetch_max(progress.done, Ordering::Relaxed);
        end.store(progress.total, Ordering::Relaxed);
    });
    assert_eq!(graph.verify(&task).unwrap().problems, [""; 0]);
    drop(task);
    assert_eq!(most.into_inner(), end.into_inner());
}

/// A flag that is set at the `number`-th check, counted from 0.
fn at_look(number: usize) -> Cancel {
    let looks = AtomicUsize::new(0);
    Cancel::when(move || looks.fetch_add(1, Ordering::Relaxed) >= number)
}

/// Cancels `work` at each of its checks of the flag. Returns the number of checks.
fn cancelled_everywhere<T: PartialEq + std::fmt::Debug>(
    work: impl Fn(&Task<'_>) -> varvite::Result<T>,
) -> usize {
    let expected = work(&Task::new().threads(1)).unwrap();
    for number in 0.. {
        match work(&Task::new().threads(1).cancel(&at_look(number))) {
            Ok(found) => {
                assert_eq!(found, expected);
                return number;
            }
            Err(error) => assert!(matches!(error, GraphError::Cancelled), "at look {number}: {error}"),
        }
    }
    unreachable!("it looks at most so often")
}

#[test]
fn wherever_a_reading_of_the_whole_graph_is_cancelled_it_says_so_and_nothing_else() {
    let graph = Draft::of(&sample()).indexed().open(Profile::Archive);
    let blocks = graph.verify(&Task::new()).unwrap().blocks as usize;
    assert!(cancelled_everywhere(|task| graph.verify(task)) > blocks);
    let columns = Digest::of(&graph, &Task::new()).unwrap().columns.len();
    assert!(cancelled_everywhere(|task| Digest::of(&graph, task)) > columns);
    assert!(cancelled_everywhere(|task| Facts::of(&graph, task)) > graph.properties().len());
    assert!(cancelled_everywhere(|task| varvite_cpg::Facts::of(&graph, task)) > graph.properties().len());
    assert!(cancelled_everywhere(|task| Census::of(&graph, task)) > graph.properties().len());
    // Cancelled work is not reported as damage to the graph.
    graph.check().unwrap();
}

#[test]
fn threads_that_are_cancelled_from_outside_all_end() {
    let graph = Draft::of(&sample()).open(Profile::Compact);
    let cancel = Cancel::default();
    let told = cancel.clone();
    let task = Task::new().threads(4).cancel(&cancel).progress(move |_| told.cancel());
    assert!(matches!(graph.verify(&task), Err(GraphError::Cancelled)));
    assert!(matches!(Digest::of(&graph, &task), Err(GraphError::Cancelled)));
    assert!(matches!(Facts::of(&graph, &task), Err(GraphError::Cancelled)));
    assert!(matches!(Census::of(&graph, &task), Err(GraphError::Cancelled)));
}

#[test]
fn a_damaged_segment_is_named_by_what_it_holds() {
    let draft = Draft::of(&sample());
    let mut bytes = draft.bytes(Profile::Direct);
    let graph = open_bytes(&bytes).unwrap();
    let property = graph.properties().iter().position(|info| info.name == "NAME").unwrap();
    let directory = graph.store().directory();
    let strings = directory.properties[property].strings.unwrap();
    let segment = directory.columns[strings.index()].segments[0].unwrap();
    bytes[directory.segments[segment.index()].offset as usize] ^= 1;
    let report = open_bytes(&bytes).unwrap().verify(&Task::new().threads(2)).unwrap();
    assert_eq!(report.damaged_segments, [segment]);
    assert!(report.problems[0].contains(&format!("segment {}, block 0", segment.0)), "{:?}", report.problems);
    let holds = format!("segment {} holds property NAME strings", segment.0);
    assert!(report.problems[1].starts_with(&holds), "{:?}", report.problems);
}

/// A graph of twelve nodes in three trees. Some nodes have several labels.
pub(crate) fn sample() -> ModelGraph {
    let mut graph = ModelGraph::default();
    for number in 0..12 {
        let node = graph.add_node(&[["METHOD", "BLOCK", "CALL"][number % 3]]);
        graph.set_property(node, "ORDER", vec![Value::I32(number as i32 * 1000)]);
        graph.set_property(node, "NAME", vec![Value::String(format!("name {}", number * 7 % 12))]);
        graph.set_property(node, "STRING_LIST", vec![Value::string("a"), Value::string("b")]);
        if number % 4 > 0 {
            graph.add_edge(NodeId(number - 1), AST, node, None);
            graph.set_property(node, "EVIDENCE", vec![Value::Ref(Some(NodeId(number - 1)))]);
            graph.set_property(node, "BOOL_LIST", vec![Value::Bool(true); number % 4]);
        }
        for back in 1..=number.min(4) {
            graph.add_edge(node, "CALL", NodeId(number - back), None);
            let name = Value::String(format!("v{back}"));
            graph.add_edge(node, RandomGraph::EDGE_PROPERTY_LABEL, NodeId(number - back), Some(name));
        }
    }
    graph
}

/// Access to the parts of a draft by their names.
trait Parts {
    fn label(&mut self, name: &str) -> &mut DraftLabel;
    fn edges(&mut self, name: &str) -> &mut DraftEdges;
    fn property(&mut self, name: &str) -> &mut DraftProperty;
    fn numbers(&mut self, name: &str) -> &mut Vec<i64>;
    fn texts(&mut self, name: &str) -> (&mut Vec<Vec<u8>>, &mut Vec<u32>);
}

impl Parts for Draft {
    fn label(&mut self, name: &str) -> &mut DraftLabel {
        self.labels.iter_mut().find(|label| label.name == name).unwrap()
    }

    fn edges(&mut self, name: &str) -> &mut DraftEdges {
        self.edges.iter_mut().find(|edges| edges.name == name).unwrap()
    }

    fn property(&mut self, name: &str) -> &mut DraftProperty {
        self.properties.iter_mut().find(|property| property.spec.name == name).unwrap()
    }

    fn numbers(&mut self, name: &str) -> &mut Vec<i64> {
        match &mut self.property(name).values {
            DraftValues::Numbers(numbers) => numbers,
            DraftValues::Texts { .. } => panic!("{name} holds texts"),
        }
    }

    fn texts(&mut self, name: &str) -> (&mut Vec<Vec<u8>>, &mut Vec<u32>) {
        match &mut self.property(name).values {
            DraftValues::Texts { texts, codes, .. } => (texts, codes),
            DraftValues::Numbers(_) => panic!("{name} holds numbers"),
        }
    }
}

/// Checks, in every profile, that the writer refuses a graph with one contradiction, and that `verify`
/// reports the problem in a file of that graph.
#[track_caller]
fn check(contradict: impl Fn(&mut Draft), expected: &str) {
    for profile in Profile::ALL {
        let mut draft = Draft::of(&sample());
        contradict(&mut draft);
        let refused = draft.write(Arc::new(MemoryVfs::new()), Path::new(PATH), profile);
        assert!(
            matches!(refused, Err(ChangeError::Input(_))),
            "{}: {expected:?}: {refused:?}",
            profile.name()
        );
        let problems = draft.open_unchecked(profile).verify(&Task::new().threads(2)).unwrap().problems;
        let is_told = problems.iter().any(|problem| problem.contains(expected));
        assert!(is_told, "{}: {problems:#?} do not say {expected:?}", profile.name());
    }
}

#[test]
fn label_sets_and_labels_contradict_each_other() {
    check(|draft| draft.codes[3] = 3, "node labels: expected a label set of node 3 from 0 to 2, found 3");
    check(|draft| draft.codes[3] = 1, "label METHOD nodes: expected 3 nodes, as label sets say, found 4");
    check(
        |draft| draft.codes.swap(3, 4),
        "label METHOD nodes: expected nodes whose label set has it, found node 3",
    );
}

/// The writer refuses a name that is already in use, so the test changes the file: it overwrites the name in
/// a row of the schema with the name in another row.
#[test]
fn names_are_taken() {
    for profile in Profile::ALL {
        let bytes = Draft::of(&sample()).bytes(profile);
        let graph = open_bytes(&bytes).unwrap();
        let (directory, superblock) = (graph.store().directory(), graph.store().superblock());
        let [name_row, layer_row, label_row, edge_label_row, property_row, ..] = BEFORE_SEGMENTS;
        let tables = superblock.directory_offset as usize + DIRECTORY_FIXED;
        let labels = tables + directory.names.len() * name_row + directory.layers.len() * layer_row;
        let properties =
            labels + directory.labels.len() * label_row + directory.edge_labels.len() * edge_label_row;
        let label = |name: &str| graph.labels().iter().position(|label| label.name == name).unwrap();
        let property = |name: &str| graph.properties().iter().position(|info| info.name == name).unwrap();
        let check = |row: usize, name: NameId, expected: &str| {
            let mut bytes = bytes.clone();
            bytes[row..row + 4].copy_from_slice(&name.0.to_le_bytes());
            repair(&mut bytes);
            let problems = open_bytes(&bytes).unwrap().verify(&Task::new().threads(2)).unwrap().problems;
            assert!(problems.iter().any(|problem| problem.contains(expected)), "{problems:#?}");
        };
        let (row, name) = (labels + label("NOBODY") * label_row, directory.labels[label("CALL")].name);
        check(row, name, "schema: expected each name once, found label CALL");
        let row = properties + property("NOWHERE") * property_row;
        let name = directory.properties[property("NAME")].name;
        check(row, name, "schema: expected each name once, found property NAME");
    }
}

#[test]
fn numbers_in_the_foreign_file_are_unique_and_below_their_count() {
    let origin =
        |numbers: Vec<u32>| move |draft: &mut Draft| draft.label("CALL").origin = Some(numbers.clone());
    check(origin(vec![5, 4, 3, 3]), "label CALL origin: expected a number for each node, found 3 again at 3");
    check(origin(vec![5, 4, 3, 6]), "label CALL origin: expected numbers below 6 at 3, found 6");
    check(origin(vec![5, 4, 3]), "label CALL origin: expected 4 numbers, found 3");
    let too_few = |draft: &mut Draft| {
        draft.label("CALL").origin_count = 3;
        draft.label("CALL").origin = None;
    };
    check(too_few, "label CALL origin: expected at least 4 nodes, found 3");
}

#[test]
fn lists_of_edges_make_no_sense() {
    check(
        |draft| draft.edges("CALL").in_.neighbors[7] = 12,
        "edges CALL in entries: expected 0 to 11 at entry 7",
    );
    check(
        |draft| draft.edges("CALL").out.neighbors[0] = 99,
        "edges CALL out entries: expected 0 to 11 at entry 0",
    );
}

#[test]
fn directions_hold_other_edges() {
    check(
        |draft| draft.edges("CALL").in_.neighbors[0] = 5,
        "edges CALL in: expected the edges of the out-lists, found different edges at node 0",
    );
    check(
        |draft| draft.edges("CALL").out.neighbors[9] = 11,
        "edges CALL in: expected the edges of the out-lists",
    );
    let listed = |draft: &mut Draft| {
        draft.is_forest_listed = true;
        draft.edges(AST).in_.neighbors[4] = 1;
    };
    check(listed, "edges AST in: expected the edges of the out-lists, found different edges at node 6");
    let places = |draft: &mut Draft| draft.edges("REACHING_DEF").places.as_mut().unwrap().swap(0, 1);
    check(
        places,
        "edges REACHING_DEF in: expected the edges of the out-lists, found different edges at node 0",
    );
    let none = |draft: &mut Draft| _ = draft.edges("REACHING_DEF").places.as_mut().unwrap().pop();
    check(none, "edges REACHING_DEF places: expected 38 values, found 37");
}

#[test]
fn the_forest_is_another() {
    let size = |node: usize, size| {
        move |draft: &mut Draft| {
            draft.is_forest_listed = true;
            draft.subtree.as_mut().unwrap()[node] = size;
        }
    };
    check(size(0, 2), "subtree sizes: expected children as in edges AST out, found others at node 0");
    check(size(3, 1), "found others at node 2");
    check(size(11, 1), "found others at node 10");
    let inside_out = |draft: &mut Draft| draft.subtree.as_mut().unwrap()[2] = 3;
    check(
        inside_out,
        "edges AST out subtree sizes: expected subtrees inside that of node 1, 9 edges together",
    );
    check(|draft| draft.edges(AST).in_.neighbors.push(0), "edges AST");
    check(|draft| _ = draft.subtree.as_mut().unwrap().pop(), "subtree sizes: expected 12 values, found 11");
}

#[test]
fn values_are_of_another_type() {
    check(
        |draft| draft.numbers("ORDER")[5] = 1 << 40,
        "property ORDER entries: expected -2147483648 to 2147483647 at entry 5, of node or edge 5, found 1099511627776",
    );
    check(
        |draft| draft.numbers("EVIDENCE")[2] = 12,
        "property EVIDENCE entries: expected 0 to 11 at entry 2",
    );
    check(
        |draft| draft.numbers("BOOL_LIST")[0] = 2,
        "property BOOL_LIST entries: expected 0 to 1 at entry 0",
    );
    check(
        |draft| draft.property("STRING_LIST").spec.cardinality = Cardinality::Optional,
        "property STRING_LIST: expected one value for owner 0, found 2",
    );
}

#[test]
fn texts_are_none_or_twice() {
    check(
        |draft| draft.texts("NAME").0[3] = vec![0xff, 0xfe],
        "property NAME strings: expected valid UTF-8 within the pool at text",
    );
    check(
        |draft| {
            let (texts, _) = draft.texts("NAME");
            texts[4] = texts[5].clone();
        },
        "property NAME strings: expected",
    );
}
