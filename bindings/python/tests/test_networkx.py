"""The functions of the backend of NetworkX, compared with NetworkX's own: same results, order and errors."""

import inspect
import os
import pathlib
import random
from collections.abc import Callable, Iterator
from typing import Any

import networkx as nx
import pytest

import varvite
from _nx_varvite import FUNCTIONS

BACKEND: dict[str, Any] = {"backend": "varvite"}

# Each test makes a graph of its own, so no cached conversion can be stale.
nx.config.warnings_to_ignore.add("cache")

#: Arguments after the graph, for each function: `u` and `v` are two nodes.
ARGUMENTS: dict[str, list[Callable[[Any, Any], dict[str, Any]]]] = {
    "bfs_edges": [
        lambda u, v: {"source": u},
        lambda u, v: {"source": u, "reverse": True},
        lambda u, v: {"source": u, "depth_limit": 2},
        lambda u, v: {"source": u, "depth_limit": 0},
        lambda u, v: {"source": u, "sort_neighbors": lambda nodes: sorted(nodes, key=str)},
    ],
    "bfs_predecessors": [lambda u, v: {"source": u}, lambda u, v: {"source": u, "depth_limit": 1}],
    "bfs_layers": [lambda u, v: {"sources": u}, lambda u, v: {"sources": [u]}],
    "core_number": [lambda u, v: {}],
    "dominance_frontiers": [lambda u, v: {"start": u}],
    "immediate_dominators": [lambda u, v: {"start": u}],
    "node_connected_component": [lambda u, v: {"n": u}],
    "pagerank": [
        lambda u, v: {"tol": 1e-12, "max_iter": 1000},
        lambda u, v: {"alpha": 0.5, "weight": None},
        lambda u, v: {"personalization": {u: 1.0}},
        lambda u, v: {"max_iter": 1, "tol": 1e-12},
    ],
    "shortest_path": [
        lambda u, v: {"source": u, "target": v},
        lambda u, v: {"source": u},
        lambda u, v: {"target": v},
        lambda u, v: {"source": u, "target": v, "weight": "weight"},
        lambda u, v: {"source": u, "method": "dance"},
    ],
    "shortest_path_length": [
        lambda u, v: {"source": u, "target": v},
        lambda u, v: {"source": u},
        lambda u, v: {"target": v},
    ],
    "to_scipy_sparse_array": [
        lambda u, v: {},
        lambda u, v: {"dtype": "float32", "format": "coo"},
        lambda u, v: {"nodelist": [u]},
        lambda u, v: {"format": "triangle"},
    ],
}
for name in ["descendants", "ancestors"]:
    ARGUMENTS[name] = [lambda u, v: {"source": u}]
for name in ["has_path", "bidirectional_shortest_path"]:
    ARGUMENTS[name] = [lambda u, v: {"source": u, "target": v}]
for name in ["single_source_shortest_path", "single_source_shortest_path_length"]:
    ARGUMENTS[name] = [lambda u, v: {"source": u}, lambda u, v: {"source": u, "cutoff": 1.5}]
for name in ["single_target_shortest_path", "single_target_shortest_path_length"]:
    ARGUMENTS[name] = [lambda u, v: {"target": v}, lambda u, v: {"target": v, "cutoff": 2}]
CALLS = [(name, arguments) for name in FUNCTIONS for arguments in ARGUMENTS.get(name, [lambda u, v: {}])]

#: Results whose order NetworkX does not promise.
UNORDERED = {"immediate_dominators", "dominance_frontiers", "core_number", "pagerank"}


