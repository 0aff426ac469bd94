"""The backend that NetworkX loads (entry point `networkx.backends`).

NetworkX looks up a function by its name in this module, which takes those of Varvite from the other modules; for a view,
every other function is NetworkX's own, which reads the mappings of the view.
"""

from __future__ import annotations

import functools
from collections.abc import Iterable
from typing import Any

import networkx as nx

from _nx_varvite import FUNCTIONS
from varvite.nx import components, dominance, matrices, ordered, paths, ranks, traversal
from varvite.nx.networks import Converted, rest
from varvite.nx.views import View

for _module in (components, dominance, matrices, ordered, paths, ranks, traversal):
    globals().update({name: function for name, function in vars(_module).items() if name in FUNCTIONS})

#: NetworkX's classes: by whether edges have a direction, and whether they may be parallel.
PLAIN = {
    (False, False): nx.Graph,
    (True, False): nx.DiGraph,
    (False, True): nx.MultiGraph,
    (True, True): nx.MultiDiGraph,
}

#: A graph with fewer nodes is not converted unless the caller names the backend.
NODES_MIN = 1000


def convert_from_nx(graph: Any, *, edge_attrs: Any = None, **_: Any) -> Any:
    """Reads the nodes and edges of a graph of NetworkX. Weights stay where they are."""
    if isinstance(graph, (Converted, View)):
        return graph
    weights = [] if edge_attrs is None else list(edge_attrs)
    return Converted(graph, weights[0] if weights else None)


def convert_to_nx(result: Any, **_: Any) -> Any:
    """The graph of NetworkX that was converted, or a copy of a view. Other results stay as they are."""
    if isinstance(result, Converted):
        return result.original
    if isinstance(result, View):
        return PLAIN[result.is_directed(), result.is_multigraph()](result)
    return result


def can_run(name: str, args: Iterable[Any], kwargs: dict[str, Any]) -> bool | str:
    """Whether this backend has a function, or can run NetworkX's own on a view."""
    if name in FUNCTIONS or any(is_view(argument) for argument in (*args, *kwargs.values())):
        return True
    return "this function is NetworkX's own, which needs no conversion"


def should_run(name: str, args: Iterable[Any], kwargs: dict[str, Any]) -> bool | str:
    """Whether a graph is large enough for a conversion that the caller did not request."""
    graphs = [argument for argument in (*args, *kwargs.values()) if isinstance(argument, nx.Graph)]
    if all(len(graph) < NODES_MIN for graph in graphs):
        return f"the graph has less than {NODES_MIN} nodes"
    return True


def is_view(argument: Any) -> bool:
    if isinstance(argument, (list, tuple)):
        return any(isinstance(item, View) for item in argument)
    return isinstance(argument, View)


def __getattr__(name: str) -> Any:
    if not name.startswith("_") and name in nx.utils.backends._registered_algorithms:
        return functools.partial(rest, name)
    raise AttributeError(f"the backend varvite has no function {name}")
