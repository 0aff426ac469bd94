"""Functions for machine learning, beside a script of Joern whose lines of JSON Python parses.

Both sides make the same arrays for each METHOD: node types, lines, tokens, edges and their types. With PyTorch Geometric
(`--pyg`), both make a `Data` of them. The sides are compared by the numbers of their functions, nodes and edges.
"""

from __future__ import annotations

import functools
import importlib.util
import json
import pathlib
import re
import shutil
import subprocess
import time
import zlib
from collections.abc import Callable, Iterable, Iterator
from typing import Any, NamedTuple

import numpy

import varvite
from fresh import literal, peak
from record import Measure

EDGES = ["AST", "CFG", "REACHING_DEF"]
TOKEN = re.compile(r"[A-Za-z0-9_$\x80-\U0010ffff]+|[^\s]")
TOKEN_IDS = 1 << 16
SCRIPT = pathlib.Path(__file__).with_name("functions.sc")
Arrays = dict[str, Any]


class Counts(NamedTuple):
    """The numbers of functions, of their nodes and of their edges."""

    functions: int
    nodes: int
    edges: int


def counted(functions: Iterable[Arrays]) -> Counts:
    """The counts of functions, which are read one after the other and not kept."""
    found = Counts(0, 0, 0)
    for function in functions:
        nodes, edges = len(function["node_type"]), function["edge_index"].shape[1]
        found = Counts(found.functions + 1, found.nodes + nodes, found.edges + edges)
    return found


def measures(files: Any) -> list[Measure]:
    """All functions of the graph as arrays, or as graphs of PyTorch Geometric; and the memory of it."""
    form = "pyg" if importlib.util.find_spec("torch_geometric") else "numpy"

    def ours() -> Counts:
        with varvite.open(files.direct) as graph:
            return counted(graph.functions(EDGES, form))

    counts = ours()
    what = "tensors of PyTorch Geometric" if form == "pyg" else "arrays for PyTorch Geometric"
    title = f"{counts.functions:,} functions, {counts.nodes:,} nodes, {counts.edges:,} edges as {what}"
    sides: dict[str, Callable[[], Any]] = {"Varvite": lambda: timed(ours)[0]}
    if files.joern:
        sides |= beside(files, form, counts)
    return [
        Measure("functions", title, sides, is_timed=False, samples=3),
        Measure("memory_functions", "most memory of it", memories(files.direct), "bytes", is_timed=False, samples=3),
    ]


def memories(path: pathlib.Path) -> dict[str, Callable[[], int]]:
    """The most memory of a process that reads all functions, and of one that reads the first batch."""
    code = "graph = varvite.open({path}); functions = graph.functions({edges}, 'numpy')\n{read}"
    names = {"path": literal(path), "edges": json.dumps(EDGES)}
    every = code.format(**names, read="for function in functions: pass")
    first = code.format(**names, read="next(iter(functions))")
    return {
        "Varvite": lambda: peak(every, "import numpy, varvite"),
        "Varvite, one batch": lambda: peak(first, "import numpy, varvite"),
    }


def timed(work: Callable[[], Any]) -> tuple[int, Any]:
    """The nanoseconds of some work, and its result."""
    start = time.perf_counter_ns()
    result = work()
    return time.perf_counter_ns() - start, result


def beside(files: Any, form: str, counts: Counts) -> dict[str, Callable[[], int]]:
    """The sides of Joern: a run of the script with the parse of its lines, and parts of this time."""
    source, lines, parts = files.folder / "functions.cpg.bin", files.folder / "functions.jsonl", {}
    # Joern changes files that it opens.
    shutil.copy(files.source, source)

    def whole() -> int:
        begun = time.perf_counter_ns()
        parts["loads and writes"] = sum(scripted(files.joern, source, lines))
        written = time.perf_counter_ns()
        parts["parses"], found = timed(lambda: counted(parsed(lines, form)))
        if found != counts:
            raise AssertionError(f"Joern has {found}, Varvite {counts}")
        return written - begun + parts["parses"]

    return {
        "Joern's script and Python": whole,
        "of it Joern's load and export": lambda: parts["loads and writes"],
        "of it Python": lambda: parts["parses"],
    }


def scripted(joern: list[str], source: pathlib.Path, lines: pathlib.Path) -> tuple[int, int]:
    """Runs the script. Returns the nanoseconds of loading the graph and of writing the lines, by Joern's clock."""
    parameters = ["--param", f"graph={source}", "--param", f"out={lines}"]
    command = [*joern, "--script", str(SCRIPT), *parameters]
    said = subprocess.run(command, cwd=source.parent, capture_output=True, text=True)
    found = re.search(r"^answer (\d+) (\d+)$", said.stdout, re.MULTILINE)
    if said.returncode != 0 or found is None:
        raise RuntimeError(f"the script of Joern failed: {said.stdout[-1000:]} {said.stderr[-2000:]}")
    return int(found[1]), int(found[2])


def parsed(path: pathlib.Path, form: str) -> Iterator[Any]:
    """The functions in a file of lines, in the form of Varvite's."""
    types: dict[str, int] = {}
    with open(path, encoding="utf-8") as lines:
        for line in lines:
            arrays = arrays_of(json.loads(line), types)
            yield arrays if form == "numpy" else data_of(arrays)


def arrays_of(function: dict[str, Any], types: dict[str, int]) -> Arrays:
    """The arrays of a function. Labels are numbered in the order in which they come."""
    tokens = [numbers_of(text) for text in function["code"]]
    counts = numpy.array([len(numbers) for numbers in tokens])
    return {
        "method": function["method"],
        "node_type": numpy.array([types.setdefault(label, len(types)) for label in function["type"]], numpy.int64),
        "line": numpy.array(function["line"], numpy.int64),
        "token_index": numpy.repeat(numpy.arange(len(tokens)), counts),
        "tokens": numpy.array([number for numbers in tokens for number in numbers], numpy.int64),
        "edge_index": numpy.array([function["source"], function["target"]], numpy.int64).reshape(2, -1),
        "edge_type": numpy.array(function["edge"], numpy.int64),
    }


@functools.lru_cache(1 << 20)
def numbers_of(text: str) -> list[int]:
    """The numbers of the tokens of a text, each computed once for equal texts."""
    return [zlib.crc32(token.encode()) % TOKEN_IDS for token in TOKEN.findall(text)]


def data_of(arrays: Arrays) -> Any:
    """A graph of PyTorch Geometric."""
    import torch
    from torch_geometric.data import Data

    tensors = {name: torch.from_numpy(array) for name, array in arrays.items() if name != "method"}
    return Data(num_nodes=len(arrays["node_type"]), method=arrays["method"], **tensors)
