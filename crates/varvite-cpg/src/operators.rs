//! Names of operators, which are CALLs with reserved names.

/// Names of CALLs that assign. Joern's list of the same meaning names `postIncrement` twice and leaves out
/// `postDecrement`.
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
