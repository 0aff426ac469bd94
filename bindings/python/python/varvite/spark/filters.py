"""Filters of Spark as conditions of the engine, and as tests of files.

Spark applies every filter to the rows that it gets, so a filter that cannot be handed over is left out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple

from pyspark.sql import datasource

from varvite.relational.conditions import ColumnTest, Condition, Missing, Unknown, all_of, compared, one_of, values_of
from varvite.spark.columns import FILE, is_reserved
from varvite.spark.files import GraphFile

IDS = ("id", "source", "target")
"""The columns that have ids of all files in some tables, and are properties in others."""

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
    """The conditions that were handed over: the values of `_file`, tests of the columns `IDS`, and all others."""

    condition: Condition
    files: list[Any] | None
    tests: tuple[ColumnTest, ...]

    def has_file(self, file: GraphFile) -> bool:
        """Whether rows of a file may pass, by its path."""
        return self.files is None or file.path in self.files

    def of_file(self, file: GraphFile, ids: Sequence[str]) -> Condition | None:
        """The condition on the rows of a file, in whose table the columns `ids` have ids of all files; `None` if none
        of its rows passes."""
        parts: list[Condition] = [] if isinstance(self.condition, Unknown) else [self.condition]
        for test in self.tests:
            if test.column not in ids:
                parts.append(test)
            elif values := whole_numbers(test):
                own: list[Any] = [value & 0xFFFF_FFFF for value in values if value >> 32 == file.number]
                if not own:
                    return None
                parts.append(one_of(test.column, own))
        return all_of(*parts) if parts else Unknown()


NOTHING = Pushed(Unknown(), None, ())


def push(filters: Iterable[datasource.Filter]) -> Pushed:
    """The conditions of filters, all of which hold for each row of the result."""
    parts: list[Condition] = []
    files: list[Any] | None = None
    tests: list[ColumnTest] = []
    for each in filters:
        test = condition_of(each)
        if isinstance(test, (ColumnTest, Missing)) and is_reserved(test.column):
            # A property of this name is not the column of the read.
            if isinstance(test, ColumnTest) and test.column == FILE:
                files = both(files, list(values_of(test)) or None)
        elif isinstance(test, ColumnTest) and test.column in IDS:
            tests.append(test)
        elif not isinstance(test, Unknown):
            parts.append(test)
    return Pushed(all_of(*parts) if parts else Unknown(), files, tuple(tests))


def whole_numbers(test: ColumnTest) -> list[int]:
    """The constants to which a test of equality compares its column; none if any of them is not a whole number."""
    values = values_of(test)
    numbers = [value for value in values if isinstance(value, int) and not isinstance(value, bool)]
    return numbers if len(numbers) == len(values) else []


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
