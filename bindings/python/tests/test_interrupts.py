"""Ctrl-C during calls that read whole columns.

The graph of the tests is too small for a signal to arrive during such a call. So these tests count how often a call
checks whether it is time to look for signals, and let a signal arrive during a stream that takes years.
"""

import signal
import threading
import time
from collections.abc import Callable
from typing import Any

import numpy
import pyarrow
import pytest

import varvite
from test_graph import endless
from varvite import _varvite

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


def test_an_array_of_the_caller_is_filled_by_parts(zlib: varvite.Graph) -> None:
    column = zlib.column("VARIABLE", edge_label="REACHING_DEF")
    starts, start = [], 0
    while (part := column._native.part(start)) is not None:
        starts.append(start)
        array, start = part
        assert len(numpy.asarray(array)) <= 1 << 16
    assert len(starts) > 2
