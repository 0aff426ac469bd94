"""The rows of a query."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NoReturn

from varvite import _varvite
from varvite.node import Edge, Node

if TYPE_CHECKING:
    from varvite.graph import Graph

Limits = Mapping[str, Any]


class Rows:
    """The rows of a query, computed each time that they are read.

    A row is a `Node`, an `Edge`, a value, or, for rows of columns, a `dict` by the names of columns. Rows can be read in
    a loop, or as an Arrow stream: `pl.DataFrame(rows)`, `pyarrow.table(rows)`, and `duckdb.sql("from rows")` read
    them without a copy. Each of these runs the query anew, so that two readers do not disturb each other.
    """

    __slots__ = ("_compiled", "_dictionaries", "_graph", "_limits")

    def __init__(
        self, graph: Graph, plan: _varvite.Plan | None, limits: Limits, dictionaries: bool = False
    ) -> None:
        self._graph = graph
        self._compiled = plan
        self._limits = limits
        self._dictionaries = dictionaries

    @classmethod
    def of_plan(
        cls,
        graph: Graph,
        plan: str,
        limits: Limits,
        values: Sequence[tuple[str, str]] = (),
        dictionaries: bool = False,
    ) -> Rows:
        """The rows of a plan in the form of JSON. Programs call `Graph.query`.

        Parameters
        ----------
        graph, plan, limits
            The graph, the plan and the limits of each run.
        values
            The values of the plan's parameters, in the form of texts.
        dictionaries
            Whether texts of Arrow streams are codes into a dictionary of each batch.
        """
        return cls(graph, _varvite.compile(graph._native, plan, limits, list(values)), limits, dictionaries)

    @property
    def columns(self) -> list[str]:
        """The names of the columns."""
        return [name for name, _, _, _ in self._plan.columns]

    def __iter__(self) -> Iterator[Any]:
        run = self._plan.run(self._limits)
        while (batch := run.next()) is not None:
            yield from self._shown(batch)

    def to_list(self) -> list[Any]:
        """All rows."""
        return list(self)

    def first(self) -> Any:
        """The first row, or `None`."""
        return next(iter(self), None)

    def explain(self) -> str:
        """The operators that the engine chose, with the number of rows that it expects of each."""
        return self._plan.explain()

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        return self._plan.stream(self._limits, self._dictionaries)

    def __repr__(self) -> str:
        return f"<rows of {self._plan.row_kind}: {', '.join(self.columns)}>"

    def _repr_html_(self) -> str:
        from varvite.notebook import of_rows

        return of_rows(self)

    def __reduce__(self) -> NoReturn:
        raise TypeError("rows cannot be pickled: pickle the plan (Pipeline.to_json), or a list of the rows")

    @property
    def _plan(self) -> _varvite.Plan:
        """The plan, which a table compiles only if its rows are read one by one."""
        assert self._compiled is not None
        return self._compiled

    def _shown(self, batch: list[Any]) -> Iterator[Any]:
        graph, kind = self._graph, self._plan.row_kind
        if kind == "nodes":
            return (Node(graph, id) for id in batch)
        if kind == "edges":
            return (edge_of(graph, edge) for edge in batch)
        columns = [(name, shown(graph, kind)) for name, kind, _, _ in self._plan.columns]
        if kind == "values":
            return map(columns[0][1], batch)
        return ({name: show(cell) for (name, show), cell in zip(columns, row)} for row in batch)


def edge_of(graph: Graph, edge: tuple[str, int, int, int | None]) -> Edge:
    """The edge with handles of its nodes."""
    label, source, target, rank = edge
    return Edge(label, Node(graph, source), Node(graph, target), rank)


def shown(graph: Graph, kind: str) -> Any:
    """The function that turns a cell of a kind into the object that users see."""
    if kind not in ("node", "edge", "element"):
        return lambda cell: cell

    def show(cell: Any) -> Any:
        if isinstance(cell, list):
            return [show(item) for item in cell]
        if isinstance(cell, tuple):
            return edge_of(graph, cell)
        return None if cell is None else Node(graph, cell)

    return show
