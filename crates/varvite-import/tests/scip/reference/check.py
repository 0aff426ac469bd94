"""Compares the counts of `varvite import` with those of the decoder of Google's protobuf for Python.

check.py VARVITE FOLDER.. imports the `index.scip` of each folder, whose sources are in the same folder. The messages
are declared here, since `scip.proto` is not a part of this project. If all sources are Python, the calls are counted
by Python's own rules: the syntax tree has a call at the position of a reference to a method.
"""

import ast
import json
import subprocess
import sys
import tempfile
from pathlib import Path

from google.protobuf import descriptor_pb2, descriptor_pool, message_factory

FIELD = descriptor_pb2.FieldDescriptorProto
# The fields that the import reads: number, name, type (`*` for a list).
MESSAGES = {
    "Index": [(1, "metadata", "Metadata"), (2, "documents", "*Document"), (3, "external_symbols", "*Information")],
    "Metadata": [(2, "tool_info", "Tool"), (3, "project_root", "str")],
    "Tool": [(1, "name", "str"), (2, "version", "str")],
    "Document": [(1, "relative_path", "str"), (2, "occurrences", "*Occurrence"), (3, "symbols", "*Information")],
    "Occurrence": [(1, "range", "*int"), (2, "symbol", "str"), (3, "symbol_roles", "int"), (7, "enclosing_range", "*int")],
    "Information": [(1, "symbol", "str"), (4, "relationships", "*Relationship"), (5, "kind", "int")],
    "Relationship": [(1, "symbol", "str"), (3, "is_implementation", "int")],
}
COUNTS = [
    "occurrences", "local_symbols", "definitions", "further_definitions", "references", "references_to_methods",
    "calls", "relationships",
]
TYPES = {"str": FIELD.TYPE_STRING, "int": FIELD.TYPE_INT32}


def declare():
    file = descriptor_pb2.FileDescriptorProto(name="scip.proto", package="scip", syntax="proto3")
    for name, fields in MESSAGES.items():
        message = file.message_type.add(name=name)
        for number, field, kind in fields:
            label = FIELD.LABEL_REPEATED if kind.startswith("*") else FIELD.LABEL_OPTIONAL
            kind = kind.lstrip("*")
            added = message.field.add(name=field, number=number, label=label)
            if kind in TYPES:
                added.type = TYPES[kind]
            else:
                added.type, added.type_name = FIELD.TYPE_MESSAGE, f".scip.{kind}"
    pool = descriptor_pool.DescriptorPool()
    pool.Add(file)
    return message_factory.GetMessageClass(pool.FindMessageTypeByName("scip.Index"))


def is_local(symbol):
    return symbol.startswith("local ")


def is_method(symbol):
    return symbol.endswith(").") or symbol.endswith("!")


def calls_of(text):
    """The positions, line and column in UTF-16, of the names that the syntax tree calls."""
    lines, found = text.split("\n"), set()
    for node in ast.walk(ast.parse(text)):
        if not isinstance(node, ast.Call):
            continue
        function = node.func
        if isinstance(function, ast.Name):
            line, byte = function.lineno - 1, function.col_offset
        elif isinstance(function, ast.Attribute):
            line, byte = function.end_lineno - 1, function.end_col_offset - len(function.attr.encode())
        else:
            continue
        before = lines[line].encode()[:byte].decode()
        found.add((line, len(before.encode("utf-16-le")) // 2))
    return found


def count(folder):
    """The counts of an index, by the names in the report of the import."""
    index = declare()()
    index.ParseFromString((folder / "index.scip").read_bytes())
    is_python = all(document.relative_path.endswith(".py") for document in index.documents)
    symbols, defined, counts = set(), set(), dict.fromkeys(COUNTS, 0)
    informations = list(index.external_symbols)
    for document in index.documents:
        informations += document.symbols
        positions = calls_of((folder / document.relative_path).read_text()) if is_python else set()
        count_document(document, positions, symbols, defined, counts)
    for each in informations:
        counts["relationships"] += len(each.relationships)
        symbols.update(other.symbol for other in [each, *each.relationships] if not is_local(other.symbol))
    counts["documents"] = len(index.documents)
    counts["symbols"], counts["external_symbols"] = len(symbols), len(symbols - defined)
    if not is_python:
        del counts["calls"]
    tool = index.metadata.tool_info
    return {"indexer": f"{tool.name} {tool.version}", **counts}


def count_document(document, positions, symbols, defined, counts):
    named = {each.symbol for each in [*document.occurrences, *document.symbols]}
    defined_here = set()
    symbols.update(name for name in named if name and not is_local(name))
    counts["local_symbols"] += sum(map(is_local, named))
    for each in document.occurrences:
        counts["occurrences"] += 1
        if each.symbol_roles & 1:
            known = defined_here if is_local(each.symbol) else defined
            counts["further_definitions" if each.symbol in known else "definitions"] += 1
            known.add(each.symbol)
            continue
        counts["references"] += 1
        if is_method(each.symbol) and not is_local(each.symbol):
            counts["references_to_methods"] += 1
            counts["calls"] += tuple(each.range[:2]) in positions


def imported(program, folder):
    """The counts in the report of the import."""
    with tempfile.TemporaryDirectory() as made:
        words = ["import", folder / "index.scip", "--source", folder, "-o", f"{made}/g.varvite", "--report", "json"]
        report = json.loads(subprocess.run([program, *words], check=True, capture_output=True, text=True).stdout)
    report["references_to_methods"] = report["calls"] + report["method_refs"]
    return report


def main(program, folders):
    for folder in folders:
        expected, found = count(Path(folder)), imported(program, Path(folder))
        different = {name: (value, found[name]) for name, value in expected.items() if found[name] != value}
        if different:
            sys.exit(f"{folder}: expected and found: {different}")
        print(f"{folder}: {expected['occurrences']} occurrences, all {len(expected)} counts are equal")


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])
