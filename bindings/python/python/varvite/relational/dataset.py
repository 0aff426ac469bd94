"""Tables of a graph as datasets of pyarrow, which DuckDB and pyarrow read with columns and filters pushed down."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, NoReturn

import pyarrow
import pyarrow.dataset

from varvite.relational.arrow_filters import Filter, read_filter
from varvite.relational.conditions import Unknown
from varvite.relational.tables import Table, table_of, unknown_table

if TYPE_CHECKING:
    from varvite.graph import Graph

REST = "pass columns and filter to scanner or to_table, or make a pyarrow.table first"


class GraphDataset(pyarrow.dataset.InMemoryDataset):  # type: ignore[misc]
    """A table of a graph as a dataset of pyarrow.

    Each scan reads the columns that its result and its filter need, and the nodes or edges that the steps of the filter
    keep; pyarrow then applies the whole filter. A dataset may be scanned any number of times, also by two at once.
    """

    def __init__(self, table: Table, name: str) -> None:
        self._table = table
        self._name = name
        # The base has no rows. Its methods that do not use `scanner` are refused below.
        super().__init__(table.schema.empty_table())

    def scanner(
        self, columns: Sequence[str] | dict[str, Any] | None = None, filter: Any = None, **options: Any
    ) -> pyarrow.dataset.Scanner:
        """A scan of these columns, or of all, of the rows that pass the filter."""
        wanted = read_filter(filter) if filter is not None else Filter(Unknown(), set())
        names = self._needed(columns, wanted.columns)
        reader = pyarrow.RecordBatchReader.from_stream(self._table.stream(names, wanted.condition))
        if columns is None:
            columns = list(self._table.columns)
        return pyarrow.dataset.Scanner.from_batches(reader, columns=columns, filter=filter, **options)

    def _needed(self, columns: Sequence[str] | dict[str, Any] | None, of_filter: set[str] | None) -> list[str]:
        """The columns that a scan reads, in the order of the table; all if the columns of its filter are not known."""
        if columns is None or of_filter is None or isinstance(columns, dict):
            return list(self._table.columns)
        needed = {*columns, *of_filter}
        return [name for name in self._table.columns if name in needed] or list(self._table.columns)[:1]

    def get_fragments(self, filter: Any = None) -> Iterator[Any]:
        """Refused: a table of a graph has no fragments."""
        raise NotImplementedError(f"a table of a graph has no fragments: {REST}")

    def filter(self, expression: Any) -> NoReturn:
        """Refused: pass the filter to a scan."""
        raise NotImplementedError(f"a table of a graph takes filters when it is scanned: {REST}")

    def replace_schema(self, schema: Any) -> NoReturn:
        """Refused: the columns are those of the graph."""
        raise NotImplementedError(f"a table of a graph has the columns of the graph: {REST}")

    def __reduce__(self) -> NoReturn:
        raise TypeError("a table of a graph cannot be pickled: pickle a pyarrow.table of it")

    def __repr__(self) -> str:
        return f"<table {self._name} of {self._table.graph.path}: {', '.join(self._table.columns)}>"


def dataset(graph: Graph, name: str) -> GraphDataset:
    """The table of a name as a dataset."""
    found = dataset_of(graph, name)
    if found is None:
        raise unknown_table(graph, name)
    return found


def dataset_of(graph: Graph, name: str) -> GraphDataset | None:
    """The table of a name as a dataset, `None` if the graph has no such table."""
    table = table_of(graph, name)
    return None if table is None else GraphDataset(table, name)
