"""Bars of tqdm for long work."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

Listener = Callable[[str, int, int, bool], object]
"""A function that gets the name of the current step, the finished and the total amount, and whether these are bytes."""

DELAY = 1.0
"""The seconds after which a bar appears."""


@contextmanager
def listener(progress: bool | Listener) -> Iterator[Listener | None]:
    """The function that shows progress: the caller's, or for `True` a bar of tqdm, if there is tqdm and a screen."""
    if not isinstance(progress, bool):
        yield progress
        return
    bar = new_bar() if progress and has_screen() else None
    if bar is None:
        yield None
        return
    with bar:
        yield lambda step, done, total, is_bytes: show(bar, step, done, total, is_bytes)


def has_screen() -> bool:
    """Whether standard error is a terminal, or the program is a notebook."""
    return "ipykernel" in sys.modules or (sys.stderr is not None and sys.stderr.isatty())


def new_bar() -> Any:
    """A bar, `None` without tqdm."""
    try:
        with warnings.catch_warnings():
            # Without ipywidgets, tqdm warns and shows a bar of text.
            warnings.simplefilter("ignore")
            from tqdm.auto import tqdm
    except ImportError:
        return None
    return tqdm(leave=False, delay=DELAY)


def show(bar: Any, step: str, done: int, total: int, is_bytes: bool) -> None:
    """Shows a report of progress."""
    if bar.total != total or done < bar.n:
        bar.unit, bar.unit_scale = ("B", True) if is_bytes else ("it", False)
        bar.reset(total)
    bar.set_description_str(step, refresh=False)
    bar.update(done - bar.n)
