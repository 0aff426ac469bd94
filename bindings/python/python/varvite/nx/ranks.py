"""Numbers of nodes: PageRank, degrees and cores, with NetworkX's names, results and errors."""

from __future__ import annotations

from typing import Any

import networkx as nx

from varvite.nx.networks import Networked, has_double_loops, is_weighted, rest


def pagerank(
    G: Networked,
    alpha: float = 0.85,
    personalization: Any = None,
    max_iter: int = 100,
    tol: float = 1.0e-6,
    nstart: Any = None,
    weight: Any = "weight",
    dangling: Any = None,
) -> dict[Any, float]:
    others = (personalization, nstart, dangling)
    is_other = any(other is not None for other in others) or not (0 <= alpha < 1 and tol >= 0)
    if is_other or is_weighted(G, weight) or has_double_loops(G):
        ranks: dict[Any, float] = rest("pagerank", G, alpha, personalization, max_iter, tol, nstart, weight, dangling)
        return ranks
    count = len(G._network)
    if count == 0:
        return {}
    found = G._network.page_rank(alpha, max(0, max_iter), count * tol)
    if found is None:
        raise nx.PowerIterationFailedConvergence(max_iter)
    return found


def degree_centrality(G: Networked) -> Any:
    if not G.is_directed() and G._network.loop_count() > 0:
        return rest("degree_centrality", G)
    return centrality(G, out=True, in_=G.is_directed())


def in_degree_centrality(G: Networked) -> Any:
    return centrality(G, out=False, in_=True)


def out_degree_centrality(G: Networked) -> Any:
    return centrality(G, out=True, in_=False)


def centrality(G: Networked, *, out: bool, in_: bool) -> Any:
    count = len(G._network)
    if count <= 1:
        return dict.fromkeys(G._network.nodes(0, count), 1)
    return G._network.degrees(out, in_, 1.0 / (count - 1.0))


def core_number(G: Networked) -> dict[Any, int]:
    if G._network.loop_count() > 0:
        message = (
            "Input graph has self loops which is not permitted; "
            "Consider using G.remove_edges_from(nx.selfloop_edges(G))."
        )
        raise nx.NetworkXNotImplemented(message)
    return G._network.core_numbers()
