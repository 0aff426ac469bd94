//! Tests random graphs that are written and read back. Every answer must equal the model's.

use std::ops::{ControlFlow, Range};
use std::sync::Arc;

use varvite::columns::GraphScan;
use varvite::columns::{EdgePropertyFacts, PropertyFacts};
use varvite::cursor::Labels;
use varvite::{
    Adjacency, Direction, Graph, LabelId, LabelNodes, NodeLabels, OpenMode, OpenOptions, Profile, Property,
    Task,
};
use varvite_cpg::Facts;
use varvite_model::{AST, AstShape, ModelGraph, NodeId, RandomGraph, Value};
use varvite_store::vfs::RealVfs;
use varvite_testing::draft::Draft;
use varvite_testing::iterators::{check_both_ends, check_exact, check_forward};

/// The seeds of the graphs that are tested in every profile.
const SEEDS: Range<u64> = 0..250;
/// The seeds of the graphs that are tested in a real file.
const SEEDS_ON_DISK: Range<u64> = 0..6;
/// The maximum number of different values of a property for which the test searches.
const WANTED_MAX: usize = 200;
/// The maximum number of steps that a walk on a random graph takes if it ends at all.
const STEPS_MAX: u64 = 20_000;

pub(crate) fn random(seed: u64) -> ModelGraph {
    RandomGraph::any(seed).build().in_canonical_order()
}

/// The number of cases in a long run, which the environment variable `PROPTEST_CASES` sets. `None` if the
/// variable is not set.
pub(crate) fn cases_of_long_run() -> Option<u64> {
    std::env::var("PROPTEST_CASES").ok().and_then(|count| count.parse().ok())
}

/// The seeds to test. In a long run, or if there are few seeds, these are all seeds; otherwise, the first two
/// fifths of them.
fn short_form(seeds: Range<u64>) -> Range<u64> {
    let is_whole = cases_of_long_run().is_some() || seeds.end - seeds.start < 50;
    if is_whole { seeds } else { seeds.start..seeds.start + (seeds.end - seeds.start) * 2 / 5 }
}

/// Runs `test` on the graph of each seed, in each profile. If `test` panics, prints the seed and the profile.
#[track_caller]
pub(crate) fn for_each_graph(seeds: Range<u64>, test: impl Fn(&ModelGraph, Profile)) {
    struct Tried(u64, Profile);
    impl Drop for Tried {
        fn drop(&mut self) {
            if std::thread::panicking() {
                eprintln!("with RandomGraph::any({}), {}", self.0, self.1.name());
            }
        }
    }
    for seed in short_form(seeds) {
        let model = random(seed);
        for profile in Profile::ALL {
            let _tried = Tried(seed, profile);
            test(&model, profile);
        }
    }
}

#[test]
fn what_is_read_is_what_was_written() {
    for_each_graph(SEEDS, |model, profile| check_graph(&Draft::of(model).open(profile), model));
}

#[test]
fn rows_and_texts_in_another_order_are_the_same_graph() {
    for_each_graph(0..50, |model, profile| {
        check_graph(&Draft::of(model).turned().open(profile), model);
        check_graph(&Draft::of(model).with_shared_texts().open(profile), model);
    });
}

/// Tests graphs of many blocks: packed values are stored in blocks of 1024, ranks in blocks of 512, and small
/// sets of nodes in special encodings.
#[test]
fn graphs_of_many_blocks_are_read_alike() {
    for ast in [AstShape::Forest, AstShape::SharedChildren] {
        let options =
            RandomGraph { nodes: 2500, edges: 5000, several_labels: true, ast, ..RandomGraph::new(9) };
        let model = options.build().in_canonical_order();
        for profile in Profile::ALL {
            let graph = Draft::of(&model).open(profile);
            check_graph(&graph, &model);
            assert_eq!(graph.verify(&Task::new().threads(2)).unwrap().problems, [""; 0]);
        }
    }
}

#[test]
fn lists_that_are_kept_beside_the_forest_are_read_alike() {
    for_each_graph(0..50, |model, profile| {
        let draft = Draft { is_forest_listed: true, ..Draft::of(model) };
        check_graph(&draft.open(profile), model);
    });
}

