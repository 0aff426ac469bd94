//! [`RepeatWalk`]: the walk of a condition from one node to other nodes.
//!
//! A condition asks whether any of the reached nodes passes, or how many pass. So nodes are tested one by
//! one, only the state of the walk is stored, and the first node that decides the answer ends the walk.

use super::context::Context;
use super::key_table::KeyTable;
use super::stop::Stop;
use crate::pipeline::plan::{Below, TreePlan, Walk};
use varvite_graph::LabelNodes;

/// The state of a [`Walk`] in a run.
#[derive(Debug)]
pub(crate) struct RepeatWalk {
    walk: Walk,
    /// The visited nodes of a closure; and, in `pending`, the visited nodes whose neighbours have not been
    /// read yet.
    visited: Option<KeyTable>,
    pending: Vec<u32>,
    held: usize,
}

/// A test of a node. It returns true if the node decides the answer and ends the walk.
type Look<'a> = dyn FnMut(u32, &mut Context) -> Result<bool, Stop> + 'a;

impl RepeatWalk {
    pub(crate) fn new(walk: &Walk) -> Self {
        Self { walk: walk.clone(), visited: None, pending: Vec::new(), held: 0 }
    }

    /// Whether any node is reached. `None` if that can't be known without reading the nodes.
    pub(crate) fn leads_anywhere(&self, node: u32) -> Option<bool> {
        self.count(node).map(|count| count > 0)
    }

    /// The number of reached nodes. `None` if that can't be known without reading the nodes.
    pub(crate) fn count(&self, node: u32) -> Option<u64> {
        match &self.walk {
            Walk::Descendants(tree, label) => count_below(tree, label.as_deref(), node),
            _ => None,
        }
    }

    /// Tests nodes until one of them decides the answer. Returns whether any node did so.
    pub(crate) fn visit(&mut self, node: u32, cx: &mut Context, look: &mut Look<'_>) -> Result<bool, Stop> {
        match &self.walk {
            Walk::Closure { .. } => self.visit_closure(node, cx, look),
            Walk::Ancestors(tree) => {
                let parents = &tree.parents;
                let first = if tree.with_self { Some(node) } else { parents.first(node) };
                // A parent must have a smaller id, so the walk ends even in a damaged file.
                let up = |node: &u32| parents.first(*node).filter(|above| above < node);
                visit_all(std::iter::successors(first, up), cx, look)
            }
            Walk::Descendants(tree, None) => visit_all(tree.iter_below(node), cx, look),
            Walk::Descendants(tree, Some(label)) => {
                let Below { ids, appended } = tree.below(node);
                let members = label.iter_from(ids.start).take_while(|member| *member < ids.end);
                let appended = tree.appended(appended).iter().copied();
                visit_all(members.chain(appended.filter(|member| label.contains(*member))), cx, look)
            }
        }
    }

    fn visit_closure(&mut self, start: u32, cx: &mut Context, look: &mut Look<'_>) -> Result<bool, Stop> {
        let Self { walk: Walk::Closure { ways, with_self }, visited, pending, held } = self else {
            return Ok(false);
        };
        let visited = visited.get_or_insert_with(|| KeyTable::nodes(cx.nodes));
        visited.clear();
        visited.insert(i64::from(start), cx.budget)?;
        pending.clear();
        pending.push(start);
        if *with_self && look(start, cx)? {
            return Ok(true);
        }
        while let Some(node) = pending.pop() {
            for neighbor in ways.iter().flat_map(|way| way.adjacency.neighbors(node)) {
                cx.tick()?;
                if visited.insert(i64::from(neighbor), cx.budget)? {
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

fn visit_all(nodes: impl Iterator<Item = u32>, cx: &mut Context, look: &mut Look<'_>) -> Result<bool, Stop> {
    for node in nodes {
        cx.tick()?;
        if look(node, cx)? {
            return Ok(true);
        }
    }
    Ok(false)
}

/// The maximum number of appended nodes that may be counted without a check of the cancel flag.
const APPENDED_MAX: usize = 1 << 14;

/// The number of descendants of a node; if a label is given, only those with the label. `None` if counting
/// takes long.
fn count_below(tree: &TreePlan, label: Option<&LabelNodes>, node: u32) -> Option<u64> {
    let below = tree.below(node);
    let Some(label) = label else { return Some(below.len()) };
    let appended = tree.appended(below.appended);
    if appended.len() > APPENDED_MAX {
        return None;
    }
    let count = appended.iter().filter(|member| label.contains(**member)).count();
    Some(u64::from(label.count_in(below.ids)) + count as u64)
}
