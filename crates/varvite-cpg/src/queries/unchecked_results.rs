//! CALLs that may fail, but whose result is never checked.
//!
//! Finds CALLs that may reach a METHOD whose NAME matches [`FALLIBLE`], except those
//!
//! - that are a condition or part of one: an edge CONDITION leads to the CALL or to one of its ancestors;
//! - that are returned: one of their ancestors is a RETURN;
//! - that are assigned to something that is checked: an ancestor is an assignment, and the CODE of its target
//!   (argument 1) is also the CODE of an IDENTIFIER or CALL in the subtree of a condition of a
//!   CONTROL_STRUCTURE in the METHOD.
//!
//! A closure makes the last comparison.

use std::collections::HashMap;

use varvite::cursor::LabelTest;
use varvite::pipeline::{Pipeline, Plan, it, nodes, regex};
use varvite::{Adjacency, Graph};

use super::{Query, Question, compile, nodes_of};
use crate::{ASSIGNMENTS, Calls, Codes, Cursors, Kinds, Result, Tree, label_test};

/// A regular expression for the names of functions that may fail.
pub const FALLIBLE: &str = "(?i)(read|recv|(sqlite3_?|sqlite3Db)?malloc(64|Raw|Zero)?|k[mvz]*alloc|zalloc|vmalloc|alloc_skb|\
     netdev_alloc_skb|dev_alloc_skb)";

pub(super) const QUERY: Query =
    Query { name: "unchecked_results", follows: "unchecked-read-recv-malloc", prepare };

fn prepare(graph: &Graph) -> Result<Question> {
    let plans = compile(graph, [neither_asked_nor_returned()])?;
    let mut checks = Checks::open(graph)?;
    Ok(Box::new(move || checks.ask(&plans)))
}

fn neither_asked_nor_returned() -> Pipeline {
    let calls = nodes("METHOD").has("NAME", regex(FALLIBLE)).call_in();
    calls.where_not(it().in_ast().in_("CONDITION")).where_not(it().in_ast_minus_leaf().is_return())
}

struct Checks {
    cursors: Cursors,
    conditions: Adjacency,
    assignments: Codes,
    call: LabelTest,
    control_structure: LabelTest,
    identifier: LabelTest,
}

impl Checks {
    fn open(graph: &Graph) -> Result<Self> {
        let cursors = Cursors::open(graph)?;
        Ok(Self {
            conditions: graph.out("CONDITION")?,
            assignments: Codes::of(&cursors.name, &ASSIGNMENTS),
            call: label_test(graph, "CALL")?,
            control_structure: label_test(graph, "CONTROL_STRUCTURE")?,
            identifier: label_test(graph, "IDENTIFIER")?,
            cursors,
        })
    }

    fn ask(&mut self, calls: &[Plan]) -> Result<Vec<u32>> {
        // The conditions of each METHOD are read only once, even if it has many such CALLs.
        let mut checked: HashMap<u32, Vec<i64>> = HashMap::new();
        let mut unchecked = nodes_of(calls)?;
        unchecked.retain(|call| {
            let Some(method) = self.cursors.method(*call) else { return true };
            let codes = checked.entry(method).or_insert_with(|| self.checked_in(method));
            !self.targets(*call).any(|code| codes.binary_search(&code).is_ok())
        });
        Ok(unchecked)
    }

    /// The codes (of the property CODE) of the targets of the assignments above a CALL in the syntax tree.
    fn targets(&self, call: u32) -> impl Iterator<Item = i64> + '_ {
        let is_assignment = |node: &u32| self.call.matches(*node) && self.assignments.matches(*node);
        let assignments = self.cursors.above(call).filter(is_assignment);
        assignments.filter_map(|node| self.cursors.code.number(self.cursors.argument(node, 1)?))
    }

    /// The codes (of the property CODE) of the nodes in a METHOD's conditions, in ascending order.
    fn checked_in(&self, method: u32) -> Vec<i64> {
        let (mut below, mut asked) = (Vec::new(), Vec::new());
        self.cursors.ast(method, &mut below);
        for node in below.iter().filter(|node| self.control_structure.matches(**node)) {
            self.conditions.neighbors(*node).for_each(|condition| self.cursors.ast(condition, &mut asked));
        }
        asked.retain(|node| self.identifier.matches(*node) || self.call.matches(*node));
        let mut codes: Vec<i64> = asked.iter().filter_map(|node| self.cursors.code.number(*node)).collect();
        codes.sort_unstable();
        codes.dedup();
        codes
    }
}
