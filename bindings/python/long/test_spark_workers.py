"""Spark's jobs give the same answer when a worker is killed in their middle. `make test-spark` runs this file."""

import collections
import pathlib
import shutil
import threading
import time
from collections.abc import Callable
from typing import Any

import networkx
import pytest
from pyspark.sql import SparkSession
from pyspark.sql import functions as F

import varvite
import varvite.spark
from cluster import Cluster, session
from conftest import zlib_path as zlib_path
from test_spark import cross_links, graphs, load, values_in, whole_network

FILES = 12


@pytest.fixture(scope="module")
def many(zlib_path: pathlib.Path, tmp_path_factory: pytest.TempPathFactory) -> pathlib.Path:
    """Copies of the graph of zlib."""
    folder = tmp_path_factory.mktemp("many")
    for number in range(FILES):
        shutil.copy(zlib_path, folder / f"{number:02}.varvite")
    return folder


def while_killed(folder: pathlib.Path, work: Callable[[SparkSession], Any]) -> Any:
    """The result of work on two workers, one of which is killed after the first task has ended. Another one joins."""
    cluster = Cluster(folder, 2)
    try:
        with session(cluster) as spark:
            varvite.spark.register(spark)
            killer = Killer(spark, cluster)
            killer.start()
            try:
                result = work(spark)
            finally:
                killer.join()
            assert killer.was_in_the_middle, "the job had ended before the worker was killed"
            return result
    finally:
        cluster.stop()


class Killer(threading.Thread):
    """Kills the first worker when a stage has ended tasks and others to do."""

    def __init__(self, spark: SparkSession, cluster: Cluster) -> None:
        super().__init__(daemon=True)
        self.tracker = spark.sparkContext.statusTracker()
        self.cluster = cluster
        self.was_in_the_middle = False

    def run(self) -> None:
        end = time.monotonic() + 120
        while time.monotonic() < end:
            for stage in self.tracker.getActiveStageIds():
                found = self.tracker.getStageInfo(stage)
                if found is not None and 0 < found.numCompletedTasks < found.numTasks - 1:
                    self.was_in_the_middle = True
                    self.cluster.kill_worker(0)
                    self.cluster.add_worker(2)
                    return
            time.sleep(0.01)


def test_a_read_survives_a_worker(many: pathlib.Path, tmp_path: pathlib.Path) -> None:
    def work(spark: SparkSession) -> Any:
        found = load(spark, many, table="nodes", nodes=2_000, columns="id,label,CODE")
        return tuple(found.agg(F.count("*"), F.sum("id"), F.sum(F.length("CODE"))).first() or ())

    code = sum(len(node.CODE or "") for node in graphs(many)[0].nodes())
    ids = [(number << 32) + node.id for number, graph in enumerate(graphs(many)) for node in graph.nodes()]
    assert while_killed(tmp_path, work) == (len(ids), sum(ids), FILES * code)


ALGORITHMS: dict[str, Callable[[SparkSession, str, Any, list[int]], Any]] = {
    "components": lambda spark, path, links, _: varvite.spark.components(spark, path, "CALL", links=links),
    "reach": lambda spark, path, links, starts: varvite.spark.reach(spark, path, starts, "CALL", links=links),
    "top": lambda spark, path, *_: varvite.spark.top(spark, path, "METHOD", "LINE_NUMBER", 30),
    "histogram": lambda spark, path, *_: varvite.spark.histogram(spark, path, "CALL", "NAME"),
}


@pytest.mark.parametrize("name", ALGORITHMS)
def test_an_algorithm_survives_a_worker(many: pathlib.Path, tmp_path: pathlib.Path, name: str) -> None:
    links = cross_links(many)
    # Each file has a start, so that each has a task.
    starts = [(number << 32) + next(iter(graph.nodes("METHOD"))).id for number, graph in enumerate(graphs(many))]

    def work(spark: SparkSession) -> set[tuple[Any, ...]]:
        frame = spark.createDataFrame(links, "source long, target long")
        return set(map(tuple, ALGORITHMS[name](spark, str(many), frame, starts).collect()))

    assert while_killed(tmp_path, work) == expected_of(name, many, links, starts)


def expected_of(
    name: str, many: pathlib.Path, links: list[tuple[int, int]], starts: list[int]
) -> set[tuple[Any, ...]]:
    """The answer of an algorithm, by NetworkX or by counting."""
    if name == "top":
        rows = values_in(many, "METHOD", lambda node: node.LINE_NUMBER)
        return set(sorted(rows, key=lambda row: (-row[1], row[0]))[:30])
    if name == "histogram":
        return set(collections.Counter(row[1] for row in values_in(many, "CALL", lambda node: node.NAME)).items())
    network = whole_network(many, "CALL", links)
    if name == "components":
        parts = networkx.weakly_connected_components(network)
        return {(node, min(part)) for part in parts for node in part}
    network.add_nodes_from(starts)
    return {(node,) for start in starts for node in networkx.descendants(network, start) | {start}}
