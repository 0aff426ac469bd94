"""The tables of a graph by their names: which columns they have, and the pipeline that gives their rows.

| name | rows |
|---|---|
| `nodes` | all nodes: `id`, `label`, and all properties |
| `METHOD`, and so on | the nodes with this label: `id`, and the properties that any of them has |
| `edges` | all edges: `label`, `source`, `target` |
| `edges_CALL`, and so on | the edges of this label: `source`, `target`, and their properties |
| `layer_cpu`, and so on | the nodes that have properties of this layer: `id`, `label`, and these properties |
"""

from __future__ import annotations

import functools
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from varvite import _varvite
from varvite.errors import NoSuchNodeError, UnknownError
from varvite.keys import Key
from varvite.limits import limits_of
from varvite.pipeline import Pipeline, it
from varvite.relational.conditions import AllOf, ColumnTest, Condition, Missing, Step, Unknown, steps_of, values_of
from varvite.rows import Rows
from varvite.tables import is_used

if TYPE_CHECKING:
    from varvite.graph import Graph

BATCH_ROWS = 1 << 16

NOTHING: list[Step] = [{"step": "limit", "count": 0}]
"""The steps that keep no row."""

COMPARISONS = {"eq", "ne", "one_of", "lt", "lte", "gt", "gte"}
TEXT_TESTS = {"eq", "ne", "one_of", "prefix", "suffix", "contains"}


class Column(NamedTuple):
    """A column of a table."""

    name: str
    key: Key
    property: str | None
    """The property that it shows, if its type has steps for filters."""
    type: str


class Part:
    """Rows of a range of nodes, as an Arrow stream."""

    def __init__(self, table: _varvite.Table, nodes: tuple[int, int]) -> None:
        self._table = table
        self._nodes = nodes

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        return self._table.stream(limits_of(batch_rows=BATCH_ROWS), self._nodes)


class Table:
    """The rows of a table, with chosen columns. A condition may leave rows out."""

    def __init__(self, graph: Graph, columns: Iterable[Column]) -> None:
        self.graph = graph
        self.columns = {column.name: column for column in unique(columns)}

    @functools.cached_property
    def schema(self) -> Any:
        """The types of the columns in pyarrow."""
        import pyarrow

        return pyarrow.RecordBatchReader.from_stream(self.rows(list(self.columns))).schema

    def rows(self, names: Sequence[str], condition: Condition = Unknown(), *, dictionaries: bool = True) -> Rows:
        """The rows for which the condition holds, and maybe others, with these columns."""
        keys = [self.columns[name].key.named(name) for name in names]
        limits = limits_of(batch_rows=BATCH_ROWS)
        plan = self.pipeline(condition).columns(*keys).to_json()
        return Rows.of_plan(self.graph, plan, limits, dictionaries=dictionaries)

    def stream(self, names: Sequence[str], condition: Condition = Unknown()) -> Any:
        """An object with the Arrow stream of `rows`, and maybe of more columns."""
        return self.rows(names, condition)

    @property
    def is_divisible(self) -> bool:
        """Whether the table has `parts`."""
        return False

    def parts(self, names: Sequence[str], nodes: tuple[int, int]) -> list[tuple[str | None, Part]]:
        """The rows whose nodes, or whose sources, are in a range of ids, with these columns and maybe more, read by
        whole columns; if they have different labels and no column `label`, a part for each label."""
        raise NotImplementedError

    def pipeline(self, condition: Condition) -> Pipeline:
        """The nodes or edges for which the condition holds, and maybe others."""
        raise NotImplementedError

    def keeps_all(self, condition: Condition, ids: Sequence[str]) -> bool:
        """Whether no part of the condition has a step, and none names the id in one of the columns `ids`."""
        return steps_of(condition, self._steps) is None and all(ids_of(condition, name) is None for name in ids)

    def labelled(self, labels: list[Any], known: Iterable[str]) -> list[Step]:
        """Steps that keep rows with any of the labels: of nodes with several, a cell has all, joined by `&`."""
        parts = {part for label in map(str, labels) for part in (label, *label.split("&"))}
        found = sorted(parts & set(known))
        return [{"step": "has_label", "labels": found}] if found else NOTHING

    def _steps(self, test: ColumnTest | Missing) -> list[Step] | None:
        """The steps of a test, `None` if it has none."""
        raise NotImplementedError

    def ids(self, values: Iterable[Any]) -> list[int]:
        """Those of the numbers that are ids of nodes, each once."""
        return [value for value in dict.fromkeys(values) if isinstance(value, int) and self._is_id(value)]

    def property_steps(self, test: ColumnTest | Missing) -> list[Step] | None:
        """The steps of a test of a property."""
        column = self.columns.get(test.column)
        if column is None or column.property is None:
            return None
        if isinstance(test, Missing):
            # A text may be null, and then is a value for plans.
            return None if column.type == "string" else [{"step": "has_not", "property": column.property}]
        if test.predicate is None:
            return [{"step": "has", "property": column.property}]
        if not is_testable(column.type, test):
            return None
        return [{"step": "has", "property": column.property, "is": test.predicate}]

    def _is_id(self, value: int) -> bool:
        try:
            self.graph.node(value)
        except NoSuchNodeError:
            return False
        return True


