//! Tests reads of values, texts, labels and nodes in changed graphs. Reading many at once must give the same
//! as reading each alone, and every answer must equal the model's.

use std::path::Path;
use std::sync::Arc;

use varvite::change::{Diff, ElementRef, NewNode, NodeRef};
use varvite::columns::GraphScan;
use varvite::pipeline::{Options, Pipeline, PipelineError, contains, eq, gt, it, ne, none_of};
use varvite::write::{GraphChange, IndexChange, change_indexes, compact};
use varvite::{Graph, LabelId, OpenOptions, Profile, Property, Task};
use varvite_model::{AST, ModelGraph, NodeId, RandomGraph, SplitMix64, Value};
use varvite_testing::draft::{Draft, PATH};
use varvite_testing::iterators::{check_both_ends, check_exact};
use varvite_testing::vfs::MemoryVfs;

use crate::histories::new_value;
use crate::index;
use crate::model::{cases_of_long_run, check_numbers, check_selected, check_values, random};
use crate::pipeline::generator::Generator;
use crate::pipeline::random::in_order;
use crate::pipeline::{oracle, rows_with};

/// The number of graphs, and of diffs for each graph.
const SEEDS: u64 = 60;
const DIFFS: usize = 3;
/// The number of pipelines on each graph.
const PIPELINES: u64 = 40;

/// A graph, both as a file and as the model. Every diff changes both.
struct Changed {
    disk: MemoryVfs,
    model: ModelGraph,
    random: SplitMix64,
    /// The graph from which new values are taken.
    other: ModelGraph,
}

impl Changed {
    fn of(seed: u64) -> Self {
        let mut model = random(seed);
        if seed % 2 == 1 {
            keep_first_values(&mut model);
        }
        let draft = Draft::of(&model);
        let draft = match seed % 3 {
            0 => draft.indexed(),
            1 => draft.with_shared_texts(),
            _ => draft,
        };
        let disk = MemoryVfs::new();
        disk.put(PATH, &draft.bytes(Profile::ALL[seed as usize % Profile::ALL.len()]));
        let other = random(seed + 1000);
        let mut changed = Self { disk, model, random: SplitMix64::new(seed), other };
        (0..DIFFS).for_each(|_| changed.step());
        changed
    }

    fn open(&self) -> Graph {
        OpenOptions::new().open_in(&self.disk, PATH).unwrap()
    }

    fn below(&mut self, end: usize) -> usize {
        self.random.below(end)
    }

    fn any_node(&mut self) -> Option<NodeId> {
        let nodes = self.model.nodes();
        (!nodes.is_empty()).then(|| nodes[self.below(nodes.len())])
    }

    fn step(&mut self) {
        let mut diff = Diff::new();
        self.remove_nodes(&mut diff);
        let first = self.model.slot_count();
        let new_nodes = self.add_nodes(&mut diff);
        let node_ref = |id: NodeId| match id.0.checked_sub(first) {
            None => NodeRef::Node(id.0 as u32),
            Some(number) => NodeRef::New(new_nodes[number]),
        };
        for _ in 0..self.below(6) {
            let (Some(source), Some(target)) = (self.any_node(), self.any_node()) else { continue };
            let label = ["CFG", "REF", RandomGraph::EDGE_PROPERTY_LABEL, AST][self.below(4)];
            let is_known = self.open().edge_labels().iter().any(|known| known.name == label);
            // Edges are chosen so that the AST stays a tree.
            if is_known && (label != AST || self.model.sources(target, AST).is_empty() && target.0 >= first) {
                if label == AST && source.0 >= first {
                    continue;
                }
                diff.add_edge(label, node_ref(source), node_ref(target));
                self.model.add_edge(source, label, target, None);
            }
        }
        for _ in 0..self.below(40) {
            let Some(node) = self.any_node() else { continue };
            let property = RandomGraph::PROPERTIES[self.below(RandomGraph::PROPERTIES.len())];
            let values = self.values(property.name);
            let new: Vec<_> = values.iter().map(|value| new_value(value, node_ref)).collect();
            let owner = ElementRef::Node(node_ref(node));
            if property.name.ends_with("_LIST") && self.below(3) == 0 {
                diff.append(owner, property.name, new);
                let before = self.model.values(node, property.name).to_vec();
                self.model.set_property(node, property.name, [before, values].concat());
                continue;
            }
            diff.set(owner, property.name, new);
            self.model.set_property(node, property.name, values);
        }
        let change = GraphChange::begin(Arc::new(self.disk.clone()), Path::new(PATH)).unwrap();
        change.apply_with(&diff, &Task::new().threads(1)).unwrap();
    }