#[test]
fn a_real_file_is_read_alike_in_both_modes() {
    for_each_graph(SEEDS_ON_DISK, |model, profile| {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("random.varvite");
        Draft::of(model).write(Arc::new(RealVfs), &path, profile).unwrap();
        for mode in [OpenMode::Mapped, OpenMode::Buffered] {
            let graph = OpenOptions::new().mode(mode).open(&path).unwrap();
            assert_eq!(graph.store().is_mapped(), mode == OpenMode::Mapped);
            check_graph(&graph, model);
            assert_eq!(graph.verify(&Task::new().threads(2)).unwrap().problems, [""; 0]);
        }
    });
}

#[test]
fn facts_are_those_of_the_model() {
    for_each_graph(SEEDS, |model, profile| {
        let facts = Facts::of(&Draft::of(model).open(profile), &Task::new()).unwrap();
        check_facts(facts, varvite_model::Facts::within_steps(model, STEPS_MAX));
    });
}

#[test]
fn threads_may_share_a_graph() {
    let model = random(3);
    let graph = Draft::of(&model).open(Profile::Archive);
    std::thread::scope(|scope| {
        for _ in 0..3 {
            scope.spawn(|| check_graph(&graph, &model));
        }
    });
}

pub(crate) fn check_graph(graph: &Graph, model: &ModelGraph) {
    check_content(graph, model);
    check_subtree(graph, model);
}

/// Checks everything except the tree.
pub(crate) fn check_content(graph: &Graph, model: &ModelGraph) {
    assert_eq!(graph.node_count() as usize, model.node_count());
    assert_eq!(graph.edge_count() as usize, model.edge_count());
    check_labels(graph, model);
    for (id, label) in graph.edge_label_ids().zip(graph.edge_labels()) {
        let [out, in_] = Direction::BOTH.map(|direction| graph.adjacency(id, direction).unwrap());
        let targets = |node| model.targets(node, &label.name);
        check_adjacency(&out, model, targets);
        check_adjacency(&in_, model, |node| model.sources(node, &label.name).to_vec());
        if label.name == RandomGraph::EDGE_PROPERTY_LABEL {
            check_edge_property(graph, model, [&out, &in_]);
        }
    }
    for property in RandomGraph::PROPERTIES {
        let found = graph.property(property.name).unwrap();
        check_property(&found, model, property.name);
        check_numbers(&found, graph.node_count());
    }
    graph.check().unwrap();
}

fn check_labels(graph: &Graph, model: &ModelGraph) {
    let sets = graph.label_sets().unwrap();
    let pass = GraphScan::new(graph);
    let decoded = NodeLabels::of(&pass).unwrap();
    for (id, label) in graph.label_ids().zip(graph.labels()) {
        let nodes = graph.nodes_of(id).unwrap();
        let expected: Vec<u32> = ids(&model.nodes_with_label(&label.name));
        check_exact(nodes.iter(), &expected);
        check_both_ends(decoded.nodes_with(&label.name), &expected);
        assert!((&nodes).into_iter().eq(expected.iter().copied()));
        assert_eq!(nodes.len() as usize, expected.len());
        let in_range = |range: Range<u32>| expected.iter().filter(|node| range.contains(node)).count() as u32;
        for start in (0..=graph.node_count()).step_by(7) {
            check_exact(nodes.iter_from(start), &expected[expected.partition_point(|node| *node < start)..]);
            for range in [0..start, start..start + 9, start..graph.node_count()] {
                assert_eq!(nodes.count_in(range.clone()), in_range(range));
            }
        }
        check_selected(&nodes, &sets, id, graph.node_count());
        let test = sets.test(id);
        for node in 0..graph.node_count() {
            let expected = model.has_label(NodeId(node as usize), &label.name);
            assert_eq!((nodes.contains(node), sets.has(node, id)), (expected, expected));
            assert_eq!(test.matches(node), expected);
            assert_eq!(sets.word(node) >> id.0 & 1 != 0, expected);
        }
        check_origin(graph, id, &expected);
    }
    for node in model.nodes() {
        let has = |label: &LabelId| model.has_label(node, &graph.labels()[label.index()].name);
        let expected: Vec<LabelId> = graph.label_ids().filter(has).collect();
        check_exact(sets.of(node.0 as u32), &expected);
        let names = sets.of(node.0 as u32).map(|label| graph.labels()[label.index()].name.clone());
        let mut names: Vec<String> = names.collect();
        names.sort();
        assert_eq!(names, Vec::from_iter(model.labels(node).clone()));
    }
}

