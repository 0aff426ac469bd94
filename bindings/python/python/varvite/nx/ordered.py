"""Topological order, with NetworkX's names, results and errors."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import networkx as nx

from varvite.nx.networks import Converted, Networked, lists

CYCLE = "Graph contains a cycle or graph changed during iteration"


class Changes:
    """Finds changes of a converted graph while its nodes are yielded. A view cannot be changed.

    NetworkX clears the cache of a graph when a method changes it, and with it the entry of this object.
    """

    def __init__(self, graph: Networked) -> None:
        self._original = graph.original if isinstance(graph, Converted) else None
        self._count = len(graph._network)
        self._cache = getattr(self._original, "__networkx_cache__", None)
        if self._cache is not None:
            self._cache[id(self)] = None

    def __del__(self) -> None:
        if self._cache is not None:
            self._cache.pop(id(self), None)

    def check(self, nodes: list[Any]) -> None:
        """Raises the error of NetworkX if the graph was changed before these nodes are yielded."""
        if self._original is None or self._cache is None or id(self) in self._cache:
            return
        is_smaller = len(self._original) < self._count
        if is_smaller and all(node in self._original for node in nodes):
            raise nx.NetworkXUnfeasible(CYCLE)
        raise RuntimeError("Graph changed during iteration")


def topological_generations(G: Networked) -> Iterator[list[Any]]:
    if not G.is_directed():
        raise nx.NetworkXError("Topological sort not defined on undirected graphs.")
    generations = G._network.generations()
    changes = Changes(G)
    for generation in lists(generations):
        changes.check(generation)
        yield generation
    changes.check([])
    if not generations.is_complete:
        raise nx.NetworkXUnfeasible(CYCLE)


def topological_sort(G: Networked) -> Iterator[Any]:
    for generation in topological_generations(G):
        yield from generation


def is_directed_acyclic_graph(G: Networked) -> bool:
    return G.is_directed() and G._network.generations().is_complete
