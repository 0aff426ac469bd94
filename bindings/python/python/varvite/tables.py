"""Parts of a graph as tables for Arrow."""

from __future__ import annotations

from typing import NoReturn

from varvite import _varvite


class EdgeTable:
    """The edges of a label, with the columns `source` and `target`, both uint32.

    The row is the edge's rank. If edges were changed since the columns were written, the column `rank` has it instead.
    Each reader gets a stream of its own, which makes one copy of the edges.
    """

    __slots__ = ("_label", "_native")

    def __init__(self, native: _varvite.Graph, label: str) -> None:
        self._native = native
        self._label = label

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        return self._native.edge_stream(self._label)

    def __repr__(self) -> str:
        return f"<edges {self._label} of {self._native.path}>"

    def __reduce__(self) -> NoReturn:
        raise TypeError("a table of edges cannot be pickled: pickle a pyarrow.table of it")
