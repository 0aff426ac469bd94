"""The rows of one file: a table by its name, or the rows of a query."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple, Union

import pyarrow

import varvite
from varvite.relational.conditions import Condition, Unknown
from varvite.relational.tables import EdgeTable, Table, names_of, table_of
from varvite.rows import Rows
from varvite.spark.columns import Columns, SchemaError, is_reserved, plain
from varvite.spark.options import ReadOptions, nearest

Range = tuple[int, int]

NODE_IDS = ("id",)
EDGE_IDS = ("source", "target")
"""The columns of a table of nodes or of edges that have ids of all files. Properties may have these names too."""

Source = Union[Table, Rows, pyarrow.RecordBatch]


class Content(NamedTuple):
    """What a file has for a read: the columns in the types of Spark, which of them have ids of nodes, and the rows."""

    columns: Columns
    ids: frozenset[str]
    source: Source

    @property
    def is_divisible(self) -> bool:
        """Whether the rows can be read by ranges of nodes."""
        return isinstance(self.source, Table) and self.source.is_divisible


class NoSuchTable(LookupError):
    """A file has no table of this name."""


def content_of(graph: varvite.Graph, options: ReadOptions) -> Content:
    """The content of a graph for a read.

    Raises
    ------
    NoSuchTable
        The graph has no such table; the message has the nearest.
    varvite.Error
        The query does not fit the graph.
    """
    if options.is_query:
        return of_answer(answer_of(graph, options))
    table = named_table(graph, options.table)
    ids = {*own_ids(table), *(name for name, column in table.columns.items() if column.type == "ref")}
    columns = spark_columns(table.schema, ids)
    readable = {name: data_type for name, data_type in columns.items() if not is_reserved(name)}
    return Content(readable, frozenset(ids), table)


def named_table(graph: varvite.Graph, name: str) -> Table:
    """The table of a name. Raises `NoSuchTable` with the nearest name."""
    table = table_of(graph, name)
    if table is None:
        names = names_of(graph)
        layers = [f"layer:{name[6:]}" for name in names if name.startswith("layer_")]
        known = nearest(name, [*names, *layers, "plan", "ask"])
        raise NoSuchTable(f'there is no table "{name}"; the nearest is "{known}"')
    return table


def own_ids(table: Table) -> tuple[str, ...]:
    """The columns with the ids of the rows themselves, or of their ends."""
    return EDGE_IDS if isinstance(table, EdgeTable) else NODE_IDS


def answer_of(graph: varvite.Graph, options: ReadOptions) -> Any:
    """The rows or the value of the query."""
    query = options.query or ""
    if options.table == "ask":
        return graph.ask(query, memory=options.memory, seconds=options.seconds)
    if not query.lstrip().startswith("{"):
        with open(query, encoding="utf-8") as file:
            query = file.read()
    return graph.query(query, options.parameters, memory=options.memory, seconds=options.seconds)


def of_answer(answer: Any) -> Content:
    """The content of an answer: the columns of rows, or one row with a value."""
    if not isinstance(answer, Rows):
        return of_value(answer)
    kinds = {name: kind for name, kind, _, _ in answer._plan.columns}
    edges = [name for name, kind in kinds.items() if kind in ("edge", "element")]
    if edges:
        raise SchemaError(f"the column {edges[0]} has edges or paths: end the query with their nodes or properties")
    schema = pyarrow.RecordBatchReader.from_stream(answer).schema
    reserved = [name for name in schema.names if is_reserved(name)]
    if reserved:
        raise SchemaError(f"the query has a column {reserved[0]}, and each read has its own: give it another name")
    if len(set(schema.names)) < len(schema.names):
        raise SchemaError(f"the query has two columns of one name: {', '.join(schema.names)}")
    ids = {name for name, kind in kinds.items() if kind == "node"}
    return Content(spark_columns(schema, ids), frozenset(ids), answer)


def of_value(answer: Any) -> Content:
    """The content of an answer that is one value, or a tuple of values."""
    named = {f"_{place}": value for place, value in enumerate(answer, 1)} if isinstance(answer, tuple) else None
    values = {"value": answer} if named is None else named
    if any(isinstance(value, Rows) for value in values.values()):
        raise SchemaError("the answer is a tuple of rows: ask for them one by one")
    ids = {name for name, value in values.items() if isinstance(value, varvite.Node)}
    cells = {name: [value.id if isinstance(value, varvite.Node) else value] for name, value in values.items()}
    batch = pyarrow.RecordBatch.from_pydict(cells)
    return Content(spark_columns(batch.schema, ids), frozenset(ids), batch)


def spark_columns(schema: pyarrow.Schema, ids: set[str]) -> Columns:
    """The columns in the types of Spark. Ids of nodes are 64-bit, with the number of the file."""
    columns = {field.name: plain(field.type) for field in schema}
    for name in ids:
        is_list = pyarrow.types.is_list(columns[name])
        columns[name] = pyarrow.list_(pyarrow.int64()) if is_list else pyarrow.int64()
    return columns


def batches(content: Content, names: Sequence[str], condition: Condition, nodes: Range | None) -> Iterator[Any]:
    """The batches of the rows with these columns, and maybe more: all rows, or those of a range of nodes."""
    source = content.source
    if isinstance(source, pyarrow.RecordBatch):
        yield source
    elif isinstance(source, Rows):
        yield from pyarrow.RecordBatchReader.from_stream(source)
    elif nodes is None or not isinstance(condition, Unknown):
        yield from pyarrow.RecordBatchReader.from_stream(source.stream(names, condition))
    else:
        for label, part in source.parts(names, nodes):
            for batch in pyarrow.RecordBatchReader.from_stream(part):
                yield batch if label is None else labelled(batch, label)


def labelled(batch: Any, label: str) -> Any:
    """The batch with a column that has one label in all rows."""
    return batch.append_column("label", pyarrow.repeat(pyarrow.scalar(label), batch.num_rows))
