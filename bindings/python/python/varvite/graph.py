"""Graphs, and everything that can be asked of them."""

from __future__ import annotations

import json
import operator
import os
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NoReturn, SupportsIndex

from varvite import _varvite
from varvite.answers import answer, values_of
from varvite.columns import Column
from varvite.errors import NoSuchNodeError
from varvite.functions import Functions, begin, read_labels
from varvite.limits import limits_of
from varvite.node import Node
from varvite.nodes import Nodes
from varvite.pipeline import Pipeline
from varvite.progress import Listener, listener
from varvite.rows import Limits, Rows
from varvite.subgraphs import Subgraph
from varvite.tables import EdgeTable, NodeTable, node_table
from varvite.walks import Visits

if TYPE_CHECKING:
    import duckdb
    import polars
    import scipy.sparse

    from varvite.relational.dataset import GraphDataset
    from varvite.relational.tables import Table


class Graph:
    """An open graph. Threads may share it.

    After `close`, every call raises `GraphClosedError`, also those of nodes, columns and loops of the graph; arrays and
    streams that were made before keep what they need. A process that was forked opens the file again.
    """

    def __init__(self, native: _varvite.Graph) -> None:
        self._native = native
        self._names: dict[str, None] | None = None
        self._tables: dict[str, Table] = {}
        self._database: tuple[int, duckdb.DuckDBPyConnection] | None = None

    def close(self) -> None:
        """Closes the graph. Its file stays mapped while an array or a stream shows a part of it."""
        self._native.close()

    def __enter__(self) -> Graph:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def closed(self) -> bool:
        """Whether the graph was closed."""
        return self._native.closed

    @property
    def path(self) -> str:
        """The path that was opened."""
        return self._native.path

    @property
    def identity(self) -> str:
        """The identity of the file's state, as 64 hexadecimal digits: files of different content have different ones,
        and a commit changes it. It is read with the directory, not computed."""
        return self._native.identity()

    @property
    def node_count(self) -> int:
        """The number of nodes."""
        return self._native.node_count()

    @property
    def id_limit(self) -> int:
        """The exclusive upper limit of ids; more than `node_count` if nodes were removed."""
        return self._native.id_limit()

    @property
    def edge_count(self) -> int:
        """The number of edges."""
        return self._native.edge_count()

    @property
    def labels(self) -> list[str]:
        """The names of the node labels."""
        return self._native.labels()

    @property
    def edge_labels(self) -> dict[str, int]:
        """The names of the edge labels, each with the number of its edges."""
        return dict(self._native.edge_labels())

    @property
    def properties(self) -> list[_varvite.PropertyRow]:
        """All properties: name, edge label or `None`, type, whether it is a list, default, and layer."""
        return self._native.properties()

    @property
    def layers(self) -> list[tuple[str, str, str]]:
        """The layers: name, and name and version of the tool that made it."""
        return self._native.layers()

    @property
    def recovered(self) -> bool:
        """Whether the newest commit of the file is damaged, so that this graph is the one before it."""
        return self._native.recovered()

    def memory(self) -> dict[str, dict[str, int | None]]:
        """The bytes of each part of the graph in memory, by state: `graph.memory()["property NAME"]["decoded"]`.

        `mapped` are bytes of the file that readers were given, `resident` those of them that are in memory now (`None`
        if the system does not tell), `decoded` are private copies, and `pinned` those that cannot be given back.
        `docs/guide/memory.md` describes the states.
        """
        return {part: dict(states) for part, states in self._native.memory()}

    def nodes(self, label: str | None = None) -> Nodes:
        """The nodes with a label, or all nodes, ascending by id.

        Parameters
        ----------
        label
            The label; by default all nodes.

        Raises
        ------
        UnknownError
            The graph has no such label; the message has the nearest one.
        """
        return Nodes(self, label)

    def node(self, id: SupportsIndex) -> Node:
        """The node with an id, as a handle: it reads nothing but whether the node was removed.

        Parameters
        ----------
        id
            The id: 0 to `id_limit` minus one. Integers of NumPy will do.

        Raises
        ------
        NoSuchNodeError
            The graph has no node with this id.
        """
        return Node(self, self._native.check_node(self._id(id)))

    def pipeline(self) -> Pipeline:
        """An empty pipeline of this graph: begin with its methods `nodes`, `ids` or `edges`."""
        return Pipeline(graph=self)

    def query(
        self,
        plan: str,
        parameters: Mapping[str, Any] | None = None,
        *,
        threads: int | None = None,
        memory: int | None = None,
        seconds: float | None = None,
        batch_rows: int | None = None,
    ) -> Rows:
        """Runs a plan in the form of JSON, which `docs/plan.md` describes.

        Parameters
        ----------
        plan
            The plan.
        parameters
            A value for each parameter that the plan declares: a text, a number, a truth value, or a list of these.
        threads, memory, seconds, batch_rows
            The limits of a run, as in `Pipeline.run`.

        Raises
        ------
        PlanError, UnknownError, OverBudgetError
        """
        limits = limits_of(threads=threads, memory=memory, seconds=seconds, batch_rows=batch_rows)
        return Rows.of_plan(self, plan, limits, values_of(parameters or {}))

    def walk(
        self,
        walk: str | Mapping[str, Any],
        starts: Iterable[SupportsIndex],
        *,
        memory: int | None = None,
        seconds: float | None = None,
    ) -> Visits:
        """Walks from nodes, as a description in the form of `docs/guide/walks.md` says.

        Parameters
        ----------
        walk
            The description, as JSON or as an object, such as `{"version": 1, "hops": [{"direction": "out",
            "edge_labels": ["CFG"]}]}`.
        starts
            The nodes at which the walk begins, or their ids.
        memory, seconds
            The limits of a walk.

        Raises
        ------
        PlanError, UnknownError, NoSuchNodeError, OverBudgetError, CancelledError
            When the results are read.
        """
        limits = limits_of(memory=memory, seconds=seconds)
        text = walk if isinstance(walk, str) else json.dumps(walk)
        return Visits(self, text, [self._id(start) for start in starts], limits)

    def subgraph(
        self,
        *edge_labels: str,
        labels: Iterable[str] = (),
        threads: int | None = None,
        memory: int | None = None,
        seconds: float | None = None,
    ) -> Subgraph:
        """A part of the graph for algorithms: the edges of some labels, and the nodes of some labels.

        Parameters
        ----------
        edge_labels
            The labels of the edges; by default all.
        labels
            The labels of the nodes; by default all nodes.
        threads, memory, seconds
            The limits of each call of an algorithm; the memory is that of all calls together.

        Raises
        ------
        UnknownError, OverBudgetError, CancelledError
        """
        limits = limits_of(threads=threads, memory=memory, seconds=seconds)
        return Subgraph(self, self._native.subgraph(list(edge_labels), list(labels), limits))

    def networkx(
        self,
        *edge_labels: str,
        labels: Iterable[str] = (),
        directed: bool = True,
        multigraph: bool = False,
        threads: int | None = None,
        memory: int | None = None,
        seconds: float | None = None,
    ) -> Any:
        """A graph for NetworkX that shows the edges of some labels and the nodes of some labels. Needs NetworkX.

        Nodes are ids, and each has its properties as attributes. Edges have no attributes. Parallel edges are one edge,
        unless the view is a multigraph. The view reads this graph when it is asked: the lists of edges are decoded
        once, when a function first needs them, to 8 bytes for each edge and node. It cannot be changed;
        `nx.DiGraph(view)` is a copy.

        NetworkX calls Varvite's own algorithms for the functions of `docs/guide/python.md`, and reads the mappings of
        the view for all others.

        Parameters
        ----------
        edge_labels
            The labels of the edges; by default all.
        labels
            The labels of the nodes; by default all nodes.
        directed
            Whether edges have a direction: otherwise the view is a `networkx.Graph`.
        multigraph
            Whether parallel edges stay separate edges, with the keys 0, 1 and so on.
        threads, memory, seconds
            The limits of each call of an algorithm; the memory is that of all calls together.

        Returns
        -------
        networkx.DiGraph, networkx.Graph, networkx.MultiDiGraph or networkx.MultiGraph

        Raises
        ------
        UnknownError, OverBudgetError
        """
        from varvite.nx.views import view

        limits = limits_of(threads=threads, memory=memory, seconds=seconds)
        network = self._native.network(list(edge_labels), list(labels), directed, not multigraph, limits)
        return view(self, network, is_directed=directed, is_multigraph=multigraph)

    def igraph(
        self,
        *edge_labels: str,
        labels: Iterable[str] = (),
        directed: bool = True,
        properties: Iterable[str] = (),
        threads: int | None = None,
        memory: int | None = None,
        seconds: float | None = None,
    ) -> Any:
        """A copy for igraph of the edges of some labels and the nodes of some labels. Needs igraph and NumPy.

        igraph copies the edges from one array of numbers, which is its fastest import. Vertices are numbered from 0 in
        the order of the nodes' ids. Parallel edges stay separate. Attributes are lists with an object of Python for each
        vertex, and a property of texts makes an object of each of its texts.

        Parameters
        ----------
        edge_labels
            The labels of the edges; by default all.
        labels
            The labels of the nodes; by default all nodes.
        directed
            Whether edges have a direction.
        properties
            The names of properties that become attributes of the vertices: the value of each node, `None` without one, a
            list for a property of lists. The name `label` stands for the labels of the node, joined by `&`.
        threads, memory, seconds
            The limits of reading the lists of edges, without the memory of igraph.

        Returns
        -------
        igraph.Graph
            With two attributes of the graph: `path`, and `ids`, the node of each vertex as a uint32 array.

        Raises
        ------
        UnknownError, ArgumentError, OverBudgetError, CancelledError
        """
        from varvite.igraphs import copied

        part = self.subgraph(*edge_labels, labels=labels, threads=threads, memory=memory, seconds=seconds)
        return copied(self, part, directed, properties)

    def verify(self, *, threads: int | None = None, progress: bool | Listener = True) -> list[str]:
        """Reads and checks the whole file, on all threads. Ctrl-C ends it.

        Parameters
        ----------
        threads
            The number of threads; by default one for each processor.
        progress
            That of `import_`.

        Returns
        -------
        list of str
            The problems, at most a hundred: none if the file is sound.

        Raises
        ------
        IoError
        """
        limits = limits_of(threads=threads)
        with listener(progress) as told:
            return self._native.verify(limits, told)

    def export(
        self, target: str | os.PathLike[str], *, replace: bool = False, progress: bool | Listener = True
    ) -> None:
        """Writes the graph as a file of Joern (`cpg.bin`). The command `varvite export` writes other formats too.

        The file appears whole or not at all. Ctrl-C ends the export.

        Parameters
        ----------
        target
            The path of the new file.
        replace
            Replaces an existing file.
        progress
            That of `import_`.

        Raises
        ------
        ExistsError
            The target exists, and `replace` is false.
        ForeignError, IoError
            The format cannot hold the graph, or the file cannot be written.
        """
        with listener(progress) as told:
            self._native.export_flatgraph(target, replace, told)

    def ask(
        self,
        query: str,
        *,
        threads: int | None = None,
        memory: int | None = None,
        seconds: float | None = None,
    ) -> Any:
        """Answers a query in the language of Joern, such as `cpg.method.name("mem.*").l`.

        Parameters
        ----------
        query
            The query. `docs/joern-text.md` lists the parts of the language.
        threads, memory, seconds
            The limits of each run, as in `Pipeline.run`.

        Returns
        -------
        Rows, or a value
            `Rows` for a traversal, a value for a number, a text or a truth value, a tuple for a tuple.

        Raises
        ------
        PlanError
            The query is not understood; the message shows the place.
        OverBudgetError, CancelledError
            A limit is reached, at once for a value, and when rows are read for a traversal.
        """
        limits = limits_of(threads=threads, memory=memory, seconds=seconds)
        return answer(self, _varvite.translate(self._native, query), limits)

    def column(self, name: str, *, edge_label: str | None = None) -> Column:
        """The column of a property of nodes, or of the edges of a label, for NumPy. Its values are read when they are used.

        Parameters
        ----------
        name
            The name of the property.
        edge_label
            The label of the edges that have the property; by default it is one of nodes.

        Raises
        ------
        UnknownError
            There is no such property; the message has the nearest one.
        """
        return Column(self._native.column(name, edge_label))

    def table(self, label: str | None = None, columns: Sequence[str] | None = None) -> NodeTable:
        """The nodes with a label as a table, for Arrow: `pl.DataFrame(graph.table("METHOD", ["NAME", "LINE_NUMBER"]))`.

        The first column is `id`. Texts are codes into a dictionary that each batch has for its own texts. Rows are
        computed by batch, when the reader asks for them.

        Parameters
        ----------
        label
            The label of the nodes; by default all nodes.
        columns
            The names of the properties; by default all that any node of the label has, which takes a look at each.
        """
        return node_table(self, label, columns)

    def edge_table(self, label: str, columns: Sequence[str] | None = None) -> EdgeTable:
        """The edges of a label as a table for Arrow, with the columns `source` and `target` and their properties.

        Parameters
        ----------
        label
            The label of the edges.
        columns
            The names of properties of these edges; by default all.

        Raises
        ------
        UnknownError
            There is no such label or property; the message has the nearest one.
        """
        return EdgeTable(self, label, columns)

    def functions(
        self,
        edges: Sequence[str] | None = None,
        as_: str = "pyg",
        *,
        methods: Iterable[SupportsIndex] | None = None,
        labels: str | os.PathLike[str] | None = None,
        batch_nodes: int = 1 << 16,
        token_ids: int = 1 << 16,
        memory: int | None = None,
        seconds: float | None = None,
    ) -> Functions:
        """One small graph for each METHOD, for machine learning.

        Its nodes are the METHOD and the nodes below it along AST, without other METHODs and what is below them: these are
        functions of their own. Its edges are those with the given labels between these nodes. Tokens are runs of letters,
        digits, `_`, `$` and characters outside ASCII, and every other character but white space; the number of a token is
        its FNV-1a hash modulo `token_ids`, the same in all graphs.

        Parameters
        ----------
        edges
            The labels of the edges; the type of an edge is an index of this list. By default AST, CFG and REACHING_DEF;
            a `UserWarning` then names the labels that the graph lacks, and functions have no such edges.
        as_
            The form: `"pyg"` (`torch_geometric.data.Data`), `"numpy"` (arrays by name), `"json"` (dictionaries), or
            `"arrow"` (`pyarrow.RecordBatch` for each batch).
        methods
            The METHODs, as ids or nodes, such as `graph.pipeline().nodes("METHOD").has("IS_EXTERNAL", False)`; by default
            all. Nodes without this label are left out.
        labels
            A CSV file with the columns `file`, `line` and perhaps `label`: the function with this line gets the label as
            `y` (1 without the column), all others 0.
        batch_nodes
            The number of nodes that are read at once; memory is that of a batch, and eight bytes for each text of CODE.
        token_ids
            The number of different ids of tokens.
        memory
            The most bytes that a batch may take.
        seconds
            The time in seconds that a loop over the functions may take, and the search for `labels`.

        Returns
        -------
        Functions
            Ascending by the id of the METHOD. Each loop reads the graph anew, once in all, by batches.

        Raises
        ------
        UnknownError, ArgumentError, NoSuchNodeError
            For a label, a form or a CSV file, and an id that is none.
        OverBudgetError, CancelledError
            In a loop.
        """
        limits = limits_of(memory=memory, seconds=seconds)
        found = None if labels is None else read_labels(self._native, labels, limits)
        return Functions(self, begin(self._native, edges, methods, batch_nodes, token_ids, limits), as_, found)

    # Tables with names, for SQL and data frames

    @property
    def tables(self) -> list[str]:
        """The names of the tables for `sql`, `scan` and `dataset`: `nodes`, each label of nodes, `edges`, `edges_CALL`
        and so on for each label of edges, and `layer_cpu` and so on for each layer with properties of nodes."""
        from varvite.relational.tables import names_of

        return names_of(self)

    def sql(
        self,
        query: str,
        *,
        connection: duckdb.DuckDBPyConnection | None = None,
        parameters: Sequence[Any] | Mapping[str, Any] | None = None,
    ) -> duckdb.DuckDBPyRelation:
        """Asks a question in SQL, which DuckDB answers: `graph.sql("select count(*) from METHOD where IS_EXTERNAL")`.

        The graph reads the columns that the query needs, and its indexes and labels answer what they can of its
        filters. Needs the extra `sql`.

        Parameters
        ----------
        query
            The query. Names that the connection does not know are `tables` of the graph, whatever their case; words of
            SQL need quotes: `from "CALL"`.
        connection
            A connection of DuckDB, for other tables beside those of the graph; by default one in memory, which the
            graph keeps. No table of the graph stays in it, unless `connection.register(name, graph.dataset(name))`
            puts it there.
        parameters
            The values of `?` or `$name` in the query.

        Returns
        -------
        duckdb.DuckDBPyRelation
            With methods such as `fetchall`, `pl`, `df` and `arrow`. Each of them runs the query anew.

        Raises
        ------
        UnknownError
            Neither the connection nor the graph has such a table; the message has the nearest of the graph.
        duckdb.Error
        """
        from varvite.relational.sql import run

        return run(self, query, connection, parameters)

    def scan(self, table: str) -> polars.LazyFrame:
        """One of the `tables` as a lazy frame of Polars, like `pl.scan_parquet` for a file.

        Columns and filters are pushed down to the graph. Texts are `String`. Needs the extra `polars`.

        Parameters
        ----------
        table
            The name of the table, in any case.

        Raises
        ------
        UnknownError
            There is no such table; the message has the nearest one.
        """
        from varvite.relational.frames import scan

        return scan(self, table)

    def dataset(self, table: str) -> GraphDataset:
        """One of the `tables` as a `pyarrow.dataset.Dataset`, with columns and filters pushed down to the graph.

        DuckDB reads it as a table: `methods = graph.dataset("METHOD")`, then `duckdb.sql("from methods")`. Texts are
        codes into a dictionary of each batch. Needs pyarrow.

        Parameters
        ----------
        table
            The name of the table, in any case.

        Raises
        ------
        UnknownError
            There is no such table; the message has the nearest one.
        """
        from varvite.relational.dataset import dataset

        return dataset(self, table)

    def csr(self, label: str, *, direction: str = "out") -> scipy.sparse.csr_array:
        """The edges of a label as a matrix of ones: the row is the source, the column the target (for `"in"`, the other
        way round). Needs SciPy.

        The targets are a view of the file if they are stored as plain numbers. The rows are computed in one pass over
        the nodes, and SciPy needs one byte for each edge. Parallel edges are separate entries, and the targets of a
        node have the order of its list: `sum_duplicates` cannot be called on the view, only on a copy.

        Parameters
        ----------
        label
            The label of the edges.
        direction
            `"out"`, or `"in"` for rows of targets.

        Returns
        -------
        scipy.sparse.csr_array
            Of shape (id_limit, id_limit) and type int8.

        Raises
        ------
        UnknownError, ValueError, DamagedError
        """
        import numpy
        import scipy.sparse

        indptr, indices = (numpy.asarray(part) for part in self.csr_arrays(label, direction=direction))
        shape = (self.id_limit, self.id_limit)
        return scipy.sparse.csr_array((numpy.ones(len(indices), numpy.int8), indices, indptr), shape)

    def csr_arrays(self, label: str, *, direction: str = "out") -> tuple[_varvite.Array, _varvite.Array]:
        """The edges of a label as CSR: the starts of the lists with the end of the last, and the neighbours.

        The neighbours are a view of the file, without a copy, if they are stored as plain numbers of 32 bits, as in files
        of the profile `direct`; otherwise they are decoded once for each call.

        Parameters
        ----------
        label
            The label of the edges.
        direction
            `"out"` for the targets of each source, `"in"` for the sources of each target.

        Returns
        -------
        tuple of Array
            Of the shapes (id_limit + 1,) and (edges,). `numpy.asarray` shows both as int32, or both as int64 if the
            numbers do not fit.

        Raises
        ------
        UnknownError, ValueError, DamagedError
        """
        if direction not in ("out", "in"):
            raise ValueError(f'direction is {direction!r}, expected "out" or "in"')
        return self._native.csr(label, direction == "out")

    def __repr__(self) -> str:
        if self.closed:
            return f"<closed graph {self.path}>"
        return f"<graph {self.path}: {self.node_count:,} nodes, {self.edge_count:,} edges>"

    def _repr_html_(self) -> str:
        from varvite.notebook import of_graph

        return of_graph(self)

    def __reduce__(self) -> NoReturn:
        raise TypeError("a Graph cannot be pickled: pickle its path, and open it again with varvite.open")

    def _rows(self, plan: str, limits: Limits) -> Rows:
        return Rows.of_plan(self, plan, limits)

    def _id(self, id: SupportsIndex) -> int:
        """The id as an integer that the native module can take."""
        number = operator.index(id)
        if not 0 <= number < 1 << 32:
            raise NoSuchNodeError(f"there is no node {number}: ids are 0 to {self.id_limit - 1}")
        return number

    def _node_properties(self) -> dict[str, None]:
        if self._names is None:
            self._names = {name: None for name, edge_label, *_ in self.properties if edge_label is None}
        return self._names


__all__ = ["Graph"]
