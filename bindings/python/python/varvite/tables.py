"""The nodes or the edges of a label as tables for Arrow."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, NoReturn

from varvite import _varvite
from varvite.errors import UnknownError
from varvite.keys import Key
from varvite.limits import limits_of
from varvite.pipeline import Pipeline, it
from varvite.rows import Rows

if TYPE_CHECKING:
    from varvite.graph import Graph

# A batch has some hundred kilobytes for each column: enough to read it at full speed, and few enough to stay in cache.
_LIMITS = limits_of(batch_rows=1 << 16)


class NodeTable(Rows):
    """The nodes with a label, with the column `id` and a column for each chosen property.

    Libraries that read Arrow read it by batches, each with the texts that occur in it as a dictionary: `pl.DataFrame(
    table)`, `pyarrow.table(table)`, `duckdb.sql("from table")`. Each reader gets a stream of its own, which decodes
    whole columns. A loop gives the rows as dictionaries, as of a pipeline.
    """

    __slots__ = ("_compile", "_table")

    def __init__(
        self, graph: Graph, label: str | None, columns: Sequence[str], compile: Callable[[], _varvite.Plan]
    ) -> None:
        self._table = _varvite.node_table(graph._native, label, list(columns))
        self._compile = compile
        super().__init__(graph, None, _LIMITS)

    @property
    def columns(self) -> list[str]:
        """The names of the columns."""
        return self._table.columns

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        return self._table.stream(self._limits)

    def __repr__(self) -> str:
        return f"<table of nodes: {', '.join(self.columns)}>"

    @property
    def _plan(self) -> _varvite.Plan:
        if self._compiled is None:
            self._compiled = self._compile()
        return self._compiled


class EdgeTable:
    """The edges of a label, with the columns `source` and `target`, both uint32, and the properties of the edges.

    The number of the row is the edge's rank. If edges were changed since the columns were written, the column `rank`
    has it instead. Each reader gets a stream of its own, which reads the edges by batches.
    """

    __slots__ = ("_graph", "_label", "_table")

    def __init__(self, graph: Graph, label: str, columns: Sequence[str] | None = None) -> None:
        self._graph = graph
        self._label = label
        self._table = _varvite.edge_table(graph._native, label, None if columns is None else list(columns))

    @property
    def columns(self) -> list[str]:
        """The names of the columns."""
        return self._table.columns

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        return self._table.stream(_LIMITS)

    def __repr__(self) -> str:
        return f"<edges {self._label} of {self._graph.path}>"

    def _repr_html_(self) -> str:
        from varvite.notebook import of_rows

        ends = [Key.first(it().source()).named("source"), Key.first(it().target()).named("target")]
        names = [name for name in self.columns if name not in ("source", "target", "rank")]
        return of_rows(self._graph.pipeline().edges(self._label).columns(*ends, *names).run())

    def __reduce__(self) -> NoReturn:
        raise TypeError("a table of edges cannot be pickled: pickle a pyarrow.table of it")


def node_table(graph: Graph, label: str | None, columns: Sequence[str] | None) -> NodeTable:
    """The table of `Graph.table`."""
    nodes = graph.pipeline().nodes(*([] if label is None else [label]))
    if columns is None:
        columns = [name for name in graph._node_properties() if is_used(nodes, name)]
    names = list(columns)
    lists = {name for name, edge_label, _, is_list, *_ in graph.properties if edge_label is None and is_list}

    def key(name: str) -> Key:
        return Key.list(it().values(name)).named(name) if name in lists else Key.property(name)

    def compile() -> _varvite.Plan:
        keys = [Key.itself().named("id"), *(key(name) for name in names)]
        return _varvite.compile(graph._native, nodes.columns(*keys).to_json(), limits_of(), [])

    return NodeTable(graph, label, names, compile)


def is_used(nodes: Pipeline, name: str) -> bool:
    """Whether any of the nodes has the property: the engine refuses to compile the question if none has."""
    try:
        nodes.has_any(name).run()
    except UnknownError:
        return False
    return True
