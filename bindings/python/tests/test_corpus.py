"""Many graphs: questions to all of them, files that fail, an index of names, and copied functions."""

import contextlib
import json
import os
import pathlib
import pickle
import shutil
import signal
import subprocess
import sys
import threading
import time
import warnings
from collections.abc import Callable, Iterator
from typing import Any

import duckdb
import polars
import pyarrow
import pytest

import varvite
from conftest import ROOT
from threads import seconds_after, turns_beside
from varvite import Key, contains, gt, it, regex


def import_content(target: pathlib.Path) -> pathlib.Path:
    """The graph of a small program."""
    varvite.import_(ROOT / "examples/data/content.cpg.bin", target, progress=False)
    return target


@pytest.fixture(scope="session")
def sources(zlib_path: pathlib.Path, tmp_path_factory: pytest.TempPathFactory) -> pathlib.Path:
    """A folder of three graphs: zlib, a small program, and zlib with a label, properties and a node more."""
    folder = tmp_path_factory.mktemp("graphs")
    (folder / "vendored").mkdir()
    shutil.copy(zlib_path, folder / "a.varvite")
    import_content(folder / "b.varvite")
    shutil.copy(zlib_path, folder / "vendored/c.varvite")
    declared = [{"declare_property": {"name": "RISK", "type": kind, "cardinality": "optional"}} for kind in ("i8", "u64")]
    small, large = ({"set": {"node": 7, "property": "RISK", "value": value}} for value in (-5, 2**40))
    varvite.apply(folder / "a.varvite", [declared[0], small])
    varvite.apply(
        folder / "vendored/c.varvite",
        [
            declared[1],
            large,
            {"declare_label": "SINK"},
            {"add_node": {"labels": ["CALL", "SINK"], "properties": {"NAME": "memcpy"}}},
        ],
    )
    return folder


@pytest.fixture
def folder(sources: pathlib.Path, tmp_path: pathlib.Path) -> pathlib.Path:
    """A copy of the folder, for tests that change it."""
    return pathlib.Path(shutil.copytree(sources, tmp_path / "corpus"))


@pytest.fixture
def corpus(sources: pathlib.Path) -> Iterator[varvite.Corpus]:
    """The corpus of the folder."""
    with varvite.open_corpus(sources) as corpus:
        yield corpus


def names(corpus: varvite.Corpus) -> list[str]:
    """The names of the files, without the folder."""
    return [pathlib.Path(path).name for path in corpus.paths]


def alone(corpus: varvite.Corpus, ask: Callable[[varvite.Graph], Any]) -> list[tuple[str, Any]]:
    """The answers of each graph on its own, with its path."""
    answers = []
    for path in corpus.paths:
        with varvite.open(path) as graph:
            answers += [(path, answer) for answer in ask(graph)]
    return answers


def damage(path: pathlib.Path) -> None:
    """Damages every column of a graph, so that it still opens."""
    content = bytearray(path.read_bytes())
    content[8192:] = bytes(byte ^ 0x55 for byte in content[8192:-4096]) + content[-4096:]
    path.write_bytes(content)


def test_a_corpus_lists_a_folder_a_pattern_a_file_or_paths(sources: pathlib.Path, corpus: varvite.Corpus) -> None:
    assert names(corpus) == ["a.varvite", "b.varvite", "c.varvite"] and len(corpus) == 3
    assert corpus.paths == sorted(corpus.paths) and corpus.open_count == 0
    assert repr(corpus) == f"<corpus of 3 graphs: {sources}>"
    for words, found in [
        (f"{sources}/*.varvite", ["a.varvite", "b.varvite"]),
        (f"{sources}/**/c.*", ["c.varvite"]),
        (sources / "b.varvite", ["b.varvite"]),
        ([sources / "b.varvite", str(sources / "a.varvite")], ["b.varvite", "a.varvite"]),
        ([], []),
    ]:
        with varvite.open_corpus(words) as listed:  # type: ignore[arg-type]
            assert names(listed) == found
            assert [row["value"] for row in listed.ask("cpg.all.size > 9")] == [True] * len(found)


