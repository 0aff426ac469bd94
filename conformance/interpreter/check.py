"""Checks a plan by the rules of docs/plan.md before it runs: the kind of rows after each step, and plans to refuse."""

import re
from typing import NamedTuple, Tuple

from .declared import DECLARED, ROWS, STARTS
from .functions import FUNCTIONS, NODE as NODE_CLASS, WITH_FIELDS, are_taken, operands_of, type_of_result
from .graph import Graph
from .predicates import CLASS_OF_TYPE, NUMBER, fits

MAKES_NO_SENSE, UNKNOWN = 2, 4
NODES, EDGES, VALUES, COLUMNS = "nodes", "edges", "values", "columns"


class Refused(Exception):
    """Raised for a plan that must be refused, with the exit code."""

    def __init__(self, code, why):
        super().__init__(why)
        self.code = code


class Unpromised(Exception):
    """Raised if there is nothing to compare: the document promises no single answer, or the plan takes too long."""


class Kind(NamedTuple):
    """The kind of rows. Values have a type, texts the name of their property, labels the kind of their owners."""
    rows: str
    type: str = ""
    texts_of: str = ""
    labels_of: str = ""
    columns: Tuple["Column", ...] = ()


class Column(NamedTuple):
    """A column: its name, whether it holds lists, and, as in a Kind, what its cells are."""
    name: str
    is_list: bool = False
    labels_of: str = ""
    rows: str = VALUES
    type: str = "u64"
    texts_of: str = ""

    def kind(self):
        """The kind of the cells as keys; the key of a list is its length."""
        if self.is_list:
            return Kind(VALUES, "u64")
        return Kind(self.rows, self.type, self.texts_of, self.labels_of)


def own_names(columns):
    """Makes the names of columns distinct: a second column "count" gets the name "count_2"."""
    columns = list(columns)
    names, given = {column.name for column in columns}, {}
    for place, column in enumerate(columns):
        times = given[column.name] = given.get(column.name, 0) + 1
        if times > 1:
            while f"{column.name}_{times}" in names:
                times = given[column.name] = times + 1
            columns[place] = column._replace(name=f"{column.name}_{times}")
    return tuple(columns)


NODE, EDGE = Kind(NODES), Kind(EDGES)


def parts_of(key):
    """A key as a word and the value for it: a property, a column, the steps of an inner pipeline, operands.

    For a function with fields beside its operand, the value is the whole key.
    """
    if isinstance(key, str):
        return key, None
    for word in WITH_FIELDS:
        if word in key:
            return word, key
    found = [(word, value) for word, value in key.items() if word != "as"]
    if len(found) != 1:
        raise Refused(MAKES_NO_SENSE, "a key of several values")
    word, value = found[0]
    return (value, None) if word == "key" else (word, value)


CONDITIONS = {"has", "has_not", "has_label", "has_id", "is", "where", "where_not", "and", "or"}
LISTS = {"labels", "ids", "one_of", "none_of", "branches", "columns"}


def has_empty_list(part):
    """Whether a plan has an empty list where none is allowed; lists of pipelines and of cases may be empty."""
    if isinstance(part, dict):
        return any(value == [] and name in LISTS or has_empty_list(value) for name, value in part.items())
    return isinstance(part, list) and any(map(has_empty_list, part))


