"""Answers to queries in the language of Joern, put together from the rows of their plans; and values in texts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from varvite.rows import Limits, Rows

if TYPE_CHECKING:
    from varvite.graph import Graph


def answer(graph: Graph, form: Any, limits: Limits) -> Any:
    """The answer of a form that `_varvite.translate` made."""
    kind, *parts = form
    if kind == "constant":
        return parts[0]
    if kind == "tuple":
        return tuple(answer(graph, part, limits) for part in parts[0])
    if kind == "function":
        return function(graph, parts[0], [answer(graph, part, limits) for part in parts[1]], limits)
    rows = Rows(graph, parts[0], limits)
    if kind == "rows":
        return rows
    if kind == "exists":
        return any(True for _ in rows)
    if kind == "text":
        _, begin, between, end = parts
        return begin + between.join(text_of(value) for value in rows) + end
    first = rows.first()
    if first is None and kind == "first":
        raise LookupError("the query has no row, so it has no head: write headOption")
    return first


def function(graph: Graph, function: Any, values: list[Any], limits: Limits) -> Any:
    """The function of values; `None` if one of them is absent."""
    if any(value is None for value in values):
        return None
    return Rows(graph, function.plan(values), limits).first()


def text_of(value: Any) -> str:
    """A value as Joern writes it in a text."""
    return str(value).lower() if isinstance(value, bool) else str(value)


def values_of(parameters: Mapping[str, Any]) -> list[tuple[str, str]]:
    """The values of parameters as texts, with a pair for each item of a list."""
    lists = {name: value if isinstance(value, (list, tuple)) else [value] for name, value in parameters.items()}
    return [(name, text_of(value)) for name, values in lists.items() for value in values]
