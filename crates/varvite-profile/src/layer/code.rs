//! [`Code`]: finds the loop around a CALL and the callers of a METHOD in the code, independently of a run.

use std::cell::RefCell;
use std::collections::{BTreeMap, HashMap};

use varvite::cursor::LabelTest;
use varvite::error::optional;
use varvite::{Adjacency, Graph, GraphError, Property};

/// Types of CONTROL_STRUCTUREs that are loops.
const LOOPS: [&str; 4] = ["FOR", "WHILE", "DO", "FOREACH"];
/// Conditions that are never true: a loop with such a condition runs its body at most once. Macros with
/// several statements are written as such loops, so that a semicolon may follow the macro.
const NEVER: [&str; 8] = ["0", "0L", "0U", "0u", "0l", "false", "FALSE", "False"];
/// Maximum number of steps from a CALL to its ancestors in the syntax tree. Real code is not nested as
/// deeply.
const DEPTH_MAX: usize = 1 << 10;
/// Maximum number of children of a FOR among which its condition is searched, so that a call costs a bounded
/// number of steps. Before the condition come the variables of the FOR and its initialisers.
const PARTS_OF_FOR: usize = 64;

/// The columns that are needed to find loops and callers. If a column is missing, no loops or no callers are
/// found. The default value has no columns.
#[derive(Default)]
pub struct Code {
    parents: Option<Adjacency>,
    children: Option<Adjacency>,
    conditions: Option<Adjacency>,
    calls: Option<Adjacency>,
    containers: Option<Adjacency>,
    is_method: Option<LabelTest>,
    is_control_structure: Option<LabelTest>,
    kind: Option<Property>,
    code: Option<Property>,
    order: Option<Property>,
    known_loops: RefCell<HashMap<u32, Option<u32>>>,
}

impl Code {
    /// Opens the columns of a graph, without reading them.
    ///
    /// # Errors
    /// Damage of the graph. A missing column is not an error.
    pub fn of(graph: &Graph) -> Result<Self, GraphError> {
        let test = |label| match optional(graph.label(label))? {
            Some(label) => graph.label_sets().map(|labels| Some(labels.test(label))),
            None => Ok(None),
        };
        Ok(Self {
            parents: optional(graph.in_("AST"))?,
            children: optional(graph.out("AST"))?,
            conditions: optional(graph.out("CONDITION"))?,
            calls: optional(graph.in_("CALL"))?,
            containers: optional(graph.in_("CONTAINS"))?,
            is_method: test("METHOD")?,
            is_control_structure: test("CONTROL_STRUCTURE")?,
            kind: optional(graph.property("CONTROL_STRUCTURE_TYPE"))?,
            code: optional(graph.property("CODE"))?,
            order: optional(graph.property("ORDER"))?,
            known_loops: RefCell::default(),
        })
    }

    /// The innermost CONTROL_STRUCTURE around a CALL, within the same METHOD, that repeats the CALL.
    ///
    /// **Cost**: a step for each ancestor of the CALL; for later calls with the same CALL, a look-up.
    pub fn loop_around(&self, call: u32) -> Option<u32> {
        if let Some(known) = self.known_loops.borrow().get(&call) {
            return *known;
        }
        let found = self.find_loop(call);
        self.known_loops.borrow_mut().insert(call, found);
        found
    }

    fn find_loop(&self, call: u32) -> Option<u32> {
        let mut below = call;
        for _ in 0..DEPTH_MAX {
            let node = self.parents.as_ref()?.first(below)?;
            if self.is_method.as_ref().is_some_and(|test| test.matches(node)) {
                return None;
            }
            if self.is_loop(node) && !self.is_done_once(node, below) {
                return Some(node);
            }
            below = node;
        }
        None
    }

    fn is_loop(&self, node: u32) -> bool {
        let is_one = self.is_control_structure.as_ref().is_some_and(|test| test.matches(node));
        let kind = if is_one { self.kind.as_ref().and_then(|kind| kind.str(node)) } else { None };
        kind.is_some_and(|kind| LOOPS.contains(&&*kind)) && !self.asks_in_vain(node)
    }

    /// Whether the condition of a CONTROL_STRUCTURE is never true, such as in `do { .. } while (0)`.
    fn asks_in_vain(&self, node: u32) -> bool {
        let condition = self.conditions.as_ref().and_then(|conditions| conditions.first(node));
        let code = condition.and_then(|condition| self.code.as_ref()?.str(condition));
        code.is_some_and(|code| NEVER.contains(&code.trim_matches(['(', ')', ' '])))
    }

    /// Whether `node` is a FOR, and `child` an initialiser, which runs once. Initialisers come before the
    /// condition. Without a condition, the child whose ORDER is 1 is the initialiser, or the range of C++'s
    /// `for (auto x : range())`, unless it is the body.
    fn is_done_once(&self, node: u32, child: u32) -> bool {
        let is_for = self.kind.as_ref().and_then(|kind| kind.str(node)).is_some_and(|kind| &*kind == "FOR");
        let Some(children) = self.children.as_ref().filter(|_| is_for) else { return false };
        let mut parts = children.neighbors(node).take(PARTS_OF_FOR);
        match self.conditions.as_ref().and_then(|conditions| conditions.first(node)) {
            Some(condition) if condition == child => false,
            Some(condition) => {
                parts.by_ref().find(|part| [child, condition].contains(part)) == Some(child)
                    && parts.any(|part| part == condition)
            }
            None => {
                let order = self.order.as_ref().and_then(|order| order.number(child));
                order == Some(1) && parts.last() != Some(child)
            }
        }
    }

    /// The METHODs that have CALLs to a METHOD in the code, each with the first of these CALLs. **Cost**: two
    /// hops for each CALL.
    pub fn callers_of(&self, method: u32) -> BTreeMap<u32, u32> {
        let mut callers = BTreeMap::new();
        if let (Some(calls), Some(containers)) = (&self.calls, &self.containers) {
            for call in calls.neighbors(method) {
                if let Some(caller) = containers.first(call) {
                    let first = callers.entry(caller).or_insert(call);
                    *first = call.min(*first);
                }
            }
        }
        callers
    }
}
