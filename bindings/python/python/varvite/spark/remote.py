"""Files of other file systems, which fsspec reads: their names, their states and their bytes."""

from __future__ import annotations

import contextlib
import fnmatch
import glob
import hashlib
import re
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from varvite.spark.faults import FileError
from varvite.spark.folders import matches

SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+")

ALWAYS_THERE = frozenset(("name", "size", "type", "mimetype", "partial", "url", "islink"))
"""What a file system says of a file without saying when it was written, or what its content is."""

CHUNK = 1 << 20


def scheme_of(path: str) -> str | None:
    """The scheme of an address, such as `s3a`; `None` for a path of this machine, such as `C:/graphs`."""
    scheme, separator, _ = path.partition(":/")
    return scheme.lower() if separator and SCHEME.fullmatch(scheme) else None


def is_remote(path: str) -> bool:
    """Whether a path is an address of another file system."""
    return scheme_of(path) not in (None, "file")


class RemoteFile(NamedTuple):
    """A file or folder of a file system of fsspec."""

    address: str
    files: Any
    """The file system."""
    path: str
    """The path in the file system."""

    @classmethod
    def at(cls, address: str, storage: Mapping[str, Any]) -> RemoteFile:
        """The file of an address. `storage` has the arguments of the file system.

        Raises
        ------
        FileError
            fsspec, or its package for the scheme, is missing; or the file system cannot be reached.
        """
        try:
            from fsspec.core import url_to_fs
        except ImportError:
            raise FileError(f"{address}: other file systems need fsspec: pip install fsspec") from None
        with named(address):
            # Hadoop also writes addresses with one slash.
            files, path = url_to_fs(address if "://" in address else address.replace(":/", ":///", 1), **storage)
            # Files that are listed or read now may have changed since this process did so last.
            files.invalidate_cache()
        return cls(address, files, path)

    def names(self, ending: str) -> list[str]:
        """The addresses of the file, of the files in the folder or of those that match the pattern, and of folders that
        cannot be read. Folders are read one by one."""
        folders, unreadable = RemoteFolders(self.files), list[str]()
        with named(self.address):
            if self.files.isdir(self.path):
                found = matches(folders, self.path, ("**", f"*{ending}"), unreadable)
                names = [name for name in found if not folders.is_folder(name)]
            elif glob.has_magic(self.path) and not self.files.exists(self.path):
                top, parts = divided(self.path)
                names = list(matches(folders, top or self.files.root_marker, parts, unreadable))
            else:
                return [self.address]
        return [self.address_of(name) for name in names + unreadable]

    def address_of(self, path: str) -> str:
        """The address of another path in the file system."""
        address = self.address.rstrip("/")
        if self.path and address.endswith(self.path):
            return address[: len(address) - len(self.path)] + path
        return str(self.files.unstrip_protocol(path))

    def size_and_state(self) -> tuple[int | None, str | None]:
        """The number of bytes of the file, and a text that another content of it would not have; `None` for what the
        file system does not say.

        Raises
        ------
        FileError
            The file is missing, or it is a folder.
        """
        with named(self.address):
            facts = self.files.info(self.path)
            if facts.get("type") == "directory":
                # A folder that cannot be read says so here.
                self.files.ls(self.path)
                raise FileError(f"{self.address}: a folder: name the files in it, such as {self.address}/**/*")
        size = facts.get("size")
        state = sorted((name, str(value)) for name, value in facts.items() if name not in ALWAYS_THERE)
        written = f"{self.address} {size} {state}"
        return size, hashlib.sha256(written.encode()).hexdigest() if state else None

    def copy(self, target: str, bytes_max: int) -> int:
        """Writes the file to a path of this machine, and returns the number of its bytes, which are at most `bytes_max`."""
        length = 0
        with named(self.address), self.files.open(self.path, "rb") as source, open(target, "xb") as file:
            while chunk := source.read(CHUNK):
                length += len(chunk)
                if length > bytes_max:
                    raise FileError(f"{self.address}: more than {bytes_max:,} bytes: raise cache_bytes")
                file.write(chunk)
        return length


class RemoteFolders:
    """The folders of a file system of fsspec. Each is read once."""

    def __init__(self, files: Any) -> None:
        self.files = files
        self.listed: dict[str, list[str]] = {}
        self.folders: set[str] = set()

    def entries(self, folder: str, part: str) -> list[str]:
        """The paths in a folder that match one part of a pattern."""
        if folder not in self.listed:
            self.listed[folder] = self._listed(folder)
        if part == "**":
            return [path for path in self.listed[folder] if path in self.folders]
        return [path for path in self.listed[folder] if fnmatch.fnmatchcase(path.rpartition("/")[2], part)]

    def is_folder(self, path: str) -> bool:
        """Whether a path that was listed is a folder."""
        return path in self.folders

    def _listed(self, folder: str) -> list[str]:
        """The paths in a folder."""
        try:
            found = self.files.ls(folder, detail=True)
        except Exception as error:
            # The errors of a file system may be of any kind.
            raise OSError(str(error)) from None
        self.folders.update(each["name"].rstrip("/") for each in found if each.get("type") == "directory")
        # The folders of some stores list a file with their own name.
        paths = {each["name"].rstrip("/") for each in found} - {folder.rstrip("/")}
        return sorted(paths)


def divided(pattern: str) -> tuple[str, list[str]]:
    """The folder above the first part of a pattern that has wildcards, and the parts from there on."""
    parts = pattern.split("/")
    first = next(place for place, part in enumerate(parts) if glob.has_magic(part))
    last = ["*"] if parts[-1] == "**" else []
    return "/".join(parts[:first]), parts[first:] + last


@contextlib.contextmanager
def named(address: str) -> Iterator[None]:
    """Turns the errors of a file system, which may be of any kind, into `FileError` with one line."""
    try:
        yield
    except FileError:
        raise
    except FileNotFoundError:
        raise FileError(f"{address}: there is no such file") from None
    except Exception as error:
        raise FileError(f"{address}: {type(error).__name__}: {' '.join(str(error).split())}") from None
