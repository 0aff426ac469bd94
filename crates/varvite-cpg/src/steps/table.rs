//! The table of steps: the name of each step, the labels of the nodes that it takes and gives, and its
//! composition from steps of the engine.
//!
//! Only this table declares steps. The methods of a pipeline, the list of [`steps`](crate::steps::steps),
//! Scala's `Steps.scala`, Python's `code_steps.py` and `docs/cpg-steps.md` are all generated from it; `make
//! bless` writes the last three.
//! Tests check the labels and the inverse of every step on the graph of zlib.

use varvite::pipeline::{ALL as ALL_LABELS, Key, Pipeline, Repeat, Step, eq, it, one_of};

use super::argument::ArgumentType;
use super::declare::steps;
use super::description::{StepDescription, StepParameter};
use crate::operators::{ARITHMETIC, ARRAY_ACCESSES, ASSIGNMENTS, FIELD_ACCESSES};

steps! {
    section Tree "Steps along the syntax tree: edges AST, which the subtree index of a graph makes ranges of ids.";

    /// From a node to itself and all nodes below it, depth first: AST out, any number of times.
    ast: any -> any, inverse in_ast => { subtree() }

    /// From a node to all nodes below it: `ast` without the node itself.
    ast_minus_root: any -> any, inverse in_ast_minus_leaf => { descendants() }

    /// From a node to itself and all nodes above it, the nearest first: AST in, any number of times.
    in_ast: any -> any, inverse ast => { then(Step::Ancestors { with_self: true }) }

    /// From a node to all nodes above it, the nearest first: `in_ast` without the node itself.
    in_ast_minus_leaf: any -> any, inverse ast_minus_root => { ancestors() }

    /// From a node to its parent: AST in.
    ast_parent: any -> any, inverse ast_children => { in_("AST") }

    /// From a node to its children, sorted by their ORDER: AST out.
    ast_children: any -> any, inverse ast_parent, by hand in Scala => {
        // A branch of `union` gets one row at a time, so the children of different nodes are sorted
        // separately.
        union([it().out("AST").order_by(Key::Property("ORDER".into()))])
    }

    /// From a node to the nearest BLOCK above it: AST in, up to the BLOCK.
    parent_block: any -> BLOCK => { nearest_ancestor("BLOCK") }

    section Calls
        "Steps between METHODs, their CALLs and arguments: edges CALL, CONTAINS, ARGUMENT and "
        "RECEIVER, and AST to the parts of a METHOD.";

    /// From a METHOD to the CALLs that may reach it: CALL in.
    call_in: METHOD -> CALL, inverse callee => { in_("CALL") }

    /// From a CALL to the METHODs that it may reach: CALL out.
    callee: CALL -> METHOD, inverse call_in, by hand in Scala => { out("CALL") }

    /// From a METHOD to the CALLs in it: CONTAINS out.
    calls as call: METHOD -> CALL => { out("CONTAINS").has_label("CALL") }

    /// From a METHOD to the METHODs that contain a CALL to it, once for each CALL: CALL in, then AST in up to
    /// the METHOD.
    callers as caller: METHOD -> METHOD, inverse callees => { call_in().nearest_ancestor("METHOD") }

    /// From a METHOD to the METHODs that it calls, once for each CALL: CONTAINS out, then CALL out.
    callees as callee: METHOD -> METHOD, inverse callers, by hand in Scala => { calls().callee() }

    /// From a METHOD to all METHODs that may call it, directly or through other METHODs, each of them once,
    /// the nearest first: `callers` any number of times.
    transitive_callers: METHOD -> METHOD, inverse transitive_callees => { repeat(it().callers(), nearest_first) }

    /// From a METHOD to all METHODs that it may call, directly or through other METHODs, each of them once,
    /// the nearest first: `callees` any number of times.
    transitive_callees: METHOD -> METHOD, inverse transitive_callers => { repeat(it().callees(), nearest_first) }

    /// From a node to the METHOD that contains it, and from a METHOD to itself: AST in, up to the METHOD.
    /// CONTAINS in leads to the same METHOD, but some nodes lack that edge.
    method: any -> METHOD => { coalesce([it().has_label("METHOD"), it().nearest_ancestor("METHOD")]) }

    /// From a CALL to one of its arguments, numbered from 1, or with 0 to its receiver: ARGUMENT out, by
    /// ARGUMENT_INDEX.
    argument(index: Number): CALL -> any => { arguments().has("ARGUMENT_INDEX", eq(index)) }

    /// From a CALL to all arguments: ARGUMENT out.
    arguments as argument: CALL -> any, inverse in_call => { out("ARGUMENT") }

    /// From a CALL to the object on which it is made: RECEIVER out.
    receiver: CALL -> any => { out("RECEIVER") }

    /// From an argument to the CALL to which it is passed: ARGUMENT in.
    in_call: any -> CALL, inverse arguments => { in_("ARGUMENT").has_label("CALL") }

    /// From a METHOD to its parameters: AST out.
    parameters as parameter: METHOD -> METHOD_PARAMETER_IN => { out("AST").has_label("METHOD_PARAMETER_IN") }

    /// From a METHOD to one of its parameters, numbered from 1: AST out, by INDEX.
    parameter(index: Number): METHOD -> METHOD_PARAMETER_IN => { parameters().has("INDEX", eq(index)) }

    /// From a METHOD to its METHOD_RETURN, which has the type of the returned value: AST out.
    method_return: METHOD -> METHOD_RETURN => { out("AST").has_label("METHOD_RETURN") }

    /// From a METHOD to the METHOD_REFs that use it as a value: REF in.
    method_refs: METHOD -> METHOD_REF => { in_("REF").has_label("METHOD_REF") }

    section Operators
        "Steps to operators, which are CALLs with reserved names, and to their operands: edges AST and "
        "ARGUMENT.";

    /// Keeps CALLs whose NAME is one of `names`.
    is_call_to(names: Texts): any -> CALL => { is_call().has("NAME", one_of(names)) }

    /// From a node to the assignments in its subtree, the node itself included: AST out, any number of times.
    assignments as assignment: any -> CALL => { ast().is_call_to(ASSIGNMENTS) }

    /// From a node to the arithmetic operations in its subtree, the node itself included: AST out, any number
    /// of times.
    arithmetic: any -> CALL => { ast().is_call_to(ARITHMETIC) }

    /// From a node to the array accesses in its subtree, the node itself included: AST out, any number of
    /// times.
    array_accesses as arrayAccess: any -> CALL => { ast().is_call_to(ARRAY_ACCESSES) }

    /// From a node to the field accesses in its subtree, the node itself included: AST out, any number of
    /// times.
    field_accesses as fieldAccess: any -> CALL => { ast().is_call_to(FIELD_ACCESSES) }

    /// From a node to all assignments above it: AST in, any number of times.
    in_assignment: any -> CALL => { in_ast_minus_leaf().is_call_to(ASSIGNMENTS) }

    /// From a node to the nearest assignment above it: AST in, up to the assignment.
    nearest_assignment: any -> CALL => {
        nearest_ancestor_where("CALL", it().has("NAME", one_of(ASSIGNMENTS)))
    }

    /// From a node to all arithmetic operations above it: AST in, any number of times.
    in_arithmetic: any -> CALL => { in_ast_minus_leaf().is_call_to(ARITHMETIC) }

    /// From a node to all array accesses above it: AST in, any number of times.
    in_array_access: any -> CALL => { in_ast_minus_leaf().is_call_to(ARRAY_ACCESSES) }

    /// From a node to all field accesses above it: AST in, any number of times.
    in_field_access: any -> CALL => { in_ast_minus_leaf().is_call_to(FIELD_ACCESSES) }

    /// From an assignment to the variable, field or element that it changes: argument 1.
    assigned as target: CALL -> any => { argument(1) }

    /// From an assignment to the expression whose value it assigns: argument 2 or, if there is none, argument
    /// 1, as in `i++`.
    assigned_from as source: CALL -> any => { coalesce([it().argument(2), it().argument(1)]) }

    /// From an array access to its array: argument 1.
    array: CALL -> any => { argument(1) }

    /// From an array access to its index: argument 2.
    subscript as offset: CALL -> any => { argument(2) }

    /// From a field access to its structure: argument 1.
    structure: CALL -> any => { argument(1) }

    /// From a field access to the FIELD_IDENTIFIER with the name of the field: argument 2.
    field as fieldIdentifier: CALL -> any => { argument(2) }

    section Flow
        "Steps along the flow of control and of values: edges CFG, CDG, DOMINATE, POST_DOMINATE and "
        "REACHING_DEF. Steps that follow edges any number of times leave out the start, and give every "
        "other node once for each start.";

    /// From a node to the nodes that may run right after it: CFG out.
    cfg_next: any -> any, inverse cfg_prev => { out("CFG") }

    /// From a node to the nodes that may run right before it: CFG in.
    cfg_prev: any -> any, inverse cfg_next => { in_("CFG") }

    /// From a node to the nodes that may run within the next `steps` steps, each of them once for each path
    /// to it: CFG out, 1 to `steps` times.
    cfg_next_within(steps: Times) as cfgNext: any -> any, inverse cfg_prev_within => {
        repeat(it().out("CFG"), |walk| walk.times(steps).emit_all_but_first())
    }

    /// From a node to the nodes that may run within the `steps` steps before it, each of them once for each
    /// path from it: CFG in, 1 to `steps` times.
    cfg_prev_within(steps: Times) as cfgPrev: any -> any, inverse cfg_next_within => {
        repeat(it().in_("CFG"), |walk| walk.times(steps).emit_all_but_first())
    }

    /// From a node to the nodes whose execution depends on it, directly or not: CDG out, any number of times.
    controls: any -> any, inverse controlled_by => { repeat(it().out("CDG"), each_once) }

    /// From a node to the nodes on which its execution depends, directly or not: CDG in, any number of times.
    controlled_by: any -> any, inverse controls => { repeat(it().in_("CDG"), each_once) }

    /// From a node to the nodes that it dominates, which can run only after it: DOMINATE out, any number of
    /// times.
    dominates: any -> any, inverse dominated_by => { repeat(it().out("DOMINATE"), each_once) }

    /// From a node to its dominators, through which every path to it leads: DOMINATE in, any number of times.
    dominated_by: any -> any, inverse dominates => { repeat(it().in_("DOMINATE"), each_once) }

    /// From a node to the nodes that it post-dominates, from which every path leads through it: POST_DOMINATE
    /// out, any number of times.
    post_dominates: any -> any, inverse post_dominated_by => { repeat(it().out("POST_DOMINATE"), each_once) }

    /// From a node to its post-dominators, through which every path from it leads: POST_DOMINATE in, any
    /// number of times.
    post_dominated_by: any -> any, inverse post_dominates => { repeat(it().in_("POST_DOMINATE"), each_once) }

    /// From a node to the definitions of the values that it uses: REACHING_DEF in. This step follows single
    /// edges; Joern's step with this name skips some nodes on the way.
    ddg_in: any -> any, inverse ddg_out => { in_("REACHING_DEF") }

    /// From a definition to the nodes that use its value: REACHING_DEF out.
    ddg_out: any -> any, inverse ddg_in => { out("REACHING_DEF") }

    section References
        "Steps to declarations, types, files and tags: edges REF, EVAL_TYPE, SOURCE_FILE, CONDITION and "
        "TAGGED_BY.";

    /// From an IDENTIFIER or METHOD_REF to the declaration that it names: REF out.
    refs_to: IDENTIFIER | METHOD_REF -> any => { out("REF") }

    /// From a LOCAL or parameter to the IDENTIFIERs that name it: REF in.
    referencing_identifiers: LOCAL | METHOD_PARAMETER_IN -> IDENTIFIER => { in_("REF").is_identifier() }

    /// From an expression or declaration to its TYPE: EVAL_TYPE out.
    eval_type: any -> TYPE => { out("EVAL_TYPE") }

    /// From a node to the FILE that contains it, and from a FILE to itself: SOURCE_FILE out from the node, or
    /// from the nearest node above it with such an edge.
    file: any -> FILE => {
        coalesce([
            it().is_file(),
            it().out("SOURCE_FILE"),
            it().nearest_ancestor_where(ALL_LABELS, it().out("SOURCE_FILE")).out("SOURCE_FILE"),
        ])
    }

    /// From a CONTROL_STRUCTURE to its condition: CONDITION out.
    condition: CONTROL_STRUCTURE -> any => { out("CONDITION") }

    /// From a node to its TAGs: TAGGED_BY out.
    tags as tag: any -> TAG => { out("TAGGED_BY") }

    section Kinds "Steps that keep nodes with a label.";

    /// Keeps BLOCKs.
    is_block: any -> BLOCK => { has_label("BLOCK") }

    /// Keeps CALLs, including operators.
    is_call: any -> CALL => { has_label("CALL") }

    /// Keeps CONTROL_STRUCTUREs: loops, conditions and jumps.
    is_control_structure: any -> CONTROL_STRUCTURE => { has_label("CONTROL_STRUCTURE") }

    /// Keeps FIELD_IDENTIFIERs.
    is_field_identifier: any -> FIELD_IDENTIFIER => { has_label("FIELD_IDENTIFIER") }

    /// Keeps FILEs.
    is_file: any -> FILE => { has_label("FILE") }

    /// Keeps IDENTIFIERs.
    is_identifier: any -> IDENTIFIER => { has_label("IDENTIFIER") }

    /// Keeps IMPORTs.
    is_import: any -> IMPORT => { has_label("IMPORT") }

    /// Keeps LITERALs.
    is_literal: any -> LITERAL => { has_label("LITERAL") }

    /// Keeps LOCALs.
    is_local: any -> LOCAL => { has_label("LOCAL") }

    /// Keeps MEMBERs.
    is_member: any -> MEMBER => { has_label("MEMBER") }

    /// Keeps METHODs.
    is_method: any -> METHOD => { has_label("METHOD") }

    /// Keeps METHOD_REFs.
    is_method_ref: any -> METHOD_REF => { has_label("METHOD_REF") }

    /// Keeps MODIFIERs.
    is_modifier: any -> MODIFIER => { has_label("MODIFIER") }

    /// Keeps NAMESPACE_BLOCKs.
    is_namespace_block: any -> NAMESPACE_BLOCK => { has_label("NAMESPACE_BLOCK") }

    /// Keeps parameters: METHOD_PARAMETER_INs.
    is_parameter: any -> METHOD_PARAMETER_IN => { has_label("METHOD_PARAMETER_IN") }

    /// Keeps RETURNs.
    is_return: any -> RETURN => { has_label("RETURN") }

    /// Keeps TYPE_DECLs.
    is_type_decl: any -> TYPE_DECL => { has_label("TYPE_DECL") }
}

/// Makes the walk give every node that it reaches, except the start, once for each start.
fn each_once(walk: Repeat) -> Repeat {
    walk.emit_all_but_first().dedup()
}

/// Makes the walk give every node that it reaches, except the start, once for each start, in order of the
/// number of hops.
fn nearest_first(walk: Repeat) -> Repeat {
    each_once(walk).breadth_first()
}
