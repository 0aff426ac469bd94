"""Graphs, nodes and pipelines."""

import os
import pathlib
import signal
import subprocess
import sys
import threading
import time

import pytest

import varvite
from threads import seconds_after, turns_beside
from varvite import Key, contains, eq, gt, it


def test_a_graph_tells_its_sizes(zlib: varvite.Graph) -> None:
    assert zlib.node_count == sum(1 for _ in zlib.nodes())
    assert "METHOD" in zlib.labels
    assert sum(zlib.edge_labels.values()) == zlib.edge_count
    assert repr(zlib).startswith("<graph ")


def test_nodes_come_by_label_in_ascending_order(zlib: varvite.Graph) -> None:
    methods = zlib.nodes("METHOD")
    ids = [node.id for node in methods]
    assert len(methods) == len(ids)
    assert ids == sorted(set(ids))
    assert {node.label for node in methods} == {"METHOD"}


def test_properties_and_neighbours_are_attributes(zlib: varvite.Graph) -> None:
    inflate = zlib.pipeline().nodes("METHOD").has("NAME", eq("inflate")).first()
    assert inflate.NAME == inflate["NAME"] == "inflate"
    assert isinstance(inflate.LINE_NUMBER, int)
    callers = inflate.in_.CALL
    assert callers and {call.label for call in callers} == {"CALL"}
    assert inflate in callers[0].out("CALL")
    assert "NAME" in dir(inflate) and "CALL" in dir(inflate.out)


def test_an_unknown_name_has_the_nearest(zlib: varvite.Graph) -> None:
    with pytest.raises(varvite.UnknownError, match="METHOD") as raised:
        zlib.nodes("METHODS")
    assert raised.value.code == -30
    node = zlib.node(0)
    with pytest.raises(varvite.UnknownError, match="NAME"):
        node["NAMES"]
    assert not hasattr(node, "NAMES")
    with pytest.raises(varvite.UnknownError, match="CALL"):
        node.out("CALLS")


@pytest.mark.parametrize("id", [-1, 2**31, 2**32 - 1, 2**32, 2**64, 10**30])
def test_an_id_out_of_range_is_an_error(zlib: varvite.Graph, id: int) -> None:
    with pytest.raises(varvite.NoSuchNodeError, match=str(id)):
        zlib.node(id)
    with pytest.raises(varvite.NoSuchNodeError, match=str(id)):
        list(zlib.walk({"version": 1, "hops": [{"direction": "out"}]}, [id]))


def test_an_id_is_a_whole_number(zlib: varvite.Graph) -> None:
    with pytest.raises(TypeError):
        zlib.node(1.5)  # type: ignore[arg-type]


def test_the_first_id_after_the_last_is_no_node(zlib: varvite.Graph) -> None:
    with pytest.raises(varvite.NoSuchNodeError) as raised:
        zlib.node(zlib.id_limit)
    assert isinstance(raised.value, IndexError)


def test_a_pipeline_has_a_method_for_every_step(zlib: varvite.Graph) -> None:
    calls = zlib.pipeline().nodes("CALL").has("NAME", "memcpy")
    assert calls.count().first() == len(calls.to_list())
    by_method = calls.group_count(Key.first(it().nearest_ancestor("METHOD").values("NAME"))).to_list()
    assert sum(row["count"] for row in by_method) == len(calls.to_list())
    many = zlib.pipeline().nodes("CALL").has("NAME", contains("mem")).has("LINE_NUMBER", gt(100))
    assert {edge.label for edge in many.out_edges("ARGUMENT")} == {"ARGUMENT"}
    assert "nodes" in many.explain() or "scan" in many.explain()


def test_a_query_of_joern_gives_rows_and_values(zlib: varvite.Graph) -> None:
    names = zlib.ask("cpg.method.name.l").to_list()
    assert "inflate" in names and len(names) == len(zlib.nodes("METHOD"))
    assert zlib.ask("cpg.method.size") == len(names)
    assert zlib.ask('cpg.method.name("inflate").fullName.head') == "inflate"
    assert zlib.ask('cpg.method.name("inflate").nonEmpty') is True
    assert zlib.ask("(cpg.method.size, cpg.call.size)") == (len(names), len(zlib.nodes("CALL")))
    assert zlib.ask("cpg.method.size + 1") == len(names) + 1


