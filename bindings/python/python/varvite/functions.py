"""One small graph for each METHOD, for machine learning."""

from __future__ import annotations

import csv
import json
import operator
import os
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NoReturn, SupportsIndex

from varvite import _varvite
from varvite.errors import ArgumentError, NoSuchNodeError
from varvite.rows import Limits

if TYPE_CHECKING:
    import numpy
    import numpy.typing

    from varvite.graph import Graph

DEFAULT_EDGES = ("AST", "CFG", "REACHING_DEF")
"""The default labels of the edges of functions. Labels that the graph lacks are left out."""

_FORMS = ("arrow", "json", "numpy", "pyg")


class Functions:
    """The functions of a graph, each time that they are read from the first on.

    `Graph.functions` makes it, and says which nodes and edges a function has. A loop gives one object for each function,
    in the form that was chosen; for `"arrow"`, one `pyarrow.RecordBatch` for each batch. `batches` gives the arrays of
    whole batches.
    """

    __slots__ = ("_begin", "_form", "_graph", "_labels")

    def __init__(
        self, graph: Graph, begin: Callable[[], _varvite.Functions], form: str, labels: Mapping[int, int] | None
    ) -> None:
        if form not in _FORMS:
            raise ArgumentError(f"as_ is {form!r}, expected one of {', '.join(_FORMS)}")
        self._graph = graph
        self._begin = begin
        self._form = form
        self._labels = labels

    def __len__(self) -> int:
        return len(self._begin())

    def __iter__(self) -> Iterator[Any]:
        if self._form == "json":
            return self._objects()
        if self._form == "arrow":
            return (batch.to_arrow() for batch in self.batches())
        one = FunctionBatch.numpy if self._form == "numpy" else FunctionBatch.pyg
        return (one(batch, index) for batch in self.batches() for index in range(len(batch)))

    def batches(self) -> Iterator[FunctionBatch]:
        """The functions by batches, each as a few flat arrays. Needs NumPy.

        Raises
        ------
        GraphClosedError, UnknownError, OverBudgetError, CancelledError
        """
        functions = self._begin()
        while (batch := functions.next_arrays()) is not None:
            yield FunctionBatch(*batch, self._labels)

    def _objects(self) -> Iterator[dict[str, Any]]:
        functions = self._begin()
        while (lines := functions.next_lines()) is not None:
            for method, line in lines:
                found = json.loads(line)
                if self._labels is not None:
                    found["y"] = self._labels.get(method, 0)
                yield found

    def __repr__(self) -> str:
        return f"<functions of {self._graph.path} as {self._form}>"

    def __reduce__(self) -> NoReturn:
        raise TypeError("functions cannot be pickled: pickle their arrays, or open the graph again")


