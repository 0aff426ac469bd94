"""Graphs for NetworkX that show a part of a file."""

import json
import os
import pathlib
import pickle
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from typing import Any

import networkx as nx
import pytest

import varvite


@pytest.fixture
def tree(zlib: varvite.Graph) -> Any:
    """The syntax trees of zlib."""
    return zlib.networkx("AST")


def test_a_view_is_a_graph_of_networkx(zlib: varvite.Graph, tree: Any) -> None:
    assert isinstance(tree, nx.DiGraph) and tree.is_directed() and not tree.is_multigraph()
    assert len(tree) == tree.number_of_nodes() == zlib.node_count
    assert tree.number_of_edges() == tree.size() == zlib.edge_labels["AST"] == sum(1 for _ in tree.edges)
    undirected = zlib.networkx("AST", directed=False)
    assert isinstance(undirected, nx.Graph) and not undirected.is_directed()
    assert undirected.number_of_edges() == zlib.edge_labels["AST"]


def test_mappings_are_those_of_the_graph(zlib: varvite.Graph, tree: Any) -> None:
    method = zlib.pipeline().nodes("METHOD").has("NAME", "inflate").first()
    assert list(tree.succ[method.id]) == list(tree[method.id]) == [node.id for node in method.out.AST]
    assert list(tree.pred[method.id]) == [node.id for node in method.in_.AST]
    assert tree.out_degree(method.id) == len(method.out.AST)
    assert tree.has_edge(method.id, method.out.AST[0].id) and not tree.has_edge(method.id, method.id)
    assert method.id in tree and -1 not in tree and "inflate" not in tree and [] not in tree
    assert tree.nodes[method.id]["NAME"] == "inflate"
    assert dict(tree.nodes[method.id]) == {"label": "METHOD", **method.properties()}
    with pytest.raises(KeyError):
        tree.adj[zlib.id_limit]


def test_parallel_edges_are_one_edge(zlib: varvite.Graph) -> None:
    view = zlib.networkx()
    pairs = {(source, target) for label in zlib.edge_labels for source, target in edges_of(zlib, label)}
    assert view.number_of_edges() == len(pairs) < zlib.edge_count


def edges_of(graph: varvite.Graph, label: str) -> list[tuple[int, int]]:
    matrix = graph.csr(label).tocoo()
    return list(zip(matrix.row.tolist(), matrix.col.tolist()))


def test_nobody_can_change_a_view(zlib: varvite.Graph, tree: Any) -> None:
    assert nx.is_frozen(tree)
    for change in [lambda: tree.add_edge(1, 2), lambda: tree.remove_node(1), tree.clear, lambda: tree.add_node(1)]:
        with pytest.raises(nx.NetworkXError, match="Frozen graph can't be modified"):
            change()
    with pytest.raises(nx.NetworkXError, match="Frozen graph can't be modified"):
        nx.add_path(tree, [1, 2])
    source, target = next(iter(tree.edges))
    with pytest.raises(TypeError):
        tree[source][target]["weight"] = 1
    with pytest.raises(TypeError, match="nx.DiGraph"):
        pickle.dumps(tree)


def test_functions_of_networkx_itself_read_the_mappings(zlib: varvite.Graph) -> None:
    view = zlib.networkx("CALL", labels=["CALL", "METHOD"])
    copy = nx.DiGraph(view)
    assert nx.density(view) == nx.density(copy)
    assert nx.condensation(view).edges == nx.condensation(copy).edges
    assert list(nx.dfs_preorder_nodes(view)) == list(nx.dfs_preorder_nodes(copy))
    assert nx.bfs_tree(view, next(iter(view))).edges == nx.bfs_tree(copy, next(iter(copy))).edges
    chosen = list(copy)[:50]
    assert type(view.subgraph(chosen).copy()) is nx.DiGraph
    assert view.subgraph(chosen).copy().edges == copy.subgraph(chosen).edges
    assert view.reverse().edges == copy.reverse().edges
    assert view.to_undirected().edges == copy.to_undirected().edges


@pytest.fixture
def looped(zlib_path: pathlib.Path, tmp_path: pathlib.Path) -> Iterator[varvite.Graph]:
    """A graph with parallel edges, edges in both directions, and edges from nodes to themselves."""
    path = tmp_path / "looped.varvite"
    path.write_bytes(zlib_path.read_bytes())
    names = "abcde"
    edges = ["ab", "ab", "ba", "bc", "bc", "bc", "cc", "cc", "dd", "ea", "ae"]
    varvite.apply(path, [
        {"declare_label": "POINT"}, {"declare_edge_label": "LINK"},
        *({"add_node": {"name": name, "labels": ["POINT"]}} for name in names),
        *({"add_edge": {"label": "LINK", "from": edge[0], "to": edge[1]}} for edge in edges),
    ])  # fmt: skip
    with varvite.open(path) as graph:
        yield graph


