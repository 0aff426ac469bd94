"""The steps of docs/plan.md: one function for each step, which works on plain lists of rows.

The function gets the fields of the step and all rows before the step, and returns all rows after it.
"""

import math
import struct
from collections import deque
from typing import Any, NamedTuple

from .check import COLUMNS, NODE, NODES, VALUES, Check, Unpromised, parts_of
from .declared import DECLARED
from .functions import FUNCTIONS, NoNumber, operands_of, value_of
from .graph import NULL, Edge
from .predicates import passes

# A plan is too large to compare if one step returns more than ROWS_MAX rows, if one walk has more than ROWS_MAX visits,
# or if all steps, including every run of an inner pipeline, return more than WORK_MAX rows in total.
ROWS_MAX = 30_000
WORK_MAX = 1_000_000
ENDLESS, OVERFLOW = 6, 6


class Stopped(Exception):
    """Raised if a plan must stop with an error, with its exit code."""

    def __init__(self, code):
        super().__init__(code)
        self.code = code


class Row(NamedTuple):
    """A row: its item (node id, Edge, value or tuple of cells), the items visited before, last first, and its depth."""
    item: Any
    before: Any = None
    depth: int = 0

    def then(self, item):
        return Row(item, (self.item, self.before), self.depth)

    def path(self):
        items, before = [self.item], self.before
        while before:
            item, before = before
            items.append(item)
        return items[::-1]


