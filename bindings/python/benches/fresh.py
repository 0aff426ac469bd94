"""Measures that need a fresh interpreter: time and memory of a first use."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import Any

FRAME = """
import sys, time
{before}
def resident():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * 4096
memory, start = resident(), time.perf_counter_ns()
{code}
end = time.perf_counter_ns()
print(end - start, resident() - memory)
"""


def fresh(code: str, before: str = "") -> tuple[int, int]:
    """The nanoseconds of code in a new interpreter, and the bytes of memory that it takes more."""
    ended = subprocess.run(
        [sys.executable, "-c", FRAME.format(code=code, before=before)], capture_output=True, text=True, check=True
    )
    time, memory = map(int, ended.stdout.split())
    return time, memory


PEAK = """
import time
{before}
def memory(name):
    with open("/proc/self/status") as file:
        return next(int(line.split()[1]) for line in file if line.startswith(name)) * 1024
start = memory("VmRSS:")
{code}
print(memory("VmHWM:") - start)
"""


def peak(code: str, before: str = "") -> int:
    """The most bytes of memory that code in a new interpreter has beside those that it starts with."""
    program = PEAK.format(code=code, before=before)
    return int(subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout)


def literal(value: Any) -> str:
    """A text or a number as code."""
    return json.dumps(str(value) if not isinstance(value, int) else value)