def graph_of(kind: type[Any], seed: int) -> Any:
    """A random graph: self-loops, parallel edges where the kind has them, isolated nodes, several components."""
    source = random.Random(seed)
    names = [number if number % 2 else f"n{number}" for number in range(source.choice([1, 2, 5, 12, 40]))]
    graph = kind()
    graph.add_nodes_from(names)
    for _ in range(source.choice([0, len(names) // 2, len(names), 3 * len(names)])):
        graph.add_edge(source.choice(names), source.choice(names))
    return graph


def outcome(name: str, graph: Any, arguments: dict[str, Any], **options: Any) -> Any:
    """The result of a function, or its error, in a form that can be compared."""
    try:
        result: Any = getattr(nx, name)(graph, **arguments, **options)
        kind = "iterator" if isinstance(result, Iterator) else type(result)
        result = list(result) if isinstance(result, Iterator) else result
    except Exception as error:
        return type(error), str(error)
    if name == "to_scipy_sparse_array":
        return kind, result.dtype, result.toarray().tolist()
    if isinstance(result, dict) and name not in UNORDERED:
        result = list(result.items())
    return kind, result


def compare(name: str, graph: Any, other: Any, arguments: dict[str, Any], **options: Any) -> None:
    """Checks that a function has the same outcome for a graph of NetworkX as for another graph."""
    expected, found = outcome(name, graph, arguments), outcome(name, other, arguments, **options)
    if name == "pagerank" and expected[0] is dict:
        assert found[0] is dict and all(type(rank) is float for rank in found[1].values())
        assert found[1] == pytest.approx(expected[1], abs=1e-6 if arguments.get("tol") is None else 1e-9)
    else:
        assert found == expected


@pytest.mark.parametrize("kind", [nx.Graph, nx.DiGraph, nx.MultiGraph, nx.MultiDiGraph])
@pytest.mark.parametrize(("name", "arguments"), CALLS)
def test_a_converted_graph_has_the_results_of_networkx(
    name: str, arguments: Callable[[Any, Any], dict[str, Any]], kind: type[Any]
) -> None:
    for seed in range(25):
        graph = graph_of(kind, seed)
        nodes = list(graph)
        compare(name, graph, graph, arguments(nodes[0], nodes[-1]), **BACKEND)
    compare(name, graph, graph, arguments("missing", nodes[0]), **BACKEND)
    compare(name, graph, graph, arguments(nodes[0], "missing"), **BACKEND)
    compare(name, kind(), kind(), arguments("missing", "missing"), **BACKEND)


def test_all_functions_have_the_parameters_of_networkx() -> None:
    from varvite.nx import backend

    for name in FUNCTIONS:
        expected = inspect.signature(getattr(nx, name).orig_func).parameters
        found = inspect.signature(getattr(backend, name)).parameters
        assert [(each.name, each.default) for each in found.values()] == [
            (each.name, each.default) for each in expected.values()
        ], name


def check_calls(graph: varvite.Graph, directed: bool) -> None:
    """Compares all functions on the call graph of a file with those on a copy of it."""
    view = graph.networkx("CALL", labels=["CALL", "METHOD"], directed=directed)
    copy = (nx.DiGraph if directed else nx.Graph)(view)
    assert type(copy) in (nx.DiGraph, nx.Graph) and len(copy) == len(view) > 1000
    order = list(copy)
    degrees = dict(copy.degree())
    ends = max(order, key=lambda node: degrees[node]), order[0]
    for name, arguments in CALLS:
        if name != "to_scipy_sparse_array":
            compare(name, copy, view, arguments(*ends))
            compare(name, copy, view, arguments(*reversed(ends)))


@pytest.mark.parametrize("directed", [True, False])
def test_the_call_graph_of_zlib_has_the_results_of_networkx(zlib: varvite.Graph, directed: bool) -> None:
    check_calls(zlib, directed)


SQLITE = pathlib.Path(os.environ.get("VARVITE_SHARED", "/nowhere")) / "data/sqlite.cpg.bin"


@pytest.mark.skipif(not SQLITE.exists(), reason="the graph of sqlite is not on this machine (VARVITE_SHARED)")
def test_the_call_graph_of_sqlite_has_the_results_of_networkx(tmp_path: pathlib.Path) -> None:
    varvite.import_(SQLITE, tmp_path / "sqlite.varvite")
    with varvite.open(tmp_path / "sqlite.varvite") as graph:
        check_calls(graph, True)
