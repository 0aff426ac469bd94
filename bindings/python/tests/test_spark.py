"""The data source of Spark: its parts, and reads on a cluster of a master and two workers that the tests start."""

import collections
import os
import pathlib
import shutil
from collections.abc import Callable, Iterator
from typing import Any

import networkx
import pyarrow
import pytest
from pyspark.errors import PySparkException
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F
from pyspark.sql.datasource import EqualTo, GreaterThan, In, IsNotNull, IsNull, Not, StringContains

import varvite
import varvite.spark
from cluster import Cluster, session
from conftest import ROOT, imported
from varvite.spark.boundary import BoundaryError
from varvite.spark.columns import SchemaError
from varvite.spark.faults import FileError
from varvite.spark.files import GraphFile, list_files
from varvite.spark.options import OptionError, read_options
from varvite.spark.source import VarviteReader, VarviteSource
from varvite.spark.summaries import planned
from varvite.spark.values import Measure, counts_of, greatest_of
from varvite.spark.versions import check

PLAN = """{"version": 1, "steps": [
    {"step": "nodes", "labels": ["METHOD"]}, {"step": "columns", "columns": ["itself", {"property": "NAME"}]}]}"""


@pytest.fixture(scope="session")
def corpus(zlib_path: pathlib.Path, tmp_path_factory: pytest.TempPathFactory) -> pathlib.Path:
    """Three graphs: that of zlib, that of zlib with changes of its schema, and a small one without code."""
    folder = tmp_path_factory.mktemp("corpus")
    shutil.copy(zlib_path, folder / "a.varvite")
    shutil.copy(zlib_path, folder / "b.varvite")
    varvite.apply(
        folder / "b.varvite",
        [
            {"declare_property": {"name": "RISK", "type": "u64", "cardinality": "optional"}},
            {"declare_property": {"name": "SEEN_BY", "type": "ref", "cardinality": "list"}},
            {"set": {"node": 7, "property": "RISK", "value": 2**64 - 1}},
            {"set": {"node": 7, "property": "SEEN_BY", "value": [{"node": 9}, {"node": 11}]}},
            {"remove_node": 44_000},
        ],
    )
    return folder


@pytest.fixture(scope="session")
def spark(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SparkSession]:
    """A session on a cluster of two workers."""
    cluster = Cluster(tmp_path_factory.mktemp("cluster"), 2)
    try:
        with session(cluster) as spark:
            varvite.spark.register(spark)
            yield spark
    finally:
        cluster.stop()


def load(spark: SparkSession, path: Any, **options: Any) -> DataFrame:
    """A read of the format `varvite`."""
    return spark.read.format("varvite").options(**options).load(path if isinstance(path, list) else str(path))


def source(path: Any, **options: Any) -> VarviteSource:
    """The source without Spark."""
    return VarviteSource({"path": str(path), **options})


def rows(path: Any, filters: list[Any] | None = None, **options: Any) -> list[dict[str, Any]]:
    """The rows of all parts, read in this process."""
    found = source(path, **options)
    reader = found.reader(found.schema())
    assert isinstance(reader, VarviteReader)
    if filters is not None:
        assert list(reader.pushFilters(filters)) == filters
    parts = [batch for part in reader.partitions() for batch in reader.read(part)]
    return [row for batch in parts for row in batch.to_pylist()]


def graphs(corpus: pathlib.Path) -> list[varvite.Graph]:
    """The graphs of the corpus, in the order of their numbers."""
    return [varvite.open(path) for path in sorted(corpus.glob("*.varvite"))]


# On the cluster


def test_all_nodes_of_all_files_are_read(spark: SparkSession, corpus: pathlib.Path) -> None:
    found = load(spark, corpus / "*.varvite", table="nodes", nodes=10_000, columns="id,label,_file,_digest")
    assert found.rdd.getNumPartitions() == 10
    counts = found.groupBy("_file", "_digest").agg(F.count("*"), F.sum("id"), F.count_distinct("label")).collect()
    for number, graph in enumerate(graphs(corpus)):
        ids = [(number << 32) + node.id for node in graph.nodes()]
        labels = sum(1 for label in graph.labels if len(graph.nodes(label)))
        row = next(row for row in counts if row["_file"] == graph.path)
        assert tuple(row) == (graph.path, graph.identity, len(ids), sum(ids), labels)


