"""Reads the Arrow exports of the C interface with Arrow's own library for Python.

    python check.py LIBRARY SOURCE GRAPH   LIBRARY is the shared library, SOURCE the zlib graph of the examples,
                                           GRAPH the file that it is imported into

pyarrow imports the structs of the Arrow C Data Interface and validates every buffer in full. The script then computes
answers from the imported data, and compares them with results of the engine. `cargo xtask reference` makes the
environment and runs this script.
"""

import collections
import ctypes
import json
import sys

import pyarrow


COMPACT, ZSTD = 1, 2


class Error(ctypes.Structure):
    _fields_ = [("size", ctypes.c_uint32), ("code", ctypes.c_int32), ("os_number", ctypes.c_int32),
                ("message_length", ctypes.c_uint32), ("message", ctypes.c_char * 496)]


class Options(ctypes.Structure):
    _fields_ = [("size", ctypes.c_uint32), ("threads", ctypes.c_uint32), ("memory_bytes", ctypes.c_uint64),
                ("batch_rows", ctypes.c_uint64)]


class Engine:
    def __init__(self, library, source, path):
        self.library = ctypes.CDLL(library)
        replacing = (ctypes.c_uint32 * 5)(20, COMPACT, ZSTD, 1, 0)
        report = ctypes.create_string_buffer(32)
        size = ctypes.c_uint64(ctypes.sizeof(report))
        self.call("varvite_import", source.encode(), path.encode(), replacing, report, size)
        self.graph = ctypes.c_void_p()
        self.call("varvite_graph_open", path.encode(), None, ctypes.byref(self.graph))

    def call(self, name, *arguments):
        error = Error(ctypes.sizeof(Error))
        if getattr(self.library, name)(*arguments, ctypes.byref(error)) < 0:
            raise RuntimeError(f"{name}: {error.message.decode()}")

    def table(self, table, number):
        schema, array = ctypes.create_string_buffer(128), ctypes.create_string_buffer(128)
        self.call("varvite_export_arrow", self.graph, ctypes.c_uint32(table), ctypes.c_uint32(number), schema, array)
        batch = pyarrow.RecordBatch._import_from_c(ctypes.addressof(array), ctypes.addressof(schema))
        batch.validate(full=True)
        return batch

    def stream(self, steps, batch_rows=0):
        plan = json.dumps({"version": 1, "steps": steps}).encode()
        options = Options(ctypes.sizeof(Options), 0, 0, batch_rows)
        stream = ctypes.create_string_buffer(64)
        self.call("varvite_run_arrow", self.graph, plan, ctypes.c_uint64(len(plan)), ctypes.byref(options), stream)
        return pyarrow.RecordBatchReader._import_from_c(ctypes.addressof(stream))

    def rows(self, steps, batch_rows=0):
        table = self.stream(steps, batch_rows).read_all()
        table.validate(full=True)
        return table


def check(name, found, expected):
    if found != expected:
        sys.exit(f"{name}: {found!r}, expected {expected!r}")


def step(name, **fields):
    return {"step": name, **fields}


def main(library, source, path):
    engine = Engine(library, source, path)
    labels = engine.table(0, 0)
    by_label = collections.Counter(labels.column("label").to_pylist())

    counts = engine.rows([step("nodes"), step("group_count", by="label")])
    check("counts", dict(zip(*counts.to_pydict().values())), dict(by_label))
    nodes = engine.rows([step("nodes", labels=["CALL"])], 100)
    check("batches", [len(batch) for batch in nodes.to_batches()][:-1], [100] * (by_label["CALL"] // 100))
    is_call = [name == "CALL" for name in labels.column("label").to_pylist()]
    check("nodes", nodes.column("node").to_pylist(), labels.filter(pyarrow.array(is_call)).column("node").to_pylist())

    columns = ["itself", "label", {"property": "NAME"}, {"property": "ORDER"}, {"property": "IS_EXTERNAL"}]
    table = engine.rows([step("nodes"), step("columns", columns=columns)], 1000)
    check("types", [str(field.type) for field in table.schema],
          ["uint32", "dictionary<values=large_string, indices=uint32, ordered=0>", "large_string", "int32", "bool"])
    rows = table.to_pylist()
    methods = {row["node"]: row["NAME"] for row in rows if row["label"] == "METHOD"}
    check("a method", "inflate" in methods.values(), True)
    check("no truth value", all((row["IS_EXTERNAL"] is None) == (row["node"] not in methods)
                                for row in rows if row["label"] in ("METHOD", "CALL")), True)

    edges = engine.rows([step("edges", labels=["CALL"])]).column("edge").to_pylist()
    check("labels of edges", {edge["label"] for edge in edges}, {"CALL"})
    check("ranks", [edge["rank"] for edge in edges], list(range(len(edges))))
    callees = collections.Counter(methods[edge["target"]] for edge in edges)
    top = engine.rows([step("nodes", labels=["CALL"]), step("out", labels=["CALL"]), step("group_count", by={"property": "NAME"}),
                       step("order", by={"column": "count"}, descending=True), step("limit", count=20)])
    check("top counts", top.column("count").to_pylist(), [count for _, count in callees.most_common(20)])
    check("top names", all(callees[row["NAME"]] == row["count"] for row in top.to_pylist()), True)

    paths = engine.rows([step("nodes", labels=["CALL"]), step("out_edges", labels=["CALL"]), step("target"), step("path")], 777)
    pairs = [(path[0]["node"], path[1]["edge"]["source"], path[1]["edge"]["target"], path[2]["node"])
             for path in paths.column("path").to_pylist()]
    check("paths", all(a == b and c == d for a, b, c, d in pairs) and len(pairs), len(edges))
    groups = engine.rows([step("nodes", labels=["METHOD"]), step("group", by={"property": "NAME"})]).to_pylist()
    check("groups", {node: group["NAME"] for group in groups for node in group["nodes"]}, methods)

    empty = engine.stream([step("nodes"), step("has", property="NAME", **{"is": {"eq": "no such name"}}), step("values", property="CODE")])
    check("empty", (empty.schema.names, empty.read_all().num_rows), (["CODE"], 0))
    early = engine.stream([step("nodes")], 10)
    check("early", early.read_next_batch().column(0).to_pylist(), list(range(10)))
    early.close()
    walk = [step("nodes"), step("repeat", body=[step("both", labels=["AST"])], emit="all", order="depth")]
    try:
        engine.stream(walk).read_all()
        sys.exit("a walk without end ended")
    except (OSError, MemoryError, pyarrow.ArrowException) as error:
        check("an error names the step", "step 2 (repeat)" in str(error), True)
    number = 0
    while True:
        try:
            engine.table(2, number)
        except RuntimeError:
            break
        number += 1
    print(f"Arrow: pyarrow {pyarrow.__version__} reads {number} properties, labels, edges, paths and groups alike")


if __name__ == "__main__":
    main(*sys.argv[1:])
