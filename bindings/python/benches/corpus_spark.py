"""Graph files in Spark: nodes through its Python workers, components across files, and one and two executors."""

from __future__ import annotations

import pathlib
import tempfile
import time
from collections.abc import Iterable
from typing import Any

import networkx
import numpy
import pyarrow
from pyspark.sql import DataFrame, SparkSession

import commands
import sessions
import varvite
import varvite.spark
from cluster import Cluster, session
from corpus_files import Corpus, Tools
from record import Measure, row
from varvite.spark.files import list_files

COLUMNS = ["id", "label", "NAME", "CODE", "LINE_NUMBER"]
LABELS = ["CALL", "CONTAINS"]
"""The edges within files that components follow: from a METHOD to its CALLs, and on to the METHODs that they call."""
EDGE_BYTES = 16
"""An edge as two ids of all files."""

Links = list[tuple[int, int]]


def nodes(large: Corpus, spark: SparkSession, samples: int) -> tuple[dict[str, Any], int]:
    """The times to read nodes from graph files and from Parquet of the same, and the number of nodes."""
    parquet = str(large.folder / "nodes.parquet")
    nodes_of(spark, large).write.parquet(parquet)
    count = spark.read.parquet(parquet).count()
    if count != large.facts["nodes"]:
        raise RuntimeError(f"Spark reads {count} nodes of {large.facts['nodes']}")
    sides = {
        "Varvite": lambda: drop(nodes_of(spark, large)),
        "Spark, Parquet": lambda: drop(spark.read.parquet(parquet).select(*COLUMNS)),
    }
    title = f"{count:,} nodes of {large.facts['files']} graphs in Spark, {len(COLUMNS)} columns"
    return row(Measure("nodes", title, sides), samples), count


def nodes_of(spark: SparkSession, corpus: Corpus) -> DataFrame:
    """The nodes of all graphs, read by Spark's Python workers."""
    return nodes_in(spark, corpus.graphs)


def nodes_in(spark: SparkSession, path: pathlib.Path) -> DataFrame:
    """The nodes of a graph, or of all graphs in a folder."""
    return spark.read.format("varvite").options(table="nodes", columns=",".join(COLUMNS)).load(str(path))


def drop(frame: DataFrame) -> None:
    """Reads each row and column of a frame."""
    frame.write.format("noop").mode("overwrite").save()


def components(tools: Tools, linked: Corpus) -> tuple[dict[str, Any], dict[str, Any]]:
    """The times of components over calls across files in Spark and in NetworkX, and what went between tasks.

    Raises
    ------
    RuntimeError
        Both do not find the same components.
    """
    links = links_of(tools, linked)
    with tempfile.TemporaryDirectory(dir=linked.folder) as events:
        with sessions.local(linked.folder, pathlib.Path(events)) as spark:
            # The first job starts the workers of Python. It sends nothing between tasks.
            drop(nodes_in(spark, linked.paths()[0]))
            start = time.perf_counter_ns()
            frame = spark.createDataFrame(links, "source long, target long")
            found = varvite.spark.components(spark, str(linked.graphs), *LABELS, links=frame).toArrow()
            ours = time.perf_counter_ns() - start
        sent = sessions.sent_bytes(pathlib.Path(events))
    start = time.perf_counter_ns()
    network = network_of(linked, links)
    expected = dict(least_nodes(networkx.weakly_connected_components(network)))
    theirs = time.perf_counter_ns() - start
    ids, least = (found.column(name).to_pylist() for name in ("id", "component"))
    if len(ids) != len(expected) or dict(zip(ids, least)) != expected:
        raise RuntimeError("Spark and NetworkX find other components")
    files = linked.facts["files"]
    title = f"components of {len(ids):,} nodes in {files:,} graphs, {len(links):,} calls across files"
    facts = {
        "edge_bytes": EDGE_BYTES * linked.facts["edges"],
        "files": files,
        "followed_bytes": EDGE_BYTES * network.number_of_edges(),
        "links": len(links),
        "sent_bytes": sent,
    }
    sides = {"Varvite": [ours], "NetworkX": [theirs]}
    return {"name": "components", "sides": sides, "title": title, "unit": "ns"}, facts


def links_of(tools: Tools, linked: Corpus) -> Links:
    """The calls across files that the index of the corpus links, as ids of all files."""
    path = linked.folder / "index.varvite"
    commands.run([tools.varvite, "corpus", "index", linked.graphs, "-o", path], linked.folder / "out")
    numbers = {file.path: file.number for file in list_files([str(linked.graphs)])}
    with varvite.open(path) as index:
        methods = pyarrow.table(index.table("METHOD", ["GRAPH", "NODE"])).to_pylist()
        ids = {method["id"]: (numbers[method["GRAPH"]] << 32) + method["NODE"] for method in methods}
        sources, targets = (column.to_pylist() for column in pyarrow.table(index.edge_table("LINKS")).columns[:2])
    return [(ids[source], ids[target]) for source, target in zip(sources, targets)]


def network_of(linked: Corpus, links: Links) -> Any:
    """The edges of all graphs and between them, for NetworkX."""
    network = networkx.MultiDiGraph(links)
    for file in list_files([str(linked.graphs)]):
        first = file.number << 32
        with varvite.open(file.path) as graph:
            labels = [label for label in LABELS if label in graph.edge_labels]
            network.add_nodes_from((first + numpy.asarray(graph.subgraph(*labels).ids, numpy.int64)).tolist())
            for label in labels:
                sources, targets = (
                    (first + column.to_numpy().astype(numpy.int64)).tolist()
                    for column in pyarrow.table(graph.edge_table(label)).columns[:2]
                )
                network.add_edges_from(zip(sources, targets))
    return network


def least_nodes(parts: Iterable[set[int]]) -> Iterable[tuple[int, int]]:
    """Each node with the least node of its component."""
    for part in parts:
        least = min(part)
        for node in part:
            yield node, least


def executors(large: Corpus, samples: int) -> list[dict[str, Any]]:
    """The times to read nodes with one and with two executors, each with one core, and their processor time."""
    times: dict[str, list[int]] = {}
    spent: dict[str, list[int]] = {}
    even: dict[str, list[int]] = {"busier": [], "less busy": []}
    for count, side in ((1, "one executor"), (2, "two executors")):
        folder = pathlib.Path(tempfile.mkdtemp(dir=large.folder))
        cluster = Cluster(folder, count)
        workers = [process.pid for process in cluster.processes[1:]]
        try:
            with session(cluster) as spark:
                varvite.spark.register(spark)
                drop(nodes_of(spark, large))
                for _ in range(samples):
                    before, start = processors(workers), time.perf_counter_ns()
                    drop(nodes_of(spark, large))
                    times.setdefault(side, []).append(time.perf_counter_ns() - start)
                    own = sorted(after - first for after, first in zip(processors(workers), before))
                    spent.setdefault(side, []).append(sum(own))
                    if count > 1:
                        even["less busy"].append(own[0])
                        even["busier"].append(own[-1])
        finally:
            cluster.stop()
    title = f"{large.facts['nodes']:,} nodes of {large.facts['files']} graphs in Spark"
    return [
        {"name": "executors", "sides": times, "title": f"{title}, by executors", "unit": "ns"},
        {"name": "executors_spent", "sides": spent, "title": "processor time of all executors", "unit": "ns"},
        {"name": "executors_even", "sides": even, "title": "processor time of each of two", "unit": "ns"},
    ]


def processors(workers: Iterable[int]) -> list[int]:
    """The processor time of each worker, with its executor and Python."""
    return [commands.processor_ns(worker) for worker in workers]
