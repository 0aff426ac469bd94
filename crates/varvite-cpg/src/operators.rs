//! Names of operators, which are CALLs with reserved names.

/// Names of CALLs that assign. Joern's list has `postIncrement` twice and lacks `postDecrement`; this list
/// has both, once each.
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

/// Names of CALLs that calculate, including those that also assign the result.
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

/// Names of CALLs that access an element of an array by its index.
pub const ARRAY_ACCESSES: [&str; 4] = [
    "<operator>.computedMemberAccess",
    "<operator>.indexAccess",
    "<operator>.indirectComputedMemberAccess",
    "<operator>.indirectIndexAccess",
];

/// Names of CALLs that access a field of a structure.
pub const FIELD_ACCESSES: [&str; 2] = ["<operator>.fieldAccess", "<operator>.indirectFieldAccess"];
