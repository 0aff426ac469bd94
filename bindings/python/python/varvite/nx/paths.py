"""Shortest paths of edges without weights, with NetworkX's names, results and errors."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import networkx as nx

from varvite.nx.networks import Networked, depth_of, node_of, rest


def bidirectional_shortest_path(G: Networked, source: Any, target: Any) -> list[Any]:
    start = node_of(G, source, not_found(f"Source {source} is not in G"))
    end = node_of(G, target, not_found(f"Target {target} is not in G"))
    path = G._network.shortest_path(start, end)
    if path is None:
        raise nx.NetworkXNoPath(f"No path between {source} and {target}.")
    return path


def has_path(G: Networked, source: Any, target: Any) -> bool:
    try:
        bidirectional_shortest_path(G, source, target)
    except nx.NetworkXNoPath:
        return False
    return True


def single_source_shortest_path(G: Networked, source: Any, cutoff: Any = None) -> dict[Any, list[Any]]:
    number = node_of(G, source, not_found(f"Source {source} not in G"))
    return G._network.search([number], depth_of(cutoff), False).paths(False)


def single_target_shortest_path(G: Networked, target: Any, cutoff: Any = None) -> dict[Any, list[Any]]:
    number = node_of(G, target, not_found(f"Target {target} not in G"))
    return G._network.search([number], depth_of(cutoff), True).paths(True)


def single_source_shortest_path_length(G: Networked, source: Any, cutoff: Any = None) -> dict[Any, int]:
    number = node_of(G, source, not_found(f"Source {source} is not in G"))
    return G._network.search([number], depth_of(cutoff), False).distances()


def single_target_shortest_path_length(G: Networked, target: Any, cutoff: Any = None) -> dict[Any, int]:
    number = node_of(G, target, not_found(f"Target {target} is not in G"))
    return G._network.search([number], depth_of(cutoff), True).distances()


def shortest_path(
    G: Networked, source: Any = None, target: Any = None, weight: Any = None, method: str = "dijkstra"
) -> Any:
    if is_rest(source, target, weight, method):
        return rest("shortest_path", G, source, target, weight, method)
    if target is None:
        return single_source_shortest_path(G, source)
    if source is None:
        node_of(G, target, not_found(f"Source {target} not in G"))
        return single_target_shortest_path(G, target)
    return bidirectional_shortest_path(G, source, target)


def shortest_path_length(
    G: Networked, source: Any = None, target: Any = None, weight: Any = None, method: str = "dijkstra"
) -> Any:
    if is_rest(source, target, weight, method):
        return rest("shortest_path_length", G, source, target, weight, method)
    if target is None:
        return single_source_shortest_path_length(G, source)
    if source is None:
        node_of(G, target, not_found(f"Source {target} is not in G"))
        return single_target_shortest_path_length(G, target)
    return len(bidirectional_shortest_path(G, source, target)) - 1


def is_rest(source: Any, target: Any, weight: Any, method: str) -> bool:
    is_method = method in ("dijkstra", "bellman-ford")
    return weight is not None or not is_method or (source is None and target is None)


def not_found(message: str) -> Callable[[], Exception]:
    return lambda: nx.NodeNotFound(message)
