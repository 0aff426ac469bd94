//! Tests files that have a damaged byte and repaired checksums. No read may panic or hang, and if `verify`
//! finds no problem, every read must succeed.

use std::ops::ControlFlow::Continue;
use std::path::Path;
use std::sync::Arc;

use varvite::change::{ChangeError, Diff};
use varvite::compare::Digest;
use varvite::inspect::Info;
use varvite::pipeline::{Options, ids};
use varvite::write::{GraphChange, IndexChange, change_indexes};
use varvite::{Direction, EdgeLabelId, Graph, LabelId, Profile, Property, Task, Value};
use varvite_cpg::Facts;
use varvite_format::{Owner, PAGE, SegmentId};
use varvite_model::{AST, RandomGraph, SplitMix64};
use varvite_store::vfs::RealVfs;
use varvite_testing::draft::{Draft, DraftEdges, DraftValues, PATH, open_bytes};
use varvite_testing::repair::repair;
use varvite_testing::vfs::MemoryVfs;

use crate::contradiction::Unchecked as _;
use crate::model::cases_of_long_run;

/// The maximum number of nodes of a damaged graph that the test reads; a limit is needed, since such a graph
/// may claim to have any number of nodes.
const NODES_MAX: u32 = 2000;

/// The maximum number of edges or values that the test reads at once.
const EDGES_MAX: u64 = 100_000;

/// Edge labels that together have every form of lists in a file.
const EDGE_LABELS: [&str; 3] = [AST, "CFG", RandomGraph::EDGE_PROPERTY_LABEL];

/// Properties that together have every form of columns in a file.
const PROPERTIES: [&str; 8] =
    ["ORDER", "NAME", "CODE", "IS_EXTERNAL", "F64", "STRING_LIST", "EVIDENCE_LIST", "NOWHERE"];

fn draft(nodes: usize, several_labels: bool) -> Draft {
    let graph = RandomGraph { nodes, edges: nodes * 2, several_labels, ..RandomGraph::new(5) };
    let mut draft = Draft::of(&graph.build().in_canonical_order());
    draft.edges.retain(|edges| EDGE_LABELS.contains(&edges.name.as_str()));
    draft.properties.retain_mut(|property| {
        if property.spec.owner != Owner::Node {
            let is_owner = |edges: &DraftEdges| edges.places.is_some();
            property.spec.owner =
                Owner::Edge(EdgeLabelId::from_index(draft.edges.iter().position(is_owner).unwrap()));
        }
        property.spec.owner != Owner::Node || PROPERTIES.contains(&property.spec.name.as_str())
    });
    draft.indexed = vec!["NAME".to_owned(), "STRING_LIST".to_owned()];
    draft
}

/// If a read panics, prints the profile, the position of the damaged byte, and the flipped bits.
struct Tried(Profile, usize, u8);

impl Drop for Tried {
    fn drop(&mut self) {
        if std::thread::panicking() {
            eprintln!("with byte {} of the {} file changed by {:#04x}", self.1, self.0.name(), self.2);
        }
    }
}

/// Changes a byte, repairs the checksums, and reads everything.
fn check_flip(good: &[u8], profile: Profile, at: usize, flip: u8) {
    let _tried = Tried(profile, at, flip);
    let mut bytes = good.to_vec();
    bytes[at] ^= flip;
    repair(&mut bytes);
    let Ok(graph) = open_bytes(&bytes) else { return };
    let _ = Info::of(&graph).to_json();
    let report = graph.verify(&Task::new().threads(1)).unwrap();
    let (facts, digest) = (Facts::of(&graph, &Task::new()), Digest::of(&graph, &Task::new().threads(1)));
    // The file is opened again, so that `check` reports only the damage that cursors met.
    let graph = open_bytes(&bytes).unwrap();
    let read = read_all(&graph).and_then(|()| graph.check());
    for error in [read.as_ref().err(), facts.as_ref().err(), digest.as_ref().err()].into_iter().flatten() {
        assert!(error.to_string().starts_with(PATH), "{error}");
    }
    if report.problems.is_empty() {
        check_indexes(&graph);
        read.unwrap();
        facts.unwrap();
        digest.unwrap();
    }
}

