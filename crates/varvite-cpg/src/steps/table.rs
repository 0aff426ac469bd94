//! The table of steps: what each is called, where it starts and where it leads, and what it is composed of.
//!
//! This is the one place where a step is declared. The methods of a pipeline, the list of
//! [`steps`](crate::steps::steps), Scala's `Steps.scala` and `docs/cpg-steps.md` come from here; `make bless`
//! writes the last two. Tests hold every `from`, `to` and inverse against the graph of zlib.

use varvite::pipeline::{ALL as ALL_LABELS, Key, Pipeline, Repeat, Step, eq, it, one_of};

use super::argument::ArgumentType;
use super::declare::steps;
use super::description::{StepDescription, StepParameter};
use crate::operators::{ARITHMETIC, ARRAY_ACCESSES, ASSIGNMENTS, FIELD_ACCESSES};

steps! {
    section Tree "Steps along the syntax tree: edges AST, which the subtree index of a graph makes ranges of ids.";

    /// The node itself and everything below it, depth first: AST out, any number of times.
    ast: any -> any, inverse in_ast => { subtree() }

    /// Everything below: `ast` without the node itself.
    ast_minus_root: any -> any, inverse in_ast_minus_leaf => { descendants() }

    /// The node itself and everything above it, the nearest first: AST in, any number of times.
    in_ast: any -> any, inverse ast => { then(Step::Ancestors { with_self: true }) }

    /// Everything above, the nearest first: `in_ast` without the node itself.
    in_ast_minus_leaf: any -> any, inverse ast_minus_root => { ancestors() }

    /// The node above: AST in.
    ast_parent: any -> any, inverse ast_children => { in_("AST") }

    /// The nodes directly below, of each node by their ORDER: AST out.
    ast_children: any -> any, inverse ast_parent, by hand in Scala => {
        // A branch sees one row at a time, so that children of different nodes stay apart.
        union([it().out("AST").order_by(Key::Property("ORDER".into()))])
    }

    /// The nearest BLOCK above: AST in until there.
    parent_block: any -> BLOCK => { nearest_ancestor("BLOCK") }

    section Calls
        "Steps between METHODs, their CALLs and what is passed: edges CALL, CONTAINS, ARGUMENT and "
        "RECEIVER, and AST to what belongs to a METHOD.";

    /// From a METHOD to the CALLs that may reach it: CALL in.
    call_in: METHOD -> CALL, inverse callee => { in_("CALL") }

    /// From a CALL to the METHODs that it may reach: CALL out.
    callee: CALL -> METHOD, inverse call_in, by hand in Scala => { out("CALL") }

    /// From a METHOD to the CALLs in it: CONTAINS out.
    calls as call: METHOD -> CALL => { out("CONTAINS").has_label("CALL") }

    /// From a METHOD to the METHODs with a CALL of it, once for each CALL: CALL in, then AST in up to the
    /// METHOD.
    callers as caller: METHOD -> METHOD, inverse callees => { call_in().nearest_ancestor("METHOD") }

    /// From a METHOD to the METHODs that it calls, once for each CALL: CONTAINS out, then CALL out.
    callees as callee: METHOD -> METHOD, inverse callers, by hand in Scala => { calls().callee() }

    /// All METHODs from which this one may be reached, each once and the nearest first: `callers` any number
    /// of times.
    transitive_callers: METHOD -> METHOD, inverse transitive_callees => { repeat(it().callers(), nearest_first) }

    /// All METHODs that may be reached from this one, each once and the nearest first: `callees` any number
    /// of times.
    transitive_callees: METHOD -> METHOD, inverse transitive_callers => { repeat(it().callees(), nearest_first) }

    /// To the METHOD that a node is in, or that it is: AST in up to there. The same METHOD that CONTAINS
    /// leads back to, and it is there for nodes without that edge too.
    method: any -> METHOD => { coalesce([it().has_label("METHOD"), it().nearest_ancestor("METHOD")]) }

    /// From a CALL to one argument, counted from 1, or to its receiver as 0: ARGUMENT out, by ARGUMENT_INDEX.
    argument(index: Number): CALL -> any => { arguments().has("ARGUMENT_INDEX", eq(index)) }

    /// From a CALL to all arguments: ARGUMENT out.
    arguments as argument: CALL -> any, inverse in_call => { out("ARGUMENT") }

    /// From a CALL to the object that it is made on: RECEIVER out.
    receiver: CALL -> any => { out("RECEIVER") }

    /// From an argument to the CALL that it is passed to: ARGUMENT in.
    in_call: any -> CALL, inverse arguments => { in_("ARGUMENT").has_label("CALL") }

    /// From a METHOD to its parameters: AST out.
    parameters as parameter: METHOD -> METHOD_PARAMETER_IN => { out("AST").has_label("METHOD_PARAMETER_IN") }

    /// From a METHOD to one parameter, counted from 1: AST out, by INDEX.
    parameter(index: Number): METHOD -> METHOD_PARAMETER_IN => { parameters().has("INDEX", eq(index)) }

    /// From a METHOD to what it returns: AST out.
    method_return: METHOD -> METHOD_RETURN => { out("AST").has_label("METHOD_RETURN") }

    /// From a METHOD to the places where it is passed as a value: REF in.
    method_refs: METHOD -> METHOD_REF => { in_("REF").has_label("METHOD_REF") }

    section Operators
        "Steps to operators, which are CALLs with reserved names, and to their operands: edges AST and "
        "ARGUMENT.";

    /// Keeps CALLs that have one of the names.
    is_call_to(names: Texts): any -> CALL => { is_call().has("NAME", one_of(names)) }

    /// The assignments in a subtree, the node itself included: AST out, any number of times.
    assignments as assignment: any -> CALL => { ast().is_call_to(ASSIGNMENTS) }

    /// The arithmetic in a subtree, the node itself included: AST out, any number of times.
    arithmetic: any -> CALL => { ast().is_call_to(ARITHMETIC) }

    /// The array accesses in a subtree, the node itself included: AST out, any number of times.
    array_accesses as arrayAccess: any -> CALL => { ast().is_call_to(ARRAY_ACCESSES) }

    /// The field accesses in a subtree, the node itself included: AST out, any number of times.
    field_accesses as fieldAccess: any -> CALL => { ast().is_call_to(FIELD_ACCESSES) }

    /// All assignments above: AST in, any number of times.
    in_assignment: any -> CALL => { in_ast_minus_leaf().is_call_to(ASSIGNMENTS) }

    /// The first assignment above: AST in up to there.
    nearest_assignment: any -> CALL => {
        nearest_ancestor_where("CALL", it().has("NAME", one_of(ASSIGNMENTS)))
    }

    /// All arithmetic above: AST in, any number of times.
    in_arithmetic: any -> CALL => { in_ast_minus_leaf().is_call_to(ARITHMETIC) }

    /// All array accesses above: AST in, any number of times.
    in_array_access: any -> CALL => { in_ast_minus_leaf().is_call_to(ARRAY_ACCESSES) }

    /// All field accesses above: AST in, any number of times.
    in_field_access: any -> CALL => { in_ast_minus_leaf().is_call_to(FIELD_ACCESSES) }

    /// What an assignment changes: argument 1.
    assigned as target: CALL -> any => { argument(1) }

    /// What an assignment takes its value from: argument 2, or where there is none, as in `i++`, argument 1.
    assigned_from as source: CALL -> any => { coalesce([it().argument(2), it().argument(1)]) }

    /// The array of an array access: argument 1.
    array: CALL -> any => { argument(1) }

    /// The index of an array access: argument 2.
    subscript as offset: CALL -> any => { argument(2) }

    /// The structure of a field access: argument 1.
    structure: CALL -> any => { argument(1) }

    /// The name of the field of a field access, as a FIELD_IDENTIFIER: argument 2.
    field as fieldIdentifier: CALL -> any => { argument(2) }

    section Flow
        "Steps along the flow of control and of values: edges CFG, CDG, DOMINATE, POST_DOMINATE and "
        "REACHING_DEF. Closures leave out the node that they start from and give every other node once "
        "for each start.";

    /// What may run next: CFG out.
    cfg_next: any -> any, inverse cfg_prev => { out("CFG") }

    /// What may have run before: CFG in.
    cfg_prev: any -> any, inverse cfg_next => { in_("CFG") }

    /// What may run in up to `steps` steps, each as often as there are ways to it: CFG out, 1 to `steps`
    /// times.
    cfg_next_within(steps: Times) as cfgNext: any -> any, inverse cfg_prev_within => {
        repeat(it().out("CFG"), |walk| walk.times(steps).emit_all_but_first())
    }

    /// What may have run up to `steps` steps before: CFG in, 1 to `steps` times.
    cfg_prev_within(steps: Times) as cfgPrev: any -> any, inverse cfg_next_within => {
        repeat(it().in_("CFG"), |walk| walk.times(steps).emit_all_but_first())
    }

    /// What runs or not depending on this, however indirectly: CDG out, any number of times.
    controls: any -> any, inverse controlled_by => { repeat(it().out("CDG"), each_once) }

    /// What decides whether this runs, however indirectly: CDG in, any number of times.
    controlled_by: any -> any, inverse controls => { repeat(it().in_("CDG"), each_once) }

    /// What is reached only through this: DOMINATE out, any number of times.
    dominates: any -> any, inverse dominated_by => { repeat(it().out("DOMINATE"), each_once) }

    /// What every way to this passes: DOMINATE in, any number of times.
    dominated_by: any -> any, inverse dominates => { repeat(it().in_("DOMINATE"), each_once) }

    /// What always leads on to this: POST_DOMINATE out, any number of times.
    post_dominates: any -> any, inverse post_dominated_by => { repeat(it().out("POST_DOMINATE"), each_once) }

    /// What every way on from this passes: POST_DOMINATE in, any number of times.
    post_dominated_by: any -> any, inverse post_dominates => { repeat(it().in_("POST_DOMINATE"), each_once) }

    /// Where the values that are used here come from: REACHING_DEF in. Raw edges: Joern's step of this name
    /// looks through some of them.
    ddg_in: any -> any, inverse ddg_out => { in_("REACHING_DEF") }

    /// Where the value is used: REACHING_DEF out.
    ddg_out: any -> any, inverse ddg_in => { out("REACHING_DEF") }

    section References
        "Steps to declarations, types, files and tags: edges REF, EVAL_TYPE, SOURCE_FILE, CONDITION and "
        "TAGGED_BY.";

    /// From an IDENTIFIER or METHOD_REF to what it names: REF out.
    refs_to: IDENTIFIER | METHOD_REF -> any => { out("REF") }

    /// From a LOCAL or parameter to the IDENTIFIERs that name it: REF in.
    referencing_identifiers: LOCAL | METHOD_PARAMETER_IN -> IDENTIFIER => { in_("REF").is_identifier() }

    /// From an expression or declaration to its TYPE: EVAL_TYPE out.
    eval_type: any -> TYPE => { out("EVAL_TYPE") }

    /// To the FILE that a node is in: SOURCE_FILE out from it, or from the nearest node above that has such
    /// an edge. A FILE is its own.
    file: any -> FILE => {
        coalesce([
            it().is_file(),
            it().out("SOURCE_FILE"),
            it().nearest_ancestor_where(ALL_LABELS, it().out("SOURCE_FILE")).out("SOURCE_FILE"),
        ])
    }

    /// From a CONTROL_STRUCTURE to what it asks: CONDITION out.
    condition: CONTROL_STRUCTURE -> any => { out("CONDITION") }

    /// To the TAGs of a node: TAGGED_BY out.
    tags as tag: any -> TAG => { out("TAGGED_BY") }

    section Kinds "Steps that keep nodes with a label.";

    /// Keeps BLOCKs.
    is_block: any -> BLOCK => { has_label("BLOCK") }

    /// Keeps CALLs, operators among them.
    is_call: any -> CALL => { has_label("CALL") }

    /// Keeps CONTROL_STRUCTUREs: loops, conditions, jumps.
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

/// Every node that is reached, once for each start, without the start.
fn each_once(walk: Repeat) -> Repeat {
    walk.emit_all_but_first().dedup()
}

/// The same in the order of the hops to it.
fn nearest_first(walk: Repeat) -> Repeat {
    each_once(walk).breadth_first()
}