class Check:
    """Computes the kind of rows after each step of a plan."""

    def __init__(self, graph: Graph, names=None):
        self.graph = graph
        self.names = names or {}  # The kinds of the rows that inner pipelines around the step have named.
        self.sides = set()
        self.is_outermost, self.is_condition = True, False

    def plan(self, steps) -> Kind:
        if not steps or steps[0]["step"] not in STARTS:
            raise Refused(MAKES_NO_SENSE, "a pipeline begins with a start")
        if has_empty_list(steps):
            raise Refused(MAKES_NO_SENSE, "an empty list")
        kind = self.start(steps[0])
        self.owners(steps)
        for step in steps[1:]:
            kind = self.step(step, kind, is_outermost=True, is_condition=False)
        return kind

    def inner(self, steps, kind, is_condition) -> Kind:
        around = self.names, self.is_outermost, self.is_condition
        for place, step in enumerate(steps):
            if step["step"] == "as" and place == 0:
                self.needs(kind, *ROWS[DECLARED["as"].takes])
                self.names = {**self.names, step["name"]: kind}
            else:
                kind = self.step(step, kind, False, is_condition)
        self.names, self.is_outermost, self.is_condition = around
        return kind

    def start(self, step) -> Kind:
        if step["step"] == "nodes":
            self.labels(step, self.graph.label_names)
        elif step["step"] == "edges":
            self.labels(step, self.graph.edge_labels)
        else:
            self.ids(step["ids"])
        return EDGE if step["step"] == "edges" else NODE

    def owners(self, steps):
        """Checks the conditions directly after `nodes`: each named property must exist on at least one of the nodes."""
        if steps[0]["step"] != "nodes":
            return
        labels = steps[0].get("labels")
        if labels is None and len(steps) > 1 and steps[1]["step"] == "has_label":
            labels = steps[1]["labels"]
            self.labels(steps[1], self.graph.label_names)
        asked = [node for node, label in enumerate(self.graph.labels) if labels is None or label in labels]
        for step in steps[1:]:
            if step["step"] not in CONDITIONS:
                return
            if step["step"] != "has" or not asked:
                continue
            self.property_type(step["property"], NODE)
            if not any(self.graph.node_values(node, step["property"]) for node in asked):
                raise Refused(UNKNOWN, f"no such node has {step['property']}")

    def step(self, step, kind, is_outermost, is_condition) -> Kind:
        self.is_outermost, self.is_condition = is_outermost, is_condition
        name = step["step"]
        if name in STARTS:
            raise Refused(MAKES_NO_SENSE, "a start comes first")
        self.needs(kind, *ROWS[DECLARED[name].takes])
        return getattr(self, RULES[name])(step, kind) if name in RULES else self.declared(name, kind)

    @staticmethod
    def declared(name, kind):
        """The kind of rows after a step without a rule in RULES: that of the rows before it, nodes, or edges."""
        return {"same": kind, "nodes": NODE, "edges": EDGE}[DECLARED[name].gives]

    # Names

    def labels(self, step, known):
        for label in step.get("labels", []):
            if label not in known:
                raise Refused(UNKNOWN, f"no label {label}")

    def ids(self, ids):
        if any(node >= self.graph.node_count for node in ids):
            raise Refused(UNKNOWN, "no such node")

    def property_type(self, name, kind) -> str:
        self.needs(kind, NODES, EDGES)
        if kind == NODE and name in self.graph.properties:
            return self.graph.properties[name]
        if kind == EDGE and name in self.graph.edge_properties:
            return self.edge_type(self.graph.edge_properties[name])
        raise Refused(UNKNOWN, f"no property {name}")

    @staticmethod
    def edge_type(type_of_label) -> str:
        if len(type_of_label) > 1:
            raise Refused(MAKES_NO_SENSE, "a property of several edge labels")
        return next(iter(type_of_label.values()))

    def predicate(self, predicate, value_type):
        if not fits(predicate, value_type):
            raise Refused(MAKES_NO_SENSE, f"{predicate} on {value_type}")

    @staticmethod
    def needs(kind, *allowed):
        if kind.rows not in allowed:
            raise Refused(MAKES_NO_SENSE, f"{kind.rows} where {allowed} are needed")

    def no_condition(self):
        if self.is_condition:
            raise Refused(MAKES_NO_SENSE, "there are no depths and no paths inside of a condition")

    def value(self, name, kind) -> Kind:
        value_type = self.property_type(name, kind)
        return Kind(VALUES, value_type, name if value_type == "string" else "")

    def key(self, by, kind, may_be_list=False) -> Kind:
        """Checks a key, and returns the kind of its values."""
        word, value = parts_of(by)
        if word in FUNCTIONS:
            return self.function(word, value, kind)
        if word == "constant":
            return Kind(VALUES, {str: "string", bool: "bool", float: "f64"}.get(type(value), "i64"))
        if kind.rows == COLUMNS:
            column = next((column for column in kind.columns if word == "column" and column.name == value), None)
            if column is None:
                raise Refused(MAKES_NO_SENSE, "no such column")
            return column.kind()
        if word in ("first", "list", "exists"):
            return self.computed(word, value, kind, may_be_list)
        if word == "column":
            raise Refused(MAKES_NO_SENSE, "a column of other rows")
        if word == "property":
            return self.value(value, kind)
        if word == "label":
            self.needs(kind, NODES, EDGES)
            return Kind(VALUES, "string", labels_of=kind.rows)
        if word == "depth":
            self.no_condition()
            return Kind(VALUES, "u32")
        return kind

    def function(self, word, value, kind) -> Kind:
        """Checks a key that is a function."""
        kinds = [self.key(operand, kind) for operand in operands_of(word, value)]
        if any(one.rows == EDGES for one in kinds) or not are_taken(word, [class_of(one) for one in kinds]):
            raise Refused(MAKES_NO_SENSE, f"{word} of such operands")
        if word == "test":
            self.predicate(value["is"], kinds[0].type)
        if word == "match" and value["group"] > re.compile(value["regex"]).groups:
            raise Refused(MAKES_NO_SENSE, "no such group")
        if word == "first_of" and class_of(kinds[0]) == NODE_CLASS:
            return NODE
        return Kind(VALUES, type_of_result(word, [one.type for one in kinds]))

    def computed(self, word, steps, kind, may_be_list) -> Kind:
        """Checks a key that is a pipeline."""
        self.needs(kind, NODES, EDGES, VALUES)
        if word == "list" and not may_be_list:
            raise Refused(MAKES_NO_SENSE, "a list as a key")
        found = self.inner(steps, kind, True)
        if word == "exists":
            return Kind(VALUES, "bool")
        self.needs(found, NODES, VALUES)
        return found

    # Steps that keep rows

    def has(self, step, kind):
        value_type = self.property_type(step["property"], kind)
        if "is" in step:
            self.predicate(step["is"], value_type)
        return kind

    def has_label(self, step, kind):
        self.labels(step, self.graph.label_names if kind == NODE else self.graph.edge_labels)
        return kind

    def has_id(self, step, kind):
        self.ids(step["ids"])
        return kind

    def is_(self, step, kind):
        self.predicate(step["is"], kind.type)
        return kind

    def condition(self, step, kind):
        self.inner(step["pipeline"], kind, True)
        return kind

    def conditions(self, step, kind):
        for branch in step["branches"]:
            self.inner(branch, kind, True)
        return kind

    def filter(self, step, kind):
        if self.key(step["by"], kind).type != "bool":
            raise Refused(MAKES_NO_SENSE, "a key that is not true or false")
        return kind

    def as_(self, step, kind):
        raise Refused(MAKES_NO_SENSE, "a name for a row with which no inner pipeline begins")

    def select(self, step, kind):
        if step["name"] not in self.names:
            raise Refused(MAKES_NO_SENSE, "no such name")
        return self.names[step["name"]]

    def simple_path(self, step, kind):
        self.no_condition()
        return kind

    # Steps that move

    def hop(self, step, kind):
        self.labels(step, self.graph.edge_labels)
        return NODE

    def hop_to_edges(self, step, kind):
        self.hop(step, kind)
        return EDGE

    def tree(self, step, kind):
        if "AST" not in self.graph.edge_labels:
            raise Refused(MAKES_NO_SENSE, "a graph without a tree")
        return NODE

    def nearest_ancestor(self, step, kind):
        self.tree(step, kind)
        self.labels(step, self.graph.label_names)
        self.inner(step.get("where", []), kind, True)
        return NODE

    # Branches

    def union(self, step, kind):
        is_condition = self.is_condition
        return self.alike([self.inner(branch, kind, is_condition) for branch in step["branches"]])

    def choose(self, step, kind):
        is_condition = self.is_condition
        on = self.inner(step["on"], kind, True)
        self.needs(on, VALUES)
        for case in step["cases"]:
            self.predicate(case["is"], on.type)
        branches = [case["then"] for case in step["cases"]]
        if step.get("otherwise") is not None:
            branches.append(step["otherwise"])
        return self.alike([self.inner(branch, kind, is_condition) for branch in branches])

    @staticmethod
    def alike(kinds):
        if not kinds or any(kind.rows == COLUMNS for kind in kinds):
            raise Refused(MAKES_NO_SENSE, "branches give nodes, edges or values")
        first = kinds[0]
        if any((kind.rows, kind.type, kind.labels_of) != (first.rows, first.type, first.labels_of) for kind in kinds):
            raise Refused(MAKES_NO_SENSE, "branches give unlike rows")
        if any(kind.texts_of != first.texts_of for kind in kinds):
            raise Unpromised("texts of several properties, which may share a table")
        return first

    def repeat(self, step, kind):
        is_condition = self.is_condition
        if not step["body"]:
            raise Refused(MAKES_NO_SENSE, "an empty body")
        self.needs(self.inner(step["body"], kind, is_condition), NODES)
        for field in ("until", "whilst"):
            self.inner(step.get(field, []), kind, True)
        if isinstance(step.get("emit"), dict):
            self.inner(step["emit"]["where"], kind, True)
        return NODE

    # All rows

    def dedup(self, step, kind):
        self.key(step.get("by", "itself"), kind)
        return kind

    def order(self, step, kind):
        self.key(step.get("by", "itself"), kind)
        return kind

    # Results

    def values(self, step, kind):
        return self.value(step["property"], kind)

    def map(self, step, kind):
        found = self.key(step["by"], kind)
        self.needs(found, NODES, VALUES)
        return found

    def label(self, step, kind):
        return Kind(VALUES, "string", labels_of=kind.rows)

    def depth(self, step, kind):
        self.no_condition()
        return Kind(VALUES, "u32")

    def path(self, step, kind):
        self.no_condition()
        return Kind(COLUMNS, columns=(Column("path", True),))

    def side(self, step, kind):
        if not self.is_outermost or step["name"] in self.sides:
            raise Refused(MAKES_NO_SENSE, "a side outermost, with a name of its own")
        self.sides.add(step["name"])
        return kind

    def columns(self, step, kind):
        if not step["columns"]:
            raise Refused(MAKES_NO_SENSE, "no columns")
        return Kind(COLUMNS, columns=own_names(self.column(key, kind) for key in step["columns"]))

    def column(self, key, kind):
        word, value = parts_of(key)
        self.key(key, kind, may_be_list=True)
        is_list = word == "list" or word == "property" and kind == NODE and value in self.graph.lists
        return self.key_column(key, kind)._replace(is_list=is_list)

    def key_column(self, key, kind):
        """The column that shows a key."""
        word, value = parts_of(key)
        found = self.key(key, kind, may_be_list=True)
        name = {"property": value, "itself": kind.rows[:-1]}.get(word, word)
        if isinstance(key, dict):
            name = key.get("as", name)
        return Column(name, False, found.labels_of, found.rows, found.type, found.texts_of)

    def group_count(self, step, kind):
        by = step.get("by", "itself")
        self.key(by, kind)
        if kind == EDGE and by == "itself":
            raise Refused(MAKES_NO_SENSE, "edges in groups of themselves")
        return Kind(COLUMNS, columns=own_names([self.key_column(by, kind), Column("count")]))

    def summarize(self, step, kind):
        columns = [self.group_count(step, kind).columns[0]]
        if not step["columns"]:
            raise Refused(MAKES_NO_SENSE, "no columns")
        for column in step["columns"]:
            if column == "count":
                columns.append(Column("count"))
                continue
            ((aggregate, name),) = column.items()
            values = self.value(name, kind)
            self.numbers(values)
            result = getattr(self, RULES[aggregate])({}, values)
            columns.append(Column(f"{aggregate}_{name}", type=result.type))
        return Kind(COLUMNS, columns=own_names(columns))

    def group(self, step, kind):
        by = step.get("by", "itself")
        self.key(by, kind)
        return Kind(COLUMNS, columns=own_names([self.key_column(by, kind), Column("nodes", True)]))

    def count(self, step, kind):
        return Kind(VALUES, "u64")

    def numbers(self, kind) -> str:
        self.needs(kind, VALUES)
        if kind.type in {"string", "bool", "ref"}:
            raise Refused(MAKES_NO_SENSE, "numbers are needed")
        return kind.type

    def sum(self, step, kind):
        return Kind(VALUES, {"f": "f64", "u": "u64"}.get(self.numbers(kind)[0], "i64"))

    def least(self, step, kind):
        return Kind(VALUES, self.numbers(kind))

    def mean(self, step, kind):
        self.numbers(kind)
        return Kind(VALUES, "f64")


def class_of(kind):
    """The class of a kind of values, as functions tell them apart."""
    if kind.rows == NODES or kind.type == "ref":
        return NODE_CLASS
    return CLASS_OF_TYPE.get(kind.type, NUMBER)


# The method for each step whose check does not follow from its declaration alone.
RULES = {
    "has": "has", "has_not": "has", "has_label": "has_label", "has_id": "has_id", "is": "is_", "where": "condition",
    "where_not": "condition", "and": "conditions", "or": "conditions", "simple_path": "simple_path", "out": "hop",
    "in": "hop", "both": "hop", "out_edges": "hop_to_edges", "in_edges": "hop_to_edges", "both_edges": "hop_to_edges",
    "descendants": "tree", "ancestors": "tree", "nearest_ancestor": "nearest_ancestor", "union": "union",
    "coalesce": "union", "choose": "choose", "repeat": "repeat", "dedup": "dedup", "order": "order",
    "values": "values", "label": "label", "depth": "depth", "path": "path", "side": "side", "columns": "columns",
    "group_count": "group_count", "summarize": "summarize", "group": "group", "count": "count", "sum": "sum",
    "min": "least", "max": "least", "mean": "mean", "filter": "filter", "as": "as_", "select": "select", "map": "map",
}