fn read_all(graph: &Graph) -> varvite::Result<()> {
    let nodes = graph.node_count().min(NODES_MAX);
    let sets = graph.label_sets()?;
    for node in 0..nodes {
        let _ = (sets.word(node), sets.of(node).count());
    }
    for label in graph.label_ids() {
        let members = graph.nodes_of(label)?;
        for member in members.iter().take(nodes as usize) {
            let _ = (members.contains(member), members.count_in(0..member));
        }
        if let Some(origin) = graph.origin(label)? {
            (0..members.len().min(nodes)).for_each(|rank| _ = origin.number(rank));
        }
    }
    for label in graph.edge_label_ids() {
        for direction in Direction::BOTH {
            let adjacency = graph.adjacency(label, direction)?;
            for node in 0..nodes {
                let _ = (adjacency.first(node), adjacency.degree(node), adjacency.slice(node));
                let _ = (adjacency.neighbors(node).take(nodes as usize).count(), adjacency.first_rank(node));
            }
            let _ = adjacency.sources().take(nodes as usize).count();
            if graph.node_count() == nodes && adjacency.edge_count() <= EDGES_MAX {
                adjacency.for_each_edge(|node, neighbor| assert!(node < nodes && neighbor < nodes));
            }
        }
        for direction in Direction::BOTH {
            if let Some(ranks) = graph.ranks(label, direction)? {
                (0..nodes).for_each(|node| _ = ranks.of(node).take(nodes as usize).count());
            }
        }
        if let Some(places) = graph.places(label)? {
            let edges = graph.store().directory().edge_labels[label.index()].edges.min(nodes.into());
            (0..edges as usize).for_each(|position| _ = places.place(position));
        }
    }
    for property in graph.property_ids() {
        let property = graph.property_at(property)?;
        for owner in property.owners().take(nodes as usize) {
            let _ = (property.get(owner), property.all(owner).take(nodes as usize).count());
            let _ = (property.str(owner), property.numbers(owner).take(nodes as usize).count());
        }
        property.find_number(0, |_| Continue(()));
        if property.value_count() as u64 <= EDGES_MAX {
            property.for_each(|_, _| {});
        }
        if let Some(strings) = property.strings() {
            let _ = strings.find("a");
        }
    }
    for name in graph.properties().iter().map(|info| &info.name) {
        let Ok(Some(index)) = graph.text_index(name) else { continue };
        let mut found = Vec::new();
        for code in (0..index.strings().len().min(nodes)).chain([u32::MAX]) {
            let _ = (index.count(code), index.count_with(code, LabelId(0)));
            if graph.node_count() == nodes {
                index.append(code, |_| true, &mut found);
            }
            let text = index.strings().reader().str(code).map(str::to_owned);
            let _ = index.find(text.as_deref().unwrap_or("memcpy"));
        }
        let _ = index.find("nobody has this name");
    }
    if let Some(subtree) = graph.subtree()? {
        (0..nodes).for_each(|node| _ = (subtree.size(node), subtree.descendants(node)));
    }
    Ok(())
}

/// Checks that indexes give the same nodes as a scan.
fn check_indexes(graph: &Graph) {
    for name in graph.properties().iter().map(|info| info.name.clone()) {
        let Ok(Some(index)) = graph.text_index(&name) else { continue };
        let property = graph.property(&name).unwrap();
        for code in 0..index.strings().len() {
            let mut scanned = Vec::new();
            property.find_number(code.into(), |node| {
                scanned.push(node);
                Continue(())
            });
            scanned.dedup();
            let text = index.strings().reader().str(code).unwrap().to_owned();
            assert_eq!((index.find(&text), index.nodes(&text)), (Some(code), scanned));
        }
    }
}