def test_what_names_no_file_is_an_error_that_says_what_to_do(tmp_path: pathlib.Path) -> None:
    with pytest.raises(varvite.IoError, match="no .varvite file"):
        varvite.open_corpus(tmp_path)
    with pytest.raises(varvite.IoError, match=r"no file matches .* quote a pattern"):
        varvite.open_corpus(f"{tmp_path}/*.varvite")
    with pytest.raises(varvite.ArgumentError, match="not a pattern"):
        varvite.open_corpus(f"{tmp_path}/[")
    with pytest.raises(TypeError):
        varvite.open_corpus(7)  # type: ignore[arg-type]
    with pytest.raises((OverflowError, TypeError)):
        varvite.open_corpus([], memory=-1)


def test_a_file_with_two_names_is_read_once(folder: pathlib.Path) -> None:
    os.link(folder / "a.varvite", folder / "z.varvite")
    corpus = varvite.open_corpus(folder)
    assert names(corpus) == ["a.varvite", "b.varvite", "c.varvite"]
    assert corpus.other_names == {str(folder / "z.varvite"): str(folder / "a.varvite")}


def test_rows_are_those_of_each_graph_with_its_path_first(corpus: varvite.Corpus) -> None:
    query = 'cpg.method.name("(inflate|main).*").l'
    rows = list(corpus.ask(query))
    assert [(row["graph"], row["node"]) for row in rows] == [
        (path, node.id) for path, node in alone(corpus, lambda graph: graph.ask(query))
    ]
    assert rows and list(rows[0]) == ["graph", "node"]
    found = corpus.graph(rows[0]["graph"]).node(rows[0]["node"])
    assert (found.label, found.NAME) == ("METHOD", "main")
    assert [row["graph"] for row in rows] == sorted(row["graph"] for row in rows)


def test_values_are_a_row_for_each_graph(corpus: varvite.Corpus) -> None:
    for query in ["cpg.call.size", "cpg.method.nonEmpty", 'cpg.method.name.take(2).mkString("/")']:
        values = [(row["graph"], row["value"]) for row in corpus.ask(query)]
        assert values == alone(corpus, lambda graph: [graph.ask(query)])
    pair = list(corpus.ask("(cpg.method.size, cpg.method.name.take(1).l)"))
    assert [list(row)[0] for row in pair] == ["graph"] * 6 and "value" in pair[0] and "value" not in pair[1]
    heads = [(row["graph"], row["value"]) for row in corpus.ask("cpg.method.name.head")]
    assert heads == alone(corpus, lambda graph: [graph.ask("cpg.method.name.head")])


def test_a_pipeline_of_all_graphs_runs_in_each(corpus: varvite.Corpus) -> None:
    pipeline = corpus.pipeline().nodes("CALL").has("NAME", contains("mem")).columns("NAME", "LINE_NUMBER")
    of_one = lambda graph: varvite.Pipeline(pipeline.steps, graph)  # noqa: E731
    expected = [{"graph": path, **row} for path, row in alone(corpus, of_one)]
    assert list(pipeline) == expected and len(expected) > 20
    assert list(corpus.query(pipeline.to_json())) == expected
    assert pipeline.first() == expected[0] and pipeline.to_list() == expected
    plan = """{"version": 1, "parameters": {"name": "text"}, "steps": [{"step": "nodes", "labels": ["METHOD"]},
        {"step": "has", "property": "NAME", "is": {"eq": {"param": "name"}}}, {"step": "count"}]}"""
    counted = [next(value for key, value in row.items() if key != "graph") for row in corpus.query(plan, {"name": "inflate"})]
    assert counted == [1, 0, 1]
    with pytest.raises(TypeError, match="a plan of its own"):
        pipeline.explain()
    assert "nodes" in pipeline._repr_html_()


def test_find_has_the_nodes_and_the_chosen_columns(corpus: varvite.Corpus) -> None:
    rows = list(corpus.find("METHOD", ["NAME", Key.property("LINE_NUMBER")], NAME=regex("deflate.*"), LINE_NUMBER=gt(500)))
    assert rows and {tuple(row) for row in rows} == {("graph", "node", "NAME", "LINE_NUMBER")}
    for row in rows:
        node = corpus.graph(row["graph"]).node(row["node"])
        assert (node.label, node.NAME, node.LINE_NUMBER) == ("METHOD", row["NAME"], row["LINE_NUMBER"])
        assert row["LINE_NUMBER"] > 500
    assert [row["node"] for row in corpus.find("METHOD", NAME="inflate")] == [
        node.id for _, node in alone(corpus, lambda graph: graph.pipeline().nodes("METHOD").has("NAME", "inflate"))
    ]