/// Checks reads of the nodes of a label as bits, and counts of the nodes in a range by label set code.
pub(crate) fn check_selected(nodes: &LabelNodes, sets: &Labels, label: LabelId, count: u32) {
    for range in [0..count, count / 3..count / 2, count / 2..count + 70, count..count] {
        let is_one: Vec<bool> = range.clone().map(|node| nodes.contains(node)).collect();
        let word = |bits: &[bool]| (0..).zip(bits).fold(0, |word, (bit, is)| word | u64::from(*is) << bit);
        let expected: Vec<u64> = is_one.chunks(64).map(word).collect();
        let mut bits = vec![7];
        nodes.select(range.clone(), &mut bits);
        assert_eq!(bits, expected);
        if range.end > count {
            continue; // A range that ends after the last node would be reported as damage.
        }
        sets.select(label, range.clone(), &mut bits);
        assert_eq!(bits, expected);
        let (mut counts, mut expected) = (vec![7], vec![0; sets.code_count() as usize]);
        sets.count_codes(range.clone(), &mut counts);
        range.for_each(|node| expected[sets.code(node) as usize] += 1);
        assert_eq!(counts, expected);
    }
}

/// Checks the origins of a label's nodes. Either there are none, or they are those that drafts make:
/// descending numbers, as if two nodes had been deleted.
fn check_origin(graph: &Graph, label: LabelId, nodes: &[u32]) {
    let Some(origin) = graph.origin(label).unwrap() else { return };
    let count = nodes.len() as u32;
    assert_eq!(graph.labels()[label.index()].origin_count, count + 2);
    let numbers: Vec<Option<u32>> = (0..count).map(|rank| origin.number(rank)).collect();
    assert_eq!(numbers, (2..count + 2).rev().map(Some).collect::<Vec<_>>());
    assert_eq!(origin.number(count), None);
}

fn check_adjacency(adjacency: &Adjacency, model: &ModelGraph, neighbors: impl Fn(NodeId) -> Vec<NodeId>) {
    check_expanded(adjacency, model, &neighbors);
    let mut rank = 0;
    for node in model.nodes() {
        let (id, expected) = (node.0 as u32, ids(&neighbors(node)));
        check_forward(adjacency.neighbors(id), &expected);
        assert_eq!(adjacency.degree(id), expected.len());
        assert_eq!(adjacency.first(id), expected.first().copied());
        let mut appended = vec![7];
        adjacency.append(id, &mut appended);
        assert_eq!(appended[1..], expected);
        if let Some(slice) = adjacency.slice(id) {
            assert_eq!(slice, expected);
        }
        if let Some(first) = adjacency.first_rank(id).filter(|_| !expected.is_empty()) {
            assert_eq!(first, rank);
        }
        rank += expected.len();
    }
    assert_eq!(adjacency.edge_count() as usize, rank);
    let edges_of = |node| ids(&neighbors(node)).into_iter().map(move |neighbor| (node.0 as u32, neighbor));
    let expected: Vec<(u32, u32)> = model.nodes().into_iter().flat_map(edges_of).collect();
    let mut edges = Vec::new();
    adjacency.for_each_edge(|node, neighbor| edges.push((node, neighbor)));
    assert_eq!(edges, expected);
    let mut sources: Vec<u32> = expected.iter().map(|(node, _)| *node).collect();
    sources.dedup();
    check_both_ends(adjacency.sources(), &sources);
    let beyond = model.node_count() as u32;
    for node in [beyond, u32::MAX] {
        assert_eq!((adjacency.neighbors(node).count(), adjacency.degree(node)), (0, 0));
        assert_eq!(adjacency.first(node), None);
    }
}

