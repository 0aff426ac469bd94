//! Tests that graphs that are made node by node equal those of the model, and that an invalid call leaves the
//! graph unchanged.

use std::sync::Arc;

use varvite::change::{ChangeError, Diff, NewEdge, NewNode, NewValue, NodeRef, PropertyOwner};
use varvite::write::GraphChange;
use varvite::write::{AddedEdge, NewGraphOptions};
use varvite::{
    Cancel, Cardinality, ErrorCode, Graph, GraphError, IfExists, NewGraph, OpenOptions, Result, Task,
    Value as Stored, ValueType,
};
use varvite_model::{
    AST, AstShape, ModelGraph, NodeId, Presence, RandomGraph, RandomProperty, SplitMix64, Value,
};
use varvite_testing::vfs::{FaultPlan, FaultVfs, MemoryVfs};

use crate::histories::new_value;
use crate::model::{check_content, check_graph, for_each_graph};

const PATH: &str = "own.varvite";

/// A step that adds a value or an edge of the model to a new graph.
enum Step {
    Edge { label: String, source: NodeId, target: NodeId, property: Option<Value> },
    Values { node: NodeId, property: RandomProperty, values: Vec<Value> },
}

fn options(disk: &MemoryVfs) -> NewGraphOptions<'static> {
    NewGraphOptions::new().vfs(Arc::new(disk.clone()))
}

fn begin(disk: &MemoryVfs) -> NewGraph<'static> {
    options(disk).create(PATH).unwrap()
}

fn open(disk: &MemoryVfs) -> Graph {
    OpenOptions::new().open_in(disk, PATH).unwrap()
}

/// Steps that add everything in a model except its nodes, in random order.
fn steps_of(model: &ModelGraph, random: &mut SplitMix64) -> Vec<Step> {
    let edges = model.edges().into_iter().map(|edge| Step::Edge {
        label: edge.label.to_owned(),
        source: edge.source,
        target: edge.target,
        property: edge.property.cloned(),
    });
    let values = model.nodes().into_iter().flat_map(|node| {
        RandomGraph::PROPERTIES.map(|property| {
            let values = model.values(node, property.name).to_vec();
            Step::Values { node, property, values }
        })
    });
    let mut steps: Vec<Step> = edges.chain(values).collect();
    random.shuffle(&mut steps);
    steps
}

fn value_type(property: &RandomProperty) -> ValueType {
    let name = format!("{:?}", property.value_type).to_lowercase();
    ValueType::from_name(&name).unwrap()
}

fn declare(graph: &mut NewGraph<'_>) -> Result<(), ChangeError> {
    for property in &RandomGraph::PROPERTIES {
        let cardinality = match (property.list, property.presence) {
            (true, _) => Cardinality::List,
            (false, Presence::All) => Cardinality::One,
            (false, _) => Cardinality::Optional,
        };
        let value_type = value_type(property);
        graph.declare_property(property.name, PropertyOwner::Nodes, value_type, cardinality)?;
    }
    graph.declare_label("NOBODY")?;
    graph.declare_edge_label("NEVER")?;
    graph.declare_edge_label(AST)?;
    let owner = PropertyOwner::Edges(RandomGraph::EDGE_PROPERTY_LABEL);
    let name = RandomGraph::EDGE_PROPERTY_NAME;
    graph.declare_property(name, owner, ValueType::String, Cardinality::Optional)
}

/// Makes the graph of a model. Returns a copy of the model whose edges are in the same order as in the graph.
fn make(model: &ModelGraph, seed: u64, graph: &mut NewGraph<'_>) -> Result<ModelGraph, ChangeError> {
    let (mut random, mut same) = (SplitMix64::new(seed), ModelGraph::default());
    declare(graph)?;
    for node in model.nodes() {
        let labels: Vec<&str> = model.labels(node).iter().map(String::as_str).collect();
        assert_eq!(graph.add_node(&labels)? as usize, same.add_node(&labels).0);
    }
    for step in steps_of(model, &mut random) {
        match step {
            Step::Edge { label, source, target, property } => {
                let edge = graph.add_edge(&label, source.0 as u32, target.0 as u32)?;
                if let Some(value) = &property {
                    put_edge_value(graph, edge, value, &mut random)?;
                }
                same.add_edge(source, &label, target, property);
            }
            Step::Values { node, property, values } => {
                put_values(graph, node, &property, &values, &mut random)?;
                same.set_property(node, property.name, values);
            }
        }
    }
    Ok(same)
}

