"""Commands as processes: their time, and the most memory that they had."""

from __future__ import annotations

import pathlib
import re
import subprocess
import time
from collections.abc import Sequence
from typing import NamedTuple

LOOK_SECONDS = 0.002
"""The time between two looks at the memory of a process."""


class Ended(NamedTuple):
    """A process that has ended."""

    ns: int
    memory_bytes: int
    """The most resident memory that a look found, mapped pages of files included."""


class Failed(RuntimeError):
    """A command ended with an error."""


def run(words: Sequence[object], output: pathlib.Path) -> Ended:
    """Runs a command to its end, with its standard output in a file.

    The memory is that of `/proc`: what `wait4` reports also covers the process that started the command.
    """
    with open(output, "wb") as file:
        start = time.perf_counter_ns()
        process = subprocess.Popen([str(word) for word in words], stdout=file, stderr=subprocess.PIPE)
        memory = 0
        while process.poll() is None:
            memory = max(memory, most_memory(process.pid))
            time.sleep(LOOK_SECONDS)
        end = time.perf_counter_ns()
        errors = process.stderr.read() if process.stderr else b""
    if process.returncode != 0:
        line = " ".join(map(str, words))
        raise Failed(f"{line} ended with {process.returncode}: {errors.decode('utf-8', 'replace')[-2000:]}")
    return Ended(end - start, memory)


def most_memory(process: int) -> int:
    """The most resident bytes that a process had so far; 0 if it has ended."""
    try:
        status = pathlib.Path(f"/proc/{process}/status").read_text()
    except OSError:
        return 0
    found = re.search(r"VmHWM:\s+(\d+) kB", status)
    return int(found[1]) << 10 if found else 0


def processor_ns(process: int) -> int:
    """The processor time of a process, of all below it, and of those among them that have ended."""
    times: dict[int, int] = {}
    children: dict[int, list[int]] = {}
    for folder in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            # The name of the program, in brackets, may contain blanks.
            fields = (folder / "stat").read_text().rpartition(")")[2].split()
        except OSError:
            continue
        children.setdefault(int(fields[1]), []).append(int(folder.name))
        times[int(folder.name)] = sum(map(int, fields[11:15]))
    total, waiting = 0, [process]
    while waiting:
        each = waiting.pop()
        total += times.get(each, 0)
        waiting.extend(children.get(each, []))
    return total * TICK_NS


TICK_NS = 10_000_000
"""A tick of processor time in `/proc`."""
