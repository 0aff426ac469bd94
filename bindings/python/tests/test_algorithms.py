"""Algorithms, compared with those of SciPy."""

from typing import Literal

import numpy
import pytest
import scipy.sparse.csgraph

import varvite


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


def test_names_and_sources_are_checked(zlib: varvite.Graph) -> None:
    with pytest.raises(varvite.UnknownError, match="CALL"):
        zlib.subgraph("CALLS")
    with pytest.raises(varvite.NoSuchNodeError):
        zlib.subgraph("CFG").distances([zlib.id_limit])
    with pytest.raises(varvite.OverBudgetError):
        zlib.subgraph("CFG", memory=1000).components()