fn check_property(property: &Property, model: &ModelGraph, name: &str) {
    let owners: Vec<NodeId> =
        model.nodes().into_iter().filter(|node| !model.values(*node, name).is_empty()).collect();
    check_exact(property.owners(), &ids(&owners));
    assert_eq!(property.len() as usize, owners.len());
    for node in model.nodes() {
        let (id, expected) = (node.0 as u32, model.values(node, name));
        check_values(property, id, expected, name);
        assert_eq!(property.is_present(id), !expected.is_empty());
    }
    assert_eq!(property.get(model.node_count() as u32), None);
}

pub(crate) fn check_values(property: &Property, owner: u32, expected: &[Value], name: &str) {
    let found: Vec<varvite::Value<'_>> = property.all(owner).collect();
    let same = found.len() == expected.len() && found.iter().zip(expected).all(|(a, b)| is_same(a, b));
    assert!(same, "{name} of {owner}: {found:?}, not {expected:?}");
    // Values are compared as texts, since NaN does not equal itself.
    let shown = |value: varvite::Value<'_>| format!("{value:?}");
    let expected_texts: Vec<String> = property.all(owner).map(shown).collect();
    check_exact(property.all(owner).map(shown), &expected_texts);
    assert_eq!(property.get(owner).is_some(), !expected.is_empty());
    let text = match expected.first() {
        Some(Value::String(text)) => Some(text.as_str()),
        _ => None,
    };
    assert_eq!(property.str(owner).as_deref(), text, "{name} of {owner}");
}

/// Checks that a search for a number finds its owners, and finds each owner as often as it has the number.
pub(crate) fn check_numbers(property: &Property, owners: u32) {
    let numbers: Vec<(u32, i64)> =
        (0..owners).flat_map(|owner| property.numbers(owner).map(move |number| (owner, number))).collect();
    let mut scanned = Vec::new();
    property.for_each(|owner, number| scanned.push((owner, number)));
    assert_eq!(scanned, numbers);
    assert_eq!(numbers.len(), property.value_count());
    for of_owner in numbers.chunk_by(|one, next| one.0 == next.0) {
        let expected: Vec<i64> = of_owner.iter().map(|(_, number)| *number).collect();
        check_forward(property.numbers(of_owner[0].0), &expected);
    }
    for (_, wanted) in numbers.iter().step_by(1 + numbers.len() / WANTED_MAX) {
        let mut found = Vec::new();
        property.find_number(*wanted, |owner| {
            found.push(owner);
            ControlFlow::Continue(())
        });
        let expected = numbers.iter().filter(|(_, number)| number == wanted).map(|(owner, _)| *owner);
        assert_eq!(found, expected.collect::<Vec<_>>(), "owners of {wanted}");
    }
    for range in [0..owners, owners / 3..owners / 2, owners / 2..owners + 70, owners..owners] {
        check_range(property, range);
    }
    property.find_number(0x1234_5678_9abc, |owner| panic!("{owner} has no such number"));
}

/// Checks that expanding a frontier (a list of nodes) gives the neighbours of its nodes, one node after
/// another in the order of the list.
fn check_expanded(adjacency: &Adjacency, model: &ModelGraph, neighbors: &impl Fn(NodeId) -> Vec<NodeId>) {
    let nodes: Vec<NodeId> = model.nodes();
    let backwards = nodes.iter().rev().copied().step_by(3).collect();
    for frontier in [nodes.clone(), backwards, nodes.iter().chain(&nodes).copied().step_by(7).collect()] {
        let expected: Vec<u32> = frontier.iter().flat_map(|node| ids(&neighbors(*node))).collect();
        let mut expanded = vec![7];
        adjacency.expand(&ids(&frontier), &mut expanded);
        assert_eq!(expanded[1..], expected);
    }
}

