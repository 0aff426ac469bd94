"""Steps of pipelines for code property graphs, with Joern's names.

The lists and methods between the marks are generated from the table of these steps; `docs/cpg-steps.md` describes every
step. A step is a name for steps of the engine, so that a pipeline with it is still a plan for every language.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from varvite.pipeline import Pipeline

# <operators> from crates/varvite-cpg/src/operators.rs

ASSIGNMENTS = [
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
]

ARITHMETIC = [
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
]

ARRAY_ACCESSES = [
    "<operator>.computedMemberAccess",
    "<operator>.indexAccess",
    "<operator>.indirectComputedMemberAccess",
    "<operator>.indirectIndexAccess",
]

FIELD_ACCESSES = [
    "<operator>.fieldAccess",
    "<operator>.indirectFieldAccess",
]

# </operators>


class CodeSteps:
    """The steps of `Pipeline` for code property graphs."""

    __slots__ = ()

    def _append(self, *steps: Mapping[str, Any]) -> Pipeline:
        """The pipeline with some more steps, in the form of plans."""
        raise NotImplementedError

    # <steps> from the table in crates/varvite-cpg/src/steps/table.rs

    # Tree

    def ast(self) -> Pipeline:
        """From a node to itself and all nodes below it, depth first: AST out, any number of times."""
        return self._append({"step": "descendants", "with_self": True})

    def ast_minus_root(self) -> Pipeline:
        """From a node to all nodes below it: `ast` without the node itself."""
        return self._append({"step": "descendants", "with_self": False})

    def in_ast(self) -> Pipeline:
        """From a node to itself and all nodes above it, the nearest first: AST in, any number of times."""
        return self._append({"step": "ancestors", "with_self": True})

    def in_ast_minus_leaf(self) -> Pipeline:
        """From a node to all nodes above it, the nearest first: `in_ast` without the node itself."""
        return self._append({"step": "ancestors", "with_self": False})

    def ast_parent(self) -> Pipeline:
        """From a node to its parent: AST in."""
        return self._append({"step": "in", "labels": ["AST"]})

    def ast_children(self) -> Pipeline:
        """From a node to its children, sorted by their ORDER: AST out."""
        return self._append(
            {
                "step": "union",
                "branches": [
                    [
                        {"step": "out", "labels": ["AST"]},
                        {"step": "order", "by": {"property": "ORDER"}, "descending": False},
                    ],
                ],
            },
        )

    def parent_block(self) -> Pipeline:
        """From a node to the nearest BLOCK above it: AST in, up to the BLOCK."""
        return self._append({"step": "nearest_ancestor", "labels": ["BLOCK"]})

    # Calls

    def call_in(self) -> Pipeline:
        """From a METHOD to the CALLs that may reach it: CALL in."""
        return self._append({"step": "in", "labels": ["CALL"]})

    def callee(self) -> Pipeline:
        """From a CALL to the METHODs that it may reach: CALL out."""
        return self._append({"step": "out", "labels": ["CALL"]})

    def calls(self) -> Pipeline:
        """From a METHOD to the CALLs in it: CONTAINS out."""
        return self._append({"step": "out", "labels": ["CONTAINS"]}, {"step": "has_label", "labels": ["CALL"]})

    def callers(self) -> Pipeline:
        """From a METHOD to the METHODs that contain a CALL to it, once for each CALL: CALL in, then AST in up to the
        METHOD."""
        return self._append({"step": "in", "labels": ["CALL"]}, {"step": "nearest_ancestor", "labels": ["METHOD"]})

    def callees(self) -> Pipeline:
        """From a METHOD to the METHODs that it calls, once for each CALL: CONTAINS out, then CALL out."""
        return self._append(
            {"step": "out", "labels": ["CONTAINS"]},
            {"step": "has_label", "labels": ["CALL"]},
            {"step": "out", "labels": ["CALL"]},
        )

    def transitive_callers(self) -> Pipeline:
        """From a METHOD to all METHODs that may call it, directly or through other METHODs, each of them once, the
        nearest first: `callers` any number of times."""
        return self._append(
            {
                "step": "repeat",
                "body": [{"step": "in", "labels": ["CALL"]}, {"step": "nearest_ancestor", "labels": ["METHOD"]}],
                "dedup": True,
                "emit": "all_but_first",
                "order": "breadth",
            },
        )

    def transitive_callees(self) -> Pipeline:
        """From a METHOD to all METHODs that it may call, directly or through other METHODs, each of them once, the
        nearest first: `callees` any number of times."""
        return self._append(
            {
                "step": "repeat",
                "body": [
                    {"step": "out", "labels": ["CONTAINS"]},
                    {"step": "has_label", "labels": ["CALL"]},
                    {"step": "out", "labels": ["CALL"]},
                ],
                "dedup": True,
                "emit": "all_but_first",
                "order": "breadth",
            },
        )

    def method(self) -> Pipeline:
        """From a node to the METHOD that contains it, and from a METHOD to itself: AST in, up to the METHOD.
        CONTAINS in leads to the same METHOD, but some nodes lack that edge."""
        return self._append(
            {
                "step": "coalesce",
                "branches": [
                    [{"step": "has_label", "labels": ["METHOD"]}],
                    [{"step": "nearest_ancestor", "labels": ["METHOD"]}],
                ],
            },
        )

    def argument(self, index: int) -> Pipeline:
        """From a CALL to one of its arguments, numbered from 1, or with 0 to its receiver: ARGUMENT out, by
        ARGUMENT_INDEX."""
        return self._append(
            {"step": "out", "labels": ["ARGUMENT"]},
            {"step": "has", "is": {"eq": index}, "property": "ARGUMENT_INDEX"},
        )

    def arguments(self) -> Pipeline:
        """From a CALL to all arguments: ARGUMENT out."""
        return self._append({"step": "out", "labels": ["ARGUMENT"]})

    def receiver(self) -> Pipeline:
        """From a CALL to the object on which it is made: RECEIVER out."""
        return self._append({"step": "out", "labels": ["RECEIVER"]})

    def in_call(self) -> Pipeline:
        """From an argument to the CALL to which it is passed: ARGUMENT in."""
        return self._append({"step": "in", "labels": ["ARGUMENT"]}, {"step": "has_label", "labels": ["CALL"]})

    def parameters(self) -> Pipeline:
        """From a METHOD to its parameters: AST out."""
        return self._append(
            {"step": "out", "labels": ["AST"]},
            {"step": "has_label", "labels": ["METHOD_PARAMETER_IN"]},
        )

    def parameter(self, index: int) -> Pipeline:
        """From a METHOD to one of its parameters, numbered from 1: AST out, by INDEX."""
        return self._append(
            {"step": "out", "labels": ["AST"]},
            {"step": "has_label", "labels": ["METHOD_PARAMETER_IN"]},
            {"step": "has", "is": {"eq": index}, "property": "INDEX"},
        )

    def method_return(self) -> Pipeline:
        """From a METHOD to its METHOD_RETURN, which has the type of the returned value: AST out."""
        return self._append({"step": "out", "labels": ["AST"]}, {"step": "has_label", "labels": ["METHOD_RETURN"]})

    def method_refs(self) -> Pipeline:
        """From a METHOD to the METHOD_REFs that use it as a value: REF in."""
        return self._append({"step": "in", "labels": ["REF"]}, {"step": "has_label", "labels": ["METHOD_REF"]})

    # Operators

    def is_call_to(self, *names: str) -> Pipeline:
        """Keeps CALLs whose NAME is one of `names`."""
        return self._append(
            {"step": "has_label", "labels": ["CALL"]},
            {"step": "has", "is": {"one_of": list(names)}, "property": "NAME"},
        )

    def assignments(self) -> Pipeline:
        """From a node to the assignments in its subtree, the node itself included: AST out, any number of times."""
        return self._append(
            {"step": "descendants", "with_self": True},
            {"step": "has_label", "labels": ["CALL"]},
            {"step": "has", "is": {"one_of": ASSIGNMENTS}, "property": "NAME"},
        )

    def arithmetic(self) -> Pipeline:
        """From a node to the arithmetic operations in its subtree, the node itself included: AST out, any number of
        times."""
        return self._append(
            {"step": "descendants", "with_self": True},
            {"step": "has_label", "labels": ["CALL"]},
            {"step": "has", "is": {"one_of": ARITHMETIC}, "property": "NAME"},
        )

    def array_accesses(self) -> Pipeline:
        """From a node to the array accesses in its subtree, the node itself included: AST out, any number of times."""
        return self._append(
            {"step": "descendants", "with_self": True},
            {"step": "has_label", "labels": ["CALL"]},
            {"step": "has", "is": {"one_of": ARRAY_ACCESSES}, "property": "NAME"},
        )

    def field_accesses(self) -> Pipeline:
        """From a node to the field accesses in its subtree, the node itself included: AST out, any number of times."""
        return self._append(
            {"step": "descendants", "with_self": True},
            {"step": "has_label", "labels": ["CALL"]},
            {"step": "has", "is": {"one_of": FIELD_ACCESSES}, "property": "NAME"},
        )

    def in_assignment(self) -> Pipeline:
        """From a node to all assignments above it: AST in, any number of times."""
        return self._append(
            {"step": "ancestors", "with_self": False},
            {"step": "has_label", "labels": ["CALL"]},
            {"step": "has", "is": {"one_of": ASSIGNMENTS}, "property": "NAME"},
        )

    def nearest_assignment(self) -> Pipeline:
        """From a node to the nearest assignment above it: AST in, up to the assignment."""
        return self._append(
            {
                "step": "nearest_ancestor",
                "labels": ["CALL"],
                "where": [{"step": "has", "is": {"one_of": ASSIGNMENTS}, "property": "NAME"}],
            },
        )

    def in_arithmetic(self) -> Pipeline:
        """From a node to all arithmetic operations above it: AST in, any number of times."""
        return self._append(
            {"step": "ancestors", "with_self": False},
            {"step": "has_label", "labels": ["CALL"]},
            {"step": "has", "is": {"one_of": ARITHMETIC}, "property": "NAME"},
        )

    def in_array_access(self) -> Pipeline:
        """From a node to all array accesses above it: AST in, any number of times."""
        return self._append(
            {"step": "ancestors", "with_self": False},
            {"step": "has_label", "labels": ["CALL"]},
            {"step": "has", "is": {"one_of": ARRAY_ACCESSES}, "property": "NAME"},
        )

    def in_field_access(self) -> Pipeline:
        """From a node to all field accesses above it: AST in, any number of times."""
        return self._append(
            {"step": "ancestors", "with_self": False},
            {"step": "has_label", "labels": ["CALL"]},
            {"step": "has", "is": {"one_of": FIELD_ACCESSES}, "property": "NAME"},
        )

    def assigned(self) -> Pipeline:
        """From an assignment to the variable, field or element that it changes: argument 1."""
        return self._append(
            {"step": "out", "labels": ["ARGUMENT"]},
            {"step": "has", "is": {"eq": 1}, "property": "ARGUMENT_INDEX"},
        )

    def assigned_from(self) -> Pipeline:
        """From an assignment to the expression whose value it assigns: argument 2 or, if there is none, argument 1,
        as in `i++`."""
        return self._append(
            {
                "step": "coalesce",
                "branches": [
                    [
                        {"step": "out", "labels": ["ARGUMENT"]},
                        {"step": "has", "is": {"eq": 2}, "property": "ARGUMENT_INDEX"},
                    ],
                    [
                        {"step": "out", "labels": ["ARGUMENT"]},
                        {"step": "has", "is": {"eq": 1}, "property": "ARGUMENT_INDEX"},
                    ],
                ],
            },
        )

    def array(self) -> Pipeline:
        """From an array access to its array: argument 1."""
        return self._append(
            {"step": "out", "labels": ["ARGUMENT"]},
            {"step": "has", "is": {"eq": 1}, "property": "ARGUMENT_INDEX"},
        )

    def subscript(self) -> Pipeline:
        """From an array access to its index: argument 2."""
        return self._append(
            {"step": "out", "labels": ["ARGUMENT"]},
            {"step": "has", "is": {"eq": 2}, "property": "ARGUMENT_INDEX"},
        )

    def structure(self) -> Pipeline:
        """From a field access to its structure: argument 1."""
        return self._append(
            {"step": "out", "labels": ["ARGUMENT"]},
            {"step": "has", "is": {"eq": 1}, "property": "ARGUMENT_INDEX"},
        )

    def field(self) -> Pipeline:
        """From a field access to the FIELD_IDENTIFIER with the name of the field: argument 2."""
        return self._append(
            {"step": "out", "labels": ["ARGUMENT"]},
            {"step": "has", "is": {"eq": 2}, "property": "ARGUMENT_INDEX"},
        )

    # Flow

    def cfg_next(self) -> Pipeline:
        """From a node to the nodes that may run right after it: CFG out."""
        return self._append({"step": "out", "labels": ["CFG"]})

    def cfg_prev(self) -> Pipeline:
        """From a node to the nodes that may run right before it: CFG in."""
        return self._append({"step": "in", "labels": ["CFG"]})

    def cfg_next_within(self, steps: int) -> Pipeline:
        """From a node to the nodes that may run within the next `steps` steps, each of them once for each path to
        it: CFG out, 1 to `steps` times."""
        return self._append(
            {
                "step": "repeat",
                "body": [{"step": "out", "labels": ["CFG"]}],
                "dedup": False,
                "emit": "all_but_first",
                "order": "depth",
                "times": steps,
            },
        )

    def cfg_prev_within(self, steps: int) -> Pipeline:
        """From a node to the nodes that may run within the `steps` steps before it, each of them once for each path
        from it: CFG in, 1 to `steps` times."""
        return self._append(
            {
                "step": "repeat",
                "body": [{"step": "in", "labels": ["CFG"]}],
                "dedup": False,
                "emit": "all_but_first",
                "order": "depth",
                "times": steps,
            },
        )

    def controls(self) -> Pipeline:
        """From a node to the nodes whose execution depends on it, directly or not: CDG out, any number of times."""
        return self._append(
            {
                "step": "repeat",
                "body": [{"step": "out", "labels": ["CDG"]}],
                "dedup": True,
                "emit": "all_but_first",
                "order": "depth",
            },
        )

    def controlled_by(self) -> Pipeline:
        """From a node to the nodes on which its execution depends, directly or not: CDG in, any number of times."""
        return self._append(
            {
                "step": "repeat",
                "body": [{"step": "in", "labels": ["CDG"]}],
                "dedup": True,
                "emit": "all_but_first",
                "order": "depth",
            },
        )

    def dominates(self) -> Pipeline:
        """From a node to the nodes that it dominates, which can run only after it: DOMINATE out, any number of
        times."""
        return self._append(
            {
                "step": "repeat",
                "body": [{"step": "out", "labels": ["DOMINATE"]}],
                "dedup": True,
                "emit": "all_but_first",
                "order": "depth",
            },
        )

    def dominated_by(self) -> Pipeline:
        """From a node to its dominators, through which every path to it leads: DOMINATE in, any number of times."""
        return self._append(
            {
                "step": "repeat",
                "body": [{"step": "in", "labels": ["DOMINATE"]}],
                "dedup": True,
                "emit": "all_but_first",
                "order": "depth",
            },
        )

    def post_dominates(self) -> Pipeline:
        """From a node to the nodes that it post-dominates, from which every path leads through it: POST_DOMINATE
        out, any number of times."""
        return self._append(
            {
                "step": "repeat",
                "body": [{"step": "out", "labels": ["POST_DOMINATE"]}],
                "dedup": True,
                "emit": "all_but_first",
                "order": "depth",
            },
        )

    def post_dominated_by(self) -> Pipeline:
        """From a node to its post-dominators, through which every path from it leads: POST_DOMINATE in, any number
        of times."""
        return self._append(
            {
                "step": "repeat",
                "body": [{"step": "in", "labels": ["POST_DOMINATE"]}],
                "dedup": True,
                "emit": "all_but_first",
                "order": "depth",
            },
        )

    def ddg_in(self) -> Pipeline:
        """From a node to the definitions of the values that it uses: REACHING_DEF in. This step follows single
        edges; Joern's step with this name skips some nodes on the way."""
        return self._append({"step": "in", "labels": ["REACHING_DEF"]})

    def ddg_out(self) -> Pipeline:
        """From a definition to the nodes that use its value: REACHING_DEF out."""
        return self._append({"step": "out", "labels": ["REACHING_DEF"]})

    # References

    def refs_to(self) -> Pipeline:
        """From an IDENTIFIER or METHOD_REF to the declaration that it names: REF out."""
        return self._append({"step": "out", "labels": ["REF"]})

    def referencing_identifiers(self) -> Pipeline:
        """From a LOCAL or parameter to the IDENTIFIERs that name it: REF in."""
        return self._append({"step": "in", "labels": ["REF"]}, {"step": "has_label", "labels": ["IDENTIFIER"]})

    def eval_type(self) -> Pipeline:
        """From an expression or declaration to its TYPE: EVAL_TYPE out."""
        return self._append({"step": "out", "labels": ["EVAL_TYPE"]})

    def file(self) -> Pipeline:
        """From a node to the FILE that contains it, and from a FILE to itself: SOURCE_FILE out from the node, or
        from the nearest node above it with such an edge."""
        return self._append(
            {
                "step": "coalesce",
                "branches": [
                    [{"step": "has_label", "labels": ["FILE"]}],
                    [{"step": "out", "labels": ["SOURCE_FILE"]}],
                    [
                        {"step": "nearest_ancestor", "where": [{"step": "out", "labels": ["SOURCE_FILE"]}]},
                        {"step": "out", "labels": ["SOURCE_FILE"]},
                    ],
                ],
            },
        )

    def condition(self) -> Pipeline:
        """From a CONTROL_STRUCTURE to its condition: CONDITION out."""
        return self._append({"step": "out", "labels": ["CONDITION"]})

    def tags(self) -> Pipeline:
        """From a node to its TAGs: TAGGED_BY out."""
        return self._append({"step": "out", "labels": ["TAGGED_BY"]})

    # Kinds

    def is_block(self) -> Pipeline:
        """Keeps BLOCKs."""
        return self._append({"step": "has_label", "labels": ["BLOCK"]})

    def is_call(self) -> Pipeline:
        """Keeps CALLs, including operators."""
        return self._append({"step": "has_label", "labels": ["CALL"]})

    def is_control_structure(self) -> Pipeline:
        """Keeps CONTROL_STRUCTUREs: loops, conditions and jumps."""
        return self._append({"step": "has_label", "labels": ["CONTROL_STRUCTURE"]})

    def is_field_identifier(self) -> Pipeline:
        """Keeps FIELD_IDENTIFIERs."""
        return self._append({"step": "has_label", "labels": ["FIELD_IDENTIFIER"]})

    def is_file(self) -> Pipeline:
        """Keeps FILEs."""
        return self._append({"step": "has_label", "labels": ["FILE"]})

    def is_identifier(self) -> Pipeline:
        """Keeps IDENTIFIERs."""
        return self._append({"step": "has_label", "labels": ["IDENTIFIER"]})

    def is_import(self) -> Pipeline:
        """Keeps IMPORTs."""
        return self._append({"step": "has_label", "labels": ["IMPORT"]})

    def is_literal(self) -> Pipeline:
        """Keeps LITERALs."""
        return self._append({"step": "has_label", "labels": ["LITERAL"]})

    def is_local(self) -> Pipeline:
        """Keeps LOCALs."""
        return self._append({"step": "has_label", "labels": ["LOCAL"]})

    def is_member(self) -> Pipeline:
        """Keeps MEMBERs."""
        return self._append({"step": "has_label", "labels": ["MEMBER"]})

    def is_method(self) -> Pipeline:
        """Keeps METHODs."""
        return self._append({"step": "has_label", "labels": ["METHOD"]})

    def is_method_ref(self) -> Pipeline:
        """Keeps METHOD_REFs."""
        return self._append({"step": "has_label", "labels": ["METHOD_REF"]})

    def is_modifier(self) -> Pipeline:
        """Keeps MODIFIERs."""
        return self._append({"step": "has_label", "labels": ["MODIFIER"]})

    def is_namespace_block(self) -> Pipeline:
        """Keeps NAMESPACE_BLOCKs."""
        return self._append({"step": "has_label", "labels": ["NAMESPACE_BLOCK"]})

    def is_parameter(self) -> Pipeline:
        """Keeps parameters: METHOD_PARAMETER_INs."""
        return self._append({"step": "has_label", "labels": ["METHOD_PARAMETER_IN"]})

    def is_return(self) -> Pipeline:
        """Keeps RETURNs."""
        return self._append({"step": "has_label", "labels": ["RETURN"]})

    def is_type_decl(self) -> Pipeline:
        """Keeps TYPE_DECLs."""
        return self._append({"step": "has_label", "labels": ["TYPE_DECL"]})

    # </steps>


__all__ = ["CodeSteps"]
