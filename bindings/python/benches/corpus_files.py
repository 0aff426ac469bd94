"""The files of `make bench-corpus`: copies of graphs, and Parquet of the same."""

from __future__ import annotations

import json
import pathlib
import shutil
import subprocess
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, NamedTuple

GRAPH_BYTES_MAX = 200_000
"""The most bytes of a small graph."""

PROCESSES = 4
"""How many exports run at once: they mostly wait for the disk."""


class Tools(NamedTuple):
    """The programs that are measured, or make files."""

    varvite: pathlib.Path
    harness: pathlib.Path


class Corpus(NamedTuple):
    """A folder of graphs."""

    folder: pathlib.Path
    facts: dict[str, Any]
    """The numbers of files, bases, nodes, edges, bytes, and links between files."""

    @property
    def graphs(self) -> pathlib.Path:
        """The folder with the graph files."""
        return self.folder / "graphs"

    @property
    def functions(self) -> pathlib.Path:
        """The table of functions: base, name, lines, and whether copies are equal."""
        return self.folder / "functions.csv"

    def paths(self) -> list[pathlib.Path]:
        """The graph files, in the order of their numbers."""
        return sorted(self.graphs.glob("*/*.varvite"))


def copies(tools: Tools, folder: pathlib.Path, count: int, sources: Sequence[pathlib.Path]) -> Corpus:
    """Makes a corpus of `count` copies of the sources, in place of an older one."""
    shutil.rmtree(folder, ignore_errors=True)
    words = [tools.harness, "copies", folder, count, *sources]
    made = subprocess.run(list(map(str, words)), stdout=subprocess.PIPE, text=True, check=True)
    corpus = Corpus(folder, json.loads(made.stdout))
    if len(corpus.paths()) != count:
        raise RuntimeError(f"{corpus.graphs} has {len(corpus.paths())} files, not {count}")
    return corpus


def refuse_large(corpus: Corpus) -> None:
    """Raises if a file is larger than small graphs may be."""
    for path in corpus.paths():
        if path.stat().st_size > GRAPH_BYTES_MAX:
            raise RuntimeError(f"{path} has {path.stat().st_size} bytes: a small graph has at most {GRAPH_BYTES_MAX}")


def export_methods(tools: Tools, corpus: Corpus) -> str:
    """Exports all graphs as Parquet, and keeps the tables of METHODs. Returns their paths as a pattern for Spark."""
    target = corpus.folder / "parquet"
    target.mkdir()

    def export(path: pathlib.Path) -> None:
        folder = target / path.stem
        words = [tools.varvite, "export", path, "--format", "parquet", "-o", folder, "--threads", "1"]
        subprocess.run(list(map(str, words)), stdout=subprocess.DEVNULL, check=True)
        shutil.rmtree(folder / "edges")
        for table in (folder / "nodes").iterdir():
            if table.name != "METHOD.parquet":
                table.unlink()

    with ThreadPoolExecutor(PROCESSES) as pool:
        for _ in pool.map(export, corpus.paths()):
            pass
    return f"{target}/*/nodes/METHOD.parquet"