def test_edges_and_lists_are_plain_objects(corpus: varvite.Corpus) -> None:
    edges = list(corpus.pipeline().edges("CALL").limit(2))
    of_one = lambda graph: graph.pipeline().edges("CALL").limit(2)  # noqa: E731
    assert [(row["graph"], row["edge"]["label"], row["edge"]["source"]) for row in edges] == [
        (path, edge.label, edge.source.id) for path, edge in alone(corpus, of_one)
    ]
    lists = corpus.pipeline().nodes("METHOD").limit(1).columns(Key.list(it().out("AST")).named("below"))
    assert [row["below"] for row in lists] == [
        [node.id for node in row["below"]]
        for _, row in alone(corpus, lambda graph: varvite.Pipeline(lists.steps, graph))
    ]
    paths = corpus.pipeline().nodes("METHOD").limit(1).out("AST").limit(1).path()
    assert all(list(row)[0] == "graph" and len(row) > 1 for row in paths)


def test_arrow_libraries_read_all_graphs_as_one_table(corpus: varvite.Corpus) -> None:
    rows = corpus.find("METHOD", ["NAME", "LINE_NUMBER", "IS_EXTERNAL"])
    expected = list(rows)
    table = pyarrow.table(rows)
    assert table.to_pylist() == expected and len(expected) > 800
    types = {field.name: str(field.type) for field in table.schema}
    assert types["node"] == "uint32" and types["LINE_NUMBER"] == "int64" and types["IS_EXTERNAL"] == "bool"
    frame = polars.DataFrame(rows)
    assert frame["graph"].cast(polars.String).to_list() == [row["graph"] for row in expected]
    counted = duckdb.connect().execute("select count(*), count(distinct graph) from rows").fetchone()
    assert counted == (len(expected), 3)
    nobody = pyarrow.table(corpus.find("METHOD", ["NAME"], NAME="no such function"))
    assert nobody.num_rows == 0 and nobody.column_names == ["graph", "node", "NAME"]


def test_numbers_of_different_widths_are_one_column(corpus: varvite.Corpus) -> None:
    rows = corpus.pipeline().nodes().has_any("RISK").columns("RISK")
    with pytest.warns(varvite.CorpusWarning, match="1 of 3 graphs have no rows"):
        table = pyarrow.table(rows)
    assert table["RISK"].to_pylist() == [-5, 2**40] and str(table.schema.field("RISK").type) == "int64"


def test_a_value_that_fits_no_column_fails_its_file_by_name(folder: pathlib.Path) -> None:
    text: list[dict[str, Any]] = [
        {"declare_property": {"name": "RISK", "type": "string", "cardinality": "optional"}},
        {"set": {"node": 7, "property": "RISK", "value": "high"}},
    ]
    varvite.apply(folder / "b.varvite", text)
    rows = varvite.open_corpus(folder).pipeline().nodes().has_any("RISK").columns("RISK").run()
    assert [row["RISK"] for row in rows] == [-5, "high", 2**40]
    with pytest.warns(varvite.CorpusWarning, match=r"1 of 3 files failed.*b\.varvite.*RISK"):
        table = pyarrow.table(rows)
    assert table["RISK"].to_pylist() == [-5, 2**40]
    assert isinstance(rows, varvite.CorpusRows) and isinstance(rows.failures[0].error, varvite.WrongTypeError)
    strict = varvite.open_corpus(folder, strict=True).pipeline().nodes().has_any("RISK").columns("RISK")
    with pytest.raises(Exception, match=r"b\.varvite.*RISK"):
        pyarrow.table(strict)


def test_columns_that_the_first_rows_lack_are_named(corpus: varvite.Corpus) -> None:
    with pytest.warns(varvite.CorpusWarning, match="left out: NAME"):
        table = pyarrow.table(corpus.ask("(cpg.method.size, cpg.method.name.take(1).l)"))
    assert table.num_rows == 6 and table["value"].null_count == 3


