"""The description of the backend `varvite`, which NetworkX reads when it is imported. It imports nothing else."""

from __future__ import annotations

from typing import Any

#: Each function that Varvite computes itself, with the cases that it leaves to NetworkX.
FUNCTIONS = {
    "ancestors": "",
    "bfs_edges": "NetworkX searches if `sort_neighbors` is given.",
    "bfs_layers": "",
    "bfs_predecessors": "NetworkX searches if `sort_neighbors` is given.",
    "bidirectional_shortest_path": "",
    "connected_components": "",
    "core_number": "",
    "degree_centrality": "NetworkX counts in undirected graphs with self-loops.",
    "descendants": "",
    "dominance_frontiers": "",
    "has_path": "",
    "immediate_dominators": "",
    "in_degree_centrality": "",
    "is_connected": "",
    "is_directed_acyclic_graph": "",
    "is_strongly_connected": "",
    "is_weakly_connected": "",
    "node_connected_component": "",
    "number_connected_components": "",
    "number_strongly_connected_components": "",
    "number_weakly_connected_components": "",
    "out_degree_centrality": "",
    "pagerank": "NetworkX computes ranks with weights, `personalization`, `nstart` or `dangling`.",
    "shortest_path": "NetworkX finds paths with weights, and paths between all pairs.",
    "shortest_path_length": "NetworkX finds lengths with weights, and lengths between all pairs.",
    "single_source_shortest_path": "",
    "single_source_shortest_path_length": "",
    "single_target_shortest_path": "",
    "single_target_shortest_path_length": "",
    "strongly_connected_components": "",
    "to_scipy_sparse_array": "NetworkX makes matrices of weights and of a `nodelist`.",
    "topological_generations": "",
    "topological_sort": "",
    "weakly_connected_components": "",
}


def get_info() -> dict[str, Any]:
    """The description of the backend, which `networkx.backend_info` names."""
    functions = {name: {"additional_docs": text} if text else {} for name, text in FUNCTIONS.items()}
    return {
        "backend_name": "varvite",
        "project": "varvite",
        "package": "varvite",
        "url": "https://github.com/varvite/varvite",
        "short_summary": "Algorithms on graphs in one memory-mapped file.",
        "functions": functions,
    }
