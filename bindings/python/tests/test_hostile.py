"""Random calls: whatever a caller passes, the answer is a result or an exception with a message.

`make test-python` runs these tests in Python's development mode, which checks the memory of objects and prints the stack
of a crash.
"""

import faulthandler
import itertools
import os
import pathlib
import shutil
import sys
import warnings
from collections.abc import Callable, Iterable
from typing import Any

import igraph
import networkx as nx
import numpy
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import varvite
from conftest import ROOT

NAMES = st.one_of(st.sampled_from(["METHOD", "CALL", "AST", "NAME", "CODE", "LINE_NUMBER"]), st.text(max_size=8))
NUMBERS = st.one_of(st.integers(-3, 50_000), st.integers())
VALUES: st.SearchStrategy[Any] = st.one_of(NAMES, NUMBERS, st.floats(), st.booleans(), st.none())
STEPS = [name for name in dir(varvite.Pipeline) if not name.startswith("_")]
NOT_STEPS = {"steps", "graph", "then", "to_json", "run", "to_list", "first", "explain", "choose", "repeat"}
METHODS = ["node", "nodes", "column", "table", "csr", "edge_table", "ask", "query", "scan", "dataset"]
EXPECTED = (varvite.Error, TypeError, ValueError, OverflowError, AttributeError, LookupError)


@settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(calls=st.lists(st.tuples(st.sampled_from(sorted(set(STEPS) - NOT_STEPS)), st.lists(VALUES, max_size=2)), max_size=4))
def test_random_pipelines_answer_or_raise(zlib: varvite.Graph, calls: list[tuple[str, list[Any]]]) -> None:
    pipeline = zlib.pipeline().nodes("METHOD")
    try:
        for name, arguments in calls:
            pipeline = getattr(pipeline, name)(*arguments)
        for _, _ in zip(pipeline.run(seconds=2.0, memory=1 << 24), range(100)):
            pass
    except EXPECTED as error:
        assert str(error)


@settings(max_examples=200, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(method=st.sampled_from(METHODS), value=VALUES)
def test_random_arguments_answer_or_raise(zlib: varvite.Graph, method: str, value: Any) -> None:
    try:
        answer = getattr(zlib, method)(value)
        if hasattr(answer, "__arrow_c_stream__"):
            answer.__arrow_c_stream__()
        repr(answer)
    except EXPECTED as error:
        assert str(error)


JSON = st.recursive(
    VALUES, lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(NAMES, inner, max_size=3)), max_leaves=6
)
IDS = st.lists(st.one_of(st.integers(-3, 50_000), st.integers()), max_size=4)
LABELS = st.lists(NAMES, max_size=3)
FUNCTION = settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
OF_LIBRARIES = (*EXPECTED, nx.NetworkXException, igraph.InternalError, UserWarning)