fn put_edge_value(
    graph: &mut NewGraph<'_>,
    edge: AddedEdge,
    value: &Value,
    random: &mut SplitMix64,
) -> Result<(), ChangeError> {
    if random.chance(30) {
        graph.set(edge, RandomGraph::EDGE_PROPERTY_NAME, "a value that another one takes the place of")?;
    }
    graph.set(edge, RandomGraph::EDGE_PROPERTY_NAME, stored(value))
}

/// Sets the values of a property. A list is set in several parts. If there is a single value, another value
/// is sometimes set first, which the single value then replaces.
fn put_values(
    graph: &mut NewGraph<'_>,
    node: NodeId,
    property: &RandomProperty,
    values: &[Value],
    random: &mut SplitMix64,
) -> Result<(), ChangeError> {
    let (owner, name) = (node.0 as u32, property.name);
    if property.list {
        let (first, rest) = values.split_at(random.below(values.len() + 1));
        graph.append(owner, name, first.iter().map(stored))?;
        return graph.append(owner, name, rest.iter().map(stored));
    }
    for value in values {
        if random.chance(30) && property.value_type == varvite_model::ValueType::String {
            graph.set(owner, name, "a value that another one takes the place of")?;
        }
        graph.set(owner, name, stored(value))?;
    }
    Ok(())
}

fn stored(value: &Value) -> NewValue<'_> {
    new_value(value, |node| NodeRef::Node(node.0 as u32))
}

fn is_sound(graph: &Graph) {
    assert_eq!(graph.verify(&Task::new().threads(1)).unwrap().problems, [""; 0]);
}

#[test]
fn a_graph_is_that_of_the_model_whose_edges_came_in_the_same_order() {
    for_each_graph(0..40, |model, profile| {
        if model.node_count() == 0 {
            return;
        }
        let disk = MemoryVfs::new();
        let mut new = options(&disk).profile(profile).create(PATH).unwrap();
        let expected = make(model, 7, &mut new).unwrap();
        let report = new.finish().unwrap();
        assert_eq!(
            (report.nodes as usize, report.edges as usize),
            (expected.node_count(), expected.edge_count())
        );
        assert_eq!(report.file_len, disk.contents(PATH).unwrap().len() as u64);
        let graph = open(&disk);
        check_content(&graph, &expected);
        assert_eq!(graph.tree_label(), None);
        is_sound(&graph);
    });
}

#[test]
fn nodes_are_numbered_along_the_tree_that_is_named() {
    for_each_graph(0..40, |model, profile| {
        if model.node_count() == 0 {
            return;
        }
        let disk = MemoryVfs::new();
        let mut new = options(&disk).profile(profile).tree(AST).index("NAME").create(PATH).unwrap();
        let expected = make(model, 8, &mut new).unwrap().in_canonical_order();
        new.finish().unwrap();
        let graph = open(&disk);
        check_graph(&graph, &expected);
        is_sound(&graph);
    });
}

#[test]
fn a_graph_whose_edges_and_values_are_on_the_disk_is_the_same() {
    let options_of =
        |nodes| RandomGraph { nodes, edges: 3 * nodes, ast: AstShape::SharedChildren, ..RandomGraph::new(5) };
    let model = options_of(3000).build().in_canonical_order();
    let disk = MemoryVfs::new();
    let mut new = options(&disk).tree(AST).task(Task::new().memory(64 << 20)).create(PATH).unwrap();
    let expected = make(&model, 9, &mut new).unwrap().in_canonical_order();
    new.finish().unwrap();
    check_graph(&open(&disk), &expected);
    is_sound(&open(&disk));
}

