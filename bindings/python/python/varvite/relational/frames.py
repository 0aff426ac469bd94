"""Tables of a graph as lazy frames of Polars."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import polars
import pyarrow
from polars.io.plugins import register_io_source

from varvite.relational.conditions import Unknown
from varvite.relational.polars_filters import read_filter
from varvite.relational.tables import Table, table_of, unknown_table

if TYPE_CHECKING:
    from varvite.graph import Graph


def scan(graph: Graph, name: str) -> polars.LazyFrame:
    """The table of a name as a lazy frame."""
    table = table_of(graph, name)
    if table is None:
        raise unknown_table(graph, name)
    found: Table = table

    def source(
        columns: list[str] | None, predicate: polars.Expr | None, row_limit: int | None, batch_rows: int | None
    ) -> Iterator[polars.DataFrame]:
        return frames(found, columns or list(found.columns), predicate, row_limit)

    return register_io_source(source, schema=schema_of(table))


def frames(
    table: Table, columns: list[str], predicate: polars.Expr | None, row_limit: int | None
) -> Iterator[polars.DataFrame]:
    """The rows that pass the predicate, at most `row_limit`, by batch."""
    condition = Unknown() if predicate is None else read_filter(predicate)
    of_filter = set() if predicate is None else set(predicate.meta.root_names())
    names = [name for name in table.columns if name in {*columns, *of_filter}]
    left = float("inf") if row_limit is None else row_limit
    for frame in batches(table.rows(names, condition, dictionaries=False)):
        passed = frame if predicate is None else frame.filter(predicate)
        passed = passed.select(columns)
        yield passed if len(passed) <= left else passed.head(int(left))
        left -= len(passed)
        if left <= 0:
            return


def batches(rows: object) -> Iterator[polars.DataFrame]:
    """The batches of an Arrow stream. Polars alone would read the whole stream at once."""
    for batch in pyarrow.RecordBatchReader.from_stream(rows):
        frame = polars.from_arrow(batch)
        assert isinstance(frame, polars.DataFrame)
        yield frame


def schema_of(table: Table) -> polars.Schema:
    """The names and types of a table's columns."""
    reader = pyarrow.RecordBatchReader.from_stream(table.rows(list(table.columns), dictionaries=False))
    frame = polars.from_arrow(reader.schema.empty_table())
    assert isinstance(frame, polars.DataFrame)
    return frame.schema