def test_a_column_named_graph_keeps_its_name(folder: pathlib.Path) -> None:
    corpus = varvite.open_corpus(folder)
    rows = list(corpus.pipeline().nodes("METHOD").limit(1).columns(Key.property("NAME").named("graph")))
    assert [list(row) for row in rows] == [["graph_file", "graph"]] * 3
    assert [row["graph_file"] for row in rows] == corpus.paths
    table = pyarrow.table(corpus.pipeline().nodes("METHOD").limit(1).columns(Key.property("NAME").named("graph")))
    assert table.column_names == ["graph_file", "graph"]


def test_files_that_fail_are_named_and_the_rest_is_answered(folder: pathlib.Path) -> None:
    whole = list(varvite.open_corpus(folder).ask("cpg.method.size"))
    (folder / "b.varvite").write_text("not a graph")
    (folder / "d.varvite").write_text("")
    (folder / "e.varvite").symlink_to(folder / "missing")
    corpus = varvite.open_corpus(folder)
    rows = corpus.ask("cpg.method.size")
    with pytest.warns(varvite.CorpusWarning, match=r"3 of 5 files failed.*b\.varvite.*d\.varvite.*e\.varvite") as warned:
        answered = list(rows)
    assert answered == [whole[0], whole[2]] and len(warned) == 1
    assert warned[0].filename == __file__
    kinds = [(pathlib.Path(path).name, type(error)) for path, error in rows.failures]
    assert kinds[0] == ("b.varvite", varvite.NotVarviteError) and [name for name, _ in kinds][1:] == ["d.varvite", "e.varvite"]
    with pytest.warns(varvite.CorpusWarning, match="3 of 5 files failed"):
        assert pyarrow.table(rows)["value"].to_pylist() == [row["value"] for row in answered]
    assert len(rows.failures) == 3
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(varvite.CorpusWarning):
            list(rows)


def test_a_reader_on_another_thread_is_warned_too(folder: pathlib.Path) -> None:
    (folder / "b.varvite").write_text("not a graph")
    stream = varvite.open_corpus(folder).ask("cpg.method.size").__arrow_c_stream__()
    with warnings.catch_warnings(record=True) as warned:
        warnings.simplefilter("always")
        reader = pyarrow.RecordBatchReader._import_from_c_capsule(stream)
        thread = threading.Thread(target=reader.read_all)
        thread.start()
        thread.join()
        waited = time.monotonic() + 10
        while not warned and time.monotonic() < waited:
            time.sleep(0.01)
    assert [str(each.message) for each in warned][0].startswith("1 of 3 files failed")


def test_damage_that_a_question_reads_fails_its_file(folder: pathlib.Path) -> None:
    damage(folder / "a.varvite")
    corpus = varvite.open_corpus(folder, checked=True)
    rows = corpus.ask("cpg.call.code.l")
    with pytest.warns(varvite.CorpusWarning, match=r"1 of 3 files failed.*a\.varvite"):
        answered = list(rows)
    assert {row["graph"] for row in answered} >= set(corpus.paths[1:])
    assert isinstance(rows.failures[0].error, varvite.DamagedError)


def test_strict_stops_at_the_first_file_that_fails(folder: pathlib.Path) -> None:
    (folder / "b.varvite").write_text("not a graph")
    corpus = varvite.open_corpus(folder, strict=True)
    rows, read = corpus.ask("cpg.method.size"), []
    with pytest.raises(varvite.NotVarviteError, match=r"b\.varvite"):
        for row in rows:
            read.append(row["graph"])
    assert read == corpus.paths[:1]
    with pytest.raises(OSError, match=r"b\.varvite"):
        pyarrow.table(rows)
    with pytest.raises(varvite.NotVarviteError, match=r"b\.varvite"):
        corpus.index(folder / "index", progress=False)
    assert not (folder / "index").exists()


@pytest.mark.skipif(os.geteuid() == 0, reason="root reads every folder")
def test_a_folder_that_cannot_be_read_is_a_failure(folder: pathlib.Path) -> None:
    (folder / "vendored").chmod(0)
    try:
        corpus = varvite.open_corpus(folder)
        assert [failed.path for failed in corpus.unreadable] == [str(folder / "vendored")]
        with pytest.warns(varvite.CorpusWarning, match="vendored"):
            list(corpus.ask("cpg.all.size"))
        with pytest.raises(varvite.IoError, match="vendored"):
            varvite.open_corpus(folder, strict=True)
    finally:
        (folder / "vendored").chmod(0o700)


