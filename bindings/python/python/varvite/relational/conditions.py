"""Filters of tables as steps of pipelines.

A library hands over a filter, and applies it to all rows that it gets. The steps of this module may therefore keep
more rows than the filter, but never fewer: each part of a filter that has no step is left out. Rows for which a
condition is null are not results, so a step may drop them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple, Union

Step = Mapping[str, Any]

Value = Union[str, int, bool]
"""A constant that plans can hold with all its digits."""


class ColumnTest(NamedTuple):
    """A test of a column: a predicate in the form of plans, such as `{"lt": 3}`; `None` if it has any value."""

    column: str
    predicate: Mapping[str, Any] | None


class Missing(NamedTuple):
    """The column has no value."""

    column: str


class AllOf(NamedTuple):
    """All of the conditions hold."""

    parts: tuple[Condition, ...]


class AnyOf(NamedTuple):
    """One or more of the conditions hold."""

    parts: tuple[Condition, ...]


class Unknown(NamedTuple):
    """A condition without a step."""


Condition = Union[ColumnTest, Missing, AllOf, AnyOf, Unknown]

StepsOf = Callable[[Union[ColumnTest, Missing]], Union["list[Step]", None]]
"""The steps of a test in a table, `None` if there are none."""

FLIPPED = {"eq": "eq", "ne": "ne", "lt": "gt", "lte": "gte", "gt": "lt", "gte": "lte"}
"""The comparisons, each with the one that holds after its sides are swapped."""


def compared(column: str, comparison: str, value: Any) -> Condition:
    """A comparison of a column and a constant."""
    return ColumnTest(column, {comparison: value}) if is_plain(value) else Unknown()


def one_of(column: str, values: list[Any]) -> Condition:
    """The column has one of the constants."""
    return ColumnTest(column, {"one_of": values}) if values and all(map(is_plain, values)) else Unknown()


def is_plain(value: Any) -> bool:
    """Whether plans can hold the constant with all its digits."""
    return isinstance(value, (str, bool)) or (isinstance(value, int) and -(1 << 63) <= value < 1 << 64)


def all_of(*parts: Condition) -> Condition:
    """All of the conditions hold; the parts of parts become its own."""
    inner = [part.parts if isinstance(part, AllOf) else (part,) for part in parts]
    return AllOf(tuple(part for group in inner for part in group))


def any_of(*parts: Condition) -> Condition:
    """One or more of the conditions hold. Equalities of one column become one, which an index can answer."""
    inner = [part.parts if isinstance(part, AnyOf) else (part,) for part in parts]
    flat = [part for group in inner for part in group]
    columns = {part.column if isinstance(part, ColumnTest) and values_of(part) else None for part in flat}
    if len(columns) == 1 and None not in columns:
        tests = [part for part in flat if isinstance(part, ColumnTest)]
        return one_of(str(*columns), [value for test in tests for value in values_of(test)])
    return AnyOf(tuple(flat))


def values_of(test: ColumnTest) -> list[Value]:
    """The constants to which a test of equality compares its column; none for other tests."""
    predicate = test.predicate or {}
    values: list[Value] = [predicate["eq"]] if "eq" in predicate else predicate.get("one_of", [])
    return values


def steps_of(condition: Condition, steps_of_test: StepsOf) -> list[Step] | None:
    """Steps that keep all rows for which the condition holds; `None` if they would keep every row."""
    if isinstance(condition, (ColumnTest, Missing)):
        return steps_of_test(condition)
    if isinstance(condition, Unknown):
        return None
    parts = [steps_of(part, steps_of_test) for part in condition.parts]
    if isinstance(condition, AnyOf):
        branches = [part for part in parts if part]
        return [{"step": "or", "branches": branches}] if len(branches) == len(parts) else None
    return [step for part in parts if part for step in part] or None
