"""Graphs of igraph."""

import pickle
from typing import Any

import igraph
import numpy
import pytest

import varvite


@pytest.mark.parametrize("directed", [True, False])
def test_a_graph_of_igraph_has_the_edges(zlib: varvite.Graph, directed: bool) -> None:
    graph = zlib.igraph("CALL", "AST", directed=directed)
    assert graph.is_directed() == directed and graph["path"] == zlib.path
    assert graph.vcount() == zlib.node_count and numpy.array_equal(graph["ids"], numpy.arange(zlib.node_count))
    assert graph.ecount() == zlib.edge_labels["CALL"] + zlib.edge_labels["AST"]
    method = zlib.pipeline().nodes("METHOD").has("NAME", "inflate").first()
    children = sorted(node.id for node in method.out("CALL", "AST"))
    assert sorted(graph.neighbors(method.id, mode="out")) == (
        children if directed else sorted(children + [node.id for node in method.in_("CALL", "AST")])
    )


def test_vertices_are_numbered_in_the_order_of_ids(zlib: varvite.Graph) -> None:
    part = zlib.igraph("CALL", labels=["CALL", "METHOD"])
    ids = part["ids"]
    assert part.vcount() == len(ids) == len(zlib.nodes("CALL")) + len(zlib.nodes("METHOD"))
    expected: Any = zlib.csr("CALL").tocoo()
    pairs = numpy.array(part.get_edgelist())
    assert sorted(zip(ids[pairs[:, 0]], ids[pairs[:, 1]])) == sorted(zip(expected.row, expected.col))
    view = zlib.networkx("CALL", labels=["CALL", "METHOD"])
    assert sum(1 for _ in part.connected_components(mode="weak")) == len(list(weak(view)))


def weak(view: Any) -> Any:
    import networkx as nx

    return nx.weakly_connected_components(view)


def test_what_igraph_cannot_take_is_refused(zlib: varvite.Graph) -> None:
    with pytest.raises(varvite.UnknownError, match="CALL"):
        zlib.igraph("CALLS")
    with pytest.raises(varvite.OverBudgetError):
        zlib.igraph("AST", memory=1000)
    assert isinstance(pickle.loads(pickle.dumps(zlib.igraph("CALL"))), igraph.Graph)