class NodeTable(Table):
    """The nodes with a label, or all nodes, or those with any of some properties."""

    def __init__(self, graph: Graph, label: str | None, properties: Sequence[str], *, is_layer: bool = False) -> None:
        start = graph.pipeline().nodes(*([] if label is None else [label]))
        branches = [it().has_any(name) for name in properties]
        self._start = start.or_(*branches) if is_layer else start
        labels = [Column("label", Key.label(), None, "string")] if label is None else []
        itself = Column("id", Key.itself(), None, "u32")
        super().__init__(graph, [itself, *labels, *(property_column(graph, None, name) for name in properties)])
        self._label = label
        # A column has another name than its property if two names differ in case alone.
        has_own_names = set(self.columns) == {"id", *(["label"] if labels else []), *properties}
        self._is_whole = has_own_names and not is_layer
        self._whole = label if self._is_whole else None

    def stream(self, names: Sequence[str], condition: Condition = Unknown()) -> Any:
        """An object with the Arrow stream of the rows: for all nodes of a label, whole columns."""
        if self._whole is not None and self.keeps_all(condition, ["id"]):
            return self.graph.table(self._whole, columns=[name for name in names if name != "id"])
        return super().stream(names, condition)

    @property
    def is_divisible(self) -> bool:
        """Whether the table has `parts`."""
        return self._is_whole

    def parts(self, names: Sequence[str], nodes: tuple[int, int]) -> list[tuple[str | None, Part]]:
        """The rows of a range of nodes."""
        native = self.graph._native
        if self._label is not None:
            table = _varvite.node_table(native, self._label, [name for name in names if name != "id"])
        else:
            properties = [name for name in names if name not in ("id", "label")]
            has_labels = "label" in names
            table = (
                _varvite.labelled_node_table(native, properties)
                if has_labels
                else _varvite.node_table(native, None, properties)
            )
        return [(None, Part(table, nodes))]

    def pipeline(self, condition: Condition) -> Pipeline:
        """The nodes for which the condition holds, and maybe others."""
        start, ids = self._start, ids_of(condition, "id")
        if ids is not None:
            known, rest = self.ids(ids), start.steps[1:]
            labels = start.steps[0].get("labels", [])
            by_label = [{"step": "has_label", "labels": labels}] if labels else []
            steps = (*by_label, *rest) if known else tuple(NOTHING)
            start = Pipeline(({"step": "ids", "ids": known}, *steps) if known else (*start.steps, *steps), self.graph)
        for step in steps_of(condition, self._steps) or []:
            start = start.then(step)
        return start

    def _steps(self, test: ColumnTest | Missing) -> list[Step] | None:
        # A property may have the name of the column of labels in a table without one.
        is_label = test.column == "label" and self.columns["label"].key == Key.label()
        if is_label and isinstance(test, ColumnTest) and values_of(test):
            return self.labelled(list(values_of(test)), self.graph.labels)
        if test.column == "id" and isinstance(test, ColumnTest) and values_of(test):
            known = self.ids(values_of(test))
            return [{"step": "has_id", "ids": known}] if known else NOTHING
        return self.property_steps(test)


