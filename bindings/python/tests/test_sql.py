"""SQL and lazy frames: filters give the same rows as on a copy of the table, and read only the columns and rows that they need."""

import functools
import itertools
import operator
import pathlib
import re
import shutil
from collections.abc import Callable, Iterator
from typing import Any

import duckdb
import polars
import polars.selectors
import pyarrow
import pyarrow.compute
import pyarrow.dataset
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import varvite
from conftest import ROOT
from varvite.relational.arrow_filters import read_filter
from varvite.relational.conditions import Missing, ColumnTest, Unknown

TABLES = ["METHOD", "CALL", "nodes", "edges", "edges_CALL", "edges_REACHING_DEF", "layer_code"]
AWKWARD = sorted((ROOT / "conformance/files").glob("awkward.*.varvite"))

field = pyarrow.compute.field


@pytest.fixture(scope="session")
def changed_path(direct_path: pathlib.Path, tmp_path_factory: pytest.TempPathFactory) -> pathlib.Path:
    """The graph of zlib with changes: removed nodes, nodes with several labels, null, and names that differ in case."""
    path = pathlib.Path(shutil.copy(direct_path, tmp_path_factory.mktemp("changed") / "changed.varvite"))
    with varvite.open(path) as graph:
        calls = [call.id for call in graph.nodes("CALL")]
    properties = [("name", "string"), ("id", "u64"), ("label", "string"), ("weight", "f64")]
    varvite.apply(path, [
        {"declare_label": "SINK"},
        {"declare_label": "two words"},
        *({"declare_property": {"name": name, "type": type, "cardinality": "optional"}} for name, type in properties),
        {"declare_property": {"name": "weight", "type": "i8", "cardinality": "optional", "edge_label": "CALL"}},
        {"add_node": {"name": "new", "labels": ["CALL", "SINK"], "properties": {"NAME": "memcpy", "id": 2**64 - 1}}},
        {"add_node": {"labels": ["two words"], "properties": {"name": "it's", "label": "CALL", "weight": 0.5}}},
        {"add_node": {"labels": [], "properties": {"NAME": None, "name": None}}},
        {"add_edge": {"label": "CALL", "from": "new", "to": calls[0], "properties": {"weight": -3}}},
        *({"set": {"node": call, "property": "name", "value": "x"}} for call in calls[10:20]),
        *({"set": {"node": call, "property": "NAME", "value": None}} for call in calls[20:25]),
        *({"remove_node": call} for call in calls[30:40]),
    ])
    return path


@pytest.fixture
def changed(changed_path: pathlib.Path) -> Iterator[varvite.Graph]:
    """The graph of `changed_path`."""
    with varvite.open(changed_path) as graph:
        yield graph


@functools.cache
def copy_of(path: str, table: str) -> pyarrow.Table:
    """All rows of a table in memory, read without any filter."""
    with varvite.open(path) as graph:
        return graph.dataset(table).to_table()


@functools.cache
def frame_of(path: str, table: str) -> polars.DataFrame:
    """The same as a frame."""
    with varvite.open(path) as graph:
        return graph.scan(table).collect()


def constants(table: pyarrow.Table, name: str) -> st.SearchStrategy[Any]:
    """Constants for a column: some of its values, and others."""
    values = table.column(name).unique().to_pylist()[:200]
    plain = [value for value in values if isinstance(value, (str, int, bool, float))]
    others = [0, -1, 2**31, 2**63, 2**64, 1.5] if plain and not isinstance(plain[0], str) else ["", "CALL", "x'y", "%"]
    return st.sampled_from([*plain, *others])


def quoted(value: Any) -> str:
    return "'" + value.replace("'", "''") + "'" if isinstance(value, str) else str(value)


FORMS = ["= ?", "<> ?", "< ?", ">= ?", "in (?, ?)", "between ? and ?", "is null", "is not null"]