    fn remove_nodes(&mut self, diff: &mut Diff) {
        for _ in 0..self.below(4) {
            let Some(node) = self.any_node() else { return };
            // A node to which a value refers is not removed.
            let refers = |other: &NodeId| {
                let values = self.model.properties(*other).values().flatten();
                values.clone().any(|value| *value == Value::Ref(Some(node)))
            };
            if !self.model.nodes().iter().any(refers) {
                diff.remove_node(node.0 as u32);
                self.model.remove_node(node);
            }
        }
    }

    fn add_nodes(&mut self, diff: &mut Diff) -> Vec<NewNode> {
        let graph = self.open();
        let names: Vec<&str> = graph.labels().iter().map(|label| label.name.as_str()).collect();
        let mut added = Vec::new();
        for _ in 0..self.below(8) {
            let labels: Vec<&str> = (0..1 + self.below(2)).map(|_| names[self.below(names.len())]).collect();
            added.push(diff.add_node(&labels));
            self.model.add_node(&labels);
        }
        added
    }

    /// The values of a property at a random node of this graph or of `other`; sometimes none.
    fn values(&mut self, name: &str) -> Vec<Value> {
        let from_other = self.below(2) == 0 && !name.starts_with("EVIDENCE");
        let graph = if from_other { &self.other } else { &self.model };
        let owners: Vec<NodeId> =
            graph.nodes().into_iter().filter(|node| !graph.values(*node, name).is_empty()).collect();
        if owners.is_empty() || self.random.below(5) == 0 {
            return Vec::new();
        }
        let owner = owners[self.random.below(owners.len())];
        if from_other { &self.other } else { &self.model }.values(owner, name).to_vec()
    }
}

/// Removes all but one value of each list, so that the base has no list columns and lists come only from
/// changes.
fn keep_first_values(model: &mut ModelGraph) {
    for node in model.nodes() {
        for property in RandomGraph::PROPERTIES {
            let first: Vec<Value> = model.values(node, property.name).iter().take(1).cloned().collect();
            model.set_property(node, property.name, first);
        }
    }
}

/// Tests a property of which each node has one value in the base, and of which a change adds a second value
/// to one node.
#[test]
fn a_second_value_counts_where_the_base_has_one_for_each_node() {
    let mut model = ModelGraph::default();
    for _ in 0..100 {
        let node = model.add_node(&["LITERAL"]);
        model.set_property(node, "STRING_LIST", vec![Value::String("str".into())]);
        model.set_property(node, "I64_LIST", vec![Value::I64(7)]);
    }
    let disk = MemoryVfs::new();
    disk.put(PATH, &Draft::of(&model).bytes(Profile::Direct));
    let mut diff = Diff::new();
    diff.append(ElementRef::Node(NodeRef::Node(60)), "STRING_LIST", ["my.Type"]);
    diff.append(ElementRef::Node(NodeRef::Node(61)), "I64_LIST", [8_i64]);
    let change = GraphChange::begin(Arc::new(disk.clone()), Path::new(PATH)).unwrap();
    change.apply_with(&diff, &Task::new().threads(1)).unwrap();
    let graph = OpenOptions::new().open_in(&disk, PATH).unwrap();
    let text = |is| varvite::pipeline::nodes("LITERAL").has("STRING_LIST", is);
    let number = |is| varvite::pipeline::nodes("LITERAL").has("I64_LIST", is);
    let check = |pipeline: varvite::pipeline::Pipeline, expected: &[&str]| {
        for threads in [1, 3] {
            let options = Options {
                task: Task::new().threads(threads),
                eager_threads: threads > 1,
                ..Options::default()
            };
            assert_eq!(rows_with(&graph, &pipeline, options), expected, "{}", pipeline.to_json());
        }
    };
    check(text(ne("str")), &["#60"]);
    check(text(none_of(["str", "other"])), &["#60"]);
    check(text(eq("my.Type")), &["#60"]);
    check(text(contains("y.T")), &["#60"]);
    check(number(ne(7)), &["#61"]);
    check(number(none_of([7, 9])), &["#61"]);
    check(number(gt(7)), &["#61"]);
    check(
        varvite::pipeline::nodes(varvite::pipeline::ALL).has_label("LITERAL").has("I64_LIST", ne(7)),
        &["#61"],
    );
    check(varvite::pipeline::nodes("LITERAL").where_(it().has("STRING_LIST", ne("str"))), &["#60"]);
}

/// Runs `test` on each changed graph. If `test` panics, prints the seed of the graph.
fn for_each_changed(test: impl Fn(&Changed, &Graph)) {
    struct Tried(u64);
    impl Drop for Tried {
        fn drop(&mut self) {
            if std::thread::panicking() {
                eprintln!("with the graph of seed {}", self.0);
            }
        }
    }
    for seed in 0..SEEDS {
        let _tried = Tried(seed);
        let changed = Changed::of(seed);
        test(&changed, &changed.open());
    }
}

