"""The graph files of a read: which ones, and opening them in a task."""

from __future__ import annotations

import glob
import os
import urllib.parse
from collections import OrderedDict
from collections.abc import Sequence
from typing import NamedTuple

import varvite

ENDING = ".varvite"

GRAPHS_MAX = 4
"""How many graphs a worker process keeps open for its next tasks."""

Stamp = tuple[int, int, int]


class GraphFile(NamedTuple):
    """A graph file, and its number among all files of the read, which is the upper half of its ids."""

    number: int
    path: str


class FileError(Exception):
    """A file of the read is missing, damaged or replaced. The message begins with its path."""


def list_files(paths: Sequence[str]) -> list[GraphFile]:
    """The files of paths, folders and patterns, in the order of their names; each once."""
    found: dict[str, None] = {}
    for path in paths:
        local = local_path(path)
        if os.path.isdir(local):
            names = glob.glob(os.path.join(glob.escape(local), "**", f"*{ENDING}"), recursive=True)
        elif glob.has_magic(local) and not os.path.exists(local):
            names = glob.glob(local, recursive=True)
        else:
            # A file that is missing is reported as one that cannot be read.
            names = [local]
        if not names:
            raise FileError(f"{path}: no graph files: the path names no file that ends in {ENDING}")
        found.update(dict.fromkeys(sorted(map(os.path.abspath, names))))
    if len(found) > 1 << 31:
        raise FileError(f"{paths[0]}: {len(found)} files are more than the numbers of files")
    return [GraphFile(number, path) for number, path in enumerate(found)]


def local_path(path: str) -> str:
    """The path on this machine of a path or an address of Spark."""
    scheme, separator, _ = path.partition(":/")
    if not separator or len(scheme) == 1:
        return path
    if scheme != "file":
        raise FileError(f"{path}: only local paths are read: mount {scheme}: on every worker, or copy the files")
    return urllib.parse.unquote(urllib.parse.urlsplit(path).path)


def open_file(path: str, identity: str | None, *, is_checked: bool) -> varvite.Graph:
    """The graph of a file, which this process keeps for its next tasks. It must not be closed.

    Raises
    ------
    FileError
        The file cannot be read, or has another identity than it had when the read was planned.
    """
    try:
        found = os.stat(path)
        key = (path, is_checked, (found.st_ino, found.st_size, found.st_mtime_ns))
        graph = OPEN.pop(key, None) or varvite.open(path, checked=is_checked)
    except (varvite.Error, OSError) as error:
        raise FileError(of_path(path, error)) from None
    OPEN[key] = graph
    while len(OPEN) > GRAPHS_MAX:
        OPEN.popitem(last=False)
    if graph.recovered:
        raise FileError(f"{path}: the newest commit is damaged: restore the file from a copy")
    if identity is not None and graph.identity != identity:
        raise FileError(f"{path}: replaced or changed since the read was planned: run it again")
    return graph


OPEN: OrderedDict[tuple[str, bool, Stamp], varvite.Graph] = OrderedDict()


def of_path(path: str, error: Exception) -> str:
    """The message of an error, which begins with the path."""
    text = str(error)
    return text if text.startswith(path) else f"{path}: {text}"