def conditions_in_sql(table: pyarrow.Table) -> st.SearchStrategy[str]:
    """Conditions on the columns of a table, without those of lists and bytes."""
    names = [column.name for column in table.schema if kind(column.type) in ("text", "number", "truth")]

    @st.composite
    def test(draw: st.DrawFn) -> str:
        name = draw(st.sampled_from(names))
        column, values = f'"{name}"', constants(table, name)
        form = draw(st.sampled_from(FORMS))
        if kind(table.schema.field(name).type) == "truth":
            return draw(st.sampled_from([column, f"not {column}", f"{column} is null", f"{column} = true"]))
        return f"{column} " + re.sub(r"\?", lambda _: quoted(draw(values)), form)

    return st.recursive(
        test(),
        lambda inner: st.one_of(
            st.tuples(inner, inner).map(lambda two: f"({two[0]} and {two[1]})"),
            st.tuples(inner, inner).map(lambda two: f"({two[0]} or {two[1]})"),
            inner.map(lambda one: f"(not {one})"),
        ),
        max_leaves=4,
    )


def kind(type: Any) -> str:
    type = type.value_type if pyarrow.types.is_dictionary(type) else type
    if pyarrow.types.is_large_string(type):
        return "text"
    if pyarrow.types.is_boolean(type):
        return "truth"
    return "number" if pyarrow.types.is_integer(type) or pyarrow.types.is_floating(type) else "other"


ANYTHING = [HealthCheck.function_scoped_fixture, HealthCheck.too_slow]


@settings(max_examples=60, deadline=None, suppress_health_check=ANYTHING)
@given(data=st.data(), name=st.sampled_from([*TABLES, "two words", "SINK"]))
def test_filters_in_sql_give_the_rows_of_a_plain_table(changed: varvite.Graph, data: st.DataObject, name: str) -> None:
    check_sql(changed, name, data)


@pytest.mark.parametrize("path", AWKWARD, ids=lambda path: path.name)
@settings(max_examples=15, deadline=None, suppress_health_check=ANYTHING)
@given(data=st.data())
def test_filters_give_the_rows_of_awkward_graphs(path: pathlib.Path, data: st.DataObject) -> None:
    with varvite.open(path) as graph:
        name = data.draw(st.sampled_from([name for name in graph.tables]))
        check_sql(graph, name, data)


def check_sql(graph: varvite.Graph, name: str, data: st.DataObject) -> None:
    plain = copy_of(graph.path, name)
    where = data.draw(conditions_in_sql(plain))
    names = data.draw(st.sampled_from([plain.column_names, plain.column_names[:2]]))
    columns = ", ".join(f'"{column}"' for column in names)
    table = '"' + name.replace('"', '""') + '"'
    # The number of rows and the sum of their hashes: rows have no order, and copying them would take most of the time.
    asked = "select count(*), sum(hash(part)) from (select {} from {} where {}) part"
    connection = duckdb.connect()
    try:
        expected = connection.execute(asked.format(columns, "plain", where)).fetchall()
    except duckdb.Error as error:
        with pytest.raises(type(error)):
            graph.sql(asked.format(columns, table, where)).fetchall()
        return
    assert graph.sql(asked.format(columns, table, where)).fetchall() == expected, where


COMPARISONS = [operator.eq, operator.ne, operator.lt, operator.le, operator.gt, operator.ge]


