"""Ctrl-C during calls that read whole columns.

The graph of the tests is too small for a signal to arrive during such a call. So these tests count how often a call
checks whether it is time to look for signals, and let a signal arrive during a stream that takes years.
"""

import os
import pathlib
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from typing import Any

import numpy
import pyarrow
import pytest

import varvite
from test_graph import endless
from threads import seconds_after, turns_beside
from varvite import _varvite, commands
from varvite.limits import limits_of

CALLS: dict[str, tuple[Callable[[varvite.Graph], Any], int]] = {
    "csr": (lambda graph: graph.csr_arrays("REACHING_DEF"), 2),
    "csr against the edges": (lambda graph: graph.csr_arrays("AST", direction="in"), 4),
    "ids": (lambda graph: graph.nodes().ids, 1),
    "ids with a label": (lambda graph: graph.nodes("CALL").ids, 1),
    "values": (lambda graph: graph.column("LINE_NUMBER").values(), 1),
    "values of edges": (lambda graph: graph.column("VARIABLE", edge_label="REACHING_DEF").values(), 2),
    "owners": (lambda graph: graph.column("LINE_NUMBER").owners(), 1),
    "offsets": (lambda graph: graph.column("LINE_NUMBER").offsets(), 1),
    "edges for igraph": (lambda graph: graph.subgraph("AST")._native.arrays(), 2),
    "ids of a part": (lambda graph: graph.subgraph("AST").ids, 1),
    "matrix of a view": (lambda graph: graph.networkx("AST")._network.arrays(), 2),
    "loops of a view": (lambda graph: graph.networkx("AST")._network.loop_count(), 2),
    "degrees of a view": (lambda graph: graph.networkx("AST")._network.degrees(True, True, 1.0), 4),
    "table": (lambda graph: pyarrow.table(graph.table("CALL", ["NAME"])), 2),
    "table of edges": (lambda graph: pyarrow.table(graph.edge_table("REACHING_DEF")), 3),
    "functions as JSON": (lambda graph: list(graph.functions(["AST"], "json")), 425),
}


@pytest.mark.parametrize("name", CALLS)
def test_a_long_call_checks_for_signals(zlib: varvite.Graph, name: str) -> None:
    call, checks = CALLS[name]
    before = _varvite.signal_checks()
    call(zlib)
    assert _varvite.signal_checks() - before >= checks


def test_a_call_of_another_thread_looks_for_no_signal(zlib: varvite.Graph) -> None:
    before, done = _varvite.signal_checks(), []
    thread = threading.Thread(target=lambda: done.append(len(zlib.csr_arrays("AST")[0])))
    thread.start()
    thread.join()
    assert done == [zlib.id_limit + 1] and _varvite.signal_checks() == before


def test_ctrl_c_ends_a_stream(zlib: varvite.Graph) -> None:
    sent: list[float] = []

    def send() -> None:
        sent.append(time.monotonic())
        signal.raise_signal(signal.SIGINT)

    # The first table makes pyarrow look for pandas.
    pyarrow.table(zlib.table("FILE", ["NAME"]))
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        threading.Timer(0.3, send).start()
        with pytest.raises(KeyboardInterrupt):
            try:
                pyarrow.table(endless(zlib).run(seconds=60.0))
            except OSError as error:
                assert "cancelled" in str(error)
                time.sleep(5)
    finally:
        signal.signal(signal.SIGINT, before)
    # 50 ms on a quiet machine; tests share theirs.
    assert time.monotonic() - sent[0] < 1


def test_a_time_limit_ends_the_search_for_labels(zlib: varvite.Graph, tmp_path: pathlib.Path) -> None:
    path = tmp_path / "labels.csv"
    path.write_text("file,line\n" + "inflate.c,500\n" * 1000)
    assert len(zlib.functions(["AST"], "numpy", labels=path, seconds=60.0)) > 0
    with pytest.raises(varvite.CancelledError):
        zlib.functions(["AST"], "numpy", labels=path, seconds=0.0)
    with pytest.raises(varvite.CancelledError):
        list(zlib.functions(["AST"], "numpy", seconds=0.0))


def test_ctrl_c_ends_the_search_for_labels(zlib: varvite.Graph) -> None:
    lines, searched = [("inflate.c", 500)] * 1000, 0

    def search() -> None:
        nonlocal searched
        while True:
            searched += len(_varvite.methods_at(zlib._native, lines, limits_of()))

    def interrupt() -> None:
        os.kill(os.getpid(), signal.SIGINT)

    # 50 ms on a quiet machine; tests share theirs.
    assert seconds_after(interrupt, search) < 1
    assert searched > 0


def test_ctrl_c_ends_an_algorithm_and_not_the_part(zlib: varvite.Graph) -> None:
    part = zlib.subgraph("CFG")
    components = part.components()

    def interrupt() -> None:
        os.kill(os.getpid(), signal.SIGINT)

    # Communities of this graph alternate for ever.
    def work() -> None:
        while True:
            part.communities(iterations_max=2**31)

    assert seconds_after(interrupt, work) < 1
    assert numpy.array_equal(part.components(), components)


def test_a_time_limit_ends_one_algorithm(zlib: varvite.Graph) -> None:
    part = zlib.subgraph("CFG", seconds=1.0)
    time.sleep(1.1)
    assert len(part.core_numbers()) == len(part) == zlib.node_count
    with pytest.raises(varvite.CancelledError):
        zlib.subgraph("CFG", seconds=0.0)


def test_ctrl_c_ends_the_process_of_a_command() -> None:
    sleeping = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"])

    def interrupt() -> None:
        os.kill(os.getpid(), signal.SIGINT)

    assert seconds_after(interrupt, lambda: commands.exit_code(sleeping)) < 0.2
    assert sleeping.returncode == -signal.SIGKILL


def test_other_threads_work_while_an_algorithm_runs(zlib: varvite.Graph) -> None:
    def work() -> None:
        begun = time.monotonic()
        while time.monotonic() - begun < 0.3:
            zlib.subgraph("AST").clustering()

    assert turns_beside(work) > 20


def test_an_array_of_the_caller_is_filled_by_parts(zlib: varvite.Graph) -> None:
    column = zlib.column("VARIABLE", edge_label="REACHING_DEF")
    starts, start = [], 0
    while (part := column._native.part(start)) is not None:
        starts.append(start)
        array, start = part
        assert len(numpy.asarray(array)) <= 1 << 16
    assert len(starts) > 2
