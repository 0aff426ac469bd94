//! Tests random histories of a graph with layers. Layers are added, changed, replaced and dropped, and the
//! graph is compacted, in random order.

use std::path::Path;
use std::sync::Arc;

use varvite::change::{Applied, ChangeError, Diff, Durability, NewEdge, PropertyOwner};
use varvite::error::StoreError;
use varvite::inspect::LayerInfo;
use varvite::write::{GraphChange, LayerSpec, drop_layers};
use varvite::{Cardinality, Graph, GraphError, Task, ValueType};
use varvite_model::{AST, ModelHistory, NodeId, Operation, RandomLayer, SplitMix64};
use varvite_testing::draft::PATH;

use crate::fold::fold;
use crate::histories::{History, add_operations, check, check_values, diff_of, for_each_history};
use crate::log::{self, digest};
use crate::pipeline::tables;

pub(crate) const LAYERS: [&str; 2] = ["one", "two"];
const SEEDS: u64 = 40;
const STEPS: usize = 10;
const OPERATIONS: usize = 8;
/// The number of operations in each diff between steps that change layers. It is low: a layer can be dropped
/// only if nothing outside it refers to its nodes.
const FEW: usize = 2;

/// The diff that has these operations of a layer, for a graph of `nodes` nodes, and the edges that it adds.
fn layer_diff(names: &RandomLayer, operations: &[Operation], nodes: u32) -> (Diff, Vec<NewEdge>) {
    let mut diff = Diff::new();
    names.labels.iter().for_each(|label| diff.declare_label(label));
    names.edge_labels.iter().for_each(|label| diff.declare_edge_label(label));
    let weighed = PropertyOwner::Edges(&names.edge_labels[0]);
    for (name, owner, value_type, cardinality) in [
        (&names.weight, weighed, ValueType::I64, Cardinality::Optional),
        (&names.count, PropertyOwner::Nodes, ValueType::I64, Cardinality::Optional),
        (&names.texts, PropertyOwner::Nodes, ValueType::String, Cardinality::List),
        (&names.node, PropertyOwner::Nodes, ValueType::Ref, Cardinality::Optional),
    ] {
        diff.declare_property(name, owner, value_type, cardinality);
    }
    let edges = add_operations(&mut diff, operations, nodes);
    (diff, edges)
}

fn begin(history: &History) -> GraphChange {
    GraphChange::begin(Arc::new(history.disk.clone()), Path::new(PATH)).unwrap()
}

fn ranks_of(applied: &Applied, edges: &[NewEdge]) -> Vec<Option<usize>> {
    edges.iter().map(|edge| applied.edge(*edge).map(|rank| rank as usize)).collect()
}

/// Adds a layer. If the layer exists, replaces it, unless something outside it refers to its nodes.
pub(crate) fn add(history: &mut History, layer: &str, random: &mut SplitMix64) {
    let names = RandomLayer::named(layer);
    let is_there = has(&history.model, layer);
    let mut model = history.model.clone();
    let may_drop = !is_there || model.may_drop(layer);
    if is_there && may_drop {
        model.drop_layer(layer);
    }
    let operations = names.operations(&model, random, OPERATIONS, false);
    let (diff, edges) = layer_diff(&names, &operations, model.slot_count() as u32);
    let spec = LayerSpec { name: layer, tool: "test", version: "1", source: [1; 32] };
    let added = begin(history).add_layer(&spec, &diff, &Task::new().threads(1));
    if !may_drop {
        assert!(matches!(&added, Err(ChangeError::LayerInUse { name, .. }) if name == layer), "{added:?}");
        return;
    }
    let (applied, first) = (added.unwrap(), model.slot_count() as u32);
    let expected = model.add_layer(layer, names.names(), &operations);
    assert_eq!(applied.nodes, first..model.slot_count() as u32);
    assert_eq!(ranks_of(&applied, &edges), expected);
    history.model = model;
}

/// Changes the content of a layer with a diff.
pub(crate) fn change(history: &mut History, layer: &str, random: &mut SplitMix64) {
    let names = RandomLayer::named(layer);
    if !has(&history.model, layer) {
        return;
    }
    let operations = names.operations(&history.model, random, OPERATIONS, true);
    let mut diff = Diff::new();
    let edges = add_operations(&mut diff, &operations, history.model.slot_count() as u32);
    let applied = begin(history).apply_with(&diff, &Task::new().threads(1)).unwrap();
    assert_eq!(ranks_of(&applied, &edges), history.model.apply(&operations));
}

pub(crate) fn drop_layer(history: &mut History, layer: &str) {
    let dropped = drop_layers(Arc::new(history.disk.clone()), Path::new(PATH), &[layer], &Task::new());
    match (has(&history.model, layer), dropped) {
        (false, Err(ChangeError::Graph(GraphError::Unknown { .. }))) => {}
        (true, Err(ChangeError::LayerInUse { name, .. })) => {
            assert!(name == layer && !history.model.may_drop(layer));
        }
        (true, Ok(_)) => {
            assert!(history.model.may_drop(layer), "something refers to its nodes");
            history.model.drop_layer(layer);
        }
        other => panic!("{other:?}"),
    }
}

