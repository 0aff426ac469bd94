"""Graphs of NetworkX that show a part of an open file, and that nobody can change."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NoReturn

import networkx as nx

from varvite import _varvite
from varvite.nx.mappings import Attributes, MultiNeighbourhoods, Neighbourhoods

if TYPE_CHECKING:
    from varvite.graph import Graph


def refuse(*_: Any, **__: Any) -> NoReturn:
    """Raises the error of NetworkX's frozen graphs."""
    raise nx.NetworkXError("Frozen graph can't be modified")


class View:
    """The common parts of directed and undirected views.

    A view has no edges of its own: its mappings read the graph, which must stay open. NetworkX makes an empty graph of
    the class of a graph for its copies and subgraphs, so that calling a class of views without a network makes a plain
    graph of NetworkX.
    """

    __networkx_backend__ = "varvite"

    frozen = True

    _network: _varvite.Network

    _adj: Any

    add_node = add_nodes_from = remove_node = remove_nodes_from = refuse
    add_edge = add_edges_from = add_weighted_edges_from = remove_edge = remove_edges_from = refuse
    update = clear = clear_edges = refuse

    def number_of_edges(self, u: Any = None, v: Any = None) -> int:
        """The number of edges, or of those between two nodes."""
        if u is None:
            return self._network.edge_count(self.is_directed())
        return int(v in self._adj[u])

    def size(self, weight: Any = None) -> float:
        """The number of edges. All have the weight 1."""
        return self.number_of_edges() if weight is None else float(self.number_of_edges())

    def is_directed(self) -> bool:
        raise NotImplementedError

    def is_multigraph(self) -> bool:
        raise NotImplementedError

    def __reduce__(self) -> NoReturn:
        name = type(self).__name__.removesuffix("View")
        raise TypeError(f"a view cannot be pickled: pickle a copy (nx.{name}(view)), or the path of its file")

    def _fill(self, graph: Graph, network: _varvite.Network) -> None:
        self._network = network
        self.graph = {"path": graph.path}
        self._node = Attributes(network, graph)
        neighbours = MultiNeighbourhoods if self.is_multigraph() else Neighbourhoods
        self._adj = neighbours(network, True)
        if self.is_directed():
            self._pred = neighbours(network, False)


class DiGraphView(View, nx.DiGraph):  # type: ignore[misc]
    """A directed graph that shows edges of some labels of a file. Parallel edges are one edge."""

    def __new__(cls, *args: Any, **attr: Any) -> Any:
        return object.__new__(cls) if is_of_network(args) else nx.DiGraph(*args, **attr)

    def __init__(self, graph: Graph, network: _varvite.Network) -> None:
        self.__networkx_cache__: dict[str, Any] = {}
        self._fill(graph, network)

    def is_directed(self) -> bool:
        return True

    def is_multigraph(self) -> bool:
        return False


class GraphView(View, nx.Graph):  # type: ignore[misc]
    """An undirected graph that shows edges of some labels of a file. Parallel edges are one edge."""

    def __new__(cls, *args: Any, **attr: Any) -> Any:
        return object.__new__(cls) if is_of_network(args) else nx.Graph(*args, **attr)

    def __init__(self, graph: Graph, network: _varvite.Network) -> None:
        self.__networkx_cache__: dict[str, Any] = {}
        self._fill(graph, network)

    def is_directed(self) -> bool:
        return False

    def is_multigraph(self) -> bool:
        return False


class MultiView(View):
    """The common parts of views that keep parallel edges separate, with the keys 0, 1 and so on."""

    def number_of_edges(self, u: Any = None, v: Any = None) -> int:
        """The number of edges, or of those between two nodes."""
        if u is None:
            return super().number_of_edges()
        return len(self._adj[u].get(v, ()))

    def is_multigraph(self) -> bool:
        return True


class MultiDiGraphView(MultiView, nx.MultiDiGraph):  # type: ignore[misc]
    """A directed graph that shows edges of some labels of a file, with parallel edges."""

    def __new__(cls, *args: Any, **attr: Any) -> Any:
        return object.__new__(cls) if is_of_network(args) else nx.MultiDiGraph(*args, **attr)

    def __init__(self, graph: Graph, network: _varvite.Network) -> None:
        self.__networkx_cache__: dict[str, Any] = {}
        self._fill(graph, network)

    def is_directed(self) -> bool:
        return True


class MultiGraphView(MultiView, nx.MultiGraph):  # type: ignore[misc]
    """An undirected graph that shows edges of some labels of a file, with parallel edges."""

    def __new__(cls, *args: Any, **attr: Any) -> Any:
        return object.__new__(cls) if is_of_network(args) else nx.MultiGraph(*args, **attr)

    def __init__(self, graph: Graph, network: _varvite.Network) -> None:
        self.__networkx_cache__: dict[str, Any] = {}
        self._fill(graph, network)

    def is_directed(self) -> bool:
        return False


def view(graph: Graph, network: _varvite.Network, *, is_directed: bool, is_multigraph: bool) -> Any:
    """The view of a network."""
    if is_multigraph:
        return (MultiDiGraphView if is_directed else MultiGraphView)(graph, network)
    return (DiGraphView if is_directed else GraphView)(graph, network)


def is_of_network(args: tuple[Any, ...]) -> bool:
    return len(args) == 2 and isinstance(args[1], _varvite.Network)
