"""What a task computes in its own graph, for `boundary` and `values`: functions that Spark sends to workers."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

import numpy
import pyarrow

import varvite
from varvite.spark.faults import FileError, of_path
from varvite.spark.files import check_copy, open_file
from varvite.spark.options import Access

BATCH_ROWS = 1 << 16

Batches = Iterator[Any]
Kernel = Callable[[Batches], Batches]
Ids = Any
"""An array of NumPy with ids of all files, as int64."""


class Work(NamedTuple):
    """A file, and the nodes of it that matter to a task."""

    number: int
    path: str
    identity: str
    ones: Ids
    others: Ids
    access: Access


COLUMNS = Work._fields[:-1]
"""The columns of `Work` in Spark."""
SCHEMA = "number long, path string, identity string, ones array<long>, others array<long>"
"""Their types."""


def roots_of(edge_labels: Sequence[str], access: Access) -> Kernel:
    """For each of `ones`, the least node of its component."""

    def compute(work: Work) -> list[Ids]:
        ids, roots = local_components(work, edge_labels)
        return [work.ones, roots[places(work, ids, work.ones)]]

    return kernel(["node", "root"], compute, access)


def components_of(edge_labels: Sequence[str], access: Access) -> Kernel:
    """Each node with its component, in which a component of `ones` becomes that of `others` at the same place."""

    def compute(work: Work) -> list[Ids]:
        ids, roots = local_components(work, edge_labels)
        order = numpy.argsort(work.ones)
        ones, others = work.ones[order], work.others[order]
        if len(ones):
            at = numpy.minimum(numpy.searchsorted(ones, roots), len(ones) - 1)
            roots = numpy.where(ones[at] == roots, others[at], roots)
        return [ids, roots]

    return kernel(["id", "component"], compute, access)


def exits_of(edge_labels: Sequence[str], access: Access) -> Kernel:
    """Those of `others` to which paths from any of `ones` lead."""

    def compute(work: Work) -> list[Ids]:
        ids, is_reached = local_reach(work, edge_labels)
        return [work.others[is_reached[places(work, ids, work.others)]]]

    return kernel(["source"], compute, access)


def reached_of(edge_labels: Sequence[str], access: Access) -> Kernel:
    """All nodes to which paths from any of `ones` lead."""

    def compute(work: Work) -> list[Ids]:
        ids, is_reached = local_reach(work, edge_labels)
        return [ids[is_reached]]

    return kernel(["id"], compute, access)


def kernel(names: list[str], compute: Callable[[Work], list[Any]], access: Access) -> Kernel:
    """A function for `mapInArrow`: the columns that are computed for each file, in batches."""

    def run(batches: Batches) -> Batches:
        for row in (row for batch in batches for row in batch.to_pylist()):
            ones, others = (numpy.array(row[name] or [], numpy.int64) for name in ("ones", "others"))
            work = Work(row["number"], row["path"], row["identity"], ones, others, access)
            try:
                columns = compute(work)
            except (varvite.Error, OSError, pyarrow.ArrowException) as error:
                check_copy(work.path, access)
                raise FileError(of_path(work.path, error)) from None
            for start in range(0, len(columns[0]), BATCH_ROWS):
                arrays = [array_of(column[start : start + BATCH_ROWS]) for column in columns]
                yield pyarrow.RecordBatch.from_arrays(arrays, names)

    return run


def array_of(column: Any) -> Any:
    """An array of NumPy or pyarrow as one of pyarrow."""
    return column if isinstance(column, pyarrow.Array) else pyarrow.array(column)


def local_components(work: Work, edge_labels: Sequence[str]) -> tuple[Ids, Ids]:
    """The nodes of a file, ascending, and the least node of the component of each."""
    part = subgraph(work, edge_labels)
    if part is None:
        ids = all_ids(work)
        return ids, ids
    first = work.number << 32
    return part.ids.astype(numpy.int64) + first, part.components().astype(numpy.int64) + first


def local_reach(work: Work, edge_labels: Sequence[str]) -> tuple[Ids, Any]:
    """The nodes of a file, ascending, and whether paths from any of `ones` lead to each."""
    part = subgraph(work, edge_labels)
    if part is None:
        ids = all_ids(work)
        return ids, numpy.isin(ids, work.ones)
    ids = part.ids.astype(numpy.int64) + (work.number << 32)
    places(work, ids, work.ones)
    return ids, part.distances((work.ones & 0xFFFF_FFFF).tolist()) != 0xFFFF_FFFF


def subgraph(work: Work, edge_labels: Sequence[str]) -> varvite.Subgraph | None:
    """The edges of the labels that the file has; `None` if it has none of them."""
    graph = opened(work)
    known = [label for label in edge_labels if label in graph.edge_labels]
    return graph.subgraph(*known) if known or not edge_labels else None


def all_ids(work: Work) -> Ids:
    """The ids of all nodes of a file."""
    return numpy.asarray(opened(work).nodes().ids).astype(numpy.int64) + (work.number << 32)


def opened(work: Work) -> varvite.Graph:
    """The graph, in the state in which the call was planned."""
    return open_file(work.path, work.identity, work.access)


def places(work: Work, ids: Ids, nodes: Ids) -> Ids:
    """The places of nodes among ascending ids."""
    found = numpy.minimum(numpy.searchsorted(ids, nodes), max(len(ids) - 1, 0))
    missing = nodes[ids[found] != nodes] if len(ids) else nodes
    if len(missing):
        raise FileError(f"{work.path}: a link or a start names node {missing[0] & 0xFFFF_FFFF}, which does not exist")
    return found