class FunctionBatch:
    """Some functions, one after the other, in flat arrays.

    Arrays of nodes have an entry for each node of each function; `node_offsets` has the start of each function and the
    end of the last. Arrays of edges have `edge_offsets` in the same way. All arrays are int64 if nothing else is said,
    and belong to the caller, who may write to them.

    Attributes
    ----------
    methods
        The id of the METHOD of each function, uint32.
    node_offsets, edge_offsets
        Where the nodes and the edges of each function start, and where the last ends.
    nodes
        The id of each node in the graph, uint32.
    node_types
        The label of each node, as an index of `graph.labels`.
    lines
        The line of each node; -1 if it has none.
    codes
        The CODE of each node, as an index of `texts`; -1 if it has none.
    texts
        The different texts of CODE in this batch.
    token_offsets, tokens
        The ids of the tokens of each text of `texts`, and where those of each text start.
    edge_index
        Source and target of each edge, of shape (2, edges), counted from the first node of the function.
    edge_types
        The label of each edge, as an index of the given `edges`.
    y
        The label of each function from the CSV file, 0 if it has none; `None` without a file.
    """

    __slots__ = (
        "codes", "edge_index", "edge_offsets", "edge_types", "lines", "methods", "node_offsets", "node_types",
        "nodes", "texts", "token_offsets", "tokens", "y",
    )  # fmt: skip

    def __init__(
        self, arrays: Mapping[str, _varvite.Array], texts: list[str], labels: Mapping[int, int] | None
    ) -> None:
        import numpy

        # Copies that the caller owns: a tensor has to be writable, and the arrays of the native module are not.
        own = {name: numpy.array(array) for name, array in arrays.items()}
        self.methods: numpy.typing.NDArray[numpy.uint32] = own["methods"]
        self.nodes: numpy.typing.NDArray[numpy.uint32] = own["nodes"]
        self.node_offsets: numpy.typing.NDArray[numpy.int64] = own["node_offsets"]
        self.node_types: numpy.typing.NDArray[numpy.int64] = own["node_types"]
        self.lines: numpy.typing.NDArray[numpy.int64] = own["lines"]
        self.codes: numpy.typing.NDArray[numpy.int64] = own["codes"]
        self.edge_offsets: numpy.typing.NDArray[numpy.int64] = own["edge_offsets"]
        self.edge_types: numpy.typing.NDArray[numpy.int64] = own["edge_types"]
        self.edge_index: numpy.typing.NDArray[numpy.int64] = own["edges"].reshape(2, -1)
        self.token_offsets: numpy.typing.NDArray[numpy.int64] = own["token_offsets"]
        self.tokens: numpy.typing.NDArray[numpy.int64] = own["tokens"]
        self.texts = texts
        self.y: numpy.typing.NDArray[numpy.int64] | None = None
        if labels is not None:
            self.y = numpy.array([labels.get(method, 0) for method in self.methods.tolist()], numpy.int64)

    def __len__(self) -> int:
        return len(self.methods)

    def node_tokens(
        self, start: int = 0, end: int | None = None
    ) -> tuple[numpy.typing.NDArray[numpy.int64], numpy.typing.NDArray[numpy.int64]]:
        """The tokens of some nodes: the node of each token, and its id.

        Parameters
        ----------
        start, end
            The first node of the batch, and the one after the last; by default all.

        Returns
        -------
        tuple of numpy.ndarray
            Both of type int64 and shape (tokens,). Nodes count from `start`.

        Raises
        ------
        IndexError
            The nodes are not those of this batch.
        """
        import numpy

        end = len(self.codes) if end is None else end
        if not 0 <= start <= end <= len(self.codes):
            raise IndexError(f"the batch has no nodes {start} to {end}: it has {len(self.codes)}")
        codes = self.codes[start:end]
        has_code = codes >= 0
        starts = numpy.where(has_code, self.token_offsets[codes], 0)
        counts = numpy.where(has_code, self.token_offsets[codes + 1], 0) - starts
        before = numpy.cumsum(counts) - counts
        places = numpy.repeat(starts - before, counts) + numpy.arange(counts.sum())
        return numpy.repeat(numpy.arange(len(codes)), counts), self.tokens[places]

    def numpy(self, index: int) -> dict[str, Any]:
        """One function as arrays by name: views of the arrays of the batch, and its tokens.

        Parameters
        ----------
        index
            The number of the function in this batch, from 0.

        Returns
        -------
        dict
            `nodes` (uint32), `node_type` and `line` of shape (nodes,), `token_index` and `tokens` of shape (tokens,),
            `edge_index` of shape (2, edges), `edge_type` of shape (edges,), and `y` of shape (1,) with `labels`; all
            int64 but `nodes`. `method` is the id of the METHOD.

        Raises
        ------
        IndexError
            The batch has no such function.
        """
        if not 0 <= index < len(self):
            raise IndexError(f"the batch has no function {index}: it has {len(self)}")
        start, end = self.node_offsets[index : index + 2].tolist()
        first, last = self.edge_offsets[index : index + 2].tolist()
        token_index, tokens = self.node_tokens(start, end)
        found = {
            "method": int(self.methods[index]),
            "nodes": self.nodes[start:end],
            "node_type": self.node_types[start:end],
            "line": self.lines[start:end],
            "token_index": token_index,
            "tokens": tokens,
            "edge_index": self.edge_index[:, first:last],
            "edge_type": self.edge_types[first:last],
        }
        if self.y is not None:
            found["y"] = self.y[index : index + 1]
        return found

    def pyg(self, index: int) -> Any:
        """One function as `torch_geometric.data.Data`. Needs PyTorch and PyTorch Geometric.

        The names are those of `numpy`, with `node_id` for `nodes`. A loader that joins graphs moves `token_index` on as
        it does `edge_index`, because its name ends so. Tensors share the memory of the batch.

        Parameters
        ----------
        index
            The number of the function in this batch, from 0.

        Returns
        -------
        torch_geometric.data.Data
            Tensors of int64, with the shapes of `numpy`.

        Raises
        ------
        IndexError
            The batch has no such function.
        """
        import torch
        from torch_geometric.data import Data

        arrays = self.numpy(index)
        nodes = arrays.pop("nodes").astype("int64")
        tensors = {name: torch.from_numpy(array) for name, array in arrays.items() if name != "method"}
        return Data(num_nodes=len(nodes), method=arrays["method"], node_id=torch.from_numpy(nodes), **tensors)

    def to_arrow(self) -> Any:
        """The functions as a `pyarrow.RecordBatch` with a row for each. Needs pyarrow.

        Lists of a row have an entry for each node, or for each edge. CODE is a dictionary.
        """
        import numpy
        import pyarrow

        def lists(offsets: numpy.typing.NDArray[numpy.int64], values: Any) -> Any:
            return pyarrow.LargeListArray.from_arrays(pyarrow.array(offsets), values)

        def of_nodes(values: Any) -> Any:
            return lists(self.node_offsets, pyarrow.array(values))

        def of_edges(values: Any) -> Any:
            return lists(self.edge_offsets, pyarrow.array(values))

        codes = pyarrow.array(self.codes, mask=self.codes < 0)
        code = pyarrow.DictionaryArray.from_arrays(codes, pyarrow.array(self.texts, pyarrow.string()))
        owners, tokens = self.node_tokens()
        counts = numpy.bincount(owners, minlength=len(self.nodes))
        offsets = numpy.concatenate([numpy.zeros(1, numpy.int64), numpy.cumsum(counts)])
        columns = {
            "method": pyarrow.array(self.methods),
            "node": of_nodes(self.nodes),
            "node_type": of_nodes(self.node_types),
            "line": lists(self.node_offsets, pyarrow.array(self.lines, mask=self.lines < 0)),
            "code": lists(self.node_offsets, code),
            "tokens": lists(self.node_offsets, lists(offsets, pyarrow.array(tokens))),
            "source": of_edges(self.edge_index[0]),
            "target": of_edges(self.edge_index[1]),
            "edge_type": of_edges(self.edge_types),
        }
        if self.y is not None:
            columns["y"] = pyarrow.array(self.y)
        return pyarrow.record_batch(columns)

    def __repr__(self) -> str:
        return f"<{len(self):,} functions, {len(self.nodes):,} nodes, {len(self.edge_types):,} edges>"


