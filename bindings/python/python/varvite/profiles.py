"""Profiles and traces of programs: layers of a code graph with the costs of each function."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable
from typing import Any

from varvite import html
from varvite.commands import run

Path = str | os.PathLike[str]


def add_profile(path: Path, source: Path, *, name: str | None = None, format: str | None = None) -> dict[str, Any]:
    """Adds a heap or CPU profile to a graph file, as the layer `heap` or `cpu`; open the file again to see it.

    Nodes of the code get properties such as `HEAP_CALLS` and `CPU_SAMPLES`, which pipelines, `Graph.sql` and
    `Graph.table` read like others. `docs/guide/heap.md` lists the tools whose files are read, and the properties.

    Parameters
    ----------
    path, source
        The paths of the graph file and of the profile.
    name
        A name that keeps several profiles apart: the layer is then `heap/name`.
    format
        `heaptrack`, `collapsed`, `perf`, `pprof` or `speedscope`; by default as the first bytes say.

    Returns
    -------
    dict
        How much of the profile was joined to METHODs.

    Raises
    ------
    ArgumentError, IoError, UnknownError, OverBudgetError
    """
    options = [*option("--name", name), *option("--format", format)]
    return added(path, source, options)


def add_trace(
    path: Path, source: Path, *, name: str | None = None, binaries: Iterable[Path] = ()
) -> dict[str, Any]:
    """Adds the counts of a trace to a graph file, as the layer `trace`; open the file again to see it.

    METHODs that ran get properties such as `TRACE_INSTRUCTIONS` and `TRACE_LOADS`: see `docs/guide/traces.md`.

    Parameters
    ----------
    path, source
        The paths of the graph file and of the trace.
    name
        A name that keeps several traces apart: the layer is then `trace/name`.
    binaries
        The new paths of programs and libraries that have moved since the trace named them.

    Returns
    -------
    dict
        How many records were placed.

    Raises
    ------
    ArgumentError, IoError, UnknownError, OverBudgetError
    """
    moved = [part for binary in binaries for part in ("--binary", word(binary))]
    options = [*option("--name", name), *moved]
    return added(path, source, options)


def added(path: Path, source: Path, options: list[str]) -> dict[str, Any]:
    """Adds a profile or trace to a graph file, and returns the counts of the command."""
    return summary(run(["import", "--into", word(path), word(source), "--report", "json", *options]))


class FlameGraph:
    """A drawing of a profile: the width of a call is its share of a measure. Notebooks show it with zoom and search."""

    __slots__ = ("_page",)

    HEIGHT = 480

    def __init__(self, page: str) -> None:
        self._page = page

    @property
    def page(self) -> str:
        """The drawing as a page of HTML that needs no other file."""
        return self._page

    def save(self, path: Path) -> None:
        """Writes the page to a file, as UTF-8.

        Parameters
        ----------
        path
            The path of the file, which is replaced if it exists.
        """
        with open(path, "w", encoding="utf-8") as file:
            file.write(self._page)

    def _repr_html_(self) -> str:
        return html.page(self._page, self.HEIGHT)

    def __repr__(self) -> str:
        return f"<flame graph: {len(self._page):,} characters of HTML>"


def flame_graph(path: Path, *, name: str | None = None, measure: str | None = None) -> FlameGraph:
    """The flame graph of a profile: a file of a profiler, or a graph file that has a profile as a layer.

    Parameters
    ----------
    path
        The path of the file.
    name
        The profile of a graph that has several: its layer, such as `cpu`.
    measure
        The measure that gives the widths, such as `calls`, `peak` or `samples`; by default the first of the profile.

    Raises
    ------
    ArgumentError, IoError, UnknownError, OverBudgetError
    """
    options = [*option("--name", name), *option("--sort", measure)]
    return FlameGraph(run(["heap", "flame", word(path), "--format", "html", *options]))


def option(name: str, value: str | None) -> list[str]:
    """The words of an option, none without a value."""
    return [] if value is None else [f"{name}={value}"]


def word(path: Path) -> str:
    """A path as a word of the command, which would take a leading dash for an option."""
    text = os.fspath(path)
    return os.path.join(".", text) if text.startswith("-") else text


def summary(text: str) -> dict[str, Any]:
    """The JSON of a summary."""
    value: dict[str, Any] = json.loads(text)
    return value
