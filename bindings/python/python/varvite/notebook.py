"""Graphs and rows as notebooks show them."""

from __future__ import annotations

import contextlib
import itertools
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from varvite import html
from varvite.node import Edge, Node

if TYPE_CHECKING:
    from varvite.corpus import CorpusRows
    from varvite.graph import Graph
    from varvite.rows import Rows

LABELS = 12
"""The number of labels that are shown of a graph."""

ROWS = 10
"""The number of rows that are shown of a query."""


def of_graph(graph: Graph) -> str:
    """The size of a graph, its most frequent labels, and its layers."""
    if graph.closed:
        return html.caption(repr(graph))
    labels = {label: graph._native.label_count(label) for label in graph.labels}
    layers = html.table(["layer", "made by"], [(name, f"{tool} {version}") for name, tool, version in graph.layers])
    parts = [counts("label", labels), counts("edges", graph.edge_labels), layers]
    return html.caption(repr(graph)[1:-1]) + beside(*parts)


def counts(title: str, of: Mapping[str, int]) -> str:
    """A table of the most frequent names."""
    rows = sorted(((name, count) for name, count in of.items() if count), key=lambda row: -row[1])
    rest = [(f"and {len(rows) - LABELS} more", None)] if len(rows) > LABELS else []
    return html.table([title, "count"], [*((name, f"{count:,}") for name, count in rows[:LABELS]), *rest])


def of_node(node: Node) -> str:
    """The properties of a node, and the numbers of its neighbours by edge label."""
    if node.graph.closed:
        return html.caption(f"#{node.id} of {node.graph!r}")
    labels = [label for label, count in node.graph.edge_labels.items() if count]
    edges = [(label, len(node.out(label)) or None, len(node.in_(label)) or None) for label in labels]
    properties = html.table(["property", "value"], [(name, cell(value)) for name, value in node.properties().items()])
    neighbours = html.table(["edges", "out", "in"], [row for row in edges if row[1] or row[2]])
    return html.caption(f"{node.label} #{node.id}") + beside(properties, neighbours)


def beside(*parts: str) -> str:
    """Tables side by side."""
    columns = "".join(f'<td style="vertical-align:top">{part}</td>' for part in parts)
    return f"<table><tr>{columns}</tr></table>"


def of_rows(rows: Rows) -> str:
    """The first rows of a query, which runs for them."""
    first = list(itertools.islice(rows, ROWS + 1))
    note = f"the first {ROWS} rows" if len(first) > ROWS else f"{len(first)} rows"
    return table(first[:ROWS], rows.columns) + html.caption(note)


def of_corpus_rows(rows: CorpusRows) -> str:
    """The first rows of a question to many graphs, with the columns that any of them has."""
    with contextlib.closing(iter(rows)) as reading:
        first = list(itertools.islice(reading, ROWS + 1))
    names = list(dict.fromkeys(name for row in first for name in row))
    note = f"the first {ROWS} rows" if len(first) > ROWS else f"{len(first)} rows"
    return html.table(names, [[cell(row.get(name)) for name in names] for row in first[:ROWS]]) + html.caption(note)


def table(rows: Sequence[Any], columns: Sequence[str]) -> str:
    """Rows as a table. Nodes have a column for each property that any of them has."""
    if rows and all(isinstance(row, Node) for row in rows):
        values = [{"id": row.id, "label": row.label, **row.properties()} for row in rows]
        names = list(dict.fromkeys(name for row in values for name in row))
        return html.table(names, [[row.get(name) for name in names] for row in values])
    if rows and all(isinstance(row, Edge) for row in rows):
        return html.table(Edge._fields, [[cell(value) for value in row] for row in rows])
    cells = [list(row.values()) if isinstance(row, dict) else [row] for row in rows]
    return html.table(columns, [[cell(value) for value in row] for row in cells])


def cell(value: Any) -> Any:
    """A node as its label and id, without the path of its graph; other values as they are."""
    if isinstance(value, list):
        return ", ".join(str(cell(item)) for item in value)
    return f"{value.label} #{value.id}" if isinstance(value, Node) else value
