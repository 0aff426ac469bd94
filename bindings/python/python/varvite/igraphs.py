"""Copies of a part of a graph for igraph."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from varvite.errors import ArgumentError

if TYPE_CHECKING:
    import numpy
    import numpy.typing

    from varvite.graph import Graph
    from varvite.subgraphs import Subgraph

    Ids = numpy.typing.NDArray[numpy.uint32]

LABEL = "label"
"""The attribute with the labels of a vertex, beside the names of properties."""


def copied(graph: Graph, part: Subgraph, directed: bool, properties: Iterable[str]) -> Any:
    """The vertices and edges of a part as a graph of igraph, with these properties of the vertices."""
    import igraph
    import numpy

    if isinstance(properties, str):
        raise ArgumentError(f"properties is the text {properties!r}, expected a list of names")
    ids = part.ids
    vertices = {name: attribute(graph, name, ids) for name in properties}
    starts, targets = (numpy.asarray(array) for array in part._native.arrays())
    edges = numpy.empty((len(targets), 2), numpy.int64)
    edges[:, 0] = numpy.repeat(numpy.arange(len(ids)), numpy.diff(starts))
    edges[:, 1] = targets
    return igraph.Graph(len(ids), edges.data, directed, {"path": graph.path, "ids": ids}, vertices)


def attribute(graph: Graph, name: str, ids: Ids) -> list[Any]:
    """The value of a property for each node of `ids`; `None` for those without one, and a list for a property of lists."""
    if name == LABEL:
        return labels_of(graph, ids)
    column = graph.column(name)
    values: list[Any] = column.to_numpy().tolist()
    if column.value_type in ("string", "bytes"):
        texts = [*column.texts(), None]
        values = [texts[code] for code in values]
    if column.is_list:
        offsets = column.offsets().tolist()
        values = [values[start:end] for start, end in zip(offsets, offsets[1:])]
    found: list[Any] = [None] * len(ids)
    places, is_there = places_of(ids, column.owners())
    for place, is_member, value in zip(places, is_there, values):
        if is_member:
            found[place] = value
    return found


def labels_of(graph: Graph, ids: Ids) -> list[str]:
    """The labels of each node of `ids`, joined by `&`."""
    import numpy

    found: list[list[str]] = [[] for _ in range(len(ids))]
    for label in graph.labels:
        places, is_there = places_of(ids, numpy.asarray(graph.nodes(label).ids))
        for place, is_member in zip(places, is_there):
            if is_member:
                found[place].append(label)
    return ["&".join(labels) for labels in found]


def places_of(ids: Ids, nodes: Ids) -> tuple[list[int], list[bool]]:
    """Where each of some ascending nodes is among the ids, and whether it is there."""
    import numpy

    if len(ids) == 0:
        return [0] * len(nodes), [False] * len(nodes)
    places = numpy.searchsorted(ids, nodes)
    is_there = ids[numpy.minimum(places, len(ids) - 1)] == nodes
    return places.tolist(), is_there.tolist()
