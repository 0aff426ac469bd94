"""The limits of work, in the form of the native module."""

from __future__ import annotations

from typing import Any


def limits_of(
    *,
    threads: int | None = None,
    memory: int | None = None,
    seconds: float | None = None,
    batch_rows: int | None = None,
) -> dict[str, Any]:
    """The limits; `None` stands for the default of each."""
    return {"threads": threads, "memory": memory, "seconds": seconds, "batch_rows": batch_rows}
