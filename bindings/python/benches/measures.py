"""The measures of `make bench-python`. A module with a function `measures(files)` in `MODULES` of `run.py` adds more."""

from __future__ import annotations

import pathlib
from typing import Any, NamedTuple

import duckdb
import numpy
import polars
import pyarrow
import pyarrow.parquet
import scipy.sparse

import varvite
from fresh import fresh, literal
from record import Measure

FIVE = ["NAME", "FULL_NAME", "FILENAME", "LINE_NUMBER", "LINE_NUMBER_END"]
NAME = "memcpy"


class Files(NamedTuple):
    """The same graph in the files of all sides."""

    direct: pathlib.Path
    compact: pathlib.Path
    folder: pathlib.Path
    source: pathlib.Path
    """The graph of Joern."""
    joern: list[str]
    """The command of Joern's shell; empty without it."""

    def parquet(self, table: str) -> pathlib.Path:
        """A table of the graph as Parquet."""
        return self.folder / f"{table}.parquet"


def prepare(source: pathlib.Path, folder: pathlib.Path, joern: list[str]) -> Files:
    """Imports the graph, and writes the peers' files of it."""
    files = Files(folder / "direct.varvite", folder / "compact.varvite", folder, source, joern)
    for path, profile in [(files.direct, "direct"), (files.compact, "compact")]:
        varvite.import_(source, path, profile=profile, replace=True, progress=False)  # type: ignore[arg-type]
        varvite.index(path, add=["NAME"])
    with varvite.open(files.direct) as graph:
        for table in ["METHOD", "CALL", "nodes", "edges_CALL"]:
            pyarrow.parquet.write_table(graph.dataset(table).to_table(), files.parquet(table))
        scipy.sparse.save_npz(folder / "CALL.npz", graph.csr("CALL"), compressed=False)
    return files


def measures(files: Files) -> list[Measure]:
    """All measures of this module."""
    graph, small = varvite.open(files.direct), varvite.open(files.compact)
    return [*first_use(files), *edges(graph, small), *tables(graph, files), *filters(graph, files)]


OPEN = {
    "Varvite": 'graph = varvite.open({direct}); first = next(graph.walk({walk}, [{start}]).__iter__())',
    "NetworkX": "matrix = scipy.sparse.load_npz({npz}); "
    "graph = networkx.from_scipy_sparse_array(matrix, create_using=networkx.DiGraph); "
    "first = next(graph.successors({start}))",
    "igraph": "edges = scipy.sparse.load_npz({npz}).tocoo(); "
    "graph = igraph.Graph(edges.shape[0], numpy.column_stack([edges.row, edges.col]), directed=True); "
    "first = graph.successors({start})[0]",
}
IMPORTS = {
    "Varvite": "import varvite",
    "NetworkX": "import networkx, scipy.sparse",
    "igraph": "import igraph, numpy, scipy.sparse",
    "Polars": "import polars",
}


def first_use(files: Files) -> list[Measure]:
    """Importing the package, and opening a graph up to the first answer: a target of a CALL."""
    with varvite.open(files.direct) as graph:
        start = next(call.id for call in graph.nodes("CALL") if call.out.CALL)
    walk = '{"version": 1, "hops": [{"direction": "out", "edge_labels": ["CALL"]}]}'
    names = {"direct": literal(files.direct), "npz": literal(files.folder / "CALL.npz")}
    codes = {side: code.format(**names, walk=literal(walk), start=start) for side, code in OPEN.items()}

    def sample(side: str, index: int) -> Any:
        return lambda: fresh(codes[side], IMPORTS[side])[index]

    imports = {side: (lambda code: lambda: fresh(code)[0])(IMPORTS[side]) for side in ("Varvite", "NetworkX", "Polars")}
    times, memory = ({side: sample(side, index) for side in OPEN} for index in (0, 1))
    return [
        Measure("import", "`import`, new interpreter", imports, is_timed=False, samples=7),
        Measure("open", "open to first answer, CALL edges", times, is_timed=False, samples=5),
        Measure("memory_open", "memory of it", memory, "bytes", is_timed=False, samples=5),
    ]


