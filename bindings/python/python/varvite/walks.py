"""Walks: traversals with an order, a rule for repeated visits, and conditions on branches."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple, NoReturn

from varvite import _varvite
from varvite.node import Node
from varvite.rows import Limits

if TYPE_CHECKING:
    from varvite.graph import Graph


class Way(NamedTuple):
    """The last edge of a branch: its label, and whether the walk followed it from its source."""

    label: str
    is_out: bool


class Visit(NamedTuple):
    """A result of a walk: the node, the node before it, the number of edges to it, the last edge, and the cost."""

    node: Node
    parent: Node | None
    depth: int
    way: Way | None
    cost: float


class Visits:
    """The results of a walk. Each loop over them walks anew."""

    __slots__ = ("_graph", "_limits", "_starts", "_walk")

    _CHUNK = 1024

    def __init__(self, graph: Graph, walk: str, starts: Sequence[int], limits: Limits) -> None:
        self._graph = graph
        self._walk = walk
        self._starts = list(starts)
        self._limits = limits

    def __iter__(self) -> Iterator[Visit]:
        graph, walk = self._graph, self._begun()
        while visits := walk.next(self._CHUNK):
            for node, parent, depth, way, cost in visits:
                before = None if parent is None else Node(graph, parent)
                yield Visit(Node(graph, node), before, depth, None if way is None else Way(*way), cost)

    def paths(self) -> Iterator[list[Node]]:
        """The path to each result, from its start.

        Raises
        ------
        GraphClosedError, PlanError, UnknownError, NoSuchNodeError, OverBudgetError, CancelledError
        """
        graph, walk = self._graph, self._begun()
        while paths := walk.paths():
            for path in paths:
                yield [Node(graph, node) for node in path]

    def __repr__(self) -> str:
        return f"<walk from {len(self._starts)} nodes of {self._graph.path}>"

    def __reduce__(self) -> NoReturn:
        raise TypeError("a walk cannot be pickled: pickle its description and its starts")

    def _begun(self) -> _varvite.Walk:
        return _varvite.begin_walk(self._graph._native, self._walk, self._starts, self._limits)
