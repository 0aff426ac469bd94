"""The graph files of a read: which ones, and opening them in a task."""

from __future__ import annotations

import contextlib
import glob
import os
import pathlib
import stat
import urllib.parse
from collections import OrderedDict
from collections.abc import Sequence
from typing import Any, NamedTuple

import varvite
from varvite.spark.cache import cache_of
from varvite.spark.faults import FileError, of_path
from varvite.spark.folders import LocalFolders, matches
from varvite.spark.options import LOCAL, Access
from varvite.spark.remote import RemoteFile, is_remote, scheme_of

ENDING = ".varvite"

GRAPHS_MAX = 4
"""How many graphs a worker process keeps open for its next tasks."""

Stamp = tuple[int, int, int]


class GraphFile(NamedTuple):
    """A graph file, and its number among all files of the read, which is the upper half of its ids."""

    number: int
    path: str


def list_files(paths: Sequence[str], access: Access = LOCAL) -> list[GraphFile]:
    """The files of paths, folders and patterns, in the order of their names; each once, by the first of its names.

    A folder that cannot be read is in the list, and `open_file` fails for it: its files are not left out in silence.
    """
    found: dict[Any, str] = {}
    for path in paths:
        names = RemoteFile.at(path, access.storage).names(ENDING) if is_remote(path) else names_of(local_path(path))
        if not names:
            raise FileError(f"{path}: no graph files: the path names no file that ends in {ENDING}")
        for name in sorted(set(names)):
            found.setdefault(numbers_of(name), name)
    if len(found) > 1 << 31:
        raise FileError(f"{paths[0]}: {len(found)} files are more than the numbers of files")
    return [GraphFile(number, path) for number, path in enumerate(found.values())]


def names_of(path: str) -> list[str]:
    """The names of the files of a path, a folder or a pattern, and of folders that cannot be read."""
    unreadable: list[str] = []
    if os.path.isdir(path):
        found = matches(LocalFolders(), path, ("**", f"*{ENDING}"), unreadable)
        names = [name for name in found if not os.path.isdir(name)]
    elif glob.has_magic(path) and not os.path.exists(path):
        pure = pathlib.PurePath(path)
        parts = pure.parts[1:] if pure.anchor else pure.parts
        parts += ("*",) if parts[-1] == "**" else ()
        names = list(matches(LocalFolders(), pure.anchor or os.curdir, parts, unreadable))
    else:
        # A file that is missing is reported as one that cannot be read.
        names = [path]
    return list(map(os.path.abspath, names + unreadable))


def numbers_of(path: str) -> Any:
    """A value that is equal for all names of a file: its device and its number there; its path if it is missing, or in
    another file system."""
    try:
        found = None if is_remote(path) else os.stat(path)
    except OSError:
        found = None
    return path if found is None else (found.st_dev, found.st_ino)


def local_path(path: str) -> str:
    """The path on this machine of a path or an address of Spark."""
    return path if scheme_of(path) is None else urllib.parse.unquote(urllib.parse.urlsplit(path).path)


def open_file(path: str, identity: str | None, access: Access) -> varvite.Graph:
    """The graph of a file, which this process keeps for its next tasks. It must not be closed. A file of another file
    system is copied into the cache.

    Raises
    ------
    FileError
        The file cannot be read, or has another identity than it had when the read was planned.
    """
    try:
        graph = opened_copy(path, access) if is_remote(path) else opened(path, access)
    except (varvite.Error, OSError) as error:
        raise FileError(of_path(path, error)) from None
    if graph.recovered:
        raise FileError(f"{path}: the newest commit is damaged: restore the file from a copy")
    if identity is not None and graph.identity != identity:
        raise FileError(f"{path}: replaced or changed since the read was planned: run it again")
    return graph


def opened(path: str, access: Access) -> varvite.Graph:
    """The graph of a file of this machine."""
    found = os.stat(path)
    if stat.S_ISDIR(found.st_mode):
        refuse_folder(path)
    key = (path, access.is_checked, (found.st_ino, found.st_size, found.st_mtime_ns))
    graph = OPEN.pop(key, None) or varvite.open(path, checked=access.is_checked)
    OPEN[key] = graph
    while len(OPEN) > GRAPHS_MAX:
        OPEN.popitem(last=False)
    return graph


def opened_copy(address: str, access: Access) -> varvite.Graph:
    """The graph of a file of another file system. A copy that was removed or damaged meanwhile is made again."""
    cache = cache_of(access)
    path = cache.copy_of(address, access)
    try:
        return opened(path, access)
    except (varvite.Error, OSError):
        if not cache.drop_if_changed(path):
            raise
        return opened(cache.copy_of(address, access), access)


def check_copy(path: str, access: Access) -> None:
    """Removes the copy of a file of another file system, which a task could not read, if it was damaged here: the next
    task makes it again."""
    if is_remote(path):
        with contextlib.suppress(FileError, OSError):
            cache = cache_of(access)
            cache.drop_if_changed(cache.copy_of(path, access))


def refuse_folder(path: str) -> None:
    """Raises the error of the system for a folder that cannot be read, otherwise `FileError`."""
    with os.scandir(path):
        raise FileError(f"{path}: a folder: name the files in it, such as {os.path.join(path, '**', f'*{ENDING}')}")


OPEN: OrderedDict[tuple[str, bool, Stamp], varvite.Graph] = OrderedDict()
