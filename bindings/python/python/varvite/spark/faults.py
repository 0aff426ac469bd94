"""Errors of files, whose messages begin with the path."""

from __future__ import annotations


class FileError(Exception):
    """A file of the read is missing, damaged or replaced. The message begins with its path."""


def of_path(path: str, error: Exception) -> str:
    """The message of an error, which begins with the path."""
    text = str(error)
    return text if text.startswith(path) else f"{path}: {text}"
