"""Measures thousands of graphs in one process and on Spark, and writes the results: `make bench-corpus`."""

from __future__ import annotations

import argparse
import contextlib
import datetime
import pathlib
import platform
import sys
from collections.abc import Callable
from typing import Any

import corpus_clones
import corpus_find
import corpus_spark
import record
import sessions
from corpus_files import Corpus, Tools, copies, refuse_large
from run import commit, machine, rustc, version

PARTS = ["open", "find", "nodes", "components", "executors", "clones"]
PEERS = ["varvite", "pyspark", "pyarrow", "numpy", "networkx"]


class Bench:
    """A run: what was asked for, and what was measured so far."""

    def __init__(self, options: argparse.Namespace) -> None:
        self.options = options
        self.tools = Tools(options.command, options.harness)
        self.rows: list[dict[str, Any]] = []
        self.facts: dict[str, Any] = {}

    def run(self) -> None:
        """Makes the graphs, and measures the parts in their order."""
        options = self.options
        many = self._copies("many", options.files, options.small)
        refuse_large(many)
        large = self._copies("large", options.large_files, options.large)
        linked = self._copies("linked", options.linked_files, options.small)
        self.facts["corpus"] = many.facts
        works: dict[str, Callable[[], None]] = {
            "open": lambda: self.rows.extend(corpus_find.opened(self.tools, many, options.samples)),
            "find": lambda: self._find(many),
            "nodes": lambda: self._nodes(large),
            "components": lambda: self._components(linked),
            "executors": lambda: self.rows.extend(corpus_spark.executors(large, min(options.samples, 3))),
            "clones": lambda: self._clones(many),
        }
        for part in PARTS:
            if part in options.only:
                self._tell(part)
                works[part]()

    def _copies(self, name: str, count: int, sources: list[pathlib.Path]) -> Corpus:
        self._tell(f"{count} graphs")
        return copies(self.tools, self.options.scratch / name, count, sources)

    def _find(self, many: Corpus) -> None:
        with sessions.local(self.options.scratch) as spark:
            self.rows.append(corpus_find.found(self.tools, many, spark, self.options.samples))

    def _nodes(self, large: Corpus) -> None:
        with sessions.local(self.options.scratch) as spark:
            row, count = corpus_spark.nodes(large, spark, self.options.samples)
        self.rows.append(row)
        self.facts["nodes"] = {"rows": count}

    def _components(self, linked: Corpus) -> None:
        row, self.facts["components"] = corpus_spark.components(self.tools, linked)
        self.rows.append(row)

    def _clones(self, many: Corpus) -> None:
        rows, self.facts["clones"] = corpus_clones.rows(self.tools, many)
        self.rows.extend(rows)

    def _tell(self, line: str) -> None:
        print(f"  {line}", file=sys.stderr, flush=True)


def main() -> None:
    """Runs the parts, and prints the path of the results."""
    options = parsed()
    options.scratch.mkdir(parents=True, exist_ok=True)
    about = circumstances(options)
    bench = Bench(options)
    # Spark writes to standard output, whose last line is the path of the results.
    with contextlib.redirect_stdout(sys.stderr):
        bench.run()
    path = options.results / f"{about['date']}-{about['name']}.json"
    record.write(path, {**about, **bench.facts}, bench.rows)
    print(path)


def parsed() -> argparse.Namespace:
    """The arguments of the command line."""
    words = argparse.ArgumentParser(description=__doc__)
    words.add_argument("--root", type=pathlib.Path, required=True)
    words.add_argument("--scratch", type=pathlib.Path, required=True)
    words.add_argument("--results", type=pathlib.Path, required=True, help="the folder of the results")
    words.add_argument("--command", type=pathlib.Path, required=True, help="varvite")
    words.add_argument("--harness", type=pathlib.Path, required=True, help="varvite-bench")
    words.add_argument("--line", required=True, help="the command line that repeats the run")
    words.add_argument("--small", type=pathlib.Path, nargs="+", required=True, help="graphs that small ones are copies of")
    words.add_argument("--large", type=pathlib.Path, nargs="+", required=True, help="graphs that large ones are copies of")
    words.add_argument("--files", type=int, default=10_000, help="how many small graphs")
    words.add_argument("--linked-files", type=int, default=500, help="how many graphs have components together")
    words.add_argument("--large-files", type=int, default=20, help="how many large graphs")
    words.add_argument("--samples", type=int, default=5)
    words.add_argument("--only", type=lambda text: text.split(","), default=PARTS, metavar="PART,..")
    options = words.parse_args()
    unknown = [part for part in options.only if part not in PARTS]
    if unknown:
        words.error(f"no part {unknown[0]}: parts are {', '.join(PARTS)}")
    return options


def circumstances(options: argparse.Namespace) -> dict[str, Any]:
    """The date, machine, versions and commit of the run."""
    return {
        "bench": "corpus",
        "command": options.line,
        "commit": commit(options.root),
        "date": datetime.date.today().isoformat(),
        "machine": machine(),
        "name": "corpus",
        "versions": {"Python": platform.python_version(), "rustc": rustc(), **{name: version(name) for name in PEERS}},
    }


if __name__ == "__main__":
    main()
