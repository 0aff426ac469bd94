"""Graphs of igraph."""

import pathlib
import pickle
import shutil
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


def test_properties_become_attributes_of_vertices(zlib: varvite.Graph) -> None:
    names = ["label", "NAME", "LINE_NUMBER", "IS_EXTERNAL", "OVERLAYS"]
    part = zlib.igraph("CALL", labels=["CALL", "METHOD", "META_DATA"], properties=names)
    assert part.vertex_attributes() == names
    for vertex in [*list(part.vs)[::97], part.vs.find(label="META_DATA")]:
        node = zlib.node(part["ids"][vertex.index])
        found = {name: value for name, value in vertex.attributes().items() if value is not None}
        expected = {name: node[name] for name in names[1:] if node[name] not in (None, [])}
        assert found == {"label": node.label, **expected}
    called = part.vs.find(NAME="memcpy", label="METHOD")
    assert called.indegree() == len(zlib.node(part["ids"][called.index]).in_.CALL) > 0


def test_a_part_without_nodes_has_attributes(zlib_path: pathlib.Path, tmp_path: pathlib.Path) -> None:
    path = shutil.copy(zlib_path, tmp_path / "empty.varvite")
    varvite.apply(path, [{"declare_label": "NOTHING"}])
    with varvite.open(path) as graph:
        none = graph.igraph("CALL", labels=["NOTHING"], properties=["NAME", "label"])
    assert none.vcount() == none.ecount() == 0 and none.vertex_attributes() == ["NAME", "label"]


def test_what_igraph_cannot_take_is_refused(zlib: varvite.Graph) -> None:
    with pytest.raises(varvite.UnknownError, match="CALL"):
        zlib.igraph("CALLS")
    with pytest.raises(varvite.OverBudgetError):
        zlib.igraph("AST", memory=1000)
    with pytest.raises(varvite.CancelledError):
        zlib.igraph("AST", seconds=0.0)
    with pytest.raises(varvite.UnknownError, match="NAME"):
        zlib.igraph("AST", properties=["NAMES"])
    with pytest.raises(varvite.ArgumentError, match="a list"):
        zlib.igraph("AST", properties="NAME")
    assert isinstance(pickle.loads(pickle.dumps(zlib.igraph("CALL"))), igraph.Graph)