/// The positions of all bytes in the fields of the header and the superblock, in segments, and in the
/// directory.
fn used_bytes(good: &[u8]) -> Vec<usize> {
    let graph = open_bytes(good).unwrap();
    let store = graph.store();
    let mut used: Vec<usize> = (0..72).chain(PAGE..PAGE + 56).collect();
    for segment in &store.directory().segments {
        used.extend(segment.offset as usize..segment.end() as usize);
    }
    used.extend(store.superblock().directory_offset as usize..good.len());
    used
}

fn is_long() -> bool {
    cases_of_long_run().is_some()
}

/// In each profile, the test damages one out of this many used bytes. A long run damages each byte in every
/// profile; a short run damages each byte in only one profile.
fn stride() -> usize {
    if is_long() { 1 } else { Profile::ALL.len() }
}

#[test]
fn any_damaged_byte_of_a_small_file_is_found_or_harmless() {
    let draft = draft(20, true);
    for (number, profile) in Profile::ALL.into_iter().enumerate() {
        let good = draft.bytes(profile);
        let mut random = SplitMix64::new(1);
        for at in used_bytes(&good).into_iter().skip(number % stride()).step_by(stride()) {
            check_flip(&good, profile, at, 1 << random.below(8));
        }
    }
}

/// The bytes of the graph's file after changes of every kind were committed to it.
fn changed(good: &[u8]) -> Vec<u8> {
    let disk = MemoryVfs::new();
    disk.put(PATH, good);
    let graph = open_bytes(good).unwrap();
    let mut diff = Diff::new();
    let label = graph.labels()[0].name.clone();
    let nodes = [diff.add_node(&[&label]), diff.add_node(&[])];
    for (number, label) in (0u32..).zip(&EDGE_LABELS) {
        let new = diff.add_edge(label, 3 + number, nodes[0]);
        diff.add_edge(label, nodes[1], 7 - number);
        diff.add_edge(label, 5, 6);
        let id = graph.edge_label(label).unwrap();
        let ranks = graph.ranks(id, Direction::Out).unwrap().unwrap();
        let ranks: Vec<u32> =
            (0..graph.node_count()).flat_map(|node| ranks.of(node)).map(|(_, rank)| rank).collect();
        ranks.iter().step_by(4).for_each(|rank| diff.remove_edge(label, *rank));
        if *label == RandomGraph::EDGE_PROPERTY_LABEL {
            diff.set(new, RandomGraph::EDGE_PROPERTY_NAME, ["later"]);
        }
    }
    diff.set(2, "NAME", ["later"]);
    diff.set(nodes[0], "ORDER", [7]);
    diff.set(4, "STRING_LIST", ["a", "later", "a"]);
    diff.clear(6, "ORDER");
    diff.remove_node(9);
    let change = GraphChange::begin(Arc::new(disk.clone()), Path::new(PATH)).unwrap();
    change.apply_with(&diff, &Task::new().threads(1)).unwrap();
    disk.contents(PATH).unwrap()
}

#[test]
fn any_damaged_byte_of_changes_is_found_or_harmless() {
    let draft = draft(20, true);
    for (number, profile) in Profile::ALL.into_iter().enumerate() {
        let good = changed(&draft.bytes(profile));
        let mut random = SplitMix64::new(2);
        // A graph with changes takes long to open, so a short run damages only every second one of these
        // bytes.
        let stride = if is_long() { 1 } else { 2 * stride() };
        for at in used_bytes(&good).into_iter().skip(number % stride).step_by(stride) {
            check_flip(&good, profile, at, 1 << random.below(8));
        }
    }
}

