"""What a task computes for `summaries`: the values of the nodes of a label in its own graph, the greatest of them, and
how often each occurs.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy
import pyarrow
import pyarrow.compute

from varvite.spark.kernels import Ids, Kernel, Work, kernel, opened
from varvite.spark.options import LOCAL, Access

ARROW = {
    "long": pyarrow.int64(),
    "double": pyarrow.float64(),
    "string": pyarrow.string(),
    "boolean": pyarrow.bool_(),
}
"""The types of values, by their names in Spark."""

Values = Any
"""An array of pyarrow without nulls."""


class Measure(NamedTuple):
    """A value of each node of a label: a property, or the number of its edges."""

    label: str
    name: str
    """The property, or the label of the edges."""
    direction: str | None
    """`in` or `out` for edges."""
    kind: str
    """The type of the values in Spark."""


def greatest_of(measure: Measure, count: int, *, is_least: bool, access: Access = LOCAL) -> Kernel:
    """The nodes with the greatest or the least values of a file; of equal values, those with the least ids."""

    def compute(work: Work) -> list[Any]:
        ids, values = values_of(work, measure)
        numbers = values.to_numpy(zero_copy_only=False)
        # The complement turns the order of integers around, the least one included.
        keys = numbers if is_least else (~numbers if measure.kind == "long" else -numbers)
        chosen = numpy.lexsort((ids, keys))[:count]
        return [ids[chosen], numbers[chosen], pyarrow.repeat(pyarrow.scalar(work.path), len(chosen))]

    return kernel(["id", "value", "_file"], compute, access)


def counts_of(measure: Measure, access: Access = LOCAL) -> Kernel:
    """Each value of a file, and the number of nodes that have it."""

    def compute(work: Work) -> list[Any]:
        counted = pyarrow.compute.value_counts(values_of(work, measure)[1])
        return [counted.field("values"), counted.field("counts")]

    return kernel(["value", "count"], compute, access)


def bins_of(measure: Measure, bounds: Sequence[float], access: Access = LOCAL) -> Kernel:
    """The number of nodes of a file in each bin; the first one ends at the first bound, the last one has no end."""

    def compute(work: Work) -> list[Any]:
        places = numpy.searchsorted(bounds, values_of(work, measure)[1].to_numpy(zero_copy_only=False), "right")
        counts = numpy.bincount(places, minlength=len(bounds) + 1).astype(numpy.int64)
        low, high = [None, *bounds], [*bounds, None]
        return [pyarrow.array(low, pyarrow.float64()), pyarrow.array(high, pyarrow.float64()), counts]

    return kernel(["low", "high", "count"], compute, access)


def values_of(work: Work, measure: Measure) -> tuple[Ids, Values]:
    """The nodes of a file that have a value, ascending, and their values. A number that is none (NaN) is no value."""
    graph, data_type = opened(work), ARROW[measure.kind]
    if measure.label not in graph.labels:
        return numpy.array([], numpy.int64), pyarrow.array([], data_type)
    if measure.direction is not None:
        nodes = numpy.asarray(graph.nodes(measure.label).ids)
        values = pyarrow.array(degrees(graph, measure)[nodes], data_type)
    elif any(row[:2] == (measure.name, None) for row in graph.properties):
        table = pyarrow.table(graph.table(measure.label, [measure.name]))
        column = table.column(1).cast(data_type)
        has_value = column.is_valid()
        if measure.kind == "double":
            has_value = pyarrow.compute.and_not(has_value, pyarrow.compute.is_nan(column).fill_null(True))
        nodes = table.column(0).filter(has_value).to_numpy()
        values = joined(column.filter(has_value))
    else:
        return numpy.array([], numpy.int64), pyarrow.array([], data_type)
    return nodes.astype(numpy.int64) + (work.number << 32), values


def joined(column: Any) -> Values:
    """The parts of a column in one array."""
    return pyarrow.concat_arrays(column.chunks) if column.num_chunks else pyarrow.array([], column.type)


def degrees(graph: Any, measure: Measure) -> Any:
    """The number of edges of each node of a graph."""
    if measure.name not in graph.edge_labels:
        return numpy.zeros(graph.id_limit, numpy.int64)
    starts, _ = graph.csr_arrays(measure.name, direction=measure.direction)
    return numpy.diff(numpy.asarray(starts).astype(numpy.int64))
