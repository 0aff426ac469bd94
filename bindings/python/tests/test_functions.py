"""Functions as graphs for machine learning, beside plain walks over nodes."""

import collections
import json
import pathlib
import re
import subprocess
import sys

import numpy
import pyarrow
import pytest

import varvite

EDGES = ["AST", "CFG", "REACHING_DEF"]


def below(children: dict[int, list[int]], method: int, methods: set[int]) -> list[int]:
    """The nodes below a METHOD along AST, without other METHODs."""
    found, waiting = [], [method]
    while waiting:
        node = waiting.pop()
        found.append(node)
        waiting += [child for child in children[node] if child not in methods]
    return sorted(found)


def edges_of(graph: varvite.Graph, label: str) -> dict[int, list[int]]:
    found = collections.defaultdict(list)
    for row in pyarrow.table(graph.edge_table(label, [])).to_pylist():
        found[row["source"]].append(row["target"])
    return found


@pytest.fixture(params=[1 << 16, 500])
def batch_nodes(request: pytest.FixtureRequest) -> int:
    return int(request.param)


def test_functions_have_the_nodes_and_edges_of_a_plain_walk(zlib: varvite.Graph, batch_nodes: int) -> None:
    edges = {label: edges_of(zlib, label) for label in EDGES}
    methods = {node.id for node in zlib.nodes("METHOD")}
    functions = list(zlib.functions(EDGES, "numpy", batch_nodes=batch_nodes))
    assert [function["method"] for function in functions] == sorted(methods)
    assert len(zlib.functions(EDGES, "numpy")) == len(methods) == 425
    for function in functions:
        nodes = below(edges["AST"], function["method"], methods)
        assert function["nodes"].tolist() == nodes
        places = {node: place for place, node in enumerate(nodes)}
        expected = [
            (places[source], places[target], number)
            for number, label in enumerate(EDGES)
            for source in nodes
            for target in edges[label].get(source, [])
            if target in places
        ]
        (sources, targets), types = function["edge_index"].tolist(), function["edge_type"].tolist()
        assert list(zip(sources, targets, types)) == expected


def tokens_of(text: str) -> list[str]:
    return re.findall(r"[A-Za-z0-9_$\x80-\U0010ffff]+|[^\s]", text, re.ASCII)


def fnv_1a(text: str) -> int:
    found = 0xCBF29CE484222325
    for byte in text.encode():
        found = (found ^ byte) * 0x100000001B3 % (1 << 64)
    return found


def test_nodes_have_types_lines_and_tokens(zlib: varvite.Graph) -> None:
    method = zlib.pipeline().nodes("METHOD").has("NAME", "inflate").first()
    (function,) = zlib.functions(as_="numpy", methods=[method], token_ids=1000)
    tokens = collections.defaultdict(list)
    for place, token in zip(function["token_index"].tolist(), function["tokens"].tolist()):
        tokens[place].append(token)
    for place, id in enumerate(function["nodes"].tolist()):
        node = zlib.node(id)
        assert zlib.labels[function["node_type"][place]] == node.label
        assert function["line"][place] == (-1 if node["LINE_NUMBER"] is None else node.LINE_NUMBER)
        assert tokens[place] == [fnv_1a(token) % 1000 for token in tokens_of(node["CODE"] or "")]


def test_arrays_are_tensors_without_a_copy(zlib: varvite.Graph) -> None:
    batch = next(zlib.functions(as_="numpy").batches())
    for name in ["node_types", "lines", "edge_index", "edge_types", "tokens", "codes", "node_offsets"]:
        array = getattr(batch, name)
        assert array.dtype == numpy.int64 and array.flags.writeable and array.flags.c_contiguous
        tensor = numpy.from_dlpack(array)
        assert tensor.__array_interface__["data"][0] == array.__array_interface__["data"][0]
    assert batch.edge_index.shape == (2, len(batch.edge_types))


