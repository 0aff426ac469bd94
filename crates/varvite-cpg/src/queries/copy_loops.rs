//! Loops that copy into an array element by element.
//!
//! Finds each array access that is the target of an assignment, if an IDENTIFIER in its subscript has the
//! same CODE as the target of an assignment in the head of a CONTROL_STRUCTURE that is an ancestor of the
//! access. The head consists of the subtrees of all children that are not BLOCKs. The answer is the array of
//! the access (argument 1). A closure compares the CODEs, since no step compares two rows.

use varvite::Graph;
use varvite::cursor::LabelTest;
use varvite::pipeline::{Plan, nodes};

use super::{Query, Question, ask_each, compile, nodes_of};
use crate::operators::{ARRAY_ACCESSES, ASSIGNMENTS};
use crate::{Codes, Cursors, Operators, Result, label_test};

pub(super) const QUERY: Query = Query { name: "copy_loops", follows: "copy-loop", prepare };

fn prepare(graph: &Graph) -> Result<Question> {
    let changed = nodes("CALL").is_call_to(ASSIGNMENTS).assigned().is_call_to(ARRAY_ACCESSES);
    let plans = compile(graph, [changed])?;
    let loops = Loops::open(graph)?;
    Ok(Box::new(move || loops.ask(&plans)))
}

struct Loops {
    cursors: Cursors,
    assignments: Codes,
    identifier: LabelTest,
    call: LabelTest,
    control_structure: LabelTest,
    block: LabelTest,
}

/// The nodes in the subtree of a subscript, and the codes (of the property CODE) of the IDENTIFIERs among
/// them.
#[derive(Default)]
struct Subscript {
    below: Vec<u32>,
    codes: Vec<i64>,
}

impl Loops {
    fn open(graph: &Graph) -> Result<Self> {
        let cursors = Cursors::open(graph)?;
        Ok(Self {
            assignments: Codes::of(&cursors.name, &ASSIGNMENTS),
            identifier: label_test(graph, "IDENTIFIER")?,
            call: label_test(graph, "CALL")?,
            control_structure: label_test(graph, "CONTROL_STRUCTURE")?,
            block: label_test(graph, "BLOCK")?,
            cursors,
        })
    }

    fn ask(&self, accesses: &[Plan]) -> Result<Vec<u32>> {
        let accesses = nodes_of(accesses)?;
        Ok(ask_each(&accesses, Subscript::default, |subscript, access| {
            let array = self.cursors.argument(access, 1)?;
            self.read(self.cursors.argument(access, 2)?, subscript);
            self.is_in_loop_over(subscript, access).then_some(array)
        }))
    }

    fn read(&self, node: u32, Subscript { below, codes }: &mut Subscript) {
        below.clear();
        codes.clear();
        self.cursors.ast(node, below);
        let identifiers = below.iter().filter(|node| self.identifier.matches(**node));
        codes.extend(identifiers.filter_map(|node| self.cursors.code.number(*node)));
    }

    fn is_in_loop_over(&self, Subscript { codes, .. }: &Subscript, access: u32) -> bool {
        let Self { cursors, control_structure, block, .. } = self;
        let is_loop = |above: u32| {
            let mut heads = cursors.children.neighbors(above).filter(|child| !block.matches(*child));
            heads.any(|head| cursors.any_in_ast(head, |node| self.assigns_any(codes, node)))
        };
        let mut above = cursors.above(access).filter(|node| control_structure.matches(*node));
        !codes.is_empty() && above.any(is_loop)
    }

    fn assigns_any(&self, codes: &[i64], node: u32) -> bool {
        let Self { cursors, .. } = self;
        self.call.matches(node)
            && self.assignments.matches(node)
            && cursors
                .argument(node, 1)
                .and_then(|target| cursors.code.number(target))
                .is_some_and(|code| codes.contains(&code))
    }
}