def test_a_label_has_its_columns_and_missing_ones_are_null(spark: SparkSession, corpus: pathlib.Path) -> None:
    names = "id,NAME,LINE_NUMBER,IS_EXTERNAL"
    found = load(spark, corpus, table="METHOD", columns=names)
    expected = {
        ((number << 32) + node.id, node.NAME, node.LINE_NUMBER, node.IS_EXTERNAL)
        for number, graph in enumerate(graphs(corpus))
        for node in graph.nodes("METHOD")
    }
    assert set(map(tuple, found.collect())) == expected
    new = load(spark, corpus, table="nodes", columns="id,RISK,SEEN_BY").where("RISK is not null").collect()
    first = 1 << 32
    assert [tuple(row) for row in new] == [(first + 7, 2**64 - 1, [first + 9, first + 11])]


def test_edges_are_read_by_label_and_all_together(spark: SparkSession, corpus: pathlib.Path) -> None:
    calls = load(spark, corpus / "a.varvite", table="edges_CALL", nodes=5_000)
    every = load(spark, corpus, table="edges", nodes=20_000, columns="label,source,target")
    graph = graphs(corpus)[0]
    sources, targets = (sum(column.to_pylist()) for column in pyarrow.table(graph.edge_table("CALL")).columns)
    assert tuple(calls.agg(F.count("*"), F.sum("source"), F.sum("target")).first() or ()) == (
        graph.edge_labels["CALL"],
        sources,
        targets,
    )
    counts = {row["label"]: row["count"] for row in every.groupBy("label").count().collect()}
    expected = {label: 0 for label in graph.edge_labels}
    for each in graphs(corpus):
        for label, count in each.edge_labels.items():
            expected[label] += count
    assert counts == {label: count for label, count in expected.items() if count}


def test_filters_give_the_rows_that_spark_would_keep(spark: SparkSession, corpus: pathlib.Path) -> None:
    nodes = load(spark, corpus, table="nodes", columns="id,label,NAME,LINE_NUMBER")
    found = nodes.where("label = 'CALL' and NAME like '%mem%' and LINE_NUMBER > 100 and NAME != 'memset'")
    expected = {
        (number << 32) + node.id
        for number, graph in enumerate(graphs(corpus))
        for node in graph.nodes("CALL")
        if "mem" in node.NAME and (node.LINE_NUMBER or 0) > 100 and node.NAME != "memset"
    }
    assert expected and {row["id"] for row in found.collect()} == expected
    one = nodes.where(f"id = {(1 << 32) + 7}").collect()
    assert [row["id"] for row in one] == [(1 << 32) + 7]


def test_plans_and_queries_run_in_the_tasks(spark: SparkSession, corpus: pathlib.Path) -> None:
    expected = {
        ((number << 32) + node.id, node.NAME)
        for number, graph in enumerate(graphs(corpus))
        for node in graph.nodes("METHOD")
    }
    by_plan = load(spark, corpus, table="plan", query=PLAN)
    assert {tuple(row)[:2] for row in by_plan.collect()} == expected
    sizes = load(spark, corpus, table="ask", query="cpg.method.size").collect()
    assert [row["value"] for row in sizes] == [len(graph.nodes("METHOD")) for graph in graphs(corpus)]