def edges(graph: varvite.Graph, small: varvite.Graph) -> list[Measure]:
    """The edges of a label as arrays: a view of a direct file, a decoded column of a compact file."""
    count = f"{graph.edge_labels['CALL']:,} CALL edges"
    copy = numpy.array(graph.csr_arrays("CALL")[1])
    arrays = {
        "Varvite": lambda: numpy.asarray(graph.csr_arrays("CALL")[1]),
        "Varvite, compact": lambda: numpy.asarray(small.csr_arrays("CALL")[1]),
        "copy by NumPy": copy.copy,
    }
    arrow = {"Varvite": lambda: pyarrow.table(graph.edge_table("CALL"))}
    return [
        Measure("edges_numpy", f"{count} as CSR arrays of NumPy", arrays),
        Measure("edges_arrow", f"{count} as a table of Arrow", arrow),
    ]


def tables(graph: varvite.Graph, files: Files) -> list[Measure]:
    """Five columns of tables in Polars and in DuckDB, from the graph and from Parquet."""
    return [measure for label in ("METHOD", "CALL") for measure in table(graph, files, label)]


def table(graph: varvite.Graph, files: Files, label: str) -> list[Measure]:
    """Five columns of the nodes with a label."""
    known = graph.dataset(label).schema.names
    columns = [name for name in [*FIVE, "CODE", "ORDER"] if name in known][:5]
    rows, path = f"{len(graph.nodes(label)):,} {label} rows", files.parquet(label)
    connection = duckdb.connect()
    return [
        Measure(f"polars_{label}", f"{rows} of 5 columns to Polars", {
            "Varvite": lambda: polars.DataFrame(graph.table(label, columns)),
            "Parquet": lambda: polars.read_parquet(path, columns=["id", *columns]),
        }),
        Measure(f"duckdb_{label}", f"{rows} of 5 columns in DuckDB: different values of each", {
            "Varvite": lambda: graph.sql(counted(columns, f'"{label}"')).fetchall(),
            "Parquet": lambda: connection.cursor().sql(counted(columns, f"'{path}'")).fetchall(),
        }),
    ]  # fmt: skip


def counted(columns: list[str], table: str) -> str:
    """A query that reads every cell of the columns."""
    cells = ", ".join(f'count(distinct "{name}")' for name in columns)
    return f"select {cells} from {table}"


def filters(graph: varvite.Graph, files: Files) -> list[Measure]:
    """Questions that an index or the lists of edges of a graph answer."""
    where = f"where label = 'CALL' and NAME = '{NAME}'"
    target = int(numpy.bincount(numpy.asarray(graph.csr_arrays("CALL")[1])).argmax())
    nodes, calls, connection = files.parquet("nodes"), files.parquet("edges_CALL"), duckdb.connect()
    condition = (polars.col("label") == "CALL") & (polars.col("NAME") == NAME)
    return [
        Measure("filter_sql", f"SQL: id, CODE of all nodes {where}", {
            "Varvite": lambda: graph.sql(f"select id, CODE from nodes {where}").fetchall(),
            "Parquet": lambda: connection.cursor().sql(f"select id, CODE from '{nodes}' {where}").fetchall(),
        }),
        Measure("filter_polars", "the same by a lazy frame of Polars", {
            "Varvite": lambda: graph.scan("nodes").filter(condition).select("id", "CODE").collect(),
            "Parquet": lambda: polars.scan_parquet(nodes).filter(condition).select("id", "CODE").collect(),
        }),
        Measure("filter_edges", "SQL: sources of the CALL edges to one METHOD", {
            "Varvite": lambda: graph.sql(f"select source from edges_CALL where target = {target}").fetchall(),
            "Parquet": lambda: connection.cursor().sql(f"select source from '{calls}' where target = {target}").fetchall(),
        }),
    ]  # fmt: skip
