"""Work beside other threads: one that interrupts it, and one that counts."""

import signal
import threading
import time
from collections.abc import Callable

import pytest


def seconds_after(interrupt: Callable[[], None], work: Callable[[], object]) -> float:
    """The seconds that work, which never ends by itself, goes on after a thread has interrupted it."""
    sent: list[float] = []

    def send() -> None:
        sent.append(time.monotonic())
        interrupt()

    # A shell starts programs in the background with an ignored SIGINT, for which Python sets no handler.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        threading.Timer(0.3, send).start()
        with pytest.raises(KeyboardInterrupt):
            work()
    finally:
        signal.signal(signal.SIGINT, before)
    return time.monotonic() - sent[0]


def turns_beside(work: Callable[[], object]) -> int:
    """The milliseconds that another thread counts during some work."""
    turns = 0
    done = threading.Event()

    def count() -> None:
        nonlocal turns
        while not done.is_set():
            turns += 1
            time.sleep(0.001)

    counter = threading.Thread(target=count)
    counter.start()
    try:
        work()
    finally:
        done.set()
        counter.join()
    return turns
