"""Matrices, with NetworkX's names, results and errors."""

from __future__ import annotations

from typing import Any

import networkx as nx

from varvite.nx.networks import Networked, has_double_loops, is_weighted, rest


def to_scipy_sparse_array(
    G: Networked, nodelist: Any = None, dtype: Any = None, weight: Any = "weight", format: str = "csr"
) -> Any:
    if nodelist is not None or is_weighted(G, weight) or has_double_loops(G):
        return rest("to_scipy_sparse_array", G, nodelist, dtype, weight, format)
    import numpy
    import scipy.sparse

    count = len(G._network)
    if count == 0:
        raise nx.NetworkXError("Graph has no nodes or edges")
    ends, targets = (numpy.array(part) for part in G._network.arrays())
    # SciPy takes floating-point numbers if it has none to see.
    default = numpy.int64 if len(targets) else numpy.float64
    ones = numpy.ones(len(targets), default if dtype is None else dtype)
    matrix: Any = scipy.sparse.csr_array((ones, targets, ends), shape=(count, count))
    matrix.sum_duplicates()
    try:
        return matrix.asformat(format)
    except ValueError as error:
        raise nx.NetworkXError(f"Unknown sparse matrix format: {format}") from error