#[test]
fn equal_calls_make_equal_files_and_others_have_another_id() {
    let model = RandomGraph::new(3).build();
    let model = model.in_canonical_order();
    let bytes = |more: &dyn Fn(&mut NewGraph<'_>)| {
        let disk = MemoryVfs::new();
        let mut new = begin(&disk);
        make(&model, 1, &mut new).unwrap();
        more(&mut new);
        new.finish().unwrap();
        (disk.contents(PATH).unwrap(), open(&disk).store().header().file_id)
    };
    let (first, id) = bytes(&|_| ());
    assert!(bytes(&|_| ()).0 == first);
    let others: [&dyn Fn(&mut NewGraph<'_>); 6] = [
        &|new| new.add_node(&[]).map(drop).unwrap(),
        &|new| new.add_edge(AST, 0, 0).map(drop).unwrap(),
        &|new| new.set(0, "ORDER", 77).unwrap(),
        &|new| new.set(0, "CODE", "other").unwrap(),
        &|new| new.append(0, "STRING_LIST", [NewValue::Null]).unwrap(),
        &|new| new.declare_label("OTHER").unwrap(),
    ];
    for (number, other) in others.into_iter().enumerate() {
        assert_ne!(bytes(other).1, id, "call {number}");
    }
}

#[test]
fn names_are_there_from_their_first_use_with_the_type_of_the_first_value() {
    let disk = MemoryVfs::new();
    let mut new = begin(&disk);
    let nodes = [(); 3].map(|()| new.add_node(&["A"]).unwrap());
    new.set(nodes[0], "SIZE", 7u32).unwrap();
    new.set(nodes[1], "SIZE", -7i64).unwrap();
    nodes.iter().for_each(|node| new.set(*node, "RATE", 0.5).unwrap());
    new.append(nodes[0], "TAGS", ["x", "y"]).unwrap();
    new.set(nodes[2], "NEXT", NodeRef::Node(nodes[0])).unwrap();
    let edge = new.add_edge("TO", nodes[0], nodes[1]).unwrap();
    new.set(edge, "SIZE", true).unwrap();
    new.finish().unwrap();
    let graph = open(&disk);
    let told = |name: &str| {
        let property = graph.properties().iter().find(|property| property.name == name).unwrap();
        (property.value_type, property.cardinality)
    };
    assert_eq!(told("RATE"), (ValueType::F64, Cardinality::One));
    assert_eq!(told("TAGS"), (ValueType::String, Cardinality::List));
    assert_eq!(told("NEXT"), (ValueType::Ref, Cardinality::Optional));
    let size = graph.property("SIZE").unwrap();
    assert_eq!([0, 1, 2].map(|node| size.get(node)), [Some(Stored::Int(7)), Some(Stored::Int(-7)), None]);
}

#[test]
fn a_graph_made_in_a_file_is_changed_by_a_path_alone() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(PATH);
    let mut new = NewGraph::create(&path).unwrap();
    let node = new.add_node(&["A"]).unwrap();
    new.declare_edge_label("TO").unwrap();
    new.finish().unwrap();
    let mut diff = Diff::new();
    let added = diff.add_node(&["A"]);
    diff.add_edge("TO", node, added);
    let applied = GraphChange::open(&path).unwrap().apply(&diff).unwrap();
    let graph = Graph::open(&path).unwrap();
    assert!(graph.out("TO").unwrap().neighbors(node).eq([applied.node(added)]));
    let error = NewGraph::create(&path).unwrap_err();
    assert_eq!(error.code(), ErrorCode::Exists);
    let mut other = NewGraphOptions::new().if_exists(IfExists::Replace).create(&path).unwrap();
    other.add_node(&["B"]).unwrap();
    other.finish().unwrap();
    assert_eq!(Graph::open(&path).unwrap().node_count(), 1);
}