def test_a_query_that_is_not_understood_shows_the_place(zlib: varvite.Graph) -> None:
    with pytest.raises(varvite.PlanError, match="1:.*"):
        zlib.ask("cpg.method.nam.l")


def test_a_plan_takes_parameters(zlib: varvite.Graph) -> None:
    plan = """{"version": 1, "parameters": {"name": "text"}, "steps": [
      {"step": "nodes", "labels": ["METHOD"]},
      {"step": "has", "property": "NAME", "is": {"eq": {"param": "name"}}}]}"""
    assert [node.NAME for node in zlib.query(plan, {"name": "inflate"})] == ["inflate"]
    with pytest.raises(varvite.PlanError, match="name"):
        zlib.query(plan)


def test_an_error_has_the_number_of_the_page(tmp_path: pathlib.Path) -> None:
    with pytest.raises(OSError) as missing:
        varvite.open(tmp_path / "missing.varvite")
    assert isinstance(missing.value, varvite.IoError) and missing.value.code == -10
    other = tmp_path / "other.varvite"
    other.write_text("no graph" * 1000)
    with pytest.raises(varvite.NotVarviteError, match="other.varvite"):
        varvite.open(other)


def test_a_budget_ends_a_run(zlib: varvite.Graph) -> None:
    sorted_calls = zlib.pipeline().nodes().order_by(Key.label())
    with pytest.raises(varvite.OverBudgetError) as raised:
        sorted_calls.run(memory=1000).to_list()
    assert isinstance(raised.value, MemoryError)
    with pytest.raises(varvite.ArgumentError, match="seconds"):
        sorted_calls.run(seconds=-1.0)
    with pytest.raises(varvite.ArgumentError, match="batch_rows"):
        list(sorted_calls.run(batch_rows=0))


def endless(graph: varvite.Graph) -> varvite.Pipeline:
    """A query that would take years."""
    every = it().union(it().out("AST"), it().in_("AST"), it())
    return graph.pipeline().nodes().repeat(varvite.Repeat.of(every).times(60)).count()


def test_a_time_limit_ends_a_run(zlib: varvite.Graph) -> None:
    begun = time.monotonic()
    with pytest.raises(varvite.CancelledError):
        endless(zlib).run(seconds=0.1).to_list()
    assert time.monotonic() - begun < 5


def test_ctrl_c_ends_a_query(zlib: varvite.Graph) -> None:
    def interrupt() -> None:
        os.kill(os.getpid(), signal.SIGINT)

    # 50 ms on a quiet machine; tests share theirs.
    assert seconds_after(interrupt, endless(zlib).run(seconds=60.0).to_list) < 1


def test_other_threads_work_during_a_query(zlib: varvite.Graph) -> None:
    def work() -> None:
        with pytest.raises(varvite.CancelledError):
            endless(zlib).run(seconds=0.3).to_list()

    assert turns_beside(work) > 20


def test_two_threads_cannot_share_a_run(zlib: varvite.Graph) -> None:
    run = endless(zlib).run(seconds=2.0)._plan.run({"threads": 1, "memory": None, "seconds": 1.0, "batch_rows": 1})
    first = threading.Thread(target=lambda: pytest.raises(varvite.CancelledError, run.next))
    first.start()
    time.sleep(0.2)
    with pytest.raises(varvite.ArgumentError, match="another thread"):
        run.next()
    run.cancel()
    first.join()


def test_the_command_is_part_of_the_package(zlib_path: pathlib.Path) -> None:
    info = subprocess.run([sys.executable, "-m", "varvite", "info", zlib_path], capture_output=True, text=True)
    assert info.returncode == 0 and "METHOD" in info.stdout
    missing = subprocess.run([sys.executable, "-m", "varvite", "info", "missing"], capture_output=True, text=True)
    assert missing.returncode == 3 and "missing" in missing.stderr
