"""Components, with NetworkX's names, results and errors."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import networkx as nx

from varvite import _varvite
from varvite.nx.networks import Networked, node_of, sets


def weakly_connected_components(G: Networked) -> Iterator[set[Any]]:
    yield from sets(G._network.components())


def strongly_connected_components(G: Networked) -> Iterator[set[Any]]:
    yield from sets(G._network.strong_components())


def number_weakly_connected_components(G: Networked) -> int:
    return len(G._network.components())


def number_strongly_connected_components(G: Networked) -> int:
    return len(G._network.strong_components())


def is_weakly_connected(G: Networked) -> bool:
    return is_one(G, G._network.components())


def is_strongly_connected(G: Networked) -> bool:
    return is_one(G, G._network.strong_components())


def node_connected_component(G: Networked, n: Any) -> set[Any]:
    found = G._network.search([node_of(G, n, lambda: KeyError(n))], None, False)
    return found.others() | {n}


connected_components = weakly_connected_components
number_connected_components = number_weakly_connected_components


def is_connected(G: Networked) -> bool:
    return is_one(G, G._network.components())


def is_one(G: Networked, groups: _varvite.Groups) -> bool:
    if len(G._network) == 0:
        message = "Connectivity is undefined for the null graph."
        raise nx.NetworkXPointlessConcept(message)
    return len(groups) == 1
