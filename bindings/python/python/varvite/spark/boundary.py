"""Algorithms over the nodes of all files: each task works in its own file, and only what passes between files is sent.

`links` are the edges between files, as ids of all files. For each end of a link a task sends what other files need: for
components the least node of the end's component, for reachability that it was reached. The driver gets pairs of
components, or ends of links that were reached for the first time: at most `boundary_max` of them, or the call fails.
All else stays in the tasks. `kernels` has the work of a task.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from varvite import Graph
from varvite.spark import kernels
from varvite.spark.columns import SchemaError
from varvite.spark.faults import FileError
from varvite.spark.files import list_files, open_file
from varvite.spark.options import Access, file_access, nearest

BOUNDARY_MAX = 1_000_000

Listener = Callable[[str], None]
File = tuple[int, str, str]
"""The number, the path and the identity of a file."""
Followed = tuple[Sequence[str], Access]
"""The labels of the edges that tasks follow, and how they open files."""


class BoundaryError(RuntimeError):
    """More would pass between files than the limit allows."""


def components(
    spark: Any,
    path: str | Sequence[str],
    *edge_labels: str,
    links: Any = None,
    boundary_max: int = BOUNDARY_MAX,
    progress: Listener | None = None,
    options: Mapping[str, Any] | None = None,
) -> Any:
    """The component of each node of all files, whatever the direction of edges.

    Parameters
    ----------
    spark
        The session.
    path
        The files, as in `load`.
    edge_labels
        The labels of the edges within a file; by default all.
    links
        The edges between files: a frame with the columns `source` and `target`, which are ids of all files.
    boundary_max
        How many pairs of components, which links join, the driver may hold.
    progress
        A function that gets a line for each step.
    options
        The options `checked`, `storage`, `cache` and `cache_bytes` of `load`.

    Returns
    -------
    pyspark.sql.DataFrame
        With the columns `id` and `component`: the least id of a node in the component.

    Raises
    ------
    FileError
        A file is missing or damaged.
    BoundaryError
        Links join more than `boundary_max` pairs of components.
    """
    access, tell = file_access(options), progress or silent
    files = planned(path, edge_labels, access)
    roots: dict[int, int] = {}
    if links is not None:
        found = linked_roots(spark, files, (edge_labels, access), links, boundary_max)
        roots = united(found)
        tell(f"links join {len(found)} pairs of components")
    by_number: dict[int, list[tuple[int, int]]] = defaultdict(list)
    for root, component in roots.items():
        by_number[root >> 32].append((root, component))
    rows = []
    for file in files:
        changed = by_number[file[0]]
        rows.append((*file, [root for root, _ in changed], [component for _, component in changed]))
    return frame(spark, rows).mapInArrow(kernels.components_of(edge_labels, access), "id long, component long")


def reach(
    spark: Any,
    path: str | Sequence[str],
    starts: Iterable[int],
    *edge_labels: str,
    links: Any = None,
    boundary_max: int = BOUNDARY_MAX,
    rounds_max: int = 1000,
    progress: Listener | None = None,
    options: Mapping[str, Any] | None = None,
) -> Any:
    """The nodes to which paths from any of the starts lead, the starts included.

    Parameters
    ----------
    starts
        Ids of all files, such as the column `id` of a read.
    rounds_max
        How many times paths may go on to further files, all files at once.
    spark, path, edge_labels, links, boundary_max, progress, options
        As in `components`; the driver holds the nodes at which paths enter a file.

    Returns
    -------
    pyspark.sql.DataFrame
        With the column `id`.

    Raises
    ------
    FileError
        A file is missing or damaged, or a start is in no file.
    BoundaryError
        Paths enter files at more than `boundary_max` nodes, or go on after `rounds_max` rounds.
    """
    access, tell = file_access(options), progress or silent
    files = planned(path, edge_labels, access)
    entries = set(map(int, starts))
    numbers = {file[0] for file in files}
    for entry in entries:
        if entry >> 32 not in numbers:
            raise FileError(f"the start {entry} is in no file: ids have the number of a file in their upper half")
    new, rounds = entries, 0
    while links is not None and new:
        if rounds == rounds_max:
            raise BoundaryError(f"paths go on after {rounds_max} rounds: raise rounds_max")
        rounds += 1
        new = entered(spark, files, (edge_labels, access), links, new, boundary_max) - entries
        entries = entries | new
        if len(entries) > boundary_max:
            raise BoundaryError(f"paths enter files at more than {boundary_max} nodes: raise boundary_max")
        tell(f"round {rounds}: paths enter files at {len(new)} more nodes")
    rows: list[tuple[Any, ...]] = [(*file, nodes, []) for file, nodes in grouped(files, entries)]
    return frame(spark, rows).mapInArrow(kernels.reached_of(edge_labels, access), "id long")


def linked_roots(
    spark: Any, files: list[File], followed: Followed, links: Any, boundary_max: int
) -> list[tuple[int, int]]:
    """The pairs of components that links join, each as the least nodes of both."""
    from pyspark.sql import functions as F

    ends = links.select(F.col("source").alias("node")).union(links.select(F.col("target").alias("node")))
    work = frame(spark, [(*file, [], []) for file in files]).drop("ones").join(by_file(ends, "ones"), "number")
    work = work.select(*kernels.COLUMNS)
    roots = work.mapInArrow(kernels.roots_of(*followed), "node long, root long").persist()
    one, other = roots.toDF("source", "one"), roots.toDF("target", "other")
    pairs = links.join(one, "source").join(other, "target").select("one", "other").where("one != other").distinct()
    try:
        return [(row[0], row[1]) for row in collected(pairs, boundary_max)]
    finally:
        roots.unpersist()


def entered(
    spark: Any, files: list[File], followed: Followed, links: Any, entries: set[int], boundary_max: int
) -> set[int]:
    """The ends of links whose starts are reached from entries without leaving their file."""
    from pyspark.sql import functions as F

    rows: list[tuple[Any, ...]] = [(*file, nodes, []) for file, nodes in grouped(files, entries)]
    exits = by_file(links.select(F.col("source").alias("node")), "others")
    work = frame(spark, rows).drop("others").join(exits, "number").select(*kernels.COLUMNS)
    reached = work.mapInArrow(kernels.exits_of(*followed), "source long")
    return {row[0] for row in collected(links.join(reached, "source").select("target").distinct(), boundary_max)}


def by_file(nodes: Any, name: str) -> Any:
    """The distinct nodes of a frame with the column `node`, as a list for each file."""
    from pyspark.sql import functions as F

    number = F.shiftright(F.col("node"), 32).alias("number")
    return nodes.groupBy(number).agg(F.collect_set("node").alias(name))


def grouped(files: list[File], nodes: Iterable[int]) -> list[tuple[File, list[int]]]:
    """The files that have any of the nodes, each with its nodes, ascending."""
    lists: dict[int, list[int]] = defaultdict(list)
    for node in sorted(nodes):
        lists[node >> 32].append(node)
    return [(file, lists[file[0]]) for file in files if file[0] in lists]


def collected(frame: Any, boundary_max: int) -> list[Any]:
    """The rows of a frame, if they are not more than the limit."""
    rows: list[Any] = frame.limit(boundary_max + 1).collect()
    if len(rows) > boundary_max:
        raise BoundaryError(f"more than {boundary_max} rows would pass between files: raise boundary_max")
    return rows


def united(pairs: Iterable[tuple[int, int]]) -> dict[int, int]:
    """For each node of the pairs, the least node that they join it to."""
    parents: dict[int, int] = {}

    def find(node: int) -> int:
        root = node
        while parents.setdefault(root, root) != root:
            root = parents[root]
        while parents[node] != root:
            parents[node], node = root, parents[node]
        return root

    for one, other in pairs:
        least, rest = sorted((find(one), find(other)))
        parents[rest] = least
    return {node: find(node) for node in list(parents)}


def frame(spark: Any, rows: list[Any]) -> Any:
    """The work of tasks as a frame with a part for each file, up to 10,000."""
    found = spark.createDataFrame(rows, kernels.SCHEMA)
    return found.repartition(min(max(len(rows), 1), 10_000), "number")


def planned(path: str | Sequence[str], edge_labels: Sequence[str], access: Access) -> list[File]:
    """The files and their states. Each label of edges is in one file at least."""
    files = []
    known: set[str] = set()
    for file, graph in opened(path, access):
        files.append(file)
        known.update(graph.edge_labels)
    for label in edge_labels:
        refuse_missing("edges", label, known)
    return files


def opened(path: str | Sequence[str], access: Access) -> Iterator[tuple[File, Graph]]:
    """The files with their states, each with its graph."""
    for file in list_files([path] if isinstance(path, str) else path, access):
        graph = open_file(file.path, None, access)
        yield (file.number, file.path, graph.identity), graph


def refuse_missing(kind: str, name: str, known: set[str]) -> None:
    """Raises for a name that no file has."""
    if name not in known:
        raise SchemaError(f'no file has {kind} "{name}"; the nearest is "{nearest(name, sorted(known))}"')


def silent(line: str) -> None:
    """Tells nobody."""
