"""What is left of a graph after `close`, in a fork and in a pickle: for every class that reads a graph."""

import os
import pathlib
import pickle
from collections.abc import Callable, Iterator
from typing import Any

import networkx as nx
import numpy
import pyarrow
import pytest

import varvite
from varvite import it

TREE = {"version": 1, "hops": [{"direction": "out", "edge_labels": ["AST"]}]}


def begun(iterator: Iterator[Any]) -> Iterator[Any]:
    """An iterator that has given its first item."""
    next(iterator)
    return iterator


def uses(graph: varvite.Graph) -> dict[str, Callable[[], object]]:
    """A use of each class, each with the object that it needs, made of the open graph."""
    node, nodes, column = graph.node(293), graph.nodes("CALL"), graph.column("LINE_NUMBER")
    names, pipeline = graph.column("NAME"), graph.pipeline().nodes("CALL").columns("NAME")
    table, edges, part = graph.table("METHOD", ["NAME"]), graph.edge_table("CALL"), graph.subgraph("CFG")
    view, functions, visits = graph.networkx("CFG"), graph.functions(["AST"], "numpy"), graph.walk(TREE, [293])
    rows, dataset, joern = pipeline.run(batch_rows=1), graph.dataset("METHOD"), graph.ask("cpg.method.name.l")
    loop, walk = begun(iter(rows)), begun(iter(visits))
    small = begun(graph.functions(["AST"], "numpy", batch_nodes=100).batches())
    out = numpy.empty(len(column), numpy.int32)
    return {
        "Graph": lambda: graph.node_count,
        "Graph.node": lambda: graph.node(1),
        "Graph.pipeline": lambda: graph.pipeline().nodes().run(),
        "Graph.sql": lambda: graph.sql("from METHOD"),
        "Graph.scan": lambda: graph.scan("METHOD").collect(),
        "Graph.igraph": lambda: graph.igraph("CALL"),
        "Graph.verify": lambda: graph.verify(),
        "Graph.functions": lambda: graph.functions(["AST"], methods=[293]),
        "Graph.csr": lambda: graph.csr("CALL"),
        "Graph.memory": lambda: graph.memory(),
        "Node": lambda: node.NAME,
        "Node.label": lambda: node.label,
        "Node.properties": lambda: node.properties(),
        "Neighbours": lambda: node.out.AST,
        "Nodes": lambda: list(nodes),
        "Nodes.ids": lambda: nodes.ids,
        "Column": lambda: len(column),
        "Column.to_numpy": lambda: column.to_numpy(),
        "Column.to_numpy, out": lambda: column.to_numpy(out),
        "Column.values": lambda: column.values(stored=True),
        "Column.owners": lambda: column.owners(),
        "Column.offsets": lambda: column.offsets(),
        "Column.texts": lambda: names.texts(),
        "Pipeline": lambda: pipeline.first(),
        "Rows": lambda: list(rows),
        "Rows, a loop": lambda: next(loop),
        "Rows, a stream": lambda: rows.__arrow_c_stream__(),
        "Rows of Joern's text": lambda: list(joern),
        "NodeTable": lambda: table.__arrow_c_stream__(),
        "NodeTable, rows": lambda: list(table),
        "EdgeTable": lambda: edges.__arrow_c_stream__(),
        "GraphDataset": lambda: dataset.to_table(),
        "Functions": lambda: list(functions),
        "Functions, length": lambda: len(functions),
        "Functions, a loop": lambda: next(small),
        "Subgraph.ids": lambda: part.ids,
        "Subgraph.distances": lambda: part.distances([293]),
        "Subgraph.dominators": lambda: part.dominators([293]),
        "Subgraph.generations": lambda: part.generations(),
        "Subgraph.clustering": lambda: part.clustering(),
        "Visits": lambda: list(visits),
        "Visits, a loop": lambda: list(walk),
        "Visits.paths": lambda: list(visits.paths()),
        "a view": lambda: nx.descendants(view, 293),
        "neighbours of a view": lambda: view[293],
        "attributes of a view": lambda: dict(view.nodes[293]),
    }


