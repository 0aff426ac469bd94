"""The paths in folders that match a pattern, in the file system of this machine or in another one."""

from __future__ import annotations

import fnmatch
import glob
import os
from collections.abc import Iterable, Iterator, Sequence
from typing import Protocol


class Folders(Protocol):
    """The folders of a file system."""

    def entries(self, folder: str, part: str) -> Iterable[str]:
        """The paths in a folder that match one part of a pattern; for `**`, its folders, but not links to folders.

        Raises
        ------
        OSError
            The folder cannot be read.
        """

    def is_folder(self, path: str) -> bool:
        """Whether a path leads to a folder."""


def matches(folders: Folders, top: str, parts: Sequence[str], unreadable: list[str]) -> Iterator[str]:
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
            found = folders.entries(folder, part)
        except OSError:
            unreadable.append(folder)
            continue
        if part == "**":
            waiting.extend((path, place) for path in found)
        elif place + 1 == len(parts):
            yield from found
        else:
            waiting.extend((path, place + 1) for path in found if folders.is_folder(path))


class LocalFolders:
    """The folders of this machine."""

    def entries(self, folder: str, part: str) -> list[str]:
        """The paths in a folder that match one part of a pattern."""
        if part != "**" and not glob.has_magic(part):
            path = os.path.join(folder, part)
            return [path] if os.path.lexists(path) else []
        with os.scandir(folder) as found:
            if part == "**":
                return [entry.path for entry in found if entry.is_dir(follow_symlinks=False)]
            return [entry.path for entry in found if fnmatch.fnmatch(entry.name, part)]

    def is_folder(self, path: str) -> bool:
        """Whether a path leads to a folder."""
        return os.path.isdir(path)
