"""The mappings of a view: nodes and neighbours, each read at its first use."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from varvite import _varvite
from varvite.nx.networks import PART

if TYPE_CHECKING:
    from varvite.graph import Graph
    from varvite.node import Node



class NoAttributes(dict[str, Any]):
    """The attributes of every edge of a view: an empty dictionary that cannot be changed, and whose copies can be."""

    def refuse(self, *_: Any, **__: Any) -> Any:
        raise TypeError("edges of a view have no attributes: change a copy (nx.DiGraph(view))")

    __setitem__ = __ior__ = setdefault = update = refuse

    def copy(self) -> dict[str, Any]:
        return {}

    def __deepcopy__(self, _: Any) -> dict[str, Any]:
        return {}


NO_ATTRIBUTES = NoAttributes()


class NodesOf(Mapping[Any, Any]):
    """A mapping with the nodes of a network as keys."""

    __slots__ = ("_network",)

    def __init__(self, network: _varvite.Network) -> None:
        self._network = network

    def __len__(self) -> int:
        return len(self._network)

    def __iter__(self) -> Iterator[Any]:
        start = 0
        while nodes := self._network.nodes(start, PART):
            yield from nodes
            start += len(nodes)

    def __contains__(self, node: object) -> bool:
        return self._network.node(node) is not None

    def __getitem__(self, node: Any) -> Any:
        number = self._network.node(node)
        if number is None:
            raise KeyError(node)
        return self._value(number)

    def _value(self, number: int) -> Any:
        raise NotImplementedError


class Neighbourhoods(NodesOf):
    """For each node, the mapping of its neighbours in one direction."""

    __slots__ = ("_is_out",)

    def __init__(self, network: _varvite.Network, is_out: bool) -> None:
        super().__init__(network)
        self._is_out = is_out

    def _value(self, number: int) -> Mapping[Any, Mapping[Any, Any]]:
        return MappingProxyType(self._network.neighbours(number, self._is_out, NO_ATTRIBUTES))


class MultiNeighbourhoods(Neighbourhoods):
    """Neighbours in a multigraph: each has a mapping from keys to the parallel edges that lead to it."""

    __slots__ = ()

    def _value(self, number: int) -> Mapping[Any, Mapping[int, Mapping[str, Any]]]:
        return MappingProxyType(self._network.multi_neighbours(number, self._is_out, NO_ATTRIBUTES))


class Attributes(NodesOf):
    """For each node, the mapping of its properties."""

    __slots__ = ("_graph",)

    def __init__(self, network: _varvite.Network, graph: Graph) -> None:
        super().__init__(network)
        self._graph = graph

    def _value(self, number: int) -> Mapping[str, Any]:
        return Properties(self._graph.node(number))


class Properties(Mapping[str, Any]):
    """The properties that a node has, and its label as `label`."""

    __slots__ = ("_node",)

    def __init__(self, node: Node) -> None:
        self._node = node

    def __getitem__(self, name: str) -> Any:
        if name == "label":
            return self._node.label
        value = self._node[name] if name in self._node.graph._node_properties() else None
        if value is None or value == []:
            raise KeyError(name)
        return value

    def __iter__(self) -> Iterator[str]:
        yield "label"
        yield from self._node.properties()

    def __len__(self) -> int:
        return 1 + len(self._node.properties())

    def copy(self) -> dict[str, Any]:
        """The properties in a dictionary of their own."""
        return dict(self)

    def __deepcopy__(self, _: Any) -> dict[str, Any]:
        return self.copy()

    def __repr__(self) -> str:
        return repr(self.copy())
