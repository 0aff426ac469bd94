"""Topological order, with NetworkX's names, results and errors."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import networkx as nx

from varvite.nx.networks import Networked, lists


def topological_generations(G: Networked) -> Iterator[list[Any]]:
    if not G.is_directed():
        raise nx.NetworkXError("Topological sort not defined on undirected graphs.")
    generations = G._network.generations()
    yield from lists(generations)
    if not generations.is_complete:
        raise nx.NetworkXUnfeasible("Graph contains a cycle or graph changed during iteration")


def topological_sort(G: Networked) -> Iterator[Any]:
    for generation in topological_generations(G):
        yield from generation


def is_directed_acyclic_graph(G: Networked) -> bool:
    return G.is_directed() and G._network.generations().is_complete