class EdgeTable(Table):
    """The edges of a label, or all edges."""

    def __init__(self, graph: Graph, label: str | None) -> None:
        self._labels = [] if label is None else [label]
        source, target = Key.first(it().source()), Key.first(it().target())
        columns = [Column("source", source, None, "u32"), Column("target", target, None, "u32")]
        labels = [Column("label", Key.label(), None, "string")] if label is None else []
        names = [row[0] for row in graph.properties if label is not None and row[1] == label]
        super().__init__(graph, [*labels, *columns, *(property_column(graph, label, name) for name in names)])
        # A column has another name than its property if two names differ in case alone.
        self._whole = label if set(self.columns) == {"source", "target", *names} else None

    def stream(self, names: Sequence[str], condition: Condition = Unknown()) -> Any:
        """An object with the Arrow stream of the rows: for all edges of a label, whole columns."""
        if self._whole is not None and self.keeps_all(condition, ("source", "target")):
            return self.graph.edge_table(self._whole, [name for name in names if name not in ("source", "target")])
        return super().stream(names, condition)

    @property
    def is_divisible(self) -> bool:
        """Whether the table has `parts`."""
        return self._whole is not None or not self._labels

    def parts(self, names: Sequence[str], nodes: tuple[int, int]) -> list[tuple[str | None, Part]]:
        """The edges whose sources are in a range of nodes."""
        native = self.graph._native
        if self._whole is not None:
            properties = [name for name in names if name not in ("source", "target")]
            return [(None, Part(_varvite.edge_table(native, self._whole, properties), nodes))]
        labels = [label for label, count in self.graph.edge_labels.items() if count]
        return [(label, Part(_varvite.edge_table(native, label, []), nodes)) for label in labels]

    def pipeline(self, condition: Condition) -> Pipeline:
        """The edges for which the condition holds, and maybe others."""
        edges = self._start(condition)
        for step in steps_of(condition, self._steps) or []:
            edges = edges.then(step)
        return edges

    def _start(self, condition: Condition) -> Pipeline:
        """The edges of nodes that the condition names, otherwise all."""
        for end in ("source", "target"):
            ids = ids_of(condition, end)
            if ids is not None and (known := self.ids(ids)):
                nodes = self.graph.pipeline().ids(known)
                return nodes.out_edges(*self._labels) if end == "source" else nodes.in_edges(*self._labels)
        return self.graph.pipeline().edges(*self._labels)

    def _steps(self, test: ColumnTest | Missing) -> list[Step] | None:
        if isinstance(test, ColumnTest) and values_of(test):
            if test.column == "label" and not self._labels:
                return self.labelled(list(values_of(test)), self.graph.edge_labels)
            if test.column in ("source", "target"):
                return None if self.ids(values_of(test)) else NOTHING
        return self.property_steps(test)


def table_of(graph: Graph, name: str) -> Table | None:
    """The table of a name, `None` if the graph has no such table. Names are those of the graph, in any case.

    The graph keeps its tables: which properties the nodes of a label have takes a look at each property.
    """
    if name not in graph._tables and (table := new_table(graph, name)) is not None:
        graph._tables[name] = table
    return graph._tables.get(name)