#[test]
fn a_value_that_is_missing_is_noted_however_it_is_read() {
    let good = draft(20, false).bytes(Profile::Compact);
    let mut missing = 0;
    for at in used_bytes(&good) {
        let mut bytes = good.clone();
        bytes[at] ^= 0x80;
        repair(&mut bytes);
        let Ok(graph) = open_bytes(&bytes) else { continue };
        let Ok(property) = graph.property("ORDER") else { continue };
        // A property without offsets has a value for every owner.
        let rows = graph.properties().iter().zip(&graph.store().directory().properties);
        let mut rows = rows.filter(|(info, row)| info.name == "ORDER" && row.offsets.is_none());
        let mut owners = property.owners().take(NODES_MAX as usize);
        if rows.next().is_some() && owners.any(|owner| property.number(owner).is_none()) {
            graph.check().unwrap_err();
            missing += 1;
        }
    }
    assert!(missing > 0);
}

/// Tests a damaged graph in which the first edge of a node leads beyond the last node.
#[test]
fn a_neighbour_that_does_not_exist_is_noted_and_never_handed_out() {
    const LABEL: &str = RandomGraph::EDGE_PROPERTY_LABEL;
    let mut draft = draft(300, false);
    let nodes = draft.nodes;
    let edges = draft.edges.iter_mut().find(|edges| edges.name == LABEL).unwrap();
    let degree = |node: &usize| edges.out.offsets[node + 1] - edges.out.offsets[*node];
    let node = (0..nodes as usize).find(|node| degree(node) > 1).unwrap();
    edges.out.neighbors[edges.out.offsets[node] as usize + 1] = nodes;
    let expected = [edges.out.neighbors[edges.out.offsets[node] as usize]];
    for profile in Profile::ALL {
        let bytes = draft.bytes_unchecked(profile);
        // Each way of reading a list is tested on a newly opened graph, so that it is the first read that
        // meets the damage.
        let check = |name: &str, read: &dyn Fn(&varvite::Adjacency) -> Vec<u32>| {
            let graph = open_bytes(&bytes).unwrap();
            let adjacency = graph.out(LABEL).unwrap();
            assert_eq!(read(&adjacency), expected, "{name}, {}", profile.name());
            assert!(graph.check().is_err(), "{name}, {}", profile.name());
        };
        let node = node as u32;
        check("next", &|adjacency| {
            let mut neighbors = adjacency.neighbors(node);
            let list = std::iter::from_fn(|| neighbors.next()).collect();
            assert_eq!(neighbors.next(), None);
            list
        });
        check("fold", &|adjacency| {
            let mut list = Vec::new();
            adjacency.neighbors(node).for_each(|neighbor| list.push(neighbor));
            list
        });
        check("append", &|adjacency| {
            let mut list = Vec::new();
            adjacency.append(node, &mut list);
            list
        });
        // A pipeline reads a list as a whole or, if batches are small, in parts.
        for batch_rows in [1, 2048] {
            let plan = ids([node]).out(LABEL).compile(&open_bytes(&bytes).unwrap()).unwrap();
            let mut run = plan.run(Options { batch_rows, ..Options::default() });
            assert_eq!(run.next().unwrap().unwrap().nodes().unwrap(), expected, "{}", profile.name());
            let error = run.next().map(|rows| rows.is_some()).unwrap_err().to_string();
            assert!(error.contains("neighbours"), "{error}");
        }
        if profile == Profile::Direct {
            check("slice", &|adjacency| adjacency.slice(node).unwrap().to_vec());
        }
    }
}

