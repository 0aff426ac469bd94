"""Queries in SQL, which DuckDB runs."""

from __future__ import annotations

import functools
import os
import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from varvite.relational.dataset import dataset_of
from varvite.relational.tables import unknown_table

if TYPE_CHECKING:
    import duckdb

    from varvite.graph import Graph


def run(
    graph: Graph, query: str, connection: duckdb.DuckDBPyConnection | None, parameters: Any
) -> duckdb.DuckDBPyRelation:
    """The relation of a query about a graph."""
    import duckdb

    connection = own_connection(graph) if connection is None else connection
    tables = {name: dataset for name in words(query) if (dataset := dataset_of(graph, name)) is not None}
    # DuckDB looks for names that its catalog lacks among the local variables of the caller, which are the tables here.
    # The call has no variables of its own, and nothing stays in the connection.
    call = functools.partial(connection.sql, query, params=parameters)
    try:
        relation: duckdb.DuckDBPyRelation = eval("call()", {"call": call}, tables)
        return relation
    except duckdb.CatalogException as error:
        missing = re.search("Table with name (.+) does not exist", str(error))
        if missing is None:
            raise
        raise unknown_table(graph, missing[1]) from error


def own_connection(graph: Graph) -> duckdb.DuckDBPyConnection:
    """A new connection to the database in memory that the graph keeps. A forked process has a database of its own."""
    import duckdb

    process = os.getpid()
    if graph._database is None or graph._database[0] != process:
        graph._database = process, duckdb.connect()
    return graph._database[1].cursor()


def words(query: str) -> set[str]:
    """The words of a query that may be names of tables, without constants and comments."""
    import duckdb

    return {word.strip().strip('"').replace('""', '"') for word in tokens(query, duckdb.tokenize(query))}


def tokens(query: str, places: list[tuple[int, Any]]) -> Iterator[str]:
    """The identifiers and keywords of a query; some are names in DuckDB. Their places count bytes."""
    text = query.encode()
    ends = [*(start for start, _ in places[1:]), len(text)]
    for (start, kind), end in zip(places, ends):
        if kind.name in ("identifier", "keyword"):
            yield text[start:end].decode()