def test_a_graph_that_lacks_a_name_has_no_rows(corpus: varvite.Corpus) -> None:
    rows = corpus.find("SINK", ["NAME"])
    with pytest.warns(varvite.CorpusWarning, match=r"2 of 3 graphs have no rows: .*SINK"):
        answered = list(rows)
    assert [(row["graph"], row["NAME"]) for row in answered] == [(corpus.paths[2], "memcpy")]
    assert rows.without_rows == 2 and rows.failures == []
    # In Joern's language a name of the schema that a file lacks is no mistake: no node has it.
    assert [row["value"] for row in corpus.ask("cpg.tag.size")] == [0, 0, 0]
    with pytest.warns(varvite.CorpusWarning, match="1 of 3 graphs"):
        heads = list(corpus.ask('cpg.method.name("inflate").fullName.head'))
    assert [row["value"] for row in heads] == ["inflate", "inflate"]


def test_a_name_that_every_graph_lacks_is_an_error(corpus: varvite.Corpus) -> None:
    for read in (list, pyarrow.table):
        with pytest.raises(varvite.UnknownError, match='"METHODS".*METHOD'):
            read(corpus.find("METHODS"))
    with pytest.raises(LookupError, match="headOption"):
        list(corpus.ask('cpg.method.name("no such").fullName.head'))
    with pytest.raises(varvite.NoSuchNodeError):
        list(corpus.pipeline().ids([2**31]))


def test_a_question_that_is_wrong_for_every_graph_is_an_error_at_once(corpus: varvite.Corpus) -> None:
    with pytest.raises(varvite.PlanError, match="cpg.nothing"):
        corpus.ask("cpg.nothing")
    with pytest.raises(varvite.PlanError):
        corpus.query("{}")
    with pytest.raises(varvite.PlanError):
        corpus.query('{"version": 1, "steps": []}', {"name": 1})
    for read in (list, pyarrow.table):
        with pytest.raises(varvite.Error) as raised:
            read(corpus.pipeline().nodes("METHOD").has("NAME", gt(3)))
        assert not isinstance(raised.value, varvite.UnknownError)
    with pytest.raises(varvite.ArgumentError, match="batch_rows"):
        list(corpus.ask("cpg.all.size", batch_rows=0))
    with pytest.raises(varvite.ArgumentError, match="seconds"):
        list(corpus.ask("cpg.all.size", seconds=-1))


def test_three_hundred_files_answer_in_their_order(tmp_path: pathlib.Path) -> None:
    small = import_content(tmp_path / "0000.varvite")
    for number in range(1, 300):
        shutil.copy(small, tmp_path / f"{number:04}.varvite")
    corpus = varvite.open_corpus(tmp_path, open_max=5)
    one = len(varvite.open(small).nodes("CALL"))
    for threads in (1, 2, 7):
        rows = list(corpus.ask("cpg.call.size", threads=threads))
        assert [row["graph"] for row in rows] == corpus.paths and {row["value"] for row in rows} == {one}
        assert corpus.open_count <= 5
    calls = pyarrow.table(corpus.find("CALL", ["NAME"]))
    assert calls.num_rows == 300 * one
    batches = [batch.num_rows for batch in calls.to_batches()]
    assert len(batches) >= 300


def test_little_memory_still_answers_or_says_so(corpus: varvite.Corpus) -> None:
    expected = list(corpus.ask("cpg.call.code.l"))
    assert list(corpus.ask("cpg.call.code.l", memory=1 << 20)) == expected
    table = pyarrow.table(corpus.ask("cpg.call.code.l", memory=1 << 20))
    assert table.num_rows == len(expected) and len(table.to_batches()) > 10
    rows = corpus.query(corpus.pipeline().nodes().values("CODE").dedup().count().to_json(), memory=1)
    with pytest.warns(varvite.CorpusWarning):
        list(rows)
    assert rows.failures and all(isinstance(failed.error, MemoryError) for failed in rows.failures)


def test_a_graph_of_a_corpus_is_a_graph(sources: pathlib.Path) -> None:
    corpus = varvite.open_corpus(sources)
    graph = corpus.graph(0)
    assert graph.path == corpus.paths[0] == corpus.graph(corpus.paths[0]).path and corpus.open_count == 1
    assert corpus.graph(-1).path == corpus.paths[-1]
    assert graph.ask("cpg.method.size") == varvite.open(corpus.paths[0]).ask("cpg.method.size")
    with pytest.raises(KeyError, match="no path of this corpus"):
        corpus.graph("missing.varvite")
    with pytest.raises(IndexError):
        corpus.graph(3)
    corpus.close()
    assert graph.node(0).label
    graph.close()
    with pytest.raises(varvite.GraphClosedError, match=r"varvite\.open$"):
        graph.node(0)


