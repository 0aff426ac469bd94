"""The common parts of the backend's functions: graphs with a native network, nodes, limits of depth."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import Any, Protocol

import networkx as nx

from varvite import _varvite
from varvite.limits import limits_of

#: The number of edges that a generator asks for at a time.
PART = 1 << 14

DEPTH_MAX = 2**32 - 1

#: The limits of a network without limits of its own.
NO_LIMITS: dict[str, Any] = limits_of()


class Networked(Protocol):
    """A graph of this backend: a view of a file, or a converted graph."""

    _network: _varvite.Network

    def is_directed(self) -> bool: ...

    def is_multigraph(self) -> bool: ...


class Converted:
    """A graph of NetworkX as lists of edges, and the graph itself for functions that are NetworkX's own.

    NetworkX keeps it in the cache of the graph, and drops it when a method of the graph changes edges or nodes.
    """

    __networkx_backend__ = "varvite"

    def __init__(self, original: Any, weight: Any) -> None:
        self.original = original
        self.weight = weight
        multigraph = original.is_multigraph()
        self._network = _varvite.convert_network(original._node, *adjacencies(original), multigraph, weight, NO_LIMITS)

    def is_directed(self) -> bool:
        return bool(self.original.is_directed())

    def is_multigraph(self) -> bool:
        return bool(self.original.is_multigraph())


def adjacencies(graph: Any) -> tuple[Any, Any]:
    """The mappings of out-edges and of in-edges; without the latter, edges lead both ways.

    Classes derived from those of NetworkX may show other edges than their dictionaries have.
    """
    if type(graph) in (nx.Graph, nx.DiGraph, nx.MultiGraph, nx.MultiDiGraph):
        return graph._adj, graph._pred if graph.is_directed() else None
    return graph.adj, graph.pred if graph.is_directed() else None


def rest(name: str, *args: Any, **kwargs: Any) -> Any:
    """NetworkX's own function, over the mappings of a view, or over the graph that was converted."""
    function = nx.utils.backends._registered_algorithms[name].orig_func
    return function(*map(original, args), **{key: original(value) for key, value in kwargs.items()})


def original(argument: Any) -> Any:
    return argument.original if isinstance(argument, Converted) else argument


def is_weighted(graph: Networked, weight: Any) -> bool:
    """Whether edges may have this weight. Edges of a view have no weights."""
    if weight is None or not isinstance(graph, Converted):
        return False
    return bool(graph.weight != weight or graph._network.is_weighted)


def has_double_loops(graph: Networked) -> bool:
    """Whether an edge from a node to itself is twice in the lists of edges, as in undirected multigraphs."""
    return graph._network.has_double_loops and graph._network.loop_count() > 0


def node_of(graph: Networked, node: Any, error: Callable[[], Exception]) -> int:
    """The number of a node. Raises an error if the graph does not have it."""
    number = graph._network.node(node)
    if number is None:
        raise error()
    return number


def depth_of(cutoff: Any) -> int | None:
    """The greatest depth below a limit, which may also be infinite, a fraction or negative."""
    if cutoff is None or cutoff >= DEPTH_MAX:
        return None
    return max(0, int(math.ceil(cutoff)))


def sets(groups: _varvite.Groups) -> Iterator[set[Any]]:
    """The groups as sets."""
    start = 0
    while part := groups.sets(start):
        yield from part
        start += len(part)


def lists(groups: _varvite.Groups) -> Iterator[list[Any]]:
    """The groups as lists."""
    start = 0
    while part := groups.lists(start):
        yield from part
        start += len(part)
