"""Exports to Parquet, read by DuckDB, Polars and pyarrow, against the graph."""

import json
import pathlib
import subprocess
import sys

import duckdb
import polars as pl
import pyarrow.parquet
import pytest

import varvite


@pytest.fixture(scope="session")
def tables(zlib_path: pathlib.Path, tmp_path_factory: pytest.TempPathFactory) -> pathlib.Path:
    """The graph of zlib as Parquet."""
    folder = tmp_path_factory.mktemp("parquet") / "zlib"
    words = ["export", str(zlib_path), "--format", "parquet", "-o", str(folder)]
    subprocess.run([sys.executable, "-m", "varvite", *words], check=True)
    return folder


def test_every_label_has_its_nodes_and_edges(tables: pathlib.Path, zlib: varvite.Graph) -> None:
    for label in zlib.labels:
        path, expected = tables / f"nodes/{label}.parquet", len(zlib.nodes(label))
        assert path.exists() == (expected > 0), label
        if expected:
            (found,) = duckdb.execute(f"select count(*), sum(id) from '{path}'").fetchall()
            assert found == (expected, sum(node.id for node in zlib.nodes(label)))
    for label, expected in zlib.edge_labels.items():
        path = tables / f"edges/{label}.parquet"
        assert path.exists() == (expected > 0), label
        if expected:
            sources, targets = pl.read_parquet(path).select(pl.col("source", "target").sum()).row(0)
            sums = pl.DataFrame(zlib.edge_table(label)).select(pl.col("source", "target").sum()).row(0)
            assert (pl.scan_parquet(path).select(pl.len()).collect().item(), sources, targets) == (expected, *sums)


@pytest.mark.parametrize("label", ["METHOD", "CALL", "IDENTIFIER", "FILE", "META_DATA"])
def test_both_libraries_read_the_values_of_the_graph(
    tables: pathlib.Path, zlib: varvite.Graph, label: str
) -> None:
    path = tables / f"nodes/{label}.parquet"
    expected = pl.DataFrame(zlib.table(label))
    # Parquet's dictionaries are no type of Polars.
    texts = [name for name, kind in expected.schema.items() if kind == pl.Categorical]
    lists = [name for name, kind in expected.schema.items() if kind == pl.List(pl.Categorical)]
    expected = expected.with_columns(pl.col(texts).cast(pl.String), pl.col(lists).cast(pl.List(pl.String)))
    by_polars = pl.read_parquet(path)
    assert by_polars.schema == expected.schema
    assert by_polars.equals(expected)
    assert duckdb.read_parquet(str(path)).pl().select(expected.columns).equals(expected)


def test_texts_have_dictionaries_and_groups_have_statistics(tables: pathlib.Path) -> None:
    file = pyarrow.parquet.ParquetFile(tables / "nodes/CALL.parquet")
    group = file.metadata.row_group(0)
    columns = {group.column(index).path_in_schema: group.column(index) for index in range(group.num_columns)}
    assert all(column.compression == "ZSTD" and column.is_stats_set for column in columns.values())
    assert "RLE_DICTIONARY" in columns["NAME"].encodings and columns["NAME"].has_dictionary_page
    assert columns["id"].statistics.max < 44_073


def test_the_index_names_the_identity_of_the_graph(tables: pathlib.Path, zlib: varvite.Graph) -> None:
    index = json.loads((tables / "_varvite.json").read_text())
    assert index["source"] == {"identity": zlib.identity}
    assert (index["nodes"], index["edges"]) == (zlib.node_count, zlib.edge_count)
    files = {str(path.relative_to(tables)) for path in tables.glob("*/*.parquet")}
    assert {table["file"] for table in index["tables"]} == files