def new_table(graph: Graph, name: str) -> Table | None:
    """The table of a name, made anew."""
    if name.lower() == "nodes":
        return NodeTable(graph, None, used(graph, None, graph._node_properties()))
    if name.lower() == "edges":
        return EdgeTable(graph, None)
    label = same_name(name, graph.labels)
    if label is not None:
        return NodeTable(graph, label, used(graph, label, graph._node_properties()))
    if name.lower().startswith("edges_") and (label := same_name(name[6:], graph.edge_labels)) is not None:
        return EdgeTable(graph, label)
    layers = [row[0] for row in graph.layers]
    if name.lower().startswith("layer_") and (layer := same_name(name[6:], layers)) is not None:
        names = [row[0] for row in graph.properties if row[1] is None and row[5] == layer]
        return layer_table(graph, used(graph, None, names))
    return None


def layer_table(graph: Graph, names: list[str]) -> Table | None:
    """The nodes that have any of these properties."""
    return NodeTable(graph, None, names, is_layer=True) if names else None


def names_of(graph: Graph) -> list[str]:
    """The names of all tables."""
    nodes = [label for label in graph.labels if graph._native.label_count(label)]
    edges = [f"edges_{label}" for label, count in graph.edge_labels.items() if count]
    owners = {row[5] for row in graph.properties if row[1] is None}
    return ["nodes", *nodes, "edges", *edges, *(f"layer_{row[0]}" for row in graph.layers if row[0] in owners)]


def same_name(name: str, names: Iterable[str]) -> str | None:
    """The name itself, otherwise the first that differs in case alone."""
    names = list(names)
    return name if name in names else next((each for each in names if each.lower() == name.lower()), None)


def used(graph: Graph, label: str | None, names: Iterable[str]) -> list[str]:
    """Those of the properties that any node of the label has."""
    nodes = graph.pipeline().nodes(*([] if label is None else [label]))
    return [name for name in names if is_used(nodes, name)]


def property_column(graph: Graph, edge_label: str | None, name: str) -> Column:
    """The column of a property. Lists have no steps for filters, because a test of a list is one of its items."""
    row = next(row for row in graph.properties if row[:2] == (name, edge_label))
    if row[3]:
        return Column(name, Key.list(it().values(name)), None, row[2])
    return Column(name, Key.property(name), name if kind_of(row[2]) is not None else None, row[2])


def unique(columns: Iterable[Column]) -> list[Column]:
    """The columns, with numbers after names that would differ in case alone: SQL could not tell them apart."""
    taken: set[str] = set()
    renamed = []
    for column in columns:
        names = [column.name, *(f"{column.name}_{number}" for number in range(1, len(taken) + 2))]
        name = next(name for name in names if name.lower() not in taken)
        taken.add(name.lower())
        renamed.append(column._replace(name=name))
    return renamed


def kind_of(value_type: str) -> type | None:
    """The type of constants to which a column is compared. Fractions have none: libraries differ in their NaN."""
    if value_type in ("string", "bool"):
        return str if value_type == "string" else bool
    return int if value_type[0] in "iu" and value_type[1:].isdigit() else None


def is_testable(value_type: str, test: ColumnTest) -> bool:
    """Whether steps can test a column of this type so."""
    kind, predicate = kind_of(value_type), test.predicate or {}
    values = values_of(test) or list(predicate.values())
    known = TEXT_TESTS if kind is str else COMPARISONS if kind is int else {"eq", "ne", "one_of"}
    return set(predicate) <= known and all(type(value) is kind for value in values)


def ids_of(condition: Condition, column: str) -> list[Any] | None:
    """The constants to which the column has to be equal for the condition to hold; `None` if any may do."""
    parts = condition.parts if isinstance(condition, AllOf) else (condition,)
    for part in parts:
        if isinstance(part, ColumnTest) and part.column == column and values_of(part):
            return list(values_of(part))
    return None


def unknown_table(graph: Graph, name: str) -> UnknownError:
    """The error for a name that no table has."""
    import difflib

    names = names_of(graph)
    nearest = difflib.get_close_matches(name.upper(), names, 1, 0.0) or names
    return UnknownError(f'there is no table "{name}" in this graph; the nearest is "{nearest[0]}"')
