"""Random calls: whatever a caller passes, the answer is a result or an exception with a message."""

from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import varvite

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
