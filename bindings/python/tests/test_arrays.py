"""Columns as NumPy arrays, matrices and tables."""

import gc
import pathlib
import subprocess
import sys
from typing import Any

import duckdb
import numpy
import pandas
import polars
import pyarrow
import pytest

import varvite


def test_a_column_has_the_values_of_its_owners(zlib: varvite.Graph) -> None:
    lines = zlib.column("LINE_NUMBER")
    owners, values = lines.owners(), lines.to_numpy()
    assert values.dtype == numpy.int32 and owners.dtype == numpy.uint32
    assert len(owners) == len(values) == len(lines)
    for index in range(0, len(owners), 997):
        assert zlib.node(owners[index]).LINE_NUMBER == values[index]


def test_texts_are_codes(zlib: varvite.Graph) -> None:
    names = zlib.column("NAME")
    codes, texts = names.to_numpy(), names.texts()
    assert codes.dtype == numpy.uint32
    for owner, code in list(zip(names.owners(), codes))[::1999]:
        assert zlib.node(owner).NAME == texts[code]


def test_an_array_cannot_be_written_to(zlib: varvite.Graph) -> None:
    for array in [zlib.column("LINE_NUMBER").to_numpy(), numpy.asarray(zlib.nodes("CALL").ids), zlib.csr("CALL").indices]:
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 1


def address(array: varvite.Array) -> int:
    start, is_read_only = numpy.asarray(array).__array_interface__["data"]
    assert is_read_only
    return int(start)


def views(graph: varvite.Graph) -> list[varvite.Array]:
    """Arrays whose numbers a direct file stores as they are."""
    columns, codes = graph.column("COLUMN_NUMBER"), graph.column("CODE")
    return [graph.csr_arrays("CALL")[1], columns.values(), codes.values(stored=True)]


def test_plain_numbers_are_shown_where_they_are_mapped(direct: varvite.Graph) -> None:
    arrays, again = views(direct), views(direct)
    assert all(array.is_view for array in arrays + again)
    assert [address(array) for array in arrays] == [address(array) for array in again]
    lines = pathlib.Path("/proc/self/maps").read_text().splitlines()
    mapped = [[int(end, 16) for end in line.split()[0].split("-")] for line in lines if direct.path in line]
    assert all(any(start <= address(array) < end for start, end in mapped) for array in arrays)


def test_views_have_the_values_of_decoded_columns(direct: varvite.Graph, zlib: varvite.Graph) -> None:
    assert numpy.array_equal(direct.csr("CALL").indices, zlib.csr("CALL").indices)
    for name in ["CODE", "LINE_NUMBER", "COLUMN_NUMBER", "ORDER"]:
        expected = zlib.column(name).to_numpy()
        assert numpy.array_equal(direct.column(name).to_numpy(), expected)
        assert numpy.array_equal(direct.column(name).to_numpy(stored=True), expected)


def test_a_checked_graph_has_no_views(direct_path: pathlib.Path) -> None:
    with varvite.open(direct_path, checked=True) as graph, varvite.open(direct_path) as mapped:
        _, neighbours = graph.csr_arrays("CALL")
        assert not neighbours.is_view
        assert numpy.array_equal(numpy.asarray(neighbours), mapped.csr("CALL").indices)


def test_a_view_outlives_its_graph(direct_path: pathlib.Path) -> None:
    graph = varvite.open(direct_path)
    view = graph.csr_arrays("CALL")[1]
    assert view.is_view
    array = numpy.asarray(view)
    del view
    total = int(array.sum())
    graph.close()
    del graph
    gc.collect()
    assert int(array.sum()) == total


def test_a_column_fills_the_array_of_the_caller(zlib: varvite.Graph, direct: varvite.Graph) -> None:
    for graph in [zlib, direct]:
        for name in ["LINE_NUMBER", "CODE", "IS_EXTERNAL", "ORDER"]:
            column = graph.column(name)
            out = numpy.empty(len(column), numpy.int64)
            assert column.to_numpy(out) is out and numpy.array_equal(out, column.to_numpy())
            again = numpy.empty(len(column), column.to_numpy().dtype)
            assert column.values(out=again) is again and numpy.array_equal(again, out)


