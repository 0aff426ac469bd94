"""Filters of Spark as conditions of the engine, and as tests of files.

Spark applies every filter to the rows that it gets, so a filter that cannot be handed over is left out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple

from pyspark.sql import datasource

from varvite.relational.conditions import ColumnTest, Condition, Missing, Unknown, all_of, compared, one_of
from varvite.spark.columns import FILE
from varvite.spark.files import GraphFile

COMPARISONS = {
    "EqualTo": "eq",
    "EqualNullSafe": "eq",
    "GreaterThan": "gt",
    "GreaterThanOrEqual": "gte",
    "LessThan": "lt",
    "LessThanOrEqual": "lte",
    "StringStartsWith": "prefix",
    "StringEndsWith": "suffix",
    "StringContains": "contains",
}


class Pushed(NamedTuple):
    """The conditions that were handed over: those of columns, and the values of `_file` and of ids."""

    condition: Condition
    files: list[str] | None
    ids: dict[str, list[int]]

    def of_file(self, file: GraphFile) -> Condition | None:
        """The condition on the rows of a file; `None` if none of its rows passes."""
        if self.files is not None and file.path not in self.files:
            return None
        parts = [self.condition]
        for column, values in self.ids.items():
            own = [value & 0xFFFF_FFFF for value in values if value >> 32 == file.number]
            if not own:
                return None
            parts.append(one_of(column, list(own)))
        return all_of(*parts) if len(parts) > 1 else self.condition


NOTHING = Pushed(Unknown(), None, {})


def push(filters: Iterable[datasource.Filter], ids: Sequence[str]) -> Pushed:
    """The conditions of filters, all of which hold for each row of the result."""
    parts: list[Condition] = []
    files: list[str] | None = None
    of_ids: dict[str, list[int]] = {}
    for each in filters:
        test = condition_of(each)
        values = test.predicate if isinstance(test, ColumnTest) else None
        wanted = None if values is None else values.get("one_of", [values["eq"]] if "eq" in values else None)
        if isinstance(test, ColumnTest) and test.column == FILE:
            files = both(files, wanted)
        elif isinstance(test, ColumnTest) and test.column in ids:
            if wanted is not None:
                of_ids[test.column] = both(of_ids.get(test.column), wanted) or []
        elif not isinstance(test, Unknown):
            parts.append(test)
    return Pushed(all_of(*parts) if parts else Unknown(), files, of_ids)


def both(values: list[Any] | None, more: list[Any] | None) -> list[Any] | None:
    """The values in both lists; `None` stands for all values."""
    if values is None or more is None:
        return more if values is None else values
    return [value for value in values if value in more]


def condition_of(filter: Any) -> Condition:
    """The condition of a filter: unknown for one that has none."""
    kind = type(filter).__name__
    if kind == "Not":
        return negated(filter.child)
    # The parts of a nested column are not columns of a graph.
    path: tuple[str, ...] = getattr(filter, "attribute", ())
    if len(path) != 1:
        return Unknown()
    column = path[0]
    if kind in COMPARISONS:
        return compared(column, COMPARISONS[kind], filter.value)
    others: dict[str, Callable[[], Condition]] = {
        "In": lambda: one_of(column, list(filter.value)),
        "IsNotNull": lambda: ColumnTest(column, None),
        "IsNull": lambda: Missing(column),
    }
    return others.get(kind, Unknown)()


def negated(child: Any) -> Condition:
    """The condition of a negated filter. The negation of a range is null where the range is, so it is a range too."""
    opposite = {"eq": "ne", "lt": "gte", "lte": "gt", "gt": "lte", "gte": "lt"}
    test = condition_of(child)
    if isinstance(test, Missing):
        return ColumnTest(test.column, None)
    if isinstance(test, ColumnTest) and type(child).__name__ != "EqualNullSafe":
        words = dict(test.predicate or {})
        if len(words) == 1 and (word := next(iter(words))) in opposite:
            return ColumnTest(test.column, {opposite[word]: words[word]})
    return Unknown()
