"""Dominators, with NetworkX's names, results and errors."""

from __future__ import annotations

from typing import Any

import networkx as nx

from varvite.nx.networks import Networked, node_of


def immediate_dominators(G: Networked, start: Any) -> dict[Any, Any]:
    return G._network.dominators(start_of(G, start))


def dominance_frontiers(G: Networked, start: Any) -> dict[Any, set[Any]]:
    return G._network.frontiers(start_of(G, start))


def start_of(G: Networked, start: Any) -> int:
    return node_of(G, start, lambda: nx.NetworkXError("start is not in G"))
