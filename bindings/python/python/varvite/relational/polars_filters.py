"""Filters of Polars as conditions.

Polars has no interface to the parts of an expression, but writes it as JSON. The forms may change with its version: an
expression of another form is not pushed down, and Polars applies the whole filter in any case.
"""

from __future__ import annotations

import io
import json
from typing import Any

import polars

from varvite.relational.conditions import (
    FLIPPED,
    ColumnTest,
    Condition,
    Missing,
    Unknown,
    all_of,
    any_of,
    compared,
    one_of,
)

COMPARISONS = {"Eq": "eq", "NotEq": "ne", "Lt": "lt", "LtEq": "lte", "Gt": "gt", "GtEq": "gte"}
TEXT_TESTS = {"StartsWith": "prefix", "EndsWith": "suffix"}
BOUNDS = {"Both": ("gte", "lte"), "Left": ("gte", "lt"), "Right": ("gt", "lte"), "None": ("gt", "lt")}


def read_filter(expression: polars.Expr) -> Condition:
    """The condition of an expression of Polars."""
    try:
        return condition_of(json.loads(expression.meta.serialize(format="json")))
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError, polars.exceptions.PolarsError):
        return Unknown()


def condition_of(form: Any) -> Condition:
    """The condition of a part of an expression."""
    match form:
        case {"BinaryExpr": {"left": left, "op": "And" | "LogicalAnd", "right": right}}:
            return all_of(condition_of(left), condition_of(right))
        case {"BinaryExpr": {"left": left, "op": "Or" | "LogicalOr", "right": right}}:
            return any_of(condition_of(left), condition_of(right))
        case {"BinaryExpr": {"left": {"Column": name}, "op": op, "right": {"Literal": value}}}:
            return compared(name, COMPARISONS[op], constant(value))
        case {"BinaryExpr": {"left": {"Literal": value}, "op": op, "right": {"Column": name}}}:
            return compared(name, FLIPPED[COMPARISONS[op]], constant(value))
        case {"Column": name}:
            return compared(name, "eq", True)
        case {"Function": {"input": [{"Column": name}, *rest], "function": function}}:
            return function_of(name, function, [part["Literal"] for part in rest])
    return Unknown()


def function_of(name: str, function: Any, literals: list[Any]) -> Condition:
    """The condition of a function of a column and constants."""
    match function:
        case {"Boolean": "Not"}:
            return compared(name, "eq", False)
        case {"Boolean": "IsNull"}:
            return Missing(name)
        case {"Boolean": "IsNotNull"}:
            return ColumnTest(name, None)
        case {"Boolean": {"IsIn": {"nulls_equal": False}}}:
            return one_of(name, items(literals[0]))
        case {"Boolean": {"IsBetween": {"closed": closed}}}:
            low, high = (compared(name, *bound) for bound in zip(BOUNDS[closed], map(constant, literals)))
            return all_of(low, high)
        case {"StringExpr": "StartsWith" | "EndsWith" as test}:
            return compared(name, TEXT_TESTS[test], constant(literals[0]))
        case {"StringExpr": {"Contains": {"literal": True}}}:
            return compared(name, "contains", constant(literals[0]))
    return Unknown()


def constant(literal: Any) -> Any:
    """The text, whole number or truth value of a literal; `None` for others."""
    (form,) = literal.values()
    ((kind, value),) = form.items()
    is_plain = kind in ("String", "Boolean") or kind.lstrip("U").startswith("Int")
    return value if is_plain else None


def items(literal: Any) -> list[Any]:
    """The constants of a list, which are an Arrow stream of bytes."""
    (frame,) = polars.read_ipc_stream(io.BytesIO(bytes(literal["Scalar"]["List"]))).iter_columns()
    return frame.to_list()