def test_a_bad_file_fails_the_job_or_is_reported(
    spark: SparkSession, corpus: pathlib.Path, tmp_path: pathlib.Path
) -> None:
    damaged = damage(corpus / "a.varvite", tmp_path / "damaged.varvite")
    half = tmp_path / "half.varvite"
    half.write_bytes(damaged.read_bytes()[: damaged.stat().st_size // 2])
    for bad in (damaged, half, tmp_path / "missing.varvite"):
        paths = [str(corpus / "a.varvite"), str(bad)]
        with pytest.raises(PySparkException, match=bad.name):
            load(spark, paths, table="METHOD").collect()
        found = load(spark, paths, table="METHOD", mode="PERMISSIVE").collect()
        (corrupt,) = [row for row in found if row["_corrupt"] is not None]
        assert corrupt["_file"] == str(bad) and corrupt["_corrupt"].startswith(str(bad))
        assert {row["_file"] for row in found if row != corrupt} == {paths[0]}
        assert len(found) == 1 + len(graphs(corpus)[0].nodes("METHOD"))


def test_a_file_that_is_replaced_while_the_job_runs_fails_it_or_is_reported(
    spark: SparkSession, corpus: pathlib.Path, tmp_path: pathlib.Path
) -> None:
    path = tmp_path / "c.varvite"
    for mode in ("FAILFAST", "PERMISSIVE"):
        shutil.copy(corpus / "a.varvite", path)
        planned_rows = load(spark, path, table="METHOD", columns="id", mode=mode).rdd
        assert planned_rows.getNumPartitions() == 1
        shutil.copy(corpus / "b.varvite", path)
        if mode == "FAILFAST":
            with pytest.raises(Exception, match="c.varvite: replaced or changed since the read was planned"):
                planned_rows.collect()
        else:
            (row,) = planned_rows.collect()
            assert row["id"] is None and row["_corrupt"].startswith(f"{path}: replaced or changed")


def test_files_of_another_file_system_are_read_by_every_worker(
    spark: SparkSession, corpus: pathlib.Path, tmp_path: pathlib.Path
) -> None:
    options = {"table": "METHOD", "cache": str(tmp_path / "cache"), "columns": "id,NAME"}
    found = load(spark, f"local://{corpus}/**/*.varvite", **options).collect()
    here = load(spark, corpus, table="METHOD", columns="id,NAME").collect()
    assert sorted(map(tuple, found)) == sorted(map(tuple, here))
    assert len(list((tmp_path / "cache").glob("*.varvite"))) == 2
    files = {"cache": options["cache"]}
    largest = varvite.spark.top(spark, f"local://{corpus}", "METHOD", "LINE_NUMBER", 3, options=files).collect()
    assert [tuple(row)[:2] for row in largest] == [
        tuple(row)[:2] for row in varvite.spark.top(spark, str(corpus), "METHOD", "LINE_NUMBER", 3).collect()
    ]


def test_unknown_names_end_in_one_line(spark: SparkSession, corpus: pathlib.Path) -> None:
    with pytest.raises(PySparkException, match='there is no option "tabel"; the nearest is "table"'):
        load(spark, corpus, tabel="METHOD").collect()
    with pytest.raises(PySparkException, match='there is no table "METHODS"; the nearest is "METHOD"'):
        load(spark, corpus, table="METHODS").collect()


def test_components_and_reach_cross_files(spark: SparkSession, corpus: pathlib.Path) -> None:
    links = cross_links(corpus)
    frame = spark.createDataFrame(links, "source long, target long")
    network = whole_network(corpus, "CALL", links)
    told: list[str] = []
    found = varvite.spark.components(spark, str(corpus), "CALL", links=frame, progress=told.append)
    assert {(row.id, row.component) for row in found.collect()} == {
        (node, min(part)) for part in networkx.weakly_connected_components(network) for node in part
    }
    assert "pairs of components" in told[0]
    starts = [links[0][0], links[5][0]]
    reached = varvite.spark.reach(spark, str(corpus), starts, "CALL", links=frame)
    assert {row.id for row in reached.collect()} == set(starts).union(
        *(networkx.descendants(network, start) for start in starts)
    )
    with pytest.raises(BoundaryError, match="more than 3 rows would pass between files: raise boundary_max"):
        varvite.spark.components(spark, str(corpus), "CALL", links=frame, boundary_max=3)


def test_the_greatest_values_of_all_files(spark: SparkSession, corpus: pathlib.Path) -> None:
    names = ["id", "value", "_file"]
    by_line = values_in(corpus, "METHOD", lambda node: node.LINE_NUMBER)
    assert len(by_line) > 400
    for least in (False, True):
        found = varvite.spark.top(spark, str(corpus), "METHOD", "LINE_NUMBER", 7, least=least)
        assert found.columns == names
        sign = 1 if least else -1
        expected = sorted(by_line, key=lambda row: (sign * row[1], row[0]))[:7]
        assert [tuple(row) for row in found.collect()] == expected
    by_calls = values_in(corpus, "METHOD", lambda node: len(node.in_.CALL))
    called = varvite.spark.top(spark, str(corpus), "METHOD", "in:CALL", 5).collect()
    assert [tuple(row) for row in called] == sorted(by_calls, key=lambda row: (-row[1], row[0]))[:5]


def test_values_and_bins_are_counted_in_all_files(spark: SparkSession, corpus: pathlib.Path) -> None:
    by_name = varvite.spark.histogram(spark, str(corpus), "CALL", "NAME").collect()
    expected = collections.Counter(row[1] for row in values_in(corpus, "CALL", lambda node: node.NAME))
    assert {row["value"]: row["count"] for row in by_name} == expected
    lines = [row[1] for row in values_in(corpus, "CALL", lambda node: node.LINE_NUMBER)]
    bins = varvite.spark.histogram(spark, str(corpus), "CALL", "LINE_NUMBER", bounds=[100, 500, 1000]).collect()
    assert {(row["low"], row["high"]): row["count"] for row in bins} == {
        (None, 100): sum(line < 100 for line in lines),
        (100, 500): sum(100 <= line < 500 for line in lines),
        (500, 1000): sum(500 <= line < 1000 for line in lines),
        (1000, None): sum(1000 <= line for line in lines),
    }


# Without a cluster


def values_in(corpus: pathlib.Path, label: str, value: Callable[[Any], Any]) -> list[tuple[int, Any, str]]:
    """The nodes of a label in all files that have a value, each with it and with its file."""
    nodes = [(number, graph, node) for number, graph in enumerate(graphs(corpus)) for node in graph.nodes(label)]
    found = [((number << 32) + node.id, value(node), graph.path) for number, graph, node in nodes]
    return [row for row in found if row[1] is not None]


def work_of(file: tuple[int, str, str]) -> Any:
    """The work of a task on a file."""
    row = {"number": file[0], "path": file[1], "identity": file[2], "ones": [], "others": []}
    return iter([pyarrow.RecordBatch.from_pylist([row])])


def test_a_property_that_one_file_has(corpus: pathlib.Path) -> None:
    one, other = graphs(corpus)
    label = other.node(7).label
    files, measure = planned(str(corpus), label, "RISK")
    assert measure == Measure(label, "RISK", None, "long")
    greatest = greatest_of(measure, 3, is_least=False)
    assert "RISK" not in {row[0] for row in one.properties}
    assert sum(batch.num_rows for batch in greatest(work_of(files[0]))) == 0
    # The number is beyond Spark's integers.
    with pytest.raises(FileError, match="b.varvite: .*18446744073709551615"):
        list(greatest(work_of(files[1])))


def test_a_replaced_file_is_not_counted(corpus: pathlib.Path, tmp_path: pathlib.Path) -> None:
    path = pathlib.Path(shutil.copy(corpus / "a.varvite", tmp_path / "c.varvite"))
    files, measure = planned(str(path), "METHOD", "NAME")
    shutil.copy(corpus / "b.varvite", path)
    with pytest.raises(FileError, match="c.varvite: replaced or changed"):
        list(counts_of(measure)(work_of(files[0])))


@pytest.mark.parametrize(
    "label, by, message",
    [
        ("METHODS", "NAME", 'no file has nodes "METHODS"; the nearest is "METHOD"'),
        ("METHOD", "NAMES", 'no file has the property "NAMES"; the nearest is "NAME"'),
        ("METHOD", "in:CALLS", 'no file has edges "CALLS"; the nearest is "CALL"'),
        ("METHOD", "SEEN_BY", "SEEN_BY has lists, bytes or nodes: name a property with texts or numbers"),
        ("METHOD", "NAME", "NAME has no numbers: name another property, or in:CALL for a number of edges"),
    ],
)
def test_values_that_have_no_order_are_refused(corpus: pathlib.Path, label: str, by: str, message: str) -> None:
    with pytest.raises(SchemaError) as caught:
        varvite.spark.top(None, str(corpus), label, by)
    assert str(caught.value) == message


def test_wrong_numbers_of_rows_and_wrong_bounds_are_refused(corpus: pathlib.Path) -> None:
    for count in (0, -1, 1_000_001):
        with pytest.raises(OptionError, match="it has to be from 1 to 1000000"):
            varvite.spark.top(None, str(corpus), "METHOD", "LINE_NUMBER", count)
    cases: list[list[float]] = [[], [2, 1], [1, 1], [1, float("nan")], [float("inf")]]
    for bounds in cases:
        with pytest.raises(OptionError, match="they have to be ascending"):
            varvite.spark.histogram(None, str(corpus), "METHOD", "LINE_NUMBER", bounds=bounds)


def cross_links(corpus: pathlib.Path) -> list[tuple[int, int]]:
    """Edges between the first two files, in both directions."""
    one, other = graphs(corpus)[:2]
    calls, methods = list(one.nodes("CALL"))[:400:8], list(other.nodes("METHOD"))[:100:2]
    links = [(call.id, (1 << 32) + method.id) for call, method in zip(calls, methods)]
    back = [((1 << 32) + call.id, call.id) for call in list(one.nodes("CALL"))[:1000:40]]
    return links + back


def whole_network(corpus: pathlib.Path, label: str, links: list[tuple[int, int]]) -> Any:
    """The edges of a label of all files, and the links between them, for NetworkX."""
    network = networkx.DiGraph(links)
    for number, graph in enumerate(graphs(corpus)):
        first = number << 32
        network.add_nodes_from(first + int(node) for node in graph.subgraph(label).ids)
        sources, targets = (column.to_pylist() for column in pyarrow.table(graph.edge_table(label)).columns[:2])
        network.add_edges_from((first + source, first + target) for source, target in zip(sources, targets))
    return network


def damage(whole: pathlib.Path, path: pathlib.Path) -> pathlib.Path:
    """A copy of a file with other bytes in all of its columns, but not at its ends, so that it opens."""
    data = bytearray(whole.read_bytes())
    end = len(data) // 16
    for place in range(end, len(data) - end, 512):
        data[place] ^= 0xFF
    path.write_bytes(data)
    return path


@pytest.mark.parametrize(
    "options, message",
    [
        ({"tables": "METHOD"}, 'no option "tables"; the nearest is "table"'),
        ({"mode": "DROPMALFORMED"}, 'option("mode", "DROPMALFORMED") has to be failfast or permissive'),
        ({"schema": "srict"}, 'option("schema", "srict") has to be union or strict'),
        ({"table": "ask"}, 'option("table", "ask") needs option("query", \'cpg.method.name\')'),
        ({"query": "cpg.method"}, 'takes no "query"'),
        ({"nodes": "many"}, 'option("nodes", \'many\')'),
    ],
)
def test_wrong_options_are_refused(options: dict[str, str], message: str) -> None:
    with pytest.raises(OptionError) as caught:
        read_options({"path": "x", **options})
    assert message in str(caught.value) and "\n" not in str(caught.value)


def test_wrong_paths_are_refused(tmp_path: pathlib.Path) -> None:
    with pytest.raises(FileError, match="no graph files"):
        source(tmp_path)
    with pytest.raises(FileError, match="no graph files"):
        source(tmp_path / "*.varvite")
    with pytest.raises(FileError, match="^nosuch://server/corpus: "):
        source("nosuch://server/corpus")
    with pytest.raises(OptionError, match="no path"):
        VarviteSource({})


def test_a_path_may_be_an_address_of_a_file(corpus: pathlib.Path) -> None:
    assert [file.path for file in source(f"file://{corpus}/a.varvite").files] == [str(corpus / "a.varvite")]


@pytest.fixture
def with_links(tmp_path: pathlib.Path) -> pathlib.Path:
    """A folder with two graphs, one of them in a hidden folder, and links to itself, to a graph and to the outside."""
    folder, outside = tmp_path / "corpus", tmp_path / "outside"
    (folder / ".hidden").mkdir(parents=True)
    outside.mkdir()
    changed(folder / "x.varvite")
    changed(folder / ".hidden/y.varvite")
    changed(outside / "z.varvite")
    (folder / "again").symlink_to(".")
    (folder / "xx.varvite").symlink_to("x.varvite")
    (folder / "other").symlink_to(outside)
    return folder


@pytest.mark.parametrize(
    "pattern, names",
    [
        ("", [".hidden/y.varvite", "x.varvite"]),
        ("**/*.varvite", [".hidden/y.varvite", "x.varvite"]),
        ("**/.hidden/../**/x*", ["x.varvite"]),
        ("*.varvite", ["x.varvite"]),
        ("other/*", ["other/z.varvite"]),
        ("*/[yz].varvite", [".hidden/y.varvite", "other/z.varvite"]),
        ("**/missing/*", None),
    ],
)
def test_links_give_no_file_twice(with_links: pathlib.Path, pattern: str, names: list[str] | None) -> None:
    if names is None:
        with pytest.raises(FileError, match="no graph files"):
            list_files([str(with_links / pattern)])
        return
    found = list_files([str(with_links / pattern), str(with_links / names[0])])
    assert found == [GraphFile(number, str(with_links / name)) for number, name in enumerate(names)]


def test_a_folder_that_cannot_be_read_is_like_a_damaged_file(
    with_links: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    closed, scandir = str(with_links / ".hidden"), os.scandir

    def refusing(path: str = ".") -> Any:
        # Root may read all folders, so that a test cannot close one.
        if path == closed:
            raise PermissionError(13, "Permission denied", path)
        return scandir(path)

    monkeypatch.setattr(os, "scandir", refusing)
    for path in (with_links, with_links / "**/*.varvite"):
        with pytest.raises(FileError, match=f"{closed}: .*Permission denied"):
            rows(path, table="METHOD")
        found = rows(path, table="METHOD", mode="PERMISSIVE")
        (corrupt,) = [row for row in found if row["_corrupt"] is not None]
        assert corrupt["_file"] == closed and "Permission denied" in corrupt["_corrupt"]
        assert {row["_file"] for row in found} == {closed, str(with_links / "x.varvite")}


def test_a_pattern_of_folders_is_refused(with_links: pathlib.Path) -> None:
    with pytest.raises(FileError, match=r"again: a folder: name the files in it, such as .*again/\*\*/\*.varvite"):
        rows(with_links / "a*", table="METHOD")


def test_old_versions_are_refused_in_one_line() -> None:
    check("4.1.0")
    with pytest.raises(ImportError, match="varvite.spark needs Spark 4.1 or newer, and this is 4.0.2: install them by"):
        check("4.0.2")


def test_filters_reach_the_graph(corpus: pathlib.Path) -> None:
    columns = "id,label,NAME,LINE_NUMBER"
    every = rows(corpus, table="nodes", columns=columns)
    cases: list[tuple[list[Any], Callable[[dict[str, Any]], bool]]] = [
        ([EqualTo(("label",), "METHOD")], lambda row: row["label"] == "METHOD"),
        ([In(("NAME",), ("memcpy", "inflate"))], lambda row: row["NAME"] in ("memcpy", "inflate")),
        ([GreaterThan(("LINE_NUMBER",), 3000)], lambda row: (row["LINE_NUMBER"] or 0) > 3000),
        ([Not(EqualTo(("NAME",), "x")), IsNotNull(("NAME",))], lambda row: row["NAME"] not in ("x", None)),
        ([StringContains(("NAME",), "flate")], lambda row: "flate" in (row["NAME"] or "")),
        ([EqualTo(("id",), (1 << 32) + 7)], lambda row: row["id"] == (1 << 32) + 7),
    ]
    for filters, keeps in cases:
        found = rows(corpus, filters, table="nodes", columns=columns)
        expected = [row for row in every if keeps(row)]
        assert expected and sorted(map(repr, found)) == sorted(map(repr, expected)), filters
    assert rows(corpus, [EqualTo(("_file",), "/nowhere")], table="nodes", columns="id") == []


def test_a_filter_that_the_graph_lacks_keeps_all_rows(corpus: pathlib.Path) -> None:
    class Strange:
        attribute = ("NAME",)

    every = rows(corpus, table="METHOD", columns="id")
    assert rows(corpus, [Strange(), EqualTo(("NAME", "part"), "x")], table="METHOD", columns="id") == every


def changed(path: pathlib.Path, *operations: dict[str, Any]) -> pathlib.Path:
    """A small graph with changes."""
    shutil.copy(ROOT / "conformance/files/whole.varvite", path)
    varvite.apply(path, operations)
    return path


@pytest.mark.parametrize("mode", ["FAILFAST", "PERMISSIVE"])
def test_a_filter_keeps_files_without_the_table_healthy(tmp_path: pathlib.Path, mode: str) -> None:
    changed(tmp_path / "a.varvite", {"declare_label": "SOURCE"})
    added = {"add_node": {"labels": ["SINK"], "properties": {"NAME": "gets"}}}
    changed(tmp_path / "b.varvite", {"declare_label": "SINK"}, added)
    found = rows(tmp_path, [EqualTo(("NAME",), "gets")], table="SINK", mode=mode)
    assert [row["NAME"] for row in found] == ["gets"]


def optional(name: str, value_type: str, **owner: str) -> dict[str, Any]:
    """The declaration of a property."""
    return {"declare_property": {"name": name, "type": value_type, "cardinality": "optional", **owner}}


@pytest.fixture
def named_like_ids(tmp_path: pathlib.Path) -> pathlib.Path:
    """Two graphs with properties that have the names of ids, and a label of nodes that looks like a table of edges."""
    for name in ("a.varvite", "b.varvite"):
        changed(
            tmp_path / name,
            optional("source", "i64"),
            optional("target", "string"),
            optional("id", "i64", edge_label="REF"),
            {"declare_label": "edges_X"},
            {"add_node": {"name": "m", "labels": ["METHOD"], "properties": {"source": 5, "target": "x"}}},
            {"add_node": {"labels": ["edges_X"], "properties": {"source": 5, "target": "x"}}},
            {"add_edge": {"label": "REF", "from": "m", "to": 1, "properties": {"id": 5}}},
        )
    return tmp_path


@pytest.mark.parametrize(
    "table, filters",
    [
        ("METHOD", [EqualTo(("source",), 5)]),
        ("METHOD", [EqualTo(("target",), "x")]),
        ("nodes", [In(("source",), (4, 5)), EqualTo(("label",), "METHOD")]),
        ("edges_X", [EqualTo(("source",), 5), EqualTo(("target",), "x")]),
        ("edges_REF", [EqualTo(("id",), 5)]),
    ],
)
def test_a_property_with_the_name_of_an_id_is_no_id(named_like_ids: pathlib.Path, table: str, filters: Any) -> None:
    found = rows(named_like_ids, filters, table=table)
    assert [pathlib.Path(row["_file"]).name for row in found] == ["a.varvite", "b.varvite"]


def test_ids_choose_the_file(named_like_ids: pathlib.Path) -> None:
    (edge,) = rows(named_like_ids, [EqualTo(("id",), 5)], table="edges_REF")[1:]
    for name in ("source", "target"):
        found = rows(named_like_ids, [EqualTo((name,), edge[name])], table="edges_REF")
        assert edge in found and {row["_file"] for row in found} == {edge["_file"]}
    (node,) = rows(named_like_ids, [EqualTo(("id",), edge["source"])], table="METHOD")
    assert (node["id"], node["source"]) == (edge["source"], 5)
    every = rows(named_like_ids, table="edges_REF")
    # A schema of the user may have texts in place of ids.
    assert rows(named_like_ids, [EqualTo(("source",), "5")], table="edges_REF") == every


def test_the_columns_of_a_read_are_not_those_of_a_graph(tmp_path: pathlib.Path) -> None:
    names = ("_file", "_DIGEST", "_corrupt")
    added = {"labels": ["METHOD"], "properties": dict.fromkeys(names, 5)}
    path = changed(tmp_path / "a.varvite", *(optional(name, "i64") for name in names), {"add_node": added})
    identity = varvite.open(path).identity
    every = rows(path, table="METHOD", mode="PERMISSIVE")
    assert {(row["_file"], row["_digest"], row["_corrupt"]) for row in every} == {(str(path), identity, None)}
    assert "_DIGEST" not in every[0]
    for test in (EqualTo(("_file",), str(path)), EqualTo(("_digest",), identity), IsNull(("_corrupt",))):
        assert rows(path, [test], table="METHOD", mode="PERMISSIVE") == every
    plan = PLAN.replace('{"property": "NAME"}', '{"property": "_file"}')
    with pytest.raises(FileError, match="the query has a column _file, and each read has its own"):
        source(path, table="plan", query=plan).schema()


def test_other_schemas_are_joined_or_refused(corpus: pathlib.Path) -> None:
    with pytest.raises(ValueError, match=r"b.varvite: the column RISK is decimal.*: schema is strict"):
        source(corpus, schema="strict").schema()
    assert "RISK" in source(corpus).schema().names
    with pytest.raises(ValueError, match='there is no column "NAMES"; the nearest is "NAME"'):
        source(corpus, columns="NAMES").schema()


def test_a_file_that_is_replaced_after_planning_is_refused(corpus: pathlib.Path, tmp_path: pathlib.Path) -> None:
    path = pathlib.Path(shutil.copy(corpus / "a.varvite", tmp_path / "c.varvite"))
    for mode in ("FAILFAST", "PERMISSIVE"):
        found = source(path, table="METHOD", columns="id", mode=mode)
        reader = found.reader(found.schema())
        parts = reader.partitions()
        shutil.copy(corpus / ("b.varvite" if mode == "FAILFAST" else "a.varvite"), path)
        if mode == "FAILFAST":
            with pytest.raises(FileError, match="c.varvite: replaced or changed"):
                list(reader.read(parts[0]))
        else:
            batches: list[Any] = list(reader.read(parts[0]))
            (row,) = [row for batch in batches for row in batch.to_pylist()]
            assert row["id"] is None and "replaced or changed" in row["_corrupt"]


def test_a_layer_is_a_table(tmp_path: pathlib.Path) -> None:
    path = imported(tmp_path)
    varvite.apply(
        path,
        [
            {"declare_property": {"name": "HEAT", "type": "i64", "cardinality": "optional"}},
            {"set": {"node": 5, "property": "HEAT", "value": 3}},
        ],
        layer="heat",
    )
    (row,) = rows(path, table="layer:heat", columns="id,HEAT")
    assert row == {"id": 5, "HEAT": 3}


def test_planning_runs_no_query(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    paths = [str(changed(tmp_path / name)) for name in ("a.varvite", "b.varvite")]
    asked: list[str] = []
    ask = varvite.Graph.ask

    def counted(graph: varvite.Graph, *words: Any, **limits: Any) -> Any:
        asked.append(graph.path)
        return ask(graph, *words, **limits)

    monkeypatch.setattr(varvite.Graph, "ask", counted)
    found = source(tmp_path, table="ask", query="cpg.method.size")
    reader = found.reader(found.schema())
    assert asked == paths[:1]
    parts = reader.partitions()
    assert asked == paths[:1] and len(parts) == 2
    for part in parts:
        list(reader.read(part))
    assert asked == [paths[0], *paths]


def test_a_query_with_edges_says_what_to_do(corpus: pathlib.Path) -> None:
    plan = '{"version": 1, "steps": [{"step": "edges", "labels": ["CALL"]}]}'
    with pytest.raises(FileError, match="edges or paths: end the query with their nodes or properties"):
        source(corpus, table="plan", query=plan).schema()