/// Checks that reading a range of owners at once gives the same as reading each owner alone.
fn check_range(property: &Property, owners: Range<u32>) {
    let (mut values, mut present) = (vec![7], vec![7]);
    let firsts: Vec<Option<i64>> = owners.clone().map(|owner| property.number(owner)).collect();
    let check = |values: &[i64], present: &[u64], firsts: &[Option<i64>]| {
        assert_eq!(values, firsts.iter().map(|first| first.unwrap_or(0)).collect::<Vec<_>>());
        assert_eq!(present.len(), firsts.len().div_ceil(64));
        let bit = |index: usize| present[index / 64] >> (index % 64) & 1 != 0;
        assert!(
            (0..64 * present.len()).all(|index| bit(index) == firsts.get(index).is_some_and(Option::is_some))
        );
    };
    property.fill(owners.clone(), &mut values, &mut present);
    check(&values, &present, &firsts);
    let list: Vec<u32> = owners.clone().step_by(3).chain(owners.clone().rev()).collect();
    property.fill_list(&list, &mut values, &mut present);
    let mut recent = property.recent_numbers();
    assert!(list.iter().all(|owner| recent.number(*owner) == property.number(*owner)));
    check(&values, &present, &list.iter().map(|owner| property.number(*owner)).collect::<Vec<_>>());
    check_wanted(property, owners.clone(), &firsts);
    let numbers: Vec<i64> = owners.clone().flat_map(|owner| property.numbers(owner)).collect();
    assert_eq!(property.sum(owners.clone()), numbers.iter().map(|number| i128::from(*number)).sum());
    let ends = numbers.iter().min().copied().zip(numbers.iter().max().copied());
    assert_eq!(property.least_and_greatest(owners.clone()), ends);
    for wanted in [i64::MIN..=i64::MAX, 0..=5, numbers.first().map_or(7..=9, |first| *first..=*first)] {
        let expected = numbers.iter().filter(|number| wanted.contains(number)).count() as u64;
        assert_eq!(property.count_in(wanted, owners.clone()), expected);
    }
    let mut counts = [0; 5];
    let others = property.count_codes(owners, &mut counts);
    let count = |number: i64| numbers.iter().filter(|found| **found == number).count() as u64;
    assert_eq!(counts, std::array::from_fn(|number| count(number as i64)));
    assert_eq!(others + counts.iter().sum::<u64>(), numbers.len() as u64);
}

/// Checks reads of the values of owners that are selected by bits, and functions that select, as bits, the
/// owners whose values meet a condition.
fn check_wanted(property: &Property, owners: Range<u32>, firsts: &[Option<i64>]) {
    let words_of = |is_set: &dyn Fn(usize) -> bool| {
        let mut words = vec![0u64; firsts.len().div_ceil(64)];
        (0..firsts.len()).for_each(|index| words[index / 64] |= u64::from(is_set(index)) << (index % 64));
        words
    };
    let (mut values, mut present, mut bits) = (vec![7], vec![7], vec![7]);
    for step in [1, 3, 50] {
        let is_wanted = |index: usize| index.is_multiple_of(step);
        property.fill_wanted(owners.clone(), &words_of(&is_wanted), &mut values, &mut present);
        assert_eq!(present, words_of(&|index| is_wanted(index) && firsts[index].is_some()));
        let found = (0..firsts.len()).filter(|index| is_wanted(*index));
        found.for_each(|index| assert!(firsts[index].is_none_or(|first| values[index] == first)));
    }
    let first = firsts.iter().flatten().next().copied().unwrap_or(7);
    for wanted in [i64::MIN..=i64::MAX, 0..=5, first..=first, 9..=first] {
        property.select(wanted.clone(), owners.clone(), &mut bits);
        assert_eq!(bits, words_of(&|index| firsts[index].is_some_and(|first| wanted.contains(&first))));
    }
    property.select_present(owners, &mut bits);
    assert_eq!(bits, words_of(&|index| firsts[index].is_some()));
}

fn check_edge_property(graph: &Graph, model: &ModelGraph, [out, in_]: [&Adjacency; 2]) {
    let label = RandomGraph::EDGE_PROPERTY_LABEL;
    let property = graph.edge_property(label, None).unwrap();
    let places = graph.places(graph.edge_label(label).unwrap()).unwrap().unwrap();
    for node in model.nodes() {
        let id = node.0 as u32;
        for edge in model.out_edges(node, label) {
            let rank = out.first_rank(id).unwrap() + edge.position;
            check_values(&property, rank as u32, edge.property.map_or(&[], std::slice::from_ref), label);
        }
        for (entry, edge) in model.in_edges(node, label).iter().enumerate() {
            let place = places.place(in_.first_rank(id).unwrap() + entry);
            assert_eq!(place, Some(edge.position as u32), "entry {entry} of the in-list of {id}");
        }
    }
    check_numbers(&property, out.edge_count() as u32);
}