class Interpreter:
    """Runs plans over one graph."""

    def __init__(self, graph):
        self.graph = graph
        self.sides = {}
        self.work = 0
        self.names = {}  # The items and the kinds of the rows that inner pipelines have named.

    def run(self, steps):
        """Runs a plan, and returns the rows after the last step and their kind."""
        self.sides, self.work, self.names = {}, 0, {}
        self.is_lazy = '"limit"' in str(steps).replace("'", '"')
        self.conditions = 0
        check = Check(self.graph)
        check.plan(steps)
        kind, rows, self.is_ordered = None, [], True
        for step in steps:
            before, rows = rows, STEPS[step["step"]](self, step, rows, kind)
            self.follow_order(step, before, kind)
            kind = check.start(step) if kind is None else Check(self.graph).step(step, kind, True, False)
            self.limit_size(rows)
        return kind, rows

    def follow_order(self, step, rows, kind):
        """Tracks whether the order of rows is known: groups by text have the order of the file's string table."""
        name = step["step"]
        if name in ("group", "group_count", "summarize"):
            self.is_ordered = not is_by_text(self.check(), step.get("by", "itself"), kind)
        elif name == "count":
            self.is_ordered = True
        elif name == "order" and not self.is_ordered:
            self.is_ordered = all_differ(ranks_of(self, step.get("by", "itself"), rows, kind))
        elif not self.is_ordered and (name == "limit" and step["count"] < len(rows) or name == "skip" and step["count"]):
            raise Unpromised("a part of rows whose order only the file knows")

    def inner(self, steps, row, kind):
        """The rows that an inner pipeline returns for one row."""
        rows, around = [row], self.names
        for place, step in enumerate(steps):
            if step["step"] == "as" and place == 0:
                self.names = {**around, step["name"]: (row.item, kind)}
                continue
            rows = STEPS[step["step"]](self, step, rows, kind)
            kind = self.check().step(step, kind, False, False)
            self.limit_size(rows)
        self.names = around
        return rows

    def check(self):
        """A check that knows the kinds of named rows."""
        return Check(self.graph, {name: kind for name, (_, kind) in self.names.items()})

    def gives_anything(self, steps, row, kind):
        self.conditions += 1
        found = self.inner(steps, row, kind)
        self.conditions -= 1
        return bool(found)

    def limit_size(self, rows):
        self.count_work(len(rows))
        if len(rows) > ROWS_MAX:
            raise Unpromised("too many rows")

    def count_work(self, rows):
        self.work += rows
        if self.work > WORK_MAX:
            raise Unpromised("too much work")

    def stop(self, code):
        """Raises the error, or Unpromised if Varvite may finish the plan before it reaches the error."""
        if self.is_lazy or self.conditions:
            raise Unpromised("an error that may not be reached")
        raise Stopped(code)

    # Labels, values and other parts of a node or an edge

    def edge_labels(self, step):
        """The edge labels that a step follows: those it names, in this order, or all in the order of the schema."""
        return step.get("labels", self.graph.edge_labels)

    def out_edges(self, node, step):
        return [edge for label in self.edge_labels(step) for edge in self.graph.out[label][node]]

    def in_edges(self, node, step):
        return [edge for label in self.edge_labels(step) for edge in self.graph.in_[label][node]]

    def property(self, item, name):
        if isinstance(item, Edge):
            return self.graph.edge_value(item, name)
        return self.graph.node_values(item, name)

    def label_of(self, item):
        return self.graph.edge_labels[item.label] if isinstance(item, Edge) else self.graph.labels[item]

    def key(self, by, row, kind):
        """The key of a row as a list: one value, or an empty list. For a list, all its values."""
        word, value = parts_of(by)
        if word in FUNCTIONS:
            types = [self.check().key(operand, kind).type for operand in operands_of(word, value)]
            try:
                return value_of(word, value, types, lambda operand: self.key(operand, row, kind))
            except NoNumber:
                self.stop(OVERFLOW)
        if word == "constant":
            return [value]
        if word == "column":
            column, cell = next(both for both in zip(kind.columns, row.item) if both[0].name == value)
            return [len(cell)] if column.is_list else cell[:1]
        if word == "property":
            return self.property(row.item, value)[:1]
        if word == "exists":
            return [self.gives_anything(value, row, kind)]
        if word in ("first", "list"):
            self.conditions += 1
            found = [row.item for row in self.inner(value, row, kind)]
            self.conditions -= 1
            return found[:1] if word == "first" else found
        return [{"itself": row.item, "depth": row.depth}[word] if word != "label" else self.label_of(row.item)]

    def rank(self, value, labels_of):
        """The sort key of a value. For a label, it is the label's index in the file's table of labels."""
        if value is NULL:
            return (1, 0)
        if labels_of:
            return (0, (self.graph.label_names if labels_of == NODES else self.graph.edge_labels).index(value))
        return (0, self.edge_rank(value) if isinstance(value, Edge) else order_of(value))

    def edge_rank(self, edge):
        """The sort key of an edge. AST edges are sorted by target if they are a forest, other edges by source."""
        if self.graph.ast_is_forest and self.graph.edge_labels[edge.label] == "AST":
            return (edge.label, edge.target)
        return edge


def identity(value):
    """The form in which keys are compared: numbers with a fraction by their bits."""
    return struct.pack("<d", value) if isinstance(value, float) else value


def order_of(value):
    """The sort key of a value. Negative zero comes before zero, and NaN comes last."""
    if not isinstance(value, float):
        return value
    return (1, 0, 0) if value != value else (0, value, math.copysign(1, value))


def is_by_text(check, by, kind):
    """Whether rows are grouped by a text that is not a label."""
    return bool(check.key(by, kind).texts_of)


def all_differ(some):
    seen = [tuple(one) for one in some]
    return len(set(seen)) == len(seen)


def start(item):
    return Row(item)


# Starts

def nodes(run, step, rows, kind):
    wanted = step.get("labels", run.graph.label_names)
    return [start(node) for node, label in enumerate(run.graph.labels) if label in wanted]


def ids(run, step, rows, kind):
    return [start(node) for node in step["ids"]]


def edges(run, step, rows, kind):
    labels = sorted(set(step.get("labels", run.graph.edge_labels)))
    return [start(edge) for label in labels for some in run.graph.out[label] for edge in some]


# Keeping rows

def has(run, step, rows, kind):
    return [row for row in rows if has_it(run, step, row)]


