"""Nodes and edges of a graph, as handles: they hold an id and read the graph when they are asked."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, NamedTuple, NoReturn

if TYPE_CHECKING:
    from varvite.graph import Graph


class Node:
    """A node of a graph.

    The properties of the schema are attributes, in the spelling of the file: `node.NAME`. A property without a value is
    `None`, and a property of lists is a list. `out` and `in_` lead to neighbours: `node.out.CALL`, or
    `node.out("CALL", "REF")`.

    Each read costs two or three microseconds. For many nodes, use whole columns (`Graph.column`) or a table (`Graph.table`).
    """

    __slots__ = ("_graph", "_id")

    def __init__(self, graph: Graph, id: int) -> None:
        self._graph = graph
        self._id = id

    @property
    def id(self) -> int:
        """The node's id: 0 to `Graph.id_limit` minus one."""
        return self._id

    @property
    def graph(self) -> Graph:
        """The graph of the node."""
        return self._graph

    @property
    def labels(self) -> list[str]:
        """The names of the node's labels."""
        return self._graph._native.labels_of(self._id)

    @property
    def label(self) -> str:
        """The names of the node's labels, joined by `&`."""
        return "&".join(self.labels)

    @property
    def out(self) -> Neighbours:
        """The neighbours at the targets of the node's edges."""
        return Neighbours(self, True)

    @property
    def in_(self) -> Neighbours:
        """The neighbours at the sources of the edges that lead to the node."""
        return Neighbours(self, False)

    def properties(self) -> dict[str, Any]:
        """All properties that the node has, by name."""
        values = {name: self[name] for name in self._graph._node_properties()}
        return {name: value for name, value in values.items() if value is not None and value != []}

    def __getitem__(self, name: str) -> Any:
        return self._graph._native.value(self._id, name)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        return self._graph._native.value(self._id, name)

    def __dir__(self) -> list[str]:
        return sorted({*object.__dir__(self), *self._graph._node_properties()})

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Node) and self._id == other._id and self._graph is other._graph

    def __hash__(self) -> int:
        return hash(self._id)

    def __int__(self) -> int:
        return self._id

    def __index__(self) -> int:
        return self._id

    def __repr__(self) -> str:
        kind = "node" if self._graph.closed else self.label
        return f"<{kind} #{self._id} of {self._graph.path}>"

    def _repr_html_(self) -> str:
        from varvite.notebook import of_node

        return of_node(self)

    def __reduce__(self) -> NoReturn:
        raise TypeError("a Node cannot be pickled: pickle its id, and use graph.node(id)")


class Neighbours:
    """The neighbours of a node in one direction: by edge label as attributes, or by a call with edge labels."""

    __slots__ = ("_is_out", "_node")

    def __init__(self, node: Node, is_out: bool) -> None:
        self._node = node
        self._is_out = is_out

    def __call__(self, *labels: str) -> list[Node]:
        """The neighbours along edges of the labels, one label after another; without labels, along all edges."""
        graph = self._node.graph
        ids = graph._native.neighbours(self._node.id, list(labels), self._is_out)
        return [Node(graph, id) for id in ids]

    def __getattr__(self, label: str) -> list[Node]:
        if label.startswith("_"):
            raise AttributeError(label)
        return self(label)

    def __iter__(self) -> Iterator[Node]:
        return iter(self())

    def __dir__(self) -> list[str]:
        return sorted({*object.__dir__(self), *self._node.graph.edge_labels})

    def __repr__(self) -> str:
        return f"<neighbours {'out' if self._is_out else 'in'} of {self._node!r}>"


class Edge(NamedTuple):
    """An edge of a result. `rank` is its number among the edges of its label, `None` if it is not known."""

    label: str
    source: Node
    target: Node
    rank: int | None
