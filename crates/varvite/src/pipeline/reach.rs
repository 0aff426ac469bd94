//! [`Reach`]: from one node to others, inside of a condition.
//!
//! A condition wants to know whether some of them pass, or how many. So nodes are looked at one by one, nothing is kept but
//! what a walk needs, and the first that answers ends it.

use std::sync::Arc;

use super::filter::{Element, Filter};
use super::operators::{Context, KeyTable, Stop};
use super::plan::{TreePlan, Way};
use crate::labels::LabelNodes;

/// Which nodes are looked at.
#[derive(Clone, Debug)]
pub(crate) enum Reach {
    /// Neighbours.
    Hop(Vec<Way>),
    /// What any number of hops leads to.
    Closure(Closure),
    /// Up the tree, the nearest first.
    Ancestors(TreePlan),
    /// Down the tree, all or those of a label.
    Descendants(TreePlan, Option<Arc<LabelNodes>>),
}

/// Everything that hops lead to, each node once, and what a walk along them works with.
#[derive(Debug)]
pub(crate) struct Closure {
    pub(crate) ways: Vec<Way>,
    pub(crate) with_self: bool,
    visited: Option<KeyTable>,
    pending: Vec<u32>,
    held: usize,
}

/// A look at a node: whether it answers, and no other has to be looked at.
type Look<'a> = dyn FnMut(u32, &mut Context) -> Result<bool, Stop> + 'a;

impl Reach {
    /// Whether any node passes.
    pub(crate) fn any(&mut self, node: u32, then: &mut Filter, cx: &mut Context) -> Result<bool, Stop> {
        if then.is_always() {
            match self {
                Self::Hop(ways) => return Ok(ways.iter().any(|way| way.adjacency.first(node).is_some())),
                Self::Descendants(tree, label) => return Ok(count_below(tree, label.as_deref(), node) > 0),
                _ => {}
            }
        }
        self.visit(node, cx, &mut |node, cx| then.passes(Element::Node(node), cx))
    }

    /// How many nodes pass; each counts as often as it is come to.
    pub(crate) fn count(&mut self, node: u32, then: &mut Filter, cx: &mut Context) -> Result<u64, Stop> {
        if let (Self::Descendants(tree, label), true) = (&mut *self, then.is_always()) {
            return Ok(count_below(tree, label.as_deref(), node));
        }
        let mut count = 0;
        let mut look = |node, cx: &mut Context| {
            count += u64::from(then.passes(Element::Node(node), cx)?);
            Ok(false)
        };
        self.visit(node, cx, &mut look)?;
        Ok(count)
    }

    /// Looks at nodes until one answers; whether one did.
    fn visit(&mut self, node: u32, cx: &mut Context, look: &mut Look<'_>) -> Result<bool, Stop> {
        match self {
            Self::Hop(ways) => visit_all(ways.iter().flat_map(|way| way.adjacency.neighbors(node)), cx, look),
            Self::Closure(closure) => closure.visit(node, cx, look),
            Self::Ancestors(tree) => {
                let parents = &tree.parents;
                let first = if tree.with_self { Some(node) } else { parents.first(node) };
                // A parent has a smaller id, so that even a damaged file leads to a root.
                let up = |node: &u32| parents.first(*node).filter(|above| above < node);
                visit_all(std::iter::successors(first, up), cx, look)
            }
            Self::Descendants(tree, None) => visit_all(tree.range(node), cx, look),
            Self::Descendants(tree, Some(label)) => {
                let range = tree.range(node);
                let members = label.iter_from(range.start);
                visit_all(members.take_while(|member| *member < range.end), cx, look)
            }
        }
    }
}

impl Closure {
    pub(crate) fn new(ways: Vec<Way>, with_self: bool) -> Self {
        Self { ways, with_self, visited: None, pending: Vec::new(), held: 0 }
    }

    fn visit(&mut self, start: u32, cx: &mut Context, look: &mut Look<'_>) -> Result<bool, Stop> {
        let Self { ways, with_self, visited, pending, held } = self;
        let visited = visited.get_or_insert_with(|| KeyTable::nodes(cx.nodes));
        visited.clear();
        visited.insert(i64::from(start), &cx.budget)?;
        pending.clear();
        pending.push(start);
        if *with_self && look(start, cx)? {
            return Ok(true);
        }
        while let Some(node) = pending.pop() {
            for neighbor in ways.iter().flat_map(|way| way.adjacency.neighbors(node)) {
                cx.tick()?;
                if visited.insert(i64::from(neighbor), &cx.budget)? {
                    if look(neighbor, cx)? {
                        return Ok(true);
                    }
                    cx.budget.make_room(pending, 1, held)?;
                    pending.push(neighbor);
                }
            }
        }
        Ok(false)
    }
}

impl Clone for Closure {
    /// The description only: each run has buffers of its own.
    fn clone(&self) -> Self {
        Self::new(self.ways.clone(), self.with_self)
    }
}

fn visit_all(nodes: impl Iterator<Item = u32>, cx: &mut Context, look: &mut Look<'_>) -> Result<bool, Stop> {
    for node in nodes {
        cx.tick()?;
        if look(node, cx)? {
            return Ok(true);
        }
    }
    Ok(false)
}

fn count_below(tree: &TreePlan, label: Option<&LabelNodes>, node: u32) -> u64 {
    let range = tree.range(node);
    match label {
        Some(label) => u64::from(label.count_in(range)),
        None => range.len() as u64,
    }
}
