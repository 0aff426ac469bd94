"""The nodes with a label, as a sequence that is read when it is used."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from varvite import _varvite
from varvite.node import Node

if TYPE_CHECKING:
    from varvite.graph import Graph


class Nodes:
    """The nodes with a label, ascending by id, as a sequence that is read when it is used."""

    __slots__ = ("_graph", "_label", "_length")

    _CHUNK = 4096

    def __init__(self, graph: Graph, label: str | None) -> None:
        self._graph = graph
        self._label = label
        self._length = graph.node_count if label is None else graph._native.label_count(label)

    @property
    def ids(self) -> _varvite.Array:
        """The ids of the nodes, ascending.

        Returns
        -------
        Array
            Of shape (len(self),); `numpy.asarray` shows it as uint32. Each use makes it anew.

        Raises
        ------
        GraphClosedError
        """
        return self._graph._native.ids(self._label)

    def __len__(self) -> int:
        return self._length

    def __iter__(self) -> Iterator[Node]:
        graph, start = self._graph, 0
        while ids := graph._native.ids_from(self._label, start, self._CHUNK):
            yield from (Node(graph, id) for id in ids)
            start = ids[-1] + 1

    def __repr__(self) -> str:
        return f"<{len(self):,} nodes{'' if self._label is None else ' ' + self._label} of {self._graph.path}>"


__all__ = ["Nodes"]