@pytest.mark.parametrize("name", ["METHOD", "edges_CALL"])
def test_every_comparison_of_every_column_gives_its_rows(changed: varvite.Graph, name: str) -> None:
    """With two of its values each, on either side of the comparison."""
    plain, frame = copy_of(changed.path, name), frame_of(changed.path, name)
    dataset, scan = changed.dataset(name), changed.scan(name)
    for column in [column.name for column in plain.schema if kind(column.type) in ("text", "number")]:
        values = plain.column(column).unique().drop_null().sort().to_pylist()
        for value, compare in itertools.product({values[len(values) // 3], values[-1]}, COMPARISONS):
            for left, right in [(field(column), value), (pyarrow.scalar(value), field(column))]:
                where = compare(left, right)
                assert dataset.count_rows(filter=where) == plain.filter(where).num_rows, where
            is_so = compare(polars.col(column), value)
            found = scan.filter(is_so).select(polars.len()).collect().item()
            assert found == frame.lazy().filter(is_so).select(polars.len()).collect().item(), is_so


def expressions(table: pyarrow.Table) -> st.SearchStrategy[polars.Expr]:
    """Conditions of Polars on the columns of a table."""
    names = [column.name for column in table.schema if kind(column.type) in ("text", "number", "truth")]

    @st.composite
    def test(draw: st.DrawFn) -> polars.Expr:
        name = draw(st.sampled_from(names))
        column, values = polars.col(name), constants(table, name)
        forms = [column.is_null(), column.is_not_null()]
        if kind(table.schema.field(name).type) == "truth":
            return draw(st.sampled_from([*forms, column, ~column, column == True]))  # noqa: E712
        one, two = draw(values), draw(values)
        forms += [column == one, column != one, column < one, one <= column, column.is_in([one])]
        forms.append(column.is_between(one, two))
        if isinstance(one, str):
            forms += [column.str.starts_with(one), column.str.ends_with(one), column.str.contains(one, literal=True)]
        return draw(st.sampled_from(forms))

    return st.recursive(test(), lambda inner: st.one_of(
        st.tuples(inner, inner).map(lambda two: two[0] & two[1]),
        st.tuples(inner, inner).map(lambda two: two[0] | two[1]),
        inner.map(lambda one: ~one),
    ), max_leaves=4)


@settings(max_examples=60, deadline=None, suppress_health_check=ANYTHING)
@given(data=st.data(), name=st.sampled_from([*TABLES, "two words", "SINK"]))
def test_filters_of_polars_give_the_rows_of_a_frame(changed: varvite.Graph, data: st.DataObject, name: str) -> None:
    plain = frame_of(changed.path, name)
    where = data.draw(expressions(copy_of(changed.path, name)))
    columns = data.draw(st.sampled_from([plain.columns, plain.columns[:2], []]))
    try:
        expected = plain.lazy().filter(where).select(columns or polars.len()).collect()
    except polars.exceptions.PolarsError as error:
        with pytest.raises(type(error)):
            changed.scan(name).filter(where).select(columns or polars.len()).collect()
        return
    found = changed.scan(name).filter(where).select(columns or polars.len()).collect()
    lists = polars.selectors.list()
    hashes = [frame.select(~lists).hash_rows().sort() for frame in (found, expected)]
    assert hashes[0].equals(hashes[1]) and len(found) == len(expected), where


def test_a_null_text_is_null_in_a_filter(changed: varvite.Graph) -> None:
    assert changed.sql('select count(*) from "CALL" where NAME is null').fetchall() == [(5,)]
    assert changed.scan("CALL").filter(polars.col("NAME").is_null()).select(polars.len()).collect().item() == 5


def test_pyarrow_scans_with_columns_and_filters(zlib: varvite.Graph) -> None:
    methods = zlib.dataset("METHOD")
    where = (field("NAME") == "inflate") | pyarrow.compute.starts_with(field("NAME").cast(pyarrow.string()), "crc")
    assert methods.to_table(columns=["NAME"], filter=where).equals(methods.to_table().filter(where).select(["NAME"]))
    twice = {"twice": pyarrow.compute.add(field("id"), field("id"))}
    doubled = methods.to_table(columns=twice, filter=field("id") == 293)
    assert doubled.to_pylist() == [{"twice": 586}]
    assert methods.count_rows() == methods.to_table().num_rows == len(zlib.nodes("METHOD"))
    assert methods.head(3).num_rows == 3


def test_a_dataset_refuses_what_would_pass_over_its_scanner(zlib: varvite.Graph) -> None:
    methods = zlib.dataset("METHOD")
    for name in ["get_fragments", "filter", "replace_schema"]:
        with pytest.raises(NotImplementedError, match="scanner"):
            getattr(methods, name)(None)


def test_expressions_of_pyarrow_are_read() -> None:
    assert read_filter((field("a") == "x") | field("a").isin(["y"])) == (ColumnTest("a", {"one_of": ["x", "y"]}), {"a"})
    assert read_filter(pyarrow.scalar(3) < field("b")) == (ColumnTest("b", {"gt": 3}), {"b"})
    assert read_filter(field("b").is_null()) == (Missing("b"), {"b"})
    assert read_filter(field("a").cast(pyarrow.int64()) == 3) == (Unknown(), {"a"})
    assert read_filter(field("a", "nested") == 3) == (Unknown(), None)


@pytest.fixture(scope="session")
def indexed_path(direct_path: pathlib.Path, tmp_path_factory: pytest.TempPathFactory) -> pathlib.Path:
    """The graph of zlib in a direct file with an index of NAME."""
    path = pathlib.Path(shutil.copy(direct_path, tmp_path_factory.mktemp("indexed") / "indexed.varvite"))
    varvite.index(path, add=["NAME"])
    return path


def by_sql(graph: varvite.Graph) -> int:
    return len(graph.sql("from nodes select id where label = 'CALL' and NAME = 'inflate_fast'").fetchall())


def by_frame(graph: varvite.Graph) -> int:
    is_call = (polars.col("label") == "CALL") & (polars.col("NAME") == "inflate_fast")
    return len(graph.scan("nodes").filter(is_call).select("id").collect())


def touched(path: pathlib.Path, ask: Callable[[varvite.Graph], int]) -> int:
    """The bytes of the file's pages that a question has touched. The system maps a page with up to 15 beside it."""
    with varvite.open(path) as graph:
        assert ask(graph) > 0
        memory = graph.memory().values()
        assert sum(held["decoded"] or 0 for held in memory) == 0, "the file is direct: nothing is decoded"
        return sum(held["resident"] or 0 for held in memory)


@pytest.mark.parametrize("ask", [by_sql, by_frame])
def test_a_filter_on_a_label_and_a_name_does_not_read_the_table(
    indexed_path: pathlib.Path, ask: Callable[[varvite.Graph], int]
) -> None:
    table = touched(indexed_path, lambda graph: graph.dataset("nodes").to_table().num_rows)
    found = touched(indexed_path, ask)
    assert 0 < found < table / 4, (found, table)


def test_tables_have_the_names_of_labels_and_layers(changed: varvite.Graph) -> None:
    assert {"nodes", "edges", "METHOD", "two words", "edges_CALL", "layer_code"} <= set(changed.tables)
    for name in changed.tables:
        assert changed.dataset(name).count_rows() > 0, name
        assert changed.scan(name).select(polars.len()).collect().item() == changed.dataset(name).count_rows()
    columns = list(changed.dataset("nodes").schema.names)
    assert columns[:2] == ["id", "label"] and {"id_1", "label_1", "NAME", "name_1"} <= set(columns)
    assert changed.sql('select label, name from "two words"').fetchall() == [("CALL", "it's")]
    assert changed.sql("select count(*) from nodes where label = 'CALL&SINK'").fetchall() == [(1,)]


def test_names_of_tables_that_no_one_knows_have_the_nearest(zlib: varvite.Graph) -> None:
    for name, asked in [("dataset", "METHODS"), ("scan", "METHODS"), ("sql", "from METHODS")]:
        with pytest.raises(varvite.UnknownError, match='"METHODS".*"METHOD"'):
            getattr(zlib, name)(asked)
    with pytest.raises(duckdb.ParserException):
        zlib.sql("selec")
    with pytest.raises(duckdb.BinderException, match="NAME"):
        zlib.sql("select NAM from METHOD")


def test_a_connection_keeps_its_tables_and_nothing_of_the_graph(zlib: varvite.Graph, direct: varvite.Graph) -> None:
    connection = duckdb.connect()
    connection.execute("create table METHOD as select 7 as seven")
    assert zlib.sql("from METHOD", connection=connection).fetchall() == [(7,)]
    counts = "select count(*) from edges_CALL where target = $id"
    asked = [graph.sql(counts, connection=connection, parameters={"id": 5196}).fetchall() for graph in (zlib, direct)]
    assert asked[0] == asked[1] == [(len(zlib.node(5196).in_.CALL),)]
    with pytest.raises(duckdb.CatalogException):
        connection.sql("from edges_CALL")
    connection.register("calls", zlib.dataset("edges_CALL"))
    assert connection.sql("select count(*) from calls").fetchall() == [(zlib.edge_labels["CALL"],)]


def test_a_closed_graph_is_an_error_in_sql(zlib_path: pathlib.Path) -> None:
    graph = varvite.open(zlib_path)
    methods = graph.sql("from METHOD")
    graph.close()
    with pytest.raises(varvite.GraphClosedError):
        graph.sql("from METHOD")
    with pytest.raises(duckdb.Error, match="closed"):
        methods.fetchall()


def test_a_graph_keeps_its_database(zlib: varvite.Graph) -> None:
    zlib.sql("create table long as select id, NAME from METHOD where LINE_NUMBER_END - LINE_NUMBER > 300")
    first, second = zlib.sql("from long join METHOD using (id)"), zlib.sql("from long")
    assert len(first.fetchall()) == len(second.fetchall()) > 0
