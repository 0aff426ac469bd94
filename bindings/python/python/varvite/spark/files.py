"""The graph files of a read: which ones, and opening them in a task."""

from __future__ import annotations

import fnmatch
import glob
import os
import pathlib
import stat
import urllib.parse
from collections import OrderedDict
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

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
    """The files of paths, folders and patterns, in the order of their names; each once, by the first of its names.

    A folder that cannot be read is in the list, and `open_file` fails for it: its files are not left out in silence.
    """
    found: dict[Any, str] = {}
    for path in paths:
        names = names_of(local_path(path))
        if not names:
            raise FileError(f"{path}: no graph files: the path names no file that ends in {ENDING}")
        for name in sorted(set(map(os.path.abspath, names))):
            found.setdefault(numbers_of(name), name)
    if len(found) > 1 << 31:
        raise FileError(f"{paths[0]}: {len(found)} files are more than the numbers of files")
    return [GraphFile(number, path) for number, path in enumerate(found.values())]


def names_of(path: str) -> list[str]:
    """The names of the files of a path, a folder or a pattern, and of folders that cannot be read."""
    unreadable: list[str] = []
    if os.path.isdir(path):
        names = matches(path, ("**", f"*{ENDING}"), unreadable)
        return [name for name in names if not os.path.isdir(name)] + unreadable
    if glob.has_magic(path) and not os.path.exists(path):
        pure = pathlib.PurePath(path)
        parts = pure.parts[1:] if pure.anchor else pure.parts
        parts += ("*",) if parts[-1] == "**" else ()
        return [*matches(pure.anchor or os.curdir, parts, unreadable), *unreadable]
    # A file that is missing is reported as one that cannot be read.
    return [path]


def matches(top: str, parts: Sequence[str], unreadable: list[str]) -> Iterator[str]:
    """The paths below a folder that match the parts of a pattern, of which `**` is any number of folders, but not of
    links to folders. Folders that cannot be read are added to `unreadable`."""
    waiting, seen = [(top, 0)], set()
    while waiting:
        folder, place = waiting.pop()
        if (folder, place) in seen:
            continue
        seen.add((folder, place))
        part = parts[place]
        if part == "**":
            waiting.append((folder, place + 1))
        try:
            found = entries(folder, part)
        except OSError:
            unreadable.append(folder)
            continue
        if part == "**":
            waiting.extend((path, place) for path in found)
        elif place + 1 == len(parts):
            yield from found
        else:
            waiting.extend((path, place + 1) for path in found if os.path.isdir(path))


def entries(folder: str, part: str) -> list[str]:
    """The paths in a folder that match one part of a pattern; for `**`, its folders without links."""
    if part != "**" and not glob.has_magic(part):
        path = os.path.join(folder, part)
        return [path] if os.path.lexists(path) else []
    with os.scandir(folder) as found:
        if part == "**":
            return [entry.path for entry in found if entry.is_dir(follow_symlinks=False)]
        return [entry.path for entry in found if fnmatch.fnmatch(entry.name, part)]


def numbers_of(path: str) -> Any:
    """A value that is equal for all names of a file: its device and its number there; its path if it is missing."""
    try:
        found = os.stat(path)
    except OSError:
        return path
    return found.st_dev, found.st_ino


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
        if stat.S_ISDIR(found.st_mode):
            refuse_folder(path)
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


def refuse_folder(path: str) -> None:
    """Raises the error of the system for a folder that cannot be read, otherwise `FileError`."""
    with os.scandir(path):
        raise FileError(f"{path}: a folder: name the files in it, such as {os.path.join(path, '**', f'*{ENDING}')}")


OPEN: OrderedDict[tuple[str, bool, Stamp], varvite.Graph] = OrderedDict()


def of_path(path: str, error: Exception) -> str:
    """The message of an error, which begins with the path."""
    text = str(error)
    return text if text.startswith(path) else f"{path}: {text}"
