//! Counts of walks, computed without following the walks where possible.

use std::collections::BTreeMap;

use varvite::columns::{GraphScan, ScratchVec};
use varvite::{Adjacency, Direction, Graph, Neighbors, NodeLabels, Property, Result, Subtree, ValueType};

const AST: &str = "AST";
const METHOD: &str = "METHOD";
const CALL: &str = "CALL";
/// The number of most frequent names to report.
const TOP: usize = 15;

/// The number of visits in walks down the AST from every METHOD, by label. `None` if a walk does not end.
pub(super) fn ast_descendants(
    graph_scan: &GraphScan<'_>,
    labels: &NodeLabels<'_>,
) -> Result<Option<BTreeMap<String, u64>>> {
    let is_method = labels.sets_with(METHOD);
    let is_method = |node: u32| is_method[labels.set(node) as usize];
    let subtree = graph_scan.graph().subtree()?.filter(|_| graph_scan.graph().forest_label() == Some(AST));
    let of_codes = match subtree {
        Some(subtree) => Some(ranges_around(graph_scan, &subtree, labels, is_method)?),
        None => paths_to(
            graph_scan,
            adjacency(graph_scan.graph(), AST, Direction::Out)?.as_ref(),
            labels,
            is_method,
        )?,
    };
    let Some(of_codes) = of_codes else { return Ok(None) };
    let mut counts = BTreeMap::new();
    for (code, count) in (0..).zip(of_codes).filter(|(_, count)| *count > 0) {
        *counts.entry(labels.text(code)).or_default() += count;
    }
    Ok(Some(counts))
}

/// For each label set, the sum, over its nodes, of the number of top nodes whose subtree contains the node. A
/// node is a top node if `is_top` returns true. Subtrees are ranges of ids, so the subtrees that contain a
/// node form a stack.
fn ranges_around(
    graph_scan: &GraphScan<'_>,
    subtree: &Subtree,
    labels: &NodeLabels<'_>,
    is_top: impl Fn(u32) -> bool,
) -> Result<Vec<u64>> {
    let mut of_sets = vec![0u64; labels.set_count()];
    let mut ends: ScratchVec<'_, u32> = ScratchVec::new(graph_scan)?;
    for (node, set) in (0..).zip(labels.sets()) {
        while ends.last().is_some_and(|end| *end <= node) {
            ends.pop();
        }
        if is_top(node) {
            ends.push(subtree.descendants(node).end)?;
        }
        of_sets[*set as usize] += ends.len() as u64;
    }
    Ok(of_sets)
}

/// For each label set, the number of paths from top nodes to nodes with this label set. A node is a top node
/// if `is_top` returns true. `None` if a path reaches a cycle, or if a count overflows.
fn paths_to(
    graph_scan: &GraphScan<'_>,
    out: Option<&Adjacency>,
    labels: &NodeLabels<'_>,
    is_top: impl Fn(u32) -> bool,
) -> Result<Option<Vec<u64>>> {
    let nodes = labels.sets().len() as u32;
    let mut paths = ScratchVec::with_capacity(graph_scan, nodes as usize)?;
    (0..nodes).try_for_each(|node| paths.push(u64::from(is_top(node))))?;
    let Some(order) = parents_first(graph_scan, out, nodes, is_top)? else { return Ok(None) };
    Ok(add_paths(out, labels, &order, &mut paths))
}

fn add_paths(
    out: Option<&Adjacency>,
    labels: &NodeLabels<'_>,
    order: &[u32],
    paths: &mut [u64],
) -> Option<Vec<u64>> {
    let mut of_sets = vec![0u64; labels.set_count()];
    for node in order.iter().rev() {
        let to_node = paths[*node as usize];
        let of_set = &mut of_sets[labels.set(*node) as usize];
        *of_set = of_set.checked_add(to_node)?;
        for child in out.iter().flat_map(|out| out.neighbors(*node)) {
            let to_child = paths.get_mut(child as usize)?;
            *to_child = to_child.checked_add(to_node)?;
        }
    }
    of_sets.iter().try_fold(0u64, |sum, count| sum.checked_add(*count)).map(|_| of_sets)
}

