"""Parts of a graph, and algorithms over all of their nodes. Their results are NumPy arrays."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, NoReturn, SupportsIndex

from varvite import _varvite

if TYPE_CHECKING:
    import numpy
    import numpy.typing

    from varvite.graph import Graph

NONE = 2**32 - 1
"""The value of nodes without a distance, a dominator or a generation."""


class Subgraph:
    """The nodes of some labels and the edges of some labels between them.

    All results have the order of `ids`, and one value for each node. Lists of edges are decoded once, when an algorithm
    first needs them, to 4 bytes for each edge and node. `docs/guide/algorithms.md` has the cost of each algorithm. Ctrl-C
    and limits of time end one call, not later ones. Needs NumPy.
    """

    __slots__ = ("_graph", "_native")

    def __init__(self, graph: Graph, native: _varvite.Subgraph) -> None:
        self._graph = graph
        self._native = native

    def __len__(self) -> int:
        return len(self._native)

    @property
    def ids(self) -> numpy.typing.NDArray[numpy.uint32]:
        """The ids of the nodes, ascending.

        Returns
        -------
        numpy.ndarray
            Of type uint32 and shape (len(self),).

        Raises
        ------
        GraphClosedError
        """
        import numpy

        return numpy.asarray(self._native.ids())

    def components(self) -> numpy.typing.NDArray[numpy.uint32]:
        """The weakly connected components: whatever the direction of edges. Runs on all threads.

        Returns
        -------
        numpy.ndarray
            Of type uint32 and shape (len(self),): the smallest id in the component of each node.

        Raises
        ------
        GraphClosedError, OverBudgetError, CancelledError
        """
        import numpy

        return numpy.asarray(self._native.components())

    def strong_components(self) -> numpy.typing.NDArray[numpy.uint32]:
        """The strongly connected components: paths lead from each of their nodes to each other. Runs on one thread.

        Returns
        -------
        numpy.ndarray
            Of type uint32 and shape (len(self),): the smallest id in the component of each node.

        Raises
        ------
        GraphClosedError, OverBudgetError, CancelledError
        """
        import numpy

        return numpy.asarray(self._native.strong_components())

    def distances(self, sources: Iterable[SupportsIndex]) -> numpy.typing.NDArray[numpy.uint32]:
        """The least number of edges from any of some nodes. Runs on all threads.

        Parameters
        ----------
        sources
            Nodes of this part, or their ids.

        Returns
        -------
        numpy.ndarray
            Of type uint32 and shape (len(self),): 2**32 - 1 for a node to which no path leads.

        Raises
        ------
        NoSuchNodeError, ArgumentError
            A source is no node, or no node of this part.
        GraphClosedError, OverBudgetError, CancelledError
        """
        import numpy

        return numpy.asarray(self._native.distances([self._graph._id(source) for source in sources]))

    def dominators(self, roots: Iterable[SupportsIndex]) -> numpy.typing.NDArray[numpy.uint32]:
        """The immediate dominator of each node: the last other node that is on every path from a root. Runs on one thread.

        Parameters
        ----------
        roots
            The nodes at which paths begin, or their ids.

        Returns
        -------
        numpy.ndarray
            Of type uint32 and shape (len(self),): the id of the dominator. The node's own id if it has none, as a root
            and a node that several roots reach by separate paths; 2**32 - 1 if no root reaches the node.

        Raises
        ------
        NoSuchNodeError, ArgumentError
            A root is no node, or no node of this part.
        GraphClosedError, OverBudgetError, CancelledError
        """
        import numpy

        return numpy.asarray(self._native.dominators([self._graph._id(root) for root in roots]))

    def generations(self) -> numpy.typing.NDArray[numpy.uint32]:
        """A topological order: every edge leads to a node of a later generation. Runs on one thread.

        Returns
        -------
        numpy.ndarray
            Of type uint32 and shape (len(self),): the number of the generation, 0 for nodes without in-edges; 2**32 - 1
            for the nodes of cycles, and for those to which a path leads from a cycle.

        Raises
        ------
        GraphClosedError, OverBudgetError, CancelledError
        """
        import numpy

        return numpy.asarray(self._native.generations())

    def core_numbers(self) -> numpy.typing.NDArray[numpy.uint32]:
        """The greatest k for which a node is in a k-core: a part whose nodes all have k edges in it. Runs on one thread.

        Returns
        -------
        numpy.ndarray
            Of type uint32 and shape (len(self),). Edges count whatever their direction.

        Raises
        ------
        GraphClosedError, OverBudgetError, CancelledError
        """
        import numpy

        return numpy.asarray(self._native.core_numbers())

    def communities(self, *, iterations_max: int = 10) -> numpy.typing.NDArray[numpy.uint32]:
        """The communities by label propagation: each node takes the most frequent label around it. Runs on all threads.

        Parameters
        ----------
        iterations_max
            The number of rounds after which the labels stay as they are, if they have not settled before.

        Returns
        -------
        numpy.ndarray
            Of type uint32 and shape (len(self),): the label of the community, the id of a node. Every run gives the same.

        Raises
        ------
        GraphClosedError, OverBudgetError, CancelledError
        """
        import numpy

        return numpy.asarray(self._native.communities(iterations_max))

    def clustering(self) -> numpy.typing.NDArray[numpy.float64]:
        """The share of the possible edges between the neighbours of a node that exist. Runs on all threads.

        Returns
        -------
        numpy.ndarray
            Of type float64 and shape (len(self),), from 0 to 1; 0 for a node with less than two neighbours.

        Raises
        ------
        GraphClosedError, OverBudgetError, CancelledError
        """
        import numpy

        return numpy.asarray(self._native.clustering())

    def page_rank(
        self, *, damping: float = 0.85, iterations_max: int = 100, tolerance: float = 1e-8
    ) -> numpy.typing.NDArray[numpy.float64]:
        """The PageRank of each node. Runs on all threads.

        Parameters
        ----------
        damping
            The share of its rank that a node passes on: from 0 up to but not including 1.
        iterations_max, tolerance
            The iteration ends after so many rounds, or when the sum of the changes is at most the tolerance.

        Returns
        -------
        numpy.ndarray
            Of type float64 and shape (len(self),); the sum is 1.

        Raises
        ------
        ArgumentError
            The damping is out of its range.
        GraphClosedError, OverBudgetError, CancelledError
        """
        import numpy

        return numpy.asarray(self._native.page_rank(damping, iterations_max, tolerance))

    def __repr__(self) -> str:
        return f"<part of {self._graph.path}: {len(self):,} nodes>"

    def __reduce__(self) -> NoReturn:
        raise TypeError("a Subgraph cannot be pickled: pickle its labels, and open it again")