def has_not(run, step, rows, kind):
    return [row for row in rows if not has_it(run, step, row)]


def has_it(run, step, row):
    values = run.property(row.item, step["property"])
    return any("is" not in step or passes(value, step["is"]) for value in values)


def has_label(run, step, rows, kind):
    return [row for row in rows if run.label_of(row.item) in step["labels"]]


def has_id(run, step, rows, kind):
    return [row for row in rows if row.item in step["ids"]]


def is_(run, step, rows, kind):
    return [row for row in rows if passes(row.item, step["is"])]


def where(run, step, rows, kind):
    return [row for row in rows if run.gives_anything(step["pipeline"], row, kind)]


def where_not(run, step, rows, kind):
    return [row for row in rows if not run.gives_anything(step["pipeline"], row, kind)]


def and_(run, step, rows, kind):
    return [row for row in rows if all(run.gives_anything(branch, row, kind) for branch in step["branches"])]


def or_(run, step, rows, kind):
    return [row for row in rows if any(run.gives_anything(branch, row, kind) for branch in step["branches"])]


def filter_(run, step, rows, kind):
    return [row for row in rows if run.key(step["by"], row, kind) == [True]]


def as_(run, step, rows, kind):
    raise AssertionError("the row of an inner pipeline gets its name when the pipeline begins")


def simple_path(run, step, rows, kind):
    def visited(row):
        path = row.path()
        return path if kind.rows in ("nodes", "edges") else path[:-1]
    return [row for row in rows if len(set(visited(row))) == len(visited(row))]


# Moving

def each(run, rows, items_of):
    found = []
    for row in rows:
        items = items_of(row.item)
        run.count_work(1 + len(items))
        found.extend(row.then(item) for item in items)
    return found


def out(run, step, rows, kind):
    return each(run, rows, lambda node: [edge.target for edge in run.out_edges(node, step)])


def in_(run, step, rows, kind):
    return each(run, rows, lambda node: [edge.source for edge in run.in_edges(node, step)])


def both(run, step, rows, kind):
    return [found for row in rows for hop in (out, in_) for found in hop(run, step, [row], kind)]


def out_edges(run, step, rows, kind):
    return each(run, rows, lambda node: run.out_edges(node, step))


def in_edges(run, step, rows, kind):
    return each(run, rows, lambda node: run.in_edges(node, step))


def both_edges(run, step, rows, kind):
    return [found for row in rows for hop in (out_edges, in_edges) for found in hop(run, step, [row], kind)]


def select(run, step, rows, kind):
    item, _ = run.names[step["name"]]
    return [follow(row, item, kind) for row in rows]


def follow(row, item, kind):
    """The row of an item to which a row leads. A path does not contain values."""
    return row._replace(item=item) if kind.rows in (VALUES, COLUMNS) else row.then(item)


def source(run, step, rows, kind):
    return each(run, rows, lambda edge: [edge.source])


def target(run, step, rows, kind):
    return each(run, rows, lambda edge: [edge.target])


AST = {"labels": ["AST"]}


def descendants(run, step, rows, kind):
    """The descendants in depth-first order, each node once."""
    return [found for row in rows for found in tree_walk(run, row, out, deque.popleft, True, step)]


def ancestors(run, step, rows, kind):
    """The ancestors level by level, the nearest first, each node once."""
    return [found for row in rows for found in tree_walk(run, row, in_, deque.popleft, False, step)]


def nearest_ancestor(run, step, rows, kind):
    def is_wanted(row):
        has_it = "labels" not in step or run.label_of(row.item) in step["labels"]
        return has_it and run.gives_anything(step.get("where", []), row, kind)
    found = ([row for row in ancestors(run, {}, [row], kind) if is_wanted(row)] for row in rows)
    return [some[0] for some in found if some]


