//! Fields of parameters that are freed and not reassigned before the function ends.
//!
//! Starts from CALLs that may reach a METHOD named in a row of [`FREEING`], and takes their arguments at the
//! index of that row. The answers are the arguments that meet three conditions.
//!
//! - The argument is a field access (see [`FIELD_ACCESSES`]), and the CODE of its structure (argument 1) is
//!   the NAME of a parameter of the METHOD that contains the argument.
//! - That METHOD does not free or clear the structure: it has no descendant CALL whose NAME matches
//!   [`CLEARING`] and whose argument 1 has the CODE of the structure.
//! - METHOD_RETURN can be reached from the argument along REACHING_DEF edges whose VARIABLE is the CODE of
//!   the argument.
//!
//! A closure checks these conditions.

use varvite::cursor::{LabelTest, Ranks};
use varvite::pipeline::{Pipeline, Plan, nodes, one_of, regex};
use varvite::{Direction, Graph, Property};

use super::{Query, Question, compile, nodes_of};
use crate::{Calls, Cursors, FIELD_ACCESSES, Operators, Result, label_test};

/// Functions that free an argument: the ARGUMENT_INDEX of this argument, and the names of the functions.
pub const FREEING: [(i64, &[&str]); 2] = [
    (1, &["free", "kfree", "kvfree", "sqlite3_free", "vfree"]),
    (2, &["TRY_FREE", "ZFREE", "sqlite3DbFree"]),
];

/// A regular expression for the names of functions that free or clear a whole structure.
pub const CLEARING: &str = ".*free|memset|bzero";

pub(super) const QUERY: Query = Query { name: "freed_fields", follows: "free-field-no-reassign", prepare };

fn prepare(graph: &Graph) -> Result<Question> {
    let plans = compile(graph, FREEING.map(|(index, names)| freed(index, names)))?;
    let clearing = nodes("CALL").has("NAME", regex(CLEARING)).argument(1).compile(graph)?;
    let fields = Fields::open(graph)?;
    Ok(Box::new(move || fields.ask(&plans, &clearing)))
}

fn freed(index: i64, names: &[&str]) -> Pipeline {
    let calls = nodes("METHOD").has("NAME", one_of(names.iter().copied())).call_in();
    calls.argument(index).is_call_to(FIELD_ACCESSES)
}

struct Fields {
    cursors: Cursors,
    parameter: LabelTest,
    method_return: LabelTest,
    definitions: Option<Ranks>,
    variable: Property,
}

impl Fields {
    fn open(graph: &Graph) -> Result<Self> {
        Ok(Self {
            cursors: Cursors::open(graph)?,
            parameter: label_test(graph, "METHOD_PARAMETER_IN")?,
            method_return: label_test(graph, "METHOD_RETURN")?,
            definitions: graph.ranks(graph.edge_label("REACHING_DEF")?, Direction::Out)?,
            variable: graph.edge_property("REACHING_DEF", Some("VARIABLE"))?,
        })
    }

    fn ask(&self, freed: &[Plan], clearing: &Plan) -> Result<Vec<u32>> {
        let mut fields = nodes_of(freed)?;
        fields.retain(|field| self.is_of_parameter(*field));
        let mut cleared = nodes_of(std::slice::from_ref(clearing))?;
        cleared.sort_unstable();
        fields.retain(|field| !self.is_cleared(*field, &cleared) && self.reaches_return(*field));
        Ok(fields)
    }

    fn is_of_parameter(&self, field: u32) -> bool {
        let Some((structure, method)) = self.structure(field).zip(self.cursors.method(field)) else {
            return false;
        };
        let Some(code) = self.cursors.code.str(structure) else { return false };
        let mut parameters =
            self.cursors.children.neighbors(method).filter(|node| self.parameter.matches(*node));
        parameters.any(|parameter| self.cursors.name.str(parameter).is_some_and(|name| *name == *code))
    }

    fn structure(&self, field: u32) -> Option<u32> {
        self.cursors.argument(field, 1)
    }

    /// Whether the METHOD of `field` frees or clears the structure of `field`. `cleared` has the freed or
    /// cleared arguments of all CALLs, in ascending order.
    fn is_cleared(&self, field: u32, cleared: &[u32]) -> bool {
        let code = |node: u32| self.cursors.code.number(node);
        let Some((structure, method)) = self.structure(field).and_then(code).zip(self.cursors.method(field))
        else {
            return false;
        };
        self.cursors.among_descendants(method, cleared).any(|node| code(node) == Some(structure))
    }

    /// Whether METHOD_RETURN can be reached from `field` along REACHING_DEF edges of its variable.
    fn reaches_return(&self, field: u32) -> bool {
        let Some(code) = self.cursors.code.str(field) else { return false };
        let (mut reached, mut next) = (vec![field], 0);
        while let Some(node) = reached.get(next).copied() {
            next += 1;
            for (target, rank) in self.definitions.iter().flat_map(|definitions| definitions.of(node)) {
                let variable = self.variable.str(rank);
                if variable.is_none_or(|variable| *variable != *code) {
                    continue;
                }
                if self.method_return.matches(target) {
                    return true;
                }
                if !reached.contains(&target) {
                    reached.push(target);
                }
            }
        }
        false
    }
}
