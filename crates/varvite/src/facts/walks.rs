//! What walks count, as far as possible without walking.

use std::collections::{BTreeMap, HashMap};

use super::counts::NodeLabels;
use crate::adjacency::{Adjacency, Direction, Neighbors};
use crate::error::Result;
use crate::graph::Graph;
use crate::property::Property;
use crate::scan::for_each_text;
use crate::subtree::Subtree;
use crate::value::ValueType;

const AST: &str = "AST";
const METHOD: &str = "METHOD";
const CALL: &str = "CALL";
/// How many of the most frequent names are told.
const TOP: usize = 15;

/// How many nodes walks down the AST from every METHOD visit, by label; none if one does not end.
pub(super) fn ast_descendants(graph: &Graph, labels: &NodeLabels) -> Result<Option<BTreeMap<String, u64>>> {
    let is_method = labels.sets_with(METHOD);
    let is_method = |node: u32| is_method[labels.code(node) as usize];
    let subtree = graph.subtree()?.filter(|_| graph.forest_label() == Some(AST));
    let of_codes = match subtree {
        Some(subtree) => Some(ranges_around(&subtree, labels, is_method)),
        None => paths_to(adjacency(graph, AST, Direction::Out)?.as_ref(), labels, is_method),
    };
    let Some(of_codes) = of_codes else { return Ok(None) };
    let mut counts = BTreeMap::new();
    for (code, count) in (0..).zip(of_codes).filter(|(_, count)| *count > 0) {
        *counts.entry(labels.text(code)).or_default() += count;
    }
    Ok(Some(counts))
}

/// For each label set: how many subtrees of nodes that are `top` its nodes are in, all together. Subtrees are ranges, so
/// that those around a node are a stack.
fn ranges_around(subtree: &Subtree, labels: &NodeLabels, is_top: impl Fn(u32) -> bool) -> Vec<u64> {
    let mut of_codes = vec![0u64; labels.code_count()];
    let mut ends: Vec<u32> = Vec::new();
    for (node, code) in (0..).zip(labels.codes()) {
        while ends.last().is_some_and(|end| *end <= node) {
            ends.pop();
        }
        if is_top(node) {
            ends.push(subtree.descendants(node).end);
        }
        of_codes[*code as usize] += ends.len() as u64;
    }
    of_codes
}

/// For each label set: how many paths lead from nodes that are `top` to its nodes, all together. None if there is a
/// cycle on the way, or if there are too many paths to count.
fn paths_to(out: Option<&Adjacency>, labels: &NodeLabels, is_top: impl Fn(u32) -> bool) -> Option<Vec<u64>> {
    let nodes = labels.codes().len() as u32;
    let mut paths: Vec<u64> = (0..nodes).map(|node| u64::from(is_top(node))).collect();
    let mut of_codes = vec![0u64; labels.code_count()];
    for node in parents_first(out, nodes, is_top)? {
        let to_node = paths[node as usize];
        let of_code = &mut of_codes[labels.code(node) as usize];
        *of_code = of_code.checked_add(to_node)?;
        for child in out.iter().flat_map(|out| out.neighbors(node)) {
            let to_child = paths.get_mut(child as usize)?;
            *to_child = to_child.checked_add(to_node)?;
        }
    }
    of_codes.iter().try_fold(0u64, |sum, count| sum.checked_add(*count)).map(|_| of_codes)
}