pub(crate) fn compact(history: &mut History) {
    let (_, after, folded) = fold(&history.disk);
    let new = |node: NodeId| match folded.new_of_old[node.0] {
        u32::MAX => None,
        new => Some(NodeId(new as usize)),
    };
    let directory = after.store().directory();
    let ast = after.edge_label_ids().zip(after.edge_labels()).find(|(_, label)| label.name == AST);
    let is_forest = ast.is_some_and(|(id, _)| directory.edge_labels[id.index()].out.nodes.is_none());
    history.model.renumber(new, is_forest);
}

pub(crate) fn has(model: &ModelHistory, layer: &str) -> bool {
    model.layers().any(|(name, _)| name == layer)
}

/// Checks that the layers and the elements with their names equal those of the model.
fn check_layers(graph: &Graph, model: &ModelHistory) {
    for layer in LAYERS {
        let names = RandomLayer::named(layer);
        let info = LayerInfo::all(graph).unwrap().into_iter().find(|info| info.layer.name == layer);
        assert_eq!(info.is_some(), has(model, layer));
        let Some(info) = info else {
            assert!(graph.property(&names.count).is_err() && graph.label(&names.labels[0]).is_err());
            continue;
        };
        let is_own = |node: &NodeId| model.labels(*node).iter().any(|label| names.labels.contains(label));
        assert_eq!(info.nodes, model.nodes().iter().filter(|node| is_own(node)).count() as u64);
        assert_eq!(
            info.edges as usize,
            names.edge_labels.iter().map(|it| model.edge_count(it)).sum::<usize>()
        );
        for name in [&names.count, &names.texts, &names.node] {
            let ids = (0..model.slot_count()).map(NodeId);
            check_values(&graph.property(name).unwrap(), ids.map(|id| model.values(id, name)), name);
        }
        let label = &names.edge_labels[0];
        let weights =
            (0..model.edge_numbers(label)).map(|rank| model.edge_values(label, rank, &names.weight));
        check_values(&graph.edge_property(label, None).unwrap(), weights, &names.weight);
    }
    graph.check().unwrap();
}

#[test]
fn layers_come_and_go_in_any_order_as_the_model_has_it() {
    let mut done = [0; 5];
    let counts = std::cell::RefCell::new(&mut done);
    for_each_history(SEEDS, |history, random| {
        for _ in 0..STEPS {
            let (before, old) = (history.open(), history.model.clone());
            let layer = random.pick(&LAYERS);
            let step = random.below(5);
            counts.borrow_mut()[step] += 1;
            match step {
                0 => add(history, layer, random),
                1 => change(history, layer, random),
                2 => drop_layer(history, layer),
                3 => {
                    let operations = history.model.random_diff_of_all_kinds(random, FEW);
                    history.step(&operations);
                }
                _ => compact(history),
            }
            let graph = history.open();
            check(&graph, &history.model);
            tables::check(&graph);
            check_layers(&graph, &history.model);
            check(&before, &old);
            assert_eq!(graph.verify(&Task::new().threads(1)).unwrap().problems, [""; 0]);
        }
    });
    assert!(done.iter().all(|count| *count > 100), "{done:?}");
}

/// Brings a graph that was opened before a step up to date: with a refresh or, if another file has taken the
/// place of the graph's file, by opening it again.
fn moved_on(follower: Graph, history: &History) -> Graph {
    let moved = match follower.refresh() {
        Ok(moved) => moved.unwrap_or(follower),
        Err(GraphError::Store(StoreError::Replaced { .. })) => history.open(),
        Err(error) => panic!("{error}"),
    };
    let now = history.open();
    assert_eq!((moved.identity(), digest(&moved)), (now.identity(), digest(&now)));
    check(&moved, &history.model);
    check_layers(&moved, &history.model);
    moved
}

#[test]
fn who_refreshes_after_each_step_has_the_graph_that_the_file_has() {
    let records = std::cell::Cell::new(0);
    for_each_history(10, |history, random| {
        let mut follower = history.open();
        for _ in 0..STEPS {
            let layer = random.pick(&LAYERS);
            match random.below(7) {
                0 => add(history, layer, random),
                1 => drop_layer(history, layer),
                2 => compact(history),
                _ => {
                    let log = log::begin(&history.disk, PATH);
                    for _ in 0..3 {
                        let operations = history.model.random_diff_of_all_kinds(random, FEW);
                        let (diff, _) = diff_of(&operations, history.model.slot_count() as u32);
                        let applied = log.commit(&diff, Durability::Buffered, &log::TASK()).unwrap();
                        history.model.apply(&operations);
                        follower = moved_on(follower, history);
                        records.set(records.get() + u64::from(applied.record > 0));
                    }
                    if random.chance(30) {
                        log.close(&log::TASK()).unwrap();
                    }
                }
            }
            follower = moved_on(follower, history);
        }
    });
    assert!(records.get() > 100, "{records:?}");
}

#[test]
fn equal_layers_give_equal_files() {
    for_each_history(6, |history, random| {
        let names = RandomLayer::named("one");
        let operations = names.operations(&history.model, random, OPERATIONS, false);
        let (diff, _) = layer_diff(&names, &operations, history.model.slot_count() as u32);
        let spec = LayerSpec { name: "one", tool: "test", version: "1", source: [1; 32] };
        let before = history.disk.contents(PATH).unwrap();
        let files = [(); 2].map(|()| {
            history.disk.put(PATH, &before);
            begin(history).add_layer(&spec, &diff, &Task::new().threads(1)).unwrap();
            history.disk.contents(PATH).unwrap()
        });
        assert!(files[0] == files[1] && files[0].starts_with(&before[..4096]));
    });
}
