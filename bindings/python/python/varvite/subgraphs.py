"""Parts of a graph, and algorithms over all of their nodes. Their results are NumPy arrays."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, NoReturn, SupportsIndex

from varvite import _varvite

if TYPE_CHECKING:
    import numpy
    import numpy.typing

    from varvite.graph import Graph


class Subgraph:
    """The nodes of some labels and the edges of some labels between them.

    All results have the order of `ids`, and one value for each node. Lists of edges are decoded once, when an algorithm
    first needs them. Ctrl-C ends an algorithm, and with it all later ones of this subgraph. Needs NumPy.
    """

    __slots__ = ("_graph", "_native")

    def __init__(self, graph: Graph, native: _varvite.Subgraph) -> None:
        self._graph = graph
        self._native = native

    @property
    def ids(self) -> numpy.typing.NDArray[numpy.uint32]:
        """The ids of the nodes, ascending, as uint32."""
        import numpy

        return numpy.asarray(self._native.ids())

    def components(self) -> numpy.typing.NDArray[numpy.uint32]:
        """The component of each node, whatever the direction of edges: the id of one of its nodes, as uint32."""
        import numpy

        return numpy.asarray(self._native.components())

    def strong_components(self) -> numpy.typing.NDArray[numpy.uint32]:
        """The strongly connected component of each node: the id of one of its nodes, as uint32."""
        import numpy

        return numpy.asarray(self._native.strong_components())

    def distances(self, sources: Iterable[SupportsIndex]) -> numpy.typing.NDArray[numpy.uint32]:
        """The least number of edges from any of the sources to each node, as uint32; 2**32 - 1 if no path leads there.

        Raises
        ------
        NoSuchNodeError, ArgumentError
            A source is no node, or no node of the subgraph.
        """
        import numpy

        return numpy.asarray(self._native.distances([self._graph._id(source) for source in sources]))

    def page_rank(
        self, *, damping: float = 0.85, iterations_max: int = 100, tolerance: float = 1e-8
    ) -> numpy.typing.NDArray[numpy.float64]:
        """The PageRank of each node, as float64; their sum is 1.

        Parameters
        ----------
        damping
            The share of its rank that a node passes on: from 0 up to but not including 1.
        iterations_max, tolerance
            The iteration ends after so many rounds, or when the sum of the changes is at most the tolerance.
        """
        import numpy

        return numpy.asarray(self._native.page_rank(damping, iterations_max, tolerance))

    def __repr__(self) -> str:
        return f"<part of {self._graph.path}: {len(self._native.ids()):,} nodes>"

    def __reduce__(self) -> NoReturn:
        raise TypeError("a Subgraph cannot be pickled: pickle its labels, and open it again")