/// What is reached from nodes that are `top`, each node behind all those that it is reached through. None if there is a
/// cycle.
fn parents_first(out: Option<&Adjacency>, nodes: u32, is_top: impl Fn(u32) -> bool) -> Option<Vec<u32>> {
    #[derive(Clone, Copy, PartialEq)]
    enum State {
        New,
        Open,
        Done,
    }
    let mut states = vec![State::New; nodes as usize];
    let mut order = Vec::new();
    let mut stack: Vec<(u32, Option<Neighbors<'_>>)> = Vec::new();
    for top in (0..nodes).filter(|node| is_top(*node)) {
        if states[top as usize] == State::New {
            states[top as usize] = State::Open;
            stack.push((top, out.map(|out| out.neighbors(top))));
        }
        while let Some((node, children)) = stack.last_mut() {
            let Some(child) = children.as_mut().and_then(Iterator::next) else {
                states[*node as usize] = State::Done;
                order.push(*node);
                stack.pop();
                continue;
            };
            let state = states.get_mut(child as usize)?;
            match state {
                State::Open => return None,
                State::Done => {}
                State::New => {
                    *state = State::Open;
                    stack.push((child, out.map(|out| out.neighbors(child))));
                }
            }
        }
    }
    order.reverse();
    Some(order)
}

/// How many nodes each METHOD reaches along CFG edges, itself included, all together.
pub(super) fn cfg_reachable(graph: &Graph, labels: &NodeLabels) -> Result<u64> {
    let out = adjacency(graph, "CFG", Direction::Out)?;
    // The last METHOD that reached each node, so that nothing has to be cleared between walks.
    let mut reached_by = vec![u32::MAX; labels.codes().len()];
    let (mut reached, mut stack) = (0, Vec::new());
    for method in labels.nodes_with(METHOD) {
        reached_by[method as usize] = method;
        stack.push(method);
        while let Some(node) = stack.pop() {
            reached += 1;
            for target in out.iter().flat_map(|out| out.neighbors(node)) {
                let Some(last) = reached_by.get_mut(target as usize) else { continue };
                if *last != method {
                    *last = method;
                    stack.push(target);
                }
            }
        }
    }
    Ok(reached)
}

/// The lengths of FULL_NAME, in UTF-16 units, of everything that CALL nodes call.
pub(super) fn callee_full_name_chars(graph: &Graph, labels: &NodeLabels) -> Result<u64> {
    let calls = adjacency(graph, CALL, Direction::Out)?;
    let Some((calls, (index, full_name))) = calls.zip(texts(graph, "FULL_NAME")?) else { return Ok(0) };
    let mut lengths = Vec::new();
    for_each_text(graph, index, |text| lengths.push(String::from_utf8_lossy(text).encode_utf16().count()))?;
    let length = |callee| {
        let code = usize::try_from(full_name.number(callee)?).ok()?;
        lengths.get(code).map(|length| *length as u64)
    };
    let callees = labels.nodes_with(CALL).flat_map(|call| calls.neighbors(call));
    Ok(callees.filter_map(length).sum())
}

/// How many steps lead up from all IDENTIFIERs; none if one walk does not end. Each node's steps are counted once.
pub(super) fn identifier_hops(graph: &Graph, labels: &NodeLabels) -> Result<Option<u64>> {
    const NEW: u32 = u32::MAX;
    const ON_PATH: u32 = u32::MAX - 1;
    let up = adjacency(graph, AST, Direction::In)?;
    let is_method = labels.sets_with(METHOD);
    let mut hops = vec![NEW; labels.codes().len()];
    let (mut path, mut sum) = (Vec::new(), 0u64);
    for identifier in labels.nodes_with("IDENTIFIER") {
        let mut next = Some(identifier);
        let mut steps = 0;
        while let Some(node) = next.filter(|node| (*node as usize) < hops.len()) {
            if is_method[labels.code(node) as usize] {
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
            path.push(node);
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
pub(super) fn top_call_names(graph: &Graph, labels: &NodeLabels) -> Result<Vec<(String, u64)>> {
    let name = texts(graph, "NAME")?.map(|(_, name)| name);
    let strings = name.as_ref().and_then(Property::strings);
    let mut counts: HashMap<String, u64> = HashMap::new();
    let mut of_codes = vec![0u64; strings.map_or(0, |strings| strings.len() as usize)];
    for call in labels.nodes_with(CALL) {
        let code = name.as_ref().and_then(|name| usize::try_from(name.number(call)?).ok());
        match code.and_then(|code| of_codes.get_mut(code)) {
            Some(count) => *count += 1,
            None => *counts.entry(String::new()).or_default() += 1,
        }
    }
    let mut reader = strings.map(|strings| strings.reader());
    for (code, count) in (0..).zip(of_codes).filter(|(_, count)| *count > 0) {
        let text = reader.as_mut().and_then(|reader| reader.str(code)).unwrap_or_default();
        *counts.entry(text.to_owned()).or_default() += count;
    }
    let mut top: Vec<(String, u64)> = counts.into_iter().collect();
    top.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.encode_utf16().cmp(b.0.encode_utf16())));
    top.truncate(TOP);
    Ok(top)
}

/// An adjacency, if the graph has the edge label.
fn adjacency(graph: &Graph, edge_label: &str, direction: Direction) -> Result<Option<Adjacency>> {
    let index = graph.edge_labels().iter().position(|label| label.name == edge_label);
    index.map(|index| graph.adjacency(index, direction)).transpose()
}

/// A property of nodes with its index, if the graph has it and it holds strings.
fn texts(graph: &Graph, name: &str) -> Result<Option<(usize, Property)>> {
    let index = graph.properties().iter().position(|info| {
        info.edge_label.is_none() && info.name == name && info.value_type == ValueType::String
    });
    index.map(|index| Ok((index, graph.property_at(index)?))).transpose()
}