#[test]
fn a_reference_to_no_node_is_noted_and_never_handed_out() {
    let mut draft = draft(20, false);
    let property =
        draft.properties.iter_mut().find(|property| property.spec.name == "EVIDENCE_LIST").unwrap();
    let DraftValues::Numbers(numbers) = &mut property.values else { panic!("references are numbers") };
    numbers[0] = 20;
    let owner = property.offsets.iter().position(|offset| *offset > 0).unwrap() as u32 - 1;
    for profile in Profile::ALL {
        let bytes = draft.bytes_unchecked(profile);
        let check = |name: &str, hands_out: &dyn Fn(&Property) -> bool| {
            let graph = open_bytes(&bytes).unwrap();
            assert!(!hands_out(&graph.property("EVIDENCE_LIST").unwrap()), "{name}, {}", profile.name());
            assert!(graph.check().is_err(), "{name}, {}", profile.name());
        };
        check("get", &|property| property.get(owner) != Some(Value::Null));
        check("all", &|property| property.all(owner).any(|value| value == Value::Ref(Some(20))));
        check("number", &|property| property.number(owner).is_some());
        check("numbers", &|property| property.numbers(owner).any(|number| number == 20));
        check("cursor", &|property| property.cursor().number(owner).is_some());
        check("for_each", &|property| {
            let mut is_there = false;
            property.for_each(|_, number| is_there |= number == 20);
            is_there
        });
        let owners = owner..owner + 1;
        check("fill", &|property| {
            let (mut values, mut present) = (Vec::new(), Vec::new());
            property.fill(owners.clone(), &mut values, &mut present);
            let is_filled = present != [0] || values != [0];
            property.fill_list(&[owner], &mut values, &mut present);
            is_filled || present != [0] || values != [0]
        });
        check("fill_wanted", &|property| {
            let (mut values, mut present) = (Vec::new(), Vec::new());
            property.fill_wanted(owners.clone(), &[1], &mut values, &mut present);
            present != [0] || values != [0]
        });
        check("select", &|property| {
            let mut bits = Vec::new();
            property.select(20..=20, owners.clone(), &mut bits);
            bits != [0]
        });
        check("sum", &|property| property.sum(0..owner) != property.sum(0..owner + 1));
        check("least_and_greatest", &|property| property.least_and_greatest(owners.clone()).is_some());
        check("count_in", &|property| property.count_in(20..=20, 0..owner + 1) > 0);
        check("count_codes", &|property| {
            let mut counts = [0; 30];
            property.count_codes(0..owner + 1, &mut counts) > 0 || counts[20] > 0
        });
    }
}

/// If a column of a property claims that its values are differences from a key (the index of each value, or
/// the node of its list), different readers might read different values.
#[test]
fn a_property_whose_values_are_relative_is_refused() {
    for profile in Profile::ALL {
        let good = draft(20, false).bytes(profile);
        let directory = open_bytes(&good).unwrap().store().superblock().directory_offset as usize;
        let mut refused = 0;
        for at in directory..good.len() {
            let _tried = Tried(profile, at, 1);
            let mut bytes = good.clone();
            bytes[at] ^= 1;
            repair(&mut bytes);
            let Ok(graph) = open_bytes(&bytes) else { continue };
            let directory = graph.store().directory();
            for (property, row) in graph.property_ids().zip(&directory.properties) {
                if directory.columns.get(row.values.index()).is_some_and(|row| row.relative) {
                    let error = graph.property_at(property).map(|_| ()).unwrap_err().to_string();
                    assert!(error.contains("expected absolute values"), "{error}");
                    refused += 1;
                }
            }
        }
        assert!(refused > 0);
    }
}

#[test]
fn random_damage_to_a_larger_file_is_found_or_harmless() {
    let draft = draft(1500, false);
    let flips = if is_long() { 150 } else { 25 };
    for profile in Profile::ALL {
        let good = draft.bytes(profile);
        let mut random = SplitMix64::new(2);
        for _ in 0..flips {
            let at = random.below(good.len());
            check_flip(&good, profile, at, 1 + random.below(255) as u8);
        }
    }
}

#[test]
fn damage_that_no_checksum_knows_of_is_found() {
    let draft = draft(20, false);
    for (number, profile) in Profile::ALL.into_iter().enumerate() {
        let good = draft.bytes(profile);
        let expected = Digest::of(&open_bytes(&good).unwrap(), &Task::new().threads(1)).unwrap();
        for at in (number % stride()..good.len()).step_by(stride()) {
            let _tried = Tried(profile, at, 0x10);
            let mut bytes = good.clone();
            bytes[at] ^= 0x10;
            let Ok(graph) = open_bytes(&bytes) else { continue };
            let is_found = !graph.verify(&Task::new().threads(1)).unwrap().problems.is_empty();
            assert!(is_found || Digest::of(&graph, &Task::new().threads(1)).unwrap() == expected);
        }
    }
}

