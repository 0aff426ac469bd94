"""Samples of measures, in the form of all results of benchmarks: `bench/harness/README.md` describes it."""

from __future__ import annotations

import json
import pathlib
import time
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple


class Measure(NamedTuple):
    """A measure of a workload: a function for each side, which returns a sample, or whose time is the sample."""

    name: str
    title: str
    sides: Mapping[str, Callable[[], Any]]
    unit: str = "ns"
    """`ns` for the times of the functions; `bytes` or `count` for their results."""
    is_timed: bool = True
    samples: int | None = None
    """The number of samples of each side; by default that of the command."""


def rows(measures: list[Measure], samples: int) -> list[dict[str, Any]]:
    """The samples of all measures. The sides of a measure take turns, after a turn that does not count."""
    return [row(measure, measure.samples or samples) for measure in measures]


def row(measure: Measure, samples: int) -> dict[str, Any]:
    """The samples of a measure."""
    sides: dict[str, list[float]] = {side: [] for side in measure.sides}
    for turn in range(samples + 1):
        for side, work in measure.sides.items():
            sample = timed(work) if measure.is_timed else work()
            if turn > 0:
                sides[side].append(sample)
    print(f"  {measure.name}", flush=True)
    return {"name": measure.name, "sides": sides, "title": measure.title, "unit": measure.unit}


def timed(work: Callable[[], Any]) -> int:
    """The nanoseconds that the work takes, without the release of its result."""
    start = time.perf_counter_ns()
    result = work()
    end = time.perf_counter_ns()
    del result
    return end - start


def write(path: pathlib.Path, circumstances: Mapping[str, Any], rows: list[dict[str, Any]]) -> None:
    """Writes the file of results, with a line for each circumstance and each row."""
    said = {name: json.dumps(value, sort_keys=True) for name, value in circumstances.items()}
    fields = "".join(f"  {json.dumps(name)}: {value},\n" for name, value in said.items())
    lines = ",\n".join(f"    {json.dumps(row, separators=(',', ':'))}" for row in rows)
    path.write_text(f'{{\n{fields}  "rows": [\n{lines}\n  ]\n}}\n')
