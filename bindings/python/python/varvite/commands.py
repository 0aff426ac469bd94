"""The command `varvite` of this package, run as a process of its own.

The command does work for which Python has no call yet, such as adding profiles and traces: a process reads the file, and
writes its answer to standard output.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Sequence

from varvite.errors import ArgumentError, CancelledError, Error, IoError, OverBudgetError, UnknownError

OF_EXIT_CODE: dict[int, type[Error]] = {
    2: ArgumentError,
    3: IoError,
    4: UnknownError,
    6: OverBudgetError,
    130: CancelledError,
}
"""The exceptions for the exit codes of `docs/guide/queries.md`."""


def run(words: Sequence[str | os.PathLike[str]]) -> str:
    """Runs the command with these words, and returns its standard output. Ctrl-C ends it.

    Raises
    ------
    ArgumentError, IoError, UnknownError, OverBudgetError
        With the message of the command.
    """
    command = [sys.executable, "-m", "varvite", *(os.fspath(word) for word in words)]
    ended = subprocess.run(command, capture_output=True, stdin=subprocess.DEVNULL)
    if ended.returncode != 0:
        message = ended.stderr.decode("utf-8", "replace").strip().removeprefix("varvite: ")
        raise OF_EXIT_CODE.get(ended.returncode, Error)(message or f"the command ended with {ended.returncode}")
    return ended.stdout.decode("utf-8")
