"""Pipelines: queries as steps, each of which turns rows into rows.

The methods of `Pipeline` between the marks are generated from the engine's table of steps; `docs/plan.md` describes
every step with an example. `code_steps.py` has the steps for code property graphs.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from varvite import html
from varvite.code_steps import CodeSteps
from varvite.keys import Form, KeyLike, PredicateLike, Summary, key_form, predicate_form
from varvite.limits import limits_of

if TYPE_CHECKING:
    from varvite.corpus import Corpus
    from varvite.graph import Graph
    from varvite.rows import Rows

Step = Mapping[str, Any]
"""A step in the form of plans."""


class Pipeline(CodeSteps):
    """An immutable description of a query. Each method returns a longer one.

    `graph.pipeline()` gives an empty pipeline of a graph, which can run; `corpus.pipeline()` one of many graphs; `it()` gives one for the steps that take a
    pipeline for each of their rows, such as `where`.

    Examples
    --------
    >>> graph.pipeline().nodes("METHOD").has("NAME", "memcpy").in_("CALL").count().first()
    17
    """

    __slots__ = ("graph", "steps")

    def __init__(self, steps: tuple[Step, ...] = (), graph: Graph | Corpus | None = None) -> None:
        self.steps = steps
        self.graph = graph

    def then(self, step: Step) -> Pipeline:
        """The pipeline with one more step, in the form of plans."""
        return self._append(step)

    def _append(self, *steps: Step) -> Pipeline:
        return Pipeline((*self.steps, *steps), self.graph)

    def to_json(self) -> str:
        """The plan as JSON, which every language and the command `varvite query` can run."""
        return json.dumps({"version": 1, "steps": self.steps})

    def run(
        self,
        *,
        threads: int | None = None,
        memory: int | None = None,
        seconds: float | None = None,
        batch_rows: int | None = None,
    ) -> Rows:
        """Compiles the pipeline for its graph. The rows are computed when they are read.

        For a pipeline of a corpus, the rows are `CorpusRows`; it is compiled for each graph when its rows are read.

        Parameters
        ----------
        threads
            The number of threads; by default one for each processor.
        memory
            The memory in bytes that a run may hold; by default a quarter of the memory that the process may use.
        seconds
            The time in seconds that a run may take; by default without limit.
        batch_rows
            The number of rows that are computed at a time.

        Raises
        ------
        UnknownError
            The graph has no label or property of a name; the message has the nearest one.
        PlanError
            A step does not accept the rows before it.
        GraphClosedError
            The graph is closed.
        """
        if self.graph is None:
            raise TypeError("this pipeline has no graph: begin with graph.pipeline()")
        limits = limits_of(threads=threads, memory=memory, seconds=seconds, batch_rows=batch_rows)
        return self.graph._rows(self.to_json(), limits)

    def __iter__(self) -> Iterator[Any]:
        return iter(self.run())

    def to_list(self) -> list[Any]:
        """All rows."""
        return self.run().to_list()

    def first(self) -> Any:
        """The first row, or `None`."""
        return self.run().first()

    def explain(self) -> str:
        """The operators that the engine chose, with the number of rows that it expects of each."""
        return self.run().explain()

    def __repr__(self) -> str:
        return f"<pipeline: {', '.join(str(step['step']) for step in self.steps)}>"

    def _repr_html_(self) -> str:
        """The plan, which costs no run."""
        from varvite.graph import Graph

        return html.lines(self.explain() if isinstance(self.graph, Graph) else self.to_json())

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        return self.run().__arrow_c_stream__(requested_schema)

    def choose(
        self, on: Pipeline, cases: Iterable[tuple[PredicateLike, Pipeline]], otherwise: Pipeline | None = None
    ) -> Pipeline:
        """Gives the results of the first case whose predicate accepts the first value of `on`; if there is none, of
        `otherwise`."""
        forms = [{"is": predicate_form(is_), "then": steps_of(then)} for is_, then in cases]
        step: dict[str, Any] = {"step": "choose", "on": steps_of(on), "cases": forms}
        if otherwise is not None:
            step["otherwise"] = steps_of(otherwise)
        return self.then(step)

    def repeat(self, repeat: Repeat) -> Pipeline:
        """Runs a pipeline repeatedly, by the rules that `repeat` sets."""
        return self.then({"step": "repeat", **repeat.form})

    # <steps> from the table in crates/varvite-query/src/pipeline/description/step.rs

    # Starts

    def nodes(self, *labels: str) -> Pipeline:
        """The nodes with any of the labels, or all nodes, in ascending order of ids."""
        return self.then({"step": "nodes", **some("labels", labels)})

    def ids(self, ids: Iterable[int]) -> Pipeline:
        """The nodes with these ids, in this order."""
        return self.then({"step": "ids", "ids": [int(number) for number in ids]})

    def edges(self, *labels: str) -> Pipeline:
        """The edges with any of the labels, or all edges."""
        return self.then({"step": "edges", **some("labels", labels)})

    # Keeping rows

    def has_any(self, property: str) -> Pipeline:
        """Keeps nodes or edges that have the property."""
        return self.then({"step": "has", "property": property})

    def has(self, property: str, is_: PredicateLike) -> Pipeline:
        """Keeps nodes or edges that have at least one value of the property that passes the predicate."""
        return self.then({"step": "has", "property": property, "is": predicate_form(is_)})

    def has_none(self, property: str) -> Pipeline:
        """Keeps nodes or edges that lack the property."""
        return self.then({"step": "has_not", "property": property})

    def has_not(self, property: str, is_: PredicateLike) -> Pipeline:
        """Keeps nodes or edges without a value of the property that passes the predicate."""
        return self.then({"step": "has_not", "property": property, "is": predicate_form(is_)})

    def has_label(self, *labels: str) -> Pipeline:
        """Keeps nodes or edges with any of the labels."""
        return self.then({"step": "has_label", "labels": list(labels)})

    def has_id(self, ids: Iterable[int]) -> Pipeline:
        """Keeps nodes with one of the ids."""
        return self.then({"step": "has_id", "ids": [int(number) for number in ids]})

    def is_(self, is_: PredicateLike) -> Pipeline:
        """Keeps values that pass the predicate."""
        return self.then({"step": "is", "is": predicate_form(is_)})

    def where(self, pipeline: Pipeline) -> Pipeline:
        """Keeps rows for which `pipeline` gives a result; `pipeline` stops at its first result."""
        return self.then({"step": "where", "pipeline": steps_of(pipeline)})

    def where_not(self, pipeline: Pipeline) -> Pipeline:
        """Keeps rows for which `pipeline` gives no result."""
        return self.then({"step": "where_not", "pipeline": steps_of(pipeline)})

    def and_(self, *branches: Pipeline) -> Pipeline:
        """Keeps rows for which every branch gives a result."""
        return self.then({"step": "and", "branches": [steps_of(each) for each in branches]})

    def or_(self, *branches: Pipeline) -> Pipeline:
        """Keeps rows for which at least one branch gives a result."""
        return self.then({"step": "or", "branches": [steps_of(each) for each in branches]})

    def simple_path(self) -> Pipeline:
        """Keeps rows whose path contains no node and no edge twice."""
        return self.then({"step": "simple_path"})

    def filter(self, by: KeyLike) -> Pipeline:
        """Keeps rows whose key is true."""
        return self.then({"step": "filter", "by": key_form(by)})

    def as_(self, name: str) -> Pipeline:
        """Names the row with which an inner pipeline begins."""
        return self.then({"step": "as", "name": name})

    # Moving

    def select(self, name: str) -> Pipeline:
        """Replaces each row by the row of this name."""
        return self.then({"step": "select", "name": name})

    def out(self, *labels: str) -> Pipeline:
        """Goes from each node to the targets of its out-edges, once for each edge."""
        return self.then({"step": "out", **some("labels", labels)})

    def in_(self, *labels: str) -> Pipeline:
        """Goes from each node to the sources of its in-edges, once for each edge."""
        return self.then({"step": "in", **some("labels", labels)})

    def both(self, *labels: str) -> Pipeline:
        """Goes from each node to the nodes that `out` gives, then to those that `in` gives."""
        return self.then({"step": "both", **some("labels", labels)})

    def out_edges(self, *labels: str) -> Pipeline:
        """Goes from each node to its out-edges: the edges that start at it."""
        return self.then({"step": "out_edges", **some("labels", labels)})

    def in_edges(self, *labels: str) -> Pipeline:
        """Goes from each node to its in-edges: the edges that lead to it."""
        return self.then({"step": "in_edges", **some("labels", labels)})

    def both_edges(self, *labels: str) -> Pipeline:
        """Goes from each node to its out-edges, then to its in-edges."""
        return self.then({"step": "both_edges", **some("labels", labels)})

    def source(self) -> Pipeline:
        """Goes from each edge to its source: the node where it starts."""
        return self.then({"step": "source"})

    def target(self) -> Pipeline:
        """Goes from each edge to its target: the node to which it leads."""
        return self.then({"step": "target"})

    def descendants(self) -> Pipeline:
        """Goes from each node to all nodes below it in the tree, in the order of a depth-first walk."""
        return self.then({"step": "descendants"})

    def subtree(self) -> Pipeline:
        """Gives each node itself, and then all nodes below it in the tree."""
        return self.then({"step": "descendants", "with_self": True})

    def ancestors(self) -> Pipeline:
        """Goes from each node to all nodes above it in the tree, the nearest first."""
        return self.then({"step": "ancestors"})

    def nearest_ancestor(self, *labels: str) -> Pipeline:
        """Goes from each node to the first node above it that has any of the labels."""
        return self.then({"step": "nearest_ancestor", **some("labels", labels)})

    def nearest_ancestor_where(self, condition: Pipeline, *labels: str) -> Pipeline:
        """Goes from each node to the nearest ancestor that has any of the labels and passes `condition`."""
        return self.then({"step": "nearest_ancestor", **some("labels", labels), "where": steps_of(condition)})

    # Branches and walks

    def union(self, *branches: Pipeline) -> Pipeline:
        """Gives, for each row, the results of all branches, one branch after another."""
        return self.then({"step": "union", "branches": [steps_of(each) for each in branches]})

    def coalesce(self, *branches: Pipeline) -> Pipeline:
        """Gives, for each row, the results of the first branch that has a result."""
        return self.then({"step": "coalesce", "branches": [steps_of(each) for each in branches]})

    # All rows

    def dedup(self) -> Pipeline:
        """Keeps the first of equal rows."""
        return self.then({"step": "dedup"})

    def dedup_by(self, by: KeyLike) -> Pipeline:
        """Keeps the first row of each key; all rows without the key count as having the same key."""
        return self.then({"step": "dedup", "by": key_form(by)})

    def order_by(self, by: KeyLike) -> Pipeline:
        """Sorts rows by a key, ascending; equal rows keep their order, and rows without the key come last."""
        return self.then({"step": "order", "by": key_form(by)})

    def order_by_descending(self, by: KeyLike) -> Pipeline:
        """Sorts rows by a key, descending; equal rows keep their order, and rows without the key come last."""
        return self.then({"step": "order", "by": key_form(by), "descending": True})

    def limit(self, count: int) -> Pipeline:
        """Keeps the first `count` rows; the steps before this one stop once it has enough rows."""
        return self.then({"step": "limit", "count": count})

    def skip(self, count: int) -> Pipeline:
        """Drops the first `count` rows."""
        return self.then({"step": "skip", "count": count})

    def sample(self, count: int, seed: int) -> Pipeline:
        """Keeps `count` rows drawn at random, in their original order; the same seed draws the same rows."""
        return self.then({"step": "sample", "count": count, "seed": seed})

    # Results

    def values(self, property: str) -> Pipeline:
        """Gives the values of a property: no value for a row without the property, several values for a list."""
        return self.then({"step": "values", "property": property})

    def map(self, by: KeyLike) -> Pipeline:
        """Gives the value of a key of each row, or the node if the key gives nodes."""
        return self.then({"step": "map", "by": key_form(by)})

    def label(self) -> Pipeline:
        """Gives the labels of each node, joined by `&`, or the label of each edge."""
        return self.then({"step": "label"})

    def depth(self) -> Pipeline:
        """Gives the depth of each row in the last `repeat` before this step; 0 without a `repeat`."""
        return self.then({"step": "depth"})

    def path(self) -> Pipeline:
        """Gives the list of the nodes and edges from the start to each row."""
        return self.then({"step": "path"})

    def side(self, name: str) -> Pipeline:
        """Passes rows on unchanged, and also gives them to the caller, as a side result with this name."""
        return self.then({"step": "side", "name": name})

    def columns(self, *columns: KeyLike) -> Pipeline:
        """Turns each row into a row of columns."""
        return self.then({"step": "columns", "columns": [key_form(each) for each in columns]})

    def group_count(self, by: KeyLike) -> Pipeline:
        """Counts the rows of each key."""
        return self.then({"step": "group_count", "by": key_form(by)})

    def summarize(self, by: KeyLike, *columns: Summary) -> Pipeline:
        """Groups rows by a key, and computes the columns of each group."""
        return self.then({"step": "summarize", "by": key_form(by), "columns": [each.form for each in columns]})

    def group(self, by: KeyLike) -> Pipeline:
        """Groups nodes by a key."""
        return self.then({"step": "group", "by": key_form(by)})

    def count(self) -> Pipeline:
        """Gives the number of rows."""
        return self.then({"step": "count"})

    def sum(self) -> Pipeline:
        """Gives the sum of numbers, which is 0 if there are none."""
        return self.then({"step": "sum"})

    def min(self) -> Pipeline:
        """Gives the least number, or no row if there is no number."""
        return self.then({"step": "min"})

    def max(self) -> Pipeline:
        """Gives the greatest number, or no row if there is no number."""
        return self.then({"step": "max"})

    def mean(self) -> Pipeline:
        """Gives the mean of numbers, as a number with a fraction, or no row if there is no number."""
        return self.then({"step": "mean"})

    # </steps>


class Repeat(Form):
    """The rules of the step `repeat`: its body, its depth, its order, and the nodes that are results."""

    __slots__ = ()

    @staticmethod
    def of(body: Pipeline) -> Repeat:
        """Repeats a pipeline from nodes to nodes."""
        return Repeat({"body": steps_of(body)})

    def times(self, times: int) -> Repeat:
        """Nodes at depth `times` are results, and the walk stops at them."""
        return self._with(times=times)

    def until(self, condition: Pipeline) -> Repeat:
        """Nodes for which `condition` gives any row are results, and the walk stops at them."""
        return self._with(until=steps_of(condition))

    def whilst(self, condition: Pipeline) -> Repeat:
        """Nodes for which `condition` gives no row are results, and the walk stops at them."""
        return self._with(whilst=steps_of(condition))

    def emit(self) -> Repeat:
        """Every visited node is a result, including the start."""
        return self._with(emit="all")

    def emit_all_but_first(self) -> Repeat:
        """Every visited node except the start is a result."""
        return self._with(emit="all_but_first")

    def emit_where(self, condition: Pipeline) -> Repeat:
        """Visited nodes for which `condition` gives any row are results."""
        return self._with(emit={"where": steps_of(condition)})

    def dedup(self) -> Repeat:
        """Visits each node at most once for each start."""
        return self._with(dedup=True)

    def breadth_first(self) -> Repeat:
        """Walks breadth first."""
        return self._with(order="breadth")

    def _with(self, **fields: Any) -> Repeat:
        return Repeat({**self.form, **fields})


def it() -> Pipeline:
    """An empty pipeline for steps such as `where` and `union`: it begins with the row of the outer pipeline."""
    return Pipeline()


def steps_of(pipeline: Pipeline) -> list[Step]:
    """The steps of a pipeline inside another one."""
    return list(pipeline.steps)


def some(field: str, names: tuple[str, ...]) -> dict[str, list[str]]:
    """A field of names that a plan may leave out."""
    return {field: list(names)} if names else {}


__all__ = ["KeyLike", "Pipeline", "Repeat", "Summary", "it", "key_form"]
