"""Compares the expected answers in conformance/cases with the interpreter's: python3 -m interpreter.cases FOLDER.

This code reads the graphs of cases independently of Varvite, as conformance/README.md describes them. It reports the
number of questions that the interpreter cannot answer: those about golden files, nodes with several labels, named
questions, budgets, and plans that are not valid JSON or have another form.
"""

import json
import re
import sys
from collections import Counter
from pathlib import Path

from .check import COLUMNS, EDGES, MAKES_NO_SENSE, NODES, UNKNOWN, Refused, Unpromised
from .graph import NULL, Edge, Graph
from .steps import Interpreter, Stopped

# The names of the errors for which an exit code of the interpreter stands.
ERRORS = {MAKES_NO_SENSE: {"PLAN", "WRONG_TYPE"}, UNKNOWN: {"UNKNOWN", "NO_SUCH_NODE"}, 6: {"PLAN"}}
NAME = r"\w+(?:\.\.\w+)?"
NAMES = rf"{NAME}(?:, *{NAME})*"
VALUE = re.compile(r' *(?:(?P<text>"(?:\\.|[^"\\])*")|(?P<word>[^ ,\]]+))')


class Case:
    """A case: the lines that describe its graph, or None, and its questions."""

    def __init__(self, path):
        self.graph, self.asks = None, []
        for keyword, words, body in sections(path.read_text(encoding="utf-8")):
            if keyword == "graph":
                self.graph = body
            elif keyword == "ask":
                self.asks.append({"question": words, "plan": "\n".join(body), "rows": None, "error": None})
            elif keyword == "expect":
                self.asks[-1]["rows"] = [json.loads(row) for row in [words, *body] if row]
            elif keyword == "error":
                self.asks[-1]["error"] = words.split()[1]
            elif keyword in ("side", "memory", "param"):
                self.asks[-1][keyword] = words


def sections(text):
    """Splits a case into sections: each keyword, with the rest of its line and the indented lines after it."""
    found = []
    for line in text.splitlines():
        if line.startswith("  "):
            found[-1][2].append(line[2:])
        elif line.strip() and not line.startswith("#"):
            keyword, _, words = line.partition(" ")
            found.append((keyword, words.strip(), []))
    return found


class Unknown(Exception):
    """Raised for a feature of a case that the interpreter lacks."""