def test_a_file_that_was_replaced_is_not_taken_for_the_first(folder: pathlib.Path) -> None:
    corpus = varvite.open_corpus(folder, open_max=1)
    list(corpus.ask("cpg.method.size", threads=1))
    os.replace(folder / "b.varvite", folder / "a.varvite")
    rows = corpus.ask("cpg.method.size")
    with pytest.warns(varvite.CorpusWarning, match="replaced since this corpus opened it"):
        assert len(list(rows)) == 1
    assert isinstance(rows.failures[0].error, varvite.ReplacedError)


def test_after_close_every_call_is_an_error(folder: pathlib.Path) -> None:
    corpus = varvite.open_corpus(folder)
    rows, reading = corpus.ask("cpg.call.code.l"), iter(corpus.ask("cpg.call.code.l"))
    next(reading)
    table = pyarrow.RecordBatchReader._import_from_c_capsule(rows.__arrow_c_stream__())
    with corpus:
        assert not corpus.closed
    assert corpus.closed and repr(corpus).startswith("<closed corpus")
    calls: list[Callable[[], Any]] = [
        lambda: corpus.paths,
        lambda: len(corpus),
        lambda: corpus.open_count,
        lambda: corpus.unreadable,
        lambda: corpus.other_names,
        lambda: corpus.ask("cpg.all.size"),
        lambda: list(rows),
        lambda: rows.__arrow_c_stream__(),
        lambda: list(reading),
        lambda: corpus.find("METHOD"),
        lambda: corpus.graph(0),
        lambda: corpus.index(folder / "index", progress=False),
    ]
    for call in calls:
        with pytest.raises(varvite.GraphClosedError, match=r"varvite\.open_corpus$"):
            call()
    # A stream that was begun keeps what it needs.
    assert table.read_all().num_rows > 1000
    corpus.close()


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_a_fork_opens_the_corpus_again(corpus: varvite.Corpus) -> None:
    list(corpus.ask("cpg.all.size"))
    child = os.fork()
    if child == 0:
        try:
            len(corpus)
        except varvite.GraphClosedError as error:
            os._exit(7 if "fork" in str(error) else 8)
        os._exit(9)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 7


def threads_of_corpora() -> int:
    """The number of threads that visit a corpus."""
    found = 0
    for task in pathlib.Path("/proc/self/task").iterdir():
        with contextlib.suppress(OSError):
            found += (task / "comm").read_text().startswith("varvite corpus")
    return found


@pytest.mark.skipif(not pathlib.Path("/proc/self/task").exists(), reason="the system lists no threads")
def test_a_reader_that_stops_early_ends_the_question(corpus: varvite.Corpus) -> None:
    assert corpus.ask("cpg.call.code.l").first()["graph"] == corpus.paths[0]
    rows = corpus.ask("cpg.call.code.l")
    reading = iter(rows)
    next(reading)
    assert threads_of_corpora() > 0
    del reading
    assert threads_of_corpora() == 0
    reader = pyarrow.RecordBatchReader._import_from_c_capsule(rows.__arrow_c_stream__())
    reader.read_next_batch()
    del reader
    rows.__arrow_c_stream__()
    assert threads_of_corpora() == 0


def endless(corpus: varvite.Corpus) -> varvite.Pipeline:
    """A question that would take years in each graph."""
    every = it().union(it().out("AST"), it().in_("AST"), it())
    return corpus.pipeline().nodes().repeat(varvite.Repeat.of(every).times(60)).count()


def test_a_time_limit_ends_a_question(corpus: varvite.Corpus) -> None:
    for read in (list, pyarrow.table):
        begun = time.monotonic()
        with pytest.raises(varvite.CancelledError):
            read(endless(corpus).run(seconds=0.1))
        assert time.monotonic() - begun < 5


