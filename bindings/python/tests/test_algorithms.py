"""Algorithms, compared with those of SciPy."""

from typing import Literal

import networkx as nx
import numpy
import pytest
import scipy.sparse.csgraph

import varvite
from varvite.subgraphs import NONE


def same_partition(left: numpy.ndarray, right: numpy.ndarray) -> bool:
    """Whether two arrays put the same nodes together."""
    pairs = len({*zip(left.tolist(), right.tolist())})
    return pairs == len(numpy.unique(left)) == len(numpy.unique(right))


@pytest.mark.parametrize(("kind", "label"), [("weak", "CALL"), ("strong", "CFG"), ("weak", "AST")])
def test_components_are_those_of_scipy(zlib: varvite.Graph, kind: Literal["weak", "strong"], label: str) -> None:
    part = zlib.subgraph(label)
    found = part.components() if kind == "weak" else part.strong_components()
    _, expected = scipy.sparse.csgraph.connected_components(zlib.csr(label), connection=kind)
    assert numpy.array_equal(part.ids, numpy.arange(zlib.id_limit))
    assert same_partition(found, expected)


def test_distances_are_those_of_scipy(zlib: varvite.Graph) -> None:
    source = next(iter(zlib.nodes("METHOD"))).id
    found = zlib.subgraph("CFG").distances([source])
    matrix = zlib.csr("CFG").astype(numpy.float64)
    expected = scipy.sparse.csgraph.dijkstra(matrix, indices=[source], unweighted=True).ravel()
    assert numpy.array_equal(numpy.where(found == 2**32 - 1, numpy.inf, found), expected)


def test_ranks_add_up(zlib: varvite.Graph) -> None:
    part = zlib.subgraph("CALL", labels=["CALL", "METHOD"])
    ranks = part.page_rank()
    assert len(ranks) == len(part.ids) == len(zlib.nodes("CALL")) + len(zlib.nodes("METHOD"))
    assert abs(ranks.sum() - 1) < 1e-6
    assert zlib.node(part.ids[ranks.argmax()]).label == "METHOD"
    with pytest.raises(varvite.Error, match="damping"):
        part.page_rank(damping=2.0)


def test_dominators_are_those_of_networkx(zlib: varvite.Graph) -> None:
    method = zlib.pipeline().nodes("METHOD").has("NAME", "inflate").first()
    part = zlib.subgraph("CFG")
    expected = nx.immediate_dominators(nx.from_scipy_sparse_array(zlib.csr("CFG"), create_using=nx.DiGraph), method.id)
    expected.pop(method.id, None)
    found = part.dominators([method])
    assert {int(id): int(found[id]) for id in part.ids if found[id] != NONE} == {method.id: method.id, **expected}
    leaf = max(set(expected) - set(expected.values()))
    assert part.dominators([method, leaf])[leaf] == leaf, "a root has no dominator"


def test_generations_are_those_of_networkx(zlib: varvite.Graph) -> None:
    part = zlib.subgraph("CALL", labels=["CALL", "METHOD"])
    copy = nx.DiGraph(zlib.networkx("CALL", labels=["CALL", "METHOD"]))
    expected = {node: number for number, nodes in enumerate(nx.topological_generations(copy)) for node in nodes}
    assert dict(zip(part.ids.tolist(), part.generations().tolist())) == expected


def test_nodes_of_cycles_have_no_generation(zlib: varvite.Graph) -> None:
    found, cyclic = zlib.subgraph("CFG").generations(), zlib.subgraph("CFG").strong_components()
    _, counts = numpy.unique(cyclic, return_counts=True)
    assert counts.max() > 1 and numpy.all(found[numpy.isin(cyclic, numpy.unique(cyclic)[counts > 1])] == NONE)
    edges = zlib.csr("CFG").tocoo()
    has = (found[edges.row] != NONE) & (found[edges.col] != NONE)
    assert has.any() and numpy.all(found[edges.row[has]] < found[edges.col[has]])


def test_core_numbers_and_clustering_are_those_of_networkx(zlib: varvite.Graph) -> None:
    part = zlib.subgraph("CFG", "REACHING_DEF", labels=["CALL", "METHOD", "IDENTIFIER"])
    view = zlib.networkx("CFG", "REACHING_DEF", labels=["CALL", "METHOD", "IDENTIFIER"])
    copy = nx.DiGraph(view)
    loops = list(nx.selfloop_edges(copy))
    copy.remove_edges_from(loops)
    plain = nx.Graph(copy)
    clustering = dict(zip(part.ids.tolist(), part.clustering().tolist()))
    pairs = {node: len(plain[node]) * (len(plain[node]) - 1) for node in plain}
    for node in [node for node in plain if len(plain[node]) < 100][::101]:
        between = sum(copy.has_edge(one, other) for one in plain[node] for other in plain[node])
        assert clustering[node] == pytest.approx(between / pairs[node] if pairs[node] else 0.0)
    tree = zlib.subgraph("AST")
    assert set(tree.core_numbers().tolist()) <= {0, 1}, "a forest has no core of two"


def test_communities_are_ids_of_nodes(zlib: varvite.Graph) -> None:
    part = zlib.subgraph("CALL", labels=["CALL", "METHOD"])
    labels = part.communities()
    assert labels.dtype == numpy.uint32 and set(labels.tolist()) <= set(part.ids.tolist())
    assert numpy.array_equal(labels, part.communities()) and len(numpy.unique(labels)) < len(part)
    assert numpy.array_equal(part.communities(iterations_max=0), part.ids)


def test_names_and_sources_are_checked(zlib: varvite.Graph) -> None:
    with pytest.raises(varvite.UnknownError, match="CALL"):
        zlib.subgraph("CALLS")
    with pytest.raises(varvite.NoSuchNodeError):
        zlib.subgraph("CFG").distances([zlib.id_limit])
        zlib.subgraph("CFG").dominators([-1])
    with pytest.raises(varvite.ArgumentError, match="293"):
        zlib.subgraph("CALL", labels=["CALL"]).dominators([293])
    with pytest.raises(varvite.OverBudgetError):
        zlib.subgraph("CFG", memory=1000).components()
