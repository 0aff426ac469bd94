//! Steps to operators, which are CALLs with reserved names, and to their operands: edges AST and ARGUMENT.

use varvite::pipeline::{Pipeline, it, one_of};

use crate::{Calls, Kinds, Tree};

/// Names of CALLs that assign. Joern's list of the same meaning names `postIncrement` twice and leaves out `postDecrement`.
pub const ASSIGNMENTS: [&str; 17] = [
    "<operator>.assignment",
    "<operator>.assignmentDivision",
    "<operator>.assignmentMinus",
    "<operator>.assignmentMultiplication",
    "<operator>.assignmentPlus",
    "<operators>.assignmentAnd",
    "<operators>.assignmentArithmeticShiftRight",
    "<operators>.assignmentExponentiation",
    "<operators>.assignmentLogicalShiftRight",
    "<operators>.assignmentModulo",
    "<operators>.assignmentOr",
    "<operators>.assignmentShiftLeft",
    "<operators>.assignmentXor",
    "<operator>.postDecrement",
    "<operator>.postIncrement",
    "<operator>.preDecrement",
    "<operator>.preIncrement",
];

/// Names of CALLs that calculate, those that assign as well among them.
pub const ARITHMETIC: [&str; 16] = [
    "<operator>.addition",
    "<operator>.division",
    "<operator>.exponentiation",
    "<operator>.modulo",
    "<operator>.multiplication",
    "<operator>.subtraction",
    "<operator>.assignmentDivision",
    "<operator>.assignmentMinus",
    "<operator>.assignmentMultiplication",
    "<operator>.assignmentPlus",
    "<operators>.assignmentExponentiation",
    "<operators>.assignmentModulo",
    "<operator>.postDecrement",
    "<operator>.postIncrement",
    "<operator>.preDecrement",
    "<operator>.preIncrement",
];

/// Names of CALLs that look into an array by an index.
pub const ARRAY_ACCESSES: [&str; 4] = [
    "<operator>.computedMemberAccess",
    "<operator>.indexAccess",
    "<operator>.indirectComputedMemberAccess",
    "<operator>.indirectIndexAccess",
];

/// Names of CALLs that look into a structure by a field.
pub const FIELD_ACCESSES: [&str; 2] = ["<operator>.fieldAccess", "<operator>.indirectFieldAccess"];

/// Steps to operators and operands.
#[expect(
    clippy::wrong_self_convention,
    reason = "steps take a pipeline and give a longer one; names are Joern's"
)]
pub trait Operators: Sized {
    /// Keeps CALLs that have one of the names.
    fn is_call_to<const N: usize>(self, names: [&str; N]) -> Self;
    /// The assignments in a subtree, the node itself included: AST out, any number of times.
    fn assignments(self) -> Self;
    /// The arithmetic in a subtree, the node itself included: AST out, any number of times.
    fn arithmetic(self) -> Self;
    /// The array accesses in a subtree, the node itself included: AST out, any number of times.
    fn array_accesses(self) -> Self;
    /// The field accesses in a subtree, the node itself included: AST out, any number of times.
    fn field_accesses(self) -> Self;
    /// All assignments above: AST in, any number of times.
    fn in_assignment(self) -> Self;
    /// The first assignment above: AST in up to there.
    fn nearest_assignment(self) -> Self;
    /// All arithmetic above: AST in, any number of times.
    fn in_arithmetic(self) -> Self;
    /// All array accesses above: AST in, any number of times.
    fn in_array_access(self) -> Self;
    /// All field accesses above: AST in, any number of times.
    fn in_field_access(self) -> Self;
    /// What an assignment changes: argument 1.
    fn assigned(self) -> Self;
    /// What an assignment takes its value from: argument 2, or where there is none, as in `i++`, argument 1.
    fn assigned_from(self) -> Self;
    /// The array of an array access: argument 1.
    fn array(self) -> Self;
    /// The index of an array access: argument 2.
    fn subscript(self) -> Self;
    /// The structure of a field access: argument 1.
    fn structure(self) -> Self;
    /// The name of the field of a field access, as a FIELD_IDENTIFIER: argument 2.
    fn field(self) -> Self;
}

impl Operators for Pipeline {
    fn is_call_to<const N: usize>(self, names: [&str; N]) -> Self {
        self.is_call().has("NAME", one_of(names))
    }

    fn assignments(self) -> Self {
        self.ast().is_call_to(ASSIGNMENTS)
    }

    fn arithmetic(self) -> Self {
        self.ast().is_call_to(ARITHMETIC)
    }

    fn array_accesses(self) -> Self {
        self.ast().is_call_to(ARRAY_ACCESSES)
    }

    fn field_accesses(self) -> Self {
        self.ast().is_call_to(FIELD_ACCESSES)
    }

    fn in_assignment(self) -> Self {
        self.in_ast_minus_leaf().is_call_to(ASSIGNMENTS)
    }

    fn nearest_assignment(self) -> Self {
        self.nearest_ancestor_where("CALL", it().has("NAME", one_of(ASSIGNMENTS)))
    }

    fn in_arithmetic(self) -> Self {
        self.in_ast_minus_leaf().is_call_to(ARITHMETIC)
    }

    fn in_array_access(self) -> Self {
        self.in_ast_minus_leaf().is_call_to(ARRAY_ACCESSES)
    }

    fn in_field_access(self) -> Self {
        self.in_ast_minus_leaf().is_call_to(FIELD_ACCESSES)
    }

    fn assigned(self) -> Self {
        self.argument(1)
    }

    fn assigned_from(self) -> Self {
        self.coalesce([it().argument(2), it().argument(1)])
    }

    fn array(self) -> Self {
        self.argument(1)
    }

    fn subscript(self) -> Self {
        self.argument(2)
    }

    fn structure(self) -> Self {
        self.argument(1)
    }

    fn field(self) -> Self {
        self.argument(2)
    }
}
