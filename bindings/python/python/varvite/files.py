"""Files: imports, diffs and indexes."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal, NamedTuple

from varvite import _varvite
from varvite.limits import limits_of
from varvite.progress import Listener, listener

Path = str | os.PathLike[str]


class Imported(NamedTuple):
    """The result of an import: the numbers of nodes and edges, and the size of the file in bytes."""

    nodes: int
    edges: int
    file_bytes: int


def import_(
    source: Path,
    target: Path,
    *,
    profile: Literal["direct", "compact", "archive"] = "compact",
    replace: bool = False,
    threads: int | None = None,
    memory: int | None = None,
    progress: bool | Listener = True,
) -> Imported:
    """Makes a graph file from a file of Joern (`cpg.bin`). The command `varvite import` reads other formats too.

    The file appears whole or not at all. Ctrl-C ends the import.

    Parameters
    ----------
    source, target
        The paths of the `cpg.bin` and of the new file.
    profile
        The purpose of the file: `direct` is fastest, and its columns are views in NumPy; `archive` is smallest.
    replace
        Replaces an existing file.
    threads, memory
        The number of threads, and the memory in bytes.
    progress
        Shows a bar if tqdm is installed and the import takes longer than a second, in a terminal or a notebook; or a
        function that gets the step, the finished and the total amount, and whether these are bytes.

    Raises
    ------
    ForeignError
        The source is damaged, or of another format.
    ExistsError
        The target exists, and `replace` is false.
    IoError, BusyError, OverBudgetError
    """
    limits = limits_of(threads=threads, memory=memory)
    with listener(progress) as told:
        return Imported(*_varvite.import_flatgraph(source, target, profile, replace, limits, told))


def apply(
    path: Path,
    operations: str | Iterable[Mapping[str, Any]],
    *,
    layer: str | None = None,
    memory: int | None = None,
) -> range:
    """Changes a graph file by a diff: all of it, or nothing. Open graphs keep their state; open the file again.

    Parameters
    ----------
    path
        The path of the file.
    operations
        The operations, in the form of `docs/diff.md`: objects such as `{"set": {"node": 17, "property": "NAME", "value":
        "x"}}`, or lines of JSON.
    layer
        Stores the additions as a layer of this name, which can be dropped as a whole.
    memory
        The memory in bytes.

    Returns
    -------
    range
        The ids of the new nodes, in the order of the diff.

    Raises
    ------
    Error
        An operation is wrong: the class is that of its fault, and the message has its line.
    BusyError
        Another writer has the file locked.
    """
    lines = operations if isinstance(operations, str) else "\n".join(json.dumps(each) for each in operations)
    limits = limits_of(memory=memory)
    return range(*_varvite.apply(path, lines, layer, limits))


def index(path: Path, *, add: Sequence[str] = (), drop: Sequence[str] = ()) -> list[str]:
    """Adds and drops indexes of node properties of a graph file, so that nodes with a text are found without a scan.

    Open graphs keep their state; open the file again. Ctrl-C ends the call, and leaves the file as it was.

    Parameters
    ----------
    path
        The path of the file.
    add, drop
        The names of properties of texts that get an index, and of those that lose it.

    Returns
    -------
    list of str
        The properties that have an index now.

    Raises
    ------
    PropertyIndexError
        A property to add has an index, or one to drop has none.
    UnknownError, WrongTypeError, BusyError
    """
    limits = limits_of()
    return _varvite.index(path, list(add), list(drop), limits)