fn check_subtree(graph: &Graph, model: &ModelGraph) {
    let subtree = graph.subtree().unwrap();
    assert_eq!(graph.tree_label(), Some(AST));
    assert_eq!(subtree.is_some(), model.is_forest());
    assert_eq!(graph.forest_label(), model.is_forest().then_some(AST));
    let Some(subtree) = subtree else { return };
    for node in model.nodes() {
        let id = node.0 as u32;
        let below: Vec<u32> = subtree.descendants(id).collect();
        assert_eq!(below, ids(&model.subtree(node)[1..]));
        assert_eq!(subtree.size(id) as usize, below.len());
        assert!(subtree.contains(id, id) && below.iter().all(|node| subtree.contains(id, *node)));
        assert!(!below.iter().any(|node| subtree.contains(*node, id)));
    }
    assert!(subtree.descendants(graph.node_count()).is_empty());
}

/// Whether two values have equal types and bits. A NaN equals another NaN with the same bits, and -0 differs
/// from 0.
pub(crate) fn is_same(found: &varvite::Value<'_>, expected: &Value) -> bool {
    use varvite::Value as Found;
    match (found, expected) {
        (Found::Bool(a), Value::Bool(b)) => a == b,
        (Found::Int(a), Value::I8(b)) => *a == i64::from(*b),
        (Found::Int(a), Value::I16(b)) => *a == i64::from(*b),
        (Found::Int(a), Value::I32(b)) => *a == i64::from(*b),
        (Found::Int(a), Value::I64(b)) => a == b,
        (Found::Uint(a), Value::U8(b)) => *a == u64::from(*b),
        (Found::Uint(a), Value::U16(b)) => *a == u64::from(*b),
        (Found::Uint(a), Value::U32(b)) => *a == u64::from(*b),
        (Found::Uint(a), Value::U64(b)) => a == b,
        (Found::F32(a), Value::F32(b)) => a.to_bits() == b.to_bits(),
        (Found::F64(a), Value::F64(b)) => a.to_bits() == b.to_bits(),
        (Found::Str(a), Value::String(b)) => **a == **b,
        (Found::Bytes(a), Value::Bytes(b)) => **a == **b,
        (Found::Ref(a), Value::Ref(b)) => *a == b.map(|node| node.0 as u32),
        (Found::Null, Value::Null) => true,
        _ => false,
    }
}

pub(crate) fn check_facts(found: Facts, expected: varvite_model::Facts) {
    let counts = &found.counts;
    assert_eq!((counts.nodes, counts.edges), (expected.nodes, expected.edges));
    assert_eq!(counts.labels, expected.labels);
    assert_eq!(counts.edge_triples, expected.edge_triples);
    let edge_properties = expected.edge_properties.into_iter().map(|(label, facts)| {
        (label, EdgePropertyFacts { present: facts.present, fnv64_sum: facts.fnv64_sum })
    });
    assert_eq!(counts.edge_properties, edge_properties.collect());
    let properties = expected.properties.into_iter().map(|(name, facts)| {
        let (nodes, values, fnv64_sum) = (facts.nodes, facts.values, facts.fnv64_sum);
        (name, PropertyFacts { nodes, values, fnv64_sum })
    });
    assert_eq!(counts.properties, properties.collect());
    let (found, expected) = (found.traversals, expected.traversals);
    let known = |sum: Option<u64>| sum.filter(|sum| *sum <= STEPS_MAX);
    let sum = known(found.ast_descendants_per_method_sum);
    assert_eq!(sum, expected.ast_descendants_per_method_sum);
    assert_eq!(found.ast_descendants_by_label.filter(|_| sum.is_some()), expected.ast_descendants_by_label);
    assert_eq!(found.cfg_reachable_per_method_sum, Some(expected.cfg_reachable_per_method_sum));
    assert_eq!(found.callee_full_name_chars, expected.callee_full_name_chars);
    let hops = known(found.identifier_ast_up_to_method_hops);
    assert_eq!(hops, expected.identifier_ast_up_to_method_hops);
    assert_eq!(found.top_call_names, expected.top_call_names);
}

fn ids(nodes: &[NodeId]) -> Vec<u32> {
    nodes.iter().map(|node| node.0 as u32).collect()
}
