"""A graph in plain lists and dicts, read from a dump that flatgraph wrote (`Main dump`).

Nodes get the ids that docs/decisions/0001-number-nodes-in-tree-order.md describes. This code computes them itself,
independently of Varvite.
"""

import json
from typing import NamedTuple

# The properties that are lists in Joern's schema, even if no node has two values; a flatgraph file does not say so.
LISTS = {"DYNAMIC_TYPE_HINT_FULL_NAME", "EVIDENCE_DESCRIPTION", "INHERITS_FROM_TYPE_FULL_NAME", "OVERLAYS",
         "POSSIBLE_TYPES", "evidence", "keyValuePairs"}
# flatgraph's edge properties have no names. Varvite calls the one in Joern's schema VARIABLE, and others EDGE_PROPERTY.
VARIABLE, EDGE_PROPERTY = "VARIABLE", "EDGE_PROPERTY"
# The type for each Java class of values. Narrow integer types come before wide ones.
TYPES = {"Boolean": "bool", "Byte": "i8", "Short": "i16", "Integer": "i32", "Long": "i64", "Float": "f32",
         "Double": "f64", "String": "string", "GNode": "ref"}
WIDTHS = ["i8", "i16", "i32", "i64"]


class Null:
    """The class of NULL, a stored null, which differs from an absent value."""


NULL = Null()


class Edge(NamedTuple):
    """An edge: the index of its label in the schema, its source, its place in the source's out-list, and its target."""
    label: int
    source: int
    place: int
    target: int


class Graph:
    """A graph, whose nodes are the numbers from 0 up."""

    def __init__(self, path):
        with open(path, encoding="utf-8") as lines:
            head = json.loads(next(lines))
            nodes = [json.loads(line) for line in lines]
        self.label_names = head["labels"]
        self.edge_labels = sorted({label for node in nodes for label in node["out"]})
        self.node_count = len(nodes)
        self.id_of = number_nodes(nodes)
        nodes.sort(key=lambda node: self.id_of[node["node"]])
        self.labels = [node["label"] for node in nodes]
        self.properties = {}  # name -> type
        self.lists = set()
        self.values = self.read_values(nodes)  # name -> node -> list
        self.out, self.edge_values, self.edge_properties = {}, {}, {}
        self.in_ = {}
        for place, label in enumerate(self.edge_labels):
            self.read_edges(nodes, place, label)
        self.ast_is_forest = self.is_forest()

    def read_values(self, nodes):
        values = {}
        for node, record in enumerate(nodes):
            for name, (kind, *items) in record["values"].items():
                self.note_type(self.properties, name, TYPES[kind or "String"])
                values.setdefault(name, {})[node] = [self.value(kind, item) for item in items]
                if len(items) > 1 or name in LISTS:
                    self.lists.add(name)
        return values

    def value(self, kind, item):
        """Converts a value; a reference to a deleted node becomes null."""
        if kind == "GNode":
            item = self.id_of.get(item)
        return NULL if item is None else item

    @staticmethod
    def note_type(types, name, found):
        known = types.get(name, found)
        both = known in WIDTHS and found in WIDTHS
        types[name] = max(known, found, key=WIDTHS.index) if both else found

    def read_edges(self, nodes, place, label):
        name = VARIABLE if label == "REACHING_DEF" else EDGE_PROPERTY
        values = [value for node in nodes for _, value in node["out"].get(label, [])]
        present = next((value for value in values if value is not None), None)
        if present is not None:
            self.edge_properties.setdefault(name, {})[label] = type_of(present)
        out = self.out[label] = [[] for _ in nodes]
        for source, node in enumerate(nodes):
            for at, (target, value) in enumerate(node["out"].get(label, ())):
                edge = Edge(place, source, at, self.id_of[target])
                out[source].append(edge)
                if present is not None:
                    self.edge_values[edge] = NULL if value is None else value
        self.in_[label] = self.arriving(label, nodes)

    def arriving(self, label, nodes):
        """All in-lists. Parallel edges have the same order in an in-list as in the out-list of their source."""
        between = {}
        for edges in self.out[label]:
            for edge in reversed(edges):
                between.setdefault((edge.source, edge.target), []).append(edge)
        lists = []
        for target, node in enumerate(nodes):
            sources = node["in"].get(label, [])
            lists.append([between[self.id_of[source], target].pop() for source, _ in sources])
            for edge, (_, value) in zip(lists[-1], sources):
                stored = self.edge_values.get(edge)
                assert (None if stored is NULL else stored) == value, f"flatgraph says two things of {edge}"
        return lists

    def is_forest(self):
        """Whether the AST edges are a forest: nodes have at most one parent, whose id is smaller than the child's."""
        if "AST" not in self.out or any(len(parents) > 1 for parents in self.in_["AST"]):
            return False
        return all(edge.source < edge.target for edges in self.out["AST"] for edge in edges)

    def node_values(self, node, name):
        return self.values.get(name, {}).get(node, [])

    def edge_value(self, edge, name):
        """The value of an edge as a list, which is empty if the edge has no value."""
        return [self.edge_values[edge]] if self.edge_labels[edge.label] in self.edge_properties[name] else []


def type_of(value):
    return {bool: "bool", int: "i32", float: "f64", str: "string"}[type(value)]


def number_nodes(nodes):
    """Maps the dump's node numbers to ids: first the trees, one root after another, then nodes on or below cycles."""
    children = {node["node"]: [child for child, _ in node["out"].get("AST", [])] for node in nodes}
    below = {child for some in children.values() for child in some}
    starts = sorted(children)
    ids = {}
    for start in [node for node in starts if node not in below] + starts:
        stack = [start]
        while stack:
            node = stack.pop()
            if node not in ids:
                ids[node] = len(ids)
                stack.extend(reversed(children[node]))
    return ids