def repr_of(graph: varvite.Graph) -> list[object]:
    """The objects whose texts are shown in tracebacks and debuggers."""
    node = graph.node(293)
    return [
        graph, node, node.out, graph.nodes("CALL"), graph.column("NAME"), graph.pipeline().nodes(), it().out("AST"),
        graph.pipeline().nodes().run(), graph.table("METHOD", ["NAME"]), graph.edge_table("CALL"), graph.subgraph("CFG"),
        graph.functions(["AST"]), graph.walk(TREE, [293]), graph.dataset("METHOD"),
    ]  # fmt: skip


def test_every_use_after_close_raises(zlib_path: pathlib.Path) -> None:
    graph = varvite.open(zlib_path)
    found, shown = uses(graph), repr_of(graph)
    graph.close()
    assert graph.closed
    for name, use in found.items():
        with pytest.raises(varvite.GraphClosedError, match="zlib.varvite was closed"):
            use()
            pytest.fail(f"{name} answered")
    assert all(repr(thing) for thing in shown)
    assert "closed" in repr(graph) and "closed" in repr(shown[4])
    graph.close()


def test_what_was_made_before_close_stays(direct_path: pathlib.Path) -> None:
    with varvite.open(direct_path) as graph:
        view, batch = graph.column("COLUMN_NUMBER").to_numpy(), next(graph.functions(["AST"]).batches())
        table, lines = pyarrow.table(graph.table("METHOD", ["NAME"])), graph.column("LINE_NUMBER").to_numpy()
        part = graph.igraph("CALL", labels=["CALL", "METHOD"])
        expected = [int(view.sum()), int(lines.sum()), len(batch.numpy(0)["nodes"]), table.num_rows, part.ecount()]
    found = [int(view.sum()), int(lines.sum()), len(batch.numpy(0)["nodes"]), table.num_rows, part.ecount()]
    assert found == expected


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_every_use_in_a_fork_raises(zlib: varvite.Graph) -> None:
    found = uses(zlib)
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        os.write(writer, "\n".join(answers_of(found)).encode())
        os._exit(0)
    os.close(writer)
    with os.fdopen(reader) as answered:
        assert answered.read() == ""
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    assert zlib.node_count > 0


#: Libraries of others that start threads: a fork of their process may wait for them for ever.
WITH_THREADS = {"Graph.sql", "Graph.scan", "GraphDataset"}


def answers_of(found: dict[str, Callable[[], object]]) -> Iterator[str]:
    """The names of the uses that do not raise the error of a fork."""
    for name, use in found.items():
        if name in WITH_THREADS:
            continue
        try:
            use()
            yield name
        except varvite.GraphClosedError as error:
            if "fork" not in str(error):
                yield f"{name}: {error}"
        except BaseException as error:
            yield f"{name}: {error!r}"


def test_nothing_that_reads_a_graph_can_be_pickled(zlib: varvite.Graph) -> None:
    node = zlib.node(0)
    things: list[object] = [
        zlib, node, node.out, zlib.nodes("CALL"), zlib.column("NAME"), zlib.pipeline().nodes(), zlib.pipeline().nodes().run(),
        zlib.table("METHOD", ["NAME"]), zlib.edge_table("CALL"), zlib.functions(["AST"]), zlib.subgraph("CFG"),
        zlib.walk(TREE, [0]), zlib.dataset("METHOD"), zlib.networkx("CFG"), zlib.ask("cpg.method.l"),
    ]  # fmt: skip
    for thing in things:
        with pytest.raises(TypeError, match="cannot be pickled: pickle"):
            pickle.dumps(thing)
    with pytest.raises(TypeError, match="pickle"):
        pickle.dumps(zlib.nodes("CALL").ids)
    assert pickle.loads(pickle.dumps(it().out("AST"))).to_json() == it().out("AST").to_json()