def slow_rows(corpus: varvite.Corpus) -> varvite.Pipeline:
    """A question with a row, and then none for years."""
    every = it().union(it().out("AST"), it().in_("AST"), it())
    years = it().repeat(varvite.Repeat.of(every).times(60)).count()
    return corpus.pipeline().nodes("METHOD").limit(1).union(it().count(), years)


@pytest.mark.parametrize("read", [list, pyarrow.table, "stream"])
def test_ctrl_c_ends_a_question(corpus: varvite.Corpus, read: Any) -> None:
    def work() -> None:
        if read == "stream":
            read_stream(corpus)
        else:
            read(endless(corpus).run(seconds=60.0))

    # The first table makes pyarrow look for pandas.
    pyarrow.table(corpus.ask("cpg.all.size"))
    # 50 ms on a quiet machine; tests share theirs.
    assert seconds_after(lambda: signal.raise_signal(signal.SIGINT), work) < 1


def read_stream(corpus: varvite.Corpus) -> None:
    """Reads a stream whose first rows come at once, and the others never."""
    rows = slow_rows(corpus).run(threads=1, seconds=60.0, batch_rows=1)
    reader = pyarrow.RecordBatchReader._import_from_c_capsule(rows.__arrow_c_stream__())
    try:
        while True:
            reader.read_next_batch()
    except OSError as error:
        assert "cancelled" in str(error)
        time.sleep(5)


def test_other_threads_work_during_a_question(corpus: varvite.Corpus) -> None:
    def work() -> None:
        with pytest.raises(varvite.CancelledError):
            endless(corpus).run(seconds=0.3).to_list()

    assert turns_beside(work) > 20


