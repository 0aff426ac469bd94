"""Measures the Python package beside its peers, and writes the results: `make bench-python`."""

from __future__ import annotations

import argparse
import datetime
import importlib
import importlib.metadata
import os
import pathlib
import platform
import subprocess
import sys
from typing import Any

import record

MODULES = ["measures", "networkx_functions", "functions"]
"""The modules of measures. Each has a function `measures(files)` that returns a list of `Measure`."""

PEERS = ["varvite", "numpy", "scipy", "pyarrow", "polars", "duckdb", "networkx", "igraph", "torch", "torch-geometric"]


def main() -> None:
    """Runs all measures, or those whose names begin with a text."""
    words = argparse.ArgumentParser(description=__doc__)
    words.add_argument("graph", type=pathlib.Path, help="a graph of Joern (cpg.bin)")
    words.add_argument("--root", type=pathlib.Path, required=True)
    words.add_argument("--scratch", type=pathlib.Path, required=True)
    words.add_argument("--results", type=pathlib.Path, required=True, help="the folder of the results")
    words.add_argument("--samples", type=int, default=11)
    words.add_argument("--only", default="", metavar="PREFIX")
    words.add_argument("--joern-version", default="")
    words.add_argument("--joern", nargs=argparse.REMAINDER, default=[], help="the command of Joern's shell, at the end")
    options = words.parse_args()
    options.scratch.mkdir(parents=True, exist_ok=True)
    from measures import prepare

    files = prepare(options.graph.absolute(), options.scratch.absolute(), options.joern)
    found = [measure for name in MODULES for measure in importlib.import_module(name).measures(files)]
    chosen = [measure for measure in found if measure.name.startswith(options.only)]
    rows = record.rows(chosen, options.samples)
    about = circumstances(options, files)
    path = options.results / f"{about['date']}-{about['name']}.json"
    record.write(path, about, rows)
    print(path)


def circumstances(options: argparse.Namespace, files: Any) -> dict[str, Any]:
    """The date, machine, versions and commit of the run."""
    import varvite

    stem = options.graph.name.split(".")[0]
    with varvite.open(files.direct) as graph:
        size = {"edges": graph.edge_count, "file": options.graph.name, "nodes": graph.node_count}
    return {
        "bench": "python",
        "command": " ".join(["cargo xtask bench-python", *sys.argv[1:2]]),
        "commit": commit(options.root),
        "date": datetime.date.today().isoformat(),
        "graph": size,
        "machine": machine(),
        "name": f"python-{stem}",
        "versions": {"Python": platform.python_version(), "rustc": rustc(), **versions(options)},
    }


def versions(options: argparse.Namespace) -> dict[str, str]:
    """The versions of the peers that are there."""
    found = {name: version(name) for name in PEERS}
    joern = {"Joern": options.joern_version} if options.joern else {}
    return {name: word for name, word in found.items() if word is not None} | joern


def commit(root: pathlib.Path) -> dict[str, Any]:
    """The commit of the checkout, and whether it has changes."""

    def git(*words: str) -> str:
        return subprocess.run(["git", "-C", root, *words], capture_output=True, text=True, check=True).stdout.strip()

    return {"has_changes": bool(git("status", "--porcelain", "-uno")), "hash": git("rev-parse", "--short=12", "HEAD")}


def machine() -> dict[str, Any]:
    """The machine, in the words of the other benchmarks."""
    lines = pathlib.Path("/proc/cpuinfo").read_text().splitlines()
    processor = next((line.split(": ", 1)[1] for line in lines if line.startswith("model name")), "unknown")
    return {
        "cores": os.cpu_count(),
        "kernel": platform.release().split("-")[0],
        "load": round(os.getloadavg()[0], 2),
        "memory_bytes": os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES"),
        "processor": processor,
        "system": sys.platform,
    }


def rustc() -> str:
    """The compiler's version line."""
    return subprocess.run(["rustc", "--version"], capture_output=True, text=True, check=True).stdout.strip()


def version(package: str) -> str | None:
    """The version of a package, `None` if it is not installed."""
    try:
        return importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:
        return None


if __name__ == "__main__":
    main()