class CaseGraph(Graph):
    """The graph that a case describes."""

    def __init__(self, lines):
        self.ids, self.labels, self.properties, self.lists, self.values = {}, [], {}, set(), {}
        self.edge_values, self.edge_properties = {}, {}
        parts = [self.split(line) for line in lines]
        self.edge_labels = sorted({label for _, label, _, _ in parts if label})
        for names, label, words, _ in parts:
            for name in names if label is None else []:
                self.ids[name] = len(self.labels)
                self.labels.append(words)
        if any("&" in label for label in self.labels):
            raise Unknown("nodes of several labels")
        self.label_names, self.node_count = sorted(set(self.labels)), len(self.labels)
        self.out, self.in_ = ({label: [[] for _ in self.labels] for label in self.edge_labels} for _ in "12")
        for names, label, words, values in parts:
            self.add_values(names, values) if label is None else self.add_edges(names, label, words, values)
        self.fill_edge_values()
        self.ast_is_forest = self.is_forest()

    @staticmethod
    def split(line):
        """Splits a line into node names, the edge label or None, the nodes' labels or edges' targets, and values."""
        found = re.match(rf"({NAMES}) *(?:: *([\w&]+)|-(\w+)-> *({NAMES}))(.*)", line)
        names, labels, label, targets, values = found.groups()
        return spread(names), label, labels if label is None else spread(targets), values.strip()

    def add_values(self, names, text):
        for key, kind, items, is_list in self.assignments(text):
            self.properties[key] = kind
            if is_list:
                self.lists.add(key)
            for name in names:
                self.values.setdefault(key, {})[self.ids[name]] = items

    def add_edges(self, sources, label, targets, text):
        most = max(len(sources), len(targets))
        place = self.edge_labels.index(label)
        for source, target in zip(sources * (most // len(sources)), targets * (most // len(targets))):
            source, target = self.ids[source], self.ids[target]
            edge = Edge(place, source, len(self.out[label][source]), target)
            self.out[label][source].append(edge)
            self.in_[label][target].append(edge)
            for key, kind, items, _ in self.assignments(text):
                self.edge_properties.setdefault(key, {})[label] = kind
                self.edge_values[edge] = items[0]

    def fill_edge_values(self):
        """Refuses a graph where only some edges of a label have a value, which the interpreter cannot represent."""
        of_labels = {label for labels in self.edge_properties.values() for label in labels}
        edges = [edge for label in of_labels for some in self.out[label] for edge in some]
        if any(edge not in self.edge_values for edge in edges):
            raise Unknown("an edge without the value of its label")

    def assignments(self, text):
        while text:
            key, text = re.match(r"(\w+) *= *(.*)", text).groups()
            is_list, items = text.startswith("["), []
            text = text[is_list:]
            while True:
                found = VALUE.match(text)
                items.append(self.read(found))
                text = text[found.end():].lstrip()
                if not is_list or text.startswith("]"):
                    break
                text = text.removeprefix(",")
            text = text[is_list:].lstrip()
            kinds = [kind for kind, item in items if item is not NULL] or ["string"]
            yield key, kinds[0], [item for _, item in items], is_list

    def read(self, found):
        word = found["word"]
        if found["text"]:
            return "string", json.loads(found["text"])
        if word in ("true", "false", "null"):
            return ("string", NULL) if word == "null" else ("bool", word == "true")
        if word.startswith("@"):
            return "ref", NULL if word == "@null" else self.ids[word[1:]]
        if word.startswith("0x"):
            raise Unknown("bytes")
        digits, kind = re.fullmatch(r"(-?[\d.]+)([iuf]\d+)?", word).groups()
        kind = kind or ("f64" if "." in digits else "i32")
        return kind, float(digits) if kind[0] == "f" else int(digits)


def spread(names):
    """Expands a list of names; `n0..n2` stands for n0, n1, n2."""
    found = []
    for name in re.split(r", *", names):
        first, _, last = name.partition("..")
        stem, low = re.fullmatch(r"(.*?)(\d*)", first).groups()
        found += [f"{stem}{at}" for at in range(int(low), int(last.removeprefix(stem)) + 1)] if last else [first]
    return found


def shown(graph, kind, item):
    """A row of the interpreter in the notation of cases."""
    if kind.rows == NODES:
        return {"node": item}
    if kind.rows == EDGES:
        return edge(graph, item)
    if kind.rows != COLUMNS:
        return None if item is NULL else item
    cells = {}
    for column, values in zip(kind.columns, item):
        plain = [edge(graph, one) if isinstance(one, Edge) else None if one is NULL else one for one in values]
        cells[column.name] = plain if column.is_list else (plain or [None])[0]
    return cells


def edge(graph, found):
    return {"edge": graph.edge_labels[found.label], "source": found.source, "target": found.target}


def answer(graph, ask):
    """The interpreter's rows, or the names of the possible errors, and whether the order of the rows matters."""
    plan = json.loads(ask["plan"])
    run = Interpreter(graph)
    try:
        kind, rows = run.run(plan["steps"])
    except (Refused, Stopped) as error:
        return ERRORS[error.code], True
    is_ordered = run.is_ordered
    if "side" in ask:
        kind, rows, is_ordered = run.sides[ask["side"]]
    return [shown(graph, kind, row.item) for row in rows], is_ordered


def difference(graph, ask):
    found, is_ordered = answer(graph, ask)
    if isinstance(found, set):
        return None if ask["error"] in found else f"is refused, with one of {sorted(found)}"
    expected = ask["rows"]
    if expected is not None and not is_ordered:
        expected, found = (sorted(rows, key=json.dumps) for rows in (expected, found))
    return None if found == expected else f"gives {json.dumps(found, ensure_ascii=False)}"


def main():
    folder, counts, wrong = Path(sys.argv[1]), Counter(), []
    for path in sorted(folder.glob("*/*.case")):
        case = Case(path)
        for ask in case.asks:
            if case.graph is None or ask["question"] != "plan" or "memory" in ask or '"param"' in ask["plan"]:
                counts["left out"] += 1
                continue
            try:
                what = difference(CaseGraph(case.graph), ask)
            except (Unknown, Unpromised):
                counts["left out"] += 1
                continue
            counts["asked"] += 1
            wrong += [f"{path}: {ask['plan']} {what}"] if what else []
    print(f"cases against the interpreter: {counts['asked']} questions asked, {counts['left out']} left out")
    sys.exit("\n".join(wrong) if wrong else 0)


if __name__ == "__main__":
    main()