#[test]
fn values_are_those_of_the_model_however_they_are_read() {
    for_each_changed(|changed, graph| {
        for property in RandomGraph::PROPERTIES {
            let found = graph.property(property.name).unwrap();
            check_property(&found, &changed.model, property.name);
            check_numbers(&found, graph.node_count());
            check_texts(&found);
        }
        if graph.edge_labels().iter().any(|label| label.name == RandomGraph::EDGE_PROPERTY_LABEL) {
            let found = graph.edge_property(RandomGraph::EDGE_PROPERTY_LABEL, None).unwrap();
            let ranks = found.owners().next_back().map_or(0, |last| last + 1);
            check_numbers(&found, ranks);
        }
        graph.check().unwrap();
    });
}

fn check_property(property: &Property, model: &ModelGraph, name: &str) {
    let mut owners = Vec::new();
    for slot in 0..model.slot_count() {
        let (node, id) = (NodeId(slot), slot as u32);
        let expected = if model.contains(node) { model.values(node, name) } else { &[] };
        check_values(property, id, expected, name);
        assert_eq!(property.is_present(id), !expected.is_empty());
        owners.extend((!expected.is_empty()).then_some(id));
    }
    check_exact(property.owners(), &owners);
    for start in (0..=model.slot_count() as u32).step_by(5) {
        let from = owners.partition_point(|owner| *owner < start);
        check_exact(property.owners_from(start), &owners[from..]);
    }
    assert_eq!(property.len() as usize, owners.len());
    let mut cursor = property.cursor();
    for owner in (0..model.slot_count() as u32 + 3).chain((0..model.slot_count() as u32).rev()) {
        assert_eq!(cursor.number(owner), property.number(owner));
    }
}

/// Checks that each text has one code, and that a search for the text finds it.
fn check_texts(property: &Property) {
    let Some(texts) = property.strings() else { return };
    let mut reader = texts.reader();
    let mut all = Vec::new();
    for code in 0..texts.len() {
        let bytes = texts.get(code).unwrap().to_vec();
        assert_eq!(reader.bytes(code), Some(&bytes[..]));
        if let Ok(text) = String::from_utf8(bytes) {
            assert_eq!(texts.find(&text), Some(code), "{text:?}");
            all.push((text, Some(code)));
        }
    }
    all.push(("no such text".to_owned(), None));
    all.reverse();
    all.extend_from_within(..all.len().min(3));
    let (wanted, expected): (Vec<&str>, Vec<Option<u32>>) =
        all.iter().map(|(text, code)| (text.as_str(), *code)).unzip();
    assert_eq!(texts.find_each(&wanted), expected);
    assert!(texts.get(texts.len()).is_none() && reader.bytes(texts.len()).is_none());
}

#[test]
fn indexes_older_and_newer_than_changes_lead_to_the_same_nodes() {
    for_each_changed_mut(|_, changed, graph| {
        if graph.indexed_properties().next().is_some() {
            index::check(graph, &changed.model);
        }
        let is_indexed = |name: &str| graph.indexed_properties().any(|property| property.name == name);
        let (drop, add): (Vec<String>, Vec<String>) =
            index::STRINGS.iter().map(|name| (*name).to_owned()).partition(|name| is_indexed(name));
        let change = |change| {
            let vfs = Arc::new(changed.disk.clone());
            change_indexes(vfs, Path::new(PATH), change, &Task::new().threads(1)).unwrap();
        };
        change(IndexChange { drop: &drop, add: &[] });
        change(IndexChange { drop: &[], add: &[drop.clone(), add].concat() });
        let graph = changed.open();
        index::check(&graph, &changed.model);
        assert_eq!(graph.verify(&Task::new().threads(1)).unwrap().problems, [""; 0]);
    });
}

#[test]
fn labels_are_those_of_the_model_however_they_are_read() {
    for_each_changed(|changed, graph| {
        let (model, sets) = (&changed.model, graph.label_sets().unwrap());
        assert_eq!(graph.live_node_count() as usize, model.node_count());
        let pass = GraphScan::new(graph);
        let decoded = varvite::NodeLabels::of(&pass).unwrap();
        for (id, label) in graph.label_ids().zip(graph.labels()) {
            let nodes = graph.nodes_of(id).unwrap();
            let of_label = model.nodes_with_label(&label.name);
            let expected: Vec<u32> = of_label.iter().map(|node| node.0 as u32).collect();
            check_exact(nodes.iter(), &expected);
            check_both_ends(decoded.nodes_with(&label.name), &expected);
            assert_eq!(nodes.len() as usize, expected.len());
            for start in (0..=graph.node_count()).step_by(3) {
                let from = expected.partition_point(|node| *node < start);
                check_exact(nodes.iter_from(start), &expected[from..]);
                assert_eq!(nodes.count_in(0..start) as usize, from);
                assert_eq!(nodes.count_in(start..u32::MAX) as usize, expected.len() - from);
            }
            check_selected(&nodes, &sets, id, graph.node_count());
            let test = sets.test(id);
            for node in 0..graph.node_count() {
                let has = expected.binary_search(&node).is_ok();
                assert_eq!((nodes.contains(node), sets.has(node, id), test.matches(node)), (has, has, has));
            }
        }
        for node in 0..graph.node_count() {
            let slot = NodeId(node as usize);
            assert_eq!(graph.is_removed(node).unwrap(), !model.contains(slot));
            let has = |label: &LabelId| {
                model.contains(slot) && model.has_label(slot, &graph.labels()[label.index()].name)
            };
            check_exact(sets.of(node), &graph.label_ids().filter(has).collect::<Vec<_>>());
        }
        graph.check().unwrap();
    });
}

