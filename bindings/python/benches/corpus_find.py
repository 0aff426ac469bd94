"""Questions to all graphs of a corpus: opening them, and METHODs by a regular expression, beside Spark on Parquet."""

from __future__ import annotations

import csv
import functools
import time
from collections.abc import Callable
from typing import Any

from pyspark.sql import SparkSession

import commands
from corpus_files import Corpus, Tools, export_methods
from record import Measure, row

PATTERN = ".*(combine|copy_text|even).*"
"""The regular expression of NAME: a few functions of each hundred."""
COLUMNS = ["NAME", "FULL_NAME", "LINE_NUMBER"]

Found = tuple[int, list[str]]
"""The nanoseconds of an answer, and the sorted names in it."""


def opened(tools: Tools, corpus: Corpus, samples: int) -> list[dict[str, Any]]:
    """The time and memory of `varvite corpus open`."""
    out, count = corpus.folder / "out", corpus.facts["files"]
    words = [tools.varvite, "corpus", "open", corpus.graphs, "--format", "csv"]
    runs = [commands.run(words, out) for _ in range(samples + 1)][1:]
    with out.open(newline="") as file:
        listed = sum(1 for _ in csv.DictReader(file))
    if listed != count:
        raise RuntimeError(f"varvite corpus open lists {listed} graphs of {count}")
    title = f"`varvite corpus open`, {count:,} graphs"
    return [
        {"name": "open", "sides": {"Varvite": [run.ns for run in runs]}, "title": title, "unit": "ns"},
        {
            "name": "open_memory",
            "sides": {"Varvite": [run.memory_bytes for run in runs]},
            "title": "its peak memory, with mapped pages",
            "unit": "bytes",
        },
    ]


def found(tools: Tools, corpus: Corpus, spark: SparkSession, samples: int) -> dict[str, Any]:
    """The times to find METHODs in all graphs. All sides find the same, or the run fails."""
    tables, merged = export_methods(tools, corpus), str(corpus.folder / "merged")
    spark.read.parquet(tables).select(*COLUMNS).write.parquet(merged)
    expected = by_varvite(tools, corpus)[1]
    if not expected:
        raise RuntimeError(f"no METHOD matches {PATTERN}")
    works: dict[str, Callable[[], Found]] = {
        "Varvite": lambda: by_varvite(tools, corpus),
        "Spark, Parquet": lambda: by_spark(spark, tables),
        "Spark, merged Parquet": lambda: by_spark(spark, merged),
    }

    def sample(side: str) -> int:
        ns, names = works[side]()
        if names != expected:
            raise RuntimeError(f"{side} finds {len(names)} other METHODs than Varvite, which finds {len(expected)}")
        return ns

    pattern, files = PATTERN.replace("|", " or "), f"{corpus.facts['files']:,} graphs"
    title = f"METHODs whose NAME matches `{pattern}`: {len(expected):,} in {files}"
    sides = {side: functools.partial(sample, side) for side in works}
    return row(Measure("find", title, sides, is_timed=False), samples)


def by_varvite(tools: Tools, corpus: Corpus) -> Found:
    """The METHODs that the command finds, from its start to its end."""
    out = corpus.folder / "out"
    words: list[object] = [tools.varvite, "find", corpus.graphs, "METHOD", f"NAME~{PATTERN}"]
    ended = commands.run([*words, "--columns", ",".join(COLUMNS), "--format", "csv"], out)
    with out.open(newline="", encoding="utf-8") as file:
        return ended.ns, sorted(row["FULL_NAME"] for row in csv.DictReader(file))


def by_spark(spark: SparkSession, tables: str) -> Found:
    """The METHODs that Spark finds in Parquet, with the listing of its files."""
    start = time.perf_counter_ns()
    methods = spark.read.parquet(tables).where(f"NAME rlike '^({PATTERN})$'")
    rows = methods.select(*COLUMNS).collect()
    end = time.perf_counter_ns()
    return end - start, sorted(row["FULL_NAME"] for row in rows)