def tree_walk(run, first, hop, take, goes_deep, step):
    waiting, seen, found = deque([first]), set(), []
    while waiting:
        row = take(waiting)
        if row.item in seen:
            continue
        seen.add(row.item)
        found.append(row)
        next_rows = hop(run, AST, [row], NODE)
        waiting.extendleft(reversed(next_rows)) if goes_deep else waiting.extend(next_rows)
    return found if step.get("with_self") else found[1:]


# Branches and walks

def union(run, step, rows, kind):
    return [found for row in rows for branch in step["branches"] for found in run.inner(branch, row, kind)]


def coalesce(run, step, rows, kind):
    results = ([run.inner(branch, row, kind) for branch in step["branches"]] for row in rows)
    return [found for branches in results for found in next(filter(None, branches), [])]


def choose(run, step, rows, kind):
    return [found for row in rows for found in chosen(run, step, row, kind)]


def chosen(run, step, row, kind):
    run.conditions += 1
    asked = run.inner(step["on"], row, kind)[:1]
    run.conditions -= 1
    for case in step["cases"]:
        if any(passes(value.item, case["is"]) for value in asked):
            return run.inner(case["then"], row, kind)
    otherwise = step.get("otherwise")
    return [] if otherwise is None else run.inner(otherwise, row, kind)


def repeat(run, step, rows, kind):
    return [found for row in rows for found in Walk(run, step).from_(row)]


class Walk:
    """The walk of a step `repeat` from one row."""

    def __init__(self, run, step):
        self.run, self.step = run, step
        self.visited = set()

    def from_(self, first):
        # With each waiting row goes a list of the nodes on its path from which the walk has continued.
        waiting, found, visits = deque([(first._replace(depth=0), ())]), [], 0
        while waiting:
            row, behind = waiting.popleft()
            visits += 1
            if visits > ROWS_MAX:
                raise Unpromised("too long a walk")
            if self.step.get("dedup") and row.item in self.visited:
                continue
            self.visited.add(row.item)
            if self.ends_at(row):
                found.append(row)
                continue
            self.check_end(row, behind)
            if self.emits(row):
                found.append(row)
            body = self.run.inner(self.step["body"], row, NODE)
            behind = (row.item, *behind) if self.may_be_endless() else ()
            successors = [(after._replace(depth=row.depth + 1), behind) for after in body]
            if self.step.get("order", "depth") == "breadth":
                waiting.extend(successors)
            else:
                waiting.extendleft(reversed(successors))
        return found

    def asks(self, field, row):
        return self.run.gives_anything(self.step[field], row, NODE)

    def ends_at(self, row):
        return (self.step.get("times") == row.depth
                or "whilst" in self.step and not self.asks("whilst", row)
                or "until" in self.step and row.depth > 0 and self.asks("until", row))

    def emits(self, row):
        emit = self.step.get("emit")
        if isinstance(emit, dict):
            return self.run.gives_anything(emit["where"], row, NODE)
        return emit == "all" or emit == "all_but_first" and row.depth > 0

    def may_be_endless(self):
        return "times" not in self.step and not self.step.get("dedup")

    def check_end(self, row, behind):
        if row.item in behind:
            self.run.stop(ENDLESS)


# All rows

def dedup(run, step, rows, kind):
    seen, kept = set(), []
    for row in rows:
        key = tuple(map(identity, run.key(step.get("by", "itself"), row, kind)))
        if key not in seen:
            seen.add(key)
            kept.append(row)
    return kept


def order(run, step, rows, kind):
    falls = step.get("descending", False)
    ranks = ranks_of(run, step.get("by", "itself"), rows, kind)
    present = [place for place, rank in enumerate(ranks) if rank]
    absent = [place for place, rank in enumerate(ranks) if not rank]
    # The sort is stable in both directions: equal rows keep their order.
    present.sort(key=lambda place: ranks[place], reverse=falls)
    return [rows[place] for place in present + absent]


def ranks_of(run, by, rows, kind):
    labels_of = run.check().key(by, kind).labels_of
    return [[run.rank(value, labels_of) for value in run.key(by, row, kind)] for row in rows]