/// The nodes that top nodes reach, ordered so that each node comes after all nodes that can be reached from
/// it; in reverse order, parents come first. `None` if there is a cycle.
fn parents_first<'p>(
    graph_scan: &'p GraphScan<'_>,
    out: Option<&Adjacency>,
    nodes: u32,
    is_top: impl Fn(u32) -> bool,
) -> Result<Option<ScratchVec<'p, u32>>> {
    #[derive(Clone, Copy, PartialEq)]
    enum State {
        New,
        Open,
        Done,
    }
    let mut states = ScratchVec::filled(graph_scan, State::New, nodes as usize)?;
    let mut order = ScratchVec::new(graph_scan)?;
    let mut stack: ScratchVec<'_, (u32, Option<Neighbors<'_>>)> = ScratchVec::new(graph_scan)?;
    for top in (0..nodes).filter(|node| is_top(*node)) {
        graph_scan.check()?;
        if states[top as usize] == State::New {
            states[top as usize] = State::Open;
            stack.push((top, out.map(|out| out.neighbors(top))))?;
        }
        while let Some((node, children)) = stack.last_mut() {
            let Some(child) = children.as_mut().and_then(Iterator::next) else {
                states[*node as usize] = State::Done;
                order.push(*node)?;
                stack.pop();
                continue;
            };
            match states.get_mut(child as usize) {
                None | Some(State::Open) => return Ok(None),
                Some(State::Done) => {}
                Some(state) => {
                    *state = State::Open;
                    stack.push((child, out.map(|out| out.neighbors(child))))?;
                }
            }
        }
    }
    Ok(Some(order))
}

/// The maximum number of steps along the CFG for each node and edge of the graph. One step is enough if
/// METHODs do not share parts of the CFG.
const CFG_STEPS: u64 = 16;
/// The number of steps along the CFG that are allowed even in a small graph.
const CFG_STEPS_FREE: u64 = 1 << 24;

/// The sum, over all METHODs, of the number of nodes that the METHOD reaches along CFG edges, itself
/// included. `None` if counting would take too long.
pub(super) fn cfg_reachable(graph_scan: &GraphScan<'_>, labels: &NodeLabels<'_>) -> Result<Option<u64>> {
    let out = adjacency(graph_scan.graph(), "CFG", Direction::Out)?;
    let size = u64::from(graph_scan.graph().node_count()) + out.as_ref().map_or(0, Adjacency::edge_count);
    let mut steps_left = size.saturating_mul(CFG_STEPS).max(CFG_STEPS_FREE);
    // The last METHOD that reached each node. Since a mark names the METHOD, no marks have to be cleared
    // between walks.
    let mut reached_by = ScratchVec::filled(graph_scan, u32::MAX, labels.sets().len())?;
    let (mut reached, mut stack) = (0, ScratchVec::new(graph_scan)?);
    for method in labels.nodes_with(METHOD) {
        graph_scan.check()?;
        reached_by[method as usize] = method;
        stack.push(method)?;
        while let Some(node) = stack.pop() {
            reached += 1;
            let mut steps = 1;
            for target in out.iter().flat_map(|out| out.neighbors(node)) {
                steps += 1;
                let Some(last) = reached_by.get_mut(target as usize) else { continue };
                if *last != method {
                    *last = method;
                    stack.push(target)?;
                }
            }
            let Some(left) = steps_left.checked_sub(steps) else { return Ok(None) };
            steps_left = left;
        }
    }
    Ok(Some(reached))
}

/// The sum of the lengths of FULL_NAME, in UTF-16 units, of all targets of CALL edges from CALL nodes.
pub(super) fn callee_full_name_chars(graph_scan: &GraphScan<'_>, labels: &NodeLabels<'_>) -> Result<u64> {
    let calls = adjacency(graph_scan.graph(), CALL, Direction::Out)?;
    let Some((calls, full_name)) = calls.zip(texts(graph_scan.graph(), "FULL_NAME")?) else { return Ok(0) };
    let mut lengths = ScratchVec::new(graph_scan)?;
    if let Some(strings) = full_name.strings() {
        let mut reader = strings.reader();
        for code in 0..strings.len() {
            let text = reader.str(code).unwrap_or_default();
            graph_scan.add_text(text.as_bytes())?;
            lengths.push(text.encode_utf16().count())?;
        }
    }
    let length = |callee| {
        let code = usize::try_from(full_name.number(callee)?).ok()?;
        lengths.get(code).map(|length| *length as u64)
    };
    let callees = labels.nodes_with(CALL).flat_map(|call| calls.neighbors(call));
    Ok(callees.filter_map(length).fold(0, u64::saturating_add))
}