def test_threads_ask_one_corpus_at_once(corpus: varvite.Corpus) -> None:
    expected, found = list(corpus.ask("cpg.method.name.l")), []
    threads = [threading.Thread(target=lambda: found.append(list(corpus.ask("cpg.method.name.l")))) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [expected] * 4


def test_an_index_links_names_across_files(folder: pathlib.Path) -> None:
    corpus = varvite.open_corpus(folder)
    target = folder / "index.varvite"
    steps: list[str] = []
    first = corpus.index(target, progress=lambda step, *_: steps.append(step))
    assert (first.read, first.unchanged, first.failures) == (3, 0, []) and steps
    assert first.imports == first.linked + first.ambiguous + first.unknown and first.functions > 300
    assert first.file_bytes == target.stat().st_size
    with varvite.open(target) as index:
        assert len(index.nodes("FILE")) == 3 and len(index.nodes("METHOD")) == first.functions + first.imports
    # The index is in the folder now, and is not one of the graphs.
    again = varvite.open_corpus(folder).index(target, progress=False)
    assert again == first._replace(read=0, unchanged=3)
    groups = varvite.clones(target, lines_min=10)
    assert groups and groups == sorted(groups, key=lambda group: -group.lines)
    names = {function.full_name for group in groups for function in group.functions}
    assert "inflate" in names and all(len(group.functions) > 1 and group.lines >= 10 for group in groups)
    assert {function.graph for group in groups for function in group.functions} <= set(corpus.paths)
    function = next(each for group in groups for each in group.functions if each.full_name == "inflate")
    node = corpus.graph(function.graph).node(function.node)
    assert (node.FULL_NAME, node.FILENAME, node.LINE_NUMBER) == ("inflate", function.file, function.line)
    assert varvite.clones(target, lines_min=10**6) == []
    near = varvite.clones(target, lines_min=10, near=0.8)
    assert {each for group in groups for each in group.functions} <= {each for group in near for each in group.functions}
    assert {group.likeness for group in groups} == {1.0} and all(0.8 <= group.likeness <= 1 for group in near)
    with pytest.raises(varvite.ArgumentError, match="near is 0.4: it has to be from 0.5 to 1"):
        varvite.clones(target, near=0.4)


def test_an_index_names_the_files_that_fail(folder: pathlib.Path) -> None:
    (folder / "b.varvite").write_text("not a graph")
    with pytest.warns(varvite.CorpusWarning, match=r"1 of 3 files failed.*b\.varvite") as warned:
        indexed = varvite.open_corpus(folder).index(folder / "index", progress=False)
    assert indexed.read == 2 and [type(failed.error) for failed in indexed.failures] == [varvite.NotVarviteError]
    assert warned[0].filename == __file__
    with pytest.warns(varvite.CorpusWarning, match="not compared: 0 functions .* those of 1 graphs and 0 folders"):
        varvite.clones(folder / "index")


def deep_folder(folder: pathlib.Path) -> pathlib.Path:
    """Makes a folder so deep that its files are not listed, which root may not read either."""
    deep = folder.joinpath(*["d"] * 65)
    deep.mkdir(parents=True)
    return deep


def test_an_index_counts_folders_that_could_not_be_read(folder: pathlib.Path, tmp_path: pathlib.Path) -> None:
    deep, target = deep_folder(folder), tmp_path / "index.varvite"
    with pytest.warns(varvite.CorpusWarning, match="more than 64 folders"):
        indexed = varvite.open_corpus(folder).index(target, progress=False)
    assert [failed.path for failed in indexed.failures] == [str(deep)]
    with varvite.open(target) as index:
        (counts,) = index.nodes("CORPUS")
        assert (counts.FILES, counts.FAILED, counts.UNREADABLE) == (3, 0, 1)
    with pytest.warns(varvite.CorpusWarning, match="0 graphs and 1 folders that could not be read"):
        varvite.clones(target)


def test_a_name_that_only_a_folder_might_have_is_no_error(folder: pathlib.Path) -> None:
    deep_folder(folder)
    rows = varvite.open_corpus(folder).find("METHODS")
    with pytest.warns(varvite.CorpusWarning) as warned:
        assert list(rows) == []
    messages = [str(each.message) for each in warned]
    assert "more than 64 folders" in messages[0] and messages[1].startswith("3 of 3 graphs have no rows: ")


def test_another_graph_is_no_index(folder: pathlib.Path, zlib_path: pathlib.Path) -> None:
    target = shutil.copy(zlib_path, folder.parent / "zlib.varvite")
    with pytest.raises(varvite.ArgumentError, match="not an index"):
        varvite.open_corpus(folder).index(target, progress=False)
    with pytest.raises(varvite.ArgumentError, match="not an index"):
        varvite.clones(target)
    with pytest.raises(varvite.IoError):
        varvite.clones(folder / "missing")
    with pytest.raises(varvite.OverBudgetError):
        varvite.open_corpus(folder).index(folder.parent / "index", memory=1000, progress=False)
    assert not (folder.parent / "index").exists()


def test_names_of_files_cannot_disturb_a_terminal(folder: pathlib.Path) -> None:
    (folder / "\x1b[31mred\u202e\n.varvite").write_text("not a graph")
    (folder / os.fsdecode(b"\xff.varvite")).write_text("not a graph")
    corpus = varvite.open_corpus(folder)
    with pytest.warns(varvite.CorpusWarning, match="2 of 5 files failed") as warned:
        list(corpus.ask("cpg.all.size"))
    assert str(warned[0].message).isprintable()
    assert os.path.exists(corpus.paths[-1]) and all(map(os.path.exists, corpus.paths))
    with pytest.warns(varvite.CorpusWarning, match="2 of 5 files failed"):
        page = corpus.ask("cpg.method.name.take(2).l")._repr_html_()
    assert "\x1b" not in page and "<table>" in page and "graph" in page


def test_many_failures_are_counted_and_the_first_named(tmp_path: pathlib.Path) -> None:
    import_content(tmp_path / "good.varvite")
    for number in range(25):
        (tmp_path / f"{number:02}.varvite").write_text("not a graph")
    with pytest.warns(varvite.CorpusWarning, match=r"25 of 26 files failed.*00\.varvite.*; and 15 more$"):
        list(varvite.open_corpus(tmp_path).ask("cpg.all.size"))


def test_pickling_is_refused_with_the_way_out(corpus: varvite.Corpus) -> None:
    for thing in (corpus, corpus.ask("cpg.all.size")):
        with pytest.raises(TypeError, match="cannot be pickled: pickle"):
            pickle.dumps(thing)


def test_the_command_answers_alike(corpus: varvite.Corpus, sources: pathlib.Path) -> None:
    for query in ["cpg.call.size", 'cpg.method.name("inflate.*").name.l']:
        command = [sys.executable, "-m", "varvite", "ask", str(sources), query, "--format", "jsonl"]
        printed = subprocess.run(command, check=True, capture_output=True, text=True).stdout
        assert [list(json.loads(line).values()) for line in printed.splitlines()] == [
            list(row.values()) for row in corpus.ask(query)
        ]
