"""Copies of files of other file systems on this machine: `DIGEST.varvite`, at most so many bytes of them.

A copy has the SHA-256 of its bytes as its name, so equal files have one copy, and a copy that was damaged later is
recognized. The identity of a graph would not do: a damaged file has that of the whole one. A file `STATE.name` has the
digest of a file in one state, as its file system told it. The copies that were used least recently make room for
others. All processes of a user share the folder: a copy appears whole, and one that is removed stays readable for the
processes that have it open.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import pathlib
import re
import stat
import tempfile
import time
from typing import NamedTuple

from varvite.spark.faults import FileError
from varvite.spark.options import Access
from varvite.spark.remote import CHUNK, RemoteFile

DIGEST = re.compile(r"[0-9a-f]{64}")

SHARE = 16
"""A process adds this part of the free bytes before it looks at the folder again: so many may work at once."""

KEPT = 7 / 8
"""The part of the bytes that stays when copies make room."""

ENTRY_BYTES = 4096
"""The least bytes that a file takes."""

PART_SECONDS = 3600
"""The seconds after which a part of a copy is that of a process that has ended."""


class Cache:
    """A folder with copies."""

    def __init__(self, folder: str | None, bytes_max: int) -> None:
        self.folder = pathlib.Path(folder or default_folder())
        self.bytes_max = bytes_max
        self.free = 0
        """The bytes that this process may add before it looks at the folder."""
        self.folder.mkdir(0o700, parents=True, exist_ok=True)
        refuse_strange(self.folder)

    def copy_of(self, address: str, access: Access) -> str:
        """The path of a copy of a file as it is now.

        Raises
        ------
        FileError
            The file cannot be read, or is larger than the cache.
        """
        remote = RemoteFile.at(address, access.storage)
        size, state = remote.size_and_state()
        name = self.folder / f"{state}.name" if state is not None else None
        digest = self._digest_in(name)
        found = self._used(self._path(digest)) if digest is not None else None
        return found or self._add(remote, size, name)

    def drop_if_changed(self, path: str) -> bool:
        """Removes a copy that has other bytes than its digest says. Returns whether the copy is missing now."""
        copy = pathlib.Path(path)
        if copy.exists() and digest_of(copy) != copy.stem:
            copy.unlink(missing_ok=True)
        return not copy.exists()

    def _add(self, remote: RemoteFile, size: int | None, name: pathlib.Path | None) -> str:
        """Copies a file into the cache."""
        self._make_room(remote.address, size or 0)
        part = self.folder / f"{os.getpid()}-{time.time_ns()}.part"
        try:
            length = remote.copy(str(part), self.bytes_max)
            if size is not None and length != size:
                raise FileError(f"{remote.address}: {length:,} of {size:,} bytes came: it is being written, or was cut")
            digest = digest_of(part)
            os.replace(part, self._path(digest))
        finally:
            part.unlink(missing_ok=True)
        if name is not None:
            self._name(name, digest)
        self.free -= entry_bytes(length) + ENTRY_BYTES
        return str(self._path(digest))

    def _path(self, digest: str) -> pathlib.Path:
        return self.folder / f"{digest}.varvite"

    def _used(self, path: pathlib.Path) -> str | None:
        """The path of a file that is there, which was used now."""
        try:
            os.utime(path, ns=(time.time_ns(), path.stat().st_mtime_ns))
        except FileNotFoundError:
            return None
        return str(path)

    def _digest_in(self, name: pathlib.Path | None) -> str | None:
        """The digest of a file in a state, if it is known."""
        if name is None or self._used(name) is None:
            return None
        with contextlib.suppress(OSError, UnicodeDecodeError):
            digest = name.read_text("ascii")
            return digest if DIGEST.fullmatch(digest) else None
        return None

    def _name(self, name: pathlib.Path, digest: str) -> None:
        """Notes the digest of a file in a state."""
        part = name.with_suffix(f".{os.getpid()}.part")
        part.write_text(digest, "ascii")
        os.replace(part, name)

    def _make_room(self, address: str, size: int) -> None:
        """Removes the copies that were used least recently, until there is room for one more."""
        wanted = entry_bytes(size) + ENTRY_BYTES
        if wanted > self.bytes_max:
            raise FileError(
                f"{address}: a copy of its {size:,} bytes does not fit: raise cache_bytes, which is {self.bytes_max:,}"
            )
        if wanted <= self.free:
            return
        entries = sorted(entries_in(self.folder))
        total = sum(entry.length for entry in entries)
        if total + wanted > self.bytes_max:
            limit = min(int(KEPT * self.bytes_max), self.bytes_max - wanted)
            for entry in entries:
                if total <= limit:
                    break
                if entry.is_removable:
                    with contextlib.suppress(FileNotFoundError):
                        os.unlink(entry.path)
                    total -= entry.length
        self.free = max(wanted, (self.bytes_max - total) // SHARE)


class Entry(NamedTuple):
    """A file in the folder, by the time of its last use."""

    used_ns: int
    path: str
    length: int
    is_removable: bool


def entries_in(folder: pathlib.Path) -> list[Entry]:
    """The files in a folder."""
    old, entries = time.time() - PART_SECONDS, []
    with os.scandir(folder) as found:
        for each in found:
            with contextlib.suppress(FileNotFoundError):
                facts = each.stat(follow_symlinks=False)
                is_copy = each.name.endswith((".varvite", ".name"))
                is_removable = is_copy or each.name.endswith(".part") and facts.st_mtime < old
                entries.append(Entry(facts.st_atime_ns, each.path, entry_bytes(facts.st_size), is_removable))
    return entries


def entry_bytes(length: int) -> int:
    """The bytes that a file takes in the folder."""
    return max(length, ENTRY_BYTES)


def digest_of(path: pathlib.Path) -> str:
    """The SHA-256 of a file."""
    digest = hashlib.sha256()
    with path.open("rb") as file:
        while chunk := file.read(CHUNK):
            digest.update(chunk)
    return digest.hexdigest()


def default_folder() -> str:
    """The folder of the cache of this user."""
    user = os.getuid() if hasattr(os, "getuid") else os.environ.get("USERNAME", "user")
    return os.path.join(tempfile.gettempdir(), f"varvite-cache-{user}")


def refuse_strange(folder: pathlib.Path) -> None:
    """Raises for a folder in which other users may write: they could put graphs there."""
    if not hasattr(os, "getuid"):
        return
    facts = folder.lstat()
    if not stat.S_ISDIR(facts.st_mode) or facts.st_uid != os.getuid() or facts.st_mode & 0o022:
        raise FileError(f"{folder}: the cache has to be a folder of yours in which no other user may write")


CACHES: dict[tuple[str | None, int], Cache] = {}


def cache_of(access: Access) -> Cache:
    """The cache of this process for an access."""
    key = (access.cache, access.cache_bytes)
    if key not in CACHES:
        CACHES[key] = Cache(*key)
    return CACHES[key]