/// The number of steps up from all IDENTIFIERs. `None` if a walk does not end. The number of steps above a
/// node is computed once and remembered.
pub(super) fn identifier_hops(graph_scan: &GraphScan<'_>, labels: &NodeLabels<'_>) -> Result<Option<u64>> {
    const NEW: u32 = u32::MAX;
    const ON_PATH: u32 = u32::MAX - 1;
    let up = adjacency(graph_scan.graph(), AST, Direction::In)?;
    let is_method = labels.sets_with(METHOD);
    let mut hops = ScratchVec::filled(graph_scan, NEW, labels.sets().len())?;
    let (mut path, mut sum) = (ScratchVec::new(graph_scan)?, 0u64);
    for identifier in labels.nodes_with("IDENTIFIER") {
        graph_scan.check()?;
        let mut next = Some(identifier);
        let mut steps = 0;
        while let Some(node) = next.filter(|node| (*node as usize) < hops.len()) {
            if is_method[labels.set(node) as usize] {
                break;
            }
            match hops[node as usize] {
                NEW => {}
                ON_PATH => return Ok(None),
                known => {
                    steps = known;
                    break;
                }
            }
            hops[node as usize] = ON_PATH;
            path.push(node)?;
            next = up.as_ref().and_then(|up| up.first(node));
        }
        while let Some(node) = path.pop() {
            steps += 1;
            hops[node as usize] = steps;
        }
        sum += u64::from(steps);
    }
    Ok(Some(sum))
}

/// The most frequent values of NAME on CALL nodes, with their counts.
pub(super) fn top_call_names(
    graph_scan: &GraphScan<'_>,
    labels: &NodeLabels<'_>,
) -> Result<Vec<(String, u64)>> {
    let name = texts(graph_scan.graph(), "NAME")?;
    let strings = name.as_ref().and_then(Property::strings);
    let texts = strings.map_or(0, |strings| strings.len() as usize);
    let (mut of_codes, mut nameless) = (ScratchVec::filled(graph_scan, 0u64, texts)?, 0);
    for call in labels.nodes_with(CALL) {
        let code = name.as_ref().and_then(|name| usize::try_from(name.number(call)?).ok());
        *code.and_then(|code| of_codes.get_mut(code)).unwrap_or(&mut nameless) += 1;
    }
    let mut top = Top::default();
    let mut reader = strings.map(|strings| strings.reader());
    for (code, count) in (0..).zip(of_codes.iter().copied()).filter(|(_, count)| *count > 0) {
        let text = reader.as_mut().and_then(|reader| reader.str(code)).unwrap_or_default();
        graph_scan.add_text(text.as_bytes())?;
        match text {
            "" => nameless += count,
            text => top.add(text, count),
        }
    }
    if nameless > 0 {
        top.add("", nameless);
    }
    Ok(top.0)
}

/// The most frequent names, in descending order of their counts. No name may be added twice.
#[derive(Default)]
struct Top(Vec<(String, u64)>);

impl Top {
    fn add(&mut self, name: &str, count: u64) {
        let is_before = |other: &(String, u64)| {
            let by_name = || other.0.encode_utf16().cmp(name.encode_utf16());
            count.cmp(&other.1).then_with(by_name).is_lt()
        };
        let place = self.0.partition_point(is_before);
        if place < TOP {
            self.0.insert(place, (name.to_owned(), count));
            self.0.truncate(TOP);
        }
    }
}

/// The adjacency of an edge label in a direction. `None` if the graph does not have the edge label.
fn adjacency(graph: &Graph, edge_label: &str, direction: Direction) -> Result<Option<Adjacency>> {
    let is_there = graph.edge_labels().iter().any(|label| label.name == edge_label);
    let open = || match direction {
        Direction::Out => graph.out(edge_label),
        Direction::In => graph.in_(edge_label),
    };
    is_there.then(open).transpose()
}

/// A string property of nodes. `None` if the graph has no such property.
fn texts(graph: &Graph, name: &str) -> Result<Option<Property>> {
    let is_there = graph
        .properties()
        .iter()
        .any(|info| info.edge_label.is_none() && info.name == name && info.value_type == ValueType::String);
    is_there.then(|| graph.property(name)).transpose()
}