def answers_or_raises(call: Callable[[], object]) -> None:
    """Makes a call, and reads the first rows of an answer that has rows."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            answer = call()
            repr(answer)
            if isinstance(answer, Iterable):
                for _ in itertools.islice(answer, 20):
                    pass
        except OF_LIBRARIES as error:
            assert str(error)


HOP = st.fixed_dictionaries(
    {"direction": st.sampled_from(["out", "in", "both", "up"])}, optional={"edge_labels": LABELS, "to": LABELS, "more": VALUES}
)
WALK = st.one_of(
    JSON,
    st.fixed_dictionaries({"version": st.just(1), "hops": st.lists(HOP, max_size=2)}, optional={"evaluators": JSON, "order": VALUES, "unique": JSON}),
)


@FUNCTION
@given(walk=WALK, starts=IDS)
def test_random_walks_answer_or_raise(zlib: varvite.Graph, walk: Any, starts: list[int]) -> None:
    answers_or_raises(lambda: zlib.walk(walk, starts, memory=1 << 22, seconds=2.0))
    answers_or_raises(lambda: zlib.walk(walk, starts, memory=1 << 22, seconds=2.0).paths())


ALGORITHMS: dict[str, Callable[[varvite.Subgraph, list[int], Any], object]] = {
    "components": lambda part, ids, value: part.components(),
    "strong_components": lambda part, ids, value: part.strong_components(),
    "distances": lambda part, ids, value: part.distances(ids),
    "dominators": lambda part, ids, value: part.dominators(ids),
    "generations": lambda part, ids, value: part.generations(),
    "core_numbers": lambda part, ids, value: part.core_numbers(),
    "communities": lambda part, ids, value: part.communities(iterations_max=value),
    "clustering": lambda part, ids, value: part.clustering(),
    "page_rank": lambda part, ids, value: part.page_rank(damping=value, iterations_max=9, tolerance=value),
}


@FUNCTION
@given(name=st.sampled_from(sorted(ALGORITHMS)), edges=LABELS, labels=LABELS, ids=IDS, value=VALUES)
def test_random_algorithms_answer_or_raise(
    zlib: varvite.Graph, name: str, edges: list[str], labels: list[str], ids: list[int], value: Any
) -> None:
    answers_or_raises(lambda: ALGORITHMS[name](zlib.subgraph(*edges, labels=labels, seconds=2.0), ids, value))


@FUNCTION
@given(edges=st.one_of(LABELS, VALUES), form=st.one_of(st.sampled_from(["numpy", "json", "arrow"]), NAMES), ids=IDS, value=VALUES)
def test_random_functions_answer_or_raise(zlib: varvite.Graph, edges: Any, form: str, ids: list[int], value: Any) -> None:
    answers_or_raises(lambda: zlib.functions(edges, form, methods=[293, *ids], seconds=2.0))
    answers_or_raises(lambda: zlib.functions(["AST"], form, methods=ids, token_ids=value, batch_nodes=value))
    answers_or_raises(lambda: next(zlib.functions(["AST"]).batches()).numpy(value))


DTYPES = ["int8", "int16", "int32", "int64", "uint8", "uint32", "uint64", "float32", "float64", "bool", "complex64", "O", "S4", "M8[s]"]


@FUNCTION
@given(
    name=st.sampled_from(["LINE_NUMBER", "NAME", "IS_EXTERNAL", "OVERLAYS"]),
    dtype=st.sampled_from(DTYPES),
    shape=st.one_of(st.just(()), st.sampled_from([(0,), (1,), (2, 3)]), st.integers(-1, 1)),
    step=st.sampled_from([1, -1, 2]),
)
def test_random_arrays_are_filled_or_refused(zlib: varvite.Graph, name: str, dtype: str, shape: Any, step: int) -> None:
    column = zlib.column(name)
    out = numpy.zeros(len(column) + shape if isinstance(shape, int) else shape, dtype)
    out = out[::step] if out.ndim else out
    try:
        filled = column.to_numpy(out)
    except varvite.Error as error:
        assert str(error) and not out.any(), "an array that is refused stays as it is"
    else:
        assert filled is out and numpy.array_equal(out, column.to_numpy())


NETWORKX = ["descendants", "bfs_edges", "pagerank", "immediate_dominators", "shortest_path", "core_number", "nodes", "dfs_tree"]


@FUNCTION
@given(name=st.sampled_from(NETWORKX), edges=LABELS, labels=LABELS, arguments=st.lists(VALUES, max_size=2), is_directed=st.booleans())
def test_random_functions_of_networkx_answer_or_raise(
    zlib: varvite.Graph, name: str, edges: list[str], labels: list[str], arguments: list[Any], is_directed: bool
) -> None:
    chosen = edges or ["CALL"]
    answers_or_raises(
        lambda: getattr(nx, name)(zlib.networkx(*chosen, labels=[*labels, "METHOD"], directed=is_directed), *arguments)
    )
    answers_or_raises(lambda: zlib.igraph(*chosen, labels=[*labels, "METHOD"], properties=arguments).summary())


#: No folders: a corpus would search all that is below them.
FILES = st.one_of(NUMBERS, st.none(), st.floats(), LABELS, st.sampled_from(["no/such", "no/[", "no/**/such", "no\0such"]))
SMALL = sorted((ROOT / "conformance/files").glob("awkward.*.varvite"))
OPERATION = st.dictionaries(
    st.sampled_from(["add_node", "add_edge", "set", "remove_node", "declare_label", "declare_property", "x"]),
    st.one_of(JSON, st.fixed_dictionaries({"node": NUMBERS, "property": NAMES, "value": VALUES})),
    max_size=2,
)


@FUNCTION
@given(operations=st.one_of(st.lists(OPERATION, max_size=3), st.text(max_size=20)), layer=st.one_of(st.none(), st.text(max_size=8)))
def test_random_diffs_are_applied_or_change_nothing(
    tmp_path: pathlib.Path, operations: Any, layer: str | None
) -> None:
    path = tmp_path / "small.varvite"
    shutil.copy(SMALL[0], path)
    try:
        varvite.apply(path, operations, layer=layer, memory=1 << 24)
    except EXPECTED as error:
        assert str(error) and path.read_bytes() == SMALL[0].read_bytes()
    with varvite.open(path, checked=True) as graph:
        assert graph.verify(progress=False) == []


@FUNCTION
@given(add=st.lists(NAMES, max_size=2), drop=st.lists(NAMES, max_size=2), files=FILES, query=st.text(max_size=20))
def test_random_files_and_names_answer_or_raise(
    tmp_path: pathlib.Path, add: list[str], drop: list[str], files: Any, query: str
) -> None:
    path = tmp_path / "small.varvite"
    shutil.copy(SMALL[0], path)
    answers_or_raises(lambda: varvite.index(path, add=add, drop=drop))
    answers_or_raises(lambda: varvite.open_corpus(files))
    answers_or_raises(lambda: varvite.open_corpus([path]).ask(query, seconds=2.0))
    answers_or_raises(lambda: varvite.open(files, memory=1 << 20))


@pytest.mark.parametrize("source", SMALL, ids=lambda path: path.name)
def test_any_byte_of_a_small_file_may_be_damaged(source: pathlib.Path, tmp_path: pathlib.Path) -> None:
    """Readers of a damaged file answer, or raise an error with the name of the damage."""
    content, path = source.read_bytes(), tmp_path / "damaged.varvite"
    for place in range(0, len(content), max(1, len(content) // 25)):
        path.write_bytes(content[:place] + bytes([content[place] ^ 0xFF]) + content[place + 1 :])
        answers_or_raises(lambda: read_all(path))


def read_all(path: pathlib.Path) -> None:
    """Reads the nodes, tables, columns and edges of a file."""
    with varvite.open(path, memory=1 << 24) as graph:
        for node in itertools.islice(graph.nodes(), 50):
            node.properties()
            list(node.out)
        for name, edge_label, *_ in graph.properties:
            column = graph.column(name, edge_label=edge_label)
            column.to_numpy(), column.owners(), column.texts()
        for label in graph.edge_labels:
            graph.csr(label)
        graph.dataset("nodes").to_table()


def test_development_mode_is_what_the_environment_says() -> None:
    assert sys.flags.dev_mode == (os.environ.get("PYTHONDEVMODE") == "1")
    assert faulthandler.is_enabled()