def begin(
    graph: _varvite.Graph,
    edges: Sequence[str] | None,
    methods: Iterable[SupportsIndex] | None,
    batch_nodes: int,
    token_ids: int,
    limits: Limits,
) -> Callable[[], _varvite.Functions]:
    """A function that begins to read the functions of some METHODs, or of all."""
    if isinstance(edges, str):
        raise ArgumentError(f"edges is the text {edges!r}, expected a list of edge labels")
    if batch_nodes < 1 or not 1 <= token_ids < 1 << 32:
        raise ArgumentError("batch_nodes and token_ids are at least 1, and token_ids is below 2**32")
    chosen = None if methods is None else [node_id(graph, method) for method in methods]
    labels = None if edges is None else list(edges)
    if labels is None:
        warn_of_missing(graph)
    return lambda: _varvite.functions(graph, labels, chosen, (batch_nodes, token_ids), limits)


def node_id(graph: _varvite.Graph, method: SupportsIndex) -> int:
    """The id of a METHOD as an integer that the native module can take."""
    number = operator.index(method)
    if not 0 <= number < graph.id_limit():
        raise NoSuchNodeError(f"there is no node {number}: ids are 0 to {graph.id_limit() - 1}")
    return number


def warn_of_missing(graph: _varvite.Graph) -> None:
    """Warns if a graph lacks labels of edges that functions have by default."""
    known = {label for label, _ in graph.edge_labels()}
    missing = [label for label in DEFAULT_EDGES if label not in known]
    if missing:
        what = f"{graph.path} has no edges {', '.join(missing)}: choose others by edges="
        warnings.warn(what, stacklevel=4)


def read_labels(graph: _varvite.Graph, path: str | os.PathLike[str], limits: Limits) -> dict[int, int]:
    """The labels of METHODs in a CSV file with the columns `file`, `line` and, if it is not always 1, `label`.

    Raises
    ------
    ArgumentError
        A column is missing, a cell is no number, or no METHOD has the line: the message has the number of the row.
    """
    with open(path, newline="", encoding="utf-8") as rows:
        reader = csv.DictReader(rows)
        if not {"file", "line"} <= set(reader.fieldnames or []):
            raise ArgumentError(f"{path}: expected the columns file, line, label; found {reader.fieldnames}")
        found = [(reader.line_num, row["file"], *numbers_of(path, reader.line_num, row)) for row in reader]
    methods = _varvite.methods_at(graph, [(file, line) for _, file, line, _ in found], limits)
    labels: dict[int, int] = {}
    for (number, file, line, label), at in zip(found, methods):
        if not at:
            raise ArgumentError(f"{path}, line {number}: the graph has no METHOD at {file}:{line}")
        labels.update(dict.fromkeys(at, label))
    return labels


def numbers_of(path: str | os.PathLike[str], number: int, row: Mapping[str, Any]) -> tuple[int, int]:
    """The line and the label of a row."""
    try:
        line, label = int(row["line"]), int(row.get("label") or 1)
    except (TypeError, ValueError):
        raise ArgumentError(f"{path}, line {number}: line and label are whole numbers, found {dict(row)}") from None
    if not 0 < line < 1 << 32:
        raise ArgumentError(f"{path}, line {number}: lines are 1 or more, found {line}")
    return line, label


__all__ = ["FunctionBatch", "Functions"]
