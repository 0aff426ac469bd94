//! Loops that copy into an array element by element.
//!
//! Each array access that an assignment changes, if an IDENTIFIER in its subscript has the CODE of what is assigned in the
//! head of a CONTROL_STRUCTURE above it: in the subtree of a direct child that is no BLOCK. Answers the array of the access
//! (argument 1). The names meet in a closure: no step compares two rows.

use varvite::pipeline::{Plan, nodes};
use varvite::{Graph, LabelTest};

use super::{Query, Question, compile, nodes_of};
use crate::operators::{ARRAY_ACCESSES, ASSIGNMENTS};
use crate::{Codes, Cursors, Operators, Result, label_test};

pub(super) const QUERY: Query = Query { name: "copy_loops", follows: "copy-loop", prepare };

fn prepare(graph: &Graph) -> Result<Question> {
    let changed = nodes("CALL").is_call_to(ASSIGNMENTS).assigned().is_call_to(ARRAY_ACCESSES);
    let plans = compile(graph, [changed])?;
    let mut loops = Loops::open(graph)?;
    Ok(Box::new(move || loops.ask(&plans)))
}

struct Loops {
    cursors: Cursors,
    assignments: Codes,
    identifier: LabelTest,
    call: LabelTest,
    control_structure: LabelTest,
    block: LabelTest,
    below: Vec<u32>,
    subscripts: Vec<i64>,
}

impl Loops {
    fn open(graph: &Graph) -> Result<Self> {
        let cursors = Cursors::open(graph)?;
        Ok(Self {
            assignments: Codes::of(&cursors.name, ASSIGNMENTS),
            identifier: label_test(graph, "IDENTIFIER")?,
            call: label_test(graph, "CALL")?,
            control_structure: label_test(graph, "CONTROL_STRUCTURE")?,
            block: label_test(graph, "BLOCK")?,
            below: Vec::new(),
            subscripts: Vec::new(),
            cursors,
        })
    }

    fn ask(&mut self, accesses: &[Plan]) -> Result<Vec<u32>> {
        let accesses = nodes_of(accesses)?;
        let copied = accesses.into_iter().filter_map(|access| {
            let array = self.cursors.argument(access, 1)?;
            self.note_subscripts(self.cursors.argument(access, 2)?);
            self.is_in_loop_over_subscript(access).then_some(array)
        });
        Ok(copied.collect())
    }

    /// Notes the CODE of each IDENTIFIER in a subscript.
    fn note_subscripts(&mut self, subscript: u32) {
        let Self { cursors, identifier, below, subscripts, .. } = self;
        below.clear();
        subscripts.clear();
        cursors.ast(subscript, below);
        let identifiers = below.iter().filter(|node| identifier.matches(**node));
        subscripts.extend(identifiers.filter_map(|node| cursors.code.number(*node)));
    }

    fn is_in_loop_over_subscript(&self, access: u32) -> bool {
        let Self { cursors, control_structure, block, .. } = self;
        let is_loop = |above: u32| {
            let mut heads = cursors.children.neighbors(above).filter(|child| !block.matches(*child));
            heads.any(|head| cursors.any_in_ast(head, |node| self.assigns_subscript(node)))
        };
        let mut above = cursors.above(access).filter(|node| control_structure.matches(*node));
        !self.subscripts.is_empty() && above.any(is_loop)
    }

    fn assigns_subscript(&self, node: u32) -> bool {
        let Self { cursors, .. } = self;
        self.call.matches(node)
            && self.assignments.matches(node)
            && cursors
                .argument(node, 1)
                .and_then(|target| cursors.code.number(target))
                .is_some_and(|code| self.subscripts.contains(&code))
    }
}