def test_json_and_arrow_say_the_same_as_arrays(zlib: varvite.Graph) -> None:
    arrays = list(zlib.functions(as_="numpy"))
    objects = list(zlib.functions(as_="json"))
    rows = [row for batch in zlib.functions(as_="arrow") for row in batch.to_pylist()]
    assert len(arrays) == len(objects) == len(rows)
    for array, found, row in zip(arrays, objects, rows):
        assert array["method"] == found["method"] == row["method"]
        assert array["nodes"].tolist() == found["nodes"]["id"] == row["node"]
        assert [zlib.labels[number] for number in array["node_type"]] == found["nodes"]["type"]
        assert found["nodes"]["line"] == row["line"] and found["nodes"]["code"] == row["code"]
        assert array["edge_index"].tolist() == [found["edges"]["source"], found["edges"]["target"]]
        assert [row["source"], row["target"], row["edge_type"]] == [*array["edge_index"].tolist(), array["edge_type"].tolist()]
        counted = [len(tokens) for tokens in found["nodes"]["tokens"]]
        assert counted == [len(tokens) for tokens in row["tokens"]]
        assert numpy.bincount(array["token_index"], minlength=len(counted)).tolist() == counted
    json.dumps(objects[0])


def test_a_csv_file_labels_functions(zlib: varvite.Graph, tmp_path: pathlib.Path) -> None:
    method = zlib.pipeline().nodes("METHOD").has("NAME", "inflate").first()
    path = tmp_path / "labels.csv"
    path.write_text(f"file,line,label\n{method.FILENAME},{method.LINE_NUMBER + 3},7\n")
    labels = {function["method"]: int(function["y"][0]) for function in zlib.functions(as_="numpy", labels=path)}
    assert labels.pop(method.id) == 7 and set(labels.values()) == {0}
    assert next(iter(zlib.functions(as_="json", labels=path, methods=[method])))["y"] == 7
    for text, fault in [
        ("path,line\n", "expected the columns"),
        ("file,line\nno.c,1\n", "no METHOD at no.c:1"),
        ("file,line\ninflate.c,x\n", "line 2"),
        ("file,line\ninflate.c,-1\n", "1 or more"),
    ]:
        path.write_text(text)
        with pytest.raises(varvite.ArgumentError, match=fault):
            zlib.functions(as_="numpy", labels=path)


def test_a_warning_names_default_labels_that_the_graph_lacks(tmp_path: pathlib.Path) -> None:
    (tmp_path / "nodes.csv").write_text(":ID,:LABEL,NAME\n0,METHOD,f\n1,BLOCK,\n2,BLOCK,\n")
    (tmp_path / "edges.csv").write_text(":START_ID,:END_ID,:TYPE\n0,1,AST\n1,2,AST\n1,2,REACHING_DEF\n")
    words = ["import", "--format", "neo4j-csv", "--nodes", "nodes.csv", "--relationships", "edges.csv", "-o", "g.varvite"]
    subprocess.run([sys.executable, "-m", "varvite", *words, "--tree", "AST"], cwd=tmp_path, check=True)
    with varvite.open(tmp_path / "g.varvite") as graph:
        with pytest.warns(UserWarning, match="has no edges CFG: choose others") as warned:
            (function,) = graph.functions(as_="numpy")
        assert warned[0].filename == __file__
        assert function["edge_index"].tolist() == [[0, 1, 1], [1, 2, 2]] and function["edge_type"].tolist() == [0, 0, 2]
        with pytest.warns(UserWarning, match="CFG"):
            assert next(iter(graph.functions(as_="json")))["edges"]["type"] == ["AST", "AST", "REACHING_DEF"]
        with pytest.raises(varvite.UnknownError, match="CFG"):
            list(graph.functions(["AST", "CFG"], "numpy"))


def test_what_functions_cannot_be_is_refused(zlib: varvite.Graph) -> None:
    with pytest.raises(varvite.UnknownError, match="REACHING_DEF"):
        list(zlib.functions(["REACHING_DEFS"], "numpy"))
    with pytest.raises(varvite.ArgumentError, match="pyg"):
        zlib.functions(as_="torch")
    with pytest.raises(varvite.ArgumentError, match="a list"):
        zlib.functions("AST", "numpy")
    with pytest.raises(varvite.ArgumentError, match="at least 1"):
        zlib.functions(as_="numpy", batch_nodes=0)
    with pytest.raises(varvite.OverBudgetError):
        list(zlib.functions(as_="numpy", memory=10_000))
    with pytest.raises(TypeError, match="pickled"):
        zlib.functions().__reduce__()
