"""The command `varvite` of this package, run as a process of its own.

The command does work for which Python has no call yet, such as adding profiles and traces: a process reads the file, and
writes its answer to standard output.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from typing import IO

from varvite.errors import ArgumentError, CancelledError, Error, IoError, OverBudgetError, UnknownError

OF_EXIT_CODE: dict[int, type[Error]] = {
    2: ArgumentError,
    3: IoError,
    4: UnknownError,
    6: OverBudgetError,
    130: CancelledError,
}
"""The exceptions for the exit codes of `docs/guide/queries.md`."""


LOOK = 0.01
"""The seconds between two looks at a process: a signal ends the pause between them."""


def run(words: Sequence[str | os.PathLike[str]]) -> str:
    """Runs the command with these words, and returns its standard output. Ctrl-C ends it.

    Raises
    ------
    ArgumentError, IoError, UnknownError, OverBudgetError
        With the message of the command.
    """
    command = [sys.executable, "-m", "varvite", *(os.fspath(word) for word in words)]
    with tempfile.TemporaryFile() as output, tempfile.TemporaryFile() as errors:
        code = exit_code(subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=output, stderr=errors))
        if code != 0:
            message = content(errors).decode("utf-8", "replace").strip().removeprefix("varvite: ")
            raise OF_EXIT_CODE.get(code, Error)(message or f"the command ended with {code}")
        return content(output).decode("utf-8")


def exit_code(process: subprocess.Popen[bytes]) -> int:
    """Waits for the end of a process. An exception, such as that of Ctrl-C, kills it at once.

    `Popen.wait` would give the process a quarter of a second after Ctrl-C.
    """
    with process:
        try:
            while (code := process.poll()) is None:
                time.sleep(LOOK)
        except BaseException:
            process.kill()
            raise
    return code


def content(file: IO[bytes]) -> bytes:
    """All that a process wrote to a file."""
    file.seek(0)
    return file.read()