#[test]
fn nothing_is_wrong_with_a_changed_graph() {
    for_each_changed(|_, graph| {
        assert_eq!(graph.verify(&Task::new().threads(1)).unwrap().problems, [""; 0]);
    });
}

#[test]
fn facts_of_a_changed_graph_are_those_of_the_model() {
    for_each_changed(|changed, graph| {
        let expected = varvite_model::Facts::within_steps(&changed.model, 20_000);
        let facts = varvite_cpg::Facts::of(graph, &Task::new()).unwrap();
        crate::model::check_facts(facts, expected);
        let census = varvite::columns::Census::of(graph, &Task::new()).unwrap();
        let nodes: u64 = census.labels.iter().map(|(_, count)| count).sum();
        assert_eq!(nodes as usize, changed.model.node_count());
        varvite::compare::Digest::of(graph, &Task::new()).unwrap();
    });
}

/// Runs random plans on changed graphs in each profile, and on the same graphs after compaction.
/// `PROPTEST_CASES` sets the number of plans.
#[test]
fn pipelines_on_a_changed_graph_give_what_plain_loops_give() {
    let seeds = cases_of_long_run().map_or(SEEDS, |plans| plans.div_ceil(2 * PIPELINES));
    let (mut compared, mut with_rows) = (0, 0);
    for seed in 0..seeds {
        let changed = Changed::of(seed);
        let mut check = |model: &ModelGraph, graph: &Graph, sizes: &[usize], state: &str| {
            for number in 0..PIPELINES {
                let pipeline = Generator::new(seed * 1000 + number, model).pipeline();
                let Some(expected) = expected_rows(model, graph, &pipeline) else { continue };
                for batch_rows in sizes {
                    let options = Options { batch_rows: *batch_rows, ..Options::default() };
                    let found = without_ranks(rows_with(graph, &pipeline, options));
                    let (found, expected) =
                        (in_order(&pipeline, found), in_order(&pipeline, expected.clone()));
                    let plan = pipeline.to_json();
                    assert_eq!(found, expected, "{state} graph {seed}, {plan}, batches of {batch_rows}");
                }
                compared += 1;
                with_rows += u32::from(!expected.is_empty());
            }
        };
        check(&changed.model, &changed.open(), &[2048, 1, 7], "changed");
        compact(Arc::new(changed.disk.clone()), Path::new(PATH), &Task::new().threads(1)).unwrap();
        check(&changed.model.in_canonical_order(), &changed.open(), &[2048, 3], "compacted");
    }
    println!("{compared} random plans, {with_rows} with rows");
    assert!(compared > 2000 && with_rows > 1000, "{compared} compared, {with_rows} with rows");
}

/// The result of a plan, computed by plain loops. `None` if the plan is invalid for the graph, or takes too
/// long.
fn expected_rows(model: &ModelGraph, graph: &Graph, pipeline: &Pipeline) -> Option<Vec<String>> {
    match pipeline.compile(graph) {
        Ok(_) => oracle::rows_of(model, pipeline).ok().map(without_ranks),
        Err(PipelineError::NoSuchNode { node, .. }) => {
            assert!(!model.contains(NodeId(node as usize)));
            None
        }
        Err(_) => None,
    }
}

/// The rows without the ranks of edges. Ranks can't be compared, because the engine numbers new edges after
/// those of the base, while the model numbers all edges anew.
fn without_ranks(mut rows: Vec<String>) -> Vec<String> {
    for row in &mut rows {
        let mut parts = row.split(" @");
        let first = parts.next().unwrap_or_default().to_owned();
        *row = parts.fold(first, |row, part| row + part.trim_start_matches(|it: char| it.is_ascii_digit()));
    }
    rows
}

fn for_each_changed_mut(mut test: impl FnMut(u64, &Changed, &Graph)) {
    for seed in 0..SEEDS {
        let changed = Changed::of(seed);
        test(seed, &changed, &changed.open());
    }
}
