"""Opening a graph file."""

from __future__ import annotations

import os

from varvite import _varvite
from varvite.graph import Graph


def open(path: str | os.PathLike[str], *, checked: bool = False, memory: int | None = None) -> Graph:
    """Opens a graph file.

    Parameters
    ----------
    path
        The path of the file.
    checked
        Reads columns into private memory and checks each of their checksums, instead of mapping the file. Use it for
        files of strangers, and if another program may shorten the file while it is open: the system ends a program that
        reads a mapped page which is no longer in the file. No column is then a view of the file.
    memory
        The bytes of memory that the graph may hold beside the mapped file.

    Returns
    -------
    Graph
        The graph, which is also a context manager. It reads only the directory of the file: about a millisecond.

    Raises
    ------
    IoError, NotAFileError, NotVarviteError, TruncatedError, DamagedError, NewerFormatError, UnknownFeatureError
    """
    return Graph(_varvite.Graph(path, checked=checked, memory=memory))
