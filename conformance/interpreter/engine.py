"""Runs the command `varvite`, and turns its output into rows in the form of the interpreter."""

import json
import math
import subprocess
import tempfile

from .check import Column, own_names
from .graph import NULL, Edge

SECONDS_MAX = 60
TIMED_OUT = -1
MEMORY = "256M"


class Engine:
    """Runs the command `varvite` on the files of one graph."""

    def __init__(self, program, graph, files):
        self.program, self.graph, self.files = program, graph, files

    def run(self, steps, profile, threads, side=None):
        """Runs a plan of these steps, and returns the exit code, the error message and the rows."""
        plan = json.dumps({"version": 1, "steps": steps})
        command = [self.program, "query", self.files[profile], "-", "--format", "jsonl", "--memory", MEMORY,
                   "--threads", str(threads)] + (["--eager-threads"] if threads > 1 else [])
        command += ["--side", side] if side is not None else []
        with tempfile.TemporaryFile() as answer:
            try:
                done = subprocess.run(command, input=plan.encode(), stdout=answer, stderr=subprocess.PIPE,
                                      timeout=SECONDS_MAX)
            except subprocess.TimeoutExpired:
                return TIMED_OUT, f"no end within {SECONDS_MAX} s", []
            answer.seek(0)
            rows = [json.loads(line, object_pairs_hook=list) for line in answer] if done.returncode == 0 else []
        return done.returncode, done.stderr.decode(errors="replace").strip(), rows


def shown(graph, kind, item):
    """A row of the interpreter in the form in which the command prints it, for comparison by `agree`."""
    if kind.rows == "nodes":
        return [("node", item), ("label", graph.labels[item])]
    if kind.rows == "edges":
        values = [plain(next(iter(graph.edge_value(item, name)), None)) for name in graph.edge_properties]
        names = own_names(map(Column, ["edge", "source", "target", *graph.edge_properties]))
        return list(zip([column.name for column in names],
                        [graph.edge_labels[item.label], item.source, item.target, *values]))
    if kind.rows == "values":
        return [(None, plain(item))]
    return [(column.name, cell(graph, column.is_list, values)) for column, values in zip(kind.columns, item)]


def cell(graph, is_list, values):
    items = [edge(graph, value) if isinstance(value, Edge) else plain(value) for value in values]
    return items if is_list else (items or [None])[0]


def edge(graph, found):
    return [("edge", graph.edge_labels[found.label]), ("source", found.source), ("target", found.target)]


def plain(value):
    if isinstance(value, float) and not math.isfinite(value):
        return "NaN" if value != value else "Infinity" if value > 0 else "-Infinity"
    return None if value is NULL else value


def narrowed(found, wanted):
    """Printed rows without the command's extra cells: properties and location of a node, and nodes of a path."""
    return [row[:len(wanted[0])] for row in found] if wanted else found


def agree(expected, found):
    """Whether a printed row is the expected one."""
    same_names = all(name in (None, other) for (name, _), (other, _) in zip(expected, found))
    return len(expected) == len(found) and same_names and all(map(same, expected, found))


def same(expected, found):
    one, other = expected[1], found[1]
    if isinstance(one, float) and isinstance(other, (int, float)) and not isinstance(other, bool):
        return math.isclose(one, other, rel_tol=1e-12)
    return type(one) is type(other) and one == other