def test_a_column_of_lists_fills_the_array_of_the_caller(tmp_path: pathlib.Path, zlib_path: pathlib.Path) -> None:
    path = tmp_path / "lists.varvite"
    path.write_bytes(zlib_path.read_bytes())
    operations = [
        {"set": {"node": node, "property": "OVERLAYS", "value": [f"a{node}", f"b{node}"]}} for node in (5, 40000)
    ]
    with varvite.open(zlib_path) as graph:
        is_list = any(name == "OVERLAYS" and is_list for name, _, _, is_list, *_ in graph.properties)
    assert is_list
    varvite.apply(path, operations)
    with varvite.open(path) as graph:
        column = graph.column("OVERLAYS")
        out = numpy.empty(len(column), numpy.uint32)
        column.to_numpy(out)
        texts, offsets = column.texts(), column.offsets()
        for owner, start, end in zip(column.owners(), offsets, offsets[1:]):
            assert [texts[code] for code in out[start:end]] == graph.node(owner).OVERLAYS


@pytest.mark.parametrize(
    "out, error, message",
    [
        (lambda count: numpy.empty(count, numpy.int16), varvite.WrongTypeError, "int16"),
        (lambda count: numpy.empty(count, numpy.uint32), varvite.WrongTypeError, "uint32"),
        (lambda count: [0] * count, varvite.WrongTypeError, "list"),
        (lambda count: numpy.empty(count + 1, numpy.int32), varvite.ArgumentError, "shape"),
        (lambda count: numpy.empty((count, 1), numpy.int32), varvite.ArgumentError, "shape"),
        (lambda count: numpy.empty(2 * count, numpy.int32)[::2], varvite.ArgumentError, "one piece"),
        (lambda count: numpy.frombuffer(bytes(4 * count), numpy.int32), varvite.ArgumentError, "written"),
    ],
)
def test_an_array_that_cannot_take_the_values_is_refused(
    zlib: varvite.Graph, out: Any, error: type[Exception], message: str
) -> None:
    lines = zlib.column("LINE_NUMBER")
    with pytest.raises(error, match=message):
        lines.to_numpy(out(len(lines)))
    with pytest.raises(error, match=message):
        lines.values(out=out(len(lines)))


def test_a_matrix_has_the_edges(zlib: varvite.Graph) -> None:
    calls, arriving = zlib.csr("CALL"), zlib.csr("CALL", direction="in")
    assert calls.shape == (zlib.id_limit, zlib.id_limit) and calls.nnz == zlib.edge_labels["CALL"]
    assert calls.indptr.dtype == calls.indices.dtype == numpy.int32
    for call in list(zlib.nodes("CALL"))[::499]:
        start, end = calls.indptr[call.id : call.id + 2]
        assert calls.indices[start:end].tolist() == [method.id for method in call.out.CALL]
    assert abs(calls.T - arriving).sum() == 0
    with pytest.raises(ValueError, match="direction"):
        zlib.csr("CALL", direction="up")


def test_the_tree_is_a_matrix_too(zlib: varvite.Graph) -> None:
    assert zlib.csr("AST").nnz == zlib.edge_labels["AST"]


COLUMNS = ["NAME", "FULL_NAME", "LINE_NUMBER", "IS_EXTERNAL"]


def expected(graph: varvite.Graph) -> list[dict[str, object]]:
    return [{"id": node.id, **{name: node[name] for name in COLUMNS}} for node in graph.nodes("METHOD")]


def test_pyarrow_reads_a_table(zlib: varvite.Graph) -> None:
    table = pyarrow.table(zlib.table("METHOD", COLUMNS))
    assert pyarrow.types.is_dictionary(table.schema.field("NAME").type)
    assert table.to_pylist() == expected(zlib)


