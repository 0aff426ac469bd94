"""The greatest values of all files, and how often values occur: each task computes those of its own file, and Spark
merges them. `values` has the work of a task. Nothing is collected on the driver.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from varvite.spark import values
from varvite.spark.boundary import File, frame, opened, refuse_missing
from varvite.spark.columns import SchemaError
from varvite.spark.options import LOCAL, Access, OptionError, file_access
from varvite.spark.values import Measure

if TYPE_CHECKING:
    from varvite._varvite import PropertyRow

COUNT_MAX = 1_000_000
"""The most rows of `top`, which one task sorts at the end."""
BINS_MAX = 10_000

KINDS = {"string": "string", "bool": "boolean", "i": "long", "u": "long", "f": "double"}
"""The types of values in Spark, by the type of a property without its bits."""


def top(
    spark: Any,
    path: str | Sequence[str],
    label: str,
    by: str,
    count: int = 10,
    *,
    least: bool = False,
    options: Mapping[str, Any] | None = None,
) -> Any:
    """The nodes of a label with the greatest values, of all files together.

    Parameters
    ----------
    spark
        The session.
    path
        The files, as in `load`.
    label
        The label of the nodes, such as `METHOD`.
    by
        A property with numbers, such as `LINE_NUMBER_END`, or the number of edges of a label that begin or end at a
        node: `out:CALL`, `in:CALL`. A node without the property is left out; a node without edges has zero.
    count
        How many nodes, at most a million.
    least
        The nodes with the least values instead.
    options
        The options `checked`, `storage`, `cache` and `cache_bytes` of `load`.

    Returns
    -------
    pyspark.sql.DataFrame
        With the columns `id`, `value` and `_file`, the greatest value first; of equal values, the least id.

    Raises
    ------
    SchemaError
        No file has the label, the property or the label of edges; or the property has no numbers.
    OptionError
        `count` is less than one, or too large.
    FileError
        A file is missing or damaged. A task fails so for an unsigned number of 64 bits beyond Spark's `long`.
    """
    from pyspark.sql import functions as F

    if not 1 <= count <= COUNT_MAX:
        raise OptionError(f"count is {count}: it has to be from 1 to {COUNT_MAX}")
    access = file_access(options)
    files, measure = planned(path, label, by, access)
    refuse_texts(measure)
    kernel = values.greatest_of(measure, count, is_least=least, access=access)
    rows = work(spark, files).mapInArrow(kernel, f"id long, value {measure.kind}, _file string")
    order = F.col("value").asc() if least else F.col("value").desc()
    return rows.orderBy(order, "id").limit(count)


def histogram(
    spark: Any,
    path: str | Sequence[str],
    label: str,
    by: str,
    *,
    bounds: Sequence[float] | None = None,
    options: Mapping[str, Any] | None = None,
) -> Any:
    """How many nodes of a label have each value, or a value between bounds, in all files together.

    Parameters
    ----------
    by
        A property with texts, numbers or truth values, or a number of edges, as in `top`. A node without the property is
        not counted.
    bounds
        Ascending numbers. A value is counted between a bound and the next one, where it may equal the lower one;
        values below all bounds, and from the last one on, are counted too. Without bounds, each value is counted by
        itself.
    spark, path, label, options
        As in `top`.

    Returns
    -------
    pyspark.sql.DataFrame
        With the columns `value` and `count`, or, with bounds, `low`, `high` and `count`, where null stands for no
        bound. The rows have no order.

    Raises
    ------
    SchemaError, FileError
        As in `top`.
    OptionError
        The bounds are not ascending, there are none, or more than ten thousand.
    """
    from pyspark.sql import functions as F

    access = file_access(options)
    files, measure = planned(path, label, by, access)
    if bounds is None:
        kernel, columns, schema = values.counts_of(measure, access), ["value"], f"value {measure.kind}, count long"
    else:
        refuse_texts(measure)
        kernel, columns = values.bins_of(measure, checked(bounds), access), ["low", "high"]
        schema = "low double, high double, count long"
    return work(spark, files).mapInArrow(kernel, schema).groupBy(*columns).agg(F.sum("count").alias("count"))


def checked(bounds: Sequence[float]) -> list[float]:
    """The bounds of bins as numbers."""
    numbers = [float(bound) for bound in bounds]
    is_ascending = all(low < high for low, high in zip(numbers, numbers[1:]))
    if not 1 <= len(numbers) <= BINS_MAX or not is_ascending or not all(map(math.isfinite, numbers)):
        raise OptionError(f"bounds are {len(numbers)} numbers: they have to be ascending, and from 1 to {BINS_MAX}")
    return numbers


def refuse_texts(measure: Measure) -> None:
    """Raises unless the values are numbers."""
    if measure.kind not in ("long", "double"):
        raise SchemaError(f"{measure.name} has no numbers: name another property, or in:CALL for a number of edges")


def work(spark: Any, files: list[File]) -> Any:
    """A part of work for each file."""
    return frame(spark, [(*file, [], []) for file in files])


def planned(path: str | Sequence[str], label: str, by: str, access: Access = LOCAL) -> tuple[list[File], Measure]:
    """The files and their states, and the values that they have together."""
    direction, separator, name = by.partition(":")
    is_edges = bool(separator) and direction in ("in", "out")
    wanted = name if is_edges else by
    files: list[File] = []
    labels: set[str] = set()
    names: set[str] = set()
    kinds: set[str] = set()
    for file, graph in opened(path, access):
        files.append(file)
        labels.update(graph.labels)
        of_nodes = [row for row in graph.properties if row[1] is None]
        names.update(graph.edge_labels if is_edges else (row[0] for row in of_nodes))
        kinds.update(kind_of(row) for row in of_nodes if row[0] == wanted)
    refuse_missing("nodes", label, labels)
    refuse_missing("edges" if is_edges else "the property", wanted, names)
    kind = "long" if is_edges else kind_of_all(wanted, kinds)
    return files, Measure(label, wanted, direction if is_edges else None, kind)


def kind_of(row: PropertyRow) -> str:
    """The type of a property in Spark; empty for one that has none here: lists, bytes and nodes."""
    value_type, is_list = row[2:4]
    if is_list:
        return ""
    return KINDS.get(value_type if value_type in KINDS else value_type.rstrip("0123456789"), "")


def kind_of_all(name: str, kinds: set[str]) -> str:
    """The type that a property has in all files."""
    if "" in kinds:
        raise SchemaError(f"{name} has lists, bytes or nodes: name a property with texts or numbers")
    if kinds == {"long", "double"}:
        return "double"
    if len(kinds) > 1:
        raise SchemaError(f"{name} is {' in some files, and '.join(sorted(kinds))} in others")
    return kinds.pop()