@pytest.mark.parametrize("directed", [True, False])
def test_a_multigraph_has_parallel_edges(looped: varvite.Graph, directed: bool) -> None:
    view = looped.networkx("LINK", labels=["POINT"], directed=directed, multigraph=True)
    kind = nx.MultiDiGraph if directed else nx.MultiGraph
    assert isinstance(view, kind) and view.is_multigraph() and view.is_directed() == directed
    copy: Any = kind()
    copy.add_nodes_from(view)
    copy.add_edges_from((link.source.id, link.target.id) for link in looped.pipeline().edges("LINK"))
    assert view.number_of_edges() == view.size() == copy.number_of_edges() == 11
    assert sorted(view.edges(keys=True)) == sorted(kind(view).edges(keys=True))
    for source in copy:
        assert {node: set(keys) for node, keys in view[source].items()} == {
            node: set(keys) for node, keys in copy[source].items()
        }
        assert view.degree(source) == copy.degree(source)
        for target in copy:
            assert view.number_of_edges(source, target) == copy.number_of_edges(source, target)
    assert nx.convert_node_labels_to_integers(view).edges == nx.convert_node_labels_to_integers(copy).edges
    with pytest.raises(nx.NetworkXError, match="Frozen graph can't be modified"):
        view.add_edge(0, 1)
    with pytest.raises(TypeError, match=f"nx.{kind.__name__}"):
        pickle.dumps(view)
    assert type(view.copy()) is kind


FUNCTIONS: list[Callable[[Any], Any]] = [
    nx.pagerank,
    nx.degree_centrality,
    lambda g: sorted(map(sorted, nx.connected_components(g) if not g.is_directed() else nx.strongly_connected_components(g))),
    lambda g: nx.to_scipy_sparse_array(g).toarray().tolist(),
    lambda g: nx.single_source_shortest_path_length(g, next(iter(g))),
    lambda g: list(nx.bfs_edges(g, next(iter(g)))),
    lambda g: nx.has_path(g, *list(g)[:2]),
    lambda g: nx.in_degree_centrality(g) if g.is_directed() else None,
]


@pytest.mark.parametrize("function", FUNCTIONS)
@pytest.mark.parametrize("directed, multigraph", [(True, True), (False, True), (False, False), (True, False)])
def test_functions_have_the_results_of_networkx_on_a_copy(
    looped: varvite.Graph, function: Callable[[Any], Any], directed: bool, multigraph: bool
) -> None:
    view = looped.networkx("LINK", labels=["POINT"], directed=directed, multigraph=multigraph)
    kind = {
        (True, True): nx.MultiDiGraph, (False, True): nx.MultiGraph, (True, False): nx.DiGraph, (False, False): nx.Graph
    }[directed, multigraph]  # fmt: skip
    copy: Any = kind()
    copy.add_nodes_from(view)
    copy.add_edges_from((link.source.id, link.target.id) for link in looped.pipeline().edges("LINK"))
    expected = function(copy)
    assert function(view) == (pytest.approx(expected) if isinstance(expected, dict) else expected)


def test_a_graph_of_networkx_is_converted_once_until_it_changes() -> None:
    graph = nx.path_graph(5, create_using=nx.DiGraph)
    assert nx.descendants(graph, 0, backend="varvite") == {1, 2, 3, 4}
    graph.add_edge(4, 5)
    assert nx.descendants(graph, 0, backend="varvite") == {1, 2, 3, 4, 5}


def test_weights_of_a_converted_graph_count() -> None:
    graph = nx.DiGraph([(0, 1), (0, 2), (2, 0)])
    assert nx.pagerank(graph, backend="varvite") == pytest.approx(nx.pagerank(graph))
    graph.add_edge(0, 2, weight=9)
    assert nx.pagerank(graph, backend="varvite") == pytest.approx(nx.pagerank(graph))


def test_a_closed_graph_says_so(zlib_path: Any) -> None:
    with varvite.open(zlib_path) as graph:
        view = graph.networkx("CFG")
    with pytest.raises(varvite.GraphClosedError):
        nx.descendants(view, 0)
    with pytest.raises(varvite.UnknownError, match="CALL"), varvite.open(zlib_path) as graph:
        graph.networkx("CALLS")


def test_a_view_has_limits(zlib: varvite.Graph) -> None:
    with pytest.raises(varvite.OverBudgetError):
        nx.descendants(zlib.networkx("AST", memory=1000), 0)


@pytest.mark.parametrize("size", [1000, 40_000])
def test_ctrl_c_ends_a_function_and_not_the_graph(size: int) -> None:
    # The main thread computes the ranks of the smaller graph, and all threads those of the larger one. The ranks of a
    # star change in every round.
    graph = nx.star_graph(size)
    assert nx.is_connected(graph, backend="varvite")
    sent: list[float] = []

    def send() -> None:
        sent.append(time.monotonic())
        os.kill(os.getpid(), signal.SIGINT)

    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        threading.Timer(0.3, send).start()
        with pytest.raises(KeyboardInterrupt):
            nx.pagerank(graph, alpha=0.9999999, tol=0.0, max_iter=2**31, backend="varvite")
    finally:
        signal.signal(signal.SIGINT, before)
    # 50 ms on a quiet machine; tests share theirs.
    assert time.monotonic() - sent[0] < 1
    assert nx.is_connected(graph, backend="varvite")


def test_networkx_reads_the_description_without_the_package() -> None:
    code = """import json, sys, networkx
info = networkx.utils.backends.backend_info["varvite"]
print(json.dumps([len(info["functions"]), [name for name in sys.modules if name.split(".")[0] == "varvite"]]))"""
    answered = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    functions, modules = json.loads(answered.stdout)
    assert functions > 30 and modules == []
