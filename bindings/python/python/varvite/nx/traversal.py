"""Breadth-first search, with NetworkX's names, results and errors."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import networkx as nx

from varvite import _varvite
from varvite.nx.networks import PART, Networked, depth_of, lists, node_of, rest


def bfs_edges(
    G: Networked, source: Any, reverse: bool = False, depth_limit: Any = None, sort_neighbors: Any = None
) -> Iterator[tuple[Any, Any]]:
    if sort_neighbors is not None:
        return iter(rest("bfs_edges", G, source, reverse, depth_limit, sort_neighbors))
    return edges(G, source, reverse, depth_limit, swapped=False)


def bfs_predecessors(
    G: Networked, source: Any, depth_limit: Any = None, sort_neighbors: Any = None
) -> Iterator[tuple[Any, Any]]:
    if sort_neighbors is not None:
        return iter(rest("bfs_predecessors", G, source, depth_limit, sort_neighbors))
    return edges(G, source, False, depth_limit, swapped=True)


def bfs_layers(G: Networked, sources: Any) -> Iterator[list[Any]]:
    if G._network.node(sources) is not None:
        sources = [sources]

    def missing(source: Any) -> Exception:
        error: Exception = nx.NetworkXError(f"The node {source} is not in the graph.")
        return error

    numbers = [node_of(G, source, lambda: missing(source)) for source in set(sources)]
    yield from lists(G._network.search(numbers, None, False).levels())


def descendants(G: Networked, source: Any) -> set[Any]:
    return search(G, source, False, None).others()


def ancestors(G: Networked, source: Any) -> set[Any]:
    return search(G, source, True, None).others()


def search(G: Networked, source: Any, reverse: bool, depth_limit: Any) -> _varvite.Search:
    kind = "digraph" if G.is_directed() else "graph"
    number = node_of(G, source, lambda: nx.NetworkXError(f"The node {source} is not in the {kind}."))
    return G._network.search([number], depth_of(depth_limit), bool(reverse))


def edges(
    G: Networked, source: Any, reverse: bool, depth_limit: Any, *, swapped: bool
) -> Iterator[tuple[Any, Any]]:
    found = search(G, source, reverse, depth_limit)
    for start in range(0, len(found), PART):
        yield from found.edges(start, start + PART, swapped)