/// Adds nodes with values and edges, and removes the node `removed`.
fn apply(path: &Path, removed: u32) -> varvite::Result<u64, ChangeError> {
    let mut diff = Diff::new();
    for number in 0..20 {
        let node = diff.add_node(&["CALL"]);
        diff.set(node, "NAME", [format!("added {number}").as_str()]);
        diff.set(10 + number, "ORDER", [i64::from(number * number)]);
        diff.add_edge(AST, number % 4, node);
    }
    diff.remove_node(removed);
    let change = GraphChange::begin(Arc::new(RealVfs), path)?;
    Ok(change.apply_with(&diff, &Task::new())?.file_len)
}

/// A commit rewrites all earlier changes. If it read them without a check of their checksums, damaged changes
/// would get a correct checksum.
#[test]
fn changes_that_are_damaged_are_in_no_later_commit() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("changed.varvite");
    std::fs::write(&path, draft(60, false).bytes(Profile::Direct)).unwrap();
    apply(&path, 5).unwrap();
    let good = std::fs::read(&path).unwrap();
    let graph = open_bytes(&good).unwrap();
    let directory = graph.store().directory();
    let columns = directory.changes.as_ref().unwrap().columns();
    let rows = columns.map(|column| directory.columns[column.index()]);
    let has_bytes = |segment: &SegmentId| directory.segments[segment.index()].stored_len > 0;
    let segments: Vec<_> = rows.flat_map(|row| row.segments).flatten().filter(has_bytes).collect();
    assert!(segments.len() > 8);
    for segment in segments {
        let row = directory.segments[segment.index()];
        let mut bytes = good.clone();
        bytes[row.offset as usize] ^= 1;
        std::fs::write(&path, &bytes).unwrap();
        let error = apply(&path, 6).unwrap_err().to_string();
        assert!(error.contains(&format!("segment {}", segment.0)), "{error}");
        assert_eq!(std::fs::read(&path).unwrap(), bytes);
    }
    std::fs::write(&path, &good).unwrap();
    apply(&path, 6).unwrap();
}

/// An index is built from all values of a property. Without a check of checksums, damaged values would get
/// into the index.
#[test]
fn a_property_that_is_damaged_gets_no_index() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("graph.varvite");
    for profile in Profile::ALL {
        let mut draft = draft(60, false);
        draft.indexed.clear();
        let good = draft.bytes(profile);
        let graph = open_bytes(&good).unwrap();
        let directory = graph.store().directory();
        let row = &directory.properties[graph.property_id("NAME").unwrap().index()];
        let mut columns: Vec<_> =
            [Some(row.present), Some(row.values), row.strings].into_iter().flatten().collect();
        let mut segments = Vec::new();
        while let Some(column) = columns.pop() {
            let row = &directory.columns[column.index()];
            columns.extend(row.children.iter().flatten());
            segments.extend(
                row.segments.iter().flatten().map(|segment| (segment.0, directory.segments[segment.index()])),
            );
        }
        segments.retain(|(_, row)| row.stored_len > 0);
        assert!(segments.len() > 1);
        for (number, row) in segments {
            let mut bytes = good.clone();
            bytes[row.offset as usize] ^= 1;
            std::fs::write(&path, &bytes).unwrap();
            let add = ["NAME".to_owned()];
            let change = IndexChange { add: &add, drop: &[] };
            let error =
                change_indexes(Arc::new(RealVfs), &path, change, &Task::new()).unwrap_err().to_string();
            assert!(error.contains(&format!("segment {number}")), "{error}");
            assert!(std::fs::read(&path).unwrap().starts_with(&bytes), "nothing was committed");
        }
    }
}
