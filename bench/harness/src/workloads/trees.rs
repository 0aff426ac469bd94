//! Workloads that walk along the syntax tree, or use its index of subtrees.

use varvite::{Adjacency, Graph, LabelNodes, Result};

use super::{Answer, Round};

pub(super) fn ast_dfs(graph: &Graph) -> Result<Round> {
    let (children, parents) = (graph.out("AST")?, graph.in_("AST")?);
    let is_root = |node: &u32| parents.first(*node).is_none() && children.first(*node).is_some();
    let roots: Vec<u32> = (0..graph.node_count()).filter(is_root).collect();
    let mut stack = Vec::new();
    Ok(Box::new(move || {
        stack.extend_from_slice(&roots);
        Answer::of_steps(pop_all(&children, &mut stack))
    }))
}

pub(super) fn ast_below_methods(graph: &Graph) -> Result<Round> {
    let (children, methods) = (graph.out("AST")?, graph.nodes("METHOD")?);
    let mut stack = Vec::new();
    Ok(Box::new(move || {
        let below = |method| {
            stack.push(method);
            pop_all(&children, &mut stack)
        };
        Answer::of_steps(methods.iter().map(below).sum())
    }))
}

/// Pops nodes until the stack is empty, and pushes the out-neighbors of each popped node. Returns the number
/// of pops.
#[inline]
fn pop_all(children: &Adjacency, stack: &mut Vec<u32>) -> u64 {
    let mut pops = 0;
    while let Some(node) = stack.pop() {
        pops += 1;
        children.append(node, stack);
    }
    pops
}

/// Computes the answer of `ast_below_methods` from the sizes of subtrees, which the subtree index contains.
pub(super) fn ast_below_methods_count(graph: &Graph) -> Result<Round> {
    let (subtree, methods) = (subtree(graph)?, graph.nodes("METHOD")?);
    Ok(Box::new(move || {
        let below: u64 = methods.iter().map(|method| 1 + u64::from(subtree.size(method))).sum();
        Answer::new(below as i64, u64::from(methods.len()))
    }))
}

/// Counts the nodes of `ast_below_methods` by label. A subtree is a range of ids; for each label, two rank
/// queries, one for each end of the range, give the count. The answer has a number for each label of the
/// schema.
pub(super) fn ast_below_methods_labels(graph: &Graph) -> Result<Round> {
    let (subtree, methods) = (subtree(graph)?, graph.nodes("METHOD")?);
    let labels: Vec<LabelNodes> =
        graph.labels().iter().map(|label| graph.nodes(&label.name)).collect::<Result<_>>()?;
    Ok(Box::new(move || {
        let below = |nodes: &LabelNodes| {
            let counts =
                methods.iter().map(|method| nodes.count_in(method..method + 1 + subtree.size(method)));
            counts.map(i64::from).sum()
        };
        let operations = u64::from(methods.len()) * labels.len() as u64;
        Answer { values: labels.iter().map(below).collect(), operations }
    }))
}

/// Visits the nodes of `ast_below_methods` one by one, without a stack: reads the labels of each id in each
/// subtree's range. The answer is the number of CALLs.
pub(super) fn ast_below_methods_scan(graph: &Graph) -> Result<Round> {
    let (subtree, methods) = (subtree(graph)?, graph.nodes("METHOD")?);
    let (labels, call) = (graph.label_sets()?, graph.label("CALL")?);
    Ok(Box::new(move || {
        let (mut calls, mut visited) = (0, 0);
        for method in methods.iter() {
            let range = method..subtree.descendants(method).end;
            visited += range.len() as u64;
            calls += range.filter(|node| labels.has(*node, call)).count() as i64;
        }
        Answer::new(calls, visited)
    }))
}

fn subtree(graph: &Graph) -> Result<varvite::Subtree> {
    let index = graph.subtree()?;
    index.ok_or_else(|| varvite::GraphError::Unknown {
        kind: varvite::error::NameKind::Index,
        name: "subtree".into(),
        nearest: None,
    })
}

pub(super) fn ast_up(graph: &Graph) -> Result<Round> {
    let (parents, nodes) = (graph.in_("AST")?, graph.node_count());
    Ok(Box::new(move || Answer::of_steps((0..nodes).map(|node| steps_up(&parents, node, |_| false)).sum())))
}

pub(super) fn identifier_up(graph: &Graph) -> Result<Round> {
    let (parents, identifiers) = (graph.in_("AST")?, graph.nodes("IDENTIFIER")?);
    let methods = graph.label_sets()?.test(graph.label("METHOD")?);
    Ok(Box::new(move || {
        let steps = |node| steps_up(&parents, node, |above| methods.matches(above));
        Answer::of_steps(identifiers.iter().map(steps).sum())
    }))
}

/// Climbs from `node` along first in-neighbors until a node for which `is_last` is true, or past the root,
/// and returns the number of steps.
#[inline]
fn steps_up(parents: &Adjacency, node: u32, is_last: impl Fn(u32) -> bool) -> u64 {
    let mut steps = 0;
    let mut above = Some(node);
    while let Some(node) = above.filter(|node| !is_last(*node)) {
        steps += 1;
        above = parents.first(node);
    }
    steps
}