/// Tests that an invalid call gives an error with the reason, and changes nothing.
#[test]
fn a_call_that_makes_no_sense_says_so_and_changes_nothing() {
    let foreign = {
        let disk = MemoryVfs::new();
        let mut other = begin(&disk);
        other.add_node(&[]).unwrap();
        (0..9).map(|_| other.add_edge("TO", 0, 0).unwrap()).last().unwrap()
    };
    type Call<'c> = &'c dyn Fn(&mut NewGraph<'_>) -> Result<(), ChangeError>;
    let declare_size = |new: &mut NewGraph<'_>, value_type, cardinality| {
        new.declare_property("SIZE", PropertyOwner::Nodes, value_type, cardinality)
    };
    let too_long = "x".repeat(5000);
    let calls: [(Call<'_>, &str); 18] = [
        (&|new| new.add_edge("TO", 0, 2).map(drop), "there is no node 2: ids are 0 to 1"),
        (&|new| new.add_edge("TO", 9, 0).map(drop), "there is no node 9: ids are 0 to 1"),
        (&|new| new.set(2, "SIZE", 1), "there is no node 2: ids are 0 to 1"),
        (&|new| new.set(0, "NEXT", NodeRef::Node(2)), "there is no node 2: ids are 0 to 1"),
        (
            &|new| new.set(foreign, "W", 1),
            "argument owner: expected an edge of the label that exists, found 8 where there are 1",
        ),
        (
            &|new| new.add_node(&["GOOD", "A\0B"]).map(drop),
            "argument name of node labels: expected a name without NUL, found one at byte 1",
        ),
        (&|new| new.add_node(&[""]).map(drop), "argument name of node labels: expected a name, found none"),
        (
            &|new| new.add_node(&[&too_long]).map(drop),
            "argument name of node labels: expected at most 4096 bytes, found 5000",
        ),
        (
            &|new| new.add_edge("", 0, 1).map(drop),
            "argument name of edge labels: expected a name, found none",
        ),
        (&|new| new.set(0, "", 1), "argument name of properties: expected a name, found none"),
        (
            &|new| new.set(0, "A\0", 1),
            "argument name of properties: expected a name without NUL, found one at byte 1",
        ),
        (&|new| new.set(0, "SIZE", "large"), "property SIZE holds i64, not string"),
        (&|new| new.set(0, "SIZE", u64::MAX), "property SIZE holds i64, not u64"),
        (
            &|new| new.append(0, "SIZE", [1]),
            "argument property SIZE: expected one value that is set, as the property has no lists, found others",
        ),
        (
            &|new| new.set(0, "TAGS", "x"),
            "argument property TAGS: expected values that are appended, as the property has lists, found others",
        ),
        (
            &|new| new.append(0, "TAGS", [NewValue::from("x"), 1.into()]),
            "property TAGS holds string, not integer",
        ),
        (&|new| declare_size(new, ValueType::I32, Cardinality::Optional), "property SIZE holds i64, not i32"),
        (
            &|new| new.set(0, "EMPTY", NewValue::Null),
            "argument property EMPTY: expected a value that has a type, or a declaration, found none",
        ),
    ];
    let make = |call: Option<(Call<'_>, &str)>| {
        let disk = MemoryVfs::new();
        let mut new = begin(&disk);
        (0..2).for_each(|_| new.add_node(&["A"]).map(drop).unwrap());
        new.add_edge("TO", 0, 1).unwrap();
        new.set(0, "SIZE", 3).unwrap();
        new.append(1, "TAGS", ["a"]).unwrap();
        if let Some((call, message)) = call {
            assert_eq!(call(&mut new).unwrap_err().to_string(), message);
        }
        new.finish().unwrap();
        disk.contents(PATH).unwrap()
    };
    let expected = make(None);
    for (call, message) in calls {
        assert!(make(Some((call, message))) == expected, "{message}");
    }
}

#[test]
fn what_can_not_be_finished_leaves_no_file() {
    let check = |options: &dyn Fn(NewGraphOptions<'static>) -> NewGraphOptions<'static>,
                 fill: &dyn Fn(&mut NewGraph<'_>),
                 message: &str| {
        let disk = MemoryVfs::new();
        let mut new = options(self::options(&disk)).create(PATH).unwrap();
        fill(&mut new);
        assert_eq!(new.finish().unwrap_err().to_string(), message);
        assert_eq!(disk.contents(PATH), None, "{message}");
        assert!(!disk.paths().iter().any(|path| path.to_string_lossy().ends_with(".partial")), "{message}");
        // A graph that failed does not occupy its path: a new graph can begin there.
        drop(begin(&disk));
    };
    let node = |new: &mut NewGraph<'_>| new.add_node(&["A"]).map(drop).unwrap();
    check(&|options| options, &|_| (), "argument graph: expected at least 1 nodes, found 0");
    check(&|options| options.tree("TREE"), &node, "there is no edge label \"TREE\" in this graph");
    check(&|options| options.index("NAME"), &node, "there is no property \"NAME\" in this graph");
    let number = |new: &mut NewGraph<'_>| {
        node(new);
        new.set(0, "NAME", 1).unwrap();
    };
    check(&|options| options.index("NAME"), &number, "property NAME holds i64, not string");
    let cancel = Cancel::default();
    cancel.cancel();
    check(&|options| options.task(Task::new().cancel(&cancel)), &node, "cancelled");
}

#[test]
fn a_graph_that_is_dropped_leaves_nothing_and_two_at_once_are_refused() {
    let disk = MemoryVfs::new();
    let mut new = begin(&disk);
    new.add_node(&["A"]).unwrap();
    assert_eq!(options(&disk).create(PATH).unwrap_err().code(), ErrorCode::Busy);
    drop(new);
    assert_eq!(disk.contents(PATH), None);
    begin(&disk).add_node(&["A"]).unwrap();
}

#[test]
fn after_too_little_memory_every_call_says_so() {
    let disk = MemoryVfs::new();
    let mut new = options(&disk).task(Task::new().memory(100_000)).create(PATH).unwrap();
    let error = loop {
        if let Err(error) = new.add_node(&["A"]) {
            break error;
        }
    };
    assert!(matches!(error, ChangeError::Graph(GraphError::OverBudget(_))), "{error}");
    assert_eq!(new.set(0, "SIZE", 1).unwrap_err().to_string(), error.to_string());
    assert_eq!(new.finish().unwrap_err().to_string(), error.to_string());
    assert_eq!(disk.contents(PATH), None);
}

#[test]
fn after_a_failure_of_the_disk_every_call_says_so() {
    let disk = MemoryVfs::new();
    let full = FaultVfs::new(Arc::new(disk.clone()), FaultPlan::disk_full_after(100_000));
    let mut new = NewGraphOptions::new().vfs(Arc::new(full)).create(PATH).unwrap();
    new.add_node(&["A"]).unwrap();
    let error = loop {
        if let Err(error) = new.add_edge("TO", 0, 0) {
            break error;
        }
    };
    assert_eq!(error.code(), ErrorCode::Io);
    assert_eq!(new.add_node(&["A"]).unwrap_err().to_string(), error.to_string());
    assert!(new.finish().is_err());
    assert_eq!(disk.contents(PATH), None);
}

/// A diff with every kind of addition, for a graph that has nodes 0 and 1 and an edge TO.
fn additions() -> Diff {
    let mut diff = Diff::new();
    let node = diff.add_node(&["A", "B"]);
    let edge = diff.add_edge("TO", 1, node);
    diff.set(edge, "W", [0.5]);
    diff.set(("TO", 0), "W", [1.5]);
    diff.set(node, "NEXT", [node]);
    diff.set(1, "NEXT", [NodeRef::from(node)]);
    diff.append(node, "TAGS", ["x", "y"]);
    diff.append(node, "TAGS", [NewValue::Null]);
    diff.declare_label("NOBODY");
    diff.declare_edge_label("NEVER");
    diff.declare_property("COUNT", PropertyOwner::Edges("TO"), ValueType::U8, Cardinality::List);
    diff.append(edge, "COUNT", [7, 8]);
    diff
}

fn begin_pair(disk: &MemoryVfs) -> NewGraph<'static> {
    let mut new = begin(disk);
    (0..2).for_each(|_| new.add_node(&["A"]).map(drop).unwrap());
    new.add_edge("TO", 0, 1).unwrap();
    new
}

#[test]
fn bytes_name_their_own_nodes_and_edges_and_those_of_the_graph() {
    let disk = MemoryVfs::new();
    let mut new = begin_pair(&disk);
    new.apply_bytes(&additions().to_bytes().unwrap()).unwrap();
    assert_eq!(new.node_count(), 3);
    // In the bytes of a diff, the numbers of new elements begin at 0, whatever the graph already has.
    new.apply_bytes(&additions().to_bytes().unwrap()).unwrap();
    let report = new.finish().unwrap();
    assert_eq!((report.nodes, report.edges), (4, 3));
    let graph = open(&disk);
    is_sound(&graph);
    assert!(graph.out("TO").unwrap().neighbors(1).eq([2, 3]));
    let next = graph.property("NEXT").unwrap();
    assert_eq!([1, 2, 3].map(|node| next.get(node)), [3, 2, 3].map(|node| Some(Stored::Ref(Some(node)))));
    assert_eq!(graph.property("TAGS").unwrap().all(2).count(), 3);
}

#[test]
fn an_operation_that_makes_no_sense_ends_bytes_with_its_number() {
    type Say<'d> = &'d dyn Fn(&mut Diff);
    let wrong: [(Say<'_>, ErrorCode, &str); 12] = [
        (&|diff| diff.remove_node(0), ErrorCode::Argument, "accepts only additions"),
        (&|diff| diff.remove_edge("TO", 0), ErrorCode::Argument, "accepts only additions"),
        (&|diff| diff.clear(0, "W"), ErrorCode::Argument, "accepts only additions"),
        (&|diff| diff.set(0, "SIZE", [1, 2]), ErrorCode::Argument, "SIZE is not a list"),
        (&|diff| _ = diff.add_edge("TO", 0, 9), ErrorCode::NoSuchNode, "there is no node 9: ids are below 3"),
        (&|diff| diff.set(9, "SIZE", [1]), ErrorCode::NoSuchNode, "there is no node 9"),
        (&|diff| diff.set(("TO", 7), "W", [1]), ErrorCode::Argument, "found 7 where there are 2"),
        (&|diff| diff.set(("NO", 0), "W", [1]), ErrorCode::Argument, "found 0 where there are 0"),
        (&|diff| diff.set(NewNode::from_index(4), "SIZE", [1]), ErrorCode::Argument, "new number 4"),
        (&|diff| diff.set(NewEdge::from_index(1), "W", [1]), ErrorCode::Argument, "new number 1"),
        (
            &|diff| diff.append(0, "TAGS", [1]),
            ErrorCode::WrongType,
            "TAGS holds string, integer does not fit",
        ),
        (&|diff| diff.declare_label(""), ErrorCode::Argument, "expected a name, found none"),
    ];
    let disk = MemoryVfs::new();
    let mut expected = begin_pair(&disk);
    expected.apply_bytes(&additions().to_bytes().unwrap()).unwrap();
    let expected = expected.finish().unwrap();
    for (say, code, message) in wrong {
        let disk = MemoryVfs::new();
        let mut new = begin_pair(&disk);
        let mut diff = additions();
        say(&mut diff);
        diff.add_node(&["C"]);
        let error = new.apply_bytes(&diff.to_bytes().unwrap()).unwrap_err();
        assert_eq!(error.code(), code, "{error}");
        assert!(
            error.to_string().starts_with("operation 12: ") && error.to_string().contains(message),
            "{error}"
        );
        assert!(matches!(error, ChangeError::Operation { .. }), "{error}");
        // Operations in the bytes of a diff are numbered after the operations that came before.
        let mut diff = Diff::new();
        say(&mut diff);
        assert_eq!(
            new.apply_bytes(&diff.to_bytes().unwrap()).unwrap_err().to_string()[..13],
            *"operation 12:"
        );
        assert_eq!(new.finish().unwrap(), expected, "{message}");
    }
}

#[test]
fn no_byte_of_additions_makes_a_panic_or_a_file_that_is_not_sound() {
    let bytes = additions().to_bytes().unwrap();
    for at in 0..bytes.len() {
        for byte in [0, 2, 255] {
            let mut changed = bytes.clone();
            changed[at] = byte;
            let disk = MemoryVfs::new();
            let mut new = begin_pair(&disk);
            if let Err(error) = new.apply_bytes(&changed) {
                assert!(!error.to_string().is_empty());
            }
            if new.finish().is_ok() {
                is_sound(&open(&disk));
            }
        }
    }
    for length in 0..bytes.len() {
        let mut new = begin_pair(&MemoryVfs::new());
        assert!(new.apply_bytes(&bytes[..length]).is_err(), "{length} bytes");
    }
    let mut new = begin_pair(&MemoryVfs::new());
    let longer = [&bytes[..], b"\0"].concat();
    assert_eq!(new.apply_bytes(&longer).unwrap_err().code(), ErrorCode::Argument);
}