def limit(run, step, rows, kind):
    return rows[:step["count"]]


def skip(run, step, rows, kind):
    return rows[step["count"]:]


def sample(run, step, rows, kind):
    """Raises Unpromised unless the sample is the last step, because docs/plan.md does not say which rows are drawn."""
    if step["count"] < len(rows) and not step.get("last"):
        raise Unpromised("a part drawn at random")
    return rows


# Results

def values(run, step, rows, kind):
    return each(run, rows, lambda item: run.property(item, step["property"]))


def map_(run, step, rows, kind):
    return [follow(row, value, kind) for row in rows for value in run.key(step["by"], row, kind)[:1]]


def label(run, step, rows, kind):
    return each(run, rows, lambda item: [run.label_of(item)])


def depth(run, step, rows, kind):
    return [follow(row, row.depth, kind) for row in rows]


def path(run, step, rows, kind):
    return [Row((row.path(),)) for row in rows]


def side(run, step, rows, kind):
    run.sides[step["name"]] = (kind, rows, run.is_ordered)
    return rows


def columns(run, step, rows, kind):
    def cell(key, row):
        word, value = parts_of(key)
        is_list = word == "property" and kind.rows == NODES and value in run.graph.lists
        return run.property(row.item, value) if is_list else run.key(key, row, kind)
    return [Row(tuple(cell(key, row) for key in step["columns"])) for row in rows]


def group_count(run, step, rows, kind):
    return [Row((key, [len(members)])) for key, members in groups(run, step, rows, kind)]


def group(run, step, rows, kind):
    return [Row((key, members)) for key, members in groups(run, step, rows, kind)]


def summarize(run, step, rows, kind):
    return [Row((key, *(summary(run, column, members, kind) for column in step["columns"])))
            for key, members in groups(run, step, rows, kind)]


def summary(run, column, members, kind):
    """The value of a `summarize` column for the items of a group: the result of the step named like the column."""
    if column == "count":
        return [len(members)]
    ((aggregate, name),) = column.items()
    values = [Row(value) for item in members for value in run.key({"property": name}, Row(item), kind)]
    type_of = Check(run.graph).value(name, kind)
    return [row.item for row in STEPS[aggregate](run, {}, values, type_of)]


def groups(run, step, rows, kind):
    by, found = step.get("by", "itself"), {}
    for row in rows:
        key = run.key(by, row, kind)
        found.setdefault(tuple(map(identity, key)), (key, []))[1].append(row.item)
    labels_of = run.check().key(by, kind).labels_of
    present = sorted((one for one in found.values() if one[0]), key=lambda one: [run.rank(value, labels_of) for value in one[0]])
    return present + [one for one in found.values() if not one[0]]


def count(run, step, rows, kind):
    return [start(len(rows))]


def sum_(run, step, rows, kind):
    if kind.type in ("f32", "f64"):
        return [start(sum((row.item for row in rows), 0.0))]
    total = sum(row.item for row in rows)
    if not -2**63 <= total < 2**63:
        run.stop(OVERFLOW)
    return [start(total)]


def min_(run, step, rows, kind):
    numbers = without_nan(row.item for row in rows)
    return [start(min(numbers, key=order_of))] if numbers else []


def max_(run, step, rows, kind):
    numbers = without_nan(row.item for row in rows)
    return [start(max(numbers, key=order_of))] if numbers else []


def without_nan(numbers):
    """The numbers without NaN, which never counts as the least or greatest."""
    return [number for number in numbers if number == number]


def mean(run, step, rows, kind):
    return [start(sum(row.item for row in rows) / len(rows))] if rows else []


def function_of(name):
    """The function of a step. It has the step's name, with `_` appended if the name is reserved in Python."""
    found = globals().get(f"{name}_") or globals().get(name)
    if found is None:
        raise NotImplementedError(f"no function in steps.py for the step {name}")
    return found


STEPS = {name: function_of(name) for name in DECLARED}