def test_polars_reads_a_table(zlib: varvite.Graph) -> None:
    frame = polars.DataFrame(zlib.table("METHOD", COLUMNS))
    assert frame.with_columns(polars.col("NAME", "FULL_NAME").cast(polars.String)).to_dicts() == expected(zlib)


def test_pandas_reads_a_table(zlib: varvite.Graph) -> None:
    frame = pandas.DataFrame.from_arrow(zlib.table("METHOD", COLUMNS))
    assert frame["NAME"].astype(str).tolist() == [row["NAME"] for row in expected(zlib)]


def test_duckdb_joins_a_table_with_itself(zlib: varvite.Graph) -> None:
    methods, calls = zlib.table("METHOD", COLUMNS), zlib.edge_table("CALL")
    assert methods is not None and calls is not None
    connection = duckdb.connect()
    twice = connection.execute("select count(*) from methods a join methods b using (id)").fetchall()
    assert twice == [(len(zlib.nodes("METHOD")),)]
    called = connection.execute("select count(*) from calls join methods on target = id").fetchall()
    assert called == [(zlib.edge_labels["CALL"],)]


def test_a_table_has_every_column_that_a_label_uses(zlib: varvite.Graph) -> None:
    table = pyarrow.table(zlib.table("METHOD"))
    used = {name for node in zlib.nodes("METHOD") for name in node.properties()}
    assert set(table.column_names) == {"id", *used}


def test_results_are_streams_too(zlib: varvite.Graph) -> None:
    calls = zlib.pipeline().nodes("CALL").out("CALL").group_count("NAME")
    counts = pyarrow.table(calls)
    assert counts.column("count").to_pylist() == [row["count"] for row in calls]


def test_a_table_has_the_rows_of_its_pipeline(zlib: varvite.Graph, direct: varvite.Graph) -> None:
    for graph in [zlib, direct]:
        for label in ["METHOD", "METHOD_PARAMETER_IN", "MEMBER", "TYPE_DECL", "FILE"]:
            table = graph.table(label)
            assert pyarrow.table(table).to_pylist() == [{**row, "id": row["id"].id} for row in table]


def test_a_table_of_edges_has_their_properties(zlib: varvite.Graph) -> None:
    table = pyarrow.table(zlib.edge_table("REACHING_DEF"))
    assert table.column_names == ["source", "target", "VARIABLE"]
    assert pyarrow.types.is_dictionary(table.schema.field("VARIABLE").type)
    column = zlib.column("VARIABLE", edge_label="REACHING_DEF")
    texts = column.texts()
    expected = [texts[code] for code in column.to_numpy()]
    assert table.column("VARIABLE").filter(table.column("VARIABLE").is_valid()).to_pylist() == expected
    assert zlib.edge_table("REACHING_DEF", []).columns == ["source", "target"]
    sources, targets = table.column("source").to_numpy(), table.column("target").to_numpy()
    edges = zlib.csr("REACHING_DEF").tocoo()
    assert numpy.array_equal(sources, edges.row) and numpy.array_equal(targets, edges.col)
    with pytest.raises(varvite.UnknownError, match="VARIABLE"):
        zlib.edge_table("REACHING_DEF", ["VARIABL"])


def test_an_unknown_column_has_the_nearest(zlib: varvite.Graph) -> None:
    with pytest.raises(varvite.UnknownError, match="LINE_NUMBER"):
        zlib.table("METHOD", ["LINE_NUMBR"])
    with pytest.raises(varvite.UnknownError, match="LINE_NUMBER"):
        zlib.column("LINE_NUMBR")
    with pytest.raises(varvite.UnknownError):
        pyarrow.table(zlib.edge_table("CALLS"))


def test_the_package_needs_no_other_package() -> None:
    blocked = "import sys; sys.modules.update(dict.fromkeys(['numpy', 'pyarrow', 'scipy'])); import varvite"
    subprocess.run([sys.executable, "-c", blocked], check=True)
